/* Surfaces of triangles: what meshes and height fields have in common, and the tree of boxes over the triangles of a mesh. */
#include "geom/triangles.h"

void thud_surface_visit(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user) {
  surface->class->triangles->visit(surface, box, visit, user);
}

void thud_surface_get(const thud_shape *surface, thud_index number, thud_triangle *triangle) {
  surface->class->triangles->get(surface, number, triangle);
}

thud_rise thud_surface_rise(const thud_shape *surface, const thud_triangle *triangle, int k, thud_vec3 direction) {
  return surface->class->triangles->rise(surface, triangle->number, k, direction);
}

/* Where the neighbour neither rises nor falls it goes on in the plane, or lies folded back behind the triangle. */
void thud_triangle_set_beyond(thud_triangle *triangle, int k, thud_vec3 beyond) {
  thud_vec3 start = triangle->corners[k], d = thud_vec3_subtract(beyond, start);
  thud_vec3 outward = thud_vec3_cross(thud_vec3_subtract(triangle->corners[(k + 1) % 3], start), triangle->normal);
  double rise = thud_vec3_dot(triangle->normal, d), flat = THUD_EDGE_FLAT * thud_vec3_norm(d);
  bool folded = thud_vec3_dot(outward, d) < 0;
  triangle->beyond[k] = beyond;
  triangle->edges[k] = rise > flat              ? THUD_EDGE_CONCAVE
                       : rise < -flat || folded ? THUD_EDGE_CONVEX
                                                : THUD_EDGE_FLAT_INSIDE;
}

/* ---- a tree of boxes ------------------------------------------------------------------------------------------- */

enum { LEAF = 4, DEPTH = 64 };

typedef struct building {
  thud_triangles *triangles;
  thud_vec3 *centres; /* [triangle_count] sums of the corners */
} building;

static thud_bounds box_of(const thud_triangles *s, thud_index first, thud_index count) {
  thud_bounds box = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  for (thud_index i = first; i < first + count; i++) {
    for (int k = 0; k < 3; k++) {
      thud_vec3 x = s->vertices[s->corners[3 * s->order[i] + k]];
      box.low = thud_vec3_make(fmin(box.low.x, x.x), fmin(box.low.y, x.y), fmin(box.low.z, x.z));
      box.high = thud_vec3_make(fmax(box.high.x, x.x), fmax(box.high.y, x.y), fmax(box.high.z, x.z));
    }
  }
  return box;
}

