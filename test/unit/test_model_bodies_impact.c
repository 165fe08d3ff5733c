/* Impact laws for islands of bodies that are given by numbers: closed forms, energy, and the laws of systems. */
#include "failing_allocator.h"
#include "model/bodies_impact.h"
#include "still_system.h"
#include "testing.h"
#include "thud/small.h"

#include <math.h>
#include <string.h>

enum { ROWS = THUD_STILL_N };

/* An island with room for its numbers. */
typedef struct island {
  thud_index dimension;
  double W[ROWS * ROWS], u_minus[ROWS], u_free[ROWS], mu[ROWS], e[ROWS];
  thud_bodies_impact_data data;
  double r[ROWS], u_plus[ROWS];
  thud_percussion_info info;
} island;

static void begin(island *it, thud_index dimension, thud_index count) {
  memset(it, 0, sizeof *it);
  it->dimension = dimension;
  it->data = (thud_bodies_impact_data){
      .count = count, .W = it->W, .u_minus = it->u_minus, .u_free = it->u_free, .mu = it->mu, .restitution = it->e};
}

static thud_bodies_impact *create(thud_context *context, thud_index dimension, thud_index capacity, int law) {
  thud_percussion_options options = thud_percussion_options_default();
  options.law = law;
  thud_bodies_impact *impact;
  assert_int_equal(thud_bodies_impact_create(context, dimension, capacity, &options, &impact), THUD_OK);
  return impact;
}

static void solve(thud_bodies_impact *impact, island *it) {
  assert_int_equal(thud_bodies_impact_solve(impact, &it->data, it->r, it->u_plus, &it->info), THUD_OK);
}

/* r.(u+ + u-)/2 */
static double energy_change(const island *it) {
  double sum = 0;
  for (thud_index i = 0; i < it->data.count * it->dimension; i++)
    sum += it->r[i] * (it->u_plus[i] + it->u_minus[i]) / 2;
  return sum;
}

/* ---- Newton's cradle: case C10 ------------------------------------------------------------------------------------ */

/* n equal balls of mass 1 that touch, the first with velocity 1; contact i between balls i and i+1. Each contact has
 * d - 1 slip rows of a size of their own, which nothing moves. */
static void begin_cradle(island *it, thud_index dimension, thud_index n, double e) {
  begin(it, dimension, n - 1);
  thud_index rows = (n - 1) * dimension;
  for (thud_index i = 0; i < rows; i++) it->W[i * rows + i] = 2;
  for (thud_index c = 0; c + 2 < n; c++)
    it->W[c * dimension * rows + (c + 1) * dimension] = it->W[(c + 1) * dimension * rows + c * dimension] = -1;
  it->u_minus[0] = it->u_free[0] = -1;
  for (thud_index c = 0; c < n - 1; c++) it->e[c] = e;
  it->data.energy = 0.5;
}

static void assert_cradle(const island *it, thud_index n, const double *expected, double tolerance) {
  double v[ROWS] = {1};
  for (thud_index c = 0; c < n - 1; c++) {
    v[c] -= it->r[c * it->dimension];
    v[c + 1] += it->r[c * it->dimension];
    for (thud_index k = 1; k < it->dimension; k++) thud_assert_equal(it->r[c * it->dimension + k], 0);
  }
  for (thud_index i = 0; i < n; i++) thud_assert_near(v[i], expected[i], tolerance);
  for (thud_index c = 0; c < n - 1; c++)
    thud_assert_near(it->u_plus[c * it->dimension], expected[c + 1] - expected[c], 4 * tolerance + 1e-15);
  assert_int_equal(it->info.status, THUD_SOLVED);
}

