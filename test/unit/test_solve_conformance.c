/* What every solver of the registry must do, on every kind of problem that it declares. */
#include "failing_allocator.h"
#include "random_matrices.h"
#include "random_joints.h"
#include "testing.h"
#include "thud/solve.h"
#include "base/base.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const double TOLERANCE = 1e-6;

/* ---- kinds of problems -------------------------------------------------------------------------------- */

typedef thud_error (*build_fn)(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                               thud_test_problem *made);

static thud_error build_dense(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                              thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_random_local(context, random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error build_sparse(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                               thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_random_local(context, random, &shape, THUD_MATRIX_SPARSE, made);
}

static thud_error build_blocks(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                               thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_random_local(context, random, &shape, THUD_MATRIX_BLOCKS, made);
}

static thud_error build_two_block(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                                  thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_random_two_block(context, random, &shape, made);
}

static thud_error build_global(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                               thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_random_rigid_global(context, random, &shape, made);
}

/* With bilateral rows. */
static thud_error build_flexible(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                                 thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_flexible_global(context, random, &shape, 12 + 8 * contacts, 3, 0, made);
}

static thud_error build_joints(thud_context *context, thud_random *random, thud_index dimension, thud_index contacts,
                               thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  return thud_test_random_joints(context, random, &shape, 2, true, made);
}

static thud_error build_laws_local(thud_context *context, thud_random *random, thud_index dimension,
                                   thud_index contacts, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  shape.law = THUD_TEST_MIXED_LAWS;
  return thud_test_random_local(context, random, &shape, THUD_MATRIX_DENSE, made);
}

static thud_error build_laws_two_block(thud_context *context, thud_random *random, thud_index dimension,
                                       thud_index contacts, thud_test_problem *made) {
  thud_test_shape shape = thud_test_shape_of(dimension, contacts);
  shape.law = THUD_TEST_MIXED_LAWS;
  return thud_test_random_two_block(context, random, &shape, made);
}

typedef struct problem_kind {
  const char *name;
  build_fn build;
  bool laws; /* dimension 2 and 3 only */
} problem_kind;

static const problem_kind kinds[] = {
    {"local dense", build_dense, false},
    {"local sparse", build_sparse, false},
    {"local blocks", build_blocks, false},
    {"two-block", build_two_block, false},
    {"global", build_global, false},
    {"global with bilateral rows", build_flexible, false},
    {"two-block with joints", build_joints, false},
    {"laws, local", build_laws_local, true},
    {"laws, two-block", build_laws_two_block, true},
};
static const thud_index *const dimensions = thud_test_dimensions;

/* Called for every method and every kind that it takes. */
typedef void (*case_fn)(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                        const char *name);

static void for_each_case(thud_context *context, thud_index contacts, uint64_t seed, case_fn run) {
  for (size_t m = 0; m < thud_solver_method_count(); m++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (size_t d = 0; d < THUD_TEST_DIMENSIONS; d++) {
        if (kinds[k].laws && dimensions[d] != 2 && dimensions[d] != 3) continue;
        thud_random random = thud_random_seed(seed + 100 * k + d);
        thud_test_problem made;
        assert_int_equal(kinds[k].build(context, &random, dimensions[d], contacts, &made), THUD_OK);
        if (thud_solver_method_takes(thud_solver_method_at(m), made.problem))
          run(context, thud_solver_method_at(m), &made, kinds[k].name);
        thud_test_problem_destroy(&made);
      }
}

/* ---- one solve with everything it hands back --------------------------------------------------------------- */

typedef struct answer {
  size_t size, ndof, rows;
  double *r, *u, *v, *l;
  thud_solver_info info;
} answer;

static answer answer_make(const thud_contact_problem *problem) {
  answer a = {
      .size = thud_contact_size(problem), .ndof = thud_contact_ndof(problem), .rows = (size_t)problem->bilateral};
  a.r = thud_test_doubles(a.size + 1);
  a.u = thud_test_doubles(a.size + 1);
  a.v = thud_test_doubles(a.ndof + 1);
  a.l = thud_test_doubles(a.rows + 1);
  return a;
}

static void answer_free(answer *a) {
  free(a->r);
  free(a->u);
  free(a->v);
  free(a->l);
}

static thud_solver *make_solver(thud_context *context, const thud_solver_method *method,
                                const thud_contact_problem *problem, const thud_solver_options *options) {
  thud_solver *solver = NULL;
  thud_error error = thud_solver_create(context, method, problem, options, &solver);
  if (error != THUD_OK)
    fail_msg("%s on %s: %s", thud_solver_method_name(method), thud_contact_kind_name(problem),
             thud_context_last_message(context));
  return solver;
}

static thud_solver_options options_of(double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  return options;
}

static void solve_into(thud_solver *solver, answer *a) {
  assert_int_equal(thud_solver_solve(solver, a->r, a->u, a->v, a->l, &a->info), THUD_OK);
}

static double residual_of(thud_context *context, const thud_contact_problem *problem, const double *r,
                          const double *l) {
  thud_contact_residual residual;
  assert_int_equal(thud_contact_evaluate(context, problem, r, NULL, problem->bilateral > 0 ? l : NULL, NULL, &residual),
                   THUD_OK);
  return residual.residual;
}

static void assert_same_bits(const answer *a, const answer *b) {
  assert_memory_equal(a->r, b->r, a->size * sizeof(double));
  assert_memory_equal(a->u, b->u, a->size * sizeof(double));
  assert_memory_equal(a->v, b->v, a->ndof * sizeof(double));
  assert_memory_equal(a->l, b->l, a->rows * sizeof(double));
  assert_int_equal(a->info.status, b->info.status);
  assert_int_equal(a->info.iterations, b->info.iterations);
  thud_assert_equal(a->info.residual.residual, b->info.residual.residual);
}

/* ---- registry and options ------------------------------------------------------------------------------------- */

static void registry_lists_every_method_once(void **state) {
  (void)state;
  size_t count = thud_solver_method_count();
  thud_assert_greater(count, 0);
  for (size_t k = 0; k < count; k++) {
    const thud_solver_method *method = thud_solver_method_at(k);
    assert_ptr_equal(thud_solver_method_find(thud_solver_method_name(method)), method);
    thud_assert_greater(strlen(thud_solver_method_summary(method)), 10);
    thud_assert_different(thud_solver_method_accepts(method), 0);
  }
  assert_null(thud_solver_method_at(count));
  assert_null(thud_solver_method_find("no such method"));
  assert_null(thud_solver_method_find(NULL));
}

static void wrong_options_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  thud_test_problem made;
  assert_int_equal(build_dense(context, &random, 3, 2, &made), THUD_OK);
  for (int k = 0; k < 9; k++) {
    thud_solver_options options = thud_solver_options_default();
    if (k == 0) options.size = 3;
    if (k == 1) options.tolerance = 0;
    if (k == 2) options.tolerance = NAN;
    if (k == 3) options.max_iterations = -1;
    if (k == 4) options.max_seconds = -1;
    if (k == 5) options.check_every = 0;
    if (k == 6) options.relaxation = 2;
    if (k == 7) options.local_solver = 3;
    if (k == 8) options.order = -1;
    thud_solver *solver = NULL;
    assert_int_equal(thud_solver_create(context, NULL, made.problem, &options, &solver), THUD_ERROR_ARGUMENT);
    assert_null(solver);
    thud_assert_greater(strlen(thud_context_last_message(context)), 0);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void problems_that_a_method_does_not_take_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t m = 0; m < thud_solver_method_count(); m++)
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
      for (size_t d = 0; d < THUD_TEST_DIMENSIONS; d++) {
        if (kinds[k].laws && dimensions[d] != 2 && dimensions[d] != 3) continue;
        const thud_solver_method *method = thud_solver_method_at(m);
        thud_random random = thud_random_seed(2);
        thud_test_problem made;
        assert_int_equal(kinds[k].build(context, &random, dimensions[d], 2, &made), THUD_OK);
        if (!thud_solver_method_takes(method, made.problem)) {
          thud_solver *solver = NULL;
          assert_int_equal(thud_solver_create(context, method, made.problem, NULL, &solver), THUD_ERROR_UNSUPPORTED);
          assert_null(solver);
          thud_test_message_has(context, thud_solver_method_name(method), NULL);
        }
        thud_test_problem_destroy(&made);
      }
  thud_test_context_end(context);
}

/* ---- answers ------------------------------------------------------------------------------------------------------
 */

static int cases_solved, cases_tried;

static void check_solved_means_solved(thud_context *context, const thud_solver_method *method,
                                      const thud_test_problem *made, const char *name) {
  (void)name;
  thud_solver_options options = options_of(TOLERANCE);
  thud_solver *solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem);
  double start = residual_of(context, made->problem, a.r, a.l);
  solve_into(solver, &a);
  thud_contact_residual residual;
  double *u = thud_test_doubles(a.size + 1);
  assert_int_equal(thud_contact_evaluate(context, made->problem, a.r,
                                         made->problem->form == THUD_FORM_GLOBAL ? a.v : NULL, a.rows > 0 ? a.l : NULL,
                                         u, &residual),
                   THUD_OK);
  assert_true(residual.residual == a.info.residual.residual ||
              fabs(residual.residual - a.info.residual.residual) <= 1e-13);
  thud_assert_at_most(thud_test_max_difference(a.size, u, a.u), 1e-12 * (1 + thud_test_max(a.size, u)));
  if (a.info.status == THUD_SOLVED)
    thud_assert_at_most(residual.residual, TOLERANCE);
  else
    thud_assert_greater(residual.residual, TOLERANCE);
  thud_assert_at_most(residual.residual, start);
  cases_tried++;
  if (a.info.status == THUD_SOLVED) cases_solved++;
  free(u);
  answer_free(&a);
  thud_solver_destroy(solver);
}

static void status_solved_means_that_the_residual_is_below_the_tolerance(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  cases_solved = cases_tried = 0;
  for_each_case(context, 12, 11, check_solved_means_solved);
  print_message("%d of %d cases solved to %g\n", cases_solved, cases_tried, TOLERANCE);
  thud_assert_at_least(10 * cases_solved, 8 * cases_tried);
  thud_test_context_end(context);
}

static void check_best_of_history(thud_context *context, const thud_solver_method *method,
                                  const thud_test_problem *made, const char *name) {
  (void)name;
  thud_solver_options options = options_of(1e-14);
  options.max_iterations = 7;
  options.check_every = 1;
  thud_solver *solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem);
  thud_random random = thud_random_seed(5);
  thud_test_random_vector(&random, a.size, a.r);
  thud_test_random_vector(&random, a.rows, a.l);
  double start = residual_of(context, made->problem, a.r, a.l), best = INFINITY;
  solve_into(solver, &a);
  thud_assert_at_least(a.info.history_count, 1);
  for (size_t k = 0; k < a.info.history_count; k++) best = fmin(best, a.info.history[k]);
  thud_assert_near(a.info.history[0], start, 1e-9 * start);
  thud_assert_near(a.info.residual.residual, best, 1e-9 * best + 1e-13);
  thud_assert_at_most(a.info.residual.residual, start * (1 + 1e-9));
  answer_free(&a);
  thud_solver_destroy(solver);
}

