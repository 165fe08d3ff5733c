/* Times at which an expression of one variable turns from rising to falling or back: its slope is enclosed, value by value,
 * and pieces on which it may have both signs are halved. Between the times found it is proved to be monotone. */
#include "base/base.h"
#include "expr/interval.h"
#include "expr/tape.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A value and its slope on a piece. Where min, max and abs are not decided the slope is that of either branch, which holds
 * for the continuous function (Clarke). */
typedef struct slope {
  expr_interval value, rate;
} slope;

typedef struct turn_search {
  thud_context *context;
  const thud_expr *expr;
  thud_expr_piece_fn piece;
  double *at; /* [variable_count] the variables */
  thud_index slot;
  double from, to;
  slope *slopes; /* [room] of the expression, and behind them those of the pieces of data that it calls */
  size_t room;
  thud_error error; /* of making room */
  int sign;         /* of the slope on the last monotone piece */
  size_t passes;    /* left */
  double size;      /* bound of the values on the first piece that has one */
  size_t count, capacity;
  double (*clusters)[2]; /* [count] pieces too short to halve */
} turn_search;

enum {
  PASSES = 20000, /* pieces of one expression */
  SHORTEST = 32,  /* units in the last place of a piece that is not halved */
  SAMPLES = 256   /* times at which such a piece is looked at */
};
/* Turns by less than this part of the largest value are rounding. */
static const double SMALL = 1e-10;
/* Values less than this are 0: enclosures of what underflows have both signs. */
static const double NOTHING = 1e-260;

static expr_interval times(expr_interval a, expr_interval b) {
  bool nothing = (a.low == 0 && a.high == 0) || (b.low == 0 && b.high == 0);
  return nothing ? expr_interval_point(0) : thud_interval_multiply(a, b);
}

static bool is_still(const slope *x) { return x->rate.low == 0 && x->rate.high == 0; }

/* abs, min, max, if. */
static slope choose(expr_op op, const slope *a, const slope *b, const slope *c) {
  slope zero = {expr_interval_point(0), expr_interval_point(0)}, negative;
  if (op == EXPR_IF) {
    if (a->value.low > 0 || a->value.high < 0) return *b;
    if (a->value.low == 0 && a->value.high == 0) return *c;
    return (slope){expr_interval_hull(b->value, c->value), expr_interval_entire()};
  }
  if (op == EXPR_ABS) {
    negative = (slope){expr_interval_negate(a->value), expr_interval_negate(a->rate)};
    if (a->value.low >= 0) return *a;
    if (a->value.high <= 0) return negative;
    return (slope){thud_interval_abs(a->value), expr_interval_hull(a->rate, negative.rate)};
  }
  if (op == EXPR_MIN && a->value.high <= b->value.low) return *a;
  if (op == EXPR_MIN && b->value.high <= a->value.low) return *b;
  if (op == EXPR_MAX && a->value.low >= b->value.high) return *a;
  if (op == EXPR_MAX && b->value.low >= a->value.high) return *b;
  double low = op == EXPR_MIN ? fmin(a->value.low, b->value.low) : fmax(a->value.low, b->value.low);
  double high = op == EXPR_MIN ? fmin(a->value.high, b->value.high) : fmax(a->value.high, b->value.high);
  zero.value = (expr_interval){low, high};
  zero.rate = expr_interval_hull(a->rate, b->rate);
  return zero;
}

/* Comparisons, sign, step, floor: constant where they are decided; otherwise they may jump. */
static slope decide(expr_op op, expr_interval a, expr_interval b) {
  const slope open = {expr_interval_entire(), expr_interval_entire()};
  if (op == EXPR_FLOOR) {
    bool same = floor(a.low) == floor(a.high);
    return same ? (slope){expr_interval_point(floor(a.low)), expr_interval_point(0)} : open;
  }
  if (op == EXPR_SIGN || op == EXPR_STEP) b = expr_interval_point(0);
  if (!(a.high < b.low || a.low > b.high)) return open;
  double sign = a.low > b.high ? 1 : -1;
  double value = op == EXPR_SIGN                            ? sign
                 : op == EXPR_STEP                          ? sign > 0
                 : op == EXPR_LESS || op == EXPR_LESS_EQUAL ? sign < 0
                                                            : op == EXPR_NOT_EQUAL;
  return (slope){expr_interval_point(value), expr_interval_point(0)};
}