static void the_canonical_law_spreads_the_impact_over_the_cradle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index d = 1; d <= 3; d++)
    for (int law = THUD_IMPACT_CANONICAL; law <= THUD_IMPACT_NEWTON; law++) {
      thud_bodies_impact *impact = create(context, d, 4, law);
      for (thud_index n = 3; n <= 5; n += 2)
        for (int k = 1; k <= 2; k++) {
          double e = k / 2.0, expected[5];
          island it;
          begin_cradle(&it, d, n, e);
          for (thud_index c = 0; d > 1 && c < n - 1; c++) it.mu[c] = 0.3 * c; /* balls that do not slip do not care */
          solve(impact, &it);
          for (thud_index i = 0; i < n; i++) expected[i] = (1 + e) / (double)n - (i == 0 ? e : 0);
          assert_cradle(&it, n, expected, 1e-14);
          thud_assert_near(energy_change(&it), -(1 - e * e) * (n - 1) / (2.0 * n), 1e-14);
          thud_assert_near(it.info.normal_loss, (1 - e * e) * (n - 1) / (2.0 * n), 1e-14);
          thud_assert_equal(it.info.restitution_factor, 1);
          assert_false(it.info.gained);
        }
      thud_bodies_impact_destroy(impact);
    }
  thud_test_context_end(context);
}

/* Balls one after the other: the pair that approaches fastest collides, v -> (v_a + v_b -+ e (v_a - v_b))/2; how many
 * collisions there were. */
static int collide_in_turn(thud_index n, double e, double *v) {
  for (int count = 0;; count++) {
    thud_index next = 0;
    for (thud_index i = 1; i + 1 < n; i++)
      if (v[i] - v[i + 1] > v[next] - v[next + 1]) next = i;
    double approach = v[next] - v[next + 1], sum = v[next] + v[next + 1];
    if (approach <= 1e-10) return count;
    v[next] = (sum - e * approach) / 2;
    v[next + 1] = (sum + e * approach) / 2;
  }
}

static void the_sequential_law_passes_the_impact_on(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies_impact *impact = create(context, 3, 4, THUD_IMPACT_SEQUENTIAL);
  for (thud_index n = 3; n <= 5; n += 2)
    for (int k = 1; k <= 2; k++) {
      double e = k / 2.0, expected[5] = {1};
      island it;
      begin_cradle(&it, 3, n, e);
      solve(impact, &it);
      int collisions = collide_in_turn(n, e, expected);
      if (k == 2) thud_assert_equal(expected[n - 1], 1);
      assert_cradle(&it, n, expected, k == 2 ? 0 : 1e-9); /* below 1e-10 the rest is stopped */
      if (k == 2) assert_int_equal(it.info.collisions, collisions);
    }
  thud_bodies_impact_destroy(impact);
  thud_test_context_end(context);
}

/* The energetic law gives nearly (0, .., 0, 1): exactly so in the limit of contacts that are the stiffer the nearer they
 * are to the ball that arrives, and energy (e = 1) and momentum are kept whatever the stiffnesses. */
static void the_energetic_law_passes_the_impact_on(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index n = 3; n <= 5; n += 2) {
    thud_percussion_options options = thud_percussion_options_default();
    options.law = THUD_IMPACT_LZB;
    options.lzb_stiffness_ratio = 1e-6;
    thud_bodies_impact *impact;
    assert_int_equal(thud_bodies_impact_create(context, 2, 4, &options, &impact), THUD_OK);
    double expected[5] = {0};
    expected[n - 1] = 1;
    island it;
    begin_cradle(&it, 2, n, 1);
    solve(impact, &it);
    assert_cradle(&it, n, expected, 1e-2);
    thud_assert_near(energy_change(&it), 0, 1e-9);
    thud_bodies_impact_destroy(impact);
    impact = create(context, 2, 4, THUD_IMPACT_LZB);
    begin_cradle(&it, 2, n, 0.5);
    solve(impact, &it);
    thud_assert_less(energy_change(&it), -0.1);
    thud_bodies_impact_destroy(impact);
  }
  thud_test_context_end(context);
}

/* ---- the same numbers as a system --------------------------------------------------------------------------------- */

static void random_row(thud_random *random, thud_index n, double *row) {
  for (thud_index k = 0; k < n; k++) row[k] = thud_random_normal(random);
}

