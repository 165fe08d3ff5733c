/* A punch under loads that follow each other: the steps of the motion are those that a caller would make by hand. */
#include "punches.h"

#include <math.h>
#include <string.h>

enum { ELEMENTS = 40, STEPS = 8 };

/* P grows and falls again, Q swings within F P. */
static int cycle(void *user, double t, thud_punch_drive *drive) {
  (void)user;
  drive->normal = 1 + 0.5 * sin(3 * t);
  drive->tangential = 0.25 * sin(5 * t);
  drive->rotation = 0.01 * t;
  return 0;
}

static void set_up(test_punch *test) {
  static const thud_punch_profile parabola = {.shape = THUD_PUNCH_PARABOLA, .size = 2};
  test_punch_begin(test, ELEMENTS, THUD_HALF_PLANE_UNIFORM, 2);
  test_punch_on_edges(test, 2, 0.2, 0.3, &parabola, 0);
}

static thud_punch_problem problem_of(const test_punch *test, thud_punch_method method) {
  return (thud_punch_problem){.punch = test->punch,
                              .edges = test->edges,
                              .method = method,
                              .roll = method == THUD_PUNCH_ROLLING ? 1 : 0,
                              .end = 1,
                              .steps = STEPS,
                              .given = {.datum = 2},
                              .drive = cycle};
}

typedef struct counts {
  int frames, events;
  int stop_after;
} counts;

static int count_frame(void *user, const void *frame) {
  counts *found = user;
  const thud_punch_frame *now = frame;
  assert_non_null(now->pressure);
  return ++found->frames == found->stop_after;
}

static int count_event(void *user, const void *event) {
  counts *found = user;
  const thud_punch_event *change = event;
  assert_int_not_equal(change->regime, change->before);
  found->events++;
  return 0;
}

/* Loads by hand, each from a guess that the motion does not have: the answers agree to the tolerance of the laws. */
static void incremental_steps_are_accepted_loads(void **state) {
  (void)state;
  test_punch test, by_hand;
  thud_motion *motion = NULL;
  set_up(&test);
  set_up(&by_hand);
  thud_punch_problem problem = problem_of(&test, THUD_PUNCH_INCREMENTAL);
  assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_OK);
  assert_string_equal(thud_motion_family(motion), "punch");
  for (int k = 0; k <= STEPS; k++) {
    thud_punch_drive drive = problem.given;
    thud_reached reached;
    assert_int_equal(thud_motion_step(motion, NULL, &reached), THUD_OK);
    assert_int_equal(reached.status, k < STEPS ? THUD_MOTION_RUNNING : THUD_MOTION_COMPLETED);
    thud_assert_equal(reached.t, k / (double)STEPS);
    cycle(NULL, reached.t, &drive);
    assert_int_equal(thud_punch_move(by_hand.punch, &drive, NULL, &by_hand.result), THUD_OK);
    assert_int_equal(thud_punch_accept(by_hand.punch), THUD_OK);
    thud_punch_frame frame = thud_punch_motion_present(motion);
    for (thud_index i = 0; i < ELEMENTS; i++) {
      thud_assert_near(frame.pressure[i], by_hand.result.pressure[i], 1e-8);
      thud_assert_near(frame.traction[i], by_hand.result.traction[i], 1e-8);
      assert_int_equal(frame.state[i], by_hand.result.state[i]);
    }
    thud_assert_near(frame.motion[0], by_hand.result.depth, 1e-8);
    thud_assert_near(frame.ledger.defect, 0, 1e-12); /* equal elements */
  }
  assert_int_equal(thud_punch_motion_get_info(motion).loads, STEPS + 1);
  thud_motion_destroy(motion);
  test_punch_end(&test);
  test_punch_end(&by_hand);
}

static void a_restored_motion_gives_the_same_bits(void **state) {
  (void)state;
  for (int method = THUD_PUNCH_STATIC; method <= THUD_PUNCH_ROLLING; method++) {
    test_punch test;
    thud_motion *motion = NULL;
    double kept[ELEMENTS];
    counts first = {0}, again = {0};
    set_up(&test);
    thud_punch_problem problem = problem_of(&test, (thud_punch_method)method);
    assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_OK);
    for (int k = 0; k < 4; k++) assert_int_equal(thud_motion_step(motion, NULL, NULL), THUD_OK);
    size_t size = thud_motion_state_size(motion);
    char *block = malloc(size);
    assert_non_null(block);
    thud_motion_save(motion, block);
    assert_int_equal(
        thud_motion_run(motion, &(thud_motion_sink){.frame = count_frame, .event = count_event, .user = &first}, NULL),
        THUD_OK);
    memcpy(kept, thud_punch_motion_present(motion).traction, sizeof kept);
    thud_punch_motion_info info = thud_punch_motion_get_info(motion);
    assert_int_equal(thud_motion_restore(motion, block, size - 1), THUD_ERROR_FORMAT);
    assert_int_equal(thud_motion_restore(motion, block, size), THUD_OK);
    assert_int_equal(
        thud_motion_run(motion, &(thud_motion_sink){.frame = count_frame, .event = count_event, .user = &again}, NULL),
        THUD_OK);
    assert_memory_equal(kept, thud_punch_motion_present(motion).traction, sizeof kept);
    thud_punch_motion_info other = thud_punch_motion_get_info(motion);
    assert_int_equal(info.status, other.status);
    assert_int_equal(info.loads, other.loads);
    assert_int_equal(info.systems, other.systems);
    thud_assert_equal(info.law_error, other.law_error);
    thud_assert_equal(info.largest_pressure, other.largest_pressure);
    assert_int_equal(first.frames, STEPS - 3);
    assert_int_equal(again.frames, first.frames);
    assert_int_equal(again.events, first.events);
    free(block);
    thud_motion_destroy(motion);
    test_punch_end(&test);
  }
}

