/* Masses of bodies: second moments C, the integral of (x - c)(x - c)', from which the inertia is tr(C) 1 - C. */
#include "verify/bodies/verify_bodies_read.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- bodies --------------------------------------------------------------------------------------------------------- */

static thud_vec3 centre_of(const verify_part *part, const verify_mass *mass) {
  return thud_vec3_add(part->place.x0, thud_mat3_apply(part->place.R, mass->centre));
}

/* The parts together, with their densities or, uniform, with 1. */
static verify_mass sum_parts(const verify_bodies *bodies, const verify_pattern *pattern, bool uniform) {
  verify_mass sum = {0};
  thud_vec3 first = {0, 0, 0};           /* centres are summed from there: of a single part nothing is rounded */
  for (int pass = 0; pass < 2; pass++) { /* the centre, then the moments about it */
    for (size_t k = 0; k < pattern->part_count; k++) {
      const verify_part *part = &pattern->parts[k];
      verify_mass one = thud_verify_shape_mass(&bodies->shape[part->shape]);
      double density = uniform ? 1 : pattern->density[k], mass = density * one.mass;
      thud_vec3 centre = centre_of(part, &one);
      if (k == 0) first = centre;
      if (pass == 0) {
        sum.mass += mass;
        sum.centre = thud_vec3_add_scaled(sum.centre, mass, thud_vec3_subtract(centre, first));
        continue;
      }
      thud_vec3 d = thud_vec3_subtract(centre, sum.centre);
      thud_mat3 R = part->place.R;
      thud_mat3 turned = thud_mat3_multiply(R, thud_mat3_multiply(one.second, thud_mat3_transpose(R)));
      sum.second = thud_mat3_add(sum.second, thud_mat3_scale(density, turned));
      sum.second = thud_mat3_add(sum.second, thud_mat3_scale(mass, thud_mat3_outer(d, d)));
    }
    if (!(sum.mass > 0)) return (verify_mass){0};
    if (pass == 0) sum.centre = thud_vec3_add_scaled(first, 1 / sum.mass, sum.centre);
  }
  return sum;
}

/* tr(C) 1 - C, without the term that cancels: moments of thin bodies keep their digits. */
static thud_mat3 inertia_of(thud_mat3 C) {
  double xy = 0.5 * (C.cx.y + C.cy.x), yz = 0.5 * (C.cy.z + C.cz.y), zx = 0.5 * (C.cz.x + C.cx.z);
  return thud_mat3_columns(thud_vec3_make(C.cy.y + C.cz.z, -xy, -zx), thud_vec3_make(-xy, C.cx.x + C.cz.z, -yz),
                           thud_vec3_make(-zx, -yz, C.cx.x + C.cy.y));
}

/* Mass, centre and inertia, which is given, of the parts, or that of a particle: 0. */
static void take_mass(const verify_bodies *bodies, verify_pattern *pattern) {
  verify_rigid *body = &pattern->body;
  double given = body->mass;
  if (given > 0 && thud_mat3_trace(body->inertia) != 0) return;
  verify_mass sum = sum_parts(bodies, pattern, false);
  if (given > 0 && !(sum.mass > 0)) sum = sum_parts(bodies, pattern, true);
  if (given > 0 && !(sum.mass > 0)) {
    if (pattern->part_count > 0) body->centre = pattern->parts[0].place.x0;
    return;
  }
  body->mass = given > 0 ? given : sum.mass;
  body->centre = sum.centre;
  if (given > 0) sum.second = thud_mat3_scale(given / sum.mass, sum.second);
  body->inertia = inertia_of(sum.second);
}

thud_error thud_verify_pattern_finish(const verify_bodies *bodies, const thud_node *node, verify_pattern *pattern) {
  verify_rigid *body = &pattern->body;
  body->inverse = thud_mat3_diagonal(0, 0, 0);
  if (body->role != VERIFY_DYNAMIC) {
    body->mass = 0;
    body->centre = thud_vec3_make(0, 0, 0);
    body->inertia = body->inverse;
    return THUD_OK;
  }
  take_mass(bodies, pattern);
  if (!(body->mass > 0)) return thud_node_fail(node, THUD_ERROR_SCHEMA, "this body has no mass");
  double turning = body->inertia.cz.z;
  if (bodies->planar) body->inertia = thud_mat3_diagonal(0, 0, turning);
  if (bodies->planar && turning > 0) body->inverse.cz.z = 1 / turning;
  bool turns = !bodies->planar && thud_mat3_trace(body->inertia) != 0;
  if (turns && !thud_mat3_inverse(body->inertia, &body->inverse))
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "the inertia matrix of this body is singular");
  for (size_t k = 0; k < pattern->part_count; k++)
    pattern->parts[k].place.x0 = thud_vec3_subtract(pattern->parts[k].place.x0, body->centre);
  return THUD_OK;
}

/* ---- on which side of a plane: exactly ------------------------------------------------------------------------------- */

