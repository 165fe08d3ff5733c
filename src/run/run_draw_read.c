/* From the tree of `draw` to marks: one row of a table for each kind of mark, with the keys whose numbers it has. */
#include "record/record_names.h"
#include "run/run_draw.h"
#include "run/run_rows.h"
#include "run/run.h"

#include <math.h>
#include <string.h>

enum { MOST_FIELDS = 7, MOST_SEGMENTS = 100000 };

typedef struct draw_reader draw_reader;

/* A key of a mark. Its function appends numbers to the mark, in the order of the fields; it is asked with NULL where an
 * optional key is not there. */
typedef struct draw_field {
  const char *key;
  thud_error (*read)(draw_reader *reader, const thud_node *node);
  bool optional;
} draw_field;

typedef struct draw_rule {
  const char *name;
  thud_mark_kind kind;
  thud_paint paint;
  bool filled;
  size_t least; /* elements */
  draw_field fields[MOST_FIELDS];
} draw_rule;

struct draw_reader {
  thud_scene *scene;
  scene_draw *draw;
  const draw_rule *rule;
  draw_mark *mark;
  const thud_node *node;        /* of the mark */
  const thud_expr_scope *scope; /* names of its expressions */
  thud_expr_scope *own;         /* the same with a curve's variable; NULL: none */
};

static draw_panel *panel_of(const draw_reader *reader) { return &reader->draw->panels[reader->mark->panel]; }

/* ---- numbers ------------------------------------------------------------------------------------------------------- */

static thud_error read_value(draw_reader *reader, const thud_node *node, scene_value *value) {
  thud_error error = thud_scene_read_value_in(reader->scene, reader->scope, node, value);
  if (error == THUD_OK) thud_draw_note_use(&reader->draw->names, value->expr);
  return error;
}

static thud_error append(draw_reader *reader, const thud_node *node, scene_values *values) {
  scene_value value = {0};
  thud_error error = read_value(reader, node, &value);
  if (error != THUD_OK) return error;
  error = thud_scene_values_add(reader->scene, values, value);
  if (error != THUD_OK) thud_scene_value_free(&value);
  return error;
}

static thud_error read_number(draw_reader *reader, const thud_node *node) {
  return append(reader, node, &reader->mark->numbers);
}

/* Every mark of a panel is in the plane or every one is in space, as the first one is. */
static thud_error check_dimension(draw_reader *reader, const thud_node *node, size_t count) {
  draw_panel *panel = panel_of(reader);
  if (count != 2 && count != 3)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[wrong-count] a point is [x, y] in the plane or [x, y, z] in space: 2 or 3 numbers, not %zu",
                          count);
  if (panel->dimension != 0 && panel->dimension != count)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[wrong-count] %zu numbers are needed here, not %zu: the first mark of this panel is in %s",
                          panel->dimension, count, panel->dimension == 2 ? "the plane" : "space");
  if (thud_mark_width(reader->rule->kind, (int)count) == 0)
    return thud_node_fail(node, THUD_ERROR_SCHEMA, "[wrong-count] a %s is drawn in the plane only: give 2 numbers",
                          reader->rule->name);
  panel->dimension = count;
  panel->about.space = count == 3;
  return THUD_OK;
}

static thud_error read_vector(draw_reader *reader, const thud_node *node, scene_values *values) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error == THUD_OK) error = check_dimension(reader, node, thud_node_count(node));
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++)
    error = append(reader, thud_node_item(node, k), values);
  return error;
}

static thud_error read_point(draw_reader *reader, const thud_node *node) {
  return read_vector(reader, node, &reader->mark->numbers);
}

static thud_error read_constant(draw_reader *reader, double value) {
  return thud_scene_values_add(reader->scene, &reader->mark->numbers, (scene_value){.constant = value});
}

/* null: the line is interrupted and goes on at the next point. */
static thud_error read_gap(draw_reader *reader) {
  thud_error error = THUD_OK;
  for (size_t i = 0; i < panel_of(reader)->dimension && error == THUD_OK; i++) error = read_constant(reader, NAN);
  return error;
}

