/* Convex hulls by qhull: polyhedra that contain their points, with outward faces, and refusals. */
#include "geom/polyhedron.h"
#include "geom/shape.h"
#include "shape_checks.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

enum { MOST = 4000 };

/* ---- point sets -------------------------------------------------------------------------------------------------------- */

typedef struct points {
  int count;
  double x[3 * MOST];
} points;

static void add(points *set, double x, double y, double z) {
  double *to = set->x + 3 * set->count++;
  to[0] = x;
  to[1] = y;
  to[2] = z;
}

static void on_sphere(points *set, thud_random *random, int count) {
  for (int i = 0; i < count; i++) {
    thud_vec3 v = thud_test_random_vec3(random);
    thud_vec3_normalise(v, &v);
    add(set, v.x, v.y, v.z);
  }
}

static void in_cube(points *set, thud_random *random, int count) {
  for (int i = 0; i < 3 * count; i++) set->x[3 * set->count + i] = thud_random_uniform(random, -1, 1);
  set->count += count;
}

static void on_grid(points *set, int n) {
  for (int i = 0; i < n * n * n; i++)
    add(set, 2.0 * (i % n) / (n - 1) - 1, 2.0 * (i / n % n) / (n - 1) - 1, 2.0 * (i / n / n) / (n - 1) - 1);
}

static void on_prism(points *set, int n) {
  for (int i = 0; i < n; i++) {
    double angle = 2 * THUD_TEST_PI * i / n;
    add(set, cos(angle), sin(angle), -1);
    add(set, cos(angle), sin(angle), 1);
  }
}

/* Turned, stretched, moved. */
static void place(points *set, thud_random *random, double scale, double away) {
  thud_quat turn = thud_test_random_pose(random).rotation;
  thud_vec3 shift = {away * scale, -2 * away * scale, 0.5 * away * scale};
  for (int i = 0; i < set->count; i++) {
    thud_vec3 x = thud_vec3_scale(scale, thud_quat_rotate(turn, thud_vec3_load(set->x + 3 * i)));
    thud_vec3_store(thud_vec3_add(x, shift), set->x + 3 * i);
  }
}

static thud_shape_def def_of(const points *set) {
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HULL);
  def.point_count = set->count;
  def.points = set->x;
  return def;
}

static thud_shape *hull_of(thud_context *context, const points *set) { return thud_test_shape(context, def_of(set)); }

/* ---- what a polyhedron is ----------------------------------------------------------------------------------------------- */

static void check_faces(const thud_polyhedron *p, double size) {
  for (thud_index f = 0; f < p->face_count; f++) {
    thud_vec3 n = p->face_normals[f];
    thud_assert_near(thud_vec3_norm(n), 1, 1e-15 * 4);
    thud_index first = p->face_start[f], count = p->face_start[f + 1] - first;
    thud_assert_at_least(count, 3);
    for (thud_index k = 0; k < count; k++) {
      thud_vec3 a = p->vertices[p->face_vertices[first + k]];
      thud_vec3 b = p->vertices[p->face_vertices[first + (k + 1) % count]];
      thud_vec3 c = p->vertices[p->face_vertices[first + (k + 2) % count]];
      thud_assert_near(thud_vec3_dot(n, a), p->face_offsets[f], 3e-10 * size);
      /* counter-clockwise and convex: every corner turns left */
      thud_vec3 turn = thud_vec3_cross(thud_vec3_subtract(b, a), thud_vec3_subtract(c, b));
      thud_assert_greater(thud_vec3_dot(turn, n), 0);
    }
  }
}

static void check_edges(const thud_polyhedron *p) {
  thud_assert_equal(p->vertex_count - p->edge_count + p->face_count, 2);
  thud_assert_equal(p->face_start[p->face_count], 2 * p->edge_count);
  thud_assert_equal(p->neighbour_start[p->vertex_count], 2 * p->edge_count);
  for (thud_index e = 0; e < p->edge_count; e++) {
    thud_index a = p->edges[2 * e], b = p->edges[2 * e + 1];
    thud_assert_less(a, b);
    bool forward = false, back = false;
    for (thud_index n = p->neighbour_start[a]; n < p->neighbour_start[a + 1]; n++) forward |= p->neighbours[n] == b;
    for (thud_index n = p->neighbour_start[b]; n < p->neighbour_start[b + 1]; n++) back |= p->neighbours[n] == a;
    assert_true(forward);
    assert_true(back);
  }
  for (thud_index v = 0; v < p->vertex_count; v++)
    for (thud_index n = p->neighbour_start[v] + 1; n < p->neighbour_start[v + 1]; n++)
      thud_assert_less(p->neighbours[n - 1], p->neighbours[n]);
}