/* A system with a mass matrix that is not diagonal and contacts of d rows: fewer rows than coordinates. */
static void random_system(thud_still *still, thud_context *context, thud_random *random, thud_index d,
                          bool has_friction) {
  thud_index n = 6 + (thud_index)thud_random_below(random, 12);
  thud_still_init(still, context, n);
  for (thud_index i = 0; i < n; i++) {
    still->mass[i * n + i] = thud_random_uniform(random, 1, 4);
    if (i > 0) still->mass[i * n + i - 1] = still->mass[(i - 1) * n + i] = thud_random_uniform(random, -.4, .4);
  }
  thud_index count = 1 + (thud_index)thud_random_below(random, (uint32_t)(n / d));
  for (thud_index c = 0; c < count; c++) {
    double rows[3 * THUD_STILL_N];
    random_row(random, n, rows);
    thud_still_add(still, rows, thud_random_uniform(random, 0, 1));
    random_row(random, (d - 1) * n, rows);
    if (d > 1 && has_friction && thud_random_below(random, 4) > 0)
      thud_still_add_law(still, c, d - 1, rows, thud_random_uniform(random, .1, .9), NULL);
  }
}

/* rows[n] of component k of contact c: the gradient or a slip row; zeros where a contact has no friction. */
static const double *row_of(const thud_still *still, thud_index c, thud_index k) {
  static const double nothing[THUD_STILL_N];
  if (k == 0) return still->gradient + c * still->n;
  thud_index first = 0;
  for (thud_index l = 0; l < still->laws; l++) {
    if (still->law[l].constraint == c) return still->slip + (first + k - 1) * still->n;
    first += still->law[l].directions;
  }
  return nothing;
}

static double dot(thud_index n, const double *a, const double *b) {
  double sum = 0;
  for (thud_index k = 0; k < n; k++) sum += a[k] * b[k];
  return sum;
}

/* x = M^-1 a by elimination; M is diagonally dominant. */
static void solve_mass(const thud_still *still, const double *a, double *x) {
  thud_index n = still->n;
  double M[THUD_STILL_N * THUD_STILL_N];
  memcpy(M, still->mass, sizeof M);
  memcpy(x, a, (size_t)n * sizeof *x);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = i + 1; j < n; j++) {
      double factor = M[j * n + i] / M[i * n + i];
      for (thud_index k = i; k < n; k++) M[j * n + k] -= factor * M[i * n + k];
      x[j] -= factor * x[i];
    }
  for (thud_index i = n; i-- > 0;) {
    for (thud_index k = i + 1; k < n; k++) x[i] -= M[i * n + k] * x[k];
    x[i] /= M[i * n + i];
  }
}

static void island_of(const thud_still *still, thud_index d, const double *v_minus, const double *v_free, island *it) {
  begin(it, d, still->m);
  thud_index rows = d * still->m;
  for (thud_index i = 0; i < rows; i++) {
    double x[THUD_STILL_N];
    const double *a = row_of(still, i / d, i % d);
    solve_mass(still, a, x);
    for (thud_index j = 0; j < rows; j++) it->W[i * rows + j] = dot(still->n, x, row_of(still, j / d, j % d));
    it->u_minus[i] = dot(still->n, a, v_minus);
    it->u_free[i] = dot(still->n, a, v_free);
  }
  for (thud_index c = 0; c < still->m; c++) it->e[c] = still->restitution[c];
  for (thud_index l = 0; l < still->laws; l++) it->mu[still->law[l].constraint] = still->law[l].friction;
  it->data.energy = fmax(thud_still_energy(still, v_minus), thud_still_energy(still, v_free));
}

/* Impulses of 1e-10 relative residual; conditioning of random rows leaves 1e-7. */
static void assert_same_answer(const thud_still *still, const island *it) {
  double size = 0;
  for (thud_index c = 0; c < still->m; c++) size = fmax(size, fabs(still->r[c]));
  for (thud_index c = 0; c < still->m; c++)
    for (thud_index k = 0; k < it->dimension; k++)
      thud_assert_near(it->u_plus[c * it->dimension + k], dot(still->n, row_of(still, c, k), still->v), 1e-7);
  for (thud_index c = 0; c < still->m; c++)
    thud_assert_near(it->r[c * it->dimension], still->r[c], 1e-7 * fmax(size, 1));
  assert_int_equal(it->info.status, still->info.status);
  assert_int_equal(it->info.gained, still->info.gained);
  assert_int_equal(it->info.refused, still->info.refused);
  if (still->m > 1)
    assert_int_equal(it->info.collisions, still->info.collisions); /* one alone has a closed form there */
  thud_assert_near(it->info.restitution_factor, still->info.restitution_factor, 1e-6);
  thud_assert_near(it->info.normal_loss + it->info.friction_loss, still->info.normal_loss + still->info.friction_loss,
                   1e-6 * it->data.energy);
  thud_assert_near(it->info.worst_cosine, still->info.worst_cosine, 1e-12);
}

