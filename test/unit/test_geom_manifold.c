/* Contacts of resting shapes: where they are, and that they do not change with noise. */
#include "geom_pairs.h"
#include "testing.h"

#include <string.h>

static const double PI = 3.14159265358979323846;

static thud_shape *make(thud_context *context, thud_shape_kind kind, double x, double y, double z) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.half[0] = x;
  def.half[1] = y;
  def.half[2] = z;
  def.radius = x;
  def.half_length = z;
  double points[24];
  for (int i = 0; i < 8; i++)
    thud_vec3_store(thud_vec3_make(i & 1 ? x : -x, i & 2 ? y : -y, i & 4 ? z : -z), points + 3 * i);
  def.points = points;
  def.point_count = 8;
  thud_shape *shape = NULL;
  assert_int_equal(thud_shape_create(context, &def, &shape), THUD_OK);
  return shape;
}

static thud_pose pose_of(double x, double y, double z, thud_vec3 turn) {
  thud_pose pose = {thud_vec3_make(x, y, z), thud_quat_from_rotation_vector(turn)};
  return pose;
}

static thud_pose with_noise(thud_random *random, thud_pose pose, double noise) {
  thud_vec3 shift = {thud_random_uniform(random, -noise, noise), thud_random_uniform(random, -noise, noise),
                     thud_random_uniform(random, -noise, noise)};
  thud_vec3 turn = {thud_random_uniform(random, -noise, noise), thud_random_uniform(random, -noise, noise),
                    thud_random_uniform(random, -noise, noise)};
  pose.position = thud_vec3_add(pose.position, shift);
  pose.rotation = thud_quat_integrate(pose.rotation, turn, 1);
  return pose;
}

/* ---- noise ------------------------------------------------------------------------------------------------------------- */

static void sorted_features(size_t count, const thud_touch *touches, uint32_t *features) {
  for (size_t i = 0; i < count; i++) {
    size_t j = i;
    for (; j > 0 && features[j - 1] > touches[i].feature; j--) features[j] = features[j - 1];
    features[j] = touches[i].feature;
  }
}

/* A pair at rest, seen from any side, keeps its features under noise of 1e-13 to 1e-9. */
static void stays_the_same(const thud_shape *a, thud_pose pose_a, const thud_shape *b, thud_pose pose_b,
                           size_t expected) {
  thud_random random = thud_random_seed(7);
  for (int view = 0; view < 12; view++) {
    thud_pose turn = pose_of(0.1 * view, 0, 0, thud_vec3_make(0.3 * view, 0.2 * view, -0.1 * view));
    thud_pose at_a = thud_pose_compose(&turn, &pose_a), at_b = thud_pose_compose(&turn, &pose_b);
    uint32_t first[THUD_MANIFOLD_MAX];
    for (int i = 0; i < 60; i++) {
      double noise = pow(10, -13 + i % 5);
      thud_pose noisy_a = with_noise(&random, at_a, noise), noisy_b = with_noise(&random, at_b, noise);
      thud_touch touches[THUD_MANIFOLD_MAX];
      uint32_t features[THUD_MANIFOLD_MAX];
      size_t count;
      thud_collide(a, &noisy_a, b, &noisy_b, 0.01, THUD_MANIFOLD_MAX, touches, &count);
      thud_assert_equal(count, expected);
      sorted_features(count, touches, i == 0 ? first : features);
      for (size_t k = 0; i > 0 && k < count; k++) thud_assert_equal(features[k], first[k]);
    }
  }
}

