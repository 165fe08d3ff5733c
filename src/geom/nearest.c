/* The point of a solid's surface nearest to a given point, inside or outside of it: what the shapes' formulas are made of. */
#include "geom/collide.h"
#include "geom/separate.h"

thud_nearest thud_nearest_make(thud_vec3 x, thud_vec3 point, thud_vec3 normal) {
  thud_nearest nearest = {thud_vec3_dot(normal, thud_vec3_subtract(x, point)), point, normal};
  return nearest;
}

thud_nearest thud_nearest_outside(thud_vec3 x, thud_vec3 point, thud_vec3 normal) {
  thud_vec3 d = thud_vec3_subtract(x, point), unit;
  double scale = fabs(x.x) + fabs(x.y) + fabs(x.z);
  if (thud_vec3_norm(d) > 1e-14 * scale && thud_vec3_normalise(d, &unit)) normal = unit;
  return thud_nearest_make(x, point, normal);
}

thud_nearest thud_nearest_of_ball(thud_vec3 x, thud_vec3 centre, double radius, thud_vec3 fallback) {
  thud_vec3 d = thud_vec3_subtract(x, centre), unit;
  if (!thud_vec3_normalise(d, &unit)) unit = fallback;
  thud_nearest nearest = {thud_vec3_norm(d) - radius, thud_vec3_add_scaled(centre, radius, unit), unit};
  return nearest;
}

/* ---- solids of revolution: in the half-plane of the axis and the point -------------------------------------------------- */

/* Nearest point of the segment from p to q. */
static thud_vec2 nearest_of_segment(thud_vec2 x, thud_vec2 p, thud_vec2 q) {
  thud_vec2 d = thud_vec2_subtract(q, p);
  double s = thud_vec2_dot(thud_vec2_subtract(x, p), d) / thud_vec2_dot(d, d);
  return s <= 0 ? p : s >= 1 ? q : thud_vec2_add_scaled(p, s, d);
}

thud_nearest thud_nearest_of_outline(size_t count, const thud_vec2 *outline, thud_vec3 x) {
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
  return highest <= 0 ? thud_nearest_make(x, on, out) : thud_nearest_outside(x, on, out);
}

/* ---- polyhedra ---------------------------------------------------------------------------------------------------------- */

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

thud_nearest thud_nearest_of_polyhedron(const thud_shape *shape, thud_vec3 x) {
  const thud_polyhedron *solid = &shape->polyhedron;
  thud_index highest = 0;
  double most = -INFINITY, least = INFINITY;
  for (thud_index f = 0; f < solid->face_count; f++) {
    double height = thud_vec3_dot(solid->face_normals[f], x) - solid->face_offsets[f];
    if (height <= most) continue;
    most = height;
    highest = f;
  }
  thud_vec3 normal = solid->face_normals[highest], best = thud_vec3_add_scaled(x, -most, normal);
  if (most <= 0) return thud_nearest_make(x, best, normal);
  for (thud_index f = 0; f < solid->face_count; f++) {
    double height = thud_vec3_dot(solid->face_normals[f], x) - solid->face_offsets[f];
    if (height < 0 || height >= least) continue;
    thud_vec3 at = nearest_of_face(solid, f, x);
    double distance = thud_vec3_distance(x, at);
    if (distance >= least) continue;
    least = distance;
    best = at;
  }
  return thud_nearest_outside(x, best, normal);
}

/* ---- any convex shape ---------------------------------------------------------------------------------------------------- */

static thud_vec3 point_support(const thud_shape *shape, thud_vec3 direction) {
  (void)shape, (void)direction;
  return thud_vec3_make(0, 0, 0);
}

/* By the separation of a point from the shape; the point takes the reach of the shape, which tolerances refer to. */
static thud_nearest nearest_by_separation(const thud_shape *shape, thud_vec3 x) {
  static const thud_shape_class point_class = {.name = "point", .convex = true, .support = point_support};
  const thud_shape point = {.class = &point_class, .reach = shape->reach};
  thud_placed a = {&point, thud_mat3_identity(), x}, b = {shape, thud_mat3_identity(), thud_vec3_make(0, 0, 0)};
  thud_separation found = thud_separate(&a, &b, INFINITY);
  return (thud_nearest){found.gap, found.on_b, found.normal};
}

thud_nearest thud_shape_nearest(const thud_shape *shape, thud_vec3 x) {
  return shape->class->nearest != NULL ? shape->class->nearest(shape, x) : nearest_by_separation(shape, x);
}
