/* Where a ray first meets a shape. Convex shapes are intersections and unions of sets that a line meets in one interval
 * each (half-spaces, balls, infinite cylinders and cones), all in closed form; surfaces are asked triangle by triangle. */
#include "geom/triangles.h"

#include <float.h>
#include <math.h>

/* ---- the part of a line in a convex set ------------------------------------------------------------------------------- */

/* Points origin + t way with enter <= t <= leave; the normal is that of the set where it is entered. */
typedef struct ray_span {
  double enter, leave;
  thud_vec3 normal;
} ray_span;

static ray_span whole_line(void) { return (ray_span){.enter = -INFINITY, .leave = INFINITY}; }
static ray_span no_line(void) { return (ray_span){.enter = INFINITY, .leave = -INFINITY}; }
static bool is_empty(const ray_span *span) { return !(span->enter <= span->leave); }

static void cut(ray_span *span, const ray_span *by) {
  if (by->enter > span->enter) {
    span->enter = by->enter;
    span->normal = by->normal;
  }
  span->leave = fmin(span->leave, by->leave);
}

/* The hull of both spans: that of a convex union. */
static void join(ray_span *span, const ray_span *other) {
  if (is_empty(other)) return;
  if (is_empty(span) || other->enter < span->enter) {
    span->enter = other->enter;
    span->normal = other->normal;
  }
  span->leave = fmax(span->leave, other->leave);
}

/* n . x <= offset, with the unit vector n. */
static ray_span in_half_space(const thud_ray *ray, thud_vec3 n, double offset) {
  double speed = thud_vec3_dot(n, ray->way), left = offset - thud_vec3_dot(n, ray->origin);
  ray_span span = whole_line();
  if (speed == 0) return left >= 0 ? span : no_line();
  if (speed < 0) {
    span.enter = left / speed;
    span.normal = n;
  } else {
    span.leave = left / speed;
  }
  return span;
}

/* |x| <= radius; without z for cylinders and discs. Measured from the point of the line that is nearest to the centre, whose
 * distance m from it gives half the chord sqrt((r - m) (r + m)) without cancellation between far away numbers. */
static ray_span in_ball(thud_vec3 origin, thud_vec3 way, double radius) {
  double square = thud_vec3_dot(way, way);
  if (!(square > 0)) return thud_vec3_norm(origin) <= radius ? whole_line() : no_line();
  double middle = -thud_vec3_dot(origin, way) / square;
  thud_vec3 nearest = thud_vec3_add_scaled(origin, middle, way);
  middle -= thud_vec3_dot(nearest, way) / square; /* once more: what is left of the rounding of a far origin */
  nearest = thud_vec3_add_scaled(origin, middle, way);
  double m = thud_vec3_norm(nearest);
  if (m > radius) return no_line();
  double half = sqrt((radius - m) * (radius + m) / square);
  ray_span span = {.enter = middle - half, .leave = middle + half};
  thud_vec3 out = thud_vec3_add_scaled(nearest, -half, way);
  if (!thud_vec3_normalise(out, &span.normal)) thud_vec3_normalise(thud_vec3_negate(way), &span.normal);
  return span;
}

static thud_vec3 flat(thud_vec3 v) { return thud_vec3_make(v.x, v.y, 0); }

static ray_span in_slab(const thud_ray *ray, thud_vec3 n, double half) {
  ray_span span = in_half_space(ray, n, half), other = in_half_space(ray, thud_vec3_negate(n), half);
  cut(&span, &other);
  return span;
}

/* ---- kinds -------------------------------------------------------------------------------------------------------------- */

static ray_span in_ellipsoid(const thud_ray *ray, const double *half) {
  thud_vec3 scaled[2] = {ray->origin, ray->way};
  for (int k = 0; k < 2; k++)
    scaled[k] = thud_vec3_make(scaled[k].x / half[0], scaled[k].y / half[1], scaled[k].z / half[2]);
  ray_span span = in_ball(scaled[0], scaled[1], 1);
  /* the normal of the ball at y = x / half belongs to the gradient y / half */
  thud_vec3 n = thud_vec3_make(span.normal.x / half[0], span.normal.y / half[1], span.normal.z / half[2]);
  thud_vec3_normalise(n, &span.normal);
  return span;
}