static slope power(const slope *x, const slope *y) {
  bool constant = y->value.low == y->value.high && is_still(y);
  const slope open = {thud_interval_power(x->value, y->value), expr_interval_entire()};
  if (!constant) return open;
  double n = y->value.low;
  bool whole = n == floor(n);
  expr_interval less =
      whole ? thud_interval_whole_power(x->value, n - 1) : thud_interval_power(x->value, expr_interval_point(n - 1));
  return (slope){whole ? thud_interval_whole_power(x->value, n) : open.value,
                 times(times(expr_interval_point(n), less), x->rate)};
}

/* Functions of one argument: f(x) and f'(x). */
static slope apply_function(expr_op op, expr_interval x) {
  const double infinite = (double)INFINITY;
  expr_interval one = expr_interval_point(1), square = thud_interval_square(x);
  switch (op) {
  case EXPR_SIN: return (slope){thud_interval_sin(x), thud_interval_cos(x)};
  case EXPR_COS: return (slope){thud_interval_cos(x), expr_interval_negate(thud_interval_sin(x))};
  case EXPR_TAN: {
    expr_interval tangent = thud_interval_tan(x);
    return (slope){tangent, expr_interval_add(one, thud_interval_square(tangent))};
  }
  case EXPR_ATAN:
    return (slope){thud_interval_increasing(atan, -infinite, infinite, x),
                   thud_interval_divide(one, expr_interval_add(one, square))};
  case EXPR_SINH: return (slope){thud_interval_increasing(sinh, -infinite, infinite, x), thud_interval_cosh(x)};
  case EXPR_COSH: return (slope){thud_interval_cosh(x), thud_interval_increasing(sinh, -infinite, infinite, x)};
  case EXPR_TANH: return (slope){thud_interval_increasing(tanh, -infinite, infinite, x), thud_interval_sech_squared(x)};
  case EXPR_EXP: {
    expr_interval value = thud_interval_increasing(exp, -infinite, infinite, x);
    return (slope){value, value};
  }
  case EXPR_LOG:
    if (!(x.low > 0)) break;
    return (slope){thud_interval_increasing(log, 0, infinite, x), thud_interval_divide(one, x)};
  case EXPR_SQRT: {
    expr_interval root = thud_interval_sqrt(x);
    expr_interval rate = expr_interval_of(0, infinite); /* it rises, also where it begins */
    if (root.low > 0) rate = thud_interval_divide(expr_interval_point(0.5), root);
    return (slope){root, rate};
  }
  default: break;
  }
  return (slope){expr_interval_entire(), expr_interval_entire()};
}

static slope apply(expr_op op, const slope *a, const slope *b, const slope *c) {
  switch (op) {
  case EXPR_ADD: return (slope){expr_interval_add(a->value, b->value), expr_interval_add(a->rate, b->rate)};
  case EXPR_SUBTRACT:
    return (slope){expr_interval_subtract(a->value, b->value), expr_interval_subtract(a->rate, b->rate)};
  case EXPR_MULTIPLY:
    if (a == b) return (slope){thud_interval_square(a->value), times(times(expr_interval_point(2), a->value), a->rate)};
    return (slope){thud_interval_multiply(a->value, b->value),
                   expr_interval_add(times(a->rate, b->value), times(a->value, b->rate))};
  case EXPR_DIVIDE: {
    expr_interval value = thud_interval_divide(a->value, b->value);
    expr_interval above = is_still(b) ? a->rate : expr_interval_subtract(a->rate, times(value, b->rate));
    bool nothing = above.low == 0 && above.high == 0;
    return (slope){value, nothing ? above : thud_interval_divide(above, b->value)};
  }
  case EXPR_NEGATE: return (slope){expr_interval_negate(a->value), expr_interval_negate(a->rate)};
  case EXPR_POWER: return power(a, b);
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return decide(op, a->value, b->value);
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_IF: return choose(op, a, b, c);
  default: break;
  }
  if (thud_expr_ops[op].arity != 1) return (slope){expr_interval_entire(), expr_interval_entire()};
  slope function = apply_function(op, a->value);
  return (slope){function.value, times(function.rate, a->rate)};
}

