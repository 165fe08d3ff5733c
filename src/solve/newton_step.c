/* Newton's memory, and the velocities and merit of its iterates. */
#include "solve/newton.h"
#include "contact/contact_sparse.h"
#include "linalg/dense.h"
#include "linalg/sparse_lu.h"
#include "solve/body_space.h"
#include "solve/newton_space.h"

#include <math.h>
#include <string.h>

/* Chains and stacks in the plane fill next to nothing. */
static bool is_thin(const thud_contact_problem *problem, size_t unknowns) {
  enum { ENTRIES_PER_ROW = 12, MOST = 400000 };
  if (problem->form != THUD_FORM_LOCAL || problem->W.storage != THUD_MATRIX_SPARSE || problem->dimension != 2)
    return false;
  return unknowns <= MOST && (size_t)problem->W.sparse.column_start[problem->W.columns] <= ENTRIES_PER_ROW * unknowns;
}

thud_method_limit thud_newton_limit(const thud_contact_problem *problem) {
  if (problem->form == THUD_FORM_TWO_BLOCK && thud_newton_sees(problem))
    return (thud_method_limit){
        .count = thud_contact_ndof(problem), .most = THUD_BODY_SPACE_MAX, .what = "components of velocities"};
  size_t unknowns = thud_contact_size(problem) + (size_t)problem->bilateral, most = THUD_NEWTON_DENSE_MAX;
  if (thud_sparse_lu_is_available()) most = is_thin(problem, unknowns) ? unknowns : THUD_NEWTON_SPARSE_MAX;
  return (thud_method_limit){.count = unknowns, .most = most, .what = "components of impulses"};
}

bool thud_newton_takes(const thud_contact_problem *problem) {
  thud_method_limit limit = thud_newton_limit(problem);
  return limit.count <= limit.most;
}

/* ---- create, update, destroy -------------------------------------------------------------------------------- */

thud_error thud_newton_create(thud_context *context, const thud_newton_function *function,
                              const thud_contact_problem *problem, thud_newton **newton) {
  thud_newton *made = THUD_NEW(context, thud_newton);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t d = (size_t)problem->dimension, contacts = (size_t)problem->contacts, size = contacts * d;
  size_t rows = (size_t)problem->bilateral, all = size + rows;
  made->context = context;
  made->function = function;
  made->d = d;
  made->contacts = contacts;
  made->size = size;
  made->rows = rows;
  made->laws = THUD_NEW_ARRAY(context, thud_newton_law, contacts);
  made->lines = THUD_NEW_ARRAY(context, thud_newton_line, contacts);
  made->lambda = THUD_NEW_ARRAY(context, double, contacts + rows);
  made->pivots = THUD_NEW_ARRAY(context, thud_index, all);
  made->start = THUD_NEW_ARRAY(context, thud_index, all + 1);
  double **vectors[] = {&made->u, &made->dr, &made->du, &made->anchor};
  double **row_vectors[] = {&made->w, &made->dl, &made->dw, &made->anchor_l};
  bool complete =
      made->laws != NULL && made->lines != NULL && made->lambda != NULL && made->pivots != NULL && made->start != NULL;
  for (size_t k = 0; complete && k < sizeof vectors / sizeof *vectors; k++) {
    *vectors[k] = THUD_NEW_ARRAY(context, double, size);
    *row_vectors[k] = THUD_NEW_ARRAY(context, double, rows);
    complete = *vectors[k] != NULL && *row_vectors[k] != NULL;
  }
  if (complete) {
    made->right = THUD_NEW_ARRAY(context, double, all);
    made->y = THUD_NEW_ARRAY(context, double, all);
    made->scale = THUD_NEW_ARRAY(context, double, all);
    complete = made->right != NULL && made->y != NULL && made->scale != NULL;
  }
  if (!complete) {
    thud_newton_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  if (problem->form == THUD_FORM_TWO_BLOCK) {
    thud_error error = thud_newton_space_create(context, problem, &made->space);
    if (error != THUD_OK) {
      thud_newton_destroy(made);
      return error;
    }
  }
  *newton = made;
  return THUD_OK;
}

void thud_newton_destroy(thud_newton *newton) {
  if (newton == NULL) return;
  thud_context *context = newton->context;
  void *arrays[] = {newton->laws,  newton->lines,  newton->lambda, newton->pivots,   newton->start,
                    newton->u,     newton->dr,     newton->du,     newton->anchor,   newton->w,
                    newton->dl,    newton->dw,     newton->right,  newton->anchor_l, newton->matrix,
                    newton->scale, newton->column, newton->value,  newton->y};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_sparse_destroy(context, &newton->V);
  thud_sparse_destroy(context, &newton->V_rows);
  thud_sparse_destroy(context, &newton->R_rows);
  if (!newton->shares_sweep) thud_local_sweep_destroy(newton->sweep);
  thud_newton_space_destroy(newton->space);
  thud_free(context, newton);
}

void thud_newton_share_sweep(thud_newton *newton, thud_local_sweep *sweep) {
  if (!newton->shares_sweep) thud_local_sweep_destroy(newton->sweep);
  newton->sweep = sweep;
  newton->shares_sweep = true;
}

/* Room for the system: the pattern of W, V and R bounds its entries. */
static thud_error reserve_system(thud_newton *newton) {
  size_t d = newton->d, contacts = newton->contacts, all = newton->size + newton->rows;
  size_t blocks = contacts > 0 ? (size_t)newton->W.row_start[contacts] + contacts : 0;
  bool full = (double)blocks > THUD_NEWTON_SPARSE_SHARE * (double)contacts * (double)contacts;
  newton->large =
      thud_sparse_lu_is_available() && all > THUD_NEWTON_SPARSE_FROM && (!full || all > THUD_NEWTON_DENSE_MAX);
  size_t dense = newton->large ? THUD_NEWTON_SPARSE_FROM : all;
  thud_error error =
      thud_array_reserve(newton->context, &newton->matrix, &newton->matrix_capacity, dense * dense, sizeof(double));
  if (error != THUD_OK || !newton->large) return error;
  size_t entries = blocks * d * d;
  if (newton->rows > 0)
    entries +=
        (d + 1) * (size_t)newton->V.column_start[newton->rows] * d + (size_t)newton->R_rows.column_start[newton->rows];
  error = thud_array_reserve(newton->context, &newton->column, &newton->column_capacity, entries, sizeof(thud_index));
  if (error != THUD_OK) return error;
  return thud_array_reserve(newton->context, &newton->value, &newton->value_capacity, entries, sizeof(double));
}

/* A by rows, that is A' by columns; with_diagonal: every diagonal entry of the square A is stored, as 0 if need be. */
static thud_error by_rows(thud_context *context, const thud_sparse *A, bool with_diagonal, thud_sparse *rows) {
  size_t entries = (size_t)A->column_start[A->columns], count = 0, room = entries + (size_t)A->columns;
  thud_index *row = THUD_NEW_ARRAY(context, thud_index, room), *column = THUD_NEW_ARRAY(context, thud_index, room);
  double *value = THUD_NEW_ARRAY(context, double, room);
  thud_error error = row != NULL && column != NULL && value != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index j = 0; error == THUD_OK && j < A->columns; j++) {
    if (with_diagonal) {
      row[count] = column[count] = j;
      value[count++] = 0;
    }
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      row[count] = j;
      column[count] = A->row[p];
      value[count++] = A->value[p];
    }
  }
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(context, A->columns, A->rows, count, row, column, value, rows);
  thud_free(context, row);
  thud_free(context, column);
  thud_free(context, value);
  return error;
}

