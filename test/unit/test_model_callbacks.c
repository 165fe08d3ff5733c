/* Lagrangian systems whose functions are written in C: values against closed forms, the check of derivatives, messages
 * about bad definitions and bad numbers, no allocation while evaluating. */
#include "failing_allocator.h"
#include "bench.h"

#include <math.h>
#include <string.h>

static const double PI = 3.14159265358979323846;

static int set_up(void **state) {
  *state = thud_test_context(1);
  return 0;
}

static int tear_down(void **state) {
  thud_test_context_end(*state);
  return 0;
}

/* ---- case C15: the double pendulum with a wall, m1 = m2 = 1, l1 = 1, l2 = 2, k1 = k2 = 1, lambda = 1 ------------- */

typedef struct pendulum {
  double lambda;
  double spoil_inertia, spoil_jacobian; /* added to one entry, to see whether the check finds it */
} pendulum;

static int pendulum_mass(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = 4.0 / 3;
  out[1] = out[2] = cos(q[0] - q[1]);
  out[3] = 4.0 / 3;
  return 0;
}

static int pendulum_inertia(void *user, double t, const double *q, const double *v, double *out) {
  (void)t;
  out[0] = sin(q[0] - q[1]) * v[1] * v[1] + ((pendulum *)user)->spoil_inertia;
  out[1] = -sin(q[0] - q[1]) * v[0] * v[0];
  return 0;
}

static int pendulum_force(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)v;
  out[0] = ((pendulum *)user)->lambda * sin(q[0] - q[1]);
  out[1] = 0;
  return 0;
}

static int pendulum_potential(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = q[0] * q[0] / 2 + (q[1] - q[0]) * (q[1] - q[0]) / 2;
  return 0;
}

static int pendulum_potential_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = 2 * q[0] - q[1];
  out[1] = q[1] - q[0];
  return 0;
}

static int pendulum_gap(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = sin(q[0]);
  out[1] = sin(q[0]) + 2 * sin(q[1]);
  return 0;
}

static int pendulum_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t, (void)v;
  out[0] = cos(q[0]), out[1] = 0;
  out[2] = cos(q[0]), out[3] = 2 * cos(q[1]);
  return 0;
}

static const char *const PENDULUM_NAMES[] = {"q1", "q2"};
static const thud_constraint_def PENDULUM_WALLS[] = {{"elbow", THUD_CONSTRAINT_UNILATERAL, 1},
                                                     {"hand", THUD_CONSTRAINT_UNILATERAL, 1}};

static thud_system_def pendulum_def(pendulum *user) {
  return (thud_system_def){.n = 2,
                           .coordinates = PENDULUM_NAMES,
                           .m = 2,
                           .constraints = PENDULUM_WALLS,
                           .functions = {.user = user,
                                         .mass = pendulum_mass,
                                         .inertia = pendulum_inertia,
                                         .force = pendulum_force,
                                         .potential = pendulum_potential,
                                         .potential_gradient = pendulum_potential_gradient,
                                         .constraint = pendulum_gap,
                                         .gradient = pendulum_gradient}};
}

static void double_pendulum_has_the_accelerations_of_case_c15(void **state) {
  pendulum user = {.lambda = 1};
  thud_system_def def = pendulum_def(&user);
  thud_system *system;
  thud_system_values *values;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_OK);
  assert_int_equal(thud_system_values_create(*state, system, &values), THUD_OK);
  const double q[] = {PI / 2, 0}, rest[] = {0, 0}, moving[] = {1, 2};
  double a[2];
  assert_int_equal(thud_system_evaluate(system, 0, q, rest, THUD_AT_EVERYTHING, values), THUD_OK);
  thud_test_mass_solve(system, values, values->force, a);
  assert_near(a[0], 0.75 * (1 - PI), 1e-14);
  assert_near(a[1], 3 * PI / 8, 1e-14);
  assert_near(values->gap[1], 1, 1e-15);
  assert_near(values->gradient[3], 2, 1e-15);
  assert_near(values->restitution[1], 1, 0);
  assert_near(values->potential, PI * PI / 4, 1e-14);
  assert_near(values->applied[0], 1, 1e-15);
  assert_int_equal(thud_system_evaluate(system, 0, q, moving, THUD_AT_MASS | THUD_AT_FORCE, values), THUD_OK);
  thud_test_mass_solve(system, values, values->force, a);
  assert_near(a[0], 0.75 * (-3 - PI), 1e-14);
  assert_near(a[1], 0.75 * (1 + PI / 2), 1e-14);
  assert_near(thud_system_kinetic_energy(system, values, moving), (4.0 / 3 + 16.0 / 3) / 2, 1e-14);
  thud_system_values_destroy(*state, values);
  thud_system_destroy(system);
}

