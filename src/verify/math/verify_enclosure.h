/* What the values of a program lie in along a path of one variable x in [-1, 1]: two passes over its tape.
 *
 *   plain   one interval for every value on the whole path;
 *   series  Taylor coefficients 0..K as balls (middle, radius). Of the path about its centre they are f_k(0), known but
 *           for rounding; of the path with coefficients that hold about every point of it they are f_k(X), and
 *             f(x) = sum_{k<K} f_k(0) x^k + f_K(X) x^K.
 * These are the checker's own: a run proves its arcs by other code and by another method (src/expr/bounds.h). */
#ifndef THUD_SRC_VERIFY_MATH_VERIFY_ENCLOSURE_H
#define THUD_SRC_VERIFY_MATH_VERIFY_ENCLOSURE_H

#include "expr/program.h"
#include "verify/math/verify_interval.h"

typedef struct verify_ball {
  double middle, radius;
} verify_ball;

/* A series: coefficients above `last` are 0. */
typedef struct verify_series {
  double *middle, *radius; /* [order + 1] */
  int last;
} verify_series;

static inline verify_ball verify_coefficient(const verify_series *s, int k) {
  return k <= s->last ? (verify_ball){s->middle[k], s->radius[k]} : (verify_ball){0, 0};
}

enum { VERIFY_SPARE_SERIES = 4 };

typedef struct verify_enclosure {
  thud_context *context;
  const thud_expr_program *program;
  int order;               /* highest one that there is room for */
  verify_interval *values; /* [tape->count] of the last plain pass */
  verify_series *series;   /* [tape->count] of the last pass of series; then the spare ones */
  double *numbers;         /* owns the coefficients */
  int8_t *held;            /* [switch_count] side on which a switch is held, 0: free */
  bool open;               /* the last plain pass met a decision that can go both ways */
  /* What the last plain pass needed; of programs with few switches, everything. */
  bool lazy;       /* passes leave out the branches that their decisions exclude */
  int32_t *needed; /* [needed_count] operations, operands first */
  int32_t *met;    /* [met_count] switches whose arguments were computed */
  int32_t needed_count, met_count;
  int32_t *stack;    /* [tape->count] of the search */
  int8_t *place;     /* [tape->count] of the search; 0 outside of it */
  bool *is_met;      /* [switch_count] */
  int32_t *compound; /* [compound_count] switches whose arguments are more than differences of leaves */
  int32_t compound_count;
  verify_interval *kept; /* [variables that are read] of the pass that was kept */
} verify_enclosure;

thud_error thud_verify_enclosure_create(thud_context *context, const thud_expr_program *program, int order,
                                        verify_enclosure **enclosure);
void thud_verify_enclosure_destroy(verify_enclosure *enclosure);

/* variables: an interval for every slot. Where there are many switches, as those of data with many breaks, only what the
 * outputs need on the branches that are decided is computed, and of the switches those that decide something there, or
 * whose argument is more than a difference of leaves. */
void thud_verify_enclose(verify_enclosure *e, const verify_interval *variables);
/* Orders 0..order, after a plain pass over the same: order 0 of every operation is its interval there. variables: a
 * series for every slot. */
void thud_verify_expand(verify_enclosure *e, int order, const verify_series *variables);

/* Keeps the variables of the last plain pass; the argument of a switch there, for one that is a difference of leaves,
 * whether that pass met it or not. */
void thud_verify_keep_variables(verify_enclosure *e);
bool thud_verify_is_of_leaves(const verify_enclosure *e, int32_t j);
verify_interval thud_verify_kept_argument(const verify_enclosure *e, int32_t j);

/* verify_enclosure.c: orders 1 and up of operation `number`. */
void thud_verify_expand_operation(verify_enclosure *e, int32_t number, int order);
/* Order 0 of a series. */
void thud_verify_series_start(verify_series *y, verify_interval value);
/* sum_{j=from..to} a_j b_{k-j} */
verify_ball thud_verify_series_product(const verify_series *a, const verify_series *b, int k, int from, int to);

static inline int32_t verify_output(const verify_enclosure *e, size_t output) { return e->program->outputs[output]; }

#endif
