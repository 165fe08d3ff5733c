/* Convex hulls of points in space by qhull's reentrant library. */
#include "geom/hull.h"
#include "geom/polyhedron.h"
#include "geom/manifold.h"
#include "geom/shape_mass.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

#include <libqhull_r/qhull_ra.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- qhull ---------------------------------------------------------------------------------------------------------- */

static thud_error fail_flat(thud_context *context) {
  return thud_fail(context, THUD_ERROR_ARGUMENT,
                   "[bad-shape] hull: the points are in a plane (to 1e-9 of their extent); a hull needs a volume");
}

/* qhull's own words, cut off after the first line. */
static thud_error fail_qhull(thud_context *context, int code, char *words) {
  if (code == qh_ERRsingular) return fail_flat(context);
  if (code == qh_ERRmem) return thud_fail(context, THUD_ERROR_MEMORY, "hull: no memory for qhull");
  if (words != NULL) words[strcspn(words, "\n")] = 0;
  return thud_fail(context, THUD_ERROR_INTERNAL, "hull: qhull fails: %s", words != NULL ? words : "");
}

/* The corners of a triangle of qhull's: its vertex set is in the order of a clockwise triangle where toporient is set
 * ("qh_ORIENTclock 0: facets with toporient are oriented clockwise", user_r.h). */
static void read_corners(qhT *qh, facetT *facet, thud_index *corners) {
  for (int k = 0; k < 3; k++) {
    const vertexT *vertex = SETelemt_(facet->vertices, k, vertexT);
    corners[k] = (thud_index)qh_pointid(qh, vertex->point);
  }
  if (facet->toporient ^ qh_ORIENTclock) {
    thud_index corner = corners[0];
    corners[0] = corners[1];
    corners[1] = corner;
  }
}

static thud_error read_facets(thud_context *context, qhT *qh, thud_hull_triangles *triangles) {
  thud_index count = 0;
  facetT *facet;
  FORALLfacets {
    if (!facet->simplicial)
      return thud_fail(context, THUD_ERROR_INTERNAL, "hull: qhull left a facet that is no triangle");
    count++;
  }
  triangles->corners = THUD_NEW_ARRAY(context, thud_index, 3 * (size_t)count);
  if (triangles->corners == NULL) return THUD_ERROR_MEMORY;
  triangles->count = 0;
  FORALLfacets read_corners(qh, facet, triangles->corners + 3 * (size_t)triangles->count++);
  return THUD_OK;
}

/* Qt: triangles; Pp: no reports about precision. errors: where qhull writes its messages. */
static thud_error run_qhull(thud_context *context, qhT *qh, FILE *errors, thud_index count, coordT *points,
                            thud_hull_triangles *triangles, int *code) {
  char command[] = "qhull Qt Pp";
  qh_zero(qh, errors);
  *code = qh_new_qhull(qh, 3, count, points, False, command, NULL, errors);
  thud_error error = *code == 0 ? read_facets(context, qh, triangles) : THUD_OK;
  int long_blocks, long_bytes;
  qh_freeqhull(qh, !qh_ALL);
  qh_memfreeshort(qh, &long_blocks, &long_bytes);
  return error;
}

thud_error thud_hull_triangulate(thud_context *context, thud_index count, const thud_vec3 *points,
                                 thud_hull_triangles *triangles) {
  thud_error error = thud_need_memory(context, "qhull", 8 + (size_t)count / 1024);
  if (error != THUD_OK) return error;
  char *words = NULL;
  size_t size = 0;
  int code = 0;
  qhT *qh = THUD_NEW(context, qhT);
  coordT *coordinates = THUD_NEW_ARRAY(context, coordT, 3 * (size_t)count);
  FILE *errors = qh != NULL && coordinates != NULL ? open_memstream(&words, &size) : NULL;
  if (errors != NULL) {
    for (thud_index i = 0; i < count; i++) thud_vec3_store(points[i], coordinates + 3 * (size_t)i);
    error = run_qhull(context, qh, errors, count, coordinates, triangles, &code);
    fclose(errors);
    if (code != 0) error = fail_qhull(context, code, words);
  } else {
    error = thud_fail(context, THUD_ERROR_MEMORY, "hull: no memory for %d points", (int)count);
  }
  free(words);
  thud_free(context, coordinates);
  thud_free(context, qh);
  return error;
}

/* ---- the shape ------------------------------------------------------------------------------------------------------ */

/* Largest extent along an axis, the smallest one, and the middle of the box around the points. */
static double find_extent(thud_index count, const double *points, thud_vec3 *middle, double *least) {
  thud_vec3 low = thud_vec3_load(points), high = low;
  for (thud_index i = 1; i < count; i++) {
    const double *x = points + 3 * (size_t)i;
    low = thud_vec3_make(fmin(low.x, x[0]), fmin(low.y, x[1]), fmin(low.z, x[2]));
    high = thud_vec3_make(fmax(high.x, x[0]), fmax(high.y, x[1]), fmax(high.z, x[2]));
  }
  *middle = thud_vec3_scale(0.5, thud_vec3_add(low, high));
  thud_vec3 extent = thud_vec3_subtract(high, low);
  *least = fmin(extent.x, fmin(extent.y, extent.z));
  return fmax(extent.x, fmax(extent.y, extent.z));
}

