#include "linalg/block_factor.h"
#include "base/base.h"

#include <amd.h>
#include <math.h>
#include <string.h>

/* ---- create, destroy ------------------------------------------------------------------------------------------------ */

thud_error thud_block_factor_create(thud_context *context, size_t n, size_t b, thud_block_factor **factor) {
  thud_block_factor *made = THUD_NEW(context, thud_block_factor);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->n = n;
  made->b = b;
  made->order = THUD_NEW_ARRAY(context, thud_index, n);
  made->place = THUD_NEW_ARRAY(context, thud_index, n);
  made->start = THUD_NEW_ARRAY(context, size_t, n + 1);
  made->row_start = THUD_NEW_ARRAY(context, size_t, n + 1);
  made->diagonal = THUD_NEW_ARRAY(context, double, n *b *b);
  made->y = THUD_NEW_ARRAY(context, double, n *b);
  made->map = THUD_NEW_ARRAY(context, size_t, n);
  made->mark = THUD_NEW_ARRAY(context, thud_index, n);
  made->list = THUD_NEW_ARRAY(context, thud_index, n);
  made->pair_count = SIZE_MAX; /* no analysis yet */
  if (made->order == NULL || made->place == NULL || made->start == NULL || made->row_start == NULL ||
      made->diagonal == NULL || made->y == NULL || made->map == NULL || made->mark == NULL || made->list == NULL) {
    thud_block_factor_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  *factor = made;
  return THUD_OK;
}

void thud_block_factor_destroy(thud_block_factor *factor) {
  if (factor == NULL) return;
  thud_context *context = factor->context;
  void *arrays[] = {factor->order,  factor->place,  factor->start,         factor->row,          factor->row_start,
                    factor->lower,  factor->upper,  factor->row_column,    factor->diagonal,     factor->y,
                    factor->pair_a, factor->pair_b, factor->pair_position, factor->row_position, factor->map,
                    factor->mark,   factor->list};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, factor);
}

/* ---- analysis ---------------------------------------------------------------------------------------------------------- */

/* Adjacency lists: both directions, each neighbour once. */
typedef struct neighbours {
  thud_index *start; /* [n+1] */
  thud_index *who;   /* [start[n]] */
} neighbours;

static bool is_pair(thud_index a, thud_index b) { return b >= 0 && a != b; }

static thud_error list_neighbours(thud_block_factor *factor, neighbours *graph) {
  size_t n = factor->n;
  thud_index kept = 0;
  graph->start = THUD_NEW_ARRAY(factor->context, thud_index, n + 1);
  graph->who = THUD_NEW_ARRAY(factor->context, thud_index, 2 * factor->pair_count);
  if (graph->start == NULL || graph->who == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < factor->pair_count; k++)
    if (is_pair(factor->pair_a[k], factor->pair_b[k])) {
      graph->start[factor->pair_a[k] + 1]++;
      graph->start[factor->pair_b[k] + 1]++;
    }
  for (size_t i = 0; i < n; i++) {
    graph->start[i + 1] += graph->start[i];
    factor->list[i] = graph->start[i];
    factor->mark[i] = -1;
  }
  for (size_t k = 0; k < factor->pair_count; k++)
    if (is_pair(factor->pair_a[k], factor->pair_b[k])) {
      graph->who[factor->list[factor->pair_a[k]]++] = factor->pair_b[k];
      graph->who[factor->list[factor->pair_b[k]]++] = factor->pair_a[k];
    }
  for (size_t i = 0; i < n; i++) { /* each once, in place */
    thud_index from = graph->start[i], end = graph->start[i + 1];
    graph->start[i] = kept;
    for (thud_index p = from; p < end; p++) {
      if (factor->mark[graph->who[p]] == (thud_index)i) continue;
      factor->mark[graph->who[p]] = (thud_index)i;
      graph->who[kept++] = graph->who[p];
    }
  }
  graph->start[n] = kept;
  return THUD_OK;
}

static thud_error order_rows(thud_block_factor *factor, const neighbours *graph) {
  int status = amd_order((thud_index)factor->n, graph->start, graph->who, factor->order, NULL, NULL);
  if (status == AMD_OUT_OF_MEMORY) return thud_fail(factor->context, THUD_ERROR_MEMORY, "out of memory in AMD");
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
    return thud_fail(factor->context, THUD_ERROR_INTERNAL, "AMD reports status %d", status);
  for (size_t k = 0; k < factor->n; k++) factor->place[factor->order[k]] = (thud_index)k;
  return THUD_OK;
}

