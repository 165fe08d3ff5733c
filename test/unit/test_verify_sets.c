/* The checker's own distances and projections: closed forms against the conic programs, both against the library's
 * convex sets, for every kind of set of the schema. */
#include "record_copy.h"
#include "scratch_folder.h"
#include "testing.h"
#include "kinds/sweeping/sweeping_scene.h"
#include "verify/math/verify_conic.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_set_project.h"
#include "thud/verify.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* One set of every kind and combinations of them; all contain points within about 3 of the origin. */
static const struct {
  int n;
  const char *text;
} sets[] = {
    {3, "half_space: {normal: [1, -2, 0.5], offset: 0.25}"},
    {3, "box: {lower: [-1, null, 0.5], upper: [0.5, 1, null]}"},
    {3, "box: {lower: [-1, 0.25, -1], upper: [0.5, 0.25, 1]}"},
    {1, "interval: {lower: -0.5, upper: null}"},
    {3, "ball: {centre: [0.5, -0.5, 1], radius: 0.75}"},
    {3, "ball: {centre: [0.5, -0.5, 1], radius: 0}"},
    {3, "ellipsoid: {centre: [0.1, 0, -0.3], shape: [[2, 0.5, 0], [0.5, 1, 0.2], [0, 0.2, 4]]}"},
    {3, "coulomb_cone: {mu: 0.4}"},
    {3, "coulomb_cone: {mu: 0}"},
    {3, "coulomb_dual_cone: {mu: 0.4}"},
    {3, "coulomb_dual_cone: {mu: 0}"},
    {3, "polyhedron: {A: [[1, 1, 1], [1, 0, 0], [0, -1, 0.3], [-1, -1, 2]], b: [1, 0.6, 1, 0.8]}"},
    {3, "polyhedron: {A: [[1, 1, 1], [1, 0, 0], [0, -1, 0.3]], b: [1, 0.6, 1], equalities: 1}"},
    {3, "cone: {gradients: [[1, 0.2, 0], [-0.5, 1, 0.1]]}"},
    {3, "cone: {generators: [[1, 0.2, 0], [-0.5, 1, 0.1], [0.5, 1.2, 0.1], [0, 0, 1]]}"},
    {3, "affine: {A: [[1, 2, 3], [0, 1, -1]], b: [1, 0.5]}"},
    {3, "affine: {A: [[1, 2, 3], [2, 4, 6], [0, 1, -1]], b: [1, 2, 0.5]}"},
    {3, "half_line: {origin: [0.1, 0.2, 0.3], direction: [1, -1, 2]}"},
    {3, "segment: {from: [-1, 0.2, 0.3], to: [1, -1, 2]}"},
    {3, "segment: {from: [1, 0.2, 0.3], to: [1, 0.2, 0.3]}"},
    {3, "product: [{interval: {lower: -0.5, upper: 0.5}}, {ball: {centre: [0, 1], radius: 0.5}}]"},
    {3, "product: [{ellipsoid: {centre: [0, 0], shape: [[1, 0], [0, 9]]}}, {interval: {lower: 0, upper: null}}]"},
    {3, "translation: {by: [1, -1, 0.5], set: {coulomb_cone: {mu: 0.7}}}"},
    {3, "scaling: {by: 1.5, set: {ball: {centre: [0, 0.2, 0], radius: 0.5}}}"},
    {3, "scaling: {by: 0, set: {ball: {centre: [0, 0.2, 0], radius: 0.5}}}"},
    {3, "scaling: {by: 0, set: {translation: {by: [1, 1, 1], set: {coulomb_cone: {mu: 0.5}}}}}"},
    {3, "sum: [{ball: {centre: [0, 0, 0], radius: 0.5}}, {segment: {from: [0, 0, 0], to: [1, 1, 0]}}]"},
    {3, "sum: [{box: {lower: [0, 0, 0], upper: [1, 0.5, 0.2]}}, {cone: {generators: [[1, 0, 1], [0, 1, 1]]}}]"},
    {2, "sum: [{ellipsoid: {centre: [0, 0], shape: [[4, 1], [1, 2]]}}, {ellipsoid: {centre: [0, 0], shape: [[1, 0], "
        "[0, 9]]}}]"},
    {2, "image: {matrix: [[1, 0.5, 0], [0, 1, -1]], set: {ball: {centre: [0, 0, 0], radius: 1}}}"},
    {3, "image: {matrix: [[1, 0], [0.5, 1], [0, 2]], set: {box: {lower: [-1, 0], upper: [1, 0.5]}}}"},
    {3, "preimage: {matrix: [[1, 2, 0], [0, 1, 1]], set: {ball: {centre: [0.5, 0], radius: 0.5}}}"},
    {2, "preimage: {matrix: [[1, 2], [0, 1], [1, -1]], set: {box: {lower: [-1, -1, -1], upper: [0.5, 1, null]}}}"},
    {3, "intersection: [{ball: {centre: [0, 0, 0], radius: 1}}, {half_space: {normal: [1, 1, 0], offset: 0.2}}]"},
    {3, "intersection: [{ball: {centre: [0, 0, 0], radius: 1}}, {ball: {centre: [1, 0, 0], radius: 0.8}}, "
        "{coulomb_cone: {mu: 0.9}}]"},
    {3, "polar: {ball: {centre: [0.1, 0, 0], radius: 0.5}}"},
    {3, "polar: {coulomb_cone: {mu: 0.5}}"},
    {3, "polar: {box: {lower: [-1, -0.5, -2], upper: [0.5, 1, 1]}}"},
    {3, "polar: {cone: {generators: [[1, 0.2, 0], [-0.5, 1, 0.1]]}}"},
    {2, "polar: {intersection: [{ball: {centre: [0, 0], radius: 1}}, {half_space: {normal: [1, 0], offset: 0.5}}]}"},
    {2, "polar: {polar: {ball: {centre: [0.2, 0], radius: 0.7}}}"},
};
enum { SET_COUNT = sizeof sets / sizeof *sets };

