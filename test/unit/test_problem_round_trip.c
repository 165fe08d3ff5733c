/* Problems written and read back: every kind, every format, bit for bit. */
#include "thud/problem.h"

#include "failing_allocator.h"
#include "problem_compare.h"
#include "random_joints.h"
#include "scratch_folder.h"
#include "testing.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

static thud_context *context_of_test;

static int begin(void **state) {
  if (thud_test_folder_make(state) != 0) return -1;
  context_of_test = thud_test_context(1);
  *state = context_of_test;
  return 0;
}

static int finish(void **state) {
  thud_test_context_end(context_of_test);
  return thud_test_folder_remove(state);
}

/* ---- kinds ------------------------------------------------------------------------------------------------ */

enum { KINDS = 24 };

/* The k-th kind of problem, of a size that grows with `scale`. */
static thud_error make_kind(thud_context *context, int k, uint64_t seed, thud_index scale, thud_test_problem *made) {
  static const thud_index dimensions[] = {1, 2, 3, 5};
  thud_random random = thud_random_seed(seed);
  thud_test_shape shape = thud_test_shape_of(dimensions[k % 4], scale);
  const thud_test_pile pile = {.nx = 2, .ny = 2, .nz = scale, .dimension = 3, .mu = 0.4, .mass_ratio = 3, .noise = 0.1};
  switch (k) {
  case 0:
  case 1:
  case 2:
  case 3: return thud_test_random_local(context, &random, &shape, (thud_matrix_storage)(1 + scale % 3), made);
  case 4:
  case 5:
  case 6:
  case 7: return thud_test_random_rigid_global(context, &random, &shape, made);
  case 8:
  case 9:
  case 10:
  case 11: return thud_test_random_two_block(context, &random, &shape, made);
  case 12:
  case 13:
  case 14: return thud_test_flexible_global(context, &random, &shape, 4 * scale + 8, 2, 0, made);
  case 15:
    shape = thud_test_shape_of(3, scale);
    shape.law = THUD_TEST_MIXED_LAWS;
    return thud_test_random_local(context, &random, &shape, THUD_MATRIX_BLOCKS, made);
  case 16: return thud_test_random_joints(context, &random, &shape, 3, true, made);
  case 17: /* spinning, rolling and spinning, rolling in the plane: local and two-block form */
  case 18:
  case 19:
    shape = thud_test_shape_of(thud_test_dimensions[k - 13], scale);
    return thud_test_random_local(context, &random, &shape, (thud_matrix_storage)(1 + scale % 3), made);
  case 20:
  case 21:
  case 22:
    shape = thud_test_shape_of(thud_test_dimensions[k - 16], scale);
    return thud_test_random_two_block(context, &random, &shape, made);
  default: return thud_test_pile_of_spheres(context, &random, &pile, made);
  }
}

static bool fclib_can(const thud_contact_problem *problem) {
  for (thud_index c = 0; problem->laws != NULL && c < problem->contacts; c++)
    if (problem->laws[c] != NULL) return false;
  bool known = problem->mu_spinning == NULL && problem->friction == THUD_FRICTION_BY_DIMENSION;
  return known && problem->form != THUD_FORM_TWO_BLOCK && problem->dimension != 1;
}

static thud_problem_contents contents_of(const thud_test_problem *made, thud_problem_solution *guesses) {
  thud_problem_contents contents = {.problem = made->problem,
                                    .title = "A \"title\" with: everything \\ \xC3\xA9\n\tand a second line",
                                    .description = "# not a comment",
                                    .math_info = "'single', {braces}, [brackets], null"};
  if (made->r != NULL) contents.solution = (thud_problem_solution){made->v, made->u, made->r, made->l};
  guesses[0] = (thud_problem_solution){.r = made->r};
  guesses[1] = (thud_problem_solution){.u = made->r, .r = made->u};
  if (made->r != NULL) {
    contents.guess_count = 2;
    contents.guesses = guesses;
  }
  return contents;
}

static void round_trip(thud_context *context, thud_problem_format format, const char *name,
                       const thud_problem_contents *contents) {
  const char *path = thud_test_path(name);
  if (thud_problem_write(context, path, format, contents, true) != THUD_OK)
    fail_msg("%s", thud_context_last_message(context));
  thud_problem_file *file = thud_test_read_problem(context, path);
  thud_problem_contents back = thud_problem_file_contents(file);
  assert_int_equal(thud_problem_file_format(file), format);
  assert_int_equal(thud_problem_kind_of(back.problem), thud_problem_kind_of(contents->problem));
  thud_test_same_contents(contents, &back);
  thud_problem_file_destroy(file);
}

