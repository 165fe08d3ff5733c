/* The event-driven part of a run of a `system` scene. */
#ifndef THUD_SRC_SCENE_RUN_EVENT_H
#define THUD_SRC_SCENE_RUN_EVENT_H

#include "run/run_system.h"

/* Channels of the record (docs/record-format.md). The series stand last, so that a row up to the first two
 * coefficients of q is all there is to know of its event. */
typedef enum event_channel {
  EVENT_T,
  EVENT_T_END,
  EVENT_KIND,
  EVENT_T_ERROR,
  EVENT_V_LEFT,
  EVENT_IMPULSE,
  EVENT_INVOLVED,
  EVENT_MODE_LEFT,
  EVENT_MODE,
  EVENT_ORDER,
  EVENT_ACCUMULATION,
  EVENT_ZENO,
  EVENT_ZENO_IMPULSE,
  EVENT_RESIDUAL,
  EVENT_COSINE,
  EVENT_TANGENTIAL,
  EVENT_LEDGER,
  EVENT_Q,
  EVENT_REACTION,
  EVENT_CHANNELS
} event_channel;

enum { ZENO_BEGIN, ZENO_DURATION, ZENO_RATIO, ZENO_IMPACTS, ZENO_ERROR, ZENO_WIDTH };

/* Where the channels lie in a row of numbers. */
typedef struct event_layout {
  size_t at[EVENT_CHANNELS], width[EVENT_CHANNELS];
  size_t total; /* numbers of a row */
  size_t note;  /* numbers of it that an event needs: all before the coefficients of t^2 */
} event_layout;

typedef struct event_part {
  thud_event_motion *motion;
  thud_event_info info;
  event_layout layout;
  double *row;    /* [layout.total] the row in the making */
  bool waiting;   /* it holds an event whose arc has not come yet */
  double *before; /* [n+m] velocity and modes at the end of the last arc, or after the last event */
  bool any;       /* something has come: `before` is known */
} event_part;

/* run_event.c: system_run.event, made before the record is started; integrates; frees (also when NULL). */
thud_error event_run_create(system_run *run);
thud_error event_run_integrate(system_run *run);
void event_run_judge(system_run *run);
void event_run_destroy(system_run *run);

/* event_record.c. A row is written when its arc has come, or when it is known that none will. */
void event_record_lay_out(system_run *run);
thud_error event_record_event(system_run *run, const thud_event *event);
thud_error event_record_arc(system_run *run, const thud_event_arc *arc);
/* Writes what waits, or else a last row at the time that the run has reached. */
thud_error event_record_finish(system_run *run);
/* Channels of the record; reactions[m+s] are the names of the reaction's components. */
thud_error event_record_channels(const system_run *run, thud_arena *arena, const char *const *reactions,
                                 thud_record_channel channels[EVENT_CHANNELS], size_t *count);
/* The events in the first rows of a record that is being resumed. */
thud_error event_record_read_events(system_run *run, thud_record_reader *reader, size_t rows);

/* report_event.c; note[layout.note] are the first numbers of the event's row. */
thud_error event_note_json(const system_run *run, const double *note, char **json);
void event_json_note(thud_json *json, const system_run *run, const double *note, bool with_time);
void event_json_figures(thud_json *json, const system_run *run);
void event_report_events(thud_text *text, const system_run *run);
void event_report_figures(thud_text *text, const system_run *run);
bool event_warning(const system_run *run, size_t k, const char **code, double *t, char *message, size_t capacity);

#endif