static const int laws[] = {THUD_IMPACT_NEWTON, THUD_IMPACT_CANONICAL, THUD_IMPACT_SEQUENTIAL, THUD_IMPACT_LZB};

static void islands_answer_as_systems_do(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1801);
  int gains = 0, refusals = 0;
  for (int round = 0; round < 400; round++) {
    thud_still still;
    thud_index d = 1 + (thud_index)thud_random_below(&random, 3);
    bool is_lzb = laws[round % 4] == THUD_IMPACT_LZB;
    random_system(&still, context, &random, d, !is_lzb);
    still.options.law = laws[round % 4];
    still.options.on_energy_gain = round / 4 % 3;
    double v_minus[THUD_STILL_N], v_free[THUD_STILL_N];
    random_row(&random, still.n, v_minus);
    for (thud_index k = 0; k < still.n; k++)
      v_free[k] = v_minus[k] + (round % 3 == 0 ? 0.1 : 0) * (k % 2 == 0 ? 1 : -1);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_step(&still, 0, v_minus, v_free);
    thud_bodies_impact *impact;
    assert_int_equal(thud_bodies_impact_create(context, d, 3, &still.options, &impact), THUD_OK);
    island it;
    island_of(&still, d, v_minus, v_free, &it);
    solve(impact, &it);
    assert_same_answer(&still, &it);
    gains += it.info.gained;
    refusals += it.info.refused;
    thud_bodies_impact_destroy(impact);
    thud_still_end(&still);
  }
  thud_assert_greater(gains, 0); /* the random systems meet these too */
  thud_assert_greater(refusals, 0);
  thud_test_context_end(context);
}

static void kinetic_energy_never_grows(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1802);
  for (int law = 0; law < 4; law++)
    for (thud_index d = 1; d <= 3; d++) {
      thud_bodies_impact *impact = create(context, d, 2, laws[law]);
      for (int round = 0; round < 60; round += THUD_TEST_STRIDE(10)) {
        thud_still still;
        random_system(&still, context, &random, d, laws[law] != THUD_IMPACT_LZB);
        double v[THUD_STILL_N];
        random_row(&random, still.n, v);
        island it;
        island_of(&still, d, v, v, &it);
        solve(impact, &it);
        assert_int_equal(it.info.status, THUD_SOLVED);
        thud_assert_at_most(energy_change(&it), 1.01e-9 * it.data.energy); /* options.energy_tolerance */
        thud_assert_at_most(it.info.residual, 1e-10);
        /* Newton's u+ >= -e u- lets contacts that open before the impact close after it. */
        if (laws[law] == THUD_IMPACT_SEQUENTIAL || laws[law] == THUD_IMPACT_LZB) assert_true(it.info.in_cone);
      }
      thud_bodies_impact_destroy(impact);
    }
  thud_test_context_end(context);
}

/* Nothing is left of the islands before: the same bits as from a new object, whatever the warm start. */
static void an_object_used_again_answers_as_a_new_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1804);
  for (int law = 0; law < 4; law++) {
    thud_bodies_impact *old = create(context, 2, 2, laws[law]);
    for (int round = 0; round < 40; round += THUD_TEST_STRIDE(10)) {
      thud_still still;
      random_system(&still, context, &random, 2, laws[law] != THUD_IMPACT_LZB);
      double v[THUD_STILL_N];
      random_row(&random, still.n, v);
      island it, other;
      island_of(&still, 2, v, v, &it);
      for (thud_index i = 0; i < 2 * still.m; i++) it.r[i] = thud_random_normal(&random);
      island_of(&still, 2, v, v, &other);
      memcpy(other.r, it.r, sizeof it.r);
      thud_bodies_impact *new = create(context, 2, still.m, laws[law]);
      solve(old, &it);
      solve(new, &other);
      assert_memory_equal(it.r, other.r, sizeof it.r);
      assert_memory_equal(it.u_plus, other.u_plus, sizeof it.u_plus);
      for (thud_index c = 0; c < still.m; c++)
        if (it.mu[c] == 0) thud_assert_equal(it.r[2 * c + 1], 0);
      thud_bodies_impact_destroy(new);
    }
    thud_bodies_impact_destroy(old);
  }
  thud_test_context_end(context);
}

