/* The sweeping process: cases S1-S3 with their closed forms, measured orders, endings, classes, refusals. */
#include "sweep_cases.h"
#include "thud/sim.h"
#include "failing_allocator.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void s1_rotating_segment_gives_rho_cos_to_the_n(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = unit_segment(context);
  thud_regulated data = {.dimension = 4, .evaluate = rotating_segment};
  const double initial[2] = {0.75, 0};
  thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
  double previous_error = 0;
  for (thud_index n = 4; n <= 1024; n *= 2) {
    double u[2], t = 1.5;
    thud_sweep_motion_info info = run_uniform(context, &problem, t, n, NULL, u);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    double rho = u[0] * cos(t) + u[1] * sin(t), off = -u[0] * sin(t) + u[1] * cos(t);
    thud_assert_nearer(rho, 0.75 * pow(cos(t / n), n), 1e-13);
    thud_assert_less(fabs(off), 1e-15 * n);
    double error = 0.75 - rho;
    /* error = rho0 t^2/(2n) + O(1/n^2) */
    if (n >= 64) thud_assert_nearer(error / (0.75 * t * t / (2 * n)), 1, 3.0 / n);
    if (n >= 128) {
      double order = log2(previous_error / error);
      printf("S1 n=%d error %.3e order %.4f\n", (int)n, error, order);
      thud_assert_nearer(order, 1, 0.02);
    }
    previous_error = error;
  }
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static void s2_translating_ball_converges_with_order_one(void **state) {
  (void)state;
  swept_ball ball;
  swept_ball_make(&ball, translating_ball, (const double[2]){0, 0.5});
  static frame_log log;
  double previous_error = 0;
  for (thud_index n = 30; n <= 3840; n *= 2) {
    log.count = 0;
    thud_sweep_motion_info info = run_uniform(ball.context, &ball.problem, 3, n, &log, NULL);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(log.count, n + 1);
    thud_assert_less(info.worst_residual, 1e-14);
    double error = 0;
    for (size_t k = 0; k < log.count; k++) {
      double exact[2];
      translating_ball_exact(log.t[k], exact);
      error = fmax(error, hypot(log.u[k][0] - exact[0], log.u[k][1] - exact[1]));
    }
    if (n >= 240) {
      double order = log2(previous_error / error);
      printf("S2 n=%d sup error %.3e order %.4f\n", (int)n, error, order);
      thud_assert_nearer(order, 1, 0.1);
    }
    previous_error = error;
  }
  thud_assert_less(previous_error, 2e-4);
  swept_ball_end(&ball);
}

