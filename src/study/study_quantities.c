/* Orders of any quantities in the step or in the mesh: every level is a run of its own, of which the summary is kept. */
#include "base/base.h"
#include "scene/build.h"
#include "study/study_orders.h"
#include "study/study_outcome.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#define FIELD(name) offsetof(thud_orders_options, name)

static const thud_option_key keys[] = {
    {"first_level", THUD_OPTION_INT, FIELD(first_level), 3, 0, STUDY_MOST_LEVELS, false, NULL, "1",
     "the coarsest run has 2^first_level steps, or parts of each cell"},
    {"last_level", THUD_OPTION_INT, FIELD(last_level), 7, 2, STUDY_MOST_LEVELS, false, NULL, "1",
     "the finest run has 2^last_level steps, or parts of each cell"},
    {"samples", THUD_OPTION_INT, FIELD(samples), 4, 1, 1000, false, NULL, "1",
     "fields are compared at the ends of so many equal parts of the time"},
    {"smallest_order", THUD_OPTION_REAL, FIELD(smallest_order), 0.25, 0, 10, false, NULL, "1",
     "a fitted order of a quantity below this is flagged"},
};
static const thud_option_table table = {
    .name = "orders", .struct_size = sizeof(thud_orders_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_orders_option_table(void) { return &table; }

/* What rounding explains, relative to the values. */
static const double rounding = 1e-12;
enum { MOST_QUANTITIES = 64, PARTS = 3 /* values, differences, orders */ };

typedef struct orders_memory {
  double *numbers; /* [PARTS * levels * quantities] */
  char *names[MOST_QUANTITIES];
} orders_memory;

typedef struct orders_run {
  thud_context *context;
  const thud_tree *tree;
  const thud_orders_options *options;
  const thud_kind_study *kind; /* NULL: the kind is not studied otherwise */
  thud_orders *study;
  orders_memory *memory;
  size_t levels, level; /* how many, and which is being run */
  double *times;        /* [samples] */
  study_outcome before, now;
} orders_run;

/* ---- what is compared -------------------------------------------------------------------------------------------- */

static thud_error add_quantity(orders_run *run, const char *name, size_t length, bool field) {
  thud_orders *study = run->study;
  for (size_t k = 0; k < study->quantity_count; k++)
    if (strlen(study->quantities[k].name) == length && strncmp(study->quantities[k].name, name, length) == 0)
      return THUD_OK;
  if (study->quantity_count == MOST_QUANTITIES)
    return thud_fail(run->context, THUD_ERROR_UNSUPPORTED,
                     "[bad-study] more than %d quantities to compare; name those that matter (--quantity)",
                     (int)MOST_QUANTITIES);
  char *copy = THUD_NEW_ARRAY(run->context, char, length + 1);
  if (copy == NULL) return THUD_ERROR_MEMORY;
  memcpy(copy, name, length);
  run->memory->names[study->quantity_count] = copy;
  study->quantities[study->quantity_count++] =
      (thud_orders_quantity){.name = copy, .field = field, .order = NAN, .limit = NAN, .error = NAN};
  return THUD_OK;
}

static bool is_compared(const orders_run *run, const char *name, size_t length) {
  const char *const *fields = run->kind != NULL ? run->kind->fields : NULL;
  if (fields == NULL) return true;
  for (; *fields != NULL; fields++)
    if (strlen(*fields) == length && strncmp(*fields, name, length) == 0) return true;
  return false;
}

/* Those asked for, or the fields and numbers of the state. */
static thud_error choose_quantities(orders_run *run) {
  const thud_orders_options *options = run->options;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < options->quantity_count && error == THUD_OK; k++)
    error = add_quantity(run, options->quantities[k], strlen(options->quantities[k]), false);
  const thud_node *state = thud_outcome_state(&run->now, 0, 0);
  if (options->quantity_count > 0 || state == NULL) return error;
  for (size_t k = 0; k < thud_node_count(state) && error == THUD_OK; k++) {
    const char *name = thud_node_key(state, k);
    size_t length = strcspn(name, "(");
    if (is_compared(run, name, length)) error = add_quantity(run, name, length, name[length] == '(');
  }
  return error;
}

/* ---- differences ------------------------------------------------------------------------------------------------- */

static double number_of(const thud_node *node) {
  return thud_node_get_kind(node) == THUD_NODE_NUMBER ? thud_node_number(node) : (double)NAN;
}

/* The largest difference of two states at the components of a field that both have, and the largest value. Their names come
 * in the same order. */
static void compare_states(const thud_node *coarse, const thud_node *fine, const char *field, double *off,
                           double *size) {
  size_t length = strlen(field), at = 0, count = thud_node_count(fine);
  for (size_t k = 0; k < thud_node_count(coarse); k++) {
    const char *name = thud_node_key(coarse, k);
    size_t here = at;
    if (strncmp(name, field, length) != 0 || name[length] != '(') continue;
    while (here < count && strcmp(thud_node_key(fine, here), name) != 0) here++;
    if (here == count) continue;
    at = here + 1;
    double a = number_of(thud_node_item(coarse, k)), b = number_of(thud_node_item(fine, here));
    *off = isnan(a - b) ? (double)NAN : fmax(*off, fabs(a - b));
    *size = fmax(*size, fabs(b));
  }
}

static double field_difference(const orders_run *run, const char *field) {
  size_t samples = (size_t)run->options->samples;
  double off = 0, size = 0;
  for (size_t k = 0; k <= samples; k++) {
    const thud_node *coarse = thud_outcome_state(&run->before, k, samples);
    const thud_node *fine = thud_outcome_state(&run->now, k, samples);
    if (coarse != NULL && fine != NULL) compare_states(coarse, fine, field, &off, &size);
  }
  return off > rounding * size ? off : isnan(off) ? off : 0;
}

static double *numbers_of(const orders_run *run, int part, size_t level) {
  return run->memory->numbers + ((size_t)part * run->levels + level) * run->study->quantity_count;
}

/* Values of the level that has just run, and differences to the one before it. */
static thud_error take_level(orders_run *run, size_t k) {
  thud_orders *study = run->study;
  double *values = numbers_of(run, 0, k), *differences = numbers_of(run, 1, k);
  thud_error error = THUD_OK;
  for (size_t j = 0; j < study->quantity_count && error == THUD_OK; j++) {
    const thud_orders_quantity *quantity = &study->quantities[j];
    values[j] = differences[j] = NAN;
    numbers_of(run, 2, k)[j] = NAN;
    if (!quantity->field) error = thud_outcome_evaluate(&run->now, quantity->name, &values[j]);
    if (k == 0 || error != THUD_OK) continue;
    double last = numbers_of(run, 0, k - 1)[j], off = fabs(values[j] - last);
    numbers_of(run, 1, k - 1)[j] = quantity->field                     ? field_difference(run, quantity->name)
                                   : off <= rounding * fabs(values[j]) ? 0
                                                                       : off;
  }
  study->rows[k].values = values;
  study->rows[k].differences = differences;
  study->rows[k].orders = numbers_of(run, 2, k);
  study->count = k + 1;
  return error;
}

/* ---- levels ------------------------------------------------------------------------------------------------------ */

static int on_progress(void *user, double t, double start, double end) {
  const orders_run *run = user;
  double first = exp2(run->options->first_level), here = exp2((double)run->options->first_level + (double)run->level);
  double done = (here - first + (t - start) / (end - start) * here) / (exp2(run->options->last_level + 1) - first);
  return run->options->progress != NULL ? run->options->progress(run->options->progress_user, done, 0, 1) : 0;
}

static thud_error set_steps(thud_context *context, thud_tree *tree, int level, size_t *steps) {
  const thud_node *simulate = thud_node_find(thud_tree_root(tree), "simulate");
  char number[40];
  *steps = (size_t)1 << level;
  if (simulate == NULL || thud_node_find(simulate, "steps") == NULL)
    return thud_fail(context, THUD_ERROR_UNSUPPORTED, "[bad-study] a scene is refined by its simulate.steps");
  snprintf(number, sizeof number, "%zu", *steps);
  return thud_tree_set(tree, "simulate.steps", number);
}

static thud_error run_level(orders_run *run, size_t k) {
  const thud_orders_options *options = run->options;
  thud_orders_row *row = &run->study->rows[k];
  thud_tree *tree = NULL;
  row->level = options->first_level + (int)k;
  run->level = k;
  thud_error error = thud_tree_copy(run->context, run->tree, &tree);
  if (error == THUD_OK)
    error = options->refined == THUD_REFINED_MESH ? run->kind->refine_mesh(run->context, tree, row->level)
                                                  : set_steps(run->context, tree, row->level, &row->steps);
  if (error == THUD_OK)
    error = thud_outcome_run(run->context, tree, (size_t)options->samples, run->times, on_progress, run, &run->now);
  thud_tree_destroy(tree);
  return error;
}

static thud_error allocate_numbers(orders_run *run) {
  thud_error error = choose_quantities(run);
  if (error != THUD_OK) return error;
  if (run->study->quantity_count == 0)
    return thud_fail(run->context, THUD_ERROR_UNSUPPORTED, "[bad-study] there is nothing to compare: name quantities");
  run->memory->numbers = THUD_NEW_ARRAY(run->context, double, PARTS * run->levels * run->study->quantity_count);
  return run->memory->numbers != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

static thud_error run_levels(orders_run *run) {
  thud_orders *study = run->study;
  for (size_t k = 0; k < run->levels; k++) {
    thud_error error = run_level(run, k);
    if (error == THUD_ERROR_INTERRUPTED && k > 0) {
      thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_RUN_FAILED,
                      "%s; the levels before are complete", thud_context_last_message(run->context));
      return THUD_OK;
    }
    if (error == THUD_OK && k == 0) error = allocate_numbers(run);
    if (error != THUD_OK) return error;
    if (!run->now.good) {
      thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_RUN_FAILED, "level %d: %.300s",
                      study->rows[k].level, run->now.message);
      return THUD_OK;
    }
    error = take_level(run, k);
    if (error != THUD_OK) return error;
    thud_outcome_free(&run->before);
    run->before = run->now;
    run->now = (study_outcome){0};
  }
  return THUD_OK;
}

