/* A punch that is moved: by depth, shift, tilt, moment; lifted; from any guess. */
#include "punches.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static void set_up(test_punch *test, thud_index n, thud_half_plane_mesh mesh, double half_width, double coupling,
                   double friction, const thud_punch_profile *profile) {
  test_punch_begin(test, n, mesh, half_width);
  static const thud_punch_profile flat = {.shape = THUD_PUNCH_FLAT};
  test_punch_on_edges(test, 2, coupling, friction, profile != NULL ? profile : &flat, 0);
}

static void move(test_punch *test, const thud_punch_drive *drive, thud_punch_status expected) {
  assert_int_equal(thud_punch_move(test->punch, drive, NULL, &test->result), THUD_OK);
  assert_int_equal(test->result.status, expected);
}

/* What forces do, their displacements do, too; on short and on long meshes, where log|x| has other signs. */
static void displacements_give_the_forces_back(void **state) {
  (void)state;
  static const double half_widths[] = {0.01, 1, 3, 500};
  for (size_t k = 0; k < sizeof half_widths / sizeof *half_widths; k++) {
    double L = half_widths[k];
    thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = L};
    test_punch test;
    set_up(&test, 60, THUD_HALF_PLANE_UNIFORM, L, 0.2, 0.4, &parabola);
    thud_punch_drive forces = {.normal = 0.3 * L, .tangential = 0.06 * L, .rotation = 0.05, .datum = 0.7 * L};
    move(&test, &forces, THUD_PUNCH_SOLVED);
    thud_assert_greater(test.result.depth, 0);
    thud_assert_less(test.result.shift, 0); /* the punch moves with Q */
    double M = test.result.moment;
    thud_punch_drive motions = {.depth_given = true,
                                .shift_given = true,
                                .normal = test.result.depth,
                                .tangential = test.result.shift,
                                .rotation = 0.05,
                                .datum = 0.7 * L};
    move(&test, &motions, THUD_PUNCH_SOLVED);
    thud_assert_near(test.result.normal, forces.normal, 1e-9 * L);
    thud_assert_near(test.result.tangential, forces.tangential, 1e-9 * L);
    thud_assert_near(test.result.moment, M, 1e-9 * L * L);
    motions.normal *= 1.01; /* deeper presses harder */
    move(&test, &motions, THUD_PUNCH_SOLVED);
    thud_assert_greater(test.result.normal, forces.normal);
    forces.moment_given = true;
    forces.rotation = M;
    move(&test, &forces, THUD_PUNCH_SOLVED);
    thud_assert_near(test.result.tilt, 0.05, 1e-9);
    test_punch_end(&test);
  }
}

/* With log|x| in lengths of the mesh that are too short a deeper punch would press less: refused, not computed. */
static void a_datum_within_the_mesh_is_refused(void **state) {
  (void)state;
  test_punch test;
  set_up(&test, 10, THUD_HALF_PLANE_UNIFORM, 3, 0, 0, NULL);
  thud_punch_drive drive = {.depth_given = true, .normal = 1};
  assert_int_equal(thud_punch_move(test.punch, &drive, NULL, &test.result), THUD_ERROR_ARGUMENT);
  drive.datum = 1.51;
  move(&test, &drive, THUD_PUNCH_SOLVED);
  thud_assert_greater(test.result.normal, 0);
  test_punch_end(&test);
}

/* Flat punch, no friction: p = (P/pi - E' tilt x/2)/sqrt(1 - x^2), M = -pi E' tilt/4, while that is positive. */
static void a_tilted_flat_punch_is_exact(void **state) {
  (void)state;
  enum { N = 400 };
  test_punch test;
  set_up(&test, N, THUD_HALF_PLANE_GRADED, 1, 0, 0, NULL);
  double E = 2, P = 1, M = 0.3, tilt = -4 * M / (pi * E);
  thud_punch_drive drive = {.moment_given = true, .normal = P, .rotation = M};
  move(&test, &drive, THUD_PUNCH_SOLVED);
  thud_assert_near(test.result.tilt, tilt, 1e-4);
  thud_assert_near(test.result.depth, log(2) / pi, 1e-5);
  double x = test.x[N / 4], p = (P / pi - E * tilt * x / 2) / sqrt(1 - x * x);
  thud_assert_near(test.result.pressure[N / 4], p, 1e-3 * p);
  /* Beyond half the half-width the other side lifts: contact of the length 4 (1 - M/P) at the loaded edge. */
  drive.rotation = 0.8;
  move(&test, &drive, THUD_PUNCH_SOLVED);
  thud_assert_near(test.result.contact.left, 0.2, 2e-3);
  thud_assert_near(test.result.tilt, -2 / E / (pi * 0.4), 5e-4);
  drive.rotation = 1.01; /* no pressure reaches there */
  move(&test, &drive, THUD_PUNCH_NO_EQUILIBRIUM);
  test_punch_end(&test);
}

