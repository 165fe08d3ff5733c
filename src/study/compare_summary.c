/* Summary of a comparison: regret of auto, ratios to other solvers, counts of every method. */
#include "study/study_compare.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Regrets are counted up to each of these, and above. */
static const double regret_bounds[THUD_COMPARE_BINS - 1] = {1, 1.15, 1.5, 2, 3};

/* A geometric mean in the making, with the largest number met. */
typedef struct tally {
  size_t count, worst_problem;
  double log_sum, worst;
} tally;

static void count_ratio(tally *sum, double ratio, size_t problem) {
  sum->count++;
  sum->log_sum += log(ratio);
  if (sum->count > 1 && ratio <= sum->worst) return;
  sum->worst = ratio;
  sum->worst_problem = problem;
}

static double mean_of(const tally *sum) { return sum->count > 0 ? exp(sum->log_sum / (double)sum->count) : NAN; }

typedef struct tallies {
  tally regret, ratio, first, small;
} tallies;

static void count_problem(const thud_compare *compare, size_t p, tallies *sums, thud_compare_summary *summary) {
  const thud_compare_result *mine = thud_compare_of_auto(compare, p);
  const thud_compare_result *single = thud_compare_of_best(compare, p, false),
                            *theirs = thud_compare_of_best(compare, p, true);
  bool solved = mine != NULL && mine->status == THUD_COMPARE_SOLVED;
  summary->problems++;
  summary->auto_solved += solved;
  summary->single_solved += single != NULL;
  summary->others_solved += theirs != NULL;
  summary->either_solved += solved || theirs != NULL;
  summary->lost += mine != NULL && single != NULL && !solved;
  if (solved && single != NULL) {
    double regret = thud_compare_ratio(compare, p, single);
    size_t bin = 0;
    while (bin < THUD_COMPARE_BINS - 1 && regret > regret_bounds[bin]) bin++;
    summary->regrets[bin]++;
    count_ratio(&sums->regret, regret, p);
  }
  if (!solved || theirs == NULL) return;
  double ratio = thud_compare_ratio(compare, p, theirs);
  count_ratio(&sums->ratio, ratio, p);
  summary->above_three += ratio > 3;
  if (isfinite(mine->first_seconds))
    count_ratio(&sums->first, fmax(mine->first_seconds, THUD_COMPARE_FLOOR) / thud_compare_seconds(theirs), p);
  if (compare->problems[p].shown.contacts >= THUD_COMPARE_SMALL) return;
  count_ratio(&sums->small, ratio, p);
  summary->small_above_one += ratio > 1;
}

static void take_worst(const tally *sum, double *worst, size_t *problem) {
  *worst = sum->count > 0 ? sum->worst : NAN;
  *problem = sum->count > 0 ? sum->worst_problem : SIZE_MAX;
}

thud_error thud_compare_summarise(const thud_compare *compare, const char *part, thud_compare_summary *summary) {
  THUD_REQUIRE_OF(compare, summary);
  tallies sums = {0};
  thud_compare_summary made = {0};
  for (size_t p = 0; p < compare->problem_count; p++) {
    const thud_compare_problem *problem = &compare->problems[p].shown;
    bool inside = part == NULL || (problem->part != NULL && strcmp(problem->part, part) == 0);
    if (inside && !problem->trivial) count_problem(compare, p, &sums, &made);
  }
  memcpy(made.regret_bounds, regret_bounds, sizeof regret_bounds);
  made.regret_mean = mean_of(&sums.regret);
  made.compared = sums.ratio.count;
  made.ratio_mean = mean_of(&sums.ratio);
  made.first_ratio_mean = mean_of(&sums.first);
  made.small = sums.small.count;
  made.small_mean = mean_of(&sums.small);
  take_worst(&sums.regret, &made.worst_regret, &made.worst_regret_problem);
  take_worst(&sums.ratio, &made.worst_ratio, &made.worst_ratio_problem);
  take_worst(&sums.small, &made.worst_small, &made.worst_small_problem);
  *summary = made;
  return THUD_OK;
}

/* ---- methods ------------------------------------------------------------------------------------------------------- */

/* The results of a name: one of thud's methods. */
static void count_method(const thud_compare *compare, const char *name, thud_compare_method *method) {
  *method = (thud_compare_method){.name = name};
  for (size_t k = 0; k < compare->result_count; k++) {
    const thud_compare_result *result = &compare->results[k];
    if (result->other || strcmp(result->solver, name) != 0 || compare->problems[result->problem].shown.trivial)
      continue;
    const thud_compare_result *best = thud_compare_of_best(compare, result->problem, false);
    method->taken += result->status != THUD_COMPARE_REFUSED;
    method->solved += result->status == THUD_COMPARE_SOLVED;
    method->fastest += best != NULL && thud_compare_seconds(result) <= thud_compare_seconds(best);
  }
}

bool thud_compare_method_at(const thud_compare *compare, size_t k, thud_compare_method *method) {
  THUD_REQUIRE_OR(false, compare, method);
  for (size_t j = 0; j < compare->result_count; j++) {
    const thud_compare_result *result = &compare->results[j];
    bool known = result->other;
    for (size_t i = 0; i < j && !known; i++) known = strcmp(compare->results[i].solver, result->solver) == 0;
    if (known || k-- > 0) continue;
    count_method(compare, result->solver, method);
    return true;
  }
  return false;
}
