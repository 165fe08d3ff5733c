/* Polars { y : x.y <= 1 for all x of C }, 0 in C.
 *
 * Polyhedral C: linear programming duality on the lifted description turns sup <= 1 into rows.
 * Cones: Moreau's decomposition of Mx in the metric M^-1 gives  proj = x - M^-1 P_C(Mx), P_C in the metric M^-1.
 * Others: minimising |y - x|^2_M under support_C(y) <= 1, with the multiplier l: y = x - l M^-1 p, where
 * p = P_C(Mx / l) in the metric M^-1; then y is normal to C at p, support_C(y) = y.p, and y.p - 1 is a non-increasing
 * function of l, whose zero is bracketed. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/polyhedral.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* 0 counts as a point of the operand up to this distance, relative to the size of the operand's parameters. */
static const double origin_tolerance = 1e-12;
static const thud_index bracket_steps = 400;
/* The ray of a gauge is at the boundary when it is this close to the set, relative to its length (Newton's next step
 * would change it by the square of this). */
static const double cut_tolerance = 1e-9;
/* A ray that is inside beyond this many lengths of the operand never leaves it. */
static const double escape_radius = 1e8;
/* Length of the normals of a gauge beside the boundary point. */
static const double normal_length = 1e-3;

static thud_set *operand_of(const thud_set *set) { return set->children[0]; }

static thud_set_abilities polar_abilities(const thud_set *set) {
  thud_set_abilities abilities = thud_set_get_abilities(operand_of(set));
  abilities.is_bounded = false;
  if (abilities.is_polyhedral) {
    abilities.projection = abilities.projection_diagonal = abilities.projection_metric = THUD_EXACT;
    abilities.support = THUD_EXACT;
  } else if (abilities.is_cone) {
    abilities.support = abilities.projection;
  } else {
    thud_exactness inner = abilities.support;
    abilities.projection = thud_worse(abilities.projection, inner);
    abilities.projection_diagonal = thud_worse(abilities.projection_diagonal, inner);
    abilities.projection_metric = thud_worse(abilities.projection_metric, inner);
    abilities.support = THUD_ITERATIVE;
  }
  return abilities;
}

/* Workspace: four vectors, then the inverse metric and its factor. */
static bool polar_work(const thud_set *set, size_t *count) {
  size_t n = (size_t)set->n;
  return thud_size_multiply(2 * n + 4, n, count);
}

static thud_error polar_prepare(thud_set *set) {
  if (!thud_set_get_abilities(operand_of(set)).is_polyhedral) return THUD_OK;
  thud_error error = thud_lift_create(operand_of(set), &set->operand_lift);
  return error != THUD_OK ? error : thud_polyhedral_create(set);
}

static double parameter_scale(const thud_set *set) {
  double scale = 0;
  for (size_t i = 0; i < set->own_count; i++)
    if (isfinite(set->own[i])) scale = fmax(scale, fabs(set->own[i]));
  for (thud_index c = 0; c < set->child_count; c++) scale = fmax(scale, parameter_scale(set->children[c]));
  return scale;
}

static thud_error check_origin(thud_set *set) {
  thud_set *operand = operand_of(set);
  double *zero = set->work, *nearest = set->work + set->n;
  thud_metric_view euclidean = thud_view_euclidean(set->n);
  thud_set_info found;
  memset(zero, 0, (size_t)set->n * sizeof *zero);
  thud_error error = thud_set_project_view(operand, &euclidean, zero, nearest, &found);
  if (error != THUD_OK) return error;
  double away = thud_vector_norm(set->n, nearest);
  if (away <= origin_tolerance * parameter_scale(operand) + found.gap) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_ARGUMENT,
                   "[bad-set] polar: the operand (%s) does not contain 0, it is %g away: translate it first",
                   operand->kind->kind, away);
}

static thud_error polar_refresh(thud_set *set) {
  thud_set_abilities abilities = thud_set_get_abilities(operand_of(set));
  if (!abilities.is_cone) {
    thud_error error = check_origin(set);
    if (error != THUD_OK) return error;
    if (set->recession && !abilities.is_polyhedral)
      return thud_fail(
          set->context, THUD_ERROR_UNSUPPORTED,
          "[bad-set] scaling: factor 0 asks for the recession cone of the polar of a %s, which is not available",
          operand_of(set)->kind->kind);
  }
  if (set->polyhedral == NULL) return THUD_OK;
  thud_lift_build(set->operand_lift, operand_of(set));
  return thud_polyhedral_refresh(set);
}

