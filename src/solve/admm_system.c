#include "solve/admm_system.h"
#include "contact/sparse.h"

#include <math.h>
#include <string.h>

/* Relative asymmetry below which a matrix counts as symmetric: rounding of its assembling. */
static const double SYMMETRIC = 1e-12;
/* Part of the entries above which the matrix is factorised as a dense one. */
static const double DENSE_FILL = 0.3;
/* J J' may have this many times the entries of M before the local form is made instead. */
static const double PRODUCT_FILL = 100;

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
  if (made.load == NULL || made.known == NULL || made.work == NULL) {
    thud_admm_system_destroy(&made);
    return THUD_ERROR_MEMORY;
  }
  *system = made;
  return THUD_OK;
}

/* ---- lists of entries ------------------------------------------------------------------------------------- */

/* Two lists of values on one list of places, so that both matrices get the same pattern. */
typedef struct entry_list {
  thud_context *context;
  thud_index *row, *column;
  double *value, *product;
  size_t count, capacity[4];
  thud_error error;
} entry_list;

static void add_entry(entry_list *list, thud_index row, thud_index column, double value, double product) {
  size_t needed = list->count + 1;
  if (list->error != THUD_OK) return;
  if (needed > list->capacity[3]) { /* the list that grows last */
    list->error = thud_array_reserve(list->context, &list->row, &list->capacity[0], needed, sizeof(thud_index));
    if (list->error == THUD_OK)
      list->error = thud_array_reserve(list->context, &list->column, &list->capacity[1], needed, sizeof(thud_index));
    if (list->error == THUD_OK)
      list->error = thud_array_reserve(list->context, &list->value, &list->capacity[2], needed, sizeof(double));
    if (list->error == THUD_OK)
      list->error = thud_array_reserve(list->context, &list->product, &list->capacity[3], needed, sizeof(double));
    if (list->error != THUD_OK) return;
  }
  list->row[list->count] = row;
  list->column[list->count] = column;
  list->value[list->count] = value;
  list->product[list->count++] = product;
}

/* A_ij at its place moved by (down, right); with `both`, half of it there and half at the mirrored place. */
static void add_sparse(entry_list *list, const thud_sparse *A, thud_index down, thud_index right, bool both) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      thud_index row = A->row[p] + down, column = j + right;
      add_entry(list, row, column, both ? 0.5 * A->value[p] : A->value[p], 0);
      if (both) add_entry(list, column, row, 0.5 * A->value[p], 0);
    }
}

static void add_transposed(entry_list *list, const thud_sparse *A, thud_index down, thud_index right) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++)
      add_entry(list, j + down, A->row[p] + right, A->value[p], 0);
}

static thud_error list_to_sparse(const entry_list *list, size_t rows, size_t columns, const double *value,
                                 thud_sparse *sparse) {
  if (list->error != THUD_OK) return list->error;
  return thud_sparse_from_triplets(list->context, (thud_index)rows, (thud_index)columns, list->count, list->row,
                                   list->column, value, sparse);
}

static void free_list(entry_list *list) {
  thud_free(list->context, list->row);
  thud_free(list->context, list->column);
  thud_free(list->context, list->value);
  thud_free(list->context, list->product);
}

/* `matrix` (and `product`) from A = `full`: symmetric part, diagonal, J J'. `full` is dropped when it is symmetric. */
static thud_error split_matrix(thud_admm_system *system) {
  entry_list list = {.context = system->form.context};
  const thud_sparse *J = &system->J;
  add_sparse(&list, &system->full, 0, 0, true);
  for (size_t i = 0; i < system->n; i++) add_entry(&list, (thud_index)i, (thud_index)i, 0, 0);
  for (thud_index c = 0; system->global && c < J->columns; c++)
    for (thud_index p = J->column_start[c]; p < J->column_start[c + 1]; p++)
      for (thud_index k = J->column_start[c]; k < J->column_start[c + 1]; k++)
        add_entry(&list, J->row[p], J->row[k], 0, J->value[p] * J->value[k]);
  thud_error error = list_to_sparse(&list, system->n, system->n, list.value, &system->matrix);
  if (error == THUD_OK && system->global)
    error = list_to_sparse(&list, system->n, system->n, list.product, &system->product);
  free_list(&list);
  if (error == THUD_OK && thud_sparse_asymmetry(&system->full) <= SYMMETRIC)
    thud_sparse_destroy(system->form.context, &system->full);
  return error;
}

/* ---- update -------------------------------------------------------------------------------------------------- */

static void scale_values(thud_sparse *A, const double *row_scale, const double *column_scale) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      if (row_scale != NULL) A->value[p] *= row_scale[A->row[p]];
      A->value[p] *= column_scale[j];
    }
}

