/* Surfaces of triangles: what is refused, and that shapes on planes, boxes and hills of triangles touch what is there. */
#include "geom/separate.h"
#include "geom/touch_pool.h"
#include "geom/triangles.h"
#include "shape_checks.h"
#include "testing.h"

#include <float.h>
#include <stdlib.h>
#include <string.h>

/* ---- surfaces ------------------------------------------------------------------------------------------------------------ */

typedef double (*height_fn)(double x, double y);

static double flat(double x, double y) {
  (void)x, (void)y;
  return 0;
}
static double hills(double x, double y) { return 0.3 * sin(1.7 * x) * cos(1.3 * y); }

/* A grid of n x n points with that spacing, centred. */
typedef struct grid {
  int n;
  double spacing, *points, *heights;
  thud_index *triangles;
} grid;

static grid make_grid(int n, double spacing, height_fn height) {
  grid g = {n, spacing, calloc(3 * (size_t)(n * n), sizeof(double)), calloc((size_t)(n * n), sizeof(double)),
            calloc(6 * (size_t)(n * n), sizeof(thud_index))};
  for (int j = 0; j < n; j++)
    for (int i = 0; i < n; i++) {
      double *x = g.points + 3 * (j * n + i);
      x[0] = (i - 0.5 * (n - 1)) * spacing;
      x[1] = (j - 0.5 * (n - 1)) * spacing;
      x[2] = g.heights[j * n + i] = height(x[0], x[1]);
    }
  thud_index *t = g.triangles;
  for (int j = 0; j + 1 < n; j++)
    for (int i = 0; i + 1 < n; i++) {
      int a = j * n + i;
      const int corners[6] = {a, a + 1, a + n + 1, a, a + n + 1, a + n};
      for (int k = 0; k < 6; k++) *t++ = corners[k];
    }
  return g;
}

static void free_grid(grid *g) {
  free(g->points);
  free(g->heights);
  free(g->triangles);
}

static thud_shape_def grid_mesh(const grid *g) {
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_MESH);
  def.point_count = g->n * g->n;
  def.points = g->points;
  def.triangle_count = 2 * (g->n - 1) * (g->n - 1);
  def.triangles = g->triangles;
  def.open = true;
  return def;
}

static thud_shape_def grid_field(const grid *g) {
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HEIGHT_FIELD);
  def.columns = def.rows = g->n;
  def.spacing[0] = def.spacing[1] = g->spacing;
  def.heights = g->heights;
  return def;
}

/* A closed cube [-h, h]^3 of 12 triangles. */
static const thud_index cube_triangles[36] = {0, 4, 6, 0, 6, 2, 1, 3, 7, 1, 7, 5, 0, 1, 5, 0, 5, 4,
                                              2, 6, 7, 2, 7, 3, 0, 2, 3, 0, 3, 1, 4, 5, 7, 4, 7, 6};
static thud_shape_def cube_mesh(double h, double *points) {
  for (int i = 0; i < 24; i++) points[i] = (i / 3) >> (i % 3) & 1 ? h : -h;
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_MESH);
  def.point_count = 8;
  def.points = points;
  def.triangle_count = 12;
  def.triangles = cube_triangles;
  return def;
}

/* ---- shapes on them --------------------------------------------------------------------------------------------------------- */

static thud_shape_def solid(thud_shape_kind kind) {
  static const double octagon[] = {0.3,  0,    -0.2, 0.2,  0.2, -0.2, 0,    0.3, -0.2, -0.2, 0.2, -0.2, -0.3, 0,
                                   -0.2, -0.2, -0.2, -0.2, 0,   -0.3, -0.2, 0.2, -0.2, -0.2, 0,   0,    0.4};
  thud_shape_def def = thud_shape_def_default(kind);
  def.radius = 0.25;
  def.half_length = 0.35;
  def.half[0] = 0.3;
  def.half[1] = 0.2;
  def.half[2] = 0.15;
  def.point_count = 9;
  def.points = octagon;
  return def;
}

static const thud_shape_kind solids[] = {THUD_SHAPE_SPHERE,   THUD_SHAPE_ELLIPSOID, THUD_SHAPE_CAPSULE, THUD_SHAPE_BOX,
                                         THUD_SHAPE_CYLINDER, THUD_SHAPE_CONE,      THUD_SHAPE_HULL};
enum { SOLIDS = sizeof solids / sizeof *solids, ROOM = 64 };

static thud_pose random_pose(thud_random *random, double x, double y, double height) {
  thud_pose pose = thud_test_random_pose(random);
  double at_x = thud_random_uniform(random, -x, x), at_y = thud_random_uniform(random, -y, y);
  pose.position = thud_vec3_make(at_x, at_y, height);
  return pose;
}

static void check_features(size_t count, const thud_touch *touches) {
  for (size_t i = 0; i < count; i++)
    for (size_t j = 0; j < i; j++) thud_assert_different(touches[i].feature, touches[j].feature);
}