typedef struct pair {
  thud_tree *tree;
  verify_scene *own;
  thud_scene *library;
  double numbers[64];
} pair;

static void make_pair(thud_context *context, size_t k, pair *made) {
  static const char *const coordinates[] = {"", "[a]", "[a, b]", "[a, b, c]"};
  char text[1000];
  int length =
      snprintf(text, sizeof text,
               "thud: 1\nsweeping: {coordinates: %s, set: {%s}}\ninitial: {a: 0%s%s}\n"
               "simulate: {method: catching-up, end: 1, steps: 1}\n",
               coordinates[sets[k].n], sets[k].text, sets[k].n > 1 ? ", b: 0" : "", sets[k].n > 2 ? ", c: 0" : "");
  thud_assert_greater(length, 0);
  thud_assert_less((size_t)length, sizeof text);
  if (thud_tree_read_text(context, "set", text, (size_t)length, &made->tree) != THUD_OK ||
      thud_verify_scene_create(context, made->tree, &made->own) != THUD_OK ||
      thud_scene_build(context, made->tree, &made->library) != THUD_OK)
    fail_msg("%s: %s", sets[k].text, thud_context_last_message(context));
  thud_assert_at_most(made->own->value_count, 64);
  assert_true(thud_verify_scene_place(made->own, 0, THUD_SIDE_VALUE, made->numbers));
}

static void end_pair(pair *made) {
  thud_scene_destroy(made->library);
  thud_verify_scene_destroy(made->own);
  thud_tree_destroy(made->tree);
}

static void projections_agree_with_the_conic_programs_and_with_the_library(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(41);
  for (size_t k = 0; k < SET_COUNT; k++) {
    pair p;
    size_t n = (size_t)sets[k].n;
    double worst_conic = 0, worst_library = 0, worst_accuracy = 0;
    make_pair(context, k, &p);
    assert_int_equal(thud_set_set_tolerance(thud_sweeping_scene_of(p.library)->set, 1e-12, 1000000), THUD_OK);
    for (int trial = 0; trial < 20; trial++) {
      double y[3], own[3], conic[3], library[3], own_accuracy, conic_accuracy;
      for (size_t i = 0; i < n; i++) y[i] = 2 * thud_random_normal(&random);
      assert_int_equal(thud_verify_project(context, &p.own->set, p.numbers, y, 2, own, &own_accuracy), THUD_OK);
      assert_int_equal(thud_verify_form_project(context, &p.own->set, p.numbers, y, 2, conic, &conic_accuracy),
                       THUD_OK);
      assert_int_equal(thud_set_project(thud_sweeping_scene_of(p.library)->set, NULL, y, library, NULL), THUD_OK);
      worst_conic = fmax(worst_conic, thud_verify_distance(n, own, conic));
      worst_library = fmax(worst_library, thud_verify_distance(n, conic, library));
      worst_accuracy = fmax(worst_accuracy, fmax(own_accuracy, conic_accuracy));
    }
    if (worst_conic > 1e-9 || worst_library > 1e-9 || worst_accuracy > 1e-11)
      fail_msg("%s: %g from the conic program, %g from the library, accuracy %g", sets[k].text, worst_conic,
               worst_library, worst_accuracy);
    end_pair(&p);
  }
  thud_test_context_end(context);
}

