/* Critical friction coefficients: published and recomputed values, closed forms, orders between the rows, invariances,
 * refusals and sentences. What uniqueness of rates means is tested in test_sim_critical_rates.c. */
#include "failing_allocator.h"
#include "random_matrices.h"
#include "testing.h"
#include "thud/critical.h"

#include <stdlib.h>
#include <string.h>

/* Matrices of the literature have U_N <= 0, R_N <= 0: changes the signs of N, for d components per contact. */
static void turn_normals(thud_index n, thud_index d, double *K) {
  size_t m = (size_t)(n * d);
  for (size_t j = 0; j < m; j++)
    for (size_t i = 0; i < m; i++)
      if ((i % (size_t)d == 0) != (j % (size_t)d == 0)) K[i + j * m] = -K[i + j * m];
}

static thud_critical *find_with(thud_context *context, thud_index n, thud_index d, const double *K, const double *ratio,
                                const thud_critical_options *options) {
  thud_critical *critical = NULL;
  assert_int_equal(thud_critical_find(context, n, d, K, ratio, options, &critical), THUD_OK);
  return critical;
}

static double value_of(const thud_critical *critical, thud_critical_id id) {
  const thud_critical_row *row = thud_critical_get(critical, id);
  assert_non_null(row);
  return row->value;
}

static void assert_modes(const thud_critical *critical, thud_critical_id id, const signed char *expected) {
  const thud_critical_row *row = thud_critical_get(critical, id);
  assert_non_null(row);
  assert_non_null(row->modes);
  assert_memory_equal(row->modes, expected, (size_t)critical->contacts);
}

/* Relative, for values found by halving; closed forms are good to rounding anyway. */
static const double FOUND = 1e-12;
/* One unit of the last of seven digits behind the point. */
static const double DIGIT = 1e-7;

/* ---- values ---------------------------------------------------------------------------------------------------- */

static void one_contact_in_space_has_the_reference_values(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double K[9] = {12, -.19, -14.4, -.19, 1, 0, -14.4, 0, 20};
  turn_normals(1, 3, K);
  thud_critical *critical = find_with(context, 1, 3, K, NULL, NULL);
  assert_int_equal(critical->row_count, THUD_CRITICAL_IDS);
  assert_true(isinf(value_of(critical, THUD_CRITICAL_STATIC)));
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), .0465924, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_EVOLUTION), .3100257, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_CONTRACTION), .3100257, DIGIT);
  const thud_critical_row *rate = thud_critical_get(critical, THUD_CRITICAL_RATE);
  thud_assert_near(rate->value, .5723639, DIGIT);
  thud_assert_equal(rate->kind, THUD_CRITICAL_EXACT);
  thud_assert_near(rate->direction[0], .97634, 1e-5);
  thud_assert_near(rate->direction[1], .21626, 1e-5);
  const thud_critical_row *wedging = thud_critical_get(critical, THUD_CRITICAL_WEDGING);
  thud_assert_near(wedging->value, 1.3429172, DIGIT);
  thud_assert_near(hypot(wedging->direction[0], wedging->direction[1]), 1, 1e-15);
  thud_assert_near(wedging->direction[0] * 14.4 / 20, wedging->direction[1] * .19, 1e-15); /* along K_T^-1 w */
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

static void two_contacts_have_the_reference_values(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double K[16] = {3, 1, -1, 0, 1, 2, 0, -.5, -1, 0, 3, -1, 0, -.5, -1, 2};
  turn_normals(2, 2, K);
  thud_critical *critical = find_with(context, 2, 2, K, NULL, NULL);
  thud_assert_near(critical->smallest, 1.1492189, DIGIT);
  assert_true(critical->definite);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), .2787265, DIGIT);
  thud_assert_equal(value_of(critical, THUD_CRITICAL_EVOLUTION), value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT));
  thud_assert_near(value_of(critical, THUD_CRITICAL_CONTRACTION), .5590170, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE), 1.5, FOUND);
  thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), 37. / 18, 2 * FOUND);
  assert_modes(critical, THUD_CRITICAL_RATE, (signed char[]){THUD_CRITICAL_BACKWARD, THUD_CRITICAL_FORWARD});
  const thud_critical_row *wedging = thud_critical_get(critical, THUD_CRITICAL_WEDGING);
  thud_assert_equal((wedging->modes[0] == THUD_CRITICAL_OPEN) + (wedging->modes[1] == THUD_CRITICAL_OPEN), 1);
  assert_int_equal(wedging->kind, THUD_CRITICAL_EXACT);
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