static thud_error take_V(thud_newton *newton) {
  thud_context *context = newton->context;
  const thud_contact_problem *problem = newton->problem;
  thud_sparse_destroy(context, &newton->V);
  thud_sparse_destroy(context, &newton->V_rows);
  thud_error error = newton->contacts > 0
                         ? thud_matrix_to_sparse(context, &problem->V, &newton->V)
                         : thud_sparse_from_triplets(context, 0, problem->bilateral, 0, NULL, NULL, NULL, &newton->V);
  return error == THUD_OK ? by_rows(context, &newton->V, false, &newton->V_rows) : error;
}

static thud_error take_R(thud_newton *newton) {
  thud_context *context = newton->context;
  thud_sparse R = {0};
  thud_sparse_destroy(context, &newton->R_rows);
  thud_error error = thud_matrix_to_sparse(context, &newton->problem->R, &R);
  if (error == THUD_OK) error = by_rows(context, &R, true, &newton->R_rows);
  thud_sparse_destroy(context, &R);
  for (size_t i = 0; error == THUD_OK && i < newton->rows; i++) {
    double diagonal = 0;
    for (thud_index p = newton->R_rows.column_start[i]; p < newton->R_rows.column_start[i + 1]; p++)
      if ((size_t)newton->R_rows.row[p] == i) diagonal = newton->R_rows.value[p];
    newton->lambda[newton->contacts + i] = diagonal > 0 ? diagonal : 1;
  }
  return error;
}

void thud_newton_scale_steps(thud_newton *newton, double factor) {
  thud_contact_discs discs = thud_contact_discs_of(newton->problem);
  size_t block = newton->d * newton->d;
  for (size_t k = 0; k < newton->contacts; k++) {
    double mu[THUD_CONTACT_DISCS_MAX];
    thud_contact_discs_at(&discs, k, mu);
    thud_newton_law_set(discs.layout, newton->diagonal + k * block, mu, factor, &newton->laws[k]);
  }
}

static thud_error take_space(thud_newton *newton) {
  thud_error error = thud_newton_space_update(newton->space, newton->problem);
  newton->diagonal = thud_newton_space_diagonal(newton->space);
  newton->q = thud_newton_space_q(newton->space);
  return error;
}

