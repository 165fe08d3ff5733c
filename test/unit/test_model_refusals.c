/* Systems of expressions that are refused, with the text at fault and the place in it; numbers that are not finite,
 * with the operation that made them. */
#include "bench.h"

#include <math.h>
#include <string.h>

static const char *const XY[] = {"x", "y"};

/* ---- definitions ------------------------------------------------------------------------------------------------ */

typedef struct refusal {
  const char *what; /* the only text that differs from a good system */
  thud_source_part part;
  thud_error error;
  thud_index column; /* where the place begins; 0: not looked at */
  const char *first, *second;
} refusal;

/* A good system in which the text of the refusal's part is replaced. */
static thud_error create_with(thud_test_bench *bench, const refusal *bad) {
  const char *texts[9];
  for (int k = 0; k < 9; k++) texts[k] = "1";
  texts[THUD_SOURCE_KINETIC] = "0.5*x'^2 + 0.5*y'^2";
  texts[THUD_SOURCE_CONSTRAINT] = "y";
  texts[THUD_SOURCE_SLIP] = "x'";
  texts[bad->part] = bad->what;
  const char *const forces[] = {NULL, texts[THUD_SOURCE_FORCE]}, *const slip[] = {"x' + y'", texts[THUD_SOURCE_SLIP]};
  const char *const mass[] = {"2", NULL, NULL, texts[THUD_SOURCE_MASS]};
  const thud_expr_constraint_def constraints[] = {
      {"wall", THUD_CONSTRAINT_UNILATERAL, "x", false, NULL},
      {"floor", THUD_CONSTRAINT_UNILATERAL, texts[THUD_SOURCE_CONSTRAINT], false, texts[THUD_SOURCE_RESTITUTION]}};
  const thud_expr_friction_def law = {"rub", 1, THUD_FRICTION_DISC, 2, slip, texts[THUD_SOURCE_MU], NULL};
  const thud_expr_system_def def = {.n = 2,
                                    .coordinates = XY,
                                    .kinetic_energy = bad->part == THUD_SOURCE_MASS ? NULL : texts[THUD_SOURCE_KINETIC],
                                    .mass = bad->part == THUD_SOURCE_MASS ? mass : NULL,
                                    .potential_energy = texts[THUD_SOURCE_POTENTIAL],
                                    .forces = forces,
                                    .m = 2,
                                    .constraints = constraints,
                                    .laws = 1,
                                    .friction = &law};
  return thud_system_create_expressions(bench->context, bench->scope, &def, &bench->place, &bench->system);
}

