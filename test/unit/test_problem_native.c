/* The native format by hand: what it accepts, what it refuses, Matrix Market files, laws, the shipped collection. */
#include "thud/problem.h"

#include "failing_allocator.h"
#include "problem_compare.h"
#include "problem/matrix_market.h"
#include "problem/native.h"
#include "scratch_folder.h"
#include "testing.h"

#include <dirent.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static thud_context *context;

static int begin(void **state) {
  context = thud_test_context(1);
  return thud_test_folder_make(state);
}

static int finish(void **state) {
  thud_test_context_end(context);
  return thud_test_folder_remove(state);
}

static void write_text(const char *path, const char *text) {
  FILE *stream = fopen(path, "wb");
  assert_non_null(stream);
  fputs(text, stream);
  fclose(stream);
}

/* ---- by hand -------------------------------------------------------------------------------------------------- */

static void a_problem_written_by_hand_is_read(void **state) {
  (void)state;
  write_text(thud_test_path("a.mtx"), "%%MatrixMarket Matrix Coordinate Integer Symmetric\n% a comment\n%\n\n"
                                      "3 3 4\n1 1 2\n2 2 3\n3 3 4\n3 1 -1\n");
  write_text(thud_test_path("q.mtx"), "%%MatrixMarket matrix array real general\n3 1\n-1\n0.5\n.25e1\n");
  write_text(thud_test_path("p.yaml"),
             "thud_problem: 1\nform: local\ndimension: 3\ncontacts: 1\n"
             "laws: [{translation: {by: [0.1, 0], set: {ball: {centre: [0, 0], radius: "
             "'1/2'}}}}]\n"
             "W: {file: a.mtx, storage: blocks}\nq: {file: q.mtx}\nsolution: {r: [1, 0, 0]}\n");
  thud_problem_file *file = thud_test_read_problem(context, thud_test_path("p.yaml"));
  thud_problem_contents contents = thud_problem_file_contents(file);
  const thud_contact_problem *p = contents.problem;
  const double expected[9] = {2, 0, -1, 0, 3, 0, -1, 0, 4};
  assert_int_equal(p->W.storage, THUD_MATRIX_BLOCKS);
  for (int k = 0; k < 9; k++) thud_assert_equal(p->W.blocks.values[k], expected[k]);
  thud_assert_equal(p->q[2], 2.5);
  thud_assert_equal(contents.solution.r[0], 1);
  assert_null(contents.solution.u);
  assert_null(p->mu);
  double support = 0;
  const double direction[2] = {1, 0};
  assert_int_equal(thud_set_support(p->laws[0], direction, &support, NULL, NULL), THUD_OK);
  thud_assert_nearer(support, 0.6, 1e-15);
  thud_problem_file_destroy(file);
}

#define HEAD "thud_problem: 1\nform: local\ndimension: 2\ncontacts: 1\n"
#define REST "mu: [1]\nq: [1, 2]\nW: [[1, 0], [0, 1]]\n"

