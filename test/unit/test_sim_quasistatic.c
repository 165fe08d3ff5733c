/* Quasi-static Coulomb friction: the founding texts' cases, all rate solutions, jumps, cycles. Their signs: U_N = -u_N,
 * R_N = -r_N. */
#include "elastic.h"
#include "failing_allocator.h"
#include "testing.h"

#include "thud/quasistatic.h"

#include <string.h>

#define KLARBRING                                                                                                      \
  { 2, 1, 1, 1 }

static thud_context *context;
static int setup(void **state) {
  (void)state;
  context = thud_test_context(1);
  return 0;
}
static int teardown(void **state) {
  (void)state;
  thud_test_context_end(context);
  return 0;
}

static const thud_quasistatic_method both[] = {THUD_QUASISTATIC_INCREMENTS, THUD_QUASISTATIC_EVENTS};

/* U and R of the founding texts from the present state. */
static void assert_state(const elastic_made *made, const double *U, const double *R, double tolerance) {
  thud_quasistatic_frame frame = thud_quasistatic_motion_present(made->motion);
  for (int k = 0; k < made->given.contacts * made->given.dimension; k++) {
    thud_assert_near(frame.U[k], U[k], tolerance);
    thud_assert_near((k % made->given.dimension == 0 ? -1 : 1) * frame.r[k], R[k], tolerance);
  }
}

/* ---- lists of solutions -------------------------------------------------------------------------------------------- */

typedef struct kept {
  size_t count;
  double U[16][ELASTIC_MOST], R[16][ELASTIC_MOST], energy[16], friction[16], release[16];
  int size, dimension;
} kept;

static int keep(void *user, const thud_quasistatic_solution *solution) {
  kept *list = user;
  for (int k = 0; k < list->size; k++) {
    double sign = k % list->dimension == 0 ? -1 : 1;
    list->U[list->count][k] = sign * solution->u[k];
    list->R[list->count][k] = sign * solution->r[k];
  }
  list->energy[list->count] = solution->energy;
  list->friction[list->count] = solution->friction;
  list->release[list->count++] = solution->release;
  return 0;
}

/* The solution with these displacements (or rates) and reactions is in the list; its number. */
static size_t assert_has(const kept *list, const double *U, const double *R, double tolerance) {
  double best = INFINITY;
  size_t nearest = 0;
  for (size_t s = 0; s < list->count; s++) {
    double distance = 0;
    for (int k = 0; k < list->size; k++)
      distance = fmax(distance, fmax(fabs(list->U[s][k] - U[k]), fabs(list->R[s][k] - R[k])));
    if (distance < best) best = distance, nearest = s;
  }
  thud_assert_at_most(best, tolerance);
  return nearest;
}

static kept rates_of(const elastic_made *made, const double *rate) {
  kept list = {.size = made->given.contacts * made->given.dimension, .dimension = made->given.dimension};
  thud_quasistatic_count count;
  assert_int_equal(thud_quasistatic_motion_rates(made->motion, rate, keep, &list, &count), THUD_OK);
  assert_true(count.complete);
  assert_int_equal(count.solutions, list.count);
  return list;
}

static kept equilibria_of(const elastic_made *made, const double *F) {
  kept list = {.size = made->given.contacts * made->given.dimension, .dimension = made->given.dimension};
  assert_int_equal(thud_quasistatic_motion_equilibria(made->motion, F, keep, &list, NULL), THUD_OK);
  return list;
}

/* ---- B1, B2, B4, B6 ------------------------------------------------------------------------------------------------- */

static void load_b1(double t, double *F) { F[0] = t, F[1] = 1.5 * t; }

