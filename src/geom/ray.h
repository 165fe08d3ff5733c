/* Rays against shapes: the part of a line in a convex set, and the sets that shapes are made of. */
#ifndef THUD_SRC_GEOM_RAY_H
#define THUD_SRC_GEOM_RAY_H

#include "geom/shape_class.h"

/* Points origin + t way with enter <= t <= leave; the normal is that of the set where it is entered. */
struct thud_ray_span {
  double enter, leave;
  thud_vec3 normal;
};

static inline thud_ray_span thud_ray_whole(void) { return (thud_ray_span){.enter = -INFINITY, .leave = INFINITY}; }
static inline thud_ray_span thud_ray_none(void) { return (thud_ray_span){.enter = INFINITY, .leave = -INFINITY}; }
static inline bool thud_ray_is_empty(const thud_ray_span *span) { return !(span->enter <= span->leave); }
static inline thud_vec3 thud_ray_flat(thud_vec3 v) { return thud_vec3_make(v.x, v.y, 0); }

/* The intersection of both sets. */
void thud_ray_cut(thud_ray_span *span, const thud_ray_span *by);
/* The hull of both spans: that of a convex union. */
void thud_ray_join(thud_ray_span *span, const thud_ray_span *other);

/* n . x <= offset, with the unit vector n. */
thud_ray_span thud_ray_in_half_space(const thud_ray *ray, thud_vec3 n, double offset);
/* |n . x| <= half. */
thud_ray_span thud_ray_in_slab(const thud_ray *ray, thud_vec3 n, double half);
/* |x| <= radius; cylinders and discs leave out z of origin and way. */
thud_ray_span thud_ray_in_ball(thud_vec3 origin, thud_vec3 way, double radius);
/* Below all faces. */
thud_ray_span thud_ray_in_polyhedron(const thud_shape *shape, const thud_ray *ray);
/* Any convex shape by its support function alone. */
thud_ray_span thud_ray_by_separation(const thud_shape *shape, const thud_ray *ray);

/* The part of the ray in a box that is widened by rounding: *from and *to, which are given, are narrowed; false: none. */
bool thud_ray_in_box(const thud_ray *ray, const thud_bounds *box, double *from, double *to);

#endif
