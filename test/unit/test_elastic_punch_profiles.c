/* Punches whose contact is not known before: wedges, parabolas, waves, tables; loads in any order; rolling; bad input. */
#include "failing_allocator.h"
#include "punches.h"

#include <string.h>

static const double pi = 3.14159265358979323846;

/* P = E' a slope, p = (E' slope/pi) arccosh(a/|x|). */
static void a_wedge_has_a_logarithmic_peak(void **state) {
  (void)state;
  thud_punch_profile wedge = {.shape = THUD_PUNCH_WEDGE, .size = 0.1};
  test_punch test;
  test_punch_begin(&test, 400, THUD_HALF_PLANE_UNIFORM, 1);
  test_punch_on_edges(&test, 3, 0.2, 0, &wedge, 0);
  double a = 0.7123;
  test_punch_load(&test, 3 * a * 0.1, 0);
  thud_assert_near(test.result.contact.right, a, 5e-4);
  thud_assert_near(test.result.contact.left, -a, 5e-4);
  for (thud_index i = 0; i < test.n; i++) {
    double x = fabs(test.x[i]), p = x < a ? 0.3 / pi * acosh(a / x) : 0;
    if (x > 0.03 && fabs(x - a) > 0.02) thud_assert_near(test.result.pressure[i], p, 1e-3 * 0.3);
    if (x > a + 0.01) thud_assert_greater(test.result.gap[i], 0);
  }
  test_punch_end(&test);
}

/* a^2 = 4PR/(pi E'), p0 = 2P/(pi a); errors fall with the mesh. */
static void a_parabola_has_the_contact_of_hertz(void **state) {
  (void)state;
  thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .centre = 0.05, .size = 1};
  double last = 0;
  for (thud_index n = 100; n <= 400; n *= 2) {
    test_punch test;
    test_punch_begin(&test, n, THUD_HALF_PLANE_UNIFORM, 1);
    test_punch_on_edges(&test, 2, 0.2, 0, &parabola, 0);
    double P = 1, a = sqrt(4 * P / (2 * pi)), p0 = 2 * P / (pi * a), error = 0;
    test_punch_load(&test, P, 0);
    for (thud_index i = 0; i < n; i++) {
      double s = (test.x[i] - 0.05) / a;
      if (fabs(s) < 0.9) error = fmax(error, fabs(test.result.pressure[i] - p0 * sqrt(1 - s * s)) / p0);
    }
    thud_assert_near(test.result.contact.left, 0.05 - a, 0.05 * 2 / n);
    thud_assert_near(test.result.contact.right, 0.05 + a, 0.05 * 2 / n);
    if (n > 100) thud_assert_less(error, last / 1.7);
    last = error;
    test_punch_end(&test);
  }
  thud_assert_less(last, 1e-3);
}

/* E' = 2, R = P = 1, nu = 0, F = 1/2: half-width .8077687, centre -.1259782. */
static void a_sliding_parabola_has_its_contact_behind_it(void **state) {
  (void)state;
  thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 1};
  test_punch test;
  test_punch_begin(&test, 400, THUD_HALF_PLANE_UNIFORM, 1);
  test_punch_on_edges(&test, 2, 0.5, 0.5, &parabola, 0);
  test_punch_load(&test, 1, 0.5);
  thud_punch_zone zone = test.result.contact;
  thud_assert_near(0.5 * (zone.right - zone.left), 0.8077687, 4e-4);
  thud_assert_near(0.5 * (zone.right + zone.left), -0.1259782, 4e-4);
  double al = atan(0.25) / pi, a = 0.8077687;
  for (thud_index i = 0; i < test.n; i++) {
    double s = (test.x[i] + 0.1259782) / a;
    if (fabs(s) < 0.9)
      thud_assert_near(test.result.pressure[i], a * cos(pi * al) * pow(1 + s, 0.5 - al) * pow(1 - s, 0.5 + al), 2e-3);
  }
  test_punch_end(&test);
}

