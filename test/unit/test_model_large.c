/* Systems of many coordinates: what setting them up and looking at them costs, in counts of work, and what the sparse
 * diagnosis finds where the answer is known. A column of m balls of mass 1 on a floor, gap_i = x_i - x_(i-1) - 1. */
#include "failing_allocator.h"
#include "bench.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4200, MANY = 800, NAME = 16, TEXT = 64 };

typedef struct column {
  size_t n, m;
  char names[MOST][NAME], gaps[MOST + 1][TEXT], labels[MOST + 1][NAME];
  const char *coordinates[MOST];
  thud_expr_constraint_def constraints[MOST + 1];
  char energy[MOST * 24];
  double q[MOST], v[MOST];
  thud_expr_system_def def;
} column;

/* repeat > 0: an equation at the end that says of ball number `repeat` what its gap says already. */
static column *make_column(size_t n, int repeat) {
  column *made = calloc(1, sizeof *made);
  assert_non_null(made);
  made->n = made->m = n;
  for (size_t i = 0, used = 0; i < n; i++) {
    snprintf(made->names[i], NAME, "x%zu", i);
    snprintf(made->labels[i], NAME, "gap%zu", i);
    if (i == 0)
      snprintf(made->gaps[i], TEXT, "x0 - 1");
    else
      snprintf(made->gaps[i], TEXT, "x%zu - x%zu - 1", i, i - 1);
    used += (size_t)snprintf(made->energy + used, sizeof made->energy - used, "%s0.5*x%zu'^2", i > 0 ? "+" : "", i);
    made->coordinates[i] = made->names[i];
    made->q[i] = (double)i + 1;
  }
  if (repeat > 0) {
    snprintf(made->labels[n], NAME, "again");
    snprintf(made->gaps[n], TEXT, "3*(x%d - x%d - 1)", repeat, repeat - 1);
    made->m++;
  }
  for (size_t i = 0; i < made->m; i++)
    made->constraints[i] = (thud_expr_constraint_def){
        made->labels[i], i < n ? THUD_CONSTRAINT_UNILATERAL : THUD_CONSTRAINT_BILATERAL, made->gaps[i], false, NULL};
  made->def = (thud_expr_system_def){.n = (thud_index)n,
                                     .coordinates = made->coordinates,
                                     .kinetic_energy = made->energy,
                                     .m = (thud_index)made->m,
                                     .constraints = made->constraints};
  return made;
}

/* The Gram matrix has 1 in its diagonal, -1/sqrt(2) beside the first and -1/2 beside the other entries: a Jacobi matrix
 * of Chebyshev polynomials, whose eigenvalues are 1 - cos((2k-1) pi/(2m)). Its condition is cot(pi/(4m))^2. */
static void column_has_the_condition_of_its_closed_form(void **state) {
  thud_test_bench *bench = *state;
  for (size_t m = 130; m <= 390; m += 130) {
    column *balls = make_column(m, 0);
    thud_system_diagnosis found = {0};
    thud_test_bench_clear(bench);
    thud_test_bench_make(bench, &balls->def);
    assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
    double exact = pow(tan(acos(-1) / (4 * (double)m)), -2);
    assert_int_equal(found.active_count, m);
    assert_int_equal(found.rank, m);
    assert_true(found.qualified && found.condition_is_bound && !found.mass_condition_is_bound);
    thud_assert_at_most(found.condition, exact * (1 + 1e-9));
    thud_assert_at_least(found.condition, exact * 0.99);
    assert_near(found.mass_condition, 1, 0);
    assert_near(found.worst_cosine, sqrt(0.5), 1e-15);
    assert_int_equal(found.cosine_first, 0);
    assert_int_equal(found.cosine_second, 1);
    free(balls);
  }
}

/* Up to 128 everything is exact. */
static void small_columns_are_diagnosed_exactly(void **state) {
  thud_test_bench *bench = *state;
  column *balls = make_column(128, 0);
  thud_system_diagnosis found = {0};
  thud_test_bench_make(bench, &balls->def);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
  double exact = pow(tan(acos(-1) / (4 * 128.)), -2);
  assert_false(found.condition_is_bound || found.mass_condition_is_bound);
  assert_near(found.condition / exact, 1, 1e-9);
  free(balls);
}

/* Dependent gradients are left to the dense diagnosis, which names them. */
static void dependent_gradients_of_large_systems_are_found(void **state) {
  thud_test_bench *bench = *state;
  column *balls = make_column(140, 77);
  thud_index dependent[MOST + 1];
  thud_system_diagnosis found = {.dependent = dependent};
  thud_test_bench_make(bench, &balls->def);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
  assert_int_equal(found.active_count, 141);
  assert_int_equal(found.rank, 140);
  assert_true(isinf(found.condition));
  assert_false(found.qualified);
  assert_int_equal(found.dependent_count, 2);
  assert_int_equal(dependent[0], 77);
  assert_int_equal(dependent[1], 140);
  free(balls);
}