static const refusal REFUSALS[] = {
    /* syntax and names, with the column */
    {"0.5*x'^2 +", THUD_SOURCE_KINETIC, THUD_ERROR_SYNTAX, 11, "kinetic energy", NULL},
    {"3*speed", THUD_SOURCE_FORCE, THUD_ERROR_NOT_FOUND, 3,
     "system: force of coordinate 'y': column 3: unknown name 'speed'", "speed"},
    {"2*(y", THUD_SOURCE_CONSTRAINT, THUD_ERROR_SYNTAX, 0, "constraint 'floor'", NULL},
    {"x'' + 1", THUD_SOURCE_SLIP, THUD_ERROR_NOT_FOUND, 1,
     "system: slip velocity of friction law 'rub': column 1: unknown name 'x''' (did you mean 'x''?)", NULL},
    {"", THUD_SOURCE_MU, THUD_ERROR_SYNTAX, 0, "system: mu of friction law 'rub': column 1: the expression is empty",
     NULL},
    {NULL, THUD_SOURCE_CONSTRAINT, THUD_ERROR_ARGUMENT, 0, "constraint 'floor'", "no text"},
    {NULL, THUD_SOURCE_MU, THUD_ERROR_ARGUMENT, 0, "'rub'", "no text"},
    /* the kinetic energy is a quadratic form of the velocities with M(q) */
    {"0.5*x'^2 + 0.5*y'^2 + x'^2*y'", THUD_SOURCE_KINETIC, THUD_ERROR_ARGUMENT, 1, "kinetic energy",
     "system: kinetic energy: depends on the velocity y' in a way that is not allowed: it must be a quadratic "
     "polynomial in the velocities, without terms of degree 3 or more (write squares like x'^2, not abs, sqrt or hypot "
     "of velocities)"},
    {"0.5*x'^2 + hypot(x', y')^2", THUD_SOURCE_KINETIC, THUD_ERROR_ARGUMENT, 1,
     "system: kinetic energy: depends on the velocity x' in a way that is not allowed: it must be a quadratic "
     "polynomial in the velocities, without terms of degree 3 or more (write squares like x'^2, not abs, sqrt or hypot "
     "of velocities)",
     "hypot"},
    {"0.5*x'^2 + 0.5*y'^2 + 3*x*x'", THUD_SOURCE_KINETIC, THUD_ERROR_ARGUMENT, 1,
     "system: kinetic energy: it has a term of degree 1,", "x'"},
    {"0.5*x'^2 + 0.5*y'^2 + cos(x)", THUD_SOURCE_KINETIC, THUD_ERROR_ARGUMENT, 1,
     "at velocity 0; a term without velocities belongs, with the other sign, to the potential energy",
     "potential energy"},
    {"0.5*(1 + t)*x'^2 + 0.5*y'^2", THUD_SOURCE_KINETIC, THUD_ERROR_UNSUPPORTED, 1, "depends on t", "forces"},
    {"0.5*x'^2", THUD_SOURCE_KINETIC, THUD_ERROR_NOT_SPD, 1, "not positive definite", "'y'"},
    {"-0.5*x'^2 + y'^2", THUD_SOURCE_KINETIC, THUD_ERROR_NOT_SPD, 1, "not positive definite", "'x'"},
    {"2 + x'", THUD_SOURCE_MASS, THUD_ERROR_ARGUMENT, 1, "mass matrix entry ('y', 'y')", "x'"},
    {"2 + t", THUD_SOURCE_MASS, THUD_ERROR_UNSUPPORTED, 1, "mass matrix entry ('y', 'y')", "depends on t"},
    {"1/0", THUD_SOURCE_MASS, THUD_ERROR_NOT_FINITE, 1, "mass matrix entry ('y', 'y')", "inf"},
    {"-2", THUD_SOURCE_MASS, THUD_ERROR_NOT_SPD, 1, "not positive definite", "'y'"},
    /* who may depend on velocities, and how */
    {"x*y'", THUD_SOURCE_POTENTIAL, THUD_ERROR_ARGUMENT, 1, "potential energy", "y'"},
    {"y + 0.1*x'", THUD_SOURCE_CONSTRAINT, THUD_ERROR_ARGUMENT, 1, "constraint 'floor'",
     "system: expression of constraint 'floor': depends on the velocity x' in a way that is not allowed: a gap or an "
     "equation is one of the coordinates; conditions on velocities are velocity constraints"},
    {"x'*y'", THUD_SOURCE_SLIP, THUD_ERROR_ARGUMENT, 1, "'rub'", "affine"},
    {"abs(x')", THUD_SOURCE_SLIP, THUD_ERROR_ARGUMENT, 0, "'rub'", NULL},
    /* numbers */
    {"1.5", THUD_SOURCE_RESTITUTION, THUD_ERROR_ARGUMENT, 1,
     "system: the restitution of constraint 'floor' is 1.5; it must be in [0, 1]", "[0, 1]"},
    {"0/0", THUD_SOURCE_RESTITUTION, THUD_ERROR_NOT_FINITE, 1,
     "system: the restitution of constraint 'floor' is -nan; it must be in [0, 1]", NULL},
    {"-0.1", THUD_SOURCE_MU, THUD_ERROR_ARGUMENT, 1,
     "system: the mu of friction law 'rub' is -0.1; it must be finite and >= 0", ">= 0"},
    {"1/0", THUD_SOURCE_FORCE, THUD_ERROR_NOT_FINITE, 1,
     "system: the force of coordinate 'y' is inf; it must be finite", "finite"},
    {"log(0)", THUD_SOURCE_POTENTIAL, THUD_ERROR_NOT_FINITE, 1,
     "system: the potential energy is -inf; it must be finite", "finite"},
    {"1/0", THUD_SOURCE_CONSTRAINT, THUD_ERROR_NOT_FINITE, 1,
     "system: the expression of constraint 'floor' is inf; it must be finite", "finite"},
};

