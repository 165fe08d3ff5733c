/* Comparisons of solvers: regret, means and counts of given times, tables, profiles, measuring, failures. */
#include "failing_allocator.h"
#include "random_problems.h"
#include "scratch_folder.h"
#include "study/study_compare.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* u = r + q: r = 0 solves it for q >= 0. */
static const double one[] = {1}, pressed[] = {-1}, apart[] = {1};

static thud_contact_problem lcp(bool trivial) {
  return thud_test_dense_problem(1, 1, one, trivial ? apart : pressed, NULL);
}

static thud_compare *make_table(thud_context *context, const char *others) {
  thud_compare_options options = thud_compare_options_default();
  thud_compare *table;
  options.title = "made up";
  options.tolerance = 1e-4;
  options.others = others;
  assert_int_equal(thud_compare_create(context, &options, &table), THUD_OK);
  return table;
}

static void add_problem(thud_compare *table, const char *name, const char *part, bool trivial) {
  thud_contact_problem problem = lcp(trivial);
  size_t index;
  assert_int_equal(thud_compare_add_problem(table, name, part, &problem, &index), THUD_OK);
  assert_int_equal(index, thud_compare_problem_count(table) - 1);
}

/* seconds < 0: ended unsolved after so long. Names that begin with "siconos-" are those of others. */
static void add_result(thud_compare *table, const char *solver, double seconds) {
  bool other = strncmp(solver, "siconos-", 8) == 0;
  thud_compare_result result = {.problem = thud_compare_problem_count(table) - 1,
                                .other = other,
                                .status = seconds < 0 ? THUD_COMPARE_UNSOLVED : THUD_COMPARE_SOLVED,
                                .residual = seconds < 0 ? 0.5 : 1e-6,
                                .seconds = fabs(seconds),
                                .first_seconds = 2 * fabs(seconds)};
  snprintf(result.solver, sizeof result.solver, "%s", solver);
  snprintf(result.family, sizeof result.family, "%s", other ? "NSGS" : solver);
  snprintf(result.note, sizeof result.note, "%s", solver);
  assert_int_equal(thud_compare_add_result(table, &result), THUD_OK);
}

/* Regrets 2, 1 (both below 10 us), 4 and one lost; ratios to the others 4, 1, 0.5; a trivial problem that would change
 * everything. */
static thud_compare *make_example(thud_context *context) {
  thud_compare *table = make_table(context, "Siconos");
  add_problem(table, "a", "chosen", false);
  add_result(table, "auto", 4e-5);
  add_result(table, "newton", 2e-5);
  add_result(table, "lemke", -1e-6);
  add_result(table, "siconos-NSGS", 1e-5);
  add_result(table, "siconos-PROX", 3e-5);
  add_problem(table, "b, with a comma", "held-back", false);
  add_result(table, "auto", 8e-6);
  add_result(table, "newton", 1e-6);
  add_result(table, "siconos-NSGS", 2e-6);
  add_problem(table, "c", "chosen", false);
  add_result(table, "auto", 4e-3);
  add_result(table, "newton", 8e-3);
  add_result(table, "lemke", 1e-3);
  add_result(table, "siconos-NSGS", 8e-3);
  add_problem(table, "d", "held-back", false);
  add_result(table, "auto", -1);
  add_result(table, "newton", 5e-5);
  add_problem(table, "e", "held-back", true);
  add_result(table, "auto", 1);
  add_result(table, "newton", 1e-3);
  return table;
}

