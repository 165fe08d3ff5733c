/* Rays against shapes: closed forms of every kind, and random rays against the signed distance of points. */
#include "testing.h"
#include "thud/geom.h"

static thud_shape *make(thud_context *context, const thud_shape_def *def) {
  thud_shape *shape = NULL;
  assert_int_equal(thud_shape_create(context, def, &shape), THUD_OK);
  return shape;
}

static const double cube_points[] = {-1, -1, -1, 1, -1, -1, 1, 1, -1, -1, 1, -1,
                                     -1, -1, 1,  1, -1, 1,  1, 1, 1,  -1, 1, 1};
/* counter-clockwise seen from outside */
static const thud_index cube_triangles[] = {0, 2, 1, 0, 3, 2, 4, 5, 6, 4, 6, 7, 0, 1, 5, 0, 5, 4,
                                            1, 2, 6, 1, 6, 5, 2, 3, 7, 2, 7, 6, 3, 0, 4, 3, 4, 7};
static const double hull_points[] = {0, 0, 1.2, 1, 0, -0.4, -0.6, 0.9, -0.4, -0.6, -0.9, -0.4, 0.2, 0.1, -0.9};
static const double outline[] = {1, 0, 0, 0.2, 0.8, 0, -0.9, 0.3, 0, -0.4, -0.7, 0};
static const double ends[] = {-1, 0.2, 0, 1, -0.3, 0};
static double heights[5 * 4];

static thud_shape_def def_of(thud_shape_kind kind) {
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = 0.5;
  def.half_length = 0.7;
  def.half[0] = 0.4, def.half[1] = 0.6, def.half[2] = 0.9;
  if (kind == THUD_SHAPE_HULL) def.points = hull_points, def.point_count = 5;
  if (kind == THUD_SHAPE_POLYGON) def.points = outline, def.point_count = 4;
  if (kind == THUD_SHAPE_SEGMENT) def.points = ends, def.point_count = 2;
  if (kind == THUD_SHAPE_MESH) {
    def.points = cube_points, def.point_count = 8;
    def.triangles = cube_triangles, def.triangle_count = 12;
  }
  if (kind == THUD_SHAPE_HEIGHT_FIELD) {
    for (int k = 0; k < 20; k++) heights[k] = 0.3 * sin(1.7 * k) + 0.1 * (k % 3);
    def.columns = 5, def.rows = 4, def.heights = heights;
    def.spacing[0] = 0.5, def.spacing[1] = 0.6;
  }
  return def;
}

typedef struct expected_hit {
  thud_shape_kind kind;
  thud_vec3 origin, way;
  double fraction; /* negative: no hit */
  thud_vec3 normal;
} expected_hit;

