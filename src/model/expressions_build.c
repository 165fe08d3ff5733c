/* From the sources of a system to values of a graph.
 *
 *   p = dT/dv,  M = dp/dv,  c_i = sum_k (dp_i/dq_k) v_k - dT/dq_i
 * c is what d/dt(dT/dv) - dT/dq leaves besides M dv/dt: the Christoffel terms. T must be a quadratic form in the
 * velocities: M without velocities (no degree 3 and more); degrees 0 and 1 are looked for by expressions.c. */
#include "model/expressions.h"

#include "base/base.h"

#include <stdio.h>
#include <string.h>

/* ---- texts ------------------------------------------------------------------------------------------------------ */

static const char *text_of(const thud_expr_system_def *def, const model_text *text) {
  switch (text->part) {
  case THUD_SOURCE_KINETIC: return def->kinetic_energy;
  case THUD_SOURCE_MASS: return def->mass[text->index * def->n + text->second];
  case THUD_SOURCE_POTENTIAL: return def->potential_energy;
  case THUD_SOURCE_FORCE: return def->forces[text->index];
  case THUD_SOURCE_CONSTRAINT: return def->constraints[text->index].source;
  case THUD_SOURCE_RESTITUTION: return def->constraints[text->index].restitution;
  case THUD_SOURCE_SLIP: return def->friction[text->index].slip[text->second];
  case THUD_SOURCE_MU: return def->friction[text->index].mu;
  default: break; /* loads are no texts of the graph */
  }
  return NULL;
}

static void describe_owner(const char *what, const char *kind, const char *name, thud_index index, char *buffer,
                           size_t capacity) {
  if (name != NULL)
    snprintf(buffer, capacity, "%s of %s '%s'", what, kind, name);
  else
    snprintf(buffer, capacity, "%s of %s %d", what, kind, (int)index);
}

void thud_model_describe_text(const thud_expr_system_def *def, const model_text *text, char *buffer, size_t capacity) {
  thud_index i = text->index;
  switch (text->part) {
  case THUD_SOURCE_KINETIC: snprintf(buffer, capacity, "kinetic energy"); break;
  case THUD_SOURCE_MASS:
    snprintf(buffer, capacity, "mass matrix entry ('%s', '%s')", def->coordinates[i], def->coordinates[text->second]);
    break;
  case THUD_SOURCE_POTENTIAL: snprintf(buffer, capacity, "potential energy"); break;
  case THUD_SOURCE_FORCE: describe_owner("force", "coordinate", def->coordinates[i], i, buffer, capacity); break;
  case THUD_SOURCE_CONSTRAINT:
    describe_owner("expression", "constraint", def->constraints[i].name, i, buffer, capacity);
    break;
  case THUD_SOURCE_RESTITUTION:
    describe_owner("restitution", "constraint", def->constraints[i].name, i, buffer, capacity);
    break;
  case THUD_SOURCE_SLIP:
    describe_owner("slip velocity", "friction law", def->friction[i].name, i, buffer, capacity);
    break;
  case THUD_SOURCE_MU: describe_owner("mu", "friction law", def->friction[i].name, i, buffer, capacity); break;
  default: snprintf(buffer, capacity, "system"); break;
  }
}

void thud_model_mark(const model_builder *builder, model_text text) {
  if (builder->place == NULL) return;
  const char *source = text_of(builder->def, &text);
  *builder->place = (thud_expr_system_place){
      text.part, text.index, text.second, {1, source != NULL ? (thud_index)strlen(source) : 0}};
}

/* A failure that concerns one text as a whole. */
static thud_error refuse(const model_builder *builder, model_text text, thud_error error, const char *reason) {
  char what[256];
  thud_model_mark(builder, text);
  thud_model_describe_text(builder->def, &text, what, sizeof what);
  return thud_fail(builder->context, error, "system: %s: %s", what, reason);
}

/* A failure inside the graph while a text is being differentiated: memory, or a function without derivative. */
static thud_error refuse_within(const model_builder *builder, model_text text, thud_error error) {
  char what[256];
  if (error == THUD_ERROR_MEMORY) return error;
  thud_model_mark(builder, text);
  thud_model_describe_text(builder->def, &text, what, sizeof what);
  return thud_fail_within(builder->context, error, "system: %s", what);
}

