/* Generators of bodies and tables of them, made again after docs/bodies.md. Random ones draw the same numbers in the same
 * order: places follow from the seed. */
#include "verify/bodies/verify_bodies_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_ROOM = 80 };

/* A generator at work. Up is the last axis. */
typedef struct generator {
  verify_build *build;
  const thud_node *node;
  const char *name;
  size_t number;      /* of the last body */
  verify_pattern raw; /* `body` as it is given */
  thud_vec3 position;
  double jitter;
  thud_random random;
} generator;

/* ---- what they share ------------------------------------------------------------------------------------------------- */

static bool is_planar(const generator *g) { return g->build->bodies->planar; }

/* x, depth (nothing in the plane) and height. */
static thud_vec3 place_of(const generator *g, double x, double depth, double height) {
  return is_planar(g) ? thud_vec3_make(x, height, 0) : thud_vec3_make(x, depth, height);
}

/* Turns up towards x. */
static thud_quat lean(const generator *g, double angle) {
  return thud_quat_from_rotation_vector(is_planar(g) ? thud_vec3_make(0, 0, -angle) : thud_vec3_make(0, angle, 0));
}

static thud_error require_number(generator *g, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(g->node, key, &node);
  return error == THUD_OK ? thud_verify_given_number(g->build, g->node, key, value) : error;
}

static thud_error require_count(generator *g, const thud_node *map, const char *key, size_t *count) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  if (error == THUD_OK) error = thud_verify_given_count(g->build, map, key, count);
  if (error == THUD_OK && (*count < 1 || *count > 10000000))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu bodies are not possible", *count);
  return error;
}

static thud_error add(generator *g, const verify_pattern *finished, thud_vec3 place, thud_quat turn) {
  double moves[3] = {0, 0, 0};
  char name[NAME_ROOM];
  for (size_t k = 0; k < g->build->dimension && g->jitter > 0; k++)
    moves[k] = thud_random_uniform(&g->random, -g->jitter, g->jitter);
  snprintf(name, sizeof name, "%s-%zu", g->name, ++g->number);
  return thud_verify_add_body(g->build, finished, name,
                              thud_vec3_add(thud_vec3_add(g->position, place), thud_vec3_load(moves)), turn,
                              thud_vec3_norm(g->position) + thud_vec3_norm(place));
}

/* A finished copy of a pattern, fixed or as it is. */
static thud_error finish(generator *g, const verify_pattern *raw, bool fixed, verify_pattern *finished) {
  thud_error error = thud_verify_pattern_copy(g->build, raw, finished);
  if (error != THUD_OK) return error;
  if (fixed) finished->body.role = VERIFY_FIXED;
  return thud_verify_pattern_finish(g->build->bodies, g->node, finished);
}

/* `body` for a shape that the generator has made; SIZE_MAX: it has one of its own. */
static thud_error read_body(generator *g, const thud_node *map, size_t shape) {
  const thud_node *body;
  thud_error error = thud_node_require(map, "body", &body);
  if (error != THUD_OK) return error;
  g->build->assumed = shape;
  error = thud_verify_pattern_read(g->build, body, &g->raw);
  g->build->assumed = SIZE_MAX;
  return error;
}

/* ---- rows: grid, heap, tower, chain ------------------------------------------------------------------------------------ */

static thud_error generate_grid(generator *g, const verify_pattern *body) {
  const thud_node *counts, *given;
  double n[3] = {1, 1, 1}, spacing[3] = {0, 0, 0};
  size_t d = g->build->dimension;
  thud_error error = thud_node_require(g->node, "counts", &counts);
  if (error == THUD_OK) error = thud_verify_given_numbers(g->build, counts, d, n);
  if (error == THUD_OK) error = thud_node_require(g->node, "spacing", &given);
  if (error != THUD_OK) return error;
  if (thud_node_get_kind(given) == THUD_NODE_SEQUENCE) {
    error = thud_verify_given_numbers(g->build, given, d, spacing);
  } else {
    error = thud_verify_read_constant(g->build->scene, given, &spacing[0]);
    spacing[1] = spacing[2] = spacing[0];
  }
  if (error == THUD_OK && !(fmin(n[0], fmin(n[1], n[2])) >= 1 && n[0] * n[1] * n[2] <= 1e7))
    error = thud_node_fail(counts, THUD_ERROR_SCHEMA, "so many bodies are not possible");
  for (double k = 0; k < n[2] && error == THUD_OK; k++)
    for (double j = 0; j < n[1] && error == THUD_OK; j++)
      for (double i = 0; i < n[0] && error == THUD_OK; i++)
        error = add(g, body, thud_vec3_make(i * spacing[0], j * spacing[1], k * spacing[2]), thud_quat_identity());
  return error;
}

