/* The shell of the checker: from a file to a list of checks, whatever the kind of motion. */
#include "verify/verify_record.h"
#include "base/base.h"
#include "verify/verify_channels.h"
#include "verify/verify_observe.h"
#include "verify/verify_summary.h"

#include <float.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

/* In this order scenes are asked for their sections. */
static const verify_record_kind *const kinds[] = {
    &thud_verify_sweeping_kind, &thud_verify_stepping_kind, &thud_verify_event_kind, &thud_verify_quasi_kind,
    &thud_verify_friction_kind, &thud_verify_string_kind,   &thud_verify_beam_kind,  &thud_verify_membrane_kind,
    &thud_verify_plate_kind,    &thud_verify_punch_kind,    &thud_verify_solid_kind, &thud_verify_bodies_kind};
enum { KIND_COUNT = sizeof kinds / sizeof *kinds };

/* Kinds that share a section are told apart by the method, which is the name of all but the first. */
const verify_record_kind *thud_verify_kind_of(const thud_node *root) {
  const thud_node *simulate = thud_node_find(root, "simulate");
  const thud_node *method = simulate != NULL ? thud_node_find(simulate, "method") : NULL;
  const char *named = method != NULL && thud_node_get_kind(method) == THUD_NODE_STRING ? thud_node_string(method) : "";
  const verify_record_kind *first = NULL;
  for (size_t k = 0; k < KIND_COUNT; k++) {
    if (thud_node_find(root, kinds[k]->section != NULL ? kinds[k]->section : kinds[k]->name) == NULL) continue;
    if (first == NULL) first = kinds[k];
    if (strcmp(kinds[k]->name, named) == 0) return kinds[k];
  }
  return first;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

static const thud_option_key verify_keys[] = {
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_verify_options, tolerance),
     .default_value = 0,
     .minimum = 0,
     .maximum = 1,
     .unit = "1",
     .help = "relative to the largest |u|; 0: the larger of 1e-8 and the scene's own tolerance"},
    {.name = "trajectory_tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(thud_verify_options, trajectory_tolerance),
     .default_value = 0,
     .minimum = 0,
     .maximum = 1,
     .unit = "rad",
     .help = "accepted angle between an increment of a trajectory and the normal cone, 0: 0.01; of motions: accepted "
             "part of the largest acceleration, 0: 0.001"},
    {.name = "trajectory_samples",
     .type = THUD_OPTION_INT,
     .offset = offsetof(thud_verify_options, trajectory_samples),
     .default_value = 32,
     .minimum = 1,
     .maximum = 1000000,
     .unit = "1",
     .help = "times at which each piece of a trajectory of expressions is asked"},
    {.name = "seal",
     .type = THUD_OPTION_BOOL,
     .offset = offsetof(thud_verify_options, seal),
     .default_value = 1,
     .minimum = 0,
     .maximum = 1,
     .unit = "1",
     .help = "also ask whether the record was changed after it was written"},
};

static const thud_option_table verify_table = {.name = "verify",
                                               .struct_size = sizeof(thud_verify_options),
                                               .keys = verify_keys,
                                               .count = sizeof verify_keys / sizeof *verify_keys};

const thud_option_table *thud_verify_option_table(void) { return &verify_table; }

/* ---- what every record is asked ---------------------------------------------------------------------------------- */

void thud_verify_check_made_by(const thud_record_info *info, const char *kind, const char *method,
                               thud_verify_check *structure) {
  if (strcmp(info->kind, kind) != 0)
    thud_verify_fail(structure, NAN, SIZE_MAX, "the record is of the kind '%s', its scene asks for '%s'", info->kind,
                     kind);
  if (strcmp(info->method, method) != 0)
    thud_verify_fail(structure, NAN, SIZE_MAX, "the record was made by the method '%s', its scene says '%s'",
                     info->method, method);
}

bool thud_verify_ran_to_end(const thud_record_info *info) {
  return strcmp(info->verdict, "good") == 0 || strcmp(info->verdict, "coarse") == 0;
}

/* A run that `until` has ended is complete before its end: the rows say so, not its words. */
static const char by_condition[] = "until";

