#include "expr/dual.h"
#include "failing_allocator.h"
#include "expressions.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { T, A, VARIABLES };

/* Scope with t, a, and `data`: 1 before 0.3, 5 at 0.3, t after it, jumping to 0 at 2. */
typedef struct fixture {
  thud_context *context;
  thud_expr_scope *scope;
  thud_piecewise *data;
} fixture;

static thud_error fixture_fill(fixture *f) {
  static const double breaks[2] = {0.3, 2}, values[2] = {5, 0};
  static const double coefficients[6] = {1, 0, 0.3, 1, 0, 0};
  thud_error error = thud_expr_scope_create(f->context, &f->scope);
  if (error == THUD_OK) error = thud_piecewise_create(f->context, 1, 1, 2, breaks, coefficients, values, &f->data);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(f->scope, "t", NULL);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(f->scope, "a", NULL);
  if (error != THUD_OK) return error;
  thud_regulated function = thud_piecewise_function(f->data);
  return thud_expr_scope_add_function(f->scope, "data", T, &function);
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->context = thud_test_context(1);
  assert_int_equal(fixture_fill(f), THUD_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  thud_expr_scope_destroy(f->scope);
  thud_piecewise_destroy(f->data);
  thud_test_context_end(f->context);
  free(f);
  return 0;
}

static double side_value(const thud_expr *expr, double t, double a, thud_side side) {
  const double variables[VARIABLES] = {[T] = t, [A] = a};
  return thud_expr_evaluate_side(expr, variables, T, side);
}

/* Jump times in [from, to] with a = 3. */
static size_t jumps(const fixture *f, const thud_expr *expr, double from, double to, double **times) {
  const double variables[VARIABLES] = {[T] = 99, [A] = 3};
  size_t count = 0;
  thud_error error = thud_expr_jump_times(f->context, expr, variables, T, from, to, times, &count);
  if (error != THUD_OK) fail_msg("%s", thud_context_last_message(f->context));
  for (size_t k = 0; k < count; k++) {
    thud_assert_at_least((*times)[k], from);
    thud_assert_at_most((*times)[k], to);
  }
  for (size_t k = 1; k < count; k++) thud_assert_less((*times)[k - 1], (*times)[k]);
  return count;
}

/* Slopes of the smooth operations against central differences (truncation and rounding: about 1e-10 relative). */
static void slopes_agree_with_difference_quotients(void **state) {
  (void)state;
  static const struct {
    expr_op op;
    double a, b;
  } cases[] = {
      {EXPR_ADD, 0.7, -1.3},   {EXPR_SUBTRACT, 0.7, -1.3}, {EXPR_MULTIPLY, 0.7, -1.3}, {EXPR_DIVIDE, 0.7, -1.3},
      {EXPR_POWER, 0.7, -1.3}, {EXPR_NEGATE, 0.7, 0},      {EXPR_SIN, 0.7, 0},         {EXPR_COS, 0.7, 0},
      {EXPR_TAN, 0.7, 0},      {EXPR_ASIN, 0.7, 0},        {EXPR_ACOS, 0.7, 0},        {EXPR_ATAN, 0.7, 0},
      {EXPR_SINH, 0.7, 0},     {EXPR_COSH, 0.7, 0},        {EXPR_TANH, 0.7, 0},        {EXPR_EXP, 0.7, 0},
      {EXPR_LOG, 0.7, 0},      {EXPR_SQRT, 0.7, 0},        {EXPR_ABS, -0.7, 0},        {EXPR_MIN, 0.7, -1.3},
      {EXPR_MAX, 0.7, -1.3},   {EXPR_ATAN2, 0.7, -1.3},    {EXPR_HYPOT, 0.7, -1.3}};
  const double h = 1e-6, speed[2] = {1.7, -0.6};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    double values[3] = {0, 0, 0}, slope = 0;
    for (int i = -1; i <= 1; i++) {
      expr_dual x[2] = {{cases[k].a + i * h * speed[0], speed[0], 0}, {cases[k].b + i * h * speed[1], speed[1], 0}};
      expr_dual y = thud_expr_dual_apply(cases[k].op, x, THUD_SIDE_RIGHT);
      values[i + 1] = y.value;
      if (i == 0) slope = y.slope;
    }
    double quotient = (values[2] - values[0]) / (2 * h);
    if (fabs(slope - quotient) > 1e-8)
      fail_msg("op %d: slope %.12g, quotient %.12g", (int)cases[k].op, slope, quotient);
  }
}

