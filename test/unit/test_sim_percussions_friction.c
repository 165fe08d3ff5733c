/* Friction laws by themselves under applied impulses: starts that are degenerate, moving ground, random systems, the contraction
 * of two motions, and both methods. */
#include "percussion_cases.h"
#include "run_motion.h"
#include "testing.h"
#include "failing_allocator.h"
#include "thud/event.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- friction laws by themselves --------------------------------------------------------------------------------- */

static void run_alone(thud_context *context, const char *threshold, const char *force, const char *ground, double end,
                      double v0) {
  line l = {.n = 1, .mass = {1}, .threshold = {threshold}, .force = {force}, .ground = {ground}, .end = end};
  thud_system *system = make_line(context, &l);
  run_events(context, system, end, &zero, &v0, 0, NULL);
  thud_system_destroy(system);
}

/* p = 1 + a t^m against the threshold 1 from rest: slides with u = a t^{m+1}/(m+1) for a > 0, sticks for a < 0. */
static void degenerate_starts_are_decided_by_the_first_order_that_moves(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int m = 1; m <= 9; m++)
    for (int sign = -1; sign <= 1; sign += 2) {
      char force[40];
      snprintf(force, sizeof force, "1%+d*t^%d", sign, m);
      run_alone(context, "1", force, NULL, 1, 0);
      NEAR(out.last_v[0], sign > 0 ? 1.0 / (m + 1) : 0, 1e-14);
    }
  thud_test_context_end(context);
}

/* A load that never leaves the bound: sticking and sliding are one motion. */
static void a_force_on_the_bound_for_ever_moves_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  run_alone(context, "1", "1", NULL, 1, 0);
  thud_assert_equal(out.last_v[0], 0);
  thud_assert_equal(out.last_q[0], 0);
  thud_test_context_end(context);
}

/* N = t, p = alpha t from rest (K6 with k = 0): slides with u = (alpha - 1) t^2/2 for alpha > 1. */
static void friction_that_grows_from_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  run_alone(context, "t", "2*t", NULL, 1, 0);
  NEAR(out.last_v[0], 0.5, 1e-15);
  run_alone(context, "t", "t/2", NULL, 1, 0);
  NEAR(out.last_v[0], 0, 1e-15);
  thud_test_context_end(context);
}

/* Stick-slip on a belt with w = 1: sticks until the spring k q = 1 (q = 1/2 at t = 1/2), then slides. */
static void a_belt_carries_a_block_until_the_spring_wins(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  line l = {.n = 1, .mass = {1}, .stiffness = {2}, .threshold = {"1"}, .ground = {"1"}, .end = 3};
  thud_system *system = make_line(context, &l);
  thud_event_motion_info info = run_events(context, system, 3, &zero, &one, 0, NULL);
  const noted *slip = find_event(THUD_EVENT_SLIP, 0);
  NEAR(slip->t, 0.5, 1e-15);
  NEAR(slip->q[0], 0.5, 1e-15);
  /* q = 1/2 + sin(sqrt2 s)/sqrt2 until the velocity is that of the belt again: s = 2 pi/sqrt2 is beyond the end. */
  NEAR(out.last_q[0], 0.5 + sin(sqrt(2) * 2.5) / sqrt(2), 1e-13);
  NEAR(info.ledger.defect, 0, 1e-13);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* The belt turns round at t = 1: the block is thrown into sliding; |u| falls by 1 per second to the belt's -1. */
static void a_belt_that_jumps_lets_the_block_slide(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  run_alone(context, "1", NULL, "if(t < 1, 1, -1)", 4, 1);
  const noted *stop = find_event(THUD_EVENT_STICK, 0);
  NEAR(stop->t, 3, 1e-14);
  NEAR(stop->q[0], 1, 1e-14);
  NEAR(out.last_q[0], 0, 1e-14);
  thud_test_context_end(context);
}

/* N = abs(sin(t)): an event at every kink, none stepped over. u' = -|sin t| from u = 10. */
static void kinks_of_the_data_are_events(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  run_alone(context, "abs(sin(t))", NULL, NULL, 10, 10);
  NEAR(out.last_v[0], 10 - 6 - (1 + cos(10)), 1e-13);
  thud_test_context_end(context);
}

/* ---- several particles ------------------------------------------------------------------------------------------- */

static void random_spd(thud_random *random, thud_index n, double shift, double *A) {
  double G[MOST * MOST];
  for (thud_index k = 0; k < n * n; k++) G[k] = thud_random_normal(random);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) {
      double sum = i == j ? shift : 0;
      for (thud_index k = 0; k < n; k++) sum += G[i * n + k] * G[j * n + k] / (double)n;
      A[i * n + j] = sum;
    }
}

