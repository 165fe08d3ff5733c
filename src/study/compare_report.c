/* A comparison as CSV and as Markdown. */
#include "study/study_compare.h"

#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- every result ------------------------------------------------------------------------------------------------ */

/* A number and a comma, or the comma alone where there is none. */
static void csv_number(thud_text *text, int digits, double value) {
  char number[COMPARE_NUMBER];
  thud_text_print(text, "%s,", isfinite(value) ? thud_compare_number_text(value, digits, number) : "");
}

/* In quotation marks where it needs them. */
static void csv_text(thud_text *text, const char *word) {
  if (strpbrk(word, ",\"\n\r") == NULL) {
    thud_text_print(text, "%s", word);
    return;
  }
  thud_text_append(text, "\"", 1);
  for (const char *at = word; *at != '\0'; at++) thud_text_append(text, *at == '"' ? "\"\"" : at, *at == '"' ? 2 : 1);
  thud_text_append(text, "\"", 1);
}

void thud_compare_print_csv(const thud_compare *compare, thud_text *text) {
  char tolerance[COMPARE_NUMBER];
  thud_compare_tolerance_text(compare->options.tolerance, tolerance);
  thud_text_print(text, "problem,part,kind,dimension,contacts,solver,tolerance,status,residual,iterations,seconds,"
                        "first_seconds,note\n");
  for (size_t k = 0; k < compare->result_count; k++) {
    const thud_compare_result *result = &compare->results[k];
    const thud_compare_problem *problem = &compare->problems[result->problem].shown;
    csv_text(text, problem->name);
    thud_text_append(text, ",", 1);
    csv_text(text, problem->part != NULL ? problem->part : "");
    thud_text_print(text, ",%s,%d,%d,", thud_problem_kind_name(problem->kind), (int)problem->dimension,
                    (int)problem->contacts);
    csv_text(text, result->solver);
    thud_text_print(text, ",%s,%s,", tolerance, thud_compare_status_name(result->status));
    csv_number(text, 3, result->residual);
    thud_text_print(text, "%d,", result->iterations);
    csv_number(text, 4, result->seconds);
    csv_number(text, 4, result->first_seconds);
    csv_text(text, result->note);
    thud_text_append(text, "\n", 1);
  }
}

/* ---- a row per problem ------------------------------------------------------------------------------------------- */

/* Solvers of others are called "siconos-NAME": that says nothing in a column about Siconos. */
static const char *short_name(const thud_compare *compare, const thud_compare_result *result) {
  const char *name = result->solver, *dash = strchr(name, '-');
  size_t length = result->other && compare->others != NULL ? strlen(compare->others) : 0;
  bool begins = length > 0 && dash != NULL && (size_t)(dash - name) == length;
  for (size_t k = 1; begins && k < length; k++) begins = name[k] == compare->others[k]; /* but for a capital */
  return begins ? dash + 1 : name;
}

static void add_best(const thud_compare *compare, const thud_compare_result *best, compare_grid *grid) {
  char text[COMPARE_NUMBER];
  thud_compare_grid_add(grid, "%s", best != NULL ? short_name(compare, best) : "-");
  thud_compare_grid_add(grid, "%s", thud_compare_time_text(best != NULL ? best->seconds : NAN, text));
  thud_compare_grid_add(grid, "%s", thud_compare_number_text(best != NULL ? best->residual : NAN, 2, text));
}

static void add_auto(const thud_compare_result *mine, compare_grid *grid) {
  char text[COMPARE_NUMBER];
  bool solved = mine != NULL && mine->status == THUD_COMPARE_SOLVED;
  thud_compare_grid_add(grid, "%s",
                        mine == NULL ? "-"
                        : solved     ? thud_compare_time_text(mine->seconds, text)
                                     : thud_compare_status_name(mine->status));
  thud_compare_grid_add(grid, "%s", thud_compare_number_text(mine != NULL ? mine->residual : NAN, 2, text));
}

/* Two digits behind the point, whatever the locale; "-" for NaN. */
static const char *ratio_text(double ratio, char text[COMPARE_NUMBER]) {
  if (isnan(ratio) || ratio >= 1e9) return thud_compare_number_text(ratio, 3, text);
  long hundredths = lround(100 * ratio);
  snprintf(text, COMPARE_NUMBER, "%ld.%02ld", hundredths / 100, hundredths % 100);
  return text;
}

