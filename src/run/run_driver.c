/* The driver: the rows of a motion go to the record, to the samples and to the list of events, contact problems to files;
 * the end is a verdict. */
#include "base/base.h"
#include "record/writer.h"
#include "run/dump.h"
#include "run/run_observe.h"
#include "run/run_rows.h"
#include "run/run.h"
#include "thud/explain.h"
#include "thud/problem.h"

#include <dirent.h>
#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static const thud_run_options fixed = {.max_events = 1000};
static const thud_option_table options_table = {
    .name = "run", .struct_size = sizeof(thud_run_options), .fixed = &fixed};

const thud_option_table *thud_run_option_table(void) { return &options_table; }

const char *thud_run_verdict_name(thud_verdict verdict) {
  static const char *const names[] = {"good", "failed", "stopped"};
  return names[verdict];
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

/* True if the row goes into the record; advances the times of `record: every`. The last row of all always goes in. */
static bool is_due(thud_run *run, double t, unsigned flags) {
  const thud_scene *scene = run->scene;
  run_counters *counters = &run->counters;
  if (flags & THUD_ROW_AGAIN) return !run->counters.last_recorded;
  bool due = scene->record_every == 0 || t >= counters->next_record_time || t >= scene->end;
  if (due && scene->record_every > 0) {
    double passed = floor((t - scene->start) / scene->record_every * (1 + 1e-12));
    counters->next_record_time = scene->start + (passed + 1) * scene->record_every * (1 - 1e-12);
  }
  return due || (flags & THUD_ROW_KEEP) != 0;
}

static thud_error record_frame(thud_run *run, double t, unsigned flags, const thud_record_cell *cells) {
  if (run->writer == NULL) return THUD_OK;
  bool due = is_due(run, t, flags);
  run->counters.last_recorded = due || (flags & THUD_ROW_AGAIN) != 0;
  if (!due) return THUD_OK;
  thud_error error = thud_record_append(run->writer, THUD_RECORD_FRAMES, cells);
  if (error == THUD_OK) run->counters.recorded++;
  return error;
}

/* Answer of a sink. Keeps the message of the first failure before the motion, or a failure that follows from it, replaces
 * the message. */
static int answer(thud_run *run, thud_error error) {
  if (error == THUD_OK) return 0;
  if (run->sink_error == THUD_OK) {
    run->sink_error = error;
    run->code = thud_context_get_code(run->context);
    snprintf(run->reason, sizeof run->reason, "%s", thud_context_last_message(run->context));
  }
  return -1;
}

/* A row is what its channels say: everything behind this relies on it. */
static thud_error check_row(const thud_run *run, thud_record_table table, size_t row, const thud_record_cell *cells) {
  size_t count = run->layout->count[table];
  if (count == 0 || cells == NULL)
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "the kind '%s' hands out a row of %s, %s", run->kind->name,
                     thud_record_table_name(table), count == 0 ? "which it has none of" : "without cells");
  thud_error error = thud_cells_check(run->context, table, row, count, run->shapes[table], cells);
  return error == THUD_OK ? error : thud_fail_within(run->context, error, "kind '%s'", run->kind->name);
}

/* A motion shows its start first: samples and pictures begin there. */
static thud_error check_first(thud_run *run, double t) {
  if (!run->counters.begun && t != run->scene->start)
    return thud_fail(run->context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] the kind '%s' begins with a frame at t = %.17g: the first one must be that of the "
                     "start, t = %.17g",
                     run->kind->name, t, run->scene->start);
  run->counters.begun = true;
  return THUD_OK;
}

static thud_error check_frame(thud_run *run, double t, const thud_record_cell *cells) {
  thud_error error = check_row(run, THUD_RECORD_FRAMES, run->counters.recorded, cells);
  return error == THUD_OK ? check_first(run, t) : error;
}

/* The row with what the scene observes; where that tells something new it must not be thinned out. */
static const thud_record_cell *observe(thud_run *run, double t, unsigned *flags, const thud_record_cell *cells) {
  bool news = false;
  if (run->scene->observe == NULL || cells == NULL) return cells;
  cells = thud_observe_row(run->scene->observe, t, (*flags & THUD_ROW_AGAIN) != 0, cells, &news);
  if (news) *flags |= THUD_ROW_KEEP;
  return cells;
}

static int take_frame(thud_run *run, double t, unsigned flags, const thud_record_cell *cells) {
  bool first = !run->counters.begun;
  thud_error error = check_frame(run, t, cells);
  if (error != THUD_OK) return answer(run, error);
  if (!(flags & THUD_ROW_AGAIN)) {
    thud_run_so_far_note(run, !first, cells);
    thud_run_samples_add(&run->samples, t, cells);
    thud_run_state_note(&run->state, cells);
  }
  return answer(run, record_frame(run, t, flags, cells));
}