static void mistakes_are_named_with_their_place(void **state) {
  (void)state;
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"thud_problem: 2\n" REST, "/thud_problem"},
      {"thud_problem: 1\ndimension: 2\n", "form"},
      {"thud_problem: 1\nform: locl\n",
       "a.yaml:2:7: /form: 'locl' is none of local, global, two-block (did you mean 'local'?)"},
      {HEAD REST "Q: [1]\n", "/Q"},
      {HEAD "mu: [1]\nq: [1, 2]\n", "W"},
      {HEAD "mu: [1]\nW: [[1, 0], [0, 1]]\n", "q"},
      {HEAD "q: [1, 2]\nW: [[1, 0], [0, 1]]\n", "mu"},
      {HEAD "mu: [1, 2]\nq: [1, 2]\nW: [[1, 0], [0, 1]]\n", "a.yaml:5:5: /mu: 1 entries are needed here, found 2"},
      {HEAD "mu: [-1]\nq: [1, 2]\nW: [[1, 0], [0, 1]]\n",
       "a.yaml: mu of contact 0 is -1: a coefficient of friction is >= 0"},
      {HEAD "mu: [x]\nq: [1, 2]\nW: [[1, 0], [0, 1]]\n", "/mu/0"},
      {HEAD "mu: [1]\nq: [1, .nan]\nW: [[1, 0], [0, 1]]\n", "/q/1"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: [[1, 0], [0]]\n", "/W"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: [[1, 0]]\n", "a.yaml:7:4: /W: 2 entries are needed here, found 1"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: [[1], [0]]\n", "a.yaml:7:4: /W: a 2 x 2 matrix is needed here, found 2 x 1"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {entries: [[0, 2, 1]]}\n", "/W/entries/0/1"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {entries: [[-1, 0, 1]]}\n", "/W/entries/0/0"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {entries: [[0, 1]]}\n",
       "a.yaml:7:15: /W/entries/0: 3 entries are needed here, found 2"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {entries: [[0, 0, 1e308], [0, 0, 1e308]]}\n",
       "a.yaml: W: sparse: entry (0,0) is inf"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {entries: [], storage: dense}\n",
       "a.yaml:7:27: /W/storage: a dense matrix of 2 x 2 must store every entry, found 0"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {entries: [], file: x}\n",
       "a.yaml:7:4: /W: give either a file or entries, not both"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {storage: dense}\n", "file"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {file: ../x.mtx}\n",
       "a.yaml:7:11: /W/file: a file beside this one is needed: a name without '/'"},
      {HEAD "mu: [1]\nq: [1, 2]\nW: {file: absent.mtx}\n", "absent.mtx"},
      {HEAD REST "laws: [{ball: {centre: [0, 0], radius: 1}}]\n",
       "a.yaml:8:24: /laws/0/ball/centre: 1 number is needed here, found 2"},
      {HEAD REST "laws: [{interval: {lower: 1, upper: 2}}]\n",
       "a.yaml: law of contact 0: the box does not contain 0 (its distance is 1): friction could push on its own"},
      {HEAD REST "laws: [{interval: {lower: -t, upper: 2}}]\n", "/laws/0"},
      {HEAD REST "laws: []\n", "a.yaml:8:7: /laws: 1 entries are needed here, found 0"},
      {HEAD REST "solution: {r: [1]}\n", "/solution/r"},
      {HEAD REST "solution: {R: [1]}\n", "/solution/R"},
      {HEAD REST "guesses: {r: [1, 2]}\n", "/guesses"},
      {HEAD REST "mu_rolling: [1]\n", "mu_rolling"},
      {"thud_problem: 1\nform: local\ndimension: 7\ncontacts: 1\n", "/dimension"},
      {"thud_problem: 1\nform: local\ndimension: 2\nfriction: plane-rolling\ncontacts: 1\n", "3 is needed here"},
      {"thud_problem: 1\nform: local\ndimension: 3\nfriction: rolling\ncontacts: 1\n", "/friction"},
      {HEAD REST "mu_spinning: [1]\n", "mu_spinning"},
      {"thud_problem: 1\nform: local\ndimension: 3\ncontacts: 999999999\n", "/contacts"},
      {"thud_problem: 1\nform: local\ndimension: 3\ncontacts: 100000000\nq: [1]\n",
       "a.yaml:5:4: /q: 300000000 entries are needed here, found 1"},
      {"thud_problem: 1\nform: local\ndimension: 3\ncontacts: -1\n", "/contacts"},
      {"thud_problem: 1\nform: global\ndimension: 3\ncontacts: 0\nndof: 2000000000\nf: [1]\n", "/f"},
      {"thud_problem: 1\nform: two-block\ndimension: 1\ncontacts: 1\nbodies: 1\nblock: 7\n", "/block"},
      {"thud_problem: 1\nform: two-block\ndimension: 1\ncontacts: 1\nbodies: 1\nblock: 1\nfree_velocity: [0]\n"
       "inverse_mass: [1]\nbody_a: [3]\nbody_b: [-1]\njacobian_a: [1]\njacobian_b: [0]\n",
       "a.yaml: body_a of contact 0 is 3, outside 0..0"},
      {"thud_problem: 1\nform: two-block\ndimension: 1\ncontacts: 1\nbodies: 1\nblock: 1\nfree_velocity: [0]\n"
       "inverse_mass: [1]\nbody_a: [0.5]\nbody_b: [-1]\njacobian_a: [1]\njacobian_b: [0]\n",
       "a.yaml:9:9: /body_a: entry 0 is 0.5, an index is needed"},
      {"- 1\n", "map"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_problem_file *file = NULL;
    write_text(thud_test_path("a.yaml"), cases[k].text);
    thud_error error = thud_problem_read(context, thud_test_path("a.yaml"), NULL, &file);
    const char *message = thud_context_last_message(context);
    if (error == THUD_OK || file != NULL || strstr(message, cases[k].says) == NULL || strstr(message, "a.yaml") == NULL)
      fail_msg("case %zu: error %d, message '%s' without '%s'", k, (int)error, message, cases[k].says);
  }
}

