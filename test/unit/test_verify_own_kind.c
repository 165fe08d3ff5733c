/* A program that knows the laws of its own kind of motion (coins_kind.h) gives the checker one row with a function. docs/kinds.md
 * explains it. */
#include "coins_kind.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the checker ----------------------------------------------------------------------------------------------------- */

/* A number of the scene, or the parameter that it names. */
static double scene_number(const thud_tree *scene, const char *section, const char *key) {
  const thud_node *root = thud_tree_root(scene), *node = thud_node_find(thud_node_find(root, section), key);
  if (thud_node_get_kind(node) == THUD_NODE_STRING)
    node = thud_node_find(thud_node_find(root, "parameters"), thud_node_string(node));
  return thud_node_number(node);
}

static thud_error read_channel(thud_record_reader *reader, const char *name, size_t rows, double *values) {
  size_t channel;
  thud_error error = thud_record_find_channel(reader, THUD_RECORD_FRAMES, name, &channel);
  return error == THUD_OK ? thud_record_read(reader, THUD_RECORD_FRAMES, channel, 0, rows, values) : error;
}

/* Between two rows the pile grows step by step; a blow takes a third of what it finds. */
static void check_rows(thud_verify_report *report, double h, double rate, size_t rows, const double *t,
                       const double *height, const double *found) {
  for (size_t k = 1; k < rows; k++) {
    double grown = height[k - 1], left = height[k] / found[k];
    for (double step = 0; step < round((t[k] - t[k - 1]) / h); step++) grown += h * rate * exp(-grown);
    thud_verify_report_value(report, "growth", fabs(found[k] - grown), 1e-12 * grown, t[k], (int64_t)k);
    if (left != 1) thud_verify_report_value(report, "blows", fabs(left - 2.0 / 3), 1e-12, t[k], (int64_t)k);
    if (left > 1) thud_verify_report_fail(report, "blows", t[k], (int64_t)k, "a blow makes the pile higher");
  }
  thud_verify_report_words(report, "growth", "%zu rows, rate %g", rows, rate);
  thud_verify_report_cover(report, "rows", rows - 1, rows - 1);
}

/* user: a factor of the rate; NULL: 1. */
static thud_error coins_check(thud_verify_report *report, thud_record_reader *reader, const thud_tree *scene,
                              void *user) {
  if (scene == NULL) {
    thud_verify_report_skip(report, "growth", THUD_VERIFY_NOT_CHECKABLE, "the scene cannot be read");
    return THUD_OK;
  }
  size_t rows = thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES];
  double *t = calloc(3 * rows, sizeof *t), *height = t + rows, *found = height + rows;
  if (t == NULL) return THUD_ERROR_MEMORY;
  double rate = scene_number(scene, "coins", "rate") * (user != NULL ? *(double *)user : 1);
  double h = scene_number(scene, "simulate", "end") / scene_number(scene, "simulate", "steps");
  thud_error error = read_channel(reader, "t", rows, t);
  if (error == THUD_OK) error = read_channel(reader, "height", rows, height);
  if (error == THUD_OK) error = read_channel(reader, "found", rows, found);
  if (error == THUD_OK) check_rows(report, h, rate, rows, t, height, found);
  free(t);
  return error;
}

static const thud_verify_kind coins_checks = {.name = "coins", .check = coins_check};

static void record_coins(thud_context *context, const char *path) {
  thud_scene *scene = coins_scene(context, NULL, NULL);
  thud_run_options options = thud_run_options_default();
  options.record = path;
  options.overwrite = true;
  thud_run_result result = coins_run(scene, &options);
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
}

static const thud_verify_check *check_of(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return &result->checks[k];
  fail_msg("there is no check '%s'", name);
  return result->checks;
}

/* The library checks the record, the program the motion; the verdict is good only because laws were asked of its rows. */
static void its_own_checker_is_one_row(void **state) {
  (void)state;
  static const char *const names[] = {"structure", "growth", "blows", "summary", "finished", "seal"};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("checked.h5");
  thud_verify_result result;
  record_coins(context, path);
  assert_int_equal(thud_verify_record_kinds(context, path, NULL, 1, &coins_checks, &result), THUD_OK);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  thud_assert_equal(result.check_count, 6);
  for (size_t k = 0; k < 6; k++) assert_string_equal(result.checks[k].name, names[k]);
  assert_non_null(strstr(check_of(&result, "growth")->detail, " rows, rate 2"));
  thud_assert_equal(check_of(&result, "growth")->tolerance > 0, true);
  assert_string_equal(result.checked_unit, "rows");
  thud_assert_equal(result.checked_count, result.checked_of);
  thud_test_context_end(context);
}