/* Layers of m x m, (m-1) x (m-1), ... bodies; in the plane of m, m-1, ... */
static thud_error generate_heap(generator *g, const verify_pattern *body) {
  double radius = thud_verify_pattern_radius(g->build->bodies, &g->raw);
  size_t count = 0, done = 0, side = 0, room = 0;
  if (thud_node_find(g->node, "jitter") == NULL) g->jitter = 0.05 * radius;
  double spacing = 2.02 * radius + 2 * g->jitter, height = radius + g->jitter;
  thud_error error = require_count(g, g->node, "count", &count);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "spacing", &spacing);
  while (room < count) side++, room += is_planar(g) ? side : side * side;
  for (; done < count && error == THUD_OK; side--, height += spacing) {
    double first = -0.5 * spacing * (double)(side - 1);
    size_t layer = is_planar(g) ? side : side * side;
    for (size_t k = 0; k < layer && done < count && error == THUD_OK; k++, done++) {
      size_t column = k % side, row = k / side;
      thud_vec3 place = place_of(g, first + spacing * (double)column, first + spacing * (double)row, height);
      error = add(g, body, place, thud_quat_identity());
    }
  }
  return error;
}

static thud_error generate_tower(generator *g, const verify_pattern *body) {
  double gap = 0, twist = 0;
  size_t count = 0;
  thud_error error = require_count(g, g->node, "count", &count);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "gap", &gap);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "twist", &twist);
  verify_box box = thud_verify_pattern_box(g->build->bodies, &g->raw);
  double low = is_planar(g) ? box.low.y : box.low.z, high = is_planar(g) ? box.high.y : box.high.z;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = add(g, body, place_of(g, 0, 0, -low + (double)k * (high - low + gap)),
                thud_quat_from_rotation_vector(thud_vec3_make(0, 0, twist * (double)k)));
  return error;
}

/* Springs between the origins of neighbours. */
static thud_error generate_chain(generator *g, const verify_pattern *body) {
  verify_build *build = g->build;
  verify_pattern end = {0};
  thud_vec3 from = {0, 0, 0}, to = {0, 0, 0};
  size_t count = 0;
  bool fixed_ends = false;
  verify_spring link = {0};
  thud_error error = require_count(g, g->node, "count", &count);
  if (error == THUD_OK) error = thud_verify_given_vector(build, g->node, "from", &from);
  if (error == THUD_OK) error = thud_verify_given_vector(build, g->node, "to", &to);
  double gaps = count > 1 ? (double)(count - 1) : 1;
  link.length = thud_vec3_distance(from, to) / gaps;
  if (error == THUD_OK) error = require_number(g, "stiffness", &link.stiffness);
  if (error == THUD_OK) error = thud_verify_given_number(build, g->node, "damping", &link.damping);
  if (error == THUD_OK) error = thud_verify_given_number(build, g->node, "length", &link.length);
  if (error == THUD_OK) error = thud_verify_given_flag(g->node, "fixed_ends", &fixed_ends);
  if (error == THUD_OK) error = finish(g, &g->raw, fixed_ends, &end);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    thud_vec3 place = thud_vec3_add_scaled(from, (double)k / gaps, thud_vec3_subtract(to, from));
    error = add(g, k == 0 || k == count - 1 ? &end : body, place, thud_quat_identity());
    if (error != THUD_OK || k == 0) continue;
    link.a = build->bodies->count - 2;
    link.b = build->bodies->count - 1;
    error = thud_verify_add_spring(build, link);
  }
  thud_verify_pattern_free(build, &end);
  return error;
}

/* ---- masonry: wall, arch ------------------------------------------------------------------------------------------------- */

/* The brick with a part of its length, and of its mass where one is given. */
static thud_error cut_brick(generator *g, double length, verify_pattern *half) {
  verify_pattern cut;
  verify_shape shape = g->build->bodies->shape[g->raw.parts[0].shape];
  double part = length / (2 * shape.half.x);
  shape.half.x = 0.5 * length;
  thud_error error = thud_verify_pattern_copy(g->build, &g->raw, &cut);
  if (error != THUD_OK) return error;
  error = thud_verify_add_shape(g->build, &shape, &cut.parts[0].shape);
  cut.body.mass *= part;
  cut.body.inertia = thud_mat3_diagonal(0, 0, 0);
  if (error == THUD_OK) error = finish(g, &cut, false, half);
  thud_verify_pattern_free(g->build, &cut);
  return error;
}

