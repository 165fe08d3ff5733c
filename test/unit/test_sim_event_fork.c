/* Where a motion has several ways on, and where it has none: outcomes of multiple impacts and of friction, and impacts
 * without collision. */
#include "events.h"
#include "failing_allocator.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { MOST = 24 };

/* ---- every outcome of the first fork, each run to the end -------------------------------------------------------- */

typedef struct branch {
  char text[160];
  double v[THUD_TEST_SIZE], impulse[THUD_TEST_SIZE];
  int mode[THUD_TEST_SIZE];
  thud_motion_status status;
  double t, end_q[THUD_TEST_SIZE], end_v[THUD_TEST_SIZE];
  double energy_defect;
  char message[400];
} branch;

typedef struct forked {
  thud_motion_status status; /* where the fork stands */
  double t;
  char message[400];
  int count;
  branch ways[MOST];
} forked;

static void note_outcome(thud_motion *motion, size_t k, size_t n, size_t m, branch *way) {
  thud_event_outcome outcome;
  assert_int_equal(thud_event_motion_outcome(motion, k, &outcome), THUD_OK);
  memcpy(way->text, outcome.text, sizeof way->text);
  memcpy(way->v, outcome.v, n * sizeof(double));
  memcpy(way->impulse, outcome.impulse, m * sizeof(double));
  memcpy(way->mode, outcome.mode, m * sizeof(int));
}

