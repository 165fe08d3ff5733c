/* Joints of a running motion: what lets go moves on as it did, what does not fit is refused, and states hold both. */
#include "body_scenes.h"

#include "motions/bodies/body_motion.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const double H = 0.01;

/* A stone on an arm that turns about the origin with 2 rad/s and a motor that could drive it, no gravity. */
typedef struct sling {
  thud_context *context;
  body_scene scene;
  thud_body_id arm, stone;
  thud_motion *motion;
} sling;

static sling turn(void) {
  sling s = {.context = thud_test_context(1)};
  s.scene = body_scene_begin(s.context, true, 0, 0.3, 0);
  thud_index shape = body_scene_sphere(&s.scene, 0.1);
  thud_body_def def = thud_body_def_default();
  def.spin.z = 2;
  s.arm = body_scene_place(&s.scene, &def, shape, 1000);
  def.pose.position.x = 1;
  def.velocity.y = 2;
  s.stone = body_scene_place(&s.scene, &def, shape, 1000);
  thud_joint_def joint = thud_joint_def_default();
  joint.kind = THUD_JOINT_HINGE;
  joint.name = "axle";
  joint.a = s.arm;
  joint.law[0].motor = THUD_JOINT_MOTOR_SPEED;
  joint.law[0].at_most = 1e-9;
  assert_int_equal(thud_bodies_add_joint(s.scene.bodies, &joint), THUD_OK);
  joint = thud_joint_def_default();
  joint.kind = THUD_JOINT_FIXED;
  joint.name = "claw";
  joint.a = s.stone;
  joint.b = s.arm;
  assert_int_equal(thud_bodies_place_joint(s.scene.bodies, thud_vec3_make(1, 0, 0), NULL, &joint), THUD_OK);
  assert_int_equal(thud_bodies_add_joint(s.scene.bodies, &joint), THUD_OK);
  s.motion = body_scene_motion(&s.scene, H, 100, 0);
  return s;
}

static void step(sling *s, int count) {
  for (int k = 0; k < count; k++) assert_int_equal(body_scene_step(s->motion, NULL), THUD_OK);
}

static void end(sling *s) {
  thud_motion_destroy(s->motion);
  body_scene_end(&s->scene);
  thud_test_context_end(s->context);
}

static thud_body_state state_of(const sling *s, thud_body_id id) {
  thud_body_state now;
  assert_int_equal(thud_body_motion_get_state(s->motion, id, &now), THUD_OK);
  return now;
}

/* Straight on with the velocity that it had, and the energy stays. */
static void what_lets_go_moves_straight_on(void **state) {
  (void)state;
  sling s = turn();
  step(&s, 20);
  double energy = thud_body_motion_present(s.motion).ledger.kinetic;
  thud_body_state before = state_of(&s, s.stone);
  thud_assert_near(thud_vec3_norm(before.velocity), 2, 1e-6);
  assert_true(thud_body_motion_is_attached(s.motion, "claw"));
  assert_int_equal(thud_body_motion_detach(s.motion, "claw"), THUD_OK);
  assert_false(thud_body_motion_is_attached(s.motion, "claw"));
  step(&s, 50);
  thud_body_state after = state_of(&s, s.stone);
  thud_vec3 wanted = thud_vec3_add_scaled(before.position, 50 * H, before.velocity);
  thud_assert_near(thud_vec3_distance(after.position, wanted), 0, 1e-12);
  thud_assert_near(thud_body_motion_present(s.motion).ledger.kinetic, energy, 1e-6 * energy);
  assert_int_equal(thud_body_motion_detach(s.motion, "claw"), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_motion_detach(s.motion, "jaw"), THUD_ERROR_NOT_FOUND);
  end(&s);
}

/* Where the bodies have gone apart the joint is refused with its name, and acts not; put back they are held again. */
static void what_does_not_fit_is_refused(void **state) {
  (void)state;
  sling s = turn();
  assert_int_equal(thud_body_motion_attach(s.motion, "claw"), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_motion_detach(s.motion, "claw"), THUD_OK);
  thud_body_state held = state_of(&s, s.stone), arm = state_of(&s, s.arm);
  step(&s, 30);
  assert_int_equal(thud_body_motion_attach(s.motion, "claw"), THUD_ERROR_ARGUMENT);
  assert_non_null(strstr(thud_context_last_message(s.context), "joint 'claw' does not fit its bodies"));
  assert_false(thud_body_motion_is_attached(s.motion, "claw"));
  assert_int_equal(thud_body_motion_set_state(s.motion, s.stone, &held), THUD_OK);
  assert_int_equal(thud_body_motion_set_state(s.motion, s.arm, &arm), THUD_OK);
  assert_int_equal(thud_body_motion_attach(s.motion, "claw"), THUD_OK);
  step(&s, 30);
  thud_assert_near(thud_vec3_norm(state_of(&s, s.stone).position), 1, 1e-10);
  end(&s);
}

