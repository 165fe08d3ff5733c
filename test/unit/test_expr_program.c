#include "base/base.h"
#include "expressions.h"
#include "failing_allocator.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>

static const thud_index all_slots[TEST_VARIABLES] = {TEST_X, TEST_Y, TEST_Z, TEST_W};

static void outputs_are_those_of_single_expressions_and_share_their_parts(void **state) {
  const thud_test_graph *g = *state;
  static const char *const sources[] = {
      "sin(x*y) + z", "2*sin(x*y)", "x", "3", "x*y", "sin(x*y) + z", "if(x < y, hypot(z, w), atan2(w, z))^1.5"};
  enum { COUNT = sizeof sources / sizeof *sources };
  thud_expr_program *program = NULL;
  assert_int_equal(thud_expr_program_compile(g->context, g->scope, COUNT, sources, NULL, NULL, &program), THUD_OK);
  assert_int_equal(thud_expr_program_output_count(program), COUNT);
  assert_int_equal(thud_expr_program_variable_count(program), TEST_VARIABLES);
  /* x*y, sin, +, 2*, x < y, hypot, atan2, if, ^, and the arguments of the switches: x - y (atan2's is w itself). */
  assert_int_equal(thud_expr_program_operation_count(program), 10);
  thud_expr_work *work = thud_test_work(g, program, 0);
  thud_random random = thud_random_seed(3);
  for (int trial = 0; trial < 200; trial++) {
    double x[TEST_VARIABLES], out[COUNT];
    for (int k = 0; k < TEST_VARIABLES; k++) x[k] = thud_random_uniform(&random, -2, 2);
    thud_expr_work_evaluate(work, x, out);
    for (int k = 0; k < COUNT; k++) {
      thud_expr *single = thud_test_compile(g->context, g->scope, sources[k]);
      double expected = thud_expr_evaluate(single, x);
      assert_true(out[k] == expected || (isnan(out[k]) && isnan(expected)));
      thud_expr_destroy(single);
    }
  }
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

static void programs_outlive_graph_and_scope(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_expr_scope *scope = thud_test_scope(context);
  thud_expr_graph *graph;
  thud_expr_value value;
  thud_expr_program *program;
  thud_expr_work *work;
  assert_int_equal(thud_expr_graph_create(context, scope, &graph), THUD_OK);
  assert_int_equal(thud_expr_graph_add(graph, "x/y", NULL, &value), THUD_OK);
  assert_int_equal(thud_expr_program_create(graph, 1, &value, &program), THUD_OK);
  thud_expr_graph_destroy(graph);
  thud_expr_scope_destroy(scope);
  assert_int_equal(thud_expr_work_create(context, program, 0, &work), THUD_OK);
  double out;
  thud_expr_work_evaluate(work, (const double[TEST_VARIABLES]){1, 4}, &out);
  thud_assert_equal(out, 0.25);
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
  thud_test_context_end(context);
}

/* ---- named expressions ---------------------------------------------------------------------------------------------
 */

static void named_expressions_are_read_where_they_are_used(void **state) {
  const thud_test_graph *g = *state;
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "outer", "inner^2 + late"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "inner", "x + y"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_variable(g->scope, "late", NULL), THUD_OK);
  assert_int_equal(thud_expr_scope_check(g->scope, NULL, NULL), THUD_OK);
  const double x[] = {1, 2, 0, 0, 10};
  thud_expr *expr = thud_test_compile(g->context, g->scope, "2*outer - inner");
  thud_assert_equal(thud_expr_evaluate(expr, x), 2 * 19 - 3);
  assert_true(thud_expr_depends_on(expr, 4));
  thud_expr_destroy(expr);
  thud_expr_value values[2] = {thud_test_add(g, "2*outer - inner")};
  values[1] = thud_test_derivative(g, values[0], TEST_X);
  double out[2];
  thud_test_values(g, 2, values, x, out);
  thud_assert_equal(out[0], 35);
  thud_assert_equal(out[1], 2 * 2 * 3 - 1);
  thud_index slot = thud_expr_scope_find_variable(g->scope, "late");
  assert_int_equal(slot, 4);
  assert_int_equal(thud_expr_scope_find_variable(g->scope, "outer"), -1);
  assert_int_equal(thud_expr_scope_find_variable(g->scope, "nobody"), -1);
}

