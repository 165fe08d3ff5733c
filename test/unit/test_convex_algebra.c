/* Identities of convex analysis and known answers: polar cones, covariance, recession cones, emptiness, friction laws.
 */
#include "random_matrices.h"
#include "random_sets.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = TEST_DIMENSION_MAX };

static double distance(thud_index n, const double *x, const double *y) { return thud_metric_distance(NULL, n, x, y); }

static void project(thud_set *set, const thud_metric *metric, const double *x, double *y) {
  thud_set_info info;
  assert_int_equal(thud_set_project(set, metric, x, y, &info), THUD_OK);
  assert_true(info.converged);
}

static thud_set *clone_of(thud_context *context, const thud_set *set) {
  thud_set *clone = NULL;
  assert_int_equal(thud_set_clone(context, set, &clone), THUD_OK);
  return clone;
}

/* ---- Moreau's two cones --------------------------------------------------------------------------------------------
 */

/* x = P_K(x) + M^-1 (the projection of Mx on the polar cone in the metric M^-1), orthogonal; here with M diagonal. */
static void points_split_into_a_cone_and_its_polar(void **state) {
  (void)state;
  static const test_kind kinds[] = {TEST_COULOMB, TEST_COULOMB_DUAL, TEST_GRADIENTS, TEST_GENERATORS};
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  for (int k = 0; k < 1200; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 4);
    test_set *s = test_random_set(context, &random, kinds[k % 4], n, 1, false);
    thud_set *polar, *operand = clone_of(context, s->set);
    assert_int_equal(thud_set_polar(context, operand, &polar), THUD_OK);
    assert_true(thud_set_get_abilities(polar).is_cone);
    double x[D], Mx[D], y[D], w[D], diagonal[D], inverse[D], product = 0, size = 0;
    for (thud_index i = 0; i < n; i++) {
      diagonal[i] = k < 600 ? 1 : pow(10, thud_random_uniform(&random, -2, 2));
      inverse[i] = 1 / diagonal[i];
      x[i] = thud_random_normal(&random);
      Mx[i] = diagonal[i] * x[i];
    }
    thud_metric *metric, *dual;
    assert_int_equal(thud_metric_create_diagonal(context, n, diagonal, &metric), THUD_OK);
    assert_int_equal(thud_metric_create_diagonal(context, n, inverse, &dual), THUD_OK);
    project(s->set, metric, x, y);
    project(polar, dual, Mx, w);
    for (thud_index i = 0; i < n; i++) {
      product += y[i] * w[i];
      size += diagonal[i] * x[i] * x[i];
      double off = x[i] - y[i] - w[i] / diagonal[i];
      thud_assert_less(diagonal[i] * off * off, 1e-24 * (1 + size));
    }
    thud_assert_less(fabs(product), 1e-12 * (1 + size));
    thud_metric_destroy(metric);
    thud_metric_destroy(dual);
    thud_set_destroy(polar);
    test_set_free(s);
  }
  thud_test_context_end(context);
}

static void the_polar_of_coulombs_cone_is_minus_its_dual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  thud_set *cone, *polar, *dual;
  assert_int_equal(thud_set_coulomb_cone(context, 3, 0.4, &cone), THUD_OK);
  assert_int_equal(thud_set_polar(context, cone, &polar), THUD_OK);
  assert_int_equal(thud_set_coulomb_dual_cone(context, 3, 0.4, &dual), THUD_OK);
  for (int k = 0; k < 300; k++) {
    double x[3], minus[3], y[3], z[3];
    for (int i = 0; i < 3; i++) {
      x[i] = thud_random_normal(&random);
      minus[i] = -x[i];
    }
    project(polar, NULL, x, y);
    project(dual, NULL, minus, z);
    for (int i = 0; i < 3; i++) thud_assert_less(fabs(y[i] + z[i]), 1e-15);
  }
  thud_set_destroy(polar);
  thud_set_destroy(dual);
  thud_test_context_end(context);
}

/* The polar of a ball of radius r about 0 is the ball of radius 1/r; the bipolar is the ball itself. */
static void polars_of_balls_are_balls(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  double zero[3] = {0}, r = 0.37;
  thud_set *ball, *polar, *bipolar;
  assert_int_equal(thud_set_ball(context, 3, zero, r, &ball), THUD_OK);
  assert_int_equal(thud_set_polar(context, ball, &polar), THUD_OK);
  thud_set *again = clone_of(context, polar);
  assert_int_equal(thud_set_polar(context, again, &bipolar), THUD_OK);
  for (int k = 0; k < 200; k++) {
    double x[3], y[3], z[3], value;
    for (int i = 0; i < 3; i++) x[i] = 3 * thud_random_normal(&random);
    double length = thud_metric_norm(NULL, 3, x);
    project(polar, NULL, x, y);
    for (int i = 0; i < 3; i++) thud_assert_nearer(y[i], x[i] * fmin(1, 1 / (r * length)), 1e-14);
    project(bipolar, NULL, x, z);
    for (int i = 0; i < 3; i++) thud_assert_nearer(z[i], x[i] * fmin(1, r / length), 1e-9);
    assert_int_equal(thud_set_support(polar, x, &value, y, NULL), THUD_OK);
    thud_assert_nearer(value, length / r, 1e-12 * length);
  }
  thud_set_destroy(polar);
  thud_set_destroy(bipolar);
  thud_test_context_end(context);
}

