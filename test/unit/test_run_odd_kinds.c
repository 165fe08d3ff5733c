/* Kinds of motion that do not keep to the rules: each is refused with a sentence, or what it says is shown as it is;
 * with a record and without one alike. */
#include "thud/run.h"
#include "thud/verify.h"

#include "scratch_folder.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FRAMES = 40, EVENTS = 5, STEPS = 50 };

typedef struct odd_state {
  double t, x[3], k;
} odd_state;

typedef struct odd_motion {
  thud_motion base;
  odd_state state;
} odd_motion;

typedef struct odd {
  thud_kind_object object;
  odd_motion own;
  double start, end, kind;
  thud_record_channel frames[FRAMES], events[EVENTS];
  thud_record_layout layout;
} odd;

/* What is odd this time; all zero: nothing. */
static struct {
  void (*describe)(odd *motion);
  void (*change_frame)(odd *motion, thud_record_cell *cells);
  void (*change_event)(odd *motion, thud_record_cell *cells);
  void (*report)(thud_report *report);
  thud_motion_status first; /* what the first call reaches; GOING: as usual */
  const char *verdict;
  bool grows, not_restored;
} oddity;

static size_t odd_state_size(const thud_motion *motion) {
  size_t more = oddity.grows ? 64 * (size_t)(1 + ((const odd_motion *)motion)->state.k) : 0;
  return sizeof(odd_state) + more;
}

static void odd_save(const thud_motion *motion, void *state) {
  memset(state, 0, odd_state_size(motion));
  memcpy(state, &((const odd_motion *)motion)->state, sizeof(odd_state));
}

static thud_error odd_restore(thud_motion *motion, const void *state, size_t size) {
  if (size < sizeof(odd_state) || oddity.not_restored) return THUD_ERROR_FORMAT;
  memcpy(&((odd_motion *)motion)->state, state, sizeof(odd_state));
  return THUD_OK;
}

/* The kind makes its steps itself: the driver asks for the state alone. */
static const thud_motion_type odd_type = {
    .name = "odd", .state_size = odd_state_size, .save = odd_save, .restore = odd_restore};

static const char *const letters[] = {"a", "b", "c"};
static const char *const hits[] = {"hit"};

static thud_error odd_build(thud_scene *scene, const thud_node *root, void **motion) {
  (void)root;
  odd *made = calloc(1, sizeof *made);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_scene_span(scene, &made->start, &made->end);
  made->own.base = (thud_motion){.type = &odd_type, .context = thud_scene_context(scene)};
  made->object.motion = &made->own.base;
  made->own.state.t = made->start;
  made->own.state.k = -1;
  made->frames[0] = (thud_record_channel){.name = "t", .width = 1, .unit = "s", .role = "time"};
  made->frames[1] = (thud_record_channel){.name = "x", .width = 3, .unit = "m", .state = true, .components = letters};
  made->events[0] = (thud_record_channel){.name = "t", .width = 1, .unit = "s", .role = "time"};
  made->events[1] = (thud_record_channel){
      .name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .role = "kind", .label_count = 1, .labels = hits};
  made->layout = (thud_record_layout){.count = {2, 2}, .channels = {made->frames, made->events}};
  if (oddity.describe != NULL) oddity.describe(made);
  *motion = made;
  return THUD_OK;
}

static const char *odd_method(const void *motion) {
  (void)motion;
  return "odd";
}

static const thud_record_layout *odd_layout(const void *motion) { return &((const odd *)motion)->layout; }

static int hand_out(odd *motion, const thud_row_sink *sink, unsigned flags) {
  odd_state *now = &motion->own.state;
  thud_record_cell cells[FRAMES] = {{.values = &now->t, .count = 1}, {.values = now->x, .count = 3}};
  for (int k = 2; k < FRAMES; k++) cells[k] = (thud_record_cell){.values = now->x, .count = 1};
  if (oddity.change_frame != NULL) oddity.change_frame(motion, cells);
  return sink->frame(sink->user, now->t, flags, cells);
}

static int hand_out_event(odd *motion, const thud_row_sink *sink) {
  thud_record_cell cells[EVENTS] = {{.values = &motion->own.state.t, .count = 1},
                                    {.values = &motion->kind, .count = 1}};
  if (oddity.change_event != NULL) oddity.change_event(motion, cells);
  return sink->event(sink->user, motion->own.state.t, cells);
}