/* ---- orders ------------------------------------------------------------------------------------------------------ */

static void judge_quantity(orders_run *run, size_t j) {
  thud_orders *study = run->study;
  thud_orders_quantity *quantity = &study->quantities[j];
  double levels[STUDY_MOST_LEVELS + 1], values[STUDY_MOST_LEVELS + 1];
  size_t count = study->count - 1;
  for (size_t k = 0; k < count; k++) {
    levels[k] = study->rows[k].level;
    values[k] = study->rows[k].differences[j];
    if (k > 0) numbers_of(run, 2, k)[j] = thud_study_order_between(values[k - 1], values[k]);
  }
  quantity->order = thud_study_fit_last_octaves(count, levels, values);
  if (!(quantity->order >= run->options->smallest_order)) {
    thud_study_flag(&study->flags, study->message, sizeof study->message, THUD_STUDY_NO_ORDER,
                    isnan(quantity->order) ? "%.100s has no order"
                                           : "%.100s converges with order %.3g only (asked for: %.3g)",
                    quantity->name, quantity->order, run->options->smallest_order);
    return;
  }
  double last = numbers_of(run, 0, study->count - 1)[j], step = last - numbers_of(run, 0, study->count - 2)[j];
  double more = isinf(quantity->order) ? 0 : step / (exp2(quantity->order) - 1);
  quantity->limit = last + more;
  quantity->error = quantity->field ? values[count - 1] / (exp2(quantity->order) - 1) : fabs(more);
  if (isinf(quantity->order)) quantity->error = 0;
}