/* Beyond 512 no full matrices: whether some velocity opens all gaps is known, the rank is not. An equation that keeps a
 * gap closed lets none open it; the same gap written twice as a unilateral one lets both open. */
static void dependent_gradients_of_larger_systems_are_not_compared(void **state) {
  thud_test_bench *bench = *state;
  for (int unilateral = 0; unilateral < 2; unilateral++) {
    column *balls = make_column(513, 77);
    thud_index dependent[MOST + 1];
    thud_system_diagnosis found = {.dependent = dependent};
    if (unilateral) balls->constraints[513].kind = THUD_CONSTRAINT_UNILATERAL;
    thud_test_bench_clear(bench);
    thud_test_bench_make(bench, &balls->def);
    assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
    assert_non_null(found.not_computed);
    assert_int_equal(found.active_count, 514);
    assert_int_equal(found.rank, -1);
    assert_true(isnan(found.condition));
    assert_int_equal(found.dependent_count, 0);
    assert_int_equal(found.qualified, unilateral);
    free(balls);
  }
}

/* One more dependent pair at exactly 512 coordinates and fewer constraints is compared. */
static void dependent_gradients_at_the_limit_are_compared(void **state) {
  thud_test_bench *bench = *state;
  column *balls = make_column(512, 0);
  thud_system_diagnosis found = {0};
  for (size_t i = 1; i < 512; i++) balls->q[i] += 1; /* open: the floor alone acts */
  snprintf(balls->gaps[511], TEXT, "2*(x0 - 1)");
  thud_test_bench_make(bench, &balls->def);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
  assert_null(found.not_computed);
  /* the gaps of balls 2 and up are still closed */
  assert_int_equal(found.active_count, 511);
  assert_int_equal(found.rank, 510);
  assert_true(found.qualified);
  free(balls);
}

/* The texts of a chain of N masses whose kinetic energy has M = tridiagonal (-1, 4, -1). The caller frees it. */
static char *coupled_energy(const column *balls) {
  size_t room = sizeof balls->energy * 3, used = 0;
  char *energy = calloc(1, room);
  assert_non_null(energy);
  for (size_t i = 0; i < balls->n; i++)
    used += (size_t)snprintf(energy + used, room - used, "%s2*x%zu'^2", i > 0 ? "+" : "", i);
  for (size_t i = 1; i < balls->n; i++) used += (size_t)snprintf(energy + used, room - used, "-x%zu'*x%zu'", i, i - 1);
  return energy;
}

/* With cosh c = 2 the entries of M^-1 are sinh(i c) sinh((n+1-j) c) / (sinh c sinh((n+1) c)), i <= j from 1 on. Near
 * the first end of a long chain the kinetic cosine of the gaps x_i and x_j is
 * (M^-1)_ij / sqrt((M^-1)_ii (M^-1)_jj) = sqrt((1 - e^(-2ic)) / (1 - e^(-2jc))) e^(-(j-i)c); here i = 2, j = 4. */
static void cosines_of_coupled_masses_have_their_closed_form(void **state) {
  enum { N = 300 };
  thud_test_bench *bench = *state;
  column *balls = make_column(N, 0);
  char *energy = coupled_energy(balls);
  for (size_t i = 0; i < N; i++) snprintf(balls->gaps[i], TEXT, i == 1 || i == 3 ? "x%zu" : "x%zu + 1", i);
  for (size_t i = 0; i < N; i++) balls->q[i] = 0;
  balls->def.kinetic_energy = energy;
  thud_system_diagnosis found = {0};
  thud_test_bench_make(bench, &balls->def);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
  double c = acosh(2), exact = sqrt((1 - exp(-4 * c)) / (1 - exp(-8 * c))) * exp(-2 * c);
  assert_int_equal(found.active_count, 2);
  assert_int_equal(found.rank, 2);
  assert_near(found.worst_cosine, exact, 1e-14);
  assert_near(found.condition, (1 + exact) / (1 - exact), 1e-13);
  assert_false(found.condition_is_bound);
  free(energy);
  free(balls);
}

/* A chain of masses that are coupled in the kinetic energy: M = tridiagonal (-1, 4, 0), one block of n coordinates,
 * eigenvalues 4 - 2 cos(k pi/(n+1)). */
