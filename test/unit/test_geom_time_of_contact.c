/* Times of contact: against closed forms, and never late for random motions. */
#include "geom_pairs.h"
#include "testing.h"

static thud_vec3 random_vector(thud_random *random, double size) {
  double x = thud_random_normal(random), y = thud_random_normal(random), z = thud_random_normal(random);
  return thud_vec3_scale(size, thud_vec3_make(x, y, z));
}

static thud_sweep_motion random_motion(thud_random *random, double far, double speed, double spin) {
  thud_sweep_motion motion = {thud_pose_identity(), random_vector(random, speed), random_vector(random, spin)};
  motion.pose.position = random_vector(random, far);
  motion.pose.rotation = thud_quat_from_rotation_vector(random_vector(random, 1));
  return motion;
}

static thud_pose pose_at(const thud_sweep_motion *motion, double t) {
  thud_pose pose = {thud_vec3_add_scaled(motion->pose.position, t, motion->velocity),
                    thud_quat_integrate(motion->pose.rotation, motion->spin, t)};
  return pose;
}

static double gap_at(const thud_shape *a, const thud_sweep_motion *motion_a, const thud_shape *b,
                     const thud_sweep_motion *motion_b, double t) {
  thud_pose at_a = pose_at(motion_a, t), at_b = pose_at(motion_b, t);
  return thud_distance(a, &at_a, b, &at_b, NULL);
}

/* The first root of |d + v t| = r, or end. */
static double spheres_meet(thud_vec3 d, thud_vec3 v, double r, double end) {
  double a = thud_vec3_dot(v, v), b = thud_vec3_dot(d, v), c = thud_vec3_dot(d, d) - r * r, root = b * b - a * c;
  if (c <= 0) return 0;
  if (root < 0 || b >= 0) return end;
  return fmin(end, c / (-b + sqrt(root)));
}

static void spheres_meet_at_the_root_of_a_quadratic(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  int met = 0;
  for (int i = 0; i < 3000; i++) {
    thud_shape *a = pair_shape(context, &random, THUD_SHAPE_SPHERE, 1);
    thud_shape *b = pair_shape(context, &random, THUD_SHAPE_SPHERE, 1);
    thud_sweep_motion motion_a = random_motion(&random, 2, 1, 0), motion_b = random_motion(&random, 2, 1, 0);
    double gap = thud_random_uniform(&random, 0, 0.1), end = 4;
    double exact = spheres_meet(thud_vec3_subtract(motion_a.pose.position, motion_b.pose.position),
                                thud_vec3_subtract(motion_a.velocity, motion_b.velocity),
                                thud_shape_radius(a) + thud_shape_radius(b) + gap, end);
    double found = thud_time_of_contact(a, &motion_a, b, &motion_b, gap, end);
    thud_assert_at_most(found, exact + 1e-12);
    if (exact > 0 && exact < end) {
      /* a gap of 1e-9 of the radius is passed within sqrt(2e-9) seconds or so, also where the spheres only graze */
      thud_assert_at_least(found, exact - 1e-3);
      thud_assert_at_most(gap_at(a, &motion_a, b, &motion_b, found), gap + 1e-9);
      met++;
    } else {
      thud_assert_equal(found == 0, exact == 0);
    }
    thud_shape_destroy(a);
    thud_shape_destroy(b);
  }
  thud_assert_greater(met, 50);
  thud_test_context_end(context);
}

/* No contact at any of many times before the one that is found; *met: and contact at it. Where points turn fast past each other
 * the bounds of the advances are wide, and their number may end before the contact: early, not late. */
static void judge_motion(const thud_shape *a, const thud_sweep_motion *motion_a, const thud_shape *b,
                         const thud_sweep_motion *motion_b, double gap, double end, int *met, int *early) {
  double found = thud_time_of_contact(a, motion_a, b, motion_b, gap, end);
  thud_assert_at_least(found, 0);
  thud_assert_at_most(found, end);
  if (found == 0) {
    thud_assert_at_most(gap_at(a, motion_a, b, motion_b, 0), gap + 1e-8);
    return;
  }
  for (int k = 0; k < 40; k++) {
    double t = found * k / 40;
    thud_assert_greater(gap_at(a, motion_a, b, motion_b, t), gap - 1e-9);
  }
  if (found >= end) return;
  if (gap_at(a, motion_a, b, motion_b, found) <= gap + 1e-8)
    ++*met;
  else
    ++*early;
}

