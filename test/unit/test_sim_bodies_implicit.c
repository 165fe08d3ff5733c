/* Drag, dampers and springs that answer to the step. */
#include "body_scenes.h"

#include <float.h>
#include <stdlib.h>

static const double g = 9.81;

/* ---- drag --------------------------------------------------------------------------------------------------------------- */

/* F = -c |v|^power v, and a turn of the velocity about z, as of a charge in a magnetic field. */
typedef struct drag {
  double c, turn;
  bool quadratic, fails;
} drag;

static int resist(void *user, double t, const thud_body_state *state, thud_vec3 *force, thud_vec3 *torque) {
  const drag *d = user;
  double c = d->quadratic ? d->c * thud_vec3_norm(state->velocity) : d->c;
  (void)t;
  (void)torque;
  *force = thud_vec3_scale(-c, state->velocity);
  *force = thud_vec3_add(*force, thud_vec3_cross(thud_vec3_make(0, 0, d->turn), state->velocity));
  return 0;
}

static int resist_slope(void *user, double t, const thud_body_state *state, double by_place[36],
                        double by_velocity[36]) {
  const drag *d = user;
  const double v[3] = {state->velocity.x, state->velocity.y, state->velocity.z};
  double speed = thud_vec3_norm(state->velocity);
  (void)t;
  (void)by_place;
  for (int i = 0; i < 3; i++)
    for (int j = 0; j < 3; j++) {
      double slope = i == j ? (d->quadratic ? speed : 1) : 0;
      if (d->quadratic) slope += v[i] * v[j] / speed; /* not a number at rest, which counts as 0 */
      by_velocity[i * 6 + j] = -d->c * slope;
    }
  by_velocity[1] -= d->turn;
  by_velocity[6] += d->turn;
  return d->fails ? -1 : 0;
}

/* A ball of mass 1 under drag; its last state, and the largest v+/v- and the least of all steps. */
static thud_body_frame drift(thud_motion **motion, body_scene *scene, thud_context *context, drag *d, double gravity,
                             thud_vec3 v, double h, thud_index steps, double *least, double *most) {
  *scene = body_scene_begin(context, false, gravity, 0, 0);
  thud_body_def def = thud_body_def_default();
  def.mass = 1;
  def.velocity = v;
  def.force = resist;
  def.slope = resist_slope;
  def.force_user = d;
  body_scene_place(scene, &def, body_scene_sphere(scene, 0.1), 0);
  *motion = body_scene_motion(scene, h, steps, 0);
  *least = 1;
  *most = 0;
  for (thud_index k = 0; k < steps; k++) {
    assert_int_equal(body_scene_step(*motion, NULL), THUD_OK);
    thud_body_frame frame = thud_body_motion_present(*motion);
    double ratio = frame.velocity[0].x / frame.velocity_left[0].x;
    if (!(frame.velocity_left[0].x > 1e-280)) continue; /* numbers end there */
    *least = fmin(*least, ratio);
    *most = fmax(*most, ratio);
  }
  return thud_body_motion_present(*motion);
}

static void drift_end(thud_motion *motion, body_scene *scene, thud_context *context) {
  thud_motion_destroy(motion);
  body_scene_end(scene);
  thud_test_context_end(context);
}

static double drag_error(drag d, thud_index steps) {
  thud_context *context = thud_test_context(1);
  body_scene scene;
  thud_motion *motion;
  double least, most;
  thud_body_frame last =
      drift(&motion, &scene, context, &d, 0, thud_vec3_make(2, 0, 0), 1.0 / steps, steps, &least, &most);
  double exact = d.quadratic ? 2 / (1 + 2 * d.c) : 2 * exp(-d.c), error = last.velocity[0].x - exact;
  thud_assert_near(last.ledger.kinetic - 2, last.ledger.work, 1e-13); /* all of it is booked */
  thud_assert_near(last.ledger.defect, 0, 1e-13);
  drift_end(motion, &scene, context);
  return fabs(error);
}

static void drag_is_of_second_order(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    drag d = {.c = 2, .quadratic = k == 1};
    double coarse = drag_error(d, 50), fine = drag_error(d, 100);
    thud_assert_less(coarse, 2e-3);
    thud_assert_near(coarse / fine, 4, 0.4);
  }
}

