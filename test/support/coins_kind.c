/* A kind is one table: nothing under src knows this one. docs/kinds.md explains it piece by piece. */
#include "coins_kind.h"
#include "testing.h"
#include "thud/study.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the motion -------------------------------------------------------------------------------------------------- */

typedef struct coins_motion {
  thud_motion base; /* first: the interface of all motions */
  coins_state state;
  double start, end, rate, limit;
  thud_index steps;
} coins_motion;

/* The pile grows; every fifth time it is struck, loses a third of its height, and a coin falls. */
static void make_step(coins_motion *pile) {
  coins_state *now = &pile->state;
  double h = (pile->end - pile->start) / pile->steps;
  now->step++;
  now->t = now->step < pile->steps ? pile->start + now->step * h : pile->end;
  now->height += h * pile->rate * exp(-now->height);
  now->before = now->height;
  now->blow = fmod(now->step, STRUCK_EVERY) == 0 ? -now->height / 3 : 0;
  now->height += now->blow;
  for (int k = 0; k < COINS; k++) now->wear[k] += fabs(now->blow) / (1 + k);
  if (now->blow != 0 && now->fallen_count < COINS) now->fallen[(size_t)now->fallen_count++] = fmod(now->step, COINS);
}

/* The first call shows the start, each further one makes a step; blows come before the frame that shows them. */
static thud_error coins_step(thud_motion *motion, const thud_motion_sink *sink, thud_reached *reached) {
  coins_motion *pile = (coins_motion *)motion;
  coins_state *now = &pile->state;
  if (now->begun != 0) make_step(pile);
  now->begun = 1;
  int answer = now->blow != 0 && sink->event != NULL ? sink->event(sink->user, now) : 0;
  if (answer == 0 && sink->frame != NULL) answer = sink->frame(sink->user, now);
  *reached = (thud_reached){.status = answer > 0 ? THUD_MOTION_STOPPED : THUD_MOTION_RUNNING, .t = now->t};
  if (now->step >= pile->steps) reached->status = THUD_MOTION_COMPLETED;
  if (now->height > pile->limit) reached->status = THUD_MOTION_FAILED;
  return answer < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static void coins_present(const thud_motion *motion, void *frame) {
  memcpy(frame, &((const coins_motion *)motion)->state, sizeof(coins_state));
}

static size_t coins_state_size(const thud_motion *motion) {
  (void)motion;
  return sizeof(coins_state);
}

static thud_error coins_restore(thud_motion *motion, const void *state, size_t size) {
  if (size != sizeof(coins_state)) return THUD_ERROR_FORMAT;
  memcpy(&((coins_motion *)motion)->state, state, size);
  return THUD_OK;
}

static void coins_motion_destroy(thud_motion *motion) { free(motion); }

static const thud_motion_type coins_type = {.name = "coins",
                                            .frame_size = sizeof(coins_state),
                                            .info_size = sizeof(coins_state),
                                            .step = coins_step,
                                            .present = coins_present,
                                            .info = coins_present,
                                            .state_size = coins_state_size,
                                            .save = coins_present,
                                            .restore = coins_restore,
                                            .destroy = coins_motion_destroy};

/* ---- the kind ------------------------------------------------------------------------------------------------------ */

typedef struct coins {
  thud_kind_object object;   /* first: by it the driver writes checkpoints */
  const thud_row_sink *sink; /* of the step that is being made */
  double struck;             /* 1: the height jumps in this row */
  double kind;               /* of an event */
  double all[COINS];
  char names[COINS][16];
  const char *labels[COINS];
  thud_record_channel frames[6], events[4];
  thud_record_layout layout;
  double places[3 * COINS]; /* the mesh: a point for every coin */
  unsigned char types[COINS];
  size_t ends[COINS], corners[COINS];
} coins;

static void describe(coins *pile) {
  static const char *const kinds[] = {"blow"};
  for (int k = 0; k < COINS; k++) {
    snprintf(pile->names[k], sizeof pile->names[k], "coin-%02d", k + 1);
    pile->labels[k] = pile->names[k];
    pile->all[k] = k;
    pile->places[3 * k + 2] = 0.1 * k;
    pile->types[k] = THUD_VTK_VERTEX;
    pile->ends[k] = (size_t)k + 1;
    pile->corners[k] = (size_t)k;
  }
  pile->frames[0] = (thud_record_channel){.name = "t", .width = 1, .unit = "s", .role = "time"};
  pile->frames[1] = (thud_record_channel){.name = "height", .width = 1, .unit = "m", .left = "found", .state = true};
  pile->frames[2] = (thud_record_channel){.name = "found", .width = 1, .unit = "m", .look = THUD_LOOK_POINT};
  pile->frames[3] = (thud_record_channel){.name = "struck", .type = THUD_RECORD_SMALL, .width = 1, .role = "atom"};
  pile->frames[4] = (thud_record_channel){
      .name = "fallen", .type = THUD_RECORD_INTEGER, .label_count = COINS, .labels = pile->labels};
  pile->frames[5] = (thud_record_channel){
      .name = "wear", .width = COINS, .components = pile->labels, .unit = "N s", .look = THUD_LOOK_HOLD};
  pile->events[0] = (thud_record_channel){.name = "t", .width = 1, .unit = "s", .role = "time"};
  pile->events[1] = (thud_record_channel){
      .name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 1, .labels = kinds};
  pile->events[2] = (thud_record_channel){.name = "coins",
                                          .type = THUD_RECORD_INTEGER,
                                          .role = "constraints",
                                          .label_count = COINS,
                                          .labels = pile->labels};
  pile->events[3] = (thud_record_channel){.name = "impulse", .width = 1, .unit = "N s", .role = "impulse"};
  pile->layout = (thud_record_layout){.count = {6, 4}, .channels = {pile->frames, pile->events}};
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

/* `file` beside the scene holds the rate: it comes into the tree, and so into every record. */
static thud_error coins_take_files(thud_tree *tree) {
  const thud_node *section = thud_node_find(thud_tree_root(tree), "coins");
  const thud_node *named = thud_node_find(section, "file");
  const char *name;
  thud_tree_value rate = {.kind = THUD_NODE_NUMBER};
  if (named == NULL || thud_node_find(section, "rate") != NULL) return THUD_OK;
  thud_error error = thud_node_read_string(named, &name);
  if (error != THUD_OK) return error;
  FILE *stream = fopen(name, "r");
  bool read = stream != NULL && fscanf(stream, "%lf", &rate.number) == 1;
  if (stream != NULL) fclose(stream);
  if (!read) return thud_node_fail(named, THUD_ERROR_FILE, "%s has no number", name);
  return thud_tree_add(tree, section, "rate", &rate, NULL);
}

static void coins_destroy(void *made) {
  thud_motion_destroy(((coins *)made)->object.motion);
  free(made);
}

static thud_error read_number(thud_scene *scene, const thud_node *section, const char *key, double *value) {
  const thud_node *node;
  thud_error error = thud_node_require(section, key, &node);
  return error == THUD_OK ? thud_scene_number(scene, node, value) : error;
}

static thud_error coins_build(thud_scene *scene, const thud_node *root, void **made) {
  static const char *const keys[] = {"rate", "limit", "file"};
  const thud_node *section = thud_node_find(root, "coins");
  coins *pile = calloc(1, sizeof *pile);
  coins_motion *motion = calloc(1, sizeof *motion);
  thud_error error = pile != NULL && motion != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = thud_node_check_keys(section, keys, 3);
  if (error == THUD_OK) error = read_number(scene, section, "rate", &motion->rate);
  if (error == THUD_OK) error = read_number(scene, section, "limit", &motion->limit);
  if (error == THUD_OK) error = thud_scene_steps(scene, root, &motion->steps);
  if (error != THUD_OK) {
    free(motion);
    free(pile);
    return error;
  }
  motion->base = (thud_motion){.type = &coins_type, .context = thud_scene_context(scene)};
  thud_scene_span(scene, &motion->start, &motion->end);
  motion->state.t = motion->start;
  pile->object.motion = &motion->base;
  describe(pile);
  *made = pile;
  return THUD_OK;
}

static const char *coins_method(const void *made) {
  (void)made;
  return "stacking";
}

static const thud_record_layout *coins_layout(const void *made) { return &((const coins *)made)->layout; }

static int hand_out(coins *pile, const coins_state *now, unsigned flags) {
  pile->struck = now->blow != 0;
  const thud_record_cell cells[6] = {{.values = &now->t, .count = 1},
                                     {.values = &now->height, .count = 1},
                                     {.values = &now->before, .count = 1},
                                     {.values = &pile->struck, .count = 1},
                                     {.values = now->fallen, .count = (size_t)now->fallen_count},
                                     {.values = now->wear, .count = COINS}};
  return pile->sink->frame(pile->sink->user, now->t, flags, cells);
}

static int on_frame(void *user, const void *frame) {
  const coins_state *now = frame;
  return hand_out(user, now, now->blow != 0 ? THUD_ROW_KEEP : 0);
}

static int on_blow(void *user, const void *event) {
  coins *pile = user;
  const coins_state *now = event;
  const thud_record_cell cells[4] = {{.values = &now->t, .count = 1},
                                     {.values = &pile->kind, .count = 1},
                                     {.values = pile->all, .count = COINS},
                                     {.values = &now->blow, .count = 1}};
  return pile->sink->event(pile->sink->user, now->t, cells);
}

static thud_error coins_advance(void *made, const thud_row_sink *sink, thud_reached *reached) {
  coins *pile = made;
  const thud_motion_sink rows = {.frame = on_frame, .event = on_blow, .user = pile};
  pile->sink = sink;
  thud_error error = thud_motion_step(pile->object.motion, &rows, reached);
  if (error == THUD_OK && reached->status == THUD_MOTION_FAILED) {
    reached->what = "too high";
    reached->verdict = "tired";
  }
  return error;
}

static thud_error coins_finish(void *made, const thud_row_sink *sink) {
  coins *pile = made;
  coins_state now;
  thud_motion_present(pile->object.motion, &now);
  pile->sink = sink;
  return hand_out(pile, &now, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static void coins_report(const void *made, thud_report *report) {
  coins_state now;
  thud_motion_present(((const coins *)made)->object.motion, &now);
  thud_report_method(report, "%d steps", (int)now.step);
  thud_report_integer(report, "fallen", (int64_t)now.fallen_count);
  thud_report_line(report, "fallen", "%d coins", (int)now.fallen_count);
  thud_report_events(report, 2);
  if (now.fallen_count > 3) thud_report_warning(report, now.t, "mess", "coins lie about");
}

/* A box for every coin of the pile, the top one as high as there is left, and the fallen ones beside it. */
static thud_error coins_draw(const void *made, thud_moment *moment, thud_drawing *drawing) {
  enum { BOX = 5 }; /* x, y, width, height, angle */
  static const double thickness = 0.1;
  const double *height, *fallen;
  double pile[COINS * BOX], beside[COINS * BOX];
  size_t one, count, shown = 0;
  (void)made;
  thud_error error = thud_moment_values(moment, "height", &height, &one);
  if (error == THUD_OK) error = thud_moment_values(moment, "fallen", &fallen, &count);
  if (error != THUD_OK) return error;
  for (double low = 0; low < *height && shown < COINS; low = thickness * (double)++shown) {
    double high = shown + 1 < COINS ? fmin(low + thickness, *height) : *height;
    const double box[BOX] = {0, (low + high) / 2, 1, high - low, 0};
    memcpy(pile + BOX * shown, box, sizeof box);
  }
  for (size_t k = 0; k < count; k++) {
    const double box[BOX] = {1.2 + 1.1 * (double)(k / 10), thickness * ((double)(k % 10) + 0.5), 1, thickness, 0};
    memcpy(beside + BOX * k, box, sizeof box);
  }
  const thud_drawing_panel panel = {.title = "pile", .x_unit = "m", .y_unit = "m"};
  thud_mark mark = {.kind = THUD_MARK_BOX, .paint = THUD_PAINT_BODY, .filled = true, .label = "pile"};
  mark.count = shown;
  mark.numbers = pile;
  error = thud_drawing_add_panel(drawing, &panel);
  if (error == THUD_OK) error = thud_drawing_add(drawing, &mark);
  mark.label = "fallen";
  mark.paint = THUD_PAINT_TRACE;
  mark.count = count;
  mark.numbers = beside;
  return error == THUD_OK ? thud_drawing_add(drawing, &mark) : error;
}

/* Coins are points above each other; channels with a number for every coin are fields on them. */
static thud_error coins_mesh(const void *made, thud_vtk_mesh *mesh) {
  const coins *pile = made;
  *mesh = (thud_vtk_mesh){.points = COINS,
                          .places = pile->places,
                          .cells = COINS,
                          .types = pile->types,
                          .ends = pile->ends,
                          .corners = pile->corners};
  return THUD_OK;
}

/* Refined by its rows. */
static const thud_kind_study coins_study = {.kind = THUD_STUDY_OF_ROWS};

const thud_kind coins_kind = {.name = "coins",
                              .section = "coins",
                              .take_files = coins_take_files,
                              .build = coins_build,
                              .destroy = coins_destroy,
                              .method = coins_method,
                              .layout = coins_layout,
                              .advance = coins_advance,
                              .finish = coins_finish,
                              .report = coins_report,
                              .mesh = coins_mesh,
                              .draw = coins_draw,
                              .study = &coins_study};

/* ---- its scene ------------------------------------------------------------------------------------------------------- */

static const char scene_text[] = "thud: 1\n"
                                 "title: A pile of coins\n"
                                 "parameters: {r: 2}\n"
                                 "coins: {rate: r, limit: 100}\n"
                                 "simulate: {end: 10, steps: 400}\n"
                                 "record: {every: 0.5, checkpoint_every: 1}\n";

thud_tree *coins_tree(thud_context *context) {
  thud_tree *tree = NULL;
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", scene_text, strlen(scene_text), &tree), THUD_OK);
  return tree;
}

thud_scene *coins_scene(thud_context *context, const char *set, const char *value) {
  const thud_kind *const kinds[] = {&coins_kind};
  thud_tree *tree = coins_tree(context);
  thud_scene *scene = NULL;
  if (set != NULL) assert_int_equal(thud_tree_set(tree, set, value), THUD_OK);
  thud_error error = thud_scene_build_kinds(context, tree, 1, kinds, &scene);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

thud_run_result coins_run(thud_scene *scene, const thud_run_options *options) {
  thud_run_result result = {0};
  thud_error error = thud_scene_run(scene, options, &result);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(thud_scene_context(scene)));
  return result;
}
