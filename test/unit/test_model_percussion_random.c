/* Properties of velocity problems on random systems; life, memory and failures. */
#include "failing_allocator.h"
#include "model/percussion.h"
#include "still_system.h"
#include "testing.h"
#include "thud/contact.h"

#include <math.h>
#include <string.h>

/* ---- random systems -------------------------------------------------------------------------------------------- */

static void random_mass(thud_still *still, thud_random *random) {
  thud_index n = still->n;
  double root[THUD_STILL_N * THUD_STILL_N];
  for (thud_index i = 0; i < n * n; i++) root[i] = .4 * thud_random_normal(random);
  for (thud_index i = 0; i < n; i++)
    for (thud_index j = 0; j < n; j++) {
      double sum = i == j;
      for (thud_index k = 0; k < n; k++) sum += root[i * n + k] * root[j * n + k];
      still->mass[i * n + j] = sum;
    }
}

/* Fewer constraints than coordinates, so that the gradients are independent (and qualified) almost surely. */
static void random_frictionless(thud_still *still, thud_context *context, thud_random *random, double e) {
  thud_still_init(still, context, 2 + (thud_index)thud_random_below(random, 8));
  random_mass(still, random);
  thud_index m = 1 + (thud_index)thud_random_below(random, (uint32_t)still->n);
  for (thud_index i = 0; i < m; i++) {
    double gradient[THUD_STILL_N];
    for (thud_index k = 0; k < still->n; k++) gradient[k] = thud_random_normal(random);
    thud_still_add(still, gradient, e);
  }
}

static void random_vector(thud_random *random, thud_index n, double *v) {
  for (thud_index i = 0; i < n; i++) v[i] = thud_random_normal(random);
}

static double distance(const thud_still *still, const double *a, const double *b) {
  double difference[THUD_STILL_N];
  for (thud_index i = 0; i < still->n; i++) difference[i] = a[i] - b[i];
  return sqrt(2 * thud_still_energy(still, difference));
}

/* v_V = prox(V, v) by the polyhedron projector of another layer. */
static void two_cones(const thud_still *still, const double *v, double *v_V, double *v_N) {
  double rows[THUD_STILL_MAX * THUD_STILL_N];
  thud_metric *metric;
  thud_polyhedron_projector *projector;
  thud_pivot_info info;
  for (thud_index i = 0; i < still->m * still->n; i++) rows[i] = -still->gradient[i];
  assert_int_equal(thud_metric_create(still->context, still->n, still->mass, &metric), THUD_OK);
  assert_int_equal(thud_polyhedron_projector_create(still->context, still->n, still->m, &projector), THUD_OK);
  assert_int_equal(thud_two_cones(projector, metric, still->m, rows, v, 0, v_V, v_N, NULL, &info), THUD_OK);
  thud_polyhedron_projector_destroy(projector);
  thud_metric_destroy(metric);
}

