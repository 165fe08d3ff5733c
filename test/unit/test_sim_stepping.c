/* Time stepping of Lagrangian systems: closed forms of the founding texts, orders, identities, state blocks, ends. */
#include "failing_allocator.h"
#include "systems.h"
#include "run_motion.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define PI 3.14159265358979323846

/* Case C1: phi = q, force 2, e = 1/2. */
static const thud_test_system bouncing = {
    .coordinates = {"q"},
    .kinetic_energy = "q'^2/2",
    .forces = {"2"},
    .constraints = {{.name = "floor", .source = "q", .is_phi = true, .restitution = "0.5"}}};

/* q(t) of C1 on [0, 4]. */
static double bouncing_exact(double t) {
  if (t >= 3) return 0;
  if (t <= 1) return t * t - 1;
  double n = floor(-log2(3 - t)) + 1; /* 3 - 2^(1-n) <= t < 3 - 2^-n */
  return (t - (3 - exp2(1 - n))) * (t - (3 - exp2(-n)));
}

typedef struct sup_error {
  double worst;
} sup_error;

static int compare_bouncing(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  sup_error *error = user;
  error->worst = fmax(error->worst, fabs(frame->q[0] - bouncing_exact(frame->t)));
  return 0;
}

static void bouncing_particle_converges_with_first_order_by_every_scheme(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MABROUK, THUD_STEPPING_MOREAU_JEAN,
                                          THUD_STEPPING_STABILISED, THUD_STEPPING_SECOND_ORDER};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++)
    for (int n = 8; n <= 14; n += 3) {
      sup_error error = {0};
      double h = 4 * exp2(-n), q0 = -1, v0 = 0;
      thud_stepping_options options = thud_test_stepping_options(methods[k], 4, 1 << n);
      thud_stepping_motion_info info =
          thud_test_stepping(context, system, &options, &q0, &v0, compare_bouncing, &error, NULL, NULL);
      assert_int_equal(info.status, THUD_MOTION_COMPLETED);
      thud_assert_at_most(error.worst, 3 * h); /* the stated tolerance of the case */
      thud_assert_at_most(-info.worst_gap, (methods[k] == THUD_STEPPING_STABILISED ? 1e-15 : 2 * h));
      thud_assert_less(info.ledger.identity, 1e-14);
      thud_assert_greater(info.ledger.impact_loss, 0);
    }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Case C6, exact to the last bit. */
static const double c6[13][2] = {{-1, 0.5},   {-0.875, 1},       {-0.625, 1.5},    {-0.25, 2}, {0.25, -1},
                                 {0, -0.5},   {-0.125, 0},       {-0.125, 0.5},    {0, -0.25}, {-0.0625, 0.25},
                                 {0, -0.125}, {-0.03125, 0.375}, {0.0625, -0.1875}};
typedef struct c6_check {
  int next;
} c6_check;
static int compare_c6(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  c6_check *check = user;
  thud_assert_equal(frame->q[0], c6[check->next][0]);
  thud_assert_equal(frame->v[0], c6[check->next][1]);
  check->next++;
  return 0;
}

