/* Time stepping against the event-driven motion of the same scene. */
#include "base/base.h"
#include "motions/stepping/stepping.h"
#include "study/contact_state.h"
#include "study/elastic_against.h"
#include "study/level.h"
#include "study/match.h"
#include "study/orders.h"
#include "study/reference.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Errors of the reference relative to the size of the motion: its closed forms are met to 1e-11 or better. */
#define REFERENCE_ACCURACY 1e-11

static const thud_option_key keys[] = {
    {"method", THUD_OPTION_INT, offsetof(thud_against_options, method), THUD_AGAINST_SCENE_METHOD,
     THUD_AGAINST_SCENE_METHOD, THUD_SCHEME_COUNT - 1, false, NULL, "1", "of time stepping; -1: the scene's"},
};
static const thud_option_part parts[] = {{offsetof(thud_against_options, study), thud_study_option_table}};
static const thud_option_table options_table = {.name = "study against the event-driven motion",
                                                .struct_size = sizeof(thud_against_options),
                                                .keys = keys,
                                                .count = sizeof keys / sizeof *keys,
                                                .parts = parts,
                                                .part_count = 1};

const thud_option_table *thud_against_option_table(void) { return &options_table; }

const char *thud_partner_name(thud_partner partner) {
  static const char *const names[] = {"found", "missed", "unresolved"};
  return names[partner];
}

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

