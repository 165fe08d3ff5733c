/* Small Lagrangian systems of expressions for tests, and their motions. */
#ifndef THUD_TEST_SYSTEMS_H
#define THUD_TEST_SYSTEMS_H

#include "thud/stepping.h"

enum { THUD_TEST_COORDINATES = 16, THUD_TEST_CONSTRAINTS = 16 };

/* Strings of expressions; unused entries are NULL. */
typedef struct thud_test_system {
  const char *coordinates[THUD_TEST_COORDINATES];
  const char *kinetic_energy, *potential_energy;
  const char *forces[THUD_TEST_COORDINATES];
  thud_expr_constraint_def constraints[THUD_TEST_CONSTRAINTS];
  thud_expr_friction_def friction[4];
} thud_test_system;

/* Compiles it; asserts success. */
thud_system *thud_test_system_make(thud_context *context, const thud_test_system *source);
/* moreau with `steps` from 0 to end. */
thud_stepping_options thud_test_stepping_options(thud_stepping_method method, double end, thud_index steps);
/* The `frame` of a thud_motion_sink. */
typedef int (*thud_test_frame_fn)(void *user, const void *frame);
/* Runs to the end, asserts that the calls went well; the last q and v (either may be NULL). */
thud_stepping_motion_info thud_test_stepping(thud_context *context, const thud_system *system,
                                             const thud_stepping_options *options, const double *q0, const double *v0,
                                             thud_test_frame_fn frame, void *user, double *q, double *v);

#endif