/* Running bond: every other course begins and ends with half a brick. */
static thud_error generate_wall(generator *g, const verify_pattern *body) {
  size_t columns = 0, courses = 0;
  double gap = 0;
  verify_pattern half = {0};
  const verify_shape *brick = &g->build->bodies->shape[g->raw.parts[0].shape];
  thud_error error = require_count(g, g->node, "columns", &columns);
  if (error == THUD_OK) error = require_count(g, g->node, "courses", &courses);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "gap", &gap);
  if (error == THUD_OK && !thud_verify_form_of(brick)->box)
    error = thud_node_fail(g->node, THUD_ERROR_SCHEMA, "a wall is built of boxes");
  double length = 2 * brick->half.x, height = 2 * (is_planar(g) ? brick->half.y : brick->half.z);
  if (error == THUD_OK) error = cut_brick(g, 0.5 * (length - gap), &half);
  for (size_t k = 0; k < courses && error == THUD_OK; k++) {
    size_t shifted = k % 2;
    double x = -0.5 * ((double)columns * length + (double)(columns - 1) * gap);
    for (size_t i = 0; i < columns + shifted && error == THUD_OK; i++) {
      bool cut = shifted && (i == 0 || i == columns);
      double own = cut ? 0.5 * (length - gap) : length;
      error = add(g, cut ? &half : body, place_of(g, x + 0.5 * own, 0, 0.5 * height + (double)k * (height + gap)),
                  thud_quat_identity());
      x += own + gap;
    }
  }
  thud_verify_pattern_free(g->build, &half);
  return error;
}

typedef struct arch {
  size_t count;
  double radius, thickness, depth, angle;
  int springers; /* 0: supports, 1: fixed, 2: none */
} arch;

static thud_error read_arch(generator *g, arch *size) {
  static const char *const choices[] = {"supports", "fixed", "none", NULL};
  const thud_node *springers = thud_node_find(g->node, "springers");
  *size = (arch){.angle = VERIFY_PI};
  thud_error error = require_count(g, g->node, "count", &size->count);
  if (error == THUD_OK) error = require_number(g, "radius", &size->radius);
  if (error == THUD_OK) error = require_number(g, "thickness", &size->thickness);
  size->depth = size->thickness;
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "depth", &size->depth);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "angle", &size->angle);
  return error == THUD_OK && springers != NULL ? thud_node_read_choice(springers, choices, &size->springers) : error;
}

/* A voussoir at the crown, relative to the middle line: between two radii and two planes through the axis. */
static thud_error add_voussoir(generator *g, const arch *size, size_t *number) {
  double half = 0.5 * size->angle / (double)size->count;
  verify_shape shape = {.kind = is_planar(g) ? VERIFY_SHAPE_POLYGON : VERIFY_SHAPE_HULL};
  shape.points = THUD_NEW_ARRAY(g->build->context, thud_vec3, 8);
  if (shape.points == NULL) return THUD_ERROR_MEMORY;
  for (int k = 0; k < 4; k++) { /* counter-clockwise from the inner left corner */
    double radius = size->radius + (k < 2 ? -0.5 : 0.5) * size->thickness, side = k == 0 || k == 3 ? -1 : 1;
    double x = side * radius * sin(half), height = radius * cos(half) - size->radius;
    shape.points[shape.point_count++] = place_of(g, x, -0.5 * size->depth, height);
    if (!is_planar(g)) shape.points[shape.point_count++] = place_of(g, x, 0.5 * size->depth, height);
  }
  thud_error error = is_planar(g) ? THUD_OK : thud_verify_find_hull(g->build->context, &shape);
  if (error == THUD_OK) return thud_verify_add_shape(g->build, &shape, number);
  thud_verify_free_shape(g->build->context, &shape);
  return error;
}