static void regret_and_ratios_are_those_of_the_times(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare *table = make_example(context);
  thud_compare_summary sum;
  assert_int_equal(thud_compare_summarise(table, NULL, &sum), THUD_OK);
  assert_int_equal(sum.problems, 4);
  assert_int_equal(sum.auto_solved, 3);
  assert_int_equal(sum.single_solved, 4);
  assert_int_equal(sum.lost, 1);
  thud_assert_near(sum.regret_mean, 2, 1e-14); /* (2 * 1 * 4)^(1/3) */
  thud_assert_near(sum.worst_regret, 4, 1e-14);
  assert_int_equal(sum.worst_regret_problem, 2);
  const size_t bins[THUD_COMPARE_BINS] = {1, 0, 0, 1, 0, 1};
  for (size_t k = 0; k < THUD_COMPARE_BINS; k++) assert_int_equal(sum.regrets[k], bins[k]);
  assert_int_equal(sum.others_solved, 3);
  assert_int_equal(sum.either_solved, 3);
  assert_int_equal(sum.compared, 3);
  assert_int_equal(sum.above_three, 1);
  thud_assert_near(sum.ratio_mean, pow(2, 1. / 3), 1e-14);          /* (4 * 1 * 0.5)^(1/3) */
  thud_assert_near(sum.first_ratio_mean, pow(12.8, 1. / 3), 1e-14); /* (8 * 1.6 * 1)^(1/3): create + solve */
  assert_int_equal(sum.worst_ratio_problem, 0);
  assert_int_equal(sum.small, 3); /* one contact each */
  assert_int_equal(sum.small_above_one, 1);
  thud_assert_near(sum.worst_small, 4, 1e-14);
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

static void parts_are_summed_up_on_their_own(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare *table = make_example(context);
  thud_compare_summary sum;
  assert_string_equal(thud_compare_part_at(table, 0), "chosen");
  assert_string_equal(thud_compare_part_at(table, 1), "held-back");
  assert_null(thud_compare_part_at(table, 2));
  assert_int_equal(thud_compare_summarise(table, "chosen", &sum), THUD_OK);
  assert_int_equal(sum.problems, 2);
  thud_assert_near(sum.regret_mean, sqrt(8), 1e-14);
  assert_int_equal(thud_compare_summarise(table, "held-back", &sum), THUD_OK);
  assert_int_equal(sum.problems, 2); /* the trivial one is not counted */
  assert_int_equal(sum.lost, 1);
  thud_assert_equal(sum.regret_mean, 1);
  assert_int_equal(thud_compare_summarise(table, "none", &sum), THUD_OK);
  assert_int_equal(sum.problems, 0);
  assert_true(isnan(sum.regret_mean) && isnan(sum.worst_ratio));
  thud_assert_equal(sum.worst_regret_problem, SIZE_MAX);
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

static void methods_are_counted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare *table = make_example(context);
  static const thud_compare_method expected[] = {
      {.name = "auto", .taken = 4, .solved = 3, .fastest = 1},
      {.name = "newton", .taken = 4, .solved = 4, .fastest = 3},
      {.name = "lemke", .taken = 2, .solved = 1, .fastest = 1},
  };
  thud_compare_method method;
  for (size_t k = 0; k < 3; k++) {
    assert_true(thud_compare_method_at(table, k, &method));
    assert_string_equal(method.name, expected[k].name);
    assert_int_equal(method.taken, expected[k].taken);
    assert_int_equal(method.solved, expected[k].solved);
    assert_int_equal(method.fastest, expected[k].fastest);
  }
  assert_false(thud_compare_method_at(table, 3, &method));
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

/* The number of times a piece is in the text. */
static int count_of(const char *text, const char *piece) {
  int count = 0;
  for (const char *at = strstr(text, piece); at != NULL; at = strstr(at + 1, piece)) count++;
  return count;
}

static void tables_say_what_was_measured(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare *table = make_example(context);
  thud_text text = thud_text_new(context);
  thud_compare_print_csv(table, &text);
  assert_non_null(strstr(thud_text_chars(&text), "\na,chosen,local,1,1,auto,1e-4,solved,1e-06,0,4e-05,8e-05,auto\n"));
  assert_non_null(strstr(thud_text_chars(&text), "\n\"b, with a comma\",held-back,local,1,1,newton,"));
  assert_int_equal(count_of(thud_text_chars(&text), "\n"), 17);
  thud_text_free(&text);
  thud_compare_print_markdown(table, &text);
  const char *markdown = thud_text_chars(&text);
  assert_non_null(strstr(markdown, "# made up at 1e-4\n"));
  assert_non_null(
      strstr(markdown, "| c               | chosen    | local | 1   | 1        | lemke              | 1 ms "));
  assert_int_equal(count_of(markdown, "r = 0 solves it: not counted"), 1);
  assert_int_equal(count_of(markdown, "| lost "), 4); /* the problem d, and a row of each histogram */
  assert_non_null(strstr(markdown, "geometric mean 2.00, worst 4.00 (c)"));
  assert_non_null(strstr(markdown, "\nchosen: 2 problems; solved by auto: 2"));
  assert_non_null(strstr(markdown, "\nheld-back: 2 problems; solved by auto: 1"));
  thud_text_free(&text);
  thud_compare_print_overview(1, &table, &text);
  assert_int_equal(count_of(thud_text_chars(&text), "\n"), 5); /* head, rule, all, two parts */
  thud_text_free(&text);
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

static void columns_are_aligned_and_bars_escaped(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  compare_grid grid = thud_compare_grid_new(context);
  thud_text text = thud_text_new(context);
  thud_compare_grid_add(&grid, "name");
  thud_compare_grid_add(&grid, "n");
  thud_compare_grid_end_row(&grid);
  thud_compare_grid_add(&grid, "a|b");
  thud_compare_grid_end_row(&grid);                   /* a missing cell is empty */
  thud_compare_grid_add(&grid, "\303\251t\303\251s"); /* five characters of two bytes or one: 4 wide */
  thud_compare_grid_add(&grid, "%d", 12345);
  thud_compare_grid_end_row(&grid);
  thud_compare_grid_print(&grid, &text);
  assert_string_equal(thud_text_chars(&text), "| name | n     |\n| ---- | ----- |\n| a\\|b |       |\n"
                                              "| \303\251t\303\251s | 12345 |\n");
  thud_text_free(&text);
  thud_test_context_end(context);
}

/* Names of files may hold line ends and orders to the terminal: a row stays a row. */
static void control_characters_stay_out_of_tables(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_text text = thud_text_new(context);
  compare_grid grid = thud_compare_grid_new(context);
  thud_compare_grid_add(&grid, "%s", "a\nb\rc\033[31m\177");
  thud_compare_grid_end_row(&grid);
  thud_compare_grid_print(&grid, &text);
  assert_string_equal(thud_text_chars(&text), "| a?b?c?[31m? |\n| ----------- |\n");
  thud_text_free(&text);
  thud_test_context_end(context);
}

static void tolerances_are_written_as_people_do(void **state) {
  (void)state;
  static const struct {
    double value;
    const char *text;
  } cases[] = {{1e-4, "1e-4"}, {1e-8, "1e-8"}, {2.5e-6, "2.5e-6"}, {1, "1e0"}, {1e-15, "1e-15"}, {0.05, "5e-2"}};
  char text[COMPARE_NUMBER];
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
    assert_string_equal(thud_compare_tolerance_text(cases[k].value, text), cases[k].text);
  assert_string_equal(thud_compare_time_text(1.5e-6, text), "1.5 us");
  assert_string_equal(thud_compare_time_text(0.0123, text), "12.3 ms");
  assert_string_equal(thud_compare_time_text(2, text), "2 s");
  assert_string_equal(thud_compare_time_text(NAN, text), "-");
}

/* ---- measuring ------------------------------------------------------------------------------------------------------ */

static thud_compare *make_measuring(thud_context *context, double max_seconds, const thud_stop *stop) {
  thud_compare_options options = thud_compare_options_default();
  thud_compare *table;
  options.runs = 2;
  options.max_seconds = max_seconds;
  if (stop != NULL) options.stop = *stop;
  assert_int_equal(thud_compare_create(context, &options, &table), THUD_OK);
  return table;
}

static void make_random(thud_context *context, thud_index dimension, thud_index contacts, thud_test_problem *made) {
  thud_random random = thud_random_seed(17);
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, made), THUD_OK);
}

/* Residuals are judged once more here, from the solver's own numbers: each row that counts as solved is below the
 * tolerance, every method that takes the problem has a row, auto the first. */
static void every_method_is_measured(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index dimension = 1; dimension <= 3; dimension++) {
    thud_compare *table = make_measuring(context, 5, NULL);
    thud_test_problem made;
    size_t methods = 1;
    make_random(context, dimension, 5, &made);
    for (size_t k = 0; k < thud_solver_method_count(); k++)
      methods += thud_solver_method_takes(thud_solver_method_at(k), made.problem) &&
                 strcmp(thud_solver_method_name(thud_solver_method_at(k)), "auto") != 0;
    assert_int_equal(thud_compare_measure(table, "random", NULL, made.problem), THUD_OK);
    assert_int_equal(thud_compare_result_count(table, 0), methods);
    assert_string_equal(thud_compare_result_at(table, 0, 0)->solver, "auto");
    size_t solved = 0;
    for (size_t k = 0; k < methods; k++) {
      const thud_compare_result *result = thud_compare_result_at(table, 0, k);
      assert_int_equal(result->residual <= 1e-8, result->status == THUD_COMPARE_SOLVED);
      thud_assert_greater(result->seconds, 0);
      thud_assert_greater(result->first_seconds, 0);
      solved += result->status == THUD_COMPARE_SOLVED;
    }
    thud_assert_at_least(solved, methods / 2);
    assert_int_equal(thud_compare_result_at(table, 0, 0)->status, THUD_COMPARE_SOLVED);
    assert_null(thud_compare_result_at(table, 0, methods));
    thud_test_problem_destroy(&made);
    thud_compare_destroy(table);
  }
  thud_test_context_end(context);
}

