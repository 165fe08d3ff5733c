#include "base/base.h"
#include "expr/program.h"
#include "expressions.h"
#include "random_expressions.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { ORDER = 24 };

/* Coefficients of one output along x = path[0] + path[1] s + ..., y likewise; z and w rest at 0. */
static void jet_of(const thud_test_graph *g, thud_expr_value value, const double *x_path, const double *y_path,
                   int order, double *out) {
  thud_expr_program *program = thud_test_program(g, 1, &value);
  thud_expr_work *work = thud_test_work(g, program, order);
  for (int k = 0; k <= order; k++) {
    const double variables[TEST_VARIABLES] = {x_path[k], y_path != NULL ? y_path[k] : 0};
    assert_int_equal(thud_expr_work_jet(work, k, variables, &out[k]), THUD_OK);
  }
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

typedef struct series {
  const char *source;
  double (*coefficient)(int k);
} series;

static double binomial(double p, int k) {
  double b = 1;
  for (int j = 0; j < k; j++) b *= (p - j) / (j + 1);
  return b;
}
static double of_exp(int k) { return 1 / tgamma(k + 1.0); }
static double of_sin(int k) { return k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / tgamma(k + 1.0); }
static double of_cos(int k) { return k % 2 != 0 ? 0 : (k % 4 == 0 ? 1 : -1) / tgamma(k + 1.0); }
static double of_sinh(int k) { return k % 2 == 0 ? 0 : of_exp(k); }
static double of_cosh(int k) { return k % 2 != 0 ? 0 : of_exp(k); }
static double of_log1p(int k) { return k == 0 ? 0 : (k % 2 == 1 ? 1 : -1) / (double)k; }
static double of_root(int k) { return binomial(0.5, k); }
static double of_power(int k) { return binomial(-1.75, k); }
static double of_inverse(int k) { return k % 2 == 0 ? 1 : -1; }
static double of_atan(int k) { return k % 2 == 0 ? 0 : (k % 4 == 1 ? 1 : -1) / (double)k; }
static double of_asin(int k) {
  int n = (k - 1) / 2;
  return k % 2 == 0 ? 0 : (n % 2 == 0 ? 1 : -1) * binomial(-0.5, n) / k;
}
static double of_acos(int k) { return k == 0 ? acos(0) : -of_asin(k); }
/* tan: the first coefficients are 1, 1/3, 2/15, 17/315, ...; by y' = 1 + y^2 in another arrangement: the convolution.
 */
static double of_tan(int k) {
  double c[ORDER + 1] = {0};
  for (int n = 0; n < k; n++) {
    double sum = n == 0 ? 1 : 0;
    for (int j = 0; j <= n; j++) sum += c[j] * c[n - j];
    c[n + 1] = sum / (n + 1);
  }
  return c[k];
}
static double of_tanh(int k) { return k % 4 == 3 ? -of_tan(k) : of_tan(k); }
static double of_cube(int k) { return k == 3 ? 1 : 0; }
static double of_shifted_cube(int k) { return binomial(3, k); }
static double of_square_root_of_square(int k) { return k <= 1 ? 1 : 0; }
static double of_two_to(int k) { return pow(log(2), k) / tgamma(k + 1.0); }
/* x^x at 1 + s: 1, 1, 1, 1/2, 1/3, 1/12, 3/40, ... */
static double of_self_power(int k) {
  static const double known[] = {1, 1, 1, 1 / 2., 1 / 3., 1 / 12., 3 / 40., -1 / 120., 59 / 2520., -71 / 5040.};
  return k < 10 ? known[k] : NAN;
}

static void elementary_functions_have_their_series(void **state) {
  const thud_test_graph *g = *state;
  static const series all[] = {
      {"exp(x)", of_exp},
      {"sin(x)", of_sin},
      {"cos(x)", of_cos},
      {"sin(x)*1 + 0*cos(x)", of_sin},
      {"cos(x) + 0*sin(x)", of_cos},
      {"sinh(x)", of_sinh},
      {"cosh(x)", of_cosh},
      {"cosh(x) + 0*sinh(x)", of_cosh},
      {"log(1 + x)", of_log1p},
      {"sqrt(1 + x)", of_root},
      {"(1 + x)^0.5", of_root},
      {"(1 + x)^-1.75", of_power},
      {"1/(1 + x)", of_inverse},
      {"(1 + x)^-1", of_inverse},
      {"atan(x)", of_atan},
      {"atan2(x, 1)", of_atan},
      {"asin(x)", of_asin},
      {"acos(x)", of_acos},
      {"tan(x)", of_tan},
      {"tanh(x)", of_tanh},
      {"x^3", of_cube},
      {"(1 + x)^3", of_shifted_cube},
      {"sqrt((1 + x)^2)", of_square_root_of_square},
      {"hypot(0.6 + 0.6*x, 0.8 + 0.8*x)", of_square_root_of_square},
      {"2^x", of_two_to},
      {"abs(-1 - x)", of_square_root_of_square},
      {"max(1 + x, 0.5 - x)", of_square_root_of_square},
      {"min(1 + x, 1.5 - x)", of_square_root_of_square},
      {"if(x < 1, 1 + x, 0)", of_square_root_of_square},
      {"step(x) + floor(x + 0.5) + x", of_square_root_of_square},
      {"(x + 0.5 < 1) + sign(x + 1)*x", of_square_root_of_square},
  };
  const double path[ORDER + 1] = {0, 1};
  for (size_t s = 0; s < sizeof all / sizeof *all; s++) {
    double out[ORDER + 1];
    jet_of(g, thud_test_add(g, all[s].source), path, NULL, ORDER, out);
    for (int k = 0; k <= ORDER; k++) thud_test_near(all[s].source, out[k], all[s].coefficient(k), 2e-14);
  }
  double out[10], from_one[10] = {1, 1};
  jet_of(g, thud_test_add(g, "x^x"), from_one, NULL, 9, out);
  for (int k = 0; k < 10; k++) thud_test_near("x^x", out[k], of_self_power(k), 1e-14);
}

/* Powers of a path that passes zero: x = s^m (1 + s). */
static void powers_are_followed_through_zero(void **state) {
  const thud_test_graph *g = *state;
  double out[ORDER + 1];
  const double square[ORDER + 1] = {0, 0, 1, 1}, minus[ORDER + 1] = {0, -1}, rest[ORDER + 1] = {0};
  jet_of(g, thud_test_add(g, "x^2.5"), square, NULL, ORDER, out); /* s^5 (1 + s)^2.5 */
  for (int k = 0; k <= ORDER; k++) thud_test_near("x^2.5", out[k], k < 5 ? 0 : binomial(2.5, k - 5), 1e-14);
  jet_of(g, thud_test_add(g, "x^4"), square, NULL, ORDER, out);
  for (int k = 0; k <= ORDER; k++) thud_test_near("x^4", out[k], k < 8 ? 0 : binomial(4, k - 8), 1e-14);
  jet_of(g, thud_test_add(g, "x^3"), minus, NULL, 5, out);
  for (int k = 0; k <= 5; k++) thud_assert_equal(out[k], (k == 3 ? -1 : 0));
  jet_of(g, thud_test_add(g, "x^2.5"), minus, NULL, 5, out);
  for (int k = 0; k <= 5; k++) assert_true(k < 3 ? out[k] == 0 : isnan(out[k]));
  jet_of(g, thud_test_add(g, "x^y"), minus, (const double[6]){3}, 5, out); /* the exponent rests */
  for (int k = 0; k <= 5; k++) thud_assert_equal(out[k], (k == 3 ? -1 : 0));
  jet_of(g, thud_test_add(g, "sqrt(x) + hypot(x, y) + x^0"), rest, rest, 5, out); /* a body at rest is not a trouble */
  for (int k = 0; k <= 5; k++) thud_assert_equal(out[k], (k == 0));
  jet_of(g, thud_test_add(g, "sqrt(x)"), square, NULL, 5, out);
  assert_true(!isfinite(out[2]));
}

/* A graph over t alone in which the variables are polynomials of t. */
static void begin_path(thud_context *context, thud_test_graph *g) {
  g->context = context;
  assert_int_equal(thud_expr_scope_create(context, &g->scope), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "x", "0.4 + 1.2*t - 0.5*t^2 + 0.25*t^3"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "y", "0.7 - 0.8*t + 0.3*t^2 + t^4"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "z", "-0.3 + t"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "w", "1.1 - 0.2*t^2"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_variable(g->scope, "t", NULL), THUD_OK);
  assert_int_equal(thud_expr_graph_create(context, g->scope, &g->graph), THUD_OK);
}

/* f(x(t), y(t), ...): the jet along the path against k-fold differentiation by t of the composed text, over k!. The
 * errors of both grow with the size of the coefficients. */
static void compare_jet(const thud_test_graph *plain, const char *source, double tolerance) {
  enum { HIGH = 5 };
  static const double path[HIGH + 1][TEST_VARIABLES] = {{0.4, 0.7, -0.3, 1.1}, {1.2, -0.8, 1, 0}, {-0.5, 0.3, 0, -0.2},
                                                        {0.25, 0, 0, 0},       {0, 1, 0, 0},      {0, 0, 0, 0}};
  thud_test_graph composed;
  begin_path(plain->context, &composed);
  thud_expr_value value = thud_test_add(plain, source);
  thud_expr_program *program = thud_test_program(plain, 1, &value);
  thud_expr_work *work = thud_test_work(plain, program, HIGH);
  value = thud_test_add(&composed, source);
  double factorial = 1, largest = 1;
  for (int k = 0; k <= HIGH; k++) {
    double exact, found;
    assert_int_equal(thud_expr_work_jet(work, k, path[k], &found), THUD_OK);
    thud_test_values(&composed, 1, &value, (const double[1]){0}, &exact);
    largest = fmax(largest, fabs(exact / factorial));
    thud_test_near(source, found, exact / factorial, tolerance * largest);
    factorial *= k + 1;
    value = thud_test_derivative(&composed, value, 0);
  }
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
  thud_expr_graph_destroy(composed.graph);
  thud_expr_scope_destroy(composed.scope);
}

static void jets_agree_with_repeated_differentiation(void **state) {
  const thud_test_graph *g = *state;
  static const char *const sources[] = {
      "exp(-x^2)*sin(y) + log(2 + y^2)*sqrt(1 + x^2)",
      "(2 + sin(x*y))^(1 + y^2)*cos(x) + hypot(1 + x, y - 2)",
      "tan(0.3*x)*tanh(y)*sinh(x) + cosh(y*x) + atan(x - y)*asin(0.4*x)*acos(0.4*y)",
      "atan2(x, y - 3)/(2 + x^3) + x^2.5*y^-2 + x^y",
      "max(x, y)*min(x, 2*y) + abs(x*y) + if(x < y, x*x*y, x^4*y)*step(x)",
  };
  for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) compare_jet(g, sources[s], 1e-13);
}

