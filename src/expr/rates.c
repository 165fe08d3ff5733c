#include "expr/rates.h"

#include "expr/apply.h"
#include "expr/dual.h"

static expr_interval point(double x) { return expr_interval_point(x); }
static bool is_zero(expr_interval x) { return x.low == 0 && x.high == 0; }

/* The rate of a constant is 0 also where the slope has no bound. */
static expr_interval times(expr_interval x, expr_interval y) {
  return is_zero(x) || is_zero(y) ? point(0) : thud_interval_multiply(x, y);
}

static expr_interval quotient(expr_interval x, expr_interval y) { return is_zero(x) ? x : thud_interval_divide(x, y); }

/* 1/y for y >= 0, which may reach 0; less than 0 is rounding. */
static expr_interval inverse_of_positive(expr_interval y) {
  if (y.low > 0) return thud_interval_divide(point(1), y);
  if (!(y.high > 0) || isinf(y.low)) return expr_interval_entire();
  return (expr_interval){isfinite(y.high) ? expr_down(1 / y.high) : 0, (double)INFINITY};
}

static expr_interval square_sum(expr_interval x, expr_interval y) {
  return expr_interval_add(thud_interval_square(x), thud_interval_square(y));
}

/* ---- derivatives of operations ------------------------------------------------------------------------------------------ */

static bool is_whole(expr_interval p) { return p.low == p.high && p.low == floor(p.low); }

/* x^p, which is monotone in p: a constant that was rounded when it was read is an interval. */
static expr_interval power(expr_interval x, expr_interval p) {
  if (is_whole(p)) return thud_interval_whole_power(x, p.low);
  return expr_interval_hull(thud_interval_power(x, point(p.low)), thud_interval_power(x, point(p.high)));
}

/* x^p: p x^(p-1) x' for constants p, x^y (y' log x + y x'/x) otherwise. */
static expr_interval rate_of_power(const expr_rate *x, const expr_rate *p, expr_interval value) {
  expr_interval n = p->value, less = expr_interval_subtract(n, point(1));
  if (is_zero(p->rate)) {
    if (is_zero(n)) return point(0);
    bool root = !is_whole(n) && n.high < 1;
    expr_interval slope =
        root ? inverse_of_positive(power(x->value, expr_interval_negate(less))) : power(x->value, less);
    return times(times(n, slope), x->rate);
  }
  if (!(x->value.low > 0)) return expr_interval_entire();
  expr_interval logarithm = thud_interval_increasing(log, 0, (double)INFINITY, x->value);
  return times(value,
               expr_interval_add(times(p->rate, logarithm), times(p->value, thud_interval_divide(x->rate, x->value))));
}

/* A unit vector times (x', y') where the length itself may vanish. */
static expr_interval rate_of_length(const expr_rate *x, const expr_rate *y, expr_interval length) {
  if (length.low > 0)
    return thud_interval_divide(expr_interval_add(times(x->value, x->rate), times(y->value, y->rate)), length);
  double speed = thud_interval_sqrt(square_sum(x->rate, y->rate)).high;
  return (expr_interval){-speed, speed};
}

static expr_interval rate_of_angle(const expr_rate *y, const expr_rate *x) {
  expr_interval turn = expr_interval_subtract(times(x->value, y->rate), times(y->value, x->rate));
  return thud_interval_divide(turn, square_sum(x->value, y->value));
}

/* sqrt(1 - x^2) */
static expr_interval cosine_of_sine(expr_interval x) {
  expr_interval rest = expr_interval_subtract(point(1), thud_interval_square(x));
  rest.low = fmax(rest.low, 0);
  return thud_interval_sqrt(rest);
}

/* ---- values with their rates --------------------------------------------------------------------------------------------- */

static expr_rate pair(expr_interval value, expr_interval rate) {
  return (expr_rate){.value = value, .rate = rate, .middle = (double)NAN};
}

static expr_rate increasing(double (*f)(double), const expr_rate *x, expr_interval slope) {
  return pair(thud_interval_increasing(f, -(double)INFINITY, (double)INFINITY, x->value), times(slope, x->rate));
}

