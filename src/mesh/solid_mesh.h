/* Meshes of solids inside: what one holds. */
#ifndef THUD_SRC_MESH_SOLID_MESH_H
#define THUD_SRC_MESH_SOLID_MESH_H

#include "base/base.h"
#include "thud/mesh.h"

enum { SOLID_MOST = 1 << 26 }; /* elements, and nodes */

struct thud_solid_mesh {
  thud_context *context;
  thud_index dimension, order, nodes, elements, sides, marks, groups;
  thud_index corners, side_corners; /* nodes of an element, of a side */
  double *place;
  thud_index *element, *element_group, *side, *side_group, *mark, *mark_group, *group_dimension;
  char **group_names;
  unsigned char *side_inside;
  thud_index skins, *skin;
};

/* "(0.5, 1)" or "(0.5, 1, 0)". */
THUD_FOR_IO const char *thud_solid_mesh_place(thud_index dimension, const double *place, char text[80]);

#endif