/* Every contact of the one has its like among those of the other. */
static void same_contacts(size_t count, const thud_touch *a, size_t other_count, const thud_touch *b) {
  thud_assert_equal(count, other_count);
  for (size_t i = 0; i < count; i++) {
    size_t best = 0;
    for (size_t j = 1; j < other_count; j++)
      if (thud_vec3_distance(a[i].on_a, b[j].on_a) < thud_vec3_distance(a[i].on_a, b[best].on_a)) best = j;
    thud_assert_near(thud_vec3_distance(a[i].on_a, b[best].on_a), 0, 1e-12);
    thud_assert_near(thud_vec3_distance(a[i].on_b, b[best].on_b), 0, 1e-12);
    thud_assert_near(a[i].gap, b[best].gap, 1e-12);
    thud_assert_equal(a[i].normal.x, b[best].normal.x);
    thud_assert_equal(a[i].normal.y, b[best].normal.y);
    thud_assert_equal(a[i].normal.z, b[best].normal.z);
  }
}

/* Resting, rolling and slightly sunk, over inside edges and corners: the floor of triangles is the plane z = 0. */
static void a_flat_floor_of_triangles_is_a_plane(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_shape_def plane_def = thud_shape_def_default(THUD_SHAPE_PLANE);
  thud_shape *plane = thud_test_shape(context, plane_def);
  thud_pose still = thud_pose_identity();
  size_t contacts = 0;
  for (int field = 0; field < 2; field++) {
    grid g = make_grid(21, 0.17, flat);
    thud_shape_def def = field ? grid_field(&g) : grid_mesh(&g);
    thud_shape *floor = thud_test_shape(context, def);
    for (int k = 0; k < SOLIDS; k++) {
      thud_shape_def body_def = solid(solids[k]);
      thud_shape *body = thud_test_shape(context, body_def);
      for (int trial = 0; trial < 300; trial++) {
        thud_pose pose = random_pose(&random, 0.8, 0.8, 0);
        if (trial % 3 == 0) pose.rotation = thud_quat_identity(); /* on a face */
        if (trial % 7 == 0) pose.position.x = 0.17 * (trial % 5); /* over grid lines */
        if (trial % 11 == 0) pose.position.y = 0.17 * (trial % 3);
        double low = thud_shape_bounds(body, &pose, 0).low.z;
        pose.position.z = -low + thud_random_uniform(&random, -0.01, 0.004);
        thud_touch touches[ROOM], expected[ROOM];
        size_t count = thud_triangles_collide(floor, &still, body, &pose, 0.005, ROOM, touches), expected_count;
        expected_count = thud_pair_solid_plane(body, &pose, plane, &still, 0.005, expected);
        same_contacts(count, touches, expected_count, expected);
        check_features(count, touches);
        contacts += count;
      }
      thud_shape_destroy(body);
    }
    thud_shape_destroy(floor);
    free_grid(&g);
  }
  thud_assert_greater(contacts, 2 * SOLIDS * 300);
  thud_shape_destroy(plane);
  thud_test_context_end(context);
}

static void a_height_field_is_the_mesh_of_its_triangles(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  grid g = make_grid(17, 0.21, hills);
  thud_shape_def mesh_def = grid_mesh(&g), field_def = grid_field(&g);
  thud_shape *mesh = thud_test_shape(context, mesh_def), *field = thud_test_shape(context, field_def);
  size_t contacts = 0;
  for (int k = 0; k < SOLIDS; k++) {
    thud_shape_def body_def = solid(solids[k]);
    thud_shape *body = thud_test_shape(context, body_def);
    for (int trial = 0; trial < 200; trial++) {
      thud_pose placed = random_pose(&random, 1, 1, 0.1);
      thud_pose pose = random_pose(&random, 1.9, 1.9, 0);
      pose.position.z = hills(pose.position.x, pose.position.y) + thud_random_uniform(&random, 0.1, 0.4);
      pose = thud_pose_compose(&placed, &pose);
      thud_touch touches[ROOM], expected[ROOM];
      size_t count = thud_triangles_collide(mesh, &placed, body, &pose, 0.01, ROOM, touches);
      size_t other = thud_triangles_collide(field, &placed, body, &pose, 0.01, ROOM, expected);
      thud_assert_at_most(count, THUD_SURFACE_TOUCHES);
      check_features(count, touches);
      /* orders differ, and so may the choice among equal ones; the deepest is the same */
      double deepest = INFINITY, expected_deepest = INFINITY;
      for (size_t i = 0; i < count; i++) deepest = fmin(deepest, touches[i].gap);
      for (size_t i = 0; i < other; i++) expected_deepest = fmin(expected_deepest, expected[i].gap);
      if (count == 0)
        thud_assert_equal(other, 0);
      else
        thud_assert_near(deepest, expected_deepest, 1e-12);
      contacts += count;
    }
    thud_shape_destroy(body);
  }
  thud_assert_greater(contacts, 1000);
  thud_shape_destroy(mesh);
  thud_shape_destroy(field);
  free_grid(&g);
  thud_test_context_end(context);
}

