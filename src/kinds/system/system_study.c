/* Studies of Lagrangian systems: time stepping against the event-driven motion of the same scene, refinement of time
 * stepping, sections of sweeps. */
#include "base/base.h"
#include "kinds/kinds.h"
#include "kinds/system/system_study.h"
#include "motions/stepping/stepping.h"
#include "study/study_orders.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Errors of the reference relative to the size of the motion: its closed forms are met to 1e-11 or better. */
#define REFERENCE_ACCURACY 1e-11

/* Everything of one study. */
typedef struct against {
  thud_context *context;
  const scene_system *made;
  const thud_study_options *options;
  thud_stepping_options motion;
  study_reference reference;
  study_judge judge;
  thud_arena *arena;            /* arrays of the result */
  thud_against_match **matches; /* [levels] each [events of the reference] */
  study_strays strays;
  thud_against *result;
} against;

/* ---- one level -----------------------------------------------------------------------------------------------------
 */

static thud_error compare_frame(void *user, study_path *path, thud_stepping_frame *frame) {
  against *study = user;
  frame->v_left = thud_study_arriving(frame);
  return thud_study_judge_states(&study->judge, path, frame, path->state + path->count * (path->m + 1));
}

/* An error that rounding over all steps and the reference explain counts as 0: ratios of such errors are not orders. */
static double significant(double error, size_t steps, double size) {
  return fabs(error) <= ((double)steps * DBL_EPSILON + REFERENCE_ACCURACY) * size ? 0 : error;
}

static double largest(size_t count, const double *x) {
  double size = 0;
  for (size_t k = 0; k < count; k++) size = thud_larger(size, fabs(x[k]));
  return size;
}

static thud_error compare_motions(against *study, const study_path *path, thud_against_row *row) {
  study_path samples = {0};
  thud_error error = thud_study_reference_sample(&study->reference, path, &samples);
  if (error == THUD_OK) {
    size_t steps = path->count, numbers = samples.count * samples.n;
    double q = largest(numbers, samples.q), v = largest(numbers, samples.v);
    row->q_error = significant(thud_study_position_error(path, &samples), steps, q);
    row->v_error =
        significant(thud_study_velocity_error(path, &samples), steps, v * (study->result->end - study->result->start));
    row->graph_error = significant(thud_study_graph_distance(path, &samples), steps, v);
  }
  thud_study_path_free(&samples);
  return error;
}

static thud_error compare_impulses(against *study, const study_path *path, thud_against_row *row) {
  size_t r = path->r;
  double *errors = thud_arena_alloc(study->arena, r, sizeof(double));
  double *q_end = thud_arena_alloc(study->arena, path->n, sizeof(double));
  if (errors == NULL || q_end == NULL) return THUD_ERROR_MEMORY;
  double size = largest(r, study->reference.impulse);
  for (size_t j = 0; j < r; j++) {
    double sum = -study->reference.impulse[j];
    for (size_t k = 0; k < path->count; k++) sum += path->reaction[k * r + j];
    errors[j] = significant(sum, path->count, size);
  }
  memcpy(q_end, path->q + (path->count - 1) * path->n, path->n * sizeof(double));
  row->impulse = errors;
  row->impulse_error = largest(r, errors);
  row->q_end = q_end;
  return THUD_OK;
}

static double loss_of(const thud_ledger *ledger) {
  return ledger->impact_loss + ledger->friction_loss + ledger->contact_loss;
}

static void count_partners(const against *study, const thud_against_match *matches, thud_against_row *row) {
  for (size_t e = 0; e < study->reference.event_count; e++) {
    if (!thud_study_is_compared(&study->reference, &study->reference.events[e])) continue;
    row->found += matches[e].partner == THUD_PARTNER_FOUND;
    row->missed += matches[e].partner == THUD_PARTNER_MISSED;
    row->unresolved += matches[e].partner == THUD_PARTNER_UNRESOLVED;
  }
}

static thud_error compare_events(against *study, const study_path *path, thud_against_row *row, size_t k) {
  size_t before = study->strays.count;
  study->matches[k] = thud_arena_alloc(study->arena, study->reference.event_count, sizeof(thud_against_match));
  if (study->matches[k] == NULL) return THUD_ERROR_MEMORY;
  study_matching matching = {.reference = &study->reference,
                             .path = path,
                             .level = row->level,
                             .step = row->step,
                             .matches = study->matches[k],
                             .strays = &study->strays};
  thud_error error = thud_study_match(study->context, &matching);
  if (error != THUD_OK) return error;
  count_partners(study, study->matches[k], row);
  row->stray = study->strays.count - before;
  return THUD_OK;
}