/* A list of points, or one point. */
static thud_error read_points(draw_reader *reader, const thud_node *node) {
  thud_error error = thud_node_expect(node, THUD_NODE_SEQUENCE);
  if (error != THUD_OK) return error;
  bool list = thud_node_get_kind(thud_node_item(node, 0)) == THUD_NODE_SEQUENCE;
  bool gaps = reader->rule->kind == THUD_MARK_LINE;
  if (!list && reader->rule->least == 1) return read_point(reader, node);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++) {
    const thud_node *item = thud_node_item(node, k);
    bool gap = gaps && k > 0 && thud_node_get_kind(item) == THUD_NODE_NULL;
    error = gap ? read_gap(reader) : read_point(reader, item);
  }
  return error;
}

/* Without an angle no radius is drawn. A sphere has none. */
static thud_error read_circle_angle(draw_reader *reader, const thud_node *node) {
  bool sphere = panel_of(reader)->dimension == 3;
  if (node == NULL) return sphere ? THUD_OK : read_constant(reader, NAN);
  if (sphere)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[misplaced-key] a sphere has no angle; it belongs to circles in the plane");
  return read_number(reader, node);
}

static thud_error read_box_angle(draw_reader *reader, const thud_node *node) {
  return node != NULL ? read_number(reader, node) : read_constant(reader, 0);
}

/* ---- texts ----------------------------------------------------------------------------------------------------------- */

static thud_error read_text(draw_reader *reader, const thud_node *node, const char **kept) {
  const char *text = NULL;
  thud_error error = thud_node_read_string(node, &text);
  if (error != THUD_OK) return error;
  char *copy = thud_arena_alloc(reader->draw->arena, strlen(text) + 1, 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, text, strlen(text));
  *kept = copy;
  return THUD_OK;
}

static thud_error read_mark_text(draw_reader *reader, const thud_node *node) {
  return read_text(reader, node, &reader->mark->look.text);
}

/* ---- arrows ---------------------------------------------------------------------------------------------------------- */

static thud_error read_arrow_vector(draw_reader *reader, const thud_node *node) {
  const thud_node *force = thud_node_find(reader->node, "force");
  if ((node == NULL) == (force == NULL))
    return thud_node_fail(
        reader->node, THUD_ERROR_SCHEMA,
        "[contradictory-keys] an arrow has either 'vector: [..]' or 'force: NAME' with the name of a reaction");
  return node != NULL ? read_point(reader, node) : THUD_OK;
}

static thud_error take_force(draw_reader *reader, const thud_node *along, size_t component) {
  draw_mark *mark = reader->mark;
  mark->forces[mark->force_count++] = component;
  return read_vector(reader, along, &mark->directions);
}

/* {floor: [0, 1], floor.t1: [1, 0]}: the sum of both. */
static thud_error read_forces(draw_reader *reader, const thud_node *node) {
  const draw_names *names = &reader->draw->names;
  thud_error error = thud_node_check_keys(node, names->reactions, names->reaction_count);
  for (size_t k = 0; error == THUD_OK && k < thud_node_count(node); k++) {
    size_t component = 0;
    while (strcmp(names->reactions[component], thud_node_key(node, k)) != 0) component++;
    error = take_force(reader, thud_node_item(node, k), component);
  }
  return error;
}

