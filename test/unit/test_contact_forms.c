/* The same problem in its forms, storages and units. */
#include "contact/contact_sparse.h"
#include "random_problems.h"
#include "random_matrices.h"
#include "failing_allocator.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static thud_contact_residual evaluate(thud_context *context, const thud_contact_problem *problem, const double *r,
                                      const double *l, double *u) {
  thud_contact_residual found;
  assert_int_equal(thud_contact_evaluate(context, problem, r, NULL, l, u, &found), THUD_OK);
  return found;
}

/* Both problems give the same velocities and residual for random impulses, which solve neither. */
static void assert_same(thud_context *context, thud_random *random, const thud_contact_problem *a,
                        const thud_contact_problem *b, double tolerance) {
  size_t size = thud_contact_size(a), bilateral = (size_t)a->bilateral;
  assert_int_equal(thud_contact_size(b), size);
  double *r = thud_test_doubles(size), *l = thud_test_doubles(bilateral);
  double *u_a = thud_test_doubles(size), *u_b = thud_test_doubles(size);
  for (int k = 0; k < 3; k++) {
    thud_test_random_vector(random, size, r);
    thud_test_random_vector(random, bilateral, l);
    thud_contact_residual first = evaluate(context, a, r, l, u_a), second = evaluate(context, b, r, l, u_b);
    double length = 1 + thud_test_max(size, u_a);
    thud_assert_at_most(thud_test_max_difference(size, u_a, u_b), tolerance * length);
    thud_assert_near(first.scale, second.scale, tolerance * first.scale);
    thud_assert_near(first.residual, second.residual, tolerance * first.residual);
    thud_assert_near(first.bilateral, second.bilateral, tolerance * (1 + first.bilateral));
    thud_assert_greater(first.residual, 1e-3);
    assert_int_equal(first.worst_contact, second.worst_contact);
    assert_int_equal(first.penetration_contact, second.penetration_contact);
    assert_int_equal(first.cone_contact, second.cone_contact);
    thud_assert_near(first.dissipation, second.dissipation, tolerance * (1 + fabs(first.dissipation)));
  }
  free(r);
  free(l);
  free(u_a);
  free(u_b);
}

/* Local forms in every storage, the global form, and the local form of that. */
static void assert_all_forms_agree(thud_context *context, thud_random *random, const thud_contact_problem *problem) {
  thud_owned_problem *global = NULL, *local = NULL;
  thud_contact_diagnosis diagnosis;
  for (int storage = THUD_MATRIX_NONE; storage <= THUD_MATRIX_BLOCKS; storage++) {
    assert_int_equal(thud_contact_to_local(context, problem, (thud_matrix_storage)storage, &local), THUD_OK);
    const thud_contact_problem *view = thud_owned_problem_view(local);
    assert_int_equal(thud_contact_validate(context, view, &diagnosis), THUD_OK);
    thud_assert_less(diagnosis.asymmetry, 1e-14);
    thud_assert_equal(diagnosis.negative_diagonal, -1);
    thud_assert_equal(diagnosis.zero_rows, 0);
    if (storage != THUD_MATRIX_NONE) assert_int_equal(view->W.storage, storage);
    assert_same(context, random, problem, view, 1e-12);
    thud_owned_problem_destroy(local);
  }
  assert_int_equal(thud_contact_to_global(context, problem, &global), THUD_OK);
  assert_int_equal(thud_contact_validate(context, thud_owned_problem_view(global), &diagnosis), THUD_OK);
  thud_assert_equal(diagnosis.asymmetry, 0);
  thud_assert_equal(diagnosis.negative_diagonal, -1);
  thud_assert_equal(diagnosis.zero_rows, 0);
  assert_same(context, random, problem, thud_owned_problem_view(global), 1e-12);
  for (int storage = THUD_MATRIX_NONE; storage <= THUD_MATRIX_BLOCKS; storage++) {
    assert_int_equal(
        thud_contact_to_local(context, thud_owned_problem_view(global), (thud_matrix_storage)storage, &local), THUD_OK);
    assert_same(context, random, problem, thud_owned_problem_view(local), 1e-12);
    thud_owned_problem_destroy(local);
  }
  thud_owned_problem_destroy(global);
}