/* ---- the study --------------------------------------------------------------------------------------------------- */

static thud_error check(const orders_run *run, const thud_scene *scene) {
  const thud_orders_options *options = run->options;
  if (options->last_level < options->first_level + 2)
    return thud_fail(run->context, THUD_ERROR_ARGUMENT, "[bad-study] a study needs at least three levels, not %d to %d",
                     options->first_level, options->last_level);
  if (options->refined == THUD_REFINED_MESH && (run->kind == NULL || run->kind->refine_mesh == NULL))
    return thud_fail(run->context, THUD_ERROR_UNSUPPORTED, "[bad-study] scenes of the kind '%s' have no mesh to refine",
                     scene->kind->name);
  return THUD_OK;
}

static thud_error prepare(orders_run *run) {
  thud_scene *scene = NULL;
  thud_orders *study = run->study;
  size_t samples = (size_t)run->options->samples;
  thud_error error = thud_scene_build(run->context, run->tree, &scene);
  if (error != THUD_OK) return error;
  run->kind = scene->kind->study;
  study->method = scene->kind->method(scene->motion);
  error = check(run, scene);
  if (error == THUD_OK) {
    run->levels = (size_t)(run->options->last_level - run->options->first_level) + 1;
    run->times = THUD_NEW_ARRAY(run->context, double, samples);
    study->rows = THUD_NEW_ARRAY(run->context, thud_orders_row, run->levels);
    study->quantities = THUD_NEW_ARRAY(run->context, thud_orders_quantity, MOST_QUANTITIES);
    study->memory = run->memory = THUD_NEW(run->context, orders_memory);
    bool room = run->times != NULL && study->rows != NULL && study->quantities != NULL && study->memory != NULL;
    if (!room) error = THUD_ERROR_MEMORY;
  }
  for (size_t k = 0; k < samples && error == THUD_OK; k++)
    run->times[k] = scene->start + (scene->end - scene->start) * (double)(k + 1) / (double)samples;
  if (error == THUD_OK) run->times[samples - 1] = scene->end;
  thud_scene_destroy(scene);
  return error;
}

