/* Making systems of expressions: constants apart from what changes, programs for the latter. */
#include "model/thresholds.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* ---- programs --------------------------------------------------------------------------------------------------- */

/* The numbers of an array whose values are all constant and finite; false when they are not (a derivative that is
 * infinite everywhere is left to the evaluation, which explains it). numbers: zeros, and again where false. */
static bool constant_array(const model_builder *builder, model_array array, double *numbers) {
  const model_values *values = &builder->array[array];
  double number;
  for (size_t k = 0; k < values->count; k++)
    if (!thud_expr_graph_is_constant(builder->graph, values->value[k], &number) || !isfinite(number)) return false;
  for (size_t k = 0; k < values->count; k++)
    thud_expr_graph_is_constant(builder->graph, values->value[k], &numbers[values->place[k]]);
  return true;
}

/* Constant arrays are put into the system; *variable receives the others. */
static thud_error split_constants(const model_builder *builder, thud_system *system, unsigned *variable) {
  size_t most = 0;
  for (model_array array = 0; array < MODEL_ARRAYS; array++)
    if (thud_model_array_size(system, array) > most) most = thud_model_array_size(system, array);
  double *numbers = THUD_NEW_ARRAY(system->context, double, most);
  if (numbers == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  *variable = 0;
  for (model_array array = 0; array < MODEL_ARRAYS && error == THUD_OK; array++) {
    const model_values *values = &builder->array[array];
    if (!constant_array(builder, array, numbers))
      *variable |= MODEL_BIT(array);
    else if (array != MODEL_MASS)
      error = thud_model_set_constant(system, array, numbers);
    if (!(*variable & MODEL_BIT(array)))
      for (size_t k = 0; k < values->count; k++) numbers[values->place[k]] = 0;
  }
  thud_free(system->context, numbers);
  return error;
}

static thud_error add_bundle(const model_builder *builder, thud_system *system, unsigned arrays, bool at_rest) {
  struct model_expressions *expressions = system->expressions;
  for (size_t k = 0; k < expressions->bundle_count; k++)
    if (expressions->bundles[k].arrays == arrays) return THUD_OK;
  if (arrays == 0) return THUD_OK;
  model_bundle *made = &expressions->bundles[expressions->bundle_count];
  *made = (model_bundle){.arrays = arrays, .at_rest = at_rest};
  for (model_array array = 0; array < MODEL_ARRAYS; array++)
    if (arrays & MODEL_BIT(array)) made->outputs += made->share[array] = builder->array[array].count;
  if (made->outputs > INT32_MAX)
    return thud_fail(system->context, THUD_ERROR_OVERFLOW, "system: %zu numbers in one array of gradients are too many",
                     made->outputs);
  thud_expr_value *values = THUD_NEW_ARRAY(system->context, thud_expr_value, made->outputs);
  made->place = THUD_NEW_ARRAY(system->context, size_t, made->outputs);
  thud_error error = values != NULL && made->place != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  size_t next = 0;
  for (model_array array = 0; array < MODEL_ARRAYS && error == THUD_OK; array++) {
    if (made->share[array] == 0) continue;
    memcpy(values + next, builder->array[array].value, made->share[array] * sizeof *values);
    memcpy(made->place + next, builder->array[array].place, made->share[array] * sizeof *made->place);
    next += made->share[array];
  }
  if (error == THUD_OK)
    error = thud_expr_program_create(builder->graph, (thud_index)made->outputs, values, &made->program);
  thud_free(system->context, values);
  if (error != THUD_OK) return error;
  expressions->bundle_count++;
  if (made->outputs > expressions->most_outputs) expressions->most_outputs = made->outputs;
  return THUD_OK;
}

/* The parts that integrators ask for, alone and together; large ones first. */
static thud_error add_bundles(const model_builder *builder, thud_system *system, unsigned variable) {
  const unsigned force = MODEL_BIT(MODEL_INERTIA) | MODEL_BIT(MODEL_APPLIED) | MODEL_BIT(MODEL_POTENTIAL_GRADIENT);
  const unsigned gradient = MODEL_BIT(MODEL_GRADIENT) | MODEL_BIT(MODEL_RATE);
  const unsigned wanted[] = {force | MODEL_BIT(MODEL_MASS),
                             gradient | MODEL_BIT(MODEL_GAP),
                             force,
                             gradient,
                             MODEL_BIT(MODEL_SLIP) | MODEL_BIT(MODEL_SLIP_RATE) | MODEL_BIT(MODEL_FRICTION),
                             MODEL_BIT(MODEL_FORCE_DQ) | MODEL_BIT(MODEL_FORCE_DV),
                             MODEL_BIT(MODEL_MASS),
                             MODEL_BIT(MODEL_GAP),
                             MODEL_BIT(MODEL_RESTITUTION),
                             MODEL_BIT(MODEL_POTENTIAL)};
  unsigned resting = 0;
  bool depends = false;
  thud_error error = thud_model_depends_on_velocity(builder, &builder->array[MODEL_RATE], &depends);
  if (depends) resting |= MODEL_BIT(MODEL_RATE) & variable;
  if (error == THUD_OK) error = thud_model_depends_on_velocity(builder, &builder->array[MODEL_SLIP_RATE], &depends);
  if (depends) resting |= MODEL_BIT(MODEL_SLIP_RATE) & variable;
  for (size_t k = 0; k < sizeof wanted / sizeof wanted[0] && error == THUD_OK; k++)
    error = add_bundle(builder, system, wanted[k] & variable & ~resting, false);
  if (error == THUD_OK) error = add_bundle(builder, system, resting & MODEL_BIT(MODEL_RATE), true);
  if (error == THUD_OK) error = add_bundle(builder, system, resting & MODEL_BIT(MODEL_SLIP_RATE), true);
  return error;
}

static thud_error name_texts(const model_builder *builder, thud_system *system) {
  struct model_expressions *expressions = system->expressions;
  expressions->texts = THUD_NEW_ARRAY(system->context, char *, builder->text_count);
  if (expressions->texts == NULL) return THUD_ERROR_MEMORY;
  expressions->text_count = builder->text_count;
  for (size_t k = 0; k < builder->text_count; k++) {
    char what[256];
    thud_model_describe_text(builder->def, &builder->texts[k], what, sizeof what);
    expressions->texts[k] = thud_strdup(system->context, what);
    if (expressions->texts[k] == NULL) return THUD_ERROR_MEMORY;
  }
  return THUD_OK;
}

static thud_error attach(model_builder *builder, thud_system *system) {
  struct model_expressions *expressions = THUD_NEW(system->context, struct model_expressions);
  if (expressions == NULL) return THUD_ERROR_MEMORY;
  system->expressions = expressions;
  system->source = &thud_model_expressions;
  expressions->slot_t = builder->slot_t;
  expressions->slot_q = THUD_NEW_ARRAY(system->context, thud_index, system->n);
  expressions->slot_v = THUD_NEW_ARRAY(system->context, thud_index, system->n);
  if (expressions->slot_q == NULL || expressions->slot_v == NULL) return THUD_ERROR_MEMORY;
  memcpy(expressions->slot_q, builder->slot_q, system->n * sizeof *builder->slot_q);
  memcpy(expressions->slot_v, builder->slot_v, system->n * sizeof *builder->slot_v);
  expressions->most_outputs = system->n + 1;
  return name_texts(builder, system);
}

static thud_error compile(model_builder *builder, thud_system *system) {
  unsigned variable = 0;
  thud_error error = split_constants(builder, system, &variable);
  if (error != THUD_OK) return error;
  thud_model_set_variable(system, variable);
  error = attach(builder, system);
  if (error == THUD_OK) error = add_bundles(builder, system, variable);
  if (error == THUD_OK && builder->def->kinetic_energy != NULL)
    error = thud_expr_program_create(builder->graph, (thud_index)system->n + 1, builder->kinetic,
                                     &system->expressions->kinetic);
  if (error == THUD_OK) error = thud_model_add_jets(builder, system);
  if (error == THUD_OK) error = thud_model_add_jumps(builder, system);
  if (error == THUD_OK) error = thud_model_add_thresholds(builder, system);
  if (error != THUD_OK) return error;
  error = thud_model_sample_degrees(system, system->context);
  if (error == THUD_ERROR_ARGUMENT) thud_model_mark(builder, (model_text){THUD_SOURCE_KINETIC, 0, 0});
  return error;
}

/* ---- the definition without its texts --------------------------------------------------------------------------- */

typedef struct skeleton {
  thud_system_def def;
  thud_constraint_def *constraints; /* [m] */
  thud_friction_def *friction;      /* [laws] */
  double *mass;                     /* room for a constant mass, NULL until it is needed */
  model_patterns patterns;          /* of large systems with few entries */
} skeleton;

static void end_skeleton(thud_context *context, skeleton *made) {
  thud_free(context, made->constraints);
  thud_free(context, made->friction);
  thud_free(context, made->mass);
  thud_free(context, made->patterns.memory);
}

/* Names, kinds and sizes; the counts are not negative. */
static thud_error begin_skeleton(thud_context *context, const thud_expr_system_def *def, skeleton *made) {
  *made = (skeleton){.constraints = THUD_NEW_ARRAY(context, thud_constraint_def, def->m),
                     .friction = THUD_NEW_ARRAY(context, thud_friction_def, def->laws)};
  if (made->constraints == NULL || made->friction == NULL) {
    end_skeleton(context, made);
    return THUD_ERROR_MEMORY;
  }
  for (thud_index i = 0; i < def->m; i++)
    made->constraints[i] = (thud_constraint_def){.name = def->constraints[i].name, .kind = def->constraints[i].kind};
  for (thud_index k = 0; k < def->laws; k++) {
    const thud_expr_friction_def *law = &def->friction[k];
    made->friction[k] = (thud_friction_def){law->name, law->constraint, law->kind, law->directions, law->set};
  }
  made->def = (thud_system_def){.n = def->n,
                                .coordinates = def->coordinates,
                                .m = def->m,
                                .constraints = made->constraints,
                                .laws = def->laws,
                                .friction = made->friction,
                                .allow_any_restitution = def->allow_any_restitution};
  return THUD_OK;
}

/* ---- numbers that are known at once ----------------------------------------------------------------------------- */

/* A constant of the definition that is out of its range. */
static thud_error refuse_number(const model_builder *builder, model_text text, double number, const char *range) {
  char what[256];
  thud_model_mark(builder, text);
  thud_model_describe_text(builder->def, &text, what, sizeof what);
  return thud_fail(builder->context, isfinite(number) ? THUD_ERROR_ARGUMENT : THUD_ERROR_NOT_FINITE,
                   "[out-of-range] system: the %s is %.9g; it must be %s", what, number, range);
}

/* The values of an array that are constant and not finite, where they can be blamed on text (part, row). */
static thud_error check_finite(const model_builder *builder, model_array array, thud_source_part part) {
  const model_values *values = &builder->array[array];
  for (size_t k = 0; k < values->count; k++) {
    double x;
    const thud_index place = (thud_index)values->place[k];
    const bool matrix = part == THUD_SOURCE_MASS;
    const model_text text = {part, matrix ? place / builder->def->n : place, matrix ? place % builder->def->n : 0};
    if (thud_expr_graph_is_constant(builder->graph, values->value[k], &x) && !isfinite(x))
      return refuse_number(builder, text, x, "finite");
  }
  return THUD_OK;
}

/* Restitution and thresholds that are constant; the former go into the definition. */
static thud_error check_ranges(const model_builder *builder, skeleton *made) {
  double x;
  for (thud_index i = 0; i < builder->def->m; i++) {
    if (!thud_expr_graph_is_constant(builder->graph, *thud_model_entry(builder, MODEL_RESTITUTION, (size_t)i), &x))
      continue;
    if (!isfinite(x) || (!builder->def->allow_any_restitution && !(x >= 0 && x <= 1)))
      return refuse_number(builder, (model_text){THUD_SOURCE_RESTITUTION, i, 0}, x, "in [0, 1]");
    made->constraints[i].restitution = x;
  }
  for (thud_index k = 0; k < builder->def->laws; k++)
    if (thud_expr_graph_is_constant(builder->graph, *thud_model_entry(builder, MODEL_FRICTION, (size_t)k), &x) &&
        !(x >= 0 && isfinite(x)))
      return refuse_number(builder, (model_text){THUD_SOURCE_MU, k, 0}, x, "finite and >= 0");
  return THUD_OK;
}

static thud_error check_numbers(const model_builder *builder, skeleton *made) {
  const thud_expr_system_def *def = builder->def;
  thud_error error = THUD_OK;
  if (def->mass != NULL) error = check_finite(builder, MODEL_MASS, THUD_SOURCE_MASS);
  if (error == THUD_OK) error = check_finite(builder, MODEL_APPLIED, THUD_SOURCE_FORCE);
  if (error == THUD_OK) error = check_finite(builder, MODEL_POTENTIAL, THUD_SOURCE_POTENTIAL);
  if (error == THUD_OK) error = check_finite(builder, MODEL_GAP, THUD_SOURCE_CONSTRAINT);
  return error == THUD_OK ? check_ranges(builder, made) : error;
}

/* ---- creation --------------------------------------------------------------------------------------------------- */

static thud_error check_size(const model_builder *builder, const thud_system_def *def) {
  if (def->n <= THUD_METRIC_DENSE_MAX || def->patterns != NULL) return THUD_OK;
  return thud_fail(builder->context, THUD_ERROR_OVERFLOW,
                   "system: %d coordinates; more than %d are possible when at most a quarter of the entries of M, of "
                   "dg/dq and of the Jacobians of the forces differ from zero, and without infinite families of "
                   "percussions",
                   (int)def->n, THUD_METRIC_DENSE_MAX);
}

/* Patterns and a constant mass go into the definition. */
static thud_error complete_skeleton(model_builder *builder, skeleton *made) {
  thud_error error = thud_model_find_patterns(builder, &made->patterns);
  if (error != THUD_OK) return error;
  size_t numbers = builder->n * builder->n;
  if (made->patterns.memory != NULL) {
    made->def.patterns = &made->patterns.given;
    numbers = builder->array[MODEL_MASS].count;
  }
  error = check_size(builder, &made->def);
  if (error != THUD_OK) return error;
  made->mass = THUD_NEW_ARRAY(builder->context, double, numbers);
  if (made->mass == NULL) return THUD_ERROR_MEMORY;
  if (constant_array(builder, MODEL_MASS, made->mass)) made->def.mass = made->mass;
  return THUD_OK;
}

/* A constant mass with a pattern is factorized for values alone; a wrong one is reported on creation all the same. */
static thud_error check_sparse_mass(const thud_system *system) {
  thud_system_values *values = NULL;
  if (!system->has_patterns || !system->constant_mass) return THUD_OK;
  thud_error error = thud_system_values_create_sparse(system->context, system, false, &values);
  thud_system_values_destroy(system->context, values);
  return error;
}

static thud_error make_system(model_builder *builder, skeleton *made, thud_system **system) {
  const model_text mass = {builder->def->mass == NULL ? THUD_SOURCE_KINETIC : THUD_SOURCE_MASS, 0, 0};
  thud_error error = thud_model_build(builder);
  if (error == THUD_OK) error = check_numbers(builder, made);
  if (error == THUD_OK) error = complete_skeleton(builder, made);
  if (error != THUD_OK) return error;
  error = thud_model_create_bare(builder->context, &made->def, system);
  if (error == THUD_ERROR_NOT_SPD || error == THUD_ERROR_NOT_FINITE) thud_model_mark(builder, mass);
  if (error != THUD_OK) return error;
  error = thud_expr_graph_depends_on(builder->graph, *thud_model_entry(builder, MODEL_POTENTIAL, 0), builder->slot_t,
                                     &(*system)->potential_moves);
  if (error == THUD_OK) error = compile(builder, *system);
  if (error == THUD_OK) {
    error = check_sparse_mass(*system);
    if (error == THUD_ERROR_NOT_SPD) thud_model_mark(builder, mass);
  }
  if (error == THUD_OK) error = thud_loads_expand(*system, builder->scope, builder->def, builder->place);
  if (error != THUD_OK) {
    thud_system_destroy(*system);
    *system = NULL;
  }
  return error;
}

thud_error thud_system_create_expressions(thud_context *context, thud_expr_scope *scope,
                                          const thud_expr_system_def *def, thud_expr_system_place *place,
                                          thud_system **system) {
  THUD_REQUIRE(context, context, scope, def, system);
  if (def->n < 1 || def->m < 0 || def->laws < 0 || (def->m > 0 && def->constraints == NULL) ||
      (def->laws > 0 && def->friction == NULL))
    return thud_fail(
        context, THUD_ERROR_ARGUMENT,
        "[bad-friction] system: %d coordinates, %d constraints, %d friction laws; needed >= 1, >= 0, >= 0, and their "
        "definitions",
        (int)def->n, (int)def->m, (int)def->laws);
  if (def->n > (INT32_MAX - 1) / 2) /* with t and the velocities they are the variables of one scope */
    return thud_fail(context, THUD_ERROR_OVERFLOW, "system: %d coordinates, at most %d are possible", (int)def->n,
                     (INT32_MAX - 1) / 2);
  skeleton made;
  thud_system *result = NULL;
  model_builder builder = {.context = context, .scope = scope, .def = def, .place = place};
  if (place != NULL) *place = (thud_expr_system_place){0};
  thud_error error = begin_skeleton(context, def, &made);
  if (error != THUD_OK) return error;
  error = thud_model_check_definition(context, &made.def);
  if (error == THUD_OK && def->n > THUD_METRIC_DENSE_MAX && def->mass != NULL)
    error = thud_fail(
        context, THUD_ERROR_OVERFLOW,
        "[bad-mass-matrix] system: %d coordinates; a mass matrix of texts has at most %d rows: give the kinetic energy",
        (int)def->n, THUD_METRIC_DENSE_MAX);
  if (error == THUD_OK) {
    builder.n = (size_t)def->n;
    builder.m = (size_t)def->m;
    builder.laws = (size_t)def->laws;
    for (thud_index k = 0; k < def->laws; k++) builder.s += (size_t)def->friction[k].directions;
    error = make_system(&builder, &made, &result);
  }
  thud_model_builder_end(&builder);
  end_skeleton(context, &made);
  if (error == THUD_OK) *system = result;
  return error;
}
