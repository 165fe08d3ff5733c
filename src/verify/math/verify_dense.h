/* Plain dense loops of the checker: its own, so that an error of the library's linear algebra cannot hide itself. All
 * matrices are stored row by row. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_DENSE_H
#define THUD_SRC_VERIFY_MATH_VERIFY_DENSE_H

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

#endif