static void bad_texts_are_refused_with_their_place(void **state) {
  thud_test_bench *bench = *state;
  for (size_t k = 0; k < sizeof REFUSALS / sizeof REFUSALS[0]; k++) {
    const refusal *bad = &REFUSALS[k];
    thud_error error = create_with(bench, bad);
    if (error != bad->error || bench->place.part != bad->part ||
        (bad->column > 0 && bench->place.place.column != bad->column))
      fail_msg("'%s': error %d, part %d, column %d: %s", bad->what != NULL ? bad->what : "NULL", (int)error,
               (int)bench->place.part, (int)bench->place.place.column, thud_context_last_message(bench->context));
    thud_test_message_has(bench->context, bad->first, bad->second, NULL);
    assert_null(bench->system);
    if (bad->part == THUD_SOURCE_FORCE || bad->part == THUD_SOURCE_CONSTRAINT) assert_int_equal(bench->place.index, 1);
    if (bad->part == THUD_SOURCE_SLIP) assert_int_equal(bench->place.second, 1);
    thud_test_bench_clear(bench);
  }
}

static void bad_shapes_are_refused(void **state) {
  thud_test_bench *bench = *state;
  const char *const mass[] = {"1"}, *const time[] = {"t"}, *const odd[] = {"2x"};
  const thud_expr_constraint_def unnamed = {NULL, THUD_CONSTRAINT_VELOCITY, "x'^2", false, NULL};
  const thud_expr_friction_def slipless = {"rub", -1, THUD_FRICTION_DISC, 1, NULL, "1", NULL};
  const thud_expr_system_def good = {.n = 1, .coordinates = XY, .kinetic_energy = "x'^2"};
  thud_expr_system_def both = good, neither = good, none = good, clock = good, name = good, affine = good, slip = good,
                       huge = good;
  both.mass = mass;
  neither.kinetic_energy = NULL;
  none.n = 0;
  huge.n = INT32_MAX;
  clock.coordinates = time;
  clock.kinetic_energy = "t'^2";
  name.coordinates = odd;
  affine.m = 1;
  affine.constraints = &unnamed;
  slip.laws = 1;
  slip.friction = &slipless;
  const struct {
    const thud_expr_system_def *def;
    const char *first, *second;
  } cases[] = {
      {&both, "one of the two", NULL},
      {&neither, "one of the two", NULL},
      {&none, "system: 0 coordinates, 0 constraints, 0 friction laws; needed >= 1, >= 0, >= 0, and their definitions",
       NULL},
      {&huge, "system: 2147483647 coordinates, at most 1073741823 are possible", "at most"},
      {&clock, "'t'", "time"},
      {&name, "system: coordinate '2x': '2x' cannot be a name: a name starts with a letter a-z, A-Z or _", NULL},
      {&affine,
       "system: expression of constraint 0: depends on the velocity x' in a way that is not allowed: it must be affine "
       "in the velocities, a.v + b with a and b of the configuration and t",
       "affine"},
      {&slip, "'rub'", "system: mu of friction law 'rub': the slip velocities are missing"}};
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    assert_int_not_equal(
        thud_system_create_expressions(bench->context, bench->scope, cases[k].def, NULL, &bench->system), THUD_OK);
    thud_test_message_has(bench->context, cases[k].first, cases[k].second, NULL);
    assert_null(bench->system);
    thud_test_bench_clear(bench);
  }
  thud_index slot;
  assert_int_equal(thud_expr_scope_add_variable(bench->scope, "stranger", &slot), THUD_OK);
  assert_int_equal(thud_system_create_expressions(bench->context, bench->scope, &good, NULL, &bench->system),
                   THUD_ERROR_ARGUMENT);
  thud_test_message_has(bench->context,
                        "system: the scope has 4 variables; t, the coordinates and their velocities are 3", NULL);
  assert_int_equal(thud_system_create_expressions(bench->context, NULL, &good, NULL, &bench->system),
                   THUD_ERROR_ARGUMENT);
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* A constraint whose derivative by t goes through data that have none is refused; the same data in a force are fine. */
static int table_of_time(void *user, double t, thud_side side, double *out) {
  (void)user, (void)side;
  out[0] = t < 1 ? 0 : 1;
  return 0;
}