/* Distance of a ball from a closed convex mesh is that from the solid box; near it and slightly inside. */
static void balls_touch_a_cube_of_triangles_like_a_cube(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  double points[24];
  thud_shape_def cube_def = cube_mesh(0.5, points), ball_def = solid(THUD_SHAPE_SPHERE);
  thud_shape *cube = thud_test_shape(context, cube_def), *ball = thud_test_shape(context, ball_def);
  size_t contacts = 0;
  for (int trial = 0; trial < 5000; trial++) {
    thud_pose placed = random_pose(&random, 2, 2, 1);
    thud_vec3 centre = {thud_random_uniform(&random, -0.85, 0.85), thud_random_uniform(&random, -0.85, 0.85),
                        thud_random_uniform(&random, -0.85, 0.85)};
    thud_pose pose = {thud_pose_point(&placed, centre), thud_quat_identity()};
    thud_vec3 q = {fabs(centre.x) - 0.5, fabs(centre.y) - 0.5, fabs(centre.z) - 0.5}; /* signed distance of the box */
    double outside = thud_vec3_norm(thud_vec3_make(fmax(q.x, 0), fmax(q.y, 0), fmax(q.z, 0)));
    double inside = fmin(0, fmax(q.x, fmax(q.y, q.z)));
    double gap = outside + inside - 0.25;
    if (gap < -0.499) continue; /* it would meet no triangle */
    thud_touch touches[ROOM];
    size_t count = thud_triangles_collide(cube, &placed, ball, &pose, 0.05, ROOM, touches);
    thud_assert_equal(count > 0, gap <= 0.05);
    if (count == 0) continue;
    double least = INFINITY;
    for (size_t i = 0; i < count; i++) {
      least = fmin(least, touches[i].gap);
      thud_vec3 apart = thud_vec3_subtract(touches[i].on_a, touches[i].on_b);
      thud_assert_near(thud_vec3_distance(apart, thud_vec3_scale(touches[i].gap, touches[i].normal)), 0, 1e-14);
      thud_assert_near(thud_vec3_distance(touches[i].on_a, pose.position), 0.25, 1e-14);
    }
    if (inside == 0) thud_assert_equal(count, 1);
    thud_assert_near(least, gap, 1e-12);
    contacts += count;
  }
  thud_assert_greater(contacts, 1000);
  thud_shape_destroy(cube);
  thud_shape_destroy(ball);
  thud_test_context_end(context);
}

static double distance_of(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                          thud_vec3 *normal) {
  thud_placed placed_a = thud_place(a, pose_a, thud_vec3_make(0, 0, 0));
  thud_placed placed_b = thud_place(b, pose_b, thud_vec3_make(0, 0, 0));
  thud_separation apart = thud_separate(&placed_a, &placed_b, INFINITY);
  *normal = apart.normal;
  return apart.gap;
}

/* A cube of triangles and the same cube as a box. */
typedef struct cubes {
  thud_context *context;
  thud_shape *mesh, *box;
} cubes;

static cubes make_cubes(void) {
  double points[24];
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_BOX);
  def.half[0] = def.half[1] = def.half[2] = 0.5;
  return (cubes){context, thud_test_shape(context, cube_mesh(0.5, points)), thud_test_shape(context, def)};
}

static void end_cubes(cubes *both) {
  thud_shape_destroy(both->mesh);
  thud_shape_destroy(both->box);
  thud_test_context_end(both->context);
}

/* Convex shapes at a closed convex mesh from outside: the least gap is that of the two solids. */
static void solids_touch_a_cube_of_triangles_like_a_cube(void **state) {
  (void)state;
  cubes both = make_cubes();
  thud_random random = thud_random_seed(4);
  thud_pose still = thud_pose_identity();
  size_t near = 0;
  for (int k = 0; k < SOLIDS; k++) {
    thud_shape_def body_def = solid(solids[k]);
    thud_shape *body = thud_test_shape(both.context, body_def);
    for (int trial = 0; trial < 200; trial++) {
      thud_pose pose = random_pose(&random, 1, 1, thud_random_uniform(&random, -1, 1));
      thud_touch touches[ROOM];
      thud_vec3 normal;
      double gap = distance_of(body, &pose, both.box, &still, &normal);
      if (gap < 1e-3) { /* from outside: to a gap between 0 and 0.01 */
        pose.position = thud_vec3_add_scaled(pose.position, -gap + 0.003, normal);
        gap = distance_of(body, &pose, both.box, &still, &normal);
      }
      size_t count = thud_triangles_collide(both.mesh, &still, body, &pose, 0.01, ROOM, touches);
      thud_assert_equal(count > 0, gap <= 0.01);
      if (count == 0) continue;
      near++;
      double least = INFINITY;
      for (size_t i = 0; i < count; i++) least = fmin(least, touches[i].gap);
      thud_assert_near(least, gap, 1e-9);
    }
    thud_shape_destroy(body);
  }
  thud_assert_greater(near, 200);
  end_cubes(&both);
}