/* (I + m) w' = the torque: from 2 rad/s with 1 N m, and off again. */
static void a_motor_is_switched(void **state) {
  (void)state;
  sling s = turn();
  thud_body_motor motor = thud_body_motor_default();
  thud_bodies_view view;
  assert_int_equal(thud_bodies_get(s.scene.bodies, &view), THUD_OK);
  double inertia = view.inertia[0].cz.z + view.inertia[1].cz.z + view.mass[1];
  motor.motor = THUD_JOINT_MOTOR_SPEED;
  motor.target = 100;
  motor.at_most = 1;
  double before = state_of(&s, s.arm).spin.z;
  assert_int_equal(thud_body_motion_set_motor(s.motion, "axle", 0, &motor), THUD_OK);
  step(&s, 20);
  double driven = state_of(&s, s.arm).spin.z;
  thud_assert_near(driven - before, 20 * H / inertia, 2e-5);
  motor.motor = THUD_JOINT_MOTOR_NONE;
  motor.at_most = 0;
  assert_int_equal(thud_body_motion_set_motor(s.motion, "axle", 0, &motor), THUD_OK);
  step(&s, 20);
  thud_assert_near(state_of(&s, s.arm).spin.z, driven, 2e-5);
  assert_int_equal(thud_body_motion_set_motor(s.motion, "axle", 1, &motor), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_body_motion_set_motor(s.motion, "claw", 0, &motor), THUD_ERROR_ARGUMENT);
  motor.at_most = NAN;
  assert_int_equal(thud_body_motion_set_motor(s.motion, "axle", 0, &motor), THUD_ERROR_ARGUMENT);
  end(&s);
}

static void refuse(sling *s, const void *at, const void *bytes, size_t count, const char *word) {
  size_t size = thud_motion_state_size(s->motion);
  unsigned char *saved = malloc(size);
  assert_non_null(saved);
  thud_motion_save(s->motion, saved);
  memcpy(saved + ((const unsigned char *)at - ((body_motion *)s->motion)->state.block), bytes, count);
  assert_int_equal(thud_motion_restore(s->motion, saved, size), THUD_ERROR_FORMAT);
  assert_non_null(strstr(thud_context_last_message(s->context), word));
  free(saved);
}

static void states_hold_joints_and_motors(void **state) {
  (void)state;
  sling s = turn();
  thud_body_motor motor = thud_body_motor_default();
  motor.at_most = 0.5;
  step(&s, 5);
  assert_int_equal(thud_body_motion_detach(s.motion, "claw"), THUD_OK);
  assert_int_equal(thud_body_motion_set_motor(s.motion, "axle", 0, &motor), THUD_OK);
  step(&s, 5);
  size_t size = thud_motion_state_size(s.motion);
  void *saved = malloc(size);
  assert_non_null(saved);
  thud_motion_save(s.motion, saved);
  step(&s, 20);
  uint64_t hash = thud_body_motion_hash(s.motion);
  sling other = turn(); /* whose claw holds, and whose motor does next to nothing */
  assert_int_equal(thud_motion_restore(other.motion, saved, size), THUD_OK);
  assert_false(thud_body_motion_is_attached(other.motion, "claw"));
  step(&other, 20);
  assert_true(thud_body_motion_hash(other.motion) == hash);
  const body_state *now = &((body_motion *)s.motion)->state;
  const double wrong[] = {NAN, INFINITY, -1};
  const int32_t kind = 3;
  const int64_t serial = 7;
  for (size_t k = 0; k < 3; k++) refuse(&s, &now->motor[0].at_most, &wrong[k], sizeof *wrong, "motors of joints");
  refuse(&s, &now->motor[0].target, &wrong[0], sizeof *wrong, "motors of joints");
  refuse(&s, &now->motor[0].kind, &kind, sizeof kind, "motors of joints");
  refuse(&s, &now->motor[0].drives, &kind, sizeof kind, "motors of joints");
  refuse(&s, &now->serial[1], &serial, sizeof serial, "motors of joints");
  refuse(&s, now->off, "\2", 1, "flags of joints");
  free(saved);
  end(&other);
  end(&s);
}

/* A joint stays detached while the model gets a body. */
static void a_model_that_grows_keeps_joints(void **state) {
  (void)state;
  sling s = turn();
  step(&s, 5);
  assert_int_equal(thud_body_motion_detach(s.motion, "claw"), THUD_OK);
  thud_body_def def = thud_body_def_default();
  def.pose.position.y = 50;
  thud_body_id more = body_scene_place(&s.scene, &def, 0, 1000);
  assert_int_equal(thud_body_motion_add(s.motion, more, NULL), THUD_OK);
  assert_false(thud_body_motion_is_attached(s.motion, "claw"));
  assert_true(thud_body_motion_is_attached(s.motion, "axle"));
  end(&s);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(what_lets_go_moves_straight_on), cmocka_unit_test(what_does_not_fit_is_refused),
      cmocka_unit_test(a_motor_is_switched), cmocka_unit_test(states_hold_joints_and_motors),
      cmocka_unit_test(a_model_that_grows_keeps_joints)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
