/* Gauss-Seidel in particular: colours, orders, one-contact solvers, relaxation, bodies of high degree, bilateral rows.
 */
#include "random_matrices.h"
#include "random_problems.h"
#include "solve/sweep.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static thud_solver_info solve(thud_context *context, const thud_contact_problem *problem,
                              const thud_solver_options *options, double *r, double *l) {
  const thud_solver_method *method = thud_solver_method_find("gauss-seidel");
  thud_solver *solver;
  thud_solver_info info;
  assert_int_equal(thud_solver_create(context, method, problem, options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, l, &info), THUD_OK);
  thud_solver_destroy(solver);
  info.history = NULL;
  return info;
}

static thud_test_problem make_pile(thud_context *context, thud_index side, thud_index dimension) {
  thud_random random = thud_random_seed(3);
  thud_test_pile pile = {.nx = side,
                         .ny = side,
                         .nz = side,
                         .dimension = dimension,
                         .mu = 0.3,
                         .mu_rolling = 0.02,
                         .mass_ratio = 1,
                         .noise = 0.05};
  thud_test_problem made;
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  return made;
}

/* ---- colours ---------------------------------------------------------------------------------------------- */

enum { BODIES = 60, CONTACTS = 3000 };

/* Within a colour the first bodies ascend; the overflow set stays as it was. */
static void check_sorting(thud_index contacts, const thud_index *a, const thud_index *b, uint64_t *used,
                          const thud_index *colour, thud_index *order, const thud_index *start, thud_index colours) {
  static thud_index sorted[CONTACTS], before[CONTACTS];
  memcpy(before, order, (size_t)contacts * sizeof *order);
  thud_colour_sort(contacts, a, b, BODIES, start, colours, used, colour, sorted, order);
  for (thud_index c = 0; c < colours; c++)
    for (thud_index k = start[c] + 1; k < start[c + 1]; k++) thud_assert_less(a[order[k - 1]], a[order[k]]);
  for (thud_index k = start[colours]; k < contacts; k++) assert_int_equal(order[k], before[k]);
}

static void colours_share_no_body_and_hold_every_contact_once(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1);
  static thud_index a[CONTACTS], b[CONTACTS], colour[CONTACTS], order[CONTACTS], start[THUD_COLOURS_MAX + 2];
  static uint64_t used[BODIES];
  for (int round = 0; round < 200; round++) {
    thud_index contacts = (thud_index)thud_random_below(&random, round % 10 == 0 ? CONTACTS : 200), colours;
    for (thud_index k = 0; k < contacts; k++) {
      a[k] = (thud_index)thud_random_below(&random, BODIES);
      b[k] = (thud_index)thud_random_below(&random, BODIES) - (thud_index)thud_random_below(&random, 2) * BODIES;
      if (b[k] == a[k]) b[k] = -1;
    }
    thud_colour_contacts(contacts, a, b, BODIES, used, colour, order, start, &colours);
    if (round % 2 == 1) check_sorting(contacts, a, b, used, colour, order, start, colours);
    thud_assert_at_most(colours, THUD_COLOURS_MAX);
    assert_int_equal(start[0], 0);
    assert_int_equal(start[colours + 1], contacts);
    static bool seen[CONTACTS], touched[BODIES];
    memset(seen, 0, sizeof seen);
    for (thud_index c = 0; c <= colours; c++) {
      memset(touched, 0, sizeof touched);
      for (thud_index k = start[c]; k < start[c + 1]; k++) {
        thud_index contact = order[k];
        assert_false(seen[contact]);
        seen[contact] = true;
        if (c == colours) {
          assert_int_equal(colours, THUD_COLOURS_MAX); /* only what found no colour overflows */
          continue;
        }
        assert_false(touched[a[contact]]);
        touched[a[contact]] = true;
        if (b[contact] < 0) continue;
        assert_false(touched[b[contact]]);
        touched[b[contact]] = true;
      }
    }
  }
}

/* ---- the variants solve the same problems ------------------------------------------------------------------------ */