static void follow(thud_context *context, thud_motion *motion, size_t k, size_t n, branch *way) {
  thud_event_motion_info info;
  assert_int_equal(thud_event_motion_choose(motion, k), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  /* Further forks: the first outcome. */
  for (int more = 0; more < 20 && info.status == THUD_MOTION_FORKED; more++) {
    assert_int_equal(thud_event_motion_choose(motion, 0), THUD_OK);
    assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  }
  way->status = info.status;
  way->energy_defect = info.ledger.defect;
  snprintf(way->message, sizeof way->message, "%s", thud_context_last_message(context));
  thud_event_frame end = thud_event_motion_present(motion);
  way->t = end.t;
  memcpy(way->end_q, end.q, n * sizeof(double));
  memcpy(way->end_v, end.v, n * sizeof(double));
}

/* Runs to the first fork, then along every outcome from a checkpoint there. */
static void fork_all(const thud_test_system *source, const thud_event_options *options, const double *q0,
                     const double *v0, forked *found) {
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, source);
  size_t n = (size_t)thud_system_dimension(system);
  size_t rows = (size_t)(thud_system_constraint_count(system) + thud_system_slip_count(system));
  thud_motion *motion;
  thud_event_motion_info info;
  *found = (forked){.count = 0};
  if (thud_event_motion_create(context, system, options, q0, v0, &motion) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  found->status = info.status;
  found->t = info.time;
  snprintf(found->message, sizeof found->message, "%s", thud_context_last_message(context));
  found->count = (int)thud_event_motion_outcome_count(motion);
  thud_assert_at_most(found->count, MOST);
  thud_assert_at_most(rows, THUD_TEST_SIZE);
  static char state[200000];
  size_t size = thud_motion_state_size(motion);
  thud_assert_at_most(size, sizeof state);
  thud_motion_save(motion, state);
  for (int k = 0; k < found->count; k++) {
    note_outcome(motion, (size_t)k, n, rows, &found->ways[k]);
    follow(context, motion, (size_t)k, n, &found->ways[k]);
    assert_int_equal(thud_motion_restore(motion, state, size), THUD_OK);
    assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
    assert_int_equal(info.status, found->status);
  }
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_event_options forking(double end) {
  thud_event_options options = thud_event_options_default();
  options.end = end;
  options.fork = true;
  return options;
}

static void assert_vector(size_t n, const double *x, const double *expected, double tolerance) {
  for (size_t i = 0; i < n; i++) thud_test_assert_near(x[i], expected[i], tolerance);
}

/* ---- multiple impacts -------------------------------------------------------------------------------------------- */

static const thud_test_system corner = {
    .coordinates = {"x", "y"},
    .kinetic_energy = "(x'^2 + y'^2)/2",
    .constraints = {{.name = "roof", .source = "y", .is_phi = true, .restitution = "1"},
                    {.name = "slope", .source = "x + y", .is_phi = true, .restitution = "1"}}};

/* C11: the slope alone throws the point back as the law does, the roof alone lets it slide along the slope. */
static void case_c11_forks_into_the_limits_of_its_perturbations(void **state) {
  (void)state;
  const double q0[] = {-1, -1}, v0[] = {1, 1};
  static forked found;
  thud_event_options options = forking(2);
  fork_all(&corner, &options, q0, v0, &found);
  assert_int_equal(found.status, THUD_MOTION_FORKED);
  thud_test_assert_near(found.t, 1, 1e-15);
  assert_int_equal(found.count, 2);
  assert_string_equal(found.ways[0].text, "the law 'newton'");
  assert_string_equal(found.ways[1].text, "'roof' alone");
  assert_vector(2, found.ways[0].v, (double[]){-1, -1}, 1e-15);
  assert_vector(2, found.ways[1].v, (double[]){1, -1}, 1e-15);
  assert_vector(2, found.ways[1].impulse, (double[]){2, 0}, 1e-15);
  assert_vector(2, found.ways[0].end_q, (double[]){-1, -1}, 1e-13);
  assert_vector(2, found.ways[1].end_q, (double[]){1, -1}, 1e-13);
  assert_non_null(strstr(found.message, "t = 1: 2 ways on from a multiple impact: the law 'newton'; or 'roof' alone"));
  for (int k = 0; k < 2; k++) assert_int_equal(found.ways[k].status, THUD_MOTION_COMPLETED);
}

/* With another velocity the law and the two orders are three different ways; the orders are the limits of what happens
 * when the slope is moved a little. */
static void orders_are_the_limits_of_perturbed_corners(void **state) {
  (void)state;
  const double q0[] = {-0.5, -1.5}, v0[] = {0.5, 1.5};
  const char *const moved[] = {"x + y + 1e-7", "x + y - 1e-7"}; /* struck before the roof, after it */
  const char *const names[] = {"'slope' alone", "'roof' alone"};
  static forked found;
  thud_event_options options = forking(2);
  fork_all(&corner, &options, q0, v0, &found);
  assert_int_equal(found.count, 3);
  assert_vector(2, found.ways[0].v, (double[]){-0.5, -1.5}, 1e-15);
  assert_vector(2, found.ways[0].end_q, (double[]){-0.5, -1.5}, 1e-13);
  for (int side = 0; side < 2; side++) {
    static noted_run run;
    thud_test_system near = corner;
    int way = 0;
    near.constraints[1].source = moved[side];
    run = (noted_run){0};
    thud_test_event_run(&near, &options, q0, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    for (int k = 1; k < 3; k++)
      if (strcmp(found.ways[k].text, names[side]) == 0) way = k;
    thud_assert_greater(way, 0);
    assert_vector(2, found.ways[way].end_q, run.end_q, 1e-6);
    assert_vector(2, found.ways[way].end_v, run.end_v, 1e-12);
  }
  assert_vector(2, found.ways[1].v, (double[]){0.5, -1.5}, 1e-15);
  assert_vector(2, found.ways[2].v, (double[]){-1.5, -0.5}, 1e-15);
}

static thud_test_system cradle(const char *e) {
  return (thud_test_system){.coordinates = {"a", "b", "c"},
                            .kinetic_energy = "(a'^2 + b'^2 + c'^2)/2",
                            .constraints = {{.name = "left", .source = "b - a", .restitution = e},
                                            {.name = "right", .source = "c - b", .restitution = e}}};
}

/* C10: the canonical law moves both balls, the impact that is passed on only the last. */
static void cradle_forks_into_the_law_and_the_observed_motion(void **state) {
  (void)state;
  const double q0[] = {-1, 0, 0}, v0[] = {1, 0, 0};
  static forked found;
  thud_event_options options = forking(2);
  thud_test_system balls = cradle("1");
  options.percussion.law = THUD_IMPACT_CANONICAL;
  fork_all(&balls, &options, q0, v0, &found);
  assert_int_equal(found.count, 2);
  assert_string_equal(found.ways[0].text, "the law 'canonical'");
  assert_string_equal(found.ways[1].text, "'left' before 'right'");
  assert_vector(3, found.ways[0].v, (double[]){-1.0 / 3, 2.0 / 3, 2.0 / 3}, 1e-14);
  assert_vector(3, found.ways[1].v, (double[]){0, 0, 1}, 1e-14);
  assert_vector(2, found.ways[1].impulse, (double[]){1, 1}, 1e-14);
  for (int k = 0; k < 2; k++) thud_assert_less(fabs(found.ways[k].energy_defect), 1e-14);

  /* Damped balls strike each other again and again; nothing approaches at the end and momentum stays. */
  balls = cradle("0.5");
  fork_all(&balls, &options, q0, v0, &found);
  assert_int_equal(found.count, 2);
  assert_vector(3, found.ways[0].v, (double[]){0, 0.5, 0.5}, 1e-14);
  const double *v = found.ways[1].v;
  thud_test_assert_near(v[0] + v[1] + v[2], 1, 1e-14);
  thud_assert_greater(v[1] - v[0], -1e-9);
  thud_assert_greater(v[2] - v[1], -1e-9);
  /* left (1/4, 3/4, 0), right (1/4, 3/16, 9/16), left (13/64, 15/64, 36/64): apart. */
  assert_vector(3, v, (double[]){13.0 / 64, 15.0 / 64, 36.0 / 64}, 1e-14);
}

static void orthogonal_impacts_do_not_fork(void **state) {
  (void)state;
  thud_test_system right_angle = corner;
  const double q0[] = {-1, -1}, v0[] = {1, 1};
  static forked found;
  thud_event_options options = forking(2);
  right_angle.constraints[1].source = "x";
  fork_all(&right_angle, &options, q0, v0, &found);
  assert_int_equal(found.status, THUD_MOTION_COMPLETED);
  assert_int_equal(found.count, 0);
}

/* Four walls at once: more outcomes than are wanted are cut, and the message says so. */
static void outcomes_are_limited(void **state) {
  (void)state;
  thud_test_system walls = corner;
  const double q0[] = {-0.5, -1.5}, v0[] = {0.5, 1.5};
  static forked found;
  thud_event_options options = forking(2);
  options.max_outcomes = 2;
  fork_all(&walls, &options, q0, v0, &found);
  assert_int_equal(found.count, 2);
  assert_non_null(
      strstr(found.message, "t = 1: more than 2 ways on from a multiple impact: the law 'newton'; or 'roof' alone"));
}

/* ---- friction ---------------------------------------------------------------------------------------------------- */

static const char *const tangent[] = {"T'"};

/* Mass coupled by c = 0.6, mu = 2: M^-1 = [[1, -c], [-c, 1]]/0.64. Sliding back has W_NN + mu W_NT < 0, so that with a
 * pull of 1 the contact can open, N = t^2/1.28, or be pressed on by its own friction, r_N = 5, T'' = 10. */
static void contact_that_friction_presses_can_open_or_go_on(void **state) {
  (void)state;
  const thud_test_system coupled = {
      .coordinates = {"N", "T"},
      .kinetic_energy = "(N'^2 + T'^2)/2 + 0.6*N'*T'",
      .forces = {"1", "0"},
      .constraints = {{.name = "wall", .source = "N"}},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = tangent, .mu = "2"}}};
  const double q0[] = {0, 0}, v0[] = {0, -1};
  static forked found;
  thud_event_options options = thud_event_options_default();
  options.end = 0.05;
  for (int fork = 0; fork < 2; fork++) {
    options.fork = fork == 1;
    fork_all(&coupled, &options, q0, v0, &found);
    assert_int_equal(found.status, fork == 1 ? THUD_MOTION_FORKED : THUD_MOTION_INDETERMINATE);
    assert_int_equal(found.count, 2);
    assert_string_equal(found.ways[0].text, "'wall' slides back");
    assert_string_equal(found.ways[1].text, "'wall' opens");
    assert_int_equal(found.ways[0].mode[0], THUD_CONTACT_SLIDING);
    assert_int_equal(found.ways[1].mode[0], THUD_CONTACT_LEAVING);
    assert_vector(2, found.ways[0].end_q, (double[]){0, -0.05 + 5 * 0.05 * 0.05}, 1e-15);
    assert_vector(2, found.ways[0].end_v, (double[]){0, -0.5}, 1e-14);
    assert_vector(2, found.ways[1].end_q, (double[]){0.0025 / 1.28, -0.05 - 0.6 * 0.0025 / 1.28}, 1e-15);
    assert_non_null(
        strstr(found.message,
               "t = 0: 2 motions are consistent; friction leaves it open: 'wall' slides back; or 'wall' opens"));
  }
}

/* A corner and a contact that friction presses, independent of each other, both at t = 0: the impact forks, then the
 * modes do. Choices are used up in this order, also by a motion restored between them. */
static void forks_at_the_same_time_are_chosen_one_after_the_other(void **state) {
  (void)state;
  const thud_test_system both = {
      .coordinates = {"x", "y", "N", "T"},
      .kinetic_energy = "(x'^2 + y'^2 + N'^2 + T'^2)/2 + 0.6*N'*T'",
      .forces = {"0", "0", "1", "0"},
      .constraints = {{.name = "wall", .source = "N"}, corner.constraints[0], corner.constraints[1]},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = tangent, .mu = "2"}}};
  const double q0[] = {0, 0, 0, 0}, v0[] = {1, 1, 0, -1}, slid = -0.05 + 5 * 0.0025, flown = 0.0025 / 1.28;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &both);
  thud_event_options options = forking(0.05);
  static char block[200000];
  for (size_t first = 0; first < 2; first++)
    for (size_t second = 0; second < 2; second++) {
      thud_motion *motion, *other;
      thud_event_motion_info info;
      assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
      assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &other), THUD_OK);
      size_t size = thud_motion_state_size(motion);
      thud_assert_at_most(size, sizeof block);
      assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
      assert_int_equal(info.status, THUD_MOTION_FORKED);
      assert_int_equal(thud_event_motion_outcome_count(motion), 2);
      assert_int_equal(thud_event_motion_choose(motion, first), THUD_OK);
      thud_motion_save(motion, block);
      assert_int_equal(thud_motion_restore(other, block, size), THUD_OK);
      assert_int_equal(thud_test_run_motion(other, NULL, &info), THUD_OK);
      assert_int_equal(info.status, THUD_MOTION_FORKED);
      assert_int_equal(info.impacts, 0); /* nothing has happened until all is chosen */
      assert_non_null(strstr(thud_context_last_message(context), ": 'wall' slides back"));
      assert_non_null(strstr(thud_context_last_message(context), "; or 'wall' opens"));
      assert_int_equal(thud_event_motion_choose(other, second), THUD_OK);
      assert_int_equal(thud_test_run_motion(other, NULL, &info), THUD_OK);
      assert_int_equal(info.status, THUD_MOTION_COMPLETED);
      assert_int_equal(info.impacts, 1);
      const double *q = thud_event_motion_present(other).q;
      thud_test_assert_near(q[0], first == 0 ? -0.05 : 0.05, 1e-14);
      thud_test_assert_near(q[1], -0.05, 1e-14);
      thud_test_assert_near(q[2], second == 0 ? 0 : flown, 1e-14);
      thud_test_assert_near(q[3], second == 0 ? slid : -0.05 - 0.6 * flown, 1e-14);
      thud_motion_destroy(motion);
      thud_motion_destroy(other);
    }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* A bar of mass 1 and length 2 across an upside-down right-angled corner, gravity along the bisector out of it
 * (Moreau's example): it can fall, and with mu > 1 the walls can hold it, each by a force steeper than the bar. */
#define ROOT_HALF "0.70710678118654752"
static const char *const right_slip[] = {"(x' - y' - (sin(th) + cos(th))*th')*" ROOT_HALF};
static const char *const left_slip[] = {"(x' + y' + (sin(th) - cos(th))*th')*" ROOT_HALF};

static thud_test_system bar(const char *mu) {
  return (thud_test_system){
      .coordinates = {"x", "y", "th"},
      .kinetic_energy = "(x'^2 + y'^2)/2 + th'^2/6",
      .forces = {"0", "-9.81"},
      .constraints = {{.name = "right", .source = "(-y - sin(th) - x - cos(th))*" ROOT_HALF},
                      {.name = "left", .source = "(-y + sin(th) + x - cos(th))*" ROOT_HALF}},
      .friction = {
          {.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = right_slip, .mu = mu},
          {.name = "g", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = left_slip, .mu = mu}}};
}

static void bar_in_a_corner_falls_or_stays(void **state) {
  (void)state;
  const double q0[] = {0, -1, 0}, v0[] = {0, 0, 0};
  static forked found;
  thud_event_options options = thud_event_options_default();
  thud_test_system wedged = bar("1.2"), loose = bar("0.8");
  options.end = 0.5;
  fork_all(&wedged, &options, q0, v0, &found);
  assert_int_equal(found.status, THUD_MOTION_INDETERMINATE);
  assert_int_equal(found.count, 2);
  int stays = strstr(found.ways[0].text, "sticks") != NULL ? 0 : 1;
  assert_string_equal(found.ways[1 - stays].text, "'right' opens, 'left' opens");
  assert_string_equal(found.ways[stays].text, "'right' sticks, 'left' sticks");
  assert_int_equal(found.ways[0].status, THUD_MOTION_COMPLETED);
  assert_int_equal(found.ways[1].status, THUD_MOTION_COMPLETED);
  assert_vector(3, found.ways[stays].end_q, q0, 1e-12);
  assert_vector(3, found.ways[1 - stays].end_q, (double[]){0, -1 - 9.81 / 8, 0}, 1e-13);

  fork_all(&loose, &options, q0, v0, &found);
  assert_int_equal(found.status, THUD_MOTION_COMPLETED);
}

/* ---- impacts without collision ----------------------------------------------------------------------------------- */

/* A slender rod (mass 1, length 2) at the angle th whose lower end slides along the floor. */
static const char *const rod_slip[] = {"x' - th'*sin(th)"};

static thud_test_system rod(const char *mu) {
  return (thud_test_system){
      .coordinates = {"x", "y", "th"},
      .kinetic_energy = "(x'^2 + y'^2)/2 + th'^2/6",
      .forces = {"0", "-9.81"},
      .constraints = {{.name = "floor", .source = "y - sin(th)"}},
      .friction = {{.name = "f", .kind = THUD_FRICTION_DISC, .directions = 1, .slip = rod_slip, .mu = mu}}};
}

/* With s, c the sine and cosine: W = [[1 + 3c^2, 3cs], [3cs, 1 + 3s^2]], det W = 4, and the end that slides forth at u
 * is stopped by p = -W^-1 (0, u) = (3cs, -(1 + 3c^2)) u/4. The energy lost is (1 + 3c^2) u^2/8. */
static void painleve_rod_is_stopped_by_a_tangential_impact(void **state) {
  (void)state;
  const double angles[] = {atan(2.0), 1.0, 1.2};
  thud_test_system rough = rod("3");
  for (int k = 0; k < 6; k++) {
    double th = angles[k % 3], s = sin(th), c = cos(th), w = k < 3 ? 0 : 1.5;
    const double q0[] = {0.3, s, th}, v0[] = {20, w * c, w};
    double u = v0[0] - w * s, pn = 3 * c * s * u / 4, pt = -(1 + 3 * c * c) * u / 4;
    static noted_run run;
    thud_event_options options = thud_event_options_default();
    options.end = 0.01;
    run = (noted_run){0};
    thud_test_event_run(&rough, &options, q0, v0, &run);
    assert_int_equal(run.info.status, THUD_MOTION_INCONSISTENT);
    options.painleve = THUD_PAINLEVE_IMPACT;
    run = (noted_run){0};
    thud_test_event_run(&rough, &options, q0, v0, &run);
    if (run.info.status != THUD_MOTION_COMPLETED) fail_msg("%s", run.message);
    const noted_event *first = &run.event[0];
    assert_int_equal(first->event.kind, THUD_EVENT_IMPACT);
    assert_true(first->event.tangential);
    thud_test_assert_near(first->event.t, 0, 0);
    thud_test_assert_near(first->after[0], v0[0] + pt, 1e-10);
    thud_test_assert_near(first->after[1], v0[1] + pn, 1e-10);
    thud_test_assert_near(first->after[2], w - 3 * (c * pn + s * pt), 1e-10);
    thud_test_assert_near(first->impulse[0], pn, 1e-10);
    thud_test_assert_near(first->after[0] - first->after[2] * s, 0, 1e-10); /* neither slips nor lifts */
    thud_test_assert_near(first->after[1] - first->after[2] * c, 0, 1e-10);
    thud_test_assert_near(first->event.percussion.friction_loss, (1 + 3 * c * c) * u * u / 8, 1e-10);
    thud_assert_less(first->event.percussion.identity, 1e-13);
    thud_assert_less(fabs(run.info.ledger.defect), 1e-11);
  }
}

/* The paradox needs mu > 4/3; at tan th = 2 any more is enough. */
static void rods_below_four_thirds_have_no_tangential_impacts(void **state) {
  (void)state;
  const char *const frictions[] = {"1.333", "1.334", "0.5"};
  for (int k = 0; k < 3; k++) {
    thud_test_system system = rod(frictions[k]);
    for (int angle = 0; angle < 9; angle++) {
      double th = angle == 0 ? atan(2.0) : 0.15 * angle;
      const double q0[] = {0, sin(th), th}, v0[] = {20, 0, 0};
      static noted_run run;
      thud_event_options options = thud_event_options_default();
      options.end = 0.05;
      options.painleve = THUD_PAINLEVE_IMPACT;
      run = (noted_run){0};
      thud_test_event_run(&system, &options, q0, v0, &run);
      bool tangential = run.events > 0 && run.event[0].event.tangential;
      assert_int_equal(tangential, k == 1 && angle == 0);
      assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
    }
  }
}

/* A ball hits a wall elsewhere at the same time: one event with the impulses of both. */
static void tangential_impact_beside_a_collision(void **state) {
  (void)state;
  thud_test_system both = rod("3");
  double th = atan(2.0), s = sin(th), c = cos(th), u = 20;
  const double q0[] = {0, s, th, 0}, v0[] = {u, 0, 0, -3};
  static noted_run run;
  thud_event_options options = thud_event_options_default();
  both.coordinates[3] = "z";
  both.kinetic_energy = "(x'^2 + y'^2)/2 + th'^2/6 + z'^2/2";
  both.constraints[1] = (thud_expr_constraint_def){.name = "wall", .source = "z", .restitution = "0.5"};
  options.end = 0.01;
  options.painleve = THUD_PAINLEVE_IMPACT;
  run = (noted_run){0};
  thud_test_event_run(&both, &options, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_COMPLETED);
  const noted_event *first = &run.event[0];
  assert_int_equal(first->event.kind, THUD_EVENT_IMPACT);
  assert_false(first->event.tangential);
  thud_test_assert_near(first->impulse[0], 3 * c * s * u / 4, 1e-10);
  thud_test_assert_near(first->impulse[1], 4.5, 1e-10);
  thud_test_assert_near(first->after[0], u - (1 + 3 * c * c) * u / 4, 1e-10);
  thud_test_assert_near(first->after[3], 1.5, 1e-10);
  thud_assert_less(fabs(run.info.ledger.defect), 1e-11);
}

/* Two rods that know nothing of each other: each may be stopped alone, or both at once. */
static void two_rods_leave_open_which_of_them_is_stopped(void **state) {
  (void)state;
  static const char *const other_slip[] = {"a' - c'*sin(c)"};
  thud_test_system both = rod("3");
  both.coordinates[3] = "a", both.coordinates[4] = "b", both.coordinates[5] = "c";
  both.kinetic_energy = "(x'^2 + y'^2)/2 + th'^2/6 + (a'^2 + b'^2)/2 + c'^2/6";
  both.forces[4] = "-9.81";
  both.constraints[1] = (thud_expr_constraint_def){.name = "other floor", .source = "b - sin(c)"};
  both.friction[1] = (thud_expr_friction_def){
      .name = "g", .constraint = 1, .kind = THUD_FRICTION_DISC, .directions = 1, .slip = other_slip, .mu = "3"};
  double th = atan(2.0);
  const double q0[] = {0, sin(th), th, 0, sin(th), th}, v0[] = {20, 0, 0, 20, 0, 0};
  static noted_run run;
  thud_event_options options = thud_event_options_default();
  options.end = 0.01;
  options.painleve = THUD_PAINLEVE_IMPACT;
  run = (noted_run){0};
  thud_test_event_run(&both, &options, q0, v0, &run);
  assert_int_equal(run.info.status, THUD_MOTION_INDETERMINATE);
  assert_string_equal(run.message,
                      "t = 0: 3 impacts without collision are possible: 'floor' is stopped, 'other floor' is "
                      "not struck; or 'floor' is not struck, 'other floor' is stopped; or 'floor' is "
                      "stopped, 'other floor' is stopped");
}

/* ---- random systems ---------------------------------------------------------------------------------------------- */

/* A point among random walls that meet where it is: every outcome leaves no approach, pushes only, and creates no
 * energy; the law comes first; no two are the same. */
static void outcomes_of_random_corners_are_admissible(void **state) {
  (void)state;
  thud_random random = thud_random_seed(20260611);
  int forks = 0;
  for (int trial = 0; trial < 60; trial++) {
    static char text[3][96], restitution[3][32];
    static forked found;
    double normal[3][3], q0[3] = {0, 0, 0}, v0[3];
    thud_test_system walls = {.coordinates = {"x", "y", "z"}, .kinetic_energy = "(x'^2 + 2*y'^2 + y'*z' + 3*z'^2)/2"};
    for (int i = 0; i < 3; i++) {
      for (int c = 0; c < 3; c++) normal[i][c] = thud_random_uniform(&random, -1, 1);
      double e = thud_random_uniform(&random, 0, 1);
      snprintf(text[i], sizeof text[i], "%.17g*x + %.17g*y + %.17g*z", normal[i][0], normal[i][1], normal[i][2]);
      snprintf(restitution[i], sizeof restitution[i], "%.17g", e);
      walls.constraints[i] = (thud_expr_constraint_def){.name = i == 0   ? "a"
                                                                : i == 1 ? "b"
                                                                         : "c",
                                                        .source = text[i],
                                                        .restitution = restitution[i]};
      v0[i] = thud_random_uniform(&random, -1, 1);
    }
    thud_event_options options = forking(0.01);
    fork_all(&walls, &options, q0, v0, &found);
    forks += found.status == THUD_MOTION_FORKED;
    double energy = (v0[0] * v0[0] + 2 * v0[1] * v0[1] + v0[1] * v0[2] + 3 * v0[2] * v0[2]) / 2;
    for (int k = 0; k < found.count; k++) {
      const double *v = found.ways[k].v;
      thud_assert_at_most((v[0] * v[0] + 2 * v[1] * v[1] + v[1] * v[2] + 3 * v[2] * v[2]) / 2, energy * (1 + 1e-9));
      for (int i = 0; i < 3; i++) {
        /* Newton's law u+ >= -e u- lets a contact that parts come back: it is struck next, and that run goes on. */
        double before = normal[i][0] * v0[0] + normal[i][1] * v0[1] + normal[i][2] * v0[2];
        double least = k == 0 && before > 0 ? -before : 0;
        thud_assert_greater(normal[i][0] * v[0] + normal[i][1] * v[1] + normal[i][2] * v[2], least - 1e-8);
        assert_int_equal(found.ways[k].status, THUD_MOTION_COMPLETED);
        thud_assert_at_least(found.ways[k].impulse[i], 0);
      }
      for (int j = 0; j < k; j++)
        thud_assert_greater(
            fabs(v[0] - found.ways[j].v[0]) + fabs(v[1] - found.ways[j].v[1]) + fabs(v[2] - found.ways[j].v[2]), 1e-6);
    }
    if (found.count > 0) assert_string_equal(found.ways[0].text, "the law 'newton'");
  }
  thud_assert_greater(forks, 10);
}

/* ---- calls in the wrong place ------------------------------------------------------------------------------------ */

static void nothing_can_be_chosen_where_nothing_forks(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &corner);
  thud_event_options options = forking(2);
  const double q0[] = {-1, -1}, v0[] = {1, 1};
  thud_motion *motion;
  thud_event_motion_info info;
  thud_event_outcome outcome;
  assert_int_equal(thud_event_motion_create(context, system, &options, q0, v0, &motion), THUD_OK);
  assert_int_equal(thud_event_motion_outcome_count(motion), 0);
  assert_int_equal(thud_event_motion_choose(motion, 0), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(thud_event_motion_choose(motion, 2), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_event_motion_choose(motion, SIZE_MAX), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_event_motion_outcome(motion, 2, &outcome), THUD_ERROR_ARGUMENT);
  /* Without a choice the run stays at the fork; the last choice counts. */
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_FORKED);
  assert_int_equal(info.impacts, 0);
  assert_int_equal(thud_event_motion_choose(motion, 0), THUD_OK);
  assert_int_equal(thud_event_motion_choose(motion, 1), THUD_OK);
  assert_int_equal(thud_test_run_motion(motion, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_COMPLETED);
  assert_vector(2, thud_event_motion_present(motion).q, (double[]){1, -1}, 1e-13);
  assert_int_equal(thud_event_motion_outcome_count(motion), 0);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_error fork_and_choose(thud_context *context, void *user) {
  static const char *const names[] = {"x", "y"};
  const thud_expr_system_def def = {
      .n = 2, .coordinates = names, .kinetic_energy = corner.kinetic_energy, .m = 2, .constraints = corner.constraints};
  const double q0[] = {-0.5, -1.5}, v0[] = {0.5, 1.5};
  thud_expr_scope *scope = NULL;
  thud_system *system = NULL;
  thud_motion *motion = NULL;
  thud_event_options options = forking(2);
  thud_event_motion_info info = {0};
  (void)user;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &def, NULL, &system);
  if (error == THUD_OK) error = thud_event_motion_create(context, system, &options, q0, v0, &motion);
  if (error == THUD_OK) error = thud_test_run_motion(motion, NULL, &info);
  if (error == THUD_OK) assert_int_equal(info.status, THUD_MOTION_FORKED);
  if (error == THUD_OK) error = thud_event_motion_choose(motion, 2);
  if (error == THUD_OK) error = thud_test_run_motion(motion, NULL, &info);
  thud_motion_destroy(motion);
  thud_system_destroy(system);
  thud_expr_scope_destroy(scope);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(fork_and_choose, NULL), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(case_c11_forks_into_the_limits_of_its_perturbations),
      cmocka_unit_test(orders_are_the_limits_of_perturbed_corners),
      cmocka_unit_test(cradle_forks_into_the_law_and_the_observed_motion),
      cmocka_unit_test(orthogonal_impacts_do_not_fork),
      cmocka_unit_test(outcomes_are_limited),
      cmocka_unit_test(contact_that_friction_presses_can_open_or_go_on),
      cmocka_unit_test(forks_at_the_same_time_are_chosen_one_after_the_other),
      cmocka_unit_test(bar_in_a_corner_falls_or_stays),
      cmocka_unit_test(painleve_rod_is_stopped_by_a_tangential_impact),
      cmocka_unit_test(rods_below_four_thirds_have_no_tangential_impacts),
      cmocka_unit_test(tangential_impact_beside_a_collision),
      cmocka_unit_test(two_rods_leave_open_which_of_them_is_stopped),
      cmocka_unit_test(outcomes_of_random_corners_are_admissible),
      cmocka_unit_test(nothing_can_be_chosen_where_nothing_forks),
      cmocka_unit_test(failing_allocations_leave_nothing_behind),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
