/* A kind of motion that the library does not know (coins_kind.h) runs, reports, records, brings files, is killed and resumed
 * with the same bits, is exported as CSV and VTK, and studied like every other. */
#include "coins_kind.h"
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

/* ---- its runs ---------------------------------------------------------------------------------------------------- */

static void assert_has(const char *text, const char *part) {
  if (strstr(text, part) == NULL) fail_msg("'%s' is not in:\n%s", part, text);
}

static void it_runs_and_reports_by_its_table(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  const double times[] = {5, 0.125};
  options.sample_count = 2;
  options.sample_times = times;
  thud_run_result result = coins_run(scene, &options);
  assert_int_equal(result.verdict, THUD_VERDICT_GOOD);
  assert_has(result.report, "A pile of coins\n  method      stacking, 400 steps, t = 0 to 10\n");
  assert_has(result.report, "  fallen      40 coins\n");
  assert_has(result.report, "blow    coin-01");
  assert_has(result.report, "    and 78 more\n");
  assert_has(result.report, "  warning     coins lie about [mess]\n");
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  const double time = 0.125;
  double height = 0;
  char left[64], right[64];
  for (int k = 0; k < STRUCK_EVERY; k++) height += 0.025 * 2 * exp(-height);
  snprintf(left, sizeof left, "\"height\": %.17g", height);
  snprintf(right, sizeof right, "\"height\": %.17g", height + -height / 3);
  options.sample_count = 1;
  options.sample_times = &time;
  thud_run_result result = coins_run(scene, &options);
  assert_has(strstr(result.json, "\"samples\""), right);
  assert_has(strstr(result.json, "\"samples_left\""), left);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_test_context_end(context);
}

static void it_has_a_verdict_of_its_own(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = coins_scene(context, "coins.limit", "0.4");
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("tired.h5");
  thud_run_result result = coins_run(scene, &options);
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("coins.h5");
  thud_run_result result = coins_run(scene, &options);
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
    thud_scene *scene = coins_scene(context, NULL, NULL);
    thud_run_options options = thud_run_options_default();
    options.record = record;
    options.overwrite = true;
    options.progress = die_at;
    options.progress_user = &time;
    coins_run(scene, &options);
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("whole.h5");
  thud_run_result whole = coins_run(scene, &options);
  char *frames = table_text(context, options.record, THUD_RECORD_FRAMES);
  char *events = table_text(context, options.record, THUD_RECORD_EVENTS);
  for (double time = 1.3; time < 10; time += 2.9) {
    char path[4096];
    snprintf(path, sizeof path, "%s", thud_test_path("killed.h5"));
    kill_run(path, time);
    options.record = path;
    options.resume = true;
    thud_run_result result = coins_run(scene, &options);
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  thud_run_result whole = coins_run(scene, &options), result = {0};
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("drawn.h5");
  thud_run_result result = coins_run(scene, &options);
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("looks.h5");
  thud_run_result result = coins_run(scene, &options);
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
  thud_motion *pile = ((thud_kind_object *)motion)->motion;
  coins_state now;
  thud_motion_present(pile, &now);
  now.begun = 1;
  thud_error error = thud_motion_restore(pile, &now, sizeof now);
  return error == THUD_OK ? coins_kind.advance(motion, sink, reached) : error;
}

static void motions_begin_with_their_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  const double time = 0;
  options.sample_count = 1;
  options.sample_times = &time;
  thud_run_result result = coins_run(scene, &options);
  assert_has(strstr(result.json, "\"samples\""), "\"height\": 0");
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_kind late = coins_kind;
  late.advance = advance_without_start;
  const thud_kind *const kinds[] = {&late};
  thud_tree *tree = coins_tree(context);
  assert_int_equal(thud_scene_build_kinds(context, tree, 1, kinds, &scene), THUD_OK);
  thud_run_result refused = coins_run(scene, &options);
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
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
  thud_run_result result = coins_run(scene, &options);
  thud_record_reader *reader = NULL;
  assert_int_equal(thud_record_open(context, options.record, &reader), THUD_OK);
  const char *kept = thud_record_reader_info(reader).scene;
  assert_int_equal(thud_tree_read_text(context, "record", kept, strlen(kept), &tree), THUD_OK);
  assert_int_equal(thud_scene_build_kinds(context, tree, 1, kinds, &again), THUD_OK);
  options.record = NULL;
  thud_run_result same = coins_run(again, &options);
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
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  thud_record_reader *reader = NULL;
  size_t size, channel, rows;
  double wear[COINS];
  options.record = thud_test_path("fields.h5");
  thud_run_result result = coins_run(scene, &options);
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
  thud_tree *tree = coins_tree(context);
  thud_study study = {0};
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
  thud_tree *tree = coins_tree(context);
  thud_scene *scene = NULL;
  assert_int_not_equal(thud_scene_build(context, tree, &scene), THUD_OK);
  thud_test_message_has(context, "coins.yaml:4:1: /coins: unknown key 'coins'", NULL);
  assert_null(scene);
  thud_tree_destroy(tree);
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
      cmocka_unit_test(a_record_holds_the_file_that_its_scene_names),
      cmocka_unit_test(its_fields_are_exported_on_its_mesh),
      cmocka_unit_test(its_steps_are_refined_by_its_rows),
      cmocka_unit_test(wrong_keys_of_its_section_are_refused),
      cmocka_unit_test(one_step_at_a_time_gives_the_same_result),
      cmocka_unit_test(a_scene_of_an_unknown_kind_names_the_known_ones),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
