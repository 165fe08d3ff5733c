/* Masses: closed forms against quadrature over slices, polyhedra against tetrahedra, principal axes. */
#include "geom/shape.h"
#include "shape_checks.h"
#include "testing.h"

#include <float.h>

static thud_mass_properties mass_of(thud_context *context, const thud_shape_def *def, double density) {
  thud_shape *shape = thud_test_shape(context, *def);
  thud_mass_properties mass;
  assert_int_equal(thud_shape_mass(context, shape, density, &mass), THUD_OK);
  thud_shape_destroy(shape);
  return mass;
}

static void near_matrix(thud_mat3 A, thud_mat3 B, double tolerance) {
  double a[9], b[9];
  thud_mat3_store(A, a);
  thud_mat3_store(B, b);
  for (int k = 0; k < 9; k++) thud_assert_near(a[k], b[k], tolerance);
}

static void near_mass(const thud_mass_properties *a, const thud_mass_properties *b, double tolerance) {
  thud_assert_near(a->mass, b->mass, tolerance);
  thud_assert_near(thud_vec3_distance(a->centre, b->centre), 0, tolerance);
  near_matrix(a->inertia, b->inertia, tolerance);
}

/* ---- solids by slices across z ------------------------------------------------------------------------------------------ */

/* Half-axes of the elliptical slice at z. */
typedef void (*slice_fn)(const thud_shape_def *def, double z, double *a, double *b);

static void slice_ellipsoid(const thud_shape_def *def, double z, double *a, double *b) {
  double s = sqrt(fmax(0, 1 - z * z / (def->half[2] * def->half[2])));
  *a = def->half[0] * s;
  *b = def->half[1] * s;
}
static void slice_sphere(const thud_shape_def *def, double z, double *a, double *b) {
  *a = *b = sqrt(fmax(0, def->radius * def->radius - z * z));
}
static void slice_capsule(const thud_shape_def *def, double z, double *a, double *b) {
  double beyond = fmax(0, fabs(z) - def->half_length);
  *a = *b = sqrt(fmax(0, def->radius * def->radius - beyond * beyond));
}
static void slice_cylinder(const thud_shape_def *def, double z, double *a, double *b) {
  (void)z;
  *a = *b = def->radius;
}
static void slice_cone(const thud_shape_def *def, double z, double *a, double *b) {
  *a = *b = def->radius * (def->half_length - z) / (2 * def->half_length);
}

/* Gauss's rule with three points, exact up to degree 5: slices of quadrics have squares of degree 2. */
static void add_slices(const thud_shape_def *def, slice_fn slice, double low, double high, double sum[5]) {
  static const double node[3] = {-0.77459666924148337704, 0, 0.77459666924148337704};
  static const double weight[3] = {5.0 / 9, 8.0 / 9, 5.0 / 9};
  const double pi = acos(-1);
  for (int k = 0; k < 3; k++) {
    double z = 0.5 * (low + high) + 0.5 * (high - low) * node[k], w = 0.5 * (high - low) * weight[k], a, b;
    slice(def, z, &a, &b);
    double area = pi * a * b;
    sum[0] += w * area;
    sum[1] += w * area * z;
    sum[2] += w * area * a * a / 4; /* integrals of x^2, y^2, z^2 */
    sum[3] += w * area * b * b / 4;
    sum[4] += w * area * z * z;
  }
}

static thud_mass_properties by_slices(const thud_shape_def *def, slice_fn slice, int breaks, const double *z) {
  double s[5] = {0};
  for (int k = 0; k + 1 < breaks; k++) add_slices(def, slice, z[k], z[k + 1], s);
  double zz = s[4] - s[1] * s[1] / s[0];
  return (thud_mass_properties){s[0], {0, 0, s[1] / s[0]}, thud_mat3_diagonal(s[3] + zz, zz + s[2], s[2] + s[3])};
}

static void masses_of_round_solids_are_sums_of_slices(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  for (int trial = 0; trial < 50; trial++) {
    thud_shape_def def = thud_shape_def_default(THUD_SHAPE_SPHERE);
    def.radius = thud_random_uniform(&random, 0.2, 2);
    def.half_length = thud_random_uniform(&random, 0.2, 2);
    for (int k = 0; k < 3; k++) def.half[k] = thud_random_uniform(&random, 0.2, 2);
    double r = def.radius, h = def.half_length, c = def.half[2];
    const struct {
      thud_shape_kind kind;
      slice_fn slice;
      int breaks;
      double z[4];
    } cases[] = {{THUD_SHAPE_SPHERE, slice_sphere, 2, {-r, r}},
                 {THUD_SHAPE_ELLIPSOID, slice_ellipsoid, 2, {-c, c}},
                 {THUD_SHAPE_CAPSULE, slice_capsule, 4, {-h - r, -h, h, h + r}},
                 {THUD_SHAPE_CYLINDER, slice_cylinder, 2, {-h, h}},
                 {THUD_SHAPE_CONE, slice_cone, 2, {-h, h}}};
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
      def.kind = cases[k].kind;
      thud_mass_properties mass = mass_of(context, &def, 1);
      thud_mass_properties slices = by_slices(&def, cases[k].slice, cases[k].breaks, cases[k].z);
      near_mass(&mass, &slices, 1e-13 * (1 + mass.mass + thud_mat3_trace(mass.inertia)));
      assert_null(thud_inertia_check(mass.inertia));
    }
  }
  thud_test_context_end(context);
}