typedef struct random_line {
  line of;
  char texts[MOST][100], times[5][40], weights[5][40];
  double weight[5], gamma[MOST];
  thud_expr_load_def loads[5];
} random_line;

/* In place: the loads point into it. */
static void make_random(thud_random *random, thud_index n, random_line *made) {
  static const char *const density[] = {"1+sin(3*t)", "1", "t^2", "exp(-t)"};
  static const char *const force[] = {"cos(5*t)", "2*sin(t)", "if(t < 1.3, 1, -2)", "0"};
  static const char *const ground[] = {"0.3*sin(2*t)", "0", "0", "0.1"};
  memset(made, 0, sizeof *made);
  made->of = (line){.n = n, .load_count = 5, .loads = made->loads, .end = 3};
  random_spd(random, n, 0.2, made->of.mass);
  random_spd(random, n, 0, made->of.stiffness);
  random_spd(random, n, 0, made->of.viscosity);
  for (thud_index i = 0; i < n; i++) {
    made->gamma[i] = thud_random_uniform(random, 0, 2);
    snprintf(made->texts[i], sizeof made->texts[i], "%.17g*(%s)", made->gamma[i], density[i]);
    made->of.threshold[i] = made->texts[i];
    made->of.force[i] = force[i];
    made->of.ground[i] = ground[i];
  }
  for (size_t k = 0; k < 5; k++) {
    made->weight[k] = thud_random_uniform(random, 0.1, 1);
    snprintf(made->times[k], sizeof made->times[k], "%.17g", thud_random_uniform(random, 0, 3));
    snprintf(made->weights[k], sizeof made->weights[k], "%.17g", made->weight[k]);
    made->loads[k] = (thud_expr_load_def){.time = made->times[k], .weight = made->weights[k]};
  }
}

static double ground_velocity(thud_index i, double t) { return i == 0 ? 0.3 * sin(2 * t) : i == 3 ? 0.1 : 0; }
static double density_of(thud_index i, double t) {
  return i == 0 ? 1 + sin(3 * t) : i == 1 ? 1 : i == 2 ? t * t : exp(-t);
}