static thud_error odd_advance(void *given, const thud_row_sink *sink, thud_reached *reached) {
  odd *motion = given;
  odd_state *now = &motion->own.state;
  now->k++;
  now->t = now->k < STEPS ? motion->start + now->k * (motion->end - motion->start) / STEPS : motion->end;
  for (int i = 0; i < 3; i++) now->x[i] = sin(now->t * (i + 1));
  int answer = fmod(now->k, 5) == 4 ? hand_out_event(motion, sink) : 0;
  if (answer == 0) answer = hand_out(motion, sink, 0);
  *reached = (thud_reached){.t = now->t, .verdict = oddity.verdict, .status = oddity.first};
  if (now->k >= STEPS) reached->status = THUD_MOTION_COMPLETED;
  return answer < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static thud_error odd_finish(void *motion, const thud_row_sink *sink) {
  return hand_out(motion, sink, THUD_ROW_AGAIN) < 0 ? THUD_ERROR_CALLBACK : THUD_OK;
}

static void odd_report(const void *motion, thud_report *report) {
  (void)motion;
  thud_report_events(report, 3);
  if (oddity.report != NULL) oddity.report(report);
}

static const thud_kind odd_kind = {.name = "odd",
                                   .section = "odd",
                                   .build = odd_build,
                                   .destroy = free,
                                   .method = odd_method,
                                   .layout = odd_layout,
                                   .advance = odd_advance,
                                   .finish = odd_finish,
                                   .report = odd_report};

/* ---- helpers ----------------------------------------------------------------------------------------------------- */

static const char scene_text[] =
    "thud: 1\ntitle: odd\nodd: {a: 1}\nsimulate: {end: 1}\nrecord: {checkpoint_every: 0.1}\n";

static thud_error build(thud_context *context, const char *text, const thud_kind *kind, thud_scene **scene) {
  const thud_kind *const kinds[] = {kind};
  thud_tree *tree = NULL;
  assert_int_equal(thud_tree_read_text(context, "odd.yaml", text, strlen(text), &tree), THUD_OK);
  thud_error error = thud_scene_build_kinds(context, tree, 1, kinds, scene);
  thud_tree_destroy(tree);
  return error;
}

static thud_error run(thud_context *context, const thud_kind *kind, const char *record, thud_run_result *result) {
  const double times[] = {0.33, 0.5};
  thud_scene *scene = NULL;
  assert_int_equal(build(context, scene_text, kind, &scene), THUD_OK);
  thud_run_options options = thud_run_options_default();
  options.record = record;
  options.overwrite = true;
  options.sample_count = 2;
  options.sample_times = times;
  thud_error error = thud_scene_run(scene, &options, result);
  thud_scene_destroy(scene);
  return error;
}

static const char *record_of(int round) { return round == 0 ? NULL : thud_test_path("odd.h5"); }

static void assert_has(const char *text, const char *part) {
  if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
}

/* The run does not begin; the message has the part. */
static void assert_refused(const char *part) {
  for (int round = 0; round < 2; round++) {
    thud_context *context = thud_test_context(1);
    thud_run_result result = {0};
    assert_int_equal(run(context, &odd_kind, record_of(round), &result), THUD_ERROR_ARGUMENT);
    thud_test_message_has(context, "kind 'odd'", part, NULL);
    thud_test_context_end(context);
  }
}

/* The run fails with a reason that has the part, and gives its result. */
static void assert_failed(const char *part) {
  for (int round = 0; round < 2; round++) {
    thud_context *context = thud_test_context(1);
    thud_run_result result = {0};
    assert_int_equal(run(context, &odd_kind, record_of(round), &result), THUD_OK);
    assert_int_equal(result.verdict, THUD_VERDICT_FAILED);
    assert_has(result.reason, part);
    thud_run_result_free(context, &result);
    thud_test_context_end(context);
  }
}

/* The run is good, and its record has no faults: the parts are in its report or its JSON. */
static void assert_good(const char *in_report, const char *in_json) {
  for (int round = 0; round < 2; round++) {
    thud_context *context = thud_test_context(1);
    thud_run_result result = {0};
    thud_error error = run(context, &odd_kind, record_of(round), &result);
    if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
    assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
    if (in_report != NULL) assert_has(result.report, in_report);
    if (in_json != NULL) assert_has(result.json, in_json);
    thud_verify_result checked;
    if (round == 1) {
      assert_int_equal(thud_verify_record(context, record_of(round), NULL, &checked), THUD_OK);
      assert_int_equal(checked.verdict, THUD_VERIFY_UNDECIDED); /* a kind that it does not know, and no fault */
    }
    thud_run_result_free(context, &result);
    thud_test_context_end(context);
  }
}

static int reset(void **state) {
  (void)state;
  memset(&oddity, 0, sizeof oddity);
  return 0;
}

/* ---- events ------------------------------------------------------------------------------------------------------ */

static void name_kind_by_text(odd *motion) {
  motion->events[1] = (thud_record_channel){.name = "kind", .type = THUD_RECORD_TEXT, .role = "kind"};
}
static void say_knock(odd *motion, thud_record_cell *cells) {
  (void)motion;
  cells[1] = (thud_record_cell){.text = "knock, and more", .count = 5};
}

static void kinds_of_events_may_be_texts(void **state) {
  (void)state;
  oddity.describe = name_kind_by_text;
  oddity.change_event = say_knock;
  assert_good("    0.08               knock   \n", "\"kind\": \"knock\"");
}

static void say_seven(odd *motion, thud_record_cell *cells) {
  (void)cells;
  motion->kind = 7;
}

static void kinds_without_labels_are_numbers(void **state) {
  (void)state;
  oddity.change_event = say_seven;
  assert_good("    0.08               7       \n", NULL);
}

static void drop_events(odd *motion) { motion->layout.count[1] = 0; }

static void events_without_channels_are_refused(void **state) {
  (void)state;
  oddity.describe = drop_events;
  assert_failed("the kind 'odd' hands out a row of events, which it has none of");
}

/* ---- states ------------------------------------------------------------------------------------------------------ */

static void make_series(odd *motion) {
  motion->frames[1] =
      (thud_record_channel){.name = "x", .look = THUD_LOOK_SERIES, .group = 3, .components = letters, .state = true};
}
static void empty_cell(odd *motion, thud_record_cell *cells) {
  (void)motion;
  cells[1] = (thud_record_cell){0};
}

static void series_without_coefficients_are_not_known(void **state) {
  (void)state;
  oddity.describe = make_series;
  oddity.change_frame = empty_cell;
  assert_good(NULL, "\"a\": null");
}

static void drop_group(odd *motion) {
  make_series(motion);
  motion->frames[1].group = 0;
  motion->frames[1].components = NULL;
}

/* Three coefficients of one number: x(1) = sin 1. */
static void groups_of_series_are_one_number_without_more(void **state) {
  (void)state;
  char value[64];
  snprintf(value, sizeof value, "\"x\": %.17g", sin(1));
  oddity.describe = drop_group;
  assert_good(NULL, value);
}

static void drop_components(odd *motion) { motion->frames[1].components = NULL; }

static void components_without_names_are_numbered(void **state) {
  (void)state;
  char value[64];
  snprintf(value, sizeof value, "\"x[2]\": %.17g", sin(3));
  oddity.describe = drop_components;
  assert_good(", x[1] = ", value);
}

static void repeat_components(odd *motion) {
  static const char *const same[] = {"a", "b", "a"};
  motion->frames[1].components = same;
}

static void numbers_of_the_state_have_different_names(void **state) {
  (void)state;
  oddity.describe = repeat_components;
  assert_refused("kind 'odd': two numbers of the state are called 'a': give components names of their own");
}

static void add_thirty(odd *motion) {
  static char names[30][8];
  for (int k = 0; k < 30; k++) {
    snprintf(names[k], sizeof names[k], "s%d", k);
    motion->frames[2 + k] = (thud_record_channel){.name = names[k], .width = 1, .state = true};
  }
  motion->layout.count[0] = 32;
}

static void states_have_any_number_of_channels(void **state) {
  (void)state;
  oddity.describe = add_thirty;
  assert_good(", s29 = ", "\"s29\": ");
}

/* ---- layouts ----------------------------------------------------------------------------------------------------- */

static const thud_record_channel *odd_channel;
static void add_channel(odd *motion) {
  motion->frames[2] = *odd_channel;
  motion->layout.count[0] = 3;
}

static void roles_need_what_the_driver_reads(void **state) {
  (void)state;
  const struct {
    thud_record_channel channel;
    const char *part;
  } cases[] = {
      {{.name = "led", .role = "ledger"}, "the role 'ledger' needs a fixed width and names"},
      {{.name = "led", .role = "ledger", .width = 2}, "the role 'ledger' needs a fixed width and names"},
      {{.name = "en", .role = "end"}, "kind 'odd': frames, channel 'en': the role 'end' needs the width 1"},
      {{.name = "acc", .role = "accumulation"},
       "kind 'odd': frames, channel 'acc': the role 'accumulation' needs the width 1"},
      {{.name = "rest", .state = true},
       "kind 'odd': frames, channel 'rest': a part of the state has a fixed width, or is a series"},
      {{.name = "x", .width = 1}, "kind 'odd': record: frames: channels 1 and 2 are both called 'x'"},
      {{.name = "a/b", .width = 1},
       "kind 'odd': record: frames, channel 2: 'a/b' is not a channel name; use letters, digits and _ - + ' ."}};
  oddity.describe = add_channel;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    odd_channel = &cases[k].channel;
    assert_refused(cases[k].part);
  }
}