/* ---- solids by tetrahedra ------------------------------------------------------------------------------------------------ */

/* Signed tetrahedra between the origin and the faces: of one with corners v_i (i = 1..4), volume V, s = sum v_i,
 * integral of x: V s/4, of x x': V/20 (sum v_i v_i' + s s'). */
static thud_mass_properties by_tetrahedra(const thud_polyhedron *p, thud_vec3 apex) {
  double volume = 0;
  thud_vec3 first = {0, 0, 0};
  thud_mat3 second = thud_mat3_diagonal(0, 0, 0);
  for (thud_index f = 0; f < p->face_count; f++) {
    for (thud_index k = p->face_start[f] + 1; k + 1 < p->face_start[f + 1]; k++) {
      thud_vec3 v[4] = {p->vertices[p->face_vertices[k]], p->vertices[p->face_vertices[k + 1]],
                        p->vertices[p->face_vertices[p->face_start[f]]], apex};
      thud_mat3 edges = thud_mat3_columns(thud_vec3_subtract(v[0], apex), thud_vec3_subtract(v[1], apex),
                                          thud_vec3_subtract(v[2], apex));
      double V = thud_mat3_determinant(edges) / 6;
      thud_vec3 s = {0, 0, 0};
      for (int i = 0; i < 4; i++) {
        s = thud_vec3_add(s, v[i]);
        second = thud_mat3_add(second, thud_mat3_scale(V / 20, thud_mat3_outer(v[i], v[i])));
      }
      volume += V;
      first = thud_vec3_add_scaled(first, V / 4, s);
      second = thud_mat3_add(second, thud_mat3_scale(V / 20, thud_mat3_outer(s, s)));
    }
  }
  thud_vec3 centre = thud_vec3_scale(1 / volume, first);
  thud_mat3 about = thud_mat3_subtract(second, thud_mat3_outer(first, centre));
  double trace = thud_mat3_trace(about);
  return (thud_mass_properties){volume, centre, thud_mat3_subtract(thud_mat3_diagonal(trace, trace, trace), about)};
}

static void masses_of_hulls_are_sums_of_tetrahedra(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  for (int trial = 0; trial < 100; trial++) {
    double points[90];
    for (int i = 0; i < 90; i++) points[i] = thud_random_normal(&random);
    thud_shape_def def = thud_shape_def_default(THUD_SHAPE_HULL);
    def.point_count = 4 + (thud_index)thud_random_below(&random, 27);
    def.points = points;
    thud_shape *shape = thud_test_shape(context, def);
    thud_mass_properties mass, other = by_tetrahedra(&shape->polyhedron, thud_test_random_vec3(&random));
    assert_int_equal(thud_shape_mass(context, shape, 1, &mass), THUD_OK);
    near_mass(&mass, &other, 1e-12 * (1 + mass.mass + thud_mat3_trace(mass.inertia)));
    assert_null(thud_inertia_check(mass.inertia));
    thud_shape_destroy(shape);
  }
  thud_test_context_end(context);
}

/* Digits do not go lost far from the origin: only those of the vertices themselves, 1e6 away. */
static void the_mass_of_a_hull_is_that_of_the_box_it_is(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int far = 0; far < 2; far++) {
    double points[24], away = far ? 1048576 : 0;
    for (int i = 0; i < 8; i++) {
      points[3 * i] = away + (i & 1 ? 0.5 : -0.5);
      points[3 * i + 1] = (i & 2 ? 0.25 : -0.25) - away;
      points[3 * i + 2] = i & 4 ? 1 : -1;
    }
    thud_shape_def hull = thud_shape_def_default(THUD_SHAPE_HULL), box = thud_shape_def_default(THUD_SHAPE_BOX);
    hull.point_count = 8;
    hull.points = points;
    box.half[0] = 0.5;
    box.half[1] = 0.25;
    box.half[2] = 1;
    thud_mass_properties a = mass_of(context, &hull, 3), b = mass_of(context, &box, 3);
    b.centre = thud_vec3_make(away, -away, 0);
    near_mass(&a, &b, 1e-15 * 8);
    thud_assert_near(b.mass, 3, 1e-15 * 4);
    thud_assert_near(b.inertia.cz.z, 3 * (1 + 0.25) / 12, 1e-15);
  }
  thud_test_context_end(context);
}