/* ---- covariance and comparison ----------------------------------------------------------------------- */

/* P_{a + fC}(x) = a + f P_C((x - a)/f) for every kind, and projections do not expand distances. */
static void projections_follow_translation_and_scaling_and_do_not_expand(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(14);
  for (int k = 0; k < 600; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 3);
    test_kind kind = (test_kind)(k % TEST_KINDS);
    test_set *s =
        test_random_set(context, &random, kind, n, kind < TEST_LEAVES ? 1 : 2, k % 2 == 0 && kind >= TEST_LEAVES);
    thud_metric *metric = test_random_metric(context, &random, k % 3, n, 3);
    double offset[D], x[D], y[D], moved[D], z[D], factor = pow(10, thud_random_uniform(&random, -2, 2));
    thud_test_random_vector(&random, (size_t)n, offset);
    thud_set *scaled, *translated;
    assert_int_equal(thud_set_scaling(context, factor, clone_of(context, s->set), &scaled), THUD_OK);
    assert_int_equal(thud_set_translation(context, offset, scaled, &translated), THUD_OK);
    double last_x[D] = {0}, last_y[D] = {0};
    for (int repeat = 0; repeat < 3; repeat++) {
      thud_set_info info, other;
      for (thud_index i = 0; i < n; i++) x[i] = s->anchor[i] + 2 * thud_random_normal(&random);
      for (thud_index i = 0; i < n; i++) moved[i] = offset[i] + factor * x[i];
      assert_int_equal(thud_set_project(s->set, metric, x, y, &info), THUD_OK);
      assert_int_equal(thud_set_project(translated, metric, moved, z, &other), THUD_OK);
      for (thud_index i = 0; i < n; i++) z[i] = (z[i] - offset[i]) / factor;
      double size = thud_metric_norm(metric, n, x) + thud_metric_norm(metric, n, moved) / factor;
      thud_assert_at_most(thud_metric_distance(metric, n, y, z), 1e-12 * size + info.gap + other.gap / factor);
      double moved_by = thud_metric_distance(metric, n, x, last_x);
      if (repeat > 0)
        thud_assert_at_most(thud_metric_distance(metric, n, y, last_y), moved_by + 1e-12 * size + 2 * info.gap);
      memcpy(last_x, x, sizeof x);
      memcpy(last_y, y, sizeof y);
    }
    thud_set_destroy(translated);
    thud_metric_destroy(metric);
    test_set_free(s);
  }
  thud_test_context_end(context);
}

/* Rows and generators of any length, metrics in any unit: the same projection. */
static void rescaling_rows_and_metrics_changes_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(20);
  for (int k = 0; k < 300; k++) {
    enum { M = 5, N = 3 };
    double A[M * N], b[M], long_A[M * N], long_b[M], Q[N * N], scaled_Q[N * N], x[N], y[N], z[N];
    thud_test_random_vector(&random, (size_t)M * N, A);
    thud_test_random_spd(&random, N, 0.2, Q);
    double unit = pow(10, thud_random_uniform(&random, -8, 8));
    for (int i = 0; i < M; i++) {
      double length = pow(10, thud_random_uniform(&random, -6, 6));
      b[i] = thud_random_uniform(&random, 0, 1);
      long_b[i] = length * b[i];
      for (int j = 0; j < N; j++) long_A[N * i + j] = length * A[N * i + j];
    }
    for (int i = 0; i < N * N; i++) scaled_Q[i] = unit * Q[i];
    for (int i = 0; i < N; i++) x[i] = 3 * thud_random_normal(&random);
    thud_metric *metric, *other;
    thud_set *sets[2];
    assert_int_equal(thud_metric_create(context, N, Q, &metric), THUD_OK);
    assert_int_equal(thud_metric_create(context, N, scaled_Q, &other), THUD_OK);
    if (k % 3 == 0) {
      assert_int_equal(thud_set_polyhedron(context, N, M, 0, A, b, &sets[0]), THUD_OK);
      assert_int_equal(thud_set_polyhedron(context, N, M, 0, long_A, long_b, &sets[1]), THUD_OK);
    } else if (k % 3 == 1) {
      assert_int_equal(thud_set_cone_of_generators(context, N, M, A, &sets[0]), THUD_OK);
      assert_int_equal(thud_set_cone_of_generators(context, N, M, long_A, &sets[1]), THUD_OK);
    } else {
      assert_int_equal(thud_set_coulomb_cone(context, N, b[0], &sets[0]), THUD_OK);
      assert_int_equal(thud_set_coulomb_cone(context, N, b[0], &sets[1]), THUD_OK);
    }
    project(sets[0], metric, x, y);
    project(sets[1], other, x, z);
    thud_assert_less(thud_metric_distance(metric, N, y, z), 1e-12 * thud_metric_norm(metric, N, x));
    for (int s = 0; s < 2; s++) thud_set_destroy(sets[s]);
    thud_metric_destroy(metric);
    thud_metric_destroy(other);
  }
  thud_test_context_end(context);
}