static thud_error compare_level(against *study, const study_path *path, const thud_stepping_motion_info *info,
                                size_t k) {
  thud_against_row *row = &study->result->rows[k];
  const thud_ledger *ledger = &info->ledger;
  double energies = fabs(ledger->kinetic) + fabs(ledger->potential) + fabs(ledger->work) + fabs(loss_of(ledger));
  row->penetration = -info->worst_gap;
  row->residual = info->worst_residual;
  row->impacts = info->impacts;
  row->energy_error = significant(loss_of(ledger) - study->result->energy_loss, path->count, energies);
  thud_error error = compare_motions(study, path, row);
  if (error == THUD_OK) error = compare_impulses(study, path, row);
  return error == THUD_OK ? compare_events(study, path, row, k) : error;
}

/* *goes_on: false after a run that ended early. */
static thud_error run_level(against *study, size_t k, bool *goes_on) {
  thud_against *result = study->result;
  thud_against_row *row = &result->rows[k];
  study_path path = {0};
  thud_stepping_motion_info info;
  row->level = study->options->first_level + (int)k;
  row->steps = (thud_index)1 << row->level;
  row->step = (result->end - result->start) / row->steps;
  study_level level = {.made = study->made,
                       .motion = study->motion,
                       .options = study->options,
                       .level = row->level,
                       .path = &path,
                       .on_frame = compare_frame,
                       .user = study};
  size_t r = study->reference.m + study->reference.s;
  thud_error error = thud_study_path_create(study->context, study->reference.n, (size_t)row->steps + 1, &path);
  if (error == THUD_OK) error = thud_study_path_keep_contacts(&path, study->reference.m, r);
  if (error == THUD_OK) error = thud_study_run_level(study->context, &level, &info);
  *goes_on = error == THUD_OK && info.status == THUD_MOTION_COMPLETED;
  if (error == THUD_ERROR_INTERRUPTED && k > 0) {
    thud_study_flag(&result->flags, result->message, sizeof result->message, THUD_STUDY_RUN_FAILED,
                    "%s; the levels before are complete", thud_context_last_message(study->context));
    error = THUD_OK;
  } else if (*goes_on) {
    error = compare_level(study, &path, &info, k);
    result->count = k + 1;
  } else if (error == THUD_OK) {
    thud_study_flag_run(study->context, info.time, row->level, &result->flags, result->message, sizeof result->message);
  }
  thud_study_path_free(&path);
  return error;
}

/* ---- orders of events ----------------------------------------------------------------------------------------------- */

typedef enum event_error { OF_TIME, OF_VELOCITY, OF_IMPULSE } event_error;

/* Over all levels with a partner, at least three. */
static double fit_event(const thud_against *result, const thud_against_event *event, event_error which) {
  enum { LEAST = 3 };
  study_fit data = {0};
  for (size_t k = 0; k < result->count; k++) {
    const thud_against_match *match = &event->matches[k];
    double value = which == OF_TIME       ? fmax(fabs(match->t_error), result->rows[k].step / 2)
                   : which == OF_VELOCITY ? match->v_error
                                          : match->impulse_error;
    if (match->partner == THUD_PARTNER_FOUND) thud_study_fit_add(&data, result->rows[k].level, value);
  }
  if (data.count == 0 && data.zeros >= LEAST) return (double)INFINITY;
  return data.count >= LEAST ? thud_study_fit_order(data.count, data.levels, data.values) : (double)NAN;
}

/* ---- the events of the result --------------------------------------------------------------------------------------
 */

