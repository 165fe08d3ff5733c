/* Touches of shapes in the plane: closed forms, and features that stay under noise. */
#include "geom/planar.h"
#include "planar_shapes.h"
#include "testing.h"

/* ---- closed forms ---------------------------------------------------------------------------------------------------------- */

static void assert_touch(const thud_touch *touch, double gap, double normal_x, double normal_y) {
  thud_assert_near(touch->gap, gap, 1e-14);
  thud_assert_near(touch->normal.x, normal_x, 1e-14);
  thud_assert_near(touch->normal.y, normal_y, 1e-14);
}

static void squares_have_the_gaps_of_their_corners_and_faces(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *square = thud_test_rectangle(context, 0.5, 0.5);
  thud_touch touches[THUD_MANIFOLD_MAX];
  const thud_pose origin = thud_test_planar_pose(0, 0, 0);
  thud_pose pose = thud_test_planar_pose(1.3, 1.4, 0); /* corner to corner: a triangle of 3, 4, 5 */
  thud_assert_equal(thud_planar_collide(square, &pose, square, &origin, 0.6, touches), 1);
  assert_touch(&touches[0], 0.5, 0.6, 0.8);
  thud_assert_equal(thud_planar_collide(square, &pose, square, &origin, 0.49, touches), 0);
  pose = thud_test_planar_pose(0.25, 1.125, 0); /* parallel faces within the margin */
  thud_assert_equal(thud_planar_collide(square, &pose, square, &origin, 0.2, touches), 2);
  for (int k = 0; k < 2; k++) assert_touch(&touches[k], 0.125, 0, 1);
  thud_assert_near(touches[0].on_b.x, -0.25, 1e-15);
  thud_assert_near(touches[1].on_b.x, 0.5, 1e-15);
  thud_assert_near(touches[1].on_a.y, 0.625, 1e-15);
  pose = thud_test_planar_pose(0.75, 0.25, 0); /* overlapping: 0.25 by 0.75 */
  thud_assert_equal(thud_planar_collide(square, &pose, square, &origin, 0, touches), 2);
  for (int k = 0; k < 2; k++) assert_touch(&touches[k], -0.25, 1, 0);
  pose = thud_test_planar_pose(0, 0.5 + sqrt(0.5) - 0.01, 0.25 * THUD_TEST_PI); /* corner in the middle of a face */
  thud_assert_equal(thud_planar_collide(square, &pose, square, &origin, 0, touches), 1);
  assert_touch(&touches[0], -0.01, 0, 1);
  thud_assert_near(touches[0].on_a.x, 0, 1e-15);
  thud_shape_destroy(square);
  thud_test_context_end(context);
}

/* Over and under the middle of a wall, and off its end. */
static void a_segment_pushes_to_the_side_of_the_centre(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double ends[] = {-5, 0, 0, 5, 0, 0}, corners[] = {-3, 0, 0, 3, 0, 0, 0, 3, 0};
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_SEGMENT);
  def.point_count = 2;
  def.points = ends;
  thud_shape *wall = thud_test_shape(context, def);
  def = thud_shape_def_default(THUD_SHAPE_POLYGON);
  def.point_count = 3;
  def.points = corners;
  thud_shape *triangle = thud_test_shape(context, def), *square = thud_test_rectangle(context, 0.5, 0.5);
  const thud_pose origin = thud_test_planar_pose(0, 0, 0);
  thud_touch touch;
  for (int below = 0; below < 2; below++) {
    double sign = below ? -1 : 1;
    thud_pose pose = thud_test_planar_pose(1, sign * 0.125, 0);
    thud_planar_distance(square, &pose, wall, &origin, &touch);
    assert_touch(&touch, -0.375, 0, sign);
    thud_planar_distance(wall, &origin, square, &pose, &touch);
    assert_touch(&touch, -0.375, 0, -sign);
    /* the tip has crossed the wall; the centre, a third of the height from the base, has not: back is the longer way */
    pose = thud_test_planar_pose(0, sign * 1.25, below ? 0 : THUD_TEST_PI);
    thud_planar_distance(triangle, &pose, wall, &origin, &touch);
    assert_touch(&touch, -1.75, 0, sign);
  }
  thud_pose pose = thud_test_planar_pose(5.25, 0.125, 0);
  thud_planar_distance(square, &pose, wall, &origin, &touch);
  assert_touch(&touch, -0.25, 1, 0);
  thud_shape_destroy(wall);
  thud_shape_destroy(triangle);
  thud_shape_destroy(square);
  thud_test_context_end(context);
}