/* A fixed block behind the first or the last voussoir. */
static thud_error add_support(generator *g, const arch *size, double side) {
  double t = size->thickness, angle = side * 0.5 * size->angle, beyond = side * 0.5 * t;
  verify_part part = g->raw.parts[0];
  verify_shape shape = {.kind = is_planar(g) ? VERIFY_SHAPE_RECTANGLE : VERIFY_SHAPE_BOX};
  verify_pattern block = {.part_count = 1, .parts = &part, .rotation = {1, 0, 0, 0}};
  char name[NAME_ROOM];
  shape.half = is_planar(g) ? thud_vec3_make(0.5 * t, t, 0) : thud_vec3_make(0.5 * t, 0.6 * size->depth, t);
  block.body = (verify_rigid){.role = VERIFY_FIXED, .gravity_scale = 1, .group = -1, .category = 1, .mask = UINT32_MAX};
  thud_error error = thud_verify_add_shape(g->build, &shape, &part.shape);
  thud_vec3 place =
      place_of(g, size->radius * sin(angle) + beyond * cos(angle), 0, size->radius * cos(angle) - beyond * sin(angle));
  snprintf(name, sizeof name, "%s-support-%d", g->name, side < 0 ? 1 : 2);
  return error == THUD_OK ? thud_verify_add_body(g->build, &block, name, thud_vec3_add(g->position, place),
                                                 lean(g, angle), thud_vec3_norm(g->position) + thud_vec3_norm(place))
                          : error;
}

static thud_error generate_arch(generator *g, const verify_pattern *none) {
  arch size;
  size_t shape = SIZE_MAX;
  verify_pattern stone = {0}, end = {0};
  (void)none;
  thud_error error = read_arch(g, &size);
  if (error == THUD_OK) error = add_voussoir(g, &size, &shape);
  if (error == THUD_OK) error = read_body(g, g->node, shape);
  if (error == THUD_OK) error = finish(g, &g->raw, false, &stone);
  if (error == THUD_OK) error = finish(g, &g->raw, size.springers == 1, &end);
  for (size_t k = 0; k < size.count && error == THUD_OK; k++) {
    double angle = size.angle * (((double)k + 0.5) / (double)size.count - 0.5);
    error = add(g, k == 0 || k == size.count - 1 ? &end : &stone,
                place_of(g, size.radius * sin(angle), 0, size.radius * cos(angle)), lean(g, angle));
  }
  if (error == THUD_OK && size.springers == 0) error = add_support(g, &size, -1);
  if (error == THUD_OK && size.springers == 0) error = add_support(g, &size, 1);
  thud_verify_pattern_free(g->build, &stone);
  thud_verify_pattern_free(g->build, &end);
  return error;
}

/* ---- random: packing, drum ------------------------------------------------------------------------------------------------ */

typedef struct packing {
  size_t count, cells[3], total;
  double low[3], high[3], edge, scale[2];
  bool turned;
} packing;

static double count_cells(const generator *g, packing *box) {
  double total = 1;
  for (size_t k = 0; k < 3; k++) {
    double along = k < g->build->dimension ? floor((box->high[k] - box->low[k]) / box->edge * (1 + 1e-12)) : 1;
    box->cells[k] = (size_t)fmin(along, 1e7);
    total *= along;
  }
  return total;
}

/* The largest edge with at least `count` cells: it is a side of the box divided by a whole number. */
static thud_error choose_cells(const generator *g, packing *box) {
  size_t d = g->build->dimension;
  double volume = 1, least = INFINITY;
  for (size_t k = 0; k < d; k++) {
    volume *= box->high[k] - box->low[k];
    least = fmin(least, box->high[k] - box->low[k]);
  }
  if (!(least > 0)) return thud_node_fail(g->node, THUD_ERROR_SCHEMA, "the box of the packing is empty");
  box->edge = fmin(pow(volume / (double)box->count, 1.0 / (double)d) * (1 + 1e-12), least);
  while (count_cells(g, box) < (double)box->count) {
    double next = 0;
    for (size_t k = 0; k < d; k++) next = fmax(next, (box->high[k] - box->low[k]) / (double)(box->cells[k] + 1));
    box->edge = next;
  }
  box->total = box->cells[0] * box->cells[1] * box->cells[2];
  return box->total <= 100000000 ? THUD_OK
                                 : thud_node_fail(g->node, THUD_ERROR_SCHEMA, "so many cells are not possible");
}

/* Uniform among rotations: four normal numbers, scaled to norm 1. */
static thud_quat random_turn(generator *g) {
  double q[4];
  if (is_planar(g))
    return thud_quat_from_rotation_vector(thud_vec3_make(0, 0, thud_random_uniform(&g->random, 0, 2 * VERIFY_PI)));
  for (int k = 0; k < 4; k++) q[k] = thud_random_normal(&g->random);
  return thud_quat_normalise(thud_quat_make(q[0], q[1], q[2], q[3]));
}

