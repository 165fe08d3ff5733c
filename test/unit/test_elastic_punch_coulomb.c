/* Flat punches with Coulomb's law: stick zones, depths, edges of the contact. */
#include "punches.h"

static const double pi = 3.14159265358979323846;

typedef struct coulomb_case {
  double poisson, friction, tangential, left, right, depth; /* of the stick zone; depth NAN: not known */
} coulomb_case;

static const coulomb_case cases[] = {
    {.3, .1, 0, -.036448, .036448, .213605}, {.3, .2, 0, -.360386, .360386, .207181},
    {.3, .5, 0, -.941018, .941018, .199110}, {0, .3, 0, -.177347, .177347, .186399},
    {0, .5, 0, -.521908, .521908, .169995},  {.3, .2, .05, -.66693, -.05049, NAN},
};

/* A second mesh with as many elements, graded towards the edges of the stick zone that the first one shows. */
static void begin_on_pieces(test_punch *test, thud_index n, thud_punch_zone stick, const coulomb_case *row) {
  thud_index counts[3] = {3 * n / 8, n - 2 * (3 * n / 8), 3 * n / 8};
  double ends[4] = {-1, stick.left, stick.right, 1};
  test_punch_begin(test, n, THUD_HALF_PLANE_GRADED, 1);
  assert_int_equal(thud_half_plane_fill_pieces(test->context, 3, ends, counts, test->edges), THUD_OK);
  test_punch_on_edges(test, 2, test_coupling(row->poisson), row->friction,
                      &(thud_punch_profile){.shape = THUD_PUNCH_FLAT}, 0);
}

/* Largest error of the edges of the stick zone on the second mesh. */
static double stick_error(const coulomb_case *row, thud_index n, double *depth_error) {
  test_punch first, second;
  test_punch_flat(&first, n / 2, THUD_HALF_PLANE_GRADED, test_coupling(row->poisson), row->friction);
  test_punch_load(&first, 1, row->tangential);
  begin_on_pieces(&second, n, first.result.stick, row);
  test_punch_load(&second, 1, row->tangential);
  assert_int_equal(second.result.stick_zones, 1);
  double error = fmax(fabs(second.result.stick.left - row->left), fabs(second.result.stick.right - row->right));
  *depth_error = fabs(second.result.depth - row->depth);
  test_punch_end(&first);
  test_punch_end(&second);
  return error;
}

/* Three correct digits with 400 elements, and convergence towards the values (known to 1e-6, the last row 1e-5). */
static void stick_zones_and_depths_are_those_of_coulombs_law(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double coarse_depth = 0, depth = 0;
    double coarse = stick_error(&cases[k], 100, &coarse_depth), error = stick_error(&cases[k], 400, &depth);
    double smaller = fmin(fabs(cases[k].left), fabs(cases[k].right));
    thud_assert_less(error, 5e-4 * smaller);
    thud_assert_less(error, coarse / 2);
    if (isnan(cases[k].depth)) continue;
    thud_assert_less(depth, 5e-4 * cases[k].depth);
    thud_assert_less(depth, coarse_depth / 4);
  }
}

/* Contact everywhere, one stick interval off the edges, inward slip outside, v non-increasing; exponents at the edges
 * -(1/2 - al), coefficients .2279 and .2421 (known to 5e-4). */
static void the_edges_of_the_contact_have_the_exponents_of_sliding(void **state) {
  (void)state;
  static const double rows[2][3] = {{0.2, 0.2279, 0.02}, {0.5, 0.2421, 0.008}};
  double gamma = test_coupling(0.3);
  for (int k = 0; k < 2; k++) {
    double F = rows[k][0], al = atan(gamma * F) / pi;
    test_punch test;
    test_punch_flat(&test, 400, THUD_HALF_PLANE_GRADED, gamma, F);
    test_punch_load(&test, 1, 0);
    for (int side = -1; side <= 1; side += 2) {
      thud_punch_edge edge;
      assert_int_equal(thud_punch_fit_edge(test.punch, side, rows[k][2], &edge), THUD_OK);
      thud_assert_near(edge.exponent, -(0.5 - al), 1e-3);
      thud_assert_near(edge.coefficient, rows[k][1], 2e-3);
      thud_assert_less(edge.misfit, 1e-4);
    }
    assert_int_equal(test.result.contact_zones, 1);
    thud_assert_equal(test.result.contact.left, -1);
    thud_assert_equal(test.result.contact.right, 1);
    for (thud_index i = 0; i < test.n; i++) {
      bool outside = test.x[i] > test.result.stick.right + 0.01;
      if (outside) thud_assert_equal(test.result.state[i], THUD_PUNCH_FORWARD);
      if (i > 0) thud_assert_at_most(test.result.displacement[i], test.result.displacement[i - 1] + 1e-15);
    }
    test_punch_end(&test);
  }
}