/* ---- derivatives ------------------------------------------------------------------------------------------------ */

static int pendulum_force_dq(void *user, double t, const double *q, const double *v, double *out) {
  (void)t;
  const pendulum *p = user;
  double c = cos(q[0] - q[1]);
  out[0] = p->lambda * c - 2 - c * v[1] * v[1];
  out[1] = -p->lambda * c + 1 + c * v[1] * v[1];
  out[2] = 1 + c * v[0] * v[0];
  out[3] = -1 - c * v[0] * v[0] + p->spoil_jacobian;
  return 0;
}

static int pendulum_force_dv(void *user, double t, const double *q, const double *v, double *out) {
  (void)user, (void)t;
  double s = sin(q[0] - q[1]);
  out[0] = out[3] = 0;
  out[1] = -2 * s * v[1];
  out[2] = 2 * s * v[0];
  return 0;
}

static void jacobians_nobody_wrote_come_from_differences(void **state) {
  pendulum user = {.lambda = 1};
  thud_system_def def = pendulum_def(&user);
  const double q[] = {0.7, -0.3}, v[] = {1.5, 2};
  double dq[4], dv[4];
  pendulum_force_dq(&user, 0, q, v, dq);
  pendulum_force_dv(&user, 0, q, v, dv);
  for (int k = 0; k < 3; k++) {
    thud_system *system;
    thud_system_values *values;
    def.functions.force_dq = k > 0 ? pendulum_force_dq : NULL;
    def.functions.force_dv = k > 1 ? pendulum_force_dv : NULL;
    assert_int_equal(thud_system_create(*state, &def, &system), THUD_OK);
    assert_int_equal(thud_system_values_create(*state, system, &values), THUD_OK);
    assert_int_equal(thud_system_evaluate(system, 0, q, v, THUD_AT_FORCE, values), THUD_OK);
    const double force = values->force[0];
    assert_int_equal(thud_system_evaluate(system, 0, q, v, THUD_AT_JACOBIANS, values), THUD_OK);
    for (int j = 0; j < 4; j++) {
      assert_near(values->force_dq[j], dq[j], k > 0 ? 0 : 1e-9);
      assert_near(values->force_dv[j], dv[j], k > 1 ? 0 : 1e-9);
    }
    assert_near(values->force[0], force, 0);
    thud_system_values_destroy(*state, values);
    thud_system_destroy(system);
  }
}

static int bent_gradient(void *user, double t, const double *q, const double *v, double *out) {
  pendulum_gradient(user, t, q, v, out);
  out[0] += 1e-3;
  return 0;
}

static int moving_gap(void *user, double t, const double *q, const double *v, double *out) {
  pendulum_gap(user, t, q, v, out);
  out[1] += 0.2 * t;
  return 0;
}

