/* The interior point method: the algebra of its cones, the law of Coulomb (not its convex relaxation), agreement with
 * exact methods, and problems with singular W. */
#include "solve/interior_point_cone.h"
#include "linalg/sparse_lu.h"
#include "random_matrices.h"
#include "random_problems.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const thud_index dimensions[] = {1, 2, 3, 5};

/* ---- cones -------------------------------------------------------------------------------------------------- */

static void random_inside(thud_random *random, size_t m, double *y) {
  double square = 0;
  for (size_t i = 1; i < m; i++) {
    y[i] = thud_random_normal(random);
    square += y[i] * y[i];
  }
  y[0] = sqrt(square) + exp(thud_random_uniform(random, -5, 3));
}

static thud_interior_cone random_cone(thud_random *random, size_t m) {
  thud_interior_cone cone = {.m = m, .tangential = 1, .mu = 1};
  random_inside(random, m, cone.y);
  random_inside(random, m, cone.z);
  thud_test_random_vector(random, m, cone.dy);
  return cone;
}

static double dot(size_t m, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < m; i++) sum += x[i] * y[i];
  return sum;
}

static void scaling_takes_the_dual_point_to_the_primal_one(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1);
  for (int trial = 0; trial < 3000; trial++) {
    size_t m = 1 + (size_t)trial % 3;
    thud_interior_cone cone = random_cone(&random, m);
    assert_true(thud_interior_cone_scale(&cone));
    double size = fabs(cone.P[0]) * cone.y[0] + cone.z[0];
    for (size_t i = 0; i < m; i++) {
      thud_assert_near(dot(m, cone.P + i * m, cone.y), cone.z[i], 1e-10 * size); /* P y = Q^-2 y = z */
      for (size_t j = 0; j < m; j++) thud_assert_equal(cone.P[i * m + j], cone.P[j * m + i]);
    }
    thud_assert_greater(dot(m, cone.lambda, cone.lambda), 0);
    thud_assert_near(dot(m, cone.lambda, cone.lambda), dot(m, cone.y, cone.z), 1e-10 * cone.y[0] * cone.z[0]);
  }
}

static void points_outside_have_no_scaling(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2);
  for (int trial = 0; trial < 300; trial++) {
    thud_interior_cone cone = random_cone(&random, 1 + (size_t)trial % 3);
    double *point = trial % 2 == 0 ? cone.y : cone.z;
    point[0] = trial % 5 == 0 ? NAN : -point[0];
    assert_false(thud_interior_cone_scale(&cone));
  }
}

/* The traces of the linearised products: y.dz + z.dy = -y.z for the predictor, target - y.z - dy_p.dz_p for the
 * corrector that follows it. */
static void directions_linearise_the_product(void **state) {
  (void)state;
  thud_random random = thud_random_seed(3);
  for (int trial = 0; trial < 3000; trial++) {
    size_t m = 1 + (size_t)trial % 3;
    thud_interior_cone cone = random_cone(&random, m);
    assert_true(thud_interior_cone_scale(&cone));
    thud_interior_cone_predict(&cone);
    thud_interior_cone_follow(&cone);
    double gap = dot(m, cone.y, cone.z), second = dot(m, cone.dy, cone.dz), target = exp(thud_random_normal(&random));
    double size = cone.y[0] * (cone.z[0] + 10 * cone.P[0]);
    thud_assert_at_most(fabs(dot(m, cone.y, cone.dz) + dot(m, cone.z, cone.dy) + gap), 1e-10 * size);
    thud_interior_cone_correct(&cone, target);
    thud_test_random_vector(&random, m, cone.dy);
    thud_interior_cone_follow(&cone);
    double sum = dot(m, cone.y, cone.dz) + dot(m, cone.z, cone.dy);
    thud_assert_near(sum, (target - gap - second), 1e-9 * (size + fabs(second)) * cone.y[0] * cone.z[0] / gap);
  }
}

static bool is_inside(size_t m, const double *y, const double *dy, double t) {
  double square = 0;
  for (size_t i = 1; i < m; i++) square += (y[i] + t * dy[i]) * (y[i] + t * dy[i]);
  return y[0] + t * dy[0] >= sqrt(square);
}

