/* Parameters, moving sets, clones, allocations, failures. */
#include "failing_allocator.h"
#include "random_matrices.h"
#include "random_sets.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { D = TEST_DIMENSION_MAX, PARAMETERS = 400 };

static void get_parameters(const thud_set *set, double *numbers) {
  thud_assert_at_most(thud_set_parameter_count(set), PARAMETERS);
  thud_set_get_parameters(set, numbers);
}

/* The answers of a set at a few points (and whether it is empty), for comparisons bit for bit. */
static void answers(thud_set *set, const thud_metric *metric, uint64_t seed, double *out) {
  thud_random random = thud_random_seed(seed);
  thud_index n = thud_set_dimension(set);
  double x[D];
  for (int k = 0; k < 3; k++) {
    for (thud_index i = 0; i < n; i++) x[i] = 2 * thud_random_normal(&random);
    memset(out, 0, (2 * D + 2) * sizeof *out);
    thud_error error = thud_set_project(set, metric, x, out, NULL);
    if (error == THUD_OK) error = thud_set_support(set, x, out + D, out + D + 1, NULL);
    assert_true(error == THUD_OK || error == THUD_ERROR_EMPTY_SET); /* tangent operands may part when moved */
    out[2 * D + 1] = error;
    out += 2 * D + 2;
  }
}

enum { ANSWERS = 3 * (2 * D + 2) };

static test_set *random_tree(thud_context *context, thud_random *random, int k, bool polyhedral) {
  test_kind kind = (test_kind)(k % TEST_KINDS);
  thud_index n = 2 + (thud_index)thud_random_below(random, 3);
  test_set *s = test_random_set(context, random, kind, n, kind < TEST_LEAVES ? 1 : 3, polyhedral);
  assert_int_equal(thud_set_set_tolerance(s->set, 1e-8, 300), THUD_OK);
  return s;
}

/* ---- parameters -------------------------------------------------------------------------------------- */

static void parameters_go_round_and_moving_equals_rebuilding(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(21);
  for (int k = 0; k < 400; k++) {
    uint64_t seed = thud_random_bits(&random);
    /* Two trees of the same shape with other numbers: the second stream differs only in how it is used. */
    thud_random one = thud_random_seed(seed);
    test_set *s = random_tree(context, &one, k, k % 4 == 0);
    thud_set *moved;
    assert_int_equal(thud_set_clone(context, s->set, &moved), THUD_OK);
    thud_metric *metric = test_random_metric(context, &random, k % 3, s->n, 2);
    size_t count = thud_set_parameter_count(s->set);
    double numbers[PARAMETERS], changed[PARAMETERS], back[PARAMETERS], before[ANSWERS], after[ANSWERS],
        rebuilt[ANSWERS];
    get_parameters(s->set, numbers);
    answers(s->set, metric, seed, before);

    /* Round trip: the same bits. */
    assert_int_equal(thud_set_set_parameters(s->set, numbers), THUD_OK);
    get_parameters(s->set, back);
    assert_memory_equal(numbers, back, count * sizeof *numbers);
    answers(s->set, metric, seed, after);
    assert_memory_equal(before, after, sizeof before);

    /* Move away: either accepted, and then the same as a clone (which is built afresh), or refused and nothing changes.
     */
    for (size_t i = 0; i < count; i++) changed[i] = numbers[i] * (1 + 0.01 * thud_random_uniform(&random, -1, 1));
    thud_error error = thud_set_set_parameters(moved, changed);
    get_parameters(moved, back);
    assert_memory_equal(error == THUD_OK ? changed : numbers, back, count * sizeof *numbers);
    thud_set *fresh;
    assert_int_equal(thud_set_clone(context, moved, &fresh), THUD_OK);
    answers(moved, metric, seed, after);
    answers(fresh, metric, seed, rebuilt);
    assert_memory_equal(after, rebuilt, sizeof after);
    if (error != THUD_OK) assert_memory_equal(before, after, sizeof before);
    assert_int_equal(thud_set_set_parameters(moved, numbers), THUD_OK);
    answers(moved, metric, seed, after);
    assert_memory_equal(before, after, sizeof before);
    thud_set_destroy(fresh);
    thud_set_destroy(moved);
    thud_metric_destroy(metric);
    test_set_free(s);
  }
  thud_test_context_end(context);
}

