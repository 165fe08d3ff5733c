/* From the triangles of a hull to its faces: coplanar triangles are one polygon, points inside faces and edges go. */
#include "geom/half_edges.h"
#include "geom/hull.h"
#include "geom/polyhedron.h"

#include <stdlib.h>

/* A triangle and its area, for seeds in the order of size. */
typedef struct seed {
  double area;
  thud_index triangle;
} seed;

typedef struct merging {
  thud_context *context;
  const thud_vec3 *points;
  thud_index count; /* triangles */
  const thud_index *corners;
  thud_index *twins;      /* [3*count] */
  thud_index *region;     /* [count] face of every triangle, -1: none yet */
  thud_index *stack;      /* [count] */
  thud_index *loop;       /* [3*count] half-edges around the faces, one face after the other */
  thud_index *loop_start; /* [count+1] */
  thud_index *faces_at;   /* [points] number of faces around a point, later its number as a vertex */
  seed *seeds;            /* [count] */
  thud_index faces;
} merging;

static thud_vec3 area_of(const merging *m, thud_index t) {
  const thud_index *c = m->corners + 3 * (size_t)t;
  thud_vec3 a = m->points[c[0]];
  return thud_vec3_cross(thud_vec3_subtract(m->points[c[1]], a), thud_vec3_subtract(m->points[c[2]], a));
}

static int compare_seeds(const void *left, const void *right) {
  const seed *a = left, *b = right;
  if (a->area != b->area) return a->area > b->area ? -1 : 1;
  return a->triangle < b->triangle ? -1 : a->triangle > b->triangle;
}

/* All three corners within the tolerance of the plane through x with that normal. */
static bool in_plane(const merging *m, thud_index t, thud_vec3 normal, thud_vec3 x, double tolerance) {
  for (int k = 0; k < 3; k++) {
    thud_vec3 y = thud_vec3_subtract(m->points[m->corners[3 * t + k]], x);
    if (!(fabs(thud_vec3_dot(normal, y)) <= tolerance)) return false;
  }
  return true;
}

/* Gives the seed and what is connected with it in its plane the next number of a face. */
static void flood(merging *m, thud_index first, double tolerance) {
  thud_vec3 normal = {0, 0, 0}, x = m->points[m->corners[3 * (size_t)first]];
  thud_vec3_normalise(area_of(m, first), &normal);
  thud_index depth = 0, face = m->faces++;
  m->region[first] = face;
  m->stack[depth++] = first;
  while (depth > 0) {
    thud_index t = m->stack[--depth];
    for (int k = 0; k < 3; k++) {
      thud_index other = m->twins[3 * t + k] / 3;
      if (m->region[other] >= 0 || !in_plane(m, other, normal, x, tolerance)) continue;
      m->region[other] = face;
      m->stack[depth++] = other;
    }
  }
}

/* Largest triangles first: their normals are the most accurate ones, and slivers join a neighbour. */
static void find_regions(merging *m, double tolerance) {
  for (thud_index t = 0; t < m->count; t++) {
    m->seeds[t] = (seed){thud_vec3_norm(area_of(m, t)), t};
    m->region[t] = -1;
  }
  qsort(m->seeds, (size_t)m->count, sizeof *m->seeds, compare_seeds);
  for (thud_index i = 0; i < m->count; i++)
    if (m->region[m->seeds[i].triangle] < 0) flood(m, m->seeds[i].triangle, tolerance);
}

static bool is_border(const merging *m, thud_index h) { return m->region[h / 3] != m->region[m->twins[h] / 3]; }

/* Around the end of a border half-edge through triangles of the same face to the next one. */
static thud_index next_border(const merging *m, thud_index h) {
  h = thud_half_edge_next(h);
  while (!is_border(m, h)) h = thud_half_edge_next(m->twins[h]);
  return h;
}

