/* Scenes of systems that a C program has made: the driver of all scenes runs and records them. What stands for the
 * scene in records is a description in the scene format that has `functions: true` in the place of formulas. */
#include "base/base.h"
#include "base/json.h"
#include "model/system.h"
#include "kinds/kinds.h"
#include "run/run.h"
#include "kinds/system/system_scene.h"
#include "tree/tree_json.h"

#include <math.h>
#include <string.h>

/* ---- the description --------------------------------------------------------------------------------------------- */

static void write_option(thud_json *json, const thud_option_key *key, const void *options) {
  double value = thud_options_get_number(key, options);
  if (!isfinite(value)) return; /* the default */
  thud_json_key(json, key->name);
  switch (key->type) {
  case THUD_OPTION_BOOL: thud_json_bool(json, value != 0); break;
  case THUD_OPTION_INT: thud_json_integer(json, (int64_t)value); break;
  case THUD_OPTION_REAL: thud_json_number(json, value); break;
  case THUD_OPTION_CHOICE: thud_json_string(json, key->choices[(size_t)value]); break;
  }
}

/* Every option but the ones that stand elsewhere. */
static void write_options(thud_json *json, const thud_option_table *table, const void *options,
                          const char *const *without) {
  for (size_t k = 0; k < table->count; k++) {
    bool elsewhere = false;
    for (size_t j = 0; without[j] != NULL; j++) elsewhere = elsewhere || strcmp(without[j], table->keys[k].name) == 0;
    if (!elsewhere) write_option(json, &table->keys[k], options);
  }
}

static void write_names(thud_json *json, const char *key, size_t count, char *const *names) {
  thud_json_key(json, key);
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < count; k++) thud_json_string(json, names[k]);
  thud_json_end_array(json);
}

static void write_mass(thud_json *json, const thud_system *system) {
  if (!system->constant_mass) return;
  thud_json_key(json, "mass");
  thud_json_begin_array(json);
  for (size_t i = 0; i < system->n; i++) {
    thud_json_begin_flat_array(json);
    for (size_t j = 0; j < system->n; j++)
      thud_json_number(json, thud_model_number(system, MODEL_MASS, system->constant[MODEL_MASS], i, j));
    thud_json_end_array(json);
  }
  thud_json_end_array(json);
}

