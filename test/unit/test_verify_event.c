/* The checker of event-driven records: closed-form motions pass, wrong ones and single wrong numbers do not. */
#include "event_rows.h"
#include "event_tamper.h"
#include "failing_allocator.h"
#include "record_channels.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"
#include "verify/math/verify_dense.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { OPEN = 0, LASTING = 1, LEAVING = 2, STICKING = 4, SLIDING = 5 };
enum { NOTHING = -1, IMPACT = 0, ZENO = 1, STICK = 5 };
enum { KINETIC, POTENTIAL, WORK, IMPACT_LOSS, FRICTION_LOSS };
enum { MOST_ROWS = 64, MOST_NUMBERS = (EVENT_ROWS_DEGREE + 1) * EVENT_ROWS_N };

/* ---- closed forms --------------------------------------------------------------------------------------------------
 */

static const event_system particle = {
    .scene = "{thud: 1, system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2}, constraints:"
             " [{name: floor, phi: q, restitution: 0.5}]}, initial: {q: -1}, simulate: {method: event-driven, end: 4}}",
    .n = 1,
    .coordinates = {"q"},
    .constraint = "floor"};

/* Case C1: impact k at 3 - 2^(1-k) turns 2^(1-k) into -2^-k; flights s^2 - 2^-k s. `impacts` are followed, the rest is
 * an accumulation. */
static size_t bounce(int impacts, event_row *rows) {
  double loss = 0, left = ldexp(1, 1 - impacts);
  size_t count = 0;
  rows[count++] = (event_row){.t_end = 1, .q = {-1, 0, 1}, .order = -1, .event = NOTHING};
  for (int k = 0; k < impacts; k++) {
    double before = ldexp(1, 1 - k), after = -ldexp(1, -k);
    bool last = k == impacts - 1;
    loss += (before * before - after * after) / 2;
    rows[count++] = (event_row){.t = 3 - ldexp(1, 1 - k),
                                .t_end = last ? 3 : 3 - ldexp(1, -k),
                                .q = {0, after, last ? -after / left : 1},
                                .mode = LEAVING,
                                .order = -1,
                                .event = IMPACT,
                                .t_error = 1e-15,
                                .v_left = {before},
                                .impulse = {before - after},
                                .involved = 1,
                                .mode_left = k == 0 ? OPEN : LEAVING,
                                .accumulation = last,
                                .ledger = {[KINETIC] = after * after / 2, [WORK] = 2, [IMPACT_LOSS] = loss}};
  }
  rows[count++] = (event_row){.t = 3,
                              .t_end = 4,
                              .reaction = {2},
                              .mode = LASTING,
                              .event = ZENO,
                              .t_error = 1e-15,
                              .v_left = {-left},
                              .impulse = {3 * left},
                              .involved = 1,
                              .mode_left = LEAVING,
                              .zeno = {1, 2, 0.5, impacts, 1e-15},
                              .zeno_impulse = {6},
                              .ledger = {[WORK] = 2, [IMPACT_LOSS] = 2}};
  rows[count++] = (event_row){.t = 4,
                              .t_end = 4,
                              .mode = LASTING,
                              .order = -1,
                              .event = NOTHING,
                              .mode_left = LASTING,
                              .ledger = {[WORK] = 2, [IMPACT_LOSS] = 2}};
  return count;
}

static const event_system block = {
    .scene = "{thud: 1, system: {coordinates: [x, y], kinetic_energy: \"x'^2 + y'^2\", potential_energy: \"10*y\","
             " constraints: [{name: floor, gap: y, friction: {mu: 0.5, slip: [\"x'\"]}}]},"
             " initial: {x: 0, y: 0, \"x'\": 3}, simulate: {method: event-driven, end: 2}}",
    .n = 2,
    .slips = 1,
    .coordinates = {"x", "y"},
    .constraint = "floor"};

