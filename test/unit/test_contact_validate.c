/* Validation: every kind of bad statement is refused with a message that says what and where; what is only suspicious
 * is measured. */
#include "testing.h"
#include "thud/contact.h"
#include "failing_allocator.h"

#include <math.h>
#include <string.h>

/* A good local 3D problem with two contacts and one bilateral row, whose arrays tests may spoil. */
typedef struct local_case {
  double W[36], q[6], V[6], R[1], s[1], mu[2];
  thud_contact_problem problem;
} local_case;

static thud_matrix dense(thud_index rows, thud_index columns, const double *values) {
  return (thud_matrix){.storage = THUD_MATRIX_DENSE, .rows = rows, .columns = columns, .dense = values};
}

static void make_local(local_case *made) {
  memset(made, 0, sizeof *made);
  for (int i = 0; i < 6; i++) made->W[7 * i] = 2;
  made->R[0] = 1;
  made->mu[0] = made->mu[1] = 0.5;
  made->problem =
      (thud_contact_problem){.dimension = 3, .contacts = 2, .bilateral = 1, .mu = made->mu, .q = made->q, .s = made->s};
  made->problem.W = dense(6, 6, made->W);
  made->problem.V = dense(6, 1, made->V);
  made->problem.R = dense(1, 1, made->R);
}

/* Asserts the error and two pieces of the message; the diagnosis is not touched. */
static void refuse(thud_context *context, const thud_contact_problem *problem, thud_error error, const char *first,
                   const char *second) {
  thud_contact_diagnosis diagnosis = {.asymmetry = -7};
  assert_int_equal(thud_contact_validate(context, problem, &diagnosis), error);
  thud_assert_equal(diagnosis.asymmetry, -7);
  thud_test_message_has(context, first, second, NULL);
}

static void accept(thud_context *context, const thud_contact_problem *problem) {
  assert_int_equal(thud_contact_validate(context, problem, NULL), THUD_OK);
}

static void statements_of_no_kind_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  local_case made;
  make_local(&made);
  accept(context, &made.problem);
  thud_contact_problem bad = made.problem;
  bad.form = (thud_contact_form)7;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "7", "form");
  bad = made.problem;
  bad.dimension = 7;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "dimension is 7", "rolling");
  bad.dimension = 0;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "dimension is 0", "spinning");
  bad.friction = THUD_FRICTION_PLANE_ROLLING;
  bad.dimension = 2;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "dimension is 2", "has 3 components");
  bad.friction = (thud_contact_friction)2;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "friction is 2", "plane rolling");
  bad = made.problem;
  bad.contacts = -1;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "there are -1 contacts and 1 bilateral rows: counts are >= 0", ">= 0");
  bad = made.problem;
  bad.bilateral = -2;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "there are 2 contacts and -2 bilateral rows: counts are >= 0", ">= 0");
  bad = made.problem;
  bad.contacts = INT32_MAX;
  refuse(context, &bad, THUD_ERROR_OVERFLOW,
         "2147483647 contacts of dimension 3: at most 2147483647 components are possible", "dimension 3");
  bad = made.problem;
  bad.form = THUD_FORM_TWO_BLOCK;
  bad.contacts = 0;
  bad.two_block.block = 3;
  refuse(context, &bad, THUD_ERROR_ARGUMENT,
         "there are 1 bilateral rows and 0 joints: in the two-block form every row belongs to a joint",
         "belongs to a joint");
  thud_test_context_end(context);
}

