/* A small dense interior point method for conic programs
 *   minimise (1/2) x'Px + c.x  subject to  A x = b,  s = h - G x in K,
 * P = 1 for the first `squares` variables and 0 for the others, K = orthant x second-order cones { |s_1..| <= s_0 }.
 * It ends with multipliers y and z in K (all these cones are self-dual), P x + A'y + G'z + c = 0, and s.z = 0.
 * Every convex set of a scene can be written with such constraints (verify_set_project.h), so that one method decides all the
 * questions for which there is no closed form. After L. Vandenberghe, "The CVXOPT linear and quadratic cone program
 * solvers", 2010: Nesterov-Todd scaling, Mehrotra's predictor and corrector. */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_CONIC_H
#define THUD_SRC_VERIFY_MATH_VERIFY_CONIC_H

#include "base/base.h"

/* Matrices row by row. The numbers should be of order 1. */
typedef struct verify_conic {
  size_t variables;
  size_t squares;
  size_t equalities;
  size_t orthant;       /* first rows of G: s >= 0 */
  size_t block_count;   /* second-order cones, after the orthant */
  const size_t *blocks; /* [block_count] their sizes, >= 1 */
  size_t rows;          /* of G: orthant + sum of blocks */
  const double *A, *b;  /* [equalities x variables], [equalities] */
  const double *G, *h;  /* [rows x variables], [rows] */
  const double *c;      /* [variables] */
} verify_conic;

typedef struct verify_conic_answer {
  double gap;      /* s.z: how far the value can be from the optimum */
  double step;     /* length of Newton's step from x to the optimum, in the first `squares` variables: the error of x */
  double residual; /* largest violation of the primal and the dual equations */
  int iterations;
} verify_conic_answer;

/* x [variables] is the best point found; the answer says how good it is. THUD_ERROR_MEMORY is the only failure. */
thud_error thud_verify_conic_solve(thud_context *context, const verify_conic *program, double *x,
                                   verify_conic_answer *answer);

#endif