static void boxes_at_rest_keep_their_features(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_vec3 none = {0, 0, 0}, yaw = {0, 0, 0.5}, quarter = {0, 0, 0.5 * PI}, eighth = {0, 0, 0.25 * PI};
  for (int hull = 0; hull < 2; hull++) {
    thud_shape_kind kind = hull ? THUD_SHAPE_HULL : THUD_SHAPE_BOX;
    thud_shape *brick = make(context, kind, 1, 0.5, 0.25), *slab = make(context, kind, 2, 2, 0.5);
    thud_shape *cube = make(context, kind, 0.5, 0.5, 0.5);
    thud_pose origin = pose_of(0, 0, 0, none);
    for (int k = -1; k <= 1; k++) { /* overlapping, touching and apart by 1e-6 */
      double gap = 1e-6 * k;
      stays_the_same(brick, pose_of(0, 0, 0.5 + gap, none), brick, origin, 4);
      stays_the_same(brick, pose_of(1, 0, 0.5 + gap, none), brick, origin, 4);
      stays_the_same(brick, pose_of(0, 0, 0.5 + gap, quarter), brick, origin, 4);
      stays_the_same(brick, pose_of(0, 0, 0.5 + gap, yaw), brick, origin, 4);
      stays_the_same(brick, pose_of(2 + gap, 0, 0, none), brick, origin, 4);
      stays_the_same(brick, pose_of(0.3, 0.2, 0.75 + gap, yaw), slab, origin, 4);
      stays_the_same(slab, pose_of(0.3, 0.2, 0.75 + gap, yaw), brick, origin, 4);
      stays_the_same(cube, pose_of(0, 0, 1 + gap, eighth), cube, origin, 4);
      stays_the_same(cube, pose_of(1.75, 1.75, 1 + gap, none), slab, origin, 4);
    }
    thud_shape_destroy(brick);
    thud_shape_destroy(slab);
    thud_shape_destroy(cube);
  }
  thud_test_context_end(context);
}

/* Tilts of 1e-9 to 1e-3, apart, touching and overlapping: edges cross first, but all four corners are within the margin. */
static void tilted_solids_that_lie_on_each_other_keep_all_contacts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  for (int hull = 0; hull < 2; hull++) {
    thud_shape_kind kind = hull ? THUD_SHAPE_HULL : THUD_SHAPE_BOX;
    thud_shape *cube = make(context, kind, 0.5, 0.5, 0.5), *brick = make(context, kind, 1, 0.6, 0.5);
    for (int i = 0; i < 600; i++) {
      const thud_shape *upper = i % 2 ? cube : brick;
      double tilt = pow(10, -9 + 6 * thud_random_uniform(&random, 0, 1)), gap = 2e-3 * (i % 3 - 1);
      thud_vec3 turn = {thud_random_uniform(&random, -tilt, tilt), thud_random_uniform(&random, -tilt, tilt),
                        thud_random_uniform(&random, -tilt, tilt)};
      thud_pose above = pose_of(0.13, 0.07, 1 + gap, turn), origin = thud_pose_identity();
      thud_touch touches[THUD_MANIFOLD_MAX];
      uint32_t features[THUD_MANIFOLD_MAX], flat[THUD_MANIFOLD_MAX];
      size_t count;
      thud_pose level = pose_of(0.13, 0.07, 1 + gap, thud_vec3_make(0, 0, 0));
      thud_collide(upper, &level, cube, &origin, 0.01, THUD_MANIFOLD_MAX, touches, &count);
      thud_assert_equal(count, 4);
      sorted_features(count, touches, flat);
      thud_collide(upper, &above, cube, &origin, 0.01, THUD_MANIFOLD_MAX, touches, &count);
      thud_assert_equal(count, 4);
      sorted_features(count, touches, features);
      for (size_t k = 0; k < 4; k++) {
        thud_assert_equal(features[k], flat[k]);
        thud_assert_near(touches[k].gap, gap, 2.5 * tilt);
        thud_assert_near(touches[k].normal.z, 1, 1.5 * tilt * tilt + 1e-15);
        thud_vec3 between = thud_vec3_subtract(touches[k].on_a, touches[k].on_b);
        thud_assert_at_most(thud_vec3_distance(between, thud_vec3_scale(touches[k].gap, touches[k].normal)), 1e-14);
      }
    }
    thud_shape_destroy(cube);
    thud_shape_destroy(brick);
  }
  thud_test_context_end(context);
}

/* Nearly parallel capsules beside each other: the ends of their common part have the normal of the closest points, and no
 * smaller gap; up to angles of 1e-3 both are there. */