static void mabrouk_reproduces_its_published_table_bit_by_bit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MABROUK, 3, 12);
  c6_check check = {0};
  double q0 = -1, v0 = 0;
  thud_test_stepping(context, system, &options, &q0, &v0, compare_c6, &check, NULL, NULL);
  assert_int_equal(check.next, 13);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void release_when_the_force_turns(void **state) { /* C8 */
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){.coordinates = {"q"},
                                   .kinetic_energy = "q'^2/2",
                                   .forces = {"1-t"},
                                   .constraints = {{.name = "f", .source = "q", .is_phi = true}}});
  double previous = 0, q0 = 0, v0 = 0, q;
  for (int n = 9; n <= 12; n++) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 2, 1 << n);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, NULL);
    assert_int_equal(info.impacts, 0);
    double error = fabs(q + 1.0 / 6); /* the nodes hold 1 and 2: second order there */
    if (n > 9) thud_assert_nearer(log2(previous / error), 2, 0.01);
    previous = error;
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* A velocity into a closed contact at the start is an impact like any other. */
static void an_impact_at_the_start_is_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                          THUD_STEPPING_SECOND_ORDER};
  double q0 = 0, v0 = 1;
  for (size_t k = 0; k < 4; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 0.1, 100);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
    assert_int_equal(info.impacts, 1);
    thud_assert_nearer(info.ledger.impact_loss, 0.375, 4e-3);
    thud_assert_less(fabs(info.ledger.contact_loss), 1e-12);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void oblique_impact_keeps_the_tangential_velocity(void **state) { /* C7 */
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){
                   .coordinates = {"x", "y"},
                   .kinetic_energy = "(x'^2+y'^2)/2",
                   .constraints = {{.name = "f", .source = "0.6*x+0.8*y", .is_phi = true, .restitution = "0.5"}}});
  const double q0[] = {-0.6, -0.8}, v0[] = {1, 1};
  double v[2];
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MABROUK, THUD_STEPPING_MOREAU_JEAN};
  for (size_t k = 0; k < 3; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 1, 1000);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, NULL, v);
    assert_int_equal(info.impacts, 1);
    thud_assert_less(fabs(v[0] + 0.26), 1e-14);
    thud_assert_less(fabs(v[1] + 0.68), 1e-14);
    thud_assert_nearer(info.ledger.kinetic, 0.265, 1e-14);
    thud_assert_nearer(info.ledger.impact_loss, 0.735, 1e-14);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* C12: even and odd refinements of Moreau's scheme go to different motions; Mabrouk's does not. */
static void refinements_of_case_c12_split(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){.coordinates = {"x", "y"},
                          .kinetic_energy = "(x'^2+y'^2)/2",
                          .forces = {"4", NULL},
                          .constraints = {{.name = "a", .source = "y", .is_phi = true, .restitution = "1"},
                                          {.name = "b", .source = "x+y", .is_phi = true, .restitution = "1"}}});
  const double q0[] = {0, -2}, v0[] = {-2, 2};
  double q[2];
  for (int n = 10; n <= 13; n++) {
    double h = 3 * exp2(-n);
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 3, 1 << n);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, NULL);
    double goal = n % 2 == 0 ? 4 : 8;
    thud_assert_nearer(q[0], goal, 40 * h);
    thud_assert_less(fabs(q[1] + goal), 40 * h);
    if (n % 2 == 0) {
      thud_assert_greater(info.multiple_impacts, 0);
      thud_assert_nearer(fabs(info.worst_cosine), sqrt(0.5), 1e-12);
    }
    options.method = THUD_STEPPING_MABROUK;
    thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, NULL);
    thud_assert_nearer(q[0], 4, 40 * h);
    thud_assert_less(fabs(q[1] + 4), 40 * h);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- smooth motion: orders, energy ----------------------------------------------------------------------------------
 */

static const thud_test_system pendulum = {
    .coordinates = {"a"}, .kinetic_energy = "a'^2/2", .potential_energy = "-cos(a)"};

/* Error of the pendulum at t = 3 against a run with many steps. */
static double pendulum_error(thud_context *context, const thud_system *system, thud_stepping_method method,
                             double theta, thud_index steps) {
  const double q0 = 1, v0 = 0.5;
  double reference = 0, q = 0;
  thud_stepping_options fine = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 3, 1 << 17);
  thud_test_stepping(context, system, &fine, &q0, &v0, NULL, NULL, &reference, NULL);
  thud_stepping_options options = thud_test_stepping_options(method, 3, steps);
  options.theta = theta;
  thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, NULL);
  return fabs(q - reference);
}

