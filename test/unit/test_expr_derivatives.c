#include "expressions.h"
#include "random_expressions.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const thud_index all_slots[TEST_VARIABLES] = {TEST_X, TEST_Y, TEST_Z, TEST_W};

typedef struct rule {
  const char *source, *by_x, *by_y;
} rule;

/* Both partial derivatives as texts, inside the domain. */
static const rule rules[] = {
    {"x + y", "1", "1"},
    {"x - y", "1", "-1"},
    {"x*y", "y", "x"},
    {"x/y", "1/y", "-x/y^2"},
    {"-x", "-1", "0"},
    {"x^y", "y*x^(y-1)", "x^y*log(x)"},
    {"x^3", "3*x^2", "0"},
    {"y^3", "0", "3*y^2"},
    {"(-x)^3", "-3*x^2", "0"},
    {"y^-2", "0", "-2/y^3"},
    {"x^0.5", "0.5/sqrt(x)", "0"},
    {"2^x", "2^x*log(2)", "0"},
    {"sin(x*y)", "y*cos(x*y)", "x*cos(x*y)"},
    {"cos(x + 2*y)", "-sin(x + 2*y)", "-2*sin(x + 2*y)"},
    {"tan(x)", "1/cos(x)^2", "0"},
    {"asin(x/2)", "1/sqrt(4 - x^2)", "0"},
    {"acos(x/2)", "-1/sqrt(4 - x^2)", "0"},
    {"atan(x)", "1/(1 + x^2)", "0"},
    {"sinh(x)", "cosh(x)", "0"},
    {"cosh(x)", "sinh(x)", "0"},
    {"tanh(x)", "1/cosh(x)^2", "0"},
    {"exp(x*y)", "y*exp(x*y)", "x*exp(x*y)"},
    {"log(x)", "1/x", "0"},
    {"sqrt(x)", "0.5/sqrt(x)", "0"},
    {"hypot(x, y)", "x/hypot(x, y)", "y/hypot(x, y)"},
    {"atan2(x, y)", "y/(x^2 + y^2)", "-x/(x^2 + y^2)"},
    {"abs(y)", "0", "sign(y)"},
    {"abs(x)", "1", "0"},
    {"min(x, y)", "x < y", "1 - (x < y)"},
    {"max(x, y)", "x > y", "1 - (x > y)"},
    {"if(x > y, x*y, x + y)", "if(x > y, y, 1)", "if(x > y, x, 1)"},
    {"step(y)*x", "step(y)", "0"},
    {"sign(y)*x", "sign(y)", "0"},
    {"floor(y)*x", "floor(y)", "0"},
    {"(x < y)*x", "x < y", "0"},
    {"(x <= y)*x", "x <= y", "0"},
    {"(x == y)*x", "x == y", "0"},
    {"(x != y)*x", "x != y", "0"},
    {"x - x", "0", "0"},
    {"x*x*x*x", "4*x^3", "0"},
};

static void every_operation_has_its_derivative(void **state) {
  const thud_test_graph *g = *state;
  static const double points[][TEST_VARIABLES] = {{0.7, -1.3, 0, 0}, {1.5, 2.25, 0, 0}, {0.2, 0.2, 0, 0}};
  for (size_t r = 0; r < sizeof rules / sizeof *rules; r++) {
    thud_expr_value value = thud_test_add(g, rules[r].source);
    thud_expr_value values[4] = {thud_test_derivative(g, value, TEST_X), thud_test_derivative(g, value, TEST_Y),
                                 thud_test_add(g, rules[r].by_x), thud_test_add(g, rules[r].by_y)};
    for (size_t p = 0; p < sizeof points / sizeof *points; p++) {
      double out[4];
      thud_test_values(g, 4, values, points[p], out);
      thud_test_near(rules[r].source, out[0], out[2], 1e-14);
      thud_test_near(rules[r].source, out[1], out[3], 1e-14);
    }
  }
}