/* A body in a cell, moved as far as the ball around it leaves room. */
static thud_error add_in_cell(generator *g, const packing *box, const verify_pattern *finished, double radius,
                              size_t cell) {
  const size_t at[3] = {cell % box->cells[0], cell / box->cells[0] % box->cells[1],
                        cell / box->cells[0] / box->cells[1]};
  double free = fmax(0, 0.5 * box->edge - radius), x[3] = {0, 0, 0};
  for (size_t k = 0; k < g->build->dimension; k++) {
    double slack = (box->high[k] - box->low[k]) - box->edge * (double)box->cells[k];
    x[k] = box->low[k] + 0.5 * slack + box->edge * ((double)at[k] + 0.5) + thud_random_uniform(&g->random, -free, free);
  }
  thud_quat turn = box->turned ? random_turn(g) : thud_quat_identity();
  return add(g, finished, thud_vec3_load(x), turn);
}

static thud_error add_sized(generator *g, const packing *box, const verify_pattern *body, size_t cell) {
  verify_pattern sized;
  if (box->scale[0] == 1 && box->scale[1] == 1)
    return add_in_cell(g, box, body, thud_verify_pattern_radius(g->build->bodies, &g->raw), cell);
  double scale = thud_random_uniform(&g->random, box->scale[0], box->scale[1]);
  thud_error error = thud_verify_pattern_scale(g->build, &g->raw, scale, &sized);
  double radius = error == THUD_OK ? thud_verify_pattern_radius(g->build->bodies, &sized) : 0;
  if (error == THUD_OK) error = thud_verify_pattern_finish(g->build->bodies, g->node, &sized);
  if (error == THUD_OK) error = add_in_cell(g, box, &sized, radius, cell);
  thud_verify_pattern_free(g->build, &sized);
  return error;
}

/* Bodies in the first cells of a random order, which is made as far as it is needed. */
static thud_error fill(generator *g, packing *box, const verify_pattern *body) {
  thud_error error = choose_cells(g, box);
  uint32_t *order = error == THUD_OK ? THUD_NEW_ARRAY(g->build->context, uint32_t, box->total) : NULL;
  if (error == THUD_OK && order == NULL) error = THUD_ERROR_MEMORY;
  for (size_t k = 0; error == THUD_OK && k < box->total; k++) order[k] = (uint32_t)k;
  for (size_t k = 0; k < box->count && error == THUD_OK; k++) {
    size_t other = k + thud_random_below(&g->random, (uint32_t)(box->total - k));
    uint32_t chosen = order[other];
    order[other] = order[k];
    error = add_sized(g, box, body, chosen);
  }
  thud_free(g->build->context, order);
  return error;
}

static thud_error read_sizes(generator *g, const thud_node *map, packing *box) {
  const thud_node *scale = thud_node_find(map, "scale");
  box->scale[0] = box->scale[1] = 1;
  thud_error error = require_count(g, map, "count", &box->count);
  if (error == THUD_OK && scale != NULL) error = thud_verify_given_numbers(g->build, scale, 2, box->scale);
  return error == THUD_OK ? thud_verify_given_flag(map, "turned", &box->turned) : error;
}

static thud_error generate_packing(generator *g, const verify_pattern *body) {
  packing box = {0};
  const thud_node *low, *high;
  size_t d = g->build->dimension;
  thud_error error = read_sizes(g, g->node, &box);
  if (error == THUD_OK) error = thud_node_require(g->node, "low", &low);
  if (error == THUD_OK) error = thud_node_require(g->node, "high", &high);
  if (error == THUD_OK) error = thud_verify_given_numbers(g->build, low, d, box.low);
  if (error == THUD_OK) error = thud_verify_given_numbers(g->build, high, d, box.high);
  return error == THUD_OK ? fill(g, &box, body) : error;
}

typedef struct drum {
  double radius, length, thickness;
  size_t segments;
} drum;

static thud_error read_drum(generator *g, drum *size) {
  *size = (drum){.length = 1, .segments = 24};
  thud_error error = require_number(g, "radius", &size->radius);
  size->thickness = 0.1 * size->radius;
  if (error == THUD_OK && !is_planar(g)) error = require_number(g, "length", &size->length);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "thickness", &size->thickness);
  if (error == THUD_OK) error = thud_verify_given_count(g->build, g->node, "segments", &size->segments);
  if (error == THUD_OK && (size->segments < 6 || size->segments > 1000))
    error = thud_node_fail(g->node, THUD_ERROR_SCHEMA, "a drum has from 6 to 1000 segments");
  return error;
}

