/* thud's own sparse LDL' behind factor.h, for builds without GPL libraries: AMD orders, then an up-looking
 * factorisation (Davis, Direct Methods for Sparse Linear Systems, 2006, chapter 4; and ACM TOMS 31, 2005): row k of L
 * solves L_11 D_11 l = c_k, c_k the part above the diagonal of column k of PAP', whose pattern is read off the
 * elimination tree. */
#ifndef THUD_WITH_GPL

#include "linalg/factor.h"
#include "base/base.h"

#include <amd.h>

struct thud_factor_backend {
  thud_factor_kind kind;
  thud_index n;
  thud_index *order, *place; /* [n] order[k]: the given column that is eliminated k-th; place is its inverse */
  /* C = PAP', upper triangle by columns with the diagonal; entry k of the given lower triangle is C's entry to[k]. */
  thud_index *c_start, *c_row, *to; /* [n+1], [entries], [entries] */
  double *c_value;                  /* [entries] */
  /* L without its unit diagonal, by columns; D. */
  thud_index *parent; /* [n] elimination tree, -1 at roots */
  size_t *l_start;    /* [n+1] */
  thud_index *l_row;  /* [l_start[n]] */
  double *l_value;    /* [l_start[n]] */
  double *d;          /* [n] */
  double *error;      /* [n] of the pivots d, see thud_pivot_error */
  /* work, [n] each */
  double *y;           /* zero between rows */
  thud_index *filled;  /* entries of each column of L so far */
  thud_index *visited; /* last row whose pattern the column was found in */
  thud_index *stack;
};

/* ---- analysis ----------------------------------------------------------------------------------- */

static thud_error order_columns(thud_context *context, const thud_lower_pattern *pattern, thud_factor_backend *b) {
  int status = amd_order(b->n, pattern->start, pattern->row, b->order, NULL, NULL);
  if (status == AMD_OUT_OF_MEMORY) return thud_fail(context, THUD_ERROR_MEMORY, "factor: out of memory in AMD");
  if (status != AMD_OK && status != AMD_OK_BUT_JUMBLED)
    return thud_fail(context, THUD_ERROR_INTERNAL, "factor: AMD reports status %d", status);
  for (thud_index k = 0; k < b->n; k++) b->place[b->order[k]] = k;
  return THUD_OK;
}

/* Column of C that the entry (i, j) belongs to: an upper triangle has the later of the two. */
static thud_index permuted_column(const thud_factor_backend *b, thud_index i, thud_index j) {
  return b->place[i] > b->place[j] ? b->place[i] : b->place[j];
}

static void permute_pattern(const thud_lower_pattern *pattern, thud_factor_backend *b) {
  for (thud_index j = 0; j < b->n; j++)
    for (thud_index k = pattern->start[j]; k < pattern->start[j + 1]; k++)
      b->c_start[permuted_column(b, pattern->row[k], j) + 1]++;
  for (thud_index k = 0; k < b->n; k++) {
    b->c_start[k + 1] += b->c_start[k];
    b->filled[k] = b->c_start[k];
  }
  for (thud_index j = 0; j < b->n; j++)
    for (thud_index k = pattern->start[j]; k < pattern->start[j + 1]; k++) {
      thud_index column = permuted_column(b, pattern->row[k], j);
      b->to[k] = b->filled[column]++;
      b->c_row[b->to[k]] = b->place[pattern->row[k]] + b->place[j] - column;
    }
}

/* Elimination tree, and the offsets of L's columns: each column i met on the way from an entry of row k to the root
 * of k's subtree has an entry in row k of L. */
static void analyse(thud_factor_backend *b) {
  for (thud_index k = 0; k < b->n; k++) {
    b->parent[k] = -1;
    b->visited[k] = k;
    for (thud_index p = b->c_start[k]; p < b->c_start[k + 1]; p++)
      for (thud_index i = b->c_row[p]; b->visited[i] != k; i = b->parent[i]) {
        if (b->parent[i] < 0) b->parent[i] = k;
        b->l_start[i + 1]++;
        b->visited[i] = k;
      }
  }
  for (thud_index k = 0; k < b->n; k++) b->l_start[k + 1] += b->l_start[k];
}

