/* The local form of any problem: W = H' M^-1 H, q = H' M^-1 f + w, and the same with the bilateral rows. */
#include "contact/contact_check.h"
#include "contact/evaluator.h"
#include "contact/joints.h"
#include "contact/mass.h"
#include "contact/owned.h"
#include "contact/problem.h"
#include "contact/contact_sparse.h"
#include "contact/storage.h"
#include "base/base.h"

#include <limits.h>
#include <string.h>

/* Relative asymmetry of M that passes for rounding. */
static const double symmetric_enough = 1e-12;
/* Contacts assembled, and columns solved for, between two questions whether to stop: small problems are never stopped. */
enum { ASKED_EVERY = 4096, COLUMNS_ASKED = 64 };

/* ---- from the global form --------------------------------------------------------------------------------- */

/* Compressed columns that grow column by column. */
typedef struct column_list {
  thud_index *row;
  double *value;
  size_t row_capacity, value_capacity, count;
} column_list;

static thud_error append_column(thud_context *context, thud_index rows, const double *column, column_list *list) {
  size_t stored = 0;
  for (thud_index i = 0; i < rows; i++) stored += column[i] != 0;
  if (list->count + stored > INT_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "W has more than %d entries: too many for the local form", INT_MAX);
  thud_error error =
      thud_array_reserve(context, &list->row, &list->row_capacity, list->count + stored, sizeof *list->row);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &list->value, &list->value_capacity, list->count + stored, sizeof *list->value);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < rows; i++)
    if (column[i] != 0) {
      list->row[list->count] = i;
      list->value[list->count++] = column[i];
    }
  return THUD_OK;
}

/* Columns of B that are solved for together. */
enum { PANEL = THUD_MASS_MANY };

/* Workspace of A' M^-1 B. */
typedef struct reduction {
  thud_mass *mass;
  thud_sparse A, B; /* copies by columns */
  double *load;     /* [ndof*PANEL] columns of B, */
  double *answer;   /* [ndof*PANEL] M^-1 times them, */
  double *work;     /* [2*ndof*PANEL] */
  double *column;   /* [columns of A] */
} reduction;

/* A' x for one column x[ndof]. */
static void project_column(const thud_sparse *A, const double *x, double *column) {
  for (thud_index i = 0; i < A->columns; i++) {
    double sum = 0;
    for (thud_index p = A->column_start[i]; p < A->column_start[i + 1]; p++) sum += A->value[p] * x[A->row[p]];
    column[i] = sum;
  }
}

/* answer = M^-1 times the columns first.. of B. */
static thud_error solve_panel(thud_context *context, reduction *work, thud_index first, thud_index count) {
  const thud_sparse *B = &work->B;
  size_t ndof = (size_t)B->rows;
  memset(work->load, 0, ndof * (size_t)count * sizeof *work->load);
  for (thud_index k = 0; k < count; k++)
    for (thud_index p = B->column_start[first + k]; p < B->column_start[first + k + 1]; p++)
      work->load[(size_t)k * ndof + (size_t)B->row[p]] = B->value[p];
  bool asks = first > 0 && first % COLUMNS_ASKED == 0;
  thud_error error = asks ? thud_context_ask(context, "reduction to the local form") : THUD_OK;
  if (error != THUD_OK) return error;
  return thud_mass_solve_many(work->mass, (size_t)count, work->load, work->answer, work->work);
}