static void half_planes_and_particles_do_not_touch_their_like(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *floor = thud_test_shape(context, thud_shape_def_default(THUD_SHAPE_HALF_PLANE));
  thud_shape *particle = thud_test_shape(context, thud_shape_def_default(THUD_SHAPE_DISC));
  thud_touch touches[THUD_MANIFOLD_MAX];
  const thud_pose origin = thud_test_planar_pose(0, 0, 0), turned = thud_test_planar_pose(0, 1, 3);
  thud_assert_equal(thud_planar_collide(floor, &origin, floor, &turned, 1, touches), 0);
  thud_assert_equal(thud_planar_distance(floor, &origin, floor, &turned, touches), -INFINITY);
  assert_true(isfinite(touches[0].on_a.x) && isfinite(touches[0].on_b.y));
  thud_assert_equal(thud_planar_collide(particle, &origin, particle, &turned, 2, touches), 0);
  thud_assert_equal(thud_planar_distance(particle, &origin, particle, &turned, touches), 1);
  thud_assert_equal(thud_planar_collide(particle, &turned, floor, &origin, 1, touches), 1);
  assert_touch(&touches[0], 1, 0, 1);
  thud_shape_destroy(floor);
  thud_shape_destroy(particle);
  thud_test_context_end(context);
}

/* ---- features ---------------------------------------------------------------------------------------------------------- */

typedef struct scene {
  const thud_shape *a, *b;
  thud_pose pose_a, pose_b;
} scene;

static void jolt(thud_random *random, double noise, thud_pose *pose) {
  double angle = 2 * atan2(pose->rotation.z, pose->rotation.w) + noise * thud_random_uniform(random, -1, 1);
  *pose = thud_test_planar_pose(pose->position.x + noise * thud_random_uniform(random, -1, 1),
                                pose->position.y + noise * thud_random_uniform(random, -1, 1), angle);
}

/* The same touches, in the same order, under noise of the poses far below the margin. */
static void assert_steady(const char *what, const scene *s, size_t expected) {
  thud_random random = thud_random_seed(7);
  thud_touch before[THUD_MANIFOLD_MAX], now[THUD_MANIFOLD_MAX];
  size_t count = thud_planar_collide(s->a, &s->pose_a, s->b, &s->pose_b, 1e-3, before);
  if (count != expected) print_message("%s: %zu touches\n", what, count);
  thud_assert_equal(count, expected);
  for (int round = 0; round < 1000; round++) {
    scene moved = *s;
    double noise = pow(10, thud_random_uniform(&random, -13, -9));
    jolt(&random, noise, &moved.pose_a);
    jolt(&random, noise, &moved.pose_b);
    size_t again = thud_planar_collide(moved.a, &moved.pose_a, moved.b, &moved.pose_b, 1e-3, now);
    if (again != count || now[0].feature != before[0].feature) print_message("%s, noise %g\n", what, noise);
    thud_assert_equal(again, count);
    for (size_t k = 0; k < count; k++) {
      thud_assert_equal(now[k].feature, before[k].feature);
      thud_assert_near(now[k].gap, before[k].gap, 50 * noise);
    }
  }
}

/* One shape above another, both turned together by an angle about the origin. */
static scene stacked(const thud_shape *a, double x, double y, double turn_of_a, const thud_shape *b, double angle) {
  double c = cos(angle), d = sin(angle);
  return (scene){a, b, thud_test_planar_pose(c * x - d * y, d * x + c * y, angle + turn_of_a),
                 thud_test_planar_pose(0, 0, angle)};
}