static void answer_is_the_best_iterate_tested_and_never_worse_than_the_warm_start(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 6, 12, check_best_of_history);
  thud_test_context_end(context);
}

static void check_warm_start(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                             const char *name) {
  (void)name;
  thud_solver_options options = options_of(TOLERANCE);
  thud_solver *solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem);
  solve_into(solver, &a);
  if (a.info.status == THUD_SOLVED) {
    double *r = thud_test_doubles(a.size + 1);
    memcpy(r, a.r, a.size * sizeof(double));
    solve_into(solver, &a);
    assert_int_equal(a.info.status, THUD_SOLVED);
    assert_int_equal(a.info.iterations, 0);
    assert_int_equal(a.info.history_count, 1);
    assert_memory_equal(r, a.r, a.size * sizeof(double));
    free(r);
  }
  answer_free(&a);
  thud_solver_destroy(solver);
}

static void warm_start_at_a_solution_is_returned_after_one_test(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 5, 13, check_warm_start);
  thud_test_context_end(context);
}

static void check_no_iterations(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                                const char *name) {
  (void)name;
  thud_solver_options options = options_of(1e-15);
  options.max_iterations = 0;
  thud_solver *solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem);
  solve_into(solver, &a);
  assert_int_equal(a.info.iterations, 0);
  assert_int_not_equal(a.info.status, THUD_SOLVED);
  thud_assert_equal(thud_test_max(a.size, a.r), 0);
  answer_free(&a);
  thud_solver_destroy(solver);
}