/* The bound that travels with the values holds against arithmetic with 11 more bits, and is not idle. */
static void rounding_errors_stay_within_their_bound(void **state) {
  (void)state;
  thud_random random = thud_random_seed(3);
  static const expr_op ops[] = {EXPR_ADD, EXPR_SUBTRACT, EXPR_MULTIPLY, EXPR_DIVIDE, EXPR_NEGATE, EXPR_SQRT};
  double worst = 0;
  for (int round = 0; round < 20000; round++) {
    expr_dual sum[2] = {{0, 0, 0}, {0, 0, 0}};
    long double exact = thud_random_uniform(&random, -2, 2) / 3.0L;
    sum[0].value = (double)exact;
    sum[0].error = fabs(sum[0].value);
    for (int k = 0; k < 8; k++) {
      long double other = thud_random_uniform(&random, -2, 2) / 7.0L;
      expr_op op = ops[thud_random_below(&random, sum[0].value > 0.1 ? 6 : 5)];
      sum[1] = (expr_dual){(double)other, 0, fabs((double)other)};
      sum[0] = thud_expr_dual_apply(op, sum, THUD_SIDE_VALUE);
      exact = op == EXPR_ADD        ? exact + other
              : op == EXPR_SUBTRACT ? exact - other
              : op == EXPR_MULTIPLY ? exact * other
              : op == EXPR_DIVIDE   ? exact / other
              : op == EXPR_NEGATE   ? -exact
                                    : sqrtl(exact);
    }
    double ratio = (double)fabsl((long double)sum[0].value - exact) / (EXPR_UNIT_ROUNDOFF * sum[0].error);
    worst = fmax(worst, ratio);
  }
  thud_assert_at_most(worst, 1 + 1e-2); /* the long double reference has roundings of its own, 2^-11 of these */
  thud_assert_greater(worst, 0.3);
}

static void the_three_numbers_at_a_jump_are_right(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *source;
    double time, left, value, right;
  } cases[] = {
      {"step(t)", 0, 0, 1, 1},
      {"step(-t)", 0, 1, 1, 0},
      {"sign(t)", 0, -1, 0, 1},
      {"sign(1-t)", 1, 1, 0, -1},
      {"t < 1", 1, 1, 0, 0},
      {"t <= 1", 1, 1, 1, 0},
      {"t > 1", 1, 0, 0, 1},
      {"t >= 1", 1, 0, 1, 1},
      {"t == 1", 1, 0, 1, 0},
      {"t != 1", 1, 1, 0, 1},
      {"if(t < 1, 10, 20)", 1, 10, 20, 20},
      {"if(t - 1, 10, 20)", 1, 10, 20, 10},
      {"floor(t)", 2, 1, 2, 2},
      {"floor(-t)", 2, -2, -2, -3},
      {"t*step(t-2) + 7", 2, 7, 9, 9},
      /* rounded roots: 0.1*3 and 0.9/3 are not the double nearest to 0.3 */
      {"step(t - 0.1*3)", 0.3, 0, 1, 1},
      {"step(3*t - 0.9)", 0.3, 0, 1, 1},
      {"step(0.9 - 3*t)", 0.3, 1, 1, 0},
      {"sign(3*t - 0.9)", 0.3, -1, 0, 1},
      {"floor(10*t)", 0.3, 2, 3, 3},
      {"floor(t/0.1)", 0.3, 2, 3, 3},
      {"floor(t*100)", 0.29, 28, 29, 29},
      {"step(t - (1.1 - 1))", 0.1, 0, 1, 1},
      {"step(t - 0.1 - 0.1 - 0.1 - 0.1 - 0.1 - 0.1 - 0.1)", 0.7, 0, 1, 1},
      {"step(1000000*(t - 0.7))", 0.7, 0, 1, 1},
      {"10*t >= 3", 0.3, 0, 1, 1},
      {"if(3*t < 0.9, 1, 2)", 0.3, 1, 2, 2},
      {"step(a*t - 0.9)", 0.3, 0, 1, 1},
      {"step(min(t-1, 2))", 1, 0, 1, 1},
      {"step(-abs(t))", 0, 0, 1, 0},
      {"step(min(t, -t))", 0, 0, 1, 0},
      {"step(max(t, -2*t) - 0)", 0, 1, 1, 1},
      {"step(-hypot(t, 2*t))", 0, 0, 1, 0},
      {"step(sin(t - 1))", 1, 0, 1, 1},
      {"step(exp(t) - 1)", 0, 0, 1, 1},
      {"min(t >= 1, t < 2)", 1, 0, 1, 1},
      {"min(t >= 1, t < 2)", 2, 1, 0, 0},
      {"data", 0.3, 1, 5, 0.3},
      {"data + step(t - 0.1*3)", 0.3, 1, 6, 1.3},
      {"data*2", 2, 4, 0, 0},
      {"step(t^2)", 0, 1, 1, 1}, /* no slope: the plain value */
      {"t", 4, 4, 4, 4},
      {"2", 4, 2, 2, 2},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr *expr = thud_test_compile(f->context, f->scope, cases[k].source);
    double left = side_value(expr, cases[k].time, 3, THUD_SIDE_LEFT);
    double middle = side_value(expr, cases[k].time, 3, THUD_SIDE_VALUE);
    double right = side_value(expr, cases[k].time, 3, THUD_SIDE_RIGHT);
    if (left != cases[k].left || middle != cases[k].value || right != cases[k].right)
      fail_msg("'%s' at %.17g: %.17g %.17g %.17g", cases[k].source, cases[k].time, left, middle, right);
    thud_expr_destroy(expr);
  }
}