static void three_rate_solutions_at_the_start_of_b1(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 1,
                              .dimension = 2,
                              .K = KLARBRING,
                              .mu = 2,
                              .gap = 0,
                              .load = load_b1,
                              .initial = NULL,
                              .end = 1,
                              .steps = 8,
                              .method = THUD_QUASISTATIC_EVENTS};
  const double rate[2] = {1, 1.5}, none[2] = {0, 0};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  kept list = rates_of(&made, rate);
  assert_int_equal(list.count, 3);
  (void)assert_has(&list, (double[]){-.5, 2}, none, 1e-14);
  (void)assert_has(&list, none, (double[]){-1, -1.5}, 1e-14);
  (void)assert_has(&list, (double[]){0, .5}, (double[]){-.5, -1}, 1e-14);
  thud_quasistatic_motion_info info = elastic_run(&made);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(info.forks, 1);
  assert_int_equal(info.most_solutions, 3);
  assert_state(&made, none, (double[]){-1, -1.5}, 1e-14);
  elastic_end(&made);
}

static void every_branch_of_b1_is_followed(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 1,
                              .dimension = 2,
                              .K = KLARBRING,
                              .mu = 2,
                              .gap = 0,
                              .load = load_b1,
                              .initial = NULL,
                              .end = 1,
                              .steps = 8,
                              .method = THUD_QUASISTATIC_EVENTS};
  const double U[3][2] = {{0, 0}, {0, .5}, {-.5, 2}}, R[3][2] = {{-1, -1.5}, {-.5, -1}, {0, 0}};
  for (size_t k = 0; k < 3; k++) {
    elastic_made made;
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    assert_int_equal(thud_quasistatic_motion_follow_forks(made.motion, true, 0), THUD_OK);
    thud_quasistatic_motion_info info = elastic_run(&made);
    assert_int_equal(info.status, THUD_MOTION_FORKED);
    assert_int_equal(thud_quasistatic_motion_outcome_count(made.motion), 3);
    assert_int_equal(thud_quasistatic_motion_choose(made.motion, 3), THUD_ERROR_ARGUMENT);
    assert_int_equal(thud_quasistatic_motion_follow_forks(made.motion, true, 2), THUD_OK); /* fewer are offered */
    assert_int_equal(thud_quasistatic_motion_outcome_count(made.motion), 2);
    assert_int_equal(thud_quasistatic_motion_choose(made.motion, 2), THUD_ERROR_ARGUMENT);
    assert_int_equal(thud_quasistatic_motion_follow_forks(made.motion, true, 3), THUD_OK);
    assert_int_equal(thud_quasistatic_motion_choose(made.motion, k), THUD_OK);
    info = elastic_run(&made);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    assert_state(&made, U[k], R[k], 1e-14);
    elastic_end(&made);
  }
}

static void load_b2(double t, double *F) { F[0] = t, F[1] = t; }

static void b2_may_leave_its_slip_at_any_time(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 1,
                              .dimension = 2,
                              .K = KLARBRING,
                              .mu = 2,
                              .gap = 0,
                              .load = load_b2,
                              .initial = NULL,
                              .end = 1,
                              .steps = 4,
                              .method = THUD_QUASISTATIC_EVENTS};
  const double rate[2] = {1, 1};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  assert_int_equal(thud_quasistatic_motion_follow_forks(made.motion, true, 0), THUD_OK);
  assert_int_equal(elastic_run(&made).status, THUD_MOTION_FORKED);
  assert_int_equal(thud_quasistatic_motion_choose(made.motion, 1), THUD_OK);
  for (int k = 0; k < 3; k++) { /* at every node of the slip U = (0, t), R = 0 sticking is another solution */
    assert_int_equal(thud_motion_step(made.motion, NULL, NULL), THUD_OK);
    kept list = rates_of(&made, rate);
    assert_int_equal(list.count, 2);
    (void)assert_has(&list, (double[]){0, 1}, (double[]){0, 0}, 1e-13);
    (void)assert_has(&list, (double[]){0, 0}, (double[]){-1, -1}, 1e-13);
  }
  elastic_end(&made);
}

static void load_b4(double t, double *F) { F[0] = fmin(t, 1), F[1] = fmax(0, t - 1); }

