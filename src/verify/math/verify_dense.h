/* Plain dense loops of the checker: its own, so that an error of the library's linear algebra cannot hide itself. All
 * matrices are stored row by row. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_DENSE_H
#define THUD_SRC_VERIFY_MATH_VERIFY_DENSE_H

#include "base/base.h"

#include <stdbool.h>
#include <stddef.h>

double thud_verify_dot(size_t n, const double *x, const double *y);
double thud_verify_norm(size_t n, const double *x);
double thud_verify_distance(size_t n, const double *x, const double *y);

/* A [n x n] = L L' in place, L in the lower triangle; false when A is not positive definite to working precision. */
bool thud_verify_cholesky(size_t n, double *A);
/* out = L^-1 x, which may be x itself. */
void thud_verify_cholesky_forward(size_t n, const double *L, const double *x, double *out);
/* x = L'^-1 x */
void thud_verify_cholesky_backward(size_t n, const double *L, double *x);
/* x = L^-1 x, then x = L'^-1 x. */
void thud_verify_cholesky_solve(size_t n, const double *L, double *x);

/* ---- the combination of given columns next to a vector, with the signs that reactions may have ------------------- */

typedef struct verify_fit {
  size_t rows, columns;
  const double *B;     /* [columns x rows] one column after the other */
  const bool *is_free; /* [columns] false: the coefficient is >= 0 */
  const double *b;     /* [rows] */
  double *x;           /* [columns] the coefficients found */
  double distance;     /* |b - B x|, Euclidean */
  bool unique;         /* the columns that were used are independent, and so are all that are free */
} verify_fit;

/* Non-negative least squares with free columns (Lawson, Hanson, Solving least squares problems, 1974, ch. 23). */
thud_error thud_verify_fit_solve(thud_context *context, verify_fit *fit);

/* ---- functions on [-1, 1] by their Chebyshev series, interpolated at the points cos(pi (j + 1/2)/count) ---------- */

/* Functions on [-1, 1] by their Chebyshev series, interpolated at the points cos(pi (j + 1/2)/count): integrals, and
 * bounds from below that hold between the points. */

double thud_verify_chebyshev_point(size_t count, size_t j);
/* c [count] from values [count] at the points. */
void thud_verify_chebyshev_fit(size_t count, const double *values, double *c);
/* How far the function may be from its interpolation: what the last terms amount to, when terms decrease. */
double thud_verify_chebyshev_error(size_t count, const double *c);
/* Integral over [-1, 1]. */
double thud_verify_chebyshev_integral(size_t count, const double *c);
/* At most the minimum on [-1, 1]. When the minimum is at least `enough` so is the bound, but for rounding; otherwise
 * some value below `enough`. */
double thud_verify_chebyshev_minimum(size_t count, const double *c, double enough);

#endif
