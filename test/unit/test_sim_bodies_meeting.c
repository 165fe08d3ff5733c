/* Bodies that meet within a step: what is predicted neither overlaps nor has to be moved apart. */
#include "body_scenes.h"

static const double g = 9.81;

static void add_plane(body_scene *scene, thud_vec3 position, thud_vec3 turn) {
  thud_shape_def plane = thud_shape_def_default(THUD_SHAPE_PLANE);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_FIXED;
  def.pose.position = position;
  def.pose.rotation = thud_quat_from_rotation_vector(turn);
  body_scene_place(scene, &def, body_scene_shape(scene, &plane), 0);
}

/* A ball falls on a smooth slope of 45 degrees, which turns it towards a wall that its free motion would never meet: with the
 * speed v/2, over a gap that is shorter than what it makes in the step. */
static void a_ball_that_a_slope_turns_to_a_wall_does_not_overlap_it(void **state) {
  (void)state;
  const double quarter = 0.25 * acos(-1), radius = 0.1, h = 5e-3;
  for (int k = 0; k < 8; k++) {
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, 0, 0, 0);
    double gap = 1e-3 * k;
    add_plane(&scene, thud_vec3_make(0, 0, 0), thud_vec3_make(0, quarter, 0)); /* its normal: (1, 0, 1)/sqrt 2 */
    add_plane(&scene, thud_vec3_make(radius * sqrt(2) + radius + gap, 0, 0), thud_vec3_make(0, -2 * quarter, 0));
    thud_body_def def = thud_body_def_default();
    def.pose.position = thud_vec3_make(radius * sqrt(2), 0, 0.013);
    def.velocity.z = -4;
    body_scene_place(&scene, &def, body_scene_sphere(&scene, radius), 1000);
    thud_motion *motion = body_scene_motion(&scene, h, 20, 0);
    thud_body_motion_info info = body_scene_run(motion);
    thud_body_frame frame = thud_body_motion_present(motion);
    thud_assert_equal(info.projections, 0);
    thud_assert_at_most(info.worst_penetration, 1e-9);
    thud_assert_near(thud_vec3_norm(frame.velocity[2]), 0, 1e-8); /* it lies in the corner of slope and wall */
    thud_assert_near(frame.pose[2].position.x, radius * sqrt(2) + gap, 1e-9);
    thud_motion_destroy(motion);
    body_scene_end(&scene);
    thud_test_context_end(context);
  }
}

/* Four boxes fall on each other, each a little beside the one below. They end as a stack with four contacts per joint; nothing
 * is moved apart, and the energy never grows. */
static void falling_boxes_make_a_stack(void **state) {
  (void)state;
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < 6; k++) {
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
    body_scene_floor(&scene);
    thud_index box = body_scene_box(&scene, 0.2, 0.2, 0.2);
    for (int i = 0; i < 4; i++) {
      double x = thud_random_uniform(&random, -4e-3, 4e-3), y = thud_random_uniform(&random, -4e-3, 4e-3);
      body_scene_add(&scene, box, x, y, 0.106 + 0.22 * i);
    }
    thud_motion *motion = body_scene_motion(&scene, 5e-3, 80, 1e-4); /* residuals that tilt the boxes */
    thud_body_motion_info info = {0};
    double energy = INFINITY;
    do {
      assert_int_equal(body_scene_step(motion, &info), THUD_OK);
      thud_body_ledger ledger = thud_body_motion_present(motion).ledger;
      thud_assert_at_most(ledger.kinetic + ledger.potential, energy);
      energy = (ledger.kinetic + ledger.potential) * (1 + 1e-6);
    } while (info.status == THUD_MOTION_RUNNING);
    thud_assert_equal(info.projections, 0);
    thud_assert_equal(info.contacts, 16);
    thud_assert_at_most(info.worst_penetration, 2e-6);
    thud_body_frame frame = thud_body_motion_present(motion);
    for (thud_index i = 1; i <= 4; i++)
      thud_assert_near(frame.pose[i].position.z, 0.1 + 0.2 * (double)(i - 1), 2e-6 * (double)i);
    thud_motion_destroy(motion);
    body_scene_end(&scene);
    thud_test_context_end(context);
  }
}

/* Five balls that touch up to rounding, without gravity: the blow reaches the last in the same step, with Newton's law
 * (e = 1) as v+ = (-0.6, 0.4, 0.4, 0.4, 0.4) (case C10). */