/* (a), (b), (c), the formula by the two cones, the loss (1-e^2)/2 |prox(N,v-)|^2, and nonexpansiveness. */
static void the_canonical_law_is_moreaus_formula(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(81);
  for (int round = 0; round < 400; round++) {
    double e = round % 5 / 4.0, v[THUD_STILL_N], w[THUD_STILL_N], v_V[THUD_STILL_N], v_N[THUD_STILL_N];
    thud_still still;
    random_frictionless(&still, context, &random, e);
    still.options.law = round % 2 == 0 ? THUD_IMPACT_CANONICAL : THUD_IMPACT_NEWTON;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    random_vector(&random, still.n, v);
    random_vector(&random, still.n, w);
    double size = sqrt(2 * thud_still_energy(&still, v));
    thud_still_impact(&still, v);
    two_cones(&still, v, v_V, v_N);
    for (thud_index k = 0; k < still.n; k++) thud_still_near(still.v[k], v_V[k] - e * v_N[k], 1e-11 * size);
    assert_int_equal(still.info.status, THUD_SOLVED);
    thud_assert_at_most(still.info.residual, 1e-10);
    thud_assert_at_most(still.info.identity, 1e-14);
    thud_still_near(still.info.normal_loss, (1 - e * e) * thud_still_energy(&still, v_N), 1e-11 * size * size);
    thud_still_near(still.info.energy_before, thud_still_energy(&still, v), 1e-14 * size * size);
    thud_still_near(still.info.energy_after, thud_still_energy(&still, still.v), 1e-14 * size * size);
    assert_true(!still.info.gained);
    thud_assert_equal(still.info.restitution_factor, 1);
    bool approaches = false;
    for (thud_index i = 0; i < still.m; i++) approaches = approaches || thud_still_velocity(&still, i, v) > 0;
    for (thud_index i = 0; i < still.m && !approaches; i++) { /* v- in -V */
      thud_assert_at_least(thud_still_velocity(&still, i, still.v), -1e-11 * size);
      assert_true(still.info.in_cone);
    }
    double after[THUD_STILL_N];
    memcpy(after, still.v, sizeof after);
    thud_still_impact(&still, w);
    thud_assert_at_most(distance(&still, after, still.v), distance(&still, v, w) * (1 + 1e-12));
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* An impact velocity v- in -V: then every law with 0 <= e <= 1 is audited as admissible. */
static void impacts_satisfy_the_axioms(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(82);
  for (int round = 0; round < 400; round++) {
    double e = thud_random_uniform(&random, 0, 1), v[THUD_STILL_N], v_V[THUD_STILL_N], v_N[THUD_STILL_N];
    thud_still still;
    random_frictionless(&still, context, &random, e);
    still.options.law = round % 3 == 0 ? THUD_IMPACT_SEQUENTIAL : round % 3;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    random_vector(&random, still.n, v);
    two_cones(&still, v, v_V, v_N);
    for (thud_index k = 0; k < still.n; k++) v[k] = -v_V[k]; /* in -V */
    thud_still_impact(&still, v);
    assert_true(still.info.in_cone && still.info.impulse_admissible);
    thud_assert_at_most(still.info.energy_after, still.info.energy_before * (1 + 1e-9));
    thud_percussion_info audit;
    assert_int_equal(thud_percussion_audit(still.percussion, still.values, still.acting, v, still.v, &audit), THUD_OK);
    assert_true(audit.in_cone && audit.impulse_admissible && !audit.gained);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* phi -> c phi changes impulses, not velocities; new coordinates q = T x change nothing that can be measured. */
static void answers_do_not_depend_on_how_the_system_is_written(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(83);
  for (int round = 0; round < 200; round++) {
    double v[THUD_STILL_N], T[THUD_STILL_N * THUD_STILL_N], Tx[THUD_STILL_N];
    thud_still still, scaled, turned;
    random_frictionless(&still, context, &random, .3);
    for (thud_index i = 0; i < still.m; i++) still.restitution[i] = thud_random_uniform(&random, 0, .6);
    still.options.law = round % 2 == 0 ? THUD_IMPACT_NEWTON : THUD_IMPACT_SEQUENTIAL;
    thud_index n = still.n, m = still.m;
    scaled = turned = still;
    for (thud_index i = 0; i < m; i++) {
      double c = ldexp(thud_random_uniform(&random, .5, 1), (int)thud_random_below(&random, 9) - 4);
      for (thud_index k = 0; k < n; k++) scaled.gradient[i * n + k] *= c;
    }
    random_vector(&random, n, turned.v); /* x' with q' = T x' */
    for (thud_index i = 0; i < n * n; i++) T[i] = (i % (n + 1) == 0) * 2 + .3 * thud_random_normal(&random);
    for (thud_index i = 0; i < n; i++) {
      v[i] = 0;
      for (thud_index k = 0; k < n; k++) v[i] += T[i * n + k] * turned.v[k];
    }
    for (thud_index i = 0; i < n; i++) /* T'MT, T'a */
      for (thud_index j = 0; j < n; j++) {
        turned.mass[i * n + j] = 0;
        for (thud_index a = 0; a < n; a++)
          for (thud_index b = 0; b < n; b++)
            turned.mass[i * n + j] += T[a * n + i] * still.mass[a * n + b] * T[b * n + j];
      }
    for (thud_index i = 0; i < n; i++) /* exactly symmetric */
      for (thud_index j = 0; j < i; j++) turned.mass[i * n + j] = turned.mass[j * n + i];
    for (thud_index i = 0; i < m; i++)
      for (thud_index j = 0; j < n; j++) {
        turned.gradient[i * n + j] = 0;
        for (thud_index a = 0; a < n; a++) turned.gradient[i * n + j] += T[a * n + j] * still.gradient[i * n + a];
      }
    thud_still *all[3] = {&still, &scaled, &turned};
    for (int k = 0; k < 3; k++) assert_int_equal(thud_still_begin(all[k]), THUD_OK);
    double before[THUD_STILL_N];
    memcpy(before, turned.v, sizeof before);
    thud_still_impact(&still, v);
    thud_still_impact(&scaled, v);
    thud_still_impact(&turned, before);
    for (thud_index i = 0; i < n; i++) {
      Tx[i] = 0;
      for (thud_index k = 0; k < n; k++) Tx[i] += T[i * n + k] * turned.v[k];
    }
    double size = 1 + sqrt(2 * thud_still_energy(&still, v));
    thud_assert_at_most(distance(&still, still.v, scaled.v), 1e-8 * size);
    thud_assert_at_most(distance(&still, still.v, Tx), 1e-8 * size);
    for (int k = 0; k < 3; k++) thud_still_end(all[k]);
  }
  thud_test_context_end(context);
}

/* ---- friction against an evaluation that shares no code -------------------------------------------------------- */

/* The residual of the answer as a contact problem, W and q assembled here in a different way (M^-1 by LU). */
static double contact_residual(const thud_still *still, thud_index directions, const double *v_minus) {
  thud_index n = still->n, d = 1 + directions, size = d * still->m;
  static double H[THUD_STILL_N * 3 * THUD_STILL_MAX], X[THUD_STILL_N * 3 * THUD_STILL_MAX];
  static double W[9 * THUD_STILL_MAX * THUD_STILL_MAX];
  double q[3 * THUD_STILL_MAX], r[3 * THUD_STILL_MAX], mu[THUD_STILL_MAX];
  for (thud_index c = 0; c < still->m; c++)
    for (thud_index k = 0; k < d; k++) {
      const double *row = k == 0 ? still->gradient + c * n : still->slip + (c * directions + k - 1) * n;
      thud_index i = c * d + k;
      q[i] = 0;
      for (thud_index a = 0; a < n; a++) {
        H[i * n + a] = row[a];
        q[i] += row[a] * v_minus[a] * (k == 0 ? 1 + still->restitution[c] * still->info.restitution_factor : 1);
      }
      r[i] = k == 0 ? still->r[c] : still->r_slip[c * directions + k - 1];
      mu[c] = still->law[c].friction;
    }
  memcpy(X, H, sizeof X);
  assert_int_equal(thud_dense_solve(still->context, n, still->mass, size, X), THUD_OK);
  thud_dense_multiply(size, size, n, 1, H, true, X, false, 0, W);
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                  .dimension = d,
                                  .contacts = still->m,
                                  .mu = mu,
                                  .W = {.storage = THUD_MATRIX_DENSE, .rows = size, .columns = size, .dense = W},
                                  .q = q};
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(still->context, &problem, r, NULL, NULL, NULL, &residual), THUD_OK);
  return residual.residual;
}

static void random_frictional(thud_still *still, thud_context *context, thud_random *random, thud_index contacts,
                              thud_index directions) {
  thud_still_init(still, context, contacts * (1 + directions) + (thud_index)thud_random_below(random, 3));
  random_mass(still, random);
  for (thud_index c = 0; c < contacts; c++) {
    double rows[3 * THUD_STILL_N];
    random_vector(random, 3 * still->n, rows);
    thud_still_add(still, rows, thud_random_uniform(random, 0, .5));
    thud_still_add_law(still, c, directions, rows + still->n, thud_random_uniform(random, 0, .8), NULL);
  }
}

static void frictional_answers_solve_the_contact_problem(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(84);
  int unsolved = 0;
  for (int round = 0; round < 300; round++) {
    thud_still still;
    double v[THUD_STILL_N];
    thud_index directions = 1 + round % 2;
    random_frictional(&still, context, &random, 1 + (thud_index)thud_random_below(&random, 5), directions);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    random_vector(&random, still.n, v);
    thud_still_impact(&still, v);
    unsolved += still.info.status != THUD_SOLVED;
    if (still.info.status == THUD_SOLVED) {
      thud_assert_at_most(still.info.residual, 1e-10);
      thud_assert_at_most(contact_residual(&still, directions, v), 1e-8);
    }
    thud_assert_at_most(still.info.identity, 1e-13);
    assert_true(still.info.friction_loss >= -1e-9 || still.info.normal_loss > 0);
    thud_assert_at_most(still.info.energy_after, still.info.energy_before * (1 + 1e-9));
    thud_still_end(&still);
  }
  assert_int_equal(unsolved, 0);
  thud_test_context_end(context);
}

/* By a registered method, with contacts filled up to a common dimension and laws by themselves:
 * the same velocities as by sweeps. */
static void the_registry_gives_the_same_velocities(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(89);
  for (int round = 0; round < 60; round++) {
    thud_still still;
    thud_set *box = NULL;
    double v[THUD_STILL_N], rows[3 * THUD_STILL_N];
    random_frictional(&still, context, &random, 3, 2);
    assert_int_equal(thud_set_box(context, 2, (double[]){-.5, -1}, (double[]){.5, 2}, &box), THUD_OK);
    still.law[0].directions = 1; /* planar, then a box, then frictionless; the slip rows are random anyway */
    if (round % 2 == 0) still.law[1].set = box;
    still.law[2].friction = round % 3 == 0 ? 0 : .3;
    random_vector(&random, 3 * still.n, rows);
    thud_still_add_law(&still, -1, 2, rows, .4, NULL);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    random_vector(&random, still.n, v);
    thud_still_step(&still, .5, v, v);
    assert_int_equal(still.info.status, THUD_SOLVED);
    thud_percussion *p = still.percussion;
    const thud_velocity_problem *problem = &p->problem;
    thud_velocity_info info;
    thud_index dimension, size = problem->rows;
    double r[16] = {0}, u[16];
    assert_null(thud_velocity_not_contact(problem, &dimension));
    assert_int_equal(thud_velocity_by_methods(p->solver, problem, dimension, 1e-9, r, u, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    for (thud_index i = 0; i < size; i++) {
      double sum = p->load[i];
      for (thud_index j = 0; j < size; j++) sum += p->W[i * size + j] * r[j];
      thud_still_near(sum, p->u[i], 1e-6);
    }
    /* the solver of this shape again */
    assert_int_equal(thud_velocity_by_methods(p->solver, problem, dimension, 1e-9, r, u, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    assert_int_equal(p->solver->made_count, 1);
    thud_still_end(&still);
    thud_set_destroy(box);
  }
  thud_test_context_end(context);
}

/* Square blocks on each other, the top one 1000 times as heavy, pushed sideways by less than friction and less than
 * topples them: nothing moves. Two contacts per joint: forces are not unique. */
static void stacks_with_a_heavy_top_stand(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index blocks = 1; blocks <= 6; blocks++) {
    double h = .01, g = 9.81, rest[THUD_STILL_N] = {0}, free[THUD_STILL_N] = {0};
    thud_index n = 3 * blocks;
    thud_still still;
    thud_still_init(&still, context, n);
    for (thud_index b = 0; b < blocks; b++) {
      double mass = b + 1 == blocks ? 1000 : 1;
      for (thud_index k = 0; k < 3; k++) still.mass[(3 * b + k) * (n + 1)] = k < 2 ? mass : mass / 6;
      free[3 * b] = .05 * g * h;
      free[3 * b + 1] = -g * h;
      for (int side = -1; side <= 1; side += 2) {
        double normal[THUD_STILL_N] = {0}, slip[THUD_STILL_N] = {0};
        normal[3 * b + 1] = 1, normal[3 * b + 2] = .5 * side;
        slip[3 * b] = 1, slip[3 * b + 2] = .5;
        if (b > 0) {
          normal[3 * b - 2] = -1, normal[3 * b - 1] = -.5 * side;
          slip[3 * b - 3] = -1, slip[3 * b - 1] = .5;
        }
        thud_still_add_law(&still, thud_still_add(&still, normal, 0), 1, slip, .5, NULL);
      }
    }
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    for (int step = 0; step < 3; step++) {
      thud_still_step(&still, h, rest, free);
      assert_int_equal(still.info.status, THUD_SOLVED);
      assert_true(still.info.set_valued);
      for (thud_index k = 0; k < n; k++) thud_still_near(still.v[k], 0, 1e-10 * g * h);
    }
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* ---- other kinds of rows --------------------------------------------------------------------------------------- */

/* Bilateral constraints: the answer is that of the system reduced to the coordinates they leave. */
static void bilateral_constraints_reduce_the_system(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(85);
  for (int round = 0; round < 200; round++) {
    thud_index n = 6, free = 4; /* the last two coordinates are held: x4 = x5 = 0 */
    thud_still still, reduced;
    thud_still_init(&still, context, n);
    random_mass(&still, &random);
    thud_still_init(&reduced, context, free);
    for (thud_index i = 0; i < free; i++)
      for (thud_index j = 0; j < free; j++) reduced.mass[i * free + j] = still.mass[i * n + j];
    double rows[2 * 6], v[6] = {0};
    for (thud_index c = 0; c < 2; c++) {
      random_vector(&random, 2 * n, rows);
      double e = thud_random_uniform(&random, 0, .5);
      thud_still_add(&still, rows, e);
      thud_still_add(&reduced, rows, e);
      thud_still_add_law(&still, c, 1, rows + n, .3, NULL);
      thud_still_add_law(&reduced, c, 1, rows + n, .3, NULL);
    }
    thud_still_add(&still, (double[]){0, 0, 0, 0, 2, 1}, 0);
    thud_still_add(&still, (double[]){0, 0, 0, 0, 1, -1}, 0);
    thud_still_add(&still, (double[]){0, 0, 0, 0, 3, 0}, 0); /* the sum of the others: redundant, not wrong */
    for (thud_index i = 2; i < 5; i++) still.kind[i] = i == 2 ? THUD_CONSTRAINT_BILATERAL : THUD_CONSTRAINT_VELOCITY;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    assert_int_equal(thud_still_begin(&reduced), THUD_OK);
    random_vector(&random, free, v);
    thud_still_impact(&still, v);
    thud_still_impact(&reduced, v);
    assert_int_equal(still.info.status, THUD_SOLVED);
    assert_true(still.info.set_valued);
    for (thud_index k = 0; k < n; k++) thud_still_near(still.v[k], k < free ? reduced.v[k] : 0, 1e-9);
    for (thud_index c = 0; c < 2; c++) {
      thud_still_near(still.r[c], reduced.r[c], 1e-9);
      thud_still_near(still.r_slip[c], reduced.r_slip[c], 1e-9);
    }
    thud_assert_at_most(still.info.identity, 1e-13);
    /* M (v+ - v-) is what the impulses say */
    for (thud_index i = 0; i < n; i++) {
      double momentum = 0;
      for (thud_index k = 0; k < n; k++) momentum += still.mass[i * n + k] * (still.v[k] - v[k]);
      for (thud_index c = 0; c < still.m; c++) momentum -= still.gradient[c * n + i] * still.r[c];
      for (thud_index c = 0; c < 2; c++) momentum -= still.slip[c * n + i] * still.r_slip[c];
      thud_still_near(momentum, 0, 1e-12);
    }
    thud_still_end(&still);
    thud_still_end(&reduced);
  }
  thud_test_context_end(context);
}

/* A table that rises with speed 1 under a ball at rest, e = 1/2: the ball leaves it at 1.5; the table has worked. */
static void a_moving_wall_works(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int with_friction = 0; with_friction < 2; with_friction++) {
    thud_still still;
    thud_still_init(&still, context, 2);
    thud_still_add(&still, (double[]){0, 1}, .5);
    still.rate[0] = -1;
    if (with_friction) {
      thud_still_add_law(&still, 0, 1, (double[]){1, 0}, .25, NULL);
      still.slip_rate[0] = -1; /* and moves sideways */
    }
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    thud_still_impact(&still, (double[]){0, 0});
    thud_still_near(still.v[1], 1.5, 0);
    thud_still_near(still.v[0], with_friction ? .375 : 0, 0);
    assert_true(!still.info.gained);
    thud_assert_at_most(still.info.identity, 1e-15);
    thud_still_near(still.info.normal_loss, .375, 1e-15);
    thud_still_near(still.info.moving_work, 1.5 + with_friction * .375, 1e-15);
    thud_still_near(still.info.friction_loss, with_friction ? .375 * (1 + .625) / 2 : 0, 1e-15);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* A step with forces: the work that they do is counted apart. */
static void steps_with_forces_close_the_identity(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(86);
  for (int round = 0; round < 300; round++) {
    thud_still still;
    double v[THUD_STILL_N], free[THUD_STILL_N];
    random_frictional(&still, context, &random, 1 + (thud_index)thud_random_below(&random, 3), 1 + round % 2);
    for (thud_index c = 0; c < still.m; c++) still.rate[c] = thud_random_normal(&random);
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    random_vector(&random, still.n, v);
    random_vector(&random, still.n, free);
    thud_still_step(&still, .1, v, free);
    thud_assert_at_most(still.info.identity, 1e-13);
    thud_still_near(still.info.energy_before, thud_still_energy(&still, v), 1e-12 * still.info.energy_before);
    double alias[THUD_STILL_N]; /* v_plus may be v_free */
    memcpy(alias, free, sizeof alias);
    thud_percussion_info info;
    assert_int_equal(thud_percussion_solve(still.percussion, still.values, still.acting, .1, v, alias, still.r,
                                           still.r_slip, alias, &info),
                     THUD_OK);
    for (thud_index k = 0; k < still.n; k++) thud_still_near(alias[k], still.v[k], 1e-8);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

/* A freewheel (case C17): one-sided velocity constraints act without being asked. */
static void one_sided_velocity_constraints_always_act(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 2);
  still.mass[0] = still.mass[3] = .5;
  thud_still_add(&still, (double[]){-1, 1}, 0); /* w2 - w1 >= 0 */
  still.kind[0] = THUD_CONSTRAINT_VELOCITY_ONE_SIDED;
  still.acting[0] = false;
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_step(&still, .1, (double[]){0, 0}, (double[]){.2, 0});
  thud_still_near(still.v[0], .1, 1e-16);
  thud_still_near(still.v[1], .1, 1e-16);
  thud_still_near(still.r[0], .05, 1e-16);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Two laws of one constraint (slip and spin) have the same threshold. */
static void a_second_law_of_a_constraint_uses_its_reaction(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 3);
  thud_still_add(&still, (double[]){0, 1, 0}, 0);
  thud_still_add_law(&still, 0, 1, (double[]){1, 0, 0}, .5, NULL);
  thud_still_add_law(&still, 0, 1, (double[]){0, 0, 1}, .1, NULL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){1, -1, -2});
  thud_still_near(still.v[0], .5, 1e-15);
  thud_still_near(still.v[1], 0, 0);
  thud_still_near(still.v[2], -1.9, 1e-15);
  assert_int_equal(still.info.status, THUD_SOLVED);
  still.acting[0] = false;
  thud_still_impact(&still, (double[]){1, -1, -2});
  thud_still_near(still.v[2], -2, 0);
  thud_still_near(still.r[0], 0, 0);
  thud_still_near(still.r_slip[1], 0, 0);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* Four legs: forces are not unique, the motion is. Two opposite walls that close: nothing satisfies them. */
static void rank_loss_is_named_and_closing_walls_are_infeasible(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 3);
  for (int k = 0; k < 4; k++) thud_still_add(&still, (double[]){1, k < 2 ? 1 : -1, k % 2 == 0 ? 1 : -1}, 0);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){-1, 0, 0});
  assert_int_equal(still.info.status, THUD_SOLVED);
  for (int k = 0; k < 3; k++) thud_still_near(still.v[k], 0, 1e-15);
  thud_still_near(still.r[0] + still.r[1] + still.r[2] + still.r[3], 1, 1e-15);
  assert_true(still.info.set_valued);
  still.acting[3] = false; /* three legs: unique */
  thud_still_impact(&still, (double[]){-1, 0, 0});
  assert_false(still.info.set_valued);
  thud_still_end(&still);

  thud_still_init(&still, context, 1);
  thud_still_add(&still, (double[]){1}, 0);
  thud_still_add(&still, (double[]){-1}, 0);
  still.rate[0] = still.rate[1] = -1;
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){0});
  assert_int_equal(still.info.status, THUD_SOLVER_INFEASIBLE);
  thud_still_end(&still);

  thud_still_init(&still, context, 1); /* equations that contradict each other */
  thud_still_add(&still, (double[]){1}, 0);
  thud_still_add(&still, (double[]){1}, 0);
  still.kind[0] = still.kind[1] = THUD_CONSTRAINT_BILATERAL;
  still.rate[0] = -1;
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_still_impact(&still, (double[]){0});
  assert_int_equal(still.info.status, THUD_SOLVER_INFEASIBLE);
  assert_int_equal(still.info.worst_constraint, 1);
  thud_still_end(&still);
  thud_test_context_end(context);
}

/* ---- life ------------------------------------------------------------------------------------------------------ */

static void solving_allocates_nothing_once_a_shape_is_known(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(87);
  for (int law = THUD_IMPACT_CANONICAL; law <= THUD_IMPACT_LZB; law++) {
    thud_still still;
    if (law == THUD_IMPACT_LZB)
      random_frictionless(&still, context, &random, .5);
    else
      random_frictional(&still, context, &random, 4, 2);
    still.options.law = law;
    assert_int_equal(thud_still_begin(&still), THUD_OK);
    double v[THUD_STILL_N];
    uint64_t before = thud_context_allocation_count(context);
    for (int k = 0; k < 20; k++) {
      random_vector(&random, still.n, v);
      thud_still_impact(&still, v);
    }
    assert_int_equal(thud_context_allocation_count(context), before);
    thud_still_end(&still);
  }
  thud_test_context_end(context);
}

static thud_error make_and_solve(thud_context *context, void *user) {
  thud_random random = thud_random_seed(88);
  thud_still still;
  thud_set *box;
  (void)user;
  thud_error error = thud_set_box(context, 2, (double[]){-1, -1}, (double[]){1, 1}, &box);
  if (error != THUD_OK) return error;
  random_frictional(&still, context, &random, 3, 2);
  still.law[1].set = box;
  double ball[3 * THUD_STILL_N];
  random_vector(&random, 3 * still.n, ball);
  thud_still_add_law(&still, -1, 3, ball, 1, NULL);
  still.kind[2] = THUD_CONSTRAINT_BILATERAL;
  error = thud_still_begin(&still);
  if (error == THUD_OK) {
    double v[THUD_STILL_N];
    random_vector(&random, still.n, v);
    error = thud_percussion_solve(still.percussion, still.values, still.acting, 1, v, v, still.r, still.r_slip, still.v,
                                  &still.info);
  }
  thud_still_end(&still);
  thud_set_destroy(box);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(make_and_solve, NULL), 30);
}

static void wrong_arguments_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_still still;
  thud_still_init(&still, context, 2);
  thud_still_add(&still, (double[]){0, 1}, 0);
  thud_still_add_law(&still, 0, 1, (double[]){1, 0}, .5, NULL);
  assert_int_equal(thud_still_begin(&still), THUD_OK);
  thud_percussion *none = NULL;
  assert_int_equal(thud_percussion_create(context, NULL, NULL, &none), THUD_ERROR_ARGUMENT);
  thud_percussion_options options = thud_percussion_options_default();
  options.tolerance = 0;
  assert_int_equal(thud_percussion_create(context, still.system, &options, &none), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "velocity problem: 'tolerance' must be greater than 0, not 0", NULL);
  options = thud_percussion_options_default();
  options.size = 3;
  assert_int_equal(thud_percussion_create(context, still.system, &options, &none), THUD_ERROR_ARGUMENT);
  assert_null(none);
  assert_int_equal(thud_percussion_create(context, still.system, NULL, &none), THUD_OK);
  thud_percussion_destroy(none);
  thud_percussion_destroy(NULL);

  double v[2] = {NAN, 0}, out[2] = {7, 7};
  still.r[0] = 3;
  assert_int_equal(thud_percussion_solve(still.percussion, still.values, still.acting, 0, v, v, still.r, still.r_slip,
                                         out, &still.info),
                   THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "velocity problem: the data of constraint 'c0' are not finite", NULL);
  thud_assert_equal(out[0], 7);
  thud_assert_equal(still.r[0], 3);
  double good[2] = {0, -1};
  assert_int_equal(thud_percussion_audit(still.percussion, still.values, still.acting, good, good, &still.info),
                   THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context,
                        "audit of an impact law: the axioms are those of frictionless constraints, and friction law 0 "
                        "acts; give the maps of frictional impacts as 'newton' or 'sequential'",
                        NULL);
  thud_still_end(&still);
  assert_string_equal(thud_percussion_option_table()->keys[0].name, "law");
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_canonical_law_is_moreaus_formula),
      cmocka_unit_test(impacts_satisfy_the_axioms),
      cmocka_unit_test(answers_do_not_depend_on_how_the_system_is_written),
      cmocka_unit_test(frictional_answers_solve_the_contact_problem),
      cmocka_unit_test(the_registry_gives_the_same_velocities),
      cmocka_unit_test(stacks_with_a_heavy_top_stand),
      cmocka_unit_test(bilateral_constraints_reduce_the_system),
      cmocka_unit_test(a_moving_wall_works),
      cmocka_unit_test(steps_with_forces_close_the_identity),
      cmocka_unit_test(one_sided_velocity_constraints_always_act),
      cmocka_unit_test(a_second_law_of_a_constraint_uses_its_reaction),
      cmocka_unit_test(rank_loss_is_named_and_closing_walls_are_infeasible),
      cmocka_unit_test(solving_allocates_nothing_once_a_shape_is_known),
      cmocka_unit_test(failing_allocations_leave_nothing_behind),
      cmocka_unit_test(wrong_arguments_are_named),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
