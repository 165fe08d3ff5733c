/* Inside of shapes. A shape is constant after its creation; narrow phases read this struct and nothing else. */
#ifndef THUD_SRC_GEOM_SHAPE_H
#define THUD_SRC_GEOM_SHAPE_H

#include "base/base.h"
#include "thud/geom.h"

/* A convex polyhedron, outward. Hulls and boxes have one; of polygons and rectangles the outline: face i is the edge from
 * vertex i to i+1 (face_vertices 2i, 2i+1; face_count = edge_count = vertex_count). A segment has two vertices, one edge
 * and two faces: from 0 to 1 with the normal to the right of it, and back. Other shapes have none: vertex_count 0. */
typedef struct thud_polyhedron {
  thud_index vertex_count, face_count, edge_count;
  thud_vec3 *vertices;         /* [vertex_count] polygons: counter-clockwise */
  thud_index *face_start;      /* [face_count+1] into face_vertices */
  thud_index *face_vertices;   /* counter-clockwise seen from outside; coplanar triangles are one face */
  thud_vec3 *face_normals;     /* [face_count] unit, outward; polygons: of the edge from vertex i to i+1 */
  double *face_offsets;        /* [face_count] normal . x on the face */
  thud_index *edges;           /* [2*edge_count] vertices of every edge once, first < second */
  thud_index *neighbour_start; /* [vertex_count+1] into neighbours: for hill climbing of supports */
  thud_index *neighbours;
} thud_polyhedron;

/* Triangles with a tree of boxes over them; of a height field the triangles of its cells are made on the fly, and all of
 * this is empty. */
typedef struct thud_triangles {
  thud_index vertex_count, triangle_count;
  thud_vec3 *vertices;
  thud_index *corners; /* [3*triangle_count] */
  thud_vec3 *normals;  /* [triangle_count] unit */
  thud_index *twins; /* [3*triangle_count] half-edge across the edge from corner k to k+1 (half_edges.h), -1: border */
  thud_index node_count;
  thud_bounds *nodes;     /* [node_count] */
  thud_index *node_first; /* [node_count] leaf: first entry of order; inner: the left child, the right one follows it */
  thud_index *node_size;  /* [node_count] triangles of a leaf; 0: inner */
  thud_index *order;      /* [triangle_count] */
} thud_triangles;

struct thud_shape {
  thud_context *context;
  const struct thud_shape_class *class; /* shape_class.h */
  thud_shape_def def;                   /* arrays owned */
  double reach;                         /* thud_shape_radius */
  double thickness;                     /* thud_shape_thickness */
  double
      rolling_radius; /* of a ball that rolls everywhere inside of the surface, which is smooth then; 0: none known */
  thud_vec3 inner;    /* a point well inside of what is convex */
  thud_polyhedron polyhedron;
  thud_triangles surface;
  double *heights; /* of a height field: the def's */
  double low_height, high_height;
};

/* Number of the vertex with the largest v . direction; of equal ones the first (in hulls of more than THUD_SUPPORT_SCAN
 * vertices the first met on the way along the edges from vertex 0). */
thud_index thud_polyhedron_support(const thud_polyhedron *polyhedron, thud_vec3 direction);

#endif
