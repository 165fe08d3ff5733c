/* Ellipsoids. */
#include "geom/collide.h"
#include "geom/shape_mass.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

/* A ball of this radius rolls everywhere inside of the surface. */
static double least_curvature_radius(const double half[3]) {
  double least = half[0] < half[1] ? half[0] : half[1], most = thud_larger(half[0], half[1]);
  least = half[2] < least ? half[2] : least;
  return least * least / thud_larger(most, half[2]);
}

static thud_error build(thud_shape *shape) {
  const double *half = shape->def.half;
  shape->reach = fmax(half[0], fmax(half[1], half[2]));
  shape->thickness = 2 * fmin(half[0], fmin(half[1], half[2]));
  shape->rolling_radius = least_curvature_radius(half);
  return THUD_OK;
}

/* x_i = a_i^2 d_i / |(a_i d_i)|. */
static thud_vec3 support(const thud_shape *shape, thud_vec3 direction) {
  const double *a = shape->def.half;
  thud_vec3 unit = {0, 0, 0};
  thud_vec3_normalise(thud_vec3_make(a[0] * direction.x, a[1] * direction.y, a[2] * direction.z), &unit);
  return thud_vec3_make(a[0] * unit.x, a[1] * unit.y, a[2] * unit.z);
}

static thud_mass_properties mass(const thud_shape *shape) {
  double a = shape->def.half[0], b = shape->def.half[1], c = shape->def.half[2];
  double mass = 4 * THUD_PI / 3 * a * b * c;
  return thud_mass_diagonal(mass, mass * (b * b + c * c) / 5, mass * (c * c + a * a) / 5, mass * (a * a + b * b) / 5);
}

/* Nearest point of the surface sum (x_i/e_i)^2 = 1 to y >= 0: x_i = e_i^2 y_i/(t + e_i^2) at the largest root of
 * F(t) = sum (e_i y_i/(t + e_i^2))^2 - 1 (Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid").
 * With s = t + e_min^2 the pole is at 0 and nothing cancels. F is convex and falls for s > 0: Newton's method from
 * the largest s at which one of its terms is 1 rises to the root without overshooting. */
static void nearest_in_octant(const double e[3], const double y[3], double x[3]) {
  size_t k = e[1] < e[0] ? 1 : 0;
  if (e[2] < e[k]) k = 2;
  double shift[3], s = 0;
  for (size_t i = 0; i < 3; i++) {
    shift[i] = (e[i] - e[k]) * (e[i] + e[k]);
    s = thud_larger(s, e[i] * y[i] - shift[i]);
  }
  if (!(s > 0)) { /* on the plane across the shortest axis: the pole is no root of F unless F > 0 there */
    double rest = 1;
    for (size_t i = 0; i < 3; i++) {
      x[i] = shift[i] > 0 ? e[i] * e[i] * y[i] / shift[i] : 0;
      rest -= (x[i] / e[i]) * (x[i] / e[i]);
    }
    if (rest >= 0) {
      x[k] = e[k] * sqrt(rest);
      return;
    }
    s = DBL_MIN;
  }
  for (int step = 0; step < 100; step++) {
    double value = -1, slope = 0;
    for (size_t i = 0; i < 3; i++) {
      double ratio = y[i] > 0 ? e[i] * y[i] / (s + shift[i]) : 0;
      value += ratio * ratio;
      if (y[i] > 0) slope += 2 * ratio * ratio / (s + shift[i]);
    }
    double next = s + value / slope;
    if (!(next > s)) break;
    s = next;
  }
  for (size_t i = 0; i < 3; i++) x[i] = y[i] > 0 ? e[i] * (e[i] * y[i] / (s + shift[i])) : 0;
}

static thud_nearest nearest(const thud_shape *shape, thud_vec3 at) {
  const double *e = shape->def.half;
  double y[3], x[3], normal[3];
  thud_vec3_store(at, y);
  double signs[3];
  for (size_t i = 0; i < 3; i++) {
    signs[i] = y[i] < 0 ? -1 : 1;
    y[i] = fabs(y[i]);
  }
  nearest_in_octant(e, y, x);
  double longest = thud_larger(e[0], thud_larger(e[1], e[2])); /* squares of lengths of any unit stay in range */
  for (size_t i = 0; i < 3; i++) {
    x[i] *= signs[i];
    normal[i] = x[i] / e[i] * (longest / e[i]);
  }
  thud_vec3 unit = thud_vec3_make(0, 0, 1);
  thud_vec3_normalise(thud_vec3_load(normal), &unit);
  return thud_nearest_make(at, thud_vec3_load(x), unit);
}

static thud_ray_span ray_span(const thud_shape *shape, const thud_ray *ray) {
  const double *half = shape->def.half;
  thud_vec3 scaled[2] = {ray->origin, ray->way};
  for (int k = 0; k < 2; k++)
    scaled[k] = thud_vec3_make(scaled[k].x / half[0], scaled[k].y / half[1], scaled[k].z / half[2]);
  thud_ray_span span = thud_ray_in_ball(scaled[0], scaled[1], 1);
  /* the normal of the ball at y = x / half belongs to the gradient y / half */
  thud_vec3 n = thud_vec3_make(span.normal.x / half[0], span.normal.y / half[1], span.normal.z / half[2]);
  thud_vec3_normalise(n, &span.normal);
  return span;
}

static thud_error surface(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *made) {
  thud_error error = thud_surface_round(request, 1, 0, made);
  for (size_t i = 0; error == THUD_OK && i < 3 * made->point_count; i++) made->points[i] *= shape->def.half[i % 3];
  return error;
}

const thud_shape_class thud_shape_ellipsoid = {
    .name = "ellipsoid",
    .scene = {.word = "ellipsoid", .notation = THUD_NOTED_LIST, .parameters = {THUD_PARAMETER("half", half, 1)}},
    .convex = true,
    .may_move = true,
    .curved = true,
    .smooth = true,
    .pairs = THUD_PAIRS_SOLID,
    .needs = THUD_NEEDS_HALF_3,
    .build = build,
    .support = support,
    .mass = mass,
    .nearest = nearest,
    .ray = ray_span,
    .surface = surface,
};