static slope slope_over(turn_search *s, const thud_expr *expr, size_t first, slope time);

/* Data are the piece that holds on the whole interval of time. */
static slope slope_of_data(turn_search *s, const thud_regulated *function, size_t first, slope time) {
  const thud_expr *expr = NULL;
  double constant = 0;
  if (s->piece == NULL || !s->piece(function, time.value.low, time.value.high, &expr, &constant))
    return (slope){expr_interval_entire(), expr_interval_entire()};
  if (expr == NULL) return (slope){expr_interval_point(constant), expr_interval_point(0)};
  return slope_over(s, expr, first, time);
}

static slope slope_of_operation(turn_search *s, const thud_expr *expr, size_t first, const expr_instruction *i) {
  const slope *x[EXPR_MAX_ARITY];
  bool still = true;
  for (int j = 0; j < EXPR_MAX_ARITY; j++) {
    int32_t operand = j < thud_expr_ops[i->op].arity ? i->operand[j] : i->operand[0];
    x[j] = &s->slopes[first + (size_t)operand];
    still = still && is_still(x[j]);
  }
  if (i->op == EXPR_FUNCTION)
    return slope_of_data(s, &expr->functions[i->reference], first + (size_t)expr->count, *x[0]);
  slope y = apply((expr_op)i->op, x[0], x[1], x[2]);
  if (still) y.rate = expr_interval_point(0);
  return y;
}

/* An expression over an interval of time; its values are kept from slopes[first] on. */
static slope slope_over(turn_search *s, const thud_expr *expr, size_t first, slope time) {
  if (s->error == THUD_OK)
    s->error = thud_array_reserve(s->context, &s->slopes, &s->room, first + (size_t)expr->count, sizeof *s->slopes);
  if (s->error != THUD_OK) return (slope){expr_interval_entire(), expr_interval_entire()};
  for (int32_t k = 0; k < expr->count && s->error == THUD_OK; k++) {
    const expr_instruction *i = &expr->code[k];
    slope y = time;
    if (i->op == EXPR_CONSTANT)
      y = (slope){expr_interval_point(expr->constants[k]), expr_interval_point(0)};
    else if (i->op != EXPR_VARIABLE)
      y = slope_of_operation(s, expr, first, i);
    else if (i->reference != s->slot)
      y = (slope){expr_interval_point(s->at[i->reference]), expr_interval_point(0)};
    s->slopes[first + (size_t)k] = y; /* data may have moved the list */
  }
  return s->slopes[first + (size_t)expr->result];
}

static double unit_of(double a, double b) { return DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), DBL_MIN); }

static thud_error add_cluster(turn_search *s, double a, double b) {
  if (s->count > 0 && s->clusters[s->count - 1][1] == a) {
    s->clusters[s->count - 1][1] = b;
    return THUD_OK;
  }
  thud_error error = thud_array_reserve(s->context, &s->clusters, &s->capacity, s->count + 1, sizeof *s->clusters);
  if (error != THUD_OK) return error;
  s->clusters[s->count][0] = a, s->clusters[s->count][1] = b;
  s->count++;
  return THUD_OK;
}

/* A turn may lie just where two pieces meet; where the expression is constant the sign before goes on. */
static thud_error pass_monotone(turn_search *s, double a, int sign) {
  bool turns = sign * s->sign < 0;
  if (sign != 0) s->sign = sign;
  return turns ? add_cluster(s, a, a) : THUD_OK;
}

