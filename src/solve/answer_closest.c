/* Parts of an answer: the start that a user gives, and the impulses closest to it that share the velocity found. */
#include "solve/answer.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

/* Residual of the bilateral rows beside the closest impulses: next to rounding. */
static const double ROW_TOLERANCE = 1e-14;

static thud_error check_start(thud_context *context, const char *name, size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return thud_fail(context, THUD_ERROR_NOT_FINITE, "start: %s[%zu] is %g", name, i, x[i]);
  return THUD_OK;
}

thud_error thud_answer_take_start(answer_work *work) {
  const double *r = work->options->start, *l = work->options->start_l;
  size_t size = work->found.size, rows = (size_t)work->problem->bilateral;
  thud_error error = r != NULL ? check_start(work->context, "r", size, r) : THUD_OK;
  if (error == THUD_OK && l != NULL) error = check_start(work->context, "l", rows, l);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < rows && l != NULL; i++) work->l[i] = l[i] / work->unit;
  if (r == NULL) return THUD_OK;
  work->start = THUD_NEW_ARRAY(work->context, double, size);
  if (work->start == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < size; i++) work->start[i] = work->r[i] = r[i] / work->unit;
  return THUD_OK;
}

/* ---- bilateral rows -------------------------------------------------------------------------------------------------- */

/* The problem of the rows alone, the impulses of the contacts being given: a problem without contacts. load has room for
 * the data that change: [bilateral] s, [ndof] f or free velocities. */
static thud_error state_rows(const answer_work *work, const double *r, thud_contact_problem *rows, double *load) {
  const thud_contact_problem *problem = work->problem;
  size_t bilateral = (size_t)problem->bilateral, ndof = thud_contact_ndof(problem);
  const thud_matrix none = {.storage = THUD_MATRIX_DENSE, .columns = problem->bilateral};
  *rows = *problem;
  rows->dimension = 1;
  rows->contacts = 0;
  rows->friction = THUD_FRICTION_BY_DIMENSION;
  rows->mu = rows->mu_rolling = rows->mu_spinning = rows->q = rows->w = NULL;
  rows->laws = NULL;
  thud_error error = THUD_OK;
  switch (problem->form) {
  case THUD_FORM_LOCAL:
    rows->W = (thud_matrix){.storage = THUD_MATRIX_DENSE};
    rows->V = none;
    memcpy(load, problem->s, bilateral * sizeof *load);
    thud_matrix_multiply_vector(work->context, &problem->V, true, 1, r, 1, load);
    rows->s = load;
    break;
  case THUD_FORM_GLOBAL:
    rows->H = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = (thud_index)ndof};
    memcpy(load, problem->f, ndof * sizeof *load);
    thud_matrix_multiply_vector(work->context, &problem->H, false, 1, r, 1, load);
    rows->f = load;
    break;
  case THUD_FORM_TWO_BLOCK: {
    thud_contact_evaluator *evaluator = NULL;
    thud_contact_residual residual;
    error = thud_contact_evaluator_create(work->context, problem, &evaluator);
    memset(work->closest_l, 0, bilateral * sizeof *work->closest_l);
    if (error == THUD_OK) error = thud_contact_evaluator_evaluate(evaluator, r, NULL, work->closest_l, NULL, &residual);
    if (error == THUD_OK) memcpy(load, thud_contact_evaluator_v(evaluator), ndof * sizeof *load);
    thud_contact_evaluator_destroy(evaluator);
    rows->two_block.free_velocity = load;
    rows->two_block.w = NULL;
    break;
  }
  }
  return error;
}

/* l of least norm with u_b = 0 beside the closest impulses: by Lemke's method, which eliminates the rows. */
static thud_error find_rows(answer_work *work) {
  thud_context *context = work->context;
  size_t ndof = thud_contact_ndof(work->problem), rows = (size_t)work->problem->bilateral;
  double *load = THUD_NEW_ARRAY(context, double, ndof + rows);
  thud_contact_problem alone;
  thud_solver *solver = NULL;
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = ROW_TOLERANCE;
  thud_error error = load != NULL ? state_rows(work, work->closest_r, &alone, load) : THUD_ERROR_MEMORY;
  if (error == THUD_OK)
    error = thud_solver_create(context, thud_solver_method_find("lemke"), &alone, &options, &solver);
  if (error == THUD_OK) error = thud_solver_solve(solver, NULL, NULL, NULL, work->closest_l, NULL);
  thud_solver_destroy(solver);
  thud_free(context, load);
  return error;
}

/* ---- the closest impulses -------------------------------------------------------------------------------------------- */

thud_error thud_answer_find_closest(answer_work *work, thud_force_set *set) {
  thud_answer *found = &work->found;
  size_t rows = (size_t)work->problem->bilateral;
  work->closest_r = THUD_NEW_ARRAY(work->context, double, found->size);
  work->closest_l = THUD_NEW_ARRAY(work->context, double, rows);
  if (work->closest_r == NULL || work->closest_l == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_force_set_closest(set, work->start, NULL, work->closest_r, &found->closest);
  if (error == THUD_OK && rows > 0) error = find_rows(work);
  if (error == THUD_OK)
    error = thud_contact_evaluate(work->context, work->problem, work->closest_r, NULL,
                                  rows > 0 ? work->closest_l : NULL, NULL, &found->closest_residual);
  if (error != THUD_OK) return error;
  found->has_closest = true;
  found->closest_r = work->closest_r;
  found->closest_l = work->closest_l;
  return THUD_OK;
}