static thud_error describe_event(against *study, size_t e, thud_against_event *event) {
  const study_reference *reference = &study->reference;
  const study_event *from = &reference->events[e];
  thud_against *result = study->result;
  size_t m = reference->m, r = m + reference->s;
  bool *involved = thud_arena_alloc(study->arena, m, sizeof(bool));
  double *impulse = thud_arena_alloc(study->arena, r, sizeof(double));
  thud_against_match *matches = thud_arena_alloc(study->arena, result->count, sizeof(thud_against_match));
  if (involved == NULL || impulse == NULL || matches == NULL) return THUD_ERROR_MEMORY;
  memcpy(involved, from->kind == THUD_EVENT_IMPACT ? from->struck : from->involved, m * sizeof(bool));
  memcpy(impulse, from->impulse, r * sizeof(double));
  double speed = fmax(largest(reference->n, from->v_before), largest(reference->n, from->v_after));
  for (size_t k = 0; k < result->count; k++) {
    size_t steps = (size_t)result->rows[k].steps;
    matches[k] = study->matches[k][e];
    matches[k].v_error = significant(matches[k].v_error, steps, speed);
    matches[k].impulse_error = significant(matches[k].impulse_error, steps, largest(r, impulse));
  }
  *event = (thud_against_event){
      .kind = from->kind, .t = from->t, .involved = involved, .impulse = impulse, .matches = matches};
  event->t_order = fit_event(result, event, OF_TIME);
  event->v_order = fit_event(result, event, OF_VELOCITY);
  event->impulse_order = fit_event(result, event, OF_IMPULSE);
  return THUD_OK;
}

static void *copy(thud_arena *arena, size_t count, size_t size, const void *from) {
  void *made = thud_arena_alloc(arena, count, size);
  if (made != NULL && count > 0) memcpy(made, from, count * size);
  return made;
}

static thud_error copy_names(against *study) {
  size_t m = study->reference.m;
  const char **names = thud_arena_alloc(study->arena, m, sizeof *names);
  if (names == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < m; i++) {
    const char *name = thud_system_constraint(study->made->system, (thud_index)i)->name;
    names[i] = copy(study->arena, strlen(name) + 1, 1, name);
    if (names[i] == NULL) return THUD_ERROR_MEMORY;
  }
  study->result->constraints = names;
  return THUD_OK;
}

static thud_error describe(against *study) {
  const study_reference *reference = &study->reference;
  thud_against *result = study->result;
  result->events = thud_arena_alloc(study->arena, reference->event_count, sizeof *result->events);
  result->event_laws = thud_arena_alloc(study->arena, reference->event_count, sizeof *result->event_laws);
  result->strays = copy(study->arena, study->strays.count, sizeof *result->strays, study->strays.items);
  result->stray_count = study->strays.count;
  result->q_end = copy(study->arena, reference->n, sizeof(double), reference->q_end);
  result->impulse = copy(study->arena, reference->m + reference->s, sizeof(double), reference->impulse);
  if (result->events == NULL || result->event_laws == NULL || result->strays == NULL || result->q_end == NULL ||
      result->impulse == NULL)
    return THUD_ERROR_MEMORY;
  thud_error error = copy_names(study);
  for (size_t e = 0; e < reference->event_count && error == THUD_OK; e++) {
    if (!thud_study_is_compared(reference, &reference->events[e])) continue;
    const char *law = reference->events[e].law;
    size_t k = result->event_count++;
    error = describe_event(study, e, &result->events[k]);
    if (error != THUD_OK || law == NULL) continue;
    result->event_laws[k] = copy(study->arena, strlen(law) + 1, 1, law);
    if (result->event_laws[k] == NULL) error = THUD_ERROR_MEMORY;
  }
  return error;
}

/* ---- the study -----------------------------------------------------------------------------------------------------
 */

static void choose_method(against *study, int method) {
  study->motion = study->made->motion;
  if (method != THUD_AGAINST_SCENE_METHOD)
    study->motion.method = method;
  else if (study->made->event_driven)
    study->motion.method = THUD_STEPPING_MOREAU_JEAN;
  study->result->method = thud_stepping_method_name((thud_stepping_method)study->motion.method);
}

/* Of the positions: across events, and with reactions, every scheme has order 1 (docs/lagrangian-systems.md). */
static double expected_order(const against *study) {
  const study_reference *reference = &study->reference;
  const thud_scheme *scheme = thud_stepping_scheme_of(study->motion.method);
  bool middle = scheme->order_at_middle > 0 && study->motion.theta == 0.5;
  bool free = reference->event_count == 0 && largest(reference->m + reference->s, reference->impulse) == 0;
  return !free ? 1 : middle ? scheme->order_at_middle : scheme->order;
}

