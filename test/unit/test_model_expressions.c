/* Lagrangian systems made of expressions: M, c, gradients and Jacobians against closed forms and differences, the
 * balance of energy as an algebraic identity, changes of coordinates. */
#include "failing_allocator.h"
#include "bench.h"

#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

/* ---- closed forms ----------------------------------------------------------------------------------------------- */

static const char *const PENDULUM[] = {"q1", "q2"};
static const char *const PENDULUM_FORCES[] = {"lam*l1*sin(q1-q2)", NULL};
static const thud_expr_constraint_def PENDULUM_WALLS[] = {
    {"elbow", THUD_CONSTRAINT_UNILATERAL, "-l1*sin(q1)", true, "1"},
    {"hand", THUD_CONSTRAINT_UNILATERAL, "-l1*sin(q1)-l2*sin(q2)", true, "0.5 + 0.1*sin(q1')"}};
static const thud_expr_system_def DOUBLE_PENDULUM = {
    .n = 2,
    .coordinates = PENDULUM,
    .kinetic_energy = "0.5*(m1/3+m2)*l1^2*q1'^2 + 0.5*m2*l1*l2*cos(q1-q2)*q1'*q2' + 0.5*m2*l2^2/3*q2'^2",
    .potential_energy = "k1*q1^2/2 + k2*(q2-q1)^2/2",
    .forces = PENDULUM_FORCES,
    .m = 2,
    .constraints = PENDULUM_WALLS};

static thud_error pendulum_scope(thud_context *context, thud_expr_scope **scope) {
  static const char *const names[] = {"m1", "m2", "l1", "l2", "k1", "k2", "lam"};
  static const double values[] = {1, 1, 1, 2, 1, 1, 1};
  thud_error error = thud_expr_scope_create(context, scope);
  for (size_t k = 0; k < sizeof names / sizeof names[0] && error == THUD_OK; k++)
    error = thud_expr_scope_add_parameter(*scope, names[k], values[k]);
  return error;
}

static void make_pendulum(thud_test_bench *bench) {
  thud_expr_scope_destroy(bench->scope);
  assert_int_equal(pendulum_scope(bench->context, &bench->scope), THUD_OK);
  thud_test_bench_make(bench, &DOUBLE_PENDULUM);
}

static void double_pendulum_has_the_accelerations_of_case_c15(void **state) {
  thud_test_bench *bench = *state;
  make_pendulum(bench);
  const double q[] = {PI / 2, 0}, rest[] = {0, 0}, moving[] = {1, 2};
  double a[2];
  thud_test_bench_evaluate(bench, 0, q, rest, THUD_AT_EVERYTHING);
  thud_test_mass_solve(bench->system, bench->values, bench->values->force, a);
  assert_near(a[0], 0.75 * (1 - PI), 1e-14);
  assert_near(a[1], 3 * PI / 8, 1e-14);
  assert_near(bench->values->gap[0], 1, 1e-15);
  assert_near(bench->values->gradient[3], 2, 1e-15);
  assert_near(bench->values->potential, PI * PI / 4, 1e-14);
  assert_near(bench->values->applied[0], 1, 1e-15);
  assert_near(bench->values->restitution[0], 1, 0);
  assert_near(bench->values->restitution[1], 0.5, 0);
  thud_test_bench_evaluate(bench, 0, q, moving, THUD_AT_MASS | THUD_AT_FORCE | THUD_AT_RESTITUTION);
  thud_test_mass_solve(bench->system, bench->values, bench->values->force, a);
  assert_near(a[0], 0.75 * (-3 - PI), 1e-14);
  assert_near(a[1], 0.75 * (1 + PI / 2), 1e-14);
  assert_near(bench->values->restitution[1], 0.5 + 0.1 * sin(1), 1e-15);
  assert_false(thud_system_has_constant_mass(bench->system));
  assert_string_equal(thud_system_coordinate(bench->system, 1), "q2");
  assert_string_equal(thud_system_constraint(bench->system, 1)->name, "hand");
  assert_null(thud_system_coordinate(bench->system, 2));
  assert_null(thud_system_constraint(bench->system, -1));
  assert_null(thud_system_friction(bench->system, 0));
}

