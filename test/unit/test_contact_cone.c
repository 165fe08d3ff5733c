/* Cones of contact laws: projections by their variational inequality and against convex/, shifts as support functions,
 * the natural map's zeros. */
#include "random_problems.h"
#include "random_matrices.h"

#include <math.h>
#include <string.h>

enum { D = 6, POINTS = 4000 };

static double random_size(thud_random *random) { return pow(10, thud_random_uniform(random, -3, 3)); }

static void random_point(thud_random *random, thud_index n, double *x) {
  double size = random_size(random);
  for (thud_index i = 0; i < n; i++) x[i] = size * thud_random_normal(random);
}

/* A contact whose friction is mu, or sometimes none or very large. */
static double random_mu(thud_random *random) {
  uint32_t kind = thud_random_below(random, 8);
  if (kind == 0) return 0;
  if (kind == 1) return 1e6;
  return thud_random_uniform(random, 0, 2);
}

/* One contact without matrices: all that projections read. */
static thud_contact_problem one_contact(thud_index dimension, const double *mu, const double *mu_rolling,
                                        thud_set *const *laws) {
  return (thud_contact_problem){
      .dimension = dimension, .contacts = 1, .mu = mu, .mu_rolling = mu_rolling, .laws = laws};
}

/* y in K, x - y in the polar of K (through the shift: K* is u_N >= shift(-...)), (x - y).y = 0. The support function of
 * K's slice gives the polar exactly: p is polar iff p_N + sup over C of p_T.c <= 0, that is p_N + shift(-p) <= 0. */
static double projection_defect(const thud_contact_problem *problem, const double *x) {
  double y[D] = {0}, w[D] = {0}, again[D] = {0}, shift = 0, product = 0, size = 0, moved = 0;
  thud_index d = problem->dimension;
  assert_int_equal(thud_contact_project_cone(problem, 0, x, y), THUD_OK);
  assert_int_equal(thud_contact_project_cone(problem, 0, y, again), THUD_OK);
  for (thud_index i = 0; i < d; i++) {
    w[i] = x[i] - y[i];
    product += w[i] * y[i];
    size += x[i] * x[i];
    moved = fmax(moved, fabs(again[i] - y[i]));
  }
  double opposite[D];
  for (thud_index i = 0; i < d; i++) opposite[i] = -w[i];
  assert_int_equal(thud_contact_shift(problem, 0, opposite, &shift), THUD_OK);
  /* Excess of the polar inequality, as a distance: divided by the length of the normal (1, c). */
  double slope = 1;
  if (d > 1 && problem->mu != NULL) slope = hypot(1, problem->mu[0]);
  if (problem->mu_rolling != NULL) slope = hypot(slope, problem->mu_rolling[0]);
  if (problem->mu_spinning != NULL) slope = hypot(slope, problem->mu_spinning[0]);
  double polar = fmax(0, w[0] + shift) / slope;
  return size > 0 ? fmax(fmax(polar, moved) / sqrt(size), fabs(product) / size) : fmax(polar, moved);
}

static void projections_on_products_of_discs_are_exact(void **state) {
  (void)state;
  thud_random random = thud_random_seed(7);
  double worst = 0;
  for (int k = 0; k < THUD_TEST_DIMENSIONS; k++)
    for (int point = 0; point < POINTS; point++) {
      thud_test_shape shape = thud_test_shape_of(thud_test_dimensions[k], 1);
      thud_index d = shape.dimension;
      bool rolls = d >= 5 || shape.friction == THUD_FRICTION_PLANE_ROLLING, spins = d == 4 || d == 6;
      double mu = random_mu(&random), mu_rolling = random_mu(&random), mu_spinning = random_mu(&random), x[D], y[D];
      thud_contact_problem problem = one_contact(d, &mu, rolls ? &mu_rolling : NULL, NULL);
      problem.mu_spinning = spins ? &mu_spinning : NULL;
      problem.friction = shape.friction;
      random_point(&random, d, x);
      worst = fmax(worst, projection_defect(&problem, x));
      memcpy(y, x, sizeof x);
      double apart[D];
      assert_int_equal(thud_contact_project_cone(&problem, 0, x, apart), THUD_OK);
      assert_int_equal(thud_contact_project_cone(&problem, 0, y, y), THUD_OK);
      assert_memory_equal(y, apart, (size_t)d * sizeof *y);
    }
  print_message("worst defect: %.1e\n", worst);
  thud_assert_less(worst, 4e-15);
}