static void bad_coefficients_are_named_by_contact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  local_case made;
  make_local(&made);
  made.mu[1] = -0.1;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "mu of contact 1 is -0.1: a coefficient of friction is >= 0",
         ">= 0");
  made.mu[1] = NAN;
  refuse(context, &made.problem, THUD_ERROR_NOT_FINITE, "mu of contact 1", "nan");
  made.mu[1] = INFINITY;
  refuse(context, &made.problem, THUD_ERROR_NOT_FINITE, "mu of contact 1", "inf");
  made.mu[1] = 0;
  accept(context, &made.problem);
  made.problem.mu_rolling = made.mu;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT,
         "mu_rolling is given, but dimension 3 has no such friction: leave it out (NULL)", "dimension 3");
  made.problem.mu_rolling = NULL;
  made.problem.mu = NULL;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "mu is NULL",
         "mu is NULL: dimension 3 needs one coefficient per contact");
  thud_contact_problem rolling = {.dimension = 5, .contacts = 1, .mu = made.mu};
  refuse(context, &rolling, THUD_ERROR_ARGUMENT, "mu_rolling is NULL: dimension 5 needs one coefficient per contact",
         "dimension 5");
  const double bad_rolling = -1;
  rolling.mu_rolling = &bad_rolling;
  refuse(context, &rolling, THUD_ERROR_ARGUMENT, "mu_rolling of contact 0 is -1: a coefficient of friction is >= 0",
         ">= 0");
  thud_contact_problem lcp = {.dimension = 1, .contacts = 1, .mu = made.mu};
  refuse(context, &lcp, THUD_ERROR_ARGUMENT, "mu is given", "dimension 1");
  thud_contact_problem spinning = {.dimension = 4, .contacts = 1, .mu = made.mu};
  refuse(context, &spinning, THUD_ERROR_ARGUMENT, "mu_spinning is NULL", "dimension 4");
  spinning.mu_spinning = &bad_rolling;
  refuse(context, &spinning, THUD_ERROR_ARGUMENT, "mu_spinning of contact 0 is -1", ">= 0");
  spinning.mu_spinning = made.mu;
  spinning.mu_rolling = made.mu;
  refuse(context, &spinning, THUD_ERROR_ARGUMENT, "mu_rolling is given", "dimension 4");
  thud_contact_problem both = {.dimension = 6, .contacts = 1, .mu = made.mu, .mu_rolling = made.mu};
  refuse(context, &both, THUD_ERROR_ARGUMENT, "mu_spinning is NULL", "dimension 6");
  thud_contact_problem plane = {.dimension = 3, .contacts = 1, .mu = made.mu, .friction = THUD_FRICTION_PLANE_ROLLING};
  refuse(context, &plane, THUD_ERROR_ARGUMENT, "mu_rolling is NULL", "dimension 3");
  plane.mu_rolling = plane.mu_spinning = made.mu;
  refuse(context, &plane, THUD_ERROR_ARGUMENT, "mu_spinning is given", "dimension 3");
  thud_test_context_end(context);
}

static void bad_laws_are_named_by_contact(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  local_case made;
  const double zero[3] = {0}, away[2] = {3, 0}, normal[2] = {1, 0}, direction[2] = {0, 1};
  thud_set *good = NULL, *solid = NULL, *shifted = NULL, *half = NULL, *line = NULL;
  assert_int_equal(thud_set_ball(context, 2, zero, 1, &good), THUD_OK);
  assert_int_equal(thud_set_ball(context, 3, zero, 1, &solid), THUD_OK);
  assert_int_equal(thud_set_ball(context, 2, away, 1, &shifted), THUD_OK);
  assert_int_equal(thud_set_half_space(context, 2, normal, 1, &half), THUD_OK);
  assert_int_equal(thud_set_half_line(context, 2, zero, direction, &line), THUD_OK);
  make_local(&made);
  thud_set *laws[2] = {NULL, good};
  made.problem.laws = laws;
  accept(context, &made.problem);
  laws[1] = solid;
  refuse(context, &made.problem, THUD_ERROR_DIMENSION, "law of contact 1", "dimension 3");
  laws[1] = shifted;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "law of contact 1",
         "law of contact 1: the ball does not contain 0 (its distance is 2): friction could push on its own");
  laws[1] = half;
  refuse(context, &made.problem, THUD_ERROR_UNSUPPORTED, "law of contact 1", "not bounded");
  laws[1] = line;
  refuse(context, &made.problem, THUD_ERROR_UNSUPPORTED, "law of contact 1", "not bounded");
  laws[1] = good;
  made.problem.mu = NULL;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "mu is NULL",
         "mu is NULL: dimension 3 needs one coefficient per contact");
  laws[0] = good;
  accept(context, &made.problem); /* a law everywhere: no mu needed */
  thud_contact_problem lcp = {.dimension = 1, .contacts = 1, .laws = laws};
  refuse(context, &lcp, THUD_ERROR_UNSUPPORTED, "laws are given",
         "laws are given, but general laws need dimension 2 or 3 without rolling friction, not 1");
  thud_set *const sets[] = {good, solid, shifted, half, line};
  for (size_t k = 0; k < 5; k++) thud_set_destroy(sets[k]);
  thud_test_context_end(context);
}

