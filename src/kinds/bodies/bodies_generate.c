/* Generators of bodies: entries {generate: NAME, ...} of `bodies`. One row of the table at the end each. */
#include "geom/shape_class.h"
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define PI 3.14159265358979323846

/* A generator at work. Up is the last axis: z in space, y in the plane. */
typedef struct bodies_generator {
  bodies_scene *made;
  const thud_node *node;
  const char *name;       /* bodies are NAME-1, NAME-2, ... */
  size_t number;          /* of the last one */
  bodies_pattern pattern; /* `body`, unless the generator has shapes of its own */
  thud_vec3 position;
  double jitter; /* random moves along each axis, up to this */
  thud_random random;
} bodies_generator;

/* ---- what they share ------------------------------------------------------------------------------------------------- */

/* `count` of the entry, which it needs. */
static thud_error generator_count(const bodies_generator *made, const thud_node *map, size_t *count) {
  const thud_node *node;
  thud_error error = thud_node_require_as(map, "count", "how many, a whole number", &node);
  return error == THUD_OK ? thud_bodies_read_count(made->made, map, "count", 1, BODIES_MOST, count) : error;
}

/* A number of the entry that it needs, > 0. */
static thud_error generator_length(const bodies_generator *made, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require_as(made->node, key, "a number > 0", &node);
  return error == THUD_OK ? thud_bodies_read_positive(made->made, made->node, key, value) : error;
}

/* x, depth (y in space, nothing in the plane) and height as a vector. */
static thud_vec3 generator_place(const bodies_generator *made, double x, double depth, double height) {
  return made->made->planar ? thud_vec3_make(x, height, 0) : thud_vec3_make(x, depth, height);
}

/* A turn of the x axis towards the one that points up is by a negative angle; this turns up towards x. */
static thud_quat generator_lean(const bodies_generator *made, double angle) {
  return thud_quat_from_rotation_vector(made->made->planar ? thud_vec3_make(0, 0, -angle)
                                                           : thud_vec3_make(0, angle, 0));
}

/* The next body of the pattern, at `place` from the generator's position, with jitter. */
static thud_error generator_add(bodies_generator *made, const bodies_pattern *pattern, thud_vec3 place,
                                thud_quat rotation) {
  double moves[3] = {0, 0, 0};
  for (thud_index k = 0; k < made->made->dimension && made->jitter > 0; k++)
    moves[k] = thud_random_uniform(&made->random, -made->jitter, made->jitter);
  const thud_pose pose = {thud_vec3_add(thud_vec3_add(made->position, place), thud_vec3_load(moves)), rotation};
  return thud_bodies_add_numbered(made->made, made->node, pattern, made->name, &made->number, &pose);
}

/* Reads the pattern `body` for a shape of the generator's own. */
static thud_error generator_read_body(bodies_generator *made, thud_index shape) {
  const thud_node *body;
  thud_error error = thud_node_require_as(
      made->node, "body", "the keys of a body that all have, such as {shape: {sphere: 0.1}, material: stone}", &body);
  if (error == THUD_OK) error = thud_node_expect(body, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_node_find(body, "shape") != NULL || thud_node_find(body, "parts") != NULL)
    return thud_node_fail(body, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] these bodies get their shape from the generator: leave it out here");
  made->made->assumed = shape;
  error = thud_bodies_read_pattern(made->made, body, true, &made->pattern);
  made->made->assumed = -1;
  return error;
}

/* ---- grid ---------------------------------------------------------------------------------------------------------------- */

/* {counts: [nx, ny, nz], spacing: s or [..]}; `position` is that of the first body. */
static thud_error read_grid(const bodies_generator *made, size_t counts[3], double spacing[3]) {
  const thud_node *list, *node;
  size_t d = (size_t)made->made->dimension;
  double number = 0, total = 1;
  thud_error error = thud_node_require_as(made->node, "counts", "a list of whole numbers, one for each axis", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != d)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[bad-generator] %zu numbers are needed here, not %zu", d,
                           thud_node_count(list));
  for (size_t k = 0; k < d && error == THUD_OK; k++) {
    error = thud_scene_read_whole(made->made->scene, thud_node_item(list, k), 1, BODIES_MOST, &number);
    counts[k] = (size_t)number;
    total *= number;
  }
  if (error == THUD_OK && total > BODIES_MOST)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "[bad-generator] %g bodies are asked for, at most %d are possible",
                           total, BODIES_MOST);
  if (error == THUD_OK)
    error = thud_node_require_as(made->node, "spacing", "a number, or a list with one for each axis", &node);
  if (error != THUD_OK) return error;
  if (thud_node_get_kind(node) == THUD_NODE_SEQUENCE) return thud_bodies_read_numbers(made->made, node, d, spacing);
  error = thud_bodies_read_positive(made->made, made->node, "spacing", &spacing[0]);
  spacing[1] = spacing[2] = spacing[0];
  return error;
}

