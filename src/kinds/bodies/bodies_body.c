/* One body of a `bodies` scene, or the pattern that a generator or a file repeats. */
#include "kinds/bodies/bodies_scene.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- materials and parts ------------------------------------------------------------------------------------------- */

/* Parts without a material touch without friction and restitution of their own. */
static thud_error bare_material(bodies_scene *made, thud_index *material) {
  static const char bare[] = "(none)";
  thud_error error = THUD_OK;
  if (made->bare < 0) {
    const thud_surface_law law = thud_surface_law_default();
    error = thud_array_reserve(made->context, &made->densities, &made->density_capacity, made->material_count + 1,
                               sizeof *made->densities);
    if (error == THUD_OK) error = thud_bodies_add_material(made->bodies, bare, &law, &made->bare);
    if (error == THUD_OK) made->densities[made->material_count++] = 0;
  }
  *material = made->bare;
  return error;
}

/* What parts have unless they say otherwise. */
typedef struct part_defaults {
  thud_index material; /* -1: none was given */
  double density;      /* negative: that of the material */
} part_defaults;

static thud_error read_stuff(bodies_scene *made, const thud_node *node, part_defaults *stuff) {
  const thud_node *material = thud_node_find(node, "material");
  size_t number = 0;
  thud_error error = THUD_OK;
  if (material != NULL) {
    error = thud_bodies_find_name(made, material, &made->materials, "material", &number);
    stuff->material = (thud_index)number;
  }
  return error == THUD_OK ? thud_bodies_read_not_negative(made, node, "density", &stuff->density) : error;
}

static thud_error finish_part(bodies_scene *made, const part_defaults *stuff, thud_part_def *part) {
  thud_error error = THUD_OK;
  part->material = stuff->material;
  if (part->material < 0) error = bare_material(made, &part->material);
  if (error != THUD_OK) return error;
  part->density = stuff->density >= 0 ? stuff->density : made->densities[part->material];
  if (part->density > 0) {
    made->largest_density = fmax(made->largest_density, part->density);
    made->least_density = made->least_density > 0 ? fmin(made->least_density, part->density) : part->density;
  }
  return THUD_OK;
}

static thud_error read_part(bodies_scene *made, const thud_node *node, part_defaults stuff, thud_part_def *part) {
  static const char *const keys[] = {"shape", "position", "rotation", "material", "density"};
  const thud_node *shape;
  *part = thud_part_def_default();
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK)
    error = thud_node_require_as(node, "shape", "such as {box: [1, 2, 3]} or {sphere: 0.1}", &shape);
  if (error == THUD_OK) error = thud_bodies_read_shape(made, shape, &part->shape);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "position", &part->pose.position);
  if (error == THUD_OK) error = thud_bodies_read_rotation(made, node, "rotation", &part->pose.rotation);
  if (error == THUD_OK) error = read_stuff(made, node, &stuff);
  return error == THUD_OK ? finish_part(made, &stuff, part) : error;
}

