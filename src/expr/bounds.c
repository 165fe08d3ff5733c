/* The plain pass: every value of a program as an interval. */
#include "expr/bounds.h"

#include "base/base.h"
#include "expr/apply.h"
#include "expr/dual.h"

enum { SPARE_SERIES = 8 };

/* A decimal fraction is rounded when it is read, by one unit, which is all of its error; what was folded has a
 * first-order bound. */
static expr_interval constant(const thud_expr *tape, int32_t k) {
  double x = tape->constants[k], units = tape->constant_errors[k];
  double error = units * EXPR_UNIT_ROUNDOFF * (units <= fabs(x) ? 1 : EXPR_ERROR_SAFETY);
  return error == 0 ? expr_interval_point(x) : expr_interval_of(expr_down(x - error), expr_up(x + error));
}

thud_error thud_bounds_create(thud_context *context, const thud_expr_program *program, int max_order,
                              expr_bounds **bounds) {
  size_t count = (size_t)program->tape->count, stride = (size_t)max_order + 1, cells;
  if (!thud_size_multiply(count, stride, &cells))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "bounds of %zu values to order %d", count, max_order);
  expr_bounds *made = THUD_NEW(context, expr_bounds);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (expr_bounds){.context = context, .program = program, .max_order = max_order};
  made->values = THUD_NEW_ARRAY(context, expr_interval, count);
  made->middle = THUD_NEW_ARRAY(context, double, cells);
  made->radius = THUD_NEW_ARRAY(context, double, cells);
  made->disc = THUD_NEW_ARRAY(context, double, count);
  made->spare = THUD_NEW_ARRAY(context, double, SPARE_SERIES *stride);
  if (made->values == NULL || made->middle == NULL || made->radius == NULL || made->disc == NULL ||
      made->spare == NULL) {
    thud_bounds_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  for (int32_t k = 0; k < program->tape->constant_count; k++) {
    made->values[k] = constant(program->tape, k);
    thud_bounds_start_constant(made, k);
  }
  *bounds = made;
  return THUD_OK;
}

void thud_bounds_destroy(expr_bounds *bounds) {
  if (bounds == NULL) return;
  thud_free(bounds->context, bounds->values);
  thud_free(bounds->context, bounds->middle);
  thud_free(bounds->context, bounds->radius);
  thud_free(bounds->context, bounds->disc);
  thud_free(bounds->context, bounds->spare);
  thud_free(bounds->context, bounds);
}

/* ---- branches ---------------------------------------------------------------------------------------------------- */

/* The sign of x, 0: not known. */
static int sign_of(expr_interval x) { return x.low > 0 ? 1 : x.high < 0 ? -1 : 0; }

expr_branch thud_bounds_branch(const expr_bounds *bounds, const thud_expr_work *held, const expr_instruction *i) {
  const expr_branch itself = {.operand = -1, .sign = 1}, open = {.operand = -2, .sign = 1};
  const expr_interval *values = bounds->values;
  int sign = expr_held_sign(held, i);
  switch (i->op) {
  case EXPR_ABS:
    if (sign == 0) sign = sign_of(values[i->operand[0]]);
    return sign != 0 ? (expr_branch){.operand = 0, .sign = sign} : open;
  case EXPR_MIN:
  case EXPR_MAX:
    if (sign == 0) sign = sign_of(expr_interval_subtract(values[i->operand[0]], values[i->operand[1]]));
    if (sign == 0) return open;
    return (expr_branch){.operand = (sign < 0) == (i->op == EXPR_MIN) ? 0 : 1, .sign = 1};
  case EXPR_IF: {
    if (sign != 0) return (expr_branch){.operand = 1, .sign = 1};
    expr_interval choice = values[i->operand[0]];
    if (sign_of(choice) != 0) return (expr_branch){.operand = 1, .sign = 1};
    return choice.low == 0 && choice.high == 0 ? (expr_branch){.operand = 2, .sign = 1} : open;
  }
  default: return itself;
  }
}

/* ---- operations -------------------------------------------------------------------------------------------------- */

/* abs, min, max, if: the chosen operand, or the hull of what may be chosen. */
static expr_interval choose(const expr_bounds *bounds, const thud_expr_work *held, const expr_instruction *i) {
  const expr_interval *values = bounds->values;
  expr_branch branch = thud_bounds_branch(bounds, held, i);
  if (branch.operand >= 0) {
    expr_interval x = values[i->operand[branch.operand]];
    if (branch.sign < 0) x = expr_interval_negate(x);
    /* an arc ends where an argument of abs that is held on its side reaches 0, within rounding */
    if (i->op == EXPR_ABS && x.low < 0 && x.high >= 0) x.low = 0;
    return x;
  }
  expr_interval a = values[i->operand[0]];
  if (i->op == EXPR_ABS) return thud_interval_abs(a);
  expr_interval b = values[i->operand[1]];
  switch (i->op) {
  case EXPR_MIN: return (expr_interval){fmin(a.low, b.low), fmin(a.high, b.high)};
  case EXPR_MAX: return (expr_interval){fmax(a.low, b.low), fmax(a.high, b.high)};
  default: return expr_interval_hull(b, values[i->operand[2]]);
  }
}

