/* Exact projections of sets that keep their parameters: cut balls and ellipsoids, and whatever has an outline in the plane. */
#include "convex/set.h"
#include "failing_allocator.h"
#include "random_sets.h"

#include <float.h>
#include <math.h>
#include <string.h>

enum { N_MAX = 4, KINDS = 7, SAMPLES = 40 };

/* kind 0: ball and box, 1: ellipsoid, box and a half-space, 2: the same in more dimensions; in the plane 3: disc + segment,
 * 4: disc + box, 5: disc and (box + disc), 6: two discs and a box. 0 is inside of all of them. */
static thud_set *random_set(thud_context *context, thud_random *random, int kind, thud_index n) {
  double zero[N_MAX] = {0}, low[N_MAX], high[N_MAX], off[N_MAX], Q[N_MAX * N_MAX] = {0}, normal[N_MAX];
  thud_set *part[3] = {0}, *inner[2] = {0}, *set = NULL;
  for (thud_index i = 0; i < n; i++) {
    low[i] = -thud_random_uniform(random, .3, 1.1);
    high[i] = thud_random_uniform(random, .3, 1.1);
    off[i] = thud_random_uniform(random, -.2, .2);
    normal[i] = thud_random_uniform(random, -1, 1);
    for (thud_index j = 0; j < n; j++) Q[i * n + j] = i == j ? thud_random_uniform(random, .5, 3) : .1;
  }
  assert_int_equal(thud_set_box(context, n, low, high, &part[1]), THUD_OK);
  if (kind == 1)
    assert_int_equal(thud_set_ellipsoid(context, n, off, Q, &part[0]), THUD_OK);
  else
    assert_int_equal(thud_set_ball(context, n, off, thud_random_uniform(random, .7, 1.2), &part[0]), THUD_OK);
  switch (kind) {
  case 1:
    assert_int_equal(thud_set_half_space(context, n, normal, .4, &part[2]), THUD_OK);
    assert_int_equal(thud_set_intersection(context, 3, part, &set), THUD_OK);
    return set;
  case 3:
    thud_set_destroy(part[1]);
    assert_int_equal(thud_set_segment(context, n, low, high, &part[1]), THUD_OK);
    assert_int_equal(thud_set_sum(context, 2, part, &set), THUD_OK);
    return set;
  case 4: assert_int_equal(thud_set_sum(context, 2, part, &set), THUD_OK); return set;
  case 5:
    assert_int_equal(thud_set_ball(context, n, zero, .3, &inner[0]), THUD_OK);
    inner[1] = part[1];
    assert_int_equal(thud_set_sum(context, 2, inner, &part[1]), THUD_OK);
    assert_int_equal(thud_set_intersection(context, 2, part, &set), THUD_OK);
    return set;
  case 6:
    for (thud_index i = 0; i < n; i++) off[i] = -off[i];
    assert_int_equal(thud_set_ball(context, n, off, .9, &part[2]), THUD_OK);
    assert_int_equal(thud_set_intersection(context, 3, part, &set), THUD_OK);
    return set;
  default: assert_int_equal(thud_set_intersection(context, 2, part, &set), THUD_OK); return set;
  }
}

static double product(const thud_metric *metric, thud_index n, const double *x, const double *y) {
  double image[N_MAX], sum = 0;
  thud_metric_apply(metric, n, x, image);
  for (thud_index i = 0; i < n; i++) sum += image[i] * y[i];
  return sum;
}

/* y is in every operand of an intersection: a cut ball to rounding; outlines change from one operand to the other where
 * rays leave both within 1e-12 of the set (outline_make.c, SAME_PLACE). */
static void is_inside_all(thud_set *set, const double *y, double tolerance) {
  double there[N_MAX];
  for (thud_index c = 0; set->kind == &thud_class_intersection && c < set->child_count; c++) {
    if (thud_set_get_abilities(set->children[c]).projection != THUD_EXACT) continue;
    assert_int_equal(thud_set_project(set->children[c], NULL, y, there, NULL), THUD_OK);
    thud_assert_at_most(thud_vector_distance(set->n, y, there), tolerance);
  }
}

/* The variational inequality (x - y)'M(z - y) <= 0 for points z of the set, and the iterative answer within its
 * certified distance. */
