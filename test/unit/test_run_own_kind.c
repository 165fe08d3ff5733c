/* A kind of motion that exists only here: a pile of coins that grows, is struck now and then, and gets tired. It shows
 * that a kind is two tables in one file: nothing under src knows it, and yet it runs, reports, records, brings files, is
 * killed and resumed with the same bits, is exported as CSV and VTK, and studied like every other. docs/kinds.md explains
 * it piece by piece. */
#include "page_reader.h"
#include "thud/film.h"
#include "thud/page.h"
#include "thud/plot.h"
#include "thud/run.h"
#include "thud/study.h"
#include "thud/verify.h"

#include "scratch_folder.h"
#include "testing.h"

#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- the motion -------------------------------------------------------------------------------------------------- */

enum { COINS = 40, STRUCK_EVERY = 5 };

/* State: everything that changes, without pointers, so that a checkpoint is a copy. */
typedef struct coins_state {
  double t, height, before; /* before: the height that a blow found */
  double step;              /* number of the steps done */
  double blow;              /* impulse of the last step, 0: none */
  double fallen[COINS];     /* coins that lie beside the pile, in the order of their fall */
  double fallen_count;
  double wear[COINS]; /* of each coin by all blows, N s */
  double begun;       /* the start has been handed out */
} coins_state;

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

static const thud_kind coins_kind = {.name = "coins",
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

/* ---- its runs ---------------------------------------------------------------------------------------------------- */

static const char scene_text[] = "thud: 1\n"
                                 "title: A pile of coins\n"
                                 "parameters: {r: 2}\n"
                                 "coins: {rate: r, limit: 100}\n"
                                 "simulate: {end: 10, steps: 400}\n"
                                 "record: {every: 0.5, checkpoint_every: 1}\n";

static thud_scene *build_scene(thud_context *context, const char *set, const char *value) {
  const thud_kind *const kinds[] = {&coins_kind};
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", scene_text, strlen(scene_text), &tree), THUD_OK);
  if (set != NULL) assert_int_equal(thud_tree_set(tree, set, value), THUD_OK);
  thud_error error = thud_scene_build_kinds(context, tree, 1, kinds, &scene);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_tree_destroy(tree);
  return scene;
}

static thud_run_result run_scene(thud_scene *scene, const thud_run_options *options) {
  thud_run_result result = {0};
  thud_error error = thud_scene_run(scene, options, &result);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(thud_scene_context(scene)));
  return result;
}

static void assert_has(const char *text, const char *part) {
  if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
}

