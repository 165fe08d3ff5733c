/* Switches: the arguments whose signs decide between the branches of a program. */
#include "expr/apply.h"
#include "expr/program.h"

#include <string.h>

typedef struct switch_search {
  thud_expr_graph *graph;
  int32_t node_count; /* before arguments were added */
  bool *reached;      /* [node_count] a root needs the node */
  bool *stepwise;     /* [node_count] piecewise constant: constants, step, comparisons, and what is made of them */
  int32_t *decided_by;
  size_t count, capacity, decider_capacity, numbered, number_capacity;
  int32_t *arguments, *deciders;
  int32_t *numbers; /* [numbered] by node: switch whose argument it is, + 1; 0: none */
} switch_search;

static bool is_stepwise(const switch_search *s, const expr_node *node) {
  switch (node->op) {
  case EXPR_VARIABLE:
  case EXPR_FUNCTION: return false;
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return true;
  default: break;
  }
  bool all = true;
  for (int i = 0; i < thud_expr_ops[node->op].arity; i++) all = all && s->stepwise[node->operand[i]];
  return all;
}

static void classify(switch_search *s, thud_index root_count, const int32_t *roots) {
  const expr_node *nodes = s->graph->builder.nodes;
  for (int32_t k = 0; k < s->node_count; k++) s->stepwise[k] = is_stepwise(s, &nodes[k]);
  for (thud_index k = 0; k < root_count; k++) s->reached[roots[k]] = true;
  for (int32_t k = s->node_count - 1; k >= 0; k--)
    for (int i = 0; s->reached[k] && i < thud_expr_ops[nodes[k].op].arity; i++) s->reached[nodes[k].operand[i]] = true;
}

/* The difference a - b, or b - a (reversed): one argument for x < y and y < x, and for x < 0 and abs(x). */
static thud_error find_difference(expr_builder *builder, int32_t a, int32_t b, thud_expr_place place, int32_t *argument,
                                  bool *reversed) {
  *reversed = thud_expr_is_number(builder, a, 0) || (!thud_expr_is_number(builder, b, 0) && a > b);
  int32_t first = *reversed ? b : a, second = *reversed ? a : b;
  if (!thud_expr_is_number(builder, second, 0))
    return thud_expr_build_binary(builder, EXPR_SUBTRACT, first, second, place, argument);
  *argument = first;
  return THUD_OK;
}

/* sin(pi x) */
static thud_error find_parity(expr_builder *builder, int32_t x, thud_expr_place place, int32_t *argument) {
  int32_t angle;
  thud_error error = thud_expr_build_constant(builder, 3.14159265358979323846, 1, place, &angle);
  if (error == THUD_OK) error = thud_expr_build_binary(builder, EXPR_MULTIPLY, x, angle, place, &angle);
  return error == THUD_OK ? thud_expr_build_operation(builder, EXPR_SIN, &angle, place, argument) : error;
}

/* The node whose sign decides operation k, -1: none. A stepwise argument has jumps of its own, decided elsewhere. */
static thud_error find_argument(switch_search *s, int32_t k, int32_t *argument, bool *reversed) {
  expr_builder *builder = &s->graph->builder;
  const expr_node node = builder->nodes[k];
  thud_expr_place place = builder->places[k];
  int32_t a = node.operand[0], b = node.operand[1];
  builder->origin = builder->origins[k];
  *argument = -1;
  *reversed = false;
  switch (node.op) {
  case EXPR_MIN:
  case EXPR_MAX:
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
    if (s->stepwise[a] && s->stepwise[b]) return THUD_OK;
    return find_difference(builder, a, b, place, argument, reversed);
  case EXPR_FLOOR: return s->stepwise[a] ? THUD_OK : find_parity(builder, a, place, argument);
  case EXPR_ABS:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_ATAN2:
  case EXPR_IF:
    if (!s->stepwise[a]) *argument = a;
    return THUD_OK;
  default: return THUD_OK;
  }
}

static thud_error number_nodes(switch_search *s) {
  size_t nodes = s->graph->builder.count;
  thud_error error = thud_array_reserve(s->graph->context, &s->numbers, &s->number_capacity, nodes, sizeof *s->numbers);
  for (; error == THUD_OK && s->numbered < nodes; s->numbered++) s->numbers[s->numbered] = 0;
  return error;
}

