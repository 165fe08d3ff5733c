/* The inside of a half-plane: Hertz's closed form, Hooke's law and equilibrium between stress and displacement, the surface as a
 * limit; Carleman's solution of a slip pattern; the search for several solutions. */
#include "testing.h"

#include "thud/half_plane.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;
enum { MOST = 640 };

static thud_half_plane *make_plane(thud_context *context, double young, double poisson, thud_half_plane_mesh mesh,
                                   thud_index n, double half, double *edges) {
  thud_half_plane_material material;
  thud_half_plane *plane = NULL;
  assert_int_equal(thud_half_plane_material_of(context, young, poisson, &material), THUD_OK);
  assert_int_equal(thud_half_plane_fill_mesh(context, mesh, n, -half, half, edges), THUD_OK);
  assert_int_equal(thud_half_plane_create(context, &material, n, edges, 0, &plane), THUD_OK);
  return plane;
}

static thud_half_plane_inside look(const thud_half_plane *plane, const double *p, const double *q, double x, double y) {
  const double point[2] = {x, y};
  thud_half_plane_inside found;
  assert_int_equal(thud_half_plane_get_inside(plane, p, q, 1, 1, point, &found), THUD_OK);
  return found;
}

/* sqrt(1 - x^2) as means over the elements; at (0, z): s_xx = -((1 + 2 z^2)/w - 2 z), s_yy = -1/w, w = sqrt(1 + z^2). */
static void below_a_pressed_cylinder_the_error_is_of_order_two(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double depths[] = {0.25, 0.78615, 2};
  double errors[3] = {0}, edges[MOST + 1], p[MOST], q[MOST] = {0};
  for (int level = 0; level < 3; level++) {
    thud_index n = 40 << level;
    thud_half_plane *plane = make_plane(context, 1, 0.3, THUD_HALF_PLANE_UNIFORM, n, 1, edges);
    for (thud_index i = 0; i < n; i++) {
      double a = edges[i], b = edges[i + 1];
      double area =
          (b * sqrt(fmax(0, 1 - b * b)) + asin(fmin(b, 1)) - a * sqrt(fmax(0, 1 - a * a)) - asin(fmax(a, -1))) / 2;
      p[i] = area / (b - a);
    }
    for (size_t k = 0; k < 3; k++) {
      double z = depths[k], w = sqrt(1 + z * z);
      const thud_half_plane_inside at = look(plane, p, q, 0, z);
      errors[level] = fmax(errors[level], fabs(at.s_xx + (1 + 2 * z * z) / w - 2 * z));
      errors[level] = fmax(errors[level], fabs(at.s_yy + 1 / w));
      thud_assert_near(at.s_xy, 0, 1e-13);
    }
    const thud_half_plane_inside best = look(plane, p, q, 0, 0.78615);
    thud_assert_near((best.s_xx - best.s_yy) / 2, 0.3002831, 0.4 / (double)n / (double)n + 1e-7);
    thud_half_plane_destroy(plane);
  }
  thud_assert_greater(log2(errors[0] / errors[1]), 1.8);
  thud_assert_greater(log2(errors[1] / errors[2]), 1.8);
  thud_assert_less(errors[2], 2e-5);
  thud_test_context_end(context);
}

/* Derivatives by central differences of order four: error below 1e-9 at this distance from the surface. */
static double slope(double far_left, double left, double right, double far_right, double h) {
  return (8 * (right - left) - (far_right - far_left)) / (12 * h);
}

