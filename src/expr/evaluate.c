#include "base/base.h"
#include "expr/apply.h"
#include "expr/dual.h"

#include <math.h>

double thud_expr_evaluate(const thud_expr *expr, const double *variables) {
  THUD_REQUIRE_OR(NAN, expr, variables || thud_expr_is_constant(expr));
  double registers[EXPR_MAX_REGISTERS];
  const double *const spaces[] = {registers, expr->constants, variables};
#define OPERAND(location) spaces[(location)&3][(location) >> 2]
  for (int32_t k = expr->leaf_count; k < expr->count; k++) {
    const expr_instruction *i = &expr->code[k];
    double a = OPERAND(i->source[0]);
    if (i->op == EXPR_FUNCTION) {
      const thud_regulated *function = &expr->functions[i->reference];
      double *out = &registers[i->target];
      if (function->evaluate(function->user, a, THUD_SIDE_VALUE, out) != 0) *out = (double)NAN;
    } else {
      registers[i->target] = expr_apply((expr_op)i->op, a, OPERAND(i->source[1]), OPERAND(i->source[2]));
    }
  }
  return OPERAND(expr->result_at);
#undef OPERAND
}

bool thud_expr_depends_on(const thud_expr *expr, thud_index slot) {
  THUD_REQUIRE_OR(false, expr);
  for (int32_t k = expr->constant_count; k < expr->leaf_count; k++)
    if (expr->code[k].reference == slot) return true;
  return false;
}

bool thud_expr_is_constant(const thud_expr *expr) {
  THUD_REQUIRE_OR(false, expr);
  return expr->leaf_count == expr->constant_count;
}

/* Data of a sided evaluation. */
typedef struct sided_frame {
  const thud_expr *expr;
  const double *variables;
  thud_index slot;
  expr_dual registers[EXPR_MAX_REGISTERS];
} sided_frame;

static expr_dual sided_operand(const sided_frame *frame, expr_location location) {
  uint32_t index = location >> 2;
  switch (location & 3) {
  case EXPR_IN_CONSTANTS: return (expr_dual){frame->expr->constants[index], 0, frame->expr->constant_errors[index]};
  case EXPR_IN_VARIABLES: return expr_dual_variable(frame->variables[index], (thud_index)index == frame->slot);
  default: return frame->registers[index];
  }
}

double thud_expr_evaluate_side(const thud_expr *expr, const double *variables, thud_index slot, thud_side side) {
  THUD_REQUIRE_OR(NAN, expr, variables || thud_expr_is_constant(expr));
  sided_frame frame;
  frame.expr = expr;
  frame.variables = variables;
  frame.slot = slot;
  for (int32_t k = expr->leaf_count; k < expr->count; k++) {
    const expr_instruction *instruction = &expr->code[k];
    expr_dual x[EXPR_MAX_ARITY];
    for (int i = 0; i < EXPR_MAX_ARITY; i++) x[i] = sided_operand(&frame, instruction->source[i]);
    frame.registers[instruction->target] = thud_expr_dual_run(expr, instruction, x, side);
  }
  return sided_operand(&frame, expr->result_at).value;
}
