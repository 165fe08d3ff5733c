/* Defaults of Lagrangian systems. */
#include "scene/resolve.h"
#include "thud/event.h"

#include <stdio.h>

/* ---- friction --------------------------------------------------------------------------------------------------- */

/* Without a set it is the unit disc, Coulomb's law; with one, mu is 1 where a constraint has the law. */
static thud_error resolve_friction(thud_tree *tree, const thud_node *friction, bool of_constraint) {
  thud_error scaled = of_constraint ? thud_resolve_number(tree, friction, "normal_scale", 1) : THUD_OK;
  const thud_node *law = thud_resolve_find(friction, "law");
  if (scaled != THUD_OK) return scaled;
  if (law == NULL) return thud_resolve_text(tree, friction, "law", "disc");
  thud_error error = of_constraint ? thud_resolve_number(tree, friction, "mu", 1) : THUD_OK;
  return error == THUD_OK ? thud_resolve_set(tree, law, thud_resolve_count(thud_resolve_find(friction, "slip")))
                          : error;
}

/* ---- constraints ------------------------------------------------------------------------------------------------ */

static bool is_unilateral(const thud_node *constraint) {
  return thud_resolve_find(constraint, "gap") != NULL || thud_resolve_find(constraint, "phi") != NULL ||
         thud_resolve_find(constraint, "string") != NULL;
}

static thud_error resolve_constraint(thud_tree *tree, const thud_node *constraint, size_t k) {
  char name[40];
  snprintf(name, sizeof name, "constraint%zu", k);
  thud_error error = thud_resolve_text(tree, constraint, "name", name);
  if (error == THUD_OK && is_unilateral(constraint)) error = thud_resolve_number(tree, constraint, "restitution", 0);
  if (error == THUD_OK && thud_resolve_find(constraint, "velocity_form") != NULL)
    error = thud_resolve_flag(tree, constraint, "one_sided", false);
  const thud_node *friction = thud_resolve_find(constraint, "friction");
  return error == THUD_OK && friction != NULL ? resolve_friction(tree, friction, true) : error;
}

/* ---- percussions ------------------------------------------------------------------------------------------------ */

/* One of these keys makes a family of percussions; its defaults are those of families. */
static thud_error resolve_percussion(thud_tree *tree, const thud_node *percussion) {
  static const char *const keys[] = {"index",      "from",      "tail",  "impulse_tail",
                                     "truncation", "tolerance", "limit", "lump"};
  bool family = false;
  for (size_t k = 0; k < sizeof keys / sizeof *keys; k++)
    family = family || thud_resolve_find(percussion, keys[k]) != NULL;
  if (!family || thud_resolve_find(percussion, "every") != NULL) return THUD_OK;
  thud_error error = thud_resolve_text(tree, percussion, "index", "n");
  if (error == THUD_OK) error = thud_resolve_number(tree, percussion, "from", 0);
  if (error == THUD_OK && thud_resolve_find(percussion, "truncation") == NULL)
    error = thud_resolve_number(tree, percussion, "tolerance", 1e-15);
  return error == THUD_OK ? thud_resolve_flag(tree, percussion, "lump", false) : error;
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

/* ---- impacts ---------------------------------------------------------------------------------------------------- */

/* A coordinate that the table does not name keeps its velocity. */
static thud_error fill_kept(thud_tree *tree, const thud_node *table, const char *coordinate) {
  char name[THUD_TREE_MAX_KEY + 1];
  return thud_resolve_velocity_name(coordinate, name) ? thud_resolve_text(tree, table, coordinate, name) : THUD_OK;
}

static thud_error resolve_impacts(thud_tree *tree, const thud_node *system) {
  const thud_option_table *table = thud_percussion_option_table();
  thud_error error = thud_resolve_option(tree, system, "impact_law", table, "law");
  if (error == THUD_OK) error = thud_resolve_option(tree, system, "on_energy_gain", table, "on_energy_gain");
  if (error == THUD_OK) error = thud_resolve_flag(tree, system, "allow_any_restitution", false);
  const thud_node *law = thud_resolve_find(system, "impact_law"), *lzb = thud_resolve_find(law, "lzb");
  if (error == THUD_OK) error = thud_resolve_option(tree, lzb, "stiffness_ratio", table, "lzb_stiffness_ratio");
  if (error == THUD_OK) error = thud_resolve_option(tree, lzb, "exponent", table, "lzb_exponent");
  if (error != THUD_OK) return error;
  return thud_resolve_names(tree, thud_resolve_find(system, "coordinates"), thud_resolve_find(law, "table"), fill_kept);
}

/* ---- systems ---------------------------------------------------------------------------------------------------- */

static thud_error fill_force(thud_tree *tree, const thud_node *forces, const char *coordinate) {
  return thud_resolve_number(tree, forces, coordinate, 0);
}

static thud_error resolve_forces(thud_tree *tree, const thud_node *system) {
  const thud_node *forces;
  thud_error error = thud_resolve_number(tree, system, "potential_energy", 0);
  if (error == THUD_OK) error = thud_resolve_map(tree, system, "forces", &forces);
  return error == THUD_OK ? thud_resolve_names(tree, thud_resolve_find(system, "coordinates"), forces, fill_force)
                          : error;
}

/* The options of the method; those of other methods may be there and are not used. Those of a solver that is named;
 * without one velocity problems are solved as their sizes ask for. Its tolerance is another name for that of the run.
 */
static thud_error resolve_simulate(thud_tree *tree, const thud_node *simulate) {
  static const char *const given[] = {"method", "start", "end", "steps", "fork", "residual_tolerance"};
  static const char *const other[] = {"tolerance"};
  const thud_node *solver = thud_resolve_find(simulate, "solver");
  bool events = thud_resolve_is(simulate, "method", "event-driven"),
       own = thud_resolve_find(solver, "tolerance") == NULL;
  thud_error error = thud_resolve_options(tree, solver, thud_solver_option_table(), other, 1);
  if (error != THUD_OK) return error;
  return thud_resolve_options(tree, simulate, events ? thud_event_option_table() : thud_stepping_option_table(), given,
                              sizeof given / sizeof *given - own);
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
