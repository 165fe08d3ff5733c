/* The state of a motion as numbers with names, found in the rows by the descriptions of the channels. */
#ifndef THUD_SRC_RUN_STATE_H
#define THUD_SRC_RUN_STATE_H

#include "base/json.h"
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

/* Of a good layout (run/layout.h); THUD_ERROR_ARGUMENT when two numbers of the state have one name. */
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

#endif