/* { x : (x_N, x_p) in K(mu_p) } is a preimage of a cone of Coulomb for every part p; K is their intersection. */
static thud_set *intersection_of_cones(thud_context *context, thud_index d, int parts, const thud_index *first,
                                       const thud_index *width, const double *mu) {
  thud_set *cones[3], *both = NULL;
  for (int p = 0; p < parts; p++) {
    double map[3 * D] = {1}; /* column-major (1 + width) x d */
    thud_index rows = 1 + width[p];
    thud_set *cone = NULL;
    for (thud_index i = 0; i < width[p]; i++) map[(first[p] + i) * rows + 1 + i] = 1;
    assert_int_equal(thud_set_coulomb_cone(context, rows, mu[p], &cone), THUD_OK);
    assert_int_equal(thud_set_linear_preimage(context, d, map, cone, &cones[p]), THUD_OK);
  }
  assert_int_equal(thud_set_intersection(context, parts, cones, &both), THUD_OK);
  return both;
}

static void products_of_discs_agree_with_intersections_of_sets(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    thud_index dimension;
    thud_contact_friction friction;
    bool rolls, spins;
    int parts;
    thud_index first[3], width[3];
  } kinds[] = {{5, THUD_FRICTION_BY_DIMENSION, true, false, 2, {1, 3}, {2, 2}},
               {4, THUD_FRICTION_BY_DIMENSION, false, true, 2, {1, 3}, {2, 1}},
               {6, THUD_FRICTION_BY_DIMENSION, true, true, 3, {1, 3, 5}, {2, 2, 1}},
               {3, THUD_FRICTION_PLANE_ROLLING, true, false, 2, {1, 2}, {1, 1}}};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    thud_random random = thud_random_seed(11);
    double worst = 0;
    thud_index d = kinds[k].dimension;
    for (int point = 0; point < 100; point++) {
      double mu[3], x[D], y[D], z[D];
      thud_set_info info;
      for (int p = 0; p < 3; p++) mu[p] = thud_random_uniform(&random, 0.1, 1);
      thud_set *both = intersection_of_cones(context, d, kinds[k].parts, kinds[k].first, kinds[k].width, mu);
      for (thud_index i = 0; i < d; i++) x[i] = thud_random_normal(&random);
      thud_contact_problem problem = one_contact(d, mu, kinds[k].rolls ? mu + 1 : NULL, NULL);
      problem.mu_spinning = kinds[k].spins ? mu + kinds[k].parts - 1 : NULL;
      problem.friction = kinds[k].friction;
      assert_int_equal(thud_set_project(both, NULL, x, z, &info), THUD_OK);
      assert_int_equal(thud_contact_project_cone(&problem, 0, x, y), THUD_OK);
      worst = fmax(worst, thud_test_max_difference((size_t)d, y, z) - info.gap);
      thud_set_destroy(both);
    }
    thud_assert_less(worst, 1e-12);
  }
  thud_test_context_end(context);
}

/* A disc given as a law, an ellipse, polygons and an interval, by the variational inequality; the disc also against
 * the closed form. */
static void projections_on_general_laws_are_accurate_to_rounding(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  const double centre[2] = {0.1, -0.05}, Q[4] = {4, 1, 1, 9}, lower[2] = {-0.3, 0}, upper[2] = {0.4, 0.5};
  const double triangle[6] = {-1, 0, 0.6, 0.8, 0.6, -0.8}, offsets[3] = {0.3, 0.2, 0.5},
               ends[4] = {-0.4, -0.2, 0.8, 0.4};
  const double zero[2] = {0};
  thud_set *laws[7];
  assert_int_equal(thud_set_ball(context, 2, zero, 0.7, &laws[0]), THUD_OK);
  assert_int_equal(thud_set_ellipsoid(context, 2, centre, Q, &laws[1]), THUD_OK);
  assert_int_equal(thud_set_box(context, 2, lower, upper, &laws[2]), THUD_OK);
  assert_int_equal(thud_set_polyhedron(context, 2, 3, 0, triangle, offsets, &laws[3]), THUD_OK);
  assert_int_equal(thud_set_segment(context, 2, ends, ends + 2, &laws[4]), THUD_OK);
  assert_int_equal(thud_set_segment(context, 2, zero, zero, &laws[5]), THUD_OK);
  assert_int_equal(thud_set_interval(context, -0.3, 0.8, &laws[6]), THUD_OK);
  const double mu = 0.7;
  for (int k = 0; k < 7; k++) {
    double worst = 0, difference = 0;
    thud_index d = k == 6 ? 2 : 3;
    thud_contact_problem problem = one_contact(d, NULL, NULL, &laws[k]), disc = one_contact(3, &mu, NULL, NULL);
    for (int point = 0; point < POINTS / 2; point++) {
      double x[D], y[D], z[D];
      random_point(&random, d, x);
      worst = fmax(worst, projection_defect(&problem, x));
      if (k != 0) continue;
      assert_int_equal(thud_contact_project_cone(&problem, 0, x, y), THUD_OK);
      assert_int_equal(thud_contact_project_cone(&disc, 0, x, z), THUD_OK);
      difference = fmax(difference, thud_test_max_difference(3, y, z) / thud_test_max(3, x));
    }
    print_message("%-10s worst defect %.1e\n", thud_set_kind(laws[k]), worst);
    thud_assert_less(worst, 1e-13);
    thud_assert_less(difference, 1e-14);
    thud_set_destroy(laws[k]);
  }
  thud_test_context_end(context);
}

