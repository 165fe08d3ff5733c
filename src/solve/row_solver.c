#include "solve/row_solver.h"

#include "base/base.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <string.h>

/* A M^-1 A' is formed as long as it takes at most so many products per entry of A. */
enum { PRODUCTS_PER_ENTRY = 32 };
/* Exchanges of rows go on as long as the number of wrong ones falls at least once in so many; then the interior point
 * method proposes a set. */
enum { PATIENCE = 6, INTERIOR_STEPS = 60, REFINEMENTS = 3, SHIFT_REFINEMENTS = 10 };
/* Shifts of the diagonal, relative to that of A diag(M)^-1 A': always needed for the zeros of the large matrix, and for
 * A M^-1 A' where rows are dependent. */
static const double ZERO_SHIFT = 1e-8, DEPENDENT_SHIFT = 1e-10;
/* Signs of velocities and impulses count down to this part of the sizes of their terms. */
static const double SIGN_ROUNDING = 8 * DBL_EPSILON;

struct thud_row_solver {
  thud_context *context;
  thud_row_matrix A;
  const thud_sparse_metric *metric; /* borrowed */
  thud_index n;
  bool formed;      /* A M^-1 A' is, else the large matrix */
  bool stale;       /* the numbers are newer than the factor */
  double *A_value;  /* [entries of A] */
  double *M_value;  /* [entries of M] the numbers behind the factor */
  double *diagonal; /* [rows] */

  thud_sparse matrix;       /* lower triangle by columns, owned */
  double *base;             /* [entries of the matrix] with every row in the set */
  thud_index *row, *column; /* [entries] rows of A that the entry belongs to, -1: none */
  /* formed: base[entry] += A[first] A[second] / M_cc, for all products */
  size_t product_count;
  thud_index *product_entry, *product_first, *product_second, *product_coordinate;
  thud_index *source; /* not formed, [entries]: of M's values (>= 0), of A's (-1 - place), INT32_MIN: 0 */

  thud_factor *factor;
  bool has_factor, shifted;
  bool *in, *factored;          /* [rows] the set, and that of the factor */
  double *weight;               /* [rows] added to the diagonal: the interior point method's */
  double *shift;                /* [size of the matrix] */
  double *right;                /* [size of the matrix] */
  double *motion;               /* [n] */
  double *u, *w, *step, *other; /* [rows] */
};

/* ---- the pattern of A M^-1 A' ------------------------------------------------------------------------------------ */

/* A by columns: rows and places of the entries of each coordinate. */
typedef struct coordinate_lists {
  thud_index *start, *row, *place;
} coordinate_lists;

static thud_error list_coordinates(const thud_row_solver *s, coordinate_lists *lists) {
  size_t entries = (size_t)s->A.start[s->A.rows];
  lists->start = THUD_NEW_ARRAY(s->context, thud_index, s->n + 2);
  lists->row = THUD_NEW_ARRAY(s->context, thud_index, entries);
  lists->place = THUD_NEW_ARRAY(s->context, thud_index, entries);
  if (lists->start == NULL || lists->row == NULL || lists->place == NULL) return THUD_ERROR_MEMORY;
  thud_index *start = lists->start + 1; /* start[c] is where column c is written next */
  for (size_t p = 0; p < entries; p++)
    if (s->A.column[p] + 1 < s->n) start[s->A.column[p] + 1]++;
  for (thud_index c = 1; c < s->n; c++) start[c] += start[c - 1];
  for (thud_index i = 0; i < s->A.rows; i++)
    for (thud_index p = s->A.start[i]; p < s->A.start[i + 1]; p++) {
      thud_index at = start[s->A.column[p]]++;
      lists->row[at] = i;
      lists->place[at] = p;
    }
  return THUD_OK;
}

static void free_lists(thud_context *context, coordinate_lists *lists) {
  thud_free(context, lists->start);
  thud_free(context, lists->row);
  thud_free(context, lists->place);
}

static size_t count_products(const thud_row_solver *s, const coordinate_lists *lists) {
  size_t count = 0;
  for (thud_index c = 0; c < s->n; c++) {
    size_t in = (size_t)(lists->start[c + 1] - lists->start[c]);
    count += in * (in + 1) / 2;
  }
  return count;
}

