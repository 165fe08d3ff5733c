/* The point of a solid's surface nearest to a given point, inside or outside of it: exact formulas, one for each kind. */
#include "geom/collide.h"

static thud_nearest nearest_make(thud_vec3 x, thud_vec3 point, thud_vec3 normal) {
  thud_nearest nearest = {thud_vec3_dot(normal, thud_vec3_subtract(x, point)), point, normal};
  return nearest;
}

/* Outside: along the difference; on the surface or as near as rounding: the given normal. */
static thud_nearest nearest_outside(thud_vec3 x, thud_vec3 point, thud_vec3 normal) {
  thud_vec3 d = thud_vec3_subtract(x, point), unit;
  double scale = fabs(x.x) + fabs(x.y) + fabs(x.z);
  if (thud_vec3_norm(d) > 1e-14 * scale && thud_vec3_normalise(d, &unit)) normal = unit;
  return nearest_make(x, point, normal);
}

/* ---- sphere, capsule, plane ---------------------------------------------------------------------------------------- */

static thud_nearest nearest_of_ball(thud_vec3 x, thud_vec3 centre, double radius, thud_vec3 fallback) {
  thud_vec3 d = thud_vec3_subtract(x, centre), unit;
  if (!thud_vec3_normalise(d, &unit)) unit = fallback;
  thud_nearest nearest = {thud_vec3_norm(d) - radius, thud_vec3_add_scaled(centre, radius, unit), unit};
  return nearest;
}

static thud_nearest nearest_of_capsule(const thud_shape *shape, thud_vec3 x) {
  double half = shape->def.half_length, z = x.z > half ? half : x.z < -half ? -half : x.z;
  return nearest_of_ball(x, thud_vec3_make(0, 0, z), shape->def.radius, thud_vec3_make(1, 0, 0));
}

/* ---- box ------------------------------------------------------------------------------------------------------------- */

static thud_nearest nearest_of_box(const thud_shape *shape, thud_vec3 x) {
  double at[3], clamped[3];
  thud_vec3_store(x, at);
  size_t face = 0;
  double least = INFINITY;
  bool inside = true;
  for (size_t i = 0; i < 3; i++) {
    double half = shape->def.half[i], depth = half - fabs(at[i]);
    clamped[i] = at[i] > half ? half : at[i] < -half ? -half : at[i];
    inside = inside && depth >= 0;
    if (depth < least) {
      least = depth;
      face = i;
    }
  }
  double normal[3] = {0, 0, 0};
  normal[face] = at[face] < 0 ? -1 : 1;
  if (inside) clamped[face] = normal[face] * shape->def.half[face];
  thud_nearest nearest = nearest_make(x, thud_vec3_load(clamped), thud_vec3_load(normal));
  return inside ? nearest : nearest_outside(x, nearest.point, nearest.normal);
}

/* ---- cylinder and cone: in the half-plane of the axis and the point --------------------------------------------------- */

/* Nearest point of the segment from p to q. */
static thud_vec2 nearest_of_segment(thud_vec2 x, thud_vec2 p, thud_vec2 q) {
  thud_vec2 d = thud_vec2_subtract(q, p);
  double s = thud_vec2_dot(thud_vec2_subtract(x, p), d) / thud_vec2_dot(d, d);
  return s <= 0 ? p : s >= 1 ? q : thud_vec2_add_scaled(p, s, d);
}

/* A solid of revolution whose outline in (distance from the axis, z) goes through count+1 points from the axis to the axis,
 * counter-clockwise, and is convex. */