/* T = m (r'^2 + r^2 th'^2)/2: c = (-m r th'^2, 2 m r r' th'); gravity m g r sin th. */
static void polar_coordinates_have_their_christoffel_terms(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"r", "th"};
  const thud_expr_system_def def = {
      .n = 2, .coordinates = names, .kinetic_energy = "m*(r'^2 + r^2*th'^2)/2", .potential_energy = "m*g*r*sin(th)"};
  const double m = 1.7, g = 9.81, q[] = {1.3, 0.4}, v[] = {-0.6, 2.1};
  thud_test_bench_parameter(bench, "m", m);
  thud_test_bench_parameter(bench, "g", g);
  thud_test_bench_make(bench, &def);
  thud_test_bench_evaluate(bench, 0, q, v, THUD_AT_EVERYTHING | THUD_AT_JACOBIANS);
  const thud_system_values *values = bench->values;
  assert_near(values->mass[0], m, 1e-15);
  assert_near(values->mass[1], 0, 0);
  assert_near(values->mass[3], m * q[0] * q[0], 1e-15);
  assert_near(values->force[0], m * q[0] * v[1] * v[1] - m * g * sin(q[1]), 1e-14);
  assert_near(values->force[1], -2 * m * q[0] * v[0] * v[1] - m * g * q[0] * cos(q[1]), 1e-14);
  assert_near(values->applied[0], 0, 0);
  assert_near(values->force_dq[0], m * v[1] * v[1], 1e-14);
  assert_near(values->force_dq[1], -m * g * cos(q[1]), 1e-14);
  assert_near(values->force_dq[3], m * g * q[0] * sin(q[1]), 1e-14);
  assert_near(values->force_dv[1], 2 * m * q[0] * v[1], 1e-14);
  assert_near(values->force_dv[2], -2 * m * q[0] * v[1], 1e-14);
  assert_near(values->force_dv[3], -2 * m * q[0] * v[0], 1e-14);
}

static void constant_mass_is_recognised_and_ready_at_once(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"x", "y"};
  const thud_expr_system_def def = {.n = 2, .coordinates = names, .kinetic_energy = "2*x'^2 + x'*y' + 0.5*(y')^2"};
  thud_test_bench_make(bench, &def);
  assert_true(thud_system_has_constant_mass(bench->system));
  assert_near(bench->values->mass[0], 4, 0);
  assert_near(bench->values->mass[1], 1, 0);
  assert_near(bench->values->mass[3], 1, 0);
  assert_near(bench->values->mass_factor[0], 2, 0);
  assert_near(bench->values->mass_factor[2], 0.5, 0);
  assert_near(bench->values->mass_factor[3], sqrt(0.75), 1e-16);
  const double v[] = {1, -2};
  assert_near(thud_system_kinetic_energy(bench->system, bench->values, v), 2 - 2 + 2, 1e-15);
}

/* Case C16: a ball of radius R on a plane, rolling: x' = R wy, y' = -R wx as velocity constraints; a turntable adds a
 * rate that depends on place and time; a moving table has a gap that depends on time. */
static void velocity_forms_and_moving_obstacles_have_rows_and_rates(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"x", "y", "a", "b"};
  const thud_expr_constraint_def constraints[] = {
      {"roll x", THUD_CONSTRAINT_VELOCITY, "x' - R*b' + W*y*sin(t)", false, NULL},
      {"roll y", THUD_CONSTRAINT_VELOCITY, "y' + R*a'", true, NULL},
      {"free", THUD_CONSTRAINT_VELOCITY_ONE_SIDED, "cos(x)*(a' - b')", false, NULL},
      {"table", THUD_CONSTRAINT_UNILATERAL, "y - 0.1*sin(3*t)*x", false, "0.5"}};
  const thud_expr_system_def def = {
      .n = 4, .coordinates = names, .kinetic_energy = "0.5*(x'^2+y'^2+a'^2+b'^2)", .m = 4, .constraints = constraints};
  const double q[] = {0.3, 0.7, 0, 0}, v[] = {1, 2, 3, 4}, t = 0.9, R = 0.3, W = 5;
  thud_test_bench_parameter(bench, "R", R);
  thud_test_bench_parameter(bench, "W", W);
  thud_test_bench_make(bench, &def);
  thud_test_bench_evaluate(bench, t, q, v, THUD_AT_CONSTRAINT | THUD_AT_GRADIENT);
  const double rows[4][4] = {
      {1, 0, 0, -R}, {0, -1, -R, 0}, {0, 0, cos(q[0]), -cos(q[0])}, {-0.1 * sin(3 * t), 1, 0, 0}};
  const double rates[] = {W * q[1] * sin(t), 0, 0, -0.3 * cos(3 * t) * q[0]};
  const double gaps[] = {0, 0, 0, q[1] - 0.1 * sin(3 * t) * q[0]};
  for (size_t i = 0; i < 4; i++) {
    for (size_t j = 0; j < 4; j++) assert_near(bench->values->gradient[4 * i + j], rows[i][j], 1e-15);
    assert_near(bench->values->rate[i], rates[i], i == 0 || i == 3 ? 1e-15 : 0);
    assert_near(bench->values->gap[i], gaps[i], 1e-15);
  }
}

