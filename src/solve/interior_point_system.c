#include "solve/interior_point_system.h"
#include "contact/contact_sparse.h"
#include "linalg/dense.h"
#include "solve/scaled_matrix.h"

#include <math.h>
#include <string.h>

/* Most unknowns with a sparse LU and without one; dense up to DENSE_UP_TO, or when this part of the entries is there.
 */
enum { SPARSE_MAX = 24000, DENSE_MAX = 2048, DENSE_UP_TO = 120 };
static const double DENSE_FILL = 0.3;
/* A global problem with at most this many impulses is made local: as many solves with the factor of M. */
enum { LOCAL_UP_TO = 60 };
/* Steps of refinement in the space of bodies, and the part of the right-hand side that needs none. */
enum { SPACE_REFINEMENTS = 3 };
static const double SPACE_DEFECT = 1e-10;
/* On the diagonal of bilateral rows, beside entries of about 1. */
static const double REGULARISATION = 1e-10;

/* ---- create, destroy -------------------------------------------------------------------------------------- */

static size_t impulses(const thud_contact_problem *problem) {
  return thud_contact_size(problem) + (size_t)problem->bilateral;
}

/* Where M is not that of rigid bodies (reduce). */
static bool stays_global(const thud_contact_problem *problem) {
  return problem->form == THUD_FORM_GLOBAL && thud_sparse_lu_is_available() && impulses(problem) > LOCAL_UP_TO;
}

/* Small systems are solved in the local form, without the roundings of stiff contacts. */
static bool takes_space(const thud_contact_problem *problem) {
  return thud_body_space_takes(problem) && impulses(problem) > DENSE_UP_TO;
}

thud_method_limit thud_interior_system_limit(const thud_contact_problem *problem) {
  if (takes_space(problem))
    return (thud_method_limit){
        .count = thud_contact_ndof(problem), .most = THUD_BODY_SPACE_MAX, .what = "components of velocities"};
  bool global = stays_global(problem);
  return (thud_method_limit){.count = impulses(problem) + (global ? thud_contact_ndof(problem) : 0),
                             .most = thud_sparse_lu_is_available() ? SPARSE_MAX : DENSE_MAX,
                             .what = global ? "components of velocities and impulses" : "components of impulses"};
}

static void forget_matrices(thud_interior_system *system) {
  thud_context *context = system->form.context;
  thud_owned_problem_destroy(system->reduced);
  system->reduced = NULL;
  thud_sparse_destroy(context, &system->A);
  thud_sparse_destroy(context, &system->J);
  thud_sparse_destroy(context, &system->matrix);
  thud_sparse_lu_free(&system->lu);
}

thud_error thud_interior_system_create(thud_context *context, const thud_contact_problem *problem,
                                       thud_interior_system *system) {
  thud_interior_system made = {0};
  thud_error error = thud_scaled_form_create(context, problem, &made.form);
  if (error == THUD_OK) *system = made;
  return error;
}

void thud_interior_system_destroy(thud_interior_system *system) {
  thud_context *context = system->form.context;
  if (context == NULL) return;
  forget_matrices(system);
  thud_body_space_destroy(system->space);
  void *arrays[] = {system->place,  system->pinned, system->value, system->dense,   system->row_scale,
                    system->pivots, system->right,  system->add,   system->inverse, system->K};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_scaled_form_destroy(&system->form);
}

/* ---- update -------------------------------------------------------------------------------------------------- */

/* A without friction part of a contact stays 0. */
static void find_pinned(thud_interior_system *system) {
  const thud_scaled_form *form = &system->form;
  const thud_disc_layout *layout = form->scaled.layout;
  for (size_t k = 0; k < form->contacts; k++) {
    bool *pinned = system->pinned + k * form->d;
    pinned[0] = false;
    for (size_t p = 0; p < layout->count; p++)
      for (size_t i = 0; i < layout->width[p]; i++) pinned[layout->first[p] + i] = !(form->scaled.mu[p][k] > 0);
  }
}