static void three_contacts_have_the_reference_values(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double blocks[3] = {1, 0, -1}, coupling[2][2] = {{-1, .5}, {-.5, -1}};
  double K[36] = {0};
  for (size_t i = 0; i < 3; i++) {
    K[2 * i + 6 * (2 * i)] = 4, K[2 * i + 1 + 6 * (2 * i + 1)] = 3;
    K[2 * i + 6 * (2 * i + 1)] = K[2 * i + 1 + 6 * (2 * i)] = blocks[i];
    for (size_t a = 0; i < 2 && a < 2; a++)
      for (size_t b = 0; b < 2; b++)
        K[2 * i + a + 6 * (2 * i + 2 + b)] = K[2 * i + 2 + b + 6 * (2 * i + a)] = coupling[a][b];
  }
  turn_normals(3, 2, K);
  thud_critical *critical = find_with(context, 3, 2, K, NULL, NULL);
  thud_assert_near(critical->smallest, 1.0838942, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), .1953885, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_CONTRACTION), .4747473, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE), 1.6413982, DIGIT);
  thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), 2.3706697, DIGIT);
  const thud_critical_row *rate = thud_critical_get(critical, THUD_CRITICAL_RATE);
  thud_assert_equal(rate->modes[0], THUD_CRITICAL_OPEN);
  thud_assert_equal(abs(rate->modes[1]), 1);
  thud_assert_equal(abs(rate->modes[2]), 1);
  thud_critical_destroy(critical);
  double history[16] = {4, -1, 0, .5, -1, 2, 1, 1, 0, 1, 4, .5, .5, 1, .5, 2};
  turn_normals(2, 2, history);
  critical = find_with(context, 2, 2, history, NULL, NULL);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE), .8860009, DIGIT);
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

/* (5), (6), (7) and wedging of [k_N w; w k_T]: the last three are all k_T/|w|. */
static void one_contact_in_the_plane_has_closed_forms(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  for (int k = 0; k < 200; k++) {
    double K[4];
    thud_test_random_spd(&random, 2, 1e-3, K);
    thud_critical *critical = find_with(context, 1, 2, K, NULL, NULL);
    double half = (K[0] + K[3]) / 2, lowest = half - hypot((K[0] - K[3]) / 2, K[1]), exact = K[3] / fabs(K[1]);
    thud_assert_near(value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), lowest / hypot(K[0], K[1]), 1e-12);
    thud_assert_near(value_of(critical, THUD_CRITICAL_RATE), exact, 1e-14 * exact);
    thud_assert_near(value_of(critical, THUD_CRITICAL_EVOLUTION), exact, 1e-14 * exact);
    thud_assert_near(value_of(critical, THUD_CRITICAL_CONTRACTION), exact, 1e-14 * exact);
    thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), exact, 1e-14 * exact);
    signed char sign = K[1] > 0 ? THUD_CRITICAL_FORWARD : THUD_CRITICAL_BACKWARD;
    assert_modes(critical, THUD_CRITICAL_RATE, &sign);
    assert_modes(critical, THUD_CRITICAL_WEDGING, &sign);
    thud_critical_destroy(critical);
  }
  thud_critical *uncoupled = find_with(context, 1, 2, (double[]){2, 0, 0, 1}, NULL, NULL);
  for (thud_critical_id id = THUD_CRITICAL_RATE; id < THUD_CRITICAL_IDS; id++)
    assert_true(isinf(value_of(uncoupled, id)));
  thud_assert_equal(value_of(uncoupled, THUD_CRITICAL_RATE_SUFFICIENT), .5);
  assert_null(thud_critical_get(uncoupled, THUD_CRITICAL_RATE)->modes);
  thud_critical_destroy(uncoupled);
  thud_test_context_end(context);
}

/* min over directions of e.K_T e/(w.e), by looking at many: the value is below all of them and attained by its e. */
static void rates_in_space_minimise_over_directions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  for (int k = 0; k < 300; k++) {
    double Q[9], K[9], least = INFINITY, ratio = pow(10, thud_random_uniform(&random, 0, 4));
    thud_test_random_orthogonal(&random, 3, Q);
    thud_test_random_with_eigenvalues(&random, 3, (double[]){1, ratio, thud_random_uniform(&random, 1, ratio)}, K);
    thud_critical *critical = find_with(context, 1, 3, K, NULL, NULL);
    const thud_critical_row *row = thud_critical_get(critical, THUD_CRITICAL_RATE);
    for (int angle = 0; angle <= 4000; angle++) {
      double q = 2 * acos(-1) * angle / 4000;
      double e[2] = {angle < 4000 ? cos(q) : row->direction[0], angle < 4000 ? sin(q) : row->direction[1]};
      double above = e[0] * (K[4] * e[0] + K[5] * e[1]) + e[1] * (K[7] * e[0] + K[8] * e[1]);
      double below = K[1] * e[0] + K[2] * e[1];
      if (below <= 0) continue;
      thud_assert_at_least(above / below, row->value * (1 - 1e-12));
      least = fmin(least, above / below);
      if (angle == 4000) thud_assert_near(above / below, row->value, 1e-10 * row->value);
    }
    thud_assert_at_most(least, row->value * (1 + 1e-10)); /* its own direction was among them */
    thud_assert_at_most(row->value, value_of(critical, THUD_CRITICAL_WEDGING) * (1 + 1e-12));
    thud_assert_at_least(row->value, value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT));
    thud_critical_destroy(critical);
  }
  thud_test_context_end(context);
}

/* K_T = k I: every coefficient but the first is k/|w|, along w. Also w along an axis, and the example with arbitrarily
 * small friction that has several evolutions. */