static void bad_matrices_of_the_local_form_are_named_by_entry(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  local_case made;
  make_local(&made);
  made.W[2 + 6 * 4] = NAN;
  refuse(context, &made.problem, THUD_ERROR_NOT_FINITE, "W: entry (2,4) is nan", "nan");
  make_local(&made);
  made.problem.W.rows = 5;
  refuse(context, &made.problem, THUD_ERROR_DIMENSION, "W is 5 x 6: a 6 x 6 matrix is needed", "6 x 6");
  made.problem.W = (thud_matrix){0};
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "W is missing: a 6 x 6 matrix is needed", "6 x 6");
  made.problem.W = dense(6, 6, NULL);
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "W", "NULL");
  made.problem.W = dense(6, 6, made.W);
  made.problem.W.storage = (thud_matrix_storage)8;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "W: 8 is not a storage of a matrix", "storage");
  make_local(&made);
  made.problem.V.columns = 2;
  refuse(context, &made.problem, THUD_ERROR_DIMENSION, "V is 6 x 2: a 6 x 1 matrix is needed", "6 x 1");
  make_local(&made);
  made.R[0] = INFINITY;
  refuse(context, &made.problem, THUD_ERROR_NOT_FINITE, "R: entry (0,0) is inf", "inf");
  make_local(&made);
  made.problem.q = NULL;
  refuse(context, &made.problem, THUD_ERROR_ARGUMENT, "q is NULL: an array of 6 numbers is needed", "6 numbers");
  make_local(&made);
  made.q[5] = NAN;
  refuse(context, &made.problem, THUD_ERROR_NOT_FINITE, "q[5]", "nan");
  make_local(&made);
  made.s[0] = NAN;
  refuse(context, &made.problem, THUD_ERROR_NOT_FINITE, "s[0]", "nan");
  thud_test_context_end(context);
}

