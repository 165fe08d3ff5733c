/* The resolved scene of a record: defaults of `bodies` scenes, the files beside them, and `all_bodies`, the bodies as they
 * were built. Bodies that differ in name and place alone have one type. Poses at the start are those of the first row. */
#include "base/json.h"
#include "kinds/bodies/bodies_scene.h"
#include "scene/resolve.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- `all_bodies`: numbers ------------------------------------------------------------------------------------------- */

static void write_numbers(thud_json *json, const char *key, size_t count, const double *values) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < count; k++) thud_json_number(json, values[k]);
  thud_json_end_array(json);
}

static void write_vector(thud_json *json, const char *key, bool planar, thud_vec3 v) {
  const double values[3] = {v.x, v.y, v.z};
  write_numbers(json, key, planar ? 2 : 3, values);
}

static void write_rotation(thud_json *json, thud_quat q) {
  const double values[4] = {q.w, q.x, q.y, q.z};
  write_numbers(json, "rotation", 4, values);
}

static void write_texts(thud_json *json, const char *key, size_t count, char *const *texts) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < count; k++) thud_json_string(json, texts[k] != NULL ? texts[k] : "0");
  thud_json_end_array(json);
}

/* ---- `all_bodies`: shapes and materials ------------------------------------------------------------------------------ */

static void write_shape(thud_json *json, const thud_shape *shape) {
  thud_shape_def def = thud_shape_get_def(shape);
  thud_json_begin_object(json);
  thud_json_string_field(json, "kind", thud_shape_kind_name(def.kind));
  if (def.radius > 0) thud_json_number_field(json, "radius", def.radius);
  if (def.half_length > 0) thud_json_number_field(json, "half_length", def.half_length);
  if (def.half[0] > 0) write_numbers(json, "half", thud_shape_is_planar(shape) ? 2 : 3, def.half);
  if (def.point_count > 0) write_numbers(json, "points", 3 * (size_t)def.point_count, def.points);
  if (def.triangle_count > 0) {
    thud_json_key(json, "triangles");
    thud_json_begin_flat_array(json);
    for (size_t k = 0; k < 3 * (size_t)def.triangle_count; k++) thud_json_integer(json, def.triangles[k]);
    thud_json_end_array(json);
    thud_json_key(json, "open");
    thud_json_bool(json, def.open);
  }
  if (def.heights != NULL) {
    thud_json_integer_field(json, "columns", def.columns);
    thud_json_integer_field(json, "rows", def.rows);
    write_numbers(json, "spacing", 2, def.spacing);
    write_numbers(json, "heights", (size_t)def.rows * (size_t)def.columns, def.heights);
  }
  thud_json_end_object(json);
}

static void write_law(thud_json *json, const bodies_scene *made, thud_index first, thud_index second) {
  bool swapped = false;
  thud_surface_law law = thud_bodies_pair_law(made->bodies, first, second, &swapped);
  thud_json_begin_object(json);
  thud_json_integer_field(json, "first", swapped ? second : first);
  thud_json_integer_field(json, "second", swapped ? first : second);
  thud_json_number_field(json, "friction", law.friction);
  if (law.friction_across >= 0) {
    thud_json_number_field(json, "friction_across", law.friction_across);
    write_numbers(json, "axis", 3, law.axis);
  }
  thud_json_number_field(json, "restitution", law.restitution);
  thud_json_number_field(json, "rolling", law.rolling);
  thud_json_number_field(json, "spinning", law.spinning);
  thud_json_end_object(json);
}

static void write_stuff(thud_json *json, const bodies_scene *made, const thud_bodies_view *view) {
  thud_json_key(json, "shapes");
  thud_json_begin_array(json);
  for (thud_index k = 0; k < view->shape_count; k++) write_shape(json, view->shapes[k]);
  thud_json_end_array(json);
  thud_json_key(json, "materials");
  thud_json_begin_flat_array(json);
  for (thud_index k = 0; k < view->material_count; k++) thud_json_string(json, view->material_names[k]);
  thud_json_end_array(json);
  thud_json_key(json, "laws");
  thud_json_begin_array(json);
  for (thud_index i = 0; i < view->material_count; i++)
    for (thud_index j = i; j < view->material_count; j++) write_law(json, made, i, j);
  thud_json_end_array(json);
}

