/* The sweeping process: cases S1-S3 with their closed forms, measured orders, and Moreau's a-priori properties. */
#include "thud/sim.h"
#include "failing_allocator.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the cases ------------------------------------------------------------------------------------ */

/* S1: the segment { rho (cos t, sin t), |rho| <= 1 }; parameters: its two ends. */
static int rotating_segment(void *user, double t, thud_side side, double *out) {
  (void)user;
  (void)side;
  out[0] = -cos(t);
  out[1] = -sin(t);
  out[2] = cos(t);
  out[3] = sin(t);
  return 0;
}

/* S2: unit ball with centre (t, 0). */
static int translating_ball(void *user, double t, thud_side side, double *out) {
  (void)side;
  double speed = user != NULL ? *(const double *)user : 1;
  out[0] = speed * t;
  out[1] = 0;
  out[2] = 1;
  return 0;
}

static void translating_ball_exact(double t, double *u) {
  double t0 = sqrt(3) / 2, half = tan(acos(-1) / 12);
  if (t <= t0) {
    u[0] = 0;
    u[1] = 0.5;
    return;
  }
  double theta = 2 * atan(half * exp(-(t - t0)));
  u[0] = t - cos(theta);
  u[1] = sin(theta);
}

static thud_set *unit_ball(thud_context *context, thud_index n) {
  double centre[8] = {0};
  thud_set *set = NULL;
  assert_int_equal(thud_set_ball(context, n, centre, 1, &set), THUD_OK);
  return set;
}

static thud_set *unit_segment(thud_context *context) {
  const double first[2] = {-1, 0}, second[2] = {1, 0};
  thud_set *set = NULL;
  assert_int_equal(thud_set_segment(context, 2, first, second, &set), THUD_OK);
  return set;
}

/* A ball of radius 1 in the plane that moves as the function says, and the problem of the point it sweeps. */
typedef struct swept_ball {
  thud_context *context;
  thud_set *set;
  thud_regulated data;
  double initial[2];
  thud_sweep_problem problem;
} swept_ball;

static void swept_ball_make(swept_ball *ball, thud_regulated_fn motion, const double initial[2]) {
  ball->context = thud_test_context(1);
  ball->set = unit_ball(ball->context, 2);
  ball->data = (thud_regulated){.dimension = 3, .evaluate = motion};
  memcpy(ball->initial, initial, sizeof ball->initial);
  ball->problem = (thud_sweep_problem){.set = {ball->set, &ball->data}, .initial = ball->initial};
}

static void swept_ball_end(swept_ball *ball) {
  thud_set_destroy(ball->set);
  thud_test_context_end(ball->context);
}

typedef struct frame_log {
  size_t count;
  int stop_after; /* 0: never */
  double t[4096], u[4096][2], reaction[4096][2];
  thud_side side[4096];
  bool atom[4096];
} frame_log;

static int log_frame(void *user, const void *given) {
  const thud_sweep_frame *frame = given;
  frame_log *log = user;
  thud_assert_less(log->count, 4096);
  size_t k = log->count++;
  log->t[k] = frame->t;
  log->side[k] = frame->side;
  log->atom[k] = frame->atom;
  memcpy(log->u[k], frame->state, sizeof log->u[k]);
  memcpy(log->reaction[k], frame->reaction, sizeof log->reaction[k]);
  return log->stop_after > 0 && log->count >= (size_t)log->stop_after;
}

/* A whole run. sink, final and info may be NULL. */
static thud_error run_all(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                          const thud_partition *partition, const thud_sweep_options *options,
                          const thud_motion_sink *sink, double *final, thud_sweep_motion_info *info) {
  thud_motion *motion = NULL;
  thud_error error = thud_sweep_motion_create(context, method, problem, partition, options, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, sink, NULL);
  if (error == THUD_OK && final != NULL)
    memcpy(final, thud_sweep_motion_present(motion).state,
           (size_t)thud_set_dimension(problem->set.set) * sizeof(double));
  if (error == THUD_OK && info != NULL) *info = thud_sweep_motion_get_info(motion);
  thud_motion_destroy(motion);
  return error;
}

static thud_sweep_motion_info run_uniform(thud_context *context, const thud_sweep_problem *problem, double end,
                                          thud_index steps, frame_log *log, double *final) {
  const thud_regulated *data = problem->set.parameters;
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(context, 0, end, steps, data != NULL ? data->jump_count : 0,
                                          data != NULL ? data->jumps : NULL, &partition),
                   THUD_OK);
  thud_sweep_options options = thud_sweep_options_default();
  thud_motion_sink sink = {.frame = log_frame, .user = log};
  thud_sweep_motion_info info;
  assert_int_equal(
      run_all(context, THUD_SWEEP_CATCHING_UP, problem, partition, &options, log != NULL ? &sink : NULL, final, &info),
      THUD_OK);
  thud_partition_destroy(partition);
  return info;
}

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