static void equal_tangential_stiffness_has_closed_forms(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const double w[][2] = {{.6, .3}, {-.5, .25}, {0, .8}, {-.8, 0}};
  for (size_t k = 0; k < sizeof w / sizeof *w; k++) {
    double K[9] = {2, w[k][0], w[k][1], w[k][0], 1.5, 0, w[k][1], 0, 1.5}, size = hypot(w[k][0], w[k][1]);
    thud_critical *critical = find_with(context, 1, 3, K, NULL, NULL);
    for (thud_critical_id id = THUD_CRITICAL_RATE; id < THUD_CRITICAL_IDS; id++)
      thud_assert_near(value_of(critical, id), 1.5 / size, 1e-14);
    const thud_critical_row *row = thud_critical_get(critical, THUD_CRITICAL_RATE);
    thud_assert_near(row->direction[0], w[k][0] / size, 1e-7);
    thud_assert_near(row->direction[1], w[k][1] / size, 1e-7);
    assert_int_equal(row->modes[0], THUD_CRITICAL_SLIP);
    thud_critical_destroy(critical);
  }
  /* w along the stiffer axis, b > 2 a: the least quotient is beside it: q = (a c^2 + b s^2)/(w s) at a c^2 = (b-2a) s^2 */
  double K[9] = {40, 0, 3, 0, 1, 0, 3, 0, 5}, s = sqrt(1. / 4), c = sqrt(3. / 4);
  thud_critical *critical = find_with(context, 1, 3, K, NULL, NULL);
  const thud_critical_row *row = thud_critical_get(critical, THUD_CRITICAL_RATE);
  thud_assert_near(row->value, (c * c + 5 * s * s) / (3 * s), 1e-14);
  thud_assert_near(fabs(row->direction[0]), c, 1e-7);
  thud_assert_near(row->direction[1], s, 1e-7);
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

/* Contacts that do not know of each other: the least of the single values, also with stiffnesses that differ a lot, and
 * mu_i = ratio_i mu multiplies each of them by 1/ratio_i. */
static void uncoupled_contacts_have_the_least_single_value(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < 40; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 4), m = 2 * n;
    double K[100] = {0}, ratio[5], least = INFINITY;
    thud_index place = 0;
    for (thud_index i = 0; i < n; i++) {
      double block[4], scale = pow(10, thud_random_uniform(&random, -5, 5));
      thud_test_random_spd(&random, 2, .1, block);
      ratio[i] = i == n - 1 ? 1 : thud_random_uniform(&random, .2, 1);
      for (thud_index c = 0; c < 4; c++) K[2 * i + c % 2 + (2 * i + c / 2) * m] = scale * block[c];
      if (block[3] / fabs(block[1]) / ratio[i] < least) least = block[3] / fabs(block[1]) / ratio[i], place = i;
    }
    thud_critical *critical = find_with(context, n, 2, K, ratio, NULL);
    thud_assert_near(value_of(critical, THUD_CRITICAL_RATE), least, FOUND * least);
    thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), least, 10 * FOUND * least);
    for (thud_index i = 0; i < n; i++)
      thud_assert_equal(abs(thud_critical_get(critical, THUD_CRITICAL_RATE)->modes[i]) == 1, i == place);
    thud_critical_destroy(critical);
  }
  thud_test_context_end(context);
}

/* a1 and a2 with ratios, on a matrix that makes them plain: K = diag but for one coupling. */
static void norms_take_the_ratios(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double K[16] = {4, 0, 0, 0, 0, 2, 0, 0, 0, 0, 9, 0, 0, 0, 0, 3}, ratio[2] = {1, .25};
  thud_critical *critical = find_with(context, 2, 2, K, ratio, NULL);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), 2 / 4., 1e-14); /* rows 4 and 9/4 */
  thud_assert_near(value_of(critical, THUD_CRITICAL_CONTRACTION), sqrt(2 / 4.), 1e-14);
  assert_true(isinf(value_of(critical, THUD_CRITICAL_RATE)));
  assert_true(isinf(value_of(critical, THUD_CRITICAL_WEDGING)));
  assert_int_equal(thud_critical_get(critical, THUD_CRITICAL_WEDGING)->kind, THUD_CRITICAL_EXACT);
  thud_critical_destroy(critical);
  critical = find_with(context, 2, 2, K, NULL, NULL);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), 2 / 9., 1e-14);
  thud_assert_near(value_of(critical, THUD_CRITICAL_CONTRACTION), sqrt(2 / 9.), 1e-14);
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

/* ---- wedging of two contacts, by looking at all directions ------------------------------------------------------ */

/* Least max |r_T|/r_N over u_T = (cos q, sin q) with both r_N > 0, refined around the best angle. */
static double both_closed(const double *K) {
  double centre = 0, width = acos(-1), best = INFINITY;
  for (int zoom = 0; zoom < 12; zoom++) {
    double at = centre;
    for (int k = -2000; k <= 2000; k++) {
      double q = centre + width * k / 2000, u[2] = {cos(q), sin(q)}, mu = 0;
      for (int i = 0; i < 2; i++) {
        double r_N = K[2 * i + 4] * u[0] + K[2 * i + 12] * u[1], r_T = K[2 * i + 5] * u[0] + K[2 * i + 13] * u[1];
        mu = r_N > 0 ? fmax(mu, fabs(r_T) / r_N) : INFINITY;
      }
      if (mu < best) best = mu, at = q;
    }
    centre = at;
    width /= 100;
  }
  return best;
}

