/* The checker's own geometry of rigid bodies: signed distances, by closed forms and by what characterises them. */
#include "testing.h"
#include "thud/base.h"
#include "verify/bodies/verify_bodies_shapes.h"

#include <math.h>

static verify_place random_place(thud_random *random, double spread, bool planar) {
  double q[4];
  for (int k = 0; k < 4; k++) q[k] = thud_random_normal(random);
  if (planar) q[1] = q[2] = 0;
  thud_quat turn = thud_quat_normalise(thud_quat_make(q[0], q[1], q[2], q[3]));
  double z = planar ? 0 : thud_random_uniform(random, -0.5, 0.5);
  thud_vec3 x = thud_vec3_make(thud_random_uniform(random, -0.5, 0.5), thud_random_uniform(random, -0.5, 0.5), z);
  return (verify_place){thud_vec3_scale(2 * spread, x), thud_quat_to_matrix(turn)};
}

static thud_vec3 corners[] = {{0.5, 0, 0}, {-0.3, 0.4, 0.1}, {-0.2, -0.5, 0}, {0, 0.1, 0.6}, {0.1, 0, -0.4}};
static thud_vec3 outline[] = {{0.5, 0, 0}, {0.1, 0.5, 0}, {-0.4, 0.2, 0}, {-0.2, -0.5, 0}};

static const verify_shape solids[] = {
    {.kind = VERIFY_SHAPE_SPHERE, .radius = 0.4},
    {.kind = VERIFY_SHAPE_ELLIPSOID, .half = {0.5, 0.3, 0.2}},
    {.kind = VERIFY_SHAPE_CAPSULE, .radius = 0.15, .half_length = 0.4},
    {.kind = VERIFY_SHAPE_BOX, .half = {0.5, 0.2, 0.3}},
    {.kind = VERIFY_SHAPE_CYLINDER, .radius = 0.3, .half_length = 0.25},
    {.kind = VERIFY_SHAPE_CONE, .radius = 0.3, .half_length = 0.4},
    {.kind = VERIFY_SHAPE_HULL, .point_count = 5, .points = corners},
};
static const verify_shape flats[] = {
    {.kind = VERIFY_SHAPE_DISC, .radius = 0.4},
    {.kind = VERIFY_SHAPE_PLANAR_CAPSULE, .radius = 0.15, .half_length = 0.4},
    {.kind = VERIFY_SHAPE_RECTANGLE, .half = {0.5, 0.2, 0}},
    {.kind = VERIFY_SHAPE_POLYGON, .point_count = 4, .points = outline},
};
enum { SOLIDS = sizeof solids / sizeof *solids, FLATS = sizeof flats / sizeof *flats };

static thud_vec3 random_direction(thud_random *random, bool planar) {
  thud_vec3 n = {1, 0, 0};
  double x = thud_random_normal(random), y = thud_random_normal(random);
  thud_vec3_normalise(thud_vec3_make(x, y, planar ? 0 : thud_random_normal(random)), &n);
  return n;
}

/* The signed distance d is the largest separation over all directions: the returned direction reaches it, no other one
 * exceeds it, and moving one shape by -d along it makes the two touch. */
static void check_pair(const verify_shape *a, const verify_shape *b, thud_random *random, bool planar) {
  verify_place at_a = random_place(random, 0.4, planar), at_b = random_place(random, 0.4, planar);
  verify_gap gap = thud_verify_distance_of(a, &at_a, b, &at_b, planar);
  /* a deep point is as far from very many points of a rim: there the room for points ends first */
  thud_assert_at_most(gap.accuracy, gap.distance > -0.3 ? 1e-6 : 1e-3);
  thud_assert_near(thud_vec3_norm(gap.normal), 1, 1e-12);
  thud_assert_near(thud_verify_separation(a, &at_a, b, &at_b, gap.normal), gap.distance, gap.accuracy + 1e-12);
  for (int k = 0; k < 200; k++)
    thud_assert_at_most(thud_verify_separation(a, &at_a, b, &at_b, random_direction(random, planar)),
                        gap.distance + gap.accuracy + 1e-12);
  verify_place moved = at_a;
  moved.x0 = thud_vec3_add_scaled(at_a.x0, -gap.distance, gap.normal);
  verify_gap touching = thud_verify_distance_of(a, &moved, b, &at_b, planar);
  thud_assert_near(touching.distance, 0, 2 * gap.accuracy + touching.accuracy + 1e-10);
}

