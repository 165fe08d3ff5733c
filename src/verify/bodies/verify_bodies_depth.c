/* How deep two convex shapes overlap: the polytope of known points of their difference grows where it is nearest to the
 * origin, until the difference itself does not reach farther there (van den Bergen, "Proximity queries and penetration
 * depth computation on 3D game objects", 2001). The polytope lies within the difference, so its least facet distance
 * bounds the depth from below, and each reach along a normal bounds it from above. The origin may lie outside, too: then
 * the offset of the facet is negative, and a lower bound of the distance. */
#include "verify/bodies/verify_bodies_shapes.h"

#include <math.h>

enum { MOST_POINTS = 256, MOST_FACES = 2 * MOST_POINTS, MOST_EDGES = 3 * MOST_FACES };

/* Relative to the size of the difference: when to stop, and what has no thickness. */
static const double TIGHT = 1e-12, FLAT = 1e-13;

typedef struct face {
  int corner[3]; /* counter-clockwise seen from outside */
  bool alive;
  thud_vec3 n;
  double offset; /* n.x on it; INFINITY: too small to have a normal */
} face;

typedef struct polytope {
  const verify_difference *difference;
  int points, faces;
  double scale;
  thud_vec3 point[MOST_POINTS];
  face face[MOST_FACES];
} polytope;

/* ---- the first tetrahedron ------------------------------------------------------------------------------------------ */

static thud_vec3 any_perpendicular(thud_vec3 e) {
  thud_vec3 axis = fabs(e.x) <= fabs(e.y) && fabs(e.x) <= fabs(e.z) ? thud_vec3_make(1, 0, 0)
                   : fabs(e.y) <= fabs(e.z)                         ? thud_vec3_make(0, 1, 0)
                                                                    : thud_vec3_make(0, 0, 1);
  return thud_vec3_cross(e, axis);
}

/* The farther of the points along n and -n as seen from x. */
static thud_vec3 far_point(const verify_difference *d, thud_vec3 x, thud_vec3 n) {
  thud_vec3 up = thud_verify_difference_support(d, n), down = thud_verify_difference_support(d, thud_vec3_negate(n));
  double above = thud_vec3_dot(thud_vec3_subtract(up, x), n), below = thud_vec3_dot(thud_vec3_subtract(x, down), n);
  return above >= below ? up : down;
}

/* Four points; false when the difference is flat: *normal is across it then. */
static bool first_points(polytope *p, thud_vec3 *normal) {
  const verify_difference *d = p->difference;
  thud_vec3 *x = p->point, n;
  x[0] = thud_verify_difference_support(d, thud_vec3_make(1, 0, 0));
  x[1] = far_point(d, x[0], thud_vec3_make(1, 0, 0));
  for (int axis = 1; axis < 3; axis++) {
    thud_vec3 other = far_point(d, x[0], thud_vec3_make(0, axis == 1, axis == 2));
    if (thud_vec3_distance(other, x[0]) > thud_vec3_distance(x[1], x[0])) x[1] = other;
  }
  p->scale = thud_vec3_distance(x[0], x[1]);
  *normal = thud_vec3_make(0, 0, 1);
  if (!(p->scale > 0)) return false;
  thud_vec3 along = thud_vec3_scale(1 / p->scale, thud_vec3_subtract(x[1], x[0])), across = any_perpendicular(along);
  *normal = thud_vec3_scale(1 / thud_vec3_norm(across), across);
  x[2] = far_point(d, x[0], *normal);
  thud_vec3 second = far_point(d, x[0], thud_vec3_cross(along, *normal));
  thud_vec3 first_area = thud_vec3_cross(along, thud_vec3_subtract(x[2], x[0]));
  thud_vec3 second_area = thud_vec3_cross(along, thud_vec3_subtract(second, x[0]));
  if (thud_vec3_norm(second_area) > thud_vec3_norm(first_area)) {
    x[2] = second;
    first_area = second_area;
  }
  if (!thud_vec3_normalise(first_area, &n) || thud_vec3_norm(first_area) <= FLAT * p->scale) return false;
  *normal = n;
  x[3] = far_point(d, x[0], n);
  p->points = 4;
  return fabs(thud_vec3_dot(thud_vec3_subtract(x[3], x[0]), n)) > FLAT * p->scale;
}

/* ---- growing ------------------------------------------------------------------------------------------------------- */

static void add_face(polytope *p, int i, int j, int k) {
  thud_vec3 x = p->point[i], e = thud_vec3_subtract(p->point[j], x), f = thud_vec3_subtract(p->point[k], x);
  thud_vec3 area = thud_vec3_cross(e, f);
  face made = {.corner = {i, j, k}, .alive = true, .offset = INFINITY};
  double longest = fmax(thud_vec3_norm(e), fmax(thud_vec3_norm(f), thud_vec3_distance(p->point[j], p->point[k])));
  bool thick = thud_vec3_norm(area) > 10 * FLAT * p->scale * longest;
  if (thick && thud_vec3_normalise(area, &made.n)) made.offset = thud_vec3_dot(made.n, x);
  p->face[p->faces++] = made;
}

static void first_faces(polytope *p) {
  const thud_vec3 *x = p->point;
  thud_vec3 n = thud_vec3_cross(thud_vec3_subtract(x[1], x[0]), thud_vec3_subtract(x[2], x[0]));
  if (thud_vec3_dot(n, thud_vec3_subtract(x[3], x[0])) > 0) { /* seen from point 3 it turns counter-clockwise */
    thud_vec3 swapped = p->point[1];
    p->point[1] = p->point[2];
    p->point[2] = swapped;
  }
  add_face(p, 0, 1, 2);
  add_face(p, 0, 3, 1);
  add_face(p, 1, 3, 2);
  add_face(p, 2, 3, 0);
}

