/* Sets as products of intervals, discs, ellipses, polygons and sets with outlines: their support functions are those of
 * the sets. */
#include "convex/convex_factors.h"
#include "testing.h"

#include <math.h>

/* sup d.x over a factor. */
static double support_of(const thud_set_factor *f, const double *d) {
  double best = -INFINITY;
  switch (f->kind) {
  case THUD_FACTOR_INTERVAL: return d[0] > 0 ? d[0] * f->upper : d[0] * f->lower;
  case THUD_FACTOR_DISC: return f->radius * hypot(d[0], d[1]);
  case THUD_FACTOR_ELLIPSE: return hypot(f->map[0] * d[0] + f->map[2] * d[1], f->map[1] * d[0] + f->map[3] * d[1]);
  case THUD_FACTOR_CURVED: {
    double point[THUD_MOST_SLIPS];
    thud_outline_point(f->outline, f->n == 2 ? thud_outline_piece_of(f->outline, d) : 0, d, point);
    best = 0;
    for (int i = 0; i < f->n; i++) best += d[i] * point[i];
    return best;
  }
  default:
    for (int k = 0; k < f->corners; k++) best = fmax(best, d[0] * f->corner[2 * k] + d[1] * f->corner[2 * k + 1]);
    return best;
  }
}

/* The factors of the set, which is destroyed, have its support function; the first is of this kind. */
static void check(thud_context *context, thud_set *set, size_t expected, thud_set_factor_kind kind, int corners) {
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
  for (size_t f = 0; f < count; f++) thud_set_factor_free(context, &factors[f]);
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
  check(context, set, 3, THUD_FACTOR_INTERVAL, 0);
  assert_int_equal(thud_set_ellipsoid(context, 2, zero, shape, &set), THUD_OK);
  check(context, set, 1, THUD_FACTOR_ELLIPSE, 0);
  check(context, disc(context, 0.7), 1, THUD_FACTOR_DISC, 0);
  check(context, triangle(context), 1, THUD_FACTOR_POLYGON, 3);
  parts[0] = disc(context, 2);
  assert_int_equal(thud_set_interval(context, -0.2, 0.3, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_product(context, 2, parts, &set), THUD_OK);
  check(context, set, 2, THUD_FACTOR_DISC, 0);
  thud_test_context_end(context);
}

static void combinations_in_the_plane_have_shapes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double map[4] = {0.5, -0.2, 0.1, 0.3}, one[2] = {-1, -0.5}, other[2] = {1, 0.5}, wide[2] = {2, 2},
               narrow[2] = {-0.3, -2};
  thud_set *set = NULL, *parts[2];
  assert_int_equal(thud_set_linear_image(context, 2, map, disc(context, 1), &set), THUD_OK);
  check(context, set, 1, THUD_FACTOR_ELLIPSE, 0);
  assert_int_equal(thud_set_linear_preimage(context, 2, map, triangle(context), &set), THUD_OK);
  check(context, set, 1, THUD_FACTOR_POLYGON, 3);
  parts[0] = triangle(context);
  assert_int_equal(thud_set_segment(context, 2, one, other, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
  check(context, set, 1, THUD_FACTOR_POLYGON, 5);
  parts[0] = triangle(context);
  assert_int_equal(thud_set_box(context, 2, narrow, wide, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
  check(context, set, 1, THUD_FACTOR_POLYGON, 4);
  assert_int_equal(thud_set_polar(context, triangle(context), &set), THUD_OK);
  check(context, set, 1, THUD_FACTOR_POLYGON, 3);
  thud_test_context_end(context);
}

/* Two discs of this radius whose centres are `apart` from each other. */
static thud_set *lens(thud_context *context, double radius, double apart) {
  const double left[2] = {-apart / 2, 0.1 * apart}, right[2] = {apart / 2, -0.1 * apart};
  thud_set *set = NULL, *parts[2];
  assert_int_equal(thud_set_ball(context, 2, left, radius, &parts[0]), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, right, radius, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
  return set;
}

/* The outline has the support function of the set; points of it are where rays leave the set, with the normal there, and
 * move with their normals as the slope says. The set is destroyed. */
static void check_outline(thud_context *context, thud_set *set, int pieces, int terms) {
  thud_set_factor factor;
  size_t count = 0;
  const char *why = thud_set_factorise(set, &factor, &count);
  if (why != NULL) fail_msg("%s", why);
  assert_int_equal(factor.kind, THUD_FACTOR_CURVED);
  const thud_outline *outline = factor.outline;
  assert_int_equal(outline->pieces, pieces);
  assert_int_equal(outline->terms, terms);
  for (int k = 0; k < 60; k++) {
    double d[6], e[6], value, point[6], there[6], slope[6], along = 0, inside[6];
    for (int c = 0; c < factor.n; c++) d[c] = cos(0.7 * k + 1.3 * c + 0.1);
    assert_int_equal(thud_set_support(set, d, &value, NULL, NULL), THUD_OK);
    int piece = factor.n == 2 ? thud_outline_piece_of(outline, d) : 0;
    thud_outline_point(outline, piece, d, point);
    for (int c = 0; c < factor.n; c++) {
      along += d[c] * point[c];
      inside[c] = 0.3 * point[c];
    }
    thud_assert_near(along, value, 1e-9 * (1 + fabs(value)));
    thud_crossing crossing;
    thud_outline_cross(outline, inside, &crossing);
    thud_assert_near(crossing.gauge, 0.3, 1e-12);
    double cosine = 0, length = 0;
    for (int c = 0; c < factor.n; c++) {
      cosine += d[c] * crossing.normal[0][c];
      length += d[c] * d[c];
    }
    if (outline->piece[piece].terms != 0) thud_assert_near(cosine / sqrt(length), 1, 1e-7);
    for (int c = 0; c < factor.n; c++) e[c] = d[c] + 1e-6 * sin(k + 2.0 * c);
    for (int c = 0; c < factor.n; c++) inside[c] = sin(k + 2.0 * c);
    thud_outline_point(outline, piece, e, there);
    thud_outline_slope(outline, piece, d, inside, slope);
    for (int c = 0; c < factor.n; c++) thud_assert_near((there[c] - point[c]) / 1e-6, slope[c], 1e-3);
  }
  thud_set_factor_free(context, &factor);
  thud_set_destroy(set);
}

static void other_sets_have_outlines(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double aside[2] = {0.2, -0.1}, one[2] = {-1, -0.5}, other[2] = {1, 0.5}, map[4] = {0.5, -0.2, 0.1, 0.3},
               mirror[4] = {0.5, 0.3, 0.4, -0.2}, shape[4] = {9, 3, 3, 4}, coupling[2] = {0.5, 0.3},
               lower[2] = {-0.4, -INFINITY}, upper[2] = {0.3, INFINITY};
  thud_set *set = NULL, *parts[2];
  check_outline(context, lens(context, 1, 1.2), 4, 2);
  assert_int_equal(thud_set_linear_image(context, 2, map, lens(context, 1, 1.2), &set), THUD_OK);
  check_outline(context, set, 4, 2);
  assert_int_equal(thud_set_linear_image(context, 2, mirror, lens(context, 1, 1.2), &set), THUD_OK);
  check_outline(context, set, 4, 2);
  assert_int_equal(thud_set_linear_preimage(context, 2, map, lens(context, 1, 1.2), &set), THUD_OK);
  check_outline(context, set, 4, 2);
  assert_int_equal(thud_set_scaling(context, 0.7, lens(context, 1, 1.2), &set), THUD_OK);
  check_outline(context, set, 4, 2);
  assert_int_equal(thud_set_translation(context, aside, lens(context, 1, 1.2), &set), THUD_OK);
  check_outline(context, set, 4, 2);
  assert_int_equal(thud_set_translation(context, aside, disc(context, 0.5), &set), THUD_OK);
  check_outline(context, set, 1, 1);
  assert_int_equal(thud_set_translation(context, aside, disc(context, 0.5), &parts[0]), THUD_OK);
  assert_int_equal(thud_set_polar(context, parts[0], &set), THUD_OK);
  check_outline(context, set, 1, 1);
  assert_int_equal(thud_set_generalized_coulomb(context, 2, coupling, 0.8, &set), THUD_OK);
  check_outline(context, set, 1, 1);
  parts[0] = triangle(context);
  parts[1] = disc(context, 0.3);
  assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
  check_outline(context, set, 3, 1);
  assert_int_equal(thud_set_segment(context, 2, one, other, &parts[0]), THUD_OK);
  parts[1] = disc(context, 0.3);
  assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
  check_outline(context, set, 4, 1); /* half-circles are divided */
  assert_int_equal(thud_set_ellipsoid(context, 2, zero, shape, &parts[0]), THUD_OK);
  parts[1] = disc(context, 0.2);
  assert_int_equal(thud_set_sum(context, 2, parts, &set), THUD_OK);
  check_outline(context, set, 1, 2);
  assert_int_equal(thud_set_box(context, 2, lower, upper, &parts[0]), THUD_OK);
  parts[1] = disc(context, 0.5);
  assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
  check_outline(context, set, 6, 1);
  thud_test_context_end(context);
}

/* Legs of a table at (x, y): forces (f_x, f_y, x f_y - y f_x), f in a disc each. */
static void smooth_sets_of_more_components_have_outlines(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double origin[3] = {0, 0, 0}, Q[9] = {4, 0.5, 0, 0.5, 2, 0.3, 0, 0.3, 1};
  const double legs[18] = {1, 0, -0.2, 0, 1, 0.8, 1, 0, -0.3, 0, 1, -0.7, 1, 0, 0.9, 0, 1, 0.1};
  thud_set *set = NULL, *parts[3];
  assert_int_equal(thud_set_ball(context, 3, origin, 0.7, &set), THUD_OK);
  check_outline(context, set, 1, 1);
  assert_int_equal(thud_set_ellipsoid(context, 3, origin, Q, &set), THUD_OK);
  check_outline(context, set, 1, 1);
  for (int k = 0; k < 3; k++) parts[k] = disc(context, 0.3 + 0.1 * k);
  assert_int_equal(thud_set_product(context, 3, parts, &set), THUD_OK);
  thud_set *product = set;
  assert_int_equal(thud_set_linear_image(context, 3, legs, product, &set), THUD_OK);
  check_outline(context, set, 1, 3);
  thud_test_context_end(context);
}

static void other_sets_have_a_reason(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double origin[3] = {0, 0, 0}, ones[3] = {1, 1, 1}, minus[3] = {-1, -1, -1}, far[2] = {2, 0};
  thud_set_factor factors[3];
  size_t count = 1;
  thud_set *set = NULL, *parts[2];
  assert_int_equal(thud_set_segment(context, 2, zero, (const double[2]){1, 1}, &set), THUD_OK);
  assert_string_equal(thud_set_factorise(set, factors, &count), "its set has no inside");
  assert_int_equal(count, 0);
  thud_set_destroy(set);
  assert_int_equal(thud_set_box(context, 3, minus, ones, &parts[0]), THUD_OK);
  assert_int_equal(thud_set_ball(context, 3, origin, 1.2, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
  assert_string_equal(thud_set_factorise(set, factors, &count),
                      "its set couples more than two slip components and has corners, edges or flat sides");
  thud_set_destroy(set);
  assert_int_equal(thud_set_translation(context, far, disc(context, 1), &set), THUD_OK);
  assert_string_equal(thud_set_factorise(set, factors, &count), "0 is not inside its set, or the set has no inside");
  thud_set_destroy(set);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(leaves_and_products_have_factors),
      cmocka_unit_test(combinations_in_the_plane_have_shapes),
      cmocka_unit_test(other_sets_have_outlines),
      cmocka_unit_test(smooth_sets_of_more_components_have_outlines),
      cmocka_unit_test(other_sets_have_a_reason),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
