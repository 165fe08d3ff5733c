/* Planes: half-spaces of space, and half-planes of the plane. */
#include "geom/collide.h"
#include "geom/planar_core.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

static thud_error build(thud_shape *shape) {
  shape->reach = INFINITY;
  shape->thickness = INFINITY;
  return THUD_OK;
}

/* ---- in space ------------------------------------------------------------------------------------------------------- */

static thud_nearest nearest(const thud_shape *shape, thud_vec3 x) {
  (void)shape;
  return thud_nearest_make(x, thud_vec3_make(x.x, x.y, 0), thud_vec3_make(0, 0, 1));
}

static thud_ray_span plane_ray(const thud_shape *shape, const thud_ray *ray) {
  (void)shape;
  return thud_ray_in_half_space(ray, thud_vec3_make(0, 0, 1), 0);
}

static thud_error plane_surface(const thud_surface_request *request, const thud_shape *shape,
                                thud_shape_surface *surface) {
  (void)shape;
  thud_error error = thud_surface_rectangle(request, request->extent, 2, surface);
  if (error != THUD_OK) return error;
  thud_surface_triangle(surface, 0, 1, 2);
  thud_surface_triangle(surface, 0, 2, 3);
  return THUD_OK;
}

const thud_shape_class thud_shape_plane = {
    .name = "plane",
    .scene = {.word = "plane", .notation = THUD_NOTED_BARE},
    .pairs = THUD_PAIRS_PLANE,
    .build = build,
    .nearest = nearest,
    .ray = plane_ray,
    .surface = plane_surface,
};

/* ---- in the plane --------------------------------------------------------------------------------------------------- */

static void half_plane_core(const thud_shape *shape, thud_planar_core *core) {
  (void)shape;
  thud_planar_core_point(core);
  core->own_normals[0] = thud_vec3_make(0, 1, 0);
  core->edge_count = 1;
  core->endless = true;
}

static thud_ray_span half_plane_ray(const thud_shape *shape, const thud_ray *ray) {
  (void)shape;
  return thud_ray_in_half_space(ray, thud_vec3_make(0, 1, 0), 0);
}

static thud_error half_plane_surface(const thud_surface_request *request, const thud_shape *shape,
                                     thud_shape_surface *surface) {
  (void)shape;
  return thud_surface_rectangle(request, 0, 0, surface);
}

const thud_shape_class thud_shape_half_plane = {
    .name = "half-plane",
    .scene = {.word = "half_plane", .notation = THUD_NOTED_BARE},
    .planar = true,
    .pairs = THUD_PAIRS_PLANAR,
    .build = build,
    .planar_core = half_plane_core,
    .ray = half_plane_ray,
    .surface = half_plane_surface,
};
