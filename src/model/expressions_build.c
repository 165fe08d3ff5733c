/* From the sources of a system to values of a graph.
 *
 *   p = dT/dv,  M = dp/dv,  c_i = sum_k (dp_i/dq_k) v_k - dT/dq_i
 * c is what d/dt(dT/dv) - dT/dq leaves besides M dv/dt: the Christoffel terms. T must be a quadratic form in the
 * velocities: M without velocities (no degree 3 and more); degrees 0 and 1 are looked for by expressions.c. */
#include "model/thresholds.h"

#include "base/base.h"

#include <stdio.h>
#include <stdlib.h>
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
  default: break; /* loads are not texts of the graph */
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

thud_error thud_model_depends_on_velocity(const model_builder *builder, const model_values *values, bool *depends) {
  thud_index which = -1, slot;
  thud_error error = thud_expr_graph_find_dependence(builder->graph, (thud_index)values->count, values->value,
                                                     builder->by_v, &which, &slot);
  *depends = which >= 0;
  return error;
}

/* Refuses values of a text that depend on velocities; `rule` says why they must not. */
static thud_error without_velocities(const model_builder *builder, model_text text, size_t count,
                                     const thud_expr_value *values, const char *rule) {
  thud_index which = -1, slot = -1;
  thud_error error =
      thud_expr_graph_find_dependence(builder->graph, (thud_index)count, values, builder->by_v, &which, &slot);
  if (error != THUD_OK || which < 0) return error;
  char reason[300];
  snprintf(reason, sizeof reason, "depends on the velocity %s' in a way that is not allowed: %s",
           builder->def->coordinates[builder->index[slot]], rule);
  return refuse(builder, text, THUD_ERROR_ARGUMENT, reason);
}

static thud_error without_time(const model_builder *builder, model_text text, thud_expr_value value) {
  bool depends = false;
  thud_error error = thud_expr_graph_depends_on(builder->graph, value, builder->slot_t, &depends);
  if (error != THUD_OK || !depends) return error;
  return refuse(builder, text, THUD_ERROR_UNSUPPORTED,
                "depends on t; the balance of energy needs a mass matrix M(q) of the configuration alone: choose "
                "coordinates in which it is one, and write what the moving frame adds as forces");
}

/* ---- entries that are not zero ---------------------------------------------------------------------------------- */

/* Of systems that are too large for full matrices a matrix has at most as many entries as the largest full one. */
static const size_t MOST_ENTRIES = (size_t)THUD_METRIC_DENSE_MAX * THUD_METRIC_DENSE_MAX;

static thud_error put(model_builder *builder, model_array array, size_t place, thud_expr_value value) {
  model_values *values = &builder->array[array];
  thud_context *context = builder->context;
  if (values->count >= MOST_ENTRIES && builder->n > THUD_METRIC_DENSE_MAX)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "system: %zu coordinates, and more than %zu entries in one matrix",
                     builder->n, MOST_ENTRIES);
  thud_error error =
      thud_array_reserve(context, &values->place, &values->place_capacity, values->count + 1, sizeof *values->place);
  if (error == THUD_OK)
    error =
        thud_array_reserve(context, &values->value, &values->value_capacity, values->count + 1, sizeof *values->value);
  if (error != THUD_OK) return error;
  values->place[values->count] = place;
  values->value[values->count++] = value;
  return THUD_OK;
}

static int compare_slots(const void *a, const void *b) {
  thud_index x = *(const thud_index *)a, y = *(const thud_index *)b;
  return (x > y) - (x < y);
}

/* The partial derivatives of a value: builder->slots and ->partials, by ascending slots, so that sums over them have
 * one order. */
static thud_error find_partials(model_builder *builder, thud_expr_value value, const bool *by, size_t *count) {
  thud_index found = 0;
  thud_error error = thud_expr_graph_add_partials(builder->graph, value, by, &found, builder->slots, builder->partials);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < found; k++) builder->scatter[builder->slots[k]] = builder->partials[k];
  if (found > 1) qsort(builder->slots, (size_t)found, sizeof *builder->slots, compare_slots);
  for (thud_index k = 0; k < found; k++) builder->partials[k] = builder->scatter[builder->slots[k]];
  *count = (size_t)found;
  return THUD_OK;
}

/* A gradient by the coordinates or the velocities becomes row i of a matrix of n columns. */
static thud_error put_row(model_builder *builder, model_array array, size_t i, thud_expr_value value, const bool *by) {
  size_t count = 0;
  thud_error error = find_partials(builder, value, by, &count);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = put(builder, array, i * builder->n + (size_t)builder->index[builder->slots[k]], builder->partials[k]);
  return error;
}

