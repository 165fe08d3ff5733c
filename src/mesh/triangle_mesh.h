/* Triangle meshes inside: what one holds, and its edges. */
#ifndef THUD_SRC_MESH_TRIANGLE_MESH_H
#define THUD_SRC_MESH_TRIANGLE_MESH_H

#include "thud/mesh.h"

struct thud_mesh {
  thud_context *context;
  thud_index nodes, triangles, edges, groups, cells[2];
  double *xy;
  thud_index *triangle, *edge, *edge_group;
  char **group_names;
};

/* An edge of triangles, a < b, found while going through them in order. */
typedef struct mesh_edge {
  thud_index a, b;
  thud_index triangle[2]; /* -1: none */
  int corner[2];          /* of the triangle that lies opposite */
} mesh_edge;

/* All edges, sorted by (a, b); freed with thud_free. THUD_ERROR_ARGUMENT names an edge of three triangles. */
thud_error thud_mesh_all_edges(const thud_mesh *mesh, mesh_edge **edges, thud_index *count);
/* Index of the edge with these ends in such a list, -1: there is none. */
thud_index thud_mesh_edge_index(const mesh_edge *edges, thud_index count, thud_index a, thud_index b);
/* Twice the signed area of the triangle with corners p, q, r. */
static inline double mesh_twice_area(const double *p, const double *q, const double *r) {
  return (q[0] - p[0]) * (r[1] - p[1]) - (r[0] - p[0]) * (q[1] - p[1]);
}

#endif