/* ---- Moreau's a-priori properties on random polyhedral and round sets ------------------------------------ */

typedef struct random_motion {
  double amplitude[4], frequency[4], phase[4];
  double rate; /* time reparametrisation s = rate * t */
} random_motion;

static int random_ball(void *user, double t, thud_side side, double *out) {
  (void)side;
  const random_motion *m = user;
  double s = m->rate * t;
  for (int i = 0; i < 2; i++) out[i] = m->amplitude[i] * sin(m->frequency[i] * s + m->phase[i]);
  out[2] = 1 + 0.5 * sin(m->frequency[2] * s);
  return 0;
}

static random_motion draw_motion(thud_random *random) {
  random_motion m = {.rate = 1};
  for (int i = 0; i < 4; i++) {
    m.amplitude[i] = thud_random_uniform(random, 0, 3);
    m.frequency[i] = thud_random_uniform(random, 0.1, 4);
    m.phase[i] = thud_random_uniform(random, 0, 6);
  }
  return m;
}

static thud_metric *draw_metric(thud_context *context, thud_random *random) {
  double a = thud_random_uniform(random, 0.2, 5), c = thud_random_uniform(random, 0.2, 5);
  double b = thud_random_uniform(random, -0.9, 0.9) * sqrt(a * c);
  const double M[4] = {a, b, b, c};
  thud_metric *metric = NULL;
  assert_int_equal(thud_metric_create(context, 2, M, &metric), THUD_OK);
  return metric;
}

static void two_solutions_never_separate(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  static frame_log log_a, log_b;
  for (int instance = 0; instance < 200; instance++) {
    random_motion motion = draw_motion(&random);
    thud_set *set = unit_ball(context, 2);
    thud_metric *metric = draw_metric(context, &random);
    thud_regulated data = {.dimension = 3, .evaluate = random_ball, .user = &motion};
    double a[2], b[2];
    for (int i = 0; i < 2; i++) {
      a[i] = thud_random_normal(&random);
      b[i] = thud_random_normal(&random);
    }
    thud_sweep_problem problem_a = {.set = {set, &data}, .metric = metric, .initial = a};
    thud_sweep_problem problem_b = {.set = {set, &data}, .metric = metric, .initial = b};
    log_a.count = log_b.count = 0;
    run_uniform(context, &problem_a, 5, 50, &log_a, NULL);
    run_uniform(context, &problem_b, 5, 50, &log_b, NULL);
    double distance = thud_metric_distance(metric, 2, a, b);
    for (size_t i = 0, j = 0; i < log_a.count && j < log_b.count; i++, j++) {
      if (log_a.side[i] == THUD_SIDE_LEFT) i++;
      if (log_b.side[j] == THUD_SIDE_LEFT) j++;
      double now = thud_metric_distance(metric, 2, log_a.u[i], log_b.u[j]);
      thud_assert_at_most(now, distance * (1 + 1e-12) + 1e-13);
      distance = now;
    }
    thud_metric_destroy(metric);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* |u(t) - u(s)| <= ret(C; s, t): for a ball, ret <= variation of the centre + decrease of the radius. */
static void variation_is_bounded_by_the_retraction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (int instance = 0; instance < 300; instance++) {
    random_motion motion = draw_motion(&random);
    thud_set *set = unit_ball(context, 2);
    thud_regulated data = {.dimension = 3, .evaluate = random_ball, .user = &motion};
    double c[3], d[3], retraction = 0;
    random_ball(&motion, 0, THUD_SIDE_VALUE, c);
    thud_sweep_problem problem = {.set = {set, &data}, .initial = c};
    thud_sweep_motion_info info = run_uniform(context, &problem, 4, 64, NULL, NULL);
    for (int k = 1; k <= 64; k++) {
      random_ball(&motion, 4 * (k / 64.0), THUD_SIDE_VALUE, d);
      retraction += fmax(0, hypot(d[0] - c[0], d[1] - c[1]) + c[2] - d[2]);
      memcpy(c, d, sizeof c);
    }
    thud_assert_at_most(info.variation, retraction + 1e-12);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

static void restart_at_a_node_changes_no_bit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(4);
  for (int instance = 0; instance < 50; instance++) {
    random_motion motion = draw_motion(&random);
    thud_set *set = unit_ball(context, 2);
    thud_regulated data = {.dimension = 3, .evaluate = random_ball, .user = &motion};
    const double initial[2] = {thud_random_normal(&random), thud_random_normal(&random)};
    thud_partition *whole = NULL, *first = NULL, *second = NULL;
    assert_int_equal(thud_partition_uniform(context, 0, 4, 64, 0, NULL, &whole), THUD_OK);
    thud_interval intervals[65];
    for (size_t k = 0; k < 65; k++) intervals[k] = thud_partition_interval(whole, k);
    assert_int_equal(thud_partition_create(context, 20, intervals, &first), THUD_OK);
    assert_int_equal(thud_partition_create(context, 45, intervals + 20, &second), THUD_OK);
    thud_sweep_options options = thud_sweep_options_default();
    thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
    double at_once[2], middle[2], restarted[2];
    assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, whole, &options, NULL, at_once, NULL), THUD_OK);
    assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, first, &options, NULL, middle, NULL), THUD_OK);
    problem.initial = middle;
    assert_int_equal(run_all(context, THUD_SWEEP_CATCHING_UP, &problem, second, &options, NULL, restarted, NULL),
                     THUD_OK);
    assert_memory_equal(at_once, restarted, sizeof at_once);
    thud_partition_destroy(whole);
    thud_partition_destroy(first);
    thud_partition_destroy(second);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* Rate independence: running the same data four times as fast gives the same states (powers of two: same bits). */
