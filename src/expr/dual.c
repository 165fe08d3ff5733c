#include "expr/dual.h"

#include "expr/apply.h"

bool thud_expr_dual_is_zero(expr_dual x) {
  return x.value == 0 || (isfinite(x.error) && fabs(x.value) <= EXPR_ERROR_SAFETY * EXPR_UNIT_ROUNDOFF * x.error);
}

/* Zero to rounding and about to change sign. */
static bool crosses_zero(expr_dual x) { return x.slope != 0 && !isnan(x.slope) && thud_expr_dual_is_zero(x); }

double thud_expr_dual_sign(expr_dual x, thud_side side) {
  if (!crosses_zero(x)) return expr_apply(EXPR_SIGN, x.value, 0, 0);
  return (double)side * (x.slope > 0 ? 1 : -1);
}

expr_dual thud_expr_dual_difference(expr_dual a, expr_dual b) {
  double value = a.value - b.value;
  return (expr_dual){value, a.slope - b.slope, a.error + b.error + fabs(value)};
}

/* 0 times a partial derivative is 0 even where that is infinite: the operand does not move. */
static double times(double partial, double rate) { return rate == 0 ? 0 : partial * rate; }

static double unary_derivative(expr_op op, double a, double value) {
  switch (op) {
  case EXPR_NEGATE: return -1;
  case EXPR_SIN: return cos(a);
  case EXPR_COS: return -sin(a);
  case EXPR_TAN: return 1 + value * value;
  case EXPR_ASIN: return 1 / sqrt((1 - a) * (1 + a));
  case EXPR_ACOS: return -1 / sqrt((1 - a) * (1 + a));
  case EXPR_ATAN: return 1 / (1 + a * a);
  case EXPR_SINH: return cosh(a);
  case EXPR_COSH: return sinh(a);
  case EXPR_TANH: return (1 - value) * (1 + value);
  case EXPR_EXP: return value;
  case EXPR_LOG: return 1 / a;
  case EXPR_SQRT: return 0.5 / value;
  default: return (double)NAN;
  }
}

static expr_dual apply_unary(expr_op op, expr_dual a) {
  double value = expr_apply(op, a.value, 0, 0), derivative = unary_derivative(op, a.value, value);
  double own = op == EXPR_NEGATE ? 0 : 2 * fabs(value); /* libm: below one ulp, that is 2u */
  return (expr_dual){value, times(derivative, a.slope), times(fabs(derivative), a.error) + own};
}

static void binary_derivatives(expr_op op, const expr_dual *x, double value, double *da, double *db) {
  double a = x[0].value, b = x[1].value;
  switch (op) {
  case EXPR_ADD: *da = *db = 1; break;
  case EXPR_SUBTRACT: *da = 1, *db = -1; break;
  case EXPR_MULTIPLY: *da = b, *db = a; break;
  case EXPR_DIVIDE: *da = 1 / b, *db = -value / b; break;
  case EXPR_POWER: *da = b * pow(a, b - 1), *db = value * log(a); break;
  case EXPR_ATAN2: *da = b / (a * a + b * b), *db = -a / (a * a + b * b); break;
  case EXPR_HYPOT: *da = a / value, *db = b / value; break;
  default: *da = *db = (double)NAN; break;
  }
}

static expr_dual apply_binary(expr_op op, const expr_dual *x) {
  double value = expr_apply(op, x[0].value, x[1].value, 0), da, db;
  binary_derivatives(op, x, value, &da, &db);
  double own = (op == EXPR_POWER || op == EXPR_ATAN2 || op == EXPR_HYPOT ? 2 : 1) * fabs(value);
  return (expr_dual){value, times(da, x[0].slope) + times(db, x[1].slope),
                     times(fabs(da), x[0].error) + times(fabs(db), x[1].error) + own};
}

static expr_dual piecewise_constant(double value) { return (expr_dual){value, 0, 0}; }

static expr_dual apply_floor(expr_dual a, thud_side side) {
  double nearest = rint(a.value);
  expr_dual excess = thud_expr_dual_difference(a, (expr_dual){nearest, 0, 0});
  if (!crosses_zero(excess)) return piecewise_constant(floor(a.value));
  return piecewise_constant(thud_expr_dual_sign(excess, side) < 0 ? nearest - 1 : nearest);
}