static void smooth_motion_has_the_order_of_its_scheme(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &pendulum);
  const struct {
    thud_stepping_method method;
    double theta, order;
  } rows[] = {{THUD_STEPPING_MOREAU, 0.5, 1},
              {THUD_STEPPING_MOREAU_JEAN, 1, 1},
              {THUD_STEPPING_MOREAU_JEAN, 0.5, 2},
              {THUD_STEPPING_SECOND_ORDER, 0.5, 2}};
  for (size_t k = 0; k < 4; k++) {
    double coarse = pendulum_error(context, system, rows[k].method, rows[k].theta, 200);
    double fine = pendulum_error(context, system, rows[k].method, rows[k].theta, 1600);
    thud_assert_nearer(log2(coarse / fine) / 3, rows[k].order, 0.05);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Position-dependent mass: a bead on the parabola y = x^2 conserves its energy; second order. */
static void energy_with_a_changing_mass_converges_with_second_order(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){.coordinates = {"x"}, .kinetic_energy = "(1+4*x^2)*x'^2/2", .potential_energy = "9.81*x^2"});
  double q0 = 1, v0 = 0, previous = 0;
  for (int n = 11; n <= 14; n++) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 2, 1 << n);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
    double defect = fabs(info.ledger.kinetic + info.ledger.potential - 9.81);
    thud_assert_less(fabs(info.ledger.defect) - defect, 1e-12);
    if (n > 11) thud_assert_nearer(log2(previous / defect), 2, 0.1);
    previous = defect;
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void theta_one_half_conserves_the_energy_of_a_linear_oscillator(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){.coordinates = {"x", "y"},
                                   .kinetic_energy = "x'^2 + x'*y' + y'^2",
                                   .potential_energy = "50*x^2 + 10*(x-y)^2",
                                   .constraints = {{.name = "wall", .source = "x + 0.5", .restitution = "1"}}});
  const double q0[] = {1, 0}, v0[] = {0, 2};
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU_JEAN, 20, 4000);
  thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, NULL, NULL);
  thud_assert_greater(info.impacts, 10);
  thud_assert_nearer(info.ledger.kinetic + info.ledger.potential, 64, 1e-7); /* Newton's tolerance a step: 1e-10 */
  thud_assert_less(fabs(info.ledger.impact_loss), 1e-9);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- friction
 * --------------------------------------------------------------------------------------------------------- */

/* A brick on an incline of angle a: acceleration g (sin a - mu cos a), or no motion at all. */
static void brick_on_an_incline_slides_or_does_not_creep(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *slip[] = {"x'"};
  for (int sticks = 0; sticks <= 1; sticks++) {
    thud_system *system =
        thud_test_system_make(context, &(thud_test_system){.coordinates = {"x", "y"},
                                                           .kinetic_energy = "(x'^2+y'^2)/2",
                                                           .forces = {"9.81*sin(0.5)", "-9.81*cos(0.5)"},
                                                           .constraints = {{.name = "plane", .source = "y"}},
                                                           .friction = {{.name = "plane",
                                                                         .constraint = 0,
                                                                         .kind = THUD_FRICTION_DISC,
                                                                         .directions = 1,
                                                                         .slip = slip,
                                                                         .mu = sticks ? "0.6" : "0.3"}}});
    const double q0[] = {0, 0}, v0[] = {0, 0};
    double q[2], v[2];
    const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED};
    for (size_t k = 0; k < 3; k++) {
      thud_stepping_options options = thud_test_stepping_options(methods[k], 1, 1000);
      thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, v);
      double a = sticks ? 0 : 9.81 * (sin(0.5) - 0.3 * cos(0.5));
      thud_assert_nearer(v[0], a, 1e-12);
      assert_true(sticks ? q[0] == 0 : fabs(q[0] - a / 2) < 1e-3 * a);
      thud_assert_less(fabs(q[1]), 1e-15); /* no lift while it slides */
      assert_int_equal(info.impacts, 0);
      thud_assert_nearer(info.ledger.friction_loss, (sticks ? 0 : 0.3 * 9.81 * cos(0.5) * a / 2), 20 * 1e-3); /* 20 h */
    }
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* ---- bilateral and velocity constraints ------------------------------------------------------------------------- */

