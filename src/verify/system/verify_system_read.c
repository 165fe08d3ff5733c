/* The checker's reading of `system` scenes, with formulas and without. */
#include "base/json.h"
#include "verify/system/verify_system.h"
#include "verify/verify_record.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------ */

/* Source of an expression: a string as it is, a number with all its digits. */
static thud_error read_source(verify_system *system, const thud_node *node, const char **source) {
  if (thud_node_get_kind(node) != THUD_NODE_NUMBER) return thud_node_read_string(node, source);
  enum { DIGITS = 40 };
  char *digits = thud_arena_alloc(system->texts, DIGITS, 1);
  if (digits == NULL) return THUD_ERROR_MEMORY;
  snprintf(digits, DIGITS, "%.17g", thud_node_number(node));
  *source = digits;
  return THUD_OK;
}

static thud_error read_optional_source(verify_system *system, const thud_node *map, const char *key,
                                       const char **source) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL ? read_source(system, node, source) : THUD_OK;
}

static thud_error read_required_source(verify_system *system, const thud_node *map, const char *key,
                                       const char **source) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? read_source(system, node, source) : error;
}

/* ---- inertia and forces ----------------------------------------------------------------------------------------- */

static thud_error read_mass(verify_system *system, const thud_node *list) {
  size_t n = system->n;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK && thud_node_count(list) != n)
    error = thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu rows or entries are needed here", n);
  if (error != THUD_OK) return error;
  system->mass = thud_arena_alloc(system->texts, n * n, sizeof *system->mass);
  if (system->mass == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = thud_node_item(list, i);
    if (thud_node_get_kind(row) != THUD_NODE_SEQUENCE) {
      error = read_source(system, row, &system->mass[i * n + i]);
      continue;
    }
    if (thud_node_count(row) != n) return thud_node_fail(row, THUD_ERROR_SCHEMA, "%zu entries are needed here", n);
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = read_source(system, thud_node_item(row, j), &system->mass[i * n + j]);
  }
  return error;
}

/* One text per coordinate; coordinates that are not named have none. */
static thud_error read_per_coordinate(verify_system *system, const thud_node *map, const char ***texts) {
  *texts = thud_arena_alloc(system->texts, system->n, sizeof **texts);
  if (*texts == NULL) return THUD_ERROR_MEMORY;
  thud_error error = map != NULL ? thud_node_check_keys(map, system->scene.names, system->n) : THUD_OK;
  for (size_t i = 0; map != NULL && i < system->n && error == THUD_OK; i++)
    error = read_optional_source(system, map, system->scene.names[i], &(*texts)[i]);
  return error;
}

/* ---- constraints and laws --------------------------------------------------------------------------------------- */

/* Whether the set of a law, which may be missing, is the unit disc. */
static thud_error read_disc(const thud_node *set, bool *disc) {
  static const char *const named[] = {"disc", NULL};
  int choice;
  *disc = set == NULL || thud_node_get_kind(set) == THUD_NODE_STRING;
  return set != NULL && *disc ? thud_node_read_choice(set, named, &choice) : THUD_OK;
}

/* "(a)" operation "(b)" */
static thud_error join_sources(verify_system *system, const char *a, const char *operation, const char *b,
                               const char **source) {
  size_t room = strlen(a) + strlen(b) + 8;
  char *made = thud_arena_alloc(system->texts, room, 1);
  if (made == NULL) return THUD_ERROR_MEMORY;
  snprintf(made, room, "(%s)%s(%s)", a, operation, b);
  *source = made;
  return THUD_OK;
}

/* The normal force is normal_scale r_N where the gap is no distance. */
static thud_error scale_mu(verify_system *system, const thud_node *node, const char **mu) {
  const char *scale = NULL;
  thud_error error = read_optional_source(system, node, "normal_scale", &scale);
  if (error != THUD_OK || scale == NULL || strcmp(scale, "1") == 0) return error;
  return join_sources(system, *mu, "*", scale, mu);
}

