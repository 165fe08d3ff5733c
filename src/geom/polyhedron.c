/* Convex polyhedra and outlines: memory, planes, edges, neighbours, supports, lengths. */
#include "geom/polyhedron.h"

#include <stdlib.h>

/* ---- memory --------------------------------------------------------------------------------------------------------- */

thud_error thud_polyhedron_allocate(thud_context *context, thud_index vertices, thud_index faces, thud_index corners,
                                    thud_polyhedron *polyhedron) {
  thud_polyhedron *p = polyhedron;
  p->vertex_count = vertices;
  p->face_count = faces;
  p->vertices = THUD_NEW_ARRAY(context, thud_vec3, vertices);
  p->face_start = THUD_NEW_ARRAY(context, thud_index, (size_t)faces + 1);
  p->face_vertices = THUD_NEW_ARRAY(context, thud_index, corners);
  p->face_normals = THUD_NEW_ARRAY(context, thud_vec3, faces);
  p->face_offsets = THUD_NEW_ARRAY(context, double, faces);
  bool complete = p->vertices && p->face_start && p->face_vertices && p->face_normals && p->face_offsets;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_polyhedron_free(thud_context *context, thud_polyhedron *polyhedron) {
  void *blocks[] = {polyhedron->vertices,        polyhedron->face_start,   polyhedron->face_vertices,
                    polyhedron->face_normals,    polyhedron->face_offsets, polyhedron->edges,
                    polyhedron->neighbour_start, polyhedron->neighbours};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(context, blocks[k]);
  *polyhedron = (thud_polyhedron){0};
}

/* ---- edges and neighbours ------------------------------------------------------------------------------------------- */

static int compare_edges(const void *left, const void *right) {
  const thud_index *a = left, *b = right;
  if (a[0] != b[0]) return a[0] < b[0] ? -1 : 1;
  return a[1] < b[1] ? -1 : a[1] > b[1];
}

/* Every edge once, sorted, to the front of pairs[2*count]; how many there are. */
static thud_index sort_edges(thud_index *pairs, thud_index count) {
  qsort(pairs, (size_t)count, 2 * sizeof *pairs, compare_edges);
  thud_index kept = 0;
  for (thud_index i = 0; i < count; i++) {
    if (kept > 0 && compare_edges(pairs + 2 * (size_t)i, pairs + 2 * (size_t)(kept - 1)) == 0) continue;
    pairs[2 * (size_t)kept] = pairs[2 * (size_t)i];
    pairs[2 * (size_t)kept + 1] = pairs[2 * (size_t)i + 1];
    kept++;
  }
  return kept;
}

/* Counting sort of both ends of the edges. Sorted edges give sorted neighbours: first those below, then those above. */
static thud_error find_neighbours(thud_context *context, thud_polyhedron *p) {
  p->neighbour_start = THUD_NEW_ARRAY(context, thud_index, (size_t)p->vertex_count + 1);
  p->neighbours = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)p->edge_count);
  if (p->neighbour_start == NULL || p->neighbours == NULL) return THUD_ERROR_MEMORY;
  for (thud_index e = 0; e < 2 * p->edge_count; e++) p->neighbour_start[p->edges[e] + 1]++;
  for (thud_index v = 0; v < p->vertex_count; v++) p->neighbour_start[v + 1] += p->neighbour_start[v];
  for (int end = 1; end >= 0; end--)
    for (thud_index e = 0; e < p->edge_count; e++)
      p->neighbours[p->neighbour_start[p->edges[2 * e + end]]++] = p->edges[2 * e + 1 - end];
  for (thud_index v = p->vertex_count; v > 0; v--) p->neighbour_start[v] = p->neighbour_start[v - 1];
  p->neighbour_start[0] = 0;
  return THUD_OK;
}

thud_error thud_polyhedron_connect(thud_context *context, thud_polyhedron *p) {
  thud_index corners = p->face_start[p->face_count];
  p->edges = THUD_NEW_ARRAY(context, thud_index, 2 * (size_t)corners);
  if (p->edges == NULL) return THUD_ERROR_MEMORY;
  thud_index *edge = p->edges;
  for (thud_index f = 0; f < p->face_count; f++) {
    thud_index first = p->face_start[f], last = p->face_start[f + 1] - 1;
    for (thud_index c = first; c <= last; c++, edge += 2) {
      thud_index a = p->face_vertices[c], b = p->face_vertices[c < last ? c + 1 : first];
      edge[0] = a < b ? a : b;
      edge[1] = a < b ? b : a;
    }
  }
  p->edge_count = sort_edges(p->edges, corners);
  return find_neighbours(context, p);
}

/* ---- planes --------------------------------------------------------------------------------------------------------- */

/* Newell: the sum of the cross products of a face's corners, relative to its first one, is twice its area times its
 * normal. */
static thud_vec3 face_area(const thud_polyhedron *p, thud_index face) {
  thud_index first = p->face_start[face], end = p->face_start[face + 1];
  thud_vec3 origin = p->vertices[p->face_vertices[first]], sum = {0, 0, 0};
  thud_vec3 a = thud_vec3_subtract(p->vertices[p->face_vertices[first + 1]], origin);
  for (thud_index c = first + 2; c < end; c++) {
    thud_vec3 b = thud_vec3_subtract(p->vertices[p->face_vertices[c]], origin);
    sum = thud_vec3_add(sum, thud_vec3_cross(a, b));
    a = b;
  }
  return sum;
}