/* The same as a vector of n entries: the zeros too. */
static thud_error find_gradient(model_builder *builder, thud_expr_value value, const bool *by,
                                thud_expr_value *gradient) {
  size_t count = 0;
  thud_error error = find_partials(builder, value, by, &count);
  if (error != THUD_OK) return error;
  for (size_t i = 0; i < builder->n; i++) gradient[i] = builder->zero;
  for (size_t k = 0; k < count; k++) gradient[builder->index[builder->slots[k]]] = builder->partials[k];
  return THUD_OK;
}

thud_error thud_model_rate(model_builder *builder, thud_expr_value value, bool with_time, thud_expr_value *rate) {
  size_t count = 0, terms = 0;
  thud_error error = find_partials(builder, value, with_time ? builder->by_path : builder->by_q, &count);
  if (error != THUD_OK) return error;
  thud_expr_value *factors = builder->scatter, by_time = builder->zero; /* the term of time comes last */
  for (size_t k = 0; k < count; k++) {
    if (builder->slots[k] == builder->slot_t) {
      by_time = builder->partials[k];
      continue;
    }
    builder->partials[terms] = builder->partials[k];
    factors[terms++] = builder->velocity[builder->index[builder->slots[k]]];
  }
  builder->partials[terms] = by_time;
  factors[terms++] = builder->one;
  return thud_expr_graph_add_dot(builder->graph, (thud_index)terms, builder->partials, factors, rate);
}

/* ---- kinetic energy --------------------------------------------------------------------------------------------- */

/* c_i = sum_k dp_i/dq_k v_k - scale dE/dq_i, p in builder->kinetic + 1, E in builder->kinetic[0]. */
static thud_error build_inertia(model_builder *builder, thud_expr_value minus_scale) {
  thud_expr_value *gradient = builder->work;
  thud_error error = find_gradient(builder, builder->kinetic[0], builder->by_q, gradient);
  for (size_t i = 0; i < builder->n && error == THUD_OK; i++) {
    thud_expr_value rate = 0;
    error = thud_model_rate(builder, builder->kinetic[1 + i], false, &rate);
    if (error == THUD_OK)
      error = add_multiple(builder, rate, minus_scale, gradient[i], thud_model_entry(builder, MODEL_INERTIA, i));
  }
  return error;
}

/* The Hessian of T by the velocities: row i by those from i on, for the other half is its mirror image. */
static thud_error build_hessian(model_builder *builder) {
  thud_error error = THUD_OK;
  size_t n = builder->n;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    size_t count = 0;
    error = find_partials(builder, builder->kinetic[1 + i], builder->by_v, &count);
    builder->by_v[builder->slot_v[i]] = false;
    for (size_t k = 0; k < count && error == THUD_OK; k++) {
      size_t j = (size_t)builder->index[builder->slots[k]];
      error = put(builder, MODEL_MASS, i * n + j, builder->partials[k]);
      if (error == THUD_OK && j != i) error = put(builder, MODEL_MASS, j * n + i, builder->partials[k]);
    }
  }
  for (size_t i = 0; i < n; i++) builder->by_v[builder->slot_v[i]] = true;
  return error;
}

static thud_error build_from_energy(model_builder *builder) {
  const model_text text = {THUD_SOURCE_KINETIC, 0, 0};
  thud_expr_value *kinetic = builder->kinetic;
  thud_error error = add_text(builder, text, &kinetic[0]);
  if (error == THUD_OK) error = without_time(builder, text, kinetic[0]);
  if (error != THUD_OK) return error;
  error = find_gradient(builder, kinetic[0], builder->by_v, kinetic + 1);
  if (error == THUD_OK) error = build_hessian(builder);
  if (error != THUD_OK) return refuse_within(builder, text, error);
  error = without_velocities(builder, text, builder->array[MODEL_MASS].count, builder->array[MODEL_MASS].value,
                             "it must be a quadratic polynomial in the velocities, without terms of degree 3 or more "
                             "(write squares like x'^2, not abs, sqrt or hypot of velocities)");
  if (error != THUD_OK) return error;
  error = build_inertia(builder, builder->minus);
  return error == THUD_OK ? THUD_OK : refuse_within(builder, text, error);
}

/* One entry of a mass matrix that was given. One without text counts as an entry where its mirror image has one: the
 * evaluation makes both equal. */
