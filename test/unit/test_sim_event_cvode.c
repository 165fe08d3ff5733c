/* A second opinion about event-driven motions, where SUNDIALS is installed: CVODE follows the smooth motion and finds
 * the roots of the gap, the impact law is applied by hand. Both backends of thud must agree with it. */
#include "testing.h"

#if THUD_HAVE_CVODE
#include "events.h"

#include <cvode/cvode.h>
#include <math.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_version.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>

enum { MOST_IMPACTS = 40 };

/* One coordinate of mass 1: q'' = force, gap(t, q) with dgap/dq = 1. */
typedef struct problem {
  thud_test_system system;
  double (*force)(double t, double q);
  double (*gap)(double t, double q);
  double (*rate)(double t); /* dgap/dt */
  double restitution, end, q0, v0;
  int impacts; /* at least */
} problem;

static double swing(double t, double q) {
  (void)t;
  return -9.81 * sin(q);
}
static double wall(double t, double q) {
  (void)t;
  return q + 0.3;
}
static double still(double t) {
  (void)t;
  return 0;
}
static double fall(double t, double q) {
  (void)t;
  (void)q;
  return -9.81;
}
static double table(double t, double q) { return q - 0.05 * sin(10 * t); }
static double table_rate(double t) { return -0.5 * cos(10 * t); }
static double spring(double t, double q) { return -4 * q - q * q * q + cos(3 * t); }
static double stop(double t, double q) { return q + 0.2 - 0.1 * cos(t); }
static double stop_rate(double t) { return 0.1 * sin(t); }

#define LINE(energy, load, where, e)                                                                                   \
  {                                                                                                                    \
    .coordinates = {"q"}, .kinetic_energy = "q'^2/2", .potential_energy = energy, .forces = {load}, .constraints = {   \
      {.name = "wall", .source = where, .restitution = e}                                                              \
    }                                                                                                                  \
  }

static const problem problems[] = {
    {LINE("-9.81*cos(q)", NULL, "q + 0.3", "0.9"), swing, wall, still, 0.9, 6, 1, 0, 5},
    {LINE("9.81*q", NULL, "q - 0.05*sin(10*t)", "0.9"), fall, table, table_rate, 0.9, 4, 0.7, 0, 5},
    {LINE("2*q^2 + q^4/4", "cos(3*t)", "q + 0.2 - 0.1*cos(t)", "0.8"), spring, stop, stop_rate, 0.8, 8, 1, 0, 2},
};

typedef struct found_impacts {
  int count;
  double t[MOST_IMPACTS], before[MOST_IMPACTS], q, v;
} found_impacts;

static int slope(realtype t, N_Vector y, N_Vector out, void *user) {
  const problem *given = user;
  NV_Ith_S(out, 0) = NV_Ith_S(y, 1);
  NV_Ith_S(out, 1) = given->force(t, NV_Ith_S(y, 0));
  return 0;
}

static int root(realtype t, N_Vector y, realtype *out, void *user) {
  *out = ((const problem *)user)->gap(t, NV_Ith_S(y, 0));
  return 0;
}

static SUNContext make_context(void) {
  SUNContext made = NULL;
#if SUNDIALS_VERSION_MAJOR >= 7
  assert_int_equal(SUNContext_Create(SUN_COMM_NULL, &made), 0);
#else
  assert_int_equal(SUNContext_Create(NULL, &made), 0);
#endif
  return made;
}

static void follow(const problem *given, found_impacts *found) {
  SUNContext context = make_context();
  N_Vector y = N_VNew_Serial(2, context);
  void *solver = CVodeCreate(CV_ADAMS, context);
  int downwards = -1, status;
  realtype t = 0;
  NV_Ith_S(y, 0) = given->q0;
  NV_Ith_S(y, 1) = given->v0;
  assert_int_equal(CVodeInit(solver, slope, 0, y), CV_SUCCESS);
  SUNNonlinearSolver iteration = SUNNonlinSol_FixedPoint(y, 0, context);
  assert_int_equal(CVodeSetNonlinearSolver(solver, iteration), CV_SUCCESS);
  assert_int_equal(CVodeSetUserData(solver, (void *)given), CV_SUCCESS);
  assert_int_equal(CVodeSStolerances(solver, 1e-13, 1e-15), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxNumSteps(solver, 1000000), CV_SUCCESS);
  assert_int_equal(CVodeSetMaxStep(solver, 0.01), CV_SUCCESS);
  assert_int_equal(CVodeRootInit(solver, 1, root), CV_SUCCESS);
  assert_int_equal(CVodeSetRootDirection(solver, &downwards), CV_SUCCESS);
  assert_int_equal(CVodeSetStopTime(solver, given->end), CV_SUCCESS);
  found->count = 0;
  do {
    status = CVode(solver, given->end, y, &t, CV_NORMAL);
    thud_assert_at_least(status, 0);
    if (status != CV_ROOT_RETURN) continue;
    thud_assert_less(found->count, MOST_IMPACTS);
    double u = NV_Ith_S(y, 1) + given->rate(t);
    found->t[found->count] = t;
    found->before[found->count++] = NV_Ith_S(y, 1);
    NV_Ith_S(y, 1) -= (1 + given->restitution) * u;
    assert_int_equal(CVodeReInit(solver, t, y), CV_SUCCESS);
    assert_int_equal(CVodeSetStopTime(solver, given->end), CV_SUCCESS);
  } while (t < given->end);
  found->q = NV_Ith_S(y, 0);
  found->v = NV_Ith_S(y, 1);
  CVodeFree(&solver);
  SUNNonlinSolFree(iteration);
  N_VDestroy(y);
  SUNContext_Free(&context);
}

static void compare(const found_impacts *found, const noted_run *run) {
  assert_int_equal(run->info.status, THUD_MOTION_COMPLETED);
  assert_int_equal(run->events, found->count);
  for (int k = 0; k < found->count; k++) {
    assert_int_equal(run->event[k].event.kind, THUD_EVENT_IMPACT);
    thud_test_assert_near(run->event[k].event.t, found->t[k], 1e-9);
    thud_test_assert_near(run->event[k].before[0], found->before[k], 1e-9);
  }
  thud_test_assert_near(run->end_q[0], found->q, 1e-9);
  thud_test_assert_near(run->end_v[0], found->v, 1e-9);
}

static void cvode_finds_the_same_impacts(void **state) {
  (void)state;
  for (size_t k = 0; k < sizeof problems / sizeof *problems; k++) {
    const problem *given = &problems[k];
    thud_event_options options = thud_event_options_default();
    static noted_run run;
    found_impacts found;
    follow(given, &found);
    thud_assert_at_least(found.count, given->impacts);
    options.end = given->end;
    run = (noted_run){0};
    thud_test_event_run(&given->system, &options, &given->q0, &given->v0, &run);
    compare(&found, &run);
    run = (noted_run){0};
    thud_test_event_run_functions(&given->system, &options, &given->q0, &given->v0, &run);
    compare(&found, &run);
  }
}
#else
static void cvode_finds_the_same_impacts(void **state) {
  (void)state;
  thud_skip("needs SUNDIALS for a second opinion: apt-get install libsundials-dev");
}
#endif

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(cvode_finds_the_same_impacts)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