static void orders_solvers_and_relaxations_all_solve_a_pile(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index dimension = 1; dimension <= 5; dimension += 2) {
    thud_test_problem made = make_pile(context, 2, dimension);
    for (int order = 0; order < 3; order++)
      for (int local = 0; local < 3; local++)
        for (double relaxation = 0.7; relaxation < 1.4; relaxation += 0.3) {
          thud_solver_options options = thud_solver_options_default();
          options.order = order;
          options.local_solver = local;
          options.relaxation = relaxation;
          options.max_iterations = 100000;
          double *r = thud_test_doubles(thud_contact_size(made.problem));
          thud_solver_info info = solve(context, made.problem, &options, r, NULL);
          if (info.status != THUD_SOLVED)
            fail_msg("dimension %d, order %d, local solver %d, relaxation %g: residual %g after %d sweeps",
                     (int)dimension, order, local, relaxation, info.residual.residual, info.iterations);
          assert_int_equal(info.contact_visits, (size_t)info.iterations * (size_t)made.problem->contacts);
          free(r);
        }
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void two_block_and_local_form_give_the_same_sweeps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_index dimensions[] = {1, 2, 3, 5}, blocks[] = {1, 3, 4, 6};
  for (size_t k = 0; k < 16; k++) {
    thud_random random = thud_random_seed(50 + k);
    thud_test_shape shape = thud_test_shape_of(dimensions[k % 4], 20);
    shape.block = blocks[k / 4] > shape.dimension ? blocks[k / 4] : shape.dimension; /* regular diagonal blocks */
    shape.bodies = 15;
    thud_test_problem made;
    thud_owned_problem *local;
    assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
    thud_solver_options options = thud_solver_options_default();
    options.order = 1;
    options.tolerance = 1e-300;
    options.max_iterations = 4;
    size_t size = thud_contact_size(made.problem);
    double *first = thud_test_doubles(size), *second = thud_test_doubles(size);
    thud_solver_info a = solve(context, made.problem, &options, first, NULL);
    for (int storage = THUD_MATRIX_DENSE; storage <= THUD_MATRIX_BLOCKS; storage++) {
      assert_int_equal(thud_contact_to_local(context, made.problem, (thud_matrix_storage)storage, &local), THUD_OK);
      memset(second, 0, size * sizeof(double));
      thud_solver_info b = solve(context, thud_owned_problem_view(local), &options, second, NULL);
      thud_assert_near(a.residual.residual, b.residual.residual, 1e-7 * a.residual.residual + 1e-11);
      thud_assert_at_most(thud_test_max_difference(size, first, second), 1e-7 * thud_test_max(size, first));
      thud_owned_problem_destroy(local);
    }
    free(first);
    free(second);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void unique_solution_of_an_lcp_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(60);
  for (int k = 0; k < 20; k++) {
    thud_test_shape shape = thud_test_shape_of(1, 15);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    thud_solver_options options = thud_solver_options_default();
    options.tolerance = 1e-12;
    options.max_iterations = 100000;
    double r[15] = {0};
    assert_int_equal(solve(context, made.problem, &options, r, NULL).status, THUD_SOLVED);
    thud_assert_at_most(thud_test_max_difference(15, r, made.r), 1e-7 * thud_test_max(15, made.r));
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* ---- bodies of high degree, bodies that never move -----------------------------------------------------------------
 */

enum { SPOKES = 200 };

/* A plate (body 0, three translations) that falls on SPOKES small bodies, each of which lies on the world; the last
 * body never moves. */
typedef struct hub {
  double inverse_mass[(SPOKES + 1) * 9], velocity[(SPOKES + 1) * 3];
  thud_index body_a[2 * SPOKES], body_b[2 * SPOKES];
  double jacobian_a[2 * SPOKES * 9], jacobian_b[2 * SPOKES * 9], mu[2 * SPOKES];
} hub;

static thud_contact_problem make_hub(hub *h) {
  memset(h, 0, sizeof *h);
  thud_random random = thud_random_seed(9);
  for (size_t b = 0; b <= SPOKES; b++) {
    for (size_t i = 0; i < 3 && b < SPOKES; i++) h->inverse_mass[9 * b + 4 * i] = b == 0 ? 0.01 : 1;
    h->velocity[3 * b] = b < SPOKES ? -1 : 0;
    h->velocity[3 * b + 1] = b < SPOKES ? thud_random_normal(&random) : 0;
  }
  for (size_t k = 0; k < SPOKES; k++) {
    h->body_a[k] = 0;
    h->body_b[k] = (thud_index)k + 1;
    h->body_a[SPOKES + k] = (thud_index)k + 1;
    h->body_b[SPOKES + k] = -1;
    for (size_t i = 0; i < 3; i++) {
      h->jacobian_a[9 * k + 4 * i] = h->jacobian_a[9 * (SPOKES + k) + 4 * i] = 1;
      h->jacobian_b[9 * k + 4 * i] = -1;
    }
    h->mu[k] = h->mu[SPOKES + k] = 0.4;
  }
  return (thud_contact_problem){.form = THUD_FORM_TWO_BLOCK,
                                .dimension = 3,
                                .contacts = 2 * SPOKES,
                                .mu = h->mu,
                                .two_block = {.bodies = SPOKES + 1,
                                              .block = 3,
                                              .inverse_mass = h->inverse_mass,
                                              .free_velocity = h->velocity,
                                              .body_a = h->body_a,
                                              .body_b = h->body_b,
                                              .jacobian_a = h->jacobian_a,
                                              .jacobian_b = h->jacobian_b}};
}

static void bodies_of_high_degree_overflow_and_are_solved_all_the_same(void **state) {
  (void)state;
  static hub h;
  thud_contact_problem problem = make_hub(&h);
  static double first[6 * SPOKES], second[6 * SPOKES];
  for (int threads = 1; threads <= 2; threads++) {
    thud_context *context = thud_test_context(threads);
    thud_solver_options options = thud_solver_options_default();
    options.max_iterations = 100000;
    double *r = threads == 1 ? first : second;
    thud_solver_info info = solve(context, &problem, &options, r, NULL);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_test_context_end(context);
  }
  assert_memory_equal(first, second, sizeof first);
  double support = 0;
  for (size_t k = 0; k < SPOKES; k++) support += first[3 * k];
  thud_assert_near(support, 100, 1e-4); /* the impulse that stops a mass of 100 at speed 1 */
}

/* ---- global problems of rigid bodies
 * ----------------------------------------------------------------------------------- */

static void global_problems_of_rigid_bodies_become_two_block_ones(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_index dimensions[] = {1, 2, 3, 5};
  for (size_t k = 0; k < 12; k++) {
    thud_random random = thud_random_seed(80 + k);
    thud_test_shape shape = thud_test_shape_of(dimensions[k % 4], 10);
    thud_test_problem made;
    thud_owned_problem *two_block = NULL;
    assert_int_equal(thud_test_random_rigid_global(context, &random, &shape, &made), THUD_OK);
    assert_int_equal(thud_global_to_two_block(context, made.problem, &two_block), THUD_OK);
    assert_non_null(two_block);
    size_t size = thud_contact_size(made.problem);
    double *r = thud_test_doubles(size), *u = thud_test_doubles(size), *u_two = thud_test_doubles(size);
    thud_contact_residual a, b;
    thud_test_random_vector(&random, size, r);
    assert_int_equal(thud_contact_evaluate(context, made.problem, r, NULL, NULL, u, &a), THUD_OK);
    assert_int_equal(thud_contact_evaluate(context, thud_owned_problem_view(two_block), r, NULL, NULL, u_two, &b),
                     THUD_OK);
    thud_assert_at_most(thud_test_max_difference(size, u, u_two), 1e-10 * thud_test_max(size, u));
    thud_assert_near(a.residual, b.residual, 1e-10 * a.residual);
    free(r);
    free(u);
    free(u_two);
    thud_owned_problem_destroy(two_block);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* M = diag or with one coupling, contacts on given degrees of freedom: what is and what is not a two-block problem. */
static void other_global_problems_are_left_alone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { NDOF = 14 };
  for (int k = 0; k < 5; k++) {
    double M[NDOF * NDOF] = {0}, H[NDOF] = {0}, f[NDOF] = {0}, w[1] = {-1};
    for (size_t i = 0; i < NDOF; i++) M[i * NDOF + i] = 2;
    H[0] = H[13] = 1;
    if (k == 1) M[13 * NDOF] = M[13] = 1; /* the first and the last are coupled: no block is that long */
    if (k == 2) H[6] = 1;                 /* with 6 in a block the contact touches three bodies */
    if (k == 3) M[0] = -1;                /* not positive definite */
    if (k == 4) M[1 * NDOF] = 0.5;        /* not symmetric */
    thud_contact_problem problem = {.form = THUD_FORM_GLOBAL,
                                    .dimension = 1,
                                    .contacts = 1,
                                    .M = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = NDOF, .dense = M},
                                    .H = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = 1, .dense = H},
                                    .f = f,
                                    .w = w};
    thud_owned_problem *two_block = NULL;
    assert_int_equal(thud_global_to_two_block(context, &problem, &two_block), THUD_OK);
    if (k == 0)
      assert_non_null(two_block);
    else
      assert_null(two_block);
    thud_owned_problem_destroy(two_block);
    if (k == 3) continue;
    double r[1] = {0};
    assert_int_equal(solve(context, &problem, NULL, r, NULL).status, THUD_SOLVED);
  }
  thud_test_context_end(context);
}

/* W = [2 1 0; 1 2 1; 0 1 2], then without the coupling of the last two contacts, and so on: each time the answer is that
 * of a new solver, bit for bit, and nothing is allocated any more. */
static void update_forgets_the_entries_before(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_index start[2][4] = {{0, 2, 5, 7}, {0, 2, 4, 5}}, row[2][7] = {{0, 1, 0, 1, 2, 1, 2}, {0, 1, 0, 1, 2}};
  double value[2][7] = {{2, 1, 1, 2, 1, 1, 2}, {2, 1, 1, 2, 2}}, q[3] = {-1, -2, -1.5};
  thud_contact_problem problem[2];
  double expected[2][3];
  for (int k = 0; k < 2; k++) {
    problem[k] = thud_test_dense_problem(1, 3, NULL, q, NULL);
    problem[k].W = (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = 3, .columns = 3};
    problem[k].W.sparse = (thud_sparse){3, 3, start[k], row[k], value[k]};
    memset(expected[k], 0, sizeof expected[k]);
    assert_int_equal(solve(context, &problem[k], NULL, expected[k], NULL).status, THUD_SOLVED);
  }
  thud_solver *solver;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find("gauss-seidel"), &problem[0], NULL, &solver),
                   THUD_OK);
  uint64_t allocations = 0;
  for (int k = 0; k < 100; k++) {
    double r[3] = {0};
    thud_solver_info info;
    if (k == 4) allocations = thud_context_allocation_count(context); /* both have been there */
    assert_int_equal(thud_solver_update(solver, &problem[k / 2 % 2]), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    assert_memory_equal(r, expected[k / 2 % 2], sizeof r);
  }
  assert_int_equal(thud_context_allocation_count(context), allocations);
  thud_solver_destroy(solver);
  thud_test_context_end(context);
}

/* The coupling between two bodies comes and goes: the solver changes over from bodies to the local form and back. */
static void update_may_change_the_blocks_of_the_mass_matrix(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { NDOF = 14 };
  static double M[2][NDOF * NDOF];
  double H[NDOF] = {0}, f[NDOF] = {0}, w[1] = {-1};
  H[0] = H[13] = 1;
  thud_contact_problem problem[2];
  for (size_t k = 0; k < 2; k++) {
    for (size_t i = 0; i < NDOF; i++) M[k][i * NDOF + i] = 2;
    if (k == 1) M[k][13 * NDOF] = M[k][13] = 1;
    problem[k] =
        (thud_contact_problem){.form = THUD_FORM_GLOBAL,
                               .dimension = 1,
                               .contacts = 1,
                               .M = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = NDOF, .dense = M[k]},
                               .H = {.storage = THUD_MATRIX_DENSE, .rows = NDOF, .columns = 1, .dense = H},
                               .f = f,
                               .w = w};
  }
  const double expected[2] = {1, 1.5}; /* W = 1/2 + 1/2, and 2 (2 - 1)/(4 - 1) */
  thud_solver *solver;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find("gauss-seidel"), &problem[0], NULL, &solver),
                   THUD_OK);
  for (size_t k = 0; k < 5; k++) {
    double r[1] = {0};
    thud_solver_info info;
    assert_int_equal(thud_solver_update(solver, &problem[k % 2]), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    assert_int_equal(info.status, THUD_SOLVED);
    assert_int_equal(info.form, k % 2 == 0 ? THUD_FORM_TWO_BLOCK : THUD_FORM_LOCAL);
    thud_assert_near(r[0], expected[k % 2], 1e-12);
  }
  thud_solver_destroy(solver);
  thud_test_context_end(context);
}