/* Each wrong derivative is found and named; the right ones pass. */
static void check_finds_wrong_derivatives_and_names_the_entry(void **state) {
  pendulum good = {.lambda = 1}, spoilt = {.lambda = 1, .spoil_inertia = 1e-4},
           crooked = {.lambda = 1, .spoil_jacobian = 1e-4};
  thud_system_def right = pendulum_def(&good);
  right.functions.force_dq = pendulum_force_dq;
  right.functions.force_dv = pendulum_force_dv;
  thud_system_def inertia = right, jacobian = right, potential = right, gradient = right, rate = right, none = right;
  inertia.functions.user = &spoilt;
  jacobian.functions.user = &crooked;
  potential.functions.potential_gradient = pendulum_force;
  potential.functions.force_dq = NULL;
  gradient.functions.gradient = bent_gradient;
  rate.functions.constraint = moving_gap;
  none.functions.inertia = NULL;
  none.functions.force_dq = none.functions.force_dv = NULL;
  const struct {
    const thud_system_def *def;
    const char *first, *second;
  } cases[] = {{&inertia, "inertia", "'q1'"},
               {&potential,
                "system: the potential gradient of coordinate 'q2' is 0, differences give -1: apart by 0.588 of the "
                "largest entry of the row (tolerance",
                "'q2' is 0"},
               {&gradient, "gradient", "system: the gradient of constraint 'elbow' by 'q1' is"},
               {&rate, "rate", "'hand'"},
               {&none, "inertia", "system: the inertia (Christoffel) term of coordinate 'q1' is 0, differences give"},
               {&jacobian, "system: the derivative of the force of coordinate 'q2' by 'q2' is -", "'q2' by 'q2'"}};
  const double q[] = {0.7, -0.3}, v[] = {1.5, 2};
  thud_system *system;
  double worst = -1;
  assert_int_equal(thud_system_create(*state, &right, &system), THUD_OK);
  assert_int_equal(thud_system_check(system, 0.5, q, v, 1e-8, &worst), THUD_OK);
  thud_assert_at_least(worst, 0);
  thud_assert_less(worst, 1e-8);
  assert_int_equal(thud_system_check(system, 0.5, q, NULL, 1e-8, &worst), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_system_check(system, 0.5, q, v, 0, &worst), THUD_ERROR_ARGUMENT);
  thud_system_destroy(system);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    assert_int_equal(thud_system_create(*state, cases[k].def, &system), THUD_OK);
    worst = -1;
    assert_int_equal(thud_system_check(system, 0.5, q, v, 1e-6, &worst), THUD_ERROR_ARGUMENT);
    thud_test_message_has(*state, cases[k].first, cases[k].second, NULL);
    thud_assert_greater(worst, 1e-6);
    thud_system_destroy(system);
  }
}

/* ---- numbers that must not be ----------------------------------------------------------------------------------- */

/* One coordinate; the user decides what each function returns. */
typedef struct outlaw {
  double mass, force, gap, slope, mu, e;
  int status;
} outlaw;

static int outlaw_mass(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  out[0] = 1, out[1] = 0.5, out[2] = ((outlaw *)user)->mass, out[3] = 1;
  return 0;
}
static int outlaw_force(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  out[0] = 0, out[1] = ((outlaw *)user)->force;
  return ((outlaw *)user)->status;
}
static int outlaw_gap(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  out[0] = ((outlaw *)user)->gap;
  return 0;
}
static int outlaw_gradient(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  out[0] = 1, out[1] = ((outlaw *)user)->slope;
  return 0;
}
static int outlaw_friction(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  out[0] = ((outlaw *)user)->mu;
  return 0;
}
static int outlaw_restitution(void *user, double t, const double *q, const double *v, double *out) {
  (void)t, (void)q, (void)v;
  out[0] = ((outlaw *)user)->e;
  return 0;
}

static const char *const XY[] = {"x", "y"};
static const thud_constraint_def FLOOR = {"floor", THUD_CONSTRAINT_UNILATERAL, 0.5};
static const thud_friction_def RUB = {"rub", 0, THUD_FRICTION_DISC, 1, NULL};

