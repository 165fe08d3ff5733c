/* Studies of quasi-static motions: refinement of 2^level equal increments, increments against the event-driven motion, and
 * sweeps of a parameter. */
#include "base/base.h"
#include "kinds/kinds.h"
#include "kinds/quasistatic/quasistatic_scene.h"
#include "kinds/quasistatic/quasistatic_study.h"
#include "run/run.h"
#include "study/study_orders.h"
#include "study/study_section.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- a run ---------------------------------------------------------------------------------------------------------
 */

typedef struct keeper {
  thud_scene *scene;
  size_t contacts;
  study_elastic *made;
  thud_error error;
} keeper;

static int on_event(void *user, const void *given) {
  const thud_quasistatic_event *event = given;
  keeper *kept = user;
  bool jump = event->kind == THUD_QUASISTATIC_JUMP;
  if (!jump && event->kind != THUD_QUASISTATIC_LOAD) return 0;
  if (isnan(kept->made->first_jump)) kept->made->first_jump = event->t;
  if (jump) kept->error = thud_scene_times_add(kept->scene, &kept->made->jumps, event->t);
  return kept->error == THUD_OK ? 0 : -1;
}

static int on_frame(void *user, const void *given) {
  const thud_quasistatic_frame *frame = given;
  keeper *kept = user;
  for (size_t i = 0; i < kept->contacts; i++) kept->made->worst_gap = fmin(kept->made->worst_gap, frame->gap[i]);
  return 0;
}

/* The node of the uniform partition at which the motion stands, if it does: jumps of the loads are nodes between them. */
static void keep_node(study_elastic *made, const thud_scene *scene, const thud_quasistatic_frame *frame) {
  double steps = (double)(made->states.capacity - 1), step = (scene->end - scene->start) / steps;
  double expected = scene->start + (scene->end - scene->start) * ((double)made->states.count / steps);
  if (fabs(frame->t - expected) > 1e-6 * step) return;
  thud_stepping_frame node = {.t = frame->t, .q = frame->U, .v_left = frame->U, .v = frame->U};
  thud_study_path_add(&made->states, &node);
  node = (thud_stepping_frame){.t = frame->t, .q = frame->r, .v_left = frame->r, .v = frame->r};
  thud_study_path_add(&made->reactions, &node);
}

static thud_error go_through(const study_elastic_run *run, thud_motion *motion, study_elastic *made) {
  thud_scene *scene = run->made->scene;
  keeper kept = {.scene = scene, .contacts = (size_t)run->made->problem.contacts, .made = made};
  const thud_motion_sink sink = {.frame = on_frame, .event = on_event, .user = &kept};
  do {
    thud_error error = thud_motion_step(motion, &sink, NULL);
    if (kept.error != THUD_OK) return kept.error;
    if (error != THUD_OK) return error;
    made->info = thud_quasistatic_motion_get_info(motion);
    const thud_quasistatic_frame frame = thud_quasistatic_motion_present(motion);
    keep_node(made, scene, &frame);
    made->friction = frame.ledger.friction;
    double done = (frame.t - scene->start) / (scene->end - scene->start);
    if (run->progress != NULL && run->progress(run->progress_user, done, 0, 1) != 0)
      return thud_fail(scene->context, THUD_ERROR_INTERRUPTED, "interrupted at level %d", run->level);
  } while (made->info.status == THUD_MOTION_RUNNING);
  if (made->info.status == THUD_MOTION_COMPLETED && made->states.count != made->states.capacity)
    return thud_fail(scene->context, THUD_ERROR_INTERNAL, "[bad-study] a run has %zu nodes instead of %zu",
                     made->states.count, made->states.capacity);
  return THUD_OK;
}