static void bad_sparse_and_block_matrices_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double value[2] = {1, 1}, q[2] = {0}, values[4] = {1, 0, 0, 1};
  thud_index start[3] = {0, 1, 2}, row[2] = {0, 1}, block_start[2] = {0, 1}, block_column[1] = {0};
  const double mu[2] = {0};
  thud_contact_problem problem = {.dimension = 1, .contacts = 2, .q = q};
  problem.W =
      (thud_matrix){.storage = THUD_MATRIX_SPARSE, .rows = 2, .columns = 2, .sparse = {2, 2, start, row, value}};
  accept(context, &problem);
  row[1] = 2;
  refuse(context, &problem, THUD_ERROR_ARGUMENT, "W", "W: sparse: column 1 has an entry in row 2, outside 0..1");
  row[1] = -1;
  refuse(context, &problem, THUD_ERROR_ARGUMENT, "W", "W: sparse: column 1 has an entry in row -1, outside 0..1");
  row[1] = 1;
  value[1] = NAN;
  refuse(context, &problem, THUD_ERROR_NOT_FINITE, "W", "(1,1)");
  value[1] = 1;
  start[1] = 5;
  refuse(context, &problem, THUD_ERROR_ARGUMENT, "W", "outside");
  start[1] = 1;
  problem.W.sparse.rows = 3;
  refuse(context, &problem, THUD_ERROR_DIMENSION, "W: said to be 2 x 2",
         "W: said to be 2 x 2, but its sparse matrix is 3 x 2");
  problem.W = (thud_matrix){.storage = THUD_MATRIX_BLOCKS, .rows = 2, .columns = 2};
  problem.W.blocks = (thud_bsr){1, 1, 2, 2, block_start, block_column, values};
  refuse(context, &problem, THUD_ERROR_DIMENSION, "W: its blocks are 2 x 2, one per pair of contacts is 1 x 1",
         "1 x 1");
  problem.dimension = 2;
  problem.contacts = 1;
  problem.mu = mu;
  accept(context, &problem);
  block_column[0] = 1;
  refuse(context, &problem, THUD_ERROR_ARGUMENT, "W",
         "W: block rows: block row 0 has an entry in block column 1, outside 0..0");
  block_column[0] = 0;
  values[3] = NAN;
  refuse(context, &problem, THUD_ERROR_NOT_FINITE, "W", "W: block rows: entry (1,1) of block (0,0) is nan");
  values[3] = 1;
  problem.W.blocks.block_rows = 0;
  refuse(context, &problem, THUD_ERROR_DIMENSION, "W: said to be 2 x 2",
         "W: said to be 2 x 2, but its blocks make a 0 x 2 matrix");
  thud_test_context_end(context);
}

static void bad_global_problems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double M[4] = {1, 0, 0, 1}, H[4] = {1, 0, 0, 1}, G[2] = {1, 1}, f[2] = {0}, w[2] = {0}, b[1] = {0};
  const double mu[1] = {0.1};
  thud_contact_problem good = {
      .form = THUD_FORM_GLOBAL, .dimension = 2, .contacts = 1, .mu = mu, .bilateral = 1, .f = f, .w = w, .b = b};
  good.M = dense(2, 2, M);
  good.H = dense(2, 2, H);
  good.G = dense(2, 1, G);
  accept(context, &good);
  thud_contact_problem bad = good;
  bad.w = bad.b = NULL; /* count as 0 */
  accept(context, &bad);
  bad.f = NULL;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "f is NULL: an array of 2 numbers is needed", "2 numbers");
  bad = good;
  bad.M.columns = 3;
  refuse(context, &bad, THUD_ERROR_DIMENSION, "M is 2 x 3: a 2 x 2 matrix is needed", "2 x 2");
  bad = good;
  bad.M.rows = -1;
  refuse(context, &bad, THUD_ERROR_DIMENSION, "M has -1 rows", "M");
  const thud_index start[2] = {0, 2}, column[2] = {0, 1};
  bad = good;
  bad.M = (thud_matrix){.storage = THUD_MATRIX_BLOCKS, .rows = 2, .columns = 2};
  bad.M.blocks = (thud_bsr){1, 2, 2, 1, start, column, M};
  refuse(context, &bad, THUD_ERROR_DIMENSION, "M: its blocks are 2 x 1, square ones are needed", "square");
  bad = good;
  bad.H = dense(2, 3, H);
  refuse(context, &bad, THUD_ERROR_DIMENSION, "H is 2 x 3: a 2 x 2 matrix is needed", "2 x 2");
  bad = good;
  bad.G = (thud_matrix){0};
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "G is missing: a 2 x 1 matrix is needed", "2 x 1");
  f[1] = NAN;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "f[1]", "nan");
  f[1] = 0;
  w[0] = INFINITY;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "w[0]", "inf");
  w[0] = 0;
  b[0] = NAN;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "b[0]", "nan");
  b[0] = 0;
  H[2] = NAN;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "H: entry (0,1) is nan", "nan");
  thud_test_context_end(context);
}

