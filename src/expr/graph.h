/* A graph: a builder over one scope that stays open, and how its values are differentiated. */
#ifndef THUD_SRC_EXPR_GRAPH_H
#define THUD_SRC_EXPR_GRAPH_H

#include "expr/builder.h"

struct thud_expr_graph {
  thud_context *context;
  const thud_expr_scope *scope;
  int32_t source_count;
  expr_builder builder;
};

/* Fails unless 0 <= values[k] < number of nodes, for all k. */
thud_error thud_expr_graph_check_values(const thud_expr_graph *graph, thud_index count, const thud_expr_value *values);

#endif