static int on_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  cells = observe(user, t, &flags, cells);
  return take_frame(user, t, flags, cells);
}

/* The row of the end also says what the result's state is. */
static int on_last_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  thud_run *run = user;
  cells = observe(run, t, &flags, cells);
  thud_error error = check_frame(run, t, cells);
  if (error != THUD_OK) return answer(run, error);
  thud_run_state_read(&run->state, cells, NULL, run->final);
  if (run->ledger != NULL)
    memcpy(run->ledger, cells[run->ledger_channel].values, cells[run->ledger_channel].count * sizeof(double));
  run->reached.t = t;
  return take_frame(run, t, flags, cells);
}

/* An event belongs to the frame that comes next. */
static thud_error take_event(thud_run *run, const thud_record_cell *cells) {
  size_t count = run->layout->count[THUD_RECORD_EVENTS];
  run->counters.events++;
  thud_error error = thud_run_kept_add(&run->kept, cells);
  if (error != THUD_OK || run->writer == NULL) return error;
  memcpy(run->event_cells, cells, count * sizeof *cells);
  run->event_frame = (double)run->counters.recorded;
  run->event_cells[count] = (thud_record_cell){.values = &run->event_frame, .count = 1};
  return thud_record_append(run->writer, THUD_RECORD_EVENTS, run->event_cells);
}

static int on_event(void *user, double t, const thud_record_cell *cells) {
  thud_run *run = user;
  thud_error error = check_row(run, THUD_RECORD_EVENTS, run->counters.events, cells);
  if (error == THUD_OK) thud_observe_event(run->scene->observe, t, cells);
  return answer(run, error == THUD_OK ? take_event(run, cells) : error);
}

static size_t recorded_frames(void *user) { return ((const thud_run *)user)->counters.recorded; }

/* ---- start ------------------------------------------------------------------------------------------------------- */

/* Values of the last row, NaN before the first one. */
static double *make_unknown(thud_context *context, size_t count) {
  double *values = THUD_NEW_ARRAY(context, double, count);
  for (size_t i = 0; values != NULL && i < count; i++) values[i] = NAN;
  return values;
}

static thud_error lay_out_events(thud_run *run) {
  size_t events = run->layout->count[THUD_RECORD_EVENTS];
  run->event_channels = THUD_NEW_ARRAY(run->context, thud_record_channel, events + 1);
  run->event_cells = THUD_NEW_ARRAY(run->context, thud_record_cell, events + 1);
  if (run->event_channels == NULL || run->event_cells == NULL) return THUD_ERROR_MEMORY;
  if (events > 0)
    memcpy(run->event_channels, run->layout->channels[THUD_RECORD_EVENTS], events * sizeof *run->event_channels);
  run->event_channels[events] = (thud_record_channel){.name = "frame",
                                                      .type = THUD_RECORD_INTEGER,
                                                      .width = 1,
                                                      .role = "frame",
                                                      .description = "number of the frame that shows it, from 0"};
  return THUD_OK;
}

static thud_error lay_out(thud_run *run) {
  thud_error error = thud_run_check_layout(run->context, run->kind, run->layout);
  if (error != THUD_OK) return error;
  size_t frames = run->layout->count[THUD_RECORD_FRAMES];
  const thud_record_channel *channels = run->layout->channels[THUD_RECORD_FRAMES];
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS; t++) {
    run->shapes[t] = THUD_NEW_ARRAY(run->context, thud_cell_shape, run->layout->count[t]);
    if (run->shapes[t] == NULL) return THUD_ERROR_MEMORY;
    thud_cell_shapes(run->layout->count[t], run->layout->channels[t], run->shapes[t]);
  }
  error = thud_run_state_create(run->context, frames, channels, &run->state);
  if (error == THUD_ERROR_ARGUMENT) return thud_fail_within(run->context, error, "kind '%s'", run->kind->name);
  if (error != THUD_OK) return error;
  run->final = make_unknown(run->context, run->state.count);
  run->ledger_channel = thud_report_find_role(frames, channels, "ledger");
  bool ledger = run->ledger_channel != SIZE_MAX;
  if (ledger) run->ledger = make_unknown(run->context, channels[run->ledger_channel].width);
  if (run->final == NULL || (ledger && run->ledger == NULL)) return THUD_ERROR_MEMORY;
  return lay_out_events(run);
}

thud_record_header thud_run_header(const thud_run *run) {
  const thud_scene *scene = run->scene;
  return (thud_record_header){.title = scene->title,
                              .kind = run->kind->name,
                              .method = run->kind->method(run->motion),
                              .scene = scene->text,
                              .resolved = scene->resolved,
                              .source = scene->source};
}

