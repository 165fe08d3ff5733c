/* Plain dense mathematics: loops over matrices, least squares with signs, Chebyshev series. */
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

double thud_verify_dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

double thud_verify_norm(size_t n, const double *x) {
  double largest = 0, sum = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (!(largest > 0) || isinf(largest)) return largest;
  for (size_t i = 0; i < n; i++) sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

double thud_verify_distance(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

/* Places of the entries of a vector that are not 0, as long as they are few: masses of large systems and rows of their
 * gradients are mostly zeros, and products with those are left out. */
enum { FEW = 16 };
typedef struct few_entries {
  size_t count; /* above FEW: too many */
  size_t place[FEW];
} few_entries;

static void note_entry(few_entries *few, size_t place, double x) {
  if (x == 0 || few->count > FEW) return;
  if (few->count < FEW) few->place[few->count] = place;
  few->count++;
}

/* x.y over the first n entries; few: those of y. */
static double dot_few(const few_entries *few, size_t n, const double *x, const double *y) {
  if (few->count > FEW) return thud_verify_dot(n, x, y);
  double sum = 0;
  for (size_t k = 0; k < few->count; k++) sum += x[few->place[k]] * y[few->place[k]];
  return sum;
}

bool thud_verify_cholesky(size_t n, double *A) {
  for (size_t j = 0; j < n; j++) {
    double *row = A + j * n;
    few_entries few = {0};
    for (size_t k = 0; k < j; k++) note_entry(&few, k, row[k]);
    double pivot = row[j] - dot_few(&few, j, row, row);
    /* A pivot that is rounding error of its own diagonal entry says: singular to working precision. */
    if (!(pivot > 0x1p-50 * (double)n * fabs(row[j]))) return false;
    row[j] = sqrt(pivot);
    for (size_t i = j + 1; i < n; i++) A[i * n + j] = (A[i * n + j] - dot_few(&few, j, A + i * n, row)) / row[j];
  }
  return true;
}

void thud_verify_cholesky_forward(size_t n, const double *L, const double *x, double *out) {
  few_entries few = {0};
  for (size_t i = 0; i < n; i++) {
    out[i] = (x[i] - dot_few(&few, i, L + i * n, out)) / L[i * n + i];
    note_entry(&few, i, out[i]);
  }
}

void thud_verify_cholesky_backward(size_t n, const double *L, double *x) {
  for (size_t k = n; k-- > 0;) {
    x[k] /= L[k * n + k];
    for (size_t i = 0; x[k] != 0 && i < k; i++) x[i] -= L[k * n + i] * x[k];
  }
}

void thud_verify_cholesky_solve(size_t n, const double *L, double *x) {
  thud_verify_cholesky_forward(n, L, x, x);
  thud_verify_cholesky_backward(n, L, x);
}

/* ---- combinations of columns with signs -------------------------------------------------------------------------- */

/* A column whose part outside of the span of the others is smaller than this part of it depends on them. */
static const double DEPENDENT = 1e-10;

typedef struct fit_work {
  verify_fit *fit;
  double *length;   /* [columns] of the columns */
  double *basis;    /* [columns x rows] orthonormal basis of the chosen columns */
  double *triangle; /* [columns x columns] their coordinates in it, row c: column c */
  double *z;        /* [columns] least squares on the chosen columns */
  double *rest;     /* [rows] b - B x */
  size_t *place;    /* [columns] number of the column's basis vector, SIZE_MAX: dependent or not chosen */
  bool *chosen;     /* [columns] */
} fit_work;

/* Adds column c, made to length 1, to the basis; false when it depends on it. */
static bool orthogonalise(fit_work *w, size_t c, size_t rank) {
  size_t rows = w->fit->rows;
  double *y = w->basis + rank * rows, *along = w->triangle + c * w->fit->columns;
  for (size_t i = 0; i < rows; i++) y[i] = w->length[c] > 0 ? w->fit->B[c * rows + i] / w->length[c] : 0;
  memset(along, 0, w->fit->columns * sizeof(double));
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < rank; k++) {
      double part = thud_verify_dot(rows, w->basis + k * rows, y);
      along[k] += part;
      for (size_t i = 0; i < rows; i++) y[i] -= part * w->basis[k * rows + i];
    }
  double size = thud_verify_norm(rows, y);
  if (!(size > DEPENDENT)) return false;
  along[rank] = size;
  for (size_t i = 0; i < rows; i++) y[i] /= size;
  return true;
}

/* z = least squares on the chosen columns (coefficients of columns of length 1); dependent ones get 0. */
static void least_squares(fit_work *w) {
  verify_fit *fit = w->fit;
  size_t rank = 0, columns = fit->columns;
  for (size_t c = 0; c < columns; c++) {
    w->z[c] = 0;
    w->place[c] = SIZE_MAX;
    if (!w->chosen[c]) continue;
    if (orthogonalise(w, c, rank))
      w->place[c] = rank++;
    else
      fit->unique = false;
  }
  for (size_t c = columns; c-- > 0;) {
    if (w->place[c] == SIZE_MAX) continue;
    double sum = thud_verify_dot(fit->rows, w->basis + w->place[c] * fit->rows, fit->b);
    for (size_t d = c + 1; d < columns; d++)
      if (w->place[d] != SIZE_MAX) sum -= w->triangle[d * columns + w->place[c]] * w->z[d];
    w->z[c] = sum / w->triangle[c * columns + w->place[c]];
  }
}

static void find_rest(fit_work *w) {
  verify_fit *fit = w->fit;
  memcpy(w->rest, fit->b, fit->rows * sizeof(double));
  for (size_t c = 0; c < fit->columns; c++)
    for (size_t i = 0; i < fit->rows && w->length[c] > 0; i++)
      w->rest[i] -= fit->x[c] * (fit->B[c * fit->rows + i] / w->length[c]);
}

/* Moves x towards z until the first coefficient would become negative; that column leaves. False: none would. */
static bool step_back(fit_work *w) {
  verify_fit *fit = w->fit;
  double step = 1;
  bool blocked = false;
  for (size_t c = 0; c < fit->columns; c++) {
    if (!w->chosen[c] || fit->is_free[c] || w->z[c] > 0) continue;
    blocked = true;
    double way = fit->x[c] - w->z[c];
    step = fmin(step, way > 0 ? fit->x[c] / way : 0);
  }
  for (size_t c = 0; c < fit->columns; c++) {
    if (!w->chosen[c]) continue;
    fit->x[c] = blocked ? fit->x[c] + step * (w->z[c] - fit->x[c]) : w->z[c];
    if (blocked && !fit->is_free[c] && w->z[c] <= 0 && fit->x[c] <= DBL_EPSILON * fabs(w->z[c])) {
      fit->x[c] = 0;
      w->chosen[c] = false;
    }
  }
  return blocked;
}

/* The column that points most along what is left; false: none does. */
static bool choose_next(fit_work *w, double least) {
  size_t best = SIZE_MAX;
  for (size_t c = 0; c < w->fit->columns; c++) {
    if (w->chosen[c] || w->fit->is_free[c] || !(w->length[c] > 0)) continue;
    double along = thud_verify_dot(w->fit->rows, w->fit->B + c * w->fit->rows, w->rest) / w->length[c];
    if (!(along > least)) continue;
    least = along;
    best = c;
  }
  if (best != SIZE_MAX) w->chosen[best] = true;
  return best != SIZE_MAX;
}

static void run(fit_work *w) {
  verify_fit *fit = w->fit;
  double least = 64 * DBL_EPSILON * thud_verify_norm(fit->rows, fit->b);
  fit->unique = true;
  for (size_t c = 0; c < fit->columns; c++) {
    fit->x[c] = 0;
    w->length[c] = thud_verify_norm(fit->rows, fit->B + c * fit->rows);
    w->chosen[c] = fit->is_free[c];
  }
  size_t most = 10 * (fit->columns + 1);
  for (size_t k = 0; k < most; k++) {
    least_squares(w);
    if (step_back(w)) continue;
    find_rest(w);
    if (!choose_next(w, least)) break;
  }
  find_rest(w);
  fit->distance = thud_verify_norm(fit->rows, w->rest);
  for (size_t c = 0; c < fit->columns; c++) {
    if (w->length[c] > 0) fit->x[c] /= w->length[c];
    w->chosen[c] = true; /* uniqueness is one of all columns */
  }
  least_squares(w);
}

thud_error thud_verify_fit_solve(thud_context *context, verify_fit *fit) {
  size_t columns = fit->columns, rows = fit->rows;
  double *memory = THUD_NEW_ARRAY(context, double, 2 * columns + (columns + 1) * (rows + columns) + rows);
  size_t *place = THUD_NEW_ARRAY(context, size_t, columns);
  bool *chosen = THUD_NEW_ARRAY(context, bool, columns);
  thud_error error = memory != NULL && place != NULL && chosen != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    fit_work work = {.fit = fit,
                     .length = memory,
                     .z = memory + columns,
                     .rest = memory + 2 * columns,
                     .basis = memory + 2 * columns + rows,
                     .triangle = memory + 2 * columns + rows + (columns + 1) * rows,
                     .place = place,
                     .chosen = chosen};
    run(&work);
  }
  thud_free(context, memory);
  thud_free(context, place);
  thud_free(context, chosen);
  return error;
}

