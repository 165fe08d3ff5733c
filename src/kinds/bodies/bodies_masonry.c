/* Generators of walls, arches and chains. */
#include "kinds/bodies/bodies_generate.h"

#include "geom/shape_class.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- wall ---------------------------------------------------------------------------------------------------------------- */

/* The brick's shape with another length. */
static thud_error cut_brick(bodies_generator *made, double length, bodies_pattern *half) {
  thud_shape_def def = thud_shape_get_def(made->made->shapes[made->pattern.parts[0].shape]);
  double part = length / (2 * def.half[0]);
  *half = made->pattern;
  half->parts = THUD_NEW_ARRAY(made->made->context, thud_part_def, 1);
  if (half->parts == NULL) return THUD_ERROR_MEMORY;
  half->parts[0] = made->pattern.parts[0];
  half->def.mass *= part;
  half->def.inertia = thud_mat3_diagonal(0, 0, 0);
  def.half[0] = 0.5 * length;
  return thud_bodies_add_known_shape(made->made, made->node, &def, &half->parts[0].shape);
}

/* One course; odd ones begin and end with half a brick. */
static thud_error lay_course(bodies_generator *made, const bodies_pattern *half, size_t columns, double length,
                             double gap, double height, bool shifted) {
  double whole = (double)columns * length + (double)(columns - 1) * gap, x = -0.5 * whole;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < columns + shifted && error == THUD_OK; k++) {
    bool cut = shifted && (k == 0 || k == columns);
    double own = cut ? 0.5 * (length - gap) : length;
    error =
        thud_bodies_generator_add(made, cut ? half : &made->pattern,
                                  thud_bodies_generator_place(made, x + 0.5 * own, 0, height), thud_quat_identity());
    x += own + gap;
  }
  return error;
}

/* {columns, courses, gap}: bricks in running bond along x; `position` is the middle of the base. */
thud_error thud_bodies_generate_wall(bodies_generator *made) {
  size_t columns = 0, courses = 0;
  double gap = 0;
  const thud_node *node;
  bodies_pattern half = {0};
  thud_error error = thud_node_require(made->node, "columns", &node);
  if (error == THUD_OK) error = thud_node_require(made->node, "courses", &node);
  if (error == THUD_OK) error = thud_bodies_read_count(made->made, made->node, "columns", 1, 1e6, &columns);
  if (error == THUD_OK) error = thud_bodies_read_count(made->made, made->node, "courses", 1, 1e6, &courses);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "gap", &gap);
  if (error != THUD_OK) return error;
  thud_shape_def brick = thud_shape_get_def(made->made->shapes[made->pattern.parts[0].shape]);
  bool box = thud_shape_class_of(brick.kind)->box;
  if (made->pattern.part_count != 1 || !box)
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA, "a wall is built of boxes: body: {shape: {box: [...]}}");
  double length = 2 * brick.half[0], height = 2 * brick.half[made->made->dimension - 1];
  if (!(gap < length)) return thud_node_fail(made->node, THUD_ERROR_SCHEMA, "the gap must be shorter than a brick");
  error = cut_brick(made, 0.5 * (length - gap), &half);
  for (size_t k = 0; k < courses && error == THUD_OK; k++)
    error = lay_course(made, &half, columns, length, gap, 0.5 * height + (double)k * (height + gap), k % 2 == 1);
  thud_bodies_pattern_free(made->made, &half);
  return error;
}

/* ---- arch ---------------------------------------------------------------------------------------------------------------- */

typedef struct arch {
  size_t count;
  double radius, thickness, depth, angle;
  int springers;
} arch;
enum { SPRINGERS_SUPPORTS, SPRINGERS_FIXED, SPRINGERS_NONE };

static thud_error read_arch(const bodies_generator *made, arch *size) {
  static const char *const choices[] = {"supports", "fixed", "none", NULL};
  const thud_node *springers = thud_node_find(made->node, "springers");
  *size = (arch){.angle = BODIES_PI};
  thud_error error = thud_bodies_generator_count(made, made->node, &size->count);
  if (error == THUD_OK) error = thud_bodies_generator_length(made, "radius", &size->radius);
  if (error == THUD_OK) error = thud_bodies_generator_length(made, "thickness", &size->thickness);
  size->depth = size->thickness;
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "depth", &size->depth);
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "angle", &size->angle);
  if (error == THUD_OK && springers != NULL) error = thud_node_read_choice(springers, choices, &size->springers);
  if (error != THUD_OK) return error;
  if (!(size->thickness < 2 * size->radius))
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA, "the thickness %g leaves nothing of the radius %g",
                          size->thickness, size->radius);
  if (!(size->angle < 2 * BODIES_PI && size->angle / (double)size->count < 0.9 * BODIES_PI))
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA, "an arch over an angle of %g needs more voussoirs than %zu",
                          size->angle, size->count);
  return THUD_OK;
}

/* A voussoir at the crown, relative to the middle of its middle line: between two radii, cut by two planes through the
 * axis. */
static thud_error voussoir_shape(const bodies_generator *made, const arch *size, thud_index *shape) {
  double half = 0.5 * size->angle / (double)size->count, points[24];
  const double radii[2] = {size->radius - 0.5 * size->thickness, size->radius + 0.5 * size->thickness};
  bool planar = made->made->planar;
  size_t count = 0;
  for (int r = 0; r < 2; r++)
    for (int side = -1; side <= 1; side += 2)
      for (int face = -1; face <= (planar ? -1 : 1); face += 2)
        thud_vec3_store(thud_bodies_generator_place(made, side * radii[r] * sin(half), 0.5 * face * size->depth,
                                                    radii[r] * cos(half) - size->radius),
                        points + 3 * count++);
  thud_shape_def def = thud_shape_def_default(planar ? THUD_SHAPE_POLYGON : THUD_SHAPE_HULL);
  def.point_count = (thud_index)count;
  def.points = points;
  return thud_bodies_add_known_shape(made->made, made->node, &def, shape);
}