/* The same set written in two ways: an ellipsoid as the image of a ball (square map: exact; wide map: iterative). */
static void an_ellipsoid_is_the_image_of_a_ball(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(15);
  for (int k = 0; k < 100; k++) {
    double L[9], wide[15], zero[5] = {0}, Q[9] = {0}, inverse[9] = {0};
    for (int i = 0; i < 9; i++) L[i] = thud_random_normal(&random) + (i % 4 == 0 ? 3 : 0);
    memset(wide, 0, sizeof wide);
    memcpy(wide, L, sizeof L);
    for (int i = 0; i < 3; i++) inverse[4 * i] = 1;
    assert_int_equal(thud_dense_solve(context, 3, L, 3, inverse), THUD_OK);
    thud_dense_multiply(3, 3, 3, 1, inverse, true, inverse, false, 0, Q);
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < j; i++) Q[3 * j + i] = Q[3 * i + j];
    thud_set *ball, *large, *image, *other, *ellipsoid;
    assert_int_equal(thud_set_ball(context, 3, zero, 1, &ball), THUD_OK);
    assert_int_equal(thud_set_ball(context, 5, zero, 1, &large), THUD_OK);
    assert_int_equal(thud_set_linear_image(context, 3, L, ball, &image), THUD_OK);
    assert_int_equal(thud_set_linear_image(context, 3, wide, large, &other), THUD_OK);
    assert_int_equal(thud_set_ellipsoid(context, 3, zero, Q, &ellipsoid), THUD_OK);
    assert_int_equal(thud_set_get_abilities(image).projection_metric, THUD_EXACT);
    assert_int_equal(thud_set_get_abilities(other).projection_metric, THUD_ITERATIVE);
    thud_metric *metric = test_random_metric(context, &random, k % 3, 3, 2);
    double x[3], y[3], z[3], v[3], size = 0;
    for (int i = 0; i < 3; i++) x[i] = 6 * thud_random_normal(&random);
    project(ellipsoid, metric, x, y);
    project(image, metric, x, z);
    project(other, metric, x, v);
    size = thud_metric_norm(metric, 3, x);
    thud_assert_less(thud_metric_distance(metric, 3, y, z), 1e-12 * size);
    thud_assert_less(thud_metric_distance(metric, 3, y, v), 1e-9 * size);
    thud_metric_destroy(metric);
    thud_set_destroy(image);
    thud_set_destroy(other);
    thud_set_destroy(ellipsoid);
  }
  thud_test_context_end(context);
}

/* Loose answers of iterative sets lie within their certified gap of tight ones. */
static void certified_gaps_hold(void **state) {
  (void)state;
  static const test_kind kinds[] = {TEST_SUM, TEST_IMAGE, TEST_INTERSECTION, TEST_PREIMAGE, TEST_PRODUCT};
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(16);
  int compared = 0, visible = 0;
  for (int k = 0; k < 600; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 3);
    test_set *s = test_random_set(context, &random, kinds[k % 5], n, 2, false);
    thud_metric *metric = test_random_metric(context, &random, k % 3, n, 3);
    double x[D], tight[D], loose[D];
    for (thud_index i = 0; i < n; i++) x[i] = s->anchor[i] + 3 * thud_random_normal(&random);
    thud_set_info reference, info;
    assert_int_equal(thud_set_set_tolerance(s->set, 1e-13, 5000), THUD_OK);
    assert_int_equal(thud_set_project(s->set, metric, x, tight, &reference), THUD_OK);
    for (int decade = 4; decade <= 10; decade += 2) {
      assert_int_equal(thud_set_set_tolerance(s->set, pow(10, -decade), 5000), THUD_OK);
      assert_int_equal(thud_set_project(s->set, metric, x, loose, &info), THUD_OK);
      if (info.exactness != THUD_ITERATIVE || !info.converged || !reference.converged) continue;
      double error = thud_metric_distance(metric, n, tight, loose);
      compared++;
      if (error > 1e-9) visible++;
      thud_assert_at_most(error, info.gap + reference.gap);
    }
    thud_metric_destroy(metric);
    test_set_free(s);
  }
  print_message("%d loose answers compared, %d visibly off\n", compared, visible);
  thud_assert_greater(compared, 200);
  thud_assert_greater(visible, 200);
  thud_test_context_end(context);
}