/* Boxes around the drum, whose edges meet outside, and plates at its ends; parts[segments + 2] */
static thud_error make_parts(generator *g, const drum *size, size_t material, verify_part *parts) {
  double t = size->thickness, n = (double)size->segments, middle = size->radius + 0.5 * t;
  double half = (size->radius + t) * tan(VERIFY_PI / n);
  size_t side = SIZE_MAX, plate = SIZE_MAX;
  verify_shape box = {.kind = is_planar(g) ? VERIFY_SHAPE_RECTANGLE : VERIFY_SHAPE_BOX};
  verify_shape end = {.kind = VERIFY_SHAPE_CYLINDER, .radius = size->radius + t, .half_length = 0.5 * t};
  box.half = is_planar(g) ? thud_vec3_make(half, 0.5 * t, 0) : thud_vec3_make(half, 0.5 * size->length, 0.5 * t);
  thud_error error = thud_verify_add_shape(g->build, &box, &side);
  if (error == THUD_OK && !is_planar(g)) error = thud_verify_add_shape(g->build, &end, &plate);
  for (size_t k = 0; k < size->segments; k++) {
    double turn = 2 * VERIFY_PI * (double)k / n;
    parts[k] = (verify_part){.shape = side, .material = material};
    parts[k].place.x0 = place_of(g, middle * sin(turn), 0, middle * cos(turn));
    parts[k].place.R = thud_quat_to_matrix(lean(g, turn));
  }
  for (size_t k = 0; k < 2; k++) { /* a cylinder's axis is z, the drum's is y */
    verify_part *part = &parts[size->segments + k];
    *part = (verify_part){.shape = plate, .material = material};
    part->place.x0 = thud_vec3_make(0, (k == 0 ? -0.5 : 0.5) * (size->length + t), 0);
    part->place.R = thud_quat_to_matrix(thud_quat_from_rotation_vector(thud_vec3_make(-0.5 * VERIFY_PI, 0, 0)));
  }
  return error;
}

static thud_error add_drum(generator *g, const drum *size) {
  size_t material;
  const thud_node *angle;
  const thud_vec3 axis = is_planar(g) ? thud_vec3_make(0, 0, 1) : thud_vec3_make(0, 1, 0);
  verify_pattern wall = {.rotation = {1, 0, 0, 0}, .part_count = size->segments + (is_planar(g) ? 0 : 2)};
  wall.body = (verify_rigid){
      .role = VERIFY_KINEMATIC, .gravity_scale = 1, .group = -1, .category = 1, .mask = UINT32_MAX, .q = {1, 0, 0, 0}};
  thud_error error = thud_node_require(g->node, "angle", &angle);
  if (error == THUD_OK)
    error = thud_verify_given_name(g->node, "material", &g->build->materials, "material", &material);
  if (error != THUD_OK) return error;
  wall.parts = THUD_NEW_ARRAY(g->build->context, verify_part, size->segments + 2);
  if (wall.parts == NULL) return THUD_ERROR_MEMORY;
  error = make_parts(g, size, material != SIZE_MAX ? material : g->build->bare, wall.parts);
  if (error == THUD_OK) error = thud_verify_make_turn(g->build, angle, axis, g->position, &wall.body.path);
  if (error == THUD_OK)
    error =
        thud_verify_add_body(g->build, &wall, g->name, g->position, thud_quat_identity(), thud_vec3_norm(g->position));
  thud_verify_pattern_free(g->build, &wall);
  return error;
}

/* Grains fill the square prism within the drum. */
static thud_error generate_drum(generator *g, const verify_pattern *none) {
  drum size;
  packing box = {0};
  verify_pattern grain = {0};
  const thud_node *grains = thud_node_find(g->node, "grains"), *named;
  (void)none;
  thud_error error = read_drum(g, &size);
  if (error == THUD_OK) error = add_drum(g, &size);
  if (error != THUD_OK || grains == NULL) return error;
  thud_vec3 corner = place_of(g, size.radius * sqrt(0.5), 0.5 * size.length, size.radius * sqrt(0.5));
  thud_vec3_store(corner, box.high);
  thud_vec3_store(thud_vec3_negate(corner), box.low);
  g->name = "grain";
  error = thud_node_expect(grains, THUD_NODE_MAP);
  if (error == THUD_OK && (named = thud_node_find(grains, "name")) != NULL)
    error = thud_node_read_string(named, &g->name);
  if (error == THUD_OK) error = read_sizes(g, grains, &box);
  if (error == THUD_OK) error = read_body(g, grains, SIZE_MAX);
  if (error == THUD_OK) error = finish(g, &g->raw, false, &grain);
  if (error == THUD_OK) error = fill(g, &box, &grain);
  thud_verify_pattern_free(g->build, &grain);
  return error;
}

