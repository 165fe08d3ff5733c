/* The kinds of shapes as the checker knows them: one row each, with formulas of its own. */
#include "verify/bodies/verify_bodies_read.h"

#include <math.h>
#include <string.h>

/* ---- the farthest points of cores, in the shape's frame ------------------------------------------------------------ */

/* The origin: of points, and of what is not convex and bounded, of which nobody asks. */
static thud_vec3 origin(const verify_shape *shape, thud_vec3 d) {
  (void)shape, (void)d;
  return thud_vec3_make(0, 0, 0);
}

static thud_vec3 farthest_point(const verify_shape *shape, thud_vec3 d) {
  size_t best = 0;
  double most = -INFINITY;
  for (size_t k = 0; k < shape->point_count; k++) {
    double here = thud_vec3_dot(shape->points[k], d);
    if (here > most) {
      most = here;
      best = k;
    }
  }
  return shape->points[best];
}

/* On the rim of radius r in the plane z; the centre of it when the direction is along z. */
static thud_vec3 rim_point(double r, double z, thud_vec3 d) {
  double across = hypot(d.x, d.y);
  return across > 0 ? thud_vec3_make(r * d.x / across, r * d.y / across, z) : thud_vec3_make(0, 0, z);
}

static thud_vec3 ellipsoid_point(const verify_shape *shape, thud_vec3 d) {
  thud_vec3 half = shape->half;
  thud_vec3 s = thud_vec3_make(half.x * d.x, half.y * d.y, half.z * d.z);
  double norm = thud_vec3_norm(s);
  return norm > 0 ? thud_vec3_make(half.x * s.x / norm, half.y * s.y / norm, half.z * s.z / norm)
                  : thud_vec3_make(half.x, 0, 0);
}

static thud_vec3 cone_point(const verify_shape *shape, thud_vec3 d) {
  thud_vec3 rim = rim_point(shape->radius, -shape->half_length, d), tip = thud_vec3_make(0, 0, shape->half_length);
  return thud_vec3_dot(rim, d) > thud_vec3_dot(tip, d) ? rim : tip;
}

static thud_vec3 cylinder_point(const verify_shape *shape, thud_vec3 d) {
  return rim_point(shape->radius, copysign(shape->half_length, d.z), d);
}

static thud_vec3 segment_along_z(const verify_shape *shape, thud_vec3 d) {
  return thud_vec3_make(0, 0, copysign(shape->half_length, d.z));
}

static thud_vec3 segment_along_y(const verify_shape *shape, thud_vec3 d) {
  return thud_vec3_make(0, copysign(shape->half_length, d.y), 0);
}

static thud_vec3 box_corner(const verify_shape *shape, thud_vec3 d) {
  return thud_vec3_make(copysign(shape->half.x, d.x), copysign(shape->half.y, d.y), copysign(shape->half.z, d.z));
}

static thud_vec3 rectangle_corner(const verify_shape *shape, thud_vec3 d) {
  return thud_vec3_make(copysign(shape->half.x, d.x), copysign(shape->half.y, d.y), 0);
}

/* ---- sizes ---------------------------------------------------------------------------------------------------------- */

static double size_of_ball(const verify_shape *shape) { return shape->radius; }
static double size_of_capsule(const verify_shape *shape) { return shape->radius + shape->half_length; }
static double size_of_rims(const verify_shape *shape) { return hypot(shape->radius, shape->half_length); }
static double size_of_box(const verify_shape *shape) { return thud_vec3_norm(shape->half); }
static double size_of_rectangle(const verify_shape *shape) { return hypot(shape->half.x, shape->half.y); }
static double size_of_ellipsoid(const verify_shape *shape) {
  return fmax(shape->half.x, fmax(shape->half.y, shape->half.z));
}

/* |f|/|grad f| of f = sum (x/a)^2 - 1: the distance, to first order. */
static double off_ellipsoid(const verify_shape *shape, const verify_place *place, thud_vec3 point) {
  thud_vec3 x = thud_mat3_apply_transposed(place->R, thud_vec3_subtract(point, place->x0)), h = shape->half;
  thud_vec3 slope = thud_vec3_make(x.x / (h.x * h.x), x.y / (h.y * h.y), x.z / (h.z * h.z));
  double f = thud_vec3_dot(x, slope) - 1, steep = 2 * thud_vec3_norm(slope);
  return steep > 0 ? fabs(f) / steep : fmin(h.x, fmin(h.y, h.z));
}

/* ---- masses in closed form: mass and second moments about the axes --------------------------------------------------------- */

static verify_mass moments(double mass, double x, double y, double z) {
  return (verify_mass){.mass = mass, .second = thud_mat3_diagonal(mass * x, mass * y, mass * z)};
}

static verify_mass ball(const verify_shape *s) {
  double r = s->radius, third = r * r / 5;
  return moments(4 * VERIFY_PI / 3 * r * r * r, third, third, third);
}

static verify_mass ellipsoid(const verify_shape *s) {
  double a = s->half.x, b = s->half.y, c = s->half.z;
  return moments(4 * VERIFY_PI / 3 * a * b * c, a * a / 5, b * b / 5, c * c / 5);
}