static thud_error generate_grid(bodies_generator *made) {
  size_t counts[3] = {1, 1, 1};
  double spacing[3] = {0, 0, 0};
  thud_error error = read_grid(made, counts, spacing);
  for (size_t k = 0; k < counts[2]; k++)
    for (size_t j = 0; j < counts[1]; j++)
      for (size_t i = 0; i < counts[0] && error == THUD_OK; i++)
        error = generator_add(made, &made->pattern,
                              thud_vec3_make((double)i * spacing[0], (double)j * spacing[1], (double)k * spacing[2]),
                              thud_quat_identity());
  return error;
}

/* ---- heap ---------------------------------------------------------------------------------------------------------------- */

/* Layers of m x m, (m-1) x (m-1), ... bodies, each over the gaps of the one below; in the plane m, m-1, ... */
static size_t layer_size(const bodies_generator *made, size_t side) { return made->made->planar ? side : side * side; }

static size_t base_side(const bodies_generator *made, size_t count) {
  size_t side = 0, total = 0;
  while (total < count) total += layer_size(made, ++side);
  return side;
}

/* {count, spacing}; `position` is the middle of the base, on the ground. */
static thud_error generate_heap(bodies_generator *made) {
  double radius = thud_bodies_pattern_radius(made->made, &made->pattern);
  if (thud_node_find(made->node, "jitter") == NULL) made->jitter = 0.05 * radius;
  double spacing = 2.02 * radius + 2 * made->jitter;
  size_t count = 0, done = 0;
  thud_error error = generator_count(made, made->node, &count);
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "spacing", &spacing);
  if (error == THUD_OK && spacing < 2 * (radius + made->jitter))
    error = thud_node_fail(
        made->node, THUD_ERROR_SCHEMA,
        "[bad-generator] bodies of radius %g that move by up to %g overlap with a spacing of %g; at least %g is needed",
        radius, made->jitter, spacing, 2 * (radius + made->jitter));
  if (error != THUD_OK) return error;
  double height = radius + made->jitter;
  for (size_t side = base_side(made, count); done < count && side > 0; side--, height += spacing) {
    double first = -0.5 * spacing * (double)(side - 1);
    for (size_t k = 0; k < layer_size(made, side) && done < count && error == THUD_OK; k++, done++) {
      size_t row = k / side, column = k % side;
      thud_vec3 place = generator_place(made, first + spacing * (double)column, first + spacing * (double)row, height);
      error = generator_add(made, &made->pattern, place, thud_quat_identity());
    }
    if (error != THUD_OK) return error;
  }
  return error;
}

/* ---- tower --------------------------------------------------------------------------------------------------------------- */

/* {count, gap, twist}; `position` is the middle of the lowest face. */
static thud_error generate_tower(bodies_generator *made) {
  double gap = 0, twist = 0;
  size_t count = 0;
  bool planar = made->made->planar;
  thud_error error = generator_count(made, made->node, &count);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "gap", &gap);
  if (error == THUD_OK) error = thud_bodies_read_number(made->made, made->node, "twist", &twist);
  if (error == THUD_OK && planar && twist != 0)
    error = thud_node_fail(thud_node_find(made->node, "twist"), THUD_ERROR_SCHEMA,
                           "[misplaced-key] towers of the plane have no twist");
  if (error != THUD_OK) return error;
  thud_bounds box = thud_bodies_pattern_bounds(made->made, &made->pattern, &made->pattern.def.pose.rotation);
  double low = planar ? box.low.y : box.low.z, high = planar ? box.high.y : box.high.z;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = generator_add(made, &made->pattern, generator_place(made, 0, 0, -low + (double)k * (high - low + gap)),
                          thud_quat_from_rotation_vector(thud_vec3_make(0, 0, twist * (double)k)));
  return error;
}

/* ---- packing --------------------------------------------------------------------------------------------------------- */