/* Extent of the points along the normal of the largest triangle: where they are nearly in a plane, that plane's. */
static double flat_extent(thud_index count, const thud_vec3 *points, const thud_hull_triangles *triangles) {
  thud_vec3 normal = {0, 0, 0};
  double largest = 0, low = INFINITY, high = -INFINITY;
  for (thud_index t = 0; t < triangles->count; t++) {
    const thud_index *c = triangles->corners + 3 * (size_t)t;
    thud_vec3 a = points[c[0]];
    thud_vec3 area = thud_vec3_cross(thud_vec3_subtract(points[c[1]], a), thud_vec3_subtract(points[c[2]], a));
    if (!(thud_vec3_norm(area) > largest)) continue;
    largest = thud_vec3_norm(area);
    normal = thud_vec3_scale(1 / largest, area);
  }
  for (thud_index i = 0; i < count; i++) {
    low = fmin(low, thud_vec3_dot(normal, points[i]));
    high = fmax(high, thud_vec3_dot(normal, points[i]));
  }
  return high - low;
}

/* Faces; of hulls that are so thin or angular that merging folds them up, with smaller tolerances, at last the triangles
 * themselves. */
static thud_error merge(thud_shape *shape, const thud_vec3 *points, const thud_hull_triangles *triangles, double extent,
                        double width) {
  double first = fmin(THUD_HULL_COPLANAR * extent, THUD_HULL_THIN * width);
  const double tolerances[] = {first, 1e-2 * first, 1e-4 * first, -1};
  thud_error error = THUD_ERROR_INTERNAL;
  for (size_t k = 0; k < sizeof tolerances / sizeof *tolerances && error == THUD_ERROR_INTERNAL; k++) {
    thud_polyhedron_free(shape->context, &shape->polyhedron);
    error =
        thud_hull_merge(shape->context, points, triangles, shape->def.point_count, tolerances[k], &shape->polyhedron);
  }
  if (error == THUD_ERROR_INTERNAL)
    return thud_fail(shape->context, error, "[internal] hull: the triangles of qhull are not a closed surface");
  return error;
}

/* Triangles from the points moved to the origin and scaled by a power of 2 to about 1, so that nothing qhull compares with
 * its constants depends on units; faces from the points themselves, points[point_count]. */
static thud_error make_hull(thud_shape *shape, double extent, thud_vec3 middle, const thud_vec3 *points,
                            thud_vec3 *scaled) {
  thud_index count = shape->def.point_count;
  int exponent;
  frexp(extent, &exponent);
  double scale = ldexp(1, -exponent);
  for (thud_index i = 0; i < count; i++) scaled[i] = thud_vec3_scale(scale, thud_vec3_subtract(points[i], middle));
  thud_hull_triangles triangles = {0, NULL};
  thud_polyhedron *p = &shape->polyhedron;
  thud_error error = thud_hull_triangulate(shape->context, count, scaled, &triangles);
  double width = error == THUD_OK ? flat_extent(count, points, &triangles) : 0;
  if (error == THUD_OK && !(width > THUD_HULL_DEGENERATE * extent)) error = fail_flat(shape->context);
  if (error == THUD_OK) error = merge(shape, points, &triangles, extent, width);
  thud_free(shape->context, triangles.corners);
  if (error != THUD_OK) return error;
  shape->thickness = thud_polyhedron_width(p);
  return shape->thickness > THUD_HULL_DEGENERATE * extent ? THUD_OK : fail_flat(shape->context);
}

static thud_error build(thud_shape *shape) {
  size_t count = (size_t)shape->def.point_count;
  thud_vec3 middle;
  double least, extent = find_extent(shape->def.point_count, shape->def.points, &middle, &least);
  if (!(extent > 0))
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "[bad-shape] hull: all points are equal (%g, %g, %g)",
                     middle.x, middle.y, middle.z);
  if (!(least > THUD_HULL_DEGENERATE * extent)) return fail_flat(shape->context); /* qhull calls this a wrong input */
  thud_vec3 *points = THUD_NEW_ARRAY(shape->context, thud_vec3, 2 * count);
  if (points == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++) points[i] = thud_vec3_load(shape->def.points + 3 * i);
  thud_error error = make_hull(shape, extent, middle, points, points + count);
  thud_free(shape->context, points);
  if (error != THUD_OK) return error;
  shape->inner = thud_polyhedron_middle(&shape->polyhedron);
  shape->reach = thud_polyhedron_reach(&shape->polyhedron);
  shape->def.point_count = shape->polyhedron.vertex_count;
  shape->def.points = &shape->polyhedron.vertices[0].x;
  return THUD_OK;
}

