/* Generators that fill a box with bodies at random, and a drum with grains in it.
 *
 * A packing is a lattice with as large cells as the box allows for the number of bodies. Bodies are in cells chosen at
 * random, moved and turned at random as far as the cell leaves room for the ball around them: no two overlap. */
#include "kinds/bodies/bodies_generate.h"

#include <math.h>
#include <string.h>

static const double MOST_CELLS = 1e8;

typedef struct packing {
  size_t count, cells[3], total;
  double low[3], high[3], edge; /* of the cells, all equal */
  double scale[2];
  bool turned;
} packing;

/* ---- cells --------------------------------------------------------------------------------------------------------------- */

static double count_cells(const bodies_generator *made, const packing *box, double edge, size_t cells[3]) {
  double total = 1;
  for (thud_index k = 0; k < 3; k++) {
    double along = k < made->made->dimension ? floor((box->high[k] - box->low[k]) / edge * (1 + 1e-12)) : 1;
    cells[k] = (size_t)fmin(along, BODIES_MOST);
    total *= along;
  }
  return total;
}

/* The largest edge with at least `count` cells: edges at which a further cell fits along some axis, downwards. */
static void choose_cells(const bodies_generator *made, packing *box) {
  double volume = 1, least = INFINITY;
  for (thud_index k = 0; k < made->made->dimension; k++) {
    volume *= box->high[k] - box->low[k];
    least = fmin(least, box->high[k] - box->low[k]);
  }
  box->edge = fmin(pow(volume / (double)box->count, 1.0 / made->made->dimension) * (1 + 1e-12), least);
  while (count_cells(made, box, box->edge, box->cells) < (double)box->count) {
    double next = 0;
    for (thud_index k = 0; k < made->made->dimension; k++)
      next = fmax(next, (box->high[k] - box->low[k]) / (double)(box->cells[k] + 1));
    box->edge = next;
  }
  box->total = box->cells[0] * box->cells[1] * box->cells[2];
}

static thud_error check_room(const bodies_generator *made, const packing *box, double radius) {
  size_t cells[3];
  double most = count_cells(made, box, box->edge, cells);
  if (box->edge >= 2 * radius && most > MOST_CELLS)
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA,
                          "the box is too long for its width: it has %g cells, at most %g can be chosen from", most,
                          MOST_CELLS);
  if (box->edge >= 2 * radius) return THUD_OK;
  return thud_node_fail(made->node, THUD_ERROR_SCHEMA,
                        "%zu bodies of radius %g do not fit into the box without touching: at most %g do", box->count,
                        radius, count_cells(made, box, 2 * radius, cells));
}

/* ---- bodies -------------------------------------------------------------------------------------------------------------- */

/* Uniform among rotations: four normal numbers, scaled to norm 1. */
static thud_quat random_turn(bodies_generator *made) {
  if (made->made->planar)
    return thud_quat_from_rotation_vector(thud_vec3_make(0, 0, thud_random_uniform(&made->random, 0, 2 * BODIES_PI)));
  double q[4];
  for (int k = 0; k < 4; k++) q[k] = thud_random_normal(&made->random);
  return thud_quat_normalise(thud_quat_make(q[0], q[1], q[2], q[3]));
}

static thud_error add_in_cell(bodies_generator *made, const packing *box, const bodies_pattern *pattern, size_t cell) {
  double radius = thud_bodies_pattern_radius(made->made, pattern), free = fmax(0, 0.5 * box->edge - radius), place[3];
  const size_t at[3] = {cell % box->cells[0], cell / box->cells[0] % box->cells[1],
                        cell / box->cells[0] / box->cells[1]};
  for (thud_index k = 0; k < 3; k++) {
    double slack = (box->high[k] - box->low[k]) - box->edge * (double)box->cells[k];
    place[k] = k < made->made->dimension ? box->low[k] + 0.5 * slack + box->edge * ((double)at[k] + 0.5) +
                                               thud_random_uniform(&made->random, -free, free)
                                         : 0;
  }
  return thud_bodies_generator_add(made, pattern, thud_vec3_load(place),
                                   box->turned ? random_turn(made) : thud_quat_identity());
}

static thud_error add_sized(bodies_generator *made, const packing *box, size_t cell) {
  bodies_pattern sized = {0};
  if (box->scale[0] == 1 && box->scale[1] == 1) return add_in_cell(made, box, &made->pattern, cell);
  double scale = thud_random_uniform(&made->random, box->scale[0], box->scale[1]);
  thud_error error = thud_bodies_pattern_scale(made->made, &made->pattern, scale, &sized);
  if (error == THUD_OK) error = add_in_cell(made, box, &sized, cell);
  thud_bodies_pattern_free(made->made, &sized);
  return error;
}

