/* What a run gathers while its frames go by: samples at asked times and events. */
#ifndef THUD_SRC_SCENE_COLLECT_H
#define THUD_SRC_SCENE_COLLECT_H

#include "thud/run.h"

/* States at given times: u is linear between frames and has a left and a right limit where frames share a time. */
typedef struct collect_samples {
  thud_context *context;
  thud_index n;
  size_t count, next; /* times[0..next-1] are final */
  double *times;      /* [count] ascending */
  double *right;      /* [count*n] */
  double *left;       /* [count*n] */
  double rounding;    /* a time this close to a frame's, relative, is the frame's; 0 unless set */
  bool any;           /* a frame has come */
  double last_time;
  double *first_state; /* [n] state of the first frame at last_time */
  double *last_state;  /* [n] state of the last frame at last_time */
} collect_samples;

/* Times outside [start, end] are THUD_ERROR_ARGUMENT. */
thud_error collect_samples_create(thud_context *context, thud_index n, size_t count, const double *times, double start,
                                  double end, collect_samples *samples);
void collect_samples_destroy(collect_samples *samples);
void collect_samples_add(collect_samples *samples, const thud_frame *frame);
/* Settles the samples at the last time; what lies beyond it stays open (next < count). */
void collect_samples_finish(collect_samples *samples);

/* One jump of the state. */
typedef struct collect_event {
  double t;
  thud_side side;
  double *before, *after, *impulse; /* [n] each, in one block */
} collect_event;

typedef struct collect_events {
  thud_context *context;
  thud_index n;
  size_t total, kept, limit, capacity;
  collect_event *items;
  double *before;   /* [n] state of the frame before */
  double scale;     /* largest |u_i| met so far */
  double tolerance; /* moves below tolerance * scale are rounding, not events */
  size_t times;     /* different times among the events */
  double last_time;
} collect_events;

thud_error collect_events_create(thud_context *context, thud_index n, size_t limit, double tolerance,
                                 collect_events *events);
void collect_events_destroy(collect_events *events);
/* *is_event tells whether the frame is an event: an impulse that moved the state by more than rounding. Kept only up to
 * the limit but always counted. */
thud_error collect_events_add(collect_events *events, const thud_frame *frame, bool *is_event);

#endif