static void a_blow_passes_through_balls_that_touch(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 1);
  thud_index ball = body_scene_sphere(&scene, 0.05);
  for (int i = 0; i < 5; i++) {
    thud_body_def def = thud_body_def_default();
    def.pose.position.x = i == 0 ? -1e-3 : 0.1 * i;
    def.velocity.x = i == 0;
    body_scene_place(&scene, &def, ball, 1000);
  }
  thud_motion *motion = body_scene_motion(&scene, 1e-3, 10, 0);
  body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  for (int i = 0; i < 5; i++) thud_assert_near(frame.velocity[i].x, i == 0 ? -0.6 : 0.4, 1e-8);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* Two needles fall across each other and spin fast about their axes, where they are moved apart and turned for it. What the
 * discretisation does to the energy stays small: spins that did not turn with their bodies made thousands of times as much. */
static void needles_that_are_turned_apart_gain_no_energy(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_floor(&scene);
  thud_shape_def needle = thud_shape_def_default(THUD_SHAPE_CAPSULE);
  needle.radius = 1e-3;
  needle.half_length = 0.5;
  thud_index shape = body_scene_shape(&scene, &needle);
  for (int i = 0; i < 2; i++) {
    thud_body_def def = thud_body_def_default();
    def.pose.position.z = 0.5 + i;
    def.pose.rotation =
        thud_quat_from_rotation_vector(i == 0 ? thud_vec3_make(0, 0.3, 0) : thud_vec3_make(0.92, 0.92, 0));
    body_scene_place(&scene, &def, shape, 1000);
  }
  thud_motion *motion = body_scene_motion(&scene, 1e-3, 1000, 0);
  thud_body_ledger start = thud_body_motion_present(motion).ledger;
  thud_body_motion_info info = {0};
  double turned = 0;
  do {
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
    thud_body_frame frame = thud_body_motion_present(motion);
    for (thud_index i = 1; i <= 2; i++) turned = fmax(turned, thud_vec3_norm(frame.turn[i]));
    thud_assert_at_most(frame.ledger.kinetic + frame.ledger.potential, 1.001 * start.potential + frame.ledger.lift);
  } while (info.status == THUD_MOTION_RUNNING);
  thud_assert_equal(info.status, THUD_MOTION_COMPLETED);
  thud_assert_at_least(turned, 1e-6); /* or nothing was asked */
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* A lid that comes down by 0.1 m/s whatever is below it. */
static int come_down(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  *pose = (thud_pose){thud_vec3_make(0, 0, 0.305 - 0.1 * t), thud_quat_identity()};
  *velocity = thud_vec3_make(0, 0, -0.1);
  *spin = (thud_vec3){0};
  return 0;
}

/* Between the floor and the lid no velocity is admissible: that is said, not that more iterations would do. */
static void a_crushed_body_has_no_admissible_velocity(void **state) {
  (void)state;
  for (int shape = 0; shape < 2; shape++) {
    thud_context *context = thud_test_context(1);
    body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
    body_scene_floor(&scene);
    body_scene_add(&scene, shape == 0 ? body_scene_sphere(&scene, 0.1) : body_scene_box(&scene, 0.2, 0.2, 0.2), 0, 0,
                   0.1);
    thud_body_def lid = thud_body_def_default();
    lid.role = THUD_BODY_KINEMATIC;
    lid.path = come_down;
    body_scene_place(&scene, &lid, body_scene_box(&scene, 1, 1, 0.2), 0);
    thud_motion *motion = body_scene_motion(&scene, 1e-2, 20, 0);
    thud_body_motion_info info = {0};
    do assert_int_equal(body_scene_step(motion, &info), THUD_OK);
    while (info.status == THUD_MOTION_RUNNING);
    thud_assert_equal(info.status, THUD_MOTION_INFEASIBLE);
    thud_assert_near(info.time, 0.05, 2e-2); /* when the lid has come down by the gap of 5 mm */
    thud_motion_destroy(motion);
    body_scene_end(&scene);
    thud_test_context_end(context);
  }
}

/* A ball so high that its potential energy is no number: not a good motion. */
static void energies_that_overflow_end_the_motion(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, g, 0.5, 0);
  body_scene_add(&scene, body_scene_sphere(&scene, 0.1), 0, 0, 1e308);
  thud_motion *motion = body_scene_motion(&scene, 1e-2, 2, 0);
  thud_body_motion_info info = {0};
  assert_int_equal(body_scene_step(motion, &info), THUD_OK);
  thud_assert_equal(info.status, THUD_MOTION_BLOW_UP);
  thud_test_message_has(context, "the energies at t = 0.01 are too large", NULL);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_ball_that_a_slope_turns_to_a_wall_does_not_overlap_it),
                                     cmocka_unit_test(falling_boxes_make_a_stack),
                                     cmocka_unit_test(energies_that_overflow_end_the_motion),
                                     cmocka_unit_test(a_crushed_body_has_no_admissible_velocity),
                                     cmocka_unit_test(needles_that_are_turned_apart_gain_no_energy),
                                     cmocka_unit_test(a_blow_passes_through_balls_that_touch)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