static void stabilised_pendulum_in_cartesian_coordinates_does_not_drift(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){.coordinates = {"x", "y"},
                          .kinetic_energy = "(x'^2+y'^2)/2",
                          .potential_energy = "9.81*y",
                          .constraints = {{.name = "rod", .kind = THUD_CONSTRAINT_BILATERAL, .source = "x^2+y^2-1"}}});
  const double q0[] = {1, 0}, v0[] = {0, 0};
  double q[2];
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_STABILISED, 10, 10000);
  thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, NULL);
  thud_assert_nearer(hypot(q[0], q[1]), 1, 1e-14);
  thud_assert_less(fabs(info.worst_gap), 1e-13);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void freewheel_engages_at_one_half(void **state) { /* C17 */
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){
                   .coordinates = {"a", "b"},
                   .kinetic_energy = "(a'^2+b'^2)/4",
                   .forces = {"1", NULL},
                   .constraints = {{.name = "wheel", .kind = THUD_CONSTRAINT_VELOCITY_ONE_SIDED, .source = "b'-a'"}}});
  const double q0[] = {0, 0}, v0[] = {-1, 0}, wrong[] = {1, 0};
  double v[2];
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 2, 2000);
  thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, NULL, v);
  thud_assert_nearer(v[0], 1.5, 1e-12);
  thud_assert_nearer(v[1], 1.5, 1e-12);
  thud_motion *motion;
  assert_int_equal(thud_stepping_motion_create(context, system, &options, q0, wrong, &motion), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "the initial velocity violates constraint 'wheel' by 1", NULL);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void rolling_ball_follows_five_sevenths(void **state) { /* C16; x, y, spins p, r about the y and x axes */
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){.coordinates = {"x", "y", "p", "r"},
                          .kinetic_energy = "x'^2+y'^2 + 0.4*0.3^2*(p'^2+r'^2)",
                          .forces = {"0.7", "-0.4", NULL, NULL},
                          .constraints = {{.name = "rx", .kind = THUD_CONSTRAINT_VELOCITY, .source = "x'-0.3*p'"},
                                          {.name = "ry", .kind = THUD_CONSTRAINT_VELOCITY, .source = "y'+0.3*r'"}}});
  const double zero[4] = {0};
  double q[4];
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 1, 100);
  thud_test_stepping(context, system, &options, zero, zero, NULL, NULL, q, NULL);
  thud_assert_nearer(q[0], 0.125, 1e-12);
  thud_assert_less(fabs(q[1] + 0.0714285714285714), 1e-12);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- step control ----------------------------------------------------------------------------------------------- */

static void controlled_steps_meet_their_tolerance(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &pendulum);
  double q0 = 1, v0 = 0.5, q, reference;
  thud_stepping_options fine = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 3, 1 << 18);
  thud_test_stepping(context, system, &fine, &q0, &v0, NULL, NULL, &reference, NULL);
  size_t steps = 0;
  for (int k = 3; k <= 6; k++) {
    thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_SECOND_ORDER, 3, 0);
    options.tolerance = pow(10, -k);
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, NULL);
    thud_assert_nearer(q, reference, 10 * options.tolerance);
    thud_assert_equal(info.time, 3);
    thud_assert_greater(info.steps, steps);
    steps = info.steps;
  }
  thud_system_destroy(system);
  system = thud_test_system_make(context, &bouncing);
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU_JEAN, 4, 0);
  options.tolerance = 1e-4;
  sup_error error = {0};
  double b0 = -1, w0 = 0;
  thud_test_stepping(context, system, &options, &b0, &w0, compare_bouncing, &error, NULL, NULL);
  thud_assert_less(error.worst, 20 * options.tolerance);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Schemes of order 1 are controlled below the step that crosses impacts, too: x'' + 2 c x' + k x = 0 from (1, 0). */