/* S3: the unit ball at 0 for t < 1 and at (3, 0) for t >= 1. */
static void s3_jump_is_one_projection_and_one_atom(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = unit_ball(context, 2);
  const double jump[1] = {1}, coefficients[6] = {0, 0, 1, 3, 0, 1}, values[3] = {3, 0, 1};
  thud_piecewise *pieces = NULL;
  assert_int_equal(thud_piecewise_create(context, 3, 0, 1, jump, coefficients, values, &pieces), THUD_OK);
  thud_regulated data = thud_piecewise_function(pieces);
  const double initial[2] = {0, 0.5};
  thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
  static frame_log log;
  double length = hypot(3, 0.5), expected[2] = {3 - 3 / length, 0.5 / length};
  for (thud_index steps = 1; steps <= 7; steps += 3) {
    log.count = 0;
    double final[2];
    thud_sweep_motion_info info = run_uniform(context, &problem, 2, steps, &log, final);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_less(hypot(final[0] - expected[0], final[1] - expected[1]), 1e-15);
    size_t atoms = 0;
    for (size_t k = 0; k < log.count; k++) {
      if (!log.atom[k]) continue;
      atoms++;
      thud_assert_equal(log.t[k], 1);
      thud_assert_equal(log.side[k], THUD_SIDE_VALUE);
      thud_assert_equal(log.side[k - 1], THUD_SIDE_LEFT);
      thud_assert_equal(log.u[k - 1][0], 0);
      thud_assert_equal(log.u[k - 1][1], 0.5);
      thud_assert_nearer(log.reaction[k][0], expected[0], 1e-15);
    }
    assert_int_equal(atoms, 1);
    thud_assert_nearer(info.variation, hypot(expected[0], expected[1] - 0.5), 1e-15);
  }
  thud_piecewise_destroy(pieces);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* The value at the jump differs from both limits: {t*} and ]t*, ..[ are two projections in this order. */
static void value_and_right_limit_at_a_jump_are_two_projections(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = NULL;
  assert_int_equal(thud_set_interval(context, -1, 1, &set), THUD_OK);
  /* lower, upper: [-1,1] before, [4,5] at t = 1, [-3,2] after; u: 0 -> 4 -> 2 */
  const double jump[1] = {1}, coefficients[4] = {-1, 1, -3, 2}, values[2] = {4, 5};
  thud_piecewise *pieces = NULL;
  assert_int_equal(thud_piecewise_create(context, 2, 0, 1, jump, coefficients, values, &pieces), THUD_OK);
  thud_regulated data = thud_piecewise_function(pieces);
  const double initial[1] = {0};
  thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
  double final;
  thud_sweep_motion_info info = run_uniform(context, &problem, 2, 3, NULL, &final);
  thud_assert_equal(final, 2);
  thud_assert_equal(info.variation, 6);
  thud_piecewise_destroy(pieces);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static void initial_state_outside_is_projected_and_reported(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = unit_ball(context, 2);
  const double initial[2] = {3, 4};
  thud_sweep_problem problem = {.set = {set, NULL}, .initial = initial};
  double final[2];
  thud_sweep_motion_info info = run_uniform(context, &problem, 1, 2, NULL, final);
  thud_assert_nearer(info.initial_distance, 4, 1e-15);
  thud_assert_less(hypot(final[0] - 0.6, final[1] - 0.8), 1e-15);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* ---- regularisation, refinement, endings ---------------------------------------------------------------------- */

/* In the steady state the regularised u trails the moving ball with penetration lambda * speed: first order in
 * lambda. On a fixed lambda the scheme is of second order in h. */
static void yosida_error_is_of_first_order_in_lambda(void **state) {
  (void)state;
  swept_ball ball;
  swept_ball_make(&ball, translating_ball, (const double[2]){0, 0.5});
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(ball.context, 0, 3, 3000, 0, NULL, &partition), THUD_OK);
  thud_sweep_options options = thud_sweep_options_default();
  double previous = 0, exact[2];
  translating_ball_exact(3, exact);
  for (options.lambda = 0.08; options.lambda > 0.004; options.lambda /= 2) {
    double u[2];
    thud_sweep_motion_info info;
    assert_int_equal(run_all(ball.context, THUD_SWEEP_REGULARISED, &ball.problem, partition, &options, NULL, u, &info),
                     THUD_OK);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    /* Steady penetration d of the scheme on a wall of speed 1: d = exp(-h/lambda) d + h. */
    double h = 1e-3, steady = h / (1 - exp(-h / options.lambda));
    thud_assert_less(info.worst_residual, steady * (1 + 1e-9));
    thud_assert_greater(info.worst_residual, 0.99 * steady);
    double error = hypot(u[0] - exact[0], u[1] - exact[1]);
    if (previous > 0) {
      printf("Yosida lambda=%g error %.3e order %.4f\n", options.lambda, error, log2(previous / error));
      thud_assert_nearer(log2(previous / error), 1, 0.1);
    }
    previous = error;
  }
  thud_partition_destroy(partition);
  swept_ball_end(&ball);
}

static void yosida_scheme_is_of_second_order_in_h(void **state) {
  (void)state;
  swept_ball ball;
  /* In contact from the start, so that the right side is smooth along the motion. */
  swept_ball_make(&ball, translating_ball, (const double[2]){-1.1, 0.7});
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(ball.context, 0, 1, 16, 0, NULL, &partition), THUD_OK);
  thud_sweep_options options = thud_sweep_options_default();
  options.lambda = 0.3;
  thud_sweep_refinement rows[5];
  double estimate;
  assert_int_equal(thud_sweep_refine(ball.context, THUD_SWEEP_REGULARISED, &ball.problem, partition, &options, 5, NULL,
                                     rows, &estimate),
                   THUD_OK);
  printf("Yosida orders in h: %.3f %.3f %.3f %.3f\n", rows[1].order, rows[2].order, rows[3].order, rows[4].order);
  thud_assert_nearer(rows[4].order, 2, 0.05);
  thud_assert_nearer(rows[3].order, 2, 0.1);
  thud_partition_destroy(partition);
  swept_ball_end(&ball);
}

static void nested_refinement_estimates_the_true_error(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = unit_segment(context);
  thud_regulated data = {.dimension = 4, .evaluate = rotating_segment};
  const double initial[2] = {0.75, 0};
  thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(context, 0, 1.5, 100, 0, NULL, &partition), THUD_OK);
  thud_sweep_options options = thud_sweep_options_default();
  thud_sweep_refinement rows[3];
  double estimate, truth = 0.75 * (1 - pow(cos(0.015), 100));
  assert_int_equal(
      thud_sweep_refine(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, 1, NULL, rows, &estimate),
      THUD_OK);
  thud_assert_nearer(estimate / truth, 1, 0.02);
  assert_true(isnan(rows[0].order));
  assert_int_equal(
      thud_sweep_refine(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, 3, NULL, rows, &estimate),
      THUD_OK);
  thud_assert_nearer(estimate / truth, 1, 0.005);
  thud_assert_nearer(rows[2].order, 1, 0.02);
  assert_int_equal(rows[2].intervals, 401);
  thud_partition_destroy(partition);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static int shrinking_ball(void *user, double t, thud_side side, double *out) {
  (void)user;
  (void)side;
  out[0] = out[1] = 0;
  out[2] = 1 - t;
  return 0;
}

static int bad_ball(void *user, double t, thud_side side, double *out) {
  (void)user;
  (void)side;
  out[0] = t < 0.5 ? 0 : log(-1);
  out[1] = 0;
  out[2] = 1;
  return 0;
}

static void a_set_that_becomes_empty_or_undefined_ends_the_run_with_its_time(void **state) {
  (void)state;
  swept_ball ball;
  swept_ball_make(&ball, shrinking_ball, (const double[2]){0, 0.5});
  double final[2];
  thud_sweep_motion_info info = run_uniform(ball.context, &ball.problem, 2, 16, NULL, final);
  assert_int_equal(info.status, THUD_MOTION_EMPTY_SET);
  thud_assert_equal(info.time, 1);
  thud_assert_equal(final[0], 0);
  thud_assert_equal(final[1], 0);
  assert_non_null(strstr(thud_context_last_message(ball.context),
                         "moving ball at t = 1.125: ball: radius is -0.125: the set is empty; use a radius >= 0"));
  ball.data.evaluate = bad_ball;
  info = run_uniform(ball.context, &ball.problem, 2, 16, NULL, final);
  assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
  assert_non_null(strstr(thud_context_last_message(ball.context),
                         "moving ball at t = 0.5: component 0 of a function of time is -nan at t = 0.5"));
  swept_ball_end(&ball);
}

static void a_sink_can_stop_the_run(void **state) {
  (void)state;
  swept_ball ball;
  swept_ball_make(&ball, translating_ball, (const double[2]){0, 0.5});
  static frame_log log;
  log.count = 0;
  log.stop_after = 5;
  thud_sweep_motion_info info = run_uniform(ball.context, &ball.problem, 1, 10, &log, NULL);
  log.stop_after = 0;
  assert_int_equal(info.status, THUD_MOTION_STOPPED);
  thud_assert_equal(info.time, 0.4);
  swept_ball_end(&ball);
}

/* A ball that moves on and jumps at t = 1. */
static int jumping_ball(void *user, double t, thud_side side, double *out) {
  (void)user;
  bool after = t > 1 || (t == 1 && side != THUD_SIDE_LEFT);
  out[0] = after ? t + 2 : t;
  out[1] = 0;
  out[2] = 1;
  return 0;
}

/* One interval at a time, each by a run that takes up the saved state of the one before: the same frames and numbers.
 */
static void steps_from_saved_states_are_those_of_the_run(void **state) {
  (void)state;
  static frame_log whole, stepped; /* their gaps stay 0: compared as bytes */
  const double jump = 1;
  swept_ball ball;
  swept_ball_make(&ball, jumping_ball, (const double[2]){0, 1.5});
  ball.data.jump_count = 1;
  ball.data.jumps = &jump;
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(ball.context, 0, 2, 64, 1, &jump, &partition), THUD_OK);
  for (int method = THUD_SWEEP_CATCHING_UP; method <= THUD_SWEEP_REGULARISED; method++) {
    thud_sweep_options options = thud_sweep_options_default();
    thud_motion_sink sink = {.frame = log_frame, .user = &whole};
    thud_sweep_motion_info info, now = {.status = THUD_MOTION_RUNNING};
    thud_motion *runs[2];
    double final[2];
    whole.count = stepped.count = 0;
    assert_int_equal(
        run_all(ball.context, (thud_sweep_method)method, &ball.problem, partition, &options, &sink, final, &info),
        THUD_OK);
    sink.user = &stepped;
    for (int k = 0; k < 2; k++)
      assert_int_equal(thud_sweep_motion_create(ball.context, (thud_sweep_method)method, &ball.problem, partition,
                                                &options, &runs[k]),
                       THUD_OK);
    size_t size = thud_motion_state_size(runs[0]), steps = 0;
    char *block = malloc(size);
    for (; now.status == THUD_MOTION_RUNNING; steps++) {
      assert_int_equal(thud_motion_step(runs[steps % 2], &sink, NULL), THUD_OK);
      now = thud_sweep_motion_get_info(runs[steps % 2]);
      thud_motion_save(runs[steps % 2], block);
      assert_int_equal(thud_motion_restore(runs[(steps + 1) % 2], block, size), THUD_OK);
    }
    assert_int_equal(steps, thud_partition_count(partition));
    assert_int_equal(now.status, info.status);
    assert_int_equal(now.projections, info.projections);
    thud_assert_equal(now.time, info.time);
    thud_assert_equal(now.steps, info.steps);
    thud_assert_equal(now.variation, info.variation);
    thud_assert_equal(now.worst_residual, info.worst_residual);
    thud_assert_equal(now.initial_distance, info.initial_distance);
    assert_memory_equal(thud_sweep_motion_present(runs[0]).state, final, sizeof final);
    thud_assert_at_least(whole.count, 64);
    assert_memory_equal(&whole, &stepped, sizeof whole);
    assert_int_equal(thud_motion_restore(runs[0], block, size - 1), THUD_ERROR_FORMAT);
    block[0] = 'x';
    assert_int_equal(thud_motion_restore(runs[0], block, size), THUD_ERROR_FORMAT);
    free(block);
    thud_motion_destroy(runs[0]);
    thud_motion_destroy(runs[1]);
  }
  thud_partition_destroy(partition);
  swept_ball_end(&ball);
}