static void the_projection_satisfies_its_inequality(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  for (int round = 0; round < 420; round++) {
    int kind = round % KINDS;
    thud_index n = kind >= 3 ? 2 : kind == 2 ? 3 + round % 2 : 2 + round / KINDS % 2;
    thud_set *set = random_set(context, &random, kind, n), *plain;
    assert_int_equal(thud_set_clone(context, set, &plain), THUD_OK);
    assert_int_equal(thud_set_settle(set), THUD_OK);
    assert_non_null(set->settled);
    thud_metric *metric = test_random_metric(context, &random, round % 3, n, 2);
    double x[N_MAX], y[N_MAX], other[N_MAX], z[N_MAX], off[N_MAX], along[N_MAX];
    for (thud_index i = 0; i < n; i++) x[i] = thud_random_uniform(&random, -3, 3);
    thud_set_info info;
    assert_int_equal(thud_set_project(set, metric, x, y, &info), THUD_OK);
    assert_int_equal(info.exactness, THUD_EXACT);
    assert_true(info.converged);
    is_inside_all(set, y, kind >= 3 ? 4e-12 : 1e-14);
    for (thud_index i = 0; i < n; i++) off[i] = x[i] - y[i];
    double size = sqrt(product(metric, n, off, off)), rounding = 4 * DBL_EPSILON * sqrt(product(metric, n, x, x));
    for (int k = 0; k < SAMPLES; k++) {
      for (thud_index i = 0; i < n; i++) z[i] = thud_random_uniform(&random, -3, 3);
      assert_int_equal(thud_set_project(set, NULL, z, z, NULL), THUD_OK);
      for (thud_index i = 0; i < n; i++) along[i] = z[i] - y[i];
      thud_assert_at_most(product(metric, n, off, along),
                          (1e-12 * size + rounding) * (1 + sqrt(product(metric, n, along, along))));
    }
    assert_int_equal(thud_set_project(plain, metric, x, other, &info), THUD_OK);
    for (thud_index i = 0; i < n; i++) along[i] = other[i] - y[i];
    thud_assert_at_most(sqrt(product(metric, n, along, along)), info.gap + 1e-12);
    thud_metric_destroy(metric);
    thud_set_destroy(plain);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* { |x| <= 1, |x_1| <= 0.6 } : a flat side, the corner (0.6, 0.8), the arc, and a point of the inside; Euclidean, and in
 * the metric diag(1, 4), where (0.5, 2) + s (1, 1/4 of it) leads to the arc at M(x - y) = l y. */
static void a_cut_disc_has_closed_forms(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *part[2], *set;
  assert_int_equal(thud_set_ball(context, 2, (double[]){0, 0}, 1, &part[0]), THUD_OK);
  assert_int_equal(thud_set_box(context, 2, (double[]){-.6, -2}, (double[]){.6, 2}, &part[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, part, &set), THUD_OK);
  assert_int_equal(thud_set_settle(set), THUD_OK);
  const double x[4][2] = {{2, .3}, {2, 2}, {.5, 2}, {.2, -.3}};
  const double expected[4][2] = {{.6, .3}, {.6, .8}, {.5 / sqrt(4.25), 2 / sqrt(4.25)}, {.2, -.3}};
  double y[2];
  for (int k = 0; k < 4; k++) {
    assert_int_equal(thud_set_project(set, NULL, x[k], y, NULL), THUD_OK);
    for (int i = 0; i < 2; i++) thud_assert_near(y[i], expected[k][i], 4e-16);
  }
  thud_metric *metric;
  const double y_wanted[2] = {.28, .96}, l = .5;
  const double far[2] = {(1 + l) * y_wanted[0], (1 + l / 4) * y_wanted[1]};
  assert_int_equal(thud_metric_create_diagonal(context, 2, (double[]){1, 4}, &metric), THUD_OK);
  assert_int_equal(thud_set_project(set, metric, far, y, NULL), THUD_OK);
  for (int i = 0; i < 2; i++) thud_assert_near(y[i], y_wanted[i], 1e-15);
  thud_metric_destroy(metric);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

/* Another radius is another set: what was made for the old one is gone. */
static void a_parameter_that_changes_unsettles(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  thud_set *set = random_set(context, &random, 0, 2);
  double parameters[16], x[2] = {5, 0}, y[2];
  assert_int_equal(thud_set_settle(set), THUD_OK);
  assert_non_null(set->settled);
  thud_set_get_parameters(set, parameters);
  parameters[0] = parameters[1] = 0;
  parameters[2] = .1; /* of the ball */
  assert_int_equal(thud_set_set_parameters(set, parameters), THUD_OK);
  assert_null(set->settled);
  assert_int_equal(thud_set_settle(set), THUD_OK);
  assert_int_equal(thud_set_project(set, NULL, x, y, NULL), THUD_OK);
  thud_assert_near(y[0], .1, 1e-16);
  thud_set_destroy(set);
  thud_test_context_end(context);
}

static thud_error settle_one(thud_context *context, void *user) {
  const int *kind = user;
  const double zero[2] = {0, 0}, low[2] = {-.5, -.6}, high[2] = {.7, .6};
  thud_set *part[2] = {0}, *set = NULL;
  thud_error error = thud_set_ball(context, 2, zero, .8, &part[0]);
  if (error == THUD_OK) error = thud_set_box(context, 2, low, high, &part[1]);
  if (error == THUD_OK)
    error = *kind == 0 ? thud_set_intersection(context, 2, part, &set) : thud_set_sum(context, 2, part, &set);
  if (error == THUD_OK) error = thud_set_settle(set);
  for (int k = 0; set == NULL && k < 2; k++) thud_set_destroy(part[k]);
  thud_set_destroy(set);
  return error;
}

static void failing_allocations_leak_nothing(void **state) {
  (void)state;
  for (int kind = 0; kind < 2; kind++) thud_assert_greater(thud_test_sweep_allocations(settle_one, &kind), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_projection_satisfies_its_inequality),
      cmocka_unit_test(a_cut_disc_has_closed_forms),
      cmocka_unit_test(a_parameter_that_changes_unsettles),
      cmocka_unit_test(failing_allocations_leak_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