static void parameters_come_in_the_documented_order(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *half, *ball, *image, *product, *moved, *scaled;
  double numbers[16];
  assert_int_equal(thud_set_half_space(context, 2, (double[]){1, 2}, 3, &half), THUD_OK);
  assert_int_equal(thud_set_ball(context, 1, (double[]){4}, 5, &ball), THUD_OK);
  assert_int_equal(thud_set_linear_image(context, 2, (double[]){6, 7}, ball, &image), THUD_OK);
  assert_int_equal(thud_set_product(context, 2, (thud_set *[]){half, image}, &product), THUD_OK);
  assert_int_equal(thud_set_translation(context, (double[]){8, 9, 10, 11}, product, &moved), THUD_OK);
  assert_int_equal(thud_set_scaling(context, 12, moved, &scaled), THUD_OK);
  assert_int_equal(thud_set_parameter_count(scaled), 12);
  thud_set_get_parameters(scaled, numbers);
  assert_memory_equal(numbers, ((double[]){12, 8, 9, 10, 11, 1, 2, 3, 6, 7, 4, 5}), 12 * sizeof *numbers);
  assert_int_equal(thud_set_dimension(scaled), 4);
  assert_string_equal(thud_set_kind(scaled), "scaling");
  thud_set_destroy(scaled);
  thud_test_context_end(context);
}

static void moving_sets_take_the_value_and_both_limits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  /* centre t before 1, 5 at 1, 7 after; radius 1. */
  double coefficients[8] = {1, 1, 1, 0, 7, 0, 1, 0}, values[2] = {5, 1}, scratch[2], y[1];
  thud_piecewise *path;
  assert_int_equal(thud_piecewise_create(context, 2, 1, 1, (double[]){1}, coefficients, values, &path), THUD_OK);
  thud_regulated function = thud_piecewise_function(path);
  thud_set *ball;
  assert_int_equal(thud_set_ball(context, 1, (double[]){0}, 1, &ball), THUD_OK);
  thud_moving_set moving = {ball, &function};
  const struct {
    double t;
    thud_side side;
    double lowest;
  } cases[] = {{0.5, THUD_SIDE_VALUE, -0.5}, {1, THUD_SIDE_LEFT, 0}, {1, THUD_SIDE_VALUE, 4}, {1, THUD_SIDE_RIGHT, 6}};
  for (int k = 0; k < 4; k++) {
    assert_int_equal(thud_moving_set_place(&moving, cases[k].t, cases[k].side, scratch), THUD_OK);
    assert_int_equal(thud_set_project(ball, NULL, (double[]){-9}, y, NULL), THUD_OK);
    thud_assert_nearer(y[0], cases[k].lowest, 1e-15);
  }
  assert_int_equal(thud_moving_set_place(&(thud_moving_set){ball, NULL}, 3, THUD_SIDE_VALUE, NULL), THUD_OK);
  function.dimension = 1;
  assert_int_equal(thud_moving_set_place(&moving, 0, THUD_SIDE_VALUE, scratch), THUD_ERROR_DIMENSION);
  thud_test_message_has(context, "moving ball: the function of time has 1 components, the set has 2 parameters", NULL);
  thud_piecewise_destroy(path);
  double shrinking[2] = {0, -1};
  assert_int_equal(thud_piecewise_create(context, 2, 0, 0, NULL, shrinking, NULL, &path), THUD_OK);
  function = thud_piecewise_function(path);
  assert_int_equal(thud_moving_set_place(&moving, 2.5, THUD_SIDE_VALUE, scratch), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(context, "moving ball at t = 2.5: ball: radius is -1: the set is empty; use a radius >= 0",
                        NULL);
  thud_piecewise_destroy(path);
  thud_set_destroy(ball);
  thud_test_context_end(context);
}

/* ---- clones and allocations -------------------------------------------------------------------------- */

