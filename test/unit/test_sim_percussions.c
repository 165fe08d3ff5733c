/* Percussions: loads of systems, with friction laws whose thresholds have atoms (Monteiro Marques et al.). Reference cases F1,
 * F3, F5, the order of the implicit scheme, contacts, checkpoints, refusals. */
#include "percussion_cases.h"
#include "run_motion.h"
#include "testing.h"
#include "failing_allocator.h"
#include "thud/event.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- F1 ---------------------------------------------------------------------------------------------------------- */

static const char *const threshold_one[] = {"1"};

static thud_expr_load_def f1_family(int64_t keep) {
  return (thud_expr_load_def){.time = "1-2^(-n)",
                              .index = "n",
                              .count = -1,
                              .weight = "2^(-n-1)",
                              .tail = "2^(-n)",
                              .threshold = threshold_one,
                              .keep = keep,
                              .tolerance = 1e-15,
                              .has_limit = true,
                              .limit = 1};
}

static line f1_line(const thud_expr_load_def *family) {
  return (line){.n = 1, .mass = {1}, .threshold = {"1"}, .load_count = 1, .loads = family, .end = 1};
}

static void f1_whole_family_stops_at_the_accumulation(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_expr_load_def family = f1_family(-1);
  line l = f1_line(&family);
  thud_system *system = make_line(context, &l);
  thud_loads loads = thud_system_loads(system);
  const thud_load_family *cut = &loads.families[0];
  thud_assert_equal(loads.family_count, 1);
  thud_assert_at_least(cut->kept, 49);
  thud_assert_at_most(cut->tail, 1e-15);
  thud_assert_equal(cut->velocity, cut->tail);
  thud_event_motion_info info = run_events(context, system, 1, &zero, &two, 0, NULL);
  NEAR(out.last_v[0], 0, 1e-14);
  NEAR(out.last_q[0], 5.0 / 6, 1e-14);
  assert_int_equal(info.percussions, cut->kept + 1); /* and the limit */
  thud_assert_equal(out.events[out.count - 1].kind, THUD_EVENT_PERCUSSION);
  thud_assert_equal(out.events[out.count - 1].t, 1);
  NEAR(info.ledger.defect, 0, 1e-14);
  for (int n = 0; n < 40; n++) { /* u+ = 1 + 2^{-n-1} - t on [t_n, t_{n+1}[ */
    const noted *hit = find_event(THUD_EVENT_PERCUSSION, n);
    NEAR(hit->v[0], 1 + ldexp(1, -n - 1) - hit->t, 1e-14);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void f1_keeping_n_atoms_errs_by_the_tail(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int n = 1; n <= 20; n++) {
    thud_expr_load_def family = f1_family(n);
    line l = f1_line(&family);
    thud_system *system = make_line(context, &l);
    const thud_load_family *cut = thud_system_loads(system).families;
    thud_assert_equal(cut->kept, n);
    thud_assert_equal(cut->tail, ldexp(1, -n));
    thud_assert_equal(cut->velocity, cut->tail);
    run_events(context, system, 1, &zero, &two, 0, NULL);
    /* The exact velocity is 0 at 1; all that is missing is the tail. */
    NEAR(out.last_v[0], ldexp(1, -n), 1e-15);
    thud_system_destroy(system);
    /* Lumped at the limit the missing impulse is there. */
    family.lump = true;
    system = make_line(context, &l);
    run_events(context, system, 1, &zero, &two, 0, NULL);
    NEAR(out.last_v[0], 0, 1e-15);
    thud_assert_near(out.last_q[0], 5.0 / 6, ldexp(1, -2 * n));
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* ---- F3 ---------------------------------------------------------------------------------------------------------- */

static const thud_expr_load_def f3_train = {.time = "1", .period = 1, .count = -1, .weight = "0.3"};

static line f3_line(double end) {
  return (line){.n = 1,
                .mass = {1},
                .stiffness = {4},
                .viscosity = {0.2},
                .threshold = {"0.5"},
                .load_count = 1,
                .loads = &f3_train,
                .end = end};
}

static void f3_has_its_listed_numbers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  line l = f3_line(6);
  thud_system *system = make_line(context, &l);
  const double outputs[] = {0.25, 5.5}, stops[] = {1.5642747136275, 3.1251151229818, 4.6904588890243};
  thud_event_motion_info info = run_events(context, system, 6, &two, &zero, 2, outputs);
  const noted *hit = find_event(THUD_EVENT_PERCUSSION, 0);
  NEAR(hit->t, 1, 0);
  NEAR(hit->q[0], -0.4998418489010, 1e-12);
  NEAR(hit->left[0], -3.0927647979904, 1e-12);
  NEAR(hit->v[0], -2.9427647979904, 1e-12);
  NEAR(hit->impulse[0], 0.15, 1e-15);
  hit = find_event(THUD_EVENT_PERCUSSION, 1);
  NEAR(hit->q[0], -0.9668476941086, 1e-12);
  NEAR(hit->left[0], 1.8875951246292, 1e-12);
  NEAR(hit->v[0], 1.7375951246292, 1e-12);
  for (int k = 0; k < 3; k++) NEAR(find_event(THUD_EVENT_SLIP, k)->t, stops[k], 1e-12); /* and slides back */
  NEAR(find_event(THUD_EVENT_SLIP, 0)->q[0], -1.4127935494780, 1e-12);
  NEAR(out.q[1][0], -0.1862643976193, 1e-12);
  NEAR(out.v[1][0], 0.5690967062869, 1e-12);
  NEAR(info.ledger.defect, 0, 1e-12);
  thud_assert_less(info.ledger.identity, 1e-14);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Order 1, and the identity of every step: to rounding, with the scheme's loss from the nodes. */
static void implicit_steps_converge_with_order_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  line l = f3_line(5.5);
  thud_system *system = make_line(context, &l);
  double errors[4];
  for (int level = 0; level < 4; level++) {
    run_steps(context, system, &l, THUD_STEPPING_IMPLICIT, 5.5, 1100 << level, &two, &zero);
    thud_assert_less(out.ledger.identity, 1e-14);
    NEAR(out.ledger.defect, 0, 1e-11); /* 8800 steps of rounding beside 8 J */
    NEAR(out.ledger.scheme_loss, out.scheme_loss, 1e-11);
    errors[level] = hypot(out.last_q[0] + 0.1862643976193, out.last_v[0] - 0.5690967062869);
  }
  for (int level = 1; level < 4; level++) {
    double order = log2(errors[level - 1] / errors[level]);
    thud_assert_greater(order, 0.9);
    thud_assert_less(order, 1.1);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- F5 ---------------------------------------------------------------------------------------------------------- */

static void f5_two_coupled_particles(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const ones[] = {"1", "1"};
  const thud_expr_load_def atom = {.time = "0", .weight = "1", .threshold = ones};
  line l = {.n = 2, .mass = {2.0 / 3, -1.0 / 3, -1.0 / 3, 2.0 / 3}, .load_count = 1, .loads = &atom, .end = 1};
  const double q0[] = {0, 0}, v0[] = {-3, 0};
  thud_system *system = make_line(context, &l);
  run_events(context, system, 1, q0, v0, 0, NULL);
  const noted *hit = find_event(THUD_EVENT_PERCUSSION, 0);
  NEAR(hit->impulse[0], 1, 1e-15);
  NEAR(hit->impulse[1], -0.5, 1e-15);
  NEAR(hit->v[0], -1.5, 1e-15);
  thud_assert_equal(hit->v[1], 0);
  NEAR(out.ledger.impact_loss, 2.25, 1e-14);
  run_steps(context, system, &l, THUD_STEPPING_IMPLICIT, 1, 10, q0, v0);
  NEAR(out.v[0][0], -1.5, 1e-15);
  thud_assert_equal(out.v[0][1], 0);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- applied impulses, contacts ---------------------------------------------------------------------------------- */

typedef struct ball {
  double weight;
} ball;
static int ball_force(void *user, double t, const double *q, const double *v, double *f) {
  (void)t, (void)q, (void)v;
  f[0] = -((const ball *)user)->weight;
  return 0;
}
static int ball_gap(void *user, double t, const double *q, const double *v, double *gap) {
  (void)user, (void)t, (void)v;
  gap[0] = q[0];
  return 0;
}
static int ball_gradient(void *user, double t, const double *q, const double *v, double *gradient) {
  (void)user, (void)t, (void)q, (void)v;
  gradient[0] = 1;
  return 0;
}

/* A ball of mass 2 and weight 2 on the floor, of functions in C. */
static thud_system *make_ball(thud_context *context, ball *user, double restitution, size_t count,
                              const thud_load *loads) {
  static const double mass = 2;
  const thud_constraint_def floor = {"floor", THUD_CONSTRAINT_UNILATERAL, restitution};
  const thud_system_def def = {
      .n = 1,
      .coordinates = names,
      .mass = &mass,
      .m = 1,
      .constraints = &floor,
      .loads = {.count = count, .items = loads},
      .functions = {.user = user, .force = ball_force, .constraint = ball_gap, .gradient = ball_gradient}};
  thud_system *system = NULL;
  assert_int_equal(thud_system_create(context, &def, &system), THUD_OK);
  return system;
}

/* Struck downwards at t = 1 nothing moves, whatever e: u- = 0. Struck upwards with 4 at t = 2 (two loads that are one)
 * it flies with 2 m/s for 4 s under g = 1, and the load at the end, 5, stops it in the air: q = 2*3 - 9/2 = 3/2, v =
 * -1. */
static void impulses_act_on_contacts_at_rest(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double down = -3, half = 2, stop = 2;
  const thud_load loads[] = {{.t = 5, .impulse = &stop},
                             {.t = 2, .impulse = &half},
                             {.t = 1, .impulse = &down},
                             {.t = 2, .impulse = &half},
                             {.t = 7, .impulse = &half}};
  ball user = {2};
  thud_system *system = make_ball(context, &user, 0.5, 5, loads);
  assert_int_equal(thud_system_loads(system).count, 4);
  thud_event_motion_info info = run_events(context, system, 5, &zero, &zero, 0, NULL);
  thud_assert_equal(info.percussions, 3);
  thud_assert_equal(info.impacts, 0);
  NEAR(find_event(THUD_EVENT_PERCUSSION, 0)->impulse[0], 3, 1e-15);
  NEAR(find_event(THUD_EVENT_PERCUSSION, 0)->v[0], 0, 0);
  NEAR(find_event(THUD_EVENT_PERCUSSION, 1)->v[0], 2, 1e-15);
  NEAR(out.last_q[0], 1.5, 1e-13);
  NEAR(out.last_v[0], 0, 1e-13);
  NEAR(info.ledger.defect, 0, 1e-12); /* the functions have no potential: gravity works */
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU,       THUD_STEPPING_MABROUK,
                                          THUD_STEPPING_MOREAU_JEAN,  THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER, THUD_STEPPING_IMPLICIT};
  /* Moreau's scheme lets a ball with e > 0 dance on the floor by g h: at the time of the load it may be off it. */
  thud_system *dull = make_ball(context, &user, 0, 5, loads);
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    run_steps(context, k == 0 ? dull : system, NULL, methods[k], 5, 5000, &zero, &zero);
    NEAR(out.q[1500][0], 0, 1e-12); /* after the first load */
    NEAR(out.last_q[0], 1.5, 5e-3);
    NEAR(out.last_v[0], 0, 5e-3);
    thud_assert_less(out.ledger.identity, 1e-12);
  }
  thud_system_destroy(dull);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Bounces accumulate at t = 2 v0 (1 + e + ...) = 2 for v0 = e = 1/2, g = 1, exactly where a load acts: the limit comes
 * first, then the load. */
static void a_load_at_the_limit_of_bounces(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double up = 1;
  const thud_load load = {.t = 2, .impulse = &up};
  const double v0 = 0.5;
  ball user = {2};
  thud_system *system = make_ball(context, &user, 0.5, 1, &load);
  thud_event_motion_info info = run_events(context, system, 2.5, &zero, &v0, 0, NULL);
  thud_assert_equal(info.zeno_limits, 1);
  thud_assert_equal(info.percussions, 1);
  NEAR(find_event(THUD_EVENT_ZENO, 0)->t, 2, 1e-10);
  NEAR(out.last_q[0], 0.5 * 0.5 - 0.125, 1e-10);
  NEAR(out.last_v[0], 0, 1e-10);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- checkpoints ------------------------------------------------------------------------------------------------- */

/* A run that is stopped after each of its events and taken up by another motion ends with the same bits. */
static int stop_here(void *user, const void *handed) {
  const thud_event *event = handed;
  (void)user, (void)event;
  return 1;
}

static void restored_runs_meet_the_same_loads(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  line l = f3_line(6);
  thud_system *system = make_line(context, &l);
  thud_event_options options = thud_event_options_default();
  options.end = 6;
  run_events(context, system, 6, &two, &zero, 0, NULL);
  double q = out.last_q[0], v = out.last_v[0];
  thud_motion_sink sink = {NULL, stop_here, NULL};
  thud_motion *motion = NULL;
  thud_event_motion_info info = {.status = THUD_MOTION_STOPPED};
  assert_int_equal(thud_event_motion_create(context, system, &options, &two, &zero, &motion), THUD_OK);
  while (info.status == THUD_MOTION_STOPPED) {
    size_t size = thud_motion_state_size(motion);
    void *kept = malloc(size);
    assert_non_null(kept);
    thud_motion_save(motion, kept);
    thud_motion_destroy(motion);
    assert_int_equal(thud_event_motion_create(context, system, &options, &two, &zero, &motion), THUD_OK);
    assert_int_equal(thud_motion_restore(motion, kept, size), THUD_OK);
    free(kept);
    assert_int_equal(thud_test_run_motion(motion, &sink, &info), THUD_OK);
  }
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(info.percussions, 6);
  thud_event_frame end = thud_event_motion_present(motion);
  thud_assert_equal(end.t, 6);
  thud_assert_equal(end.q[0], q);
  thud_assert_equal(end.v[0], v);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- refusals, memory -------------------------------------------------------------------------------------------- */

static thud_error refuse(thud_context *context, const thud_expr_load_def *load, thud_expr_system_place *place) {
  line l = f1_line(load);
  thud_system *system = NULL;
  thud_error error = create_line(context, &l, place, &system);
  assert_true(error == THUD_OK || system == NULL);
  thud_system_destroy(system);
  return error;
}

static void bad_loads_are_refused_with_their_place(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_expr_system_place place;
  thud_expr_load_def good = f1_family(-1), load = good;
  assert_int_equal(refuse(context, &load, &place), THUD_OK);
  assert_int_equal(place.part, THUD_SOURCE_NONE);
  static const char *const bad[] = {"1 + )"}, *const moving[] = {"1 + q1"}, *const negative[] = {"-1"};
  load.threshold = bad;
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_SYNTAX);
  thud_assert_equal(place.part, THUD_SOURCE_LOAD_THRESHOLD);
  thud_assert_equal(place.place.column, 5);
  load.threshold = moving;
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_SOURCE_LOAD_THRESHOLD);
  load.threshold = negative;
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_SOURCE_LOAD);
  load = (thud_expr_load_def){.time = "0.5", .weight = "-1"};
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_SOURCE_LOAD_WEIGHT);
  load = (thud_expr_load_def){.time = "t", .weight = "1"};
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_SOURCE_LOAD_TIME);
  load = (thud_expr_load_def){.time = "0.5"};
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  load = (thud_expr_load_def){.time = "0.5", .period = 1e-9, .count = -1, .weight = "1"};
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_OVERFLOW);
  load = good;
  load.tail = "0";
  assert_int_equal(refuse(context, &load, &place), THUD_OK); /* nothing is kept */
  load.keep = 3;
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  assert_int_equal(place.part, THUD_SOURCE_LOAD_TAIL);
  load = good;
  load.tail = NULL;
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  load = good;
  load.lump = true;
  load.has_limit = false;
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT);
  load = good;
  load.time = "sqrt(-1-n)";
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_NOT_FINITE);
  assert_int_equal(place.part, THUD_SOURCE_LOAD_TIME);
  load = good;
  load.impulse = threshold_one;
  load.impulse_tail = "2^(-n)";
  assert_int_equal(refuse(context, &load, &place), THUD_ERROR_ARGUMENT); /* the first impulse is already 1 */
  assert_int_equal(place.part, THUD_SOURCE_LOAD_IMPULSE_TAIL);
  thud_test_context_end(context);
}

