/* `initial` and `simulate` of `system` scenes: reading, and the defaults that resolved scenes show. */
#include "base/names.h"
#include "kinds/system/system_scene.h"
#include "motions/stepping/stepping.h"
#include "run/run.h"
#include "scene/scene_options.h"
#include "scene/resolve.h"
#include "thud/event.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static thud_error read_state(thud_scene *scene, const thud_node *initial, char *const *names, double *values) {
  thud_error error = THUD_OK;
  for (thud_index k = 0; k < scene->dimension && error == THUD_OK; k++) {
    const thud_node *node;
    error = thud_node_require_as(initial, names[k], "a number, the value at the start", &node);
    if (error == THUD_OK) error = thud_scene_read_constant(scene, node, &values[k]);
  }
  return error;
}

/* What others call the velocity of a coordinate: xdot, x_dot, dx, vx, v_x. */
static bool is_called_velocity(const char *key, const char *coordinate) {
  static const char *const before[] = {"d", "v", "v_"}, *const after[] = {"dot", "_dot", "_t", "p"};
  const char *at = strstr(key, coordinate);
  if (at == NULL) return false;
  size_t ahead = (size_t)(at - key), length = strlen(coordinate);
  for (size_t k = 0; k < sizeof before / sizeof *before; k++)
    if (strlen(before[k]) == ahead && strncmp(key, before[k], ahead) == 0 && at[length] == '\0') return true;
  for (size_t k = 0; k < sizeof after / sizeof *after; k++)
    if (ahead == 0 && strcmp(at + length, after[k]) == 0) return true;
  return false;
}

/* A key that is none of the names, but looks like another way of writing one. */
static thud_error check_velocity_name(const thud_scene *scene, const thud_node *item, const char *key,
                                      const char *const *names) {
  size_t n = (size_t)scene->dimension;
  for (size_t i = 0; i < n; i++)
    if (is_called_velocity(key, names[i]))
      return thud_node_fail(item, THUD_ERROR_SCHEMA,
                            "[unknown-key] unknown key '%s': the velocity of '%s' is called \"%s\"", key, names[i],
                            names[n + i]);
  return THUD_OK;
}

static thud_error check_velocity_names(const thud_scene *scene, const thud_node *initial, const char *const *names) {
  thud_error error = THUD_OK;
  thud_names known = thud_names_new(scene->context, NULL);
  for (size_t i = 0; i < 2 * (size_t)scene->dimension && error == THUD_OK; i++)
    error = thud_names_add(&known, names[i], strlen(names[i]), i, NULL);
  size_t count = thud_node_get_kind(initial) == THUD_NODE_MAP ? thud_node_count(initial) : 0;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const char *key = thud_node_key(initial, k);
    if (thud_names_find(&known, key, strlen(key)) == THUD_NAMES_NONE)
      error = check_velocity_name(scene, thud_node_item(initial, k), key, names);
  }
  thud_names_free(&known);
  return error;
}

thud_error thud_scene_read_start(thud_scene *scene, const thud_node *root, char *const *velocities, double **q0,
                                 double **v0) {
  size_t n = (size_t)scene->dimension;
  const thud_node *initial;
  thud_error error = thud_node_require_as(
      root, "initial", "the coordinates at the start, such as {x: 1, \"x'\": 0}; velocities that are left out are 0",
      &initial);
  const char **names = THUD_NEW_ARRAY(scene->context, const char *, 2 * n);
  *q0 = THUD_NEW_ARRAY(scene->context, double, n);
  *v0 = THUD_NEW_ARRAY(scene->context, double, n);
  if (names == NULL || *q0 == NULL || *v0 == NULL) error = THUD_ERROR_MEMORY;
  for (size_t k = 0; k < n && error == THUD_OK; k++) {
    names[k] = scene->coordinates[k];
    names[n + k] = velocities[k];
  }
  if (error == THUD_OK) error = check_velocity_names(scene, initial, names);
  if (error == THUD_OK) error = thud_node_check_keys(initial, names, 2 * n);
  thud_free(scene->context, names);
  if (error == THUD_OK) error = read_state(scene, initial, scene->coordinates, *q0);
  if (error == THUD_OK) error = read_state(scene, initial, velocities, *v0);
  return error;
}

/* ---- keys ---------------------------------------------------------------------------------------------------------- */

