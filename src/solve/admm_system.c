#include "solve/admm_system.h"
#include "solve/scaled_matrix.h"
#include "contact/contact_sparse.h"

#include <math.h>
#include <string.h>

/* Relative asymmetry below which a matrix counts as symmetric: rounding of its assembling. */
static const double SYMMETRIC = 1e-12;
/* Part of the entries above which the matrix is factorised as a dense one. */
static const double DENSE_FILL = 0.3;
/* J J' may have this many times the entries of M before the local form is made instead. */
static const double PRODUCT_FILL = 100;
/* Two-block problems up to this many unknowns are reduced and factorised. */
enum { FACTORISE_MAX = 3000 };
/* Steps of the conjugate gradients, whose matrix has its eigenvalues between rho and rho + a few, and the accuracy in
 * units of the right-hand side beyond which rounding ends them. */
enum { STEPS_MAX = 200 };
static const double ROUNDING = 1e-14;

/* ---- create, destroy -------------------------------------------------------------------------------------- */

static void forget_matrices(thud_admm_system *system) {
  thud_context *context = system->form.context;
  thud_owned_problem_destroy(system->reduced);
  system->reduced = NULL;
  thud_sparse *matrices[] = {&system->matrix, &system->full, &system->product, &system->J};
  for (size_t k = 0; k < sizeof matrices / sizeof *matrices; k++) thud_sparse_destroy(context, matrices[k]);
  thud_factor_destroy(system->factor);
  system->factor = NULL;
  thud_free(context, system->sum);
  thud_free(context, system->dense);
  system->sum = system->dense = NULL;
}

void thud_admm_system_destroy(thud_admm_system *system) {
  thud_context *context = system->form.context;
  if (context == NULL) return;
  forget_matrices(system);
  thud_free(context, system->load);
  thud_free(context, system->known);
  thud_free(context, system->work);
  thud_free(context, system->residual);
  thud_scaled_form_destroy(&system->form);
}

thud_error thud_admm_system_create(thud_context *context, const thud_contact_problem *problem,
                                   thud_admm_system *system) {
  thud_admm_system made = {0};
  thud_error error = thud_scaled_form_create(context, problem, &made.form);
  if (error != THUD_OK) return error;
  size_t ndof = thud_contact_ndof(problem), room = ndof > made.form.total ? ndof : made.form.total;
  made.load = THUD_NEW_ARRAY(context, double, room);
  made.known = THUD_NEW_ARRAY(context, double, room);
  made.work = THUD_NEW_ARRAY(context, double, room);
  size_t extra = problem->form == THUD_FORM_TWO_BLOCK ? made.form.total : 0;
  made.residual = THUD_NEW_ARRAY(context, double, 3 * extra);
  if (made.load == NULL || made.known == NULL || made.work == NULL || made.residual == NULL) {
    thud_admm_system_destroy(&made);
    return THUD_ERROR_MEMORY;
  }
  made.direction = made.residual + extra;
  made.image = made.direction + extra;
  *system = made;
  return THUD_OK;
}

/* ---- symmetric part --------------------------------------------------------------------------------------- */

/* `matrix` (and `product`) from A = `full`: symmetric part, diagonal, J J'. `full` is dropped when it is symmetric. */
static thud_error split_matrix(thud_admm_system *system) {
  thud_entry_list list = {.context = system->form.context};
  const thud_sparse *J = &system->J;
  thud_entry_list_add_matrix(&list, &system->full, 0, 0, true);
  for (size_t i = 0; i < system->n; i++) thud_entry_list_add(&list, (thud_index)i, (thud_index)i, 0, 0);
  for (thud_index c = 0; system->global && c < J->columns; c++)
    for (thud_index p = J->column_start[c]; p < J->column_start[c + 1]; p++)
      for (thud_index k = J->column_start[c]; k < J->column_start[c + 1]; k++)
        thud_entry_list_add(&list, J->row[p], J->row[k], 0, J->value[p] * J->value[k]);
  thud_error error = thud_entry_list_to_sparse(&list, system->n, system->n, list.value, &system->matrix);
  if (error == THUD_OK && system->global)
    error = thud_entry_list_to_sparse(&list, system->n, system->n, list.product, &system->product);
  thud_entry_list_free(&list);
  if (error == THUD_OK && thud_sparse_asymmetry(&system->full) <= SYMMETRIC)
    thud_sparse_destroy(system->form.context, &system->full);
  return error;
}

/* ---- update -------------------------------------------------------------------------------------------------- */

static bool product_is_too_full(const thud_admm_system *system) {
  const thud_sparse *J = &system->J, *M = &system->full;
  double entries = 0;
  for (thud_index c = 0; c < J->columns; c++) {
    double column = (double)(J->column_start[c + 1] - J->column_start[c]);
    entries += column * column;
  }
  return entries > PRODUCT_FILL * (double)M->column_start[M->columns];
}

