/* Quasi-static motions as runs: states, memory, given bounds and their fixed point, random systems, bad problems. */
#include "elastic.h"
#include "failing_allocator.h"
#include "testing.h"

#include "thud/critical.h"
#include "thud/quasistatic.h"

#include "base/base.h"

#include <stdlib.h>
#include <string.h>

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

static void load_wave(double t, double *F) {
  F[0] = 2 + .3 * sin(3 * t), F[1] = 1.5 * sin(t), F[2] = 1 + t / 20, F[3] = -1.2 * cos(2 * t);
}

#define TWO_CONTACTS                                                                                                   \
  { 3, 1, -1, 0, 1, 2, 0, -.5, -1, 0, 3, -1, 0, -.5, -1, 2 }

static elastic_case two_contacts(thud_quasistatic_method method) {
  return (elastic_case){.contacts = 2,
                        .dimension = 2,
                        .K = TWO_CONTACTS,
                        .mu = .4,
                        .load = load_wave,
                        .end = 9,
                        .steps = 90,
                        .method = method};
}

/* ---- states ------------------------------------------------------------------------------------------------------- */

static void a_restored_motion_has_the_same_bits(void **unused) {
  (void)unused;
  static const thud_quasistatic_method methods[] = {THUD_QUASISTATIC_INCREMENTS, THUD_QUASISTATIC_EVENTS,
                                                    THUD_QUASISTATIC_STATIC, THUD_QUASISTATIC_FIXED_POINT};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    elastic_case given = two_contacts(methods[k]);
    elastic_made one, other;
    assert_int_equal(elastic_make(context, &given, &one), THUD_OK);
    assert_int_equal(elastic_make(context, &given, &other), THUD_OK);
    for (int i = 0; i < 37; i++) assert_int_equal(thud_motion_step(one.motion, NULL, NULL), THUD_OK);
    size_t size = thud_motion_state_size(one.motion);
    char *state = malloc(size), *end = malloc(size), *again = malloc(size);
    assert_true(state != NULL && end != NULL && again != NULL);
    thud_motion_save(one.motion, state);
    assert_int_equal(elastic_run(&one).status, THUD_MOTION_COMPLETED);
    thud_motion_save(one.motion, end);
    assert_int_equal(thud_motion_restore(other.motion, state, size - 1), THUD_ERROR_FORMAT);
    assert_int_equal(thud_motion_restore(other.motion, state, size), THUD_OK);
    assert_int_equal(elastic_run(&other).status, THUD_MOTION_COMPLETED);
    thud_motion_save(other.motion, again);
    assert_memory_equal(end, again, size);
    free(state), free(end), free(again);
    elastic_end(&one);
    elastic_end(&other);
  }
}

static thud_error make_and_step(thud_context *failing, void *user) {
  const elastic_case *given = user;
  elastic_made made;
  thud_error error = elastic_make(failing, given, &made);
  if (error != THUD_OK) return error;
  for (int k = 0; k < 4 && error == THUD_OK; k++) error = thud_motion_step(made.motion, NULL, NULL);
  elastic_end(&made);
  return error;
}

static void every_allocation_may_fail(void **unused) {
  (void)unused;
  elastic_case given = two_contacts(THUD_QUASISTATIC_EVENTS);
  thud_assert_greater(thud_test_sweep_allocations(make_and_step, &given), 20);
  given = two_contacts(THUD_QUASISTATIC_THRESHOLD);
  given.method = THUD_QUASISTATIC_FIXED_POINT;
  thud_assert_greater(thud_test_sweep_allocations(make_and_step, &given), 20);
}

/* ---- increments and events agree ------------------------------------------------------------------------------------- */

/* Between two nodes modes change in a row that a monotone increment does not see: the increments meet the path of the same
 * piecewise linear load at the nodes, to the tolerance of their contact problems. */
