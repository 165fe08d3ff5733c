/* Enclosures of the values of a program along a path: the plain pass with one interval for every value, and the pass with
 * Taylor coefficients. */
#include "verify/math/verify_enclosure.h"

#include <string.h>

/* A decimal fraction is rounded when it is read, folding rounds again: the tape has a bound, to first order. */
static verify_interval constant(const thud_expr *tape, int32_t k) {
  double x = tape->constants[k], error = 2 * tape->constant_errors[k] * 0x1p-53;
  return error == 0 ? verify_point(x) : verify_around(x, error);
}

/* With fewer switches everything is computed: a search would save nothing. */
enum { MANY_SWITCHES = 16 };
/* Of the search: a value not seen yet, and one that is computed. */
enum { NEW = 0, DONE = EXPR_MAX_ARITY + 2 };

thud_error thud_verify_enclosure_create(thud_context *context, const thud_expr_program *program, int order,
                                        verify_enclosure **enclosure) {
  size_t count = (size_t)program->tape->count, all = count + VERIFY_SPARE_SERIES, width = 2 * ((size_t)order + 1),
         cells;
  if (!thud_size_multiply(all, width, &cells))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "series of %zu values to order %d", count, order);
  verify_enclosure *e = THUD_NEW(context, verify_enclosure);
  if (e == NULL) return THUD_ERROR_MEMORY;
  *e = (verify_enclosure){.context = context, .program = program, .order = order};
  e->values = THUD_NEW_ARRAY(context, verify_interval, count);
  e->series = THUD_NEW_ARRAY(context, verify_series, all);
  e->numbers = THUD_NEW_ARRAY(context, double, cells);
  e->held = THUD_NEW_ARRAY(context, int8_t, (size_t)program->switch_count + 1);
  e->needed = THUD_NEW_ARRAY(context, int32_t, count);
  e->stack = THUD_NEW_ARRAY(context, int32_t, count);
  e->place = THUD_NEW_ARRAY(context, int8_t, count);
  e->met = THUD_NEW_ARRAY(context, int32_t, (size_t)program->switch_count + 1);
  e->is_met = THUD_NEW_ARRAY(context, bool, (size_t)program->switch_count + 1);
  e->compound = THUD_NEW_ARRAY(context, int32_t, (size_t)program->switch_count + 1);
  e->kept =
      THUD_NEW_ARRAY(context, verify_interval, (size_t)(program->tape->leaf_count - program->tape->constant_count) + 1);
  bool lists = e->needed != NULL && e->stack != NULL && e->place != NULL && e->met != NULL && e->is_met != NULL &&
               e->compound != NULL && e->kept != NULL;
  if (e->values == NULL || e->series == NULL || e->numbers == NULL || e->held == NULL || !lists) {
    thud_verify_enclosure_destroy(e);
    return THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < all; k++)
    e->series[k] = (verify_series){.middle = e->numbers + k * width, .radius = e->numbers + k * width + width / 2};
  for (int32_t k = 0; k < program->tape->constant_count; k++) {
    e->values[k] = constant(program->tape, k);
    thud_verify_series_start(&e->series[k], e->values[k]);
  }
  e->lazy = program->switch_count >= MANY_SWITCHES;
  for (int32_t j = 0; j < (int32_t)program->switch_count; j++)
    if (!thud_verify_is_of_leaves(e, j)) e->compound[e->compound_count++] = j;
  *enclosure = e;
  return THUD_OK;
}

void thud_verify_enclosure_destroy(verify_enclosure *e) {
  if (e == NULL) return;
  thud_free(e->context, e->values);
  thud_free(e->context, e->series);
  thud_free(e->context, e->numbers);
  thud_free(e->context, e->held);
  thud_free(e->context, e->needed);
  thud_free(e->context, e->stack);
  thud_free(e->context, e->place);
  thud_free(e->context, e->met);
  thud_free(e->context, e->is_met);
  thud_free(e->context, e->compound);
  thud_free(e->context, e->kept);
  thud_free(e->context, e);
}

/* ---- decisions --------------------------------------------------------------------------------------------------- */

