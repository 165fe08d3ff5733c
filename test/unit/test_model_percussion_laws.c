/* Impact laws other than the canonical one, energy gains, and friction laws that are convex sets. */
#include "model/percussion.h"
#include "still_system.h"
#include "testing.h"

#include <math.h>
#include <string.h>

/* ---- the energetic law ----------------------------------------------------------------------------------------- */

/* Energetic and kinematic restitution agree for one contact: two of the three balls, the third far. */
static void the_energetic_law_of_one_contact_is_newtons(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k <= 4; k++) {
    double e = k / 4.0;
    thud_still still;
    thud_still_cradle(&still, context, 3, e, THUD_IMPACT_LZB);
    still.mass[0] = 2;
    still.acting[1] = false;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, (double[]){1, 0, 0});
    thud_still_near(still.v[1] - still.v[0], e, 1e-14);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* Two separate pairs of balls that collide at the same time do not feel each other, whatever the stiffnesses. */
static void the_energetic_law_of_separate_contacts_is_newtons(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k <= 10; k++) {
    double e = k / 10.0;
    thud_still still;
    thud_still_init(&still, context, 4);
    thud_still_add(&still, (double[]){-1, 1, 0, 0}, e);
    thud_still_add(&still, (double[]){0, 0, -1, 1}, 1 - e);
    still.mass[0] = 3;
    still.options.law = THUD_IMPACT_LZB;
    still.options.lzb_stiffness_ratio = 7;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, (double[]){1, 0, .5, -.25});
    assert_int_equal(still.info.status, THUD_SOLVED);
    thud_still_near(still.v[1] - still.v[0], fmax(e, .01), 1e-8); /* less is singular, and raised to that */
    thud_still_near(still.v[3] - still.v[2], .75 * fmax(1 - e, .01), 1e-8);
    thud_assert_at_most(still.info.identity, 1e-13);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* Linear springs, three equal balls, elastic: d = ((sin t + sin(sqrt3 t)/sqrt3)/2, (sin t - sin(sqrt3 t)/sqrt3)/2)
 * until d1 = 0; then the second contact alone: d2'' = -2 d2. */
static void three_balls_on_linear_springs_have_a_closed_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double w = sqrt(3), low = 2.2, high = 2.8;
  for (int k = 0; k < 100; k++) {
    double t = (low + high) / 2;
    *(sin(t) + sin(w * t) / w > 0 ? &low : &high) = t;
  }
  double t = low, d2 = (sin(t) - sin(w * t) / w) / 2, rate1 = (cos(t) + cos(w * t)) / 2,
         rate2 = (cos(t) - cos(w * t)) / 2;
  thud_assert_greater(d2, 0);
  /* the second contact opens with the opposite of rate2's value at depth 0: energy rate2^2/2 + d2^2 is kept */
  double open2 = -sqrt(rate2 * rate2 + 2 * d2 * d2);
  /* u1 = -rate1 grows by half of the change of u2's momentum: P2 = (rate2 - open2)/2, u1 -= P2 */
  double u1 = -rate1 - (rate2 - open2) / 2, u2 = -open2;
  thud_assert_at_least(u1, 0);
  thud_still still;
  thud_still_cradle(&still, context, 3, 1, THUD_IMPACT_LZB);
  still.options.lzb_exponent = 1;
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){1, 0, 0});
  assert_int_equal(still.info.status, THUD_SOLVED);
  thud_still_near(still.v[1] - still.v[0], u1, 1e-9);
  thud_still_near(still.v[2] - still.v[1], u2, 1e-9);
  thud_still_near(still.v[0] + still.v[1] + still.v[2], 1, 1e-14);
  thud_still_near(still.info.energy_after, .5, 1e-9);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* A second contact that is much softer begins when the first one is over: binary collisions, the cradle's (0,0,1). */
static void soft_successors_make_the_energetic_law_sequential(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double last = 1;
  for (int k = 2; k <= 8; k += 2) {
    thud_still still;
    thud_still_cradle(&still, context, 3, 1, THUD_IMPACT_LZB);
    still.options.lzb_stiffness_ratio = pow(10, -k);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, (double[]){1, 0, 0});
    double error = fabs(still.v[0]) + fabs(still.v[1]) + fabs(still.v[2] - 1);
    thud_assert_less(error, last / 2);
    last = error;
    thud_still_end(&still);
  }
  thud_assert_less(last, 1e-2);
  thud_test_context_end(context);
}