static const char *const impact_laws[] = {"canonical", "newton", "sequential", "lzb", NULL};
static const char *const energy_gains[] = {"reduce_e", "refuse", "allow", NULL};

static const thud_option_key section_rows[] = {
    {"potential_energy", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "J", "of the coordinates and t"},
    {"impact_law", THUD_OPTION_CHOICE, 0, THUD_IMPACT_NEWTON, 0, 0, false, impact_laws, "",
     "what an impact does (docs/impact-laws.md): a name, or a map, `{lzb: {...}}` or `{table: {...}}`"},
    {"on_energy_gain", THUD_OPTION_CHOICE, 0, THUD_GAIN_REDUCE_E, 0, 0, false, energy_gains, "",
     "what happens when the law would create energy: less restitution, the end of the run, or nothing"},
    {"allow_any_restitution", THUD_OPTION_BOOL, 0, 0, 0, 1, false, NULL, "", "allow restitutions outside [0, 1]"}};
THUD_SCENE_TABLE(thud_system_section_table, "system", section_rows)

static const thud_option_key lzb_rows[] = {{"stiffness_ratio", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, true, NULL, "1",
                                            "stiffness of each acting contact over that of the one before"},
                                           {"exponent", THUD_OPTION_REAL, 0, 1.5, 0, DBL_MAX, true, NULL, "1",
                                            "of the contacts' force law: 1 linear, 1.5 Hertz"}};
THUD_SCENE_TABLE(thud_system_lzb_table, "lzb", lzb_rows)

static const thud_option_key unilateral_rows[] = {
    {"restitution", THUD_OPTION_REAL, 0, 0, -DBL_MAX, DBL_MAX, false, NULL, "1",
     "of a unilateral constraint: in [0, 1] unless `allow_any_restitution`; of the coordinates and of the velocities "
     "before the impact"}};
THUD_SCENE_TABLE(thud_system_unilateral_table, "constraints", unilateral_rows)

static const thud_option_key velocity_rows[] = {
    {"one_sided", THUD_OPTION_BOOL, 0, 0, 0, 1, false, NULL, "", "of a `velocity_form`: it is >= 0 (a freewheel)"}};
THUD_SCENE_TABLE(thud_system_velocity_table, "constraints", velocity_rows)

static const thud_option_key friction_rows[] = {
    {"mu", THUD_OPTION_REAL, 0, NAN, 0, DBL_MAX, false, NULL, "1",
     "coefficient, of t, coordinates and velocities; 1 with a `law`, which it scales"},
    {"normal_scale", THUD_OPTION_REAL, 0, 1, 0, DBL_MAX, true, NULL, "1",
     "velocity of the gap divided by that of the distance, of t, coordinates and velocities; the normal force is that "
     "times the reaction"}};
THUD_SCENE_TABLE(thud_system_friction_table, "friction", friction_rows)

static const thud_option_key family_rows[] = {
    {"from", THUD_OPTION_INT, 0, 0, -1e9, 1e9, false, NULL, "1", "of a family: the first value of its index"},
    {"tolerance", THUD_OPTION_REAL, 0, 1e-15, 0, DBL_MAX, true, NULL, "1",
     "of a family: percussions are kept until the tails are at most this"},
    {"lump", THUD_OPTION_BOOL, 0, 0, 0, 1, false, NULL, "",
     "of a family: what is left of the weights acts at the limit"}};
THUD_SCENE_TABLE(thud_system_family_table, "percussions", family_rows)

/* ---- simulate ---------------------------------------------------------------------------------------------------- */

static const char event_driven[] = "event-driven";

/* That of scenes that name none has its default here: programs have the first scheme. */
static const thud_option_table *stepping_method_table(void) {
#define METHOD_NAME(method, object, name) name,
  static const char *const methods[] = {THUD_SCHEMES(METHOD_NAME) NULL};
#undef METHOD_NAME
  static const thud_option_key keys[] = {{"method", THUD_OPTION_CHOICE, 0, THUD_STEPPING_MOREAU_JEAN, 0, 0, false,
                                          methods, "",
                                          "time-stepping scheme (docs/lagrangian-systems.md says which when)"}};
  static const thud_option_table table = {.name = "time-stepping method", .keys = keys, .count = 1};
  return &table;
}

