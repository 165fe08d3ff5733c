/* A run of a `particles_on_line` scene; shared by run_line.c (does it), line_record.c (writes it) and report_line.c
 * (tells it). */
#ifndef THUD_SRC_SCENE_RUN_LINE_H
#define THUD_SRC_SCENE_RUN_LINE_H

#include "scene/line.h"
#include "run/run.h"

/* numbers = before[n], after[n], impulse[n], involved[n], mode[n]. */
typedef struct line_note {
  double t;
  thud_line_event event;
  size_t family;
  double *numbers;
} line_note;

typedef struct line_run {
  thud_scene *scene;
  const thud_run_options *options;
  thud_index n;
  thud_record_writer *writer; /* NULL: no record */
  collect_samples samples;    /* of (q, v) */
  line_note *events;          /* [kept] */
  size_t kept, event_capacity, events_total;
  size_t output_count;
  double *outputs; /* times at which the event-driven method is asked for nodes */
  double *state;   /* [2n] q and v of the last node */
  double *row;     /* [5n] scratch */
  double next_record_time;
  size_t recorded;
  thud_line_info info;
  thud_error sink_error;
  double wall_seconds;
  thud_verdict verdict;
  char reason[1024];
} line_run;

const char *line_event_kind(thud_line_event event);
/* before, after, impulse, involved and mode of a frame as numbers[5n]. */
void line_frame_numbers(const line_run *run, const thud_line_frame *frame, double *numbers);

/* line_record.c */
thud_error line_record_start(line_run *run);
thud_error line_record_frame(line_run *run, const thud_line_frame *frame);

/* report_line.c */
thud_error line_event_json(const line_run *run, const line_note *note, char **json);
thud_error line_write_json(const line_run *run, bool with_wall_clock, char **json);
thud_error line_write_report(const line_run *run, char **report);
/* Warning number k; false when there are no more. */
bool line_warning(const line_run *run, size_t k, char *message, size_t capacity);

#endif