/* Similar bodies, beta = 0 (Cattaneo, Mindlin): stick zone c/a = sqrt(1 - Q/(F P)). */
static void a_pulled_parabola_slips_from_its_edges(void **state) {
  (void)state;
  thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 1};
  test_punch test;
  test_punch_begin(&test, 400, THUD_HALF_PLANE_UNIFORM, 1);
  test_punch_on_edges(&test, 2, 0, 0.3, &parabola, 0);
  test_punch_load(&test, 1, 0.3 * 0.64);
  double a = sqrt(2 / pi), c = a * 0.6, p0 = 2 / (pi * a);
  thud_assert_near(test.result.stick.left, -c, 1e-3);
  thud_assert_near(test.result.stick.right, c, 1e-3);
  for (thud_index i = 0; i < test.n; i++) {
    double x = fabs(test.x[i]), q = x < a ? sqrt(1 - x * x / (a * a)) : 0;
    if (x < c) q -= c / a * sqrt(1 - x * x / (c * c));
    if (x < 0.95 * a) thud_assert_near(test.result.traction[i], 0.3 * p0 * q, 0.02 * 0.3 * p0);
  }
  test_punch_end(&test);
}

/* Westergaard: amplitude (1 - cos 2y), y = pi x/L, half-width L/4 of the contact: mean pressure pi E' D sin^2 b/L. */
static void a_wave_has_the_contact_of_westergaard(void **state) {
  (void)state;
  thud_punch_profile wave = {.shape = THUD_PUNCH_WAVE, .size = 0.01, .wavelength = 1};
  test_punch test;
  test_punch_begin(&test, 400, THUD_HALF_PLANE_UNIFORM, 0.5);
  test_punch_on_edges(&test, 1, 0, 0, &wave, 1);
  double mean = 0.0157080, b = pi / 4, largest = 0;
  test_punch_load(&test, pi * 0.01 * sin(b) * sin(b), 0);
  thud_assert_near(test.result.contact.right, 0.25, 3e-4);
  thud_assert_near(test.result.contact.left, -0.25, 3e-4);
  for (thud_index i = 0; i < test.n; i++) {
    double y = pi * test.x[i], under = sin(b) * sin(b) - sin(y) * sin(y);
    double p = under > 0 ? 2 * mean * cos(y) * sqrt(under) / (sin(b) * sin(b)) : 0;
    if (fabs(fabs(test.x[i]) - 0.25) > 0.01) thud_assert_near(test.result.pressure[i], p, 1e-3 * 0.044);
    largest = fmax(largest, test.result.pressure[i]);
  }
  thud_assert_near(largest, 0.0444288, 5e-5);
  test_punch_end(&test);
}

/* A table of a parabola is the parabola; two bumps touch in two zones. */
static void tables_are_profiles_too(void **state) {
  (void)state;
  enum { POINTS = 401 };
  double x[POINTS], gap[POINTS];
  for (int k = 0; k < POINTS; k++) x[k] = -1 + k / 200.0, gap[k] = fmin(pow(x[k] - 0.5, 2), pow(x[k] + 0.5, 2));
  thud_punch_profile bumps = {.shape = THUD_PUNCH_TABLE, .points = POINTS, .x = x, .gap = gap};
  test_punch test;
  test_punch_begin(&test, 200, THUD_HALF_PLANE_UNIFORM, 1);
  test_punch_on_edges(&test, 2, 0.2, 0.3, &bumps, 0);
  test_punch_load(&test, 0.05, 0.001);
  assert_int_equal(test.result.contact_zones, 2);
  thud_assert_near(test.x[150], 0.505, 1e-12);
  thud_assert_near(test.gap[150], 0.005 * 0.005, 1e-12); /* at a point of the table */
  thud_assert_near(test.gap[100], 0.495 * 0.495, 1e-12);
  test_punch_end(&test);
}