/* Any chain: admissible, and what is lost lies between nothing and the inelastic loss. */
static void the_energetic_law_is_admissible_on_random_chains(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(71);
  for (int round = 0; round < 60; round++) {
    thud_index n = 3 + (thud_index)thud_random_below(&random, 4);
    thud_still still;
    thud_still_cradle(&still, context, n, 0, THUD_IMPACT_LZB);
    double v[THUD_STILL_N] = {0};
    for (thud_index i = 0; i < n; i++) {
      still.mass[i * n + i] = thud_random_uniform(&random, .2, 3);
      still.restitution[i] = round % 5 == 0 ? 0 : thud_random_uniform(&random, 0.2, 1);
      v[i] = thud_random_normal(&random);
    }
    still.options.lzb_stiffness_ratio = exp(thud_random_normal(&random));
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, v);
    assert_int_equal(still.info.status, THUD_SOLVED);
    assert_true(still.info.in_cone && still.info.impulse_admissible);
    thud_assert_at_least(still.info.normal_loss, -1e-9 * still.info.energy_before);
    thud_assert_at_most(still.info.identity, 1e-13);
    thud_percussion_info audit;
    assert_int_equal(thud_percussion_audit(still.percussion, still.values, still.acting, v, still.v, &audit), THUD_OK);
    assert_true(audit.in_cone && audit.impulse_admissible && !audit.gained);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

static void the_energetic_law_refuses_friction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 2);
  thud_still_add(&still, (double[]){0, 1}, 0);
  thud_still_add_law(&still, 0, 1, (double[]){1, 0}, .5, NULL);
  still.options.law = THUD_IMPACT_LZB;
  assert_int_equal(thud_still_begin(&still), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(
      context, "impact law 'lzb' is for frictionless constraints, and 'c0' has friction: use 'newton' or 'sequential'",
      NULL);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* ---- energy ---------------------------------------------------------------------------------------------------- */

/* A slender rod of mass 1 and half length 1 (J = 1/3) at 45 degrees hits the ground with its lower end: u_N = y' + c
 * a', u_T = x' + s a' with c = s = 1/sqrt2. */
static void slender_rod(thud_still *still, thud_context *context, double e, double mu, int on_gain) {
  double c = sqrt(.5);
  thud_still_init(still, context, 3);
  still->mass[8] = 1. / 3;
  thud_still_add(still, (double[]){0, 1, c}, e);
  thud_still_add_law(still, 0, 1, (double[]){1, 0, c}, mu, NULL);
  still->options.on_energy_gain = on_gain;
  assert_int_equal(thud_still_begin(still), THUD_OK);
}

/* The velocity before with energy 1/2 that gains most, e = .9, mu = .4. */
enum { ROD_STEPS = 400 };
static const double PI = 3.14159265358979323846;
static double worst_rod_velocity(thud_still *still, double *worst) {
  double most = 0;
  for (int i = 0; i < ROD_STEPS; i++)
    for (int j = 0; j < ROD_STEPS / 2; j++) {
      double a = 2 * PI * i / ROD_STEPS, b = PI * j / (ROD_STEPS / 2);
      double v[3] = {cos(a) * sin(b), sin(a) * sin(b), sqrt(3) * cos(b)};
      thud_still_impact(still, v);
      if (still->info.energy_after <= most) continue;
      most = still->info.energy_after;
      memcpy(worst, v, sizeof v);
    }
  return most;
}

static void newtons_law_with_friction_can_create_energy_and_is_corrected(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  slender_rod(&still, context, .9, .4, THUD_GAIN_ALLOW);
  double worst[3];
  double most = worst_rod_velocity(&still, worst);
  thud_still_near(most, .63, .005);
  thud_still_impact(&still, worst);
  assert_true(still.info.gained && !still.info.refused);
  thud_still_near(still.info.restitution_factor, 1, 0);
  thud_still_end(&still);

  slender_rod(&still, context, .9, .4, THUD_GAIN_REFUSE);
  thud_still_impact(&still, worst);
  assert_true(still.info.gained && still.info.refused);
  for (int k = 0; k < 3; k++) thud_still_near(still.v[k], worst[k], 0);
  thud_still_near(still.r[0], 0, 0);
  thud_still_near(still.info.energy_after, most, 1e-14); /* the witness */
  thud_still_end(&still);

  slender_rod(&still, context, .9, .4, THUD_GAIN_REDUCE_E);
  thud_still_impact(&still, worst);
  double factor = still.info.restitution_factor;
  assert_true(still.info.gained);
  assert_true(!still.info.refused);
  thud_assert_greater(factor, 0);
  thud_assert_less(factor, 1);
  thud_still_near(still.info.energy_after, .5, 1e-12);
  thud_still_end(&still);

  slender_rod(&still, context, .9 * factor * (1 + 1e-6), .4, THUD_GAIN_ALLOW); /* the largest one */
  thud_still_impact(&still, worst);
  thud_assert_greater(still.info.energy_after, .5);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* All solutions of the velocity problem that was tried last, planar friction on every constraint. */
static size_t count_planar_solutions(const thud_still *still) {
  const thud_percussion *p = still->percussion;
  double mu[THUD_STILL_MAX];
  for (thud_index c = 0; c < still->m; c++) mu[c] = still->law[c].friction;
  thud_contact_problem problem = {
      .form = THUD_FORM_LOCAL,
      .dimension = 2,
      .contacts = still->m,
      .mu = mu,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = p->problem.rows, .columns = p->problem.rows, .dense = p->W},
      .q = p->load};
  size_t count;
  assert_int_equal(thud_contact_enumerate(still->context, &problem, 1e-9, NULL, NULL, &count), THUD_OK);
  return count;
}

/* Kane's and Stronge's question for every law with friction: never more energy than before. */
static void frictional_impacts_never_gain(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(72);
  int reduced = 0, unsolved = 0;
  for (int round = 0; round < 400; round++) {
    thud_index n = 3 + (thud_index)thud_random_below(&random, 3), directions = 1 + round % 2, contacts = 1 + round % 3;
    thud_still still;
    thud_still_init(&still, context, n);
    for (thud_index i = 0; i < n; i++)
      for (thud_index j = 0; j < n; j++) still.mass[i * n + j] = (i == j) * thud_random_uniform(&random, .1, 2) + .05;
    double v[THUD_STILL_N];
    for (thud_index i = 0; i < n; i++) v[i] = thud_random_normal(&random);
    for (thud_index k = 0; k < contacts; k++) {
      double rows[3 * THUD_STILL_N];
      for (thud_index i = 0; i < 3 * n; i++) rows[i] = thud_random_normal(&random);
      thud_still_add(&still, rows, thud_random_uniform(&random, .3, 1));
      thud_still_add_law(&still, k, directions, rows + n, thud_random_uniform(&random, 0, 1), NULL);
    }
    still.options.law = round % 4 == 0 ? THUD_IMPACT_SEQUENTIAL : THUD_IMPACT_NEWTON;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, v);
    if (still.info.status != THUD_SOLVED) { /* more rows than coordinates: there need not be a solution */
      thud_assert_greater(contacts * (1 + directions), n);
      if (directions == 1) assert_int_equal(count_planar_solutions(&still), 0);
      unsolved++;
      thud_still_end(&still);
      continue;
    }
    thud_assert_at_most(still.info.energy_after, still.info.energy_before * (1 + 1e-9));
    thud_assert_at_most(still.info.identity, 1e-12);
    thud_assert_at_most(still.info.residual, 1e-10);
    reduced += still.info.gained;
    thud_still_end(&still);
  }
  thud_assert_greater(reduced, 5);
  thud_assert_less(unsolved, 20);
  thud_test_context_end(context);
}

