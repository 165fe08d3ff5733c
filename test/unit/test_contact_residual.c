/* Residuals of answers: zero at exact answers of every kind and form, positive at every kind of violation. */
#include "random_problems.h"
#include "random_matrices.h"
#include "failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const thud_index dimensions[] = {1, 2, 3, 5};
enum { DIMENSIONS = 4 };

static thud_contact_residual evaluate(thud_context *context, const thud_test_problem *made, double *u) {
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, made->problem, made->r, made->v, made->l, u, &residual), THUD_OK);
  return residual;
}

/* The residual of the known answer, with every figure that must vanish; u as constructed. */
static double known_residual(thud_context *context, thud_test_problem *made, double tolerance) {
  size_t size = thud_contact_size(made->problem);
  double *u = thud_test_doubles(size);
  thud_contact_residual found = evaluate(context, made, u);
  thud_assert_less(thud_test_max_difference(size, u, made->u), 1e-11);
  thud_assert_at_most(found.residual, tolerance);
  thud_assert_less(found.penetration, 1e-11);
  thud_assert_less(found.cone_excess, 1e-10);
  thud_assert_greater(found.dissipation, -1e-10);
  free(u);
  return found.residual;
}

static void exact_answers_of_every_form_have_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double worst = 0;
  for (int k = 0; k < DIMENSIONS; k++)
    for (uint64_t seed = 1; seed <= 20; seed++) {
      thud_random random = thud_random_seed(seed);
      thud_test_shape shape = thud_test_shape_of(dimensions[k], 17);
      shape.frictionless = seed % 7 == 0;
      if (seed % 3 == 0) shape.bodies = 5; /* W singular */
      thud_test_problem made;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      worst = fmax(worst, known_residual(context, &made, 1e-13));
      thud_test_problem_destroy(&made);
      for (int storage = THUD_MATRIX_NONE; storage <= THUD_MATRIX_BLOCKS; storage++) {
        assert_int_equal(thud_test_random_local(context, &random, &shape, (thud_matrix_storage)storage, &made),
                         THUD_OK);
        worst = fmax(worst, known_residual(context, &made, 1e-13));
        thud_test_problem_destroy(&made);
      }
      assert_int_equal(thud_test_random_rigid_global(context, &random, &shape, &made), THUD_OK);
      worst = fmax(worst, known_residual(context, &made, 1e-12));
      thud_test_problem_destroy(&made);
    }
  print_message("worst residual of an exact answer: %.1e\n", worst);
  thud_test_context_end(context);
}

static void exact_answers_of_flexible_problems_with_bilateral_rows_have_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int k = 0; k < DIMENSIONS; k++)
    for (int skewed = 0; skewed < 3; skewed++) {
      const double skew[] = {0, 1e-3, 20}; /* the last one is beyond the refinement of the symmetric part */
      thud_random random = thud_random_seed((uint64_t)(10 * k + skewed));
      thud_test_shape shape = thud_test_shape_of(dimensions[k], 12);
      thud_test_problem made;
      assert_int_equal(thud_test_flexible_global(context, &random, &shape, 60, 7, skew[skewed], &made), THUD_OK);
      known_residual(context, &made, 1e-13);
      made.v = NULL; /* now by one solve */
      known_residual(context, &made, 1e-12);
      thud_owned_problem *local = NULL;
      if (skewed > 0) { /* V' in the place of G' M^-1 H would be wrong */
        assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_NONE, &local),
                         THUD_ERROR_UNSUPPORTED);
        thud_test_message_has(context, "not symmetric", "7 bilateral rows", NULL);
        thud_test_problem_destroy(&made);
        continue;
      }
      assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_NONE, &local), THUD_OK);
      thud_test_problem reduced = made;
      reduced.problem = thud_owned_problem_view(local);
      known_residual(context, &reduced, 1e-12);
      thud_owned_problem_destroy(local);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

/* ---- laws ------------------------------------------------------------------------------------------------- */