/* The side on which the operation's switch is held, as the operation sees it. */
static int held_side(const verify_enclosure *e, const expr_instruction *i) {
  int32_t reference = i->reference;
  return reference == 0 ? 0 : reference > 0 ? e->held[reference - 1] : -e->held[-reference - 1];
}

/* The operand that abs, min, max, if have the value of, with a sign; -1: not decided. */
static int branch_of(const verify_enclosure *e, const expr_instruction *i, double *sign) {
  const verify_interval *a = &e->values[i->source[0]], *b = &e->values[i->source[1]];
  int side = held_side(e, i);
  *sign = 1;
  if (i->op == EXPR_IF) {
    if (side != 0 || verify_sign(*a) != 0) return 1;
    return a->low == 0 && a->high == 0 ? 2 : -1;
  }
  if (i->op == EXPR_ABS) {
    *sign = side != 0 ? side : verify_sign(*a);
    return *sign != 0 ? 0 : -1;
  }
  if (side == 0) side = a->high < b->low ? -1 : a->low > b->high ? 1 : 0;
  return side == 0 ? -1 : (side < 0) == (i->op == EXPR_MIN) ? 0 : 1;
}

/* abs, min, max, if: what is chosen, or all that may be. */
static verify_interval choose(verify_enclosure *e, const expr_instruction *i) {
  const verify_interval *values = e->values;
  double sign;
  int branch = branch_of(e, i, &sign);
  if (branch >= 0) {
    verify_interval x = values[i->source[branch]];
    if (sign < 0) x = verify_negative(x);
    if (i->op == EXPR_ABS && x.low < 0 && x.high >= 0) x.low = 0; /* held up to where the argument is 0 */
    return x;
  }
  e->open = true;
  verify_interval a = values[i->source[0]], b = values[i->source[1]];
  if (i->op == EXPR_ABS) return thud_verify_interval_abs(a);
  if (i->op == EXPR_IF) return verify_hull(b, values[i->source[2]]);
  if (i->op == EXPR_MIN) return (verify_interval){verify_least(a.low, b.low), verify_least(a.high, b.high)};
  return (verify_interval){verify_most(a.low, b.low), verify_most(a.high, b.high)};
}

/* What a comparison, sign or step is where its argument has the sign `side`. */
static double decided(expr_op op, int side) {
  switch (op) {
  case EXPR_LESS:
  case EXPR_LESS_EQUAL: return side < 0;
  case EXPR_EQUAL: return 0;
  case EXPR_NOT_EQUAL: return 1;
  case EXPR_SIGN: return side;
  default: return side > 0;
  }
}

/* The argument of the switch of a floor has the sign + between an even number and the next one. */
static double floor_of_side(int side, double x) {
  double below = floor(x);
  bool even = fmod(below, 2) == 0;
  if (even == (side > 0)) return below;
  return x - below < 0.5 ? below - 1 : below + 1;
}

/* The same where the sides are equal. */
static double decided_equal(expr_op op) { return op == EXPR_LESS_EQUAL || op == EXPR_EQUAL || op == EXPR_STEP; }

static verify_interval decide(verify_enclosure *e, const expr_instruction *i, verify_interval a, verify_interval b) {
  int side = held_side(e, i);
  if (i->op == EXPR_FLOOR) {
    if (side != 0) return verify_point(floor_of_side(side, verify_centre(a)));
    e->open = e->open || floor(a.low) != floor(a.high);
    return verify_between(floor(a.low), floor(a.high));
  }
  if (i->op == EXPR_SIGN || i->op == EXPR_STEP) b = verify_point(0);
  if (side == 0) side = a.high < b.low ? -1 : a.low > b.high ? 1 : 0;
  if (side != 0) return verify_point(decided((expr_op)i->op, side));
  if (verify_is_point(a) && verify_is_point(b)) return verify_point(decided_equal((expr_op)i->op));
  e->open = true;
  return (verify_interval){i->op == EXPR_SIGN ? -1 : 0, 1};
}

