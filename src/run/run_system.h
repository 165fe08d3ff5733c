/* A run of a `system` scene in progress, by time stepping or from event to event; shared by run_system.c and
 * run_event.c (do it), system_record.c and event_record.c (write and resume it), report_system.c and report_event.c
 * (tell it). */
#ifndef THUD_SRC_SCENE_RUN_SYSTEM_H
#define THUD_SRC_SCENE_RUN_SYSTEM_H

#include "run/run.h"
#include "scene/system.h"

enum { LEDGER_WIDTH = 8, EVENT_KINDS = THUD_EVENT_SWITCH + 1 };

/* A step with an impact: numbers = before[n], after[n], reaction[m+s], atom[m]. Event-driven: the first layout.note
 * numbers of the event's row (run_event.h). */
typedef struct system_event {
  double t;
  double *numbers;
} system_event;

/* What a checkpoint keeps besides the motion and the samples; no pointers. */
typedef struct system_counters {
  double next_record_time, next_checkpoint;
  size_t recorded;
  size_t events_total;
  double last_recorded; /* time of the last row */
  /* event-driven: */
  size_t kinds[EVENT_KINDS]; /* events of each kind */
  double first_graze;        /* times of the first ones */
  size_t gains;              /* impacts that created energy */
  double first_gain;
  size_t tangential; /* impacts without collision */
  size_t reversals;  /* starts of slip that turn a slip round */
} system_counters;

typedef struct system_run {
  thud_scene *scene;
  const thud_run_options *options;
  thud_index n, m, s;
  thud_record_writer *writer; /* NULL: no record */
  collect_samples samples;    /* of (q, v) */
  system_event *events;       /* [kept] */
  size_t kept, event_capacity;
  system_counters counters;
  double *state;        /* [2n] q and v */
  double *largest;      /* [2n] largest |q| and |v| met, by which the report knows rounding */
  unsigned char *block; /* scratch of checkpoints */
  thud_error sink_error;
  double wall_seconds;
  thud_verdict verdict;
  char reason[1024];
  /* time stepping: */
  thud_motion *motion;
  thud_motion_info info;
  double *flags; /* [2m] atom and acting as numbers, for the record; event-driven: scratch */
  /* event-driven: */
  struct event_part *event; /* NULL: time stepping */
  struct branch_path *path; /* choices at forks; NULL: the run ends at a fork */
} system_run;

/* The whole run with its record; to be destroyed whatever happens. */
thud_error system_run_whole(thud_scene *scene, const thud_run_options *options, struct branch_path *path,
                            system_run *run);
void system_run_destroy(system_run *run);

/* The state at which the run stands. */
typedef struct system_present {
  double t;
  const double *q, *v; /* [n], borrowed */
  thud_ledger ledger;
} system_present;

system_present system_run_present(const system_run *run);
/* A place for the numbers of one more event; NULL in *numbers when no more are kept. */
thud_error system_run_add_event(system_run *run, double t, size_t count, double **numbers);
/* One step with an impact; numbers of one. */
size_t system_event_size(const system_run *run);
thud_error system_run_keep_event(system_run *run, double t, const double *before, const double *after,
                                 const double *reaction, const double *atom);
/* The verdicts of a run that did not complete: `what` happened, told with the context's message (t NaN: which says
 * when); or it was stopped. */
void system_run_fail(system_run *run, double t, const char *what);
void system_run_stop(system_run *run, double t);
/* A state of the motion, for `largest`. */
void system_run_note(system_run *run, const double *q, const double *v);
/* Tells the progress; nonzero when the user wants to stop. */
int system_run_progress(const system_run *run, double t);

/* ---- the record (system_record.c) ----------------------------------------------------------------------------------
 */

/* Creates the record, or with options->resume continues it: motion, samples, counters and events are then those of its
 * newest checkpoint. */
thud_error system_record_start(system_run *run);
thud_error system_record_frame(system_run *run, const thud_motion_frame *frame);
/* When one is due at time t. */
thud_error system_record_checkpoint(system_run *run, double t);
const char *const *system_ledger_names(void); /* [LEDGER_WIDTH] */
void system_ledger_numbers(const thud_ledger *ledger, double numbers[LEDGER_WIDTH]);
enum { SYSTEM_NAME_ROOM = THUD_RECORD_NAME_LENGTH + 1 };
/* Unit of the velocities, that of the coordinates per that of the time; NULL: no memory. */
const char *system_velocity_unit(const thud_scene *scene, thud_arena *arena);

/* ---- telling it (report_system.c) -----------------------------------------------------------------------------------
 */

/* The result as a JSON object. */
void system_json_result(thud_json *json, const system_run *run, bool with_wall_clock);
thud_error system_write_json(const system_run *run, bool with_wall_clock, char **json);
/* One line with the state; `side`: "", or "-" and "+" for the limits. */
void system_report_state(thud_text *text, const system_run *run, const char *what, double t, const char *side,
                         const double *q, const double *v);
/* The states that were asked for, a line each. */
void system_report_samples(thud_text *text, const system_run *run);
void system_report_energy(thud_text *text, const thud_ledger *ledger);
void system_report_warnings(thud_text *text, const system_run *run);
thud_error system_write_report(const system_run *run, char **report);
/* Message of a warning that came up, false when it did not: k = 0, 1, ... */
bool system_warning(const system_run *run, size_t k, const char **code, double *t, char *message, size_t capacity);

/* One kind of warning: false when it did not come up. */
typedef struct system_warning_kind {
  const char *code;
  bool (*tell)(const system_run *run, double *t, char *message, size_t capacity);
} system_warning_kind;
bool system_pick_warning(const system_run *run, const system_warning_kind *kinds, size_t count, size_t k,
                         const char **code, double *t, char *message, size_t capacity);
/* Texts that both methods use. */
void system_tell_multiple(const system_run *run, size_t impacts, double cosine, double t, thud_index first,
                          thud_index second, char *message, size_t capacity);
void system_tell_reduced(size_t impacts, char *message, size_t capacity);

/* Pieces of JSON: a field with the velocities; the names of the constraints with mark[i] != 0; their entries of
 * reaction[m+s] as constraint -> [normal, tangential ...]. */
void system_json_velocities(thud_json *json, const system_run *run, const char *key, const double *v);
void system_json_constraints(thud_json *json, const system_run *run, const double *mark);
void system_json_impulses(thud_json *json, const system_run *run, const char *key, const double *reaction,
                          const double *mark);
/* Text of the event for the record: a JSON object. */
thud_error system_event_json(const system_run *run, const thud_motion_frame *frame, char **json);
/* NULL: no such constraint. */
const char *system_constraint_name(const system_run *run, thud_index i);

#endif
