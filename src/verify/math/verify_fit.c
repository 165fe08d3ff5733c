#include "verify/math/verify_fit.h"
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

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
