/* `particles_on_line` scenes: from the tree to a line of particles. */
#include "scene/line.h"
#include "scene/system.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* What is read before the line can be made; texts and numbers live in the arena, nodes in the tree. */
typedef struct line_parts {
  thud_scene *scene;
  thud_arena *arena;
  const thud_node *model, *mass, *normal;
  size_t n;
  thud_line_def def;
  const thud_node **density, **force, **transport; /* [n] */
} line_parts;

/* ---- numbers and texts ------------------------------------------------------------------------------------------- */

static bool is_list(const thud_node *node) { return thud_node_get_kind(node) == THUD_NODE_SEQUENCE; }

/* n constants: a list, or one for all. */
static thud_error read_numbers(line_parts *parts, const thud_node *node, const double **numbers) {
  size_t n = parts->n;
  double *made = thud_arena_alloc(parts->arena, n, sizeof *made);
  if (made == NULL) return THUD_ERROR_MEMORY;
  if (is_list(node) && thud_node_count(node) != n)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu numbers, one for each particle, are needed here, found %zu", n,
                          thud_node_count(node));
  thud_error error = THUD_OK;
  for (size_t i = 0; i < n && error == THUD_OK; i++)
    error = scene_read_constant(parts->scene, is_list(node) ? thud_node_item(node, i) : node, &made[i]);
  *numbers = made;
  return error;
}

/* A number (times the identity), n numbers (the diagonal) or n rows. */
static thud_error read_matrix(line_parts *parts, const thud_node *node, const double **matrix) {
  size_t n = parts->n;
  if (node == NULL) return THUD_OK;
  double *made = thud_arena_alloc(parts->arena, n * n, sizeof *made);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *matrix = made;
  bool rows = is_list(node) && thud_node_count(node) > 0 && is_list(thud_node_item(node, 0));
  thud_error error = THUD_OK;
  if (!rows) {
    const double *diagonal;
    error = read_numbers(parts, node, &diagonal);
    for (size_t i = 0; i < n && error == THUD_OK; i++) made[i + i * n] = diagonal[i];
    return error;
  }
  if (thud_node_count(node) != n)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu rows are needed here, found %zu", n, thud_node_count(node));
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = thud_node_item(node, i);
    error = thud_node_expect(row, THUD_NODE_SEQUENCE);
    if (error == THUD_OK && thud_node_count(row) != n)
      error = thud_node_fail(row, THUD_ERROR_SCHEMA, "a row of %zu numbers is needed here, found %zu", n,
                             thud_node_count(row));
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = scene_read_constant(parts->scene, thud_node_item(row, j), &made[i + j * n]);
  }
  return error;
}

/* The text of an expression; a number with all its digits. */
static thud_error read_source(line_parts *parts, const thud_node *node, const char **source) {
  enum { DIGITS = 40 };
  if (thud_node_get_kind(node) == THUD_NODE_STRING) {
    *source = thud_node_string(node);
    return THUD_OK;
  }
  double number;
  thud_error error = thud_node_read_number(node, &number);
  if (error != THUD_OK) return error;
  char *text = thud_arena_alloc(parts->arena, DIGITS, 1);
  if (text == NULL) return THUD_ERROR_MEMORY;
  thud_format_double(number, text, DIGITS);
  *source = text;
  return THUD_OK;
}

static thud_error read_optional_source(line_parts *parts, const thud_node *map, const char *key, bool needed,
                                       const char **source) {
  const thud_node *node = thud_node_find(map, key);
  if (node == NULL && needed) return thud_node_require(map, key, &node);
  return node != NULL ? read_source(parts, node, source) : THUD_OK;
}

/* Expressions of t: a list, or one for all. */
static thud_error read_functions(line_parts *parts, const thud_node *node, const thud_node ***nodes,
                                 const char *const **sources) {
  size_t n = parts->n;
  if (node == NULL) return THUD_OK;
  const char **made = thud_arena_alloc(parts->arena, n, sizeof *made);
  *nodes = thud_arena_alloc(parts->arena, n, sizeof **nodes);
  if (made == NULL || *nodes == NULL) return THUD_ERROR_MEMORY;
  if (is_list(node) && thud_node_count(node) != n)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "%zu expressions, one for each particle, are needed here, found %zu",
                          n, thud_node_count(node));
  thud_error error = THUD_OK;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    (*nodes)[i] = is_list(node) ? thud_node_item(node, i) : node;
    error = read_source(parts, (*nodes)[i], &made[i]);
  }
  *sources = made;
  return error;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* Without names: q, or q1 ... qn. */