static expr_rate choose(const expr_instruction *i, const expr_rate *a, const expr_rate *b) {
  bool less = a->value.high<b->value.low, more = a->value.low> b->value.high, least = i->op == EXPR_MIN;
  if (less || more) return less == least ? *a : *b;
  double low = least ? fmin(a->value.low, b->value.low) : fmax(a->value.low, b->value.low);
  double high = least ? fmin(a->value.high, b->value.high) : fmax(a->value.high, b->value.high);
  return pair((expr_interval){low, high}, expr_interval_hull(a->rate, b->rate));
}

/* Comparisons, sign, step, floor over an interval in which they may jump. */
static expr_rate decide(expr_op op, expr_interval a, expr_interval b) {
  const expr_rate open = pair(expr_interval_entire(), expr_interval_entire());
  if (op == EXPR_FLOOR) return floor(a.low) == floor(a.high) ? pair(point(floor(a.low)), point(0)) : open;
  if (op == EXPR_SIGN || op == EXPR_STEP) b = point(0);
  if (!(a.high < b.low || a.low > b.high)) return open;
  double sign = a.low > b.high ? 1 : -1;
  double value = op == EXPR_SIGN                            ? sign
                 : op == EXPR_STEP                          ? sign > 0
                 : op == EXPR_LESS || op == EXPR_LESS_EQUAL ? sign < 0
                                                            : op == EXPR_NOT_EQUAL;
  return pair(point(value), point(0));
}

/* if(a, b, c) over an interval in which a may pass 0. */
static expr_rate branch(expr_interval a, const expr_rate *b, const expr_rate *c) {
  if (a.low > 0 || a.high < 0) return *b;
  if (is_zero(a)) return *c;
  return pair(expr_interval_hull(b->value, c->value), expr_interval_entire());
}

static expr_rate absolute(const expr_rate *x) {
  expr_interval other = expr_interval_negate(x->rate);
  if (x->value.low >= 0) return *x;
  if (x->value.high <= 0) return pair(expr_interval_negate(x->value), other);
  return pair(thud_interval_abs(x->value), expr_interval_hull(x->rate, other));
}

/* Sums, products, quotients, powers. */
static expr_rate arithmetic(const expr_instruction *i, const expr_rate *a, const expr_rate *b) {
  bool same = i->operand[0] == i->operand[1];
  expr_interval value;
  switch ((expr_op)i->op) {
  case EXPR_ADD: return pair(expr_interval_add(a->value, b->value), expr_interval_add(a->rate, b->rate));
  case EXPR_SUBTRACT:
    if (same) return pair(point(0), point(0));
    return pair(expr_interval_subtract(a->value, b->value), expr_interval_subtract(a->rate, b->rate));
  case EXPR_MULTIPLY:
    if (same) return pair(thud_interval_square(a->value), times(point(2), times(a->value, a->rate)));
    return pair(times(a->value, b->value), expr_interval_add(times(a->value, b->rate), times(a->rate, b->value)));
  case EXPR_DIVIDE:
    value = thud_interval_divide(a->value, b->value);
    return pair(
        value, quotient(is_zero(b->rate) ? a->rate : expr_interval_subtract(a->rate, times(value, b->rate)), b->value));
  default: value = power(a->value, b->value); return pair(value, rate_of_power(a, b, value));
  }
}

/* sin(0) is 0: the sign of rates beside it must not be lost to rounding. */
static expr_interval sine(expr_interval x) {
  expr_interval y = thud_interval_sin(x);
  if (x.low == 0 && x.high <= 3) y.low = 0;
  if (x.high == 0 && x.low >= -3) y.high = 0;
  return y;
}

static expr_interval root(expr_interval x) {
  expr_interval y = thud_interval_sqrt(x);
  if (x.low >= 0) y.low = fmax(y.low, 0);
  return y;
}

