/* Times at which an expression of one variable turns from rising to falling or back: its slope is enclosed, value by value,
 * and pieces on which it may have both signs are halved. Between the times found it is proved to be monotone. */
#include "base/base.h"
#include "expr/rates.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef struct turn_search {
  thud_context *context;
  const thud_expr *expr;
  thud_expr_piece_fn piece;
  double *at; /* [variable_count] the variables */
  thud_index slot;
  double from, to;
  expr_rate *work; /* [room] values of the tape, and behind them those of the pieces of data that it calls */
  size_t room;
  bool too_small; /* the room, in the last pass */
  int sign;       /* of the slope on the last monotone piece */
  size_t passes;  /* left */
  double size;    /* bound of the values on the first piece that has one */
  size_t count, capacity;
  double (*clusters)[2]; /* [count] pieces too short to halve */
} turn_search;

enum {
  PASSES = 20000, /* pieces of one expression */
  SHORTEST = 32,  /* units in the last place of a piece that is not halved */
  SAMPLES = 256   /* times at which such a piece is looked at */
};
/* Turns by less than this part of the largest value are rounding. */
static const double SMALL = 1e-10;
/* Values less than this are 0: enclosures of what underflows have both signs. */
static const double NOTHING = 1e-260;

/* Data are the piece that holds on the whole interval of time. */
static void piece_over(const expr_rates *how, const thud_regulated *function, const expr_rate *x, expr_rate *work,
                       size_t room, expr_rate *out) {
  turn_search *s = how->user;
  const thud_expr *expr = NULL;
  double constant = 0;
  if (s->piece == NULL || !s->piece(function, x->value.low, x->value.high, &expr, &constant)) return;
  if (expr == NULL)
    *out = (expr_rate){expr_interval_point(constant), expr_interval_point(0), constant};
  else if ((size_t)expr->count > room)
    s->too_small = true;
  else
    *out = thud_expr_rate_over(expr, how, x, work, room);
}

/* The expression over [a, b]; the room grows until it suffices for the data. */
static thud_error slope_over(turn_search *s, double a, double b, expr_rate *whole) {
  const expr_rates how = {.slot = s->slot, .variables = s->at, .uncut = true, .function = piece_over, .user = s};
  const expr_rate time = {expr_interval_of(a, b), expr_interval_point(1), a + (b - a) / 2};
  do {
    size_t needed = s->too_small ? 2 * s->room : (size_t)s->expr->count;
    s->too_small = false;
    thud_error error = thud_array_reserve(s->context, &s->work, &s->room, needed, sizeof *s->work);
    if (error != THUD_OK) return error;
    *whole = thud_expr_rate_over(s->expr, &how, &time, s->work, s->room);
  } while (s->too_small);
  return THUD_OK;
}

static double unit_of(double a, double b) { return DBL_EPSILON * fmax(fmax(fabs(a), fabs(b)), DBL_MIN); }

static thud_error add_cluster(turn_search *s, double a, double b) {
  if (s->count > 0 && s->clusters[s->count - 1][1] == a) {
    s->clusters[s->count - 1][1] = b;
    return THUD_OK;
  }
  thud_error error = thud_array_reserve(s->context, &s->clusters, &s->capacity, s->count + 1, sizeof *s->clusters);
  if (error != THUD_OK) return error;
  s->clusters[s->count][0] = a, s->clusters[s->count][1] = b;
  s->count++;
  return THUD_OK;
}

/* A turn may lie just where two pieces meet; where the expression is constant the sign before goes on. */
static thud_error pass_monotone(turn_search *s, double a, int sign) {
  bool turns = sign * s->sign < 0;
  if (sign != 0) s->sign = sign;
  return turns ? add_cluster(s, a, a) : THUD_OK;
}