static void a_sink_stops_a_run_that_goes_on_later(void **state) {
  (void)state;
  test_punch test;
  thud_motion *motion = NULL;
  thud_reached reached;
  counts found = {.stop_after = 3};
  const thud_motion_sink sink = {.frame = count_frame, .user = &found};
  set_up(&test);
  thud_punch_problem problem = problem_of(&test, THUD_PUNCH_STATIC);
  assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_OK);
  assert_int_equal(thud_motion_run(motion, &sink, &reached), THUD_OK);
  assert_int_equal(reached.status, THUD_MOTION_STOPPED);
  thud_assert_equal(reached.t, 2 / (double)STEPS);
  assert_int_equal(thud_motion_run(motion, &sink, &reached), THUD_OK);
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  assert_int_equal(found.frames, STEPS + 1);
  assert_int_equal(thud_motion_step(motion, &sink, &reached), THUD_OK); /* nothing is left to do */
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  assert_int_equal(found.frames, STEPS + 1);
  thud_motion_destroy(motion);
  test_punch_end(&test);
}

/* Slides away from t = 1/2 on, or has no number there. */
static int fails_later(void *user, double t, thud_punch_drive *drive) {
  drive->normal = 1;
  drive->tangential = t < 0.5 ? 0 : *(const double *)user;
  return 0;
}

static void loads_without_an_answer_end_the_run(void **state) {
  (void)state;
  static const double bad[] = {0.4, NAN};
  static const thud_motion_status expected[] = {THUD_MOTION_FAILED, THUD_MOTION_BAD_DATA};
  static const char *const words[] = {"t = 0.5: |Q| = 0.4 is more than F P = 0.3", "t = 0.5: the load 'Q' is nan"};
  for (int k = 0; k < 2; k++) {
    test_punch test;
    thud_motion *motion = NULL;
    thud_reached reached;
    double value = bad[k];
    set_up(&test);
    thud_punch_problem problem = problem_of(&test, THUD_PUNCH_INCREMENTAL);
    problem.drive = fails_later;
    problem.user = &value;
    assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_OK);
    assert_int_equal(thud_motion_run(motion, NULL, &reached), THUD_OK);
    assert_int_equal(reached.status, expected[k]);
    thud_assert_equal(reached.t, 3 / (double)STEPS);
    thud_test_message_has(test.context, words[k], NULL);
    assert_int_equal(thud_punch_motion_get_info(motion).status, expected[k]);
    assert_int_equal(thud_punch_motion_get_info(motion).loads, STEPS / 2);
    thud_motion_destroy(motion);
    test_punch_end(&test);
  }
}

static void bad_problems_are_refused(void **state) {
  (void)state;
  test_punch test;
  thud_motion *motion = NULL;
  set_up(&test);
  thud_punch_problem problem = problem_of(&test, THUD_PUNCH_ROLLING);
  problem.roll = 0;
  assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_ERROR_ARGUMENT);
  problem = problem_of(&test, THUD_PUNCH_STATIC);
  problem.steps = 0;
  assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_ERROR_ARGUMENT);
  problem = problem_of(&test, THUD_PUNCH_STATIC);
  problem.edges = NULL;
  assert_int_equal(thud_punch_motion_create(test.context, &problem, &motion), THUD_ERROR_ARGUMENT);
  assert_null(motion);
  assert_null(thud_punch_motion_present(NULL).pressure);
  test_punch_end(&test);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(incremental_steps_are_accepted_loads), cmocka_unit_test(a_restored_motion_gives_the_same_bits),
      cmocka_unit_test(a_sink_stops_a_run_that_goes_on_later), cmocka_unit_test(loads_without_an_answer_end_the_run),
      cmocka_unit_test(bad_problems_are_refused)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