/* The run has ended, and with such a verdict; one that was interrupted is incomplete. */
static void check_finished(const thud_record_info *info, thud_verify_check *check) {
  if (!info->finished)
    thud_verify_skip(check, THUD_VERIFY_INCOMPLETE,
                     "good so far: the record is unfinished, the run is still going on or was killed");
  else if (strcmp(info->verdict, "stopped") == 0)
    thud_verify_skip(check, THUD_VERIFY_INCOMPLETE, "good so far: the run was stopped: %s", info->reason);
  else if (strcmp(info->verdict, "undecided") == 0)
    thud_verify_skip(check, THUD_VERIFY_NOT_CHECKABLE, "the run itself is undecided: %s", info->reason);
  else if (strcmp(info->verdict, by_condition) != 0 && !thud_verify_ran_to_end(info))
    thud_verify_fail(check, NAN, SIZE_MAX, "the run itself ended with the verdict '%s': %s", info->verdict,
                     info->reason);
}

/* Times are rounded to this part of the step that they belong to, and to a few of their last digits. */
static const double SAME_TIME = 1e-9;

static double rounding_of(const verify_times *times) {
  const verify_scene *scene = times->scene;
  double longest = isfinite(times->longest) ? times->longest : (scene->end - scene->start) / scene->steps;
  return SAME_TIME * longest + 8 * DBL_EPSILON * fmax(fabs(scene->start), fabs(scene->end));
}

verify_times thud_verify_equal_steps(const verify_scene *scene, bool nodes, verify_times_order order) {
  double step = (scene->end - scene->start) / scene->steps;
  return (verify_times){.scene = scene, .order = order, .nodes = nodes, .longest = step + scene->record_every};
}

static void check_node(const verify_times *times, size_t k, double t, thud_verify_check *structure) {
  const verify_scene *scene = times->scene;
  double step = (scene->end - scene->start) / scene->steps, number = round((t - scene->start) / step);
  double slack = SAME_TIME * step + 8 * DBL_EPSILON * fmax(fabs(scene->start), fabs(scene->end));
  if (!(fabs(t - (scene->start + number * step)) <= slack && number >= 0 && number <= scene->steps))
    thud_verify_fail(structure, t, k, "the scene has no node at this time");
}

void thud_verify_check_time(const verify_times *times, size_t k, double t, double side, double before,
                            double side_before, thud_verify_check *structure) {
  const verify_scene *scene = times->scene;
  double elapsed = t - before;
  bool shared = times->order != VERIFY_TIMES_INCREASE && elapsed == 0;
  if (!(side == -1 || side == 0 || side == 1))
    thud_verify_fail(structure, t, k, "the side is %g; -1, 0 and 1 have a meaning", side);
  if (times->nodes) check_node(times, k, t, structure);
  if (!(t >= scene->start && t <= scene->end))
    thud_verify_fail(structure, t, k, "this time lies outside the run, from %.10g to %.10g", scene->start, scene->end);
  if (k == 0) return;
  if (!(elapsed > 0 || shared))
    thud_verify_fail(structure, t, k, "time does not go on, from %.10g to %.10g", before, t);
  if (shared && times->order == VERIFY_TIMES_HAVE_SIDES && !(side > side_before))
    thud_verify_fail(structure, t, k, "two frames at one time are not in the order left, value, right");
  if (elapsed > times->longest + rounding_of(times))
    thud_verify_fail(structure, t, k, "frames are missing: %.6g after the frame before, the scene records every %.6g",
                     elapsed, times->longest);
}

void thud_verify_check_ends(const verify_scene *scene, size_t count, double first, double last, bool finished,
                            thud_verify_check *structure) {
  if (first != scene->start)
    thud_verify_fail(structure, first, 0, "the first row is not the start, t = %.10g", scene->start);
  if (finished && last != scene->end)
    thud_verify_fail(structure, last, count - 1, "the rows do not reach the end, t = %.10g", scene->end);
}