static void no_iterations_allowed_gives_the_warm_start_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 3, 14, check_no_iterations);
  thud_test_context_end(context);
}

/* A problem without contacts in each form, and one that is only bilateral rows. */
static void no_contacts_are_solved_at_once(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double M[4] = {2, 0, 0, 2}, f[2] = {1, 1}, free_velocity[2] = {3, 4},
               inverse_mass[8] = {1, 0, 0, 1, 1, 0, 0, 1};
  const thud_contact_problem empty[] = {
      {.form = THUD_FORM_LOCAL, .dimension = 3, .W = {.storage = THUD_MATRIX_DENSE}},
      {.form = THUD_FORM_GLOBAL,
       .dimension = 3,
       .M = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = M},
       .H = {.storage = THUD_MATRIX_DENSE, .rows = 2},
       .f = f},
      {.form = THUD_FORM_TWO_BLOCK,
       .dimension = 3,
       .two_block = {.bodies = 1, .block = 2, .inverse_mass = inverse_mass, .free_velocity = free_velocity}}};
  for (size_t m = 0; m < thud_solver_method_count(); m++)
    for (size_t k = 0; k < 3; k++) {
      if (!thud_solver_method_takes(thud_solver_method_at(m), &empty[k])) continue;
      thud_solver *solver = make_solver(context, thud_solver_method_at(m), &empty[k], NULL);
      answer a = answer_make(&empty[k]);
      solve_into(solver, &a);
      assert_int_equal(a.info.status, THUD_SOLVED);
      thud_assert_equal(a.info.residual.natural, 0);
      if (k == 1) {
        thud_assert_equal(a.v[0], 0.5);
        thud_assert_equal(a.v[1], 0.5);
      }
      if (k == 2) {
        thud_assert_equal(a.v[0], 3);
        thud_assert_equal(a.v[1], 4);
      }
      answer_free(&a);
      thud_solver_destroy(solver);
    }
  thud_test_context_end(context);
}

