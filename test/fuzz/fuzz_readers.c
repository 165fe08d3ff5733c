/* Everything that reads a record, one reader at a time. */
#include "fuzz_support.h"

#include "thud/page.h"
#include "thud/plot.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

typedef struct reading {
  thud_context *context;
  const char *path;
  unsigned variant; /* further choices of the reader */
} reading;

/* ---- readers by the record's path ------------------------------------------------------------------------------------ */

static thud_error verify(const reading *read) {
  thud_verify_options options = thud_verify_options_default();
  thud_verify_result result;
  char *text = NULL;
  options.seal = read->variant >= 240; /* takes ten times as long as everything else */
  thud_error error = thud_verify_record(read->context, read->path, &options, &result);
  if (error != THUD_OK) return error;
  error = thud_verify_write_report(read->context, "input", &result, &text);
  thud_verify_free_text(read->context, text);
  return error;
}

static thud_error page(const reading *read) {
  thud_page_options options = thud_page_options_default();
  char path[FUZZ_PATH];
  fuzz_path("page.html", path);
  options.overwrite = true;
  options.most_frames = 4;
  return thud_page_write(read->context, 1, &read->path, NULL, &options, path);
}

static thud_plot_options small_plot(char path[FUZZ_PATH], const char *name) {
  thud_plot_options options = thud_plot_options_default();
  fuzz_path(name, path);
  options.overwrite = true;
  options.width = options.height = 3;
  options.dpi = 40;
  return options;
}

static thud_error curves(const reading *read) {
  static const thud_plot_choice choices[] = {
      {.panels = NULL},     {.panels = "x,y,residual"}, {.phase = "x,y"}, {.profile = "line", .times = "0.5"},
      {.cone = "foot"},     {.panels = "2*x - t"},      {.profile = "p"}, {.logarithmic = "x,y"},
      {.panels = "impulse"}};
  char path[FUZZ_PATH];
  thud_picture *picture = NULL;
  thud_plot_options options = small_plot(path, "curves.svg");
  thud_error error = thud_picture_create(read->context, 1, &read->path,
                                         &choices[read->variant % (sizeof choices / sizeof *choices)], &picture);
  if (error == THUD_OK && read->variant >= 128)
    error = thud_plot_write(read->context, thud_picture_figure(picture), &options, path);
  thud_picture_destroy(picture);
  return error;
}

static thud_error field(const reading *read) {
  static const char *const names[] = {NULL, "pressure", "status", "u", "r"};
  const thud_field_choice choice = {.field = names[read->variant % 5], .at = read->variant >= 128 ? 0.5 : (double)NAN};
  char path[FUZZ_PATH];
  thud_plot_options options = small_plot(path, "field.svg");
  return thud_plot_field(read->context, read->path, &choice, &options, path);
}

static thud_error snapshot(const reading *read) {
  static const double times[2] = {0.01, 0.5};
  const thud_snapshot_choice choice = {.count = read->variant % 3, .times = times, .forces = read->variant >= 128};
  char path[FUZZ_PATH];
  thud_plot_options options = small_plot(path, "snapshot.svg");
  return thud_plot_snapshot(read->context, read->path, &choice, &options, path);
}

static int stop_early(void *user, double t, double start, double end) {
  (void)t, (void)start, (void)end;
  return ++*(int *)user > 3;
}