static void friction_laws_have_slip_rows_rates_and_thresholds(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"x", "y", "a"};
  const char *const contact[] = {"x' + l*cos(a)*a' - w*cos(t)", "2*y'"}, *const brake[] = {"a'"};
  const thud_expr_constraint_def floor = {"floor", THUD_CONSTRAINT_UNILATERAL, "y - sin(a)", false, NULL};
  const thud_expr_friction_def laws[] = {{"brake", -1, THUD_FRICTION_DISC, 1, brake, "3 + t", NULL},
                                         {"contact", 0, THUD_FRICTION_DISC, 2, contact, "0.2 + 0.1*x'^2", NULL}};
  const thud_expr_system_def def = {.n = 3,
                                    .coordinates = names,
                                    .kinetic_energy = "0.5*(x'^2+y'^2+a'^2)",
                                    .m = 1,
                                    .constraints = &floor,
                                    .laws = 2,
                                    .friction = laws};
  const double q[] = {0.3, 0.7, 0.2}, v[] = {2, 5, 3}, t = 0.9, l = 1.5, w = 4;
  thud_test_bench_parameter(bench, "l", l);
  thud_test_bench_parameter(bench, "w", w);
  thud_test_bench_make(bench, &def);
  assert_int_equal(thud_system_slip_count(bench->system), 3);
  assert_int_equal(thud_system_friction_count(bench->system), 2);
  assert_string_equal(thud_system_friction(bench->system, 1)->name, "contact");
  thud_test_bench_evaluate(bench, t, q, v, THUD_AT_FRICTION);
  const double rows[] = {0, 0, 1, 1, 0, l * cos(q[2]), 0, 2, 0}, rates[] = {0, -w * cos(t), 0};
  for (size_t k = 0; k < 9; k++) assert_near(bench->values->slip[k], rows[k], 1e-15);
  for (size_t k = 0; k < 3; k++) assert_near(bench->values->slip_rate[k], rates[k], 1e-15);
  assert_near(bench->values->friction[0], 3.9, 1e-15);
  assert_near(bench->values->friction[1], 0.6, 1e-15);
}

static void kinks_follow_the_active_branch(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"x", "y"}, *const forces[] = {"-abs(x')*x'", "if(x < 1, 3*y, x*y)"};
  const thud_expr_constraint_def corner = {"corner", THUD_CONSTRAINT_UNILATERAL, "min(2*x, y)", false, NULL};
  const thud_expr_system_def def = {.n = 2,
                                    .coordinates = names,
                                    .kinetic_energy = "0.5*(x'^2+y'^2)",
                                    .forces = forces,
                                    .m = 1,
                                    .constraints = &corner};
  const double states[][2] = {{0.5, 3}, {4, 3}}, v[] = {-2, 0};
  const double rows[][2] = {{2, 0}, {0, 1}}, second_by_q[][2] = {{0, 3}, {3, 4}};
  thud_test_bench_make(bench, &def);
  for (int k = 0; k < 2; k++) {
    thud_test_bench_evaluate(bench, 0, states[k], v, THUD_AT_EVERYTHING | THUD_AT_JACOBIANS);
    assert_near(bench->values->gradient[0], rows[k][0], 0);
    assert_near(bench->values->gradient[1], rows[k][1], 0);
    assert_near(bench->values->force[0], 4, 0);
    assert_near(bench->values->force_dv[0], -4, 1e-15);
    assert_near(bench->values->force_dq[2], second_by_q[k][0], 0);
    assert_near(bench->values->force_dq[3], second_by_q[k][1], 0);
  }
}

