/* Sweeping processes whose set or perturbation depends on the state: closed forms, measured orders, factors of contraction,
 * refusals. */
#include "sweep_cases.h"
#include "thud/sim.h"
#include "failing_allocator.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* [t + a u, infinity[ */
static thud_error half_line_ahead(void *user, double t, thud_side side, const double *u, double *parameters) {
  (void)side;
  parameters[0] = t + *(const double *)user * u[0];
  parameters[1] = INFINITY;
  return THUD_OK;
}

/* Contact from the first time on: u = t + a u, so that u = t/(1 - a), on every partition. */
static void a_wall_that_runs_ahead_is_followed_exactly(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower = 0, upper = INFINITY, initial = 0, factors[] = {-0.9, -0.3, 0, 0.25, 0.5, 0.9};
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    double a = factors[k], u;
    thud_set *set;
    assert_int_equal(thud_set_box(context, 1, &lower, &upper, &set), THUD_OK);
    const thud_sweep_feedback feedback = {.parameters = half_line_ahead, .user = &a};
    thud_sweep_problem problem = {.set = {.set = set}, .initial = &initial, .feedback = &feedback};
    thud_sweep_motion_info info = run_uniform(context, &problem, 2, 7, NULL, &u);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_near(u, 2 / (1 - a), 2e-11 / (1 - fabs(a)));
    thud_assert_near(info.contraction, fabs(a), 1e-3); /* differences down to 1e-10 of |u| count */
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* The unit ball around (t + a x, 0). */
static thud_error ball_ahead(void *user, double t, thud_side side, const double *u, double *parameters) {
  (void)side;
  parameters[0] = t + *(const double *)user * u[0];
  parameters[1] = 0;
  parameters[2] = 1;
  return THUD_OK;
}

/* From (0, 1/2): with (cos th, -sin th) from u to the centre, th' = -sin th/((1 - a) cos^2 th + sin^2 th) once u is caught at
 * t0 = sqrt(3)/2, th0 = pi/6; so t - t0 = G(th0) - G(th), G = (1 - a) log tan(th/2) - a cos th. */
static double ball_time(double a, double th) { return (1 - a) * log(tan(th / 2)) - a * cos(th); }

static void ball_ahead_exact(double a, double t, double u[2]) {
  double t0 = sqrt(0.75), first = asin(0.5), low = 1e-12, high = first;
  u[0] = 0;
  u[1] = 0.5;
  if (t <= t0) return;
  for (int k = 0; k < 200; k++) {
    double middle = 0.5 * (low + high);
    if (ball_time(a, first) - ball_time(a, middle) > t - t0)
      low = middle;
    else
      high = middle;
  }
  u[0] = (t - cos(high)) / (1 - a);
  u[1] = sin(high);
}

static void a_ball_whose_centre_follows_converges_with_order_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double initial[2] = {0, 0.5}, factors[] = {0.5, -0.5};
  static frame_log log;
  for (size_t k = 0; k < 2; k++) {
    double a = factors[k], previous = 0;
    thud_set *set = unit_ball(context, 2);
    const thud_sweep_feedback feedback = {.parameters = ball_ahead, .user = &a};
    thud_sweep_problem problem = {.set = {.set = set}, .initial = initial, .feedback = &feedback};
    for (thud_index n = 240; n <= 1920; n *= 2) {
      log.count = 0;
      thud_sweep_motion_info info = run_uniform(context, &problem, 3, n, &log, NULL);
      assert_int_equal(info.status, THUD_MOTION_COMPLETED);
      thud_assert_less(info.contraction, fabs(a) + 1e-3);
      double error = 0;
      for (size_t j = 0; j < log.count; j++) {
        double exact[2];
        ball_ahead_exact(a, log.t[j], exact);
        error = fmax(error, hypot(log.u[j][0] - exact[0], log.u[j][1] - exact[1]));
      }
      if (n > 240) {
        double order = log2(previous / error);
        printf("ball ahead by %g: n=%d sup error %.3e order %.4f\n", a, (int)n, error, order);
        thud_assert_near(order, 1, 0.05);
      }
      previous = error;
    }
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* f = u - 2 sin t: without a wall u' = 2 sin t - u. */
static thud_error driven(void *user, double t, thud_side side, const double *u, double *f) {
  (void)user;
  (void)side;
  f[0] = u[0] - 2 * sin(t);
  return THUD_OK;
}

/* From 0 in [-1, 1]: u = sin t - cos t + e^-t up to the wall, 1 as long as 2 sin t >= 1, then free again from 5 pi/6. */
static double driven_exact(double t) {
  double leave = 5 * acos(-1.0) / 6, free_motion = sin(t) - cos(t) + exp(-t);
  if (t > leave) return sin(t) - cos(t) + (1 - sin(leave) + cos(leave)) * exp(leave - t);
  return fmin(free_motion, 1);
}

static void a_perturbed_process_converges_with_order_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower = -1, upper = 1, initial = 0;
  static frame_log log;
  thud_set *set;
  double previous = 0;
  assert_int_equal(thud_set_box(context, 1, &lower, &upper, &set), THUD_OK);
  const thud_sweep_feedback feedback = {.perturbation = driven};
  thud_sweep_problem problem = {.set = {.set = set}, .initial = &initial, .feedback = &feedback};
  for (thud_index n = 120; n <= 1920; n *= 2) {
    log.count = 0;
    thud_sweep_motion_info info = run_uniform(context, &problem, 3.5, n, &log, NULL);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_near(info.contraction, 3.5 / n, 1e-3); /* h times the slope of f */
    double error = 0;
    for (size_t j = 0; j < log.count; j++) {
      error = fmax(error, fabs(log.u[j][0] - driven_exact(log.t[j])));
      /* at the wall the reaction is f = 1 - 2 sin t */
      if (j > 0 && log.u[j - 1][0] == 1 && log.u[j][0] == 1)
        thud_assert_near(log.reaction[j][0], 1 - 2 * sin(log.t[j]), 1e-8);
    }
    if (n > 120) {
      double order = log2(previous / error);
      printf("perturbed: n=%d sup error %.3e order %.4f\n", (int)n, error, order);
      thud_assert_near(order, 1, 0.1);
    }
    previous = error;
  }
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* Walls that run away faster than they are followed have no fixed point by iteration: the run says so and how fast. */
static void factors_of_one_and_more_end_the_run(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower = 0, upper = INFINITY, initial = 0.1, factors[] = {1, 1.3, -1, -1.3};
  for (size_t k = 0; k < sizeof factors / sizeof *factors; k++) {
    double a = factors[k];
    thud_set *set;
    assert_int_equal(thud_set_box(context, 1, &lower, &upper, &set), THUD_OK);
    const thud_sweep_feedback feedback = {.parameters = half_line_ahead, .user = &a};
    thud_sweep_problem problem = {.set = {.set = set}, .initial = &initial, .feedback = &feedback};
    thud_sweep_motion_info info = run_uniform(context, &problem, 2, 10, NULL, NULL);
    if (a == -1.3 || a == -1) {
      /* t - |a| u: an iterate beyond the wall rests, and the next one comes back */
      thud_assert_greater(info.contraction, 1 - 1e-3);
    } else {
      assert_int_equal(info.status, THUD_MOTION_NOT_CONVERGED);
      assert_string_equal(thud_context_last_code(context), "no-contraction");
    }
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

static void the_penalty_takes_no_feedback(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double initial[2] = {0, 0};
  thud_set *set = unit_ball(context, 2);
  const thud_sweep_feedback feedback = {.perturbation = driven};
  thud_sweep_problem problem = {.set = {.set = set}, .initial = initial, .feedback = &feedback};
  thud_partition *partition;
  thud_motion *motion = NULL;
  assert_int_equal(thud_partition_uniform(context, 0, 1, 4, 0, NULL, &partition), THUD_OK);
  assert_int_equal(thud_sweep_motion_create(context, THUD_SWEEP_REGULARISED, &problem, partition, NULL, &motion),
                   THUD_ERROR_UNSUPPORTED);
  assert_null(motion);
  thud_partition_destroy(partition);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_wall_that_runs_ahead_is_followed_exactly),
                                     cmocka_unit_test(a_ball_whose_centre_follows_converges_with_order_one),
                                     cmocka_unit_test(a_perturbed_process_converges_with_order_one),
                                     cmocka_unit_test(factors_of_one_and_more_end_the_run),
                                     cmocka_unit_test(the_penalty_takes_no_feedback)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
