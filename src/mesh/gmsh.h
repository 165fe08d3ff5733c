/* Gmsh's files while they are read. */
#ifndef THUD_SRC_MESH_GMSH_H
#define THUD_SRC_MESH_GMSH_H

#include "mesh/mesh.h"

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

typedef struct gmsh_element { /* lines and triangles */
  int64_t node[3];            /* tags; a line has two, then -1 */
  int64_t group;              /* physical tag of a line, 0: none */
  size_t line;                /* of the file, for messages */
} gmsh_element;

/* Names of physical groups of lines, and the groups of curves (format 4.1). */
typedef struct gmsh_group {
  int64_t tag;
  char name[128];
} gmsh_group;
typedef struct gmsh_curve {
  int64_t tag, group;
} gmsh_curve;

typedef struct gmsh_file {
  gmsh_cursor in;
  bool fourth; /* format 4.1 */
  gmsh_node *nodes;
  gmsh_element *triangles, *lines;
  gmsh_group *groups;
  gmsh_curve *curves;
  size_t node_count, triangle_count, line_count, group_count, curve_count;
  size_t node_room, triangle_room, line_room, group_room, curve_room;
} gmsh_file;

/* gmsh_words.c */

/* THUD_ERROR_FORMAT with "name, line 7: " (binary: "byte 123") in front. */
thud_error thud_gmsh_fail(const gmsh_cursor *in, const char *format, ...) THUD_PRINTF(2, 3);
/* The next word of text. */
thud_error thud_gmsh_word(gmsh_cursor *in, char *word, size_t capacity);
/* wide: 8 bytes in binary files, otherwise 4. */
thud_error thud_gmsh_integer(gmsh_cursor *in, bool wide, int64_t *value);
thud_error thud_gmsh_real(gmsh_cursor *in, double *value);
/* A number of things of which each needs `least` bytes at least. */
thud_error thud_gmsh_count(gmsh_cursor *in, bool wide, size_t least, size_t *count);
/* Passes the rest of the line. */
void thud_gmsh_end_line(gmsh_cursor *in);

/* gmsh_sections.c: reads one section after its name. */
thud_error thud_gmsh_read_section(gmsh_file *file, const char *name);

#endif