/* Contact c closed, the other open and condensed: INFINITY when it would have to open inwards. */
static double one_closed(const double *K, int c) {
  const double *own = K + 2 * c + 4 * (2 * c), *other = K + 2 * (1 - c) + 4 * (2 * (1 - c));
  const double *cross = K + 2 * (1 - c) + 4 * (2 * c + 1); /* (r_N, r_T) of the other by u_T of this one */
  double determinant = other[0] * other[5] - other[1] * other[1];
  double u_N = -(other[5] * cross[0] - other[1] * cross[1]) / determinant;
  double u_T = -(other[0] * cross[1] - other[1] * cross[0]) / determinant;
  double r_N = own[4] + K[2 * c + 4 * (2 * (1 - c))] * u_N + K[2 * c + 4 * (2 * (1 - c) + 1)] * u_T;
  double r_T = own[5] + K[2 * c + 1 + 4 * (2 * (1 - c))] * u_N + K[2 * c + 1 + 4 * (2 * (1 - c) + 1)] * u_T;
  return r_N * u_N >= 0 ? fabs(r_T / r_N) : INFINITY; /* for u_T = sign(r_N) */
}

static void wedging_of_two_contacts_is_the_least_over_directions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(4);
  int one = 0, both = 0;
  for (int k = 0; k < 60; k++) {
    double K[16];
    thud_test_random_spd(&random, 4, .3, K);
    double alone = fmin(one_closed(K, 0), one_closed(K, 1)), together = both_closed(K), least = fmin(alone, together);
    one += alone < together, both += together < alone;
    thud_critical *critical = find_with(context, 2, 2, K, NULL, NULL);
    /* The angle of a minimum with a kink is found to 1e-22 of the circle; of a smooth one values are. */
    if (least < 1e4) thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), least, 1e-9 * least);
    thud_critical_destroy(critical);
  }
  thud_assert_at_least(one, 10);
  thud_assert_at_least(both, 10);
  thud_test_context_end(context);
}

/* The second contact is frictionless: closed with the first one it leaves one direction, r_T2 = 0, and must not pull. */
static void a_contact_without_friction_does_not_pull(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(14);
  int pulls = 0;
  for (int k = 0; k < 80; k++) {
    double K[16];
    thud_test_random_spd(&random, 4, .3, K);
    double u[2] = {K[15], -K[7]}, r_N[2], r_T = K[5] * u[0] + K[13] * u[1]; /* K(3, 1) u_1 + K(3, 3) u_2 = 0 */
    for (int i = 0; i < 2; i++) r_N[i] = K[2 * i + 4] * u[0] + K[2 * i + 12] * u[1];
    pulls += r_N[0] * r_N[1] < 0;
    double least = fmin(one_closed(K, 0), r_N[0] * r_N[1] > 0 ? fabs(r_T / r_N[0]) : INFINITY);
    thud_critical *critical = find_with(context, 2, 2, K, (double[]){1, 0}, NULL);
    double value = value_of(critical, THUD_CRITICAL_WEDGING);
    if (least < 1e4) thud_assert_near(value, least, 1e-9 * least);
    if (isinf(least)) assert_true(isinf(value));
    thud_critical_destroy(critical);
  }
  thud_assert_at_least(pulls, 20);
  thud_test_context_end(context);
}

/* ---- orders and invariances ------------------------------------------------------------------------------------ */

static void values_are_ordered(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (int k = 0; k < 120; k++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 4), d = 2 + (thud_index)thud_random_below(&random, 2);
    double K[144], ratio[4];
    thud_test_random_spd(&random, n * d, .2, K);
    for (thud_index i = 0; i < n; i++) ratio[i] = i == 0 ? 1 : thud_random_uniform(&random, 0, 1);
    thud_critical *critical = find_with(context, n, d, K, ratio, NULL);
    double a1 = value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT), a2 = value_of(critical, THUD_CRITICAL_CONTRACTION);
    double wedging = value_of(critical, THUD_CRITICAL_WEDGING), rate = value_of(critical, THUD_CRITICAL_RATE);
    thud_assert_greater(a1, 0);
    thud_assert_at_most(a1, a2 * (1 + 1e-12));      /* lmin(K) <= 1/lmax((K^-1)_TT), |K_N|^2 >= lmin(K) lmax(K_NN) */
    thud_assert_at_most(a2, wedging * (1 + 1e-12)); /* the same of one contact in the plane */
    thud_assert_at_most(value_of(critical, THUD_CRITICAL_EVOLUTION), a2 * (1 + 1e-12));
    if (n > 1 && d == 3) {
      assert_true(isnan(rate));
    } else {
      thud_assert_at_most(a1, rate);
      thud_assert_at_most(rate, wedging * (1 + 10 * FOUND));
    }
    for (size_t i = 0; i < critical->row_count; i++)
      if (!isnan(critical->rows[i].value)) thud_assert_at_most(critical->rows[i].low, critical->rows[i].value);
    thud_critical_destroy(critical);
  }
  thud_test_context_end(context);
}