static void steps_allocate_nothing(void **state) {
  (void)state;
  swept_ball ball;
  swept_ball_make(&ball, translating_ball, (const double[2]){0, 0.5});
  thud_sweep_options options = thud_sweep_options_default();
  uint64_t cost[2];
  for (int k = 0; k < 2; k++) {
    thud_partition *partition = NULL;
    assert_int_equal(thud_partition_uniform(ball.context, 0, 1, k == 0 ? 10 : 10000, 0, NULL, &partition), THUD_OK);
    uint64_t before = thud_context_allocation_count(ball.context);
    assert_int_equal(
        run_all(ball.context, THUD_SWEEP_CATCHING_UP, &ball.problem, partition, &options, NULL, NULL, NULL), THUD_OK);
    cost[k] = thud_context_allocation_count(ball.context) - before;
    thud_partition_destroy(partition);
  }
  assert_int_equal(cost[0], cost[1]);
  swept_ball_end(&ball);
}

/* ---- classes ------------------------------------------------------------------------------------------------------ */

/* The segment of S1 at the angle a sqrt(t) sin(1/(t + 1e-9)): its quadratic variation does not vanish with the steps. */
static int shaken_segment(void *user, double t, thud_side side, double *out) {
  (void)side;
  double angle = *(const double *)user * sqrt(t) * sin(1 / (t + 1e-9));
  return rotating_segment(NULL, angle, THUD_SIDE_VALUE, out);
}