/* Column j of the lower triangle: the rows i >= j that share a coordinate with row j, sorted; place[i] their entries.
 * With column NULL they are only counted. */
static thud_index product_column(const thud_row_solver *s, const coordinate_lists *lists, thud_index j,
                                 thud_index *mark, thud_index *found) {
  thud_index count = 1;
  found[0] = j; /* the diagonal is there even when the row is empty */
  mark[j] = j;
  for (thud_index p = s->A.start[j]; p < s->A.start[j + 1]; p++) {
    thud_index c = s->A.column[p];
    for (thud_index k = lists->start[c]; k < lists->start[c + 1]; k++) {
      thud_index i = lists->row[k];
      if (i < j || mark[i] == j) continue;
      mark[i] = j;
      found[count++] = i;
    }
  }
  for (thud_index a = 1; a < count; a++) {
    thud_index i = found[a], b = a;
    for (; b > 0 && found[b - 1] > i; b--) found[b] = found[b - 1];
    found[b] = i;
  }
  return count;
}

static thud_error allocate_matrix(thud_row_solver *s, thud_index size, size_t entries) {
  thud_context *c = s->context;
  if (entries > INT32_MAX / 2) return thud_fail(c, THUD_ERROR_OVERFLOW, "velocity problem: too many entries");
  s->matrix.rows = s->matrix.columns = size;
  s->matrix.row = THUD_NEW_ARRAY(c, thud_index, entries);
  s->matrix.value = THUD_NEW_ARRAY(c, double, entries);
  s->base = THUD_NEW_ARRAY(c, double, entries);
  s->row = THUD_NEW_ARRAY(c, thud_index, entries);
  s->column = THUD_NEW_ARRAY(c, thud_index, entries);
  bool done =
      s->matrix.row != NULL && s->matrix.value != NULL && s->base != NULL && s->row != NULL && s->column != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error allocate_products(thud_row_solver *s) {
  thud_context *c = s->context;
  s->product_entry = THUD_NEW_ARRAY(c, thud_index, s->product_count);
  s->product_first = THUD_NEW_ARRAY(c, thud_index, s->product_count);
  s->product_second = THUD_NEW_ARRAY(c, thud_index, s->product_count);
  s->product_coordinate = THUD_NEW_ARRAY(c, thud_index, s->product_count);
  bool done = s->product_entry != NULL && s->product_first != NULL && s->product_second != NULL &&
              s->product_coordinate != NULL;
  return done ? THUD_OK : THUD_ERROR_MEMORY;
}

/* The products of column j, whose entries are in place. */
static size_t list_products(thud_row_solver *s, const coordinate_lists *lists, thud_index j, thud_index *entry_of,
                            size_t next) {
  for (thud_index e = s->matrix.column_start[j]; e < s->matrix.column_start[j + 1]; e++) {
    entry_of[s->matrix.row[e]] = e;
    s->row[e] = s->matrix.row[e];
    s->column[e] = j;
  }
  for (thud_index p = s->A.start[j]; p < s->A.start[j + 1]; p++) {
    thud_index c = s->A.column[p];
    for (thud_index k = lists->start[c]; k < lists->start[c + 1]; k++) {
      if (lists->row[k] < j) continue;
      s->product_entry[next] = entry_of[lists->row[k]];
      s->product_first[next] = p;
      s->product_second[next] = lists->place[k];
      s->product_coordinate[next++] = c;
    }
  }
  return next;
}

static thud_error form_pattern(thud_row_solver *s, const coordinate_lists *lists) {
  thud_context *c = s->context;
  thud_index rows = s->A.rows;
  thud_index *mark = THUD_NEW_ARRAY(c, thud_index, rows), *found = THUD_NEW_ARRAY(c, thud_index, rows);
  s->matrix.column_start = THUD_NEW_ARRAY(c, thud_index, rows + 1);
  thud_error error = mark != NULL && found != NULL && s->matrix.column_start != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  size_t entries = 0, next = 0;
  for (thud_index i = 0; i < rows && error == THUD_OK; i++) mark[i] = -1;
  for (thud_index j = 0; j < rows && error == THUD_OK; j++) entries += (size_t)product_column(s, lists, j, mark, found);
  if (error == THUD_OK) error = allocate_matrix(s, rows, entries);
  if (error == THUD_OK) error = allocate_products(s);
  for (thud_index i = 0; i < rows && error == THUD_OK; i++) mark[i] = -1;
  for (thud_index j = 0; j < rows && error == THUD_OK; j++) {
    thud_index *start = s->matrix.column_start, count = product_column(s, lists, j, mark, found);
    memcpy(s->matrix.row + start[j], found, (size_t)count * sizeof *found);
    start[j + 1] = start[j] + count;
  }
  for (thud_index j = 0; j < rows && error == THUD_OK; j++) next = list_products(s, lists, j, found, next);
  thud_free(c, mark);
  thud_free(c, found);
  return error;
}

/* ---- the pattern of the large matrix ----------------------------------------------------------------------------- */

/* Lower triangle: M, the rows of A below it, and their diagonal. */
static thud_error large_pattern(thud_row_solver *s, const coordinate_lists *lists) {
  const thud_sparse_metric *M = s->metric;
  size_t entries = (size_t)M->start[s->n] + (size_t)s->A.start[s->A.rows] + (size_t)s->A.rows;
  thud_index size = s->n + s->A.rows, next = 0;
  s->matrix.column_start = THUD_NEW_ARRAY(s->context, thud_index, size + 1);
  s->source = THUD_NEW_ARRAY(s->context, thud_index, entries);
  if (s->matrix.column_start == NULL || s->source == NULL) return THUD_ERROR_MEMORY;
  thud_error error = allocate_matrix(s, size, entries);
  if (error != THUD_OK) return error;
  for (thud_index c = 0; c < s->n; c++) {
    for (thud_index p = M->diagonal[c]; p < M->start[c + 1]; p++) {
      s->row[next] = s->column[next] = -1;
      s->matrix.row[next] = M->column[p];
      s->source[next++] = p;
    }
    for (thud_index k = lists->start[c]; k < lists->start[c + 1]; k++) {
      s->row[next] = lists->row[k];
      s->column[next] = -1;
      s->matrix.row[next] = s->n + lists->row[k];
      s->source[next++] = -1 - lists->place[k];
    }
    s->matrix.column_start[c + 1] = next;
  }
  for (thud_index i = 0; i < s->A.rows; i++) {
    s->row[next] = s->column[next] = i;
    s->matrix.row[next] = s->n + i;
    s->source[next++] = INT32_MIN;
    s->matrix.column_start[s->n + i + 1] = next;
  }
  return THUD_OK;
}

/* ---- life ---------------------------------------------------------------------------------------------------------
 * */

static thud_error make_matrix(thud_row_solver *s) {
  coordinate_lists lists = {0};
  thud_error error = list_coordinates(s, &lists);
  if (error == THUD_OK) {
    s->product_count = count_products(s, &lists);
    size_t most = PRODUCTS_PER_ENTRY * ((size_t)s->A.start[s->A.rows] + 1);
    s->formed = s->metric->is_diagonal && s->product_count <= most;
    error = s->formed ? form_pattern(s, &lists) : large_pattern(s, &lists);
  }
  free_lists(s->context, &lists);
  return error == THUD_OK ? thud_factor_create(s->context, &s->matrix, THUD_FACTOR_LDL, &s->factor) : error;
}

static thud_error allocate_rows(thud_row_solver *s) {
  thud_context *c = s->context;
  size_t rows = (size_t)s->A.rows, size = rows + (size_t)s->n;
  struct {
    double **array;
    size_t count;
  } parts[] = {{&s->A_value, (size_t)s->A.start[rows]},
               {&s->M_value, (size_t)s->metric->start[s->n]},
               {&s->diagonal, rows},
               {&s->weight, rows},
               {&s->shift, size},
               {&s->right, size},
               {&s->motion, (size_t)s->n},
               {&s->u, rows},
               {&s->w, rows},
               {&s->step, rows},
               {&s->other, rows}};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    if ((*parts[k].array = THUD_NEW_ARRAY(c, double, parts[k].count)) == NULL) return THUD_ERROR_MEMORY;
  s->in = THUD_NEW_ARRAY(c, bool, rows);
  s->factored = THUD_NEW_ARRAY(c, bool, rows);
  return s->in != NULL && s->factored != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_row_solver_create(thud_context *context, const thud_sparse_metric *metric, const thud_row_matrix *rows,
                                  thud_row_solver **solver) {
  thud_row_solver *made = THUD_NEW(context, thud_row_solver);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->metric = metric;
  made->n = metric->n;
  made->A = *rows;
  thud_error error = allocate_rows(made);
  if (error == THUD_OK) error = make_matrix(made);
  if (error != THUD_OK) {
    thud_row_solver_destroy(made);
    return error;
  }
  *solver = made;
  return THUD_OK;
}

void thud_row_solver_destroy(thud_row_solver *s) {
  if (s == NULL) return;
  thud_factor_destroy(s->factor);
  thud_sparse_destroy(s->context, &s->matrix);
  void *parts[] = {s->A_value,
                   s->M_value,
                   s->diagonal,
                   s->base,
                   s->row,
                   s->column,
                   s->product_entry,
                   s->product_first,
                   s->product_second,
                   s->product_coordinate,
                   s->source,
                   s->in,
                   s->factored,
                   s->weight,
                   s->shift,
                   s->right,
                   s->motion,
                   s->u,
                   s->w,
                   s->step,
                   s->other};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) thud_free(s->context, parts[k]);
  thud_free(s->context, s);
}

/* ---- numbers ------------------------------------------------------------------------------------------------------
 * */

static void fill_base(thud_row_solver *s) {
  const thud_sparse_metric *M = s->metric;
  size_t entries = (size_t)s->matrix.column_start[s->matrix.columns];
  if (s->formed) {
    memset(s->base, 0, entries * sizeof *s->base);
    for (size_t k = 0; k < s->product_count; k++)
      s->base[s->product_entry[k]] += s->A_value[s->product_first[k]] * s->A_value[s->product_second[k]] /
                                      M->value[M->diagonal[s->product_coordinate[k]]];
    return;
  }
  for (size_t e = 0; e < entries; e++)
    s->base[e] = s->source[e] >= 0           ? M->value[s->source[e]]
                 : s->source[e] == INT32_MIN ? 0
                                             : s->A_value[-1 - s->source[e]];
}

void thud_row_solver_update(thud_row_solver *s, const thud_sparse_metric *metric, const double *value) {
  size_t a = (size_t)s->A.start[s->A.rows] * sizeof(double), b = (size_t)metric->start[s->n] * sizeof(double);
  s->metric = metric;
  if (s->has_factor && memcmp(value, s->A_value, a) == 0 && memcmp(metric->value, s->M_value, b) == 0) return;
  memcpy(s->A_value, value, a);
  memcpy(s->M_value, metric->value, b);
  fill_base(s);
  for (thud_index i = 0; i < s->A.rows; i++) {
    s->diagonal[i] = 0;
    for (thud_index p = s->A.start[i]; p < s->A.start[i + 1]; p++)
      s->diagonal[i] += value[p] * value[p] / metric->value[metric->diagonal[s->A.column[p]]];
  }
  s->stale = true;
}

const double *thud_row_solver_diagonal(const thud_row_solver *solver) { return solver->diagonal; }

void thud_row_solver_motion(const thud_row_solver *s, const double *z, double *dv) {
  memset(dv, 0, (size_t)s->n * sizeof *dv);
  for (thud_index i = 0; i < s->A.rows; i++)
    for (thud_index p = s->A.start[i]; z[i] != 0 && p < s->A.start[i + 1]; p++)
      dv[s->A.column[p]] += s->A_value[p] * z[i];
  thud_sparse_metric_solve(s->metric, dv);
}

void thud_row_solver_rows(const thud_row_solver *s, const double *x, double *u) {
  for (thud_index i = 0; i < s->A.rows; i++) {
    double sum = 0;
    for (thud_index p = s->A.start[i]; p < s->A.start[i + 1]; p++) sum += s->A_value[p] * x[s->A.column[p]];
    u[i] = sum;
  }
}

void thud_row_solver_sizes(thud_row_solver *s, const double *z, double *out) {
  const thud_sparse_metric *M = s->metric;
  memset(s->motion, 0, (size_t)s->n * sizeof(double));
  for (thud_index i = 0; i < s->A.rows; i++)
    for (thud_index p = s->A.start[i]; z[i] != 0 && p < s->A.start[i + 1]; p++)
      s->motion[s->A.column[p]] += fabs(s->A_value[p] * z[i]);
  for (thud_index c = 0; c < s->n; c++) s->motion[c] /= M->value[M->diagonal[c]];
  for (thud_index i = 0; i < s->A.rows; i++) {
    out[i] = 0;
    for (thud_index p = s->A.start[i]; p < s->A.start[i + 1]; p++)
      out[i] += fabs(s->A_value[p]) * s->motion[s->A.column[p]];
  }
}

bool thud_row_solver_cosine(const thud_row_solver *s, const thud_row_kind *kind, double *cosine, thud_index *first,
                            thud_index *second) {
  *cosine = -1;
  for (thud_index e = 0; s->formed && e < s->matrix.column_start[s->matrix.columns]; e++) {
    thud_index i = s->row[e], j = s->column[e];
    if (i == j || kind[i] != THUD_ROW_ONE_SIDED || kind[j] != THUD_ROW_ONE_SIDED) continue;
    double size = sqrt(s->diagonal[i] * s->diagonal[j]), found = size > 0 ? fabs(s->base[e]) / size : 0;
    if (found <= *cosine) continue;
    *cosine = found;
    *first = j;
    *second = i;
  }
  return *cosine >= 0;
}

/* ---- one set ------------------------------------------------------------------------------------------------------
 * */

/* Rows of the set as they are, the others as those of the identity. */
static void fill_matrix(thud_row_solver *s) {
  thud_index entries = s->matrix.column_start[s->matrix.columns];
  double sign = s->formed ? 1 : -1;
  for (thud_index e = 0; e < entries; e++) {
    thud_index i = s->row[e], j = s->column[e];
    bool kept = (i < 0 || s->in[i]) && (j < 0 || s->in[j]), diagonal = i >= 0 && i == j;
    s->matrix.value[e] = kept ? s->base[e] + (diagonal ? sign * s->weight[i] : 0) : diagonal ? sign : 0;
  }
}

static thud_error factorise(thud_row_solver *s, double part) {
  thud_index first = s->formed ? 0 : s->n;
  s->shifted = part > 0;
  for (thud_index i = 0; i < s->A.rows; i++) {
    double size = s->diagonal[i] > 0 ? s->diagonal[i] : 1;
    s->shift[first + i] = s->in[i] ? (s->formed ? part : -part) * size : 0;
  }
  return thud_factor_factorize(s->factor, &s->matrix, part > 0 ? s->shift : NULL);
}

/* The factor of the set, if it is not there. *dependent: its rows are. */
static thud_error take_set(thud_row_solver *s, bool weighted, bool *dependent) {
  size_t bytes = (size_t)s->A.rows * sizeof *s->in;
  if (s->has_factor && !s->stale && !weighted && memcmp(s->in, s->factored, bytes) == 0) {
    *dependent = *dependent || (s->formed && s->shifted);
    return THUD_OK;
  }
  s->has_factor = false;
  fill_matrix(s);
  thud_error error = factorise(s, s->formed ? 0 : ZERO_SHIFT);
  if (s->formed && (error == THUD_ERROR_SINGULAR || error == THUD_ERROR_NOT_SPD)) {
    *dependent = true;
    error = factorise(s, DEPENDENT_SHIFT);
  }
  if (error != THUD_OK) return error;
  memcpy(s->factored, s->in, bytes);
  s->has_factor = !weighted; /* with weights it is of use only once */
  s->stale = false;
  return THUD_OK;
}

/* x[rows] with (W + weights) x = right in the rows of the set, 0 in the others. */
static thud_error solve_set(thud_row_solver *s, const double *right, double *x) {
  thud_index first = s->formed ? 0 : s->n;
  memset(s->right, 0, (size_t)first * sizeof(double));
  for (thud_index i = 0; i < s->A.rows; i++) s->right[first + i] = s->in[i] ? right[i] : 0;
  thud_error error =
      thud_factor_solve(s->factor, s->shifted ? SHIFT_REFINEMENTS : REFINEMENTS, s->right, s->right, NULL);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < s->A.rows; i++) x[i] = s->in[i] ? (s->formed ? 1 : -1) * s->right[first + i] : 0;
  return THUD_OK;
}