/* Pieces in their order; the depth is at most that of a double. */
static thud_error divide(turn_search *s, double a, double b) {
  if (s->passes == 0) return THUD_OK;
  s->passes--;
  expr_rate whole;
  thud_error error = slope_over(s, a, b, &whole);
  if (error != THUD_OK) return error;
  const expr_interval rate = whole.rate, value = whole.value;
  if (rate.low >= 0 || rate.high <= 0) return pass_monotone(s, a, (rate.high > 0) - (rate.low < 0));
  /* a piece on which it changes by less than the turns that count, however often */
  if (s->size == 0 && expr_interval_is_finite(value)) s->size = fmax(expr_interval_size(value), NOTHING);
  if (expr_interval_size(rate) <= SMALL * SMALL * s->size / (s->to - s->from)) return THUD_OK;
  double middle = a + (b - a) / 2;
  if (b - a <= SHORTEST * unit_of(a, b) || !(middle > a && middle < b)) return add_cluster(s, a, b);
  error = divide(s, a, middle);
  return error == THUD_OK ? divide(s, middle, b) : error;
}

static double value_at(const turn_search *s, double t) {
  thud_side side = t == s->from ? THUD_SIDE_RIGHT : t == s->to ? THUD_SIDE_LEFT : THUD_SIDE_VALUE;
  s->at[s->slot] = t;
  return thud_expr_evaluate_side(s->expr, s->at, s->slot, side);
}

/* The time in a cluster at which the expression lies farthest outside of its ends. */
static double extreme_of(const turn_search *s, double a, double b) {
  double low = fmin(value_at(s, a), value_at(s, b)), high = fmax(value_at(s, a), value_at(s, b));
  double best = a + (b - a) / 2, most = 0;
  for (int k = 0; k <= SAMPLES; k++) {
    double t = a + (b - a) * k / SAMPLES, value = value_at(s, t), outside = fmax(value - high, low - value);
    if (outside > most) most = outside, best = t;
  }
  return best;
}

/* Clusters at which the expression turns by more than rounding: its times, in their order. */
static void keep_turns(const turn_search *s, double *times_found, size_t *kept) {
  double largest = fmax(fabs(value_at(s, s->from)), fabs(value_at(s, s->to)));
  *kept = 0;
  for (size_t k = 0; k < s->count; k++) {
    times_found[k] = extreme_of(s, s->clusters[k][0], s->clusters[k][1]);
    largest = fmax(largest, fabs(value_at(s, times_found[k])));
  }
  double before = value_at(s, s->from);
  for (size_t k = 0; k < s->count; k++) {
    double here = value_at(s, times_found[k]), next = value_at(s, k + 1 < s->count ? times_found[k + 1] : s->to);
    double rise = here - before, fall = here - next;
    bool inside = s->clusters[k][0] > s->from && s->clusters[k][1] < s->to;
    before = here;
    if (inside && rise * fall > 0 && fmin(fabs(rise), fabs(fall)) > SMALL * largest)
      times_found[(*kept)++] = times_found[k];
  }
}

thud_error thud_expr_turning_times(thud_context *context, const thud_expr *expr, thud_expr_piece_fn piece,
                                   const double *variables, thud_index slot, double from, double to,
                                   double **times_found, size_t *count, bool *complete) {
  THUD_REQUIRE(context, context, expr, variables, times_found, count, complete);
  turn_search s = {.context = context,
                   .expr = expr,
                   .piece = piece,
                   .at = THUD_NEW_ARRAY(context, double, expr->variable_count),
                   .slot = slot,
                   .from = from,
                   .to = to,
                   .passes = PASSES};
  *times_found = NULL;
  *count = 0;
  thud_error error = s.at != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) memcpy(s.at, variables, (size_t)expr->variable_count * sizeof *variables);
  if (error == THUD_OK && to > from) error = divide(&s, from, to);
  *complete = s.passes > 0;
  if (error == THUD_OK && *complete && s.count > 0) {
    *times_found = THUD_NEW_ARRAY(context, double, s.count);
    error = *times_found != NULL ? THUD_OK : THUD_ERROR_MEMORY;
    if (error == THUD_OK) keep_turns(&s, *times_found, count);
  }
  thud_free(context, s.work);
  thud_free(context, s.at);
  thud_free(context, s.clusters);
  return error;
}
