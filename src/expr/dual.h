/* Numbers along time: value, derivative with respect to time on the side looked from, and a bound of the rounding
 * error, for limits from one side and for the times of jumps. */
#ifndef THUD_SRC_EXPR_DUAL_H
#define THUD_SRC_EXPR_DUAL_H

#include "expr/tape.h"

typedef struct expr_dual {
  double value;
  double slope; /* d/dt: from the left for THUD_SIDE_LEFT, from the right for THUD_SIDE_RIGHT */
  double error; /* first-order bound of |value - exact value| in units of u = 2^-53 (running error analysis, Higham,
                   Accuracy and Stability of Numerical Algorithms, section 3.3) */
} expr_dual;

/* A time that is a computed root of an affine function is off by a rounding or two. */
#define EXPR_TIME_ERROR 2.0
/* Terms of second order and the libm functions' own errors (below 1 ulp = 2u): the first-order bound times this. */
#define EXPR_ERROR_SAFETY 4.0
#define EXPR_UNIT_ROUNDOFF 0x1p-53

/* True when the number cannot be distinguished from zero: |value| <= EXPR_ERROR_SAFETY * u * error. */
bool thud_expr_dual_is_zero(expr_dual x);
/* Sign of the number on the side: when it moves (slope != 0) and is zero to rounding, the sign just beside it, or 0 for
 * THUD_SIDE_VALUE; otherwise the plain sign. NaN stays NaN. */
double thud_expr_dual_sign(expr_dual x, thud_side side);
/* a - b. */
expr_dual thud_expr_dual_difference(expr_dual a, expr_dual b);
/* Any op but FUNCTION and the leaves. x: [arity]. */
expr_dual thud_expr_dual_apply(expr_op op, const expr_dual *x, thud_side side);
/* An operation with its operands fetched, also FUNCTION: data are taken at the side when their variable is time, and
 * count as not moving (their slope is not known). */
expr_dual thud_expr_dual_run(const thud_expr *expr, const expr_instruction *instruction, const expr_dual *x,
                             thud_side side);
/* A variable's dual; `slot` is time. */
static inline expr_dual expr_dual_variable(double value, bool is_time) {
  return is_time ? (expr_dual){value, 1, EXPR_TIME_ERROR * (value < 0 ? -value : value)} : (expr_dual){value, 0, 0};
}

#endif