static thud_error make_names(line_parts *parts, size_t n) {
  thud_scene *scene = parts->scene;
  if (n == 0 || n > THUD_LINE_MAX_PARTICLES)
    return thud_node_fail(parts->mass, THUD_ERROR_SCHEMA, "from 1 to %d particles are possible, not %zu",
                          THUD_LINE_MAX_PARTICLES, n);
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, n);
  if (scene->coordinates == NULL) return THUD_ERROR_MEMORY;
  scene->dimension = (thud_index)n;
  for (size_t k = 0; k < n; k++) {
    char name[32];
    snprintf(name, sizeof name, n == 1 ? "q" : "q%zu", k + 1);
    scene->coordinates[k] = thud_strdup(scene->context, name);
    if (scene->coordinates[k] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_error read_particles(line_parts *parts) {
  const thud_node *masses = thud_node_find(parts->model, "masses"), *mass = thud_node_find(parts->model, "mass");
  if ((masses == NULL) == (mass == NULL))
    return thud_node_fail(parts->model, THUD_ERROR_SCHEMA,
                          "give either 'masses' (one for each particle) or 'mass' (a matrix)");
  parts->mass = masses != NULL ? masses : mass;
  const thud_node *names = thud_node_find(parts->model, "names");
  size_t n = is_list(parts->mass) ? thud_node_count(parts->mass) : 1;
  thud_error error = names != NULL ? scene_read_names(parts->scene, names) : make_names(parts, n);
  if (error == THUD_OK && parts->scene->dimension > THUD_LINE_MAX_PARTICLES)
    error = thud_node_fail(names, THUD_ERROR_SCHEMA, "at most %d particles are possible", THUD_LINE_MAX_PARTICLES);
  parts->n = (size_t)parts->scene->dimension;
  parts->def.n = parts->scene->dimension;
  return error;
}

/* ---- atoms ------------------------------------------------------------------------------------------------------- */

static thud_error list_of(const thud_node *map, const char *key, const thud_node **list, size_t *count) {
  *list = map != NULL ? thud_node_find(map, key) : NULL;
  *count = 0;
  if (*list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(*list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK) *count = thud_node_count(*list);
  return error;
}

static thud_error read_required(line_parts *parts, const thud_node *map, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? scene_read_constant(parts->scene, node, value) : error;
}

/* `value`: N at the atoms; without it the density says it. */
static thud_error read_value(line_parts *parts, const thud_node *map, const double **normal) {
  const thud_node *node = thud_node_find(map, "value");
  return node != NULL ? read_numbers(parts, node, normal) : THUD_OK;
}

static thud_error read_atoms(line_parts *parts) {
  static const char *const keys[] = {"time", "weight", "value"};
  const thud_node *list;
  size_t count;
  thud_error error = list_of(parts->normal, "atoms", &list, &count);
  if (error != THUD_OK) return error;
  thud_line_atom *atoms = thud_arena_alloc(parts->arena, count + 1, sizeof *atoms);
  if (atoms == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(list, k);
    error = thud_node_check_keys(item, keys, 3);
    if (error == THUD_OK) error = read_required(parts, item, "time", &atoms[k].t);
    if (error == THUD_OK) error = read_required(parts, item, "weight", &atoms[k].weight);
    if (error == THUD_OK) error = read_value(parts, item, &atoms[k].normal);
  }
  parts->def.atoms = atoms;
  parts->def.atom_count = count;
  return error;
}

static thud_error read_trains(line_parts *parts) {
  static const char *const keys[] = {"start", "period", "count", "weight", "value"};
  const thud_node *list;
  size_t count;
  thud_error error = list_of(parts->normal, "trains", &list, &count);
  if (error != THUD_OK) return error;
  thud_line_train *trains = thud_arena_alloc(parts->arena, count + 1, sizeof *trains);
  if (trains == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(list, k);
    double number = -1;
    error = thud_node_check_keys(item, keys, sizeof keys / sizeof *keys);
    if (error == THUD_OK) error = read_required(parts, item, "start", &trains[k].first);
    if (error == THUD_OK) error = read_required(parts, item, "period", &trains[k].period);
    if (error == THUD_OK) error = read_required(parts, item, "weight", &trains[k].weight);
    if (error == THUD_OK) error = read_value(parts, item, &trains[k].normal);
    const thud_node *limit = error == THUD_OK ? thud_node_find(item, "count") : NULL;
    if (limit != NULL) error = scene_read_whole(parts->scene, limit, 0, 1e9, &number);
    trains[k].count = (int64_t)number;
  }
  parts->def.trains = trains;
  parts->def.train_count = count;
  return error;
}

/* truncation (how many are kept) or tolerance (of the tail), limit and lump. */
static thud_error read_cut(line_parts *parts, const thud_node *item, thud_line_family *family) {
  const double default_tolerance = 1e-15;
  const thud_node *truncation = thud_node_find(item, "truncation"), *tolerance = thud_node_find(item, "tolerance");
  const thud_node *limit = thud_node_find(item, "limit"), *lump = thud_node_find(item, "lump");
  double keep = -1;
  thud_error error = THUD_OK;
  family->tolerance = default_tolerance;
  if (truncation != NULL && tolerance != NULL)
    return thud_node_fail(tolerance, THUD_ERROR_SCHEMA,
                          "give either 'truncation' (atoms kept) or 'tolerance' (of the tail)");
  if (truncation != NULL) error = scene_read_whole(parts->scene, truncation, 0, THUD_LINE_MAX_ATOMS, &keep);
  if (error == THUD_OK && tolerance != NULL) error = scene_read_constant(parts->scene, tolerance, &family->tolerance);
  if (error == THUD_OK && tolerance != NULL && !(family->tolerance > 0))
    error =
        thud_node_fail(tolerance, THUD_ERROR_SCHEMA, "the tolerance must be greater than 0, not %g", family->tolerance);
  if (error == THUD_OK && limit != NULL) error = scene_read_constant(parts->scene, limit, &family->limit);
  if (error == THUD_OK && lump != NULL) error = thud_node_read_bool(lump, &family->lump);
  if (error == THUD_OK && family->lump && limit == NULL)
    error = thud_node_fail(lump, THUD_ERROR_SCHEMA, "a tail is lumped at 'limit', which is missing");
  family->keep = (int64_t)keep;
  family->has_limit = limit != NULL;
  return error;
}

static thud_error read_family(line_parts *parts, const thud_node *item, thud_line_family *family) {
  static const char *const keys[] = {"index", "from",       "time",      "weight", "value",
                                     "tail",  "truncation", "tolerance", "limit",  "lump"};
  double first = 0;
  thud_error error = thud_node_check_keys(item, keys, sizeof keys / sizeof *keys);
  if (error != THUD_OK) return error;
  const thud_node *index = thud_node_find(item, "index"), *from = thud_node_find(item, "from");
  family->index = "n";
  if (index != NULL) error = thud_node_read_string(index, &family->index);
  if (error == THUD_OK && strcmp(family->index, "t") == 0)
    error = thud_node_fail(index, THUD_ERROR_SCHEMA, "the index of a family cannot be called t");
  if (error == THUD_OK && from != NULL) error = scene_read_whole(parts->scene, from, -1e9, 1e9, &first);
  family->first = (int64_t)first;
  if (error == THUD_OK) error = read_optional_source(parts, item, "time", true, &family->time);
  if (error == THUD_OK) error = read_optional_source(parts, item, "weight", true, &family->weight);
  if (error == THUD_OK) error = read_optional_source(parts, item, "tail", true, &family->tail);
  if (error == THUD_OK) error = read_optional_source(parts, item, "value", false, &family->normal);
  return error == THUD_OK ? read_cut(parts, item, family) : error;
}

static thud_error read_families(line_parts *parts) {
  const thud_node *list;
  size_t count;
  thud_error error = list_of(parts->normal, "families", &list, &count);
  if (error != THUD_OK) return error;
  thud_line_family *families = thud_arena_alloc(parts->arena, count + 1, sizeof *families);
  if (families == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = read_family(parts, thud_node_item(list, k), &families[k]);
  parts->def.families = families;
  parts->def.family_count = count;
  return error;
}

/* ---- the line ---------------------------------------------------------------------------------------------------- */

static const thud_node *node_of_family(const line_parts *parts, const thud_line_place *place) {
  const thud_node *family = thud_node_item(thud_node_find(parts->normal, "families"), place->index), *node = NULL;
  switch (place->part) {
  case THUD_LINE_FAMILY_TIME: node = thud_node_find(family, "time"); break;
  case THUD_LINE_FAMILY_WEIGHT: node = thud_node_find(family, "weight"); break;
  case THUD_LINE_FAMILY_TAIL: node = thud_node_find(family, "tail"); break;
  case THUD_LINE_FAMILY_NORMAL: node = thud_node_find(family, "value"); break;
  default: break;
  }
  return node != NULL ? node : family;
}

static const thud_node *node_of(const line_parts *parts, const thud_line_place *place) {
  const thud_node *friction = thud_node_find(parts->model, "friction");
  switch (place->part) {
  case THUD_LINE_NONE: return parts->model;
  case THUD_LINE_MASS: return parts->mass;
  case THUD_LINE_STIFFNESS: return thud_node_find(parts->model, "stiffness");
  case THUD_LINE_VISCOSITY: return thud_node_find(parts->model, "viscosity");
  case THUD_LINE_FRICTION: return is_list(friction) ? thud_node_item(friction, place->index) : friction;
  case THUD_LINE_DENSITY: return parts->density[place->index];
  case THUD_LINE_FORCE: return parts->force[place->index];
  case THUD_LINE_TRANSPORT: return parts->transport[place->index];
  case THUD_LINE_ATOM: return thud_node_item(thud_node_find(parts->normal, "atoms"), place->index);
  case THUD_LINE_TRAIN: return thud_node_item(thud_node_find(parts->normal, "trains"), place->index);
  default: return node_of_family(parts, place);
  }
}

static thud_error make_line(line_parts *parts) {
  thud_scene *scene = parts->scene;
  thud_line_place place;
  parts->def.start = scene->start;
  parts->def.end = scene->end;
  thud_error error = thud_line_create(scene->context, scene->scope, &parts->def, &place, &scene->particles->line);
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  const thud_node *where = node_of(parts, &place);
  bool inside = thud_node_get_kind(where) == THUD_NODE_STRING && place.place.column > 0;
  return inside ? thud_node_fail_within_at(where, place.place.column, error) : thud_node_fail_within(where, error);
}

static thud_error read_normal(line_parts *parts) {
  static const char *const keys[] = {"density", "atoms", "trains", "families"};
  parts->normal = thud_node_find(parts->model, "normal");
  if (parts->normal == NULL) return thud_node_require(parts->model, "normal", &parts->normal);
  thud_error error = thud_node_check_keys(parts->normal, keys, 4);
  if (error == THUD_OK)
    error = read_functions(parts, thud_node_find(parts->normal, "density"), &parts->density, &parts->def.density);
  if (error == THUD_OK) error = read_atoms(parts);
  if (error == THUD_OK) error = read_trains(parts);
  return error == THUD_OK ? read_families(parts) : error;
}

static thud_error read_model(line_parts *parts) {
  static const char *const keys[] = {"names",    "masses", "mass",      "stiffness", "viscosity",
                                     "friction", "normal", "transport", "force"};
  const thud_node *model = parts->model, *friction;
  thud_error error = thud_node_check_keys(model, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = read_particles(parts);
  if (error == THUD_OK) error = read_matrix(parts, parts->mass, &parts->def.mass);
  if (error == THUD_OK) error = read_matrix(parts, thud_node_find(model, "stiffness"), &parts->def.stiffness);
  if (error == THUD_OK) error = read_matrix(parts, thud_node_find(model, "viscosity"), &parts->def.viscosity);
  if (error == THUD_OK) error = thud_node_require(model, "friction", &friction);
  if (error == THUD_OK) error = read_numbers(parts, friction, &parts->def.friction);
  if (error == THUD_OK) error = read_functions(parts, thud_node_find(model, "force"), &parts->force, &parts->def.force);
  if (error == THUD_OK)
    error = read_functions(parts, thud_node_find(model, "transport"), &parts->transport, &parts->def.transport);
  if (error == THUD_OK) error = read_normal(parts);
  return error == THUD_OK ? make_line(parts) : error;
}

/* ---- simulate ---------------------------------------------------------------------------------------------------- */

static thud_error read_options(thud_scene *scene, const thud_node *simulate) {
  static const char *const numbers[] = {"order", "precision", "decision", "max_events"};
  const thud_option_table *table = thud_line_option_table();
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++) {
    const thud_node *node = thud_node_find(simulate, numbers[k]);
    double value;
    if (node == NULL) continue;
    thud_error error = scene_read_constant(scene, node, &value);
    if (error != THUD_OK) return error;
    error = thud_options_set_number(scene->context, table, &scene->particles->options, numbers[k], value);
    if (error != THUD_OK) return thud_node_fail_within(node, THUD_ERROR_SCHEMA);
  }
  return THUD_OK;
}

static thud_error read_simulate(thud_scene *scene, const thud_node *root) {
  static const char *const keys[] = {"method", "start",     "end",      "step",      "steps",
                                     "order",  "precision", "decision", "max_events"};
  const thud_node *simulate = thud_node_find(root, "simulate"), *method;
  thud_line_options *options = &scene->particles->options;
  thud_error error = thud_node_check_keys(simulate, keys, sizeof keys / sizeof *keys);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK)
    error =
        thud_node_read_choice(method, thud_options_find(thud_line_option_table(), "method")->choices, &options->method);
  if (error == THUD_OK) error = read_options(scene, simulate);
  if (error != THUD_OK) return error;
  if (options->method == THUD_LINE_IMPLICIT) {
    error = scene_read_steps(scene, simulate);
    options->steps = scene->steps;
    return error;
  }
  const thud_node *step = thud_node_find(simulate, "step");
  if (step == NULL) step = thud_node_find(simulate, "steps");
  return step == NULL ? THUD_OK
                      : thud_node_fail(step, THUD_ERROR_SCHEMA,
                                       "the event-driven method has no steps; 'record: {every: ...}' says how densely "
                                       "the motion is written down");
}

thud_error scene_build_line(thud_scene *scene, const thud_node *root) {
  const thud_node *definitions = thud_node_find(root, "definitions");
  scene->particles = THUD_NEW(scene->context, scene_line);
  if (scene->particles == NULL) return THUD_ERROR_MEMORY;
  scene->particles->options = thud_line_options_default();
  line_parts parts = {.scene = scene, .model = thud_node_find(root, "particles_on_line")};
  thud_error error = thud_node_expect(parts.model, THUD_NODE_MAP);
  if (error == THUD_OK) error = read_simulate(scene, root);
  if (error == THUD_OK) error = thud_arena_create(scene->context, 4096, &parts.arena);
  if (error == THUD_OK) error = scene_read_definitions(scene, definitions, parts.arena);
  if (error == THUD_OK) error = scene_check_definitions(scene, definitions);
  if (error == THUD_OK) error = read_model(&parts);
  if (error == THUD_OK) error = scene_name_velocities(scene, &scene->particles->velocities);
  if (error == THUD_OK)
    error = scene_read_start(scene, root, scene->particles->velocities, &scene->particles->q0, &scene->particles->v0);
  thud_arena_destroy(parts.arena);
  return error;
}

void scene_free_line(thud_scene *scene) {
  scene_line *made = scene->particles;
  if (made == NULL) return;
  thud_context *context = scene->context;
  thud_line_destroy(made->line);
  for (thud_index k = 0; made->velocities != NULL && k < scene->dimension; k++) thud_free(context, made->velocities[k]);
  thud_free(context, made->velocities);
  thud_free(context, made->q0);
  thud_free(context, made->v0);
  thud_free(context, made);
}
