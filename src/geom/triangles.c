/* Surfaces of triangles: what meshes and height fields have in common. */
#include "geom/triangles.h"

void thud_surface_visit(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user) {
  surface->class->triangles->visit(surface, box, visit, user);
}

void thud_surface_get(const thud_shape *surface, thud_index number, thud_triangle *triangle) {
  surface->class->triangles->get(surface, number, triangle);
}

thud_rise thud_surface_rise(const thud_shape *surface, const thud_triangle *triangle, int k, thud_vec3 direction) {
  return surface->class->triangles->rise(surface, triangle->number, k, direction);
}

/* Where the neighbour neither rises nor falls it goes on in the plane, or lies folded back behind the triangle. */
void thud_triangle_set_beyond(thud_triangle *triangle, int k, thud_vec3 beyond) {
  thud_vec3 start = triangle->corners[k], d = thud_vec3_subtract(beyond, start);
  thud_vec3 outward = thud_vec3_cross(thud_vec3_subtract(triangle->corners[(k + 1) % 3], start), triangle->normal);
  double rise = thud_vec3_dot(triangle->normal, d), flat = THUD_EDGE_FLAT * thud_vec3_norm(d);
  bool folded = thud_vec3_dot(outward, d) < 0;
  triangle->beyond[k] = beyond;
  triangle->edges[k] = rise > flat              ? THUD_EDGE_CONCAVE
                       : rise < -flat || folded ? THUD_EDGE_CONVEX
                                                : THUD_EDGE_FLAT_INSIDE;
}