static void nearly_parallel_capsules_share_a_normal(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  thud_shape *capsule = make(context, THUD_SHAPE_CAPSULE, 0.2, 1, 1);
  for (int i = 0; i < 600; i++) {
    double tilt = pow(10, thud_random_uniform(&random, -6, -1.1)), gap = 0.01 * (i % 3 - 1);
    thud_vec3 turn = {thud_random_uniform(&random, -tilt, tilt), thud_random_uniform(&random, -tilt, tilt), 0};
    thud_pose beside = pose_of(0.4 + gap, 0, thud_random_uniform(&random, -1.5, 1.5), turn);
    thud_pose origin = thud_pose_identity();
    thud_touch touches[THUD_MANIFOLD_MAX], closest;
    size_t count;
    double distance = thud_distance(capsule, &beside, capsule, &origin, &closest);
    thud_collide(capsule, &beside, capsule, &origin, 0.5, THUD_MANIFOLD_MAX, touches, &count);
    if (tilt < 1e-3) assert_true(count >= 2);
    double least = INFINITY;
    for (size_t k = 0; k < count; k++) {
      thud_assert_at_most(thud_vec3_distance(touches[k].normal, closest.normal), 1e-14);
      thud_assert_at_most(distance, touches[k].gap + 1e-14);
      least = fmin(least, touches[k].gap);
    }
    thud_assert_near(least, distance, 1e-10);
  }
  thud_shape_destroy(capsule);
  thud_test_context_end(context);
}

static void solids_on_planes_keep_their_features(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *plane = make(context, THUD_SHAPE_PLANE, 1, 1, 1), *box = make(context, THUD_SHAPE_BOX, 1, 0.5, 0.25);
  thud_shape *slab = make(context, THUD_SHAPE_BOX, 2, 2, 0.5), *capsule = make(context, THUD_SHAPE_CAPSULE, 0.2, 1, 1);
  thud_shape *cylinder = make(context, THUD_SHAPE_CYLINDER, 0.5, 1, 1),
             *cone = make(context, THUD_SHAPE_CONE, 0.5, 1, 1);
  thud_vec3 none = {0, 0, 0}, lying = {0, 0.5 * PI, 0};
  thud_pose origin = pose_of(0, 0, 0, none), below = pose_of(0, 0, -0.5, none);
  stays_the_same(box, pose_of(0, 0, 0.25, none), plane, origin, 4);
  stays_the_same(cylinder, pose_of(0, 0, 1, none), plane, origin, 4);
  stays_the_same(cylinder, pose_of(0, 0, 0.5, lying), plane, origin, 2);
  stays_the_same(cone, pose_of(0, 0, 1, none), plane, origin, 4);
  stays_the_same(capsule, pose_of(0, 0, 0.2, lying), plane, origin, 2);
  for (int k = -1; k <= 1; k++) {
    double gap = 1e-6 * k;
    stays_the_same(cylinder, pose_of(0, 0, 1 + gap, none), slab, below, 4);
    stays_the_same(cylinder, pose_of(0, 0, 0.5 + gap, lying), slab, below, 2);
    stays_the_same(cone, pose_of(0, 0, 1 + gap, none), slab, below, 4);
    stays_the_same(capsule, pose_of(0, 0, 0.2 + gap, lying), slab, below, 2);
    stays_the_same(capsule, pose_of(0.4 + gap, 0, 0, none), capsule, origin, 2);
  }
  thud_shape *all[] = {plane, box, slab, capsule, cylinder, cone};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) thud_shape_destroy(all[i]);
  thud_test_context_end(context);
}

/* ---- where ---------------------------------------------------------------------------------------------------------------- */

/* Places of contacts of flat faces. The direction of curved surfaces is known to the root of the duality gap of 1e-13. */
#define FLAT 1e-12
#define CURVED 1e-6

/* The contacts have the gap and, in any order, the given places (x, y). */
static void touches_at(const thud_shape *a, thud_pose pose_a, const thud_shape *b, thud_pose pose_b, double gap,
                       double tolerance, size_t count, const double (*places)[2]) {
  thud_touch touches[THUD_MANIFOLD_MAX];
  size_t found;
  thud_collide(a, &pose_a, b, &pose_b, 0.01, THUD_MANIFOLD_MAX, touches, &found);
  thud_assert_equal(found, count);
  for (size_t i = 0; i < count; i++) {
    double nearest = INFINITY;
    for (size_t k = 0; k < count; k++)
      nearest = fmin(nearest, hypot(touches[k].on_a.x - places[i][0], touches[k].on_a.y - places[i][1]));
    thud_assert_at_most(nearest, tolerance);
    thud_assert_near(touches[i].gap, gap, 1e-12);
    thud_assert_near(touches[i].normal.z, 1, 1e-14);
    thud_assert_near(touches[i].on_a.z - touches[i].on_b.z, gap, 1e-12);
  }
}