/* Mass 2, weight 10, mu = 1/2: x'' = -5/2, at rest from t = 1.2 on at x = 1.8. */
static size_t brake(event_row *rows) {
  const event_row made[] = {{.t_end = 1.2,
                             .q = {0, 0, 3, 0, -1.25, 0},
                             .reaction = {10, -5},
                             .mode = SLIDING,
                             .event = NOTHING,
                             .v_left = {3, 0},
                             .mode_left = SLIDING,
                             .ledger = {[KINETIC] = 9}},
                            {.t = 1.2,
                             .t_end = 2,
                             .q = {1.8},
                             .reaction = {10},
                             .mode = STICKING,
                             .event = STICK,
                             .t_error = 1e-15,
                             .involved = 1,
                             .mode_left = SLIDING,
                             .ledger = {[FRICTION_LOSS] = 9}},
                            {.t = 2,
                             .t_end = 2,
                             .q = {1.8},
                             .mode = STICKING,
                             .order = -1,
                             .event = NOTHING,
                             .mode_left = STICKING,
                             .ledger = {[FRICTION_LOSS] = 9}}};
  memcpy(rows, made, sizeof made);
  return sizeof made / sizeof *made;
}

static thud_verify_result verify(thud_context *context, const char *path) {
  thud_verify_result result;
  if (thud_verify_record(context, path, NULL, &result) != THUD_OK)
    fail_msg("%s: %s", path, thud_context_last_message(context));
  return result;
}

static thud_verify_result verify_rows(thud_context *context, const event_system *system, size_t count,
                                      const event_row *rows) {
  const char *path = thud_test_path("rows.h5");
  event_rows_write(context, path, system, count, rows);
  return verify(context, path);
}

static void assert_failed(const thud_verify_result *result, const char *check) {
  for (size_t c = 0; c < result->check_count; c++)
    if (strcmp(result->checks[c].name, check) == 0 && result->checks[c].status == THUD_VERIFY_FAILED) return;
  fail_msg("'%s' does not fail: %s", check, result->reason);
}

/* ---- between the points --------------------------------------------------------------------------------------------
 */

enum { POINTS = 10 }; /* at which an arc with positions of degree EVENT_ROWS_DEGREE is judged: the zeros of T_10 */
#define DIP_PLACE 0.30901699437494742 /* cos(2 pi/5), where T_10 = 1 */
#define DIP "(t - 1 - 0.30901699437494742)^2 + 5e-6"
#define T_10 "(512*(t - 1)^10 - 1280*(t - 1)^8 + 1120*(t - 1)^6 - 400*(t - 1)^4 + 50*(t - 1)^2 - 1)"

/* p(s) = (x - x0)^2 + 5e-6 - depth T_10(x), x = s - 1, as coefficients of s on [0, 2]: at the points no depth is seen, and
 * between them the smallest value is 5e-6 - depth. */
static void dip(double depth, double c[POINTS + 1]) {
  double of_x[POINTS + 1] = {1, 0, -50, 0, 400, 0, -1120, 0, 1280, 0, -512};
  for (int k = 0; k <= POINTS; k++) of_x[k] *= depth;
  of_x[0] += DIP_PLACE * DIP_PLACE + 5e-6;
  of_x[1] -= 2 * DIP_PLACE;
  of_x[2] += 1;
  for (int i = 0; i < POINTS; i++)
    for (int k = POINTS - 1; k >= i; k--) of_x[k] -= of_x[k + 1];
  memcpy(c, of_x, sizeof of_x);
}

/* A body at rest for 2 s: rows that are right as far as the points show. */
static void rest_for_two_seconds(double mode, event_row rows[2]) {
  rows[0] = (event_row){.t_end = 2, .mode = mode, .event = NOTHING, .mode_left = mode};
  rows[1] = (event_row){.t = 2, .t_end = 2, .mode = mode, .order = -1, .event = NOTHING, .mode_left = mode};
}

/* The force that presses the body to the floor is p(t): where it pulls, the contact would have to open. */
static void a_reaction_that_pulls_between_the_points_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double depths[] = {4e-6, 1e-5};
  for (int k = 0; k < 2; k++) {
    char scene[1024];
    event_row rows[2];
    event_system system = particle;
    system.scene = scene;
    snprintf(scene, sizeof scene,
             "{thud: 1, system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: \"%s - %g*%s\"},"
             " constraints: [{name: floor, phi: q}]}, initial: {q: 0}, simulate: {method: event-driven, end: 2}}",
             DIP, depths[k], T_10);
    rest_for_two_seconds(LASTING, rows);
    dip(depths[k], rows[0].reaction);
    thud_verify_result result = verify_rows(context, &system, 2, rows);
    if (k == 0 && result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
    if (k == 1) assert_failed(&result, "law");
  }
  thud_test_context_end(context);
}