static thud_error grow_rows(thud_block_factor *factor, size_t count) {
  return thud_array_reserve(factor->context, &factor->row, &factor->entry_capacity[0], count, sizeof *factor->row);
}

/* Rows of each column of L, unordered: those of A and of the columns that are eliminated into it. next[k] lists the columns
 * whose first row below the diagonal is k. */
static thud_error find_columns(thud_block_factor *factor, const neighbours *graph, thud_index *head) {
  size_t n = factor->n, count = 0;
  thud_index *next = factor->list;
  for (size_t k = 0; k < n; k++) factor->mark[k] = head[k] = -1;
  for (size_t k = 0; k < n; k++) {
    thud_index i = factor->order[k], first = (thud_index)n;
    size_t most = (size_t)(graph->start[i + 1] - graph->start[i]);
    for (thud_index c = head[k]; c >= 0; c = next[c]) most += factor->start[c + 1] - factor->start[c];
    thud_error error = grow_rows(factor, count + (most < n ? most : n));
    if (error != THUD_OK) return error;
    factor->start[k] = count;
    factor->mark[k] = (thud_index)k;
    for (thud_index p = graph->start[i]; p < graph->start[i + 1]; p++) {
      thud_index at = factor->place[graph->who[p]];
      if (at < (thud_index)k || factor->mark[at] == (thud_index)k) continue;
      factor->mark[at] = (thud_index)k;
      factor->row[count++] = at;
    }
    for (thud_index c = head[k]; c >= 0; c = next[c])
      for (size_t p = factor->start[c]; p < factor->start[c + 1]; p++) {
        thud_index at = factor->row[p];
        if (factor->mark[at] == (thud_index)k) continue;
        factor->mark[at] = (thud_index)k;
        factor->row[count++] = at;
      }
    factor->start[k + 1] = count;
    for (size_t p = factor->start[k]; p < count; p++) first = factor->row[p] < first ? factor->row[p] : first;
    if (first == (thud_index)n) continue;
    next[k] = head[first];
    head[first] = (thud_index)k;
  }
  factor->entry_count = count;
  return THUD_OK;
}

static thud_error reserve_entries(thud_block_factor *factor) {
  size_t count = factor->entry_count, numbers = 0;
  if (!thud_size_multiply(count, factor->b * factor->b, &numbers)) return THUD_ERROR_OVERFLOW;
  size_t *capacity = factor->entry_capacity;
  thud_context *context = factor->context;
  thud_error error = thud_array_reserve(context, &factor->row_column, &capacity[1], count, sizeof *factor->row_column);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &factor->row_position, &capacity[2], count, sizeof *factor->row_position);
  if (error == THUD_OK) error = thud_array_reserve(context, &factor->lower, &capacity[3], numbers, sizeof(double));
  if (error == THUD_OK) error = thud_array_reserve(context, &factor->upper, &capacity[4], numbers, sizeof(double));
  return error;
}

/* The same entries by rows, columns increasing; from these rows increasing in each column, and where they are. */
static void sort_entries(thud_block_factor *factor) {
  size_t n = factor->n;
  memset(factor->row_start, 0, (n + 1) * sizeof *factor->row_start);
  for (size_t p = 0; p < factor->entry_count; p++) factor->row_start[factor->row[p] + 1]++;
  for (size_t i = 0; i < n; i++) {
    factor->row_start[i + 1] += factor->row_start[i];
    factor->map[i] = factor->row_start[i];
  }
  for (size_t k = 0; k < n; k++)
    for (size_t p = factor->start[k]; p < factor->start[k + 1]; p++)
      factor->row_column[factor->map[factor->row[p]]++] = (thud_index)k;
  for (size_t k = 0; k < n; k++) factor->map[k] = factor->start[k];
  for (size_t i = 0; i < n; i++)
    for (size_t p = factor->row_start[i]; p < factor->row_start[i + 1]; p++) {
      factor->row_position[p] = factor->map[factor->row_column[p]]++;
      factor->row[factor->row_position[p]] = (thud_index)i;
    }
}

static size_t find_position(const thud_block_factor *factor, thud_index column, thud_index row) {
  size_t low = factor->start[column], high = factor->start[column + 1];
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (factor->row[middle] <= row)
      low = middle;
    else
      high = middle;
  }
  return low;
}

static void find_pairs(thud_block_factor *factor) {
  for (size_t k = 0; k < factor->pair_count; k++) {
    factor->pair_position[k] = SIZE_MAX;
    if (!is_pair(factor->pair_a[k], factor->pair_b[k])) continue;
    thud_index a = factor->place[factor->pair_a[k]], b = factor->place[factor->pair_b[k]];
    factor->pair_position[k] = a < b ? find_position(factor, a, b) : find_position(factor, b, a);
  }
}