void thud_polyhedron_find_planes(thud_polyhedron *p) {
  for (thud_index f = 0; f < p->face_count; f++) {
    thud_vec3_normalise(face_area(p, f), &p->face_normals[f]);
    double offset = -INFINITY;
    for (thud_index c = p->face_start[f]; c < p->face_start[f + 1]; c++)
      offset = fmax(offset, thud_vec3_dot(p->face_normals[f], p->vertices[p->face_vertices[c]]));
    p->face_offsets[f] = offset;
  }
}

thud_error thud_polyhedron_outline(thud_context *context, thud_polyhedron *p) {
  for (thud_index i = 0; i < p->vertex_count; i++) {
    thud_index next = i + 1 < p->vertex_count ? i + 1 : 0;
    thud_vec3 along = thud_vec3_subtract(p->vertices[next], p->vertices[i]);
    thud_vec3_normalise(thud_vec3_make(along.y, -along.x, 0), &p->face_normals[i]);
    p->face_offsets[i] =
        fmax(thud_vec3_dot(p->face_normals[i], p->vertices[i]), thud_vec3_dot(p->face_normals[i], p->vertices[next]));
    thud_index *corners = p->face_vertices + 2 * (size_t)i;
    corners[0] = i;
    corners[1] = next;
    p->face_start[i + 1] = 2 * (i + 1);
  }
  return thud_polyhedron_connect(context, p);
}

/* ---- supports and lengths ------------------------------------------------------------------------------------------- */

static thud_index scan(const thud_polyhedron *p, thud_vec3 direction) {
  thud_index best = 0;
  double most = thud_vec3_dot(p->vertices[0], direction);
  for (thud_index i = 1; i < p->vertex_count; i++) {
    double along = thud_vec3_dot(p->vertices[i], direction);
    if (!(along > most)) continue;
    most = along;
    best = i;
  }
  return best;
}

/* From vertex to the best neighbour as long as that is farther; on a convex polyhedron where no neighbour is farther none
 * is. */
static thud_index climb(const thud_polyhedron *p, thud_vec3 direction) {
  thud_index best = 0, at;
  double most = thud_vec3_dot(p->vertices[0], direction);
  do {
    at = best;
    for (thud_index n = p->neighbour_start[at]; n < p->neighbour_start[at + 1]; n++) {
      double along = thud_vec3_dot(p->vertices[p->neighbours[n]], direction);
      if (!(along > most)) continue;
      most = along;
      best = p->neighbours[n];
    }
  } while (best != at);
  return best;
}

thud_index thud_polyhedron_support(const thud_polyhedron *polyhedron, thud_vec3 direction) {
  return polyhedron->vertex_count <= THUD_SUPPORT_SCAN ? scan(polyhedron, direction) : climb(polyhedron, direction);
}

thud_vec3 thud_support_vertices(const thud_shape *shape, thud_vec3 direction) {
  return shape->polyhedron.vertices[thud_polyhedron_support(&shape->polyhedron, direction)];
}

double thud_polyhedron_width(const thud_polyhedron *p) {
  double width = INFINITY;
  for (thud_index f = 0; f < p->face_count; f++) {
    thud_vec3 inward = thud_vec3_negate(p->face_normals[f]);
    thud_vec3 opposite = p->vertices[thud_polyhedron_support(p, inward)];
    width = fmin(width, p->face_offsets[f] + thud_vec3_dot(inward, opposite));
  }
  return width;
}

thud_vec3 thud_polyhedron_middle(const thud_polyhedron *p) {
  thud_vec3 middle = {0, 0, 0};
  for (thud_index i = 0; i < p->vertex_count; i++)
    middle = thud_vec3_add_scaled(middle, 1.0 / p->vertex_count, p->vertices[i]);
  return middle;
}

double thud_polyhedron_reach(const thud_polyhedron *p) {
  double reach = 0;
  for (thud_index i = 0; i < p->vertex_count; i++) reach = fmax(reach, thud_vec3_norm(p->vertices[i]));
  return reach;
}

/* ---- outlines ------------------------------------------------------------------------------------------------------- */

thud_error thud_outline_allocate(thud_shape *shape, thud_index vertices) {
  return thud_polyhedron_allocate(shape->context, vertices, vertices, 2 * vertices, &shape->polyhedron);
}

thud_error thud_outline_finish(thud_shape *shape) {
  thud_polyhedron *p = &shape->polyhedron;
  shape->inner = thud_polyhedron_middle(p);
  shape->reach = thud_polyhedron_reach(p);
  return thud_polyhedron_outline(shape->context, p);
}

void thud_planar_core_outline(const thud_shape *shape, thud_planar_core *core) {
  core->vertex_count = core->edge_count = shape->polyhedron.vertex_count;
  core->vertices = shape->polyhedron.vertices;
  core->normals = shape->polyhedron.face_normals;
}