/* `of`: mu radius times the root of the sum of the squares of these reactions. */
static thud_error read_pin(verify_system *system, const thud_node *node, const thud_node *of, const char **threshold) {
  const char *mu = "", *radius = "1", *sum = "0";
  thud_error error = thud_node_expect(of, THUD_NODE_SEQUENCE);
  if (error == THUD_OK) error = read_required_source(system, node, "mu", &mu);
  if (error == THUD_OK) error = read_optional_source(system, node, "radius", &radius);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(of); k++) {
    const char *name = "", *square = "";
    error = thud_node_read_string(thud_node_item(of, k), &name);
    if (error == THUD_OK) error = join_sources(system, name, "^", "2", &square);
    if (error == THUD_OK) error = join_sources(system, sum, "+", square, &sum);
  }
  if (error == THUD_OK) error = join_sources(system, sum, "^", "0.5", &sum);
  if (error == THUD_OK) error = join_sources(system, mu, "*", radius, threshold);
  return error == THUD_OK ? join_sources(system, *threshold, "*", sum, threshold) : error;
}

static thud_error read_law(verify_system *system, const thud_node *node, const char *name, size_t constraint) {
  verify_law *law = &system->laws[system->law_count++];
  const char *key = constraint == SIZE_MAX ? "threshold" : "mu";
  const thud_node *slip, *set = thud_node_find(node, "law"), *of = thud_node_find(node, "of");
  *law = (verify_law){.name = name, .constraint = constraint, .first = system->s, .mu = "1"};
  thud_error error = read_disc(set, &law->disc);
  if (error == THUD_OK && constraint == SIZE_MAX && of != NULL)
    error = read_pin(system, node, of, &law->mu);
  else if (error == THUD_OK)
    error = set == NULL || constraint == SIZE_MAX ? read_required_source(system, node, key, &law->mu)
                                                  : read_optional_source(system, node, key, &law->mu);
  if (error == THUD_OK && constraint != SIZE_MAX) error = scale_mu(system, node, &law->mu);
  if (error == THUD_OK) error = thud_node_require(node, "slip", &slip);
  if (error == THUD_OK) error = thud_node_expect(slip, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  law->directions = thud_node_count(slip);
  if (law->directions == 0) return thud_node_fail(slip, THUD_ERROR_SCHEMA, "a slip velocity is needed here");
  const char **sources = thud_arena_alloc(system->texts, law->directions, sizeof *sources);
  if (sources == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < law->directions && error == THUD_OK; k++)
    error = read_source(system, thud_node_item(slip, k), &sources[k]);
  law->slip = sources;
  system->s += law->directions;
  return error == THUD_OK && !law->disc ? thud_verify_read_set(&system->scene, set, law->directions, &law->set) : error;
}

/* gap = length - distance */
static thud_error read_string_form(verify_system *system, const thud_node *node, const char **source) {
  const char *length = "", *distance = "";
  thud_error error = read_required_source(system, node, "length", &length);
  if (error == THUD_OK) error = read_required_source(system, node, "distance", &distance);
  return error == THUD_OK ? join_sources(system, length, "-", distance, source) : error;
}

static thud_error read_form(verify_system *system, const thud_node *node, verify_constraint *constraint) {
  static const struct {
    const char *key;
    verify_constraint_kind kind;
  } forms[] = {{"gap", VERIFY_UNILATERAL},
               {"phi", VERIFY_UNILATERAL},
               {"equation", VERIFY_EQUATION},
               {"velocity_form", VERIFY_ROLLING},
               {"string", VERIFY_UNILATERAL}};
  const thud_node *found = NULL, *one_sided = thud_node_find(node, "one_sided");
  const char *key = "";
  for (size_t k = 0; k < sizeof forms / sizeof *forms; k++) {
    const thud_node *form = thud_node_find(node, forms[k].key);
    if (form == NULL) continue;
    if (found != NULL)
      return thud_node_fail(node, THUD_ERROR_SCHEMA, "'%s' and '%s' in one constraint", key, forms[k].key);
    found = form;
    key = forms[k].key;
    constraint->kind = forms[k].kind;
  }
  if (found == NULL) return thud_node_fail(node, THUD_ERROR_SCHEMA, "a constraint without gap, phi, equation or form");
  constraint->is_phi = strcmp(key, "phi") == 0;
  bool is_one_sided = false;
  thud_error error = one_sided != NULL ? thud_node_read_bool(one_sided, &is_one_sided) : THUD_OK;
  if (is_one_sided && constraint->kind == VERIFY_ROLLING) constraint->kind = VERIFY_ONE_SIDED;
  if (error != THUD_OK) return error;
  return strcmp(key, "string") == 0 ? read_string_form(system, found, &constraint->source)
                                    : read_source(system, found, &constraint->source);
}

static size_t find_constraint(const verify_system *system, const char *name) {
  for (size_t i = 0; i < system->m; i++)
    if (strcmp(system->constraints[i].name, name) == 0) return i;
  return SIZE_MAX;
}

/* A velocity form that holds while a contact presses, whatever force that needs. */
static thud_error read_rolling(verify_system *system, const thud_node *node) {
  verify_law *law = &system->laws[system->law_count++];
  const thud_node *name, *form, *contact;
  const char *of = "";
  *law = (verify_law){.first = system->s, .mu = "1", .firm = true, .constraint = SIZE_MAX};
  thud_error error = thud_node_require(node, "name", &name);
  if (error == THUD_OK) error = thud_node_read_string(name, &law->name);
  if (error == THUD_OK) error = thud_node_require(node, "while", &contact);
  if (error == THUD_OK) error = thud_node_read_string(contact, &of);
  if (error == THUD_OK) error = thud_node_require(node, "velocity_form", &form);
  if (error != THUD_OK) return error;
  law->constraint = find_constraint(system, of);
  if (law->constraint == SIZE_MAX || system->constraints[law->constraint].kind != VERIFY_UNILATERAL)
    return thud_node_fail(contact, THUD_ERROR_SCHEMA, "there is no contact '%s'", of);
  bool several = thud_node_get_kind(form) == THUD_NODE_SEQUENCE;
  law->directions = several ? thud_node_count(form) : 1;
  const char **sources = thud_arena_alloc(system->texts, law->directions + 1, sizeof *sources);
  if (sources == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < law->directions && error == THUD_OK; k++)
    error = read_source(system, several ? thud_node_item(form, k) : form, &sources[k]);
  law->slip = sources;
  system->s += law->directions;
  return error;
}

/* entry: its number in the list, which names it. */
static thud_error read_constraint(verify_system *system, const thud_node *node, size_t entry, size_t k) {
  verify_constraint *constraint = &system->constraints[k];
  thud_error error = thud_node_expect(node, THUD_NODE_MAP);
  const thud_node *name = error == THUD_OK ? thud_node_find(node, "name") : NULL;
  enum { NAME_ROOM = 32 };
  if (error == THUD_OK && name == NULL) {
    char *made = thud_arena_alloc(system->texts, NAME_ROOM, 1);
    if (made == NULL) return THUD_ERROR_MEMORY;
    snprintf(made, NAME_ROOM, "constraint%zu", entry);
    constraint->name = made;
  } else if (error == THUD_OK) {
    error = thud_node_read_string(name, &constraint->name);
  }
  if (error == THUD_OK) error = read_form(system, node, constraint);
  if (error == THUD_OK) error = read_optional_source(system, node, "restitution", &constraint->restitution);
  const thud_node *friction = error == THUD_OK ? thud_node_find(node, "friction") : NULL;
  return friction != NULL ? read_law(system, friction, constraint->name, k) : error;
}

static thud_error read_constraints(verify_system *system, const thud_node *node) {
  const thud_node *list = thud_node_find(node, "constraints"), *own = thud_node_find(node, "friction");
  thud_error error = list != NULL ? thud_node_expect(list, THUD_NODE_SEQUENCE) : THUD_OK;
  if (error == THUD_OK && own != NULL) error = thud_node_expect(own, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  size_t laws = own != NULL ? thud_node_count(own) : 0, entries = list != NULL ? thud_node_count(list) : 0, next = 0;
  for (size_t k = 0; k < entries; k++) system->m += thud_node_find(thud_node_item(list, k), "while") != NULL ? 0 : 1;
  system->constraints = thud_arena_alloc(system->texts, system->m + 1, sizeof *system->constraints);
  system->laws = thud_arena_alloc(system->texts, entries + laws + 1, sizeof *system->laws);
  if (system->constraints == NULL || system->laws == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < entries && error == THUD_OK; k++)
    if (thud_node_find(thud_node_item(list, k), "while") == NULL)
      error = read_constraint(system, thud_node_item(list, k), k, next++);
  for (size_t k = 0; k < entries && error == THUD_OK; k++)
    if (thud_node_find(thud_node_item(list, k), "while") != NULL) error = read_rolling(system, thud_node_item(list, k));
  for (size_t k = 0; k < laws && error == THUD_OK; k++) {
    const thud_node *law = thud_node_item(own, k), *name;
    const char *text = "";
    error = thud_node_require(law, "name", &name);
    if (error == THUD_OK) error = thud_node_read_string(name, &text);
    if (error == THUD_OK) error = read_law(system, law, text, SIZE_MAX);
  }
  return error;
}

static thud_error read_impact_law(verify_system *system, const thud_node *node) {
  static const char *const names[] = {"canonical", "newton", "sequential", "lzb", NULL};
  static const char *const gains[] = {"reduce_e", "refuse", "allow", NULL};
  const thud_node *law = thud_node_find(node, "impact_law"), *gain = thud_node_find(node, "on_energy_gain");
  int choice = VERIFY_NEWTON, on_gain = VERIFY_REDUCE_E;
  thud_error error = gain != NULL ? thud_node_read_choice(gain, gains, &on_gain) : THUD_OK;
  system->on_gain = (verify_gain)on_gain;
  if (error == THUD_OK && law != NULL && thud_node_get_kind(law) == THUD_NODE_MAP) {
    const thud_node *table = thud_node_find(law, "table");
    system->law = table != NULL ? VERIFY_TABLE : VERIFY_LZB;
    return table != NULL ? read_per_coordinate(system, table, &system->table) : THUD_OK;
  }
  if (error == THUD_OK && law != NULL) error = thud_node_read_choice(law, names, &choice);
  system->law = (verify_impact_law)choice;
  return error;
}

/* ---- simulate and initial -----------------------------------------------------------------------------------------
 */

/* Arcs of formulas are power series unless another method was asked for. */
static bool reads_series(const thud_node *simulate) {
  const thud_node *arcs = thud_node_find(simulate, "arcs");
  if (arcs == NULL || thud_node_get_kind(arcs) != THUD_NODE_STRING) return arcs == NULL;
  return strcmp(thud_node_string(arcs), "auto") == 0 || strcmp(thud_node_string(arcs), "series") == 0;
}

static thud_error read_simulate(verify_system *system, const thud_node *root) {
  const char *names[VERIFY_SCHEMES + 1] = {NULL};
  for (size_t k = 0; k < VERIFY_SCHEMES; k++) names[k] = thud_verify_schemes[k].name;
  const thud_node *simulate, *method;
  verify_scene *scene = &system->scene;
  int choice = 0;
  thud_error error = thud_node_require(root, "simulate", &simulate);
  if (error == THUD_OK) error = thud_node_require(simulate, "method", &method);
  if (error == THUD_OK) error = thud_node_read_choice(method, names, &choice);
  if (error == THUD_OK) error = thud_verify_read_span(scene, simulate);
  const struct {
    const char *key;
    double *value;
  } numbers[] = {{"tolerance", &system->step_tolerance},
                 {"theta", &system->theta},
                 {"lambda", &system->lambda},
                 {"impact_velocity", &system->impact_velocity},
                 {"gap_tolerance", &system->gap_tolerance},
                 {"residual_tolerance", &system->residual_tolerance},
                 {"zeno_tolerance", &system->zeno_tolerance},
                 {"zeno_remaining", &system->zeno_remaining},
                 {"defect_tolerance", &system->defect_tolerance},
                 {"time_tolerance", &system->time_tolerance}};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers && error == THUD_OK; k++) {
    char path[60];
    snprintf(path, sizeof path, "/simulate/%s", numbers[k].key);
    *numbers[k].value = thud_verify_default_number(thud_verify_kind_of(root), path);
    error = thud_verify_read_optional(scene, simulate, numbers[k].key, numbers[k].value);
  }
  const thud_node *solver = thud_node_find(simulate, "solver"); /* its tolerance is another name */
  if (error == THUD_OK && solver != NULL)
    error = thud_verify_read_optional(scene, solver, "tolerance", &system->residual_tolerance);
  system->scheme = &thud_verify_schemes[choice];
  system->series = reads_series(simulate);
  scene->method = system->scheme->name;
  /* `tolerance` of an event-driven run is that of its series; the keys of time stepping mean nothing there. */
  bool steps = !system->scheme->event_driven && !(system->step_tolerance > 0);
  return error == THUD_OK && steps ? thud_verify_read_steps(scene, simulate) : error;
}

static thud_error read_initial(verify_system *system, const thud_node *root) {
  verify_scene *scene = &system->scene;
  const thud_node *initial;
  thud_error error = thud_node_require(root, "initial", &initial);
  if (error != THUD_OK) return error;
  scene->initial = THUD_NEW_ARRAY(scene->context, double, system->n);
  system->initial_v = thud_arena_alloc(system->texts, system->n, sizeof(double));
  if (scene->initial == NULL || system->initial_v == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < system->n && error == THUD_OK; i++) {
    const thud_node *value;
    error = thud_node_require(initial, scene->names[i], &value);
    if (error == THUD_OK) error = thud_verify_read_constant(scene, value, &scene->initial[i]);
    if (error == THUD_OK)
      error = thud_verify_read_optional(scene, initial, system->velocities[i], &system->initial_v[i]);
  }
  return error;
}

/* ---- names --------------------------------------------------------------------------------------------------------
 */

static thud_error make_velocity_names(verify_system *system) {
  system->velocities = thud_arena_alloc(system->texts, system->n, sizeof *system->velocities);
  if (system->velocities == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < system->n; i++) {
    size_t length = strlen(system->scene.names[i]);
    system->velocities[i] = thud_arena_alloc(system->texts, length + 2, 1);
    if (system->velocities[i] == NULL) return THUD_ERROR_MEMORY;
    memcpy(system->velocities[i], system->scene.names[i], length);
    system->velocities[i][length] = '\'';
  }
  return THUD_OK;
}

static thud_error system_names(verify_system *system, thud_expr_scope *scope, const thud_node *definitions) {
  thud_error error = THUD_OK;
  for (size_t i = 0; i < system->n && error == THUD_OK; i++) {
    error = thud_expr_scope_add_variable(scope, system->scene.names[i], &system->slot_q[i]);
    if (error == THUD_OK) error = thud_expr_scope_add_variable(scope, system->velocities[i], &system->slot_v[i]);
  }
  for (size_t k = 0; error == THUD_OK && definitions != NULL && k < thud_node_count(definitions); k++) {
    const thud_node *item = thud_node_item(definitions, k);
    const char *source;
    error = read_source(system, item, &source);
    if (error != THUD_OK) break;
    error = thud_expr_scope_add_expression(scope, thud_node_key(definitions, k), source);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY) error = thud_node_fail_within(item, error);
  }
  return error;
}