static thud_error read_parts(bodies_scene *made, const thud_node *node, bodies_pattern *pattern) {
  const thud_node *shape = thud_node_find(node, "shape"), *parts = thud_node_find(node, "parts");
  part_defaults stuff = {.material = -1, .density = -1};
  bool assumed = shape == NULL && parts == NULL && made->assumed >= 0;
  if ((shape == NULL) == (parts == NULL) && !assumed)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          shape != NULL ? "[contradictory-keys] a body has either a 'shape' or 'parts'"
                                        : "[missing-key] the key 'shape' is missing; add 'shape: ...', such as "
                                          "{sphere: 0.1} or {box: [1, 2, 3]} (or 'parts', a list of shapes)");
  thud_error error = read_stuff(made, node, &stuff);
  if (error == THUD_OK && parts != NULL) error = thud_node_expect(parts, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t count = parts != NULL ? thud_node_count(parts) : 1;
  if (count == 0) return thud_node_fail(parts, THUD_ERROR_SCHEMA, "[bad-body] a body needs at least one part");
  pattern->parts = THUD_NEW_ARRAY(made->context, thud_part_def, count);
  if (pattern->parts == NULL) return THUD_ERROR_MEMORY;
  pattern->part_count = count;
  if (parts == NULL) {
    pattern->parts[0] = thud_part_def_default();
    pattern->parts[0].shape = made->assumed;
    if (!assumed) error = thud_bodies_read_shape(made, shape, &pattern->parts[0].shape);
    return error == THUD_OK ? finish_part(made, &stuff, &pattern->parts[0]) : error;
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_part(made, thud_node_item(parts, k), stuff, &pattern->parts[k]);
  return error;
}

/* ---- mass ------------------------------------------------------------------------------------------------------------ */

static thud_error read_inertia(bodies_scene *made, const thud_node *node, thud_mat3 *inertia) {
  double m[9] = {0};
  thud_error error = THUD_OK;
  if (made->planar) {
    error = thud_scene_read_constant(made->scene, node, &m[8]);
    *inertia = thud_mat3_diagonal(0, 0, m[8]);
    if (error == THUD_OK && !(m[8] > 0))
      error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[out-of-range] 'inertia' must be greater than 0, not %g", m[8]);
    return error;
  }
  error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(node) > 0 && thud_node_get_kind(thud_node_item(node, 0)) == THUD_NODE_SEQUENCE) {
    if (thud_node_count(node) != 3)
      return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-body] an inertia is three moments or a matrix of 3 x 3");
    for (size_t r = 0; r < 3 && error == THUD_OK; r++)
      error = thud_bodies_read_numbers(made, thud_node_item(node, r), 3, m + 3 * r);
  } else {
    double moments[3] = {0};
    error = thud_bodies_read_numbers(made, node, 3, moments);
    for (size_t k = 0; k < 3; k++) m[4 * k] = moments[k];
  }
  if (error != THUD_OK) return error;
  *inertia = thud_mat3_columns(thud_vec3_make(m[0], m[3], m[6]), thud_vec3_make(m[1], m[4], m[7]),
                               thud_vec3_make(m[2], m[5], m[8]));
  const char *wrong = thud_inertia_check(*inertia);
  return wrong == NULL ? THUD_OK
                       : thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-inertia] this is no inertia: %s", wrong);
}

static thud_error read_mass(bodies_scene *made, const thud_node *node, bodies_pattern *pattern) {
  static const char *const with_mass[] = {"inertia", "centre"};
  const thud_node *mass = thud_node_find(node, "mass"), *inertia = thud_node_find(node, "inertia");
  thud_body_def *def = &pattern->def;
  double heaviest = 0;
  for (size_t k = 0; k < 2 && mass == NULL; k++)
    if (thud_node_find(node, with_mass[k]) != NULL)
      return thud_node_fail(thud_node_find(node, with_mass[k]), THUD_ERROR_SCHEMA,
                            "[contradictory-keys] '%s' goes with a given 'mass'", with_mass[k]);
  thud_error error = thud_bodies_read_positive(made, node, "mass", &def->mass);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "centre", &def->centre);
  if (error == THUD_OK && inertia != NULL) error = read_inertia(made, inertia, &def->inertia);
  if (error != THUD_OK || def->role != THUD_BODY_DYNAMIC || def->mass > 0) return error;
  for (size_t k = 0; k < pattern->part_count; k++) heaviest = fmax(heaviest, pattern->parts[k].density);
  if (heaviest > 0) return THUD_OK;
  return thud_node_fail(
      node, THUD_ERROR_SCHEMA,
      "[no-mass] this body has no mass: give it 'mass' or 'density', or its material a 'density'; a body that "
      "never moves is 'fixed: true'");
}

/* ---- patterns ---------------------------------------------------------------------------------------------------------- */

static thud_error read_role(bodies_scene *made, const thud_node *node, thud_body_def *def) {
  static const char *const moving[] = {"velocity", "spin", "force", "torque", "gravity_scale"};
  const thud_node *path = thud_node_find(node, "path");
  bool fixed = false;
  thud_error error = thud_bodies_read_flag(node, "fixed", &fixed);
  if (error != THUD_OK) return error;
  if (fixed && path != NULL)
    return thud_node_fail(path, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] a body with a path is not fixed: leave out one of them");
  def->role = fixed ? THUD_BODY_FIXED : path != NULL ? THUD_BODY_KINEMATIC : THUD_BODY_DYNAMIC;
  for (size_t k = 0; k < sizeof moving / sizeof *moving && def->role != THUD_BODY_DYNAMIC; k++)
    if (thud_node_find(node, moving[k]) != NULL)
      return thud_node_fail(thud_node_find(node, moving[k]), THUD_ERROR_SCHEMA,
                            "[misplaced-key] '%s' is of bodies that forces move; this one %s", moving[k],
                            fixed ? "is fixed" : "follows its path");
  if (path == NULL) return THUD_OK;
  const thud_node *place =
      thud_node_find(node, "position") != NULL ? thud_node_find(node, "position") : thud_node_find(node, "rotation");
  if (place != NULL)
    return thud_node_fail(place, THUD_ERROR_SCHEMA,
                          "[contradictory-keys] the path says where the body is: leave this out");
  return thud_bodies_read_path(made, node, path, def);
}