static thud_error create_record(thud_run *run) {
  size_t events = run->layout->count[THUD_RECORD_EVENTS];
  thud_record_layout layout = *run->layout;
  if (events > 0) {
    layout.count[THUD_RECORD_EVENTS] = events + 1;
    layout.channels[THUD_RECORD_EVENTS] = run->event_channels;
  }
  thud_record_header header = thud_run_header(run);
  thud_record_options options = thud_record_options_default();
  options.overwrite = run->options.overwrite;
  return thud_record_create(run->context, run->record, &options, &header, &layout, &run->writer);
}

static thud_error prepare(thud_run *run) {
  const thud_scene *scene = run->scene;
  const thud_run_options *options = &run->options;
  thud_error error = lay_out(run);
  if (error == THUD_OK) error = thud_run_dump_create(run->context, run->kind, options, &run->dump);
  if (error == THUD_OK)
    error = thud_run_samples_create(run->context, &run->state, options->sample_count, options->sample_times,
                                    scene->start, scene->end, &run->samples);
  if (error != THUD_OK) return error;
  thud_run_so_far_begin(run);
  thud_run_kept_create(run->context, run->layout->count[THUD_RECORD_EVENTS], options->max_events, &run->kept);
  bool checkpoints = scene->checkpoint_every > 0 && run->path == NULL;
  run->counters =
      (run_counters){.next_record_time = scene->start,
                     .next_checkpoint = checkpoints ? scene->start + scene->checkpoint_every : (double)INFINITY};
  if (options->record != NULL) {
    run->record = thud_strdup(run->context, options->record);
    if (run->record == NULL) return THUD_ERROR_MEMORY;
    error = options->resume ? thud_run_resume(run) : create_record(run);
  } else if (options->resume) {
    error = thud_fail(run->context, THUD_ERROR_ARGUMENT, "a run that is resumed needs its record");
  }
  thud_run_clock_start(&run->clock);
  run->options.sample_times = NULL; /* copied */
  run->options.dump_directory = run->options.dump_if = NULL;
  run->options.record = run->record;
  return error;
}

thud_error thud_run_begin(thud_scene *scene, const thud_run_options *options, run_path *path, thud_run **run) {
  thud_context *context = scene->context;
  thud_error error = thud_run_need_motion(scene);
  if (error != THUD_OK) return error;
  if (scene->has_run)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "the scene has a run already: finish or destroy it before the next one is created");
  thud_run *made = THUD_NEW(context, thud_run);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_run){.context = context,
                     .scene = scene,
                     .kind = scene->kind,
                     .motion = scene->motion,
                     .options = *options,
                     .path = path,
                     .begin = thud_seconds()};
  error = thud_run_rewind(scene);
  scene->has_run = true;
  made->layout = thud_observe_layout(scene);
  if (scene->observe != NULL) thud_observe_begin(scene->observe);
  if (scene->kind->stop_at != NULL) scene->kind->stop_at(scene->motion, INFINITY);
  if (error == THUD_OK) error = prepare(made);
  made->started = error == THUD_OK;
  if (error == THUD_OK)
    *run = made;
  else
    thud_run_destroy(made);
  return error;
}

thud_error thud_run_create(thud_scene *scene, const thud_run_options *options, thud_run **run) {
  THUD_REQUIRE_OF(scene, run);
  thud_run_options chosen;
  thud_error error = thud_options_take(scene->context, &options_table, options, &chosen);
  return error == THUD_OK ? thud_run_begin(scene, &chosen, NULL, run) : error;
}

void thud_run_destroy(thud_run *run) {
  if (run == NULL) return;
  thud_context *context = run->context;
  run->scene->has_run = false;
  if (run->counters.begun || run->options.resume)
    thud_record_abandon(run->writer);
  else
    thud_record_discard(run->writer); /* what cannot start leaves no file */
  thud_run_dump_free(&run->dump, !run->started);
  thud_run_samples_destroy(&run->samples);
  thud_run_kept_destroy(&run->kept);
  thud_run_state_free(context, &run->state);
  thud_free(context, run->record);
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS; t++) thud_free(context, run->shapes[t]);
  thud_free(context, run->event_channels);
  thud_free(context, run->event_cells);
  thud_free(context, run->final);
  thud_free(context, run->ledger);
  thud_free(context, run->block);
  thud_free(context, run->before);
  thud_free(context, run);
}

/* ---- middle ------------------------------------------------------------------------------------------------------ */

static bool asks_to_stop(const thud_run *run, double t) {
  const thud_run_options *options = &run->options;
  thud_run_so_far_update(run, t);
  return options->progress != NULL &&
         options->progress(options->progress_user, t, run->scene->start, run->scene->end) != 0;
}

