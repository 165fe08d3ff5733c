/* Increments of a quasi-static scene against its event-driven motion. */
#ifndef THUD_SRC_STUDY_ELASTIC_AGAINST_H
#define THUD_SRC_STUDY_ELASTIC_AGAINST_H

#include "kinds/quasistatic/quasistatic_scene.h"
#include "thud/study.h"

/* Fills rows, reference and method of the result; arrays are made in the arena. */
thud_error thud_study_elastic_against(const quasistatic_scene *made, const thud_against_options *options,
                                      thud_arena *arena, thud_against *result);

#endif