static thud_error build_mass_entry(model_builder *builder, size_t place) {
  size_t n = builder->n;
  const model_text text = {THUD_SOURCE_MASS, (thud_index)(place / n), (thud_index)(place % n)};
  thud_expr_value value = 0;
  if (builder->def->mass[place] == NULL) {
    bool mirrored = builder->def->mass[place % n * n + place / n] != NULL;
    return mirrored ? put(builder, MODEL_MASS, place, builder->zero) : THUD_OK;
  }
  thud_error error = add_text(builder, text, &value);
  if (error == THUD_OK) error = without_time(builder, text, value);
  if (error == THUD_OK)
    error = without_velocities(builder, text, 1, &value, "the mass matrix is one of the configuration");
  return error == THUD_OK ? put(builder, MODEL_MASS, place, value) : error;
}

/* p = M v and 2T = v'p. */
static thud_error build_from_mass(model_builder *builder) {
  size_t n = builder->n;
  const model_values *mass = &builder->array[MODEL_MASS];
  thud_expr_value minus_half = 0;
  thud_error error = THUD_OK;
  for (size_t i = 0; i < n && error == THUD_OK; i++) {
    size_t first = mass->count, terms = 0;
    for (size_t j = 0; j < n && error == THUD_OK; j++) error = build_mass_entry(builder, i * n + j);
    for (size_t k = first; k < mass->count; k++) {
      builder->partials[terms] = mass->value[k];
      builder->scatter[terms++] = builder->velocity[mass->place[k] % n];
    }
    if (error == THUD_OK)
      error = thud_expr_graph_add_dot(builder->graph, (thud_index)terms, builder->partials, builder->scatter,
                                      &builder->kinetic[1 + i]);
  }
  if (error == THUD_OK)
    error = thud_expr_graph_add_dot(builder->graph, (thud_index)n, builder->velocity, builder->kinetic + 1,
                                    &builder->kinetic[0]);
  if (error == THUD_OK) error = thud_expr_graph_add_constant(builder->graph, -0.5, &minus_half);
  return error == THUD_OK ? build_inertia(builder, minus_half) : error;
}

/* ---- forces ----------------------------------------------------------------------------------------------------- */

static thud_error build_potential(model_builder *builder) {
  const model_text text = {THUD_SOURCE_POTENTIAL, 0, 0};
  thud_expr_value *potential = thud_model_entry(builder, MODEL_POTENTIAL, 0);
  *potential = builder->zero;
  if (builder->def->potential_energy != NULL) {
    thud_error error = add_text(builder, text, potential);
    if (error == THUD_OK)
      error = without_velocities(builder, text, 1, potential, "forces that depend on velocities belong to `forces`");
    if (error != THUD_OK) return error;
  }
  thud_error error =
      find_gradient(builder, *potential, builder->by_q, thud_model_entry(builder, MODEL_POTENTIAL_GRADIENT, 0));
  return error == THUD_OK ? THUD_OK : refuse_within(builder, text, error);
}

/* f, and the derivatives of f - dV/dq - c. */
static thud_error build_forces(model_builder *builder) {
  thud_error error = THUD_OK;
  for (size_t i = 0; i < builder->n && error == THUD_OK; i++) {
    const model_text text = {THUD_SOURCE_FORCE, (thud_index)i, 0};
    thud_expr_value sum = 0, *applied = thud_model_entry(builder, MODEL_APPLIED, i);
    *applied = builder->zero;
    if (builder->def->forces != NULL && builder->def->forces[i] != NULL) error = add_text(builder, text, applied);
    if (error != THUD_OK) return error;
    error =
        add_multiple(builder, *applied, builder->minus, *thud_model_entry(builder, MODEL_POTENTIAL_GRADIENT, i), &sum);
    if (error == THUD_OK)
      error = add_multiple(builder, sum, builder->minus, *thud_model_entry(builder, MODEL_INERTIA, i), &sum);
    if (error == THUD_OK) error = put_row(builder, MODEL_FORCE_DQ, i, sum, builder->by_q);
    if (error == THUD_OK) error = put_row(builder, MODEL_FORCE_DV, i, sum, builder->by_v);
    if (error != THUD_OK) return refuse_within(builder, text, error);
  }
  return error;
}

/* ---- constraints and friction ----------------------------------------------------------------------------------- */

/* A form that is affine in the velocities: its row of coefficients; the value itself is the rate once the velocities
 * are set to 0. */
