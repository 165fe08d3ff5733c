/* The checker's own distances and projections: closed forms against the conic programs, both against the library's
 * convex sets, for every kind of set of the schema. */
#include "failing_allocator.h"
#include "testing.h"
#include "scene/build.h"
#include "verify/conic.h"
#include "verify/dense.h"
#include "verify/form.h"
#include "verify/project.h"

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
  assert_true(length > 0 && (size_t)length < sizeof text);
  if (thud_tree_read_text(context, "set", text, (size_t)length, &made->tree) != THUD_OK ||
      verify_scene_create(context, made->tree, &made->own) != THUD_OK ||
      thud_scene_build(context, made->tree, &made->library) != THUD_OK)
    fail_msg("%s: %s", sets[k].text, thud_context_last_message(context));
  assert_true(made->own->value_count <= 64);
  assert_true(verify_scene_place(made->own, 0, THUD_SIDE_VALUE, made->numbers));
}

static void end_pair(pair *made) {
  thud_scene_destroy(made->library);
  verify_scene_destroy(made->own);
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
    assert_int_equal(thud_set_set_tolerance(p.library->set, 1e-12, 1000000), THUD_OK);
    for (int trial = 0; trial < 40; trial++) {
      double y[3], own[3], conic[3], library[3], own_accuracy, conic_accuracy;
      for (size_t i = 0; i < n; i++) y[i] = 2 * thud_random_normal(&random);
      assert_int_equal(verify_project(context, &p.own->set, p.numbers, y, 2, own, &own_accuracy), THUD_OK);
      assert_int_equal(verify_form_project(context, &p.own->set, p.numbers, y, 2, conic, &conic_accuracy), THUD_OK);
      assert_int_equal(thud_set_project(p.library->set, NULL, y, library, NULL), THUD_OK);
      worst_conic = fmax(worst_conic, verify_distance(n, own, conic));
      worst_library = fmax(worst_library, verify_distance(n, conic, library));
      worst_accuracy = fmax(worst_accuracy, fmax(own_accuracy, conic_accuracy));
    }
    if (worst_conic > 1e-9 || worst_library > 1e-9 || worst_accuracy > 1e-11)
      fail_msg("%s: %g from the conic program, %g from the library, accuracy %g", sets[k].text, worst_conic,
               worst_library, worst_accuracy);
    end_pair(&p);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(projections_agree_with_the_conic_programs_and_with_the_library),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
