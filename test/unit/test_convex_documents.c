/* docs/convex-sets.md says for each set what is exact and what iterative: the same as thud_set_get_abilities. */
#include "testing.h"
#include "thud/convex.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LINE = 1000, CELLS = 8, CELL = 80 };

typedef thud_set *(*builder)(thud_context *context);

/* ---- leaves ------------------------------------------------------------------------------------------ */

static const double ones[9] = {1, 1, 1, 1, 1, 1, 1, 1, 1};
static const double minus_ones[3] = {-1, -1, -1};
static const double origin[3] = {0, 0, 0};
static const double rows[4] = {1, 2, -1, 1};
static const double identity[4] = {1, 0, 0, 1};
static const double regular[4] = {2, 1, 0, 1};  /* column-major */
static const double singular[4] = {1, 0, 0, 0}; /* column-major */

/* A static function `name` that makes a set by the constructor with the arguments. */
#define MAKE(name, constructor, ...)                                                                                   \
  static thud_set *name(thud_context *context) {                                                                       \
    thud_set *set = NULL;                                                                                              \
    assert_int_equal(constructor(context, __VA_ARGS__, &set), THUD_OK);                                                \
    return set;                                                                                                        \
  }

static const double reaching_upper[2] = {INFINITY, 1};

MAKE(half_space, thud_set_half_space, 2, ones, 1)
MAKE(box, thud_set_box, 2, minus_ones, ones)
MAKE(infinite_box, thud_set_box, 2, minus_ones, reaching_upper)
MAKE(ball, thud_set_ball, 2, origin, 1)
MAKE(ellipsoid, thud_set_ellipsoid, 2, origin, identity)
MAKE(plane_coulomb, thud_set_coulomb_cone, 2, 0.5)
MAKE(space_coulomb, thud_set_coulomb_cone, 3, 0.5)
MAKE(plane_dual, thud_set_coulomb_dual_cone, 2, 0.5)
MAKE(space_dual, thud_set_coulomb_dual_cone, 3, 0.5)
MAKE(line_generalized, thud_set_generalized_coulomb, 1, ones, 0.5)
MAKE(plane_generalized, thud_set_generalized_coulomb, 2, ones, 0.5)
MAKE(polyhedron, thud_set_polyhedron, 2, 2, 0, rows, ones)
MAKE(gradients, thud_set_cone_of_gradients, 2, 2, rows)
MAKE(generators, thud_set_cone_of_generators, 2, 2, rows)
MAKE(affine, thud_set_affine, 2, 1, rows, ones)
MAKE(half_line, thud_set_half_line, 2, origin, ones)
MAKE(segment, thud_set_segment, 2, origin, ones)

/* ---- combinators ------------------------------------------------------------------------------------- */

typedef thud_error (*combinator)(thud_context *context, thud_index count, thud_set *const *operands, thud_set **set);

static thud_set *combine(thud_context *context, combinator constructor, builder first, builder second) {
  thud_set *operands[2] = {first(context), second(context)}, *set = NULL;
  assert_int_equal(constructor(context, 2, operands, &set), THUD_OK);
  return set;
}

/* A static function `name` that combines two sets. */
#define COMBINE(name, constructor, first, second)                                                                      \
  static thud_set *name(thud_context *context) { return combine(context, constructor, first, second); }

COMBINE(product_polyhedral, thud_set_product, box, segment)
COMBINE(product_round, thud_set_product, box, ball)
COMBINE(sum_polyhedral, thud_set_sum, box, segment)
COMBINE(sum_round, thud_set_sum, box, ball)
COMBINE(intersection_polyhedral, thud_set_intersection, box, half_space)
COMBINE(intersection_round, thud_set_intersection, box, ball)
MAKE(translated_ball, thud_set_translation, ones, ball(context))
MAKE(translated_cone, thud_set_translation, ones, space_coulomb(context))
MAKE(scaled_cone, thud_set_scaling, 2, space_coulomb(context))
MAKE(image_box, thud_set_linear_image, 2, regular, box(context))
MAKE(image_regular, thud_set_linear_image, 2, regular, ball(context))
MAKE(image_singular, thud_set_linear_image, 2, singular, ball(context))
MAKE(preimage_box, thud_set_linear_preimage, 2, singular, box(context))
MAKE(preimage_regular, thud_set_linear_preimage, 2, regular, ball(context))
MAKE(preimage_singular, thud_set_linear_preimage, 2, singular, ball(context))
MAKE(polar_box, thud_set_polar, box(context))
MAKE(polar_cone, thud_set_polar, space_coulomb(context))
MAKE(polar_ball, thud_set_polar, ball(context))
MAKE(polar_sum, thud_set_polar, sum_round(context))

static const struct {
  const char *label;
  builder build;
} documented[] = {
    {"half-space", half_space},
    {"box with finite bounds", box},
    {"box with an infinite bound", infinite_box},
    {"ball", ball},
    {"ellipsoid", ellipsoid},
    {"Coulomb cone in the plane", plane_coulomb},
    {"Coulomb cone in space", space_coulomb},
    {"dual Coulomb cone in the plane", plane_dual},
    {"dual Coulomb cone in space", space_dual},
    {"generalized Coulomb set in one direction", line_generalized},
    {"generalized Coulomb set in two directions", plane_generalized},
    {"polyhedron", polyhedron},
    {"cone of gradients", gradients},
    {"cone of generators", generators},
    {"affine set", affine},
    {"half-line", half_line},
    {"segment", segment},
    {"product of a box and a segment", product_polyhedral},
    {"product of a box and a ball", product_round},
    {"translation of a ball", translated_ball},
    {"translation of a Coulomb cone in space", translated_cone},
    {"scaling of a Coulomb cone in space", scaled_cone},
    {"sum of a box and a segment", sum_polyhedral},
    {"sum of a box and a ball", sum_round},
    {"intersection of a box and a half-space", intersection_polyhedral},
    {"intersection of a box and a ball", intersection_round},
    {"image of a box", image_box},
    {"image of a ball by a regular matrix", image_regular},
    {"image of a ball by a singular matrix", image_singular},
    {"preimage of a box by a singular matrix", preimage_box},
    {"preimage of a ball by a regular matrix", preimage_regular},
    {"preimage of a ball by a singular matrix", preimage_singular},
    {"polar of a box", polar_box},
    {"polar of a Coulomb cone in space", polar_cone},
    {"polar of a ball", polar_ball},
    {"polar of the sum of a box and a ball", polar_sum},
};
enum { DOCUMENTED = sizeof documented / sizeof *documented };