/* The method that is not one of the schemes of time stepping. */
static const thud_option_table *event_method_table(void) {
  static const char *const methods[] = {event_driven, NULL};
  static const thud_option_key keys[] = {
      {"method", THUD_OPTION_CHOICE, 0, NAN, 0, 0, false, methods, "", "from event to event, without steps"}};
  static const thud_option_table table = {.name = "event-driven method", .keys = keys, .count = 1};
  return &table;
}

/* Of the velocity problems of either kind of method. */
static const thud_option_table *solver_tolerance_table(void) {
  static const thud_option_key keys[] = {{"tolerance", THUD_OPTION_REAL, 0, NAN, 0, 1, true, NULL, "1",
                                          "another name of `residual_tolerance` of `simulate`: give one of them"}};
  static const thud_option_table table = {.name = "tolerance of the solver", .keys = keys, .count = 1};
  return &table;
}

static const char *const of_times[] = {"method", "start", "end", "steps", NULL};
static const char *const of_solver[] = {"tolerance", NULL};
static const char *const of_events[] = {"start", "end", "fork", NULL};

/* One scene may be run by either kind of method: each lets the keys of the other stand. */
const thud_kind_keys thud_system_keys[] = {
    {.place = "system", .table = thud_system_section_table},
    {.place = "system.impact_law.lzb", .table = thud_system_lzb_table},
    {.place = "system.constraints[]", .table = thud_system_unilateral_table},
    {.place = "system.constraints[]", .table = thud_system_velocity_table},
    {.place = "system.constraints[].friction", .table = thud_system_friction_table},
    {.place = "system.percussions[]", .table = thud_system_family_table},
    {.place = "simulate", .table = stepping_method_table, .methods = "time stepping"},
    {.place = "simulate", .table = thud_stepping_option_table, .without = of_times, .methods = "time stepping"},
    {.place = "simulate", .table = event_method_table, .methods = "event-driven"},
    {.place = "simulate", .table = thud_event_option_table, .without = of_events, .methods = "event-driven"},
    {.place = "simulate.solver",
     .table = thud_scene_solver_option_table,
     .help = "what solves the velocity problems, of steps and of impacts: without a method closed forms, pivoting and "
             "sweeps, and registered methods where these do not reach the tolerance"},
    {.place = "simulate.solver", .table = solver_tolerance_table},
    {.place = "simulate.solver", .table = thud_solver_option_table, .without = of_solver},
    {.place = NULL},
};

/* Keys of the tables that do not come from there, or that are not keys of scenes. */
static bool is_read_elsewhere(const char *key) {
  return thud_run_is_listed(key, of_times) || thud_run_is_listed(key, of_events);
}

/* The keys of the options tables stand among the keys of `simulate`: all of the table of the method itself; of the
 * other kind of methods those that the scene was given, but for `tolerance`, which means something else there. */
static thud_error read_options(thud_scene *scene, const thud_node *simulate, const thud_option_table *table, bool own,
                               void *options) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < table->count && error == THUD_OK; k++) {
    const thud_option_key *key = &table->keys[k];
    const thud_node *node = thud_node_find(simulate, key->name);
    if (is_read_elsewhere(key->name)) continue;
    if (!own && (node == NULL || strcmp(key->name, "tolerance") == 0)) continue;
    if (node == NULL && strcmp(key->name, "residual_tolerance") == 0)
      continue; /* the solver's tolerance stands for it */
    if (node == NULL) error = thud_node_require(simulate, key->name, &node);
    if (error == THUD_OK) error = thud_scene_read_option(scene, node, table, key, options);
  }
  return error;
}

/* The time-stepping methods, and the event-driven one after them. */
static thud_error read_method(thud_scene *scene, const thud_node *simulate) {
  enum { MOST_METHODS = 16 };
  const thud_option_key *key = thud_options_find(thud_stepping_option_table(), "method");
  const char *names[MOST_METHODS + 2] = {NULL};
  int count = 0, method = 0;
  for (; count < MOST_METHODS && key->choices[count] != NULL; count++) names[count] = key->choices[count];
  names[count] = event_driven;
  const thud_node *node;
  thud_error error = thud_node_require(simulate, "method", &node);
  if (error == THUD_OK) error = thud_node_read_choice(node, names, &method);
  if (error != THUD_OK) return error;
  thud_scene_lagrangian(scene)->event_driven = method == count;
  if (method < count) thud_scene_lagrangian(scene)->motion.method = method;
  return THUD_OK;
}