static thud_error add_text(model_builder *builder, model_text text, thud_expr_value *value) {
  const char *source = text_of(builder->def, &text);
  thud_expr_place place = {0};
  if (source == NULL) return refuse(builder, text, THUD_ERROR_ARGUMENT, "there is no text");
  thud_error error = thud_expr_graph_add(builder->graph, source, &place, value);
  if (error != THUD_OK) {
    error = refuse_within(builder, text, error);
    if (builder->place != NULL && error != THUD_ERROR_MEMORY) builder->place->place = place;
    return error;
  }
  builder->texts[builder->text_count++] = text;
  return THUD_OK;
}

/* ---- small algebra ---------------------------------------------------------------------------------------------- */

/* a + s b */
static thud_error add_multiple(model_builder *builder, thud_expr_value a, thud_expr_value s, thud_expr_value b,
                               thud_expr_value *value) {
  const thud_expr_value factors[] = {builder->one, s}, terms[] = {a, b};
  return thud_expr_graph_add_dot(builder->graph, 2, factors, terms, value);
}

static thud_error first_dependence(const model_builder *builder, thud_expr_value value, const thud_index *slots,
                                   thud_index *which) {
  *which = -1;
  for (size_t i = 0; i < builder->n && *which < 0; i++) {
    bool depends = false;
    thud_error error = thud_expr_graph_depends_on(builder->graph, value, slots[i], &depends);
    if (error != THUD_OK) return error;
    if (depends) *which = (thud_index)i;
  }
  return THUD_OK;
}

thud_error thud_model_depends_on_velocity(const model_builder *builder, size_t count, const thud_expr_value *values,
                                          bool *depends) {
  *depends = false;
  for (size_t k = 0; k < count && !*depends; k++) {
    thud_index which;
    thud_error error = first_dependence(builder, values[k], builder->slot_v, &which);
    if (error != THUD_OK) return error;
    *depends = which >= 0;
  }
  return THUD_OK;
}

/* Refuses values of a text that depend on velocities; `rule` says why they must not. */
static thud_error without_velocities(const model_builder *builder, model_text text, size_t count,
                                     const thud_expr_value *values, const char *rule) {
  for (size_t k = 0; k < count; k++) {
    thud_index which;
    thud_error error = first_dependence(builder, values[k], builder->slot_v, &which);
    if (error != THUD_OK) return error;
    if (which < 0) continue;
    char reason[300];
    snprintf(reason, sizeof reason, "depends on the velocity %s' in a way that is not allowed: %s",
             builder->def->coordinates[which], rule);
    return refuse(builder, text, THUD_ERROR_ARGUMENT, reason);
  }
  return THUD_OK;
}

static thud_error without_time(const model_builder *builder, model_text text, thud_expr_value value) {
  bool depends = false;
  thud_error error = thud_expr_graph_depends_on(builder->graph, value, builder->slot_t, &depends);
  if (error != THUD_OK || !depends) return error;
  return refuse(builder, text, THUD_ERROR_UNSUPPORTED,
                "depends on t; the balance of energy needs a mass matrix M(q) of the configuration alone: choose "
                "coordinates in which it is one, and write what the moving frame adds as forces");
}

/* ---- kinetic energy --------------------------------------------------------------------------------------------- */

/* c_i = sum_k dp_i/dq_k v_k - scale dE/dq_i, p in builder->kinetic + 1, E in builder->kinetic[0]. */
static thud_error build_inertia(model_builder *builder, thud_expr_value minus_scale) {
  thud_index n = (thud_index)builder->n;
  thud_expr_value *c = builder->array[MODEL_INERTIA], *gradient = builder->work;
  thud_error error = thud_expr_graph_add_gradient(builder->graph, builder->kinetic[0], n, builder->slot_q, gradient);
  for (thud_index i = 0; i < n && error == THUD_OK; i++) {
    thud_expr_value rate = 0;
    error =
        thud_expr_graph_add_rate(builder->graph, builder->kinetic[1 + i], n, builder->slot_q, builder->velocity, &rate);
    if (error == THUD_OK) error = add_multiple(builder, rate, minus_scale, gradient[i], &c[i]);
  }
  return error;
}