static thud_error read_force(draw_reader *reader, const thud_node *node) {
  const draw_names *names = &reader->draw->names;
  const thud_node *along = thud_node_find(reader->node, "along");
  bool map = thud_node_get_kind(node) == THUD_NODE_MAP;
  if (along != NULL && (node == NULL || map))
    return thud_node_fail(along, THUD_ERROR_SCHEMA, "[misplaced-key] 'along' is the direction of 'force: NAME'");
  if (node == NULL) return THUD_OK;
  if (names->reaction_count == 0)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[unknown-name] the records of this scene have no reactions that could be drawn");
  reader->mark->form = DRAW_REACTION;
  reader->mark->look.paint = THUD_PAINT_FORCE;
  reader->mark->forces = thud_arena_alloc(reader->draw->arena, map ? thud_node_count(node) : 1, sizeof(size_t));
  if (reader->mark->forces == NULL) return THUD_ERROR_MEMORY;
  if (map) return read_forces(reader, node);
  int component = 0;
  thud_error error = thud_node_read_choice(node, names->reactions, &component);
  if (error == THUD_OK) error = thud_node_require(reader->node, "along", &along);
  return error == THUD_OK ? take_force(reader, along, (size_t)component) : error;
}

/* `along` is read with `force`. */
static thud_error read_nothing(draw_reader *reader, const thud_node *node) {
  (void)reader;
  (void)node;
  return THUD_OK;
}

/* ---- curves and traces --------------------------------------------------------------------------------------------- */

static thud_error read_begin(draw_reader *reader, const thud_node *node) {
  return read_value(reader, node, &reader->mark->begin);
}

static thud_error read_end(draw_reader *reader, const thud_node *node) {
  return read_value(reader, node, &reader->mark->end);
}

static thud_error read_segments(draw_reader *reader, const thud_node *node) {
  int64_t segments = 60;
  thud_error error = node != NULL ? thud_node_read_integer(node, 1, MOST_SEGMENTS, &segments) : THUD_OK;
  reader->mark->segments = (size_t)segments;
  return error;
}

/* The variable is known within this curve only. */
static thud_error read_running(draw_reader *reader, const thud_node *node) {
  const char *name = NULL;
  thud_error error = thud_node_read_string(node, &name);
  if (error == THUD_OK) error = thud_expr_scope_copy(reader->scope, NULL, &reader->own);
  if (error != THUD_OK) return error;
  reader->scope = reader->own;
  reader->mark->form = DRAW_CURVE;
  error = thud_expr_scope_add_variable(reader->own, name, &reader->mark->running);
  return error == THUD_OK || error == THUD_ERROR_MEMORY ? error : thud_node_fail_within(node, error);
}

static thud_error read_third(draw_reader *reader, const thud_node *node) {
  thud_error error = check_dimension(reader, reader->node, node != NULL ? 3 : 2);
  return error == THUD_OK && node != NULL ? read_number(reader, node) : error;
}

static thud_error read_trace(draw_reader *reader, const thud_node *node) {
  reader->mark->form = DRAW_TRACE;
  return read_point(reader, node);
}

/* ---- the table --------------------------------------------------------------------------------------------------------- */

static const draw_rule rules[] = {
    {"circle",
     THUD_MARK_CIRCLE,
     THUD_PAINT_BODY,
     true,
     1,
     {{"at", read_point, false}, {"radius", read_number, false}, {"angle", read_circle_angle, true}}},
    {"box",
     THUD_MARK_BOX,
     THUD_PAINT_BODY,
     true,
     1,
     {{"at", read_point, false}, {"size", read_point, false}, {"angle", read_box_angle, true}}},
    {"line", THUD_MARK_LINE, THUD_PAINT_GUIDE, false, 2, {{"points", read_points, false}}},
    {"area", THUD_MARK_AREA, THUD_PAINT_OBSTACLE, true, 3, {{"points", read_points, false}}},
    {"points", THUD_MARK_POINTS, THUD_PAINT_BODY, false, 1, {{"at", read_points, false}}},
    {"spring", THUD_MARK_SPRING, THUD_PAINT_GUIDE, false, 1, {{"from", read_point, false}, {"to", read_point, false}}},
    {"arrow",
     THUD_MARK_ARROW,
     THUD_PAINT_VELOCITY,
     false,
     1,
     {{"at", read_point, false},
      {"vector", read_arrow_vector, true},
      {"force", read_force, true},
      {"along", read_nothing, true}}},
    {"text", THUD_MARK_TEXT, THUD_PAINT_GUIDE, false, 1, {{"at", read_point, false}, {"text", read_mark_text, false}}},
    {"curve",
     THUD_MARK_LINE,
     THUD_PAINT_OBSTACLE,
     false,
     1,
     {{"from", read_begin, false},
      {"to", read_end, false},
      {"segments", read_segments, true},
      {"for", read_running, false},
      {"x", read_number, false},
      {"y", read_number, false},
      {"z", read_third, true}}},
    {"trace", THUD_MARK_LINE, THUD_PAINT_TRACE, false, 1, {{"at", read_trace, false}}},
};
enum { RULES = sizeof rules / sizeof *rules };