/* Coordinates and velocities join the scope after everything that may not use them has been read. */
static thud_error add_names(verify_system *system, const thud_node *definitions) {
  system->slot_q = thud_arena_alloc(system->texts, system->n, sizeof *system->slot_q);
  system->slot_v = thud_arena_alloc(system->texts, system->n, sizeof *system->slot_v);
  if (system->slot_q == NULL || system->slot_v == NULL) return THUD_ERROR_MEMORY;
  return system_names(system, system->scene.scope, definitions);
}

/* ---- the whole ----------------------------------------------------------------------------------------------------
 */

static thud_error read_formulas(verify_system *system, const thud_node *node) {
  const thud_node *mass = thud_node_find(node, "mass");
  thud_error error =
      mass != NULL ? read_mass(system, mass) : read_required_source(system, node, "kinetic_energy", &system->kinetic);
  if (error == THUD_OK) error = read_optional_source(system, node, "potential_energy", &system->potential);
  if (error == THUD_OK) error = read_per_coordinate(system, thud_node_find(node, "forces"), &system->forces);
  return error == THUD_OK ? read_constraints(system, node) : error;
}

static thud_error read_system(verify_system *system, const thud_node *root) {
  const thud_node *node, *coordinates;
  thud_error error = thud_node_require(root, "system", &node);
  if (error == THUD_OK) error = thud_node_require(node, "coordinates", &coordinates);
  if (error == THUD_OK) error = thud_verify_read_names(&system->scene, coordinates);
  if (error != THUD_OK) return error;
  system->n = system->scene.n;
  error = make_velocity_names(system);
  if (error == THUD_OK) error = read_initial(system, root);
  if (error == THUD_OK)
    error = thud_verify_has_functions(node) ? thud_verify_functions_read(system, node) : read_formulas(system, node);
  if (error == THUD_OK) error = read_impact_law(system, node);
  const thud_node *definitions = thud_node_find(root, "definitions");
  if (error == THUD_OK && definitions != NULL) error = thud_node_expect(definitions, THUD_NODE_MAP);
  return error == THUD_OK ? add_names(system, definitions) : error;
}

