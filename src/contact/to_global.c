/* The global form of a two-block problem: M, H and f spelt out. */
#include "contact/owned.h"
#include "contact/problem.h"
#include "base/base.h"

#include <string.h>

/* mass = inverse^-1, exactly symmetric (column-major, as row-major). */
static thud_error invert_block(thud_context *context, thud_index body, thud_index block, const double *inverse,
                               double *mass) {
  double copy[THUD_CONTACT_BLOCK_MAX * THUD_CONTACT_BLOCK_MAX];
  size_t n = (size_t)block;
  memset(mass, 0, n * n * sizeof *mass);
  for (size_t i = 0; i < n; i++) mass[i + i * n] = 1;
  memcpy(copy, inverse, n * n * sizeof *copy);
  thud_error error = thud_dense_cholesky(context, block, copy, NULL);
  if (error != THUD_OK)
    return thud_fail(context, error,
                     "body %d: its inverse mass is not positive definite; eliminate bodies that do not move (make them "
                     "the world, -1) before going to the global form",
                     (int)body);
  for (size_t j = 0; j < n; j++) {
    thud_dense_solve_lower(block, copy, false, mass + j * n);
    thud_dense_solve_lower(block, copy, true, mass + j * n);
  }
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < j; i++) mass[i + j * n] = mass[j + i * n] = 0.5 * (mass[i + j * n] + mass[j + i * n]);
  return THUD_OK;
}

/* The arrays of M, H and G, of the owned problem. */
typedef struct global_arrays {
  thud_sparse M, H, G;
  double *f; /* [ndof] */
} global_arrays;

static thud_error allocate_sparse(thud_owned_problem *owned, size_t rows, size_t columns, size_t count,
                                  thud_sparse *sparse) {
  sparse->rows = (thud_index)rows;
  sparse->columns = (thud_index)columns;
  sparse->column_start = thud_owned_problem_alloc(owned, columns + 1, sizeof *sparse->column_start);
  sparse->row = thud_owned_problem_alloc(owned, count, sizeof *sparse->row);
  sparse->value = thud_owned_problem_alloc(owned, count, sizeof *sparse->value);
  return sparse->column_start == NULL || sparse->row == NULL || sparse->value == NULL ? THUD_ERROR_MEMORY : THUD_OK;
}

static thud_error fill_mass(thud_context *context, const thud_two_block *two, global_arrays *arrays) {
  size_t n = (size_t)two->block;
  thud_index count = 0;
  for (thud_index body = 0; body < two->bodies; body++) {
    double mass[THUD_CONTACT_BLOCK_MAX * THUD_CONTACT_BLOCK_MAX];
    size_t first = (size_t)body * n;
    thud_error error = invert_block(context, body, two->block, two->inverse_mass + first * n, mass);
    if (error != THUD_OK) return error;
    for (size_t j = 0; j < n; j++) {
      for (size_t i = 0; i < n; i++, count++) {
        arrays->M.row[count] = (thud_index)(first + i);
        arrays->M.value[count] = mass[i + j * n];
        arrays->f[first + i] += mass[i + j * n] * two->free_velocity[first + j];
      }
      arrays->M.column_start[first + j + 1] = count;
    }
  }
  return THUD_OK;
}

/* Next column of H or G: row_a at body a, row_b at body b (-1: none), the body with the smaller number first. */
static void add_column(size_t n, thud_index a, thud_index b, const double *row_a, const double *row_b,
                       thud_index column, thud_sparse *H) {
  bool swapped = b >= 0 && b < a;
  const double *const rows[2] = {swapped ? row_b : row_a, swapped ? row_a : row_b};
  const thud_index bodies[2] = {swapped ? b : a, swapped ? a : b};
  thud_index count = H->column_start[column];
  for (int side = 0; side < 2; side++)
    for (size_t k = 0; bodies[side] >= 0 && k < n; k++, count++) {
      H->row[count] = (thud_index)((size_t)bodies[side] * n + k);
      H->value[count] = rows[side][k];
    }
  H->column_start[column + 1] = count;
}

static void fill_jacobian(const thud_contact_problem *from, thud_sparse *H) {
  const thud_two_block *two = &from->two_block;
  size_t n = (size_t)two->block;
  thud_index column = 0;
  for (thud_index c = 0; c < from->contacts; c++)
    for (thud_index i = 0; i < from->dimension; i++, column++) {
      const double *row_b = two->body_b[c] >= 0 ? two->jacobian_b + (size_t)column * n : NULL;
      add_column(n, two->body_a[c], two->body_b[c], two->jacobian_a + (size_t)column * n, row_b, column, H);
    }
}