static expr_rate function_of_one(expr_op op, const expr_rate *x) {
  expr_interval v = x->value, r = x->rate, y;
  switch (op) {
  case EXPR_NEGATE: return pair(expr_interval_negate(v), expr_interval_negate(r));
  case EXPR_SIN: return pair(sine(v), times(thud_interval_cos(v), r));
  case EXPR_COS: return pair(thud_interval_cos(v), expr_interval_negate(times(sine(v), r)));
  case EXPR_TAN:
    y = thud_interval_tan(v);
    return pair(y, times(expr_interval_add(point(1), thud_interval_square(y)), r));
  case EXPR_ASIN:
    return pair(thud_interval_increasing(asin, -1, 1, v), times(inverse_of_positive(cosine_of_sine(v)), r));
  case EXPR_ACOS:
    return pair(thud_interval_acos(v), expr_interval_negate(times(inverse_of_positive(cosine_of_sine(v)), r)));
  case EXPR_ATAN:
    return increasing(atan, x, thud_interval_divide(point(1), expr_interval_add(point(1), thud_interval_square(v))));
  case EXPR_SINH: return increasing(sinh, x, thud_interval_cosh(v));
  case EXPR_COSH:
    return pair(thud_interval_cosh(v),
                times(thud_interval_increasing(sinh, -(double)INFINITY, (double)INFINITY, v), r));
  case EXPR_TANH: return increasing(tanh, x, thud_interval_sech_squared(v));
  case EXPR_EXP: y = thud_interval_increasing(exp, -(double)INFINITY, (double)INFINITY, v); return pair(y, times(y, r));
  case EXPR_LOG:
    if (!(v.low > 0)) break;
    return pair(thud_interval_increasing(log, 0, (double)INFINITY, v), thud_interval_divide(r, v));
  case EXPR_SQRT: y = root(v); return pair(y, times(times(point(0.5), inverse_of_positive(y)), r));
  case EXPR_ABS: return absolute(x);
  default: break;
  }
  return pair(expr_interval_entire(), expr_interval_entire());
}

static expr_rate apply(const expr_instruction *i, bool uncut, double middle, const expr_rate *a, const expr_rate *b,
                       const expr_rate *c) {
  switch ((expr_op)i->op) {
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_MULTIPLY:
  case EXPR_DIVIDE:
  case EXPR_POWER: return arithmetic(i, a, b);
  case EXPR_MIN:
  case EXPR_MAX: return choose(i, a, b);
  case EXPR_IF: return uncut ? branch(a->value, b, c) : a->middle != 0 ? *b : *c;
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return uncut ? decide((expr_op)i->op, a->value, b->value) : pair(point(middle), point(0));
  case EXPR_HYPOT: {
    expr_interval length = thud_interval_sqrt(square_sum(a->value, b->value));
    return pair(length, rate_of_length(a, b, length));
  }
  case EXPR_ATAN2: return pair((expr_interval){-3.1415926535897936, 3.1415926535897936}, rate_of_angle(a, b));
  default: return function_of_one((expr_op)i->op, a);
  }
}

/* A constant of the text, within the rounding that it was read or folded with. */
static expr_rate constant(const thud_expr *expr, int32_t k) {
  double x = expr->constants[k], units = expr->constant_errors[k];
  double error = units * EXPR_UNIT_ROUNDOFF * (units <= fabs(x) ? 1 : EXPR_ERROR_SAFETY);
  expr_interval value = error == 0 ? point(x) : expr_interval_of(expr_down(x - error), expr_up(x + error));
  return (expr_rate){.value = value, .rate = point(0), .middle = x};
}

static expr_rate still(double x) { return (expr_rate){.value = point(x), .rate = point(0), .middle = x}; }

expr_rate thud_expr_rate_over(const thud_expr *expr, const expr_rates *how, const expr_rate *t, expr_rate *work,
                              size_t room) {
  const expr_rate unknown = {expr_interval_entire(), expr_interval_entire(), (double)NAN};
  size_t count = (size_t)expr->count;
  if (room < count) return unknown;
  for (int32_t k = 0; k < expr->count; k++) {
    const expr_instruction *i = &expr->code[k];
    const expr_rate *x[EXPR_MAX_ARITY] = {&unknown, &unknown, &unknown};
    for (int j = 0; j < thud_expr_ops[i->op].arity; j++) x[j] = &work[i->operand[j]];
    work[k] = unknown;
    if (i->op == EXPR_CONSTANT)
      work[k] = constant(expr, i->reference);
    else if (i->op == EXPR_VARIABLE) {
      if (i->reference == how->slot)
        work[k] = *t;
      else if (how->variables != NULL)
        work[k] = still(how->variables[i->reference]);
    } else if (i->op == EXPR_FUNCTION) {
      if (how->function != NULL)
        how->function(how, &expr->functions[i->reference], x[0], work + count, room - count, &work[k]);
    } else {
      double middle = expr_apply((expr_op)i->op, x[0]->middle, x[1]->middle, x[2]->middle);
      work[k] = apply(i, how->uncut, middle, x[0], x[1], x[2]);
      work[k].middle = middle;
    }
  }
  return work[expr->result];
}
