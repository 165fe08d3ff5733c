/* Convex polyhedra of shapes: making and measuring them. */
#ifndef THUD_SRC_GEOM_POLYHEDRON_H
#define THUD_SRC_GEOM_POLYHEDRON_H

#include "geom/planar_core.h"

/* Polyhedra of more vertices find supports by climbing along edges. */
enum { THUD_SUPPORT_SCAN = 32 };

/* Room for so many vertices, faces and corners of faces; on failure what was allocated stays for thud_polyhedron_free. */
thud_error thud_polyhedron_allocate(thud_context *context, thud_index vertices, thud_index faces, thud_index corners,
                                    thud_polyhedron *polyhedron);
void thud_polyhedron_free(thud_context *context, thud_polyhedron *polyhedron);
/* From vertices, face_start and face_vertices: the edges (each is in two faces), and the neighbours of every vertex in
 * ascending order. */
thud_error thud_polyhedron_connect(thud_context *context, thud_polyhedron *polyhedron);
/* Normals by Newell's sum (unchanged by the choice of a corner) and offsets: the largest normal . x of the face's vertices. */
void thud_polyhedron_find_planes(thud_polyhedron *polyhedron);
/* The outline through the vertices, which are set: faces, normals, offsets, edges, neighbours. */
thud_error thud_polyhedron_outline(thud_context *context, thud_polyhedron *polyhedron);
/* The smallest extent along a face's normal; in the plane that is the width. */
double thud_polyhedron_width(const thud_polyhedron *polyhedron);
/* The mean of the vertices. */
thud_vec3 thud_polyhedron_middle(const thud_polyhedron *polyhedron);
/* The largest distance of a vertex from the origin. */
double thud_polyhedron_reach(const thud_polyhedron *polyhedron);
/* The farthest vertex of the shape's polyhedron. */
thud_vec3 thud_support_vertices(const thud_shape *shape, thud_vec3 direction);

/* Shapes of the plane with corners: room for an outline of so many vertices; then, with the vertices set, everything else. */
thud_error thud_outline_allocate(thud_shape *shape, thud_index vertices);
thud_error thud_outline_finish(thud_shape *shape);
void thud_planar_core_outline(const thud_shape *shape, thud_planar_core *core);

#endif
