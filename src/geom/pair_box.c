/* Two boxes: separating axes, then the clipped face or the crossing edges (Gottschalk, Lin and Manocha, "OBBTree", SIGGRAPH
 * 1996, for the axes). */
#include "geom/manifold.h"

/* An axis replaces one that comes before it (faces of a, faces of b, pairs of edges) when it separates by more than this
 * fraction of the boxes' sizes: boxes at rest have parallel faces, and noise must not choose between them. */
#define PREFERENCE 2e-8
/* Edges whose angle has a smaller sine are parallel: their cross product has no direction beyond rounding. */
#define PARALLEL_SINE 1e-8
/* Lengths below this fraction of the boxes' sizes are 0: outside of a face, above the closest point. */
#define SAME_LENGTH 2e-8
/* Contacts of separated boxes are true closest points to this fraction of the sizes. */
#define CERTAIN 3e-8

typedef struct boxes {
  double half_a[3], half_b[3];
  double r[3][3];      /* axes of b in a's frame: r[i][j] = a_i . b_j */
  double between[3];   /* centre of b in a's frame */
  double between_b[3]; /* the same vector along the axes of b */
  thud_mat3 axes_a, axes_b;
  thud_vec3 centre; /* of b, from that of a, world axes */
  double size;
} boxes;

static boxes boxes_of(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b) {
  boxes pair;
  pair.axes_a = thud_quat_to_matrix(pose_a->rotation);
  pair.axes_b = thud_quat_to_matrix(pose_b->rotation);
  pair.centre = thud_vec3_subtract(pose_b->position, pose_a->position);
  thud_vec3_store(thud_mat3_apply_transposed(pair.axes_a, pair.centre), pair.between);
  thud_vec3_store(thud_mat3_apply_transposed(pair.axes_b, pair.centre), pair.between_b);
  for (size_t j = 0; j < 3; j++) {
    double along[3];
    thud_vec3_store(thud_mat3_apply_transposed(pair.axes_a, thud_mat3_column(&pair.axes_b, j)), along);
    for (size_t i = 0; i < 3; i++) pair.r[i][j] = along[i];
    pair.half_a[j] = a->def.half[j];
    pair.half_b[j] = b->def.half[j];
  }
  pair.size = thud_pair_size(a, b);
  return pair;
}

/* The best axis so far: kind 0: face i of a, 1: face j of b, 2: edges i and j. */
typedef struct axis {
  double separation;
  int kind;
  size_t i, j;
} axis;

static void face_axes(const boxes *pair, axis *of_a, axis *of_b) {
  *of_a = (axis){-INFINITY, 0, 0, 0};
  *of_b = (axis){-INFINITY, 1, 0, 0};
  double preference = PREFERENCE * pair->size;
  for (size_t i = 0; i < 3; i++) {
    double reach_b = 0, reach_a = 0;
    for (size_t j = 0; j < 3; j++) {
      reach_b += pair->half_b[j] * fabs(pair->r[i][j]);
      reach_a += pair->half_a[j] * fabs(pair->r[j][i]);
    }
    double a = fabs(pair->between[i]) - (pair->half_a[i] + reach_b);
    double b = fabs(pair->between_b[i]) - (pair->half_b[i] + reach_a);
    if (a > of_a->separation + (i ? preference : 0)) *of_a = (axis){a, 0, i, 0};
    if (b > of_b->separation + (i ? preference : 0)) *of_b = (axis){b, 1, 0, i};
  }
}

/* The cross product of edge i of a and edge j of b, in a's frame, not normalised; false when they are parallel. */
static bool edge_axis(const boxes *pair, size_t i, size_t j, double cross[3], double *length) {
  size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3;
  cross[i] = 0;
  cross[i1] = -pair->r[i2][j];
  cross[i2] = pair->r[i1][j];
  *length = sqrt(cross[i1] * cross[i1] + cross[i2] * cross[i2]);
  return *length > PARALLEL_SINE;
}