/* K in another unit, contacts in another order, tangents turned around. */
static void values_do_not_depend_on_units_orders_and_tangents(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  for (int k = 0; k < 60; k++) {
    thud_index n = 1 + (thud_index)thud_random_below(&random, 4), d = 2 + (thud_index)thud_random_below(&random, 2);
    thud_index m = n * d, shift = (thud_index)thud_random_below(&random, (uint32_t)n);
    double K[144], other[144], ratio[4], moved[4], unit = pow(10, thud_random_uniform(&random, -200, 150));
    thud_test_random_spd(&random, m, .2, K);
    for (thud_index i = 0; i < n; i++) ratio[i] = i == 0 ? 1 : thud_random_uniform(&random, 0, 1);
    for (thud_index i = 0; i < n; i++) moved[(i + shift) % n] = ratio[i];
    for (thud_index i = 0; i < m; i++)
      for (thud_index j = 0; j < m; j++) {
        double turned = (i % d == 1) != (j % d == 1) ? -1 : 1;
        other[(i + shift * d) % m + (j + shift * d) % m * m] = unit * turned * K[i + j * m];
      }
    thud_critical *first = find_with(context, n, d, K, ratio, NULL);
    thud_critical *second = find_with(context, n, d, other, moved, NULL);
    for (thud_critical_id id = 0; id < THUD_CRITICAL_IDS; id++) {
      double value = value_of(first, id), again = value_of(second, id);
      /* Polygons in space do not turn with the tangents: low and value enclose both. */
      double tolerance = id == THUD_CRITICAL_WEDGING && d == 3 && n > 1 ? 1.3e-3 : 1e-10;
      if (isfinite(value)) thud_assert_near(again, value, tolerance * value);
      thud_assert_equal(isfinite(again), isfinite(value));
      thud_assert_equal(thud_critical_get(first, id)->kind, thud_critical_get(second, id)->kind);
    }
    thud_assert_near(second->largest / unit, first->largest, 1e-12 * first->largest);
    thud_critical_destroy(first);
    thud_critical_destroy(second);
  }
  thud_test_context_end(context);
}

/* ---- samples, space, singular matrices --------------------------------------------------------------------------- */

static void samples_bound_the_exact_values(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  thud_critical_options sampled = thud_critical_options_default();
  sampled.exact_contacts = 0;
  sampled.samples = 300;
  static const thud_critical_id ids[2] = {THUD_CRITICAL_RATE, THUD_CRITICAL_WEDGING};
  for (int k = 0; k < 60; k++) {
    thud_index n = 2 + (thud_index)thud_random_below(&random, 4);
    double K[100];
    thud_test_random_spd(&random, 2 * n, .2, K);
    thud_critical *exact = find_with(context, n, 2, K, NULL, NULL);
    thud_critical *other = find_with(context, n, 2, K, NULL, &sampled);
    for (size_t i = 0; i < 2; i++) {
      const thud_critical_row *row = thud_critical_get(other, ids[i]);
      double value = value_of(exact, ids[i]);
      assert_int_equal(row->kind, THUD_CRITICAL_SAMPLED);
      thud_assert_at_least(row->value, value * (1 - 10 * FOUND));
      thud_assert_at_most(row->low, value);
      thud_assert_greater(row->low, 0);
      thud_assert_at_most(value_of(other, THUD_CRITICAL_RATE), value_of(other, THUD_CRITICAL_WEDGING));
      /* 300 of 7 and of 3 combinations; a sample of wedging is an upper bound to 1e-4 */
      if (n == 2 && isfinite(value)) thud_assert_near(row->value, value, (i == 0 ? 10 * FOUND : 5e-4) * value);
    }
    thud_critical_destroy(exact);
    thud_critical_destroy(other);
  }
  thud_test_context_end(context);
}

/* Many contacts are sampled by themselves; the same seed gives the same bits. */
static void many_contacts_are_sampled_reproducibly(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  enum { N = 20, M = 2 * N };
  double *K = thud_test_doubles((size_t)M * M), values[2][THUD_CRITICAL_IDS];
  thud_test_random_spd(&random, M, 20, K);
  thud_critical_options options = thud_critical_options_default();
  options.samples = 200;
  for (size_t k = 0; k < 2; k++) {
    thud_critical *critical = find_with(context, N, 2, K, NULL, &options);
    for (thud_critical_id id = 0; id < THUD_CRITICAL_IDS; id++) values[k][id] = value_of(critical, id);
    const thud_critical_row *row = thud_critical_get(critical, THUD_CRITICAL_RATE);
    assert_int_equal(row->kind, THUD_CRITICAL_SAMPLED);
    thud_assert_at_least(row->examined, 200);
    thud_assert_equal(row->low, value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT));
    thud_critical_destroy(critical);
  }
  assert_memory_equal(values[0], values[1], sizeof values[0]);
  free(K);
  thud_test_context_end(context);
}

/* Every sample of contacts that do not know of each other has roots that are single values: none below the least. */
static void samples_of_uncoupled_contacts_find_no_smaller_root(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(10);
  enum { N = 25, M = 2 * N };
  double *K = thud_test_doubles((size_t)M * M), least = INFINITY;
  for (size_t i = 0; i < N; i++) {
    double block[4];
    thud_test_random_spd(&random, 2, .1, block);
    for (size_t c = 0; c < 4; c++) K[2 * i + c % 2 + M * (2 * i + c / 2)] = block[c];
    least = fmin(least, block[3] / fabs(block[1]));
  }
  thud_critical_options options = thud_critical_options_default();
  options.samples = 200;
  thud_critical *critical = find_with(context, N, 2, K, NULL, &options);
  thud_assert_near(value_of(critical, THUD_CRITICAL_RATE), least, FOUND * least);
  thud_assert_at_least(value_of(critical, THUD_CRITICAL_WEDGING), least * (1 - 10 * FOUND));
  thud_assert_at_most(value_of(critical, THUD_CRITICAL_WEDGING), least * (1 + 5e-4));
  thud_critical_destroy(critical);
  free(K);
  thud_test_context_end(context);
}