/* v+ = v-/(1 + z + z^2/2) for every z = c h/m. */
static void drag_never_reverses(void **state) {
  (void)state;
  for (int k = -3; k <= 6; k++) {
    thud_context *context = thud_test_context(1);
    body_scene scene;
    thud_motion *motion;
    double z = pow(10, k), least, most;
    drag d = {.c = z / 0.01};
    drift(&motion, &scene, context, &d, 0, thud_vec3_make(1, 0, 0), 0.01, 20, &least, &most);
    thud_assert_near(least, 1 / (1 + z + z * z / 2), 1e-12);
    thud_assert_near(most, least, 1e-12);
    drift_end(motion, &scene, context);
  }
}

/* A ball sinks with m g/c, whatever the step is, and a slope that is not finite at rest does no harm. */
static void a_ball_sinks_at_its_terminal_velocity(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    body_scene scene;
    thud_motion *motion;
    double least, most;
    drag d = {.c = 500, .quadratic = k == 1};
    thud_body_frame last = drift(&motion, &scene, context, &d, g, (thud_vec3){0}, 0.01, 200, &least, &most);
    thud_assert_near(last.velocity[0].z, k == 1 ? -sqrt(g / 500) : -g / 500, 1e-14);
    drift_end(motion, &scene, context);
  }
}

/* A charge in a magnetic field: circles, whose angle is right to second order and whose speed to third. */
static void a_turning_force_is_of_second_order(void **state) {
  (void)state;
  double error[2], speed[2];
  for (int k = 0; k < 2; k++) {
    thud_context *context = thud_test_context(1);
    body_scene scene;
    thud_motion *motion;
    double least, most, w = 3;
    thud_index steps = 100 << k;
    drag d = {.turn = w};
    thud_body_frame last =
        drift(&motion, &scene, context, &d, 0, thud_vec3_make(1, 0, 0), 1.0 / steps, steps, &least, &most);
    error[k] = hypot(last.velocity[0].x - cos(w), last.velocity[0].y - sin(w));
    speed[k] = fabs(thud_vec3_norm(last.velocity[0]) - 1);
    drift_end(motion, &scene, context);
  }
  thud_assert_near(error[0] / error[1], 4, 0.2);
  thud_assert_near(speed[0] / speed[1], 8, 0.5);
}

/* What rests in a thick fluid presses on the floor with its weight: drag does not act on contact forces. */
static void drag_leaves_the_weight_alone(void **state) {
  (void)state;
  for (int k = 0; k < 3; k++) {
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
    drag d = {.c = pow(10, 2.0 * k)};
    thud_body_def def = thud_body_def_default();
    body_scene_floor(&scene);
    def.mass = 1;
    def.pose.position.z = 0.1;
    def.force = resist;
    def.slope = resist_slope;
    def.force_user = &d;
    body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 0);
    thud_motion *motion = body_scene_motion(&scene, 0.01, 20, 0);
    body_scene_run(motion);
    thud_body_frame last = thud_body_motion_present(motion);
    assert_int_equal(last.contacts->count, 1);
    thud_assert_near(last.contacts->force[0].z, 0.01 * g, 1e-9);
    drift_end(motion, &scene, context);
  }
}

static void a_slope_that_fails_ends_the_motion(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0, 0);
  drag d = {.c = 1, .fails = true};
  thud_body_def def = thud_body_def_default();
  thud_body_motion_info info;
  def.name = "ball";
  def.mass = 1;
  def.force = resist;
  def.slope = resist_slope;
  def.force_user = &d;
  body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 0);
  thud_motion *motion = body_scene_motion(&scene, 0.01, 20, 0);
  assert_int_equal(body_scene_step(motion, &info), THUD_OK);
  assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
  thud_test_message_has(context, "ball", "slope", NULL);
  drift_end(motion, &scene, context);
}

/* ---- springs -------------------------------------------------------------------------------------------------------------- */

static void join(body_scene *scene, thud_body_id a, const thud_body_id *b, double length, double k, double c) {
  thud_spring_def spring = thud_spring_def_default();
  spring.a = a;
  if (b != NULL) spring.b = *b;
  spring.length = length;
  spring.stiffness = k;
  spring.damping = c;
  assert_int_equal(thud_bodies_add_spring(scene->bodies, &spring), THUD_OK);
}