static void clones_are_independent(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(22);
  for (int k = 0; k < 100; k++) {
    test_set *s = random_tree(context, &random, k, false);
    double before[ANSWERS], after[ANSWERS], numbers[PARAMETERS];
    answers(s->set, NULL, 5, before);
    thud_set *clone;
    assert_int_equal(thud_set_clone(context, s->set, &clone), THUD_OK);
    assert_string_equal(thud_set_kind(clone), thud_set_kind(s->set));
    get_parameters(s->set, numbers);
    for (size_t i = 0; i < thud_set_parameter_count(clone); i++) numbers[i] *= 1.5;
    thud_set_set_parameters(s->set, numbers);
    thud_set_destroy(s->set);
    s->set = NULL;
    answers(clone, NULL, 5, after);
    assert_memory_equal(before, after, sizeof before);
    thud_set_destroy(clone);
    test_set_free(s);
  }
  thud_test_context_end(context);
}

static void queries_and_moves_allocate_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(23);
  for (int k = 0; k < 200; k++) {
    test_set *s = random_tree(context, &random, k, k % 2 == 0);
    thud_metric *metric = test_random_metric(context, &random, k % 3, s->n, 3);
    double numbers[PARAMETERS], found[ANSWERS], value;
    uint64_t count = thud_context_allocation_count(context);
    answers(s->set, metric, 7, found);
    assert_int_equal(thud_set_distance(s->set, metric, s->anchor, &value, NULL), THUD_OK);
    assert_int_equal(thud_set_normal_cone_residual(s->set, metric, s->anchor, s->anchor, &value, NULL), THUD_OK);
    get_parameters(s->set, numbers);
    assert_int_equal(thud_set_set_parameters(s->set, numbers), THUD_OK);
    assert_int_equal(thud_context_allocation_count(context), count);
    thud_metric_destroy(metric);
    test_set_free(s);
  }
  thud_test_context_end(context);
}

static void points_of_a_set_have_distance_zero(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(24);
  int outside = 0;
  for (int k = 0; k < 400; k++) {
    test_set *s = random_tree(context, &random, k, k % 2 == 0);
    assert_int_equal(thud_set_set_tolerance(s->set, 1e-12, 3000), THUD_OK);
    thud_metric *metric = test_random_metric(context, &random, k % 3, s->n, 2);
    double z[D], y[D], length, again;
    thud_set_info info;
    test_sample(s, &random, z);
    assert_int_equal(thud_set_distance(s->set, metric, z, &length, &info), THUD_OK);
    thud_assert_at_most(length, 1e-12 * (1 + thud_metric_norm(metric, s->n, z)) + info.gap);
    for (thud_index i = 0; i < s->n; i++) z[i] = s->anchor[i] + 3 * thud_random_normal(&random);
    assert_int_equal(thud_set_project(s->set, metric, z, y, &info), THUD_OK);
    assert_int_equal(thud_set_distance(s->set, metric, z, &length, NULL), THUD_OK);
    again = thud_metric_distance(metric, s->n, z, y);
    thud_assert_near(length, again, 1e-14 * (1 + again));
    if (test_has_membership(s) && test_violation(s, z) > 1e-3 && info.converged) {
      thud_assert_greater(length, info.gap);
      outside++;
    }
    thud_metric_destroy(metric);
    test_set_free(s);
  }
  thud_assert_greater(outside, 100);
  thud_test_context_end(context);
}

/* ---- failures ---------------------------------------------------------------------------------------- */