static void two_block_global_and_local_forms_agree(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_index dimensions[] = {1, 2, 3, 5};
  for (int k = 0; k < 4; k++)
    for (thud_index block = 1; block <= 6; block++) {
      thud_random random = thud_random_seed((uint64_t)(10 * k + block));
      thud_test_shape shape = thud_test_shape_of(dimensions[k], 14);
      thud_test_problem made;
      shape.block = block;
      shape.bodies = 2 + 3 * block;
      if (k == 1 || k == 2) shape.law = THUD_TEST_MIXED_LAWS;
      assert_int_equal(thud_test_random_two_block(context, &random, &shape, &made), THUD_OK);
      assert_all_forms_agree(context, &random, made.problem);
      thud_test_problem_destroy(&made);
    }
  thud_test_context_end(context);
}

static void piles_and_stacks_agree_in_all_forms(void **state) {
  (void)state;
  thud_context *context = thud_test_context(2);
  thud_random random = thud_random_seed(1);
  for (thud_index d = 1; d <= 5; d += 2) {
    thud_test_pile pile = {3, 2, 3, d, 0.3, 0.05, 50, 0.2, 0.03};
    thud_test_problem made;
    assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
    assert_int_equal(thud_contact_validate(context, made.problem, NULL), THUD_OK);
    assert_int_equal(made.problem->contacts, 2 * 2 * 3 + 3 * 1 * 3 + 3 * 2 * 3);
    assert_all_forms_agree(context, &random, made.problem);
    thud_test_problem_destroy(&made);
    assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
    assert_int_equal(made.problem->contacts, 12);
    assert_all_forms_agree(context, &random, made.problem);
    thud_test_problem_destroy(&made);
    assert_int_equal(thud_test_wall_of_boxes(context, &random, &pile, &made), THUD_OK);
    assert_int_equal(made.problem->contacts, 4 * (2 * 2 * 3 + 3 * 1 * 3 + 3 * 2 * 3));
    assert_all_forms_agree(context, &random, made.problem);
    thud_test_problem_destroy(&made);
    assert_int_equal(thud_test_pyramid_of_boxes(context, &random, &pile, &made), THUD_OK);
    assert_int_equal(made.problem->two_block.bodies, 3 + 2 + 1);
    assert_int_equal(made.problem->contacts, 4 * 3 + 8 * (2 + 1));
    assert_all_forms_agree(context, &random, made.problem);
    thud_test_problem_destroy(&made);
  }
  thud_test_context_end(context);
}

/* W of contacts that share no moving body has no block: two spheres side by side on the ground, apart from the contact
 * between them, see each other only through it. */
