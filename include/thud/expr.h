/* thud/expr.h: the expressions of scene files: parsed once to a tape, evaluated without allocation.
 *
 * Grammar: numbers, names, `'` (postfix, binds tightest), ^ (right-associative, above unary minus), unary + and -,
 * * and /, + and -, comparisons (< <= > >= == !=), functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt
 * abs sign step(x) (1 for x >= 0) floor min max (two or more) atan2 hypot if(condition, a, b); constants pi, e.
 * Comparisons give 0 or 1 and cannot be chained. A condition is true when it is not 0. `if` gives the chosen branch:
 * a NaN in the other one does not leak; a NaN in a condition, a comparison, min or max comes out as NaN.
 * Expressions are data: no loops, no access to files; length and depth are limited. */
#ifndef THUD_EXPR_H
#define THUD_EXPR_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  THUD_EXPR_MAX_LENGTH = 65536, /* bytes of source text */
  THUD_EXPR_MAX_DEPTH = 200,    /* parentheses, calls, signs and exponents inside each other */
  THUD_EXPR_MAX_JUMPS = 1000000 /* times that thud_expr_jump_times returns */
};

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

/* Value, left or right limit with respect to the variable `slot` (time), the other variables fixed. An argument of a
 * discontinuous operation (step, sign, floor, comparisons, the condition of if, atan2 on its cut) that moves with time
 * and cannot be told from its jump by more than the rounding errors counts as being at the jump: VALUE then follows
 * step(0) = 1, sign(0) = 0, a <= a, and the sides follow the argument's slope. An argument whose slope is zero there
 * (tangency) is taken by its plain value. Allocates nothing. Thread-safe. */
THUD_API double thud_expr_evaluate_side(const thud_expr *expr, const double *variables, thud_index slot,
                                        thud_side side);
/* Times in [from, to] at which the expression, as a function of variable `slot` alone, may jump: zeros of the
 * arguments of step, sign, floor, comparisons, if and atan2, and the jumps of functions. Arguments that are affine in
 * the variable are solved, piecewise constant ones (conditions combined with min, max, *) change only where their parts
 * do; any other argument that depends on it gives THUD_ERROR_UNSUPPORTED with the column and the advice to write
 * piecewise data. *times is allocated from the context (free with thud_expr_free_times), sorted, no repeats: times
 * that thud_expr_evaluate_side cannot tell apart are given once, so that the sum of the jumps is the whole change. */
THUD_API thud_error thud_expr_jump_times(thud_context *context, const thud_expr *expr, const double *variables,
                                         thud_index slot, double from, double to, double **times, size_t *count);
/* The same for expressions that are evaluated at the same times (the components of one moving set): times at which
 * different expressions jump and that rounding cannot tell apart (step(t - 0.3) and step(3*t - 0.9)) are given once.
 * Lists found one by one and merged bit for bit would count such jumps twice. */
THUD_API thud_error thud_expr_common_jump_times(thud_context *context, size_t expr_count, const thud_expr *const *exprs,
                                                const double *variables, thud_index slot, double from, double to,
                                                double **times, size_t *count);
THUD_API void thud_expr_free_times(thud_context *context, double *times);

#ifdef __cplusplus
}
#endif
#endif