/* Sorts a failed call: no memory is an error; a record that cannot be written any more, or a row that is not what
 * its channels say, is a verdict, and what was flushed before stays. */
static thud_error weigh(thud_run *run, thud_error error) {
  if (run->sink_error == THUD_OK || (error != THUD_OK && error != THUD_ERROR_CALLBACK)) return error;
  if (run->sink_error == THUD_ERROR_MEMORY) return thud_fail(run->context, THUD_ERROR_MEMORY, "%s", run->reason);
  run->broken = true;
  return THUD_OK;
}

/* At a fork: the outcome that the path says; the record keeps it as a warning. */
static thud_error take_outcome(thud_run *run) {
  char message[256];
  thud_error error = thud_run_path_choose(run->path, run->kind, run->motion, run->reached.t);
  if (error != THUD_OK || run->writer == NULL) return error;
  const run_fork *fork = &run->path->forks[run->path->count - 1];
  snprintf(message, sizeof message, "outcome %zu of %zu was taken: %s", fork->chosen + 1, fork->count,
           fork->outcome.text);
  return thud_record_add_warning(run->writer, fork->t, "fork", message);
}

/* A failed write of the driver's own, like one in a sink. */
static thud_error weigh_own(thud_run *run, thud_error error) {
  return answer(run, error) == 0 ? THUD_OK : weigh(run, THUD_ERROR_CALLBACK);
}

static bool is_over(const thud_run *run) {
  thud_motion_status progress = run->reached.status;
  bool goes = progress == THUD_MOTION_RUNNING || (progress == THUD_MOTION_FORKED && run->path != NULL);
  return !goes || run->broken || run->stopped;
}

/* Errors that are not about data: no verdict on a motion follows from them. */
static bool is_own_trouble(thud_error error) { return error == THUD_ERROR_MEMORY || error == THUD_ERROR_INTERNAL; }

/* Data that fail on the way (a load that leaves its string, an expression outside of its domain) end a motion that has
 * begun: the record is finished, and its verdict says why. At the start they are bad input. */
static thud_error end_by_data(thud_run *run, thud_error error, double t) {
  if (error == THUD_OK || !run->counters.begun || is_own_trouble(error)) return error;
  run->reached = (thud_reached){.t = t, .status = THUD_MOTION_FAILED, .what = "bad data"};
  return THUD_OK;
}

/* ---- conditions: the end, changes ------------------------------------------------------------------------------------------ */

/* The arc that a motion is about to make: does `until` hold on it? */
static int look_at_arc(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  thud_run *run = user;
  const thud_record_layout *layout = run->kind->layout(run->motion);
  size_t end = thud_report_find_role(layout->count[THUD_RECORD_FRAMES], layout->channels[THUD_RECORD_FRAMES], "end");
  (void)flags;
  if (!isnan(run->root) || end == SIZE_MAX || cells[end].count != 1) return 0;
  run->root = thud_observe_root(run->scene->observe, t, cells[end].values[0], cells);
  return 0;
}

/* Motions whose rows are arcs end within one: it is followed once without being recorded, and the motion is put back. */
static thud_error look_ahead(thud_run *run) {
  const scene_observe *seen = run->scene->observe;
  const thud_row_sink sink = {.frame = look_at_arc, .user = run};
  if (seen == NULL || seen->until == SIZE_MAX || !seen->names.series || run->kind->stop_at == NULL) return THUD_OK;
  if (run->before == NULL) run->before = thud_alloc(run->context, run->scene->state_size, 1);
  if (run->before == NULL) return THUD_ERROR_MEMORY;
  thud_run_save_state(run->scene, run->before);
  run->root = NAN;
  thud_reached reached = {0};
  thud_error error = run->kind->advance(run->motion, &sink, &reached);
  if (error == THUD_ERROR_MEMORY) return error;
  error = thud_run_restore_state(run->scene, run->before, run->scene->state_size);
  if (error == THUD_OK && !isnan(run->root)) run->kind->stop_at(run->motion, run->root);
  return error;
}

/* The motion stands at a node at which `until` holds: it has arrived. */
static thud_error end_by_condition(thud_run *run) {
  if (isnan(thud_observe_until(run->scene->observe)) || run->reached.status != THUD_MOTION_RUNNING) return THUD_OK;
  run->reached.status = THUD_MOTION_COMPLETED;
  return run->kind->arrive != NULL ? run->kind->arrive(run->motion, &run->reached) : THUD_OK;
}

/* Changes whose condition holds since this row, in the order of their list. */
static thud_error change(thud_run *run) {
  thud_error error = THUD_OK;
  if (run->scene->observe == NULL || run->reached.status != THUD_MOTION_RUNNING) return THUD_OK;
  for (size_t k; error == THUD_OK && (k = thud_observe_due(run->scene->observe, run->reached.t)) != SIZE_MAX;)
    if (run->kind->fire != NULL) error = run->kind->fire(run->motion, k);
  return end_by_data(run, error, run->reached.t);
}