/* ---- lifted description ------------------------------------------------------------------------------ */

static void polar_lift_size(const thud_set *set, thud_lift_size *size) {
  const thud_lift *inner = set->operand_lift;
  size->variables += (size_t)inner->rows_max;
  size->expression_rows += (size_t)inner->rows_max;
  size->equalities += (size_t)inner->N;
  size->inequalities += (size_t)inner->rows_max + 1;
}

/* With C = { x : A(x, u) <= b }: y in factor C° iff A'l = (y, 0), b.l <= factor for some l, l >= 0 on inequalities. */
static void polar_lift(const thud_set *set, thud_lift *lift, const thud_expression *y, double factor) {
  const thud_lift *inner = set->operand_lift;
  thud_expression l = thud_lift_add_variables(lift, inner->rows_max);
  for (thud_index j = 0; j < inner->N; j++) {
    thud_lift_row row = thud_lift_add_row(lift, set, j, true, 0);
    for (thud_index i = 0; i < inner->rows; i++)
      thud_lift_add_term(lift, &row, inner->A[(size_t)i * (size_t)inner->N + (size_t)j], &l, i);
    if (j < inner->n) thud_lift_add_term(lift, &row, -1, y, j);
  }
  thud_lift_row value = thud_lift_add_row(lift, set, inner->N, false, factor);
  for (thud_index i = 0; i < inner->rows; i++) thud_lift_add_term(lift, &value, inner->b[i], &l, i);
  for (thud_index i = inner->equalities; i < inner->rows; i++) {
    thud_lift_row sign = thud_lift_add_row(lift, set, inner->N + 1 + i, false, 0);
    thud_lift_add_term(lift, &sign, -1, &l, i);
  }
}

/* ---- projection -------------------------------------------------------------------------------------- */

/* Everything one evaluation of y(l) needs. */
typedef struct polar_path {
  thud_set *set;
  const thud_metric_view *metric;
  thud_metric_view inverse;
  const double *x, *Mx; /* [n] */
  double *scaled, *p;   /* [n] Mx / l and its projection */
  double *y;            /* [n] */
  double excess;        /* y.p - 1 */
} polar_path;

static thud_error follow_path(polar_path *path, double l, thud_set_info *info) {
  thud_index n = path->set->n;
  thud_set_info found;
  for (thud_index i = 0; i < n; i++) path->scaled[i] = path->Mx[i] / l;
  thud_error error = thud_set_project_view(operand_of(path->set), &path->inverse, path->scaled, path->p, &found);
  if (error != THUD_OK) return error;
  thud_info_join(info, &found);
  info->gap = l * found.gap;
  /* y = l M^-1 (Mx/l - p): the difference is formed where it is small. */
  for (thud_index i = 0; i < n; i++) path->scaled[i] -= path->p[i];
  thud_view_solve(path->metric, path->scaled, path->y);
  for (thud_index i = 0; i < n; i++) path->y[i] *= l;
  path->excess = thud_vector_dot(n, path->y, path->p) - 1;
  return THUD_OK;
}

/* Zero of the excess: doubling to a bracket, then the Illinois form of the secant rule on log l. */
static thud_error find_multiplier(polar_path *path, double l, thud_set_info *info) {
  double low = 0, high = INFINITY, at_low = 0, at_high = 0;
  int last = 0;
  for (thud_index step = 0; step < bracket_steps; step++) {
    thud_error error = follow_path(path, l, info);
    if (error != THUD_OK) return error;
    if (fabs(path->excess) <= 2 * DBL_EPSILON) return THUD_OK;
    if (path->excess > 0) {
      low = l;
      at_low = path->excess;
      if (last == 1) at_high /= 2;
      last = 1;
    } else {
      high = l;
      at_high = path->excess;
      if (last == -1) at_low /= 2;
      last = -1;
    }
    if (low == 0) {
      /* y = x to rounding: x lies on the boundary. */
      if (l * thud_vector_max(path->set->n, path->p) <= DBL_EPSILON * thud_vector_max(path->set->n, path->Mx))
        return THUD_OK;
      l = high / 8;
    } else if (isinf(high)) {
      l = low * 8;
    } else if (high - low <= 2 * DBL_EPSILON * high) {
      return THUD_OK;
    } else {
      double slope = (at_high - at_low) / log(high / low), next = low * exp(-at_low / slope);
      l = next > low && next < high ? next : low + 0.5 * (high - low);
    }
  }
  info->converged = false;
  info->gap = INFINITY;
  return THUD_OK;
}

