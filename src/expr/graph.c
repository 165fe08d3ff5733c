#include "base/base.h"
#include "expr/graph.h"

#include "expr/scope.h"

#include <math.h>
#include <string.h>

static const thud_expr_place nowhere = {.column = 0, .length = 0};
static const expr_origin made_by_call = {.source = -1, .inside = false, .derived = false};

thud_error thud_expr_graph_create(thud_context *context, const thud_expr_scope *scope, thud_expr_graph **graph) {
  THUD_REQUIRE(context, context, scope, graph);
  thud_expr_graph *made = THUD_NEW(context, thud_expr_graph);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->scope = scope;
  made->builder = (expr_builder){.context = context, .share = true};
  *graph = made;
  return THUD_OK;
}

void thud_expr_graph_destroy(thud_expr_graph *graph) {
  if (graph == NULL) return;
  thud_expr_builder_release(&graph->builder);
  thud_expr_walk_end(graph);
  thud_free(graph->context, graph);
}

thud_error thud_expr_graph_check_values(const thud_expr_graph *graph, thud_index count, const thud_expr_value *values) {
  if (count < 0 || (count > 0 && values == NULL))
    return thud_fail(graph->context, THUD_ERROR_ARGUMENT, "%d values of a graph are wanted, but none are given",
                     (int)count);
  for (thud_index k = 0; k < count; k++)
    if (values[k] < 0 || (size_t)values[k] >= graph->builder.count)
      return thud_fail(graph->context, THUD_ERROR_ARGUMENT, "entry %d is %d, which is not a value of the graph", (int)k,
                       (int)values[k]);
  return THUD_OK;
}

thud_error thud_expr_graph_add(thud_expr_graph *graph, const char *source, thud_expr_place *place,
                               thud_expr_value *value) {
  THUD_REQUIRE_OF(graph, source, value);
  thud_expr_place where = {.column = 1, .length = 0};
  if (source == NULL || value == NULL)
    return thud_fail(graph->context, THUD_ERROR_ARGUMENT, "an expression needs a source text and a place");
  graph->builder.origin = (expr_origin){.source = graph->source_count};
  int32_t node = -1;
  thud_error error = thud_expr_parse(&graph->builder, graph->scope, source, &where, &node);
  if (error != THUD_OK) {
    if (place != NULL) *place = where;
    return error;
  }
  graph->source_count++;
  *value = node;
  return THUD_OK;
}

thud_error thud_expr_graph_add_constant(thud_expr_graph *graph, double number, thud_expr_value *value) {
  THUD_REQUIRE_OF(graph, value);
  graph->builder.origin = made_by_call;
  return thud_expr_build_constant(&graph->builder, number, 0, nowhere, value);
}

thud_error thud_expr_graph_add_variable(thud_expr_graph *graph, thud_index slot, thud_expr_value *value) {
  THUD_REQUIRE_OF(graph, value);
  if (slot < 0 || slot >= graph->scope->variable_count)
    return thud_fail(graph->context, THUD_ERROR_ARGUMENT, "variable number %d, but the scope has %d", (int)slot,
                     (int)graph->scope->variable_count);
  graph->builder.origin = made_by_call;
  return thud_expr_build_variable(&graph->builder, slot, nowhere, value);
}

static thud_error add_term(expr_builder *builder, int32_t term, int32_t *sum) {
  if (thud_expr_is_number(builder, term, 0)) return THUD_OK;
  if (*sum >= 0) return thud_expr_build_binary(builder, EXPR_ADD, *sum, term, nowhere, sum);
  *sum = term;
  return THUD_OK;
}

