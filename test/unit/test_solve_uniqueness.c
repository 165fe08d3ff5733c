/* Uniqueness of forces and their intervals: tables, beams, wedges and grooves with closed forms. */
#include "uniqueness_cases.h"
#include "thud/solve.h"
#include "thud/uniqueness.h"
#include "failing_allocator.h"
#include "random_problems.h"
#include "testing.h"

#include <math.h>
#include <string.h>

/* ---- statics -------------------------------------------------------------------------------------------------- */

/* Height and two rotations of a table on legs at (+-1, +-1) with the load N at (a, b): the forces are
 * N/4 (1 + a x + b y) + s x y, so that the interval of the leg at (x, y) is that of the s with all forces >= 0. */
static void four_leg_table(void **state) {
  (void)state;
  static const double loads[][2] = {{0, 0}, {0.5, 0}, {0.3, -0.4}, {-0.2, 0.7}};
  const double N = 8, legs[4][2] = {{1, 1}, {-1, 1}, {-1, -1}, {1, -1}};
  for (size_t c = 0; c < sizeof loads / sizeof *loads; c++) {
    rest table = {.dimension = 1, .contacts = 4, .ndof = 3};
    double even[4], low = -INFINITY, high = INFINITY, expected[4][2];
    for (int k = 0; k < 4; k++) {
      double x = legs[k][0], y = legs[k][1];
      set_column(&table, k, (const double[]){1, y, -x});
      even[k] = N / 4 * (1 + loads[c][0] * x + loads[c][1] * y);
      if (x * y > 0) low = fmax(low, -even[k]);
      if (x * y < 0) high = fmin(high, even[k]);
    }
    for (int k = 0; k < 4; k++) {
      double sign = legs[k][0] * legs[k][1];
      expected[k][0] = even[k] + (sign > 0 ? low : -high);
      expected[k][1] = even[k] + (sign > 0 ? high : -low);
      table.r[k] = even[k] + sign * (0.3 * low + 0.7 * high);
    }
    settle(&table);
    if (c == 0)
      for (int k = 0; k < 4; k++) {
        thud_assert_equal(expected[k][0], 0);
        thud_assert_equal(expected[k][1], N / 2);
      }
    expect_in_both_forms(&table, THUD_FORCES_NOT_UNIQUE, expected, 1e-12 * N);
  }
}

/* Supports at -1, 0, 1 and the load N at c: (t, N - 2t - Nc, t + Nc). */
static void beam_on_three_supports(void **state) {
  (void)state;
  const double N = 8, c = 0.25, t = 1;
  rest beam = {.dimension = 1, .contacts = 3, .ndof = 2, .r = {t, N - 2 * t - N * c, t + N * c}};
  for (int k = 0; k < 3; k++) set_column(&beam, k, (const double[]){1, k - 1});
  settle(&beam);
  const double expected[3][2] = {{0, 3}, {0, 6}, {2, 5}};
  expect_in_both_forms(&beam, THUD_FORCES_NOT_UNIQUE, expected, 1e-11);
}

/* The load above the last support leaves t = 0 only: the columns depend on each other, the forces are unique. */
static void beam_loaded_at_its_end_is_unique(void **state) {
  (void)state;
  rest beam = {.dimension = 1, .contacts = 3, .ndof = 2, .r = {0, 0, 8}};
  for (int k = 0; k < 3; k++) set_column(&beam, k, (const double[]){1, k - 1});
  settle(&beam);
  const double expected[3][2] = {{0, 0}, {0, 0}, {8, 8}};
  expect_in_both_forms(&beam, THUD_FORCES_UNIQUE, expected, 1e-10);
}