static thud_error project_general(thud_set *set, polar_path *path, thud_set_info *info) {
  double value;
  thud_index n = set->n;
  thud_error error = thud_set_support_inside(operand_of(set), path->x, &value, path->p, info);
  if (error != THUD_OK) return error;
  if (value <= 1) {
    memcpy(path->y, path->x, (size_t)n * sizeof *path->y);
    return THUD_OK;
  }
  /* First guess: with p the maximiser for x, y.p = 1 needs l = (value - 1)/|p|^2 in the inverse metric; smaller l than
   * the rounding of x would not show. */
  double guess = 1;
  if (isfinite(value)) {
    double size = thud_vector_max(n, path->p);
    double square = thud_view_norm(&path->inverse, path->p, path->scaled);
    guess = fmax((value - 1) / (square * square), DBL_EPSILON * thud_vector_max(n, path->Mx) / size);
  }
  error = find_multiplier(path, guess, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < n; i++) path->y[i] /= fmax(1, 1 + path->excess);
  return THUD_OK;
}

static thud_error polar_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_project(set, metric, x, y, info);
  thud_index n = set->n;
  double *Mx = set->work;
  polar_path path = {.set = set, .metric = metric, .x = x, .Mx = Mx, .scaled = Mx + n, .p = Mx + 2 * (size_t)n, .y = y};
  thud_error error = thud_view_inverse(set->context, metric, Mx + 4 * (size_t)n, &path.inverse);
  if (error != THUD_OK) return error;
  thud_view_apply(metric, x, Mx);
  if (!thud_set_get_abilities(operand_of(set)).is_cone) return project_general(set, &path, info);
  error = thud_set_project_view(operand_of(set), &path.inverse, Mx, path.p, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < n; i++) Mx[i] -= path.p[i];
  bool inside = thud_vector_max(n, path.p) == 0;
  thud_view_solve(metric, Mx, y);
  if (inside) memcpy(y, x, (size_t)n * sizeof *y);
  return THUD_OK;
}

/* ---- support: the gauge of C ------------------------------------------------------------------------- */

/* 0 or oo: d in K or not. */
static thud_error support_of_cone(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  double *nearest = set->work;
  thud_metric_view euclidean = thud_view_euclidean(set->n);
  thud_error error = thud_set_project_view(operand_of(set), &euclidean, d, nearest, info);
  if (error != THUD_OK) return error;
  double away = thud_vector_distance(set->n, d, nearest);
  *value = away <= THUD_RECESSION_TOLERANCE * thud_vector_norm(set->n, d) + info->gap ? 0 : INFINITY;
  info->gap = 0;
  return thud_project_to_origin(set, point);
}

/* The nearest point q[n] of s d in the operand; *away the distance. */
static thud_error approach(thud_set *set, const double *x, double *q, double *away, thud_set_info *info) {
  thud_metric_view euclidean = thud_view_euclidean(set->n);
  thud_set_info found;
  thud_error error = thud_set_project_view(operand_of(set), &euclidean, x, q, &found);
  if (error != THUD_OK) return error;
  info->iterations += 1 + found.iterations;
  *away = thud_vector_distance(set->n, x, q);
  return THUD_OK;
}

/* Where the ray s d, s > 0, leaves C: Newton's method on the convex function dist(s d, C) from the right. Each step's
 * hyperplane w.z <= w.q, q the nearest point of s d and w = s d - q, meets the ray at s = w.q/w.d. *s becomes 0 when
 * the ray leaves C at once, INFINITY when it never does. w[n]: the normal of the last
 * hyperplane; x[n], q[n]: scratch. */
