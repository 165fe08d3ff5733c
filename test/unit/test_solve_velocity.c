/* Velocity problems without a system: answers judged by a natural map that is computed here, every registered method,
 * thresholds from elsewhere, rank loss, infeasible rows, and what is refused. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/solve.h"

#include <math.h>
#include <string.h>

enum { ROWS = 16, BLOCKS = 8, LAWS = 4, EQUATIONS = 1 };

/* A problem with the arrays that it borrows. */
typedef struct bench {
  thud_velocity_problem problem;
  thud_velocity_block blocks[BLOCKS];
  thud_velocity_law laws[LAWS];
  double W[ROWS * ROWS], load[ROWS], zero[ROWS], r[ROWS], u[ROWS];
  thud_index basis_of[EQUATIONS];
  double triangle[EQUATIONS], along[EQUATIONS * ROWS], offset[EQUATIONS];
} bench;

static void start(bench *b) {
  memset(b, 0, sizeof *b);
  b->problem = (thud_velocity_problem){
      .blocks = b->blocks,
      .laws = b->laws,
      .W = {.storage = THUD_MATRIX_DENSE, .dense = b->W},
      .load = b->load,
      .u_free = b->load,
      .u_minus = b->zero,
      .rate = b->zero,
      .restitution = b->zero,
      .equations = {.basis_of = b->basis_of, .triangle = b->triangle, .along = b->along, .offset = b->offset}};
}

static thud_index add_law(bench *b, thud_index directions, thud_set *set) {
  b->laws[b->problem.law_count] = (thud_velocity_law){.directions = directions, .set = set};
  return b->problem.law_count++;
}

static thud_velocity_block *add_block(bench *b, bool has_normal, thud_index law, double friction_bound) {
  thud_velocity_problem *problem = &b->problem;
  thud_velocity_block *block = &b->blocks[problem->block_count++];
  *block = (thud_velocity_block){.first = problem->rows,
                                 .directions = law >= 0 ? b->laws[law].directions : 0,
                                 .has_normal = has_normal,
                                 .constraint = -1,
                                 .law = law,
                                 .friction_bound = friction_bound,
                                 .tied_row = -1,
                                 .tied_bilateral = -1};
  problem->rows += block->directions + (has_normal ? 1 : 0);
  problem->W.rows = problem->W.columns = problem->rows;
  return block;
}

/* W = A A' with as many columns as asked for (fewer than rows: singular), load normal. */
static void fill(bench *b, thud_random *random, thud_index columns) {
  double A[ROWS * 2 * ROWS];
  thud_index rows = b->problem.rows;
  for (thud_index i = 0; i < rows * columns; i++) A[i] = thud_random_normal(random);
  for (thud_index i = 0; i < rows; i++) {
    b->load[i] = thud_random_normal(random);
    for (thud_index j = 0; j < rows; j++) {
      double sum = 0;
      for (thud_index k = 0; k < columns; k++) sum += A[i * columns + k] * A[j * columns + k];
      b->W[i * rows + j] = sum;
    }
  }
}

/* ---- an independent natural map ---------------------------------------------------------------------------------- */

/* Nearest point of a box or of the disc, written out. */
static void nearest(const thud_velocity_law *law, const double *lower, const double *upper, double radius,
                    const double *x, double *y) {
  double size = 0;
  for (thud_index k = 0; k < law->directions; k++) size = hypot(size, x[k]);
  for (thud_index k = 0; k < law->directions; k++)
    y[k] = law->set != NULL ? fmin(fmax(x[k], radius * lower[k]), radius * upper[k])
                            : (size > radius ? x[k] * radius / size : x[k]);
}

static const double box_lower[2] = {-.5, -1}, box_upper[2] = {.5, 2};

/* max of |r_N - (r_N - u_N)+| and |r_T - proj(r_T - u_T)| over the blocks, u = W r + load from the start. */
static double natural_map(const bench *b, double bilateral) {
  double worst = 0;
  thud_index rows = b->problem.rows;
  for (thud_index c = 0; c < b->problem.block_count; c++) {
    const thud_velocity_block *block = &b->blocks[c];
    double u[4], x[3], y[3], radius = block->friction_bound;
    thud_index size = block->directions + block->has_normal, skip = block->has_normal ? 1 : 0;
    const double *r = b->r + block->first;
    for (thud_index i = 0; i < size; i++) {
      u[i] = b->load[block->first + i];
      for (thud_index j = 0; j < rows; j++) u[i] += b->W[(block->first + i) * rows + j] * b->r[j];
    }
    if (block->has_normal) {
      worst = fmax(worst, fabs(r[0] - fmax(r[0] - u[0], 0)));
      radius *= r[0];
    }
    if (block->tied_row >= 0) radius *= b->r[block->tied_row];
    if (block->tied_bilateral >= 0) radius *= fabs(bilateral);
    for (thud_index k = 0; k < block->directions; k++) x[k] = r[skip + k] - u[skip + k];
    if (block->law >= 0) nearest(&b->laws[block->law], box_lower, box_upper, fmax(radius, 0), x, y);
    for (thud_index k = 0; k < block->directions; k++) worst = fmax(worst, fabs(r[skip + k] - y[k]));
  }
  return worst;
}

