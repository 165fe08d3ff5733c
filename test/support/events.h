/* Event-driven motions for tests: runs them and keeps everything that they hand out. */
#ifndef THUD_TEST_EVENTS_H
#define THUD_TEST_EVENTS_H

#include "systems.h"
#include "thud/event.h"

enum { THUD_TEST_EVENTS = 400, THUD_TEST_SIZE = 6 };

/* Everything that a run hands out, copied. */
typedef struct noted_event {
  thud_event event;
  double before[THUD_TEST_SIZE], after[THUD_TEST_SIZE], q[THUD_TEST_SIZE], impulse[THUD_TEST_SIZE],
      total[THUD_TEST_SIZE];
  int mode_before[THUD_TEST_SIZE], mode_after[THUD_TEST_SIZE], order[THUD_TEST_SIZE];
} noted_event;

typedef struct noted_run {
  int n, m, rows; /* rows: constraints and slip components */
  int events, arcs;
  noted_event event[THUD_TEST_EVENTS];
  int samples;
  const double *sample_times; /* right limits */
  double sample_q[THUD_TEST_EVENTS][THUD_TEST_SIZE], sample_v[THUD_TEST_EVENTS][THUD_TEST_SIZE];
  double last_reaction[THUD_TEST_SIZE];     /* at the end of the last arc */
  double first_reaction[THUD_TEST_SIZE][4]; /* coefficients of the first arc */
  int first_mode[THUD_TEST_SIZE], first_order[THUD_TEST_SIZE];
  thud_event_motion_info info;
  char message[400];
  double t, end_q[THUD_TEST_SIZE], end_v[THUD_TEST_SIZE];
} noted_run;

/* Makes the system, runs from q0, v0 and asserts that the calls went well; `samples` and `sample_times` of the run are
 * read. */
void thud_test_event_run(const thud_test_system *source, const thud_event_options *options, const double *q0,
                         const double *v0, noted_run *run);
/* The same with the system as functions in C. */
void thud_test_event_run_functions(const thud_test_system *source, const thud_event_options *options, const double *q0,
                                   const double *v0, noted_run *run);
/* The same for a system that is there. */
void thud_test_event_run_system(thud_context *context, const thud_system *system, const thud_event_options *options,
                                const double *q0, const double *v0, noted_run *run);
/* The same from 0 to `end` with default options. */
void thud_test_event_run_to(const thud_test_system *source, double end, const double *q0, const double *v0,
                            noted_run *run);
/* Fails with the numbers. */
void thud_test_assert_near(double value, double expected, double tolerance);

#endif
