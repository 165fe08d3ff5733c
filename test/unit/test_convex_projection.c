/* Projections of every kind of set in every kind of metric, checked against the definitions: the point belongs to the
 * set, the variational inequality holds for points of the set and, through the support function, for all of them. */
#include "random_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = TEST_DIMENSION_MAX };

typedef struct worst_figures {
  double violation, inequality, support, idempotence, gap;
  int iterative, unconverged;
} worst_figures;

/* Makes a random point, projects it, and notes the worst figures relative to the lengths involved. An iterative answer
 * is allowed its own certified gap. */
static void check_projection(test_set *s, const thud_metric *metric, thud_random *random, worst_figures *worst) {
  thud_index n = s->n;
  double x[D], y[D], z[D], w[D], again[D], value, smallest, largest;
  double spread = pow(10, thud_random_uniform(random, -2, 2));
  for (thud_index i = 0; i < n; i++) x[i] = s->anchor[i] + spread * thud_random_normal(random);
  thud_set_info info;
  thud_set_abilities can = thud_set_get_abilities(s->set);
  assert_int_equal(thud_set_project(s->set, metric, x, y, &info), THUD_OK);
  assert_true(info.converged || info.exactness == THUD_ITERATIVE);
  if (info.exactness == THUD_ITERATIVE) worst->iterative++;
  if (!info.converged) worst->unconverged++;
  thud_exactness promised = can.projection_metric;
  if (metric == NULL)
    promised = can.projection;
  else if (thud_metric_is_diagonal(metric))
    promised = can.projection_diagonal;
  thud_assert_at_most(info.exactness, promised);

  thud_metric_bounds(metric, &smallest, &largest);
  double size = thud_metric_norm(metric, n, x) + thud_metric_norm(metric, n, y) +
                thud_metric_norm(metric, n, s->anchor) + sqrt(largest);
  double step = thud_metric_distance(metric, n, x, y), gap = info.gap, product = 0;
  if (info.converged) worst->gap = fmax(worst->gap, gap / size);
  if (test_has_membership(s))
    worst->violation = fmax(worst->violation, (test_violation(s, y) * sqrt(smallest) - gap) / size);
  for (thud_index i = 0; i < n; i++) w[i] = x[i] - y[i];
  thud_metric_apply(metric, n, w, w);
  for (int k = 0; k < 30; k++) {
    test_sample(s, random, z);
    double reach = thud_metric_distance(metric, n, z, y);
    product = 0;
    for (thud_index i = 0; i < n; i++) product += w[i] * (z[i] - y[i]);
    worst->inequality = fmax(worst->inequality, (product - gap * (step + reach + 2 * gap)) / (size * (size + reach)));
  }
  if (info.exactness == THUD_EXACT && can.support == THUD_EXACT && can.is_bounded && step > 1e-9 * size) {
    assert_int_equal(thud_set_support(s->set, w, &value, NULL, NULL), THUD_OK);
    product = 0;
    for (thud_index i = 0; i < n; i++) product += w[i] * y[i];
    worst->support = fmax(worst->support, (value - product) / (size * size));
  }
  thud_set_info repeated;
  assert_int_equal(thud_set_project(s->set, metric, y, again, &repeated), THUD_OK);
  double moved = thud_metric_distance(metric, n, y, again) - gap - repeated.gap;
  worst->idempotence = fmax(worst->idempotence, moved / size);
}

static worst_figures check_kind(thud_context *context, test_kind kind, int metric_kind, int count, int depth,
                                bool polyhedral) {
  worst_figures worst = {0};
  thud_random random = thud_random_seed((uint64_t)(1000 * depth + 10 * (int)kind + metric_kind));
  for (int k = 0; k < count; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 3);
    test_set *s = test_random_set(context, &random, kind, n, depth, polyhedral);
    thud_metric *metric = test_random_metric(context, &random, metric_kind, n, 6);
    assert_int_equal(thud_set_set_tolerance(s->set, 1e-12, 20000), THUD_OK);
    check_projection(s, metric, &random, &worst);
    test_set_free(s);
    thud_metric_destroy(metric);
  }
  print_message("%-18s metric %d: outside %.1e inequality %.1e support %.1e idempotence %.1e gap %.1e (%d)\n",
                test_kind_name(kind), metric_kind, worst.violation, worst.inequality, worst.support, worst.idempotence,
                worst.gap, worst.unconverged);
  return worst;
}