static thud_velocity_info solve(thud_context *context, bench *b, const thud_solver_method *method, double tolerance) {
  thud_velocity_solver *solver = NULL;
  thud_velocity_info info;
  thud_solver_options options = thud_solver_options_default();
  options.tolerance = tolerance;
  assert_int_equal(thud_velocity_validate(context, &b->problem), THUD_OK);
  assert_int_equal(thud_velocity_solver_create(context, &b->problem, method, &options, &solver), THUD_OK);
  memset(b->r, 0, sizeof b->r);
  assert_int_equal(thud_velocity_solver_solve(solver, &b->problem, b->r, b->u, &info), THUD_OK);
  thud_velocity_solver_destroy(solver);
  return info;
}

static double largest(thud_index n, const double *x) {
  double most = 0;
  for (thud_index i = 0; i < n; i++) most = fmax(most, fabs(x[i]));
  return most;
}

/* The map here and that of the solver weigh rows by 1 and by W_ii, which is between 1e-3 and 1e3 here. */
static void assert_solved(const bench *b, const thud_velocity_info *info, double tolerance) {
  assert_int_equal(info->status, THUD_SOLVED);
  thud_assert_at_most(info->residual, tolerance);
  thud_assert_at_most(natural_map(b, 0), 1e3 * tolerance * largest(b->problem.rows, b->load));
}

/* ---- closed forms ------------------------------------------------------------------------------------------------ */

static void one_row_is_the_positive_part(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1101);
  for (int round = 0; round < 200; round++) {
    bench b;
    start(&b);
    add_block(&b, true, -1, 0);
    fill(&b, &random, 3);
    solve(context, &b, NULL, 1e-10);
    double expected = fmax(0, -b.load[0] / b.W[0]);
    thud_assert_near(b.r[0], expected, 4 * 2.3e-16 * expected);
  }
  thud_test_context_end(context);
}

/* One block of every kind: disc of one and two directions, a box, each with a normal row and by itself. */
static void one_block_is_solved_exactly(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1102);
  thud_set *box = NULL;
  assert_int_equal(thud_set_box(context, 2, box_lower, box_upper, &box), THUD_OK);
  for (int round = 0; round < 600; round++) {
    bench b;
    start(&b);
    thud_index law = round % 3 == 0 ? add_law(&b, 1, NULL) : add_law(&b, 2, round % 3 == 1 ? NULL : box);
    add_block(&b, round % 2 == 0, law, thud_random_uniform(&random, .05, 1));
    fill(&b, &random, 5);
    thud_velocity_info info = solve(context, &b, NULL, 1e-10);
    assert_solved(&b, &info, 1e-10);
    assert_string_equal(info.method, "sweeps");
  }
  thud_set_destroy(box);
  thud_test_context_end(context);
}

static void frictionless_rows_are_an_lcp(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1103);
  for (int round = 0; round < 200; round++) {
    bench b;
    start(&b);
    thud_index rows = 2 + (thud_index)thud_random_below(&random, BLOCKS - 1);
    for (thud_index i = 0; i < rows; i++) add_block(&b, true, -1, 0);
    fill(&b, &random, rows + 1);
    thud_velocity_info info = solve(context, &b, NULL, 1e-10);
    assert_solved(&b, &info, 1e-12);
    assert_false(info.set_valued);
    assert_string_equal(info.method, "principal pivoting");
  }
  thud_test_context_end(context);
}

/* ---- every registered method ------------------------------------------------------------------------------------- */

/* Contacts with and without friction and a law by itself: unique velocities, W being regular. */
static void make_contacts(bench *b, thud_random *random, thud_index directions) {
  start(b);
  thud_index law = add_law(b, directions, NULL);
  add_block(b, true, law, .3);
  add_block(b, true, -1, 0);
  add_block(b, true, law, .1);
  add_block(b, false, law, .5);
  fill(b, random, 2 * b->problem.rows);
}

