/* Siconos' text: each storage by hand, the decision about the kind, bad files, and the reference problems. */
#include "thud/problem.h"

#include "failing_allocator.h"
#include "problem_compare.h"
#include "problem/file.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int set_up(void **state) {
  *state = thud_test_context(1);
  return 0;
}

static int tear_down(void **state) {
  thud_test_context_end(*state);
  return 0;
}

static thud_problem_file *read(thud_context *context, const char *text, thud_problem_kind kind) {
  thud_problem_file *file = NULL;
  if (thud_siconos_read_text(context, "a.dat", text, strlen(text), kind, &file) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  return file;
}

static double entry(const thud_matrix *A, thud_index i, thud_index j) {
  double e[16] = {0}, y[16] = {0};
  thud_assert_at_most(A->columns, 16);
  thud_assert_at_most(A->rows, 16);
  e[j] = 1;
  thud_matrix_multiply_vector(NULL, A, false, 1, e, 0, y);
  return y[i];
}

/* ---- storages ------------------------------------------------------------------------------------------------ */

static const char dense[] = "2 1\n0 2 2\n2 2\n 1 2 3 4\n 5 6\n 0.5\n 1 trailing words";
static const char blocks[] = "2\n2\n1\n4\n4\n3\n2\n2\n2 4\n2 4\n3\n3\n0 2 3\n0 1 1\n"
                             "0\n1 2 3 4\n1\n5 6 7 8\n2\n9 10 11 12\n-1 -2 -3 -4\n0.1 0.2\n";
static const char columns[] = "2 1\n2 2 2\n3 what follows is ignored\na banner\n"
                              "2-by-2, nzmax: 5 nnz: 3, 1-norm: 7\n"
                              "    col 0 : locations 0 to 1\n      0 : 1\n      1 : 2\n"
                              "    col 1 : locations 2 to 2\n      1 : 4e+00\n 5 6\n0.5\n";
static const char triplets[] = "3 1\n2\n2\n2\n1\nbanner\ntriplet: 2-by-2, nzmax: 4 nnz: 3\n"
                               "    0 0 : 2\n    1 1 : 3\n    0 0 : 1\n"
                               "0 2 3\n2 3\n1 0 0 1 0 0\n7 8\n9 10 11\n0.3\n";
static const char rolling[] = "5 1\n2 5 5 2\nbanner\n5-by-5, nzmax: 0 nnz: 0\n1 2 3 4 5\n0.6\n0.7";

static void dense_matrices_are_read_by_columns(void **state) {
  thud_problem_file *file = read(*state, dense, THUD_PROBLEM_KIND_AUTO);
  const thud_contact_problem *p = thud_problem_file_contents(file).problem;
  assert_int_equal(p->form, THUD_FORM_LOCAL);
  assert_int_equal(p->W.storage, THUD_MATRIX_DENSE);
  thud_assert_equal(entry(&p->W, 1, 0), 2);
  thud_assert_equal(entry(&p->W, 0, 1), 3);
  thud_assert_equal(p->q[1], 6);
  thud_assert_equal(p->mu[0], 0.5);
  assert_non_null(strstr(thud_problem_file_decision(file), "local"));
  thud_problem_file_destroy(file);
}

static void sparse_blocks_are_kept_as_blocks(void **state) {
  thud_problem_file *file = read(*state, blocks, THUD_PROBLEM_KIND_AUTO);
  const thud_contact_problem *p = thud_problem_file_contents(file).problem;
  const thud_bsr *W = &p->W.blocks;
  assert_int_equal(p->W.storage, THUD_MATRIX_BLOCKS);
  assert_int_equal(W->rows_per_block, 2);
  assert_int_equal(W->row_start[2], 3);
  assert_int_equal(W->block_column[1], 1);
  for (int k = 0; k < 12; k++) thud_assert_equal(W->values[k], k + 1);
  thud_problem_file_destroy(file);
}

static void compressed_columns_are_read(void **state) {
  thud_problem_file *file = read(*state, columns, THUD_PROBLEM_KIND_AUTO);
  const thud_contact_problem *p = thud_problem_file_contents(file).problem;
  assert_int_equal(p->W.storage, THUD_MATRIX_SPARSE);
  thud_assert_equal(entry(&p->W, 0, 0), 1);
  thud_assert_equal(entry(&p->W, 1, 0), 2);
  thud_assert_equal(entry(&p->W, 0, 1), 0);
  thud_assert_equal(entry(&p->W, 1, 1), 4);
  thud_assert_equal(p->q[0], 5);
  thud_assert_equal(p->mu[0], 0.5);
  thud_problem_file_destroy(file);
}

static void triplets_are_summed_and_a_second_matrix_makes_it_global(void **state) {
  thud_problem_file *file = read(*state, triplets, THUD_PROBLEM_KIND_AUTO);
  const thud_contact_problem *p = thud_problem_file_contents(file).problem;
  assert_int_equal(p->form, THUD_FORM_GLOBAL);
  thud_assert_equal(entry(&p->M, 0, 0), 3);
  thud_assert_equal(entry(&p->M, 1, 1), 3);
  thud_assert_equal(entry(&p->H, 0, 0), 1);
  thud_assert_equal(entry(&p->H, 1, 1), 1);
  thud_assert_equal(entry(&p->H, 1, 2), 0);
  thud_assert_equal(p->f[1], 8);
  thud_assert_equal(p->w[2], 11);
  thud_assert_equal(p->mu[0], 0.3);
  assert_non_null(strstr(thud_problem_file_decision(file), "global"));
  thud_problem_file_destroy(file);
}

static void five_components_mean_rolling_friction(void **state) {
  thud_problem_file *file = read(*state, rolling, THUD_PROBLEM_KIND_ROLLING);
  const thud_contact_problem *p = thud_problem_file_contents(file).problem;
  thud_assert_equal(p->dimension, 5);
  thud_assert_equal(p->mu[0], 0.6);
  thud_assert_equal(p->mu_rolling[0], 0.7);
  thud_assert_equal(p->q[4], 5);
  thud_problem_file_destroy(file);
}

/* q begins like the head of a 2 x 2 matrix: the global form does not work out, the local one does. */
static void a_local_problem_that_looks_global_is_found_out(void **state) {
  thud_problem_file *file = read(*state, "2 1\n0 2 2\n2 2\n1 0 0 1\n 0 2\n 2 junk", THUD_PROBLEM_KIND_AUTO);
  const thud_contact_problem *p = thud_problem_file_contents(file).problem;
  assert_int_equal(p->form, THUD_FORM_LOCAL);
  thud_assert_equal(p->q[0], 0);
  thud_assert_equal(p->q[1], 2);
  thud_assert_equal(p->mu[0], 2);
  assert_null(p->H.dense);
  assert_non_null(
      strstr(thud_problem_file_decision(file), "Siconos text; local form, because it does not read as a global one"));
  thud_problem_file_destroy(file);
}

/* ---- bad files ------------------------------------------------------------------------------------------------- */

static void bad_texts_are_refused_with_their_line(void **state) {
  thud_context *context = *state;
  static const struct {
    const char *text, *says;
    thud_problem_kind kind;
  } cases[] = {
      {"", "a.dat:1: the file ends within the dimension (2, 3 or 5): it is cut off, or of another kind", 0},
      {"garbage", "a.dat:1: the dimension (2, 3 or 5): a finite number is needed, found 'garbage'", 0},
      {"4 1", "a.dat:1: the dimension must be 2, 3 or 5, found 4", 0},
      {"7 1", "a.dat:1: the dimension (2, 3 or 5): a whole number from 2 to 5 is needed, found 7", 0},
      {"3", "a.dat:1: the file ends within the number of contacts: it is cut off, or of another kind", 0},
      {"3 -1", "found -1", 0},
      {"3 1.5", "a.dat:1: the number of contacts: a whole number from 0 to 715827882 is needed, found 1.5", 0},
      {"3 999999999", "a.dat:1: the number of contacts: a whole number from 0 to 715827882 is needed, found 999999999",
       0},
      {"3 700000000\n0 1 1 1 1 1",
       "a.dat:1: the number of contacts: 2100000000 numbers are announced, but only 12 bytes follow: the file is cut "
       "off, or a size in it is wrong",
       0},
      {"3 1e300", "found", 0},
      {"2 1\n3 2 2", "a.dat:2: the first matrix (W or M): a whole number from 0 to 2 is needed, found 3", 0},
      {"2 1\n0 2 3\n2 3\n1 2 3 4 5 6\n", "a.dat:4: the first matrix (W or M) must be square, found 2 x 3", 0},
      {"2 1\n0 2 2\n2 3\n", "a.dat:3:", 0},
      {"2 1\n0 2147483647 2147483647\n2147483647 2147483647\n1 2 3", "are announced", 0},
      {"2 1\n0 2 2\n2 2\n1 2 nan 4\n1 2 3",
       "a.dat:4: the first matrix (W or M): a finite number is needed, found 'nan'", 0},
      {"2 1\n0 2 2\n2 2\n1 2 inf 4\n1 2 3",
       "a.dat:4: the first matrix (W or M): a finite number is needed, found 'inf'", 0},
      {"2 1\n0 2 2\n2 2\n1 2 0x1 4\n1 2 3",
       "a.dat:4: the first matrix (W or M): a finite number is needed, found '0x1'", 0},
      {"2 1\n0 2 2\n2 2\n1 2 3 4\n1 2",
       "a.dat:5: the friction coefficients mu: 1 numbers are announced, but only 0 bytes follow: the file is cut off, "
       "or a size in it is wrong",
       0},
      {"2 1\n0 2 2\n2 2\n1 2 3 4\n1",
       "a.dat:4: the vector q: 2 numbers are announced, but only 2 bytes follow: the file is cut off, or a size in it "
       "is wrong",
       0},
      {"2 1\n0 3 3\n3 3\n1 0 0 0 1 0 0 0 1\n1 2 3 4 5 6",
       "a.dat:4: the matrix is 3 x 3, but 1 contacts of 2 components call for 2 x 2 (local form), and no second matrix "
       "follows (global form)",
       0},
      {"2 1\n0 2 2\n2 2\n1 2 3 4\n1 2 3",
       "the file holds a problem of kind 'local', not 'rolling'; choose --kind local or auto",
       THUD_PROBLEM_KIND_ROLLING},
      {"2 1\n0 2 2\n2 2\n1 2 3 4\n1 2 3", "a.dat:5: the matrix H: a whole number from 2 to 2 is needed, found 3",
       THUD_PROBLEM_KIND_GLOBAL},
      {"2 1\n1 2 2\n99999999 1 1 2 2", "are announced", 0},
      {"2 1\n1 2 2\n1 1 1\n3\n2\n2 1\n0 1\n0\n0 1 2 3 4 1 2 3",
       "a.dat:4: the first matrix (W or M): a whole number from 0 to 2 is needed, found 3", 0},
      {"2 1\n1 2 2\n1 1 1\n1\n2\n2 1\n0 1\n0\n0 1 2 3 4 1 2 3",
       "a.dat:4: the first matrix (W or M): the blocks end at 1, the matrix at 2", 0},
      {"2 1\n1 2 2\n1 1 1\n2\n2\n2 1\n1 1\n0\n0 1 2 3 4 1 2 3",
       "a.dat:7: the first matrix (W or M): the row pointers must run from 0 to 1 blocks", 0},
      {"2 1\n1 2 2\n1 1 1\n2\n2\n2 1\n0 1\n7\n0 1 2 3 4 1 2 3", "from 0 to 0", 0},
      {"2 1\n1 2 2\n1 1 1\n2\n2\n2 1\n0 1\n0\n5 1 2 3 4 1 2 3", "from 0 to 0", 0},
      {"2 1\n2 2 2\n3\nb\n2-by-3, nzmax: 1 nnz: 1\n",
       "a.dat:5: the first matrix (W or M): expected '2-by-2,', found '2-by-3,'", 0},
      {"2 1\n2 2 2\n3\nb\n2-by-2, nzmax: 1 nnz: -1\n",
       "a.dat:5: the first matrix (W or M): the number of entries is needed, found '-1'", 0},
      {"2 1\n2 2 2\n3\nb\n2-by-2, nzmax: 1 nnz: 2e9\n", "are announced", 0},
      {"2 1\n2 2 2\n3\nb\n2-by-2, nzmax: 1 nnz: 1\n 0 : 5",
       "a.dat:6: the first matrix (W or M): expected 'col', found '0'", 0},
      {"2 1\n2 2 2\n3\nb\n2-by-2, nzmax: 1 nnz: 1\n col 0 : locations 0 to 0\n 2 : 5\n 1 2 3", "from 0 to 1", 0},
      {"2 1\n2 2 2\n3\nb\n2-by-2, nzmax: 1 nnz: 1\n col 2 : locations 0 to 0\n 1 : 5\n 1 2 3", "from 0 to 1", 0},
      {"2 1\n2 2 2\n3\nb\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 0 -1 : 5\n 1 2 3", "found -1", 0},
      {"2 1\n2 2 2\n3\nb\ntriplet: 2-by-2, nzmax: 1 nnz: 1\n 0 1 = 5\n 1 2 3", "a.dat:6: expected ':', found '='", 0},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_problem_file *file = NULL;
    thud_error error =
        thud_siconos_read_text(context, "a.dat", cases[k].text, strlen(cases[k].text), cases[k].kind, &file);
    const char *message = thud_context_last_message(context);
    if (error == THUD_OK || file != NULL || strstr(message, cases[k].says) == NULL)
      fail_msg("case %zu: error %d, message '%s' without '%s'", k, (int)error, message, cases[k].says);
  }
}

/* Every beginning of a good file is refused or read, never worse; the same for every changed byte. */
static void cut_and_changed_texts_do_no_harm(void **state) {
  thud_context *context = *state;
  static const char *const texts[] = {dense, blocks, columns, triplets, rolling};
  static const char changes[] = "0 9-:.en\n\xff";
  size_t refused = 0;
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) {
    size_t length = strlen(texts[t]);
    char *copy = malloc(length);
    for (size_t k = 0; k < length; k++)
      for (size_t c = 0; c < sizeof changes; c++) {
        thud_problem_file *file = NULL;
        memcpy(copy, texts[t], length);
        copy[k] = changes[c];
        /* c at the final 0: cut there instead. */
        size_t used = changes[c] == '\0' ? k : length;
        thud_error error = thud_siconos_read_text(context, "a.dat", copy, used, THUD_PROBLEM_KIND_AUTO, &file);
        assert_int_equal(error == THUD_OK, file != NULL);
        if (file != NULL) thud_contact_validate(context, thud_problem_file_contents(file).problem, NULL);
        refused += error != THUD_OK;
        thud_problem_file_destroy(file);
      }
    free(copy);
  }
  thud_assert_greater(refused, 1000);
}

