/* Structural degrees of the values of programs along polynomial paths: what lies above them is 0 in the jets. */
#include "expr/program.h"
#include "random_expressions.h"
#include "testing.h"

#include <math.h>

enum { ORDER = 12, TRIES = 600 };

/* Degrees of x, y, z, w along the paths. */
static const int path_degree[TEST_VARIABLES] = {2, 1, 0, 0};

static void expand(thud_expr_work *work, const double *start) {
  double variables[TEST_VARIABLES], out;
  for (int k = 0; k <= ORDER; k++) {
    for (int v = 0; v < TEST_VARIABLES; v++) variables[v] = k == 0 ? start[v] : k <= path_degree[v] ? 1.0 / (k + v) : 0;
    assert_int_equal(thud_expr_work_jet(work, k, variables, &out), THUD_OK);
  }
}

static void known_degrees(void **state) {
  const thud_test_graph *g = *state;
  const struct {
    const char *text;
    int held, degree;
  } cases[] = {{"3", 0, 0},
               {"x", 0, 2},
               {"x*y + z", 0, 3},
               {"x*x - y*y*y*y*y", 0, 5},
               {"-x/(2 + z)", 0, 2},
               {"x/(2 + y*y)", 0, EXPR_ENDLESS},
               {"sin(z)*exp(w)*x", 0, 2},
               {"sin(x)", 0, EXPR_ENDLESS},
               {"sin(x)*0.5", 0, EXPR_ENDLESS},
               {"z^w", 0, 0},
               {"abs(z)", 0, 0},
               {"abs(x)", 0, EXPR_ENDLESS},
               {"abs(x)", 1, 2},
               {"max(x*y, z)", -1, 3},
               {"step(x)*y", 0, EXPR_ENDLESS},
               {"step(x)*y", 1, 1}};
  const int variables[TEST_VARIABLES] = {2, 1, 0, 0};
  for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
    thud_expr_value value = thud_test_add(g, cases[c].text);
    thud_expr_program *program = thud_test_program(g, 1, &value);
    thud_expr_work *work = thud_test_work(g, program, 0);
    int *degrees = THUD_NEW_ARRAY(g->context, int, (size_t)program->tape->count);
    assert_non_null(degrees);
    for (thud_index k = 0; k < program->switch_count; k++)
      assert_int_equal(thud_expr_work_hold(work, k, cases[c].held), THUD_OK);
    thud_expr_work_degrees(work, variables, degrees);
    assert_int_equal(degrees[program->outputs[0]], cases[c].degree);
    thud_free(g->context, degrees);
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
}

/* Every value of random expressions, each switch held on the side of its start. */
static void coefficients_above_the_degree_are_zero(void **state) {
  const thud_test_graph *g = *state;
  thud_test_maker maker = {.random = thud_random_seed(2207)};
  size_t finite = 0, endless = 0;
  for (int n = 0; n < TRIES; n++) {
    thud_test_piece piece;
    for (int v = 0; v < TEST_VARIABLES; v++) maker.point[v] = thud_random_uniform(&maker.random, -2, 2);
    thud_test_random_expression(&maker, 4, &piece);
    thud_expr_value value = thud_test_add(g, piece.text);
    thud_expr_program *program = thud_test_program(g, 1, &value);
    thud_expr_work *work = thud_test_work(g, program, ORDER);
    int32_t count = program->tape->count;
    int *degrees = THUD_NEW_ARRAY(g->context, int, (size_t)count);
    double out, argument[64];
    assert_non_null(degrees);
    thud_assert_at_most(program->switch_count, 64);
    thud_expr_work_evaluate(work, maker.point, &out);
    thud_expr_work_switches(work, argument);
    for (thud_index k = 0; k < program->switch_count; k++)
      assert_int_equal(thud_expr_work_hold(work, k, argument[k] < 0 ? -1 : 1), THUD_OK);
    expand(work, maker.point);
    thud_expr_work_degrees(work, path_degree, degrees);
    for (int32_t i = 0; i < count; i++) {
      if (degrees[i] == EXPR_ENDLESS) endless++;
      for (int k = degrees[i] + 1; k <= ORDER; k++) {
        double coefficient = work->jets[(size_t)i * (ORDER + 1) + (size_t)k];
        assert_true(coefficient == 0);
        finite++;
      }
    }
    thud_free(g->context, degrees);
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
  thud_assert_less(1000, finite);
  thud_assert_less(1000, endless);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(known_degrees, thud_test_graph_begin, thud_test_graph_end),
      cmocka_unit_test_setup_teardown(coefficients_above_the_degree_are_zero, thud_test_graph_begin,
                                      thud_test_graph_end),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
