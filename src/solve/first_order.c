#include "solve/first_order.h"

#include <math.h>

enum { POWER_STEPS = 8 };

thud_error thud_first_order_vectors(thud_context *context, size_t n, thud_first_order_places vectors, void *state,
                                    double **memory) {
  size_t all = 0;
  if (!thud_size_multiply(n, vectors.count, &all))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%zu vectors of %zu", vectors.count, n);
  double *made = THUD_NEW_ARRAY(context, double, all);
  if (made == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < vectors.count; k++) {
    double **place = (double **)(void *)((char *)state + vectors.offsets[k]);
    *place = made + k * n;
  }
  *memory = made;
  return THUD_OK;
}

thud_error thud_first_order_create(thud_solver *solver, size_t bytes, thud_first_order_places vectors) {
  thud_first_order *state = thud_alloc(solver->context, 1, bytes);
  if (state == NULL) return THUD_ERROR_MEMORY;
  solver->state = state;
  thud_error error = thud_scaled_form_create(solver->context, solver->inner, &state->form);
  if (error == THUD_OK)
    error = thud_first_order_vectors(solver->context, state->form.total, vectors, state, &state->memory);
  if (error != THUD_OK) thud_first_order_destroy(solver);
  return error;
}

thud_error thud_first_order_update(thud_solver *solver) {
  thud_first_order *state = solver->state;
  thud_error error = thud_scaled_form_update(&state->form, solver->inner);
  if (error != THUD_OK) return error;
  double *x = state->memory, *y = state->memory + state->form.total; /* scratch */
  double value = thud_scaled_form_largest_eigenvalue(&state->form, POWER_STEPS, x, y);
  state->curvature = value > 0 ? value : 1;
  return THUD_OK;
}

void thud_first_order_destroy(thud_solver *solver) {
  thud_first_order *state = solver->state;
  thud_scaled_form_destroy(&state->form);
  thud_free(solver->context, state->memory);
  thud_free(solver->context, state);
  solver->state = NULL;
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

bool thud_first_order_watch_is_slow(thud_first_order_watch *watch, double enough) {
  if (++watch->steps < watch->window) return false;
  bool slow = !(watch->best < enough * watch->before);
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