static void motion_is_rate_independent(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (int instance = 0; instance < 50; instance++) {
    random_motion motion = draw_motion(&random);
    thud_set *set = unit_ball(context, 2);
    thud_regulated data = {.dimension = 3, .evaluate = random_ball, .user = &motion};
    const double initial[2] = {0.3, -0.2};
    thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
    double slow[2], fast[2];
    run_uniform(context, &problem, 4, 64, NULL, slow);
    motion.rate = 4;
    run_uniform(context, &problem, 1, 64, NULL, fast);
    assert_memory_equal(slow, fast, sizeof slow);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* A linear change of coordinates x = T y with the metric M_y = T' M_x T carries solutions to solutions. */
static void motion_follows_a_change_of_coordinates(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  for (int instance = 0; instance < 100; instance++) {
    double a = thud_random_uniform(&random, 0.5, 2), s = thud_random_uniform(&random, -1, 1);
    /* Half-plane n.x <= offset(t) moving across u; in y coordinates the normal is T'n, T = [[a, s], [0, 1]]. */
    double angle = thud_random_uniform(&random, 0, 6), nx = cos(angle), ny = sin(angle);
    const double normal_x[2] = {nx, ny}, normal_y[2] = {a * nx, s * nx + ny};
    const double y0[2] = {thud_random_normal(&random), thud_random_normal(&random)};
    const double x0[2] = {a * y0[0] + s * y0[1], y0[1]};
    const double My[4] = {a * a, a * s, a * s, s * s + 1};
    double offset = nx * x0[0] + ny * x0[1] - 0.7;
    thud_set *set_x = NULL, *set_y = NULL;
    assert_int_equal(thud_set_half_space(context, 2, normal_x, offset, &set_x), THUD_OK);
    assert_int_equal(thud_set_half_space(context, 2, normal_y, offset, &set_y), THUD_OK);
    thud_metric *metric = NULL;
    assert_int_equal(thud_metric_create(context, 2, My, &metric), THUD_OK);
    thud_sweep_problem in_x = {.set = {set_x, NULL}, .initial = x0};
    thud_sweep_problem in_y = {.set = {set_y, NULL}, .metric = metric, .initial = y0};
    double x[2], y[2];
    run_uniform(context, &in_x, 1, 2, NULL, x);
    run_uniform(context, &in_y, 1, 2, NULL, y);
    thud_assert_nearer(x[0], (a * y[0] + s * y[1]), 1e-13);
    thud_assert_nearer(x[1], y[1], 1e-13);
    thud_metric_destroy(metric);
    thud_set_destroy(set_x);
    thud_set_destroy(set_y);
  }
  thud_test_context_end(context);
}

/* A disc cut by a strip is projected on iteratively; a point well inside must keep its bits while the set trembles. */
static int trembling_lens(void *user, double t, thud_side side, double *out) {
  (void)user;
  (void)side;
  const double parameters[7] = {0.3 * sin(9 * t), 0.2 * cos(7 * t), 1, -2, -0.9, 2, 0.9};
  memcpy(out, parameters, sizeof parameters);
  return 0;
}

static void a_point_inside_an_iterative_set_does_not_creep(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double centre[2] = {0, 0.2}, lower[2] = {-2, -0.9}, upper[2] = {2, 0.9};
  thud_set *parts[2] = {NULL, NULL}, *set = NULL;
  assert_int_equal(thud_set_ball(context, 2, centre, 1, &parts[0]), THUD_OK);
  assert_int_equal(thud_set_box(context, 2, lower, upper, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
  assert_int_equal(thud_set_get_abilities(set).projection, THUD_ITERATIVE);
  thud_regulated data = {.dimension = 7, .evaluate = trembling_lens};
  const double initial[2] = {0.1, -0.3};
  thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
  double final[2];
  thud_sweep_motion_info info = run_uniform(context, &problem, 4, 2000, NULL, final);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_memory_equal(final, initial, sizeof final);
  thud_assert_equal(info.variation, 0);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* A ball plus a segment, far from the origin: the gap that the iteration certifies is of the size of the motion, but u
 * follows as it does near the origin. */
static int distant_capsule(void *user, double t, thud_side side, double *out) {
  (void)side;
  const double parameters[7] = {*(const double *)user + 3 * t, 0, 1, 0, 0, 1, 2};
  memcpy(out, parameters, sizeof parameters);
  return 0;
}

static void a_large_gap_does_not_hold_the_state_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double near[2] = {0, 0}, offsets[3] = {0, 1e6, 1e8};
  for (int i = 0; i < 3; i++) {
    const double centre[2] = {offsets[i], 0}, from[2] = {0, 0}, to[2] = {1, 2};
    thud_set *parts[2] = {NULL, NULL}, *set = NULL;
    assert_int_equal(thud_set_ball(context, 2, centre, 1, &parts[0]), THUD_OK);
    assert_int_equal(thud_set_segment(context, 2, from, to, &parts[1]), THUD_OK);
    assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
    assert_int_equal(thud_set_get_abilities(set).projection, THUD_ITERATIVE);
    thud_regulated data = {.dimension = 7, .evaluate = distant_capsule, .user = &offsets[i]};
    const double initial[2] = {offsets[i] - 0.5, 0.05};
    thud_sweep_problem problem = {.set = {set, &data}, .initial = initial};
    double final[2];
    thud_sweep_motion_info info = run_uniform(context, &problem, 1, 20, NULL, final);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    if (i == 0) memcpy(near, final, sizeof near);
    thud_assert_at_most(hypot(final[0] - offsets[i] - near[0], final[1] - near[1]), 1e-9 * (1 + offsets[i]));
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* A unit ball whose boundary passes through the origin: u is tiny, the rounding is that of the ball. */
static int creeping_ball(void *user, double t, thud_side side, double *out) {
  (void)user;
  (void)side;
  const double parameters[3] = {1 + 1e-10 * t, 1e-10 * t, 1};
  memcpy(out, parameters, sizeof parameters);
  return 0;
}

static void a_state_near_the_origin_is_not_held_against_its_own_size(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double centre[2] = {1, 0}, M[4] = {2, 1, 1, 3}, initial[2] = {0, 0};
  thud_set *set = NULL;
  thud_metric *metric = NULL;
  assert_int_equal(thud_set_ball(context, 2, centre, 1, &set), THUD_OK);
  assert_int_equal(thud_metric_create(context, 2, M, &metric), THUD_OK);
  thud_regulated data = {.dimension = 3, .evaluate = creeping_ball};
  thud_sweep_problem problem = {.set = {set, &data}, .metric = metric, .initial = initial};
  double final[2];
  thud_sweep_motion_info info = run_uniform(context, &problem, 1, 10, NULL, final);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  /* Pushed along M^-1 e_x, up to the boundary at x = 1e-10. */
  thud_assert_nearer(final[0], 1e-10, 1e-15);
  thud_assert_less(fabs(final[1] + 1e-10 / 3), 1e-15);
  thud_metric_destroy(metric);
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
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(s1_rotating_segment_gives_rho_cos_to_the_n),
      cmocka_unit_test(s2_translating_ball_converges_with_order_one),
      cmocka_unit_test(s3_jump_is_one_projection_and_one_atom),
      cmocka_unit_test(value_and_right_limit_at_a_jump_are_two_projections),
      cmocka_unit_test(initial_state_outside_is_projected_and_reported),
      cmocka_unit_test(two_solutions_never_separate),
      cmocka_unit_test(variation_is_bounded_by_the_retraction),
      cmocka_unit_test(restart_at_a_node_changes_no_bit),
      cmocka_unit_test(motion_is_rate_independent),
      cmocka_unit_test(motion_follows_a_change_of_coordinates),
      cmocka_unit_test(a_point_inside_an_iterative_set_does_not_creep),
      cmocka_unit_test(a_large_gap_does_not_hold_the_state_back),
      cmocka_unit_test(a_state_near_the_origin_is_not_held_against_its_own_size),
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
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