static verify_interval interval_angle(verify_enclosure *e, const expr_instruction *i, verify_interval y,
                                      verify_interval x) {
  if (held_side(e, i) != 0 || (verify_sign(y) == 0 && !(x.low > 0))) e->open = true;
  return thud_verify_interval_atan2(y, x);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static verify_interval interval_power(const verify_enclosure *e, const expr_instruction *i, verify_interval x,
                                      verify_interval y) {
  bool constant = e->program->tape->code[i->operand[1]].op == EXPR_CONSTANT;
  if (constant && verify_is_point(y) && y.low == floor(y.low)) return thud_verify_interval_whole_power(x, y.low);
  return thud_verify_interval_power(x, y);
}

static verify_interval apply(verify_enclosure *e, const expr_instruction *i) {
  verify_interval a = e->values[i->source[0]], b = e->values[i->source[1]];
  bool same = i->operand[0] == i->operand[1];
  switch ((expr_op)i->op) {
  case EXPR_ADD: return thud_verify_interval_add(a, b);
  case EXPR_SUBTRACT: return same ? verify_point(0) : thud_verify_interval_subtract(a, b);
  case EXPR_MULTIPLY: return same ? thud_verify_interval_square(a) : thud_verify_interval_multiply(a, b);
  case EXPR_DIVIDE: return thud_verify_interval_divide(a, b);
  case EXPR_POWER: return interval_power(e, i, a, b);
  case EXPR_NEGATE: return verify_negative(a);
  case EXPR_SIN: return thud_verify_interval_sin(a);
  case EXPR_COS: return thud_verify_interval_cos(a);
  case EXPR_TAN: return thud_verify_interval_tan(a);
  case EXPR_ASIN: return thud_verify_interval_asin(a);
  case EXPR_ACOS: return thud_verify_interval_acos(a);
  case EXPR_ATAN: return thud_verify_interval_atan(a);
  case EXPR_SINH: return thud_verify_interval_sinh(a);
  case EXPR_COSH: return thud_verify_interval_cosh(a);
  case EXPR_TANH: return thud_verify_interval_tanh(a);
  case EXPR_EXP: return thud_verify_interval_exp(a);
  case EXPR_LOG: return thud_verify_interval_log(a);
  case EXPR_SQRT: return thud_verify_interval_sqrt(a);
  case EXPR_HYPOT:
    return thud_verify_interval_sqrt(
        thud_verify_interval_add(thud_verify_interval_square(a), thud_verify_interval_square(b)));
  case EXPR_ATAN2: return interval_angle(e, i, a, b);
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_IF: return choose(e, i);
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return decide(e, i, a, b);
  case EXPR_CONSTANT:
  case EXPR_VARIABLE:
  case EXPR_FUNCTION:
  case EXPR_OP_COUNT: break;
  }
  return verify_everything(); /* data without a formula */
}

/* Everything in the order of the tape. */
static void enclose_all(verify_enclosure *e) {
  const thud_expr *tape = e->program->tape;
  for (int32_t k = tape->leaf_count; k < tape->count; k++) {
    e->values[k] = apply(e, &tape->code[k]);
    e->needed[e->needed_count++] = k;
  }
  e->met_count = 0;
  for (int32_t j = 0; j < (int32_t)e->program->switch_count; j++) e->met[e->met_count++] = j;
}

bool thud_verify_is_of_leaves(const verify_enclosure *e, int32_t j) {
  const thud_expr *tape = e->program->tape;
  const expr_instruction *i = &tape->code[e->program->switches[j].argument];
  return i->op == EXPR_SUBTRACT && i->operand[0] < tape->leaf_count && i->operand[1] < tape->leaf_count;
}

static void meet_switch(verify_enclosure *e, int32_t j) {
  if (e->is_met[j]) return;
  e->is_met[j] = true;
  e->met[e->met_count++] = j;
}

static void enclose_operation(verify_enclosure *e, int32_t k) {
  const expr_instruction *i = &e->program->tape->code[k];
  e->values[k] = apply(e, i);
  e->place[k] = DONE;
  e->needed[e->needed_count++] = k;
  if (i->reference != 0 && i->op != EXPR_FUNCTION)
    meet_switch(e, (i->reference > 0 ? i->reference : -i->reference) - 1);
}

/* A value and what it is made of, in depth, operands first. place: the operand to look at next, + 1. An if() whose
 * condition is decided needs one branch. */
static void enclose_value(verify_enclosure *e, int32_t root) {
  const thud_expr *tape = e->program->tape;
  int32_t depth = 0;
  if (root < tape->leaf_count || e->place[root] != NEW) return;
  e->stack[depth++] = root;
  e->place[root] = 1;
  while (depth > 0) {
    int32_t k = e->stack[depth - 1];
    const expr_instruction *i = &tape->code[k];
    int operand = e->place[k]++ - 1;
    double sign;
    if (operand >= thud_expr_ops[i->op].arity) {
      enclose_operation(e, k);
      depth--;
      continue;
    }
    int branch = i->op == EXPR_IF && operand > 0 ? branch_of(e, i, &sign) : -1;
    int32_t next = i->operand[operand];
    if ((branch > 0 && branch != operand) || next < tape->leaf_count || e->place[next] != NEW) continue;
    e->place[next] = 1;
    e->stack[depth++] = next;
  }
}

static void enclose_needed(verify_enclosure *e) {
  const thud_expr_program *program = e->program;
  for (int32_t n = 0; n < e->met_count; n++) e->is_met[e->met[n]] = false;
  e->met_count = 0;
  for (thud_index k = 0; k < program->output_count; k++) enclose_value(e, program->outputs[k]);
  for (int32_t n = 0; n < e->compound_count; n++) {
    enclose_value(e, program->switches[e->compound[n]].argument);
    meet_switch(e, e->compound[n]);
  }
  for (int32_t n = 0; n < e->met_count; n++) enclose_value(e, program->switches[e->met[n]].argument);
  for (int32_t n = 0; n < e->needed_count; n++) e->place[e->needed[n]] = NEW;
}

void thud_verify_keep_variables(verify_enclosure *e) {
  const thud_expr *tape = e->program->tape;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++) e->kept[k - tape->constant_count] = e->values[k];
}

