#include "geom_oracle.h"

#include <stdlib.h>
#include <string.h>

/* ---- shapes from their definitions ----------------------------------------------------------------------------------- */

static thud_vec3 support_in_frame(const thud_shape_def *def, thud_vec3 d) {
  double r = def->radius, half = def->half_length, across = hypot(d.x, d.y), norm = thud_vec3_norm(d);
  double cx = across > 0 ? d.x / across : 1, cy = across > 0 ? d.y / across : 0;
  const double *h = def->half;
  switch (def->kind) {
  case THUD_SHAPE_SPHERE: return thud_vec3_scale(r / norm, d);
  case THUD_SHAPE_ELLIPSOID: {
    thud_vec3 e = thud_vec3_make(h[0] * d.x, h[1] * d.y, h[2] * d.z);
    double scale = 1 / thud_vec3_norm(e);
    return thud_vec3_make(h[0] * e.x * scale, h[1] * e.y * scale, h[2] * e.z * scale);
  }
  case THUD_SHAPE_CAPSULE:
    return thud_vec3_add(thud_vec3_scale(r / norm, d), thud_vec3_make(0, 0, copysign(half, d.z)));
  case THUD_SHAPE_BOX: return thud_vec3_make(copysign(h[0], d.x), copysign(h[1], d.y), copysign(h[2], d.z));
  case THUD_SHAPE_CYLINDER: return thud_vec3_make(r * cx, r * cy, copysign(half, d.z));
  case THUD_SHAPE_CONE:
    return half * d.z > r * across - half * d.z ? thud_vec3_make(0, 0, half) : thud_vec3_make(r * cx, r * cy, -half);
  default: break;
  }
  thud_vec3 best = thud_vec3_load(def->points);
  for (thud_index i = 1; i < def->point_count; i++) {
    thud_vec3 x = thud_vec3_load(def->points + 3 * i);
    if (thud_vec3_dot(x, d) > thud_vec3_dot(best, d)) best = x;
  }
  return best;
}

thud_vec3 oracle_support(const oracle_body *body, thud_vec3 direction) {
  thud_shape_def def = thud_shape_get_def(body->shape);
  thud_mat3 turn = thud_quat_to_matrix(body->pose.rotation);
  thud_vec3 x = support_in_frame(&def, thud_mat3_apply_transposed(turn, direction));
  return thud_vec3_add(body->pose.position, thud_mat3_apply(turn, x));
}

/* Support values of random directions and of the point's own: the level of a hull without its faces. */
static double hull_level(const thud_shape_def *def, thud_vec3 x);

double oracle_level(const oracle_body *body, thud_vec3 world) {
  thud_shape_def def = thud_shape_get_def(body->shape);
  thud_mat3 turn = thud_quat_to_matrix(body->pose.rotation);
  thud_vec3 x = thud_mat3_apply_transposed(turn, thud_vec3_subtract(world, body->pose.position));
  double r = def.radius, half = def.half_length, across = hypot(x.x, x.y);
  const double *h = def.half;
  switch (def.kind) {
  case THUD_SHAPE_SPHERE: return thud_vec3_norm(x) - r;
  case THUD_SHAPE_ELLIPSOID: {
    thud_vec3 u = thud_vec3_make(x.x / h[0], x.y / h[1], x.z / h[2]);
    thud_vec3 slope = thud_vec3_make(u.x / h[0], u.y / h[1], u.z / h[2]);
    double norm = thud_vec3_norm(u);
    return (norm - 1) * norm / fmax(thud_vec3_norm(slope), 1e-300);
  }
  case THUD_SHAPE_CAPSULE: return hypot(across, fmax(fabs(x.z) - half, 0)) - r;
  case THUD_SHAPE_BOX: return fmax(fmax(fabs(x.x) - h[0], fabs(x.y) - h[1]), fabs(x.z) - h[2]);
  case THUD_SHAPE_CYLINDER: return fmax(across - r, fabs(x.z) - half);
  case THUD_SHAPE_CONE: return fmax((2 * half * across + r * x.z - r * half) / hypot(2 * half, r), -half - x.z);
  case THUD_SHAPE_PLANE: return x.z;
  default: return hull_level(&def, x);
  }
}