static void every_method_solves_what_it_takes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1104);
  const double tolerance = 1e-8;
  for (int round = 0; round < 12; round++) {
    bench b;
    thud_index directions = round % 3;
    if (directions == 0) {
      start(&b);
      for (int k = 0; k < 5; k++) add_block(&b, true, -1, 0);
      fill(&b, &random, 10);
    } else {
      make_contacts(&b, &random, directions);
    }
    for (size_t k = 0; k < thud_solver_method_count(); k++) {
      const thud_solver_method *method = thud_solver_method_at(k);
      unsigned needed = directions == 0 ? THUD_ACCEPTS_LCP : directions == 1 ? THUD_ACCEPTS_2D : THUD_ACCEPTS_3D;
      if ((thud_solver_method_accepts(method) & needed) == 0) {
        thud_velocity_solver *solver = NULL;
        assert_int_equal(thud_velocity_solver_create(context, &b.problem, method, NULL, &solver),
                         THUD_ERROR_UNSUPPORTED);
        assert_null(solver);
        assert_non_null(strstr(thud_context_last_message(context), thud_solver_method_name(method)));
        continue;
      }
      thud_velocity_info info = solve(context, &b, method, tolerance);
      assert_solved(&b, &info, tolerance);
    }
  }
  thud_test_context_end(context);
}

/* Loads and thresholds times 2^-70 give impulses times 2^-70, bit for bit: nothing is measured absolutely. */
static void tiny_problems_are_solved_like_any_other(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1105);
  const double tiny = ldexp(1, -70), tolerance = 1e-8;
  for (int round = 0; round < 4; round++) {
    thud_index directions = 1 + round % 2;
    bench b, small;
    make_contacts(&b, &random, directions);
    for (size_t k = 0; k < thud_solver_method_count(); k++) {
      const thud_solver_method *method = thud_solver_method_at(k);
      unsigned needed = directions == 1 ? THUD_ACCEPTS_2D : THUD_ACCEPTS_3D;
      if ((thud_solver_method_accepts(method) & needed) == 0) continue;
      small = b;
      small.problem.blocks = small.blocks;
      small.problem.laws = small.laws;
      small.problem.W.dense = small.W;
      small.problem.load = small.problem.u_free = small.load;
      small.blocks[3].friction_bound *= tiny;
      for (thud_index i = 0; i < b.problem.rows; i++) small.load[i] *= tiny;
      thud_velocity_info info = solve(context, &b, method, tolerance);
      assert_solved(&b, &info, tolerance);
      info = solve(context, &small, method, tolerance);
      assert_solved(&small, &info, tolerance);
      for (thud_index i = 0; i < b.problem.rows; i++) thud_assert_equal(small.r[i], b.r[i] * tiny);
    }
  }
  thud_test_context_end(context);
}

static void direct_methods_come_in_the_order_of_the_registry(void **state) {
  (void)state;
  size_t count = 0;
  for (size_t k = 0; k < thud_solver_method_count(); k++)
    if (thud_solver_method_direct(count) == thud_solver_method_at(k)) count++;
  thud_assert_at_least(count, 2);
  assert_null(thud_solver_method_direct(count));
}

/* ---- thresholds from elsewhere, rank loss, no solution ----------------------------------------------------------- */

static void thresholds_come_from_other_rows(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1105);
  for (int round = 0; round < 100; round++) {
    bench b;
    start(&b);
    thud_index law = add_law(&b, 1, NULL);
    add_block(&b, true, -1, 0);
    thud_velocity_block *second = add_block(&b, false, law, .2);
    fill(&b, &random, 8);
    bool of_equation = round % 2 == 1;
    double bilateral = 0;
    if (of_equation) { /* T l = offset - B r with numbers that leave the fixed point a contraction */
      second->tied_bilateral = 0;
      b.problem.equations.count = 1;
      b.triangle[0] = 2, b.offset[0] = thud_random_normal(&random), b.along[0] = .1, b.along[1] = -.1;
    } else {
      second->tied_row = 0;
    }
    thud_velocity_info info = solve(context, &b, NULL, 1e-10);
    assert_int_equal(info.status, THUD_SOLVED);
    thud_velocity_equation_impulses(&b.problem, b.r, &bilateral);
    if (of_equation)
      thud_assert_near(2 * bilateral + .1 * b.r[0] - .1 * b.r[1], b.offset[0], 1e-14 * (1 + fabs(b.offset[0])));
    thud_assert_at_most(natural_map(&b, bilateral), 1e-7 * largest(2, b.load));
    thud_velocity_solver *solver = NULL; /* contact problems do not have that */
    assert_int_equal(thud_velocity_solver_create(context, &b.problem, thud_solver_method_find("auto"), NULL, &solver),
                     THUD_ERROR_UNSUPPORTED);
    assert_non_null(strstr(thud_context_last_message(context),
                           of_equation
                               ? "velocity problem: the solver's method 'auto' does not take friction whose threshold "
                                 "is the reaction of an equation (contacts: 2); it is: the other methods in turn, by "
                                 "counts of work, from the best iterate; proofs that there is no solution"
                               : "velocity problem: the solver's method 'auto' does not take a second friction "
                                 "law at one constraint (contacts: 2); it is: the other methods in turn, by "
                                 "counts of work, from the best iterate; proofs that there is no solution"));
  }
  thud_test_context_end(context);
}

