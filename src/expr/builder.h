/* Makes a tape: hash-consed nodes in the order of parsing, folded where all operands are constants, then laid out in
 * an order that needs few registers. */
#ifndef THUD_SRC_EXPR_BUILDER_H
#define THUD_SRC_EXPR_BUILDER_H

#include "expr/tape.h"

typedef struct expr_node {
  expr_op op;
  int32_t reference;               /* as in expr_instruction; 0 for constants and operations */
  int32_t operand[EXPR_MAX_ARITY]; /* numbers of earlier nodes, -1 beyond the arity */
  double value, error;             /* CONSTANT: the number and its rounding error in units of 2^-53 */
} expr_node;

typedef struct expr_builder {
  thud_context *context;
  bool share; /* false: only leaves are shared; the tape is a tree, which needs few registers */
  size_t count, capacity, place_capacity;
  expr_node *nodes;        /* [count] */
  thud_expr_place *places; /* [count] */
  size_t table_size;       /* power of two, or 0 */
  int32_t *table;          /* [table_size] node number + 1; 0 is empty */
  size_t function_count, function_capacity;
  thud_regulated *functions; /* [function_count] */
} expr_builder;

void thud_expr_builder_release(expr_builder *builder);

/* Each gives the number of a new or an equal older node. */
thud_error thud_expr_build_constant(expr_builder *builder, double value, double error, thud_expr_place place,
                                    int32_t *node);
thud_error thud_expr_build_variable(expr_builder *builder, thud_index slot, thud_expr_place place, int32_t *node);
thud_error thud_expr_build_function(expr_builder *builder, const thud_regulated *function, thud_index time_slot,
                                    thud_expr_place place, int32_t *node);
/* operands: [arity of op]. */
thud_error thud_expr_build_operation(expr_builder *builder, expr_op op, const int32_t *operands, thud_expr_place place,
                                     int32_t *number);

/* Lays out the nodes that `root` needs. *fits is false (and *expr untouched) when more than EXPR_MAX_REGISTERS results
 * would be alive at once, which only happens with sharing. */
thud_error thud_expr_builder_finish(expr_builder *builder, int32_t root, thud_index variable_count, bool *fits,
                                    thud_expr **expr);

#endif