/* By hand; the tolerance is a few roundings of numbers around 1. */
static void every_kind_is_met_where_it_is(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const expected_hit cases[] = {
      {THUD_SHAPE_SPHERE, {-2, 0, 0}, {4, 0, 0}, 1.5 / 4, {-1, 0, 0}},
      {THUD_SHAPE_SPHERE, {-2, 0.3, 0}, {4, 0, 0}, 1.6 / 4, {-0.8, 0.6, 0}},
      {THUD_SHAPE_SPHERE, {-2, 0.51, 0}, {4, 0, 0}, -1, {0, 0, 0}},
      {THUD_SHAPE_SPHERE, {-2, 0, 0}, {1.4, 0, 0}, -1, {0, 0, 0}}, /* ends before it */
      {THUD_SHAPE_SPHERE, {2, 0, 0}, {4, 0, 0}, -1, {0, 0, 0}},    /* behind */
      {THUD_SHAPE_ELLIPSOID, {0, 0, 3}, {0, 0, -3}, 2.1 / 3, {0, 0, 1}},
      {THUD_SHAPE_ELLIPSOID, {-1, 0, 0}, {2, 0, 0}, 0.3, {-1, 0, 0}},
      {THUD_SHAPE_CAPSULE, {0, 0, 3}, {0, 0, -3}, 1.8 / 3, {0, 0, 1}},
      {THUD_SHAPE_CAPSULE, {2, 0, 0.5}, {-2, 0, 0}, 0.75, {1, 0, 0}},
      {THUD_SHAPE_CAPSULE, {2, 0, 1.1}, {-2, 0, 0}, (2 - 0.3) / 2, {0.6, 0, 0.8}},
      {THUD_SHAPE_BOX, {2, 0.1, 0.2}, {-2, 0, 0}, 0.8, {1, 0, 0}},
      {THUD_SHAPE_BOX, {2, 0.61, 0.2}, {-2, 0, 0}, -1, {0, 0, 0}},
      {THUD_SHAPE_CYLINDER, {0.1, 0, 2}, {0, 0, -2}, 1.3 / 2, {0, 0, 1}},
      {THUD_SHAPE_CYLINDER, {0, -2, 0.6}, {0, 2, 0}, 0.75, {0, -1, 0}},
      {THUD_SHAPE_CONE,
       {2, 0, 0},
       {-2, 0, 0},
       1.75 / 2,
       {0.94174191159484, 0, 0.33633639699816}}, /* (1, k), k = 5/14 */
      {THUD_SHAPE_CONE, {0.1, 0, -2}, {0, 0, 2}, 1.3 / 2, {0, 0, -1}},
      {THUD_SHAPE_CONE, {2, 0, 0.8}, {-4, 0, 0}, -1, {0, 0, 0}}, /* above the tip, through the other nappe */
      {THUD_SHAPE_CONE, {0.0, 0, 2}, {0, 0, -2}, 1.3 / 2, {0, 0, 1}},
      {THUD_SHAPE_PLANE, {0, 0, 1}, {1, 0, -2}, 0.5, {0, 0, 1}},
      {THUD_SHAPE_PLANE, {0, 0, 1}, {1, 0, 0}, -1, {0, 0, 0}},
      {THUD_SHAPE_HULL, {0.1, 0, 3}, {0, 0, -4}, -2, {0, 0, 0}},     /* -2: somewhere */
      {THUD_SHAPE_MESH, {0.3, 0.3, 3}, {0, 0, -4}, 0.5, {0, 0, 1}},  /* on the diagonal of a face */
      {THUD_SHAPE_MESH, {0.3, 0.2, 0}, {0, 0, -4}, 0.25, {0, 0, 1}}, /* from within: towards the origin */
      {THUD_SHAPE_DISC, {-2, 0, 0}, {4, 0, 0}, 1.5 / 4, {-1, 0, 0}},
      {THUD_SHAPE_PLANAR_CAPSULE, {0, 3, 0}, {0, -3, 0}, 1.8 / 3, {0, 1, 0}},
      {THUD_SHAPE_PLANAR_CAPSULE, {2, 0.2, 0}, {-2, 0, 0}, 0.75, {1, 0, 0}},
      {THUD_SHAPE_RECTANGLE, {1, 1.1, 0}, {-1, -1, 0}, 0.6, {1, 0, 0}},
      {THUD_SHAPE_HALF_PLANE, {0, 1, 0}, {0, -4, 0}, 0.25, {0, 1, 0}},
      {THUD_SHAPE_SEGMENT, {0, 2, 0}, {0, -4, 0}, (2 + 0.05) / 4, {0.24253562503633, 0.97014250014533, 0}},
      {THUD_SHAPE_SEGMENT, {1.01, 2, 0}, {0, -4, 0}, -1, {0, 0, 0}},
  };
  const thud_pose here = thud_pose_identity();
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    const expected_hit *c = &cases[k];
    thud_shape_def def = def_of(c->kind);
    thud_shape *shape = make(context, &def);
    thud_ray ray = {c->origin, c->way};
    thud_ray_hit hit = {.fraction = -7};
    bool met = thud_shape_cast_ray(shape, &here, &ray, &hit);
    thud_shape_destroy(shape);
    if (met != (c->fraction != -1)) fail_msg("case %zu, %s", k, thud_shape_kind_name(c->kind));
    if (!met) assert_true(hit.fraction == -7); /* untouched */
    if (c->fraction < 0) continue;
    thud_assert_near(hit.fraction, c->fraction, 1e-14);
    assert_false(hit.inside);
    thud_assert_near(thud_vec3_distance(hit.point, thud_vec3_add_scaled(c->origin, hit.fraction, c->way)), 0, 1e-15);
    thud_assert_near(thud_vec3_distance(hit.normal, c->normal), 0, 1e-13);
  }
  thud_test_context_end(context);
}