static void faces_on_faces_touch_at_the_corners_of_their_common_part(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *slab = make(context, THUD_SHAPE_BOX, 2, 2, 1), *box = make(context, THUD_SHAPE_BOX, 1, 0.5, 0.25);
  thud_shape *cylinder = make(context, THUD_SHAPE_CYLINDER, 0.5, 1, 1),
             *cone = make(context, THUD_SHAPE_CONE, 0.5, 1, 1);
  thud_shape *capsule = make(context, THUD_SHAPE_CAPSULE, 0.2, 1, 1);
  thud_vec3 none = {0, 0, 0}, lying = {0, 0.5 * PI, 0};
  thud_pose below = pose_of(0, 0, -1, none);
  const double gaps[] = {-1e-3, 0, 1e-3};
  for (int i = 0; i < 3; i++) {
    double gap = gaps[i];
    touches_at(box, pose_of(0, 0, 0.25 + gap, none), slab, below, gap, FLAT, 4,
               (const double[][2]){{1, 0.5}, {1, -0.5}, {-1, 0.5}, {-1, -0.5}});
    touches_at(box, pose_of(1.5, 2, 0.25 + gap, none), slab, below, gap, FLAT, 4,
               (const double[][2]){{0.5, 1.5}, {2, 1.5}, {0.5, 2}, {2, 2}}); /* over two edges of the slab */
    touches_at(cylinder, pose_of(0, 0, 1 + gap, none), slab, below, gap, FLAT, 4,
               (const double[][2]){{0.5, 0}, {0, 0.5}, {-0.5, 0}, {0, -0.5}});
    touches_at(cylinder, pose_of(1.5, 0, 0.5 + gap, lying), slab, below, gap, FLAT, 2,
               (const double[][2]){{0.5, 0}, {2, 0}});
    touches_at(cone, pose_of(0, 0, 1 + gap, none), slab, below, gap, FLAT, 4,
               (const double[][2]){{0.5, 0}, {0, 0.5}, {-0.5, 0}, {0, -0.5}});
    touches_at(capsule, pose_of(1.5, 0, 0.2 + gap, lying), slab, below, gap, FLAT, 2,
               (const double[][2]){{0.5, 0}, {2, 0}});
  }
  thud_shape *all[] = {slab, box, cylinder, cone, capsule};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) thud_shape_destroy(all[i]);
  thud_test_context_end(context);
}

static void lines_on_lines_touch_at_the_ends_of_their_common_part(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *cylinder = make(context, THUD_SHAPE_CYLINDER, 0.5, 1, 1),
             *cone = make(context, THUD_SHAPE_CONE, 0.5, 1, 1);
  thud_shape *beam = make(context, THUD_SHAPE_BOX, 1, 0.5, 0.5),
             *capsule = make(context, THUD_SHAPE_CAPSULE, 0.25, 1, 1);
  thud_vec3 lying = {0, 0.5 * PI, 0}, ridge = {0.25 * PI, 0, 0};
  thud_pose below = pose_of(0, 0, 0, lying), roof = pose_of(0, 0, 0, ridge);
  const double gaps[] = {-1e-3, 0, 1e-3};
  for (int i = 0; i < 3; i++) {
    double gap = gaps[i];
    touches_at(cylinder, pose_of(0.5, 0, 1 + gap, lying), cylinder, below, gap, CURVED, 2,
               (const double[][2]){{-0.5, 0}, {1, 0}});
    touches_at(capsule, pose_of(0.5, 0, 0.75 + gap, lying), cylinder, below, gap, CURVED, 2,
               (const double[][2]){{-0.5, 0}, {1, 0}});
    touches_at(cylinder, pose_of(0.5, 0, 0.5 + sqrt(0.5) + gap, lying), beam, roof, gap, CURVED, 2,
               (const double[][2]){{-0.5, 0}, {1, 0}});
    stays_the_same(cylinder, pose_of(0.5, 0, 1 + 1e-3 * gap, lying), cylinder, below, 2);
  }
  /* a cone on its side on a cylinder: the line is from the tip to the rim, 2 along the axis and 0.5 across it */
  double tilt = atan(0.25), length = hypot(2, 0.5);
  thud_pose side = pose_of(0, 0, 0, thud_vec3_make(0, 0.5 * PI + tilt, 0));
  thud_vec3 tip = thud_quat_rotate(side.rotation, thud_vec3_make(0, 0, 1));
  side.position = thud_vec3_make(0.5 * length - tip.x, 0, 0.5 - tip.z);
  touches_at(cone, side, cylinder, below, 0, CURVED, 2, (const double[][2]){{-1, 0}, {1, 0}});
  thud_shape *all[] = {cylinder, cone, beam, capsule};
  for (size_t i = 0; i < sizeof all / sizeof *all; i++) thud_shape_destroy(all[i]);
  thud_test_context_end(context);
}