static void exact_answers_under_general_laws_have_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (thud_index d = 2; d <= 3; d++)
    for (int law = THUD_TEST_ELLIPSE; law <= THUD_TEST_MIXED_LAWS; law++)
      for (uint64_t seed = 1; seed <= 5; seed++) {
        thud_random random = thud_random_seed(seed);
        thud_test_shape shape = thud_test_shape_of(d, 15);
        shape.law = (thud_test_law)law;
        thud_test_problem made;
        assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, &made), THUD_OK);
        known_residual(context, &made, 1e-13);
        thud_test_problem_destroy(&made);
      }
  thud_test_context_end(context);
}

/* cases-friction K7 (thud's signs): unit mass, u- = (-1; .6, .8), e = 1/2, mu = .2. With u = u+ + e u- in the normal
 * component, q = ((1 + e) u_N-; u_T-): r = (1.5; -.18, -.24), u_T+ = (.42, .56), u_N+ = -e u_N- = 1/2. */
static void the_percussion_K7_has_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double identity[9] = {1, 0, 0, 0, 1, 0, 0, 0, 1}, q[3] = {-1.5, 0.6, 0.8}, mu = 0.2;
  const double r[3] = {1.5, -0.18, -0.24}, expected[3] = {0, 0.42, 0.56};
  double u[3];
  thud_contact_problem problem = {
      .dimension = 3,
      .contacts = 1,
      .mu = &mu,
      .q = q,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = 3, .columns = 3, .dense = identity},
  };
  thud_contact_residual found;
  assert_int_equal(thud_contact_evaluate(context, &problem, r, NULL, NULL, u, &found), THUD_OK);
  thud_assert_less(found.residual, 1e-15);
  thud_assert_less(thud_test_max_difference(3, u, expected), 1e-15);
  thud_assert_nearer(found.dissipation, 0.3 * 0.7, 1e-15); /* |r_T| |u_T+| */
  thud_assert_nearer(found.scale, sqrt(1.5 * 1.5 + 1), 1e-15);
  thud_test_context_end(context);
}

/* ---- violations ---------------------------------------------------------------------------------------------- */

enum { VIOLATED = 2, CONTACTS = 4 };

/* Four uncoupled contacts (W = I): all but the third stick with r = (1, 0...), u = 0; the third is given. */
static thud_contact_residual judge_third(thud_context *context, thud_index d, thud_set *const *laws, const double *r_3,
                                         const double *u_3) {
  double W[20 * 20] = {0}, q[20] = {0}, r[20] = {0}, u[20];
  const double mu[CONTACTS] = {0.5, 0.5, 0.5, 0.5}, mu_rolling[CONTACTS] = {0.25, 0.25, 0.25, 0.25};
  thud_index size = d * CONTACTS;
  for (thud_index c = 0; c < CONTACTS; c++)
    for (thud_index i = 0; i < d; i++) {
      thud_index k = c * d + i;
      W[k + k * size] = 1;
      r[k] = c == VIOLATED ? r_3[i] : (double)(i == 0);
      q[k] = (c == VIOLATED ? u_3[i] : 0) - r[k];
    }
  thud_contact_problem problem = {
      .dimension = d,
      .contacts = CONTACTS,
      .mu = d > 1 ? mu : NULL,
      .mu_rolling = d == 5 ? mu_rolling : NULL,
      .laws = laws,
      .q = q,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = size, .columns = size, .dense = W},
  };
  thud_contact_residual found;
  assert_int_equal(thud_contact_validate(context, &problem, NULL), THUD_OK);
  assert_int_equal(thud_contact_evaluate(context, &problem, r, NULL, NULL, u, &found), THUD_OK);
  thud_assert_nearer(found.natural * found.scale, found.worst_value, 1e-15);
  thud_assert_nearer(found.scale, thud_norm2(context, (size_t)size, q), 1e-14);
  thud_assert_equal(found.residual, found.natural);
  thud_assert_equal(found.bilateral, 0);
  thud_assert_equal(found.dynamics, 0);
  return found;
}