static void swap_time(odd *motion) {
  thud_record_channel time = motion->frames[0];
  motion->frames[0] = motion->frames[1];
  motion->frames[1] = time;
}
static void name_frame(odd *motion) {
  motion->events[2] = (thud_record_channel){.name = "frame", .width = 1};
  motion->layout.count[1] = 3;
}
static void only_time(odd *motion) { motion->layout.count[1] = 1; }
static void no_frames(odd *motion) { motion->layout.count[0] = 0; }

static void first_channels_are_time_and_kind(void **state) {
  (void)state;
  oddity.describe = swap_time;
  assert_refused("kind 'odd': frames, channel 'x': the first channel is the time: one real number");
  oddity.describe = name_frame;
  assert_refused("kind 'odd': events, channel 'frame': the driver adds a channel of this name; use another one");
  oddity.describe = only_time;
  assert_refused("kind 'odd': events, channel 't': events need a second channel, their kind");
  oddity.describe = no_frames;
  assert_refused("kind 'odd': record: frames need at least one channel");
}

static const thud_record_layout *layout_of_nothing(const void *motion) {
  (void)motion;
  return NULL;
}

static void a_layout_must_be_there(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_kind kind = odd_kind;
  thud_run_result result = {0};
  kind.layout = layout_of_nothing;
  assert_int_equal(run(context, &kind, NULL, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "kind 'odd': it has no layout", NULL);
  thud_test_context_end(context);
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static void shorten(odd *motion, thud_record_cell *cells) {
  (void)motion;
  cells[1].count = 2;
}
static void lose_values(odd *motion, thud_record_cell *cells) {
  (void)motion;
  cells[1].values = NULL;
}
static void break_kind(odd *motion, thud_record_cell *cells) {
  (void)cells;
  motion->kind = 0.5;
}

static void rows_are_what_their_channels_say(void **state) {
  (void)state;
  oddity.change_frame = shorten;
  assert_failed("kind 'odd': record: row 0 of the frames, channel 'x': 2 values are not its width");
  oddity.change_frame = lose_values;
  assert_failed("kind 'odd': record: row 0 of the frames, channel 'x': 3 values are announced, none are given");
  oddity.change_frame = NULL;
  oddity.change_event = break_kind;
  assert_failed("kind 'odd': record: row 0 of the events, channel 'kind': 0.5 is not a whole number that fits");
}

/* ---- what it says of itself -------------------------------------------------------------------------------------- */

static void report_verdict(thud_report *report) { thud_report_integer(report, "verdict", 3); }
static void report_twice(thud_report *report) {
  thud_report_number(report, "mass", 1);
  thud_report_string(report, "mass", "one");
}

static void figures_have_keys_of_their_own(void **state) {
  (void)state;
  oddity.report = report_verdict;
  thud_context *context = thud_test_context(1);
  thud_run_result result = {0};
  assert_int_equal(run(context, &odd_kind, NULL, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(
      context, "a figure of the report has the key 'verdict', which is one of the result's own: use another one", NULL);
  oddity.report = report_twice;
  assert_int_equal(run(context, &odd_kind, NULL, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "a figure of the report has the key 'mass', which another figure has: use another one",
                        NULL);
  thud_test_context_end(context);
}

/* Words that mean something else, none, or too many: the library's own is taken, and no row is lost. */
static void words_of_verdicts_are_their_own(void **state) {
  (void)state;
  static const char long_word[] = "nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn"; /* 64 */
  const char *const words[] = {"", "failed", "stopped", "unfinished", long_word};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) {
    oddity.verdict = words[k];
    assert_good("verdict: good\n", "\"verdict\": \"good\"");
  }
  oddity.verdict = "good";
  oddity.first = THUD_MOTION_FAILED;
  assert_failed("failed after t = 0: kind 'odd': advance failed");
}

static void the_status_is_one_of_the_table(void **state) {
  (void)state;
  oddity.first = (thud_motion_status)99;
  assert_refused("kind 'odd': 99, which advance gave, is not a value of thud_motion_status");
}

static void states_keep_their_size(void **state) {
  (void)state;
  oddity.grows = true;
  assert_refused("kind 'odd': its state has 104 bytes now and had 40 at the start; the size must not change");
}

/* ---- tables ------------------------------------------------------------------------------------------------------ */

static void assert_not_built(const thud_kind *kind, const char *text, const char *part) {
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  assert_int_not_equal(build(context, text, kind, &scene), THUD_OK);
  assert_null(scene);
  thud_test_message_has(context, part, NULL);
  thud_test_context_end(context);
}

static thud_error build_nothing(thud_scene *scene, const thud_node *root, void **motion) {
  (void)scene, (void)root, (void)motion;
  return THUD_OK;
}
static thud_error fail_to_build(thud_scene *scene, const thud_node *root, void **motion) {
  (void)scene, (void)root, (void)motion;
  return THUD_ERROR_FORMAT;
}
static const char *no_method(const void *motion) {
  (void)motion;
  return NULL;
}

static void tables_are_checked_before_anything_is_built(void **state) {
  (void)state;
  thud_kind kind = odd_kind;
  kind.name = "stepping";
  assert_not_built(&kind, scene_text,
                   "two kinds are called 'stepping', one of them is the library's: give yours another name");
  kind = odd_kind;
  kind.section = "simulate";
  assert_not_built(&kind, "thud: 1\nsimulate: {end: 1}\n",
                   "the section 'simulate' of the kind 'odd' is a key of every scene: give it another name");
  kind = odd_kind;
  kind.report = NULL;
  assert_not_built(&kind, scene_text,
                   "the kind 'odd' lacks one of: build, destroy, method, layout, advance, finish, report");
  kind = odd_kind;
  kind.name = NULL;
  assert_not_built(&kind, scene_text, "kind 1 of 1 has no name or no section");
  kind = odd_kind;
  kind.build = build_nothing;
  assert_not_built(&kind, scene_text, "kind 'odd': build gave no motion");
  kind.build = fail_to_build;
  assert_not_built(&kind, scene_text, "kind 'odd': build failed (a file's content is damaged or of another kind)");
  kind = odd_kind;
  kind.method = no_method;
  assert_not_built(&kind, scene_text, "kind 'odd': its method has no name");
}

static const thud_option_table *odd_table(void) {
  static const thud_option_key keys[] = {{"speed", THUD_OPTION_REAL, 0, 1, 0, 10, false, NULL, "m/s", "of it"},
                                         {"hidden", THUD_OPTION_BOOL, 0, 0, 0, 1, false, NULL, "", "not in scenes"}};
  static const thud_option_table table = {.name = "odd", .keys = keys, .count = 2};
  return &table;
}

static void keys_of_simulate_and_record_are_those_of_the_tables(void **state) {
  (void)state;
  static const char *const hidden[] = {"hidden", NULL};
  static const thud_kind_keys options[] = {{.place = "simulate", .table = odd_table, .without = hidden},
                                           {.place = "simulate.map", .table = odd_table},
                                           {.place = "record", .table = odd_table},
                                           {.place = NULL}};
  thud_context *context = thud_test_context(1);
  thud_scene *scene = NULL;
  thud_kind kind = odd_kind;
  kind.options = options;
  thud_error error =
      build(context,
            "thud: 1\nodd: {a: 1}\nsimulate: {end: 1, step: 0.1, speed: 2, map: {speed: 1, hidden: true}}\n"
            "record: {every: 0.1, hidden: true}\n",
            &kind, &scene);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  thud_scene_destroy(scene);
  thud_test_context_end(context);
  assert_not_built(&kind, "thud: 1\nodd: {a: 1}\nsimulate: {end: 1, sped: 2}\n",
                   "odd.yaml:3:20: /simulate/sped: unknown key 'sped' (did you mean 'speed'?)");
  assert_not_built(&kind, "thud: 1\nodd: {a: 1}\nsimulate: {end: 1, hidden: true}\n",
                   "odd.yaml:3:20: /simulate/hidden: unknown key 'hidden'");
  assert_not_built(&kind, "thud: 1\nodd: {a: 1}\nsimulate: {end: 1, map: {end: 1}}\n",
                   "odd.yaml:3:26: /simulate/map/end: unknown key 'end'");
  assert_not_built(&kind, "thud: 1\nodd: {a: 1}\nsimulate: {end: 1}\nrecord: {everything: true}\n",
                   "odd.yaml:4:10: /record/everything: unknown key 'everything'");
  assert_not_built(&odd_kind, "thud: 1\nodd: {a: 1}\nsimulate: {end: 1}\nrecord: {speed: 1}\n",
                   "odd.yaml:4:10: /record/speed: unknown key 'speed'");
}

/* A kind takes scenes of the library's sections before the library does. */
static void sections_may_be_shared(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_kind kind = odd_kind;
  thud_scene *scene = NULL;
  kind.section = "system";
  thud_error error = build(context, "thud: 1\nsystem: {mine: 1}\nsimulate: {end: 1}\n", &kind, &scene);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  assert_string_equal(thud_scene_get_info(scene).method, "odd");
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static thud_error fail_to_advance(void *motion, const thud_row_sink *sink, thud_reached *reached) {
  (void)motion, (void)sink, (void)reached;
  return THUD_ERROR_FORMAT;
}
static thud_error fail_to_finish(void *motion, const thud_row_sink *sink) {
  (void)motion, (void)sink;
  return THUD_ERROR_FORMAT;
}
static void errors_without_a_message_get_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_run_result result = {0};
  thud_kind kind = odd_kind;
  kind.advance = fail_to_advance;
  assert_int_equal(run(context, &kind, NULL, &result), THUD_ERROR_FORMAT);
  thud_test_message_has(context, "kind 'odd': advance failed (a file's content is damaged or of another kind)", NULL);
  kind = odd_kind;
  kind.finish = fail_to_finish;
  assert_int_equal(run(context, &kind, NULL, &result), THUD_ERROR_FORMAT);
  thud_test_message_has(context, "kind 'odd': finish failed (a file's content is damaged or of another kind)", NULL);
  kind = odd_kind;
  oddity.not_restored = true;
  assert_int_equal(run(context, &kind, NULL, &result), THUD_ERROR_FORMAT);
  thud_test_message_has(context, "kind 'odd': restore failed (a file's content is damaged or of another kind)", NULL);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup(kinds_of_events_may_be_texts, reset),
      cmocka_unit_test_setup(kinds_without_labels_are_numbers, reset),
      cmocka_unit_test_setup(events_without_channels_are_refused, reset),
      cmocka_unit_test_setup(series_without_coefficients_are_not_known, reset),
      cmocka_unit_test_setup(groups_of_series_are_one_number_without_more, reset),
      cmocka_unit_test_setup(components_without_names_are_numbered, reset),
      cmocka_unit_test_setup(numbers_of_the_state_have_different_names, reset),
      cmocka_unit_test_setup(states_have_any_number_of_channels, reset),
      cmocka_unit_test_setup(roles_need_what_the_driver_reads, reset),
      cmocka_unit_test_setup(first_channels_are_time_and_kind, reset),
      cmocka_unit_test_setup(a_layout_must_be_there, reset),
      cmocka_unit_test_setup(rows_are_what_their_channels_say, reset),
      cmocka_unit_test_setup(figures_have_keys_of_their_own, reset),
      cmocka_unit_test_setup(words_of_verdicts_are_their_own, reset),
      cmocka_unit_test_setup(the_status_is_one_of_the_table, reset),
      cmocka_unit_test_setup(states_keep_their_size, reset),
      cmocka_unit_test_setup(tables_are_checked_before_anything_is_built, reset),
      cmocka_unit_test_setup(keys_of_simulate_and_record_are_those_of_the_tables, reset),
      cmocka_unit_test_setup(sections_may_be_shared, reset),
      cmocka_unit_test_setup(errors_without_a_message_get_one, reset),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