/* Doubling names sixty times would be 2^60 operations if they were copied. */
static void names_used_twice_are_computed_once(void **state) {
  const thud_test_graph *g = *state;
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "a0", "x + 1"), THUD_OK);
  for (int k = 1; k <= 60; k++) {
    char name[8], source[32];
    snprintf(name, sizeof name, "a%d", k);
    snprintf(source, sizeof source, "sin(a%d) + cos(a%d)", k - 1, k - 1);
    assert_int_equal(thud_expr_scope_add_expression(g->scope, name, source), THUD_OK);
  }
  thud_expr_value value = thud_test_add(g, "a60");
  thud_expr_program *program = thud_test_program(g, 1, &value);
  assert_int_equal(thud_expr_program_operation_count(program), 181);
  thud_expr_program_destroy(program);
  thud_expr *expr = thud_test_compile(g->context, g->scope, "a60");
  assert_true(isfinite(thud_expr_evaluate(expr, (const double[TEST_VARIABLES]){0.5})));
  thud_expr_destroy(expr);
}

static void bad_names_are_refused_with_the_reason(void **state) {
  const thud_test_graph *g = *state;
  thud_expr_value value = -7;
  thud_expr_place place = {0, 0};
  const char *name = NULL;
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "x", "1"), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "sin", "1"), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "q'", "1"), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "nothing", NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "hen", "2*egg"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "egg", "1 + hen"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_variable(g->scope, "hen", NULL), THUD_ERROR_ARGUMENT);
  thud_test_message_has(g->context, "'hen' is a named expression already; choose another name", NULL);
  assert_int_equal(thud_expr_graph_add(g->graph, "x + hen", &place, &value), THUD_ERROR_ARGUMENT);
  thud_test_message_has(
      g->context, "column 5: in 'hen': column 3: in 'egg': column 5: 'hen' is defined by itself; break the circle",
      NULL);
  thud_assert_equal(place.column, 5);
  thud_assert_equal(place.length, 3);
  thud_assert_equal(value, -7);
  assert_int_equal(thud_expr_scope_check(g->scope, &name, &place), THUD_ERROR_ARGUMENT);
  assert_string_equal(name, "hen");
  /* A failed reading leaves nothing half-read behind. */
  assert_int_equal(thud_expr_graph_add(g->graph, "x + hen", &place, &value), THUD_ERROR_ARGUMENT);
  thud_expr_scope *scope = thud_test_scope(g->context);
  assert_int_equal(thud_expr_scope_add_expression(scope, "bad", "1 + (2*"), THUD_OK);
  thud_expr *expr = NULL;
  assert_int_equal(thud_expr_compile(g->context, scope, "bad", &place, &expr), THUD_ERROR_SYNTAX);
  thud_test_message_has(g->context, "column 1: in 'bad': column 8: expected a number, a name or '(', found the end",
                        NULL);
  assert_null(expr);
  assert_int_equal(thud_expr_scope_check(scope, &name, &place), THUD_ERROR_SYNTAX);
  assert_string_equal(name, "bad");
  assert_int_equal(place.column, 8);
  thud_expr_scope_destroy(scope);
}

static void a_tower_of_names_is_limited_like_parentheses(void **state) {
  const thud_test_graph *g = *state;
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "a0", "x"), THUD_OK);
  for (int k = 1; k <= 2 * THUD_EXPR_MAX_DEPTH; k++) {
    char name[8], source[16];
    snprintf(name, sizeof name, "a%d", k);
    snprintf(source, sizeof source, "a%d + 1", k - 1);
    assert_int_equal(thud_expr_scope_add_expression(g->scope, name, source), THUD_OK);
  }
  thud_expr *expr = NULL;
  assert_int_equal(thud_expr_compile(g->context, g->scope, "a400", NULL, &expr), THUD_ERROR_OVERFLOW);
  thud_expr_destroy(thud_test_compile(g->context, g->scope, "a150"));
}

/* ---- switches
 * -------------------------------------------------------------------------------------------------------- */