static void every_kind_survives_every_format_that_can_hold_it(void **state) {
  thud_context *context = *state;
  for (int k = 0; k < KINDS; k++)
    for (thud_index scale = 1; scale <= 12; scale += k == KINDS - 1 ? 11 : scale < 4 ? 1 : 4) {
      thud_test_problem made = {0};
      thud_problem_solution guesses[2];
      if (make_kind(context, k, (uint64_t)(100 * k + scale), k == KINDS - 1 ? 2 : scale, &made) != THUD_OK)
        fail_msg("kind %d of size %d: %s", k, (int)scale, thud_context_last_message(context));
      thud_problem_contents contents = contents_of(&made, guesses);
      round_trip(context, THUD_PROBLEM_FORMAT_NATIVE, "p.yaml", &contents);
      if (fclib_can(made.problem)) {
        round_trip(context, THUD_PROBLEM_FORMAT_FCLIB, "p.h5", &contents);
      } else {
        assert_int_equal(
            thud_problem_write(context, thud_test_path("q.h5"), THUD_PROBLEM_FORMAT_FCLIB, &contents, true),
            THUD_ERROR_UNSUPPORTED);
        thud_test_message_has(context, "q.h5", "native", NULL);
      }
      assert_int_equal(thud_problem_check_writable(context, "q.h5", THUD_PROBLEM_FORMAT_FCLIB, made.problem),
                       fclib_can(made.problem) ? THUD_OK : THUD_ERROR_UNSUPPORTED);
      assert_int_equal(thud_problem_check_writable(context, "q", THUD_PROBLEM_FORMAT_NATIVE, made.problem), THUD_OK);
      assert_int_equal(thud_problem_check_writable(context, "q", THUD_PROBLEM_FORMAT_SICONOS, made.problem),
                       THUD_ERROR_UNSUPPORTED);
      thud_test_problem_destroy(&made);
    }
}

static void bilateral_rows_in_the_local_form_survive(void **state) {
  thud_context *context = *state;
  for (thud_index d = 1; d <= 3; d++) {
    thud_test_problem made = {0};
    thud_owned_problem *local = NULL;
    thud_random random = thud_random_seed(7);
    thud_test_shape shape = thud_test_shape_of(d, 5);
    assert_int_equal(thud_test_flexible_global(context, &random, &shape, 30, 3, 0, &made), THUD_OK);
    assert_int_equal(thud_contact_to_local(context, made.problem, THUD_MATRIX_DENSE, &local), THUD_OK);
    thud_problem_contents contents = {.problem = thud_owned_problem_view(local),
                                      .solution = {.u = made.u, .r = made.r, .l = made.l}};
    assert_int_equal(contents.problem->bilateral, 3);
    round_trip(context, THUD_PROBLEM_FORMAT_NATIVE, "p.yaml", &contents);
    if (d > 1) round_trip(context, THUD_PROBLEM_FORMAT_FCLIB, "p.h5", &contents);
    thud_owned_problem_destroy(local);
    thud_test_problem_destroy(&made);
  }
}

static void numbers_at_the_ends_of_the_range_survive(void **state) {
  thud_context *context = *state;
  const double W[4] = {1, -0.0, DBL_MIN / 3, DBL_MAX}, mu[1] = {0.1};
  const double q[2] = {-DBL_TRUE_MIN, 0.1 + 0.2};
  const thud_contact_problem problem = {
      .dimension = 2,
      .contacts = 1,
      .mu = mu,
      .W = {.storage = THUD_MATRIX_DENSE, .rows = 2, .columns = 2, .dense = W},
      .q = q,
  };
  const thud_problem_contents contents = {.problem = &problem};
  round_trip(context, THUD_PROBLEM_FORMAT_NATIVE, "p.yaml", &contents);
  round_trip(context, THUD_PROBLEM_FORMAT_FCLIB, "p.h5", &contents);
}

static void a_problem_without_contacts_survives(void **state) {
  thud_context *context = *state;
  const double M[1] = {2}, f[1] = {3}, nothing[1] = {0};
  const thud_contact_problem problem = {.form = THUD_FORM_GLOBAL,
                                        .dimension = 3,
                                        .mu = nothing,
                                        .M = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = M},
                                        .H = {.storage = THUD_MATRIX_DENSE, .rows = 1, .dense = nothing},
                                        .f = f,
                                        .w = nothing};
  const thud_problem_contents contents = {.problem = &problem};
  round_trip(context, THUD_PROBLEM_FORMAT_NATIVE, "p.yaml", &contents);
  round_trip(context, THUD_PROBLEM_FORMAT_FCLIB, "p.h5", &contents);
}