/* All points are inside, and the vertices are points. */
static void check_points(const thud_polyhedron *p, const points *set, double size) {
  for (thud_index f = 0; f < p->face_count; f++)
    for (int i = 0; i < set->count; i++)
      thud_assert_at_most(thud_vec3_dot(p->face_normals[f], thud_vec3_load(set->x + 3 * i)),
                          p->face_offsets[f] + 3e-10 * size);
  for (thud_index v = 0; v < p->vertex_count; v++) {
    bool found = false;
    for (int i = 0; i < set->count && !found; i++)
      found = memcmp(&p->vertices[v], set->x + 3 * i, sizeof(thud_vec3)) == 0;
    assert_true(found);
  }
}

static void check_supports(const thud_shape *shape, const points *set, thud_random *random) {
  for (int trial = 0; trial < 50; trial++) {
    thud_vec3 d = thud_test_random_vec3(random);
    double most = -INFINITY, scale = thud_shape_radius(shape) * thud_vec3_norm(d);
    for (int i = 0; i < set->count; i++) most = fmax(most, thud_vec3_dot(d, thud_vec3_load(set->x + 3 * i)));
    thud_assert_near(thud_vec3_dot(d, thud_shape_support(shape, d)), most, 1e-14 * scale);
  }
}

static void check(thud_context *context, const points *set, double size, thud_random *random) {
  thud_shape *shape = hull_of(context, set);
  check_faces(&shape->polyhedron, size);
  check_edges(&shape->polyhedron);
  check_points(&shape->polyhedron, set, size);
  check_supports(shape, set, random);
  thud_shape_destroy(shape);
}

static void hulls_of_random_points_are_polyhedra_around_them(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  points *set = calloc(1, sizeof *set);
  for (int trial = 0; trial < 120; trial++) {
    set->count = 0;
    int count = 4 + (int)thud_random_below(&random, trial % 10 == 0 ? 300 : 40);
    if (trial % 2 == 0)
      on_sphere(set, &random, count);
    else
      in_cube(set, &random, count);
    double scale = pow(10, thud_random_uniform(&random, -6, 6));
    place(set, &random, scale, trial % 3 == 0 ? 10 : 0);
    check(context, set, 2 * scale, &random);
  }
  free(set);
  thud_test_context_end(context);
}

static void coplanar_points_are_one_face(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  points *set = calloc(1, sizeof *set);
  for (int trial = 0; trial < 40; trial++) {
    set->count = 0;
    int n = 3 + trial % 9;
    if (trial % 2 == 0)
      on_grid(set, n);
    else
      on_prism(set, n);
    double scale = pow(10, thud_random_uniform(&random, -3, 3));
    if (trial >= 4) place(set, &random, scale, trial % 5);
    double size = trial >= 4 ? 2 * scale : 2;
    check(context, set, size, &random);
    thud_shape *shape = hull_of(context, set);
    thud_assert_equal(shape->polyhedron.face_count, trial % 2 == 0 ? 6 : n + 2);
    thud_assert_equal(shape->polyhedron.vertex_count, trial % 2 == 0 ? 8 : 2 * n);
    thud_shape_destroy(shape);
  }
  free(set);
  thud_test_context_end(context);
}

/* More vertices than are scanned: climbing along edges finds the same. */
static void large_hulls_find_supports(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  points *set = calloc(1, sizeof *set);
  on_sphere(set, &random, MOST);
  thud_shape *shape = hull_of(context, set);
  thud_assert_equal(shape->polyhedron.vertex_count, MOST);
  thud_assert_equal(shape->polyhedron.face_count, 2 * MOST - 4);
  check_supports(shape, set, &random);
  thud_assert_near(thud_shape_radius(shape), 1, 1e-15 * 4);
  thud_assert_near(thud_shape_thickness(shape), 2, 0.02); /* the deepest of 7996 caps: a few thousandths */
  thud_shape_destroy(shape);
  free(set);
  thud_test_context_end(context);
}

static void the_def_of_a_hull_makes_it_again(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(4);
  points *set = calloc(1, sizeof *set);
  in_cube(set, &random, 200);
  thud_shape *shape = hull_of(context, set), *again = thud_test_shape(context, thud_shape_get_def(shape));
  thud_assert_less(thud_shape_get_def(shape).point_count, 200);
  const thud_polyhedron *a = &shape->polyhedron, *b = &again->polyhedron;
  thud_assert_equal(a->vertex_count, b->vertex_count);
  thud_assert_equal(a->face_count, b->face_count);
  assert_memory_equal(a->vertices, b->vertices, (size_t)a->vertex_count * sizeof(thud_vec3));
  assert_memory_equal(a->edges, b->edges, 2 * (size_t)a->edge_count * sizeof(thud_index));
  thud_shape_destroy(again);
  thud_shape_destroy(shape);
  free(set);
  thud_test_context_end(context);
}

/* ---- refusals ----------------------------------------------------------------------------------------------------------- */

static void refuse(thud_context *context, const points *set, const char *message) {
  thud_shape_def def = def_of(set);
  thud_test_refuse_shape(context, &def, message);
}

