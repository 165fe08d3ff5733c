/* The excess e(C, C') = sup { dist(x, C') : x in C } of a set over itself with other parameters, enclosed from intervals
 * of its parameters p and of their changes.
 *
 * The upper bounds are sublinear in the changes, so that with rates instead of changes they bound the speed of the
 * retraction ret(C; s, t) = sup of sum e(C(t_i), C(t_{i+1})). (J.J. Moreau, Multiapplications a retraction finie, 1974.)
 *   ball         max(0, |dc| - dr)
 *   box          |max(0, dl, -du)|                               (componentwise)
 *   half-space   max(0, -db)/|a|,  infinite when a turns
 *   segment      max(|da|, |db|)
 *   o + C        |do| + e(C)
 *   s C          |ds| sup |C| + s e(C)
 *   L C          |dL| sup |C| + |L| e(C)                         (Frobenius norms)
 *   sum          sum of e,  product: root of the sum of squares
 * Other sets are known only where nothing of them moves. */
#include "convex/excess.h"

#include <math.h>

typedef struct change {
  const expr_interval *value, *by;
} change;

static change part(change c, size_t offset) { return (change){c.value + offset, c.by + offset}; }
static expr_interval nothing(void) { return (expr_interval){0, 0}; }
static expr_interval unknown(void) { return (expr_interval){0, (double)NAN}; }
static expr_interval unbounded(void) { return (expr_interval){0, (double)INFINITY}; }
static double above(double x) { return x > 0 ? expr_up(x) : x; }
static double positive(double x) { return x > 0 ? x : 0; }

static bool moves(size_t count, const expr_interval *by) {
  for (size_t k = 0; k < count; k++)
    if (by[k].low != 0 || by[k].high != 0) return true;
  return false;
}

/* ---- lengths -------------------------------------------------------------------------------------------------------------- */

/* Roots of the smallest and largest eigenvalue of the metric. */
static void stretch(const thud_metric *metric, double *low, double *high) {
  *low = *high = 1;
  if (metric == NULL) return;
  thud_metric_bounds(metric, low, high);
  *low = sqrt(*low);
  *high = sqrt(*high);
}

/* Euclidean, relative rounding (n + 4) u both ways. */
static expr_interval euclidean(size_t n, const expr_interval *v) {
  double low = 0, high = 0, slack = (double)(n + 4) * EXPR_ROUNDING;
  for (size_t i = 0; i < n; i++) {
    expr_interval size = thud_interval_abs(v[i]);
    low += size.low * size.low;
    high += size.high * size.high;
  }
  if (n == 1) return thud_interval_abs(v[0]);
  return (expr_interval){sqrt(low) * (1 - slack), sqrt(high) * (1 + slack)};
}

/* x'Mx of the middles. */
static double square_of_middle(const thud_metric *metric, size_t n, const expr_interval *v) {
  double sum = 0;
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++)
      sum += expr_interval_middle(v[i]) * thud_metric_entry(metric, (thud_index)i, (thud_index)j) *
             expr_interval_middle(v[j]);
  return sum;
}

/* Bounds with a full metric: |m|_M -+ sqrt(largest eigenvalue) |radius|, and what rounding adds to x'Mx in that. */
static expr_interval full_length(const thud_metric *metric, size_t n, const expr_interval *v) {
  double low, high, radius = 0, size = 0;
  stretch(metric, &low, &high);
  expr_interval plain = euclidean(n, v);
  if (!isfinite(plain.high)) return (expr_interval){0, (double)INFINITY};
  for (size_t i = 0; i < n; i++) {
    radius += expr_interval_radius(v[i]) * expr_interval_radius(v[i]);
    size += expr_interval_middle(v[i]) * expr_interval_middle(v[i]);
  }
  double rounding = (double)(2 * n + 8) * EXPR_ROUNDING * high * sqrt(size), square = square_of_middle(metric, n, v);
  double length = sqrt(fmax(square, 0)), more = high * sqrt(radius) * (1 + 8 * EXPR_ROUNDING);
  /* sqrt(a + b) <= sqrt(a) + b/sqrt(a): relative to |m|_M >= low |m| the rounding of x'Mx grows by high/low */
  more += rounding * high / low;
  return (expr_interval){fmax(length - more, plain.low * low * (1 - 16 * EXPR_ROUNDING)), length + more};
}