static void named_expressions_and_known_variables_are_used(void **state) {
  thud_test_bench *bench = *state;
  const char *const names[] = {"x"}, *const forces[] = {"-k*stretch"};
  const thud_expr_system_def def = {.n = 1, .coordinates = names, .kinetic_energy = "0.5*x'^2", .forces = forces};
  thud_index slot;
  assert_int_equal(thud_expr_scope_add_variable(bench->scope, "x", &slot), THUD_OK);
  assert_int_equal(thud_expr_scope_add_variable(bench->scope, "t", &slot), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(bench->scope, "stretch", "x - sin(t)"), THUD_OK);
  thud_test_bench_parameter(bench, "k", 3);
  thud_test_bench_make(bench, &def);
  const double q[] = {2}, v[] = {7};
  thud_test_bench_evaluate(bench, 0.5, q, v, THUD_AT_FORCE | THUD_AT_JACOBIANS);
  assert_near(bench->values->force[0], -3 * (2 - sin(0.5)), 1e-15);
  assert_near(bench->values->force_dq[0], -3, 0);
}

/* ---- random systems --------------------------------------------------------------------------------------------- */

enum { N_MAX = 4, TEXT = 4000 };

typedef struct random_texts {
  size_t n;
  char names[N_MAX][8];
  const char *coordinates[N_MAX];
  char kinetic[TEXT], mass[N_MAX * N_MAX][TEXT], potential[TEXT], force[N_MAX][TEXT], gap[2][TEXT];
} random_texts;

/* A smooth function of the coordinates. */
static void random_function(thud_random *random, size_t n, char *text, size_t capacity) {
  uint32_t count = (uint32_t)n, shape = thud_random_below(random, 4);
  double a = thud_random_uniform(random, -1, 1), b = thud_random_uniform(random, 0, 1);
  int i = (int)thud_random_below(random, count), j = (int)thud_random_below(random, count);
  switch (shape) {
  case 0: snprintf(text, capacity, "sin(%.3f*q%d + %.3f*q%d)", a, i, b, j); break;
  case 1: snprintf(text, capacity, "exp(%.3f*sin(q%d) - %.3f*q%d^2)", a, i, b, j); break;
  case 2: snprintf(text, capacity, "(%.3f + q%d*q%d)/(1 + %.3f*q%d^2)", a, i, j, b, j); break;
  default: snprintf(text, capacity, "(%.3f*q%d - %.3f*q%d^3)", a, i, b, j); break;
  }
}

/* T = sum_k (sum_i b_ki(q) v_i)^2/2 + sum_i v_i^2/2: the mass matrix is B'B + 1. */
static void random_system(thud_random *random, random_texts *texts) {
  texts->n = 1 + thud_random_below(random, N_MAX);
  size_t n = texts->n;
  char b[N_MAX][N_MAX][200];
  for (size_t k = 0; k < n; k++)
    for (size_t i = 0; i < n; i++) random_function(random, n, b[k][i], sizeof b[k][i]);
  texts->kinetic[0] = '\0';
  for (size_t k = 0; k < n; k++) {
    snprintf(texts->names[k], sizeof texts->names[k], "q%d", (int)k);
    texts->coordinates[k] = texts->names[k];
    size_t used = strlen(texts->kinetic);
    used += (size_t)snprintf(texts->kinetic + used, TEXT - used, "%s0.5*q%d'^2 + 0.5*(0", k > 0 ? " + " : "", (int)k);
    for (size_t i = 0; i < n; i++)
      used += (size_t)snprintf(texts->kinetic + used, TEXT - used, " + %s*q%d'", b[k][i], (int)i);
    snprintf(texts->kinetic + used, TEXT - used, ")^2");
  }
  for (size_t i = 0; i < n; i++)
    for (size_t j = 0; j < n; j++) {
      size_t used = (size_t)snprintf(texts->mass[i * n + j], TEXT, "%d", i == j);
      for (size_t k = 0; k < n; k++)
        used += (size_t)snprintf(texts->mass[i * n + j] + used, TEXT - used, " + %s*%s", b[k][i], b[k][j]);
    }
  random_function(random, n, texts->potential, TEXT);
  for (size_t i = 0; i < n; i++) {
    char f[200];
    random_function(random, n, f, sizeof f);
    snprintf(texts->force[i], TEXT, "%s*q%d' + cos(t)*q0 - tanh(q0'*q%d')", f, (int)i, (int)i);
  }
  for (size_t k = 0; k < 2; k++) {
    char f[200];
    random_function(random, n, f, sizeof f);
    snprintf(texts->gap[k], TEXT, "%s + sin(t*q0)", f);
  }
}