/* Two contacts in space that do not know of each other: the interval contains the least closed form. */
static void several_contacts_in_space_are_enclosed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(9);
  for (int k = 0; k < 30; k++) {
    double blocks[2][9], K[36] = {0}, least = INFINITY;
    for (size_t i = 0; i < 2; i++) {
      thud_test_random_spd(&random, 3, .1, blocks[i]);
      for (size_t c = 0; c < 9; c++) K[3 * i + c % 3 + 6 * (3 * i + c / 3)] = blocks[i][c];
      thud_critical *single = find_with(context, 1, 3, blocks[i], NULL, NULL);
      least = fmin(least, value_of(single, THUD_CRITICAL_WEDGING));
      thud_critical_destroy(single);
    }
    thud_critical *critical = find_with(context, 2, 3, K, NULL, NULL);
    const thud_critical_row *row = thud_critical_get(critical, THUD_CRITICAL_WEDGING);
    assert_int_equal(row->kind, THUD_CRITICAL_SAMPLED);
    thud_assert_at_least(row->value, least * (1 - 10 * FOUND));
    thud_assert_at_most(row->low, least * (1 + 10 * FOUND));
    thud_assert_at_least(row->low, row->value * .9987); /* cos(pi/64) = .99879 */
    row = thud_critical_get(critical, THUD_CRITICAL_RATE);
    assert_int_equal(row->kind, THUD_CRITICAL_UNKNOWN);
    assert_true(isnan(row->value));
    assert_string_equal(row->reason, "no exact value is known for several contacts in space");
    thud_assert_equal(row->low, value_of(critical, THUD_CRITICAL_RATE_SUFFICIENT));
    thud_critical_destroy(critical);
  }
  thud_test_context_end(context);
}

/* Two blocks joined by a spring, without another hold; and one contact on a rod. */
static void singular_stiffness_gives_zeros_with_the_reason(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double K[16] = {1, 0, 0, 0, 0, 1, 0, -1, 0, 0, 1, 0, 0, -1, 0, 1};
  thud_critical *critical = find_with(context, 2, 2, K, NULL, NULL);
  assert_false(critical->definite);
  for (thud_critical_id id = 0; id < THUD_CRITICAL_WEDGING; id++) {
    thud_assert_equal(value_of(critical, id), 0);
    assert_string_equal(thud_critical_get(critical, id)->reason,
                        "K is only positive semidefinite: a motion without stiffness is left");
  }
  assert_true(isinf(value_of(critical, THUD_CRITICAL_WEDGING))); /* no coupling: no self-stress */
  thud_critical_destroy(critical);
  critical = find_with(context, 1, 2, (double[]){1, .5, .5, .25}, NULL, NULL);
  thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), .5, 1e-14);
  thud_critical_destroy(critical);
  /* A null vector along T': wedging along T only, k_T/|w|; the same with a second such contact beside it. */
  double space[9] = {3, 1, 0, 1, 2, 0, 0, 0, 0}, two[36] = {0};
  critical = find_with(context, 1, 3, space, NULL, NULL);
  thud_assert_near(value_of(critical, THUD_CRITICAL_WEDGING), 2, 1e-14);
  thud_critical_destroy(critical);
  for (size_t c = 0; c < 9; c++) two[c % 3 + 6 * (c / 3)] = two[3 + c % 3 + 6 * (3 + c / 3)] = space[c];
  critical = find_with(context, 2, 3, two, NULL, NULL);
  thud_assert_at_least(value_of(critical, THUD_CRITICAL_WEDGING), 2 * (1 - FOUND));
  thud_assert_at_most(thud_critical_get(critical, THUD_CRITICAL_WEDGING)->low, 2 * (1 + FOUND));
  thud_critical_destroy(critical);
  critical = find_with(context, 1, 2, (double[4]){0}, NULL, NULL);
  assert_true(isinf(value_of(critical, THUD_CRITICAL_WEDGING)));
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

/* ---- refusals, sentences, memory --------------------------------------------------------------------------------- */

static void bad_arguments_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double K[4] = {2, 1, 1, 2}, asymmetric[4] = {2, 1, 1.1, 2}, indefinite[4] = {1, 2, 2, 1},
         nan_entry[4] = {2, NAN, 1, 2};
  thud_critical *critical = (thud_critical *)(void *)context, *before = critical;
  thud_critical_options options = thud_critical_options_default();