static const char *remark_of(const thud_compare_problem *problem, const thud_compare_result *mine,
                             const thud_compare_result *single, const thud_compare_result *theirs) {
  bool solved = mine != NULL && mine->status == THUD_COMPARE_SOLVED;
  if (problem->trivial) return "r = 0 solves it: not counted";
  if (solved || mine == NULL) return "";
  if (single != NULL) return "lost";
  return theirs != NULL ? "solved by others only" : "solved by none";
}

static void add_head(const thud_compare *compare, bool has_parts, compare_grid *grid) {
  static const char *const front[] = {"kind", "dim",      "contacts", "best single method", "its time", "its residual",
                                      "auto", "residual", "regret",   "auto used"};
  thud_compare_grid_add(grid, "problem");
  if (has_parts) thud_compare_grid_add(grid, "part");
  for (size_t k = 0; k < sizeof front / sizeof *front; k++) thud_compare_grid_add(grid, "%s", front[k]);
  if (thud_compare_has_others(compare)) {
    thud_compare_grid_add(grid, "best of %s", compare->others);
    thud_compare_grid_add(grid, "its time");
    thud_compare_grid_add(grid, "its residual");
    thud_compare_grid_add(grid, "ratio");
    thud_compare_grid_add(grid, "below %d contacts", THUD_COMPARE_SMALL);
  }
  thud_compare_grid_add(grid, "remark");
  thud_compare_grid_end_row(grid);
}

static void add_problem(const thud_compare *compare, size_t p, bool has_parts, compare_grid *grid) {
  const thud_compare_problem *problem = &compare->problems[p].shown;
  const thud_compare_result *mine = thud_compare_of_auto(compare, p);
  const thud_compare_result *single = thud_compare_of_best(compare, p, false),
                            *theirs = thud_compare_of_best(compare, p, true);
  char text[COMPARE_NUMBER];
  thud_compare_grid_add(grid, "%s", problem->name);
  if (has_parts) thud_compare_grid_add(grid, "%s", problem->part != NULL ? problem->part : "-");
  thud_compare_grid_add(grid, "%s", thud_problem_kind_name(problem->kind));
  thud_compare_grid_add(grid, "%d", (int)problem->dimension);
  thud_compare_grid_add(grid, "%d", (int)problem->contacts);
  add_best(compare, single, grid);
  add_auto(mine, grid);
  thud_compare_grid_add(grid, "%s", ratio_text(thud_compare_ratio(compare, p, single), text));
  thud_compare_grid_add(grid, "%s", mine != NULL ? mine->note : "-");
  if (thud_compare_has_others(compare)) {
    const char *ratio = ratio_text(thud_compare_ratio(compare, p, theirs), text);
    add_best(compare, theirs, grid);
    thud_compare_grid_add(grid, "%s", ratio);
    thud_compare_grid_add(grid, "%s", problem->contacts < THUD_COMPARE_SMALL && !problem->trivial ? ratio : "");
  }
  thud_compare_grid_add(grid, "%s", remark_of(problem, mine, single, theirs));
  thud_compare_grid_end_row(grid);
}

/* ---- the summary ------------------------------------------------------------------------------------------------- */

static const char *name_of(const thud_compare *compare, size_t problem) {
  return problem < compare->problem_count ? compare->problems[problem].name : "-";
}

static void print_regret(const thud_compare *compare, const thud_compare_summary *sum, thud_text *text) {
  char mean[COMPARE_NUMBER], worst[COMPARE_NUMBER];
  thud_text_print(text,
                  "Regret, time(auto) / time(best single method of thud), times below 10 us counted as that: "
                  "geometric mean %s, worst %s (%s), lost (a method solves it, auto does not) %zu of %zu.\n",
                  ratio_text(sum->regret_mean, mean), ratio_text(sum->worst_regret, worst),
                  name_of(compare, sum->worst_regret_problem), sum->lost, sum->single_solved);
}