static void make_random(thud_test_bench *bench, const random_texts *texts, bool from_mass) {
  const char *forces[N_MAX], *mass[N_MAX * N_MAX];
  for (size_t i = 0; i < texts->n; i++) forces[i] = texts->force[i];
  for (size_t k = 0; k < texts->n * texts->n; k++) mass[k] = texts->mass[k];
  const thud_expr_constraint_def constraints[] = {{"first", THUD_CONSTRAINT_UNILATERAL, texts->gap[0], false, NULL},
                                                  {"second", THUD_CONSTRAINT_BILATERAL, texts->gap[1], true, NULL}};
  const thud_expr_system_def def = {.n = (thud_index)texts->n,
                                    .coordinates = texts->coordinates,
                                    .kinetic_energy = from_mass ? NULL : texts->kinetic,
                                    .mass = from_mass ? mass : NULL,
                                    .potential_energy = texts->potential,
                                    .forces = forces,
                                    .m = 2,
                                    .constraints = constraints};
  thud_test_bench_make(bench, &def);
}

static void random_state(thud_random *random, size_t n, double *q, double *v) {
  for (size_t i = 0; i < n; i++) {
    q[i] = thud_random_uniform(random, -1.5, 1.5);
    v[i] = thud_random_uniform(random, -2, 2);
  }
}

/* inertia against differences of the mass matrix, potential gradient, gradient, rate, both Jacobians. */
static void exact_derivatives_agree_with_differences_on_random_systems(void **state) {
  thud_test_bench *bench = *state;
  thud_random random = thud_random_seed(51);
  static random_texts texts;
  for (int trial = 0; trial < 150; trial++) {
    double q[N_MAX], v[N_MAX], worst = -1;
    random_system(&random, &texts);
    make_random(bench, &texts, trial % 2 == 1);
    for (int k = 0; k < 3; k++) {
      random_state(&random, texts.n, q, v);
      if (thud_system_check(bench->system, 0.3 * k, q, v, 1e-7, &worst) != THUD_OK)
        fail_msg("%s", thud_context_last_message(bench->context));
      thud_assert_at_least(worst, 0);
      thud_assert_at_most(worst, 1e-7);
    }
    thud_test_bench_clear(bench);
  }
}

/* The system from T and the one from M = B'B + 1 have the same values. */
static void energy_and_mass_matrix_give_the_same_system(void **state) {
  thud_test_bench *first = *state;
  thud_test_bench second = {.context = first->context};
  thud_random random = thud_random_seed(52);
  static random_texts texts;
  assert_int_equal(thud_expr_scope_create(second.context, &second.scope), THUD_OK);
  for (int trial = 0; trial < 50; trial++) {
    double q[N_MAX], v[N_MAX];
    random_system(&random, &texts);
    make_random(first, &texts, false);
    make_random(&second, &texts, true);
    random_state(&random, texts.n, q, v);
    const unsigned parts = THUD_AT_MASS | THUD_AT_FORCE | THUD_AT_JACOBIANS;
    thud_test_bench_evaluate(first, 0.4, q, v, parts);
    thud_test_bench_evaluate(&second, 0.4, q, v, parts);
    for (size_t i = 0; i < texts.n; i++) {
      double scale = 1 + fabs(first->values->force[i]);
      assert_near(second.values->force[i], first->values->force[i], 1e-12 * scale);
      for (size_t j = i * texts.n; j < (i + 1) * texts.n; j++) {
        assert_near(second.values->mass[j], first->values->mass[j], 1e-13 * (1 + fabs(first->values->mass[j])));
        assert_near(second.values->force_dq[j], first->values->force_dq[j],
                    1e-11 * (1 + fabs(first->values->force_dq[j])));
      }
    }
    thud_test_bench_clear(first);
    thud_test_bench_clear(&second);
  }
  thud_expr_scope_destroy(second.scope);
}