static void data_without_derivatives_may_be_forces_but_not_obstacles(void **state) {
  thud_test_bench *bench = *state;
  const double jumps[] = {1};
  const thud_regulated data = {.dimension = 1, .evaluate = table_of_time, .jump_count = 1, .jumps = jumps};
  const char *const forces[] = {"3*push"};
  const thud_expr_constraint_def table = {"table", THUD_CONSTRAINT_UNILATERAL, "x - push", false, NULL};
  thud_expr_system_def def = {.n = 1, .coordinates = XY, .kinetic_energy = "0.5*x'^2", .forces = forces};
  thud_index slot;
  assert_int_equal(thud_expr_scope_add_variable(bench->scope, "t", &slot), THUD_OK);
  assert_int_equal(thud_expr_scope_add_function(bench->scope, "push", slot, &data), THUD_OK);
  thud_test_bench_make(bench, &def);
  const double q[] = {0}, v[] = {0};
  thud_test_bench_evaluate(bench, 1.5, q, v, THUD_AT_FORCE | THUD_AT_JACOBIANS);
  assert_near(bench->values->force[0], 3, 0);
  assert_near(bench->values->force_dq[0], 0, 0);
  def.m = 1;
  def.constraints = &table;
  thud_system *refused = NULL;
  assert_int_equal(thud_system_create_expressions(bench->context, bench->scope, &def, &bench->place, &refused),
                   THUD_ERROR_UNSUPPORTED);
  thud_test_message_has(bench->context,
                        "system: expression of constraint 'table': column 3: the derivative of a function given by "
                        "data is not known; write it as a named expression, its pieces with if(t < ..., ..., ...)",
                        NULL);
  assert_int_equal(bench->place.part, THUD_SOURCE_CONSTRAINT);
  assert_null(refused);
}

static void numbers_that_are_not_finite_are_explained(void **state) {
  thud_test_bench *bench = *state;
  const char *const forces[] = {"1 + 2/y", "x*log(x)"}, *const slip[] = {"x'/(x - 3)"};
  const thud_expr_constraint_def constraints[] = {
      {"root", THUD_CONSTRAINT_UNILATERAL, "sqrt(x - 1)", true, "0.5 + asin(y)/10"},
      {"form", THUD_CONSTRAINT_VELOCITY, "x' + 1/(y + 1)", false, NULL}};
  const thud_expr_friction_def law = {"rub", 0, THUD_FRICTION_DISC, 1, slip, "1 + 0*acos(y - 4)", NULL};
  const thud_expr_system_def def = {.n = 2,
                                    .coordinates = XY,
                                    .kinetic_energy = "0.5*x'^2 + 0.5*(1 + sqrt(x))*y'^2",
                                    .potential_energy = "log(y + 2)",
                                    .forces = forces,
                                    .m = 2,
                                    .constraints = constraints,
                                    .laws = 1,
                                    .friction = &law};
  const struct {
    double x, y;
    unsigned part;
    const char *what, *where, *why;
  } cases[] = {
      {1, 0, THUD_AT_FORCE,
       "system: the force of coordinate 'x' is infinite at t = 0.5, x = 1, x' = 1, y = 0, y' = 2: force of coordinate "
       "'x': division by zero at column 6",
       "force of coordinate 'x'", "column 6"},
      {-1, 1, THUD_AT_FORCE,
       "system: the inertia (Christoffel) term of coordinate 'x' is NaN at t = 0.5, x = -1, x' = 1, y = 1, y' = 2: "
       "kinetic energy: square root of the negative number -1 at column 21",
       "kinetic energy", "square root"},
      {-1, 1, THUD_AT_MASS,
       "system: the mass matrix entry ('y', 'y') is NaN at t = 0.5, x = -1, x' = 1, y = 1, y' = 2: kinetic energy: "
       "square root of the negative number -1 at column 21",
       "kinetic energy", "square root"},
      {1, -2, THUD_AT_POTENTIAL,
       "system: the potential energy is -infinite at t = 0.5, x = 1, x' = 1, y = -2, y' = 2: potential energy: "
       "logarithm of 0 at column 1",
       "potential energy", "log"},
      {0, 1, THUD_AT_CONSTRAINT, "constraint 'root' is",
       "system: the value of constraint 'root' is NaN at t = 0.5, x = 0, x' = 1, y = 1, y' = 2: expression of "
       "constraint 'root': square root of the negative number -1 at column 1",
       "square root"},
      {1, 1, THUD_AT_GRADIENT,
       "system: the gradient of constraint 'root' by 'x' is -infinite at t = 0.5, x = 1, x' = 1, y = 1, y' = 2: "
       "expression of constraint 'root': in a derivative: division by zero at column 1",
       "constraint 'root'", "column 1"},
      {2, -1, THUD_AT_GRADIENT,
       "system: the rate of constraint 'form' is infinite at t = 0.5, x = 2, x' = 1, y = -1, y' = 2: expression of "
       "constraint 'form': division by zero at column 7",
       "constraint 'form'", "column 7"},
      {2, 2, THUD_AT_RESTITUTION,
       "system: the restitution of constraint 'root' is NaN at t = 0.5, x = 2, x' = 1, y = 2, y' = 2: restitution of "
       "constraint 'root': asin of 2, which is outside of [-1, 1] at column 7",
       "restitution of constraint 'root'", "asin"},
      {3, 4, THUD_AT_FRICTION,
       "system: the slip direction of friction law 'rub', direction 0 by 'x' is infinite at t = 0.5, x = 3, x' = 1, y "
       "= 4, y' = 2: slip velocity of friction law 'rub': in a derivative: division by zero at column 3",
       "slip velocity", "column 3"},
  };
  thud_test_bench_make(bench, &def);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    const double q[] = {cases[k].x, cases[k].y}, v[] = {1, 2};
    thud_error error = thud_system_evaluate(bench->system, 0.5, q, v, cases[k].part, bench->values);
    if (error != THUD_ERROR_NOT_FINITE)
      fail_msg("case %zu: error %d, %s", k, (int)error, thud_context_last_message(bench->context));
    thud_test_message_has(bench->context, cases[k].what, cases[k].where, cases[k].why, "t = 0.5", NULL);
  }
  /* The values recover. */
  const double fine[] = {2, 0.5}, v[] = {1, 2};
  assert_int_equal(thud_system_evaluate(bench->system, 0, fine, v, THUD_AT_MASS | THUD_AT_FORCE, bench->values),
                   THUD_OK);
}

