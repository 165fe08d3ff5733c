/* Recorded bodies as VTK files. */
#ifndef THUD_SRC_KINDS_BODIES_BODIES_VTK_H
#define THUD_SRC_KINDS_BODIES_BODIES_VTK_H

#include "thud/record.h"
#include "thud/scene.h"

/* Two parts per time: "bodies" (their surfaces, planes cut off around the scene; point field velocity, that of the
 * material point; cell fields body, speed of the centre of mass) and "contacts" (points; fields force, impulse over
 * length of the step, normal, gap, body_a, body_b), both with the names of the bodies. A time stands for the row
 * nearest to it. path: NAME.pvd, or NAME.vtu for the last time, with NAME-contacts.vtu beside it. */
thud_error thud_body_vtk_export(const thud_scene *scene, thud_record_reader *reader, const thud_record_times *times,
                                const char *path, bool overwrite);

#endif
