/* thud/expr.h: the expressions of scene files: parsed once to a tape, evaluated without allocation; several expressions
 * on one tape with exact derivatives of any order and Taylor jets.
 *
 * Grammar: numbers, names, `'` (postfix, binds tightest), ^ (right-associative, above unary minus), unary + and -,
 * * and /, + and -, comparisons (< <= > >= == !=), functions: sin cos tan asin acos atan sinh cosh tanh exp log sqrt
 * abs sign step(x) (1 for x >= 0) floor min max (two or more) atan2 hypot if(condition, a, b); constants pi, e (a scope
 * may use the name e for something else). Comparisons give 0 or 1 and cannot be chained. A condition is true when it is
 * not 0. `if` gives the chosen branch: a NaN in the other one does not leak; a NaN in a condition, a comparison, min or
 * max comes out as NaN. Expressions are data: no loops, no access to files; length and depth are limited. */
#ifndef THUD_EXPR_H
#define THUD_EXPR_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

enum {
  THUD_EXPR_MAX_LENGTH = 1048576, /* bytes of source text */
  THUD_EXPR_MAX_DEPTH = 200,      /* parentheses, calls, signs and exponents inside each other */
  THUD_EXPR_MAX_JUMPS = 1000000   /* times that thud_expr_jump_times returns */
};

/* Where in the source text the error is; column counts bytes from 1. */
typedef struct thud_expr_place {
  thud_index column, length;
} thud_expr_place;

/* The names an expression may use, each bound to a slot of the variable vector. `t` is an ordinary name. */
typedef struct thud_expr_scope thud_expr_scope;

/* An empty scope; it is destroyed (NULL is allowed) after the graphs that borrow it. */
THUD_API thud_error thud_expr_scope_create(thud_context *context, thud_expr_scope **scope);
THUD_API void thud_expr_scope_destroy(thud_expr_scope *scope);
/* A constant, folded into the tapes compiled afterwards. Redefinition and reserved words are errors. */
THUD_API thud_error thud_expr_scope_add_parameter(thud_expr_scope *scope, const char *name, double value);
/* A variable; *slot is its place in the variable vector (0, 1, ... in the order of adding); slot may be NULL. Names
 * may end in `'`. */
THUD_API thud_error thud_expr_scope_add_variable(thud_expr_scope *scope, const char *name, thud_index *slot);
/* A regulated function of time of dimension 1 (piecewise data), used by its bare name; `time_slot` is the variable it
 * depends on. The function is borrowed and must outlive the expressions. */
THUD_API thud_error thud_expr_scope_add_function(thud_expr_scope *scope, const char *name, thud_index time_slot,
                                                 const thud_regulated *function);
/* A named sub-expression, used by its bare name. The text is copied; it may use any name of the scope, also names that
 * are added later: it is read where it is used. An expression that needs itself is an error there. Thanks to sharing a
 * name that is used often is computed once. */
THUD_API thud_error thud_expr_scope_add_expression(thud_expr_scope *scope, const char *name, const char *source);
/* Reads every named sub-expression, also those that nothing uses. On failure *name (may be NULL) is the first bad one
 * (it belongs to the scope) and *place (may be NULL) marks the error in its text. */
THUD_API thud_error thud_expr_scope_check(const thud_expr_scope *scope, const char **name, thud_expr_place *place);
THUD_API thud_index thud_expr_scope_variable_count(const thud_expr_scope *scope);
/* The slot of a variable, or -1 when the scope has no variable of that name. */
THUD_API thud_index thud_expr_scope_find_variable(const thud_expr_scope *scope, const char *name);

typedef struct thud_expr thud_expr;

/* On failure the message says what and at which column, and *place (may be NULL) marks it. */
THUD_API thud_error thud_expr_compile(thud_context *context, const thud_expr_scope *scope, const char *source,
                                      thud_expr_place *place, thud_expr **expr);
THUD_API void thud_expr_destroy(thud_expr *expr);
/* Value at variables[scope's count], which may be NULL where the expression is constant. Domain errors give NaN or
 * infinity, as in C. Thread-safe. */
THUD_API double thud_expr_evaluate(const thud_expr *expr, const double *variables);
/* True when the expression reads the variable (after folding). */
THUD_API bool thud_expr_depends_on(const thud_expr *expr, thud_index slot);
THUD_API bool thud_expr_is_constant(const thud_expr *expr);

/* Value, left or right limit with respect to the variable `slot` (time), the other variables fixed. An argument of a
 * discontinuous operation (step, sign, floor, comparisons, the condition of if, atan2 on its cut) that moves with time
 * and cannot be distinguished from its jump by more than the rounding errors counts as being at the jump: VALUE then
 * follows
 * step(0) = 1, sign(0) = 0, a <= a, and the sides follow the argument's slope. An argument whose slope is zero there
 * (tangency) is taken by its plain value. Allocates nothing. Thread-safe. */