static void the_cut_of_atan2_is_a_jump(void **state) {
  const fixture *f = *state;
  double pi = acos(-1), *times = NULL;
  thud_expr *expr = thud_test_compile(f->context, f->scope, "atan2(3*t - 0.9, -a)");
  assert_int_equal(jumps(f, expr, 0, 1, &times), 1);
  thud_assert_equal(side_value(expr, times[0], 3, THUD_SIDE_LEFT), -pi);
  thud_assert_equal(side_value(expr, times[0], 3, THUD_SIDE_VALUE), pi);
  thud_assert_equal(side_value(expr, times[0], 3, THUD_SIDE_RIGHT), pi);
  thud_expr_free_times(f->context, times);
  thud_expr_destroy(expr);
  expr = thud_test_compile(f->context, f->scope, "atan2(0, t - 1)");
  assert_int_equal(jumps(f, expr, 0, 2, &times), 1);
  thud_assert_equal(times[0], 1);
  thud_assert_equal(side_value(expr, 1, 3, THUD_SIDE_LEFT), pi);
  thud_assert_equal(side_value(expr, 1, 3, THUD_SIDE_RIGHT), 0);
  thud_expr_free_times(f->context, times);
  thud_expr_destroy(expr);
  expr = thud_test_compile(f->context, f->scope, "atan2(sin(t), 2) + atan2(1, t)"); /* never on the cut */
  assert_int_equal(jumps(f, expr, -9, 9, &times), 0);
  thud_expr_free_times(f->context, times);
  thud_expr_destroy(expr);
}