/* ---- what a projection is ------------------------------------------------------------------------------------- */

/* p is the projection of y iff p is in C and (y - p).(z - p) <= 0 for all z of C. */
static void projections_fulfil_the_variational_inequality(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(43);
  for (size_t k = 0; k < SET_COUNT; k++) {
    pair made;
    size_t n = (size_t)sets[k].n;
    const double origin[3] = {0};
    double previous[3] = {0}, accuracy, violation;
    make_pair(context, k, &made);
    const verify_set *set = &made.own->set;
    assert_int_equal(thud_verify_project(context, set, made.numbers, origin, 2, previous, &accuracy), THUD_OK);
    for (int trial = 0; trial < 15; trial++) {
      double y[3], p[3], product = 0;
      for (size_t i = 0; i < n; i++) y[i] = 2 * thud_random_normal(&random);
      assert_int_equal(thud_verify_project(context, set, made.numbers, y, 2, p, &accuracy), THUD_OK);
      assert_int_equal(thud_verify_violation(context, set, made.numbers, p, 2, &violation, &accuracy), THUD_OK);
      if (violation > 1e-12 + accuracy || accuracy > 1e-9)
        fail_msg("%s: outside by %g +- %g", sets[k].text, violation, accuracy);
      for (size_t i = 0; i < n; i++) product += (y[i] - p[i]) * (previous[i] - p[i]);
      if (product > 1e-12) fail_msg("%s: (y - p).(z - p) = %g", sets[k].text, product);
      memcpy(previous, p, sizeof p);
    }
    end_pair(&made);
  }
  thud_test_context_end(context);
}

/* The violation is 0 inside and of the size of the distance outside: never more than it, never less than a share of it
 * that depends on the set alone. */
static void violations_grow_with_the_distance(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(44);
  for (size_t k = 0; k < SET_COUNT; k++) {
    pair made;
    size_t n = (size_t)sets[k].n;
    make_pair(context, k, &made);
    for (int trial = 0; trial < 15; trial++) {
      double y[3], p[3], accuracy, violation, own;
      for (size_t i = 0; i < n; i++) y[i] = 2 * thud_random_normal(&random);
      assert_int_equal(thud_verify_form_distance(context, &made.own->set, made.numbers, y, 2, &own, &accuracy),
                       THUD_OK);
      assert_int_equal(thud_verify_project(context, &made.own->set, made.numbers, y, 2, p, &accuracy), THUD_OK);
      assert_int_equal(thud_verify_violation(context, &made.own->set, made.numbers, y, 2, &violation, &accuracy),
                       THUD_OK);
      double distance = thud_verify_distance(n, y, p);
      if (fabs(own - distance) > 1e-9) fail_msg("%s: distances %.17g and %.17g", sets[k].text, own, distance);
      bool bounded = violation >= 0.2 * distance - 1e-9 && violation <= 2 * distance + 1e-9;
      if (!bounded) fail_msg("%s: violation %g at distance %g", sets[k].text, violation, distance);
    }
    end_pair(&made);
  }
  thud_test_context_end(context);
}

/* ---- real runs with every kind of set ---------------------------------------------------------------------------- */

static const double metrics[2][9] = {{1, 0, 0, 0, 1, 0, 0, 0, 1}, {2, 0.5, 0, 0.5, 1, 0.25, 0, 0.25, 0.5}};