static thud_body_id ball(body_scene *scene, double mass, double x, double y, double z, thud_vec3 v) {
  thud_body_def def = thud_body_def_default();
  def.mass = mass;
  def.pose.position = thud_vec3_make(x, y, z);
  def.velocity = v;
  return body_scene_place(scene, &def, body_scene_sphere(scene, 0.1), 0);
}

/* A damped oscillator, x'' + (c/m) x' + (k/m) x = 0. */
static double oscillator_error(thud_index steps) {
  const double k = 40, c = 1.5, start = 0.1, decay = c / 2, w = sqrt(k - decay * decay), end = 1;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  join(&scene, ball(&scene, 1, 1 + start, 0, 0, (thud_vec3){0}), NULL, 1, k, c);
  thud_motion *motion = body_scene_motion(&scene, end / steps, steps, 0);
  body_scene_run(motion);
  thud_body_frame last = thud_body_motion_present(motion);
  double exact = start * exp(-decay * end) * (cos(w * end) + decay / w * sin(w * end));
  double error = last.pose[0].position.x - 1 - exact;
  drift_end(motion, &scene, context);
  return fabs(error);
}

static void a_damped_spring_is_of_second_order(void **state) {
  (void)state;
  double coarse = oscillator_error(100), fine = oscillator_error(200);
  thud_assert_less(coarse, 1e-3);
  thud_assert_near(coarse / fine, 4, 0.5);
}

/* Two balls of 1 and 2 kg that a spring connects stand on each other: the spring is shorter by m g/k, and the floor carries
 * both, for all k h^2/m from 0.02 to 2e8. */
static void a_pair_stands_on_its_spring(void **state) {
  (void)state;
  for (int e = 2; e <= 12; e += 2) {
    const double k = pow(10, e), h = 0.01;
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
    body_scene_floor(&scene);
    thud_body_id low = ball(&scene, 1, 0, 0, 0.1, (thud_vec3){0});
    thud_body_id high = ball(&scene, 2, 0, 0, 0.1 + 0.5 - 2 * g / k, (thud_vec3){0});
    join(&scene, low, &high, 0.5, k, 0);
    thud_motion *motion = body_scene_motion(&scene, h, 100, 0);
    body_scene_run(motion);
    thud_body_frame last = thud_body_motion_present(motion);
    thud_assert_near(last.pose[2].position.z - last.pose[1].position.z, 0.5 - 2 * g / k, 1e-9);
    assert_int_equal(last.contacts->count, 1);
    thud_assert_near(last.contacts->force[0].z, 3 * g * h, 1e-6);
    drift_end(motion, &scene, context);
  }
}

/* A ring of balls that stiff springs and dampers connect flies freely: both momenta stay, and the energy does not grow. */
static void stiff_springs_keep_both_momenta(void **state) {
  (void)state;
  enum { COUNT = 8, STEPS = 200 };
  thud_random random = thud_random_seed(7);
  for (int e = 3; e <= 9; e += 3) {
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, 0, 0, 0);
    thud_body_id ids[COUNT];
    for (int i = 0; i < COUNT; i++) {
      double angle = i * 6.28318530717958648 / COUNT;
      thud_vec3 v = {thud_random_uniform(&random, 0, 1), thud_random_uniform(&random, 0, 1),
                     thud_random_uniform(&random, 0, 1)};
      ids[i] = ball(&scene, 1 + i % 3, cos(angle), sin(angle), 0, v);
    }
    for (int i = 0; i < COUNT; i++)
      join(&scene, ids[i], &ids[(i + 1) % COUNT], 2 * sin(3.14159265358979324 / COUNT), pow(10, e), i % 2);
    thud_motion *motion = body_scene_motion(&scene, 0.01, STEPS, 0);
    thud_vec3 zero = {0}, P[2] = {zero, zero}, L[2] = {zero, zero};
    double energy = 0, scale = 0;
    for (int at = 0; at < 2; at++) {
      thud_body_frame frame = thud_body_motion_present(motion);
      for (int i = 0; i < COUNT; i++) {
        thud_vec3 p = thud_vec3_scale(1 + i % 3, frame.velocity[i]);
        P[at] = thud_vec3_add(P[at], p);
        L[at] = thud_vec3_add(L[at], thud_vec3_cross(frame.pose[i].position, p));
        scale += thud_vec3_norm(p) * (1 + thud_vec3_norm(frame.pose[i].position));
      }
      if (at == 0)
        energy = frame.ledger.kinetic + frame.ledger.potential;
      else if (e > 3) /* vibrations of the softest are seen */
        thud_assert_less(frame.ledger.kinetic + frame.ledger.potential, 1.01 * energy);
      if (at == 0) body_scene_run(motion);
    }
    thud_assert_near(thud_vec3_distance(P[0], P[1]), 0, 1e-13 * STEPS * scale);
    thud_assert_near(thud_vec3_distance(L[0], L[1]), 0, 1e-13 * STEPS * scale);
    drift_end(motion, &scene, context);
  }
}