/* d/dt (T + V) = f.v along a = M^-1 force. With dT/dt = v'Ma + (dT/dq).v at fixed v, the latter exact from the graph of
 * T: v'M a + (dT/dq).v + (dV/dq).v - f.v = 0. */
static void energy_balance_is_an_identity_of_the_vector_field(void **state) {
  thud_test_bench *bench = *state;
  thud_random random = thud_random_seed(53);
  static random_texts texts;
  for (int trial = 0; trial < 100; trial++) {
    double q[N_MAX], v[N_MAX], a[N_MAX], variables[1 + 2 * N_MAX] = {0}, rates[2], balance = 0, size = 1;
    thud_index slots[N_MAX];
    thud_expr_value energies[2], velocities[N_MAX];
    thud_expr_graph *graph;
    thud_expr_program *program;
    thud_expr_work *work;
    random_system(&random, &texts);
    make_random(bench, &texts, false);
    random_state(&random, texts.n, q, v);
    assert_int_equal(thud_expr_graph_create(bench->context, bench->scope, &graph), THUD_OK);
    assert_int_equal(thud_expr_graph_add(graph, texts.kinetic, NULL, &energies[0]), THUD_OK);
    assert_int_equal(thud_expr_graph_add(graph, texts.potential, NULL, &energies[1]), THUD_OK);
    for (size_t i = 0; i < texts.n; i++) {
      char name[12];
      snprintf(name, sizeof name, "q%d'", (int)i);
      thud_index velocity = thud_expr_scope_find_variable(bench->scope, name);
      slots[i] = thud_expr_scope_find_variable(bench->scope, texts.names[i]);
      variables[slots[i]] = q[i];
      variables[velocity] = v[i];
      assert_int_equal(thud_expr_graph_add_variable(graph, velocity, &velocities[i]), THUD_OK);
    }
    for (int k = 0; k < 2; k++)
      assert_int_equal(
          thud_expr_graph_add_rate(graph, energies[k], (thud_index)texts.n, slots, velocities, &energies[k]), THUD_OK);
    assert_int_equal(thud_expr_program_create(graph, 2, energies, &program), THUD_OK);
    assert_int_equal(thud_expr_work_create(bench->context, program, 0, &work), THUD_OK);
    thud_expr_work_evaluate(work, variables, rates);
    thud_test_bench_evaluate(bench, 0, q, v, THUD_AT_MASS | THUD_AT_FORCE);
    thud_test_mass_solve(bench->system, bench->values, bench->values->force, a);
    for (size_t i = 0; i < texts.n; i++) {
      double momentum_rate = 0;
      for (size_t j = 0; j < texts.n; j++) momentum_rate += bench->values->mass[i * texts.n + j] * a[j];
      balance += (momentum_rate - bench->values->applied[i]) * v[i];
      size += fabs(momentum_rate * v[i]) + fabs(bench->values->applied[i] * v[i]);
    }
    assert_near(balance + rates[0] + rates[1], 0, 1e-13 * (size + fabs(rates[0]) + fabs(rates[1])));
    thud_expr_work_destroy(work);
    thud_expr_program_destroy(program);
    thud_expr_graph_destroy(graph);
    thud_test_bench_clear(bench);
  }
}

