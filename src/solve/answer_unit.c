/* Problems are homogeneous: (r, u, v, l) c solves the one with data (q, s, f, w, b) c. Where the data are so small that
 * absolute thresholds take them for 0 (the scale of the residual, 2.3e-16), the problem is solved in a smaller unit of
 * velocity and impulse. The unit is a power of 2: no digit changes, neither of the data nor of the answer. */
#include "base/base.h"
#include "solve/answer.h"

#include <math.h>

/* Data below 2^SMALL get a unit of their own, not below 2^SMALLEST: its inverse is a number. */
enum { SMALL = -40, SMALLEST = -1000 };

static double largest_of(const double *x, size_t count, double before) {
  for (size_t k = 0; x != NULL && k < count; k++) before = fmax(before, fabs(x[k]));
  return before;
}

static double largest_datum(const thud_contact_problem *problem) {
  size_t size = thud_contact_size(problem), ndof = thud_contact_ndof(problem), rows = (size_t)problem->bilateral;
  switch (problem->form) {
  case THUD_FORM_LOCAL: return largest_of(problem->q, size, largest_of(problem->s, rows, 0));
  case THUD_FORM_GLOBAL:
    return largest_of(problem->f, ndof, largest_of(problem->w, size, largest_of(problem->b, rows, 0)));
  default: break;
  }
  const thud_two_block *two = &problem->two_block;
  return largest_of(two->free_velocity, ndof, largest_of(two->w, size, largest_of(two->joint_w, rows, 0)));
}

thud_error thud_answer_choose_unit(thud_context *context, const thud_contact_problem *problem, double *unit,
                                   thud_owned_problem **scaled) {
  int exponent = 0;
  double largest = largest_datum(problem);
  *unit = 1;
  *scaled = NULL;
  frexp(largest, &exponent);
  if (largest == 0 || exponent >= SMALL) return THUD_OK;
  *unit = ldexp(1, exponent > SMALLEST ? exponent : SMALLEST);
  const thud_contact_scaling scaling = {.velocity = *unit, .impulse = *unit};
  return thud_contact_scale(context, problem, &scaling, scaled);
}

static void multiply(size_t count, double *x, double factor) {
  for (size_t k = 0; x != NULL && k < count; k++) x[k] *= factor;
}

static void undo_residual(thud_contact_residual *residual, double unit) {
  residual->scale *= unit;
  residual->worst_value *= unit;
  residual->penetration *= unit;
  residual->cone_excess *= unit;
  residual->dissipation *= unit * unit;
}

void thud_answer_undo_unit(answer_work *work) {
  thud_answer *found = &work->found;
  double unit = work->unit;
  if (unit == 1) return;
  const thud_contact_scaling scaling = {.velocity = unit, .impulse = unit};
  thud_contact_unscale_answer(work->problem, &scaling, work->r, work->u, work->v, work->l);
  multiply(2 * found->solutions_kept * found->size, work->values, unit);
  undo_residual(&found->residual, unit);
  if (found->has_closest) {
    multiply(found->size, work->closest_r, unit);
    multiply((size_t)work->problem->bilateral, work->closest_l, unit);
    found->closest.distance *= unit;
    found->closest.error *= unit;
    undo_residual(&found->closest_residual, unit);
  }
  found->certificate.value *= unit;
  found->certificate.reach *= unit;
  for (size_t k = 0; k < found->interval_count; k++) {
    thud_force_interval *interval = &work->intervals[k];
    interval->low *= unit;
    interval->high *= unit;
    interval->low_outer *= unit;
    interval->high_outer *= unit;
  }
}