/* A block on a floor is pushed by 5 - p(t), friction holds up to 5. */
static void a_force_beyond_friction_between_the_points_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const double depths[] = {4e-6, 1e-5};
  for (int k = 0; k < 2; k++) {
    char scene[1024];
    event_row rows[2];
    double p[POINTS + 1];
    event_system system = block;
    system.scene = scene;
    snprintf(scene, sizeof scene,
             "{thud: 1, system: {coordinates: [x, y], kinetic_energy: \"x'^2 + y'^2\", potential_energy: \"10*y\","
             " forces: {x: \"5 - (%s - %g*%s)\"}, constraints: [{name: floor, gap: y, friction: {mu: 0.5, slip:"
             " [\"x'\"]}}]}, initial: {x: 0, y: 0}, simulate: {method: event-driven, end: 2}}",
             DIP, depths[k], T_10);
    rest_for_two_seconds(STICKING, rows);
    dip(depths[k], p);
    rows[0].reaction[0] = 10;
    for (int d = 0; d <= POINTS; d++) rows[0].reaction[2 * d + 1] = p[d] - (d == 0 ? 5 : 0);
    thud_verify_result result = verify_rows(context, &system, 2, rows);
    if (k == 0 && result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
    if (k == 1) assert_failed(&result, "friction");
  }
  thud_test_context_end(context);
}

static void closed_forms_pass(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  for (int impacts = 32; impacts <= 44; impacts += 4) {
    size_t count = bounce(impacts, rows);
    thud_verify_result result = verify_rows(context, &particle, count, rows);
    if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%d impacts: %s", impacts, result.reason);
  }
  size_t count = brake(rows);
  thud_verify_result result = verify_rows(context, &block, count, rows);
  if (result.verdict != THUD_VERIFY_GOOD) fail_msg("%s", result.reason);
  thud_test_context_end(context);
}

/* ---- wrong motions -------------------------------------------------------------------------------------------------
 */

static void assert_fails(thud_context *context, const event_system *system, size_t count, const event_row *rows,
                         const char *name) {
  thud_verify_result result = verify_rows(context, system, count, rows);
  assert_int_equal(result.verdict, THUD_VERIFY_BAD);
  for (size_t k = 0; k < result.check_count; k++)
    if (strcmp(result.checks[k].name, name) == 0 && result.checks[k].status == THUD_VERIFY_FAILED) return;
  fail_msg("'%s' has not failed: %s", name, result.reason);
}

static void an_accumulation_cut_off_too_early_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  size_t count = bounce(8, rows);
  assert_fails(context, &particle, count, rows, "zeno");
  thud_test_context_end(context);
}

/* Between the points of any fixed grid: a flight that dips below the floor by 1e-6 for a 500th of its time. */
static void a_short_penetration_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  const event_system fall = {
      .scene = "{thud: 1, system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2}, constraints:"
               " [{name: floor, gap: q + 0.25 - 1e-6}]}, initial: {q: 0, \"q'\": -1}, simulate: {method: event-driven,"
               " end: 1}}",
      .n = 1,
      .coordinates = {"q"},
      .constraint = "floor"};
  rows[0] = (event_row){
      .t_end = 1, .q = {0, -1, 1}, .order = -1, .event = NOTHING, .v_left = {-1}, .ledger = {[KINETIC] = 0.5}};
  rows[1] = (event_row){.t = 1, .t_end = 1, .q = {0, 1}, .order = -1, .event = NOTHING, .v_left = {1}, .ledger = {0.5}};
  thud_verify_result result = verify_rows(context, &fall, 2, rows);
  for (size_t k = 0; k < result.check_count; k++)
    if (result.checks[k].status == THUD_VERIFY_FAILED)
      assert_true(strcmp(result.checks[k].name, "gap") == 0 || strcmp(result.checks[k].name, "proof") == 0);
  assert_int_equal(result.verdict, THUD_VERIFY_BAD);
  thud_test_context_end(context);
}