/* Zeros in all rows of a contact wherever one of them has an entry, so that rows of a contact can be combined. */
static void add_room(thud_entry_list *list, const thud_interior_system *system) {
  const thud_scaled_form *form = &system->form;
  const thud_sparse *A = system->global ? &system->J : &system->A;
  thud_index d = (thud_index)form->d, size = (thud_index)form->size, offset = (thud_index)system->offset;
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      thud_index row = system->global ? j : A->row[p], column = system->global ? A->row[p] : j;
      for (thud_index i = 0; row < size && i < d; i++)
        thud_entry_list_add(list, column, offset + row / d * d + i, 0, 0);
    }
}

/* The transpose of the system's matrix, with room for the blocks. */
static thud_error assemble(thud_interior_system *system) {
  const thud_scaled_form *form = &system->form;
  thud_entry_list list = {.context = form->context};
  thud_index offset = (thud_index)system->offset, d = (thud_index)form->d;
  thud_entry_list_add_transposed(&list, &system->A, 1, 0, 0);
  if (system->global) {
    thud_entry_list_add_transposed(&list, &system->J, -1, offset, 0);
    thud_entry_list_add_matrix(&list, &system->J, 0, offset, false);
  }
  add_room(&list, system);
  for (thud_index k = 0; k < (thud_index)form->contacts; k++)
    for (thud_index i = 0; i < d * d; i++)
      thud_entry_list_add(&list, offset + k * d + i % d, offset + k * d + i / d, 0, 0);
  for (size_t i = form->size; i < form->total; i++)
    thud_entry_list_add(&list, offset + (thud_index)i, offset + (thud_index)i, REGULARISATION, 0);
  thud_error error = thud_entry_list_to_sparse(&list, system->n, system->n, list.value, &system->matrix);
  thud_entry_list_free(&list);
  return error;
}

static void find_places(thud_interior_system *system) {
  const thud_sparse *matrix = &system->matrix;
  const thud_scaled_form *form = &system->form;
  for (size_t i = 0; i < form->size; i++) {
    thud_index row = (thud_index)(system->offset + i), first = (thud_index)(system->offset + i / form->d * form->d);
    thud_index begin = matrix->column_start[row], end = matrix->column_start[row + 1];
    system->place[i] = thud_find_index(matrix->row, begin, end, first);
    for (thud_index p = begin; system->pinned[i] && p < end; p++) matrix->value[p] = 0;
  }
}

static thud_error reserve(thud_interior_system *system) {
  thud_context *context = system->form.context;
  size_t n = system->n, entries = (size_t)system->matrix.column_start[n], square = 0;
  bool dense =
      n <= DENSE_UP_TO || !thud_sparse_lu_is_available() || (double)entries > DENSE_FILL * (double)n * (double)n;
  thud_error error = thud_array_reserve(context, &system->value, &system->value_capacity, entries, sizeof(double));
  double **const vectors[] = {&system->row_scale, &system->right, &system->add};
  for (size_t k = 0; k < 3 && error == THUD_OK; k++)
    error = thud_array_reserve(context, vectors[k], &system->vector_capacity[k], n, sizeof(double));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &system->pivots, &system->pivot_capacity, n, sizeof(thud_index));
  if (error != THUD_OK) return error;
  thud_free(context, system->dense);
  system->dense = NULL;
  if (dense) {
    if (!thud_size_multiply(n, n, &square)) return THUD_ERROR_OVERFLOW;
    system->dense = THUD_NEW_ARRAY(context, double, square);
    return system->dense != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  }
  thud_sparse_rows rows = {(thud_index)n, system->matrix.column_start, system->matrix.row, system->matrix.value};
  return thud_sparse_lu_analyse(context, &rows, true, &system->lu);
}

/* The local form of a global problem where that is the smaller system: few impulses, or W as sparse as M is because the
 * bodies are rigid. Otherwise system->reduced stays NULL. */