/* The set is carried around; metric 1 is cut to the dimension. */
static void write_scene(size_t k, int metric, double tolerance, char *text, size_t capacity) {
  static const char *const coordinates[] = {"", "[a]", "[a, b]", "[a, b, c]"};
  static const char *const by[] = {"", "[sin(3*t)]", "[sin(3*t), cos(5*t) - 1]", "[sin(3*t), cos(5*t) - 1, t]"};
  static const char *const metric_text[] = {"", "[[2]]", "[[2, 0.5], [0.5, 1]]",
                                            "[[2, 0.5, 0], [0.5, 1, 0.25], [0, 0.25, 0.5]]"};
  int n = sets[k].n;
  int length = snprintf(text, capacity,
                        "{thud: 1, sweeping: {coordinates: %s, %s%s%s set: {translation: {by: %s, set: {%s}}}},\n"
                        "initial: {a: 0.5%s%s},\n"
                        "simulate: {method: catching-up, end: 2, steps: 20, refinements: 0, tolerance: %g}}",
                        coordinates[n], metric ? "metric: " : "", metric ? metric_text[n] : "", metric ? "," : "",
                        by[n], sets[k].text, n > 1 ? ", b: -0.25" : "", n > 2 ? ", c: 1" : "", tolerance);
  thud_assert_greater(length, 0);
  thud_assert_less((size_t)length, capacity);
}

static thud_verify_result verify(thud_context *context, const char *path) {
  thud_verify_result result;
  if (thud_verify_record(context, path, NULL, &result) != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return result;
}

/* Frame with the longest way from the frame before. */
static size_t fastest_frame(const record_copy *c) {
  size_t found = 1;
  for (size_t k = 1; k + 1 < c->rows; k++) {
    bool faster = c->values[RECORD_COPY_VARIATION][k] - c->values[RECORD_COPY_VARIATION][k - 1] >
                  c->values[RECORD_COPY_VARIATION][found] - c->values[RECORD_COPY_VARIATION][found - 1];
    if (c->values[RECORD_COPY_T][k] > c->values[RECORD_COPY_T][k - 1] && faster) found = k;
  }
  return found;
}

/* A moved state, with all that depends on it made to fit, is not a projection any more. */
static void forge(record_copy *c, const double *metric, double size, thud_random *random) {
  double M[9], *u = c->values[RECORD_COPY_STATE] + c->n * fastest_frame(c);
  for (size_t i = 0; i < c->n; i++)
    for (size_t j = 0; j < c->n; j++) M[i * c->n + j] = metric[3 * i + j];
  for (size_t i = 0; i < c->n; i++) u[i] += size * (1 + thud_random_uniform(random, 0, 1));
  record_copy_fit(c, M);
}

/* Iterative projections reach what they are asked for only slowly. */
static bool is_exact(thud_context *context, size_t k, int metric) {
  pair made;
  make_pair(context, k, &made);
  thud_set_abilities abilities = thud_set_get_abilities(thud_sweeping_scene_of(made.library)->set);
  end_pair(&made);
  return (metric ? abilities.projection_metric : abilities.projection) == THUD_EXACT;
}

static bool failed(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return result->checks[k].status == THUD_VERIFY_FAILED;
  return false;
}

static void runs_with_every_set_pass_and_forged_ones_do_not(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(45);
  for (size_t k = 0; k < SET_COUNT; k++)
    for (int metric = 0; metric < 2; metric++) {
      char text[1200];
      record_copy c;
      double tolerance = is_exact(context, k, metric) ? 1e-9 : 1e-6;
      write_scene(k, metric, tolerance, text, sizeof text);
      record_copy_run(context, text, thud_test_path("run.h5"));
      thud_verify_result result = verify(context, thud_test_path("run.h5"));
      if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s: %s", text, result.reason);
      record_copy_load(context, thud_test_path("run.h5"), &c);
      forge(&c, metrics[metric], 1e4 * tolerance, &random);
      record_copy_save(context, thud_test_path("forged.h5"), &c);
      result = verify(context, thud_test_path("forged.h5"));
      if (!failed(&result, "membership") && !failed(&result, "law"))
        fail_msg("%s: a forged record is taken for %s %s", text, thud_verify_verdict_name(result.verdict),
                 result.reason);
      if (failed(&result, "reaction") || failed(&result, "variation")) fail_msg("%s: the forgery is clumsy", text);
      record_copy_free(&c);
    }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projections_agree_with_the_conic_programs_and_with_the_library),
      cmocka_unit_test(projections_fulfil_the_variational_inequality),
      cmocka_unit_test(violations_grow_with_the_distance),
      cmocka_unit_test(runs_with_every_set_pass_and_forged_ones_do_not),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
