/* Refinement of kinds that leave it to their rows. */
#ifndef THUD_SRC_STUDY_STUDY_ROWS_H
#define THUD_SRC_STUDY_STUDY_ROWS_H

#include "thud/study.h"

/* run, free and compare for any kind whose scenes have simulate.steps and whose rows have a state. */
extern const thud_kind_study thud_study_by_rows;

#endif