/* s->u = W z + load. */
static void velocities(thud_row_solver *s, const double *load, const double *z) {
  thud_row_solver_motion(s, z, s->motion);
  thud_row_solver_rows(s, s->motion, s->u);
  for (thud_index i = 0; i < s->A.rows; i++) s->u[i] += load[i];
}

/* ---- exchanges ----------------------------------------------------------------------------------------------------
 * */

static bool is_wrong(const thud_row_solver *s, const thud_row_kind *kind, thud_index i, const double *load,
                     const double *z, double size) {
  if (kind[i] != THUD_ROW_ONE_SIDED) return false;
  double rounding = SIGN_ROUNDING * (size + fabs(load[i]));
  return s->in[i] ? s->diagonal[i] * z[i] < -rounding : s->u[i] < -rounding;
}

/* z of the set; the number of rows with a wrong sign, their marks in s->w. */
static thud_error try_set(thud_row_solver *s, const thud_row_kind *kind, const double *load, double *z, bool *dependent,
                          thud_index *wrong) {
  thud_error error = take_set(s, false, dependent);
  for (thud_index i = 0; i < s->A.rows; i++) s->step[i] = -load[i];
  if (error == THUD_OK) error = solve_set(s, s->step, z);
  if (error != THUD_OK) return error;
  velocities(s, load, z);
  thud_row_solver_sizes(s, z, s->other);
  *wrong = 0;
  for (thud_index i = 0; i < s->A.rows; i++) {
    bool marked = is_wrong(s, kind, i, load, z, s->other[i]);
    s->w[i] = marked;
    *wrong += marked;
  }
  return THUD_OK;
}