static thud_nearest nearest_of_outline(size_t count, const thud_vec2 *outline, thud_vec3 x) {
  double rho = sqrt(x.x * x.x + x.y * x.y);
  thud_vec2 radial = rho > 0 ? thud_vec2_make(x.x / rho, x.y / rho) : thud_vec2_make(1, 0);
  thud_vec2 flat = thud_vec2_make(rho, x.z), point = outline[0], normal = thud_vec2_make(1, 0);
  double least = INFINITY, highest = -INFINITY;
  for (size_t i = 0; i < count; i++) {
    thud_vec2 edge = thud_vec2_subtract(outline[i + 1], outline[i]);
    thud_vec2 out = thud_vec2_scale(-1 / thud_vec2_norm(edge), thud_vec2_perpendicular(edge));
    thud_vec2 at = nearest_of_segment(flat, outline[i], outline[i + 1]);
    double height = thud_vec2_dot(out, thud_vec2_subtract(flat, outline[i]));
    double distance = thud_vec2_norm(thud_vec2_subtract(flat, at));
    highest = thud_larger(highest, height);
    if (distance >= least) continue;
    least = distance;
    point = at;
    normal = out;
  }
  thud_vec3 on = thud_vec3_make(point.x * radial.x, point.x * radial.y, point.y);
  thud_vec3 out = thud_vec3_make(normal.x * radial.x, normal.x * radial.y, normal.y);
  return highest <= 0 ? nearest_make(x, on, out) : nearest_outside(x, on, out);
}

static thud_nearest nearest_of_cylinder(const thud_shape *shape, thud_vec3 x) {
  double r = shape->def.radius, half = shape->def.half_length;
  thud_vec2 outline[] = {{0, -half}, {r, -half}, {r, half}, {0, half}};
  return nearest_of_outline(3, outline, x);
}

static thud_nearest nearest_of_cone(const thud_shape *shape, thud_vec3 x) {
  double r = shape->def.radius, half = shape->def.half_length;
  thud_vec2 outline[] = {{0, -half}, {r, -half}, {0, half}};
  return nearest_of_outline(2, outline, x);
}

/* ---- ellipsoid --------------------------------------------------------------------------------------------------------- */

/* Nearest point of the surface sum (x_i/e_i)^2 = 1 to y >= 0: x_i = e_i^2 y_i/(t + e_i^2) at the largest root of
 * F(t) = sum (e_i y_i/(t + e_i^2))^2 - 1 (Eberly, "Distance from a point to an ellipse, an ellipsoid, or a hyperellipsoid").
 * With s = t + e_min^2 the pole is at 0 and nothing cancels. F is convex and falls for s > 0: Newton's method from
 * the largest s at which one of its terms is 1 rises to the root without overshooting. */
static void nearest_of_ellipsoid_octant(const double e[3], const double y[3], double x[3]) {
  size_t k = e[1] < e[0] ? 1 : 0;
  if (e[2] < e[k]) k = 2;
  double shift[3], s = 0;
  for (size_t i = 0; i < 3; i++) {
    shift[i] = (e[i] - e[k]) * (e[i] + e[k]);
    s = thud_larger(s, e[i] * y[i] - shift[i]);
  }
  if (!(s > 0)) { /* on the plane across the shortest axis: the pole is no root of F unless F > 0 there */
    double rest = 1;
    for (size_t i = 0; i < 3; i++) {
      x[i] = shift[i] > 0 ? e[i] * e[i] * y[i] / shift[i] : 0;
      rest -= (x[i] / e[i]) * (x[i] / e[i]);
    }
    if (rest >= 0) {
      x[k] = e[k] * sqrt(rest);
      return;
    }
    s = DBL_MIN;
  }
  for (int step = 0; step < 100; step++) {
    double value = -1, slope = 0;
    for (size_t i = 0; i < 3; i++) {
      double ratio = y[i] > 0 ? e[i] * y[i] / (s + shift[i]) : 0;
      value += ratio * ratio;
      if (y[i] > 0) slope += 2 * ratio * ratio / (s + shift[i]);
    }
    double next = s + value / slope;
    if (!(next > s)) break;
    s = next;
  }
  for (size_t i = 0; i < 3; i++) x[i] = y[i] > 0 ? e[i] * (e[i] * y[i] / (s + shift[i])) : 0;
}