/* Equal steps (step or steps), or a tolerance; the event-driven method needs neither. */
static thud_error read_step(thud_scene *scene, const thud_node *simulate) {
  thud_stepping_options *options = &thud_scene_lagrangian(scene)->motion;
  options->start = scene->start;
  options->end = scene->end;
  options->steps = 0;
  bool equal = thud_node_find(simulate, "step") != NULL || thud_node_find(simulate, "steps") != NULL;
  if (options->tolerance > 0 && equal)
    return thud_node_fail(
        simulate, THUD_ERROR_SCHEMA,
        "[contradictory-keys] give either 'tolerance' (controlled steps) or 'step' or 'steps' (equal ones)");
  if (options->tolerance > 0 || (thud_scene_lagrangian(scene)->event_driven && !equal)) return THUD_OK;
  thud_error error = thud_scene_read_given_steps(scene, simulate); /* none: chosen when the system is there */
  options->steps = scene->steps;
  return error;
}

/* What the table cannot say: the series is either chosen (0) or has enough terms. */
static thud_error check_order(const thud_scene *scene, const thud_node *simulate) {
  int order = thud_scene_lagrangian(scene)->event.order;
  if (order == 0 || order >= 4) return THUD_OK;
  return thud_node_fail(
      thud_node_find(simulate, "order"), THUD_ERROR_SCHEMA,
      "[out-of-range] the order of the power series is from 4 to 60, or 0 (chosen from the tolerance), not %d", order);
}

/* A scene of controlled steps that is run event-driven: its tolerance means something else there. */
static thud_error check_tolerance(thud_scene *scene, const thud_node *simulate) {
  const thud_option_key *key = thud_options_find(thud_event_option_table(), "tolerance");
  const thud_node *node = thud_node_find(simulate, key->name);
  double value = 0;
  thud_error error = node != NULL ? thud_scene_read_constant(scene, node, &value) : THUD_OK;
  if (error != THUD_OK || !(value > key->maximum)) return error;
  return thud_node_fail(
      node, THUD_ERROR_SCHEMA,
      "[out-of-range] with the method event-driven 'tolerance' is the truncation of the power series, at most %g, not "
      "%g; a tolerance of controlled steps has to be left out or replaced (%g is usual)",
      key->maximum, value, key->default_value);
}

/* `tolerance` is that of the method; other keys that both tables have mean the same in both. */
static thud_error read_both(thud_scene *scene, const thud_node *simulate) {
  scene_system *made = thud_scene_lagrangian(scene);
  bool events = made->event_driven;
  made->event.start = scene->start;
  made->event.end = scene->end;
  thud_error error = events ? check_tolerance(scene, simulate) : THUD_OK;
  if (error == THUD_OK) error = read_options(scene, simulate, thud_stepping_option_table(), !events, &made->motion);
  if (error == THUD_OK) error = read_options(scene, simulate, thud_event_option_table(), events, &made->event);
  return error == THUD_OK ? check_order(scene, simulate) : error;
}

/* `tolerance` of the solver is that of the velocity problems, for either kind of method. */
static thud_error read_solver_tolerance(thud_scene *scene, const thud_node *simulate, const thud_node *node) {
  if (thud_node_find(simulate, "residual_tolerance") != NULL)
    return thud_node_fail(
        node, THUD_ERROR_SCHEMA,
        "[contradictory-keys] 'tolerance' of the solver is the 'residual_tolerance' of the run: give one of them");
  const thud_option_table *table = thud_stepping_option_table();
  thud_error error = thud_scene_read_option(scene, node, table, thud_options_find(table, "residual_tolerance"),
                                            &thud_scene_lagrangian(scene)->motion);
  thud_scene_lagrangian(scene)->event.residual_tolerance = thud_scene_lagrangian(scene)->motion.residual_tolerance;
  return error;
}

/* `solver`: the registered method that velocity problems go to, and its options. */
static thud_error read_solver(thud_scene *scene, const thud_node *simulate) {
  const thud_option_table *table = thud_solver_option_table();
  const thud_node *solver = thud_node_find(simulate, "solver"), *node;
  thud_percussion_options *options = &thud_scene_lagrangian(scene)->motion.percussion;
  if (solver == NULL) return THUD_OK;
  thud_error error = THUD_OK;
  if ((node = thud_node_find(solver, "method")) != NULL) error = thud_scene_read_solver_method(node, &options->method);
  if (error == THUD_OK && (node = thud_node_find(solver, "tolerance")) != NULL)
    error = read_solver_tolerance(scene, simulate, node);
  return error == THUD_OK ? read_options(scene, solver, table, false, &options->solver) : error;
}

