/* thud/mesh.h: triangle meshes of plane domains, and meshes of solids in the plane and in space. Layer: elastic.
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

/* ---- solids ------------------------------------------------------------------------------------------------------- */

/* Triangles in the plane or tetrahedra in space, of first or second order. Elements list their corners, then the nodes in the
 * middles of their edges in Gmsh's order: of triangles 01, 12, 20, of tetrahedra 01, 12, 02, 03, 23, 13. Sides (lines of
 * triangles, triangles of tetrahedra) likewise. Groups have a name and a dimension: that of the mesh for elements, one less for
 * sides, still less for single nodes (of points, and of curves in space). Arrays are borrowed. */
typedef struct thud_solid_mesh_definition {
  thud_index dimension;      /* 2 or 3 */
  thud_index order;          /* 1 or 2 */
  thud_index nodes;          /* > dimension */
  const double *place;       /* [dimension*nodes] */
  thud_index elements;       /* >= 1 */
  const thud_index *element; /* [thud_solid_mesh_corners(dimension, order)*elements] both orientations are taken */
  const thud_index *element_group;   /* [elements] */
  thud_index sides;                  /* with a name; may be 0 */
  const thud_index *side;            /* [thud_solid_mesh_corners(dimension - 1, order)*sides] sides of elements */
  const thud_index *side_group;      /* [sides] */
  thud_index marks;                  /* single nodes with a name; may be 0 */
  const thud_index *mark;            /* [marks] */
  const thud_index *mark_group;      /* [marks] */
  thud_index groups;                 /* >= 1 */
  const char *const *group_names;    /* [groups] */
  const thud_index *group_dimension; /* [groups] */
  const unsigned char *side_inside;  /* [sides] 1: elements lie on both sides of it; not read by create */
  thud_index skins;       /* sides in space with an element on one side only; 0 in the plane, not read by create */
  const thud_index *skin; /* [3*skins] their corners, seen from outside anticlockwise */
} thud_solid_mesh_definition;

typedef struct thud_solid_mesh thud_solid_mesh;

/* Nodes of a line (dimension 1), triangle (2) or tetrahedron (3) of order 1 or 2: 2, 3; 3, 6; 4, 10. 0 for others. */
THUD_API thud_index thud_solid_mesh_corners(thud_index dimension, thud_index order);
/* Copies the definition with its elements turned to positive volumes and its sides so that their normals point outwards.
 * THUD_ERROR_ARGUMENT names the element and its place, or the side: elements without volume, second-order ones that are folded
 * over at a node, elements that overlap at a side, sides of three elements, sides of no element, nodes of no element.
 * destroy(NULL) is allowed. */
THUD_API thud_error thud_solid_mesh_create(thud_context *context, const thud_solid_mesh_definition *definition,
                                           thud_solid_mesh **mesh);
THUD_API void thud_solid_mesh_destroy(thud_solid_mesh *mesh);
/* The box low[d] <= x_d <= high[d] with cells[d] cells in each direction; dimension 2: each is cut into 2 triangles along the
 * diagonal from its lower left, 3: into 6 tetrahedra around the diagonal from its lowest corner. Groups "body" of the elements;
 * "left", "right" (x), "bottom", "top" (y of the plane, z in space), "front", "back" (y in space) of the sides. */
THUD_API thud_error thud_solid_mesh_box(thud_context *context, thud_index dimension, const double *low,
                                        const double *high, const thud_index *cells, thud_index order,
                                        thud_solid_mesh **mesh);
/* Text (or bytes) of a .msh file, format 2.2 or 4.1, ASCII or binary: its tetrahedra, or without any its triangles in a plane z =
 * constant. Physical groups are the groups; elements without one are in the group "body", sides without one are dropped.
 * THUD_ERROR_FORMAT with the line (of binary files: the byte) of what is wrong. name: for messages. */
THUD_API thud_error thud_solid_mesh_read_gmsh(thud_context *context, const char *name, const char *bytes, size_t size,
                                              thud_solid_mesh **mesh);
/* The mesh as text of a .msh file 2.2 that reads back as the same one; freed with thud_solid_mesh_free_text. */
THUD_API thud_error thud_solid_mesh_write_gmsh(const thud_solid_mesh *mesh, char **text);
THUD_API void thud_solid_mesh_free_text(const thud_solid_mesh *mesh, char *text);
/* What the mesh holds; borrowed from it. */
THUD_API thud_solid_mesh_definition thud_solid_mesh_get(const thud_solid_mesh *mesh);
/* Number of the group with this name and dimension, -1: there is none. */
THUD_API thud_index thud_solid_mesh_find_group(const thud_solid_mesh *mesh, const char *name, thud_index dimension);

#ifdef __cplusplus
}
#endif
#endif
