/* Shapes: what is refused, support functions, bounds, lengths. */
#include "shape_checks.h"
#include "testing.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* Shapes of the plane stay in it. */
static thud_pose random_pose(thud_random *random, bool planar) {
  thud_pose pose = thud_test_random_pose(random);
  if (!planar) return pose;
  return thud_test_planar_pose(pose.position.x, pose.position.y, 2 * pose.position.z);
}

/* A random def of a kind that has a support function; points[3*12] is room for its points. */
static thud_shape_def random_def(thud_shape_kind kind, thud_random *random, double *points) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = thud_random_uniform(random, 0.1, 2);
  def.half_length = thud_random_uniform(random, 0.1, 2);
  for (int k = 0; k < 3; k++) def.half[k] = thud_random_uniform(random, 0.1, 2);
  def.point_count = kind == THUD_SHAPE_SEGMENT ? 2 : 12;
  def.points = points;
  for (int i = 0; i < 3 * def.point_count; i++) points[i] = thud_random_normal(random);
  return def;
}

static const thud_shape_kind convex_kinds[] = {THUD_SHAPE_SPHERE,  THUD_SHAPE_ELLIPSOID,      THUD_SHAPE_CAPSULE,
                                               THUD_SHAPE_BOX,     THUD_SHAPE_CYLINDER,       THUD_SHAPE_CONE,
                                               THUD_SHAPE_DISC,    THUD_SHAPE_PLANAR_CAPSULE, THUD_SHAPE_RECTANGLE,
                                               THUD_SHAPE_POLYGON, THUD_SHAPE_SEGMENT};
enum { CONVEX_KINDS = sizeof convex_kinds / sizeof *convex_kinds };

/* ---- support functions against membership -------------------------------------------------------------------------- */

/* The value of the support function by a formula of its own. */
static double support_value(const thud_shape_def *def, thud_vec3 d) {
  double radial = hypot(d.x, d.y), r = def->radius, h = def->half_length, most = -INFINITY;
  switch (def->kind) {
  case THUD_SHAPE_SPHERE: return r * thud_vec3_norm(d);
  case THUD_SHAPE_DISC: return r * radial;
  case THUD_SHAPE_ELLIPSOID: return hypot(hypot(def->half[0] * d.x, def->half[1] * d.y), def->half[2] * d.z);
  case THUD_SHAPE_CAPSULE: return r * thud_vec3_norm(d) + h * fabs(d.z);
  case THUD_SHAPE_PLANAR_CAPSULE: return r * radial + h * fabs(d.y);
  case THUD_SHAPE_BOX: return def->half[0] * fabs(d.x) + def->half[1] * fabs(d.y) + def->half[2] * fabs(d.z);
  case THUD_SHAPE_RECTANGLE: return def->half[0] * fabs(d.x) + def->half[1] * fabs(d.y);
  case THUD_SHAPE_CYLINDER: return r * radial + h * fabs(d.z);
  case THUD_SHAPE_CONE: return fmax(h * d.z, r * radial - h * d.z);
  default:
    for (int i = 0; i < def->point_count; i++)
      most = fmax(most, def->points[3 * i] * d.x + def->points[3 * i + 1] * d.y);
    return most;
  }
}

static void support_points_attain_the_support_function(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  for (int k = 0; k < CONVEX_KINDS; k++) {
    for (int trial = 0; trial < 50; trial++) {
      double points[36];
      thud_shape_def def = random_def(convex_kinds[k], &random, points);
      thud_shape *shape = thud_test_shape(context, def);
      for (int i = 0; i < 20; i++) {
        thud_vec3 d = thud_test_random_vec3(&random);
        if (i < 6)
          d = thud_vec3_make(i == 0 ? 1 : i == 1 ? -1 : 0, i == 2 ? 1 : i == 3 ? -1 : 0, i == 4 ? 1 : i == 5 ? -1 : 0);
        thud_vec3 x = thud_shape_support(shape, d);
        thud_assert_near(thud_vec3_dot(x, d), support_value(&def, d), 1e-13);
        thud_assert_at_most(thud_vec3_norm(x), thud_shape_radius(shape) * (1 + 4 * DBL_EPSILON));
        /* the point is of the shape: no half-space that contains the shape leaves it out */
        for (int j = 0; j < 10; j++) {
          thud_vec3 e = thud_test_random_vec3(&random);
          thud_assert_at_most(thud_vec3_dot(x, e), support_value(&def, e) + 1e-13);
        }
        if (thud_shape_is_planar(shape)) thud_assert_equal(x.z, 0);
      }
      thud_shape_destroy(shape);
    }
  }
  thud_test_context_end(context);
}

