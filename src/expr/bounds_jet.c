/* Taylor coefficients as balls: the recurrences of jet.c with a radius beside every number.
 *
 * Product of two series, coefficient k, n = k + 1 terms, u = 2^-53:
 *   middle = fl(sum a_j b_{k-j}),   radius = sum |a_j| rb_{k-j} + ra_j (|b_{k-j}| + rb_{k-j})  +  (n + 2) u sum |a_j b_{k-j}|
 * enlarged by the rounding of the radius itself. Order 0 of every value is the interval of the plain pass, which knows
 * more of wide intervals than balls do (squares are positive, sine is bounded). */
#include "expr/bounds.h"

#include "expr/apply.h"

#include <string.h>

typedef struct ball {
  double middle, radius;
} ball;

/* One series: [max_order + 1] each. */
typedef struct series {
  double *middle, *radius;
} series;

#define UNIT 0x1p-53

static ball ball_of(expr_interval x) {
  return expr_interval_is_finite(x) ? (ball){expr_interval_middle(x), expr_interval_radius(x)}
                                    : (ball){0, (double)INFINITY};
}

static ball at(series x, int k) { return (ball){x.middle[k], x.radius[k]}; }

/* NaN comes from infinity times 0 or from infinity less infinity: nothing is known. */
static void put(series y, int k, ball value) {
  bool known = isfinite(value.middle) && value.radius >= 0;
  y.middle[k] = known ? value.middle : 0;
  y.radius[k] = known ? value.radius : (double)INFINITY;
}

static ball add(ball a, ball b) {
  double middle = a.middle + b.middle;
  return (ball){middle, expr_up(a.radius + b.radius) + UNIT * 2 * fabs(middle)};
}

static ball negate(ball a) { return (ball){-a.middle, a.radius}; }
static ball subtract(ball a, ball b) { return add(a, negate(b)); }

/* (sum_{j=from..to} weight a_j b_{k-j})/divisor, weight = j when `weighted`, else 1. */
static ball weighted_sum(series a, series b, int k, int from, int to, bool weighted, double divisor) {
  double middle = 0, spread = 0, size = 0;
  for (int j = from; j <= to; j++) {
    double weight = weighted ? (double)j : 1, x = weight * a.middle[j], y = b.middle[k - j];
    double rx = weight * a.radius[j], ry = b.radius[k - j];
    middle += x * y;
    size += fabs(x * y);
    spread += fabs(x) * ry + rx * (fabs(y) + ry);
  }
  double terms = to - from + 5;
  double radius = (spread * (1 + terms * 4 * UNIT) + terms * 2 * UNIT * size + EXPR_UNDERFLOWS) / divisor;
  return (ball){middle / divisor, expr_up(radius) + 2 * UNIT * fabs(middle / divisor)};
}

static ball convolve(series a, series b, int k) { return weighted_sum(a, b, k, 0, k, false, 1); }
/* Coefficient k of the integral of a' b; `known` leaves out the last term, in which a_k would be the unknown. */
static ball integrate(series a, series b, int k) { return weighted_sum(a, b, k, 1, k, true, k); }
static ball integrate_known(series a, series b, int k) { return weighted_sum(a, b, k, 1, k - 1, true, k); }

/* x/b: |x'/b' - m| <= (rx + |m| rb + |x - m b|)/(|b| - rb). */
static ball divide(ball x, ball b) {
  double least = fabs(b.middle) - b.radius;
  if (!(least > 0)) return (ball){0, (double)INFINITY};
  double middle = x.middle / b.middle;
  double radius = (x.radius + fabs(middle) * b.radius + 3 * UNIT * fabs(x.middle)) / expr_down(least);
  return (ball){middle, radius * (1 + 8 * UNIT) + DBL_TRUE_MIN};
}

static ball twice(ball x) { return (ball){2 * x.middle, 2 * x.radius}; }

/* ---- operations, whole series at once ----------------------------------------------------------------------------- */

static series spare(const expr_bounds *bounds, int number) {
  size_t stride = (size_t)bounds->max_order + 1;
  double *first = bounds->spare + (size_t)number * 2 * stride;
  return (series){first, first + stride};
}

static void multiply(series a, series b, int order, series y) {
  for (int k = 1; k <= order; k++) put(y, k, convolve(a, b, k));
}

