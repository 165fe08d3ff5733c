/* Which triangles share an edge. */
#ifndef THUD_SRC_GEOM_HALF_EDGES_H
#define THUD_SRC_GEOM_HALF_EDGES_H

#include "geom/shape.h"

/* Half-edge 3t+k runs from corner k of triangle t to corner k+1 (after 2 comes 0). */
static inline thud_index thud_half_edge_next(thud_index h) { return h % 3 == 2 ? h - 2 : h + 1; }

typedef enum thud_edge_fault_kind {
  THUD_EDGES_GOOD = 0,
  THUD_EDGES_OPEN = 1,   /* an edge of one triangle only */
  THUD_EDGES_TURNED = 2, /* two triangles run through an edge in the same direction */
  THUD_EDGES_MANY = 3    /* an edge of more than two triangles */
} thud_edge_fault_kind;

typedef struct thud_edge_fault {
  thud_edge_fault_kind kind;
  thud_index first, second; /* half-edges; second: of the last two */
} thud_edge_fault;

/* twins[3*count]: the half-edge of the neighbour for every half-edge, -1 where there is none. *fault: the worst kind there
 * is, at the first edge (by the numbers of its vertices) of that kind. */
thud_error thud_half_edges_pair(thud_context *context, thud_index count, const thud_index *corners, thud_index *twins,
                                thud_edge_fault *fault);

#endif