/* ---- the plane ------------------------------------------------------------------------------------------------------------- */

/* Polygons with n corners inscribed in the outline approach mass and moment of inertia with order 2. */
static void planar_masses_are_limits_of_polygons(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double pi = acos(-1);
  for (int kind = 0; kind < 2; kind++) {
    thud_shape_def def = thud_shape_def_default(kind == 0 ? THUD_SHAPE_DISC : THUD_SHAPE_PLANAR_CAPSULE);
    def.radius = 0.7;
    def.half_length = 0.4;
    thud_mass_properties exact = mass_of(context, &def, 2);
    double h = kind == 0 ? 0 : 0.4, error[3][2];
    for (int level = 0; level < 3; level++) {
      double points[3 * 402];
      int n = 100 << level, count = 0;
      for (int i = 0; i <= n / 2; i++) /* each half of the outline: n/2 arcs */
        for (int half = 0; half < 2; half++) {
          double angle = pi * half + pi * i / (n / 2);
          points[3 * count] = 0.7 * cos(angle);
          points[3 * count + 1] = 0.7 * sin(angle) + (half ? -h : h);
          points[3 * count++ + 2] = 0;
        }
      thud_shape_def polygon = thud_shape_def_default(THUD_SHAPE_POLYGON);
      polygon.point_count = count;
      polygon.points = points;
      thud_mass_properties mass = mass_of(context, &polygon, 2);
      error[level][0] = exact.mass - mass.mass;
      error[level][1] = exact.inertia.cz.z - mass.inertia.cz.z;
      thud_assert_near(thud_vec3_norm(mass.centre), 0, 1e-14);
    }
    for (int k = 0; k < 2; k++) {
      thud_assert_greater(error[0][k], 0);
      for (int level = 0; level < 2; level++) thud_assert_near(error[level][k] / error[level + 1][k], 4, 0.01);
      thud_assert_near((4 * error[2][k] - error[1][k]) / 3, 0, 1e-7); /* the limit; what is left is of order 4 */
    }
  }
  thud_test_context_end(context);
}

static void a_polygon_is_the_rectangle_it_is(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def rectangle = thud_shape_def_default(THUD_SHAPE_RECTANGLE);
  rectangle.half[0] = 0.5;
  rectangle.half[1] = 1.5;
  thud_shape_def polygon = thud_shape_def_default(THUD_SHAPE_POLYGON);
  polygon.point_count = 4;
  polygon.points = (double[]){9.5, 3.5, 0, 10.5, 3.5, 0, 10.5, 6.5, 0, 9.5, 6.5, 0};
  thud_mass_properties a = mass_of(context, &rectangle, 2), b = mass_of(context, &polygon, 2);
  a.centre = thud_vec3_make(10, 5, 0);
  near_mass(&a, &b, 1e-14);
  thud_assert_near(a.inertia.cz.z, 6 * (1 + 9) / 12.0, 1e-14);
  thud_test_context_end(context);
}

/* ---- moving and adding -------------------------------------------------------------------------------------------------------- */

static void parts_add_up_to_the_whole(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (int trial = 0; trial < 50; trial++) {
    thud_shape_def whole = thud_shape_def_default(THUD_SHAPE_BOX), part = whole;
    for (int k = 0; k < 3; k++) part.half[k] = whole.half[k] = thud_random_uniform(&random, 0.1, 2);
    double cut = thud_random_uniform(&random, 0.1, 0.9) * whole.half[0];
    thud_pose pose = thud_test_random_pose(&random), shift = thud_pose_identity();
    part.half[0] = cut; /* [-half, -half + 2 cut] and the rest */
    thud_mass_properties left = mass_of(context, &part, 3);
    shift.position.x = -whole.half[0] + cut;
    left = thud_mass_properties_move(&left, &shift);
    part.half[0] = whole.half[0] - cut;
    thud_mass_properties right = mass_of(context, &part, 3);
    shift.position.x = cut;
    right = thud_mass_properties_move(&right, &shift);
    left = thud_mass_properties_move(&left, &pose);
    right = thud_mass_properties_move(&right, &pose);
    thud_mass_properties sum = thud_mass_properties_add(&left, &right), all = mass_of(context, &whole, 3);
    all = thud_mass_properties_move(&all, &pose);
    near_mass(&sum, &all, 1e-13 * (1 + thud_mat3_trace(all.inertia)));
    thud_mass_properties nothing = {0, {5, 5, 5}, thud_mat3_diagonal(0, 0, 0)};
    thud_mass_properties same = thud_mass_properties_add(&nothing, &all);
    near_mass(&same, &all, 1e-14 * (1 + all.mass));
  }
  thud_test_context_end(context);
}