typedef struct violation {
  const char *what;
  thud_index dimension;
  double r[5], u[5];
  double worst; /* expected size of the natural map's part, NaN: only that it is positive */
  double penetration, excess;
} violation;

static void every_violation_is_found_at_its_contact_with_its_size(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const violation violations[] = {
      {"pulling", 1, {-0.5}, {0}, 0.5, 0, 0.5},
      {"penetrating", 1, {1}, {-0.25}, 0.25, 0.25, 0},
      {"pushing while open", 1, {1}, {2}, 1, 0, 0},
      {"pulling, 2D", 2, {-1, 0}, {0, 0}, 1, 0, 1},
      {"penetrating, 3D", 3, {1, 0, 0}, {-0.5, 0, 0}, 0.5, 0.5, 0},
      {"outside the cone, 3D", 3, {1, 0.6, 0.8}, {0, 0, 0}, 0.5 / sqrt(1.25), 0, 0.5},
      {"outside the cone, 2D", 2, {1, -0.75}, {0, 0}, 0.25 / sqrt(1.25), 0, 0.25},
      {"sliding inside the cone, 2D", 2, {1, 0}, {0, 1}, NAN, 0, 0},
      {"friction along the slip, 3D", 3, {1, 0.3, 0.4}, {0, 0.6, 0.8}, NAN, 0, 0},
      {"friction across the slip, 3D", 3, {1, 0.3, 0.4}, {0, 0.8, -0.6}, NAN, 0, 0},
      {"pushing while open, 3D", 3, {1, 0, 0}, {2, 0, 0}, 1, 0, 0},
      {"rolling moment too large", 5, {1, 0, 0, 0.5, 0}, {0, 0, 0, 0, 0}, 0.25 / sqrt(1 + 1.0 / 16), 0, 0.25},
      {"sliding force too large, rolling", 5, {1, 0, 1, 0, 0}, {0, 0, 0, 0, 0}, 0.5 / sqrt(1.25), 0, 0.5},
      {"rolling moment along the rolling", 5, {1, 0, 0, 0.25, 0}, {0, 0, 0, 1, 0}, NAN, 0, 0},
      {"rolling without its moment", 5, {1, 0, 0, 0, 0}, {0, 0, 0, 0, -1}, NAN, 0, 0},
  };
  for (size_t k = 0; k < sizeof violations / sizeof *violations; k++) {
    const violation *v = &violations[k];
    thud_contact_residual found = judge_third(context, v->dimension, NULL, v->r, v->u);
    print_message("%s: %g\n", v->what, found.residual);
    thud_assert_greater(found.residual, 0.01);
    assert_int_equal(found.worst_contact, VIOLATED);
    if (!isnan(v->worst)) thud_assert_nearer(found.worst_value, v->worst, 1e-15);
    thud_assert_nearer(found.penetration, v->penetration, 1e-15);
    assert_int_equal(found.penetration_contact, v->penetration > 0 ? VIOLATED : -1);
    thud_assert_nearer(found.cone_excess, v->excess, 1e-15);
    assert_int_equal(found.cone_contact, v->excess > 0 ? VIOLATED : -1);
    double product = 0;
    for (int i = 0; i < 5; i++) product += v->r[i] * v->u[i];
    thud_assert_less(fabs(found.dissipation + product), 1e-15);
  }
  thud_test_context_end(context);
}

