/* Shapes of the plane with corners that are given: convex polygons, and segments. */
#include "geom/hull.h"
#include "geom/polyhedron.h"
#include "geom/shape_mass.h"
#include "geom/ray.h"
#include "geom/shape_surface.h"

#include <stdlib.h>

/* Relative to the size: a point so near to the line through its neighbours is no corner. */
#define STRAIGHT 1e-14

/* The def's points are from now on the vertices. */
static void own_points(thud_shape *shape) {
  shape->def.point_count = shape->polyhedron.vertex_count;
  shape->def.points = &shape->polyhedron.vertices[0].x;
}

/* ---- convex hull of points in the plane: Andrew's monotone chain ----------------------------------------------------- */

static int compare_points(const void *left, const void *right) {
  const thud_vec3 *a = left, *b = right;
  if (a->x != b->x) return a->x < b->x ? -1 : 1;
  return a->y < b->y ? -1 : a->y > b->y;
}

/* Does the way from a by b to c turn left by more than rounding? */
static bool turns_left(thud_vec3 a, thud_vec3 b, thud_vec3 c, double straight) {
  thud_vec2 base = {c.x - a.x, c.y - a.y}, to_b = {b.x - a.x, b.y - a.y};
  return thud_vec2_cross(to_b, base) > straight * thud_vec2_norm(base);
}

/* points[count] sorted -> hull[at most 2*count]: number of corners, counter-clockwise. */
static thud_index chain(const thud_vec3 *points, thud_index count, double straight, thud_vec3 *hull) {
  thud_index size = 0;
  for (thud_index i = 0; i < count; i++) {
    while (size >= 2 && !turns_left(hull[size - 2], hull[size - 1], points[i], straight)) size--;
    hull[size++] = points[i];
  }
  thud_index lower = size + 1;
  for (thud_index i = count - 2; i >= 0; i--) {
    while (size >= lower && !turns_left(hull[size - 2], hull[size - 1], points[i], straight)) size--;
    hull[size++] = points[i];
  }
  return size - 1;
}

/* Largest extent along x or y. */
static double extent_of(const thud_vec3 *points, thud_index count) {
  double low = points[0].y, high = points[0].y;
  for (thud_index i = 1; i < count; i++) {
    low = fmin(low, points[i].y);
    high = fmax(high, points[i].y);
  }
  return fmax(points[count - 1].x - points[0].x, high - low);
}

static thud_error fail_straight(const thud_shape *shape) {
  return thud_fail(shape->context, THUD_ERROR_ARGUMENT,
                   "[bad-shape] polygon: the points are on a line (to 1e-9 of their extent); a polygon needs an area");
}

/* work[count] sorted points, work + count: room for the chain. */
static thud_error make_polygon(thud_shape *shape, thud_vec3 *work) {
  thud_index count = shape->def.point_count;
  thud_vec3 *hull = work + count;
  double extent = extent_of(work, count);
  if (!(extent > 0))
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "[bad-shape] polygon: all points are equal (%g, %g)",
                     work[0].x, work[0].y);
  thud_index corners = chain(work, count, STRAIGHT * extent, hull);
  if (corners < 3) return fail_straight(shape);
  thud_error error = thud_outline_allocate(shape, corners);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < corners; i++) shape->polyhedron.vertices[i] = hull[i];
  error = thud_outline_finish(shape);
  if (error != THUD_OK) return error;
  shape->thickness = thud_polyhedron_width(&shape->polyhedron);
  if (!(shape->thickness > THUD_HULL_DEGENERATE * extent)) return fail_straight(shape);
  own_points(shape);
  return THUD_OK;
}

static thud_error build_polygon(thud_shape *shape) {
  size_t count = (size_t)shape->def.point_count;
  thud_vec3 *work = THUD_NEW_ARRAY(shape->context, thud_vec3, 3 * count + 1);
  if (work == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < count; i++)
    work[i] = thud_vec3_make(shape->def.points[3 * i], shape->def.points[3 * i + 1], 0);
  qsort(work, count, sizeof *work, compare_points);
  thud_error error = make_polygon(shape, work);
  thud_free(shape->context, work);
  return error;
}

/* A fan of triangles from the first vertex o: with edges a, b of one, area A = a x b/2, integral of x - o: A (a + b)/3, of
 * |x - o|^2: A (a.a + a.b + b.b)/6. */
