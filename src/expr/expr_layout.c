#include "expr/builder.h"

#include <string.h>

/* Working arrays, one entry per node of the builder. */
typedef struct layout {
  const expr_builder *builder;
  uint16_t *need;  /* registers needed to compute the node as a tree (Sethi and Ullman 1970) */
  int32_t *uses;   /* operands of emitted operations that refer to the node */
  int32_t *number; /* value number in the tape, or -1 */
  int32_t *order;  /* [operations] nodes in the order of computation */
  int32_t *stack;  /* nodes being visited */
  bool *reached;   /* the result needs the node */
  int32_t operations, constants, variables;
} layout;

static bool is_leaf(const layout *plan, int32_t node) {
  return thud_expr_ops[plan->builder->nodes[node].op].smoothness == EXPR_LEAF;
}

/* The operands in the order in which they are best computed: the hungriest first. Returns how many. */
static int hungriest_first(const layout *plan, int32_t node, int32_t *operands) {
  int arity = thud_expr_ops[plan->builder->nodes[node].op].arity;
  for (int k = 0; k < arity; k++) {
    int32_t operand = plan->builder->nodes[node].operand[k];
    int at = k;
    for (; at > 0 && plan->need[operands[at - 1]] < plan->need[operand]; at--) operands[at] = operands[at - 1];
    operands[at] = operand;
  }
  return arity;
}

static void count_needs(layout *plan) {
  for (size_t k = 0; k < plan->builder->count; k++) {
    int32_t operands[EXPR_MAX_ARITY];
    int arity = hungriest_first(plan, (int32_t)k, operands), held = 0, need = is_leaf(plan, (int32_t)k) ? 0 : 1;
    for (int i = 0; i < arity; i++) {
      if (is_leaf(plan, operands[i])) continue;
      if (plan->need[operands[i]] + held > need) need = plan->need[operands[i]] + held;
      held++;
    }
    plan->need[k] = (uint16_t)(need < UINT16_MAX ? need : UINT16_MAX);
  }
}

/* Depth-first from the root with a stack of its own: a sum of 30000 terms is 30000 deep. */
static void order_operations(layout *plan, int32_t root) {
  size_t depth = 0;
  if (!plan->reached[root]) plan->stack[depth++] = root;
  while (depth > 0) {
    int32_t node = plan->stack[depth - 1], operands[EXPR_MAX_ARITY];
    int arity = hungriest_first(plan, node, operands), k = 0;
    while (k < arity && plan->reached[operands[k]]) k++;
    if (k < arity) {
      plan->stack[depth++] = operands[k];
      continue;
    }
    depth--;
    plan->reached[node] = true;
    if (is_leaf(plan, node)) continue;
    plan->order[plan->operations++] = node;
    for (k = 0; k < arity; k++) plan->uses[operands[k]]++;
  }
}

/* Constants first, then variables, then operations in their order. */
static void number_values(layout *plan) {
  const expr_builder *builder = plan->builder;
  int32_t next = 0;
  for (size_t k = 0; k < builder->count; k++)
    if (plan->reached[k] && builder->nodes[k].op == EXPR_CONSTANT) plan->number[k] = next++;
  plan->constants = next;
  for (size_t k = 0; k < builder->count; k++)
    if (plan->reached[k] && builder->nodes[k].op == EXPR_VARIABLE) plan->number[k] = next++;
  plan->variables = next - plan->constants;
  for (int32_t k = 0; k < plan->operations; k++) plan->number[plan->order[k]] = next++;
}

static expr_location leaf_location(const thud_expr *expr, int32_t value) {
  const expr_instruction *leaf = &expr->code[value];
  return expr_location_make(leaf->op == EXPR_CONSTANT ? EXPR_IN_CONSTANTS : EXPR_IN_VARIABLES,
                            (uint32_t)leaf->reference);
}

static expr_location locate(const thud_expr *expr, int32_t value) {
  return value < expr->leaf_count ? leaf_location(expr, value)
                                  : expr_location_make(EXPR_IN_REGISTER, expr->code[value].target);
}

/* Linear scan: a register is free again after the last use of its value. False when they do not suffice. */
static bool assign_registers(layout *plan, thud_expr *expr) {
  uint8_t free_registers[EXPR_MAX_REGISTERS];
  int free_count = EXPR_MAX_REGISTERS;
  for (int k = 0; k < EXPR_MAX_REGISTERS; k++) free_registers[k] = (uint8_t)(EXPR_MAX_REGISTERS - 1 - k);
  for (int32_t k = 0; k < plan->operations; k++) {
    const expr_node *node = &plan->builder->nodes[plan->order[k]];
    expr_instruction *instruction = &expr->code[expr->leaf_count + k];
    int arity = thud_expr_ops[node->op].arity;
    for (int i = 0; i < EXPR_MAX_ARITY; i++) {
      instruction->source[i] = i < arity ? locate(expr, instruction->operand[i]) : instruction->source[0];
      if (i < arity && --plan->uses[node->operand[i]] == 0 && instruction->operand[i] >= expr->leaf_count)
        free_registers[free_count++] = expr->code[instruction->operand[i]].target;
    }
    if (free_count == 0) return false;
    instruction->target = free_registers[--free_count];
  }
  expr->result_at = locate(expr, expr->result);
  return true;
}