/* Inside of an ellipsoid, on the plane across its shortest axis: x_i = e_i^2 y_i/(e_i^2 - e_min^2), and up to the surface. */
static void a_particle_on_the_middle_plane_leaves_an_ellipsoid_by_the_normal(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *particle = make(context, THUD_SHAPE_SPHERE, 0, 0, 0),
             *ellipsoid = make(context, THUD_SHAPE_ELLIPSOID, 3, 2, 1);
  thud_pose origin = thud_pose_identity(), at = pose_of(1, 0.5, 0, thud_vec3_make(0, 0, 0));
  double x = 9.0 / 8, y = 2.0 / 3, z = sqrt(1 - x * x / 9 - y * y / 4);
  thud_touch touch;
  size_t count;
  thud_collide(particle, &at, ellipsoid, &origin, 0, 1, &touch, &count);
  thud_assert_equal(count, 1);
  thud_assert_near(touch.gap, -sqrt((x - 1) * (x - 1) + (y - 0.5) * (y - 0.5) + z * z), 1e-15);
  thud_assert_near(touch.on_b.x, x, 1e-15);
  thud_assert_near(touch.on_b.y, y, 1e-15);
  thud_assert_near(fabs(touch.on_b.z), z, 1e-15);
  thud_shape_destroy(particle);
  thud_shape_destroy(ellipsoid);
  thud_test_context_end(context);
}

static void small_solids_on_a_huge_slab_touch_at_their_corners(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_shape_kind kinds[] = {THUD_SHAPE_BOX, THUD_SHAPE_HULL};
  thud_vec3 none = {0, 0, 0};
  for (int i = 0; i < 4; i++) {
    thud_shape *slab = make(context, kinds[i / 2], 1e3, 1e3, 1),
               *small = make(context, kinds[i % 2], 0.01, 0.005, 0.002);
    for (int k = -1; k <= 1; k++)
      touches_at(small, pose_of(512, -256, 0.002 + 1e-6 * k, none), slab, pose_of(0, 0, -1, none), 1e-6 * k, FLAT, 4,
                 (const double[][2]){{512.01, -255.995}, {512.01, -256.005}, {511.99, -255.995}, {511.99, -256.005}});
    thud_shape_destroy(slab);
    thud_shape_destroy(small);
  }
  thud_test_context_end(context);
}

/* A prism whose base has more corners than a clipped face has room for. */
static void a_prism_of_a_hundred_sides_stands_on_four_points(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double points[600];
  for (int i = 0; i < 200; i++) {
    double angle = PI * (i % 100) / 50;
    thud_vec3_store(thud_vec3_make(cos(angle), sin(angle), i < 100 ? -1 : 1), points + 3 * i);
  }
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HULL);
  def.points = points;
  def.point_count = 200;
  thud_shape *prism = NULL;
  assert_int_equal(thud_shape_create(context, &def, &prism), THUD_OK);
  thud_shape *others[] = {make(context, THUD_SHAPE_BOX, 2, 2, 1), make(context, THUD_SHAPE_PLANE, 1, 1, 1)};
  for (int i = 0; i < 2; i++) {
    thud_pose at = pose_of(0, 0, 1 - 1e-4, thud_vec3_make(0, 0, 0)),
              below = pose_of(0, 0, i - 1, thud_vec3_make(0, 0, 0));
    thud_touch touches[THUD_MANIFOLD_MAX];
    size_t count;
    thud_collide(prism, &at, others[i], &below, 0.01, THUD_MANIFOLD_MAX, touches, &count);
    thud_assert_equal(count, 4);
    double width = 0; /* the largest distance of two: nearly the diameter */
    for (size_t k = 0; k < 4; k++) {
      thud_assert_near(touches[k].gap, -1e-4, 1e-12);
      thud_assert_near(hypot(touches[k].on_a.x, touches[k].on_a.y), 1, 1e-12);
      for (size_t m = 0; m < k; m++) {
        thud_assert_different(touches[k].feature, touches[m].feature);
        width = fmax(width, thud_vec3_distance(touches[k].on_a, touches[m].on_a));
      }
    }
    thud_assert_at_least(width, 2 * (1 - 1e-2));
    thud_shape_destroy(others[i]);
  }
  thud_shape_destroy(prism);
  thud_test_context_end(context);
}