/* nu = .3, F = .5: P = 1 and then Q = .2 is not P and Q together. */
static void the_order_of_loading_matters(void **state) {
  (void)state;
  test_punch test;
  test_punch_flat(&test, 400, THUD_HALF_PLANE_GRADED, test_coupling(0.3), 0.5);
  test_punch_load(&test, 1, 0.2);
  thud_assert_near(test.result.depth, 0.20155, 1e-5);
  thud_assert_greater(test.result.stick.left, -0.999);
  test_punch_load(&test, 1, 0);
  assert_int_equal(thud_punch_accept(test.punch), THUD_OK);
  test_punch_load(&test, 1, 0.2);
  thud_assert_near(test.result.depth, 0.2020, 5e-5);
  thud_assert_equal(test.result.stick.left, -1);
  assert_int_equal(thud_punch_accept(test.punch), THUD_OK);
  test_punch_load(&test, 1, 0.2); /* the same load again: nothing slips */
  for (thud_index i = 0; i < test.n; i++) thud_assert_near(test.result.slip[i], 0, 1e-10);
  assert_int_equal(thud_punch_set_reference(test.punch, NULL), THUD_OK);
  test_punch_load(&test, 1, 0.2);
  thud_assert_near(test.result.depth, 0.20155, 1e-5);
  test_punch_end(&test);
}

/* Carter: a cylinder that rolls to the right one element at a time; the surface passes through the contact, so that the
 * old displacement of an element is that of its right neighbour. Steady: stick zone 2c from the leading edge, c =
 * a sqrt(1 - l), creep (F a/R)(1 - sqrt(1 - l)), l = Q/(F P). */
static void a_rolling_cylinder_creeps_as_carter_says(void **state) {
  (void)state;
  enum { N = 160 };
  thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 10};
  test_punch test;
  double F = 0.3, P = 50, E = 115384.615, l = 0.75, a = sqrt(4 * P * 10 / (pi * E)), old[N], creep = 0, h = 0;
  thud_assert_near(a, 0.0742790, 1e-6);
  test_punch_begin(&test, N, THUD_HALF_PLANE_UNIFORM, 1.25 * a);
  test_punch_on_edges(&test, E, 0, F, &parabola, 0);
  test_punch_load(&test, P, l * F * P);
  h = test.x[1] - test.x[0];
  for (int step = 0; step < 2 * N; step++) {
    double shift = test.result.shift;
    for (int i = 0; i < N; i++) old[i] = test.result.displacement[i + 1 < N ? i + 1 : i];
    assert_int_equal(thud_punch_set_reference(test.punch, old), THUD_OK);
    assert_int_equal(thud_punch_load(test.punch, P, l * F * P, test.result.state, &test.result), THUD_OK);
    assert_int_equal(test.result.status, THUD_PUNCH_SOLVED);
    creep = (test.result.shift - shift) / h;
  }
  thud_assert_near(fabs(creep), 1.114185e-3, 0.02 * 1.114185e-3);
  /* Edges of stick are interpolated with the power of static loading: here they are good to two elements. */
  thud_assert_near(test.result.stick.right - test.result.stick.left, 2 * 0.0371395, 2.5 * h);
  thud_assert_near(test.result.stick.right, a, 2 * h);
  test_punch_end(&test);
}

/* ---- any punch, any loads ------------------------------------------------------------------------------- */

/* The laws, from the tractions alone: displacements are computed anew, depth and shift are those of the result. */
static void check_laws(test_punch *test, double F, const double *old) {
  enum { MOST = 64 };
  double u[MOST], v[MOST], sum_p = 0, sum_q = 0;
  const thud_punch_result *result = &test->result;
  double unit = result->normal, tiny = 1e-8 * unit;
  assert_int_equal(thud_half_plane_displace(test->plane, result->pressure, result->traction, u, v), THUD_OK);
  for (thud_index i = 0; i < test->n; i++) {
    double p = result->pressure[i], q = result->traction[i], h = test->edges[i + 1] - test->edges[i];
    double gap = u[i] - result->depth + test->gap[i], slip = v[i] + result->shift - old[i];
    sum_p += h * p;
    sum_q += h * q;
    thud_assert_at_least(p * h, -tiny);
    thud_assert_at_least(gap, -tiny);
    thud_assert_at_most(fabs(q) * h, F * p * h + tiny);
    if (p * h > tiny) thud_assert_near(gap, 0, tiny);
    if (p * h > tiny && F * p * h - q * h > tiny) thud_assert_at_least(slip, -tiny); /* q < F p: not forward */
    if (p * h > tiny && F * p * h + q * h > tiny) thud_assert_at_most(slip, tiny);
    thud_assert_near(result->gap[i], gap, tiny);
    thud_assert_near(result->slip[i], slip, tiny);
  }
  thud_assert_near(sum_p, result->normal, 1e-10 * unit);
  thud_assert_near(sum_q, result->tangential, 1e-10 * unit);
}