/* Friction law of every percussion, and the ledger, on random systems with coupled masses. */
static void random_systems_obey_the_friction_law(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(40);
  static random_line made;
  for (int trial = 0; trial < 60; trial += thud_test_share(2)) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, MOST);
    make_random(&random, n, &made);
    thud_system *system = make_line(context, &made.of);
    double q0[MOST], u0[MOST];
    for (thud_index i = 0; i < n; i++) q0[i] = thud_random_normal(&random), u0[i] = thud_random_normal(&random);
    thud_event_motion_info info = run_events(context, system, 3, q0, u0, 0, NULL);
    assert_int_equal(info.percussions, 5);
    thud_assert_less(info.ledger.identity, 1e-12);
    NEAR(info.ledger.defect, 0, 1e-11 * (1 + info.ledger.friction_loss));
    for (size_t k = 0; k < out.count; k++) {
      const noted *hit = &out.events[k];
      if (hit->kind != THUD_EVENT_PERCUSSION) continue;
      double weight = 0;
      for (size_t j = 0; j < 5; j++)
        if (strtod(made.times[j], NULL) == hit->t) weight = made.weight[j];
      for (thud_index i = 0; i < n; i++) {
        double bound = weight * made.gamma[i] * density_of(i, hit->t), slip = hit->v[i] - ground_velocity(i, hit->t);
        thud_assert_at_most(fabs(hit->impulse[i]), bound + 1e-12);
        if (fabs(slip) < 1e-12) continue;
        NEAR(hit->impulse[i], slip > 0 ? -bound : bound, 1e-12);
      }
      for (thud_index i = 0; i < n; i++) { /* M (v+ - v-) = R */
        double sum = -hit->impulse[i];
        for (thud_index j = 0; j < n; j++) sum += made.of.mass[i * n + j] * (hit->v[j] - hit->left[j]);
        NEAR(sum, 0, 1e-13);
      }
    }
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* Two motions with the same data: |Du|_M^2 + |Dq|_K^2 does not grow, for both methods. */
static void two_motions_come_no_further_apart(void **state) {
  (void)state;
  enum { TIMES = 60 };
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(41);
  static random_line made;
  double outputs[TIMES];
  for (int k = 0; k < TIMES; k++) outputs[k] = 3 * (k + 0.5) / TIMES;
  for (int trial = 0; trial < 60; trial += thud_test_share(2)) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, MOST);
    make_random(&random, n, &made);
    thud_system *system = make_line(context, &made.of);
    for (int method = 0; method < 2; method++) {
      double q[2][TIMES][MOST], v[2][TIMES][MOST], last = INFINITY;
      for (int which = 0; which < 2; which++) {
        double q0[MOST], u0[MOST];
        for (thud_index i = 0; i < n; i++) q0[i] = thud_random_normal(&random), u0[i] = thud_random_normal(&random);
        if (method == 0)
          run_events(context, system, 3, q0, u0, TIMES, outputs);
        else
          run_steps(context, system, &made.of, THUD_STEPPING_IMPLICIT, 3, TIMES, q0, u0);
        memcpy(q[which], out.q[method], sizeof q[which]); /* without node 0 */
        memcpy(v[which], out.v[method], sizeof v[which]);
      }
      for (size_t k = 0; k < TIMES; k++) {
        double apart =
            half_square(n, made.of.mass, v[0][k], v[1][k]) + half_square(n, made.of.stiffness, q[0][k], q[1][k]);
        thud_assert_at_most(apart, last * (1 + 1e-12) + 1e-14);
        last = apart;
      }
    }
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* The steps go to the event-driven motion with order 1 on coupled systems too, and keep their identity. */
static void both_methods_meet(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(42);
  static random_line made;
  for (int trial = 0; trial < 5; trial += thud_test_share(2)) {
    make_random(&random, 3, &made);
    thud_system *system = make_line(context, &made.of);
    const double q0[] = {1, -1, 0.5}, u0[] = {0, 2, -1};
    double q[3], u[3], errors[3];
    run_events(context, system, 3, q0, u0, 0, NULL);
    memcpy(q, out.last_q, sizeof q);
    memcpy(u, out.last_v, sizeof u);
    for (int level = 0; level < 3; level++) {
      run_steps(context, system, &made.of, THUD_STEPPING_IMPLICIT, 3, 4000 << (2 * level), q0, u0);
      thud_assert_less(out.ledger.identity, 1e-13);
      NEAR(out.ledger.scheme_loss, out.scheme_loss, 1e-10);
      errors[level] = 0;
      for (int i = 0; i < 3; i++)
        errors[level] = hypot(errors[level], hypot(out.last_q[i] - q[i], out.last_v[i] - u[i]));
    }
    thud_assert_less(errors[2], 1e-2);
    double order = log2(errors[0] / errors[2]) / 4;
    if (!(order > 0.8 && order < 1.25)) print_error("order %g: %g %g %g\n", order, errors[0], errors[1], errors[2]);
    thud_assert_greater(order, 0.8);
    thud_assert_less(order, 1.25);
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(degenerate_starts_are_decided_by_the_first_order_that_moves),
                                     cmocka_unit_test(a_force_on_the_bound_for_ever_moves_nothing),
                                     cmocka_unit_test(friction_that_grows_from_nothing),
                                     cmocka_unit_test(a_belt_carries_a_block_until_the_spring_wins),
                                     cmocka_unit_test(a_belt_that_jumps_lets_the_block_slide),
                                     cmocka_unit_test(kinks_of_the_data_are_events),
                                     cmocka_unit_test(random_systems_obey_the_friction_law),
                                     cmocka_unit_test(two_motions_come_no_further_apart),
                                     cmocka_unit_test(both_methods_meet)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
