/* Spheres, and discs of the plane; of radius 0 they are particles. */
#include "geom/collide.h"
#include "geom/shape_mass.h"
#include "geom/planar_core.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

static thud_error build(thud_shape *shape) {
  shape->reach = shape->def.radius;
  shape->thickness = 2 * shape->def.radius;
  return THUD_OK;
}

#define RADIUS THUD_PARAMETER("radius", radius, 1)

/* ---- sphere --------------------------------------------------------------------------------------------------------- */

static thud_vec3 sphere_support(const thud_shape *shape, thud_vec3 direction) {
  thud_vec3 unit = {0, 0, 0};
  thud_vec3_normalise(direction, &unit);
  return thud_vec3_scale(shape->def.radius, unit);
}

static thud_vec3 sphere_core(const thud_placed *placed, thud_vec3 direction) {
  (void)direction;
  return placed->position;
}

static thud_mass_properties sphere_mass(const thud_shape *shape) {
  double r = shape->def.radius, mass = 4 * THUD_PI / 3 * r * r * r, moment = 0.4 * mass * r * r;
  return thud_mass_diagonal(mass, moment, moment, moment);
}

static thud_nearest sphere_nearest(const thud_shape *shape, thud_vec3 x) {
  return thud_nearest_of_ball(x, thud_vec3_make(0, 0, 0), shape->def.radius, thud_vec3_make(0, 0, 1));
}

static thud_ray_span sphere_ray(const thud_shape *shape, const thud_ray *ray) {
  return thud_ray_in_ball(ray->origin, ray->way, shape->def.radius);
}

static thud_error sphere_surface(const thud_surface_request *request, const thud_shape *shape,
                                 thud_shape_surface *surface) {
  return thud_surface_round(request, shape->def.radius, 0, surface);
}

const thud_shape_class thud_shape_sphere = {
    .name = "sphere",
    .scene = {.word = "sphere", .notation = THUD_NOTED_NUMBER, .parameters = {RADIUS}, .without_size = "particle"},
    .convex = true,
    .may_move = true,
    .ball = true,
    .pairs = THUD_PAIRS_BALL,
    .needs = THUD_NEEDS_RADIUS_OR_ZERO,
    .build = build,
    .support = sphere_support,
    .core = sphere_core,
    .mass = sphere_mass,
    .nearest = sphere_nearest,
    .ray = sphere_ray,
    .surface = sphere_surface,
};

/* ---- disc ----------------------------------------------------------------------------------------------------------- */

static thud_vec3 disc_support(const thud_shape *shape, thud_vec3 direction) {
  return thud_circle_support(shape->def.radius, 0, direction);
}

static thud_mass_properties disc_mass(const thud_shape *shape) {
  double r = shape->def.radius, mass = THUD_PI * r * r;
  return thud_mass_diagonal(mass, 0, 0, mass * r * r / 2);
}

static void disc_core(const thud_shape *shape, thud_planar_core *core) {
  thud_planar_core_point(core);
  core->radius = shape->def.radius;
}

static thud_ray_span disc_ray(const thud_shape *shape, const thud_ray *ray) {
  return thud_ray_in_ball(thud_ray_flat(ray->origin), thud_ray_flat(ray->way), shape->def.radius);
}

static thud_error disc_surface(const thud_surface_request *request, const thud_shape *shape,
                               thud_shape_surface *surface) {
  return thud_surface_stadium(request, shape->def.radius, 0, surface);
}

const thud_shape_class thud_shape_disc = {
    .name = "disc",
    .scene = {.word = "disc", .notation = THUD_NOTED_NUMBER, .parameters = {RADIUS}, .without_size = "particle"},
    .planar = true,
    .convex = true,
    .may_move = true,
    .ball = true,
    .pairs = THUD_PAIRS_PLANAR,
    .needs = THUD_NEEDS_RADIUS_OR_ZERO,
    .build = build,
    .support = disc_support,
    .mass = disc_mass,
    .planar_core = disc_core,
    .ray = disc_ray,
    .surface = disc_surface,
};