/* Walks around every face. False when some face has more than one border or none. */
static bool find_loops(merging *m) {
  thud_index borders = 0, at = 0;
  for (thud_index f = 0; f < m->faces; f++) m->stack[f] = -1; /* a border half-edge of every face */
  for (thud_index h = 3 * m->count - 1; h >= 0; h--) {
    if (!is_border(m, h)) continue;
    m->stack[m->region[h / 3]] = h;
    borders++;
  }
  for (thud_index f = 0; f < m->faces; f++) {
    m->loop_start[f] = at;
    if (m->stack[f] < 0) return false;
    thud_index h = m->stack[f];
    do {
      m->loop[at++] = h;
      h = next_border(m, h);
    } while (h != m->stack[f] && at < 3 * m->count);
  }
  m->loop_start[m->faces] = at;
  return at == borders;
}

/* A point of two faces only lies inside an edge. Numbers the others in the order of the points; how many there are. */
static thud_index number_vertices(merging *m, thud_index point_count, thud_index *corners) {
  thud_index vertices = 0;
  *corners = 0;
  for (thud_index i = 0; i < m->loop_start[m->faces]; i++) m->faces_at[m->corners[m->loop[i]]]++;
  for (thud_index p = 0; p < point_count; p++) {
    if (m->faces_at[p] >= 3) *corners += m->faces_at[p];
    m->faces_at[p] = m->faces_at[p] >= 3 ? vertices++ : -1;
  }
  return vertices;
}

static thud_error fill_polyhedron(merging *m, thud_index point_count, thud_polyhedron *p) {
  thud_index corners, vertices = number_vertices(m, point_count, &corners), at = 0;
  thud_error error = thud_polyhedron_allocate(m->context, vertices, m->faces, corners, p);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < point_count; i++)
    if (m->faces_at[i] >= 0) p->vertices[m->faces_at[i]] = m->points[i];
  for (thud_index f = 0; f < m->faces; f++) {
    p->face_start[f] = at;
    for (thud_index i = m->loop_start[f]; i < m->loop_start[f + 1]; i++) {
      thud_index vertex = m->faces_at[m->corners[m->loop[i]]];
      if (vertex >= 0) p->face_vertices[at++] = vertex;
    }
    if (at < p->face_start[f] + 3) return THUD_ERROR_INTERNAL;
  }
  p->face_start[m->faces] = at;
  thud_polyhedron_find_planes(p);
  return thud_polyhedron_connect(m->context, p);
}

static thud_error merge(merging *m, thud_index point_count, double tolerance, thud_polyhedron *polyhedron) {
  thud_edge_fault fault;
  thud_error error = thud_half_edges_pair(m->context, m->count, m->corners, m->twins, &fault);
  if (error != THUD_OK) return error;
  if (fault.kind != THUD_EDGES_GOOD) return THUD_ERROR_INTERNAL;
  find_regions(m, tolerance);
  if (!find_loops(m)) return THUD_ERROR_INTERNAL;
  error = fill_polyhedron(m, point_count, polyhedron);
  if (error != THUD_OK) return error;
  /* Euler: anything else is no convex polyhedron */
  bool polyhedral = polyhedron->vertex_count - polyhedron->edge_count + polyhedron->face_count == 2;
  return polyhedral ? THUD_OK : THUD_ERROR_INTERNAL;
}

thud_error thud_hull_merge(thud_context *context, const thud_vec3 *points, const thud_hull_triangles *triangles,
                           thud_index point_count, double tolerance, thud_polyhedron *polyhedron) {
  size_t count = (size_t)triangles->count;
  merging m = {.context = context, .points = points, .count = triangles->count, .corners = triangles->corners};
  m.twins = THUD_NEW_ARRAY(context, thud_index, 3 * count);
  m.region = THUD_NEW_ARRAY(context, thud_index, count);
  m.stack = THUD_NEW_ARRAY(context, thud_index, count);
  m.loop = THUD_NEW_ARRAY(context, thud_index, 3 * count);
  m.loop_start = THUD_NEW_ARRAY(context, thud_index, count + 1);
  m.faces_at = THUD_NEW_ARRAY(context, thud_index, point_count);
  m.seeds = THUD_NEW_ARRAY(context, seed, count);
  bool complete = m.twins && m.region && m.stack && m.loop && m.loop_start && m.faces_at && m.seeds;
  thud_error error = complete ? merge(&m, point_count, tolerance, polyhedron) : THUD_ERROR_MEMORY;
  void *blocks[] = {m.twins, m.region, m.stack, m.loop, m.loop_start, m.faces_at, m.seeds};
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(context, blocks[k]);
  return error;
}