static thud_error read_filters(bodies_scene *made, const thud_node *node, thud_body_def *def) {
  size_t group = 0, category = def->category, mask = def->mask;
  thud_error error = thud_bodies_read_count(made, node, "group", 0, INT32_MAX, &group);
  if (error == THUD_OK) error = thud_bodies_read_count(made, node, "category", 0, UINT32_MAX, &category);
  if (error == THUD_OK) error = thud_bodies_read_count(made, node, "mask", 0, UINT32_MAX, &mask);
  if (thud_node_find(node, "group") != NULL) def->group = (thud_index)group;
  def->category = (uint32_t)category;
  def->mask = (uint32_t)mask;
  return error;
}

thud_error thud_bodies_read_pattern(bodies_scene *made, const thud_node *node, bool generated,
                                    bodies_pattern *pattern) {
  static const char *const keys[] = {"shape",    "parts",    "material",      "density", "mass",  "inertia",  "centre",
                                     "fixed",    "rotation", "velocity",      "spin",    "force", "torque",   "group",
                                     "category", "mask",     "gravity_scale", "absent",  "name",  "position", "path"};
  enum { KEYS = sizeof keys / sizeof *keys, OF_ONE = 3 };
  *pattern = (bodies_pattern){.node = node, .def = thud_body_def_default()};
  thud_body_def *def = &pattern->def;
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  if (error == THUD_OK) error = thud_node_check_keys(node, keys, generated ? KEYS - OF_ONE : KEYS);
  if (error == THUD_OK) error = read_role(made, node, def);
  if (error == THUD_OK) error = read_parts(made, node, pattern);
  if (error == THUD_OK) error = read_mass(made, node, pattern);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "position", &def->pose.position);
  if (error == THUD_OK) error = thud_bodies_read_rotation(made, node, "rotation", &def->pose.rotation);
  if (error == THUD_OK) error = thud_bodies_read_vector(made, node, "velocity", &def->velocity);
  if (error == THUD_OK) error = thud_bodies_read_spin(made, node, "spin", &def->spin);
  if (error == THUD_OK) error = thud_bodies_read_number(made, node, "gravity_scale", &def->gravity_scale);
  if (error == THUD_OK) error = thud_bodies_read_flag(node, "absent", &def->absent);
  if (error == THUD_OK) error = read_filters(made, node, def);
  if (error == THUD_OK) error = thud_bodies_read_force(made, node, def);
  if (error != THUD_OK) thud_bodies_pattern_free(made, pattern);
  return error;
}

void thud_bodies_pattern_free(const bodies_scene *made, bodies_pattern *pattern) {
  thud_free(made->context, pattern->parts);
  pattern->parts = NULL;
  pattern->part_count = 0;
}

thud_error thud_bodies_pattern_scale(bodies_scene *made, const bodies_pattern *pattern, double scale,
                                     bodies_pattern *scaled) {
  double volume = pow(scale, made->dimension);
  *scaled = *pattern;
  scaled->parts = THUD_NEW_ARRAY(made->context, thud_part_def, pattern->part_count);
  if (scaled->parts == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < pattern->part_count && error == THUD_OK; k++) {
    thud_part_def *part = &scaled->parts[k];
    *part = pattern->parts[k];
    part->pose.position = thud_vec3_scale(scale, part->pose.position);
    error = thud_bodies_scale_shape(made, pattern->node, part->shape, scale, &part->shape);
  }
  scaled->def.mass *= volume;
  scaled->def.centre = thud_vec3_scale(scale, pattern->def.centre);
  scaled->def.inertia = thud_mat3_scale(volume * scale * scale, pattern->def.inertia);
  if (error != THUD_OK) thud_bodies_pattern_free(made, scaled);
  return error;
}