static void b4_stops_where_no_rate_exists_and_names_the_equilibrium(void **state) {
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    const elastic_case given = {.contacts = 1,
                                .dimension = 2,
                                .K = KLARBRING,
                                .mu = 2,
                                .gap = 0,
                                .load = load_b4,
                                .initial = NULL,
                                .end = 4,
                                .steps = 40,
                                .method = both[k]};
    elastic_made made;
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    thud_quasistatic_motion_info info = elastic_run(&made);
    assert_int_equal(info.status, THUD_MOTION_NO_RATE);
    thud_assert_near(info.first_jump, 3, 1e-9);
    thud_test_message_has(context, "the rate problem has no solution", "open: releases 2.5", NULL);
    elastic_end(&made);
  }
}

/* The jump at t = 3 to U = (-1, 3) releases 5/2, none of it in friction. */
static void b4_jumps_with_the_energy_that_the_ledger_has(void **state) {
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    elastic_case given = {.contacts = 1,
                          .dimension = 2,
                          .K = KLARBRING,
                          .mu = 2,
                          .gap = 0,
                          .load = load_b4,
                          .initial = NULL,
                          .end = 4,
                          .steps = 40,
                          .method = both[k],
                          .options = thud_quasistatic_options_default()};
    given.options.on_jump = THUD_JUMP_DISSIPATIVE;
    elastic_made made;
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    thud_quasistatic_motion_info info = elastic_run(&made);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(info.jumps, 1);
    assert_state(&made, (double[]){-2, 5}, (double[]){0, 0}, 1e-13);
    thud_quasistatic_ledger ledger = thud_quasistatic_motion_present(made.motion).ledger;
    thud_assert_near(ledger.defect, 0, 1e-13);
    thud_assert_near(ledger.friction, 0, 1e-13);
    if (both[k] == THUD_QUASISTATIC_EVENTS) thud_assert_near(ledger.quadratic, 2.5, 1e-9);
    elastic_end(&made);
  }
}

static void load_b6(double t, double *F) { F[0] = -t, F[1] = 0; }

static void b6_lifts_off(void **state) {
  (void)state;
  for (size_t k = 0; k < 2; k++) {
    const elastic_case given = {.contacts = 1,
                                .dimension = 2,
                                .K = {1, .5, .5, 1},
                                .mu = .5,
                                .gap = 0,
                                .load = load_b6,
                                .initial = NULL,
                                .end = 1,
                                .steps = 10,
                                .method = both[k]};
    elastic_made made;
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    assert_int_equal(elastic_run(&made).status, THUD_MOTION_COMPLETED);
    assert_state(&made, (double[]){-4. / 3, 2. / 3}, (double[]){0, 0}, 1e-14);
    elastic_end(&made);
  }
}

/* ---- two and three contacts: Q1 to Q4, jumps -------------------------------------------------------------------------- */

#define MATRIX_A                                                                                                       \
  { 3, 1, -1, 0, 1, 2, 0, -.5, -1, 0, 3, -1, 0, -.5, -1, 2 }
#define MATRIX_B                                                                                                       \
  {                                                                                                                    \
    4, 1, -1, .5, 0, 0, 1, 3, -.5, -1, 0, 0, -1, -.5, 4, 0, -1, .5, .5, -1, 0, 3, -.5, -1, 0, 0, -1, -.5, 4, -1, 0, 0, \
        .5, -1, -1, 3                                                                                                  \
  }

static void load_q1(double t, double *F) { F[0] = 1, F[1] = 1.6 + t, F[2] = 1, F[3] = -1.6 - t; }
static void load_q2(double t, double *F) { F[0] = 1, F[1] = 2.6 + t, F[2] = 1, F[3] = -2.6 - t; }
static void load_q3(double t, double *F) { F[0] = t, F[1] = 3 * t, F[2] = t, F[3] = -3 * t; }
static void load_q4(double t, double *F) {
  const double rate[6] = {-1, -1, -2, -3, 2, -1};
  for (int k = 0; k < 6; k++) F[k] = t * rate[k];
}
static const double zero[ELASTIC_MOST];

