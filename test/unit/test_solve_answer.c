/* thud_answer_find: verdicts and their reasons, enumeration with the last word, forces, warnings, stops. */
#include "failing_allocator.h"
#include "random_joints.h"
#include "testing.h"
#include "thud/answer.h"

#include <math.h>
#include <string.h>

static thud_answer_options by_method(const char *name) {
  thud_answer_options options = thud_answer_options_default();
  options.method = thud_solver_method_find(name);
  assert_non_null(options.method);
  return options;
}

static thud_answer *answer_to(thud_context *context, const thud_contact_problem *problem,
                              const thud_answer_options *options) {
  thud_answer *answer = NULL;
  assert_int_equal(thud_answer_find(context, problem, options, &answer), THUD_OK);
  assert_non_null(answer);
  return answer;
}

static void only_warning_is(const thud_answer *answer, thud_answer_warning_code code, const char *piece) {
  assert_int_equal(answer->warning_count, 1);
  assert_int_equal(answer->warnings[0].code, code);
  assert_non_null(strstr(answer->warnings[0].message, piece));
}

/* ---- verdicts ------------------------------------------------------------------------------------------------------
 */

static void one_contact_is_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {2}, q[1] = {-3};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL);
  thud_answer *answer = answer_to(context, &problem, NULL);
  assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
  assert_string_equal(thud_answer_verdict_name(answer->verdict), "solved");
  assert_string_equal(answer->reason, "");
  assert_string_equal(answer->method, "gauss-seidel");
  thud_assert_equal(answer->size, 1);
  thud_assert_near(answer->r[0], 1.5, 1e-15);
  thud_assert_at_most(fabs(answer->u[0]), 1e-15);
  thud_assert_equal(answer->attempt_count, 1);
  thud_assert_equal(answer->warning_count, 0);
  thud_assert_equal(answer->solutions_kept, 0);
  assert_true(answer->has_uniqueness);
  thud_assert_equal(answer->uniqueness.verdict, THUD_FORCES_UNIQUE);
  assert_null(answer->intervals);
  thud_answer_destroy(answer);
  thud_answer_options options = thud_answer_options_default();
  options.forces = THUD_EXAMINE_NEVER;
  answer = answer_to(context, &problem, &options);
  assert_false(answer->has_uniqueness);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

static void few_sweeps_are_best_effort(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, 0.99, 0.99, 1}, q[2] = {-1, -1.001};
  thud_contact_problem problem = thud_test_dense_problem(1, 2, W, q, NULL);
  thud_answer_options options = by_method("gauss-seidel");
  options.solver.max_iterations = 2;
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_BEST_EFFORT);
  assert_non_null(strstr(answer->reason, "gauss-seidel: iteration limit after 2 iterations at residual"));
  thud_assert_greater(answer->residual.residual, 1e-8);
  assert_true(!answer->has_uniqueness);
  assert_true(!answer->interrupted);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* Two walls press a body from both sides with velocities that leave it no room. */
static const double walls_W[4] = {1, -1, -1, 1}, walls_q[2] = {-1, -2};