/* Kane's example in numbers: with e = 1 the contact sticks, r = (1.92, -1.5)/0.36, and friction gives -r_T 0.1/2. Gains
 * count against the energy that is given: this one does not where that is large. */
static void gains_are_relative_to_the_given_energy(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies_impact *impact = create(context, 2, 1, THUD_IMPACT_NEWTON);
  for (int k = 0; k < 2; k++) {
    island it;
    begin(&it, 2, 1);
    memcpy(it.W, (double[]){1, 0.8, 0.8, 1}, 4 * sizeof *it.W);
    memcpy(it.u_free, memcpy(it.u_minus, (double[]){-1, -0.1}, 2 * sizeof *it.u_minus), 2 * sizeof *it.u_free);
    it.mu[0] = it.e[0] = 1;
    it.data.energy = k == 0 ? 2 : 1e12; /* the tolerance is 1e-9 of it */
    solve(impact, &it);
    assert_int_equal(it.info.gained, k == 0);
    if (k == 0) {
      thud_assert_less(it.info.restitution_factor, 1);
      thud_assert_at_most(energy_change(&it), 1e-14);
    } else {
      thud_assert_equal(it.info.restitution_factor, 1);
      thud_assert_near(it.r[0], 1.92 / 0.36, 1e-9);
      thud_assert_near(energy_change(&it), 0.05 * 1.5 / 0.36, 1e-9);
    }
  }
  thud_bodies_impact_destroy(impact);
  thud_test_context_end(context);
}

static void count_warnings(void *user, thud_log_level level, const char *message) {
  (void)message;
  if (level == THUD_LOG_WARNING) ++*(int *)user;
}

/* Several e under the canonical law: a warning, once, also when room had to be made in between. */
static void one_e_for_all_is_warned_of_once(void **state) {
  (void)state;
  int warnings = 0;
  thud_context *context;
  thud_context_options options = thud_context_options_default();
  options.logger = count_warnings;
  options.logger_user = &warnings;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  thud_bodies_impact *impact = create(context, 2, 2, THUD_IMPACT_CANONICAL);
  for (thud_index n = 3; n <= 6; n++) {
    island it;
    begin_cradle(&it, 2, n, 0.5);
    it.e[0] = 0.25;
    solve(impact, &it);
    thud_assert_equal(warnings, 1);
  }
  thud_bodies_impact_destroy(impact);
  thud_test_context_end(context);
}

/* ---- a box on four corners: dependent rows ------------------------------------------------------------------------ */

/* A box of mass 2 with half edges (1, 2, 0.5) falls on its lower corners; frames z, x, y. u = v + w x p. */
static void begin_box(island *it, thud_vec3 velocity, double mu, double e) {
  const double mass = 2;
  const thud_mat3 inverse = thud_mat3_diagonal(3 / (mass * 4.25), 3 / (mass * 1.25), 3 / (mass * 5));
  begin(it, 3, 4);
  thud_mat3 arm[4];
  for (int c = 0; c < 4; c++) {
    arm[c] = thud_mat3_cross(thud_vec3_make(c % 2 == 0 ? -1 : 1, c < 2 ? -2 : 2, -0.5));
    it->mu[c] = mu;
    it->e[c] = e;
    double u[3] = {velocity.z, velocity.x, velocity.y};
    for (int k = 0; k < 3; k++) it->u_minus[3 * c + k] = it->u_free[3 * c + k] = u[k];
  }
  for (int c = 0; c < 4; c++)
    for (int o = 0; o < 4; o++) { /* du = (1/m) r - p_c x I^-1 (p_o x r), in the order z, x, y */
      thud_mat3 A = thud_mat3_multiply(arm[c], thud_mat3_multiply(inverse, arm[o]));
      double a[9];
      thud_mat3_store(A, a);
      for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
          it->W[(3 * c + i) * 12 + 3 * o + j] = (i == j ? 1 / mass : 0) - a[3 * ((j + 2) % 3) + (i + 2) % 3];
    }
  it->data.energy = mass * thud_vec3_dot(velocity, velocity) / 2;
}