static void moving_solids_are_never_late(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  const thud_shape_kind kinds[] = {THUD_SHAPE_SPHERE,   THUD_SHAPE_ELLIPSOID, THUD_SHAPE_CAPSULE, THUD_SHAPE_BOX,
                                   THUD_SHAPE_CYLINDER, THUD_SHAPE_CONE,      THUD_SHAPE_HULL,    THUD_SHAPE_PLANE};
  int met = 0, early = 0;
  for (int i = 0; i < 4000; i += THUD_TEST_STRIDE(50)) {
    thud_shape *a = pair_shape(context, &random, kinds[thud_random_below(&random, 7)], 1);
    thud_shape *b = pair_shape(context, &random, kinds[thud_random_below(&random, 8)], 1);
    thud_sweep_motion motion_a = random_motion(&random, 2, 2, 3), motion_b = random_motion(&random, 2, 2, i % 3);
    double gap = i % 2 ? 0 : 1e-3;
    if (i % 4 < 2)
      judge_motion(a, &motion_a, b, &motion_b, gap, 1, &met, &early);
    else
      judge_motion(b, &motion_b, a, &motion_a, gap, 1, &met, &early);
    thud_shape_destroy(a);
    thud_shape_destroy(b);
  }
  thud_assert_greater(met, THUD_UNDER_SANITIZER ? 2 : 200);
  thud_assert_at_most(early, met / 50);
  thud_test_context_end(context);
}

static void a_bullet_does_not_pass_a_thin_wall(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_BOX);
  def.half[0] = def.half[1] = 1;
  def.half[2] = 1e-4;
  thud_shape *wall = NULL, *bullet = NULL;
  assert_int_equal(thud_shape_create(context, &def, &wall), THUD_OK);
  def = thud_shape_def_default(THUD_SHAPE_SPHERE);
  for (int particle = 0; particle < 2; particle++) {
    def.radius = particle ? 0 : 1e-3;
    assert_int_equal(thud_shape_create(context, &def, &bullet), THUD_OK);
    thud_sweep_motion still = {thud_pose_identity(), {0, 0, 0}, {0, 0, 0}}, fast = still;
    fast.pose.position = thud_vec3_make(0.1, 0.2, 5);
    fast.velocity = thud_vec3_make(0, 0, -1000);
    fast.spin = thud_vec3_make(100, 0, 0);
    double exact = (5 - 1e-4 - def.radius) / 1000;
    double found = thud_time_of_contact(bullet, &fast, wall, &still, 0, 0.02);
    thud_assert_at_most(found, exact + 1e-15);
    thud_assert_near(found, exact, 1e-9);
    fast.velocity.z = 1000;
    thud_assert_equal(thud_time_of_contact(bullet, &fast, wall, &still, 0, 0.02), 0.02);
    thud_shape_destroy(bullet);
  }
  thud_shape_destroy(wall);
  thud_test_context_end(context);
}

/* A plane that turns about the y axis through the origin, w rad/s: a sphere of radius r at (x, 0, z) is at the distance
 * z cos(w t) + x sin(w t) - r of it. */
static void a_turning_plane_reaches_a_sphere_in_time(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  thud_shape *plane = pair_shape(context, &random, THUD_SHAPE_PLANE, 1);
  thud_shape *sphere = pair_shape(context, &random, THUD_SHAPE_SPHERE, 0.1);
  for (int i = 0; i < 20; i++) {
    double x = thud_random_uniform(&random, -8, -2), z = thud_random_uniform(&random, 0.5, 2), w = 0.7;
    thud_sweep_motion turning = {thud_pose_identity(), {0, 0, 0}, {0, w, 0}}, still = turning;
    still.pose.position = thud_vec3_make(x, 0, z);
    still.spin = thud_vec3_make(0, 0, 0);
    /* R cos(w t + p) = r with R = |(x, z)|, tan p = -x/z */
    double exact = (acos(thud_shape_radius(sphere) / hypot(x, z)) - atan2(-x, z)) / w;
    thud_assert_near(thud_time_of_contact(sphere, &still, plane, &turning, 0, 10), exact, 1e-9);
    thud_assert_near(thud_time_of_contact(plane, &turning, sphere, &still, 0, 10), exact, 1e-9);
    thud_assert_at_most(thud_time_of_contact(plane, &turning, sphere, &still, 0, 10), exact + 1e-14);
  }
  thud_shape_destroy(plane);
  thud_shape_destroy(sphere);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_meet_at_the_root_of_a_quadratic),
      cmocka_unit_test(moving_solids_are_never_late),
      cmocka_unit_test(a_turning_plane_reaches_a_sphere_in_time),
      cmocka_unit_test(a_bullet_does_not_pass_a_thin_wall),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