static thud_error note_switch(switch_search *s, int32_t k, int32_t argument, bool reversed) {
  thud_context *context = s->graph->context;
  thud_error error = number_nodes(s);
  if (error != THUD_OK) return error;
  if (s->numbers[argument] == 0) {
    error = thud_array_reserve(context, &s->arguments, &s->capacity, s->count + 1, sizeof *s->arguments);
    if (error == THUD_OK)
      error = thud_array_reserve(context, &s->deciders, &s->decider_capacity, s->count + 1, sizeof *s->deciders);
    if (error != THUD_OK) return error;
    s->arguments[s->count] = argument;
    s->deciders[s->count++] = k;
    s->numbers[argument] = (int32_t)s->count;
  }
  s->decided_by[k] = reversed ? -s->numbers[argument] : s->numbers[argument];
  return THUD_OK;
}

static thud_error search(switch_search *s, thud_index root_count, const int32_t *roots) {
  thud_context *context = s->graph->context;
  s->reached = THUD_NEW_ARRAY(context, bool, s->node_count);
  s->stepwise = THUD_NEW_ARRAY(context, bool, s->node_count);
  s->decided_by = THUD_NEW_ARRAY(context, int32_t, s->node_count);
  if (s->reached == NULL || s->stepwise == NULL || s->decided_by == NULL) return THUD_ERROR_MEMORY;
  classify(s, root_count, roots);
  thud_error error = THUD_OK;
  for (int32_t k = 0; error == THUD_OK && k < s->node_count; k++) {
    int32_t argument = -1;
    bool reversed = false;
    if (s->reached[k]) error = find_argument(s, k, &argument, &reversed);
    if (error == THUD_OK && argument >= 0) error = note_switch(s, k, argument, reversed);
  }
  return error;
}

thud_error thud_expr_find_switches(thud_expr_graph *graph, thud_index root_count, const int32_t *roots,
                                   int32_t **arguments, int32_t **deciders, int32_t **decided_by, thud_index *count) {
  switch_search s = {.graph = graph, .node_count = (int32_t)graph->builder.count};
  thud_error error = search(&s, root_count, roots);
  thud_free(graph->context, s.reached);
  thud_free(graph->context, s.stepwise);
  thud_free(graph->context, s.numbers);
  if (error != THUD_OK) {
    thud_free(graph->context, s.arguments);
    thud_free(graph->context, s.deciders);
    thud_free(graph->context, s.decided_by);
    return error;
  }
  *arguments = s.arguments;
  *deciders = s.deciders;
  *decided_by = s.decided_by;
  *count = (thud_index)s.count;
  return THUD_OK;
}

/* floor(x) with the sign of sin(pi x), that is the parity of floor(x), given: where they disagree x has just passed the
 * nearest whole number. */
static double held_floor(int sign, double x) {
  double whole = floor(x);
  bool even = fmod(whole, 2) == 0;
  if (even == (sign > 0)) return whole;
  return rint(x) == whole ? whole - 1 : whole + 1;
}

/* The branch of atan2 that is continued over the cut y = 0, x < 0 from the side of the sign of y. */
static double held_atan2(int sign, double y, double x) {
  double angle = atan2(y, x), turn = 2 * 3.14159265358979323846;
  if (!(x < 0)) return angle;
  if (sign > 0) return angle < 0 ? angle + turn : angle;
  return angle > 0 ? angle - turn : angle;
}

double thud_expr_apply_held(expr_op op, int sign, double a, double b, double c) {
  switch (op) {
  case EXPR_ABS: return sign > 0 ? a : -a;
  case EXPR_MIN: return sign < 0 ? a : b;
  case EXPR_MAX: return sign > 0 ? a : b;
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP: return expr_apply(op, (double)sign, 0, 0);
  case EXPR_IF: return b;
  case EXPR_FLOOR: return held_floor(sign, a);
  case EXPR_ATAN2: return held_atan2(sign, a, b);
  default: return expr_apply(op, a, b, c);
  }
}
