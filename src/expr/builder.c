#include "expr/builder.h"

#include "expr/apply.h"
#include "expr/dual.h"

#include <string.h>

void thud_expr_builder_release(expr_builder *builder) {
  thud_free(builder->context, builder->nodes);
  thud_free(builder->context, builder->places);
  thud_free(builder->context, builder->origins);
  thud_free(builder->context, builder->expressions);
  thud_free(builder->context, builder->table);
  thud_free(builder->context, builder->functions);
}

/* FNV-1a over the fields that make two nodes equal. */
static uint64_t hash_node(const expr_node *node) {
  uint64_t bits[2], hash = 14695981039346656037u;
  memcpy(bits, &node->value, sizeof(double));
  memcpy(bits + 1, &node->error, sizeof(double));
  const uint64_t parts[] = {(uint64_t)node->op,
                            (uint64_t)node->reference,
                            (uint64_t)node->operand[0],
                            (uint64_t)node->operand[1],
                            (uint64_t)node->operand[2],
                            bits[0],
                            bits[1]};
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++)
    for (int shift = 0; shift < 64; shift += 8) hash = (hash ^ (parts[k] >> shift & 255)) * 1099511628211u;
  return hash;
}

/* Bits are compared, not numbers: 0 and -0 differ, a NaN equals itself. */
static bool nodes_equal(const expr_node *a, const expr_node *b) {
  return a->op == b->op && a->reference == b->reference && memcmp(a->operand, b->operand, sizeof a->operand) == 0 &&
         memcmp(&a->value, &b->value, sizeof a->value) == 0 && memcmp(&a->error, &b->error, sizeof a->error) == 0;
}

/* Position of an equal node in the table, or of the empty place where it belongs. */
static size_t table_position(const expr_builder *builder, const expr_node *node) {
  size_t mask = builder->table_size - 1, at = (size_t)hash_node(node) & mask;
  while (builder->table[at] != 0 && !nodes_equal(&builder->nodes[builder->table[at] - 1], node)) at = (at + 1) & mask;
  return at;
}

/* Keeps the table at most half full. */
static thud_error grow_table(expr_builder *builder) {
  if (2 * (builder->count + 1) <= builder->table_size) return THUD_OK;
  size_t size = builder->table_size == 0 ? 64 : 2 * builder->table_size;
  int32_t *table = THUD_NEW_ARRAY(builder->context, int32_t, size);
  if (table == NULL) return THUD_ERROR_MEMORY;
  thud_free(builder->context, builder->table);
  builder->table = table;
  builder->table_size = size;
  for (size_t k = 0; k < builder->count; k++) {
    size_t at = table_position(builder, &builder->nodes[k]);
    if (builder->table[at] == 0) builder->table[at] = (int32_t)k + 1;
  }
  return THUD_OK;
}

/* A place in the text takes precedence over one of differentiation or of a call. */
static void claim_node(expr_builder *builder, int32_t node, thud_expr_place place) {
  const expr_origin *old = &builder->origins[node], *now = &builder->origin;
  if (now->source < 0 || now->derived || (old->source >= 0 && !old->derived)) return;
  builder->origins[node] = *now;
  builder->places[node] = place;
}

static thud_error add_node(expr_builder *builder, const expr_node *node, thud_expr_place place, int32_t *number) {
  thud_context *context = builder->context;
  thud_error error = grow_table(builder);
  if (error != THUD_OK) return error;
  size_t at = table_position(builder, node);
  bool leaf = thud_expr_ops[node->op].smoothness == EXPR_LEAF;
  if (builder->table[at] != 0 && (builder->share || leaf)) {
    *number = builder->table[at] - 1;
    claim_node(builder, *number, place);
    return THUD_OK;
  }
  if (builder->count >= EXPR_MAX_TAPE)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "expressions and their derivatives of more than %d operations",
                     (int)EXPR_MAX_TAPE);
  error = thud_array_reserve(context, &builder->nodes, &builder->capacity, builder->count + 1, sizeof *builder->nodes);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &builder->places, &builder->place_capacity, builder->count + 1,
                               sizeof *builder->places);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &builder->origins, &builder->origin_capacity, builder->count + 1,
                               sizeof *builder->origins);
  if (error != THUD_OK) return error;
  builder->nodes[builder->count] = *node;
  builder->places[builder->count] = place;
  builder->origins[builder->count] = builder->origin;
  *number = (int32_t)builder->count++;
  if (builder->table[at] == 0) builder->table[at] = *number + 1;
  return THUD_OK;
}