static void check_one_contact(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                              const char *name) {
  thud_solver_options options = options_of(1e-8);
  thud_solver *solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem);
  solve_into(solver, &a);
  if (a.info.status != THUD_SOLVED)
    fail_msg("%s, %s, dimension %d: residual %g after %d", thud_solver_method_name(method), name,
             (int)made->problem->dimension, a.info.residual.residual, a.info.iterations);
  answer_free(&a);
  thud_solver_destroy(solver);
}

static void single_contacts_are_solved(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (uint64_t seed = 0; seed < 8; seed++) for_each_case(context, 1, 1000 * seed, check_one_contact);
  thud_test_context_end(context);
}

/* ---- the same bits --------------------------------------------------------------------------------------------- */

static bool has_limit(const thud_solver_method *method, thud_index dimension) {
  thud_contact_problem huge = {.form = THUD_FORM_TWO_BLOCK, .dimension = dimension, .contacts = 1 << 24};
  return !thud_solver_method_takes(method, &huge);
}

/* Methods with a limit factorise: their piles are smaller. */
static void answers_do_not_depend_on_the_number_of_threads(void **state) {
  (void)state;
  for (size_t m = 0; m < thud_solver_method_count(); m++)
    for (thud_index dimension = thud_test_share(3); dimension <= 6; dimension += thud_test_share(3)) {
      thud_index edge = has_limit(thud_solver_method_at(m), dimension) ? 5 : thud_test_share(2) == 1 ? 12 : 8;
      answer first = {0};
      if (dimension == 2) continue; /* piles are in space */
      for (int threads = 1; threads <= 3; threads += thud_test_share(2)) {
        thud_context *context = thud_test_context(threads);
        thud_random random = thud_random_seed(21);
        thud_test_pile pile = {.nx = edge,
                               .ny = edge,
                               .nz = edge,
                               .dimension = dimension,
                               .mu = 0.3,
                               .mu_rolling = 0.01,
                               .mass_ratio = 1,
                               .noise = 0.05,
                               .mu_spinning = 0.02};
        thud_test_problem made;
        assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
        thud_solver_options options = options_of(1e-12);
        options.max_iterations = THUD_UNDER_SANITIZER ? 5 : 12;
        options.check_every = 5;
        if (thud_solver_method_takes(thud_solver_method_at(m), made.problem)) {
          thud_solver *solver = make_solver(context, thud_solver_method_at(m), made.problem, &options);
          answer a = answer_make(made.problem);
          solve_into(solver, &a);
          if (threads == 1) {
            first = a;
          } else {
            assert_same_bits(&first, &a);
            answer_free(&a);
          }
          thud_solver_destroy(solver);
        }
        thud_test_problem_destroy(&made);
        thud_test_context_end(context);
      }
      answer_free(&first);
    }
}