static thud_error take_local(thud_newton *newton) {
  const thud_contact_problem *problem = newton->problem;
  thud_error error = THUD_OK;
  if (newton->sweep == NULL) error = thud_local_sweep_create(newton->context, problem, &newton->sweep);
  if (error == THUD_OK && !newton->shares_sweep) error = thud_local_sweep_update(newton->sweep, problem);
  if (error == THUD_OK && newton->rows > 0) error = take_V(newton);
  if (error == THUD_OK && newton->rows > 0) error = take_R(newton);
  if (error != THUD_OK) return error;
  newton->W = thud_local_sweep_blocks(newton->sweep);
  newton->diagonal = newton->W.diagonal;
  newton->q = problem->q;
  return reserve_system(newton);
}

thud_error thud_newton_update(thud_newton *newton, const thud_contact_problem *problem) {
  newton->problem = problem;
  thud_error error = newton->space != NULL ? take_space(newton) : take_local(newton);
  if (error != THUD_OK) return error;
  thud_newton_scale_steps(newton, 1);
  for (size_t k = 0; k < newton->contacts; k++) newton->lambda[k] = 1 / newton->laws[k].rho_normal;
  return THUD_OK;
}

/* ---- velocities and merit -------------------------------------------------------------------------------------- */

/* out[d] += block x. */
static inline void add_product(size_t d, const double *block, const double *x, double *out) {
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++) out[i] += block[j * d + i] * x[j];
}

static inline void multiply_rows(const thud_newton *newton, size_t d, const double *x, double *out) {
  const thud_block_rows *W = &newton->W;
  for (size_t k = 0; k < newton->contacts; k++) {
    double sum[THUD_NEWTON_DIMENSION_MAX] = {0};
    for (size_t i = 0; i < d; i++) sum[i] = newton->alpha * newton->lambda[k] * x[k * d + i];
    add_product(d, W->diagonal + k * d * d, x + k * d, sum);
    for (thud_index p = W->row_start[k]; p < W->row_start[k + 1]; p++)
      add_product(d, W->values + (size_t)p * d * d, x + (size_t)W->column[p] * d, sum);
    for (size_t i = 0; i < d; i++) out[k * d + i] = sum[i];
  }
}

void thud_newton_apply(const thud_newton *newton, const double *dr, const double *dl, double *du, double *dw) {
  if (newton->space != NULL) {
    thud_newton_space_apply(newton->space, dr, du);
    for (size_t i = 0; newton->alpha > 0 && i < newton->size; i++)
      du[i] += newton->alpha * newton->lambda[i / newton->d] * dr[i];
    return;
  }
  switch (newton->d) {
  case 1: multiply_rows(newton, 1, dr, du); break;
  case 2: multiply_rows(newton, 2, dr, du); break;
  case 3: multiply_rows(newton, 3, dr, du); break;
  case 4: multiply_rows(newton, 4, dr, du); break;
  case 5: multiply_rows(newton, 5, dr, du); break;
  default: multiply_rows(newton, THUD_NEWTON_DIMENSION_MAX, dr, du); break;
  }
  if (newton->rows == 0) return;
  if (newton->contacts > 0) thud_sparse_multiply_vector(&newton->V, false, 1, dl, 1, du);
  thud_sparse_multiply_vector(&newton->R_rows, true, 1, dl, 0, dw);
  for (size_t i = 0; i < newton->rows; i++) dw[i] += newton->alpha * newton->lambda[newton->contacts + i] * dl[i];
  if (newton->contacts > 0) thud_sparse_multiply_vector(&newton->V, true, 1, dr, 1, dw);
}

static double merit(const thud_newton *newton, const double *r, const double *u, const double *w) {
  double sum = 0;
  for (size_t k = 0; k < newton->contacts; k++)
    sum += newton->function->merit(&newton->laws[k], r + k * newton->d, u + k * newton->d);
  for (size_t i = 0; i < newton->rows; i++) sum += w[i] * w[i];
  return sum;
}

double thud_newton_evaluate(thud_newton *newton, const double *r, const double *l) {
  size_t d = newton->d;
  thud_newton_apply(newton, r, l, newton->u, newton->w);
  for (size_t i = 0; i < newton->size; i++)
    newton->u[i] += newton->q[i] - newton->alpha * newton->lambda[i / d] * newton->anchor[i];
  for (size_t i = 0; i < newton->rows; i++)
    newton->w[i] += newton->problem->s[i] - newton->alpha * newton->lambda[newton->contacts + i] * newton->anchor_l[i];
  return merit(newton, r, newton->u, newton->w);
}

double thud_newton_merit_along(thud_newton *newton, double t, const double *r) {
  size_t d = newton->d;
  double sum = 0;
  for (size_t k = 0; k < newton->contacts; k++) {
    double trial[THUD_NEWTON_DIMENSION_MAX], velocity[THUD_NEWTON_DIMENSION_MAX];
    for (size_t i = 0; i < d; i++) {
      trial[i] = r[k * d + i] + t * newton->dr[k * d + i];
      velocity[i] = newton->u[k * d + i] + t * newton->du[k * d + i];
    }
    sum += newton->function->merit(&newton->laws[k], trial, velocity);
  }
  for (size_t i = 0; i < newton->rows; i++) {
    double velocity = newton->w[i] + t * newton->dw[i];
    sum += velocity * velocity;
  }
  return sum;
}