double oracle_separation(const oracle_body *a, const oracle_body *b, thud_vec3 n) {
  double low = thud_vec3_dot(n, thud_vec3_subtract(oracle_support(a, thud_vec3_negate(n)), b->pose.position));
  if (thud_shape_get_kind(b->shape) != THUD_SHAPE_PLANE)
    return low - thud_vec3_dot(n, thud_vec3_subtract(oracle_support(b, n), b->pose.position));
  thud_vec3 up = thud_quat_rotate(b->pose.rotation, thud_vec3_make(0, 0, 1));
  return thud_vec3_distance(up, n) < 1e-12 ? low : -INFINITY;
}

/* ---- polyhedra: faces and edges by brute force -------------------------------------------------------------------------- */

enum { POINTS_MAX = 32, NORMALS_MAX = 256, EDGES_MAX = 128 };

typedef struct solid {
  size_t point_count, normal_count, edge_count;
  thud_vec3 points[POINTS_MAX], normals[NORMALS_MAX], edges[EDGES_MAX];
  double offsets[NORMALS_MAX];
} solid;

static void add_plane(solid *s, thud_vec3 n, double offset) {
  for (size_t k = 0; k < s->normal_count; k++)
    if (thud_vec3_distance(s->normals[k], n) < 1e-9) return;
  if (s->normal_count == NORMALS_MAX) abort();
  s->normals[s->normal_count] = n;
  s->offsets[s->normal_count++] = offset;
}

/* Planes through three points with all others on one side. */
static void find_planes(solid *s, double size) {
  for (size_t i = 0; i < s->point_count; i++)
    for (size_t j = i + 1; j < s->point_count; j++)
      for (size_t k = j + 1; k < s->point_count; k++) {
        thud_vec3 u = thud_vec3_subtract(s->points[j], s->points[i]),
                  v = thud_vec3_subtract(s->points[k], s->points[i]);
        thud_vec3 n = thud_vec3_cross(u, v);
        if (thud_vec3_norm(n) < 1e-9 * size * size || !thud_vec3_normalise(n, &n)) continue;
        double low = 0, high = 0;
        for (size_t m = 0; m < s->point_count; m++) {
          double height = thud_vec3_dot(n, thud_vec3_subtract(s->points[m], s->points[i]));
          low = fmin(low, height);
          high = fmax(high, height);
        }
        if (high < 1e-10 * size) add_plane(s, n, thud_vec3_dot(n, s->points[i]));
        if (low > -1e-10 * size) add_plane(s, thud_vec3_negate(n), -thud_vec3_dot(n, s->points[i]));
      }
}

/* Pairs of points that lie in two common planes. */
static void find_edges(solid *s, double size) {
  for (size_t i = 0; i < s->point_count; i++)
    for (size_t j = i + 1; j < s->point_count; j++) {
      int common = 0;
      for (size_t k = 0; k < s->normal_count; k++)
        common += fabs(thud_vec3_dot(s->normals[k], s->points[i]) - s->offsets[k]) < 1e-9 * size &&
                  fabs(thud_vec3_dot(s->normals[k], s->points[j]) - s->offsets[k]) < 1e-9 * size;
      if (common < 2) continue;
      if (s->edge_count == EDGES_MAX) abort();
      thud_vec3_normalise(thud_vec3_subtract(s->points[j], s->points[i]), &s->edges[s->edge_count++]);
    }
}

static bool solid_of(const thud_shape_def *def, double size, solid *s) {
  memset(s, 0, sizeof *s);
  if (def->kind == THUD_SHAPE_BOX)
    for (int i = 0; i < 8; i++)
      s->points[s->point_count++] =
          thud_vec3_make(i & 1 ? def->half[0] : -def->half[0], i & 2 ? def->half[1] : -def->half[1],
                         i & 4 ? def->half[2] : -def->half[2]);
  else if (def->kind == THUD_SHAPE_HULL && def->point_count <= POINTS_MAX)
    for (thud_index i = 0; i < def->point_count; i++) s->points[s->point_count++] = thud_vec3_load(def->points + 3 * i);
  else
    return false;
  find_planes(s, size);
  find_edges(s, size);
  return true;
}

static double hull_level(const thud_shape_def *def, thud_vec3 x) {
  solid s;
  double size = 0, level = -INFINITY;
  for (thud_index i = 0; i < 3 * def->point_count; i++) size = fmax(size, fabs(def->points[i]));
  if (!solid_of(def, size, &s)) abort();
  for (size_t k = 0; k < s.normal_count; k++) level = fmax(level, thud_vec3_dot(s.normals[k], x) - s.offsets[k]);
  return level;
}