static void resting_shapes_keep_their_features(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_PLANAR_CAPSULE);
  def.radius = 0.25;
  def.half_length = 0.5;
  thud_shape *capsule = thud_test_shape(context, def), *square = thud_test_rectangle(context, 0.5, 0.5);
  thud_shape *floor = thud_test_shape(context, thud_shape_def_default(THUD_SHAPE_HALF_PLANE));
  thud_shape *brick = thud_test_rectangle(context, 1, 0.25), *ground = thud_test_rectangle(context, 50, 0.5);
  thud_shape *hexagon = thud_test_regular(context, 6, 1, 0),
             *triangle = thud_test_regular(context, 3, 1, 0.5 * THUD_TEST_PI);
  const double ends[] = {-3, 0, 0, 4, 0, 0};
  def = thud_shape_def_default(THUD_SHAPE_SEGMENT);
  def.point_count = 2;
  def.points = ends;
  thud_shape *wall = thud_test_shape(context, def);
  for (int turn = 0; turn < 24; turn++) {
    double angle = turn * THUD_TEST_PI / 12;
    const struct {
      const char *name;
      scene s;
      size_t touches;
    } cases[] = {
        {"equal squares", stacked(square, 0, 1, 0, square, angle), 2},
        {"equal squares, turned", stacked(square, 0, 1, 0.5 * THUD_TEST_PI, square, angle), 2},
        {"equal squares, a little above", stacked(square, 0, 1 + 1e-7, 0, square, angle), 2},
        {"equal squares, a little below", stacked(square, 0, 1 - 1e-7, 0, square, angle), 2},
        {"bricks of a wall", stacked(brick, 1, 0.5, 0, brick, angle), 2},
        {"narrow on wide, flush", stacked(square, 0.5, 0.75, 0, brick, angle), 2},
        {"wide on narrow", stacked(brick, 0.2, 0.75, 0, square, angle), 2},
        {"square on the ground", stacked(square, 30, 1, 0, ground, angle), 2},
        {"square on the floor", stacked(square, 7, 0.5, 0, floor, angle), 2},
        {"square on a wall", stacked(square, 1, 0.5, 0, wall, angle), 2},
        {"square flush with the end of a wall", stacked(square, 3.5, 0.5, 0, wall, angle), 2},
        {"lying capsule on the ground", stacked(capsule, 1, 0.75, 0.5 * THUD_TEST_PI, ground, angle), 2},
        {"lying capsule on the floor", stacked(capsule, 1, 0.25, 0.5 * THUD_TEST_PI, floor, angle), 2},
        {"two capsules", stacked(capsule, 0.5, 0, 0, capsule, angle), 2},
        {"two capsules, one higher", stacked(capsule, 0.5, 0.3, 0, capsule, angle), 2},
        {"hexagon on the ground", stacked(hexagon, 1, 0.5 + sqrt(0.75), 0, ground, angle), 2},
        {"hexagons", stacked(hexagon, 0, 2 * sqrt(0.75), 0, hexagon, angle), 2},
        {"triangle on the floor", stacked(triangle, 1, 0.5, 0, floor, angle), 2},
        {"square on its corner on the floor", stacked(square, 1, sqrt(0.5), 0.25 * THUD_TEST_PI, floor, angle), 1},
        {"square on its corner on the ground", stacked(square, 1, 0.5 + sqrt(0.5), 0.25 * THUD_TEST_PI, ground, angle),
         1},
        {"corner over corner", stacked(square, 1, 1, 0, square, angle), 1},
    };
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k += THUD_TEST_STRIDE(5))
      assert_steady(cases[k].name, &cases[k].s, cases[k].touches);
  }
  thud_shape *const all[] = {capsule, square, floor, brick, ground, hexagon, triangle, wall};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) thud_shape_destroy(all[k]);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(squares_have_the_gaps_of_their_corners_and_faces),
      cmocka_unit_test(a_segment_pushes_to_the_side_of_the_centre),
      cmocka_unit_test(half_planes_and_particles_do_not_touch_their_like),
      cmocka_unit_test(resting_shapes_keep_their_features),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