static void gradients_of_random_expressions_agree_with_the_complex_step(void **state) {
  const thud_test_graph *g = *state;
  thud_test_maker m = {.random = thud_random_seed(20)};
  static thud_test_piece made;
  int moving = 0;
  for (int trial = 0; trial < 1500; trial++) {
    for (int k = 0; k < TEST_VARIABLES; k++) m.point[k] = thud_random_uniform(&m.random, -1.5, 1.5);
    thud_test_random_expression(&m, 1 + trial % 6, &made);
    thud_expr_value values[1 + TEST_VARIABLES];
    values[0] = thud_test_add(g, made.text);
    assert_int_equal(thud_expr_graph_add_gradient(g->graph, values[0], TEST_VARIABLES, all_slots, values + 1), THUD_OK);
    double out[1 + TEST_VARIABLES], largest = 0;
    thud_test_values(g, 1 + TEST_VARIABLES, values, m.point, out);
    thud_test_near(made.text, out[0], made.value, 1e-13);
    for (int k = 0; k < TEST_VARIABLES; k++) largest = fmax(largest, fabs(made.gradient[k]));
    for (int k = 0; k < TEST_VARIABLES; k++)
      thud_test_near(made.text, out[1 + k], made.gradient[k], 1e-12 * fmax(1, largest));
    moving += largest > 1e-3;
  }
  thud_assert_greater(moving, 1000); /* the test would be void if most expressions were constant */
}

/* Central differences of the exact gradient with h = 1e-5 are good to about 1e-9; the two orders of differentiation
 * agree to rounding. */
static void second_derivatives_are_symmetric_and_agree_with_differences(void **state) {
  const thud_test_graph *g = *state;
  enum { N = TEST_VARIABLES };
  static const char *const sources[] = {
      "exp(-x^2)*sin(y*z) + log(1 + w^2)*sqrt(1 + x^2 + y^2) - x*w/(2 + z^2) + x^3*y",
      "(2 + sin(x*y))^(1 + z^2)*cos(w) + hypot(1 + x, y - 2*w) + atan2(2 + z, x*w)",
      "tan(0.3*x)*tanh(y)*sinh(z) + cosh(w*x) + atan(x - y)*asin(0.4*z)*acos(0.4*w)",
      "max(x, y)*min(z, 2*w) + abs(x*y) + if(x < w, x*x*w, w^4*y)*step(x)",
  };
  const double point[N] = {0.4, -0.7, 0.9, 1.2};
  for (size_t s = 0; s < sizeof sources / sizeof *sources; s++) {
    thud_expr_value value = thud_test_add(g, sources[s]), gradient[N], hessian[N * N], other[N * N];
    assert_int_equal(thud_expr_graph_add_gradient(g->graph, value, N, all_slots, gradient), THUD_OK);
    assert_int_equal(thud_expr_graph_add_hessian(g->graph, value, N, all_slots, hessian), THUD_OK);
    for (int i = 0; i < N; i++)
      assert_int_equal(thud_expr_graph_add_gradient(g->graph, gradient[i], N, all_slots, other + i * N), THUD_OK);
    double found[N * N], again[N * N], above[N], below[N];
    thud_test_values(g, N * N, hessian, point, found);
    thud_test_values(g, N * N, other, point, again);
    for (int j = 0; j < N; j++) {
      double moved[N], h = 1e-5;
      memcpy(moved, point, sizeof moved);
      moved[j] = point[j] + h;
      thud_test_values(g, N, gradient, moved, above);
      moved[j] = point[j] - h;
      thud_test_values(g, N, gradient, moved, below);
      for (int i = 0; i < N; i++) {
        thud_test_near(sources[s], found[i * N + j], (above[i] - below[i]) / (2 * h), 2e-9);
        thud_test_near(sources[s], found[i * N + j], again[i * N + j], 1e-13);
        thud_test_near(sources[s], again[j * N + i], again[i * N + j], 1e-13);
        assert_int_equal(hessian[i * N + j], hessian[j * N + i]);
      }
    }
  }
}