static void bounds_are_tight(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  for (int k = 0; k < CONVEX_KINDS; k++) {
    for (int trial = 0; trial < 50; trial++) {
      double points[36];
      thud_shape_def def = random_def(convex_kinds[k], &random, points);
      thud_shape *shape = thud_test_shape(context, def);
      thud_pose pose = random_pose(&random, thud_shape_is_planar(shape));
      double margin = thud_random_uniform(&random, 0, 1);
      thud_bounds bounds = thud_shape_bounds(shape, &pose, margin);
      double low[3], high[3], position[3];
      thud_vec3_store(bounds.low, low);
      thud_vec3_store(bounds.high, high);
      thud_vec3_store(pose.position, position);
      for (int axis = 0; axis < 3; axis++) {
        thud_vec3 e = thud_vec3_make(axis == 0, axis == 1, axis == 2);
        thud_vec3 local = thud_quat_rotate_inverse(pose.rotation, e);
        thud_assert_near(high[axis], position[axis] + support_value(&def, local) + margin, 1e-13);
        thud_assert_near(low[axis], position[axis] - support_value(&def, thud_vec3_negate(local)) - margin, 1e-13);
      }
      thud_shape_destroy(shape);
    }
  }
  thud_test_context_end(context);
}

/* ---- lengths --------------------------------------------------------------------------------------------------------- */