static void jump_times_are_found_sorted_and_once(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *source;
    double from, to;
    size_t count;
    double times[6];
  } cases[] = {
      {"step(t - 1) + step(4 - 2*t)", 0, 10, 2, {1, 2}},
      {"step(t - 1)", 1, 10, 1, {1}},
      {"step(t - 1)", 0, 1, 1, {1}},
      {"step(t - 1)", 1, 1, 1, {1}},
      {"step(t - 1)", 1.5, 10, 0, {0}},
      {"step(t - 1)", -10, 0.5, 0, {0}},
      {"step(t - 1) + sign(2*t - 2) + (t < 1)", 0, 10, 1, {1}},
      {"step(a - 5) + sin(a)*t", 0, 10, 0, {0}},
      {"step(t - a)", 0, 10, 1, {3}},
      {"step(t/4 - (a - 2.5))", 0, 10, 1, {2}},
      {"floor(2*t)", 0, 2, 5, {0, 0.5, 1, 1.5, 2}},
      {"floor(-2*t)", 0.25, 1.25, 2, {0.5, 1}},
      {"if(min(t > 1, t < 2), t^2, sin(t))", 0, 10, 2, {1, 2}},
      {"if((t > 1)*(1 - (t > 2)), 5, 6)", 0, 10, 2, {1, 2}},
      {"if(a > 2, step(t - 1), step(t - 2))", 0, 10, 2, {1, 2}},
      {"step(if(a > 2, t - 1, t^2))", 0, 10, 1, {1}},
      {"step(floor(t) - 1.5)", 0.5, 3.5, 3, {1, 2, 3}},
      {"step(-(t - 1))", 0, 10, 1, {1}},
      {"step((t + 10000) - 10001) + step(t - 1.000000000001)", 0, 10, 1, {1.000000000001}}, /* the sharper one counts */
      {"step(t - t)", 0, 10, 0, {0}},
      {"step(t*1e-300 - 1)", 0, 10, 0, {0}},
      {"data", 0, 10, 2, {0.3, 2}},
      {"data + step(t - 0.1*3)", 0, 1, 1, {0.3}},
      {"sin(t)*t^2 + abs(t - 1)", 0, 10, 0, {0}},
      {"step(t - 0.3) + step(t - 0.1*3) + step(3*t - 0.9)", 0, 10, 1, {0.3}},
      {"step(t - 0.1*3)", 0.3, 1, 1, {0.3}},
      {"step(t - 0.3)", 0, 0.1 * 3, 1, {0.1 * 3}},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr *expr = thud_test_compile(f->context, f->scope, cases[k].source);
    double *times = NULL;
    size_t count = jumps(f, expr, cases[k].from, cases[k].to, &times);
    bool same = count == cases[k].count;
    for (size_t i = 0; same && i < count; i++) same = fabs(times[i] - cases[k].times[i]) <= 1e-15;
    if (!same) fail_msg("'%s': %zu jump times, the first at %.17g", cases[k].source, count, count > 0 ? times[0] : NAN);
    thud_expr_free_times(f->context, times);
    thud_expr_destroy(expr);
  }
}

/* Of a function of place and time: what happens everywhere at once is left when the place is not a number. */
static void jumps_at_an_unknown_place_are_left_out(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *source;
    size_t count;
    double time;
  } cases[] = {
      {"step(t - a)", 0, 0},
      {"step(t - 1)*a", 1, 1},
      {"if(a < 2, step(t - 1), 3)", 1, 1},
      {"if(t < 2, sin(a), a)", 1, 2},
      {"(a < sin(t)) + floor(a*t) + (abs(a - t) <= 0.1)", 0, 0},
      {"atan2(a, t) + atan2(t - 1, a)", 0, 0},
      {"step(data - a)", 2, 0.3},
  };
  const double variables[VARIABLES] = {[T] = 99, [A] = NAN};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr *expr = thud_test_compile(f->context, f->scope, cases[k].source);
    double *times = NULL;
    size_t count = 0;
    assert_int_equal(thud_expr_jump_times(f->context, expr, variables, T, 0, 3, &times, &count), THUD_OK);
    if (count != cases[k].count) fail_msg("'%s': %zu jump times", cases[k].source, count);
    if (count > 0) thud_assert_near(times[0], cases[k].time, 1e-15);
    thud_expr_free_times(f->context, times);
    thud_expr_destroy(expr);
  }
}

/* Each expression alone has its own rounded time; together they share one at which all of them are seen. */
static void expressions_that_jump_together_share_one_time(void **state) {
  const fixture *f = *state;
  static const char *const sources[] = {"step(t - 0.1*3)", "step(3*t - 0.9)", "t >= 0.3", "data", "floor(10*t)"};
  enum { EXPRESSIONS = 5 };
  thud_expr *exprs[EXPRESSIONS];
  const thud_expr *list[EXPRESSIONS];
  for (int k = 0; k < EXPRESSIONS; k++) list[k] = exprs[k] = thud_test_compile(f->context, f->scope, sources[k]);
  const double variables[VARIABLES] = {0};
  double *times = NULL;
  size_t count = 0;
  assert_int_equal(thud_expr_common_jump_times(f->context, EXPRESSIONS, list, variables, T, 0.25, 0.35, &times, &count),
                   THUD_OK);
  assert_int_equal(count, 1);
  thud_assert_equal(times[0], 0.3); /* the data jump at this very double */
  for (int k = 0; k < EXPRESSIONS; k++) {
    double before = side_value(exprs[k], 0.27, 0, THUD_SIDE_VALUE),
           after = side_value(exprs[k], 0.33, 0, THUD_SIDE_VALUE);
    thud_assert_equal(side_value(exprs[k], times[0], 0, THUD_SIDE_LEFT), before);
    if (k != 3) thud_assert_equal(side_value(exprs[k], times[0], 0, THUD_SIDE_RIGHT), after);
  }
  thud_expr_free_times(f->context, times);
  assert_int_equal(thud_expr_common_jump_times(f->context, 0, NULL, variables, T, 0, 1, &times, &count), THUD_OK);
  assert_int_equal(count, 0);
  thud_expr_free_times(f->context, times);
  list[2] = NULL;
  assert_int_equal(thud_expr_common_jump_times(f->context, EXPRESSIONS, list, variables, T, 0, 1, &times, &count),
                   THUD_ERROR_ARGUMENT);
  for (int k = 0; k < EXPRESSIONS; k++) thud_expr_destroy(exprs[k]);
}