/* A damper between two balls takes their relative velocity and not their momentum, without reversing anything. */
static void dampers_never_reverse(void **state) {
  (void)state;
  for (int e = -2; e <= 6; e++) {
    const double z = pow(10, e), h = 0.01;
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, 0, 0, 0);
    thud_body_id a = ball(&scene, 1, 0, 0, 0, thud_vec3_make(-1, 0, 0));
    thud_body_id b = ball(&scene, 1, 1, 0, 0, thud_vec3_make(2, 0, 0));
    join(&scene, a, &b, 1, 0, z / (2 * h)); /* c h (1/m + 1/m) = z */
    thud_motion *motion = body_scene_motion(&scene, h, 20, 0);
    double rate = 3;
    for (int k = 0; k < 20; k++) {
      assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
      thud_body_frame frame = thud_body_motion_present(motion);
      double next = frame.velocity[1].x - frame.velocity[0].x;
      thud_assert_near(next, rate / (1 + z + z * z / 2), 64 * DBL_EPSILON); /* velocities of 2 m/s */
      thud_assert_near(frame.velocity[0].x + frame.velocity[1].x, 1, 1e-14);
      rate = next;
    }
    drift_end(motion, &scene, context);
  }
}

/* The path x = 0.1 sin 3t pulls a ball by a spring. */
static int swing(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  *pose = thud_pose_identity();
  pose->position.x = 0.1 * sin(3 * t);
  *velocity = thud_vec3_make(0.3 * cos(3 * t), 0, 0);
  *spin = thud_vec3_make(0, 0, 0);
  return 0;
}

static double driven_defect(double k, double c, thud_index steps) {
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_KINEMATIC;
  def.path = swing;
  thud_body_id driver = body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 0);
  thud_body_id follower = ball(&scene, 1, 1, 0, 0, (thud_vec3){0});
  join(&scene, follower, &driver, 1, k, c);
  thud_motion *motion = body_scene_motion(&scene, 2.0 / steps, steps, 0);
  body_scene_run(motion);
  thud_body_ledger ledger = thud_body_motion_present(motion).ledger;
  if (c == 0) thud_assert_near(ledger.kinematic_work, ledger.work, 0);
  if (c > 0) thud_assert_greater(ledger.kinematic_work, ledger.work); /* the damper takes some of it */
  drift_end(motion, &scene, context);
  return fabs(ledger.defect) / ledger.kinematic_work;
}

/* A linear spring: the midpoint rule leaves what it leaves of the potential, of second order. */
static void the_work_of_a_path_on_a_spring_is_booked(void **state) {
  (void)state;
  for (int k = 0; k < 2; k++) {
    double coarse = driven_defect(20, k, 100), fine = driven_defect(20, k, 200);
    thud_assert_less(coarse, 2e-3);
    thud_assert_greater(coarse / fine, 3);
  }
}