/* Exchanges until no sign is wrong, or for as long as it helps. */
static thud_error exchange(thud_row_solver *s, const thud_row_kind *kind, const double *load, double *z,
                           bool *dependent, bool *done) {
  thud_index least = s->A.rows + 1, wrong;
  *done = false;
  for (int patience = PATIENCE; patience > 0; patience--) {
    thud_error error = try_set(s, kind, load, z, dependent, &wrong);
    if (error != THUD_OK) return error;
    *done = wrong == 0;
    if (*done) return THUD_OK;
    if (wrong < least / 2 + 1) patience = PATIENCE + 1;
    if (wrong < least) least = wrong;
    for (thud_index i = 0; i < s->A.rows; i++)
      if (s->w[i] != 0) s->in[i] = !s->in[i];
  }
  return THUD_OK;
}

/* ---- interior points ----------------------------------------------------------------------------------------------
 * */

/* Largest step that keeps x + a dx > 0 for one-sided rows. */
static double longest(const thud_row_solver *s, const thud_row_kind *kind, const double *x, const double *dx) {
  double a = 1;
  for (thud_index i = 0; i < s->A.rows; i++)
    if (kind[i] == THUD_ROW_ONE_SIDED && dx[i] < 0) a = fmin(a, -0.995 * x[i] / dx[i]);
  return a;
}

