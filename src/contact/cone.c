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

thud_contact_cone thud_contact_cone_of(const thud_contact_problem *problem, thud_index contact) {
  thud_contact_cone cone = {.dimension = problem->dimension};
  if (problem->mu != NULL) cone.mu = problem->mu[contact];
  if (problem->mu_rolling != NULL) cone.mu_rolling = problem->mu_rolling[contact];
  if (problem->laws != NULL) cone.law = problem->laws[contact];
  return cone;
}

/* Of two numbers; fmax of the C library is a call, here in the innermost loop. */
static inline double larger(double a, double b) { return a > b ? a : b; }

static inline double length(thud_index n, const double *x) {
  if (n == 1) return fabs(x[0]);
  double square = 0, largest = 0;
  for (thud_index i = 0; i < n; i++) square += x[i] * x[i];
  if (square > 1e-280 && square < 1e280) return sqrt(square); /* nothing has overflowed or lost digits */
  for (thud_index i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (largest == 0 || !isfinite(largest)) return largest;
  square = 0;
  for (thud_index i = 0; i < n; i++) square += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(square);
}

/* ---- disc, and product of two discs ------------------------------------------------------------------- */

/* z shortened to at most `radius`. */
static inline void shorten(thud_index n, const double *z, double size, double radius, double *y) {
  double factor = size > radius ? radius / size : 1;
  for (thud_index i = 0; i < n; i++) y[i] = factor * z[i];
}

/* With t = |x_T|, o = |x_R|: phi'(s) = s - x_N - mu (t - mu s)+ - mu_r (o - mu_r s)+ is the smallest of the four
 * increasing lines that keep or drop each bracket, so that its zero is the largest of the zeros of the four. n is the
 * dimension, a constant where this is inlined. */
static inline void project_discs(const thud_contact_cone *cone, thud_index n, const double *x, double *y) {
  bool rolls = n == 5;
  thud_index t = rolls ? 2 : n - 1;
  double mu = cone->mu, mu_r = rolls ? cone->mu_rolling : 0;
  double tangential = length(t, x + 1), rolling = rolls ? length(2, x + 3) : 0;
  double s = larger(0, x[0]);
  s = larger(s, (x[0] + mu * tangential) / (1 + mu * mu));
  if (rolls) {
    s = larger(s, (x[0] + mu_r * rolling) / (1 + mu_r * mu_r));
    s = larger(s, (x[0] + mu * tangential + mu_r * rolling) / (1 + mu * mu + mu_r * mu_r));
  }
  y[0] = s;
  shorten(t, x + 1, tangential, mu * s, y + 1);
  if (rolls) shorten(2, x + 3, rolling, mu_r * s, y + 3);
}

/* ---- general laws ---------------------------------------------------------------------------------------- */

/* What one evaluation of phi' at s > 0 needs and gives. With c = p/s, n the unit vector along z - p and P the
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
  law_slice slice = {.law = cone->law, .n = cone->dimension - 1, .normal = x[0], .z = x + 1};
  double reach = 0, s = 0, size = length(cone->dimension, x), distance = length(slice.n, x + 1);
  thud_error error = thud_set_support(cone->law, x + 1, &reach, NULL, NULL);
  if (error != THUD_OK) return error;
  if (x[0] + reach <= 0) {
    memset(y, 0, (size_t)cone->dimension * sizeof *y);
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
  if (cone->dimension == 1)
    y[0] = fmax(0, x[0]);
  else if (cone->law != NULL)
    return project_law(cone, x, y);
  else
    project_discs(cone, cone->dimension, x, y);
  return THUD_OK;
}

static inline double shift_of_discs(const thud_contact_cone *cone, thud_index n, const double *u) {
  if (n == 1) return 0;
  if (n == 5) return cone->mu * length(2, u + 1) + cone->mu_rolling * length(2, u + 3);
  return cone->mu * length(n - 1, u + 1);
}

thud_error thud_cone_shift(const thud_contact_cone *cone, const double *u, double *shift) {
  double opposite[TANGENTIAL_MAX];
  thud_index n = cone->dimension - 1;
  if (n > 0 && cone->law != NULL) {
    for (thud_index i = 0; i < n; i++) opposite[i] = -u[i + 1];
    return thud_set_support(cone->law, opposite, shift, NULL, NULL);
  }
  *shift = shift_of_discs(cone, cone->dimension, u);
  return THUD_OK;
}

thud_error thud_cone_excess(const thud_contact_cone *cone, const double *r, double *excess) {
  thud_index n = cone->dimension - 1;
  double worst = larger(0, -r[0]);
  if (n > 0 && cone->law != NULL) {
    double distance = length(n, r + 1);
    if (r[0] > 0 && distance > 0) {
      law_slice slice = {.law = cone->law, .n = n, .z = r + 1};
      thud_error error = project_scaled(&slice, r[0]);
      if (error != THUD_OK) return error;
      for (thud_index i = 0; i < n; i++) slice.p[i] -= r[i + 1];
      distance = length(n, slice.p);
    }
    worst = larger(worst, distance);
  } else if (cone->dimension == 5) {
    worst = larger(worst, length(2, r + 1) - cone->mu * r[0]);
    worst = larger(worst, length(2, r + 3) - cone->mu_rolling * r[0]);
  } else if (n > 0) {
    worst = larger(worst, length(n, r + 1) - cone->mu * r[0]);
  }
  *excess = worst;
  return THUD_OK;
}

/* r - proj(t) = u~ + (t - proj(t)), t = r - u~. The first form would lose a u~ that is small beside r altogether (r -
 * u~ = r in floating point: impulses without effect would pass for a solution), the second a small r. */
static inline void natural_part(thud_index n, const double *r, const double *shifted, const double *target,
                                const double *nearest, double *part) {
  bool small_velocity = length(n, shifted) < length(n, r);
  for (thud_index i = 0; i < n; i++)
    part[i] = small_velocity ? shifted[i] + (target[i] - nearest[i]) : r[i] - nearest[i];
}

/* The natural map of discs; n is the dimension, a constant where this is inlined. */
static inline void natural_discs(const thud_contact_cone *cone, thud_index n, const double *r, const double *u,
                                 double *part) {
  double shifted[THUD_CONTACT_DIMENSION_MAX], target[THUD_CONTACT_DIMENSION_MAX];
  double nearest[THUD_CONTACT_DIMENSION_MAX], shift = shift_of_discs(cone, n, u);
  for (thud_index i = 0; i < n; i++) {
    shifted[i] = i == 0 ? u[i] + shift : u[i];
    target[i] = r[i] - shifted[i];
  }
  project_discs(cone, n, target, nearest);
  natural_part(n, r, shifted, target, nearest, part);
}

static thud_error natural_law(const thud_contact_cone *cone, const double *r, const double *u, double *part) {
  double shifted[THUD_CONTACT_DIMENSION_MAX], target[THUD_CONTACT_DIMENSION_MAX];
  double nearest[THUD_CONTACT_DIMENSION_MAX], shift = 0;
  thud_index n = cone->dimension;
  thud_error error = thud_cone_shift(cone, u, &shift);
  if (error != THUD_OK) return error;
  memcpy(shifted, u, (size_t)n * sizeof *shifted);
  shifted[0] += shift;
  for (thud_index i = 0; i < n; i++) target[i] = r[i] - shifted[i];
  error = thud_cone_project(cone, target, nearest);
  if (error == THUD_OK) natural_part(n, r, shifted, target, nearest, part);
  return error;
}

thud_error thud_cone_natural_map(const thud_contact_cone *cone, const double *r, const double *u, double *part) {
  if (cone->dimension > 1 && cone->law != NULL) return natural_law(cone, r, u, part);
  switch (cone->dimension) {
  case 1: part[0] = fmin(r[0], u[0]); break;
  case 2: natural_discs(cone, 2, r, u, part); break;
  case 3: natural_discs(cone, 3, r, u, part); break;
  default: natural_discs(cone, 5, r, u, part); break;
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
  if (!has_contact(problem, contact)) return THUD_ERROR_ARGUMENT;
  thud_contact_cone cone = thud_contact_cone_of(problem, contact);
  return thud_cone_project(&cone, x, y);
}

thud_error thud_contact_shift(const thud_contact_problem *problem, thud_index contact, const double *u, double *shift) {
  THUD_REQUIRE(NULL, problem, u, shift);
  if (!has_contact(problem, contact)) return THUD_ERROR_ARGUMENT;
  thud_contact_cone cone = thud_contact_cone_of(problem, contact);
  return thud_cone_shift(&cone, u, shift);
}