static void check_law(test_punch *test, int side, double exponent, double oscillation, double coefficient) {
  thud_punch_edge_law law;
  assert_int_equal(thud_punch_get_edge_law(test->punch, side, &law), THUD_OK);
  thud_assert_near(law.exponent, exponent, 1e-14);
  thud_assert_near(law.oscillation, oscillation, 1e-14);
  assert_true(law.sharp);
  thud_assert_near(law.coefficient, coefficient, law.error);
  thud_assert_at_most(law.error, 0.04 * coefficient);
}

/* Exponents are those of theory on every mesh; coefficients of closed forms lie within the error, which is of the order of
 * the mesh: without friction P/(pi sqrt 2), sliding (cos(pi al)/pi) 2^(-1/2 +- al), bonded |P + iQ|/(pi sqrt(2 (1 - gamma^2))). */
static void laws_at_the_edges_of_closed_forms(void **state) {
  (void)state;
  double gamma = test_coupling(0.3), F = 0.5, al = atan(gamma * F) / pi,
         kappa = log((1 + gamma) / (1 - gamma)) / (2 * pi);
  for (int k = 0; k < 5; k++) {
    bool uniform = k > 2;
    thud_index n = uniform ? 300 * (k - 2) : 100 << k;
    thud_half_plane_mesh mesh = uniform ? THUD_HALF_PLANE_UNIFORM : THUD_HALF_PLANE_GRADED;
    test_punch test;
    for (int side = -1; side <= 1; side += 2) {
      test_punch_flat(&test, n, mesh, gamma, 0);
      test_punch_load(&test, 1, 0);
      check_law(&test, side, -0.5, 0, 1 / (pi * sqrt(2)));
      test_punch_end(&test);
      test_punch_flat(&test, n, mesh, gamma, F);
      test_punch_load(&test, 1, F); /* q > 0: inwards at the right end */
      check_law(&test, side, -0.5 + side * al, 0, cos(pi * al) / pi * pow(2, -0.5 - side * al));
      test_punch_end(&test);
      test_punch_flat(&test, n, mesh, gamma, 1000);
      test_punch_load(&test, 1, 0.3);
      check_law(&test, side, -0.5, kappa, sqrt(1.09) / (pi * sqrt(2 * (1 - gamma * gamma))));
      test_punch_end(&test);
    }
  }
}

/* Stick zones end before the edge (Theorem 6 of the text): the exponent is that of slip inwards, and the coefficient is that
 * of the slip zone alone, or not resolved when this has few elements. */
static void laws_at_the_edges_of_slip_zones(void **state) {
  (void)state;
  static const double rows[4][4] = {
      {0.2, 100, 0.2279, 5e-4}, {0.5, 200, 0.2421, 5e-4}, {0.5, 400, 0.2421, 5e-4}, {2, 200, NAN, 0}};
  double gamma = test_coupling(0.3);
  for (int k = 0; k < 4; k++) {
    test_punch test;
    thud_punch_edge_law law;
    test_punch_flat(&test, (thud_index)rows[k][1], THUD_HALF_PLANE_GRADED, gamma, rows[k][0]);
    test_punch_load(&test, 1, 0);
    assert_int_equal(thud_punch_get_edge_law(test.punch, 1, &law), THUD_OK);
    thud_assert_near(law.exponent, -(0.5 - atan(gamma * rows[k][0]) / pi), 1e-14);
    thud_assert_equal(law.oscillation, 0);
    thud_assert_equal(law.state, THUD_PUNCH_FORWARD);
    thud_assert_equal(isnan(law.coefficient), isnan(rows[k][2]));
    if (isnan(rows[k][2])) thud_assert_equal(isnan(law.error), true);
    if (!isnan(rows[k][2])) thud_assert_near(law.coefficient, rows[k][2], rows[k][3]);
    assert_int_equal(thud_punch_get_edge_law(test.punch, 0, &law), THUD_ERROR_ARGUMENT);
    test_punch_end(&test);
  }
}

/* Near the edges v' = -gamma (1 + F^2) p + a smooth function: differences show the factor. */
static double slope(const test_punch *test, thud_index i) {
  return (test->result.displacement[i + 1] - test->result.displacement[i - 1]) / (test->x[i + 1] - test->x[i - 1]);
}

static void slip_at_the_edges_goes_with_the_pressure(void **state) {
  (void)state;
  double gamma = test_coupling(0), F = 0.5;
  test_punch test;
  test_punch_flat(&test, 400, THUD_HALF_PLANE_GRADED, gamma, F);
  test_punch_load(&test, 1, 0);
  thud_index near = test.n - 13, far = test.n - 25;
  double ratio = (slope(&test, near) - slope(&test, far)) / (test.result.pressure[near] - test.result.pressure[far]);
  thud_assert_near(ratio, -gamma * (1 + F * F), 0.02 * gamma);
  test_punch_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(stick_zones_and_depths_are_those_of_coulombs_law),
      cmocka_unit_test(the_edges_of_the_contact_have_the_exponents_of_sliding),
      cmocka_unit_test(laws_at_the_edges_of_closed_forms),
      cmocka_unit_test(laws_at_the_edges_of_slip_zones),
      cmocka_unit_test(slip_at_the_edges_goes_with_the_pressure),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