/* ---- the table ------------------------------------------------------------------------------------------------------------- */

static const struct generator_row {
  const char *name;
  thud_error (*generate)(generator *g, const verify_pattern *body);
  bool own; /* reads `body` itself */
} rows[] = {{"grid", generate_grid, false},   {"packing", generate_packing, false}, {"heap", generate_heap, false},
            {"wall", generate_wall, false},   {"arch", generate_arch, true},        {"tower", generate_tower, false},
            {"chain", generate_chain, false}, {"drum", generate_drum, true}};

static thud_error generate(generator *g, const struct generator_row *row) {
  const thud_node *named = thud_node_find(g->node, "name");
  verify_pattern body = {0};
  size_t seed = 1;
  thud_error error = named != NULL ? thud_node_read_string(named, &g->name) : THUD_OK;
  if (error == THUD_OK) error = thud_verify_given_vector(g->build, g->node, "position", &g->position);
  if (error == THUD_OK) error = thud_verify_given_number(g->build, g->node, "jitter", &g->jitter);
  if (error == THUD_OK) error = thud_verify_given_count(g->build, g->node, "seed", &seed);
  g->random = thud_random_seed(seed);
  if (error == THUD_OK && !row->own) error = read_body(g, g->node, SIZE_MAX);
  if (error == THUD_OK && !row->own) error = finish(g, &g->raw, false, &body);
  if (error == THUD_OK) error = row->generate(g, &body);
  thud_verify_pattern_free(g->build, &body);
  thud_verify_pattern_free(g->build, &g->raw);
  return error;
}

thud_error thud_verify_generate(verify_build *build, const thud_node *node) {
  const char *name;
  const thud_node *kind = thud_node_find(node, "generate");
  thud_error error = thud_node_read_string(kind, &name);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
    if (strcmp(rows[k].name, name) != 0) continue;
    generator g = {.build = build, .node = node, .name = name};
    return generate(&g, &rows[k]);
  }
  return thud_node_fail(kind, THUD_ERROR_SCHEMA, "there is no generator '%s'", name);
}

/* ---- tables ---------------------------------------------------------------------------------------------------------------- */

enum { X, Y, Z, QW, QX, QY, QZ, ANGLE, VX, VY, VZ, WX, WY, WZ, W, RADIUS, SCALE, NAME, COLUMNS };

typedef struct table {
  verify_build *build;
  const thud_node *node;
  const char *at;
  size_t fields, order[COLUMNS]; /* columns of the fields */
  bool has[COLUMNS];
  double value[COLUMNS];
  char name[NAME_ROOM];
} table;

/* The next line that is neither empty nor a comment, and how many bytes of it count. */
static bool next_line(table *t, const char **line, size_t *length) {
  while (*t->at != '\0') {
    size_t size = strcspn(t->at, "\n");
    *line = t->at;
    t->at += size + (t->at[size] == '\n');
    while (size > 0 && strchr(" \t\r", (*line)[size - 1]) != NULL) size--;
    *length = size;
    if (size > 0 && (*line)[0] != '#') return true;
  }
  return false;
}

/* Field k of a line, between commas, without blanks and quotation marks; false: there is none. */
static bool find_field(const char *line, size_t length, size_t k, char word[NAME_ROOM]) {
  const char *end = line + length, *from = line, *stop;
  for (; k > 0; k--) {
    from = memchr(from, ',', (size_t)(end - from));
    if (from == NULL) return false;
    from++;
  }
  stop = memchr(from, ',', (size_t)(end - from));
  if (stop == NULL) stop = end;
  while (from < stop && strchr(" \t\"", *from) != NULL) from++;
  while (from < stop && strchr(" \t\"", stop[-1]) != NULL) stop--;
  snprintf(word, NAME_ROOM, "%.*s", (int)(stop - from), from);
  return true;
}

