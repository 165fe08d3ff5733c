/* Coulomb's cone and its dual, both as K = { a |x_T| <= c x_N, x_N >= 0 }: (a, c) = (1, mu), or (mu, 1) for the dual.
 *
 * Projection in the metric M, b = Mx: x itself when in K; 0 when b is in the polar cone (c |b_T| <= -a b_N); else a
 * point y = (1, z)/k of the boundary, |z| = ratio = c/a, k > 0. With the multiplier l of |z|^2 = ratio^2
 *   (M_TT + l I) z = k b_T - M_TN,   E(k) = M_NN + M_NT z - ratio^2 l - k b_N = 0.
 * For given k the first line is the secular equation of a ball (quadric.h). E(k) has the sign of the derivative, at
 * y_N = 1/k, of the convex function min { |y - x|^2_M : y in K, y_N given }, so that it has exactly one zero, positive
 * on its left and negative on its right: Newton's method inside a shrinking bracket. */
#include "base/base.h"
#include "convex/lift.h"
#include "convex/quadric.h"

#include <float.h>
#include <math.h>
#include <string.h>

static const thud_index bracket_steps = 300;
/* x has length 1 when k is sought: beyond this k the point is the apex, and only rounding put b out of the polar. */
static const double apex = 1e30;

typedef struct aperture {
  double a, c;
} aperture;

static aperture coulomb_aperture(const thud_set *set) {
  double mu = set->own[0];
  return set->kind == &thud_class_coulomb ? (aperture){1, mu} : (aperture){mu, 1};
}

static thud_set_abilities coulomb_abilities(const thud_set *set) {
  return (thud_set_abilities){.is_cone = true, .is_polyhedral = set->n == 2};
}

static thud_error coulomb_refresh(thud_set *set) {
  if (set->own[0] >= 0) return THUD_OK;
  return thud_fail(set->context, THUD_ERROR_ARGUMENT, "[bad-set] %s: mu is %g: a friction coefficient must be >= 0",
                   set->kind->kind, set->own[0]);
}

/* Workspace: b[n], right[t], z[t], v[t], w[t], block of M_TT [2tt], secular [2tt + 2t], t = n - 1. */
static bool coulomb_work(const thud_set *set, size_t *count) {
  size_t t = (size_t)set->n - 1;
  if (!thud_size_multiply(4, t, count) || !thud_size_multiply(*count, t, count)) return false;
  return thud_size_add(*count, 7 * t + 1, count);
}

static bool in_cone(double a, double c, thud_index n, const double *x) {
  return x[0] >= 0 && a * thud_vector_norm(n - 1, x + 1) <= c * x[0];
}

/* The half-line along the normal (ratio 0) and the half-space (ratio infinite). */
static void project_degenerate(const thud_metric_view *metric, bool half_line, const double *b, const double *x,
                               double *y) {
  thud_index n = metric->n;
  memset(y, 0, (size_t)n * sizeof *y);
  if (half_line) {
    y[0] = fmax(0, b[0] / thud_view_entry(metric, 0, 0));
    return;
  }
  y[0] = 1;
  thud_view_solve(metric, y, y);
  double step = fmin(0, x[0]) / y[0];
  for (thud_index i = 0; i < n; i++) y[i] = x[i] - step * y[i];
  y[0] = fmax(0, x[0]);
}

/* Data and results of one evaluation of E. */
typedef struct cone_slice {
  thud_set *set;
  const thud_metric_view *metric;
  thud_metric_view tangential; /* M_TT */
  double ratio, normal;        /* c/a, M_NN */
  const double *b;             /* [n] Mx */
  double *right, *z, *v, *w;   /* [t] */
  double *secular;
  double value, slope, error; /* E, E', rounding error of E */
} cone_slice;

/* E(k) and E'(k): with H = M_TT + l I, z' = H^-1 (b_T - l' z); inside the ball l' = 0, on its boundary z.z' = 0 gives
 * l' = z.H^-1 b_T / z.H^-1 z. */