static thud_error allocate_for_pattern(thud_context *context, size_t n, size_t entries, thud_factor_backend *b) {
  b->order = THUD_NEW_ARRAY(context, thud_index, n);
  b->place = THUD_NEW_ARRAY(context, thud_index, n);
  b->c_start = THUD_NEW_ARRAY(context, thud_index, n + 1);
  b->c_row = THUD_NEW_ARRAY(context, thud_index, entries);
  b->to = THUD_NEW_ARRAY(context, thud_index, entries);
  b->c_value = THUD_NEW_ARRAY(context, double, entries);
  b->parent = THUD_NEW_ARRAY(context, thud_index, n);
  b->l_start = THUD_NEW_ARRAY(context, size_t, n + 1);
  b->d = THUD_NEW_ARRAY(context, double, n);
  b->error = THUD_NEW_ARRAY(context, double, n);
  b->y = THUD_NEW_ARRAY(context, double, n);
  b->filled = THUD_NEW_ARRAY(context, thud_index, n);
  b->visited = THUD_NEW_ARRAY(context, thud_index, n);
  b->stack = THUD_NEW_ARRAY(context, thud_index, n);
  bool complete = b->order != NULL && b->place != NULL && b->c_start != NULL && b->c_row != NULL && b->to != NULL &&
                  b->c_value != NULL && b->parent != NULL && b->l_start != NULL && b->d != NULL && b->error != NULL &&
                  b->y != NULL && b->filled != NULL && b->visited != NULL && b->stack != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error allocate_for_factor(thud_context *context, thud_factor_backend *b) {
  b->l_row = THUD_NEW_ARRAY(context, thud_index, b->l_start[b->n]);
  b->l_value = THUD_NEW_ARRAY(context, double, b->l_start[b->n]);
  return b->l_row != NULL && b->l_value != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_factor_backend_create(thud_context *context, const thud_lower_pattern *pattern, thud_factor_kind kind,
                                      thud_factor_backend **backend) {
  thud_factor_backend *made = THUD_NEW(context, thud_factor_backend);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->kind = kind;
  made->n = pattern->n;
  thud_error error = allocate_for_pattern(context, (size_t)pattern->n, (size_t)pattern->start[pattern->n], made);
  if (error == THUD_OK) error = order_columns(context, pattern, made);
  if (error == THUD_OK) {
    permute_pattern(pattern, made);
    analyse(made);
    error = allocate_for_factor(context, made);
  }
  if (error != THUD_OK) {
    thud_factor_backend_destroy(context, made);
    return error;
  }
  *backend = made;
  return THUD_OK;
}

void thud_factor_backend_destroy(thud_context *context, thud_factor_backend *b) {
  if (b == NULL) return;
  void *arrays[] = {b->order, b->place,   b->c_start, b->c_row, b->to, b->c_value, b->parent,  b->l_start,
                    b->l_row, b->l_value, b->d,       b->error, b->y,  b->filled,  b->visited, b->stack};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_free(context, b);
}

/* ---- factorisation ------------------------------------------------------------------------------ */

/* Scatters column k of C into y and lists the pattern of row k of L in stack[first..n-1], every column before those
 * that depend on it. Returns first. */
static thud_index row_pattern(thud_factor_backend *b, thud_index k, double *diagonal) {
  thud_index first = b->n;
  b->visited[k] = k;
  *diagonal = 0;
  for (thud_index p = b->c_start[k]; p < b->c_start[k + 1]; p++) {
    thud_index i = b->c_row[p], length = 0;
    if (i == k) {
      *diagonal = b->c_value[p];
      continue;
    }
    b->y[i] = b->c_value[p];
    for (; b->visited[i] != k; i = b->parent[i]) {
      b->stack[length++] = i; /* the path grows at the front ... */
      b->visited[i] = k;
    }
    while (length > 0)
      b->stack[--first] = b->stack[--length]; /* ... and moves, in order, before the paths found earlier */
  }
  return first;
}

/* Row k: for each column i of the pattern, l_ki = y_i / d_i, and y loses l's multiple of column i. Returns whether
 * the pivot is good. */
static bool eliminate_row(thud_factor_backend *b, thud_index k, bool shifted, thud_bad_pivot *bad) {
  double pivot;
  thud_index first = row_pattern(b, k, &pivot);
  double scale = fabs(pivot), inherited = 0;
  for (thud_index s = first; s < b->n; s++) {
    thud_index i = b->stack[s];
    double y = b->y[i], l = y / b->d[i];
    size_t end = b->l_start[i] + (size_t)b->filled[i];
    b->y[i] = 0;
    for (size_t p = b->l_start[i]; p < end; p++) b->y[b->l_row[p]] -= b->l_value[p] * y;
    b->l_row[end] = k;
    b->l_value[end] = l;
    b->filled[i]++;
    pivot -= l * y;
    scale += fabs(l * y);
    inherited += l * l * b->error[i];
  }
  b->d[k] = pivot;
  b->error[k] = thud_pivot_error(scale, b->n - first, shifted ? 0 : inherited);
  if (!thud_pivot_is_bad(b->kind, pivot, b->error[k])) return true;
  *bad = (thud_bad_pivot){b->order[k], pivot, scale};
  return false;
}

thud_error thud_factor_backend_factorize(thud_context *context, thud_factor_backend *b, const double *value,
                                         bool shifted, thud_bad_pivot *bad) {
  (void)context;
  bad->column = -1;
  for (thud_index k = 0; k < b->c_start[b->n]; k++) b->c_value[b->to[k]] = value[k];
  for (thud_index k = 0; k < b->n; k++) {
    b->filled[k] = 0;
    b->visited[k] = -1;
    b->y[k] = 0;
  }
  for (thud_index k = 0; k < b->n; k++)
    if (!eliminate_row(b, k, shifted, bad)) break;
  return THUD_OK;
}

static void solve_one(thud_factor_backend *b, double *x) {
  double *y = b->y;
  for (thud_index k = 0; k < b->n; k++) y[k] = x[b->order[k]];
  for (thud_index k = 0; k < b->n; k++)
    for (size_t p = b->l_start[k]; p < b->l_start[k + 1]; p++) y[b->l_row[p]] -= b->l_value[p] * y[k];
  for (thud_index k = b->n - 1; k >= 0; k--) {
    y[k] /= b->d[k];
    for (size_t p = b->l_start[k]; p < b->l_start[k + 1]; p++) y[k] -= b->l_value[p] * y[b->l_row[p]];
  }
  for (thud_index k = 0; k < b->n; k++) x[b->order[k]] = y[k];
}

thud_error thud_factor_backend_solve(thud_context *context, thud_factor_backend *b, size_t count, double *x) {
  (void)context;
  for (size_t k = 0; k < count; k++) solve_one(b, x + k * (size_t)b->n);
  return THUD_OK;
}

#endif