/* full = S A S. */
static thud_error set_local(thud_admm_system *system, const thud_contact_problem *problem) {
  thud_scaled_form *form = &system->form;
  thud_error error = thud_scaled_form_update(form, problem);
  if (error != THUD_OK) return error;
  entry_list list = {.context = form->context};
  thud_sparse W = {0};
  system->n = form->total;
  if (form->contacts > 0) error = thud_matrix_to_sparse(form->context, &problem->W, &W);
  if (error == THUD_OK) {
    scale_values(&W, form->scale, form->scale);
    add_sparse(&list, &W, 0, 0, false);
    add_sparse(&list, &form->V, 0, (thud_index)form->size, false);
    add_transposed(&list, &form->V, (thud_index)form->size, 0);
    add_sparse(&list, &form->R, (thud_index)form->size, (thud_index)form->size, false);
    error = list_to_sparse(&list, form->total, form->total, list.value, &system->full);
  }
  free_list(&list);
  thud_sparse_destroy(form->context, &W);
  return error;
}

/* J = [H G], unscaled. */
static thud_error join_columns(thud_admm_system *system, const thud_contact_problem *problem) {
  const thud_scaled_form *form = &system->form;
  entry_list list = {.context = form->context};
  thud_sparse H = {0}, G = {0};
  thud_error error = THUD_OK;
  if (form->contacts > 0) error = thud_matrix_to_sparse(form->context, &problem->H, &H);
  if (error == THUD_OK && form->rows > 0) error = thud_matrix_to_sparse(form->context, &problem->G, &G);
  if (error == THUD_OK) {
    add_sparse(&list, &H, 0, 0, false);
    add_sparse(&list, &G, 0, (thud_index)form->size, false);
    error = list_to_sparse(&list, thud_contact_ndof(problem), form->total, list.value, &system->J);
  }
  free_list(&list);
  thud_sparse_destroy(form->context, &H);
  thud_sparse_destroy(form->context, &G);
  return error;
}

/* diag(J' diag(M)^-1 J) stands for the diagonal of A in the choice of units. */
static void estimate_diagonal(thud_admm_system *system) {
  const thud_sparse *J = &system->J, *M = &system->full;
  double *inverse = system->work;
  memset(inverse, 0, system->n * sizeof(double));
  for (thud_index j = 0; j < M->columns; j++)
    for (thud_index p = M->column_start[j]; p < M->column_start[j + 1]; p++)
      if (M->row[p] == j && M->value[p] > 0) inverse[j] = 1 / M->value[p];
  for (thud_index c = 0; c < J->columns; c++) {
    double sum = 0;
    for (thud_index p = J->column_start[c]; p < J->column_start[c + 1]; p++)
      sum += J->value[p] * inverse[J->row[p]] * J->value[p];
    system->form.diagonal[c] = sum;
  }
}

static bool product_is_too_full(const thud_admm_system *system) {
  const thud_sparse *J = &system->J, *M = &system->full;
  double entries = 0;
  for (thud_index c = 0; c < J->columns; c++) {
    double column = (double)(J->column_start[c + 1] - J->column_start[c]);
    entries += column * column;
  }
  return entries > PRODUCT_FILL * (double)M->column_start[M->columns];
}

static thud_error set_global(thud_admm_system *system, const thud_contact_problem *problem) {
  thud_context *context = system->form.context;
  system->n = thud_contact_ndof(problem);
  thud_error error = join_columns(system, problem);
  if (error == THUD_OK) error = thud_matrix_to_sparse(context, &problem->M, &system->full);
  if (error != THUD_OK) return error;
  if (product_is_too_full(system)) {
    forget_matrices(system);
    system->global = false;
    error = thud_contact_to_local(context, problem, THUD_MATRIX_NONE, &system->reduced);
    return error == THUD_OK ? set_local(system, thud_owned_problem_view(system->reduced)) : error;
  }
  estimate_diagonal(system);
  thud_scaled_form_set_units(&system->form, problem, problem->w, problem->b);
  scale_values(&system->J, NULL, system->form.scale);
  return THUD_OK;
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
  thud_error error = system->global ? set_global(system, problem) : set_local(system, problem);
  if (error == THUD_OK) error = split_matrix(system);
  if (error == THUD_OK) error = prepare_factor(system);
  return error;
}

/* ---- factor and solve ------------------------------------------------------------------------------------------ */

thud_error thud_admm_system_factorize(thud_admm_system *system, double rho) {
  thud_context *context = system->form.context;
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
  system->rho = rho;
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
  return system->global ? solve_global(system, t, shift, x, u) : solve_local(system, t, shift, x, u);
}