THUD_API double thud_expr_evaluate_side(const thud_expr *expr, const double *variables, thud_index slot,
                                        thud_side side);
/* Times in [from, to] at which the expression, as a function of variable `slot` alone, may jump: zeros of the
 * arguments of step, sign, floor, comparisons, if and atan2, and the jumps of functions. Arguments that are affine in
 * the variable are solved, piecewise constant ones (conditions combined with min, max, *) change only where their parts
 * do; any other argument that depends on it gives THUD_ERROR_UNSUPPORTED with the column and the advice to write
 * piecewise data. A variable beside `slot` that is NaN is unknown: jumps whose arguments depend on it are left out. Of a
 * function of place and time those remain that happen everywhere at once. *times is allocated from the context (free
 * with thud_expr_free_times), sorted, no repeats: times that thud_expr_evaluate_side cannot distinguish are given once,
 * so that the sum of the jumps is the whole change. */
THUD_API thud_error thud_expr_jump_times(thud_context *context, const thud_expr *expr, const double *variables,
                                         thud_index slot, double from, double to, double **times, size_t *count);
/* The same for expressions that are evaluated at the same times (the components of one moving set): times at which
 * different expressions jump and that rounding cannot distinguish (step(t - 0.3) and step(3*t - 0.9)) are given once.
 * Lists found one by one and merged bit for bit would count such jumps twice. */
THUD_API thud_error thud_expr_common_jump_times(thud_context *context, size_t expr_count, const thud_expr *const *exprs,
                                                const double *variables, thud_index slot, double from, double to,
                                                double **times, size_t *count);
/* Data seen through: the expression that a function is on the whole of [from, to], or *expr NULL and its constant value.
 * False where there is none. */
typedef bool (*thud_expr_piece_fn)(const thud_regulated *function, double from, double to, const thud_expr **expr,
                                   double *constant);
/* Times between `from` and `to`, no jumps in between, at which the expression turns from rising to falling or back as a
 * function of variable `slot`, by more than 1e-10 of its values: between them it is proved to be monotone, by enclosures of
 * its slope. *complete is false, and there are no times, where that fails: too many turns, or functions (data) through
 * which `piece` (NULL: none) does not see. Free the times likewise. */
THUD_API thud_error thud_expr_turning_times(thud_context *context, const thud_expr *expr, thud_expr_piece_fn piece,
                                            const double *variables, thud_index slot, double from, double to,
                                            double **times, size_t *count, bool *complete);
THUD_API void thud_expr_free_times(thud_context *context, double *times);

/* ---- graphs: values, and derivatives as further values ------------------------------------------------------------
 *
 * A graph collects expressions over one scope; equal sub-expressions are one value. Derivatives are made by reverse
 * accumulation on the graph and are values like any other: they can be differentiated again, combined, evaluated, and
 * followed by jets. A gradient costs a small multiple of the expression (no symbolic blow-up), whatever the number of
 * variables. A program is then compiled from the values that are wanted together.
 *
 * Derivatives of abs, min, max and if follow the active branch. On a tie that is the one of step(0) = 1: abs has
 * derivative +1 at 0, min(a, b) and max(a, b) have b's at a = b. step, sign, floor and comparisons have derivative 0.
 * A branch that is not chosen has no influence, even where its own derivative is infinite. */

typedef struct thud_expr_graph thud_expr_graph;
/* A value of a graph (its number there). */
typedef int32_t thud_expr_value;

/* The scope is borrowed until the graph is destroyed; names may still be added to it. */
THUD_API thud_error thud_expr_graph_create(thud_context *context, const thud_expr_scope *scope,
                                           thud_expr_graph **graph);
THUD_API void thud_expr_graph_destroy(thud_expr_graph *graph);
/* Reads a source text; errors as in thud_expr_compile; place may be NULL. Texts are numbered 0, 1, ... in the order
 * of successful calls:
 * the `source` of switches and troubles. */
THUD_API thud_error thud_expr_graph_add(thud_expr_graph *graph, const char *source, thud_expr_place *place,
                                        thud_expr_value *value);
THUD_API thud_error thud_expr_graph_add_constant(thud_expr_graph *graph, double number, thud_expr_value *value);
THUD_API thud_error thud_expr_graph_add_variable(thud_expr_graph *graph, thud_index slot, thud_expr_value *value);
/* sum_k a[k] * b[k]; b == NULL: sum_k a[k]. Numbers that change between evaluations (multipliers) are variables. */
THUD_API thud_error thud_expr_graph_add_dot(thud_expr_graph *graph, thud_index count, const thud_expr_value *a,
                                            const thud_expr_value *b, thud_expr_value *value);
