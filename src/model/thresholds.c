/* Thresholds of friction that name reactions: a program of their own, whose variables are those of the system and the
 * reactions of its constraints. */
#include "model/thresholds.h"

#include "base/base.h"
#include "expr/scope.h"

#include <math.h>
#include <string.h>

/* ---- making ------------------------------------------------------------------------------------------------------ */

/* The scope of the system with the reactions behind its variables. */
struct model_threshold_builder {
  thud_expr_scope *scope;
  thud_expr_graph *graph;
  thud_index *slot_r;      /* [m] */
  size_t count, room;      /* laws read so far */
  model_threshold *items;  /* [count] */
  thud_expr_value *values; /* kappa and derivatives, law after law */
  size_t value_count, value_room;
  thud_expr_value *slope; /* [m] */
  thud_index *slots;      /* [m] */
};

static void free_items(thud_context *context, size_t count, model_threshold *items) {
  for (size_t j = 0; j < count; j++) thud_free(context, items[j].reaction);
  thud_free(context, items);
}

void thud_model_end_threshold_builder(thud_context *context, model_threshold_builder *made) {
  if (made == NULL) return;
  thud_expr_graph_destroy(made->graph);
  thud_expr_scope_destroy(made->scope);
  free_items(context, made->count, made->items);
  thud_free(context, made->slot_r);
  thud_free(context, made->values);
  thud_free(context, made->slope);
  thud_free(context, made->slots);
  thud_free(context, made);
}

/* Whether a constraint's name can stand in an expression and means nothing else there. */
static bool is_free_name(const thud_expr_scope *scope, const char *name) {
  double number;
  size_t length = name != NULL ? strlen(name) : 0;
  if (length == 0 || !thud_expr_starts_name(name[0])) return false;
  for (size_t k = 1; k < length; k++)
    if (!thud_expr_continues_name(name[k])) return false;
  return thud_expr_scope_find(scope, name, length) == NULL && !thud_expr_find_constant(name, length, &number) &&
         thud_expr_find_call(name, length) == EXPR_OP_COUNT;
}

static thud_error add_reactions(const model_builder *builder, model_threshold_builder *made) {
  thud_error error = THUD_OK;
  for (size_t i = 0; i < builder->m && error == THUD_OK; i++) {
    const char *name = builder->def->constraints[i].name;
    made->slot_r[i] = -1;
    if (is_free_name(made->scope, name)) error = thud_expr_scope_add_variable(made->scope, name, &made->slot_r[i]);
  }
  return error;
}