void thud_verify_check_times(const verify_times *times, size_t count, const double *t, const double *side,
                             bool finished, thud_verify_check *structure) {
  for (size_t k = 0; k < count; k++)
    thud_verify_check_time(times, k, t[k], side != NULL ? side[k] : 0, k > 0 ? t[k - 1] : NAN,
                           side != NULL && k > 0 ? side[k - 1] : 0, structure);
  thud_verify_check_ends(times->scene, count, t[0], t[count - 1], finished, structure);
  if (structure->status == THUD_VERIFY_PASSED) thud_verify_explain(structure, "%zu frames", count);
}

bool thud_verify_all_finite(size_t count, const double *x) {
  for (size_t i = 0; i < count; i++)
    if (!isfinite(x[i])) return false;
  return true;
}

/* The resolved scene (NULL: it cannot be read, see structure) beside the one that was given. */
static thud_error check_resolved(thud_context *context, const thud_record_info *info, const thud_tree *resolved,
                                 thud_verify_result *result) {
  thud_verify_check check = thud_verify_check_new("resolved");
  thud_tree *given = NULL;
  thud_error error = thud_tree_read_text(context, "scene", info->scene, strlen(info->scene), &given);
  if (error == THUD_ERROR_MEMORY) return error;
  if (error != THUD_OK)
    thud_verify_fail(&check, NAN, SIZE_MAX, "the scene as given cannot be read: %s",
                     thud_context_last_message(context));
  else if (resolved == NULL)
    thud_verify_skip(&check, THUD_VERIFY_NOT_CHECKABLE, "the resolved scene cannot be used: see structure");
  else
    thud_verify_check_resolved(given, resolved, &check, result);
  error = given != NULL ? thud_verify_check_source(context, info->source, given, &check) : THUD_OK;
  thud_tree_destroy(given);
  if (error != THUD_OK) return error;
  thud_verify_result_insert(result, 1, &check);
  return THUD_OK;
}

thud_error thud_verify_check_summary(verify_record *record, void *motion, bool *compared) {
  size_t k = 0;
  while (strcmp(record->kind->checks[k], "summary") != 0) k++;
  thud_tree *tree = NULL;
  thud_error error = thud_verify_summary_open(record->context, record->reader, &record->checks[k], &tree);
  bool there = error == THUD_OK && tree != NULL;
  if (there) error = record->kind->compare(record, motion, thud_tree_root(tree), &record->checks[k]);
  if (compared != NULL) *compared = there;
  thud_tree_destroy(tree);
  return error;
}

/* ---- the library's kinds ----------------------------------------------------------------------------------------- */

/* The checks of the kind up to "finished" that could not be asked. */
static void skip_unasked(const verify_record *record, const verify_record_kind *kind, bool readable) {
  for (size_t k = 1; strcmp(kind->checks[k], "finished") != 0; k++)
    thud_verify_skip(&record->checks[k], THUD_VERIFY_NOT_CHECKABLE, "the %s cannot be used: see structure",
                     readable ? "frames" : "scene");
}

/* read_error: that of reading the resolved scene as a tree. */
static thud_error check_with_scene(verify_record *record, const verify_record_kind *kind, thud_error read_error,
                                   void *scene, bool *readable) {
  bool none = record->info.resolved[0] == '\0';
  thud_error error = read_error == THUD_OK ? kind->read(record, scene) : read_error;
  *readable = error == THUD_OK;
  if (error == THUD_ERROR_MEMORY) return error;
  if (*readable) return kind->check(record, scene);
  thud_verify_fail(&record->checks[0], NAN, SIZE_MAX, "%s%s",
                   none ? "the record holds no scene that the motion could be held against"
                        : "the scene in the record cannot be used: ",
                   none ? "" : thud_context_last_message(record->context));
  return THUD_OK;
}

static void gather(verify_record *record, const verify_record_kind *kind, const void *scene,
                   thud_verify_result *result) {
  bool failed = record->checks[0].status == THUD_VERIFY_FAILED;
  size_t rows = record->info.rows[THUD_RECORD_FRAMES];
  if (scene == NULL || record->unusable || (failed && !kind->goes_on)) skip_unasked(record, kind, scene != NULL);
  *result = (thud_verify_result){0};
  for (size_t k = 0; kind->checks[k] != NULL; k++) {
    if (strcmp(kind->checks[k], "finished") == 0) check_finished(&record->info, &record->checks[k]);
    bool belongs = kind->leaves_out == NULL || !kind->leaves_out(scene, k);
    if (belongs) thud_verify_result_add(result, &record->checks[k]);
  }
  size_t asked = kind->unit != NULL ? record->asked : rows, all = kind->unit != NULL ? record->all : rows;
  thud_verify_result_cover(result, kind->unit != NULL ? kind->unit : "rows", failed ? 0 : asked, all,
                           !kind->has_contacts ? -1
                           : failed            ? 0
                                               : (int64_t)record->contacts);
}