/* Case C3: e = 2 doubles the speed only where that is allowed. */
static void restitution_above_one_gains(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int gain = THUD_GAIN_REDUCE_E; gain <= THUD_GAIN_ALLOW; gain++) {
    thud_still still;
    thud_still_init(&still, context, 1);
    thud_still_add(&still, (double[]){1}, 2);
    still.options.on_energy_gain = gain;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, (double[]){-1});
    assert_true(still.info.gained);
    thud_still_near(still.v[0], gain == THUD_GAIN_REDUCE_E ? 1 : gain == THUD_GAIN_ALLOW ? 2 : -1, 1e-14);
    if (gain == THUD_GAIN_REDUCE_E) thud_still_near(still.info.restitution_factor, .5, 1e-14);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* Housner's block of half width b and half height h turns about its left lower corner until the right one hits:
 * w+/w- = 1 - 3/2 sin^2 alpha, tan alpha = b/h. Both corners act. */
static void housners_block_loses_the_known_part_of_its_spin(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 1; k <= 5; k++) {
    double alpha = .1 * k, b = sin(alpha), h = cos(alpha), spin = -1;
    thud_still still;
    thud_still_init(&still, context, 3);
    still.mass[8] = 1. / 3;
    thud_still_add(&still, (double[]){0, 1, -b}, 0);
    thud_still_add(&still, (double[]){0, 1, b}, 0);
    thud_still_add_law(&still, 0, 1, (double[]){1, 0, h}, 1, NULL);
    thud_still_add_law(&still, 1, 1, (double[]){1, 0, h}, 1, NULL);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    /* about the left corner: x' = -h w, y' = b w */
    thud_still_impact(&still, (double[]){-h * spin, b * spin, spin});
    thud_still_near(still.v[2] / spin, 1 - 1.5 * sin(alpha) * sin(alpha), 1e-12);
    thud_still_near(still.r[0], 0, 1e-12);
    assert_int_equal(still.info.status, THUD_SOLVED);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* ---- the user's map -------------------------------------------------------------------------------------------- */

typedef struct map_data {
  const double *answer;
  thud_index n;
  int outcome;
  double seen_t;
  const double *seen_q;
} map_data;

static int answer_map(void *user, double t, const double *q, const double *v, double *out) {
  map_data *data = user;
  (void)v;
  data->seen_t = t;
  data->seen_q = q;
  memcpy(out, data->answer, (size_t)data->n * sizeof *out);
  return data->outcome;
}

static void the_users_map_is_audited(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double v[3] = {1, 0, 0}, q[3] = {0, 1, 2};
  double answers[4][3] = {{0, .25, .75}, {-1, 1, 1}, {.5, .5, 0}, {.5, .5, .5}};
  for (int gain = THUD_GAIN_REDUCE_E; gain <= THUD_GAIN_ALLOW; gain++)
    for (int k = 0; k < 4; k++) {
      thud_still still;
      thud_still_cradle(&still, context, 3, 1, THUD_IMPACT_TABLE);
      map_data data = {.answer = answers[k], .n = 3};
      still.options.table = answer_map;
      still.options.table_user = &data;
      still.options.on_energy_gain = gain;
      assert_int_equal(thud_still_begin(&still), THUD_OK);
      thud_percussion_place(still.percussion, 7, q);
      thud_still_impact(&still, v);
      thud_assert_equal(data.seen_t, 7);
      assert_ptr_equal(data.seen_q, q);
      bool is_kept = k == 0 || gain == THUD_GAIN_ALLOW;
      bool is_refused = !is_kept && (k >= 2 || gain == THUD_GAIN_REFUSE);
      assert_int_equal(still.info.refused, is_refused);
      assert_int_equal(still.info.gained, k == 1);
      assert_int_equal(still.info.impulse_admissible, k != 3);
      for (int i = 0; i < 3 && is_kept; i++) thud_still_near(still.v[i], answers[k][i], 0);
      for (int i = 0; i < 3 && is_refused; i++) thud_still_near(still.v[i], v[i], 0);
      if (k == 1 && gain == THUD_GAIN_REDUCE_E) { /* on the way from (1/3,1/3,1/3) to (-1,1,1): energy 1/6 + s^2 4/3 */
        double s = still.info.restitution_factor;
        thud_still_near(s, .5, 1e-14);
        thud_still_near(still.v[0], (1 - 4 * s) / 3, 1e-14);
        thud_still_near(still.info.energy_after, .5, 1e-14);
      }
      if (k == 0) {
        thud_still_near(still.r[0], 1, 1e-14);
        thud_still_near(still.r[1], .75, 1e-14);
        thud_assert_at_most(still.info.identity, 1e-14);
      }
      thud_still_end(&still);
    }
  thud_test_context_end(context);
}

static void a_table_needs_a_map_that_works(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_cradle(&still, context, 3, 1, THUD_IMPACT_TABLE);
  assert_int_equal(thud_still_begin(&still), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "impact law 'table': there is no map; set the options' field `table`", NULL);
  thud_still_end(&still);
  double answer[3] = {0, NAN, 0};
  const double v[3] = {1, 0, 0};
  map_data data = {.answer = answer, .n = 3};
  still.options.table = answer_map;
  still.options.table_user = &data;
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  still.v[0] = 42;
  assert_int_equal(thud_percussion_solve(still.percussion, still.values, still.acting, 0, v, v, still.r, still.r_slip,
                                         still.v, &still.info),
                   THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "impact law: velocity 1 after the impact is not finite", NULL);
  data.outcome = 3;
  assert_int_equal(thud_percussion_solve(still.percussion, still.values, still.acting, 0, v, v, still.r, still.r_slip,
                                         still.v, &still.info),
                   THUD_ERROR_CALLBACK);
  thud_assert_equal(still.v[0], 42);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* v - factor * (the part of v along M^-1 a of each gradient a), diagonal mass, gradients orthogonal in the kinetic metric. */
typedef struct reflection {
  thud_index n, count;
  const double *mass, *gradient; /* [n], [count*n] */
  double factor, seen[THUD_STILL_N];
  int calls;
} reflection;

static int reflect(void *user, double t, const double *q, const double *v, double *out) {
  reflection *map = user;
  (void)t, (void)q;
  map->calls++;
  memcpy(map->seen, v, (size_t)map->n * sizeof *v);
  memcpy(out, v, (size_t)map->n * sizeof *v);
  for (thud_index i = 0; i < map->count; i++) {
    const double *a = map->gradient + i * map->n;
    double u = 0, W = 0;
    for (thud_index k = 0; k < map->n; k++) {
      u += a[k] * v[k];
      W += a[k] * a[k] / map->mass[k];
    }
    for (thud_index k = 0; k < map->n; k++) out[k] -= map->factor * u / W * a[k] / map->mass[k];
  }
  return 0;
}

static void reflected_system(thud_still *still, thud_context *context, reflection *map, double e, bool by_table) {
  thud_still_init(still, context, map->n);
  for (thud_index k = 0; k < map->n; k++) still->mass[k * map->n + k] = map->mass[k];
  for (thud_index i = 0; i < map->count; i++) thud_still_add(still, map->gradient + i * map->n, e);
  still->options.law = by_table ? THUD_IMPACT_TABLE : THUD_IMPACT_NEWTON;
  still->options.table = by_table ? reflect : NULL;
  still->options.table_user = map;
}

/* One contact that is approached, with friction on it and a brake, and an equation: the velocity problem of a step is the
 * same, so that answers agree to the rounding of its solution. */
static void a_table_that_is_newtons_law_answers_as_it_does(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(28);
  for (int k = 0; k < 200; k++) {
    double mass[4], a[4] = {0}, slip[4] = {0, 0, 1, 0}, brake[4] = {1, 0, 0, 0}, tie[4] = {0, 0, 0, 1}, v[4], v_free[4];
    for (int i = 0; i < 4; i++) {
      mass[i] = thud_random_uniform(&random, .5, 2);
      a[i] = i < 3 ? thud_random_uniform(&random, .2, 1) : 0;
      v[i] = i < 3 ? thud_random_uniform(&random, -2, -1) : 0;
      v_free[i] = v[i] + thud_random_uniform(&random, -.1, .1);
    }
    double e = thud_random_uniform(&random, 0, 1);
    reflection map = {.n = 4, .count = 1, .mass = mass, .gradient = a, .factor = 1 + e};
    thud_still pair[2];
    for (int by_table = 0; by_table < 2; by_table++) {
      thud_still *still = &pair[by_table];
      reflected_system(still, context, &map, e, by_table == 1);
      thud_index equation = thud_still_add(still, tie, 0);
      still->kind[equation] = THUD_CONSTRAINT_BILATERAL;
      thud_still_add_law(still, 0, 1, slip, .3, NULL);
      thud_still_add_law(still, -1, 1, brake, .5, NULL);
      assert_int_equal(thud_still_begin(still), THUD_OK);
      thud_still_step(still, .1, v, v_free);
      assert_int_equal(still->info.status, THUD_SOLVED);
    }
    assert_int_equal(map.calls, 1);
    for (int i = 0; i < 4; i++) thud_still_near(pair[1].v[i], pair[0].v[i], 1e-12);
    thud_still_near(pair[1].r[0], pair[0].r[0], 1e-12);
    thud_still_near(pair[1].info.normal_loss, pair[0].info.normal_loss, 1e-11);
    thud_still_near(pair[1].info.friction_loss, pair[0].info.friction_loss, 1e-11);
    thud_assert_at_most(pair[1].info.identity, 1e-13);
    for (int i = 0; i < 2; i++) thud_still_end(&pair[i]);
  }
  thud_test_context_end(context);
}

/* A corner: x separates, y is approached. The map sees x at rest, and x goes on as it was. */
static void a_table_sees_contacts_that_separate_at_rest(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double mass[2] = {1, 2}, gradient[4] = {1, 0, 0, 1}, v[2] = {1, -2}, leaving[2] = {1, .5},
               falls[2] = {-.25, -.5};
  reflection map = {.n = 2, .count = 2, .mass = mass, .gradient = gradient, .factor = 1.5};
  thud_still still;
  reflected_system(&still, context, &map, 0, true);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, v);
  assert_false(still.info.refused);
  assert_int_equal(map.calls, 1);
  thud_still_near(map.seen[0], 0, 1e-15);
  thud_still_near(map.seen[1], -2, 0);
  thud_still_near(still.v[0], 1, 1e-15);
  thud_still_near(still.v[1], 1, 1e-15);
  thud_still_step(&still, .1, leaving,
                  falls); /* nothing is approached: what forces close is stopped, without the law */
  assert_int_equal(map.calls, 1);
  thud_still_near(still.v[0], 0, 0);
  thud_still_near(still.v[1], 0, 0);
  thud_still_near(still.r[1], 1, 1e-15);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* v+ = -2 v- of one coordinate is brought back to -v-: velocity, impulse and loss are those of one and the same answer. */
static void a_table_that_is_brought_back_keeps_its_account(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double mass[1] = {3}, gradient[1] = {1}, v[1] = {-2};
  reflection map = {.n = 1, .count = 1, .mass = mass, .gradient = gradient, .factor = 3};
  thud_still still;
  reflected_system(&still, context, &map, 0, true);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, v);
  thud_still_near(still.info.restitution_factor, .5, 1e-15);
  thud_still_near(still.v[0], 2, 1e-15);
  thud_still_near(still.r[0], 12, 1e-14);
  thud_still_near(still.info.normal_loss, 0, 1e-14);
  thud_still_near(still.info.energy_after, 6, 1e-14);
  thud_assert_at_most(still.info.identity, 1e-15);
  assert_true(still.info.gained);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* ---- friction laws as convex sets ------------------------------------------------------------------------------ */

/* The braked wheel, f N = 1, a = 1, b = 1/2, j = e1: { |G| <= 1, |G1| <= 1/2 }, as an intersection and as the pre-image
 * of disc x interval (Proposition 1). */
static thud_set *braked_wheel(thud_context *context, bool as_preimage) {
  thud_set *parts[2], *set, *product;
  assert_int_equal(thud_set_ball(context, 2, (double[]){0, 0}, 1, &parts[0]), THUD_OK);
  if (!as_preimage) {
    assert_int_equal(thud_set_box(context, 2, (double[]){-.5, -2}, (double[]){.5, 2}, &parts[1]), THUD_OK);
    assert_int_equal(thud_set_intersection(context, 2, parts, &set), THUD_OK);
    return set;
  }
  assert_int_equal(thud_set_interval(context, -.5, .5, &parts[1]), THUD_OK);
  assert_int_equal(thud_set_product(context, 2, parts, &product), THUD_OK);
  assert_int_equal(thud_set_linear_preimage(context, 2, (double[]){1, 0, 1, 0, 1, 0}, product, &set), THUD_OK);
  return set;
}

static void a_braked_wheel_pulls_as_the_reference_says(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double mass = 10, W[3][2] = {{1, 0}, {0, 1}, {1, 1}};
  double G[3][2] = {{-.5, 0}, {0, -1}, {-.5, -sqrt(.75)}};
  for (int form = 0; form < 2; form++) {
    thud_set *set = braked_wheel(context, form == 1);
    for (int k = 0; k < 3; k++) {
      thud_still still;
      thud_still_init(&still, context, 2);
      still.mass[0] = still.mass[3] = mass;
      thud_still_add_law(&still, -1, 2, (double[]){1, 0, 0, 1}, 1, set);
      still.options.tolerance = 1e-7;
      assert_int_equal(thud_still_begin(&still), THUD_OK);
      thud_still_step(&still, 1, W[k], W[k]);
      assert_int_equal(still.info.status, THUD_SOLVED);
      for (int i = 0; i < 2; i++) {
        thud_still_near(still.r_slip[i], G[k][i], 1e-6);
        thud_still_near(still.v[i], W[k][i] + G[k][i] / mass, 1e-7);
      }
      /* what the ground and the brake take: the least of |v + w e1| + |w|/2 over the spin w */
      double x = still.v[0], y = still.v[1], least = x > y / sqrt(3) ? x / 2 + sqrt(.75) * y : hypot(x, y);
      thud_still_near(-still.r_slip[0] * x - still.r_slip[1] * y, least, 1e-6);
      thud_still_end(&still);
    }
    thud_set_destroy(set);
  }
  thud_test_context_end(context);
}

/* The same with the spin as a coordinate of small inertia: ground friction on (x' + w, y'), brake on w. The spin goes
 * to the minimum of |W + w e1| + |w|/2 (Proposition 2). */
static void the_spin_of_a_braked_wheel_dissipates_least(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double mass = 1e6, inertia = 1e-3, W[3][2] = {{1, 0}, {0, 1}, {1, 1}}, spin[3] = {-1, 0, -(1 - 1 / sqrt(3))};
  for (int k = 0; k < 3; k++) {
    thud_still still;
    thud_still_init(&still, context, 3);
    still.mass[0] = still.mass[4] = mass;
    still.mass[8] = inertia;
    thud_still_add_law(&still, -1, 2, (double[]){1, 0, 1, 0, 1, 0}, 1, NULL);
    thud_still_add_law(&still, -1, 1, (double[]){0, 0, 1}, .5, NULL);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    double v[3] = {W[k][0], W[k][1], spin[k]}; /* from its stationary spin */
    thud_still_step(&still, 1, v, v);
    assert_int_equal(still.info.status, THUD_SOLVED);
    thud_still_near(still.v[2], spin[k], 4e-3);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* Ballard's four-leg table (Ex. 12): a ball in (x, y, l psi) scaled by mu times the reaction. */
static void a_table_stops_sliding_and_turning_together(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double m = 3, l = .7, mu = .3, g = 9.81, h = .01;
  thud_still still;
  thud_still_init(&still, context, 4); /* x, y, z, psi */
  still.mass[0] = still.mass[5] = still.mass[10] = m;
  still.mass[15] = m * l * l;
  thud_still_add(&still, (double[]){0, 0, 1, 0}, 0);
  thud_still_add_law(&still, 0, 3, (double[]){1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, l}, mu, NULL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  for (int k = 0; k < 2; k++) { /* just below and just above mu m g */
    double size = mu * g * (k == 0 ? 1 - 1e-9 : 1.1), rest[4] = {0};
    double free[4] = {.6 * size * h, 0, -g * h, .8 * size * h / l};
    thud_still_step(&still, h, rest, free);
    double s = sqrt(still.v[0] * still.v[0] + l * l * still.v[3] * still.v[3]);
    thud_still_near(s, k == 0 ? 0 : .1 * mu * g * h, k == 0 ? 0 : 1e-13);
    thud_still_near(still.r[0], m * g * h, 1e-12);
    assert_int_equal(still.info.status, THUD_SOLVED);
  }
  double v[4] = {.3, -.2, 0, .4}, s0 = sqrt(.09 + .04 + l * l * .16);
  for (int k = 1; k <= 20; k++) {
    double free[4] = {v[0], v[1], -g * h, v[3]};
    thud_still_step(&still, h, v, free);
    memcpy(v, still.v, sizeof v);
    double s = fmax(0, s0 - mu * g * h * k);
    thud_still_near(v[0], .3 * s / s0, 1e-12);
    thud_still_near(v[1], -.2 * s / s0, 1e-12);
    thud_still_near(v[3], .4 * s / s0, 1e-12);
    thud_assert_at_most(still.info.identity, 1e-13);
  }
  thud_assert_equal(v[0], 0);
  thud_assert_equal(v[1], 0);
  thud_assert_equal(v[3], 0);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Lemma F5: b - A x in the normal cone of the box at x, A = [[2,1],[1,2]], b = (3,0): x = (1,-1/2). */
static void percussional_friction_of_two_particles_solves_the_lemma(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 2);
  double mass[4] = {2. / 3, -1. / 3, -1. / 3, 2. / 3}; /* A^-1 */
  memcpy(still.mass, mass, sizeof mass);
  thud_still_add_law(&still, -1, 1, (double[]){1, 0}, 1, NULL);
  thud_still_add_law(&still, -1, 1, (double[]){0, 1}, 1, NULL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_step(&still, 1, (double[]){-3, 0}, (double[]){-3, 0});
  thud_still_near(still.r_slip[0], 1, 1e-14);
  thud_still_near(still.r_slip[1], -.5, 1e-14);
  thud_still_near(still.v[0], -1.5, 1e-14);
  thud_still_near(still.v[1], 0, 1e-15);
  thud_still_step(&still, 0, (double[]){-3, 0}, (double[]){-3, 0}); /* forces have no part in an impact */
  thud_still_near(still.v[0], -3, 0);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Mass 1, length 1, at 45 degrees; (x, y) the rubbing end. */
static void bar_between_guides(thud_still *still, thud_context *context, double mu) {
  double c = sqrt(.5), s = sqrt(.5), mass[9] = {1, 0, -s / 2, 0, 1, c / 2, -s / 2, c / 2, 1. / 3};
  thud_still_init(still, context, 3);
  memcpy(still->mass, mass, sizeof mass);
  thud_still_add(still, (double[]){0, 1, 0}, 0);
  thud_still_add(still, (double[]){0, 1, c}, 0);
  still->kind[0] = still->kind[1] = THUD_CONSTRAINT_BILATERAL;
  thud_still_add_law(still, 0, 1, (double[]){1, 0, 0}, mu, NULL);
  assert_int_equal(thud_still_begin(still), THUD_OK);
}

/* Its velocity after the time h from rest under the generalized force (F, -1, 0) alone: M free = h f. */
static void push_bar(double F, double h, double *free) {
  double c = sqrt(.5), s = sqrt(.5);
  free[2] = (s / 2 * F + c / 2) * h / (1. / 3 - .25);
  free[0] = F * h + s / 2 * free[2];
  free[1] = -h - c / 2 * free[2];
}

/* Ballard's bar between two guides (Ex. 14), (x, y) the rubbing end: friction on the size of a bilateral reaction. */
static void a_bar_between_guides_rubs_on_a_bilateral_constraint(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double h = .01, forces[4] = {.999, 2, -1.5, -1}, expected[4] = {0, 2. / 3, -1, 0};
  double tangential[4] = {-.999, -4. / 3, .5, 1}, rest[3] = {0}, free[3];
  thud_still still;
  bar_between_guides(&still, context, 1);
  for (int k = 0; k < 4; k++) {
    push_bar(forces[k], h, free);
    thud_still_step(&still, h, rest, free);
    assert_int_equal(still.info.status, THUD_SOLVED);
    thud_still_near(still.v[0] / h, expected[k], 1e-9);
    thud_still_near(still.r_slip[0] / h, tangential[k], 1e-9);
    thud_still_near(still.v[1], 0, 1e-15);
    thud_still_near(still.v[2], 0, 1e-15);
    thud_assert_at_most(still.info.identity, 1e-12);
  }
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* mu tan th0 >= 2 in the same bar: the law is not defined by Coulomb. Where the fixed point of the threshold does not
 * settle, that is reported. */
static void a_locking_bar_is_reported(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double h = .01, rest[3] = {0}, free[3];
  thud_still still;
  bar_between_guides(&still, context, 3);
  push_bar(4, h, free);
  thud_still_step(&still, h, rest, free);
  thud_assert_different(still.info.status, THUD_SOLVED);
  thud_assert_greater(still.info.residual, 1e-3);
  thud_still_end(&still);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_energetic_law_of_one_contact_is_newtons),
      cmocka_unit_test(the_energetic_law_of_separate_contacts_is_newtons),
      cmocka_unit_test(three_balls_on_linear_springs_have_a_closed_form),
      cmocka_unit_test(soft_successors_make_the_energetic_law_sequential),
      cmocka_unit_test(the_energetic_law_is_admissible_on_random_chains),
      cmocka_unit_test(the_energetic_law_refuses_friction),
      cmocka_unit_test(newtons_law_with_friction_can_create_energy_and_is_corrected),
      cmocka_unit_test(frictional_impacts_never_gain),
      cmocka_unit_test(restitution_above_one_gains),
      cmocka_unit_test(housners_block_loses_the_known_part_of_its_spin),
      cmocka_unit_test(the_users_map_is_audited),
      cmocka_unit_test(a_table_needs_a_map_that_works),
      cmocka_unit_test(a_table_that_is_newtons_law_answers_as_it_does),
      cmocka_unit_test(a_table_sees_contacts_that_separate_at_rest),
      cmocka_unit_test(a_table_that_is_brought_back_keeps_its_account),
      cmocka_unit_test(a_braked_wheel_pulls_as_the_reference_says),
      cmocka_unit_test(the_spin_of_a_braked_wheel_dissipates_least),
      cmocka_unit_test(a_table_stops_sliding_and_turning_together),
      cmocka_unit_test(percussional_friction_of_two_particles_solves_the_lemma),
      cmocka_unit_test(a_bar_between_guides_rubs_on_a_bilateral_constraint),
      cmocka_unit_test(a_locking_bar_is_reported),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
