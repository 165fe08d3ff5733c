/* Half-lines and segments: { origin + s direction } with s in an interval; closed forms in every metric. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/set.h"

#include <math.h>

static bool line_work(const thud_set *set, size_t *count) { return thud_size_multiply((size_t)set->n, 2, count); }

/* s minimising |origin + s direction - x|_M, not yet limited; offset and image are [n] scratch. */
static double line_coordinate(const thud_metric_view *metric, const double *origin, const double *direction,
                              const double *x, double *offset, double *image) {
  thud_index n = metric->n;
  double scale = thud_vector_max(n, direction);
  for (thud_index i = 0; i < n; i++) {
    offset[i] = x[i] - (origin == NULL ? 0 : origin[i]);
    image[i] = direction[i] / scale;
  }
  thud_view_to_euclidean(metric, offset, offset);
  thud_view_to_euclidean(metric, image, image);
  double length = thud_vector_norm(n, image);
  for (thud_index i = 0; i < n; i++) image[i] /= length;
  return thud_vector_dot(n, image, offset) / length / scale;
}

static void line_lift_variable(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor,
                               const double *direction, double upper) {
  thud_expression s = thud_lift_add_variables(lift, 1);
  for (thud_index i = 0; i < set->n; i++) {
    thud_lift_row row = thud_lift_add_row(lift, set, i, true, factor == 0 ? 0 : factor * set->own[i]);
    thud_lift_add_term(lift, &row, 1, x, i);
    thud_lift_add_term(lift, &row, -direction[i], &s, 0);
  }
  thud_lift_row low = thud_lift_add_row(lift, set, set->n, false, 0);
  thud_lift_add_term(lift, &low, -1, &s, 0);
  if (!isfinite(upper)) return;
  thud_lift_row high = thud_lift_add_row(lift, set, set->n + 1, false, upper);
  thud_lift_add_term(lift, &high, 1, &s, 0);
}

/* ---- half-line --------------------------------------------------------------------------------------- */

static thud_set_abilities half_line_abilities(const thud_set *set) {
  (void)set;
  return (thud_set_abilities){.is_polyhedral = true};
}

static thud_error half_line_refresh(thud_set *set) {
  if (thud_vector_max(set->n, set->own + set->n) > 0) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_ARGUMENT,
                   "[bad-set] half-line: the direction is 0: give a non-zero direction");
}

static thud_error half_line_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                    thud_set_info *info) {
  (void)info;
  const double *origin = set->recession ? NULL : set->own, *direction = set->own + set->n;
  double s = fmax(0, line_coordinate(metric, origin, direction, x, set->work, set->work + set->n));
  for (thud_index i = 0; i < set->n; i++) y[i] = (origin == NULL ? 0 : origin[i]) + s * direction[i];
  return THUD_OK;
}

static thud_error half_line_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)info;
  thud_index n = set->n;
  const double *direction = set->own + n;
  double slope = 0, scale = thud_vector_norm(n, direction), size = thud_vector_norm(n, d);
  for (thud_index i = 0; i < n; i++) slope += direction[i] / scale * (d[i] / size);
  for (thud_index i = 0; i < n; i++) point[i] = set->recession ? 0 : set->own[i];
  *value = slope > THUD_RECESSION_TOLERANCE ? INFINITY : thud_vector_dot(n, d, point);
  return THUD_OK;
}

static void half_line_lift_size(const thud_set *set, thud_lift_size *size) {
  size->variables += 1;
  size->expression_rows += 1;
  size->equalities += (size_t)set->n;
  size->inequalities += 1;
}

static void half_line_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  line_lift_variable(set, lift, x, factor, set->own + set->n, INFINITY);
}

const thud_set_class thud_class_half_line = {
    .kind = "half-line",
    .parts = {{"origin", THUD_PART_N, false}, {"direction", THUD_PART_N, false}},
    .work_size = line_work,
    .refresh = half_line_refresh,
    .abilities = half_line_abilities,
    .project = half_line_project,
    .support = half_line_support,
    .lift_size = half_line_lift_size,
    .lift = half_line_lift,
};

thud_error thud_set_half_line(thud_context *context, thud_index n, const double *origin, const double *direction,
                              thud_set **set) {
  THUD_REQUIRE(context, context, origin, direction, set);
  thud_error error = thud_check_leaf(context, "half-line", n, 1, origin, direction, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, &thud_class_half_line, &(thud_set_shape){.n = n}, origin, direction, set);
}

/* ---- segment ----------------------------------------------------------------------------------------- */

/* Workspace: the difference second - first [n], then two scratch vectors. */
static bool segment_work(const thud_set *set, size_t *count) { return thud_size_multiply((size_t)set->n, 3, count); }

static thud_set_abilities segment_abilities(const thud_set *set) {
  (void)set;
  return (thud_set_abilities){.is_polyhedral = true, .is_bounded = true};
}

static thud_error segment_refresh(thud_set *set) {
  for (thud_index i = 0; i < set->n; i++) {
    set->work[i] = set->own[set->n + i] - set->own[i];
    if (!isfinite(set->work[i]))
      return thud_fail(set->context, THUD_ERROR_NOT_FINITE, "[bad-set] segment: second[%d] - first[%d] overflows",
                       (int)i, (int)i);
  }
  return THUD_OK;
}

/* From the nearer end, so that both ends are met exactly. */
static thud_error segment_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  (void)info;
  if (set->recession) return thud_project_to_origin(set, y);
  thud_index n = set->n;
  const double *first = set->own, *second = set->own + n, *direction = set->work;
  double s = 0;
  if (thud_vector_max(n, direction) > 0)
    s = fmin(fmax(line_coordinate(metric, first, direction, x, set->work + n, set->work + 2 * (size_t)n), 0), 1);
  for (thud_index i = 0; i < n; i++) y[i] = s <= 0.5 ? first[i] + s * direction[i] : second[i] - (1 - s) * direction[i];
  return THUD_OK;
}

static thud_error segment_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)info;
  const double *end = thud_vector_dot(set->n, d, set->work) > 0 ? set->own + set->n : set->own;
  for (thud_index i = 0; i < set->n; i++) point[i] = set->recession ? 0 : end[i];
  *value = thud_vector_dot(set->n, d, point);
  return THUD_OK;
}

static void segment_lift_size(const thud_set *set, thud_lift_size *size) {
  half_line_lift_size(set, size);
  size->inequalities += 1;
}

/* x = factor first + s (second - first), 0 <= s <= factor. */
static void segment_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  line_lift_variable(set, lift, x, factor, set->work, factor);
}

const thud_set_class thud_class_segment = {
    .kind = "segment",
    .parts = {{"first", THUD_PART_N, false}, {"second", THUD_PART_N, false}},
    .work_size = segment_work,
    .refresh = segment_refresh,
    .abilities = segment_abilities,
    .project = segment_project,
    .support = segment_support,
    .lift_size = segment_lift_size,
    .lift = segment_lift,
};

thud_error thud_set_segment(thud_context *context, thud_index n, const double *first, const double *second,
                            thud_set **set) {
  THUD_REQUIRE(context, context, first, second, set);
  thud_error error = thud_check_leaf(context, "segment", n, 1, first, second, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, &thud_class_segment, &(thud_set_shape){.n = n}, first, second, set);
}
