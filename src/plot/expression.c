/* Expressions of what a record holds: its time, the parameters, data and definitions of its scene, and the components of
 * the frames by their names. */
#include "plot/expression.h"
#include "base/base.h"
#include "run/run.h"
#include "scene/build.h"

#include <math.h>
#include <string.h>

/* Where the number of a slot comes from. */
typedef struct plot_slot {
  size_t source, component; /* SIZE_MAX: time */
} plot_slot;

struct plot_scope {
  thud_context *context;
  thud_tree *tree;   /* the resolved scene; NULL: the record holds none */
  thud_scene *scene; /* its parameters and data, no model; NULL: none */
  thud_expr_scope *own, *names;
  thud_index time;
  size_t count, capacity;
  plot_slot *slots; /* [count] */
};

void thud_plot_scope_destroy(plot_scope *scope) {
  if (scope == NULL) return;
  thud_expr_scope_destroy(scope->own);
  if (scope->scene != NULL) thud_scene_free(scope->scene);
  thud_tree_destroy(scope->tree);
  thud_free(scope->context, scope->slots);
  thud_free(scope->context, scope);
}

const thud_node *thud_plot_scope_root(const plot_scope *scope) {
  return scope->tree != NULL ? thud_tree_root(scope->tree) : NULL;
}

const thud_node *thud_plot_section(const thud_node *root) {
  const thud_kind *kind = root != NULL ? thud_run_kind_of(root) : NULL;
  return kind != NULL ? thud_node_find(root, kind->section) : NULL;
}

const char *thud_plot_text_at(const thud_node *map, const char *key) {
  const thud_node *node = thud_node_find(map, key);
  return node != NULL && thud_node_get_kind(node) == THUD_NODE_STRING ? thud_node_string(node) : NULL;
}

/* ---- names ---------------------------------------------------------------------------------------------------------------- */

/* Parameters and data of the scene. A record without a scene that can be read has its components alone. */
static thud_error read_scene(plot_scope *scope, const char *resolved) {
  thud_error error = thud_tree_read_text(scope->context, "resolved scene", resolved, strlen(resolved), &scope->tree);
  if (error == THUD_OK) {
    scope->scene = THUD_NEW(scope->context, thud_scene);
    if (scope->scene == NULL) return THUD_ERROR_MEMORY;
    scope->scene->context = scope->context;
    error = thud_scene_build_common(scope->scene, thud_tree_root(scope->tree), (scene_data_form){.expressions = true});
  }
  if (error == THUD_OK) {
    scope->names = scope->scene->scope;
    scope->time = scope->scene->time_slot;
    return THUD_OK;
  }
  if (error == THUD_ERROR_MEMORY) return error;
  error = thud_expr_scope_create(scope->context, &scope->own);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scope->own, "t", &scope->time);
  scope->names = scope->own;
  return error;
}

/* A name that is taken or is none (a[0], wheel.x) is left out; the first of several has it. */
static thud_error only_memory(thud_error error) { return error == THUD_ERROR_MEMORY ? error : THUD_OK; }

static thud_error add_definitions(plot_scope *scope) {
  const thud_node *map = thud_node_find(thud_plot_scope_root(scope), "definitions");
  thud_error error = THUD_OK;
  if (map == NULL || thud_node_get_kind(map) != THUD_NODE_MAP) return THUD_OK;
  for (size_t k = 0; k < thud_node_count(map) && error == THUD_OK; k++) {
    const thud_node *item = thud_node_item(map, k);
    const char *name = thud_node_key(map, k);
    if (thud_node_get_kind(item) == THUD_NODE_NUMBER)
      error = thud_expr_scope_add_parameter(scope->names, name, thud_node_number(item));
    else if (thud_node_get_kind(item) == THUD_NODE_STRING)
      error = thud_expr_scope_add_expression(scope->names, name, thud_node_string(item));
    error = only_memory(error);
  }
  return error;
}

static thud_error keep_slot(plot_scope *scope, thud_index slot, plot_slot from) {
  void *slots = scope->slots;
  thud_error error = thud_array_reserve(scope->context, &slots, &scope->capacity, (size_t)slot + 1, sizeof(plot_slot));
  scope->slots = slots;
  if (error != THUD_OK) return error;
  while (scope->count <= (size_t)slot) scope->slots[scope->count++] = (plot_slot){SIZE_MAX, SIZE_MAX};
  scope->slots[slot] = from;
  return THUD_OK;
}