/* A chain with stiff springs falls on the floor; a restored state goes on with the same bits. */
static void a_restored_chain_goes_on_with_the_same_bits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_body_id last = {0};
  for (int i = 0; i < 6; i++) {
    thud_body_id next = ball(&scene, 1, 0.3 * i, 0, 0.15 + 0.02 * i, (thud_vec3){0});
    if (i > 0) join(&scene, last, &next, 0.3, 1e7, 10);
    last = next;
  }
  thud_motion *motion = body_scene_motion(&scene, 0.005, 100, 0), *other = body_scene_motion(&scene, 0.005, 100, 0);
  for (int k = 0; k < 50; k++) assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
  size_t size = thud_motion_state_size(motion);
  void *block = malloc(size);
  assert_non_null(block);
  thud_motion_save(motion, block);
  assert_int_equal(thud_motion_restore(other, block, size), THUD_OK);
  free(block);
  body_scene_run(motion);
  body_scene_run(other);
  assert_true(thud_body_motion_hash(motion) == thud_body_motion_hash(other));
  thud_assert_greater((double)thud_body_motion_present(motion).contacts->count, 3); /* it lies there */
  thud_motion_destroy(other);
  drift_end(motion, &scene, context);
}

/* ---- beside what else there is --------------------------------------------------------------------------------------------- */

/* Pairs of balls on the floor, every second one with a stiff spring, balls with drag between them, and a ball that strikes the
 * first pair: islands that springs couple, and islands that threads share. */
static uint64_t hash_of_pairs(int threads) {
  static drag d = {.c = 300};
  thud_context *context = thud_test_context(threads);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0.3);
  body_scene_floor(&scene);
  for (int i = 0; i < 12; i++) {
    thud_body_id low = ball(&scene, 1, i, 0, 0.1, (thud_vec3){0}), high = ball(&scene, 2, i, 0.3, 0.25, (thud_vec3){0});
    join(&scene, low, &high, 0.33, i % 2 == 0 ? 1e7 : 10, i % 3);
    thud_body_def def = thud_body_def_default();
    def.mass = 1;
    def.pose.position = thud_vec3_make(i, 1, 0.105);
    def.force = resist;
    def.slope = resist_slope;
    def.force_user = &d;
    body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.1), 0);
  }
  ball(&scene, 1, -0.5, 0, 0.1, thud_vec3_make(3, 0, 0));
  thud_motion *motion = body_scene_motion(&scene, 0.005, 100, 0);
  body_scene_run(motion);
  thud_assert_greater((double)thud_body_motion_present(motion).island_count, 12);
  uint64_t hash = thud_body_motion_hash(motion);
  drift_end(motion, &scene, context);
  return hash;
}

static void coupled_islands_have_the_same_bits_on_threads(void **state) {
  (void)state;
  uint64_t one = hash_of_pairs(1);
  assert_true(one == hash_of_pairs(2));
  assert_true(one == hash_of_pairs(4));
}

/* A ball under drag meets a plate of 1 cm at 100 m/s, in steps of 0.5 m, with c h/m from 0.05 to 5e4; another one carries a ball
 * behind it by a stiff spring. None passes, and with e = 0 none is inside of the plate after the blow. */
static void soft_bodies_do_not_pass_through_plates(void **state) {
  (void)state;
  for (int e = 1; e <= 7; e += 2) {
    drag d = {.c = pow(10, e)};
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, 0, 0.3, 0);
    thud_body_def def = thud_body_def_default();
    def.role = THUD_BODY_FIXED;
    body_scene_place(&scene, &def, body_scene_box(&scene, 0.01, 9, 9), 0);
    def = thud_body_def_default();
    def.mass = 1;
    def.pose.position.x = -0.06 * e; /* the midpoint is behind the plate in the first step, or before it */
    def.velocity.x = 100;
    def.force = resist;
    def.slope = resist_slope;
    def.force_user = &d;
    body_scene_place(&scene, &def, body_scene_sphere(&scene, 0.02), 0);
    thud_body_id front = ball(&scene, 1, -0.4, 2, 0, thud_vec3_make(100, 0, 0));
    thud_body_id back = ball(&scene, 1, -1, 2, 0, thud_vec3_make(100, 0, 0));
    join(&scene, front, &back, 0.6, pow(10, e + 4), 0);
    thud_motion *motion = body_scene_motion(&scene, 0.005, 20, 0);
    for (int k = 0; k < 20; k++) {
      assert_int_equal(body_scene_step(motion, NULL), THUD_OK);
      thud_body_frame now = thud_body_motion_present(motion);
      thud_assert_at_most(now.pose[1].position.x, -0.025 + 1e-6); /* 1e-4 of the plate may overlap */
      thud_assert_at_most(now.pose[2].position.x, -0.105 + 1e-6);
    }
    drift_end(motion, &scene, context);
  }
}

