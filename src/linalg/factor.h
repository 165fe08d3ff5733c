/* Interface of the factorisations behind factor.c: CHOLMOD (factor_cholmod.c) or thud's own LDL' (factor_ldl.c), chosen
 * when the library is built. */
#ifndef THUD_SRC_LINALG_FACTOR_H
#define THUD_SRC_LINALG_FACTOR_H

#include "linalg/dense.h"

#include <math.h>

typedef struct thud_factor_backend thud_factor_backend;

/* Lower triangle of a symmetric matrix by columns; every diagonal entry is stored, as the first one of its column. */
typedef struct thud_lower_pattern {
  thud_index n;
  const thud_index *start; /* [n+1] */
  const thud_index *row;   /* [start[n]] increasing within a column, row[start[j]] = j */
} thud_lower_pattern;

/* The first pivot that cannot be divided by. */
typedef struct thud_bad_pivot {
  thud_index column; /* of the given matrix; -1: every pivot is good */
  double pivot;      /* NaN when the method does not determine */
  double scale;      /* magnitude of the terms that it is the sum of */
} thud_bad_pivot;

/* error: thud_pivot_error. */
static inline bool thud_pivot_is_bad(thud_factor_kind kind, double pivot, double error) {
  return !(fabs(pivot) > error && isfinite(pivot)) || (kind == THUD_FACTOR_CHOLESKY && pivot < 0);
}

/* Orders and analyses; the pattern is borrowed and must outlive the backend. */
thud_error thud_factor_backend_create(thud_context *context, const thud_lower_pattern *pattern, thud_factor_kind kind,
                                      thud_factor_backend **backend);
void thud_factor_backend_destroy(thud_context *context, thud_factor_backend *backend);
/* value[start[n]] on the pattern. THUD_OK also when a pivot is bad. With a shift in the values (shifted), inherited
 * errors do not make a pivot bad: the shift keeps it away from 0 (the errors of dependent rows cancel, which their sum
 * does not see), and the refinement answers for the accuracy. */
thud_error thud_factor_backend_factorize(thud_context *context, thud_factor_backend *backend, const double *value,
                                         bool shifted, thud_bad_pivot *bad);
/* x[n] = (LDL')^-1 x in place. */
/* count columns. */
thud_error thud_factor_backend_solve(thud_context *context, thud_factor_backend *backend, size_t count, double *x);

/* x[n*count] are solutions for b[n*count] that thud_factor_solve_many has found: one step of refinement for all of them.
 * work[n*count] is scratch. */
thud_error thud_factor_refine_many(thud_factor *factor, size_t count, const double *b, double *x, double *work);

#endif