/* Numbers in C: not finite, negative, or thresholds for the law of a contact. */
static void bad_numbers_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  ball user = {2};
  const double not_finite = INFINITY, mass = 1;
  const thud_constraint_def floor = {"floor", THUD_CONSTRAINT_UNILATERAL, 0};
  const thud_friction_def law = {"floor", 0, THUD_FRICTION_DISC, 1, NULL};
  const thud_load bad[] = {
      {.t = NAN}, {.t = 1, .weight = -1}, {.t = 1, .impulse = &not_finite}, {.t = 1, .weight = 1, .bound = &one}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    const thud_system_def def = {.n = 1,
                                 .coordinates = names,
                                 .mass = &mass,
                                 .m = 1,
                                 .constraints = &floor,
                                 .laws = 1,
                                 .friction = &law,
                                 .loads = {.count = 1, .items = &bad[k]},
                                 .functions = {.user = &user,
                                               .constraint = ball_gap,
                                               .gradient = ball_gradient,
                                               .slip = ball_gradient,
                                               .friction = ball_gradient}};
    thud_system *system = NULL;
    thud_error error = thud_system_create(context, &def, &system);
    assert_true(error == THUD_ERROR_ARGUMENT || error == THUD_ERROR_NOT_FINITE);
    assert_non_null(strstr(thud_context_last_message(context), "load 0"));
    assert_null(system);
  }
  thud_test_context_end(context);
}