/* ---- recession cones and emptiness ------------------------------------------------------------------- */

static void zero_times_a_set_is_its_recession_cone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double lower[2] = {-1, 2}, upper[2] = {INFINITY, 3}, x[4] = {2, 5, -1, 1}, y[4], offset[2] = {4, -3},
         centre[2] = {1, 2};
  thud_set *box, *ball, *product, *scaled, *line, *sum, *cone, *moved;
  assert_int_equal(thud_set_box(context, 2, lower, upper, &box), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, centre, 1, &ball), THUD_OK);
  assert_int_equal(thud_set_product(context, 2, (thud_set *[]){box, ball}, &product), THUD_OK);
  assert_int_equal(thud_set_scaling(context, 0, product, &scaled), THUD_OK);
  project(scaled, NULL, x, y); /* [0, oo[ x {0} x {0, 0} */
  thud_assert_equal(y[0], 2);
  thud_assert_equal(y[1], 0);
  thud_assert_equal(y[2], 0);
  thud_assert_equal(y[3], 0);
  double numbers[8];
  assert_int_equal(thud_set_parameter_count(scaled), 8);
  thud_set_get_parameters(scaled, numbers);
  numbers[0] = 0.5; /* grow back */
  assert_int_equal(thud_set_set_parameters(scaled, numbers), THUD_OK);
  project(scaled, NULL, x, y);
  thud_assert_equal(y[0], 2);
  thud_assert_equal(y[1], 1.5);
  thud_set_destroy(scaled);

  /* 0 (offset + K) = K, and the sum of a half-line and a ball recedes along the half-line. */
  assert_int_equal(thud_set_coulomb_cone(context, 2, 1, &cone), THUD_OK);
  assert_int_equal(thud_set_translation(context, offset, cone, &moved), THUD_OK);
  assert_int_equal(thud_set_scaling(context, 0, moved, &scaled), THUD_OK);
  project(scaled, NULL, (double[]){0, 2}, y);
  thud_assert_less(distance(2, y, (double[]){1, 1}), 1e-14);
  thud_set_destroy(scaled);
  assert_int_equal(thud_set_half_line(context, 2, offset, (double[]){0, 1}, &line), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, centre, 1, &ball), THUD_OK);
  assert_int_equal(thud_set_sum(context, 2, (thud_set *[]){line, ball}, &sum), THUD_OK);
  assert_int_equal(thud_set_scaling(context, 0, sum, &scaled), THUD_OK);
  project(scaled, NULL, (double[]){3, 2}, y);
  thud_assert_less(distance(2, y, (double[]){0, 2}), 1e-9);
  thud_set_destroy(scaled);
  thud_test_context_end(context);
}

static void the_recession_cone_of_a_polar_body_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *ball, *polar, *scaled = NULL;
  assert_int_equal(thud_set_ball(context, 2, (double[]){0.1, 0}, 1, &ball), THUD_OK);
  assert_int_equal(thud_set_polar(context, ball, &polar), THUD_OK);
  assert_int_equal(thud_set_scaling(context, 0, polar, &scaled), THUD_ERROR_UNSUPPORTED);
  assert_null(scaled);
  thud_test_message_has(
      context, "scaling: factor 0 asks for the recession cone of the polar of a ball, which is not available", NULL);
  double y[2]; /* the operand is as it was */
  project(polar, NULL, (double[]){0.2, 0.1}, y);
  thud_assert_equal(y[0], 0.2);
  thud_assert_equal(y[1], 0.1);
  assert_int_equal(thud_set_scaling(context, 2, polar, &scaled), THUD_OK);
  double numbers[4];
  thud_set_get_parameters(scaled, numbers);
  numbers[0] = 0;
  assert_int_equal(thud_set_set_parameters(scaled, numbers), THUD_ERROR_UNSUPPORTED);
  project(scaled, NULL, (double[]){0.2, 0.1}, y);
  thud_assert_equal(y[0], 0.2);
  thud_assert_equal(y[1], 0.1);
  thud_set_destroy(scaled);
  thud_test_context_end(context);
}