static void increments_meet_the_path_at_the_nodes(void **unused) {
  (void)unused;
  elastic_case given = two_contacts(THUD_QUASISTATIC_EVENTS);
  double error[3];
  for (int k = 0; k < 3; k++) {
    elastic_made exact, rough;
    given.steps = 200 << k;
    given.method = THUD_QUASISTATIC_EVENTS;
    assert_int_equal(elastic_make(context, &given, &exact), THUD_OK);
    given.method = THUD_QUASISTATIC_INCREMENTS;
    assert_int_equal(elastic_make(context, &given, &rough), THUD_OK);
    error[k] = 0;
    for (int i = 0; i <= given.steps; i++) {
      assert_int_equal(thud_motion_step(exact.motion, NULL, NULL), THUD_OK);
      assert_int_equal(thud_motion_step(rough.motion, NULL, NULL), THUD_OK);
      thud_quasistatic_frame a = thud_quasistatic_motion_present(exact.motion),
                             b = thud_quasistatic_motion_present(rough.motion);
      for (int j = 0; j < 4; j++) error[k] = fmax(error[k], fabs(a.U[j] - b.U[j]));
      thud_assert_near(a.ledger.defect, 0, 1e-12);
      thud_assert_near(b.ledger.defect, 0, 1e-12);
    }
    elastic_end(&exact);
    elastic_end(&rough);
  }
  for (int k = 0; k < 3; k++) thud_assert_less(error[k], 1e-8);
}

/* ---- given bounds ------------------------------------------------------------------------------------------------------- */

/* Where the fixed point contracts it has the answer of the increments, and contracts as fast as the theory promises:
 * mu sqrt(w.K_T^-1 w / lmin(K_T)) for one contact, .5 here. */
static void load_one(double t, double *F) { F[0] = 2, F[1] = 4 * sin(t); }

static void the_fixed_point_contracts_as_promised(void **unused) {
  (void)unused;
  elastic_case given = {
      .contacts = 1, .dimension = 2, .K = {1, .5, .5, 1}, .mu = 1, .load = load_one, .end = 6, .steps = 60};
  elastic_made made, direct;
  given.method = THUD_QUASISTATIC_FIXED_POINT;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  given.method = THUD_QUASISTATIC_INCREMENTS;
  assert_int_equal(elastic_make(context, &given, &direct), THUD_OK);
  thud_quasistatic_motion_info info = elastic_run(&made);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(elastic_run(&direct).status, THUD_MOTION_COMPLETED);
  thud_quasistatic_frame a = thud_quasistatic_motion_present(made.motion),
                         b = thud_quasistatic_motion_present(direct.motion);
  for (int j = 0; j < 2; j++) {
    thud_assert_near(a.U[j], b.U[j], 1e-8);
    thud_assert_near(a.r[j], b.r[j], 1e-8);
  }
  thud_assert_at_most(info.worst_contraction, .5 + 1e-3);
  thud_assert_greater(info.most_iterations, 5);
  elastic_end(&made);
  elastic_end(&direct);
}

/* ---- random systems ------------------------------------------------------------------------------------------------------ */

/* K = A A' + I/4, random loads; mu below the exact critical coefficient of the rates: both methods end in the one
 * equilibrium that the path has, and the laws hold at every frame to rounding (checked here by the statements). */
static double random_load[3][4];
static void load_random(double t, double *F) {
  int piece = t >= 2 ? 2 : (int)t;
  double share = t - piece;
  for (int k = 0; k < 4; k++) {
    double from = piece == 0 ? 0 : random_load[piece - 1][k];
    F[k] = piece == 2 && t >= 3 ? random_load[2][k] : from + share * (random_load[piece][k] - from);
  }
}

static void check_laws(const elastic_made *made, const double *u_before) {
  thud_quasistatic_frame frame = thud_quasistatic_motion_present(made->motion);
  for (int i = 0; i < 4; i++) { /* K U = F + R */
    double sum = -frame.F[i] - (i % 2 == 0 ? -1 : 1) * frame.r[i];
    for (int j = 0; j < 4; j++) sum += made->given.K[i + 4 * j] * frame.U[j];
    thud_assert_near(sum, 0, 1e-11);
  }
  for (int c = 0; c < 2; c++) {
    const double *u = frame.u + 2 * c, *r = frame.r + 2 * c;
    double slip = u[1] - u_before[2 * c + 1], bound = made->given.mu * r[0];
    thud_assert_at_least(frame.gap[c], -1e-9);
    thud_assert_at_least(r[0], -1e-9);
    thud_assert_near(frame.gap[c] * r[0], 0, 1e-9 * (1 + r[0]));
    thud_assert_at_most(fabs(r[1]), bound + 1e-9);
    if (fabs(slip) > 1e-8) thud_assert_near(r[1], slip > 0 ? -bound : bound, 1e-8);
  }
}

