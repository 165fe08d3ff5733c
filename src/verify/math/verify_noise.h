/* By how much a value that is computed again may differ by rounding alone: the interval of its expression gives it. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_NOISE_H
#define THUD_SRC_VERIFY_MATH_VERIFY_NOISE_H

#include "verify/system/verify_system.h"

/* A state whose numbers are rounded; q has moved for the time h. */
typedef struct verify_state_at {
  double t, h;
  const double *q, *v; /* [n] */
} verify_state_at;

/* noise [n]: width of the forces there, 0 where the intervals know nothing (expressions without bounds). values: any of
 * this system. Not fast: for what would fail otherwise. */
thud_error thud_verify_force_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                   double *noise);
/* The same of gap i. */
thud_error thud_verify_gap_noise(verify_system *system, const verify_state_at *at, const verify_values *values,
                                 size_t i, double *noise);
/* The same of the velocity of constraint i, whose gradient is rounded where its terms cancel. */
thud_error thud_verify_velocity_noise(const verify_system *system, const verify_state_at *at,
                                      const verify_values *values, size_t i, double *noise);

#endif
