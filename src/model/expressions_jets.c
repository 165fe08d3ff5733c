/* The program of a system's jets (model/jets.h). */
#include "model/jets.h"

#include "base/base.h"
#include "expr/graph.h"
#include "model/expressions.h"
#include "model/factors.h"
#include "thud/linalg.h"

#include <string.h>

void thud_model_lay_out_jets(const thud_system *system, model_jet_layout *layout) {
  size_t n = system->n, m = system->m, s = system->s;
  const struct {
    size_t *place, size;
  } parts[] = {{&layout->mass, n * n},
               {&layout->force, n},
               {&layout->applied, n},
               {&layout->potential_rate, 1},
               {&layout->gap, m},
               {&layout->velocity, m},
               {&layout->gradient, m * n},
               {&layout->convective, m},
               {&layout->slip, s * n},
               {&layout->slip_velocity, s},
               {&layout->slip_convective, s},
               {&layout->friction, system->laws},
               {&layout->potential, 1}};
  layout->count = 0;
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    *parts[k].place = layout->count;
    layout->count += parts[k].size;
  }
}

static thud_error add_forces(const model_builder *builder, const model_jet_layout *layout, thud_expr_value *values) {
  thud_error error = THUD_OK;
  for (size_t i = 0; i < builder->n && error == THUD_OK; i++) {
    const thud_expr_value terms[] = {*thud_model_entry(builder, MODEL_APPLIED, i),
                                     *thud_model_entry(builder, MODEL_POTENTIAL_GRADIENT, i),
                                     *thud_model_entry(builder, MODEL_INERTIA, i)};
    const thud_expr_value factors[] = {builder->one, builder->minus, builder->minus};
    error = thud_expr_graph_add_dot(builder->graph, 3, factors, terms, &values[layout->force + i]);
    values[layout->applied + i] = terms[0];
  }
  if (error != THUD_OK) return error;
  return thud_expr_graph_add_gradient(builder->graph, *thud_model_entry(builder, MODEL_POTENTIAL, 0), 1,
                                      &builder->slot_t, &values[layout->potential_rate]);
}

/* u and gamma of a constraint: the rate of its gap or its form, and the rate of that at fixed v. */
static thud_error add_constraint(model_builder *builder, const model_jet_layout *layout, size_t i,
                                 thud_expr_value *values) {
  thud_expr_value *velocity = &values[layout->velocity + i];
  thud_error error = THUD_OK;
  if (builder->def->constraints[i].kind >= THUD_CONSTRAINT_VELOCITY)
    *velocity = *thud_model_entry(builder, MODEL_RATE, i);
  else
    error = thud_model_rate(builder, *thud_model_entry(builder, MODEL_GAP, i), true, velocity);
  return error == THUD_OK ? thud_model_rate(builder, *velocity, true, &values[layout->convective + i]) : error;
}

/* Values x and y become a[0] x + a[2] y and a[1] x + a[3] y: A'u. */
static thud_error mix(model_builder *builder, const double *a, thud_expr_value *x, thud_expr_value *y) {
  thud_expr_value made[2] = {*x, *y};
  thud_error error = THUD_OK;
  for (size_t c = 0; c < 2 && error == THUD_OK; c++) {
    thud_expr_value factors[2], terms[2];
    thud_index count = 0;
    for (size_t d = 0; d < 2 && error == THUD_OK; d++) {
      if (a[2 * d + c] == 0) continue;
      error = thud_expr_graph_add_constant(builder->graph, a[2 * d + c], &factors[count]);
      terms[count++] = d == 0 ? *x : *y;
    }
    if (error == THUD_OK) error = thud_expr_graph_add_dot(builder->graph, count, factors, terms, &made[c]);
  }
  *x = made[0];
  *y = made[1];
  return error;
}

/* Slip rows and velocities in the frames of their laws. */
static thud_error use_frames(model_builder *builder, const thud_system *system, const model_jet_layout *layout,
                             thud_expr_value *values) {
  thud_error error = THUD_OK;
  for (size_t f = 0; f < thud_model_factor_count(system) && error == THUD_OK; f++) {
    const model_factor *factor = thud_model_factor(system, f);
    if (factor->set.kind != THUD_FACTOR_ELLIPSE) continue;
    thud_expr_value *row = values + layout->slip + factor->first * builder->n,
                    *velocity = values + layout->slip_velocity + factor->first;
    for (size_t i = 0; i < builder->n && error == THUD_OK; i++)
      error = mix(builder, factor->set.map, row + i, row + builder->n + i);
    if (error == THUD_OK) error = mix(builder, factor->set.map, velocity, velocity + 1);
  }
  return error;
}

