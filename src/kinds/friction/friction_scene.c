/* `friction` scenes: laws, their slip velocities, and the velocities that are given. */
#include "base/names.h"
#include "kinds/friction/friction_scene.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* A slip is linear when its value at a test velocity is that of its coefficients, up to this part of the terms. */
static const double linear_tolerance = 1e-12;

static const thud_option_key law_rows[] = {
    {"threshold", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, false, NULL, "N", "factor of the set, of t"}};
static THUD_SCENE_TABLE(law_table, "laws", law_rows)

    const thud_kind_keys thud_friction_keys[] = {{.place = "friction.laws[]", .table = law_table}, {.place = NULL}};

/* ---- defaults ---------------------------------------------------------------------------------------------------- */

static thud_error resolve_law(thud_tree *tree, const thud_node *node) {
  size_t directions = thud_resolve_count(thud_resolve_find(node, "slip"));
  const thud_node *law = thud_resolve_find(node, "law");
  thud_error error = thud_resolve_options(tree, node, law_table(), NULL);
  if (error != THUD_OK) return error;
  return law == NULL ? thud_resolve_text(tree, node, "law", "disc") : thud_resolve_set(tree, law, directions);
}

thud_error thud_friction_scene_resolve(thud_tree *tree) {
  const thud_node *friction = thud_node_find(thud_tree_root(tree), "friction");
  const thud_node *laws = thud_resolve_find(friction, "laws");
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(laws) && error == THUD_OK; k++)
    error = resolve_law(tree, thud_node_item(laws, k));
  return error == THUD_OK ? thud_resolve_units(tree, thud_resolve_find(friction, "coordinates")) : error;
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static void free_texts(thud_context *context, char **texts, size_t count) {
  for (size_t k = 0; texts != NULL && k < count; k++) thud_free(context, texts[k]);
  thud_free(context, texts);
}