static void print_ratios(const thud_compare *compare, const thud_compare_summary *sum, thud_text *text) {
  char mean[COMPARE_NUMBER], first[COMPARE_NUMBER], worst[COMPARE_NUMBER];
  if (!thud_compare_has_others(compare)) return;
  thud_text_print(text,
                  "Solved by the best of %s: %zu, by it or auto: %zu. Over the %zu that both solve: geometric mean of "
                  "time(auto) / time(best of %s) %s (create + solve: %s), worst %s (%s), above 3: %zu.\n",
                  compare->others, sum->others_solved, sum->either_solved, sum->compared, compare->others,
                  ratio_text(sum->ratio_mean, mean), ratio_text(sum->first_ratio_mean, first),
                  ratio_text(sum->worst_ratio, worst), name_of(compare, sum->worst_ratio_problem), sum->above_three);
  thud_text_print(
      text, "Below %d contacts, %zu problems that both solve: geometric mean %s, worst %s (%s), above 1: %zu.\n",
      THUD_COMPARE_SMALL, sum->small, ratio_text(sum->small_mean, mean), ratio_text(sum->worst_small, worst),
      name_of(compare, sum->worst_small_problem), sum->small_above_one);
}

enum { BAR = 40 }; /* characters of the longest bar of a histogram */

static void print_histogram(const thud_compare_summary *sum, thud_text *text) {
  static const char bar[BAR + 1] = "########################################";
  compare_grid grid = thud_compare_grid_new(text->context);
  size_t most = 1;
  char bound[COMPARE_NUMBER];
  for (size_t k = 0; k < THUD_COMPARE_BINS; k++) most = sum->regrets[k] > most ? sum->regrets[k] : most;
  if (sum->lost > most) most = sum->lost;
  thud_compare_grid_add(&grid, "regret");
  thud_compare_grid_add(&grid, "problems");
  thud_compare_grid_add(&grid, "%s", "");
  thud_compare_grid_end_row(&grid);
  for (size_t k = 0; k <= THUD_COMPARE_BINS; k++) {
    size_t count = k < THUD_COMPARE_BINS ? sum->regrets[k] : sum->lost;
    size_t last = THUD_COMPARE_BINS - 1, length = (count * BAR + most - 1) / most;
    if (k < THUD_COMPARE_BINS)
      thud_compare_grid_add(&grid, "%s %s", k < last ? "up to" : "above",
                            thud_compare_number_text(sum->regret_bounds[k < last ? k : last - 1], 3, bound));
    else
      thud_compare_grid_add(&grid, "lost");
    thud_compare_grid_add(&grid, "%zu", count);
    thud_compare_grid_add(&grid, "%.*s", (int)length, bar);
    thud_compare_grid_end_row(&grid);
  }
  thud_compare_grid_print(&grid, text);
}

static void print_part(const thud_compare *compare, const char *part, thud_text *text) {
  thud_compare_summary sum;
  if (thud_compare_summarise(compare, part, &sum) != THUD_OK) return;
  thud_text_print(text, "\n%s%s%zu problem%s; solved by auto: %zu, by some single method of thud: %zu.\n",
                  part != NULL ? part : "", part != NULL ? ": " : "", sum.problems, thud_plural(sum.problems),
                  sum.auto_solved, sum.single_solved);
  if (sum.problems == 0) return;
  print_regret(compare, &sum, text);
  print_ratios(compare, &sum, text);
  thud_text_print(text, "\n");
  print_histogram(&sum, text);
}

static void print_methods(const thud_compare *compare, thud_text *text) {
  compare_grid grid = thud_compare_grid_new(text->context);
  thud_compare_method method;
  thud_compare_grid_add(&grid, "method");
  thud_compare_grid_add(&grid, "takes");
  thud_compare_grid_add(&grid, "solves");
  thud_compare_grid_add(&grid, "fastest");
  thud_compare_grid_end_row(&grid);
  for (size_t k = 0; thud_compare_method_at(compare, k, &method); k++) {
    thud_compare_grid_add(&grid, "%s", method.name);
    thud_compare_grid_add(&grid, "%zu", method.taken);
    thud_compare_grid_add(&grid, "%zu", method.solved);
    thud_compare_grid_add(&grid, "%zu", method.fastest);
    thud_compare_grid_end_row(&grid);
  }
  thud_text_print(text, "\n");
  thud_compare_grid_print(&grid, text);
}