static void its_own_checker_finds_another_rate(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("checked.h5");
  double factor = 1.000001;
  const thud_verify_kind rows[] = {{.name = "stones", .check = coins_check},
                                   {.name = "coins", .check = coins_check, .user = &factor}};
  thud_verify_result result;
  record_coins(context, path);
  assert_int_equal(thud_verify_record_kinds(context, path, NULL, 2, rows, &result), THUD_OK);
  assert_int_equal(result.verdict, THUD_VERIFY_BAD);
  thud_assert_equal(strncmp(result.reason, "growth: ", 8), 0);
  assert_int_equal(check_of(&result, "growth")->status, THUD_VERIFY_FAILED);
  assert_int_equal(check_of(&result, "blows")->status, THUD_VERIFY_PASSED);
  thud_assert_greater(check_of(&result, "growth")->frame, 0);
  thud_test_context_end(context);
}

/* What a checker says is taken as it is said; user names what it does. */
static thud_error odd_check(thud_verify_report *report, thud_record_reader *reader, const thud_tree *scene,
                            void *user) {
  static const char *const many[] = {"a", "b", "c", "d", "e", "f", "g", "h", "i", "j", "k",
                                     "l", "m", "n", "o", "p", "q", "r", "s", "t", "u"};
  const char *what = user;
  assert_non_null(reader);
  assert_non_null(scene);
  assert_non_null(thud_verify_report_context(report));
  thud_assert_equal(thud_verify_report_options(report)->seal, true);
  if (strcmp(what, "words") == 0) thud_verify_report_words(report, "law", "nothing was asked");
  if (strcmp(what, "uncovered") == 0) thud_verify_report_value(report, "law", 0, 1, NAN, -1);
  if (strcmp(what, "nan") == 0) thud_verify_report_value(report, "law", NAN, 1, 2, 3);
  if (strcmp(what, "fails") == 0) thud_verify_report_fail(report, "law", NAN, -1, "%d coins are missing", 3);
  if (strcmp(what, "fails") == 0) thud_verify_report_fail(report, "law", NAN, -1, "another reason");
  if (strcmp(what, "skips") == 0) thud_verify_report_skip(report, "law", THUD_VERIFY_NOT_CHECKABLE, "too %s", "dark");
  if (strcmp(what, "taken") == 0) thud_verify_report_value(report, "summary", 0, 1, NAN, -1);
  for (size_t k = 0; strcmp(what, "many") == 0 && k < sizeof many / sizeof *many; k++)
    thud_verify_report_value(report, many[k], 0, 1, NAN, -1);
  if (strcmp(what, "uncovered") != 0) thud_verify_report_cover(report, "rows", 1, 1);
  return strcmp(what, "error") == 0 ? THUD_ERROR_MEMORY : THUD_OK;
}

static void rows_without_name_or_check_are_refused(void **state) {
  (void)state;
  const thud_verify_kind rows[] = {coins_checks, {.name = "stones"}}, nameless = {.check = coins_check};
  thud_context *context = thud_test_context(1);
  thud_verify_result result;
  assert_int_equal(thud_verify_record_kinds(context, "none.h5", NULL, 2, rows, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "kind 1 of the caller has no name or no check", NULL);
  assert_int_equal(thud_verify_record_kinds(context, "none.h5", NULL, 1, &nameless, &result), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "kind 0 of the caller has no name or no check", NULL);
  thud_test_context_end(context);
}

static void what_its_checker_says_decides(void **state) {
  (void)state;
  static const struct {
    const char *what;
    thud_error error;
    thud_verify_verdict verdict;
    const char *reason;
  } cases[] = {{"words", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked"},
               {"uncovered", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked"},
               {"nothing", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked"},
               {"nan", THUD_OK, THUD_VERIFY_BAD, "law: nan at t = 2 exceeds 1"},
               {"fails", THUD_OK, THUD_VERIFY_BAD, "law: 3 coins are missing"},
               {"skips", THUD_OK, THUD_VERIFY_UNDECIDED, "nothing was checked: law: too dark"},
               {"taken", THUD_ERROR_ARGUMENT, THUD_VERIFY_GOOD, "every record has a check 'summary' already"},
               {"many", THUD_ERROR_OVERFLOW, THUD_VERIFY_GOOD, "there is no room for the check 'u'"},
               {"error", THUD_ERROR_MEMORY, THUD_VERIFY_GOOD, NULL}};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("checked.h5");
  record_coins(context, path);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    char what[16];
    snprintf(what, sizeof what, "%s", cases[k].what);
    const thud_verify_kind row = {.name = "coins", .check = odd_check, .user = what};
    thud_verify_result result = {0};
    assert_int_equal(thud_verify_record_kinds(context, path, NULL, 1, &row, &result), cases[k].error);
    assert_int_equal(result.verdict, cases[k].verdict);
    if (cases[k].error == THUD_OK) assert_string_equal(result.reason, cases[k].reason);
    if (cases[k].error != THUD_OK && cases[k].reason != NULL) thud_test_message_has(context, cases[k].reason, NULL);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(its_own_checker_is_one_row),
      cmocka_unit_test(its_own_checker_finds_another_rate),
      cmocka_unit_test(what_its_checker_says_decides),
      cmocka_unit_test(rows_without_name_or_check_are_refused),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