/* The first `count` of a random order of the cells. */
static thud_error fill(bodies_generator *made, packing *box) {
  double radius = thud_bodies_pattern_radius(made->made, &made->pattern) * box->scale[1];
  choose_cells(made, box);
  thud_error error = check_room(made, box, radius);
  if (error != THUD_OK) return error;
  uint32_t *order = THUD_NEW_ARRAY(made->made->context, uint32_t, box->total);
  if (order == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < box->total; k++) order[k] = (uint32_t)k;
  for (size_t k = 0; k < box->count && error == THUD_OK; k++) {
    size_t other = k + thud_random_below(&made->random, (uint32_t)(box->total - k));
    uint32_t chosen = order[other];
    order[other] = order[k];
    error = add_sized(made, box, chosen);
  }
  thud_free(made->made->context, order);
  return error;
}

/* ---- packing ---------------------------------------------------------------------------------------------------------------- */

/* {count, low: [...], high: [...], scale: [least, largest], turned: true}; relative to `position`. */
thud_error thud_bodies_generate_packing(bodies_generator *made) {
  packing box = {.scale = {1, 1}};
  const thud_node *low, *high, *scale = thud_node_find(made->node, "scale");
  size_t d = (size_t)made->made->dimension;
  thud_error error = thud_bodies_generator_count(made, made->node, &box.count);
  if (error == THUD_OK) error = thud_node_require(made->node, "low", &low);
  if (error == THUD_OK) error = thud_node_require(made->node, "high", &high);
  if (error == THUD_OK) error = thud_bodies_read_numbers(made->made, low, d, box.low);
  if (error == THUD_OK) error = thud_bodies_read_numbers(made->made, high, d, box.high);
  for (size_t k = 0; k < d && error == THUD_OK; k++)
    if (!(box.low[k] < box.high[k]))
      error = thud_node_fail(high, THUD_ERROR_SCHEMA, "the box is empty: %g is not above %g", box.high[k], box.low[k]);
  if (error == THUD_OK && scale != NULL) error = thud_bodies_read_numbers(made->made, scale, 2, box.scale);
  if (error == THUD_OK && !(box.scale[0] > 0 && box.scale[0] <= box.scale[1]))
    error = thud_node_fail(scale, THUD_ERROR_SCHEMA, "[least, largest] is needed, greater than 0");
  if (error == THUD_OK) error = thud_bodies_read_flag(made->node, "turned", &box.turned);
  if (error == THUD_OK && made->jitter > 0)
    error = thud_node_fail(thud_node_find(made->node, "jitter"), THUD_ERROR_SCHEMA,
                           "a packing is random by itself: leave 'jitter' out");
  return error == THUD_OK ? fill(made, &box) : error;
}

/* ---- drum -------------------------------------------------------------------------------------------------------------------- */

typedef struct drum {
  double radius, length, thickness;
  size_t segments;
} drum;

static thud_error read_drum(const bodies_generator *made, drum *size) {
  *size = (drum){.length = 1, .segments = 24};
  thud_error error = thud_bodies_generator_length(made, "radius", &size->radius);
  size->thickness = 0.1 * size->radius;
  if (error == THUD_OK && !made->made->planar) error = thud_bodies_generator_length(made, "length", &size->length);
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "thickness", &size->thickness);
  return error == THUD_OK ? thud_bodies_read_count(made->made, made->node, "segments", 6, 1000, &size->segments)
                          : error;
}

static thud_error wall_shape(const bodies_generator *made, const drum *size, thud_index *shape) {
  bool planar = made->made->planar;
  thud_shape_def def = thud_shape_def_default(planar ? THUD_SHAPE_RECTANGLE : THUD_SHAPE_BOX);
  double width = (size->radius + size->thickness) * tan(BODIES_PI / (double)size->segments);
  def.half[0] = width;
  def.half[1] = planar ? 0.5 * size->thickness : 0.5 * size->length;
  def.half[2] = planar ? 0 : 0.5 * size->thickness;
  return thud_bodies_add_known_shape(made->made, made->node, &def, shape);
}

/* Plates at both ends; the axis of a cylinder's shape is z, that of the drum is y. */
static thud_error add_ends(bodies_generator *made, const drum *size, thud_part_def *parts) {
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_CYLINDER);
  def.radius = size->radius + size->thickness;
  def.half_length = 0.5 * size->thickness;
  thud_index shape = -1;
  thud_error error = thud_bodies_add_known_shape(made->made, made->node, &def, &shape);
  for (size_t k = 0; k < 2; k++) {
    double side = k == 0 ? -0.5 : 0.5;
    parts[k].shape = shape;
    parts[k].pose.position = thud_vec3_make(0, side * (size->length + size->thickness), 0);
    parts[k].pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(-0.5 * BODIES_PI, 0, 0));
  }
  return error;
}

