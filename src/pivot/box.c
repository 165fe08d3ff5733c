/* The box problem b - A x in N_[lower,upper](x), A symmetric positive definite, by block principal pivoting. */
#include "thud/pivot.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>

enum {
  BOX_PATIENCE = 10,     /* block exchanges without progress before exchanging one by one */
  BOX_MAX_FACTOR = 1000, /* exchanges per unknown before rounding is blamed */
  BOX_FEW = 100
};

struct thud_box_solver {
  thud_context *context;
  thud_index capacity;
  double *factor;      /* [capacity^2] A_FF, then its Cholesky factor */
  double *part;        /* [capacity] right-hand side and solution on F */
  double *values;      /* [capacity] x of the present basis, before it is known to be good */
  double *slacks;      /* [capacity] */
  thud_index *between; /* [capacity] F: unknowns between their bounds */
  int8_t *sides;       /* [capacity] */
  bool *bad;           /* [capacity] on the wrong side in the present basis */
};

thud_error thud_box_solver_create(thud_context *context, thud_index capacity, thud_box_solver **solver) {
  if (capacity < 0 || solver == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "box problem: room for %d unknowns", (int)capacity);
  thud_box_solver *made = THUD_NEW(context, thud_box_solver);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t n = (size_t)capacity, entries;
  made->context = context;
  made->capacity = capacity;
  bool fits = thud_size_multiply(n, n, &entries);
  if (fits) made->factor = THUD_NEW_ARRAY(context, double, entries);
  made->part = THUD_NEW_ARRAY(context, double, n);
  made->values = THUD_NEW_ARRAY(context, double, n);
  made->slacks = THUD_NEW_ARRAY(context, double, n);
  made->between = THUD_NEW_ARRAY(context, thud_index, n);
  made->sides = THUD_NEW_ARRAY(context, int8_t, n);
  made->bad = THUD_NEW_ARRAY(context, bool, n);
  if (made->factor == NULL || made->part == NULL || made->values == NULL || made->slacks == NULL ||
      made->between == NULL || made->sides == NULL || made->bad == NULL) {
    thud_box_solver_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  *solver = made;
  return THUD_OK;
}

void thud_box_solver_destroy(thud_box_solver *solver) {
  if (solver == NULL) return;
  thud_context *context = solver->context;
  thud_free(context, solver->factor);
  thud_free(context, solver->part);
  thud_free(context, solver->values);
  thud_free(context, solver->slacks);
  thud_free(context, solver->between);
  thud_free(context, solver->sides);
  thud_free(context, solver->bad);
  thud_free(context, solver);
}

static thud_error check(const thud_box_solver *solver, const thud_box_task *task) {
  thud_context *context = solver->context;
  if (task->n < 0 || task->n > solver->capacity)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "box problem: %d unknowns, room for %d", (int)task->n,
                     (int)solver->capacity);
  size_t n = (size_t)task->n;
  for (size_t k = 0; k < n * n; k++)
    if (!isfinite(task->A[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "box problem: A, row %zu, column %zu is %g", k % n, k / n,
                       task->A[k]);
  for (size_t i = 0; i < n; i++) {
    if (!isfinite(task->b[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "box problem: b[%zu] is %g", i, task->b[i]);
    if (!(task->lower[i] <= task->upper[i]) || task->lower[i] == (double)INFINITY ||
        task->upper[i] == -(double)INFINITY)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "box problem: bounds %g and %g of unknown %zu leave nothing",
                       task->lower[i], task->upper[i], i);
  }
  return THUD_OK;
}

/* x_i at its bound where side says so; A_FF x_F = b_F - A_FB x_B otherwise. */
static thud_error solve_basis(thud_box_solver *s, const thud_box_task *task) {
  thud_index n = task->n, free_count = 0, failed = 0;
  for (thud_index i = 0; i < n; i++) {
    s->values[i] = s->sides[i] < 0 ? task->lower[i] : s->sides[i] > 0 ? task->upper[i] : 0;
    if (s->sides[i] == 0) s->between[free_count++] = i;
  }
  for (thud_index k = 0; k < free_count; k++) {
    thud_index i = s->between[k];
    double sum = task->b[i];
    for (thud_index j = 0; j < n; j++)
      if (s->sides[j] != 0) sum -= task->A[thud_at(n, i, j)] * s->values[j];
    s->part[k] = sum;
    for (thud_index j = 0; j < free_count; j++)
      s->factor[thud_at(free_count, j, k)] = task->A[thud_at(n, s->between[j], i)];
  }
  thud_error error = thud_dense_cholesky(s->context, free_count, s->factor, &failed);
  if (error != THUD_OK) return thud_fail_within(s->context, error, "box problem");
  thud_dense_solve_lower(free_count, s->factor, false, s->part);
  thud_dense_solve_lower(free_count, s->factor, true, s->part);
  for (thud_index k = 0; k < free_count; k++) s->values[s->between[k]] = s->part[k];
  return THUD_OK;
}

/* Slacks of the basis and the unknowns on the wrong side; what rounding can do is no offence. */
static thud_index find_offences(thud_box_solver *s, const thud_box_task *task, thud_pivot_info *info) {
  thud_index n = task->n, count = 0;
  info->primal_violation = info->dual_violation = info->stationarity = 0;
  for (thud_index i = 0; i < n; i++) {
    double sum = task->b[i], size = fabs(task->b[i]), x = s->values[i];
    for (thud_index j = 0; j < n; j++) {
      double term = task->A[thud_at(n, i, j)] * s->values[j];
      sum -= term;
      size += fabs(term);
    }
    double rounding = ((double)n + 2) * DBL_EPSILON * size, excess = 0, wrong = 0;
    if (s->sides[i] == 0) {
      excess = fmax(0, fmax(task->lower[i] - x, x - task->upper[i]));
      info->stationarity = fmax(info->stationarity, fabs(sum));
      rounding /= task->A[thud_at(n, i, i)];
      sum = 0;
    } else if (task->lower[i] < task->upper[i]) {
      wrong = fmax(0, s->sides[i] < 0 ? sum : -sum);
    }
    s->slacks[i] = sum;
    info->primal_violation = fmax(info->primal_violation, excess);
    info->dual_violation = fmax(info->dual_violation, wrong);
    s->bad[i] = excess > rounding || wrong > rounding;
    count += s->bad[i];
  }
  return count;
}

static void exchange(thud_box_solver *s, const thud_box_task *task, thud_index i) {
  if (s->sides[i] != 0)
    s->sides[i] = 0;
  else
    s->sides[i] = s->values[i] < task->lower[i] ? -1 : 1;
}

/* Blocks as long as the number of offences falls (with some patience), then the last one only, which cannot cycle. */
static thud_error pivot(thud_box_solver *s, const thud_box_task *task, thud_pivot_info *info) {
  thud_index n = task->n, fewest = n + 1;
  thud_index limit = n < BOX_FEW ? BOX_MAX_FACTOR * (n + 1) : BOX_FEW * n;
  int patience = BOX_PATIENCE;
  for (info->iterations = 0;; info->iterations++) {
    thud_error error = solve_basis(s, task);
    if (error != THUD_OK) return error;
    thud_index count = find_offences(s, task, info);
    info->status = count == 0 ? THUD_PIVOT_SOLVED : THUD_PIVOT_LIMIT;
    if (count == 0 || info->iterations == limit) return THUD_OK;
    if (count < fewest) {
      fewest = count;
      patience = BOX_PATIENCE;
    } else if (patience > 0) {
      patience--;
    }
    bool block = patience > 0;
    for (thud_index i = n - 1; i >= 0; i--) {
      if (!s->bad[i]) continue;
      exchange(s, task, i);
      if (!block) break;
    }
  }
}

thud_error thud_box_solve(thud_box_solver *solver, const thud_box_task *task, double *x, double *slack, int8_t *side,
                          thud_pivot_info *info) {
  if (solver == NULL || task == NULL || x == NULL || slack == NULL || side == NULL)
    return thud_fail(solver != NULL ? solver->context : NULL, THUD_ERROR_ARGUMENT, "box problem: NULL argument");
  thud_error error = check(solver, task);
  if (error != THUD_OK) return error;
  thud_pivot_info found = {0};
  for (thud_index i = 0; i < task->n; i++) solver->sides[i] = task->lower[i] == task->upper[i] ? -1 : 0;
  error = pivot(solver, task, &found);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < task->n; i++) {
    found.active += solver->sides[i] != 0;
    x[i] = fmin(fmax(solver->values[i], task->lower[i]), task->upper[i]);
    slack[i] = solver->slacks[i];
    side[i] = solver->sides[i];
  }
  if (info != NULL) *info = found;
  return THUD_OK;
}