/* A sum of doubles that do not overlap, of increasing size: exact (J. R. Shewchuk, "Adaptive Precision Floating-Point
 * Arithmetic and Fast Robust Geometric Predicates", 1997). */
enum { MOST_TERMS = 96 };
typedef struct exact_sum {
  size_t count;
  double term[MOST_TERMS];
} exact_sum;

/* a + b = *high + the rounding, which is returned. */
static double add_pair(double a, double b, double *high) {
  *high = a + b;
  double from_b = *high - a;
  return (a - (*high - from_b)) + (b - from_b);
}

static void add_term(exact_sum *sum, double x) {
  for (size_t k = 0; k < sum->count; k++) sum->term[k] = add_pair(x, sum->term[k], &x);
  sum->term[sum->count++] = x;
}

/* x y z as four doubles. */
static void add_product(exact_sum *sum, double x, double y, double z) {
  double xy = x * y, low = fma(x, y, -xy), parts[2] = {low, xy};
  for (int k = 0; k < 2; k++) {
    double high = parts[k] * z;
    add_term(sum, fma(parts[k], z, -high));
    add_term(sum, high);
  }
}

/* The sign of -det [a 1; b 1; c 1; d 1] = (b - a) x (c - a) . (d - a), expanded into 24 products. */
static int exact_side(thud_vec3 a, thud_vec3 b, thud_vec3 c, thud_vec3 d) {
  const thud_vec3 p[4] = {a, b, c, d};
  exact_sum sum = {0};
  for (int skip = 0; skip < 4; skip++) { /* minors without one point */
    const thud_vec3 *q[3];
    double sign = skip % 2 == 0 ? 1 : -1;
    for (int k = 0, n = 0; k < 4; k++)
      if (k != skip) q[n++] = &p[k];
    for (int k = 0; k < 3; k++) {
      const thud_vec3 *u = q[k], *v = q[(k + 1) % 3], *w = q[(k + 2) % 3];
      add_product(&sum, sign * u->x, v->y, w->z);
      add_product(&sum, -sign * u->x, w->y, v->z);
    }
  }
  for (size_t k = sum.count; k-- > 0;)
    if (sum.term[k] != 0) return sum.term[k] > 0 ? 1 : -1;
  return 0;
}

/* 1: d is above the triangle a b c, seen from where it is counter-clockwise; -1: below; 0: in its plane. */
static int side_of(thud_vec3 a, thud_vec3 b, thud_vec3 c, thud_vec3 d) {
  thud_vec3 u = thud_vec3_subtract(b, a), v = thud_vec3_subtract(c, a), w = thud_vec3_subtract(d, a);
  double volume = thud_vec3_dot(thud_vec3_cross(u, v), w);
  thud_mat3 edges = {
      {fabs(u.x), fabs(u.y), fabs(u.z)}, {fabs(v.x), fabs(v.y), fabs(v.z)}, {fabs(w.x), fabs(w.y), fabs(w.z)}};
  double most = edges.cx.x * (edges.cy.y * edges.cz.z + edges.cy.z * edges.cz.y) +
                edges.cx.y * (edges.cy.x * edges.cz.z + edges.cy.z * edges.cz.x) +
                edges.cx.z * (edges.cy.x * edges.cz.y + edges.cy.y * edges.cz.x);
  if (fabs(volume) > 8 * DBL_EPSILON * most) return volume > 0 ? 1 : -1;
  return exact_side(a, b, c, d);
}

/* ---- convex hulls --------------------------------------------------------------------------------------------------- */

/* Triangles of the hull of the points so far, counter-clockwise seen from outside. */
typedef struct hull_face {
  size_t corner[3];
  bool seen;
} hull_face;

typedef struct hull_work {
  thud_context *context;
  const thud_vec3 *points;
  hull_face *faces;
  size_t count, capacity;
  size_t (*rim)[2]; /* edges between seen faces and others */
  size_t rim_count, rim_capacity;
} hull_work;

static thud_error add_face(hull_work *work, size_t a, size_t b, size_t c) {
  thud_error error =
      thud_array_reserve(work->context, &work->faces, &work->capacity, work->count + 1, sizeof *work->faces);
  if (error == THUD_OK) work->faces[work->count++] = (hull_face){.corner = {a, b, c}};
  return error;
}

static thud_error add_rim(hull_work *work, size_t a, size_t b) {
  for (size_t k = 0; k < work->rim_count; k++) /* an edge between two seen faces is no rim */
    if (work->rim[k][0] == b && work->rim[k][1] == a) {
      work->rim[k][0] = work->rim[--work->rim_count][0];
      work->rim[k][1] = work->rim[work->rim_count][1];
      return THUD_OK;
    }
  thud_error error =
      thud_array_reserve(work->context, &work->rim, &work->rim_capacity, work->rim_count + 1, sizeof *work->rim);
  if (error != THUD_OK) return error;
  work->rim[work->rim_count][0] = a;
  work->rim[work->rim_count++][1] = b;
  return THUD_OK;
}

/* Faces that the point sees go; triangles from their rim to the point come. No rim is in line with the point: it would be in
 * the plane of a face that it sees. */