/* y^2 = square: coefficient k from those before. */
static ball root(series square, series y, int k) {
  ball rest = subtract(at(square, k), weighted_sum(y, y, k, 1, k - 1, false, 1));
  if (rest.middle == 0 && rest.radius == 0 && y.middle[0] == 0) return rest;
  return divide(rest, twice(at(y, 0)));
}

static void exponential(series x, int order, series y) {
  for (int k = 1; k <= order; k++) put(y, k, integrate(x, y, k));
}

static void logarithm(series x, int order, series y) {
  for (int k = 1; k <= order; k++) put(y, k, divide(subtract(at(x, k), integrate_known(y, x, k)), at(x, 0)));
}

/* sine and cosine, or with sign 1 sinh and cosh: y' = w x', w' = sign y x'. */
static void pair(series x, int order, double sign, series y, series w) {
  for (int k = 1; k <= order; k++) {
    ball cosine = integrate(x, y, k);
    put(y, k, integrate(x, w, k));
    put(w, k, sign < 0 ? negate(cosine) : cosine);
  }
}

/* y' = w x', w = 1 + sign y^2 */
static void tangent(series x, int order, double sign, series y, series w) {
  for (int k = 1; k <= order; k++) {
    put(y, k, integrate(x, w, k));
    ball square = convolve(y, y, k);
    put(w, k, sign < 0 ? negate(square) : square);
  }
}

/* w y' = sign x' with w^2 = 1 - x^2 (root) or w = 1 + x^2 */
static void arc(series x, int order, double sign, bool is_root, series y, series w, series square) {
  for (int k = 1; k <= order; k++) {
    ball s = convolve(x, x, k), slope = sign < 0 ? negate(at(x, k)) : at(x, k);
    put(square, k, negate(s));
    put(w, k, is_root ? root(square, w, k) : s);
    put(y, k, divide(subtract(slope, integrate_known(y, w, k)), at(w, 0)));
  }
}

/* x^n by repeated squaring: x may vanish. */
static void whole_power(const expr_bounds *bounds, series x, int order, int n, series y) {
  series power = spare(bounds, 0), other = spare(bounds, 1);
  size_t bytes = ((size_t)order + 1) * sizeof(double);
  bool empty = true;
  memcpy(power.middle, x.middle, bytes);
  memcpy(power.radius, x.radius, bytes);
  for (int left = n; left > 0; left >>= 1) {
    if (left & 1) {
      for (int k = 0; k <= order; k++) put(other, k, empty ? at(power, k) : convolve(y, power, k));
      memcpy(y.middle, other.middle, bytes);
      memcpy(y.radius, other.radius, bytes);
      empty = false;
    }
    for (int k = 0; k <= order && left > 1; k++) put(other, k, convolve(power, power, k));
    if (left > 1) {
      memcpy(power.middle, other.middle, bytes);
      memcpy(power.radius, other.radius, bytes);
    }
  }
}

/* y = x^p, x y' = p y x': y_k = (1/(k x_0)) sum_{j=1..k} (p j - (k - j)) x_j y_{k-j} */
static void constant_power(series x, int order, double p, series y) {
  for (int k = 1; k <= order; k++) {
    ball sum = {0, 0};
    for (int j = 1; j <= k; j++) {
      double weight = p * j - (k - j), wx = weight * x.middle[j], b = y.middle[k - j], rb = y.radius[k - j];
      double rx = fabs(weight) * x.radius[j] + 4 * UNIT * (fabs(p * j) + k) * fabs(x.middle[j]);
      sum = add(sum, (ball){wx * b, expr_up(fabs(wx) * rb + rx * (fabs(b) + rb)) * (1 + 8 * UNIT) +
                                        2 * UNIT * fabs(wx * b) + DBL_TRUE_MIN});
    }
    ball value = divide(sum, at(x, 0));
    put(y, k, (ball){value.middle / k, expr_up(value.radius / k) + 2 * UNIT * fabs(value.middle / k)});
  }
}

/* x^p = exp(p log x) */
static void general_power(const expr_bounds *bounds, series x, expr_interval base, series p, int order, series y) {
  series log_x = spare(bounds, 0), exponent = spare(bounds, 1);
  put(log_x, 0,
      ball_of(base.low > 0 ? thud_interval_increasing(log, 0, (double)INFINITY, base) : expr_interval_entire()));
  logarithm(x, order, log_x);
  for (int k = 0; k <= order; k++) put(exponent, k, convolve(p, log_x, k));
  exponential(exponent, order, y);
}