/* ---- bilateral rows ------------------------------------------------------------------------------------------------
 */

/* Two unit masses on a line tied by v1 - v2 = 0 (written once, or twice), the first hits the ground: r = 2, l = 1 in
 * total. W = 1, V = 1, R = 2. */
static void bilateral_rows_hold_also_when_they_are_redundant(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {1}, V[2] = {1, 1}, R1[1] = {2}, R2[4] = {2, 2, 2, 2}, q[1] = {-1}, s[2] = {0, 0};
  for (thud_index rows = 1; rows <= 2; rows++) {
    thud_contact_problem problem = {
        .form = THUD_FORM_LOCAL,
        .dimension = 1,
        .contacts = 1,
        .bilateral = rows,
        .W = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = W},
        .V = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = rows, .dense = V},
        .R = {.storage = THUD_MATRIX_DENSE, .rows = rows, .columns = rows, .dense = rows == 1 ? R1 : R2},
        .q = q,
        .s = s};
    thud_solver_options options = thud_solver_options_default();
    options.tolerance = 1e-10;
    double r[1] = {0}, l[2] = {0, 0};
    thud_solver_info info = solve(context, &problem, &options, r, l);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_assert_near(r[0], 2, 1e-8);
    thud_assert_at_most(fabs(l[0] + (rows == 2 ? l[1] : 0) + 1), 1e-8);
  }
  thud_test_context_end(context);
}