static void the_blocks_of_W_are_those_of_shared_moving_bodies(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_pile pile = {3, 1, 1, 3, 0.3, 0, 1, 0, 0};
  thud_test_problem made;
  thud_owned_problem *local = NULL;
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  /* contacts: ground 0; 1-0, ground 1; 2-1, ground 2 */
  assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_NONE, &local), THUD_OK);
  const thud_bsr *W = &thud_owned_problem_view(local)->W.blocks;
  const thud_index start[] = {0, 2, 6, 9, 13, 15}, column[] = {0, 1, 0, 1, 2, 3, 1, 2, 3, 1, 2, 3, 4, 3, 4};
  assert_int_equal(W->block_rows, 5);
  assert_memory_equal(W->row_start, start, sizeof start);
  assert_memory_equal(W->block_column, column, sizeof column);
  /* unit mass, R = 1/2, J = 1/10: ground contact W = diag(1, 1 + R^2/J, 1 + R^2/J) */
  const double expected[9] = {1, 0, 0, 0, 3.5, 0, 0, 0, 3.5};
  thud_assert_less(thud_test_max_difference(9, W->values, expected), 1e-15);
  thud_owned_problem_destroy(local);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void bodies_that_do_not_move_are_dropped_from_W_and_refused_by_the_global_form(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* Two points on a line of masses 1 and infinite, one contact each with the immovable one. */
  const double inverse_mass[3] = {1, 0, 0.5}, velocity[3] = {-1, 0.25, -2}, J_a[2] = {1, 1}, J_b[2] = {-1, -1};
  const thud_index a[2] = {0, 2}, b[2] = {1, 1};
  thud_contact_problem problem = {.form = THUD_FORM_TWO_BLOCK, .dimension = 1, .contacts = 2};
  problem.two_block = (thud_two_block){.bodies = 3,
                                       .block = 1,
                                       .inverse_mass = inverse_mass,
                                       .free_velocity = velocity,
                                       .body_a = a,
                                       .body_b = b,
                                       .jacobian_a = J_a,
                                       .jacobian_b = J_b};
  thud_owned_problem *made = NULL;
  assert_int_equal(thud_contact_validate(context, &problem, NULL), THUD_OK);
  assert_int_equal(thud_contact_to_local(context, &problem, THUD_MATRIX_BLOCKS, &made), THUD_OK);
  const thud_contact_problem *local = thud_owned_problem_view(made);
  assert_int_equal(local->W.blocks.row_start[2], 2);
  thud_assert_equal(local->W.blocks.values[0], 1);
  thud_assert_equal(local->W.blocks.values[1], 0.5);
  thud_assert_equal(local->q[0], -1.25);
  thud_assert_equal(local->q[1], -2.25);
  thud_owned_problem_destroy(made);
  made = NULL;
  assert_int_equal(thud_contact_to_global(context, &problem, &made), THUD_ERROR_NOT_SPD);
  thud_test_message_has(context,
                        "body 1: its inverse mass is not positive definite; eliminate bodies that do not move (make "
                        "them the world, -1) before going to the global form",
                        NULL);
  assert_null(made);
  thud_test_context_end(context);
}

static void forms_that_cannot_be_made_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_shape shape = thud_test_shape_of(3, 2);
  thud_test_problem made;
  thud_owned_problem *other = NULL;
  assert_int_equal(thud_test_random_local(context, &random, &shape, THUD_MATRIX_DENSE, &made), THUD_OK);
  assert_int_equal(thud_contact_to_global(context, made.problem, &other), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(context, "a local problem has no global form: the masses and velocities behind W are not known",
                        NULL);
  assert_int_equal(thud_contact_to_local(context, made.problem, (thud_matrix_storage)9, &other), THUD_ERROR_ARGUMENT);
  assert_null(other);
  thud_test_problem_destroy(&made);
  /* A singular M */
  const double M[4] = {1, 1, 1, 1}, H[2] = {1, 0}, f[2] = {0, 0};
  thud_contact_problem global = {.form = THUD_FORM_GLOBAL, .dimension = 1, .contacts = 1, .f = f};
  global.M = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = M};
  global.H = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 1, .dense = H};
  assert_int_equal(thud_contact_to_local(context, &global, THUD_MATRIX_DENSE, &other), THUD_ERROR_SINGULAR);
  thud_test_message_has(context,
                        "mass matrix M: factor: the pivot of column 1 is 0, from terms of size 1: the matrix is "
                        "singular, or in need of a shift there",
                        NULL);
  assert_null(other);
  thud_test_context_end(context);
}

