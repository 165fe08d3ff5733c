/* Motions along the outcomes of forks, depth first.
 *
 * A motion is its list of choices. It is computed from the start, which gives the same bits up to its first new choice
 * and a whole record; the tree is walked like a number whose digits are the choices. */
#include "scene/run_branch.h"
#include "scene/run_event.h"

#include <stdio.h>
#include <string.h>

/* ---- one path ---------------------------------------------------------------------------------------------------- */

thud_error branch_path_choose(branch_path *path, thud_event_motion *motion) {
  void *items = path->forks;
  thud_error error = thud_array_reserve(path->context, &items, &path->capacity, path->count + 1, sizeof *path->forks);
  path->forks = items;
  if (error != THUD_OK) return error;
  branch_fork *fork = &path->forks[path->count];
  thud_event_outcome outcome;
  const double *q, *v;
  if (path->count >= path->given) fork->chosen = 0;
  fork->count = (size_t)thud_event_motion_outcome_count(motion);
  thud_event_motion_present(motion, &fork->t, &q, &v);
  error = thud_event_motion_outcome(motion, (thud_index)fork->chosen, &outcome);
  if (error == THUD_OK) error = thud_event_motion_choose(motion, (thud_index)fork->chosen);
  if (error != THUD_OK) return error;
  memcpy(fork->text, outcome.text, sizeof fork->text);
  path->count++;
  return THUD_OK;
}

/* The next leaf of the tree: the last choice that has another one after it changes. False: there is none. */
static bool next_path(branch_path *path) {
  while (path->count > 0) {
    branch_fork *last = &path->forks[path->count - 1];
    if (last->chosen + 1 < last->count) {
      last->chosen++;
      path->given = path->count;
      path->count = 0;
      return true;
    }
    path->count--;
  }
  return false;
}

/* Outcomes on the path that no motion has followed yet. */
static size_t left_of(const branch_path *path) {
  size_t left = 0;
  for (size_t d = 0; d < path->count; d++) left += path->forks[d].count - 1 - path->forks[d].chosen;
  return left;
}