static void write_constraints(thud_json *json, const thud_system *system) {
  static const char *const kinds[] = {[THUD_CONSTRAINT_UNILATERAL] = "unilateral",
                                      [THUD_CONSTRAINT_BILATERAL] = "bilateral",
                                      [THUD_CONSTRAINT_VELOCITY] = "velocity",
                                      [THUD_CONSTRAINT_VELOCITY_ONE_SIDED] = "velocity-one-sided"};
  bool constant = (system->variable & MODEL_BIT(MODEL_RESTITUTION)) == 0;
  thud_json_key(json, "constraints");
  thud_json_begin_array(json);
  for (size_t i = 0; i < system->m; i++) {
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", system->constraints[i].name);
    thud_json_string_field(json, "kind", kinds[system->constraints[i].kind]);
    if (constant) thud_json_number_field(json, "restitution", system->constraints[i].restitution);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_friction(thud_json *json, const thud_system *system) {
  thud_json_key(json, "friction");
  thud_json_begin_array(json);
  for (size_t k = 0; k < system->laws; k++) {
    const thud_friction_def *law = &system->friction[k];
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", law->name);
    if (law->constraint >= 0) thud_json_string_field(json, "constraint", system->constraints[law->constraint].name);
    thud_json_string_field(json, "kind",
                           law->kind == THUD_FRICTION_SET    ? "set"
                           : law->kind == THUD_FRICTION_FIRM ? "firm"
                                                             : "disc");
    thud_json_integer_field(json, "directions", law->directions);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

static void write_system(thud_json *json, const thud_scene *scene, const thud_percussion_options *percussion) {
  static const char *const without[] = {"law", "on_energy_gain", "tolerance", NULL};
  const thud_option_table *table = thud_percussion_option_table();
  const char *const *laws = thud_options_find(table, "law")->choices;
  const char *const *gains = thud_options_find(table, "on_energy_gain")->choices;
  thud_json_key(json, "system");
  thud_json_begin_object(json);
  thud_json_key(json, "functions");
  thud_json_bool(json, true);
  write_names(json, "coordinates", (size_t)scene->dimension, scene->coordinates);
  write_mass(json, thud_scene_lagrangian(scene)->system);
  write_constraints(json, thud_scene_lagrangian(scene)->system);
  write_friction(json, thud_scene_lagrangian(scene)->system);
  thud_json_key(json, "impact_law");
  if (percussion->law == THUD_IMPACT_TABLE) { /* a map of the program's own */
    thud_json_begin_object(json);
    thud_json_key(json, "table");
    thud_json_begin_object(json);
    thud_json_end_object(json);
    thud_json_end_object(json);
  } else {
    thud_json_string(json, laws[percussion->law]);
  }
  thud_json_string_field(json, "on_energy_gain", gains[percussion->on_energy_gain]);
  thud_json_key(json, "percussion");
  thud_json_begin_object(json);
  write_options(json, table, percussion, without);
  thud_json_end_object(json);
  thud_json_end_object(json);
}

static void write_simulate(thud_json *json, const scene_system *made) {
  static const char *const none[] = {NULL}, *const hidden[] = {"fork", NULL};
  thud_json_key(json, "simulate");
  thud_json_begin_object(json);
  if (made->event_driven) {
    thud_json_string_field(json, "method", thud_kind_event_driven.name);
    write_options(json, thud_event_option_table(), &made->event, hidden);
  } else {
    write_options(json, thud_stepping_option_table(), &made->motion, none);
  }
  thud_json_end_object(json);
}

static void write_rest(thud_json *json, const thud_scene *scene) {
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_json_key(json, "initial");
  thud_json_begin_object(json);
  for (thud_index k = 0; k < scene->dimension; k++) {
    thud_json_number_field(json, scene->coordinates[k], made->q0[k]);
    thud_json_number_field(json, made->velocities[k], made->v0[k]);
  }
  thud_json_end_object(json);
  write_simulate(json, made);
  thud_json_key(json, "record");
  thud_json_begin_object(json);
  if (scene->record_every > 0) thud_json_number_field(json, "every", scene->record_every);
  if (scene->checkpoint_every > 0) thud_json_number_field(json, "checkpoint_every", scene->checkpoint_every);
  thud_json_end_object(json);
}

/* What the expressions that are left (of pictures) may use; the root of a resolved scene, NULL: a C program has made the
 * system. */
static void write_given(thud_json *json, const thud_node *root) {
  static const char *const maps[] = {"parameters", "data"}, *const others[] = {"definitions", "draw"};
  for (size_t k = 0; k < sizeof maps / sizeof *maps; k++) {
    const thud_node *given = thud_node_find(root, maps[k]);
    thud_json_key(json, maps[k]);
    if (given != NULL) {
      thud_node_write_json(json, given);
      continue;
    }
    thud_json_begin_object(json);
    thud_json_end_object(json);
  }
  for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
    const thud_node *given = thud_node_find(root, others[k]);
    if (given == NULL) continue;
    thud_json_key(json, others[k]);
    thud_node_write_json(json, given);
  }
}

static thud_error describe(thud_scene *scene, const thud_node *root) {
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_text text = thud_text_new(scene->context);
  thud_json json = thud_json_new(&text);
  thud_json_begin_object(&json);
  thud_json_integer_field(&json, "thud", 1);
  thud_json_string_field(&json, "title", scene->title);
  thud_json_key(&json, "units");
  thud_json_begin_object(&json);
  for (thud_index k = 0; k < scene->dimension; k++)
    thud_json_string_field(&json, scene->coordinates[k], scene->units[k]);
  thud_json_string_field(&json, "t", scene->time_unit);
  thud_json_end_object(&json);
  write_given(&json, root);
  write_system(&json, scene, made->event_driven ? &made->event.percussion : &made->motion.percussion);
  write_rest(&json, scene);
  thud_json_end_object(&json);
  thud_error error = thud_run_hand_out(&text, &scene->text);
  if (error != THUD_OK) return error;
  scene->resolved = thud_strdup(scene->context, scene->text); /* nothing was left to a default */
  return scene->resolved != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- the scene --------------------------------------------------------------------------------------------------- */

static thud_error check_definition(thud_context *context, const thud_system_scene *def) {
  const char *wrong = NULL;
  if (def == NULL || def->system == NULL || def->q0 == NULL || def->v0 == NULL)
    wrong = "a system and its initial state are needed";
  else if ((def->stepping == NULL) == (def->event == NULL))
    wrong = "give either options for time stepping or event-driven ones";
  else if (!(def->record_every >= 0 && def->checkpoint_every >= 0))
    wrong = "record_every and checkpoint_every must be at least 0";
  return wrong == NULL ? THUD_OK : thud_fail(context, THUD_ERROR_ARGUMENT, "scene of a system: %s", wrong);
}

static thud_error copy_text(thud_scene *scene, const char *text, char **copy) {
  *copy = thud_strdup(scene->context, text);
  return *copy != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error copy_names(thud_scene *scene, const thud_system_scene *def) {
  size_t n = (size_t)thud_system_dimension(def->system);
  thud_error error = copy_text(scene, def->title != NULL ? def->title : "", &scene->title);
  if (error == THUD_OK) error = copy_text(scene, def->time_unit != NULL ? def->time_unit : "s", &scene->time_unit);
  scene->coordinates = THUD_NEW_ARRAY(scene->context, char *, n);
  scene->units = THUD_NEW_ARRAY(scene->context, char *, n);
  scene->dimension = (thud_index)n;
  if (scene->coordinates == NULL || scene->units == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < n && error == THUD_OK; k++) {
    const char *unit = def->units != NULL ? def->units[k] : NULL;
    error = copy_text(scene, thud_system_coordinate(def->system, (thud_index)k), &scene->coordinates[k]);
    if (error == THUD_OK) error = copy_text(scene, unit != NULL ? unit : "", &scene->units[k]);
  }
  return error == THUD_OK ? thud_scene_name_velocities(scene, &thud_scene_lagrangian(scene)->velocities) : error;
}

static thud_error copy_start(thud_scene *scene, const thud_system_scene *def) {
  scene_system *made = thud_scene_lagrangian(scene);
  size_t n = (size_t)scene->dimension;
  made->q0 = THUD_NEW_ARRAY(scene->context, double, n);
  made->v0 = THUD_NEW_ARRAY(scene->context, double, n);
  if (made->q0 == NULL || made->v0 == NULL) return THUD_ERROR_MEMORY;
  memcpy(made->q0, def->q0, n * sizeof(double));
  memcpy(made->v0, def->v0, n * sizeof(double));
  return THUD_OK;
}

static thud_error take_options(thud_scene *scene, const thud_system_scene *def) {
  scene_system *made = thud_scene_lagrangian(scene);
  made->system = def->system;
  made->functions = true;
  made->event_driven = def->event != NULL;
  thud_error error = thud_options_take(scene->context, thud_stepping_option_table(), def->stepping, &made->motion);
  if (error == THUD_OK) error = thud_options_take(scene->context, thud_event_option_table(), def->event, &made->event);
  scene->start = made->event_driven ? made->event.start : made->motion.start;
  scene->end = made->event_driven ? made->event.end : made->motion.end;
  scene->steps = made->event_driven ? 0 : made->motion.steps;
  scene->record_every = def->record_every;
  scene->checkpoint_every = def->checkpoint_every;
  scene->kind = made->event_driven ? &thud_kind_event_driven : &thud_kind_stepping;
  return error;
}

static thud_error build(thud_scene *scene, const thud_system_scene *def) {
  scene->model = THUD_NEW(scene->context, scene_system);
  scene->free_model = thud_scene_free_system;
  if (thud_scene_lagrangian(scene) == NULL) return THUD_ERROR_MEMORY;
  thud_error error = take_options(scene, def);
  if (error == THUD_OK) error = copy_names(scene, def);
  if (error == THUD_OK) error = copy_start(scene, def);
  if (error == THUD_OK) error = describe(scene, NULL);
  if (error == THUD_OK) error = scene->kind->build(scene, NULL, &scene->motion);
  return error == THUD_OK ? thud_run_keep_start(scene) : error;
}

thud_error thud_scene_create_system(thud_context *context, const thud_system_scene *def, thud_scene **scene) {
  THUD_REQUIRE(context, context, def, scene);
  thud_error error = check_definition(context, def);
  thud_scene *made = error == THUD_OK ? THUD_NEW(context, thud_scene) : NULL;
  if (made == NULL) return error == THUD_OK ? THUD_ERROR_MEMORY : error;
  made->context = context;
  error = build(made, def);
  if (error == THUD_OK)
    *scene = made;
  else
    thud_scene_destroy(made);
  return error;
}

/* ---- formulas and functions ------------------------------------------------------------------------------------------ */

/* What stands for the scene in records has none of the formulas that functions have replaced. */
static thud_error describe_replaced(thud_scene *scene) {
  char *text = scene->text, *resolved = scene->resolved;
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(scene->context, "scene", resolved, strlen(resolved), &tree);
  if (error != THUD_OK) return error;
  scene->text = scene->resolved = NULL;
  error = describe(scene, thud_tree_root(tree));
  thud_tree_destroy(tree);
  thud_free(scene->context, text);
  thud_free(scene->context, resolved);
  thud_free(scene->context, scene->source);
  scene->source = NULL;
  return error;
}

thud_error thud_scene_build_functions(thud_context *context, const thud_tree *tree, size_t count,
                                      const thud_system_replacement *replacements, thud_scene **scene) {
  THUD_REQUIRE(context, context, tree, replacements, scene);
  const thud_kind *kind = thud_run_kind_of(thud_tree_root(tree));
  if (count < 1 || (kind != NULL && strcmp(kind->section, thud_kind_stepping.section) != 0))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[program-functions] functions replace formulas of scenes of the kind 'system' alone");
  thud_scene *made = NULL;
  const scene_program program = {.replacement_count = count, .replacements = replacements};
  thud_error error = thud_run_build_program(context, tree, &program, &made);
  if (error == THUD_OK) error = describe_replaced(made);
  if (error == THUD_OK)
    *scene = made;
  else
    thud_scene_destroy(made);
  return error;
}