/* Pieces in their order; the depth is at most that of a double. */
static thud_error divide(turn_search *s, double a, double b) {
  if (s->passes == 0) return THUD_OK;
  s->passes--;
  const slope whole = slope_over(s, s->expr, 0, (slope){expr_interval_of(a, b), expr_interval_point(1)});
  const expr_interval rate = whole.rate, value = whole.value;
  if (s->error != THUD_OK) return s->error;
  if (rate.low >= 0 || rate.high <= 0) return pass_monotone(s, a, (rate.high > 0) - (rate.low < 0));
  /* a piece on which it changes by less than the turns that count, however often */
  if (s->size == 0 && expr_interval_is_finite(value)) s->size = fmax(expr_interval_size(value), NOTHING);
  if (expr_interval_size(rate) <= SMALL * SMALL * s->size / (s->to - s->from)) return THUD_OK;
  double middle = a + (b - a) / 2;
  if (b - a <= SHORTEST * unit_of(a, b) || !(middle > a && middle < b)) return add_cluster(s, a, b);
  thud_error error = divide(s, a, middle);
  return error == THUD_OK ? divide(s, middle, b) : error;
}

static double value_at(const turn_search *s, double t) {
  thud_side side = t == s->from ? THUD_SIDE_RIGHT : t == s->to ? THUD_SIDE_LEFT : THUD_SIDE_VALUE;
  s->at[s->slot] = t;
  return thud_expr_evaluate_side(s->expr, s->at, s->slot, side);
}

/* The time in a cluster at which the expression lies farthest outside of its ends. */
static double extreme_of(const turn_search *s, double a, double b) {
  double low = fmin(value_at(s, a), value_at(s, b)), high = fmax(value_at(s, a), value_at(s, b));
  double best = a + (b - a) / 2, most = 0;
  for (int k = 0; k <= SAMPLES; k++) {
    double t = a + (b - a) * k / SAMPLES, value = value_at(s, t), outside = fmax(value - high, low - value);
    if (outside > most) most = outside, best = t;
  }
  return best;
}

/* Clusters at which the expression turns by more than rounding: its times, in their order. */
static void keep_turns(const turn_search *s, double *times_found, size_t *kept) {
  double largest = fmax(fabs(value_at(s, s->from)), fabs(value_at(s, s->to)));
  *kept = 0;
  for (size_t k = 0; k < s->count; k++) {
    times_found[k] = extreme_of(s, s->clusters[k][0], s->clusters[k][1]);
    largest = fmax(largest, fabs(value_at(s, times_found[k])));
  }
  double before = value_at(s, s->from);
  for (size_t k = 0; k < s->count; k++) {
    double here = value_at(s, times_found[k]), next = value_at(s, k + 1 < s->count ? times_found[k + 1] : s->to);
    double rise = here - before, fall = here - next;
    bool inside = s->clusters[k][0] > s->from && s->clusters[k][1] < s->to;
    before = here;
    if (inside && rise * fall > 0 && fmin(fabs(rise), fabs(fall)) > SMALL * largest)
      times_found[(*kept)++] = times_found[k];
  }
}

thud_error thud_expr_turning_times(thud_context *context, const thud_expr *expr, thud_expr_piece_fn piece,
                                   const double *variables, thud_index slot, double from, double to,
                                   double **times_found, size_t *count, bool *complete) {
  THUD_REQUIRE(context, context, expr, variables, times_found, count, complete);
  turn_search s = {.context = context,
                   .expr = expr,
                   .piece = piece,
                   .at = THUD_NEW_ARRAY(context, double, expr->variable_count),
                   .slot = slot,
                   .from = from,
                   .to = to,
                   .passes = PASSES};
  *times_found = NULL;
  *count = 0;
  thud_error error = s.at != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) memcpy(s.at, variables, (size_t)expr->variable_count * sizeof *variables);
  if (error == THUD_OK && to > from) error = divide(&s, from, to);
  *complete = s.passes > 0;
  if (error == THUD_OK && *complete && s.count > 0) {
    *times_found = THUD_NEW_ARRAY(context, double, s.count);
    error = *times_found != NULL ? THUD_OK : THUD_ERROR_MEMORY;
    if (error == THUD_OK) keep_turns(&s, *times_found, count);
  }
  thud_free(context, s.slopes);
  thud_free(context, s.at);
  thud_free(context, s.clusters);
  return error;
}
