/* The surface of the elastic half-plane: entries against quadrature, products by FFT against sums, bad input. */
#include "motions/half_plane/half_plane.h"
#include "failing_allocator.h"
#include "testing.h"

#include <stdlib.h>

static const double pi = 3.14159265358979323846;

static thud_half_plane *make_plane(thud_context *context, thud_half_plane_mesh mesh, thud_index n, double left,
                                   double right, double period) {
  double edges[256];
  thud_half_plane_material material = {.modulus = 2, .coupling = 0.4};
  thud_half_plane *plane = NULL;
  assert_int_equal(thud_half_plane_fill_mesh(context, mesh, n, left, right, edges), THUD_OK);
  assert_int_equal(thud_half_plane_create(context, &material, n, edges, period, &plane), THUD_OK);
  return plane;
}

/* Integral over [a, b] of g by the rule of tanh-sinh, which singularities at the ends do not disturb: an independent
 * value of every entry. */
typedef double (*kernel_fn)(double d, double period);

static double integrate(kernel_fn g, double x, double a, double b, double period) {
  double sum = 0, h = 1.0 / 64, half = 0.5 * (b - a);
  for (int k = -260; k <= 260; k++) {
    double s = pi / 2 * sinh(k * h), c = cosh(s), weight = h * pi / 2 * cosh(k * h) / (c * c);
    double from_end = half * exp(-fabs(s)) / c; /* distance to the nearer end, without cancellation */
    double t = s < 0 ? a + from_end : b - from_end;
    double d = x == b && s > 0 ? from_end : x == a && s < 0 ? -from_end : x - t;
    if (weight > 0 && d != 0) sum += weight * g(d, period);
  }
  return half * sum;
}

static double log_kernel(double d, double period) {
  return -(period > 0 ? log(fabs(2 * sin(pi * d / period))) : log(fabs(d))) / pi;
}

static double sign_kernel(double d, double period) {
  double sign = (d > 0) - (d < 0);
  if (period == 0) return sign / 2;
  double wrapped = d - period * round(d / period);
  return ((wrapped > 0) - (wrapped < 0)) / 2.0 - wrapped / period;
}

/* Sampled pairs of elements, near and far; the point is an end of the interval when it lies in the element. */
static void check_entries(thud_context *context, thud_half_plane_mesh mesh, double period) {
  enum { N = 60 };
  thud_half_plane *plane = make_plane(context, mesh, N, -1, 1, period);
  double gamma = 0.4, p[N] = {0}, q[N] = {0}, u[N], v[N];
  static const thud_index sources[] = {0, 1, 17, 30, 58, 59};
  for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
    thud_index j = sources[s];
    double a = plane->edge[j], b = plane->edge[j + 1], middle = thud_half_plane_middle(plane, j);
    p[j] = 1.5;
    q[j] = -0.7;
    assert_int_equal(thud_half_plane_displace(plane, p, q, u, v), THUD_OK);
    for (thud_index i = 0; i < N; i += i == j - 1 || i == j ? 1 : 2) {
      double x = thud_half_plane_middle(plane, i), logs = 0, signs = 0;
      if (i == j)
        logs = integrate(log_kernel, middle, a, middle, period) + integrate(log_kernel, middle, middle, b, period);
      else {
        logs = integrate(log_kernel, x, a, b, period);
        signs = integrate(sign_kernel, x, a, b, period);
      }
      thud_assert_near(u[i], 1.5 * logs - 0.7 * gamma * signs, 1e-10);
      thud_assert_near(v[i], -0.7 * logs - 1.5 * gamma * signs, 1e-10);
    }
    p[j] = q[j] = 0;
  }
  thud_half_plane_destroy(plane);
}

static void displacements_are_the_integrals_of_the_kernels(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  check_entries(context, THUD_HALF_PLANE_UNIFORM, 0);
  check_entries(context, THUD_HALF_PLANE_GRADED, 0);
  check_entries(context, THUD_HALF_PLANE_UNIFORM, 2);
  check_entries(context, THUD_HALF_PLANE_GRADED, 2.5);
  thud_test_context_end(context);
}

static void products_by_transforms_are_those_of_the_matrices(void **state) {
  (void)state;
  enum { MOST = 101 };
  static const thud_index sizes[] = {2, 3, 7, 64, MOST};
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (size_t k = 0; k < 2 * sizeof sizes / sizeof *sizes; k++) {
    thud_index n = sizes[k / 2];
    thud_half_plane *plane = make_plane(context, THUD_HALF_PLANE_UNIFORM, n, 1, 4, k % 2 == 0 ? 0 : 3.5);
    double f[MOST], t[MOST], u[MOST], v[MOST];
    assert_true(thud_half_plane_is_uniform(plane));
    for (thud_index j = 0; j < n; j++) f[j] = thud_random_normal(&random), t[j] = thud_random_normal(&random);
    thud_half_plane_product(plane, f, t, u, v);
    for (thud_index i = 0; i < n; i++) {
      double expected_u = 0, expected_v = 0;
      for (thud_index j = 0; j < n; j++) {
        double normal = thud_half_plane_normal_entry(plane, i, j),
               cross = 0.4 * thud_half_plane_cross_entry(plane, i, j);
        expected_u += normal * f[j] + cross * t[j];
        expected_v += normal * t[j] - cross * f[j];
        thud_assert_near(thud_half_plane_normal(plane, i, j), normal, 1e-14);
        thud_assert_near(thud_half_plane_cross(plane, i, j), cross / 0.4, 1e-14);
      }
      thud_assert_near(u[i], expected_u, 1e-13 * n);
      thud_assert_near(v[i], expected_v, 1e-13 * n);
    }
    thud_half_plane_destroy(plane);
  }
  thud_test_context_end(context);
}

