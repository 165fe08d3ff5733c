/* Refinement studies: the same scene with 2^n steps, compared level by level. */
#include "base/base.h"
#include "thud/study.h"
#include "study/elastic.h"
#include "study/level.h"
#include "study/orders.h"

#include <float.h>
#include <math.h>

#define FIELD(name) offsetof(thud_study_options, name)

static const thud_option_key keys[] = {
    {"first_level", THUD_OPTION_INT, FIELD(first_level), 6, 1, STUDY_MOST_LEVELS, false, NULL, "1",
     "the coarsest run has 2^first_level steps"},
    {"last_level", THUD_OPTION_INT, FIELD(last_level), 12, 3, STUDY_MOST_LEVELS, false, NULL, "1",
     "the finest run has 2^last_level steps"},
    {"parity_ratio", THUD_OPTION_REAL, FIELD(parity_ratio), 4, 1, INFINITY, false, NULL, "1",
     "even and odd levels part when neighbours differ by more than this times what next neighbours do"},
    {"smallest_order", THUD_OPTION_REAL, FIELD(smallest_order), 0.5, 0, 10, false, NULL, "1",
     "a fitted order of q below this is flagged"},
};
static const thud_option_table table = {
    .name = "study", .struct_size = sizeof(thud_study_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_study_option_table(void) { return &table; }

/* ---- orders and flags ----------------------------------------------------------------------------------------------
 */

static void fill_orders(thud_study *study) {
  for (size_t k = 0; k < study->count; k++) {
    thud_study_row *row = &study->rows[k];
    if (k == 0) continue;
    const thud_study_row *before = row - 1;
    row->q_order = thud_study_order_between(before->q_next, row->q_next);
    row->v_order = thud_study_order_between(before->v_next, row->v_next);
    row->graph_order = thud_study_order_between(before->graph_next, row->graph_next);
  }
}

static double q_of(const thud_study_row *row) { return row->q_next; }
static double v_of(const thud_study_row *row) { return row->v_next; }
static double graph_of(const thud_study_row *row) { return row->graph_next; }

/* Over the last octaves; the finest row has no difference. */
static double fit(const thud_study *study, double (*of)(const thud_study_row *)) {
  double levels[STUDY_MOST_LEVELS], values[STUDY_MOST_LEVELS];
  size_t count = study->count - 1;
  for (size_t k = 0; k < count; k++) {
    levels[k] = study->rows[k].level;
    values[k] = of(&study->rows[k]);
  }
  return thud_study_fit_last_octaves(count, levels, values);
}

/* Neighbouring levels stay apart while levels of the same parity come together. */
static bool parts_by_parity(const thud_study *study, const thud_study_options *options) {
  if (study->count < 5) return false;
  for (size_t k = study->count - 4; k < study->count - 2; k++) {
    const thud_study_row *row = &study->rows[k];
    if (!(row->q_next > options->parity_ratio * row->q_second)) return false;
  }
  return true;
}

static void compare_with_expected_orders(thud_study *study, const thud_study_options *options) {
  fill_orders(study);
  study->q_order = fit(study, q_of);
  study->v_order = fit(study, v_of);
  study->graph_order = fit(study, graph_of);
  const thud_study_row *last = &study->rows[study->count - 2];
  if (parts_by_parity(study, options)) {
    const thud_study_row *row = &study->rows[study->count - 3];
    thud_study_flag(
        &study->flags, study->message, sizeof study->message, THUD_STUDY_PARITY,
        "even and odd refinements converge to different motions: neighbouring levels stay %.6g apart, levels of "
        "the same parity come within %.3g",
        row->q_next, row->q_second);
    return;
  }
  if (!(study->q_order >= options->smallest_order))
    thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_NO_ORDER,
                    "the positions converge with order %.3g only (asked for: %.3g)", study->q_order,
                    options->smallest_order);
  else
    study->error_estimate =
        isinf(study->q_order) ? 0 : last->q_next / (exp2(study->q_order) - 1) / exp2(study->q_order);
}

/* ---- the study
 * ------------------------------------------------------------------------------------------------------- */

static thud_error check(thud_context *context, const thud_study_options *options, const thud_scene *scene) {
  thud_error error = thud_study_check(context, options, scene);
  if (error == THUD_OK && thud_scene_lagrangian(scene) != NULL && thud_scene_lagrangian(scene)->event_driven)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "an event-driven scene has no steps to refine: compare it with time stepping (--against "
                     "event-driven) or choose a method of time stepping (--set simulate.method=moreau-jean)");
  return error;
}