static void check_update(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                         const char *name) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) { /* other numbers of the same kind */
    if (strcmp(kinds[k].name, name) != 0) continue;
    thud_random random = thud_random_seed(99);
    thud_test_problem other;
    assert_int_equal(
        kinds[k].build(context, &random, thud_test_dimension_of(made->problem), made->problem->contacts, &other),
        THUD_OK);
    if (thud_contact_ndof(other.problem) == thud_contact_ndof(made->problem) &&
        thud_solver_method_takes(method, other.problem)) {
      thud_solver_options options = options_of(TOLERANCE);
      options.max_iterations = 60;
      thud_solver *used = make_solver(context, method, other.problem, &options);
      thud_solver *fresh = make_solver(context, method, made->problem, &options);
      answer a = answer_make(other.problem), b = answer_make(made->problem), c = answer_make(made->problem);
      solve_into(used, &a);
      assert_int_equal(thud_solver_update(used, made->problem), THUD_OK);
      solve_into(used, &b);
      solve_into(fresh, &c);
      assert_same_bits(&b, &c);
      answer_free(&a);
      answer_free(&b);
      answer_free(&c);
      thud_solver_destroy(used);
      thud_solver_destroy(fresh);
    }
    thud_test_problem_destroy(&other);
  }
}

static void update_gives_the_same_bits_as_a_new_solver(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 7, 22, check_update);
  thud_test_context_end(context);
}

/* ---- numbers of contacts that change ---------------------------------------------------------------------------- */

static const problem_kind *kind_of(const char *name) {
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++)
    if (strcmp(kinds[k].name, name) == 0) return &kinds[k];
  fail_msg("no kind '%s'", name);
  return NULL;
}

static thud_test_problem build_kind(thud_context *context, const char *name, thud_index dimension, thud_index contacts,
                                    uint64_t seed) {
  thud_random random = thud_random_seed(seed);
  thud_test_problem made;
  assert_int_equal(kind_of(name)->build(context, &random, dimension, contacts, &made), THUD_OK);
  return made;
}

/* One update of the used solver, without allocations where it has been before, and a solve; a new solver says the same. */
static void check_changed_count(thud_context *context, thud_solver *used, const thud_solver_method *method,
                                const thud_contact_problem *problem, bool again, const char *name) {
  thud_solver_options options = options_of(TOLERANCE);
  options.max_iterations = 30;
  answer a = answer_make(problem), b = answer_make(problem);
  uint64_t before = thud_context_allocation_count(context);
  assert_int_equal(thud_solver_update(used, problem), THUD_OK);
  if (again && thud_context_allocation_count(context) != before)
    fail_msg("%s on %s (%s) allocates in an update with %d contacts", thud_solver_method_name(method), name,
             thud_contact_kind_name(problem), (int)problem->contacts);
  thud_solver *fresh = make_solver(context, method, problem, &options);
  solve_into(used, &a);
  solve_into(fresh, &b);
  assert_same_bits(&a, &b);
  answer_free(&a);
  answer_free(&b);
  thud_solver_destroy(fresh);
}

/* Grows beyond the first problem, shrinks to one contact and grows again, three times. Blocks of memory change their users
 * between updates, so that the second round may still need some. */
