/* Moreau's a-priori properties of sweeping processes, on random polyhedral and round sets. */
#include "sweep_cases.h"
#include "thud/sim.h"
#include "failing_allocator.h"
#include "testing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(two_solutions_never_separate),
                                     cmocka_unit_test(variation_is_bounded_by_the_retraction),
                                     cmocka_unit_test(restart_at_a_node_changes_no_bit),
                                     cmocka_unit_test(motion_is_rate_independent),
                                     cmocka_unit_test(motion_follows_a_change_of_coordinates),
                                     cmocka_unit_test(a_point_inside_an_iterative_set_does_not_creep),
                                     cmocka_unit_test(a_large_gap_does_not_hold_the_state_back),
                                     cmocka_unit_test(a_state_near_the_origin_is_not_held_against_its_own_size)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