static thud_error build_affine(model_builder *builder, model_text text, thud_expr_value form, model_array array,
                               size_t row) {
  const model_values *rows = &builder->array[array];
  size_t first = rows->count;
  thud_error error = put_row(builder, array, row, form, builder->by_v);
  if (error != THUD_OK) return refuse_within(builder, text, error);
  return without_velocities(builder, text, rows->count - first, rows->value + first,
                            "it must be affine in the velocities, a.v + b with a and b of the configuration and t");
}

/* dg/dq and dg/dt of a gap or an equation. */
static thud_error build_gap(model_builder *builder, model_text text, size_t i, thud_expr_value value) {
  thud_error error = without_velocities(builder, text, 1, &value,
                                        "a gap or an equation is one of the coordinates; conditions on velocities are "
                                        "velocity constraints");
  if (error != THUD_OK) return error;
  *thud_model_entry(builder, MODEL_GAP, i) = value;
  error = put_row(builder, MODEL_GRADIENT, i, value, builder->by_q);
  if (error == THUD_OK)
    error = thud_expr_graph_add_gradient(builder->graph, value, 1, &builder->slot_t,
                                         thud_model_entry(builder, MODEL_RATE, i));
  return error == THUD_OK ? THUD_OK : refuse_within(builder, text, error);
}

static thud_error build_constraint(model_builder *builder, thud_index i) {
  const thud_expr_constraint_def *def = &builder->def->constraints[i];
  const model_text text = {THUD_SOURCE_CONSTRAINT, i, 0}, e = {THUD_SOURCE_RESTITUTION, i, 0};
  thud_expr_value value = 0, *restitution = thud_model_entry(builder, MODEL_RESTITUTION, (size_t)i);
  *thud_model_entry(builder, MODEL_GAP, (size_t)i) = *restitution = builder->zero;
  thud_error error = add_text(builder, text, &value);
  if (error == THUD_OK && def->is_phi)
    error = thud_expr_graph_add_dot(builder->graph, 1, &value, &builder->minus, &value);
  if (error == THUD_OK && def->restitution != NULL) error = add_text(builder, e, restitution);
  if (error != THUD_OK) return error;
  if (def->kind < THUD_CONSTRAINT_VELOCITY) return build_gap(builder, text, (size_t)i, value);
  *thud_model_entry(builder, MODEL_RATE, (size_t)i) = value;
  return build_affine(builder, text, value, MODEL_GRADIENT, (size_t)i);
}

/* mu, or the threshold of a law by itself. One that cannot be read with the names of the system alone names reactions. */
static thud_error build_threshold(model_builder *builder, model_text text) {
  thud_expr_value *friction = thud_model_entry(builder, MODEL_FRICTION, (size_t)text.index);
  thud_error error = add_text(builder, text, friction);
  bool own = builder->def->friction[text.index].constraint < 0 && text_of(builder->def, &text) != NULL;
  if (error == THUD_OK || error == THUD_ERROR_MEMORY || !own || builder->m == 0) return error;
  thud_expr_place place = {0};
  *friction = builder->one;
  error = thud_model_build_threshold(builder, text.index, &place);
  if (error != THUD_OK) {
    error = refuse_within(builder, text, error);
    if (builder->place != NULL && error != THUD_ERROR_MEMORY) builder->place->place = place;
  } else if (builder->place != NULL) {
    *builder->place = (thud_expr_system_place){0};
  }
  return error;
}