static thud_error place_sets(verify_system *system) {
  system->numbers = thud_arena_alloc(system->texts, system->scene.value_count + 1, sizeof(double));
  if (system->numbers == NULL) return THUD_ERROR_MEMORY;
  if (thud_verify_scene_place(&system->scene, system->scene.start, THUD_SIDE_VALUE, system->numbers)) return THUD_OK;
  return thud_fail(system->scene.context, THUD_ERROR_NOT_FINITE, "the sets of the friction laws are not finite");
}

static thud_error read_all(verify_system *system, const thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree);
  thud_error error = thud_arena_create(system->scene.context, 4096, &system->texts);
  if (error == THUD_OK) error = thud_verify_scene_open(&system->scene, root);
  if (error == THUD_OK) error = read_simulate(system, root);
  if (error == THUD_OK) error = thud_verify_read_data(&system->scene, thud_node_find(root, "data"));
  if (error == THUD_OK) error = read_system(system, root);
  if (error == THUD_OK) error = place_sets(system);
  if (error == THUD_OK) error = thud_verify_read_thinning(&system->scene, root);
  if (error == THUD_OK && !system->functions) error = thud_verify_system_formulas(system, root);
  if (error == THUD_OK && !system->functions) error = thud_verify_system_compile(system);
  if (error == THUD_OK && !system->functions && !system->scheme->event_driven) error = thud_verify_find_jumps(system);
  const thud_node *node = thud_node_find(root, "system");
  return error == THUD_OK ? thud_verify_read_loads(system, thud_node_find(node, "percussions")) : error;
}