void branch_json_path(thud_json *json, const branch_path *path) {
  thud_json_key(json, "path");
  thud_json_begin_array(json);
  for (size_t d = 0; d < path->count; d++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", path->forks[d].t);
    thud_json_string_field(json, "text", path->forks[d].text);
    thud_json_integer_field(json, "outcome", (int64_t)path->forks[d].chosen + 1);
    thud_json_integer_field(json, "of", (int64_t)path->forks[d].count);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

/* ---- records ----------------------------------------------------------------------------------------------------- */

/* ball.h5, ball.branch-2.h5, ...; NULL: no memory. */
static char *record_of(thud_context *context, const char *first, size_t number) {
  static const char ending[] = ".h5";
  size_t length = strlen(first), tail = sizeof ending - 1;
  if (number == 1) return thud_strdup(context, first);
  if (length >= tail && strcmp(first + length - tail, ending) == 0) length -= tail;
  thud_text name = thud_text_new(context);
  thud_text_print(&name, "%.*s.branch-%zu%s", (int)length, first, number, ending);
  return name.error == THUD_OK ? name.data : NULL;
}

/* Nothing may be in the way of a record when the first motion starts. */
static thud_error check_records(const thud_scene *scene, const thud_run_options *options) {
  thud_error error = THUD_OK;
  for (size_t k = 2; options->record != NULL && !options->overwrite && k <= options->branches && error == THUD_OK;
       k++) {
    char *name = record_of(scene->context, options->record, k);
    FILE *there = name != NULL ? fopen(name, "rb") : NULL;
    if (name == NULL) error = THUD_ERROR_MEMORY;
    if (there != NULL) {
      fclose(there);
      error = thud_fail(scene->context, THUD_ERROR_EXISTS,
                        "%s: the file exists already; choose another name, or overwrite it (--force)", name);
    }
    thud_free(scene->context, name);
  }
  return error;
}

/* ---- all of them ------------------------------------------------------------------------------------------------- */

typedef struct branch_walk {
  thud_scene *scene;
  const thud_run_options *options;
  branch_path path;
  size_t motions, left;
  thud_verdict verdict;
  char reason[1100];
  thud_text json_text, table;
  thud_json json;
} branch_walk;

/* The first bad verdict is that of the whole. */
static void judge(branch_walk *walk, const system_run *run) {
  if (run->verdict == THUD_VERDICT_GOOD || walk->verdict != THUD_VERDICT_GOOD) return;
  walk->verdict = run->verdict;
  snprintf(walk->reason, sizeof walk->reason, "motion %zu: %s", walk->motions, run->reason);
}

static void tell(branch_walk *walk, const system_run *run) {
  char title[32];
  system_present last = system_run_present(run);
  system_json_result(&walk->json, run, true);
  snprintf(title, sizeof title, "motion %zu", walk->motions);
  system_report_state(&walk->table, run, title, last.t, "", last.q, last.v);
  for (size_t d = 0; d < walk->path.count; d++) {
    const branch_fork *fork = &walk->path.forks[d];
    thud_text_print(&walk->table, "              at t = %.10g: %s (outcome %zu of %zu%s)\n", fork->t, fork->text,
                    fork->chosen + 1, fork->count, fork->count == walk->path.limit ? " or more" : "");
  }
  system_report_samples(&walk->table, run);
  thud_text_print(&walk->table, "              %s%s%s; %zu impact%s", run_verdict_name(run->verdict),
                  run->reason[0] != '\0' ? ": " : "", run->reason, run->event->info.impacts,
                  thud_plural(run->event->info.impacts));
  if (run->options->record != NULL) thud_text_print(&walk->table, "; %s", run->options->record);
  thud_text_print(&walk->table, "\n");
}

static thud_error run_one(branch_walk *walk) {
  thud_context *context = walk->scene->context;
  thud_run_options one = *walk->options;
  system_run run;
  walk->motions++;
  if (one.record != NULL) {
    one.record = record_of(context, walk->options->record, walk->motions);
    if (one.record == NULL) return THUD_ERROR_MEMORY;
  }
  thud_error error = system_run_whole(walk->scene, &one, &walk->path, &run);
  if (error == THUD_OK) {
    judge(walk, &run);
    tell(walk, &run);
  }
  system_run_destroy(&run);
  if (one.record != NULL) thud_free(context, (char *)one.record);
  return error;
}

static thud_error run_all(branch_walk *walk) {
  bool more = true;
  thud_error error = THUD_OK;
  while (more && error == THUD_OK && walk->verdict != THUD_VERDICT_STOPPED) {
    error = run_one(walk);
    walk->left = left_of(&walk->path);
    more = walk->left > 0 && walk->motions < walk->options->branches && next_path(&walk->path);
  }
  return error;
}

static thud_error write_json(branch_walk *walk, double wall_seconds, char **out) {
  thud_json *json = &walk->json;
  thud_json_end_array(json);
  thud_json_integer_field(json, "motions", (int64_t)walk->motions);
  thud_json_integer_field(json, "left_out", (int64_t)walk->left);
  thud_json_string_field(json, "verdict", run_verdict_name(walk->verdict));
  thud_json_string_field(json, "reason", walk->reason);
  thud_json_string_field(json, "title", walk->scene->title);
  thud_json_string_field(json, "method", thud_scene_get_info(walk->scene).method);
  thud_json_number_field(json, "wall_seconds", wall_seconds);
  thud_json_end_object(json);
  return run_hand_out(&walk->json_text, out);
}

static thud_error write_report(branch_walk *walk, char **out) {
  const thud_scene *scene = walk->scene;
  thud_text text = thud_text_new(scene->context);
  if (scene->title[0] != '\0') thud_text_print(&text, "%s\n", scene->title);
  thud_text_print(&text, "  method      %s, t = %g to %g\n", thud_scene_get_info(scene).method, scene->start,
                  scene->end);
  thud_text_print(&text, "  motions     %zu", walk->motions);
  if (walk->left > 0)
    thud_text_print(&text, "; left out: %zu more outcome%s", walk->left, thud_plural(walk->left));
  else
    thud_text_print(&text, walk->motions > 1 ? ", every outcome of the forks" : ", nothing forks");
  thud_text_print(&text, "\n%s", thud_text_chars(&walk->table));
  thud_text_print(&text, "verdict: %s%s%s\n", run_verdict_name(walk->verdict), walk->reason[0] != '\0' ? ": " : "",
                  walk->reason);
  return run_hand_out(&text, out);
}

static thud_error check(const thud_scene *scene, const thud_run_options *options) {
  if (scene->lagrangian == NULL || !scene->lagrangian->event_driven)
    return thud_fail(
        scene->context, THUD_ERROR_UNSUPPORTED,
        "--branch follows the outcomes of event-driven motions; this scene is run by '%s', which takes one "
        "outcome without telling the others%s",
        thud_scene_get_info(scene).method, scene->lagrangian != NULL ? ": use simulate: {method: event-driven}" : "");
  if (options->resume)
    return thud_fail(scene->context, THUD_ERROR_ARGUMENT, "--branch and --resume contradict each other");
  return check_records(scene, options);
}

thud_error scene_run_branches(thud_scene *scene, const thud_run_options *options, thud_run_result *result) {
  thud_context *context = scene->context;
  double begin = thud_seconds();
  thud_error error = check(scene, options);
  if (error != THUD_OK) return error;
  branch_walk walk = {.scene = scene,
                      .options = options,
                      .path = {.context = context, .limit = (size_t)scene->lagrangian->event.max_outcomes},
                      .json_text = thud_text_new(context),
                      .table = thud_text_new(context)};
  thud_run_result made = {0};
  walk.json = thud_json_new(&walk.json_text);
  thud_json_begin_object(&walk.json);
  thud_json_key(&walk.json, "branches");
  thud_json_begin_array(&walk.json);
  scene->lagrangian->event.fork = true;
  error = run_all(&walk);
  scene->lagrangian->event.fork = false;
  made.verdict = walk.verdict;
  if (error == THUD_OK)
    error = write_json(&walk, thud_seconds() - begin, &made.json);
  else
    thud_text_free(&walk.json_text);
  if (error == THUD_OK) error = write_report(&walk, &made.report);
  thud_text_free(&walk.table);
  thud_free(context, walk.path.forks);
  return run_finish_result(context, error, walk.reason, &made, result);
}