static void controlled_steps_of_first_order_meet_their_tolerance(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    const char *potential, *force;
    double c, k;
  } cases[] = {{"x^2/2", "0", 0, 1}, {"2*x^2", "-0.5*x'", 0.25, 4}};
  const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU, THUD_STEPPING_IMPLICIT};
  double q0 = 1, v0 = 0, q, v, end = 10;
  for (size_t p = 0; p < 2; p++) {
    thud_system *system = thud_test_system_make(context, &(thud_test_system){.coordinates = {"x"},
                                                                             .kinetic_energy = "x'^2/2",
                                                                             .potential_energy = cases[p].potential,
                                                                             .forces = {cases[p].force}});
    double w = sqrt(cases[p].k - cases[p].c * cases[p].c), fade = exp(-cases[p].c * end);
    double x = fade * (cos(w * end) + cases[p].c / w * sin(w * end)), u = -fade * cases[p].k / w * sin(w * end);
    for (size_t s = 0; s < 2; s++)
      for (int k = 2; k <= 4; k++) {
        thud_stepping_options options = thud_test_stepping_options(methods[s], end, 0);
        options.tolerance = pow(10, -k);
        thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, &q, &v);
        thud_assert_less(fmax(fabs(q - x), fabs(v - u)), 10 * options.tolerance);
      }
    thud_system_destroy(system);
  }
  thud_test_context_end(context);
}

/* ---- state block ----------------------------------------------------------------------------------------------------
 */

typedef struct stop_at {
  size_t count, limit;
} stop_at;
static int stop_after(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  (void)frame;
  stop_at *stop = user;
  return ++stop->count >= stop->limit;
}

typedef struct digest {
  uint64_t hash;
} digest;
static int hash_frame(void *user, const void *handed) {
  const thud_stepping_frame *frame = handed;
  digest *d = user;
  const double numbers[] = {frame->t,
                            frame->q[0],
                            frame->v[0],
                            frame->v_left[0],
                            frame->reaction[0],
                            frame->ledger.impact_loss,
                            frame->ledger.defect};
  unsigned char bytes[sizeof numbers];
  memcpy(bytes, numbers, sizeof numbers);
  for (size_t k = 0; k < sizeof bytes; k++) d->hash = (d->hash ^ bytes[k]) * 1099511628211u;
  return 0;
}

/* Every scheme with equal and with controlled steps, on the bouncing particle. */
static void with_every_scheme(void (*check)(thud_context *context, const thud_system *system,
                                            const thud_stepping_options *options)) {
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  for (int controlled = 0; controlled <= 1; controlled++)
    for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_SECOND_ORDER; method++) {
      thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 4, controlled ? 0 : 500);
      if (controlled) options.tolerance = 1e-3;
      check(context, system, &options);
    }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static thud_motion *falling(thud_context *context, const thud_system *system, const thud_stepping_options *options) {
  double q0 = -1, v0 = 0;
  thud_motion *motion;
  assert_int_equal(thud_stepping_motion_create(context, system, options, &q0, &v0, &motion), THUD_OK);
  return motion;
}

static void check_restored(thud_context *context, const thud_system *system, const thud_stepping_options *options) {
  thud_motion *whole = falling(context, system, options), *first = falling(context, system, options),
              *second = falling(context, system, options);
  digest expected = {1}, got = {1};
  stop_at stop = {0, options->steps == 0 ? 40 : 137};
  assert_int_equal(thud_motion_run(whole, &(thud_motion_sink){.frame = stop_after, .user = &stop}, NULL), THUD_OK);
  stop.count = 0;
  assert_int_equal(thud_motion_run(first, &(thud_motion_sink){.frame = stop_after, .user = &stop}, NULL), THUD_OK);
  size_t size = thud_motion_state_size(first);
  void *block = malloc(size);
  thud_motion_save(first, block);
  assert_int_equal(thud_motion_restore(second, block, size), THUD_OK);
  assert_int_equal(thud_motion_run(whole, &(thud_motion_sink){.frame = hash_frame, .user = &expected}, NULL), THUD_OK);
  assert_int_equal(thud_motion_run(second, &(thud_motion_sink){.frame = hash_frame, .user = &got}, NULL), THUD_OK);
  thud_assert_different(expected.hash, 1);
  thud_assert_equal(got.hash, expected.hash);
  assert_int_equal(thud_motion_restore(second, block, size - 1), THUD_ERROR_FORMAT);
  free(block);
  thud_motion_destroy(whole);
  thud_motion_destroy(first);
  thud_motion_destroy(second);
}