static expr_dual apply_comparison(expr_op op, const expr_dual *x, thud_side side) {
  expr_dual difference = thud_expr_dual_difference(x[0], x[1]);
  if (!crosses_zero(difference)) return piecewise_constant(expr_apply(op, x[0].value, x[1].value, 0));
  return piecewise_constant(expr_apply(op, thud_expr_dual_sign(difference, side), 0, 0));
}

static expr_dual apply_if(const expr_dual *x, thud_side side) {
  double condition = thud_expr_dual_sign(x[0], side);
  if (isnan(condition)) return piecewise_constant(condition);
  return condition != 0 ? x[1] : x[2];
}

static expr_dual apply_abs(expr_dual a, thud_side side) {
  if (crosses_zero(a)) return (expr_dual){fabs(a.value), (double)side * fabs(a.slope), a.error};
  return (expr_dual){fabs(a.value), a.value < 0 ? -a.slope : a.slope, a.error};
}

/* min of two; on a tie the slopes decide which one is smaller just beside. */
static expr_dual apply_min(const expr_dual *x, thud_side side) {
  double value = expr_apply(EXPR_MIN, x[0].value, x[1].value, 0);
  if (isnan(value)) return piecewise_constant(value);
  expr_dual difference = thud_expr_dual_difference(x[0], x[1]);
  bool first = crosses_zero(difference) && side != THUD_SIDE_VALUE ? thud_expr_dual_sign(difference, side) < 0
                                                                   : x[0].value < x[1].value;
  return (expr_dual){value, x[first ? 0 : 1].slope, fmax(x[0].error, x[1].error)};
}

static expr_dual negated(expr_dual x) { return (expr_dual){-x.value, -x.slope, x.error}; }

static expr_dual apply_max(const expr_dual *x, thud_side side) {
  const expr_dual opposite[2] = {negated(x[0]), negated(x[1])};
  return negated(apply_min(opposite, side));
}

/* atan2(y, x) jumps from -pi to pi where y passes zero with x < 0 (the value there is pi), and between 0 and pi where
 * x passes zero with y resting at 0. */
static expr_dual apply_atan2(const expr_dual *x, thud_side side) {
  expr_dual angle = apply_binary(EXPR_ATAN2, x);
  if (x[1].value < 0 && crosses_zero(x[0]))
    angle.value = atan2(thud_expr_dual_sign(x[0], side) < 0 ? -0.0 : 0.0, x[1].value);
  else if (x[0].value == 0 && x[0].slope == 0 && crosses_zero(x[1]))
    angle.value = atan2(x[0].value, thud_expr_dual_sign(x[1], side));
  return angle;
}

/* At the origin hypot has a corner like abs. */
static expr_dual apply_hypot(const expr_dual *x, thud_side side) {
  if (x[0].value != 0 || x[1].value != 0) return apply_binary(EXPR_HYPOT, x);
  return (expr_dual){0, (double)side * hypot(x[0].slope, x[1].slope), hypot(x[0].error, x[1].error)};
}

expr_dual thud_expr_dual_apply(expr_op op, const expr_dual *x, thud_side side) {
  switch (op) {
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL: return apply_comparison(op, x, side);
  case EXPR_SIGN: return piecewise_constant(thud_expr_dual_sign(x[0], side));
  case EXPR_STEP: return piecewise_constant(expr_apply(EXPR_STEP, thud_expr_dual_sign(x[0], side), 0, 0));
  case EXPR_FLOOR: return apply_floor(x[0], side);
  case EXPR_IF: return apply_if(x, side);
  case EXPR_ABS: return apply_abs(x[0], side);
  case EXPR_MIN: return apply_min(x, side);
  case EXPR_MAX: return apply_max(x, side);
  case EXPR_ATAN2: return apply_atan2(x, side);
  case EXPR_HYPOT: return apply_hypot(x, side);
  default: return thud_expr_ops[op].arity == 1 ? apply_unary(op, x[0]) : apply_binary(op, x);
  }
}

expr_dual thud_expr_dual_run(const thud_expr *expr, const expr_instruction *instruction, const expr_dual *x,
                             thud_side side) {
  if (instruction->op != EXPR_FUNCTION) return thud_expr_dual_apply((expr_op)instruction->op, x, side);
  const thud_regulated *function = &expr->functions[instruction->reference];
  double value;
  thud_side seen = x[0].slope != 0 ? side : THUD_SIDE_VALUE;
  if (function->evaluate(function->user, x[0].value, seen, &value) != 0) value = (double)NAN;
  return (expr_dual){value, 0, 2 * fabs(value)};
}