/* A box law, |r_1| <= r_N/2, |r_2| <= r_N/4. */
static void violations_of_a_general_law_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double lower[2] = {-0.5, -0.25}, upper[2] = {0.5, 0.25};
  thud_set *box = NULL;
  assert_int_equal(thud_set_box(context, 2, lower, upper, &box), THUD_OK);
  thud_set *const laws[CONTACTS] = {NULL, box, box, NULL};
  const double inside[3] = {2, 0.9, 0.4}, outside[3] = {2, 1, 1}, corner[3] = {2, -1, -0.5}, pulling[3] = {-1, 0, 2};
  const double rest[3] = {0}, slip[3] = {0, 3, 0.5};
  thud_assert_less(judge_third(context, 3, laws, inside, rest).residual, 1e-15);
  thud_assert_less(judge_third(context, 3, laws, corner, slip).residual, 1e-15);
  thud_contact_residual found = judge_third(context, 3, laws, outside, rest);
  thud_assert_nearer(found.cone_excess, 0.5, 1e-15); /* from r_2 = 1 to r_N/4 */
  assert_int_equal(found.cone_contact, VIOLATED);
  thud_assert_nearer(found.worst_value, 0.5 / sqrt(1 + 1.0 / 16), 1e-15); /* distance to the face r_2 = r_N/4 */
  assert_int_equal(found.worst_contact, VIOLATED);
  thud_assert_greater(judge_third(context, 3, laws, inside, slip).residual, 0.1);
  thud_assert_equal(judge_third(context, 3, laws, pulling, rest).cone_excess, 2);
  thud_set_destroy(box);
  thud_test_context_end(context);
}

/* ---- the other residuals ---------------------------------------------------------------------------------------- */

static void wrong_motions_and_bilateral_rows_show_in_their_own_residuals(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  thud_test_shape shape = thud_test_shape_of(3, 8);
  thud_test_problem made;
  thud_contact_residual found;
  assert_int_equal(thud_test_flexible_global(context, &random, &shape, 40, 5, 0, &made), THUD_OK);
  const thud_contact_problem *problem = made.problem;
  size_t ndof = thud_contact_ndof(problem), size = thud_contact_size(problem);
  double *moved = thud_test_doubles(ndof), *load = thud_test_doubles(ndof), *u_b = thud_test_doubles(5);
  double f_norm = thud_norm2(context, ndof, problem->f);
  thud_matrix_multiply_vector(context, &problem->H, false, 1, made.r, 0, load);
  thud_matrix_multiply_vector(context, &problem->G, false, 1, made.l, 1, load);
  double size_of_loads = fmax(f_norm, thud_norm2(context, ndof, load));

  /* v + d: the equation of motion is wrong by M d, bilateral rows by G' d */
  memcpy(moved, made.v, ndof * sizeof *moved);
  moved[7] += 1e-3;
  assert_int_equal(thud_contact_evaluate(context, problem, made.r, moved, made.l, NULL, &found), THUD_OK);
  memset(moved, 0, ndof * sizeof *moved);
  moved[7] = 1e-3;
  thud_matrix_multiply_vector(context, &problem->M, false, 1, moved, 0, load);
  thud_assert_nearer(found.dynamics, thud_norm2(context, ndof, load) / size_of_loads, 1e-14);
  thud_matrix_multiply_vector(context, &problem->G, true, 1, moved, 0, u_b);
  thud_assert_greater(thud_norm2(context, 5, u_b), 0);
  thud_assert_greater(found.bilateral, 0);
  thud_assert_equal(found.residual, fmax(found.natural, fmax(found.bilateral, found.dynamics)));

  /* Without v the motion is right and the rows are wrong when l is. */
  double l_wrong[5];
  memcpy(l_wrong, made.l, sizeof l_wrong);
  l_wrong[2] += 0.5;
  assert_int_equal(thud_contact_evaluate(context, problem, made.r, NULL, l_wrong, NULL, &found), THUD_OK);
  thud_assert_less(found.dynamics, 1e-14);
  thud_assert_greater(found.bilateral, 1e-3);

  assert_int_equal(thud_contact_evaluate(context, problem, made.r, NULL, NULL, NULL, &found), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "evaluate: there are 5 bilateral rows but their impulses l are NULL", NULL);
  assert_int_equal(thud_contact_evaluate(context, problem, NULL, NULL, made.l, NULL, &found), THUD_ERROR_ARGUMENT);
  made.v[3] = NAN;
  assert_int_equal(thud_contact_evaluate(context, problem, made.r, made.v, made.l, NULL, &found),
                   THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "v[3] is nan", NULL);
  made.l[4] = INFINITY;
  assert_int_equal(thud_contact_evaluate(context, problem, made.r, NULL, made.l, NULL, &found), THUD_ERROR_NOT_FINITE);
  made.r[size - 1] = NAN;
  assert_int_equal(thud_contact_evaluate(context, problem, made.r, NULL, made.l, NULL, &found), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "r[23] is nan", NULL);
  free(moved);
  free(load);
  free(u_b);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void scale_is_that_of_q_unless_q_vanishes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W = 1, qs[] = {0, 2.2e-16, 2.4e-16, -4}, scales[] = {1, 1, 2.4e-16, 4}, r = -0.5;
  for (int k = 0; k < 4; k++) {
    thud_contact_problem problem = {
        .dimension = 1,
        .contacts = 1,
        .q = &qs[k],
        .W = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = &W},
    };
    thud_contact_residual found;
    assert_int_equal(thud_contact_evaluate(context, &problem, &r, NULL, NULL, NULL, &found), THUD_OK);
    thud_assert_equal(found.scale, scales[k]);
    thud_assert_nearer(found.natural * found.scale, fabs(fmin(r, r + qs[k])), 1e-15);
  }
  thud_test_context_end(context);
}