thud_error thud_study_elastic_create(const study_elastic_run *run, study_elastic *made) {
  const quasistatic_scene *from = run->made;
  thud_scene *scene = from->scene;
  thud_context *context = scene->context;
  size_t steps = (size_t)1 << run->level, c = (size_t)from->problem.contacts;
  thud_partition *partition = NULL;
  thud_motion *motion = NULL;
  *made = (study_elastic){.first_jump = NAN};
  thud_error error = thud_study_path_create(context, (size_t)from->problem.unknowns, steps + 1, &made->states);
  if (error == THUD_OK)
    error = thud_study_path_create(context, c * (size_t)from->problem.dimension, steps + 1, &made->reactions);
  if (error == THUD_OK)
    error = thud_partition_uniform(context, scene->start, scene->end, (thud_index)steps, from->jumps.count,
                                   from->jumps.items, &partition);
  if (error == THUD_OK)
    error = thud_quasistatic_motion_create(context, run->method, &from->problem, partition, &run->motion, &motion);
  if (error == THUD_OK) error = go_through(run, motion, made);
  thud_motion_destroy(motion);
  thud_partition_destroy(partition);
  if (error != THUD_OK) thud_study_elastic_free(made);
  return error;
}

void thud_study_elastic_free(study_elastic *made) {
  thud_context *context = made->states.context;
  if (context != NULL) thud_free(context, made->jumps.items);
  thud_study_path_free(&made->states);
  thud_study_path_free(&made->reactions);
  *made = (study_elastic){0};
}

/* ---- distances -----------------------------------------------------------------------------------------------------
 */

/* Whether a jump lies within a step of t: which of its nodes a run jumps at is a matter of the step. */
static bool is_near_jump(const study_elastic *path, double t, double step) {
  for (size_t j = 0; j < path->jumps.count; j++)
    if (fabs(path->jumps.items[j] - t) <= step * (1 + 1e-6)) return true;
  return false;
}

static double size_of(const study_path *path) {
  double size = 0;
  for (size_t k = 0; k < path->count * path->n; k++) size = fmax(size, fabs(path->q[k]));
  return size;
}

static double significant(double distance, const study_path *fine, double size, double tolerance) {
  return distance <= ((double)fine->count * DBL_EPSILON + tolerance) * size ? 0 : distance;
}

study_elastic_distance thud_study_elastic_compare(const study_elastic *coarse, const study_elastic *fine,
                                                  double tolerance) {
  const study_path *a = &coarse->states, *b = &fine->states, *ra = &coarse->reactions, *rb = &fine->reactions;
  size_t ratio = (b->count - 1) / (a->count - 1), n = a->n, m = ra->n;
  double step = a->t[1] - a->t[0], size = size_of(b), times = fmax(fabs(b->t[0]), fabs(b->t[b->count - 1]));
  study_elastic_distance found = {.graphs =
                                      significant(thud_study_graph_distance(a, b), b, fmax(size, times), tolerance)};
  for (size_t k = 0; k < a->count; k++) {
    if (is_near_jump(coarse, a->t[k], step) || is_near_jump(fine, a->t[k], step)) {
      found.left_out++;
      continue;
    }
    found.states = fmax(found.states, thud_study_distance(n, a->q + k * n, b->q + k * ratio * n));
    found.reactions = fmax(found.reactions, thud_study_distance(m, ra->q + k * m, rb->q + k * ratio * m));
  }
  found.states = significant(found.states, b, size, tolerance);
  found.reactions = significant(found.reactions, rb, size_of(rb), tolerance);
  return found;
}

/* ---- the study ----------------------------------------------------------------------------------------------------- */

static int on_progress(void *user, double t, double start, double end) {
  return thud_study_progress(user, (t - start) / (end - start));
}

static void free_path(void *made) {
  study_elastic *path = made;
  thud_context *context = path->states.context;
  thud_study_elastic_free(path);
  thud_free(context, path);
}