thud_error thud_expr_build_constant(expr_builder *builder, double value, double error, thud_expr_place place,
                                    int32_t *node) {
  expr_node made = {.op = EXPR_CONSTANT, .operand = {-1, -1, -1}, .value = value, .error = error};
  return add_node(builder, &made, place, node);
}

thud_error thud_expr_build_variable(expr_builder *builder, thud_index slot, thud_expr_place place, int32_t *node) {
  expr_node made = {.op = EXPR_VARIABLE, .reference = slot, .operand = {-1, -1, -1}};
  return add_node(builder, &made, place, node);
}

thud_error thud_expr_build_function(expr_builder *builder, const thud_regulated *function, thud_index time_slot,
                                    thud_expr_place place, int32_t *node) {
  size_t index = 0;
  while (index < builder->function_count &&
         (builder->functions[index].evaluate != function->evaluate ||
          builder->functions[index].user != function->user || builder->functions[index].jumps != function->jumps))
    index++;
  if (index == builder->function_count) {
    thud_error error = thud_array_reserve(builder->context, &builder->functions, &builder->function_capacity, index + 1,
                                          sizeof *builder->functions);
    if (error != THUD_OK) return error;
    builder->functions[builder->function_count++] = *function;
  }
  int32_t time;
  thud_error error = thud_expr_build_variable(builder, time_slot, place, &time);
  if (error != THUD_OK) return error;
  expr_node made = {.op = EXPR_FUNCTION, .reference = (int32_t)index, .operand = {time, -1, -1}};
  return add_node(builder, &made, place, node);
}

bool thud_expr_is_number(const expr_builder *builder, int32_t node, double value) {
  const expr_node *constant = &builder->nodes[node];
  return constant->op == EXPR_CONSTANT && constant->value == value && constant->error == 0;
}

/* Identities that are exact in floating-point arithmetic, also for NaN, infinities and -0. Gives the node that the
 * operation equals, or -1. */
static int32_t simplify(const expr_builder *builder, expr_op op, const int32_t *operands) {
  int32_t a = operands[0], b = operands[1];
  switch (op) {
  case EXPR_MULTIPLY:
    if (thud_expr_is_number(builder, a, 1)) return b;
    return thud_expr_is_number(builder, b, 1) ? a : -1;
  case EXPR_DIVIDE:
  case EXPR_POWER: return thud_expr_is_number(builder, b, 1) ? a : -1;
  case EXPR_SUBTRACT: return thud_expr_is_number(builder, b, 0) && !signbit(builder->nodes[b].value) ? a : -1;
  case EXPR_NEGATE: return builder->nodes[a].op == EXPR_NEGATE ? builder->nodes[a].operand[0] : -1;
  case EXPR_IF:
    if (builder->nodes[a].op != EXPR_CONSTANT || isnan(builder->nodes[a].value)) return -1;
    return builder->nodes[a].value != 0 ? b : operands[2];
  default: return -1;
  }
}