thud_error thud_verify_system_create(thud_context *context, const thud_tree *tree, verify_system **system) {
  verify_system *made = THUD_NEW(context, verify_system);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->scene.context = context;
  thud_error error = read_all(made, tree);
  if (error != THUD_OK)
    thud_verify_system_destroy(made);
  else
    *system = made;
  return error;
}

void thud_verify_system_destroy(verify_system *system) {
  if (system == NULL) return;
  thud_context *context = system->scene.context;
  if (system->jump_values.out != NULL) thud_verify_values_free(system, &system->jump_values);
  if (system->mean_values.out != NULL) thud_verify_values_free(system, &system->mean_values);
  thud_expr_work_destroy(system->work);
  thud_expr_work_destroy(system->rate_work);
  thud_expr_program_destroy(system->program);
  thud_expr_program_destroy(system->rate_program);
  thud_expr_program_destroy(system->motion_program);
  thud_expr_program_destroy(system->gap_program);
  thud_expr_program_destroy(system->friction_program);
  thud_expr_scope_destroy(system->formulas);
  thud_verify_threshold_free(system);
  for (size_t k = 0; k < system->law_count; k++) thud_verify_free_set(context, &system->laws[k].set);
  thud_verify_free_loads(system);
  thud_verify_scene_free(&system->scene);
  thud_arena_destroy(system->texts);
  thud_free(context, system);
}

