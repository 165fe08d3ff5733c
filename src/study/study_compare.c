/* The table of a comparison: problems, results, and who was best. */
#include "study/study_compare.h"

#include "base/base.h"
#include "record/output.h"

#include <math.h>
#include <string.h>

#define FIELD(name) offsetof(thud_compare_options, name)

static const thud_option_key keys[] = {
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-8, 0, 1, true, NULL, "1",
     "largest residual that counts as solved"},
    {"max_seconds", THUD_OPTION_REAL, FIELD(max_seconds), 10, 0, 1e9, true, NULL, "s", "processor time of one run"},
    {"repeat_seconds", THUD_OPTION_REAL, FIELD(repeat_seconds), 0.5, 0, 1e9, false, NULL, "s",
     "runs are repeated until they have taken this long together"},
    {"runs", THUD_OPTION_INT, FIELD(runs), 20, 1, 1e6, false, NULL, "1", "the least time of at most so many runs"},
};
static const thud_option_table table = {
    .name = "compare", .struct_size = sizeof(thud_compare_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_compare_option_table(void) { return &table; }

const char *thud_compare_status_name(thud_compare_status status) {
  static const char *const words[] = {"solved", "unsolved", "time", "crash", "refused"};
  return (unsigned)status < sizeof words / sizeof *words ? words[status] : NULL;
}

/* ---- life ---------------------------------------------------------------------------------------------------------- */

/* A copy of a text that may be NULL; false when there is no memory. */
static bool copy_text(thud_context *context, const char *text, char **copy) {
  *copy = text != NULL ? thud_strdup(context, text) : NULL;
  return text == NULL || *copy != NULL;
}

thud_error thud_compare_create(thud_context *context, const thud_compare_options *options, thud_compare **compare) {
  THUD_REQUIRE(context, context, compare);
  thud_compare_options own;
  thud_error error = thud_options_take(context, &table, options, &own);
  if (error != THUD_OK) return error;
  thud_compare *made = THUD_NEW(context, thud_compare);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->options = own;
  bool good = copy_text(context, own.title != NULL ? own.title : "contact problems", &made->title) &&
              copy_text(context, own.methods, &made->methods) && copy_text(context, own.others, &made->others);
  if (!good) {
    thud_compare_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  made->options.title = made->title;
  made->options.methods = made->methods;
  made->options.others = made->others;
  *compare = made;
  return THUD_OK;
}

static void forget_last_problem(thud_compare *compare) {
  compare_problem *last = &compare->problems[--compare->problem_count];
  compare->result_count = last->first;
  thud_free(compare->context, last->name);
  thud_free(compare->context, last->part);
}

void thud_compare_destroy(thud_compare *compare) {
  if (compare == NULL) return;
  while (compare->problem_count > 0) forget_last_problem(compare);
  thud_free(compare->context, compare->problems);
  thud_free(compare->context, compare->results);
  thud_free(compare->context, compare->title);
  thud_free(compare->context, compare->methods);
  thud_free(compare->context, compare->others);
  thud_free(compare->context, compare);
}

/* ---- problems and results -------------------------------------------------------------------------------------- */

/* |r - proj_K(r - u~)| at r = 0, unscaled, below which r = 0 counts as the solution: rounding in data of size 1. */
static const double trivial_residual = 1e-15;

static thud_error find_trivial(thud_context *context, const thud_contact_problem *problem, bool *trivial) {
  thud_contact_residual residual;
  double *r = THUD_NEW_ARRAY(context, double, thud_contact_size(problem));
  double *l = THUD_NEW_ARRAY(context, double, problem->bilateral);
  thud_error error =
      r != NULL && l != NULL ? thud_contact_evaluate(context, problem, r, NULL, l, NULL, &residual) : THUD_ERROR_MEMORY;
  if (error == THUD_OK) *trivial = residual.residual * residual.scale <= trivial_residual;
  thud_free(context, r);
  thud_free(context, l);
  return error;
}

thud_error thud_compare_add_problem(thud_compare *compare, const char *name, const char *part,
                                    const thud_contact_problem *problem, size_t *index) {
  THUD_REQUIRE_OF(compare, name, problem, index);
  thud_context *context = compare->context;
  thud_error error = thud_contact_validate(context, problem, NULL);
  if (error == THUD_OK)
    error = thud_array_reserve(context, &compare->problems, &compare->problem_capacity, compare->problem_count + 1,
                               sizeof *compare->problems);
  compare_problem made = {.first = compare->result_count};
  if (error == THUD_OK) error = find_trivial(context, problem, &made.shown.trivial);
  if (error != THUD_OK) return error;
  if (!copy_text(context, name, &made.name) || !copy_text(context, part, &made.part)) {
    thud_free(context, made.name);
    return THUD_ERROR_MEMORY;
  }
  made.shown.name = made.name;
  made.shown.part = made.part;
  made.shown.kind = thud_problem_kind_of(problem);
  made.shown.dimension = problem->dimension;
  made.shown.contacts = problem->contacts;
  compare->problems[compare->problem_count] = made;
  *index = compare->problem_count++;
  return THUD_OK;
}

thud_error thud_compare_add_result(thud_compare *compare, const thud_compare_result *result) {
  THUD_REQUIRE_OF(compare, result);
  if (compare->problem_count == 0 || result->problem != compare->problem_count - 1)
    return thud_fail(compare->context, THUD_ERROR_ARGUMENT,
                     "[bad-study] thud_compare_add_result: results are added to the last problem only");
  if (thud_compare_status_name(result->status) == NULL)
    return thud_fail(compare->context, THUD_ERROR_ARGUMENT,
                     "[bad-study] thud_compare_add_result: there is no status %d", (int)result->status);
  thud_error error = thud_array_reserve(compare->context, &compare->results, &compare->result_capacity,
                                        compare->result_count + 1, sizeof *compare->results);
  if (error != THUD_OK) return error;
  thud_compare_result *row = &compare->results[compare->result_count++];
  *row = *result;
  row->solver[THUD_COMPARE_NAME - 1] = row->family[THUD_COMPARE_NAME - 1] = row->note[THUD_COMPARE_NOTE - 1] = '\0';
  compare->problems[result->problem].count++;
  return THUD_OK;
}

static thud_error measure_methods(thud_compare *compare, size_t index, const thud_contact_problem *problem) {
  const thud_compare_options *options = &compare->options;
  const compare_job job = {.context = compare->context,
                           .problem = problem,
                           .tolerance = options->tolerance,
                           .max_seconds = options->max_seconds,
                           .repeat_seconds = options->repeat_seconds,
                           .runs = options->runs,
                           .contest = INFINITY,
                           .stop = &options->stop};
  compare_solver *solvers = NULL;
  size_t count = 0;
  thud_error error = thud_compare_methods(compare->context, problem, options->methods, &solvers, &count);
  for (size_t k = 0; error == THUD_OK && k < count; k++) {
    thud_compare_result result = {.problem = index};
    error = thud_compare_measure_solver(&solvers[k], &job, NULL, &result);
    if (error == THUD_OK) error = thud_compare_add_result(compare, &result);
  }
  thud_free(compare->context, solvers);
  return error;
}

thud_error thud_compare_measure(thud_compare *compare, const char *name, const char *part,
                                const thud_contact_problem *problem) {
  THUD_REQUIRE_OF(compare, name, problem);
  size_t index = 0;
  thud_error error = thud_compare_add_problem(compare, name, part, problem, &index);
  if (error != THUD_OK) return error;
  error = measure_methods(compare, index, problem);
  if (error != THUD_OK) forget_last_problem(compare);
  return error;
}

/* ---- looking up -------------------------------------------------------------------------------------------------- */

size_t thud_compare_problem_count(const thud_compare *compare) {
  THUD_REQUIRE_OR(0, compare);
  return compare->problem_count;
}

const thud_compare_problem *thud_compare_problem_at(const thud_compare *compare, size_t k) {
  THUD_REQUIRE_OR(NULL, compare);
  return k < compare->problem_count ? &compare->problems[k].shown : NULL;
}

size_t thud_compare_result_count(const thud_compare *compare, size_t problem) {
  THUD_REQUIRE_OR(0, compare);
  return problem < compare->problem_count ? compare->problems[problem].count : 0;
}

const thud_compare_result *thud_compare_result_at(const thud_compare *compare, size_t problem, size_t k) {
  return k < thud_compare_result_count(compare, problem) ? &compare->results[compare->problems[problem].first + k]
                                                         : NULL;
}

bool thud_compare_is_auto(const thud_compare_result *result) {
  return !result->other && strcmp(result->solver, "auto") == 0;
}

bool thud_compare_has_others(const thud_compare *compare) {
  for (size_t k = 0; k < compare->result_count; k++)
    if (compare->results[k].other) return compare->others != NULL;
  return false;
}

double thud_compare_seconds(const thud_compare_result *result) {
  return result->status == THUD_COMPARE_SOLVED ? fmax(result->seconds, THUD_COMPARE_FLOOR) : INFINITY;
}

const thud_compare_result *thud_compare_of_auto(const thud_compare *compare, size_t problem) {
  const thud_compare_result *result;
  for (size_t k = 0; (result = thud_compare_result_at(compare, problem, k)) != NULL; k++)
    if (thud_compare_is_auto(result)) return result;
  return NULL;
}

const thud_compare_result *thud_compare_of_best(const thud_compare *compare, size_t problem, bool other) {
  const thud_compare_result *result, *best = NULL;
  for (size_t k = 0; (result = thud_compare_result_at(compare, problem, k)) != NULL; k++) {
    if (result->other != other || result->status != THUD_COMPARE_SOLVED || thud_compare_is_auto(result)) continue;
    if (best == NULL || result->seconds < best->seconds) best = result;
  }
  return best;
}

double thud_compare_ratio(const thud_compare *compare, size_t problem, const thud_compare_result *result) {
  const thud_compare_result *mine = thud_compare_of_auto(compare, problem);
  bool both =
      mine != NULL && result != NULL && mine->status == THUD_COMPARE_SOLVED && result->status == THUD_COMPARE_SOLVED;
  return both ? thud_compare_seconds(mine) / thud_compare_seconds(result) : NAN;
}

/* The first problem of its part. */
static bool begins_part(const thud_compare *compare, size_t k) {
  if (compare->problems[k].part == NULL) return false;
  for (size_t j = 0; j < k; j++)
    if (compare->problems[j].part != NULL && strcmp(compare->problems[j].part, compare->problems[k].part) == 0)
      return false;
  return true;
}

const char *thud_compare_part_at(const thud_compare *compare, size_t k) {
  for (size_t p = 0; p < compare->problem_count; p++)
    if (begins_part(compare, p) && k-- == 0) return compare->problems[p].part;
  return NULL;
}

/* ---- files --------------------------------------------------------------------------------------------------------- */

thud_error thud_compare_write(const thud_compare *compare, const char *path, bool overwrite) {
  THUD_REQUIRE_OF(compare, path);
  const char *dot = strrchr(path, '.');
  const char *suffix = dot != NULL ? dot : "";
  thud_text text = thud_text_new(compare->context);
  if (strcmp(suffix, ".csv") == 0) {
    thud_compare_print_csv(compare, &text);
  } else if (strcmp(suffix, ".md") == 0) {
    thud_compare_print_markdown(compare, &text);
    thud_text_print(&text, "\n<!-- thud %s -->\n", thud_version());
  } else if (strcmp(suffix, ".json") == 0) {
    thud_json json = thud_json_new(&text);
    thud_compare_print_json(compare, &json);
    thud_text_print(&text, "\n");
  } else if (strcmp(suffix, ".png") == 0 || strcmp(suffix, ".svg") == 0 || strcmp(suffix, ".pdf") == 0) {
    return thud_compare_draw(compare, path, overwrite);
  } else {
    return thud_fail(compare->context, THUD_ERROR_ARGUMENT,
                     "[file-ending] %s: its ending is none of .csv, .md, .json, .png, .svg, .pdf", path);
  }
  thud_error error = text.error;
  if (error == THUD_OK) error = thud_output_write(compare->context, path, overwrite, text.data, text.length);
  thud_text_free(&text);
  return error;
}