static void longest_step_ends_on_the_boundary(void **state) {
  (void)state;
  thud_random random = thud_random_seed(4);
  int bounded = 0;
  for (int trial = 0; trial < 3000; trial++) {
    size_t m = 1 + (size_t)trial % 3;
    thud_interior_cone cone = random_cone(&random, m);
    thud_test_random_vector(&random, m, cone.dz);
    double t = thud_interior_cone_longest_step(&cone, 1e6);
    thud_assert_greater(t, 0);
    assert_true(is_inside(m, cone.y, cone.dy, 0.999999 * t) && is_inside(m, cone.z, cone.dz, 0.999999 * t));
    if (t >= 1e6) continue;
    assert_false(is_inside(m, cone.y, cone.dy, 1.000001 * t) && is_inside(m, cone.z, cone.dz, 1.000001 * t));
    bounded++;
  }
  thud_assert_greater(bounded, 2000);
}

/* ---- solving ---------------------------------------------------------------------------------------------------- */

typedef struct solution {
  double *r, *u, *l;
  thud_solver_info info;
} solution;

static solution solve(thud_context *context, const char *name, const thud_contact_problem *problem, double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  solution s = {.r = thud_test_doubles(thud_contact_size(problem) + 1),
                .u = thud_test_doubles(thud_contact_size(problem) + 1),
                .l = thud_test_doubles((size_t)problem->bilateral + 1)};
  thud_solver *solver;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find(name), problem, &options, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, s.r, s.u, NULL, s.l, &s.info), THUD_OK);
  thud_solver_destroy(solver);
  return s;
}

static void solution_free(solution *s) {
  free(s->r);
  free(s->u);
  free(s->l);
}

static int check_solved(thud_context *context, const thud_contact_problem *problem, double tolerance, int most) {
  solution s = solve(context, "interior-point", problem, tolerance);
  thud_contact_residual residual;
  const double *l = problem->bilateral > 0 ? s.l : NULL;
  assert_int_equal(thud_contact_evaluate(context, problem, s.r, NULL, l, NULL, &residual), THUD_OK);
  if (s.info.status != THUD_SOLVED || residual.residual > tolerance || s.info.iterations > most)
    fail_msg("%s, %d contacts: residual %g after %d", thud_contact_kind_name(problem), (int)problem->contacts,
             residual.residual, s.info.iterations);
  solution_free(&s);
  return s.info.iterations;
}

/* One 3D contact with W = 1 that slides with the velocity 3 before the impact: u_N = 0, r_T = mu r_N against it. The
 * convex relaxation would have u_N = mu |u_T|. */
static void sliding_contacts_do_not_hover(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1, 3, 0}, mu[1] = {0.5};
  const thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                        .dimension = 3,
                                        .contacts = 1,
                                        .mu = mu,
                                        .W = {.storage = THUD_MATRIX_DENSE, .rows = 3, .columns = 3, .dense = W},
                                        .q = q};
  solution s = solve(context, "interior-point", &problem, 1e-10);
  assert_int_equal(s.info.status, THUD_SOLVED);
  thud_assert_at_most(fabs(s.u[0]), 1e-9);
  thud_assert_near(s.r[0], 1, 1e-9);
  thud_assert_at_most(fabs(s.r[1] + 0.5), 1e-9);
  thud_assert_at_most(fabs(s.r[2]), 1e-9);
  thud_assert_near(s.u[1], 2.5, 1e-9);
  solution_free(&s);
  thud_test_context_end(context);
}

/* Every sliding contact of random problems moves along the ground. */
static void no_contact_of_random_problems_hovers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  int sliding = 0;
  for (int trial = 0; trial < 60; trial++) {
    thud_test_shape shape = thud_test_shape_of(trial % 2 == 0 ? 3 : 2, 8);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    solution s = solve(context, "interior-point", made.problem, 1e-10);
    assert_int_equal(s.info.status, THUD_SOLVED);
    size_t d = (size_t)shape.dimension;
    for (size_t k = 0; k < 8; k++) {
      double slip = hypot(s.u[k * d + 1], d == 3 ? s.u[k * d + 2] : 0);
      if (!(s.r[k * d] > 1e-6 && slip > 1e-6)) continue;
      thud_assert_at_most(fabs(s.u[k * d]), 1e-3 * made.problem->mu[k] * slip);
      sliding++;
    }
    solution_free(&s);
    thud_test_problem_destroy(&made);
  }
  thud_assert_greater(sliding, 50);
  thud_test_context_end(context);
}

typedef struct nearest {
  const double *r;
  size_t size;
  double distance;
} nearest;

static int compare_solution(void *user, const thud_solution *found) {
  nearest *best = user;
  double distance = thud_test_max_difference(best->size, found->r, best->r);
  if (!found->isolated) distance = 0; /* one point of a continuum: not to be compared */
  best->distance = fmin(best->distance, distance);
  return 0;
}