static void a_restored_motion_gives_the_same_bits(void **state) {
  (void)state;
  with_every_scheme(check_restored);
}

static void check_stepped(thud_context *context, const thud_system *system, const thud_stepping_options *options) {
  thud_motion *whole = falling(context, system, options), *stepped = falling(context, system, options);
  thud_stepping_motion_info info, now = {.status = THUD_MOTION_RUNNING};
  digest expected = {1}, got = {1};
  assert_int_equal(thud_test_run_motion(whole, &(thud_motion_sink){.frame = hash_frame, .user = &expected}, &info),
                   THUD_OK);
  for (size_t k = 0; now.status == THUD_MOTION_RUNNING; k++) {
    assert_int_equal(thud_test_step_motion(stepped, NULL, &now), THUD_OK);
    assert_int_equal(now.steps, k); /* the first makes node 0 */
    thud_stepping_frame frame = thud_stepping_motion_present(stepped);
    hash_frame(&got, &frame);
  }
  assert_int_equal(now.status, THUD_MOTION_COMPLETED);
  assert_int_equal(now.steps, info.steps);
  assert_int_equal(now.rejected_steps, info.rejected_steps);
  thud_assert_equal(now.time, 4);
  thud_assert_equal(got.hash, expected.hash);
  assert_int_equal(thud_test_step_motion(stepped, NULL, &now), THUD_OK); /* there is nothing left */
  thud_assert_equal(now.status, THUD_MOTION_COMPLETED);
  thud_assert_equal(now.steps, info.steps);
  thud_motion_destroy(whole);
  thud_motion_destroy(stepped);
}

static void steps_are_those_of_the_run(void **state) {
  (void)state;
  with_every_scheme(check_stepped);
}

/* ---- dead ends
 * -------------------------------------------------------------------------------------------------------- */

static void a_blow_up_is_named(void **state) { /* C14 */
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context, &(thud_test_system){.coordinates = {"q"}, .kinetic_energy = "q'^2/2", .forces = {"q'^2"}});
  double q0 = 0, v0 = 1;
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 2, 20000);
  thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
  assert_int_equal(info.status, THUD_MOTION_BLOW_UP);
  thud_assert_nearer(info.time, 1, 0.01);
  thud_test_message_has(context, "blow-up near t =", NULL);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void a_division_by_zero_and_a_vanishing_mass_end_the_run(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double q0 = 1, v0 = -1;
  thud_system *system =
      thud_test_system_make(context, &(thud_test_system){.coordinates = {"q"},
                                                         .kinetic_energy = "q'^2/2",
                                                         .forces = {"1e-9/(t-0.5)^2"}}); /* not integrable */
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 1, 100);
  thud_stepping_motion_info info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
  assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
  thud_assert_nearer(info.time, 0.49, 1e-12);
  thud_system_destroy(system);
  system = thud_test_system_make(context, &(thud_test_system){.coordinates = {"q"}, .kinetic_energy = "q*q'^2/2"});
  options.end = 5;
  info = thud_test_stepping(context, system, &options, &q0, &v0, NULL, NULL, NULL, NULL);
  assert_true(info.status == THUD_MOTION_MASS || info.status == THUD_MOTION_BLOW_UP);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* Equations that depend on one another up to the drift would freeze the motion if they were solved together: y = 0.1 sin t
 * is asked for three times, and x moves freely. The drift of y is that of h sum of h y''/2, at most h/2 0.1. */