static thud_error reduce_columns(thud_context *context, reduction *work, thud_index *start, column_list *list) {
  size_t ndof = (size_t)work->B.rows;
  for (thud_index first = 0; first < work->B.columns; first += PANEL) {
    thud_index count = work->B.columns - first < PANEL ? work->B.columns - first : PANEL;
    thud_error error = solve_panel(context, work, first, count);
    for (thud_index k = 0; k < count && error == THUD_OK; k++) {
      project_column(&work->A, work->answer + (size_t)k * ndof, work->column);
      error = append_column(context, work->A.columns, work->column, list);
      start[first + k + 1] = (thud_index)list->count;
    }
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

/* Room and copies for a reduction; what is there is freed by end_reduction, also after a failure. */
static thud_error begin_reduction(thud_context *context, const thud_matrix *A, const thud_matrix *B, reduction *work) {
  size_t panel;
  if (!thud_size_multiply((size_t)A->rows, 4 * (size_t)PANEL, &panel)) return THUD_ERROR_MEMORY;
  work->load = THUD_NEW_ARRAY(context, double, panel);
  work->column = THUD_NEW_ARRAY(context, double, A->columns);
  if (work->load == NULL || work->column == NULL) return THUD_ERROR_MEMORY;
  work->answer = work->load + panel / 4;
  work->work = work->answer + panel / 4;
  thud_error error = thud_matrix_to_sparse(context, A, &work->A);
  return error == THUD_OK ? thud_matrix_to_sparse(context, B, &work->B) : error;
}

static void end_reduction(thud_context *context, reduction *work) {
  thud_free(context, work->load);
  thud_free(context, work->column);
  thud_sparse_destroy(context, &work->A);
  thud_sparse_destroy(context, &work->B);
}

/* A' M^-1 B as compressed columns of the caller's. Columns untouched by a solve stay exactly 0 and are not stored. */
static thud_error reduce(thud_context *context, thud_mass *mass, const thud_matrix *A, const thud_matrix *B,
                         thud_sparse *product) {
  thud_index *start = THUD_NEW_ARRAY(context, thud_index, (size_t)B->columns + 1);
  column_list list = {0};
  reduction work = {.mass = mass};
  thud_error error = start == NULL ? THUD_ERROR_MEMORY : begin_reduction(context, A, B, &work);
  if (error == THUD_OK) error = reduce_columns(context, &work, start, &list);
  end_reduction(context, &work);
  if (error == THUD_OK) {
    *product = (thud_sparse){A->columns, B->columns, start, list.row, list.value};
    return THUD_OK;
  }
  thud_free(context, start);
  thud_free(context, list.row);
  thud_free(context, list.value);
  return error;
}

/* offset + A' x as an array of the owned problem; offset may be NULL. */
static thud_error reduced_vector(thud_context *context, thud_owned_problem *owned, const thud_matrix *A,
                                 const double *x, const double *offset, size_t count, const double **result) {
  double *made = thud_owned_problem_alloc(owned, count, sizeof *made);
  if (made == NULL) return THUD_ERROR_MEMORY;
  if (offset != NULL) memcpy(made, offset, count * sizeof *made);
  if (count > 0) thud_matrix_multiply_vector(context, A, true, 1, x, 1, made);
  *result = made;
  return THUD_OK;
}

/* Reduces, and stores the product in one of the owned problem's matrices. */
static thud_error store_reduced(thud_context *context, thud_owned_problem *owned, thud_mass *mass, const thud_matrix *A,
                                const thud_matrix *B, thud_matrix_storage storage, thud_index block,
                                thud_matrix *matrix) {
  thud_sparse product = {0};
  thud_error error = reduce(context, mass, A, B, &product);
  if (error == THUD_OK) error = thud_owned_problem_store(context, owned, &product, storage, block, matrix);
  thud_sparse_destroy(context, &product);
  return error;
}

/* W = H' M^-1 H by its products alone: nothing of it but the blocks of the contacts is kept. */
typedef struct global_product {
  thud_context *context;
  thud_mass *mass;       /* the evaluator's */
  const thud_matrix *H;  /* of the given problem */
  double *load, *answer; /* [ndof] */
} global_product;

static void apply_global_product(void *user, const double *x, double *y) {
  global_product *product = user;
  thud_matrix_multiply_vector(product->context, product->H, false, 1, x, 0, product->load);
  if (thud_mass_solve(product->mass, product->load, product->answer) != THUD_OK)
    memset(product->answer, 0, (size_t)product->H->rows * sizeof(double)); /* overflowed: the tests of x say so */
  thud_matrix_multiply_vector(product->context, product->H, true, 1, product->answer, 0, y);
}

/* blocks[columns*d]: the diagonal blocks of W, from panels of columns of M^-1 H. */
static thud_error diagonal_blocks(thud_context *context, reduction *work, thud_index d, double *blocks) {
  size_t ndof = (size_t)work->B.rows;
  for (thud_index first = 0; first < work->B.columns; first += PANEL) {
    thud_index count = work->B.columns - first < PANEL ? work->B.columns - first : PANEL;
    thud_error error = solve_panel(context, work, first, count);
    if (error != THUD_OK) return error;
    for (thud_index j = first; j < first + count; j++)
      for (thud_index i = j / d * d; i < j / d * d + d; i++) {
        const double *x = work->answer + (size_t)(j - first) * ndof;
        double sum = 0;
        for (thud_index p = work->A.column_start[i]; p < work->A.column_start[i + 1]; p++)
          sum += work->A.value[p] * x[work->A.row[p]];
        blocks[(size_t)j * (size_t)d + (size_t)(i % d)] = sum;
      }
  }
  return THUD_OK;
}

static thud_error store_products(thud_context *context, thud_owned_problem *owned, thud_mass *mass,
                                 const thud_contact_problem *from, thud_matrix *W) {
  size_t size = thud_contact_size(from), ndof = thud_contact_ndof(from), d = (size_t)from->dimension;
  global_product *product = thud_owned_problem_alloc(owned, 1, sizeof *product);
  double *vectors = thud_owned_problem_alloc(owned, 2 * ndof, sizeof *vectors);
  double *blocks = thud_owned_problem_alloc(owned, size * d, sizeof *blocks);
  reduction work = {.mass = mass};
  thud_error error = product == NULL || vectors == NULL || blocks == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) error = begin_reduction(context, &from->H, &from->H, &work);
  if (error == THUD_OK) error = diagonal_blocks(context, &work, from->dimension, blocks);
  end_reduction(context, &work);
  if (error != THUD_OK) return error;
  *product = (global_product){context, mass, &from->H, vectors, vectors + ndof};
  *W = (thud_matrix){.storage = THUD_MATRIX_OPERATOR, .rows = (thud_index)size, .columns = (thud_index)size};
  W->products = (thud_operator){apply_global_product, product, from->dimension, blocks};
  return THUD_OK;
}

static thud_error reduce_global(thud_context *context, const thud_contact_problem *from, thud_mass *mass,
                                const double *free_velocity, thud_matrix_storage storage, thud_owned_problem *owned) {
  thud_contact_problem *local = thud_owned_problem_edit(owned);
  thud_error error = THUD_OK;
  if (from->contacts > 0 && storage == THUD_MATRIX_OPERATOR)
    error = store_products(context, owned, mass, from, &local->W);
  else if (from->contacts > 0) /* H of a problem without contacts may be absent */
    error = store_reduced(context, owned, mass, &from->H, &from->H, storage, from->dimension, &local->W);
  if (error == THUD_OK)
    error = reduced_vector(context, owned, &from->H, free_velocity, from->w, thud_contact_size(from), &local->q);
  if (error != THUD_OK || from->bilateral == 0) return error;
  if (from->contacts > 0)
    error = store_reduced(context, owned, mass, &from->H, &from->G, THUD_MATRIX_SPARSE, 1, &local->V);
  if (error == THUD_OK)
    error = store_reduced(context, owned, mass, &from->G, &from->G, THUD_MATRIX_SPARSE, 1, &local->R);
  if (error != THUD_OK) return error;
  return reduced_vector(context, owned, &from->G, free_velocity, from->b, (size_t)from->bilateral, &local->s);
}

/* With bilateral rows the local form takes V' where G' M^-1 H belongs: the same only when M is symmetric. */
static thud_error check_reducible(thud_context *context, const thud_contact_problem *from) {
  double asymmetry = from->bilateral == 0 ? 0 : thud_matrix_asymmetry(&from->M);
  if (asymmetry <= symmetric_enough) return THUD_OK;
  return thud_fail(
      context, THUD_ERROR_UNSUPPORTED,
      "M is not symmetric (relative asymmetry %.3g) and there are %d bilateral rows: the local form cannot "
      "express this; solve the global form",
      asymmetry, (int)from->bilateral);
}

static thud_error from_global(thud_context *context, const thud_contact_problem *from,
                              const thud_contact_evaluator *evaluator, thud_matrix_storage storage,
                              thud_owned_problem *owned) {
  thud_mass *mass = NULL;
  thud_error error = check_reducible(context, from);
  if (error != THUD_OK) return error;
  if (evaluator != NULL) {
    const thud_velocity_map *map = thud_contact_evaluator_map(evaluator);
    return reduce_global(context, from, map->mass, map->free, storage, owned);
  }
  double *free_velocity = THUD_NEW_ARRAY(context, double, thud_contact_ndof(from));
  error = free_velocity == NULL ? THUD_ERROR_MEMORY : thud_mass_create(context, &from->M, &mass);
  if (error == THUD_OK) error = thud_mass_solve(mass, from->f, free_velocity);
  if (error == THUD_OK) error = reduce_global(context, from, mass, free_velocity, storage, owned);
  thud_mass_destroy(mass);
  thud_free(context, free_velocity);
  return error;
}

/* ---- from the two-block form ------------------------------------------------------------------------------- */

/* The contacts of each moving body: start[bodies+1] and, in the order of the contacts, touching[start[bodies]]. */
typedef struct touch_list {
  thud_index *start, *touching;
} touch_list;

static bool moves(const thud_two_block *two, thud_index body) {
  size_t entries = (size_t)two->block * (size_t)two->block;
  if (body < 0) return false;
  for (size_t k = 0; k < entries; k++)
    if (two->inverse_mass[(size_t)body * entries + k] != 0) return true;
  return false;
}

static thud_index body_of(const thud_two_block *two, thud_index contact, int side) {
  return side == 0 ? two->body_a[contact] : two->body_b[contact];
}

static thud_error list_touches(thud_context *context, const thud_contact_problem *from, touch_list *list) {
  const thud_two_block *two = &from->two_block;
  list->start = THUD_NEW_ARRAY(context, thud_index, (size_t)two->bodies + 1);
  list->touching = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)from->contacts);
  if (list->start == NULL || list->touching == NULL) return THUD_ERROR_MEMORY;
  for (thud_index c = 0; c < from->contacts; c++)
    for (int side = 0; side < 2; side++) {
      thud_index body = body_of(two, c, side);
      if (moves(two, body)) list->start[body + 1]++;
    }
  for (thud_index b = 0; b < two->bodies; b++) list->start[b + 1] += list->start[b];
  for (thud_index c = 0; c < from->contacts; c++)
    for (int side = 0; side < 2; side++) {
      thud_index body = body_of(two, c, side);
      if (moves(two, body)) list->touching[list->start[body]++] = c;
    }
  for (thud_index b = two->bodies; b > 0; b--) list->start[b] = list->start[b - 1];
  list->start[0] = 0;
  return THUD_OK;
}

