/* The plain pass: every value of a program as an interval. */
#include "verify/enclosure.h"

#include <string.h>

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
  if (e->values == NULL || e->series == NULL || e->numbers == NULL || e->held == NULL) {
    thud_verify_enclosure_destroy(e);
    return THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < all; k++)
    e->series[k] = (verify_series){.middle = e->numbers + k * width, .radius = e->numbers + k * width + width / 2};
  *enclosure = e;
  return THUD_OK;
}

void thud_verify_enclosure_destroy(verify_enclosure *e) {
  if (e == NULL) return;
  thud_free(e->context, e->values);
  thud_free(e->context, e->series);
  thud_free(e->context, e->numbers);
  thud_free(e->context, e->held);
  thud_free(e->context, e);
}

/* ---- decisions --------------------------------------------------------------------------------------------------- */

/* The side on which the operation's switch is held, as the operation sees it. */
static int held_side(const verify_enclosure *e, const expr_instruction *i) {
  int32_t reference = i->reference;
  return reference == 0 ? 0 : reference > 0 ? e->held[reference - 1] : -e->held[-reference - 1];
}

int thud_verify_branch(const verify_enclosure *e, const expr_instruction *i, double *sign) {
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
  int branch = thud_verify_branch(e, i, &sign);
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

static verify_interval angle(verify_enclosure *e, const expr_instruction *i, verify_interval y, verify_interval x) {
  if (held_side(e, i) != 0 || (verify_sign(y) == 0 && !(x.low > 0))) e->open = true;
  return thud_verify_interval_atan2(y, x);
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

static verify_interval power(const verify_enclosure *e, const expr_instruction *i, verify_interval x,
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
  case EXPR_POWER: return power(e, i, a, b);
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
  case EXPR_ATAN2: return angle(e, i, a, b);
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

/* A decimal fraction is rounded when it is read, folding rounds again: the tape has a bound, to first order. */
static verify_interval constant(const thud_expr *tape, int32_t k) {
  double x = tape->constants[k], error = 2 * tape->constant_errors[k] * 0x1p-53;
  return error == 0 ? verify_point(x) : verify_around(x, error);
}

void thud_verify_enclose(verify_enclosure *e, const verify_interval *variables) {
  const thud_expr *tape = e->program->tape;
  e->open = false;
  for (int32_t k = 0; k < tape->constant_count; k++) e->values[k] = constant(tape, k);
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++) e->values[k] = variables[tape->code[k].reference];
  for (int32_t k = tape->leaf_count; k < tape->count; k++) e->values[k] = apply(e, &tape->code[k]);
}

/* ---- series ------------------------------------------------------------------------------------------------------ */

static void copy(const verify_series *from, int order, verify_series *to) {
  to->last = from->last < order ? from->last : order;
  memcpy(to->middle, from->middle, ((size_t)to->last + 1) * sizeof(double));
  memcpy(to->radius, from->radius, ((size_t)to->last + 1) * sizeof(double));
}

void thud_verify_expand(verify_enclosure *e, int order, const verify_series *variables) {
  const thud_expr *tape = e->program->tape;
  for (int32_t k = 0; k < tape->count; k++) {
    bool variable = k >= tape->constant_count && k < tape->leaf_count;
    if (variable)
      copy(&variables[tape->code[k].reference], order, &e->series[k]);
    else
      thud_verify_series_start(&e->series[k], e->values[k]);
    if (k >= tape->leaf_count) thud_verify_expand_operation(e, k, order);
  }
}
