/* Trajectories from elsewhere: exact solutions pass, wrong ones fail in the check they violate. */
#include "failing_allocator.h"
#include "record_copy.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Cases S1, S2, S3 of the sweeping process. */
static const char rotating_segment[] =
    "{thud: 1, sweeping: {coordinates: [x, y],"
    " set: {segment: {from: [-cos(t), -sin(t)], to: [cos(t), sin(t)]}}},"
    " initial: {x: 0.75, y: 0}, simulate: {method: catching-up, end: 1.5, steps: 10}}";
static const char translating_ball[] =
    "{thud: 1, sweeping: {coordinates: [x, y], set: {ball: {centre: [t, 0], radius: 1}}},"
    " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 3, steps: 10}}";
static const char jumping_ball[] = "{thud: 1, data: {shift: {breaks: [1], pieces: [0, 3], at_breaks: right}},"
                                   " sweeping: {coordinates: [x, y], set: {ball: {centre: [shift, 0], radius: 1}}},"
                                   " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 2, steps: 10}}";

typedef void (*motion_fn)(double t, double u[2]);

static void carried(double t, double u[2]) {
  u[0] = 0.75 * cos(t);
  u[1] = 0.75 * sin(t);
}

/* u rests until the ball's edge is there at sqrt(3)/2, then u = (t - cos th, sin th). */
static void swept(double t, double u[2]) {
  double t0 = sqrt(3) / 2;
  u[0] = 0;
  u[1] = 0.5;
  if (t <= t0) return;
  double th = 2 * atan(tan(acos(-1.0) / 12) * exp(t0 - t));
  u[0] = t - cos(th);
  u[1] = sin(th);
}

/* Stays on the edge with a tangential slip, as friction would have it. */
static void dragged(double t, double u[2]) {
  double t0 = sqrt(3) / 2;
  swept(t, u);
  if (t <= t0) return;
  double th = 2 * atan(tan(acos(-1.0) / 12) * exp(0.9 * (t0 - t)));
  u[0] = t - cos(th);
  u[1] = sin(th);
}

static void left_behind(double t, double u[2]) {
  swept(t, u);
  if (t > 2) u[0] -= 1e-6;
}

static void moving_freely(double t, double u[2]) {
  swept(t, u);
  if (t < 0.5) u[1] -= 0.02 * sin(t / 0.5 * acos(-1.0));
}

static void pulled_too_early(double t, double u[2]) {
  swept(t + 0.1, u);
  u[0] -= 0.1;
}

static void slipping_along_the_segment(double t, double u[2]) {
  u[0] = (0.75 - 0.05 * t) * cos(t);
  u[1] = (0.75 - 0.05 * t) * sin(t);
}

static void jumping_between_rows(double t, double u[2]) {
  swept(t, u);
  if (t > 0.3) u[1] += 0.1;
}

static const char *write_rows(motion_fn motion, double end, int rows) {
  const char *path = thud_test_path("motion.csv");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  fprintf(file, "t,y,ignored,x\n");
  for (int k = 0; k <= rows; k++) {
    double t = k == rows ? end : end * k / rows, u[2];
    motion(t, u);
    fprintf(file, "%.17g,%.17g,about,%.17g\n", t, u[1], u[0]);
  }
  assert_int_equal(fclose(file), 0);
  return path;
}

static const char *write_text(const char *text) {
  const char *path = thud_test_path("motion.csv");
  FILE *file = fopen(path, "w");
  assert_non_null(file);
  thud_assert_at_least(fputs(text, file), 0);
  assert_int_equal(fclose(file), 0);
  return path;
}

static thud_error check(thud_context *context, const char *scene, const char *path, thud_verify_result *result) {
  thud_tree *tree = NULL;
  thud_error error = thud_tree_read_text(context, "scene", scene, strlen(scene), &tree);
  if (error == THUD_OK) error = thud_verify_trajectory(context, tree, path, NULL, result);
  thud_tree_destroy(tree);
  return error;
}