/* Contacts that share a moving body with contact c, increasing and without repetition: two sorted lists are merged. */
static thud_index list_neighbours(const thud_contact_problem *from, const touch_list *list, thud_index c,
                                  thud_index *neighbours) {
  const thud_two_block *two = &from->two_block;
  thud_index place[2] = {0}, end[2] = {0}, count = 0;
  for (int side = 0; side < 2; side++) {
    thud_index body = body_of(two, c, side);
    if (!moves(two, body)) continue;
    place[side] = list->start[body];
    end[side] = list->start[body + 1];
  }
  while (place[0] < end[0] || place[1] < end[1]) {
    thud_index first = place[0] < end[0] ? list->touching[place[0]] : INT32_MAX;
    thud_index second = place[1] < end[1] ? list->touching[place[1]] : INT32_MAX;
    thud_index next = first < second ? first : second;
    place[0] += first == next;
    place[1] += second == next;
    if (neighbours != NULL) neighbours[count] = next;
    count++;
  }
  return count;
}

/* block += J_c M_b^-1 J_d', dimension x dimension column-major. */
static void add_coupling(const thud_contact_problem *from, const double *J_c, const double *J_d, thud_index body,
                         double *block) {
  const thud_two_block *two = &from->two_block;
  size_t n = (size_t)two->block, d = (size_t)from->dimension;
  const double *inverse = two->inverse_mass + (size_t)body * n * n;
  for (size_t j = 0; j < d; j++) {
    double moved[THUD_CONTACT_BLOCK_MAX] = {0}; /* M^-1 times row j of J_d */
    for (size_t i = 0; i < n; i++)
      for (size_t k = 0; k < n; k++) moved[i] += inverse[i * n + k] * J_d[j * n + k];
    for (size_t i = 0; i < d; i++)
      for (size_t k = 0; k < n; k++) block[i + j * d] += J_c[i * n + k] * moved[k];
  }
}