static thud_error advance(thud_run *run) {
  const thud_row_sink sink = {.frame = on_frame, .event = on_event, .user = run, .recorded = recorded_frames};
  double before = run->reached.t;
  thud_error error = look_ahead(run);
  if (error != THUD_OK) return error;
  thud_run_forget_message(run->context);
  error = run->kind->advance(run->motion, &sink, &run->reached);
  error = end_by_data(run, weigh(run, thud_run_explain(run->context, run->kind, "advance", error)), before);
  int progress = (int)run->reached.status;
  if (error == THUD_OK && (progress < THUD_MOTION_RUNNING || progress > THUD_MOTION_NOT_HELD))
    error =
        thud_fail(run->context, THUD_ERROR_ARGUMENT,
                  "kind '%s': %d, which advance gave, is not a value of thud_motion_status", run->kind->name, progress);
  return error == THUD_OK ? thud_run_check_state_size(run->scene) : error;
}

thud_error thud_run_step(thud_run *run, bool *going) {
  THUD_REQUIRE(run != NULL ? run->context : NULL, run);
  thud_error error = THUD_OK;
  uint64_t failures = thud_context_failures(run->context);
  if (!is_over(run)) {
    error = advance(run);
    if (error == THUD_OK && !run->broken)
      error = weigh_own(run, thud_run_dump_step(&run->dump, run->kind, run->motion));
    if (error == THUD_OK && run->reached.status == THUD_MOTION_FORKED && run->path != NULL) error = take_outcome(run);
    if (error == THUD_OK && !run->broken) error = end_by_condition(run);
    if (error == THUD_OK && !run->broken) error = change(run);
    if (error == THUD_OK && run->reached.status == THUD_MOTION_RUNNING && !run->broken)
      error = weigh_own(run, thud_run_checkpoint(run, run->reached.t));
    if (error == THUD_OK && run->reached.status == THUD_MOTION_RUNNING && !run->broken)
      run->stopped = asks_to_stop(run, run->reached.t);
  }
  if (error == THUD_ERROR_MEMORY) error = thud_context_settle(run->context, failures, error);
  if (going != NULL) *going = error == THUD_OK && !is_over(run);
  return error;
}

/* ---- end --------------------------------------------------------------------------------------------------------- */

static int ask_watch(void *user) {
  const thud_run *run = user;
  return asks_to_stop(run, run->scene->end); /* the motion is done: the progress stays at its end */
}

/* A message that says when needs no time in front of it. */
static void judge_failure(thud_run *run) {
  const char *what = run->reached.what != NULL ? run->reached.what : thud_motion_status_name(run->reached.status);
  const char *detail = thud_context_last_message(run->context);
  if (detail[0] != '\0') run->code = thud_context_get_code(run->context);
  if (detail[0] == '\0')
    snprintf(run->reason, sizeof run->reason, "%s after t = %.10g: kind '%s': advance failed", what, run->reached.t,
             run->kind->name);
  else if (strncmp(detail, "t = ", 4) == 0)
    snprintf(run->reason, sizeof run->reason, "%s: %s", what, detail);
  else
    snprintf(run->reason, sizeof run->reason, "%s after t = %.10g: %s", what, run->reached.t, detail);
}

/* A word of the kind's own: one that records take and that is none of those with a meaning of their own. */
static bool is_own_word(const char *word) {
  static const char *const words[] = {"good", "failed", "stopped", THUD_RECORD_UNFINISHED};
  if (word == NULL || word[0] == '\0' || strlen(word) > THUD_RECORD_NAME_LENGTH) return false;
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strcmp(word, words[k]) == 0) return false;
  return true;
}

/* Why a good run has ended before its end; of arcs that is known with the last row. */
static void name_condition(thud_run *run) {
  const scene_observe *seen = run->scene->observe;
  double t = thud_observe_until(seen);
  if (run->verdict != THUD_VERDICT_GOOD || isnan(t)) return;
  snprintf(run->reason, sizeof run->reason, "until: %.400s, at t = %.17g%s", seen->conditions[seen->until].text, t,
           t == run->scene->start ? ", the start" : "");
}