static void only_the_methods_asked_for_are_measured(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare_options options = thud_compare_options_default();
  thud_compare *table;
  thud_contact_problem problem = lcp(false);
  options.methods = "lemke,auto";
  options.runs = 1;
  assert_int_equal(thud_compare_create(context, &options, &table), THUD_OK);
  assert_int_equal(thud_compare_measure(table, "one", NULL, &problem), THUD_OK);
  assert_int_equal(thud_compare_result_count(table, 0), 2);
  assert_string_equal(thud_compare_result_at(table, 0, 1)->solver, "lemke");
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

/* No run ends within a nanosecond. */
static void nothing_is_solved_beyond_the_time_limit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare *table = make_measuring(context, 1e-9, NULL);
  thud_contact_problem problem = lcp(false);
  assert_int_equal(thud_compare_measure(table, "late", NULL, &problem), THUD_OK);
  for (size_t k = 0; k < thud_compare_result_count(table, 0); k++)
    assert_int_equal(thud_compare_result_at(table, 0, k)->status, THUD_COMPARE_TIME);
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

static int stop_after(void *user) {
  int *left = user;
  return (*left)-- <= 0;
}

/* Whenever it is stopped: the problem that is not complete is not in the table, those before it are. */
static void interruptions_leave_what_was_complete(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = lcp(false);
  for (int asked = 0; asked < 12; asked++) {
    int left = 1000000;
    thud_compare *table = make_measuring(context, 5, &(thud_stop){.ask = stop_after, .user = &left});
    assert_int_equal(thud_compare_measure(table, "first", NULL, &problem), THUD_OK);
    size_t before = thud_compare_result_count(table, 0);
    left = asked;
    assert_int_equal(thud_compare_measure(table, "second", NULL, &problem), THUD_ERROR_INTERRUPTED);
    thud_test_message_has(context, "interrupted", NULL);
    assert_int_equal(thud_compare_problem_count(table), 1);
    assert_int_equal(thud_compare_result_count(table, 0), before);
    left = 1000000;
    assert_int_equal(thud_compare_measure(table, "third", NULL, &problem), THUD_OK);
    assert_string_equal(thud_compare_problem_at(table, 1)->name, "third");
    thud_compare_destroy(table);
  }
  thud_test_context_end(context);
}

/* ---- solvers of others -------------------------------------------------------------------------------------------- */

/* Measures its error fifty times too small: r = -q (1 - 50 tolerance) while it claims `tolerance`. */
static thud_error run_boaster(const compare_solver *solver, const compare_job *job, double own_tolerance, void **state,
                              compare_answer *answer, thud_compare_result *result) {
  (void)solver;
  (void)state;
  answer->r[0] = -job->problem->q[0] * (1 - 50 * own_tolerance);
  result->seconds = 1e-3;
  result->status = THUD_COMPARE_SOLVED;
  result->iterations = (int)round(-log10(own_tolerance));
  return THUD_OK;
}

static void count_report(void *user, const thud_compare_result *result) {
  (void)result;
  ++*(int *)user;
}

/* It is asked for more until the residual by thud's measure is reached, and judged by that alone. */
static void others_are_judged_by_the_residual_of_thud(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = lcp(false);
  const compare_solver boaster = {.name = "boaster", .family = "boasters", .other = true, .run = run_boaster};
  compare_job job = {.context = context,
                     .problem = &problem,
                     .tolerance = 1e-6,
                     .max_seconds = 1,
                     .repeat_seconds = 1,
                     .runs = 3,
                     .contest = INFINITY};
  thud_compare_result result = {0};
  int reports = 0;
  const compare_listener listener = {.tell = count_report, .user = &reports};
  assert_int_equal(thud_compare_measure_solver(&boaster, &job, &listener, &result), THUD_OK);
  assert_int_equal(result.status, THUD_COMPARE_SOLVED);
  thud_assert_at_most(result.residual, 1e-6);
  thud_assert_greater(result.iterations, 6);
  assert_int_equal(reports, 4); /* two attempts, two repetitions */
  job.tolerance = 1e-15;        /* its tolerance does not go below 1e-16, an error of 5e-15 */
  assert_int_equal(thud_compare_measure_solver(&boaster, &job, NULL, &result), THUD_OK);
  assert_int_equal(result.status, THUD_COMPARE_UNSOLVED);
  thud_assert_greater(result.residual, 1e-15);
  job.max_seconds = 5e-4; /* answers that come too late do not count */
  job.tolerance = 1e-6;
  assert_int_equal(thud_compare_measure_solver(&boaster, &job, NULL, &result), THUD_OK);
  assert_int_equal(result.status, THUD_COMPARE_TIME);
  thud_test_context_end(context);
}

/* ---- files ----------------------------------------------------------------------------------------------------------- */

static void files_are_written_by_their_endings(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare *table = make_example(context), *empty = make_table(context, NULL);
  static const char *const names[] = {"t.csv", "t.md", "t.json", "t.png", "t.svg", "t.pdf"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    assert_int_equal(thud_compare_write(table, thud_test_path(names[k]), false), THUD_OK);
    assert_int_equal(thud_compare_write(table, thud_test_path(names[k]), false), THUD_ERROR_EXISTS);
    assert_int_equal(thud_compare_write(table, thud_test_path(names[k]), true), THUD_OK);
  }
  assert_int_equal(thud_compare_write(table, thud_test_path("t.txt"), true), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "t.txt", ".csv", ".png", NULL);
  assert_int_equal(thud_compare_write(empty, thud_test_path("e.md"), false), THUD_OK);
  assert_int_equal(thud_compare_write(empty, thud_test_path("e.png"), false), THUD_ERROR_NOT_FOUND);
  thud_compare_destroy(empty);
  thud_compare_destroy(table);
  thud_test_context_end(context);
}

static void folders_give_their_problems_by_name(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *names[] = {"z.yaml", "a.dat", "m.h5", "b.mtx", "README"};
  for (size_t k = 0; k < 5; k++) {
    FILE *file = fopen(thud_test_path(names[k]), "w");
    assert_non_null(file);
    fclose(file);
  }
  compare_files files = {.context = context};
  assert_int_equal(thud_compare_find_files(thud_test_folder(), &files), THUD_OK);
  assert_int_equal(files.count, 3);
  assert_string_equal(strrchr(files.paths[0], '/'), "/a.dat");
  assert_string_equal(strrchr(files.paths[2], '/'), "/z.yaml");
  assert_int_equal(thud_compare_find_files("nowhere.dat", &files), THUD_OK); /* what reads it complains */
  assert_string_equal(files.paths[3], "nowhere.dat");
  thud_compare_files_free(&files);
  thud_test_context_end(context);
}

static void wrong_arguments_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_compare_options options = thud_compare_options_default();
  thud_compare *table = make_table(context, NULL), *none = NULL;
  thud_compare_result result = {.problem = 0};
  assert_int_equal(thud_compare_add_result(table, &result), THUD_ERROR_ARGUMENT); /* there is no problem yet */
  add_problem(table, "a", NULL, false);
  add_problem(table, "b", NULL, false);
  assert_int_equal(thud_compare_add_result(table, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "last problem", NULL);
  result = (thud_compare_result){.problem = 1, .status = (thud_compare_status)17};
  assert_int_equal(thud_compare_add_result(table, &result), THUD_ERROR_ARGUMENT);
  assert_null(thud_compare_status_name((thud_compare_status)17));
  thud_contact_problem wrong = lcp(false);
  wrong.contacts = -1;
  assert_int_not_equal(thud_compare_measure(table, "wrong", NULL, &wrong), THUD_OK);
  assert_int_equal(thud_compare_problem_count(table), 2);
  assert_null(thud_compare_problem_at(table, 2));
  options.tolerance = 0;
  assert_int_equal(thud_compare_create(context, &options, &none), THUD_ERROR_ARGUMENT);
  assert_null(none);
  thud_compare_destroy(table);
  thud_compare_destroy(NULL);
  thud_test_context_end(context);
}

/* ---- failing allocations ------------------------------------------------------------------------------------------ */

static thud_error compare_once(thud_context *context, void *user) {
  const char *path = user;
  thud_compare_options options = thud_compare_options_default();
  thud_contact_problem problem = lcp(false);
  thud_compare *table = NULL;
  options.title = "sweep";
  options.methods = "lemke,newton";
  options.runs = 1;
  thud_error error = thud_compare_create(context, &options, &table);
  if (error == THUD_OK) error = thud_compare_measure(table, "one", "part", &problem);
  if (error == THUD_OK) error = thud_compare_write(table, path, true);
  thud_compare_destroy(table);
  return error;
}

static void failing_allocations_are_reported(void **state) {
  (void)state;
  static const char *const names[] = {"s.csv", "s.md", "s.json", "s.svg"};
  for (size_t k = 0; k < sizeof names / sizeof *names; k++)
    thud_assert_greater(thud_test_sweep_allocations(compare_once, (void *)thud_test_path(names[k])), 30);
}

/* fontconfig keeps patterns for the life of the process. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libfontconfig"; }

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(regret_and_ratios_are_those_of_the_times),
      cmocka_unit_test(parts_are_summed_up_on_their_own),
      cmocka_unit_test(methods_are_counted),
      cmocka_unit_test(tables_say_what_was_measured),
      cmocka_unit_test(columns_are_aligned_and_bars_escaped),
      cmocka_unit_test(control_characters_stay_out_of_tables),
      cmocka_unit_test(tolerances_are_written_as_people_do),
      cmocka_unit_test(every_method_is_measured),
      cmocka_unit_test(only_the_methods_asked_for_are_measured),
      cmocka_unit_test(nothing_is_solved_beyond_the_time_limit),
      cmocka_unit_test(interruptions_leave_what_was_complete),
      cmocka_unit_test(others_are_judged_by_the_residual_of_thud),
      cmocka_unit_test_setup_teardown(files_are_written_by_their_endings, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test_setup_teardown(folders_give_their_problems_by_name, thud_test_folder_make,
                                      thud_test_folder_remove),
      cmocka_unit_test(wrong_arguments_are_refused),
      cmocka_unit_test_setup_teardown(failing_allocations_are_reported, thud_test_folder_make, thud_test_folder_remove),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