/* A packing is a lattice with as large cells as the box allows for the number of bodies. Bodies are in cells chosen at
 * random, moved and turned at random as far as the cell leaves room for the ball around them: no two overlap. */

static const double MOST_CELLS = 1e8;

typedef struct packing {
  size_t count, cells[3], total;
  double low[3], high[3], edge; /* of the cells, all equal */
  double scale[2];
  bool turned;
} packing;

/* ---- packing: cells -------------------------------------------------------------------------------------------------- */

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
    return thud_node_fail(
        made->node, THUD_ERROR_SCHEMA,
        "[bad-generator] the box is too long for its width: it has %g cells, at most %g can be chosen from", most,
        MOST_CELLS);
  if (box->edge >= 2 * radius) return THUD_OK;
  return thud_node_fail(
      made->node, THUD_ERROR_SCHEMA,
      "[bad-generator] %zu bodies of radius %g do not fit into the box without touching: at most %g do", box->count,
      radius, count_cells(made, box, 2 * radius, cells));
}

/* ---- packing: bodies ------------------------------------------------------------------------------------------------- */

/* Uniform among rotations: four normal numbers, scaled to norm 1. */
static thud_quat random_turn(bodies_generator *made) {
  if (made->made->planar)
    return thud_quat_from_rotation_vector(thud_vec3_make(0, 0, thud_random_uniform(&made->random, 0, 2 * PI)));
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
  return generator_add(made, pattern, thud_vec3_load(place), box->turned ? random_turn(made) : thud_quat_identity());
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

/* ---- packing: the whole ---------------------------------------------------------------------------------------------- */

/* {count, low: [...], high: [...], scale: [least, largest], turned: true}; relative to `position`. */
static thud_error generate_packing(bodies_generator *made) {
  packing box = {.scale = {1, 1}};
  const thud_node *low, *high, *scale = thud_node_find(made->node, "scale");
  size_t d = (size_t)made->made->dimension;
  thud_error error = generator_count(made, made->node, &box.count);
  if (error == THUD_OK)
    error = thud_node_require_as(made->node, "low", "the lower corner of the box, such as [0, 0, 0]", &low);
  if (error == THUD_OK)
    error = thud_node_require_as(made->node, "high", "the upper corner of the box, such as [1, 1, 1]", &high);
  if (error == THUD_OK) error = thud_bodies_read_numbers(made->made, low, d, box.low);
  if (error == THUD_OK) error = thud_bodies_read_numbers(made->made, high, d, box.high);
  for (size_t k = 0; k < d && error == THUD_OK; k++)
    if (!(box.low[k] < box.high[k]))
      error = thud_node_fail(high, THUD_ERROR_SCHEMA, "[bad-generator] the box is empty: %g is not above %g",
                             box.high[k], box.low[k]);
  if (error == THUD_OK && scale != NULL) error = thud_bodies_read_numbers(made->made, scale, 2, box.scale);
  if (error == THUD_OK && !(box.scale[0] > 0 && box.scale[0] <= box.scale[1]))
    error = thud_node_fail(scale, THUD_ERROR_SCHEMA, "[wrong-count] [least, largest] is needed, greater than 0");
  if (error == THUD_OK) error = thud_bodies_read_flag(made->node, "turned", &box.turned);
  if (error == THUD_OK && made->jitter > 0)
    error = thud_node_fail(thud_node_find(made->node, "jitter"), THUD_ERROR_SCHEMA,
                           "[misplaced-key] a packing is random by itself: leave 'jitter' out");
  return error == THUD_OK ? fill(made, &box) : error;
}

/* ---- drum -------------------------------------------------------------------------------------------------------------------- */

typedef struct drum {
  double radius, length, thickness;
  size_t segments;
} drum;

static thud_error read_drum(const bodies_generator *made, drum *size) {
  *size = (drum){.length = 1, .segments = 24};
  thud_error error = generator_length(made, "radius", &size->radius);
  size->thickness = 0.1 * size->radius;
  if (error == THUD_OK && !made->made->planar) error = generator_length(made, "length", &size->length);
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "thickness", &size->thickness);
  return error == THUD_OK ? thud_bodies_read_count(made->made, made->node, "segments", 6, 1000, &size->segments)
                          : error;
}

