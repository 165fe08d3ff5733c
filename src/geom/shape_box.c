/* Boxes, and rectangles of the plane. */
#include "geom/manifold.h"
#include "geom/shape_mass.h"
#include "geom/polyhedron.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

#define EDGES                                                                                                          \
  { THUD_PARAMETER("edges", half, 0.5) }

/* Serves rectangles too: half[2] is 0 there. */
static thud_vec3 support(const thud_shape *shape, thud_vec3 direction) {
  const double *half = shape->def.half;
  return thud_vec3_make(direction.x >= 0 ? half[0] : -half[0], direction.y >= 0 ? half[1] : -half[1],
                        direction.z >= 0 ? half[2] : -half[2]);
}

static thud_ray_span ray_span(const thud_shape *shape, const thud_ray *ray) {
  int axes = shape->class->planar ? 2 : 3;
  static const thud_vec3 n[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  thud_ray_span span = thud_ray_whole();
  for (int k = 0; k < axes; k++) {
    thud_ray_span slab = thud_ray_in_slab(ray, n[k], shape->def.half[k]);
    thud_ray_cut(&span, &slab);
  }
  return span;
}

/* ---- box ------------------------------------------------------------------------------------------------------------- */

/* Vertex number: bit 0 set: +x, bit 1: +y, bit 2: +z. Faces: -x, +x, -y, +y, -z, +z. */
static thud_error build_box(thud_shape *shape) {
  static const thud_index corners[24] = {0, 4, 6, 2, 1, 3, 7, 5, 0, 1, 5, 4, 2, 6, 7, 3, 0, 2, 3, 1, 4, 5, 7, 6};
  const double *half = shape->def.half;
  thud_polyhedron *p = &shape->polyhedron;
  thud_error error = thud_polyhedron_allocate(shape->context, 8, 6, 24, p);
  if (error != THUD_OK) return error;
  for (int i = 0; i < 8; i++)
    p->vertices[i] = thud_vec3_make(i & 1 ? half[0] : -half[0], i & 2 ? half[1] : -half[1], i & 4 ? half[2] : -half[2]);
  for (int c = 0; c < 24; c++) p->face_vertices[c] = corners[c];
  for (int f = 0; f <= 6; f++) p->face_start[f] = 4 * f;
  for (int f = 0; f < 6; f++) { /* exact, whatever the edges' ratio */
    double sign = f & 1 ? 1 : -1;
    p->face_normals[f] = thud_vec3_make(f / 2 == 0 ? sign : 0, f / 2 == 1 ? sign : 0, f / 2 == 2 ? sign : 0);
    p->face_offsets[f] = half[f / 2];
  }
  shape->reach = thud_vec3_norm(p->vertices[7]);
  shape->thickness = 2 * fmin(half[0], fmin(half[1], half[2]));
  return thud_polyhedron_connect(shape->context, p);
}

static thud_mass_properties box_mass(const thud_shape *shape) {
  double a = shape->def.half[0], b = shape->def.half[1], c = shape->def.half[2];
  double mass = 8 * a * b * c;
  return thud_mass_diagonal(mass, mass * (b * b + c * c) / 3, mass * (c * c + a * a) / 3, mass * (a * a + b * b) / 3);
}

static thud_nearest nearest(const thud_shape *shape, thud_vec3 x) {
  double at[3], clamped[3];
  thud_vec3_store(x, at);
  size_t face = 0;
  double least = INFINITY;
  bool inside = true;
  for (size_t i = 0; i < 3; i++) {
    double half = shape->def.half[i], depth = half - fabs(at[i]);
    clamped[i] = at[i] > half ? half : at[i] < -half ? -half : at[i];
    inside = inside && depth >= 0;
    if (depth < least) {
      least = depth;
      face = i;
    }
  }
  double normal[3] = {0, 0, 0};
  normal[face] = at[face] < 0 ? -1 : 1;
  if (inside) clamped[face] = normal[face] * shape->def.half[face];
  thud_nearest nearest = thud_nearest_make(x, thud_vec3_load(clamped), thud_vec3_load(normal));
  return inside ? nearest : thud_nearest_outside(x, nearest.point, nearest.normal);
}

static void facing(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat) {
  (void)local;
  thud_box_face_facing(&placed->rotation, placed->shape->def.half, placed->position, direction, flat);
}

const thud_shape_class thud_shape_box = {
    .name = "box",
    .scene = {.word = "box", .notation = THUD_NOTED_LIST, .parameters = EDGES},
    .convex = true,
    .may_move = true,
    .box = true,
    .faceted = true,
    .pairs = THUD_PAIRS_BOX,
    .needs = THUD_NEEDS_HALF_3,
    .build = build_box,
    .support = support,
    .mass = box_mass,
    .nearest = nearest,
    .facing = facing,
    .on_plane = thud_ground_vertices,
    .ray = ray_span,
    .surface = thud_surface_polyhedron,
};

/* ---- rectangle ------------------------------------------------------------------------------------------------------ */

/* Counter-clockwise from the corner with the smallest coordinates. */
static thud_error build_rectangle(thud_shape *shape) {
  thud_error error = thud_outline_allocate(shape, 4);
  if (error != THUD_OK) return error;
  double a = shape->def.half[0], b = shape->def.half[1];
  thud_vec3 *v = shape->polyhedron.vertices;
  v[0] = thud_vec3_make(-a, -b, 0);
  v[1] = thud_vec3_make(a, -b, 0);
  v[2] = thud_vec3_make(a, b, 0);
  v[3] = thud_vec3_make(-a, b, 0);
  shape->thickness = 2 * fmin(a, b);
  return thud_outline_finish(shape);
}

static thud_mass_properties rectangle_mass(const thud_shape *shape) {
  double a = shape->def.half[0], b = shape->def.half[1], mass = 4 * a * b;
  return thud_mass_diagonal(mass, 0, 0, mass * (a * a + b * b) / 3);
}

const thud_shape_class thud_shape_rectangle = {
    .name = "rectangle",
    .scene = {.word = "box", .notation = THUD_NOTED_LIST, .parameters = EDGES},
    .planar = true,
    .convex = true,
    .may_move = true,
    .box = true,
    .pairs = THUD_PAIRS_PLANAR,
    .needs = THUD_NEEDS_HALF_2,
    .build = build_rectangle,
    .support = support,
    .mass = rectangle_mass,
    .planar_core = thud_planar_core_outline,
    .ray = ray_span,
    .surface = thud_surface_outline,
};