/* Symmetric and indefinite, unsymmetric and far from symmetric: q = H' M^-1 f against a solution by hand. */
static void masses_of_every_kind_are_inverted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double masses[4][4] = {{2, 1, 1, 2}, {1, 2, 2, 1}, {2, 1.01, 0.99, 2}, {1, -9, 9, 1}};
  const double H[2] = {1, 0}, f[2] = {3, 5};
  for (int k = 0; k < 4; k++) {
    const double *M = masses[k];
    thud_contact_problem global = {.form = THUD_FORM_GLOBAL, .dimension = 1, .contacts = 1, .f = f};
    global.M = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = M};
    global.H = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 1, .dense = H};
    double determinant = M[0] * M[3] - M[1] * M[2], q = (M[3] * f[0] - M[2] * f[1]) / determinant;
    thud_owned_problem *made = NULL;
    assert_int_equal(thud_contact_to_local(context, &global, THUD_MATRIX_DENSE, &made), THUD_OK);
    const thud_contact_problem *local = thud_owned_problem_view(made);
    thud_assert_nearer(local->q[0], q, 1e-14);
    thud_assert_nearer(local->W.dense[0], M[3] / determinant, 1e-15);
    thud_owned_problem_destroy(made);
  }
  thud_test_context_end(context);
}

/* Bodies of 3 degrees of freedom whose masses have a skew part, from none to one that hides the symmetric part: v =
 * M^-1 f holds to rounding, whether by blocks or not. */
static void blocks_with_a_skew_part_are_inverted(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  for (int power = -8; power <= 8; power++) {
    enum { N = 6 };
    double M[N * N] = {0}, f[N], H[N] = {0}, r[1] = {0}, skew = pow(10, power);
    for (size_t j = 0; j < N; j++)
      for (size_t i = j - j % 3; i < j - j % 3 + 3; i++)
        M[j * N + i] = (i == j ? 1 : 0) + (i > j ? skew : i < j ? -skew : 0);
    for (size_t i = 0; i < N; i++) f[i] = thud_random_uniform(&random, -1, 1);
    thud_contact_problem problem = {
        .form = THUD_FORM_GLOBAL,
        .dimension = 1,
        .contacts = 1,
        .M = {.storage = THUD_MATRIX_DENSE, .rows = N, .columns = N, .dense = M},
        .H = {.storage = THUD_MATRIX_DENSE, .rows = N, .columns = 1, .dense = H},
        .f = f,
    };
    thud_contact_evaluator *evaluator = NULL;
    thud_contact_residual residual;
    assert_int_equal(thud_contact_evaluator_create(context, &problem, &evaluator), THUD_OK);
    assert_int_equal(thud_contact_evaluator_evaluate(evaluator, r, NULL, NULL, NULL, &residual), THUD_OK);
    thud_assert_at_most(residual.dynamics, 1e-14 * (1 + skew)); /* |M v| is of that size before it cancels */
    thud_contact_evaluator_destroy(evaluator);
  }
  thud_test_context_end(context);
}

static void copies_live_on_their_own(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int form = 0; form < 6; form++) {
    thud_random random = thud_random_seed(8);
    thud_test_shape shape = thud_test_shape_of(3, 6);
    shape.law = THUD_TEST_MIXED_LAWS;
    thud_test_problem made;
    thud_error error = THUD_OK;
    if (form < 3)
      error = thud_test_random_local(context, &random, &shape, (thud_matrix_storage)(form + 1), &made);
    else if (form == 3)
      error = thud_test_random_rigid_global(context, &random, &shape, &made);
    else if (form == 4)
      error = thud_test_random_two_block(context, &random, &shape, &made);
    else
      error = thud_test_flexible_global(context, &random, &shape, 20, 3, 0, &made);
    assert_int_equal(error, THUD_OK);
    thud_owned_problem *copy = NULL;
    double u[18], again[18], r[18], l[3];
    thud_test_random_vector(&random, 18, r);
    thud_test_random_vector(&random, 3, l);
    thud_contact_residual first = evaluate(context, made.problem, r, l, u);
    assert_int_equal(thud_contact_copy(context, made.problem, &copy), THUD_OK);
    thud_test_problem_destroy(&made);
    thud_contact_residual second = evaluate(context, thud_owned_problem_view(copy), r, l, again);
    assert_memory_equal(u, again, sizeof u);
    thud_assert_equal(first.residual, second.residual);
    thud_assert_equal(first.cone_excess, second.cone_excess);
    thud_owned_problem_destroy(copy);
  }
  thud_owned_problem_destroy(NULL);
  thud_test_context_end(context);
}