static void wrong_laws_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  size_t count = brake(rows);
  rows[0].reaction[1] = 5; /* friction that pushes */
  assert_fails(context, &block, count, rows, "friction");
  count = brake(rows);
  rows[1].reaction[1] = -5.1; /* sticks beyond its threshold */
  assert_fails(context, &block, count, rows, "friction");
  count = brake(rows);
  rows[0].mode = rows[1].mode_left = STICKING;
  assert_fails(context, &block, count, rows, "modes");
  count = brake(rows);
  rows[1].mode = rows[2].mode = rows[2].mode_left = SLIDING; /* at rest, below its threshold */
  assert_fails(context, &block, count, rows, "friction");
  count = bounce(36, rows);
  rows[count - 2].reaction[0] = -2; /* adhesion */
  assert_fails(context, &particle, count, rows, "law");
  count = bounce(36, rows);
  rows[2].impulse[0] *= 1.1;
  assert_fails(context, &particle, count, rows, "impacts");
  thud_test_context_end(context);
}

/* ---- what is said of wrong rows ------------------------------------------------------------------------------------
 */

typedef struct wrong_row {
  size_t row, place; /* offset of the number within the row */
  double number;
  const char *says; /* the detail of the check */
} wrong_row;

static void assert_structure_says(thud_context *context, const event_system *system, size_t count, event_row *rows,
                                  const wrong_row *wrong) {
  double *number = (double *)((char *)&rows[wrong->row] + wrong->place), kept = *number;
  *number = wrong->number;
  thud_verify_result result = verify_rows(context, system, count, rows);
  *number = kept;
  assert_string_equal(result.checks[0].name, "structure");
  assert_int_equal(result.checks[0].status, THUD_VERIFY_FAILED);
  assert_string_equal(result.checks[0].detail, wrong->says);
}

#define WRONG(row, field, number, says)                                                                                \
  { row, offsetof(event_row, field), number, says }

static void wrong_structure_is_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  const wrong_row braking[] = {
      WRONG(0, q[4], NAN, "a number of this row is NaN or infinite"),
      WRONG(0, ledger[2], INFINITY, "a number of this row is NaN or infinite"),
      WRONG(1, t_error, -1e-15, "the error bound of a time is negative"),
      WRONG(1, mode, 17, "a code of no mode"),
      WRONG(1, order, 9, "an order beyond that of the series"),
      WRONG(1, accumulation, -1, "a mark that is neither 0 nor 1"),
      WRONG(1, t_end, 1, "the row ends before it begins"),
      WRONG(0, t_end, 1, "the row begins at 1.2, the one before ends at 1"),
      WRONG(0, t, 0.5, "the first row is at t = 0.5, the run starts at 0"),
      WRONG(2, t_end, 2.5, "the last row is at t = 2, the run ends at 2"),
  };
  size_t count = brake(rows);
  for (size_t k = 0; k < sizeof braking / sizeof *braking; k++)
    assert_structure_says(context, &block, count, rows, &braking[k]);
  count = bounce(32, rows);
  const wrong_row bouncing[] = {
      WRONG(32, reaction[0], 1, "the rest of an accumulation has a reaction"),
      WRONG(5, accumulation, 1, "the rest of an accumulation has no limit"),
      WRONG(5, residual, -1, "a residual is negative"),
      WRONG(5, tangential, 2, "a mark that is neither 0 nor 1"),
      WRONG(5, event, 99, "event 4 is of no kind that has a name"),
  };
  for (size_t k = 0; k < sizeof bouncing / sizeof *bouncing; k++)
    assert_structure_says(context, &particle, count, rows, &bouncing[k]);
  thud_test_context_end(context);
}

/* 0/q is no number where the particle touches the floor. */
static void places_without_values_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  event_system holed = particle;
  holed.scene =
      "{thud: 1, system: {coordinates: [q], kinetic_energy: \"0.5*q'^2\", forces: {q: 2 + 0/q}, constraints:"
      " [{name: floor, phi: q, restitution: 0.5}]}, initial: {q: -1}, simulate: {method: event-driven, end: 4}}";
  thud_verify_result result = verify_rows(context, &holed, bounce(32, rows), rows);
  assert_int_equal(result.verdict, THUD_VERIFY_BAD);
  size_t found = 0;
  for (size_t k = 0; k < result.check_count; k++) {
    if (strcmp(result.checks[k].name, "modes") != 0) continue;
    assert_int_equal(result.checks[k].status, THUD_VERIFY_FAILED);
    assert_string_equal(result.checks[k].detail, "the system cannot be evaluated here");
    thud_assert_equal(result.checks[k].t, 1);
    found++;
  }
  assert_int_equal(found, 1);
  thud_test_context_end(context);
}