static bool rests(series x, int order) {
  for (int k = 1; k <= order; k++)
    if (x.middle[k] != 0 || x.radius[k] != 0) return false;
  return true;
}

/* Order 1 of x^p, p > 1, where x may be 0: p x_0^(p-1) x_1 without a division by x_0. */
static void slope_of_power(expr_interval base, expr_interval p, series x, series y) {
  expr_interval less = thud_interval_power(base, expr_interval_subtract(p, expr_interval_point(1)));
  ball slope = ball_of(thud_interval_multiply(p, less));
  double middle = slope.middle * x.middle[1];
  double radius = fabs(slope.middle) * x.radius[1] + slope.radius * (fabs(x.middle[1]) + x.radius[1]);
  put(y, 1, (ball){middle, expr_up(radius) * (1 + 8 * UNIT) + 2 * UNIT * fabs(middle) + DBL_TRUE_MIN});
}

static void power(const expr_bounds *bounds, const expr_instruction *i, series x, series p, int order, series y) {
  const thud_expr *tape = bounds->program->tape;
  expr_interval base = bounds->values[i->operand[0]], exponent = bounds->values[i->operand[1]];
  bool constant = tape->code[i->operand[1]].op == EXPR_CONSTANT;
  if (constant && rests(x, order)) {
    for (int k = 1; k <= order; k++) put(y, k, (ball){0, 0});
    return;
  }
  if (!constant || exponent.low != exponent.high)
    general_power(bounds, x, base, p, order, y);
  else if (exponent.low == floor(exponent.low) && exponent.low >= 1 && exponent.low <= 64)
    whole_power(bounds, x, order, (int)exponent.low, y);
  else
    constant_power(x, order, exponent.low, y);
  if (constant && order >= 1 && base.low == 0 && exponent.low > 1 && !isfinite(y.radius[1]))
    slope_of_power(base, exponent, x, y);
}

/* y = atan2(b, a): (a^2 + b^2) y' = a b' - b a' */
static void angle(const expr_bounds *bounds, const expr_instruction *i, series b, series a, int order, series y) {
  series square = spare(bounds, 0);
  put(square, 0,
      ball_of(expr_interval_add(thud_interval_square(bounds->values[i->operand[0]]),
                                thud_interval_square(bounds->values[i->operand[1]]))));
  for (int k = 1; k <= order; k++) {
    put(square, k, add(convolve(a, a, k), convolve(b, b, k)));
    ball turn = subtract(integrate(b, a, k), integrate(a, b, k));
    put(y, k, divide(subtract(turn, integrate_known(y, square, k)), at(square, 0)));
  }
}

static void hypotenuse(const expr_bounds *bounds, series a, series b, int order, series y) {
  series square = spare(bounds, 0);
  for (int k = 0; k <= order; k++) put(square, k, add(convolve(a, a, k), convolve(b, b, k)));
  for (int k = 1; k <= order; k++) put(y, k, root(square, y, k));
}

/* Functions of one argument whose equation needs a second series w; `x0` is order 0 of the argument. */
static bool unary(const expr_bounds *bounds, expr_op op, expr_interval x0, series x, int order, series y) {
  series w = spare(bounds, 0), more = spare(bounds, 1);
  expr_interval square = thud_interval_square(x0), one = expr_interval_point(1);
  switch (op) {
  case EXPR_SIN:
    put(w, 0, ball_of(thud_interval_cos(x0)));
    pair(x, order, -1, y, w);
    return true;
  case EXPR_COS: /* c' = (-s) x', (-s)' = -c x' */
    put(w, 0, negate(ball_of(thud_interval_sin(x0))));
    pair(x, order, -1, y, w);
    return true;
  case EXPR_SINH:
    put(w, 0, ball_of(thud_interval_cosh(x0)));
    pair(x, order, 1, y, w);
    return true;
  case EXPR_COSH:
    put(w, 0, ball_of(thud_interval_increasing(sinh, -(double)INFINITY, (double)INFINITY, x0)));
    pair(x, order, 1, y, w);
    return true;
  case EXPR_TAN:
    put(w, 0, ball_of(expr_interval_add(one, thud_interval_square(thud_interval_tan(x0)))));
    tangent(x, order, 1, y, w);
    return true;
  case EXPR_TANH:
    put(w, 0, ball_of(thud_interval_sech_squared(x0)));
    tangent(x, order, -1, y, w);
    return true;
  case EXPR_ASIN:
  case EXPR_ACOS:
    put(w, 0, ball_of(thud_interval_sqrt(expr_interval_subtract(one, square))));
    arc(x, order, op == EXPR_ASIN ? 1 : -1, true, y, w, more);
    return true;
  case EXPR_ATAN:
    put(w, 0, ball_of(expr_interval_add(one, square)));
    arc(x, order, 1, false, y, w, more);
    return true;
  default: return false;
  }
}