static void what_does_not_move_has_no_mass(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_PLANE);
  thud_shape *shape = thud_test_shape(context, def);
  thud_mass_properties mass = {.mass = 7};
  assert_int_equal(thud_shape_mass(context, shape, 1, &mass), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context),
                      "plane: only fixed and kinematic bodies have this shape; it has no mass");
  thud_assert_equal(mass.mass, 7);
  thud_shape_destroy(shape);
  def.kind = THUD_SHAPE_SPHERE; /* a particle: no volume */
  shape = thud_test_shape(context, def);
  const double bad[] = {0, -1, NAN, INFINITY};
  for (int k = 0; k < 4; k++) assert_int_equal(thud_shape_mass(context, shape, bad[k], &mass), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context), "sphere: the density is inf; it must be a finite number > 0");
  assert_int_equal(thud_shape_mass(context, shape, 1, &mass), THUD_OK);
  thud_assert_equal(mass.mass, 0);
  thud_shape_destroy(shape);
  thud_test_context_end(context);
}

/* ---- principal axes ------------------------------------------------------------------------------------------------------------- */

static void principal_axes_diagonalise(void **state) {
  (void)state;
  thud_random random = thud_random_seed(4);
  for (int trial = 0; trial < 2000; trial++) {
    double moments[3];
    for (int k = 0; k < 3; k++) moments[k] = pow(10, thud_random_uniform(&random, trial % 3 ? -1 : -8, 1));
    if (trial % 5 == 0) moments[1] = moments[0]; /* equal moments */
    if (trial % 20 == 0) moments[2] = moments[0];
    double scale = pow(10, thud_random_uniform(&random, -12, 12));
    thud_mat3 R = thud_quat_to_matrix(thud_test_random_pose(&random).rotation);
    thud_mat3 D = thud_mat3_diagonal(scale * moments[0], scale * moments[1], scale * moments[2]);
    thud_mat3 I = thud_mat3_multiply(R, thud_mat3_multiply(D, thud_mat3_transpose(R)));
    thud_quat q;
    thud_vec3 found;
    thud_inertia_principal(I, &q, &found);
    thud_assert_near(thud_quat_norm(q), 1, 4 * DBL_EPSILON);
    thud_mat3 Q = thud_quat_to_matrix(q);
    thud_mat3 back = thud_mat3_multiply(
        Q, thud_mat3_multiply(thud_mat3_diagonal(found.x, found.y, found.z), thud_mat3_transpose(Q)));
    near_matrix(back, I, 1e-14 * thud_mat3_trace(D));
  }
  thud_quat q;
  thud_vec3 found; /* axes that are principal already stay */
  thud_inertia_principal(thud_mat3_diagonal(3, 1, 2), &q, &found);
  thud_assert_equal(q.w, 1);
  thud_assert_equal(found.x, 3);
  thud_assert_equal(found.y, 1);
  thud_assert_equal(found.z, 2);
}

static void inertias_are_told_from_other_matrices(void **state) {
  (void)state;
  assert_null(thud_inertia_check(thud_mat3_diagonal(1, 1, 2)));
  assert_null(thud_inertia_check(thud_mat3_diagonal(1, 1, 0)));
  assert_null(thud_inertia_check(thud_mat3_diagonal(0, 0, 0)));
  assert_string_equal(thud_inertia_check(thud_mat3_diagonal(1, 1, 2.001)),
                      "a principal moment is larger than the sum of the other two; no body has such an inertia");
  assert_string_equal(thud_inertia_check(thud_mat3_diagonal(1, 1, -1e-3)), "a principal moment is negative");
  assert_string_equal(thud_inertia_check(thud_mat3_diagonal(1, NAN, 1)), "an entry is not finite");
  thud_mat3 skew = thud_mat3_identity();
  skew.cx.y = 1e-6;
  assert_string_equal(thud_inertia_check(skew), "the matrix is not symmetric");
  skew.cy.x = 1e-6;
  assert_null(thud_inertia_check(skew));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(masses_of_round_solids_are_sums_of_slices),
      cmocka_unit_test(masses_of_hulls_are_sums_of_tetrahedra),
      cmocka_unit_test(the_mass_of_a_hull_is_that_of_the_box_it_is),
      cmocka_unit_test(planar_masses_are_limits_of_polygons),
      cmocka_unit_test(a_polygon_is_the_rectangle_it_is),
      cmocka_unit_test(parts_add_up_to_the_whole),
      cmocka_unit_test(what_does_not_move_has_no_mass),
      cmocka_unit_test(principal_axes_diagonalise),
      cmocka_unit_test(inertias_are_told_from_other_matrices),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
