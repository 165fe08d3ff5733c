/* Room for problems to come: the solver is updated with problems of the wanted sizes, made of copies of the present
 * one, and what it needed for them stays in its memory (thud_recycler_create). */
#include "solve/method.h"
#include "contact/owned.h"
#include "contact/problem.h"
#include "contact/sparse.h"
#include "contact/storage.h"

#include <string.h>

/* Part of the coupling within a copy that the dense W of a rehearsal has between copies: the kind of its zeros stays as
 * it is, and W (x) (I + part) positive semidefinite. */
static const double BETWEEN_COPIES = 1e-3;

/* Up to so many contacts a problem is also rehearsed in which every contact touches every other. */
enum { CROWD = 64 };

/* The problem to be made: `contacts` contacts, each a copy of one of the present ones, on `copies` copies of the
 * present
 * bodies (degrees of freedom); crowded: each a copy of the first one, on the same bodies. */
typedef struct rehearsal {
  thud_context *context;
  const thud_contact_problem *from;
  thud_owned_problem *owned;
  thud_contact_problem *made;
  size_t contacts, bodies, copies;
  bool crowded;
  bool loose; /* crowded, but a dense W has a little less than a quarter of its blocks: it is kept in another way */
} rehearsal;

/* [count] numbers, those of `from`[present] again and again; `otherwise` when there is none. NULL on failure. */
static double *repeat(const rehearsal *act, size_t count, const double *from, size_t present, double otherwise) {
  double *made = thud_owned_problem_alloc(act->owned, count, sizeof *made);
  for (size_t i = 0; made != NULL && i < count; i++) made[i] = present > 0 ? from[i % present] : otherwise;
  return made;
}