static double component(thud_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* A total order, so that the tree does not depend on the way of sorting. */
static bool comes_first(const building *b, thud_index s, thud_index t, int axis) {
  double x = component(b->centres[s], axis), y = component(b->centres[t], axis);
  return x != y ? x < y : s < t;
}

static void swap(thud_index *a, thud_index *b) {
  thud_index t = *a;
  *a = *b;
  *b = t;
}

/* Quickselect: afterwards order[middle] is where sorting would put it, smaller ones before it, larger ones behind. */
static void select_middle(building *b, thud_index first, thud_index last, thud_index middle, int axis) {
  thud_index *order = b->triangles->order;
  while (first < last) {
    thud_index centre = first + (last - first) / 2, pivot, i = first, j = last;
    if (comes_first(b, order[centre], order[first], axis)) swap(&order[centre], &order[first]);
    if (comes_first(b, order[last], order[first], axis)) swap(&order[last], &order[first]);
    if (comes_first(b, order[last], order[centre], axis)) swap(&order[last], &order[centre]);
    pivot = order[centre];
    while (i <= j) {
      while (comes_first(b, order[i], pivot, axis)) i++;
      while (comes_first(b, pivot, order[j], axis)) j--;
      if (i > j) break;
      swap(&order[i++], &order[j--]);
    }
    if (middle <= j)
      last = j;
    else if (middle >= i)
      first = i;
    else
      return;
  }
}

static int longest_axis(const building *b, thud_index first, thud_index count) {
  thud_vec3 low = b->centres[b->triangles->order[first]], high = low;
  for (thud_index i = first + 1; i < first + count; i++) {
    thud_vec3 x = b->centres[b->triangles->order[i]];
    low = thud_vec3_make(fmin(low.x, x.x), fmin(low.y, x.y), fmin(low.z, x.z));
    high = thud_vec3_make(fmax(high.x, x.x), fmax(high.y, x.y), fmax(high.z, x.z));
  }
  thud_vec3 extent = thud_vec3_subtract(high, low);
  if (extent.x >= extent.y && extent.x >= extent.z) return 0;
  return extent.y >= extent.z ? 1 : 2;
}

/* Nodes are made in the order of their numbers: a node's entry waits in node_first/node_size for being split. */
static void split_nodes(building *b) {
  thud_triangles *s = b->triangles;
  for (thud_index node = 0; node < s->node_count; node++) {
    thud_index first = s->node_first[node], count = s->node_size[node], half = count / 2;
    s->nodes[node] = box_of(s, first, count);
    if (count <= LEAF) continue;
    select_middle(b, first, first + count - 1, first + half, longest_axis(b, first, count));
    thud_index left = s->node_count;
    s->node_count += 2;
    s->node_first[left] = first;
    s->node_size[left] = half;
    s->node_first[left + 1] = first + half;
    s->node_size[left + 1] = count - half;
    s->node_first[node] = left;
    s->node_size[node] = 0;
  }
}

thud_error thud_triangles_make_tree(thud_context *context, thud_triangles *s) {
  size_t count = (size_t)s->triangle_count;
  building b = {s, THUD_NEW_ARRAY(context, thud_vec3, count)};
  s->order = THUD_NEW_ARRAY(context, thud_index, count);
  s->nodes = THUD_NEW_ARRAY(context, thud_bounds, 2 * count); /* halves have at least LEAF/2: fewer nodes than that */
  s->node_first = THUD_NEW_ARRAY(context, thud_index, 2 * count);
  s->node_size = THUD_NEW_ARRAY(context, thud_index, 2 * count);
  bool complete = b.centres && s->order && s->nodes && s->node_first && s->node_size;
  for (thud_index t = 0; complete && t < s->triangle_count; t++) {
    s->order[t] = t;
    for (int k = 0; k < 3; k++) b.centres[t] = thud_vec3_add(b.centres[t], s->vertices[s->corners[3 * t + k]]);
  }
  if (complete) {
    s->node_count = 1;
    s->node_size[0] = s->triangle_count;
    split_nodes(&b);
  }
  thud_free(context, b.centres);
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_triangles_visit(const thud_shape *surface, const thud_bounds *box, thud_triangle_visit_fn visit, void *user) {
  const thud_triangles *s = &surface->surface;
  thud_index stack[DEPTH] = {0};
  int depth = 1;
  while (depth > 0) {
    thud_index node = stack[--depth], first = s->node_first[node];
    if (!thud_bounds_meet(&s->nodes[node], box)) continue;
    if (s->node_size[node] == 0) {
      stack[depth++] = first + 1;
      stack[depth++] = first;
    }
    for (thud_index i = first; i < first + s->node_size[node]; i++) {
      thud_bounds own = box_of(s, i, 1);
      if (thud_bounds_meet(&own, box)) visit(user, s->order[i]);
    }
  }
}

/* The largest direction . x of a box. */
static double extent_of(const thud_bounds *box, thud_vec3 d) {
  return fmax(d.x * box->low.x, d.x * box->high.x) + fmax(d.y * box->low.y, d.y * box->high.y) +
         fmax(d.z * box->low.z, d.z * box->high.z);
}

/* Branch and bound: boxes that cannot hold a farther vertex than the one found are left out. */
double thud_triangles_extent(const thud_shape *surface, thud_vec3 direction) {
  const thud_triangles *s = &surface->surface;
  thud_index stack[DEPTH] = {0};
  int depth = 1;
  double most = -INFINITY;
  while (depth > 0) {
    thud_index node = stack[--depth], first = s->node_first[node];
    if (extent_of(&s->nodes[node], direction) <= most) continue;
    if (s->node_size[node] == 0) { /* the more promising child on top */
      bool right = extent_of(&s->nodes[first + 1], direction) > extent_of(&s->nodes[first], direction);
      stack[depth++] = right ? first : first + 1;
      stack[depth++] = right ? first + 1 : first;
    }
    for (thud_index i = first; i < first + s->node_size[node]; i++)
      for (int k = 0; k < 3; k++)
        most = fmax(most, thud_vec3_dot(direction, s->vertices[s->corners[3 * s->order[i] + k]]));
  }
  return most;
}