/* ---- `all_bodies`: types --------------------------------------------------------------------------------------------- */

static void write_part(thud_json *json, const thud_bodies_view *view, thud_index p) {
  thud_json_begin_object(json);
  thud_json_integer_field(json, "shape", view->part_shape_number[p]);
  thud_json_integer_field(json, "material", view->part_material[p]);
  write_vector(json, "position", view->planar, view->part_pose[p].position);
  write_rotation(json, view->part_pose[p].rotation);
  thud_json_end_object(json);
}

static void write_inertia(thud_json *json, const thud_bodies_view *view, thud_index i) {
  thud_mat3 m = view->inertia[i];
  const double rows[9] = {m.cx.x, m.cy.x, m.cz.x, m.cx.y, m.cy.y, m.cz.y, m.cx.z, m.cy.z, m.cz.z};
  if (view->planar)
    thud_json_number_field(json, "inertia", m.cz.z);
  else
    write_numbers(json, "inertia", 9, rows);
}

static void write_functions(thud_json *json, const char *key) {
  thud_json_key(json, key);
  thud_json_begin_object(json);
  thud_json_key(json, "functions");
  thud_json_bool(json, true);
  thud_json_end_object(json);
}

static void write_what_acts(thud_json *json, const thud_bodies_view *view, thud_index i) {
  const thud_body_def *def = &view->def[i];
  if (def->gravity_scale != 1) thud_json_number_field(json, "gravity_scale", def->gravity_scale);
  const bodies_force *law = def->force_user;
  const bodies_path *path = def->path_user;
  if (def->force != NULL && law->told != NULL) {
    write_functions(json, "force");
  } else if (def->force != NULL) {
    write_texts(json, "force", view->planar ? 2 : 3, law->texts);
    write_texts(json, "torque", view->planar ? 1 : 3, law->texts + (view->planar ? 5 : 3));
  }
  if (def->path != NULL && path->told != NULL) {
    write_functions(json, "path");
  } else if (def->path != NULL) {
    write_texts(json, "path", 4, path->texts);
    if (!view->planar) write_vector(json, "axis", false, path->axis);
  }
  if (def->group >= 0) thud_json_integer_field(json, "group", def->group);
  if (def->category != 1) thud_json_integer_field(json, "category", def->category);
  if (def->mask != UINT32_MAX) thud_json_integer_field(json, "mask", def->mask);
}

static void write_type(thud_json *json, const thud_bodies_view *view, thud_index i) {
  static const char *const roles[] = {"dynamic", "fixed", "kinematic"};
  thud_json_begin_object(json);
  thud_json_string_field(json, "role", roles[view->role[i]]);
  if (view->def[i].absent) {
    thud_json_key(json, "absent");
    thud_json_bool(json, true);
  }
  if (view->role[i] == THUD_BODY_DYNAMIC) {
    thud_json_number_field(json, "mass", view->mass[i]);
    write_inertia(json, view, i);
    write_vector(json, "centre", view->planar, view->centre[i]);
  }
  write_what_acts(json, view, i);
  thud_json_key(json, "parts");
  thud_json_begin_array(json);
  for (thud_index p = view->part_start[i]; p < view->part_start[i + 1]; p++) write_part(json, view, p);
  thud_json_end_array(json);
  thud_json_end_object(json);
}

/* Types as texts: equal texts are one type. */
typedef struct type_list {
  thud_names known;
  thud_index *of; /* [count] */
  thud_index count;
} type_list;