static void coupled_masses_have_a_bound_of_their_condition(void **state) {
  enum { N = 200 };
  thud_test_bench *bench = *state;
  column *balls = make_column(N, 0);
  char *energy = coupled_energy(balls);
  for (size_t i = 0; i < N; i++) balls->constraints[i].source = "1";
  balls->def.kinetic_energy = energy;
  thud_system_diagnosis found = {0};
  thud_test_bench_make(bench, &balls->def);
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
  double edge = 2 * cos(acos(-1) / (N + 1)), exact = (4 + edge) / (4 - edge);
  assert_int_equal(found.active_count, 0);
  assert_true(found.mass_condition_is_bound);
  thud_assert_at_most(found.mass_condition, exact * (1 + 1e-12));
  thud_assert_at_least(found.mass_condition, exact * 0.99);
  free(energy);
  free(balls);
}

/* Twice the coordinates, twice the allocations and twice the operations: nothing is made for pairs that do not occur.
 * */
static void cost_of_creation_is_linear(void **state) {
  thud_test_bench *bench = *state;
  size_t allocations[2];
  for (int k = 0; k < 2; k++) {
    column *balls = make_column(k == 0 ? 200 : 400, 0);
    thud_test_bench_clear(bench);
    size_t before = thud_context_allocation_count(bench->context);
    assert_int_equal(
        thud_system_create_expressions(bench->context, bench->scope, &balls->def, &bench->place, &bench->system),
        THUD_OK);
    allocations[k] = thud_context_allocation_count(bench->context) - before;
    free(balls);
  }
  thud_assert_less((double)allocations[1], 2.2 * (double)allocations[0]);
}

/* The number of a new value is the number of values of the graph: of the gradient of T and all of its second
 * derivatives there are a few per coordinate. */
static void second_derivatives_make_no_values_for_pairs_that_do_not_occur(void **state) {
  thud_test_bench *bench = *state;
  column *balls = make_column(MANY, 0);
  thud_expr_graph *graph = NULL;
  thud_expr_value energy, end, *partials = calloc(MANY, sizeof *partials), row[MANY];
  thud_index *slots = calloc(MANY, sizeof *slots), of_row[MANY], count = 0, one;
  bool *by = calloc(MANY, sizeof *by);
  assert_non_null(partials);
  assert_non_null(slots);
  assert_non_null(by);
  for (size_t i = 0; i < MANY; i++) {
    char velocity[NAME + 1];
    snprintf(velocity, sizeof velocity, "%s'", balls->names[i]);
    assert_int_equal(thud_expr_scope_add_variable(bench->scope, velocity, NULL), THUD_OK);
    by[i] = true;
  }
  assert_int_equal(thud_expr_graph_create(bench->context, bench->scope, &graph), THUD_OK);
  assert_int_equal(thud_expr_graph_add(graph, balls->energy, NULL, &energy), THUD_OK);
  assert_int_equal(thud_expr_graph_add_partials(graph, energy, by, &count, slots, partials), THUD_OK);
  assert_int_equal(count, MANY);
  for (size_t i = 0; i < MANY; i++) {
    double second = 0;
    assert_int_equal(thud_expr_graph_add_partials(graph, partials[i], by, &one, of_row, row), THUD_OK);
    thud_assert_equal(one, 1);
    thud_assert_equal(of_row[0], slots[i]);
    assert_true(thud_expr_graph_is_constant(graph, row[0], &second));
    thud_assert_equal(second, 1);
  }
  assert_int_equal(thud_expr_graph_add_constant(graph, 4711, &end), THUD_OK);
  assert_in_range(end, MANY, 10 * MANY);
  thud_expr_graph_destroy(graph);
  free(partials);
  free(slots);
  free(by);
  free(balls);
}

/* Full matrices end at 4096 coordinates, patterns do not. */
static void systems_with_patterns_have_no_limit_of_full_matrices(void **state) {
  thud_test_bench *bench = *state;
  column *balls = make_column(4097, 0);
  thud_system_values *values = NULL;
  thud_system_diagnosis found = {0};
  assert_int_equal(
      thud_system_create_expressions(bench->context, bench->scope, &balls->def, &bench->place, &bench->system),
      THUD_OK);
  assert_true(thud_system_has_patterns(bench->system));
  assert_int_equal(thud_system_diagnose(bench->context, bench->system, 0, balls->q, balls->v, 1e-9, &found), THUD_OK);
  assert_int_equal(found.rank, 4097);
  assert_int_equal(thud_system_values_create(bench->context, bench->system, &values), THUD_ERROR_UNSUPPORTED);
  assert_non_null(strstr(thud_context_last_message(bench->context), "at most 4096"));
  assert_int_equal(thud_system_values_create_sparse(bench->context, bench->system, false, &values), THUD_OK);
  assert_int_equal(thud_system_evaluate(bench->system, 0, balls->q, balls->v, THUD_AT_EVERYTHING, values), THUD_OK);
  thud_system_values_destroy(bench->context, values);
  free(balls);
}