static double count_work(const thud_block_factor *factor) {
  double sum = 0, block = (double)(factor->b * factor->b * factor->b);
  for (size_t k = 0; k < factor->n; k++) {
    double rows = (double)(factor->start[k + 1] - factor->start[k]);
    sum += block * (rows * (rows + 1) + 1);
  }
  return sum;
}

static bool same_pairs(const thud_block_factor *factor, size_t count, const thud_index *a, const thud_index *b) {
  if (factor->pair_count != count) return false;
  return count == 0 ||
         (memcmp(factor->pair_a, a, count * sizeof *a) == 0 && memcmp(factor->pair_b, b, count * sizeof *b) == 0);
}

static thud_error take_pairs(thud_block_factor *factor, size_t count, const thud_index *a, const thud_index *b) {
  thud_context *context = factor->context;
  size_t *capacity = factor->pair_capacity;
  factor->pair_count = SIZE_MAX; /* until all is known */
  thud_error error = thud_array_reserve(context, &factor->pair_a, &capacity[0], count, sizeof *a);
  if (error == THUD_OK) error = thud_array_reserve(context, &factor->pair_b, &capacity[1], count, sizeof *b);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &factor->pair_position, &capacity[2], count, sizeof *factor->pair_position);
  if (error != THUD_OK || count == 0) return error;
  memcpy(factor->pair_a, a, count * sizeof *a);
  memcpy(factor->pair_b, b, count * sizeof *b);
  return THUD_OK;
}

thud_error thud_block_factor_analyse(thud_block_factor *factor, size_t count, const thud_index *a,
                                     const thud_index *b) {
  if (same_pairs(factor, count, a, b)) return THUD_OK;
  neighbours graph = {0};
  thud_index *head = THUD_NEW_ARRAY(factor->context, thud_index, factor->n);
  thud_error error = head != NULL ? take_pairs(factor, count, a, b) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    factor->pair_count = count;
    error = list_neighbours(factor, &graph);
  }
  if (error == THUD_OK) error = order_rows(factor, &graph);
  if (error == THUD_OK) error = find_columns(factor, &graph, head);
  if (error == THUD_OK) error = reserve_entries(factor);
  if (error == THUD_OK) {
    sort_entries(factor);
    find_pairs(factor);
    factor->work = count_work(factor);
  } else
    factor->pair_count = SIZE_MAX;
  thud_free(factor->context, graph.start);
  thud_free(factor->context, graph.who);
  thud_free(factor->context, head);
  return error;
}

/* ---- entries ----------------------------------------------------------------------------------------------------------- */

void thud_block_factor_clear(thud_block_factor *factor, bool symmetric) {
  size_t block = factor->b * factor->b;
  factor->symmetric = symmetric;
  memset(factor->diagonal, 0, factor->n * block * sizeof(double));
  if (factor->entry_count == 0) return;
  memset(factor->lower, 0, factor->entry_count * block * sizeof(double));
  if (!symmetric) memset(factor->upper, 0, factor->entry_count * block * sizeof(double));
}

void thud_block_factor_pair(const thud_block_factor *factor, size_t pair, double **ab, double **ba) {
  size_t at = factor->pair_position[pair] * factor->b * factor->b;
  bool later = factor->place[factor->pair_a[pair]] > factor->place[factor->pair_b[pair]];
  double *upper = factor->symmetric ? NULL : factor->upper + at;
  *ab = later ? factor->lower + at : upper;
  *ba = later ? upper : factor->lower + at;
}

/* ---- factorization ------------------------------------------------------------------------------------------------------ */

/* C -= A B; b is a constant where it is inlined. */
static inline __attribute__((always_inline)) void take_product(size_t b, const double *A, const double *B, double *C) {
  for (size_t j = 0; j < b; j++) {
    double sum[THUD_BLOCK_FACTOR_MAX];
    for (size_t i = 0; i < b; i++) sum[i] = C[j * b + i];
    for (size_t m = 0; m < b; m++)
      for (size_t i = 0; i < b; i++) sum[i] -= A[m * b + i] * B[j * b + m];
    for (size_t i = 0; i < b; i++) C[j * b + i] = sum[i];
  }
}

