/* Capsules: segments with a ball around each of their points, along z in space and along y in the plane. */
#include "geom/manifold.h"
#include "geom/shape_mass.h"
#include "geom/planar_core.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

#define RADIUS_AND_LENGTH                                                                                              \
  { THUD_PARAMETER("radius", radius, 1), THUD_PARAMETER("length", half_length, 0.5) }

static thud_error build(thud_shape *shape) {
  shape->reach = shape->def.half_length + shape->def.radius;
  shape->thickness = 2 * shape->def.radius;
  return THUD_OK;
}

/* Along an axis, with round ends: the cylinder between them and two balls. */
static thud_ray_span ray_span(const thud_shape *shape, const thud_ray *ray) {
  const thud_shape_def *def = &shape->def;
  bool planar = shape->class->planar;
  thud_vec3 axis = planar ? thud_vec3_make(0, 1, 0) : thud_vec3_make(0, 0, 1);
  thud_vec3 o = ray->origin, d = ray->way;
  if (planar) o = thud_ray_flat(o), d = thud_ray_flat(d);
  thud_vec3 across[2] = {thud_vec3_add_scaled(o, -thud_vec3_dot(axis, o), axis),
                         thud_vec3_add_scaled(d, -thud_vec3_dot(axis, d), axis)};
  thud_ray_span span = thud_ray_in_ball(across[0], across[1], def->radius),
                slab = thud_ray_in_slab(ray, axis, def->half_length);
  thud_ray_cut(&span, &slab);
  for (int side = -1; side <= 1; side += 2) {
    thud_ray_span ball = thud_ray_in_ball(thud_vec3_add_scaled(o, side * def->half_length, axis), d, def->radius);
    thud_ray_join(&span, &ball);
  }
  return span;
}

/* ---- in space ------------------------------------------------------------------------------------------------------- */

static thud_vec3 support(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 unit = {0, 0, 0};
  thud_vec3_normalise(direction, &unit);
  thud_vec3 x = thud_vec3_scale(shape->def.radius, unit);
  x.z += direction.z >= 0 ? shape->def.half_length : -shape->def.half_length;
  return x;
}

static thud_vec3 core(const thud_placed *placed, thud_vec3 direction) {
  double half_length = placed->shape->def.half_length;
  double side = thud_vec3_dot(placed->rotation.cz, direction) < 0 ? -half_length : half_length;
  return thud_vec3_add_scaled(placed->position, side, placed->rotation.cz);
}

/* A cylinder and two half-balls, each with its centre 3r/8 from its base. */
static thud_mass_properties mass(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double rod = 2 * THUD_PI * r * r * h, caps = 4 * THUD_PI / 3 * r * r * r;
  double across = rod * (r * r / 4 + h * h / 3) + caps * (0.4 * r * r + h * h + 0.75 * h * r);
  return thud_mass_diagonal(rod + caps, across, across, rod * r * r / 2 + 0.4 * caps * r * r);
}

static thud_nearest nearest(const thud_shape *shape, thud_vec3 x) {
  double half = shape->def.half_length, z = x.z > half ? half : x.z < -half ? -half : x.z;
  return thud_nearest_of_ball(x, thud_vec3_make(0, 0, z), shape->def.radius, thud_vec3_make(1, 0, 0));
}

/* The line of the side. */
static void facing(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat) {
  const thud_shape_def *def = &placed->shape->def;
  (void)direction;
  thud_vec3 out = thud_vec3_scale(def->radius, local), half = thud_vec3_make(0, 0, def->half_length);
  thud_flat_segment(placed, thud_vec3_subtract(out, half), thud_vec3_add(out, half), flat);
}

static size_t on_plane(const thud_ground *ground, const thud_shape *shape, thud_touch *touches) {
  thud_vec3 low = thud_vec3_scale(-shape->def.radius, ground->normal);
  size_t taken = 0;
  for (uint32_t end = 0; end < 2; end++) {
    thud_vec3 tip = thud_vec3_make(0, 0, end == 0 ? -shape->def.half_length : shape->def.half_length);
    taken += thud_ground_touch(ground, thud_vec3_add(tip, low), end, &touches[taken]);
  }
  return taken;
}

static thud_error surface(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *made) {
  return thud_surface_round(request, shape->def.radius, shape->def.half_length, made);
}

const thud_shape_class thud_shape_capsule = {
    .name = "capsule",
    .scene = {.word = "capsule", .notation = THUD_NOTED_MAP, .parameters = RADIUS_AND_LENGTH},
    .convex = true,
    .may_move = true,
    .pairs = THUD_PAIRS_CAPSULE,
    .needs = THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH,
    .build = build,
    .support = support,
    .core = core,
    .mass = mass,
    .nearest = nearest,
    .facing = facing,
    .on_plane = on_plane,
    .ray = ray_span,
    .surface = surface,
};

/* ---- in the plane --------------------------------------------------------------------------------------------------- */

static thud_vec3 planar_support(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 x = thud_circle_support(shape->def.radius, 0, direction);
  x.y += direction.y >= 0 ? shape->def.half_length : -shape->def.half_length;
  return x;
}

/* A rectangle and two half-discs, each with its centre 4r/(3 pi) from its base. */
static thud_mass_properties planar_mass(const thud_shape *shape) {
  double r = shape->def.radius, h = shape->def.half_length;
  double bar = 4 * r * h, caps = THUD_PI * r * r;
  return thud_mass_diagonal(bar + caps, 0, 0,
                            bar * (r * r + h * h) / 3 + caps * (r * r / 2 + h * h + 8 * h * r / (3 * THUD_PI)));
}

static void planar_core(const thud_shape *shape, thud_planar_core *made) {
  double half_length = shape->def.half_length;
  thud_planar_core_segment(made, thud_vec3_make(0, -half_length, 0), thud_vec3_make(0, half_length, 0));
  made->radius = shape->def.radius;
}

static thud_error planar_surface(const thud_surface_request *request, const thud_shape *shape,
                                 thud_shape_surface *made) {
  return thud_surface_stadium(request, shape->def.radius, shape->def.half_length, made);
}

const thud_shape_class thud_shape_planar_capsule = {
    .name = "planar-capsule",
    .scene = {.word = "capsule", .notation = THUD_NOTED_MAP, .parameters = RADIUS_AND_LENGTH},
    .planar = true,
    .convex = true,
    .may_move = true,
    .pairs = THUD_PAIRS_PLANAR,
    .needs = THUD_NEEDS_RADIUS | THUD_NEEDS_HALF_LENGTH,
    .build = build,
    .support = planar_support,
    .mass = planar_mass,
    .planar_core = planar_core,
    .ray = ray_span,
    .surface = planar_surface,
};