/* ---- the table --------------------------------------------------------------------------------------- */

/* "| a | b |\n" -> cells without the blanks around them. */
static int split(const char *line, char cells[CELLS][CELL]) {
  int count = 0;
  const char *at = line + 1;
  for (const char *bar = strchr(at, '|'); bar != NULL && count < CELLS; bar = strchr(at, '|')) {
    while (*at == ' ') at++;
    const char *end = bar;
    while (end > at && end[-1] == ' ') end--;
    snprintf(cells[count++], CELL, "%.*s", (int)(end - at), at);
    at = bar + 1;
  }
  return count;
}

static FILE *open_document(void) {
  char path[1000];
  const char *root = getenv("THUD_SOURCE_DIR");
  snprintf(path, sizeof path, "%s/docs/convex-sets.md", root != NULL ? root : ".");
  FILE *stream = fopen(path, "r");
  if (stream == NULL) print_error("%s cannot be opened\n", path);
  assert_non_null(stream);
  return stream;
}

static const char *exactness_name(thud_exactness exactness) {
  return exactness == THUD_EXACT ? "exact" : exactness == THUD_ITERATIVE ? "iterative" : "unavailable";
}

static void check_row(thud_context *context, char cells[CELLS][CELL], builder build) {
  thud_set *set = build(context);
  thud_set_abilities a = thud_set_get_abilities(set);
  assert_string_equal(cells[1], exactness_name(a.projection));
  assert_string_equal(cells[2], exactness_name(a.projection_diagonal));
  assert_string_equal(cells[3], exactness_name(a.projection_metric));
  assert_string_equal(cells[4], exactness_name(a.support));
  assert_string_equal(cells[5], a.is_cone ? "yes" : "no");
  assert_string_equal(cells[6], a.is_polyhedral ? "yes" : "no");
  assert_string_equal(cells[7], a.is_bounded ? "yes" : "no");
  thud_set_destroy(set);
}

/* Each line of the table is a set that this file can make, each of these is there once, in this order. */
static void the_table_of_the_document_is_what_the_sets_say(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  FILE *stream = open_document();
  char line[LINE], cells[CELLS][CELL];
  int row = -1; /* -1: not there yet; the first two lines are the head */
  while (fgets(line, sizeof line, stream) != NULL && strncmp(line, "<!-- end -->", 12) != 0) {
    if (row >= 0 && row++ >= 2) {
      int k = row - 3;
      thud_assert_less(k, DOCUMENTED);
      assert_int_equal(split(line, cells), CELLS);
      assert_string_equal(cells[0], documented[k].label);
      check_row(context, cells, documented[k].build);
    }
    if (strncmp(line, "<!-- abilities -->", 18) == 0) row = 0;
  }
  fclose(stream);
  assert_int_equal(row, DOCUMENTED + 2);
  thud_test_context_end(context);
}

/* ---- what the table promises, asked for -------------------------------------------------------------- */

/* A query that is called exact answers so, and converges. */
static void exact_projections_say_so(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < DOCUMENTED; k++) {
    thud_set *set = documented[k].build(context);
    thud_set_abilities a = thud_set_get_abilities(set);
    thud_index n = thud_set_dimension(set);
    thud_assert_at_most(n, 4);
    const double x[4] = {3, -2, 1.5, 0.5}, diagonal[4] = {1, 2, 3, 4};
    double full[16], y[4], value;
    for (int i = 0; i < n * n; i++) full[i] = i % (n + 1) == 0 ? 2 : 0.25;
    thud_metric *metrics[3] = {NULL, NULL, NULL};
    assert_int_equal(thud_metric_create_diagonal(context, n, diagonal, &metrics[1]), THUD_OK);
    assert_int_equal(thud_metric_create(context, n, full, &metrics[2]), THUD_OK);
    const thud_exactness promised[3] = {a.projection, a.projection_diagonal, a.projection_metric};
    thud_set_info info;
    for (int m = 0; m < 3; m++) {
      if (promised[m] != THUD_EXACT) continue;
      assert_int_equal(thud_set_project(set, metrics[m], x, y, &info), THUD_OK);
      assert_int_equal(info.exactness, THUD_EXACT);
      assert_true(info.converged);
      thud_assert_equal(info.gap, 0);
    }
    if (a.support == THUD_EXACT) {
      assert_int_equal(thud_set_support(set, x, &value, NULL, &info), THUD_OK);
      assert_int_equal(info.exactness, THUD_EXACT);
      assert_true(info.converged);
      thud_assert_equal(info.gap, 0);
      assert_true(!a.is_bounded || isfinite(value));
    }
    thud_metric_destroy(metrics[1]);
    thud_metric_destroy(metrics[2]);
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_table_of_the_document_is_what_the_sets_say),
      cmocka_unit_test(exact_projections_say_so),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