/* A distance that the rounding errors of all steps explain, steps*eps*size, counts as 0: the scheme is exact there, and
 * ratios of rounding errors are not orders. */
static double significant(double distance, const study_path *fine, const double *values) {
  double size = 0;
  for (size_t k = 0; k < fine->count * fine->n; k++) size = fmax(size, fabs(values[k]));
  return distance <= (double)fine->count * DBL_EPSILON * size ? 0 : distance;
}

static double position_distance(const study_path *coarse, const study_path *fine) {
  return significant(thud_study_position_distance(coarse, fine), fine, fine->q);
}

static double graph_distance(const study_path *coarse, const study_path *fine) {
  return significant(thud_study_graph_distance(coarse, fine), fine, fine->v);
}

static double velocity_distance(const study_path *coarse, const study_path *fine, double duration) {
  double distance = thud_study_velocity_distance(coarse, fine);
  return significant(distance / duration, fine, fine->v) == 0 ? 0 : distance;
}

/* A refinement in progress; level k has the paths k % 3. */
typedef struct refinement {
  thud_scene *scene;
  const quasistatic_scene *elastic; /* NULL: a Lagrangian system */
  const thud_study_options *options;
  int level;
  study_path paths[3];
  study_elastic elastic_paths[3];
  thud_study *study;
} refinement;

/* Distances to the path of one and of two levels before. Those of velocities are integrals over the duration. */
static void compare(refinement *run, size_t k) {
  const study_path *fine = &run->paths[k % 3];
  thud_study_row *row = &run->study->rows[k];
  double duration = run->scene->end - run->scene->start;
  if (k >= 1) {
    const study_path *coarse = &run->paths[(k - 1) % 3];
    row[-1].q_next = position_distance(coarse, fine);
    row[-1].v_next = velocity_distance(coarse, fine, duration);
    row[-1].graph_next = graph_distance(coarse, fine);
  }
  if (k >= 2) {
    const study_path *coarse = &run->paths[(k - 2) % 3];
    row[-2].q_second = position_distance(coarse, fine);
    row[-2].v_second = velocity_distance(coarse, fine, duration);
  }
}

static void compare_elastic(refinement *run, size_t k) {
  const study_elastic *fine = &run->elastic_paths[k % 3];
  thud_study_row *row = &run->study->rows[k];
  double tolerance = run->elastic->options.tolerance;
  for (size_t back = 1; back <= 2 && back <= k; back++) {
    study_elastic_distance found = thud_study_elastic_compare(&run->elastic_paths[(k - back) % 3], fine, tolerance);
    if (back == 1) {
      row[-1].q_next = found.states;
      row[-1].v_next = found.reactions;
      row[-1].graph_next = found.graphs;
      run->study->left_out = found.left_out;
    } else {
      row[-2].q_second = found.states;
      row[-2].v_second = found.reactions;
    }
  }
  run->study->first_jump = fine->first_jump;
}

/* *ended: time at which a run ended early, NaN: it did not. */
static thud_error run_system(refinement *run, study_path *path, thud_study_row *row, double *ended) {
  thud_scene *scene = run->scene;
  thud_stepping_motion_info info;
  study_level level = {.made = thud_scene_lagrangian(scene),
                       .motion = thud_scene_lagrangian(scene)->motion,
                       .options = run->options,
                       .level = row->level,
                       .path = path};
  thud_study_path_free(path);
  thud_error error = thud_study_path_create(scene->context, (size_t)scene->dimension, (size_t)row->steps + 1, path);
  if (error == THUD_OK) error = thud_study_run_level(scene->context, &level, &info);
  if (error != THUD_OK) return error;
  row->penetration = -info.worst_gap;
  row->residual = info.worst_residual;
  row->impacts = info.impacts;
  *ended = info.status == THUD_MOTION_COMPLETED ? (double)NAN : info.time;
  return THUD_OK;
}

