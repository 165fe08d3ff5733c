/* Balls and ellipsoids { (x - c)'Q(x - c) <= r^2 }.
 *
 * Projection in the metric M: with s = y - c and a = x - c outside, (M + l Q) s = M a and s'Qs = r^2 for one l > 0.
 * h(l) = 1/|s(l)|_Q is increasing and concave (Conn, Gould, Toint, Trust-Region Methods, 7.3.3), so that Newton's
 * method for h(l) = 1/r started at l = 0, where h < 1/r, grows monotonically to the root. M is positive definite and
 * l >= 0: the "hard case" of trust regions cannot happen. a and r are divided by |a| first: nothing overflows. */
#include "base/base.h"
#include "convex/quadric.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Newton's steps of the secular equation: monotone and at last quadratic, a handful in practice. */
static const thud_index secular_steps = 200;

static thud_set_abilities ball_abilities(const thud_set *set) {
  (void)set;
  return (thud_set_abilities){.is_bounded = true};
}

/* |s|_Q; Rs receives R's. */
static double quadric_norm(const thud_quadric *set, const double *s, double *Rs) {
  thud_index n = set->n;
  for (thud_index i = 0; i < n; i++) {
    Rs[i] = set->Q == NULL ? s[i] : 0;
    for (thud_index j = i; set->Q != NULL && j < n; j++) Rs[i] += set->R[(size_t)i * (size_t)n + (size_t)j] * s[j];
  }
  return thud_vector_norm(n, Rs);
}

/* Qs from R's: R (R's). */
static void quadric_gradient(const thud_quadric *set, const double *Rs, double *Qs) {
  thud_index n = set->n;
  for (thud_index i = 0; i < n; i++) {
    Qs[i] = set->Q == NULL ? Rs[i] : 0;
    for (thud_index j = 0; set->Q != NULL && j <= i; j++) Qs[i] += set->R[(size_t)j * (size_t)n + (size_t)i] * Rs[j];
  }
}

/* H = M + l Q as a view: diagonal when both are, else factorised in work[2*n*n]. */
static thud_error shifted_metric(thud_context *context, const thud_quadric *set, const thud_metric_view *metric,
                                 double l, double *work, thud_metric_view *shifted) {
  thud_index n = set->n;
  size_t size = (size_t)n * (size_t)n;
  if (set->Q == NULL && thud_view_is_diagonal(metric)) {
    for (thud_index i = 0; i < n; i++) work[i] = thud_view_entry(metric, i, i) + l;
    *shifted = thud_view_of_diagonal(n, work);
    return THUD_OK;
  }
  thud_view_copy(metric, work);
  for (size_t k = 0; set->Q != NULL && k < size; k++) work[k] += l * set->Q[k];
  for (thud_index i = 0; set->Q == NULL && i < n; i++) work[(size_t)i * (size_t)(n + 1)] += l;
  return thud_view_of_matrix(context, n, work, work + size, shifted);
}

thud_error thud_quadric_secular(thud_context *context, const thud_quadric *set, const thud_metric_view *metric,
                                const double *right, double r, double *work, double *s, double *multiplier,
                                thud_set_info *info) {
  thud_index n = set->n;
  double *Rs = work, *Qs = work + n, *matrix = work + 2 * (size_t)n, l = 0, norm = 0, before = INFINITY;
  bool done = false;
  for (thud_index k = 0; k < secular_steps && !done; k++) {
    thud_metric_view shifted;
    thud_error error = shifted_metric(context, set, metric, l, matrix, &shifted);
    if (error != THUD_OK) return error;
    thud_view_solve(&shifted, right, s);
    norm = quadric_norm(set, s, Rs);
    *multiplier = l;
    info->iterations++;
    if (norm <= r * (1 + 4 * DBL_EPSILON)) return THUD_OK;
    quadric_gradient(set, Rs, Qs);
    thud_view_covector(&shifted, Qs, Qs);
    double slope = thud_vector_norm(n, Qs) / norm; /* h' = slope^2 / norm */
    double next = l + (norm / r - 1) / (slope * slope);
    done = !(next > l) || norm >= before; /* |s|_Q falls with every step until rounding stops it */
    before = norm;
    l = next;
  }
  if (!done) {
    info->converged = false;
    info->gap = INFINITY;
  }
  for (thud_index i = 0; i < n; i++) s[i] *= r / norm;
  return THUD_OK;
}

/* Shared projection: centre c, radius r. Workspace: offset[n], then that of the secular equation. */
static thud_error quadric_project(thud_set *node, const thud_quadric *set, double r, const thud_metric_view *metric,
                                  const double *x, double *y, thud_set_info *info) {
  thud_index n = node->n;
  const double *c = node->own;
  double *offset = node->work, *work = node->work + n;
  for (thud_index i = 0; i < n; i++) offset[i] = x[i] - c[i];
  double outside = quadric_norm(set, offset, work), length = thud_vector_max(n, offset);
  if (outside <= r || r == 0) {
    memcpy(y, r == 0 ? c : x, (size_t)n * sizeof *y);
    return THUD_OK;
  }
  if (set->Q == NULL && thud_view_is_euclidean(metric)) {
    for (thud_index i = 0; i < n; i++) y[i] = c[i] + offset[i] / outside * r;
    return THUD_OK;
  }
  for (thud_index i = 0; i < n; i++) offset[i] /= length;
  thud_view_apply(metric, offset, offset);
  double multiplier;
  thud_error error = thud_quadric_secular(node->context, set, metric, offset, r / length, work, y, &multiplier, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < n; i++) y[i] = c[i] + length * y[i];
  return THUD_OK;
}