static void closing_walls_are_infeasible_with_a_certificate(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = thud_test_dense_problem(1, 2, walls_W, walls_q, NULL);
  thud_answer *answer = answer_to(context, &problem, NULL);
  assert_int_equal(answer->verdict, THUD_ANSWER_INFEASIBLE);
  assert_non_null(strstr(answer->reason, "proved"));
  assert_int_equal(answer->certificate.count, 2);
  thud_assert_different(answer->certificate.contacts[0], answer->certificate.contacts[1]);
  thud_assert_equal(answer->certificate.multipliers[0], 1);
  thud_assert_equal(answer->certificate.multipliers[1], 1);
  thud_assert_equal(answer->certificate.value, -3);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

static void what_a_method_does_not_take_is_a_verdict(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double W[21 * 21] = {0}, q[21];
  for (int i = 0; i < 21; i++) {
    W[22 * i] = 1;
    q[i] = -1;
  }
  W[1] = 0.5;
  thud_contact_problem problem = thud_test_dense_problem(1, 21, W, q, NULL);
  thud_answer_options options = thud_answer_options_default();
  options.all = true;
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_FAILED);
  assert_int_equal(answer->error, THUD_ERROR_UNSUPPORTED);
  thud_assert_greater(strlen(answer->reason), 0);
  thud_assert_greater(answer->attempt_count, 0); /* what was learned before stays */
  only_warning_is(answer, THUD_ANSWER_ASYMMETRIC, "the matrix is not symmetric: max |W_ij - W_ji| / max |W| =");
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

static void wrong_questions_are_errors(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {2}, q[1] = {-3}, bad[1] = {NAN};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL),
                       broken = thud_test_dense_problem(1, 1, W, bad, NULL);
  thud_answer_options options = thud_answer_options_default();
  thud_answer *answer = NULL;
  assert_int_equal(thud_answer_find(context, NULL, NULL, &answer), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_answer_find(context, &problem, NULL, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_answer_find(context, &broken, NULL, &answer), THUD_ERROR_NOT_FINITE);
  const thud_index contacts[2] = {0, 1};
  options.interval_count = 2;
  assert_int_equal(thud_answer_find(context, &problem, &options, &answer), THUD_ERROR_ARGUMENT);
  options.interval_contacts = contacts;
  assert_int_equal(thud_answer_find(context, &problem, &options, &answer), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "intervals of forces: there is no contact 1 among 1, counted from 0", NULL);
  options.size = 1;
  assert_int_equal(thud_answer_find(context, &problem, &options, &answer), THUD_ERROR_ARGUMENT);
  assert_null(answer);
  thud_answer_destroy(NULL);
  thud_test_context_end(context);
}

/* ---- all solutions --------------------------------------------------------------------------------------------------
 */

/* Slipping forwards only makes the normal velocity grow by friction: iterations do not find it. */
static const double jammed_W[4] = {0, 1, 1, 1}, jammed_q[2] = {-1, -100}, jammed_mu[1] = {0.5};

static void enumeration_has_the_last_word(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = thud_test_dense_problem(2, 1, jammed_W, jammed_q, jammed_mu);
  thud_answer_options options = by_method("admm");
  thud_answer *alone = answer_to(context, &problem, &options);
  assert_int_not_equal(alone->verdict, THUD_ANSWER_SOLVED);
  thud_answer_destroy(alone);
  options.all = true;
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
  assert_string_equal(answer->method, "enumeration");
  assert_string_equal(answer->reason, "");
  thud_assert_at_most(answer->residual.residual, options.solver.tolerance);
  thud_assert_greater(answer->solution_count, 0);
  thud_assert_equal(answer->solutions_kept, answer->solution_count);
  assert_memory_equal(answer->r, answer->solutions[0].r, 2 * sizeof(double));
  thud_assert_equal(answer->certificate.count, 0);
  thud_assert_equal(answer->worst_count, 0);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

static void enumeration_proves_that_there_is_none(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, 0, 0, 0}, q[2] = {-1, -1};
  thud_contact_problem problem = thud_test_dense_problem(1, 2, W, q, NULL);
  thud_answer_options options = by_method("gauss-seidel");
  options.all = true;
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_INFEASIBLE);
  assert_non_null(strstr(answer->reason, "gauss-seidel: contact 1 by itself was not solved: no impulse found there "
                                         "stops the approach; enumeration: no combination of modes gives a solution"));
  assert_int_equal(answer->solution_count, 0);
  only_warning_is(answer, THUD_ANSWER_IDLE_IMPULSES, "1 of the normal impulses moves nothing");
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

static void every_solution_is_kept(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, 2, 2, 1}, q[2] = {-1, -1}; /* (1, 0), (0, 1) and (1/3, 1/3) */
  thud_contact_problem problem = thud_test_dense_problem(1, 2, W, q, NULL);
  thud_answer_options options = thud_answer_options_default();
  options.all = true;
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
  assert_int_equal(answer->solutions_kept, 3);
  for (size_t k = 0; k < 3; k++) {
    const thud_solution *one = &answer->solutions[k];
    assert_true(one->isolated);
    for (int i = 0; i < 2; i++) {
      double u = W[i] * one->r[0] + W[2 + i] * one->r[1] + q[i];
      thud_assert_near(u, one->u[i], 1e-14);
      thud_assert_at_most(fabs(fmin(one->r[i], u)), 1e-14);
    }
  }
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* ---- forces ---------------------------------------------------------------------------------------------------------
 */

/* One body, one degree of freedom, on two supports: their forces share one load. */
static const double shared_W[4] = {1, 1, 1, 1}, shared_q[2] = {-2, -2};
static const thud_index shared_contacts[2] = {1, 0};

static thud_answer_options with_intervals(void) {
  thud_answer_options options = thud_answer_options_default();
  options.forces = THUD_EXAMINE_ALWAYS;
  options.interval_count = 2;
  options.interval_contacts = shared_contacts;
  return options;
}

static void intervals_come_in_the_order_asked_for(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = thud_test_dense_problem(1, 2, shared_W, shared_q, NULL);
  thud_answer_options options = with_intervals();
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_true(answer->has_uniqueness);
  thud_assert_equal(answer->uniqueness.verdict, THUD_FORCES_NOT_UNIQUE);
  assert_int_equal(answer->interval_count, 2);
  for (size_t k = 0; k < 2; k++) {
    assert_int_equal(answer->intervals[k].contact, shared_contacts[k]);
    thud_assert_at_most(fabs(answer->intervals[k].low), 1e-6);
    thud_assert_near(answer->intervals[k].high, 2, 1e-6);
  }
  assert_false(answer->forces_are_cut);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* Two contacts that share the load 2 (r_1 + r_2 = 2, [0, 2] each): closest to (a, b) is (a - t, b - t), cut to the cones.
 */
static void the_closest_impulses_come_with_the_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double cases[][4] = {{0, 0, 1, 1}, {3, 2, 1.5, 0.5}, {5, -1, 2, 0}};
  for (size_t c = 0; c < 3; c++)
    for (int small = 0; small < 2; small++) { /* also where the answer works in a unit of its own */
      double unit = small ? 0x1p-60 : 1, q[2] = {unit * shared_q[0], unit * shared_q[1]};
      double start[2] = {unit * cases[c][0], unit * cases[c][1]};
      thud_contact_problem problem = thud_test_dense_problem(1, 2, shared_W, q, NULL);
      thud_answer_options options = thud_answer_options_default();
      options.forces = THUD_EXAMINE_ALWAYS;
      options.closest = true;
      options.start = c == 0 ? NULL : start;
      thud_answer *answer = answer_to(context, &problem, &options);
      assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
      assert_true(answer->has_closest);
      thud_assert_near(answer->closest_r[0], unit * cases[c][2], 1e-8 * unit);
      thud_assert_near(answer->closest_r[1], unit * cases[c][3], 1e-8 * unit);
      double distance = hypot(answer->closest_r[0] - start[0], answer->closest_r[1] - start[1]);
      thud_assert_near(answer->closest.distance, distance, 1e-14 * unit);
      thud_assert_at_most(answer->closest.error, 1e-6 * unit);
      thud_assert_at_most(answer->closest_residual.residual, 1e-8);
      thud_answer_destroy(answer);
    }
  thud_test_context_end(context);
}

/* Bilateral rows: l belongs to the closest impulses, so that law, rows and velocity hold, in every form. */
static void the_closest_impulses_have_bilateral_ones(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 1; seed <= 6; seed += THUD_TEST_STRIDE(3)) {
    thud_random random = thud_random_seed(seed);
    thud_test_shape shape = thud_test_shape_of(2 + (thud_index)(seed % 2), seed % 3 == 0 ? 6 : 14);
    shape.bodies = 3; /* forces that are not unique */
    thud_test_problem made;
    thud_owned_problem *global = NULL, *local = NULL;
    assert_int_equal(thud_test_random_joints(context, &random, &shape, 2, seed > 3, &made), THUD_OK);
    assert_int_equal(thud_contact_to_global(context, made.problem, &global), THUD_OK);
    assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_DENSE, &local), THUD_OK);
    const thud_contact_problem *forms[] = {made.problem, thud_owned_problem_view(global),
                                           thud_owned_problem_view(local)};
    for (size_t k = 0; k < 3; k++) {
      thud_answer_options options = thud_answer_options_default();
      options.forces = THUD_EXAMINE_ALWAYS;
      options.closest = true;
      options.start = made.r; /* an exact answer: unique velocity or not, it is its own closest one */
      options.start_l = made.l;
      thud_answer *answer = answer_to(context, forms[k], &options);
      assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
      assert_int_equal(answer->iterations, 0);
      assert_true(answer->has_closest);
      thud_assert_at_most(answer->closest.distance, 1e-12);
      thud_assert_at_most(answer->closest_residual.bilateral, 1e-11);
      thud_assert_at_most(answer->closest_residual.residual, 1e-11);
      thud_answer_destroy(answer);
      options.start = NULL;
      options.start_l = NULL;
      options.solver.tolerance = 1e-11;
      answer = answer_to(context, forms[k], &options);
      assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
      thud_assert_at_most(answer->closest_residual.bilateral, 1e-9);
      thud_assert_at_most(answer->closest_residual.residual, 1e-9);
      double least = 0, found = 0;
      for (size_t i = 0; i < answer->size; i++) {
        least += answer->closest_r[i] * answer->closest_r[i];
        found += answer->r[i] * answer->r[i];
      }
      thud_assert_at_most(least, found * (1 + 1e-9));
      thud_answer_destroy(answer);
    }
    thud_owned_problem_destroy(global);
    thud_owned_problem_destroy(local);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- warnings -------------------------------------------------------------------------------------------------------
 */