/* ---- how it is drawn --------------------------------------------------------------------------------------------------- */

static thud_error read_paint(const thud_node *node, thud_paint *paint) {
  const char *names[THUD_PAINTS + 1] = {NULL};
  int choice = 0;
  for (int k = 0; k < THUD_PAINTS; k++) names[k] = thud_paint_name((thud_paint)k);
  thud_error error = thud_node_read_choice(node, names, &choice);
  if (error == THUD_OK) *paint = (thud_paint)choice;
  return error;
}

static thud_error read_positive(draw_reader *reader, const thud_node *node, double most, double *value) {
  thud_error error = thud_scene_read_constant(reader->scene, node, value);
  if (error == THUD_OK && !(*value > 0 && *value <= most))
    error = thud_node_fail(node, THUD_ERROR_SCHEMA,
                           "[out-of-range] a number above 0 and at most %g is needed here, not %g", most, *value);
  return error;
}

static thud_error read_when(draw_reader *reader, const thud_node *node) {
  reader->mark->conditional = true;
  return read_value(reader, node, &reader->mark->when);
}

static const char *const look_keys[] = {"paint", "colour", "width", "filled", "dashed", "opacity", "label", "when"};
enum { LOOK_KEYS = sizeof look_keys / sizeof *look_keys, MOST_WIDTH = 20, MOST_COLOUR = 8 };

static thud_error read_look(draw_reader *reader) {
  const thud_node *nodes[LOOK_KEYS];
  thud_mark *look = &reader->mark->look;
  int64_t colour = 0;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < LOOK_KEYS; k++) nodes[k] = thud_node_find(reader->node, look_keys[k]);
  if (nodes[0] != NULL) error = read_paint(nodes[0], &look->paint);
  if (error == THUD_OK && nodes[1] != NULL) error = thud_node_read_integer(nodes[1], 0, MOST_COLOUR, &colour);
  look->colour = (int)colour;
  if (error == THUD_OK && nodes[2] != NULL) error = read_positive(reader, nodes[2], MOST_WIDTH, &look->width);
  if (error == THUD_OK && nodes[3] != NULL) error = thud_node_read_bool(nodes[3], &look->filled);
  if (error == THUD_OK && nodes[4] != NULL) error = thud_node_read_bool(nodes[4], &look->dashed);
  if (error == THUD_OK && nodes[5] != NULL) error = read_positive(reader, nodes[5], 1, &look->opacity);
  if (error == THUD_OK && nodes[6] != NULL) error = read_text(reader, nodes[6], &look->label);
  return error == THUD_OK && nodes[7] != NULL ? read_when(reader, nodes[7]) : error;
}

/* ---- entries ------------------------------------------------------------------------------------------------------------ */

static thud_error add_panel(scene_draw *draw, draw_panel panel) {
  thud_error error =
      thud_array_reserve(draw->context, &draw->panels, &draw->panel_capacity, draw->panel_count + 1, sizeof panel);
  if (error == THUD_OK) draw->panels[draw->panel_count++] = panel;
  return error;
}