static thud_error run_refined(thud_scene *scene, const thud_study_level *level, thud_study_run *run) {
  const quasistatic_scene *made = thud_quasistatic_scene_of(scene);
  thud_study_level told = *level;
  const study_elastic_run one = {.made = made,
                                 .method = made->method,
                                 .motion = made->options,
                                 .level = level->level,
                                 .progress = level->options->progress != NULL ? on_progress : NULL,
                                 .progress_user = &told};
  study_elastic *path = THUD_NEW(scene->context, study_elastic);
  if (path == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_study_elastic_create(&one, path);
  if (error != THUD_OK) {
    thud_free(scene->context, path);
    return error;
  }
  run->path = path;
  run->first_jump = path->first_jump;
  run->penetration = -path->worst_gap;
  run->residual = path->info.worst_residual;
  run->impacts = path->info.jumps;
  if (path->info.status != THUD_MOTION_COMPLETED) run->ended = path->info.time;
  return THUD_OK;
}

static thud_study_distances compare(const thud_scene *scene, const void *coarse, const void *fine, bool graphs) {
  study_elastic_distance found =
      thud_study_elastic_compare(coarse, fine, thud_quasistatic_scene_of(scene)->options.tolerance);
  (void)graphs;
  return (thud_study_distances){
      .q = found.states, .v = found.reactions, .graph = found.graphs, .left_out = found.left_out};
}

const thud_kind_study thud_quasistatic_study = {.kind = THUD_STUDY_OF_QUASISTATIC,
                                                .run = run_refined,
                                                .free = free_path,
                                                .compare = compare,
                                                .against = thud_quasistatic_study_against};

/* ---- increments of a quasi-static scene against its event-driven motion ------------------------------------------ */

/* The reference has this many levels more than the finest run: it is exact for loads that are linear between its nodes, and
 * what it makes of others (order 2) is 1/16 of what the finest run can make of them. */
enum { FINER = 2 };

typedef struct elastic_against {
  const quasistatic_scene *made;
  const thud_study_options *options;
  thud_arena *arena;
  study_elastic_run run;   /* of the levels */
  study_elastic reference; /* event-driven */
  thud_against *result;
} elastic_against;

static int on_increments_progress(void *user, double t, double start, double end) {
  const elastic_against *study = user;
  const thud_study_level level = {.options = study->options, .level = study->run.level};
  return thud_study_progress(&level, (t - start) / (end - start));
}

/* Only what approximates the same motion is compared with it. */
static thud_error choose_method(elastic_against *study, int method) {
  const quasistatic_scene *made = study->made;
  thud_context *context = made->scene->context;
  thud_quasistatic_method own = made->method == THUD_QUASISTATIC_EVENTS ? THUD_QUASISTATIC_INCREMENTS : made->method;
  if (method != THUD_AGAINST_SCENE_METHOD)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[bad-study] methods of time stepping are for 'system' scenes; a quasi-static one has simulate.method");
  if (own != THUD_QUASISTATIC_INCREMENTS && own != THUD_QUASISTATIC_FIXED_POINT)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] the method %s is not about the event-driven motion: increments and fixed-point are",
                     thud_quasistatic_method_names[own]);
  study->run = (study_elastic_run){.made = made,
                                   .method = own,
                                   .motion = made->options,
                                   .progress = study->options->progress != NULL ? on_increments_progress : NULL,
                                   .progress_user = study};
  study->result->method = thud_quasistatic_method_names[own];
  return THUD_OK;
}

static const double *last_state(elastic_against *study, const study_elastic *path) {
  size_t n = path->states.n;
  double *q = thud_arena_alloc(study->arena, n, sizeof *q);
  if (q != NULL) memcpy(q, path->states.q + (path->states.count - 1) * n, n * sizeof *q);
  return q;
}