static void random_punches_and_loads_are_solved(void **state) {
  (void)state;
  enum { TRIALS = 60, LOADS = 4 };
  thud_random random = thud_random_seed(21);
  for (int trial = 0; trial < TRIALS; trial++) {
    double F = exp(thud_random_uniform(&random, log(0.02), log(2))), gamma = thud_random_uniform(&random, 0, 0.5);
    double x[12], gap[12], old[64] = {0};
    for (int k = 0; k < 12; k++) x[k] = -1 + 2 * k / 11.0, gap[k] = thud_random_uniform(&random, 0, 0.1);
    thud_punch_profile profiles[3] = {{.shape = THUD_PUNCH_FLAT},
                                      {.shape = THUD_PUNCH_WEDGE, .centre = 0.2, .size = 0.3},
                                      {.shape = THUD_PUNCH_TABLE, .points = 12, .x = x, .gap = gap}};
    test_punch test;
    test_punch_begin(&test, 20 + (thud_index)thud_random_below(&random, 40), (thud_half_plane_mesh)(trial / 3 % 2), 1);
    test_punch_on_edges(&test, 2, gamma, F, &profiles[trial % 3], 0);
    for (int load = 0; load < LOADS; load++) {
      double P = thud_random_uniform(&random, 0.05, 1), Q = thud_random_uniform(&random, -1, 1) * F * P;
      test_punch_load(&test, P, Q);
      check_laws(&test, F, old);
      memcpy(old, test.result.displacement, (size_t)test.n * sizeof *old);
      assert_int_equal(thud_punch_accept(test.punch), THUD_OK);
    }
    test_punch_end(&test);
  }
}

/* ---- refusals ----------------------------------------------------------------------------------------- */

static void too_much_pull_has_no_equilibrium(void **state) {
  (void)state;
  test_punch test;
  thud_punch_result result;
  test_punch_flat(&test, 20, THUD_HALF_PLANE_GRADED, 0.2, 0.3);
  for (int sign = -1; sign <= 1; sign += 2) {
    assert_int_equal(thud_punch_load(test.punch, 2, sign * 0.61, NULL, &result), THUD_OK);
    assert_int_equal(result.status, THUD_PUNCH_NO_EQUILIBRIUM);
    assert_string_equal(thud_punch_status_name(result.status), "no-equilibrium");
    assert_null(result.pressure);
    assert_true(isnan(result.depth));
  }
  test_punch_load(&test, 2, 0.6);
  test_punch_end(&test);
}

