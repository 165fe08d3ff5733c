/* Making Lagrangian systems: the definition is copied, so that the caller's arrays may go. */
#include "model/system.h"

#include "base/base.h"
#include "model/factors.h"
#include "model/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* The given name, or "constraint 3" where there is none; NULL: no memory. */
static char *copy_name(thud_context *context, const char *name, const char *kind, size_t index) {
  char made[64];
  snprintf(made, sizeof made, "%s %zu", kind, index);
  return thud_strdup(context, name != NULL ? name : made);
}

static thud_error copy_constraints(const thud_system_def *def, thud_system *system) {
  system->constraints = THUD_NEW_ARRAY(system->context, thud_constraint_def, system->m);
  if (system->constraints == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < system->m; i++) {
    system->constraints[i] = def->constraints[i];
    system->constraints[i].name = copy_name(system->context, def->constraints[i].name, "constraint", i);
    if (system->constraints[i].name == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

/* Friction sets contain 0 (no motion needs no force) up to this distance. */
#define ORIGIN_TOLERANCE 1e-10

/* Some direction +-e_i in which the set is unbounded: 2 i + (sign < 0), or -1. */
static thud_error find_unbounded_direction(thud_context *context, thud_set *set, thud_index *direction) {
  thud_set_abilities abilities = thud_set_get_abilities(set);
  thud_index n = thud_set_dimension(set);
  *direction = -1;
  if (abilities.is_bounded || abilities.support == THUD_UNAVAILABLE) return THUD_OK;
  double *d = THUD_NEW_ARRAY(context, double, n);
  if (d == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < 2 * n && error == THUD_OK && *direction < 0; i++) {
    double value = 0;
    d[i / 2] = i % 2 == 0 ? 1 : -1;
    error = thud_set_support(set, d, &value, NULL, NULL);
    d[i / 2] = 0;
    if (value == INFINITY) *direction = i;
  }
  thud_free(context, d);
  return error;
}

/* 0 in C; C bounded where a normal reaction scales it. Queries need a set that may be written: the clone. */
static thud_error check_set(thud_context *context, const thud_friction_def *law, thud_set *set) {
  double distance = 0;
  thud_index direction = -1;
  double *origin = THUD_NEW_ARRAY(context, double, law->directions);
  if (origin == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_set_distance(set, NULL, origin, &distance, NULL);
  thud_free(context, origin);
  if (error == THUD_OK && law->constraint >= 0) error = find_unbounded_direction(context, set, &direction);
  if (error != THUD_OK) return error;
  if (!(distance <= ORIGIN_TOLERANCE))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-friction] the set of forces must contain 0, whose distance from this %s is %.9g",
                     thud_set_kind(set), distance);
  if (direction >= 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-friction] the set of forces is unbounded along %c e_%d; a set that a normal reaction scales "
                     "must be bounded",
                     direction % 2 == 0 ? '+' : '-', (int)(direction / 2));
  return THUD_OK;
}

static thud_error copy_law(const thud_friction_def *law, size_t k, thud_system *system) {
  thud_context *context = system->context;
  thud_friction_def *copy = &system->friction[k];
  *copy = *law;
  copy->set = NULL;
  copy->name = copy_name(context, law->name, "law", k);
  if (copy->name == NULL) return THUD_ERROR_MEMORY;
  system->s += (size_t)law->directions;
  if (law->kind != THUD_FRICTION_SET) return THUD_OK;
  thud_set *set = NULL;
  thud_error error = thud_set_clone(context, law->set, &set);
  if (error != THUD_OK) return error;
  copy->set = set;
  error = check_set(context, law, set);
  return error == THUD_OK ? THUD_OK : thud_fail_within(context, error, "system: friction law '%s'", copy->name);
}

static thud_error copy_friction(const thud_system_def *def, thud_system *system) {
  system->friction = THUD_NEW_ARRAY(system->context, thud_friction_def, system->laws);
  if (system->friction == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < system->laws && error == THUD_OK; k++) error = copy_law(&def->friction[k], k, system);
  return error == THUD_OK ? thud_model_find_factors(system) : error;
}

static thud_error copy_coordinates(const thud_system_def *def, thud_system *system) {
  system->coordinates = THUD_NEW_ARRAY(system->context, char *, system->n);
  if (system->coordinates == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < system->n; i++) {
    system->coordinates[i] = thud_strdup(system->context, def->coordinates[i]);
    if (system->coordinates[i] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

thud_error thud_model_set_constant(thud_system *system, model_array array, const double *numbers) {
  size_t count = thud_model_array_size(system, array);
  double *copy = THUD_NEW_ARRAY(system->context, double, count);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, numbers, count * sizeof *copy);
  thud_free(system->context, system->constant[array]);
  system->constant[array] = copy;
  return THUD_OK;
}

static thud_error copy_mass(const thud_system_def *def, thud_system *system) {
  bool full = system->pattern[MODEL_MASS].start == NULL;
  if (full) {
    system->mass_factor = THUD_NEW_ARRAY(system->context, double, system->n * system->n);
    if (system->mass_factor == NULL) return THUD_ERROR_MEMORY;
  }
  if (def->mass == NULL) return THUD_OK;
  for (size_t k = 0; k < thud_model_array_size(system, MODEL_MASS); k++)
    if (!isfinite(def->mass[k])) {
      char what[256];
      thud_model_describe(system, MODEL_MASS, thud_model_full_index(system, MODEL_MASS, k), what, sizeof what);
      return thud_fail(system->context, THUD_ERROR_NOT_FINITE, "system: the %s is %g", what, def->mass[k]);
    }
  thud_error error = thud_model_set_constant(system, MODEL_MASS, def->mass);
  if (error != THUD_OK) return error;
  system->constant_mass = true;
  if (!full) return THUD_OK; /* values have factors of their own */
  return thud_model_factorise(system, system->context, system->constant[MODEL_MASS], system->mass_factor);
}

static thud_error copy_restitution(const thud_system_def *def, thud_system *system) {
  double *restitution = THUD_NEW_ARRAY(system->context, double, system->m);
  if (restitution == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < system->m; i++) restitution[i] = def->constraints[i].restitution;
  system->constant[MODEL_RESTITUTION] = restitution;
  return THUD_OK;
}

thud_error thud_model_create_bare(thud_context *context, const thud_system_def *def, thud_system **system) {
  thud_system *made = THUD_NEW(context, thud_system);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->n = (size_t)def->n;
  made->m = (size_t)def->m;
  made->laws = (size_t)def->laws;
  made->allow_any_restitution = def->allow_any_restitution;
  thud_error error = copy_coordinates(def, made);
  if (error == THUD_OK) error = copy_constraints(def, made);
  if (error == THUD_OK) error = copy_friction(def, made);
  if (error == THUD_OK) error = thud_model_copy_patterns(def, made);
  if (error == THUD_OK) error = copy_mass(def, made);
  if (error == THUD_OK) error = copy_restitution(def, made);
  if (error == THUD_OK) error = thud_loads_copy(made, &def->loads);
  if (error != THUD_OK) {
    thud_system_destroy(made);
    return error;
  }
  *system = made;
  return THUD_OK;
}

static thud_error check_functions(thud_context *context, const thud_system_def *def) {
  const thud_system_functions *functions = &def->functions;
  const char *wrong = NULL;
  bool positions = false;
  for (thud_index i = 0; i < def->m; i++)
    positions = positions || def->constraints[i].kind == THUD_CONSTRAINT_UNILATERAL ||
                def->constraints[i].kind == THUD_CONSTRAINT_BILATERAL;
  if ((def->mass == NULL) == (functions->mass == NULL))
    wrong = "give either `mass` (constant) or `functions.mass`, one of the two";
  else if ((functions->potential == NULL) != (functions->potential_gradient == NULL))
    wrong = "`functions.potential` and `functions.potential_gradient` belong together: give both or none";
  else if (positions && functions->constraint == NULL)
    wrong = "there are unilateral or bilateral constraints but no `functions.constraint`";
  else if (def->m > 0 && functions->gradient == NULL)
    wrong = "there are constraints but no `functions.gradient`";
  else if (def->laws > 0 && (functions->slip == NULL || functions->friction == NULL))
    wrong = "there are friction laws: `functions.slip` and `functions.friction` are needed";
  return wrong == NULL ? THUD_OK : thud_fail(context, THUD_ERROR_ARGUMENT, "system: %s", wrong);
}

thud_error thud_system_create(thud_context *context, const thud_system_def *def, thud_system **system) {
  THUD_REQUIRE(context, context, def, system);
  thud_error error = thud_model_check_definition(context, def);
  if (error == THUD_OK) error = thud_model_check_size(context, def);
  if (error == THUD_OK) error = check_functions(context, def);
  if (error != THUD_OK) return error;
  thud_system *made = NULL;
  error = thud_model_create_bare(context, def, &made);
  if (error != THUD_OK) return error;
  thud_model_adopt_functions(&def->functions, made);
  error = thud_model_note_no_jacobians(made);
  if (error != THUD_OK) {
    thud_system_destroy(made);
    return error;
  }
  *system = made;
  return THUD_OK;
}

void thud_system_destroy(thud_system *system) {
  if (system == NULL) return;
  thud_context *context = system->context;
  if (system->source != NULL && system->source->destroy != NULL) system->source->destroy(system);
  for (size_t i = 0; system->coordinates != NULL && i < system->n; i++) thud_free(context, system->coordinates[i]);
  /* The names were allocated here: casting the const of the public struct away is sound. */
  for (size_t i = 0; system->constraints != NULL && i < system->m; i++)
    thud_free(context, (void *)system->constraints[i].name);
  for (size_t k = 0; system->friction != NULL && k < system->laws; k++) {
    thud_free(context, (void *)system->friction[k].name);
    thud_set_destroy((thud_set *)system->friction[k].set);
  }
  thud_free(context, system->coordinates);
  thud_free(context, system->constraints);
  thud_free(context, system->friction);
  thud_model_free_factors(system);
  thud_model_destroy_thresholds(context, system->thresholds);
  for (model_array array = 0; array < MODEL_ARRAYS; array++) {
    thud_free(context, system->constant[array]);
    thud_free(context, system->pattern[array].start);
    thud_free(context, system->pattern[array].column);
  }
  thud_free(context, system->mass_factor);
  thud_loads_free(system);
  thud_free(context, system);
}

thud_index thud_system_dimension(const thud_system *system) {
  THUD_REQUIRE_OR(0, system);
  return (thud_index)system->n;
}
thud_index thud_system_constraint_count(const thud_system *system) {
  THUD_REQUIRE_OR(0, system);
  return (thud_index)system->m;
}
thud_index thud_system_friction_count(const thud_system *system) {
  THUD_REQUIRE_OR(0, system);
  return (thud_index)system->laws;
}
thud_index thud_system_slip_count(const thud_system *system) {
  THUD_REQUIRE_OR(0, system);
  return (thud_index)system->s;
}
bool thud_system_has_constant_mass(const thud_system *system) {
  THUD_REQUIRE_OR(false, system);
  return system->constant_mass;
}
bool thud_system_has_patterns(const thud_system *system) {
  THUD_REQUIRE_OR(false, system);
  return system->has_patterns;
}

const char *thud_system_coordinate(const thud_system *system, thud_index i) {
  THUD_REQUIRE_OR(NULL, system);
  return i >= 0 && (size_t)i < system->n ? system->coordinates[i] : NULL;
}
const thud_constraint_def *thud_system_constraint(const thud_system *system, thud_index i) {
  THUD_REQUIRE_OR(NULL, system);
  return i >= 0 && (size_t)i < system->m ? &system->constraints[i] : NULL;
}
const thud_friction_def *thud_system_friction(const thud_system *system, thud_index k) {
  THUD_REQUIRE_OR(NULL, system);
  return k >= 0 && (size_t)k < system->laws ? &system->friction[k] : NULL;
}