static int leaping_ball(void *user, double t, thud_side side, double *out) {
  bool behind = t > 0.5 || (t == 0.5 && side == THUD_SIDE_RIGHT);
  double speed = behind ? 1 : 0;
  (void)user;
  out[0] = speed * 2.5 + 0.3 * t;
  out[1] = 0;
  out[2] = 1;
  return 0;
}

static thud_limit_judgement classify(thud_context *context, const thud_sweep_problem *problem, double end,
                                     thud_index steps, int levels, thud_limit_level *rows) {
  const thud_regulated *data = problem->set.parameters;
  thud_partition *partition = NULL;
  thud_limit_judgement found;
  assert_int_equal(thud_partition_uniform(context, 0, end, steps, data->jump_count, data->jumps, &partition), THUD_OK);
  assert_int_equal(
      thud_sweep_classify(context, THUD_SWEEP_CATCHING_UP, problem, partition, NULL, levels, NULL, rows, &found),
      THUD_OK);
  thud_partition_destroy(partition);
  return found;
}

/* S1 loses log(cos h) in every step: |u| = rho cos(h)^(t/h), so that levels differ by rho t (h - h/2)/2 to first order. */
static void classes_do_not_depend_on_the_steps(void **state) {
  (void)state;
  static const thud_index steps[] = {16, 50, 120};
  const double inside[2] = {0, 0.5}, on_segment[2] = {0.75, 0}, at_end[2] = {1, 0}, jump_time = 0.5;
  double part = 0.5;
  thud_limit_level rows[9];
  for (int k = 0; k < 3; k++) {
    swept_ball ball;
    swept_ball_make(&ball, translating_ball, inside);
    assert_int_equal(classify(ball.context, &ball.problem, 3, steps[k], 4, rows).found, THUD_LIMIT_STRONG);
    ball.data = (thud_regulated){.dimension = 3, .evaluate = leaping_ball, .jump_count = 1, .jumps = &jump_time};
    assert_int_equal(classify(ball.context, &ball.problem, 1, steps[k], 4, rows).found, THUD_LIMIT_BOUNDED);
    thud_set *segment = unit_segment(ball.context);
    ball.data = (thud_regulated){.dimension = 4, .evaluate = rotating_segment};
    ball.problem = (thud_sweep_problem){.set = {segment, &ball.data}, .initial = on_segment};
    thud_limit_judgement found = classify(ball.context, &ball.problem, 1.5, steps[k], 4, rows);
    assert_int_equal(found.found, THUD_LIMIT_STRONG);
    /* D(h) ~ h (1 - 3/8 t h): the order is 1 - 3 t h/(16 log 2) at the first pair and nearer to 1 at the others */
    thud_assert_near(found.approach.exponent, 1, 0.45 * 1.5 / (double)steps[k]);
    double h = 1.5 / (double)steps[k], expected = 0.75 * (pow(cos(h / 2), 2 * 1.5 / h) - pow(cos(h), 1.5 / h));
    thud_assert_near(rows[1].distance, expected, 1e-12);
    ball.data = (thud_regulated){.dimension = 4, .evaluate = shaken_segment, .user = &part};
    ball.problem.initial = at_end;
    assert_int_equal(classify(ball.context, &ball.problem, 1, steps[k], 9, rows).found, THUD_LIMIT_NO_UNIFORM);
    thud_set_destroy(segment);
    swept_ball_end(&ball);
  }
}