static void problems_without_contacts_have_no_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double M = 2, f = 3, v = 1.5, wrong = 1;
  thud_contact_residual found;
  thud_contact_problem local = {.dimension = 3};
  thud_contact_problem two_block = {.form = THUD_FORM_TWO_BLOCK, .dimension = 2, .two_block = {.block = 3}};
  thud_contact_problem global = {
      .form = THUD_FORM_GLOBAL,
      .dimension = 3,
      .f = &f,
      .M = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = &M},
  };
  const thud_contact_problem *problems[] = {&local, &two_block, &global};
  for (int k = 0; k < 3; k++) {
    assert_int_equal(thud_contact_validate(context, problems[k], NULL), THUD_OK);
    assert_int_equal(thud_contact_evaluate(context, problems[k], NULL, k == 2 ? &v : NULL, NULL, NULL, &found),
                     THUD_OK);
    thud_assert_equal(found.residual, 0);
    thud_assert_equal(found.scale, 1);
    thud_assert_equal(found.worst_contact, -1);
    thud_assert_equal(found.penetration_contact, -1);
    thud_assert_equal(found.cone_contact, -1);
  }
  assert_int_equal(thud_contact_evaluate(context, &global, NULL, &wrong, NULL, NULL, &found), THUD_OK);
  thud_assert_nearer(found.residual, 1.0 / 3, 1e-15);
  thud_test_context_end(context);
}

/* u = q whatever r is: r - (u + shift) rounds to r, and the defect must not go under with it. */
static void impulses_so_large_that_velocities_round_away_are_no_solution(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[25] = {0}, mu = 0.5, q[2][5] = {{-1, 0, 0, 0, 0}, {-1, 3, 4, 0, 0}};
  const double directions[2][5] = {{1, 0, 0, 0, 0}, {1, -0.3, -0.4, 0, 0}};
  for (int k = 0; k < DIMENSIONS; k++)
    for (int slides = 0; slides < 2; slides++)
      for (double size = 1e14; size < 1e30; size *= 10) {
        thud_index d = dimensions[k];
        double r[5];
        for (int i = 0; i < 5; i++) r[i] = size * directions[slides][i];
        thud_contact_problem problem = {
            .dimension = d,
            .contacts = 1,
            .q = q[slides],
            .mu = d > 1 ? &mu : NULL,
            .mu_rolling = d == 5 ? &mu : NULL,
            .W = {.storage = THUD_MATRIX_DENSE, .rows = d, .columns = d, .dense = W},
        };
        thud_contact_residual found;
        assert_int_equal(thud_contact_evaluate(context, &problem, r, NULL, NULL, NULL, &found), THUD_OK);
        thud_assert_equal(found.penetration, 1);
        if (slides == 0) thud_assert_equal(found.natural, 1);
        thud_assert_greater(found.natural, 1e-3);
      }
  thud_test_context_end(context);
}