/* K and the loads; Kc: K in contact coordinates. */
static void random_system(thud_random *random, elastic_case *given, double *Kc) {
  double A[16];
  for (int k = 0; k < 16; k++) A[k] = thud_random_uniform(random, -1, 1);
  for (int i = 0; i < 4; i++)
    for (int j = 0; j < 4; j++) {
      given->K[i + 4 * j] = i == j ? .25 : 0;
      for (int k = 0; k < 4; k++) given->K[i + 4 * j] += A[i + 4 * k] * A[j + 4 * k];
      Kc[i + 4 * j] = given->K[i + 4 * j] * ((i + j) % 2 == 0 ? 1 : -1);
    }
  for (int k = 0; k < 12; k++) random_load[k / 4][k % 4] = thud_random_uniform(random, -2, 2);
}

static double critical_rate(const double *Kc) {
  thud_critical *critical;
  assert_int_equal(thud_critical_find(context, 2, 2, Kc, NULL, NULL, &critical), THUD_OK);
  double value = thud_critical_get(critical, THUD_CRITICAL_RATE)->value;
  thud_critical_destroy(critical);
  return value;
}

static void random_systems_obey_their_laws(void **unused) {
  (void)unused;
  thud_random random = thud_random_seed(11);
  for (int trial = 0; trial < 60; trial++) {
    elastic_case given = {.contacts = 2, .dimension = 2, .load = load_random, .end = 3, .steps = 3};
    double Kc[16];
    random_system(&random, &given, Kc);
    given.mu = fmin(1, .8 * critical_rate(Kc));
    double end[2][4];
    for (int m = 0; m < 2; m++) {
      elastic_made made;
      thud_quasistatic_motion_info info;
      given.method = m == 0 ? THUD_QUASISTATIC_EVENTS : THUD_QUASISTATIC_INCREMENTS;
      given.steps = m == 0 ? 3 : 3000;
      assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
      do {
        double before[4];
        memcpy(before, thud_quasistatic_motion_present(made.motion).u, sizeof before);
        assert_int_equal(elastic_step(&made, &info), THUD_OK);
        if (m == 1) check_laws(&made, before);
      } while (info.status == THUD_MOTION_RUNNING);
      assert_int_equal(info.status, THUD_MOTION_COMPLETED);
      assert_int_equal(info.jumps, 0);
      memcpy(end[m], thud_quasistatic_motion_present(made.motion).U, sizeof end[m]);
      elastic_end(&made);
    }
    for (int k = 0; k < 4; k++) thud_assert_near(end[0][k], end[1][k], .02);
  }
}

/* More contacts have a choice than are enumerated: exchanging modes finds the one solution that there is, and where
 * several are possible one of them, with the count of such times. */
static void many_contacts_go_on_by_exchanging_modes(void **unused) {
  (void)unused;
  thud_random random = thud_random_seed(23);
  size_t unexamined = 0, went_on = 0;
  for (int trial = 0; trial < 60; trial++) {
    elastic_case given = {
        .contacts = 2, .dimension = 2, .load = load_random, .end = 3, .steps = 3, .method = THUD_QUASISTATIC_EVENTS};
    double Kc[16], end[2][4];
    random_system(&random, &given, Kc);
    double critical = critical_rate(Kc);
    bool below = trial % 2 == 0;
    given.mu = below ? fmin(1, .9 * critical) : 1.2 * critical;
    given.options = thud_quasistatic_options_default();
    thud_quasistatic_motion_info info[2];
    for (int m = 0; m < 2; m++) {
      elastic_made made;
      given.options.enumerate_up_to = m == 0 ? 8 : 1;
      assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
      info[m] = elastic_run(&made);
      memcpy(end[m], thud_quasistatic_motion_present(made.motion).U, sizeof end[m]);
      elastic_end(&made);
    }
    assert_int_equal(info[0].unexamined_modes, 0);
    if (below) {
      assert_int_equal(info[1].status, THUD_MOTION_COMPLETED);
      assert_int_equal(info[1].unexamined_modes, 0);
      assert_true(info[1].examined);
    }
    if (info[0].status != THUD_MOTION_COMPLETED || info[0].most_solutions > 1) continue;
    assert_int_equal(info[1].status, THUD_MOTION_COMPLETED);
    for (int k = 0; k < 4; k++) thud_assert_near(end[0][k], end[1][k], 1e-9);
    went_on++;
    unexamined += info[1].unexamined_modes;
    assert_true(info[1].examined == (info[1].unexamined_modes == 0));
  }
  thud_assert_greater(went_on, 40);
  thud_assert_greater(unexamined, 20);
}

