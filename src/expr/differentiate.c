/* Derivatives on the graph by reverse accumulation (source to source; Griewank and Walther, Evaluating Derivatives,
 * chapter 3): from the value v back to the variables every node k that v needs gets its adjoint dv/dk as a node,
 *   adjoint(operand) += adjoint(k) * d k / d operand.
 * Nodes are numbered so that operands come first: going down through the numbers visits each node once, after all its
 * users. Sharing keeps the number of new nodes within a small multiple of the old ones.
 *
 * Choices (if, min, max): an adjoint carries the condition under which it counts, a node that is true or not, instead
 * of being multiplied by 0 where it does not: 0 times the infinite derivative of the other branch would be NaN. Where
 * adjoints with different conditions meet, and at the variables, if() puts the 0 in. */
#include "base/base.h"
#include "expr/graph.h"
#include "expr/lexer.h"
#include "expr/scope.h"

#include <math.h>

typedef struct reverse {
  expr_builder *builder;
  int32_t *adjoint, *when; /* those of the graph's walk (expr/graph.h) */
  bool *active;
  /* The node that is visited: */
  expr_node node;
  int32_t self, seed, seed_when; /* its number, its adjoint and when that counts */
  thud_expr_place place;
} reverse;

/* The small steps of the formulas. Each does nothing when *error is set already, so that a formula reads as one. */

static int32_t apply(reverse *r, thud_error *error, expr_op op, int32_t a, int32_t b) {
  const int32_t operands[EXPR_MAX_ARITY] = {a, b, -1};
  int32_t made = -1;
  if (*error == THUD_OK) *error = thud_expr_build_operation(r->builder, op, operands, r->place, &made);
  return *error == THUD_OK ? made : -1;
}

static int32_t number(reverse *r, thud_error *error, double value) {
  int32_t made = -1;
  if (*error == THUD_OK) *error = thud_expr_build_constant(r->builder, value, 0, r->place, &made);
  return made;
}

static int32_t choose(reverse *r, thud_error *error, int32_t condition, int32_t yes, int32_t no) {
  const int32_t operands[EXPR_MAX_ARITY] = {condition, yes, no};
  int32_t made = -1;
  if (*error == THUD_OK) *error = thud_expr_build_operation(r->builder, EXPR_IF, operands, r->place, &made);
  return made;
}

static int32_t negate(reverse *r, thud_error *error, int32_t a) { return apply(r, error, EXPR_NEGATE, a, -1); }

/* The adjoint times a factor. */
static int32_t times(reverse *r, thud_error *error, int32_t adjoint, int32_t factor) {
  if (*error != THUD_OK) return -1;
  if (thud_expr_is_number(r->builder, adjoint, 1)) return factor;
  if (thud_expr_is_number(r->builder, adjoint, -1)) return negate(r, error, factor);
  if (thud_expr_is_number(r->builder, factor, -1)) return negate(r, error, adjoint);
  return apply(r, error, EXPR_MULTIPLY, adjoint, factor);
}

static int32_t over(reverse *r, thud_error *error, int32_t adjoint, int32_t divisor) {
  return apply(r, error, EXPR_DIVIDE, adjoint, divisor);
}

static int32_t one_plus_square(reverse *r, thud_error *error, int32_t x) {
  int32_t one = number(r, error, 1), square = apply(r, error, EXPR_MULTIPLY, x, x);
  return apply(r, error, EXPR_ADD, one, square);
}

/* (1 - x)(1 + x): keeps its digits near 1. */
static int32_t one_minus_square(reverse *r, thud_error *error, int32_t x) {
  int32_t one = number(r, error, 1);
  int32_t less = apply(r, error, EXPR_SUBTRACT, one, x), more = apply(r, error, EXPR_ADD, one, x);
  return apply(r, error, EXPR_MULTIPLY, less, more);
}