/* A far end of the interval costs no accuracy. */
static void roots_are_sharp_in_huge_intervals(void **state) {
  const fixture *f = *state;
  thud_expr *expr = thud_test_compile(f->context, f->scope, "step(7*t - 2.1)");
  double *times = NULL;
  assert_int_equal(jumps(f, expr, -1e300, 1e300, &times), 1);
  thud_assert_near(times[0], 0.3, 1e-16);
  thud_expr_free_times(f->context, times);
  thud_expr_destroy(expr);
}

/* A sum of steps with random rounded roots is constant between its jump times, and the jumps add up to the whole
 * change: no jump is lost, none counted twice. */
static void jumps_of_random_sums_of_steps_add_up(void **state) {
  const fixture *f = *state;
  thud_random random = thud_random_seed(7);
  for (int round = 0; round < 2000; round++) {
    char source[600] = "0";
    int terms = 1 + (int)thud_random_below(&random, 8);
    for (int k = 0; k < terms; k++) {
      /* roots p/10, reached through many ways of rounding */
      unsigned p = 1 + thud_random_below(&random, 12), c = 1 + thud_random_below(&random, 9);
      static const char *const forms[] = {"+%1$u*step(t - %2$u/10)",
                                          "+%1$u*step(%1$u*t - %1$u*%2$u*0.1)",
                                          "-%1$u*(t*%1$u < 0.%1$u*%2$u)*0+%1$u*(t/%1$u >= %2$u*0.1/%1$u)",
                                          "+%1$u*sign(%2$u*0.1 - t)",
                                          "+floor(t*10 - %2$u)*%1$u",
                                          "+if(0.1*%2$u > t, %1$u, 0)"};
      size_t used = strlen(source);
      snprintf(source + used, sizeof source - used, forms[thud_random_below(&random, 6)], c, p);
    }
    thud_expr *expr = thud_test_compile(f->context, f->scope, source);
    double *times = NULL, from = 0.05, to = 1.35;
    size_t count = jumps(f, expr, from, to, &times);
    double now = side_value(expr, from, 0, THUD_SIDE_VALUE);
    for (size_t k = 0; k < count; k++) {
      double left = side_value(expr, times[k], 0, THUD_SIDE_LEFT);
      double right = side_value(expr, times[k], 0, THUD_SIDE_RIGHT);
      double middle = k + 1 < count ? 0.5 * (times[k] + times[k + 1]) : to;
      double beyond = side_value(expr, middle, 0, THUD_SIDE_VALUE);
      if (left != now || right != beyond)
        fail_msg("'%s' at %.17g: before %g, left %g, right %g, after %g", source, times[k], now, left, right, beyond);
      now = right;
    }
    thud_expr_free_times(f->context, times);
    thud_expr_destroy(expr);
  }
}