/* Sunk into it by a little or more: the deepest contact is as deep as the two solids, and pushes along their normal. */
static void solids_leave_a_cube_of_triangles_by_the_shortest_way(void **state) {
  (void)state;
  cubes both = make_cubes();
  thud_random random = thud_random_seed(9);
  thud_pose still = thud_pose_identity();
  size_t sideways = 0, all = 0;
  for (int k = 0; k < SOLIDS; k++) {
    thud_shape_def body_def = solid(solids[k]);
    thud_shape *body = thud_test_shape(both.context, body_def);
    for (int trial = 0; trial < 240; trial += THUD_TEST_STRIDE(10)) {
      const double depths[3] = {1e-5, 1e-3, 2e-2};
      double depth = depths[trial % 3], least = INFINITY;
      thud_pose pose = random_pose(&random, 1, 1, thud_random_uniform(&random, -1, 1));
      thud_vec3 normal, pushed = {0, 0, 0};
      double gap = distance_of(body, &pose, both.box, &still, &normal);
      pose.position = thud_vec3_add_scaled(pose.position, -gap - depth, normal);
      gap = distance_of(body, &pose, both.box, &still, &normal);
      if (fabs(gap + depth) > 1e-9) continue; /* another way out is shorter there */
      thud_touch touches[ROOM];
      size_t count = thud_triangles_collide(both.mesh, &still, body, &pose, 1e-3, ROOM, touches);
      thud_assert_greater(count, 0);
      for (size_t i = 0; i < count; i++) {
        if (touches[i].gap < least) pushed = touches[i].normal;
        least = fmin(least, touches[i].gap);
      }
      bool as_solid = least >= 1.1 * gap && thud_vec3_dot(pushed, normal) > 0.9;
      thud_assert_at_most(least, gap + 1e-11); /* never less; distances of solids are found to 1e-12 or so */
      if (depth < 1e-2) assert_true(as_solid);
      sideways += !as_solid; /* a tenth of its thickness deep it may leave by another face of about that depth */
      all++;
    }
    thud_shape_destroy(body);
  }
  thud_assert_at_least(all, SOLIDS * 150 / THUD_TEST_STRIDE(10));
  thud_assert_at_most(sideways, all / 100);
  end_cubes(&both);
}

/* A grid folded along its middle: the floor z = 0, x >= 0 and the wall x = 0, z >= 0. */
static grid make_corner(int n, double spacing) {
  grid g = make_grid(n, spacing, flat);
  for (int i = 0; i < n * n; i++) {
    double *x = g.points + 3 * i;
    x[2] = fmax(-x[0], 0);
    x[0] = fmax(x[0], 0);
  }
  return g;
}

/* A floor and a wall that meet in a concave edge, far from their borders, and a box in the corner, sunk a little into both:
 * each carries a face of the box, its lower corners included. */
static void a_box_in_a_corner_touches_floor_and_wall(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  grid g = make_corner(21, 0.25);
  thud_shape_def box_def = thud_shape_def_default(THUD_SHAPE_BOX);
  box_def.half[0] = 0.2;
  box_def.half[1] = 0.3;
  box_def.half[2] = 0.4;
  thud_shape *corner = thud_test_shape(context, grid_mesh(&g)), *box = thud_test_shape(context, box_def);
  thud_pose still = thud_pose_identity();
  for (int step = 0; step < 9; step++) {
    thud_pose pose = thud_pose_identity();
    double floor_gap = (step % 3 - 1) * 1e-5, wall_gap = (step / 3 - 1) * 1e-5;
    pose.position = thud_vec3_make(0.2 + wall_gap, 0.1, 0.4 + floor_gap);
    thud_touch touches[ROOM];
    size_t count = thud_triangles_collide(corner, &still, box, &pose, 1e-4, ROOM, touches), floor = 0;
    thud_assert_equal(count, 8);
    check_features(count, touches);
    for (size_t i = 0; i < count; i++) {
      bool on_floor = touches[i].normal.z == 1;
      floor += on_floor;
      if (!on_floor) thud_assert_equal(touches[i].normal.x, 1);
      thud_assert_near(touches[i].gap, on_floor ? floor_gap : wall_gap, 1e-15);
    }
    thud_assert_equal(floor, 4);
  }
  thud_shape_destroy(corner);
  thud_shape_destroy(box);
  free_grid(&g);
  thud_test_context_end(context);
}