static void thickness_is_the_least_extent(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < CONVEX_KINDS - 1; k++) {
    double points[36];
    thud_shape_def def = random_def(convex_kinds[k], &random, points);
    thud_shape *shape = thud_test_shape(context, def);
    double thickness = thud_shape_thickness(shape), least = INFINITY;
    thud_vec3 best = {1, 0, 0};
    for (int i = 0; i < 20000; i++) { /* 10000 anywhere, then around the best one, nearer and nearer */
      thud_vec3 d = thud_test_random_vec3(&random);
      if (i >= 10000) d = thud_vec3_add_scaled(best, pow(0.999, i - 10000), d);
      if (thud_shape_is_planar(shape)) d.z = 0;
      thud_vec3_normalise(d, &d);
      double extent = support_value(&def, d) + support_value(&def, thud_vec3_negate(d));
      thud_assert_at_least(extent, thickness * (1 - 1e-14));
      if (extent < least) best = d;
      least = fmin(least, extent);
    }
    thud_assert_at_most(least, thickness * 1.001);
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

static void unbounded_shapes_reach_everywhere(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_shape_kind kinds[] = {THUD_SHAPE_PLANE, THUD_SHAPE_HALF_PLANE};
  for (int k = 0; k < 2; k++) {
    thud_shape_def def = thud_shape_def_default(kinds[k]);
    def.radius = -1; /* not read */
    thud_shape *shape = thud_test_shape(context, def);
    thud_pose pose = thud_pose_identity();
    thud_bounds bounds = thud_shape_bounds(shape, &pose, 0);
    thud_assert_equal(bounds.low.x, -INFINITY);
    thud_assert_equal(bounds.high.z, INFINITY);
    thud_assert_equal(thud_shape_radius(shape), INFINITY);
    assert_false(thud_shape_may_move(shape));
    assert_true(isnan(thud_shape_support(shape, thud_vec3_make(1, 0, 0)).x));
    thud_assert_equal(thud_shape_get_def(shape).radius, 0);
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

/* ---- names ----------------------------------------------------------------------------------------------------------- */

static void names_and_kinds_belong_together(void **state) {
  (void)state;
  for (int k = 0; k < THUD_SHAPE_KINDS; k++) {
    thud_shape_kind kind = THUD_SHAPE_KINDS;
    assert_true(thud_shape_kind_find(thud_shape_kind_name((thud_shape_kind)k), &kind));
    thud_assert_equal((int)kind, k);
  }
  thud_shape_kind kind = THUD_SHAPE_CONE;
  assert_false(thud_shape_kind_find("sponge", &kind));
  thud_assert_equal((int)kind, (int)THUD_SHAPE_CONE);
  assert_null(thud_shape_kind_name(THUD_SHAPE_KINDS));
  assert_string_equal(thud_shape_kind_name(THUD_SHAPE_HALF_PLANE), "half-plane");
}

/* ---- what is refused ------------------------------------------------------------------------------------------------- */

static void lengths_that_make_no_shape_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def sphere = thud_shape_def_default(THUD_SHAPE_SPHERE);
  sphere.radius = -1;
  thud_test_refuse_shape(context, &sphere, "sphere: the radius is -1; it must be a finite number >= 0");
  sphere.radius = INFINITY;
  thud_test_refuse_shape(context, &sphere, "sphere: the radius is inf; it must be a finite number >= 0");
  sphere.radius = 1e60;
  thud_test_refuse_shape(context, &sphere, "sphere: the radius is 1e+60; lengths are from 1e-50 to 1e+50");
  thud_shape_def capsule = thud_shape_def_default(THUD_SHAPE_CAPSULE);
  thud_test_refuse_shape(context, &capsule, "capsule: the radius is 0; it must be a finite number > 0");
  capsule.radius = 1;
  capsule.half_length = NAN;
  thud_test_refuse_shape(context, &capsule, "capsule: half the length is nan; it must be a finite number > 0");
  thud_shape_def box = thud_shape_def_default(THUD_SHAPE_BOX);
  box.half[0] = box.half[1] = 1;
  thud_test_refuse_shape(context, &box, "box: half the extent along z is 0; it must be a finite number > 0");
  box.kind = THUD_SHAPE_KINDS;
  thud_test_refuse_shape(context, &box, "shape: there is no kind of shape number 16");
  box.size = 0;
  thud_test_refuse_shape(context, &box, "shape: the size field of the def is 0; start from thud_shape_def_default()");
  thud_test_context_end(context);
}

static void degenerate_polygons_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def polygon = thud_shape_def_default(THUD_SHAPE_POLYGON);
  const char *line = "polygon: the points are on a line (to 1e-9 of their extent); a polygon needs an area";
  polygon.point_count = 2;
  polygon.points = (double[]){0, 0, 0, 1, 0, 0};
  thud_test_refuse_shape(context, &polygon, "polygon: there are 2 points; at least 3 are needed");
  polygon.point_count = 3;
  polygon.points = (double[]){0, 0, 0, 1, 1, 0, 2, 2, 0};
  thud_test_refuse_shape(context, &polygon, line);
  polygon.points = (double[]){0, 0, 0, 1, 1 + 1e-10, 0, 2, 2, 0};
  thud_test_refuse_shape(context, &polygon, line);
  polygon.points = (double[]){3, 4, 0, 3, 4, 1, 3, 4, 2};
  thud_test_refuse_shape(context, &polygon, "polygon: all points are equal (3, 4)");
  polygon.points = (double[]){0, 0, 0, 1, NAN, 0, 2, 2, 0};
  thud_test_refuse_shape(
      context, &polygon,
      "polygon: coordinate y of point 1 (counted from 0) is nan; it must be finite and at most 1e+50 in size");
  thud_shape_def segment = thud_shape_def_default(THUD_SHAPE_SEGMENT);
  segment.point_count = 2;
  segment.points = polygon.points = (double[]){3, 4, 0, 3, 4, 1, 3, 4, 2};
  thud_test_refuse_shape(context, &segment, "segment: both ends are (3, 4)");
  segment.point_count = 3;
  thud_test_refuse_shape(context, &segment, "segment: there are 3 points; it has 2 ends");
  thud_test_context_end(context);
}

static void polygons_keep_their_corners_only(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_POLYGON);
  /* a square with a point inside, one on an edge, a corner twice; z is not read */
  def.points = (double[]){1, 1, NAN, 0, 0, 5, 0, 1, 0, 0.5, 0.5, 0, 1, 0, 0, 0.5, 0, 0, 1, 1, 0};
  def.point_count = 7;
  thud_shape *shape = thud_test_shape(context, def);
  thud_shape_def own = thud_shape_get_def(shape);
  thud_assert_equal(own.point_count, 4);
  const double expected[12] = {0, 0, 0, 1, 0, 0, 1, 1, 0, 0, 1, 0};
  for (int i = 0; i < 12; i++) thud_assert_equal(own.points[i], expected[i]);
  thud_shape_destroy(shape);
  thud_test_context_end(context);
}

/* ---- memory ---------------------------------------------------------------------------------------------------------- */

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  thud_random random = thud_random_seed(4);
  for (int k = 0; k < CONVEX_KINDS; k++) {
    double points[36];
    thud_shape_def def = random_def(convex_kinds[k], &random, points);
    thud_assert_at_least(thud_test_sweep_shape(def), 3);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(support_points_attain_the_support_function),
      cmocka_unit_test(bounds_are_tight),
      cmocka_unit_test(thickness_is_the_least_extent),
      cmocka_unit_test(unbounded_shapes_reach_everywhere),
      cmocka_unit_test(names_and_kinds_belong_together),
      cmocka_unit_test(lengths_that_make_no_shape_are_named),
      cmocka_unit_test(degenerate_polygons_are_named),
      cmocka_unit_test(polygons_keep_their_corners_only),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