static void answers_that_the_residual_hardly_sees_are_warned_of(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {6e10, 7e10, 7e10, 9e10}, q[2] = {-1, -2};
  thud_contact_problem problem = thud_test_dense_problem(1, 2, W, q, NULL);
  thud_answer_options options = by_method("interior-point");
  thud_answer *answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
  only_warning_is(answer, THUD_ANSWER_UNSEEN_IMPULSES,
                  "of their size; choose a smaller tolerance or a smaller unit of mass");
  thud_answer_destroy(answer);
  options = by_method("lemke");
  answer = answer_to(context, &problem, &options);
  thud_assert_equal(answer->verdict, THUD_ANSWER_SOLVED);
  thud_assert_equal(answer->warning_count, 0);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* At r = 0 the residual is 1e-9, although the contact is approached with velocity 1: that is no answer, one sweep finds
 * it (stick, r = (1, -1)), and who allows no sweep is warned. */
static void penetration_beside_a_huge_coefficient_is_solved_or_warned_of(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1, 0, 0, 1}, q[2] = {-1, 1}, mu[1] = {1e9};
  thud_contact_problem problem = thud_test_dense_problem(2, 1, W, q, mu);
  thud_answer *answer = answer_to(context, &problem, NULL);
  assert_int_equal(answer->verdict, THUD_ANSWER_SOLVED);
  thud_assert_near(answer->r[0], 1, 1e-15);
  thud_assert_near(answer->r[1], -1, 1e-15);
  thud_answer_destroy(answer);
  thud_answer_options options = by_method("auto");
  options.solver.max_iterations = 0;
  answer = answer_to(context, &problem, &options);
  assert_int_equal(answer->verdict, THUD_ANSWER_BEST_EFFORT); /* as the warning says */
  assert_string_equal(answer->reason, "contact 0 is approached with velocity 1, which the residual does not see");
  bool warned = false;
  for (size_t k = 0; k < answer->warning_count; k++)
    warned = warned || answer->warnings[k].code == THUD_ANSWER_PENETRATION;
  assert_true(warned);
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* The problem is homogeneous: data times a power of 2 give the same digits, however small. */
static void tiny_data_give_the_same_digits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[36] = {3, 1, 0, 1, 0, 0, 1, 4, 0, 0, 1, 0, 0, 0, 5, 0, 0, 1,
                        1, 0, 0, 6, 1, 0, 0, 1, 0, 1, 3, 0, 0, 0, 1, 0, 0, 4};
  const double mu[2] = {0.3, 0.7}, plain[6] = {-1, 0.7, 0.2, -0.5, 0.1, 0.9};
  thud_contact_problem problem = thud_test_dense_problem(3, 2, W, plain, mu);
  thud_answer *expected = answer_to(context, &problem, NULL);
  thud_assert_equal(expected->verdict, THUD_ANSWER_SOLVED);
  assert_true(expected->r[0] > 0.1);
  const int exponents[] = {-39, -41, -100, -700};
  for (size_t e = 0; e < sizeof exponents / sizeof *exponents; e++) {
    double q[6];
    for (size_t k = 0; k < 6; k++) q[k] = ldexp(plain[k], exponents[e]);
    problem = thud_test_dense_problem(3, 2, W, q, mu);
    thud_answer *answer = answer_to(context, &problem, NULL);
    thud_assert_equal(answer->verdict, THUD_ANSWER_SOLVED);
    for (size_t k = 0; k < 6; k++) {
      double r = ldexp(answer->r[k], -exponents[e]), u = ldexp(answer->u[k], -exponents[e]);
      assert_true(fabs(r - expected->r[k]) <= 1e-9);
      assert_true(fabs(u - expected->u[k]) <= 1e-9);
      if (exponents[e] < -40) assert_true(r == expected->r[k] && u == expected->u[k]);
    }
    assert_true(fabs(ldexp(answer->residual.scale, -exponents[e]) - expected->residual.scale) <= 1e-15);
    thud_answer_destroy(answer);
  }
  thud_answer_destroy(expected);
  thud_test_context_end(context);
}