/* ---- what cannot be solved is named ---------------------------------------------------------------------------------
 */

static void contact_that_no_impulse_can_stop_is_a_named_breakdown(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(70);
  thud_test_problem made;
  assert_int_equal(thud_test_lcp_infeasible(context, &random, 8, &made), THUD_OK);
  double *r = thud_test_doubles(thud_contact_size(made.problem));
  thud_solver_info info = solve(context, made.problem, NULL, r, NULL);
  assert_int_equal(info.status, THUD_SOLVER_BREAKDOWN);
  char name[32];
  snprintf(name, sizeof name, "contact %d", (int)made.problem->contacts - 1);
  thud_test_message_has(context,
                        "gauss-seidel: contact 7 by itself was not solved: no impulse found there stops the approach",
                        name, NULL);
  free(r);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* u = W r - 1 with W = I + a (cyclic shift): r = 1/(1+a) is the only solution, plain sweeps cycle when a > 1, and
 * damped ones converge as long as a < 2 (the eigenvalues of W other than 1 + a have the real part 1 - a/2). */
static thud_solver_info solve_cyclic(thud_context *context, double a, int max_iterations, double *r) {
  const double W[9] = {1, 0, a, a, 1, 0, 0, a, 1}, q[3] = {-1, -1, -1};
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                  .dimension = 1,
                                  .contacts = 3,
                                  .W = {.storage = THUD_MATRIX_DENSE, .rows = 3, .columns = 3, .dense = W},
                                  .q = q};
  thud_solver_options options = thud_solver_options_default();
  options.max_iterations = max_iterations;
  return solve(context, &problem, &options, r, NULL);
}