/* Marks that follow belong to it. */
static thud_error read_panel(draw_reader *reader, const thud_node *node) {
  static const char *const keys[] = {"title", "x_label", "y_label", "x_unit", "y_unit", "axes", "stretched"};
  enum { TEXTS = 5 };
  draw_panel panel = {0};
  const char **texts[TEXTS] = {&panel.about.title, &panel.about.x_label, &panel.about.y_label, &panel.about.x_unit,
                               &panel.about.y_unit};
  thud_error error = thud_node_check_keys(node, keys, sizeof keys / sizeof *keys);
  for (size_t k = 0; k < TEXTS && error == THUD_OK; k++) {
    const thud_node *text = thud_node_find(node, keys[k]);
    if (text != NULL) error = read_text(reader, text, texts[k]);
  }
  const thud_node *axes = thud_node_find(node, "axes"), *stretched = thud_node_find(node, "stretched");
  if (error == THUD_OK && axes != NULL) error = thud_node_read_bool(axes, &panel.about.axes);
  if (error == THUD_OK && stretched != NULL) error = thud_node_read_bool(stretched, &panel.about.stretched);
  return error == THUD_OK ? add_panel(reader->draw, panel) : error;
}

static thud_error read_fields(draw_reader *reader) {
  const char *keys[MOST_FIELDS + LOOK_KEYS];
  size_t count = 0;
  for (; count < MOST_FIELDS && reader->rule->fields[count].key != NULL; count++)
    keys[count] = reader->rule->fields[count].key;
  memcpy(keys + count, look_keys, sizeof look_keys);
  thud_error error = thud_node_check_keys(reader->node, keys, count + LOOK_KEYS);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    const draw_field *field = &reader->rule->fields[k];
    const thud_node *value = thud_node_find(reader->node, field->key);
    if (!field->optional) error = thud_node_require(reader->node, field->key, &value);
    if (error == THUD_OK) error = field->read(reader, value);
  }
  return error;
}

static thud_error check_count(const draw_reader *reader) {
  const draw_mark *mark = reader->mark;
  size_t width = thud_mark_width(mark->look.kind, (int)thud_draw_dimension(reader->draw, mark));
  /* a panel without a point yet has no dimension, and the width is 0 */
  bool enough = mark->numbers.count > 0 && mark->numbers.count >= reader->rule->least * width;
  if (mark->form != DRAW_ELEMENTS || enough) return THUD_OK;
  return thud_node_fail(reader->node, THUD_ERROR_SCHEMA, "[wrong-count] '%s' needs at least %zu points",
                        reader->rule->name, reader->rule->least);
}

static thud_error read_mark(draw_reader *reader) {
  scene_draw *draw = reader->draw;
  thud_error error = draw->panel_count == 0 ? add_panel(draw, (draw_panel){0}) : THUD_OK;
  if (error == THUD_OK)
    error = thud_array_reserve(draw->context, &draw->marks, &draw->mark_capacity, draw->mark_count + 1,
                               sizeof *draw->marks);
  if (error != THUD_OK) return error;
  reader->mark = &draw->marks[draw->mark_count++];
  reader->mark->panel = draw->panel_count - 1;
  reader->mark->look.kind = reader->rule->kind;
  reader->mark->look.paint = reader->rule->paint;
  reader->mark->look.filled = reader->rule->filled;
  reader->scope = draw->names.scope;
  error = read_fields(reader);
  reader->scope = draw->names.scope;
  if (error == THUD_OK) error = check_count(reader);
  if (error == THUD_OK) error = read_look(reader);
  if (reader->mark->form == DRAW_CURVE && reader->mark->look.filled) reader->mark->look.kind = THUD_MARK_AREA;
  thud_expr_scope_destroy(reader->own);
  reader->own = NULL;
  return error;
}