/* ---- mass: exact integrals over the faces ------------------------------------------------------------------------------ */

/* Integrals over a solid of 1; x, y, z; x^2, y^2, z^2; xy, yz, zx. */
enum { INTEGRALS = 10 };

/* One coordinate of the three corners of a triangle: the polynomials by which D. Eberly, "Polyhedral Mass Properties
 * (Revisited)", 2002, after B. Mirtich, "Fast and Accurate Computation of Polyhedral Mass Properties", 1996, writes the
 * integrals over the triangle. */
typedef struct coordinate {
  double f1, f2, f3, g[3];
} coordinate;

static coordinate expand(double w0, double w1, double w2) {
  double sum = w0 + w1, square = w0 * w0, squares = square + w1 * sum;
  coordinate c = {.f1 = sum + w2};
  c.f2 = squares + w2 * c.f1;
  c.f3 = w0 * square + w1 * squares + w2 * c.f2;
  c.g[0] = c.f2 + w0 * (c.f1 + w0);
  c.g[1] = c.f2 + w1 * (c.f1 + w1);
  c.g[2] = c.f2 + w2 * (c.f1 + w2);
  return c;
}

static void add_triangle(thud_vec3 a, thud_vec3 b, thud_vec3 c, double *sum) {
  thud_vec3 d = thud_vec3_cross(thud_vec3_subtract(b, a), thud_vec3_subtract(c, a));
  coordinate x = expand(a.x, b.x, c.x), y = expand(a.y, b.y, c.y), z = expand(a.z, b.z, c.z);
  sum[0] += d.x * x.f1 / 6;
  sum[1] += d.x * x.f2 / 24;
  sum[2] += d.y * y.f2 / 24;
  sum[3] += d.z * z.f2 / 24;
  sum[4] += d.x * x.f3 / 60;
  sum[5] += d.y * y.f3 / 60;
  sum[6] += d.z * z.f3 / 60;
  sum[7] += d.x * (a.y * x.g[0] + b.y * x.g[1] + c.y * x.g[2]) / 120;
  sum[8] += d.y * (a.z * y.g[0] + b.z * y.g[1] + c.z * y.g[2]) / 120;
  sum[9] += d.z * (a.x * z.g[0] + b.x * z.g[1] + c.x * z.g[2]) / 120;
}

/* Relative to a point of the solid, so that a solid far from its origin loses no digits. */
static thud_mass_properties mass(const thud_shape *shape) {
  const thud_polyhedron *p = &shape->polyhedron;
  thud_vec3 origin = shape->inner;
  double s[INTEGRALS] = {0};
  for (thud_index f = 0; f < p->face_count; f++) {
    const thud_index *v = p->face_vertices + p->face_start[f];
    thud_vec3 a = thud_vec3_subtract(p->vertices[v[0]], origin), b = thud_vec3_subtract(p->vertices[v[1]], origin);
    for (thud_index k = 2; k < p->face_start[f + 1] - p->face_start[f]; k++) {
      thud_vec3 c = thud_vec3_subtract(p->vertices[v[k]], origin);
      add_triangle(a, b, c, s);
      b = c;
    }
  }
  thud_vec3 centre = {s[1] / s[0], s[2] / s[0], s[3] / s[0]};
  double xx = s[4] - s[1] * centre.x, yy = s[5] - s[2] * centre.y, zz = s[6] - s[3] * centre.z;
  double xy = s[7] - s[1] * centre.y, yz = s[8] - s[2] * centre.z, zx = s[9] - s[3] * centre.x;
  thud_mass_properties mass = {s[0], thud_vec3_add(origin, centre), thud_mat3_identity()};
  mass.inertia = thud_mat3_columns(thud_vec3_make(yy + zz, -xy, -zx), thud_vec3_make(-xy, zz + xx, -yz),
                                   thud_vec3_make(-zx, -yz, xx + yy));
  return mass;
}

/* ---- the class ---------------------------------------------------------------------------------------------------------- */

const thud_shape_class thud_shape_hull = {
    .name = "hull",
    .scene = {.word = "hull", .notation = THUD_NOTED_POINTS},
    .convex = true,
    .may_move = true,
    .faceted = true,
    .by_faces = true,
    .pairs = THUD_PAIRS_SOLID,
    .needs = THUD_NEEDS_POINTS,
    .points_least = 4,
    .build = build,
    .support = thud_support_vertices,
    .mass = mass,
    .nearest = thud_nearest_of_polyhedron,
    .facing = thud_flat_of_polyhedron,
    .on_plane = thud_ground_vertices,
    .ray = thud_ray_in_polyhedron,
    .surface = thud_surface_polyhedron,
};