static thud_error wall_shape(const bodies_generator *made, const drum *size, thud_index *shape) {
  bool planar = made->made->planar;
  thud_shape_def def = thud_shape_def_default(planar ? THUD_SHAPE_RECTANGLE : THUD_SHAPE_BOX);
  double width = (size->radius + size->thickness) * tan(PI / (double)size->segments);
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
    parts[k].pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(-0.5 * PI, 0, 0));
  }
  return error;
}

static thud_error add_drum(bodies_generator *made, const drum *size) {
  bodies_scene *scene = made->made;
  size_t ends = scene->planar ? 0 : 2, count = size->segments + ends, material = THUD_NAMES_NONE;
  const thud_node *named = thud_node_find(made->node, "material"), *angle;
  thud_index shape = -1;
  bodies_pattern wall = {.node = made->node, .def = thud_body_def_default(), .part_count = count};
  thud_error error = thud_node_require_as(made->node, "angle", "an expression of t, in radians", &angle);
  if (error == THUD_OK) error = wall_shape(made, size, &shape);
  if (error == THUD_OK && named != NULL)
    error = thud_bodies_find_name(scene, named, &scene->materials, "material", &material);
  if (error != THUD_OK) return error;
  wall.parts = THUD_NEW_ARRAY(scene->context, thud_part_def, count);
  if (wall.parts == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) {
    double turn = 2 * PI * (double)k / (double)size->segments;
    double radius = size->radius + 0.5 * size->thickness;
    wall.parts[k] = thud_part_def_default();
    wall.parts[k].shape = shape;
    wall.parts[k].material = material != THUD_NAMES_NONE ? (thud_index)material : -1;
    wall.parts[k].pose.position = generator_place(made, radius * sin(turn), 0, radius * cos(turn));
    wall.parts[k].pose.rotation = generator_lean(made, turn);
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
  if (error == THUD_OK) error = thud_node_require_as(grains, "body", "the keys of a body that all grains have", &body);
  if (error == THUD_OK) error = generator_count(made, grains, &box.count);
  if (error == THUD_OK && (scale = thud_node_find(grains, "scale")) != NULL)
    error = thud_bodies_read_numbers(made->made, scale, 2, box.scale);
  if (error == THUD_OK && !(box.scale[0] > 0 && box.scale[0] <= box.scale[1]))
    error =
        thud_node_fail(grains, THUD_ERROR_SCHEMA, "[out-of-range] scale: [least, largest] is needed, greater than 0");
  if (error == THUD_OK) error = thud_bodies_read_flag(grains, "turned", &box.turned);
  made->name = "grain";
  if (error == THUD_OK && (named = thud_node_find(grains, "name")) != NULL)
    error = thud_bodies_read_name(named, &made->name);
  if (error == THUD_OK) error = thud_bodies_read_pattern(made->made, body, true, &made->pattern);
  if (error != THUD_OK) return error;
  thud_vec3 corner = generator_place(made, half, 0.5 * size->length, half);
  thud_vec3_store(thud_vec3_negate(corner), box.low);
  thud_vec3_store(corner, box.high);
  return fill(made, &box);
}

/* {radius, length, thickness, segments, angle, material, grains}: turns about the horizontal axis y, in the plane about
 * z, through `position`. */
static thud_error generate_drum(bodies_generator *made) {
  drum size;
  const thud_node *grains = thud_node_find(made->node, "grains"), *body = thud_node_find(made->node, "body");
  if (body != NULL)
    return thud_node_fail(body, THUD_ERROR_SCHEMA,
                          "[bad-generator] a drum has 'material'; what is in it has its 'body' in 'grains'");
  thud_error error = read_drum(made, &size);
  if (error == THUD_OK) error = add_drum(made, &size);
  return error == THUD_OK && grains != NULL ? add_grains(made, &size, grains) : error;
}

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
    error = generator_add(made, cut ? half : &made->pattern, generator_place(made, x + 0.5 * own, 0, height),
                          thud_quat_identity());
    x += own + gap;
  }
  return error;
}