static void displacements_and_stresses_belong_together(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 12 };
  const double E = 3, h = 1e-3;
  thud_random random = thud_random_seed(5);
  for (int trial = 0; trial < 8; trial++) {
    double nu = -0.2 + 0.08 * trial, edges[N + 1], p[N], q[N];
    thud_half_plane *plane = make_plane(context, E, nu, THUD_HALF_PLANE_GRADED, N, 1, edges);
    for (int i = 0; i < N; i++)
      p[i] = thud_random_uniform(&random, 0, 1), q[i] = thud_random_uniform(&random, -0.5, 0.5);
    double x = thud_random_uniform(&random, -1.5, 1.5), y = thud_random_uniform(&random, 0.4, 1.4);
    thud_half_plane_inside along[4], down[4];
    static const double ways[4] = {-2, -1, 1, 2};
    for (int k = 0; k < 4; k++) {
      along[k] = look(plane, p, q, x + ways[k] * h, y);
      down[k] = look(plane, p, q, x, y + ways[k] * h);
    }
#define ALONG(field) slope(along[0].field, along[1].field, along[2].field, along[3].field, h)
#define DOWN(field) slope(down[0].field, down[1].field, down[2].field, down[3].field, h)
    const thud_half_plane_inside at = look(plane, p, q, x, y);
    double exx = ALONG(u_x), eyy = DOWN(u_y), exy = (DOWN(u_x) + ALONG(u_y)) / 2;
    double scale = E / ((1 + nu) * (1 - 2 * nu));
    thud_assert_near(at.s_xx, scale * ((1 - nu) * exx + nu * eyy), 1e-8);
    thud_assert_near(at.s_yy, scale * ((1 - nu) * eyy + nu * exx), 1e-8);
    thud_assert_near(at.s_xy, E / (1 + nu) * exy, 1e-8);
    thud_assert_near(ALONG(s_xx) + DOWN(s_xy), 0, 1e-8);
    thud_assert_near(ALONG(s_xy) + DOWN(s_yy), 0, 1e-8);
    thud_half_plane_destroy(plane);
  }
  thud_test_context_end(context);
}

/* Just below the surface: the tractions, and what the punch says of the displacements. */
static void the_inside_meets_the_surface(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 60 };
  double edges[N + 1], gap[N] = {0};
  thud_half_plane *plane = make_plane(context, 2, 0.25, THUD_HALF_PLANE_GRADED, N, 0.8, edges);
  thud_punch_options options = thud_punch_options_default();
  thud_punch *punch = NULL;
  thud_punch_result result;
  options.friction = 0.3;
  assert_int_equal(thud_punch_create(plane, gap, &options, &punch), THUD_OK);
  assert_int_equal(thud_punch_load(punch, 1, 0.1, NULL, &result), THUD_OK);
  assert_int_equal(result.status, THUD_PUNCH_SOLVED);
  for (thud_index i = 5; i < N - 5; i += 7) {
    double x = thud_half_plane_middle(plane, i);
    const thud_half_plane_inside at = look(plane, result.pressure, result.traction, x, 1e-9);
    thud_assert_near(at.s_yy, -result.pressure[i], 1e-6);
    thud_assert_near(at.s_xy, -result.traction[i], 1e-6);
    thud_assert_near(at.u_y, result.depth, 1e-7);
    thud_assert_near(at.u_x, result.displacement[i] - result.shift, 1e-7);
  }
  thud_punch_destroy(punch);
  thud_half_plane_destroy(plane);
  thud_test_context_end(context);
}

static void points_that_are_not_inside_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double edges[5], p[4] = {1, 1, 1, 1};
  thud_half_plane *plane = make_plane(context, 1, 0.3, THUD_HALF_PLANE_UNIFORM, 4, 1, edges), *wave = NULL;
  thud_half_plane_inside found = {.s_xx = 7};
  const double good[2] = {0, 1}, bad[][2] = {{0, 0}, {0, -1}, {NAN, 1}, {0, INFINITY}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++)
    assert_int_equal(thud_half_plane_get_inside(plane, p, p, 1, 1, bad[k], &found), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_half_plane_get_inside(plane, p, p, 0, 1, good, &found), THUD_ERROR_ARGUMENT);
  const thud_half_plane_material material = {.modulus = 1, .coupling = 0.1};
  assert_int_equal(thud_half_plane_create(context, &material, 4, edges, 3, &wave), THUD_OK);
  assert_int_equal(thud_half_plane_get_inside(wave, p, p, 1, 1, good, &found), THUD_ERROR_UNSUPPORTED);
  thud_assert_near(found.s_xx, 7, 0);
  thud_half_plane_destroy(wave);
  thud_half_plane_destroy(plane);
  thud_test_context_end(context);
}