/* The event-driven motion, and what is known once it is there. */
static thud_error make_reference(against *study) {
  const thud_system *system = study->made->system;
  thud_against *result = study->result;
  study_reference *reference = &study->reference;
  thud_error error = thud_study_reference_create(study->context, study->made, study->options, reference);
  if (error != THUD_OK) return error;
  result->n = (thud_index)reference->n;
  result->m = (thud_index)reference->m;
  result->s = (thud_index)reference->s;
  result->start = study->motion.start = reference->start;
  result->end = study->motion.end = reference->end;
  result->reference = reference->info;
  result->energy_loss = loss_of(&reference->info.ledger);
  result->expected_order = expected_order(study);
  if (reference->info.status != THUD_MOTION_COMPLETED)
    thud_study_flag(&result->flags, result->message, sizeof result->message, THUD_STUDY_RUN_FAILED,
                    "the event-driven run ended at t = %.10g, %s: %s", reference->end,
                    reference->end > reference->start ? "up to which is compared"
                                                      : "so that there is nothing to compare",
                    reference->message);
  return thud_study_judge_create(study->context, system, reference->lone_law, &study->judge);
}

static thud_error run_study(against *study) {
  size_t levels = (size_t)(study->options->last_level - study->options->first_level) + 1;
  thud_against *result = study->result;
  thud_error error = make_reference(study);
  if (error != THUD_OK) return error;
  result->rows = thud_arena_alloc(study->arena, levels, sizeof *result->rows);
  study->matches = thud_arena_alloc(study->arena, levels, sizeof *study->matches);
  if (result->rows == NULL || study->matches == NULL) return THUD_ERROR_MEMORY;
  bool goes_on = result->end > result->start;
  for (size_t k = 0; k < levels && goes_on && error == THUD_OK; k++) error = run_level(study, k, &goes_on);
  return error == THUD_OK ? describe(study) : error;
}

thud_error thud_system_study_against(thud_scene *scene, const thud_against_options *options, thud_against *result,
                                     const char **remark) {
  against study = {.context = scene->context,
                   .made = thud_scene_lagrangian(scene),
                   .options = &options->study,
                   .arena = result->memory,
                   .result = result};
  choose_method(&study, options->method);
  if (thud_stepping_scheme_of(study.motion.method)->is_penalty) *remark = " (a penalty keeps its own error)";
  thud_error error = run_study(&study);
  thud_study_judge_free(&study.judge);
  thud_free(scene->context, study.strays.items);
  thud_study_reference_free(&study.reference);
  return error;
}

/* ---- one run with 2^level steps ---------------------------------------------------------------------------- */

/* Refinement of Lagrangian systems: time stepping with 2^level equal steps, kept whole; what sections of sweeps need. */

static int keep_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  study_level *level = user;
  thud_stepping_frame seen = *frame;
  if (level->on_frame != NULL) level->error = level->on_frame(level->user, level->path, &seen);
  if (level->error != THUD_OK) return -1;
  thud_study_path_add(level->path, &seen);
  const thud_study_level told = {.options = level->options, .level = level->level, .steps = level->motion.steps};
  double inside = (frame->t - level->motion.start) / (level->motion.end - level->motion.start);
  return thud_study_progress(&told, inside) != 0;
}

thud_error thud_study_run_level(thud_context *context, study_level *level, thud_stepping_motion_info *info) {
  const scene_system *made = level->made;
  thud_motion *motion;
  level->motion.tolerance = 0;
  level->motion.steps = (thud_index)1 << level->level;
  thud_error error = thud_stepping_motion_create(context, made->system, &level->motion, made->q0, made->v0, &motion);
  if (error != THUD_OK) return error;
  error = thud_motion_run(motion, &(thud_motion_sink){.frame = keep_frame, .user = level}, NULL);
  if (error == THUD_OK) *info = thud_stepping_motion_get_info(motion);
  thud_motion_destroy(motion);
  if (level->error != THUD_OK) return level->error;
  if (error == THUD_OK && info->status == THUD_MOTION_STOPPED)
    return thud_fail(context, THUD_ERROR_INTERRUPTED, "interrupted at level %d", level->level);
  return error;
}

/* ---- refinement --------------------------------------------------------------------------------------------------- */

