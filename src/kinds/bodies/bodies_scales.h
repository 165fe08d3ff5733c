/* Time scales of rigid bodies, and traps of their scenes. */
#ifndef THUD_SRC_KINDS_BODIES_BODIES_SCALES_H
#define THUD_SRC_KINDS_BODIES_BODIES_SCALES_H

#include "kinds/bodies/bodies_scene.h"
#include "run/run_scales.h"

/* Thinnest part of a body; planes have no thickness that counts (infinity). */
double thud_bodies_thinnest_part(const thud_bodies_view *view, thud_index body);
/* THUD_ERROR_MEMORY only. */
thud_error thud_bodies_find_scales(thud_scene *scene, const thud_bodies_view *view, scene_scales *scales);

/* bodies_traps.c: what looks like a mistake: units, directions, materials, meshes, steps. */
void thud_bodies_report_traps(const bodies_scene *made, bool checking, thud_report *report);
/* Number of the first body with an open mesh behind which all bodies begin that are near enough to tell; -1: there is none. */
thud_index thud_bodies_find_turned_mesh(const thud_bodies_view *view);

#endif