/* Neither a matrix of texts nor a mass without one of its diagonal entries has a pattern. */
static void full_matrices_of_larger_systems_are_refused(void **state) {
  thud_test_bench *bench = *state;
  column *balls = make_column(4097, 0);
  balls->constraints[0].source = "x1 - 1";
  balls->def.kinetic_energy = "0.5*x0'^2";
  assert_int_equal(
      thud_system_create_expressions(bench->context, bench->scope, &balls->def, &bench->place, &bench->system),
      THUD_ERROR_NOT_SPD);
  assert_non_null(strstr(thud_context_last_message(bench->context), "coordinate 'x1'"));
  const char *const none = NULL;
  balls->def.kinetic_energy = NULL;
  balls->def.mass = &none; /* not read */
  assert_int_equal(
      thud_system_create_expressions(bench->context, bench->scope, &balls->def, &bench->place, &bench->system),
      THUD_ERROR_OVERFLOW);
  assert_non_null(strstr(thud_context_last_message(bench->context), "give the kinetic energy"));
  free(balls);
}

/* A mass of 0 in the middle of a large system is found by the sparse factor, and named. */
static void masses_that_are_not_positive_are_named(void **state) {
  thud_test_bench *bench = *state;
  for (int k = 0; k < 2; k++) {
    column *balls = make_column(300, 0);
    char *at = strstr(balls->energy, "0.5*x150'^2");
    assert_non_null(at);
    memcpy(at, k == 0 ? "-.5" : "0.0", 3);
    thud_test_bench_clear(bench);
    assert_int_equal(
        thud_system_create_expressions(bench->context, bench->scope, &balls->def, &bench->place, &bench->system),
        THUD_ERROR_NOT_SPD);
    assert_non_null(strstr(thud_context_last_message(bench->context), "'x150'"));
    free(balls);
  }
}

static thud_error create_and_diagnose(thud_context *context, void *user) {
  const column *balls = user;
  thud_expr_scope *scope = NULL;
  thud_system *system = NULL;
  thud_system_diagnosis found = {0};
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &balls->def, NULL, &system);
  if (error == THUD_OK) error = thud_system_diagnose(context, system, 0, balls->q, balls->v, 1e-9, &found);
  thud_system_destroy(system);
  thud_expr_scope_destroy(scope);
  return error;
}

static void every_failing_allocation_is_survived(void **state) {
  (void)state;
  column *balls = make_column(129, 0);
  thud_assert_greater(thud_test_sweep_allocations(create_and_diagnose, balls), 500);
  free(balls);
}

/* The system is there; what fails is the diagnosis. */
static thud_error diagnose_only(thud_context *context, void *user) {
  const thud_test_bench *bench = ((void **)user)[0];
  const column *balls = ((void **)user)[1];
  thud_system_diagnosis found = {0};
  return thud_system_diagnose(context, bench->system, 0, balls->q, balls->v, 1e-9, &found);
}

static void every_failing_allocation_of_a_diagnosis_is_survived(void **state) {
  thud_test_bench *bench = *state;
  for (int k = 0; k < 3; k++) {
    column *balls = make_column(k == 0 ? 513 : k == 1 ? 130 : 300, k < 2 ? 77 : 0);
    char *energy = k == 2 ? coupled_energy(balls) : NULL;
    if (energy != NULL) balls->def.kinetic_energy = energy;
    for (size_t i = 0; i < balls->n && k == 2; i++) balls->q[i] *= i > 5 ? 2 : 1;
    thud_test_bench_clear(bench);
    thud_test_bench_make(bench, &balls->def);
    thud_assert_greater(thud_test_sweep_allocations(diagnose_only, (void *[]){bench, balls}), 20);
    free(energy);
    free(balls);
  }
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_bench_set_up, thud_test_bench_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      BENCH_TEST(column_has_the_condition_of_its_closed_form),
      BENCH_TEST(small_columns_are_diagnosed_exactly),
      BENCH_TEST(dependent_gradients_of_large_systems_are_found),
      BENCH_TEST(dependent_gradients_of_larger_systems_are_not_compared),
      BENCH_TEST(dependent_gradients_at_the_limit_are_compared),
      BENCH_TEST(cosines_of_coupled_masses_have_their_closed_form),
      BENCH_TEST(coupled_masses_have_a_bound_of_their_condition),
      BENCH_TEST(cost_of_creation_is_linear),
      BENCH_TEST(second_derivatives_make_no_values_for_pairs_that_do_not_occur),
      BENCH_TEST(systems_with_patterns_have_no_limit_of_full_matrices),
      BENCH_TEST(full_matrices_of_larger_systems_are_refused),
      BENCH_TEST(masses_that_are_not_positive_are_named),
      BENCH_TEST(every_failing_allocation_of_a_diagnosis_is_survived),
      cmocka_unit_test(every_failing_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