/* Direction for z (s->step) and w (s->other) with z w -> target; s->u holds W z + load. */
static thud_error interior_direction(thud_row_solver *s, const thud_row_kind *kind, const double *z, double target) {
  for (thud_index i = 0; i < s->A.rows; i++)
    s->other[i] = kind[i] == THUD_ROW_ONE_SIDED ? target / z[i] - s->u[i] : -s->u[i];
  thud_error error = solve_set(s, s->other, s->step);
  for (thud_index i = 0; i < s->A.rows && error == THUD_OK; i++)
    s->other[i] = kind[i] == THUD_ROW_ONE_SIDED ? (target - s->w[i] * (z[i] + s->step[i])) / z[i] : 0;
  return error;
}

/* A primal-dual path-following method (Wright, Primal-Dual Interior-Point Methods, 1997): the set is that of the rows
 * whose impulse outweighs their velocity near the end of the path. */
static thud_error interior_set(thud_row_solver *s, const thud_row_kind *kind, const double *load, double *z) {
  double scale = 0, first = 0;
  thud_index count = 0;
  bool ignored = false;
  for (thud_index i = 0; i < s->A.rows; i++) scale = fmax(scale, kind[i] != THUD_ROW_ABSENT ? fabs(load[i]) : 0);
  if (!(scale > 0)) scale = 1;
  for (thud_index i = 0; i < s->A.rows; i++) {
    s->in[i] = kind[i] != THUD_ROW_ABSENT;
    z[i] = kind[i] == THUD_ROW_ONE_SIDED ? scale / (s->diagonal[i] > 0 ? s->diagonal[i] : 1) : 0;
    s->w[i] = kind[i] == THUD_ROW_ONE_SIDED ? scale : 0;
    count += kind[i] == THUD_ROW_ONE_SIDED;
  }
  for (int k = 0; k < INTERIOR_STEPS; k++) {
    double gap = 0;
    for (thud_index i = 0; i < s->A.rows; i++) gap += z[i] * s->w[i];
    if (k == 0) first = gap;
    if (!(gap > DBL_EPSILON * first)) break;
    for (thud_index i = 0; i < s->A.rows; i++) s->weight[i] = kind[i] == THUD_ROW_ONE_SIDED ? s->w[i] / z[i] : 0;
    thud_error error = take_set(s, true, &ignored);
    velocities(s, load, z);
    if (error == THUD_OK) error = interior_direction(s, kind, z, 0.1 * gap / (count > 0 ? count : 1));
    if (error != THUD_OK) break; /* the path ends in rounding: the set is as good as it gets */
    double a = fmin(longest(s, kind, z, s->step), longest(s, kind, s->w, s->other));
    for (thud_index i = 0; i < s->A.rows; i++) {
      z[i] += a * s->step[i];
      s->w[i] += a * s->other[i];
    }
  }
  memset(s->weight, 0, (size_t)s->A.rows * sizeof *s->weight);
  for (thud_index i = 0; i < s->A.rows; i++)
    s->in[i] = kind[i] == THUD_ROW_EQUATION || (kind[i] == THUD_ROW_ONE_SIDED && s->diagonal[i] * z[i] > s->w[i]);
  return THUD_OK;
}

/* ---- the call -----------------------------------------------------------------------------------------------------
 * */

thud_error thud_row_solver_solve(thud_row_solver *s, const thud_row_kind *kind, const double *load, double *z,
                                 bool *dependent, thud_solver_status *status) {
  bool done;
  *status = THUD_SOLVED;
  *dependent = false;
  /* Rows that neither approach nor part are in the set: in a column at rest all of them carry. */
  for (thud_index i = 0; i < s->A.rows; i++) {
    bool loaded = z[i] > 0 || (s->diagonal[i] > 0 && load[i] <= 0);
    s->in[i] = kind[i] == THUD_ROW_EQUATION || (kind[i] == THUD_ROW_ONE_SIDED && loaded);
  }
  thud_error error = exchange(s, kind, load, z, dependent, &done);
  if (error == THUD_OK && !done) error = interior_set(s, kind, load, z);
  if (error == THUD_OK && !done) error = exchange(s, kind, load, z, dependent, &done);
  if (error != THUD_OK) return error;
  if (!done) *status = THUD_SOLVER_LIMIT;
  for (thud_index i = 0; i < s->A.rows; i++)
    if (kind[i] == THUD_ROW_ONE_SIDED) z[i] = thud_larger(z[i], 0);
  return THUD_OK;
}
