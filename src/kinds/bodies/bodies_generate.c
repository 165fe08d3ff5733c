/* Generators of bodies: the table, and those that place bodies in rows. */
#include "kinds/bodies/bodies_generate.h"

#include <math.h>
#include <string.h>

/* ---- what they share ------------------------------------------------------------------------------------------------- */

thud_error thud_bodies_generator_count(const bodies_generator *made, const thud_node *map, size_t *count) {
  const thud_node *node;
  thud_error error = thud_node_require(map, "count", &node);
  return error == THUD_OK ? thud_bodies_read_count(made->made, map, "count", 1, BODIES_MOST, count) : error;
}

thud_error thud_bodies_generator_length(const bodies_generator *made, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(made->node, key, &node);
  return error == THUD_OK ? thud_bodies_read_positive(made->made, made->node, key, value) : error;
}

thud_vec3 thud_bodies_generator_place(const bodies_generator *made, double x, double depth, double height) {
  return made->made->planar ? thud_vec3_make(x, height, 0) : thud_vec3_make(x, depth, height);
}

thud_quat thud_bodies_generator_lean(const bodies_generator *made, double angle) {
  return thud_quat_from_rotation_vector(made->made->planar ? thud_vec3_make(0, 0, -angle)
                                                           : thud_vec3_make(0, angle, 0));
}

thud_error thud_bodies_generator_add(bodies_generator *made, const bodies_pattern *pattern, thud_vec3 place,
                                     thud_quat rotation) {
  double moves[3] = {0, 0, 0};
  for (thud_index k = 0; k < made->made->dimension && made->jitter > 0; k++)
    moves[k] = thud_random_uniform(&made->random, -made->jitter, made->jitter);
  const thud_pose pose = {thud_vec3_add(thud_vec3_add(made->position, place), thud_vec3_load(moves)), rotation};
  return thud_bodies_add_numbered(made->made, made->node, pattern, made->name, &made->number, &pose);
}

thud_error thud_bodies_generator_read_body(bodies_generator *made, thud_index shape) {
  const thud_node *body;
  thud_error error = thud_node_require(made->node, "body", &body);
  if (error == THUD_OK) error = thud_node_expect(body, THUD_NODE_MAP);
  if (error != THUD_OK) return error;
  if (thud_node_find(body, "shape") != NULL || thud_node_find(body, "parts") != NULL)
    return thud_node_fail(body, THUD_ERROR_SCHEMA,
                          "these bodies get their shape from the generator: leave it out here");
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
  thud_error error = thud_node_require(made->node, "counts", &list);
  if (error == THUD_OK) error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != d)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed here, not %zu", d, thud_node_count(list));
  for (size_t k = 0; k < d && error == THUD_OK; k++) {
    error = thud_scene_read_whole(made->made->scene, thud_node_item(list, k), 1, BODIES_MOST, &number);
    counts[k] = (size_t)number;
    total *= number;
  }
  if (error == THUD_OK && total > BODIES_MOST)
    error =
        thud_node_fail(list, THUD_ERROR_SCHEMA, "%g bodies are asked for, at most %d are possible", total, BODIES_MOST);
  if (error == THUD_OK) error = thud_node_require(made->node, "spacing", &node);
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
        error = thud_bodies_generator_add(
            made, &made->pattern,
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
  thud_error error = thud_bodies_generator_count(made, made->node, &count);
  if (error == THUD_OK) error = thud_bodies_read_positive(made->made, made->node, "spacing", &spacing);
  if (error == THUD_OK && spacing < 2 * (radius + made->jitter))
    error =
        thud_node_fail(made->node, THUD_ERROR_SCHEMA,
                       "bodies of radius %g that move by up to %g overlap with a spacing of %g; at least %g is needed",
                       radius, made->jitter, spacing, 2 * (radius + made->jitter));
  if (error != THUD_OK) return error;
  double height = radius + made->jitter;
  for (size_t side = base_side(made, count); done < count && side > 0; side--, height += spacing) {
    double first = -0.5 * spacing * (double)(side - 1);
    for (size_t k = 0; k < layer_size(made, side) && done < count && error == THUD_OK; k++, done++) {
      size_t row = k / side, column = k % side;
      thud_vec3 place =
          thud_bodies_generator_place(made, first + spacing * (double)column, first + spacing * (double)row, height);
      error = thud_bodies_generator_add(made, &made->pattern, place, thud_quat_identity());
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
  thud_error error = thud_bodies_generator_count(made, made->node, &count);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "gap", &gap);
  if (error == THUD_OK) error = thud_bodies_read_number(made->made, made->node, "twist", &twist);
  if (error == THUD_OK && planar && twist != 0)
    error = thud_node_fail(thud_node_find(made->node, "twist"), THUD_ERROR_SCHEMA, "towers of the plane have no twist");
  if (error != THUD_OK) return error;
  thud_bounds box = thud_bodies_pattern_bounds(made->made, &made->pattern, &made->pattern.def.pose.rotation);
  double low = planar ? box.low.y : box.low.z, high = planar ? box.high.y : box.high.z;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_bodies_generator_add(made, &made->pattern,
                                      thud_bodies_generator_place(made, 0, 0, -low + (double)k * (high - low + gap)),
                                      thud_quat_from_rotation_vector(thud_vec3_make(0, 0, twist * (double)k)));
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
    {"packing", thud_bodies_generate_packing, false, {"count", "low", "high", "scale", "turned"}},
    {"heap", generate_heap, false, {"count", "spacing"}},
    {"wall", thud_bodies_generate_wall, false, {"columns", "courses", "gap"}},
    {"arch", thud_bodies_generate_arch, true, {"count", "radius", "thickness", "depth", "angle", "springers"}},
    {"tower", generate_tower, false, {"count", "gap", "twist"}},
    {"chain",
     thud_bodies_generate_chain,
     false,
     {"count", "from", "to", "stiffness", "damping", "length", "fixed_ends"}},
    {"drum",
     thud_bodies_generate_drum,
     true,
     {"radius", "length", "thickness", "segments", "angle", "material", "grains"}},
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
    error = thud_node_fail(named, THUD_ERROR_SCHEMA, "'%s' is too long to be numbered", made->name);
  if (error == THUD_OK) error = thud_bodies_read_vector(made->made, made->node, "position", &made->position);
  if (error == THUD_OK) error = thud_bodies_read_not_negative(made->made, made->node, "jitter", &made->jitter);
  if (error == THUD_OK) error = thud_bodies_read_count(made->made, made->node, "seed", 0, 9007199254740992.0, &seed);
  made->random = thud_random_seed(seed);
  if (error != THUD_OK || row->own_shapes) return error;
  error = thud_node_require(made->node, "body", &body);
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
