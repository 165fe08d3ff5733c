/* Refinement studies: the same scene with 2^n steps, compared level by level. */
#include "thud/study.h"
#include "scene/system.h"
#include "study/path.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST_LEVELS = 24, FITTED = 3 /* octaves over which orders are fitted */ };

#define FIELD(name) offsetof(thud_study_options, name)

static const thud_option_key keys[] = {
    {"first_level", THUD_OPTION_INT, FIELD(first_level), 6, 1, MOST_LEVELS, false, NULL, "1",
     "the coarsest run has 2^first_level steps"},
    {"last_level", THUD_OPTION_INT, FIELD(last_level), 12, 3, MOST_LEVELS, false, NULL, "1",
     "the finest run has 2^last_level steps"},
    {"parity_ratio", THUD_OPTION_REAL, FIELD(parity_ratio), 4, 1, INFINITY, false, NULL, "1",
     "even and odd levels part when neighbours differ by more than this times what next neighbours do"},
    {"smallest_order", THUD_OPTION_REAL, FIELD(smallest_order), 0.5, 0, 10, false, NULL, "1",
     "a fitted order of q below this is flagged"},
};
static const thud_option_table table = {"study", sizeof(thud_study_options), keys, sizeof keys / sizeof *keys};

const thud_option_table *thud_study_option_table(void) { return &table; }

thud_study_options thud_study_options_default(void) {
  thud_study_options options;
  thud_options_set_defaults(&table, &options);
  return options;
}

/* ---- one level
 * ------------------------------------------------------------------------------------------------------- */

typedef struct level_run {
  study_path *path;
  const thud_study_options *options;
  double start, end; /* of the progress: this level's share */
  double from, to;   /* of time */
} level_run;

static int on_frame(void *user, const thud_motion_frame *frame) {
  level_run *run = user;
  study_path_add(run->path, frame);
  if (run->options->progress == NULL) return 0;
  double share = (frame->t - run->from) / (run->to - run->from);
  double total = run->start + share * (run->end - run->start);
  return run->options->progress(run->options->progress_user, total, 0, 1) != 0;
}

static thud_error run_level(thud_context *context, const thud_scene *scene, level_run *run, thud_study_row *row,
                            thud_motion_info *info) {
  const scene_system *made = scene->lagrangian;
  thud_motion_options motion_options = made->motion;
  motion_options.tolerance = 0;
  motion_options.steps = row->steps;
  thud_motion *motion;
  thud_error error = thud_motion_create(context, made->system, &motion_options, made->q0, made->v0, &motion);
  if (error != THUD_OK) return error;
  error = thud_motion_run(motion, on_frame, run, info);
  thud_motion_destroy(motion);
  row->step = (motion_options.end - motion_options.start) / row->steps;
  row->penetration = -info->worst_gap;
  row->residual = info->worst_residual;
  row->impacts = info->impacts;
  return error;
}

/* ---- orders and flags ----------------------------------------------------------------------------------------------
 */

static double order_between(double coarse, double fine) {
  return coarse > 0 && fine > 0 ? log2(coarse / fine) : (double)NAN;
}

static void fill_orders(thud_study *study) {
  for (size_t k = 0; k < study->count; k++) {
    thud_study_row *row = &study->rows[k];
    if (k == 0) continue;
    const thud_study_row *before = row - 1;
    row->q_order = order_between(before->q_next, row->q_next);
    row->v_order = order_between(before->v_next, row->v_next);
    row->graph_order = order_between(before->graph_next, row->graph_next);
  }
}