static void cycles_are_broken_by_damping(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double r[3] = {0, 0, 0};
  assert_int_equal(solve_cyclic(context, 1.5, 100000, r).status, THUD_SOLVED);
  for (int i = 0; i < 3; i++) thud_assert_near(r[i], 0.4, 1e-7);
  thud_test_context_end(context);
}

static void limits_stalls_and_overflow_are_told_apart(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double r[3] = {0, 0, 0};
  thud_solver_info info = solve_cyclic(context, 2.5, 100000, r);
  assert_int_equal(info.status, THUD_SOLVER_STALLED);
  thud_assert_less(info.iterations, 100000);
  thud_assert_greater(info.history_count, 100);
  assert_int_equal(solve_cyclic(context, 2.5, 7, r).status, THUD_SOLVER_LIMIT);

  const double W[4] = {1, -2, -2, 1}, q[2] = {-1, -1}; /* no solution; impulses grow by 4 in each sweep */
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                  .dimension = 1,
                                  .contacts = 2,
                                  .W = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = W},
                                  .q = q};
  r[0] = r[1] = 0;
  info = solve(context, &problem, NULL, r, NULL);
  assert_int_equal(info.status, THUD_SOLVER_BREAKDOWN);
  assert_true(isfinite(r[0]));
  assert_true(isfinite(r[1]));
  thud_assert_at_most(info.residual.residual, 1);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(colours_share_no_body_and_hold_every_contact_once),
      cmocka_unit_test(orders_solvers_and_relaxations_all_solve_a_pile),
      cmocka_unit_test(two_block_and_local_form_give_the_same_sweeps),
      cmocka_unit_test(unique_solution_of_an_lcp_is_found),
      cmocka_unit_test(bodies_of_high_degree_overflow_and_are_solved_all_the_same),
      cmocka_unit_test(global_problems_of_rigid_bodies_become_two_block_ones),
      cmocka_unit_test(other_global_problems_are_left_alone),
      cmocka_unit_test(update_forgets_the_entries_before),
      cmocka_unit_test(update_may_change_the_blocks_of_the_mass_matrix),
      cmocka_unit_test(bilateral_rows_hold_also_when_they_are_redundant),
      cmocka_unit_test(contact_that_no_impulse_can_stop_is_a_named_breakdown),
      cmocka_unit_test(cycles_are_broken_by_damping),
      cmocka_unit_test(limits_stalls_and_overflow_are_told_apart),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