/* ---- the names of a scene once more, with its piecewise data as formulas ----------------------------------------- */

/* The names of a scene once more, with its piecewise data as formulas: proofs along arcs need to see through them, and
 * derivatives of data in gaps, equations and potentials are those of the pieces. */

static void write_piece(const thud_node *piece, thud_text *text) {
  if (thud_node_get_kind(piece) == THUD_NODE_NUMBER)
    thud_text_print(text, "(%.17g)", thud_node_number(piece));
  else
    thud_text_print(text, "(%s)", thud_node_string(piece));
}

/* `count` pieces from `first` on: the half before the break in the middle, or the half after it. */
static void write_half(const verify_data *data, const thud_node *pieces, size_t first, size_t count, thud_text *text) {
  size_t before = count / 2;
  if (count == 1) {
    write_piece(thud_node_item(pieces, first), text);
    return;
  }
  thud_text_print(text, "if(t < (%.17g), ", data->breaks[first + before - 1]);
  write_half(data, pieces, first, before, text);
  thud_text_print(text, ", ");
  write_half(data, pieces, first + before, count - before, text);
  thud_text_print(text, ")");
}

static thud_error add_data(verify_system *system, const thud_node *node) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < system->scene.data_count && error == THUD_OK; k++) {
    const verify_data *data = &system->scene.data[k];
    thud_text text = thud_text_new(system->scene.context);
    write_half(data, thud_node_find(thud_node_item(node, k), "pieces"), 0, data->break_count + 1, &text);
    error = text.error;
    if (error == THUD_OK)
      error = thud_expr_scope_add_expression(system->formulas, thud_node_key(node, k), thud_text_chars(&text));
    thud_text_free(&text);
  }
  return error;
}