static thud_error reduce(thud_interior_system *system, const thud_contact_problem *problem) {
  thud_context *context = system->form.context;
  thud_owned_problem *two_block = NULL;
  if (stays_global(problem)) {
    thud_error error = thud_global_to_two_block(context, problem, &two_block);
    if (error != THUD_OK || two_block == NULL) return error;
    problem = thud_owned_problem_view(two_block);
  }
  thud_error error = thud_contact_to_local(context, problem, THUD_MATRIX_NONE, &system->reduced);
  thud_owned_problem_destroy(two_block);
  return error;
}

static thud_error set_matrices(thud_interior_system *system, const thud_contact_problem *problem) {
  thud_scaled_form *form = &system->form;
  thud_context *context = form->context;
  thud_error error = THUD_OK;
  if (problem->form != THUD_FORM_LOCAL) error = reduce(system, problem);
  if (error != THUD_OK) return error;
  if (system->reduced != NULL) problem = thud_owned_problem_view(system->reduced);
  system->global = problem->form == THUD_FORM_GLOBAL;
  system->offset = thud_contact_ndof(problem);
  system->n = system->offset + form->total;
  system->f = problem->f;
  if (!system->global) return thud_scaled_matrix_local(form, problem, &system->A);
  error = thud_scaled_matrix_columns(form, problem, &system->J);
  if (error == THUD_OK) error = thud_matrix_to_sparse(context, &problem->M, &system->A);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &system->add, &system->vector_capacity[2], system->n, sizeof(double));
  if (error == THUD_OK) thud_scaled_matrix_set_units(form, problem, &system->A, &system->J, system->add);
  return error;
}

/* The two-block form in the space of its bodies, where their masses allow it. */
static thud_error enter_space(thud_interior_system *system, const thud_contact_problem *problem) {
  thud_scaled_form *form = &system->form;
  thud_context *context = form->context;
  system->in_space = false;
  if (!takes_space(problem)) return THUD_OK;
  thud_error error = thud_scaled_form_update(form, problem);
  if (error == THUD_OK && system->space == NULL) error = thud_body_space_create(context, problem, &system->space);
  if (error == THUD_OK) error = thud_body_space_update(system->space, problem, form->scale, &system->in_space);
  system->global = false;
  system->offset = 0;
  system->n = form->total;
  double **const blocks[] = {&system->inverse, &system->K}, **const vectors[] = {&system->right, &system->add};
  for (size_t k = 0; k < 2 && error == THUD_OK; k++)
    error = thud_array_reserve(context, blocks[k], &system->block_capacity[k], form->size * form->d, sizeof(double));
  for (size_t k = 0; k < 2 && error == THUD_OK; k++)
    error = thud_array_reserve(context, vectors[k], &system->vector_capacity[k + 1], system->n, sizeof(double));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &system->pinned, &system->pinned_capacity, form->size, sizeof(bool));
  if (error == THUD_OK) find_pinned(system);
  return error;
}

thud_error thud_interior_system_update(thud_interior_system *system, const thud_contact_problem *problem) {
  thud_context *context = system->form.context;
  size_t size = system->form.size;
  forget_matrices(system);
  thud_error error = enter_space(system, problem);
  if (error != THUD_OK || system->in_space) return error;
  error = set_matrices(system, problem);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &system->place, &system->place_capacity, size, sizeof(thud_index));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &system->pinned, &system->pinned_capacity, size, sizeof(bool));
  if (error == THUD_OK) error = assemble(system);
  if (error != THUD_OK) return error;
  find_pinned(system);
  find_places(system);
  return reserve(system);
}

/* ---- use ------------------------------------------------------------------------------------------------------ */

void thud_interior_system_velocity(const thud_interior_system *system, const double *x, const double *v, double *u) {
  const thud_scaled_form *form = &system->form;
  if (!system->global) {
    thud_scaled_form_velocity(form, x, u);
    return;
  }
  memcpy(u, form->q, form->total * sizeof(double));
  thud_sparse_multiply_vector(&system->J, true, 1, v, 1, u);
}

void thud_interior_system_dynamics(const thud_interior_system *system, const double *x, const double *v, double *load) {
  memcpy(load, system->f, system->offset * sizeof(double));
  thud_sparse_multiply_vector(&system->J, false, 1, x, 1, load);
  thud_sparse_multiply_vector(&system->A, false, -1, v, 1, load);
}