/* Decisions and floor, which do not change while their switch is held; free, what they may be. */
static expr_interval decide(const thud_expr_work *held, const expr_instruction *i, expr_interval a, expr_interval b) {
  expr_op op = (expr_op)i->op;
  int sign = expr_held_sign(held, i);
  if (sign != 0)
    return expr_interval_point(thud_expr_apply_held(op, sign, expr_interval_middle(a), expr_interval_middle(b), 0));
  if (op == EXPR_FLOOR) return expr_interval_of(floor(a.low), floor(a.high));
  if (op == EXPR_SIGN || op == EXPR_STEP) b = expr_interval_point(0);
  int order = sign_of(expr_interval_subtract(a, b));
  if (order != 0) return expr_interval_point(expr_apply(op, order, 0, 0));
  return (expr_interval){op == EXPR_SIGN ? -1 : 0, 1};
}

static expr_interval power(const expr_bounds *bounds, const expr_instruction *i, expr_interval x, expr_interval y) {
  const thud_expr *tape = bounds->program->tape;
  bool constant = tape->code[i->operand[1]].op == EXPR_CONSTANT && y.low == y.high;
  if (constant && y.low == floor(y.low)) return thud_interval_whole_power(x, y.low);
  return thud_interval_power(x, y);
}

/* (0, 0) is where hypot has no derivative; its value is fine there. */
static expr_interval hypotenuse(expr_interval x, expr_interval y) {
  return thud_interval_sqrt(expr_interval_add(thud_interval_square(x), thud_interval_square(y)));
}

static expr_interval angle(const thud_expr_work *held, const expr_instruction *i, expr_interval y, expr_interval x) {
  double my = expr_interval_middle(y), mx = expr_interval_middle(x);
  int sign = expr_held_sign(held, i);
  /* Free, the cut must not be crossed. */
  if (sign == 0 && y.low <= 0 && y.high >= 0 && x.low <= 0)
    return (expr_interval){-3.1415926535897936, 3.1415926535897936};
  return thud_interval_atan2(y, x, sign != 0 ? thud_expr_apply_held(EXPR_ATAN2, sign, my, mx, 0) : atan2(my, mx));
}

static expr_interval apply(const expr_bounds *bounds, const thud_expr_work *held, const expr_instruction *i) {
  const expr_interval *values = bounds->values;
  expr_interval a = values[i->source[0]], b = values[i->source[1]];
  switch ((expr_op)i->op) {
  case EXPR_ADD: return expr_interval_add(a, b);
  case EXPR_SUBTRACT: return i->operand[0] == i->operand[1] ? expr_interval_point(0) : expr_interval_subtract(a, b);
  case EXPR_MULTIPLY: return i->operand[0] == i->operand[1] ? thud_interval_square(a) : thud_interval_multiply(a, b);
  case EXPR_DIVIDE: return thud_interval_divide(a, b);
  case EXPR_POWER: return power(bounds, i, a, b);
  case EXPR_NEGATE: return expr_interval_negate(a);
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return decide(held, i, a, b);
  case EXPR_SIN: return thud_interval_sin(a);
  case EXPR_COS: return thud_interval_cos(a);
  case EXPR_TAN: return thud_interval_tan(a);
  case EXPR_ASIN: return thud_interval_increasing(asin, -1, 1, a);
  case EXPR_ACOS: return thud_interval_acos(a);
  case EXPR_ATAN: return thud_interval_increasing(atan, -(double)INFINITY, (double)INFINITY, a);
  case EXPR_SINH: return thud_interval_increasing(sinh, -(double)INFINITY, (double)INFINITY, a);
  case EXPR_COSH: return thud_interval_cosh(a);
  case EXPR_TANH: return thud_interval_increasing(tanh, -(double)INFINITY, (double)INFINITY, a);
  case EXPR_EXP: return thud_interval_increasing(exp, -(double)INFINITY, (double)INFINITY, a);
  case EXPR_LOG: return a.low > 0 ? thud_interval_increasing(log, 0, (double)INFINITY, a) : expr_interval_entire();
  case EXPR_SQRT: return thud_interval_sqrt(a);
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_IF: return choose(bounds, held, i);
  case EXPR_ATAN2: return angle(held, i, a, b);
  case EXPR_HYPOT: return hypotenuse(a, b);
  case EXPR_CONSTANT:
  case EXPR_VARIABLE:
  case EXPR_FUNCTION:
  case EXPR_OP_COUNT: break;
  }
  return expr_interval_entire();
}

void thud_bounds_plain(expr_bounds *bounds, const thud_expr_work *held, const expr_interval *variables) {
  const thud_expr *tape = bounds->program->tape;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++)
    bounds->values[k] = variables[tape->code[k].reference];
  for (int32_t at = 0, count = expr_live_count(held); at < count; at++) {
    int32_t k = expr_live_operation(held, at);
    bounds->values[k] = apply(bounds, held, &tape->code[k]);
  }
}