static void equations_that_follow_from_others_do_not_freeze_the_motion(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){
          .coordinates = {"x", "y"},
          .kinetic_energy = "(x'^2+y'^2)/2",
          .constraints = {{.name = "a", .kind = THUD_CONSTRAINT_BILATERAL, .source = "y - 0.1*sin(t)"},
                          {.name = "b", .kind = THUD_CONSTRAINT_BILATERAL, .source = "2*(y - 0.1*sin(t))"},
                          {.name = "c", .kind = THUD_CONSTRAINT_BILATERAL, .source = "(y - 0.1*sin(t))*(1+x^2)"}}});
  const double q0[] = {0, 0}, v0[] = {1, 0.1};
  static const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                                 THUD_STEPPING_SECOND_ORDER, THUD_STEPPING_MOREAU,
                                                 THUD_STEPPING_IMPLICIT};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 1, 1000);
    double q[2], v[2];
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, v);
    assert_int_equal(info.status, THUD_MOTION_COMPLETED);
    thud_assert_nearer(q[0], 1, 1e-6);
    thud_assert_nearer(v[0], 1, 1e-6);
    thud_assert_nearer(q[1], 0.1 * sin(1), 1e-4);
    thud_assert_nearer(v[1], 0.1 * cos(1), 1e-4);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* The same up to x = 0.5, where the second equation leaves the first: no motion goes on, and the drift does not hide it. */
