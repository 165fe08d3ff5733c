/* Composed friction laws as a motion: one law C = [-1, 2] at the velocity W = t - 1, whose force is 2 before t = 1, -1
 * after it, and anything between at t = 1. */
#include "failing_allocator.h"
#include "testing.h"
#include "thud/friction.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 4 };

static thud_error place(void *user, double t, double *W) {
  const double A = 1;
  W[0] = t - 1;
  return thud_composition_place(user, NULL, &A, NULL);
}

static thud_error make(thud_context *context, thud_composition **composition, thud_motion **motion) {
  thud_set *law = NULL;
  *composition = NULL;
  *motion = NULL;
  thud_error error = thud_set_interval(context, -1, 2, &law);
  if (error == THUD_OK) error = thud_composition_create(context, 1, 0, 1, &law, composition);
  if (error != THUD_OK) {
    thud_set_destroy(law);
    return error;
  }
  const thud_friction_problem problem = {.composition = *composition,
                                         .driven = 1,
                                         .rows = 1,
                                         .place = place,
                                         .user = *composition,
                                         .start = 0,
                                         .end = 2,
                                         .steps = STEPS};
  return thud_friction_motion_create(context, &problem, motion);
}

typedef struct rows_seen {
  size_t frames, events;
  double force[STEPS + 1];
  thud_friction_event last;
} rows_seen;

static int on_frame(void *user, const void *given) {
  rows_seen *seen = user;
  const thud_friction_frame *frame = given;
  thud_assert_near(frame->t, 0.5 * (double)seen->frames, 1e-15);
  thud_assert_near(frame->velocity[0], frame->t - 1, 1e-15);
  thud_assert_near(frame->dissipation, -frame->velocity[0] * frame->force[0], 1e-12);
  seen->force[seen->frames++] = frame->force[0];
  return 0;
}

static int on_event(void *user, const void *event) {
  rows_seen *seen = user;
  seen->last = *(const thud_friction_event *)event;
  seen->events++;
  return 0;
}

static void rows_are_answers_and_ranges_are_events(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *composition;
  thud_motion *motion;
  thud_reached reached;
  rows_seen seen = {0};
  assert_int_equal(make(context, &composition, &motion), THUD_OK);
  const thud_motion_sink sink = {.frame = on_frame, .event = on_event, .user = &seen};
  assert_int_equal(thud_motion_run(motion, &sink, &reached), THUD_OK);
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  assert_string_equal(thud_motion_family(motion), "friction");
  assert_int_equal(seen.frames, STEPS + 1);
  thud_assert_near(seen.force[0], 2, 1e-12);
  thud_assert_near(seen.force[1], 2, 1e-12);
  thud_assert_near(seen.force[3], -1, 1e-12);
  thud_assert_near(seen.force[4], -1, 1e-12);
  assert_int_equal(seen.events, 1);
  assert_int_equal(seen.last.kind, THUD_FRICTION_SEVERAL_FORCES);
  assert_int_equal(seen.last.component, 0);
  thud_assert_near(seen.last.t, 1, 1e-15);
  thud_assert_near(seen.last.low, -1, 1e-12);
  thud_assert_near(seen.last.high, 2, 1e-12);
  thud_friction_motion_info info = thud_friction_motion_get_info(motion);
  assert_int_equal(info.rows, STEPS + 1);
  assert_int_equal(thud_motion_step(motion, &sink, &reached), THUD_OK); /* there is no row after the last one */
  assert_int_equal(reached.status, THUD_MOTION_COMPLETED);
  thud_assert_near(reached.t, info.time, 0);
  assert_int_equal(seen.frames, STEPS + 1);
  assert_int_equal(thud_friction_motion_get_info(motion).rows, STEPS + 1);
  assert_int_equal(info.events[THUD_FRICTION_SEVERAL_FORCES], 1);
  assert_int_equal(info.events[THUD_FRICTION_SEVERAL_VELOCITIES], 0);
  thud_assert_near(info.dissipation, 1, 1e-12);
  thud_assert_near(info.largest_dissipation, 2, 1e-12);
  thud_assert_equal(info.largest_dissipation_time, 0);
  thud_motion_destroy(motion);
  thud_composition_destroy(composition);
  thud_test_context_end(context);
}

static void restored_motions_go_on_alike(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *compositions[2];
  thud_motion *motions[2];
  for (int k = 0; k < 2; k++) assert_int_equal(make(context, &compositions[k], &motions[k]), THUD_OK);
  size_t size = thud_motion_state_size(motions[0]);
  char *block = malloc(size), *ends[2] = {malloc(size), malloc(size)};
  for (int k = 0; k < 2; k++) assert_int_equal(thud_motion_step(motions[0], NULL, NULL), THUD_OK);
  thud_motion_save(motions[0], block);
  assert_int_equal(thud_motion_restore(motions[1], block, size - 1), THUD_ERROR_FORMAT);
  assert_int_equal(thud_motion_restore(motions[1], block, size), THUD_OK);
  thud_assert_equal(thud_friction_motion_present(motions[1]).force[0],
                    thud_friction_motion_present(motions[0]).force[0]);
  for (int k = 0; k < 2; k++) {
    assert_int_equal(thud_motion_run(motions[k], NULL, NULL), THUD_OK);
    thud_motion_save(motions[k], ends[k]);
  }
  assert_memory_equal(ends[0], ends[1], size);
  for (int k = 0; k < 2; k++) {
    free(ends[k]);
    thud_motion_destroy(motions[k]);
    thud_composition_destroy(compositions[k]);
  }
  free(block);
  thud_test_context_end(context);
}

static void incomplete_problems_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_composition *composition;
  thud_motion *motion, *other = NULL;
  assert_int_equal(make(context, &composition, &motion), THUD_OK);
  thud_friction_problem problem = {
      .composition = composition, .driven = 1, .rows = 1, .place = place, .start = 1, .end = 1, .steps = 1};
  assert_int_equal(thud_friction_motion_create(context, &problem, &other), THUD_ERROR_ARGUMENT);
  problem.end = 2;
  problem.rows = (size_t)1 << 40;
  assert_int_equal(thud_friction_motion_create(context, &problem, &other), THUD_ERROR_OVERFLOW);
  problem.rows = 1;
  problem.place = NULL;
  assert_int_equal(thud_friction_motion_create(context, &problem, &other), THUD_ERROR_ARGUMENT);
  assert_null(other);
  thud_motion_destroy(motion);
  thud_composition_destroy(composition);
  thud_test_context_end(context);
}

static thud_error run_once(thud_context *context, void *user) {
  (void)user;
  thud_composition *composition;
  thud_motion *motion;
  thud_error error = make(context, &composition, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, NULL, NULL);
  thud_motion_destroy(motion);
  thud_composition_destroy(composition);
  return error;
}

static void every_failed_allocation_is_survived(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(run_once, NULL), 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(rows_are_answers_and_ranges_are_events), cmocka_unit_test(restored_motions_go_on_alike),
      cmocka_unit_test(incomplete_problems_are_refused), cmocka_unit_test(every_failed_allocation_is_survived)};
  return cmocka_run_group_tests(tests, NULL, NULL);
}