static thud_error begin(model_builder *builder) {
  thud_context *context = builder->context;
  if (builder->thresholds != NULL) return THUD_OK;
  model_threshold_builder *made = builder->thresholds = THUD_NEW(context, model_threshold_builder);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->slot_r = THUD_NEW_ARRAY(context, thud_index, builder->m);
  made->slope = THUD_NEW_ARRAY(context, thud_expr_value, builder->m);
  made->slots = THUD_NEW_ARRAY(context, thud_index, builder->m);
  if (made->slot_r == NULL || made->slope == NULL || made->slots == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_expr_scope_copy(builder->scope, NULL, &made->scope);
  if (error == THUD_OK) error = add_reactions(builder, made);
  return error == THUD_OK ? thud_expr_graph_create(context, made->scope, &made->graph) : error;
}

/* The reactions that a value depends on; slots of them in made->slots. */
static thud_error find_reactions(const model_builder *builder, thud_expr_value value, model_threshold *item) {
  model_threshold_builder *made = builder->thresholds;
  thud_error error = THUD_OK;
  item->reaction = THUD_NEW_ARRAY(builder->context, thud_index, builder->m);
  if (item->reaction == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < builder->m && error == THUD_OK; i++) {
    bool depends = false;
    if (made->slot_r[i] < 0) continue;
    error = thud_expr_graph_depends_on(made->graph, value, made->slot_r[i], &depends);
    if (!depends) continue;
    made->slots[item->count] = made->slot_r[i];
    item->reaction[item->count++] = (thud_index)i;
  }
  return error;
}

static thud_error keep_values(model_builder *builder, thud_expr_value value, const model_threshold *item) {
  model_threshold_builder *made = builder->thresholds;
  thud_error error = thud_array_reserve(builder->context, &made->values, &made->value_room,
                                        made->value_count + 1 + item->count, sizeof *made->values);
  if (error != THUD_OK) return error;
  made->values[made->value_count++] = value;
  for (size_t j = 0; j < item->count; j++) made->values[made->value_count++] = made->slope[j];
  return THUD_OK;
}

thud_error thud_model_build_threshold(model_builder *builder, thud_index k, thud_expr_place *place) {
  thud_error error = begin(builder);
  if (error != THUD_OK) return error;
  model_threshold_builder *made = builder->thresholds;
  thud_expr_value value = 0;
  error = thud_expr_graph_add(made->graph, builder->def->friction[k].mu, place, &value);
  if (error == THUD_OK)
    error = thud_array_reserve(builder->context, &made->items, &made->room, made->count + 1, sizeof *made->items);
  if (error != THUD_OK) return error;
  model_threshold *item = &made->items[made->count++];
  *item = (model_threshold){.law = (size_t)k, .output = made->value_count};
  error = find_reactions(builder, value, item);
  if (error == THUD_OK && item->count > 0)
    error = thud_expr_graph_add_gradient(made->graph, value, (thud_index)item->count, made->slots, made->slope);
  return error == THUD_OK ? keep_values(builder, value, item) : error;
}

thud_error thud_model_add_thresholds(model_builder *builder, thud_system *system) {
  model_threshold_builder *made = builder->thresholds;
  if (made == NULL || made->count == 0) return THUD_OK;
  model_thresholds *thresholds = THUD_NEW(system->context, model_thresholds);
  if (thresholds == NULL) return THUD_ERROR_MEMORY;
  system->thresholds = thresholds;
  *thresholds = (model_thresholds){
      .count = made->count, .outputs = made->value_count, .items = made->items, .slot_r = made->slot_r};
  made->items = NULL;
  made->slot_r = NULL;
  made->count = 0;
  return thud_expr_program_create(made->graph, (thud_index)made->value_count, made->values, &thresholds->program);
}

void thud_model_destroy_thresholds(thud_context *context, model_thresholds *thresholds) {
  if (thresholds == NULL) return;
  thud_expr_program_destroy(thresholds->program);
  free_items(context, thresholds->count, thresholds->items);
  thud_free(context, thresholds->slot_r);
  thud_free(context, thresholds);
}

/* ---- use --------------------------------------------------------------------------------------------------------- */

struct model_threshold_scratch {
  thud_expr_work *work;
  double *variables, *outputs;
};

const model_threshold *thud_model_threshold_of(const thud_system *system, size_t law) {
  const model_thresholds *thresholds = system->thresholds;
  for (size_t j = 0; thresholds != NULL && j < thresholds->count; j++)
    if (thresholds->items[j].law == law) return &thresholds->items[j];
  return NULL;
}

thud_error thud_model_create_threshold_scratch(const thud_system *system, model_state *state) {
  const model_thresholds *thresholds = system->thresholds;
  if (thresholds == NULL) return THUD_OK;
  struct model_threshold_scratch *made = state->thresholds = THUD_NEW(state->context, struct model_threshold_scratch);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->variables = THUD_NEW_ARRAY(state->context, double, thud_expr_program_variable_count(thresholds->program));
  made->outputs = THUD_NEW_ARRAY(state->context, double, thresholds->outputs);
  if (made->variables == NULL || made->outputs == NULL) return THUD_ERROR_MEMORY;
  return thud_expr_work_create(state->context, thresholds->program, 0, &made->work);
}

void thud_model_destroy_threshold_scratch(model_state *state) {
  struct model_threshold_scratch *made = state->thresholds;
  if (made == NULL) return;
  thud_expr_work_destroy(made->work);
  thud_free(state->context, made->variables);
  thud_free(state->context, made->outputs);
  thud_free(state->context, made);
}

void thud_model_place_thresholds(model_state *state, double t, const double *q, const double *v) {
  const struct model_expressions *expressions = state->system->expressions;
  if (state->thresholds == NULL) return;
  double *variables = state->thresholds->variables;
  variables[expressions->slot_t] = t;
  for (size_t i = 0; i < state->system->n; i++) {
    variables[expressions->slot_q[i]] = q[i];
    variables[expressions->slot_v[i]] = v[i];
  }
}

double thud_model_threshold_at(const thud_system_values *values, const model_threshold *threshold, const double *force,
                               double *slope) {
  const model_state *state = (const model_state *)values;
  const model_thresholds *thresholds = state->system->thresholds;
  struct model_threshold_scratch *scratch = state->thresholds;
  for (size_t j = 0; j < threshold->count; j++)
    scratch->variables[thresholds->slot_r[threshold->reaction[j]]] = force[j];
  thud_expr_work_evaluate(scratch->work, scratch->variables, scratch->outputs);
  for (size_t j = 0; slope != NULL && j < threshold->count; j++) slope[j] = scratch->outputs[threshold->output + 1 + j];
  return scratch->outputs[threshold->output];
}

/* Forces of an impact are its impulses times this (1/s), a power of two: what kappa has beside them is 1e-12 of a force
 * that acts for a second. */
#define IMPACT_RATE 0x1p40
/* kappa of twice the forces may be more than twice kappa by this part. */
#define GROWTH 1e-9

double thud_model_threshold_of_impulses(const thud_system_values *values, const model_threshold *threshold, double step,
                                        const double *impulse, double *room) {
  double rate = step > 0 ? 1 / step : IMPACT_RATE;
  for (size_t j = 0; j < threshold->count; j++) room[j] = rate * impulse[j];
  double kappa = thud_model_threshold_at(values, threshold, room, NULL) / rate;
  if (step > 0) return kappa;
  for (size_t j = 0; j < threshold->count; j++) room[j] *= 2;
  double twice = thud_model_threshold_at(values, threshold, room, NULL) / rate;
  return twice <= 2 * kappa * (1 + GROWTH) ? kappa : (double)NAN;
}
