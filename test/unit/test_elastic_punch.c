/* Flat punches on the elastic half-plane: without friction, sliding, bonded; guesses and scales. */
#include "punches.h"

static const double pi = 3.14159265358979323846;

/* Largest relative error of the pressure in |x| < 0.9 against a formula. */
typedef double (*pressure_fn)(double x, double parameter);

static double pressure_error(const test_punch *test, pressure_fn expected, double parameter) {
  double largest = 0;
  for (thud_index i = 0; i < test->n; i++)
    if (fabs(test->x[i]) < 0.9)
      largest = fmax(largest, fabs(test->result.pressure[i] / expected(test->x[i], parameter) - 1));
  return largest;
}

static double frictionless(double x, double parameter) {
  (void)parameter;
  return 1 / (pi * sqrt(1 - x * x));
}

/* p = P/(pi sqrt(1 - x^2)), D_y = P ln 2/pi, u_x ~ arcsin x: errors fall like h^2 in graded elements. */
static void without_friction_the_pressure_is_the_inverse_root(void **state) {
  (void)state;
  double last = 0, last_depth = 0, gamma = test_coupling(0.3);
  for (thud_index n = 50; n <= 400; n *= 2) {
    test_punch test;
    test_punch_flat(&test, n, THUD_HALF_PLANE_GRADED, gamma, 0);
    test_punch_load(&test, 1, 0);
    double error = pressure_error(&test, frictionless, 0), depth = fabs(test.result.depth - log(2) / pi);
    if (n > 50) {
      thud_assert_less(error, last / 3);
      thud_assert_less(depth, last_depth / 3);
    }
    last = error;
    last_depth = depth;
    thud_assert_equal(test.result.shift, 0); /* by symmetry, and what nothing determines */
    if (n == 400) {
      thud_assert_near(test.result.depth, 0.2206356, 1e-5);
      thud_assert_less(error, 2e-4);
      thud_index left = n / 5, right = n / 2;
      double moved = test.result.displacement[right] - test.result.displacement[left];
      thud_assert_near(moved, -gamma / pi * (asin(test.x[right]) - asin(test.x[left])), 1e-5);
    }
    test_punch_end(&test);
  }
}

/* The last shift before sliding: -v at the rear edge. With E ln((1 + x)/2) = psi(1/2 - al) - psi(1) under the pressure, F = 0.5:
 * (F/pi) (ln 2 + psi(1/2 - al) + Euler's constant) - gamma/2 = -0.29164275540. Order 2 in graded elements, 1 in equal ones. */
static void the_last_shift_before_sliding_converges(void **state) {
  (void)state;
  for (int uniform = 0; uniform < 2; uniform++) {
    double last = 0;
    for (thud_index n = 50; n <= 200; n *= 2) {
      test_punch test;
      test_punch_flat(&test, n, uniform ? THUD_HALF_PLANE_UNIFORM : THUD_HALF_PLANE_GRADED, test_coupling(0.3), 0.5);
      test_punch_load(&test, 1, 0.5);
      double error = fabs(test.result.shift + 0.29164275540);
      if (n > 50) thud_assert_at_least(log2(last / error), uniform ? 0.95 : 1.9);
      last = error;
      test_punch_load(&test, 1, -0.5);
      thud_assert_near(fabs(test.result.shift - 0.29164275540), error, 1e-12);
      test_punch_end(&test);
    }
  }
}

static double sliding(double x, double al) { return cos(pi * al) / pi * pow(1 + x, -0.5 - al) * pow(1 - x, -0.5 + al); }