static void planar_answers_are_among_all_solutions(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  for (int trial = 0; trial < 100; trial++) {
    thud_test_shape shape = thud_test_shape_of(trial % 2 == 0 ? 2 : 1, 1 + trial % 5);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    solution s = solve(context, "interior-point", made.problem, 1e-10);
    assert_int_equal(s.info.status, THUD_SOLVED);
    nearest best = {.r = s.r, .size = thud_contact_size(made.problem), .distance = INFINITY};
    size_t count = 0;
    assert_int_equal(thud_contact_enumerate(context, made.problem, 1e-9, compare_solution, &best, &count), THUD_OK);
    thud_assert_at_least(count, 1);
    thud_assert_at_most(best.distance, 1e-6 * (1 + thud_test_max(best.size, s.r)));
    solution_free(&s);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* With little friction and W regular there is one solution. */
static void velocities_agree_with_those_of_gauss_seidel(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  int compared = 0;
  for (int trial = 0; trial < 30; trial++) {
    thud_test_shape shape = thud_test_shape_of(3, 6);
    thud_test_problem made;
    assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
    double mu[6];
    for (size_t k = 0; k < 6; k++) mu[k] = 0.05 + 0.1 * (double)k / 6;
    thud_contact_problem problem = *made.problem;
    problem.mu = mu;
    solution s = solve(context, "interior-point", &problem, 1e-11);
    solution g = solve(context, "gauss-seidel", &problem, 1e-11);
    assert_int_equal(s.info.status, THUD_SOLVED);
    if (g.info.status == THUD_SOLVED) {
      thud_assert_at_most(thud_test_max_difference(18, s.u, g.u), 1e-6 * (1 + thud_test_max(18, g.u)));
      compared++;
    }
    solution_free(&s);
    solution_free(&g);
    thud_test_problem_destroy(&made);
  }
  thud_assert_at_least(compared, 25);
  thud_test_context_end(context);
}

/* Regular and singular W, every dimension; some contacts without friction. */
static void random_problems_are_solved_in_few_steps(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  for (size_t d = 0; d < 4; d++) {
    int steps = 0;
    for (int trial = 0; trial < 20; trial++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[d], 12);
      if (trial % 2 == 1) shape.bodies = shape.bodies / 3 + 1;
      shape.frictionless = trial % 7 == 6;
      thud_test_problem made;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      steps += check_solved(context, made.problem, 1e-8, 400);
      thud_test_problem_destroy(&made);
    }
    thud_assert_at_most(steps, 20 * 25);
  }
  thud_test_context_end(context);
}

static void stacks_of_boxes_with_indeterminate_forces_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(9);
  const double ratios[] = {1, 100};
  for (thud_index nz = 2; nz <= 12; nz += 5)
    for (size_t k = 0; k < 2; k++) {
      thud_test_pile pile = {.nx = 1, .ny = 1, .nz = nz, .dimension = 3, .mu = 0.5, .mass_ratio = ratios[k]};
      pile.noise = 0.05;
      thud_test_problem made;
      assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
      check_solved(context, made.problem, 1e-8, 400);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

static void piles_of_spheres_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index dimension = 1; dimension <= 5; dimension += 2) {
    thud_random random = thud_random_seed(10);
    thud_test_pile pile = {.nx = 3, .ny = 3, .nz = 3, .dimension = dimension, .mu = 0.3, .mu_rolling = 0.01};
    pile.mass_ratio = 1;
    pile.noise = 0.05;
    thud_test_problem made;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    check_solved(context, made.problem, 1e-8, 100);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* Large enough for the system in velocities and impulses; bilateral rows; matrices that are not symmetric. */
static void global_problems_are_solved_without_forming_W(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(11);
  for (size_t d = 0; d < 4; d++)
    for (int skew = 0; skew < 2; skew++) {
      thud_test_shape shape = thud_test_shape_of(dimensions[d], 70 / dimensions[d]);
      thud_test_problem made;
      assert_int_equal(thud_test_flexible_global(context, &random, &shape, 650, 3, 0.2 * skew, &made), THUD_OK);
      solution s = solve(context, "interior-point", made.problem, 1e-8);
      assert_int_equal(s.info.status, THUD_SOLVED);
      assert_int_equal(s.info.form, THUD_FORM_GLOBAL);
      solution_free(&s);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* Global problems of rigid bodies, which are made local inside. */
static void rigid_global_problems_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index dimension = 1; dimension <= 5; dimension += 2) {
    thud_random random = thud_random_seed(14);
    thud_test_shape shape = thud_test_shape_of(dimension, 80);
    thud_test_problem made;
    assert_int_equal(thud_test_random_rigid_global(context, &random, &shape, &made), THUD_OK);
    check_solved(context, made.problem, 1e-8, 100);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* Two equal bilateral rows: only the sum of their impulses is determined. */
static void dependent_bilateral_rows_are_no_obstacle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[1] = {2}, q[1] = {-1}, V[2] = {1, 1}, R[4] = {1, 1, 1, 1}, s[2] = {0.5, 0.5};
  const thud_contact_problem problem = {.form = THUD_FORM_LOCAL,
                                        .dimension = 1,
                                        .contacts = 1,
                                        .bilateral = 2,
                                        .W = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = W},
                                        .V = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 2, .dense = V},
                                        .R = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = R},
                                        .q = q,
                                        .s = s};
  solution answer = solve(context, "interior-point", &problem, 1e-10);
  assert_int_equal(answer.info.status, THUD_SOLVED);
  /* l_1 + l_2 = -(r + 1/2), u = r - 3/2 = 0 */
  thud_assert_near(answer.r[0], 1.5, 1e-8);
  thud_assert_at_most(fabs(answer.l[0] + answer.l[1] + 2), 1e-8);
  solution_free(&answer);
  thud_test_context_end(context);
}

