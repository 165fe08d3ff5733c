#include "linalg/sparse_metric.h"

#include "base/base.h"

#include <float.h>
#include <math.h>

/* ---- pattern ----------------------------------------------------------------------------------------------------- */

/* Row i of the union of the patterns and their transposes, gathered without order; mark[j] == i: j is there. */
typedef struct pattern_union {
  thud_index n;
  size_t count; /* patterns, the transposed ones included */
  const thud_index *const *start, *const *column;
} pattern_union;

static thud_index gather_row(const pattern_union *all, thud_index i, thud_index *mark, thud_index *row) {
  thud_index found = 0;
  mark[i] = i;
  row[found++] = i;
  for (size_t k = 0; k < all->count; k++)
    for (thud_index p = all->start[k] != NULL ? all->start[k][i] : 0; all->start[k] != NULL && p < all->start[k][i + 1];
         p++) {
      thud_index j = all->column[k][p];
      if (mark[j] == i) continue;
      mark[j] = i;
      row[found++] = j;
    }
  return found;
}

/* The pattern of all transposes together: of each entry (i, j) that of (j, i). */
static void transpose(const pattern_union *all, thud_index *start, thud_index *column, thud_index *next) {
  for (int pass = 0; pass < 2; pass++) {
    for (size_t k = 0; k < all->count; k++)
      for (thud_index i = 0; all->start[k] != NULL && i < all->n; i++)
        for (thud_index p = all->start[k][i]; p < all->start[k][i + 1]; p++) {
          thud_index j = all->column[k][p];
          if (pass == 0)
            start[j + 1]++;
          else
            column[next[j]++] = i;
        }
    for (thud_index j = 0; pass == 0 && j < all->n; j++) {
      start[j + 1] += start[j];
      next[j] = start[j];
    }
  }
}

/* Rows are short: insertion. */
static void sort_row(thud_index count, thud_index *row) {
  for (thud_index a = 1; a < count; a++) {
    thud_index j = row[a], b = a;
    for (; b > 0 && row[b - 1] > j; b--) row[b] = row[b - 1];
    row[b] = j;
  }
}

thud_index thud_sparse_metric_place(const thud_sparse_metric *metric, thud_index i, thud_index j) {
  thud_index low = metric->start[i], high = metric->start[i + 1];
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    if (metric->column[middle] < j)
      low = middle + 1;
    else
      high = middle;
  }
  return low < metric->start[i + 1] && metric->column[low] == j ? low : -1;
}

/* Both passes of the same loop: counting, then writing. */
static thud_error unite(thud_sparse_metric *metric, const pattern_union *all, thud_index *mark, thud_index *row) {
  thud_context *context = metric->context;
  thud_index n = metric->n;
  size_t entries = 0;
  for (thud_index i = 0; i < n; i++) mark[i] = -1;
  for (thud_index i = 0; i < n; i++) entries += (size_t)gather_row(all, i, mark, row);
  if (entries > INT32_MAX / 2) return thud_fail(context, THUD_ERROR_OVERFLOW, "sparse matrix: too many entries");
  metric->column = THUD_NEW_ARRAY(context, thud_index, entries);
  metric->mirror = THUD_NEW_ARRAY(context, thud_index, entries);
  metric->value = THUD_NEW_ARRAY(context, double, entries);
  if (metric->column == NULL || metric->mirror == NULL || metric->value == NULL) return THUD_ERROR_MEMORY;
  for (thud_index i = 0; i < n; i++) mark[i] = -1;
  for (thud_index i = 0; i < n; i++) {
    thud_index *target = metric->column + metric->start[i], found = gather_row(all, i, mark, target);
    sort_row(found, target);
    metric->start[i + 1] = metric->start[i] + found;
  }
  for (thud_index i = 0; i < n; i++) {
    metric->diagonal[i] = thud_sparse_metric_place(metric, i, i);
    for (thud_index p = metric->start[i]; p < metric->start[i + 1]; p++)
      metric->mirror[p] = thud_sparse_metric_place(metric, metric->column[p], i);
  }
  metric->is_diagonal = entries == (size_t)n;
  return THUD_OK;
}

/* The matrix as the sparse factor wants it: symmetric, so that rows are columns. */
static thud_sparse view_of(const thud_sparse_metric *metric) {
  return (thud_sparse){.rows = metric->n,
                       .columns = metric->n,
                       .column_start = metric->start,
                       .row = metric->column,
                       .value = metric->value};
}