static thud_error add_values(model_builder *builder, const thud_system *system, const model_jet_layout *layout,
                             thud_expr_value *values) {
  const struct {
    size_t place;
    model_array from;
  } copies[] = {{layout->mass, MODEL_MASS},
                {layout->gap, MODEL_GAP},
                {layout->gradient, MODEL_GRADIENT},
                {layout->slip, MODEL_SLIP},
                {layout->slip_velocity, MODEL_SLIP_RATE},
                {layout->friction, MODEL_FRICTION}};
  for (size_t k = 0; k < layout->count; k++) values[k] = builder->zero;
  for (size_t k = 0; k < sizeof copies / sizeof *copies; k++) {
    const model_values *from = &builder->array[copies[k].from];
    for (size_t j = 0; j < from->count; j++)
      values[copies[k].place + thud_model_full_index(system, copies[k].from, from->place[j])] = from->value[j];
  }
  thud_error error = use_frames(builder, system, layout, values);
  if (error == THUD_OK) error = add_forces(builder, layout, values);
  for (size_t i = 0; i < builder->m && error == THUD_OK; i++) error = add_constraint(builder, layout, i, values);
  for (size_t j = 0; j < builder->s && error == THUD_OK; j++)
    error = thud_model_rate(builder, values[layout->slip_velocity + j], true, &values[layout->slip_convective + j]);
  return error;
}

/* Whether the energies may jump; if V does, it is an output. */
static thud_error add_jumps(model_builder *builder, const model_jet_layout *layout, thud_expr_value *values,
                            struct model_expressions *expressions) {
  const thud_expr_value potential = *thud_model_entry(builder, MODEL_POTENTIAL, 0);
  const model_values *mass = &builder->array[MODEL_MASS];
  thud_error error = thud_expr_graph_may_jump(builder->graph, potential, &expressions->potential_jumps);
  if (error == THUD_OK && expressions->potential_jumps) values[layout->potential] = potential;
  expressions->may_jump = expressions->potential_jumps;
  for (size_t k = 0; k < mass->count && error == THUD_OK && !expressions->may_jump; k++)
    error = thud_expr_graph_may_jump(builder->graph, mass->value[k], &expressions->may_jump);
  return error;
}

/* A system whose data cannot be differentiated is still a system: only its jets are refused, with the reason. */
static thud_error note_refusal(thud_system *system, thud_error error) {
  if (error != THUD_ERROR_UNSUPPORTED) return error;
  system->expressions->jets_refused = thud_strdup(system->context, thud_context_last_message(system->context));
  return system->expressions->jets_refused != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Jets have full matrices; those of more coordinates would be most of what a system with patterns costs. */
enum { MOST_COORDINATES = 1024 };

thud_error thud_model_add_jets(model_builder *builder, thud_system *system) {
  model_jet_layout layout;
  if (system->has_patterns && system->n > MOST_COORDINATES)
    return note_refusal(
        system,
        thud_fail(system->context, THUD_ERROR_UNSUPPORTED,
                  "[unsupported-method] %zu coordinates with few couplings; power series have full matrices, and at "
                  "most %d: choose a method of time stepping",
                  system->n, MOST_COORDINATES));
  thud_model_lay_out_jets(system, &layout);
  if (layout.count > INT32_MAX)
    return thud_fail(system->context, THUD_ERROR_OVERFLOW, "system: %zu numbers in its jets are too many",
                     layout.count);
  thud_expr_value *values = THUD_NEW_ARRAY(builder->context, thud_expr_value, layout.count);
  thud_error error = values != NULL ? add_values(builder, system, &layout, values) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = add_jumps(builder, &layout, values, system->expressions);
  if (error == THUD_OK)
    error = thud_expr_program_create(builder->graph, (thud_index)layout.count, values, &system->expressions->jets);
  thud_free(builder->context, values);
  return error == THUD_OK ? THUD_OK : note_refusal(system, error);
}

thud_error thud_model_get_jets(const thud_system *system, thud_context *context, model_jets *jets) {
  const struct model_expressions *expressions = system->expressions;
  if (expressions == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[unsupported-method] the system is given by functions in C, which have no power series; write it "
                     "in expressions");
  if (expressions->jets == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "[unsupported-method] the system has no power series: %s",
                     expressions->jets_refused);
  *jets = (model_jets){.program = expressions->jets,
                       .slot_t = expressions->slot_t,
                       .slot_q = expressions->slot_q,
                       .slot_v = expressions->slot_v,
                       .may_jump = expressions->may_jump,
                       .potential_jumps = expressions->potential_jumps};
  thud_model_lay_out_jets(system, &jets->layout);
  return THUD_OK;
}

bool thud_model_has_expressions(const thud_system *system) { return system->expressions != NULL; }

const char *thud_model_text_name(const thud_system *system, thud_index text) {
  const struct model_expressions *expressions = system->expressions;
  return expressions != NULL && text >= 0 && (size_t)text < expressions->text_count ? expressions->texts[text]
                                                                                    : "a derivative";
}