static void assemble_block(const thud_contact_problem *from, thud_index c, thud_index d, double *block) {
  const thud_two_block *two = &from->two_block;
  size_t entries = (size_t)from->dimension * (size_t)two->block;
  const double *const jacobians[2] = {two->jacobian_a, two->jacobian_b};
  for (int side_c = 0; side_c < 2; side_c++)
    for (int side_d = 0; side_d < 2; side_d++) {
      thud_index body = body_of(two, c, side_c);
      if (body < 0 || body != body_of(two, d, side_d)) continue;
      add_coupling(from, jacobians[side_c] + (size_t)c * entries, jacobians[side_d] + (size_t)d * entries, body, block);
    }
}

static thud_error count_rows(thud_context *context, const thud_contact_problem *from, const touch_list *list,
                             thud_index *start) {
  size_t blocks = 0;
  for (thud_index c = 0; c < from->contacts; c++) {
    blocks += (size_t)list_neighbours(from, list, c, NULL);
    if (blocks > INT32_MAX)
      return thud_fail(context, THUD_ERROR_OVERFLOW, "W has more than %d blocks: too many for the local form", INT_MAX);
    start[c + 1] = (thud_index)blocks;
  }
  return THUD_OK;
}

/* W in block rows with arrays of the owned problem. */
static thud_error assemble(thud_context *context, const thud_contact_problem *from, const touch_list *list,
                           thud_owned_problem *owned, thud_matrix *W) {
  size_t contacts = (size_t)from->contacts, entries = (size_t)from->dimension * (size_t)from->dimension;
  thud_index *start = thud_owned_problem_alloc(owned, contacts + 1, sizeof *start);
  if (start == NULL) return THUD_ERROR_MEMORY;
  thud_error error = count_rows(context, from, list, start);
  if (error != THUD_OK) return error;
  thud_index *column = thud_owned_problem_alloc(owned, (size_t)start[contacts], sizeof *column);
  double *values = thud_owned_problem_alloc(owned, (size_t)start[contacts] * entries, sizeof *values);
  if (column == NULL || values == NULL) return THUD_ERROR_MEMORY;
  for (thud_index c = 0; c < from->contacts; c++) {
    error = (c + 1) % ASKED_EVERY == 0 ? thud_context_ask(context, "assembling W") : THUD_OK;
    if (error != THUD_OK) return error;
    list_neighbours(from, list, c, column + start[c]);
    for (thud_index p = start[c]; p < start[c + 1]; p++)
      assemble_block(from, c, column[p], values + (size_t)p * entries);
  }
  thud_index size = from->dimension * from->contacts;
  *W = (thud_matrix){.storage = THUD_MATRIX_BLOCKS, .rows = size, .columns = size};
  W->blocks = (thud_bsr){from->contacts, from->contacts, from->dimension, from->dimension, start, column, values};
  return THUD_OK;
}