static void bad_loads_and_profiles_are_refused(void **state) {
  (void)state;
  test_punch test;
  thud_punch_result result;
  thud_punch_edge edge;
  signed char guess[4] = {0, 0, 3, 0};
  double out[4], x[2] = {1, -1}, y[2] = {0, 0}, bad[4] = {0, NAN, 0, 0};
  thud_punch *none = NULL;
  test_punch_flat(&test, 4, THUD_HALF_PLANE_UNIFORM, 0.2, 0.3);
  thud_context *context = test.context;
  assert_int_equal(thud_punch_accept(test.punch), THUD_ERROR_NOT_FOUND);
  assert_int_equal(thud_punch_fit_edge(test.punch, 1, 0.1, &edge), THUD_ERROR_NOT_FOUND);
  assert_int_equal(thud_punch_load(test.punch, NAN, 0, NULL, &result), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_punch_load(test.punch, 1, INFINITY, NULL, &result), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_punch_load(test.punch, 0, 0, NULL, &result), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_punch_load(test.punch, -1, 0, NULL, &result), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_punch_load(test.punch, 1, 0, guess, &result), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_punch_set_reference(test.punch, bad), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_punch_create(test.plane, bad, NULL, &none), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_punch_fit_edge(test.punch, 0, 0.1, &edge), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_punch_fit_edge(test.punch, 1, 0.6, &edge), THUD_ERROR_ARGUMENT);
  thud_punch_profile table = {.shape = THUD_PUNCH_TABLE, .points = 2, .x = x, .gap = y};
  assert_int_equal(thud_punch_profile_evaluate(context, &table, 4, test.x, out), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "point 1", NULL);
  x[0] = -0.5, x[1] = 0.5;
  assert_int_equal(thud_punch_profile_evaluate(context, &table, 4, test.x, out), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "cover the mesh", NULL);
  table.points = 1;
  assert_int_equal(thud_punch_profile_evaluate(context, &table, 4, test.x, out), THUD_ERROR_ARGUMENT);
  thud_punch_profile round = {.shape = THUD_PUNCH_PARABOLA, .size = 0};
  assert_int_equal(thud_punch_profile_evaluate(context, &round, 4, test.x, out), THUD_ERROR_ARGUMENT);
  round.size = NAN;
  assert_int_equal(thud_punch_profile_evaluate(context, &round, 4, test.x, out), THUD_ERROR_NOT_FINITE);
  round = (thud_punch_profile){.shape = (thud_punch_shape)9, .size = 1};
  assert_int_equal(thud_punch_profile_evaluate(context, &round, 4, test.x, out), THUD_ERROR_ARGUMENT);
  assert_null(none);
  test_punch_end(&test);
}

/* user: the kind of mesh; on a uniform one by iteration. */
static thud_error create_and_load(thud_context *context, void *user) {
  double edges[9], gap[8] = {0};
  thud_half_plane_material material = {.modulus = 2, .coupling = 0.2};
  thud_half_plane *plane = NULL;
  thud_punch *punch = NULL;
  thud_punch_result result;
  thud_punch_options options = thud_punch_options_default();
  options.friction = 0.3;
  options.dense_elements = 2;
  thud_error error = thud_half_plane_fill_mesh(context, *(thud_half_plane_mesh *)user, 8, -1, 1, edges);
  if (error == THUD_OK) error = thud_half_plane_create(context, &material, 8, edges, 0, &plane);
  if (error == THUD_OK) error = thud_punch_create(plane, gap, &options, &punch);
  if (error == THUD_OK) error = thud_punch_load(punch, 1, 0.1, NULL, &result);
  thud_punch_destroy(punch);
  thud_half_plane_destroy(plane);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_half_plane_mesh meshes[2] = {THUD_HALF_PLANE_UNIFORM, THUD_HALF_PLANE_GRADED};
  for (int k = 0; k < 2; k++) thud_assert_at_least(thud_test_sweep_allocations(create_and_load, &meshes[k]), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(a_wedge_has_a_logarithmic_peak),
                                     cmocka_unit_test(a_parabola_has_the_contact_of_hertz),
                                     cmocka_unit_test(a_sliding_parabola_has_its_contact_behind_it),
                                     cmocka_unit_test(a_pulled_parabola_slips_from_its_edges),
                                     cmocka_unit_test(a_wave_has_the_contact_of_westergaard),
                                     cmocka_unit_test(tables_are_profiles_too),
                                     cmocka_unit_test(the_order_of_loading_matters),
                                     cmocka_unit_test(a_rolling_cylinder_creeps_as_carter_says),
                                     cmocka_unit_test(random_punches_and_loads_are_solved),
                                     cmocka_unit_test(too_much_pull_has_no_equilibrium),
                                     cmocka_unit_test(bad_loads_and_profiles_are_refused),
                                     cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