static void bad_matrix_market_files_are_refused(void **state) {
  (void)state;
#define GENERAL "%%MatrixMarket matrix coordinate real general\n"
#define SYMMETRIC "%%MatrixMarket matrix coordinate real symmetric\n"
#define ARRAY "%%MatrixMarket matrix array real general\n"
  static const struct {
    const char *text, *says;
  } cases[] = {
      {"", "m.mtx:1: '%%matrixmarket' is needed in the first line, found ''"},
      {"2 2 1\n1 1 1\n", "'%%matrixmarket'"},
      {"%%MatrixMarket vector array real general\n", "m.mtx:1: 'matrix' is needed in the first line, found 'vector'"},
      {"%%MatrixMarket matrix array complex general\n",
       "m.mtx:1: 'real' or 'integer' is needed in the first line, found 'complex'"},
      {"%%MatrixMarket matrix array real hermitian\n",
       "m.mtx:1: 'general' or 'symmetric' is needed in the first line, found 'hermitian'"},
      {GENERAL, "m.mtx:2: the file ends within the number of rows: it is cut off, or of another kind"},
      {GENERAL "3 2 0\n", "m.mtx:2: the number of rows: a whole number from 2 to 2 is needed, found 3"},
      {GENERAL "2 2 -1\n", "m.mtx:2: the number of entries: a whole number from 0 to 1073741823 is needed, found -1"},
      {GENERAL "2 2 1000000000\n1 1 1\n", "are announced"},
      {GENERAL "2 2 1\n0 1 1\n", "m.mtx:3: a row index: a whole number from 1 to 2 is needed, found 0"},
      {GENERAL "2 2 1\n1 3 1\n", "m.mtx:3: a column index: a whole number from 1 to 2 is needed, found 3"},
      {GENERAL "2 2 1\n1 1 nan\n", "m.mtx:3: an entry: a finite number is needed, found 'nan'"},
      {GENERAL "2 2 1\n1 1 1\n1 1 1\n", "m.mtx:4: '1' follows the last entry"},
      {GENERAL "2 2 3\n1 2 1\n2 2 1\n1 2 1\n", "m.mtx:5: duplicate entry: row 1, column 2 is in line 3 already"},
      {SYMMETRIC "2 2 4\n1 1 2\n2 1 1\n1 2 1\n2 2 2\n",
       "m.mtx:5: duplicate entry: row 2, column 1 of a symmetric matrix is in line 4 already"},
      {SYMMETRIC "2 2 2\n2 2 1\n2 2 1\n", "m.mtx:4: duplicate entry: row 2, column 2"},
      {ARRAY "2 2\n1 2\n", "are announced"},
      {ARRAY "2 2\n1 2 3 x\n", "m.mtx:3: an entry: a finite number is needed, found 'x'"},
      {ARRAY "2 2\n1 2 3 4 5\n", "m.mtx:3: '5' follows the last entry"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_owned_problem *owned = NULL;
    thud_matrix matrix = {0};
    assert_int_equal(thud_owned_problem_create(context, &owned), THUD_OK);
    thud_error error =
        thud_matrix_market_read_text(context, "m.mtx", cases[k].text, strlen(cases[k].text), 2, 2, owned, &matrix);
    const char *message = thud_context_last_message(context);
    if (error == THUD_OK || matrix.storage != THUD_MATRIX_NONE || strstr(message, cases[k].says) == NULL)
      fail_msg("case %zu: error %d, message '%s' without '%s'", k, (int)error, message, cases[k].says);
    thud_owned_problem_destroy(owned);
  }
}

/* ---- laws ------------------------------------------------------------------------------------------------------ */

/* Every kind of set that scenes know, in the syntax in which it is printed: printing what was read gives the text. */
static const char *const law_texts[] = {
    "{half_space: {normal: [1, 2], offset: 0.5}}",
    "{box: {lower: [-1, null], upper: [null, 2]}}",
    "{ball: {centre: [0.10000000000000001, 0], radius: 0.5}}",
    "{ellipsoid: {centre: [0, 0], shape: [[4, 1], [1, 16]]}}",
    "{coulomb_cone: {mu: 0.3, dimension: 2}}",
    "{coulomb_dual_cone: {mu: 0.3, dimension: 2}}",
    "{polyhedron: {A: [[1, 0], [0, 1], [-1, -1]], b: [1, 1, 1], equalities: 0}}",
    "{polyhedron: {A: [[1, 0], [0, 1], [-1, -1]], b: [1, 1, 1], equalities: 1}}",
    "{affine: {A: [[1, 2]], b: [3]}}",
    "{cone: {gradients: [[1, 2], [-1, 0]]}}",
    "{cone: {generators: [[1, 2], [-1, 0]]}}",
    "{half_line: {origin: [0, 1], direction: [1, 1]}}",
    "{segment: {from: [-1, 0], to: [1, 0.25]}}",
    "{product: [{box: {lower: [-1], upper: [1]}}, {box: {lower: [-2], upper: [2]}}]}",
    "{sum: [{ball: {centre: [0, 0], radius: 1}}, {segment: {from: [-1, 0], to: [1, 0]}}]}",
    "{intersection: [{ball: {centre: [0, 0], radius: 1}}, {half_space: {normal: [1, 0], offset: 0.5}}]}",
    "{translation: {by: [1, 2], set: {ball: {centre: [0, 0], radius: 3}}}}",
    "{scaling: {by: 2, set: {ball: {centre: [0, 0], radius: 3}}}}",
    "{image: {matrix: [[1, 2, 3], [4, 5, 6]], set: {ball: {centre: [0, 0, 0], radius: 1}}}}",
    "{preimage: {matrix: [[1, 2], [3, 4], [5, 6]], set: {ball: {centre: [0, 0, 0], radius: 1}}}}",
    "{polar: {ball: {centre: [0, 0], radius: 2}}}",
};

static void every_kind_of_set_is_printed_as_it_is_read(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof law_texts / sizeof *law_texts; k++) {
    thud_tree *tree = NULL;
    thud_set *law = NULL;
    thud_text printed = thud_text_new(context);
    assert_int_equal(thud_tree_read_text(context, "law", law_texts[k], strlen(law_texts[k]), &tree), THUD_OK);
    if (thud_native_read_law(context, thud_tree_root(tree), 2, &law) != THUD_OK)
      fail_msg("%s: %s", law_texts[k], thud_context_last_message(context));
    assert_int_equal(thud_native_print_law(context, law, &printed), THUD_OK);
    const char *expected = k == 2 ? "{ball: {centre: [0.1, 0], radius: 0.5}}" : law_texts[k];
    assert_string_equal(thud_text_chars(&printed), expected);
    thud_text_free(&printed);
    thud_set_destroy(law);
    thud_tree_destroy(tree);
  }
}

