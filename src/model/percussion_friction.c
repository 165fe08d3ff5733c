#include "model/percussion_friction.h"

#include "model/blocks.h"
#include "model/thresholds.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Entries of rows in orthonormal coordinates, y = L^-1 a. */
typedef struct row_entries {
  size_t *start; /* [capacity+1] by rows, or by coordinates */
  size_t count, index_capacity, value_capacity;
  thud_index *index; /* coordinates, or rows */
  double *value;
} row_entries;

struct thud_percussion_friction {
  thud_context *context;
  thud_index n, capacity; /* rows and equations at most */
  model_blocks blocks;
  thud_velocity_solver *solver;
  const thud_system_values *values; /* of the last fill */
  row_entries rows;                 /* by rows; blocks increase within one */
  row_entries by_coordinate;        /* the same by coordinates; rows increase within one */
  thud_sparse W;
  size_t row_capacity, value_capacity;
  double *a;                /* [n] zeros between calls */
  size_t *touched;          /* [blocks] */
  double *sum;              /* [capacity] */
  thud_index *mark, *found; /* [capacity] */
  /* the rows that hold as equations, and whether they are dependent */
  thud_sparse chosen;
  size_t chosen_start_capacity, chosen_row_capacity, chosen_value_capacity;
};

/* ---- life -------------------------------------------------------------------------------------------------------- */

const char *thud_percussion_dense_laws(const thud_system *system) {
  thud_index laws = thud_system_friction_count(system), most = 0;
  for (thud_index k = 0; k < laws; k++)
    if (thud_system_friction(system, k)->directions > most) most = thud_system_friction(system, k)->directions;
  if (most > 2) return "friction laws of more than two slip directions";
  for (thud_index k = 0; k < laws; k++) {
    const thud_friction_def *law = thud_system_friction(system, k);
    if (law->kind == THUD_FRICTION_FIRM) return "rolling that acts while in contact";
    if (law->kind == THUD_FRICTION_SET && law->directions != most)
      return "a set of friction with fewer slip directions than another law";
    if (thud_model_threshold_of(system, (size_t)k) != NULL) return "friction whose threshold several reactions give";
    if (law->constraint < 0) continue;
    thud_constraint_kind kind = thud_system_constraint(system, law->constraint)->kind;
    if (kind != THUD_CONSTRAINT_UNILATERAL) return "friction at an equation";
    for (thud_index j = 0; j < k; j++)
      if (thud_system_friction(system, j)->constraint == law->constraint) return "two friction laws at one constraint";
  }
  return NULL;
}

void thud_percussion_friction_destroy(thud_context *context, thud_percussion_friction *f) {
  if (f == NULL) return;
  thud_velocity_solver_destroy(f->solver);
  thud_model_end_blocks(context, &f->blocks);
  void *parts[] = {f->rows.start,
                   f->rows.index,
                   f->rows.value,
                   f->by_coordinate.start,
                   f->by_coordinate.index,
                   f->by_coordinate.value,
                   f->W.column_start,
                   f->W.row,
                   f->W.value,
                   f->a,
                   f->touched,
                   f->sum,
                   f->mark,
                   f->found,
                   f->chosen.column_start,
                   f->chosen.row,
                   f->chosen.value};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(context, parts[k]);
  thud_free(context, f);
}