/* ---- products -------------------------------------------------------------------------------------------- */

static void products_agree_in_every_storage_and_transposed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(8);
  thud_test_shape shape = thud_test_shape_of(3, 7);
  double x[21], first[2][21], y[21];
  thud_test_random_vector(&random, 21, x);
  for (int storage = THUD_MATRIX_DENSE; storage <= THUD_MATRIX_BLOCKS; storage++)
    for (int transposed = 0; transposed < 2; transposed++) {
      thud_random again = thud_random_seed(9);
      thud_test_problem made;
      assert_int_equal(thud_test_random_local(context, &again, &shape, (thud_matrix_storage)storage, &made), THUD_OK);
      for (int i = 0; i < 21; i++) y[i] = NAN; /* beta = 0 does not read it */
      thud_matrix_multiply_vector(context, &made.problem->W, transposed, 2, x, 0, y);
      thud_matrix_multiply_vector(context, &made.problem->W, transposed, -1, x, 1, y);
      if (storage == THUD_MATRIX_DENSE)
        memcpy(first[transposed], y, sizeof y);
      else
        thud_assert_less(thud_test_max_difference(21, y, first[transposed]), 1e-13);
      thud_test_problem_destroy(&made);
    }
  thud_assert_less(thud_test_max_difference(21, first[0], first[1]), 1e-13); /* W is symmetric */
  thud_matrix none = {.rows = 2, .columns = 3};
  double scaled[3] = {1, 2, 4};
  thud_matrix_multiply_vector(context, &none, false, 1, x, 3, scaled); /* no matrix counts as 0 */
  thud_assert_equal(scaled[0], 3);
  thud_assert_equal(scaled[1], 6);
  thud_assert_equal(scaled[2], 4);
  thud_test_context_end(context);
}

/* Blocks that are not square and not symmetric: 2 x 3 blocks [1 3 5; 2 4 6] at block (0, 1) of a 2 x 6 matrix. */
static void transposed_blocks_are_multiplied_as_their_entries_say(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_index start[2] = {0, 1}, column[1] = {1};
  const double values[6] = {1, 2, 3, 4, 5, 6}, x[2] = {10, 1};
  double y[6] = {1, 1, 1, 1, 1, 1};
  thud_matrix A = {
      .storage = THUD_MATRIX_BLOCKS, .rows = 2, .columns = 6, .blocks = {1, 2, 2, 3, start, column, values}};
  thud_matrix_multiply_vector(context, &A, true, 1, x, 2, y);
  const double expected[6] = {2, 2, 2, 14, 36, 58};
  assert_memory_equal(y, expected, sizeof y);
  thud_test_context_end(context);
}

static void kinds_have_names(void **state) {
  (void)state;
  thud_contact_problem problem = {.dimension = 3};
  assert_string_equal(thud_contact_kind_name(&problem), "3D friction, local form");
  problem.dimension = 1;
  problem.form = THUD_FORM_GLOBAL;
  assert_string_equal(thud_contact_kind_name(&problem), "LCP, global form");
  problem.dimension = 5;
  problem.form = THUD_FORM_TWO_BLOCK;
  assert_string_equal(thud_contact_kind_name(&problem), "rolling friction, two-block form");
  problem.dimension = 4;
  assert_string_equal(thud_contact_kind_name(&problem), "spinning friction, two-block form");
  problem.dimension = 6;
  assert_string_equal(thud_contact_kind_name(&problem), "rolling and spinning friction, two-block form");
  problem.friction = THUD_FRICTION_PLANE_ROLLING;
  assert_string_equal(thud_contact_kind_name(&problem), "unknown kind of problem");
  problem.dimension = 3;
  assert_string_equal(thud_contact_kind_name(&problem), "2D rolling friction, two-block form");
  problem.friction = THUD_FRICTION_BY_DIMENSION;
  problem.dimension = 7;
  assert_string_equal(thud_contact_kind_name(&problem), "unknown kind of problem");
}

