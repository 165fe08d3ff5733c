/* Motions along the outcomes of forks.
 *
 * A motion is its list of choices. It is computed from the start, which gives the same bits up to its first new choice
 * and a whole record. Every fork that a motion passes on its own leaves ways that are not followed yet; the next motion
 * takes the one that leaves earliest, counted in forks, so that the whole tree is walked, each motion once. */
#include "run/run.h"

#include <stdio.h>
#include <string.h>

/* ---- one path ---------------------------------------------------------------------------------------------------- */

/* The outcome that is taken where none is prescribed. */
static thud_error usual_choice(const run_path *path, const thud_kind *kind, const void *motion, size_t count,
                               size_t *choice) {
  thud_outcome outcome;
  size_t last = path->count;
  *choice = 0;
  while (last > 0 && !path->forks[last - 1].outcome.by_order) last--;
  thud_error error = kind->outcome(motion, 0, &outcome);
  if (error != THUD_OK || !outcome.by_order || last == 0 || path->forks[last - 1].chosen == 0) return error;
  *choice = 1;
  for (size_t k = count - 1; k > 0 && error == THUD_OK; k--) {
    error = kind->outcome(motion, k, &outcome);
    if (error == THUD_OK && strcmp(outcome.text, path->forks[last - 1].outcome.text) == 0) *choice = k;
  }
  return error;
}

static thud_error reserve_forks(run_path *path, size_t count) {
  return thud_array_reserve(path->context, &path->forks, &path->capacity, count, sizeof *path->forks);
}

thud_error thud_run_path_choose(run_path *path, const thud_kind *kind, void *motion, double t) {
  thud_error error = reserve_forks(path, path->count + 1);
  if (error != THUD_OK) return error;
  run_fork *fork = &path->forks[path->count];
  fork->t = t;
  fork->count = kind->outcome_count(motion);
  if (path->count >= path->given) error = usual_choice(path, kind, motion, fork->count, &fork->chosen);
  if (error == THUD_OK) error = kind->outcome(motion, fork->chosen, &fork->outcome);
  if (error == THUD_OK) error = kind->choose(motion, fork->chosen);
  if (error == THUD_OK) path->count++;
  return error;
}