typedef struct switching {
  const char *source;
  double x, argument; /* the switch's argument at x (y = 0.25) */
  bool jumps;
  double free, minus, plus;       /* value when free, held at -1, held at 1 */
  double slope_minus, slope_plus; /* derivative by x when held */
} switching;

static void each_switch_has_an_argument_and_can_be_held(void **state) {
  const thud_test_graph *g = *state;
  static const switching all[] = {
      {"abs(x)", 0.5, 0.5, false, 0.5, -0.5, 0.5, -1, 1},
      {"abs(x)", -0.5, -0.5, false, 0.5, 0.5, -0.5, -1, 1},
      {"min(x, y)", 0.5, 0.25, false, 0.25, 0.5, 0.25, 1, 0},
      {"max(x, y)", 0.5, 0.25, false, 0.5, 0.25, 0.5, 0, 1},
      {"step(x)*x", 0.5, 0.5, true, 0.5, 0, 0.5, 0, 1},
      {"sign(x)*x", 0, 0, true, 0, 0, 0, -1, 1},
      {"(x < y)*x", 0.5, 0.25, true, 0, 0.5, 0, 1, 0},
      {"(x <= y)*x", 0.5, 0.25, true, 0, 0.5, 0, 1, 0},
      {"(y > x)*x", 0.5, 0.25, true, 0, 0.5, 0, 1, 0},
      {"(y < x)*x", 0.5, 0.25, true, 0.5, 0, 0.5, 0, 1},
      {"(0 < x)*x", 0.5, 0.5, true, 0.5, 0, 0.5, 0, 1},
      {"(x == y)*x", 0.25, 0, true, 0.25, 0, 0, 0, 0},
      {"(x != y)*x", 0.25, 0, true, 0, 0.25, 0.25, 1, 1},
      {"if(x, 3*x, 7)", 0, 0, true, 7, 0, 0, 3, 3},
      {"if(x > y, 3*x, 7*x)", 0.5, 0.25, true, 1.5, 3.5, 1.5, 7, 3},
      {"floor(x)*x", 2, -2.4492935982947064e-16, true, 4, 2, 4, 1, 2},
      {"atan2(x, -1)", 0, 0, true, 3.14159265358979323846, -3.14159265358979323846, 3.14159265358979323846, -1, -1},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    const switching *s = &all[k];
    thud_expr_value values[2] = {thud_test_add(g, s->source)};
    values[1] = thud_test_derivative(g, values[0], TEST_X);
    thud_expr_program *program = thud_test_program(g, 2, values);
    thud_expr_work *work = thud_test_work(g, program, 1);
    const double x[TEST_VARIABLES] = {s->x, 0.25};
    double out[2], argument, jet[2];
    if (thud_expr_program_switch_count(program) != 1)
      fail_msg("'%s' has %d switches", s->source, (int)thud_expr_program_switch_count(program));
    assert_int_equal(thud_expr_program_switch(program, 0).jumps, s->jumps);
    for (int sign = -1; sign <= 1; sign++) {
      assert_int_equal(thud_expr_work_hold(work, 0, sign), THUD_OK);
      thud_expr_work_evaluate(work, x, out);
      thud_expr_work_switches(work, &argument);
      thud_test_near(s->source, argument, s->argument, 1e-30);
      thud_test_near(s->source, out[0], sign < 0 ? s->minus : sign == 0 ? s->free : s->plus, 1e-15);
      if (sign != 0) thud_test_near(s->source, out[1], sign < 0 ? s->slope_minus : s->slope_plus, 1e-15);
      /* Along x = x0 + s the jet of the value goes on with the derivative. */
      assert_int_equal(thud_expr_work_jet(work, 0, x, jet), THUD_OK);
      thud_assert_equal(jet[0], out[0]);
      thud_assert_equal(jet[1], out[1]);
      assert_int_equal(thud_expr_work_jet(work, 1, (const double[TEST_VARIABLES]){1}, jet), THUD_OK);
      thud_test_near(s->source, jet[0], out[1], 1e-15);
      assert_int_equal(thud_expr_work_switch_jet(work, 0, &argument), THUD_OK);
      thud_test_near(s->source, argument, s->argument, 1e-30);
    }
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
}

static void switches_are_counted_once_and_only_where_something_changes(void **state) {
  const thud_test_graph *g = *state;
  static const struct {
    const char *source;
    int switches;
  } all[] = {
      {"x + sin(y)", 0},
      {"abs(x) + step(x) + sign(x) + (x < 0) + (0 >= x)", 1},
      {"min(x, y) + (x > y) + max(y, x)", 1},
      {"if(min(x < 1, y < 2), x, y)", 2},
      {"if((x < 1)*(y < 2) != 0, abs(step(x)), y)", 3},
      {"abs(2)*x", 0},
      {"min(x, y, z)", 2},
  };
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    thud_expr_value value = thud_test_add(g, all[k].source);
    thud_expr_program *program = thud_test_program(g, 1, &value);
    if (thud_expr_program_switch_count(program) != all[k].switches)
      fail_msg("'%s' has %d switches", all[k].source, (int)thud_expr_program_switch_count(program));
    thud_expr_program_destroy(program);
  }
  thud_expr_value values[2] = {thud_test_add(g, "x + 1"), thud_test_add(g, "x + max(x, 2*y)")};
  thud_expr_program *program = thud_test_program(g, 2, values);
  thud_expr_switch info = thud_expr_program_switch(program, 0);
  assert_string_equal(info.operation, "max");
  thud_assert_equal(info.source, 8);
  thud_assert_equal(info.place.column, 5);
  thud_assert_equal(info.place.length, 3);
  assert_true(!info.jumps);
  thud_expr_work *work = thud_test_work(g, program, 0);
  assert_int_equal(thud_expr_work_hold(work, 1, 1), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_work_hold(work, -1, 1), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_work_hold(work, 0, 2), THUD_ERROR_ARGUMENT);
  double argument = 5;
  assert_int_equal(thud_expr_work_switch_jet(work, 0, &argument), THUD_ERROR_ARGUMENT);
  thud_assert_equal(argument, 5);
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

/* ---- troubles
 * -------------------------------------------------------------------------------------------------------- */

static void troubles_name_the_operation_and_its_place(void **state) {
  const thud_test_graph *g = *state;
  static const struct {
    const char *source;
    thud_index column;
    const char *message;
  } all[] = {
      {"1 + 2*y/x", 8, "division by zero at column 8"},
      {"3*sqrt(y - 2)", 3, "square root of the negative number -1 at column 3"},
      {"log(x)", 1, "logarithm of 0 at column 1"},
      {"x + acos(y + 1)", 5, "acos of 2, which is outside of [-1, 1] at column 5"},
      {"(-y)^0.5", 5, "the negative number -1 to the power 0.5 at column 5"},
      {"y*exp(1000*y)", 3, "exp of 1000 is inf at column 3"},
      {"if(y < 2, 1/x, log(x))", 12, "division by zero at column 12"},
      {"if(sqrt(-y) < 2, 1/x, log(x))", 4, "square root of the negative number -1 at column 4"},
      {"1 + z", 5, "variable number 2 is nan at column 5"},
      {"1e308*y*10", 8, "1e+308 * 10 is inf at column 8"},
      {"2*named", 3, "division by zero inside the expression named at column 3"},
  };
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "named", "y + y/(x*y)"), THUD_OK);
  const double variables[TEST_VARIABLES] = {0, 1, NAN, 1};
  for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
    thud_expr_value value = thud_test_add(g, all[k].source);
    thud_expr_program *program = thud_test_program(g, 1, &value);
    thud_expr_work *work = thud_test_work(g, program, 0);
    thud_expr_trouble trouble = {.source = -5}, single = {.source = -5};
    double out;
    thud_expr_work_evaluate(work, variables, &out);
    assert_true(!isfinite(out));
    assert_true(thud_expr_work_explain(work, 0, &trouble));
    assert_string_equal(trouble.message, all[k].message);
    assert_int_equal(trouble.place.column, all[k].column);
    thud_expr *expr = thud_test_compile(g->context, g->scope, all[k].source);
    bool finite = true;
    assert_int_equal(thud_expr_explain(g->context, expr, variables, &finite, &single), THUD_OK);
    assert_false(finite);
    assert_string_equal(single.message, all[k].message);
    thud_expr_destroy(expr);
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
  }
}