static void it_runs_and_reports_by_its_table(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  const double times[] = {5, 0.125};
  options.sample_count = 2;
  options.sample_times = times;
  thud_run_result result = run_scene(scene, &options);
  assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  assert_has(result.report, "A pile of coins\n  method      stacking, 400 steps, t = 0 to 10\n");
  assert_has(result.report, "  fallen      40 coins\n");
  assert_has(result.report, "blow    coin-01");
  assert_has(result.report, "    and 78 more\n");
  assert_has(result.report, "  warning     coins lie about\n");
  assert_has(result.json, "\"method\": \"stacking\"");
  assert_has(result.json, "\"fallen\": 40");
  assert_has(result.json, "\"events_total\": 80");
  assert_has(result.json, "\"coin-40\"]"); /* all forty names of an event */
  assert_has(result.json, "\"samples_left\"");
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* The height before and after the first blow, h = 1/40, in closed form step by step. */
static void samples_have_both_limits_of_a_jump(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  const double time = 0.125;
  double height = 0;
  char left[64], right[64];
  for (int k = 0; k < STRUCK_EVERY; k++) height += 0.025 * 2 * exp(-height);
  snprintf(left, sizeof left, "\"height\": %.17g", height);
  snprintf(right, sizeof right, "\"height\": %.17g", height + -height / 3);
  options.sample_count = 1;
  options.sample_times = &time;
  thud_run_result result = run_scene(scene, &options);
  assert_has(strstr(result.json, "\"samples\""), right);
  assert_has(strstr(result.json, "\"samples_left\""), left);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void it_has_a_verdict_of_its_own(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, "coins.limit", "0.4");
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("tired.h5");
  thud_run_result result = run_scene(scene, &options);
  assert_int_equal(result.verdict, THUD_VERDICT_FAILED);
  assert_has(result.report, "verdict: tired: too high after t = ");
  assert_has(result.json, "\"verdict\": \"tired\"");
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  assert_string_equal(thud_record_reader_info(reader).verdict, "tired");
  assert_string_equal(thud_record_reader_info(reader).kind, "coins");
  thud_record_reader_destroy(reader);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* ---- its records ------------------------------------------------------------------------------------------------- */

/* The whole file as bytes; freed by the caller. */
static char *read_file(const char *path, size_t *size) {
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  assert_int_equal(fseek(stream, 0, SEEK_END), 0);
  *size = (size_t)ftell(stream);
  rewind(stream);
  char *bytes = malloc(*size + 1);
  assert_non_null(bytes);
  assert_int_equal(fread(bytes, 1, *size, stream), *size);
  bytes[*size] = '\0';
  fclose(stream);
  return bytes;
}

/* All rows of a table as CSV: the same text means the same bits. */
static char *table_text(thud_context *context, const char *record, thud_record_table table) {
  thud_record_reader *reader = NULL;
  size_t size = 0;
  const char *path = thud_test_path("table.csv");
  thud_record_csv_options options = thud_record_csv_options_default();
  options.overwrite = true;
  assert_int_equal(thud_record_open(context, record, &reader), THUD_OK);
  thud_error error = thud_record_export_csv(reader, &options, table, 0, NULL, path);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_record_reader_destroy(reader);
  return read_file(path, &size);
}

static void events_name_all_forty_coins(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("coins.h5");
  thud_run_result result = run_scene(scene, &options);
  char *text = table_text(context, options.record, THUD_RECORD_EVENTS);
  assert_has(text, "coin-01 coin-02 coin-03");
  assert_has(text, "coin-39 coin-40");
  char *frames = table_text(context, options.record, THUD_RECORD_FRAMES);
  assert_has(frames, "coin-06 coin-11 coin-16"); /* the ragged channel */
  free(frames);
  free(text);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static int die_at(void *user, double t, double start, double end) {
  (void)start, (void)end;
  if (t >= *(const double *)user) raise(SIGKILL);
  return 0;
}

/* A child writes the record and kills itself at the time. */
static void kill_run(const char *record, double time) {
  pid_t child = fork();
  thud_assert_at_least(child, 0);
  if (child == 0) {
    thud_context *context = thud_test_context(1);
    thud_scene *scene = build_scene(context, NULL, NULL);
    thud_run_options options = thud_run_options_default();
    options.record = record;
    options.overwrite = true;
    options.progress = die_at;
    options.progress_user = &time;
    run_scene(scene, &options);
    _exit(0);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  thud_assert_equal(WTERMSIG(status), SIGKILL);
}

static void a_killed_run_is_resumed_with_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("whole.h5");
  thud_run_result whole = run_scene(scene, &options);
  char *frames = table_text(context, options.record, THUD_RECORD_FRAMES);
  char *events = table_text(context, options.record, THUD_RECORD_EVENTS);
  for (double time = 1.3; time < 10; time += 2.9) {
    char path[4096];
    snprintf(path, sizeof path, "%s", thud_test_path("killed.h5"));
    kill_run(path, time);
    options.record = path;
    options.resume = true;
    thud_run_result result = run_scene(scene, &options);
    assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
    assert_has(result.json, "\"events_total\": 80");
    char *resumed = table_text(context, path, THUD_RECORD_FRAMES);
    assert_string_equal(resumed, frames);
    free(resumed);
    resumed = table_text(context, path, THUD_RECORD_EVENTS);
    assert_string_equal(resumed, events);
    free(resumed);
    thud_run_result_free(context, &result);
  }
  free(frames);
  free(events);
  thud_run_result_free(context, &whole);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void one_step_at_a_time_gives_the_same_result(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  thud_run_result whole = run_scene(scene, &options), result = {0};
  thud_run *run = NULL;
  size_t steps = 0;
  bool going = true;
  assert_int_equal(thud_run_create(scene, &options, &run), THUD_OK);
  for (; going; steps++) assert_int_equal(thud_run_step(run, &going), THUD_OK);
  assert_int_equal(steps, 401); /* the start, and 400 steps */
  assert_int_equal(thud_run_finish(run, &result), THUD_OK);
  thud_run_destroy(run);
  assert_string_equal(result.report, whole.report);
  thud_run_result_free(context, &result);
  thud_run_result_free(context, &whole);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* The picture shows the height with its jumps; the checker says that it does not know the kind. */
static void its_record_is_drawn_and_read_by_the_checker(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("drawn.h5");
  thud_run_result result = run_scene(scene, &options);
  const char *const records[] = {options.record};
  thud_picture *picture = NULL;
  assert_int_equal(thud_picture_create(context, 1, records, NULL, &picture), THUD_OK);
  const thud_plot_figure *figure = thud_picture_figure(picture);
  thud_assert_at_least(figure->panel_count, 2);
  assert_string_equal(figure->panels[0].y_label, "height");
  thud_assert_at_least(figure->panels[0].series_count, 1);
  thud_assert_greater(figure->panels[0].series[0].count, 20);
  thud_picture_destroy(picture);
  thud_verify_result checked;
  assert_int_equal(thud_verify_record(context, options.record, NULL, &checked), THUD_OK);
  assert_int_equal(checked.verdict, THUD_VERIFY_UNDECIDED);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static bool has_note(const page_reader *page, const char *words) {
  const thud_node *notes = page_reader_find(page, "records.0.notes");
  for (size_t k = 0; k < thud_node_count(notes); k++) {
    const char *note = NULL;
    assert_int_equal(thud_node_read_string(thud_node_item(notes, k), &note), THUD_OK);
    if (strstr(note, words) != NULL) return true;
  }
  return false;
}

/* The page of a kind that the library does not know has its picture when the program gives the scene, and a note
 * otherwise. */
static void assert_its_page_has_the_pile(thud_context *context, thud_scene *scene, const char *record) {
  for (int given = 0; given < 2; given++) {
    thud_page_options options = thud_page_options_default();
    options.overwrite = true;
    options.scenes = given ? (thud_scene *const[]){scene} : NULL;
    assert_int_equal(thud_page_write(context, 1, &record, NULL, &options, thud_test_path("coins.html")), THUD_OK);
    page_reader page = page_reader_open(context, thud_test_path("coins.html"));
    const thud_node *film = page_reader_find(&page, "records.0.film");
    thud_assert_equal(thud_node_get_kind(film) == THUD_NODE_MAP, given == 1);
    if (given) assert_string_equal(page_reader_text(&page, "records.0.film.marks.0.kind"), "box");
    thud_assert_equal(has_note(&page, "no moving picture"), given == 0);
    page_reader_close(&page);
  }
}

/* What its boxes sum up to is the height, before and after every blow; as many lie beside it as the record says. */
static void its_drawing_is_a_pile_as_high_as_the_record_says(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("looks.h5");
  thud_run_result result = run_scene(scene, &options);
  thud_record_reader *reader = NULL;
  thud_film *film = NULL;
  double before = 0;
  size_t blows = 0, panel, most = 0;
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  assert_int_equal(thud_film_create(reader, scene, NULL, &film), THUD_OK);
  for (size_t frame = 0; frame < thud_film_frame_count(film); frame++) {
    const thud_drawing *drawing = NULL;
    double height = 0;
    int side;
    assert_int_equal(thud_film_draw(film, frame, &drawing), THUD_OK);
    thud_assert_equal(thud_drawing_mark_count(drawing), 2);
    const thud_mark *pile = thud_drawing_mark_at(drawing, 0, &panel);
    for (size_t k = 0; k < pile->count; k++) height += pile->numbers[5 * k + 3];
    most = thud_drawing_mark_at(drawing, 1, &panel)->count;
    (void)thud_film_time(film, frame, &side);
    if (side == 1) thud_assert_near(height, 2 * before / 3, 1e-14); /* a third falls */
    blows += side == 1;
    before = height;
  }
  thud_assert_equal(blows, 79); /* the last of 80 is at the end */
  thud_assert_equal(most, COINS);
  thud_film_destroy(film);
  thud_record_reader_destroy(reader);
  assert_its_page_has_the_pile(context, scene, options.record);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* The start is a frame of the record and can be sampled; a kind that leaves it out is refused. */
static thud_error advance_without_start(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  ((coins_motion *)((coins *)motion)->object.motion)->state.begun = 1;
  return coins_advance(motion, sink, reached);
}

static void motions_begin_with_their_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  const double time = 0;
  options.sample_count = 1;
  options.sample_times = &time;
  thud_run_result result = run_scene(scene, &options);
  assert_has(strstr(result.json, "\"samples\""), "\"height\": 0");
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_kind late = coins_kind;
  late.advance = advance_without_start;
  const thud_kind *const kinds[] = {&late};
  thud_tree *tree = NULL;
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", scene_text, strlen(scene_text), &tree), THUD_OK);
  assert_int_equal(thud_scene_build_kinds(context, tree, 1, kinds, &scene), THUD_OK);
  thud_run_result refused = run_scene(scene, &options);
  assert_int_equal(refused.verdict, THUD_VERDICT_FAILED);
  assert_has(refused.reason, ": the first one must be that of the start, t = 0");
  thud_run_result_free(context, &refused);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

static void a_scene_has_one_run_at_a_time(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  thud_run *first = NULL, *second = NULL;
  bool going;
  assert_int_equal(thud_run_create(scene, &options, &first), THUD_OK);
  assert_int_equal(thud_run_step(first, &going), THUD_OK);
  assert_int_equal(thud_run_create(scene, &options, &second), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "the scene has a run already: finish or destroy it before the next one is created",
                        NULL);
  assert_null(second);
  thud_run_destroy(first);
  assert_int_equal(thud_run_create(scene, &options, &second), THUD_OK);
  thud_run_destroy(second);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void wrong_keys_of_its_section_are_refused(void **state) {
  (void)state;
  static const char text[] = "thud: 1\ncoins: {rate: 1, limit: 1, rat: 2}\nsimulate: {end: 1, steps: 2}\n";
  const thud_kind *const kinds[] = {&coins_kind};
  thud_context *context = thud_test_context(1);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", text, strlen(text), &tree), THUD_OK);
  assert_int_not_equal(thud_scene_build_kinds(context, tree, 1, kinds, &scene), THUD_OK);
  thud_test_message_has(context, "coins.yaml:2:28: /coins/rat: unknown key 'rat' (did you mean 'rate'?)", NULL);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* ---- files, fields, studies --------------------------------------------------------------------------------------- */

static void write_rate(const char *path, const char *rate) {
  FILE *stream = fopen(path, "w");
  assert_non_null(stream);
  fputs(rate, stream);
  assert_int_equal(fclose(stream), 0);
}

/* The scene of the record says what the file said; without it the run is resumed and built again. */
static void a_record_holds_the_file_that_its_scene_names(void **state) {
  (void)state;
  const thud_kind *const kinds[] = {&coins_kind};
  thud_context *context = thud_test_context(1);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL, *again = NULL;
  char text[4096], *file = strdup(thud_test_path("rate.txt"));
  snprintf(text, sizeof text, "thud: 1\ncoins: {file: '%s', limit: 100}\nsimulate: {end: 10, steps: 400}\n", file);
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", text, strlen(text), &tree), THUD_OK);
  assert_int_equal(thud_scene_build_kinds(context, tree, 1, kinds, &scene), THUD_ERROR_FILE);
  thud_test_message_has(context, "coins.yaml:2:15: /coins/file: ", " has no number", NULL);
  write_rate(file, "2");
  assert_int_equal(thud_scene_build_kinds(context, tree, 1, kinds, &scene), THUD_OK);
  assert_int_equal(unlink(file), 0);
  thud_tree_destroy(tree);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("with-file.h5");
  thud_run_result result = run_scene(scene, &options);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  const char *kept = thud_record_reader_info(reader).scene;
  assert_int_equal(thud_tree_read_text(context, "record", kept, strlen(kept), &tree), THUD_OK);
  assert_int_equal(thud_scene_build_kinds(context, tree, 1, kinds, &again), THUD_OK);
  options.record = NULL;
  thud_run_result same = run_scene(again, &options);
  const char *state_of_first = strstr(result.json, "\"fallen\""), *state_of_second = strstr(same.json, "\"fallen\"");
  assert_non_null(state_of_first);
  assert_non_null(state_of_second);
  assert_memory_equal(state_of_first, state_of_second, 40);
  thud_record_reader_destroy(reader);
  thud_run_result_free(context, &result);
  thud_run_result_free(context, &same);
  thud_scene_destroy(scene);
  thud_scene_destroy(again);
  thud_tree_destroy(tree);
  free(file);
  thud_test_context_end(context);
}

/* Wear is a number for every coin: of the lower ones less, as 1, 1/2, 1/3, ... */
static void its_fields_are_exported_on_its_mesh(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  thud_record_reader *reader = NULL;
  size_t size, channel, rows;
  double wear[COINS];
  options.record = thud_test_path("fields.h5");
  thud_run_result result = run_scene(scene, &options);
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  assert_int_equal(thud_run_export_vtk(context, reader, NULL, thud_test_path("coins.vtu"), false), THUD_ERROR_SCHEMA);
  char *path = strdup(thud_test_path("coins.vtu"));
  assert_int_equal(thud_scene_export_vtk(scene, reader, NULL, path, false), THUD_OK);
  char *text = read_file(path, &size);
  assert_has(text, "NumberOfPoints=\"40\"");
  assert_has(text, "Name=\"wear\"");
  assert_null(strstr(text, "Name=\"height\"")); /* a number of the whole pile */
  assert_int_equal(thud_record_find_channel(reader, THUD_RECORD_FRAMES, "wear", &channel), THUD_OK);
  rows = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, channel, rows - 1, 1, wear), THUD_OK);
  for (int k = 0; k < COINS; k++) thud_assert_near(wear[k], wear[0] / (1 + k), 1e-13 * wear[0]);
  free(text);
  free(path);
  thud_record_reader_destroy(reader);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

/* The height at the ends of 2^level steps, computed here. */
static void stack(int level, double *height) {
  int steps = 1 << level;
  double now = 0, h = 10.0 / steps;
  height[0] = 0;
  for (int k = 1; k <= steps; k++) {
    now += h * 2 * exp(-now);
    if (k % STRUCK_EVERY == 0) now += -now / 3;
    height[k] = now;
  }
}

/* A pile that is struck every fifth step vanishes with the step: order 1. */
static void its_steps_are_refined_by_its_rows(void **state) {
  (void)state;
  enum { FIRST = 11, LAST = 15 };
  static double coarse[(1 << LAST) + 1], fine[(1 << LAST) + 1];
  const thud_kind *const kinds[] = {&coins_kind};
  thud_context *context = thud_test_context(1);
  thud_study_options options = thud_study_options_default();
  thud_tree *tree = NULL;
  thud_study study = {0};
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", scene_text, strlen(scene_text), &tree), THUD_OK);
  options.first_level = FIRST;
  options.last_level = LAST;
  options.kind_count = 1;
  options.kinds = kinds;
  thud_error error = thud_study_refine(context, tree, &options, &study);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(study.kind, THUD_STUDY_OF_ROWS);
  assert_string_equal(study.method, "stacking");
  thud_assert_equal(study.count, LAST - FIRST + 1);
  for (size_t k = 0; k + 1 < study.count; k++) {
    double worst = 0;
    stack(FIRST + (int)k, coarse);
    stack(FIRST + (int)k + 1, fine);
    for (int i = 0; i <= 1 << (FIRST + k); i++) worst = fmax(worst, fabs(coarse[i] - fine[2 * i]));
    thud_assert_near(study.rows[k].q_next, worst, 0);
    thud_assert_equal(study.rows[k].impacts, (1 << (FIRST + k)) / STRUCK_EVERY);
  }
  thud_assert_near(study.q_order, 1, 0.1);
  assert_int_equal(study.flags, 0);
  thud_study_free(&study);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

static void a_scene_of_an_unknown_kind_names_the_known_ones(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  assert_int_equal(thud_tree_read_text(context, "coins.yaml", scene_text, strlen(scene_text), &tree), THUD_OK);
  assert_int_not_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  thud_test_message_has(context, "coins.yaml:4:1: /coins: unknown key 'coins'", NULL);
  assert_null(scene);
  thud_tree_destroy(tree);
  thud_test_context_end(context);
}

/* ---- its checker --------------------------------------------------------------------------------------------------- */

/* A number of the scene, or the parameter that it names. */
static double scene_number(const thud_tree *scene, const char *section, const char *key) {
  const thud_node *root = thud_tree_root(scene), *node = thud_node_find(thud_node_find(root, section), key);
  if (thud_node_get_kind(node) == THUD_NODE_STRING)
    node = thud_node_find(thud_node_find(root, "parameters"), thud_node_string(node));
  return thud_node_number(node);
}

static thud_error read_channel(thud_record_reader *reader, const char *name, size_t rows, double *values) {
  size_t channel;
  thud_error error = thud_record_find_channel(reader, THUD_RECORD_FRAMES, name, &channel);
  return error == THUD_OK ? thud_record_read(reader, THUD_RECORD_FRAMES, channel, 0, rows, values) : error;
}

/* Between two rows the pile grows step by step; a blow takes a third of what it finds. */
static void check_rows(thud_verify_report *report, double h, double rate, size_t rows, const double *t,
                       const double *height, const double *found) {
  for (size_t k = 1; k < rows; k++) {
    double grown = height[k - 1], left = height[k] / found[k];
    for (double step = 0; step < round((t[k] - t[k - 1]) / h); step++) grown += h * rate * exp(-grown);
    thud_verify_report_value(report, "growth", fabs(found[k] - grown), 1e-12 * grown, t[k], (int64_t)k);
    if (left != 1) thud_verify_report_value(report, "blows", fabs(left - 2.0 / 3), 1e-12, t[k], (int64_t)k);
    if (left > 1) thud_verify_report_fail(report, "blows", t[k], (int64_t)k, "a blow makes the pile higher");
  }
  thud_verify_report_words(report, "growth", "%zu rows, rate %g", rows, rate);
  thud_verify_report_cover(report, "rows", rows - 1, rows - 1);
}

/* user: a factor of the rate; NULL: 1. */
static thud_error coins_check(thud_verify_report *report, thud_record_reader *reader, const thud_tree *scene,
                              void *user) {
  if (scene == NULL) {
    thud_verify_report_skip(report, "growth", THUD_VERIFY_NOT_CHECKABLE, "the scene cannot be read");
    return THUD_OK;
  }
  size_t rows = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  double *t = calloc(3 * rows, sizeof *t), *height = t + rows, *found = height + rows;
  if (t == NULL) return THUD_ERROR_MEMORY;
  double rate = scene_number(scene, "coins", "rate") * (user != NULL ? *(double *)user : 1);
  double h = scene_number(scene, "simulate", "end") / scene_number(scene, "simulate", "steps");
  thud_error error = read_channel(reader, "t", rows, t);
  if (error == THUD_OK) error = read_channel(reader, "height", rows, height);
  if (error == THUD_OK) error = read_channel(reader, "found", rows, found);
  if (error == THUD_OK) check_rows(report, h, rate, rows, t, height, found);
  free(t);
  return error;
}

static const thud_verify_kind coins_checks = {.name = "coins", .check = coins_check};

static void record_coins(thud_context *context, const char *path) {
  thud_scene *scene = build_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  thud_run_result result = run_scene(scene, &options);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
}

static const thud_verify_check *check_of(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return &result->checks[k];
  fail_msg("there is no check '%s'", name);
  return result->checks;
}

/* The library checks the record, the program the motion; the verdict is good only because laws were asked of its rows. */
static void its_own_checker_is_one_row(void **state) {
  (void)state;
  static const char *const names[] = {"structure", "growth", "blows", "summary", "finished", "seal"};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("checked.h5");
  thud_verify_result result;
  record_coins(context, path);
  assert_int_equal(thud_verify_record_kinds(context, path, NULL, 1, &coins_checks, &result), THUD_OK);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  thud_assert_equal(result.check_count, 6);
  for (size_t k = 0; k < 6; k++) assert_string_equal(result.checks[k].name, names[k]);
  assert_has(check_of(&result, "growth")->detail, " rows, rate 2");
  thud_assert_equal(check_of(&result, "growth")->tolerance > 0, true);
  assert_string_equal(result.checked_unit, "rows");
  thud_assert_equal(result.checked_count, result.checked_of);
  thud_test_context_end(context);
}

static void its_own_checker_finds_another_rate(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("checked.h5");
  double factor = 1.000001;
  const thud_verify_kind rows[] = {{.name = "stones", .check = coins_check},
                                   {.name = "coins", .check = coins_check, .user = &factor}};
  thud_verify_result result;
  record_coins(context, path);
  assert_int_equal(thud_verify_record_kinds(context, path, NULL, 2, rows, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERIFY_BAD);
  assert_has(result.reason, "growth: ");
  assert_int_equal(check_of(&result, "growth")->status, THUD_VERIFY_FAILED);
  assert_int_equal(check_of(&result, "blows")->status, THUD_VERIFY_PASSED);
  thud_assert_greater(check_of(&result, "growth")->frame, 0);
  thud_test_context_end(context);
}

/* What a checker says is taken as it is said; user names what it does. */
static thud_error odd_check(thud_verify_report *report, thud_record_reader *reader, const thud_tree *scene,
                            void *user) {
  static const char *const many[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i",
                                     "j", "k", "l", "m", "n", "o", "p", "q"};
  const char *what = user;
  assert_non_null(reader);
  assert_non_null(scene);
  assert_non_null(thud_verify_report_context(report));
  thud_assert_equal(thud_verify_report_options(report)->seal, true);
  if (strcmp(what, "words") == 0) thud_verify_report_words(report, "law", "nothing was asked");
  if (strcmp(what, "uncovered") == 0) thud_verify_report_value(report, "law", 0, 1, NAN, -1);
  if (strcmp(what, "nan") == 0) thud_verify_report_value(report, "law", NAN, 1, 2, 3);
  if (strcmp(what, "fails") == 0) thud_verify_report_fail(report, "law", NAN, -1, "%d coins are missing", 3);
  if (strcmp(what, "fails") == 0) thud_verify_report_fail(report, "law", NAN, -1, "another reason");
  if (strcmp(what, "skips") == 0) thud_verify_report_skip(report, "law", THUD_VERIFY_NOT_CHECKABLE, "too %s", "dark");
  if (strcmp(what, "taken") == 0) thud_verify_report_value(report, "summary", 0, 1, NAN, -1);
  for (size_t k = 0; strcmp(what, "many") == 0 && k < sizeof many / sizeof *many; k++)
    thud_verify_report_value(report, many[k], 0, 1, NAN, -1);
  if (strcmp(what, "uncovered") != 0) thud_verify_report_cover(report, "rows", 1, 1);
  return strcmp(what, "error") == 0 ? THUD_ERROR_MEMORY : THUD_OK;
}

static void rows_without_name_or_check_are_refused(void **state) {
  (void)state;
  const thud_verify_kind rows[] = {coins_checks, {.name = "stones"}}, nameless = {.check = coins_check};
  thud_context *context = thud_test_context(1);
  thud_verify_result result;
  assert_int_equal(thud_verify_record_kinds(context, "none.h5", NULL, 2, rows, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "kind 1 of the caller has no name or no check", NULL);
  assert_int_equal(thud_verify_record_kinds(context, "none.h5", NULL, 1, &nameless, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "kind 0 of the caller has no name or no check", NULL);
  thud_test_context_end(context);
}

static void what_its_checker_says_decides(void **state) {
  (void)state;
  static const struct {
    const char *what;
    thud_error error;
    thud_verify_verdict verdict;
    const char *reason;
  } cases[] = {{"words", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked"},
               {"uncovered", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked"},
               {"nothing", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked"},
               {"nan", THUD_OK, THUD_VERIFY_BAD, "law: nan at t = 2 exceeds 1"},
               {"fails", THUD_OK, THUD_VERIFY_BAD, "law: 3 coins are missing"},
               {"skips", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked: law: too dark"},
               {"taken", THUD_ERROR_ARGUMENT, THUD_VERIFY_GOOD, "every record has a check 'summary' already"},
               {"many", THUD_ERROR_OVERFLOW, THUD_VERIFY_GOOD, "there is no room for the check 'q'"},
               {"error", THUD_ERROR_MEMORY, THUD_VERIFY_GOOD, NULL}};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("checked.h5");
  record_coins(context, path);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char what[16];
    snprintf(what, sizeof what, "%s", cases[k].what);
    const thud_verify_kind row = {.name = "coins", .check = odd_check, .user = what};
    thud_verify_result result = {0};
    assert_int_equal(thud_verify_record_kinds(context, path, NULL, 1, &row, &result), cases[k].error);
    assert_int_equal(result.verdict, cases[k].verdict);
    if (cases[k].error == THUD_OK) assert_string_equal(result.reason, cases[k].reason);
    if (cases[k].error != THUD_OK && cases[k].reason != NULL) thud_test_message_has(context, cases[k].reason, NULL);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(it_runs_and_reports_by_its_table),
      cmocka_unit_test(samples_have_both_limits_of_a_jump),
      cmocka_unit_test(it_has_a_verdict_of_its_own),
      cmocka_unit_test(events_name_all_forty_coins),
      cmocka_unit_test(a_killed_run_is_resumed_with_the_same_bits),
      cmocka_unit_test(its_record_is_drawn_and_read_by_the_checker),
      cmocka_unit_test(its_drawing_is_a_pile_as_high_as_the_record_says),
      cmocka_unit_test(motions_begin_with_their_start),
      cmocka_unit_test(a_scene_has_one_run_at_a_time),
      cmocka_unit_test(its_own_checker_is_one_row),
      cmocka_unit_test(its_own_checker_finds_another_rate),
      cmocka_unit_test(what_its_checker_says_decides),
      cmocka_unit_test(a_record_holds_the_file_that_its_scene_names),
      cmocka_unit_test(its_fields_are_exported_on_its_mesh),
      cmocka_unit_test(its_steps_are_refined_by_its_rows),
      cmocka_unit_test(wrong_keys_of_its_section_are_refused),
      cmocka_unit_test(one_step_at_a_time_gives_the_same_result),
      cmocka_unit_test(a_scene_of_an_unknown_kind_names_the_known_ones),
      cmocka_unit_test(rows_without_name_or_check_are_refused),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