/* Cones sunk by a tenth of their thickness, where edges and corners may leave nothing that pushes: some face does. */
static void nothing_that_is_sunk_is_left_without_a_contact(void **state) {
  (void)state;
  cubes both = make_cubes();
  thud_random random = thud_random_seed(10);
  thud_pose still = thud_pose_identity();
  thud_shape_def def = solid(THUD_SHAPE_CONE);
  thud_shape *cone = thud_test_shape(both.context, def);
  for (int trial = 0; trial < 1500; trial += THUD_TEST_STRIDE(10)) {
    thud_pose pose = random_pose(&random, 1, 1, thud_random_uniform(&random, -1, 1));
    thud_vec3 normal;
    double gap = distance_of(cone, &pose, both.box, &still, &normal);
    pose.position = thud_vec3_add_scaled(pose.position, -gap - 0.02, normal);
    thud_touch touches[ROOM];
    size_t count = thud_triangles_collide(both.mesh, &still, cone, &pose, 1e-3, ROOM, touches);
    thud_assert_greater(count, 0);
  }
  thud_shape_destroy(cone);
  end_cubes(&both);
}

/* A box many times as large as the triangles below it: more contacts than there is room for become few, with the deepest. */
static void many_contacts_become_few(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  grid g = make_grid(81, 0.05, hills);
  for (int i = 0; i < 81 * 81; i++) g.points[3 * i + 2] = g.heights[i] = 0.01 * sin(2.1 * i) * cos(1.3 * (i / 81));
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_BOX);
  def.half[0] = def.half[1] = 1.5;
  def.half[2] = 0.2;
  thud_shape *floor = thud_test_shape(context, grid_field(&g)), *box = thud_test_shape(context, def);
  thud_pose still = thud_pose_identity(), pose = still;
  pose.position.z = 0.2 + 0.009;
  thud_touch touches[ROOM];
  size_t count = thud_triangles_collide(floor, &still, box, &pose, 0.001, ROOM, touches);
  thud_assert_at_most(count, THUD_SURFACE_TOUCHES);
  thud_assert_at_least(count, 4);
  double least = INFINITY, highest = -INFINITY;
  for (size_t i = 0; i < count; i++) least = fmin(least, touches[i].gap);
  for (int i = 0; i < 81 * 81; i++)
    if (fabs(g.points[3 * i]) < 1.5 && fabs(g.points[3 * i + 1]) < 1.5) highest = fmax(highest, g.heights[i]);
  thud_assert_near(least, 0.009 - highest, 1e-12);
  check_features(count, touches);
  thud_touch fewer[2]; /* the whole count also where there is less room */
  thud_assert_equal(thud_triangles_collide(floor, &still, box, &pose, 0.001, 2, fewer), count);
  thud_assert_equal(fewer[1].gap, touches[1].gap);
  thud_shape_destroy(floor);
  thud_shape_destroy(box);
  free_grid(&g);
  thud_test_context_end(context);
}

/* Far below a height field: out along the normal of the triangle straight above. */
static void deep_below_hills_the_triangle_above_pushes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  grid g = make_grid(17, 0.21, hills);
  thud_shape_def ball_def = solid(THUD_SHAPE_SPHERE);
  thud_shape *field = thud_test_shape(context, grid_field(&g)), *ball = thud_test_shape(context, ball_def);
  thud_pose still = thud_pose_identity();
  for (int trial = 0; trial < 300; trial++) {
    thud_pose pose = random_pose(&random, 1.6, 1.6, -3);
    thud_touch touches[ROOM];
    size_t count = thud_triangles_collide(field, &still, ball, &pose, 0.01, ROOM, touches);
    thud_assert_equal(count, 1);
    double i = floor(pose.position.x / 0.21 + 8), j = floor(pose.position.y / 0.21 + 8);
    double x = (i - 8) * 0.21, y = (j - 8) * 0.21;
    bool upper = pose.position.y - y > pose.position.x - x;
    const double *h = g.heights + (int)j * 17 + (int)i;
    double along_x = upper ? h[18] - h[17] : h[1] - h[0], along_y = upper ? h[17] - h[0] : h[18] - h[1];
    thud_vec3 normal = {-along_x / 0.21, -along_y / 0.21, 1};
    thud_vec3_normalise(normal, &normal);
    thud_assert_near(thud_vec3_distance(touches[0].normal, normal), 0, 1e-13);
  }
  thud_shape_destroy(field);
  thud_shape_destroy(ball);
  free_grid(&g);
  thud_test_context_end(context);
}

/* Equal names become the next free ones, the first keeps its own; the same point with the same normal is one contact. */
static void contacts_of_one_name_are_told_apart(void **state) {
  (void)state;
  thud_touch_pool *pool = calloc(1, sizeof *pool);
  pool->size = pool->margin = 1;
  const uint32_t given[5] = {7, 7, 8, 7, 3}, expected[5] = {7, 8, 9, 10, 3};
  for (int i = 0; i < 5; i++) {
    thud_touch touch = {.normal = {0, 0, 1}, .on_a = {i, 0, 0}, .gap = 0.1, .feature = given[i]};
    thud_touch_pool_add(pool, &touch, 0);
    touch.gap = -0.1; /* the smaller gap stays */
    thud_touch_pool_add(pool, &touch, 0);
  }
  thud_touch_pool_tell_apart(pool);
  thud_assert_equal(pool->count, 5);
  for (int i = 0; i < 5; i++) {
    thud_assert_equal(pool->touches[i].feature, expected[i]);
    thud_assert_equal(pool->touches[i].gap, -0.1);
  }
  free(pool);
}

