/* thud/expr.h: the expressions of scene files: parsed once to a tape, evaluated without allocation.
 *
 * Grammar: numbers, names, `'` (postfix, binds tightest), ^ (right-associative, above unary minus), unary + and -,
 * * and /, + and -, comparisons (< <= > >= == !=), functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt
 * abs sign step(x) (1 for x >= 0) floor min max (two or more) atan2 hypot if(condition, a, b); constants pi, e.
 * Expressions are data: no loops, no access to files; length and depth are limited. */
#ifndef THUD_EXPR_H
#define THUD_EXPR_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* The names an expression may use, each bound to a slot of the variable vector. `t` is an ordinary name. */
typedef struct thud_expr_scope thud_expr_scope;

THUD_API thud_error thud_expr_scope_create(thud_context *context, thud_expr_scope **scope);
THUD_API void thud_expr_scope_destroy(thud_expr_scope *scope);
/* A constant, folded into the tapes compiled afterwards. Redefinition and reserved words are errors. */
THUD_API thud_error thud_expr_scope_add_parameter(thud_expr_scope *scope, const char *name, double value);
/* A variable; *slot is its place in the variable vector (0, 1, ... in the order of adding). Names may end in `'`. */
THUD_API thud_error thud_expr_scope_add_variable(thud_expr_scope *scope, const char *name, thud_index *slot);
/* A regulated function of time of dimension 1 (piecewise data), used by its bare name; `time_slot` is the variable it
 * depends on. The function is borrowed and must outlive the expressions. */
THUD_API thud_error thud_expr_scope_add_function(thud_expr_scope *scope, const char *name, thud_index time_slot,
                                                 const thud_regulated *function);
THUD_API thud_index thud_expr_scope_variable_count(const thud_expr_scope *scope);

/* Where in the source text the error is; column counts bytes from 1. */
typedef struct thud_expr_place {
  thud_index column, length;
} thud_expr_place;

typedef struct thud_expr thud_expr;

/* On failure the message says what and at which column, and *place (may be NULL) marks it. */
THUD_API thud_error thud_expr_compile(thud_context *context, const thud_expr_scope *scope, const char *source,
                                      thud_expr_place *place, thud_expr **expr);
THUD_API void thud_expr_destroy(thud_expr *expr);
/* Value at variables[scope's count]. Domain errors give NaN or infinity, as in C. Thread-safe. */
THUD_API double thud_expr_evaluate(const thud_expr *expr, const double *variables);
/* True when the expression reads the variable (after folding). */
THUD_API bool thud_expr_depends_on(const thud_expr *expr, thud_index slot);
THUD_API bool thud_expr_is_constant(const thud_expr *expr);

/* Value, left or right limit with respect to the variable `slot` (time), the other variables fixed. */
THUD_API double thud_expr_evaluate_side(const thud_expr *expr, const double *variables, thud_index slot,
                                        thud_side side);
/* Times in [from, to] at which the expression, as a function of variable `slot` alone, may jump: zeros of the
 * arguments of step, sign, floor, comparisons, if, and the jumps of functions. Arguments that are affine in the
 * variable are solved; any other argument that depends on it gives THUD_ERROR_UNSUPPORTED with the column and the
 * advice to write piecewise data. *times is allocated from the context (free with thud_expr_free_times), sorted, no
 * repeats. */
THUD_API thud_error thud_expr_jump_times(thud_context *context, const thud_expr *expr, const double *variables,
                                         thud_index slot, double from, double to, double **times, size_t *count);
THUD_API void thud_expr_free_times(thud_context *context, double *times);

#ifdef __cplusplus
}
#endif
#endif