static void a_sliding_punch_leans_on_its_rear_edge(void **state) {
  (void)state;
  double gamma = test_coupling(0.3), F = 0.5, al = atan(gamma * F) / pi;
  test_punch test;
  test_punch_flat(&test, 400, THUD_HALF_PLANE_GRADED, gamma, F);
  for (int sign = -1; sign <= 1; sign += 2) {
    test_punch_load(&test, 1, sign * F);
    thud_assert_less(pressure_error(&test, sliding, sign * al), 3e-4);
    double most = 0;
    for (thud_index i = 0; i < test.n; i++) {
      thud_assert_near(test.result.traction[i], sign * F * test.result.pressure[i], 1e-12 * test.result.pressure[i]);
      thud_assert_at_most(sign * test.result.slip[i], 1e-15);
      most = fmin(most, fabs(test.result.slip[i]));
    }
    thud_assert_equal(most, 0); /* one element is just about to stick */
    assert_true(isnan(test.result.stick.left) && isnan(test.result.stick.right));
  }
  test_punch_end(&test);
}

/* p + iq = (P + iQ)/(pi sqrt(1 - gamma^2)) exp(i kap ln((1+x)/(1-x)))/sqrt(1 - x^2): oscillates at the edges, where the
 * elements that would be pulled open slip instead. */
static void bonded_tractions_oscillate(void **state) {
  (void)state;
  double gamma = test_coupling(0.3), kap = log((1 + gamma) / (1 - gamma)) / (2 * pi), P = 1, Q = 0.3, worst = 0;
  test_punch test;
  test_punch_flat(&test, 400, THUD_HALF_PLANE_GRADED, gamma, 1000);
  test_punch_load(&test, P, Q);
  for (thud_index i = 0; i < test.n; i++) {
    double x = test.x[i], angle = kap * log((1 + x) / (1 - x));
    double size = 1 / (pi * sqrt(1 - gamma * gamma) * sqrt(1 - x * x));
    double p = size * (P * cos(angle) - Q * sin(angle)), q = size * (P * sin(angle) + Q * cos(angle));
    if (fabs(x) < 0.95)
      worst = fmax(worst, hypot(test.result.pressure[i] - p, test.result.traction[i] - q) / hypot(p, q));
  }
  thud_assert_less(worst, 1e-3);
  test_punch_end(&test);
}

/* Any states to start from lead to the same solution. */
static void every_guess_leads_to_the_same_stick_zone(void **state) {
  (void)state;
  enum { N = 120 };
  test_punch test;
  signed char guess[N], expected[N];
  thud_random random = thud_random_seed(11);
  test_punch_flat(&test, N, THUD_HALF_PLANE_GRADED, test_coupling(0.3), 0.2);
  test_punch_load(&test, 1, 0.05);
  double depth = test.result.depth;
  for (int i = 0; i < N; i++) expected[i] = test.result.state[i];
  for (int trial = 0; trial < 40; trial++) {
    for (int i = 0; i < N; i++) {
      signed char drawn = (signed char)((int)thud_random_below(&random, 4) - 1);
      static const signed char whole[] = {THUD_PUNCH_OPEN, THUD_PUNCH_STICK, THUD_PUNCH_FORWARD, THUD_PUNCH_BACKWARD};
      guess[i] = trial < 4 ? whole[trial] : drawn;
    }
    assert_int_equal(thud_punch_load(test.punch, 1, 0.05, guess, &test.result), THUD_OK);
    assert_int_equal(test.result.status, THUD_PUNCH_SOLVED);
    thud_assert_near(test.result.depth, depth, 1e-12);
    assert_memory_equal(test.result.state, expected, N);
  }
  test_punch_end(&test);
}

/* Lengths above 2, where the logarithmic form changes its sign, and far below, and other units of force. */
static void solutions_scale_with_width_and_force(void **state) {
  (void)state;
  static const double widths[] = {1e-3, 2, 50}, forces[] = {1e-6, 3, 1e9};
  double gamma = test_coupling(0.3);
  test_punch unit;
  test_punch_flat(&unit, 100, THUD_HALF_PLANE_GRADED, gamma, 0.2);
  test_punch_load(&unit, 1, 0.05);
  for (int k = 0; k < 3; k++) {
    test_punch test;
    double L = widths[k], P = forces[k];
    test_punch_begin(&test, 100, THUD_HALF_PLANE_GRADED, L);
    test_punch_on_edges(&test, 7, gamma, 0.2, &(thud_punch_profile){.shape = THUD_PUNCH_FLAT}, 0);
    test_punch_load(&test, P, 0.05 * P);
    for (thud_index i = 0; i < 100; i++) {
      thud_assert_near(test.result.pressure[i] * L / P, unit.result.pressure[i], 1e-10 * unit.result.pressure[i]);
      assert_int_equal(test.result.state[i], unit.result.state[i]);
    }
    thud_assert_near(test.result.stick.right / L, unit.result.stick.right, 1e-10);
    thud_assert_near(test.result.depth * 7 / (2 * P), unit.result.depth - log(L) / pi, 1e-11);
    thud_assert_near(test.result.shift * 7 / (2 * P), unit.result.shift + 0.05 * log(L) / pi, 1e-11);
    test_punch_end(&test);
  }
  test_punch_end(&unit);
}