static thud_error build_from_energy(model_builder *builder) {
  const model_text text = {THUD_SOURCE_KINETIC, 0, 0};
  thud_index n = (thud_index)builder->n;
  thud_expr_value *mass = builder->array[MODEL_MASS], *kinetic = builder->kinetic;
  thud_error error = add_text(builder, text, &kinetic[0]);
  if (error == THUD_OK) error = without_time(builder, text, kinetic[0]);
  if (error != THUD_OK) return error;
  error = thud_expr_graph_add_gradient(builder->graph, kinetic[0], n, builder->slot_v, kinetic + 1);
  if (error == THUD_OK) error = thud_expr_graph_add_hessian(builder->graph, kinetic[0], n, builder->slot_v, mass);
  if (error != THUD_OK) return refuse_within(builder, text, error);
  error = without_velocities(builder, text, builder->n * builder->n, mass,
                             "it must be a quadratic polynomial in the velocities, without terms of degree 3 or more "
                             "(write squares like x'^2, not abs, sqrt or hypot of velocities)");
  if (error != THUD_OK) return error;
  error = build_inertia(builder, builder->minus);
  return error == THUD_OK ? THUD_OK : refuse_within(builder, text, error);
}

/* p = M v and 2T = v'p. */
static thud_error build_from_mass(model_builder *builder) {
  thud_index n = (thud_index)builder->n;
  thud_expr_value *mass = builder->array[MODEL_MASS], minus_half = 0;
  thud_error error = THUD_OK;
  for (thud_index k = 0; k < n * n && error == THUD_OK; k++) {
    const model_text text = {THUD_SOURCE_MASS, k / n, k % n};
    mass[k] = builder->zero;
    if (builder->def->mass[k] == NULL) continue;
    error = add_text(builder, text, &mass[k]);
    if (error == THUD_OK) error = without_time(builder, text, mass[k]);
    if (error == THUD_OK)
      error = without_velocities(builder, text, 1, &mass[k], "the mass matrix is one of the configuration");
  }
  for (thud_index i = 0; i < n && error == THUD_OK; i++)
    error = thud_expr_graph_add_dot(builder->graph, n, mass + (size_t)i * builder->n, builder->velocity,
                                    &builder->kinetic[1 + i]);
  if (error == THUD_OK)
    error = thud_expr_graph_add_dot(builder->graph, n, builder->velocity, builder->kinetic + 1, &builder->kinetic[0]);
  if (error == THUD_OK) error = thud_expr_graph_add_constant(builder->graph, -0.5, &minus_half);
  return error == THUD_OK ? build_inertia(builder, minus_half) : error;
}

/* ---- forces ----------------------------------------------------------------------------------------------------- */

static thud_error build_potential(model_builder *builder) {
  const model_text text = {THUD_SOURCE_POTENTIAL, 0, 0};
  thud_expr_value *potential = builder->array[MODEL_POTENTIAL];
  *potential = builder->zero;
  if (builder->def->potential_energy != NULL) {
    thud_error error = add_text(builder, text, potential);
    if (error == THUD_OK)
      error = without_velocities(builder, text, 1, potential, "forces that depend on velocities belong to `forces`");
    if (error != THUD_OK) return error;
  }
  thud_error error = thud_expr_graph_add_gradient(builder->graph, *potential, (thud_index)builder->n, builder->slot_q,
                                                  builder->array[MODEL_POTENTIAL_GRADIENT]);
  return error == THUD_OK ? THUD_OK : refuse_within(builder, text, error);
}

/* f, and the derivatives of f - dV/dq - c. */
static thud_error build_forces(model_builder *builder) {
  thud_index n = (thud_index)builder->n;
  thud_expr_value *applied = builder->array[MODEL_APPLIED];
  thud_error error = THUD_OK;
  for (thud_index i = 0; i < n && error == THUD_OK; i++) {
    const model_text text = {THUD_SOURCE_FORCE, i, 0};
    thud_expr_value sum = 0;
    applied[i] = builder->zero;
    if (builder->def->forces != NULL && builder->def->forces[i] != NULL) error = add_text(builder, text, &applied[i]);
    if (error != THUD_OK) return error;
    error = add_multiple(builder, applied[i], builder->minus, builder->array[MODEL_POTENTIAL_GRADIENT][i], &sum);
    if (error == THUD_OK) error = add_multiple(builder, sum, builder->minus, builder->array[MODEL_INERTIA][i], &sum);
    if (error == THUD_OK)
      error = thud_expr_graph_add_gradient(builder->graph, sum, n, builder->slot_q,
                                           builder->array[MODEL_FORCE_DQ] + (size_t)i * builder->n);
    if (error == THUD_OK)
      error = thud_expr_graph_add_gradient(builder->graph, sum, n, builder->slot_v,
                                           builder->array[MODEL_FORCE_DV] + (size_t)i * builder->n);
    if (error != THUD_OK) return refuse_within(builder, text, error);
  }
  return error;
}