/* ---- units ------------------------------------------------------------------------------------------------- */

static void is_power_of_two(double x) {
  int exponent = 0;
  thud_assert_greater(x, 0);
  thud_assert_equal(frexp(x, &exponent), 0.5);
}

static void scaling_makes_problems_of_order_one_without_changing_a_digit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (int form = 0; form < 4; form++) {
    thud_random random = thud_random_seed(31);
    thud_test_shape shape = thud_test_shape_of(3, 6);
    thud_test_problem made;
    thud_error error = THUD_OK;
    if (form == 0) error = thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, &made);
    if (form == 1) error = thud_test_random_rigid_global(context, &random, &shape, &made);
    if (form == 2) error = thud_test_random_two_block(context, &random, &shape, &made);
    if (form == 3) error = thud_test_flexible_global(context, &random, &shape, 20, 3, 0, &made);
    assert_int_equal(error, THUD_OK);
    /* Tiny units first: micrometres and micrograms. */
    const thud_contact_scaling tiny = {ldexp(1, 20), ldexp(1, 50)};
    thud_owned_problem *small = NULL, *scaled = NULL;
    thud_contact_scaling scaling, again;
    assert_int_equal(thud_contact_scale(context, made.problem, &tiny, &small), THUD_OK);
    assert_int_equal(thud_contact_choose_scaling(context, thud_owned_problem_view(small), &scaling), THUD_OK);
    is_power_of_two(scaling.velocity);
    is_power_of_two(scaling.impulse);
    assert_int_equal(thud_contact_scale(context, thud_owned_problem_view(small), &scaling, &scaled), THUD_OK);
    assert_int_equal(thud_contact_choose_scaling(context, thud_owned_problem_view(scaled), &again), THUD_OK);
    thud_assert_equal(again.velocity, 1);
    thud_assert_equal(again.impulse, 1);
    /* Velocities of the scaled problem, taken back twice, are the original ones bit for bit. */
    double r[18], scaled_r[18], u[18], v[60] = {0}, l[3] = {0}, scaled_l[3], back[18];
    thud_test_random_vector(&random, 18, r);
    thud_test_random_vector(&random, 3, l);
    for (int i = 0; i < 18; i++) scaled_r[i] = r[i] / tiny.impulse / scaling.impulse;
    for (int i = 0; i < 3; i++) scaled_l[i] = l[i] / tiny.impulse / scaling.impulse;
    evaluate(context, made.problem, r, l, u);
    evaluate(context, thud_owned_problem_view(scaled), scaled_r, scaled_l, back);
    thud_contact_unscale_answer(made.problem, &scaling, scaled_r, back, NULL, scaled_l);
    thud_contact_unscale_answer(made.problem, &tiny, scaled_r, back, form == 3 ? v : NULL, scaled_l);
    assert_memory_equal(scaled_r, r, sizeof r);
    assert_memory_equal(scaled_l, l, made.problem->bilateral > 0 ? sizeof l : 0);
    assert_memory_equal(back, u, sizeof u);
    thud_owned_problem_destroy(small);
    thud_owned_problem_destroy(scaled);
    thud_test_problem_destroy(&made);
  }
  thud_owned_problem *none = NULL;
  const thud_contact_scaling bad = {0, 1};
  assert_int_equal(thud_contact_scale(context, &(thud_contact_problem){.dimension = 1}, &bad, &none),
                   THUD_ERROR_ARGUMENT);
  assert_null(none);
  thud_test_context_end(context);
}