/* Least-squares slope of log2 of the differences over the last octaves; infinite when they vanish. */
static double fit(const thud_study *study, double (*of)(const thud_study_row *)) {
  size_t last = study->count - 2, first = last >= FITTED ? last - FITTED : 0; /* the finest row has no difference */
  double n = 0, sx = 0, sy = 0, sxx = 0, sxy = 0;
  for (size_t k = first; k <= last; k++) {
    double y = of(&study->rows[k]);
    if (y == 0) return (double)INFINITY;
    double x = study->rows[k].level, l = log2(y);
    n++;
    sx += x;
    sy += l;
    sxx += x * x;
    sxy += x * l;
  }
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

static double q_of(const thud_study_row *row) { return row->q_next; }
static double v_of(const thud_study_row *row) { return row->v_next; }
static double graph_of(const thud_study_row *row) { return row->graph_next; }

static void flag(thud_study *study, unsigned bit, const char *format, double a, double b) {
  size_t used = strlen(study->message);
  study->flags |= bit;
  if (used > 0 && used < sizeof study->message - 3) {
    memcpy(study->message + used, "; ", 3);
    used += 2;
  }
  snprintf(study->message + used, sizeof study->message - used, format, a, b); /* NOLINT: formats of this file */
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

static void judge(thud_study *study, const thud_study_options *options) {
  fill_orders(study);
  study->q_order = fit(study, q_of);
  study->v_order = fit(study, v_of);
  study->graph_order = fit(study, graph_of);
  const thud_study_row *last = &study->rows[study->count - 2];
  if (parts_by_parity(study, options)) {
    const thud_study_row *row = &study->rows[study->count - 3];
    flag(study, THUD_STUDY_PARITY,
         "even and odd refinements converge to different motions: neighbouring levels stay %.6g apart, levels of the "
         "same "
         "parity come within %.3g",
         row->q_next, row->q_second);
    return;
  }
  if (!(study->q_order >= options->smallest_order))
    flag(study, THUD_STUDY_NO_ORDER, "the positions converge with order %.3g only (asked for: %.3g)", study->q_order,
         options->smallest_order);
  else
    study->error_estimate =
        isinf(study->q_order) ? 0 : last->q_next / (exp2(study->q_order) - 1) / exp2(study->q_order);
}

/* ---- the study
 * ------------------------------------------------------------------------------------------------------- */

static thud_error check(thud_context *context, const thud_study_options *options, const thud_scene *scene) {
  thud_error error = thud_options_check(context, &table, options);
  if (error != THUD_OK) return error;
  if (options->last_level < options->first_level + 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a study needs at least three levels, not %d to %d",
                     options->first_level, options->last_level);
  if (scene->lagrangian == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "refinement studies are for 'system' scenes; sweeping processes have simulate.refinements");
  return THUD_OK;
}

/* Distance of positions; one that the rounding errors of all steps explain, steps*eps*max|q|, counts as 0: the scheme
 * is exact there, and ratios of rounding errors are no orders. */
static double position_distance(const study_path *coarse, const study_path *fine) {
  double distance = study_position_distance(coarse, fine), size = 0;
  for (size_t k = 0; k < fine->count * fine->n; k++) size = fmax(size, fabs(fine->q[k]));
  return distance <= (double)fine->count * DBL_EPSILON * size ? 0 : distance;
}

/* Distances to the path of one and of two levels before; paths[level % 3]. */
static void compare(thud_study *study, const study_path *paths, size_t k) {
  const study_path *fine = &paths[k % 3];
  thud_study_row *row = &study->rows[k];
  if (k >= 1) {
    const study_path *coarse = &paths[(k - 1) % 3];
    row[-1].q_next = position_distance(coarse, fine);
    row[-1].v_next = study_velocity_distance(coarse, fine);
    row[-1].graph_next = study_graph_distance(coarse, fine);
  }
  if (k >= 2) {
    const study_path *coarse = &paths[(k - 2) % 3];
    row[-2].q_second = position_distance(coarse, fine);
    row[-2].v_second = study_velocity_distance(coarse, fine);
  }
}

static thud_error run_levels(thud_scene *scene, const thud_study_options *options, study_path *paths,
                             thud_study *study) {
  size_t levels = (size_t)(options->last_level - options->first_level) + 1;
  double whole = exp2(options->last_level + 1), done = exp2(options->first_level);
  for (size_t k = 0; k < levels; k++) {
    thud_study_row *row = &study->rows[k];
    study_path *path = &paths[k % 3];
    thud_motion_info info;
    row->level = options->first_level + (int)k;
    row->steps = (thud_index)1 << row->level;
    row->q_next = row->q_second = row->v_next = row->v_second = row->graph_next = NAN;
    row->q_order = row->v_order = row->graph_order = NAN;
    study_path_free(path);
    thud_error error = study_path_create(scene->context, (size_t)scene->dimension, (size_t)row->steps + 1, path);
    level_run run = {.path = path,
                     .options = options,
                     .start = (done - exp2(options->first_level)) / whole,
                     .from = scene->start,
                     .to = scene->end};
    done += row->steps;
    run.end = (done - exp2(options->first_level)) / whole;
    if (error == THUD_OK) error = run_level(scene->context, scene, &run, row, &info);
    if (error != THUD_OK) return error;
    study->count = k + 1;
    if (info.status == THUD_MOTION_INTERRUPTED)
      return thud_fail(scene->context, THUD_ERROR_INTERRUPTED, "interrupted at level %d", row->level);
    if (info.status != THUD_MOTION_COMPLETED) {
      study->flags |= THUD_STUDY_RUN_FAILED;
      snprintf(study->message, sizeof study->message, "the run with %d steps ended at t = %.10g: %s", (int)row->steps,
               info.time, thud_context_last_message(scene->context));
      return THUD_OK;
    }
    compare(study, paths, k);
  }
  judge(study, options);
  return THUD_OK;
}

thud_error thud_study_refine(thud_context *context, thud_tree *tree, const thud_study_options *options,
                             thud_study *study) {
  thud_study_options chosen = options != NULL ? *options : thud_study_options_default();
  thud_scene *scene = NULL;
  study_path paths[3] = {{0}};
  thud_study made = {.context = context, .q_order = NAN, .v_order = NAN, .graph_order = NAN, .error_estimate = NAN};
  thud_error error = thud_scene_build(context, tree, &scene);
  if (error == THUD_OK) error = check(context, &chosen, scene);
  if (error == THUD_OK) {
    made.method = thud_motion_method_name((thud_motion_method)scene->lagrangian->motion.method);
    made.rows = THUD_NEW_ARRAY(context, thud_study_row, MOST_LEVELS);
    error = made.rows != NULL ? run_levels(scene, &chosen, paths, &made) : THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < 3; k++) study_path_free(&paths[k]);
  thud_scene_destroy(scene);
  if (error == THUD_OK)
    *study = made;
  else
    thud_study_free(&made);
  return error;
}

void thud_study_free(thud_study *study) {
  if (study->context != NULL) thud_free(study->context, study->rows);
  *study = (thud_study){0};
}
