/* States at asked times, gathered while the rows of a motion go by. */
#ifndef THUD_SRC_RUN_SAMPLES_H
#define THUD_SRC_RUN_SAMPLES_H

#include "run/state.h"

/* The state is linear between rows, or that of the row's series; it has a left and a right limit where rows share a
 * time. */
typedef struct run_samples {
  thud_context *context;
  const run_state *state;
  size_t n;           /* numbers of a state */
  size_t count, next; /* times[0..next-1] are final */
  double *times;      /* [count] ascending */
  double *right;      /* [count*n] */
  double *left;       /* [count*n] */
  double rounding;    /* a time this close to a row's, relative, is the row's; 0 unless rows are series */
  bool any;           /* a row has come */
  double last_time;
  double *first_state; /* [n] first state at last_time */
  double *last_state;  /* [n] last state at last_time */
  double *work;        /* [2n] */
} run_samples;

/* Times outside [start, end] are THUD_ERROR_ARGUMENT. To be destroyed also on failure. */
thud_error thud_run_samples_create(thud_context *context, const run_state *state, size_t count, const double *times,
                                   double start, double end, run_samples *samples);
void thud_run_samples_destroy(run_samples *samples);
void thud_run_samples_add(run_samples *samples, double t, const thud_record_cell *cells);
/* Settles the samples at the last time; what lies beyond it stays open (next < count). */
void thud_run_samples_finish(run_samples *samples);

/* Part of a checkpoint. On restoring, a run that was given no times takes over those of before. */
size_t thud_run_samples_size(const run_samples *samples);
void thud_run_samples_save(const run_samples *samples, void *block);
thud_error thud_run_samples_restore(run_samples *samples, const void *block, size_t size, double start, double end);

void thud_run_samples_json(const run_samples *samples, thud_json *json);
void thud_run_samples_lines(const run_samples *samples, thud_text *text);

#endif
