/* Solvers for problems whose contacts come and go: memory that they keep, impulses carried by ids. */
#include "failing_allocator.h"
#include "random_matrices.h"
#include "random_problems.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static thud_test_problem make_pile(thud_context *context, thud_index side, uint64_t seed) {
  thud_random random = thud_random_seed(seed);
  thud_test_pile pile = {.nx = side, .ny = side, .nz = side, .dimension = 3, .mu = 0.3, .mass_ratio = 1, .noise = 0.05};
  thud_test_problem made;
  assert_int_equal(thud_test_pile_of_spheres(context, &random, &pile, &made), THUD_OK);
  return made;
}

/* The contacts chosen[count] of a two-block problem, in that order; arrays of its own. */
typedef struct chosen_problem {
  thud_contact_problem problem;
  uint64_t *ids; /* [count] made from the numbers in the whole problem */
  void *memory[7];
} chosen_problem;

static uint64_t id_of(size_t contact) { return (uint64_t)contact * UINT64_C(0x9E3779B97F4A7C15) + 17; }

static void *copy_chosen(const void *from, size_t bytes, size_t count, const size_t *chosen) {
  char *made = malloc(count * bytes + 1);
  assert_non_null(made);
  for (size_t k = 0; k < count; k++) memcpy(made + k * bytes, (const char *)from + chosen[k] * bytes, bytes);
  return made;
}

static chosen_problem choose(const thud_contact_problem *whole, size_t count, const size_t *chosen) {
  const thud_two_block *two = &whole->two_block;
  chosen_problem made = {.problem = *whole};
  size_t jacobian = (size_t)whole->dimension * (size_t)two->block * sizeof(double);
  made.problem.contacts = (thud_index)count;
  size_t width = (size_t)whole->dimension * sizeof(double);
  made.problem.two_block.w = made.memory[6] = copy_chosen(two->w, width, count, chosen);
  made.problem.mu = made.memory[0] = copy_chosen(whole->mu, sizeof(double), count, chosen);
  made.problem.two_block.body_a = made.memory[1] = copy_chosen(two->body_a, sizeof(thud_index), count, chosen);
  made.problem.two_block.body_b = made.memory[2] = copy_chosen(two->body_b, sizeof(thud_index), count, chosen);
  made.problem.two_block.jacobian_a = made.memory[3] = copy_chosen(two->jacobian_a, jacobian, count, chosen);
  made.problem.two_block.jacobian_b = made.memory[4] = copy_chosen(two->jacobian_b, jacobian, count, chosen);
  made.memory[5] = made.ids = calloc(count + 1, sizeof *made.ids);
  assert_non_null(made.ids);
  for (size_t k = 0; k < count; k++) made.ids[k] = id_of(chosen[k]);
  return made;
}

static void chosen_free(chosen_problem *made) {
  for (size_t k = 0; k < 7; k++) free(made->memory[k]);
}

static thud_solver *make_solver(thud_context *context, const char *method, const thud_contact_problem *problem,
                                double tolerance) {
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  thud_solver *solver = NULL;
  assert_int_equal(thud_solver_create(context, thud_solver_method_find(method), problem, &options, &solver), THUD_OK);
  return solver;
}

/* The numbers below `all` in random order. */
static size_t *shuffle(thud_random *random, size_t all) {
  size_t *order = calloc(all + 1, sizeof *order);
  assert_non_null(order);
  for (size_t k = 0; k < all; k++) order[k] = k;
  for (size_t k = all; k > 1; k--) {
    size_t other = thud_random_below(random, (uint32_t)k);
    size_t kept = order[k - 1];
    order[k - 1] = order[other];
    order[other] = kept;
  }
  return order;
}

/* ---- room ------------------------------------------------------------------------------------------------- */

/* Counts between 0 and all contacts of a pile, up and down, twice: the second time no allocation in update and solve;
 * always the bits of a new solver. */