static void negative_diagonals_are_warned_of(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {-1}, q[1] = {1};
  thud_contact_problem problem = thud_test_dense_problem(1, 1, W, q, NULL);
  thud_answer *answer = answer_to(context, &problem, NULL);
  only_warning_is(answer, THUD_ANSWER_NEGATIVE_DIAGONAL, "diagonal entry 0 is negative");
  thud_answer_destroy(answer);
  thud_test_context_end(context);
}

/* ---- stops ----------------------------------------------------------------------------------------------------------
 */

/* Asks until the counter is down. */
static int count_down(void *user) {
  int *left = user;
  if (*left > 0) --*left;
  return *left == 0;
}

/* Wherever the caller stops it, the answer says so and holds together. */
static void callers_can_stop_everything(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = thud_test_dense_problem(1, 2, shared_W, shared_q, NULL);
  int solving = 0, enumerating = 0, examining = 0, stopped = 1;
  for (int after = 1; stopped != 0 && after < 1000; after++) {
    int left = after;
    thud_answer_options options = with_intervals();
    options.all = options.closest = true;
    options.stop = (thud_stop){.ask = count_down, .user = &left};
    thud_answer *answer = answer_to(context, &problem, &options);
    stopped = answer->interrupted;
    assert_int_equal(stopped, left == 0);
    enumerating += answer->enumeration_is_cut;
    examining += answer->forces_are_cut;
    solving += stopped && !answer->enumeration_is_cut && !answer->forces_are_cut;
    if (answer->enumeration_is_cut) only_warning_is(answer, THUD_ANSWER_ENUMERATION_CUT, "interrupted");
    if (answer->forces_are_cut)
      only_warning_is(answer, THUD_ANSWER_FORCES_CUT, "the forces were not examined to the end: ");
    thud_answer_destroy(answer);
  }
  thud_assert_equal(stopped, 0);
  thud_assert_greater(solving, 0);
  thud_assert_greater(enumerating, 0);
  thud_assert_greater(examining, 0);
  thud_test_context_end(context);
}