/* A slab as a mesh: contacts from either side, and distances; a rectangle in the plane. */
static void surfaces_and_planar_shapes_are_reached(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double points[] = {-2, -2, 0, 2, -2, 0, 2, 2, 0, -2, 2, 0};
  const thud_index triangles[] = {0, 1, 2, 0, 2, 3};
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_MESH);
  def.points = points;
  def.point_count = 4;
  def.triangles = triangles;
  def.triangle_count = 2;
  def.open = true;
  thud_shape *mesh = NULL;
  assert_int_equal(thud_shape_create(context, &def, &mesh), THUD_OK);
  thud_shape *sphere = make(context, THUD_SHAPE_SPHERE, 0.5, 0, 0), *disc = make(context, THUD_SHAPE_DISC, 0.5, 0, 0);
  thud_pose origin = thud_pose_identity(), above = pose_of(0.5, 0.25, 0.75, thud_vec3_make(0, 0, 0));
  thud_touch one, other;
  size_t count;
  thud_collide(sphere, &above, mesh, &origin, 0.5, 1, &one, &count);
  thud_assert_equal(count, 1);
  thud_collide(mesh, &origin, sphere, &above, 0.5, 1, &other, &count);
  thud_assert_equal(count, 1);
  thud_assert_near(one.gap, 0.25, 1e-15);
  thud_assert_equal(other.gap, one.gap);
  thud_assert_equal(one.normal.z, 1);
  thud_assert_equal(other.normal.z, -1);
  thud_assert_equal(other.on_b.z, one.on_a.z);
  thud_assert_near(one.on_a.z, 0.25, 1e-15);
  above.position.z = 100;
  thud_assert_near(thud_distance(mesh, &origin, sphere, &above, &other), 99.5, 1e-12);
  thud_assert_equal(other.normal.z, -1);
  above.position = thud_vec3_make(1.5, 0, 0);
  thud_assert_near(thud_distance(disc, &above, disc, &origin, &one), 0.5, 1e-15);
  thud_collide(disc, &above, disc, &origin, 0.6, 1, &one, &count);
  thud_assert_equal(count, 1);
  thud_assert_near(one.normal.x, 1, 1e-15);
  thud_shape_destroy(mesh);
  thud_shape_destroy(sphere);
  thud_shape_destroy(disc);
  thud_test_context_end(context);
}

static void particles_touch_others_but_not_each_other(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *particle = make(context, THUD_SHAPE_SPHERE, 0, 0, 0), *box = make(context, THUD_SHAPE_BOX, 1, 1, 1);
  thud_pose origin = thud_pose_identity(), above = pose_of(0.5, 0, 1 + 1e-3, thud_vec3_make(0, 0, 0));
  thud_touch touch;
  size_t count;
  thud_collide(particle, &above, particle, &above, 1, 1, &touch, &count);
  thud_assert_equal(count, 0);
  thud_assert_near(thud_distance(particle, &above, particle, &origin, NULL), hypot(0.5, 1.001), 1e-15);
  thud_collide(particle, &above, box, &origin, 1, 1, &touch, &count);
  thud_assert_equal(count, 1);
  thud_assert_near(touch.gap, 1e-3, 1e-15);
  thud_assert_near(touch.on_b.z, 1, 0);
  thud_shape_destroy(particle);
  thud_shape_destroy(box);
  thud_test_context_end(context);
}

static void shapes_that_never_meet_have_no_contact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *plane = make(context, THUD_SHAPE_PLANE, 1, 1, 1), *disc = make(context, THUD_SHAPE_DISC, 1, 1, 1);
  thud_shape *sphere = make(context, THUD_SHAPE_SPHERE, 1, 1, 1);
  thud_pose origin = thud_pose_identity();
  size_t count = 9;
  thud_collide(plane, &origin, plane, &origin, 1, 0, NULL, &count);
  thud_assert_equal(count, 0);
  count = 9;
  thud_collide(disc, &origin, sphere, &origin, 1, 0, NULL, &count);
  thud_assert_equal(count, 0);
  assert_true(isinf(thud_distance(plane, &origin, plane, &origin, NULL)));
  assert_true(isinf(thud_distance(sphere, &origin, disc, &origin, NULL)));
  thud_shape_destroy(plane);
  thud_shape_destroy(disc);
  thud_shape_destroy(sphere);
  thud_test_context_end(context);
}

