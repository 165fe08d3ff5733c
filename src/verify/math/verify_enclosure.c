/* The plain pass: every value of a program as an interval. */
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
    int branch = i->op == EXPR_IF && operand > 0 ? thud_verify_branch(e, i, &sign) : -1;
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