bool thud_scene_asks_for_events(const thud_node *root) {
  const thud_node *simulate = thud_node_find(root, "simulate");
  const thud_node *method = simulate != NULL ? thud_node_find(simulate, "method") : NULL;
  return method != NULL && thud_node_get_kind(method) == THUD_NODE_STRING &&
         strcmp(thud_node_string(method), event_driven) == 0;
}

static thud_error read_simulate(thud_scene *scene, const thud_node *root) {
  const thud_node *simulate = thud_node_find(root, "simulate");
  thud_error error = read_method(scene, simulate);
  if (error == THUD_OK) error = read_both(scene, simulate);
  if (error == THUD_OK) error = read_solver(scene, simulate);
  return error == THUD_OK ? read_step(scene, simulate) : error;
}

thud_error thud_scene_build_lagrangian_start(thud_scene *scene, const thud_node *root) {
  thud_error error = read_simulate(scene, root);
  if (error == THUD_OK)
    error = thud_scene_read_start(scene, root, thud_scene_lagrangian(scene)->velocities,
                                  &thud_scene_lagrangian(scene)->q0, &thud_scene_lagrangian(scene)->v0);
  return error;
}

/* ---- defaults: friction --------------------------------------------------------------------------------------------- */

/* Without a set it is the unit disc, Coulomb's law; with one, mu is 1 where a constraint has the law. */
static thud_error resolve_friction(thud_tree *tree, const thud_node *friction, bool of_constraint) {
  thud_error scaled =
      of_constraint ? thud_resolve_options(tree, friction, thud_system_friction_table(), NULL) : THUD_OK;
  const thud_node *law = thud_resolve_find(friction, "law");
  if (scaled == THUD_OK && !of_constraint && thud_resolve_find(friction, "of") != NULL)
    scaled = thud_resolve_number(tree, friction, "radius", 1);
  if (scaled != THUD_OK) return scaled;
  if (law == NULL) return thud_resolve_text(tree, friction, "law", "disc");
  thud_error error = of_constraint ? thud_resolve_number(tree, friction, "mu", 1) : THUD_OK;
  return error == THUD_OK ? thud_resolve_set(tree, law, thud_resolve_count(thud_resolve_find(friction, "slip")))
                          : error;
}

/* ---- defaults: constraints ----------------------------------------------------------------------------------------- */

static bool is_unilateral(const thud_node *constraint) {
  return thud_resolve_find(constraint, "gap") != NULL || thud_resolve_find(constraint, "phi") != NULL ||
         thud_resolve_find(constraint, "string") != NULL;
}

static thud_error resolve_constraint(thud_tree *tree, const thud_node *constraint, size_t k) {
  char name[40];
  snprintf(name, sizeof name, "constraint%zu", k);
  thud_error error = thud_resolve_text(tree, constraint, "name", name);
  if (error == THUD_OK && is_unilateral(constraint))
    error = thud_resolve_options(tree, constraint, thud_system_unilateral_table(), NULL);
  bool conditional = thud_resolve_find(constraint, "while") != NULL;
  if (error == THUD_OK && !conditional && thud_resolve_find(constraint, "velocity_form") != NULL)
    error = thud_resolve_options(tree, constraint, thud_system_velocity_table(), NULL);
  const thud_node *friction = thud_resolve_find(constraint, "friction");
  return error == THUD_OK && friction != NULL ? resolve_friction(tree, friction, true) : error;
}

/* ---- defaults: percussions ----------------------------------------------------------------------------------------- */

/* One of these keys makes a family of percussions; its defaults are those of families. */
static thud_error resolve_percussion(thud_tree *tree, const thud_node *percussion) {
  static const char *const keys[] = {"index",      "from",      "tail",  "impulse_tail",
                                     "truncation", "tolerance", "limit", "lump"};
  static const char *const tail[] = {"tolerance", NULL};
  bool family = false;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    family = family || thud_resolve_find(percussion, keys[k]) != NULL;
  if (!family || thud_resolve_find(percussion, "every") != NULL) return THUD_OK;
  thud_error error = thud_resolve_text(tree, percussion, "index", "n");
  bool counted = thud_resolve_find(percussion, "truncation") != NULL;
  return error == THUD_OK ? thud_resolve_options(tree, percussion, thud_system_family_table(), counted ? tail : NULL)
                          : error;
}

