/* Projections of every kind of set in every kind of metric, checked against the definitions: the point belongs to the
 * set, the variational inequality holds for points of the set and, through the support function, for all of them. */
#include "random_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = TEST_DIMENSION_MAX };

typedef struct worst_figures {
  double violation, inequality, support, idempotence;
} worst_figures;

static void describe(const test_set *s, int depth) {
  print_error("%*s%s n=%d m=%d\n", 2 * depth, "", test_kind_name(s->kind), (int)s->n, (int)s->m);
  for (int c = 0; c < s->child_count; c++) describe(s->child[c], depth + 1);
}

/* All figures relative to the lengths involved; an iterative answer is allowed its own certified gap. */
static void check_projection(test_set *s, const thud_metric *metric, thud_random *random, worst_figures *worst) {
  thud_index n = s->n;
  double x[D], y[D], z[D], w[D], again[D], value;
  double spread = pow(10, thud_random_uniform(random, -2, 2));
  for (thud_index i = 0; i < n; i++) x[i] = s->anchor[i] + spread * thud_random_normal(random);
  thud_set_info info;
  thud_set_abilities can = thud_set_get_abilities(s->set);
  assert_int_equal(thud_set_project(s->set, metric, x, y, &info), THUD_OK);
  double smallest, largest;
  thud_metric_bounds(metric, &smallest, &largest);
  double size = thud_metric_norm(metric, n, x) + thud_metric_norm(metric, n, y) + thud_metric_norm(metric, n, s->anchor) +
                sqrt(largest);
  double step = thud_metric_distance(metric, n, x, y), gap = info.gap;
  thud_exactness promised = metric == NULL ? can.projection
                            : thud_metric_is_diagonal(metric) ? can.projection_diagonal : can.projection_metric;
  assert_true(info.exactness <= promised);
  if (!info.converged) { describe(s, 0); print_error("not converged gap %g iterations %d\n", gap, info.iterations); }
  if (test_has_membership(s)) worst->violation = fmax(worst->violation, test_violation(s, y) * sqrt(smallest) / size - gap/size);
  for (thud_index i = 0; i < n; i++) w[i] = x[i] - y[i];
  thud_metric_apply(metric, n, w, w);
  for (int k = 0; k < 30; k++) {
    test_sample(s, random, z);
    double product = 0, reach = thud_metric_distance(metric, n, z, y);
    for (thud_index i = 0; i < n; i++) product += w[i] * (z[i] - y[i]);
    double excess = (product - gap * (step + reach + 2 * gap)) / (size * (size + reach));
    worst->inequality = fmax(worst->inequality, excess);
  }
  thud_set_info sinfo;
  if (step > 1e-9 * size) {
    assert_int_equal(thud_set_support(s->set, w, &value, z, &sinfo), THUD_OK);
    double product = 0;
    for (thud_index i = 0; i < n; i++) product += w[i] * y[i];
    double excess = info.exactness == THUD_EXACT ? (value - product) / (size * step) : 0;
    if (getenv("VERBOSE") && excess > 1e-10) { describe(s, 0); print_error("support %g: %g  %g step %g size %g\n", excess, value, product, step, size); }
    worst->support = fmax(worst->support, excess);
  }
  assert_int_equal(thud_set_project(s->set, metric, y, again, NULL), THUD_OK);
  worst->idempotence = fmax(worst->idempotence, (thud_metric_distance(metric, n, y, again) - 2*gap) / size);
}

static void try_out(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  int depth = getenv("DEPTH") ? atoi(getenv("DEPTH")) : 1;
  bool poly = getenv("POLY") != NULL;
  for (int kind = 0; kind < TEST_KINDS; kind++)
    for (int m = 0; m < 3; m++) {
      if (depth == 1 && kind >= TEST_LEAVES) continue;
      if (poly && (kind == TEST_BALL || kind==TEST_ELLIPSOID || kind==TEST_COULOMB || kind==TEST_COULOMB_DUAL)) continue;
      worst_figures worst = {0};
      thud_random random = thud_random_seed((uint64_t)(100 * kind + m));
      for (int k = 0; k < 300; k++) {
        thud_index n = 2 + (thud_index)thud_random_below(&random, 3);
        test_set *s = test_random_set(context, &random, (test_kind)kind, n, depth, poly);
        thud_metric *metric = test_random_metric(context, &random, m, n, getenv("DEC") ? atof(getenv("DEC")) : 6);
        check_projection(s, metric, &random, &worst);
        test_set_free(s);
        thud_metric_destroy(metric);
      }
      print_message("%-18s metric %d: violation %.1e inequality %.1e support %.1e idempotence %.1e\n",
                    test_kind_name((test_kind)kind), m, worst.violation, worst.inequality, worst.support, worst.idempotence);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(try_out),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