/* A fixed block behind the first or the last voussoir. */
static thud_error add_support(bodies_generator *made, const arch *size, int side) {
  bool planar = made->made->planar;
  double lean = side * 0.5 * size->angle, beyond = side * 0.5 * size->thickness;
  char name[BODIES_GENERATED_NAME];
  thud_shape_def def = thud_shape_def_default(planar ? THUD_SHAPE_RECTANGLE : THUD_SHAPE_BOX);
  def.half[0] = 0.5 * size->thickness;
  def.half[1] = planar ? size->thickness : 0.6 * size->depth;
  def.half[2] = planar ? 0 : size->thickness;
  thud_part_def part = made->pattern.parts[0];
  bodies_pattern block = {.node = made->node, .def = thud_body_def_default(), .parts = &part, .part_count = 1};
  thud_error error = thud_bodies_add_known_shape(made->made, made->node, &def, &part.shape);
  block.def.role = THUD_BODY_FIXED;
  thud_vec3 place = thud_bodies_generator_place(made, size->radius * sin(lean) + beyond * cos(lean), 0,
                                                size->radius * cos(lean) - beyond * sin(lean));
  const thud_pose pose = {thud_vec3_add(made->position, place), thud_bodies_generator_lean(made, lean)};
  snprintf(name, sizeof name, "%s-support-%d", made->name, side < 0 ? 1 : 2);
  return error == THUD_OK ? thud_bodies_add_body(made->made, made->node, &block, name, &pose, NULL) : error;
}

/* {count, radius (to the middle line), thickness, depth, angle, springers}; `position` is the centre of the circle. */
thud_error thud_bodies_generate_arch(bodies_generator *made) {
  arch size;
  thud_index shape = -1;
  thud_error error = read_arch(made, &size);
  if (error == THUD_OK) error = voussoir_shape(made, &size, &shape);
  if (error == THUD_OK) error = thud_bodies_generator_read_body(made, shape);
  for (size_t k = 0; k < size.count && error == THUD_OK; k++) {
    double lean = size.angle * (((double)k + 0.5) / (double)size.count - 0.5);
    bodies_pattern voussoir = made->pattern;
    if (size.springers == SPRINGERS_FIXED && (k == 0 || k == size.count - 1)) voussoir.def.role = THUD_BODY_FIXED;
    error = thud_bodies_generator_add(
        made, &voussoir, thud_bodies_generator_place(made, size.radius * sin(lean), 0, size.radius * cos(lean)),
        thud_bodies_generator_lean(made, lean));
  }
  for (int side = -1; side <= 1 && error == THUD_OK && size.springers == SPRINGERS_SUPPORTS; side += 2)
    error = add_support(made, &size, side);
  return error;
}

/* ---- chain --------------------------------------------------------------------------------------------------------------- */

static thud_error add_link(bodies_generator *made, size_t k, thud_spring_def def) {
  char name[BODIES_GENERATED_NAME];
  snprintf(name, sizeof name, "%s-link-%zu", made->name, k);
  def.name = name;
  def.a = made->made->ids[made->made->body_count - 2];
  def.b = made->made->ids[made->made->body_count - 1];
  return thud_bodies_blame(made->node, thud_bodies_add_spring(made->made->bodies, &def));
}

/* {count, from, to, stiffness, damping, length, fixed_ends}: bodies from one point to another; springs between the
 * origins of neighbours. */
thud_error thud_bodies_generate_chain(bodies_generator *made) {
  size_t count = 0;
  const thud_node *node;
  thud_vec3 from = {0, 0, 0}, to = {0, 0, 0};
  bool fixed_ends = false;
  thud_spring_def link = thud_spring_def_default();
  thud_error error = thud_bodies_generator_count(made, made->node, &count);
  if (error == THUD_OK) error = thud_node_require(made->node, "from", &node);
  if (error == THUD_OK) error = thud_node_require(made->node, "to", &node);
  if (error == THUD_OK) error = thud_bodies_read_vector(made->made, made->node, "from", &from);
  if (error == THUD_OK) error = thud_bodies_read_vector(made->made, made->node, "to", &to);
  if (error == THUD_OK && count < 2)
    error = thud_node_fail(made->node, THUD_ERROR_SCHEMA, "a chain has two bodies at least");
  link.length = thud_vec3_distance(from, to) / (double)(count > 1 ? count - 1 : 1);
  if (error == THUD_OK) error = thud_bodies_generator_length(made, "stiffness", &link.stiffness);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "damping", &link.damping);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "length", &link.length);
  if (error == THUD_OK) error = thud_bodies_read_flag(made->node, "fixed_ends", &fixed_ends);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    bodies_pattern bead = made->pattern;
    double part = (double)k / (double)(count - 1);
    if (fixed_ends && (k == 0 || k == count - 1)) bead.def.role = THUD_BODY_FIXED;
    error = thud_bodies_generator_add(made, &bead, thud_vec3_add_scaled(from, part, thud_vec3_subtract(to, from)),
                                      thud_quat_identity());
    if (error == THUD_OK && k > 0) error = add_link(made, k, link);
  }
  return error;
}
