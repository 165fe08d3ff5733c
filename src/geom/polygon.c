/* Shapes of the plane with corners: rectangles, convex polygons and segments. */
#include "geom/hull.h"
#include "geom/polyhedron.h"
#include "geom/shape_kinds.h"

#include <stdlib.h>

/* Relative to the size: a point so near to the line through its neighbours is no corner. */
#define STRAIGHT 1e-14

/* Room for an outline of so many vertices. */
static thud_error allocate_outline(thud_shape *shape, thud_index vertices) {
  return thud_polyhedron_allocate(shape->context, vertices, vertices, 2 * vertices, &shape->polyhedron);
}

/* The vertices are set: everything else; the def's points are from now on the vertices. */
static thud_error finish_outline(thud_shape *shape) {
  thud_polyhedron *p = &shape->polyhedron;
  shape->reach = thud_polyhedron_reach(p);
  return thud_polyhedron_outline(shape->context, p);
}

static void own_points(thud_shape *shape) {
  shape->def.point_count = shape->polyhedron.vertex_count;
  shape->def.points = &shape->polyhedron.vertices[0].x;
}

/* Counter-clockwise from the corner with the smallest coordinates. */
thud_error thud_build_rectangle(thud_shape *shape) {
  thud_error error = allocate_outline(shape, 4);
  if (error != THUD_OK) return error;
  double a = shape->def.half[0], b = shape->def.half[1];
  thud_vec3 *v = shape->polyhedron.vertices;
  v[0] = thud_vec3_make(-a, -b, 0);
  v[1] = thud_vec3_make(a, -b, 0);
  v[2] = thud_vec3_make(a, b, 0);
  v[3] = thud_vec3_make(-a, b, 0);
  shape->thickness = 2 * fmin(a, b);
  return finish_outline(shape);
}

thud_error thud_build_segment(thud_shape *shape) {
  if (shape->def.point_count != 2)
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "segment: there are %d points; it has 2 ends",
                     (int)shape->def.point_count);
  thud_error error = allocate_outline(shape, 2);
  if (error != THUD_OK) return error;
  const double *x = shape->def.points;
  thud_vec3 *v = shape->polyhedron.vertices;
  v[0] = thud_vec3_make(x[0], x[1], 0);
  v[1] = thud_vec3_make(x[3], x[4], 0);
  shape->thickness = thud_vec3_distance(v[0], v[1]);
  if (!(shape->thickness > 0))
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "segment: both ends are (%g, %g)", x[0], x[1]);
  own_points(shape);
  return finish_outline(shape);
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
                   "polygon: the points are on a line (to 1e-9 of their extent); a polygon needs an area");
}

/* work[count] sorted points, work + count: room for the chain. */
static thud_error make_polygon(thud_shape *shape, thud_vec3 *work) {
  thud_index count = shape->def.point_count;
  thud_vec3 *hull = work + count;
  double extent = extent_of(work, count);
  if (!(extent > 0))
    return thud_fail(shape->context, THUD_ERROR_ARGUMENT, "polygon: all points are equal (%g, %g)", work[0].x,
                     work[0].y);
  thud_index corners = chain(work, count, STRAIGHT * extent, hull);
  if (corners < 3) return fail_straight(shape);
  thud_error error = allocate_outline(shape, corners);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < corners; i++) shape->polyhedron.vertices[i] = hull[i];
  error = finish_outline(shape);
  if (error != THUD_OK) return error;
  shape->thickness = thud_polyhedron_width(&shape->polyhedron);
  if (!(shape->thickness > THUD_HULL_DEGENERATE * extent)) return fail_straight(shape);
  own_points(shape);
  return THUD_OK;
}

thud_error thud_build_polygon(thud_shape *shape) {
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