static verify_mass box(const verify_shape *s) {
  double a = s->half.x, b = s->half.y, c = s->half.z;
  return moments(8 * a * b * c, a * a / 3, b * b / 3, c * c / 3);
}

static verify_mass cylinder(const verify_shape *s) {
  double r = s->radius, h = s->half_length;
  return moments(2 * VERIFY_PI * r * r * h, r * r / 4, r * r / 4, h * h / 3);
}

/* Height 2 h: the centre is h/2 above the base, at -h/2, and the second moment along the axis is 3/80 of (2 h)^2. */
static verify_mass cone(const verify_shape *s) {
  double r = s->radius, h = s->half_length;
  verify_mass mass = moments(2 * VERIFY_PI / 3 * r * r * h, 0.15 * r * r, 0.15 * r * r, 0.15 * h * h);
  mass.centre.z = -h / 2;
  return mass;
}

/* A cylinder, and two half-balls that together are a ball whose halves were moved by h: x^2 becomes x^2 + 2 h |x| + h^2,
 * and the mean of |x| over a ball is 3 r/8. */
static verify_mass capsule(const verify_shape *s) {
  double r = s->radius, h = s->half_length;
  verify_mass rod = cylinder(s), caps = ball(s);
  caps.second.cz.z += caps.mass * (0.75 * h * r + h * h);
  return (verify_mass){.mass = rod.mass + caps.mass, .second = thud_mat3_add(rod.second, caps.second)};
}

static verify_mass disc(const verify_shape *s) {
  double r = s->radius;
  return moments(VERIFY_PI * r * r, r * r / 4, r * r / 4, 0);
}

static verify_mass rectangle(const verify_shape *s) {
  double a = s->half.x, b = s->half.y;
  return moments(4 * a * b, a * a / 3, b * b / 3, 0);
}

/* As the capsule; the mean of |y| over a disc is 4 r/(3 pi). */
static verify_mass planar_capsule(const verify_shape *s) {
  double r = s->radius, h = s->half_length;
  verify_mass bar = moments(4 * r * h, r * r / 3, h * h / 3, 0), caps = disc(s);
  caps.second.cy.y += caps.mass * (8 * h * r / (3 * VERIFY_PI) + h * h);
  return (verify_mass){.mass = bar.mass + caps.mass, .second = thud_mat3_add(bar.second, caps.second)};
}

/* ---- masses by simplices ------------------------------------------------------------------------------------------------------ */

/* A sum of simplices with a common corner o, relative to it. A simplex of d dimensions with the other corners v has the
 * volume V, the integral of x is V/(d+1) s with s their sum, that of xx' is V/((d+1)(d+2)) (s s' + sum of v v'). */
static void add_simplex(verify_mass *sum, double volume, size_t corners, const thud_vec3 *v) {
  thud_vec3 s = {0, 0, 0};
  thud_mat3 outer = thud_mat3_diagonal(0, 0, 0);
  double d = (double)corners;
  for (size_t k = 0; k < corners; k++) {
    s = thud_vec3_add(s, v[k]);
    outer = thud_mat3_add(outer, thud_mat3_outer(v[k], v[k]));
  }
  outer = thud_mat3_add(outer, thud_mat3_outer(s, s));
  sum->mass += volume;
  sum->centre = thud_vec3_add_scaled(sum->centre, volume / (d + 1), s);
  sum->second = thud_mat3_add(sum->second, thud_mat3_scale(volume / ((d + 1) * (d + 2)), outer));
}

/* From integrals relative to o to the centre and moments about it. */
static verify_mass about_centre(verify_mass sum, thud_vec3 o) {
  if (!(sum.mass > 0)) return (verify_mass){0};
  thud_vec3 c = thud_vec3_scale(1 / sum.mass, sum.centre);
  sum.second = thud_mat3_subtract(sum.second, thud_mat3_scale(sum.mass, thud_mat3_outer(c, c)));
  sum.centre = thud_vec3_add(o, c);
  return sum;
}

/* Tetrahedra over the triangles of the surface; their common corner is inside, where nothing cancels. */
static verify_mass hull(const verify_shape *s) {
  verify_mass sum = {0};
  thud_vec3 o = thud_verify_middle_of(s);
  for (size_t k = 0; k < s->triangle_count; k++) {
    thud_vec3 v[3];
    for (size_t i = 0; i < 3; i++) v[i] = thud_vec3_subtract(s->points[s->triangles[3 * k + i]], o);
    add_simplex(&sum, thud_vec3_dot(v[0], thud_vec3_cross(v[1], v[2])) / 6, 3, v);
  }
  return about_centre(sum, o);
}

/* The corners of polygons are in their order, counter-clockwise. */
static verify_mass polygon(const verify_shape *s) {
  verify_mass sum = {0};
  thud_vec3 o = thud_verify_middle_of(s);
  for (size_t k = 0; k < s->point_count; k++) {
    thud_vec3 v[2] = {thud_vec3_subtract(s->points[k], o), thud_vec3_subtract(s->points[(k + 1) % s->point_count], o)};
    add_simplex(&sum, thud_vec3_cross(v[0], v[1]).z / 2, 2, v);
  }
  return about_centre(sum, o);
}