/* The verdict, before anything else can change the context's message. */
static void set_verdict(thud_run *run) {
  run->verdict = THUD_VERDICT_GOOD;
  if (run->broken || thud_motion_has_failed(run->reached.status) || run->reached.status == THUD_MOTION_FORKED)
    run->verdict = THUD_VERDICT_FAILED;
  else if (run->stopped || run->reached.status != THUD_MOTION_COMPLETED)
    run->verdict = THUD_VERDICT_STOPPED;
  run->verdict_name = thud_run_verdict_name(run->verdict);
  if (is_own_word(run->reached.verdict) && !run->broken && !run->stopped) run->verdict_name = run->reached.verdict;
  if (run->verdict == THUD_VERDICT_FAILED && !run->broken) judge_failure(run);
  if (run->verdict == THUD_VERDICT_STOPPED)
    snprintf(run->reason, sizeof run->reason, "interrupted at t = %.10g", run->reached.t);
  name_condition(run);
}

static void set_failed(thud_run *run) {
  if (run->verdict != THUD_VERDICT_GOOD) return;
  run->verdict = THUD_VERDICT_FAILED;
  run->verdict_name = thud_run_verdict_name(run->verdict);
  run->code = thud_context_get_code(run->context);
  snprintf(run->reason, sizeof run->reason, "%s", thud_context_last_message(run->context));
}

static thud_error conclude(thud_run *run) {
  const thud_run_watch watch = {.ask = ask_watch, .user = run};
  bool stopped = false;
  bool cut = !isnan(thud_observe_until(run->scene->observe)); /* conclusions are about the whole span */
  if (run->kind->conclude == NULL || run->verdict != THUD_VERDICT_GOOD || cut) return THUD_OK;
  thud_error error = run->kind->conclude(run->motion, &watch, &stopped);
  if (error != THUD_OK && !is_own_trouble(error)) {
    set_failed(run); /* data that fail between the steps, where only the conclusions look */
    return THUD_OK;
  }
  if (error == THUD_OK && !stopped && run->kind->judge != NULL) {
    thud_run_forget_message(run->context);
    run->kind->judge(run->motion, &run->reached);
    set_verdict(run);
  }
  if (error != THUD_OK || !stopped) return error;
  run->verdict = THUD_VERDICT_STOPPED;
  run->verdict_name = thud_run_verdict_name(run->verdict);
  snprintf(run->reason, sizeof run->reason, "interrupted while the result was being concluded; the motion is complete");
  return THUD_OK;
}

static thud_error add_warnings(thud_run *run) {
  thud_report report = {0};
  thud_run_report(run, false, NULL, NULL, &report);
  thud_error error = report.error;
  for (size_t k = 0; k < report.warning_count && error == THUD_OK; k++)
    error =
        thud_record_add_warning(run->writer, report.warnings[k].t, report.warnings[k].code, report.warnings[k].message);
  thud_report_release(&report);
  return error;
}

/* Ends the record with verdict, reason and summary; whatever happens, the writer is gone then. */
static thud_error close_record(thud_run *run) {
  if (run->writer == NULL) return THUD_OK;
  char *summary = NULL;
  thud_error error = run->broken ? THUD_ERROR_FILE : add_warnings(run);
  if (error == THUD_OK) error = thud_run_write_json(run, false, &summary);
  thud_record_writer *ended = run->writer;
  run->writer = NULL;
  if (error == THUD_OK)
    error = thud_record_close(ended, run->verdict_name, run->reason, summary);
  else
    thud_record_abandon(ended);
  thud_free(run->context, summary);
  return error;
}

/* The last row, verdict, conclusions, end of the record. No memory is an error; a record that cannot be closed is a
 * verdict. */
static thud_error end(thud_run *run) {
  const thud_row_sink sink = {.frame = on_last_frame, .event = on_event, .user = run, .recorded = recorded_frames};
  set_verdict(run);
  thud_run_forget_message(run->context);
  thud_error error = run->kind->finish(run->motion, &sink);
  error = weigh(run, thud_run_explain(run->context, run->kind, "finish", error));
  if (error != THUD_OK) return error;
  name_condition(run);
  if (run->broken && run->verdict == THUD_VERDICT_GOOD) {
    run->verdict = THUD_VERDICT_FAILED;
    run->verdict_name = thud_run_verdict_name(run->verdict);
  }
  thud_run_samples_finish(&run->samples);
  error = conclude(run);
  run->wall_seconds = thud_seconds() - run->begin;
  if (error != THUD_OK) return error;
  error = close_record(run);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK) set_failed(run);
  return THUD_OK;
}

thud_error thud_run_to_end(thud_run *run) {
  bool going = true;
  thud_error error = THUD_OK;
  while (going && error == THUD_OK) error = thud_run_step(run, &going);
  if (error != THUD_OK || run->concluded) return error;
  run->concluded = true;
  return end(run);
}