/* Iteration with products by FFT, and the dense factor: the same answer, flat and round, sticking and sliding. */
static void iteration_agrees_with_the_dense_factor(void **state) {
  (void)state;
  static const double loads[3] = {0, 0.05, 0.2};
  static const thud_punch_profile profiles[2] = {{.shape = THUD_PUNCH_FLAT}, {.shape = THUD_PUNCH_PARABOLA, .size = 1}};
  for (int k = 0; k < 6; k++) {
    test_punch test;
    test_punch_begin(&test, 150, THUD_HALF_PLANE_UNIFORM, 1);
    test_punch_on_edges(&test, 2, test_coupling(0.3), 0.2, &profiles[k % 2], 0);
    thud_punch_options options = thud_punch_options_default();
    options.friction = 0.2;
    options.dense_elements = 2;
    thud_punch *other = NULL;
    thud_punch_result result;
    assert_int_equal(thud_punch_create(test.plane, test.gap, &options, &other), THUD_OK);
    assert_int_equal(thud_punch_load(other, 1, loads[k / 2], NULL, &result), THUD_OK);
    assert_int_equal(result.status, THUD_PUNCH_SOLVED);
    test_punch_load(&test, 1, loads[k / 2]);
    thud_assert_near(result.depth, test.result.depth, 1e-10);
    for (thud_index i = 0; i < test.n; i++) {
      assert_int_equal(result.state[i], test.result.state[i]);
      thud_assert_near(result.pressure[i], test.result.pressure[i], 1e-8);
      thud_assert_near(result.traction[i], test.result.traction[i], 1e-8);
    }
    thud_punch_destroy(other);
    test_punch_end(&test);
  }
}

/* Weak coupling, gamma -> 0 with F/gamma fixed: F/gamma = K(c)/K(sqrt(1 - c^2)), K of the modulus. */
static double complete_elliptic(double modulus) {
  double a = 1, b = sqrt(1 - modulus * modulus);
  for (int k = 0; k < 40; k++) {
    double mean = 0.5 * (a + b);
    b = sqrt(a * b);
    a = mean;
  }
  return pi / (2 * a);
}

static void weak_coupling_has_the_stick_zone_of_the_elliptic_integrals(void **state) {
  (void)state;
  double c = 0.6, gamma = 1e-4, F = gamma * complete_elliptic(c) / complete_elliptic(sqrt(1 - c * c));
  test_punch test;
  test_punch_flat(&test, 400, THUD_HALF_PLANE_GRADED, gamma, F);
  test_punch_load(&test, 1, 0);
  thud_assert_near(test.result.stick.right, c, 1e-3);
  thud_assert_near(test.result.stick.left, -c, 1e-3);
  test_punch_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(without_friction_the_pressure_is_the_inverse_root),
      cmocka_unit_test(the_last_shift_before_sliding_converges),
      cmocka_unit_test(a_sliding_punch_leans_on_its_rear_edge),
      cmocka_unit_test(bonded_tractions_oscillate),
      cmocka_unit_test(every_guess_leads_to_the_same_stick_zone),
      cmocka_unit_test(solutions_scale_with_width_and_force),
      cmocka_unit_test(iteration_agrees_with_the_dense_factor),
      cmocka_unit_test(weak_coupling_has_the_stick_zone_of_the_elliptic_integrals),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