/* ---- Chebyshev series -------------------------------------------------------------------------------------------- */

static const double PI = 3.14159265358979323846;
/* Halvings of [-1, 1]: beyond, intervals are as short as the rounding of their ends. */
enum { MOST_HALVINGS = 50 };
/* How many of the last terms show what was cut off: of symmetric functions every other one vanishes. */
enum { LAST_TERMS = 4 };

double thud_verify_chebyshev_point(size_t count, size_t j) { return cos(PI * ((double)j + 0.5) / (double)count); }

/* c_k = (2 - [k = 0])/n sum_j f(x_j) T_k(x_j), x_j = cos(pi (j + 1/2)/n), by T_k+1 = 2 x T_k - T_k-1: stable on
 * [-1, 1], and without a cosine for each pair. */
void thud_verify_chebyshev_fit(size_t count, const double *values, double *c) {
  for (size_t k = 0; k < count; k++) c[k] = 0;
  for (size_t j = 0; j < count; j++) {
    double x = thud_verify_chebyshev_point(count, j), before = x, now = 1; /* T_-1 = T_1 = x */
    for (size_t k = 0; k < count; k++) {
      c[k] += values[j] * now;
      double next = 2 * x * now - before;
      before = now;
      now = next;
    }
  }
  for (size_t k = 0; k < count; k++) c[k] *= (k == 0 ? 1 : 2) / (double)count;
}