static void bad_two_block_problems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double inverse_mass[2] = {1, 1}, velocity[2] = {0}, J_a[2] = {1, 1}, J_b[2] = {-1, NAN}, w[2] = {0};
  thud_index a[2] = {0, 1}, b[2] = {1, -1}; /* the NaN belongs to the world: not read */
  thud_contact_problem good = {.form = THUD_FORM_TWO_BLOCK, .dimension = 1, .contacts = 2};
  good.two_block = (thud_two_block){.bodies = 2,
                                    .block = 1,
                                    .inverse_mass = inverse_mass,
                                    .free_velocity = velocity,
                                    .body_a = a,
                                    .body_b = b,
                                    .jacobian_a = J_a,
                                    .jacobian_b = J_b,
                                    .w = w};
  accept(context, &good);
  thud_contact_problem bad = good;
  bad.two_block.block = 7;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "2 bodies with 7 degrees of freedom each: 1 to 6 are possible", "1 to 6");
  bad = good;
  bad.two_block.bodies = -1;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "-1 bodies with 1 degrees of freedom each: 1 to 6 are possible",
         "degrees");
  bad = good;
  bad.two_block.bodies = INT32_MAX;
  bad.two_block.block = 6;
  refuse(context, &bad, THUD_ERROR_OVERFLOW, "2147483647 bodies",
         "2147483647 bodies: at most 2147483647 degrees of freedom are possible");
  a[1] = 2;
  refuse(context, &good, THUD_ERROR_ARGUMENT, "body_a of contact 1 is 2, outside 0..1", "0..1");
  a[1] = 1;
  b[1] = -2;
  refuse(context, &good, THUD_ERROR_ARGUMENT, "body_b of contact 1 is -2, outside -1..1", "-1..1");
  b[1] = 1;
  refuse(context, &good, THUD_ERROR_ARGUMENT, "contact 1 touches body 1 twice: body_a and body_b must differ",
         "differ");
  b[1] = 0;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "contact 1: jacobian_b[0] is nan", "nan");
  b[1] = -1;
  J_a[1] = INFINITY;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "jacobian_a[1]", "inf");
  J_a[1] = 1;
  inverse_mass[0] = NAN;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "inverse_mass[0]", "nan");
  inverse_mass[0] = 1;
  velocity[1] = NAN;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "free_velocity[1]", "nan");
  velocity[1] = 0;
  w[1] = NAN;
  refuse(context, &good, THUD_ERROR_NOT_FINITE, "w[1]", "nan");
  bad = good;
  bad.two_block.w = NULL;
  accept(context, &bad);
  bad.two_block.body_b = NULL;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "body_b is NULL: every contact needs its bodies", "bodies");
  bad.two_block.body_a = NULL;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "body_a is NULL: every contact needs its bodies", "bodies");
  bad = good;
  bad.two_block.jacobian_b = NULL;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "contact 0: jacobian_b is NULL: an array of 1 numbers is needed",
         "contact 0");
  bad = good;
  bad.two_block.inverse_mass = NULL;
  refuse(context, &bad, THUD_ERROR_ARGUMENT, "inverse_mass is NULL: an array of 2 numbers is needed", "2 numbers");
  thud_test_context_end(context);
}

/* ---- diagnosis ---------------------------------------------------------------------------------------------- */

static thud_contact_diagnosis diagnose(thud_context *context, const thud_contact_problem *problem) {
  thud_contact_diagnosis found;
  assert_int_equal(thud_contact_validate(context, problem, &found), THUD_OK);
  return found;
}

