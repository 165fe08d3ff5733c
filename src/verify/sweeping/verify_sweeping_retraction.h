/* Retraction of the moving set of a scene, by the checker's own code. */
#ifndef THUD_SRC_VERIFY_SWEEPING_VERIFY_SWEEPING_RETRACTION_H
#define THUD_SRC_VERIFY_SWEEPING_VERIFY_SWEEPING_RETRACTION_H

#include "verify/sweeping/verify_sweeping_motion.h"

/* ret(C; start, end) lies in [low, high]; mesh: bound of the retraction inside an interval of the partition. high is
 * infinite where there is no bound, NaN where the checker knows none for such a set. */
typedef struct verify_retraction {
  double low, high, mesh_low, mesh;
} verify_retraction;

thud_error thud_verify_retract(const verify_scene *scene, verify_retraction *found);
/* The figures of the summary: retraction, mesh_retraction and error_bound = 2 sqrt(mesh_retraction retraction). */
thud_error thud_verify_check_retraction(const verify_motion *motion, thud_record_reader *reader,
                                        thud_verify_check *check);

#endif