void thud_friction_scene_free(friction_scene *made) {
  thud_context *context = made->scene->context;
  thud_composition_destroy(made->composition);
  free_texts(context, made->names, made->driven + made->internal);
  free_texts(context, made->law_names, made->laws);
  for (size_t k = 0; made->velocity != NULL && k < made->driven; k++) thud_scene_value_free(&made->velocity[k]);
  for (size_t r = 0; made->slips != NULL && r < made->rows; r++) thud_expr_destroy(made->slips[r]);
  if (made->scene->variables == made->variables) made->scene->variables = NULL;
  void *const arrays[] = {made->first, made->velocity,   made->slips,   made->variables, made->A,
                          made->B,     made->parameters, made->initial, made->loaded};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_scene_numbers_free(&made->numbers);
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

static thud_error take_name(thud_scene *scene, const thud_node *node, thud_names *taken, const char *what,
                            char **name) {
  const char *text;
  size_t there = THUD_NAMES_NONE;
  thud_error error = thud_node_read_string(node, &text);
  if (error != THUD_OK) return error;
  if (text[0] == '\0' || strlen(text) + 8 > THUD_RECORD_NAME_LENGTH || strchr(text, '/') != NULL)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[bad-name] '%s' cannot name a %s", text, what);
  error = thud_names_add(taken, text, strlen(text), 0, &there);
  if (error == THUD_OK && there != THUD_NAMES_NONE)
    error = thud_node_fail(node, THUD_ERROR_SCHEMA, "[duplicate-name] the %s '%s' is named twice", what, text);
  if (error != THUD_OK) return error;
  *name = thud_strdup(scene->context, text);
  return *name != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error read_velocity_names(thud_scene *scene, const thud_node *section, friction_scene *made) {
  const thud_node *coordinates, *internal = thud_node_find(section, "internal");
  thud_error error = thud_node_require_as(section, "coordinates", "a list of names, such as [x, y]", &coordinates);
  if (error == THUD_OK) error = thud_scene_read_names(scene, coordinates);
  if (error == THUD_OK && internal != NULL) error = thud_node_expect(internal, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t hidden = internal != NULL ? thud_node_count(internal) : 0;
  if (hidden > 100000) return thud_node_fail(internal, THUD_ERROR_SCHEMA, "[wrong-count] %zu are too many", hidden);
  made->driven = (size_t)scene->dimension;
  made->names = THUD_NEW_ARRAY(scene->context, char *, made->driven + hidden);
  if (made->names == NULL) return THUD_ERROR_MEMORY;
  made->internal = hidden;
  thud_names taken = thud_names_new(scene->context, NULL);
  for (size_t k = 0; k < made->driven + hidden && error == THUD_OK; k++)
    error =
        take_name(scene, k < made->driven ? thud_node_item(coordinates, k) : thud_node_item(internal, k - made->driven),
                  &taken, "velocity", &made->names[k]);
  thud_names_free(&taken);
  return error;
}

/* ---- laws -------------------------------------------------------------------------------------------------------- */

/* `load`: a single force on some velocities, as the box from it to it. */
static thud_error read_load(scene_numbers *numbers, const thud_node *map, thud_set **set) {
  thud_index count = (thud_index)thud_node_count(map);
  double *force = THUD_NEW_ARRAY(numbers->scene->context, double, count);
  size_t first = numbers->values.count;
  thud_error error = force != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (int side = 0; side < 2; side++)
    for (thud_index k = 0; k < count && error == THUD_OK; k++)
      error = thud_scene_append_number(numbers, thud_node_item(map, (size_t)k));
  for (thud_index k = 0; k < count && error == THUD_OK; k++)
    force[k] = thud_scene_value_at(numbers->scene, &numbers->values.items[first + (size_t)k], numbers->scene->start,
                                   THUD_SIDE_VALUE);
  if (error == THUD_OK) {
    error = thud_set_box(numbers->scene->context, count, force, force, set);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(map, error);
  }
  thud_free(numbers->scene->context, force);
  return error;
}

static thud_error append_constant(scene_numbers *numbers, double number) {
  return thud_scene_values_add(numbers->scene, &numbers->values, (scene_value){.constant = number});
}

/* Coulomb's unit disc: in one direction the interval [-1, 1]. */
static thud_error make_disc(scene_numbers *numbers, thud_index directions, thud_set **set) {
  double *centre = THUD_NEW_ARRAY(numbers->scene->context, double, directions);
  if (centre == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < directions && error == THUD_OK; i++)
    error = append_constant(numbers, directions == 1 ? -1 : 0);
  if (error == THUD_OK) error = append_constant(numbers, 1);
  if (error == THUD_OK)
    error = directions == 1 ? thud_set_interval(numbers->scene->context, -1, 1, set)
                            : thud_set_ball(numbers->scene->context, directions, centre, 1, set);
  thud_free(numbers->scene->context, centre);
  return error;
}

static thud_error read_set(scene_numbers *numbers, const thud_node *node, thud_index directions, thud_set **set) {
  static const char *const named[] = {"disc", NULL};
  int choice;
  if (thud_node_get_kind(node) == THUD_NODE_MAP) return thud_scene_build_set(numbers, node, directions, set);
  thud_error error = thud_node_read_choice(node, named, &choice);
  return error == THUD_OK ? make_disc(numbers, directions, set) : error;
}

/* threshold times the law, with their parameters in this order. */
static thud_error read_law(scene_numbers *numbers, const thud_node *node, thud_index directions, thud_set **set) {
  const thud_node *threshold, *law;
  thud_set *operand = NULL;
  size_t first = numbers->values.count;
  thud_error error = thud_node_require_as(node, "threshold", "a force, 0 or greater", &threshold);
  if (error == THUD_OK) error = thud_scene_append_number(numbers, threshold);
  if (error == THUD_OK) error = thud_node_require_as(node, "law", "a convex set, such as {disc: 1}", &law);
  if (error == THUD_OK) error = read_set(numbers, law, directions, &operand);
  if (error != THUD_OK) return error;
  double factor =
      thud_scene_value_at(numbers->scene, &numbers->values.items[first], numbers->scene->start, THUD_SIDE_VALUE);
  error = thud_set_scaling(numbers->scene->context, factor, operand, set);
  if (error == THUD_OK) return THUD_OK;
  thud_set_destroy(operand);
  return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(threshold, error);
}

static thud_error count_rows(thud_scene *scene, const thud_node *laws, size_t *first) {
  static const char *const keys[] = {"name", "slip", "law"};
  for (size_t k = 0; k < thud_node_count(laws); k++) {
    const thud_node *node = thud_node_item(laws, k), *slip;
    thud_error error = thud_scene_check_keys(scene, node, sizeof keys / sizeof *keys, keys, THUD_TABLES(law_table()));
    if (error == THUD_OK) error = thud_node_require_as(node, "slip", "a list of velocities, such as [\"x'\"]", &slip);
    if (error == THUD_OK) error = thud_node_expect(slip, THUD_NODE_SEQUENCE);
    if (error != THUD_OK) return error;
    size_t count = thud_node_count(slip);
    if (count == 0 || count > 100000 || first[k] > 1000000)
      return thud_node_fail(slip, THUD_ERROR_SCHEMA,
                            "[wrong-count] from 1 to 100000 slip velocities are needed here, found %zu", count);
    first[k + 1] = first[k] + count;
  }
  return THUD_OK;
}

static thud_error name_load(const friction_scene *made, const thud_node *load) {
  const size_t last = made->laws - 1;
  for (size_t k = 0; k < last; k++)
    if (strcmp(made->law_names[k], "load") == 0)
      return thud_node_fail(
          load, THUD_ERROR_SCHEMA,
          "[duplicate-name] beside a load no law can be called 'load', which is the load's name in records");
  made->law_names[last] = thud_strdup(made->scene->context, "load");
  return made->law_names[last] != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error read_laws(thud_scene *scene, const thud_node *laws, const thud_node *load, friction_scene *made) {
  size_t count = made->laws, read = 0;
  thud_set **sets = THUD_NEW_ARRAY(scene->context, thud_set *, count);
  if (sets == NULL) return THUD_ERROR_MEMORY;
  thud_names taken = thud_names_new(scene->context, NULL);
  thud_error error = THUD_OK;
  while (read < count - made->loads && error == THUD_OK) {
    const thud_node *node = thud_node_item(laws, read), *name;
    error = thud_node_require_as(node, "name", "a word that reports show", &name);
    if (error == THUD_OK) error = take_name(scene, name, &taken, "law", &made->law_names[read]);
    if (error == THUD_OK)
      error = read_law(&made->numbers, node, (thud_index)(made->first[read + 1] - made->first[read]), &sets[read]);
    read += error == THUD_OK;
  }
  if (error == THUD_OK && made->loads > 0) error = name_load(made, load);
  if (error == THUD_OK && made->loads > 0) error = read_load(&made->numbers, load, &sets[read]);
  read += error == THUD_OK && made->loads > 0;
  if (error == THUD_OK) {
    error = thud_composition_create(scene->context, (thud_index)made->driven, (thud_index)made->internal,
                                    (thud_index)count, sets, &made->composition);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(laws, error);
  }
  for (size_t k = 0; k < read && error != THUD_OK; k++) thud_set_destroy(sets[k]);
  thud_names_free(&taken);
  thud_free(scene->context, sets);
  return error;
}

/* ---- velocities -------------------------------------------------------------------------------------------------- */

static thud_error read_velocity(thud_scene *scene, const thud_node *section, friction_scene *made) {
  const thud_node *map, *value;
  thud_error error = thud_node_require_as(
      section, "velocity", "a map from each coordinate to its velocity, such as {x: cos(t), y: 0}", &map);
  if (error == THUD_OK) error = thud_node_check_keys(map, (const char *const *)scene->coordinates, made->driven);
  for (size_t j = 0; j < made->driven && error == THUD_OK; j++) {
    error = thud_node_require_as(map, scene->coordinates[j], "its velocity, an expression of t", &value);
    if (error == THUD_OK) error = thud_scene_read_value(scene, value, &made->velocity[j]);
  }
  return error;
}

/* x' of every velocity becomes a name; what was read before cannot use them. */
static thud_error name_velocities(thud_scene *scene, const friction_scene *made, const thud_node *section) {
  for (size_t k = 0; k < made->driven + made->internal; k++) {
    char name[THUD_RECORD_NAME_LENGTH + 2];
    snprintf(name, sizeof name, "%s'", made->names[k]);
    thud_error error = thud_expr_scope_add_variable(scene->scope, name, NULL);
    if (error != THUD_OK) return error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(section, error);
  }
  return THUD_OK;
}

static thud_error read_slips(thud_scene *scene, const thud_node *laws, friction_scene *made) {
  for (size_t k = 0; k < made->laws - made->loads; k++) {
    const thud_node *list = thud_node_find(thud_node_item(laws, k), "slip");
    for (size_t i = 0; i < thud_node_count(list); i++) {
      const thud_node *node = thud_node_item(list, i);
      thud_expr_place place = {0};
      const char *source;
      thud_error error = thud_node_read_string(node, &source);
      if (error != THUD_OK) return error;
      error = thud_expr_compile(scene->context, scene->scope, source, &place, &made->slips[made->first[k] + i]);
      if (error != THUD_OK) return thud_node_fail_within_at(node, place.column, error);
    }
  }
  return THUD_OK;
}

/* ---- configurations ---------------------------------------------------------------------------------------------- */

/* `initial` names every coordinate, the internal ones too, and makes them names of expressions. */
static thud_error read_initial(thud_scene *scene, const thud_node *map, friction_scene *made) {
  size_t count = made->driven + made->internal;
  thud_error error = thud_node_check_keys(map, (const char *const *)made->names, count);
  if (error != THUD_OK) return error;
  made->initial = THUD_NEW_ARRAY(scene->context, double, count);
  if (made->initial == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < count && error == THUD_OK; j++) {
    const thud_node *value;
    error = thud_node_require_as(map, made->names[j], "a number, its value at the start", &value);
    if (error == THUD_OK) error = thud_scene_read_constant(scene, value, &made->initial[j]);
  }
  for (size_t j = 0; j < count && error == THUD_OK; j++) {
    error = thud_expr_scope_add_variable(scene->scope, made->names[j], NULL);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(map, error);
  }
  scene->variables = made->variables;
  thud_friction_scene_at(made, made->initial);
  return error;
}

void thud_friction_scene_at(const friction_scene *made, const double *q) {
  if (made->initial != NULL) memcpy(made->variables + 1, q, (made->driven + made->internal) * sizeof(double));
}

/* Behind t and the coordinates. */
static double *velocities_of(const friction_scene *made) {
  return made->variables + 1 + (made->initial != NULL ? made->driven + made->internal : 0);
}

/* ---- at a time --------------------------------------------------------------------------------------------------- */

static double slip_at(const thud_scene *scene, const friction_scene *made, size_t r) {
  return thud_expr_evaluate_side(made->slips[r], made->variables, scene->time_slot, THUD_SIDE_VALUE);
}

/* The coefficients of slip r at the time in variables[0]; false when it is not linear there. */
static bool find_coefficients(const thud_scene *scene, const friction_scene *made, size_t r) {
  size_t count = made->driven + made->internal;
  double *velocities = velocities_of(made), sum = 0, terms = 0;
  memset(velocities, 0, count * sizeof *velocities);
  double constant = slip_at(scene, made, r);
  for (size_t j = 0; j < count; j++) {
    double *entry = j < made->driven ? &made->A[r * made->driven + j] : &made->B[r * made->internal + j - made->driven];
    velocities[j] = 1;
    *entry = slip_at(scene, made, r) - constant;
    velocities[j] = 0;
    if (!isfinite(*entry)) return false;
    double test = sin(2.0 + 3.0 * (double)j) - 1.5;
    sum += *entry * test;
    terms += fabs(*entry * test);
  }
  for (size_t j = 0; j < count; j++) velocities[j] = sin(2.0 + 3.0 * (double)j) - 1.5;
  return constant == 0 && fabs(slip_at(scene, made, r) - sum) <= linear_tolerance * terms;
}

/* The slips of the load are the velocities that it acts on. */
static void place_load(const friction_scene *made) {
  size_t first = made->first[made->laws - made->loads], driven = made->driven;
  for (size_t r = first; r < made->rows; r++) {
    size_t j = made->loaded[r - first];
    memset(made->A + r * driven, 0, driven * sizeof(double));
    if (made->internal > 0) memset(made->B + r * made->internal, 0, made->internal * sizeof(double));
    *(j < driven ? &made->A[r * driven + j] : &made->B[r * made->internal + j - driven]) = 1;
  }
}

thud_error thud_friction_scene_place(const friction_scene *made, double t, double *W) {
  const thud_scene *scene = made->scene;
  made->variables[0] = t;
  place_load(made);
  for (size_t k = 0; k < made->laws - made->loads; k++)
    for (size_t r = made->first[k]; r < made->first[k + 1]; r++)
      if (!find_coefficients(scene, made, r))
        return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                         "[not-finite] law '%s': slip %zu is not linear in the velocities at t = %.15g (or not finite)",
                         made->law_names[k], r - made->first[k], t);
  thud_scene_numbers_at(&made->numbers, t, THUD_SIDE_VALUE, made->parameters);
  for (size_t j = 0; j < made->driven; j++) {
    W[j] = thud_scene_value_at(scene, &made->velocity[j], t, THUD_SIDE_VALUE);
    if (!isfinite(W[j]))
      return thud_fail(scene->context, THUD_ERROR_NOT_FINITE, "the velocity of '%s' is %g at t = %.15g", made->names[j],
                       W[j], t);
  }
  thud_error error = thud_composition_place(made->composition, made->parameters, made->A, made->B);
  return error == THUD_OK ? error : thud_fail_within(scene->context, error, "the laws at t = %.15g", t);
}

/* ---- all of it --------------------------------------------------------------------------------------------------- */

/* Which velocities the load acts on. */
static thud_error find_loaded(thud_scene *scene, const thud_node *load, friction_scene *made) {
  size_t count = thud_node_count(load), names = made->driven + made->internal;
  thud_error error = thud_node_check_keys(load, (const char *const *)made->names, names);
  if (error == THUD_OK && count == 0)
    return thud_node_fail(load, THUD_ERROR_SCHEMA, "[wrong-count] a load acts on something");
  if (error != THUD_OK) return error;
  made->loaded = THUD_NEW_ARRAY(scene->context, size_t, count);
  if (made->loaded == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++)
    while (strcmp(made->names[made->loaded[k]], thud_node_key(load, k)) != 0) made->loaded[k]++;
  return THUD_OK;
}

static thud_error allocate(thud_scene *scene, const thud_node *laws, const thud_node *load, friction_scene *made) {
  thud_context *context = scene->context;
  made->loads = load != NULL;
  size_t count = thud_node_count(laws) + made->loads, velocities = made->driven + made->internal;
  made->first = THUD_NEW_ARRAY(context, size_t, count + 1);
  made->law_names = THUD_NEW_ARRAY(context, char *, count);
  if (made->first == NULL || made->law_names == NULL) return THUD_ERROR_MEMORY;
  made->laws = count;
  thud_error error = count_rows(scene, laws, made->first);
  if (error == THUD_OK && load != NULL) error = find_loaded(scene, load, made);
  if (error != THUD_OK) return error;
  if (load != NULL) made->first[count] = made->first[count - 1] + thud_node_count(load);
  size_t rows = made->first[count], driven_entries, internal_entries;
  if (!thud_size_multiply(rows, made->driven, &driven_entries) ||
      !thud_size_multiply(rows, made->internal, &internal_entries))
    return THUD_ERROR_OVERFLOW;
  made->velocity = THUD_NEW_ARRAY(context, scene_value, made->driven);
  made->slips = THUD_NEW_ARRAY(context, thud_expr *, rows);
  made->variables = THUD_NEW_ARRAY(context, double, 2 * velocities + 1);
  made->A = THUD_NEW_ARRAY(context, double, driven_entries);
  made->B = THUD_NEW_ARRAY(context, double, internal_entries);
  made->rows = made->slips != NULL ? rows : 0;
  bool complete =
      made->velocity != NULL && made->slips != NULL && made->variables != NULL && made->A != NULL && made->B != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error build_section(thud_scene *scene, const thud_node *section, const thud_node *initial,
                                friction_scene *made) {
  static const char *const keys[] = {"coordinates", "internal", "laws", "velocity", "load"};
  const thud_node *laws, *load = thud_node_find(section, "load");
  thud_error error = thud_node_check_keys(section, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = read_velocity_names(scene, section, made);
  if (error == THUD_OK)
    error = thud_node_require_as(section, "laws", "a list of laws, such as [{name: pad, slip: [\"x'\"], threshold: 1}]",
                                 &laws);
  if (error == THUD_OK) error = thud_node_expect(laws, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  if (thud_node_count(laws) == 0 || thud_node_count(laws) > 100000)
    return thud_node_fail(laws, THUD_ERROR_SCHEMA, "[wrong-count] at least one law is needed here");
  if (load != NULL) error = thud_node_expect(load, THUD_NODE_MAP);
  if (error == THUD_OK) error = allocate(scene, laws, load, made);
  if (error == THUD_OK && initial != NULL) error = read_initial(scene, initial, made);
  if (error == THUD_OK) error = read_laws(scene, laws, load, made);
  if (error == THUD_OK) error = read_velocity(scene, section, made);
  if (error == THUD_OK) error = name_velocities(scene, made, section);
  if (error == THUD_OK) error = read_slips(scene, laws, made);
  if (error != THUD_OK) return error;
  double *W = THUD_NEW_ARRAY(scene->context, double, made->driven);
  made->parameters = THUD_NEW_ARRAY(scene->context, double, made->numbers.values.count);
  error = W != NULL && made->parameters != NULL ? thud_friction_scene_place(made, scene->start, W) : THUD_ERROR_MEMORY;
  thud_free(scene->context, W);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(section, error);
}

thud_error thud_friction_scene_build(thud_scene *scene, const thud_node *root, friction_scene *made) {
  *made = (friction_scene){.scene = scene, .numbers = {.scene = scene}};
  const thud_node *simulate, *section;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_scene_read_steps(scene, simulate);
  if (error == THUD_OK) error = thud_node_require(root, "friction", &section);
  if (error == THUD_OK) error = build_section(scene, section, thud_node_find(root, "initial"), made);
  return error == THUD_OK ? thud_scene_build_units(scene, root) : error;
}
