/* Coordinates of joints: their rows are the derivatives of their values, which are what they are said to be, and laws that make no
 * sense at them are refused. */
#include "body_scenes.h"
#include "model/joint.h"
#include "testing.h"

#include <math.h>
#include <string.h>

static thud_vec3 random_vector(thud_random *random) {
  return thud_vec3_make(thud_random_normal(random), thud_random_normal(random), thud_random_normal(random));
}

static thud_quat random_rotation(thud_random *random) { return thud_quat_from_rotation_vector(random_vector(random)); }

static thud_joint random_joint(thud_random *random, int kind) {
  return (thud_joint){.kind = kind,
                      .point_a = random_vector(random),
                      .point_b = random_vector(random),
                      .frame_a = random_rotation(random),
                      .frame_b = random_rotation(random),
                      .length = 1,
                      .ratio = 1.5,
                      .over_a = random_vector(random),
                      .over_b = random_vector(random)};
}

static thud_pose moved(const thud_pose *pose, thud_vec3 v, thud_vec3 w, double h) {
  return (thud_pose){thud_vec3_add_scaled(pose->position, h, v), thud_quat_integrate(pose->rotation, w, h)};
}

static thud_joint_row coordinate_at(const thud_joint *joint, int c, const thud_pose *a, const thud_pose *b) {
  thud_joint_place place = thud_joint_place_at(joint, false, a, b);
  return thud_joint_coordinate(&place, thud_joint_free(joint->kind, false, c));
}

/* By central differences: their error is h^2/6 times a third derivative of a few units, and rounding over h. */
static void rows_are_the_derivatives_of_coordinates(void **state) {
  (void)state;
  static const int kinds[] = {THUD_JOINT_BALL,   THUD_JOINT_SLIDER, THUD_JOINT_CYLINDRICAL, THUD_JOINT_UNIVERSAL,
                              THUD_JOINT_PLANAR, THUD_JOINT_ROPE,   THUD_JOINT_PULLEY};
  thud_random random = thud_random_seed(7);
  const double h = 1e-5;
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    for (int round = 0; round < 40; round++)
      for (int c = 0; c < thud_joint_coordinates(kinds[k], false); c++) {
        thud_joint joint = random_joint(&random, kinds[k]);
        thud_pose a = {random_vector(&random), random_rotation(&random)};
        thud_pose b = {random_vector(&random), random_rotation(&random)};
        if (thud_joint_free(kinds[k], false, c) == THUD_COORDINATE_ANGLE) { /* its axis is the same on both bodies */
          thud_quat turn = thud_quat_from_rotation_vector(thud_vec3_make(thud_random_uniform(&random, -2, 2), 0, 0));
          thud_quat of_b = thud_quat_multiply(b.rotation, joint.frame_b);
          a.rotation = thud_quat_multiply(thud_quat_multiply(of_b, turn), thud_quat_conjugate(joint.frame_a));
        }
        thud_vec3 v[2] = {random_vector(&random), random_vector(&random)};
        thud_vec3 w[2] = {random_vector(&random), random_vector(&random)};
        thud_joint_row row = coordinate_at(&joint, c, &a, &b);
        double bent = fmax(fabs(thud_vec3_norm(row.about_a)), 1); /* near poles of angles derivatives grow */
        if (bent > 5) continue;
        double rate = thud_vec3_dot(row.force, v[1]) - thud_vec3_dot(row.force_a, v[0]) +
                      thud_vec3_dot(row.about_b, w[1]) - thud_vec3_dot(row.about_a, w[0]);
        double value[2];
        for (int side = 0; side < 2; side++) {
          double s = side == 0 ? -h : h;
          thud_pose at_a = moved(&a, v[0], w[0], s), at_b = moved(&b, v[1], w[1], s);
          value[side] = coordinate_at(&joint, c, &at_a, &at_b).value;
        }
        double change = value[1] - value[0];
        if (row.is_angle) change = remainder(change, 2 * 3.14159265358979323846);
        thud_assert_near(change / (2 * h), rate, 1e-6 * pow(bent, 3) * (1 + fabs(rate)));
      }
}

