/* Encloses the value of an expression and its rate of change over an interval of time: one pass over the tape with a
 * pair of intervals for every value. Where min, max and abs are not decided the rate is that of either branch, which
 * holds for the continuous function (Clarke).
 *
 * Discontinuous operations are taken as they are in the middle of the interval when the caller has cut time at their
 * jumps (thud_expr_jump_times), so that they do not change inside; otherwise they are unbounded unless the values decide
 * them on the whole interval. Values without a bound are infinite. */
#ifndef THUD_SRC_EXPR_RATES_H
#define THUD_SRC_EXPR_RATES_H

#include "expr/interval.h"
#include "expr/tape.h"

typedef struct expr_rate {
  expr_interval value, rate;
  double middle; /* value in the middle of the interval */
} expr_rate;

typedef struct expr_rates expr_rates;
struct expr_rates {
  thud_index slot;         /* of time */
  const double *variables; /* [variable_count] constant values of the others; NULL: they are not known */
  bool uncut;              /* discontinuous operations may jump inside the interval */
  /* Data: value and rate of a function where its argument is x; what is not known is left as it is. */
  void (*function)(const expr_rates *how, const thud_regulated *function, const expr_rate *x, expr_rate *work,
                   size_t room, expr_rate *out);
  void *user;
};

/* work[room]: room for the values of the tape, and behind them for those of data. Everything is infinite where it does
 * not suffice. */
THUD_FOR_IO expr_rate thud_expr_rate_over(const thud_expr *expr, const expr_rates *how, const expr_rate *t,
                                          expr_rate *work, size_t room);

#endif