static void arguments_that_are_not_affine_are_refused_with_their_column(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *source;
    thud_error error;
    const char *says;
  } cases[] = {
      {"1 + step(sin(t))", THUD_ERROR_UNSUPPORTED,
       "column 5: the jumps of 'step' cannot be found: its argument is not affine in time; write it as piecewise data "
       "or with arguments like t - t1"},
      {"t^2 < 4", THUD_ERROR_UNSUPPORTED,
       "column 5: the jumps of '<' cannot be found: its argument is not affine in time; write it as piecewise data or "
       "with arguments like t - t1"},
      {"if(t*t, 1, 2)", THUD_ERROR_UNSUPPORTED,
       "column 1: the jumps of 'if' cannot be found: its argument is not affine in time; write it as piecewise data or "
       "with arguments like t - t1"},
      {"floor(1/t)", THUD_ERROR_UNSUPPORTED,
       "column 1: the jumps of 'floor' cannot be found: its argument is not affine in time; write it as piecewise data "
       "or with arguments like t - t1"},
      {"sign(data)", THUD_ERROR_UNSUPPORTED, "column 1"},
      {"atan2(sin(t), cos(t))", THUD_ERROR_UNSUPPORTED, "'atan2'"},
      {"step(t - floor(t) - 0.5)", THUD_ERROR_UNSUPPORTED, "column 1"},
      {"floor(t*1e9)", THUD_ERROR_OVERFLOW,
       "column 1: floor jumps more than 1000000 times between 0 and 10; take a shorter interval"},
  };
  const double variables[VARIABLES] = {[A] = 3};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr *expr = thud_test_compile(f->context, f->scope, cases[k].source);
    double *times = NULL;
    size_t count = 77;
    thud_error error = thud_expr_jump_times(f->context, expr, variables, T, 0, 10, &times, &count);
    if (error != cases[k].error || strstr(thud_context_last_message(f->context), cases[k].says) == NULL)
      fail_msg("'%s': %s", cases[k].source, thud_context_last_message(f->context));
    assert_null(times);
    assert_int_equal(count, 77);
    thud_expr_destroy(expr);
  }
  thud_expr *expr = thud_test_compile(f->context, f->scope, "step(t)");
  double *times = NULL;
  size_t count = 0;
  assert_int_equal(thud_expr_jump_times(f->context, expr, variables, T, 1, 0, &times, &count), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_jump_times(f->context, expr, variables, T, 0, INFINITY, &times, &count),
                   THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_jump_times(f->context, expr, variables, 9, 0, 1, &times, &count), THUD_ERROR_ARGUMENT);
  thud_expr_destroy(expr);
}

/* Two sharp jumps that a third, blunt one cannot be distinguished from: counting it twice would be wrong, so it is
 * refused. */
static void jumps_that_rounding_confuses_are_refused(void **state) {
  const fixture *f = *state;
  thud_expr *expr =
      thud_test_compile(f->context, f->scope, "step(t - 1) + step(t - 1.00000000000001) + step((t + 10000) - 10001)");
  const double variables[VARIABLES] = {0};
  double *times = NULL;
  size_t count = 0;
  assert_int_equal(thud_expr_jump_times(f->context, expr, variables, T, 0, 2, &times, &count), THUD_ERROR_UNSUPPORTED);
  assert_non_null(
      strstr(thud_context_last_message(f->context), "are too close to be distinguished; give both the same time"));
  thud_expr_destroy(expr);
}

static void too_many_jumps_of_data_are_refused(void **state) {
  const fixture *f = *state;
  size_t count = THUD_EXPR_MAX_JUMPS + 1, found = 0;
  double *jump_list = calloc(count, sizeof *jump_list), *times = NULL;
  assert_non_null(jump_list);
  for (size_t k = 0; k < count; k++) jump_list[k] = (double)k;
  thud_regulated many = thud_piecewise_function(f->data);
  many.jumps = jump_list;
  many.jump_count = count;
  assert_int_equal(thud_expr_scope_add_function(f->scope, "many", T, &many), THUD_OK);
  thud_expr *expr = thud_test_compile(f->context, f->scope, "many");
  const double variables[VARIABLES] = {0};
  assert_int_equal(thud_expr_jump_times(f->context, expr, variables, T, 0, 1e7, &times, &found), THUD_ERROR_OVERFLOW);
  thud_test_message_has(
      f->context, "an expression jumps more than 1000000 times between 0 and 1e+07; take a shorter interval", NULL);
  assert_int_equal(thud_expr_jump_times(f->context, expr, variables, T, 5, 7, &times, &found), THUD_OK);
  assert_int_equal(found, 3);
  thud_expr_free_times(f->context, times);
  thud_expr_destroy(expr);
  free(jump_list);
}

static int broken_function(void *user, double t, thud_side side, double *out) {
  (void)user, (void)t, (void)side, (void)out;
  return -1;
}

