/* One body of a scene, or the pattern that a generator or a table repeats. */
#include "verify/bodies/verify_bodies_read.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- values --------------------------------------------------------------------------------------------------------- */

thud_error thud_verify_given_number(verify_build *build, const thud_node *map, const char *key, double *value) {
  return thud_verify_read_optional(build->scene, map, key, value);
}

thud_error thud_verify_given_count(verify_build *build, const thud_node *map, const char *key, size_t *value) {
  const thud_node *node = thud_node_find(map, key);
  double number = 0;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_verify_read_constant(build->scene, node, &number);
  if (error == THUD_OK && !(number >= 0 && number <= 0x1p53 && number == floor(number)))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "a whole number is needed here, not %g", number);
  if (error == THUD_OK) *value = (size_t)number;
  return error;
}

thud_error thud_verify_given_flag(const thud_node *map, const char *key, bool *value) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? thud_node_read_bool(node, value) : THUD_OK;
}

thud_error thud_verify_given_numbers(verify_build *build, const thud_node *list, size_t count, double *values) {
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != count)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu numbers are needed here", count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = thud_verify_read_constant(build->scene, thud_node_item(list, k), &values[k]);
  return error;
}

thud_error thud_verify_given_vector(verify_build *build, const thud_node *map, const char *key, thud_vec3 *vector) {
  const thud_node *node = thud_node_find(map, key);
  double x[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_verify_given_numbers(build, node, build->dimension, x);
  if (error == THUD_OK) *vector = thud_vec3_load(x);
  return error;
}

thud_error thud_verify_given_axis(verify_build *build, const thud_node *map, const char *key, thud_vec3 *axis) {
  const thud_node *node = thud_node_find(map, key);
  double x[3] = {0, 0, 0};
  if (node == NULL) return THUD_OK;
  thud_error error = thud_verify_given_numbers(build, node, 3, x);
  if (error == THUD_OK && !thud_vec3_normalise(thud_vec3_load(x), axis))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "this axis has no direction");
  return error;
}

thud_error thud_verify_given_name(const thud_node *map, const char *key, const thud_names *names, const char *what,
                                  size_t *number) {
  const thud_node *node = thud_node_find(map, key);
  const char *name;
  *number = SIZE_MAX;
  if (node == NULL) return THUD_OK;
  thud_error error = thud_node_read_string(node, &name);
  if (error != THUD_OK) return error;
  *number = thud_names_find(names, name, strlen(name));
  return *number != THUD_NAMES_NONE ? THUD_OK
                                    : thud_node_fail(node, THUD_ERROR_SCHEMA, "there is no %s '%s'", what, name);
}

/* {axis, angle}, a quaternion, or in the plane an angle. */
static thud_error given_rotation(verify_build *build, const thud_node *map, thud_quat *q) {
  const thud_node *node = thud_node_find(map, "rotation"), *turn = node;
  double w[4] = {1, 0, 0, 0}, angle = 0;
  thud_vec3 axis = {0, 0, 1};
  thud_error error = THUD_OK;
  if (node == NULL) return THUD_OK;
  if (!build->bodies->planar && thud_node_get_kind(node) == THUD_NODE_SEQUENCE) {
    error = thud_verify_given_numbers(build, node, 4, w);
    *q = thud_quat_normalise(thud_quat_make(w[0], w[1], w[2], w[3]));
    return error;
  }
  if (!build->bodies->planar) {
    error = thud_node_expect(node, THUD_NODE_MAP);
    if (error == THUD_OK) error = thud_node_require(node, "angle", &turn);
    if (error == THUD_OK) error = thud_verify_given_axis(build, node, "axis", &axis);
  }
  if (error == THUD_OK) error = thud_verify_read_constant(build->scene, turn, &angle);
  *q = thud_quat_from_rotation_vector(thud_vec3_scale(angle, axis));
  return error;
}

/* ---- parts ---------------------------------------------------------------------------------------------------------- */

/* The material and density of parts that say nothing else; density < 0: that of the material. */
typedef struct part_stuff {
  size_t material;
  double density;
} part_stuff;

static thud_error given_stuff(verify_build *build, const thud_node *map, part_stuff *stuff) {
  size_t number;
  thud_error error = thud_verify_given_name(map, "material", &build->materials, "material", &number);
  if (error == THUD_OK && number != SIZE_MAX) stuff->material = number;
  return error == THUD_OK ? thud_verify_given_number(build, map, "density", &stuff->density) : error;
}