/* A set whose recession cone is not available still has its support function. */
static void polar_bodies_take_part_in_intersections(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double zero[2] = {0, 0}, normal[2] = {1, 0}, up[2] = {0, 1}, x[2] = {3, 4}, value, y[2];
  thud_set *ball, *polar, *half, *both;
  assert_int_equal(thud_set_ball(context, 2, zero, 1, &ball), THUD_OK);
  assert_int_equal(thud_set_polar(context, ball, &polar), THUD_OK);
  assert_int_equal(thud_set_half_space(context, 2, normal, 0.5, &half), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, (thud_set *[]){polar, half}, &both), THUD_OK);
  assert_int_equal(thud_set_support(both, normal, &value, y, NULL), THUD_OK);
  thud_assert_nearer(value, 0.5, 1e-10);
  assert_int_equal(thud_set_support(both, up, &value, y, NULL), THUD_OK);
  thud_assert_nearer(value, 1, 1e-10);
  thud_assert_less(fabs(y[0]), 1e-5);
  project(both, NULL, x, y); /* the corner (1/2, sqrt(3)/2) */
  double corner[2] = {0.5, sqrt(0.75)};
  thud_assert_less(distance(2, y, corner), 1e-11);
  thud_set_destroy(both);
  thud_test_context_end(context);
}