static thud_error on_frame(void *user, study_path *path, thud_stepping_frame *frame) {
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
                       .on_frame = on_frame,
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

/* ---- orders --------------------------------------------------------------------------------------------------------
 */

static void fill_orders(thud_against *result) {
  for (size_t k = 0; k < result->count; k++) {
    thud_against_row *row = &result->rows[k];
    const thud_against_row *before = k > 0 ? row - 1 : row;
    row->q_order = thud_study_order_between(before->q_error, row->q_error);
    row->v_order = thud_study_order_between(before->v_error, row->v_error);
    row->graph_order = thud_study_order_between(before->graph_error, row->graph_error);
    row->impulse_order = thud_study_order_between(before->impulse_error, row->impulse_error);
    row->energy_order = thud_study_order_between(fabs(before->energy_error), fabs(row->energy_error));
    if (k == 0) row->q_order = row->v_order = row->graph_order = row->impulse_order = row->energy_order = NAN;
  }
}

static double q_of(const thud_against_row *row) { return row->q_error; }
static double v_of(const thud_against_row *row) { return row->v_error; }
static double graph_of(const thud_against_row *row) { return row->graph_error; }
static double impulse_of(const thud_against_row *row) { return row->impulse_error; }
static double energy_of(const thud_against_row *row) { return fabs(row->energy_error); }

/* Levels and errors for a fit. A vanishing error (a scheme that happens to be exact) is left out unless all vanish. */
typedef struct fit_data {
  size_t count, zeros;
  double levels[STUDY_MOST_LEVELS], values[STUDY_MOST_LEVELS];
} fit_data;

static void fit_add(fit_data *data, int level, double value) {
  data->zeros += value == 0;
  if (!(value > 0)) return;
  data->levels[data->count] = level;
  data->values[data->count++] = value;
}

/* parity: 0 or 1 for those levels only, -1 for all. */
static double fit(const thud_against *result, double (*of)(const thud_against_row *), int parity) {
  fit_data data = {0};
  for (size_t k = 0; k < result->count; k++)
    if (parity < 0 || result->rows[k].level % 2 == parity) fit_add(&data, result->rows[k].level, of(&result->rows[k]));
  if (data.count == 0 && data.zeros > 0) return (double)INFINITY;
  return thud_study_fit_last_octaves(data.count, data.levels, data.values);
}

typedef enum event_error { OF_TIME, OF_VELOCITY, OF_IMPULSE } event_error;

/* Over all levels with a partner, at least three. */
static double fit_event(const thud_against *result, const thud_against_event *event, event_error which) {
  enum { LEAST = 3 };
  fit_data data = {0};
  for (size_t k = 0; k < result->count; k++) {
    const thud_against_match *match = &event->matches[k];
    double value = which == OF_TIME       ? fmax(fabs(match->t_error), result->rows[k].step / 2)
                   : which == OF_VELOCITY ? match->v_error
                                          : match->impulse_error;
    if (match->partner == THUD_PARTNER_FOUND) fit_add(&data, result->rows[k].level, value);
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

/* ---- the verdict ---------------------------------------------------------------------------------------------------
 */

/* At the finest levels one parity stays off while the other one comes near. */
static bool parts_by_parity(const thud_against *result, const thud_study_options *options, int *astray) {
  if (result->count < 4) return false;
  const thud_against_row *last = &result->rows[result->count - 1];
  *astray = last->q_error > last[-1].q_error ? last->level % 2 : last[-1].level % 2;
  const thud_against_row *off = last->level % 2 == *astray ? last : last - 1,
                         *near = last->level % 2 == *astray ? last - 1 : last;
  double order = *astray == 0 ? result->even_order : result->odd_order;
  return off->q_error > options->parity_ratio * near->q_error &&
         off[-2].q_error > options->parity_ratio * near[-2].q_error && order < options->smallest_order;
}

static void print_position(char *text, size_t capacity, size_t n, const double *q) {
  enum { MOST = 4 };
  size_t used = (size_t)snprintf(text, capacity, "(");
  for (size_t i = 0; i < n && i < MOST && used < capacity; i++)
    used += (size_t)snprintf(text + used, capacity - used, "%s%.6g", i > 0 ? ", " : "", q[i]);
  if (used < capacity) snprintf(text + used, capacity - used, n > MOST ? ", ...)" : ")");
}

static void flag_parity(thud_against *result, int astray) {
  const thud_against_row *last = &result->rows[result->count - 1], *off = last->level % 2 == astray ? last : last - 1;
  char there[128], here[128];
  size_t n = (size_t)result->n;
  print_position(there, sizeof there, n, off->q_end);
  print_position(here, sizeof here, n, result->q_end);
  thud_study_flag(
      &result->flags, result->message, sizeof result->message, THUD_STUDY_PARITY,
      "%s refinements converge to the event-driven motion (order %.2f), %s ones do not: they stay %.6g away and "
      "end at %s instead of %s",
      astray == 1 ? "even" : "odd", astray == 1 ? result->even_order : result->odd_order, astray == 1 ? "odd" : "even",
      off->q_error, there, here);
}

static void compare_with_reference(against *study) {
  thud_against *result = study->result;
  const thud_study_options *options = study->options;
  int astray;
  fill_orders(result);
  result->q_order = fit(result, q_of, -1);
  result->v_order = fit(result, v_of, -1);
  result->graph_order = fit(result, graph_of, -1);
  result->impulse_order = fit(result, impulse_of, -1);
  result->energy_order = fit(result, energy_of, -1);
  result->even_order = fit(result, q_of, 0);
  result->odd_order = fit(result, q_of, 1);
  double least = options->smallest_order * result->expected_order;
  if (parts_by_parity(result, options, &astray))
    flag_parity(result, astray);
  else if (result->count > 2 && !(result->q_order >= least))
    thud_study_flag(
        &result->flags, result->message, sizeof result->message, THUD_STUDY_NO_ORDER,
        "the positions come to the event-driven motion with order %.3g only (asked for: %.3g); the error at %d "
        "steps is %.3g%s",
        result->q_order, least, (int)result->rows[result->count - 1].steps, result->rows[result->count - 1].q_error,
        thud_stepping_scheme_of(study->motion.method)->is_penalty ? " (a penalty keeps its own error)" : "");
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
  thud_error error = thud_arena_create(study->context, 16384, &study->arena);
  if (error == THUD_OK) error = make_reference(study);
  if (error != THUD_OK) return error;
  result->rows = thud_arena_alloc(study->arena, levels, sizeof *result->rows);
  study->matches = thud_arena_alloc(study->arena, levels, sizeof *study->matches);
  if (result->rows == NULL || study->matches == NULL) return THUD_ERROR_MEMORY;
  bool goes_on = result->end > result->start;
  for (size_t k = 0; k < levels && goes_on && error == THUD_OK; k++) error = run_level(study, k, &goes_on);
  if (error != THUD_OK) return error;
  error = describe(study);
  if (error == THUD_OK) compare_with_reference(study);
  return error;
}

static thud_error run_elastic(against *study, const quasistatic_scene *made, const thud_against_options *options) {
  thud_error error = thud_arena_create(study->context, 16384, &study->arena);
  if (error == THUD_OK) error = thud_study_elastic_against(made, options, study->arena, study->result);
  if (error == THUD_OK) compare_with_reference(study);
  return error;
}

static thud_error check(thud_context *context, const thud_against_options *options, const thud_scene *scene) {
  return thud_study_check(context, &options->study, scene);
}

/* `data` of a time-stepping scene are functions without power series: such a scene is built in its event-driven form,
 * in which both methods can use them. Its method is kept in *method when nobody chose one. */
static thud_error build_for_both(thud_context *context, thud_tree *tree, int *method, thud_scene **scene) {
  thud_error error = thud_scene_build(context, tree, scene);
  const thud_node *root = thud_tree_root(tree), *simulate = thud_node_find(root, "simulate");
  const scene_system *made = error == THUD_OK ? thud_scene_lagrangian(*scene) : NULL;
  if (made == NULL || made->event_driven || thud_node_find(root, "data") == NULL) return error;
  int own = made->motion.method;
  bool controlled = thud_node_find(simulate, "tolerance") != NULL;
  thud_scene_destroy(*scene);
  *scene = NULL;
  if (controlled)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "a scene with 'data' and a 'tolerance' of controlled steps is compared with the event-driven motion "
        "when it has 'steps' instead of the tolerance");
  error = thud_tree_set(tree, "simulate.method", "event-driven");
  if (error == THUD_OK) error = thud_scene_build(context, tree, scene);
  thud_error restored = thud_tree_set(tree, "simulate.method", thud_stepping_method_name((thud_stepping_method)own));
  if (*method == THUD_AGAINST_SCENE_METHOD) *method = own;
  return error == THUD_OK ? restored : error;
}

thud_error thud_study_against(thud_context *context, thud_tree *tree, const thud_against_options *options,
                              thud_against *result) {
  THUD_REQUIRE(context, context, tree, result);
  thud_against_options chosen;
  thud_error error = thud_options_take(context, &options_table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_scene *scene = NULL;
  thud_against made = {.context = context};
  against study = {.context = context, .options = &chosen.study, .result = &made};
  made.q_order = made.v_order = made.graph_order = made.impulse_order = made.energy_order = NAN;
  made.even_order = made.odd_order = NAN;
  error = build_for_both(context, tree, &chosen.method, &scene);
  if (error == THUD_OK) error = check(context, &chosen, scene);
  if (error == THUD_OK && thud_scene_lagrangian(scene) != NULL) {
    study.made = thud_scene_lagrangian(scene);
    choose_method(&study, chosen.method);
    error = run_study(&study);
  } else if (error == THUD_OK) {
    error = run_elastic(&study, thud_quasistatic_scene_of(scene), &chosen);
  }
  made.memory = study.arena;
  thud_study_judge_free(&study.judge);
  thud_free(context, study.strays.items);
  thud_study_reference_free(&study.reference);
  thud_scene_destroy(scene);
  if (error == THUD_OK)
    *result = made;
  else
    thud_against_free(&made);
  return error;
}

void thud_against_free(thud_against *result) {
  THUD_REQUIRE_OR(, result);
  thud_arena_destroy(result->memory);
  *result = (thud_against){0};
}