static thud_error make_reference(elastic_against *study) {
  const thud_scene *scene = study->made->scene;
  thud_against *result = study->result;
  study_elastic_run run = study->run;
  run.method = THUD_QUASISTATIC_EVENTS;
  run.level = study->options->last_level + FINER;
  run.progress = NULL;
  thud_error error = thud_study_elastic_create(&run, &study->reference);
  if (error != THUD_OK) return error;
  const thud_quasistatic_motion_info *info = &study->reference.info;
  result->n = study->made->problem.unknowns;
  result->start = scene->start;
  result->end = scene->end;
  result->expected_order = 1;
  result->energy_loss = study->reference.friction;
  result->reference.arcs = info->changes + 1;
  result->reference.impacts = info->jumps;
  if (info->status != THUD_MOTION_COMPLETED)
    thud_study_flag(&result->flags, result->message, sizeof result->message, THUD_STUDY_RUN_FAILED,
                    "the event-driven run ended at t = %.10g, so that there is nothing to compare: %s", info->time,
                    thud_context_last_message(scene->context));
  result->q_end = last_state(study, &study->reference);
  return result->q_end != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error compare_level(elastic_against *study, const study_elastic *path, thud_against_row *row) {
  double tolerance = study->made->options.tolerance, lost = study->reference.friction;
  study_elastic_distance found = thud_study_elastic_compare(path, &study->reference, tolerance);
  row->q_error = found.states;
  row->v_error = found.reactions;
  row->graph_error = found.graphs;
  row->impulse_error = NAN;
  row->energy_error = path->friction - lost;
  if (fabs(row->energy_error) <= (double)row->steps * tolerance * fabs(lost)) row->energy_error = 0;
  row->penetration = -path->worst_gap;
  row->residual = path->info.worst_residual;
  row->impacts = path->info.jumps;
  row->q_end = last_state(study, path);
  study->result->left_out = found.left_out;
  return row->q_end != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* *goes_on: false after a run that ended early. */
static thud_error run_level(elastic_against *study, size_t k, bool *goes_on) {
  thud_against *result = study->result;
  thud_against_row *row = &result->rows[k];
  study_elastic path = {0};
  row->level = study->run.level = study->options->first_level + (int)k;
  row->steps = (thud_index)1 << row->level;
  row->step = (result->end - result->start) / row->steps;
  thud_error error = thud_study_elastic_create(&study->run, &path);
  *goes_on = error == THUD_OK && path.info.status == THUD_MOTION_COMPLETED;
  if (error == THUD_ERROR_INTERRUPTED && k > 0) {
    thud_study_flag(&result->flags, result->message, sizeof result->message, THUD_STUDY_RUN_FAILED,
                    "%s; the levels before are complete", thud_context_last_message(study->made->scene->context));
    error = THUD_OK;
  } else if (*goes_on) {
    error = compare_level(study, &path, row);
    result->count = k + 1;
  } else if (error == THUD_OK) {
    thud_study_flag_run(study->made->scene->context, path.info.time, row->level, &result->flags, result->message,
                        sizeof result->message);
  }
  thud_study_elastic_free(&path);
  return error;
}

thud_error thud_quasistatic_study_against(thud_scene *scene, const thud_against_options *options, thud_against *result,
                                          const char **remark) {
  elastic_against study = {
      .made = thud_quasistatic_scene_of(scene), .options = &options->study, .arena = result->memory, .result = result};
  size_t levels = (size_t)(options->study.last_level - options->study.first_level) + 1;
  (void)remark;
  result->rows = thud_arena_alloc(study.arena, levels, sizeof *result->rows);
  thud_error error = result->rows != NULL ? choose_method(&study, options->method) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) error = make_reference(&study);
  bool goes_on = result->flags == 0;
  for (size_t k = 0; k < levels && goes_on && error == THUD_OK; k++) error = run_level(&study, k, &goes_on);
  thud_study_elastic_free(&study.reference);
  return error;
}

/* ---- sweeps of a parameter of quasi-static scenes ---------------------------------------------------------------- */

/* Sweeps of a parameter of quasi-static scenes: one run per value, and what it found. */

typedef struct elastic_job {
  const thud_sweep_study_options *options;
  const char *text; /* the scene as JSON */
  thud_elastic_sweep_row *rows;
  thud_error *errors; /* [count] */
} elastic_job;

static int drop_frame(void *user, double t, unsigned flags, const thud_record_cell *cells) {
  (void)user, (void)t, (void)flags, (void)cells;
  return 0;
}

static int drop_event(void *user, double t, const thud_record_cell *cells) {
  (void)user, (void)t, (void)cells;
  return 0;
}

static thud_error sweep_through(thud_context *context, thud_scene *scene, thud_elastic_sweep_row *row) {
  const thud_row_sink sink = {.frame = drop_frame, .event = drop_event};
  const thud_motion *motion = thud_quasistatic_motion_of(scene);
  thud_reached reached = {.status = THUD_MOTION_RUNNING};
  thud_error error = THUD_OK;
  if (motion == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "[bad-study] this sweep is for 'quasistatic' scenes");
  while (error == THUD_OK && reached.status == THUD_MOTION_RUNNING)
    error = scene->kind->advance(scene->motion, &sink, &reached);
  row->info = thud_quasistatic_motion_get_info(motion);
  row->ledger = thud_quasistatic_motion_present(motion).ledger;
  row->good = error == THUD_OK && reached.status == THUD_MOTION_COMPLETED;
  if (!row->good) snprintf(row->message, sizeof row->message, "%s", thud_context_last_message(context));
  return error;
}

static void run_one(void *user, size_t k) {
  const elastic_job *job = user;
  thud_elastic_sweep_row *row = &job->rows[k];
  thud_context *context = NULL;
  thud_scene *scene = NULL;
  row->value = thud_sweep_value(job->options, k);
  job->errors[k] = thud_context_create(NULL, &context);
  if (job->errors[k] != THUD_OK) return;
  job->errors[k] = thud_sweep_build(context, job->text, job->options->parameter, row->value, &scene);
  if (job->errors[k] == THUD_OK) job->errors[k] = sweep_through(context, scene, row);
  if (job->errors[k] != THUD_OK) snprintf(row->message, sizeof row->message, "%s", thud_context_last_message(context));
  thud_scene_destroy(scene);
  thud_context_destroy(context);
}

static thud_error check(thud_context *context, const thud_sweep_study_options *options) {
  if (options->parameter == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] a sweep needs a parameter");
  if (options->quantity != NULL || options->where != NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-study] sweeps of quasi-static scenes have no section and no quantity");
  if (options->count < 1 || options->count > 1000000)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] a sweep has from 1 to 1000000 values, not %zu",
                     options->count);
  return THUD_OK;
}