/* ---- failing memory -------------------------------------------------------------------------------------------------
 */

typedef struct question {
  const thud_contact_problem *problem;
  thud_answer_options options;
} question;

static thud_error sweep_answer(thud_context *context, void *user) {
  const question *asked = user;
  thud_answer *answer = NULL;
  thud_error error = thud_answer_find(context, asked->problem, &asked->options, &answer);
  thud_answer_destroy(answer);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_contact_problem shared = thud_test_dense_problem(1, 2, shared_W, shared_q, NULL);
  question asked = {.problem = &shared, .options = with_intervals()};
  asked.options.all = asked.options.closest = true;
  asked.options.start = shared_q;
  thud_test_sweep_allocations(sweep_answer, &asked);
  thud_contact_problem walls = thud_test_dense_problem(1, 2, walls_W, walls_q, NULL);
  asked = (question){.problem = &walls, .options = thud_answer_options_default()};
  asked.options.all = true;
  thud_test_sweep_allocations(sweep_answer, &asked);
  const double skew_W[4] = {1, 0.5, 0, 1}, skew_q[2] = {-1, -1}; /* a warning, which needs memory, too */
  thud_contact_problem skew = thud_test_dense_problem(1, 2, skew_W, skew_q, NULL);
  asked = (question){.problem = &skew, .options = thud_answer_options_default()};
  thud_test_sweep_allocations(sweep_answer, &asked);
  thud_contact_problem jammed = thud_test_dense_problem(2, 1, jammed_W, jammed_q, jammed_mu);
  asked = (question){.problem = &jammed, .options = by_method("admm")};
  asked.options.all = true;
  thud_test_sweep_allocations(sweep_answer, &asked);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_is_solved),
      cmocka_unit_test(few_sweeps_are_best_effort),
      cmocka_unit_test(closing_walls_are_infeasible_with_a_certificate),
      cmocka_unit_test(what_a_method_does_not_take_is_a_verdict),
      cmocka_unit_test(wrong_questions_are_errors),
      cmocka_unit_test(enumeration_has_the_last_word),
      cmocka_unit_test(enumeration_proves_that_there_is_none),
      cmocka_unit_test(every_solution_is_kept),
      cmocka_unit_test(intervals_come_in_the_order_asked_for),
      cmocka_unit_test(the_closest_impulses_come_with_the_start),
      cmocka_unit_test(the_closest_impulses_have_bilateral_ones),
      cmocka_unit_test(answers_that_the_residual_hardly_sees_are_warned_of),
      cmocka_unit_test(penetration_beside_a_huge_coefficient_is_solved_or_warned_of),
      cmocka_unit_test(tiny_data_give_the_same_digits),
      cmocka_unit_test(negative_diagonals_are_warned_of),
      cmocka_unit_test(callers_can_stop_everything),
      cmocka_unit_test(failing_allocations_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
