/* Half-spaces and boxes. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"
#include "convex/set.h"

#include <math.h>
#include <string.h>

/* ---- half-space { a.x <= b } ------------------------------------------------------------------------- */

static thud_set_abilities half_space_abilities(const thud_set *set) {
  (void)set;
  return (thud_set_abilities){.is_polyhedral = true};
}

static bool half_space_work(const thud_set *set, size_t *count) {
  *count = (size_t)set->n;
  return true;
}

static thud_error half_space_refresh(thud_set *set) {
  if (thud_vector_max(set->n, set->own) > 0) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_ARGUMENT, "[bad-set] half-space: the normal is 0: give a non-zero normal");
}

static double half_space_offset(const thud_set *set) { return set->recession ? 0 : set->own[set->n]; }

/* y = x - M^-1 a (a.x - b)+ / |a|^2 in the dual metric. With a scaled to max |a_i| = 1 nothing overflows. */
static thud_error half_space_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                     thud_set_info *info) {
  (void)info;
  thud_index n = set->n;
  const double *a = set->own;
  double scale = thud_vector_max(n, a), excess = -half_space_offset(set) / scale, *direction = set->work;
  for (thud_index i = 0; i < n; i++) {
    excess += a[i] / scale * x[i];
    direction[i] = a[i] / scale;
  }
  thud_view_solve(metric, direction, direction);
  double square = 0;
  for (thud_index i = 0; i < n; i++) square += a[i] / scale * direction[i];
  double step = excess > 0 ? excess / square : 0;
  for (thud_index i = 0; i < n; i++) y[i] = x[i] - step * direction[i];
  return THUD_OK;
}

/* Finite only along the normal itself: d = s a, s > 0. */
static thud_error half_space_support(thud_set *set, const double *d, double *value, double *point,
                                     thud_set_info *info) {
  (void)info;
  thud_index n = set->n;
  const double *a = set->own;
  double norm_a = thud_vector_norm(n, a), norm_d = thud_vector_norm(n, d), off = 0;
  for (thud_index i = 0; i < n; i++) off = fmax(off, fabs(d[i] / norm_d - a[i] / norm_a));
  if (off > THUD_RECESSION_TOLERANCE) {
    *value = INFINITY;
    return THUD_OK;
  }
  double offset = half_space_offset(set) / norm_a;
  *value = norm_d * offset;
  for (thud_index i = 0; i < n; i++) point[i] = offset * (a[i] / norm_a);
  return THUD_OK;
}

static void half_space_lift_size(const thud_set *set, thud_lift_size *size) {
  (void)set;
  size->inequalities += 1;
}

static void half_space_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  thud_lift_row row = thud_lift_add_row(lift, set, 0, false, factor == 0 ? 0 : factor * set->own[set->n]);
  thud_lift_add_terms(lift, &row, set->own, x);
}

const thud_set_class thud_class_half_space = {
    .kind = "half-space",
    .parts = {{"normal", THUD_PART_N, false}, {"offset", THUD_PART_ONE, false}},
    .work_size = half_space_work,
    .refresh = half_space_refresh,
    .abilities = half_space_abilities,
    .project = half_space_project,
    .support = half_space_support,
    .lift_size = half_space_lift_size,
    .lift = half_space_lift,
};

thud_error thud_set_half_space(thud_context *context, thud_index n, const double *normal, double offset,
                               thud_set **set) {
  THUD_REQUIRE(context, context, normal, set);
  thud_error error = thud_check_leaf(context, "half-space", n, 1, normal, normal, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, &thud_class_half_space, &(thud_set_shape){.n = n}, normal, &offset, set);
}

/* ---- box --------------------------------------------------------------------------------------------- */

static thud_set_abilities box_abilities(const thud_set *set) {
  bool bounded = true;
  for (thud_index i = 0; i < 2 * set->n; i++) bounded = bounded && isfinite(set->own[i]);
  return (thud_set_abilities){.is_polyhedral = true, .is_bounded = bounded};
}

static thud_error box_refresh(thud_set *set) {
  const double *lower = set->own, *upper = set->own + set->n;
  for (thud_index i = 0; i < set->n; i++) {
    if (lower[i] > upper[i])
      return thud_fail(set->context, THUD_ERROR_EMPTY_SET,
                       "box: lower[%d] = %g is above upper[%d] = %g: the set is empty", (int)i, lower[i], (int)i,
                       upper[i]);
    if (lower[i] == INFINITY || upper[i] == -INFINITY)
      return thud_fail(set->context, THUD_ERROR_EMPTY_SET, "box: %s[%d] is %g: the set is empty",
                       lower[i] == INFINITY ? "lower" : "upper", (int)i, lower[i] == INFINITY ? lower[i] : upper[i]);
  }
  return set->polyhedral != NULL ? thud_polyhedral_refresh(set) : THUD_OK;
}

/* Bound i as the present mode sees it: in the recession cone finite bounds become 0. */
static double box_bound(const thud_set *set, thud_index i) {
  return set->recession && isfinite(set->own[i]) ? 0 : set->own[i];
}

static thud_error box_prepare(thud_set *set) { return set->n > 1 ? thud_polyhedral_create(set) : THUD_OK; }

static thud_error box_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                              thud_set_info *info) {
  if (set->n > 1 && !thud_view_is_diagonal(metric)) return thud_polyhedral_project(set, metric, x, y, info);
  for (thud_index i = 0; i < set->n; i++) y[i] = fmin(fmax(x[i], box_bound(set, i)), box_bound(set, set->n + i));
  return THUD_OK;
}

static thud_error box_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)info;
  double sum = 0;
  for (thud_index i = 0; i < set->n; i++) {
    double lower = box_bound(set, i), upper = box_bound(set, set->n + i);
    point[i] = d[i] > 0 ? upper : d[i] < 0 ? lower : fmin(fmax(0, lower), upper);
    if (d[i] != 0) sum += d[i] * point[i];
  }
  *value = sum;
  return THUD_OK;
}

static void box_lift_size(const thud_set *set, thud_lift_size *size) { size->inequalities += 2 * (size_t)set->n; }

/* Infinite bounds give no row. */
static void box_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  for (thud_index k = 0; k < 2 * set->n; k++) {
    double sign = k < set->n ? -1 : 1, bound = set->own[k];
    if (!isfinite(bound)) continue;
    thud_lift_row row = thud_lift_add_row(lift, set, k, false, sign * factor * bound);
    thud_lift_add_term(lift, &row, sign, x, k % set->n);
  }
}

const thud_set_class thud_class_box = {
    .kind = "box",
    .parts = {{"lower", THUD_PART_N, true}, {"upper", THUD_PART_N, true}},
    .prepare = box_prepare,
    .refresh = box_refresh,
    .abilities = box_abilities,
    .project = box_project,
    .support = box_support,
    .lift_size = box_lift_size,
    .lift = box_lift,
};

thud_error thud_set_box(thud_context *context, thud_index n, const double *lower, const double *upper, thud_set **set) {
  THUD_REQUIRE(context, context, lower, upper, set);
  thud_error error = thud_check_leaf(context, "box", n, 1, lower, upper, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, &thud_class_box, &(thud_set_shape){.n = n}, lower, upper, set);
}

thud_error thud_set_interval(thud_context *context, double lower, double upper, thud_set **set) {
  THUD_REQUIRE(context, context, set);
  return thud_set_box(context, 1, &lower, &upper, set);
}