/* |v|_M: of a diagonal metric component by component. */
static expr_interval length(const thud_metric *metric, size_t n, const expr_interval *v) {
  double sum_low = 0, sum_high = 0, slack = (double)(n + 8) * EXPR_ROUNDING;
  if (metric == NULL) return euclidean(n, v);
  if (!thud_metric_is_diagonal(metric)) return full_length(metric, n, v);
  for (size_t i = 0; i < n; i++) {
    expr_interval size = thud_interval_abs(v[i]);
    double m = thud_metric_entry(metric, (thud_index)i, (thud_index)i);
    sum_low += m * size.low * size.low;
    sum_high += m * size.high * size.high;
  }
  return (expr_interval){sqrt(sum_low) * (1 - slack), sqrt(sum_high) * (1 + slack)};
}

/* sup |x| over the set, Euclidean; infinite where it is not known. */
static double size_of(const thud_set *set, const expr_interval *value) {
  size_t n = (size_t)set->n, used = set->own_count;
  double sum = 0;
  if (set->kind == &thud_class_ball) return above(euclidean(n, value).high + positive(value[n].high));
  if (set->kind == &thud_class_segment) return fmax(euclidean(n, value).high, euclidean(n, value + n).high);
  if (set->kind == &thud_class_box) {
    for (size_t i = 0; i < n; i++) {
      double corner = fmax(expr_interval_size(value[i]), expr_interval_size(value[n + i]));
      sum += corner * corner;
    }
    return sqrt(sum) * (1 + (double)(n + 4) * EXPR_ROUNDING);
  }
  bool least = set->kind == &thud_class_intersection, squares = set->kind == &thud_class_product;
  double factor = 1;
  if (set->kind == &thud_class_scaling) factor = expr_interval_size(value[0]);
  if (set->kind == &thud_class_image) factor = euclidean(used, value).high;
  if (set->kind == &thud_class_translation) sum = euclidean(n, value).high;
  bool known = least || squares || set->kind == &thud_class_scaling || set->kind == &thud_class_image ||
               set->kind == &thud_class_translation || set->kind == &thud_class_sum;
  if (!known) return (double)INFINITY;
  if (least) sum = (double)INFINITY;
  for (thud_index k = 0; k < set->child_count; used += set->children[k]->parameter_count, k++) {
    double inner = size_of(set->children[k], value + used);
    sum = least ? fmin(sum, inner) : squares ? sum + inner * inner : sum + factor * inner;
  }
  return above(above(squares ? sqrt(sum) : sum));
}

/* ---- leaves ---------------------------------------------------------------------------------------------------------------- */

static expr_interval of_ball(const thud_set *set, const thud_metric *metric, change c) {
  double low, high;
  expr_interval moved = length(metric, (size_t)set->n, c.by), grown = c.by[set->n];
  stretch(metric, &low, &high);
  double most = moved.high - grown.low * (grown.low > 0 ? low : high);
  double least = moved.low - grown.high * (grown.high > 0 ? high : low);
  bool exact = metric == NULL || (grown.low == 0 && grown.high == 0);
  return (expr_interval){exact ? positive(expr_down(least)) : 0, moved.high == 0 && grown.low >= 0 ? 0 : above(most)};
}

static expr_interval of_box(const thud_set *set, const thud_metric *metric, change c) {
  double sum_low = 0, sum_high = 0, low, high;
  size_t n = (size_t)set->n;
  bool diagonal = metric != NULL && thud_metric_is_diagonal(metric);
  stretch(diagonal ? NULL : metric, &low, &high);
  for (size_t i = 0; i < n; i++) {
    double m = diagonal ? thud_metric_entry(metric, (thud_index)i, (thud_index)i) : 1;
    double least = positive(fmax(c.by[i].low, -c.by[n + i].high));
    double most = positive(fmax(c.by[i].high, -c.by[n + i].low));
    sum_low += m * least * least;
    sum_high += m * most * most;
  }
  double slack = (double)(n + 8) * EXPR_ROUNDING;
  return (expr_interval){sqrt(sum_low) * low * (1 - slack), sqrt(sum_high) * high * (1 + slack)};
}

static expr_interval of_half_space(const thud_set *set, const thud_metric *metric, change c) {
  size_t n = (size_t)set->n;
  double low, high;
  if (moves(n, c.by)) return unbounded();
  expr_interval normal = euclidean(n, c.value), offset = c.by[n];
  stretch(metric, &low, &high);
  if (!(normal.low > 0)) return unknown();
  return (expr_interval){expr_down(positive(-offset.high) * low / normal.high),
                         above(above(positive(-offset.low) * high / normal.low))};
}

static expr_interval of_segment(const thud_set *set, const thud_metric *metric, change c) {
  size_t n = (size_t)set->n;
  return (expr_interval){0, fmax(length(metric, n, c.by).high, length(metric, n, c.by + n).high)};
}

