/* thud/mesh.h: triangle meshes of plane domains. Layer: elastic.
 *
 * Rectangles and discs are made here, others are read from Gmsh's files (.msh 2.2 and 4.1). The sides of a mesh have names:
 * groups of edges, which supports refer to. */
#ifndef THUD_MESH_H
#define THUD_MESH_H

#include "thud/base.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Arrays are borrowed. */
typedef struct thud_mesh_definition {
  thud_index nodes;               /* >= 3 */
  const double *xy;               /* [2*nodes] x and y of node 0, of node 1, ... */
  thud_index triangles;           /* >= 1 */
  const thud_index *triangle;     /* [3*triangles] nodes; both senses of rotation are taken */
  thud_index edges;               /* with a name; may be 0 */
  const thud_index *edge;         /* [2*edges] their ends; each is an edge of a triangle */
  const thud_index *edge_group;   /* [edges] 0..groups-1 */
  thud_index groups;              /* may be 0 */
  const char *const *group_names; /* [groups] */
  thud_index cells[2];            /* of thud_mesh_rectangle: how many in x and y, otherwise 0 */
} thud_mesh_definition;

typedef struct thud_mesh thud_mesh;

/* Copies the definition with its triangles counter-clockwise. THUD_ERROR_ARGUMENT names what is wrong: nodes that two
 * places share or no triangle has, triangles without area, edges of three triangles. `cells` is not read.
 * destroy(NULL) is allowed. */
THUD_API thud_error thud_mesh_create(thud_context *context, const thud_mesh_definition *definition, thud_mesh **mesh);
THUD_API void thud_mesh_destroy(thud_mesh *mesh);
/* The rectangle box[0] <= x <= box[2], box[1] <= y <= box[3] with cells[0] times cells[1] cells, each cut along the diagonal
 * from its lower left. Node i + j (cells[0] + 1). Groups "left", "right", "bottom", "top"; a corner belongs to two. */
THUD_API thud_error thud_mesh_rectangle(thud_context *context, const double box[4], const thud_index cells[2],
                                        thud_mesh **mesh);
/* A disc: node 0 in the centre, ring k of `rings` with 6 k nodes at k/rings of the radius. Group "edge". */
THUD_API thud_error thud_mesh_disc(thud_context *context, const double centre[2], double radius, thud_index rings,
                                   thud_mesh **mesh);
/* Text (or bytes) of a .msh file, format 2.2 or 4.1, ASCII or binary of this machine's byte order: its triangles in the
 * plane z = constant and its lines; physical groups of lines are the groups, lines without one are dropped, so are nodes
 * that no triangle has. THUD_ERROR_FORMAT with the line (of binary files: the byte) of what is wrong. name: for messages. */
THUD_API thud_error thud_mesh_read_gmsh(thud_context *context, const char *name, const char *bytes, size_t size,
                                        thud_mesh **mesh);
/* The mesh as text of a .msh file 2.2 that reads back as the same one; freed with thud_mesh_free_text. */
THUD_API thud_error thud_mesh_write_gmsh(const thud_mesh *mesh, char **text);
THUD_API void thud_mesh_free_text(const thud_mesh *mesh, char *text);
/* Contents of the mesh; borrowed from it. */
THUD_API thud_mesh_definition thud_mesh_get(const thud_mesh *mesh);
/* Number of the group with this name, -1: there is none. */
THUD_API thud_index thud_mesh_find_group(const thud_mesh *mesh, const char *name);

#ifdef __cplusplus
}
#endif
#endif