/* ---- ties ------------------------------------------------------------------------------------------------------------- */

/* The load is at the limit of sticking at a node: stick and slip are one solution there, and nothing forks where the load
 * turns back. */
static void load_tie(double t, double *F) { F[0] = 10, F[1] = t < 5 ? t : 10 - t; }

static void a_load_at_the_limit_has_one_solution(void **unused) {
  (void)unused;
  elastic_case given = {
      .contacts = 1, .dimension = 2, .K = {200, 60, 60, 100}, .mu = .4, .load = load_tie, .end = 10, .steps = 10};
  for (int m = 0; m < 2; m++) {
    elastic_made made;
    given.method = m == 0 ? THUD_QUASISTATIC_EVENTS : THUD_QUASISTATIC_INCREMENTS;
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    thud_quasistatic_motion_info info = elastic_run(&made);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    assert_int_equal(info.most_solutions, 1);
    assert_int_equal(info.ambiguous, 0);
    elastic_end(&made);
  }
}

/* One contact whose reaction of sticking is (1, x) from u = 0, K and mu without rounding: F = (1, -x) in the order N, T (the
 * normal row is turned round). mu = 1/2, D = K_TT -+ mu K_NT > 0: exactly one mode holds, at the limit too, where sticking and
 * slipping by 0 are the same, and opening by 0 with no reaction. A load beyond the limit by the part `miss` slips by
 * (x - mu)/D, one that pulls by p opens by p/det K. */
static double tie_press, tie_pull;
static void load_one_tie(double t, double *F) {
  F[0] = t > 0 ? tie_press : 1;
  F[1] = t > 0 ? tie_pull : 0;
}

static void one_contact_obeys_one_sign_at_its_limits(void **unused) {
  (void)unused;
  static const double misses[] = {0, 0x1p-52, -0x1p-52, 0x1p-50, -0x1p-50, 0x1p-30, -0x1p-30, 0x1p-4, -0x1p-4};
  static const thud_quasistatic_method methods[] = {THUD_QUASISTATIC_INCREMENTS, THUD_QUASISTATIC_EVENTS};
  for (size_t k = 0; k < sizeof misses / sizeof *misses; k++)
    for (int what = 0; what < 3; what++) /* slip towards +, towards -, opening */
      for (int m = 0; m < 2; m++) {
        const double miss = misses[k], mu = .5, side = what == 1 ? -1 : 1, zero[2] = {0, 0};
        elastic_case given = {.contacts = 1,
                              .dimension = 2,
                              .K = {2, .5, .5, 1},
                              .mu = mu,
                              .load = load_one_tie,
                              .initial = zero,
                              .end = 1,
                              .steps = 1,
                              .method = methods[m]};
        elastic_made made;
        tie_press = what == 2 ? -miss : 1;
        tie_pull = what == 2 ? 0 : side * mu * (1 + miss);
        assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
        thud_quasistatic_motion_info info = elastic_run(&made);
        if (info.status != THUD_MOTION_COMPLETED)
          fail_msg("miss %g, case %d, method %d: %s", miss, what, m, thud_context_last_message(context));
        const double *U = thud_quasistatic_motion_present(made.motion).U;
        /* slip: K_TT x + mu N = F_T with N = F_N - K_NT x, so x = (F_T - mu F_N)/(K_TT - mu K_NT), signs by the side;
         * opening: K U = F */
        double over = fmax(miss, 0), x = side * mu * over / (1 - side * mu * .5), n = 0;
        if (what == 2) n = -over * 1 / 1.75, x = over * .5 / 1.75;
        thud_assert_near(U[0], n, 4e-16);
        thud_assert_near(U[1], x, 4e-16);
        assert_int_equal(info.most_solutions, 1);
        assert_int_equal(info.jumps, 0);
        elastic_end(&made);
      }
}

/* ---- the estimate of the error ------------------------------------------------------------------------------------------- */

/* One contact: U' = (.3, -.05) until the gap of .1 closes at t = 1/3, which is a third of a step of 4^-k; then it sticks. The
 * increment sticks where the step began, and is off by .05 h/3: first order. Its eighths are off by .05 (h/8) 2/3, a fourth of
 * that, and the estimate is (1 - 1/4)/(1 - 1/8) of the error. */