/* Terms with a factor that is the number 0 are left out: a structural zero stays zero beside NaN. */
thud_error thud_expr_graph_add_dot(thud_expr_graph *graph, thud_index count, const thud_expr_value *a,
                                   const thud_expr_value *b, thud_expr_value *value) {
  THUD_REQUIRE_OF(graph, count == 0 || a, value);
  expr_builder *builder = &graph->builder;
  thud_error error = thud_expr_graph_check_values(graph, count, a);
  if (error == THUD_OK && b != NULL) error = thud_expr_graph_check_values(graph, count, b);
  builder->origin = made_by_call;
  int32_t sum = -1;
  for (thud_index k = 0; error == THUD_OK && k < count; k++) {
    int32_t term = a[k];
    if (b != NULL && (thud_expr_is_number(builder, a[k], 0) || thud_expr_is_number(builder, b[k], 0))) continue;
    if (b != NULL) error = thud_expr_build_binary(builder, EXPR_MULTIPLY, a[k], b[k], nowhere, &term);
    if (error == THUD_OK) error = add_term(builder, term, &sum);
  }
  if (error == THUD_OK && sum < 0) error = thud_expr_build_constant(builder, 0, 0, nowhere, &sum);
  if (error == THUD_OK) *value = sum;
  return error;
}

bool thud_expr_graph_is_constant(const thud_expr_graph *graph, thud_expr_value value, double *number) {
  THUD_REQUIRE_OR(false, graph);
  if (value < 0 || (size_t)value >= graph->builder.count) return false;
  const expr_node *node = &graph->builder.nodes[value];
  if (node->op != EXPR_CONSTANT) return false;
  if (number != NULL) *number = node->value;
  return true;
}

thud_error thud_expr_graph_find_dependence(thud_expr_graph *graph, thud_index count, const thud_expr_value *values,
                                           const bool *on, thud_index *which, thud_index *slot) {
  THUD_REQUIRE_OF(graph, count == 0 || values, on, which, slot);
  thud_error error = thud_expr_graph_check_values(graph, count, values);
  if (error == THUD_OK) error = thud_expr_walk_begin(graph);
  if (error != THUD_OK) return error;
  const expr_node *nodes = graph->builder.nodes;
  const expr_walk *walk = &graph->walk;
  *which = *slot = -1;
  for (thud_index k = 0; k < count && *which < 0; k++) {
    size_t first = walk->count; /* what earlier values need has been looked at */
    thud_expr_walk_from(graph, values[k]);
    for (size_t i = first; i < walk->count; i++) {
      const expr_node *node = &nodes[walk->order[i]];
      if (node->op != EXPR_VARIABLE || !on[node->reference]) continue;
      if (*slot < 0 || node->reference < *slot) *slot = node->reference;
      *which = k;
    }
  }
  return THUD_OK;
}

thud_error thud_expr_graph_may_jump(thud_expr_graph *graph, thud_expr_value value, bool *jumps) {
  thud_error error = thud_expr_graph_check_values(graph, 1, &value);
  if (error == THUD_OK) error = thud_expr_walk_begin(graph);
  if (error != THUD_OK) return error;
  thud_expr_walk_from(graph, value);
  *jumps = false;
  for (size_t i = 0; i < graph->walk.count; i++) {
    switch (graph->builder.nodes[graph->walk.order[i]].op) {
    case EXPR_LESS:
    case EXPR_LESS_EQUAL:
    case EXPR_EQUAL:
    case EXPR_NOT_EQUAL:
    case EXPR_SIGN:
    case EXPR_STEP:
    case EXPR_FLOOR:
    case EXPR_IF: *jumps = true; break;
    default: break;
    }
  }
  return THUD_OK;
}

thud_error thud_expr_graph_depends_on(thud_expr_graph *graph, thud_expr_value value, thud_index slot, bool *depends) {
  THUD_REQUIRE_OF(graph, depends);
  thud_error error = thud_expr_graph_check_values(graph, 1, &value);
  if (error == THUD_OK) error = thud_expr_walk_begin(graph);
  if (error != THUD_OK) return error;
  thud_expr_walk_from(graph, value);
  *depends = false;
  for (size_t i = 0; i < graph->walk.count; i++) {
    const expr_node *node = &graph->builder.nodes[graph->walk.order[i]];
    *depends = *depends || (node->op == EXPR_VARIABLE && node->reference == slot);
  }
  return THUD_OK;
}
