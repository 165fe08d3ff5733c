/* The names of a scope, as the parser looks them up. */
#ifndef THUD_SRC_EXPR_SCOPE_H
#define THUD_SRC_EXPR_SCOPE_H

#include "base/names.h"
#include "expr/tape.h"

typedef enum expr_name_kind {
  EXPR_NAME_PARAMETER,
  EXPR_NAME_VARIABLE,
  EXPR_NAME_FUNCTION,
  EXPR_NAME_EXPRESSION
} expr_name_kind;

typedef struct expr_name {
  char *text;
  expr_name_kind kind;
  double value;            /* PARAMETER */
  thud_index slot;         /* VARIABLE: its own; FUNCTION: the one of time; EXPRESSION: its number among them */
  thud_regulated function; /* FUNCTION */
  char *source;            /* EXPRESSION: the text; otherwise NULL */
} expr_name;

struct thud_expr_scope {
  thud_context *context;
  thud_index variable_count, expression_count;
  size_t count, capacity;
  expr_name *names; /* [count] in the order of adding */
  thud_names table; /* the number of each */
};

/* A scope with the same parameters, functions of time and named expressions, whose only variable is `kept` in slot 0: the
 * one that the functions depend on. Named expressions use the variables that are added to the copy. NULL in place of kept:
 * all variables stay, in their slots. */
THUD_FOR_IO thud_error thud_expr_scope_copy(const thud_expr_scope *scope, const char *kept, thud_expr_scope **copy);

/* NULL when the scope has no such name. The text need not end in 0. */
THUD_FOR_IO const expr_name *thud_expr_scope_find(const thud_expr_scope *scope, const char *text, size_t length);
/* The op whose source text is the word and which is written as a call, or EXPR_OP_COUNT. */
THUD_FOR_IO expr_op thud_expr_find_call(const char *text, size_t length);
/* True for pi and e, and gives the value. */
THUD_FOR_IO bool thud_expr_find_constant(const char *text, size_t length, double *value);

THUD_FOR_IO bool thud_expr_starts_name(char c);
THUD_FOR_IO bool thud_expr_continues_name(char c);

#endif