static thud_nearest nearest_of_ellipsoid(const thud_shape *shape, thud_vec3 at) {
  const double *e = shape->def.half;
  double y[3], x[3], normal[3];
  thud_vec3_store(at, y);
  double signs[3];
  for (size_t i = 0; i < 3; i++) {
    signs[i] = y[i] < 0 ? -1 : 1;
    y[i] = fabs(y[i]);
  }
  nearest_of_ellipsoid_octant(e, y, x);
  double longest = thud_larger(e[0], thud_larger(e[1], e[2])); /* squares of lengths of any unit stay in range */
  for (size_t i = 0; i < 3; i++) {
    x[i] *= signs[i];
    normal[i] = x[i] / e[i] * (longest / e[i]);
  }
  thud_vec3 unit = thud_vec3_make(0, 0, 1);
  thud_vec3_normalise(thud_vec3_load(normal), &unit);
  return nearest_make(at, thud_vec3_load(x), unit);
}

/* ---- polyhedron -------------------------------------------------------------------------------------------------------- */

/* Nearest point of a face to x, which is above it. */
static thud_vec3 nearest_of_face(const thud_polyhedron *solid, thud_index face, thud_vec3 x) {
  thud_index first = solid->face_start[face], last = solid->face_start[face + 1];
  thud_vec3 normal = solid->face_normals[face], best = x;
  double height = thud_vec3_dot(normal, x) - solid->face_offsets[face], least = INFINITY;
  bool inside = true;
  for (thud_index k = first; k < last; k++) {
    thud_vec3 p = solid->vertices[solid->face_vertices[k]];
    thud_vec3 edge = thud_vec3_subtract(solid->vertices[solid->face_vertices[k + 1 < last ? k + 1 : first]], p);
    thud_vec3 d = thud_vec3_subtract(x, p);
    if (thud_vec3_dot(thud_vec3_cross(normal, edge), d) >= 0) continue;
    inside = false;
    double s = thud_vec3_dot(d, edge) / thud_vec3_dot(edge, edge);
    thud_vec3 at = thud_vec3_add_scaled(p, s < 0 ? 0 : s > 1 ? 1 : s, edge);
    double distance = thud_vec3_distance(x, at);
    if (distance >= least) continue;
    least = distance;
    best = at;
  }
  return inside ? thud_vec3_add_scaled(x, -height, normal) : best;
}

static thud_nearest nearest_of_polyhedron(const thud_polyhedron *solid, thud_vec3 x) {
  thud_index highest = 0;
  double most = -INFINITY, least = INFINITY;
  for (thud_index f = 0; f < solid->face_count; f++) {
    double height = thud_vec3_dot(solid->face_normals[f], x) - solid->face_offsets[f];
    if (height <= most) continue;
    most = height;
    highest = f;
  }
  thud_vec3 normal = solid->face_normals[highest], best = thud_vec3_add_scaled(x, -most, normal);
  if (most <= 0) return nearest_make(x, best, normal);
  for (thud_index f = 0; f < solid->face_count; f++) {
    double height = thud_vec3_dot(solid->face_normals[f], x) - solid->face_offsets[f];
    if (height < 0 || height >= least) continue;
    thud_vec3 at = nearest_of_face(solid, f, x);
    double distance = thud_vec3_distance(x, at);
    if (distance >= least) continue;
    least = distance;
    best = at;
  }
  return nearest_outside(x, best, normal);
}

thud_nearest thud_shape_nearest(const thud_shape *shape, thud_vec3 x) {
  switch (shape->def.kind) {
  case THUD_SHAPE_ELLIPSOID: return nearest_of_ellipsoid(shape, x);
  case THUD_SHAPE_CAPSULE: return nearest_of_capsule(shape, x);
  case THUD_SHAPE_BOX: return nearest_of_box(shape, x);
  case THUD_SHAPE_CYLINDER: return nearest_of_cylinder(shape, x);
  case THUD_SHAPE_CONE: return nearest_of_cone(shape, x);
  case THUD_SHAPE_PLANE: return nearest_make(x, thud_vec3_make(x.x, x.y, 0), thud_vec3_make(0, 0, 1));
  case THUD_SHAPE_HULL: return nearest_of_polyhedron(&shape->polyhedron, x);
  default: return nearest_of_ball(x, thud_vec3_make(0, 0, 0), shape->def.radius, thud_vec3_make(0, 0, 1));
  }
}