thud_error thud_study_orders(thud_context *context, const thud_tree *tree, const thud_orders_options *given,
                             thud_orders *study) {
  THUD_REQUIRE(context, context, tree, study);
  thud_orders_options chosen;
  thud_error error = thud_options_take(context, &table, given, &chosen);
  if (error != THUD_OK) return error;
  if (chosen.quantity_count > 0 && chosen.quantities == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[bad-study] %zu quantities without their names",
                     chosen.quantity_count);
  thud_orders made = {.context = context, .refined = chosen.refined};
  orders_run run = {.context = context, .tree = tree, .options = &chosen, .study = &made};
  error = prepare(&run);
  if (error == THUD_OK) error = run_levels(&run);
  for (size_t j = 0; j < made.quantity_count && error == THUD_OK && made.count > 2; j++) judge_quantity(&run, j);
  thud_outcome_free(&run.before);
  thud_outcome_free(&run.now);
  thud_free(context, run.times);
  if (error == THUD_OK)
    *study = made;
  else
    thud_orders_free(&made);
  return error;
}

void thud_orders_free(thud_orders *study) {
  THUD_REQUIRE_OR(, study);
  if (study->context == NULL) return;
  orders_memory *memory = study->memory;
  for (size_t k = 0; memory != NULL && k < MOST_QUANTITIES; k++) thud_free(study->context, memory->names[k]);
  if (memory != NULL) thud_free(study->context, memory->numbers);
  thud_free(study->context, memory);
  thud_free(study->context, study->rows);
  thud_free(study->context, study->quantities);
  *study = (thud_orders){0};
}