static void a_failing_function_gives_nan(void **state) {
  const fixture *f = *state;
  thud_regulated broken = {.dimension = 1, .evaluate = broken_function};
  assert_int_equal(thud_expr_scope_add_function(f->scope, "broken", 9, &broken), THUD_ERROR_ARGUMENT);
  thud_test_message_has(
      f->context, "function 'broken' depends on variable number 9, but the scope has 2; add its variable first", NULL);
  assert_int_equal(thud_expr_scope_add_function(f->scope, "data", T, &broken), THUD_ERROR_ARGUMENT);
  thud_test_message_has(f->context, "'data' is a function of time already; choose another name", NULL);
  assert_int_equal(thud_expr_scope_add_function(f->scope, "broken", T, &broken), THUD_OK);
  thud_expr *expr = thud_test_compile(f->context, f->scope, "broken + data");
  const double variables[VARIABLES] = {0};
  assert_true(isnan(thud_expr_evaluate(expr, variables)));
  assert_true(isnan(side_value(expr, 0, 0, THUD_SIDE_LEFT)));
  assert_true(thud_expr_depends_on(expr, T));
  assert_false(thud_expr_is_constant(expr));
  thud_expr_destroy(expr);
}

static thud_error find_all_jumps(thud_context *context, void *user) {
  (void)user;
  fixture f = {.context = context};
  thud_expr *expr = NULL;
  double *times = NULL;
  size_t count = 0;
  const double variables[VARIABLES] = {0};
  thud_error error = fixture_fill(&f);
  if (error == THUD_OK)
    error = thud_expr_compile(context, f.scope, "data + floor(3*t) + step(t - 1) + data^2", NULL, &expr);
  if (error == THUD_OK) error = thud_expr_jump_times(context, expr, variables, T, 0, 10, &times, &count);
  assert_int_equal(count, error == THUD_OK ? 32 : 0);
  thud_expr_free_times(context, times);
  thud_expr_destroy(expr);
  thud_piecewise_destroy(f.data);
  thud_expr_scope_destroy(f.scope);
  return error;
}

static void jump_times_survive_every_failed_allocation(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(find_all_jumps, NULL), 20);
}

/* ---- turns ----------------------------------------------------------------------------------------------------------- */

static void turns_are_found_where_the_slope_changes_its_sign(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *text;
    size_t count;
    double times[3],
        tolerance; /* a kink is found to the last bits, a smooth turn to the root of the rounding of its values */
  } cases[] = {
      {"max(0, 5*(1 - abs(t - 0.55)/0.01))", 1, {0.55}, 4e-16},
      {"sin(a*t)", 1, {0.52359877559829887}, 1e-7},
      {"exp(-((t - 0.31)/0.001)^2)", 1, {0.31}, 1e-10},
      {"-exp(-((t - 9)/0.01)^2)", 0, {0}, 0}, /* 0 by underflow */
      {"(t - 0.2)^2*(t - 0.8)", 2, {0.2, 0.6}, 1e-7},
      {"abs(abs(t - 0.5) - 0.25)", 3, {0.25, 0.5, 0.75}, 4e-16},
      {"min(t, 0.5)", 0, {0}, 0}, /* a kink without a turn */
      {"(t - 0.5)^3", 0, {0}, 0},
      {"a", 0, {0}, 0},
  };
  const double variables[VARIABLES] = {[T] = 99, [A] = 3};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr *expr = NULL;
    double *times = NULL;
    size_t count = 99;
    bool complete = false;
    assert_int_equal(thud_expr_compile(f->context, f->scope, cases[k].text, NULL, &expr), THUD_OK);
    assert_int_equal(thud_expr_turning_times(f->context, expr, NULL, variables, T, 0, 1, &times, &count, &complete),
                     THUD_OK);
    if (!complete || count != cases[k].count) fail_msg("'%s': %zu turns, complete %d", cases[k].text, count, complete);
    for (size_t i = 0; i < count; i++) thud_assert_near(times[i], cases[k].times[i], cases[k].tolerance);
    thud_expr_free_times(f->context, times);
    thud_expr_destroy(expr);
  }
}

/* Data that are 1 before 0.3 and sin(3 t) after it, whose pieces are known up to 2. */
static int evaluate_wave(void *user, double t, thud_side side, double *out) {
  (void)user;
  *out = t < 0.3 || (t == 0.3 && side == THUD_SIDE_LEFT) ? 1 : sin(3 * t);
  return 0;
}

static bool piece_of_data(const thud_regulated *function, double from, double to, const thud_expr **expr,
                          double *constant) {
  if (to <= 0.3) *expr = NULL, *constant = 1;
  if (from >= 0.3) *expr = function->user;
  return to <= 0.3 || (from >= 0.3 && to <= 2);
}

