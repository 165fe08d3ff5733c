/* Surfaces for drawing: what the shapes make theirs of. On failure what was allocated stays for the caller to free. */
#ifndef THUD_SRC_GEOM_SURFACE_H
#define THUD_SRC_GEOM_SURFACE_H

#include "geom/shape_class.h"

/* A request: points around a circle, and where planes end. */
struct thud_surface_request {
  thud_context *context;
  size_t around;
  double extent;
};

/* Room for so many, then one by one. */
thud_error thud_surface_allocate(thud_context *context, size_t points, size_t triangles, thud_shape_surface *surface);
void thud_surface_point(thud_shape_surface *surface, thud_vec3 x);
void thud_surface_triangle(thud_shape_surface *surface, size_t a, size_t b, size_t c);

/* Circles around z, from the lowest to the highest, between two points of the axis. */
typedef struct thud_profile {
  double bottom, top;
  size_t count;
  double *radii, *heights; /* [count] */
} thud_profile;
thud_error thud_surface_revolve(const thud_surface_request *request, const thud_profile *p,
                                thud_shape_surface *surface);
/* A ball (half_length 0), a capsule, or a point (both 0). */
thud_error thud_surface_round(const thud_surface_request *request, double radius, double half_length,
                              thud_shape_surface *surface);
/* The faces of the polyhedron as fans. */
thud_error thud_surface_polyhedron(const thud_surface_request *request, const thud_shape *shape,
                                   thud_shape_surface *surface);
/* Its vertices, counter-clockwise. */
thud_error thud_surface_outline(const thud_surface_request *request, const thud_shape *shape,
                                thud_shape_surface *surface);
/* A disc (half_length 0), a planar capsule along y, or a point (both 0). */
thud_error thud_surface_stadium(const thud_surface_request *request, double radius, double half_length,
                                thud_shape_surface *surface);
/* The corners of the rectangle [-e, e] x [-e, top], e: the extent, with room for triangles. */
thud_error thud_surface_rectangle(const thud_surface_request *request, double top, size_t triangles,
                                  thud_shape_surface *surface);

#endif