static void turn_solid(solid *s, thud_quat rotation) {
  for (size_t i = 0; i < s->normal_count; i++) s->normals[i] = thud_quat_rotate(rotation, s->normals[i]);
  for (size_t i = 0; i < s->edge_count; i++) s->edges[i] = thud_quat_rotate(rotation, s->edges[i]);
}

static double exact_of_polyhedra(const oracle_body *a, const oracle_body *b, solid *of_a, solid *of_b) {
  turn_solid(of_a, a->pose.rotation);
  turn_solid(of_b, b->pose.rotation);
  double best = -INFINITY;
  for (size_t i = 0; i < of_a->normal_count; i++)
    best = fmax(best, oracle_separation(a, b, thud_vec3_negate(of_a->normals[i])));
  for (size_t i = 0; i < of_b->normal_count; i++) best = fmax(best, oracle_separation(a, b, of_b->normals[i]));
  for (size_t i = 0; i < of_a->edge_count; i++)
    for (size_t j = 0; j < of_b->edge_count; j++) {
      thud_vec3 n = thud_vec3_cross(of_a->edges[i], of_b->edges[j]);
      if (thud_vec3_norm(n) < 1e-7 || !thud_vec3_normalise(n, &n)) continue;
      best = fmax(best, fmax(oracle_separation(a, b, n), oracle_separation(a, b, thud_vec3_negate(n))));
    }
  return best;
}

/* ---- directions --------------------------------------------------------------------------------------------------------- */

enum { KEPT = 6, IMPROVEMENTS = 120 };

typedef struct direction {
  thud_vec3 n;
  double separation;
} direction;

static void offer(const oracle_body *a, const oracle_body *b, thud_vec3 n, direction kept[KEPT]) {
  if (!thud_vec3_normalise(n, &n)) return;
  direction one = {n, oracle_separation(a, b, n)};
  if (one.separation <= kept[KEPT - 1].separation) return;
  int place = KEPT - 1;
  for (; place > 0 && kept[place - 1].separation < one.separation; place--) kept[place] = kept[place - 1];
  kept[place] = one;
}

/* Steps to eight neighbours on the sphere, halved when none is better; so many of them at the most. */
static double improve(const oracle_body *a, const oracle_body *b, direction d, double step) {
  for (int k = 0; k < IMPROVEMENTS && step > 1e-9; k++) {
    thud_mat3 frame = thud_mat3_frame(d.n);
    direction best = d;
    for (int side = 0; side < 8; side++) {
      double angle = 0.25 * side * 3.14159265358979323846 + 0.3;
      thud_vec3 n =
          thud_vec3_add_scaled(thud_vec3_add_scaled(d.n, step * cos(angle), frame.cy), step * sin(angle), frame.cz);
      thud_vec3_normalise(n, &n);
      double separation = oracle_separation(a, b, n);
      if (separation > best.separation) best = (direction){n, separation};
    }
    if (best.separation > d.separation)
      d = best;
    else
      step /= 2;
  }
  return d.separation;
}

static void offer_axes(const oracle_body *a, const oracle_body *b, direction kept[KEPT]) {
  thud_mat3 of_a = thud_quat_to_matrix(a->pose.rotation), of_b = thud_quat_to_matrix(b->pose.rotation);
  thud_vec3 axes[6] = {of_a.cx, of_a.cy, of_a.cz, of_b.cx, of_b.cy, of_b.cz};
  for (int i = 0; i < 6; i++)
    for (int j = 0; j <= i; j++) {
      thud_vec3 n = i == j ? axes[i] : thud_vec3_cross(axes[i], axes[j]);
      offer(a, b, n, kept);
      offer(a, b, thud_vec3_negate(n), kept);
    }
}