#define REFUSED(error, n, d, matrix, ratio, message)                                                                   \
  do {                                                                                                                 \
    assert_int_equal(thud_critical_find(context, n, d, matrix, ratio, &options, &critical), error);                    \
    assert_string_equal(thud_context_last_message(context), "critical coefficients: " message);                        \
    assert_ptr_equal(critical, before);                                                                                \
  } while (0)
  REFUSED(THUD_ERROR_DIMENSION, 1, 4, K, NULL, "4 components per contact; 1, 2 (plane) or 3 (space)");
  REFUSED(THUD_ERROR_DIMENSION, 1, 0, K, NULL, "0 components per contact; 1, 2 (plane) or 3 (space)");
  REFUSED(THUD_ERROR_ARGUMENT, 0, 2, K, NULL, "0 contacts; at least 1");
  REFUSED(THUD_ERROR_UNSUPPORTED, 1501, 2, K, NULL, "1501 contacts of 2 components; K may have 3000 rows at most");
  REFUSED(THUD_ERROR_UNSUPPORTED, INT32_MAX, 3, K, NULL,
          "2147483647 contacts of 3 components; K may have 3000 rows at most");
  REFUSED(THUD_ERROR_NOT_FINITE, 1, 2, nan_entry, NULL, "K(1, 0) is nan");
  REFUSED(THUD_ERROR_NOT_SPD, 1, 2, asymmetric, NULL, "K is not symmetric: K(1, 0) = 1, K(0, 1) = 1.1000000000000001");
  REFUSED(THUD_ERROR_NOT_SPD, 1, 2, indefinite, NULL, "K is indefinite: its eigenvalues reach from -1 to 3");
  REFUSED(THUD_ERROR_NOT_SPD, 2, 1, ((double[]){-1, 0, 0, -2}), NULL,
          "K is indefinite: its eigenvalues reach from -2 to -1");
  REFUSED(THUD_ERROR_ARGUMENT, 2, 1, K, ((double[]){1, 1.5}),
          "ratio 1.5 of contact 1 is not in [0, 1]; it is mu_i / max mu");
  REFUSED(THUD_ERROR_ARGUMENT, 2, 1, K, ((double[]){-.5, 1}),
          "ratio -0.5 of contact 0 is not in [0, 1]; it is mu_i / max mu");
  REFUSED(THUD_ERROR_NOT_FINITE, 2, 1, K, ((double[]){NAN, 1}),
          "ratio nan of contact 0 is not in [0, 1]; it is mu_i / max mu");
  REFUSED(THUD_ERROR_ARGUMENT, 2, 1, K, ((double[]){.5, .25}),
          "the largest ratio is 0.5; divide the coefficients by their largest one");
#undef REFUSED
  options.exact_contacts = 13;
  assert_int_equal(thud_critical_find(context, 1, 2, K, NULL, &options, &critical), THUD_ERROR_ARGUMENT);
  assert_ptr_equal(critical, before);
  /* Asymmetry and negative eigenvalues within the tolerance count as rounding. */
  asymmetric[2] = 1 + 1e-13;
  thud_critical_destroy(find_with(context, 1, 2, asymmetric, NULL, NULL));
  critical = find_with(context, 1, 2, (double[]){1, 1, 1, 1 - 1e-13}, NULL, NULL);
  assert_false(critical->definite);
  thud_critical_destroy(critical);
  thud_critical_destroy(NULL);
  assert_null(thud_critical_get(NULL, THUD_CRITICAL_RATE));
  thud_test_context_end(context);
}

static void one_component_has_no_friction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_critical *critical = find_with(context, 2, 1, (double[]){2, 1, 1, 2}, NULL, NULL);
  thud_assert_equal(critical->row_count, 0);
  assert_null(thud_critical_get(critical, THUD_CRITICAL_STATIC));
  thud_assert_near(critical->smallest, 1, 1e-14);
  thud_critical_destroy(critical);
  thud_test_context_end(context);
}

static void assert_sentence(const thud_critical_row *row, double mu, const char *expected) {
  char text[400];
  size_t length = thud_critical_describe(row, mu, text, sizeof text);
  assert_string_equal(text, expected);
  thud_assert_equal(length, strlen(expected));
}

static void sentences_compare_a_coefficient(void **state) {
  (void)state;
  thud_critical_row row = {.kind = THUD_CRITICAL_EXACT, .value = .5723639, .low = .5723639, .guarantees = "it holds"};
  assert_sentence(&row, .3, "it holds: mu < 0.572364 (exact); mu = 0.3 is below");
  assert_sentence(&row, .6, "it holds: mu < 0.572364 (exact); mu = 0.6 is not below: it is lost");
  assert_sentence(&row, NAN, "it holds: mu < 0.572364 (exact)");
  row.kind = THUD_CRITICAL_SUFFICIENT;
  row.vanishes_with_mesh = true;
  assert_sentence(&row, .6,
                  "it holds: mu < 0.572364 (sufficient); mu = 0.6 is not below: nothing is guaranteed; the stiffness "
                  "comes from a discretised continuum, and this coefficient vanishes as the mesh is refined");
  row = (thud_critical_row){.kind = THUD_CRITICAL_SAMPLED, .value = 2, .low = .5, .guarantees = "it holds"};
  assert_sentence(&row, .4, "it holds: mu < 0.5, lost from 2 on (sampled, undecided between); mu = 0.4 is below");
  assert_sentence(&row, 1, "it holds: mu < 0.5, lost from 2 on (sampled, undecided between); mu = 1 is not decided");
  assert_sentence(&row, 2,
                  "it holds: mu < 0.5, lost from 2 on (sampled, undecided between); mu = 2 is not below: it is lost");
  row.value = INFINITY;
  assert_sentence(&row, 2, "it holds: mu < 0.5; nothing against it was found above (sampled); mu = 2 is not decided");
  row = (thud_critical_row){.kind = THUD_CRITICAL_UNKNOWN, .value = NAN, .low = .5, .guarantees = "it holds"};
  row.reason = "nobody knows";
  assert_sentence(&row, .4, "it holds: mu < 0.5, the critical value is not known: nobody knows; mu = 0.4 is below");
  assert_sentence(&row, 1, "it holds: mu < 0.5, the critical value is not known: nobody knows; mu = 1 is not decided");
  row = (thud_critical_row){.kind = THUD_CRITICAL_SUFFICIENT, .guarantees = "it holds", .reason = "K is singular"};
  assert_sentence(&row, .1,
                  "it holds: for no mu (sufficient): K is singular; mu = 0.1 is not below: nothing is guaranteed");
  row = (thud_critical_row){.value = INFINITY, .low = INFINITY, .guarantees = "it holds"};
  assert_sentence(&row, 7, "it holds: every mu (exact)");
  char cut[12];
  thud_assert_equal(thud_critical_describe(&row, NAN, cut, sizeof cut), strlen("it holds: every mu (exact)"));
  assert_string_equal(cut, "it holds: e");
  thud_assert_equal(thud_critical_describe(&row, NAN, NULL, 0), strlen("it holds: every mu (exact)"));
  thud_assert_equal(thud_critical_describe(NULL, NAN, cut, sizeof cut), 0);
  assert_string_equal(thud_critical_name(THUD_CRITICAL_WEDGING), "wedging");
  assert_string_equal(thud_critical_name(THUD_CRITICAL_IDS), "unknown");
  assert_string_equal(thud_critical_kind_name(THUD_CRITICAL_UNKNOWN), "unknown");
}