static thud_error read_part(verify_build *build, const thud_node *map, part_stuff stuff, verify_part *part,
                            double *density) {
  const thud_node *shape;
  thud_quat q = {1, 0, 0, 0};
  thud_error error = thud_node_require(map, "shape", &shape);
  if (error == THUD_OK) error = thud_verify_given_shape(build, shape, &part->shape);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "position", &part->place.x0);
  if (error == THUD_OK) error = given_rotation(build, map, &q);
  if (error == THUD_OK) error = given_stuff(build, map, &stuff);
  part->place.R = thud_quat_to_matrix(q);
  part->material = stuff.material;
  *density = stuff.density >= 0 ? stuff.density : build->densities[stuff.material];
  return error;
}

static thud_error read_parts(verify_build *build, const thud_node *map, verify_pattern *pattern) {
  const thud_node *parts = thud_node_find(map, "parts"), *shape = thud_node_find(map, "shape");
  part_stuff stuff = {build->bare, -1};
  thud_error error = given_stuff(build, map, &stuff);
  if (error == THUD_OK && parts != NULL) error = thud_node_expect(parts, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && parts == NULL && shape == NULL && build->assumed == SIZE_MAX)
    error = thud_node_fail(map, THUD_ERROR_SCHEMA, "this body has no shape");
  if (error == THUD_OK && parts != NULL && thud_node_count(parts) == 0)
    error = thud_node_fail(parts, THUD_ERROR_SCHEMA, "this body has no parts");
  if (error != THUD_OK) return error;
  pattern->part_count = parts != NULL ? thud_node_count(parts) : 1;
  pattern->parts = THUD_NEW_ARRAY(build->context, verify_part, pattern->part_count);
  pattern->density = THUD_NEW_ARRAY(build->context, double, pattern->part_count);
  if (pattern->parts == NULL || pattern->density == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; parts != NULL && k < pattern->part_count && error == THUD_OK; k++)
    error = read_part(build, thud_node_item(parts, k), stuff, &pattern->parts[k], &pattern->density[k]);
  if (parts != NULL) return error;
  pattern->parts[0] = (verify_part){.shape = build->assumed, .material = stuff.material};
  pattern->parts[0].place.R = thud_mat3_identity();
  pattern->density[0] = stuff.density >= 0 ? stuff.density : build->densities[stuff.material];
  return shape != NULL ? thud_verify_given_shape(build, shape, &pattern->parts[0].shape) : THUD_OK;
}

/* ---- patterns ------------------------------------------------------------------------------------------------------- */

static thud_error given_inertia(verify_build *build, const thud_node *node, thud_mat3 *inertia) {
  double m[9] = {0}, moments[3];
  thud_error error = THUD_OK;
  if (build->bodies->planar) {
    error = thud_verify_read_constant(build->scene, node, &m[8]);
  } else if (thud_node_count(node) > 0 && thud_node_get_kind(thud_node_item(node, 0)) == THUD_NODE_SEQUENCE) {
    for (size_t r = 0; r < 3 && error == THUD_OK; r++)
      error = thud_node_count(node) == 3 ? thud_verify_given_numbers(build, thud_node_item(node, r), 3, m + 3 * r)
                                         : thud_node_fail(node, THUD_ERROR_SCHEMA, "a matrix of 3 x 3 belongs here");
  } else {
    error = thud_verify_given_numbers(build, node, 3, moments);
    for (size_t k = 0; k < 3 && error == THUD_OK; k++) m[4 * k] = moments[k];
  }
  thud_mat3 given = thud_mat3_load(m); /* of which the symmetric part counts */
  *inertia = thud_mat3_scale(0.5, thud_mat3_add(given, thud_mat3_transpose(given)));
  return error;
}

static thud_error given_mass(verify_build *build, const thud_node *map, verify_rigid *body) {
  const thud_node *inertia = thud_node_find(map, "inertia");
  thud_error error = thud_verify_given_number(build, map, "mass", &body->mass);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "centre", &body->centre);
  return error == THUD_OK && inertia != NULL ? given_inertia(build, inertia, &body->inertia) : error;
}

static thud_error given_filters(verify_build *build, const thud_node *map, verify_rigid *body) {
  size_t group = 0, category = 1, mask = UINT32_MAX;
  thud_error error = thud_verify_given_count(build, map, "group", &group);
  if (error == THUD_OK) error = thud_verify_given_count(build, map, "category", &category);
  if (error == THUD_OK) error = thud_verify_given_count(build, map, "mask", &mask);
  body->group = thud_node_find(map, "group") != NULL ? (int64_t)group : -1;
  body->category = (uint32_t)category;
  body->mask = (uint32_t)mask;
  return error;
}

