/* Cones around z: the base at -half_length, the tip at half_length. */
#include "geom/manifold.h"
#include "geom/shape_mass.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

/* The extent of a body of revolution along a direction is that of its section through the axis and the direction: here
 * an isosceles triangle, whose width is its smallest altitude. */
static thud_error build(thud_shape *shape) {
  double radius = shape->def.radius, height = 2 * shape->def.half_length;
  shape->reach = hypot(radius, shape->def.half_length);
  shape->inner = thud_vec3_make(0, 0, -0.5 * shape->def.half_length);
  shape->thickness = fmin(height, 2 * radius * (height / hypot(radius, height)));
  return THUD_OK;
}

/* The tip, or a point of the base circle, whichever is farther. */
static thud_vec3 support(const thud_shape *shape, thud_vec3 direction) {
  double half_length = shape->def.half_length;
  thud_vec3 tip = {0, 0, half_length}, base = thud_circle_support(shape->def.radius, -half_length, direction);
  return thud_vec3_dot(tip, direction) >= thud_vec3_dot(base, direction) ? tip : base;
}

/* The centre is a quarter of the height above the base. */
static thud_mass_properties mass(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double mass = 2 * THUD_PI / 3 * r * r * h, across = 0.15 * mass * (r * r + h * h);
  thud_mass_properties properties = thud_mass_diagonal(mass, across, across, 0.3 * mass * r * r);
  properties.centre.z = -h / 2;
  return properties;
}

static thud_nearest nearest(const thud_shape *shape, thud_vec3 x) {
  double r = shape->def.radius, half = shape->def.half_length;
  thud_vec2 outline[] = {{0, -half}, {r, -half}, {0, half}};
  return thud_nearest_of_outline(2, outline, x);
}

/* The base unless the side faces the direction more: its normal is (2 half, r) in (across, z). */
static void facing(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat) {
  const thud_shape_def *def = &placed->shape->def;
  double across = sqrt(local.x * local.x + local.y * local.y);
  (void)direction;
  if (-local.z * sqrt(4 * def->half_length * def->half_length + def->radius * def->radius) >=
      2 * def->half_length * across + def->radius * local.z)
    thud_flat_disc(placed, -def->half_length, flat);
  else
    thud_flat_side_line(placed, local, 0, flat);
}

static size_t on_plane(const thud_ground *ground, const thud_shape *shape, thud_touch *touches) {
  const double radii[2] = {shape->def.radius, 0};
  return thud_ground_rims(ground, radii, shape->def.half_length, touches);
}

/* The convex nappe x^2 + y^2 <= k^2 s^2, s = tip - z >= 0. With f = a t^2 + 2 b t + c <= 0 there: for a > 0 a segment, in one
 * of both nappes; for a < 0 two half-lines, one in each. */
static thud_ray_span in_nappe(const thud_ray *ray, double k, double tip) {
  thud_vec3 o = ray->origin, d = ray->way;
  double s = tip - o.z, rate = -d.z;
  double a = d.x * d.x + d.y * d.y - k * k * rate * rate, b = o.x * d.x + o.y * d.y - k * k * s * rate;
  double c = o.x * o.x + o.y * o.y - k * k * s * s;
  thud_ray_span span = thud_ray_whole();
  if (a == 0) {
    if (b == 0) return c <= 0 && s >= 0 ? span : thud_ray_none();
    if (b > 0)
      span.leave = -c / (2 * b);
    else
      span.enter = -c / (2 * b);
  } else {
    double root = sqrt(fmax(b * b - a * c, 0)), q = b + (b >= 0 ? root : -root); /* of equal signs: no cancellation */
    if (a > 0 && b * b < a * c) return thud_ray_none();
    double first = -q / a, second = q != 0 ? -c / q : first, low = fmin(first, second), high = fmax(first, second);
    if (a > 0) {
      if (s + rate * 0.5 * (low + high) < 0) return thud_ray_none();
      span = (thud_ray_span){.enter = low, .leave = high};
    } else if (rate > 0) {
      span.enter = high;
    } else {
      span.leave = low;
    }
  }
  if (!isfinite(span.enter)) return span;
  thud_vec3 x = thud_vec3_add_scaled(o, span.enter, d), radial = thud_ray_flat(x);
  double r = thud_vec3_norm(radial);
  thud_vec3 out = r > 0 ? thud_vec3_make(x.x / r, x.y / r, k) : thud_vec3_make(0, 0, 1);
  thud_vec3_normalise(out, &span.normal);
  return span;
}

static thud_ray_span ray_span(const thud_shape *shape, const thud_ray *ray) {
  const thud_shape_def *def = &shape->def;
  thud_ray_span span = in_nappe(ray, def->radius / (2 * def->half_length), def->half_length);
  thud_ray_span base = thud_ray_in_half_space(ray, thud_vec3_make(0, 0, -1), def->half_length);
  thud_ray_cut(&span, &base);
  return span;
}

static thud_error surface(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *made) {
  double h = shape->def.half_length, r = shape->def.radius;
  thud_profile p = {-h, h, 1, (double[]){r}, (double[]){-h}};
  return thud_surface_revolve(request, &p, made);
}

const thud_shape_class thud_shape_cone = {
    .name = "cone",
    .scene = {.word = "cone",
              .notation = THUD_NOTED_MAP,
              .parameters = {THUD_PARAMETER("radius", radius, 1), THUD_PARAMETER("height", half_length, 0.5)}},
    .convex = true,
    .may_move = true,
    .curved = true,
    .pairs = THUD_PAIRS_SOLID,
    .needs = THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH,
    .build = build,
    .support = support,
    .mass = mass,
    .nearest = nearest,
    .facing = facing,
    .on_plane = on_plane,
    .ray = ray_span,
    .surface = surface,
};