/* The same for an array that may be NULL: *to stays NULL then. */
static thud_error repeat_optional(const rehearsal *act, size_t count, const double *from, size_t present,
                                  const double **to) {
  if (from == NULL) return THUD_OK;
  *to = repeat(act, count, from, present, 0);
  return *to != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Coefficients of contacts that are not there yet are made up. */
static thud_error repeat_coefficients(const rehearsal *act) {
  static const double made_up[THUD_COEFFICIENTS] = {0.5, 0.1, 0.1};
  const thud_contact_problem *from = act->from;
  const thud_disc_layout *layout = thud_disc_layout_of(from->dimension, from->friction);
  for (int c = 0; c < THUD_COEFFICIENTS; c++) {
    thud_coefficient coefficient = (thud_coefficient)c;
    const double *given = thud_coefficient_in(from, coefficient);
    const double **made = thud_coefficient_of(act->made, coefficient);
    if (given == NULL && (from->contacts > 0 || !thud_disc_layout_uses(layout, coefficient))) continue;
    *made = repeat(act, act->contacts, given, (size_t)from->contacts, made_up[c]);
    if (*made == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_error repeat_contacts(const rehearsal *act) {
  const thud_contact_problem *from = act->from;
  size_t present = (size_t)from->contacts, contacts = act->contacts;
  act->made->form = from->form;
  act->made->dimension = from->dimension;
  act->made->contacts = (thud_index)contacts;
  act->made->bilateral = from->bilateral;
  act->made->friction = from->friction;
  thud_error error = repeat_coefficients(act);
  if (error != THUD_OK) return error;
  if (from->laws == NULL || present == 0) return THUD_OK;
  thud_set **laws = thud_owned_problem_alloc(act->owned, contacts, sizeof *laws);
  if (laws == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < contacts; k++) laws[k] = from->laws[k % present];
  act->made->laws = laws;
  return THUD_OK;
}

/* ---- matrices ------------------------------------------------------------------------------------------ */

/* Where the copies of a matrix go: copy t of entry (i, j) to (i + (t mod row_copies) row_step, j + t column_step),
 * times
 * the factor, where that lies inside. */
typedef struct copy_plan {
  size_t rows, columns; /* of what is made */
  size_t count;         /* copies */
  size_t row_step, row_copies, column_step;
  double factor;
} copy_plan;

/* Places and values of all copies; the number of entries. With NULL they are only counted. */
static size_t list_copies(const thud_sparse *A, const copy_plan *plan, thud_index *row, thud_index *column,
                          double *value) {
  size_t count = 0;
  for (size_t t = 0; t < plan->count; t++)
    for (thud_index j = 0; j < A->columns; j++)
      for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
        size_t down = (size_t)A->row[p] + t % plan->row_copies * plan->row_step;
        size_t right = (size_t)j + t * plan->column_step;
        if (down >= plan->rows || right >= plan->columns) continue;
        if (row != NULL) {
          row[count] = (thud_index)down;
          column[count] = (thud_index)right;
          value[count] = plan->factor * A->value[p];
        }
        count++;
      }
  return count;
}

static thud_error copy_sparse(thud_context *context, const thud_sparse *A, const copy_plan *plan, thud_sparse *made) {
  size_t count = list_copies(A, plan, NULL, NULL, NULL);
  thud_index *row = THUD_NEW_ARRAY(context, thud_index, count), *column = THUD_NEW_ARRAY(context, thud_index, count);
  double *value = THUD_NEW_ARRAY(context, double, count);
  thud_error error = row == NULL || column == NULL || value == NULL ? THUD_ERROR_MEMORY : THUD_OK;
  if (error == THUD_OK) {
    list_copies(A, plan, row, column, value);
    error = thud_sparse_from_triplets(context, (thud_index)plan->rows, (thud_index)plan->columns, count, row, column,
                                      value, made);
  }
  thud_free(context, row);
  thud_free(context, column);
  thud_free(context, value);
  return error;
}

/* Copies of A (of its first `used` columns; 0: all) in its own storage; blocks that are not square become compressed
 * columns. */
static thud_error repeat_matrix(const rehearsal *act, const thud_matrix *A, size_t used, const copy_plan *plan,
                                thud_matrix *to) {
  thud_sparse own = {0}, made = {0};
  if (plan->rows == 0 || plan->columns == 0) return THUD_OK;
  thud_index block = A->storage == THUD_MATRIX_BLOCKS ? A->blocks.rows_per_block : 1;
  thud_matrix_storage storage = A->storage;
  if (storage == THUD_MATRIX_BLOCKS && A->blocks.columns_per_block != block) storage = THUD_MATRIX_SPARSE;
  thud_error error = thud_matrix_to_sparse(act->context, A, &own);
  if (error == THUD_OK && used > 0) own.columns = (thud_index)used;
  if (error == THUD_OK) error = copy_sparse(act->context, &own, plan, &made);
  if (error == THUD_OK) error = thud_owned_problem_store(act->context, act->owned, &made, storage, block, to);
  thud_sparse_destroy(act->context, &own);
  thud_sparse_destroy(act->context, &made);
  return error;
}

static size_t ceil_divide(size_t a, size_t b) { return b > 0 ? (a + b - 1) / b : 0; }

/* ---- local form ----------------------------------------------------------------------------------------- */

/* W of contacts that do not touch each other: nothing is known of what will. */
static thud_error set_unit_blocks(const rehearsal *act, thud_matrix *W) {
  size_t d = (size_t)act->from->dimension, contacts = act->contacts;
  thud_index *start = thud_owned_problem_alloc(act->owned, contacts + 1, sizeof *start);
  thud_index *column = thud_owned_problem_alloc(act->owned, contacts, sizeof *column);
  double *values = thud_owned_problem_alloc(act->owned, contacts * d * d, sizeof *values);
  if (start == NULL || column == NULL || values == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < contacts; k++) {
    start[k + 1] = (thud_index)(k + 1);
    column[k] = (thud_index)k;
    for (size_t i = 0; i < d; i++) values[k * d * d + i * (d + 1)] = 1;
  }
  thud_index size = (thud_index)(d * contacts), n = (thud_index)contacts, block = (thud_index)d;
  *W = (thud_matrix){.storage = THUD_MATRIX_BLOCKS, .rows = size, .columns = size};
  W->blocks = (thud_bsr){n, n, block, block, start, column, values};
  return THUD_OK;
}

/* y = x; user: the number of rows. */
static void apply_identity(void *user, const double *x, double *y) {
  const size_t *rows = user;
  memcpy(y, x, *rows * sizeof *y);
}

static thud_error set_operator(const rehearsal *act, thud_matrix *W) {
  size_t d = (size_t)act->from->dimension, size = d * act->contacts;
  size_t *rows = thud_owned_problem_alloc(act->owned, 1, sizeof *rows);
  double *diagonal = thud_owned_problem_alloc(act->owned, size * d, sizeof *diagonal);
  if (rows == NULL || diagonal == NULL) return THUD_ERROR_MEMORY;
  *rows = size;
  for (size_t i = 0; i < size; i++) diagonal[i * d + i % d] = 1;
  *W = (thud_matrix){.storage = THUD_MATRIX_OPERATOR, .rows = (thud_index)size, .columns = (thud_index)size};
  W->products = (thud_operator){apply_identity, rows, act->from->dimension, diagonal};
  return THUD_OK;
}

/* Whether contacts i and j touch in a loose crowd: neighbours on a ring. */
static bool is_loosely_coupled(size_t contacts, size_t i, size_t j) {
  size_t apart = i > j ? i - j : j - i, quarter = (contacts - 1) / 4;
  if (contacts - apart < apart) apart = contacts - apart;
  return 2 * apart + 1 <= (quarter > 1 ? quarter : 1);
}

/* I + BETWEEN_COPIES everywhere, in the storage of the present W. */
static thud_error set_full(const rehearsal *act, const thud_matrix *from, thud_matrix *W) {
  size_t size = (size_t)act->from->dimension * act->contacts;
  double *dense = thud_owned_problem_alloc(act->owned, size * size, sizeof *dense);
  if (dense == NULL) return THUD_ERROR_MEMORY;
  size_t d = (size_t)act->from->dimension;
  for (size_t i = 0; i < size * size; i++)
    if (!act->loose || is_loosely_coupled(act->contacts, i / size / d, i % size / d))
      dense[i] = BETWEEN_COPIES + (i % (size + 1) == 0 ? 1 : 0);
  thud_matrix full = {
      .storage = THUD_MATRIX_DENSE, .rows = (thud_index)size, .columns = (thud_index)size, .dense = dense};
  thud_sparse sparse = {0};
  thud_error error = thud_matrix_to_sparse(act->context, &full, &sparse);
  thud_matrix_storage storage = from->storage == THUD_MATRIX_NONE ? THUD_MATRIX_BLOCKS : from->storage;
  if (error == THUD_OK)
    error = thud_owned_problem_store(act->context, act->owned, &sparse, storage, act->from->dimension, W);
  thud_sparse_destroy(act->context, &sparse);
  return error;
}

static thud_error repeat_dense(const rehearsal *act, const thud_matrix *from, thud_matrix *W) {
  size_t present = (size_t)from->rows, size = (size_t)act->from->dimension * act->contacts, entries = 0;
  if (!thud_size_multiply(size, size, &entries))
    return thud_fail(act->context, THUD_ERROR_OVERFLOW, "a dense W of %zu rows is too large", size);
  double *dense = thud_owned_problem_alloc(act->owned, entries, sizeof *dense);
  if (dense == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < size; j++)
    for (size_t i = 0; i < size; i++)
      dense[j * size + i] =
          from->dense[j % present * present + i % present] * (i / present == j / present ? 1 : BETWEEN_COPIES);
  *W = (thud_matrix){
      .storage = THUD_MATRIX_DENSE, .rows = (thud_index)size, .columns = (thud_index)size, .dense = dense};
  return THUD_OK;
}

/* With every copy of V divided by the number of copies the matrix [W V; V' R] is positive semidefinite if it was. */
static thud_error repeat_local(const rehearsal *act) {
  const thud_contact_problem *from = act->from;
  thud_contact_problem *made = act->made;
  size_t d = (size_t)from->dimension, size = d * act->contacts, present = thud_contact_size(from);
  size_t rows = (size_t)from->bilateral, count = ceil_divide(size, present);
  copy_plan square = {size, size, count, present, SIZE_MAX, present, 1};
  copy_plan down = {size, rows, count, present, SIZE_MAX, 0, 1 / (double)(count > 0 ? count : 1)};
  thud_error error;
  if (from->W.storage == THUD_MATRIX_OPERATOR)
    error = set_operator(act, &made->W);
  else if (act->crowded)
    error = set_full(act, &from->W, &made->W);
  else if (present == 0)
    error = set_unit_blocks(act, &made->W);
  else if (from->W.storage == THUD_MATRIX_DENSE)
    error = repeat_dense(act, &from->W, &made->W);
  else
    error = repeat_matrix(act, &from->W, 0, &square, &made->W);
  made->q = repeat(act, size, from->q, present, -1);
  made->R = from->R;
  made->s = from->s;
  if (error != THUD_OK || made->q == NULL) return error != THUD_OK ? error : THUD_ERROR_MEMORY;
  if (rows == 0 || present > 0) return repeat_matrix(act, &from->V, 0, &down, &made->V);
  double *V = thud_owned_problem_alloc(act->owned, size * rows, sizeof *V); /* no contact touches the rows yet */
  made->V =
      (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = (thud_index)size, .columns = (thud_index)rows, .dense = V};
  return V != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- global form ------------------------------------------------------------------------------------------ */

/* H of contacts with one degree of freedom each. */
static thud_error set_unit_columns(const rehearsal *act, size_t ndof, thud_matrix *H) {
  size_t size = (size_t)act->from->dimension * act->contacts;
  thud_index *start = thud_owned_problem_alloc(act->owned, size + 1, sizeof *start);
  thud_index *row = thud_owned_problem_alloc(act->owned, size, sizeof *row);
  double *value = thud_owned_problem_alloc(act->owned, size, sizeof *value);
  if (start == NULL || row == NULL || value == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < size; j++) {
    start[j + 1] = (thud_index)(j + 1);
    row[j] = (thud_index)(j % ndof);
    value[j] = 1;
  }
  *H = (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = (thud_index)ndof, .columns = (thud_index)size};
  H->sparse = (thud_sparse){(thud_index)ndof, (thud_index)size, start, row, value};
  return THUD_OK;
}

static thud_error repeat_global(const rehearsal *act) {
  const thud_contact_problem *from = act->from;
  thud_contact_problem *made = act->made;
  size_t own = thud_contact_ndof(from), ndof = own * act->copies, present = thud_contact_size(from);
  size_t size = (size_t)from->dimension * act->contacts, rows = (size_t)from->bilateral;
  copy_plan masses = {ndof, ndof, act->copies, own, SIZE_MAX, own, 1};
  copy_plan columns = {ndof, size, ceil_divide(size, present), own, act->copies, present, 1};
  size_t d = (size_t)from->dimension, used = act->crowded ? d : 0;
  if (act->crowded) columns = (copy_plan){ndof, size, act->contacts, 0, 1, d, 1};
  copy_plan once = {ndof, rows, 1, 0, 1, 0, 1};
  if (ndof == 0) return THUD_OK;
  thud_error error = repeat_matrix(act, &from->M, 0, &masses, &made->M);
  if (error == THUD_OK)
    error =
        present > 0 ? repeat_matrix(act, &from->H, used, &columns, &made->H) : set_unit_columns(act, ndof, &made->H);
  if (error == THUD_OK) error = repeat_matrix(act, &from->G, 0, &once, &made->G);
  if (error == THUD_OK) error = repeat_optional(act, size, present > 0 ? from->w : NULL, present, &made->w);
  made->f = repeat(act, ndof, from->f, own, 0);
  made->b = from->b;
  if (error == THUD_OK && made->f == NULL) error = THUD_ERROR_MEMORY;
  return error;
}

/* ---- two-block form ----------------------------------------------------------------------------------------- */

/* The bodies of contact k: those of the present contact that it is a copy of, in the next copy of the bodies;
 * neighbours
 * by their numbers when there is none. */
static void choose_bodies(const rehearsal *act, size_t k, thud_index pair[2]) {
  const thud_two_block *two = &act->from->two_block;
  size_t present = (size_t)act->from->contacts, bodies = (size_t)act->made->two_block.bodies;
  if (act->crowded) k = 0;
  if (present == 0) {
    pair[0] = (thud_index)(k % bodies);
    pair[1] = bodies > 1 ? (thud_index)((k + 1) % bodies) : -1;
    return;
  }
  thud_index shift = (thud_index)(k / present % act->copies) * two->bodies;
  pair[0] = two->body_a[k % present] + shift;
  pair[1] = two->body_b[k % present] < 0 ? -1 : two->body_b[k % present] + shift;
}

static thud_error repeat_two_block(const rehearsal *act) {
  const thud_contact_problem *from = act->from;
  const thud_two_block *two = &from->two_block;
  thud_two_block *made = &act->made->two_block;
  size_t n = (size_t)two->block, own = (size_t)two->bodies, contacts = act->contacts;
  size_t bodies = own > 0 ? own * act->copies : act->bodies;
  size_t present = (size_t)from->contacts, entries = (size_t)from->dimension * n;
  thud_index *body_a = thud_owned_problem_alloc(act->owned, contacts, sizeof *body_a);
  thud_index *body_b = thud_owned_problem_alloc(act->owned, contacts, sizeof *body_b);
  *made = *two; /* the joints stay as they are, on the first copy of the bodies */
  made->w = NULL;
  made->bodies = (thud_index)bodies;
  made->inverse_mass = repeat(act, bodies * n * n, two->inverse_mass, own * n * n, 1);
  made->free_velocity = repeat(act, bodies * n, two->free_velocity, own * n, 0);
  made->jacobian_a = repeat(act, contacts * entries, two->jacobian_a, present * entries, 1);
  made->jacobian_b =
      repeat(act, contacts * entries, two->jacobian_b, two->jacobian_b != NULL ? present * entries : 0, -1);
  if (body_a == NULL || body_b == NULL || made->inverse_mass == NULL || made->free_velocity == NULL ||
      made->jacobian_a == NULL || made->jacobian_b == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < contacts; k++) {
    thud_index pair[2];
    choose_bodies(act, k, pair);
    body_a[k] = pair[0];
    body_b[k] = pair[1];
  }
  made->body_a = body_a;
  made->body_b = body_b;
  size_t size = (size_t)from->dimension * contacts;
  return repeat_optional(act, size, present > 0 ? two->w : NULL, thud_contact_size(from), &made->w);
}

/* ---- all forms ------------------------------------------------------------------------------------------------ */

static thud_error build(const rehearsal *act) {
  thud_error error = repeat_contacts(act);
  if (error != THUD_OK) return error;
  switch (act->from->form) {
  case THUD_FORM_LOCAL: return repeat_local(act);
  case THUD_FORM_GLOBAL: return repeat_global(act);
  default: return repeat_two_block(act);
  }
}

static thud_error rehearse(thud_solver *solver, rehearsal act) {
  thud_error error = thud_owned_problem_create(act.context, &act.owned);
  if (error != THUD_OK) return error;
  act.made = thud_owned_problem_edit(act.owned);
  error = build(&act);
  if (error == THUD_OK) error = thud_contact_validate(act.context, act.made, NULL);
  if (error == THUD_OK && !thud_solver_method_takes(solver->method, act.made))
    error = thud_solver_refuse(act.context, solver->method, act.made);
  if (error == THUD_OK) error = thud_solver_take(solver, act.made);
  thud_owned_problem_destroy(act.owned);
  return error;
}

/* Half the contacts, a quarter, ... are rehearsed too (few contacts: every number of them): smaller problems may be
 * kept in
 * other ways, dense for instance. */
thud_error thud_solver_reserve(thud_solver *solver, thud_index contacts, thud_index bodies) {
  THUD_REQUIRE(solver != NULL ? solver->context : NULL, solver);
  thud_context *context = solver->parent;
  const thud_contact_problem present = solver->problem;
  if (contacts < 0 || bodies < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "reserve: %d contacts and %d bodies: counts are >= 0", (int)contacts,
                     (int)bodies);
  size_t own = present.form == THUD_FORM_TWO_BLOCK ? (size_t)present.two_block.bodies : thud_contact_ndof(&present);
  size_t copies = ceil_divide((size_t)bodies, own), d = (size_t)present.dimension;
  if (copies == 0) copies = 1;
  if ((size_t)contacts * d > INT32_MAX || thud_contact_ndof(&present) * copies > INT32_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "reserve: at most %d components are possible", (int)INT32_MAX);
  bool was_ready = solver->ready;
  thud_error error = thud_carry_reserve(solver->context, &solver->carry, (size_t)contacts, d);
  for (size_t k = (size_t)contacts; error == THUD_OK && k > 0; k = contacts <= CROWD ? k - 1 : k / 2) {
    rehearsal act = {.context = context, .from = &present, .contacts = k, .copies = copies};
    act.bodies = bodies > 0 ? (size_t)bodies : 1;
    error = rehearse(solver, act);
    act.crowded = true;
    if (error == THUD_OK && k <= CROWD) error = rehearse(solver, act);
    act.loose = present.form == THUD_FORM_LOCAL && present.W.storage == THUD_MATRIX_DENSE;
    if (error == THUD_OK && k <= CROWD && act.loose) error = rehearse(solver, act);
  }
  if (error != THUD_OK) thud_fail_within(context, error, "reserve");
  thud_error back = was_ready ? thud_solver_take(solver, &present) : THUD_OK;
  solver->problem = present;
  return error != THUD_OK ? error : back;
}

thud_error thud_solver_create_reserved(thud_context *context, const thud_solver_method *method,
                                       const thud_contact_problem *problem, const thud_solver_options *options,
                                       const thud_solver_capacity *capacity, thud_solver **solver) {
  THUD_REQUIRE(context, context, problem, capacity, solver);
  thud_solver *made = NULL;
  thud_error error = thud_solver_create(context, method, problem, options, &made);
  if (error == THUD_OK) error = thud_solver_reserve(made, capacity->contacts, capacity->bodies);
  if (error == THUD_OK)
    *solver = made;
  else
    thud_solver_destroy(made);
  return error;
}