static thud_error resolve_laws(thud_tree *tree, const thud_node *system) {
  const thud_node *constraints = thud_resolve_find(system, "constraints"), *own = thud_resolve_find(system, "friction");
  thud_error error = THUD_OK;
  for (size_t k = 0; k < thud_resolve_count(constraints) && error == THUD_OK; k++)
    error = resolve_constraint(tree, thud_node_item(constraints, k), k);
  for (size_t k = 0; k < thud_resolve_count(own) && error == THUD_OK; k++)
    error = resolve_friction(tree, thud_node_item(own, k), false);
  const thud_node *percussions = thud_resolve_find(system, "percussions");
  for (size_t k = 0; k < thud_resolve_count(percussions) && error == THUD_OK; k++)
    error = resolve_percussion(tree, thud_node_item(percussions, k));
  return error;
}

/* ---- defaults: impacts --------------------------------------------------------------------------------------------- */

/* A coordinate that the table does not name keeps its velocity. */
static thud_error fill_kept(thud_tree *tree, const thud_node *table, const char *coordinate) {
  char name[THUD_TREE_MAX_KEY + 1];
  return thud_resolve_velocity_name(coordinate, name) ? thud_resolve_text(tree, table, coordinate, name) : THUD_OK;
}

static thud_error resolve_impacts(thud_tree *tree, const thud_node *system) {
  const thud_node *law = thud_resolve_find(system, "impact_law"), *lzb = thud_resolve_find(law, "lzb");
  thud_error error = thud_resolve_options(tree, lzb, thud_system_lzb_table(), NULL);
  if (error != THUD_OK) return error;
  return thud_resolve_names(tree, thud_resolve_find(system, "coordinates"), thud_resolve_find(law, "table"), fill_kept);
}

/* ---- defaults: systems --------------------------------------------------------------------------------------------- */

static thud_error fill_force(thud_tree *tree, const thud_node *forces, const char *coordinate) {
  return thud_resolve_number(tree, forces, coordinate, 0);
}

static thud_error resolve_forces(thud_tree *tree, const thud_node *system) {
  const thud_node *forces;
  thud_error error = thud_resolve_options(tree, system, thud_system_section_table(), NULL);
  if (error == THUD_OK) error = thud_resolve_map(tree, system, "forces", &forces);
  return error == THUD_OK ? thud_resolve_names(tree, thud_resolve_find(system, "coordinates"), forces, fill_force)
                          : error;
}

/* The options of the method; those of other methods may be there and are not used. Those of a solver that is named;
 * without one velocity problems are solved as their sizes ask for. Its tolerance is another name for that of the run. */
static thud_error resolve_simulate(thud_tree *tree, const thud_node *simulate) {
  enum { MOST = 6 };
  const thud_node *solver = thud_resolve_find(simulate, "solver");
  bool events = thud_resolve_is(simulate, "method", event_driven);
  const char *const *elsewhere = events ? of_events : of_times;
  const char *without[MOST] = {NULL};
  size_t count = 0;
  for (; elsewhere[count] != NULL; count++) without[count] = elsewhere[count];
  if (thud_resolve_find(solver, "tolerance") != NULL) without[count] = "residual_tolerance";
  thud_error error = thud_resolve_options(tree, solver, thud_solver_option_table(), of_solver);
  if (error == THUD_OK) error = thud_resolve_options(tree, simulate, stepping_method_table(), NULL);
  if (error != THUD_OK) return error;
  return thud_resolve_options(tree, simulate, events ? thud_event_option_table() : thud_stepping_option_table(),
                              without);
}

thud_error thud_resolve_system(thud_tree *tree) {
  const thud_node *root = thud_tree_root(tree), *system = thud_node_find(root, "system");
  const thud_node *coordinates = thud_resolve_find(system, "coordinates");
  thud_error error = resolve_forces(tree, system);
  if (error == THUD_OK) error = resolve_laws(tree, system);
  if (error == THUD_OK) error = resolve_impacts(tree, system);
  if (error == THUD_OK) error = thud_resolve_velocities(tree, coordinates);
  if (error == THUD_OK) error = resolve_simulate(tree, thud_node_find(root, "simulate"));
  return error == THUD_OK ? thud_resolve_units(tree, coordinates) : error;
}
