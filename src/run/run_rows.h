/* The state of a motion as numbers with names, found in the rows by the descriptions of the channels. */
#ifndef THUD_SRC_RUN_RUN_ROWS_H
#define THUD_SRC_RUN_RUN_ROWS_H

#include "base/json.h"
#include "thud/kind.h"
#include "thud/rows.h"

/* A channel whose values are part of the state; of a series the values and the slopes are two parts. */
typedef struct run_part {
  size_t channel;
  size_t left;  /* channel of the limits from before; SIZE_MAX: the same */
  size_t first; /* its place in the state */
  size_t width;
  bool series, slope;
  const char *unit;
} run_part;

typedef struct run_state {
  size_t count;
  const char **names; /* [count] */
  char *composed;     /* names of components that have none of their own: name[0], name[1], ... */
  size_t part_count;
  run_part *parts; /* [part_count] */
  size_t end;      /* channel of the times at which series end; SIZE_MAX: none */
  size_t loose;    /* channel that marks series whose slope at the end means nothing; SIZE_MAX: none */
  double *largest; /* [count] of all rows so far, by which reports know rounding */
} run_state;

/* Takes a valid layout (thud_rows, include/thud/rows.h); THUD_ERROR_ARGUMENT when two numbers of the state have one name. */
thud_error thud_run_state_create(thud_context *context, size_t count, const thud_record_channel *channels,
                                 run_state *state);
void thud_run_state_free(thud_context *context, run_state *state);
/* The limits at the row's time; either may be NULL. Of a series without coefficients they are NaN. */
void thud_run_state_read(const run_state *state, const thud_record_cell *cells, double *left, double *right);
/* On the series of the row, at time t. */
void thud_run_state_at(const run_state *state, const thud_record_cell *cells, double t, double *values);
bool thud_run_state_has_series(const run_state *state);
void thud_run_state_note(run_state *state, const thud_record_cell *cells);
/* name -> value */
void thud_run_state_json(const run_state *state, const double *values, thud_json *json);
/* "  state       t = 4, x = 0, x' = 0"; side: "", "-" or "+". */
void thud_run_state_line(const run_state *state, const char *what, double t, const char *side, const double *values,
                         thud_text *text);

/* ---- states at asked times, gathered while the rows of a motion go by -------------------------------------------- */

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

/* ---- what the driver needs of the channels of a kind, beyond what every record needs ----------------------------- */

/* Asked before the first row, whether there will be a record or not: rows are taken by their descriptions alone, so
 * these have to be true. layout may be NULL, which is refused. */
thud_error thud_run_check_layout(thud_context *context, const thud_kind *kind, const thud_record_layout *layout);

#endif