static void degenerate_point_sets_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  const char *flat = "hull: the points are in a plane (to 1e-9 of their extent); a hull needs a volume";
  points *set = calloc(1, sizeof *set);
  for (int trial = 0; trial < 30; trial++) { /* in a plane, exactly and nearly, and on a line */
    set->count = 0;
    in_cube(set, &random, 4 + trial);
    for (int i = 0; i < set->count; i++) {
      set->x[3 * i + 2] *= trial % 3 == 0 ? 0 : 4e-10;
      if (trial % 5 == 0) set->x[3 * i + 1] *= 1e-12;
    }
    if (trial >= 10) place(set, &random, pow(10, trial % 7 - 3), 0);
    refuse(context, set, flat);
  }
  set->count = 0;
  for (int i = 0; i < 5; i++) add(set, 1, 2, 3);
  refuse(context, set, "hull: all points are equal (1, 2, 3)");
  set->count = 0; /* across each of the axes */
  on_grid(set, 2);
  for (int axis = 0; axis < 3; axis++) {
    points *plane = calloc(1, sizeof *plane);
    for (int i = 0; i < set->count; i++)
      if (set->x[3 * i + axis] > 0) add(plane, set->x[3 * i], set->x[3 * i + 1], set->x[3 * i + 2]);
    refuse(context, plane, flat);
    free(plane);
  }
  set->count = 3;
  refuse(context, set, "hull: there are 3 points; at least 4 are needed");
  set->count = 5;
  set->x[7] = NAN;
  refuse(context, set,
         "hull: coordinate y of point 2 (counted from 0) is nan; it must be finite and at most 1e+50 in size");
  set->count = 0; /* thin, but a hundred times what is refused */
  in_cube(set, &random, 50);
  for (int i = 0; i < set->count; i++) set->x[3 * i + 2] *= 1e-7;
  thud_shape *thin = hull_of(context, set);
  thud_assert_less(thud_shape_thickness(thin), 2.1e-7);
  thud_assert_greater(thud_shape_thickness(thin), 1e-7);
  thud_shape_destroy(thin);
  free(set);
  thud_test_context_end(context);
}

/* One random set of the kind: plain, on a grid with equal and coplanar points, flattened, a needle, on a sphere, nearly
 * coplanar, a flat drum, far from the origin. small: the factor that makes it degenerate or not. */
static void fill(points *set, thud_random *random, int kind, int count, double small) {
  set->count = 0;
  for (int i = 0; i < count; i++) {
    thud_vec3 x = thud_test_random_vec3(random), noise = thud_vec3_scale(small, thud_test_random_vec3(random));
    double angle = 2 * THUD_TEST_PI * i / count;
    if (kind == 1) x = thud_vec3_make(round(2 * x.x) / 2, round(2 * x.y) / 2, round(2 * x.z) / 2);
    if (kind == 2 || kind == 3) x.z *= small;
    if (kind == 3) x.y *= small;
    if (kind == 4) thud_vec3_normalise(x, &x);
    if (kind == 5) x = thud_vec3_add(thud_vec3_make(round(x.x), round(x.y), round(x.z)), noise);
    if (kind == 6) x = thud_vec3_make(cos(angle), sin(angle), i % 2 * small);
    if (kind == 7) x = thud_vec3_make(1000 + round(3 * x.x) / 10, round(3 * x.y) / 10, round(3 * x.z) / 10);
    add(set, x.x, x.y, x.z);
  }
}

static void every_point_set_is_a_polyhedron_or_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  points *set = calloc(1, sizeof *set);
  int made = 0, refused = 0;
  for (int trial = 0; trial < 8000; trial += THUD_TEST_STRIDE(9)) {
    int count = 4 + (int)thud_random_below(&random, trial % 3 == 0 ? 4 : 40);
    fill(set, &random, trial % 8, count, pow(10, -thud_random_uniform(&random, 0, 12)));
    thud_shape_def def = def_of(set);
    thud_shape *shape = NULL;
    thud_error error = thud_shape_create(context, &def, &shape);
    if (error != THUD_OK) {
      assert_string_equal(thud_context_last_message(context),
                          "hull: the points are in a plane (to 1e-9 of their extent); a hull needs a volume");
      refused++;
      continue;
    }
    check_edges(&shape->polyhedron);
    check_points(&shape->polyhedron, set, 10);
    made++;
    thud_shape_destroy(shape);
  }
  thud_assert_greater(made, 2 * refused);
  thud_assert_greater(refused, 0);
  free(set);
  thud_test_context_end(context);
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  points *set = calloc(1, sizeof *set);
  on_grid(set, 3);
  thud_assert_at_least(thud_test_sweep_shape(def_of(set)), 15);
  free(set);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(hulls_of_random_points_are_polyhedra_around_them),
      cmocka_unit_test(coplanar_points_are_one_face),
      cmocka_unit_test(large_hulls_find_supports),
      cmocka_unit_test(the_def_of_a_hull_makes_it_again),
      cmocka_unit_test(degenerate_point_sets_are_named),
      cmocka_unit_test(every_point_set_is_a_polyhedron_or_refused),
      cmocka_unit_test(failing_allocations_leave_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