static thud_system_def outlaw_def(outlaw *user) {
  return (thud_system_def){.n = 2,
                           .coordinates = XY,
                           .m = 1,
                           .constraints = &FLOOR,
                           .laws = 1,
                           .friction = &RUB,
                           .functions = {.user = user,
                                         .mass = outlaw_mass,
                                         .force = outlaw_force,
                                         .constraint = outlaw_gap,
                                         .gradient = outlaw_gradient,
                                         .slip = outlaw_gradient,
                                         .friction = outlaw_friction,
                                         .restitution = outlaw_restitution}};
}

static void bad_numbers_are_named_with_function_entry_and_state(void **state) {
  const outlaw good = {.mass = 0.5, .mu = 0.3, .e = 0.5};
  outlaw user = good;
  thud_system_def def = outlaw_def(&user);
  const struct {
    outlaw user;
    thud_error error;
    const char *first, *second;
  } cases[] = {{{.mass = NAN, .mu = 0.3, .e = 0.5},
                THUD_ERROR_NOT_FINITE,
                "system: the mass matrix entry ('y', 'x') is NaN at t = 0.5, x = 1, x' = 3, y = 2, y' = 4",
                "y' = 4"},
               {{.mass = 0.25, .mu = 0.3, .e = 0.5},
                THUD_ERROR_NOT_SPD,
                "not symmetric",
                "at t = 0.5, x = 1, x' = 3, y = 2, y' = 4: system: the mass matrix is not symmetric: entry ('y', 'x') "
                "is 0.25, ('x', 'y') is 0.5"},
               {{.mass = 0.5, .force = INFINITY, .mu = 0.3, .e = 0.5},
                THUD_ERROR_NOT_FINITE,
                "system: the force of coordinate 'y' is infinite at t = 0.5, x = 1, x' = 3, y = 2, y' = 4",
                "t = 0.5, x = 1"},
               {{.mass = 0.5, .gap = NAN, .mu = 0.3, .e = 0.5},
                THUD_ERROR_NOT_FINITE,
                "system: the value of constraint 'floor' is NaN at t = 0.5, x = 1, x' = 3, y = 2, y' = 4",
                "x' = 3"},
               {{.mass = 0.5, .slope = NAN, .mu = 0.3, .e = 0.5},
                THUD_ERROR_NOT_FINITE,
                "system: the gradient of constraint 'floor' by 'y' is NaN at t = 0.5, x = 1, x' = 3, y = 2, y' = 4",
                "y = 2"},
               {{.mass = 0.5, .mu = -0.1, .e = 0.5},
                THUD_ERROR_ARGUMENT,
                "system: the friction threshold of friction law 'rub' is -0.1 at t = 0.5, x = 1, x' = 3, y = 2, y' = "
                "4; it must be >= 0",
                ">= 0"},
               {{.mass = 0.5, .mu = 0.3, .e = 1.5},
                THUD_ERROR_ARGUMENT,
                "system: the restitution of constraint 'floor' is 1.5 at t = 0.5, x = 1, x' = 3, y = 2, y' = 4; it "
                "must be in [0, 1]",
                "[0, 1]"},
               {{.mass = 0.5, .mu = 0.3, .e = 0.5, .status = 1},
                THUD_ERROR_CALLBACK,
                "system: the function 'force' returned 1 (cannot be evaluated here, a shorter step may help) at t = "
                "0.5, x = 1, x' = 3, y = 2, y' = 4",
                "shorter step"},
               {{.mass = 0.5, .mu = 0.3, .e = 0.5, .status = -3},
                THUD_ERROR_CALLBACK,
                "system: the function 'force' returned -3 (abort) at t = 0.5, x = 1, x' = 3, y = 2, y' = 4",
                "abort"}};
  const double q[] = {1, 2}, v[] = {3, 4};
  thud_system *system;
  thud_system_values *values;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_OK);
  assert_int_equal(thud_system_values_create(*state, system, &values), THUD_OK);
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    user = cases[k].user;
    assert_int_equal(thud_system_evaluate(system, 0.5, q, v, THUD_AT_EVERYTHING, values), cases[k].error);
    thud_test_message_has(*state, cases[k].first, cases[k].second, NULL);
    assert_int_equal(values->callback_status, cases[k].user.status);
    user = good;
    assert_int_equal(thud_system_evaluate(system, 0.5, q, v, THUD_AT_EVERYTHING, values), THUD_OK);
    assert_int_equal(values->callback_status, 0);
  }
  assert_int_equal(thud_system_evaluate(system, 0.5, NULL, v, THUD_AT_EVERYTHING, values), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_system_evaluate(system, 0.5, q, v, 256, values), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_system_evaluate(system, 0.5, q, v, THUD_AT_MASS, NULL), THUD_ERROR_ARGUMENT);
  thud_system_values_destroy(*state, values);
  thud_system_destroy(system);
}