verify_interval thud_verify_kept_argument(const verify_enclosure *e, int32_t j) {
  const thud_expr *tape = e->program->tape;
  const expr_instruction *i = &tape->code[e->program->switches[j].argument];
  verify_interval x[2];
  for (int c = 0; c < 2; c++) {
    int32_t k = i->operand[c];
    x[c] = k < tape->constant_count ? e->values[k] : e->kept[k - tape->constant_count];
  }
  return thud_verify_interval_subtract(x[0], x[1]);
}

void thud_verify_enclose(verify_enclosure *e, const verify_interval *variables) {
  const thud_expr *tape = e->program->tape;
  e->open = false;
  e->needed_count = 0;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++) e->values[k] = variables[tape->code[k].reference];
  if (e->lazy)
    enclose_needed(e);
  else
    enclose_all(e);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

static void copy(const verify_series *from, int order, verify_series *to) {
  to->last = from->last < order ? from->last : order;
  memcpy(to->middle, from->middle, ((size_t)to->last + 1) * sizeof(double));
  memcpy(to->radius, from->radius, ((size_t)to->last + 1) * sizeof(double));
}

void thud_verify_expand(verify_enclosure *e, int order, const verify_series *variables) {
  const thud_expr *tape = e->program->tape;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++)
    copy(&variables[tape->code[k].reference], order, &e->series[k]);
  for (int32_t n = 0; n < e->needed_count; n++) {
    int32_t k = e->needed[n];
    thud_verify_series_start(&e->series[k], e->values[k]);
    thud_verify_expand_operation(e, k, order);
  }
}

/* ---- taylor coefficients of the operations, as balls (m, r) ------------------------------------------------------ */

/* Taylor coefficients of the operations, as balls (m, r): {x : |x - m| <= r}.
 *
 * A sum of n products has the middle fl(sum a_j b_(k-j)) and the radius
 *   sum |a_j| rb_(k-j) + ra_j (|b_(k-j)| + rb_(k-j))  +  (n + 2) u sum |a_j b_(k-j)|,   u = 2^-53,
 * enlarged by the rounding of the radius itself and by what underflow may lose. Functions follow from their
 * differential equations with these operations on whole series:
 *   exp    y' = y x'              log    x y' = x'            sin, cos   s' = c x', c' = -s x'
 *   sqrt   y^2 = x                tan    y' = (1 + y^2) x'    tanh       y' = (1 - y^2) x'
 *   atan   y' = x'/(1 + x^2)      asin   y' = x'/sqrt(1 - x^2)
 *   atan2  w' = (x y' - y x')/(x^2 + y^2)                     x^p = exp(p log x) */