/* gradient[count]: d value / d slots[k]. THUD_ERROR_UNSUPPORTED where the value depends on one of the slots through a
 * function of add_function, whose derivative is not known (write it as a named expression with if). */
THUD_API thud_error thud_expr_graph_add_gradient(thud_expr_graph *graph, thud_expr_value value, thud_index count,
                                                 const thud_index *slots, thud_expr_value *gradient);
/* The same for many variables of which the value reads few: the derivatives by those variables with by[slot] that it
 * depends on, the others being zero. by: [variables of the scope]. slots and partials have room for all variables;
 * *count of them are set, each variable once, in any order. The work is proportional to what the value consists of,
 * whatever else is in the graph. */
THUD_API thud_error thud_expr_graph_add_partials(thud_expr_graph *graph, thud_expr_value value, const bool *by,
                                                 thud_index *count, thud_index *slots, thud_expr_value *partials);
/* hessian[count*count]: second derivatives, symmetric: entries (i, j) and (j, i) are the same value. */
THUD_API thud_error thud_expr_graph_add_hessian(thud_expr_graph *graph, thud_expr_value value, thud_index count,
                                                const thud_index *slots, thud_expr_value *hessian);
/* Derivative along a direction: sum_k (d value / d slots[k]) * directions[k]. With the slots of the coordinates and of
 * time, and the velocities and 1 as directions, the rate of change along a motion. A NULL in place of directions means
 * 1 each. */
THUD_API thud_error thud_expr_graph_add_rate(thud_expr_graph *graph, thud_expr_value value, thud_index count,
                                             const thud_index *slots, const thud_expr_value *directions,
                                             thud_expr_value *rate);
/* True when the value is a number whatever the variables are (zero derivatives are), and gives it; number may be
 * NULL. */
THUD_API bool thud_expr_graph_is_constant(const thud_expr_graph *graph, thud_expr_value value, double *number);
/* *depends: does the value read the variable? */
THUD_API thud_error thud_expr_graph_depends_on(thud_expr_graph *graph, thud_expr_value value, thud_index slot,
                                               bool *depends);
/* The first of the values that reads a variable with on[slot], and the first slot of those it reads; -1, -1 when none
 * does. on: [variables of the scope]. */
THUD_API thud_error thud_expr_graph_find_dependence(thud_expr_graph *graph, thud_index count,
                                                    const thud_expr_value *values, const bool *on, thud_index *which,
                                                    thud_index *slot);

/* ---- programs: several values on one tape --------------------------------------------------------------------------
 *
 * A program is constant and may be used by many threads; what changes is in a thud_expr_work, one per thread. */

typedef struct thud_expr_program thud_expr_program;

/* Compiles the values (outputs, in this order; repeats are allowed). Graph and scope are no longer needed afterwards,
 * functions of add_function are. */
THUD_API thud_error thud_expr_program_create(thud_expr_graph *graph, thud_index count, const thud_expr_value *values,
                                             thud_expr_program **program);
/* Graph and program in one call. On failure *source (may be NULL) is the number of the bad text; place may be
 * NULL. */
THUD_API thud_error thud_expr_program_compile(thud_context *context, const thud_expr_scope *scope, thud_index count,
                                              const char *const *sources, thud_index *source, thud_expr_place *place,
                                              thud_expr_program **program);
THUD_API void thud_expr_program_destroy(thud_expr_program *program);
THUD_API thud_index thud_expr_program_output_count(const thud_expr_program *program);
/* Length of the variable vector: the scope's when the program was compiled. */
THUD_API thud_index thud_expr_program_variable_count(const thud_expr_program *program);
/* Operations of one evaluation. */
THUD_API thud_index thud_expr_program_operation_count(const thud_expr_program *program);

/* A switch is an argument whose sign decides between branches: of abs, step, sign, the difference in min, max and
 * comparisons, sin(pi*x) for floor(x), y in atan2(y, x), the condition of if where it is not a comparison. As long as
 * no
 * argument changes its sign the outputs are analytic in the variables. Equal arguments are one switch. Arguments are
 * computed with the outputs: an integrator watches their zeros as events. */
typedef struct thud_expr_switch {
  const char *operation; /* "abs", "<", ...: the first one that it decides */
  bool jumps;            /* an operation of a text jumps there; otherwise only derivatives do (abs, min, max) */
  thud_index source;     /* number of the text; -1 when it was made otherwise */
  thud_expr_place place; /* of the operation in that text (of the name through which it is used) */
} thud_expr_switch;

/* Number of switches of the program. */
THUD_API thud_index thud_expr_program_switch_count(const thud_expr_program *program);
/* index: 0..count-1. */
THUD_API thud_expr_switch thud_expr_program_switch(const thud_expr_program *program, thud_index index);