/* caught_by NULL: good. */
static void expect(const char *scene, const char *path, const char *caught_by, thud_verify_status status) {
  thud_context *context = thud_test_context(1);
  thud_verify_result result;
  if (check(context, scene, path, &result) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  if (caught_by == NULL) {
    if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  } else {
    bool found = false;
    for (size_t k = 0; k < result.check_count; k++)
      found = found || (strcmp(result.checks[k].name, caught_by) == 0 && result.checks[k].status == status);
    thud_verify_verdict verdict = status == THUD_VERIFY_FAILED ? THUD_VERIFY_BAD : THUD_VERIFY_UNDECIDED;
    if (!found || result.verdict != verdict)
      fail_msg("%s does not say %s: %s %s", caught_by, thud_verify_status_name(status),
               thud_verify_verdict_name(result.verdict), result.reason);
  }
  thud_test_context_end(context);
}

static void exact_solutions_pass(void **state) {
  (void)state;
  expect(rotating_segment, write_rows(carried, 1.5, 300), NULL, THUD_VERIFY_PASSED);
  expect(translating_ball, write_rows(swept, 3, 600), NULL, THUD_VERIFY_PASSED);
}

static void wrong_motions_fail_where_they_are_wrong(void **state) {
  (void)state;
  expect(translating_ball, write_rows(dragged, 3, 600), "law", THUD_VERIFY_FAILED);
  expect(translating_ball, write_rows(left_behind, 3, 600), "membership", THUD_VERIFY_FAILED);
  expect(translating_ball, write_rows(moving_freely, 3, 600), "law", THUD_VERIFY_FAILED);
  expect(translating_ball, write_rows(pulled_too_early, 3, 600), "law", THUD_VERIFY_FAILED);
  expect(translating_ball, write_rows(jumping_between_rows, 3, 600), "law", THUD_VERIFY_FAILED);
  expect(rotating_segment, write_rows(slipping_along_the_segment, 1.5, 300), "law", THUD_VERIFY_FAILED);
  expect(translating_ball, write_rows(carried, 3, 600), "membership", THUD_VERIFY_FAILED);
}

/* The integrated law is asked up to O(h): the exact solution on few rows does not meet it, and says so. */
static void coarse_rows_are_not_taken_for_proof(void **state) {
  (void)state;
  expect(rotating_segment, write_rows(carried, 1.5, 10), "law", THUD_VERIFY_FAILED);
}

static void jumps_take_two_rows(void **state) {
  (void)state;
  double d = sqrt(9.25);
  char text[600];
  snprintf(text, sizeof text, "t,side,x,y\n0,,0,0.5\n1,-,0,0.5\n1,+,%.17g,%.17g\n2,,%.17g,%.17g\n", 3 - 3 / d, 0.5 / d,
           3 - 3 / d, 0.5 / d);
  expect(jumping_ball, write_text(text), NULL, THUD_VERIFY_PASSED);
  /* the whole way to the centre's level: in the set, but no projection */
  expect(jumping_ball, write_text("t,side,x,y\n0,,0,0.5\n1,-,0,0.5\n1,+,2,0\n2,,2,0\n"), "law", THUD_VERIFY_FAILED);
  /* the same jump at another time */
  snprintf(text, sizeof text, "t,side,x,y\n0,,0,0.5\n1.5,-,0,0.5\n1.5,+,%.17g,%.17g\n2,,%.17g,%.17g\n", 3 - 3 / d,
           0.5 / d, 3 - 3 / d, 0.5 / d);
  expect(jumping_ball, write_text(text), "jumps", THUD_VERIFY_FAILED);
  /* no rows at the jump: cannot be decided */
  snprintf(text, sizeof text, "t,x,y\n0,0,0.5\n0.5,0,0.5\n1.5,%.17g,%.17g\n2,%.17g,%.17g\n", 3 - 3 / d, 0.5 / d,
           3 - 3 / d, 0.5 / d);
  expect(jumping_ball, write_text(text), "law", THUD_VERIFY_NOT_CHECKABLE);
}

static void the_start_is_the_scene_s(void **state) {
  (void)state;
  expect(jumping_ball, write_text("t,side,x,y\n0,-,0,0.4\n0,,0,0.4\n"), "initial", THUD_VERIFY_FAILED);
  expect(jumping_ball, write_text("t,x,y\n0,0,0.4\n2,0,0.4\n"), "law", THUD_VERIFY_FAILED);
  expect(jumping_ball, write_text("t,x,y\n0.5,0,0.5\n0.7,0,0.5\n"), "structure", THUD_VERIFY_FAILED);
  expect(jumping_ball, write_text("t,x,y\n0,0,0.5\n0.7,0,0.5\n"), "structure", THUD_VERIFY_FAILED);
  expect(jumping_ball, write_text("t,x,y\n0,0,0.5\n0.7,0,0.5\n0.6,0,0.5\n2,0,0.5\n"), "structure", THUD_VERIFY_FAILED);
}

/* Without the data's jump a scene that starts outside: the first row is the projection. */
static void an_inadmissible_start_is_projected(void **state) {
  (void)state;
  static const char scene[] = "{thud: 1, sweeping: {coordinates: [x], set: {interval: {lower: 1, upper: 2}}},"
                              " initial: {x: 0}, simulate: {method: catching-up, end: 1, steps: 1}}";
  expect(scene, write_text("t,side,x\n0,-,0\n0,,1\n1,,1\n"), NULL, THUD_VERIFY_PASSED);
  expect(scene, write_text("x [m],t [s]\n1,0\n1,1\n"), NULL, THUD_VERIFY_PASSED);
  expect(scene, write_text("t,x\n0,1.5\n1,1.5\n"), "law", THUD_VERIFY_FAILED);
  expect(scene, write_text("t,x\n0,0\n1,0\n"), "membership", THUD_VERIFY_FAILED);
}

/* A record that passes, exported, passes as a trajectory too (as long as its set rests before a jump: the left limit of
 * a step function lags behind C(t-)). */
static void exported_records_pass(void **state) {
  (void)state;
  static const char scene[] =
      "{thud: 1, data: {shift: {breaks: [1], pieces: [0, 1.5*t]}},"
      " sweeping: {coordinates: [x, y], metric: [[1.0, 0.25], [0.25, 0.5]],"
      "            set: {intersection: [{ball: {centre: [shift, 0], radius: 1}},"
      "                                 {half_space: {normal: [0, 1], offset: 0.75}}]}},"
      " initial: {x: 0, y: 0.5}, simulate: {method: catching-up, end: 2, steps: 400, refinements: 0, tolerance: 1e-6}}";
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader;
  record_copy_run(context, scene, thud_test_path("run.h5"));
  assert_int_equal(thud_record_open(context, thud_test_path("run.h5"), &reader), THUD_OK);
  assert_int_equal(thud_record_export_csv(reader, NULL, THUD_RECORD_FRAMES, 0, NULL, thud_test_path("run.csv")),
                   THUD_OK);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
  expect(scene, thud_test_path("run.csv"), NULL, THUD_VERIFY_PASSED);
}

/* ---- tables that cannot be read ----------------------------------------------------------------------------- */

static void bad_tables_are_errors_that_name_the_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *message;
  } bad[] = {
      {"t,x\n0,0\n", "motion.csv:1: a column 'y' is needed; the first line names the columns"},
      {"x,y\n0,0\n", "a column 't' is needed"},
      {"t,x,y,x\n0,0,0,0\n", "motion.csv:1: the column 'x' is there twice"},
      {"t,x,y\n", "motion.csv: no rows after the first line"},
      {"", "a column 't' is needed"},
      {"t,x,y\n0,0,0.5\n1,zero,0.5\n", "motion.csv:3: 'zero' in the column 'x' is not a finite number"},
      {"t,x,y\n0,0,nan\n", "motion.csv:2: 'nan' in the column 'y' is not a finite number"},
      {"t,x,y\n0,0\n", "motion.csv:2: 2 fields, the first line names 3 columns"},
      {"t,x,y\n0,0,0,0\n", "motion.csv:2: more fields than the 3 columns of the first line"},
      {"t,side,x,y\n0,*,0,0\n", "motion.csv:2: '*' in the column 'side' is not a side: -, + or nothing"},
      {"t,side,x,y\n0,2,0,0\n", "motion.csv:2: '2' in the column 'side' is not a side: -, + or nothing"},
  };
  thud_context *context = thud_test_context(1);
  thud_verify_result result = {.verdict = THUD_VERIFY_UNDECIDED, .check_count = 77};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    assert_int_equal(check(context, jumping_ball, write_text(bad[k].text), &result), THUD_ERROR_FORMAT);
    thud_test_message_has(context, bad[k].message, "motion.csv", NULL);
    assert_int_equal(result.check_count, 77);
  }
  char wide[700] = "t,x,y\n0,0,";
  memset(wide + strlen(wide), '1', 400);
  assert_int_equal(check(context, jumping_ball, write_text(wide), &result), THUD_ERROR_FORMAT);
  thud_test_message_has(context, "motion.csv:2: a field is longer than 255 bytes", NULL);
  assert_int_equal(check(context, jumping_ball, thud_test_path("nowhere.csv"), &result), THUD_ERROR_FILE);
  thud_test_message_has(context, "nowhere.csv: cannot be opened: No such file or directory", NULL);
  assert_int_equal(check(context, "{thud: 1}", write_text("t\n0\n"), &result), THUD_ERROR_SCHEMA);
  thud_test_context_end(context);
}