static thud_error evaluate_slice(cone_slice *slice, double k, thud_set_info *info) {
  thud_index t = slice->set->n - 1;
  const double *b = slice->b;
  double l = 0, coupling = 0, ratio = slice->ratio;
  for (thud_index i = 0; i < t; i++) slice->right[i] = k * b[i + 1] - thud_view_entry(slice->metric, 0, i + 1);
  thud_error error = thud_quadric_secular(slice->set->context, &(thud_quadric){.n = t}, &slice->tangential,
                                          slice->right, ratio, slice->secular, slice->z, &l, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < t; i++) coupling += thud_view_entry(slice->metric, 0, i + 1) * slice->z[i];
  slice->value = slice->normal + coupling - ratio * (ratio * l) - k * b[0];
  slice->error = 4 * DBL_EPSILON * (slice->normal + fabs(coupling) + ratio * (ratio * l) + fabs(k * b[0]));
  double *matrix = slice->secular;
  thud_metric_view shifted;
  thud_view_copy(&slice->tangential, matrix);
  for (thud_index i = 0; i < t; i++) matrix[(size_t)i * (size_t)(t + 1)] += l;
  error = thud_view_of_matrix(slice->set->context, t, matrix, matrix + (size_t)t * (size_t)t, &shifted);
  if (error != THUD_OK) return error;
  thud_view_solve(&shifted, b + 1, slice->v);
  thud_view_solve(&shifted, slice->z, slice->w);
  double rate = l == 0 ? 0 : thud_vector_dot(t, slice->z, slice->v) / thud_vector_dot(t, slice->z, slice->w);
  slice->slope = -b[0] - ratio * (ratio * rate);
  for (thud_index i = 0; i < t; i++)
    slice->slope += thud_view_entry(slice->metric, 0, i + 1) * (slice->v[i] - rate * slice->w[i]);
  return THUD_OK;
}

/* The zero of E, from the bracket ]0, oo[ and a first guess. */
static thud_error solve_slice(cone_slice *slice, double k, thud_set_info *info) {
  double low = 0, high = INFINITY;
  for (thud_index step = 0; step < bracket_steps; step++) {
    thud_error error = evaluate_slice(slice, k, info);
    if (error != THUD_OK) return error;
    if (fabs(slice->value) <= slice->error) return THUD_OK;
    if (slice->value > 0) low = k;
    if (slice->value < 0) high = k;
    if (isfinite(high) && high - low <= 2 * DBL_EPSILON * high) return THUD_OK;
    double next = k - slice->value / slice->slope;
    bool inside = next > low && next < high;
    if (isinf(high))
      next = inside ? fmin(next, 1e3 * k) : 4 * k;
    else if (!inside)
      next = low > 0 ? sqrt(low) * sqrt(high) : high / 4;
    if (step % 4 == 3) { /* whatever Newton does, the bracket shrinks */
      if (isinf(high))
        next = fmax(next, 16 * k);
      else if (high > 2 * low)
        next = low > 0 ? sqrt(low) * sqrt(high) : high / 16;
      else
        next = low + 0.5 * (high - low);
    }
    if (next == k || next > apex) return THUD_OK;
    k = next;
  }
  info->converged = false;
  info->gap = INFINITY;
  return THUD_OK;
}

/* y = s (1, z) with the best s for the found direction: s = g.b / g'Mg, g = (1, z). */
static void finish_on_ray(const cone_slice *slice, double *y, double *work) {
  thud_index n = slice->set->n;
  double length = thud_vector_norm(n - 1, slice->z);
  y[0] = 1;
  for (thud_index i = 1; i < n; i++) y[i] = length > 0 ? slice->z[i - 1] / length * slice->ratio : 0;
  thud_view_to_euclidean(slice->metric, y, work);
  double square = thud_vector_dot(n, work, work), s = fmax(0, thud_vector_dot(n, y, slice->b)) / square;
  for (thud_index i = 0; i < n; i++) y[i] *= s;
}

/* The boundary case in a metric other than the Euclidean; x scaled to max |x_i| = 1. */
static thud_error project_to_boundary(thud_set *set, const thud_metric_view *metric, double ratio, double *y,
                                      thud_set_info *info) {
  thud_index n = set->n, t = n - 1;
  double *b = set->work;
  cone_slice slice = {.set = set, .metric = metric, .ratio = ratio, .normal = thud_view_entry(metric, 0, 0), .b = b};
  slice.right = b + n;
  slice.z = slice.right + t;
  slice.v = slice.z + t;
  slice.w = slice.v + t;
  double *block = slice.w + t;
  slice.secular = block + 2 * (size_t)t * (size_t)t;
  thud_error error = thud_view_block(set->context, metric, 1, t, block, &slice.tangential);
  if (error != THUD_OK) return error;
  /* First guess: the Euclidean answer with b in the place of M_NN x. */
  double guess = slice.normal * (1 + ratio * ratio) / (b[0] + ratio * thud_vector_norm(t, b + 1));
  error = solve_slice(&slice, guess > 0 && isfinite(guess) ? guess : 1, info);
  if (error == THUD_OK) finish_on_ray(&slice, y, slice.right);
  return error;
}

