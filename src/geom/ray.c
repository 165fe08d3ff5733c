/* Where a ray first meets a shape. Convex shapes are intersections and unions of sets that a line meets in one interval
 * each (half-spaces, balls, infinite cylinders and cones), all in closed form; surfaces are asked triangle by triangle. */
#include "geom/ray.h"
#include "geom/collide.h"
#include "geom/triangles.h"

#include <float.h>
#include <math.h>

/* ---- the part of a line in a convex set ------------------------------------------------------------------------------- */

void thud_ray_cut(thud_ray_span *span, const thud_ray_span *by) {
  if (by->enter > span->enter) {
    span->enter = by->enter;
    span->normal = by->normal;
  }
  span->leave = fmin(span->leave, by->leave);
}

void thud_ray_join(thud_ray_span *span, const thud_ray_span *other) {
  if (thud_ray_is_empty(other)) return;
  if (thud_ray_is_empty(span) || other->enter < span->enter) {
    span->enter = other->enter;
    span->normal = other->normal;
  }
  span->leave = fmax(span->leave, other->leave);
}

thud_ray_span thud_ray_in_half_space(const thud_ray *ray, thud_vec3 n, double offset) {
  double speed = thud_vec3_dot(n, ray->way), left = offset - thud_vec3_dot(n, ray->origin);
  thud_ray_span span = thud_ray_whole();
  if (speed == 0) return left >= 0 ? span : thud_ray_none();
  if (speed < 0) {
    span.enter = left / speed;
    span.normal = n;
  } else {
    span.leave = left / speed;
  }
  return span;
}

/* Measured from the point of the line that is nearest to the centre, whose
 * distance m from it gives half the chord sqrt((r - m) (r + m)) without cancellation between far away numbers. */
thud_ray_span thud_ray_in_ball(thud_vec3 origin, thud_vec3 way, double radius) {
  double square = thud_vec3_dot(way, way);
  if (!(square > 0)) return thud_vec3_norm(origin) <= radius ? thud_ray_whole() : thud_ray_none();
  double middle = -thud_vec3_dot(origin, way) / square;
  thud_vec3 nearest = thud_vec3_add_scaled(origin, middle, way);
  middle -= thud_vec3_dot(nearest, way) / square; /* once more: what is left of the rounding of a far origin */
  nearest = thud_vec3_add_scaled(origin, middle, way);
  double m = thud_vec3_norm(nearest);
  if (m > radius) return thud_ray_none();
  double half = sqrt((radius - m) * (radius + m) / square);
  thud_ray_span span = {.enter = middle - half, .leave = middle + half};
  thud_vec3 out = thud_vec3_add_scaled(nearest, -half, way);
  if (!thud_vec3_normalise(out, &span.normal)) thud_vec3_normalise(thud_vec3_negate(way), &span.normal);
  return span;
}

thud_ray_span thud_ray_in_slab(const thud_ray *ray, thud_vec3 n, double half) {
  thud_ray_span span = thud_ray_in_half_space(ray, n, half),
                other = thud_ray_in_half_space(ray, thud_vec3_negate(n), half);
  thud_ray_cut(&span, &other);
  return span;
}

thud_ray_span thud_ray_in_polyhedron(const thud_shape *shape, const thud_ray *ray) {
  const thud_polyhedron *polyhedron = &shape->polyhedron;
  thud_ray_span span = thud_ray_whole();
  for (thud_index k = 0; k < polyhedron->face_count && !thud_ray_is_empty(&span); k++) {
    thud_ray_span face = thud_ray_in_half_space(ray, polyhedron->face_normals[k], polyhedron->face_offsets[k]);
    thud_ray_cut(&span, &face);
  }
  return span;
}

/* A ray meets the shape to this times its reach. */
#define RAY_REACHED 1e-12
enum { RAY_STEPS = 100 };

/* The distance from a convex set is convex along a line: Newton's method from outside never passes the set. Only the part
 * from the origin to the end of the ray is looked at. */
thud_ray_span thud_ray_by_separation(const thud_shape *shape, const thud_ray *ray) {
  thud_ray_span span = thud_ray_whole();
  double t = 0;
  for (int step = 0; step < RAY_STEPS && t <= 1; step++) {
    thud_nearest at = thud_shape_nearest(shape, thud_vec3_add_scaled(ray->origin, t, ray->way));
    if (step == 0 && at.distance <= 0) return span; /* from inside */
    double approach = -thud_vec3_dot(at.normal, ray->way);
    if (at.distance <= RAY_REACHED * shape->reach) {
      span.enter = t;
      span.normal = at.normal;
      return span;
    }
    if (!(approach > 0)) break;
    t += at.distance / approach;
  }
  return thud_ray_none();
}

/* ---- surfaces ----------------------------------------------------------------------------------------------------------- */

/* The first crossing so far. */
typedef struct ray_search {
  const thud_shape *surface;
  const thud_ray *ray;
  double fraction; /* above 1: none */
  thud_vec3 normal;
} ray_search;

static void take_crossing(ray_search *search, double t, thud_vec3 normal) {
  if (!(t >= 0 && t <= 1 && t < search->fraction)) return;
  search->fraction = t;
  search->normal = thud_vec3_dot(normal, search->ray->way) > 0 ? thud_vec3_negate(normal) : normal;
}