/* How a triangle's neighbour lies decides about the edge; one that is folded back makes a sharp convex edge. */
static void edges_are_what_their_neighbours_make_them(void **state) {
  (void)state;
  thud_triangle t = {.corners = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}, .normal = {0, 0, 1}};
  const struct {
    thud_vec3 beyond;
    thud_edge_kind kind;
  } cases[] = {{{0.3, -1, 0}, THUD_EDGE_FLAT_INSIDE}, {{0.3, -1, 1e-8}, THUD_EDGE_FLAT_INSIDE},
               {{0.3, -1, 1e-3}, THUD_EDGE_CONCAVE},  {{0.3, -1, -1e-3}, THUD_EDGE_CONVEX},
               {{0.3, 1, -1e-3}, THUD_EDGE_CONVEX},   {{0.3, 1, -1e-9}, THUD_EDGE_CONVEX}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_triangle_set_beyond(&t, 0, cases[k].beyond);
    thud_assert_equal((int)t.edges[0], (int)cases[k].kind);
  }
}

/* Sliding over many triangles of a plane, the contacts of a box keep their names. */
static void names_stay_while_a_box_slides(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  grid g = make_grid(21, 0.17, flat);
  thud_shape_def def = grid_mesh(&g), box_def = solid(THUD_SHAPE_BOX);
  thud_shape *floor = thud_test_shape(context, def), *box = thud_test_shape(context, box_def);
  thud_pose still = thud_pose_identity();
  uint32_t names[4] = {0};
  for (int step = 0; step < 200; step++) {
    thud_pose pose = thud_pose_identity();
    pose.position = thud_vec3_make(-1 + 0.01 * step, 0.3 - 0.003 * step, 0.15 - 1e-7);
    pose.rotation = thud_quat_from_rotation_vector(thud_vec3_make(0, 0, 0.02 * step));
    thud_touch touches[ROOM];
    thud_assert_equal(thud_triangles_collide(floor, &still, box, &pose, 1e-3, ROOM, touches), 4);
    for (int i = 0; i < 4; i++) {
      bool found = step == 0;
      if (step == 0) names[i] = touches[i].feature;
      for (int j = 0; j < 4; j++) found |= names[j] == touches[i].feature;
      assert_true(found);
    }
  }
  thud_shape_destroy(floor);
  thud_shape_destroy(box);
  free_grid(&g);
  thud_test_context_end(context);
}

/* The cube [-0.5, 0.5]^3 with n x n squares of two triangles on each side. Vertices are not shared between sides: a mesh
 * needs them shared, so each is looked for. */
static void make_fine_cube(int n, double *points, int *point_count, thud_index *triangles, int *triangle_count) {
  *point_count = *triangle_count = 0;
  for (int side = 0; side < 6; side++)
    for (int cell = 0; cell < n * n; cell++) {
      thud_index corner[4];
      for (int k = 0; k < 4; k++) {
        int axis = side / 2, i = cell % n + (k == 1 || k == 2), j = cell / n + (k >= 2), at = 0;
        double x[3];
        x[axis] = side % 2 ? 0.5 : -0.5;
        x[(axis + 1) % 3] = (double)(side % 2 ? i : j) / n - 0.5;
        x[(axis + 2) % 3] = (double)(side % 2 ? j : i) / n - 0.5;
        while (at < *point_count && memcmp(points + 3 * at, x, sizeof x) != 0) at++;
        memcpy(points + 3 * at, x, sizeof x);
        if (at == *point_count) ++*point_count;
        corner[k] = at;
      }
      const thud_index both[6] = {corner[0], corner[1], corner[2], corner[0], corner[2], corner[3]};
      memcpy(triangles + 3 * *triangle_count, both, sizeof both);
      *triangle_count += 2;
    }
}

/* A large plate on the top of a small cube, sunk, overhanging: it is carried by the top, not pushed sideways; with sides of
 * two triangles and of many, also where a corner of the plate is behind a triangle that has only a corner at the top. */