/* As the program does: the scene is that of the record. */
static thud_error resume(const reading *read) {
  thud_record_reader *reader = NULL;
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_run_result result = {0};
  int calls = 0;
  thud_run_options options = thud_run_options_default();
  options.record = read->path;
  options.resume = true;
  options.progress = stop_early;
  options.progress_user = &calls;
  thud_error error = thud_record_open(read->context, read->path, &reader);
  if (error != THUD_OK) return error;
  const char *text = thud_record_reader_info(reader).scene;
  error = thud_tree_read_text(read->context, "input", text, strlen(text), &tree);
  thud_record_reader_destroy(reader);
  if (error == THUD_OK) error = fuzz_bound_scene(tree);
  if (error == THUD_OK) error = thud_scene_build(read->context, tree, &scene);
  if (error == THUD_OK) error = thud_scene_run(scene, &options, &result);
  if (error == THUD_OK) thud_run_result_free(read->context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return error;
}

/* ---- readers of an open record --------------------------------------------------------------------------------------- */

static FILE *nowhere(void) {
  static FILE *stream;
  if (stream == NULL) stream = fopen("/dev/null", "w");
  fuzz_demand(stream != NULL, "/dev/null can be opened");
  return stream;
}

static thud_error table_csv(const reading *read, thud_record_reader *reader) {
  return thud_record_write_csv(reader, NULL, (thud_record_table)(read->variant % 3), 0, NULL, nowhere());
}

static thud_error motion_csv(const reading *read, thud_record_reader *reader) {
  static const double times[] = {0, 0.01, 0.5, 0.02};
  thud_record_sampler *sampler = NULL;
  double start = 0, end = 0;
  if (read->variant < 128)
    return thud_record_write_motion_csv(reader, NULL, &(thud_record_times){.count = 4, .times = times}, nowhere());
  thud_error error = thud_record_sampler_create(reader, 0, NULL, &sampler);
  if (error != THUD_OK) return error;
  thud_record_sampler_span(sampler, &start, &end);
  thud_record_sampler_destroy(sampler);
  double every = end > start && isfinite(end - start) ? (end - start) / 10 : 1;
  return thud_record_write_motion_csv(reader, NULL, &(thud_record_times){.every = every}, nowhere());
}

static thud_error vtk(const reading *read, thud_record_reader *reader) {
  static const double times[] = {0.01, 0.5};
  char path[FUZZ_PATH];
  fuzz_path("state.vtu", path);
  const thud_record_times chosen = {.count = read->variant % 2, .times = times + read->variant / 2 % 2};
  return thud_run_export_vtk(read->context, reader, &chosen, path, true);
}

/* What `thud info` shows. */
static thud_error look(const reading *read, thud_record_reader *reader) {
  thud_record_info info = thud_record_reader_info(reader);
  thud_record_resumption newest = {0};
  thud_error error = THUD_OK;
  for (int t = 0; t < THUD_RECORD_TABLES && error != THUD_ERROR_MEMORY; t++)
    for (size_t k = 0; k < info.channel_count[t] && error != THUD_ERROR_MEMORY; k++) {
      const thud_record_channel *channel = thud_record_reader_channel(reader, (thud_record_table)t, k);
      const char *unit = NULL;
      fuzz_demand(channel != NULL && channel->components != NULL && channel->name != NULL, "a channel is described");
      error = thud_record_component_unit(reader, (thud_record_table)t, k, 0, &unit);
    }
  for (size_t k = 0; k < info.rows[THUD_RECORD_WARNINGS] && k < 5 && error != THUD_ERROR_MEMORY; k++) {
    thud_record_note note;
    error = thud_record_read_note(reader, THUD_RECORD_WARNINGS, k, &note);
    fuzz_demand(error != THUD_OK || strlen(note.kind) + strlen(note.text) < 10000000, "a warning is a text");
  }
  if (error != THUD_ERROR_MEMORY) error = thud_record_read_checkpoint(reader, &newest);
  thud_record_resumption_free(read->context, &newest);
  return error;
}

static thud_error read_open(const reading *read, thud_error (*use)(const reading *read, thud_record_reader *reader)) {
  thud_record_reader *reader = NULL;
  thud_error error = thud_record_open(read->context, read->path, &reader);
  if (error == THUD_OK) error = use(read, reader);
  thud_record_reader_destroy(reader);
  return error;
}

static thud_error info(const reading *read) { return read_open(read, look); }
static thud_error csv(const reading *read) { return read_open(read, table_csv); }
static thud_error motion(const reading *read) { return read_open(read, motion_csv); }
static thud_error fields(const reading *read) { return read_open(read, vtk); }

/* Pages, pictures and resumed runs take longer than the rest and are asked less often. */
static thud_error (*const readers[])(const reading *read) = {verify, verify, verify, verify, page, snapshot,
                                                             field,  resume, curves, curves, info, csv,
                                                             csv,    motion, motion, fields};

static thud_error (*chosen(unsigned choice))(const reading *read) {
  return readers[(choice & 255) % (sizeof readers / sizeof *readers)];
}

bool fuzz_resumes(unsigned choice) { return chosen(choice) == resume; }

void fuzz_read_record(const char *path, unsigned choice) {
  const reading read = {.context = fuzz_small_context(32000000), .path = path, .variant = choice >> 8 & 255};
  fuzz_check_error(read.context, chosen(choice)(&read));
  fuzz_check_h5();
  fuzz_context_end(read.context);
}