/* Falling flat: the impulse is (1+e) m v whatever its distribution over the corners, and every corner leaves with e v. */
static void a_box_that_lands_flat_leaves_flat(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int law = 0; law < 4; law++) {
    if (laws[law] == THUD_IMPACT_SEQUENTIAL) continue; /* corner by corner: it turns */
    thud_bodies_impact *impact = create(context, 3, 4, laws[law]);
    for (int k = 0; k <= 2; k++) {
      island it;
      begin_box(&it, thud_vec3_make(0, 0, -3), laws[law] == THUD_IMPACT_LZB ? 0 : 0.4, k / 2.0);
      solve(impact, &it);
      /* lzb raises e to 0.01 and is integrated with local errors of 1e-12 */
      double e = laws[law] == THUD_IMPACT_LZB ? fmax(k / 2.0, 0.01) : k / 2.0, sum = 0;
      for (int c = 0; c < 4; c++) {
        sum += it.r[3 * c];
        thud_assert_near(it.u_plus[3 * c], 3 * e, laws[law] == THUD_IMPACT_LZB ? 1e-7 : 1e-9);
        thud_assert_near(it.u_plus[3 * c + 1], 0, 1e-9);
        thud_assert_near(it.u_plus[3 * c + 2], 0, 1e-9);
      }
      thud_assert_near(sum, 6 * (1 + e), 1e-6);
      assert_int_equal(it.info.status, THUD_SOLVED);
    }
    thud_bodies_impact_destroy(impact);
  }
  thud_test_context_end(context);
}

/* Falling and sliding: Coulomb's cone, no energy gained, nothing approaches faster than e allows. */
static void a_box_that_lands_sliding_obeys_coulomb(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1803);
  for (int law = 0; law < 3; law++) {
    thud_bodies_impact *impact = create(context, 3, 4, laws[law]);
    for (int round = 0; round < 40; round++) {
      island it;
      double mu = thud_random_uniform(&random, 0, 1), e = thud_random_uniform(&random, 0, 1);
      thud_vec3 v = {thud_random_normal(&random), thud_random_normal(&random), -1};
      begin_box(&it, v, mu, e);
      solve(impact, &it);
      assert_int_equal(it.info.status, THUD_SOLVED);
      thud_assert_at_most(energy_change(&it), 1.01e-9 * it.data.energy);
      for (int c = 0; c < 4; c++) {
        const double *r = it.r + 3 * c;
        thud_assert_at_least(r[0], 0);
        thud_assert_at_most(hypot(r[1], r[2]), mu * r[0] + 1e-9);
        thud_assert_at_least(it.u_plus[3 * c], -1e-9);
      }
    }
    thud_bodies_impact_destroy(impact);
  }
  thud_test_context_end(context);
}

/* ---- life and failures -------------------------------------------------------------------------------------------- */

static void a_call_within_the_capacity_allocates_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int law = 0; law < 4; law++) {
    thud_bodies_impact *impact = create(context, 2, 4, laws[law]);
    size_t before = thud_context_allocation_count(context);
    for (thud_index n = 2; n <= 5; n++) {
      island it;
      begin_cradle(&it, 2, n, 0.5);
      solve(impact, &it);
    }
    thud_assert_equal(thud_context_allocation_count(context), before);
    island it; /* more contacts than there is room for: made room for, once */
    begin_cradle(&it, 2, 9, 0.5);
    solve(impact, &it);
    size_t grown = thud_context_allocation_count(context);
    thud_assert_greater(grown, before);
    begin_cradle(&it, 2, 11, 0.5); /* 8 contacts and a quarter more */
    solve(impact, &it);
    thud_assert_equal(thud_context_allocation_count(context), grown);
    thud_bodies_impact_destroy(impact);
  }
  thud_test_context_end(context);
}

