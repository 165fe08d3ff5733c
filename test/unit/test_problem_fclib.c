/* FCLIB files: triplets and compressed rows, files that lie, and libfclib as a second reader. */
#include "thud/problem.h"

#include "problem_compare.h"
#include "random_problems.h"
#include "scratch_folder.h"
#include "testing.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#ifdef THUD_HAVE_FCLIB
#include <fclib.h>
#endif

static thud_context *context;

static int begin(void **state) {
  context = thud_test_context(1);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  return thud_test_folder_make(state);
}

static int finish(void **state) {
  thud_test_context_end(context);
  return thud_test_folder_remove(state);
}

/* ---- making and changing files ------------------------------------------------------------------------------- */

static void write_problem(const char *path, bool global) {
  thud_test_problem made = {0};
  thud_random random = thud_random_seed(5);
  thud_test_shape shape = thud_test_shape_of(3, 2);
  assert_int_equal(global ? thud_test_flexible_global(context, &random, &shape, 16, 2, 0, &made)
                          : thud_test_random_local(context, &random, &shape, THUD_MATRIX_SPARSE, &made),
                   THUD_OK);
  const thud_problem_solution guess = {made.v, made.u, made.r, made.l};
  const thud_problem_contents contents = {.problem = made.problem,
                                          .title = "title",
                                          .description = "d",
                                          .solution = {made.v, made.u, made.r, made.l},
                                          .guess_count = 1,
                                          .guesses = &guess};
  if (thud_problem_write(context, path, THUD_PROBLEM_FORMAT_FCLIB, &contents, true) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_test_problem_destroy(&made);
}

static void put(hid_t file, const char *name, hid_t type, int rank, hsize_t count, const void *values) {
  const hsize_t extent[2] = {count, 1};
  H5Ldelete(file, name, H5P_DEFAULT);
  hid_t space = H5Screate_simple(rank, extent, NULL);
  hid_t dataset = H5Dcreate2(file, name, type, space, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT);
  thud_assert_at_least(dataset, 0);
  if (values != NULL) thud_assert_at_least(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  H5Dclose(dataset);
  H5Sclose(space);
}

static void put_ints(hid_t file, const char *name, hsize_t count, const int *values) {
  put(file, name, H5T_NATIVE_INT, 1, count, values);
}

/* ---- storages of matrices --------------------------------------------------------------------------------------- */

static void triplets_and_compressed_rows_are_read(void **state) {
  (void)state;
  /* W = [4 1; 2 3] in each form; as triplets with a duplicate, i the rows and p the columns. */
  static const struct {
    int nz, entries, pointers;
    int p[5], i[5];
    double x[5];
  } forms[] = {
      {5, 5, 5, {0, 1, 0, 1, 0}, {0, 0, 1, 1, 0}, {3, 1, 2, 3, 1}},
      {-1, 4, 3, {0, 2, 4}, {0, 1, 0, 1}, {4, 2, 1, 3}},
      {-2, 4, 3, {0, 2, 4}, {0, 1, 0, 1}, {4, 1, 2, 3}},
  };
  const char *path = thud_test_path("m.h5");
  for (size_t k = 0; k < 3; k++) {
    const double q[2] = {1, 2}, mu[1] = {0.5};
    const int two = 2, nzmax = 7;
    hid_t file = H5Fcreate(path, H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, "fclib_local", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "fclib_local/W", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    H5Gclose(H5Gcreate2(file, "fclib_local/vectors", H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    put_ints(file, "fclib_local/spacedim", 1, &two);
    put_ints(file, "fclib_local/W/m", 1, &two);
    put_ints(file, "fclib_local/W/n", 1, &two);
    put_ints(file, "fclib_local/W/nzmax", 1, &nzmax);
    put_ints(file, "fclib_local/W/nz", 1, &forms[k].nz);
    put_ints(file, "fclib_local/W/p", (hsize_t)forms[k].pointers, forms[k].p);
    put_ints(file, "fclib_local/W/i", (hsize_t)forms[k].entries, forms[k].i);
    put(file, "fclib_local/W/x", H5T_NATIVE_DOUBLE, 1, (hsize_t)forms[k].entries, forms[k].x);
    put(file, "fclib_local/vectors/q", H5T_NATIVE_DOUBLE, 1, 2, q);
    put(file, "fclib_local/vectors/mu", H5T_NATIVE_DOUBLE, 1, 1, mu);
    H5Fclose(file);
    thud_problem_file *read = thud_test_read_problem(context, path);
    const thud_matrix *W = &thud_problem_file_contents(read).problem->W;
    const double expected[4] = {4, 2, 1, 3};
    assert_int_equal(W->sparse.column_start[2], 4);
    for (int e = 0; e < 4; e++) thud_assert_equal(W->sparse.value[e], expected[e]);
    thud_problem_file_destroy(read);
  }
}

/* ---- files that lie ------------------------------------------------------------------------------------------------
 */

typedef enum lie_kind {
  LIE_DELETE,
  LIE_INT,       /* one integer of value `number` */
  LIE_FIRST,     /* `count` integers, the first of value `number`, the others 0 */
  LIE_DOUBLES,   /* `count` doubles of value `number` */
  LIE_UNWRITTEN, /* `count` doubles that were never written */
  LIE_TEXT,      /* a text instead of numbers */
  LIE_GROUP,     /* a group instead of a dataset */
  LIE_SOFT,      /* a soft link */
  LIE_TABLE      /* a table of two dimensions */
} lie_kind;

typedef struct lie {
  bool global;
  const char *name;
  lie_kind kind;
  double number;
  hsize_t count;
  const char *says;
} lie;

static void report(const char *path, const lie *reported) {
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  int ints[64] = {isfinite(reported->number) ? (int)reported->number : 0};
  double doubles[64];
  for (int k = 0; k < 64; k++) doubles[k] = reported->number;
  thud_assert_at_least(file, 0);
  switch (reported->kind) {
  case LIE_DELETE: H5Ldelete(file, reported->name, H5P_DEFAULT); break;
  case LIE_INT: put_ints(file, reported->name, 1, ints); break;
  case LIE_FIRST: put_ints(file, reported->name, reported->count, ints); break;
  case LIE_DOUBLES: put(file, reported->name, H5T_NATIVE_DOUBLE, 1, reported->count, doubles); break;
  case LIE_UNWRITTEN: put(file, reported->name, H5T_NATIVE_DOUBLE, 1, reported->count, NULL); break;
  case LIE_TEXT: put(file, reported->name, H5T_C_S1, 1, 1, "x"); break;
  case LIE_TABLE: put(file, reported->name, H5T_NATIVE_DOUBLE, 2, reported->count, doubles); break;
  case LIE_GROUP:
    H5Ldelete(file, reported->name, H5P_DEFAULT);
    H5Gclose(H5Gcreate2(file, reported->name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
    break;
  default:
    H5Ldelete(file, reported->name, H5P_DEFAULT);
    H5Lcreate_soft("/fclib_local/vectors/mu", file, reported->name, H5P_DEFAULT, H5P_DEFAULT);
    break;
  }
  H5Fclose(file);
}

static const lie lies[] = {
    {false, "fclib_local", LIE_DELETE, 0, 0,
     "lie.h5: there is no group fclib_local, fclib_global or fclib_global_rolling in this HDF5 file: it is not a "
     "problem of FCLIB"},
    {false, "fclib_local/W", LIE_DELETE, 0, 0, "lie.h5: /fclib_local/W: this group is missing"},
    {false, "fclib_local/W", LIE_INT, 3, 0, "not a readable group"},
    {false, "fclib_local/vectors", LIE_DELETE, 0, 0, "missing"},
    {false, "fclib_local/spacedim", LIE_INT, 4, 0, "lie.h5: /fclib_local/spacedim: 2, 3 or 5 is needed here, found 4"},
    {false, "fclib_local/spacedim", LIE_INT, -3, 0, "found -3"},
    {false, "fclib_local/spacedim", LIE_INT, 5, 0,
     "lie.h5: /fclib_local/W: 6 columns are not a multiple of spacedim 5"},
    {false, "fclib_local/spacedim", LIE_TEXT, 0, 0,
     "lie.h5: /fclib_local/spacedim: integers are needed here, found another type"},
    {false, "fclib_local/spacedim", LIE_FIRST, 3, 2,
     "lie.h5: /fclib_local/spacedim: 1 numbers are needed here, found 2"},
    {false, "fclib_local/W/m", LIE_INT, 7, 0, "lie.h5: /fclib_local/W: a 6 x 6 matrix is needed here, found 7 x 6"},
    {false, "fclib_local/W/m", LIE_INT, -1, 0,
     "lie.h5: /fclib_local/W/m: a number from 0 to 2147483646 is needed here, found -1"},
    {false, "fclib_local/W/n", LIE_INT, 2147483646, 0,
     "lie.h5: /fclib_local/vectors/q: 2147483646 numbers are needed here, found 6"},
    {false, "fclib_local/W/nz", LIE_INT, -3, 0, "found -3"},
    {false, "fclib_local/W/nz", LIE_INT, 3, 0, "lie.h5: /fclib_local/W/p: 3 indices are needed here, found 7"},
    {false, "fclib_local/W/nz", LIE_INT, 2147483647, 0,
     "lie.h5: /fclib_local/W/nz: a number from -2 to 18 is needed here, found 2147483647"},
    {false, "fclib_local/W/nzmax", LIE_INT, -5, 0,
     "lie.h5: /fclib_local/W/nzmax: a number from 0 to 2147483646 is needed here, found -5"},
    {false, "fclib_local/W/nzmax", LIE_DELETE, 0, 0, "lie.h5: /fclib_local/W/nzmax: this dataset is missing"},
    {false, "fclib_local/W/p", LIE_FIRST, -1, 7,
     "lie.h5: /fclib_local/W/p: entry 0 is -1: the pointers must rise from 0 to at most 18"},
    {false, "fclib_local/W/p", LIE_FIRST, 5, 7,
     "lie.h5: /fclib_local/W/p: entry 0 is 5: the pointers must rise from 0 to at most 18"},
    {false, "fclib_local/W/p", LIE_FIRST, 0, 8, "lie.h5: /fclib_local/W/p: 7 indices are needed here, found 8"},
    {false, "fclib_local/W/i", LIE_FIRST, -1, 18,
     "lie.h5: /fclib_local/W: entry 0 is at row -1, column 0 of a 6 x 6 matrix"},
    {false, "fclib_local/W/i", LIE_FIRST, 6, 18,
     "lie.h5: /fclib_local/W: entry 0 is at row 6, column 0 of a 6 x 6 matrix"},
    {false, "fclib_local/W/i", LIE_FIRST, 0, 17,
     "lie.h5: /fclib_local/W/i: i and x must be of one length, found 17 and 18"},
    {false, "fclib_local/W/x", LIE_DOUBLES, (double)NAN, 18, "W"},
    {false, "fclib_local/W/x", LIE_UNWRITTEN, 0, 2000000000, "not in the file"},
    {false, "fclib_local/W/x", LIE_TABLE, 0, 18, "not a readable list"},
    {false, "fclib_local/vectors/q", LIE_DELETE, 0, 0, "lie.h5: /fclib_local/vectors/q: this dataset is missing"},
    {false, "fclib_local/vectors/q", LIE_DOUBLES, 1, 5,
     "lie.h5: /fclib_local/vectors/q: 6 numbers are needed here, found 5"},
    {false, "fclib_local/vectors/q", LIE_DOUBLES, (double)INFINITY, 6, "q"},
    {false, "fclib_local/vectors/q", LIE_TEXT, 0, 0,
     "lie.h5: /fclib_local/vectors/q: numbers are needed here, found another type"},
    {false, "fclib_local/vectors/q", LIE_GROUP, 0, 0, "not a readable list"},
    {false, "fclib_local/vectors/q", LIE_SOFT, 0, 0, "missing"},
    {false, "fclib_local/vectors/q", LIE_UNWRITTEN, 0, 1000000000000, "not in the file"},
    {false, "fclib_local/vectors/mu", LIE_DOUBLES, -1, 2,
     "lie.h5: mu of contact 0 is -1: a coefficient of friction is >= 0"},
    {false, "fclib_local/info/title", LIE_DOUBLES, 1, 1,
     "lie.h5: /fclib_local/info/title: a text of fixed length (at most 65536 bytes) is needed here"},
    {false, "solution/r", LIE_DOUBLES, (double)NAN, 6, "lie.h5: solution: entry 0 of r is nan"},
    {false, "solution/r", LIE_DOUBLES, 1, 7, "lie.h5: /solution/r: 6 numbers are needed here, found 7"},
    {false, "solution", LIE_INT, 1, 0, "not a readable group"},
    {false, "guesses/number_of_guesses", LIE_INT, 1000000000, 0,
     "lie.h5: /guesses/number_of_guesses: a number from 0 to 1000 is needed here, found 1000000000"},
    {false, "guesses/number_of_guesses", LIE_INT, 2, 0, "lie.h5: /guesses/2: this group is missing"},
    {true, "fclib_global/H", LIE_DELETE, 0, 0, "missing"},
    {true, "fclib_global/M/m", LIE_INT, 3, 0, "lie.h5: /fclib_global/M: a 16 x 16 matrix is needed here, found 3 x 16"},
    {true, "fclib_global/G/m", LIE_INT, 3, 0, "lie.h5: /fclib_global/G: 16 rows are needed here, found 3"},
    {true, "fclib_global/G/n", LIE_INT, 5, 0, "lie.h5: /fclib_global/vectors/b: 5 numbers are needed here, found 2"},
    {true, "fclib_global/vectors/b", LIE_DELETE, 0, 0, "missing"},
    {true, "fclib_global/vectors/f", LIE_DOUBLES, 1, 3,
     "lie.h5: /fclib_global/vectors/f: 16 numbers are needed here, found 3"},
    {true, "solution/l", LIE_DOUBLES, 1, 3, "lie.h5: /solution/l: 2 numbers are needed here, found 3"},
};

static void files_that_lie_are_refused_with_the_dataset(void **state) {
  (void)state;
  const char *path = thud_test_path("lie.h5");
  for (size_t k = 0; k < sizeof lies / sizeof *lies; k++) {
    thud_problem_file *file = NULL;
    write_problem(path, lies[k].global);
    report(path, &lies[k]);
    thud_error error = thud_problem_read(context, path, NULL, &file);
    const char *message = thud_context_last_message(context);
    if (error == THUD_OK || file != NULL || strstr(message, lies[k].says) == NULL ||
        strncmp(message, path, strlen(path)) != 0)
      fail_msg("lie %zu about %s: error %d, message '%s' without '%s'", k, lies[k].name, (int)error, message,
               lies[k].says);
  }
}

static void what_is_optional_may_be_missing(void **state) {
  (void)state;
  static const char *const optional[] = {"fclib_local/info", "fclib_local/info/title", "solution", "solution/u",
                                         "guesses"};
  const char *path = thud_test_path("o.h5");
  for (size_t k = 0; k < sizeof optional / sizeof *optional; k++) {
    write_problem(path, false);
    report(path, &(lie){.name = optional[k], .kind = LIE_DELETE});
    thud_problem_file_destroy(thud_test_read_problem(context, path));
  }
  /* A vector that was never written is one of zeros. */
  write_problem(path, false);
  report(path, &(lie){.name = "solution/r", .kind = LIE_UNWRITTEN, .count = 6});
  thud_problem_file *file = thud_test_read_problem(context, path);
  thud_assert_equal(thud_problem_file_contents(file).solution.r[5], 0);
  thud_problem_file_destroy(file);
}

/* A file that ends early is refused. (Cuts behind the last byte that matters cannot be noticed.) */
static void cut_files_are_refused(void **state) {
  (void)state;
  const char *path = thud_test_path("whole.h5"), *cut = thud_test_path("cut.h5");
  write_problem(path, true);
  FILE *stream = fopen(path, "rb");
  static char bytes[200000];
  size_t size = fread(bytes, 1, sizeof bytes, stream);
  fclose(stream);
  thud_assert_greater(size, 1000);
  thud_assert_less(size, sizeof bytes);
  for (size_t length = 0; length + 100 < size; length += 1 + length / 8) {
    thud_problem_file *file = NULL;
    stream = fopen(cut, "wb");
    assert_int_equal(fwrite(bytes, 1, length, stream), length);
    fclose(stream);
    assert_int_not_equal(thud_problem_read(context, cut, NULL, &file), THUD_OK);
    thud_test_message_has(context, "cut.h5", NULL);
    assert_null(file);
  }
}

static void files_of_other_kinds_are_named(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"", "other: the file is empty"},
      {"   \n", "other: the file begins with nothing but blanks"},
      {"%%MatrixMarket matrix array real general\n1 1\n1\n",
       "other: a Matrix Market file is only a part of a problem; name the YAML file that refers to it"},
      {"thud: 1\ntitle: x\n", "other:1:1: this is a scene, not a contact problem; run it with 'thud run'"},
      {"a: 1\n", "other:1:1: this is not a contact problem: a native one begins with 'thud_problem: 1'"},
      {"\x89HDF\r\n\x1a\n and nothing else", "other: this is not a readable HDF5 file (bad superblock version number)"},
  };
  const char *path = thud_test_path("other");
  thud_problem_file *file = NULL;
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    FILE *stream = fopen(path, "wb");
    fwrite(cases[k].text, 1, strlen(cases[k].text), stream);
    fclose(stream);
    assert_int_not_equal(thud_problem_read(context, path, NULL, &file), THUD_OK);
    thud_test_message_has(context, "other", cases[k].says, NULL);
  }
  assert_int_equal(thud_problem_read(context, thud_test_path("absent"), NULL, &file), THUD_ERROR_FILE);
  assert_int_equal(thud_problem_read(context, thud_test_folder(), NULL, &file), THUD_ERROR_FILE);
  assert_null(file);
}

/* ---- the second opinion
 * ---------------------------------------------------------------------------------------------- */

#ifdef THUD_HAVE_FCLIB
static double entry_of(const struct fclib_matrix *A, int row, int column) {
  for (int k = A->p[column]; k < A->p[column + 1]; k++)
    if (A->i[k] == row) return A->x[k];
  return 0;
}

static void same_matrix(const thud_sparse *ours, const struct fclib_matrix *theirs) {
  assert_int_equal(theirs->nz, -1);
  assert_int_equal(theirs->m, ours->rows);
  assert_int_equal(theirs->n, ours->columns);
  for (thud_index j = 0; j < ours->columns; j++)
    for (thud_index k = ours->column_start[j]; k < ours->column_start[j + 1]; k++)
      thud_assert_equal(entry_of(theirs, ours->row[k], j), ours->value[k]);
}

static void libfclib_reads_what_we_write(void **state) {
  (void)state;
  char path[512];
  snprintf(path, sizeof path, "%s", thud_test_path("ours.h5"));
  write_problem(path, false);
  thud_problem_file *file = thud_test_read_problem(context, path);
  thud_problem_contents ours = thud_problem_file_contents(file);
  struct fclib_local *local = fclib_read_local(path);
  assert_non_null(local);
  assert_int_equal(local->spacedim, 3);
  assert_string_equal(local->info->title, "title");
  same_matrix(&ours.problem->W.sparse, local->W);
  for (int k = 0; k < 6; k++) thud_assert_equal(local->q[k], ours.problem->q[k]);
  struct fclib_solution *solution = fclib_read_solution(path);
  assert_non_null(solution);
  for (int k = 0; k < 6; k++) thud_assert_equal(solution->r[k], ours.solution.r[k]);
  int guesses = 0;
  struct fclib_solution *guess = fclib_read_guesses(path, &guesses);
  assert_int_equal(guesses, 1);
  fclib_delete_solutions(guess, guesses);
  fclib_delete_solutions(solution, 1);
  fclib_delete_local(local);
  free(local);
  thud_problem_file_destroy(file);

  write_problem(path, true);
  file = thud_test_read_problem(context, path);
  ours = thud_problem_file_contents(file);
  struct fclib_global *global = fclib_read_global(path);
  assert_non_null(global);
  same_matrix(&ours.problem->M.sparse, global->M);
  same_matrix(&ours.problem->H.sparse, global->H);
  for (int k = 0; k < 16; k++) thud_assert_equal(global->f[k], ours.problem->f[k]);
  for (int k = 0; k < 2; k++) {
    thud_assert_equal(global->b[k], ours.problem->b[k]);
    thud_assert_equal(global->mu[k], ours.problem->mu[k]);
  }
  /* And the other way round: what libfclib writes, we read as the same problem. */
  char back[512];
  snprintf(back, sizeof back, "%s", thud_test_path("theirs.h5"));
  assert_int_equal(fclib_write_global(global, back), 1);
  thud_problem_file *theirs = thud_test_read_problem(context, back);
  thud_problem_contents read = thud_problem_file_contents(theirs);
  ours.solution = (thud_problem_solution){0};
  ours.guess_count = 0;
  read.math_info = ours.math_info;
  thud_test_same_contents(&ours, &read);
  thud_problem_file_destroy(theirs);
  fclib_delete_global(global);
  free(global);
  thud_problem_file_destroy(file);
}
#else
static void libfclib_reads_what_we_write(void **state) {
  (void)state;
  thud_skip("needs libfclib for a second opinion: apt-get install libfclib-dev");
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(triplets_and_compressed_rows_are_read, begin, finish),
      cmocka_unit_test_setup_teardown(files_that_lie_are_refused_with_the_dataset, begin, finish),
      cmocka_unit_test_setup_teardown(what_is_optional_may_be_missing, begin, finish),
      cmocka_unit_test_setup_teardown(cut_files_are_refused, begin, finish),
      cmocka_unit_test_setup_teardown(files_of_other_kinds_are_named, begin, finish),
      cmocka_unit_test_setup_teardown(libfclib_reads_what_we_write, begin, finish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