static void mass_that_loses_definiteness_names_the_pivot(void **state) {
  pendulum user = {.lambda = 1};
  thud_system_def def = pendulum_def(&user);
  thud_system *system;
  thud_system_values *values;
  const double singular[] = {1, 1, 1, 1}, negative[] = {1, 0, 0, -2}, nan[] = {1, 0, 0, NAN}, skew[] = {1, 2, -2, 9};
  def.functions.mass = NULL;
  def.mass = singular;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_ERROR_NOT_SPD);
  thud_test_message_has(*state, "system: the mass matrix is not positive definite: pivot 1 (coordinate 'q2') is 0",
                        NULL);
  def.mass = negative;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_ERROR_NOT_SPD);
  thud_test_message_has(*state, "system: the mass matrix is not positive definite: pivot 1 (coordinate 'q2') is -2",
                        NULL);
  def.mass = nan;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_ERROR_NOT_FINITE);
  thud_test_message_has(*state, "system: the mass matrix entry ('q2', 'q2') is nan", NULL);
  def.mass = skew;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_ERROR_NOT_SPD);
  thud_test_message_has(*state, "system: the mass matrix is not symmetric: entry ('q2', 'q1') is -2, ('q1', 'q2') is 2",
                        NULL);
  /* Asymmetry of rounding errors is taken out. */
  const double nearly[] = {1, 0.5, 0.5 * (1 + 1e-15), 1};
  def.mass = nearly;
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_OK);
  assert_int_equal(thud_system_values_create(*state, system, &values), THUD_OK);
  thud_assert_equal(values->mass[1], values->mass[2]);
  thud_system_values_destroy(*state, values);
  thud_system_destroy(system);
}

/* ---- definitions that must not be ------------------------------------------------------------------------------- */