/* A body that is turned by p about its axis x and then by q about the axis y of the world. */
static void angles_of_universal_joints_are_those_of_two_turns(void **state) {
  (void)state;
  const double half = 0.5 * 3.14159265358979323846, p = 0.7, q = -1.1;
  thud_joint joint = {.kind = THUD_JOINT_UNIVERSAL, .frame_a = thud_quat_identity()};
  /* x of b is y of a, y of b is x of a */
  thud_quat z = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, half));
  joint.frame_b = thud_quat_multiply(z, thud_quat_from_rotation_vector(thud_vec3_make(2 * half, 0, 0)));
  thud_pose a = {{0, 0, 0},
                 thud_quat_multiply(thud_quat_from_rotation_vector(thud_vec3_make(0, q, 0)),
                                    thud_quat_from_rotation_vector(thud_vec3_make(p, 0, 0)))};
  thud_pose world = thud_pose_identity();
  thud_assert_near(coordinate_at(&joint, 0, &a, &world).value, p, 1e-14);
  thud_assert_near(coordinate_at(&joint, 1, &a, &world).value, q, 1e-14);
}

/* A twist about x, then a swing about an axis across it: the smallest turn back leaves the twist. */
static void swing_and_twist_of_ball_joints_take_a_turn_apart(void **state) {
  (void)state;
  thud_random random = thud_random_seed(8);
  thud_pose world = thud_pose_identity();
  thud_joint joint = {.kind = THUD_JOINT_BALL, .frame_a = world.rotation, .frame_b = world.rotation};
  for (int round = 0; round < 50; round++) {
    double angle = thud_random_uniform(&random, 0, 3), twist = thud_random_uniform(&random, -3, 3);
    double way = thud_random_uniform(&random, 0, 6);
    thud_quat swung = thud_quat_from_rotation_vector(thud_vec3_make(0, angle * cos(way), angle * sin(way)));
    thud_quat twisted = thud_quat_from_rotation_vector(thud_vec3_make(twist, 0, 0));
    thud_pose a = {{0, 0, 0}, thud_quat_multiply(swung, twisted)};
    thud_assert_near(coordinate_at(&joint, 0, &a, &world).value, angle, 1e-13);
    thud_assert_near(coordinate_at(&joint, 1, &a, &world).value, twist, 1e-12);
  }
}

typedef struct refusal {
  int kind, coordinate;
  thud_joint_law law;
  const char *says;
} refusal;

static void laws_that_make_no_sense_are_refused(void **state) {
  (void)state;
  static const refusal refused[] = {
      {THUD_JOINT_HINGE, 0, {.stiffness = -1}, "negative"},
      {THUD_JOINT_HINGE, 0, {.damping = -1}, "negative"},
      {THUD_JOINT_HINGE, 0, {.stiffness = INFINITY}, "not finite"},
      {THUD_JOINT_HINGE, 1, {.stiffness = 1}, "no further"},
      {THUD_JOINT_FIXED, 0, {.stiffness = 1}, "no coordinate"},
      {THUD_JOINT_BALL, 0, {.stiffness = 1}, "twist"},
      {THUD_JOINT_ROPE, 0, {.damping = 1}, "no spring"},
      {THUD_JOINT_PLANAR, 1, {.friction = 1}, "axes"},
      {THUD_JOINT_SCREW, 0, {.pin = 0.1}, "radius"},
      {THUD_JOINT_SCREW, 0, {.pin = 0.1, .thread = 0.01}, "2 pi radius/lead"},
      {THUD_JOINT_RACK, 0, {.friction = 1}, "hinges and sliders"},
      {THUD_JOINT_PULLEY, 0, {.motor = THUD_JOINT_MOTOR_SPEED, .at_most = 1}, "hinges and sliders"}};
  thud_context *context = thud_test_context(1);
  body_scene scene = body_scene_begin(context, false, 0, 0.3, 0);
  thud_index shape = body_scene_sphere(&scene, 0.1);
  thud_body_def def = thud_body_def_default();
  thud_body_id a = body_scene_place(&scene, &def, shape, 1000);
  def.pose.position.x = 1;
  thud_body_id b = body_scene_place(&scene, &def, shape, 1000);
  for (size_t k = 0; k < sizeof refused / sizeof *refused; k++) {
    thud_joint_def joint = thud_joint_def_default();
    joint.kind = refused[k].kind;
    joint.a = a;
    joint.b = b;
    joint.length = joint.lead = joint.radius_a = 1;
    joint.law[refused[k].coordinate] = refused[k].law;
    assert_int_equal(thud_bodies_add_joint(scene.bodies, &joint), THUD_ERROR_ARGUMENT);
    const char *message = thud_context_last_message(context);
    if (strstr(message, refused[k].says) == NULL) fail_msg("'%s' is not in: %s", refused[k].says, message);
  }
  body_scene_end(&scene);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(rows_are_the_derivatives_of_coordinates),
                                     cmocka_unit_test(angles_of_universal_joints_are_those_of_two_turns),
                                     cmocka_unit_test(swing_and_twist_of_ball_joints_take_a_turn_apart),
                                     cmocka_unit_test(laws_that_make_no_sense_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
