/* Time stepping against the event-driven motion of the same scene: orders and verdict, whatever the kind. */
#include "base/base.h"
#include "motions/stepping/stepping.h"
#include "run/run.h"
#include "study/study_orders.h"
#include "study/study_until.h"
#include "thud/stepping.h"

#include <math.h>
#include <stdio.h>

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

/* parity: 0 or 1 for those levels only, -1 for all. */
static double fit(const thud_against *result, double (*of)(const thud_against_row *), int parity) {
  study_fit data = {0};
  for (size_t k = 0; k < result->count; k++)
    if (parity < 0 || result->rows[k].level % 2 == parity)
      thud_study_fit_add(&data, result->rows[k].level, of(&result->rows[k]));
  if (data.count == 0 && data.zeros > 0) return (double)INFINITY;
  return thud_study_fit_last_octaves(data.count, data.levels, data.values);
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

static void compare_with_reference(thud_against *result, const thud_study_options *options, const char *remark) {
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
        remark != NULL ? remark : "");
}

/* ---- the study -----------------------------------------------------------------------------------------------------
 */

static thud_error run_study(thud_scene *scene, const thud_against_options *options, thud_against *result) {
  const thud_kind_study *study = scene->kind->study;
  const char *remark = NULL;
  thud_arena *arena = NULL;
  if (study->against == NULL)
    return thud_fail(scene->context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] motions of the kind '%s' have no event-driven form", scene->kind->name);
  thud_error error = thud_arena_create(scene->context, 16384, &arena);
  result->memory = arena;
  result->kind = study->kind;
  if (error == THUD_OK) error = study->against(scene, options, result, &remark);
  if (error == THUD_OK) compare_with_reference(result, &options->study, remark);
  return error;
}

thud_error thud_study_against(thud_context *context, thud_tree *tree, const thud_against_options *options,
                              thud_against *result) {
  THUD_REQUIRE(context, context, tree, result);
  thud_against_options chosen;
  thud_error error = thud_options_take(context, &options_table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_scene *scene = NULL;
  thud_against made = {.context = context};
  made.q_order = made.v_order = made.graph_order = made.impulse_order = made.energy_order = NAN;
  made.even_order = made.odd_order = NAN;
  error = thud_study_set_end(context, tree, NULL, NULL);
  if (error == THUD_OK) error = thud_scene_build(context, tree, &scene);
  const thud_kind_study *study = error == THUD_OK ? scene->kind->study : NULL;
  if (study != NULL && study->rebuild != NULL) error = study->rebuild(context, tree, &chosen.method, &scene);
  if (error == THUD_OK) error = thud_study_check(context, &chosen.study, scene);
  if (error == THUD_OK) error = run_study(scene, &chosen, &made);
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