#define UNIT 0x1p-53

/* ---- balls ------------------------------------------------------------------------------------------------------- */

/* What is not a number is not known. */
static void put(verify_series *y, int k, verify_ball x) {
  bool known = isfinite(x.middle) && x.radius >= 0;
  y->middle[k] = known ? x.middle : 0;
  y->radius[k] = known ? x.radius : (double)INFINITY;
  if (y->last < k) y->last = k;
}

static verify_ball add(verify_ball a, verify_ball b) {
  double middle = a.middle + b.middle;
  return (verify_ball){middle, (a.radius + b.radius) * (1 + 4 * UNIT) + 2 * UNIT * fabs(middle)};
}

static verify_ball negate(verify_ball a) { return (verify_ball){-a.middle, a.radius}; }
static verify_ball subtract(verify_ball a, verify_ball b) { return add(a, negate(b)); }

/* x/b: |x/b - m| <= (rx + |m| rb + |x - m b|)/(|b| - rb), and x - m b is rounding. */
static verify_ball divide(verify_ball x, verify_ball b) {
  double least = fabs(b.middle) * (1 - 2 * UNIT) - b.radius, middle = x.middle / b.middle;
  if (!(least > 0)) return (verify_ball){0, (double)INFINITY};
  double radius = (x.radius + fabs(middle) * b.radius + 4 * UNIT * fabs(x.middle)) / least;
  return (verify_ball){middle, radius * (1 + 16 * UNIT) + VERIFY_TINY};
}

static verify_ball shrink(verify_ball x, double divisor) {
  double middle = x.middle / divisor;
  return (verify_ball){middle, x.radius / divisor * (1 + 4 * UNIT) + 2 * UNIT * fabs(middle)};
}

/* sum_{j=from..to} w_j a_j b_{k-j}, w_j = j or 1. */
static verify_ball sum_products(const verify_series *a, const verify_series *b, int k, int from, int to,
                                bool weighted) {
  double middle = 0, spread = 0, size = 0;
  if (from < k - b->last) from = k - b->last;
  if (to > a->last) to = a->last;
  if (from > to) return (verify_ball){0, 0};
  for (int j = from; j <= to; j++) {
    double w = weighted ? j : 1, x = w * a->middle[j], rx = w * a->radius[j], y = b->middle[k - j];
    double ry = b->radius[k - j], xy = x * y;
    middle += xy;
    size += fabs(xy);
    spread += fabs(x) * ry + rx * (fabs(y) + ry);
  }
  double terms = to - from + 4;
  return (verify_ball){middle, spread * (1 + 4 * terms * UNIT) + 2 * terms * UNIT * size + terms * VERIFY_TINY};
}

verify_ball thud_verify_series_product(const verify_series *a, const verify_series *b, int k, int from, int to) {
  return sum_products(a, b, k, from, to, false);
}

/* Coefficient k of the integral of g x'; `known`: without the term of x_k. */
static verify_ball integral(const verify_series *x, const verify_series *g, int k) {
  return shrink(sum_products(x, g, k, 1, k, true), k);
}
static verify_ball integral_known(const verify_series *x, const verify_series *g, int k) {
  return shrink(sum_products(x, g, k, 1, k - 1, true), k);
}

/* ---- whole series ------------------------------------------------------------------------------------------------ */

void thud_verify_series_start(verify_series *y, verify_interval value) {
  y->last = 0;
  put(y, 0,
      verify_is_bounded(value) ? (verify_ball){verify_centre(value), thud_verify_interval_radius(value)}
                               : (verify_ball){0, (double)INFINITY});
}

static void multiply(const verify_series *a, const verify_series *b, int order, verify_series *y) {
  int last = a->last + b->last;
  for (int k = 1; k <= order && k <= last; k++) put(y, k, sum_products(a, b, k, 0, k, false));
}

static void divide_series(const verify_series *a, const verify_series *b, int order, verify_series *y) {
  int last = b->last == 0 ? a->last : order;
  for (int k = 1; k <= order && k <= last; k++) {
    verify_ball rest = subtract(verify_coefficient(a, k), sum_products(b, y, k, 1, k, false));
    put(y, k, divide(rest, verify_coefficient(b, 0)));
  }
}