static thud_error set_local(thud_admm_system *system, const thud_contact_problem *problem) {
  system->n = system->form.total;
  return thud_scaled_matrix_local(&system->form, problem, &system->full);
}

static thud_error set_global(thud_admm_system *system, const thud_contact_problem *problem) {
  thud_context *context = system->form.context;
  system->n = thud_contact_ndof(problem);
  thud_error error = thud_scaled_matrix_columns(&system->form, problem, &system->J);
  if (error == THUD_OK) error = thud_matrix_to_sparse(context, &problem->M, &system->full);
  if (error != THUD_OK) return error;
  if (product_is_too_full(system)) {
    forget_matrices(system);
    system->global = false;
    error = thud_contact_to_local(context, problem, THUD_MATRIX_NONE, &system->reduced);
    return error == THUD_OK ? set_local(system, thud_owned_problem_view(system->reduced)) : error;
  }
  thud_scaled_matrix_set_units(&system->form, problem, &system->full, &system->J, system->work);
  return THUD_OK;
}

/* Reduces a small problem; the others need their units and products only. */
static thud_error set_two_block(thud_admm_system *system, const thud_contact_problem *problem) {
  system->n = system->form.total;
  system->iterative = system->n > FACTORISE_MAX;
  if (system->iterative) return thud_scaled_form_update(&system->form, problem);
  thud_error error = thud_contact_to_local(system->form.context, problem, THUD_MATRIX_NONE, &system->reduced);
  return error == THUD_OK ? set_local(system, thud_owned_problem_view(system->reduced)) : error;
}

static thud_error set_numbers(thud_admm_system *system, const thud_contact_problem *problem) {
  if (system->global) return set_global(system, problem);
  return problem->form == THUD_FORM_TWO_BLOCK ? set_two_block(system, problem) : set_local(system, problem);
}

/* Room for the factor, dense or sparse. */
static thud_error prepare_factor(thud_admm_system *system) {
  thud_context *context = system->form.context;
  size_t n = system->n, entries = (size_t)system->matrix.column_start[n], square = 0;
  system->sum = THUD_NEW_ARRAY(context, double, entries);
  if (system->sum == NULL) return THUD_ERROR_MEMORY;
  if ((double)entries < DENSE_FILL * (double)n * (double)n)
    return thud_factor_create(context, &system->matrix, THUD_FACTOR_CHOLESKY, &system->factor);
  if (!thud_size_multiply(n, n, &square)) return THUD_ERROR_OVERFLOW;
  system->dense = THUD_NEW_ARRAY(context, double, square);
  return system->dense == NULL ? THUD_ERROR_MEMORY : THUD_OK;
}

thud_error thud_admm_system_update(thud_admm_system *system, const thud_contact_problem *problem) {
  forget_matrices(system);
  system->global = problem->form == THUD_FORM_GLOBAL;
  system->iterative = false;
  thud_error error = set_numbers(system, problem);
  if (error != THUD_OK || system->iterative) return error;
  error = split_matrix(system);
  if (error == THUD_OK) error = prepare_factor(system);
  return error;
}

/* ---- factor and solve ------------------------------------------------------------------------------------------ */

thud_error thud_admm_system_factorize(thud_admm_system *system, double rho) {
  thud_context *context = system->form.context;
  system->rho = rho;
  if (system->iterative) return THUD_OK;
  thud_sparse sum = system->matrix; /* the pattern, with other values */
  size_t n = system->n;
  sum.value = system->sum;
  for (size_t j = 0; j < n; j++)
    for (thud_index p = sum.column_start[j]; p < sum.column_start[j + 1]; p++) {
      sum.value[p] = system->matrix.value[p];
      if (system->global)
        sum.value[p] += system->product.value[p] / rho;
      else if ((size_t)sum.row[p] == j)
        sum.value[p] += rho;
    }
  if (system->factor != NULL) return thud_factor_factorize(system->factor, &sum, NULL);
  memset(system->dense, 0, n * n * sizeof(double));
  for (size_t j = 0; j < n; j++)
    for (thud_index p = sum.column_start[j]; p < sum.column_start[j + 1]; p++)
      system->dense[j * n + (size_t)sum.row[p]] = sum.value[p];
  return thud_dense_cholesky(context, (thud_index)n, system->dense, NULL);
}

void thud_admm_system_begin(thud_admm_system *system) { memset(system->known, 0, system->n * sizeof(double)); }

/* known = (matrix + ...)^-1 load; where the matrix is not symmetric, the rest of it times the last solution is moved to
 * the right-hand side first. */