static thud_error law_there_and_back(thud_context *sweeping, void *user) {
  const char *text = user;
  thud_tree *tree = NULL;
  thud_set *law = NULL;
  thud_text printed = thud_text_new(sweeping);
  thud_error error = thud_tree_read_text(sweeping, "law", text, strlen(text), &tree);
  if (error == THUD_OK) error = thud_native_read_law(sweeping, thud_tree_root(tree), 2, &law);
  if (error == THUD_OK) error = thud_native_print_law(sweeping, law, &printed);
  if (error == THUD_OK) error = printed.error;
  thud_text_free(&printed);
  thud_set_destroy(law);
  thud_tree_destroy(tree);
  return error;
}

static void failing_allocations_in_laws_leave_nothing_behind(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof law_texts / sizeof *law_texts; k += 3)
    thud_test_sweep_allocations(law_there_and_back, (void *)law_texts[k]);
}

/* ---- the shipped collection ------------------------------------------------------------------------------------- */

static void the_shipped_collection_reads_and_its_solutions_are_good(void **state) {
  (void)state;
  const char *source = getenv("THUD_SOURCE_DIR");
  if (source == NULL) thud_skip("needs the sources: set THUD_SOURCE_DIR to their folder");
  char folder[1024], path[2048];
  snprintf(folder, sizeof folder, "%s/examples/problems", source);
  DIR *list = opendir(folder);
  assert_non_null(list);
  size_t problems = 0, solutions = 0;
  for (struct dirent *item = readdir(list); item != NULL; item = readdir(list)) {
    const char *ending = strrchr(item->d_name, '.');
    if (ending == NULL || (strcmp(ending, ".yaml") != 0 && strcmp(ending, ".h5") != 0 && strcmp(ending, ".dat") != 0))
      continue;
    snprintf(path, sizeof path, "%s/%s", folder, item->d_name);
    thud_problem_file *file = thud_test_read_problem(context, path);
    thud_problem_contents contents = thud_problem_file_contents(file);
    problems++;
    if (contents.solution.r != NULL) {
      thud_contact_residual residual = {0};
      assert_int_equal(thud_contact_evaluate(context, contents.problem, contents.solution.r, contents.solution.v,
                                             contents.solution.l, NULL, &residual),
                       THUD_OK);
      if (!(residual.residual < 1e-14)) fail_msg("%s: residual %g", item->d_name, residual.residual);
      solutions++;
    }
    thud_problem_file_destroy(file);
  }
  closedir(list);
  thud_assert_at_least(problems, 25);
  thud_assert_at_least(solutions, 13);
}