static thud_error write_types(thud_json *json, const bodies_scene *made, const thud_bodies_view *view,
                              type_list *types) {
  thud_text text = thud_text_new(made->context);
  thud_error error = THUD_OK;
  thud_json_key(json, "types");
  thud_json_begin_array(json);
  for (thud_index i = 0; i < view->count && error == THUD_OK; i++) {
    size_t there = THUD_NAMES_NONE;
    text.length = 0;
    thud_json one = thud_json_new(&text);
    write_type(&one, view, i);
    if (text.error != THUD_OK) error = text.error;
    char *kept = error == THUD_OK ? thud_arena_alloc(made->arena, text.length + 1, 1) : NULL;
    if (kept == NULL) error = THUD_ERROR_MEMORY;
    if (error != THUD_OK) break;
    memcpy(kept, thud_text_chars(&text), text.length);
    error = thud_names_add(&types->known, kept, text.length, (size_t)types->count, &there);
    types->of[i] = there == THUD_NAMES_NONE ? types->count : (thud_index)there;
    if (there != THUD_NAMES_NONE) continue;
    types->count++;
    write_type(json, view, i);
  }
  thud_json_end_array(json);
  thud_text_free(&text);
  return error;
}

/* ---- `all_bodies`: the whole ----------------------------------------------------------------------------------------- */

static void write_bodies(thud_json *json, const thud_bodies_view *view, const type_list *types) {
  thud_json_key(json, "name");
  thud_json_begin_flat_array(json);
  for (thud_index i = 0; i < view->count; i++) thud_json_string(json, view->name[i]);
  thud_json_end_array(json);
  thud_json_key(json, "type");
  thud_json_begin_flat_array(json);
  for (thud_index i = 0; i < view->count; i++) thud_json_integer(json, types->of[i]);
  thud_json_end_array(json);
}