static void rank_loss_is_reported(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  bench b;
  start(&b);
  for (int k = 0; k < 2; k++) add_block(&b, true, -1, 0);
  for (int k = 0; k < 4; k++) b.W[k] = 1;
  b.load[0] = b.load[1] = -1;
  thud_velocity_info info = solve(context, &b, NULL, 1e-10);
  assert_int_equal(info.status, THUD_SOLVED);
  assert_true(info.set_valued);
  thud_assert_near(b.r[0] + b.r[1], 1, 1e-14);
  b.W[1] = b.W[2] = -1; /* u_1 = -u_2 cannot both be made positive */
  info = solve(context, &b, NULL, 1e-10);
  assert_int_equal(info.status, THUD_SOLVER_INFEASIBLE);
  thud_test_context_end(context);
}

/* ---- refusals ------------------------------------------------------------------------------------------------------
 */

static void bad_problems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1106);
  bench b, good;
  make_contacts(&good, &random, 1);
#define REFUSED(change, error)                                                                                         \
  b = good;                                                                                                            \
  b.problem.blocks = b.blocks, b.problem.laws = b.laws, b.problem.W.dense = b.W;                                       \
  b.problem.load = b.problem.u_free = b.load;                                                                          \
  change;                                                                                                              \
  assert_int_equal(thud_velocity_validate(context, &b.problem), error)
  REFUSED(b.blocks[1].first = 9, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[0].law = 3, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[0].friction_bound = -1, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[0].tied_row = 2, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[3].tied_row = 20, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[3].tied_bilateral = 0, THUD_ERROR_ARGUMENT);
  static const thud_velocity_coupling nothing = {.count = 0};
  REFUSED(b.blocks[0].coupling = &nothing, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[3].coupling = &nothing, THUD_ERROR_ARGUMENT);
  REFUSED(b.blocks[1].has_normal = false, THUD_ERROR_ARGUMENT);
  REFUSED(b.problem.block_count = 3, THUD_ERROR_DIMENSION);
  REFUSED(b.problem.W.storage = THUD_MATRIX_SPARSE, THUD_ERROR_DIMENSION);
  REFUSED(b.load[2] = NAN, THUD_ERROR_NOT_FINITE);
  REFUSED(b.W[0] = -1, THUD_ERROR_ARGUMENT);
#undef REFUSED
  thud_velocity_solver *solver = NULL;
  good.laws[0].directions = 3; /* a disc has one or two */
  assert_int_equal(thud_velocity_solver_create(context, &good.problem, NULL, NULL, &solver), THUD_ERROR_DIMENSION);
  good.laws[0].directions = 1;
  good.problem.block_count = 2;
  assert_int_equal(thud_velocity_solver_create(context, &good.problem, NULL, NULL, &solver), THUD_OK);
  good.problem.block_count = 4; /* more than it was made for */
  assert_int_equal(thud_velocity_solver_solve(solver, &good.problem, good.r, good.u, NULL), THUD_ERROR_DIMENSION);
  thud_velocity_solver_destroy(solver);
  thud_velocity_solver_destroy(NULL);
  thud_test_context_end(context);
}

static thud_error create_and_solve(thud_context *context, void *user) {
  bench b;
  thud_random random = thud_random_seed(1107);
  thud_velocity_solver *solver = NULL;
  thud_set *box = NULL;
  thud_error error = thud_set_box(context, 2, box_lower, box_upper, &box);
  if (error != THUD_OK) return error;
  start(&b);
  add_block(&b, true, add_law(&b, 2, box), .4);
  add_block(&b, true, add_law(&b, 2, NULL), .4);
  fill(&b, &random, 12);
  error = thud_velocity_solver_create(context, &b.problem, user, NULL, &solver);
  if (error == THUD_OK) error = thud_velocity_solver_solve(solver, &b.problem, b.r, b.u, NULL);
  thud_velocity_solver_destroy(solver);
  thud_set_destroy(box);
  return error;
}

static void failed_allocations_are_survived(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(create_and_solve, NULL), 10);
  thud_assert_greater(thud_test_sweep_allocations(create_and_solve, (void *)thud_solver_method_find("gauss-seidel")),
                      20);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(one_row_is_the_positive_part),
      cmocka_unit_test(one_block_is_solved_exactly),
      cmocka_unit_test(frictionless_rows_are_an_lcp),
      cmocka_unit_test(every_method_solves_what_it_takes),
      cmocka_unit_test(tiny_problems_are_solved_like_any_other),
      cmocka_unit_test(direct_methods_come_in_the_order_of_the_registry),
      cmocka_unit_test(thresholds_come_from_other_rows),
      cmocka_unit_test(rank_loss_is_reported),
      cmocka_unit_test(bad_problems_are_refused),
      cmocka_unit_test(failed_allocations_are_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
