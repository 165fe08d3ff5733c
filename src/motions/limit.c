/* The limit of a sequence of refined motions: trends of their distances, variations and largest moves. */
#include "base/base.h"
#include "thud/sim.h"

#include <math.h>

/* Increments and moves below this part of the variation are rounding. */
static const double rounding = 1e-8;
/* Standard error of an exponent that is taken from two figures: nothing is left over to measure it by, and a single
 * ratio is trusted to a factor of 2^(1/4). */
static const double unmeasured = 0.25;
/* Exponents of figures that tend to 0, and of figures that do not. */
static const double falling = 0.2, staying = 0.3;
/* Growth of variations without bound, and decay of the increments of bounded ones: logarithmic growth has the exponent 0
 * and lies between. */
static const double growing = 0.1;
enum { MOST_FIGURES = 32 };

const char *thud_limit_class_name(thud_limit_class found) {
  static const char *const names[] = {"strong", "bounded variation", "weak only", "no uniform limit", "undecided"};
  return (unsigned)found < sizeof names / sizeof *names ? names[found] : "unknown class";
}

/* ---- trends ------------------------------------------------------------------------------------------------------------- */

/* Slope of y[count] over 0, 1, ... and its standard error, s^2 = sum of squares left over/(count - 2). */
static thud_limit_trend slope_of(int count, const double *y) {
  double mean = 0, middle = (count - 1) / 2.0, spread = 0, slope = 0, left = 0;
  for (int k = 0; k < count; k++) mean += y[k] / count;
  for (int k = 0; k < count; k++) {
    spread += (k - middle) * (k - middle);
    slope += (k - middle) * (y[k] - mean);
  }
  slope /= spread;
  for (int k = 0; k < count; k++) {
    double rest = y[k] - mean - slope * (k - middle);
    left += rest * rest;
  }
  return (thud_limit_trend){.exponent = -slope, .scatter = count > 2 ? sqrt(left / (count - 2) / spread) : unmeasured};
}

thud_limit_trend thud_limit_fit(int count, const double *figures, double nothing) {
  const thud_limit_trend unknown = {NAN, NAN}, gone = {(double)INFINITY, 0};
  double logs[MOST_FIGURES];
  int used = 0;
  if (figures == NULL || count < 1 || count > MOST_FIGURES) return unknown;
  if (figures[count - 1] <= nothing) return gone;
  for (int k = 0; k < count; k++) {
    if (!isfinite(figures[k])) return unknown;
    if (figures[k] > nothing)
      logs[used++] = log2(figures[k]);
    else
      used = 0; /* rounding before: what follows has risen out of it */
  }
  return used >= 2 ? slope_of(used, logs) : unknown;
}

int thud_limit_tends_to_zero(thud_limit_trend trend) {
  if (trend.exponent - trend.scatter > falling) return 1;
  return trend.exponent + trend.scatter < staying ? -1 : 0;
}

/* ---- the judgement ----------------------------------------------------------------------------------------------------------- */

/* Growth of the variation: 1 without bound, -1 bounded, 0 not decided. The last two increments must agree with the
 * whole. Increments of both signs are noise about a bound when they shrink, and decide nothing otherwise. */
static int growth_of(int levels, const thud_limit_level *rows, thud_limit_trend *growth) {
  double steps[MOST_FIGURES] = {0}, nothing = rounding * rows[levels - 1].variation;
  bool up = false, down = false;
  for (int k = 0; k + 1 < levels; k++) {
    double step = rows[k + 1].variation - rows[k].variation;
    up = up || step > nothing;
    down = down || step < -nothing;
    steps[k] = fabs(step);
  }
  thud_limit_trend decay = thud_limit_fit(levels - 1, steps, nothing);
  *growth = (thud_limit_trend){-decay.exponent, decay.scatter};
  double last = steps[levels - 2], before = steps[levels - 3];
  if (decay.exponent - decay.scatter > growing) return last < before || last <= nothing ? -1 : 0;
  return growth->exponent - growth->scatter > growing && up && !down && last > before ? 1 : 0;
}

static thud_limit_class class_of(int levels, const thud_limit_level *rows, double nothing, thud_limit_judgement *j) {
  double figures[MOST_FIGURES] = {0};
  for (int k = 1; k < levels; k++) figures[k - 1] = rows[k].distance;
  j->approach = thud_limit_fit(levels - 1, figures, nothing);
  for (int k = 0; k < levels; k++) figures[k] = rows[k].largest_move;
  j->moves = thud_limit_fit(levels, figures, rounding * rows[levels - 1].variation);
  int grows = growth_of(levels, rows, &j->growth), approach = thud_limit_tends_to_zero(j->approach);
  if (approach < 0) return THUD_LIMIT_NO_UNIFORM;
  if (approach == 0 || grows == 0) return THUD_LIMIT_UNDECIDED;
  if (grows > 0) return THUD_LIMIT_WEAK;
  int smooth = thud_limit_tends_to_zero(j->moves);
  return smooth > 0 ? THUD_LIMIT_STRONG : smooth < 0 ? THUD_LIMIT_BOUNDED : THUD_LIMIT_UNDECIDED;
}

void thud_limit_judge(int levels, const thud_limit_level *rows, double nothing, thud_limit_judgement *judgement) {
  if (judgement == NULL) return;
  const thud_limit_trend unknown = {NAN, NAN};
  *judgement =
      (thud_limit_judgement){.found = THUD_LIMIT_UNDECIDED, .approach = unknown, .growth = unknown, .moves = unknown};
  if (rows == NULL || levels < THUD_LIMIT_LEAST_LEVELS || levels > MOST_FIGURES) return;
  judgement->found = class_of(levels, rows, nothing, judgement);
}
