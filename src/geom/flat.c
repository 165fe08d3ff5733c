/* The flat or straight part of a solid's surface that faces a direction. */
#include "geom/manifold.h"

enum { RIM_POINTS = 8 };
/* Faces whose cosines to the direction differ by less than this face it equally: the first one wins. */
#define SAME_COSINE 1e-7

/* Part numbers: faces from 0; for round solids these. */
enum { PART_LOW_END, PART_HIGH_END, PART_SIDE };

void thud_box_face(const thud_mat3 *axes, const double half[3], thud_vec3 centre, size_t k, double sign,
                   thud_flat *flat) {
  size_t k1 = (k + 1) % 3, k2 = (k + 2) % 3;
  thud_vec3 normal = thud_vec3_scale(sign, thud_mat3_column(axes, k));
  thud_vec3 u = thud_vec3_scale(half[k1], thud_mat3_column(axes, k1));
  thud_vec3 v = thud_vec3_scale(sign * half[k2], thud_mat3_column(axes, k2));
  thud_vec3 middle = thud_vec3_add_scaled(centre, half[k], normal);
  thud_vec3 right = thud_vec3_add(middle, u), left = thud_vec3_subtract(middle, u);
  flat->count = 4;
  flat->normal = normal;
  flat->name = (uint32_t)(2 * k + (sign > 0));
  flat->radius = 0;
  flat->points[0] = thud_vec3_subtract(left, v);
  flat->points[1] = thud_vec3_subtract(right, v);
  flat->points[2] = thud_vec3_add(right, v);
  flat->points[3] = thud_vec3_add(left, v);
}

void thud_box_face_facing(const thud_mat3 *axes, const double half[3], thud_vec3 centre, thud_vec3 direction,
                          thud_flat *flat) {
  double along[3];
  thud_vec3_store(thud_mat3_apply_transposed(*axes, direction), along);
  size_t best = 0;
  for (size_t k = 1; k < 3; k++)
    if (fabs(along[k]) > fabs(along[best]) + SAME_COSINE) best = k;
  thud_box_face(axes, half, centre, best, along[best] < 0 ? -1 : 1, flat);
}

/* A face with more corners than there is room for keeps as many as fit. */
void thud_flat_of_polyhedron(const thud_placed *placed, thud_vec3 direction, thud_vec3 local, thud_flat *flat) {
  (void)direction;
  const thud_polyhedron *solid = &placed->shape->polyhedron;
  thud_index best = 0;
  double most = -INFINITY;
  for (thud_index f = 0; f < solid->face_count; f++) {
    double cosine = thud_vec3_dot(solid->face_normals[f], local);
    if (cosine <= most + SAME_COSINE) continue;
    most = cosine;
    best = f;
  }
  size_t first = (size_t)solid->face_start[best], corners = (size_t)solid->face_start[best + 1] - first;
  flat->count = corners < THUD_FLAT_MAX ? corners : THUD_FLAT_MAX;
  flat->normal = thud_mat3_apply(placed->rotation, solid->face_normals[best]);
  flat->name = (uint32_t)best;
  flat->radius = 0;
  for (size_t i = 0; i < flat->count; i++) {
    thud_index corner = solid->face_vertices[first + i * corners / flat->count];
    flat->points[i] = thud_placed_point(placed, solid->vertices[corner]);
  }
}

/* An end of a cylinder or the base of a cone: points of its rim at fixed places. */
void thud_flat_disc(const thud_placed *placed, double z, thud_flat *flat) {
  static const double cosines[RIM_POINTS] = {1,  0.70710678118654752,  0, -0.70710678118654752,
                                             -1, -0.70710678118654752, 0, 0.70710678118654752};
  double r = placed->shape->def.radius, turn = z < 0 ? -1 : 1;
  flat->count = RIM_POINTS;
  flat->normal = thud_vec3_scale(turn, placed->rotation.cz);
  flat->name = z < 0 ? PART_LOW_END : PART_HIGH_END;
  flat->radius = r;
  flat->centre = thud_placed_point(placed, thud_vec3_make(0, 0, z));
  for (size_t i = 0; i < RIM_POINTS; i++) { /* the sine is the cosine two places before */
    thud_vec3 x = thud_vec3_make(r * cosines[i], turn * r * cosines[(i + RIM_POINTS - 2) % RIM_POINTS], z);
    flat->points[i] = thud_placed_point(placed, x);
  }
}

void thud_flat_segment(const thud_placed *placed, thud_vec3 p, thud_vec3 q, thud_flat *flat) {
  flat->count = 2;
  flat->normal = thud_vec3_make(0, 0, 0);
  flat->name = PART_SIDE;
  flat->radius = 0;
  flat->points[0] = thud_placed_point(placed, p);
  flat->points[1] = thud_placed_point(placed, q);
}

/* The line of a cylinder's or cone's side that faces the direction. */
void thud_flat_side_line(const thud_placed *placed, thud_vec3 local, double high_radius, thud_flat *flat) {
  double r = placed->shape->def.radius, half = placed->shape->def.half_length;
  double across = sqrt(local.x * local.x + local.y * local.y);
  double x = across > 0 ? local.x / across : 1, y = across > 0 ? local.y / across : 0;
  thud_flat_segment(placed, thud_vec3_make(r * x, r * y, -half), thud_vec3_make(high_radius * x, high_radius * y, half),
                    flat);
}

void thud_flat_facing(const thud_placed *placed, thud_vec3 direction, thud_flat *flat) {
  thud_vec3 local = thud_mat3_apply_transposed(placed->rotation, direction);
  if (placed->shape->class->facing != NULL) {
    placed->shape->class->facing(placed, direction, local, flat);
    return;
  }
  flat->count = 1;
  flat->normal = direction;
  flat->name = 0;
  flat->radius = 0;
  flat->points[0] = thud_placed_point(placed, placed->shape->class->support(placed->shape, local));
}