thud_error thud_run_finish(thud_run *run, thud_run_result *result) {
  THUD_REQUIRE_OF(run, result);
  thud_run_result made = {0};
  if (!is_over(run)) run->stopped = true;
  uint64_t failures = thud_context_failures(run->context);
  thud_error error = thud_run_to_end(run);
  made.verdict = run->verdict;
  const thud_message_help *help = thud_explain(run->code.text);
  made.code = help != NULL ? help->code : NULL;
  if (error == THUD_OK) error = thud_run_write_json(run, true, &made.json);
  if (error == THUD_OK) error = thud_run_write_report(run, &made.report);
  error = thud_context_settle(run->context, failures, error);
  return thud_run_hand_over(run->context, error, run->reason, &made, result);
}

thud_error thud_scene_run(thud_scene *scene, const thud_run_options *options, thud_run_result *result) {
  THUD_REQUIRE_OF(scene, result);
  thud_run_options chosen;
  thud_error error = thud_options_take(scene->context, &options_table, options, &chosen);
  if (error != THUD_OK) return error;
  if (chosen.branches > 0) return thud_run_branches(scene, &chosen, result);
  thud_run *run = NULL;
  bool going = true;
  error = thud_run_begin(scene, &chosen, NULL, &run);
  while (error == THUD_OK && going) error = thud_run_step(run, &going);
  if (error == THUD_OK) error = thud_run_finish(run, result);
  thud_run_destroy(run);
  return error;
}

void thud_run_result_free(thud_context *context, thud_run_result *result) {
  THUD_REQUIRE_OR(, context, result);
  thud_free(context, result->reason);
  thud_free(context, result->json);
  thud_free(context, result->report);
  *result = (thud_run_result){0};
}

/* ---- how far a run is, read off the rows that go by -------------------------------------------------------------- */

void thud_run_so_far_begin(thud_run *run) {
  size_t count = run->layout->count[THUD_RECORD_FRAMES];
  const thud_record_channel *channels = run->layout->channels[THUD_RECORD_FRAMES];
  run->residual_channel = thud_report_find_role(count, channels, "residual");
  run->contact_channel = thud_report_find_role(count, channels, "acting");
  if (run->contact_channel == SIZE_MAX) run->contact_channel = thud_report_find_role(count, channels, "mode");
  if (run->options.so_far == NULL) return;
  *run->options.so_far = (thud_run_so_far){
      .t = run->scene->start, .start = run->scene->start, .end = run->scene->end, .contacts = NAN, .residual = NAN};
}

/* A constraint does not act where either role is 0. */
static double count_acting(const thud_record_cell *cell) {
  double count = 0;
  for (size_t i = 0; i < cell->count; i++) count += cell->values[i] != 0;
  return count;
}

void thud_run_so_far_note(thud_run *run, bool step, const thud_record_cell *cells) {
  thud_run_so_far *status = run->options.so_far;
  if (status == NULL) return;
  status->steps += step;
  if (run->contact_channel != SIZE_MAX) status->contacts = count_acting(&cells[run->contact_channel]);
  if (run->residual_channel != SIZE_MAX && cells[run->residual_channel].count == 1)
    status->residual = fmax(status->residual, cells[run->residual_channel].values[0]);
}

void thud_run_so_far_update(const thud_run *run, double t) {
  thud_run_so_far *status = run->options.so_far;
  if (status == NULL) return;
  status->t = t;
  status->events = run->counters.events;
  if (run->contact_channel == SIZE_MAX && run->reached.contacts > 0) status->contacts = (double)run->reached.contacts;
}

/* ---- contact problems as files (--dump-problems) ----------------------------------------------------------------- */

enum { RESIDUAL, CONTACTS, ITERATIONS, TIME, PENETRATION, VARIABLES };
static const char *const names[VARIABLES] = {"residual", "contacts", "iterations", "t", "penetration"};
static const char prefix[] = "step-";

/* ---- start ------------------------------------------------------------------------------------------------------------------- */

static thud_error compile(run_dump *dump, const char *condition) {
  thud_expr_place place = {0};
  thud_error error = thud_expr_scope_create(dump->context, &dump->scope);
  for (size_t k = 0; k < VARIABLES && error == THUD_OK; k++)
    error = thud_expr_scope_add_variable(dump->scope, names[k], NULL);
  if (error == THUD_OK) error = thud_expr_compile(dump->context, dump->scope, condition, &place, &dump->condition);
  return error == THUD_OK || error == THUD_ERROR_MEMORY
             ? error
             : thud_fail_within(dump->context, error,
                                "--dump-if '%s' (of residual, contacts, iterations, t, penetration)", condition);
}

/* Problems of another run would be taken for those of this one. */
static thud_error check_empty(const run_dump *dump) {
  DIR *directory = opendir(dump->directory);
  thud_error error = THUD_OK;
  if (directory == NULL)
    return thud_fail(dump->context, THUD_ERROR_FILE, "%s cannot be read: %s", dump->directory, strerror(errno));
  for (struct dirent *entry; error == THUD_OK && (entry = readdir(directory)) != NULL;)
    if (strncmp(entry->d_name, prefix, strlen(prefix)) == 0)
      error = thud_fail(dump->context, THUD_ERROR_EXISTS,
                        "%s holds problems already; remove them, or replace them with --force", dump->directory);
  closedir(directory);
  return error;
}