void thud_compare_print_markdown(const thud_compare *compare, thud_text *text) {
  char tolerance[COMPARE_NUMBER];
  bool has_parts = thud_compare_part_at(compare, 0) != NULL;
  compare_grid grid = thud_compare_grid_new(compare->context);
  thud_text_print(text, "# %s at %s\n\n", compare->title,
                  thud_compare_tolerance_text(compare->options.tolerance, tolerance));
  add_head(compare, has_parts, &grid);
  for (size_t p = 0; p < compare->problem_count; p++) add_problem(compare, p, has_parts, &grid);
  thud_compare_grid_print(&grid, text);
  print_part(compare, NULL, text);
  for (size_t k = 0; thud_compare_part_at(compare, k) != NULL && thud_compare_part_at(compare, 1) != NULL; k++)
    print_part(compare, thud_compare_part_at(compare, k), text);
  print_methods(compare, text);
}

/* ---- several tables ------------------------------------------------------------------------------------------------ */

static void overview_head(bool others, compare_grid *grid) {
  static const char *const front[] = {"problems of",  "tolerance",       "part",   "count",
                                      "auto solves",  "a method solves", "lost",   "regret",
                                      "worst regret", "up to 1.15",      "above 3"};
  static const char *const back[] = {"others solve", "ratio", "worst ratio", "small", "worst small", "small above 1"};
  for (size_t k = 0; k < sizeof front / sizeof *front; k++) thud_compare_grid_add(grid, "%s", front[k]);
  for (size_t k = 0; others && k < sizeof back / sizeof *back; k++) thud_compare_grid_add(grid, "%s", back[k]);
  thud_compare_grid_end_row(grid);
}

static void overview_row(const thud_compare *compare, const char *part, bool others, compare_grid *grid) {
  thud_compare_summary sum;
  char text[COMPARE_NUMBER];
  if (thud_compare_summarise(compare, part, &sum) != THUD_OK) return;
  const size_t counts[] = {sum.problems, sum.auto_solved, sum.single_solved, sum.lost};
  thud_compare_grid_add(grid, "%s", compare->title);
  thud_compare_grid_add(grid, "%s", thud_compare_tolerance_text(compare->options.tolerance, text));
  thud_compare_grid_add(grid, "%s", part != NULL ? part : "all");
  for (size_t k = 0; k < 4; k++) thud_compare_grid_add(grid, "%zu", counts[k]);
  thud_compare_grid_add(grid, "%s", ratio_text(sum.regret_mean, text));
  thud_compare_grid_add(grid, "%s", ratio_text(sum.worst_regret, text));
  thud_compare_grid_add(grid, "%zu", sum.regrets[0] + sum.regrets[1]);
  thud_compare_grid_add(grid, "%zu", sum.regrets[THUD_COMPARE_BINS - 1]);
  if (others) {
    thud_compare_grid_add(grid, "%zu", sum.others_solved);
    thud_compare_grid_add(grid, "%s", ratio_text(sum.ratio_mean, text));
    thud_compare_grid_add(grid, "%s", ratio_text(sum.worst_ratio, text));
    thud_compare_grid_add(grid, "%zu", sum.small);
    thud_compare_grid_add(grid, "%s", ratio_text(sum.worst_small, text));
    thud_compare_grid_add(grid, "%zu", sum.small_above_one);
  }
  thud_compare_grid_end_row(grid);
}

void thud_compare_print_overview(size_t count, thud_compare *const *tables, thud_text *text) {
  compare_grid grid = thud_compare_grid_new(text->context);
  bool others = false;
  for (size_t k = 0; k < count; k++) others = others || thud_compare_has_others(tables[k]);
  overview_head(others, &grid);
  for (size_t k = 0; k < count; k++) {
    const char *part;
    overview_row(tables[k], NULL, others, &grid);
    for (size_t j = 0; (part = thud_compare_part_at(tables[k], j)) != NULL; j++)
      overview_row(tables[k], part, others, &grid);
  }
  thud_compare_grid_print(&grid, text);
}