/* w and b are 0 where they are not given, and stay so. */
static void vectors_that_are_not_given_stay_away(void **state) {
  thud_context *context = *state;
  const double M[1] = {2}, H[1] = {1}, G[1] = {3}, f[1] = {3};
  thud_contact_problem problem = {.form = THUD_FORM_GLOBAL, .dimension = 1, .contacts = 1, .bilateral = 1, .f = f};
  problem.M = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = M};
  problem.H = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = H};
  problem.G = (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = G};
  const thud_problem_contents contents = {.problem = &problem};
  round_trip(context, THUD_PROBLEM_FORMAT_NATIVE, "p.yaml", &contents);
}

/* ---- files ------------------------------------------------------------------------------------------------ */

static void existing_files_are_replaced_only_on_demand(void **state) {
  thud_context *context = *state;
  thud_test_problem made = {0};
  thud_problem_solution guesses[2];
  assert_int_equal(make_kind(context, 2, 1, 10, &made), THUD_OK);
  thud_problem_contents contents = contents_of(&made, guesses);
  static const char *const names[] = {"p.yaml", "p.h5"};
  for (int k = 0; k < 2; k++) {
    thud_problem_format format = k == 0 ? THUD_PROBLEM_FORMAT_NATIVE : THUD_PROBLEM_FORMAT_FCLIB;
    const char *path = thud_test_path(names[k]);
    assert_int_equal(thud_problem_write(context, path, format, &contents, false), THUD_OK);
    size_t files = thud_test_folder_files();
    assert_int_equal(thud_problem_write(context, path, format, &contents, false), THUD_ERROR_EXISTS);
    thud_test_message_has(context, path, "exists", NULL);
    assert_int_equal(thud_problem_write(context, path, format, &contents, true), THUD_OK);
    assert_int_equal(thud_test_folder_files(), files);
  }
  /* A matrix file that is in the way: nothing new appears, and what is there stays. */
  thud_test_folder_empty();
  FILE *other = fopen(thud_test_path("x.W.mtx"), "w");
  assert_non_null(other);
  fputs("mine", other);
  fclose(other);
  assert_int_equal(thud_problem_write(context, thud_test_path("x.yaml"), THUD_PROBLEM_FORMAT_NATIVE, &contents, false),
                   THUD_ERROR_EXISTS);
  assert_int_equal(thud_test_folder_files(), 1);
  assert_int_equal(
      thud_problem_write(context, thud_test_path("no/such/p.h5"), THUD_PROBLEM_FORMAT_FCLIB, &contents, false),
      THUD_ERROR_FILE);
  assert_int_equal(thud_problem_write(context, thud_test_path("p.dat"), THUD_PROBLEM_FORMAT_SICONOS, &contents, false),
                   THUD_ERROR_UNSUPPORTED);
  assert_int_equal(thud_problem_write(context, NULL, THUD_PROBLEM_FORMAT_FCLIB, &contents, false), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_test_folder_files(), 1);
  thud_test_problem_destroy(&made);
}

static void bad_problems_are_not_written(void **state) {
  thud_context *context = *state;
  const double W[1] = {1}, q[1] = {0}, bad[1] = {-1};
  thud_contact_problem problem = {.dimension = 1,
                                  .contacts = 1,
                                  .W = {.storage = THUD_MATRIX_DENSE, .rows = 1, .columns = 1, .dense = W},
                                  .q = q,
                                  .mu = bad};
  thud_problem_contents contents = {.problem = &problem};
  assert_int_not_equal(
      thud_problem_write(context, thud_test_path("p.yaml"), THUD_PROBLEM_FORMAT_NATIVE, &contents, false), THUD_OK);
  problem.mu = NULL;
  const double infinite[1] = {HUGE_VAL};
  contents.solution.r = infinite;
  assert_int_equal(thud_problem_write(context, thud_test_path("p.yaml"), THUD_PROBLEM_FORMAT_NATIVE, &contents, false),
                   THUD_ERROR_NOT_FINITE);
  contents.solution.r = NULL;
  contents.guess_count = THUD_PROBLEM_GUESSES_MAX + 1;
  assert_int_equal(thud_problem_write(context, thud_test_path("p.yaml"), THUD_PROBLEM_FORMAT_NATIVE, &contents, false),
                   THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_test_folder_files(), 0);
}