/* f = x^5 y^4: the derivative of order (a, b) is the product of falling factorials. */
static void derivatives_of_derivatives_give_any_order(void **state) {
  const thud_test_graph *g = *state;
  const double point[TEST_VARIABLES] = {1.5, -0.75, 0, 0};
  thud_expr_value row = thud_test_add(g, "x^5*y^4");
  double factor_x = 1;
  for (int a = 0; a <= 6; a++) {
    thud_expr_value value = row;
    double factor_y = 1, out;
    for (int b = 0; b <= 5; b++) {
      thud_test_values(g, 1, &value, point, &out);
      double exact = factor_x * factor_y == 0 ? 0 : factor_x * pow(1.5, 5 - a) * factor_y * pow(-0.75, 4 - b);
      thud_test_near("x^5*y^4", out, exact, 1e-14);
      value = thud_test_derivative(g, value, TEST_Y);
      factor_y *= 4 - b;
    }
    row = thud_test_derivative(g, row, TEST_X);
    factor_x *= 5 - a;
  }
}

static void a_gradient_costs_a_small_multiple_of_the_expression(void **state) {
  const thud_test_graph *g = *state;
  static char source[16384];
  snprintf(source, sizeof source, "x");
  for (int k = 0; k < 100; k++) { /* ((x*y + z)*sin(w) ...)^..., each step on top of the last */
    static char longer[sizeof source];
    int length = snprintf(longer, sizeof longer, "sin(%s*y + z)*w + x/(2 + y^2)", source);
    assert_in_range(length, 1, sizeof longer - 1);
    strcpy(source, longer);
  }
  thud_expr_value values[1 + TEST_VARIABLES];
  values[0] = thud_test_add(g, source);
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, values[0], TEST_VARIABLES, all_slots, values + 1), THUD_OK);
  thud_expr_program *plain = thud_test_program(g, 1, values), *full = thud_test_program(g, 1 + TEST_VARIABLES, values);
  assert_in_range(thud_expr_program_operation_count(plain), 400, 450);
  assert_in_range(thud_expr_program_operation_count(full), 400, 4 * thud_expr_program_operation_count(plain));
  thud_expr_program_destroy(plain);
  thud_expr_program_destroy(full);
}

typedef struct tie {
  const char *source;
  double x, expected;
} tie;

/* On ties the branch of step(0) = 1; branches that are not taken do not leak their infinities. */
static void kinks_and_branches_follow_the_conventions(void **state) {
  const thud_test_graph *g = *state;
  static const tie ties[] = {
      {"abs(x)", 0, 1},
      {"abs(-x)", 0, -1},
      {"min(2*x, 3*x)", 0, 3},
      {"max(2*x, 3*x)", 0, 3},
      {"if(x >= 0, x, 5*x)", 0, 1},
      {"if(x > 0, sqrt(x), 0)", 0, 0},
      {"if(x > 0, sqrt(x), 0)", 4, 0.25},
      {"if(x > 0, x*log(x), x^2)", 0, 0},
      {"if(x < 1, acos(x), 3*x)", 1, 3},
      {"if(x > 0, 1/x, 7*x)", 0, 7},
      {"if(x > 0, x^2.5/x, 2*x)", 0, 2},
      {"min(sqrt(x), x - 1)", 0, 1},
      {"max(sqrt(x), 1 + x)", 0, 1},
      {"x^3", 0, 0},
      {"x^1.5", 0, 0},
      {"x^0", 0, 0},
      {"sqrt(x)", 0, INFINITY},
      {"hypot(x, 0)", 0, NAN},
      /* powers of squares that are C^1, and those that are not */
      {"abs(x)^1.6", 0, 0},
      {"(x^2)^0.8", 0, 0},
      {"(x^2)^0.8", -2, -1.6 * 1.5157165665103982},
      {"(x^4)^0.3", 0, 0},
      {"(x^2 + y^2)^0.8", 0, 0},
      {"(3*x^2 + y^4)^0.6", 0, 0},
      {"hypot(x, y)^1.6", 0, 0},
      {"sqrt(x^2 + y^2)^1.2", 0, 0},
      {"sqrt(x^2 + y^2)", 0, NAN},
      {"(x^2 + y^2)^0.5", 0, NAN},
      {"x^0.8", 0, INFINITY},
      {"if(log(-1 - x) > 0, x, 2*x)", 0, NAN},
      {"sin(x)*step(x - 1) + x*sign(x)", 0, 0},
  };
  for (size_t k = 0; k < sizeof ties / sizeof *ties; k++) {
    thud_expr_value value = thud_test_derivative(g, thud_test_add(g, ties[k].source), TEST_X);
    double out;
    thud_test_values(g, 1, &value, (const double[TEST_VARIABLES]){ties[k].x}, &out);
    thud_test_near(ties[k].source, out, ties[k].expected, 1e-15);
  }
  /* The same for second derivatives. */
  thud_expr_value value = thud_test_add(g, "if(x > 0, sqrt(x)*x, x^2)");
  for (int k = 0; k < 2; k++) value = thud_test_derivative(g, value, TEST_X);
  double out;
  thud_test_values(g, 1, &value, (const double[TEST_VARIABLES]){0}, &out);
  thud_assert_equal(out, 2);
}

