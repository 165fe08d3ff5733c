/* Cylinders around z. */
#include "geom/manifold.h"
#include "geom/shape_mass.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

static thud_error build(thud_shape *shape) {
  shape->reach = hypot(shape->def.radius, shape->def.half_length);
  shape->thickness = 2 * fmin(shape->def.radius, shape->def.half_length);
  return THUD_OK;
}

static thud_vec3 support(const thud_shape *shape, thud_vec3 direction) {
  double half_length = shape->def.half_length;
  return thud_circle_support(shape->def.radius, direction.z >= 0 ? half_length : -half_length, direction);
}

static thud_mass_properties mass(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double mass = 2 * THUD_PI * r * r * h, across = mass * (r * r / 4 + h * h / 3);
  return thud_mass_diagonal(mass, across, across, mass * r * r / 2);
}

static thud_nearest nearest(const thud_shape *shape, thud_vec3 x) {
  double r = shape->def.radius, half = shape->def.half_length;
  thud_vec2 outline[] = {{0, -half}, {r, -half}, {r, half}, {0, half}};
  return thud_nearest_of_outline(3, outline, x);
}

/* An end, or the line of the side. */
static void facing(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat) {
  const thud_shape_def *def = &placed->shape->def;
  (void)direction;
  if (fabs(local.z) >= sqrt(local.x * local.x + local.y * local.y))
    thud_flat_disc(placed, copysign(def->half_length, local.z), flat);
  else
    thud_flat_side_line(placed, local, def->radius, flat);
}

static size_t on_plane(const thud_ground *ground, const thud_shape *shape, thud_touch *touches) {
  const double radii[2] = {shape->def.radius, shape->def.radius};
  return thud_ground_rims(ground, radii, shape->def.half_length, touches);
}

static thud_ray_span ray_span(const thud_shape *shape, const thud_ray *ray) {
  const thud_shape_def *def = &shape->def;
  thud_ray_span span = thud_ray_in_ball(thud_ray_flat(ray->origin), thud_ray_flat(ray->way), def->radius);
  thud_ray_span slab = thud_ray_in_slab(ray, thud_vec3_make(0, 0, 1), def->half_length);
  thud_ray_cut(&span, &slab);
  return span;
}

static thud_error surface(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *made) {
  double h = shape->def.half_length, r = shape->def.radius;
  thud_profile p = {-h, h, 2, (double[]){r, r}, (double[]){-h, h}};
  return thud_surface_revolve(request, &p, made);
}

const thud_shape_class thud_shape_cylinder = {
    .name = "cylinder",
    .scene = {.word = "cylinder",
              .notation = THUD_NOTED_MAP,
              .parameters = {THUD_PARAMETER("radius", radius, 1), THUD_PARAMETER("length", half_length, 0.5)}},
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