static void the_rows_have_texts_and_marks(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_critical_options options = thud_critical_options_default();
  double K[16] = {3, -1, -1, 0, -1, 2, 0, -.5, -1, 0, 3, 1, 0, -.5, 1, 2};
  static const struct {
    const char *name, *guarantees;
    bool vanishes;
  } expected[THUD_CRITICAL_IDS] = {
      {"static-existence", "a static solution for every load", false},
      {"evolution-existence", "an evolution for every load history", true},
      {"rate-sufficient", "one rate solution for every load", true},
      {"rate", "one rate solution for every load", false},
      {"contraction", "one static solution for every load, by a contracting iteration", true},
      {"wedging", "no wedging (reactions that hold themselves without load)", false},
  };
  for (int continuum = 0; continuum < 2; continuum++) {
    options.continuum = continuum != 0;
    thud_critical *critical = find_with(context, 2, 2, K, NULL, &options);
    for (thud_critical_id id = 0; id < THUD_CRITICAL_IDS; id++) {
      const thud_critical_row *row = thud_critical_get(critical, id);
      assert_int_equal(row->id, id);
      assert_string_equal(thud_critical_name(id), expected[id].name);
      assert_string_equal(row->guarantees, expected[id].guarantees);
      assert_null(row->reason);
      thud_assert_equal(row->vanishes_with_mesh, options.continuum && expected[id].vanishes);
    }
    thud_critical_destroy(critical);
  }
  thud_test_context_end(context);
}

typedef struct sweep_case {
  thud_index contacts, components;
  int exact_contacts;
} sweep_case;

static thud_error find_run(thud_context *context, void *user) {
  const sweep_case *sweep = user;
  double K[36] = {0};
  thud_index m = sweep->contacts * sweep->components;
  for (thud_index i = 0; i < m; i++)
    for (thud_index j = 0; j < m; j++) K[i + j * m] = i == j ? 3 : .25;
  thud_critical_options options = thud_critical_options_default();
  options.exact_contacts = sweep->exact_contacts;
  options.samples = 5;
  thud_critical *critical = NULL;
  thud_error error = thud_critical_find(context, sweep->contacts, sweep->components, K, NULL, &options, &critical);
  thud_assert_equal(critical != NULL, error == THUD_OK);
  thud_critical_destroy(critical);
  return error;
}

static void failed_allocations_leak_nothing(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(find_run, &(sweep_case){2, 2, 4}), 20);
  thud_assert_at_least(thud_test_sweep_allocations(find_run, &(sweep_case){2, 2, 0}), 20);
  thud_assert_at_least(thud_test_sweep_allocations(find_run, &(sweep_case){2, 3, 4}), 15);
  thud_assert_at_least(thud_test_sweep_allocations(find_run, &(sweep_case){1, 3, 4}), 5);
  thud_assert_at_least(thud_test_sweep_allocations(find_run, &(sweep_case){1, 2, 4}), 5);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_contact_in_space_has_the_reference_values),
      cmocka_unit_test(two_contacts_have_the_reference_values),
      cmocka_unit_test(three_contacts_have_the_reference_values),
      cmocka_unit_test(one_contact_in_the_plane_has_closed_forms),
      cmocka_unit_test(rates_in_space_minimise_over_directions),
      cmocka_unit_test(equal_tangential_stiffness_has_closed_forms),
      cmocka_unit_test(uncoupled_contacts_have_the_least_single_value),
      cmocka_unit_test(norms_take_the_ratios),
      cmocka_unit_test(wedging_of_two_contacts_is_the_least_over_directions),
      cmocka_unit_test(a_contact_without_friction_does_not_pull),
      cmocka_unit_test(values_are_ordered),
      cmocka_unit_test(values_do_not_depend_on_units_orders_and_tangents),
      cmocka_unit_test(samples_bound_the_exact_values),
      cmocka_unit_test(many_contacts_are_sampled_reproducibly),
      cmocka_unit_test(samples_of_uncoupled_contacts_find_no_smaller_root),
      cmocka_unit_test(several_contacts_in_space_are_enclosed),
      cmocka_unit_test(singular_stiffness_gives_zeros_with_the_reason),
      cmocka_unit_test(bad_arguments_are_refused),
      cmocka_unit_test(one_component_has_no_friction),
      cmocka_unit_test(sentences_compare_a_coefficient),
      cmocka_unit_test(the_rows_have_texts_and_marks),
      cmocka_unit_test(failed_allocations_leak_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