/* Operands by their value numbers: no registers. */
static void point_to_values(thud_expr *expr) {
  for (int32_t k = expr->leaf_count; k < expr->count; k++) {
    expr_instruction *instruction = &expr->code[k];
    for (int i = 0; i < EXPR_MAX_ARITY; i++)
      instruction->source[i] = (expr_location)instruction->operand[instruction->operand[i] < 0 ? 0 : i];
  }
}

static void write_code(const layout *plan, thud_expr *expr) {
  for (size_t k = 0; k < plan->builder->count; k++) {
    const expr_node *node = &plan->builder->nodes[k];
    int32_t value = plan->number[k];
    if (value < 0) continue;
    expr_instruction *instruction = &expr->code[value];
    *instruction = (expr_instruction){.op = (uint8_t)node->op, .reference = node->reference, .operand = {-1, -1, -1}};
    for (int i = 0; i < thud_expr_ops[node->op].arity; i++) instruction->operand[i] = plan->number[node->operand[i]];
    expr->places[value] = plan->builder->places[k];
    expr->origins[value] = plan->builder->origins[k];
    if (node->op != EXPR_CONSTANT) continue;
    instruction->reference = value;
    expr->constants[value] = node->value;
    expr->constant_errors[value] = node->error;
  }
}

static thud_error layout_allocate(layout *plan) {
  thud_context *context = plan->builder->context;
  size_t n = plan->builder->count;
  plan->need = THUD_NEW_ARRAY(context, uint16_t, n);
  plan->uses = THUD_NEW_ARRAY(context, int32_t, n);
  plan->number = THUD_NEW_ARRAY(context, int32_t, n);
  plan->order = THUD_NEW_ARRAY(context, int32_t, n);
  plan->stack = THUD_NEW_ARRAY(context, int32_t, n);
  plan->reached = THUD_NEW_ARRAY(context, bool, n);
  bool complete = plan->need != NULL && plan->uses != NULL && plan->number != NULL && plan->order != NULL &&
                  plan->stack != NULL && plan->reached != NULL;
  if (complete) memset(plan->number, 0xFF, n * sizeof *plan->number); /* all -1 */
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static void layout_release(layout *plan) {
  thud_context *context = plan->builder->context;
  thud_free(context, plan->need);
  thud_free(context, plan->uses);
  thud_free(context, plan->number);
  thud_free(context, plan->order);
  thud_free(context, plan->stack);
  thud_free(context, plan->reached);
}

/* Room for the tape; the functions' descriptions are copied. */
static thud_error expr_allocate(const layout *plan, thud_index variable_count, thud_expr **expr) {
  const expr_builder *builder = plan->builder;
  thud_context *context = builder->context;
  thud_expr *made = THUD_NEW(context, thud_expr);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->variable_count = variable_count;
  made->constant_count = plan->constants;
  made->leaf_count = plan->constants + plan->variables;
  made->count = made->leaf_count + plan->operations;
  made->function_count = (int32_t)builder->function_count;
  made->code = THUD_NEW_ARRAY(context, expr_instruction, made->count);
  made->places = THUD_NEW_ARRAY(context, thud_expr_place, made->count);
  made->origins = THUD_NEW_ARRAY(context, expr_origin, made->count);
  made->constants = THUD_NEW_ARRAY(context, double, made->constant_count);
  made->constant_errors = THUD_NEW_ARRAY(context, double, made->constant_count);
  made->functions = THUD_NEW_ARRAY(context, thud_regulated, made->function_count);
  if (made->code == NULL || made->places == NULL || made->origins == NULL || made->constants == NULL ||
      made->constant_errors == NULL || made->functions == NULL) {
    thud_expr_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  if (builder->function_count > 0)
    memcpy(made->functions, builder->functions, builder->function_count * sizeof *made->functions);
  *expr = made;
  return THUD_OK;
}

thud_error thud_expr_builder_finish(const expr_builder *builder, size_t root_count, const int32_t *roots,
                                    thud_index variable_count, bool registers, int32_t *numbers, bool *fits,
                                    thud_expr **expr) {
  layout plan = {.builder = builder};
  thud_expr *made = NULL;
  thud_error error = layout_allocate(&plan);
  if (error != THUD_OK) goto cleanup;
  count_needs(&plan);
  for (size_t k = 0; k < root_count; k++) order_operations(&plan, roots[k]);
  number_values(&plan);
  error = expr_allocate(&plan, variable_count, &made);
  if (error != THUD_OK) goto cleanup;
  made->result = root_count > 0 ? plan.number[roots[0]] : -1;
  write_code(&plan, made);
  if (numbers != NULL) memcpy(numbers, plan.number, builder->count * sizeof *numbers);
  *fits = true;
  if (registers)
    *fits = assign_registers(&plan, made);
  else
    point_to_values(made);
  if (*fits)
    *expr = made;
  else
    thud_expr_destroy(made);
cleanup:
  layout_release(&plan);
  return error;
}

void thud_expr_destroy(thud_expr *expr) {
  if (expr == NULL) return;
  thud_context *context = expr->context;
  thud_free(context, expr->code);
  thud_free(context, expr->places);
  thud_free(context, expr->origins);
  thud_free(context, expr->constants);
  thud_free(context, expr->constant_errors);
  thud_free(context, expr->functions);
  thud_free(context, expr);
}
