/* Degrees of the values of a program along a path whose variables are polynomials.
 *
 *   constants 0,  x + y: max,  x y: sum,  x/c: that of x,  any function of what does not move: 0
 * and everything else has no degree. They are bounds by structure: the coefficients above them are 0 exactly, in a jet
 * as well, since each of their terms has a factor that is 0. */
#include "expr/program.h"

static int larger(int a, int b) { return a > b ? a : b; }

static int degree_of(const thud_expr_work *held, const expr_instruction *i, const int *degrees) {
  int operand[EXPR_MAX_ARITY], most = 0;
  int arity = thud_expr_ops[i->op].arity;
  for (int j = 0; j < EXPR_MAX_ARITY; j++) {
    operand[j] = j < arity ? degrees[i->operand[j]] : 0;
    most = larger(most, operand[j]);
  }
  if (most == 0 || most >= EXPR_ENDLESS) return most;
  switch ((expr_op)i->op) {
  case EXPR_ADD:
  case EXPR_SUBTRACT:
  case EXPR_NEGATE: return most;
  case EXPR_MULTIPLY: return operand[0] + operand[1];
  case EXPR_DIVIDE: return operand[1] == 0 ? operand[0] : EXPR_ENDLESS;
  case EXPR_ABS:
  case EXPR_MIN:
  case EXPR_MAX: return expr_held_sign(held, i) != 0 ? most : EXPR_ENDLESS;
  case EXPR_IF: return expr_held_sign(held, i) != 0 || operand[0] == 0 ? larger(operand[1], operand[2]) : EXPR_ENDLESS;
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return expr_held_sign(held, i) != 0 ? 0 : EXPR_ENDLESS;
  default: return EXPR_ENDLESS;
  }
}

void thud_expr_work_degrees(const thud_expr_work *work, const int *variables, int *degrees) {
  const thud_expr *tape = work->program->tape;
  for (int32_t k = 0; k < tape->constant_count; k++) degrees[k] = 0;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++) degrees[k] = variables[tape->code[k].reference];
  for (int32_t at = 0; at < expr_live_count(work); at++) {
    int32_t k = expr_live_operation(work, at);
    int degree = degree_of(work, &tape->code[k], degrees);
    degrees[k] = degree < EXPR_ENDLESS ? degree : EXPR_ENDLESS;
  }
}