/* Refused before anything is allocated: the row starts alone say that 2^31 entries are too many. */
static void matrices_without_a_list_of_entries_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_sparse made = {.rows = 7};
  thud_matrix A = {.storage = THUD_MATRIX_OPERATOR, .rows = 2, .columns = 2};
  assert_int_equal(thud_matrix_to_sparse(context, &A, &made), THUD_ERROR_UNSUPPORTED);
  assert_string_equal(thud_context_last_message(context), "the matrix is an operator: its entries are needed here");
  thud_index row_start[2] = {0, 1 << 29};
  A.storage = THUD_MATRIX_BLOCKS;
  A.blocks = (thud_bsr){.block_rows = 1, .rows_per_block = 2, .columns_per_block = 2, .row_start = row_start};
  assert_int_equal(thud_matrix_to_sparse(context, &A, &made), THUD_ERROR_OVERFLOW);
  assert_string_equal(thud_context_last_message(context),
                      "sparse: 2147483648 entries, at most 2147483647 are possible");
  assert_int_equal(made.rows, 7);
  thud_test_context_end(context);
}

/* ---- failing allocations ------------------------------------------------------------------------------------- */

static thud_error convert_everything(thud_context *context, void *user) {
  int form = *(int *)user;
  thud_random random = thud_random_seed(4);
  thud_test_shape shape = thud_test_shape_of(3, 4);
  thud_test_problem made = {0};
  thud_owned_problem *results[6] = {0};
  thud_contact_scaling scaling = {0};
  shape.law = THUD_TEST_MIXED_LAWS;
  thud_error error = form == 0 ? thud_test_random_two_block(context, &random, &shape, &made)
                               : thud_test_flexible_global(context, &random, &shape, 12, 2, 0, &made);
  if (error != THUD_OK) return error;
  const thud_contact_problem *problem = made.problem;
  for (int storage = 1; error == THUD_OK && storage <= 3; storage++)
    error = thud_contact_to_local(context, problem, (thud_matrix_storage)storage, &results[storage - 1]);
  if (error == THUD_OK) error = thud_contact_to_global(context, problem, &results[3]);
  if (error == THUD_OK) error = thud_contact_copy(context, problem, &results[4]);
  if (error == THUD_OK) error = thud_contact_choose_scaling(context, problem, &scaling);
  if (error == THUD_OK) error = thud_contact_scale(context, problem, &scaling, &results[5]);
  bool failed = false; /* nothing is made by the call that failed, nor after it */
  for (int k = 0; k < 6; k++) {
    failed = failed || results[k] == NULL;
    thud_assert_equal(failed, (results[k] == NULL));
    thud_owned_problem_destroy(results[k]);
  }
  thud_assert_equal(failed, (error != THUD_OK));
  thud_test_problem_destroy(&made);
  return error;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  for (int form = 0; form < 2; form++) thud_assert_greater(thud_test_sweep_allocations(convert_everything, &form), 100);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(two_block_global_and_local_forms_agree),
      cmocka_unit_test(piles_and_stacks_agree_in_all_forms),
      cmocka_unit_test(the_blocks_of_W_are_those_of_shared_moving_bodies),
      cmocka_unit_test(bodies_that_do_not_move_are_dropped_from_W_and_refused_by_the_global_form),
      cmocka_unit_test(forms_that_cannot_be_made_are_refused),
      cmocka_unit_test(masses_of_every_kind_are_inverted),
      cmocka_unit_test(blocks_with_a_skew_part_are_inverted),
      cmocka_unit_test(copies_live_on_their_own),
      cmocka_unit_test(products_agree_in_every_storage_and_transposed),
      cmocka_unit_test(transposed_blocks_are_multiplied_as_their_entries_say),
      cmocka_unit_test(kinds_have_names),
      cmocka_unit_test(scaling_makes_problems_of_order_one_without_changing_a_digit),
      cmocka_unit_test(matrices_without_a_list_of_entries_are_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
