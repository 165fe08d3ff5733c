/* Proved bounds of a program's values along a path of one variable s: three passes over the tape.
 *
 *   plain   every value on a piece of the path: one interval each;
 *   jet     Taylor coefficients 0..K of every value: balls (middle, radius). On a piece, coefficient m holds for every
 *           expansion point in it, so that f(c + s) = sum_{k<m} f_k s^k + f_m(X) s^m; at a point the radii are rounding;
 *   disc    for complex |s| <= R every value lies within this distance of its value at s = 0. By Cauchy
 *           sum_{k>K} |f_k| h^k <= radius (h/R)^(K+1)/(1 - h/R).
 * All passes take the branches that the switches of a work are held on: where their arguments keep their sign, which
 * is to be proved beside, the branch is the function. What has no bound (outside of a domain, data without a formula) is
 * infinite. */
#ifndef THUD_SRC_EXPR_BOUNDS_H
#define THUD_SRC_EXPR_BOUNDS_H

#include "expr/interval.h"
#include "expr/program.h"

typedef struct expr_bounds {
  thud_context *context;
  const thud_expr_program *program;
  int max_order;
  expr_interval *values; /* [tape->count] of the last plain pass */
  double *middle;        /* [tape->count][max_order + 1] of the last jet */
  double *radius;        /* the same */
  double *disc;          /* [tape->count] of the last disc pass */
  double *spare;         /* [8][max_order + 1] series of the operation that is at work */
} expr_bounds;

thud_error thud_bounds_create(thud_context *context, const thud_expr_program *program, int max_order,
                              expr_bounds **bounds);
void thud_bounds_destroy(expr_bounds *bounds);

/* variables: an interval for every slot of the variable vector. `held`: whose switches are held as they are. */
void thud_bounds_plain(expr_bounds *bounds, const thud_expr_work *held, const expr_interval *variables);
/* Orders 0..order after a plain pass over the same piece. variables: [slot][stride] balls of the coefficients 1 and up
 * (order 0 is that of the plain pass). */
void thud_bounds_jet(expr_bounds *bounds, const thud_expr_work *held, int order, const double *middle,
                     const double *radius, size_t stride);
/* All of a constant, which no pass changes, but its interval. */
void thud_bounds_start_constant(expr_bounds *bounds, int32_t number);
double thud_bounds_disc_of_constant(const expr_bounds *bounds, int32_t number);
/* After a plain pass at s = 0. radius: [slot] of the variables on the disc, sum_{k>=1} |p_k| R^k. */
void thud_bounds_disc(expr_bounds *bounds, const thud_expr_work *held, const double *radius);

static inline int32_t bounds_output(const expr_bounds *bounds, size_t output) {
  return bounds->program->outputs[output];
}
static inline int32_t bounds_switch(const expr_bounds *bounds, size_t number) {
  return bounds->program->switches[number].argument;
}

/* True if the value is the constant 0. */
static inline bool bounds_is_nothing(const expr_bounds *bounds, int32_t number) {
  const thud_expr *tape = bounds->program->tape;
  return number < tape->constant_count && tape->constants[number] == 0 && tape->constant_errors[number] == 0;
}

/* The value of an operation on the branch it is held on: one of its operands with a sign, or itself. */
typedef struct expr_branch {
  int operand; /* -1: itself; -2: not decided */
  double sign;
} expr_branch;

/* The branch of abs, min, max, if: by the switch that is held or, free, by the values of the plain pass. */
expr_branch thud_bounds_branch(const expr_bounds *bounds, const thud_expr_work *held, const expr_instruction *i);

#endif