/* x = r cos th, y = r sin th: accelerations, gap rows and Delassus entries of the same motion in both coordinates. */
static void motion_does_not_depend_on_the_coordinates(void **state) {
  thud_test_bench *plane = *state;
  thud_test_bench polar = {.context = plane->context};
  assert_int_equal(thud_expr_scope_create(polar.context, &polar.scope), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(polar.scope, "x", "r*cos(th)"), THUD_OK);
  assert_int_equal(thud_expr_scope_add_expression(polar.scope, "y", "r*sin(th)"), THUD_OK);
  const char *const xy[] = {"x", "y"}, *const rth[] = {"r", "th"};
  const char *const potential = "x^2*y - 0.3*exp(-x*y)", *const gap = "x + y^2 - 0.2*t";
  const char *const push[] = {"1 - y", "x*t"};
  /* Q = J'F */
  const char *const turned[] = {"(1 - y)*cos(th) + x*t*sin(th)", "-(1 - y)*y + x*t*x"};
  const thud_expr_constraint_def wall = {"wall", THUD_CONSTRAINT_UNILATERAL, gap, false, NULL};
  const thud_expr_system_def in_plane = {.n = 2,
                                         .coordinates = xy,
                                         .kinetic_energy = "1.5*(x'^2+y'^2)/2",
                                         .potential_energy = potential,
                                         .forces = push,
                                         .m = 1,
                                         .constraints = &wall};
  thud_expr_system_def in_polar = in_plane;
  in_polar.coordinates = rth;
  in_polar.kinetic_energy = "1.5*(r'^2+r^2*th'^2)/2";
  in_polar.forces = turned;
  thud_test_bench_make(plane, &in_plane);
  thud_test_bench_make(&polar, &in_polar);
  thud_random random = thud_random_seed(54);
  for (int trial = 0; trial < 1000; trial++) {
    double r = thud_random_uniform(&random, 0.3, 2), th = thud_random_uniform(&random, -3, 3), c = cos(th), s = sin(th);
    double dr = thud_random_uniform(&random, -2, 2), dth = thud_random_uniform(&random, -2, 2), t = trial * 1e-3;
    const double p[] = {r, th}, dp[] = {dr, dth}, q[] = {r * c, r * s},
                 v[] = {dr * c - r * s * dth, dr * s + r * c * dth};
    double a[2], b[2], gram[2];
    const unsigned parts = THUD_AT_MASS | THUD_AT_FORCE | THUD_AT_CONSTRAINT | THUD_AT_GRADIENT;
    thud_test_bench_evaluate(plane, t, q, v, parts);
    thud_test_bench_evaluate(&polar, t, p, dp, parts);
    thud_test_mass_solve(plane->system, plane->values, plane->values->force, a);
    thud_test_mass_solve(polar.system, polar.values, polar.values->force, b);
    /* x'' = J b + J' dp */
    assert_near(a[0], b[0] * c - b[1] * r * s - 2 * dr * dth * s - r * dth * dth * c, 1e-11);
    assert_near(a[1], b[0] * s + b[1] * r * c + 2 * dr * dth * c - r * dth * dth * s, 1e-11);
    const double *row = plane->values->gradient, *turned_row = polar.values->gradient;
    assert_near(turned_row[0], row[0] * c + row[1] * s, 1e-13);
    assert_near(turned_row[1], -row[0] * r * s + row[1] * r * c, 1e-13);
    assert_near(plane->values->gap[0], polar.values->gap[0], 1e-13);
    assert_near(plane->values->rate[0], -0.2, 1e-15);
    assert_near(polar.values->rate[0], -0.2, 1e-15);
    thud_test_mass_solve(plane->system, plane->values, row, a);
    thud_test_mass_solve(polar.system, polar.values, turned_row, b);
    gram[0] = a[0] * row[0] + a[1] * row[1];
    gram[1] = b[0] * turned_row[0] + b[1] * turned_row[1];
    assert_near(gram[1], gram[0], 1e-12 * (1 + gram[0]));
  }
  thud_system_values_destroy(polar.context, polar.values);
  thud_system_destroy(polar.system);
  thud_expr_scope_destroy(polar.scope);
}

/* ---- memory and threads ----------------------------------------------------------------------------------------- */