static thud_error observe(verify_record *record, const thud_tree *tree) {
  thud_error error = thud_verify_observe(record, tree);
  if (record->seen.ended && thud_verify_ran_to_end(&record->info)) record->info.verdict = by_condition;
  return error;
}

/* In front of "finished". */
static void insert_observed(const verify_record *record, thud_verify_result *result) {
  size_t k = 0;
  if (!record->seen.asked) return;
  while (k < result->check_count && strcmp(result->checks[k].name, "finished") != 0) k++;
  thud_verify_result_insert(result, k, &record->seen.check);
}

static thud_error check_known(verify_record *record, const verify_record_kind *kind, thud_verify_result *result) {
  thud_verify_check checks[THUD_VERIFY_MAX_CHECKS];
  for (size_t k = 0; kind->checks[k] != NULL; k++) checks[k] = thud_verify_check_new(kind->checks[k]);
  record->checks = checks;
  record->kind = kind;
  void *scene = thud_alloc(record->context, 1, kind->size);
  if (scene == NULL) return THUD_ERROR_MEMORY;
  thud_tree *tree = NULL, *written = NULL;
  bool readable = false;
  thud_error error = thud_tree_read_text(record->context, "resolved scene", record->info.resolved,
                                         strlen(record->info.resolved), &tree);
  if (error == THUD_OK) error = thud_verify_write_families(record->context, tree, &written);
  record->tree = written != NULL ? written : tree;
  if (error == THUD_OK) error = observe(record, record->tree);
  if (record->seen.tree != NULL) record->tree = record->seen.tree;
  error = check_with_scene(record, kind, error, scene, &readable);
  if (error == THUD_OK) {
    gather(record, kind, readable ? scene : NULL, result);
    insert_observed(record, result);
    error = check_resolved(record->context, &record->info, tree, result);
  }
  if (readable) kind->release(scene);
  thud_free(record->context, scene);
  thud_tree_destroy(written);
  thud_tree_destroy(tree);
  return error;
}

/* ---- kinds that the library does not know ------------------------------------------------------------------------ */

/* Whether the numbers of a channel must be finite: times, states, and what applies to every event. */
static bool must_be_finite(thud_record_table table, const thud_record_channel *channel) {
  if (channel->type != THUD_RECORD_REAL) return false;
  bool time = strcmp(channel->role, "time") == 0 || strcmp(channel->role, "end") == 0;
  return time || (table == THUD_RECORD_FRAMES ? channel->state : !channel->optional);
}

/* Cell by cell, as a record of any size can be read. */
static thud_error check_finite(thud_record_reader *reader, thud_record_table table, size_t channel,
                               thud_verify_check *check) {
  const thud_record_channel *about = thud_record_reader_channel(reader, table, channel);
  size_t rows = must_be_finite(table, about) ? thud_record_reader_info(reader).rows[table] : 0;
  for (size_t row = 0; row < rows; row++) {
    thud_record_cell cell;
    thud_error error = thud_record_read_cell(reader, table, channel, row, &cell);
    if (error != THUD_OK) return error;
    for (size_t c = 0; c < cell.count; c++)
      if (!isfinite(cell.values[c]))
        thud_verify_fail(check, NAN, table == THUD_RECORD_FRAMES ? row : SIZE_MAX, "row %zu of the %s: '%s' is %g", row,
                         thud_record_table_name(table), about->name, cell.values[c]);
  }
  return THUD_OK;
}

static void check_order_of_times(size_t count, const double *t, const char *table, thud_verify_check *check) {
  for (size_t k = 1; k < count; k++)
    if (!(t[k] >= t[k - 1])) thud_verify_fail(check, t[k], SIZE_MAX, "row %zu of the %s goes back in time", k, table);
}