static thud_error given_role(verify_build *build, const thud_node *map, verify_rigid *body) {
  const thud_node *path = thud_node_find(map, "path");
  bool fixed = false;
  thud_error error = thud_verify_given_flag(map, "fixed", &fixed);
  if (error == THUD_OK) error = thud_verify_given_flag(map, "absent", &body->absent);
  body->role = fixed ? VERIFY_FIXED : path != NULL ? VERIFY_KINEMATIC : VERIFY_DYNAMIC;
  return error == THUD_OK && body->role == VERIFY_KINEMATIC ? thud_verify_read_path(build, path, &body->path) : error;
}

static thud_error given_motion(verify_build *build, const thud_node *map, verify_pattern *pattern) {
  const thud_node *spin = thud_node_find(map, "spin");
  double w[3] = {0, 0, 0};
  thud_error error = thud_verify_given_vector(build, map, "position", &pattern->position);
  if (error == THUD_OK) error = given_rotation(build, map, &pattern->rotation);
  if (error == THUD_OK) error = thud_verify_given_vector(build, map, "velocity", &pattern->velocity);
  if (error == THUD_OK && spin != NULL)
    error = build->bodies->planar ? thud_verify_read_constant(build->scene, spin, &w[2])
                                  : thud_verify_given_numbers(build, spin, 3, w);
  pattern->spin = thud_vec3_load(w);
  return error == THUD_OK ? thud_verify_given_number(build, map, "gravity_scale", &pattern->body.gravity_scale) : error;
}

thud_error thud_verify_pattern_read(verify_build *build, const thud_node *node, verify_pattern *pattern) {
  *pattern = (verify_pattern){.body = {.gravity_scale = 1, .q = {1, 0, 0, 0}}, .rotation = {1, 0, 0, 0}};
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = given_role(build, node, &pattern->body);
  if (error == THUD_OK) error = read_parts(build, node, pattern);
  if (error == THUD_OK) error = given_mass(build, node, &pattern->body);
  if (error == THUD_OK) error = given_motion(build, node, pattern);
  if (error == THUD_OK) error = given_filters(build, node, &pattern->body);
  return error == THUD_OK ? thud_verify_read_push(build, node, &pattern->body.push) : error;
}

void thud_verify_pattern_free(const verify_build *build, verify_pattern *pattern) {
  thud_free(build->context, pattern->parts);
  thud_free(build->context, pattern->density);
  pattern->parts = NULL;
  pattern->density = NULL;
  pattern->part_count = 0;
}

thud_error thud_verify_pattern_copy(const verify_build *build, const verify_pattern *pattern, verify_pattern *copy) {
  size_t n = pattern->part_count;
  *copy = *pattern;
  copy->parts = THUD_NEW_ARRAY(build->context, verify_part, n);
  copy->density = THUD_NEW_ARRAY(build->context, double, n);
  if (copy->parts == NULL || copy->density == NULL) {
    thud_verify_pattern_free(build, copy);
    return THUD_ERROR_MEMORY;
  }
  memcpy(copy->parts, pattern->parts, n * sizeof *copy->parts);
  memcpy(copy->density, pattern->density, n * sizeof *copy->density);
  return THUD_OK;
}

thud_error thud_verify_pattern_scale(verify_build *build, const verify_pattern *pattern, double scale,
                                     verify_pattern *scaled) {
  double volume = pow(scale, (double)build->dimension);
  thud_error error = thud_verify_pattern_copy(build, pattern, scaled);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < scaled->part_count && error == THUD_OK; k++) {
    verify_part *part = &scaled->parts[k];
    part->place.x0 = thud_vec3_scale(scale, part->place.x0);
    error = thud_verify_scale_shape(build, part->shape, scale, &part->shape);
  }
  scaled->body.mass *= volume;
  scaled->body.centre = thud_vec3_scale(scale, scaled->body.centre);
  scaled->body.inertia = thud_mat3_scale(volume * scale * scale, scaled->body.inertia);
  return error;
}

double thud_verify_pattern_radius(const verify_bodies *bodies, const verify_pattern *pattern) {
  double radius = 0;
  for (size_t k = 0; k < pattern->part_count; k++) {
    const verify_part *part = &pattern->parts[k];
    radius = fmax(radius, thud_vec3_norm(part->place.x0) + thud_verify_shape_size(&bodies->shape[part->shape]));
  }
  return radius;
}

