/* Refinement studies: the same scene with 2^n steps, compared level by level. */
#include "base/base.h"
#include "run/run.h"
#include "study/study_orders.h"
#include "study/study_rows.h"
#include "study/study_until.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

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

/* ---- levels ------------------------------------------------------------------------------------------------------- */

thud_error thud_study_check(thud_context *context, const thud_study_options *options, const thud_scene *scene) {
  if (options->last_level < options->first_level + 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] a study needs at least three levels, not %d to %d",
                     options->first_level, options->last_level);
  if (thud_scene_has_switches(scene))
    return thud_fail(context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] data with conditions switch at nodes: motions with other steps switch elsewhere");
  if (scene->kind->study == NULL || scene->kind->study->kind == THUD_STUDY_OF_QUANTITIES)
    return thud_fail(
        context, THUD_ERROR_UNSUPPORTED,
        "[bad-study] motions are compared as a whole of 'system' and 'quasistatic' scenes; of others numbers are "
        "(thud_study_orders, thud study --levels A:B --quantity NAMES)");
  return THUD_OK;
}

thud_study_kind thud_study_kind_of(const thud_tree *tree) {
  THUD_REQUIRE_OR(THUD_STUDY_OF_SYSTEM, tree);
  const thud_kind *kind = thud_run_kind_of(thud_tree_root(tree));
  return kind != NULL && kind->study != NULL ? kind->study->kind : THUD_STUDY_OF_SYSTEM;
}

/* All levels together take 2^(last+1) - 2^first steps. */
int thud_study_progress(const thud_study_level *level, double done) {
  THUD_REQUIRE_OR(0, level);
  const thud_study_options *options = level->options;
  double first = exp2(options->first_level), steps = exp2(level->level);
  if (options->progress == NULL) return 0;
  return options->progress(options->progress_user,
                           (steps - first + done * steps) / (exp2(options->last_level + 1) - first), 0, 1);
}

void thud_study_flag_run(thud_context *context, double time, int level, unsigned *flags, char *message,
                         size_t capacity) {
  thud_study_flag(flags, message, capacity, THUD_STUDY_RUN_FAILED, "the run with %d steps ended at t = %.10g: %s",
                  1 << level, time, thud_context_last_message(context));
}

/* ---- the study ---------------------------------------------------------------------------------------------------- */

/* A refinement in progress; level k has the path k % 3. */
typedef struct refinement {
  thud_scene *scene;
  const thud_kind_study *by; /* functions of the kind, or those of rows */
  const thud_study_options *options;
  thud_study_run runs[3];
  thud_study *study;
} refinement;

/* Distances to the path of one and of two levels before. */
static void compare(refinement *run, size_t k) {
  const void *fine = run->runs[k % 3].path;
  thud_study_row *row = &run->study->rows[k];
  if (k >= 1) {
    thud_study_distances found = run->by->compare(run->scene, run->runs[(k - 1) % 3].path, fine, true);
    row[-1].q_next = found.q;
    row[-1].v_next = found.v;
    row[-1].graph_next = found.graph;
    run->study->left_out = found.left_out;
  }
  if (k >= 2) {
    thud_study_distances found = run->by->compare(run->scene, run->runs[(k - 2) % 3].path, fine, false);
    row[-2].q_second = found.q;
    row[-2].v_second = found.v;
  }
  run->study->first_jump = run->runs[k % 3].first_jump;
}

static void free_run(const refinement *run, thud_study_run *one) {
  if (one->path != NULL) run->by->free(one->path);
  *one = (thud_study_run){.ended = NAN, .first_jump = NAN};
}

static thud_error run_level(refinement *run, size_t k, thud_study_row *row) {
  thud_study_run *one = &run->runs[k % 3];
  const thud_study_level level = {.options = run->options, .level = row->level, .steps = row->steps};
  free_run(run, one);
  thud_error error = run->by->run(run->scene, &level, one);
  row->penetration = one->penetration;
  row->residual = one->residual;
  row->impacts = one->impacts;
  return error;
}