/* ---- ball -------------------------------------------------------------------------------------------- */

static bool ball_work(const thud_set *set, size_t *count) {
  size_t n = (size_t)set->n;
  return thud_size_multiply(2 * n + 3, n, count);
}

static thud_error ball_refresh(thud_set *set) {
  if (set->own[set->n] >= 0) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_EMPTY_SET, "ball: radius is %g: the set is empty; use a radius >= 0",
                   set->own[set->n]);
}

static thud_error ball_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                               thud_set_info *info) {
  if (set->recession) return thud_project_to_origin(set, y);
  return quadric_project(set, &(thud_quadric){.n = set->n}, set->own[set->n], metric, x, y, info);
}

static thud_error ball_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)info;
  double norm = thud_vector_norm(set->n, d), r = set->own[set->n];
  for (thud_index i = 0; i < set->n; i++) point[i] = set->recession ? 0 : set->own[i] + r * (d[i] / norm);
  *value = set->recession ? 0 : thud_vector_dot(set->n, d, set->own) + r * norm;
  return THUD_OK;
}

const thud_set_class thud_class_ball = {
    .kind = "ball",
    .parts = {{"centre", THUD_PART_N, false}, {"radius", THUD_PART_ONE, false}},
    .work_size = ball_work,
    .refresh = ball_refresh,
    .abilities = ball_abilities,
    .project = ball_project,
    .support = ball_support,
};

thud_error thud_set_ball(thud_context *context, thud_index n, const double *centre, double radius, thud_set **set) {
  THUD_REQUIRE(context, context, centre, set);
  thud_error error = thud_check_leaf(context, "ball", n, 1, centre, centre, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, &thud_class_ball, &(thud_set_shape){.n = n}, centre, &radius, set);
}

/* ---- ellipsoid --------------------------------------------------------------------------------------- */

/* Workspace: that of the ball, then the factor R[n*n] of Q. */
static size_t ellipsoid_factor(const thud_set *set) { return (2 * (size_t)set->n + 3) * (size_t)set->n; }

static bool ellipsoid_work(const thud_set *set, size_t *count) {
  size_t n = (size_t)set->n;
  return thud_size_multiply(3 * n + 3, n, count);
}

static thud_error ellipsoid_refresh(thud_set *set) {
  thud_index n = set->n, failed = 0;
  const double *Q = set->own + n;
  double *R = set->work + ellipsoid_factor(set), largest = thud_vector_max(n * n, Q);
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < j; i++)
      if (fabs(Q[i * n + j] - Q[j * n + i]) > 1e-12 * largest)
        return thud_fail(set->context, THUD_ERROR_NOT_SPD,
                         "ellipsoid: Q is not symmetric: Q(%d,%d) = %g, Q(%d,%d) = %g", (int)i, (int)j, Q[j * n + i],
                         (int)j, (int)i, Q[i * n + j]);
  memcpy(R, Q, (size_t)n * (size_t)n * sizeof *R);
  if (thud_dense_cholesky(set->context, n, R, &failed) == THUD_OK) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_NOT_SPD,
                   "ellipsoid: Q is not positive definite: its pivot %d is not positive; Q must be symmetric positive "
                   "definite",
                   (int)failed);
}

static thud_quadric ellipsoid_quadric(const thud_set *set) {
  return (thud_quadric){set->n, set->own + set->n, set->work + ellipsoid_factor(set)};
}

static thud_error ellipsoid_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                    thud_set_info *info) {
  if (set->recession) return thud_project_to_origin(set, y);
  thud_quadric q = ellipsoid_quadric(set);
  return quadric_project(set, &q, 1, metric, x, y, info);
}

/* sup d.x = d.c + |R^-1 d|, at c + Q^-1 d / |R^-1 d|. */
static thud_error ellipsoid_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)info;
  thud_index n = set->n;
  thud_quadric q = ellipsoid_quadric(set);
  if (set->recession) {
    *value = 0;
    return thud_project_to_origin(set, point);
  }
  memcpy(point, d, (size_t)n * sizeof *d);
  thud_dense_solve_lower(n, q.R, false, point);
  double norm = thud_vector_norm(n, point);
  for (thud_index i = 0; i < n; i++) point[i] /= norm;
  thud_dense_solve_lower(n, q.R, true, point);
  for (thud_index i = 0; i < n; i++) point[i] += set->own[i];
  *value = thud_vector_dot(n, d, set->own) + norm;
  return THUD_OK;
}

const thud_set_class thud_class_ellipsoid = {
    .kind = "ellipsoid",
    .parts = {{"centre", THUD_PART_N, false}, {"Q", THUD_PART_NN, false}},
    .work_size = ellipsoid_work,
    .refresh = ellipsoid_refresh,
    .abilities = ball_abilities,
    .project = ellipsoid_project,
    .support = ellipsoid_support,
};

thud_error thud_set_ellipsoid(thud_context *context, thud_index n, const double *centre, const double *Q,
                              thud_set **set) {
  THUD_REQUIRE(context, context, centre, Q, set);
  thud_error error = thud_check_leaf(context, "ellipsoid", n, 1, centre, Q, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, &thud_class_ellipsoid, &(thud_set_shape){.n = n}, centre, Q, set);
}