double thud_verify_chebyshev_error(size_t count, const double *c) {
  double sum = 0;
  for (size_t k = count > LAST_TERMS ? count - LAST_TERMS : 0; k < count; k++) sum += fabs(c[k]);
  return 2 * sum;
}

double thud_verify_chebyshev_integral(size_t count, const double *c) {
  double sum = 0;
  for (size_t k = 0; k < count; k += 2) sum += 2 * c[k] / (1 - (double)k * (double)k);
  return sum;
}

/* Value and derivative by T_k+1 = 2 x T_k - T_k-1 and its derivative. */
static double evaluate(size_t count, const double *c, double x, double *slope) {
  double before = 1, now = x, slope_before = 0, slope_now = 1, sum = c[0];
  *slope = 0;
  for (size_t k = 1; k < count; k++) {
    sum += c[k] * now;
    *slope += c[k] * slope_now;
    double next = 2 * x * now - before, slope_next = 2 * now + 2 * x * slope_now - slope_before;
    before = now;
    now = next;
    slope_before = slope_now;
    slope_now = slope_next;
  }
  return sum;
}

/* Taylor's formula at the middle of an interval: p(x) >= p - |p'| w - max|p''| w^2/2. */
static double bound_below(size_t count, const double *c, double curvature, double low, double high, double enough,
                          int halvings) {
  double middle = (low + high) / 2, half = (high - low) / 2, slope;
  double value = evaluate(count, c, middle, &slope), bound = value - fabs(slope) * half - curvature * half * half / 2;
  if (bound >= enough) return bound;
  if (value < enough || halvings == 0) return value;
  double left = bound_below(count, c, curvature, low, middle, enough, halvings - 1);
  if (left < enough) return left;
  return fmin(left, bound_below(count, c, curvature, middle, high, enough, halvings - 1));
}

double thud_verify_chebyshev_minimum(size_t count, const double *c, double enough) {
  double curvature = 0;
  for (size_t k = 2; k < count; k++) {
    double square = (double)k * (double)k;
    curvature += fabs(c[k]) * square * (square - 1) / 3; /* max |T_k''| */
  }
  return bound_below(count, c, curvature, -1, 1, enough, MOST_HALVINGS);
}