/* Takes `matrix` (of the owned problem) to another storage; the old arrays live on with the problem. */
static thud_error change_storage(thud_context *context, thud_owned_problem *owned, const thud_matrix *original,
                                 thud_matrix_storage storage, thud_index block, thud_matrix *matrix) {
  thud_sparse sparse = {0};
  thud_error error = thud_matrix_to_sparse(context, original, &sparse);
  if (error == THUD_OK) error = thud_owned_problem_store(context, owned, &sparse, storage, block, matrix);
  thud_sparse_destroy(context, &sparse);
  return error;
}

/* V and R of the joints. */
static thud_error couple_joints(thud_context *context, const thud_contact_problem *from, const touch_list *list,
                                thud_owned_problem *owned) {
  thud_contact_problem *local = thud_owned_problem_edit(owned);
  thud_sparse V = {0}, R = {0};
  if (from->bilateral == 0) return THUD_OK;
  thud_error error = thud_joint_coupling(context, from, list->start, list->touching, &V, &R);
  if (error == THUD_OK && from->contacts > 0)
    error = thud_owned_problem_store(context, owned, &V, THUD_MATRIX_SPARSE, 1, &local->V);
  if (error == THUD_OK) error = thud_owned_problem_store(context, owned, &R, THUD_MATRIX_SPARSE, 1, &local->R);
  thud_sparse_destroy(context, &V);
  thud_sparse_destroy(context, &R);
  return error;
}

