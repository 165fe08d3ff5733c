/* Moments of records: what a bouncing ball's record says at times, against the formulas of its flights. */
#include "scratch_folder.h"
#include "testing.h"
#include "thud/moment.h"
#include "thud/run.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Falls from 1 with g = 2: strikes at t = 1 with -2, leaves with 1, is up again at 1.5, strikes at t = 2. */
static const char scene_text[] = "thud: 1\n"
                                 "system:\n"
                                 "  coordinates: [z]\n"
                                 "  mass: [1]\n"
                                 "  potential_energy: 2*z\n"
                                 "  constraints: [{name: floor, gap: z, restitution: 0.5}]\n"
                                 "initial: {z: 1}\n"
                                 "simulate: {method: event-driven, end: 1.75}\n";

static thud_record_reader *run_ball(thud_context *context) {
  thud_tree *tree = NULL;
  thud_scene *scene = NULL;
  thud_record_reader *reader = NULL;
  thud_run_result result = {0};
  thud_run_options options = thud_run_options_default();
  options.record = thud_test_path("ball.h5");
  if (thud_tree_read_text(context, "ball", scene_text, strlen(scene_text), &tree) != THUD_OK ||
      thud_scene_build(context, tree, &scene) != THUD_OK || thud_scene_run(scene, &options, &result) != THUD_OK ||
      thud_record_open(context, options.record, &reader) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_run_result_free(context, &result);
  thud_scene_destroy(scene);
  thud_tree_destroy(tree);
  return reader;
}

static double value_at(thud_moment *moment, const char *name, double t, int side) {
  const double *values = NULL;
  size_t count = 0;
  assert_int_equal(thud_moment_set(moment, t, side), THUD_OK);
  assert_int_equal(thud_moment_values(moment, name, &values, &count), THUD_OK);
  thud_assert_equal(count, 1);
  return values[0];
}

static void moments_are_the_flights(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = run_ball(context);
  thud_moment *moment = NULL;
  assert_int_equal(thud_moment_create(reader, &moment), THUD_OK);
  thud_assert_near(thud_moment_time(moment), 0, 0);
  for (int k = 0; k <= 10; k++) {
    double t = 0.1 * k, s = 0.075 * k;
    thud_assert_near(value_at(moment, "q", t, 0), 1 - t * t, 1e-13);
    thud_assert_near(value_at(moment, "v", t, -1), -2 * t, 1e-13);
    thud_assert_near(value_at(moment, "q", 1 + s, 0), s - s * s, 1e-13);
    thud_assert_near(value_at(moment, "v", 1 + s, 1), 1 - 2 * s, 1e-13);
  }
  assert_true(thud_moment_side(moment) == 1);
  assert_ptr_equal(thud_moment_reader(moment), reader);
  assert_int_equal(thud_moment_set(moment, 0.5, 0), THUD_OK);
  thud_assert_equal(thud_moment_row(moment), 0);
  assert_int_equal(thud_moment_set(moment, 1, -1), THUD_OK);
  thud_assert_equal(thud_moment_row(moment), 0);
  assert_int_equal(thud_moment_set(moment, 1, 1), THUD_OK);
  thud_assert_equal(thud_moment_row(moment), 1);
  thud_moment_destroy(moment);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void unknown_channels_and_times_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = run_ball(context);
  thud_moment *moment = NULL;
  const double *values = NULL;
  size_t count = 0;
  assert_int_equal(thud_moment_create(reader, &moment), THUD_OK);
  assert_int_equal(thud_moment_values(moment, "nothing", &values, &count), THUD_ERROR_NOT_FOUND);
  assert_non_null(strstr(thud_context_last_message(context), "nothing"));
  assert_int_equal(thud_moment_set(moment, -1, 0), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_moment_set(moment, NAN, 0), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_moment_set(moment, 9, 0), THUD_OK);
  assert_int_equal(thud_moment_values(moment, "q", &values, &count), THUD_ERROR_ARGUMENT);
  thud_moment_destroy(moment);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {TEST(moments_are_the_flights), TEST(unknown_channels_and_times_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