static void q1_has_three_rate_solutions(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 2,
                              .dimension = 2,
                              .K = MATRIX_A,
                              .mu = 1.6,
                              .gap = 0,
                              .load = load_q1,
                              .initial = zero,
                              .end = 1,
                              .steps = 4,
                              .method = THUD_QUASISTATIC_EVENTS};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  kept list = rates_of(&made, (double[]){0, 1, 0, -1});
  assert_int_equal(list.count, 3);
  (void)assert_has(&list, (double[]){0, 10. / 9, 0, -10. / 9}, (double[]){10. / 9, 16. / 9, 10. / 9, -16. / 9}, 1e-13);
  (void)assert_has(&list, (double[]){0, 2.5, 0, 0}, (double[]){2.5, 4, 0, -.25}, 1e-13);
  (void)assert_has(&list, (double[]){0, 0, 0, -2.5}, (double[]){0, .25, 2.5, -4}, 1e-13);
  elastic_end(&made);
}

static void q2_has_none_or_four_rate_solutions(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 2,
                              .dimension = 2,
                              .K = MATRIX_A,
                              .mu = 2.6,
                              .gap = 0,
                              .load = load_q2,
                              .initial = zero,
                              .end = 1,
                              .steps = 4,
                              .method = THUD_QUASISTATIC_EVENTS};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  assert_int_equal(rates_of(&made, (double[]){0, 1, 0, -1}).count, 0);
  kept list = rates_of(&made, (double[]){0, -1, 0, 1});
  assert_int_equal(list.count, 4);
  (void)assert_has(&list, zero, (double[]){0, 1, 0, -1}, 1e-12);
  (void)assert_has(&list, (double[]){0, 5. / 3, 0, 0}, (double[]){5. / 3, 13. / 3, 0, -11. / 6}, 1e-12);
  (void)assert_has(&list, (double[]){0, 10, 0, -10}, (double[]){10, 26, 10, -26}, 1e-12);
  elastic_end(&made);
}

static void q2_jumps_to_one_of_five_equilibria(void **state) {
  (void)state;
  elastic_case given = {.contacts = 2,
                        .dimension = 2,
                        .K = MATRIX_A,
                        .mu = 2.6,
                        .gap = 0,
                        .load = load_q2,
                        .initial = zero,
                        .end = 1,
                        .steps = 4,
                        .method = THUD_QUASISTATIC_EVENTS,
                        .options = thud_quasistatic_options_default()};
  const double F[4] = {1, 2.6, 1, -2.6};
  elastic_made made;
  given.options.on_jump = THUD_JUMP_DISSIPATIVE;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  kept list = equilibria_of(&made, F);
  assert_int_equal(list.count, 6); /* with the present one */
  size_t k = assert_has(&list, (double[]){-.025, 1.05, -.025, -1.05}, zero, 1e-12);
  thud_assert_near(list.energy[k], -2.705, 1e-12);
  thud_assert_near(list.release[k], 2.705, 1e-12);
  k = assert_has(&list, (double[]){-.12, 1.36, 0, 0}, (double[]){0, 0, -.88, 1.92}, 1e-12);
  thud_assert_near(list.energy[k], -1.708, 1e-12);
  k = assert_has(&list, (double[]){-.0448980, 1.1346939, 0, -.7510204}, (double[]){0, 0, -.2040816, .5306122}, 1e-7);
  thud_assert_near(list.energy[k], -2.6282299, 1e-7);
  thud_assert_near(list.friction[k], .3985006, 1e-7);
  thud_quasistatic_motion_info info = {0};
  while (info.jumps == 0) assert_int_equal(elastic_step(&made, &info), THUD_OK);
  thud_assert_near(info.first_jump, 0, 1e-12);
  assert_int_equal(elastic_run(&made).status, THUD_MOTION_COMPLETED);
  elastic_end(&made);
}