static thud_error solve_system(thud_admm_system *system) {
  if (system->full.columns > 0) {
    thud_sparse_multiply_vector(&system->matrix, false, 1, system->known, 1, system->load);
    thud_sparse_multiply_vector(&system->full, false, -1, system->known, 1, system->load);
  }
  if (system->factor != NULL) return thud_factor_solve(system->factor, 0, system->load, system->known, NULL);
  memcpy(system->known, system->load, system->n * sizeof(double));
  thud_dense_solve_lower((thud_index)system->n, system->dense, false, system->known);
  thud_dense_solve_lower((thud_index)system->n, system->dense, true, system->known);
  return THUD_OK;
}

static void add_shift(const thud_scaled_form *form, double factor, const double *shift, double *x) {
  for (size_t k = 0; k < form->contacts; k++) x[k * form->d] += factor * shift[k];
}

static thud_error solve_local(thud_admm_system *system, const double *t, const double *shift, double *x, double *u) {
  const thud_scaled_form *form = &system->form;
  for (size_t i = 0; i < form->total; i++) system->load[i] = system->rho * t[i] - form->q[i];
  add_shift(form, -1, shift, system->load);
  thud_error error = solve_system(system);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < form->total; i++) {
    x[i] = system->known[i];
    u[i] = system->rho * (t[i] - x[i]);
  }
  add_shift(form, -1, shift, u);
  return THUD_OK;
}

/* y = (A + rho) x */
static void multiply_shifted(thud_admm_system *system, const double *x, double *y) {
  thud_scaled_form_multiply(&system->form, x, y);
  for (size_t i = 0; i < system->n; i++) y[i] += system->rho * x[i];
  system->products++;
}

/* known = (A + rho)^-1 load by conjugate gradients (Hestenes and Stiefel 1952) from the last solution; the diagonal of A
 * is 1. `residual` is that of the solution in the end. */
static void solve_by_gradients(thud_admm_system *system) {
  thud_context *context = system->form.context;
  size_t n = system->n;
  double *residual = system->residual, *direction = system->direction, *image = system->image;
  double least = fmax(system->accuracy, ROUNDING * thud_norm2(context, n, system->load));
  multiply_shifted(system, system->known, image);
  for (size_t i = 0; i < n; i++) direction[i] = residual[i] = system->load[i] - image[i];
  double square = thud_dot(context, n, residual, residual);
  for (int k = 0; k < STEPS_MAX && square > least * least; k++) {
    multiply_shifted(system, direction, image);
    double step = square / thud_dot(context, n, direction, image), before = square;
    for (size_t i = 0; i < n; i++) {
      system->known[i] += step * direction[i];
      residual[i] -= step * image[i];
    }
    square = thud_dot(context, n, residual, residual);
    for (size_t i = 0; i < n; i++) direction[i] = residual[i] + square / before * direction[i];
  }
}

/* As the local form; what is left of the residual goes to u, so that it is the velocity of x. */
static void solve_two_block(thud_admm_system *system, const double *t, const double *shift, double *x, double *u) {
  const thud_scaled_form *form = &system->form;
  for (size_t i = 0; i < form->total; i++) system->load[i] = system->rho * t[i] - form->q[i];
  add_shift(form, -1, shift, system->load);
  solve_by_gradients(system);
  for (size_t i = 0; i < form->total; i++) {
    x[i] = system->known[i];
    u[i] = system->rho * (t[i] - x[i]) - system->residual[i];
  }
  add_shift(form, -1, shift, u);
}

static thud_error solve_global(thud_admm_system *system, const double *t, const double *shift, double *x, double *u) {
  const thud_scaled_form *form = &system->form;
  double rho = system->rho;
  for (size_t i = 0; i < form->total; i++) x[i] = t[i] - form->q[i] / rho;
  add_shift(form, -1 / rho, shift, x);
  memcpy(system->load, form->problem.f, system->n * sizeof(double));
  thud_sparse_multiply_vector(&system->J, false, 1, x, 1, system->load);
  thud_error error = solve_system(system);
  if (error != THUD_OK) return error;
  memcpy(u, form->q, form->total * sizeof(double));
  thud_sparse_multiply_vector(&system->J, true, 1, system->known, 1, u);
  for (size_t i = 0; i < form->total; i++) x[i] = t[i] - u[i] / rho;
  add_shift(form, -1 / rho, shift, x);
  return THUD_OK;
}

thud_error thud_admm_system_solve(thud_admm_system *system, const double *t, const double *shift, double *x,
                                  double *u) {
  if (system->form.total == 0) return THUD_OK;
  if (system->iterative) {
    solve_two_block(system, t, shift, x, u);
    return THUD_OK;
  }
  return system->global ? solve_global(system, t, shift, x, u) : solve_local(system, t, shift, x, u);
}