static void an_equation_that_parts_from_the_others_ends_the_run(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(
      context,
      &(thud_test_system){.coordinates = {"x", "y"},
                          .kinetic_energy = "(x'^2+y'^2)/2",
                          .constraints = {{.name = "a", .kind = THUD_CONSTRAINT_BILATERAL, .source = "y - x^2"},
                                          {.name = "b",
                                           .kind = THUD_CONSTRAINT_BILATERAL,
                                           .source = "(y - x^2)*exp(x) + 0.01*max(0, x - 0.5)^3"}}});
  const double q0[] = {0, 0}, v0[] = {1, 0};
  static const thud_stepping_method methods[] = {THUD_STEPPING_MOREAU_JEAN, THUD_STEPPING_STABILISED,
                                                 THUD_STEPPING_SECOND_ORDER, THUD_STEPPING_MOREAU,
                                                 THUD_STEPPING_IMPLICIT};
  for (size_t k = 0; k < sizeof methods / sizeof *methods; k++) {
    thud_stepping_options options = thud_test_stepping_options(methods[k], 1, 100);
    double q[2];
    thud_stepping_motion_info info = thud_test_stepping(context, system, &options, q0, v0, NULL, NULL, q, NULL);
    assert_int_equal(info.status, THUD_MOTION_UNQUALIFIED);
    thud_test_message_has(context, "no solution: equation", NULL);
    thud_assert_nearer(q[0], 0.5, 0.02); /* two steps of the speed at most 1 */
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

static void bad_starts_are_refused_by_name(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  thud_stepping_options options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 1, 10);
  thud_motion *motion;
  double inside = -1, outside = 0.1, rest = 0, nan = NAN;
  assert_int_equal(thud_stepping_motion_create(context, system, &options, &outside, &rest, &motion),
                   THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "the initial state violates constraint 'floor' by 0.1 (gap < 0)", NULL);
  assert_int_equal(thud_stepping_motion_create(context, system, &options, &inside, &nan, &motion),
                   THUD_ERROR_NOT_FINITE);
  options.end = -1;
  assert_int_equal(thud_stepping_motion_create(context, system, &options, &inside, &rest, &motion),
                   THUD_ERROR_ARGUMENT);
  options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 1, 10);
  options.tolerance = 1e-3;
  assert_int_equal(thud_stepping_motion_create(context, system, &options, &inside, &rest, &motion),
                   THUD_ERROR_ARGUMENT);
  options = thud_test_stepping_options(THUD_STEPPING_REGULARISED, 1, 10);
  assert_int_equal(thud_stepping_motion_create(context, system, &options, &inside, &rest, &motion),
                   THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(
      context, "the regularised method is inelastic, but constraint 'floor' has restitution 0.5: set it to 0", NULL);
  thud_system_destroy(system);
  system = thud_test_system_make(
      context, &(thud_test_system){.coordinates = {"x", "y", "z"},
                                   .kinetic_energy = "(x'^2+y'^2+z'^2)/2",
                                   .constraints = {{.name = "one", .source = "-x", .is_phi = true},
                                                   {.name = "two", .source = "x-y*z", .is_phi = true},
                                                   {.name = "three", .source = "-y-z", .is_phi = true}}});
  const double q0[3] = {0}, v0[3] = {0, 2, -1}; /* C5 */
  options = thud_test_stepping_options(THUD_STEPPING_MOREAU, 1, 10);
  assert_int_equal(thud_stepping_motion_create(context, system, &options, q0, v0, &motion), THUD_ERROR_UNQUALIFIED);
  thud_test_message_has(context,
                        "t = 0: no solution: gaps one, two: no motion keeps all of them from closing further in "
                        "derivative number 2 by time",
                        NULL);
  thud_system_destroy(system);
  thud_test_context_end(context);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------
 */

static void steps_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_system *system = thud_test_system_make(context, &bouncing);
  double q0 = -1, v0 = 0;
  for (int method = THUD_STEPPING_MOREAU; method <= THUD_STEPPING_SECOND_ORDER; method++) {
    thud_stepping_options options = thud_test_stepping_options((thud_stepping_method)method, 4, 4000);
    thud_motion *motion;
    assert_int_equal(thud_stepping_motion_create(context, system, &options, &q0, &v0, &motion), THUD_OK);
    stop_at stop = {0, 2000};
    assert_int_equal(thud_motion_run(motion, &(thud_motion_sink){.frame = stop_after, .user = &stop}, NULL), THUD_OK);
    uint64_t before = thud_context_allocation_count(context);
    assert_int_equal(thud_motion_run(motion, NULL, NULL), THUD_OK);
    assert_int_equal(thud_context_allocation_count(context), before);
    thud_motion_destroy(motion);
  }
  thud_system_destroy(system);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bouncing_particle_converges_with_first_order_by_every_scheme),
      cmocka_unit_test(mabrouk_reproduces_its_published_table_bit_by_bit),
      cmocka_unit_test(release_when_the_force_turns),
      cmocka_unit_test(an_impact_at_the_start_is_one),
      cmocka_unit_test(oblique_impact_keeps_the_tangential_velocity),
      cmocka_unit_test(refinements_of_case_c12_split),
      cmocka_unit_test(smooth_motion_has_the_order_of_its_scheme),
      cmocka_unit_test(energy_with_a_changing_mass_converges_with_second_order),
      cmocka_unit_test(theta_one_half_conserves_the_energy_of_a_linear_oscillator),
      cmocka_unit_test(brick_on_an_incline_slides_or_does_not_creep),
      cmocka_unit_test(stabilised_pendulum_in_cartesian_coordinates_does_not_drift),
      cmocka_unit_test(freewheel_engages_at_one_half),
      cmocka_unit_test(rolling_ball_follows_five_sevenths),
      cmocka_unit_test(controlled_steps_meet_their_tolerance),
      cmocka_unit_test(controlled_steps_of_first_order_meet_their_tolerance),
      cmocka_unit_test(a_restored_motion_gives_the_same_bits),
      cmocka_unit_test(steps_are_those_of_the_run),
      cmocka_unit_test(a_blow_up_is_named),
      cmocka_unit_test(a_division_by_zero_and_a_vanishing_mass_end_the_run),
      cmocka_unit_test(equations_that_follow_from_others_do_not_freeze_the_motion),
      cmocka_unit_test(an_equation_that_parts_from_the_others_ends_the_run),
      cmocka_unit_test(bad_starts_are_refused_by_name),
      cmocka_unit_test(steps_allocate_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