static void velocities_that_overflow_give_an_infinite_residual(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double W[4] = {1e300, 0, 0, 1e300}, q[2] = {1, 1}, r[2] = {0, 1e300};
  thud_contact_problem problem = {
      .dimension = 1,
      .contacts = 2,
      .q = q,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = W},
  };
  thud_contact_residual found;
  assert_int_equal(thud_contact_evaluate(context, &problem, r, NULL, NULL, NULL, &found), THUD_OK);
  thud_assert_equal(found.residual, INFINITY);
  assert_int_equal(found.worst_contact, 1);
  thud_test_context_end(context);
}

/* ---- evaluator ------------------------------------------------------------------------------------------------------
 */

static void results_are_the_same_bits_on_any_number_of_threads(void **state) {
  (void)state;
  thud_contact_residual first = {0};
  double *first_u = NULL;
  size_t size = 0;
  for (int threads = 1; threads <= 4; threads++) {
    thud_context *context = thud_test_context(threads);
    thud_random random = thud_random_seed(5);
    thud_test_pile pile = {9, 8, 7, 3, 0.4, 0, 10, 0.3, 0};
    thud_test_problem made;
    thud_contact_residual found;
    memset(&found, 0, sizeof found);
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    size = thud_contact_size(made.problem);
    double *r = thud_test_doubles(size), *u = thud_test_doubles(size);
    thud_test_random_vector(&random, size, r);
    assert_int_equal(thud_contact_evaluate(context, made.problem, r, NULL, NULL, u, &found), THUD_OK);
    if (threads == 1) {
      first = found;
      first_u = u;
    } else {
      assert_memory_equal(u, first_u, size * sizeof *u);
      thud_assert_equal(found.residual, first.residual);
      thud_assert_equal(found.scale, first.scale);
      thud_assert_equal(found.dissipation, first.dissipation);
      thud_assert_equal(found.worst_value, first.worst_value);
      thud_assert_equal(found.worst_contact, first.worst_contact);
      thud_assert_equal(found.cone_contact, first.cone_contact);
      free(u);
    }
    free(r);
    thud_test_problem_destroy(&made);
    thud_test_context_end(context);
  }
  free(first_u);
}

static void an_evaluator_allocates_nothing_and_takes_new_numbers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int form = 0; form < 3; form++) {
    thud_random random = thud_random_seed(21);
    thud_test_shape shape = thud_test_shape_of(3, 9), other = thud_test_shape_of(3, 10);
    thud_test_problem made[3];
    for (int k = 0; k < 3; k++) {
      const thud_test_shape *wanted = k < 2 ? &shape : &other;
      thud_error error = THUD_OK;
      if (form == 0) error = thud_test_random_local(context, &random, wanted, THUD_MATRIX_SPARSE, &made[k]);
      if (form == 1) error = thud_test_random_rigid_global(context, &random, wanted, &made[k]);
      if (form == 2) error = thud_test_random_two_block(context, &random, wanted, &made[k]);
      assert_int_equal(error, THUD_OK);
    }
    thud_contact_evaluator *evaluator = NULL;
    thud_contact_residual found;
    assert_int_equal(thud_contact_evaluator_create(context, made[0].problem, &evaluator), THUD_OK);
    uint64_t before = thud_context_allocation_count(context);
    for (int k = 0; k < 3; k++) {
      assert_int_equal(thud_contact_evaluator_evaluate(evaluator, made[0].r, NULL, NULL, NULL, &found), THUD_OK);
      thud_assert_less(found.residual, 1e-12);
    }
    thud_assert_equal(thud_context_allocation_count(context), before);
    thud_test_problem_destroy(&made[0]); /* the old problem need not live on */
    assert_int_equal(thud_contact_evaluator_update(evaluator, made[2].problem), THUD_ERROR_DIMENSION);
    thud_test_message_has(context, "9 contacts", "10 contacts", NULL);
    assert_int_equal(thud_contact_evaluator_update(evaluator, made[1].problem), THUD_OK);
    assert_int_equal(thud_contact_evaluator_evaluate(evaluator, made[1].r, NULL, NULL, NULL, &found), THUD_OK);
    thud_assert_less(found.residual, 1e-12);
    thud_assert_nearer(thud_norm2(context, 27, thud_contact_evaluator_q(evaluator)), found.scale, 1e-13);
    thud_contact_evaluator_destroy(evaluator);
    thud_test_problem_destroy(&made[1]);
    thud_test_problem_destroy(&made[2]);
  }
  thud_test_context_end(context);
}