static void write_springs(thud_json *json, const thud_bodies_view *view) {
  thud_json_key(json, "springs");
  thud_json_begin_array(json);
  for (thud_index k = 0; k < view->spring_count; k++) {
    const thud_spring_def *spring = &view->springs[k];
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", spring->name);
    thud_json_integer_field(json, "a", view->spring_a[k]);
    thud_json_integer_field(json, "b", view->spring_b[k]);
    write_vector(json, "point_a", view->planar, spring->point_a);
    write_vector(json, "point_b", view->planar, spring->point_b);
    thud_json_number_field(json, "length", spring->length);
    thud_json_number_field(json, "stiffness", spring->stiffness);
    thud_json_number_field(json, "damping", spring->damping);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* What pictures show of joints. */
static void write_joints(thud_json *json, const thud_bodies_view *view) {
  thud_json_key(json, "joints");
  thud_json_begin_array(json);
  for (thud_index k = 0; k < view->joint_count; k++) {
    const thud_joint *joint = &view->joints[k];
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", joint->name);
    thud_json_integer_field(json, "kind", joint->kind);
    thud_json_integer_field(json, "a", joint->a);
    thud_json_integer_field(json, "b", joint->b);
    write_vector(json, "point_a", view->planar, joint->point_a);
    write_vector(json, "point_b", view->planar, joint->point_b);
    write_vector(json, "axis_a", view->planar, thud_quat_rotate(joint->frame_a, thud_vec3_make(1, 0, 0)));
    write_vector(json, "over_a", view->planar, joint->over_a);
    write_vector(json, "over_b", view->planar, joint->over_b);
    thud_json_number_field(json, "length", joint->kind == THUD_JOINT_ROPE ? joint->law[0].limit[1] : joint->length);
    thud_json_key(json, "absent");
    thud_json_bool(json, joint->absent);
    int springs = 0; /* bits of coordinates */
    for (int c = 0; c < joint->law_count; c++)
      if (joint->law[c].stiffness > 0 || joint->law[c].damping > 0) springs |= 1 << c;
    if (springs > 0) thud_json_integer_field(json, "springs", springs);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static thud_error write_all(const bodies_scene *made, const thud_bodies_view *view, thud_json *json) {
  type_list types = {.known = thud_names_new(made->context, NULL),
                     .of = THUD_NEW_ARRAY(made->context, thud_index, view->count)};
  if (types.of == NULL) return THUD_ERROR_MEMORY;
  thud_json_begin_object(json);
  thud_json_key(json, "planar");
  thud_json_bool(json, view->planar);
  write_vector(json, "gravity", view->planar, view->gravity);
  write_stuff(json, made, view);
  thud_error error = write_types(json, made, view, &types);
  write_bodies(json, view, &types);
  write_springs(json, view);
  if (view->joint_count > 0) write_joints(json, view);
  thud_json_end_object(json);
  thud_names_free(&types.known);
  thud_free(made->context, types.of);
  return error;
}

thud_error thud_bodies_describe(const bodies_scene *made, thud_tree *resolved) {
  thud_bodies_view view;
  char number[32];
  thud_error error = thud_bodies_get(made->bodies, &view);
  if (error != THUD_OK) return error;
  thud_text text = thud_text_new(made->context);
  thud_json json = thud_json_new(&text);
  error = write_all(made, &view, &json);
  if (error == THUD_OK) error = text.error;
  if (error == THUD_OK) error = thud_tree_put(resolved, "all_bodies", thud_text_chars(&text));
  thud_format_double((double)made->rows.whole_every, number, sizeof number);
  if (error == THUD_OK) error = thud_tree_set(resolved, "record.contacts", made->rows.contacts ? "true" : "false");
  if (error == THUD_OK) error = thud_tree_set(resolved, "record.whole_every", number);
  thud_text_free(&text);
  return error;
}

/* ---- defaults ---------------------------------------------------------------------------------------------------------- */

/* Unit labels whose size in m or s is known: `over`/`under` is exact, so that 9.81 m/s^2 is 9810 mm/s^2 to the last bit. */
typedef struct known_unit {
  const char *label;
  double over, under;
} known_unit;

static const known_unit lengths[] = {{"m", 1, 1},    {"mm", 1, 1e3},   {"cm", 1, 100},   {"dm", 1, 10},
                                     {"km", 1e3, 1}, {"um", 1, 1e6},   {"µm", 1, 1e6},   {"μm", 1, 1e6},
                                     {"nm", 1, 1e9}, {"in", 254, 1e4}, {"ft", 3048, 1e4}};
static const known_unit times[] = {{"s", 1, 1},    {"ms", 1, 1e3}, {"us", 1, 1e6}, {"µs", 1, 1e6},
                                   {"μs", 1, 1e6}, {"ns", 1, 1e9}, {"min", 60, 1}, {"h", 3600, 1}};

static const known_unit masses[] = {{"kg", 1, 1},  {"g", 1, 1e3},  {"mg", 1, 1e6},       {"ug", 1, 1e9},
                                    {"t", 1e3, 1}, {"Mg", 1e3, 1}, {"lb", 45359237, 1e8}};

static double size_of(const char *label, const known_unit *list, size_t count) {
  for (size_t k = 0; k < count; k++)
    if (strcmp(list[k].label, label) == 0) return list[k].over / list[k].under;
  return NAN;
}

double thud_bodies_metres(const char *label) { return size_of(label, lengths, sizeof lengths / sizeof *lengths); }
double thud_bodies_kilograms(const char *label) { return size_of(label, masses, sizeof masses / sizeof *masses); }
double thud_bodies_seconds(const char *label) { return size_of(label, times, sizeof times / sizeof *times); }

/* The unit under `key` of `units`; the first of the list when it is not given, NULL when its size is not known. */
static const known_unit *find_unit(const thud_node *root, const char *key, const known_unit *list, size_t count) {
  const thud_node *given = thud_resolve_find(thud_resolve_find(root, "units"), key);
  if (given == NULL || thud_node_get_kind(given) != THUD_NODE_STRING) return list; /* the reader refuses other kinds */
  if (thud_node_string(given)[0] == '\0') return list;                             /* and empty labels */
  for (size_t k = 0; k < count; k++)
    if (strcmp(list[k].label, thud_node_string(given)) == 0) return &list[k];
  return NULL;
}

/* Defaults with dimensions are those of m and s, converted; without known units there is none to convert to. */
typedef struct scene_units {
  const known_unit *length, *time;
} scene_units;

static scene_units find_units(const thud_node *root) {
  return (scene_units){find_unit(root, "length", lengths, sizeof lengths / sizeof *lengths),
                       find_unit(root, "time", times, sizeof times / sizeof *times)};
}

static thud_error require_units(const thud_node *root, const scene_units *units, const char *key) {
  const thud_node *given = thud_resolve_find(root, "units");
  const char *name = units->length == NULL ? "length" : "time";
  if (units->length != NULL && units->time != NULL) return THUD_OK;
  const thud_node *label = thud_resolve_find(given, name);
  return thud_node_fail(
      label, THUD_ERROR_SCHEMA,
      "[unknown-unit] the size of the unit '%s' is not known, so `%s` has no default: give it in these units",
      thud_node_string(label), key);
}

static thud_error resolve_gravity(thud_tree *tree, const thud_node *root, const scene_units *units) {
  const thud_node *planar = thud_resolve_find(root, "planar");
  bool plane = planar != NULL && thud_node_get_kind(planar) == THUD_NODE_BOOL && thud_node_bool(planar);
  char number[THUD_DOUBLE_CAPACITY], text[THUD_DOUBLE_CAPACITY + 16];
  if (thud_node_find(root, "gravity") != NULL) return THUD_OK;
  thud_error error = require_units(root, units, "gravity");
  if (error != THUD_OK) return error;
  double rate = units->time->over / units->time->under;
  thud_format_double(-9.81 * units->length->under / units->length->over * (rate * rate), number, sizeof number);
  snprintf(text, sizeof text, plane ? "[0, %s]" : "[0, 0, %s]", number);
  return thud_tree_put(tree, "gravity", text);
}

/* 1e-3 m/s and 0.5 s, which matter where islands may fall asleep. */
static thud_error resolve_sleep(thud_tree *tree, const thud_node *root, const thud_node *simulate,
                                const scene_units *units) {
  const thud_node *sleep = thud_resolve_find(simulate, "sleep");
  bool asleep = sleep != NULL && thud_node_get_kind(sleep) == THUD_NODE_BOOL && thud_node_bool(sleep);
  bool given = thud_resolve_find(simulate, "sleep_speed") != NULL && thud_resolve_find(simulate, "sleep_time") != NULL;
  thud_error error = asleep && !given ? require_units(root, units, "sleep_speed") : THUD_OK;
  if (error != THUD_OK || simulate == NULL || units->length == NULL || units->time == NULL) return error;
  double rate = units->time->over / units->time->under;
  double speed = 1e-3 * units->length->under / units->length->over * rate;
  error = thud_resolve_number(tree, simulate, "sleep_speed", speed);
  return error == THUD_OK ? thud_resolve_number(tree, simulate, "sleep_time", 0.5 / rate) : error;
}

static thud_error resolve_units(thud_tree *tree, const thud_node *root) {
  const thud_node *units;
  thud_error error = thud_resolve_map(tree, root, "units", &units);
  if (error == THUD_OK) error = thud_resolve_text(tree, units, "length", "m");
  if (error == THUD_OK) error = thud_resolve_text(tree, units, "mass", "kg");
  return error == THUD_OK ? thud_resolve_text(tree, units, "time", "s") : error;
}

static thud_error resolve_materials(thud_tree *tree, const thud_node *materials) {
  thud_error error = THUD_OK;
  bool map = materials != NULL && thud_node_get_kind(materials) == THUD_NODE_MAP;
  for (size_t k = 0; map && k < thud_node_count(materials) && error == THUD_OK; k++) {
    error = thud_resolve_options(tree, thud_node_item(materials, k), thud_bodies_law_table(), NULL);
    if (error == THUD_OK)
      error = thud_resolve_options(tree, thud_node_item(materials, k), thud_bodies_density_table(), NULL);
  }
  return error;
}

static thud_error resolve_springs(thud_tree *tree, const thud_node *springs) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(springs) && error == THUD_OK; k++)
    error = thud_resolve_options(tree, thud_node_item(springs, k), thud_bodies_spring_table(), NULL);
  return error;
}

static thud_error resolve_joints(thud_tree *tree, const thud_node *joints) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(joints) && error == THUD_OK; k++)
    error = thud_resolve_options(tree, thud_node_item(joints, k), thud_bodies_joint_table(), NULL);
  return error;
}