void thud_run_path_json(const run_path *path, thud_json *json) {
  thud_json_key(json, "path");
  thud_json_begin_array(json);
  for (size_t d = 0; d < path->count; d++) {
    thud_json_begin_object(json);
    thud_json_number_field(json, "t", path->forks[d].t);
    thud_json_string_field(json, "text", path->forks[d].outcome.text);
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

/* An outcome that no motion has followed: that of a motion's choices up to a fork, and another one there. */
typedef struct branch_way {
  size_t motion, depth, outcome;
} branch_way;

typedef struct branch_walk {
  thud_scene *scene;
  const thud_run_options *options;
  run_path path;
  size_t motions;
  thud_arena *arena; /* of the choices */
  size_t **choices;  /* [motions] what each motion chose at its forks */
  size_t choice_capacity;
  branch_way *ways; /* [way_count] */
  size_t way_count, way_capacity;
  thud_verdict verdict;
  char reason[1100];
  thud_text json_text, table;
  thud_json json;
} branch_walk;

/* The first bad verdict is that of the whole. */
static void worsen_verdict(branch_walk *walk, const thud_run *run) {
  if (run->verdict == THUD_VERDICT_GOOD || walk->verdict != THUD_VERDICT_GOOD) return;
  walk->verdict = run->verdict;
  snprintf(walk->reason, sizeof walk->reason, "motion %zu: %s", walk->motions, run->reason);
}

/* ---- ways ---------------------------------------------------------------------------------------------------------
 */

static thud_error add_way(branch_walk *walk, size_t depth, size_t outcome) {
  thud_error error = thud_array_reserve(walk->scene->context, &walk->ways, &walk->way_capacity, walk->way_count + 1,
                                        sizeof *walk->ways);
  if (error == THUD_OK) walk->ways[walk->way_count++] = (branch_way){walk->motions - 1, depth, outcome};
  return error;
}

/* Keeps what the motion that has just ended chose, and the ways that it did not go at the forks that were new. */
static thud_error note_ways(branch_walk *walk) {
  const run_path *path = &walk->path;
  thud_error error = thud_array_reserve(walk->scene->context, &walk->choices, &walk->choice_capacity, walk->motions,
                                        sizeof *walk->choices);
  if (error != THUD_OK) return error;
  size_t *chosen = thud_arena_alloc(walk->arena, path->count, sizeof *chosen);
  if (chosen == NULL) return THUD_ERROR_MEMORY;
  walk->choices[walk->motions - 1] = chosen;
  for (size_t d = 0; d < path->count; d++) chosen[d] = path->forks[d].chosen;
  for (size_t d = path->given; d < path->count; d++)
    for (size_t k = 0; k < path->forks[d].count && error == THUD_OK; k++)
      if (k != chosen[d]) error = add_way(walk, d, k);
  return error;
}

static bool is_before(const branch_way *a, const branch_way *b) {
  if (a->depth != b->depth) return a->depth < b->depth;
  return a->motion != b->motion ? a->motion < b->motion : a->outcome < b->outcome;
}

/* Prescribes the way that leaves earliest; there is one. */
static thud_error take_way(branch_walk *walk) {
  size_t first = 0;
  for (size_t k = 1; k < walk->way_count; k++)
    if (is_before(&walk->ways[k], &walk->ways[first])) first = k;
  const branch_way way = walk->ways[first];
  walk->ways[first] = walk->ways[--walk->way_count];
  thud_error error = reserve_forks(&walk->path, way.depth + 1);
  if (error != THUD_OK) return error;
  for (size_t d = 0; d < way.depth; d++) walk->path.forks[d].chosen = walk->choices[way.motion][d];
  walk->path.forks[way.depth].chosen = way.outcome;
  walk->path.given = way.depth + 1;
  walk->path.count = 0;
  return THUD_OK;
}

/* ---- reporting ------------------------------------------------------------------------------------------------------
 */

/* Where the motion leaves that of the law, or chooses modes. */
static void report_path(branch_walk *walk) {
  enum { SHOWN = 4 };
  size_t left = 0;
  double last = 0;
  for (size_t d = 0; d < walk->path.count; d++) {
    const run_fork *fork = &walk->path.forks[d];
    if (fork->outcome.by_order && fork->chosen == 0) continue;
    last = fork->t;
    if (left++ < SHOWN)
      thud_text_print(&walk->table, "              at t = %.10g: %s (outcome %zu of %zu%s)\n", fork->t,
                      fork->outcome.text, fork->chosen + 1, fork->count,
                      fork->count == walk->path.limit ? " or more" : "");
  }
  if (left > SHOWN)
    thud_text_print(&walk->table, "              and so on, at %zu more forks up to t = %.10g\n", left - SHOWN, last);
  if (left == 0 && walk->path.count > 0)
    thud_text_print(&walk->table, "              the law at %zu fork%s\n", walk->path.count,
                    thud_plural(walk->path.count));
}

static thud_error report_motion(branch_walk *walk, const thud_run *run) {
  char title[32];
  thud_text lines = thud_text_new(run->context);
  thud_report report;
  thud_error error = THUD_OK;
  thud_run_json(run, true, &walk->json, &error);
  thud_run_report(run, false, NULL, &lines, &report);
  snprintf(title, sizeof title, "motion %zu", walk->motions);
  thud_run_state_line(&run->state, title, run->reached.t, "", run->final, &walk->table);
  report_path(walk);
  thud_run_samples_lines(&run->samples, &walk->table);
  thud_text_print(&walk->table, "%s", thud_text_chars(&lines));
  thud_report_write_warnings(&report, &walk->table);
  if (run->verdict != THUD_VERDICT_GOOD || run->record != NULL)
    thud_text_print(&walk->table, "              %s%s%s%s%s\n", run->verdict_name, run->reason[0] != '\0' ? ": " : "",
                    run->reason, run->record != NULL ? "; " : "", run->record != NULL ? run->record : "");
  if (error == THUD_OK) error = report.error != THUD_OK ? report.error : lines.error;
  thud_report_release(&report);
  thud_text_free(&lines);
  return error;
}

/* ---- all motions --------------------------------------------------------------------------------------------------
 */

static thud_error run_one(branch_walk *walk) {
  thud_context *context = walk->scene->context;
  thud_run_options one = *walk->options;
  thud_run *run = NULL;
  char *record = NULL;
  walk->motions++;
  if (one.record != NULL) {
    one.record = record = record_of(context, walk->options->record, walk->motions);
    if (record == NULL) return THUD_ERROR_MEMORY;
  }
  thud_error error = thud_run_begin(walk->scene, &one, &walk->path, &run);
  if (error == THUD_OK) error = thud_run_to_end(run);
  if (error == THUD_OK) {
    worsen_verdict(walk, run);
    error = report_motion(walk, run);
  }
  thud_run_destroy(run);
  thud_free(context, record);
  return error;
}

static thud_error run_all(branch_walk *walk) {
  bool more = true;
  thud_error error = THUD_OK;
  while (more && error == THUD_OK) {
    error = run_one(walk);
    if (error == THUD_OK) error = note_ways(walk);
    more = walk->way_count > 0 && walk->motions < walk->options->branches && walk->verdict != THUD_VERDICT_STOPPED;
    if (more && error == THUD_OK) error = take_way(walk);
  }
  return error;
}

static thud_error write_json(branch_walk *walk, double wall_seconds, char **out) {
  thud_json *json = &walk->json;
  thud_json_end_array(json);
  thud_json_integer_field(json, "motions", (int64_t)walk->motions);
  thud_json_integer_field(json, "left_out", (int64_t)walk->way_count);
  thud_json_string_field(json, "verdict", thud_run_verdict_name(walk->verdict));
  thud_json_string_field(json, "reason", walk->reason);
  thud_json_string_field(json, "title", walk->scene->title);
  thud_json_string_field(json, "method", walk->scene->kind->method(walk->scene->motion));
  thud_json_number_field(json, "wall_seconds", wall_seconds);
  thud_json_end_object(json);
  return thud_run_hand_out(&walk->json_text, out);
}

static thud_error write_report(branch_walk *walk, char **out) {
  const thud_scene *scene = walk->scene;
  thud_text text = thud_text_new(scene->context);
  if (scene->title[0] != '\0') thud_text_print(&text, "%s\n", scene->title);
  thud_text_print(&text, "  method      %s, t = %g to %g\n", scene->kind->method(scene->motion), scene->start,
                  scene->end);
  thud_text_print(&text, "  motions     %zu", walk->motions);
  if (walk->way_count > 0)
    thud_text_print(&text, "; left out: %zu more outcome%s", walk->way_count, thud_plural(walk->way_count));
  else
    thud_text_print(&text, walk->motions > 1 ? ", every outcome of the forks" : ", nothing forks");
  thud_text_print(&text, "\n%s", thud_text_chars(&walk->table));
  thud_text_print(&text, "verdict: %s%s%s\n", thud_run_verdict_name(walk->verdict), walk->reason[0] != '\0' ? ": " : "",
                  walk->reason);
  return thud_run_hand_out(&text, out);
}

static thud_error check(const thud_scene *scene, const thud_run_options *options) {
  if (scene->kind->follow_forks == NULL)
    return thud_fail(
        scene->context, THUD_ERROR_UNSUPPORTED,
        "[usage] --branch follows the outcomes of event-driven motions; this scene is run by '%s', which takes one "
        "outcome without reporting the others (a 'system' scene: use simulate: {method: event-driven})",
        scene->kind->method(scene->motion));
  if (options->resume)
    return thud_fail(scene->context, THUD_ERROR_ARGUMENT,
                     "[contradictory-keys] --branch and --resume contradict each other");
  thud_error error = thud_run_need_motion(scene);
  return error == THUD_OK ? check_records(scene, options) : error;
}

thud_error thud_run_branches(thud_scene *scene, const thud_run_options *options, thud_run_result *result) {
  thud_context *context = scene->context;
  double begin = thud_seconds();
  thud_error error = check(scene, options);
  if (error != THUD_OK) return error;
  branch_walk walk = {.scene = scene,
                      .options = options,
                      .path = {.context = context, .limit = options->max_outcomes},
                      .json_text = thud_text_new(context),
                      .table = thud_text_new(context)};
  thud_run_result made = {0};
  walk.json = thud_json_new(&walk.json_text);
  thud_json_begin_object(&walk.json);
  thud_json_key(&walk.json, "branches");
  thud_json_begin_array(&walk.json);
  size_t usual = 0;
  error = thud_arena_create(context, 4096, &walk.arena);
  if (error == THUD_OK) error = scene->kind->follow_forks(scene->motion, true, &walk.path.limit);
  if (error == THUD_OK) error = run_all(&walk);
  thud_error back = scene->kind->follow_forks(scene->motion, false, &usual);
  if (error == THUD_OK) error = back;
  made.verdict = walk.verdict;
  if (error == THUD_OK)
    error = write_json(&walk, thud_seconds() - begin, &made.json);
  else
    thud_text_free(&walk.json_text);
  if (error == THUD_OK) error = write_report(&walk, &made.report);
  thud_text_free(&walk.table);
  thud_free(context, walk.path.forks);
  thud_free(context, walk.choices);
  thud_free(context, walk.ways);
  thud_arena_destroy(walk.arena);
  return thud_run_hand_over(context, error, walk.reason, &made, result);
}