static void load_to_close(double t, double *F) { F[0] = .575 * t, F[1] = .1 * t; }

static void the_estimate_of_a_closing_contact_is_known(void **unused) {
  (void)unused;
  const double zero[2] = {0, 0};
  elastic_case given = {.contacts = 1,
                        .dimension = 2,
                        .K = {2, .5, .5, 1},
                        .mu = .5,
                        .gap = .1,
                        .load = load_to_close,
                        .initial = zero,
                        .end = 1,
                        .method = THUD_QUASISTATIC_INCREMENTS};
  for (int k = 0; k < 5; k++) {
    elastic_made made;
    given.steps = 1 << (2 * k);
    assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
    thud_quasistatic_motion_info info = elastic_run(&made);
    double error = .05 / 3 / given.steps;
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_near(thud_quasistatic_motion_present(made.motion).U[0], .1, 1e-15);
    thud_assert_near(thud_quasistatic_motion_present(made.motion).U[1], -.05 / 3 + error, 1e-15);
    thud_assert_near(info.error_estimate, 6. / 7 * error, 1e-15);
    elastic_end(&made);
  }
}

/* Two contacts that close between nodes: an increment takes the whole way of a step for slip, the path only what comes after
 * the closing. Where in a step that is decides how far its eighths are off: the estimate is right within a factor of 2. */
static void load_closing(double t, double *F) { F[0] = 4 * t, F[1] = 2.5 * t, F[2] = 3 * t, F[3] = -t; }

static void the_estimate_follows_the_error(void **unused) {
  (void)unused;
  elastic_case given = {
      .contacts = 2, .dimension = 2, .K = TWO_CONTACTS, .mu = 1, .gap = .1, .load = load_closing, .end = 1};
  for (int k = 0; k < 6; k++) {
    elastic_made exact, rough;
    given.steps = 3 << k;
    given.method = THUD_QUASISTATIC_EVENTS;
    assert_int_equal(elastic_make(context, &given, &exact), THUD_OK);
    given.method = THUD_QUASISTATIC_INCREMENTS;
    assert_int_equal(elastic_make(context, &given, &rough), THUD_OK);
    double error = 0;
    for (int i = 0; i <= given.steps; i++) {
      assert_int_equal(thud_motion_step(exact.motion, NULL, NULL), THUD_OK);
      assert_int_equal(thud_motion_step(rough.motion, NULL, NULL), THUD_OK);
      thud_quasistatic_frame a = thud_quasistatic_motion_present(exact.motion),
                             b = thud_quasistatic_motion_present(rough.motion);
      for (int j = 0; j < 4; j++) error = fmax(error, fabs(a.U[j] - b.U[j]));
    }
    thud_quasistatic_motion_info info = thud_quasistatic_motion_get_info(rough.motion);
    thud_assert_greater(error, 1e-3);
    thud_assert_at_least(info.error_estimate, error / 2);
    thud_assert_at_most(info.error_estimate, 2 * error);
    elastic_end(&exact);
    elastic_end(&rough);
  }
}

/* ---- bad problems ----------------------------------------------------------------------------------------------------------- */

static void refused(elastic_case given, thud_error error, const char *piece) {
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), error);
  thud_test_message_has(context, piece, NULL);
}

static void bad_problems_are_named(void **unused) {
  (void)unused;
  elastic_case given = {
      .contacts = 1, .dimension = 2, .K = {2, 1, 1, 1}, .mu = .5, .load = load_one, .end = 1, .steps = 2};
  elastic_case bad = given;
  bad.K[1] = .5;
  refused(bad, THUD_ERROR_NOT_SPD, "not symmetric: between the unknown");
  bad = given, bad.K[3] = .1;
  refused(bad, THUD_ERROR_NOT_SPD, "is indefinite: its smallest eigenvalue");
  bad = given, bad.mu = -1;
  refused(bad, THUD_ERROR_ARGUMENT, "contact 1: its coefficient of friction is -1");
  bad = given, bad.gap = NAN;
  refused(bad, THUD_ERROR_NOT_FINITE, "contact 1: its gap is nan");
  bad = given, bad.initial = (const double[]){-1, 0};
  refused(bad, THUD_ERROR_ARGUMENT, "is open and would need a reaction");
  bad = given, bad.initial = (const double[]){1, 0};
  refused(bad, THUD_ERROR_ARGUMENT, "has a negative gap");
  bad = given, bad.initial = (const double[]){0, 5};
  refused(bad, THUD_ERROR_ARGUMENT, "the initial state is not possible: contact 1");
  bad = given, bad.method = THUD_QUASISTATIC_THRESHOLD;
  refused(bad, THUD_ERROR_ARGUMENT, "needs bounds of friction");
}