static void a_plate_on_a_cube_is_carried_by_its_top(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_MESH), plate_def = thud_shape_def_default(THUD_SHAPE_BOX);
  plate_def.half[0] = 5;
  plate_def.half[1] = 0.3;
  plate_def.half[2] = 0.1;
  thud_shape *plate = thud_test_shape(context, plate_def);
  thud_pose still = thud_pose_identity();
  double points[3 * 200];
  thud_index triangles[3 * 200];
  for (int n = 1; n <= 4; n += 3) {
    make_fine_cube(n, points, &def.point_count, triangles, &def.triangle_count);
    def.points = points;
    def.triangles = triangles;
    thud_shape *cube = thud_test_shape(context, def);
    for (int step = 0; step <= 100; step++) {
      double sunk = step % 2 ? 1e-6 : 1e-2;
      thud_pose pose = thud_pose_identity();
      pose.position = thud_vec3_make(-5.3 + 0.106 * step, -0.2 + 0.0041 * step, 0.6 - sunk);
      thud_touch touches[ROOM];
      size_t count = thud_triangles_collide(cube, &still, plate, &pose, 1e-3, ROOM, touches);
      thud_assert_greater(count, 2);
      check_features(count, touches);
      double low = INFINITY, high = -INFINITY;
      for (size_t i = 0; i < count; i++) {
        thud_assert_near(touches[i].normal.z, 1, 1e-12);
        thud_assert_near(touches[i].gap, -sunk, 1e-12);
        low = fmin(low, touches[i].on_b.x);
        high = fmax(high, touches[i].on_b.x);
      }
      thud_assert_near(low, fmax(-0.5, pose.position.x - 5), 1e-7); /* the contacts span what is common */
      thud_assert_near(high, fmin(0.5, pose.position.x + 5), 1e-7);
    }
    thud_shape_destroy(cube);
  }
  thud_shape_destroy(plate);
  thud_test_context_end(context);
}

/* Sunk to its middle and beyond, a shape is pushed out of the face above it; in a height field from any depth. */
static void what_is_deep_is_pushed_out(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  grid g = make_grid(21, 0.17, flat);
  thud_shape_def mesh_def = grid_mesh(&g), field_def = grid_field(&g);
  thud_shape *surfaces[2] = {thud_test_shape(context, mesh_def), thud_test_shape(context, field_def)};
  thud_pose still = thud_pose_identity();
  for (int k = 0; k < SOLIDS; k++) {
    thud_shape_def body_def = solid(solids[k]);
    thud_shape *body = thud_test_shape(context, body_def);
    for (int field = 0; field < 2; field++) {
      for (int step = 0; step < 10; step++) {
        thud_pose pose = thud_pose_identity();
        pose.position = thud_vec3_make(0.05, 0.02, (field ? -1 : -0.01) * step);
        double low = thud_shape_bounds(body, &pose, 0).low.z, least = INFINITY;
        thud_touch touches[ROOM];
        size_t count = thud_triangles_collide(surfaces[field], &still, body, &pose, 0.01, ROOM, touches);
        thud_assert_greater(count, 0);
        for (size_t i = 0; i < count; i++) {
          thud_assert_equal(touches[i].normal.z, 1);
          least = fmin(least, touches[i].gap);
        }
        thud_assert_near(least, low, 1e-14 * (1 - low));
      }
    }
    thud_shape_destroy(body);
  }
  thud_shape_destroy(surfaces[0]);
  thud_shape_destroy(surfaces[1]);
  free_grid(&g);
  thud_test_context_end(context);
}

/* ---- trees and bounds ---------------------------------------------------------------------------------------------------------- */

typedef struct seen {
  bool triangles[2000];
} seen;

static void mark(void *user, thud_index number) {
  seen *s = user;
  assert_false(s->triangles[number]);
  s->triangles[number] = true;
}

static void the_tree_finds_every_triangle_that_meets_a_box(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  grid g = make_grid(29, 0.1, hills);
  thud_shape_def def = grid_mesh(&g);
  thud_shape *mesh = thud_test_shape(context, def);
  for (int trial = 0; trial < 300; trial++) {
    thud_vec3 low = {thud_random_uniform(&random, -2, 2), thud_random_uniform(&random, -2, 2),
                     thud_random_uniform(&random, -0.5, 0.3)};
    thud_bounds box = {low, thud_vec3_add(low, thud_vec3_make(0.5, 0.2, 0.1))};
    seen s = {{false}};
    thud_surface_visit(mesh, &box, mark, &s);
    for (thud_index t = 0; t < def.triangle_count; t++) {
      thud_bounds own = {{INFINITY, INFINITY, INFINITY}, {-INFINITY, -INFINITY, -INFINITY}};
      for (int k = 0; k < 3; k++) {
        const double *x = def.points + 3 * def.triangles[3 * t + k];
        own.low = thud_vec3_make(fmin(own.low.x, x[0]), fmin(own.low.y, x[1]), fmin(own.low.z, x[2]));
        own.high = thud_vec3_make(fmax(own.high.x, x[0]), fmax(own.high.y, x[1]), fmax(own.high.z, x[2]));
      }
      bool meets = own.low.x <= box.high.x && box.low.x <= own.high.x && own.low.y <= box.high.y &&
                   box.low.y <= own.high.y && own.low.z <= box.high.z && box.low.z <= own.high.z;
      thud_assert_equal(s.triangles[t], meets);
    }
  }
  for (int trial = 0; trial < 50; trial++) { /* bounds of the turned mesh */
    thud_pose pose = random_pose(&random, 3, 3, 1);
    thud_bounds bounds = thud_shape_bounds(mesh, &pose, 0.25);
    double low = INFINITY, high = -INFINITY;
    for (int i = 0; i < def.point_count; i++) {
      thud_vec3 x = thud_pose_point(&pose, thud_vec3_load(def.points + 3 * i));
      low = fmin(low, x.y);
      high = fmax(high, x.y);
    }
    thud_assert_near(bounds.low.y, low - 0.25, 1e-13);
    thud_assert_near(bounds.high.y, high + 0.25, 1e-13);
  }
  thud_shape_destroy(mesh);
  free_grid(&g);
  thud_test_context_end(context);
}