/* The known answers of the small families. */
static void families_with_stated_answers_have_them(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  thud_test_problem made;
  for (thud_index n = 2; n <= 14; n += 3) {
    assert_int_equal(thud_test_lcp_p_matrix(context, &random, n, &made), THUD_OK);
    known_residual(context, &made, 1e-13);
    thud_test_problem_destroy(&made);
  }
  assert_int_equal(thud_test_lcp_several(context, 3, &made), THUD_OK);
  known_residual(context, &made, 0);
  for (int k = 0; k < 6; k++) made.r[k] = k < 2 ? (double)k : 1.0 / 3; /* (0,1), (1/3,1/3), (1/3,1/3) */
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-15);
  thud_test_problem_destroy(&made);
  /* A sphere stack and boxes at rest: weights on the ground, nothing on the sides. */
  thud_test_pile pile = {1, 1, 3, 3, 0.5, 0, 100, 0, 0};
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  double r[9 * 4] = {0};
  const double weight[3] = {0.0981 * 111, 0.0981 * 110, 0.0981 * 100}; /* masses 1, 10, 100 */
  for (int k = 0; k < 3; k++) r[(size_t)k * 3] = weight[k];
  made.r = r;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-13);
  thud_test_problem_destroy(&made);
  assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
  for (int k = 0; k < 36; k++) r[k] = k % 3 == 0 ? weight[k / 12] / 4 : 0;
  made.r = r;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-13);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* A wall of 2 x 2 boxes at rest: the weights on the corners below, nothing on the side faces. A pyramid of three boxes:
 * the upper one stands with the outer edges of its halves above the middles of the lower ones, so that no box is
 * turned. */
static void walls_and_pyramids_of_boxes_rest_on_their_corners(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_problem made;
  thud_test_pile pile = {2, 1, 2, 3, 0.5, 0, 100, 0, 0};
  const double fall = 0.0981;
  double r[3 * 24] = {0};
  assert_int_equal(thud_test_wall_of_boxes(context, &random, &pile, &made), THUD_OK);
  assert_int_equal(made.problem->contacts, 24);
  const thud_two_block *wall = &made.problem->two_block;
  for (int c = 0; c < 24; c++) /* normals along z only; the lower boxes (0, 1) have the mass 1, the upper ones 100 */
    if (wall->jacobian_a[18 * c + 2] == 1) r[3 * c] = fall * (wall->body_a[c] < 2 ? 101 : 100) / 4;
  made.r = r;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-13);
  thud_test_problem_destroy(&made);

  assert_int_equal(thud_test_pyramid_of_boxes(context, &random, &pile, &made), THUD_OK);
  assert_int_equal(made.problem->contacts, 16);
  memset(r, 0, sizeof r);
  for (int c = 0; c < 16; c++) r[3 * c] = c < 8 ? 1.5 * fall / 4 : c % 2 == 1 ? fall / 4 : 0;
  made.r = r;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-13);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* Klarbring, w = .5, mu = 1: pressed and pushed, q = (-1, -2): slides with r_T = r_N (u_T < 0) when that holds.
 * u_N = r_N + r_T/2 - 1 = 0 gives r_N = 2/3, u_T = r_N/2 + r_T - 2 = -1. Painleve's rod at 45 degrees with mu = 2
 * has W_NN = 5/2, W_NT = -3/2: sliding forwards (r_T = -mu r_N) u_N = (5/2 + 3) r_N + q_N; backwards
 * u_N = (5/2 - 3) r_N + q_N: q_N = 1 has both r = 0 and r_N = 2 (u_T = -3/2*2 + 5/2*4 + q_T < 0 when q_T < -7). */