/* Without friction between two walls, on a floor: the walls press at will, the floor carries the weight. */
static void wedged_block_has_no_upper_end(void **state) {
  (void)state;
  rest block = {.dimension = 1, .contacts = 3, .ndof = 2, .r = {2, 2, 5}};
  set_column(&block, 0, (const double[]){1, 0});
  set_column(&block, 1, (const double[]){-1, 0});
  set_column(&block, 2, (const double[]){0, 1});
  settle(&block);
  const double expected[3][2] = {{0, INFINITY}, {0, INFINITY}, {5, 5}};
  expect_in_both_forms(&block, THUD_FORCES_NOT_UNIQUE, expected, 1e-10);
  thud_context *context = thud_test_context(1);
  thud_contact_problem problem = problem_of(&block, THUD_FORM_LOCAL);
  thud_force_set *set = set_of(context, &problem, block.r, block.u);
  thud_force_interval found;
  double ray[3];
  assert_int_equal(thud_force_set_interval(set, 0, &found, NULL, ray), THUD_OK);
  assert_true(found.limited);
  assert_near("ray", 0, ray[0], 0.5, 1e-10);
  assert_near("ray", 1, ray[1], 0.5, 1e-10);
  assert_near("ray", 2, ray[2], 0, 1e-10);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* ---- friction -------------------------------------------------------------------------------------------------- */

/* A block of weight G held between two walls by friction: T = G/2 at each, hence r_N >= G/(2 mu), no upper end. In
 * space turning about the vertical axis forbids horizontal friction. */
static void friction_between_two_walls(void **state) {
  (void)state;
  const double G = 3, mu = 0.4;
  rest plane = {.dimension = 2, .contacts = 2, .ndof = 3, .mu = {mu, mu}, .r = {7, G / 2, 7, G / 2}};
  set_column(&plane, 0, (const double[]){1, 0, 0}); /* left wall: normal +x, tangent +y, lever -1 */
  set_column(&plane, 1, (const double[]){0, 1, -1});
  set_column(&plane, 2, (const double[]){-1, 0, 0});
  set_column(&plane, 3, (const double[]){0, 1, 1});
  settle(&plane);
  const double expected[2][2] = {{G / (2 * mu), INFINITY}, {G / (2 * mu), INFINITY}};
  expect_in_both_forms(&plane, THUD_FORCES_NOT_UNIQUE, expected, 1e-11);
  /* velocity (x, y, z), rotation (x, y, z); tangents y (horizontal) and z (up) at (-+1, 0, 0) */
  rest space = {.dimension = 3, .contacts = 2, .ndof = 6, .mu = {mu, mu}, .r = {7, 0, G / 2, 7, 0, G / 2}};
  for (int k = 0; k < 2; k++) {
    double x = k == 0 ? -1 : 1;
    set_column(&space, 3 * k, (const double[]){-x, 0, 0, 0, 0, 0});
    set_column(&space, 3 * k + 1, (const double[]){0, 1, 0, 0, 0, x});
    set_column(&space, 3 * k + 2, (const double[]){0, 0, 1, 0, -x, 0});
  }
  settle(&space);
  expect_in_both_forms(&space, THUD_FORCES_NOT_UNIQUE, expected, 1e-6);
}

/* A particle of weight N in a groove whose sides have normals at the angles +-a to the vertical, friction angle p. The
 * forces at the angles t1, t2 in [a - p, a + p] to the vertical have sizes N sin t2 / sin(t1 + t2) and the other way
 * round; r_N = size cos(t1 - a). The set is a polyhedron in the plane, so that ends are at corners of (t1, t2); in
 * space a solution and its mirror image have a mean without components along the groove, so that the ends are the same.
 */
static double groove_force(double N, double a, double t1, double t2) {
  return N * sin(t2) / sin(t1 + t2) * cos(t1 - a);
}

static rest particle_in_groove(thud_index dimension, double N, double a, double mu) {
  rest particle = {.dimension = dimension, .contacts = 2, .ndof = dimension, .mu = {mu, mu}};
  for (int k = 0; k < 2; k++) {
    double side = k == 0 ? 1 : -1;
    thud_index first = k * dimension;
    const double normal[3] = {side * sin(a), cos(a), 0}, up[3] = {side * cos(a), -sin(a), 0}, along[3] = {0, 0, 1};
    set_column(&particle, first, normal);
    set_column(&particle, first + 1, up);
    if (dimension == 3) set_column(&particle, first + 2, along);
    particle.r[first] = N / 2 * cos(a); /* the force of either side is vertical */
    particle.r[first + 1] = -N / 2 * sin(a);
  }
  settle(&particle);
  return particle;
}

static void groove_with_friction(void **state) {
  (void)state;
  const double N = 6, a = 0.6, mu = 0.9, p = atan(mu); /* a < p: a vertical force is possible; a + p < pi/2 */
  double low = INFINITY, high = 0;
  for (int i = 0; i < 4; i++) {
    double t1 = a + (i % 2 == 0 ? p : -p), t2 = a + (i / 2 == 0 ? p : -p);
    if (!(sin(t1 + t2) > 0)) continue;
    high = fmax(high, groove_force(N, a, t1, t2));
  }
  /* a - p < 0: a side can be left out, its force being 0 when the other's is vertical */
  low = 0;
  const double expected[2][2] = {{low, high}, {low, high}};
  rest plane = particle_in_groove(2, N, a, mu), space = particle_in_groove(3, N, a, mu);
  expect_in_both_forms(&plane, THUD_FORCES_NOT_UNIQUE, expected, 1e-11 * N);
  expect_in_both_forms(&space, THUD_FORCES_NOT_UNIQUE, expected, 1e-6 * N);
}

/* a + p > pi/2: the particle can be jammed. */
static void steep_groove_jams(void **state) {
  (void)state;
  const double N = 6, a = 1.1, mu = 2.2;
  const double expected[2][2] = {{0, INFINITY}, {0, INFINITY}};
  rest plane = particle_in_groove(2, N, a, mu), space = particle_in_groove(3, N, a, mu);
  expect_in_both_forms(&plane, THUD_FORCES_NOT_UNIQUE, expected, 1e-9 * N);
  expect_in_both_forms(&space, THUD_FORCES_NOT_UNIQUE, expected, 1e-6 * N);
}

/* A bar on two supports: normal forces are known, but they may pull at each other along the bar. */
static void tangential_stress_alone_is_not_unique(void **state) {
  (void)state;
  rest bar = {.dimension = 3, .contacts = 2, .ndof = 6, .mu = {0.3, 0.3}, .r = {2, 0, 0, 2, 0, 0}};
  for (int k = 0; k < 2; k++) { /* normal z, tangents x and y at (-+1, 0, 0) */
    double x = k == 0 ? -1 : 1;
    set_column(&bar, 3 * k, (const double[]){0, 0, 1, 0, -x, 0});
    set_column(&bar, 3 * k + 1, (const double[]){1, 0, 0, 0, 0, 0});
    set_column(&bar, 3 * k + 2, (const double[]){0, 1, 0, 0, 0, x});
  }
  settle(&bar);
  const double expected[2][2] = {{2, 2}, {2, 2}};
  expect_in_both_forms(&bar, THUD_FORCES_NOT_UNIQUE, expected, 1e-6);
}

/* Two supports that resist rolling by up to mu_r r_N: |r_N1 - r_N2| <= mu_r N for the distance 2 between them. */
static void rolling_resistance_widens_intervals(void **state) {
  (void)state;
  const double N = 4, mu_r = 0.25;
  const double expected[2][2] = {{N / 2 * (1 - mu_r), N / 2 * (1 + mu_r)}, {N / 2 * (1 - mu_r), N / 2 * (1 + mu_r)}};
  for (thud_index d = 5; d <= 6; d++) { /* 6: spinning about the vertical axis as well */
    rest bar = {.dimension = d, .contacts = 2, .ndof = 6, .mu = {0.3, 0.3}, .mu_rolling = {mu_r, mu_r}};
    bar.mu_spinning[0] = bar.mu_spinning[1] = 0.1;
    for (int k = 0; k < 2; k++) {
      double x = k == 0 ? -1 : 1;
      set_column(&bar, d * k, (const double[]){0, 0, 1, 0, -x, 0});
      set_column(&bar, d * k + 1, (const double[]){1, 0, 0, 0, 0, 0});
      set_column(&bar, d * k + 2, (const double[]){0, 1, 0, 0, 0, x});
      set_column(&bar, d * k + 3, (const double[]){0, 0, 0, 1, 0, 0});
      set_column(&bar, d * k + 4, (const double[]){0, 0, 0, 0, 1, 0});
      if (d == 6) set_column(&bar, d * k + 5, (const double[]){0, 0, 0, 0, 0, 1});
      bar.r[d * k] = N / 2;
    }
    settle(&bar);
    expect_in_both_forms(&bar, THUD_FORCES_NOT_UNIQUE, expected, 1e-6);
  }
  rest plane = {.dimension = 3, .contacts = 2, .ndof = 3, .mu = {0.3, 0.3}, .mu_rolling = {mu_r, mu_r}};
  plane.friction = THUD_FRICTION_PLANE_ROLLING;
  for (int k = 0; k < 2; k++) {
    set_column(&plane, 3 * k, (const double[]){0, 1, k == 0 ? -1 : 1});
    set_column(&plane, 3 * k + 1, (const double[]){1, 0, 0});
    set_column(&plane, 3 * k + 2, (const double[]){0, 0, 1});
    plane.r[3 * k] = N / 2;
  }
  settle(&plane);
  expect_in_both_forms(&plane, THUD_FORCES_NOT_UNIQUE, expected, 1e-9);
}

/* A disc between two plates that are pressed on with N each, turned by the torque M about the normal: r_S1 + r_S2 = M
 * with |r_S| <= mu_s N is shared in many ways while r_N = N. Where it turns, r_S = mu_s N at both. */
static void spinning_resistance_may_be_shared_in_many_ways(void **state) {
  (void)state;
  const double N = 4, mu_s = 0.25, M = 1.2;
  rest disc = {.dimension = 4, .contacts = 2, .ndof = 7, .mu_spinning = {mu_s, mu_s}};
  for (int k = 0; k < 2; k++) { /* one coordinate of its own for the normal direction of each */
    set_column(&disc, 4 * k, (const double[]){k == 0 ? 1 : 0, k == 1 ? 1 : 0, 0, 0, 0, 0, 0});
    set_column(&disc, 4 * k + 1, (const double[]){0, 0, k == 0 ? 1 : 0, k == 1 ? 1 : 0, 0, 0, 0});
    set_column(&disc, 4 * k + 2, (const double[]){0, 0, 0, 0, k == 0 ? 1 : 0, k == 1 ? 1 : 0, 0});
    set_column(&disc, 4 * k + 3, (const double[]){0, 0, 0, 0, 0, 0, 1});
    disc.r[4 * k] = N;
    disc.r[4 * k + 3] = M / 2;
  }
  settle(&disc);
  const double expected[2][2] = {{N, N}, {N, N}};
  expect_in_both_forms(&disc, THUD_FORCES_NOT_UNIQUE, expected, 1e-9);
  disc.u[7] = disc.u[3] = -0.5; /* turning instead: both resist with all they have, against the motion */
  disc.r[7] = disc.r[3] = mu_s * N;
  memset(disc.f, 0, sizeof disc.f);
  memset(disc.W, 0, sizeof disc.W);
  memset(disc.q, 0, sizeof disc.q);
  settle(&disc);
  disc.f[6] -= 0.5;
  disc.q[3] -= 0.5;
  disc.q[7] -= 0.5;
  expect_in_both_forms(&disc, THUD_FORCES_UNIQUE, expected, 1e-9);
}

/* The same bar sliding along y: friction is fixed to -mu r_N, what is left is nothing. And sliding at one contact only,
 * which the other need not share since nothing here asks for consistency of u with a motion: the ray is all that is
 * left of that contact's cone. */
static void sliding_contacts_keep_one_direction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest bar = {.dimension = 3, .contacts = 2, .ndof = 6, .mu = {0.5, 0.5}, .r = {2, 0, -1, 2, 0, -1}};
  for (int k = 0; k < 2; k++) {
    double x = k == 0 ? -1 : 1;
    set_column(&bar, 3 * k, (const double[]){0, 0, 1, 0, -x, 0});
    set_column(&bar, 3 * k + 1, (const double[]){1, 0, 0, 0, 0, 0});
    set_column(&bar, 3 * k + 2, (const double[]){0, 1, 0, 0, 0, x});
  }
  settle(&bar);
  bar.u[2] = bar.u[5] = 3;
  bar.f[1] += 3;
  thud_contact_problem problem = problem_of(&bar, THUD_FORM_GLOBAL);
  thud_force_set *set = set_of(context, &problem, bar.r, bar.u);
  thud_uniqueness_info info;
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
  assert_int_equal(info.verdict, THUD_FORCES_UNIQUE);
  assert_int_equal(info.sliding, 2);
  assert_int_equal(info.coordinates, 2);
  assert_int_equal(info.freedom, 0);
  thud_assert_less(info.moved, 1e-15);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* A load on the edge of the first cone, and a second contact (normal x) that could only make it worse as long as mu mu2
 * < 1: one solution, though r may change in three directions and has no room to. */
static void unique_on_the_edge_of_a_cone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest particle = {.dimension = 3, .contacts = 2, .ndof = 3, .mu = {0.5, 0.7}, .r = {2, -1, 0, 0, 0, 0}};
  const double axes[3][3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  set_column(&particle, 0, axes[2]);
  set_column(&particle, 1, axes[0]);
  set_column(&particle, 2, axes[1]);
  for (int i = 0; i < 3; i++) set_column(&particle, 3 + i, axes[i]);
  settle(&particle);
  thud_contact_problem problem = problem_of(&particle, THUD_FORM_GLOBAL);
  thud_force_set *set = set_of(context, &problem, particle.r, particle.u);
  thud_uniqueness_info info;
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
  assert_int_equal(info.freedom, 3);
  if (info.verdict != THUD_FORCES_UNIQUE)
    fail_msg("verdict %d, width %g..%g", info.verdict, info.width, info.width_outer);
  expect_interval(context, set, &problem, 0, 2, 2, 1e-6);
  expect_interval(context, set, &problem, 1, 0, 0, 1e-6);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* ---- the rest -------------------------------------------------------------------------------------------------- */

/* Two bilateral rows that say the same leave only l free; a bilateral row that can take over a leg's force does more.
 */
static void bilateral_rows(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest beam = {.dimension = 1, .contacts = 2, .ndof = 2, .r = {3, 5}};
  set_column(&beam, 0, (const double[]){1, -1});
  set_column(&beam, 1, (const double[]){1, 1});
  settle(&beam);
  const double twice[4] = {0, 1, 0, 2}, lifted[2] = {1, 0};
  thud_contact_problem problem = problem_of(&beam, THUD_FORM_GLOBAL);
  problem.bilateral = 2;
  problem.G = dense(2, 2, twice);
  thud_force_set *set = set_of(context, &problem, beam.r, beam.u);
  thud_uniqueness_info info; /* turning is taken over: the two legs share the weight as they like */
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
  assert_int_equal(info.verdict, THUD_FORCES_NOT_UNIQUE);
  assert_int_equal(info.freedom, 1);
  thud_force_interval found;
  assert_int_equal(thud_force_set_interval(set, 0, &found, NULL, NULL), THUD_OK);
  assert_near("low", 0, found.low, 0, 1e-12);
  assert_near("high", 0, found.high, 8, 1e-12);
  thud_force_set_destroy(set);
  problem.bilateral = 1; /* height is taken over: the legs only keep their difference */
  problem.G = dense(2, 1, lifted);
  set = set_of(context, &problem, beam.r, beam.u);
  assert_int_equal(thud_force_set_interval(set, 0, &found, NULL, NULL), THUD_OK);
  assert_near("low", 0, found.low, 0, 1e-12);
  assert_true(isinf(found.high));
  thud_force_set_destroy(set);
  const double W[4] = {2, 0, 0, 2}, V[4] = {-1, 1, -2, 2}, R[4] = {1, 2, 2, 4}, q[2] = {0, 0}, s[2] = {0, 0};
  thud_contact_problem local = {.form = THUD_FORM_LOCAL,
                                .dimension = 1,
                                .contacts = 2,
                                .bilateral = 2,
                                .W = dense(2, 2, W),
                                .q = q,
                                .V = dense(2, 2, V),
                                .R = dense(2, 2, R),
                                .s = s};
  set = set_of(context, &local, beam.r, beam.u); /* H = [1 1; -1 1], G = (0, 1), (0, 2): the first case */
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
  assert_int_equal(info.freedom, 1);
  assert_int_equal(thud_force_set_interval(set, 1, &found, NULL, NULL), THUD_OK);
  assert_near("high", 1, found.high, 8, 1e-12);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

static void laws(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest particle = particle_in_groove(2, 6, 0.6, 0.9);
  thud_set *intervals[2] = {NULL, NULL}, *discs[2] = {NULL, NULL};
  for (int k = 0; k < 2; k++) assert_int_equal(thud_set_interval(context, -0.9, 0.9, &intervals[k]), THUD_OK);
  thud_contact_problem problem = problem_of(&particle, THUD_FORM_GLOBAL);
  thud_force_interval with_mu, with_law;
  thud_force_set *set = set_of(context, &problem, particle.r, particle.u);
  assert_int_equal(thud_force_set_interval(set, 0, &with_mu, NULL, NULL), THUD_OK);
  thud_force_set_destroy(set);
  problem.laws = intervals;
  set = set_of(context, &problem, particle.r, particle.u);
  assert_int_equal(thud_force_set_interval(set, 0, &with_law, NULL, NULL), THUD_OK);
  assert_near("high", 0, with_law.high, with_mu.high, 1e-12);
  thud_force_set_destroy(set);
  for (int k = 0; k < 2; k++) {
    thud_set_destroy(intervals[k]);
    assert_int_equal(thud_set_ball(context, 2, (const double[]){0, 0}, 0.9, &discs[k]), THUD_OK);
  }
  particle = particle_in_groove(3, 6, 0.6, 0.9);
  problem = problem_of(&particle, THUD_FORM_GLOBAL);
  problem.laws = discs;
  set = set_of(context, &problem, particle.r, particle.u);
  assert_int_equal(verdict_of(set), THUD_FORCES_UNDECIDED);
  assert_int_equal(thud_force_set_interval(set, 0, &with_law, NULL, NULL), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context, "intervals of forces are not known for general laws in space", NULL);
  thud_force_set_destroy(set);
  for (int k = 0; k < 2; k++) thud_set_destroy(discs[k]);
  thud_test_context_end(context);
}

/* The friction of a sliding contact is wrong by half: nothing is claimed. */
static void inaccurate_answers_are_undecided(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest particle = particle_in_groove(2, 6, 0.6, 0.9);
  particle.u[1] = 1;
  thud_contact_problem problem = problem_of(&particle, THUD_FORM_LOCAL);
  thud_force_set *set = set_of(context, &problem, particle.r, particle.u);
  thud_uniqueness_info info;
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_OK);
  assert_int_equal(info.verdict, THUD_FORCES_UNDECIDED);
  assert_int_equal(info.moved_contact, 0);
  thud_assert_greater(info.moved, 0.1);
  thud_force_interval found;
  assert_int_equal(thud_force_set_interval(set, 0, &found, NULL, NULL), THUD_OK);
  thud_assert_equal(found.low_outer, 0);
  assert_true(isinf(found.high_outer));
  assert_true(found.limited);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

/* The beam loaded at its end needs the extent along one direction: two programs. */
static void programs_are_counted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest beam = {.dimension = 1, .contacts = 3, .ndof = 2, .r = {0, 0, 8}};
  for (int k = 0; k < 3; k++) set_column(&beam, k, (const double[]){1, k - 1});
  settle(&beam);
  thud_contact_problem problem = problem_of(&beam, THUD_FORM_GLOBAL);
  for (int programs = 1; programs <= 2; programs++) {
    thud_force_set_options options = thud_force_set_options_default();
    thud_force_set *set = NULL;
    options.max_programs = programs;
    assert_int_equal(thud_force_set_create(context, &problem, beam.r, beam.u, &options, &set), THUD_OK);
    assert_int_equal(verdict_of(set), programs == 2 ? THUD_FORCES_UNIQUE : THUD_FORCES_UNDECIDED);
    thud_force_set_destroy(set);
  }
  thud_test_context_end(context);
}

static int always(void *user) {
  ++*(int *)user;
  return 1;
}

/* Four times while the set is made (panels and blocks). */
static int after_its_making(void *user) {
  int *asked = user;
  return ++*asked > 4;
}

static void no_product(void *user, const double *x, double *y) {
  (void)user;
  (void)x;
  (void)y;
}

static void refusals(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  rest particle = particle_in_groove(3, 6, 0.6, 0.9);
  thud_contact_problem problem = problem_of(&particle, THUD_FORM_LOCAL);
  thud_force_set_options options = thud_force_set_options_default();
  thud_force_set *set = NULL;
  assert_int_equal(thud_force_set_create(context, &problem, NULL, particle.u, NULL, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_force_set_create(NULL, &problem, particle.r, particle.u, NULL, &set), THUD_ERROR_ARGUMENT);
  thud_contact_problem unknown = problem;
  unknown.W.storage = THUD_MATRIX_OPERATOR;
  unknown.W.products = (thud_operator){.apply = no_product, .block = 3, .diagonal = problem.W.dense};
  assert_int_equal(thud_force_set_create(context, &unknown, particle.r, particle.u, NULL, &set),
                   THUD_ERROR_UNSUPPORTED);
  assert_string_equal(thud_context_last_message(context),
                      "uniqueness of the forces: W is an operator, its entries are needed");
  options.width_tolerance = 0;
  assert_int_equal(thud_force_set_create(context, &problem, particle.r, particle.u, &options, &set),
                   THUD_ERROR_ARGUMENT);
  particle.r[2] = (double)NAN;
  assert_int_equal(thud_force_set_create(context, &problem, particle.r, particle.u, NULL, &set), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "uniqueness of the forces: r[2] is nan", NULL);
  particle.r[2] = 0;
  assert_null(set);
  int asked = 0;
  options = thud_force_set_options_default();
  options.stop = (thud_stop){.ask = always, .user = &asked};
  assert_int_equal(thud_force_set_create(context, &problem, particle.r, particle.u, &options, &set),
                   THUD_ERROR_INTERRUPTED);
  assert_null(set);
  options.stop = (thud_stop){.ask = after_its_making, .user = &asked};
  asked = 0;
  assert_int_equal(thud_force_set_create(context, &problem, particle.r, particle.u, &options, &set), THUD_OK);
  thud_uniqueness_info info = {.freedom = 99};
  thud_force_interval found = {.contact = 99};
  double lowest[6] = {99};
  assert_int_equal(thud_force_set_uniqueness(set, &info), THUD_ERROR_INTERRUPTED);
  assert_int_equal(thud_force_set_interval(set, 0, &found, lowest, NULL), THUD_ERROR_INTERRUPTED);
  thud_assert_equal(info.freedom, 99);
  thud_assert_equal(found.contact, 99);
  thud_assert_equal(lowest[0], 99);
  thud_assert_at_least(asked, 4);
  assert_int_equal(thud_force_set_interval(set, 2, &found, NULL, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_force_set_interval(set, -1, &found, NULL, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_force_set_interval(NULL, 0, &found, NULL, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_force_set_uniqueness(set, NULL), THUD_ERROR_ARGUMENT);
  thud_force_set_destroy(set);
  thud_force_set_destroy(NULL);
  thud_test_context_end(context);
}

static void no_contacts_and_contacts_that_move_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double one = 1, none[2] = {0, 0}, zero[4] = {0, 0, 0, 0};
  thud_contact_problem empty = {.form = THUD_FORM_GLOBAL, .dimension = 1, .M = dense(1, 1, &one), .f = &one};
  empty.H = dense(1, 0, none);
  thud_force_set *set = set_of(context, &empty, NULL, NULL);
  assert_int_equal(verdict_of(set), THUD_FORCES_UNIQUE);
  thud_force_set_destroy(set);
  thud_contact_problem idle = {
      .form = THUD_FORM_LOCAL, .dimension = 1, .contacts = 2, .W = dense(2, 2, zero), .q = none};
  set = set_of(context, &idle, none, none);
  assert_int_equal(verdict_of(set), THUD_FORCES_NOT_UNIQUE);
  expect_interval(context, set, &idle, 0, 0, INFINITY, 1e-10);
  thud_force_set_destroy(set);
  thud_test_context_end(context);
}

static thud_error examine_for_sweep(thud_context *context, void *user) {
  rest *particle = user;
  thud_contact_problem problem = problem_of(particle, THUD_FORM_GLOBAL);
  thud_force_set *set = NULL;
  thud_uniqueness_info info = {.freedom = 99};
  thud_force_interval found = {.contact = 99};
  double lowest[6] = {99}, highest[6] = {99};
  thud_error error = thud_force_set_create(context, &problem, particle->r, particle->u, NULL, &set);
  if (error != THUD_OK) {
    assert_null(set);
    return error;
  }
  error = thud_force_set_uniqueness(set, &info);
  if (error != THUD_OK) assert_int_equal(info.freedom, 99);
  if (error == THUD_OK) {
    error = thud_force_set_interval(set, 0, &found, lowest, highest);
    if (error != THUD_OK) {
      thud_assert_equal(found.contact, 99);
      thud_assert_equal(lowest[0], 99);
      thud_assert_equal(highest[0], 99);
    }
  }
  thud_force_set_destroy(set);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  rest plane = particle_in_groove(2, 6, 1.1, 2.2), space = particle_in_groove(3, 6, 1.1, 2.2);
  thud_assert_at_least(thud_test_sweep_allocations(examine_for_sweep, &plane), 40);
  thud_assert_at_least(thud_test_sweep_allocations(examine_for_sweep, &space), 40);
  rest beam = {.dimension = 1, .contacts = 3, .ndof = 2, .r = {0, 0, 8}};
  for (int k = 0; k < 3; k++) set_column(&beam, k, (const double[]){1, k - 1});
  settle(&beam);
  thud_assert_at_least(thud_test_sweep_allocations(examine_for_sweep, &beam), 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(four_leg_table),
                                     cmocka_unit_test(beam_on_three_supports),
                                     cmocka_unit_test(beam_loaded_at_its_end_is_unique),
                                     cmocka_unit_test(wedged_block_has_no_upper_end),
                                     cmocka_unit_test(friction_between_two_walls),
                                     cmocka_unit_test(groove_with_friction),
                                     cmocka_unit_test(steep_groove_jams),
                                     cmocka_unit_test(tangential_stress_alone_is_not_unique),
                                     cmocka_unit_test(rolling_resistance_widens_intervals),
                                     cmocka_unit_test(spinning_resistance_may_be_shared_in_many_ways),
                                     cmocka_unit_test(sliding_contacts_keep_one_direction),
                                     cmocka_unit_test(unique_on_the_edge_of_a_cone),
                                     cmocka_unit_test(bilateral_rows),
                                     cmocka_unit_test(laws),
                                     cmocka_unit_test(inaccurate_answers_are_undecided),
                                     cmocka_unit_test(programs_are_counted),
                                     cmocka_unit_test(refusals),
                                     cmocka_unit_test(no_contacts_and_contacts_that_move_nothing),
                                     cmocka_unit_test(every_failed_allocation_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