static void empty_polyhedral_sets_name_their_rows(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = NULL, *a, *b;
  double A[6] = {1, 0, 0, 1, -1, -1}, right[3] = {0, 0, -1};
  assert_int_equal(thud_set_polyhedron(context, 2, 3, 0, A, right, &set), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(context,
                        "polyhedron: the set is empty: these rows contradict each other: polyhedron row 0, polyhedron "
                        "row 1, polyhedron row 2; loosen one of them",
                        NULL);
  assert_null(set);
  double rows[4] = {1, 2, 2, 4}, values[2] = {1, 3};
  assert_int_equal(thud_set_affine(context, 2, 2, rows, values, &set), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(context,
                        "affine set: the set is empty: these rows contradict each other: affine set row 0, affine set "
                        "row 1; loosen one of them",
                        NULL);
  values[1] = 2;
  assert_int_equal(thud_set_affine(context, 2, 2, rows, values, &set), THUD_OK);
  double numbers[6] = {1, 2, 2, 4, 1, 2.5}, kept[6];
  assert_int_equal(thud_set_set_parameters(set, numbers), THUD_ERROR_EMPTY_SET);
  thud_set_get_parameters(set, kept);
  thud_assert_equal(kept[5], 2);
  thud_set_destroy(set);
  set = NULL;

  assert_int_equal(thud_set_half_space(context, 2, (double[]){1, 0}, -1, &a), THUD_OK);
  assert_int_equal(thud_set_box(context, 2, (double[]){0, 0}, (double[]){1, 1}, &b), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, (thud_set *[]){a, b}, &set), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(context,
                        "intersection: the set is empty: these rows contradict each other: half-space row 0, box row "
                        "0; loosen one of them",
                        NULL);
  assert_null(set);
  /* { x : (x, x) in box } with the box beside the diagonal. */
  double L[2] = {1, 1};
  thud_set_destroy(b);
  assert_int_equal(thud_set_box(context, 2, (double[]){0, 2}, (double[]){1, 3}, &b), THUD_OK);
  assert_int_equal(thud_set_linear_preimage(context, 1, L, b, &set), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(
      context,
      "linear preimage: the set is empty: these rows contradict each other: box row 1, box row 2; loosen one of them",
      NULL);
  thud_set_destroy(a);
  thud_set_destroy(b);
  thud_test_context_end(context);
}

static void disjoint_balls_are_found_out_by_the_projection(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *a, *b, *both;
  assert_int_equal(thud_set_ball(context, 2, (double[]){0, 0}, 1, &a), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, (double[]){3, 0}, 1, &b), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, (thud_set *[]){a, b}, &both), THUD_OK);
  double y[2] = {7, 7};
  assert_int_equal(thud_set_project(both, NULL, (double[]){1, 1}, y, NULL), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(
      context, "intersection: the set is empty: a hyperplane separates its operands; move or enlarge one of them",
      NULL);
  thud_assert_equal(y[0], 7);
  thud_assert_equal(y[1], 7);
  thud_set_destroy(both);
  thud_test_context_end(context);
}

/* ---- known answers ----------------------------------------------------------------------------------- */

static void check_braked_wheel(thud_set *wheel) {
  const struct {
    double W[2], dissipation, G[2];
  } cases[] = {{{1, 0}, 0.5, {-0.5, NAN}}, {{0, 1}, 1, {0, -1}}, {{1, 1}, 0.5 + sqrt(3) / 2, {-0.5, -sqrt(3) / 2}}};
  double residual;
  for (int k = 0; k < 3; k++) {
    double value, G[2], minus[2] = {-cases[k].W[0], -cases[k].W[1]};
    thud_set_info info;
    assert_int_equal(thud_set_support(wheel, minus, &value, G, &info), THUD_OK);
    assert_true(info.converged);
    thud_assert_near(value, cases[k].dissipation, 1e-10);
    thud_assert_near(value, cases[k].dissipation, info.gap + 1e-15);
    thud_assert_nearer(G[0], cases[k].G[0], 1e-6);
    bool set_valued = cases[k].G[1] != cases[k].G[1];
    if (set_valued)
      thud_assert_at_most(fabs(G[1]), sqrt(3) / 2 + 1e-9);
    else
      thud_assert_nearer(G[1], cases[k].G[1], 1e-6);
    assert_int_equal(thud_set_normal_cone_residual(wheel, NULL, G, minus, &residual, NULL), THUD_OK);
    thud_assert_less(residual, 1e-6);
  }
  /* On the flat side every G_2 of the chord answers W = (1, 0); off it none does. */
  double W[2] = {-1, 0};
  for (int k = -8; k <= 8; k++) {
    double G[2] = {-0.5, 0.1 * k};
    assert_int_equal(thud_set_normal_cone_residual(wheel, NULL, G, W, &residual, NULL), THUD_OK);
    thud_assert_less(residual, 1e-9);
  }
  double off[2] = {-0.4, sqrt(1 - 0.16)};
  assert_int_equal(thud_set_normal_cone_residual(wheel, NULL, off, W, &residual, NULL), THUD_OK);
  thud_assert_greater(residual, 1e-2);
}

/* The braked wheel: C = { |G| <= 1, |G_1| <= 1/2 }; dissipation = support of C at -W, reached at G. Written as an
 * intersection, and as the preimage of ground and brake laws by G -> (G, G_1) (Ballard's proposition 1). */
static void the_braked_wheel_dissipates_as_it_should(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double zero[2] = {0, 0}, first[2] = {1, 0}, both[6] = {1, 0, 1, 0, 1, 0};
  thud_set *disc, *brake, *strip, *wheel, *laws;
  assert_int_equal(thud_set_ball(context, 2, zero, 1, &disc), THUD_OK);
  assert_int_equal(thud_set_interval(context, -0.5, 0.5, &brake), THUD_OK);
  assert_int_equal(thud_set_linear_preimage(context, 2, first, brake, &strip), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, (thud_set *[]){disc, strip}, &wheel), THUD_OK);
  check_braked_wheel(wheel);
  thud_set_destroy(wheel);
  assert_int_equal(thud_set_ball(context, 2, zero, 1, &disc), THUD_OK);
  assert_int_equal(thud_set_interval(context, -0.5, 0.5, &brake), THUD_OK);
  assert_int_equal(thud_set_product(context, 2, (thud_set *[]){disc, brake}, &laws), THUD_OK);
  assert_int_equal(thud_set_linear_preimage(context, 2, both, laws, &wheel), THUD_OK);
  check_braked_wheel(wheel);
  thud_set_destroy(wheel);
  thud_test_context_end(context);
}

/* Moreau's wedge (C4): the inelastic impact is one projection on the cone of admissible velocities. */
static void moreaus_wedge_is_one_projection(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double w = 1.7;
  for (int k = -15; k <= 15; k++) {
    double angle = k * 0.1, A[4] = {0, -1, cos(angle), sin(angle)}, y[2];
    thud_set *cone;
    assert_int_equal(thud_set_cone_of_gradients(context, 2, 2, A, &cone), THUD_OK);
    project(cone, NULL, (double[]){w, 0}, y);
    double expected[2] = {0, 0};
    if (angle < 0) {
      expected[0] = w * sin(angle) * sin(angle);
      expected[1] = -w * sin(angle) * cos(angle);
    }
    thud_assert_less(distance(2, y, expected), 1e-15);
    thud_set_destroy(cone);
  }
  thud_test_context_end(context);
}

/* A metric without coupling leaves a product exact, whatever its blocks are. */
static void block_diagonal_metrics_keep_products_exact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(17);
  for (int k = 0; k < 100; k++) {
    double first[4], second[9], M[25] = {0}, centre[3] = {0.3, -0.2, 0.1};
    thud_test_random_spd(&random, 2, 0.1, first);
    thud_test_random_spd(&random, 3, 0.1, second);
    for (int j = 0; j < 2; j++)
      for (int i = 0; i < 2; i++) M[5 * j + i] = first[2 * j + i];
    for (int j = 0; j < 3; j++)
      for (int i = 0; i < 3; i++) M[5 * (j + 2) + i + 2] = second[3 * j + i];
    thud_metric *metric, *one, *two;
    assert_int_equal(thud_metric_create(context, 5, M, &metric), THUD_OK);
    assert_int_equal(thud_metric_create(context, 2, first, &one), THUD_OK);
    assert_int_equal(thud_metric_create(context, 3, second, &two), THUD_OK);
    thud_set *cone, *ball, *product;
    assert_int_equal(thud_set_coulomb_cone(context, 2, 0.7, &cone), THUD_OK);
    assert_int_equal(thud_set_ball(context, 3, centre, 0.8, &ball), THUD_OK);
    thud_set *cone_alone = clone_of(context, cone), *ball_alone = clone_of(context, ball);
    assert_int_equal(thud_set_product(context, 2, (thud_set *[]){cone, ball}, &product), THUD_OK);
    double x[5], y[5], z[5];
    for (int i = 0; i < 5; i++) x[i] = 2 * thud_random_normal(&random);
    thud_set_info info;
    assert_int_equal(thud_set_project(product, metric, x, y, &info), THUD_OK);
    assert_int_equal(info.exactness, THUD_EXACT);
    project(cone_alone, one, x, z);
    project(ball_alone, two, x + 2, z + 2);
    thud_assert_less(distance(5, y, z), 1e-14);
    thud_set_destroy(product);
    thud_set_destroy(cone_alone);
    thud_set_destroy(ball_alone);
    thud_metric_destroy(metric);
    thud_metric_destroy(one);
    thud_metric_destroy(two);
  }
  thud_test_context_end(context);
}