static ray_span in_box(const thud_ray *ray, const double *half, int axes) {
  static const thud_vec3 n[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  ray_span span = whole_line();
  for (int k = 0; k < axes; k++) {
    ray_span slab = in_slab(ray, n[k], half[k]);
    cut(&span, &slab);
  }
  return span;
}

/* Along an axis, with round ends: the cylinder between them and two balls. */
static ray_span in_capsule(const thud_ray *ray, const thud_shape_def *def, bool planar) {
  thud_vec3 axis = planar ? thud_vec3_make(0, 1, 0) : thud_vec3_make(0, 0, 1);
  thud_vec3 o = ray->origin, d = ray->way;
  if (planar) o = flat(o), d = flat(d);
  thud_vec3 across[2] = {thud_vec3_add_scaled(o, -thud_vec3_dot(axis, o), axis),
                         thud_vec3_add_scaled(d, -thud_vec3_dot(axis, d), axis)};
  ray_span span = in_ball(across[0], across[1], def->radius), slab = in_slab(ray, axis, def->half_length);
  cut(&span, &slab);
  for (int side = -1; side <= 1; side += 2) {
    ray_span ball = in_ball(thud_vec3_add_scaled(o, side * def->half_length, axis), d, def->radius);
    join(&span, &ball);
  }
  return span;
}

static ray_span in_cylinder(const thud_ray *ray, const thud_shape_def *def) {
  ray_span span = in_ball(flat(ray->origin), flat(ray->way), def->radius);
  ray_span slab = in_slab(ray, thud_vec3_make(0, 0, 1), def->half_length);
  cut(&span, &slab);
  return span;
}

/* The convex nappe x^2 + y^2 <= k^2 s^2, s = tip - z >= 0. With f = a t^2 + 2 b t + c <= 0 there: for a > 0 a segment, in one
 * of both nappes; for a < 0 two half-lines, one in each. */
static ray_span in_nappe(const thud_ray *ray, double k, double tip) {
  thud_vec3 o = ray->origin, d = ray->way;
  double s = tip - o.z, rate = -d.z;
  double a = d.x * d.x + d.y * d.y - k * k * rate * rate, b = o.x * d.x + o.y * d.y - k * k * s * rate;
  double c = o.x * o.x + o.y * o.y - k * k * s * s;
  ray_span span = whole_line();
  if (a == 0) {
    if (b == 0) return c <= 0 && s >= 0 ? span : no_line();
    if (b > 0)
      span.leave = -c / (2 * b);
    else
      span.enter = -c / (2 * b);
  } else {
    double root = sqrt(fmax(b * b - a * c, 0)), q = b + (b >= 0 ? root : -root); /* of equal signs: no cancellation */
    if (a > 0 && b * b < a * c) return no_line();
    double first = -q / a, second = q != 0 ? -c / q : first, low = fmin(first, second), high = fmax(first, second);
    if (a > 0) {
      if (s + rate * 0.5 * (low + high) < 0) return no_line();
      span = (ray_span){.enter = low, .leave = high};
    } else if (rate > 0) {
      span.enter = high;
    } else {
      span.leave = low;
    }
  }
  if (!isfinite(span.enter)) return span;
  thud_vec3 x = thud_vec3_add_scaled(o, span.enter, d), radial = flat(x);
  double r = thud_vec3_norm(radial);
  thud_vec3 out = r > 0 ? thud_vec3_make(x.x / r, x.y / r, k) : thud_vec3_make(0, 0, 1);
  thud_vec3_normalise(out, &span.normal);
  return span;
}

static ray_span in_cone(const thud_ray *ray, const thud_shape_def *def) {
  ray_span span = in_nappe(ray, def->radius / (2 * def->half_length), def->half_length);
  ray_span base = in_half_space(ray, thud_vec3_make(0, 0, -1), def->half_length);
  cut(&span, &base);
  return span;
}

static ray_span in_polyhedron(const thud_ray *ray, const thud_polyhedron *polyhedron) {
  ray_span span = whole_line();
  for (thud_index k = 0; k < polyhedron->face_count && !is_empty(&span); k++) {
    ray_span face = in_half_space(ray, polyhedron->face_normals[k], polyhedron->face_offsets[k]);
    cut(&span, &face);
  }
  return span;
}

static ray_span in_solid(const thud_shape *shape, const thud_ray *ray) {
  const thud_shape_def *def = &shape->def;
  switch (def->kind) {
  case THUD_SHAPE_SPHERE: return in_ball(ray->origin, ray->way, def->radius);
  case THUD_SHAPE_DISC: return in_ball(flat(ray->origin), flat(ray->way), def->radius);
  case THUD_SHAPE_ELLIPSOID: return in_ellipsoid(ray, def->half);
  case THUD_SHAPE_CAPSULE: return in_capsule(ray, def, false);
  case THUD_SHAPE_PLANAR_CAPSULE: return in_capsule(ray, def, true);
  case THUD_SHAPE_BOX: return in_box(ray, def->half, 3);
  case THUD_SHAPE_RECTANGLE: return in_box(ray, def->half, 2);
  case THUD_SHAPE_CYLINDER: return in_cylinder(ray, def);
  case THUD_SHAPE_CONE: return in_cone(ray, def);
  case THUD_SHAPE_PLANE: return in_half_space(ray, thud_vec3_make(0, 0, 1), 0);
  case THUD_SHAPE_HALF_PLANE: return in_half_space(ray, thud_vec3_make(0, 1, 0), 0);
  case THUD_SHAPE_HULL:
  case THUD_SHAPE_POLYGON: return in_polyhedron(ray, &shape->polyhedron);
  default: return no_line();
  }
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
  double from = 0, to = 1,
         triangles = surface->def.kind == THUD_SHAPE_MESH ? (double)surface->surface.triangle_count
                                                          : 2.0 * surface->def.columns * surface->def.rows;
  if (!thud_ray_in_box(search->ray, &all, &from, &to)) return;
  int pieces = (int)fmin(1 + 2 * sqrt(triangles), MOST);
  for (int k = 0; k < pieces; k++) {
    double begin = from + (to - from) * k / pieces, end = k + 1 < pieces ? from + (to - from) * (k + 1) / pieces : to;
    thud_bounds box = box_of_piece(search->ray, begin, end);
    thud_surface_visit(surface, &box, cross_triangle, search);
    if (search->fraction <= end) return; /* later pieces meet later triangles */
  }
}

/* In the plane: o + t d = a + s (b - a). */
static void cross_segment(ray_search *search) {
  thud_vec3 a = search->surface->polyhedron.vertices[0], b = search->surface->polyhedron.vertices[1];
  thud_vec3 e = thud_vec3_subtract(b, a), d = search->ray->way, p = thud_vec3_subtract(a, search->ray->origin);
  thud_vec3 q = thud_vec3_subtract(b, search->ray->origin), normal;
  double low = d.x * p.y - d.y * p.x, high = d.x * q.y - d.y * q.x, across = d.x * e.y - d.y * e.x;
  bool between = (low <= 0 && high >= 0) || (low >= 0 && high <= 0);
  if (!between || across == 0 || !thud_vec3_normalise(thud_vec3_make(e.y, -e.x, 0), &normal)) return;
  take_crossing(search, (p.x * e.y - p.y * e.x) / across, normal);
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
  thud_shape_kind kind = shape->def.kind;
  if (kind == THUD_SHAPE_MESH || kind == THUD_SHAPE_HEIGHT_FIELD || kind == THUD_SHAPE_SEGMENT) {
    ray_search search = {.surface = shape, .ray = ray, .fraction = INFINITY};
    if (kind == THUD_SHAPE_SEGMENT)
      cross_segment(&search);
    else
      cross_surface(&search);
    if (!(search.fraction <= 1)) return false;
    *hit = (thud_ray_hit){.fraction = search.fraction, .normal = search.normal};
    return true;
  }
  ray_span span = in_solid(shape, ray);
  if (is_empty(&span) || span.enter > 1 || span.leave < 0) return false;
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
