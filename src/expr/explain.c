/* Why a value is not finite: the first operation that made NaN or infinity out of finite numbers, on the branches that
 * were taken. */
#include "base/base.h"
#include "expr/apply.h"
#include "expr/program.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* The coefficients 0..order of every value (order 0: the values). */
typedef struct findings {
  const thud_expr *tape;
  const double *cells; /* [count][stride] */
  size_t stride;
  int order;
  const thud_expr_work *work; /* NULL: a single expression, nothing is held */
} findings;

static double cell(const findings *f, int32_t value, int order) {
  return f->cells[(size_t)value * f->stride + (size_t)order];
}

static bool is_finite(const findings *f, int32_t value) {
  for (int k = 0; k <= f->order; k++)
    if (!isfinite(cell(f, value, k))) return false;
  return true;
}

/* Operands that count: of an if with a sound condition the chosen branch only. */
static bool counts(const findings *f, const expr_instruction *i, int which) {
  if (i->op != EXPR_IF) return true;
  double condition = cell(f, i->operand[0], 0);
  bool held = f->work != NULL && expr_held_sign(f->work, i) != 0;
  if (isnan(condition) && !held) return which == 0;
  return which == (held || condition != 0 ? 1 : 2);
}

/* The culprit below `value`, which is not finite. The path goes down: every step is to a smaller number. */
static int32_t find_culprit(const findings *f, int32_t value) {
  for (;;) {
    const expr_instruction *i = &f->tape->code[value];
    int which = 0, arity = thud_expr_ops[i->op].arity;
    while (which < arity && (!counts(f, i, which) || is_finite(f, i->operand[which]))) which++;
    if (which == arity) return value;
    value = i->operand[which];
  }
}

static void write_text(char *buffer, size_t capacity, const char *format, ...) THUD_PRINTF(3, 4);
static void write_text(char *buffer, size_t capacity, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(buffer, capacity, format, arguments);
  va_end(arguments);
}

/* Explains the failure in plain words; a and b are the operands. */
static void describe(const findings *f, int32_t culprit, char *text, size_t capacity) {
  const expr_instruction *i = &f->tape->code[culprit];
  const expr_op_info *op = &thud_expr_ops[i->op];
  double a = op->arity > 0 ? cell(f, i->operand[0], 0) : 0, b = op->arity > 1 ? cell(f, i->operand[1], 0) : 0;
  double value = cell(f, culprit, 0);
  if (i->op == EXPR_CONSTANT)
    write_text(text, capacity, "the constant is %g", value);
  else if (i->op == EXPR_VARIABLE)
    write_text(text, capacity, "variable number %d is %g", (int)i->reference, value);
  else if (i->op == EXPR_FUNCTION)
    write_text(text, capacity, isfinite(value) ? "data at time %g have no known derivative" : "data at time %g fail",
               a);
  else if (i->op == EXPR_DIVIDE && b == 0)
    write_text(text, capacity, "division by zero");
  else if (i->op == EXPR_SQRT && a < 0)
    write_text(text, capacity, "square root of the negative number %g", a);
  else if (i->op == EXPR_LOG && a <= 0)
    write_text(text, capacity, "logarithm of %g", a);
  else if ((i->op == EXPR_ASIN || i->op == EXPR_ACOS) && fabs(a) > 1)
    write_text(text, capacity, "%s of %g, which is outside of [-1, 1]", op->text, a);
  else if (i->op == EXPR_POWER && isnan(value))
    write_text(text, capacity, "the negative number %g to the power %g", a, b);
  else if (isfinite(value))
    write_text(text, capacity, op->arity == 1 ? "%s of %g has no derivative" : "%s of %g and %g has no derivative",
               op->text, a, b);
  else if (op->arity == 1)
    write_text(text, capacity, "%s of %g is %g", op->text, a, value);
  else
    write_text(text, capacity, "%g %s %g is %g", a, op->text, b, value);
}

static void report(const findings *f, int32_t value, thud_expr_trouble *trouble) {
  int32_t culprit = find_culprit(f, value);
  expr_origin origin = f->tape->origins[culprit];
  thud_expr_place place = f->tape->places[culprit];
  char text[120], where[64] = "";
  describe(f, culprit, text, sizeof text);
  if (place.column > 0)
    write_text(where, sizeof where, origin.inside ? " inside the expression named at column %d" : " at column %d",
               (int)place.column);
  trouble->source = place.column > 0 ? origin.source : -1;
  trouble->place = place;
  write_text(trouble->message, sizeof trouble->message, "%s%s%s", origin.derived ? "in a derivative: " : "", text,
             where);
}

static bool explain(const findings *f, int32_t value, thud_expr_trouble *trouble) {
  if (is_finite(f, value)) return false;
  report(f, value, trouble);
  return true;
}

bool thud_expr_work_explain(const thud_expr_work *work, thud_index output, thud_expr_trouble *trouble) {
  THUD_REQUIRE_OR(false, work, trouble);
  findings f = {.tape = work->program->tape, .cells = work->values, .stride = 1, .work = work};
  return explain(&f, work->program->outputs[output], trouble);
}

bool thud_expr_work_explain_jet(const thud_expr_work *work, thud_index output, int order, thud_expr_trouble *trouble) {
  THUD_REQUIRE_OR(false, work, trouble);
  findings f = {.tape = work->program->tape, .cells = work->jets, .stride = (size_t)work->max_order + 1, .work = work};
  /* The lowest order that is not finite is where it began. */
  for (f.order = 0; f.order <= order && f.order <= work->done; f.order++)
    if (explain(&f, work->program->outputs[output], trouble)) return true;
  return false;
}

thud_error thud_expr_explain(thud_context *context, const thud_expr *expr, const double *variables, bool *finite,
                             thud_expr_trouble *trouble) {
  THUD_REQUIRE(context, context, expr, variables || thud_expr_is_constant(expr), finite, trouble);
  double *values = THUD_NEW_ARRAY(context, double, expr->count);
  if (values == NULL) return THUD_ERROR_MEMORY;
  for (int32_t k = 0; k < expr->count; k++) {
    const expr_instruction *i = &expr->code[k];
    double x[EXPR_MAX_ARITY] = {0, 0, 0};
    for (int j = 0; j < thud_expr_ops[i->op].arity; j++) x[j] = values[i->operand[j]];
    values[k] = i->op == EXPR_CONSTANT   ? expr->constants[k]
                : i->op == EXPR_VARIABLE ? variables[i->reference]
                                         : expr_apply((expr_op)i->op, x[0], x[1], x[2]);
    if (i->op == EXPR_FUNCTION && expr->functions[i->reference].evaluate(expr->functions[i->reference].user, x[0],
                                                                         THUD_SIDE_VALUE, &values[k]) != 0)
      values[k] = (double)NAN;
  }
  findings f = {.tape = expr, .cells = values, .stride = 1};
  *finite = !explain(&f, expr->result, trouble);
  thud_free(context, values);
  return THUD_OK;
}