static void q3_has_nine_solutions_when_it_touches(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 2,
                              .dimension = 2,
                              .K = MATRIX_A,
                              .mu = 4,
                              .gap = 0,
                              .load = load_q3,
                              .initial = NULL,
                              .end = 1,
                              .steps = 4,
                              .method = THUD_QUASISTATIC_EVENTS};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  kept list = rates_of(&made, (double[]){1, 3, 1, -3});
  assert_int_equal(list.count, 9);
  (void)assert_has(&list, (double[]){-.125, 1.25, -.125, -1.25}, zero, 1e-13);
  (void)assert_has(&list, (double[]){-.2, 1.6, 0, 0}, (double[]){0, 0, -.8, 2.2}, 1e-13);
  (void)assert_has(&list, (double[]){-1. / 7, 10. / 7, 0, -4. / 7}, (double[]){0, 0, -2. / 7, 8. / 7}, 1e-13);
  (void)assert_has(&list, (double[]){0, 0, 0, -.5}, (double[]){-1, -2.75, -.5, 2}, 1e-13);
  (void)assert_has(&list, (double[]){0, 2. / 3, 0, -2. / 3}, (double[]){-1. / 3, -4. / 3, -1. / 3, 4. / 3}, 1e-13);
  (void)assert_has(&list, zero, (double[]){-1, -3, -1, 3}, 1e-13);
  elastic_end(&made);
}

static void q4_has_three_solutions(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 3,
                              .dimension = 2,
                              .K = MATRIX_B,
                              .mu = 4,
                              .gap = 0,
                              .load = load_q4,
                              .initial = NULL,
                              .end = 1,
                              .steps = 4,
                              .method = THUD_QUASISTATIC_EVENTS};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  kept list = rates_of(&made, (double[]){-1, -1, -2, -3, 2, -1});
  assert_int_equal(list.count, 3);
  int seen = 0;
  for (size_t k = 0; k < 3; k++) {
    seen |= fabs(list.R[k][4] + .7464615) < 1e-7 && fabs(list.R[k][5] - 1.9716923) < 1e-7 ? 1 : 0;
    seen |= fabs(list.U[k][1] + .8236360) < 1e-7 ? 2 : 0;
    seen |= fabs(list.U[k][1] + .8340807) < 1e-7 && fabs(list.U[k][5] + .6726457) < 1e-7 ? 4 : 0;
  }
  assert_int_equal(seen, 7);
  elastic_end(&made);
}

/* ---- one contact in space ------------------------------------------------------------------------------------------------ */

#define MATRIX_SPACE                                                                                                   \
  { 12, -.19, -14.4, -.19, 1, 0, -14.4, 0, 20 }

static void load_space(double t, double *F) { F[0] = 1.0751 * t, F[1] = -.99 * t, F[2] = -.35 * t; }

static void three_static_solutions_in_space(void **state) {
  (void)state;
  const elastic_case given = {.contacts = 1,
                              .dimension = 3,
                              .K = MATRIX_SPACE,
                              .mu = 1,
                              .gap = 0,
                              .load = load_space,
                              .initial = NULL,
                              .end = 1,
                              .steps = 1,
                              .method = THUD_QUASISTATIC_STATIC};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  kept list = equilibria_of(&made, (double[]){1.0751, -.99, -.35});
  assert_int_equal(list.count, 3);
  (void)assert_has(&list, zero, (double[]){-1.0751, .99, .35}, 1e-14);
  (void)assert_has(&list, (double[]){0, -.0166685, -.0044647}, (double[]){-1.007642, .973332, .260707}, 1e-6);
  (void)assert_has(&list, (double[]){0, -.1372996, -.0133534}, (double[]){-.856724, .852700, .082932}, 1e-6);
  for (size_t k = 0; k < 3; k++) { /* each is on its law to rounding */
    const double *U = list.U[k], *R = list.R[k];
    double K[9] = MATRIX_SPACE, F[3] = {1.0751, -.99, -.35};
    for (int i = 0; i < 3; i++) thud_assert_near(K[i] * U[0] + K[i + 3] * U[1] + K[i + 6] * U[2], F[i] + R[i], 1e-14);
    if (k > 0) thud_assert_near(hypot(R[1], R[2]), -R[0], 1e-14);
  }
  assert_int_equal(elastic_run(&made).most_solutions, 3);
  elastic_end(&made);
}