/* ---- Carleman's equation for a slip pattern ------------------------------------------------------------------------ */

/* Slip inwards on both sides of 0, no stick: u' = 0 reads (1/pi) PV int p(t)/(x - t) dt = s(x) tan(pi al) p(x), s = sgn x, with the
 * solution p = (P cos(pi al)/pi) (1 - x^2)^(al - 1/2) |x|^(-2 al) (Carleman; al = atan(gamma F)/pi). */
static double carleman(double al, double x) {
  return cos(pi * al) / pi * pow(1 - x * x, al - 0.5) * pow(fabs(x), -2 * al);
}

/* The mean over an element, in the variable in which no end is singular: x = sin t, and |x|^(-2 al) through r = x^(1 - 2 al). */
static double carleman_mean(double al, double a, double b) {
  enum { POINTS = 400 };
  double from = asin(fmax(a, -1)), to = asin(fmin(b, 1)), sum = 0;
  if (from < 0 && to > 0) return (carleman_mean(al, a, 0) * -a + carleman_mean(al, 0, b) * b) / (b - a);
  double e = 1 / (1 - 2 * al), near = pow(fmin(fabs(from), fabs(to)), 1 / e),
         far = pow(fmax(fabs(from), fabs(to)), 1 / e);
  for (int k = 0; k < POINTS; k++) {
    double r = near + (far - near) * ((double)k + 0.5) / POINTS, t = pow(r, e), x = sin(t);
    sum += carleman(al, x) * cos(t) * e * pow(r, e - 1);
  }
  return sum * (far - near) / POINTS / (b - a);
}

static void carlemans_solution_of_a_slip_pattern_leaves_the_surface_flat(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double nu = 0.3, F = 0.1, gamma = (1 - 2 * nu) / (2 * (1 - nu)), al = atan(gamma * F) / pi;
  double errors[2], edges[MOST + 1], p[MOST], q[MOST], wrong[MOST], u[MOST], v[MOST];
  for (int level = 0; level < 2; level++) {
    thud_index n = 160 << (2 * level);
    double sum = 0, low = INFINITY, high = -INFINITY, low_wrong = INFINITY, high_wrong = -INFINITY;
    thud_half_plane *plane = make_plane(context, 1 - nu * nu, nu, THUD_HALF_PLANE_GRADED, n, 1, edges);
    for (thud_index i = 0; i < n; i++) {
      double side = thud_half_plane_middle(plane, i) < 0 ? -1 : 1;
      p[i] = carleman_mean(al, edges[i], edges[i + 1]);
      q[i] = side * F * p[i];
      wrong[i] = -q[i];
      sum += p[i] * (edges[i + 1] - edges[i]);
    }
    thud_assert_near(sum, 1, 1e-4);
    assert_int_equal(thud_half_plane_displace(plane, p, q, u, v), THUD_OK);
    for (thud_index i = n / 20; i < n - n / 20; i++) low = fmin(low, u[i]), high = fmax(high, u[i]);
    assert_int_equal(thud_half_plane_displace(plane, p, wrong, u, v), THUD_OK);
    for (thud_index i = n / 20; i < n - n / 20; i++)
      low_wrong = fmin(low_wrong, u[i]), high_wrong = fmax(high_wrong, u[i]);
    errors[level] = high - low;
    thud_assert_greater(high_wrong - low_wrong, 50 * (high - low)); /* slip outwards is another pattern */
    thud_half_plane_destroy(plane);
  }
  thud_assert_less(errors[1], errors[0] / 3);
  thud_assert_less(errors[1], 1e-3);
  thud_test_context_end(context);
}