/* Far away, near the boundary, at the centre: the secular equation at its limits. */
static void round_sets_are_exact_at_extreme_points(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double diagonal[3] = {1e-3, 1, 1e3}, centre[3] = {0, 0, 0}, Q[9] = {1, 0, 0, 0, 4, 0, 0, 0, 0.25}, y[3];
  thud_metric *metric;
  thud_set *sets[2], *point;
  assert_int_equal(thud_metric_create_diagonal(context, 3, diagonal, &metric), THUD_OK);
  assert_int_equal(thud_set_ball(context, 3, centre, 1, &sets[0]), THUD_OK);
  assert_int_equal(thud_set_ellipsoid(context, 3, centre, Q, &sets[1]), THUD_OK);
  double axes[2][3] = {{1, 1, 1}, {1, 0.5, 2}};
  for (int s = 0; s < 2; s++)
    for (int axis = 0; axis < 3; axis++)
      for (int exponent = -16; exponent <= 300; exponent += 4) {
        /* On an axis the answer is the end of the axis, also where eigenvalues coincide. */
        double x[3] = {0, 0, 0}, a = axes[s][axis];
        x[axis] = exponent < 0 ? a * (1 + pow(10, exponent)) : a * pow(10, exponent);
        project(sets[s], metric, x, y);
        for (int i = 0; i < 3; i++) thud_assert_near(y[i], (i == axis ? a : 0), 4 * DBL_EPSILON * a);
      }
  project(sets[0], metric, centre, y);
  thud_assert_equal(y[0], 0);
  thud_assert_equal(y[1], 0);
  thud_assert_equal(y[2], 0);
  assert_int_equal(thud_set_ball(context, 3, (double[]){1, 2, 3}, 0, &point), THUD_OK);
  project(point, metric, (double[]){4, 5, 6}, y);
  thud_assert_equal(y[0], 1);
  thud_assert_equal(y[1], 2);
  thud_assert_equal(y[2], 3);
  thud_set_destroy(point);
  thud_set_destroy(sets[0]);
  thud_set_destroy(sets[1]);
  thud_metric_destroy(metric);
  thud_test_context_end(context);
}