static void distances_are_the_largest_separations(void **state) {
  (void)state;
  thud_random random = thud_random_seed(11);
  for (int a = 0; a < SOLIDS; a++)
    for (int b = 0; b < SOLIDS; b++)
      for (int k = 0; k < 40; k += THUD_TEST_STRIDE(8)) check_pair(&solids[a], &solids[b], &random, false);
}

static void planar_distances_are_the_largest_separations(void **state) {
  (void)state;
  thud_random random = thud_random_seed(12);
  for (int a = 0; a < FLATS; a++)
    for (int b = 0; b < FLATS; b++)
      for (int k = 0; k < 100; k += THUD_TEST_STRIDE(8)) check_pair(&flats[a], &flats[b], &random, true);
}

static const verify_place upright = {{0, 0, 0}, {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}}};

static verify_place lifted(double x, double y, double z) {
  verify_place place = upright;
  place.x0 = thud_vec3_make(x, y, z);
  return place;
}

static void closed_forms_are_met(void **state) {
  (void)state;
  const verify_shape *ball = &solids[0], *brick = &solids[3], *can = &solids[4];
  verify_shape ground = {.kind = VERIFY_SHAPE_PLANE}, dot = {.kind = VERIFY_SHAPE_SPHERE};
  verify_place above = lifted(0.1, 0.05, 0.6 - 1e-9), beside = lifted(0.3, 0, 0.4), corner = lifted(1, 1, 1);
  /* two bricks on each other, overlapping by 1e-9 with faces that are parallel */
  thud_assert_near(thud_verify_distance_of(brick, &above, brick, &upright, false).distance, -1e-9, 1e-14);
  /* balls: |d| - 2 r, also when one covers the other's centre */
  thud_assert_near(thud_verify_distance_of(ball, &beside, ball, &upright, false).distance, 0.5 - 0.8, 1e-14);
  thud_assert_near(thud_verify_distance_of(ball, &upright, ball, &upright, false).distance, -0.8, 1e-14);
  /* a corner of a brick and a ball: |(0.5, 0.8, 0.7)| - 0.4 */
  thud_assert_near(thud_verify_distance_of(ball, &corner, brick, &upright, false).distance,
                   sqrt(0.25 + 0.64 + 0.49) - 0.4, 1e-13);
  thud_assert_near(thud_verify_distance_of(ball, &beside, &ground, &upright, false).distance, 0, 1e-15);
  thud_assert_near(thud_verify_distance_of(&ground, &upright, can, &upright, false).distance, -0.25, 1e-15);
  thud_assert_near(thud_verify_distance_of(&ground, &upright, can, &upright, false).normal.z, -1, 0);
  /* points on and in a cylinder: the nearest of rim, top and bottom */
  verify_place inside = lifted(0.1, 0, 0.2);
  thud_assert_near(thud_verify_distance_of(&dot, &inside, can, &upright, false).distance, -0.05, 1e-12);
  thud_assert_near(thud_verify_off_surface(can, &upright, thud_vec3_make(0.3, 0, 0.1), false), 0, 1e-12);
  thud_assert_near(thud_verify_off_surface(can, &upright, thud_vec3_make(0, 0.4, 0.1), false), 0.1, 1e-12);
  thud_assert_near(thud_verify_off_surface(&solids[1], &upright, thud_vec3_make(0, 0, 0.2), false), 0, 1e-15);
}

static void sizes_and_boxes_are_those_of_the_shapes(void **state) {
  (void)state;
  verify_place at = lifted(1, 2, 3);
  verify_box box = thud_verify_shape_box(&solids[2], &at);
  thud_assert_near(box.low.x, 0.85, 1e-15);
  thud_assert_near(box.high.z, 3.55, 1e-15);
  thud_assert_near(thud_verify_shape_thickness(&solids[3]), 0.4, 1e-15);
  thud_assert_near(thud_verify_shape_thickness(&flats[2]), 0.4, 1e-15);
  thud_assert_near(thud_verify_shape_size(&solids[4]), hypot(0.3, 0.25), 1e-15);
  thud_assert_near(thud_verify_shape_size(&solids[6]), hypot(0.1, 0.6), 1e-15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(distances_are_the_largest_separations),
      cmocka_unit_test(planar_distances_are_the_largest_separations),
      cmocka_unit_test(closed_forms_are_met),
      cmocka_unit_test(sizes_and_boxes_are_those_of_the_shapes),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