/* Expressions use values known between rows; densities have other units than the record, lists have no components. */
static bool is_usable(const thud_record_channel *channel, plot_source source) {
  bool look = channel->look == THUD_LOOK_LINE || channel->look == THUD_LOOK_HOLD || channel->look == THUD_LOOK_SERIES;
  return source.table == THUD_RECORD_FRAMES && source.part != PLOT_ATOMS && look &&
         (channel->width > 0 || channel->look == THUD_LOOK_SERIES);
}

static thud_error add_components(plot_scope *scope, const plot_record *record, size_t k) {
  plot_source source = record->sources[k];
  const thud_record_channel *named = thud_plot_channel(record, source);
  if (!is_usable(named, source)) return THUD_OK;
  size_t width = named->width > 0 ? named->width : named->group;
  size_t left = source.part == PLOT_SLOPES ? thud_plot_find(record, THUD_RECORD_FRAMES, named->left) : SIZE_MAX;
  if (left != SIZE_MAX) named = thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, left);
  thud_error error = THUD_OK;
  for (size_t c = 0; c < width && error == THUD_OK; c++) {
    thud_index slot = -1;
    error = only_memory(thud_expr_scope_add_variable(scope->names, named->components[c], &slot));
    if (error == THUD_OK && slot >= 0) error = keep_slot(scope, slot, (plot_slot){k, c});
  }
  return error;
}

thud_error thud_plot_scope(thud_picture *picture, plot_record *record, plot_scope **scope) {
  *scope = record->scope;
  if (record->scope != NULL) return THUD_OK;
  plot_scope *made = THUD_NEW(picture->context, plot_scope);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = picture->context;
  thud_error error = read_scene(made, thud_record_reader_info(record->reader).resolved);
  if (error == THUD_OK) error = keep_slot(made, made->time, (plot_slot){SIZE_MAX, SIZE_MAX});
  for (size_t k = 0; k < record->state_count && error == THUD_OK; k++) error = add_components(made, record, k);
  if (error == THUD_OK) error = add_definitions(made);
  for (size_t k = record->state_count; k < record->source_count && error == THUD_OK; k++)
    error = add_components(made, record, k);
  if (error == THUD_OK)
    *scope = record->scope = made;
  else
    thud_plot_scope_destroy(made);
  return error;
}

thud_error thud_plot_scope_compile(const plot_scope *scope, const char *text, thud_expr **expr) {
  return thud_expr_compile(scope->context, scope->names, text, NULL, expr);
}

thud_index thud_plot_scope_time(const plot_scope *scope) { return scope->time; }
thud_index thud_plot_scope_find(const plot_scope *scope, const char *name) {
  return thud_expr_scope_find_variable(scope->names, name);
}
size_t thud_plot_scope_size(const plot_scope *scope) { return scope->count; }

/* ---- values --------------------------------------------------------------------------------------------------------------- */

/* An expression that is being evaluated: what it reads of the record, and the numbers of its variables. */
typedef struct evaluation {
  thud_picture *picture;
  const plot_record *record;
  const plot_scope *scope;
  thud_expr *expr;
  plot_reading *inputs; /* [source_count]; width 0: not read */
  double *roundings;    /* [slots] differences below are none */
  double *variables;    /* [slots] */
} evaluation;

static thud_error read_inputs(evaluation *e) {
  const plot_scope *scope = e->scope;
  thud_context *context = e->picture->context;
  e->inputs = THUD_NEW_ARRAY(context, plot_reading, e->record->source_count);
  e->variables = THUD_NEW_ARRAY(context, double, scope->count);
  e->roundings = THUD_NEW_ARRAY(context, double, scope->count);
  if (e->inputs == NULL || e->variables == NULL || e->roundings == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < scope->count; k++) {
    plot_slot slot = scope->slots[k];
    if (slot.source == SIZE_MAX || !thud_expr_depends_on(e->expr, (thud_index)k)) continue;
    plot_reading *input = &e->inputs[slot.source];
    thud_error error = input->values != NULL
                           ? THUD_OK
                           : thud_plot_read(e->picture, e->record, e->record->sources[slot.source], true, input);
    if (error != THUD_OK) return error;
    e->roundings[k] = thud_plot_rounding(input, slot.component);
  }
  return THUD_OK;
}