static thud_error add_parameters(verify_system *system, const thud_node *node) {
  thud_error error = THUD_OK;
  for (size_t k = 0; node != NULL && k < thud_node_count(node) && error == THUD_OK; k++) {
    double value;
    error = thud_verify_read_constant(&system->scene, thud_node_item(node, k), &value);
    if (error == THUD_OK) error = thud_expr_scope_add_parameter(system->formulas, thud_node_key(node, k), value);
  }
  return error;
}

thud_error thud_verify_system_formulas(verify_system *system, const thud_node *root) {
  if (system->scene.data_count == 0) return THUD_OK;
  thud_index slot;
  thud_error error = thud_expr_scope_create(system->scene.context, &system->formulas);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(system->formulas, "t", &slot);
  if (error == THUD_OK) error = add_parameters(system, thud_node_find(root, "parameters"));
  if (error == THUD_OK) error = add_data(system, thud_node_find(root, "data"));
  return error == THUD_OK ? system_names(system, system->formulas, thud_node_find(root, "definitions")) : error;
}

/* ---- the checker's reading of systems without formulas ----------------------------------------------------------- */

bool thud_verify_has_functions(const thud_node *system) {
  const thud_node *node = thud_node_find(system, "functions");
  bool functions = false;
  return node != NULL && thud_node_read_bool(node, &functions) == THUD_OK && functions;
}

static thud_error read_text(const thud_node *map, const char *key, const char **text) {
  const thud_node *node;
  thud_error error = thud_node_require(map, key, &node);
  return error == THUD_OK ? thud_node_read_string(node, text) : error;
}

static thud_error read_posed_mass(verify_system *system, const thud_node *list) {
  size_t n = system->n;
  if (list == NULL) return THUD_OK;
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  system->given_mass = thud_arena_alloc(system->texts, n * n, sizeof(double));
  if (system->given_mass == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    const thud_node *row = i < thud_node_count(list) ? thud_node_item(list, i) : NULL;
    if (row == NULL || thud_node_get_kind(row) != THUD_NODE_SEQUENCE || thud_node_count(row) != n)
      return thud_node_fail(list, THUD_ERROR_SCHEMA, "%zu rows of %zu numbers are needed here", n, n);
    for (size_t j = 0; j < n && error == THUD_OK; j++)
      error = thud_node_read_number(thud_node_item(row, j), &system->given_mass[i * n + j]);
  }
  return error;
}

static thud_error read_posed_constraint(verify_system *system, const thud_node *node, size_t k) {
  static const char *const kinds[] = {"unilateral", "bilateral", "velocity", "velocity-one-sided", NULL};
  verify_constraint *constraint = &system->constraints[k];
  const thud_node *kind, *restitution = thud_node_find(node, "restitution");
  int choice = 0;
  thud_error error = read_text(node, "name", &constraint->name);
  if (error == THUD_OK) error = thud_node_require(node, "kind", &kind);
  if (error == THUD_OK) error = thud_node_read_choice(kind, kinds, &choice);
  constraint->kind = (verify_constraint_kind)choice;
  constraint->knows_restitution = restitution != NULL;
  if (error == THUD_OK && restitution != NULL)
    error = thud_node_read_number(restitution, &constraint->known_restitution);
  return error;
}

static thud_error read_posed_law(verify_system *system, const thud_node *node) {
  static const char *const kinds[] = {"disc", "set", "firm", NULL};
  verify_law *law = &system->laws[system->law_count++];
  const thud_node *kind, *directions, *constraint = thud_node_find(node, "constraint");
  const char *of = NULL;
  double count = 0;
  int choice = 0;
  *law = (verify_law){.constraint = SIZE_MAX, .first = system->s};
  thud_error error = read_text(node, "name", &law->name);
  if (error == THUD_OK && constraint != NULL) error = thud_node_read_string(constraint, &of);
  if (error == THUD_OK) error = thud_node_require(node, "kind", &kind);
  if (error == THUD_OK) error = thud_node_read_choice(kind, kinds, &choice);
  if (error == THUD_OK) error = thud_node_require(node, "directions", &directions);
  if (error == THUD_OK) error = thud_node_read_number(directions, &count);
  if (error != THUD_OK) return error;
  if (of != NULL) law->constraint = find_constraint(system, of);
  if (of != NULL && law->constraint == SIZE_MAX)
    return thud_node_fail(constraint, THUD_ERROR_SCHEMA, "there is no constraint '%s'", of);
  if (!(count >= 1 && count <= 1e6)) return thud_node_fail(directions, THUD_ERROR_SCHEMA, "%g directions", count);
  law->disc = choice == 0;
  law->unknown = choice == 1;
  law->firm = choice == 2;
  law->directions = (size_t)count;
  system->s += law->directions;
  return THUD_OK;
}