/* A belt of four nodes over a pulley, springs between them, pulled by 1 at one end and by t at the other: every node holds
 * T_i+1/T_i up to (c + mu s)/(c - mu s), c and s the cosine and sine of half the turn per node. Friction alone holds it: modes are
 * exchanged along the load. */
static const double BELT_HALF_TURN = .2;
static void load_belt(double t, double *F) {
  double c = cos(BELT_HALF_TURN), s = sin(BELT_HALF_TURN);
  memset(F, 0, 8 * sizeof *F);
  F[0] = s, F[1] = -c, F[6] = s * (1 + t), F[7] = c * (1 + t);
}

static void a_belt_is_held_up_to_its_limit(void **unused) {
  (void)unused;
  const double mu = .3, c = cos(BELT_HALF_TURN), s = sin(BELT_HALF_TURN), limit = pow((c + mu * s) / (c - mu * s), 4);
  static const int steps[] = {7, 40, 160};
  for (int m = 0; m < 2; m++)
    for (int k = 0; k < 3; k++) {
      elastic_case given = {.contacts = 4, .dimension = 2, .mu = mu, .load = load_belt, .end = 1, .steps = steps[k]};
      given.method = m == 0 ? THUD_QUASISTATIC_EVENTS : THUD_QUASISTATIC_INCREMENTS;
      for (int i = 0; i < 3; i++) { /* elongation c (t_i+1 - t_i) - s (n_i + n_i+1) */
        const double row[4] = {-s, -c, -s, c};
        for (int a = 0; a < 4; a++)
          for (int b = 0; b < 4; b++) given.K[(2 * i + a) + 8 * (2 * i + b)] += 100 * row[a] * row[b];
      }
      elastic_made made;
      assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
      thud_quasistatic_motion_info info = elastic_run(&made);
      assert_int_equal(info.status, THUD_MOTION_NOT_HELD);
      /* events: rounding of 4 contacts, far below 1e-10; increments: to the step */
      thud_assert_at_most(1 + info.time, limit * (1 + 1e-10));
      thud_assert_at_least(1 + info.time, m == 0 ? limit * (1 - 1e-10) : limit - given.end / given.steps);
      elastic_end(&made);
    }
}

/* A push that friction cannot hold, on a structure that nothing else holds. */
static void load_push(double t, double *F) { F[0] = 1, F[1] = t; }

static void a_motion_that_nothing_holds_is_named(void **unused) {
  (void)unused;
  const elastic_case given = {
      .contacts = 1, .dimension = 2, .K = {1, 0, 0, 0}, .mu = .5, .load = load_push, .end = 1, .steps = 10};
  elastic_made made;
  assert_int_equal(elastic_make(context, &given, &made), THUD_OK);
  thud_quasistatic_motion_info info = elastic_run(&made);
  assert_int_equal(info.status, THUD_MOTION_NOT_HELD);
  thud_assert_near(info.time, .5, 1e-12);
  elastic_end(&made);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_restored_motion_has_the_same_bits),
                                     cmocka_unit_test(every_allocation_may_fail),
                                     cmocka_unit_test(increments_meet_the_path_at_the_nodes),
                                     cmocka_unit_test(the_fixed_point_contracts_as_promised),
                                     cmocka_unit_test(random_systems_obey_their_laws),
                                     cmocka_unit_test(many_contacts_go_on_by_exchanging_modes),
                                     cmocka_unit_test(a_load_at_the_limit_has_one_solution),
                                     cmocka_unit_test(one_contact_obeys_one_sign_at_its_limits),
                                     cmocka_unit_test(the_estimate_of_a_closing_contact_is_known),
                                     cmocka_unit_test(the_estimate_follows_the_error),
                                     cmocka_unit_test(a_belt_is_held_up_to_its_limit),
                                     cmocka_unit_test(bad_problems_are_named),
                                     cmocka_unit_test(a_motion_that_nothing_holds_is_named)};
  return cmocka_run_group_tests(tests, setup, teardown);
}