bool thud_block_invert(size_t b, double *A) {
  size_t pivot_of[THUD_BLOCK_FACTOR_MAX];
  for (size_t k = 0; k < b; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < b; i++)
      if (fabs(A[k * b + i]) > fabs(A[k * b + pivot])) pivot = i;
    double value = A[k * b + pivot];
    if (!(fabs(value) > 0) || !isfinite(value)) return false;
    pivot_of[k] = pivot;
    for (size_t j = 0; j < b; j++) {
      double kept = A[j * b + k];
      A[j * b + k] = A[j * b + pivot];
      A[j * b + pivot] = kept;
    }
    A[k * b + k] = 1;
    for (size_t j = 0; j < b; j++) A[j * b + k] /= value;
    for (size_t i = 0; i < b; i++) {
      if (i == k) continue;
      double factor = A[k * b + i];
      A[k * b + i] = 0;
      for (size_t j = 0; j < b; j++) A[j * b + i] -= factor * A[j * b + k];
    }
  }
  for (size_t k = b; k-- > 0;)
    for (size_t i = 0; i < b && pivot_of[k] != k; i++) { /* columns back */
      double kept = A[k * b + i];
      A[k * b + i] = A[pivot_of[k] * b + i];
      A[pivot_of[k] * b + i] = kept;
    }
  return true;
}

/* Column j of L, and row j of U, from the columns before it. */
static inline __attribute__((always_inline)) void subtract_columns(thud_block_factor *factor, size_t b, size_t j) {
  size_t block = b * b;
  for (size_t p = factor->start[j]; p < factor->start[j + 1]; p++) factor->map[factor->row[p]] = p;
  for (size_t q = factor->row_start[j]; q < factor->row_start[j + 1]; q++) {
    size_t first = factor->row_position[q], end = factor->start[factor->row_column[q] + 1];
    const double *L = factor->lower + first * block, *U = factor->upper + first * block;
    take_product(b, L, U, factor->diagonal + j * block);
    for (size_t p = first + 1; p < end; p++)
      take_product(b, factor->lower + p * block, U, factor->lower + factor->map[factor->row[p]] * block);
    for (size_t p = first + 1; p < end && !factor->symmetric; p++)
      take_product(b, L, factor->upper + p * block, factor->upper + factor->map[factor->row[p]] * block);
  }
}

static inline __attribute__((always_inline)) bool factorize_sized(thud_block_factor *factor, size_t b) {
  size_t block = b * b;
  for (size_t j = 0; j < factor->n; j++) {
    double *D = factor->diagonal + j * block;
    subtract_columns(factor, b, j);
    if (!thud_block_invert(b, D)) return false;
    for (size_t p = factor->start[j]; p < factor->start[j + 1]; p++) {
      double *L = factor->lower + p * block, *U = factor->upper + p * block, given[36];
      for (size_t i = 0; i < block; i++) given[i] = -L[i], L[i] = 0;
      for (size_t i = 0; factor->symmetric && i < b; i++)
        for (size_t k = 0; k < b; k++) U[i * b + k] = -given[k * b + i];
      take_product(b, given, D, L);
    }
  }
  return true;
}

bool thud_block_factor_factorize(thud_block_factor *factor) {
  switch (factor->b) {
  case 3: return factorize_sized(factor, 3);
  case 6: return factorize_sized(factor, 6);
  default: return factorize_sized(factor, factor->b);
  }
}

/* y -= A x */
static inline void take_applied(size_t b, const double *A, const double *x, double *y) {
  for (size_t j = 0; j < b; j++)
    for (size_t i = 0; i < b; i++) y[i] -= A[j * b + i] * x[j];
}

void thud_block_factor_solve(thud_block_factor *factor, double *x) {
  size_t n = factor->n, b = factor->b, block = b * b;
  double *y = factor->y;
  for (size_t k = 0; k < n; k++) memcpy(y + k * b, x + (size_t)factor->order[k] * b, b * sizeof *y);
  for (size_t k = 0; k < n; k++)
    for (size_t p = factor->start[k]; p < factor->start[k + 1]; p++)
      take_applied(b, factor->lower + p * block, y + k * b, y + (size_t)factor->row[p] * b);
  for (size_t k = n; k-- > 0;) {
    double own[THUD_BLOCK_FACTOR_MAX] = {0}, left[THUD_BLOCK_FACTOR_MAX];
    for (size_t i = 0; i < b; i++) left[i] = -y[k * b + i];
    for (size_t p = factor->start[k]; p < factor->start[k + 1]; p++)
      for (size_t j = 0; j < b; j++)
        for (size_t i = 0; i < b; i++)
          left[i] += factor->upper[p * block + j * b + i] * y[(size_t)factor->row[p] * b + j];
    take_applied(b, factor->diagonal + k * block, left, own);
    memcpy(y + k * b, own, b * sizeof *y);
  }
  for (size_t k = 0; k < n; k++) memcpy(x + (size_t)factor->order[k] * b, y + k * b, b * sizeof *y);
}