/* ---- one wrong number ----------------------------------------------------------------------------------------------
 */

static void tamper_everywhere(thud_context *context, const event_system *system, size_t count, const event_row *rows,
                              size_t step) {
  const char *path = thud_test_path("rows.h5");
  record_channels record;
  event_rows_write(context, path, system, count, rows);
  record_channels_load(context, path, &record);
  for (int which = 0; which < 2; which++) {
    const record_table *table = which == 0 ? &record.frames : &record.events;
    for (size_t channel = 0; channel < table->count; channel++)
      for (size_t component = 0; component < MOST_NUMBERS; component += (size_t)thud_test_share(8))
        for (size_t row = (channel + component) % step; row < table->rows; row += step)
          event_tamper(context, &record, table, channel, component, row);
  }
  record_channels_free(&record);
}

static void one_changed_number_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  size_t count = brake(rows);
  tamper_everywhere(context, &block, count, rows, (size_t)thud_test_share(2));
  count = bounce(32, rows);
  tamper_everywhere(context, &particle, count, rows, 11 * (size_t)thud_test_share(2));
  thud_test_context_end(context);
}

/* ---- Chebyshev series ----------------------------------------------------------------------------------------------
 */

static void a_series_bounds_its_minimum(void **state) {
  (void)state;
  enum { COUNT = 24 };
  thud_random random = thud_random_seed(3);
  double values[COUNT], c[COUNT];
  for (int trial = 0; trial < 500; trial++) {
    /* (x - a)^2 (x - b)^2 + d has the minimum d */
    double a = thud_random_uniform(&random, -1, 1), b = thud_random_uniform(&random, -1, 1);
    double d = pow(10, thud_random_uniform(&random, -12, 0));
    for (size_t j = 0; j < COUNT; j++) {
      double x = thud_verify_chebyshev_point(COUNT, j), product = (x - a) * (x - b);
      values[j] = product * product + d;
    }
    thud_verify_chebyshev_fit(COUNT, values, c);
    thud_assert_less(thud_verify_chebyshev_error(COUNT, c), 1e-13);
    thud_assert_at_least(thud_verify_chebyshev_minimum(COUNT, c, d / 2 - 1e-14), d / 2 - 1e-14);
    thud_assert_less(thud_verify_chebyshev_minimum(COUNT, c, d + 1e-10), d + 1e-10);
    double mean = (a + b) / 2, half = (a - b) * (a - b) / 4; /* integral of ((x-mean)^2 - half)^2 + d */
    double third = (pow(1 - mean, 3) - pow(-1 - mean, 3)) / 3, fifth = (pow(1 - mean, 5) - pow(-1 - mean, 5)) / 5;
    double exact = fifth - 2 * half * third + 2 * half * half + 2 * d;
    thud_assert_nearer(thud_verify_chebyshev_integral(COUNT, c), exact, 1e-13);
  }
}

static thud_error verify_once(thud_context *context, void *user) {
  thud_verify_result result;
  return thud_verify_record(context, user, NULL, &result);
}

static void no_memory_at_any_allocation_is_an_error_without_leak(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  event_row rows[MOST_ROWS];
  char path[512];
  snprintf(path, sizeof path, "%s", thud_test_path("memory.h5"));
  event_rows_write(context, path, &block, brake(rows), rows);
  thud_test_context_end(context);
  thud_assert_greater(thud_test_sweep_allocations(verify_once, path), 50);
}

int main(void) {
  const struct CMUnitTest tests[] = {cmocka_unit_test(closed_forms_pass),
                                     cmocka_unit_test(a_reaction_that_pulls_between_the_points_is_found),
                                     cmocka_unit_test(a_force_beyond_friction_between_the_points_is_found),
                                     cmocka_unit_test(an_accumulation_cut_off_too_early_is_found),
                                     cmocka_unit_test(a_short_penetration_is_found),
                                     cmocka_unit_test(wrong_laws_are_found),
                                     cmocka_unit_test(wrong_structure_is_named),
                                     cmocka_unit_test(places_without_values_are_named),
                                     cmocka_unit_test(one_changed_number_is_found),
                                     cmocka_unit_test(a_series_bounds_its_minimum),
                                     cmocka_unit_test(no_memory_at_any_allocation_is_an_error_without_leak)};
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
