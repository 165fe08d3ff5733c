/* Projections on the cones of contact laws.
 *
 * All of them are K = { (s, z) : s >= 0, z in s C } for a convex C that contains 0, so that the projection of (x_N, z)
 * has the normal component s that minimises the convex function
 *   phi(s) = (s - x_N)^2/2 + dist(z, s C)^2/2,   phi'(s) = s - x_N - sup_C (z - p).c,  p = proj(z, s C),
 * (p/s is where the supremum is attained) and the tangential one p(s). phi'' >= 1. */
#include "contact/cone.h"
#include "contact/problem.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { TANGENTIAL_MAX = THUD_CONTACT_DIMENSION_MAX - 1, ROOT_STEPS = 200 };

/* The larger of two numbers: fmax of the C library would be a call in the innermost loop. */
static inline double larger(double a, double b) { return a > b ? a : b; }

/* For squares that overflow or lose digits. Apart from `length`, which is inlined in many places. */
static double scaled_length(thud_index n, const double *x) {
  double square = 0, largest = 0;
  for (thud_index i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (largest == 0 || !isfinite(largest)) return largest;
  for (thud_index i = 0; i < n; i++) square += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(square);
}

static inline double length(thud_index n, const double *x) {
  if (n == 1) return fabs(x[0]);
  double square = 0;
  for (thud_index i = 0; i < n; i++) square += x[i] * x[i];
  return square > 1e-280 && square < 1e280 ? sqrt(square) : scaled_length(n, x);
}

/* ---- products of discs -------------------------------------------------------------------------------- */

/* z shortened to at most `radius`. */
static inline void shorten(size_t n, const double *z, double size, double radius, double *y) {
  double factor = size > radius ? radius / size : 1;
  for (size_t i = 0; i < n; i++) y[i] = factor * z[i];
}

/* With t_p = |x_p|: phi'(s) = s - x_N - sum over p of mu_p (t_p - mu_p s)+ is the smallest of the increasing lines that
 * keep some of the brackets and drop the others, so that its zero is the largest of the zeros of these lines. The
 * layout is the cone's, a constant where this is inlined. */
THUD_OF_LAYOUT void project_discs(const thud_disc_layout *layout, const double *mu, const double *x, double *y) {
  double size[THUD_CONTACT_DISCS_MAX], s = larger(0, x[0]);
  for (size_t p = 0; p < layout->count; p++) size[p] = length((thud_index)layout->width[p], x + layout->first[p]);
  for (unsigned kept = 1; kept < 1u << layout->count; kept++) {
    double numerator = x[0], denominator = 1;
    for (size_t p = 0; p < layout->count; p++)
      if ((kept >> p & 1u) != 0) {
        numerator += mu[p] * size[p];
        denominator += mu[p] * mu[p];
      }
    s = larger(s, numerator / denominator);
  }
  y[0] = s;
  for (size_t p = 0; p < layout->count; p++)
    shorten(layout->width[p], x + layout->first[p], size[p], mu[p] * s, y + layout->first[p]);
}

/* ---- general laws ---------------------------------------------------------------------------------------- */

/* Data and results of one evaluation of phi' at s > 0. With c = p/s, n the unit vector along z - p and P the
 * derivative of the projection at z/s, phi'' = 1 + |c|^2 - c.P z/s: between its value where C is flat (P = I - n n')
 * and its value at a corner (P = 0). */
typedef struct law_slice {
  thud_set *law;
  thud_index n;
  double normal;                   /* x_N */
  const double *z;                 /* [n] x_T */
  double p[TANGENTIAL_MAX];        /* proj(z, s C) */
  double value;                    /* phi'(s) */
  double noise;                    /* bound on the error of the value that an iterative projection leaves */
  double flat_slope, corner_slope; /* 1 + (n.c)^2 <= phi'' <= 1 + |c|^2 */
} law_slice;

static thud_error project_scaled(law_slice *slice, double s) {
  double scaled[TANGENTIAL_MAX], difference[TANGENTIAL_MAX], supremum = 0;
  thud_set_info info;
  for (thud_index i = 0; i < slice->n; i++) scaled[i] = slice->z[i] / s;
  thud_error error = thud_set_project(slice->law, NULL, scaled, scaled, &info);
  if (error != THUD_OK) return error;
  if (!info.converged) return THUD_ERROR_NOT_CONVERGED;
  for (thud_index i = 0; i < slice->n; i++) {
    slice->p[i] = s * scaled[i];
    difference[i] = slice->z[i] - slice->p[i];
    supremum += difference[i] * scaled[i];
  }
  double distance = length(slice->n, difference), size = length(slice->n, scaled);
  double offset = distance > 0 ? supremum / distance : 0;
  slice->value = s - slice->normal - supremum;
  slice->noise = info.gap * (s * size + distance);
  slice->flat_slope = 1 + offset * offset;
  slice->corner_slope = 1 + size * size;
  return THUD_OK;
}

/* The zero of phi' in [low, high] from s: secant steps with the slope kept between its bounds, a bisection where they
 * leave the bracket or do not halve the value. Stops when s is known to the rounding error of |x| = high, or when an
 * iterative projection's own error hides the value. */
static thud_error solve_slice(law_slice *slice, double low, double high, double s, double *root) {
  const double enough = 4 * DBL_EPSILON * high;
  double last_s = NAN, last_value = INFINITY;
  for (int step = 0; step < ROOT_STEPS; step++) {
    thud_error error = project_scaled(slice, s);
    if (error != THUD_OK) return error;
    double value = slice->value;
    bool slow = fabs(value) > 0.5 * fabs(last_value);
    *root = s;
    if (fabs(value) <= enough || high - low <= enough || (slow && fabs(value) <= slice->noise)) return THUD_OK;
    if (value > 0)
      high = s;
    else
      low = s;
    double slope = slice->flat_slope;
    if (step > 0) slope = fmin(fmax(slope, (value - last_value) / (s - last_s)), slice->corner_slope);
    last_s = s;
    last_value = value;
    s -= value / slope;
    if (slow || !(s >= low && s <= high)) s = low + 0.5 * (high - low);
  }
  return THUD_ERROR_NOT_CONVERGED;
}

/* x_N + sup_C x_T.c <= 0: x is in the polar cone of K. The zero of phi' lies between x_N (sup >= 0) and |x| (the
 * projection on a cone shortens); it is x_N when x is in K. */
static thud_error project_law(const thud_contact_cone *cone, const double *x, double *y) {
  law_slice slice = {.law = cone->law, .n = cone->layout->dimension - 1, .normal = x[0], .z = x + 1};
  double reach = 0, s = 0, size = length(cone->layout->dimension, x), distance = length(slice.n, x + 1);
  thud_error error = thud_set_support(cone->law, x + 1, &reach, NULL, NULL);
  if (error != THUD_OK) return error;
  if (x[0] + reach <= 0) {
    memset(y, 0, (size_t)cone->layout->dimension * sizeof *y);
    return THUD_OK;
  }
  /* Else begin with C replaced by the half-space that supports it in the direction of x_T: right for a disc. */
  double offset = distance > 0 ? reach / distance : 0, guess = (x[0] + reach) / (1 + offset * offset);
  error = solve_slice(&slice, fmax(0, x[0]), size, fmin(size, fmax(x[0], guess)), &s);
  if (error != THUD_OK) return error;
  y[0] = s;
  for (thud_index i = 0; i < slice.n; i++) y[i + 1] = slice.p[i];
  return THUD_OK;
}

/* ---- all of them ------------------------------------------------------------------------------------------- */

thud_error thud_cone_project(const thud_contact_cone *cone, const double *x, double *y) {
  if (cone->law != NULL) return project_law(cone, x, y);
  project_discs(cone->layout, cone->mu, x, y);
  return THUD_OK;
}

THUD_OF_LAYOUT double shift_of_discs(const thud_disc_layout *layout, const double *mu, const double *u) {
  double shift = 0;
  for (size_t p = 0; p < layout->count; p++)
    shift += mu[p] * length((thud_index)layout->width[p], u + layout->first[p]);
  return shift;
}

thud_error thud_cone_shift(const thud_contact_cone *cone, const double *u, double *shift) {
  double opposite[TANGENTIAL_MAX];
  if (cone->law != NULL) {
    for (thud_index i = 0; i < cone->layout->dimension - 1; i++) opposite[i] = -u[i + 1];
    return thud_set_support(cone->law, opposite, shift, NULL, NULL);
  }
  *shift = shift_of_discs(cone->layout, cone->mu, u);
  return THUD_OK;
}

static thud_error excess_of_law(const thud_contact_cone *cone, const double *r, double *excess) {
  thud_index n = cone->layout->dimension - 1;
  double distance = length(n, r + 1);
  if (r[0] > 0 && distance > 0) {
    law_slice slice = {.law = cone->law, .n = n, .z = r + 1};
    thud_error error = project_scaled(&slice, r[0]);
    if (error != THUD_OK) return error;
    for (thud_index i = 0; i < n; i++) slice.p[i] -= r[i + 1];
    distance = length(n, slice.p);
  }
  *excess = larger(*excess, distance);
  return THUD_OK;
}

THUD_OF_LAYOUT double excess_of_discs(const thud_disc_layout *layout, const double *mu, const double *r) {
  double excess = larger(0, -r[0]);
  for (size_t p = 0; p < layout->count; p++)
    excess = larger(excess, length((thud_index)layout->width[p], r + layout->first[p]) - mu[p] * r[0]);
  return excess;
}

/* r - proj(t) = u~ + (t - proj(t)), t = r - u~. The first form would lose a u~ that is small beside r altogether (r -
 * u~ = r in floating point: impulses without effect would pass for a solution), the second a small r. */
static inline void natural_part(thud_index n, const double *r, const double *shifted, const double *target,
                                const double *nearest, double *part) {
  bool small_velocity = length(n, shifted) < length(n, r);
  for (thud_index i = 0; i < n; i++)
    part[i] = small_velocity ? shifted[i] + (target[i] - nearest[i]) : r[i] - nearest[i];
}

/* The natural map of discs; the layout is the cone's, a constant where this is inlined. */
THUD_OF_LAYOUT void natural_discs(const thud_disc_layout *layout, const double *mu, const double *r, const double *u,
                                  double *part) {
  double shifted[THUD_CONTACT_DIMENSION_MAX], target[THUD_CONTACT_DIMENSION_MAX];
  double nearest[THUD_CONTACT_DIMENSION_MAX], shift = shift_of_discs(layout, mu, u);
  shifted[0] = u[0] + shift;
  target[0] = r[0] - shifted[0];
  for (thud_index i = 1; i < layout->dimension; i++) {
    shifted[i] = u[i];
    target[i] = r[i] - shifted[i];
  }
  project_discs(layout, mu, target, nearest);
  natural_part(layout->dimension, r, shifted, target, nearest, part);
}

static thud_error natural_law(const thud_contact_cone *cone, const double *r, const double *u, double *part) {
  double shifted[THUD_CONTACT_DIMENSION_MAX], target[THUD_CONTACT_DIMENSION_MAX];
  double nearest[THUD_CONTACT_DIMENSION_MAX], shift = 0;
  thud_index n = cone->layout->dimension;
  thud_error error = thud_cone_shift(cone, u, &shift);
  if (error != THUD_OK) return error;
  memcpy(shifted, u, (size_t)n * sizeof *shifted);
  shifted[0] += shift;
  for (thud_index i = 0; i < n; i++) target[i] = r[i] - shifted[i];
  error = thud_cone_project(cone, target, nearest);
  if (error == THUD_OK) natural_part(n, r, shifted, target, nearest, part);
  return error;
}

THUD_OF_LAYOUT void judge_discs(const thud_disc_layout *layout, const thud_contact_discs *discs, size_t contact,
                                const double *r, const double *u, double *part, double *excess) {
  double mu[THUD_CONTACT_DISCS_MAX];
  for (size_t p = 0; p < layout->count; p++) mu[p] = discs->mu[p][contact];
  natural_discs(layout, mu, r, u, part);
  *excess = excess_of_discs(layout, mu, r);
}

thud_error thud_cone_judge(const thud_contact_discs *discs, size_t contact, const double *r, const double *u,
                           double *part, double *excess) {
  const thud_disc_layout *layout = discs->layout;
  if (thud_contact_discs_law(discs, contact) != NULL) {
    thud_contact_cone cone = thud_contact_cone_of(discs, contact);
    thud_error error = natural_law(&cone, r, u, part);
    *excess = larger(0, -r[0]);
    return error == THUD_OK ? excess_of_law(&cone, r, excess) : error;
  }
  if (layout->count == 0) {
    part[0] = fmin(r[0], u[0]);
    *excess = larger(0, -r[0]);
  } else if (thud_disc_layout_is_plane(layout)) {
    judge_discs(&thud_plane_layout, discs, contact, r, u, part, excess);
  } else if (thud_disc_layout_is_space(layout)) {
    judge_discs(&thud_space_layout, discs, contact, r, u, part, excess);
  } else {
    judge_discs(layout, discs, contact, r, u, part, excess);
  }
  return THUD_OK;
}

/* ---- public ------------------------------------------------------------------------------------------------ */

static bool has_contact(const thud_contact_problem *problem, thud_index contact) {
  return contact >= 0 && contact < problem->contacts;
}

thud_error thud_contact_project_cone(const thud_contact_problem *problem, thud_index contact, const double *x,
                                     double *y) {
  THUD_REQUIRE(NULL, problem, x, y);
  thud_contact_discs discs = thud_contact_discs_of(problem);
  if (discs.layout == NULL || !has_contact(problem, contact)) return THUD_ERROR_ARGUMENT;
  thud_contact_cone cone = thud_contact_cone_of(&discs, (size_t)contact);
  return thud_cone_project(&cone, x, y);
}

thud_error thud_contact_shift(const thud_contact_problem *problem, thud_index contact, const double *u, double *shift) {
  THUD_REQUIRE(NULL, problem, u, shift);
  thud_contact_discs discs = thud_contact_discs_of(problem);
  if (discs.layout == NULL || !has_contact(problem, contact)) return THUD_ERROR_ARGUMENT;
  thud_contact_cone cone = thud_contact_cone_of(&discs, (size_t)contact);
  return thud_cone_shift(&cone, u, shift);
}
