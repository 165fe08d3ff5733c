/* Increments of a quasi-static scene against its event-driven motion. */
#include "kinds/quasistatic/quasistatic_study.h"
#include "study/study_orders.h"

#include <math.h>
#include <string.h>

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

static int on_progress(void *user, double t, double start, double end) {
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
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "methods of time stepping are for 'system' scenes; a quasi-static one has simulate.method");
  if (own != THUD_QUASISTATIC_INCREMENTS && own != THUD_QUASISTATIC_FIXED_POINT)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "the method %s is not about the event-driven motion: increments and fixed-point are",
                     thud_quasistatic_method_names[own]);
  study->run = (study_elastic_run){.made = made,
                                   .method = own,
                                   .motion = made->options,
                                   .progress = study->options->progress != NULL ? on_progress : NULL,
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