static thud_error allocate_friction_rows(thud_percussion_friction *f) {
  thud_context *c = f->context;
  size_t n = (size_t)f->n, capacity = (size_t)f->capacity;
  f->rows.start = THUD_NEW_ARRAY(c, size_t, capacity + 1);
  f->by_coordinate.start = THUD_NEW_ARRAY(c, size_t, n + 2);
  f->W.column_start = THUD_NEW_ARRAY(c, thud_index, capacity + 1);
  f->a = THUD_NEW_ARRAY(c, double, n);
  f->touched = THUD_NEW_ARRAY(c, size_t, f->blocks.count);
  f->sum = THUD_NEW_ARRAY(c, double, capacity);
  f->mark = THUD_NEW_ARRAY(c, thud_index, capacity);
  f->found = THUD_NEW_ARRAY(c, thud_index, capacity);
  bool done = f->rows.start != NULL && f->by_coordinate.start != NULL && f->W.column_start != NULL && f->a != NULL &&
              f->touched != NULL && f->sum != NULL && f->mark != NULL && f->found != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error create_solver(thud_percussion *p, thud_percussion_friction *f) {
  thud_velocity_problem largest = p->problem;
  thud_percussion_outline(p);
  largest.rows = p->problem.rows;
  largest.block_count = p->problem.block_count;
  largest.law_count = p->law_count;
  largest.equations.count = p->bilateral_total;
  thud_solver_options options = p->options.solver;
  options.tolerance = p->options.tolerance;
  return thud_velocity_solver_create_sparse(f->context, &largest, &options, &f->solver);
}

thud_error thud_percussion_friction_create(thud_percussion *p, const thud_system_values *values,
                                           thud_percussion_friction **friction) {
  thud_percussion_friction *f = THUD_NEW(p->context, thud_percussion_friction);
  if (f == NULL) return THUD_ERROR_MEMORY;
  f->context = p->context;
  f->n = p->n;
  f->capacity = p->row_capacity + p->bilateral_total;
  thud_error error = thud_model_find_blocks(p->context, (size_t)p->n, values, &f->blocks);
  if (error == THUD_OK && f->blocks.matrix == NULL)
    error =
        thud_fail(p->context, THUD_ERROR_UNSUPPORTED,
                  "[too-large] velocity problem: the metric couples %zu coordinates; sparse friction takes at most %d",
                  f->blocks.largest, MODEL_LARGEST_BLOCK);
  if (error == THUD_OK) error = allocate_friction_rows(f);
  if (error == THUD_OK) error = create_solver(p, f);
  if (error != THUD_OK) {
    thud_percussion_friction_destroy(p->context, f);
    return error;
  }
  *friction = f;
  return THUD_OK;
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static thud_error reserve(thud_context *context, row_entries *entries, size_t count) {
  thud_error error =
      thud_array_reserve(context, &entries->index, &entries->index_capacity, count, sizeof *entries->index);
  if (error != THUD_OK) return error;
  return thud_array_reserve(context, &entries->value, &entries->value_capacity, count, sizeof *entries->value);
}

static thud_row row_at(const thud_percussion_friction *f, const thud_percussion *p, thud_index i) {
  if (i < p->problem.rows) return p->source[i];
  return thud_gradient_row(f->values, f->n, p->bilateral_constraint[i - p->problem.rows]);
}

/* The blocks that a row touches, increasing; f->touched[0..count-1]. */
static size_t find_touched(thud_percussion_friction *f, thud_row row) {
  size_t count = 0;
  for (thud_index k = 0; k < row.count; k++) {
    size_t b = f->blocks.block[row.column[k]], at = count;
    if (row.value[k] == 0) continue;
    while (at > 0 && f->touched[at - 1] > b) at--;
    if (at > 0 && f->touched[at - 1] == b) continue;
    memmove(f->touched + at + 1, f->touched + at, (count - at) * sizeof *f->touched);
    f->touched[at] = b;
    count++;
  }
  return count;
}

static thud_error put_row(thud_percussion_friction *f, thud_row row) {
  size_t count = find_touched(f, row);
  row_entries *to = &f->rows;
  for (thud_index k = 0; k < row.count; k++) f->a[row.column[k]] = row.value[k];
  thud_error error = THUD_OK;
  for (size_t t = 0; t < count && error == THUD_OK; t++) {
    size_t b = f->touched[t], first = f->blocks.start[b], size = f->blocks.start[b + 1] - first;
    error = reserve(f->context, to, to->count + size);
    if (error != THUD_OK) break;
    thud_model_solve_block(&f->blocks, b, f->a, to->value + to->count);
    for (size_t k = 0; k < size; k++) to->index[to->count + k] = (thud_index)f->blocks.member[first + k];
    to->count += size;
  }
  for (thud_index k = 0; k < row.count; k++) f->a[row.column[k]] = 0;
  return error;
}

/* The same entries by coordinates. */
static thud_error turn(thud_percussion_friction *f, thud_index rows) {
  row_entries *to = &f->by_coordinate;
  const row_entries *from = &f->rows;
  thud_error error = reserve(f->context, to, from->count);
  if (error != THUD_OK) return error;
  memset(to->start, 0, ((size_t)f->n + 2) * sizeof *to->start);
  for (size_t k = 0; k < from->count; k++) to->start[from->index[k] + 2]++;
  for (thud_index c = 0; c < f->n; c++) to->start[c + 2] += to->start[c + 1];
  for (thud_index i = 0; i < rows; i++)
    for (size_t k = from->start[i]; k < from->start[i + 1]; k++) {
      size_t at = to->start[from->index[k] + 1]++;
      to->index[at] = i;
      to->value[at] = from->value[k];
    }
  return THUD_OK;
}

static int compare_rows(const void *a, const void *b) {
  thud_index x = *(const thud_index *)a, y = *(const thud_index *)b;
  return (x > y) - (x < y);
}

/* Column j of W = Y Y' in f->found, f->sum; coordinates are visited in one order in W_ij and W_ji. */
static thud_index multiply_column(thud_percussion_friction *f, thud_index j) {
  thud_index count = 1;
  f->found[0] = j;
  f->mark[j] = j;
  f->sum[j] = 0;
  for (size_t k = f->rows.start[j]; k < f->rows.start[j + 1]; k++) {
    thud_index c = f->rows.index[k];
    for (size_t e = f->by_coordinate.start[c]; e < f->by_coordinate.start[c + 1]; e++) {
      thud_index i = f->by_coordinate.index[e];
      if (f->mark[i] != j) {
        f->mark[i] = j;
        f->sum[i] = 0;
        f->found[count++] = i;
      }
      f->sum[i] += f->by_coordinate.value[e] * f->rows.value[k];
    }
  }
  qsort(f->found, (size_t)count, sizeof *f->found, compare_rows);
  return count;
}

static thud_error multiply(thud_percussion_friction *f, thud_index rows) {
  thud_index entries = 0;
  f->W.rows = f->W.columns = rows;
  for (thud_index i = 0; i < rows; i++) f->mark[i] = -1;
  for (thud_index j = 0; j < rows; j++) {
    thud_index count = multiply_column(f, j);
    size_t end = (size_t)entries + (size_t)count;
    if (end > INT32_MAX / 2)
      return thud_fail(f->context, THUD_ERROR_OVERFLOW, "velocity problem: W has too many entries");
    thud_error error = thud_array_reserve(f->context, &f->W.row, &f->row_capacity, end, sizeof *f->W.row);
    if (error == THUD_OK)
      error = thud_array_reserve(f->context, &f->W.value, &f->value_capacity, end, sizeof *f->W.value);
    if (error != THUD_OK) return error;
    for (thud_index k = 0; k < count; k++) {
      f->W.row[entries] = f->found[k];
      f->W.value[entries++] = f->sum[f->found[k]];
    }
    f->W.column_start[j + 1] = entries;
  }
  return THUD_OK;
}

thud_error thud_percussion_friction_fill(thud_percussion_friction *f, const thud_percussion *p,
                                         const thud_velocity_data *data, double *diagonal) {
  thud_index rows = p->problem.rows + p->problem.equations.count;
  thud_error error = THUD_OK;
  f->values = data->values;
  thud_model_fill_blocks(data->values, &f->blocks);
  thud_model_factorise_blocks(&f->blocks);
  f->rows.count = 0;
  for (thud_index i = 0; i < rows && error == THUD_OK; i++) {
    error = put_row(f, row_at(f, p, i));
    f->rows.start[i + 1] = f->rows.count;
  }
  if (error == THUD_OK) error = turn(f, rows);
  if (error == THUD_OK) error = multiply(f, rows);
  for (thud_index i = 0; i < p->problem.rows && error == THUD_OK; i++) {
    diagonal[i] = 0;
    for (size_t k = f->rows.start[i]; k < f->rows.start[i + 1]; k++) diagonal[i] += f->rows.value[k] * f->rows.value[k];
  }
  return error;
}

/* ---- the answer -------------------------------------------------------------------------------------------------- */

/* The entries of W in the rows that hold as equations; f->mark their new numbers, -1: not among them. */
static thud_error choose_rows(thud_percussion_friction *f, const thud_percussion *p, double tolerance) {
  thud_sparse *to = &f->chosen;
  thud_index all = f->W.columns, size = 0, entries = 0;
  for (thud_index i = 0; i < all; i++) {
    bool holds = i >= p->problem.rows || fabs(p->u[i]) <= tolerance;
    f->mark[i] = holds ? size++ : -1;
  }
  size_t most = (size_t)f->W.column_start[all];
  thud_error error = thud_array_reserve(f->context, &to->column_start, &f->chosen_start_capacity, (size_t)size + 1,
                                        sizeof *to->column_start);
  if (error == THUD_OK)
    error = thud_array_reserve(f->context, &to->row, &f->chosen_row_capacity, most + 1, sizeof *to->row);
  if (error == THUD_OK)
    error = thud_array_reserve(f->context, &to->value, &f->chosen_value_capacity, most + 1, sizeof *to->value);
  if (error != THUD_OK) return error;
  to->rows = to->columns = size;
  to->column_start[0] = 0;
  for (thud_index j = 0; j < all; j++) {
    if (f->mark[j] < 0) continue;
    for (thud_index e = f->W.column_start[j]; e < f->W.column_start[j + 1]; e++) {
      if (f->mark[f->W.row[e]] < 0) continue;
      to->row[entries] = f->mark[f->W.row[e]];
      to->value[entries++] = f->W.value[e];
    }
    to->column_start[f->mark[j] + 1] = entries;
  }
  return THUD_OK;
}

/* Dependent rows among those that hold as equations: impulses may be exchanged between them. */
static thud_error find_rank_loss(thud_percussion_friction *f, const thud_percussion *p, bool *set_valued) {
  bool is_loaded = false;
  for (thud_index i = 0; i < p->problem.rows; i++) is_loaded = is_loaded || p->r[i] != 0;
  *set_valued = false;
  if (!is_loaded) return THUD_OK;
  thud_error error = choose_rows(f, p, p->options.tolerance * thud_percussion_scale(p));
  if (error != THUD_OK || f->chosen.columns == 0) return error;
  thud_factor *factor = NULL;
  error = thud_factor_create(f->context, &f->chosen, THUD_FACTOR_CHOLESKY, &factor);
  if (error == THUD_OK) error = thud_factor_factorize(factor, &f->chosen, NULL);
  *set_valued = error == THUD_ERROR_NOT_SPD;
  thud_factor_destroy(factor);
  return *set_valued ? THUD_OK : error;
}

thud_error thud_percussion_friction_solve(thud_percussion_friction *f, thud_percussion *p, double *l, double *dv,
                                          thud_solver_status *status) {
  thud_velocity_info found;
  bool set_valued;
  thud_error error = thud_velocity_solve_sparse(f->solver, &p->problem, &f->W, p->r, l, p->u, &found);
  if (error == THUD_OK) error = find_rank_loss(f, p, &set_valued);
  if (error != THUD_OK) return error;
  *status = found.status;
  p->solved_by = found.method;
  p->set_valued = p->set_valued || set_valued;
  memset(dv, 0, (size_t)f->n * sizeof *dv);
  for (thud_index i = 0; i < f->W.columns; i++) {
    double z = i < p->problem.rows ? p->r[i] : l[i - p->problem.rows];
    thud_row row = row_at(f, p, i);
    for (thud_index k = 0; z != 0 && k < row.count; k++) dv[row.column[k]] += row.value[k] * z;
  }
  thud_sparse_metric_solve(f->values->sparse->mass, dv);
  return THUD_OK;
}

void thud_percussion_friction_sizes(thud_percussion_friction *f, const thud_percussion *p, const double *l,
                                    double *sizes) {
  thud_velocity_apply_sparse(&p->problem, &f->W, p->r, l, f->sum, sizes);
}