thud_error thud_verify_functions_read(verify_system *system, const thud_node *node) {
  const thud_node *constraints = thud_node_find(node, "constraints"), *laws = thud_node_find(node, "friction");
  size_t law_count = laws != NULL ? thud_node_count(laws) : 0;
  system->functions = true;
  system->m = constraints != NULL ? thud_node_count(constraints) : 0;
  system->constraints = thud_arena_alloc(system->texts, system->m + 1, sizeof *system->constraints);
  system->laws = thud_arena_alloc(system->texts, law_count + 1, sizeof *system->laws);
  if (system->constraints == NULL || system->laws == NULL) return THUD_ERROR_MEMORY;
  thud_error error = read_posed_mass(system, thud_node_find(node, "mass"));
  for (size_t k = 0; k < system->m && error == THUD_OK; k++)
    error = read_posed_constraint(system, thud_node_item(constraints, k), k);
  for (size_t k = 0; k < law_count && error == THUD_OK; k++) error = read_posed_law(system, thud_node_item(laws, k));
  return error;
}

void thud_verify_functions_name_unchecked(const verify_system *system, thud_verify_check *check) {
  bool events = system->scheme->event_driven, sets = false;
  for (size_t k = 0; k < system->law_count; k++) sets = sets || system->laws[k].unknown;
  thud_verify_skip(check, THUD_VERIFY_NOT_CHECKED,
                   "the functions are in a program: whether forces, potential, mass, gaps, gradients, restitution and "
                   "friction are those functions of t, q and v%s%s",
                   events                     ? "; equations of motion, gaps, slips and decisions on arcs"
                   : system->scheme->corrects ? "; the correction of positions"
                                              : "",
                   sets ? "; friction laws with sets of their own" : "");
}

/* ---- defaults ---- */

/* Of a family of percussions. */
#define OF_FAMILY "index from tail impulse_tail truncation tolerance limit lump !every"

/* Written after docs/scene-format.md, not after the tables of src. */
const verify_default thud_verify_system_defaults[] = {
    {"/system/potential_energy", "0", "*", NULL},
    {"/system/forces", "{}", NULL, NULL},
    {"/system/forces/*", "0", "*", NULL},
    {"/system/constraints/*/name", "constraint#", NULL, NULL},
    {"/system/constraints/*/restitution", "0", "*", "gap phi string"},
    {"/system/constraints/*/one_sided", "false", "*", "velocity_form !while"},
    {"/system/constraints/*/friction/mu", "1", "*", NULL},
    {"/system/constraints/*/friction/normal_scale", "1", "*", NULL},
    {"/system/constraints/*/friction/law", "disc", "*", NULL},
    {"/system/constraints/*/friction/law/**/polyhedron/equalities", "0", "*", NULL},
    {"/system/constraints/*/friction/law/**/dimension", NULL, NULL, NULL},
    {"/system/friction/*/radius", "1", "*", "of"},
    {"/system/friction/*/law", "disc", "*", NULL},
    {"/system/friction/*/law/**/polyhedron/equalities", "0", "*", NULL},
    {"/system/friction/*/law/**/dimension", NULL, NULL, NULL},
    {"/system/percussions/*/index", "n", "*", OF_FAMILY},
    {"/system/percussions/*/from", "0", "*", OF_FAMILY},
    {"/system/percussions/*/tolerance", "1e-15", "*", OF_FAMILY " !truncation"},
    {"/system/percussions/*/lump", "false", "*", OF_FAMILY},
    {"/system/impact_law", "newton", "*", NULL},
    {"/system/impact_law/lzb/stiffness_ratio", "1", NULL, NULL},
    {"/system/impact_law/lzb/exponent", "1.5", NULL, NULL},
    {"/system/impact_law/table/*", "*'", "*", NULL},
    {"/system/on_energy_gain", "reduce_e", "*", NULL},
    {"/system/allow_any_restitution", "false", NULL, NULL},
    {NULL, NULL, NULL, NULL}};
