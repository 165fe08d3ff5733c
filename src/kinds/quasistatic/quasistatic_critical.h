/* What the critical coefficients of friction say of a quasi-static scene. */
#ifndef THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_CRITICAL_H
#define THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_CRITICAL_H

#include "kinds/quasistatic/quasistatic_scene.h"
#include "thud/critical.h"
#include "thud/kind.h"

/* `thud check`: every coefficient, what it guarantees and where the scene's mu is. */
thud_error thud_quasistatic_report_critical(const quasistatic_scene *built, const thud_motion *motion,
                                            thud_report *report);
/* After a run: whether one rate solution was guaranteed, or found, or not looked for. */
void thud_quasistatic_report_uniqueness(const quasistatic_scene *built, const thud_motion *motion, thud_report *report);

#endif
