/* A run of a `system` scene in progress; shared by run_system.c (does it), system_record.c (writes and resumes it) and
 * report_system.c (tells it). */
#ifndef THUD_SRC_SCENE_RUN_SYSTEM_H
#define THUD_SRC_SCENE_RUN_SYSTEM_H

#include "scene/run.h"
#include "scene/system.h"

/* One step with an impact: numbers = before[n], after[n], reaction[m+s], atom[m]. */
typedef struct system_event {
  double t;
  double *numbers;
} system_event;

/* What a checkpoint keeps besides the motion and the samples; no pointers. */
typedef struct system_counters {
  double next_record_time, next_checkpoint;
  size_t recorded;
  size_t events_total;
  double last_recorded;          /* time of the last row */
  bool told_gain, told_multiple; /* warnings that are given once, at the first time */
} system_counters;

typedef struct system_run {
  thud_scene *scene;
  const thud_run_options *options;
  thud_index n, m, s;
  thud_motion *motion;
  thud_record_writer *writer; /* NULL: no record */
  collect_samples samples;    /* of (q, v) */
  system_event *events;       /* [kept] */
  size_t kept, event_capacity;
  system_counters counters;
  thud_motion_info info;
  double *state;        /* [2n] q and v */
  double *flags;        /* [2m] atom and acting as numbers, for the record */
  unsigned char *block; /* scratch of checkpoints */
  thud_error sink_error;
  double wall_seconds;
  thud_verdict verdict;
  char reason[1024];
} system_run;

size_t system_event_size(const system_run *run); /* numbers of one */
thud_error system_run_keep_event(system_run *run, double t, const double *before, const double *after,
                                 const double *reaction, const double *atom);

/* ---- the record (system_record.c) ----------------------------------------------------------------------------------
 */

/* Creates the record, or with options->resume continues it: motion, samples, counters and events are then those of its
 * newest checkpoint. */
thud_error system_record_start(system_run *run);
thud_error system_record_frame(system_run *run, const thud_motion_frame *frame);
thud_error system_record_checkpoint(system_run *run);

/* ---- telling it (report_system.c) -----------------------------------------------------------------------------------
 */

/* Text of the event for the record: a JSON object. */
thud_error system_event_json(const system_run *run, const thud_motion_frame *frame, char **json);
thud_error system_write_json(const system_run *run, bool with_wall_clock, char **json);
thud_error system_write_report(const system_run *run, char **report);
/* Message of a warning that came up, false when it did not: k = 0, 1, ... */
bool system_warning(const system_run *run, size_t k, const char **code, double *t, char *message, size_t capacity);

#endif