static void check_counts(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                         const char *name) {
  static const thud_index counts[] = {12, 3, 9, 1, 11, 5, 12, 7};
  thud_solver_options options = options_of(TOLERANCE);
  options.max_iterations = 30;
  if (thud_test_dimension_of(made->problem) % thud_test_share(2) != 0) return;
  thud_solver *used = make_solver(context, method, made->problem, &options);
  for (int round = 0; round < 3; round++)
    for (size_t k = 0; k < sizeof counts / sizeof *counts; k += (size_t)thud_test_share(3)) {
      thud_test_problem next = build_kind(context, name, thud_test_dimension_of(made->problem), counts[k], 500 + k);
      if (thud_solver_method_takes(method, next.problem))
        check_changed_count(context, used, method, next.problem, round == 2, name);
      assert_int_equal(thud_solver_update(used, made->problem), THUD_OK); /* next goes */
      thud_test_problem_destroy(&next);
    }
  thud_solver_destroy(used);
}

static void updates_take_any_number_of_contacts(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 7, 23, check_counts);
  thud_test_context_end(context);
}

/* ---- memory -------------------------------------------------------------------------------------------------------
 */

static void check_no_allocation(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                                const char *name) {
  thud_solver_options options = options_of(1e-10);
  options.max_iterations = 50;
  thud_solver *solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem);
  if (strcmp(thud_solver_method_name(method), "auto") == 0) { /* makes methods when it first needs them */
    solve_into(solver, &a);
    memset(a.r, 0, a.size * sizeof(double));
    memset(a.l, 0, a.rows * sizeof(double));
  }
  uint64_t before = thud_context_allocation_count(context);
  solve_into(solver, &a);
  if (thud_context_allocation_count(context) != before)
    fail_msg("%s on %s allocates while solving", thud_solver_method_name(method), name);
  answer_free(&a);
  thud_solver_destroy(solver);
}

static void solving_allocates_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 6, 31, check_no_allocation);
  thud_test_context_end(context);
}

typedef struct sweep_case {
  const thud_solver_method *method;
  const thud_contact_problem *problem;
} sweep_case;

static thud_error run_life(thud_context *context, void *user) {
  const sweep_case *c = user;
  thud_solver *solver = NULL;
  thud_error error = thud_solver_create(context, c->method, c->problem, NULL, &solver);
  if (error != THUD_OK) {
    assert_null(solver);
    return error;
  }
  answer a = answer_make(c->problem);
  error = thud_solver_update(solver, c->problem);
  if (error == THUD_OK) {
    error = thud_solver_solve(solver, a.r, a.u, a.v, a.l, &a.info);
  } else { /* the solver refuses to work then; the sweep looks at the message of the update */
    char said[400];
    snprintf(said, sizeof said, "%s", thud_context_last_message(context));
    assert_int_equal(thud_solver_solve(solver, a.r, a.u, a.v, a.l, &a.info), THUD_ERROR_ARGUMENT);
    thud_fail(context, error, "%s", said);
  }
  answer_free(&a);
  thud_solver_destroy(solver);
  return error;
}

static void check_failing_allocations(thud_context *context, const thud_solver_method *method,
                                      const thud_test_problem *made, const char *name) {
  (void)context;
  (void)name;
  sweep_case c = {method, made->problem};
  thud_test_sweep_allocations(run_life, &c);
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 2, 32, check_failing_allocations);
  thud_test_context_end(context);
}

/* ---- bad input and limits
 * -------------------------------------------------------------------------------------------- */

static void check_not_finite(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                             const char *name) {
  (void)name;
  thud_solver_options options = options_of(TOLERANCE);
  options.max_iterations = 20;
  thud_contact_problem bad = *made->problem;
  size_t size = thud_contact_size(&bad);
  double *numbers = thud_test_doubles(size + thud_contact_ndof(&bad));
  numbers[0] = NAN;
  if (bad.form == THUD_FORM_LOCAL)
    bad.q = numbers;
  else if (bad.form == THUD_FORM_GLOBAL)
    bad.w = numbers;
  else
    bad.two_block.free_velocity = numbers;
  thud_solver *solver = NULL;
  assert_int_equal(thud_solver_create(context, method, &bad, &options, &solver), THUD_ERROR_NOT_FINITE);
  assert_null(solver);

  solver = make_solver(context, method, made->problem, &options);
  answer a = answer_make(made->problem), b = answer_make(made->problem);
  solve_into(solver, &a);
  assert_int_equal(thud_solver_update(solver, &bad), THUD_ERROR_NOT_FINITE); /* the old numbers stay */
  solve_into(solver, &b);
  assert_same_bits(&a, &b);
  b.r[size - 1] = INFINITY;
  b.r[0] = 7;
  b.info.iterations = 123;
  assert_int_equal(thud_solver_solve(solver, b.r, b.u, b.v, b.l, &b.info), THUD_ERROR_NOT_FINITE);
  assert_true((size == 1 || b.r[0] == 7));
  thud_assert_equal(b.info.iterations, 123);
  thud_test_message_has(context, "warm start", NULL);
  free(numbers);
  answer_free(&a);
  answer_free(&b);
  thud_solver_destroy(solver);
}