double oracle_largest_separation(const oracle_body *a, const oracle_body *b, int directions) {
  thud_shape_def def_a = thud_shape_get_def(a->shape), def_b = thud_shape_get_def(b->shape);
  solid of_a, of_b;
  if (def_b.kind == THUD_SHAPE_PLANE)
    return oracle_separation(a, b, thud_quat_rotate(b->pose.rotation, thud_vec3_make(0, 0, 1)));
  if (solid_of(&def_a, thud_shape_radius(a->shape), &of_a) && solid_of(&def_b, thud_shape_radius(b->shape), &of_b))
    return exact_of_polyhedra(a, b, &of_a, &of_b);
  direction kept[KEPT];
  for (int i = 0; i < KEPT; i++) kept[i].separation = -INFINITY;
  offer_axes(a, b, kept);
  for (int i = 0; i < directions; i++) { /* Fibonacci's spiral */
    double z = 1 - (2 * i + 1.0) / directions, angle = 2.39996322972865332 * i, r = sqrt(1 - z * z);
    offer(a, b, thud_vec3_make(r * cos(angle), r * sin(angle), z), kept);
  }
  double best = -INFINITY;
  for (int i = 0; i < KEPT; i++)
    if (kept[i].separation > -INFINITY) best = fmax(best, improve(a, b, kept[i], 3 / sqrt(directions)));
  return best;
}

/* ---- distance ------------------------------------------------------------------------------------------------------------ */

enum { ATOMS_MAX = 128 };

typedef struct program {
  size_t count;
  thud_vec3 atoms[ATOMS_MAX]; /* points of a - b */
  double weights[ATOMS_MAX];
  thud_vec3 v; /* their mean */
} program;

static size_t find_atom(program *p, thud_vec3 w) {
  for (size_t i = 0; i < p->count; i++)
    if (thud_vec3_distance(p->atoms[i], w) == 0) return i;
  size_t place = p->count;
  if (place == ATOMS_MAX) { /* in the place of the lightest, whose weight is moved to its nearest other */
    place = 0;
    for (size_t i = 1; i < p->count; i++)
      if (p->weights[i] < p->weights[place]) place = i;
    size_t heir = place == 0 ? 1 : 0;
    p->weights[heir] += p->weights[place];
    p->v = thud_vec3_add_scaled(p->v, p->weights[place], thud_vec3_subtract(p->atoms[heir], p->atoms[place]));
  } else {
    p->count++;
  }
  p->atoms[place] = w;
  p->weights[place] = 0;
  return place;
}

static void drop_empty(program *p) {
  size_t kept = 0;
  for (size_t i = 0; i < p->count; i++)
    if (p->weights[i] > 0) {
      p->atoms[kept] = p->atoms[i];
      p->weights[kept++] = p->weights[i];
    }
  p->count = kept;
  p->v = thud_vec3_make(0, 0, 0);
  for (size_t i = 0; i < kept; i++) p->v = thud_vec3_add_scaled(p->v, p->weights[i], p->atoms[i]);
}

oracle_interval oracle_distance(const oracle_body *a, const oracle_body *b, int most_steps) {
  oracle_body near_a = *a, near_b = *b; /* about the first one's place: no digits lost far from the origin */
  near_a.pose.position = thud_vec3_make(0, 0, 0);
  near_b.pose.position = thud_vec3_subtract(b->pose.position, a->pose.position);
  program p = {.count = 1, .weights = {1}};
  thud_vec3 x = thud_vec3_make(1, 0, 0);
  p.v = p.atoms[0] = thud_vec3_subtract(oracle_support(&near_a, x), oracle_support(&near_b, x));
  oracle_interval found = {0, thud_vec3_norm(p.v)};
  for (int step = 0; step < most_steps && found.upper - found.lower > 1e-13 * found.upper; step++) {
    thud_vec3 w = thud_vec3_subtract(oracle_support(&near_a, thud_vec3_negate(p.v)), oracle_support(&near_b, p.v));
    found.lower = fmax(found.lower, thud_vec3_dot(p.v, w) / thud_vec3_norm(p.v));
    size_t to = find_atom(&p, w), from = to;
    for (size_t i = 0; i < p.count; i++)
      if (p.weights[i] > 0 && (from == to || thud_vec3_dot(p.v, p.atoms[i]) > thud_vec3_dot(p.v, p.atoms[from])))
        from = i;
    if (from == to) break;
    thud_vec3 d = thud_vec3_subtract(p.atoms[to], p.atoms[from]);
    double length = fmin(p.weights[from], -thud_vec3_dot(p.v, d) / thud_vec3_dot(d, d));
    if (!(length > 0)) break;
    p.weights[from] -= length;
    p.weights[to] += length;
    drop_empty(&p);
    found.upper = fmin(found.upper, thud_vec3_norm(p.v));
  }
  return found;
}