/* Rows of contact k multiplied by C. */
static void combine_rows(thud_interior_system *system, size_t k, const double *C) {
  size_t d = system->form.d, row = system->offset + k * d;
  const thud_index *start = system->matrix.column_start + row;
  for (thud_index p = 0; p < start[1] - start[0]; p++) {
    double entry[THUD_CONTACT_DIMENSION_MAX], sum;
    for (size_t j = 0; j < d; j++) entry[j] = system->matrix.value[start[j] + p];
    for (size_t i = 0; i < d; i++) {
      sum = 0;
      for (size_t j = 0; j < d; j++) sum += C[j * d + i] * entry[j];
      system->value[start[i] + p] = sum;
    }
  }
}

static void add_blocks(thud_interior_system *system, const double *C, const double *B) {
  const thud_scaled_form *form = &system->form;
  size_t d = form->d;
  memcpy(system->value, system->matrix.value, (size_t)system->matrix.column_start[system->n] * sizeof(double));
  for (size_t k = 0; C != NULL && k < form->contacts; k++) combine_rows(system, k, C + k * d * d);
  for (size_t i = 0; i < form->size; i++) {
    const double *block = B + i / d * d * d;
    double *row = system->value + system->place[i];
    if (system->pinned[i])
      row[i % d] = 1;
    else
      for (size_t j = 0; j < d; j++) row[j] += block[j * d + i % d];
  }
}

/* Rows with a largest entry of 1. */
static void fill_dense(thud_interior_system *system) {
  const thud_sparse *matrix = &system->matrix;
  size_t n = system->n;
  memset(system->dense, 0, n * n * sizeof(double));
  for (size_t i = 0; i < n; i++) {
    double largest = 0;
    for (thud_index p = matrix->column_start[i]; p < matrix->column_start[i + 1]; p++)
      largest = fmax(largest, fabs(system->value[p]));
    system->row_scale[i] = largest > 0 ? 1 / largest : 1;
    for (thud_index p = matrix->column_start[i]; p < matrix->column_start[i + 1]; p++)
      system->dense[(size_t)matrix->row[p] * n + i] = system->row_scale[i] * system->value[p];
  }
}

static thud_sparse_rows rows_of(const thud_interior_system *system) {
  return (thud_sparse_rows){(thud_index)system->n, system->matrix.column_start, system->matrix.row, system->value};
}

/* B^-1 and B^-1 C of contact k; components that stay 0 are taken out. */
static bool invert_block(thud_interior_system *system, size_t k) {
  size_t d = system->form.d, block = d * d;
  const bool *pinned = system->pinned + k * d;
  double *inverse = system->inverse + k * block, *K = system->K + k * block;
  const double *C = system->C != NULL ? system->C + k * block : NULL;
  memcpy(inverse, system->B + k * block, block * sizeof *inverse);
  for (size_t i = 0; i < d; i++)
    for (size_t j = 0; pinned[i] && j < d; j++) inverse[j * d + i] = inverse[i * d + j] = i == j ? 1 : 0;
  if (!thud_block_invert(d, inverse)) return false;
  for (size_t i = 0; i < d; i++)
    if (pinned[i]) inverse[i * d + i] = 0;
  if (C == NULL) memcpy(K, inverse, block * sizeof *K);
  for (size_t j = 0; C != NULL && j < d; j++)
    for (size_t i = 0; i < d; i++) {
      double sum = 0;
      for (size_t m = 0; m < d; m++) sum += inverse[m * d + i] * C[j * d + m];
      K[j * d + i] = sum;
    }
  return true;
}

static bool factorize_in_space(thud_interior_system *system, bool symmetric) {
  for (size_t k = 0; k < system->form.contacts; k++)
    if (!invert_block(system, k)) return false;
  return thud_body_space_factorize(system->space, system->K, symmetric);
}

