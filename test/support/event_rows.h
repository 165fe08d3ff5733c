/* Event-driven records of small systems, written by hand: rows of numbers, as docs/record-format.md has them. */
#ifndef THUD_TEST_EVENT_ROWS_H
#define THUD_TEST_EVENT_ROWS_H

#include "thud/record.h"

enum {
  EVENT_ROWS_N = 2,      /* most coordinates */
  EVENT_ROWS_DEGREE = 4, /* of q */
  EVENT_ROWS_FORCE = 10  /* degree of the reactions */
};

/* One constraint, at most one slip component. */
typedef struct event_row {
  double t, t_end;
  double q[(EVENT_ROWS_DEGREE + 1) * EVENT_ROWS_N]; /* coefficient k of coordinate i at k n + i */
  double reaction[(EVENT_ROWS_FORCE + 1) * 2];
  double mode, order, event, t_error;
  double v_left[EVENT_ROWS_N], impulse[2];
  double involved, mode_left, accumulation;
  double zeno[5], zeno_impulse[2], residual, cosine, tangential, ledger[9];
} event_row;

typedef struct event_system {
  const char *scene;
  size_t n, slips;
  const char *coordinates[EVENT_ROWS_N];
  const char *constraint;
} event_system;

/* Writes a finished record with an event for every row that has one. */
void event_rows_write(thud_context *context, const char *path, const event_system *system, size_t count,
                      const event_row *rows);

#endif