/* Signs of d . (a x b) decide on which side of each edge the line passes. Both triangles at an edge compute the same
 * number with opposite signs, bit by bit, so that no line slips through between them. */
static void cross_triangle(void *user, thud_index number) {
  ray_search *search = user;
  thud_triangle triangle;
  thud_surface_get(search->surface, number, &triangle);
  thud_vec3 p[3], d = search->ray->way;
  bool positive = true, negative = true;
  for (int k = 0; k < 3; k++) p[k] = thud_vec3_subtract(triangle.corners[k], search->ray->origin);
  for (int k = 0; k < 3; k++) {
    double side = thud_vec3_dot(d, thud_vec3_cross(p[k], p[(k + 1) % 3]));
    positive = positive && side >= 0;
    negative = negative && side <= 0;
  }
  double speed = thud_vec3_dot(triangle.normal, d);
  if ((!positive && !negative) || speed == 0) return;
  take_crossing(search, thud_vec3_dot(triangle.normal, p[0]) / speed, triangle.normal);
}

/* The box of a piece of the ray, a little larger than it. */
static thud_bounds box_of_piece(const thud_ray *ray, double from, double to) {
  thud_vec3 a = thud_vec3_add_scaled(ray->origin, from, ray->way), b = thud_vec3_add_scaled(ray->origin, to, ray->way);
  double slack = 16 * DBL_EPSILON * (thud_vec3_norm(ray->origin) + thud_vec3_norm(ray->way));
  thud_bounds box = {thud_vec3_make(fmin(a.x, b.x) - slack, fmin(a.y, b.y) - slack, fmin(a.z, b.z) - slack),
                     thud_vec3_make(fmax(a.x, b.x) + slack, fmax(a.y, b.y) + slack, fmax(a.z, b.z) + slack)};
  return box;
}

/* Piece by piece along the ray, each about as long as a triangle: boxes of short pieces meet few triangles. */
static void cross_surface(ray_search *search) {
  enum { MOST = 4096 };
  const thud_shape *surface = search->surface;
  const thud_pose here = thud_pose_identity();
  thud_bounds all = thud_shape_bounds(surface, &here, 0);
  double from = 0, to = 1, triangles = surface->class->triangles->count(surface);
  if (!thud_ray_in_box(search->ray, &all, &from, &to)) return;
  int pieces = (int)fmin(1 + 2 * sqrt(triangles), MOST);
  for (int k = 0; k < pieces; k++) {
    double begin = from + (to - from) * k / pieces, end = k + 1 < pieces ? from + (to - from) * (k + 1) / pieces : to;
    thud_bounds box = box_of_piece(search->ray, begin, end);
    thud_surface_visit(surface, &box, cross_triangle, search);
    if (search->fraction <= end) return; /* later pieces meet later triangles */
  }
}

/* ---- the whole ---------------------------------------------------------------------------------------------------------- */

bool thud_ray_in_box(const thud_ray *ray, const thud_bounds *box, double *from, double *to) {
  const double o[3] = {ray->origin.x, ray->origin.y, ray->origin.z}, d[3] = {ray->way.x, ray->way.y, ray->way.z};
  const double low[3] = {box->low.x, box->low.y, box->low.z}, high[3] = {box->high.x, box->high.y, box->high.z};
  for (int k = 0; k < 3; k++) {
    double slack = 8 * DBL_EPSILON * (fabs(o[k]) + fabs(d[k]));
    if (d[k] == 0) {
      if (o[k] < low[k] - slack || o[k] > high[k] + slack) return false;
      continue;
    }
    double first = (low[k] - slack - o[k]) / d[k], second = (high[k] + slack - o[k]) / d[k];
    *from = fmax(*from, fmin(first, second));
    *to = fmin(*to, fmax(first, second));
  }
  return *from <= *to;
}

/* In the shape's frame; false: not met. */
static bool cast(const thud_shape *shape, const thud_ray *ray, thud_ray_hit *hit) {
  const thud_shape_class *class = shape->class;
  if (class->triangles != NULL) {
    ray_search search = {.surface = shape, .ray = ray, .fraction = INFINITY};
    cross_surface(&search);
    if (!(search.fraction <= 1)) return false;
    *hit = (thud_ray_hit){.fraction = search.fraction, .normal = search.normal};
    return true;
  }
  thud_ray_span span = class->ray != NULL ? class->ray(shape, ray) : thud_ray_by_separation(shape, ray);
  if (thud_ray_is_empty(&span) || span.enter > 1 || span.leave < 0) return false;
  *hit = span.enter >= 0 ? (thud_ray_hit){.fraction = span.enter, .normal = span.normal}
                         : (thud_ray_hit){.fraction = 0, .inside = true};
  return true;
}

bool thud_shape_cast_ray(const thud_shape *shape, const thud_pose *pose, const thud_ray *ray, thud_ray_hit *hit) {
  THUD_REQUIRE_OR(false, shape, pose, ray, hit);
  thud_ray local = {thud_pose_point_inverse(pose, ray->origin), thud_quat_rotate_inverse(pose->rotation, ray->way)};
  thud_ray_hit found = {0};
  if (!isfinite(thud_vec3_norm(local.origin) + thud_vec3_norm(local.way)) || !cast(shape, &local, &found)) return false;
  found.point = thud_vec3_add_scaled(ray->origin, found.fraction, ray->way);
  found.normal = thud_quat_rotate(pose->rotation, found.normal);
  *hit = found;
  return true;
}