static int on_elastic_progress(void *user, double t, double start, double end) {
  const refinement *run = user;
  double done = thud_study_share_done(run->options, run->level, (t - start) / (end - start));
  return run->options->progress(run->options->progress_user, done, 0, 1);
}

static thud_error run_elastic(refinement *run, study_elastic *path, thud_study_row *row, double *ended) {
  const study_elastic_run one = {.made = run->elastic,
                                 .method = run->elastic->method,
                                 .motion = run->elastic->options,
                                 .level = row->level,
                                 .progress = run->options->progress != NULL ? on_elastic_progress : NULL,
                                 .progress_user = run};
  thud_study_elastic_free(path);
  run->level = row->level;
  thud_error error = thud_study_elastic_create(&one, path);
  if (error != THUD_OK) return error;
  row->penetration = -path->worst_gap;
  row->residual = path->info.worst_residual;
  row->impacts = path->info.jumps;
  *ended = path->info.status == THUD_MOTION_COMPLETED ? (double)NAN : path->info.time;
  return THUD_OK;
}

static thud_error run_levels(refinement *run) {
  const thud_study_options *options = run->options;
  thud_scene *scene = run->scene;
  thud_study *study = run->study;
  size_t levels = (size_t)(options->last_level - options->first_level) + 1;
  for (size_t k = 0; k < levels; k++) {
    thud_study_row *row = &study->rows[k];
    double ended;
    row->level = options->first_level + (int)k;
    row->steps = (thud_index)1 << row->level;
    row->step = (scene->end - scene->start) / row->steps;
    row->q_next = row->q_second = row->v_next = row->v_second = row->graph_next = NAN;
    row->q_order = row->v_order = row->graph_order = NAN;
    thud_error error = run->elastic != NULL ? run_elastic(run, &run->elastic_paths[k % 3], row, &ended)
                                            : run_system(run, &run->paths[k % 3], row, &ended);
    if (error == THUD_ERROR_INTERRUPTED && k > 0) {
      thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_RUN_FAILED,
                      "%s; the levels before are complete", thud_context_last_message(scene->context));
      return THUD_OK;
    }
    if (error != THUD_OK) return error;
    study->count = k + 1;
    if (!isnan(ended)) {
      thud_study_flag_run(scene->context, ended, row->level, &study->flags, study->message, sizeof study->message);
      return THUD_OK;
    }
    if (run->elastic != NULL)
      compare_elastic(run, k);
    else
      compare(run, k);
  }
  compare_with_expected_orders(study, options);
  return THUD_OK;
}

static void name_method(refinement *run) {
  run->elastic = thud_quasistatic_scene_of(run->scene);
  thud_study *study = run->study;
  if (run->elastic != NULL) {
    study->kind = THUD_STUDY_OF_QUASISTATIC;
    study->method = thud_quasistatic_method_names[run->elastic->method];
  } else {
    study->method = thud_stepping_method_name((thud_stepping_method)thud_scene_lagrangian(run->scene)->motion.method);
  }
}

thud_error thud_study_refine(thud_context *context, thud_tree *tree, const thud_study_options *options,
                             thud_study *study) {
  THUD_REQUIRE(context, context, tree, study);
  thud_study_options chosen;
  thud_error error = thud_options_take(context, &table, options, &chosen);
  if (error != THUD_OK) return error;
  thud_study made = {
      .context = context, .q_order = NAN, .v_order = NAN, .graph_order = NAN, .error_estimate = NAN, .first_jump = NAN};
  refinement run = {.options = &chosen, .study = &made};
  error = thud_scene_build(context, tree, &run.scene);
  if (error == THUD_OK) error = check(context, &chosen, run.scene);
  if (error == THUD_OK) {
    name_method(&run);
    made.rows = THUD_NEW_ARRAY(context, thud_study_row, STUDY_MOST_LEVELS);
    error = made.rows != NULL ? run_levels(&run) : THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < 3; k++) {
    thud_study_path_free(&run.paths[k]);
    thud_study_elastic_free(&run.elastic_paths[k]);
  }
  thud_scene_destroy(run.scene);
  if (error == THUD_OK)
    *study = made;
  else
    thud_study_free(&made);
  return error;
}

void thud_study_free(thud_study *study) {
  THUD_REQUIRE_OR(, study);
  if (study->context != NULL) thud_free(study->context, study->rows);
  *study = (thud_study){0};
}