/* Contribution of a function of one argument to its argument's adjoint. */
static int32_t unary_term(reverse *r, thud_error *error) {
  int32_t x = r->node.operand[0], y = r->self, seed = r->seed;
  switch (r->node.op) {
  case EXPR_NEGATE: return negate(r, error, seed);
  case EXPR_SIN: return times(r, error, seed, apply(r, error, EXPR_COS, x, -1));
  case EXPR_COS: return negate(r, error, times(r, error, seed, apply(r, error, EXPR_SIN, x, -1)));
  case EXPR_TAN: return times(r, error, seed, one_plus_square(r, error, y));
  case EXPR_ASIN: return over(r, error, seed, apply(r, error, EXPR_SQRT, one_minus_square(r, error, x), -1));
  case EXPR_ACOS:
    return negate(r, error, over(r, error, seed, apply(r, error, EXPR_SQRT, one_minus_square(r, error, x), -1)));
  case EXPR_ATAN: return over(r, error, seed, one_plus_square(r, error, x));
  case EXPR_SINH: return times(r, error, seed, apply(r, error, EXPR_COSH, x, -1));
  case EXPR_COSH: return times(r, error, seed, apply(r, error, EXPR_SINH, x, -1));
  case EXPR_TANH: return times(r, error, seed, one_minus_square(r, error, y));
  case EXPR_EXP: return times(r, error, seed, y);
  case EXPR_LOG: return over(r, error, seed, x);
  case EXPR_SQRT: return over(r, error, times(r, error, seed, number(r, error, 0.5)), y);
  default: { /* ABS: -1 for x < 0, otherwise 1 */
    int32_t negative = apply(r, error, EXPR_LESS, x, number(r, error, 0));
    return choose(r, error, negative, negate(r, error, seed), seed);
  }
  }
}

/* A sum of squares and even powers, with factors > 0: where it vanishes, so does its gradient. */
static bool is_sum_of_squares(const expr_builder *builder, int32_t node) {
  const expr_node *n = &builder->nodes[node];
  int32_t a = n->operand[0], b = n->operand[1];
  if (n->op == EXPR_ADD) return is_sum_of_squares(builder, a) && is_sum_of_squares(builder, b);
  if (n->op == EXPR_POWER && builder->nodes[b].op == EXPR_CONSTANT) {
    double p = builder->nodes[b].value;
    return p >= 2 && p == 2 * floor(p / 2);
  }
  if (n->op != EXPR_MULTIPLY) return false;
  if (a == b) return true;
  bool first = builder->nodes[a].op == EXPR_CONSTANT && builder->nodes[a].value > 0;
  bool second = builder->nodes[b].op == EXPR_CONSTANT && builder->nodes[b].value > 0;
  return (first && is_sum_of_squares(builder, b)) || (second && is_sum_of_squares(builder, a));
}

/* b^p with 1/2 < p < 1 and b a sum of squares, |b'| <= C sqrt(b): p b^(p-1) b' tends to 0 with b. There the factor is 0,
 * written as b^(2p-1), whose derivative is infinite as that of the gradient is. */
static int32_t power_of_squares(reverse *r, thud_error *error, int32_t b, double p, int32_t slope) {
  int32_t positive = apply(r, error, EXPR_LESS, number(r, error, 0), b);
  int32_t vanishing = apply(r, error, EXPR_POWER, b, number(r, error, 2 * p - 1));
  return choose(r, error, positive, slope, vanishing);
}

/* x^p: p x^(p-1) for the base, x^p log x for the exponent. */
static int32_t power_term(reverse *r, thud_error *error, int which) {
  int32_t x = r->node.operand[0], p = r->node.operand[1];
  const expr_node exponent = r->builder->nodes[p];
  if (which == 1)
    return times(r, error, r->seed, apply(r, error, EXPR_MULTIPLY, r->self, apply(r, error, EXPR_LOG, x, -1)));
  int32_t less = apply(r, error, EXPR_SUBTRACT, p, number(r, error, 1));
  int32_t power = apply(r, error, EXPR_POWER, x, less);
  bool flat = exponent.op == EXPR_CONSTANT && exponent.value > 0.5 && exponent.value < 1;
  if (flat && *error == THUD_OK && is_sum_of_squares(r->builder, x))
    power = power_of_squares(r, error, x, exponent.value, power);
  return times(r, error, times(r, error, r->seed, p), power);
}

static int32_t atan2_term(reverse *r, thud_error *error, int which) {
  int32_t y = r->node.operand[0], x = r->node.operand[1];
  int32_t yy = apply(r, error, EXPR_MULTIPLY, y, y), xx = apply(r, error, EXPR_MULTIPLY, x, x);
  int32_t square = apply(r, error, EXPR_ADD, yy, xx);
  int32_t share = apply(r, error, EXPR_DIVIDE, which == 0 ? x : y, square);
  int32_t term = times(r, error, r->seed, share);
  return which == 0 ? term : negate(r, error, term);
}