/* {columns, courses, gap}: bricks in running bond along x; `position` is the middle of the base. */
static thud_error generate_wall(bodies_generator *made) {
  size_t columns = 0, courses = 0;
  double gap = 0;
  const thud_node *node;
  bodies_pattern half = {0};
  thud_error error = thud_node_require_as(made->node, "columns", "how many bricks are side by side", &node);
  if (error == THUD_OK)
    error = thud_node_require_as(made->node, "courses", "how many rows of bricks are on each other", &node);
  if (error == THUD_OK) error = thud_bodies_read_count(made->made, made->node, "columns", 1, 1e6, &columns);
  if (error == THUD_OK) error = thud_bodies_read_count(made->made, made->node, "courses", 1, 1e6, &courses);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "gap", &gap);
  if (error != THUD_OK) return error;
  thud_shape_def brick = thud_shape_get_def(made->made->shapes[made->pattern.parts[0].shape]);
  bool box = thud_shape_class_of(brick.kind)->box;
  if (made->pattern.part_count != 1 || !box)
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA,
                          "[bad-generator] a wall is built of boxes: body: {shape: {box: [...]}}");
  double length = 2 * brick.half[0], height = 2 * brick.half[made->made->dimension - 1];
  if (!(gap < length))
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA, "[bad-generator] the gap must be shorter than a brick");
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
  *size = (arch){.angle = PI};
  thud_error error = generator_count(made, made->node, &size->count);
  if (error == THUD_OK) error = generator_length(made, "radius", &size->radius);
  if (error == THUD_OK) error = generator_length(made, "thickness", &size->thickness);
  size->depth = size->thickness;
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "depth", &size->depth);
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "angle", &size->angle);
  if (error == THUD_OK && springers != NULL) error = thud_node_read_choice(springers, choices, &size->springers);
  if (error != THUD_OK) return error;
  if (!(size->thickness < 2 * size->radius))
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA,
                          "[bad-generator] the thickness %g leaves nothing of the radius %g", size->thickness,
                          size->radius);
  if (!(size->angle < 2 * PI && size->angle / (double)size->count < 0.9 * PI))
    return thud_node_fail(made->node, THUD_ERROR_SCHEMA,
                          "[bad-generator] an arch over an angle of %g needs more voussoirs than %zu", size->angle,
                          size->count);
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
        thud_vec3_store(generator_place(made, side * radii[r] * sin(half), 0.5 * face * size->depth,
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
  thud_vec3 place = generator_place(made, size->radius * sin(lean) + beyond * cos(lean), 0,
                                    size->radius * cos(lean) - beyond * sin(lean));
  const thud_pose pose = {thud_vec3_add(made->position, place), generator_lean(made, lean)};
  snprintf(name, sizeof name, "%s-support-%d", made->name, side < 0 ? 1 : 2);
  return error == THUD_OK ? thud_bodies_add_body(made->made, made->node, &block, name, &pose, NULL) : error;
}

/* {count, radius (to the middle line), thickness, depth, angle, springers}; `position` is the centre of the circle. */
static thud_error generate_arch(bodies_generator *made) {
  arch size;
  thud_index shape = -1;
  thud_error error = read_arch(made, &size);
  if (error == THUD_OK) error = voussoir_shape(made, &size, &shape);
  if (error == THUD_OK) error = generator_read_body(made, shape);
  for (size_t k = 0; k < size.count && error == THUD_OK; k++) {
    double lean = size.angle * (((double)k + 0.5) / (double)size.count - 0.5);
    bodies_pattern voussoir = made->pattern;
    if (size.springers == SPRINGERS_FIXED && (k == 0 || k == size.count - 1)) voussoir.def.role = THUD_BODY_FIXED;
    error = generator_add(made, &voussoir, generator_place(made, size.radius * sin(lean), 0, size.radius * cos(lean)),
                          generator_lean(made, lean));
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
static thud_error generate_chain(bodies_generator *made) {
  size_t count = 0;
  const thud_node *node;
  thud_vec3 from = {0, 0, 0}, to = {0, 0, 0};
  bool fixed_ends = false;
  thud_spring_def link = thud_spring_def_default();
  thud_error error = generator_count(made, made->node, &count);
  if (error == THUD_OK)
    error = thud_node_require_as(made->node, "from", "where the chain begins, such as [0, 0, 1]", &node);
  if (error == THUD_OK)
    error = thud_node_require_as(made->node, "to", "where the chain ends, such as [1, 0, 1]", &node);
  if (error == THUD_OK) error = thud_bodies_read_vector(made->made, made->node, "from", &from);
  if (error == THUD_OK) error = thud_bodies_read_vector(made->made, made->node, "to", &to);
  if (error == THUD_OK && count < 2)
    error = thud_node_fail(made->node, THUD_ERROR_SCHEMA, "[bad-generator] a chain has two bodies at least");
  link.length = thud_vec3_distance(from, to) / (double)(count > 1 ? count - 1 : 1);
  if (error == THUD_OK) error = generator_length(made, "stiffness", &link.stiffness);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "damping", &link.damping);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "length", &link.length);
  if (error == THUD_OK) error = thud_bodies_read_flag(made->node, "fixed_ends", &fixed_ends);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    bodies_pattern bead = made->pattern;
    double part = (double)k / (double)(count - 1);
    if (fixed_ends && (k == 0 || k == count - 1)) bead.def.role = THUD_BODY_FIXED;
    error = generator_add(made, &bead, thud_vec3_add_scaled(from, part, thud_vec3_subtract(to, from)),
                          thud_quat_identity());
    if (error == THUD_OK && k > 0) error = add_link(made, k, link);
  }
  return error;
}