static thud_mass_properties mass(const thud_shape *shape) {
  const thud_polyhedron *p = &shape->polyhedron;
  thud_vec3 o = p->vertices[0], first = {0, 0, 0};
  double area = 0, second = 0;
  for (thud_index i = 2; i < p->vertex_count; i++) {
    thud_vec3 a = thud_vec3_subtract(p->vertices[i - 1], o), b = thud_vec3_subtract(p->vertices[i], o);
    double part = 0.5 * thud_vec3_cross(a, b).z;
    area += part;
    first = thud_vec3_add_scaled(first, part / 3, thud_vec3_add(a, b));
    second += part / 6 * (thud_vec3_dot(a, a) + thud_vec3_dot(a, b) + thud_vec3_dot(b, b));
  }
  thud_vec3 centre = thud_vec3_scale(1 / area, first);
  double moment = second - thud_vec3_dot(first, centre);
  return (thud_mass_properties){area, thud_vec3_add(o, centre), thud_mat3_diagonal(0, 0, moment)};
}

const thud_shape_class thud_shape_polygon = {
    .name = "polygon",
    .scene = {.word = "polygon", .notation = THUD_NOTED_POINTS},
    .planar = true,
    .convex = true,
    .may_move = true,
    .pairs = THUD_PAIRS_PLANAR,
    .needs = THUD_NEEDS_POINTS,
    .points_least = 3,
    .build = build_polygon,
    .support = thud_support_vertices,
    .mass = mass,
    .planar_core = thud_planar_core_outline,
    .ray = thud_ray_in_polyhedron,
    .surface = thud_surface_outline,
};

/* ---- segments -------------------------------------------------------------------------------------------------------- */

static thud_error build_segment(thud_shape *shape) {
  if (shape->def.point_count != 2)
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "[bad-shape] segment: there are %d points; it has 2 ends",
                     (int)shape->def.point_count);
  thud_error error = thud_outline_allocate(shape, 2);
  if (error != THUD_OK) return error;
  const double *x = shape->def.points;
  thud_vec3 *v = shape->polyhedron.vertices;
  v[0] = thud_vec3_make(x[0], x[1], 0);
  v[1] = thud_vec3_make(x[3], x[4], 0);
  shape->thickness = thud_vec3_distance(v[0], v[1]);
  if (!(shape->thickness > 0))
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "[bad-shape] segment: both ends are (%g, %g)", x[0], x[1]);
  own_points(shape);
  return thud_outline_finish(shape);
}

static void segment_core(const thud_shape *shape, thud_planar_core *core) {
  thud_planar_core_segment(core, thud_vec3_load(shape->def.points), thud_vec3_load(shape->def.points + 3));
  core->thin = true;
}

/* o + t d = a + s (b - a); a segment has no inside, and its normal is towards the origin of the ray. */
static thud_ray_span segment_ray(const thud_shape *shape, const thud_ray *ray) {
  thud_vec3 a = shape->polyhedron.vertices[0], b = shape->polyhedron.vertices[1];
  thud_vec3 e = thud_vec3_subtract(b, a), d = ray->way, p = thud_vec3_subtract(a, ray->origin);
  thud_vec3 q = thud_vec3_subtract(b, ray->origin), normal;
  double low = d.x * p.y - d.y * p.x, high = d.x * q.y - d.y * q.x, across = d.x * e.y - d.y * e.x;
  bool between = (low <= 0 && high >= 0) || (low >= 0 && high <= 0);
  if (!between || across == 0 || !thud_vec3_normalise(thud_vec3_make(e.y, -e.x, 0), &normal)) return thud_ray_none();
  double t = (p.x * e.y - p.y * e.x) / across;
  return (thud_ray_span){t, t, thud_vec3_dot(normal, d) > 0 ? thud_vec3_negate(normal) : normal};
}

const thud_shape_class thud_shape_segment = {
    .name = "segment",
    .scene = {.word = "segment",
              .notation = THUD_NOTED_POINTS,
              .points_exactly = 2,
              .points_fault = "a segment has two ends: [[x, y], [x, y]]"},
    .planar = true,
    .convex = true,
    .pairs = THUD_PAIRS_PLANAR,
    .needs = THUD_NEEDS_POINTS,
    .points_least = 2,
    .build = build_segment,
    .support = thud_support_vertices,
    .planar_core = segment_core,
    .ray = segment_ray,
    .surface = thud_surface_outline,
};
