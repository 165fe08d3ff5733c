/* Half-edges of triangles, paired by sorting. */
#include "geom/half_edges.h"

#include <stdlib.h>

typedef struct sorted_edge {
  thud_index low, high, half_edge;
} sorted_edge;

static int compare(const void *left, const void *right) {
  const sorted_edge *a = left, *b = right;
  if (a->low != b->low) return a->low < b->low ? -1 : 1;
  if (a->high != b->high) return a->high < b->high ? -1 : 1;
  return a->half_edge < b->half_edge ? -1 : a->half_edge > b->half_edge;
}

static void note(thud_edge_fault *fault, thud_edge_fault_kind kind, thud_index first, thud_index second) {
  if (kind > fault->kind) *fault = (thud_edge_fault){kind, first, second};
}

/* One edge with the half-edges that run through it. */
static void pair(const sorted_edge *edge, thud_index count, const thud_index *corners, thud_index *twins,
                 thud_edge_fault *fault) {
  thud_index a = edge[0].half_edge;
  if (count == 1) {
    note(fault, THUD_EDGES_OPEN, a, -1);
  } else if (count > 2) {
    note(fault, THUD_EDGES_MANY, a, edge[2].half_edge);
  } else if (corners[a] == corners[edge[1].half_edge]) {
    note(fault, THUD_EDGES_TURNED, a, edge[1].half_edge);
  } else {
    twins[a] = edge[1].half_edge;
    twins[edge[1].half_edge] = a;
  }
}

thud_error thud_half_edges_pair(thud_context *context, thud_index count, const thud_index *corners, thud_index *twins,
                                thud_edge_fault *fault) {
  thud_index total = 3 * count;
  sorted_edge *edges = THUD_NEW_ARRAY(context, sorted_edge, total);
  if (edges == NULL) return THUD_ERROR_MEMORY;
  for (thud_index h = 0; h < total; h++) {
    thud_index a = corners[h], b = corners[thud_half_edge_next(h)];
    edges[h] = (sorted_edge){a < b ? a : b, a < b ? b : a, h};
    twins[h] = -1;
  }
  qsort(edges, (size_t)total, sizeof *edges, compare);
  *fault = (thud_edge_fault){THUD_EDGES_GOOD, -1, -1};
  for (thud_index i = 0, end; i < total; i = end) {
    for (end = i + 1; end < total && edges[end].low == edges[i].low && edges[end].high == edges[i].high;) end++;
    pair(edges + i, end - i, corners, twins, fault);
  }
  thud_free(context, edges);
  return THUD_OK;
}