static int least_face(const polytope *p) {
  int best = -1;
  for (int k = 0; k < p->faces; k++)
    if (p->face[k].alive && p->face[k].offset < INFINITY && (best < 0 || p->face[k].offset < p->face[best].offset))
      best = k;
  return best;
}

/* Takes an edge to the list of the rim, or its reverse from it. */
static void toggle_edge(int edge[][2], int *count, int from, int to) {
  for (int k = 0; k < *count; k++)
    if (edge[k][0] == to && edge[k][1] == from) {
      edge[k][0] = edge[*count - 1][0];
      edge[k][1] = edge[*count - 1][1];
      (*count)--;
      return;
    }
  edge[*count][0] = from;
  edge[*count][1] = to;
  (*count)++;
}

static void drop_dead_faces(polytope *p) {
  int kept = 0;
  for (int k = 0; k < p->faces; k++)
    if (p->face[k].alive) p->face[kept++] = p->face[k];
  p->faces = kept;
}

/* Takes the point in: faces that see it go, and their rim is joined with it. False: there is no room. */
static bool take_point(polytope *p, int seen_by, thud_vec3 w) {
  int edge[MOST_EDGES][2], edges = 0;
  if (p->points == MOST_POINTS) return false;
  for (int k = 0; k < p->faces; k++) {
    face *f = &p->face[k];
    bool sees = k == seen_by || (f->offset < INFINITY && thud_vec3_dot(f->n, w) - f->offset > 1e-15 * p->scale);
    if (!sees) continue;
    f->alive = false;
    for (int i = 0; i < 3; i++) toggle_edge(edge, &edges, f->corner[i], f->corner[(i + 1) % 3]);
  }
  drop_dead_faces(p);
  if (p->faces + edges > MOST_FACES) return false;
  p->point[p->points++] = w;
  for (int k = 0; k < edges; k++) add_face(p, edge[k][0], edge[k][1], p->points - 1);
  return true;
}

double thud_verify_depth(const verify_difference *difference, thud_vec3 *normal, double *accuracy) {
  polytope p = {.difference = difference};
  double depth = INFINITY, lower = -INFINITY;
  *accuracy = 0;
  if (!first_points(&p, normal)) return 0;
  first_faces(&p);
  for (bool room = true; room;) {
    int k = least_face(&p);
    if (k < 0) break;
    thud_vec3 n = p.face[k].n, w = thud_verify_difference_support(difference, n);
    double reach = thud_vec3_dot(n, w);
    lower = fmax(lower, p.face[k].offset); /* the polytope only grows */
    if (reach < depth) {
      depth = reach;
      *normal = n;
    }
    if (depth - lower <= TIGHT * p.scale) break;
    room = take_point(&p, k, w);
  }
  *accuracy = fmax(depth - lower, 0);
  return depth;
}

/* ---- the plane ------------------------------------------------------------------------------------------------------ */

/* Outward normal of the edge from x to y of a polygon that turns counter-clockwise. */
static bool edge_normal(thud_vec3 x, thud_vec3 y, thud_vec3 *n) {
  return thud_vec3_normalise(thud_vec3_make(y.y - x.y, x.x - y.x, 0), n);
}

static int least_edge(int count, const thud_vec3 *x, thud_vec3 *normal, double *offset) {
  int best = -1;
  *offset = INFINITY;
  for (int k = 0; k < count; k++) {
    thud_vec3 n;
    if (!edge_normal(x[k], x[(k + 1) % count], &n)) continue;
    double here = thud_vec3_dot(n, x[k]);
    if (!(here < *offset)) continue;
    *offset = here;
    *normal = n;
    best = k;
  }
  return best;
}

/* Three points of the difference that turn counter-clockwise; false: it is flat, *normal is across it. */
static bool first_triangle(const verify_difference *d, thud_vec3 *x, double *scale, thud_vec3 *normal) {
  x[0] = thud_verify_difference_support(d, thud_vec3_make(1, 0, 0));
  thud_vec3 one = far_point(d, x[0], thud_vec3_make(1, 0, 0)), other = far_point(d, x[0], thud_vec3_make(0, 1, 0));
  x[1] = thud_vec3_distance(one, x[0]) > thud_vec3_distance(other, x[0]) ? one : other;
  *scale = thud_vec3_distance(x[0], x[1]);
  *normal = thud_vec3_make(0, 1, 0);
  if (!edge_normal(x[0], x[1], normal)) return false;
  x[2] = far_point(d, x[0], *normal);
  double height = thud_vec3_dot(thud_vec3_subtract(x[2], x[0]), *normal);
  if (height > 0) {
    thud_vec3 swapped = x[0];
    x[0] = x[1];
    x[1] = swapped;
  }
  return fabs(height) > FLAT * *scale;
}

double thud_verify_flat_depth(const verify_difference *difference, thud_vec3 *normal, double *accuracy) {
  thud_vec3 x[MOST_POINTS];
  int count = 3;
  double depth = INFINITY, lower = 0, scale;
  *accuracy = 0;
  if (!first_triangle(difference, x, &scale, normal)) return 0;
  while (true) {
    thud_vec3 n;
    int k = least_edge(count, x, &n, &lower);
    if (k < 0) break;
    thud_vec3 w = thud_verify_difference_support(difference, n);
    double reach = thud_vec3_dot(n, w);
    if (reach < depth) {
      depth = reach;
      *normal = n;
    }
    if (depth - lower <= TIGHT * scale || count == MOST_POINTS) break;
    for (int i = count++; i > k + 1; i--) x[i] = x[i - 1];
    x[k + 1] = w;
  }
  *accuracy = fmax(depth - lower, 0);
  return depth;
}