static void jets_of_random_expressions_agree_with_repeated_differentiation(void **state) {
  const thud_test_graph *g = *state;
  thud_test_maker m = {.random = thud_random_seed(77), .point = {0.4, 0.7, -0.3, 1.1}};
  static thud_test_piece made;
  for (int trial = 0; trial < 150; trial++) {
    thud_test_random_expression(&m, 1 + trial % 4, &made);
    compare_jet(g, made.text, 1e-12);
  }
}

/* Lambert's W: W' = exp(-W)/(1 + W), W(0) = 0, W = sum (-k)^(k-1)/k! s^k. Each coefficient makes the next. */
static void a_differential_equation_is_solved_order_by_order(void **state) {
  const thud_test_graph *g = *state;
  thud_expr_value value = thud_test_add(g, "exp(-x)/(1 + x)");
  thud_expr_program *program = thud_test_program(g, 1, &value);
  thud_expr_work *work = thud_test_work(g, program, ORDER);
  double next = 0;
  for (int k = 0; k <= ORDER; k++) {
    double exact = k == 0 ? 0 : pow(-k, k - 1) / tgamma(k + 1.0), rate;
    thud_test_near("W", next, exact, 1e-12);
    assert_int_equal(thud_expr_work_jet(work, k, (const double[TEST_VARIABLES]){next}, &rate), THUD_OK);
    next = rate / (k + 1);
  }
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

/* q'' = -sin q: the series of q and of q' together keep the energy; and the value, gradient and jet are one tape. */
static void a_second_order_system_is_integrated_by_its_jet(void **state) {
  const thud_test_graph *g = *state;
  thud_expr_value energy = thud_test_add(g, "0.5*y^2 - cos(x)"), values[2] = {energy};
  values[1] = thud_test_derivative(g, thud_test_add(g, "cos(x)"), TEST_X); /* -dV/dx */
  thud_expr_program *program = thud_test_program(g, 2, values);
  thud_expr_work *work = thud_test_work(g, program, ORDER);
  double q[ORDER + 3] = {1.2, -0.4}, out[2];
  for (int k = 0; k <= ORDER; k++) {
    const double variables[TEST_VARIABLES] = {q[k], (k + 1) * q[k + 1]};
    assert_int_equal(thud_expr_work_jet(work, k, variables, out), THUD_OK);
    q[k + 2] = out[1] / ((k + 1.0) * (k + 2.0));
    thud_test_near("energy along the motion", out[0], k == 0 ? 0.08 - cos(1.2) : 0, 1e-15);
  }
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

static void jets_may_go_back_but_not_skip(void **state) {
  const thud_test_graph *g = *state;
  thud_expr_value value = thud_test_add(g, "sin(x)*exp(x) + tan(x)");
  thud_expr_program *program = thud_test_program(g, 1, &value);
  thud_expr_work *work = thud_test_work(g, program, 6), *fresh = thud_test_work(g, program, 9);
  const double path[7] = {0.3, 1, -2, 0.5, 4, 1, 1}, other[7] = {0.3, 1, 7, -1, 2, 0, 1};
  double out, again;
  assert_int_equal(thud_expr_work_jet(work, 1, path, &out), THUD_ERROR_ARGUMENT);
  thud_test_message_has(g->context, "coefficient 1 of a jet after number -1; none may be skipped", NULL);
  for (int k = 0; k <= 6; k++) assert_int_equal(thud_expr_work_jet(work, k, &path[k], &out), THUD_OK);
  assert_int_equal(thud_expr_work_jet(work, 7, path, &out), THUD_ERROR_ARGUMENT);
  thud_test_message_has(g->context, "7", "6", NULL);
  assert_int_equal(thud_expr_work_jet(work, -1, path, &out), THUD_ERROR_ARGUMENT);
  for (int k = 0; k <= 1; k++) assert_int_equal(thud_expr_work_jet(fresh, k, &other[k], &again), THUD_OK);
  for (int k = 2; k <= 6; k++) { /* the same bits as a jet that never was otherwise, of whatever highest order */
    const double variables[TEST_VARIABLES] = {other[k]};
    assert_int_equal(thud_expr_work_jet(work, k, variables, &out), THUD_OK);
    assert_int_equal(thud_expr_work_jet(fresh, k, variables, &again), THUD_OK);
    assert_memory_equal(&out, &again, sizeof out);
  }
  assert_int_equal(thud_expr_work_jet(work, 2, other, &out), THUD_OK);
  assert_int_equal(thud_expr_work_jet(work, 4, other, &out), THUD_ERROR_ARGUMENT);
  thud_expr_work_destroy(work);
  thud_expr_work_destroy(fresh);
  thud_expr_program_destroy(program);
}

static void the_jet_of_a_gradient_is_the_gradient_along_the_path(void **state) {
  const thud_test_graph *g = *state;
  static const thud_index slots[2] = {TEST_X, TEST_Y};
  thud_expr_value gap = thud_test_add(g, "sqrt(x^2 + y^2) - 1"), values[2];
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, gap, 2, slots, values), THUD_OK);
  thud_expr_program *program = thud_test_program(g, 2, values);
  thud_expr_work *work = thud_test_work(g, program, ORDER);
  /* On the circle x = 2 cos s, y = 2 sin s the normal is (cos s, sin s). */
  for (int k = 0; k <= ORDER; k++) {
    double out[2];
    const double variables[TEST_VARIABLES] = {2 * of_cos(k), 2 * of_sin(k)};
    assert_int_equal(thud_expr_work_jet(work, k, variables, out), THUD_OK);
    thud_test_near("normal, x", out[0], of_cos(k), 1e-15);
    thud_test_near("normal, y", out[1], of_sin(k), 1e-15);
  }
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

/* Pieces first .. last of a function of x with breaks at 1, 2, ..., halved at each break as data are. */
static size_t write_pieces(char *text, int first, int last) {
  if (first == last) return (size_t)sprintf(text, "(%d + %d*x*sin(y))", first % 7, first % 5);
  int middle = first + (last - first + 1) / 2;
  size_t length = (size_t)sprintf(text, "if(x < %d, ", middle);
  length += write_pieces(text + length, first, middle - 1);
  length += (size_t)sprintf(text + length, ", ");
  length += write_pieces(text + length, middle, last);
  return length + (size_t)sprintf(text + length, ")");
}

/* Holds every switch of breaks b: those of the program are x - b. */
static void hold_at(thud_expr_work *work, double x) {
  for (thud_index j = 0; j < work->program->switch_count; j++) {
    const thud_expr *tape = work->program->tape;
    double at = tape->constants[tape->code[work->program->switches[j].argument].operand[1]];
    assert_int_equal(thud_expr_work_hold(work, j, x < at ? -1 : 1), THUD_OK);
  }
}

static bool watches(const thud_expr_work *work, double at) {
  const thud_expr *tape = work->program->tape;
  for (int32_t k = 0; k < expr_watched_count(work); k++)
    if (tape->constants[tape->code[work->program->switches[expr_watched(work, k)].argument].operand[1]] == at)
      return true;
  return false;
}

/* Work is counted in operations: of 2^p pieces a path of p decisions and branches, one piece (5) and two arguments of
 * switches are computed, with the numbers that a pass over everything finds. */
static void only_the_piece_between_two_breaks_is_computed(void **state) {
  const thud_test_graph *g = *state;
  for (int p = 5; p <= 11; p += 3) {
    int pieces = 1 << p;
    char *text = THUD_NEW_ARRAY(g->context, char, (size_t)pieces * 64);
    assert_non_null(text);
    write_pieces(text, 0, pieces - 1);
    thud_expr_value value = thud_test_add(g, text);
    thud_expr_program *program = thud_test_program(g, 1, &value);
    thud_expr_work *work = thud_test_work(g, program, ORDER), *whole = thud_test_work(g, program, ORDER);
    assert_int_equal(program->switch_count, pieces - 1);
    assert_int_equal(thud_expr_work_watch_time(work, TEST_X), THUD_OK);
    int32_t all = program->tape->count - program->tape->leaf_count;
    assert_int_equal(expr_live_count(work), all); /* nothing is held */
    for (int piece = 0; piece < pieces; piece += 1 + pieces / 9) {
      hold_at(work, piece + 0.5);
      hold_at(whole, piece + 0.5);
      assert_true(expr_live_count(work) <= 2 * p + 5 + 2);
      assert_true(expr_watched_count(work) <= 2);
      assert_true(piece == 0 || watches(work, piece));
      assert_true(piece == pieces - 1 || watches(work, piece + 1));
      for (int k = 0; k <= ORDER; k++) {
        double found, expected;
        const double variables[TEST_VARIABLES] = {k == 0 ? piece + 0.5 : k == 1, k < 3 ? 0.25 : 0};
        assert_int_equal(thud_expr_work_jet(work, k, variables, &found), THUD_OK);
        assert_int_equal(thud_expr_work_jet(whole, k, variables, &expected), THUD_OK);
        assert_true(found == expected);
      }
      double found, expected;
      thud_expr_work_evaluate(work, (const double[TEST_VARIABLES]){piece + 0.25, 2}, &found);
      thud_expr_work_evaluate(whole, (const double[TEST_VARIABLES]){piece + 0.25, 2}, &expected);
      assert_true(found == expected);
    }
    assert_int_equal(thud_expr_work_hold(work, 0, 0), THUD_OK);
    assert_int_equal(expr_live_count(work), all);
    assert_int_equal(expr_watched_count(work), pieces - 1);
    thud_expr_work_destroy(work);
    thud_expr_work_destroy(whole);
    thud_expr_program_destroy(program);
    thud_free(g->context, text);
  }
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_graph_begin, thud_test_graph_end)
  const struct CMUnitTest tests[] = {
      TEST(elementary_functions_have_their_series),
      TEST(powers_are_followed_through_zero),
      TEST(jets_agree_with_repeated_differentiation),
      TEST(jets_of_random_expressions_agree_with_repeated_differentiation),
      TEST(a_differential_equation_is_solved_order_by_order),
      TEST(a_second_order_system_is_integrated_by_its_jet),
      TEST(jets_may_go_back_but_not_skip),
      TEST(only_the_piece_between_two_breaks_is_computed),
      TEST(the_jet_of_a_gradient_is_the_gradient_along_the_path),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