/* sin(3 t) turns at pi/6 and pi/2. */
static void turns_of_data_are_those_of_the_piece_that_holds(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *text;
    double from, to;
    size_t count;
    double times[2];
    bool complete;
  } cases[] = {
      {"2*wave - 1", 0.3, 2, 2, {0.52359877559829887, 1.5707963267948966}, true},
      {"wave", 0.6, 1.5, 0, {0}, true},
      {"wave", 0, 0.3, 0, {0}, true},
      {"wave + abs(t - 0.125)", 0, 0.3, 1, {0.125}, true},
      {"wave", 2, 3, 0, {0}, false},
  };
  const double variables[VARIABLES] = {[T] = 99, [A] = 3};
  static const double breaks[1] = {0.3};
  thud_expr *wave = thud_test_compile(f->context, f->scope, "sin(a*t)");
  thud_regulated function = {.dimension = 1, .evaluate = evaluate_wave, .user = wave, .jump_count = 1, .jumps = breaks};
  assert_int_equal(thud_expr_scope_add_function(f->scope, "wave", T, &function), THUD_OK);
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr *expr = thud_test_compile(f->context, f->scope, cases[k].text);
    double *times = NULL;
    size_t count = 99;
    bool complete = false;
    assert_int_equal(thud_expr_turning_times(f->context, expr, piece_of_data, variables, T, cases[k].from, cases[k].to,
                                             &times, &count, &complete),
                     THUD_OK);
    if (complete != cases[k].complete || count != cases[k].count)
      fail_msg("case %zu, '%s': %zu turns, complete %d", k, cases[k].text, count, complete);
    for (size_t i = 0; i < count; i++) thud_assert_near(times[i], cases[k].times[i], 1e-7);
    thud_expr_free_times(f->context, times);
    thud_expr_destroy(expr);
  }
  thud_expr_destroy(wave);
}

/* Values of data alone prove nothing, and an expression that is constant by cancellation has no slope of one sign. */
static void turns_that_cannot_be_enclosed_are_not_complete(void **state) {
  const fixture *f = *state;
  static const char *const texts[] = {"data", "sin(t)^2 + cos(t)^2", "sin(1e7*t)"};
  const double variables[VARIABLES] = {[T] = 99, [A] = 3};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
    thud_expr *expr = NULL;
    double *times = NULL;
    size_t count = 99;
    bool complete = true;
    assert_int_equal(thud_expr_compile(f->context, f->scope, texts[k], NULL, &expr), THUD_OK);
    assert_int_equal(thud_expr_turning_times(f->context, expr, NULL, variables, T, 0, 1, &times, &count, &complete),
                     THUD_OK);
    assert_false(complete);
    assert_int_equal(count, 0);
    thud_expr_free_times(f->context, times);
    thud_expr_destroy(expr);
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(slopes_agree_with_difference_quotients),
      cmocka_unit_test(rounding_errors_stay_within_their_bound),
      cmocka_unit_test_setup_teardown(the_three_numbers_at_a_jump_are_right, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_cut_of_atan2_is_a_jump, set_up, tear_down),
      cmocka_unit_test_setup_teardown(jump_times_are_found_sorted_and_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(jumps_at_an_unknown_place_are_left_out, set_up, tear_down),
      cmocka_unit_test_setup_teardown(expressions_that_jump_together_share_one_time, set_up, tear_down),
      cmocka_unit_test_setup_teardown(roots_are_sharp_in_huge_intervals, set_up, tear_down),
      cmocka_unit_test_setup_teardown(jumps_of_random_sums_of_steps_add_up, set_up, tear_down),
      cmocka_unit_test_setup_teardown(arguments_that_are_not_affine_are_refused_with_their_column, set_up, tear_down),
      cmocka_unit_test_setup_teardown(jumps_that_rounding_confuses_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(too_many_jumps_of_data_are_refused, set_up, tear_down),
      cmocka_unit_test_setup_teardown(a_failing_function_gives_nan, set_up, tear_down),
      cmocka_unit_test_setup_teardown(turns_are_found_where_the_slope_changes_its_sign, set_up, tear_down),
      cmocka_unit_test_setup_teardown(turns_of_data_are_those_of_the_piece_that_holds, set_up, tear_down),
      cmocka_unit_test_setup_teardown(turns_that_cannot_be_enclosed_are_not_complete, set_up, tear_down),
      cmocka_unit_test_setup_teardown(jump_times_survive_every_failed_allocation, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
