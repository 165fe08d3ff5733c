/* Sets as products of intervals, discs, ellipses and polygons: their support functions are those of the sets. */
#include "convex/factors.h"
#include "testing.h"

#include <math.h>

/* sup d.x over a factor. */
static double support_of(const thud_set_factor *f, const double *d) {
  double best = -INFINITY;
  switch (f->kind) {
  case THUD_FACTOR_INTERVAL: return d[0] > 0 ? d[0] * f->upper : d[0] * f->lower;
  case THUD_FACTOR_DISC: return f->radius * hypot(d[0], d[1]);
  case THUD_FACTOR_ELLIPSE: return hypot(f->map[0] * d[0] + f->map[2] * d[1], f->map[1] * d[0] + f->map[3] * d[1]);
  default:
    for (int k = 0; k < f->corners; k++) best = fmax(best, d[0] * f->corner[2 * k] + d[1] * f->corner[2 * k + 1]);
    return best;
  }
}

/* The factors of the set, which is destroyed, have its support function; the first is of this kind. */
static void check(thud_set *set, size_t expected, thud_set_factor_kind kind, int corners) {
  thud_set_factor factors[4];
  size_t count = 0, n = (size_t)thud_set_dimension(set);
  assert_null(thud_set_factorise(set, factors, &count));
  assert_int_equal(count, expected);
  assert_int_equal(factors[0].kind, kind);
  if (corners > 0) assert_int_equal(factors[0].corners, corners);
  for (int k = 0; k < 48; k++) {
    double d[4], value, sum = 0;
    for (size_t c = 0; c < n; c++) d[c] = cos(0.7 * k + 1.3 * (double)c + 0.1);
    assert_int_equal(thud_set_support(set, d, &value, NULL, NULL), THUD_OK);
    for (size_t f = 0; f < count; f++) sum += support_of(&factors[f], d + factors[f].first);
    thud_assert_near(sum, value, 1e-11);
  }
  thud_set_destroy(set);
}

static const double zero[2] = {0, 0};

static thud_set *disc(thud_context *context, double radius) {
  thud_set *set = NULL;
  assert_int_equal(thud_set_ball(context, 2, zero, radius, &set), THUD_OK);
  return set;
}

static thud_set *triangle(thud_context *context) {
  const double rows[6] = {1, 0.2, -0.6, 0.8, -0.4, -0.9}, right[3] = {0.4, 0.5, 0.45};
  thud_set *set = NULL;
  assert_int_equal(thud_set_polyhedron(context, 2, 3, 0, rows, right, &set), THUD_OK);
  return set;
}

static void leaves_and_products_have_factors(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower[3] = {-1, -2, -3}, upper[3] = {4, 5, 6}, shape[4] = {9, 3, 3, 4};
  thud_set *set = NULL, *parts[2];
  assert_int_equal(thud_set_box(context, 3, lower, upper, &set), THUD_OK);
  check(set, 3, THUD_FACTOR_INTERVAL, 0);
  assert_int_equal(thud_set_ellipsoid(context, 2, zero, shape, &set), THUD_OK);
  check(set, 1, THUD_FACTOR_ELLIPSE, 0);
  check(disc(context, 0.7), 1, THUD_FACTOR_DISC, 0);
  check(triangle(context), 1, THUD_FACTOR_POLYGON, 3);
  parts[0] = disc(context, 2);
  assert_int_equal(thud_set_interval(context, -0.2, 0.3, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_product(context, 2, parts, &set), THUD_OK);
  check(set, 2, THUD_FACTOR_DISC, 0);
  thud_test_context_end(context);
}

static void combinations_in_the_plane_have_shapes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double map[4] = {0.5, -0.2, 0.1, 0.3}, one[2] = {-1, -0.5}, other[2] = {1, 0.5}, wide[2] = {2, 2},
               narrow[2] = {-0.3, -2};
  thud_set *set = NULL, *parts[2];
  assert_int_equal(thud_set_linear_image(context, 2, map, disc(context, 1), &set), THUD_OK);
  check(set, 1, THUD_FACTOR_ELLIPSE, 0);
  assert_int_equal(thud_set_linear_preimage(context, 2, map, triangle(context), &set), THUD_OK);
  check(set, 1, THUD_FACTOR_POLYGON, 3);
  parts[0] = triangle(context);
  assert_int_equal(thud_set_segment(context, 2, one, other, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
  check(set, 1, THUD_FACTOR_POLYGON, 5);
  parts[0] = triangle(context);
  assert_int_equal(thud_set_box(context, 2, narrow, wide, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
  check(set, 1, THUD_FACTOR_POLYGON, 4);
  assert_int_equal(thud_set_polar(context, triangle(context), &set), THUD_OK);
  check(set, 1, THUD_FACTOR_POLYGON, 3);
  thud_test_context_end(context);
}

static void other_sets_have_a_reason(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set_factor factors[3];
  size_t count = 1;
  thud_set *set = NULL, *parts[2] = {triangle(context), disc(context, 0.3)};
  assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
  assert_string_equal(thud_set_factorise(set, factors, &count), "its set is a sum with a curved set");
  assert_int_equal(count, 0);
  thud_set_destroy(set);
  assert_int_equal(thud_set_segment(context, 2, zero, (const double[2]){1, 1}, &set), THUD_OK);
  assert_string_equal(thud_set_factorise(set, factors, &count), "its set has no inside");
  thud_set_destroy(set);
  assert_int_equal(thud_set_ball(context, 3, (const double[3]){0, 0, 0}, 1, &set), THUD_OK);
  assert_string_equal(thud_set_factorise(set, factors, &count), "its set couples more than two slip components");
  thud_set_destroy(set);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_and_products_have_factors),
      cmocka_unit_test(combinations_in_the_plane_have_shapes),
      cmocka_unit_test(other_sets_have_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