/* ---- the table ------------------------------------------------------------------------------------------------------------ */

enum { OWN_KEYS = 10 };

typedef struct generator_row {
  const char *name;
  thud_error (*generate)(bodies_generator *made);
  bool own_shapes; /* `body` is read by the generator, if at all */
  const char *keys[OWN_KEYS];
} generator_row;

static const generator_row rows[] = {
    {"grid", generate_grid, false, {"counts", "spacing"}},
    {"packing", generate_packing, false, {"count", "low", "high", "scale", "turned"}},
    {"heap", generate_heap, false, {"count", "spacing"}},
    {"wall", generate_wall, false, {"columns", "courses", "gap"}},
    {"arch", generate_arch, true, {"count", "radius", "thickness", "depth", "angle", "springers"}},
    {"tower", generate_tower, false, {"count", "gap", "twist"}},
    {"chain", generate_chain, false, {"count", "from", "to", "stiffness", "damping", "length", "fixed_ends"}},
    {"drum", generate_drum, true, {"radius", "length", "thickness", "segments", "angle", "material", "grains"}},
};
enum { ROWS = sizeof rows / sizeof *rows };

static thud_error find_row(const thud_node *node, const generator_row **row) {
  const char *names[ROWS + 1] = {NULL};
  int choice = 0;
  for (size_t k = 0; k < ROWS; k++) names[k] = rows[k].name;
  thud_error error = thud_node_read_choice(node, names, &choice);
  if (error == THUD_OK) *row = &rows[choice];
  return error;
}

static thud_error check_keys(const thud_node *node, const generator_row *row) {
  const char *keys[OWN_KEYS + 6] = {"generate", "name", "position", "jitter", "seed", "body"};
  size_t count = 6;
  for (size_t k = 0; k < OWN_KEYS && row->keys[k] != NULL; k++) keys[count++] = row->keys[k];
  return thud_node_check_keys(node, keys, count);
}

static thud_error read_common(bodies_generator *made, const generator_row *row) {
  const thud_node *named = thud_node_find(made->node, "name"), *body;
  size_t seed = 1;
  thud_error error = named != NULL ? thud_bodies_read_name(named, &made->name) : THUD_OK;
  if (error == THUD_OK && strlen(made->name) > BODIES_NAME_ROOM - 10)
    error = thud_node_fail(named, THUD_ERROR_SCHEMA, "[bad-name] '%s' is too long to be numbered", made->name);
  if (error == THUD_OK) error = thud_bodies_read_vector(made->made, made->node, "position", &made->position);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "jitter", &made->jitter);
  if (error == THUD_OK) error = thud_bodies_read_count(made->made, made->node, "seed", 0, 9007199254740992.0, &seed);
  made->random = thud_random_seed(seed);
  if (error != THUD_OK || row->own_shapes) return error;
  error = thud_node_require_as(
      made->node, "body", "the keys of a body that all have, such as {shape: {sphere: 0.1}, material: stone}", &body);
  return error == THUD_OK ? thud_bodies_read_pattern(made->made, body, true, &made->pattern) : error;
}

thud_error thud_bodies_generate(bodies_scene *made, const thud_node *node) {
  const generator_row *row = NULL;
  thud_error error = find_row(thud_node_find(node, "generate"), &row);
  if (error == THUD_OK) error = check_keys(node, row);
  if (error != THUD_OK) return error;
  bodies_generator generator = {.made = made, .node = node, .name = row->name};
  error = read_common(&generator, row);
  if (error == THUD_OK) error = row->generate(&generator);
  thud_bodies_pattern_free(made, &generator.pattern);
  return error;
}