static void the_count_is_whole_when_there_is_no_room(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape *plane = make(context, THUD_SHAPE_PLANE, 1, 1, 1), *box = make(context, THUD_SHAPE_BOX, 1, 1, 1);
  thud_pose origin = thud_pose_identity(), above = pose_of(0, 0, 1, thud_vec3_make(0, 0, 0));
  thud_touch touches[2] = {{.gap = 7}, {.gap = 7}};
  size_t count;
  thud_collide(box, &above, plane, &origin, 0, 1, touches, &count);
  thud_assert_equal(count, 4);
  thud_assert_equal(touches[0].gap, 0);
  thud_assert_equal(touches[1].gap, 7);
  thud_shape_destroy(plane);
  thud_shape_destroy(box);
  thud_test_context_end(context);
}

/* Bodies that have flown off beyond the range of numbers, as in a motion that blows up within a step: where no gap is a number
 * there is no contact, and nothing beside the shapes is read (the sanitizers watch). */
static void poses_beyond_the_range_of_numbers_are_survived(void **state) {
  (void)state;
  static const double places[] = {1e308, -1e308, (double)INFINITY, -(double)INFINITY, (double)NAN, 1e160, 0};
  enum { PLACES = sizeof places / sizeof *places };
  thud_context *context = thud_test_context(1);
  thud_shape *shapes[THUD_SHAPE_HULL + 1], *plane = NULL;
  for (int k = 0; k <= THUD_SHAPE_HULL; k++) shapes[k] = make(context, (thud_shape_kind)k, 1, 1, 1);
  plane = shapes[THUD_SHAPE_PLANE];
  thud_touch touches[16];
  for (int number = 0; number < PLACES * PLACES * PLACES; number++) {
    double x = places[number % PLACES], y = places[number / PLACES % PLACES], z = places[number / PLACES / PLACES];
    thud_pose here = pose_of(x, y, z, thud_vec3_make(0.3, 0.2, 0.1));
    thud_pose tilted = pose_of(0, 0, 0, thud_vec3_make(0.5, -0.4, 0.3));
    for (int k = 0; k <= THUD_SHAPE_HULL; k++)
      for (int other = 0; other <= THUD_SHAPE_HULL; other++) {
        size_t count = 99;
        thud_collide(shapes[k], &here, shapes[other], &tilted, 1, 16, touches, &count);
        thud_assert_at_most(count, THUD_MANIFOLD_MAX);
        if (shapes[other] == plane && k != THUD_SHAPE_PLANE && (isnan(x) || isnan(y) || isnan(z)))
          thud_assert_equal(count, 0);
      }
  }
  for (int k = 0; k <= THUD_SHAPE_HULL; k++) thud_shape_destroy(shapes[k]);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_at_rest_keep_their_features),
      cmocka_unit_test(tilted_solids_that_lie_on_each_other_keep_all_contacts),
      cmocka_unit_test(nearly_parallel_capsules_share_a_normal),
      cmocka_unit_test(solids_on_planes_keep_their_features),
      cmocka_unit_test(faces_on_faces_touch_at_the_corners_of_their_common_part),
      cmocka_unit_test(lines_on_lines_touch_at_the_ends_of_their_common_part),
      cmocka_unit_test(a_particle_on_the_middle_plane_leaves_an_ellipsoid_by_the_normal),
      cmocka_unit_test(small_solids_on_a_huge_slab_touch_at_their_corners),
      cmocka_unit_test(a_prism_of_a_hundred_sides_stands_on_four_points),
      cmocka_unit_test(surfaces_and_planar_shapes_are_reached),
      cmocka_unit_test(particles_touch_others_but_not_each_other),
      cmocka_unit_test(shapes_that_never_meet_have_no_contact),
      cmocka_unit_test(the_count_is_whole_when_there_is_no_room),
      cmocka_unit_test(poses_beyond_the_range_of_numbers_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