static void check_pile(const char *method, bool start_empty) {
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make_pile(context, 5, 3);
  size_t all = (size_t)made.problem->contacts;
  const size_t counts[] = {all, all / 2, 1, all - 1, 70, all / 3, 0, all};
  thud_contact_problem first = *made.problem;
  first.contacts = start_empty ? 0 : 40;
  thud_solver *solver = make_solver(context, method, &first, 1e-4);
  double *r = thud_test_doubles(3 * all), *s = thud_test_doubles(3 * all);
  enum { COUNTS = sizeof counts / sizeof *counts };
  for (size_t k = 0; k < 2 * COUNTS; k++) {
    thud_contact_problem part = *made.problem;
    thud_solver_info info, fresh_info;
    part.contacts = (thud_index)counts[k % COUNTS];
    memset(r, 0, 3 * all * sizeof *r);
    memset(s, 0, 3 * all * sizeof *s);
    uint64_t before = thud_context_allocation_count(context);
    assert_int_equal(thud_solver_update(solver, &part), THUD_OK);
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
    if (k >= COUNTS) assert_int_equal(thud_context_allocation_count(context), before);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_solver *fresh = make_solver(context, method, &part, 1e-4);
    assert_int_equal(thud_solver_solve(fresh, s, NULL, NULL, NULL, &fresh_info), THUD_OK);
    assert_int_equal(info.iterations, fresh_info.iterations);
    assert_memory_equal(r, s, 3 * all * sizeof *r);
    thud_solver_destroy(fresh);
  }
  free(r);
  free(s);
  thud_solver_destroy(solver);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void piles_need_no_allocation_where_they_have_been(void **state) {
  (void)state;
  static const char *const methods[] = {"auto", "gauss-seidel"};
  for (size_t m = 0; m < 2; m++)
    for (int empty = 0; empty < 2; empty++) check_pile(methods[m], empty != 0);
}

/* Growth by one contact at a time allocates a number of times that grows like the logarithm of the count. */
static void growth_without_room_is_amortised(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make_pile(context, 6, 4);
  thud_contact_problem part = *made.problem;
  part.contacts = 1;
  thud_solver *solver = make_solver(context, "gauss-seidel", &part, 1e-4);
  uint64_t before = thud_context_allocation_count(context);
  for (; part.contacts < made.problem->contacts; part.contacts++)
    assert_int_equal(thud_solver_update(solver, &part), THUD_OK);
  uint64_t made_blocks = thud_context_allocation_count(context) - before;
  double doublings = log2((double)made.problem->contacts);
  thud_assert_at_most((double)made_blocks, 40 * doublings);
  thud_assert_less(made_blocks, (uint64_t)made.problem->contacts);
  thud_solver_destroy(solver);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- ids ------------------------------------------------------------------------------------------------------- */

/* Solves the first `some` contacts of a shuffled pile, then a problem of other contacts in another order. */
static void impulses_follow_their_ids(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(6);
  thud_test_problem made = make_pile(context, 4, 6);
  size_t all = (size_t)made.problem->contacts, some = 2 * all / 3;
  double *known = thud_test_doubles(3 * all), *r = thud_test_doubles(3 * all);
  thud_solver *solver = make_solver(context, "gauss-seidel", made.problem, 1e-6);
  bool *had = calloc(all, sizeof *had);
  assert_non_null(had);
  for (int step = 0; step < 20; step++) { /* `known`: impulses by the numbers in the whole pile */
    size_t *order = shuffle(&random, all), count = step % 7 == 6 ? 0 : some + (size_t)step;
    chosen_problem part = choose(made.problem, count, order);
    assert_int_equal(thud_solver_update_by_ids(solver, &part.problem, part.ids, r), THUD_OK);
    for (size_t k = 0; k < count; k++)
      for (size_t i = 0; i < 3; i++)
        thud_assert_equal(r[3 * k + i], (had[order[k]] ? known[3 * order[k] + i] : 0)); /* exactly */
    assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, NULL), THUD_OK);
    memset(had, 0, all * sizeof *had);
    for (size_t k = 0; k < count; k++) {
      had[order[k]] = true;
      memcpy(known + 3 * order[k], r + 3 * k, 3 * sizeof *r);
    }
    chosen_free(&part);
    free(order);
  }
  free(known);
  free(r);
  free(had);
  thud_solver_destroy(solver);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* Iterations of a step with other free velocities from the carried impulses of the step before, contacts in the order
 * of
 * `order`; projected gradients do not depend on it but for rounding. */
static int iterations_after(thud_context *context, const thud_test_problem *made, const size_t *order, bool warm) {
  size_t all = (size_t)made->problem->contacts, n = thud_contact_ndof(made->problem);
  size_t *natural = calloc(all, sizeof *natural);
  double *r = thud_test_doubles(3 * all), *other = thud_test_doubles(n);
  assert_non_null(natural);
  for (size_t k = 0; k < all; k++) natural[k] = k;
  for (size_t i = 0; i < n; i++) other[i] = 1.01 * made->problem->two_block.free_velocity[i];
  chosen_problem first = choose(made->problem, all, natural), second = choose(made->problem, all, order);
  second.problem.two_block.free_velocity = other;
  thud_solver *solver = make_solver(context, "projected-gradient", &first.problem, 1e-5);
  thud_solver_info info;
  assert_int_equal(thud_solver_update_by_ids(solver, &first.problem, first.ids, r), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVED);
  assert_int_equal(thud_solver_update_by_ids(solver, &second.problem, second.ids, r), THUD_OK);
  if (!warm) memset(r, 0, 3 * all * sizeof *r);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, &info), THUD_OK);
  assert_int_equal(info.status, THUD_SOLVED);
  thud_solver_destroy(solver);
  chosen_free(&first);
  chosen_free(&second);
  free(natural);
  free(r);
  free(other);
  return info.iterations;
}

