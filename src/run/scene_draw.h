/* What a scene looks like at a moment of its record. */
#ifndef THUD_SRC_RUN_SCENE_DRAW_H
#define THUD_SRC_RUN_SCENE_DRAW_H

#include "thud/drawing.h"
#include "thud/moment.h"
#include "thud/scene.h"

/* The marks of the scene's `draw` section, then those of its kind. */
thud_error thud_scene_draw(const thud_scene *scene, thud_moment *moment, thud_drawing *drawing);

#endif