static thud_error make_directory(run_dump *dump) {
  if (mkdir(dump->directory, 0777) == 0) {
    dump->made = true;
    return THUD_OK;
  }
  struct stat there;
  int why = errno;
  if (why != EEXIST)
    return thud_fail(dump->context, THUD_ERROR_FILE, "the directory %s cannot be made: %s", dump->directory,
                     strerror(why));
  if (stat(dump->directory, &there) != 0 || !S_ISDIR(there.st_mode))
    return thud_fail(dump->context, THUD_ERROR_FILE, "%s is no directory", dump->directory);
  return dump->overwrite ? THUD_OK : check_empty(dump);
}

thud_error thud_run_dump_create(thud_context *context, const thud_kind *kind, const thud_run_options *options,
                                run_dump *dump) {
  *dump = (run_dump){.context = context, .overwrite = options->overwrite || options->resume};
  if (options->dump_directory == NULL && options->dump_if == NULL) return THUD_OK;
  if (options->dump_directory == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[usage] --dump-if says which problems go into the directory of "
                     "--dump-problems, which is missing");
  if (kind->problem == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[usage] motions of the kind '%s' have no contact problems to dump; those of 'bodies' do",
                     kind->name);
  thud_error error = options->dump_if != NULL ? compile(dump, options->dump_if) : THUD_OK;
  if (error != THUD_OK) return error;
  dump->directory = thud_strdup(context, options->dump_directory);
  return dump->directory != NULL ? make_directory(dump) : THUD_ERROR_MEMORY;
}

void thud_run_dump_free(run_dump *dump, bool discard) {
  if (dump->context == NULL) return;
  if (discard && dump->made) (void)rmdir(dump->directory);
  thud_expr_destroy(dump->condition);
  thud_expr_scope_destroy(dump->scope);
  thud_free(dump->context, dump->directory);
  *dump = (run_dump){0};
}

/* ---- files --------------------------------------------------------------------------------------------------------------------- */

static thud_error write_as(const run_dump *dump, const thud_kind_problem *found, const thud_contact_problem *problem,
                           thud_problem_format format, const char *extension) {
  char description[200];
  thud_text path = thud_text_new(dump->context);
  thud_text_print(&path, "%s/%s%08zu.%s", dump->directory, prefix, found->step, extension);
  snprintf(description, sizeof description, "step %zu, to t = %.17g: residual %.3g, %.0f iterations", found->step,
           found->t, found->residual, found->iterations);
  const thud_problem_contents contents = {
      .problem = problem, .title = "contacts of rigid bodies", .description = description, .solution = {.r = found->r}};
  thud_error error = path.error;
  if (error == THUD_OK)
    error = thud_problem_write(dump->context, thud_text_chars(&path), format, &contents, dump->overwrite);
  thud_text_free(&path);
  return error;
}

/* FCLIB in the global form; what such files cannot hold (spinning friction, friction with directions) in the native
 * format. */
static thud_error write_problem(const run_dump *dump, const thud_kind_problem *found) {
  thud_owned_problem *global = NULL;
  thud_error error = thud_contact_to_global(dump->context, found->problem, &global);
  if (error != THUD_OK) return error;
  const thud_contact_problem *view = thud_owned_problem_view(global);
  error = thud_problem_check_writable(dump->context, dump->directory, THUD_PROBLEM_FORMAT_FCLIB, view);
  error = error == THUD_ERROR_UNSUPPORTED ? write_as(dump, found, view, THUD_PROBLEM_FORMAT_NATIVE, "yaml")
          : error == THUD_OK              ? write_as(dump, found, view, THUD_PROBLEM_FORMAT_FCLIB, "hdf5")
                                          : error;
  thud_owned_problem_destroy(global);
  return error;
}

thud_error thud_run_dump_step(run_dump *dump, const thud_kind *kind, const void *motion) {
  thud_kind_problem found = {0};
  if (dump->directory == NULL) return THUD_OK;
  thud_error error = kind->problem(motion, &found);
  if (error != THUD_OK || found.problem == NULL || found.step == dump->last) return error;
  dump->last = found.step;
  double variables[VARIABLES] = {found.residual, found.contacts, found.iterations, found.t, found.penetration};
  double holds = dump->condition != NULL ? thud_expr_evaluate(dump->condition, variables) : 1;
  if (holds == 0 || isnan(holds)) return THUD_OK;
  error = write_problem(dump, &found);
  if (error == THUD_OK) dump->count++;
  return error;
}
