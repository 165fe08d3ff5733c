/* Convex hulls of points in space. */
#ifndef THUD_SRC_GEOM_HULL_H
#define THUD_SRC_GEOM_HULL_H

#include "geom/shape.h"

/* Relative to the extent of the points: thinner hulls are degenerate (hulls in space and polygons). */
#define THUD_HULL_DEGENERATE 1e-9
/* Relative to the extent: triangles whose corners are this near to a plane are one face. */
#define THUD_HULL_COPLANAR 1e-10
/* The same relative to the thickness; the smaller one counts. */
#define THUD_HULL_THIN 1e-3

/* Triangles of the hull, counter-clockwise seen from outside; corners[3*count] are numbers of points. */
typedef struct thud_hull_triangles {
  thud_index count;
  thud_index *corners; /* to be freed by the caller */
} thud_hull_triangles;

/* By qhull, which neither prints nor ends the program; points[count] in the unit cube or about that. */
thud_error thud_hull_triangulate(thud_context *context, thud_index count, const thud_vec3 *points,
                                 thud_hull_triangles *triangles);
/* Merges coplanar triangles to faces. tolerance: a length; negative: triangles stay as they are. THUD_ERROR_INTERNAL without
 * a message when what comes out is no polyhedron. */
thud_error thud_hull_merge(thud_context *context, const thud_vec3 *points, const thud_hull_triangles *triangles,
                           thud_index point_count, double tolerance, thud_polyhedron *polyhedron);

#endif