static thud_error check(const thud_scene *scene) {
  if (!thud_scene_lagrangian(scene)->event_driven) return THUD_OK;
  return thud_fail(scene->context, THUD_ERROR_UNSUPPORTED,
                   "[bad-study] an event-driven scene has no steps to refine: compare it with time stepping (--against "
                   "event-driven) or choose a method of time stepping (--set simulate.method=moreau-jean)");
}

static void free_path(void *made) {
  study_path *path = made;
  thud_context *context = path->context;
  thud_study_path_free(path);
  thud_free(context, path);
}

static thud_error run_refined(thud_scene *scene, const thud_study_level *asked, thud_study_run *run) {
  const scene_system *made = thud_scene_lagrangian(scene);
  thud_stepping_motion_info info;
  study_path *path = THUD_NEW(scene->context, study_path);
  if (path == NULL) return THUD_ERROR_MEMORY;
  study_level level = {
      .made = made, .motion = made->motion, .options = asked->options, .level = asked->level, .path = path};
  thud_error error = thud_study_path_create(scene->context, (size_t)scene->dimension, (size_t)asked->steps + 1, path);
  if (error != THUD_OK) {
    thud_free(scene->context, path);
    return error;
  }
  run->path = path;
  error = thud_study_run_level(scene->context, &level, &info);
  if (error != THUD_OK) return error;
  run->penetration = -info.worst_gap;
  run->residual = info.worst_residual;
  run->impacts = info.impacts;
  if (info.status != THUD_MOTION_COMPLETED) run->ended = info.time;
  return THUD_OK;
}

/* Distances of velocities are integrals over the duration. */
static thud_study_distances compare(const thud_scene *scene, const void *coarse, const void *fine, bool graphs) {
  const study_path *a = coarse, *b = fine;
  double velocities = thud_study_velocity_distance(a, b), duration = scene->end - scene->start;
  if (thud_study_significant(velocities / duration, b, b->v) == 0) velocities = 0;
  return (thud_study_distances){.q = thud_study_significant(thud_study_position_distance(a, b), b, b->q),
                                .v = velocities,
                                .graph =
                                    graphs ? thud_study_significant(thud_study_graph_distance(a, b), b, b->v) : NAN};
}

/* `data` of a time-stepping scene are functions without power series: such a scene is built in its event-driven form,
 * in which both methods can use them. Its method is kept in *method when nobody chose one. */
static thud_error rebuild(thud_context *context, thud_tree *tree, int *method, thud_scene **scene) {
  const thud_node *root = thud_tree_root(tree), *simulate = thud_node_find(root, "simulate");
  const scene_system *made = thud_scene_lagrangian(*scene);
  if (made->event_driven || thud_node_find(root, "data") == NULL) return THUD_OK;
  int own = made->motion.method;
  bool controlled = thud_node_find(simulate, "tolerance") != NULL;
  thud_scene_destroy(*scene);
  *scene = NULL;
  if (controlled)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] a scene with 'data' and a 'tolerance' of controlled steps is compared with the "
                     "event-driven motion "
                     "when it has 'steps' instead of the tolerance");
  thud_error error = thud_tree_set(tree, "simulate.method", "event-driven");
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_error restored = thud_tree_set(tree, "simulate.method", thud_stepping_method_name((thud_stepping_method)own));
  if (*method == THUD_AGAINST_SCENE_METHOD) *method = own;
  return error == THUD_OK ? restored : error;
}

/* ---- sections of sweeps -------------------------------------------------------------------------------------------- */

static thud_index find_constraint(const thud_scene *scene, const char *name) {
  const thud_system *system = thud_scene_lagrangian(scene)->system;
  thud_index found = -1;
  for (thud_index i = 0; i < thud_system_constraint_count(system); i++)
    if (strcmp(thud_system_constraint(system, i)->name, name) == 0) found = i;
  return found;
}

static void start(const thud_scene *scene, double *state) {
  const scene_system *made = thud_scene_lagrangian(scene);
  size_t n = (size_t)scene->dimension;
  memcpy(state, made->q0, n * sizeof *state);
  memcpy(state + n, made->v0, n * sizeof *state);
}

const thud_kind_study thud_system_study = {.kind = THUD_STUDY_OF_SYSTEM,
                                           .check = check,
                                           .run = run_refined,
                                           .free = free_path,
                                           .compare = compare,
                                           .rebuild = rebuild,
                                           .against = thud_system_study_against,
                                           .find_constraint = find_constraint,
                                           .start = start};
