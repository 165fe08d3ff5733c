/* Motions of rigid bodies without contacts: closed forms and invariants. */
#include "body_scenes.h"

/* A body without parts: given mass and inertia. */
static thud_body_def solid(double mass, double x, double y, double z) {
  thud_body_def def = thud_body_def_default();
  def.mass = mass;
  def.inertia = thud_mat3_diagonal(x, y, z);
  return def;
}

static thud_body_id add(body_scene *scene, const thud_body_def *def) {
  thud_body_id id;
  assert_int_equal(thud_bodies_add(scene->bodies, def, &id), THUD_OK);
  return id;
}

/* Constant acceleration: the midpoint scheme is exact, so only rounding is left (1000 steps of 1e-16 each). */
static void a_thrown_body_follows_its_parabola(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 9.81, 0, 0);
  thud_body_def def = solid(2, 1, 1, 1);
  def.velocity = thud_vec3_make(3, -1, 20);
  def.spin = thud_vec3_make(0.3, 0.2, -0.1);
  add(&scene, &def);
  thud_motion *motion = body_scene_motion(&scene, 1e-3, 1000, 0);
  body_scene_run(motion);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_assert_near(frame.pose[0].position.x, 3, 1e-12);
  thud_assert_near(frame.pose[0].position.y, -1, 1e-12);
  thud_assert_near(frame.pose[0].position.z, 20 - 9.81 / 2, 1e-12);
  thud_vec3 turned = thud_quat_to_rotation_vector(frame.pose[0].rotation);
  thud_assert_near(turned.x, 0.3, 1e-12);
  thud_assert_near(turned.z, -0.1, 1e-12);
  thud_assert_near(frame.ledger.defect, 0, 1e-10);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* |L| and the energy are quadratic invariants, which the midpoint rule keeps but for the rounding of 1e5 Newton
 * solutions and turns between frames: 1e5 times a few 1e-16, if all went the same way. About the middle axis, which is
 * unstable. */