static void bad_judgements_are_refused(void **state) {
  (void)state;
  const double inside[2] = {0, 0.5};
  thud_limit_level rows[3];
  thud_limit_judgement found;
  thud_partition *partition = NULL;
  swept_ball ball;
  swept_ball_make(&ball, translating_ball, inside);
  assert_int_equal(thud_partition_uniform(ball.context, 0, 1, 4, 0, NULL, &partition), THUD_OK);
  assert_int_equal(
      thud_sweep_classify(ball.context, THUD_SWEEP_CATCHING_UP, &ball.problem, partition, NULL, 2, NULL, rows, &found),
      THUD_ERROR_ARGUMENT);
  assert_int_equal(
      thud_sweep_classify(ball.context, THUD_SWEEP_CATCHING_UP, &ball.problem, partition, NULL, 21, NULL, rows, &found),
      THUD_ERROR_ARGUMENT);
  frame_log log = {.stop_after = 3};
  const thud_motion_sink sink = {.frame = log_frame, .user = &log};
  assert_int_equal(
      thud_sweep_classify(ball.context, THUD_SWEEP_CATCHING_UP, &ball.problem, partition, NULL, 3, &sink, rows, &found),
      THUD_ERROR_INTERRUPTED);
  thud_partition_destroy(partition);
  swept_ball_end(&ball);
}

/* ---- refusals, memory --------------------------------------------------------------------------------------- */