static void what_a_law_does_not_take_is_refused_with_a_sentence(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_percussion_options options = thud_percussion_options_default();
  thud_bodies_impact *impact = NULL;
  options.law = THUD_IMPACT_TABLE;
  assert_int_equal(thud_bodies_impact_create(context, 2, 4, &options, &impact), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context, "'table'", "'sequential'", NULL);
  assert_int_equal(thud_bodies_impact_create(context, 4, 4, NULL, &impact), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "4 rows per contact", NULL);
  assert_int_equal(thud_bodies_impact_create(context, 2, INT32_MAX, NULL, &impact), THUD_ERROR_OVERFLOW);
  assert_null(impact);
  impact = create(context, 2, 4, THUD_IMPACT_LZB);
  island it;
  begin_cradle(&it, 2, 5, 0.5);
  it.mu[2] = 0.1;
  it.r[0] = 7;
  assert_int_equal(thud_bodies_impact_solve(impact, &it.data, it.r, it.u_plus, &it.info), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context, "contact 2 has friction", NULL);
  thud_assert_equal(it.r[0], 7);
  thud_bodies_impact_destroy(impact);
  thud_test_context_end(context);
}

static void bad_numbers_name_their_contact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_bodies_impact *impact = create(context, 2, 4, THUD_IMPACT_NEWTON);
  for (int k = 0; k < 6; k++) {
    island it;
    begin_cradle(&it, 2, 5, 0.5);
    double *const places[] = {&it.u_minus[2], &it.u_free[3], &it.r[2], &it.W[2 * 8 + 7], &it.mu[1], &it.e[1]};
    *places[k] = k < 4 ? NAN : -1;
    assert_int_equal(thud_bodies_impact_solve(impact, &it.data, it.r, it.u_plus, &it.info),
                     k < 4 ? THUD_ERROR_NOT_FINITE : THUD_ERROR_ARGUMENT);
    thud_test_message_has(context, "contact 1", NULL);
    thud_assert_equal(it.u_plus[0], 0);
  }
  thud_bodies_impact_destroy(impact);
  impact = create(context, 1, 4, THUD_IMPACT_NEWTON);
  island it;
  begin_cradle(&it, 1, 3, 0.5);
  it.mu[0] = 0.5;
  assert_int_equal(thud_bodies_impact_solve(impact, &it.data, it.r, it.u_plus, &it.info), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "no slip rows", NULL);
  thud_bodies_impact_destroy(impact);
  thud_test_context_end(context);
}

static thud_error run_cradles(thud_context *context, void *user) {
  (void)user;
  thud_bodies_impact *impact = NULL;
  thud_error error = thud_bodies_impact_create(context, 2, 2, NULL, &impact);
  for (thud_index n = 3; n <= 5 && error == THUD_OK; n += 2) {
    island it;
    begin_cradle(&it, 2, n, 0.5);
    error = thud_bodies_impact_solve(impact, &it.data, it.r, it.u_plus, &it.info);
    if (error != THUD_OK) { /* what it had still serves */
      begin_cradle(&it, 2, 3, 0.5);
      solve(impact, &it);
      assert_cradle(&it, 3, (double[]){0, 0.5, 0.5}, 1e-14);
    }
  }
  thud_bodies_impact_destroy(impact);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(run_cradles, NULL), 40);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(the_canonical_law_spreads_the_impact_over_the_cradle),
                                     cmocka_unit_test(the_sequential_law_passes_the_impact_on),
                                     cmocka_unit_test(the_energetic_law_passes_the_impact_on),
                                     cmocka_unit_test(islands_answer_as_systems_do),
                                     cmocka_unit_test(kinetic_energy_never_grows),
                                     cmocka_unit_test(an_object_used_again_answers_as_a_new_one),
                                     cmocka_unit_test(gains_are_relative_to_the_given_energy),
                                     cmocka_unit_test(one_e_for_all_is_warned_of_once),
                                     cmocka_unit_test(a_box_that_lands_flat_leaves_flat),
                                     cmocka_unit_test(a_box_that_lands_sliding_obeys_coulomb),
                                     cmocka_unit_test(a_call_within_the_capacity_allocates_nothing),
                                     cmocka_unit_test(what_a_law_does_not_take_is_refused_with_a_sentence),
                                     cmocka_unit_test(bad_numbers_name_their_contact),
                                     cmocka_unit_test(failing_allocations_leave_nothing_behind)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