static void numbers_that_are_not_finite_are_refused_and_change_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 3, 41, check_not_finite);
  thud_test_context_end(context);
}

static void check_other_shape(thud_context *context, const thud_solver_method *method, const thud_test_problem *made,
                              const char *name) {
  (void)name;
  thud_random random = thud_random_seed(8);
  thud_test_problem other;
  thud_index dimension = made->problem->dimension == 1 ? 2 : 1;
  assert_int_equal(build_dense(context, &random, dimension, made->problem->contacts, &other), THUD_OK);
  thud_solver *solver = make_solver(context, method, made->problem, NULL);
  assert_int_equal(thud_solver_update(solver, other.problem), THUD_ERROR_DIMENSION);
  thud_test_message_has(context, "another kind", "create a new one", NULL);
  thud_solver_destroy(solver);
  thud_test_problem_destroy(&other);
}

static void update_with_another_kind_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for_each_case(context, 2, 42, check_other_shape);
  thud_test_context_end(context);
}

/* A stack that needs many iterations, and next to no time: methods that iterate say so, finite ones may finish. */
static void time_limit_is_named_in_the_status(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(43);
  thud_test_pile pile = {.nx = 1, .ny = 1, .nz = 12, .dimension = 3, .mu = 0.5, .mass_ratio = 10, .noise = 0.1};
  thud_test_problem made;
  assert_int_equal(thud_test_stack_of_boxes(context, &random, &pile, &made), THUD_OK);
  for (size_t m = 0; m < thud_solver_method_count(); m++) {
    const thud_solver_method *method = thud_solver_method_at(m);
    if (!thud_solver_method_takes(method, made.problem)) continue;
    thud_solver_options options = options_of(1e-13);
    options.max_seconds = 1e-9;
    options.max_iterations = 1000000;
    thud_solver *solver = make_solver(context, method, made.problem, &options);
    answer a = answer_make(made.problem);
    double start = residual_of(context, made.problem, a.r, a.l);
    solve_into(solver, &a);
    assert_true(a.info.status == THUD_SOLVER_TIME || a.info.status == THUD_SOLVED);
    thud_assert_at_most(a.info.residual.residual, start);
    answer_free(&a);
    thud_solver_destroy(solver);
  }
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(registry_lists_every_method_once),
      cmocka_unit_test(wrong_options_are_refused),
      cmocka_unit_test(problems_that_a_method_does_not_take_are_refused),
      cmocka_unit_test(status_solved_means_that_the_residual_is_below_the_tolerance),
      cmocka_unit_test(answer_is_the_best_iterate_tested_and_never_worse_than_the_warm_start),
      cmocka_unit_test(warm_start_at_a_solution_is_returned_after_one_test),
      cmocka_unit_test(no_iterations_allowed_gives_the_warm_start_back),
      cmocka_unit_test(no_contacts_are_solved_at_once),
      cmocka_unit_test(single_contacts_are_solved),
      cmocka_unit_test(answers_do_not_depend_on_the_number_of_threads),
      cmocka_unit_test(update_gives_the_same_bits_as_a_new_solver),
      cmocka_unit_test(updates_take_any_number_of_contacts),
      cmocka_unit_test(solving_allocates_nothing),
      cmocka_unit_test(every_failing_allocation_is_survived),
      cmocka_unit_test(numbers_that_are_not_finite_are_refused_and_change_nothing),
      cmocka_unit_test(update_with_another_kind_is_refused),
      cmocka_unit_test(time_limit_is_named_in_the_status),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
