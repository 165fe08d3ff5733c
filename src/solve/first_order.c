#include "solve/first_order.h"

#include <math.h>

enum { POWER_STEPS = 8 };
static const double PROGRESS = 0.5; /* of the best residual in a window */

thud_error thud_first_order_vectors(thud_context *context, size_t n, size_t count, double **const vectors[],
                                    double **memory) {
  size_t all = 0;
  if (!thud_size_multiply(n, count, &all))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%zu vectors of %zu", count, n);
  double *made = THUD_NEW_ARRAY(context, double, all);
  if (made == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) *vectors[k] = made + k * n;
  *memory = made;
  return THUD_OK;
}

double thud_first_order_curvature(const thud_scaled_form *form, double *x, double *y) {
  double value = thud_scaled_form_largest_eigenvalue(form, POWER_STEPS, x, y);
  return value > 0 ? value : 1;
}

thud_first_order_watch thud_first_order_watch_begin(int window) {
  return (thud_first_order_watch){.best = INFINITY, .before = INFINITY, .window = window};
}

thud_error thud_first_order_watch_test(thud_first_order_watch *watch, thud_solver *solver, const thud_scaled_form *form,
                                       const double *x, const double *u, double length) {
  double tolerance = solver->options.tolerance;
  bool due = thud_solver_test_is_due(solver);
  thud_error error = THUD_OK;
  if (!due && !(watch->ratio * length <= tolerance)) return THUD_OK;
  double residual = u != NULL && !due ? thud_scaled_form_residual(form, x, u) : 0;
  if (residual <= tolerance) {
    thud_scaled_form_store(form, x, solver->r, solver->l);
    error = thud_solver_test(solver);
    residual = solver->last_residual;
  }
  watch->ratio = length > 0 ? residual / length : 0;
  watch->best = fmin(watch->best, residual);
  return error;
}

bool thud_first_order_watch_is_slow(thud_first_order_watch *watch) {
  if (++watch->steps < watch->window) return false;
  bool slow = !(watch->best < PROGRESS * watch->before);
  watch->before = watch->best;
  watch->steps = 0;
  if (slow) watch->window += watch->window / 2;
  return slow;
}

void thud_first_order_hand_over(thud_solver *solver, const thud_scaled_form *form, const double *x) {
  if (solver->tested_at != solver->iterations) thud_scaled_form_store(form, x, solver->r, solver->l);
}

void thud_first_order_fail(thud_solver *solver) {
  thud_solver_break_down(solver, "the projection on a friction law failed after iteration %d", solver->iterations);
}