/* Thresholds that become negative, are not finite or have no power series end the run there. */
static void bad_thresholds_end_the_run(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char *const thresholds[] = {"sqrt(t)", "1/t"};
  for (size_t k = 0; k < 2; k++) {
    line l = {.n = 1, .mass = {1}, .threshold = {thresholds[k]}, .end = 1};
    thud_system *system = make_line(context, &l);
    thud_event_options options = thud_event_options_default();
    thud_motion *motion = NULL;
    thud_event_motion_info info = {.status = THUD_MOTION_BAD_DATA};
    thud_error error = thud_event_motion_create(context, system, &options, &zero, &one, &motion);
    if (error == THUD_OK) assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
    thud_assert_equal(info.status, THUD_MOTION_BAD_DATA);
    thud_assert_equal(info.time, 0);
    thud_motion_destroy(motion);
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

static thud_error whole_run(thud_context *context, void *user) {
  const bool *steps = user;
  static const char *const ones[] = {"1", "1"}, *const impulse[] = {NULL, "sin(t)"};
  const thud_expr_load_def loads[] = {
      {.time = "1-2^(-n)", .index = "n", .weight = "2^(-n-1)", .tail = "2^(-n)", .keep = 5, .tolerance = 1e-15},
      {.time = "0", .period = 0.4, .count = 2, .weight = "1"},
      {.time = "0.3", .weight = "1", .threshold = ones, .impulse = impulse}};
  const line l = {
      .n = 2, .mass = {2, 1, 1, 2}, .threshold = {"abs(sin(t))", "1"}, .load_count = 3, .loads = loads, .end = 1};
  const double q0[] = {0, 0}, v0[] = {1, -2};
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_motion *events = NULL;
  thud_stepping_options options = thud_stepping_options_default();
  thud_event_options event_options = thud_event_options_default();
  options.method = THUD_STEPPING_IMPLICIT;
  options.steps = 10;
  thud_error error = create_line(context, &l, NULL, &system);
  if (error == THUD_OK && *steps) error = thud_stepping_motion_create(context, system, &options, q0, v0, &motion);
  if (error == THUD_OK && *steps) error = thud_motion_run(motion, NULL, NULL);
  if (error == THUD_OK && !*steps) error = thud_event_motion_create(context, system, &event_options, q0, v0, &events);
  if (error == THUD_OK && !*steps) error = thud_motion_run(events, NULL, NULL);
  thud_motion_destroy(motion);
  thud_motion_destroy(events);
  thud_system_destroy(system);
  return error;
}

static void failing_memory_leaves_nothing_behind(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    bool steps = k == 1;
    thud_assert_greater(thud_test_sweep_allocations(whole_run, &steps), 40);
  }
}

/* The number of allocations does not depend on the length of the run. */
static void arcs_and_steps_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int method = 0; method < 2; method++) {
    uint64_t counts[2];
    for (int k = 0; k < 2; k++) {
      double end = k == 0 ? 2 : 20;
      line l = f3_line(end);
      thud_system *system = make_line(context, &l);
      uint64_t before = thud_context_allocation_count(context);
      if (method == 0)
        run_events(context, system, end, &two, &zero, 0, NULL);
      else
        run_steps(context, system, NULL, THUD_STEPPING_IMPLICIT, end, k == 0 ? 10 : 1000, &two, &zero);
      counts[k] = thud_context_allocation_count(context) - before;
      thud_system_destroy(system);
    }
    assert_int_equal(counts[0], counts[1]);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(f1_whole_family_stops_at_the_accumulation),
                                     cmocka_unit_test(f1_keeping_n_atoms_errs_by_the_tail),
                                     cmocka_unit_test(f3_has_its_listed_numbers),
                                     cmocka_unit_test(implicit_steps_converge_with_order_one),
                                     cmocka_unit_test(f5_two_coupled_particles),
                                     cmocka_unit_test(impulses_act_on_contacts_at_rest),
                                     cmocka_unit_test(a_load_at_the_limit_of_bounces),
                                     cmocka_unit_test(restored_runs_meet_the_same_loads),
                                     cmocka_unit_test(bad_loads_are_refused_with_their_place),
                                     cmocka_unit_test(bad_numbers_are_refused),
                                     cmocka_unit_test(bad_thresholds_end_the_run),
                                     cmocka_unit_test(failing_memory_leaves_nothing_behind),
                                     cmocka_unit_test(arcs_and_steps_allocate_nothing)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