static void evaluation_allocates_nothing(void **state) {
  thud_test_bench *bench = *state;
  make_pendulum(bench);
  const double v[] = {1, 2};
  uint64_t before = thud_context_allocation_count(bench->context);
  for (int k = 0; k < 100; k++) {
    const double q[] = {0.01 * k, 0.3};
    thud_test_bench_evaluate(bench, 0, q, v, THUD_AT_EVERYTHING | THUD_AT_JACOBIANS);
  }
  assert_int_equal(thud_context_allocation_count(bench->context), before);
}

typedef struct reader {
  const thud_system *system;
  double force[200]; /* of 100 states */
  thud_error error;
} reader;

static void *read_forces(void *user) {
  reader *r = user;
  thud_context *context = NULL;
  thud_system_values *values = NULL;
  thud_context_options options = thud_context_options_default();
  options.threads = 1;
  r->error = thud_context_create(&options, &context);
  if (r->error == THUD_OK) r->error = thud_system_values_create(context, r->system, &values);
  for (int k = 0; k < 100 && r->error == THUD_OK; k++) {
    const double q[] = {0.01 * k, 1 - 0.02 * k}, v[] = {1, 2};
    r->error = thud_system_evaluate(r->system, 0, q, v, THUD_AT_EVERYTHING, values);
    memcpy(r->force + 2 * k, values->force, 2 * sizeof(double));
  }
  thud_system_values_destroy(context, values);
  thud_context_destroy(context);
  return NULL;
}

static void threads_share_a_system_with_values_of_their_own(void **state) {
  thud_test_bench *bench = *state;
  make_pendulum(bench);
  static reader readers[3];
  pthread_t threads[2];
  for (int k = 0; k < 3; k++) readers[k].system = bench->system;
  for (int k = 0; k < 2; k++) assert_int_equal(pthread_create(&threads[k], NULL, read_forces, &readers[k]), 0);
  for (int k = 0; k < 2; k++) assert_int_equal(pthread_join(threads[k], NULL), 0);
  read_forces(&readers[2]);
  for (int k = 0; k < 3; k++) {
    assert_int_equal(readers[k].error, THUD_OK);
    assert_memory_equal(readers[k].force, readers[2].force, sizeof readers[2].force);
  }
}

static thud_error create_pendulum(thud_context *context, void *user) {
  (void)user;
  thud_expr_scope *scope = NULL;
  thud_system *system = NULL;
  thud_system_values *values = NULL;
  thud_error error = pendulum_scope(context, &scope);
  if (error == THUD_OK) error = thud_system_create_expressions(context, scope, &DOUBLE_PENDULUM, NULL, &system);
  if (error != THUD_OK) assert_null(system);
  if (error == THUD_OK) error = thud_system_values_create(context, system, &values);
  if (error != THUD_OK) assert_null(values);
  const double q[] = {0.4, 0.3}, v[] = {1, 2};
  if (error == THUD_OK) error = thud_system_check(system, 0, q, v, 1e-7, NULL);
  thud_system_values_destroy(context, values);
  thud_system_destroy(system);
  thud_expr_scope_destroy(scope);
  return error;
}

static void creation_survives_every_failing_allocation(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(create_pendulum, NULL), 100);
}

#define BENCH_TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_bench_set_up, thud_test_bench_tear_down)

int main(void) {
  const struct CMUnitTest tests[] = {
      BENCH_TEST(double_pendulum_has_the_accelerations_of_case_c15),
      BENCH_TEST(polar_coordinates_have_their_christoffel_terms),
      BENCH_TEST(constant_mass_is_recognised_and_ready_at_once),
      BENCH_TEST(velocity_forms_and_moving_obstacles_have_rows_and_rates),
      BENCH_TEST(friction_laws_have_slip_rows_rates_and_thresholds),
      BENCH_TEST(kinks_follow_the_active_branch),
      BENCH_TEST(named_expressions_and_known_variables_are_used),
      BENCH_TEST(exact_derivatives_agree_with_differences_on_random_systems),
      BENCH_TEST(energy_and_mass_matrix_give_the_same_system),
      BENCH_TEST(energy_balance_is_an_identity_of_the_vector_field),
      BENCH_TEST(motion_does_not_depend_on_the_coordinates),
      BENCH_TEST(evaluation_allocates_nothing),
      BENCH_TEST(threads_share_a_system_with_values_of_their_own),
      cmocka_unit_test(creation_survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
