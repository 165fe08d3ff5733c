/* Surfaces for drawing: one function per family of kinds (rows of shape.c). On failure what was allocated stays for the
 * caller to free. */
#ifndef THUD_SRC_GEOM_SURFACE_H
#define THUD_SRC_GEOM_SURFACE_H

#include "geom/shape.h"

/* What is asked for: points around a circle, and where planes end. */
typedef struct thud_surface_request {
  thud_context *context;
  size_t around;
  double extent;
} thud_surface_request;

typedef thud_error (*thud_surface_fn)(const thud_surface_request *request, const thud_shape *shape,
                                      thud_shape_surface *surface);

thud_error thud_surface_round(const thud_surface_request *request, const thud_shape *shape,
                              thud_shape_surface *surface); /* spheres, ellipsoids, capsules */
thud_error thud_surface_cylinder(const thud_surface_request *request, const thud_shape *shape,
                                 thud_shape_surface *surface);
thud_error thud_surface_cone(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *surface);
thud_error thud_surface_polyhedron(const thud_surface_request *request, const thud_shape *shape,
                                   thud_shape_surface *surface); /* boxes, hulls */
thud_error thud_surface_plane(const thud_surface_request *request, const thud_shape *shape,
                              thud_shape_surface *surface);
thud_error thud_surface_mesh(const thud_surface_request *request, const thud_shape *shape, thud_shape_surface *surface);
thud_error thud_surface_height_field(const thud_surface_request *request, const thud_shape *shape,
                                     thud_shape_surface *surface);
thud_error thud_surface_disc(const thud_surface_request *request, const thud_shape *shape,
                             thud_shape_surface *surface); /* planar capsules too */
thud_error thud_surface_outline(const thud_surface_request *request, const thud_shape *shape,
                                thud_shape_surface *surface); /* rectangles, polygons, segments */
thud_error thud_surface_half_plane(const thud_surface_request *request, const thud_shape *shape,
                                   thud_shape_surface *surface);

#endif