static thud_error make_pattern(thud_sparse_metric *metric, size_t count, const thud_index *const *start,
                               const thud_index *const *column) {
  thud_context *context = metric->context;
  size_t n = (size_t)metric->n, entries = 0;
  for (size_t k = 0; k < count; k++) entries += start[k] != NULL ? (size_t)start[k][n] : 0;
  enum { MOST = 4 };
  const thud_index *starts[MOST + 1], *columns[MOST + 1];
  if (count > MOST) return thud_fail(context, THUD_ERROR_INTERNAL, "sparse matrix: too many patterns");
  metric->start = THUD_NEW_ARRAY(context, thud_index, n + 1);
  metric->diagonal = THUD_NEW_ARRAY(context, thud_index, n);
  thud_index *other_start = THUD_NEW_ARRAY(context, thud_index, n + 1);
  thud_index *other_column = THUD_NEW_ARRAY(context, thud_index, entries);
  thud_index *mark = THUD_NEW_ARRAY(context, thud_index, n), *row = THUD_NEW_ARRAY(context, thud_index, n);
  bool done = metric->start != NULL && metric->diagonal != NULL && other_start != NULL && other_column != NULL &&
              mark != NULL && row != NULL;
  thud_error error = done ? THUD_OK : THUD_ERROR_MEMORY;
  if (done) {
    pattern_union all = {metric->n, count, start, column};
    transpose(&all, other_start, other_column, mark);
    for (size_t k = 0; k < count; k++) {
      starts[k] = start[k];
      columns[k] = column[k];
    }
    starts[count] = other_start;
    columns[count] = other_column;
    all = (pattern_union){metric->n, count + 1, starts, columns};
    error = unite(metric, &all, mark, row);
  }
  thud_free(context, other_start);
  thud_free(context, other_column);
  thud_free(context, mark);
  thud_free(context, row);
  return error;
}

thud_error thud_sparse_metric_create(thud_context *context, thud_index n, size_t count, const thud_index *const *start,
                                     const thud_index *const *column, thud_sparse_metric **metric) {
  thud_sparse_metric *made = THUD_NEW(context, thud_sparse_metric);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->n = n;
  thud_error error = make_pattern(made, count, start, column);
  if (error == THUD_OK && !made->is_diagonal) {
    thud_sparse view = view_of(made);
    error = thud_factor_create(context, &view, THUD_FACTOR_CHOLESKY, &made->factor);
  }
  if (error != THUD_OK) {
    thud_sparse_metric_destroy(made);
    return error;
  }
  *metric = made;
  return THUD_OK;
}

void thud_sparse_metric_destroy(thud_sparse_metric *metric) {
  if (metric == NULL) return;
  thud_context *context = metric->context;
  thud_factor_destroy(metric->factor);
  void *parts[] = {metric->start, metric->column, metric->mirror, metric->diagonal, metric->value};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(context, parts[k]);
  thud_free(context, metric);
}

/* ---- numbers ----------------------------------------------------------------------------------------------------- */

thud_error thud_sparse_metric_factorise(thud_sparse_metric *metric, thud_index *failed) {
  for (thud_index i = 0; i < metric->n; i++) {
    double pivot = metric->value[metric->diagonal[i]];
    *failed = i;
    if (!(pivot > 0 && pivot < INFINITY))
      return thud_fail(metric->context, THUD_ERROR_NOT_SPD, "diagonal entry %d is %.9g", (int)i, pivot);
  }
  *failed = -1;
  if (metric->is_diagonal) return THUD_OK;
  thud_sparse view = view_of(metric);
  return thud_factor_factorize(metric->factor, &view, NULL);
}

void thud_sparse_metric_apply(const thud_sparse_metric *metric, const double *x, double *y) {
  for (thud_index i = 0; i < metric->n; i++) {
    double sum = 0;
    for (thud_index p = metric->start[i]; p < metric->start[i + 1]; p++) sum += metric->value[p] * x[metric->column[p]];
    y[i] = sum;
  }
}

double thud_sparse_metric_product(const thud_sparse_metric *metric, const double *x, const double *y) {
  double sum = 0;
  for (thud_index i = 0; i < metric->n; i++) {
    double row = 0;
    for (thud_index p = metric->start[i]; p < metric->start[i + 1]; p++) row += metric->value[p] * y[metric->column[p]];
    sum += x[i] * row;
  }
  return sum;
}

void thud_sparse_metric_solve(const thud_sparse_metric *metric, double *x) {
  if (metric->is_diagonal) {
    for (thud_index i = 0; i < metric->n; i++) x[i] /= metric->value[i];
    return;
  }
  if (thud_factor_solve(metric->factor, 0, x, x, NULL) == THUD_OK) return;
  for (thud_index i = 0; i < metric->n; i++) x[i] = NAN;
}