/* Contribution of the visited node to the adjoint of its operand number `which`; -1: none. */
static int32_t term(reverse *r, thud_error *error, int which) {
  int32_t a = r->node.operand[0], b = r->node.operand[1], seed = r->seed;
  switch (r->node.op) {
  case EXPR_ADD: return seed;
  case EXPR_SUBTRACT: return which == 0 ? seed : negate(r, error, seed);
  case EXPR_MULTIPLY: return times(r, error, seed, which == 0 ? b : a);
  case EXPR_DIVIDE:
    if (which == 0) return over(r, error, seed, b);
    return negate(r, error, times(r, error, over(r, error, seed, b), r->self));
  case EXPR_POWER: return power_term(r, error, which);
  case EXPR_ATAN2: return atan2_term(r, error, which);
  case EXPR_HYPOT: return times(r, error, seed, apply(r, error, EXPR_DIVIDE, which == 0 ? a : b, r->self));
  case EXPR_MIN:
  case EXPR_MAX: return seed;
  case EXPR_IF: return which == 0 ? -1 : seed;
  case EXPR_LESS:
  case EXPR_LESS_EQUAL:
  case EXPR_EQUAL:
  case EXPR_NOT_EQUAL:
  case EXPR_SIGN:
  case EXPR_STEP:
  case EXPR_FLOOR: return -1;
  default: return unary_term(r, error);
  }
}

/* ---- conditions ----------------------------------------------------------------------------------------------------
 */

static bool is_truth(const expr_builder *builder, int32_t node) {
  expr_op op = builder->nodes[node].op;
  return op == EXPR_LESS || op == EXPR_LESS_EQUAL || op == EXPR_EQUAL || op == EXPR_NOT_EQUAL || op == EXPR_STEP;
}

/* 1 where the node is not 0; NaN stays NaN. */
static int32_t truth(reverse *r, thud_error *error, int32_t node) {
  if (*error != THUD_OK || is_truth(r->builder, node)) return node;
  int32_t zero = number(r, error, 0);
  return apply(r, error, EXPR_NOT_EQUAL, node, zero);
}

static int32_t negation(reverse *r, thud_error *error, int32_t condition) {
  int32_t zero = number(r, error, 0);
  return apply(r, error, EXPR_EQUAL, condition, zero);
}

/* Both conditions; the inner one is asked only where the outer one holds. */
static int32_t both(reverse *r, thud_error *error, int32_t outer, int32_t inner) {
  if (outer < 0) return inner;
  int32_t zero = number(r, error, 0);
  return choose(r, error, outer, inner, zero);
}

/* When the adjoint of operand number `which` of the visited node counts: on the branches of if, and of the operands of
 * min and max for the first one iff it is strictly smaller (larger), otherwise for the second. */
static int32_t condition_of(reverse *r, thud_error *error, int which) {
  int32_t a = r->node.operand[0], b = r->node.operand[1], condition;
  bool when_true;
  switch (r->node.op) {
  case EXPR_IF:
    condition = truth(r, error, a);
    when_true = which == 1;
    break;
  case EXPR_MIN:
    condition = apply(r, error, EXPR_LESS, a, b);
    when_true = which == 0;
    break;
  case EXPR_MAX:
    condition = apply(r, error, EXPR_LESS_EQUAL, a, b);
    when_true = which == 1;
    break;
  default: return r->seed_when;
  }
  return both(r, error, r->seed_when, when_true ? condition : negation(r, error, condition));
}

/* The value where the condition holds, otherwise 0. */
static int32_t gate(reverse *r, thud_error *error, int32_t condition, int32_t value) {
  if (condition < 0) return value;
  int32_t zero = number(r, error, 0);
  return choose(r, error, condition, value, zero);
}

/* True when one condition is the other's negation. */
static bool is_negation(const expr_builder *builder, int32_t condition, int32_t other) {
  const expr_node *node = &builder->nodes[condition];
  return node->op == EXPR_EQUAL && ((node->operand[0] == other && thud_expr_is_number(builder, node->operand[1], 0)) ||
                                    (node->operand[1] == other && thud_expr_is_number(builder, node->operand[0], 0)));
}

static int32_t add(reverse *r, thud_error *error, int32_t sum, int32_t part) {
  if (*error != THUD_OK) return -1;
  const expr_node *node = &r->builder->nodes[part];
  bool minus = node->op == EXPR_NEGATE;
  return apply(r, error, minus ? EXPR_SUBTRACT : EXPR_ADD, sum, minus ? node->operand[0] : part);
}