static axis edge_axes(const boxes *pair) {
  axis best = {-INFINITY, 2, 0, 0};
  for (size_t i = 0; i < 3; i++)
    for (size_t j = 0; j < 3; j++) {
      double cross[3], length;
      if (!edge_axis(pair, i, j, cross, &length)) continue;
      size_t i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3;
      double reach = pair->half_a[i1] * fabs(cross[i1]) + pair->half_a[i2] * fabs(cross[i2]) +
                     pair->half_b[j1] * fabs(pair->r[i][j2]) + pair->half_b[j2] * fabs(pair->r[i][j1]);
      double middle = pair->between[i1] * cross[i1] + pair->between[i2] * cross[i2];
      double separation = (fabs(middle) - reach) / length;
      if (separation > best.separation) best = (axis){separation, 2, i, j};
    }
  return best;
}

/* ---- faces ------------------------------------------------------------------------------------------------------------- */

/* The face of an axis and the one of the other box that lies opposite; returns which sign makes the face's normal that of the
 * contacts. */
static double opposite_faces(const boxes *pair, const axis *best, thud_flat *reference, thud_flat *incident) {
  thud_vec3 origin = {0, 0, 0};
  if (best->kind == 0) {
    thud_box_face(&pair->axes_a, pair->half_a, origin, best->i, pair->between[best->i] < 0 ? -1 : 1, reference);
    thud_box_face_facing(&pair->axes_b, pair->half_b, pair->centre, thud_vec3_negate(reference->normal), incident);
    return -1;
  }
  thud_box_face(&pair->axes_b, pair->half_b, pair->centre, best->j, pair->between_b[best->j] > 0 ? -1 : 1, reference);
  thud_box_face_facing(&pair->axes_a, pair->half_a, origin, thud_vec3_negate(reference->normal), incident);
  return 1;
}

static size_t clip_faces(const boxes *pair, const axis *best, double margin, thud_touch *touches) {
  thud_flat reference, incident;
  double sign = opposite_faces(pair, best, &reference, &incident);
  return thud_manifold_clip(&reference, &incident, sign, margin, SAME_LENGTH * pair->size, THUD_MANIFOLD_MAX, touches);
}

/* ---- edges ------------------------------------------------------------------------------------------------------------- */

/* The middle of the edge of direction k that lies farthest along `direction`. */
static thud_vec3 edge_middle(const thud_mat3 *axes, const double half[3], thud_vec3 centre, size_t k,
                             thud_vec3 direction, uint32_t *name) {
  *name = (uint32_t)(4 * k);
  for (size_t i = 1; i < 3; i++) {
    size_t other = (k + i) % 3;
    bool positive = thud_vec3_dot(thud_mat3_column(axes, other), direction) > 0;
    centre = thud_vec3_add_scaled(centre, positive ? half[other] : -half[other], thud_mat3_column(axes, other));
    *name += positive ? (uint32_t)i : 0;
  }
  return centre;
}

/* The direction of edges i and j from b to a. */
static thud_vec3 edges_normal(const boxes *pair, const axis *best) {
  double cross[3], length;
  edge_axis(pair, best->i, best->j, cross, &length);
  double middle = cross[0] * pair->between[0] + cross[1] * pair->between[1] + cross[2] * pair->between[2];
  return thud_mat3_apply(pair->axes_a, thud_vec3_scale((middle > 0 ? -1 : 1) / length, thud_vec3_load(cross)));
}