/* Folds with the same arithmetic as the evaluator; the error bound comes from the same rules as the sided limits'. */
static thud_error fold(expr_builder *builder, expr_op op, const expr_node *node, thud_expr_place place,
                       int32_t *number) {
  expr_dual x[EXPR_MAX_ARITY] = {{0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
  for (int k = 0; k < thud_expr_ops[op].arity; k++) {
    const expr_node *operand = &builder->nodes[node->operand[k]];
    x[k] = (expr_dual){operand->value, 0, operand->error};
  }
  double value = expr_apply(op, x[0].value, x[1].value, x[2].value);
  double error = thud_expr_dual_apply(op, x, THUD_SIDE_VALUE).error;
  bool whole = value == floor(value) && fabs(value) < 0x1p53 && x[0].error == 0 && x[1].error == 0;
  if (whole && (op == EXPR_ADD || op == EXPR_SUBTRACT || op == EXPR_MULTIPLY)) error = 0;
  return thud_expr_build_constant(builder, value, error, place, number);
}

/* A constant exponent of node, 0: none. */
static double exponent_of(const expr_builder *builder, int32_t node) {
  return builder->nodes[node].op == EXPR_CONSTANT ? builder->nodes[node].value : 0;
}

/* Writes powers of squares and roots as powers of what is in them, where these have a derivative at 0 that the chain rule
 * would give as 0 times infinity: (u^2)^p = |u|^(2p), sqrt(b)^p = b^(p/2), hypot(a, b)^p = (a^2 + b^2)^(p/2). Values agree to
 * rounding. *base, *p: the new ones; the same: nothing to do. */
static thud_error open_power(expr_builder *builder, thud_expr_place place, int32_t *base, double *p) {
  const expr_node node = builder->nodes[*base];
  int32_t a, b;
  thud_error error = THUD_OK;
  double inner = node.op == EXPR_POWER ? exponent_of(builder, node.operand[1]) : 0;
  bool square = node.op == EXPR_MULTIPLY && node.operand[0] == node.operand[1];
  bool even = inner >= 2 && inner == 2 * floor(inner / 2);
  if ((square || even) && *p < 1 && *p * (square ? 2 : inner) > 1) {
    *p *= square ? 2 : inner;
    return thud_expr_build_operation(builder, EXPR_ABS, node.operand, place, base);
  }
  if (node.op == EXPR_SQRT && *p > 1) {
    *base = node.operand[0];
    *p /= 2;
    return open_power(builder, place, base, p);
  }
  if (node.op == EXPR_HYPOT && *p > 1) {
    error = thud_expr_build_binary(builder, EXPR_MULTIPLY, node.operand[0], node.operand[0], place, &a);
    if (error == THUD_OK)
      error = thud_expr_build_binary(builder, EXPR_MULTIPLY, node.operand[1], node.operand[1], place, &b);
    if (error == THUD_OK) error = thud_expr_build_binary(builder, EXPR_ADD, a, b, place, base);
    *p /= 2;
  }
  return error;
}

/* The operands of a power with a constant exponent that is no whole number. */
static thud_error open_operands(expr_builder *builder, thud_expr_place place, int32_t *operands) {
  double p = exponent_of(builder, operands[1]);
  int32_t base = operands[0];
  if (p == floor(p) || !isfinite(p)) return THUD_OK;
  double error_of_p = builder->nodes[operands[1]].error, before = p;
  thud_error error = open_power(builder, place, &base, &p);
  if (error == THUD_OK && base != operands[0])
    error = thud_expr_build_constant(builder, p, error_of_p * fmax(1, p / before) + 1, place, &operands[1]);
  operands[0] = base;
  return error;
}

thud_error thud_expr_build_operation(expr_builder *builder, expr_op op, const int32_t *operands, thud_expr_place place,
                                     int32_t *number) {
  int arity = thud_expr_ops[op].arity;
  expr_node node = {.op = op, .operand = {-1, -1, -1}};
  bool constant = true;
  for (int k = 0; k < arity; k++) {
    node.operand[k] = operands[k];
    constant = constant && builder->nodes[operands[k]].op == EXPR_CONSTANT;
  }
  if (op == EXPR_POWER && !constant) {
    thud_error error = open_operands(builder, place, node.operand);
    if (error != THUD_OK) return error;
  }
  int32_t equal = simplify(builder, op, node.operand);
  if (equal >= 0) {
    *number = equal;
    return THUD_OK;
  }
  if (op == EXPR_POWER && thud_expr_is_number(builder, node.operand[1], 0)) /* 1, even of NaN (C17, F.10.4.4) */
    return thud_expr_build_constant(builder, 1, 0, place, number);
  if (op == EXPR_POWER && thud_expr_is_number(builder, node.operand[1], 2)) {
    node.op = EXPR_MULTIPLY;
    node.operand[1] = node.operand[0];
  }
  if (constant) return fold(builder, node.op, &node, place, number);
  if ((node.op == EXPR_ADD || node.op == EXPR_MULTIPLY) && node.operand[0] > node.operand[1]) {
    int32_t first = node.operand[0]; /* IEEE addition and multiplication commute exactly */
    node.operand[0] = node.operand[1];
    node.operand[1] = first;
  }
  return add_node(builder, &node, place, number);
}

thud_error thud_expr_build_binary(expr_builder *builder, expr_op op, int32_t a, int32_t b, thud_expr_place place,
                                  int32_t *number) {
  const int32_t operands[2] = {a, b};
  return thud_expr_build_operation(builder, op, operands, place, number);
}