static thud_error build_law(model_builder *builder, thud_index k, size_t first) {
  const thud_expr_friction_def *law = &builder->def->friction[k];
  const model_text mu = {THUD_SOURCE_MU, k, 0};
  thud_error error = build_threshold(builder, mu);
  if (error == THUD_OK && law->slip == NULL)
    return refuse(builder, mu, THUD_ERROR_ARGUMENT, "the slip velocities are missing");
  for (thud_index d = 0; d < law->directions && error == THUD_OK; d++) {
    const model_text text = {THUD_SOURCE_SLIP, k, d};
    size_t row = first + (size_t)d;
    thud_expr_value *form = thud_model_entry(builder, MODEL_SLIP_RATE, row);
    error = add_text(builder, text, form);
    if (error == THUD_OK) error = build_affine(builder, text, *form, MODEL_SLIP, row);
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
      error = thud_fail(builder->context, THUD_ERROR_ARGUMENT, "[bad-name] 't' is the time and cannot be a coordinate");
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

/* Vectors have all of their entries from the start. */
static thud_error allocate_vector(model_builder *builder, model_array array, size_t size) {
  model_values *values = &builder->array[array];
  values->place = THUD_NEW_ARRAY(builder->context, size_t, size);
  values->value = THUD_NEW_ARRAY(builder->context, thud_expr_value, size);
  if (values->place == NULL || values->value == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < size; k++) values->place[k] = k;
  values->count = values->place_capacity = values->value_capacity = size;
  return THUD_OK;
}

static bool is_matrix(model_array array) {
  return array == MODEL_MASS || array == MODEL_GRADIENT || array == MODEL_SLIP || array == MODEL_FORCE_DQ ||
         array == MODEL_FORCE_DV;
}

static size_t most_texts(const model_builder *builder) {
  size_t count = 2 + builder->n + 2 * builder->m + builder->s + builder->laws;
  for (size_t k = 0; builder->def->mass != NULL && k < builder->n * builder->n; k++)
    count += builder->def->mass[k] != NULL;
  return count;
}

static thud_error allocate_values(model_builder *builder) {
  size_t n = builder->n;
  thud_context *context = builder->context;
  const thud_system sizes = {.n = n, .m = builder->m, .s = builder->s, .laws = builder->laws};
  builder->slot_q = THUD_NEW_ARRAY(context, thud_index, n);
  builder->slot_v = THUD_NEW_ARRAY(context, thud_index, n);
  builder->velocity = THUD_NEW_ARRAY(context, thud_expr_value, n);
  builder->kinetic = THUD_NEW_ARRAY(context, thud_expr_value, n + 1);
  builder->work = THUD_NEW_ARRAY(context, thud_expr_value, n);
  builder->texts = THUD_NEW_ARRAY(context, model_text, most_texts(builder));
  bool complete = builder->slot_q != NULL && builder->slot_v != NULL && builder->velocity != NULL &&
                  builder->kinetic != NULL && builder->work != NULL && builder->texts != NULL;
  thud_error error = complete ? THUD_OK : THUD_ERROR_MEMORY;
  for (model_array array = 0; array < MODEL_ARRAYS && error == THUD_OK; array++)
    if (!is_matrix(array)) error = allocate_vector(builder, array, thud_model_array_size(&sizes, array));
  return error;
}

/* What partial derivatives are asked for and where they go; the variables are there. */
static thud_error allocate_partials(model_builder *builder) {
  thud_context *context = builder->context;
  size_t count = 1 + 2 * builder->n;
  builder->by_q = THUD_NEW_ARRAY(context, bool, count);
  builder->by_v = THUD_NEW_ARRAY(context, bool, count);
  builder->by_path = THUD_NEW_ARRAY(context, bool, count);
  builder->index = THUD_NEW_ARRAY(context, thud_index, count);
  builder->slots = THUD_NEW_ARRAY(context, thud_index, count);
  builder->partials = THUD_NEW_ARRAY(context, thud_expr_value, count + 1);
  builder->scatter = THUD_NEW_ARRAY(context, thud_expr_value, count + 1);
  if (builder->by_q == NULL || builder->by_v == NULL || builder->by_path == NULL || builder->index == NULL ||
      builder->slots == NULL || builder->partials == NULL || builder->scatter == NULL)
    return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < builder->n; i++) {
    thud_index q = builder->slot_q[i], v = builder->slot_v[i];
    builder->by_q[q] = builder->by_path[q] = builder->by_v[v] = true;
    builder->index[q] = builder->index[v] = (thud_index)i;
  }
  builder->by_path[builder->slot_t] = true;
  return THUD_OK;
}

thud_error thud_model_build(model_builder *builder) {
  const thud_expr_system_def *def = builder->def;
  if ((def->kinetic_energy == NULL) == (def->mass == NULL))
    return thud_fail(builder->context, THUD_ERROR_ARGUMENT,
                     "[bad-mass-matrix] system: give the kinetic energy or the mass matrix, one of the two");
  thud_error error = allocate_values(builder);
  if (error == THUD_OK) error = bind_names(builder);
  if (error == THUD_OK) error = allocate_partials(builder);
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
  thud_model_end_threshold_builder(context, builder->thresholds);
  thud_free(context, builder->by_q);
  thud_free(context, builder->by_v);
  thud_free(context, builder->by_path);
  thud_free(context, builder->index);
  thud_free(context, builder->slots);
  thud_free(context, builder->partials);
  thud_free(context, builder->scatter);
  for (model_array array = 0; array < MODEL_ARRAYS; array++) {
    thud_free(context, builder->array[array].place);
    thud_free(context, builder->array[array].value);
  }
}