static void plane_families_have_the_answers_computed_by_hand(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made;
  double r[2] = {2.0 / 3, 2.0 / 3};
  assert_int_equal(thud_test_klarbring(context, 0.5, 1, -1, -2, &made), THUD_OK);
  made.r = r;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-15);
  thud_test_problem_destroy(&made);
  assert_int_equal(thud_test_painleve_rod(context, atan(1), 2, 1, -8, &made), THUD_OK);
  made.r = r;
  r[0] = r[1] = 0;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-15);
  r[0] = 2;
  r[1] = 4;
  thud_assert_less(evaluate(context, &made, NULL).residual, 1e-14);
  r[1] = 3.9;
  thud_assert_greater(evaluate(context, &made, NULL).residual, 1e-3);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- failing allocations ---------------------------------------------------------------------------------------- */

static thud_error evaluate_everything(thud_context *context, void *user) {
  int form = *(int *)user;
  thud_random random = thud_random_seed(4);
  thud_test_shape shape = thud_test_shape_of(3, 4);
  thud_test_problem made = {0};
  thud_contact_residual found = {.residual = -7};
  double u[12] = {[0] = -7};
  thud_error error = THUD_OK;
  shape.law = THUD_TEST_MIXED_LAWS;
  if (form == 0) error = thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, &made);
  if (form == 1) error = thud_test_random_rigid_global(context, &random, &shape, &made);
  if (form == 2) error = thud_test_random_two_block(context, &random, &shape, &made);
  if (form >= 3) error = thud_test_flexible_global(context, &random, &shape, 12, 2, form == 3 ? 1e-3 : 20, &made);
  if (error != THUD_OK) {
    assert_null(made.owned);
    return error;
  }
  error = thud_contact_evaluate(context, made.problem, made.r, NULL, made.l, u, &found);
  if (error != THUD_OK) {
    thud_assert_equal(found.residual, -7);
    thud_assert_equal(u[0], -7);
  }
  thud_test_problem_destroy(&made);
  return error;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (int form = 0; form < 5; form++) thud_assert_greater(thud_test_sweep_allocations(evaluate_everything, &form), 20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(exact_answers_of_every_form_have_no_residual),
      cmocka_unit_test(exact_answers_of_flexible_problems_with_bilateral_rows_have_no_residual),
      cmocka_unit_test(exact_answers_under_general_laws_have_no_residual),
      cmocka_unit_test(the_percussion_K7_has_no_residual),
      cmocka_unit_test(every_violation_is_found_at_its_contact_with_its_size),
      cmocka_unit_test(violations_of_a_general_law_are_found),
      cmocka_unit_test(wrong_motions_and_bilateral_rows_show_in_their_own_residuals),
      cmocka_unit_test(scale_is_that_of_q_unless_q_vanishes),
      cmocka_unit_test(problems_without_contacts_have_no_residual),
      cmocka_unit_test(impulses_so_large_that_velocities_round_away_are_no_solution),
      cmocka_unit_test(velocities_that_overflow_give_an_infinite_residual),
      cmocka_unit_test(results_are_the_same_bits_on_any_number_of_threads),
      cmocka_unit_test(an_evaluator_allocates_nothing_and_takes_new_numbers),
      cmocka_unit_test(families_with_stated_answers_have_them),
      cmocka_unit_test(walls_and_pyramids_of_boxes_rest_on_their_corners),
      cmocka_unit_test(plane_families_have_the_answers_computed_by_hand),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
