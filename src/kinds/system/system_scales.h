/* Time scales of Lagrangian systems at their start. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_SCALES_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_SCALES_H

#include "kinds/system/system_scene.h"
#include "run/run_scales.h"

/* THUD_ERROR_MEMORY only; what cannot be evaluated sets no scale. */
thud_error thud_system_find_scales(const thud_scene *scene, scene_scales *scales);
/* The step of a scene that gives none. */
thud_error thud_system_choose_step(thud_scene *scene);
/* Warns of a step that fits no scale; of systems whose functions are a program's nothing. */
void thud_system_report_step(const thud_scene *scene, thud_report *report);

#endif