/* ---- all of them ------------------------------------------------------------------------------------------------------------ */

static expr_interval excess_of(const thud_set *set, const thud_metric *metric, change c);

/* Infinity times 0 is 0: what does not move does not matter. */
static double product(double a, double b) { return a == 0 || b == 0 ? 0 : above(a * b); }

/* One operand whose excess is multiplied by `factor` and increased by `more`. */
static expr_interval of_operand(const thud_set *set, const thud_metric *metric, change c, double factor,
                                expr_interval more) {
  const thud_set *operand = set->children[0];
  expr_interval inner = excess_of(operand, metric, part(c, set->own_count));
  bool still = inner.high == 0, bounded = thud_set_get_abilities(operand).is_bounded;
  return (expr_interval){still && bounded ? more.low : 0, above(more.high + product(factor, inner.high))};
}

static expr_interval of_several(const thud_set *set, change c, const thud_metric *metric, bool squares) {
  double low, high, sum_low = 0, sum_high = 0;
  size_t used = set->own_count;
  stretch(squares ? metric : NULL, &low, &high);
  for (thud_index k = 0; k < set->child_count; used += set->children[k]->parameter_count, k++) {
    expr_interval inner = excess_of(set->children[k], squares ? NULL : metric, part(c, used));
    sum_low = squares ? sum_low + inner.low * inner.low : 0;
    sum_high += squares ? inner.high * inner.high : inner.high;
  }
  double slack = (double)(set->child_count + 6) * EXPR_ROUNDING;
  if (!squares) return (expr_interval){0, sum_high * (1 + slack)};
  return (expr_interval){sqrt(sum_low) * low * (1 - slack), sqrt(sum_high) * high * (1 + slack)};
}

static expr_interval of_image(const thud_set *set, const thud_metric *metric, change c) {
  double low, high, turned = euclidean(set->own_count, c.by).high, gain = euclidean(set->own_count, c.value).high;
  stretch(metric, &low, &high);
  const thud_set *operand = set->children[0];
  double inner = excess_of(operand, NULL, part(c, set->own_count)).high;
  double most = product(turned, turned > 0 ? size_of(operand, c.value + set->own_count) : 0) + product(gain, inner);
  return (expr_interval){0, above(above(most) * high)};
}

static expr_interval of_scaling(const thud_set *set, const thud_metric *metric, change c) {
  double low, high, by = expr_interval_size(c.by[0]);
  stretch(metric, &low, &high);
  double grown = product(by, by > 0 ? above(size_of(set->children[0], c.value + 1) * high) : 0);
  return of_operand(set, metric, c, expr_interval_size(c.value[0]), (expr_interval){0, grown});
}

static expr_interval excess_of(const thud_set *set, const thud_metric *metric, change c) {
  const thud_set_class *kind = set->kind;
  if (!moves(set->parameter_count, c.by)) return nothing();
  if (kind == &thud_class_ball) return of_ball(set, metric, c);
  if (kind == &thud_class_box) return of_box(set, metric, c);
  if (kind == &thud_class_half_space) return of_half_space(set, metric, c);
  if (kind == &thud_class_segment) return of_segment(set, metric, c);
  if (kind == &thud_class_translation) return of_operand(set, metric, c, 1, length(metric, (size_t)set->n, c.by));
  if (kind == &thud_class_scaling) return of_scaling(set, metric, c);
  if (kind == &thud_class_image) return of_image(set, metric, c);
  if (kind == &thud_class_sum) return of_several(set, c, metric, false);
  if (kind == &thud_class_product) return of_several(set, c, metric, true);
  bool ellipsoid = kind == &thud_class_ellipsoid, half_line = kind == &thud_class_half_line;
  size_t n = (size_t)set->n;
  if ((ellipsoid || half_line) && !moves(set->own_count - n, c.by + n)) {
    expr_interval moved = length(metric, n, c.by);
    return (expr_interval){ellipsoid ? moved.low : 0, moved.high};
  }
  bool cone = half_line || kind == &thud_class_coulomb || kind == &thud_class_coulomb_dual ||
              kind == &thud_class_gradients || kind == &thud_class_generators;
  bool turns = kind == &thud_class_affine && moves((size_t)set->m * (size_t)set->n, c.by);
  return cone || turns ? unbounded() : unknown();
}

expr_interval thud_set_excess(const thud_set *set, const thud_metric *metric, const expr_interval *value,
                              const expr_interval *by) {
  return excess_of(set, metric, (change){value, by});
}