static thud_error leave_along_ray(thud_set *set, const double *d, double *x, double *q, double *s, double *w,
                                  thud_set_info *info) {
  thud_index n = set->n;
  double norm = thud_vector_norm(n, d), best = INFINITY;
  *s = 1 / norm;
  for (thud_index step = 0; step < bracket_steps; step++) {
    double away;
    for (thud_index i = 0; i < n; i++) x[i] = *s * d[i];
    thud_error error = approach(set, x, q, &away, info);
    if (error != THUD_OK) return error;
    if (away <= cut_tolerance * (*s * norm)) {
      if (isfinite(best)) return THUD_OK;
      *s *= 8;
      if (*s * norm > escape_radius * fmax(1, parameter_scale(set))) *s = INFINITY;
      if (isinf(*s)) return THUD_OK;
      continue;
    }
    for (thud_index i = 0; i < n; i++) w[i] = x[i] - q[i];
    double wq = thud_vector_dot(n, w, q), wd = thud_vector_dot(n, w, d);
    best = wq > 0 ? wq / wd : 0;
    if (best * norm <= fmax(1, parameter_scale(set)) / (escape_radius * escape_radius)) best = 0;
    if (best == 0 || best >= *s) {
      *s = fmin(best, *s);
      return THUD_OK;
    }
    *s = best;
  }
  info->converged = false;
  return THUD_OK;
}

/* Turns w into a normal of C at the boundary point e: solves P_C(e + w) = e by w <- w + e - P_C(e + w), which contracts
 * the faster the shorter w is beside the radius of curvature. q[n], x[n]: scratch. */
static thud_error sharpen_normal(thud_set *set, const double *e, double *w, double *x, double *q, double *defect,
                                 thud_set_info *info) {
  thud_index n = set->n;
  double size = thud_vector_norm(n, e), scale = normal_length * size / thud_vector_norm(n, w);
  for (thud_index i = 0; i < n; i++) w[i] *= scale;
  *defect = size;
  for (thud_index step = 0; step < bracket_steps; step++) {
    double away;
    for (thud_index i = 0; i < n; i++) x[i] = e[i] + w[i];
    thud_error error = approach(set, x, q, &away, info);
    if (error != THUD_OK) return error;
    double off = thud_vector_distance(n, q, e);
    if (off >= *defect) return THUD_OK;
    *defect = off;
    if (off <= 2 * DBL_EPSILON * size) return THUD_OK;
    for (thud_index i = 0; i < n; i++) w[i] += e[i] - q[i];
  }
  return THUD_OK;
}

/* gauge(d) = 1/s with s d the exit point e; the maximiser is the normal w there, scaled to w.e = 1. */
static thud_error support_of_body(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  thud_index n = set->n;
  double *e = set->work, *q = e + n, *x = e + 2 * (size_t)n, *w = e + 3 * (size_t)n, s, defect = 0;
  info->exactness = THUD_ITERATIVE;
  thud_error error = leave_along_ray(set, d, x, q, &s, w, info);
  if (error != THUD_OK) return error;
  if (s == 0 || isinf(s)) {
    *value = s == 0 ? INFINITY : 0;
    return thud_project_to_origin(set, point);
  }
  for (thud_index i = 0; i < n; i++) e[i] = s * d[i];
  error = sharpen_normal(set, e, w, x, q, &defect, info);
  if (error != THUD_OK) return error;
  double product = thud_vector_dot(n, w, e);
  for (thud_index i = 0; i < n; i++) point[i] = w[i] / product;
  *value = 1 / s;
  /* The normal is as good as the defect and the rounding of boundary points allow, beside its length. */
  double rounding = 8 * DBL_EPSILON * fmax(parameter_scale(set), thud_vector_norm(n, e));
  info->gap = *value * ((defect + rounding) / thud_vector_norm(n, w) + cut_tolerance * cut_tolerance);
  return THUD_OK;
}

static thud_error polar_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  if (set->polyhedral != NULL) return thud_polyhedral_support(set, d, value, point, info);
  if (thud_set_get_abilities(operand_of(set)).is_cone) return support_of_cone(set, d, value, point, info);
  return support_of_body(set, d, value, point, info);
}

const thud_set_class thud_class_polar = {
    .kind = "polar",
    .work_size = polar_work,
    .prepare = polar_prepare,
    .refresh = polar_refresh,
    .abilities = polar_abilities,
    .project = polar_project,
    .support = polar_support,
    .lift_size = polar_lift_size,
    .lift = polar_lift,
};

thud_error thud_set_polar(thud_context *context, thud_set *operand, thud_set **set) {
  THUD_REQUIRE(context, context, operand, set);
  thud_error error = thud_check_operands(context, "polar", 1, &operand, set);
  if (error != THUD_OK) return error;
  thud_set_shape shape = {.n = operand->n, .child_count = 1, .children = &operand};
  return thud_set_make_from(context, &thud_class_polar, &shape, NULL, NULL, set);
}