static thud_error add_drum(bodies_generator *made, const drum *size) {
  bodies_scene *scene = made->made;
  size_t ends = scene->planar ? 0 : 2, count = size->segments + ends, material = THUD_NAMES_NONE;
  const thud_node *named = thud_node_find(made->node, "material"), *angle;
  thud_index shape = -1;
  bodies_pattern wall = {.node = made->node, .def = thud_body_def_default(), .part_count = count};
  thud_error error = thud_node_require(made->node, "angle", &angle);
  if (error == THUD_OK) error = wall_shape(made, size, &shape);
  if (error == THUD_OK && named != NULL)
    error = thud_bodies_find_name(scene, named, &scene->materials, "material", &material);
  if (error != THUD_OK) return error;
  wall.parts = THUD_NEW_ARRAY(scene->context, thud_part_def, count);
  if (wall.parts == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    double turn = 2 * BODIES_PI * (double)k / (double)size->segments;
    double radius = size->radius + 0.5 * size->thickness;
    wall.parts[k] = thud_part_def_default();
    wall.parts[k].shape = shape;
    wall.parts[k].material = material != THUD_NAMES_NONE ? (thud_index)material : -1;
    wall.parts[k].pose.position = thud_bodies_generator_place(made, radius * sin(turn), 0, radius * cos(turn));
    wall.parts[k].pose.rotation = thud_bodies_generator_lean(made, turn);
  }
  if (ends > 0) error = add_ends(made, size, wall.parts + size->segments);
  wall.def.role = THUD_BODY_KINEMATIC;
  const thud_vec3 axis = scene->planar ? thud_vec3_make(0, 0, 1) : thud_vec3_make(0, 1, 0);
  if (error == THUD_OK) error = thud_bodies_make_turn(scene, angle, axis, made->position, &wall.def);
  const thud_pose pose = {wall.def.pose.position, thud_quat_identity()};
  if (error == THUD_OK) error = thud_bodies_add_body(scene, made->node, &wall, made->name, &pose, NULL);
  thud_bodies_pattern_free(scene, &wall);
  return error;
}

/* `grains: {count, name, body}` fill the square prism within the drum. */
static thud_error add_grains(bodies_generator *made, const drum *size, const thud_node *grains) {
  static const char *const keys[] = {"count", "name", "body", "scale", "turned"};
  packing box = {.scale = {1, 1}, .turned = false};
  const thud_node *body, *named, *scale;
  double half = size->radius * sqrt(0.5);
  thud_error error = thud_node_expect(grains, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(grains, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = thud_node_require(grains, "body", &body);
  if (error == THUD_OK) error = thud_bodies_generator_count(made, grains, &box.count);
  if (error == THUD_OK && (scale = thud_node_find(grains, "scale")) != NULL)
    error = thud_bodies_read_numbers(made->made, scale, 2, box.scale);
  if (error == THUD_OK && !(box.scale[0] > 0 && box.scale[0] <= box.scale[1]))
    error = thud_node_fail(grains, THUD_ERROR_SCHEMA, "scale: [least, largest] is needed, greater than 0");
  if (error == THUD_OK) error = thud_bodies_read_flag(grains, "turned", &box.turned);
  made->name = "grain";
  if (error == THUD_OK && (named = thud_node_find(grains, "name")) != NULL)
    error = thud_bodies_read_name(named, &made->name);
  if (error == THUD_OK) error = thud_bodies_read_pattern(made->made, body, true, &made->pattern);
  if (error != THUD_OK) return error;
  thud_vec3 corner = thud_bodies_generator_place(made, half, 0.5 * size->length, half);
  thud_vec3_store(thud_vec3_negate(corner), box.low);
  thud_vec3_store(corner, box.high);
  return fill(made, &box);
}

/* {radius, length, thickness, segments, angle, material, grains}: turns about the horizontal axis y, in the plane about
 * z, through `position`. */
thud_error thud_bodies_generate_drum(bodies_generator *made) {
  drum size;
  const thud_node *grains = thud_node_find(made->node, "grains"), *body = thud_node_find(made->node, "body");
  if (body != NULL)
    return thud_node_fail(body, THUD_ERROR_SCHEMA, "a drum has 'material'; what is in it has its 'body' in 'grains'");
  thud_error error = read_drum(made, &size);
  if (error == THUD_OK) error = add_drum(made, &size);
  return error == THUD_OK && grains != NULL ? add_grains(made, &size, grains) : error;
}
