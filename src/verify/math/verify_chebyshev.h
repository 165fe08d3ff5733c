/* Functions on [-1, 1] by their Chebyshev series, interpolated at the points cos(pi (j + 1/2)/count): integrals, and
 * bounds from below that hold between the points. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_CHEBYSHEV_H
#define THUD_SRC_VERIFY_MATH_VERIFY_CHEBYSHEV_H

#include <stddef.h>

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