static void root(const verify_series *x, int order, verify_series *y) {
  verify_ball twice = {2 * y->middle[0], 2 * y->radius[0]};
  for (int k = 1; k <= order && x->last > 0; k++)
    put(y, k, divide(subtract(verify_coefficient(x, k), sum_products(y, y, k, 1, k - 1, false)), twice));
}

static void exponential(const verify_series *x, int order, verify_series *y) {
  for (int k = 1; k <= order && x->last > 0; k++) put(y, k, integral(x, y, k));
}

static void logarithm(const verify_series *x, int order, verify_series *y) {
  for (int k = 1; k <= order && x->last > 0; k++)
    put(y, k, divide(subtract(verify_coefficient(x, k), integral_known(y, x, k)), verify_coefficient(x, 0)));
}

/* y' = w x', w' = sign y x' */
static void pair(const verify_series *x, int order, double sign, verify_series *y, verify_series *w) {
  for (int k = 1; k <= order && x->last > 0; k++) {
    verify_ball slope = integral(x, w, k), other = integral(x, y, k);
    put(y, k, slope);
    put(w, k, sign < 0 ? negate(other) : other);
  }
}

/* y' = w x', w = 1 + sign y^2 */
static void tangent(const verify_series *x, int order, double sign, verify_series *y, verify_series *w) {
  for (int k = 1; k <= order && x->last > 0; k++) {
    put(y, k, integral(x, w, k));
    verify_ball square = sum_products(y, y, k, 0, k, false);
    put(w, k, sign < 0 ? negate(square) : square);
  }
}

static void integrate(const verify_series *x, const verify_series *g, int order, verify_series *y) {
  for (int k = 1; k <= order && x->last > 0; k++) put(y, k, integral(x, g, k));
}

static void turn(int order, verify_series *y) {
  for (int k = 1; k <= order && k <= y->last; k++) y->middle[k] = -y->middle[k];
}

static void unknown(int order, verify_series *y) {
  for (int k = 1; k <= order; k++) put(y, k, (verify_ball){0, (double)INFINITY});
}

/* ---- functions --------------------------------------------------------------------------------------------------- */

static verify_series *spare(const verify_enclosure *e, int number) {
  return &e->series[e->program->tape->count + number];
}

/* asin, acos, atan: y' = g x' with g = 1/(1 + x^2) or 1/sqrt(1 - x^2). */
static void arc_function(const verify_enclosure *e, expr_op op, const verify_series *x, verify_interval x0, int order,
                         verify_series *y) {
  verify_series *one = spare(e, 0), *square = spare(e, 1), *w = spare(e, 2), *g = spare(e, 3);
  verify_interval unit = verify_point(1), below = thud_verify_interval_square(x0);
  bool is_root = op != EXPR_ATAN;
  below = is_root ? thud_verify_interval_subtract(unit, below) : thud_verify_interval_add(unit, below);
  thud_verify_series_start(one, unit);
  thud_verify_series_start(square, below);
  multiply(x, x, order, square);
  if (is_root) {
    turn(order, square);
    below = thud_verify_interval_sqrt(below);
    thud_verify_series_start(w, below);
    root(square, order, w);
  }
  thud_verify_series_start(g, thud_verify_interval_divide(unit, below));
  divide_series(one, is_root ? w : square, order, g);
  integrate(x, g, order, y);
  if (op == EXPR_ACOS) turn(order, y);
}

static void series_angle(const verify_enclosure *e, const expr_instruction *i, const verify_series *b,
                         const verify_series *a, int order, verify_series *y) {
  verify_series *square = spare(e, 0), *u = spare(e, 1), *w = spare(e, 2);
  verify_interval b0 = e->values[i->source[0]], a0 = e->values[i->source[1]];
  verify_interval sum = thud_verify_interval_add(thud_verify_interval_square(a0), thud_verify_interval_square(b0));
  if (a->last == 0 && b->last == 0) return;
  thud_verify_series_start(square, sum);
  for (int k = 1; k <= order; k++)
    put(square, k, add(sum_products(a, a, k, 0, k, false), sum_products(b, b, k, 0, k, false)));
  thud_verify_series_start(u, thud_verify_interval_divide(a0, sum));
  thud_verify_series_start(w, thud_verify_interval_divide(b0, sum));
  divide_series(a, square, order, u);
  divide_series(b, square, order, w);
  for (int k = 1; k <= order; k++) put(y, k, subtract(integral(b, u, k), integral(a, w, k)));
}