static thud_error add_point(hull_work *work, size_t point) {
  const thud_vec3 *p = work->points;
  size_t kept = 0;
  thud_error error = THUD_OK;
  work->rim_count = 0;
  for (size_t k = 0; k < work->count; k++) {
    hull_face *face = &work->faces[k];
    const size_t *c = face->corner;
    face->seen = side_of(p[c[0]], p[c[1]], p[c[2]], p[point]) > 0;
    for (size_t i = 0; face->seen && i < 3 && error == THUD_OK; i++) error = add_rim(work, c[i], c[(i + 1) % 3]);
  }
  if (error != THUD_OK || work->rim_count == 0) return error;
  for (size_t k = 0; k < work->count; k++)
    if (!work->faces[k].seen) work->faces[kept++] = work->faces[k];
  work->count = kept;
  for (size_t k = 0; k < work->rim_count && error == THUD_OK; k++)
    error = add_face(work, work->rim[k][0], work->rim[k][1], point);
  return error;
}

/* Four points that are far from each other, from a line and from a plane; false: there are none. */
static bool find_first_four(const hull_work *work, size_t count, size_t four[4]) {
  const thud_vec3 *p = work->points;
  double most[4] = {0, 0, 0, 0};
  for (int k = 0; k < 4; k++) four[k] = 0;
  for (size_t k = 0; k < count; k++)
    if (p[k].x < p[four[0]].x) four[0] = k;
  for (int chosen = 1; chosen < 4; chosen++)
    for (size_t k = 0; k < count; k++) {
      thud_vec3 to = thud_vec3_subtract(p[k], p[four[0]]);
      thud_vec3 first = chosen > 1 ? thud_vec3_subtract(p[four[1]], p[four[0]]) : to;
      thud_vec3 second = chosen > 2 ? thud_vec3_subtract(p[four[2]], p[four[0]]) : to;
      double far = chosen == 1   ? thud_vec3_norm(to)
                   : chosen == 2 ? thud_vec3_norm(thud_vec3_cross(first, to))
                                 : fabs(thud_vec3_dot(thud_vec3_cross(first, second), to));
      if (!(far > most[chosen])) continue;
      most[chosen] = far;
      four[chosen] = k;
    }
  return most[3] > 0 && side_of(p[four[0]], p[four[1]], p[four[2]], p[four[3]]) != 0;
}

static thud_error add_first_faces(hull_work *work, const size_t four[4]) {
  const thud_vec3 *p = work->points;
  bool above = side_of(p[four[0]], p[four[1]], p[four[2]], p[four[3]]) > 0;
  size_t x = above ? four[1] : four[2], y = above ? four[2] : four[1];
  thud_error error = add_face(work, four[0], y, x);
  if (error == THUD_OK) error = add_face(work, four[0], x, four[3]);
  if (error == THUD_OK) error = add_face(work, x, y, four[3]);
  return error == THUD_OK ? add_face(work, y, four[0], four[3]) : error;
}

/* The corners of the faces become the points of the shape, in their old order. */
static thud_error take_hull(const hull_work *work, verify_shape *shape) {
  size_t *number = THUD_NEW_ARRAY(work->context, size_t, shape->point_count), corners = 0;
  size_t *triangles = THUD_NEW_ARRAY(work->context, size_t, 3 * work->count);
  if (number == NULL || triangles == NULL) {
    thud_free(work->context, number);
    thud_free(work->context, triangles);
    return THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < 3 * work->count; k++) number[work->faces[k / 3].corner[k % 3]] = 1;
  for (size_t k = 0; k < shape->point_count; k++) {
    if (number[k] == 0) continue;
    shape->points[corners] = shape->points[k];
    number[k] = corners++;
  }
  for (size_t k = 0; k < 3 * work->count; k++) triangles[k] = number[work->faces[k / 3].corner[k % 3]];
  shape->point_count = corners;
  shape->triangles = triangles;
  shape->triangle_count = work->count;
  thud_free(work->context, number);
  return THUD_OK;
}

/* One point after the other, relative to their mean, so that hulls far from the origin lose no digits. */
thud_error thud_verify_find_hull(thud_context *context, verify_shape *shape) {
  size_t count = shape->point_count, four[4];
  thud_vec3 *moved = THUD_NEW_ARRAY(context, thud_vec3, count), middle = thud_verify_middle_of(shape);
  hull_work work = {.context = context, .points = moved};
  thud_error error = moved != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) moved[k] = thud_vec3_subtract(shape->points[k], middle);
  bool solid = error == THUD_OK && count >= 4 && find_first_four(&work, count, four);
  if (solid) error = add_first_faces(&work, four);
  for (size_t k = 0; solid && k < count && error == THUD_OK; k++) error = add_point(&work, k);
  if (solid && error == THUD_OK) error = take_hull(&work, shape);
  thud_free(context, moved);
  thud_free(context, work.faces);
  thud_free(context, work.rim);
  return error;
}