thud_bounds thud_bodies_pattern_bounds(const bodies_scene *made, const bodies_pattern *pattern, const thud_quat *turn) {
  thud_bounds all = {thud_vec3_make(INFINITY, INFINITY, INFINITY), thud_vec3_make(-INFINITY, -INFINITY, -INFINITY)};
  const thud_pose outer = {thud_vec3_make(0, 0, 0), *turn};
  for (size_t k = 0; k < pattern->part_count; k++) {
    thud_pose pose = thud_pose_compose(&outer, &pattern->parts[k].pose);
    thud_bounds box = thud_shape_bounds(made->shapes[pattern->parts[k].shape], &pose, 0);
    all.low = thud_vec3_make(fmin(all.low.x, box.low.x), fmin(all.low.y, box.low.y), fmin(all.low.z, box.low.z));
    all.high = thud_vec3_make(fmax(all.high.x, box.high.x), fmax(all.high.y, box.high.y), fmax(all.high.z, box.high.z));
  }
  return all;
}

double thud_bodies_pattern_radius(const bodies_scene *made, const bodies_pattern *pattern) {
  double radius = 0;
  for (size_t k = 0; k < pattern->part_count; k++)
    radius = fmax(radius, thud_vec3_norm(pattern->parts[k].pose.position) +
                              thud_shape_radius(made->shapes[pattern->parts[k].shape]));
  return radius;
}

/* ---- bodies -------------------------------------------------------------------------------------------------------------- */

static thud_error note_body(bodies_scene *made, const thud_node *node, const char *name) {
  thud_context *context = made->context;
  size_t count = made->body_count, there = THUD_NAMES_NONE, length = strlen(name);
  if (count >= BODIES_MOST)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] more than %d bodies; fewer are needed", BODIES_MOST);
  thud_error error = thud_array_reserve(context, &made->ids, &made->id_capacity, count + 1, sizeof *made->ids);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &made->nodes, &made->node_capacity, count + 1, sizeof *made->nodes);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &made->body_names, &made->name_capacity, count + 1, sizeof *made->body_names);
  char *kept = error == THUD_OK ? thud_arena_alloc(made->arena, length + 1, 1) : NULL;
  if (kept == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  memcpy(kept, name, length + 1);
  error = thud_names_add(&made->names, kept, length, count, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[duplicate-name] the body '%s' is named twice; the first one is on line %d", name,
                          thud_node_line(made->nodes[there]));
  made->nodes[count] = node;
  made->body_names[count] = kept;
  return error;
}

thud_error thud_bodies_add_body(bodies_scene *made, const thud_node *node, const bodies_pattern *pattern,
                                const char *name, const thud_pose *pose, thud_body_id *id) {
  thud_error error = note_body(made, node, name);
  if (error != THUD_OK) return error;
  thud_body_def def = pattern->def;
  def.name = name;
  def.pose.position = pose->position;
  def.pose.rotation = thud_quat_multiply(pose->rotation, pattern->def.pose.rotation);
  thud_body_id added = {0, 0};
  error = thud_bodies_blame(node, thud_bodies_add(made->bodies, &def, &added));
  for (size_t k = 0; k < pattern->part_count && error == THUD_OK; k++)
    error = thud_bodies_blame(node, thud_bodies_attach(made->bodies, added, &pattern->parts[k]));
  if (error != THUD_OK) return error;
  made->ids[made->body_count++] = added;
  if (id != NULL) *id = added;
  return THUD_OK;
}

thud_error thud_bodies_add_numbered(bodies_scene *made, const thud_node *node, const bodies_pattern *pattern,
                                    const char *name, size_t *number, const thud_pose *pose) {
  char numbered[BODIES_GENERATED_NAME];
  snprintf(numbered, sizeof numbered, "%s-%zu", name, ++*number);
  return thud_bodies_add_body(made, node, pattern, numbered, pose, NULL);
}

thud_error thud_bodies_read_body(bodies_scene *made, const thud_node *node) {
  bodies_pattern pattern;
  const thud_node *named = thud_node_get_kind(node) == THUD_NODE_MAP ? thud_node_find(node, "name") : NULL;
  char numbered[BODIES_NAME_ROOM + 1];
  const char *name = numbered;
  thud_error error = thud_bodies_read_pattern(made, node, false, &pattern);
  if (error != THUD_OK) return error;
  snprintf(numbered, sizeof numbered, "body-%zu", made->body_count + 1);
  if (named != NULL) error = thud_bodies_read_name(named, &name);
  const thud_pose pose = {pattern.def.pose.position, thud_quat_identity()};
  if (error == THUD_OK) error = thud_bodies_add_body(made, node, &pattern, name, &pose, NULL);
  thud_bodies_pattern_free(made, &pattern);
  return error;
}