static void masses_that_fail_on_the_way_name_state_and_entry(void **state) {
  thud_test_bench *bench = *state;
  const char *const mass[] = {"1", "x", "x", "1"}, *const skew[] = {"1", "x/3", "x/2", "1"};
  thud_expr_system_def def = {.n = 2, .coordinates = XY, .mass = mass};
  const double inside[] = {0.5, 0}, edge[] = {1, 0}, v[2] = {0};
  thud_test_bench_make(bench, &def);
  thud_test_bench_evaluate(bench, 0, inside, v, THUD_AT_MASS);
  assert_near(bench->values->mass_factor[3], sqrt(0.75), 1e-15);
  assert_int_equal(thud_system_evaluate(bench->system, 2, edge, v, THUD_AT_MASS, bench->values), THUD_ERROR_NOT_SPD);
  thud_test_message_has(bench->context,
                        "at t = 2, x = 1, x' = 0, y = 0, y' = 0: system: the mass matrix is not positive definite: "
                        "pivot 1 (coordinate 'y') is 0",
                        NULL);
  thud_test_bench_clear(bench);
  def.mass = skew;
  thud_test_bench_make(bench, &def);
  assert_int_equal(thud_system_evaluate(bench->system, 2, edge, v, THUD_AT_MASS, bench->values), THUD_ERROR_NOT_SPD);
  thud_test_message_has(bench->context,
                        "at t = 2, x = 1, x' = 0, y = 0, y' = 0: system: the mass matrix is not symmetric: entry ('y', "
                        "'x') is 0.5, ('x', 'y') is 0.333333333",
                        NULL);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_bench_set_up, thud_test_bench_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      BENCH_TEST(bad_texts_are_refused_with_their_place),
      BENCH_TEST(bad_shapes_are_refused),
      BENCH_TEST(data_without_derivatives_may_be_forces_but_not_obstacles),
      BENCH_TEST(numbers_that_are_not_finite_are_explained),
      BENCH_TEST(masses_that_fail_on_the_way_name_state_and_entry),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
