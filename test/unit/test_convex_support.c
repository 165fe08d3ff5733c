/* Support functions: the value is attained at the point, no point of the set does better, the direction is normal
 * there; and the friction laws of the founding texts as convex sets. */
#include "random_sets.h"

#include <math.h>
#include <string.h>

enum { D = TEST_DIMENSION_MAX };

typedef struct support_figures {
  double attained, outside, beaten, normal;
  int finite, infinite, iterative, unconverged;
} support_figures;

/* A random direction: for every second one a normal of the set, so that unbounded sets have finite values too. */
static void random_direction(test_set *s, thud_random *random, double *d) {
  double x[D];
  for (thud_index i = 0; i < s->n; i++) d[i] = thud_random_normal(random);
  if (thud_random_below(random, 2) == 0) return;
  for (thud_index i = 0; i < s->n; i++) x[i] = s->anchor[i] + 3 * thud_random_normal(random);
  double y[D];
  assert_int_equal(thud_set_project(s->set, NULL, x, y, NULL), THUD_OK);
  if (thud_metric_distance(NULL, s->n, x, y) < 0.1) return;
  for (thud_index i = 0; i < s->n; i++) d[i] = x[i] - y[i];
}

static void check_support(test_set *s, thud_random *random, support_figures *worst) {
  thud_index n = s->n;
  double d[D], point[D], z[D], value, distance, residual;
  thud_set_info info, near, normal;
  random_direction(s, random, d);
  thud_set_abilities can = thud_set_get_abilities(s->set);
  assert_int_equal(thud_set_support(s->set, d, &value, point, &info), THUD_OK);
  thud_assert_at_most(info.exactness, can.support);
  bool is_number = value == value;
  assert_true(is_number);
  if (isinf(value)) {
    thud_assert_greater(value, 0);
    assert_false(can.is_bounded);
    worst->infinite++;
    return;
  }
  assert_true(info.converged || info.exactness == THUD_ITERATIVE);
  worst->finite++;
  if (info.exactness == THUD_ITERATIVE) worst->iterative++;
  if (!info.converged) {
    worst->unconverged++;
    return;
  }
  double length = thud_metric_norm(NULL, n, d),
         size = thud_metric_norm(NULL, n, point) + thud_metric_norm(NULL, n, s->anchor) + 1;
  double product = 0;
  for (thud_index i = 0; i < n; i++) product += d[i] * point[i];
  worst->attained = fmax(worst->attained, (fabs(product - value) - info.gap) / (length * size));
  assert_int_equal(thud_set_distance(s->set, NULL, point, &distance, &near), THUD_OK);
  worst->outside = fmax(worst->outside, (distance - near.gap - info.gap / length) / size);
  for (int k = 0; k < 20; k++) {
    test_sample(s, random, z);
    product = 0;
    for (thud_index i = 0; i < n; i++) product += d[i] * z[i];
    worst->beaten =
        fmax(worst->beaten, (product - value - info.gap) / (length * (size + thud_metric_norm(NULL, n, z))));
  }
  if (can.projection != THUD_EXACT || can.support != THUD_EXACT) return;
  assert_int_equal(thud_set_normal_cone_residual(s->set, NULL, point, d, &residual, &normal), THUD_OK);
  worst->normal = fmax(worst->normal, residual / (size + length));
}

static support_figures check_kind(thud_context *context, test_kind kind, int count, int depth, bool polyhedral) {
  support_figures worst = {0};
  thud_random random = thud_random_seed((uint64_t)(1000 * depth + (int)kind));
  for (int k = 0; k < count; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 3);
    test_set *s = test_random_set(context, &random, kind, n, depth, polyhedral);
    assert_int_equal(thud_set_set_tolerance(s->set, 1e-12, 5000), THUD_OK);
    check_support(s, &random, &worst);
    test_set_free(s);
  }
  print_message("%-18s attained %.1e outside %.1e beaten %.1e normal %.1e (%d finite, %d infinite, %d iterative, %d "
                "not converged)\n",
                test_kind_name(kind), worst.attained, worst.outside, worst.beaten, worst.normal, worst.finite,
                worst.infinite, worst.iterative, worst.unconverged);
  return worst;
}

static void assert_small(const support_figures *worst) {
  thud_assert_less(worst->attained, 1e-13);
  thud_assert_less(worst->outside, 1e-12);
  thud_assert_less(worst->beaten, 1e-13);
  thud_assert_less(worst->normal, 1e-12);
  thud_assert_at_least(worst->finite, 10);
  thud_assert_at_most(worst->unconverged, 2);
}

static void every_kind_attains_its_support(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int kind = 0; kind < TEST_KINDS; kind++) {
    support_figures worst = check_kind(context, (test_kind)kind, 150, kind < TEST_LEAVES ? 1 : 2, false);
    assert_small(&worst);
  }
  thud_test_context_end(context);
}

static void polyhedral_trees_attain_their_support(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int kind = TEST_LEAVES; kind < TEST_KINDS; kind++)
    for (int depth = 2; depth <= 3; depth++) {
      support_figures worst = check_kind(context, (test_kind)kind, 100, depth, true);
      assert_small(&worst);
      assert_int_equal(worst.iterative, 0);
    }
  thud_test_context_end(context);
}

/* A lens of two discs, whose support function is found by iteration. */
static thud_set *lens(thud_context *context, double half) {
  thud_set *discs[2], *both;
  assert_int_equal(thud_set_ball(context, 2, (double[]){half, 0}, 1, &discs[0]), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, (double[]){-half, 0}, 1, &discs[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, discs, &both), THUD_OK);
  return both;
}

/* Values, points and what is not known of them add up: the gap of a sum is the sum of the gaps. */
static void gaps_of_sums_add_up(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *one = lens(context, 0.3), *other = lens(context, 0.45), *sum;
  thud_set *operands[2];
  assert_int_equal(thud_set_clone(context, one, &operands[0]), THUD_OK);
  assert_int_equal(thud_set_clone(context, other, &operands[1]), THUD_OK);
  assert_int_equal(thud_set_sum(context, 2, operands, &sum), THUD_OK);
  int counted = 0;
  for (int k = 0; k < 12; k++) {
    const double d[2] = {cos(0.5 * k + 0.2), sin(0.5 * k + 0.2)};
    double value[3], point[3][2];
    thud_set_info info[3];
    assert_int_equal(thud_set_support(one, d, &value[0], point[0], &info[0]), THUD_OK);
    assert_int_equal(thud_set_support(other, d, &value[1], point[1], &info[1]), THUD_OK);
    assert_int_equal(thud_set_support(sum, d, &value[2], point[2], &info[2]), THUD_OK);
    thud_assert_near(value[2], value[0] + value[1], 1e-11);
    thud_assert_near(info[2].gap, info[0].gap + info[1].gap, 1e-3 * info[2].gap);
    counted += info[2].gap > 0;
  }
  thud_assert_greater(counted, 6);
  thud_set_destroy(one);
  thud_set_destroy(other);
  thud_set_destroy(sum);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(every_kind_attains_its_support),
      cmocka_unit_test(polyhedral_trees_attain_their_support),
      cmocka_unit_test(gaps_of_sums_add_up),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