/* Above the sizes of the small kernels: the support function certifies the projection, and nothing is allocated. */
static void large_sets_are_exact_too(void **state) {
  (void)state;
  enum { N = 30 };
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(18);
  double *M = thud_test_doubles((size_t)N * N), *Q = thud_test_doubles((size_t)N * N), values[N], centre[N], upper[N];
  for (int i = 0; i < N; i++) values[i] = pow(10, thud_random_uniform(&random, -2, 2));
  thud_test_random_with_eigenvalues(&random, N, values, M);
  thud_test_random_spd(&random, N, 1, Q);
  thud_test_random_vector(&random, N, centre);
  for (int i = 0; i < N; i++) upper[i] = centre[i] + fabs(thud_random_normal(&random));
  thud_metric *metric;
  thud_set *sets[4], *one, *two;
  assert_int_equal(thud_metric_create(context, N, M, &metric), THUD_OK);
  assert_int_equal(thud_set_ball(context, N, centre, 0.7, &sets[0]), THUD_OK);
  assert_int_equal(thud_set_ellipsoid(context, N, centre, Q, &sets[1]), THUD_OK);
  assert_int_equal(thud_set_box(context, N, centre, upper, &sets[2]), THUD_OK);
  assert_int_equal(thud_set_segment(context, N, centre, upper, &one), THUD_OK);
  assert_int_equal(thud_set_box(context, N, centre, upper, &two), THUD_OK);
  assert_int_equal(thud_set_sum(context, 2, (thud_set *[]){one, two}, &sets[3]), THUD_OK);
  uint64_t count = thud_context_allocation_count(context);
  for (int k = 0; k < 4; k++)
    for (int repeat = 0; repeat < 3; repeat++) {
      double x[N], y[N], w[N], value, product = 0;
      for (int i = 0; i < N; i++) x[i] = 5 * thud_random_normal(&random);
      project(sets[k], metric, x, y);
      for (int i = 0; i < N; i++) w[i] = x[i] - y[i];
      thud_metric_apply(metric, N, w, w);
      assert_int_equal(thud_set_support(sets[k], w, &value, NULL, NULL), THUD_OK);
      for (int i = 0; i < N; i++) product += w[i] * y[i];
      double size = thud_metric_norm(metric, N, x);
      thud_assert_nearer(value, product, 1e-12 * size * size);
    }
  assert_int_equal(thud_context_allocation_count(context), count);
  for (int k = 0; k < 4; k++) thud_set_destroy(sets[k]);
  thud_metric_destroy(metric);
  free(M);
  free(Q);
  thud_test_context_end(context);
}

/* Coulomb's cone in a high dimension and a full metric: complementary with its polar. */
static void large_cones_are_exact_too(void **state) {
  (void)state;
  enum { N = 24 };
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(19);
  double *M = thud_test_doubles((size_t)N * N), values[N];
  for (int i = 0; i < N; i++) values[i] = pow(10, thud_random_uniform(&random, -1, 1));
  thud_test_random_with_eigenvalues(&random, N, values, M);
  thud_metric *metric;
  thud_set *cone;
  double mu = 0.6;
  assert_int_equal(thud_metric_create(context, N, M, &metric), THUD_OK);
  assert_int_equal(thud_set_coulomb_cone(context, N, mu, &cone), THUD_OK);
  for (int k = 0; k < 50; k++) {
    double x[N], y[N], w[N], product = 0;
    for (int i = 0; i < N; i++) x[i] = thud_random_normal(&random);
    project(cone, metric, x, y);
    for (int i = 0; i < N; i++) w[i] = x[i] - y[i];
    thud_metric_apply(metric, N, w, w);
    for (int i = 0; i < N; i++) product += w[i] * y[i];
    double size = thud_metric_norm(metric, N, x);
    thud_assert_at_most(thud_metric_norm(NULL, N - 1, y + 1), mu * y[0] + 1e-14 * size);
    thud_assert_at_most(mu * thud_metric_norm(NULL, N - 1, w + 1), -w[0] + 1e-12 * size);
    thud_assert_at_most(fabs(product), 1e-13 * size * size);
  }
  thud_set_destroy(cone);
  thud_metric_destroy(metric);
  free(M);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(points_split_into_a_cone_and_its_polar),
      cmocka_unit_test(the_polar_of_coulombs_cone_is_minus_its_dual),
      cmocka_unit_test(polars_of_balls_are_balls),
      cmocka_unit_test(projections_follow_translation_and_scaling_and_do_not_expand),
      cmocka_unit_test(rescaling_rows_and_metrics_changes_nothing),
      cmocka_unit_test(an_ellipsoid_is_the_image_of_a_ball),
      cmocka_unit_test(certified_gaps_hold),
      cmocka_unit_test(zero_times_a_set_is_its_recession_cone),
      cmocka_unit_test(the_recession_cone_of_a_polar_body_is_refused),
      cmocka_unit_test(polar_bodies_take_part_in_intersections),
      cmocka_unit_test(empty_polyhedral_sets_name_their_rows),
      cmocka_unit_test(disjoint_balls_are_found_out_by_the_projection),
      cmocka_unit_test(the_braked_wheel_dissipates_as_it_should),
      cmocka_unit_test(moreaus_wedge_is_one_projection),
      cmocka_unit_test(block_diagonal_metrics_keep_products_exact),
      cmocka_unit_test(round_sets_are_exact_at_extreme_points),
      cmocka_unit_test(large_sets_are_exact_too),
      cmocka_unit_test(large_cones_are_exact_too),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