static void the_expected_kind_is_checked(void **state) {
  thud_context *context = *state;
  thud_test_problem made = {0};
  thud_problem_solution guesses[2];
  thud_problem_file *file = NULL;
  assert_int_equal(make_kind(context, 6, 1, 3, &made), THUD_OK);
  thud_problem_contents contents = contents_of(&made, guesses);
  thud_problem_read_options options = thud_problem_read_options_default();
  static const char *const names[] = {"p.yaml", "p.h5"};
  for (int k = 0; k < 2; k++) {
    const char *path = thud_test_path(names[k]);
    thud_problem_format format = k == 0 ? THUD_PROBLEM_FORMAT_NATIVE : THUD_PROBLEM_FORMAT_FCLIB;
    assert_int_equal(thud_problem_write(context, path, format, &contents, true), THUD_OK);
    options.kind = THUD_PROBLEM_KIND_LOCAL;
    assert_int_equal(thud_problem_read(context, path, &options, &file), THUD_ERROR_FORMAT);
    thud_test_message_has(context, names[k], "'global'", "'local'", NULL);
    options.kind = THUD_PROBLEM_KIND_GLOBAL;
    assert_int_equal(thud_problem_read(context, path, &options, &file), THUD_OK);
    assert_non_null(strstr(thud_problem_file_decision(file), "global"));
    thud_problem_file_destroy(file);
    file = NULL;
  }
  options.kind = 77;
  assert_int_not_equal(thud_problem_read(context, thud_test_path("p.h5"), &options, &file), THUD_OK);
  assert_int_equal(thud_problem_read(context, NULL, NULL, &file), THUD_ERROR_ARGUMENT);
  assert_null(file);
  assert_string_equal(thud_problem_kind_name(THUD_PROBLEM_KIND_GLOBAL_ROLLING), "global-rolling");
  assert_null(thud_problem_kind_name((thud_problem_kind)99));
  assert_string_equal(thud_problem_format_name(THUD_PROBLEM_FORMAT_FCLIB), "fclib");
  assert_null(thud_problem_format_name((thud_problem_format)99));
  thud_test_problem_destroy(&made);
}

/* ---- failing allocations ------------------------------------------------------------------------------------ */

static thud_error read_once(thud_context *context, void *user) {
  thud_problem_file *file = NULL;
  thud_error error = thud_problem_read(context, user, NULL, &file);
  assert_int_equal(error == THUD_OK, file != NULL);
  thud_problem_file_destroy(file);
  return error;
}

typedef struct write_job {
  const char *path;
  thud_problem_format format;
  const thud_problem_contents *contents;
} write_job;

static thud_error write_once(thud_context *context, void *user) {
  const write_job *job = user;
  thud_test_folder_empty();
  thud_error error = thud_problem_write(context, job->path, job->format, job->contents, false);
  if (error != THUD_OK) assert_int_equal(thud_test_folder_files(), 0);
  return error;
}

static void failing_allocations_leave_nothing_behind(void **state) {
  thud_context *context = *state;
  static const int kinds[] = {1, 7, 11, 14, 15};
  for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
    thud_test_problem made = {0};
    thud_problem_solution guesses[2];
    assert_int_equal(make_kind(context, kinds[k], 3, 8, &made), THUD_OK);
    thud_problem_contents contents = contents_of(&made, guesses);
    write_job job = {.path = thud_test_path("p.yaml"), .format = THUD_PROBLEM_FORMAT_NATIVE, .contents = &contents};
    thud_test_sweep_allocations(write_once, &job);
    thud_test_sweep_allocations(read_once, (void *)job.path);
    if (fclib_can(made.problem)) {
      job = (write_job){.path = thud_test_path("p.h5"), .format = THUD_PROBLEM_FORMAT_FCLIB, .contents = &contents};
      thud_test_sweep_allocations(write_once, &job);
      thud_test_sweep_allocations(read_once, (void *)job.path);
    }
    thud_test_problem_destroy(&made);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(every_kind_survives_every_format_that_can_hold_it, begin, finish),
      cmocka_unit_test_setup_teardown(bilateral_rows_in_the_local_form_survive, begin, finish),
      cmocka_unit_test_setup_teardown(numbers_at_the_ends_of_the_range_survive, begin, finish),
      cmocka_unit_test_setup_teardown(a_problem_without_contacts_survives, begin, finish),
      cmocka_unit_test_setup_teardown(vectors_that_are_not_given_stay_away, begin, finish),
      cmocka_unit_test_setup_teardown(existing_files_are_replaced_only_on_demand, begin, finish),
      cmocka_unit_test_setup_teardown(bad_problems_are_not_written, begin, finish),
      cmocka_unit_test_setup_teardown(the_expected_kind_is_checked, begin, finish),
      cmocka_unit_test_setup_teardown(failing_allocations_leave_nothing_behind, begin, finish),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