verify_box thud_verify_pattern_box(const verify_bodies *bodies, const verify_pattern *pattern) {
  verify_box all = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
  thud_mat3 turn = thud_quat_to_matrix(pattern->rotation);
  for (size_t k = 0; k < pattern->part_count; k++) {
    const verify_place *inner = &pattern->parts[k].place;
    verify_place place = {thud_mat3_apply(turn, inner->x0), thud_mat3_multiply(turn, inner->R)};
    verify_box box = thud_verify_shape_box(&bodies->shape[pattern->parts[k].shape], &place);
    all.low = thud_vec3_make(fmin(all.low.x, box.low.x), fmin(all.low.y, box.low.y), fmin(all.low.z, box.low.z));
    all.high = thud_vec3_make(fmax(all.high.x, box.high.x), fmax(all.high.y, box.high.y), fmax(all.high.z, box.high.z));
  }
  return all;
}

/* ---- bodies --------------------------------------------------------------------------------------------------------- */

static bool has_hull(const verify_bodies *bodies, const verify_pattern *pattern) {
  bool hull = false;
  for (size_t k = 0; k < pattern->part_count; k++)
    hull = hull || bodies->shape[pattern->parts[k].shape].kind == VERIFY_SHAPE_HULL;
  return hull;
}

static thud_error keep_name(verify_build *build, const char *name, const char **kept) {
  size_t length = strlen(name), there = THUD_NAMES_NONE;
  char *copy = thud_arena_alloc(build->bodies->arena, length + 1, 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, name, length + 1);
  *kept = copy;
  thud_error error = thud_names_add(&build->names, copy, length, build->bodies->count, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_fail(build->context, THUD_ERROR_SCHEMA, "two bodies have the name '%s'", name);
  return error;
}

thud_error thud_verify_add_body(verify_build *build, const verify_pattern *pattern, const char *name, thud_vec3 place,
                                thud_quat turn, double size) {
  verify_bodies *bodies = build->bodies;
  size_t i = bodies->count, first = bodies->part_count, n = pattern->part_count;
  thud_error error =
      thud_array_reserve(build->context, &bodies->body, &build->body_capacity, i + 1, sizeof *bodies->body);
  if (error == THUD_OK)
    error = thud_array_reserve(build->context, &bodies->start, &build->start_capacity, i + 1, sizeof *bodies->start);
  if (error == THUD_OK)
    error = thud_array_reserve(build->context, &bodies->part, &build->part_capacity, first + n, sizeof *bodies->part);
  if (error != THUD_OK) return error;
  verify_rigid *body = &bodies->body[i];
  *body = pattern->body;
  error = keep_name(build, name, &body->name);
  if (error != THUD_OK) return error;
  body->first_part = first;
  body->part_count = n;
  for (size_t k = 0; k < n; k++) {
    bodies->part[first + k] = pattern->parts[k];
    bodies->part[first + k].body = i;
  }
  body->q = thud_quat_multiply(turn, pattern->rotation);
  body->x = thud_vec3_add(place, thud_quat_rotate(body->q, body->centre));
  bodies->start[i] = (verify_start){.state = {body->x, body->q, pattern->velocity, pattern->spin},
                                    .size = size + thud_vec3_norm(body->centre),
                                    .is_hull = has_hull(bodies, pattern)};
  bodies->part_count += n;
  bodies->count++;
  return THUD_OK;
}

thud_error thud_verify_add_spring(verify_build *build, verify_spring spring) {
  verify_bodies *bodies = build->bodies;
  thud_error error = thud_array_reserve(build->context, &bodies->spring, &build->spring_capacity,
                                        bodies->spring_count + 1, sizeof *bodies->spring);
  if (error != THUD_OK) return error;
  spring.at_a = thud_vec3_subtract(spring.at_a, bodies->body[spring.a].centre);
  if (spring.b != SIZE_MAX) spring.at_b = thud_vec3_subtract(spring.at_b, bodies->body[spring.b].centre);
  bodies->spring[bodies->spring_count++] = spring;
  return THUD_OK;
}

thud_error thud_verify_read_body(verify_build *build, const thud_node *node) {
  verify_pattern pattern;
  char numbered[32];
  const char *name = numbered;
  const thud_node *named = thud_node_get_kind(node) == THUD_NODE_MAP ? thud_node_find(node, "name") : NULL;
  snprintf(numbered, sizeof numbered, "body-%zu", build->bodies->count + 1);
  thud_error error = thud_verify_pattern_read(build, node, &pattern);
  if (error == THUD_OK) error = thud_verify_pattern_finish(build->bodies, node, &pattern);
  if (error == THUD_OK && named != NULL) error = thud_node_read_string(named, &name);
  if (error == THUD_OK)
    error = thud_verify_add_body(build, &pattern, name, pattern.position, thud_quat_identity(),
                                 thud_vec3_norm(pattern.position));
  thud_verify_pattern_free(build, &pattern);
  return error;
}