static thud_error read_entry(draw_reader *reader, const thud_node *node) {
  const char *names[RULES + 1] = {"panel"};
  for (size_t k = 0; k < RULES; k++) names[k + 1] = rules[k].name;
  thud_error error = thud_node_check_keys(node, names, RULES + 1);
  if (error != THUD_OK) return error;
  if (thud_node_count(node) != 1)
    return thud_node_fail(node, THUD_ERROR_SCHEMA,
                          "[wrong-count] an entry is one mark, as in '- circle: {...}'; here are %zu",
                          thud_node_count(node));
  reader->node = thud_node_item(node, 0);
  if (strcmp(thud_node_key(node, 0), "panel") == 0) return read_panel(reader, reader->node);
  reader->rule = rules;
  while (strcmp(reader->rule->name, thud_node_key(node, 0)) != 0) reader->rule++;
  return read_mark(reader);
}

/* ---- the section --------------------------------------------------------------------------------------------------------- */

size_t thud_draw_dimension(const scene_draw *draw, const draw_mark *mark) {
  return draw->panels[mark->panel].dimension;
}

static thud_error read_section(thud_scene *scene, const thud_node *list, const thud_record_layout *layout) {
  scene_draw *draw = scene->draw;
  draw_reader reader = {.scene = scene, .draw = draw};
  thud_error error = thud_node_expect(list, THUD_NODE_SEQUENCE);
  if (error == THUD_OK) error = thud_arena_create(scene->context, 4096, &draw->arena);
  if (error == THUD_OK) error = thud_draw_name(scene, layout, draw->arena, &draw->names);
  for (size_t k = 0; k < thud_node_count(list) && error == THUD_OK; k++)
    error = read_entry(&reader, thud_node_item(list, k));
  if (error != THUD_OK) return error;
  draw->variables = THUD_NEW_ARRAY(scene->context, double, thud_expr_scope_variable_count(draw->names.scope) + 1);
  return draw->variables != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_draw_build(thud_scene *scene, const thud_node *root, const thud_record_layout *layout) {
  const thud_node *list = thud_node_find(root, "draw");
  if (list == NULL) return THUD_OK;
  scene->draw = THUD_NEW(scene->context, scene_draw);
  if (scene->draw == NULL) return THUD_ERROR_MEMORY;
  scene->draw->context = scene->context;
  return read_section(scene, list, layout);
}

static void free_mark(thud_scene *scene, draw_mark *mark) {
  thud_scene_values_free(scene, &mark->numbers);
  thud_scene_values_free(scene, &mark->directions);
  thud_scene_value_free(&mark->when);
  thud_scene_value_free(&mark->begin);
  thud_scene_value_free(&mark->end);
  thud_free(scene->context, mark->trace.times);
  thud_free(scene->context, mark->trace.points);
}

void thud_draw_destroy(thud_scene *scene) {
  scene_draw *draw = scene->draw;
  if (draw == NULL) return;
  for (size_t k = 0; k < draw->mark_count; k++) free_mark(scene, &draw->marks[k]);
  thud_free(scene->context, draw->marks);
  thud_free(scene->context, draw->panels);
  thud_free(scene->context, draw->variables);
  thud_free(scene->context, draw->numbers);
  thud_expr_scope_destroy(draw->names.scope);
  thud_arena_destroy(draw->arena);
  thud_free(scene->context, draw);
}

/* ---- names that expressions of `draw` may use -------------------------------------------------------------------- */

/* Names that expressions of `draw` may use: t, parameters, definitions, data, and the components of the state that are
 * names (x and x', not u(0.25) or ball.x). */

/* Channels of forces: of systems, sweeping processes and elastic bodies in equilibrium, and of friction laws. */
static const char *const reaction_roles[] = {"reaction", "reaction_series", "forces"};

static thud_error find_reactions(const thud_record_layout *layout, thud_arena *arena, draw_names *names) {
  size_t count = layout->count[THUD_RECORD_FRAMES], found = SIZE_MAX;
  const thud_record_channel *channels = layout->channels[THUD_RECORD_FRAMES];
  for (size_t k = 0; k < sizeof reaction_roles / sizeof *reaction_roles && found == SIZE_MAX; k++)
    found = thud_report_find_role(count, channels, reaction_roles[k]);
  const thud_record_channel *channel = found != SIZE_MAX ? &channels[found] : NULL;
  names->reaction_count = channel != NULL ? thud_record_component_count(channel) : 0;
  names->reactions = thud_arena_alloc(arena, names->reaction_count + 1, sizeof *names->reactions);
  if (names->reactions == NULL) return THUD_ERROR_MEMORY;
  if (channel == NULL) return THUD_OK;
  names->reaction = channel->name;
  if (channel->components == NULL && names->reaction_count != 1) names->reaction_count = 0; /* none has a name */
  for (size_t i = 0; i < names->reaction_count; i++)
    names->reactions[i] = channel->components != NULL ? channel->components[i] : channel->name;
  return THUD_OK;
}

/* Name that moments use for the channel of a part. */
static const char *name_part(thud_arena *arena, const thud_record_channel *channels, const run_part *part) {
  enum { ROOM = THUD_RECORD_NAME_LENGTH + 2 };
  const thud_record_channel *channel = &channels[part->channel];
  char *name = part->slope ? thud_arena_alloc(arena, ROOM, 1) : NULL;
  if (name == NULL) return part->slope ? NULL : channel->name;
  thud_record_name_derivative(channel, name);
  return name;
}

/* A component whose name expressions cannot use, or that a parameter has, is left out. */
static thud_error add_component(thud_context *context, draw_names *names, const char *name, thud_index *slot) {
  *slot = -1;
  thud_error error = thud_expr_scope_add_variable(names->scope, name, slot);
  if (error != THUD_ERROR_ARGUMENT) return error;
  thud_run_forget_message(context);
  return THUD_OK;
}

static thud_error add_part(thud_scene *scene, const thud_record_channel *channels, thud_arena *arena,
                           const run_state *state, const run_part *part, draw_names *names) {
  draw_part *made = &names->parts[names->part_count];
  made->name = name_part(arena, channels, part);
  made->width = part->width;
  made->slots = thud_arena_alloc(arena, part->width, sizeof *made->slots);
  if (made->name == NULL || made->slots == NULL) return THUD_ERROR_MEMORY;
  names->part_count++;
  thud_error error = THUD_OK;
  for (size_t i = 0; i < part->width && error == THUD_OK; i++)
    error = add_component(scene->context, names, state->names[part->first + i], &made->slots[i]);
  return error;
}

static thud_error add_state(thud_scene *scene, const thud_record_layout *layout, thud_arena *arena, draw_names *names) {
  run_state state;
  thud_error error = thud_run_state_create(scene->context, layout->count[THUD_RECORD_FRAMES],
                                           layout->channels[THUD_RECORD_FRAMES], &state);
  if (error == THUD_OK) {
    names->parts = thud_arena_alloc(arena, state.part_count, sizeof *names->parts);
    if (names->parts == NULL) error = THUD_ERROR_MEMORY;
  }
  for (size_t p = 0; p < state.part_count && error == THUD_OK; p++)
    error = add_part(scene, layout->channels[THUD_RECORD_FRAMES], arena, &state, &state.parts[p], names);
  thud_run_state_free(scene->context, &state);
  return error;
}

thud_error thud_draw_name(thud_scene *scene, const thud_record_layout *layout, thud_arena *arena, draw_names *names) {
  thud_error error = thud_expr_scope_copy(scene->scope, "t", &names->scope);
  if (error == THUD_OK) error = find_reactions(layout, arena, names);
  return error == THUD_OK ? add_state(scene, layout, arena, names) : error;
}

void thud_draw_note_use(draw_names *names, const thud_expr *expr) {
  for (size_t p = 0; expr != NULL && p < names->part_count; p++) {
    draw_part *part = &names->parts[p];
    for (size_t i = 0; i < part->width && !part->used; i++)
      part->used = part->slots[i] >= 0 && thud_expr_depends_on(expr, part->slots[i]);
  }
}