static thud_error accumulate(reverse *r, int32_t operand, int32_t part, int32_t when) {
  thud_error error = THUD_OK;
  int32_t sum = r->adjoint[operand], sum_when = r->when[operand];
  if (thud_expr_is_number(r->builder, part, 0)) return THUD_OK;
  if (sum < 0) {
    sum = part;
    sum_when = when;
  } else if (sum_when == when) {
    sum = add(r, &error, sum, part);
  } else if (when >= 0 && sum_when >= 0 && is_negation(r->builder, when, sum_when)) {
    sum = choose(r, &error, sum_when, sum, part);
    sum_when = -1;
  } else if (when >= 0 && sum_when >= 0 && is_negation(r->builder, sum_when, when)) {
    sum = choose(r, &error, when, part, sum);
    sum_when = -1;
  } else {
    int32_t first = gate(r, &error, sum_when, sum), second = gate(r, &error, when, part);
    sum = add(r, &error, first, second);
    sum_when = sum_when < 0 || when < 0 ? -1 : apply(r, &error, EXPR_MAX, sum_when, when);
  }
  r->adjoint[operand] = sum;
  r->when[operand] = sum_when;
  return error;
}

static thud_error visit(reverse *r, int32_t number_of_node) {
  expr_builder *builder = r->builder;
  r->self = number_of_node;
  r->node = builder->nodes[number_of_node];
  r->seed = r->adjoint[number_of_node];
  r->seed_when = r->when[number_of_node];
  r->place = builder->places[number_of_node];
  builder->origin = builder->origins[number_of_node];
  builder->origin.derived = true;
  if (r->node.op == EXPR_FUNCTION) {
    thud_expr_place where;
    return thud_expr_fail_at(
        builder->context, THUD_ERROR_UNSUPPORTED, r->place, &where,
        "[data-derivative] the derivative of a function given by data is not known; write it as a named expression, "
        "its pieces with if(t < ..., ..., ...)");
  }
  thud_error error = THUD_OK;
  for (int i = 0; error == THUD_OK && i < thud_expr_ops[r->node.op].arity; i++) {
    if (!r->active[r->node.operand[i]]) continue;
    int32_t part = term(r, &error, i);
    if (error != THUD_OK || part < 0) continue;
    int32_t when = condition_of(r, &error, i);
    if (error == THUD_OK) error = accumulate(r, r->node.operand[i], part, when);
  }
  return error;
}

/* Which of the nodes that were reached depend on one of the variables. */
static void find_active(reverse *r, const expr_walk *walk, const bool *by) {
  const expr_node *nodes = r->builder->nodes;
  for (size_t j = 0; j < walk->count; j++) {
    int32_t k = walk->order[j];
    r->active[k] = nodes[k].op == EXPR_VARIABLE && by[nodes[k].reference];
    for (int i = 0; i < thud_expr_ops[nodes[k].op].arity; i++)
      if (r->active[nodes[k].operand[i]]) r->active[k] = true;
    r->adjoint[k] = r->when[k] = -1;
  }
}

static thud_error sweep(reverse *r, const expr_walk *walk, int32_t value) {
  thud_error error = THUD_OK;
  r->adjoint[value] = number(r, &error, 1);
  for (size_t j = walk->count; error == THUD_OK && j-- > 0;) {
    int32_t k = walk->order[j];
    if (r->adjoint[k] >= 0 && r->active[k] && r->builder->nodes[k].op != EXPR_VARIABLE) error = visit(r, k);
  }
  return error;
}

/* The adjoints of the variables that have one. */
static thud_error gather(reverse *r, const expr_walk *walk, thud_index *count, thud_index *slots, int32_t *partials) {
  thud_error error = THUD_OK;
  thud_index found = 0;
  for (size_t j = 0; error == THUD_OK && j < walk->count; j++) {
    int32_t k = walk->order[j];
    if (r->builder->nodes[k].op != EXPR_VARIABLE || !r->active[k] || r->adjoint[k] < 0) continue;
    r->place = r->builder->places[k];
    slots[found] = r->builder->nodes[k].reference;
    partials[found++] = gate(r, &error, r->when[k], r->adjoint[k]);
  }
  *count = found;
  return error;
}