/* Every event has a frame, which comes after it. */
static void check_links(const thud_record_info *info, const double *t, const double *event_t, const double *frame,
                        thud_verify_check *check) {
  size_t frames = info->rows[THUD_RECORD_FRAMES];
  for (size_t e = 0; e < info->rows[THUD_RECORD_EVENTS]; e++) {
    bool there = frame[e] >= 0 && frame[e] < (double)frames;
    if (!there && (info->finished || frame[e] != (double)frames))
      thud_verify_fail(check, event_t[e], SIZE_MAX, "event %zu belongs to frame %g, of %zu", e, frame[e], frames);
    if (e > 0 && frame[e] < frame[e - 1])
      thud_verify_fail(check, event_t[e], SIZE_MAX, "event %zu belongs to an earlier frame than the one before", e);
    if (there && !(event_t[e] <= t[(size_t)frame[e]]))
      thud_verify_fail(check, event_t[e], (size_t)frame[e], "event %zu is later than the frame that shows it", e);
  }
}

static thud_error check_any_structure(thud_context *context, thud_record_reader *reader, thud_verify_check *check) {
  thud_record_info info = thud_record_reader_info(reader);
  double *t = NULL, *event_t = NULL, *frame = NULL;
  const verify_channel frames[] = {{"time", 1, &t}}, events[] = {{"t", 1, &event_t}, {"frame", 1, &frame}};
  thud_error error = thud_verify_read_channels(context, reader, THUD_RECORD_FRAMES, 1, frames, check);
  if (error == THUD_OK && info.channel_count[THUD_RECORD_EVENTS] > 0)
    error = thud_verify_read_channels(context, reader, THUD_RECORD_EVENTS, 2, events, check);
  for (int table = THUD_RECORD_FRAMES; table <= THUD_RECORD_EVENTS; table++)
    for (size_t k = 0; k < info.channel_count[table] && error == THUD_OK; k++)
      error = check_finite(reader, (thud_record_table)table, k, check);
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED) {
    check_order_of_times(info.rows[THUD_RECORD_FRAMES], t, "frames", check);
    check_order_of_times(event_t != NULL ? info.rows[THUD_RECORD_EVENTS] : 0, event_t, "events", check);
    if (event_t != NULL) check_links(&info, t, event_t, frame, check);
    if (info.rows[THUD_RECORD_FRAMES] == 0) thud_verify_fail(check, NAN, SIZE_MAX, "the record has no frames");
  }
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu frames, %zu events", info.rows[THUD_RECORD_FRAMES], info.rows[THUD_RECORD_EVENTS]);
  thud_free(context, t);
  thud_free(context, event_t);
  thud_free(context, frame);
  return error;
}

/* ---- checks that a program brings -------------------------------------------------------------------------------- */

struct thud_verify_report {
  const verify_record *record;
  thud_verify_result *result;
  size_t first; /* of its checks */
  thud_error error;
  const char *unit;
  size_t asked, all;
};

