/* A graph: a builder over one scope that stays open, and how its values are differentiated. */
#ifndef THUD_SRC_EXPR_GRAPH_H
#define THUD_SRC_EXPR_GRAPH_H

#include "expr/builder.h"

/* Scratch of passes over the nodes that some values need, and over no others: a pass costs what it visits, however
 * large the graph is. */
typedef struct expr_walk {
  uint32_t pass;     /* number of the current pass, from 1 */
  uint32_t *visited; /* [nodes] the pass that has reached the node last */
  int32_t *adjoint;  /* [nodes] differentiate.c, valid where reached: node, or -1: zero */
  int32_t *when;     /* [nodes] node of the condition under which the adjoint counts, -1: always */
  bool *active;      /* [nodes] depends on one of the variables in question */
  int32_t *order;    /* [nodes] the nodes that were reached, `count` of them */
  size_t count;
  size_t visited_capacity, adjoint_capacity, when_capacity, active_capacity, order_capacity;
  bool *by;          /* [variables] all false between calls */
  thud_index *slots; /* [variables] of the partial derivatives made last */
  int32_t *partials; /* [variables] */
  int32_t *entry;    /* [variables] */
  size_t by_capacity, slots_capacity, partials_capacity, entry_capacity;
} expr_walk;

struct thud_expr_graph {
  thud_context *context;
  const thud_expr_scope *scope;
  int32_t source_count;
  expr_builder builder;
  expr_walk walk;
};

/* walk.c: makes room for the nodes and variables that there are now. */
thud_error thud_expr_walk_begin(thud_expr_graph *graph);
void thud_expr_walk_end(thud_expr_graph *graph);
/* Adds the nodes that the value needs and that this pass has not reached to walk.order, in any order. */
void thud_expr_walk_from(thud_expr_graph *graph, int32_t value);
/* walk.order by ascending numbers. */
void thud_expr_walk_sort(thud_expr_graph *graph);

/* Fails unless 0 <= values[k] < number of nodes, for all k. */
thud_error thud_expr_graph_check_values(const thud_expr_graph *graph, thud_index count, const thud_expr_value *values);

/* *jumps: does the value contain operations that jump (step, sign, floor, comparisons, if)? */
thud_error thud_expr_graph_may_jump(thud_expr_graph *graph, thud_expr_value value, bool *jumps);

#endif
