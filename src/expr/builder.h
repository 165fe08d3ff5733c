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
  size_t count, capacity, place_capacity, origin_capacity;
  expr_node *nodes;        /* [count] */
  thud_expr_place *places; /* [count] */
  expr_origin *origins;    /* [count] */
  expr_origin origin;      /* of the nodes that are made now */
  size_t table_size;       /* power of two, or 0 */
  int32_t *table;          /* [table_size] node number + 1; 0 is empty */
  size_t function_count, function_capacity;
  thud_regulated *functions; /* [function_count] */
  size_t expression_capacity;
  int32_t *
      expressions; /* [expression_capacity] named expressions of the scope: node + 1, 0: not read yet, -1: being read */
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

/* An operation of two operands. */
thud_error thud_expr_build_binary(expr_builder *builder, expr_op op, int32_t a, int32_t b, thud_expr_place place,
                                  int32_t *number);
/* True when the node is a constant that is exactly the number, not one that was rounded to it. */
bool thud_expr_is_number(const expr_builder *builder, int32_t node, double value);

/* Reads a text into the builder; *place marks the error. */
thud_error thud_expr_parse(expr_builder *builder, const thud_expr_scope *scope, const char *source,
                           thud_expr_place *place, int32_t *node);

/* Lays out the nodes that the roots need; *expr's result is the first root. With registers: *fits is false (and *expr
 * untouched) when more than EXPR_MAX_REGISTERS results would be alive at once, which only happens with sharing. Without
 * (programs) it always fits. numbers (may be NULL) receives [builder->count] the value number of every node, -1 for
 * those that are not needed. */
thud_error thud_expr_builder_finish(const expr_builder *builder, size_t root_count, const int32_t *roots,
                                    thud_index variable_count, bool registers, int32_t *numbers, bool *fits,
                                    thud_expr **expr);

#endif