static void tables_may_have_blanks_quotes_and_any_line_ends(void **state) {
  (void)state;
  expect(jumping_ball, write_text("\"t\", \"side\" ,x,y\r\n0,,0,0.5\r\n\r\n 1 ,-, 0 ,+0.5\r\n"), "structure",
         THUD_VERIFY_FAILED);
  expect(jumping_ball,
         write_text("t,x,y,side\n0,0,0.5,\n1,0,0.5,-1\n1,2.0136060761678563,0.1643989873053573,1\n"
                    "2,2.0136060761678563,0.1643989873053573,0\n"),
         NULL, THUD_VERIFY_PASSED);
}

static thud_error run_once(thud_context *context, void *user) {
  thud_verify_result result;
  return check(context, jumping_ball, user, &result);
}

static void no_allocation_failure_leaks(void **state) {
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s", write_text("t,side,x,y\n0,,0,0.5\n1,-,0,0.5\n1,+,2,0\n2,,2,0\n"));
  thud_assert_greater(thud_test_sweep_allocations(run_once, path), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_solutions_pass),
      cmocka_unit_test(wrong_motions_fail_where_they_are_wrong),
      cmocka_unit_test(coarse_rows_are_not_taken_for_proof),
      cmocka_unit_test(jumps_take_two_rows),
      cmocka_unit_test(the_start_is_the_scene_s),
      cmocka_unit_test(an_inadmissible_start_is_projected),
      cmocka_unit_test(exported_records_pass),
      cmocka_unit_test(bad_tables_are_errors_that_name_the_place),
      cmocka_unit_test(tables_may_have_blanks_quotes_and_any_line_ends),
      cmocka_unit_test(no_allocation_failure_leaks),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