/* ---- work: evaluation of a program ----------------------------------------------------------------------------------
 * The functions that evaluate allocate nothing. Domain errors give NaN or infinity; thud_expr_work_explain says why. */

typedef struct thud_expr_work thud_expr_work;

enum { THUD_EXPR_MAX_ORDER = 1000 };

/* max_order: highest Taylor coefficient that will be asked for, 0..THUD_EXPR_MAX_ORDER; 0 is enough for values. The
 * program is borrowed. */
THUD_API thud_error thud_expr_work_create(thud_context *context, const thud_expr_program *program, int max_order,
                                          thud_expr_work **work);
THUD_API void thud_expr_work_destroy(thud_expr_work *work);
/* out[output count] at variables[variable count]. */
THUD_API void thud_expr_work_evaluate(thud_expr_work *work, const double *variables, double *out);
/* Taylor coefficients number `order` of the outputs along a path whose variables are power series
 * sum_k variables_k s^k: variables[variable count] are the variables' coefficients number `order`, those below were
 * given by the calls before (order 0, 1, 2, ... one after the other; going back and giving other coefficients is
 * allowed). For q'' = f(q, q', t): coefficient k of f needs those of q, q', t up to k, which the coefficients of f
 * below k give. THUD_ERROR_ARGUMENT: an order beyond max_order or one that skips. Branches are chosen at order 0. */
THUD_API thud_error thud_expr_work_jet(thud_expr_work *work, int order, const double *variables, double *out);
/* arguments[switch count] of the last evaluation. */
THUD_API void thud_expr_work_switches(const thud_expr_work *work, double *arguments);
/* Coefficients number `order` of the switches' arguments, an order that thud_expr_work_jet has done. */
THUD_API thud_error thud_expr_work_switch_jet(const thud_expr_work *work, int order, double *arguments);
/* Holds a switch on one side (sign -1 or 1) whatever its argument is, or sets it free (0, the initial state): on an arc
 * between two events the outputs are then one analytic function, also where rounding puts the argument beyond zero. */
THUD_API thud_error thud_expr_work_hold(thud_expr_work *work, thud_index index, int sign);

/* Why an output is not finite. */
typedef struct thud_expr_trouble {
  thud_index source;     /* number of the text in its graph; -1: none */
  thud_expr_place place; /* of the operation in that text */
  char message[200];     /* "division by zero at column 7" */
} thud_expr_trouble;

/* False (and *trouble untouched) when output number `output` of the last evaluation is finite. Otherwise finds the
 * first operation that made NaN or infinity out of finite numbers and counted for the output. */
THUD_API bool thud_expr_work_explain(const thud_expr_work *work, thud_index output, thud_expr_trouble *trouble);
/* The same for coefficient `order` of the last jet. */
THUD_API bool thud_expr_work_explain_jet(const thud_expr_work *work, thud_index output, int order,
                                         thud_expr_trouble *trouble);
/* The same for a single expression; *finite says that there is nothing to explain. Allocates. */
THUD_API thud_error thud_expr_explain(thud_context *context, const thud_expr *expr, const double *variables,
                                      bool *finite, thud_expr_trouble *trouble);

/* ---- derivatives that a user wrote ----------------------------------------------------------------------------------
 */

/* out[rows] at x[columns]; 0: good, anything else: the function cannot be evaluated there. */
typedef int (*thud_vector_fn)(void *user, const double *x, double *out);

typedef struct thud_derivative_check_options {
  size_t size;
  double step;      /* relative: column j is differenced with h = step * max(1, |x_j|); default 2^-17 */
  double tolerance; /* |given - difference| <= tolerance * max(1, |given|, |difference|); default 1e-6 */
} thud_derivative_check_options;
/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_derivative_check_option_table(void);
THUD_OPTIONS_DEFAULT(thud_derivative_check_options, thud_derivative_check_option_table)

typedef struct thud_derivative_report {
  bool agrees;  /* every entry is within the tolerance */
  double worst; /* largest |given - difference| / max(1, |given|, |difference|); NaN: an entry is not finite */
  thud_index row, column;   /* where */
  double given, difference; /* the two numbers there */
  THUD_RESERVED(4);
} thud_derivative_report;

/* Compares jacobian[rows*columns] (row-major, d out_i / d x_j at x) with central differences of the function. When they
 * do not agree that is a finding, not an error, and the context's message names the worst entry. options may be NULL.
 * THUD_ERROR_CALLBACK: the function refuses a point. */
THUD_API thud_error thud_derivative_check(thud_context *context, thud_index rows, thud_index columns,
                                          thud_vector_fn function, void *user, const double *x, const double *jacobian,
                                          const thud_derivative_check_options *options, thud_derivative_report *report);

#ifdef __cplusplus
}
#endif
#endif
