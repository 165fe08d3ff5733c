/* The value of every operation: the one definition used by evaluation, constant folding and sided limits. */
#ifndef THUD_SRC_EXPR_APPLY_H
#define THUD_SRC_EXPR_APPLY_H

#include "expr/tape.h"

#include <math.h>

/* A NaN that enters a decision comes out again: "no" would hide it. */
static inline double expr_truth(bool yes, bool no) { return yes ? 1 : no ? 0 : (double)NAN; }

/* FUNCTION is not here: it needs the table of functions. */
static inline double expr_apply(expr_op op, double a, double b, double c) {
  switch (op) {
  case EXPR_ADD: return a + b;
  case EXPR_SUBTRACT: return a - b;
  case EXPR_MULTIPLY: return a * b;
  case EXPR_DIVIDE: return a / b;
  case EXPR_POWER: return pow(a, b);
  case EXPR_NEGATE: return -a;
  case EXPR_LESS: return expr_truth(a < b, a >= b);
  case EXPR_LESS_EQUAL: return expr_truth(a <= b, a > b);
  case EXPR_EQUAL: return expr_truth(a == b, a < b || a > b);
  case EXPR_NOT_EQUAL: return expr_truth(a < b || a > b, a == b);
  case EXPR_SIN: return sin(a);
  case EXPR_COS: return cos(a);
  case EXPR_TAN: return tan(a);
  case EXPR_ASIN: return asin(a);
  case EXPR_ACOS: return acos(a);
  case EXPR_ATAN: return atan(a);
  case EXPR_SINH: return sinh(a);
  case EXPR_COSH: return cosh(a);
  case EXPR_TANH: return tanh(a);
  case EXPR_EXP: return exp(a);
  case EXPR_LOG: return log(a);
  case EXPR_SQRT: return sqrt(a);
  case EXPR_ABS: return fabs(a);
  case EXPR_SIGN: return a > 0 ? 1 : a < 0 ? -1 : a == 0 ? 0 : a;
  case EXPR_STEP: return expr_truth(a >= 0, a < 0);
  case EXPR_FLOOR: return floor(a);
  case EXPR_MIN: return a < b ? a : b <= a ? b : (double)NAN;
  case EXPR_MAX: return a > b ? a : b >= a ? b : (double)NAN;
  case EXPR_ATAN2: return atan2(a, b);
  case EXPR_HYPOT: return isnan(a) || isnan(b) ? (double)NAN : hypot(a, b);
  case EXPR_IF: return a > 0 || a < 0 ? b : a == 0 ? c : a;
  case EXPR_CONSTANT:
  case EXPR_VARIABLE:
  case EXPR_FUNCTION:
  case EXPR_OP_COUNT: break;
  }
  return (double)NAN;
}

#endif
