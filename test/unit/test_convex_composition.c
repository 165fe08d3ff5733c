/* Composed friction laws: closed forms, the two propositions of Moreau (1977) on random laws, ranges of set-valued answers,
 * failures. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/convex.h"

#include <string.h>

/* The iterative engine ends at 1e-12 of lengths and forces; its answers are good to about ten times that. */
static const double tolerance = 1e-10;

static const double origin[6] = {0};

static thud_set *ball(thud_context *context, thud_index n, double radius) {
  thud_set *set = NULL;
  assert_int_equal(thud_set_ball(context, n, origin, radius, &set), THUD_OK);
  return set;
}

static thud_set *interval(thud_context *context, double lower, double upper) {
  thud_set *set = NULL;
  assert_int_equal(thud_set_interval(context, lower, upper, &set), THUD_OK);
  return set;
}

static thud_composition *compose(thud_context *context, thud_index driven, thud_index internal, thud_index count,
                                 thud_set *const *laws, const double *A, const double *B) {
  thud_composition *composition = NULL;
  assert_int_equal(thud_composition_create(context, driven, internal, count, laws, &composition), THUD_OK);
  assert_int_equal(thud_composition_place(composition, NULL, A, B), THUD_OK);
  return composition;
}

static thud_composition_answer solve(thud_composition *composition, const double *W) {
  thud_composition_answer answer;
  assert_int_equal(thud_composition_solve(composition, W, &answer), THUD_OK);
  assert_true(answer.info.converged);
  return answer;
}

/* Ground and brake; slips W + (a spin, 0) and spin, a = 1. */
static thud_composition *wheel(thud_context *context, double threshold, double brake) {
  static const double A[] = {1, 0, 0, 1, 0, 0}, B[] = {1, 0, 1};
  thud_set *const laws[] = {ball(context, 2, threshold), interval(context, -brake, brake)};
  return compose(context, 2, 1, 2, laws, A, B);
}

static void assert_ranges(thud_composition *composition, const double *low, const double *high, double spin_low,
                          double spin_high) {
  double found_low[2], found_high[2], u_low, u_high;
  assert_int_equal(thud_composition_ranges(composition, found_low, found_high, &u_low, &u_high), THUD_OK);
  for (int j = 0; j < 2; j++) {
    thud_assert_near(found_low[j], low[j], tolerance);
    thud_assert_near(found_high[j], high[j], tolerance);
  }
  thud_assert_near(u_low, spin_low, tolerance);
  thud_assert_near(u_high, spin_high, tolerance);
}

/* ---- closed forms ------------------------------------------------------------------------------------ */