/* ---- constraints and friction ----------------------------------------------------------------------------------- */

/* A form that is affine in the velocities: its row of coefficients; the value itself is the rate once the velocities
 * are set to 0. */
static thud_error build_affine(model_builder *builder, model_text text, thud_expr_value form, thud_expr_value *row) {
  thud_error error = thud_expr_graph_add_gradient(builder->graph, form, (thud_index)builder->n, builder->slot_v, row);
  if (error != THUD_OK) return refuse_within(builder, text, error);
  return without_velocities(builder, text, builder->n, row,
                            "it must be affine in the velocities, a.v + b with a and b of the configuration and t");
}

static thud_error build_constraint(model_builder *builder, thud_index i) {
  const thud_expr_constraint_def *def = &builder->def->constraints[i];
  const model_text text = {THUD_SOURCE_CONSTRAINT, i, 0}, e = {THUD_SOURCE_RESTITUTION, i, 0};
  thud_expr_value *row = builder->array[MODEL_GRADIENT] + (size_t)i * builder->n, value = 0;
  thud_expr_value *gap = &builder->array[MODEL_GAP][i], *rate = &builder->array[MODEL_RATE][i];
  *gap = builder->zero;
  builder->array[MODEL_RESTITUTION][i] = builder->zero;
  thud_error error = add_text(builder, text, &value);
  if (error == THUD_OK && def->is_phi)
    error = thud_expr_graph_add_dot(builder->graph, 1, &value, &builder->minus, &value);
  if (error == THUD_OK && def->restitution != NULL) error = add_text(builder, e, &builder->array[MODEL_RESTITUTION][i]);
  if (error != THUD_OK) return error;
  if (def->kind >= THUD_CONSTRAINT_VELOCITY) {
    *rate = value;
    return build_affine(builder, text, value, row);
  }
  *gap = value;
  error = without_velocities(builder, text, 1, &value,
                             "a gap or an equation is one of the coordinates; conditions on velocities are "
                             "velocity constraints");
  if (error != THUD_OK) return error;
  error = thud_expr_graph_add_gradient(builder->graph, value, (thud_index)builder->n, builder->slot_q, row);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(builder->graph, value, 1, &builder->slot_t, rate);
  return error == THUD_OK ? THUD_OK : refuse_within(builder, text, error);
}

static thud_error build_law(model_builder *builder, thud_index k, size_t first) {
  const thud_expr_friction_def *law = &builder->def->friction[k];
  thud_error error = add_text(builder, (model_text){THUD_SOURCE_MU, k, 0}, &builder->array[MODEL_FRICTION][k]);
  if (error == THUD_OK && law->slip == NULL)
    return refuse(builder, (model_text){THUD_SOURCE_MU, k, 0}, THUD_ERROR_ARGUMENT, "the slip velocities are missing");
  for (thud_index d = 0; d < law->directions && error == THUD_OK; d++) {
    const model_text text = {THUD_SOURCE_SLIP, k, d};
    size_t row = first + (size_t)d;
    thud_expr_value *form = &builder->array[MODEL_SLIP_RATE][row];
    error = add_text(builder, text, form);
    if (error == THUD_OK) error = build_affine(builder, text, *form, builder->array[MODEL_SLIP] + row * builder->n);
  }
  return error;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

/* A variable of the scope, added when it is not there yet. */
static thud_error bind(model_builder *builder, const char *name, thud_index *slot) {
  *slot = thud_expr_scope_find_variable(builder->scope, name);
  return *slot >= 0 ? THUD_OK : thud_expr_scope_add_variable(builder->scope, name, slot);
}

static thud_error bind_names(model_builder *builder) {
  thud_error error = bind(builder, "t", &builder->slot_t);
  for (size_t i = 0; i < builder->n && error == THUD_OK; i++) {
    const char *name = builder->def->coordinates[i];
    char *velocity = THUD_NEW_ARRAY(builder->context, char, strlen(name) + 2);
    if (velocity == NULL) return THUD_ERROR_MEMORY;
    memcpy(velocity, name, strlen(name));
    velocity[strlen(name)] = '\'';
    error = bind(builder, name, &builder->slot_q[i]);
    if (error == THUD_OK) error = bind(builder, velocity, &builder->slot_v[i]);
    thud_free(builder->context, velocity);
    if (error == THUD_OK && builder->slot_q[i] == builder->slot_t)
      error = thud_fail(builder->context, THUD_ERROR_ARGUMENT, "'t' is the time and cannot be a coordinate");
    if (error != THUD_OK) return thud_fail_within(builder->context, error, "system: coordinate '%s'", name);
  }
  if (error == THUD_OK && (size_t)thud_expr_scope_variable_count(builder->scope) != 1 + 2 * builder->n)
    return thud_fail(builder->context, THUD_ERROR_ARGUMENT,
                     "system: the scope has %d variables; t, the coordinates and their velocities are %zu",
                     (int)thud_expr_scope_variable_count(builder->scope), 1 + 2 * builder->n);
  return error;
}

static thud_error add_constants(model_builder *builder) {
  const struct {
    double number;
    thud_expr_value *value;
  } constants[] = {{0, &builder->zero}, {1, &builder->one}, {-1, &builder->minus}};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < sizeof constants / sizeof constants[0] && error == THUD_OK; k++)
    error = thud_expr_graph_add_constant(builder->graph, constants[k].number, constants[k].value);
  for (size_t i = 0; i < builder->n && error == THUD_OK; i++)
    error = thud_expr_graph_add_variable(builder->graph, builder->slot_v[i], &builder->velocity[i]);
  return error;
}