static void free_inputs(evaluation *e) {
  for (size_t k = 0; e->inputs != NULL && k < e->record->source_count; k++)
    thud_plot_reading_free(e->picture, &e->inputs[k]);
  void *const arrays[] = {e->inputs, e->variables, e->roundings};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(e->picture->context, arrays[k]);
  thud_expr_destroy(e->expr);
}

/* The limit of an input from before; modes by rows hold until the row. */
static double limit_before(const plot_reading *input, size_t k, size_t c, double rounding) {
  double left;
  if (thud_plot_jumps(input, k, c, rounding, &left)) return left;
  bool held = input->instants == NULL && input->channel->look == THUD_LOOK_HOLD && k > 0;
  return input->values[(held ? k - 1 : k) * input->width + c];
}

static double evaluate(evaluation *e, size_t k, double t, thud_side side, bool before) {
  for (size_t i = 0; i < e->scope->count; i++) {
    plot_slot slot = e->scope->slots[i];
    if (slot.source == SIZE_MAX || e->inputs[slot.source].values == NULL) continue;
    const plot_reading *input = &e->inputs[slot.source];
    e->variables[i] = before ? limit_before(input, k, slot.component, e->roundings[i])
                             : input->values[k * input->width + slot.component];
  }
  e->variables[e->scope->time] = t;
  return thud_expr_evaluate_side(e->expr, e->variables, e->scope->time, side);
}

static void fill(evaluation *e, plot_reading *reading) {
  const double *sides = reading->instants == NULL ? e->record->side : NULL;
  for (size_t k = 0; k < reading->count; k++) {
    double t = thud_plot_time(reading, k);
    double side = sides != NULL ? sides[k] : 1;
    reading->values[k] = evaluate(e, k, t,
                                  side < 0   ? THUD_SIDE_LEFT
                                  : side > 0 ? THUD_SIDE_RIGHT
                                             : THUD_SIDE_VALUE,
                                  false);
    reading->left[k] = sides != NULL ? reading->values[k] : evaluate(e, k, t, THUD_SIDE_LEFT, true);
  }
}

/* Drawn like a channel that is known at all times. */
static const thud_record_channel *as_channel(void) {
  static const thud_record_channel expression = {
      .name = "", .unit = "", .role = "", .description = "", .look = THUD_LOOK_SERIES};
  return &expression;
}

static thud_error start_reading(thud_picture *picture, const plot_record *record, const char *text,
                                plot_reading *reading) {
  bool sampled = record->instants != NULL;
  const char **names = thud_arena_alloc(picture->arena, 2, sizeof *names);
  if (names == NULL) return THUD_ERROR_MEMORY;
  names[0] = thud_plot_text(picture, "%s", text);
  names[1] = "";
  *reading = (plot_reading){.record = record,
                            .channel = as_channel(),
                            .width = 1,
                            .names = names,
                            .units = names + 1,
                            .count = sampled ? record->instant_count : record->rows,
                            .instants = record->instants,
                            .t = record->t};
  thud_error error = thud_plot_new_values(picture, reading->count, 1, text, &reading->values);
  if (error == THUD_OK) error = thud_plot_new_values(picture, reading->count, 1, text, &reading->left);
  return names[0] != NULL ? error : THUD_ERROR_MEMORY;
}

thud_error thud_plot_read_expression(thud_picture *picture, plot_record *record, const char *text,
                                     plot_reading *reading) {
  evaluation e = {.picture = picture, .record = record};
  plot_scope *scope;
  thud_error error = thud_plot_scope(picture, record, &scope);
  if (error != THUD_OK) return error;
  e.scope = scope;
  error = thud_plot_scope_compile(scope, text, &e.expr);
  if (error != THUD_OK && error != THUD_ERROR_MEMORY)
    return thud_fail_within(picture->context, THUD_ERROR_NOT_FOUND, "'%s' of record '%s'", text, record->stem);
  if (error == THUD_OK) error = start_reading(picture, record, text, reading);
  if (error == THUD_OK) error = read_inputs(&e);
  if (error == THUD_OK) fill(&e, reading);
  free_inputs(&e);
  return error;
}