/* The crossing of the two edges; false when it lies beyond their ends. */
static bool cross_edges(const boxes *pair, const axis *best, thud_touch *touch) {
  thud_vec3 u = thud_mat3_column(&pair->axes_a, best->i), v = thud_mat3_column(&pair->axes_b, best->j);
  thud_vec3 normal = edges_normal(pair, best), across = thud_vec3_cross(u, v);
  double length2 = thud_vec3_dot(across, across);
  thud_vec3 origin = {0, 0, 0};
  uint32_t name_a, name_b;
  thud_vec3 p = edge_middle(&pair->axes_a, pair->half_a, origin, best->i, thud_vec3_negate(normal), &name_a);
  thud_vec3 q = edge_middle(&pair->axes_b, pair->half_b, pair->centre, best->j, normal, &name_b);
  thud_vec3 d = thud_vec3_subtract(q, p);
  /* p + s u and q + t v differ by gap*normal: cross with the other edge to find s and t */
  double s = thud_vec3_dot(thud_vec3_cross(d, v), across) / length2;
  double t = thud_vec3_dot(thud_vec3_cross(d, u), across) / length2;
  double slack = SAME_LENGTH * pair->size;
  if (fabs(s) > pair->half_a[best->i] + slack || fabs(t) > pair->half_b[best->j] + slack) return false;
  touch->normal = normal;
  touch->on_a = thud_vec3_add_scaled(p, s, u);
  touch->on_b = thud_vec3_add_scaled(q, t, v);
  touch->gap = best->separation;
  touch->feature = 1U << 31 | 1U << 30 | name_a << 8 | name_b;
  return true;
}

/* ---- which of them --------------------------------------------------------------------------------------------------- */

/* Contacts of boxes that lie on each other up to a small tilt, on a's face if possible, whatever axis separates best: noise
 * of the poses must choose neither a single crossing of edges nor between the faces. 0: they do not. */
static size_t lie_on_each_other(const boxes *pair, const axis *of_a, const axis *of_b, const axis *best, double margin,
                                thud_touch *touches) {
  thud_flat reference, incident;
  const axis *faces[2] = {of_a, of_b};
  size_t count = 0;
  if (best->kind == 0) return 0; /* clipping on a's face is exact */
  thud_vec3 normal = best->kind == 2 ? edges_normal(pair, best)
                                     : thud_vec3_scale(pair->between_b[best->j] > 0 ? -1 : 1,
                                                       thud_mat3_column(&pair->axes_b, best->j));
  for (size_t k = 0; k < (size_t)best->kind && count == 0; k++) {
    double sign = opposite_faces(pair, faces[k], &reference, &incident);
    count = thud_manifold_lie(&reference, &incident, sign, normal, margin, SAME_LENGTH * pair->size, THUD_MANIFOLD_MAX,
                              touches);
    if (thud_least_gap(count, touches) > best->separation + SAME_LENGTH * pair->size) count = 0;
  }
  return count;
}

/* The contacts of the axis that separates best; 0 where it does not show the distance: a corner above a corner or beside an
 * edge. */
static size_t touch_axis(const boxes *pair, const axis *best, double margin, thud_touch *touches) {
  size_t count = best->kind == 2 ? (size_t)cross_edges(pair, best, touches) : clip_faces(pair, best, margin, touches);
  bool certain = best->separation <= 0 || thud_least_gap(count, touches) <= best->separation + CERTAIN * pair->size;
  return certain ? count : 0;
}

size_t thud_pair_box_box(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                         double margin, thud_touch *touches) {
  boxes pair = boxes_of(a, pose_a, b, pose_b);
  axis of_a, of_b, best, of_edges;
  face_axes(&pair, &of_a, &of_b);
  double preference = PREFERENCE * pair.size;
  best = of_b.separation > of_a.separation + preference ? of_b : of_a;
  if (best.separation > margin) return 0;
  of_edges = edge_axes(&pair);
  if (of_edges.separation > margin) return 0;
  if (of_edges.separation > best.separation + preference) best = of_edges;
  size_t count = lie_on_each_other(&pair, &of_a, &of_b, &best, margin, touches);
  if (count == 0) count = touch_axis(&pair, &best, margin, touches);
  if (count == 0) return thud_pair_solid_solid(a, pose_a, b, pose_b, margin, touches);
  for (size_t i = 0; i < count; i++) {
    touches[i].on_a = thud_vec3_add(pose_a->position, touches[i].on_a);
    touches[i].on_b = thud_vec3_add(pose_a->position, touches[i].on_b);
  }
  return count;
}