static thud_error allocate(model_builder *builder) {
  size_t n = builder->n;
  thud_context *context = builder->context;
  const thud_system sizes = {.n = n, .m = builder->m, .s = builder->s, .laws = builder->laws};
  builder->slot_q = THUD_NEW_ARRAY(context, thud_index, n);
  builder->slot_v = THUD_NEW_ARRAY(context, thud_index, n);
  builder->velocity = THUD_NEW_ARRAY(context, thud_expr_value, n);
  builder->kinetic = THUD_NEW_ARRAY(context, thud_expr_value, n + 1);
  builder->work = THUD_NEW_ARRAY(context, thud_expr_value, n);
  builder->texts = THUD_NEW_ARRAY(context, model_text, 2 + n * n + n + 2 * builder->m + builder->s + builder->laws);
  bool complete = builder->slot_q != NULL && builder->slot_v != NULL && builder->velocity != NULL &&
                  builder->kinetic != NULL && builder->work != NULL && builder->texts != NULL;
  for (model_array array = 0; array < MODEL_ARRAYS && complete; array++) {
    builder->array[array] = THUD_NEW_ARRAY(context, thud_expr_value, thud_model_array_size(&sizes, array));
    complete = builder->array[array] != NULL;
  }
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_model_build(model_builder *builder) {
  const thud_expr_system_def *def = builder->def;
  if ((def->kinetic_energy == NULL) == (def->mass == NULL))
    return thud_fail(builder->context, THUD_ERROR_ARGUMENT,
                     "system: give the kinetic energy or the mass matrix, one of the two");
  thud_error error = allocate(builder);
  if (error == THUD_OK) error = bind_names(builder);
  if (error == THUD_OK) error = thud_expr_graph_create(builder->context, builder->scope, &builder->graph);
  if (error == THUD_OK) error = add_constants(builder);
  if (error == THUD_OK) error = def->mass == NULL ? build_from_energy(builder) : build_from_mass(builder);
  if (error == THUD_OK) error = build_potential(builder);
  if (error == THUD_OK) error = build_forces(builder);
  for (thud_index i = 0; i < def->m && error == THUD_OK; i++) error = build_constraint(builder, i);
  size_t first = 0;
  for (thud_index k = 0; k < def->laws && error == THUD_OK; k++) {
    error = build_law(builder, k, first);
    first += (size_t)def->friction[k].directions;
  }
  return error;
}

void thud_model_builder_end(model_builder *builder) {
  thud_context *context = builder->context;
  thud_expr_graph_destroy(builder->graph);
  thud_free(context, builder->slot_q);
  thud_free(context, builder->slot_v);
  thud_free(context, builder->velocity);
  thud_free(context, builder->kinetic);
  thud_free(context, builder->work);
  thud_free(context, builder->texts);
  for (model_array array = 0; array < MODEL_ARRAYS; array++) thud_free(context, builder->array[array]);
}