/* Two boxes that a spring with a damper connects, and one with drag, sleep on the floor; a ball strikes the first at t = 1.
 * Until then they are where they were, then they move as without sleep. */
static thud_body_frame strike_sleepers(thud_motion **motion, body_scene *scene, drag *d, double k, bool sleep) {
  *scene = body_scene_begin(thud_test_context(1), false, g, 0.5, 0);
  body_scene_floor(scene);
  thud_index box = body_scene_box(scene, 0.2, 0.2, 0.2);
  thud_body_id a = body_scene_add(scene, box, 0, 0, 0.1), b = body_scene_add(scene, box, 0.5, 0, 0.1);
  join(scene, a, &b, 0.5, k, 1e-4 * k);
  thud_body_def def = thud_body_def_default();
  def.pose.position = thud_vec3_make(0.71, 0, 0.1);
  def.force = resist;
  def.slope = resist_slope;
  def.force_user = d;
  body_scene_place(scene, &def, box, 1000);
  def = thud_body_def_default();
  def.mass = 4;
  def.gravity_scale = 0;
  def.pose.position = thud_vec3_make(-3.2, 0, 0.1);
  def.velocity.x = 3;
  body_scene_place(scene, &def, body_scene_sphere(scene, 0.1), 0);
  thud_body_motion_options options = thud_body_motion_options_default();
  options.sleep = sleep;
  options.steps = 400;
  options.end = 2;
  assert_int_equal(thud_body_motion_create(scene->context, scene->bodies, &options, motion), THUD_OK);
  for (int i = 0; i < 400; i++) {
    assert_int_equal(body_scene_step(*motion, NULL), THUD_OK);
    thud_body_frame now = thud_body_motion_present(*motion);
    if (i == 190)
      for (int body = 1; body <= 3 && sleep; body++) assert_true(now.asleep[body]);
  }
  return thud_body_motion_present(*motion);
}

static void sleepers_with_springs_move_as_without_sleep(void **state) {
  (void)state;
  for (int e = 2; e <= 8; e += 3) {
    drag d = {.c = 200};
    body_scene scene[2];
    thud_motion *motion[2];
    thud_body_frame end[2];
    for (int sleep = 0; sleep <= 1; sleep++)
      end[sleep] = strike_sleepers(&motion[sleep], &scene[sleep], &d, pow(10, e), sleep == 1);
    thud_assert_greater(end[1].pose[1].position.x, 0.01); /* it was pushed */
    for (int body = 1; body <= 3; body++)
      thud_assert_near(end[0].pose[body].position.x, end[1].pose[body].position.x, 1e-6);
    for (int sleep = 0; sleep <= 1; sleep++) drift_end(motion[sleep], &scene[sleep], scene[sleep].context);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(drag_is_of_second_order),
                                     cmocka_unit_test(drag_never_reverses),
                                     cmocka_unit_test(a_ball_sinks_at_its_terminal_velocity),
                                     cmocka_unit_test(a_turning_force_is_of_second_order),
                                     cmocka_unit_test(drag_leaves_the_weight_alone),
                                     cmocka_unit_test(a_slope_that_fails_ends_the_motion),
                                     cmocka_unit_test(a_damped_spring_is_of_second_order),
                                     cmocka_unit_test(a_pair_stands_on_its_spring),
                                     cmocka_unit_test(stiff_springs_keep_both_momenta),
                                     cmocka_unit_test(dampers_never_reverse),
                                     cmocka_unit_test(the_work_of_a_path_on_a_spring_is_booked),
                                     cmocka_unit_test(a_restored_chain_goes_on_with_the_same_bits),
                                     cmocka_unit_test(coupled_islands_have_the_same_bits_on_threads),
                                     cmocka_unit_test(soft_bodies_do_not_pass_through_plates),
                                     cmocka_unit_test(sleepers_with_springs_move_as_without_sleep)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