static void clear(int order, double radius, series y) {
  for (int k = 1; k <= order; k++) put(y, k, (ball){0, radius});
}

static series series_of(const expr_bounds *bounds, int32_t number) {
  size_t first = (size_t)number * ((size_t)bounds->max_order + 1);
  return (series){bounds->middle + first, bounds->radius + first};
}

void thud_bounds_start_constant(expr_bounds *bounds, int32_t number) {
  series y = series_of(bounds, number);
  put(y, 0, ball_of(bounds->values[number]));
  clear(bounds->max_order, 0, y);
  bounds->disc[number] = thud_bounds_disc_of_constant(bounds, number);
}

/* Coefficients 1 and up of operation number `number`. */
static void expand(const expr_bounds *bounds, const thud_expr_work *held, int32_t number, int order) {
  const expr_instruction *i = &bounds->program->tape->code[number];
  size_t stride = (size_t)bounds->max_order + 1;
  series s[EXPR_MAX_ARITY], y = {bounds->middle + (size_t)number * stride, bounds->radius + (size_t)number * stride};
  for (int j = 0; j < EXPR_MAX_ARITY; j++)
    s[j] = (series){bounds->middle + i->source[j] * stride, bounds->radius + i->source[j] * stride};
  series a = s[0], b = s[1];
  switch ((expr_op)i->op) {
  case EXPR_ADD:
  case EXPR_SUBTRACT:
    for (int k = 1; k <= order; k++)
      put(y, k, i->op == EXPR_ADD ? add(at(a, k), at(b, k)) : subtract(at(a, k), at(b, k)));
    break;
  case EXPR_NEGATE:
    for (int k = 1; k <= order; k++) put(y, k, negate(at(a, k)));
    break;
  case EXPR_MULTIPLY: multiply(a, b, order, y); break;
  case EXPR_DIVIDE:
    for (int k = 1; k <= order; k++)
      put(y, k, divide(subtract(at(a, k), weighted_sum(y, b, k, 0, k - 1, false, 1)), at(b, 0)));
    break;
  case EXPR_POWER: power(bounds, i, a, b, order, y); break;
  case EXPR_EXP: exponential(a, order, y); break;
  case EXPR_LOG: logarithm(a, order, y); break;
  case EXPR_SQRT:
    for (int k = 1; k <= order; k++) put(y, k, root(a, y, k));
    break;
  case EXPR_HYPOT: hypotenuse(bounds, a, b, order, y); break;
  case EXPR_ATAN2: angle(bounds, i, a, b, order, y); break;
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_IF: {
    expr_branch branch = thud_bounds_branch(bounds, held, i);
    if (branch.operand < 0) {
      clear(order, (double)INFINITY, y);
      break;
    }
    for (int k = 1; k <= order; k++) {
      ball x = at(s[branch.operand], k);
      put(y, k, branch.sign < 0 ? negate(x) : x);
    }
    break;
  }
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR:
    clear(order, bounds->values[number].low == bounds->values[number].high ? 0 : (double)INFINITY, y);
    break;
  default:
    if (!unary(bounds, (expr_op)i->op, bounds->values[i->operand[0]], a, order, y)) clear(order, (double)INFINITY, y);
  }
}

void thud_bounds_jet(expr_bounds *bounds, const thud_expr_work *held, int order, const double *middle,
                     const double *radius, size_t stride) {
  const thud_expr *tape = bounds->program->tape;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++) {
    series y = series_of(bounds, k);
    size_t slot = (size_t)tape->code[k].reference * stride;
    put(y, 0, ball_of(bounds->values[k]));
    for (int j = 1; j <= order; j++) put(y, j, (ball){middle[slot + (size_t)j], radius[slot + (size_t)j]});
  }
  for (int32_t n = 0, count = expr_live_count(held); n < count; n++) {
    int32_t k = expr_live_operation(held, n);
    put(series_of(bounds, k), 0, ball_of(bounds->values[k]));
    expand(bounds, held, k, order);
  }
}