static thud_error run_levels(refinement *run) {
  const thud_study_options *options = run->options;
  thud_scene *scene = run->scene;
  thud_study *study = run->study;
  size_t levels = (size_t)(options->last_level - options->first_level) + 1;
  for (size_t k = 0; k < levels; k++) {
    thud_study_row *row = &study->rows[k];
    row->level = options->first_level + (int)k;
    row->steps = (thud_index)1 << row->level;
    row->step = (scene->end - scene->start) / row->steps;
    row->q_next = row->q_second = row->v_next = row->v_second = row->graph_next = NAN;
    row->q_order = row->v_order = row->graph_order = NAN;
    thud_error error = run_level(run, k, row);
    if (error == THUD_ERROR_INTERRUPTED && k > 0) {
      thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_RUN_FAILED,
                      "%s; the levels before are complete", thud_context_last_message(scene->context));
      return THUD_OK;
    }
    if (error != THUD_OK) return error;
    study->count = k + 1;
    double ended = run->runs[k % 3].ended;
    if (!isnan(ended)) {
      thud_study_flag_run(scene->context, ended, row->level, &study->flags, study->message, sizeof study->message);
      return THUD_OK;
    }
    compare(run, k);
  }
  compare_with_expected_orders(study, options);
  return THUD_OK;
}

static thud_error prepare(refinement *run) {
  const thud_scene *scene = run->scene;
  const thud_kind_study *own = scene->kind->study;
  thud_study *study = run->study;
  thud_error error = thud_study_check(scene->context, run->options, scene);
  if (error == THUD_OK && own->check != NULL) error = own->check(scene);
  if (error != THUD_OK) return error;
  run->by = own->run != NULL ? own : &thud_study_by_rows;
  study->kind = own->kind;
  study->method = scene->kind->method(scene->motion);
  study->rows = THUD_NEW_ARRAY(scene->context, thud_study_row, STUDY_MOST_LEVELS);
  return study->rows != NULL ? THUD_OK : THUD_ERROR_MEMORY;
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
  if (chosen.kind_count == 0) error = thud_study_set_end(context, tree, NULL, NULL); /* those of programs are not run */
  if (error == THUD_OK) error = thud_scene_build_kinds(context, tree, chosen.kind_count, chosen.kinds, &run.scene);
  if (error == THUD_OK) error = prepare(&run);
  if (error == THUD_OK) error = run_levels(&run);
  for (size_t k = 0; k < 3; k++) free_run(&run, &run.runs[k]);
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

/* ---- fits and flags ---------------------------------------------------------------------------------------------- */

double thud_study_order_between(double coarse, double fine) {
  return coarse > 0 && fine > 0 ? log2(coarse / fine) : (double)NAN;
}

/* How many values come before the first that is within rounding: behind it nothing shrinks any more. */
static size_t count_significant(size_t count, const double *values) {
  for (size_t k = 0; k < count; k++)
    if (values[k] == 0) return k;
  return count;
}

double thud_study_fit_order(size_t count, const double *levels, const double *values) {
  size_t used = count_significant(count, values);
  double n = (double)used, sx = 0, sy = 0, sxx = 0, sxy = 0;
  if (used < 2) return used < count ? (double)INFINITY : (double)NAN;
  for (size_t k = 0; k < used; k++) {
    double x = levels[k], y = log2(values[k]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double thud_study_fit_last_octaves(size_t count, const double *levels, const double *values) {
  size_t used = count_significant(count, values), first = used > STUDY_FITTED + 1 ? used - STUDY_FITTED - 1 : 0;
  return thud_study_fit_order(count - first, levels + first, values + first);
}

void thud_study_fit_add(study_fit *data, int level, double value) {
  data->zeros += value == 0;
  if (!(value > 0)) return;
  data->levels[data->count] = level;
  data->values[data->count++] = value;
}

void thud_study_flag(unsigned *flags, char *message, size_t capacity, unsigned bit, const char *format, ...) {
  size_t used = strlen(message);
  va_list arguments;
  *flags |= bit;
  if (used > 0 && used < capacity - 3) {
    memcpy(message + used, "; ", 3);
    used += 2;
  }
  va_start(arguments, format);
  vsnprintf(message + used, capacity - used, format, arguments);
  va_end(arguments);
}