thud_error thud_study_sweep_elastic(thud_context *context, const thud_tree *tree, const thud_sweep_study_options *given,
                                    thud_elastic_sweep *study) {
  THUD_REQUIRE(context, context, tree, study);
  thud_sweep_study_options options;
  thud_error error = thud_options_take(context, thud_sweep_study_option_table(), given, &options);
  if (error == THUD_OK) error = check(context, &options);
  if (error != THUD_OK) return error;
  thud_elastic_sweep made = {.context = context, .count = options.count};
  elastic_job job = {.options = &options};
  char *text = NULL;
  error = thud_tree_write_json(tree, &text);
  if (error != THUD_OK) return error;
  job.text = text;
  job.rows = made.rows = THUD_NEW_ARRAY(context, thud_elastic_sweep_row, options.count);
  job.errors = THUD_NEW_ARRAY(context, thud_error, options.count);
  if (job.rows == NULL || job.errors == NULL) error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) thud_parallel_for(context, options.count, run_one, &job);
  for (size_t k = 0; k < options.count && error == THUD_OK; k++) {
    if (job.errors[k] != THUD_OK) error = thud_fail(context, job.errors[k], "%s", job.rows[k].message);
    made.failed += !made.rows[k].good;
  }
  thud_free(context, job.errors);
  thud_tree_free_text(tree, text);
  if (error == THUD_OK)
    *study = made;
  else
    thud_free(context, made.rows);
  return error;
}

void thud_elastic_sweep_free(thud_elastic_sweep *study) {
  THUD_REQUIRE_OR(, study);
  if (study->context != NULL) thud_free(study->context, study->rows);
  *study = (thud_elastic_sweep){0};
}
