/* How a given step fits the time scales of its scene. */
#ifndef THUD_SRC_RUN_RUN_SCALES_H
#define THUD_SRC_RUN_RUN_SCALES_H

#include "scene/scene_scales.h"
#include "thud/kind.h"

/* Warnings about what is the same for all kinds: units. */
void thud_scene_report_units(const thud_scene *scene, thud_report *report);
/* A warning about a given step that fits no scale; of a chosen one nothing. */
void thud_scales_report(const thud_scene *scene, const scene_scales *scales, thud_report *report);

#endif