/* Steel on steel: no coupling; rubber on something rigid: that of one body. */
static void materials_are_those_of_dundurs(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_half_plane_material one, pair;
  assert_int_equal(thud_half_plane_material_of(context, 210000, 0.3, &one), THUD_OK);
  thud_assert_near(one.modulus, 230769.230769, 1e-5);
  thud_assert_near(one.coupling, 2.0 / 7, 1e-15);
  assert_int_equal(thud_half_plane_material_of_pair(context, 210000, 0.3, 210000, 0.3, &pair), THUD_OK);
  thud_assert_near(pair.modulus, 115384.615, 1e-3);
  thud_assert_near(pair.coupling, 0, 1e-16);
  assert_int_equal(thud_half_plane_material_of_pair(context, 210000, 0.3, 1e25, 0.1, &pair), THUD_OK);
  thud_assert_near(pair.coupling, one.coupling, 1e-12);
  assert_int_equal(thud_half_plane_material_of(context, 1, 0.6, &one), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_material_of(context, 0, 0.3, &one), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_material_of(context, NAN, 0.3, &one), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_half_plane_material_of_pair(context, 1, 0.3, 1, -1, &pair), THUD_ERROR_ARGUMENT);
  thud_test_context_end(context);
}

static void bad_surfaces_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_half_plane_material good = {.modulus = 2, .coupling = 0.2}, soft = {.modulus = -1},
                           coupled = {.modulus = 1, .coupling = 1};
  double edges[4] = {0, 1, 2, 3}, inverted[4] = {0, 2, 1, 3}, broken[4] = {0, 1, NAN, 3};
  thud_half_plane *plane = NULL;
  assert_int_equal(thud_half_plane_create(context, &good, 0, edges, 0, &plane), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "0 elements", NULL);
  assert_int_equal(thud_half_plane_create(context, &good, 1, edges, 0, &plane), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "1 element;", NULL);
  assert_int_equal(thud_half_plane_create(context, &good, 3, inverted, 0, &plane), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "edge 2", NULL);
  assert_int_equal(thud_half_plane_create(context, &good, 3, broken, 0, &plane), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_half_plane_create(context, &good, 3, edges, 2.5, &plane), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_create(context, &good, 3, edges, NAN, &plane), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_half_plane_create(context, &soft, 3, edges, 0, &plane), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_create(context, &coupled, 3, edges, 0, &plane), THUD_ERROR_ARGUMENT);
  assert_null(plane);
  assert_int_equal(thud_half_plane_fill_mesh(context, THUD_HALF_PLANE_GRADED, 0, 0, 1, edges), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_fill_mesh(context, THUD_HALF_PLANE_GRADED, 2, 1, 1, edges), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_fill_mesh(context, THUD_HALF_PLANE_GRADED, 2, 0, INFINITY, edges),
                   THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_half_plane_fill_pieces(context, 0, edges, (thud_index[]){1}, edges), THUD_ERROR_ARGUMENT);
  thud_test_context_end(context);
}

static thud_error create_and_displace(thud_context *context, void *user) {
  thud_half_plane_material material = {.modulus = 2, .coupling = 0.2};
  double edges[9], p[8] = {1}, u[8], v[8];
  thud_half_plane *plane = NULL;
  thud_error error = thud_half_plane_fill_mesh(context, *(thud_half_plane_mesh *)user, 8, 0, 1, edges);
  if (error == THUD_OK) error = thud_half_plane_create(context, &material, 8, edges, 0, &plane);
  if (error == THUD_OK) error = thud_half_plane_displace(plane, p, p, u, v);
  thud_half_plane_destroy(plane);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_half_plane_mesh meshes[2] = {THUD_HALF_PLANE_UNIFORM, THUD_HALF_PLANE_GRADED};
  for (int k = 0; k < 2; k++) thud_assert_at_least(thud_test_sweep_allocations(create_and_displace, &meshes[k]), 6);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(displacements_are_the_integrals_of_the_kernels),
                                     cmocka_unit_test(products_by_transforms_are_those_of_the_matrices),
                                     cmocka_unit_test(materials_are_those_of_dundurs),
                                     cmocka_unit_test(bad_surfaces_are_refused),
                                     cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