static void hypotenuse(const verify_enclosure *e, const verify_series *a, const verify_series *b, int order,
                       verify_series *y) {
  verify_series *square = spare(e, 0);
  thud_verify_series_start(square, verify_point(0));
  for (int k = 1; k <= order && k <= 2 * (a->last > b->last ? a->last : b->last); k++)
    put(square, k, add(sum_products(a, a, k, 0, k, false), sum_products(b, b, k, 0, k, false)));
  root(square, order, y);
}

static void move(verify_series *from, int order, verify_series *to) {
  to->last = 0;
  for (int k = 0; k <= order && k <= from->last; k++) put(to, k, verify_coefficient(from, k));
}

/* x^n, n >= 1, by repeated squaring: x may be 0. y keeps order 0. */
static void whole_power(const verify_enclosure *e, const verify_series *x, int order, int n, verify_series *y) {
  verify_series *square = spare(e, 0), *result = spare(e, 1), *next = spare(e, 2);
  bool empty = true;
  move(&(verify_series){x->middle, x->radius, x->last}, order, square);
  for (int left = n; left > 0; left >>= 1) {
    if (left & 1) {
      next->last = 0;
      for (int k = 0; k <= order; k++)
        put(next, k, empty ? verify_coefficient(square, k) : sum_products(result, square, k, 0, k, false));
      move(next, order, result);
      empty = false;
    }
    if (left == 1) break;
    next->last = 0;
    for (int k = 0; k <= order; k++) put(next, k, sum_products(square, square, k, 0, k, false));
    move(next, order, square);
  }
  for (int k = 1; k <= order && x->last > 0; k++) put(y, k, verify_coefficient(result, k));
}

static void general_power(const verify_enclosure *e, const verify_series *x, verify_interval x0, const verify_series *p,
                          int order, verify_series *y) {
  verify_series *log_x = spare(e, 0), *exponent = spare(e, 1);
  verify_interval log_0 = thud_verify_interval_log(x0);
  thud_verify_series_start(log_x, log_0);
  logarithm(x, order, log_x);
  thud_verify_series_start(exponent, verify_point(0)); /* order 0 is not read */
  multiply(p, log_x, order, exponent);
  exponential(exponent, order, y);
}

enum { LARGEST_WHOLE_POWER = 64 };

/* Order 1 of x^p, p > 1, where log x is not bounded: p x_0^(p-1) x_1. */
static void slope_of_power(verify_interval x0, verify_interval p, const verify_series *x, verify_series *y) {
  verify_interval less = thud_verify_interval_power(x0, thud_verify_interval_subtract(p, verify_point(1)));
  verify_series factor = {.middle = (double[1]){0}, .radius = (double[1]){0}};
  thud_verify_series_start(&factor, thud_verify_interval_multiply(p, less));
  put(y, 1, thud_verify_series_product(x, &factor, 1, 1, 1));
}

static void series_power(const verify_enclosure *e, const expr_instruction *i, const verify_series *x,
                         const verify_series *p, int order, verify_series *y) {
  verify_interval x0 = e->values[i->source[0]], n = e->values[i->source[1]];
  bool given = e->program->tape->code[i->operand[1]].op == EXPR_CONSTANT, constant = given && verify_is_point(n);
  if (!constant || n.low != floor(n.low) || fabs(n.low) > LARGEST_WHOLE_POWER) {
    if (given && x->last == 0) return;
    general_power(e, x, x0, p, order, y);
    if (given && order >= 1 && x0.low == 0 && n.low > 1) slope_of_power(x0, n, x, y);
  } else if (n.low >= 1) {
    whole_power(e, x, order, (int)n.low, y);
  } else if (n.low < 0) {
    verify_series *one = spare(e, 0), *below = spare(e, 3);
    thud_verify_series_start(below, thud_verify_interval_whole_power(x0, -n.low));
    whole_power(e, x, order, (int)-n.low, below);
    thud_verify_series_start(one, verify_point(1));
    divide_series(one, below, order, y);
  }
}

