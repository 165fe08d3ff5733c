/* The combination of given columns next to a vector, with the signs that reactions may have. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_FIT_H
#define THUD_SRC_VERIFY_MATH_VERIFY_FIT_H

#include "base/base.h"

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

#endif
