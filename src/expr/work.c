#include "base/base.h"
#include "expr/apply.h"
#include "expr/program.h"

#include <string.h>

static thud_error allocate_work(thud_expr_work *work) {
  thud_context *context = work->context;
  const thud_expr_program *program = work->program;
  size_t stride = (size_t)work->max_order + 1, cells;
  if (!thud_size_multiply((size_t)program->row_count, stride, &cells))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "jets of order %d of %d values", work->max_order,
                     (int)program->row_count);
  work->values = THUD_NEW_ARRAY(context, double, program->tape->count);
  work->branches = THUD_NEW_ARRAY(context, int8_t, program->tape->count);
  work->holds = THUD_NEW_ARRAY(context, int8_t, program->switch_count);
  work->jets = THUD_NEW_ARRAY(context, double, cells);
  bool complete = work->values != NULL && work->branches != NULL && work->holds != NULL && work->jets != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_expr_work_create(thud_context *context, const thud_expr_program *program, int max_order,
                                 thud_expr_work **work) {
  THUD_REQUIRE(context, context, program, work);
  if (max_order < 0 || max_order > THUD_EXPR_MAX_ORDER)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "jets of order %d; give an order of 0..%d", max_order,
                     (int)THUD_EXPR_MAX_ORDER);
  thud_expr_work *made = THUD_NEW(context, thud_expr_work);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->program = program;
  made->max_order = max_order;
  made->done = -1;
  thud_error error = allocate_work(made);
  if (error != THUD_OK) {
    thud_expr_work_destroy(made);
    return error;
  }
  const thud_expr *tape = program->tape;
  for (int32_t k = 0; k < tape->constant_count; k++) {
    made->values[k] = tape->constants[k];
    made->jets[(size_t)k * ((size_t)max_order + 1)] = tape->constants[k];
  }
  *work = made;
  return THUD_OK;
}

void thud_expr_work_destroy(thud_expr_work *work) {
  if (work == NULL) return;
  thud_expr_live_release(work);
  thud_free(work->context, work->values);
  thud_free(work->context, work->branches);
  thud_free(work->context, work->holds);
  thud_free(work->context, work->jets);
  thud_free(work->context, work);
}

double thud_expr_run(const thud_expr_work *work, const expr_instruction *instruction, double a, double b, double c) {
  expr_op op = (expr_op)instruction->op;
  if (op == EXPR_FUNCTION) {
    const thud_regulated *function = &work->program->tape->functions[instruction->reference];
    double value;
    return function->evaluate(function->user, a, THUD_SIDE_VALUE, &value) == 0 ? value : (double)NAN;
  }
  int sign = expr_held_sign(work, instruction);
  return sign != 0 ? thud_expr_apply_held(op, sign, a, b, c) : expr_apply(op, a, b, c);
}

void thud_expr_work_evaluate(thud_expr_work *work, const double *variables, double *out) {
  THUD_REQUIRE_OR(, work, out, variables || thud_expr_is_constant(work->program->tape));
  const thud_expr *tape = work->program->tape;
  double *values = work->values;
  for (int32_t k = tape->constant_count; k < tape->leaf_count; k++) values[k] = variables[tape->code[k].reference];
  for (int32_t at = 0, count = expr_live_count(work); at < count; at++) {
    int32_t k = expr_live_operation(work, at);
    const expr_instruction *i = &tape->code[k];
    double a = values[i->source[0]], b = values[i->source[1]], c = values[i->source[2]];
    /* Operations without a reference are neither functions nor decided by a switch. */
    values[k] = i->reference == 0 && i->op != EXPR_FUNCTION ? expr_apply((expr_op)i->op, a, b, c)
                                                            : thud_expr_run(work, i, a, b, c);
  }
  for (thud_index k = 0; k < work->program->output_count; k++) out[k] = values[work->program->outputs[k]];
}

void thud_expr_work_switches(const thud_expr_work *work, double *arguments) {
  THUD_REQUIRE_OR(, work, arguments);
  const thud_expr_program *program = work->program;
  for (thud_index k = 0; k < program->switch_count; k++) {
    int32_t argument = program->switches[k].argument;
    const int32_t *operand = program->tape->code[argument].operand;
    bool apart = work->live.pruned && work->live.is_break[k]; /* a difference of leaves */
    arguments[k] = apart ? work->values[operand[0]] - work->values[operand[1]] : work->values[argument];
  }
}

thud_error thud_expr_work_hold(thud_expr_work *work, thud_index index, int sign) {
  THUD_REQUIRE(work != NULL ? work->context : NULL, work);
  if (index < 0 || index >= work->program->switch_count)
    return thud_fail(work->context, THUD_ERROR_ARGUMENT, "switch number %d, but the program has %d", (int)index,
                     (int)work->program->switch_count);
  if (sign < -1 || sign > 1)
    return thud_fail(work->context, THUD_ERROR_ARGUMENT, "a switch is held at -1 or 1 or set free by 0, not by %d",
                     sign);
  if (work->holds[index] == sign) return THUD_OK;
  expr_live *live = &work->live;
  if (live->break_count > 0 && live->is_break[index]) live->free_breaks += (sign == 0) - (work->holds[index] == 0);
  work->holds[index] = (int8_t)sign;
  thud_expr_live_renew(work);
  return THUD_OK;
}