static void permuted_contacts_need_no_more_iterations(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(7);
  thud_test_problem made = make_pile(context, 3, 8);
  size_t all = (size_t)made.problem->contacts, *order = shuffle(&random, all), *natural = calloc(all, sizeof *natural);
  assert_non_null(natural);
  for (size_t k = 0; k < all; k++) natural[k] = k;
  int by_order = iterations_after(context, &made, natural, true);
  int by_ids = iterations_after(context, &made, order, true);
  int cold = iterations_after(context, &made, natural, false);
  thud_assert_at_most(by_ids, by_order + 10); /* a test of the residual is made every 10 */
  thud_assert_less(by_ids, cold);
  free(order);
  free(natural);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

static void an_id_that_two_contacts_have_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make_pile(context, 2, 9);
  size_t all = (size_t)made.problem->contacts;
  uint64_t *ids = calloc(all, sizeof *ids);
  double *r = thud_test_doubles(3 * all), *again = thud_test_doubles(3 * all);
  assert_non_null(ids);
  for (size_t k = 0; k < all; k++) ids[k] = id_of(k);
  thud_solver *solver = make_solver(context, "gauss-seidel", made.problem, 1e-8);
  assert_int_equal(thud_solver_update_by_ids(solver, made.problem, ids, r), THUD_OK);
  assert_int_equal(thud_solver_solve(solver, r, NULL, NULL, NULL, NULL), THUD_OK);
  ids[7] = ids[2];
  assert_int_equal(thud_solver_update_by_ids(solver, made.problem, ids, again), THUD_ERROR_ARGUMENT);
  thud_test_message_has(
      context, "contacts 2 and 7 have the same id 4354685564936845371: every contact needs an id of its own", NULL);
  ids[7] = id_of(7);
  assert_int_equal(thud_solver_update_by_ids(solver, made.problem, ids, again), THUD_OK); /* nothing was lost */
  assert_memory_equal(r, again, 3 * all * sizeof *r);
  assert_int_equal(thud_solver_update(solver, made.problem), THUD_OK); /* without ids: forgotten */
  assert_int_equal(thud_solver_update_by_ids(solver, made.problem, ids, again), THUD_OK);
  for (size_t i = 0; i < 3 * all; i++) thud_assert_equal(again[i], 0);
  free(ids);
  free(r);
  free(again);
  thud_solver_destroy(solver);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

/* ---- failing allocations ---------------------------------------------------------------------------------------- */

static thud_error run_life(thud_context *context, void *user) {
  const thud_contact_problem *whole = user;
  thud_contact_problem part = *whole;
  thud_solver *solver = NULL;
  uint64_t ids[64];
  double r[3 * 64] = {0};
  for (size_t k = 0; k < 64; k++) ids[k] = id_of(k);
  part.contacts = 2;
  thud_error error = thud_solver_create(context, thud_solver_method_find("gauss-seidel"), &part, NULL, &solver);
  if (error != THUD_OK) {
    assert_null(solver);
    return error;
  }
  error = thud_solver_update_by_ids(solver, whole, ids, r);
  if (error == THUD_OK) error = thud_solver_solve(solver, r, NULL, NULL, NULL, NULL);
  thud_solver_destroy(solver);
  return error;
}

static void failing_allocations_are_survived(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_test_problem made = make_pile(context, 2, 10);
  thud_assert_at_most(made.problem->contacts, 64);
  thud_test_sweep_allocations(run_life, (void *)made.problem);
  thud_test_problem_destroy(&made);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(piles_need_no_allocation_where_they_have_been),
      cmocka_unit_test(growth_without_room_is_amortised),
      cmocka_unit_test(impulses_follow_their_ids),
      cmocka_unit_test(permuted_contacts_need_no_more_iterations),
      cmocka_unit_test(an_id_that_two_contacts_have_is_refused),
      cmocka_unit_test(failing_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