static void bad_definitions_are_refused_with_the_name_at_fault(void **state) {
  outlaw user = {0};
  thud_set *point, *half, *square;
  const double one[] = {1}, minus[] = {-1, -1}, plus[] = {1, 1};
  assert_int_equal(thud_set_interval(*state, 1, 2, &point), THUD_OK);
  assert_int_equal(thud_set_half_space(*state, 1, one, 3, &half), THUD_OK);
  assert_int_equal(thud_set_box(*state, 2, minus, plus, &square), THUD_OK);
  static const char *const twice[] = {"x", "x"}, *const empty[] = {"x", ""};
  const thud_constraint_def kind = {"floor", (thud_constraint_kind)9, 0}, bouncy = {"floor", 0, 1.5},
                            nothing = {"floor", 0, NAN}, rolling = {"floor", THUD_CONSTRAINT_VELOCITY, 0};
  const thud_friction_def other = {"rub", 1, THUD_FRICTION_DISC, 1, NULL},
                          law = {"rub", 0, (thud_friction_kind)7, 1, NULL},
                          still = {"rub", 0, THUD_FRICTION_DISC, 0, NULL},
                          unset = {"rub", 0, THUD_FRICTION_SET, 1, NULL},
                          wide = {"rub", 0, THUD_FRICTION_SET, 1, square},
                          off = {"rub", 0, THUD_FRICTION_SET, 1, point},
                          endless = {"rub", 0, THUD_FRICTION_SET, 1, half};
  const thud_system_def good = outlaw_def(&user);
  const double mass[] = {1, 0, 0, 1};
  enum { CASES = 22 };
  thud_system_def defs[CASES];
  for (int k = 0; k < CASES; k++) defs[k] = good;
  const char *pieces[CASES][2];
  thud_error errors[CASES];
  int count = 0;
#define BAD(change, code, first, second)                                                                               \
  do {                                                                                                                 \
    defs[count].change;                                                                                                \
    errors[count] = (code);                                                                                            \
    pieces[count][0] = (first);                                                                                        \
    pieces[count][1] = (second);                                                                                       \
    count++;                                                                                                           \
  } while (0)
  BAD(n = 0, THUD_ERROR_ARGUMENT, "system: 0 coordinates, at least 1 is needed", "at least 1");
  BAD(m = -1, THUD_ERROR_ARGUMENT, "system: -1 constraints and 1 friction laws; needed >= 0", ">= 0");
  BAD(coordinates = NULL, THUD_ERROR_ARGUMENT, "NULL", "count");
  BAD(coordinates = twice, THUD_ERROR_ARGUMENT, "system: coordinates 0 and 1 are both called 'x'", "0 and 1");
  BAD(coordinates = empty, THUD_ERROR_ARGUMENT, "system: coordinate 1 has no name", "no name");
  BAD(constraints = &kind, THUD_ERROR_ARGUMENT, "'floor'", "system: constraint 0 'floor': unknown kind 9");
  BAD(constraints = &bouncy, THUD_ERROR_ARGUMENT, "'floor'",
      "system: constraint 0 'floor': restitution 1.5 is not in [0, 1]");
  BAD(constraints = &nothing, THUD_ERROR_NOT_FINITE, "'floor'", "nan");
  BAD(constraints = &rolling, THUD_ERROR_UNSUPPORTED, "'rub'",
      "system: friction law 0 'rub': constraint 0 'floor' is a velocity constraint, friction needs a unilateral or "
      "bilateral one");
  BAD(friction = &other, THUD_ERROR_ARGUMENT,
      "system: friction law 0 'rub' is of constraint 1; there are 1, numbered from 0 (-1: none)", "there are 1");
  BAD(friction = &law, THUD_ERROR_ARGUMENT, "'rub'", "system: friction law 0 'rub': unknown kind 7");
  BAD(friction = &still, THUD_ERROR_ARGUMENT, "'rub'",
      "system: friction law 0 'rub' has 0 slip directions, at least 1 is needed");
  BAD(friction = &unset, THUD_ERROR_ARGUMENT, "'rub'", "system: friction law 0 'rub' has no set");
  BAD(friction = &wide, THUD_ERROR_DIMENSION, "'rub'",
      "system: friction law 0 'rub': the set has dimension 2, the slip velocity 1");
  BAD(friction = &off, THUD_ERROR_ARGUMENT, "'rub'",
      "system: friction law 'rub': the set of forces must contain 0, whose distance from this box is 1");
  BAD(friction = &endless, THUD_ERROR_ARGUMENT, "'rub'",
      "system: friction law 'rub': the set of forces is unbounded along - e_0; a set that a normal reaction scales "
      "must be bounded");
  BAD(mass = mass, THUD_ERROR_ARGUMENT, "mass", "one of the two");
  BAD(functions.potential = outlaw_gap, THUD_ERROR_ARGUMENT, "potential_gradient",
      "system: `functions.potential` and `functions.potential_gradient` belong together: give both or none");
  BAD(functions.constraint = NULL, THUD_ERROR_ARGUMENT, "functions.constraint", "constraints");
  BAD(functions.gradient = NULL, THUD_ERROR_ARGUMENT, "functions.gradient", "constraints");
  BAD(functions.slip = NULL, THUD_ERROR_ARGUMENT, "functions.slip", "friction");
  BAD(functions.mass = NULL, THUD_ERROR_ARGUMENT, "functions.mass", "one of the two");
#undef BAD
  assert_int_equal(count, CASES);
  thud_system *system = NULL;
  for (int k = 0; k < CASES; k++) {
    if (thud_system_create(*state, &defs[k], &system) != errors[k])
      fail_msg("case %d: %s", k, thud_context_last_message(*state));
    thud_test_message_has(*state, pieces[k][0], pieces[k][1], NULL);
    assert_null(system);
  }
  assert_int_equal(thud_system_create(*state, NULL, &system), THUD_ERROR_ARGUMENT);
  /* What is refused above is allowed when it is asked for: e > 1 by name, an unbounded set without normal reaction. */
  thud_system_def bold = good;
  const thud_friction_def lock = {NULL, -1, THUD_FRICTION_SET, 1, half};
  bold.constraints = &bouncy;
  bold.allow_any_restitution = true;
  bold.friction = &lock;
  assert_int_equal(thud_system_create(*state, &bold, &system), THUD_OK);
  assert_string_equal(thud_system_friction(system, 0)->name, "law 0");
  assert_ptr_not_equal(thud_system_friction(system, 0)->set, half);
  thud_system_destroy(system);
  thud_set_destroy(point);
  thud_set_destroy(half);
  thud_set_destroy(square);
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

static void evaluation_allocates_nothing(void **state) {
  pendulum user = {.lambda = 1};
  thud_system_def def = pendulum_def(&user);
  thud_system *system;
  thud_system_values *values;
  const double q[] = {0.3, 0.2}, v[] = {1, 2};
  assert_int_equal(thud_system_create(*state, &def, &system), THUD_OK);
  assert_int_equal(thud_system_values_create(*state, system, &values), THUD_OK);
  uint64_t before = thud_context_allocation_count(*state);
  for (int k = 0; k < 100; k++)
    assert_int_equal(thud_system_evaluate(system, k, q, v, THUD_AT_EVERYTHING | THUD_AT_JACOBIANS, values), THUD_OK);
  assert_int_equal(thud_context_allocation_count(*state), before);
  thud_system_values_destroy(*state, values);
  thud_system_destroy(system);
}

static thud_error create_and_check(thud_context *context, void *user) {
  thud_system_def def = pendulum_def(user);
  thud_system *system = NULL;
  thud_system_values *values = NULL;
  const double q[] = {0.3, 0.2}, v[] = {1, 2};
  double worst = -1;
  thud_error error = thud_system_create(context, &def, &system);
  if (error != THUD_OK) {
    assert_null(system);
    return error;
  }
  error = thud_system_values_create(context, system, &values);
  if (error != THUD_OK)
    assert_null(values);
  else
    error = thud_system_check(system, 0, q, v, 1e-7, &worst);
  thud_assert_equal((error == THUD_OK), (worst >= 0));
  thud_system_values_destroy(context, values);
  thud_system_destroy(system);
  return error;
}

static void creation_survives_every_failing_allocation(void **state) {
  (void)state;
  pendulum user = {.lambda = 1};
  thud_assert_greater(thud_test_sweep_allocations(create_and_check, &user), 15);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(double_pendulum_has_the_accelerations_of_case_c15, set_up, tear_down),
      cmocka_unit_test_setup_teardown(jacobians_nobody_wrote_come_from_differences, set_up, tear_down),
      cmocka_unit_test_setup_teardown(check_finds_wrong_derivatives_and_names_the_entry, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bad_numbers_are_named_with_function_entry_and_state, set_up, tear_down),
      cmocka_unit_test_setup_teardown(mass_that_loses_definiteness_names_the_pivot, set_up, tear_down),
      cmocka_unit_test_setup_teardown(bad_definitions_are_refused_with_the_name_at_fault, set_up, tear_down),
      cmocka_unit_test_setup_teardown(evaluation_allocates_nothing, set_up, tear_down),
      cmocka_unit_test(creation_survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