/* W = 2 I, changed in one entry; the same figures in every storage. */
static void asymmetry_and_diagonal_are_measured_in_every_storage(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  local_case made;
  make_local(&made);
  thud_contact_diagnosis found = diagnose(context, &made.problem);
  thud_assert_equal(found.asymmetry, 0);
  thud_assert_equal(found.negative_diagonal, -1);
  thud_assert_equal(found.zero_rows, 0);
  made.W[1 + 6 * 5] = 0.5;
  made.W[5 + 6 * 1] = 0.25;
  made.W[7 * 4] = -1;
  made.W[7 * 3] = 0;
  for (int storage = THUD_MATRIX_DENSE; storage <= THUD_MATRIX_BLOCKS; storage++) {
    thud_owned_problem *stored = NULL;
    assert_int_equal(thud_contact_to_local(context, &made.problem, (thud_matrix_storage)storage, &stored), THUD_OK);
    found = diagnose(context, thud_owned_problem_view(stored));
    thud_assert_equal(found.asymmetry, 0.125);
    assert_int_equal(found.negative_diagonal, 4);
    assert_int_equal(found.zero_rows, 1); /* the second contact's normal row */
    thud_owned_problem_destroy(stored);
  }
  thud_test_context_end(context);
}

static void global_and_two_block_problems_are_diagnosed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double M[9] = {4, 0, 0, 1, 0, 0, 0, 0, 1}, H[12] = {1, 0, 0, 0, 0, 0, 0, 0, 0, 1, 0, 0}, f[3] = {0};
  const double mu[2] = {0};
  thud_contact_problem global = {.form = THUD_FORM_GLOBAL, .dimension = 2, .contacts = 2, .mu = mu, .f = f};
  global.M = dense(3, 3, M);
  global.H = dense(3, 4, H); /* columns: e1, 0; 0, e1: the second contact's normal is missing */
  thud_contact_diagnosis found = diagnose(context, &global);
  thud_assert_equal(found.asymmetry, 0.25);
  assert_int_equal(found.negative_diagonal, 1); /* M_11 = 0 */
  assert_int_equal(found.zero_rows, 1);
  const double inverse_mass[12] = {1, 0.5, 0, 1, 0, 0, 0, 0, -1, 0, 0, 1}, velocity[6] = {0};
  const double J[6] = {1, 0, 1, 0, 1, 0};
  const thud_index a[3] = {0, 1, 2}, b[3] = {-1, -1, -1};
  thud_contact_problem two = {.form = THUD_FORM_TWO_BLOCK, .dimension = 1, .contacts = 3};
  two.two_block = (thud_two_block){.bodies = 3,
                                   .block = 2,
                                   .inverse_mass = inverse_mass,
                                   .free_velocity = velocity,
                                   .body_a = a,
                                   .body_b = b,
                                   .jacobian_a = J};
  found = diagnose(context, &two);
  thud_assert_equal(found.asymmetry, 0.5);
  assert_int_equal(found.zero_rows, 1); /* body 1 does not move */
  assert_int_equal(found.negative_diagonal, 2);
  thud_test_context_end(context);
}

static thud_error validate(thud_context *context, void *user) {
  thud_contact_diagnosis found = {.asymmetry = -7};
  thud_error error = thud_contact_validate(context, user, &found);
  if (error != THUD_OK) thud_assert_equal(found.asymmetry, -7);
  return error;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  local_case made;
  make_local(&made);
  for (int storage = THUD_MATRIX_DENSE; storage <= THUD_MATRIX_BLOCKS; storage++) {
    thud_owned_problem *stored = NULL;
    assert_int_equal(thud_contact_to_local(context, &made.problem, (thud_matrix_storage)storage, &stored), THUD_OK);
    thud_assert_at_least(thud_test_sweep_allocations(validate, (void *)thud_owned_problem_view(stored)), 3);
    thud_owned_problem_destroy(stored);
  }
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(statements_of_no_kind_are_refused),
      cmocka_unit_test(bad_coefficients_are_named_by_contact),
      cmocka_unit_test(bad_laws_are_named_by_contact),
      cmocka_unit_test(bad_matrices_of_the_local_form_are_named_by_entry),
      cmocka_unit_test(bad_sparse_and_block_matrices_are_refused),
      cmocka_unit_test(bad_global_problems_are_refused),
      cmocka_unit_test(bad_two_block_problems_are_refused),
      cmocka_unit_test(asymmetry_and_diagonal_are_measured_in_every_storage),
      cmocka_unit_test(global_and_two_block_problems_are_diagnosed),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