static void a_free_top_keeps_momentum_and_energy(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  thud_body_def def = solid(1, 1, 2, 2.8);
  def.spin = thud_vec3_make(0.01, 5, 0.02);
  add(&scene, &def);
  thud_motion *motion = body_scene_motion(&scene, 1e-2, THUD_UNDER_SANITIZER ? 1000 : 100000, 0);
  thud_vec3 L0 = thud_vec3_make(0.01, 10, 0.056);
  double energy = 0.5 * (1e-4 + 2 * 25 + 2.8 * 4e-4), turned = 0;
  thud_body_motion_info info = {0};
  do {
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
    thud_body_frame frame = thud_body_motion_present(motion);
    turned = fmax(turned, -thud_quat_rotate_inverse(frame.pose[0].rotation, frame.spin[0]).y);
  } while (info.status == THUD_MOTION_RUNNING);
  thud_body_frame frame = thud_body_motion_present(motion);
  thud_vec3 w = thud_quat_rotate_inverse(frame.pose[0].rotation, frame.spin[0]);
  thud_vec3 L = thud_vec3_make(w.x, 2 * w.y, 2.8 * w.z);
  thud_assert_greater(turned, 4.9); /* it has tumbled, as the middle axis does */
  thud_assert_near(thud_vec3_norm(L) / thud_vec3_norm(L0), 1, 1e-10);
  thud_assert_near(frame.ledger.kinetic / energy, 1, 1e-10);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

/* The spatial momentum's direction and the attitude are of order 2: errors at t = 1 against a very fine motion. */
static void a_free_top_converges_with_order_two(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_quat end[3];
  const thud_index steps[3] = {200, 400, 6400};
  for (int k = 0; k < 3; k++) {
    body_scene scene = body_scene_begin(context, false, 0, 0, 0);
    thud_body_def def = solid(1, 1, 2, 2.8);
    def.spin = thud_vec3_make(1, 3, 2);
    add(&scene, &def);
    thud_motion *motion = body_scene_motion(&scene, 1.0 / steps[k], steps[k], 0);
    body_scene_run(motion);
    end[k] = thud_body_motion_present(motion).pose[0].rotation;
    thud_motion_destroy(motion);
    body_scene_end(&scene);
  }
  double error[2];
  for (int k = 0; k < 2; k++)
    error[k] = thud_vec3_norm(thud_quat_to_rotation_vector(thud_quat_multiply(thud_quat_conjugate(end[2]), end[k])));
  thud_assert_less(error[1], 1e-4);
  thud_assert_near(log2(error[0] / error[1]), 2, 0.05);
  thud_test_context_end(context);
}

/* m x'' = -k (x - l) - c x' against its solution, order 2; the ledger books the damper's work. */
static void a_damped_spring_follows_its_closed_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double error[2];
  for (int level = 0; level < 2; level++) {
    body_scene scene = body_scene_begin(context, false, 0, 0, 0);
    thud_body_def def = solid(2, 1, 1, 1);
    def.pose.position = thud_vec3_make(1.5, 0, 0);
    thud_spring_def spring = thud_spring_def_default();
    spring.a = add(&scene, &def);
    spring.length = 1;
    spring.stiffness = 50;
    spring.damping = 1;
    assert_int_equal(thud_bodies_add_spring(scene.bodies, &spring), THUD_OK);
    thud_index steps = 500 << level;
    thud_motion *motion = body_scene_motion(&scene, 1.0 / steps, steps, 0);
    body_scene_run(motion);
    thud_body_frame frame = thud_body_motion_present(motion);
    double decay = 0.25, w = sqrt(25 - decay * decay);
    double exact = 1 + 0.5 * exp(-decay) * (cos(w) + decay / w * sin(w));
    error[level] = fabs(frame.pose[0].position.x - exact);
    thud_assert_near(frame.ledger.kinetic + frame.ledger.potential, 0.5 * 50 * 0.25 + frame.ledger.work, 1e-3);
    thud_assert_less(frame.ledger.work, -1);
    thud_motion_destroy(motion);
    body_scene_end(&scene);
  }
  thud_assert_less(error[0], 2e-3);
  thud_assert_greater(error[0] / error[1], 1.9); /* forces of the step's start velocity: at least order 1 */
  thud_test_context_end(context);
}

static int swing(void *user, double t, thud_pose *pose, thud_vec3 *velocity, thud_vec3 *spin) {
  (void)user;
  *pose = thud_pose_identity();
  pose->position.x = sin(t);
  *velocity = thud_vec3_make(cos(t), 0, 0);
  *spin = thud_vec3_make(0, 0, 0);
  return t > 0.7 ? -1 : 0;
}

static void a_path_that_fails_ends_the_motion(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0, 0);
  thud_body_def def = thud_body_def_default();
  def.role = THUD_BODY_KINEMATIC;
  def.name = "swing";
  def.path = swing;
  add(&scene, &def);
  thud_motion *motion = body_scene_motion(&scene, 0.1, 10, 0);
  thud_body_motion_info info = {0};
  do {
    assert_int_equal(body_scene_step(motion, &info), THUD_OK);
  } while (info.status == THUD_MOTION_RUNNING);
  assert_int_equal(info.status, THUD_MOTION_BAD_DATA);
  thud_test_message_has(context, "swing", "path failed", NULL);
  thud_assert_near(thud_body_motion_present(motion).t, 0.7, 1e-12);
  thud_motion_destroy(motion);
  body_scene_end(&scene);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_thrown_body_follows_its_parabola), cmocka_unit_test(a_free_top_keeps_momentum_and_energy),
      cmocka_unit_test(a_free_top_converges_with_order_two), cmocka_unit_test(a_damped_spring_follows_its_closed_form),
      cmocka_unit_test(a_path_that_fails_ends_the_motion)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