static void a_ray_that_begins_inside_says_so(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_pose here = thud_pose_identity();
  for (int kind = 0; kind < THUD_SHAPE_KINDS; kind++) {
    if (kind == THUD_SHAPE_MESH || kind == THUD_SHAPE_HEIGHT_FIELD || kind == THUD_SHAPE_SEGMENT) continue;
    thud_shape_def def = def_of((thud_shape_kind)kind);
    thud_shape *shape = make(context, &def);
    for (int still = 0; still < 2; still++) { /* also a ray without length */
      thud_ray ray = {{0.01, -0.02, 0}, {still ? 0 : 3, 0, 0}};
      if (kind == THUD_SHAPE_PLANE) ray.origin.z = -0.01;
      thud_ray_hit hit = {.fraction = -7};
      assert_true(thud_shape_cast_ray(shape, &here, &ray, &hit));
      assert_true(hit.inside && hit.fraction == 0 && thud_vec3_norm(hit.normal) == 0);
    }
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

static thud_vec3 random_vector(thud_random *random, double size, bool planar) {
  return thud_vec3_make(thud_random_uniform(random, -size, size), thud_random_uniform(random, -size, size),
                        planar ? 0 : thud_random_uniform(random, -size, size));
}

/* Where a ray meets a shape the signed distance of that point is 0, in front of it positive, and along a ray that meets
 * nothing nowhere negative. Distances are exact to 5e-8 of a length around 1 (thud_collide); those of points near surfaces of
 * triangles to rounding. Moved out along the normal by a small way d, the point is d - O(d^2) away: with d = 1e-4 and
 * curvatures up to 10 within 1e-7 of d, near edges at least 0. */
static void random_rays_agree_with_the_distance_of_points(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  const double rounding = 2e-7;
  int met_count[THUD_SHAPE_KINDS] = {0}, rounds = THUD_UNDER_SANITIZER ? 60 : 600;
  for (int kind = 0; kind < THUD_SHAPE_KINDS; kind++) {
    thud_shape_def def = def_of((thud_shape_kind)kind);
    thud_shape *shape = make(context, &def);
    bool planar = thud_shape_is_planar(shape), surface = kind == THUD_SHAPE_MESH || kind == THUD_SHAPE_HEIGHT_FIELD;
    thud_shape_def dot = thud_shape_def_default(planar ? THUD_SHAPE_DISC : THUD_SHAPE_SPHERE);
    thud_shape *point = make(context, &dot);
    for (int round = 0; round < rounds; round++) {
      thud_vec3 turn = random_vector(&random, 2, planar);
      if (planar) turn = thud_vec3_make(0, 0, turn.x);
      thud_pose pose = {random_vector(&random, 1, planar), thud_quat_from_rotation_vector(turn)}, at = pose;
      thud_ray ray = {random_vector(&random, 4, planar), random_vector(&random, 1.5, planar)};
      ray.way = thud_vec3_scale(1.5, thud_vec3_subtract(ray.way, ray.origin)); /* about half of them meet it */
      if (kind == THUD_SHAPE_HEIGHT_FIELD) { /* over its grid: it has no sides that a ray from below could meet */
        thud_vec3 from = random_vector(&random, 0.85, false), to = random_vector(&random, 0.85, false);
        from.z = 2, to.z = -2;
        ray.origin = thud_pose_point(&pose, from);
        ray.way = thud_vec3_subtract(thud_pose_point(&pose, to), ray.origin);
      }
      at.rotation = thud_quat_identity();
      at.position = ray.origin;
      double start = thud_distance(point, &at, shape, &pose, NULL);
      if (surface && start < 0.01) continue; /* surfaces have no inside */
      thud_ray_hit hit = {.fraction = 1};
      bool met = thud_shape_cast_ray(shape, &pose, &ray, &hit);
      met_count[kind] += met && !hit.inside;
      if (kind != THUD_SHAPE_SEGMENT && !surface) assert_int_equal(met && hit.inside, start < 0);
      if (hit.inside) continue;
      for (int k = 0; k < 20; k++) {
        at.position = thud_vec3_add_scaled(ray.origin, hit.fraction * k / 20, ray.way);
        thud_assert_greater(thud_distance(point, &at, shape, &pose, NULL), -rounding);
      }
      if (!met) continue;
      at.position = hit.point;
      thud_assert_near(thud_distance(point, &at, shape, &pose, NULL), 0, rounding);
      thud_assert_near(thud_vec3_norm(hit.normal), 1, 1e-14);
      thud_assert_at_most(thud_vec3_dot(hit.normal, ray.way), 1e-14);
      at.position = thud_vec3_add_scaled(hit.point, 1e-4, hit.normal);
      double away = thud_distance(point, &at, shape, &pose, NULL);
      thud_assert_greater(away, -rounding);
      if (!surface) thud_assert_near(away, 1e-4, 2 * rounding);
    }
    if (kind != THUD_SHAPE_SEGMENT) thud_assert_greater(met_count[kind], rounds / 60);
    thud_shape_destroy(point);
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

/* Rays through edges and corners of a closed mesh, from outside to its centre, are all met: none slips through. */
static void no_ray_slips_through_a_mesh(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = def_of(THUD_SHAPE_MESH);
  thud_shape *shape = make(context, &def);
  const thud_pose here = thud_pose_identity();
  int count = 0;
  for (int i = -4; i <= 4; i++)
    for (int j = -4; j <= 4; j++)
      for (int k = -4; k <= 4; k++) {
        thud_vec3 origin = thud_vec3_make(i, j, k);
        double largest = fmax(fmax(fabs((double)i), fabs((double)j)), fabs((double)k));
        if (largest <= 1) continue;
        thud_ray ray = {origin, thud_vec3_negate(origin)};
        thud_ray_hit hit;
        assert_true(thud_shape_cast_ray(shape, &here, &ray, &hit));
        thud_assert_near(hit.fraction, 1 - 1 / largest, 1e-15);
        count++;
      }
  assert_int_equal(count, 9 * 9 * 9 - 27);
  thud_shape_destroy(shape);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_is_met_where_it_is),
      cmocka_unit_test(a_ray_that_begins_inside_says_so),
      cmocka_unit_test(random_rays_agree_with_the_distance_of_points),
      cmocka_unit_test(no_ray_slips_through_a_mesh),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