static void follow_branch(const verify_enclosure *e, const expr_instruction *i, int order, verify_series *y) {
  double sign;
  int branch = branch_of(e, i, &sign);
  if (branch < 0) {
    bool moves = false;
    for (int j = 0; j < EXPR_MAX_ARITY; j++) moves = moves || e->series[i->source[j]].last > 0;
    if (moves) unknown(order, y);
    return;
  }
  const verify_series *x = &e->series[i->source[branch]];
  for (int k = 1; k <= order && k <= x->last; k++) put(y, k, verify_coefficient(x, k));
  if (sign < 0) turn(order, y);
}

/* A function of one argument whose equation has a second series that starts with w0. */
static void with_companion(const verify_enclosure *e, expr_op op, const verify_series *x, verify_interval x0, int order,
                           verify_series *y) {
  verify_series *w = spare(e, 0);
  verify_interval w0;
  switch (op) {
  case EXPR_SIN: w0 = thud_verify_interval_cos(x0); break;
  case EXPR_COS: w0 = verify_negative(thud_verify_interval_sin(x0)); break; /* c' = (-s) x', (-s)' = -c x' */
  case EXPR_SINH: w0 = thud_verify_interval_cosh(x0); break;
  case EXPR_COSH: w0 = thud_verify_interval_sinh(x0); break;
  case EXPR_TANH: w0 = thud_verify_interval_tanh_slope(x0); break;
  default:
    w0 = thud_verify_interval_add(verify_point(1), thud_verify_interval_square(thud_verify_interval_tan(x0)));
    break;
  }
  thud_verify_series_start(w, w0);
  if (op == EXPR_TAN || op == EXPR_TANH)
    tangent(x, order, op == EXPR_TAN ? 1 : -1, y, w);
  else
    pair(x, order, op == EXPR_SIN || op == EXPR_COS ? -1 : 1, y, w);
}

void thud_verify_expand_operation(verify_enclosure *e, int32_t number, int order) {
  const expr_instruction *i = &e->program->tape->code[number];
  const verify_series *a = &e->series[i->source[0]], *b = &e->series[i->source[1]];
  verify_series *y = &e->series[number];
  verify_interval a0 = e->values[i->source[0]];
  int last = a->last > b->last ? a->last : b->last;
  switch ((expr_op)i->op) {
  case EXPR_ADD:
  case EXPR_SUBTRACT:
    for (int k = 1; k <= order && k <= last; k++) {
      verify_ball x = verify_coefficient(a, k), z = verify_coefficient(b, k);
      put(y, k, i->op == EXPR_ADD ? add(x, z) : subtract(x, z));
    }
    break;
  case EXPR_NEGATE:
    for (int k = 1; k <= order && k <= a->last; k++) put(y, k, negate(verify_coefficient(a, k)));
    break;
  case EXPR_MULTIPLY: multiply(a, b, order, y); break;
  case EXPR_DIVIDE: divide_series(a, b, order, y); break;
  case EXPR_POWER: series_power(e, i, a, b, order, y); break;
  case EXPR_EXP: exponential(a, order, y); break;
  case EXPR_LOG: logarithm(a, order, y); break;
  case EXPR_SQRT: root(a, order, y); break;
  case EXPR_SIN:
  case EXPR_COS:
  case EXPR_TAN:
  case EXPR_SINH:
  case EXPR_COSH:
  case EXPR_TANH: with_companion(e, (expr_op)i->op, a, a0, order, y); break;
  case EXPR_ASIN:
  case EXPR_ACOS:
  case EXPR_ATAN: arc_function(e, (expr_op)i->op, a, a0, order, y); break;
  case EXPR_HYPOT: hypotenuse(e, a, b, order, y); break;
  case EXPR_ATAN2: series_angle(e, i, a, b, order, y); break;
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_IF: follow_branch(e, i, order, y); break;
  default: /* decisions; data without a formula */
    if (!verify_is_point(e->values[number])) unknown(order, y);
  }
}