static thud_error read_all(thud_context *context, void *user) {
  thud_problem_file *file = NULL;
  thud_error error = thud_siconos_read_text(context, "a.dat", user, strlen(user), THUD_PROBLEM_KIND_AUTO, &file);
  thud_problem_file_destroy(file);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  (void)state;
  const char *const texts[] = {dense, blocks, columns, triplets, rolling};
  for (size_t t = 0; t < sizeof texts / sizeof *texts; t++) thud_test_sweep_allocations(read_all, (void *)texts[t]);
}

/* ---- the reference problems -------------------------------------------------------------------------------------- */

static const struct {
  const char *name;
  thud_index dimension, contacts;
  thud_problem_kind kind;
  double residual; /* of the stored solution, 0: none is stored */
} samples[] = {
    {"Box_Stacks-i0122-82-5.hdf5", 3, 82, THUD_PROBLEM_KIND_GLOBAL, 1},
    {"BoxesStack1-i100000-32.hdf5.dat", 3, 52, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Capsules-i100-1090.dat", 3, 276, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Capsules-i101-404.dat", 3, 225, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Capsules-i125-1213.hdf5", 3, 286, THUD_PROBLEM_KIND_LOCAL, 1.6e-2},
    {"Chute-ndof-768-nc-4-3.hdf5", 5, 4, THUD_PROBLEM_KIND_GLOBAL_ROLLING, 1},
    {"Confeti-ex03-Fc3D-SBM.dat", 3, 54, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Confeti-ex13-4contact-Fc3D-SBM.dat", 3, 4, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FC2D_SliderCrankLagrangian00000.dat", 2, 2, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FC3D_Example1.dat", 3, 3, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FC3D_Example1_SBM.dat", 3, 3, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FrictionContact3D_1c.dat", 3, 1, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FrictionContact3D_RR_1c.dat", 3, 1, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FrictionContactProblem00031.dat", 2, 11, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FrictionContactProblem00071.dat", 2, 89, THUD_PROBLEM_KIND_LOCAL, 0},
    {"FrictionContactProblem00237.dat", 2, 376, THUD_PROBLEM_KIND_LOCAL, 0},
    {"GFC3D_Example0.dat", 3, 1, THUD_PROBLEM_KIND_GLOBAL, 0},
    {"GFC3D_Example00.dat", 3, 1, THUD_PROBLEM_KIND_GLOBAL, 0},
    {"GFC3D_Example00_badly_scaled.dat", 3, 1, THUD_PROBLEM_KIND_GLOBAL, 0},
    {"GFC3D_Example0_SBM.dat", 3, 1, THUD_PROBLEM_KIND_GLOBAL, 0},
    {"GFC3D_TwoRods1-condensed.dat", 3, 3, THUD_PROBLEM_KIND_LOCAL, 0},
    {"LMGC_100_PR_PerioBox-i00361-60-03000.hdf5", 3, 60, THUD_PROBLEM_KIND_LOCAL, 0},
    {"NESpheres_10_1.dat", 3, 9, THUD_PROBLEM_KIND_LOCAL, 0},
    {"OneObject-i100000-499.hdf5.dat", 3, 24, THUD_PROBLEM_KIND_LOCAL, 0},
    {"OneObject-i1028-138.hdf5.dat", 3, 23, THUD_PROBLEM_KIND_LOCAL, 0},
    {"RFC3D_cube_1.dat", 5, 2, THUD_PROBLEM_KIND_ROLLING, 0},
    {"RFC3D_sphere_1.dat", 5, 1, THUD_PROBLEM_KIND_ROLLING, 0},
    {"Rover1039.dat", 3, 4, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Rover11035.dat", 3, 1, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Rover4396.dat", 3, 2, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Rover4622.dat", 3, 4, THUD_PROBLEM_KIND_LOCAL, 0},
    {"Rover9770.dat", 3, 5, THUD_PROBLEM_KIND_LOCAL, 0},
    {"fc2d_granularflowonwall_00667_00000.dat", 2, 667, THUD_PROBLEM_KIND_LOCAL, 0},
    {"fc2d_granularflowonwall_02020_00213.dat", 2, 2020, THUD_PROBLEM_KIND_LOCAL, 0},
    {"gfc2d_granularflowonwall_00069_00350.dat", 2, 69, THUD_PROBLEM_KIND_GLOBAL, 0},
    {"rockfall_14_25792.dat", 5, 14, THUD_PROBLEM_KIND_ROLLING, 0},
};

/* r = 0: the natural map is then that of q, at most |q|, and 0 only when no contact closes. */
static double residual_of(thud_context *context, const thud_problem_contents *contents) {
  const thud_problem_solution *solution = &contents->solution;
  thud_contact_residual residual = {0};
  double *zero = calloc(thud_contact_size(contents->problem) + 1, sizeof *zero);
  thud_error error = thud_contact_evaluate(context, contents->problem, solution->r != NULL ? solution->r : zero,
                                           solution->v, solution->l, NULL, &residual);
  free(zero);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(context));
  return residual.residual;
}

static void the_reference_problems_read_with_the_published_counts(void **state) {
  thud_context *context = *state;
  const char *folder = getenv("THUD_FC_DATA");
  if (folder == NULL) thud_skip("needs reference problems: set THUD_FC_DATA to their folder");
  for (size_t k = 0; k < sizeof samples / sizeof *samples; k++) {
    char path[1024];
    snprintf(path, sizeof path, "%s/%s", folder, samples[k].name);
    thud_problem_file *file = thud_test_read_problem(context, path);
    thud_problem_contents contents = thud_problem_file_contents(file);
    double residual = residual_of(context, &contents);
    print_message("%s: %s; residual of %s %.3g\n", samples[k].name, thud_problem_file_decision(file),
                  contents.solution.r != NULL ? "the stored solution" : "r = 0", residual);
    if (contents.problem->dimension != samples[k].dimension || contents.problem->contacts != samples[k].contacts ||
        thud_problem_kind_of(contents.problem) != samples[k].kind)
      fail_msg("%s: %s with %d contacts", samples[k].name, thud_contact_kind_name(contents.problem),
               (int)contents.problem->contacts);
    assert_int_equal(contents.solution.r != NULL, samples[k].residual > 0);
    if (samples[k].residual > 0) thud_assert_nearer(residual / samples[k].residual, 1, 0.05);
    thud_problem_file_destroy(file);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(dense_matrices_are_read_by_columns, set_up, tear_down),
      cmocka_unit_test_setup_teardown(sparse_blocks_are_kept_as_blocks, set_up, tear_down),
      cmocka_unit_test_setup_teardown(compressed_columns_are_read, set_up, tear_down),
      cmocka_unit_test_setup_teardown(triplets_are_summed_and_a_second_matrix_makes_it_global, set_up, tear_down),
      cmocka_unit_test_setup_teardown(five_components_mean_rolling_friction, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_local_problem_that_looks_global_is_found_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bad_texts_are_refused_with_their_line, set_up, tear_down),
      cmocka_unit_test_setup_teardown(cut_and_changed_texts_do_no_harm, set_up, tear_down),
      cmocka_unit_test_setup_teardown(failing_allocations_leave_nothing_behind, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_reference_problems_read_with_the_published_counts, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