bool thud_interior_system_factorize(thud_interior_system *system, const double *C, const double *B, bool symmetric) {
  system->C = C;
  system->B = B;
  if (system->in_space) return factorize_in_space(system, symmetric);
  add_blocks(system, C, B);
  if (system->dense == NULL) {
    thud_sparse_rows rows = rows_of(system);
    return thud_sparse_lu_factorize(system->form.context, &rows, &system->lu) == THUD_OK;
  }
  fill_dense(system);
  thud_dense_lu((thud_index)system->n, system->dense, system->pivots);
  return true;
}

static bool apply_inverse(thud_interior_system *system, const double *right, double *step) {
  size_t n = system->n;
  if (system->dense == NULL) {
    thud_sparse_rows rows = rows_of(system);
    return thud_sparse_lu_apply(system->form.context, &rows, &system->lu, right, step) == THUD_OK;
  }
  for (size_t i = 0; i < n; i++) step[i] = system->row_scale[i] * right[i];
  thud_dense_lu_solve((thud_index)n, system->dense, system->pivots, step);
  return true;
}

/* y[d] += sign A x of one block. */
static inline void add_applied(size_t d, double sign, const double *A, const double *x, double *y) {
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) y[i] += sign * A[j * d + i] * x[j];
}

/* dx = (1 + K W)^-1 B^-1 b; b is overwritten. */
static void apply_space(thud_interior_system *system, double *b, double *dx) {
  size_t d = system->form.d;
  for (size_t k = 0; k < system->form.contacts; k++) {
    double g[THUD_CONTACT_DIMENSION_MAX] = {0};
    add_applied(d, 1, system->inverse + k * d * d, b + k * d, g);
    memcpy(b + k * d, g, d * sizeof *b);
  }
  thud_body_space_solve(system->space, b, dx);
}

/* system->right = right - (C A + B) dx */
static void find_defect(thud_interior_system *system, const double *right, const double *dx) {
  const thud_scaled_form *form = &system->form;
  size_t d = form->d;
  double *velocity = system->add, *defect = system->right;
  thud_scaled_form_multiply(form, dx, velocity);
  memcpy(defect, right, form->size * sizeof *defect);
  for (size_t k = 0; k < form->contacts; k++) {
    const double *u = velocity + k * d;
    if (system->C != NULL)
      add_applied(d, -1, system->C + k * d * d, u, defect + k * d);
    else
      for (size_t i = 0; i < d; i++) defect[k * d + i] -= u[i];
    add_applied(d, -1, system->B + k * d * d, dx + k * d, defect + k * d);
    for (size_t i = k * d; i < (k + 1) * d; i++)
      if (system->pinned[i]) defect[i] = 0;
  }
}

/* Refinement ends when the defect is this part of the right-hand side, or no longer falls by half. */
static bool solve_in_space(thud_interior_system *system, const double *right, double *step) {
  size_t size = system->form.size;
  thud_context *context = system->form.context;
  double wanted = SPACE_DEFECT * thud_norm2(context, size, right), last = INFINITY;
  memcpy(system->right, right, size * sizeof *right);
  apply_space(system, system->right, step);
  for (int k = 0; k < SPACE_REFINEMENTS; k++) {
    find_defect(system, right, step);
    double defect = thud_norm2(context, size, system->right);
    if (!isfinite(defect)) return false;
    if (defect <= wanted || !(defect < 0.5 * last)) break;
    last = defect;
    apply_space(system, system->right, system->add);
    for (size_t i = 0; i < size; i++) step[i] += system->add[i];
  }
  return true;
}

bool thud_interior_system_solve(thud_interior_system *system, const double *right, double *step) {
  if (system->in_space) return solve_in_space(system, right, step);
  size_t n = system->n;
  thud_sparse transposed = system->matrix; /* the pattern, with B in its values */
  transposed.value = system->value;
  if (!apply_inverse(system, right, step)) return false;
  memcpy(system->right, right, n * sizeof(double));
  thud_sparse_multiply_vector(&transposed, true, -1, step, 1, system->right);
  if (!apply_inverse(system, system->right, system->add)) return false;
  for (size_t i = 0; i < n; i++) {
    step[i] += system->add[i];
    if (!isfinite(step[i])) return false;
  }
  return true;
}