static thud_error read_head(table *t) {
  static const char *const names[COLUMNS] = {"x",  "y",  "z",  "qw", "qx", "qy", "qz",     "angle", "vx",
                                             "vy", "vz", "wx", "wy", "wz", "w",  "radius", "scale", "name"};
  const char *line;
  size_t length;
  char word[NAME_ROOM];
  if (!next_line(t, &line, &length)) return thud_node_fail(t->node, THUD_ERROR_SCHEMA, "this table is empty");
  for (; t->fields < COLUMNS && find_field(line, length, t->fields, word); t->fields++) {
    size_t column = 0;
    while (column < COLUMNS && strcmp(names[column], word) != 0) column++;
    if (column == COLUMNS) return thud_node_fail(t->node, THUD_ERROR_SCHEMA, "there is no column '%s'", word);
    t->has[column] = true;
    t->order[t->fields] = column;
  }
  return THUD_OK;
}

static thud_error read_line(table *t, const char *line, size_t length) {
  char word[NAME_ROOM] = "";
  for (size_t k = 0; k < t->fields; k++) {
    bool there = find_field(line, length, k, word);
    if (there && t->order[k] == NAME)
      snprintf(t->name, sizeof t->name, "%s", word);
    else if (!there || !thud_parse_double(word, &t->value[t->order[k]]))
      return thud_node_fail(t->node, THUD_ERROR_SCHEMA, "a number is needed in this table, not '%s'", word);
  }
  return THUD_OK;
}

static thud_error add_line(table *t, const verify_pattern *raw, const char *name, size_t *number) {
  const double *v = t->value;
  verify_build *build = t->build;
  const verify_shape *shape = &build->bodies->shape[raw->parts[0].shape];
  double scale = t->has[RADIUS] ? v[RADIUS] / shape->radius : t->has[SCALE] ? v[SCALE] : 1;
  char numbered[NAME_ROOM];
  thud_quat turn = {1, 0, 0, 0};
  verify_pattern sized;
  thud_error error = thud_verify_pattern_scale(build, raw, scale, &sized);
  if (error == THUD_OK) error = thud_verify_pattern_finish(build->bodies, t->node, &sized);
  if (t->has[VX] || t->has[VY] || t->has[VZ]) sized.velocity = thud_vec3_make(v[VX], v[VY], v[VZ]);
  if (t->has[WX] || t->has[WY] || t->has[WZ]) sized.spin = thud_vec3_make(v[WX], v[WY], v[WZ]);
  if (t->has[W]) sized.spin = thud_vec3_make(0, 0, v[W]);
  if (t->has[QW]) turn = thud_quat_normalise(thud_quat_make(v[QW], v[QX], v[QY], v[QZ]));
  if (t->has[ANGLE]) turn = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, v[ANGLE]));
  thud_vec3 place = thud_vec3_make(v[X], v[Y], v[Z]);
  if (!t->has[NAME]) snprintf(numbered, sizeof numbered, "%s-%zu", name, ++*number);
  if (error == THUD_OK)
    error = thud_verify_add_body(build, &sized, t->has[NAME] ? t->name : numbered, place, turn, thud_vec3_norm(place));
  thud_verify_pattern_free(build, &sized);
  return error;
}

/* Without a shape the bodies of a table with radii are balls, or discs. */
static thud_error assume_shape(table *t, const thud_node *body) {
  verify_shape shape = {.kind = t->build->bodies->planar ? VERIFY_SHAPE_DISC : VERIFY_SHAPE_SPHERE, .radius = 1};
  bool given = thud_node_get_kind(body) != THUD_NODE_MAP || thud_node_find(body, "shape") != NULL ||
               thud_node_find(body, "parts") != NULL;
  return given || !t->has[RADIUS] ? THUD_OK : thud_verify_add_shape(t->build, &shape, &t->build->assumed);
}

thud_error thud_verify_read_table(verify_build *build, const thud_node *node) {
  const thud_node *text, *body, *named = thud_node_find(node, "name");
  const char *name = "body", *line;
  size_t number = 0, length;
  verify_pattern raw = {0};
  table t = {.build = build, .node = node};
  thud_error error = thud_node_require(node, "table", &text);
  if (error == THUD_OK) error = thud_node_read_string(text, &t.at);
  if (error == THUD_OK) error = thud_node_require(node, "body", &body);
  if (error == THUD_OK && named != NULL) error = thud_node_read_string(named, &name);
  if (error == THUD_OK) error = read_head(&t);
  if (error == THUD_OK) error = assume_shape(&t, body);
  if (error == THUD_OK) error = thud_verify_pattern_read(build, body, &raw);
  build->assumed = SIZE_MAX;
  while (error == THUD_OK && next_line(&t, &line, &length)) {
    error = read_line(&t, line, length);
    if (error == THUD_OK) error = add_line(&t, &raw, name, &number);
  }
  thud_verify_pattern_free(build, &raw);
  return error;
}