static thud_error from_two_block(thud_context *context, const thud_contact_problem *from, thud_matrix_storage storage,
                                 thud_owned_problem *owned) {
  thud_contact_problem *local = thud_owned_problem_edit(owned);
  touch_list list = {0};
  thud_contact_evaluator *evaluator = NULL;
  thud_error error = list_touches(context, from, &list);
  if (error == THUD_OK) error = assemble(context, from, &list, owned, &local->W);
  if (error == THUD_OK && storage != THUD_MATRIX_NONE && storage != THUD_MATRIX_BLOCKS)
    error = change_storage(context, owned, &local->W, storage, from->dimension, &local->W);
  if (error == THUD_OK) error = couple_joints(context, from, &list, owned);
  if (error == THUD_OK) error = thud_contact_evaluator_create(context, from, &evaluator);
  if (error == THUD_OK)
    error =
        thud_owned_problem_copy_doubles(owned, thud_contact_evaluator_q(evaluator), thud_contact_size(from), &local->q);
  if (error == THUD_OK)
    error = thud_owned_problem_copy_doubles(owned, thud_contact_evaluator_map(evaluator)->s, (size_t)from->bilateral,
                                            &local->s);
  thud_contact_evaluator_destroy(evaluator);
  thud_free(context, list.start);
  thud_free(context, list.touching);
  return error;
}

/* ---- all forms -------------------------------------------------------------------------------------------------- */

static thud_error from_local(thud_context *context, const thud_contact_problem *from, thud_matrix_storage storage,
                             thud_owned_problem *owned) {
  thud_contact_problem *local = thud_owned_problem_edit(owned);
  thud_error error = THUD_OK;
  if (storage == THUD_MATRIX_NONE || storage == from->W.storage || from->contacts == 0)
    error = thud_owned_problem_copy_matrix(owned, &from->W, &local->W);
  else
    error = change_storage(context, owned, &from->W, storage, from->dimension, &local->W);
  if (error == THUD_OK) error = thud_owned_problem_copy_matrix(owned, &from->V, &local->V);
  if (error == THUD_OK) error = thud_owned_problem_copy_matrix(owned, &from->R, &local->R);
  if (error == THUD_OK) error = thud_owned_problem_copy_doubles(owned, from->q, thud_contact_size(from), &local->q);
  if (error == THUD_OK) error = thud_owned_problem_copy_doubles(owned, from->s, (size_t)from->bilateral, &local->s);
  return error;
}

static thud_error make_local(thud_context *context, const thud_contact_problem *problem,
                             const thud_contact_evaluator *evaluator, thud_matrix_storage storage,
                             thud_owned_problem *owned) {
  thud_error error = thud_owned_problem_copy_contacts(context, owned, problem);
  if (error != THUD_OK) return error;
  thud_owned_problem_edit(owned)->form = THUD_FORM_LOCAL;
  if (problem->form == THUD_FORM_LOCAL) return from_local(context, problem, storage, owned);
  if (problem->form == THUD_FORM_GLOBAL) return from_global(context, problem, evaluator, storage, owned);
  return from_two_block(context, problem, storage, owned);
}

thud_error thud_contact_to_local(thud_context *context, const thud_contact_problem *problem,
                                 thud_matrix_storage storage, thud_owned_problem **local) {
  THUD_REQUIRE(context, context, problem, local);
  return thud_contact_to_local_by(context, problem, NULL, storage, local);
}

thud_error thud_contact_to_local_by(thud_context *context, const thud_contact_problem *problem,
                                    const thud_contact_evaluator *evaluator, thud_matrix_storage storage,
                                    thud_owned_problem **local) {
  bool products = storage == THUD_MATRIX_OPERATOR && problem->form == THUD_FORM_GLOBAL && evaluator != NULL;
  if (storage < THUD_MATRIX_NONE || (storage > THUD_MATRIX_BLOCKS && !products))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%d is not a storage of a matrix", (int)storage);
  thud_owned_problem *made = NULL;
  thud_error error = thud_owned_problem_create(context, &made);
  if (error == THUD_OK) error = make_local(context, problem, evaluator, storage, made);
  if (error == THUD_OK)
    *local = made;
  else
    thud_owned_problem_destroy(made);
  return error;
}