/* ---- refusals -------------------------------------------------------------------------------------------------------------------- */

static void bad_meshes_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double points[24];
  thud_index triangles[36];
  thud_shape_def def = cube_mesh(1, points);
  def.triangles = triangles;
  memcpy(triangles, cube_triangles, sizeof triangles);
  triangles[7] = 8;
  thud_test_refuse_shape(context, &def, "mesh: triangle 2 has the vertex 8; vertices are numbered from 0 to 7");
  triangles[7] = 1;
  thud_test_refuse_shape(context, &def, "mesh: triangle 2 (counted from 0; vertices 1, 1, 7) has no area");
  memcpy(triangles, cube_triangles, sizeof triangles);
  triangles[0] = 4;
  triangles[1] = 0;
  thud_test_refuse_shape(context, &def, "mesh: triangles 0 and 5 both run from vertex 4 to 0; turn one of them over");
  memcpy(triangles, cube_triangles, sizeof triangles);
  for (int t = 0; t < 12; t++) {
    triangles[3 * t] = cube_triangles[3 * t + 1];
    triangles[3 * t + 1] = cube_triangles[3 * t];
  }
  thud_test_refuse_shape(
      context, &def,
      "mesh: it is inside out (its volume is -8); the corners of every triangle must run counter-clockwise seen "
      "from outside");
  memcpy(triangles, cube_triangles, sizeof triangles);
  def.triangle_count = 11;
  thud_test_refuse_shape(
      context, &def,
      "mesh: it has a hole: the edge from vertex 4 to 6 of triangle 0 has no neighbour; set `open` for a surface with "
      "borders");
  def.triangle_count = 12; /* triangle 11 once more: its edges have three */
  memcpy(triangles, cube_triangles + 33, 3 * sizeof *triangles);
  def.open = true;
  thud_test_refuse_shape(context, &def, "mesh: more than two triangles (0, 11) have the edge between vertices 4 and 7");
  def.triangle_count = 0;
  thud_test_refuse_shape(context, &def, "mesh: there are no triangles");
  thud_test_context_end(context);
}

static void bad_height_fields_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double heights[6] = {0};
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HEIGHT_FIELD);
  def.columns = 3;
  def.rows = 1;
  def.heights = heights;
  thud_test_refuse_shape(context, &def,
                         "height-field: there are 3 columns and 1 rows of heights; at least 2 of each are needed");
  def.rows = 2;
  def.spacing[0] = 1;
  thud_test_refuse_shape(context, &def, "height-field: the spacing along y is 0; it must be a finite number > 0");
  def.spacing[1] = 1;
  heights[4] = INFINITY;
  thud_test_refuse_shape(context, &def,
                         "height-field: the height in column 1, row 1 (counted from 0) is inf; it must be finite");
  def.columns = def.rows = 100000;
  thud_shape *shape = NULL;
  assert_int_equal(thud_shape_create(context, &def, &shape), THUD_ERROR_OVERFLOW);
  thud_test_context_end(context);
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  grid g = make_grid(4, 1, hills);
  thud_shape_def mesh = grid_mesh(&g), field = grid_field(&g);
  thud_assert_at_least(thud_test_sweep_shape(mesh), 10);
  thud_assert_at_least(thud_test_sweep_shape(field), 2);
  free_grid(&g);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_flat_floor_of_triangles_is_a_plane),
      cmocka_unit_test(a_height_field_is_the_mesh_of_its_triangles),
      cmocka_unit_test(balls_touch_a_cube_of_triangles_like_a_cube),
      cmocka_unit_test(solids_touch_a_cube_of_triangles_like_a_cube),
      cmocka_unit_test(solids_leave_a_cube_of_triangles_by_the_shortest_way),
      cmocka_unit_test(a_box_in_a_corner_touches_floor_and_wall),
      cmocka_unit_test(nothing_that_is_sunk_is_left_without_a_contact),
      cmocka_unit_test(many_contacts_become_few),
      cmocka_unit_test(deep_below_hills_the_triangle_above_pushes),
      cmocka_unit_test(contacts_of_one_name_are_told_apart),
      cmocka_unit_test(edges_are_what_their_neighbours_make_them),
      cmocka_unit_test(names_stay_while_a_box_slides),
      cmocka_unit_test(a_plate_on_a_cube_is_carried_by_its_top),
      cmocka_unit_test(what_is_deep_is_pushed_out),
      cmocka_unit_test(the_tree_finds_every_triangle_that_meets_a_box),
      cmocka_unit_test(bad_meshes_are_named),
      cmocka_unit_test(bad_height_fields_are_named),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
