/* A mechanical system at one configuration, its values given as constants: what velocity problems are tested on. */
#ifndef THUD_TEST_STILL_SYSTEM_H
#define THUD_TEST_STILL_SYSTEM_H

#include "thud/model.h"

enum { THUD_STILL_MAX = 40, THUD_STILL_N = 24 };

typedef struct thud_still_law {
  thud_index constraint, directions;
  double friction;
  const thud_set *set; /* NULL: disc */
} thud_still_law;

typedef struct thud_still {
  thud_index n, m, laws;
  double mass[THUD_STILL_N * THUD_STILL_N];
  thud_constraint_kind kind[THUD_STILL_MAX]; /* zero: unilateral */
  double gradient[THUD_STILL_MAX * THUD_STILL_N], rate[THUD_STILL_MAX], restitution[THUD_STILL_MAX];
  thud_still_law law[THUD_STILL_MAX];
  double slip[THUD_STILL_MAX * THUD_STILL_N], slip_rate[THUD_STILL_MAX];
  bool acting[THUD_STILL_MAX]; /* begin sets all */
  thud_percussion_options options;

  thud_context *context;
  thud_system *system;
  thud_system_values *values;
  thud_percussion *percussion;
  double r[THUD_STILL_MAX], r_slip[THUD_STILL_MAX], v[THUD_STILL_N];
  thud_percussion_info info;
} thud_still;

/* Defaults: no constraints, identity mass, default options. */
void thud_still_init(thud_still *still, thud_context *context, thud_index n);
/* The next constraint; its number. */
thud_index thud_still_add(thud_still *still, const double *gradient, double restitution);
/* The next law, its slip rows row-major directions x n. */
thud_index thud_still_add_law(thud_still *still, thud_index constraint, thud_index directions, const double *slip,
                              double friction, const thud_set *set);
/* n equal balls in a row that touch: gaps x_{i+1} - x_i, one e, the impact law. */
void thud_still_cradle(thud_still *still, thud_context *context, thud_index n, double e, int law);
/* Makes system, values and percussion. */
thud_error thud_still_begin(thud_still *still);
void thud_still_end(thud_still *still);
/* Solves with warm start from the last answer into still->v, r, r_slip, info; asserts THUD_OK. */
void thud_still_impact(thud_still *still, const double *v_minus);
void thud_still_step(thud_still *still, double step, const double *v_minus, const double *v_free);
/* gradient_i . v + rate_i */
double thud_still_velocity(const thud_still *still, thud_index i, const double *v);
double thud_still_energy(const thud_still *still, const double *v);
/* Fails with both numbers when they differ by more. */
void thud_still_near(double value, double expected, double tolerance);

#endif
