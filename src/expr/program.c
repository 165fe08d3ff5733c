#include "base/base.h"
#include "expr/program.h"

#include "expr/scope.h"

#include <stdlib.h>

/* Workspace of the making of a program. */
typedef struct program_plan {
  int32_t *arguments, *deciders; /* [switch_count] nodes */
  int32_t *decided_by;           /* [node_count] */
  int32_t node_count;            /* before the arguments were added */
  int32_t *roots;                /* [outputs + switches] nodes */
  int32_t *numbers;              /* [nodes] value numbers */
  thud_index switch_count;
} program_plan;

static void plan_release(thud_context *context, program_plan *plan) {
  thud_free(context, plan->arguments);
  thud_free(context, plan->deciders);
  thud_free(context, plan->decided_by);
  thud_free(context, plan->roots);
  thud_free(context, plan->numbers);
}

/* Finds the switches and lists what the tape must compute. */
static thud_error plan_roots(thud_expr_graph *graph, thud_index count, const thud_expr_value *values,
                             program_plan *plan) {
  plan->node_count = (int32_t)graph->builder.count;
  thud_error error = thud_expr_find_switches(graph, count, values, &plan->arguments, &plan->deciders, &plan->decided_by,
                                             &plan->switch_count);
  if (error != THUD_OK) return error;
  size_t total = (size_t)count + (size_t)plan->switch_count;
  plan->roots = THUD_NEW_ARRAY(graph->context, int32_t, total);
  plan->numbers = THUD_NEW_ARRAY(graph->context, int32_t, graph->builder.count);
  if (plan->roots == NULL || plan->numbers == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < count; k++) plan->roots[k] = values[k];
  for (thud_index k = 0; k < plan->switch_count; k++) plan->roots[count + k] = plan->arguments[k];
  return THUD_OK;
}

/* The side of its own argument on which an operation has the value that it has at 0: step(0) = 1, 0 < 0 is false, 0 <= 0
 * true; 0: neither. */
static int side_at_zero(expr_op op) { return op == EXPR_STEP || op == EXPR_LESS ? 1 : op == EXPR_LESS_EQUAL ? -1 : 0; }

/* Requirement of an operation on its switch: sides of operations that jump must agree. */
static void note_side(expr_switch *which, int side, bool first) {
  which->at_zero = (int8_t)(first || which->at_zero == side ? side : 0);
}

static void describe_switches(const thud_expr_graph *graph, const program_plan *plan, thud_expr_program *program) {
  const expr_builder *builder = &graph->builder;
  for (thud_index k = 0; k < plan->switch_count; k++) {
    int32_t decider = plan->deciders[k];
    const expr_op_info *op = &thud_expr_ops[builder->nodes[decider].op];
    program->switches[k].argument = plan->numbers[plan->arguments[k]];
    program->switches[k].info = (thud_expr_switch){
        .operation = op->text, .source = builder->origins[decider].source, .place = builder->places[decider]};
  }
  for (int32_t k = 0; k < plan->node_count; k++) {
    if (plan->decided_by[k] == 0) continue;
    program->tape->code[plan->numbers[k]].reference = plan->decided_by[k];
    if (thud_expr_ops[builder->nodes[k].op].smoothness == EXPR_JUMP && !builder->origins[k].derived) {
      expr_switch *which = &program->switches[abs(plan->decided_by[k]) - 1];
      int side = side_at_zero(builder->nodes[k].op);
      note_side(which, plan->decided_by[k] > 0 ? side : -side, !which->info.jumps);
      which->info.jumps = true;
    }
  }
}

static thud_error fill(thud_expr_graph *graph, thud_index count, const program_plan *plan, thud_expr_program *program) {
  thud_context *context = graph->context;
  size_t total = (size_t)count + (size_t)plan->switch_count;
  bool fits;
  thud_error error = thud_expr_builder_finish(&graph->builder, total, plan->roots, graph->scope->variable_count, false,
                                              plan->numbers, &fits, &program->tape);
  if (error != THUD_OK) return error;
  program->output_count = count;
  program->switch_count = plan->switch_count;
  program->outputs = THUD_NEW_ARRAY(context, int32_t, count);
  program->switches = THUD_NEW_ARRAY(context, expr_switch, plan->switch_count);
  if (program->outputs == NULL || program->switches == NULL) return THUD_ERROR_MEMORY;
  for (thud_index k = 0; k < count; k++) program->outputs[k] = plan->numbers[plan->roots[k]];
  describe_switches(graph, plan, program);
  return thud_expr_place_companions(program);
}

thud_error thud_expr_program_create(thud_expr_graph *graph, thud_index count, const thud_expr_value *values,
                                    thud_expr_program **program) {
  THUD_REQUIRE_OF(graph, count == 0 || values, program);
  thud_context *context = graph->context;
  thud_error error = thud_expr_graph_check_values(graph, count, values);
  if (error != THUD_OK) return error;
  thud_expr_program *made = THUD_NEW(context, thud_expr_program);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  program_plan plan = {0};
  error = plan_roots(graph, count, values, &plan);
  if (error == THUD_OK) error = fill(graph, count, &plan, made);
  plan_release(context, &plan);
  if (error == THUD_OK)
    *program = made;
  else
    thud_expr_program_destroy(made);
  return error;
}

thud_error thud_expr_program_compile(thud_context *context, const thud_expr_scope *scope, thud_index count,
                                     const char *const *sources, thud_index *source, thud_expr_place *place,
                                     thud_expr_program **program) {
  THUD_REQUIRE(context, context, scope, count == 0 || sources, program);
  thud_expr_graph *graph = NULL;
  if (count < 0 || (count > 0 && sources == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a program needs the texts of its expressions");
  thud_expr_value *values = THUD_NEW_ARRAY(context, thud_expr_value, count);
  thud_error error = values != NULL ? thud_expr_graph_create(context, scope, &graph) : THUD_ERROR_MEMORY;
  for (thud_index k = 0; error == THUD_OK && k < count; k++) {
    error = thud_expr_graph_add(graph, sources[k], place, &values[k]);
    if (error != THUD_OK && source != NULL) *source = k;
  }
  if (error == THUD_OK) error = thud_expr_program_create(graph, count, values, program);
  thud_expr_graph_destroy(graph);
  thud_free(context, values);
  return error;
}

void thud_expr_program_destroy(thud_expr_program *program) {
  if (program == NULL) return;
  thud_expr_destroy(program->tape);
  thud_free(program->context, program->outputs);
  thud_free(program->context, program->switches);
  thud_free(program->context, program->companions);
  thud_free(program->context, program);
}

thud_index thud_expr_program_output_count(const thud_expr_program *program) {
  THUD_REQUIRE_OR(0, program);
  return program->output_count;
}
thud_index thud_expr_program_variable_count(const thud_expr_program *program) {
  THUD_REQUIRE_OR(0, program);
  return program->tape->variable_count;
}
thud_index thud_expr_program_operation_count(const thud_expr_program *program) {
  THUD_REQUIRE_OR(0, program);
  return program->tape->count - program->tape->leaf_count;
}
thud_index thud_expr_program_switch_count(const thud_expr_program *program) {
  THUD_REQUIRE_OR(0, program);
  return program->switch_count;
}
thud_expr_switch thud_expr_program_switch(const thud_expr_program *program, thud_index index) {
  THUD_REQUIRE_OR((thud_expr_switch){0}, program);
  return program->switches[index].info;
}
