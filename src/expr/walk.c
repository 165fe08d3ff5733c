/* Passes over the part of a graph that some values need. */
#include "expr/graph.h"
#include "expr/scope.h"

#include <stdlib.h>
#include <string.h>

static thud_error reserve_nodes(thud_expr_graph *graph, size_t nodes) {
  thud_context *context = graph->context;
  expr_walk *walk = &graph->walk;
  thud_error error = thud_array_reserve(context, &walk->visited, &walk->visited_capacity, nodes, sizeof *walk->visited);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &walk->adjoint, &walk->adjoint_capacity, nodes, sizeof *walk->adjoint);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &walk->when, &walk->when_capacity, nodes, sizeof *walk->when);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &walk->active, &walk->active_capacity, nodes, sizeof *walk->active);
  if (error == THUD_OK) /* twice: the second half is the stack of a walk */
    error = thud_array_reserve(context, &walk->order, &walk->order_capacity, 2 * nodes, sizeof *walk->order);
  return error;
}

static thud_error reserve_variables(thud_expr_graph *graph, size_t variables) {
  thud_context *context = graph->context;
  expr_walk *walk = &graph->walk;
  thud_error error = thud_array_reserve(context, &walk->by, &walk->by_capacity, variables, sizeof *walk->by);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &walk->slots, &walk->slots_capacity, variables, sizeof *walk->slots);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &walk->partials, &walk->partials_capacity, variables, sizeof *walk->partials);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &walk->entry, &walk->entry_capacity, variables, sizeof *walk->entry);
  return error;
}

thud_error thud_expr_walk_begin(thud_expr_graph *graph) {
  expr_walk *walk = &graph->walk;
  thud_error error = reserve_nodes(graph, graph->builder.count);
  if (error == THUD_OK) error = reserve_variables(graph, (size_t)graph->scope->variable_count);
  if (error != THUD_OK) return error;
  if (walk->pass == UINT32_MAX) { /* numbers of old passes would come again */
    memset(walk->visited, 0, walk->visited_capacity * sizeof *walk->visited);
    walk->pass = 0;
  }
  walk->pass++;
  walk->count = 0;
  return THUD_OK;
}

void thud_expr_walk_end(thud_expr_graph *graph) {
  thud_context *context = graph->context;
  thud_free(context, graph->walk.visited);
  thud_free(context, graph->walk.adjoint);
  thud_free(context, graph->walk.when);
  thud_free(context, graph->walk.active);
  thud_free(context, graph->walk.order);
  thud_free(context, graph->walk.by);
  thud_free(context, graph->walk.slots);
  thud_free(context, graph->walk.partials);
  thud_free(context, graph->walk.entry);
}

/* Depth first with a stack of its own: a sum of 30000 terms is 30000 deep. */
void thud_expr_walk_from(thud_expr_graph *graph, int32_t value) {
  expr_walk *walk = &graph->walk;
  const expr_node *nodes = graph->builder.nodes;
  int32_t *stack = walk->order + graph->builder.count; /* [nodes] */
  size_t depth = 0;
  if (walk->visited[value] == walk->pass) return;
  walk->visited[value] = walk->pass;
  stack[depth++] = value;
  while (depth > 0) {
    int32_t node = stack[--depth];
    walk->order[walk->count++] = node;
    for (int i = 0; i < thud_expr_ops[nodes[node].op].arity; i++) {
      int32_t operand = nodes[node].operand[i];
      if (walk->visited[operand] == walk->pass) continue;
      walk->visited[operand] = walk->pass;
      stack[depth++] = operand;
    }
  }
}

static int compare_numbers(const void *a, const void *b) {
  int32_t x = *(const int32_t *)a, y = *(const int32_t *)b;
  return (x > y) - (x < y);
}

void thud_expr_walk_sort(thud_expr_graph *graph) {
  if (graph->walk.count > 0) qsort(graph->walk.order, graph->walk.count, sizeof *graph->walk.order, compare_numbers);
}