/* The check of this name, a new one when there is none; NULL: there is no room, or the name is the shell's. */
static thud_verify_check *find_check(thud_verify_report *report, const char *name) {
  static const char *const taken[] = {"structure", "kind", "summary", "finished", "seal"};
  thud_verify_result *result = report->result;
  for (size_t k = report->first; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return &result->checks[k];
  if (result->check_count + 4 > THUD_VERIFY_MAX_CHECKS) /* this one, summary, finished, seal */
    report->error =
        thud_fail(report->record->context, THUD_ERROR_OVERFLOW, "there is no room for the check '%s'", name);
  for (size_t k = 0; k < sizeof taken / sizeof *taken; k++)
    if (strcmp(taken[k], name) == 0)
      report->error =
          thud_fail(report->record->context, THUD_ERROR_ARGUMENT, "every record has a check '%s' already", name);
  if (report->error != THUD_OK) return NULL;
  const thud_verify_check made = thud_verify_check_new(name);
  thud_verify_result_add(result, &made);
  return &result->checks[result->check_count - 1];
}

void thud_verify_report_value(thud_verify_report *report, const char *name, double value, double tolerance, double t,
                              int64_t frame) {
  THUD_REQUIRE_OR(, report, name);
  thud_verify_check *check = find_check(report, name);
  if (check != NULL) thud_verify_tally(check, value, tolerance, 0, t, frame < 0 ? SIZE_MAX : (size_t)frame);
}

/* What a program says of a check, in place of the status and in its detail. */
static void say(thud_verify_check *check, const char *format, va_list arguments) {
  vsnprintf(check->detail, sizeof check->detail, format, arguments);
}

void thud_verify_report_fail(thud_verify_report *report, const char *name, double t, int64_t frame, const char *format,
                             ...) {
  THUD_REQUIRE_OR(, report, name, format);
  thud_verify_check *check = find_check(report, name);
  if (check == NULL || check->status == THUD_VERIFY_FAILED) return;
  thud_verify_fail(check, t, frame < 0 ? SIZE_MAX : (size_t)frame, "%s", "");
  va_list arguments;
  va_start(arguments, format);
  say(check, format, arguments);
  va_end(arguments);
}

void thud_verify_report_words(thud_verify_report *report, const char *name, const char *format, ...) {
  THUD_REQUIRE_OR(, report, name, format);
  thud_verify_check *check = find_check(report, name);
  if (check == NULL) return;
  va_list arguments;
  va_start(arguments, format);
  say(check, format, arguments);
  va_end(arguments);
}

void thud_verify_report_skip(thud_verify_report *report, const char *name, thud_verify_status status,
                             const char *format, ...) {
  THUD_REQUIRE_OR(, report, name, format);
  thud_verify_check *check = find_check(report, name);
  if (check == NULL) return;
  thud_verify_skip(check, status, "%s", "");
  va_list arguments;
  va_start(arguments, format);
  say(check, format, arguments);
  va_end(arguments);
}

void thud_verify_report_cover(thud_verify_report *report, const char *unit, uint64_t count, uint64_t of) {
  THUD_REQUIRE_OR(, report, unit);
  report->unit = unit;
  report->asked = (size_t)count;
  report->all = (size_t)of;
}

thud_context *thud_verify_report_context(const thud_verify_report *report) {
  THUD_REQUIRE_OR(NULL, report);
  return report->record->context;
}

const thud_verify_options *thud_verify_report_options(const thud_verify_report *report) {
  THUD_REQUIRE_OR(NULL, report);
  return report->record->options;
}

static thud_error check_own(verify_record *record, const thud_verify_kind *own, thud_verify_result *result) {
  thud_context *context = record->context;
  thud_verify_report report = {.record = record, .result = result, .first = result->check_count};
  thud_tree *tree = NULL;
  thud_error error =
      thud_tree_read_text(context, "resolved scene", record->info.resolved, strlen(record->info.resolved), &tree);
  if (error == THUD_ERROR_MEMORY) return error;
  error = own->check(&report, record->reader, tree, own->user);
  thud_tree_destroy(tree);
  if (error == THUD_OK) error = report.error;
  if (error == THUD_OK && report.unit != NULL)
    thud_verify_result_cover(result, report.unit, report.asked, report.all, -1);
  return error;
}

/* Structure, summary and end; in between what a program asks of the motion, or the check "kind": nobody can ask it. */
static thud_error check_other(verify_record *record, size_t count, const thud_verify_kind *further,
                              thud_verify_result *result) {
  thud_verify_check structure = thud_verify_check_new("structure"), kind = thud_verify_check_new("kind");
  thud_verify_check summary = thud_verify_check_new("summary"), finished = thud_verify_check_new("finished");
  thud_tree *tree = NULL;
  size_t k = 0;
  while (k < count && strcmp(further[k].name, record->info.kind) != 0) k++;
  *result = (thud_verify_result){0};
  thud_error error = check_any_structure(record->context, record->reader, &structure);
  if (error != THUD_OK) return error;
  thud_verify_result_add(result, &structure);
  if (k < count && structure.status != THUD_VERIFY_FAILED) {
    error = check_own(record, &further[k], result);
  } else {
    if (k < count)
      thud_verify_skip(&kind, THUD_VERIFY_NOT_CHECKABLE, "the frames cannot be used: see structure");
    else
      thud_verify_skip(&kind, THUD_VERIFY_NOT_CHECKABLE,
                       "motions of the kind '%s' cannot be checked, only their structure", record->info.kind);
    thud_verify_result_add(result, &kind);
  }
  if (error == THUD_OK) error = thud_verify_summary_open(record->context, record->reader, &summary, &tree);
  thud_tree_destroy(tree);
  if (error != THUD_OK) return error;
  check_finished(&record->info, &finished);
  thud_verify_result_add(result, &summary);
  thud_verify_result_add(result, &finished);
  return THUD_OK;
}

/* ---- records and trajectories ------------------------------------------------------------------------------------ */

/* The record says of which kind it is; the scene must agree, which the check of the structure asks. The seal comes last:
 * where the motion itself says what is wrong, that is the reason. */
static thud_error check_record(verify_record *record, size_t count, const thud_verify_kind *further,
                               thud_verify_result *result) {
  size_t k = 0;
  while (k < KIND_COUNT && strcmp(kinds[k]->name, record->info.kind) != 0) k++;
  thud_error error =
      k < KIND_COUNT ? check_known(record, kinds[k], result) : check_other(record, count, further, result);
  thud_verify_check seal = thud_verify_check_new("seal");
  if (error == THUD_OK && record->options->seal)
    error = thud_verify_check_seal(record->reader, &seal);
  else
    thud_verify_skip(&seal, THUD_VERIFY_NOT_CHECKED, "not asked");
  if (error != THUD_OK) return error;
  thud_verify_result_add(result, &seal);
  thud_verify_result_judge(result);
  return THUD_OK;
}

thud_error thud_verify_record_kinds(thud_context *context, const char *path, const thud_verify_options *options,
                                    size_t count, const thud_verify_kind *further, thud_verify_result *result) {
  THUD_REQUIRE(context, context, path, result);
  if (count > 0) THUD_REQUIRE(context, further);
  for (size_t k = 0; k < count; k++)
    if (further[k].name == NULL || further[k].check == NULL)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "kind %zu of the caller has no name or no check", k);
  thud_verify_options chosen;
  thud_verify_result made;
  thud_error error = thud_options_take(context, &verify_table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_record_reader *reader = NULL;
  uint64_t failures = thud_context_failures(context);
  error = thud_record_open(context, path, &reader);
  if (error != THUD_OK) return error;
  verify_record record = {
      .context = context, .reader = reader, .info = thud_record_reader_info(reader), .options = &chosen};
  error = thud_context_settle(context, failures, check_record(&record, count, further, &made));
  if (error == THUD_OK) *result = made;
  thud_verify_observe_free(&record);
  thud_record_reader_destroy(reader);
  return error;
}

thud_error thud_verify_record(thud_context *context, const char *path, const thud_verify_options *options,
                              thud_verify_result *result) {
  return thud_verify_record_kinds(context, path, options, 0, NULL, result);
}

thud_error thud_verify_trajectory(thud_context *context, const thud_tree *tree, const char *path,
                                  const thud_verify_options *options, thud_verify_result *result) {
  THUD_REQUIRE(context, context, tree, path, result);
  thud_verify_options chosen;
  const verify_record_kind *kind = &thud_verify_sweeping_kind;
  thud_error error = thud_options_take(context, &verify_table, options, &chosen);
  if (error != THUD_OK) return error;
  for (size_t k = KIND_COUNT; k-- > 0;)
    if (kinds[k]->section != NULL && thud_node_find(thud_tree_root(tree), kinds[k]->section) != NULL) kind = kinds[k];
  if (thud_verify_has_switches(thud_tree_root(tree)))
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "data of the scene switch on conditions, which a trajectory does not tell: verify a record");
  if (kind->trajectory == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "trajectories of 'system', 'quasistatic' and 'sweeping' scenes are judged, not of '%s': verify a "
                     "record of this one",
                     kind->section);
  thud_tree *written = NULL;
  error = thud_verify_write_families(context, tree, &written);
  if (error == THUD_OK) error = kind->trajectory(context, written != NULL ? written : tree, path, &chosen, result);
  thud_tree_destroy(written);
  return error;
}