/* ---- cycles ----------------------------------------------------------------------------------------------------------------- */

static void load_cycle(double t, double *F) {
  /* 1.5 sin by straight lines: 0, 1.5, 0, -1.5, 0 in each unit of time, linear between the nodes */
  double phase = t - floor(t);
  F[0] = 2;
  F[1] = phase <= .25 ? 6 * phase : phase <= .75 ? 3 - 6 * phase : 6 * phase - 6;
}

/* U_T goes between -.4 and 2/3, 2.0622222 per cycle. */
static void a_cycle_dissipates_what_its_closed_form_says(void **state) {
  (void)state;
  const double initial[2] = {0, 0};
  const elastic_case given = {.contacts = 1,
                              .dimension = 2,
                              .K = {1, .5, .5, 1},
                              .mu = .5,
                              .gap = 0,
                              .load = load_cycle,
                              .initial = initial,
                              .end = 3,
                              .steps = 12,
                              .method = THUD_QUASISTATIC_EVENTS};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  double lost[4] = {0}, low = 0, high = 0;
  thud_quasistatic_motion_info info;
  do {
    assert_int_equal(elastic_step(&made, &info), THUD_OK);
    thud_quasistatic_frame frame = thud_quasistatic_motion_present(made.motion);
    if (info.steps % 4 == 0) lost[info.steps / 4] = frame.ledger.friction;
    low = fmin(low, frame.U[1]);
    high = fmax(high, frame.U[1]);
  } while (info.status == THUD_MOTION_RUNNING);
  thud_assert_near(low, -.4, 1e-14);
  thud_assert_near(high, 2. / 3, 1e-14);
  double w = .5, mu = .5, F_N = 2; /* 2 mu [F_N U - w U^2/2] between the ends */
  double closed = 2 * mu * (F_N * (high - low) - w * (high * high - low * low) / 2);
  thud_assert_near(closed, 2.0622222, 1e-7);
  thud_assert_near(lost[3] - lost[2], closed, 1e-13);
  thud_assert_near(thud_quasistatic_motion_present(made.motion).ledger.defect, 0, 1e-13);
  elastic_end(&made);
}

static void load_history(double t, double *F) {
  static const double V[3][4] = {{2, -1, 2, 0}, {1, 0, .5, .5}, {1.5, 0, 2, .5}}; /* V3, V1, V2 */
  double whole = floor(t), share = t - whole;
  int from = (int)whole % 3, to = ((int)whole + 1) % 3;
  for (int k = 0; k < 4; k++) F[k] = V[from][k] + share * (V[to][k] - V[from][k]);
}

static thud_quasistatic_frame go_round(elastic_made *made, const double *initial, int cycles, double *lost) {
  const elastic_case given = {.contacts = 2,
                              .dimension = 2,
                              .K = {4, -1, 0, .5, -1, 2, 1, 1, 0, 1, 4, .5, .5, 1, .5, 2},
                              .mu = .5,
                              .gap = 0,
                              .load = load_history,
                              .initial = initial,
                              .end = 3. * cycles,
                              .steps = 3 * cycles,
                              .method = THUD_QUASISTATIC_EVENTS};
  assert_int_equal(elastic_make(context, &given, made), THUD_OK);
  double before = 0;
  thud_quasistatic_motion_info info;
  do {
    assert_int_equal(elastic_step(made, &info), THUD_OK);
    if (info.steps == (size_t)(3 * cycles - 3)) before = thud_quasistatic_motion_present(made->motion).ledger.friction;
  } while (info.status == THUD_MOTION_RUNNING);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  *lost = thud_quasistatic_motion_present(made->motion).ledger.friction - before;
  return thud_quasistatic_motion_present(made->motion);
}