/* The same problem in two formats: equal, bit for bit, but for what Siconos' text cannot hold. */
static void the_same_problem_in_two_formats_is_the_same(void **state) {
  (void)state;
  const char *source = getenv("THUD_SOURCE_DIR");
  static const char *const pairs[][2] = {{"friction-2d.h5", "friction-2d.dat"},
                                         {"friction-3d-blocks.yaml", "friction-3d-blocks.dat"},
                                         {"friction-3d-global.h5", "friction-3d-global.dat"},
                                         {"rolling.yaml", "rolling.dat"}};
  if (source == NULL) thud_skip("needs the sources: set THUD_SOURCE_DIR to their folder");
  for (size_t k = 0; k < sizeof pairs / sizeof *pairs; k++) {
    thud_problem_file *files[2];
    for (int side = 0; side < 2; side++) {
      char path[1024];
      snprintf(path, sizeof path, "%s/examples/problems/%s", source, pairs[k][side]);
      files[side] = thud_test_read_problem(context, path);
    }
    thud_problem_contents a = thud_problem_file_contents(files[0]), b = thud_problem_file_contents(files[1]);
    const thud_problem_contents a_alone = {.problem = a.problem}, b_alone = {.problem = b.problem};
    thud_test_same_contents(&a_alone, &b_alone);
    thud_problem_file_destroy(files[0]);
    thud_problem_file_destroy(files[1]);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(a_problem_written_by_hand_is_read, begin, finish),
      cmocka_unit_test_setup_teardown(mistakes_are_named_with_their_place, begin, finish),
      cmocka_unit_test_setup_teardown(bad_matrix_market_files_are_refused, begin, finish),
      cmocka_unit_test_setup_teardown(every_kind_of_set_is_printed_as_it_is_read, begin, finish),
      cmocka_unit_test_setup_teardown(failing_allocations_in_laws_leave_nothing_behind, begin, finish),
      cmocka_unit_test_setup_teardown(the_shipped_collection_reads_and_its_solutions_are_good, begin, finish),
      cmocka_unit_test_setup_teardown(the_same_problem_in_two_formats_is_the_same, begin, finish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
