/* What a scene looks like at a moment of its record. */
#ifndef THUD_SRC_RUN_SCENE_DRAW_H
#define THUD_SRC_RUN_SCENE_DRAW_H

#include "thud/drawing.h"
#include "thud/moment.h"
#include "thud/scene.h"

/* The marks of the scene's `draw` section, then those of its kind. */
thud_error thud_scene_draw(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing);
/* What is remembered of records (traces) is forgotten: to be called before a reader is used that was not there before. */
void thud_scene_draw_forget(const thud_scene *scene);

#endif