/* With F = 0.1 the stick zone has the half-width 0.036: away from it the pressure is that of the pattern. */
static void the_punch_with_a_narrow_stick_zone_has_carlemans_pressure(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 400 };
  const double nu = 0.3, F = 0.1, gamma = (1 - 2 * nu) / (2 * (1 - nu)), al = atan(gamma * F) / pi;
  double edges[N + 1], gap[N] = {0};
  thud_half_plane *plane = make_plane(context, 1, nu, THUD_HALF_PLANE_GRADED, N, 1, edges);
  thud_punch_options options = thud_punch_options_default();
  thud_punch *punch = NULL;
  thud_punch_result result;
  options.friction = F;
  assert_int_equal(thud_punch_create(plane, gap, &options, &punch), THUD_OK);
  assert_int_equal(thud_punch_load(punch, 1, 0, NULL, &result), THUD_OK);
  for (thud_index i = 20; i < N - 20; i++) {
    double x = thud_half_plane_middle(plane, i);
    if (fabs(x) < 0.3) continue;
    assert_int_equal(result.state[i], x < 0 ? THUD_PUNCH_BACKWARD : THUD_PUNCH_FORWARD);
    thud_assert_near(result.pressure[i] / carleman(al, x), 1, 2e-3);
  }
  thud_punch_destroy(punch);
  thud_half_plane_destroy(plane);
  thud_test_context_end(context);
}

/* ---- several starts -------------------------------------------------------------------------------------------------- */

static void many_starts_find_the_one_solution_and_leave_it_there(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 40 };
  double edges[N + 1], gap[N] = {0}, before[N];
  signed char first[N];
  thud_half_plane *plane = make_plane(context, 1, 0.3, THUD_HALF_PLANE_GRADED, N, 1, edges);
  thud_punch_options options = thud_punch_options_default();
  thud_punch *punch = NULL;
  thud_punch_result result;
  static thud_punch_solutions found, again;
  const thud_punch_drive drive = {.normal = 1, .tangential = 0.05};
  options.friction = 0.4;
  assert_int_equal(thud_punch_create(plane, gap, &options, &punch), THUD_OK);
  assert_int_equal(thud_punch_move(punch, &drive, NULL, &result), THUD_OK);
  memcpy(first, result.state, sizeof first);
  memcpy(before, result.pressure, sizeof before);
  assert_int_equal(thud_punch_find_solutions(punch, &drive, first, 50, &found), THUD_OK);
  assert_int_equal(found.starts, 51);
  assert_int_equal(found.count, 1);
  assert_false(found.cut);
  assert_int_equal(found.items[0].starts + found.failed, found.starts);
  thud_assert_near(found.items[0].depth, result.depth, 1e-12);
  thud_assert_near(found.items[0].stick.left, result.stick.left, 1e-9);
  for (int i = 0; i < N; i++) thud_assert_near(result.pressure[i], before[i], 1e-12);
  assert_int_equal(thud_punch_find_solutions(punch, &drive, NULL, 50, &again), THUD_OK);
  assert_int_equal(again.count, 1);
  thud_assert_near(again.items[0].shift, found.items[0].shift, 1e-12);
  thud_punch_destroy(punch);
  thud_half_plane_destroy(plane);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(below_a_pressed_cylinder_the_error_is_of_order_two),
      cmocka_unit_test(displacements_and_stresses_belong_together),
      cmocka_unit_test(the_inside_meets_the_surface),
      cmocka_unit_test(points_that_are_not_inside_are_refused),
      cmocka_unit_test(carlemans_solution_of_a_slip_pattern_leaves_the_surface_flat),
      cmocka_unit_test(the_punch_with_a_narrow_stick_zone_has_carlemans_pressure),
      cmocka_unit_test(many_starts_find_the_one_solution_and_leave_it_there),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