/* In the plane K is a wedge, for which convex/ is exact: -x_N <= 0, x_T <= b x_N, a x_N <= x_T. */
static void the_interval_law_agrees_with_a_polyhedral_cone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(17);
  for (int point = 0; point < 500; point++) {
    double a = -thud_random_uniform(&random, 0, 2), b = thud_random_uniform(&random, 0, 2), x[2], y[2], z[2];
    const double rows[6] = {-1, 0, -b, 1, a, -1};
    thud_set *interval = NULL, *wedge = NULL;
    assert_int_equal(thud_set_interval(context, a, b, &interval), THUD_OK);
    assert_int_equal(thud_set_cone_of_gradients(context, 2, 3, rows, &wedge), THUD_OK);
    thud_contact_problem problem = one_contact(2, NULL, NULL, &interval);
    random_point(&random, 2, x);
    assert_int_equal(thud_contact_project_cone(&problem, 0, x, y), THUD_OK);
    assert_int_equal(thud_set_project(wedge, NULL, x, z, NULL), THUD_OK);
    thud_assert_at_most(thud_test_max_difference(2, y, z), 1e-14 * thud_test_max(2, x));
    thud_set_destroy(interval);
    thud_set_destroy(wedge);
  }
  thud_test_context_end(context);
}

/* cases-friction 1: f N = 1, a = 1, b = 1/2, j = e1: C = { |G| <= 1, |G_1| <= 1/2 }; dissipation = sup over C of -W.G.
 */
static void the_braked_wheel_dissipates_what_the_reference_says(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double zero[2] = {0}, strip[4] = {1, 0, -1, 0}, half[2] = {0.5, 0.5}, root = sqrt(3) / 2;
  thud_set *parts[2], *law = NULL;
  assert_int_equal(thud_set_ball(context, 2, zero, 1, &parts[0]), THUD_OK);
  assert_int_equal(thud_set_polyhedron(context, 2, 2, 0, strip, half, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, parts, &law), THUD_OK);
  thud_contact_problem problem = one_contact(3, NULL, NULL, &law);
  const double velocity[3][3] = {{0, 1, 0}, {0, 0, 1}, {0, 1, 1}}, dissipation[3] = {0.5, 1, 0.5 + root};
  for (int k = 0; k < 3; k++) {
    double shift = 0;
    assert_int_equal(thud_contact_shift(&problem, 0, velocity[k], &shift), THUD_OK);
    thud_assert_nearer(shift, dissipation[k], 1e-9);
  }
  /* (1; corner) is the answer of W = (1, 1) under a unit load: a fixed point of r -> proj_K(r - u~). The flat side is
   * set-valued: every (1; -1/2, g) with |g| <= sqrt(3)/2 is an answer of W = (1, 0). */
  const double answers[4][3] = {{1, -0.5, -root}, {1, -0.5, 0}, {1, -0.5, 0.8}, {1, -0.5, root}};
  for (int k = 0; k < 4; k++) {
    const double *u = velocity[k == 0 ? 2 : 0];
    double shift = 0, x[3], y[3];
    assert_int_equal(thud_contact_shift(&problem, 0, u, &shift), THUD_OK);
    for (int i = 0; i < 3; i++) x[i] = answers[k][i] - u[i] - (i == 0 ? shift : 0);
    assert_int_equal(thud_contact_project_cone(&problem, 0, x, y), THUD_OK);
    thud_assert_less(thud_test_max_difference(3, y, answers[k]), 1e-8);
  }
  thud_set_destroy(law);
  thud_test_context_end(context);
}

static void contacts_that_are_not_there_are_refused(void **state) {
  (void)state;
  double mu = 0.5, x[3] = {1, 2, 3}, y[3] = {7, 7, 7};
  thud_contact_problem problem = one_contact(3, &mu, NULL, NULL);
  assert_int_equal(thud_contact_project_cone(&problem, 1, x, y), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_contact_project_cone(&problem, -1, x, y), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_contact_shift(&problem, 1, x, y), THUD_ERROR_ARGUMENT);
  problem.dimension = 7;
  assert_int_equal(thud_contact_project_cone(&problem, 0, x, y), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_contact_shift(&problem, 0, x, y), THUD_ERROR_ARGUMENT);
  thud_assert_equal(y[0], 7);
  thud_assert_equal(y[1], 7);
  thud_assert_equal(y[2], 7);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projections_on_products_of_discs_are_exact),
      cmocka_unit_test(products_of_discs_agree_with_intersections_of_sets),
      cmocka_unit_test(projections_on_general_laws_are_accurate_to_rounding),
      cmocka_unit_test(the_interval_law_agrees_with_a_polyhedral_cone),
      cmocka_unit_test(the_braked_wheel_dissipates_what_the_reference_says),
      cmocka_unit_test(contacts_that_are_not_there_are_refused),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