static thud_error coulomb_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                  thud_set_info *info) {
  thud_index n = set->n;
  aperture k = coulomb_aperture(set);
  double *b = set->work, scale = thud_vector_max(n, x);
  if (in_cone(k.a, k.c, n, x)) {
    memcpy(y, x, (size_t)n * sizeof *y);
    return THUD_OK;
  }
  for (thud_index i = 0; i < n; i++) b[i] = x[i] / scale;
  thud_view_apply(metric, b, b);
  if (k.c == 0 || k.a == 0) {
    for (thud_index i = 0; i < n; i++) b[i] *= scale;
    project_degenerate(metric, k.c == 0, b, x, y);
    return THUD_OK;
  }
  double tangential = thud_vector_norm(n - 1, b + 1);
  if (k.c * tangential <= -k.a * b[0]) return thud_project_to_origin(set, y);
  if (thud_view_is_euclidean(metric)) {
    double s = (k.a * b[0] + k.c * tangential) / (k.a * k.a + k.c * k.c);
    y[0] = k.a * s * scale;
    for (thud_index i = 1; i < n; i++) y[i] = k.c * s * scale * (b[i] / tangential);
    return THUD_OK;
  }
  thud_error error = project_to_boundary(set, metric, k.c / k.a, y, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < n; i++) y[i] *= scale;
  return THUD_OK;
}

static thud_error coulomb_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  (void)info;
  aperture k = coulomb_aperture(set);
  double excess = k.c * thud_vector_norm(set->n - 1, d + 1) + k.a * d[0];
  bool in_polar = excess <= THUD_RECESSION_TOLERANCE * hypot(k.a, k.c) * thud_vector_norm(set->n, d);
  *value = in_polar ? 0 : INFINITY;
  return thud_project_to_origin(set, point);
}

/* In the plane the cone is a polyhedron: -x_N <= 0, -c x_N +- a x_T <= 0. */
static void coulomb_lift_size(const thud_set *set, thud_lift_size *size) {
  (void)set;
  size->inequalities += 3;
}

static void coulomb_lift(const thud_set *set, thud_lift *lift, const thud_expression *x, double factor) {
  (void)factor;
  aperture k = coulomb_aperture(set);
  thud_lift_row half = thud_lift_add_row(lift, set, 0, false, 0);
  thud_lift_add_term(lift, &half, -1, x, 0);
  for (thud_index side = 0; side < 2; side++) {
    thud_lift_row row = thud_lift_add_row(lift, set, 1 + side, false, 0);
    thud_lift_add_term(lift, &row, -k.c, x, 0);
    thud_lift_add_term(lift, &row, side == 0 ? k.a : -k.a, x, 1);
  }
}

#define COULOMB_CLASS(name)                                                                                            \
  {                                                                                                                    \
    .kind = name, .parts = {{"mu", THUD_PART_ONE, false}}, .work_size = coulomb_work, .refresh = coulomb_refresh,      \
    .abilities = coulomb_abilities, .project = coulomb_project, .support = coulomb_support,                            \
    .lift_size = coulomb_lift_size, .lift = coulomb_lift                                                               \
  }

const thud_set_class thud_class_coulomb = COULOMB_CLASS("Coulomb cone");
const thud_set_class thud_class_coulomb_dual = COULOMB_CLASS("Coulomb dual cone");

static thud_error make_coulomb(thud_context *context, const thud_set_class *kind, thud_index n, double mu,
                               thud_set **set) {
  thud_error error = thud_check_leaf(context, kind->kind, n, 2, &mu, &mu, set);
  if (error != THUD_OK) return error;
  return thud_set_make_from(context, kind, &(thud_set_shape){.n = n}, &mu, NULL, set);
}

thud_error thud_set_coulomb_cone(thud_context *context, thud_index n, double mu, thud_set **set) {
  THUD_REQUIRE(context, context, set);
  return make_coulomb(context, &thud_class_coulomb, n, mu, set);
}

thud_error thud_set_coulomb_dual_cone(thud_context *context, thud_index n, double mu, thud_set **set) {
  THUD_REQUIRE(context, context, set);
  return make_coulomb(context, &thud_class_coulomb_dual, n, mu, set);
}