static void history_decides_what_a_cycle_tends_to(void **state) {
  (void)state;
  elastic_made made;
  double lost;
  thud_quasistatic_frame end = go_round(&made, (double[]){0, -.24, 0, .24}, 5, &lost);
  thud_assert_near(end.U[1], -.24, 1e-14);
  thud_assert_near(end.U[3], .24, 1e-14);
  thud_assert_near(lost, 0, 1e-14);
  elastic_end(&made);
  end = go_round(&made, (double[]){0, -5. / 12, 0, .5}, 5, &lost);
  thud_assert_near(end.U[1], -5. / 12, 1e-13);
  thud_assert_near(lost, 79. / 1350, 1e-13);
  elastic_end(&made);
  end = go_round(&made, zero, 60, &lost);
  thud_assert_near(end.U[1], -5. / 32, 1e-9);
  thud_assert_near(end.U[3], 3. / 16, 1e-9);
  elastic_end(&made);
}

/* ---- the ratchet: semidefinite K --------------------------------------------------------------------------------------------- */

static void load_ratchet(double t, double *F) {
  /* normal loads 1 -+ .6 and 1 +- .6, exchanged linearly in each half-cycle of length 1 */
  double phase = fmod(t, 2), x = phase <= 1 ? phase : 2 - phase;
  F[0] = .4 + 1.2 * x, F[1] = .3, F[2] = 1.6 - 1.2 * x, F[3] = .3;
}

static void a_ratchet_advances_by_its_closed_form(void **state) {
  (void)state;
  elastic_case given = {.contacts = 2,
                        .dimension = 2,
                        .K = {1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1},
                        .mu = .5,
                        .gap = 0,
                        .load = load_ratchet,
                        .initial = NULL,
                        .end = 20,
                        .steps = 20,
                        .method = THUD_QUASISTATIC_EVENTS};
  for (size_t m = 0; m < 2; m++) {
    elastic_made made;
    given.method = both[m];
    given.steps = both[m] == THUD_QUASISTATIC_EVENTS ? 20 : 20;
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    double U[21] = {0}, lost[21] = {0};
    thud_quasistatic_motion_info info;
    do {
      assert_int_equal(elastic_step(&made, &info), THUD_OK);
      thud_quasistatic_frame frame = thud_quasistatic_motion_present(made.motion);
      U[info.steps] = frame.U[1];
      lost[info.steps] = frame.ledger.friction;
    } while (info.status == THUD_MOTION_RUNNING);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    assert_true(info.held_by_contacts);
    thud_assert_near(U[20] - U[18], .2, 1e-10);
    thud_assert_near(U[18] - U[16], .2, 1e-10);
    thud_assert_near(lost[20] - lost[18], both[m] == THUD_QUASISTATIC_EVENTS ? .12 : .08, 1e-10);
    elastic_end(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(three_rate_solutions_at_the_start_of_b1),
      cmocka_unit_test(every_branch_of_b1_is_followed),
      cmocka_unit_test(b2_may_leave_its_slip_at_any_time),
      cmocka_unit_test(b4_stops_where_no_rate_exists_and_names_the_equilibrium),
      cmocka_unit_test(b4_jumps_with_the_energy_that_the_ledger_has),
      cmocka_unit_test(b6_lifts_off),
      cmocka_unit_test(q1_has_three_rate_solutions),
      cmocka_unit_test(q2_has_none_or_four_rate_solutions),
      cmocka_unit_test(q2_jumps_to_one_of_five_equilibria),
      cmocka_unit_test(q3_has_nine_solutions_when_it_touches),
      cmocka_unit_test(q4_has_three_solutions),
      cmocka_unit_test(three_static_solutions_in_space),
      cmocka_unit_test(a_cycle_dissipates_what_its_closed_form_says),
      cmocka_unit_test(history_decides_what_a_cycle_tends_to),
      cmocka_unit_test(a_ratchet_advances_by_its_closed_form),
  };
  return cmocka_run_group_tests(tests, setup, teardown);
}
