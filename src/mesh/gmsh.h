/* Inside of the readers of Gmsh's files: what a file holds (gmsh_file.c), as meshes of plane surfaces (gmsh.c) and of
 * solids (gmsh_solid.c). */
#ifndef THUD_SRC_MESH_GMSH_H
#define THUD_SRC_MESH_GMSH_H

#include "base/base.h"

#include <stdint.h>

/* Where reading is. Numbers are words of text, or bytes of the machine in binary sections. */
typedef struct gmsh_cursor {
  thud_context *context;
  const char *name, *bytes;
  size_t size, at, line;
  bool binary;
} gmsh_cursor;

typedef struct gmsh_node {
  int64_t tag;
  double x, y, z;
  thud_index index; /* in the mesh, -1: not used yet */
} gmsh_node;

enum {
  GMSH_LINE = 1,
  GMSH_TRIANGLE = 2,
  GMSH_TETRAHEDRON = 4,
  GMSH_LINE3 = 8,
  GMSH_TRIANGLE6 = 9,
  GMSH_TETRAHEDRON10 = 11,
  GMSH_POINT = 15
};
enum { GMSH_MOST_NODES = 10 };

typedef struct gmsh_element {
  int type;                      /* GMSH_... */
  int64_t node[GMSH_MOST_NODES]; /* tags; -1 behind the last one */
  int64_t group;                 /* physical tag, 0: none */
  size_t line;                   /* of the file, for messages */
} gmsh_element;

/* Names of physical groups, and the groups of points, curves, surfaces and volumes (format 4.1). */
typedef struct gmsh_group {
  int64_t dimension, tag;
  char name[128];
} gmsh_group;
typedef struct gmsh_member {
  int64_t dimension, tag, group;
} gmsh_member;

typedef struct gmsh_file {
  gmsh_cursor in;
  bool fourth;      /* format 4.1 */
  bool solid;       /* second order and tetrahedra are taken, too, and physical groups of every dimension */
  gmsh_node *nodes; /* sorted by their tags */
  gmsh_element *points, *lines, *triangles, *tetrahedrons; /* by their dimension; of both orders */
  gmsh_group *groups;
  gmsh_member *members;
  size_t node_count, point_count, line_count, triangle_count, tetrahedron_count, group_count, member_count;
  size_t node_room, point_room, line_room, triangle_room, tetrahedron_room, group_room, member_room;
} gmsh_file;

/* Reads all sections and sorts the nodes; what the file holds is to be freed also after a failure. */
thud_error thud_gmsh_read(gmsh_file *file);
void thud_gmsh_free(gmsh_file *file);
/* THUD_ERROR_FORMAT with "name, line 7: " (binary: "byte 123") in front. */
thud_error thud_gmsh_fail(const gmsh_cursor *in, const char *format, ...) THUD_PRINTF(2, 3);
/* The node with a tag, NULL: there is none. */
gmsh_node *thud_gmsh_find_node(const gmsh_file *file, int64_t tag);
/* Number of the group among those of the file, which gets a name from its tag when it has none; SIZE_MAX: no memory. */
size_t thud_gmsh_find_group(gmsh_file *file, int64_t dimension, int64_t tag);
/* Nodes of an element of this type; 0: the type is not known. */
int thud_gmsh_corners(int64_t type);

#endif