/* D = { |G| <= 1, |G_x| <= 1/2 }: a flat side, a point of the arc, a corner. */
static void a_braked_wheel_has_a_flat_side_and_corners(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *c = wheel(context, 1, 0.5);
  double h = sqrt(0.75), spin = -(1 - 1 / sqrt(3));
  thud_composition_answer answer = solve(c, (const double[]){1, 0});
  thud_assert_near(answer.dissipation, 0.5, tolerance);
  thud_assert_near(answer.velocity[0], -1, tolerance);
  assert_ranges(c, (const double[]){-0.5, -h}, (const double[]){-0.5, h}, -1, -1);
  answer = solve(c, (const double[]){0, 1});
  thud_assert_near(answer.dissipation, 1, tolerance);
  assert_ranges(c, (const double[]){0, -1}, (const double[]){0, -1}, 0, 0);
  answer = solve(c, (const double[]){1, 1});
  thud_assert_near(answer.dissipation, 0.5 + h, tolerance);
  thud_assert_near(answer.velocity[0], spin, tolerance);
  assert_ranges(c, (const double[]){-0.5, -h}, (const double[]){-0.5, -h}, spin, spin);
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

/* b = 0: the segment across. b = a f N: the disc, and along the wheel every spin between rolling and locked. */
static void the_extreme_brakes_give_a_segment_and_the_disc(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *free_wheel = wheel(context, 1, 0), *locked = wheel(context, 1, 1);
  double r = sqrt(0.5);
  thud_assert_near(solve(free_wheel, (const double[]){1, 0}).dissipation, 0, tolerance);
  assert_ranges(free_wheel, (const double[]){0, -1}, (const double[]){0, 1}, -1, -1);
  thud_assert_near(solve(free_wheel, (const double[]){1, 2}).dissipation, 2, tolerance);
  assert_ranges(free_wheel, (const double[]){0, -1}, (const double[]){0, -1}, -1, -1);
  thud_assert_near(solve(locked, (const double[]){1, 0}).dissipation, 1, tolerance);
  assert_ranges(locked, (const double[]){-1, 0}, (const double[]){-1, 0}, -1, 0);
  thud_assert_near(solve(locked, (const double[]){1, 1}).dissipation, sqrt(2), tolerance);
  assert_ranges(locked, (const double[]){-r, -r}, (const double[]){-r, -r}, 0, 0);
  thud_composition_destroy(free_wheel);
  thud_composition_destroy(locked);
  thud_test_context_end(context);
}

static void at_rest_every_force_of_the_set_will_do(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *c = wheel(context, 1, 0.5);
  double low[2], high[2], u_low = 0, u_high = 0;
  thud_assert_equal(solve(c, origin).dissipation, 0);
  assert_int_equal(thud_composition_ranges(c, low, high, &u_low, &u_high), THUD_OK);
  thud_assert_near(low[0], -0.5, tolerance);
  thud_assert_near(high[0], 0.5, tolerance);
  thud_assert_near(low[1], -1, tolerance);
  thud_assert_near(high[1], 1, tolerance);
  assert_true(isnan(u_low) && isnan(u_high));
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

static thud_composition *table(thud_context *context) {
  static const double legs[4][2] = {{1, 0}, {-1, 0}, {0, 1}, {0, -1}};
  thud_set *laws[4];
  double A[24] = {0};
  for (int k = 0; k < 4; k++) {
    laws[k] = ball(context, 2, 0.25);
    A[6 * k] = A[6 * k + 4] = 1;
    A[6 * k + 2] = -legs[k][1];
    A[6 * k + 5] = legs[k][0];
  }
  return compose(context, 3, 0, 4, laws, A, NULL);
}

/* Velocities of the legs (1, 1/2), (1, -1/2), (1/2, 0), (3/2, 0). */
static void a_table_on_four_legs_resists_by_force_and_moment(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *c = table(context);
  thud_composition_answer answer = solve(c, (const double[]){1, 0, 0.5});
  double root = sqrt(1.25);
  thud_assert_near(answer.force[0], -(0.5 + 0.5 / root), tolerance);
  thud_assert_near(answer.force[1], 0, tolerance);
  thud_assert_near(answer.force[2], -0.25 / root, tolerance);
  thud_assert_near(answer.dissipation, 0.25 * (2 * root + 2), tolerance);
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

/* Turning about a leg: its force is any of its disc. Near it, at angles of a degree round, the answers are unique and the
 * iteration gets there (it once ran in circles at 44 degrees). */
static void a_leg_that_rests_leaves_the_force_open(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *c = table(context);
  double low[3], high[3], far = 0.25 + 0.25 * sqrt(2) - 0.25;
  solve(c, (const double[]){0, 1, -1});
  assert_int_equal(thud_composition_ranges(c, low, high, NULL, NULL), THUD_OK);
  thud_assert_near(low[0], -0.25, tolerance);
  thud_assert_near(high[0], 0.25, tolerance);
  thud_assert_near(high[1], -far, 1e-9);
  thud_assert_near(low[1], -far - 0.5, 1e-9);
  for (int degree = 40; degree <= 50; degree++) {
    double angle = degree * acos(-1) / 180, W[3] = {cos(angle), 0, sin(angle)};
    double expected = 0.25 * (2 * hypot(W[0], W[2]) + fabs(W[0] - W[2]) + fabs(W[0] + W[2]));
    thud_composition_answer answer = solve(c, W);
    thud_assert_near(answer.dissipation, expected, tolerance);
    thud_assert_at_most(answer.gap, tolerance);
  }
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

/* Links along 180 and 225 degrees, joints with 1 and 1/2, the end driven with (1, 0). */
static void a_rope_of_two_links_turns_as_it_costs_least(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double r = sqrt(0.5), y = -1 / sqrt(7), v2 = (1 + y) / 2;
  const double A[] = {1, 0, 0, 1, 1, 0, 0, 1}, B[] = {0, 0, -1, 0, 0, r, -1, -r};
  thud_set *const laws[] = {ball(context, 2, 1), ball(context, 2, 0.5)};
  thud_composition *c = compose(context, 2, 2, 2, laws, A, B);
  thud_composition_answer answer = solve(c, (const double[]){1, 0});
  const double slip[] = {1, y, v2, v2};
  for (int k = 0; k < 4; k++) thud_assert_near(answer.slip[k], slip[k], tolerance);
  thud_assert_near(answer.dissipation, hypot(1, y) + 0.5 * hypot(v2, v2), tolerance);
  thud_assert_near(answer.dissipation, 1.2889677, 5e-8);
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

/* A law without bounds forbids slip: what does not slip there is possible, the rest is not. */
static void a_velocity_that_a_law_forbids_is_impossible(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *const laws[] = {interval(context, -INFINITY, INFINITY), interval(context, -1, 2)};
  const double A[] = {1, 1, 1, 0}, B[] = {0, 1};
  thud_composition *c = compose(context, 2, 1, 2, laws, A, B);
  thud_composition_answer answer;
  assert_int_equal(thud_composition_solve(c, (const double[]){1, 0}, &answer), THUD_OK);
  assert_false(answer.admissible);
  assert_true(isinf(answer.dissipation));
  answer = solve(c, (const double[]){1, -1});
  assert_true(answer.admissible);
  thud_assert_near(answer.dissipation, 0, tolerance); /* the second law rests: u = -1 */
  thud_assert_near(answer.velocity[0], -1, tolerance);
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

/* ---- the propositions, on random laws ---------------------------------------------------------------- */

enum { MOST = 12 };

typedef struct random_laws {
  thud_index driven, internal, count, rows;
  thud_set *laws[4], *copies[4];
  double A[MOST * 3], B[MOST * 3];
} random_laws;

/* Balls, ellipsoids, boxes and polygons with 0 inside, thresholds from 1/2 to 2. */
static thud_set *random_law(thud_context *context, thud_random *random, thud_index n, bool polyhedral) {
  thud_set *set = NULL;
  double low[2], high[2], Q[4] = {1, 0, 0, 1}, rows[10], right[5];
  uint32_t kind = thud_random_below(random, polyhedral ? 2 : 4);
  for (int i = 0; i < 2; i++) low[i] = -thud_random_uniform(random, 0.5, 2);
  for (int i = 0; i < 2; i++) high[i] = thud_random_uniform(random, 0.5, 2);
  for (int k = 0; k < 5; k++) {
    double angle = 1.2 * k + thud_random_uniform(random, 0, 0.5);
    rows[k * n] = n == 1 ? (k % 2 == 0 ? 1 : -1) : cos(angle);
    if (n == 2) rows[2 * k + 1] = sin(angle);
    right[k] = thud_random_uniform(random, 0.5, 2);
  }
  if (n == 1) Q[0] = high[0];
  if (n == 2) Q[0] = 1 + high[0], Q[1] = Q[2] = 0.5 * low[0], Q[3] = 1 + high[1];
  if (kind == 0) assert_int_equal(thud_set_box(context, n, low, high, &set), THUD_OK);
  if (kind == 1) assert_int_equal(thud_set_polyhedron(context, n, 5, 0, rows, right, &set), THUD_OK);
  if (kind == 2) assert_int_equal(thud_set_ball(context, n, origin, high[0], &set), THUD_OK);
  if (kind == 3) assert_int_equal(thud_set_ellipsoid(context, n, origin, Q, &set), THUD_OK);
  return set;
}

static random_laws make_laws(thud_context *context, thud_random *random, bool polyhedral) {
  random_laws made = {.driven = 1 + (thud_index)thud_random_below(random, 3),
                      .internal = (thud_index)thud_random_below(random, 4),
                      .count = 2 + (thud_index)thud_random_below(random, 3)};
  for (thud_index k = 0; k < made.count; k++) {
    made.laws[k] = random_law(context, random, 1 + (thud_index)thud_random_below(random, 2), polyhedral);
    assert_int_equal(thud_set_clone(context, made.laws[k], &made.copies[k]), THUD_OK);
    made.rows += thud_set_dimension(made.laws[k]);
  }
  if (made.internal >= made.rows) made.internal = made.rows - 1; /* some force can be in equilibrium */
  for (thud_index k = 0; k < made.rows * made.driven; k++) made.A[k] = thud_random_normal(random);
  for (thud_index k = 0; k < made.rows * made.internal; k++) made.B[k] = thud_random_normal(random);
  return made;
}

/* D = A'{ F of the product : B'F = 0 } by the combinators that were there before. Takes the copies over. */
static thud_set *make_quotient(thud_context *context, random_laws *made) {
  thud_set *product = NULL, *affine = NULL, *both = NULL, *D = NULL;
  double rows[MOST * 3], L[MOST * 3];
  for (thud_index j = 0; j < made->internal; j++)
    for (thud_index r = 0; r < made->rows; r++) rows[j * made->rows + r] = made->B[r * made->internal + j];
  for (thud_index j = 0; j < made->driven; j++)
    for (thud_index r = 0; r < made->rows; r++) L[r * made->driven + j] = made->A[r * made->driven + j];
  assert_int_equal(thud_set_product(context, made->count, made->copies, &product), THUD_OK);
  both = product;
  if (made->internal > 0) {
    assert_int_equal(thud_set_affine(context, made->rows, made->internal, rows, origin, &affine), THUD_OK);
    assert_int_equal(thud_set_intersection(context, 2, (thud_set *const[]){product, affine}, &both), THUD_OK);
  }
  assert_int_equal(thud_set_linear_image(context, made->driven, L, both, &D), THUD_OK);
  return D;
}

/* F_k in C_k with -s_k normal there, B'F = 0, G = A'F; checked on sets of the test's own. */
static void check_conditions(const random_laws *made, thud_set *const *laws, const thud_composition_answer *answer) {
  for (thud_index k = 0, first = 0; k < made->count; first += thud_set_dimension(laws[k++])) {
    double w[2], residual;
    for (thud_index i = 0; i < thud_set_dimension(laws[k]); i++) w[i] = -answer->slip[first + i];
    assert_int_equal(thud_set_normal_cone_residual(laws[k], NULL, answer->forces + first, w, &residual, NULL), THUD_OK);
    thud_assert_at_most(residual, 1e-8);
  }
  for (thud_index j = 0; j < made->internal; j++) {
    double sum = 0;
    for (thud_index r = 0; r < made->rows; r++) sum += made->B[r * made->internal + j] * answer->forces[r];
    thud_assert_near(sum, 0, 1e-9);
  }
  for (thud_index j = 0; j < made->driven; j++) {
    double sum = 0;
    for (thud_index r = 0; r < made->rows; r++) sum += made->A[r * made->driven + j] * answer->forces[r];
    thud_assert_near(sum, answer->force[j], 1e-12);
  }
}

/* sum phi_k(A W + B v) for other internal velocities v is not less. */
static void check_minimum(const random_laws *made, thud_set *const *laws, thud_random *random, const double *W,
                          const thud_composition_answer *answer) {
  for (int trial = 0; trial < 20; trial++) {
    double v[3], total = 0, reach = thud_random_uniform(random, 0, 0.5);
    for (thud_index j = 0; j < made->internal; j++) v[j] = answer->velocity[j] + reach * thud_random_normal(random);
    for (thud_index k = 0, first = 0; k < made->count; first += thud_set_dimension(laws[k++])) {
      double d[2] = {0}, part;
      for (thud_index i = 0; i < thud_set_dimension(laws[k]); i++) {
        thud_index r = first + i;
        for (thud_index j = 0; j < made->driven; j++) d[i] -= made->A[r * made->driven + j] * W[j];
        for (thud_index j = 0; j < made->internal; j++) d[i] -= made->B[r * made->internal + j] * v[j];
      }
      assert_int_equal(thud_set_support(laws[k], d, &part, NULL, NULL), THUD_OK);
      total += part;
    }
    thud_assert_at_least(total, answer->dissipation - 1e-9);
  }
}

static void the_dissipation_is_the_support_function_of_the_quotient(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1977);
  for (int k = 0; k < 60; k++) {
    random_laws made = make_laws(context, &random, k % 3 == 0);
    thud_set *own[4];
    for (thud_index j = 0; j < made.count; j++)
      assert_int_equal(thud_set_clone(context, made.laws[j], &own[j]), THUD_OK);
    thud_composition *c = compose(context, made.driven, made.internal, made.count, made.laws, made.A, made.B);
    thud_set *D = make_quotient(context, &made);
    double W[3], d[3], support;
    for (thud_index j = 0; j < made.driven; j++) d[j] = -(W[j] = thud_random_normal(&random));
    thud_composition_answer answer = solve(c, W);
    assert_int_equal(thud_set_support(D, d, &support, NULL, NULL), THUD_OK);
    thud_assert_near(answer.dissipation, support, 1e-9);
    check_conditions(&made, own, &answer);
    check_minimum(&made, own, &random, W, &answer);
    thud_set_destroy(D);
    for (thud_index j = 0; j < made.count; j++) thud_set_destroy(own[j]);
    thud_composition_destroy(c);
  }
  thud_test_context_end(context);
}

/* gamma'(W; +-e) are the ends of the range of G (Rockafellar, theorem 23.4): on polyhedral laws, where gamma is piecewise
 * linear, a small step gives them. Directions are such that flat sides are met. */
static void the_ranges_are_the_one_sided_derivatives_of_the_dissipation(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  for (int k = 0; k < 30; k++) {
    random_laws made = make_laws(context, &random, true);
    made.driven = 2;
    for (thud_index r = 0; r < 2 * made.rows; r++) made.A[r] = (double)thud_random_below(&random, 3) - 1;
    for (thud_index r = 0; r < made.rows * made.internal; r++) made.B[r] = (double)thud_random_below(&random, 3) - 1;
    thud_composition *c = compose(context, 2, made.internal, made.count, made.laws, made.A, made.B);
    double W[2] = {1, k % 2}, low[2], high[2], u_low[3], u_high[3], step = 1e-4;
    double here = solve(c, W).dissipation;
    assert_int_equal(thud_composition_ranges(c, low, high, u_low, u_high), THUD_OK);
    for (int j = 0; j < 2; j++) {
      double more[2] = {W[0], W[1]}, less[2] = {W[0], W[1]};
      more[j] += step;
      less[j] -= step;
      thud_assert_near(-low[j], (solve(c, more).dissipation - here) / step, 1e-9);
      thud_assert_near(high[j], (solve(c, less).dissipation - here) / step, 1e-9);
    }
    for (thud_index j = 0; j < made.count; j++) thud_set_destroy(made.copies[j]);
    thud_composition_destroy(c);
  }
  thud_test_context_end(context);
}

/* ---- units ------------------------------------------------------------------------------------------- */

/* The same machine in other units: law k times force[k], its slips divided by that; W_j times drive[j], u_j times
 * internal[j]. Then F_k, W_j and u_j are multiplied, G_j is divided by drive[j], and power stays what it is. */
typedef struct other_units {
  double force[4], drive[3], internal[3];
} other_units;

static double random_unit(thud_random *random) { return pow(10, thud_random_uniform(random, -8, 8)); }

static other_units make_units(const random_laws *made, thud_random *random) {
  other_units units;
  for (thud_index k = 0; k < made->count; k++) units.force[k] = random_unit(random);
  for (thud_index j = 0; j < made->driven; j++) units.drive[j] = random_unit(random);
  for (thud_index j = 0; j < made->internal; j++) units.internal[j] = random_unit(random);
  return units;
}

/* Takes the copies over. */
static thud_composition *compose_in_units(thud_context *context, const random_laws *made, const other_units *units) {
  thud_set *laws[4];
  double A[MOST * 3], B[MOST * 3];
  for (thud_index k = 0, r = 0; k < made->count; k++) {
    assert_int_equal(thud_set_scaling(context, units->force[k], made->copies[k], &laws[k]), THUD_OK);
    for (thud_index i = 0; i < thud_set_dimension(laws[k]); i++, r++) {
      for (thud_index j = 0; j < made->driven; j++)
        A[r * made->driven + j] = made->A[r * made->driven + j] / units->force[k] / units->drive[j];
      for (thud_index j = 0; j < made->internal; j++)
        B[r * made->internal + j] = made->B[r * made->internal + j] / units->force[k] / units->internal[j];
    }
  }
  return compose(context, made->driven, made->internal, made->count, laws, A, B);
}

static void assert_same_range(double low, double high, double other_low, double other_high, double unit, double scale) {
  assert_int_equal(isnan(low), isnan(other_low));
  if (isnan(low)) return;
  if (isfinite(low)) thud_assert_near(other_low / unit, low, 1e-9 * scale);
  if (isfinite(high)) thud_assert_near(other_high / unit, high, 1e-9 * scale);
  assert_int_equal(isinf(low), isinf(other_low));
  assert_int_equal(isinf(high), isinf(other_high));
}

/* Power, forces, velocities and all their ranges, relative to what each component is large or small beside. */
static void compare_in_units(const random_laws *made, const other_units *units, thud_composition *c,
                             thud_composition *other, const double *W) {
  double moved[3], low[2][3], high[2][3], u_low[2][3], u_high[2][3];
  for (thud_index j = 0; j < made->driven; j++) moved[j] = W[j] * units->drive[j];
  thud_composition_answer one, two;
  assert_int_equal(thud_composition_solve(c, W, &one), THUD_OK);
  assert_int_equal(thud_composition_solve(other, moved, &two), THUD_OK);
  assert_int_equal(one.admissible, two.admissible);
  if (!one.admissible) return;
  assert_true(one.info.converged);
  assert_true(two.info.converged);
  double power = 0;
  for (thud_index j = 0; j < made->driven; j++) power += fabs(W[j]) * one.force_scale[j];
  thud_assert_near(two.dissipation, one.dissipation, 1e-9 * power);
  assert_int_equal(thud_composition_ranges(c, low[0], high[0], u_low[0], u_high[0]), THUD_OK);
  assert_int_equal(thud_composition_ranges(other, low[1], high[1], u_low[1], u_high[1]), THUD_OK);
  for (thud_index j = 0; j < made->driven; j++) {
    assert_same_range(low[0][j], high[0][j], low[1][j], high[1][j], 1 / units->drive[j], one.force_scale[j]);
    if (high[0][j] - low[0][j] > 1e-9 * one.force_scale[j]) continue;
    thud_assert_near(two.force[j] * units->drive[j], one.force[j], 1e-9 * one.force_scale[j]);
  }
  for (thud_index j = 0; j < made->internal; j++)
    assert_same_range(u_low[0][j], u_high[0][j], u_low[1][j], u_high[1][j], units->internal[j], one.velocity_scale[j]);
}

static void answers_do_not_depend_on_units(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1611);
  for (int k = 0; k < 60; k++) {
    random_laws made = make_laws(context, &random, k % 3 == 0);
    other_units units = make_units(&made, &random);
    thud_composition *c = compose(context, made.driven, made.internal, made.count, made.laws, made.A, made.B);
    thud_composition *other = compose_in_units(context, &made, &units);
    double W[3];
    for (thud_index j = 0; j < made.driven; j++) W[j] = thud_random_normal(&random);
    compare_in_units(&made, &units, c, other, W);
    if (k % 4 == 0) compare_in_units(&made, &units, c, other, origin);
    thud_composition_destroy(c);
    thud_composition_destroy(other);
  }
  thud_test_context_end(context);
}

/* A weak brake: the force along is the brake's to the rounding of the ground, the spin that of rolling. */
static void a_weak_law_beside_a_strong_one_keeps_its_force(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 1; k <= 14; k++) {
    double brake = pow(10, -k);
    thud_composition *c = wheel(context, 1, brake);
    thud_composition_answer answer = solve(c, (const double[]){1, 0});
    thud_assert_near(answer.force[0], -brake, 1e-11 * brake + 1e-15);
    thud_assert_near(answer.forces[2], brake, 1e-11 * brake);
    thud_assert_near(answer.velocity[0], -1, 1e-11);
    answer = solve(c, (const double[]){1, 1});
    thud_assert_near(answer.force[0], -brake, 1e-10 * brake + 1e-14);
    thud_assert_near(answer.dissipation, brake + sqrt(1 - brake * brake), tolerance);
    thud_composition_destroy(c);
  }
  thud_test_context_end(context);
}

/* Mechanisms of all directions with thresholds from 1 to 1e-9: sum of threshold_k |s_k|. One coefficient is cos(pi/2),
 * 6e-17, and the slip 0 to rounding. */
static void many_mechanisms_of_any_strength_add_up(void **state) {
  (void)state;
  enum { MECHANISMS = 200 };
  thud_context *context = thud_test_context(1);
  thud_set *laws[MECHANISMS];
  double A[2 * MECHANISMS], threshold[MECHANISMS];
  for (int k = 0; k < MECHANISMS; k++) {
    threshold[k] = pow(10, -(k % 10));
    laws[k] = interval(context, -threshold[k], threshold[k]);
    A[2 * k] = cos(k * acos(-1) / MECHANISMS);
    A[2 * k + 1] = sin(k * acos(-1) / MECHANISMS);
  }
  thud_composition *c = compose(context, 2, 0, MECHANISMS, laws, A, NULL);
  for (int turn = 0; turn < 3; turn++) {
    double W[2] = {cos(turn), sin(turn)}, expected = 0;
    thud_composition_answer answer = solve(c, W);
    for (int k = 0; k < MECHANISMS; k++) {
      double slip = A[2 * k] * W[0] + A[2 * k + 1] * W[1];
      expected += threshold[k] * fabs(slip);
      if (fabs(slip) > 1e-12) thud_assert_near(answer.forces[k], -copysign(threshold[k], slip), 1e-9 * threshold[k]);
    }
    thud_assert_near(answer.dissipation, expected, 1e-12 * expected);
  }
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

/* A table's law { F_x^2 + F_y^2 + (F_psi/l)^2 <= 1 }, pushed at the distance l by a joint that slips: with l the unit of
 * moments changes within one law. */
static void the_axes_of_one_law_may_have_different_units(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double expected[4] = {0};
  for (int k = 0; k <= 9; k++) {
    double l = pow(10, -k), Q[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1 / (l * l)};
    const double A[] = {1, 0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0}, B[] = {0, 1, 1 / l, 1}, W[] = {1, 0.5, 1 / l};
    thud_set *laws[2] = {NULL, ball(context, 1, 0.1)};
    assert_int_equal(thud_set_ellipsoid(context, 3, origin, Q, &laws[0]), THUD_OK);
    thud_composition *c = compose(context, 3, 1, 2, laws, A, B);
    thud_composition_answer answer = solve(c, W);
    const double found[4] = {answer.force[0], answer.force[1], answer.force[2] / l, answer.velocity[0]};
    for (int i = 0; i < 4; i++) {
      if (k == 0) expected[i] = found[i];
      thud_assert_near(found[i], expected[i], 1e-9);
    }
    thud_assert_near(answer.dissipation, 1.1330051984749412, 1e-10);
    thud_composition_destroy(c);
  }
  thud_test_context_end(context);
}

/* Points, freewheels and locks among the laws: whether a velocity is possible does not depend on units either. */
static void laws_without_an_inside_or_bounds_do_not_depend_on_units(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  const double ends[4][2] = {{0, 0}, {0, INFINITY}, {-1, INFINITY}, {-INFINITY, INFINITY}};
  for (int k = 0; k < 60; k++) {
    random_laws made = make_laws(context, &random, k % 2 == 0);
    if (made.rows == MOST || made.count == 4)
      made.count--, thud_set_destroy(made.laws[made.count]), made.rows -= thud_set_dimension(made.copies[made.count]),
          thud_set_destroy(made.copies[made.count]);
    const double *end = ends[thud_random_below(&random, 4)];
    made.laws[made.count] = interval(context, end[0], end[1]);
    assert_int_equal(thud_set_clone(context, made.laws[made.count], &made.copies[made.count]), THUD_OK);
    made.count++;
    made.rows++;
    for (thud_index r = 0; r < made.rows * made.driven; r++) made.A[r] = thud_random_normal(&random);
    for (thud_index r = 0; r < made.rows * made.internal; r++) made.B[r] = thud_random_normal(&random);
    other_units units = make_units(&made, &random);
    thud_composition *c = compose(context, made.driven, made.internal, made.count, made.laws, made.A, made.B);
    thud_composition *other = compose_in_units(context, &made, &units);
    double W[3];
    for (thud_index j = 0; j < made.driven; j++) W[j] = thud_random_normal(&random);
    compare_in_units(&made, &units, c, other, W);
    thud_composition_destroy(c);
    thud_composition_destroy(other);
  }
  thud_test_context_end(context);
}

/* ---- parameters and failures ------------------------------------------------------------------------- */

static void laws_move_with_their_parameters_or_stay(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double A[] = {1, 0, 0, 1, 0, 0}, B[] = {1, 0, 1};
  thud_composition *c = wheel(context, 1, 0.5);
  const double moved[] = {0, 0, 2, -1, 1}, bad[] = {0, 0, 2, 1, -1}, infinite[] = {INFINITY, 0, 0, 1, 0, 0};
  assert_int_equal(thud_composition_place(c, moved, A, B), THUD_OK);
  thud_assert_near(solve(c, (const double[]){1, 0}).dissipation, 1, tolerance);
  assert_int_equal(thud_composition_place(c, bad, A, B), THUD_ERROR_EMPTY_SET);
  assert_int_equal(thud_composition_place(c, NULL, infinite, B), THUD_ERROR_NOT_FINITE);
  thud_assert_near(solve(c, (const double[]){1, 0}).dissipation, 1, tolerance);
  thud_composition_destroy(c);
  thud_test_context_end(context);
}

static void a_law_without_0_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *const laws[] = {ball(context, 1, 1), interval(context, 0.5, 1)};
  thud_composition *c = NULL;
  assert_int_equal(thud_composition_create(context, 1, 0, 2, laws, &c), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "law 1", "does not contain 0", NULL);
  assert_int_equal(thud_composition_create(context, 0, 0, 1, laws, &c), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_composition_create(context, 1, -1, 1, laws, &c), THUD_ERROR_ARGUMENT);
  assert_null(c);
  thud_set_destroy(laws[0]);
  thud_set_destroy(laws[1]);
  thud_test_context_end(context);
}

static thud_error make_and_ask(thud_context *context, void *user) {
  static const double A[] = {1, 0, 0, 1, 0, 0}, B[] = {1, 0, 1}, W[] = {1, 0};
  thud_set *laws[2] = {NULL, NULL};
  thud_composition *c = NULL;
  thud_composition_answer answer;
  double low[2], high[2], u_low, u_high;
  (void)user;
  thud_error error = thud_set_ball(context, 2, origin, 1, &laws[0]);
  if (error == THUD_OK) error = thud_set_interval(context, -1, 1, &laws[1]);
  if (error == THUD_OK) error = thud_composition_create(context, 2, 1, 2, laws, &c);
  if (error != THUD_OK) {
    thud_set_destroy(laws[0]);
    thud_set_destroy(laws[1]);
    return error;
  }
  error = thud_composition_place(c, NULL, A, B);
  if (error == THUD_OK) error = thud_composition_solve(c, W, &answer);
  if (error == THUD_OK) error = thud_composition_ranges(c, low, high, &u_low, &u_high);
  thud_composition_destroy(c);
  return error;
}

static void failing_allocations_are_reported_and_leak_nothing(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(make_and_ask, NULL), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(a_braked_wheel_has_a_flat_side_and_corners),
      cmocka_unit_test(the_extreme_brakes_give_a_segment_and_the_disc),
      cmocka_unit_test(at_rest_every_force_of_the_set_will_do),
      cmocka_unit_test(a_table_on_four_legs_resists_by_force_and_moment),
      cmocka_unit_test(a_leg_that_rests_leaves_the_force_open),
      cmocka_unit_test(a_rope_of_two_links_turns_as_it_costs_least),
      cmocka_unit_test(a_velocity_that_a_law_forbids_is_impossible),
      cmocka_unit_test(the_dissipation_is_the_support_function_of_the_quotient),
      cmocka_unit_test(the_ranges_are_the_one_sided_derivatives_of_the_dissipation),
      cmocka_unit_test(answers_do_not_depend_on_units),
      cmocka_unit_test(a_weak_law_beside_a_strong_one_keeps_its_force),
      cmocka_unit_test(many_mechanisms_of_any_strength_add_up),
      cmocka_unit_test(the_axes_of_one_law_may_have_different_units),
      cmocka_unit_test(laws_without_an_inside_or_bounds_do_not_depend_on_units),
      cmocka_unit_test(laws_move_with_their_parameters_or_stay),
      cmocka_unit_test(a_law_without_0_is_refused),
      cmocka_unit_test(failing_allocations_are_reported_and_leak_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