static void troubles_of_derivatives_and_jets_are_explained_too(void **state) {
  const thud_test_graph *g = *state;
  thud_expr_value values[3] = {thud_test_add(g, "y*y"), thud_test_add(g, "1 + sqrt(x)")};
  values[2] = thud_test_derivative(g, values[1], TEST_X);
  thud_expr_program *program = thud_test_program(g, 3, values);
  thud_expr_work *work = thud_test_work(g, program, 2);
  thud_expr_trouble trouble = {.source = -5};
  double out[3];
  thud_expr_work_evaluate(work, (const double[TEST_VARIABLES]){0, 1}, out);
  assert_false(thud_expr_work_explain(work, 1, &trouble));
  assert_int_equal(trouble.source, -5);
  assert_true(thud_expr_work_explain(work, 2, &trouble));
  assert_string_equal(trouble.message, "in a derivative: division by zero at column 5");
  assert_int_equal(trouble.source, 1);
  assert_int_equal(thud_expr_work_jet(work, 0, (const double[TEST_VARIABLES]){0, 1}, out), THUD_OK);
  assert_int_equal(thud_expr_work_jet(work, 1, (const double[TEST_VARIABLES]){1, 1}, out), THUD_OK);
  assert_true(!isfinite(out[1]));
  assert_false(thud_expr_work_explain_jet(work, 0, 1, &trouble));
  assert_false(thud_expr_work_explain_jet(work, 1, 0, &trouble));
  assert_true(thud_expr_work_explain_jet(work, 1, 1, &trouble));
  assert_string_equal(trouble.message, "sqrt of 0 has no derivative at column 5");
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

/* ---- data
 * ------------------------------------------------------------------------------------------------------------ */

static int twice_the_time(void *user, double t, thud_side side, double *out) {
  (void)user, (void)side;
  *out = 2 * t;
  return t > 100;
}

static void data_have_values_but_no_known_derivatives(void **state) {
  const thud_test_graph *g = *state;
  const thud_regulated data = {.dimension = 1, .evaluate = twice_the_time};
  assert_int_equal(thud_expr_scope_add_function(g->scope, "ramp", TEST_W, &data), THUD_OK);
  thud_expr_value values[2] = {thud_test_add(g, "x*ramp")}, by_time = -3;
  values[1] = thud_test_derivative(g, values[0], TEST_X);
  const thud_index time = TEST_W;
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, values[0], 1, &time, &by_time), THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(g->context,
                        "column 3: the derivative of a function given by data is not known; write it as a named "
                        "expression, its pieces with if(t < ..., ..., ...)",
                        NULL);
  assert_int_equal(by_time, -3);
  thud_expr_program *program = thud_test_program(g, 2, values);
  thud_expr_work *work = thud_test_work(g, program, 2);
  thud_expr_trouble trouble;
  double out[2];
  thud_expr_work_evaluate(work, (const double[TEST_VARIABLES]){3, 0, 0, 5}, out);
  thud_assert_equal(out[0], 30);
  thud_assert_equal(out[1], 10);
  assert_int_equal(thud_expr_work_jet(work, 0, (const double[TEST_VARIABLES]){3, 0, 0, 5}, out), THUD_OK);
  assert_int_equal(thud_expr_work_jet(work, 1, (const double[TEST_VARIABLES]){1, 0, 0, 0}, out), THUD_OK);
  thud_assert_equal(out[0], 10);
  thud_assert_equal(out[1], 0); /* time rests */
  assert_int_equal(thud_expr_work_jet(work, 1, (const double[TEST_VARIABLES]){1, 0, 0, 1}, out), THUD_OK);
  assert_true(isnan(out[0]) && thud_expr_work_explain_jet(work, 0, 1, &trouble));
  assert_string_equal(trouble.message, "data at time 5 have no known derivative at column 3");
  thud_expr_work_evaluate(work, (const double[TEST_VARIABLES]){3, 0, 0, 500}, out);
  assert_true(isnan(out[0]) && thud_expr_work_explain(work, 0, &trouble));
  assert_string_equal(trouble.message, "data at time 500 fail at column 3");
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

/* ---- arguments, memory, threads
 * -------------------------------------------------------------------------------------- */

static void bad_arguments_are_refused(void **state) {
  const thud_test_graph *g = *state;
  thud_expr_value value = thud_test_add(g, "x"), wrong[2] = {value, 4711}, out[4] = {-9, -9, -9, -9};
  thud_index slot = TEST_VARIABLES, source = -1;
  thud_expr_place place;
  thud_expr_program *program = NULL;
  thud_expr_work *work = NULL;
  thud_expr_graph *graph = NULL;
  bool depends;
  static const char *const sources[] = {"x", "x + ", "y"};
  assert_int_equal(thud_expr_graph_create(g->context, NULL, &graph), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add(g->graph, NULL, NULL, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_variable(g->graph, slot, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_dot(g->graph, 2, wrong, NULL, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_dot(g->graph, 1, wrong, wrong + 1, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, 4711, 0, NULL, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, value, 1, &slot, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, value, 1, NULL, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_hessian(g->graph, value, 1, &slot, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_hessian(g->graph, value, -1, &slot, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_add_rate(g->graph, value, 1, &slot, NULL, out), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_graph_depends_on(g->graph, -1, 0, &depends), THUD_ERROR_ARGUMENT);
  assert_false(thud_expr_graph_is_constant(g->graph, 4711, NULL));
  assert_int_equal(thud_expr_program_create(g->graph, 2, wrong, &program), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_program_create(g->graph, 2, NULL, &program), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_program_compile(g->context, g->scope, 2, NULL, NULL, NULL, &program), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_program_compile(g->context, g->scope, 3, sources, &source, &place, &program),
                   THUD_ERROR_SYNTAX);
  thud_assert_equal(source, 1);
  thud_assert_equal(place.column, 5);
  thud_assert_equal(out[0], -9);
  assert_int_equal(thud_expr_work_create(g->context, NULL, 0, &work), THUD_ERROR_ARGUMENT);
  program = thud_test_program(g, 1, &value);
  assert_int_equal(thud_expr_work_create(g->context, program, -1, &work), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_work_create(g->context, program, THUD_EXPR_MAX_ORDER + 1, &work), THUD_ERROR_ARGUMENT);
  assert_null(work);
  thud_expr_program_destroy(program);
  thud_expr_graph_destroy(NULL);
  thud_expr_program_destroy(NULL);
  thud_expr_work_destroy(NULL);
}

static const char busy[] = "sin(x*y)^2 + abs(z) + max(x, w)*named + x^3/(1 + y^2) + floor(w)";

static void evaluation_allocates_nothing(void **state) {
  const thud_test_graph *g = *state;
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "named", "atan2(x, 2 + y)"), THUD_OK);
  thud_expr_value values[1 + TEST_VARIABLES];
  values[0] = thud_test_add(g, busy);
  assert_int_equal(thud_expr_graph_add_gradient(g->graph, values[0], TEST_VARIABLES, all_slots, values + 1), THUD_OK);
  thud_expr_program *program = thud_test_program(g, 1 + TEST_VARIABLES, values);
  thud_expr_work *work = thud_test_work(g, program, 8);
  uint64_t before = thud_context_allocation_count(g->context);
  const double x[TEST_VARIABLES] = {0.3, 0.4, -0.5, 0.6};
  double out[1 + TEST_VARIABLES], arguments[8];
  thud_expr_trouble trouble;
  for (int k = 0; k <= 8; k++) assert_int_equal(thud_expr_work_jet(work, k, x, out), THUD_OK);
  assert_in_range(thud_expr_program_switch_count(program), 1, 8);
  assert_int_equal(thud_expr_work_hold(work, 0, 1), THUD_OK);
  thud_expr_work_evaluate(work, x, out);
  thud_expr_work_switches(work, arguments);
  assert_false(thud_expr_work_explain(work, 0, &trouble));
  assert_int_equal(thud_context_allocation_count(g->context), before);
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(program);
}

static int plain_square(void *user, const double *x, double *out) {
  (void)user;
  out[0] = x[0] * x[0];
  return 0;
}

/* Everything that allocates, one after the other; the outputs of a call that fails are untouched. */
static thud_error everything(thud_context *context, void *user) {
  (void)user;
  static const char *const sources[] = {"x + named", "abs(x)", "min(x, floor(2*x))"};
  thud_expr_scope *scope = NULL;
  thud_expr_graph *graph = NULL;
  thud_expr_program *program = NULL, *compiled = NULL;
  thud_expr_work *work = NULL;
  thud_expr *expr = NULL;
  thud_expr_value values[4] = {-1, -1, -1, -1}, rate = -1;
  const thud_index slot = 0;
  bool depends, finite = true;
  thud_expr_trouble trouble;
  thud_derivative_report report = {.row = -4};
  const double x = 0, slope = 0;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = thud_expr_scope_add_variable(scope, "x", NULL);
  if (error == THUD_OK) error = thud_expr_scope_add_expression(scope, "named", "1/x + if(x < 1, sin(x), 2)");
  if (error == THUD_OK) error = thud_expr_scope_check(scope, NULL, NULL);
  if (error == THUD_OK) error = thud_expr_graph_create(context, scope, &graph);
  if (error == THUD_OK) error = thud_expr_graph_add(graph, "named*x^3", NULL, &values[0]);
  if (error == THUD_OK) error = thud_expr_graph_add_gradient(graph, values[0], 1, &slot, &values[1]);
  if (error != THUD_OK) assert_int_equal(values[1], -1);
  if (error == THUD_OK) error = thud_expr_graph_add_hessian(graph, values[0], 1, &slot, &values[2]);
  if (error != THUD_OK) assert_int_equal(values[2], -1);
  if (error == THUD_OK) error = thud_expr_graph_add_rate(graph, values[1], 1, &slot, values, &rate);
  if (error != THUD_OK) assert_int_equal(rate, -1);
  if (error == THUD_OK) error = thud_expr_graph_add_dot(graph, 3, values, values, &values[3]);
  if (error == THUD_OK) error = thud_expr_graph_depends_on(graph, values[3], 0, &depends);
  if (error == THUD_OK) error = thud_expr_program_create(graph, 4, values, &program);
  if (error == THUD_OK) error = thud_expr_program_compile(context, scope, 3, sources, NULL, NULL, &compiled);
  if (error == THUD_OK) error = thud_expr_work_create(context, program, 5, &work);
  if (error == THUD_OK) error = thud_expr_compile(context, scope, "named", NULL, &expr);
  if (error == THUD_OK) error = thud_expr_explain(context, expr, &x, &finite, &trouble);
  if (error == THUD_OK) error = thud_derivative_check(context, 1, 1, plain_square, NULL, &x, &slope, NULL, &report);
  if (error != THUD_OK) assert_int_equal(report.row, -4);
  thud_expr_destroy(expr);
  thud_expr_work_destroy(work);
  thud_expr_program_destroy(compiled);
  thud_expr_program_destroy(program);
  thud_expr_graph_destroy(graph);
  thud_expr_scope_destroy(scope);
  return error;
}

static void failing_allocations_are_survived_everywhere(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(everything, NULL), 50);
}

typedef struct rider {
  thud_expr_work *work;
  double sum;
} rider;

static void ride(void *user, size_t k) {
  rider *r = (rider *)user + k;
  for (int step = 0; step < 2000; step++) {
    double x[TEST_VARIABLES] = {0.001 * step, 0.5, -0.2, 0.1}, out = 0;
    thud_expr_work_evaluate(r->work, x, &out);
    r->sum += out;
    for (int j = 0; j <= 4; j++)
      if (thud_expr_work_jet(r->work, j, x, &out) == THUD_OK) r->sum += out;
  }
}

static void threads_share_a_program(void **state) {
  const thud_test_graph *g = *state;
  enum { RIDERS = 8 };
  thud_context *context = thud_test_context(4);
  assert_int_equal(thud_expr_scope_add_expression(g->scope, "named", "atan2(x, 2 + y)"), THUD_OK);
  thud_expr_value value = thud_test_add(g, busy);
  thud_expr_program *program = thud_test_program(g, 1, &value);
  rider riders[RIDERS] = {{NULL, 0}};
  for (int k = 0; k < RIDERS; k++) riders[k].work = thud_test_work(g, program, 4);
  thud_parallel_for(context, RIDERS, ride, riders);
  thud_assert_different(riders[0].sum, 0);
  for (int k = 0; k < RIDERS; k++) {
    assert_memory_equal(&riders[k].sum, &riders[0].sum, sizeof(double));
    thud_expr_work_destroy(riders[k].work);
  }
  thud_expr_program_destroy(program);
  thud_test_context_end(context);
}

/* ---- derivatives that a user wrote
 * ----------------------------------------------------------------------------------- */

static int two_functions(void *user, const double *x, double *out) {
  if (x[0] > *(double *)user) return 3;
  out[0] = sin(x[0]) * x[1];
  out[1] = exp(x[1] - x[2]);
  return 0;
}

static void wrong_derivatives_are_found(void **state) {
  const thud_test_graph *g = *state;
  double limit = 10, x[3] = {0.5, 2, 1};
  double jacobian[6] = {2 * cos(0.5), sin(0.5), 0, 0, exp(1), -exp(1)};
  thud_derivative_report report = {.row = -4};
  assert_int_equal(thud_derivative_check(g->context, 2, 3, two_functions, &limit, x, jacobian, NULL, &report), THUD_OK);
  assert_true(report.agrees);
  thud_assert_less(report.worst, 1e-9);
  jacobian[5] = exp(1);
  assert_int_equal(thud_derivative_check(g->context, 2, 3, two_functions, &limit, x, jacobian, NULL, &report), THUD_OK);
  assert_true(!report.agrees);
  thud_assert_equal(report.row, 1);
  thud_assert_equal(report.column, 2);
  thud_assert_equal(report.given, exp(1));
  thud_test_near("difference", report.difference, -exp(1), 1e-9);
  thud_test_message_has(g->context, "row 1, column 2: the derivative is given as", NULL);
  jacobian[0] = NAN;
  assert_int_equal(thud_derivative_check(g->context, 2, 3, two_functions, &limit, x, jacobian, NULL, &report), THUD_OK);
  assert_true(!report.agrees);
  assert_true(isnan(report.worst));
  thud_assert_equal(report.row, 0);
  thud_assert_equal(report.column, 0);
  jacobian[0] = 2 * cos(0.5) * (1 + 1e-4);
  jacobian[5] = -exp(1);
  thud_derivative_check_options options = thud_derivative_check_options_default();
  options.tolerance = 1e-3;
  assert_int_equal(thud_derivative_check(g->context, 2, 3, two_functions, &limit, x, jacobian, &options, &report),
                   THUD_OK);
  assert_true(report.agrees);
  limit = 0.5;
  report.row = -4;
  assert_int_equal(thud_derivative_check(g->context, 2, 3, two_functions, &limit, x, jacobian, NULL, &report),
                   THUD_ERROR_CALLBACK);
  thud_test_message_has(g->context, "the function returned 3 where variable 0 is", NULL);
  options.step = 0;
  assert_int_equal(thud_derivative_check(g->context, 2, 3, two_functions, &limit, x, jacobian, &options, &report),
                   THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_derivative_check(g->context, 2, 3, NULL, &limit, x, jacobian, NULL, &report),
                   THUD_ERROR_ARGUMENT);
  assert_int_equal(report.row, -4);
}

int main(void) {
#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_graph_begin, thud_test_graph_end)
  const struct CMUnitTest tests[] = {
      TEST(outputs_are_those_of_single_expressions_and_share_their_parts),
      cmocka_unit_test(programs_outlive_graph_and_scope),
      TEST(named_expressions_are_read_where_they_are_used),
      TEST(names_used_twice_are_computed_once),
      TEST(bad_names_are_refused_with_the_reason),
      TEST(a_tower_of_names_is_limited_like_parentheses),
      TEST(each_switch_has_an_argument_and_can_be_held),
      TEST(switches_are_counted_once_and_only_where_something_changes),
      TEST(troubles_name_the_operation_and_its_place),
      TEST(troubles_of_derivatives_and_jets_are_explained_too),
      TEST(data_have_values_but_no_known_derivatives),
      TEST(bad_arguments_are_refused),
      TEST(evaluation_allocates_nothing),
      cmocka_unit_test(failing_allocations_are_survived_everywhere),
      TEST(threads_share_a_program),
      TEST(wrong_derivatives_are_found),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