static void rates_and_sums_are_what_they_say(void **state) {
  const thud_test_graph *g = *state;
  const double point[TEST_VARIABLES] = {0.5, 2, -3, 0.25};
  static const thud_index slots[2] = {TEST_X, TEST_Y};
  const thud_expr_value directions[2] = {thud_test_add(g, "z"), thud_test_add(g, "w^2")};
  thud_expr_value values[5];
  assert_int_equal(thud_expr_graph_add_rate(g->graph, thud_test_add(g, "x*y^2"), 2, slots, directions, &values[0]),
                   THUD_OK);
  assert_int_equal(thud_expr_graph_add_rate(g->graph, thud_test_add(g, "x*y^2"), 2, slots, NULL, &values[1]), THUD_OK);
  assert_int_equal(thud_expr_graph_add_dot(g->graph, 2, directions, directions, &values[2]), THUD_OK);
  assert_int_equal(thud_expr_graph_add_dot(g->graph, 0, NULL, NULL, &values[3]), THUD_OK);
  assert_int_equal(thud_expr_graph_add_variable(g->graph, TEST_Z, &values[4]), THUD_OK);
  double out[5], number = 1;
  thud_test_values(g, 5, values, point, out);
  thud_assert_equal(out[0], 4 * -3 + 2 * 0.5 * 2 * 0.0625);
  thud_assert_equal(out[1], 4 + 2 * 0.5 * 2);
  thud_assert_equal(out[2], 9 + 0.0625 * 0.0625);
  thud_assert_equal(out[3], 0);
  assert_true(thud_expr_graph_is_constant(g->graph, values[3], &number));
  thud_assert_equal(number, 0);
  thud_assert_equal(out[4], -3);
  assert_true(!thud_expr_graph_is_constant(g->graph, values[4], NULL));
  assert_int_equal(values[4], directions[0]);
  bool depends = false;
  assert_int_equal(thud_expr_graph_depends_on(g->graph, values[0], TEST_W, &depends), THUD_OK);
  assert_true(depends);
  assert_int_equal(thud_expr_graph_depends_on(g->graph, values[1], TEST_W, &depends), THUD_OK);
  assert_false(depends);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_graph_begin, thud_test_graph_end)
  const struct CMUnitTest tests[] = {
      TEST(every_operation_has_its_derivative),
      TEST(gradients_of_random_expressions_agree_with_the_complex_step),
      TEST(second_derivatives_are_symmetric_and_agree_with_differences),
      TEST(derivatives_of_derivatives_give_any_order),
      TEST(a_gradient_costs_a_small_multiple_of_the_expression),
      TEST(kinks_and_branches_follow_the_conventions),
      TEST(rates_and_sums_are_what_they_say),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