static void a_punch_without_force_is_lifted(void **state) {
  (void)state;
  thud_punch_profile wedge = {.shape = THUD_PUNCH_WEDGE, .size = 0.1};
  test_punch test;
  set_up(&test, 21, THUD_HALF_PLANE_UNIFORM, 1, 0.2, 0.3, &wedge);
  thud_punch_drive drive = {.normal = 0};
  move(&test, &drive, THUD_PUNCH_LIFTED);
  thud_assert_near(test.result.depth, 0, 1e-15);
  assert_int_equal(test.result.contact_zones, 0);
  drive = (thud_punch_drive){.depth_given = true, .normal = -0.01, .shift_given = true, .tangential = 0.5};
  move(&test, &drive, THUD_PUNCH_LIFTED);
  for (int i = 0; i < 21; i++) {
    thud_assert_near(test.result.gap[i], 0.1 * fabs(test.x[i]) + 0.01, 1e-15);
    thud_assert_near(test.result.displacement[i], 0.5, 0);
    assert_int_equal(test.result.state[i], THUD_PUNCH_OPEN);
  }
  assert_int_equal(thud_punch_accept(test.punch), THUD_OK);
  drive.normal = 0.01; /* set down where it hangs: nothing has slipped but what contact itself does */
  move(&test, &drive, THUD_PUNCH_SOLVED);
  for (int i = 0; i < 21; i++) thud_assert_less(fabs(test.result.slip[i]), 0.01);
  drive = (thud_punch_drive){.normal = -1};
  move(&test, &drive, THUD_PUNCH_NO_EQUILIBRIUM);
  drive = (thud_punch_drive){.normal = 0, .tangential = 0.1};
  move(&test, &drive, THUD_PUNCH_NO_EQUILIBRIUM);
  test_punch_end(&test);
}

/* Too much pull at a given depth is found out by the search. */
static void a_given_depth_limits_the_pull(void **state) {
  (void)state;
  thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 1};
  test_punch test;
  set_up(&test, 40, THUD_HALF_PLANE_UNIFORM, 1, 0, 0.3, &parabola);
  thud_punch_drive drive = {.depth_given = true, .normal = 0.1};
  move(&test, &drive, THUD_PUNCH_SOLVED);
  double limit = 0.3 * test.result.normal;
  drive.tangential = 0.98 * limit;
  move(&test, &drive, THUD_PUNCH_SOLVED);
  drive.tangential = 1.02 * limit;
  move(&test, &drive, THUD_PUNCH_NO_EQUILIBRIUM);
  test_punch_end(&test);
}

/* The hunt for other solutions: small friction has one, and 200 random guesses find no other. */
static void no_guess_leads_elsewhere(void **state) {
  (void)state;
  enum { N = 40, GUESSES = 200 };
  thud_random random = thud_random_seed(5);
  test_punch test;
  set_up(&test, N, THUD_HALF_PLANE_GRADED, 1, 2.0 / 7, 0.5, NULL);
  test_punch_load(&test, 1, 0.1);
  double depth = test.result.depth, pressure[N];
  for (int i = 0; i < N; i++) pressure[i] = test.result.pressure[i];
  for (int k = 0; k < GUESSES; k++) {
    signed char guess[N];
    for (int i = 0; i < N; i++) guess[i] = (signed char)((int)thud_random_below(&random, 4) - 1);
    assert_int_equal(thud_punch_load(test.punch, 1, 0.1, guess, &test.result), THUD_OK);
    assert_int_equal(test.result.status, THUD_PUNCH_SOLVED);
    thud_assert_near(test.result.depth, depth, 1e-10);
    for (int i = 0; i < N; i++) thud_assert_near(test.result.pressure[i], pressure[i], 1e-8 * pressure[i]);
  }
  test_punch_end(&test);
}

static void bad_drives_are_refused(void **state) {
  (void)state;
  test_punch test;
  set_up(&test, 8, THUD_HALF_PLANE_UNIFORM, 1, 0, 0.3, NULL);
  const thud_punch_drive bad[] = {{.normal = 1, .tangential = NAN},
                                  {.normal = 1, .rotation = INFINITY},
                                  {.normal = 1, .pivot = NAN},
                                  {.normal = 1, .datum = -1},
                                  {.depth_given = true, .moment_given = true, .normal = 1}};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    thud_punch_result untouched = {.sweeps = 77};
    thud_error expected = k < 3 ? THUD_ERROR_NOT_FINITE : THUD_ERROR_ARGUMENT;
    assert_int_equal(thud_punch_move(test.punch, &bad[k], NULL, &untouched), expected);
    assert_int_equal(untouched.sweeps, 77);
  }
  test_punch_end(&test);
}

/* Large meshes go through products by FFT: the same drives there. */
static void iteration_knows_all_drives(void **state) {
  (void)state;
  enum { N = 700 };
  thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 1};
  test_punch test;
  set_up(&test, N, THUD_HALF_PLANE_UNIFORM, 1, 0.2, 0.4, &parabola);
  thud_punch_drive forces = {.normal = 1.2, .tangential = 0.1, .moment_given = true, .rotation = 0.02, .datum = 2};
  move(&test, &forces, THUD_PUNCH_SOLVED);
  thud_punch_drive motions = {.depth_given = true,
                              .shift_given = true,
                              .normal = test.result.depth,
                              .tangential = test.result.shift,
                              .rotation = test.result.tilt,
                              .datum = 2};
  move(&test, &motions, THUD_PUNCH_SOLVED);
  thud_assert_near(test.result.normal, 1.2, 1e-8);
  thud_assert_near(test.result.tangential, 0.1, 1e-8);
  thud_assert_near(test.result.moment, 0.02, 1e-8);
  test_punch_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(displacements_give_the_forces_back),
                                     cmocka_unit_test(a_datum_within_the_mesh_is_refused),
                                     cmocka_unit_test(a_tilted_flat_punch_is_exact),
                                     cmocka_unit_test(a_punch_without_force_is_lifted),
                                     cmocka_unit_test(a_given_depth_limits_the_pull),
                                     cmocka_unit_test(no_guess_leads_elsewhere),
                                     cmocka_unit_test(bad_drives_are_refused),
                                     cmocka_unit_test(iteration_knows_all_drives)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