static thud_error resolve_record(thud_tree *tree, const thud_node *record) {
  thud_error error = THUD_OK;
  for (size_t k = 0; thud_bodies_by_count[k] != NULL && error == THUD_OK; k++)
    error = thud_resolve_null(tree, record, thud_bodies_by_count[k]);
  return error;
}

/* A solver that is named has its options; without one steps are solved as their sizes ask for. */
static thud_error resolve_simulate(thud_tree *tree, const thud_node *simulate) {
  thud_error error = thud_resolve_options(tree, thud_resolve_find(simulate, "solver"), thud_solver_option_table(),
                                          thud_bodies_of_steps);
  return error == THUD_OK ? thud_resolve_options(tree, simulate, thud_body_motion_option_table(), thud_bodies_of_times)
                          : error;
}

thud_error thud_bodies_scene_resolve(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree);
  scene_units units = find_units(root);
  thud_error error = thud_resolve_flag(tree, root, "planar", false);
  if (error == THUD_OK) error = resolve_gravity(tree, root, &units);
  if (error == THUD_OK) error = resolve_units(tree, root);
  if (error == THUD_OK) error = resolve_materials(tree, thud_resolve_find(root, "materials"));
  if (error == THUD_OK) error = resolve_springs(tree, thud_resolve_find(root, "springs"));
  if (error == THUD_OK) error = resolve_joints(tree, thud_resolve_find(root, "joints"));
  if (error == THUD_OK) error = resolve_record(tree, thud_resolve_find(root, "record"));
  if (error == THUD_OK) error = resolve_sleep(tree, root, thud_resolve_find(root, "simulate"), &units);
  return error == THUD_OK ? resolve_simulate(tree, thud_resolve_find(root, "simulate")) : error;
}