static void leaves_refuse_bad_numbers_and_say_which(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_set *set = NULL;
  double zero[4] = {0}, ones[4] = {1, 1, 1, 1}, nan_at_1[4] = {0, NAN, 0, 0};
  double indefinite[4] = {1, 2, 2, 1}, skew[4] = {1, 0.5, 0, 1};
  assert_int_equal(thud_set_half_space(context, 2, zero, 1, &set), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "half-space: the normal is 0: give a non-zero normal", NULL);
  assert_int_equal(thud_set_half_space(context, 2, nan_at_1, 1, &set), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "half-space: normal[1] is nan: give a finite number", NULL);
  assert_int_equal(thud_set_half_space(context, 2, ones, INFINITY, &set), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "half-space: offset is inf: give a finite number", NULL);
  assert_int_equal(thud_set_half_space(context, 0, ones, 1, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_half_space(context, 2, NULL, 1, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_half_space(context, 2, ones, 1, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_box(context, 2, ones, zero, &set), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(context, "box: lower[0] = 1 is above upper[0] = 0: the set is empty", NULL);
  assert_int_equal(thud_set_box(context, 2, nan_at_1, ones, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_interval(context, INFINITY, INFINITY, &set), THUD_ERROR_EMPTY_SET);
  assert_int_equal(thud_set_interval(context, -INFINITY, -INFINITY, &set), THUD_ERROR_EMPTY_SET);
  assert_int_equal(thud_set_ball(context, 2, zero, -1, &set), THUD_ERROR_EMPTY_SET);
  thud_test_message_has(context, "ball: radius is -1: the set is empty; use a radius >= 0", NULL);
  assert_int_equal(thud_set_ball(context, 2, zero, NAN, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_ellipsoid(context, 2, zero, indefinite, &set), THUD_ERROR_NOT_SPD);
  thud_test_message_has(
      context,
      "ellipsoid: Q is not positive definite: its pivot 1 is not positive; Q must be symmetric positive definite",
      NULL);
  assert_int_equal(thud_set_ellipsoid(context, 2, zero, skew, &set), THUD_ERROR_NOT_SPD);
  thud_test_message_has(context, "ellipsoid: Q is not symmetric: Q(0,1) = 0, Q(1,0) = 0.5", NULL);
  assert_int_equal(thud_set_coulomb_cone(context, 1, 0.5, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_coulomb_cone(context, 3, -0.5, &set), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "Coulomb cone: mu is -0.5: a friction coefficient must be >= 0", NULL);
  assert_int_equal(thud_set_coulomb_dual_cone(context, 3, INFINITY, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_polyhedron(context, 2, -1, 0, ones, ones, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_polyhedron(context, 2, 1, 2, ones, ones, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_polyhedron(context, 2, 1, 0, NULL, ones, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_polyhedron(context, 2, 2, 0, nan_at_1, ones, &set), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "polyhedron: A[1] is nan: give a finite number", NULL);
  assert_int_equal(thud_set_cone_of_gradients(context, 2, 2, nan_at_1, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_cone_of_generators(context, 2, 2, nan_at_1, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_affine(context, 2, 1, ones, nan_at_1 + 1, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_half_line(context, 2, ones, zero, &set), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "half-line: the direction is 0: give a non-zero direction", NULL);
  assert_int_equal(thud_set_segment(context, 1, (double[]){-1.7e308}, (double[]){1.7e308}, &set),
                   THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_ellipsoid(context, INT32_MAX, zero, ones, &set), THUD_ERROR_MEMORY);
  assert_null(set);
  thud_test_context_end(context);
}

static void combinators_refuse_bad_operands_and_leave_them_alone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1), *elsewhere = thud_test_context(1);
  double ones[4] = {1, 1, 1, 1}, bad[2] = {0, INFINITY}, y[2];
  thud_set *flat, *ball, *foreign, *set = NULL;
  assert_int_equal(thud_set_ball(context, 2, ones, 1, &ball), THUD_OK);
  assert_int_equal(thud_set_ball(context, 1, ones, 1, &flat), THUD_OK);
  assert_int_equal(thud_set_ball(elsewhere, 2, ones, 1, &foreign), THUD_OK);
  assert_int_equal(thud_set_product(context, 0, &ball, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_product(context, 2, (thud_set *[]){ball, ball}, &set), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context,
                        "product: operands 0 and 1 are the same set: operands are consumed, use thud_set_clone", NULL);
  assert_int_equal(thud_set_product(context, 2, (thud_set *[]){ball, NULL}, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_product(context, 2, (thud_set *[]){ball, foreign}, &set), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "product: operand 1 was made with another context", NULL);
  assert_int_equal(thud_set_product(context, 1, NULL, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_sum(context, 2, (thud_set *[]){ball, flat}, &set), THUD_ERROR_DIMENSION);
  thud_test_message_has(context, "sum: operand 1 (ball) has dimension 1, operand 0 (ball) has 2", NULL);
  assert_int_equal(thud_set_intersection(context, 2, (thud_set *[]){flat, ball}, &set), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_set_translation(context, bad, ball, &set), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "translation: offset[1] is inf: give a finite number", NULL);
  assert_int_equal(thud_set_translation(context, NULL, ball, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_translation(context, ones, NULL, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_scaling(context, -1, ball, &set), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "scaling: factor is -1: use a factor >= 0", NULL);
  assert_int_equal(thud_set_scaling(context, NAN, ball, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_linear_image(context, 0, ones, ball, &set), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_linear_image(context, 1, bad, ball, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_linear_preimage(context, 1, bad, ball, &set), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_polar(context, ball, &set), THUD_ERROR_ARGUMENT); /* 0 is sqrt(2) - 1 away */
  thud_test_message_has(context,
                        "polar: the operand (ball) does not contain 0, it is 0.414214 away: translate it first", NULL);
  assert_int_equal(thud_set_clone(context, NULL, &set), THUD_ERROR_ARGUMENT);
  assert_null(set);
  assert_int_equal(thud_set_project(ball, NULL, ones, y, NULL), THUD_OK);
  thud_assert_equal(y[0], 1);
  thud_assert_equal(y[1], 1);
  thud_set_destroy(ball);
  thud_set_destroy(flat);
  thud_set_destroy(foreign);
  thud_set_destroy(NULL);
  thud_test_context_end(context);
  thud_test_context_end(elsewhere);
}

static void queries_refuse_bad_arguments_and_touch_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  double x[2] = {3, NAN}, y[2] = {7, 7}, value = 7, good[2] = {1, 2}, numbers[3] = {0, 0, -2};
  thud_set_info info = {.exactness = THUD_UNAVAILABLE, .iterations = 77, .gap = 7};
  thud_set *ball;
  thud_metric *metric;
  assert_int_equal(thud_set_ball(context, 2, (double[]){0, 0}, 1, &ball), THUD_OK);
  assert_int_equal(thud_metric_create_diagonal(context, 3, (double[]){1, 2, 3}, &metric), THUD_OK);
  assert_int_equal(thud_set_project(ball, NULL, x, y, &info), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(context, "ball: projection: x[1] is nan: give finite numbers", NULL);
  assert_int_equal(thud_set_project(ball, NULL, NULL, y, &info), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_project(ball, metric, good, y, &info), THUD_ERROR_DIMENSION);
  thud_test_message_has(context, "ball: projection: the metric has dimension 3, the set 2", NULL);
  assert_int_equal(thud_set_support(ball, x, &value, y, &info), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_distance(ball, metric, good, &value, &info), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_set_distance(ball, NULL, x, &value, &info), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_normal_cone_residual(ball, NULL, good, x, &value, &info), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_set_normal_cone_residual(ball, metric, good, good, &value, &info), THUD_ERROR_DIMENSION);
  assert_int_equal(thud_set_set_tolerance(ball, 0, 10), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_set_tolerance(ball, NAN, 10), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_set_tolerance(ball, 1e-6, 0), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_set_parameters(ball, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_set_set_parameters(ball, numbers), THUD_ERROR_EMPTY_SET);
  thud_assert_equal(y[0], 7);
  thud_assert_equal(y[1], 7);
  thud_assert_equal(value, 7);
  thud_assert_equal(info.exactness, THUD_UNAVAILABLE);
  thud_assert_equal(info.iterations, 77);
  thud_assert_equal(info.gap, 7);
  /* y may be x. */
  assert_int_equal(thud_set_project(ball, NULL, good, good, &info), THUD_OK);
  thud_assert_nearer(good[0], 1 / sqrt(5), 1e-15);
  thud_assert_nearer(good[1], 2 / sqrt(5), 1e-15);
  thud_metric_destroy(metric);
  thud_set_destroy(ball);
  thud_test_context_end(context);
}

/* Builds one set that contains every kind, clones it, and moves the clone. */
static thud_error build_everything(thud_context *context, void *user) {
  (void)user;
  enum { LEAVES = 13 };
  thud_set *leaf[LEAVES] = {NULL}, *all = NULL, *clone = NULL, *step = NULL;
  double a[9] = {1, 0.2, 0.1, 1, 0.3, -0.2, 0.1, 0.4, 1}, b[3] = {1, 1, 1}, zero[3] = {0, 0, 0};
  thud_error error = thud_set_half_space(context, 2, a, 1, &leaf[0]);
  if (error == THUD_OK) error = thud_set_box(context, 2, zero, b, &leaf[1]);
  if (error == THUD_OK) error = thud_set_ball(context, 2, zero, 1, &leaf[2]);
  if (error == THUD_OK) error = thud_set_ellipsoid(context, 2, zero, (double[]){2, 0.5, 0.5, 1}, &leaf[3]);
  if (error == THUD_OK) error = thud_set_coulomb_cone(context, 2, 0.5, &leaf[4]);
  if (error == THUD_OK) error = thud_set_coulomb_dual_cone(context, 3, 0.5, &leaf[5]);
  if (error == THUD_OK) error = thud_set_polyhedron(context, 2, 2, 1, a, (double[]){0, 1}, &leaf[6]);
  if (error == THUD_OK) error = thud_set_cone_of_gradients(context, 2, 2, a, &leaf[7]);
  if (error == THUD_OK) error = thud_set_cone_of_generators(context, 2, 2, a, &leaf[8]);
  if (error == THUD_OK) error = thud_set_affine(context, 2, 1, a, b, &leaf[9]);
  if (error == THUD_OK) error = thud_set_half_line(context, 2, zero, b, &leaf[10]);
  if (error == THUD_OK) error = thud_set_segment(context, 2, zero, b, &leaf[11]);
  if (error == THUD_OK) error = thud_set_interval(context, 0, 1, &leaf[12]);
  for (int k = 0; error == THUD_OK && k < LEAVES; k++) { /* each leaf in a combinator, operands stay ours on failure */
    thud_index n = thud_set_dimension(leaf[k]);
    if (k % 4 == 0) error = thud_set_translation(context, b, leaf[k], &step);
    if (k % 4 == 1) error = thud_set_linear_image(context, n, a, leaf[k], &step);
    if (k % 4 == 2) error = thud_set_polar(context, leaf[k], &step);
    if (k % 4 == 3) error = thud_set_scaling(context, 0.5, leaf[k], &step);
    if (error == THUD_OK) leaf[k] = step;
  }
  if (error == THUD_OK) error = thud_set_sum(context, 2, (thud_set *[]){leaf[0], leaf[2]}, &step);
  if (error == THUD_OK) {
    leaf[0] = step;
    leaf[2] = NULL;
    error = thud_set_intersection(context, 2, (thud_set *[]){leaf[3], leaf[7]}, &step);
  }
  if (error == THUD_OK) {
    leaf[3] = step;
    leaf[7] = NULL;
    error = thud_set_product(context, 2, (thud_set *[]){leaf[0], leaf[3]}, &all);
  }
  if (error == THUD_OK) {
    leaf[0] = leaf[3] = NULL;
    error = thud_set_clone(context, all, &clone);
  }
  thud_set_destroy(all);
  thud_set_destroy(clone);
  for (int k = 0; k < LEAVES; k++) thud_set_destroy(leaf[k]);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(build_everything, NULL), 300);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(parameters_go_round_and_moving_equals_rebuilding),
      cmocka_unit_test(parameters_come_in_the_documented_order),
      cmocka_unit_test(moving_sets_take_the_value_and_both_limits),
      cmocka_unit_test(clones_are_independent),
      cmocka_unit_test(queries_and_moves_allocate_nothing),
      cmocka_unit_test(points_of_a_set_have_distance_zero),
      cmocka_unit_test(leaves_refuse_bad_numbers_and_say_which),
      cmocka_unit_test(combinators_refuse_bad_operands_and_leave_them_alone),
      cmocka_unit_test(queries_refuse_bad_arguments_and_touch_nothing),
      cmocka_unit_test(every_failed_allocation_is_survived),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