static void bad_problems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_partition *partition = NULL;
  thud_set *set = unit_ball(context, 2);
  assert_int_equal(thud_partition_uniform(context, 0, 1, 2, 0, NULL, &partition), THUD_OK);
  const double initial[2] = {0, NAN}, fine[2] = {0, 0};
  thud_sweep_problem problem = {.set = {set, NULL}, .initial = initial};
  thud_sweep_options options = thud_sweep_options_default();
  assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, NULL, NULL, NULL),
                   THUD_ERROR_NOT_FINITE);
  problem.initial = fine;
  options.tolerance = 0;
  assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, NULL, NULL, NULL),
                   THUD_ERROR_ARGUMENT);
  options = thud_sweep_options_default();
  thud_regulated data = {.dimension = 2, .evaluate = translating_ball};
  problem.set.parameters = &data;
  assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, NULL, NULL, NULL),
                   THUD_ERROR_DIMENSION);
  problem.set.parameters = NULL;
  const double diagonal[3] = {1, 1, 1};
  thud_metric *metric = NULL;
  assert_int_equal(thud_metric_create_diagonal(context, 3, diagonal, &metric), THUD_OK);
  problem.metric = metric;
  assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, NULL, NULL, NULL),
                   THUD_ERROR_DIMENSION);
  thud_metric_destroy(metric);
  thud_partition_destroy(partition);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static thud_error sweep_everything(thud_context *context, void *user) {
  (void)user;
  const double first[2] = {-1, 0}, second[2] = {1, 0}, initial[2] = {0.5, 0}, jumps[1] = {0.3};
  thud_regulated data = {.dimension = 4, .evaluate = rotating_segment, .jump_count = 1, .jumps = jumps};
  thud_set *set = NULL;
  thud_partition *partition = NULL;
  thud_error error = thud_set_segment(context, 2, first, second, &set);
  if (error == THUD_OK) error = thud_partition_uniform(context, 0, 1, 4, 1, jumps, &partition);
  thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
  thud_sweep_options options = thud_sweep_options_default();
  thud_sweep_refinement rows[2];
  double estimate = -1, final[2] = {-7, -7};
  if (error == THUD_OK)
    error = run_all(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, NULL, final, NULL);
  if (error != THUD_OK) {
    thud_assert_equal(final[0], -7);
    thud_assert_equal(final[1], -7);
  }
  if (error == THUD_OK)
    error = run_all(context, THUD_SWEEP_REGULARISED, &problem, partition, &options, NULL, NULL, NULL);
  if (error == THUD_OK)
    error = thud_sweep_refine(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, 2, NULL, rows, &estimate);
  if (error != THUD_OK) thud_assert_equal(estimate, -1);
  thud_limit_level levels[3];
  thud_limit_judgement judgement;
  if (error == THUD_OK)
    error = thud_sweep_classify(context, THUD_SWEEP_CATCHING_UP, &problem, partition, &options, 3, NULL, levels,
                                &judgement);
  thud_partition_destroy(partition);
  thud_set_destroy(set);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(sweep_everything, NULL), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(s1_rotating_segment_gives_rho_cos_to_the_n),
                                     cmocka_unit_test(s2_translating_ball_converges_with_order_one),
                                     cmocka_unit_test(s3_jump_is_one_projection_and_one_atom),
                                     cmocka_unit_test(value_and_right_limit_at_a_jump_are_two_projections),
                                     cmocka_unit_test(initial_state_outside_is_projected_and_reported),
                                     cmocka_unit_test(yosida_error_is_of_first_order_in_lambda),
                                     cmocka_unit_test(yosida_scheme_is_of_second_order_in_h),
                                     cmocka_unit_test(nested_refinement_estimates_the_true_error),
                                     cmocka_unit_test(classes_do_not_depend_on_the_steps),
                                     cmocka_unit_test(bad_judgements_are_refused),
                                     cmocka_unit_test(a_set_that_becomes_empty_or_undefined_ends_the_run_with_its_time),
                                     cmocka_unit_test(a_sink_can_stop_the_run),
                                     cmocka_unit_test(steps_from_saved_states_are_those_of_the_run),
                                     cmocka_unit_test(steps_allocate_nothing),
                                     cmocka_unit_test(bad_problems_are_refused),
                                     cmocka_unit_test(every_failed_allocation_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