thud_error thud_expr_graph_add_partials(thud_expr_graph *graph, thud_expr_value value, const bool *by,
                                        thud_index *count, thud_index *slots, thud_expr_value *partials) {
  THUD_REQUIRE_OF(graph, by, count, slots, partials);
  expr_walk *walk = &graph->walk;
  thud_error error = thud_expr_graph_check_values(graph, 1, &value);
  if (error == THUD_OK) error = thud_expr_walk_begin(graph);
  if (error != THUD_OK) return error;
  reverse r = {.builder = &graph->builder, .adjoint = walk->adjoint, .when = walk->when, .active = walk->active};
  graph->builder.origin = (expr_origin){.source = -1, .derived = true};
  thud_expr_walk_from(graph, value);
  thud_expr_walk_sort(graph);
  find_active(&r, walk, by);
  error = sweep(&r, walk, value);
  return error == THUD_OK ? gather(&r, walk, count, slots, partials) : error;
}

static thud_error check_slots(const thud_expr_graph *graph, thud_index count, const thud_index *slots) {
  if (count < 0 || (count > 0 && slots == NULL))
    return thud_fail(graph->context, THUD_ERROR_ARGUMENT, "derivatives need a list of variables");
  for (thud_index k = 0; k < count; k++)
    if (slots[k] < 0 || slots[k] >= graph->scope->variable_count)
      return thud_fail(graph->context, THUD_ERROR_ARGUMENT, "derivative by variable number %d, but the scope has %d",
                       (int)slots[k], (int)graph->scope->variable_count);
  return THUD_OK;
}

thud_error thud_expr_graph_add_gradient(thud_expr_graph *graph, thud_expr_value value, thud_index count,
                                        const thud_index *slots, thud_expr_value *gradient) {
  THUD_REQUIRE_OF(graph, count == 0 || (slots && gradient));
  expr_walk *walk = &graph->walk;
  int32_t zero;
  thud_index found = 0;
  thud_error error = thud_expr_graph_check_values(graph, 1, &value);
  if (error == THUD_OK) error = check_slots(graph, count, slots);
  if (error == THUD_OK) error = thud_expr_graph_add_constant(graph, 0, &zero);
  if (error == THUD_OK) error = thud_expr_walk_begin(graph);
  if (error != THUD_OK) return error;
  for (thud_index j = 0; j < count; j++) walk->by[slots[j]] = true;
  error = thud_expr_graph_add_partials(graph, value, walk->by, &found, walk->slots, walk->partials);
  for (thud_index j = 0; j < count; j++) {
    walk->by[slots[j]] = false;
    walk->entry[slots[j]] = zero;
  }
  for (thud_index k = 0; error == THUD_OK && k < found; k++) walk->entry[walk->slots[k]] = walk->partials[k];
  for (thud_index j = 0; error == THUD_OK && j < count; j++) gradient[j] = walk->entry[slots[j]];
  return error;
}

thud_error thud_expr_graph_add_hessian(thud_expr_graph *graph, thud_expr_value value, thud_index count,
                                       const thud_index *slots, thud_expr_value *hessian) {
  THUD_REQUIRE_OF(graph, count == 0 || (slots && hessian));
  size_t n = count > 0 ? (size_t)count : 0, entries;
  if (!thud_size_multiply(n, n, &entries) || !thud_size_add(entries, n, &entries))
    return thud_fail(graph->context, THUD_ERROR_OVERFLOW, "second derivatives by %d variables", (int)count);
  int32_t *rows = THUD_NEW_ARRAY(graph->context, int32_t, entries); /* gradient, then the rows of the triangle */
  if (rows == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_expr_graph_add_gradient(graph, value, count, slots, rows);
  /* Row i by the slots i..n-1 only: the other half is its mirror image. */
  for (thud_index i = 0; error == THUD_OK && i < count; i++)
    error = thud_expr_graph_add_gradient(graph, rows[i], count - i, slots + i, rows + n + (size_t)i * n + (size_t)i);
  for (size_t i = 0; error == THUD_OK && i < n; i++)
    for (size_t j = i; j < n; j++) hessian[i * n + j] = hessian[j * n + i] = rows[n + i * n + j];
  thud_free(graph->context, rows);
  return error;
}

thud_error thud_expr_graph_add_rate(thud_expr_graph *graph, thud_expr_value value, thud_index count,
                                    const thud_index *slots, const thud_expr_value *directions, thud_expr_value *rate) {
  THUD_REQUIRE_OF(graph, count == 0 || slots, rate);
  int32_t *gradient = THUD_NEW_ARRAY(graph->context, int32_t, count > 0 ? count : 0);
  if (gradient == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_expr_graph_add_gradient(graph, value, count, slots, gradient);
  if (error == THUD_OK) error = thud_expr_graph_add_dot(graph, count, gradient, directions, rate);
  thud_free(graph->context, gradient);
  return error;
}
