/* A comparison as JSON. */
#include "study/study_compare.h"

#include <math.h>

static void bool_field(thud_json *json, const char *key, bool value) {
  thud_json_key(json, key);
  thud_json_bool(json, value);
}

static void count_field(thud_json *json, const char *key, size_t value) {
  thud_json_integer_field(json, key, (int64_t)value);
}

static void name_field(thud_json *json, const char *key, const thud_compare *compare, size_t problem) {
  thud_json_string_field(json, key, problem < compare->problem_count ? compare->problems[problem].name : NULL);
}

static void print_result(const thud_compare_result *result, thud_json *json) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "solver", result->solver);
  bool_field(json, "other", result->other);
  thud_json_string_field(json, "status", thud_compare_status_name(result->status));
  thud_json_number_field(json, "residual", result->residual);
  thud_json_integer_field(json, "iterations", result->iterations);
  thud_json_number_field(json, "seconds", result->seconds);
  thud_json_number_field(json, "first_seconds", result->first_seconds);
  thud_json_string_field(json, "note", result->note);
  thud_json_end_object(json);
}

static void print_problem(const thud_compare *compare, size_t p, thud_json *json) {
  const thud_compare_problem *problem = &compare->problems[p].shown;
  const thud_compare_result *mine = thud_compare_of_auto(compare, p), *result;
  const thud_compare_result *single = thud_compare_of_best(compare, p, false);
  thud_json_begin_object(json);
  thud_json_string_field(json, "name", problem->name);
  thud_json_string_field(json, "part", problem->part);
  thud_json_string_field(json, "kind", thud_problem_kind_name(problem->kind));
  thud_json_integer_field(json, "dimension", problem->dimension);
  thud_json_integer_field(json, "contacts", problem->contacts);
  bool_field(json, "trivial", problem->trivial);
  thud_json_string_field(json, "best_method", single != NULL ? single->solver : NULL);
  thud_json_number_field(json, "best_seconds", single != NULL ? single->seconds : NAN);
  thud_json_number_field(json, "best_residual", single != NULL ? single->residual : NAN);
  thud_json_string_field(json, "auto_status", mine != NULL ? thud_compare_status_name(mine->status) : NULL);
  thud_json_number_field(json, "auto_seconds", mine != NULL ? mine->seconds : NAN);
  thud_json_number_field(json, "auto_residual", mine != NULL ? mine->residual : NAN);
  thud_json_number_field(json, "regret", thud_compare_ratio(compare, p, single));
  if (thud_compare_has_others(compare))
    thud_json_number_field(json, "ratio", thud_compare_ratio(compare, p, thud_compare_of_best(compare, p, true)));
  thud_json_key(json, "results");
  thud_json_begin_array(json);
  for (size_t k = 0; (result = thud_compare_result_at(compare, p, k)) != NULL; k++) print_result(result, json);
  thud_json_end_array(json);
  thud_json_end_object(json);
}

static void print_histogram(const thud_compare_summary *sum, thud_json *json) {
  thud_json_key(json, "regret_bounds");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k + 1 < THUD_COMPARE_BINS; k++) thud_json_number(json, sum->regret_bounds[k]);
  thud_json_end_array(json);
  thud_json_key(json, "regret_counts");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < THUD_COMPARE_BINS; k++) thud_json_integer(json, (int64_t)sum->regrets[k]);
  thud_json_end_array(json);
}

static void print_summary(const thud_compare *compare, const char *part, thud_json *json) {
  thud_compare_summary sum;
  if (thud_compare_summarise(compare, part, &sum) != THUD_OK) return;
  thud_json_begin_object(json);
  thud_json_string_field(json, "part", part);
  count_field(json, "problems", sum.problems);
  count_field(json, "auto_solved", sum.auto_solved);
  count_field(json, "single_solved", sum.single_solved);
  count_field(json, "lost", sum.lost);
  thud_json_number_field(json, "regret_mean", sum.regret_mean);
  thud_json_number_field(json, "worst_regret", sum.worst_regret);
  name_field(json, "worst_regret_problem", compare, sum.worst_regret_problem);
  print_histogram(&sum, json);
  if (thud_compare_has_others(compare)) {
    count_field(json, "others_solved", sum.others_solved);
    count_field(json, "compared", sum.compared);
    thud_json_number_field(json, "ratio_mean", sum.ratio_mean);
    thud_json_number_field(json, "worst_ratio", sum.worst_ratio);
    name_field(json, "worst_ratio_problem", compare, sum.worst_ratio_problem);
    count_field(json, "small", sum.small);
    count_field(json, "small_above_one", sum.small_above_one);
    thud_json_number_field(json, "worst_small", sum.worst_small);
    name_field(json, "worst_small_problem", compare, sum.worst_small_problem);
  }
  thud_json_end_object(json);
}

static void print_methods(const thud_compare *compare, thud_json *json) {
  thud_compare_method method;
  thud_json_key(json, "methods");
  thud_json_begin_array(json);
  for (size_t k = 0; thud_compare_method_at(compare, k, &method); k++) {
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", method.name);
    count_field(json, "taken", method.taken);
    count_field(json, "solved", method.solved);
    count_field(json, "fastest", method.fastest);
    thud_json_end_object(json);
  }
  thud_json_end_array(json);
}

void thud_compare_print_json(const thud_compare *compare, thud_json *json) {
  const char *part;
  thud_json_begin_object(json);
  thud_json_string_field(json, "title", compare->title);
  thud_json_number_field(json, "tolerance", compare->options.tolerance);
  thud_json_number_field(json, "max_seconds", compare->options.max_seconds);
  thud_json_integer_field(json, "runs", compare->options.runs);
  thud_json_number_field(json, "least_seconds", THUD_COMPARE_FLOOR);
  thud_json_key(json, "problems");
  thud_json_begin_array(json);
  for (size_t p = 0; p < compare->problem_count; p++) print_problem(compare, p, json);
  thud_json_end_array(json);
  thud_json_key(json, "summary");
  print_summary(compare, NULL, json);
  thud_json_key(json, "parts");
  thud_json_begin_array(json);
  for (size_t k = 0; (part = thud_compare_part_at(compare, k)) != NULL; k++) print_summary(compare, part, json);
  thud_json_end_array(json);
  print_methods(compare, json);
  thud_json_end_object(json);
}