static void fill_joints(const thud_contact_problem *from, thud_sparse *G) {
  const thud_two_block *two = &from->two_block;
  size_t n = (size_t)two->block;
  for (thud_index j = 0; j < two->joints; j++)
    for (thud_index row = two->joint_start[j]; row < two->joint_start[j + 1]; row++) {
      const double *row_b = two->joint_b[j] >= 0 ? two->joint_jacobian_b + (size_t)row * n : NULL;
      add_column(n, two->joint_a[j], two->joint_b[j], two->joint_jacobian_a + (size_t)row * n, row_b, row, G);
    }
}

static thud_error check_counts(thud_context *context, size_t mass_entries, size_t jacobian_entries) {
  if (mass_entries <= INT32_MAX && jacobian_entries <= INT32_MAX) return THUD_OK;
  return thud_fail(context, THUD_ERROR_OVERFLOW, "M or H has more than %d entries: too many for the global form",
                   (int)INT32_MAX);
}

static thud_error from_two_block(thud_context *context, const thud_contact_problem *from, thud_owned_problem *owned) {
  const thud_two_block *two = &from->two_block;
  thud_contact_problem *global = thud_owned_problem_edit(owned);
  size_t n = (size_t)two->block, ndof = (size_t)two->bodies * n, size = thud_contact_size(from), sides = 0;
  global_arrays arrays = {0};
  for (thud_index c = 0; c < from->contacts; c++) sides += two->body_b[c] >= 0 ? 2 : 1;
  size_t jacobian_entries = sides * (size_t)from->dimension * n, rows = (size_t)from->bilateral;
  thud_error error = check_counts(context, ndof * n, jacobian_entries);
  if (error == THUD_OK) error = allocate_sparse(owned, ndof, ndof, ndof * n, &arrays.M);
  if (error == THUD_OK) error = allocate_sparse(owned, ndof, size, jacobian_entries, &arrays.H);
  if (error == THUD_OK) error = allocate_sparse(owned, ndof, rows, 2 * rows * n, &arrays.G);
  if (error != THUD_OK) return error;
  arrays.f = thud_owned_problem_alloc(owned, ndof, sizeof *arrays.f);
  double *w = thud_owned_problem_alloc(owned, size, sizeof *w);
  if (arrays.f == NULL || w == NULL) return THUD_ERROR_MEMORY;
  error = fill_mass(context, two, &arrays);
  if (error != THUD_OK) return error;
  fill_jacobian(from, &arrays.H);
  fill_joints(from, &arrays.G);
  if (two->w != NULL) memcpy(w, two->w, size * sizeof *w);
  global->form = THUD_FORM_GLOBAL;
  global->M = (thud_matrix){
      .storage = THUD_MATRIX_SPARSE, .rows = arrays.M.rows, .columns = arrays.M.columns, .sparse = arrays.M};
  global->H = (thud_matrix){
      .storage = THUD_MATRIX_SPARSE, .rows = arrays.H.rows, .columns = arrays.H.columns, .sparse = arrays.H};
  if (rows > 0)
    global->G = (thud_matrix){
        .storage = THUD_MATRIX_SPARSE, .rows = arrays.G.rows, .columns = arrays.G.columns, .sparse = arrays.G};
  global->f = arrays.f;
  global->w = w;
  return thud_owned_problem_copy_doubles(owned, two->joint_w, rows, &global->b);
}

thud_error thud_contact_to_global(thud_context *context, const thud_contact_problem *problem,
                                  thud_owned_problem **global) {
  THUD_REQUIRE(context, context, problem, global);
  if (problem->form == THUD_FORM_GLOBAL) return thud_contact_copy(context, problem, global);
  if (problem->form == THUD_FORM_LOCAL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "a local problem has no global form: the masses and velocities behind W are not known");
  thud_owned_problem *made = NULL;
  thud_error error = thud_owned_problem_create(context, &made);
  if (error == THUD_OK) error = thud_owned_problem_copy_contacts(context, made, problem);
  if (error == THUD_OK) error = from_two_block(context, problem, made);
  if (error == THUD_OK)
    *global = made;
  else
    thud_owned_problem_destroy(made);
  return error;
}