/* ---- the table ------------------------------------------------------------------------------------------------------ */

const verify_form thud_verify_forms[VERIFY_SHAPE_KINDS] = {
    [VERIFY_SHAPE_SPHERE] = {.name = "sphere",
                             .word = "sphere",
                             .without_size = "particle",
                             .rounded = true,
                             .read = thud_verify_read_radius,
                             .core = origin,
                             .size = size_of_ball,
                             .mass = ball},
    [VERIFY_SHAPE_ELLIPSOID] = {.name = "ellipsoid",
                                .word = "ellipsoid",
                                .curved = true,
                                .read = thud_verify_read_axes,
                                .core = ellipsoid_point,
                                .size = size_of_ellipsoid,
                                .mass = ellipsoid,
                                .off = off_ellipsoid},
    [VERIFY_SHAPE_CAPSULE] = {.name = "capsule",
                              .word = "capsule",
                              .length = "length",
                              .rounded = true,
                              .read = thud_verify_read_long,
                              .core = segment_along_z,
                              .size = size_of_capsule,
                              .mass = capsule},
    [VERIFY_SHAPE_BOX] = {.name = "box",
                          .word = "box",
                          .box = true,
                          .read = thud_verify_read_edges,
                          .core = box_corner,
                          .size = size_of_box,
                          .mass = box},
    [VERIFY_SHAPE_CYLINDER] = {.name = "cylinder",
                               .word = "cylinder",
                               .length = "length",
                               .curved = true,
                               .read = thud_verify_read_long,
                               .core = cylinder_point,
                               .size = size_of_rims,
                               .mass = cylinder},
    [VERIFY_SHAPE_CONE] = {.name = "cone",
                           .word = "cone",
                           .length = "height",
                           .curved = true,
                           .read = thud_verify_read_long,
                           .core = cone_point,
                           .size = size_of_rims,
                           .mass = cone},
    [VERIFY_SHAPE_PLANE] = {.name = "plane", .word = "plane", .half_space = true, .core = origin},
    [VERIFY_SHAPE_HULL] = {.name = "hull",
                           .word = "hull",
                           .corners = true,
                           .read = thud_verify_read_hull,
                           .core = farthest_point,
                           .mass = hull},
    [VERIFY_SHAPE_HEIGHT_FIELD] = {.name = "height-field",
                                   .word = "height_field",
                                   .surface = true,
                                   .listed = true,
                                   .grid = true,
                                   .read = thud_verify_read_height_field,
                                   .core = origin},
    [VERIFY_SHAPE_MESH] = {.name = "mesh",
                           .word = "mesh",
                           .surface = true,
                           .listed = true,
                           .read = thud_verify_read_mesh,
                           .core = origin},
    [VERIFY_SHAPE_DISC] = {.name = "disc",
                           .word = "disc",
                           .without_size = "particle",
                           .planar = true,
                           .rounded = true,
                           .read = thud_verify_read_radius,
                           .core = origin,
                           .size = size_of_ball,
                           .mass = disc},
    [VERIFY_SHAPE_PLANAR_CAPSULE] = {.name = "planar-capsule",
                                     .word = "capsule",
                                     .length = "length",
                                     .planar = true,
                                     .rounded = true,
                                     .read = thud_verify_read_long,
                                     .core = segment_along_y,
                                     .size = size_of_capsule,
                                     .mass = planar_capsule},
    [VERIFY_SHAPE_RECTANGLE] = {.name = "rectangle",
                                .word = "box",
                                .planar = true,
                                .box = true,
                                .read = thud_verify_read_edges,
                                .core = rectangle_corner,
                                .size = size_of_rectangle,
                                .mass = rectangle},
    [VERIFY_SHAPE_POLYGON] = {.name = "polygon",
                              .word = "polygon",
                              .planar = true,
                              .corners = true,
                              .read = thud_verify_read_polygon,
                              .core = farthest_point,
                              .mass = polygon},
    [VERIFY_SHAPE_SEGMENT] = {.name = "segment",
                              .word = "segment",
                              .planar = true,
                              .listed = true,
                              .read = thud_verify_read_segment,
                              .core = farthest_point},
    [VERIFY_SHAPE_HALF_PLANE] =
        {.name = "half-plane", .word = "half_plane", .planar = true, .half_space = true, .core = origin},
};

verify_mass thud_verify_shape_mass(const verify_shape *shape) {
  const verify_form *form = thud_verify_form_of(shape);
  return form->mass != NULL ? form->mass(shape) : (verify_mass){0};
}

verify_shape thud_verify_point(bool planar) {
  return (verify_shape){.kind = planar ? VERIFY_SHAPE_DISC : VERIFY_SHAPE_SPHERE};
}

thud_vec3 thud_verify_middle_of(const verify_shape *shape) {
  thud_vec3 sum = {0, 0, 0};
  for (size_t k = 0; k < shape->point_count; k++) sum = thud_vec3_add(sum, shape->points[k]);
  return thud_vec3_scale(1 / (double)shape->point_count, sum);
}
