/* Sweeping processes for tests: sets of the plane, a ball that moves, runs with their frames. */
#ifndef THUD_TEST_SWEEP_CASES_H
#define THUD_TEST_SWEEP_CASES_H

#include "thud/sim.h"
#include "failing_allocator.h"
#include "testing.h"
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the cases ------------------------------------------------------------------------------------ */

/* S1: the segment { rho (cos t, sin t), |rho| <= 1 }; parameters: its two ends. */
static inline int rotating_segment(void *user, double t, thud_side side, double *out) {
  (void)user;
  (void)side;
  out[0] = -cos(t);
  out[1] = -sin(t);
  out[2] = cos(t);
  out[3] = sin(t);
  return 0;
}

/* S2: unit ball with centre (t, 0). */
static inline int translating_ball(void *user, double t, thud_side side, double *out) {
  (void)side;
  double speed = user != NULL ? *(const double *)user : 1;
  out[0] = speed * t;
  out[1] = 0;
  out[2] = 1;
  return 0;
}

static inline void translating_ball_exact(double t, double *u) {
  double t0 = sqrt(3) / 2, half = tan(acos(-1) / 12);
  if (t <= t0) {
    u[0] = 0;
    u[1] = 0.5;
    return;
  }
  double theta = 2 * atan(half * exp(-(t - t0)));
  u[0] = t - cos(theta);
  u[1] = sin(theta);
}

static inline thud_set *unit_ball(thud_context *context, thud_index n) {
  double centre[8] = {0};
  thud_set *set = NULL;
  assert_int_equal(thud_set_ball(context, n, centre, 1, &set), THUD_OK);
  return set;
}

static inline thud_set *unit_segment(thud_context *context) {
  const double first[2] = {-1, 0}, second[2] = {1, 0};
  thud_set *set = NULL;
  assert_int_equal(thud_set_segment(context, 2, first, second, &set), THUD_OK);
  return set;
}

/* A ball of radius 1 in the plane that moves as the function says, and the problem of the point it sweeps. */
typedef struct swept_ball {
  thud_context *context;
  thud_set *set;
  thud_regulated data;
  double initial[2];
  thud_sweep_problem problem;
} swept_ball;

static inline void swept_ball_make(swept_ball *ball, thud_regulated_fn motion, const double initial[2]) {
  ball->context = thud_test_context(1);
  ball->set = unit_ball(ball->context, 2);
  ball->data = (thud_regulated){.dimension = 3, .evaluate = motion};
  memcpy(ball->initial, initial, sizeof ball->initial);
  ball->problem = (thud_sweep_problem){.set = {ball->set, &ball->data}, .initial = ball->initial};
}

static inline void swept_ball_end(swept_ball *ball) {
  thud_set_destroy(ball->set);
  thud_test_context_end(ball->context);
}

typedef struct frame_log {
  size_t count;
  int stop_after; /* 0: never */
  double t[4096], u[4096][2], reaction[4096][2];
  thud_side side[4096];
  bool atom[4096];
} frame_log;

static inline int log_frame(void *user, const void *given) {
  const thud_sweep_frame *frame = given;
  frame_log *log = user;
  thud_assert_less(log->count, 4096);
  size_t k = log->count++;
  log->t[k] = frame->t;
  log->side[k] = frame->side;
  log->atom[k] = frame->atom;
  memcpy(log->u[k], frame->state, sizeof log->u[k]);
  memcpy(log->reaction[k], frame->reaction, sizeof log->reaction[k]);
  return log->stop_after > 0 && log->count >= (size_t)log->stop_after;
}

/* A whole run. sink, final and info may be NULL. */
static inline thud_error run_all(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                                 const thud_partition *partition, const thud_sweep_options *options,
                                 const thud_motion_sink *sink, double *final, thud_sweep_motion_info *info) {
  thud_motion *motion = NULL;
  thud_error error = thud_sweep_motion_create(context, method, problem, partition, options, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, sink, NULL);
  if (error == THUD_OK && final != NULL)
    memcpy(final, thud_sweep_motion_present(motion).state,
           (size_t)thud_set_dimension(problem->set.set) * sizeof(double));
  if (error == THUD_OK && info != NULL) *info = thud_sweep_motion_get_info(motion);
  thud_motion_destroy(motion);
  return error;
}

static inline thud_sweep_motion_info run_uniform(thud_context *context, const thud_sweep_problem *problem, double end,
                                                 thud_index steps, frame_log *log, double *final) {
  const thud_regulated *data = problem->set.parameters;
  thud_partition *partition = NULL;
  assert_int_equal(thud_partition_uniform(context, 0, end, steps, data != NULL ? data->jump_count : 0,
                                          data != NULL ? data->jumps : NULL, &partition),
                   THUD_OK);
  thud_sweep_options options = thud_sweep_options_default();
  thud_motion_sink sink = {.frame = log_frame, .user = log};
  thud_sweep_motion_info info;
  assert_int_equal(
      run_all(context, THUD_SWEEP_CATCHING_UP, problem, partition, &options, log != NULL ? &sink : NULL, final, &info),
      THUD_OK);
  thud_partition_destroy(partition);
  return info;
}

#endif