/* ---- files beside the scene ------------------------------------------------------------------------------------------ */

/* Shapes stand anywhere within bodies, parts and patterns: under `shape`, or as entries of `shapes`. */
static thud_error take_files(thud_tree *tree, const thud_node *node) {
  thud_node_kind kind = thud_node_get_kind(node);
  thud_error error = THUD_OK;
  if (kind != THUD_NODE_MAP && kind != THUD_NODE_SEQUENCE) return THUD_OK;
  if (kind == THUD_NODE_MAP) error = thud_bodies_take_shape_files(tree, node);
  for (size_t k = 0; k < thud_node_count(node) && error == THUD_OK; k++)
    error = take_files(tree, thud_node_item(node, k));
  return error;
}

thud_error thud_bodies_scene_take_files(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *bodies = thud_resolve_find(root, "bodies");
  const thud_node *shapes = thud_resolve_find(root, "shapes");
  thud_error error = THUD_OK;
  if (bodies == NULL) return THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(bodies) && error == THUD_OK; k++) {
    const thud_node *entry = thud_node_item(bodies, k);
    error = thud_bodies_take_table(tree, entry);
    if (error == THUD_OK) error = take_files(tree, entry);
  }
  return error == THUD_OK && shapes != NULL ? take_files(tree, shapes) : error;
}