static void leaves_are_projected_to_rounding_in_every_metric(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int kind = 0; kind < TEST_LEAVES; kind++)
    for (int metric_kind = 0; metric_kind < 3; metric_kind++) {
      worst_figures worst = check_kind(context, (test_kind)kind, metric_kind, 300, 1, false);
      thud_assert_less(worst.violation, 1e-15);
      thud_assert_less(worst.inequality, 1e-13);
      thud_assert_less(worst.support, 1e-13);
      thud_assert_less(worst.idempotence, 1e-12);
    }
  thud_test_context_end(context);
}

static void polyhedral_trees_are_projected_to_rounding(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int kind = TEST_LEAVES; kind < TEST_KINDS; kind++)
    for (int metric_kind = 0; metric_kind < 3; metric_kind++)
      for (int depth = 2; depth <= 3; depth++) {
        worst_figures worst = check_kind(context, (test_kind)kind, metric_kind, depth == 2 ? 150 : 60, depth, true);
        thud_assert_less(worst.violation, 1e-13);
        thud_assert_less(worst.inequality, 1e-12);
        thud_assert_less(worst.support, 1e-12);
        thud_assert_less(worst.idempotence, 1e-11);
        assert_int_equal(worst.iterative, 0);
      }
  thud_test_context_end(context);
}

static void other_trees_are_projected_within_their_gap(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int kind = TEST_LEAVES; kind < TEST_KINDS; kind++)
    for (int metric_kind = 0; metric_kind < 3; metric_kind++)
      for (int depth = 2; depth <= 3; depth++) {
        worst_figures worst = check_kind(context, (test_kind)kind, metric_kind, depth == 2 ? 60 : 20, depth, false);
        thud_assert_less(worst.violation, 1e-13);
        thud_assert_less(worst.inequality, 1e-12);
        thud_assert_less(worst.support, 1e-12);
        thud_assert_less(worst.idempotence, 1e-11);
        thud_assert_at_most(worst.unconverged, 2);
        thud_assert_less(worst.gap, 1e-3);
      }
  thud_test_context_end(context);
}

/* offset + (ball of radius 1 within one of radius 5): neither has a projection of its own, two blocks of the lift. */
static thud_set *translated_disc(thud_context *context, const double *offset) {
  const double zero[2] = {0, 0};
  thud_set *discs[2], *both, *set;
  assert_int_equal(thud_set_ball(context, 2, zero, 1, &discs[0]), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, zero, 5, &discs[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, discs, &both), THUD_OK);
  assert_int_equal(thud_set_translation(context, offset, both, &set), THUD_OK);
  return set;
}

/* The lens of two unit discs with the centres (0.6, 0) and (-0.3, 0) has its upper corner at (0.15, sqrt(1 - 0.45^2));
 * every point straight above it is projected there. Each block has an offset of its own. */
static void every_block_of_an_intersection_keeps_its_offset(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *lens,
      *parts[2] = {translated_disc(context, (double[]){0.6, 0}), translated_disc(context, (double[]){-0.3, 0})};
  assert_int_equal(thud_set_intersection(context, 2, parts, &lens), THUD_OK);
  const double x[2] = {0.15, 3}, right[2] = {2, 0}, left[2] = {-2, 0};
  double y[2];
  thud_set_info info;
  assert_int_equal(thud_set_project(lens, NULL, x, y, &info), THUD_OK);
  assert_true(info.converged);
  thud_assert_nearer(y[0], 0.15, 1e-6); /* the square of the error is of the order of the tolerance 1e-12 */
  thud_assert_nearer(y[1], sqrt(1 - 0.45 * 0.45), 1e-6);
  assert_int_equal(thud_set_project(lens, NULL, right, y, &info), THUD_OK);
  thud_assert_nearer(y[0], 0.7, 1e-6); /* the second disc ends there */
  assert_int_equal(thud_set_project(lens, NULL, left, y, &info), THUD_OK);
  thud_assert_nearer(y[0], -0.4, 1e-6); /* and the first one here */
  thud_set_destroy(lens);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_are_projected_to_rounding_in_every_metric),
      cmocka_unit_test(polyhedral_trees_are_projected_to_rounding),
      cmocka_unit_test(other_trees_are_projected_within_their_gap),
      cmocka_unit_test(every_block_of_an_intersection_keeps_its_offset),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