static void several_solutions_are_no_obstacle(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made;
  assert_int_equal(thud_test_lcp_several(context, 3, &made), THUD_OK); /* the first matrix is exactly singular */
  check_solved(context, made.problem, 1e-10, 400);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void problems_without_solution_end_unsolved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(12);
  for (thud_index n = 1; n <= 6; n++) {
    thud_test_problem made;
    assert_int_equal(thud_test_lcp_infeasible(context, &random, n, &made), THUD_OK);
    solution s = solve(context, "interior-point", made.problem, 1e-8);
    assert_true(s.info.status == THUD_SOLVER_STALLED || s.info.status == THUD_SOLVER_BREAKDOWN);
    thud_assert_greater(s.info.residual.residual, 1e-8);
    thud_assert_less(s.info.iterations, 1000);
    solution_free(&s);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

static void warm_starts_do_not_matter(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(13);
  thud_test_shape shape = thud_test_shape_of(3, 10);
  thud_test_problem made;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  size_t size = thud_contact_size(made.problem);
  double *cold = thud_test_doubles(size), *warm = thud_test_doubles(size);
  thud_test_random_vector(&random, size, warm);
  thud_solver *solver;
  thud_solver_info first, second;
  const thud_solver_method *method = thud_solver_method_find("interior-point");
  assert_int_equal(thud_solver_create(context, method, made.problem, NULL, &solver), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, cold, NULL, NULL, NULL, &first), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, warm, NULL, NULL, NULL, &second), THUD_OK);
  assert_int_equal(first.iterations, second.iterations);
  assert_memory_equal(cold, warm, size * sizeof(double));
  thud_solver_destroy(solver);
  free(cold);
  free(warm);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void laws_and_large_problems_are_not_taken(void **state) {
  (void)state;
  const thud_solver_method *method = thud_solver_method_find("interior-point");
  assert_false(thud_solver_method_accepts(method) & THUD_ACCEPTS_LAWS);
  thud_contact_problem problem = {.form = THUD_FORM_LOCAL, .dimension = 3, .contacts = 600};
  assert_true(thud_solver_method_takes(method, &problem));
  problem.contacts = 1000;
  assert_int_equal(thud_solver_method_takes(method, &problem), thud_sparse_lu_is_available());
  problem.contacts = 8001;
  assert_false(thud_solver_method_takes(method, &problem));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(scaling_takes_the_dual_point_to_the_primal_one),
      cmocka_unit_test(points_outside_have_no_scaling),
      cmocka_unit_test(directions_linearise_the_product),
      cmocka_unit_test(longest_step_ends_on_the_boundary),
      cmocka_unit_test(sliding_contacts_do_not_hover),
      cmocka_unit_test(no_contact_of_random_problems_hovers),
      cmocka_unit_test(planar_answers_are_among_all_solutions),
      cmocka_unit_test(velocities_agree_with_those_of_gauss_seidel),
      cmocka_unit_test(random_problems_are_solved_in_few_steps),
      cmocka_unit_test(stacks_of_boxes_with_indeterminate_forces_are_solved),
      cmocka_unit_test(piles_of_spheres_are_solved),
      cmocka_unit_test(global_problems_are_solved_without_forming_W),
      cmocka_unit_test(rigid_global_problems_are_solved),
      cmocka_unit_test(dependent_bilateral_rows_are_no_obstacle),
      cmocka_unit_test(several_solutions_are_no_obstacle),
      cmocka_unit_test(problems_without_solution_end_unsolved),
      cmocka_unit_test(warm_starts_do_not_matter),
      cmocka_unit_test(laws_and_large_problems_are_not_taken),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
