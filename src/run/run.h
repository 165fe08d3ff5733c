/* A run in progress: the driver of every kind of motion. Shared by run_driver.c (does it), run_resume.c (checkpoints),
 * run_report.c (reports it) and run_branch.c (several of them). */
#ifndef THUD_SRC_RUN_RUN_H
#define THUD_SRC_RUN_RUN_H

#include "record/cells.h"
#include "run/dump.h"
#include "run/run_report.h"
#include "run/run_rows.h"
#include "scene/build.h"
#include "thud/run.h"

enum { RUN_REASON = 1024 };

/* Part of a checkpoint besides the motion and the samples; no pointers. */
typedef struct run_counters {
  double next_record_time, next_checkpoint;
  size_t recorded;    /* frames written */
  size_t events;      /* all */
  bool last_recorded; /* the row that was handed out last is in the record */
  bool begun;         /* the first row has been handed out */
} run_counters;

/* Checkpoints of scenes that ask for none: by the processor time of the run, at which this is looked at, so that a killed
 * run can go on. They add nothing to the rows. */
typedef struct run_clock {
  double every; /* s of processor time */
  double last;  /* processor time of the last checkpoint */
  double
      looked; /* when that was last compared, s of wall clock; asking for processor time takes longer than short steps */
} run_clock;

/* A fork that a motion has passed, and the outcome taken there. */
typedef struct run_fork {
  double t;
  size_t chosen, count;
  thud_outcome outcome;
} run_fork;

/* The forks of one motion. The first `given` choices are prescribed. At further forks outcome 0 is taken, but a motion
 * that has left the law at its last multiple impact goes on with contacts struck one after the other: in the same order
 * where there is this outcome, else with the first. */
typedef struct run_path {
  thud_context *context;
  run_fork *forks;
  size_t count, capacity, given;
  size_t limit; /* outcomes of one fork at most */
} run_path;

struct thud_run {
  thud_context *context;
  thud_scene *scene;
  const thud_kind *kind;
  void *motion; /* borrowed from the scene */
  thud_run_options options;
  char *record;                        /* its name, or NULL */
  const thud_record_layout *layout;    /* of the kind */
  thud_cell_shape *shapes[2];          /* of its frames and events */
  thud_record_channel *event_channels; /* those of the kind, and the number of the frame */
  thud_record_cell *event_cells;
  double event_frame;
  thud_record_writer *writer; /* NULL: no record */
  run_state state;
  run_samples samples;
  run_kept kept;
  run_counters counters;
  thud_reached reached;
  thud_error sink_error; /* of the first row that could not be taken; the reason is its message */
  bool broken;           /* the record cannot be written any more */
  bool stopped;          /* somebody asked for it */
  bool concluded;
  bool started;          /* nothing that belongs to the start can fail any more */
  double *final;         /* [state.count] */
  double *ledger;        /* of the last row; NULL: rows have none */
  size_t ledger_channel; /* SIZE_MAX: none */
  unsigned char *block;  /* scratch of checkpoints */
  run_clock clock;
  run_dump dump;
  size_t residual_channel, contact_channel; /* of frames, for what is known so far; SIZE_MAX: none */
  unsigned char *before;                    /* scratch: the state before an arc in which `until` may end the run */
  double root;                              /* where it does, while that is looked for */
  run_path *path;                           /* choices at forks; NULL: forks are not followed */
  double begin, wall_seconds;
  thud_verdict verdict;
  const char *verdict_name; /* a word of the library, or that of the kind */
  char reason[RUN_REASON];
  thud_code code; /* of the reason; "" when there is none */
};

/* ---- run_driver.c: how far it is ---- */

/* Nothing has happened yet. */
void thud_run_so_far_begin(thud_run *run);
/* A row that was handed out, after a step or (the first one) at the start; nothing when nobody wants to know. */
void thud_run_so_far_note(thud_run *run, bool step, const thud_record_cell *cells);
/* Up to date for the time t. */
void thud_run_so_far_update(const thud_run *run, double t);

/* ---- run_driver.c ---- */

thud_error thud_run_begin(thud_scene *scene, const thud_run_options *options, run_path *path, thud_run **run);
/* To the end, the record closed: what the result reports is known then. */
thud_error thud_run_to_end(thud_run *run);
const char *thud_run_verdict_name(thud_verdict verdict);
/* Header of the record; borrowed from the run. */
thud_record_header thud_run_header(const thud_run *run);

/* ---- kinds/kind_table.c: the one place below that the driver knows ---- */

extern const thud_kind *const thud_kind_table[]; /* [thud_kind_count] */
/* The keys of `simulate` and `record` that every scene may have. */
const thud_kind_keys *thud_run_common_options(void);
/* Is the key in a list that NULL ends? */
bool thud_run_is_listed(const char *key, const char *const *list);
extern const size_t thud_kind_count;

/* ---- run_resume.c ---- */

/* The state of a built motion with what its kind keeps beside it, as one block. */
size_t thud_run_state_size(const thud_scene *scene);
void thud_run_save_state(const thud_scene *scene, void *state);
thud_error thud_run_restore_state(thud_scene *scene, const void *state, size_t size);

/* ---- run_scenes.c ---- */

/* The library's kind of a scene, and its kind with a name of records; NULL: none of the table. */
const thud_kind *thud_run_kind_of(const thud_node *root);
const thud_kind *thud_run_kind_named(const char *name);

/* thud_scene_build with functions in the place of formulas: `build` of the kind finds them in the scene. */
thud_error thud_run_build_program(thud_context *context, const thud_tree *tree, const scene_program *program,
                                  thud_scene **scene);
/* The state at the start is kept, so that a scene can be run again. */
thud_error thud_run_keep_start(thud_scene *scene);
/* The size of a motion's state is that of the start, or an error. */
thud_error thud_run_check_state_size(const thud_scene *scene);
/* Before a function of a kind is called: a message that is there afterwards is its own. */
void thud_run_forget_message(thud_context *context);
/* Returns the function's error; an error without a message gets one: "kind 'x': advance failed". */
thud_error thud_run_explain(thud_context *context, const thud_kind *kind, const char *function, thud_error error);
/* Puts the scene's motion back to its start. */
thud_error thud_run_rewind(thud_scene *scene);
/* Refuses scenes that were made for pictures (thud_film_build_scene). */
thud_error thud_run_need_motion(const thud_scene *scene);

/* ---- run_resume.c ---- */

/* The whole run as one block: motion, counters, largest values, samples. What does not fit the run, or cannot be a state of
 * it, is refused (THUD_ERROR_FORMAT); the run can only be destroyed then. */
size_t thud_run_block_size(const thud_run *run);
void thud_run_save_block(const thud_run *run, unsigned char *block);
thud_error thud_run_take_block(thud_run *run, const unsigned char *block, size_t size);
/* From now on processor time is counted. */
void thud_run_clock_start(run_clock *timer);
/* Stores a checkpoint when one is due at time t. */
thud_error thud_run_checkpoint(thud_run *run, double t);
/* Continues the record: motion, samples, counters and events are those of its newest checkpoint. */
thud_error thud_run_resume(thud_run *run);

/* ---- run_report.c ---- */

/* Figures, lines and warnings of the motion; either target may be NULL. To be released. */
void thud_run_report(const thud_run *run, bool for_record, thud_json *json, thud_text *lines, thud_report *report);
/* The result as a JSON object. */
void thud_run_json(const thud_run *run, bool with_wall_clock, thud_json *json, thud_error *error);
thud_error thud_run_write_json(const thud_run *run, bool with_wall_clock, char **json);
thud_error thud_run_write_report(const thud_run *run, char **report);
/* The finished text, or its error and nothing. */
thud_error thud_run_hand_out(thud_text *text, char **out);
/* Adds the reason and hands the result over, or frees what is in `made` on an error. */
thud_error thud_run_hand_over(thud_context *context, thud_error error, const char *reason, thud_run_result *made,
                              thud_run_result *result);

/* ---- run_branch.c ---- */

/* The motion is at a fork: chooses, and notes what. */
thud_error thud_run_path_choose(run_path *path, const thud_kind *kind, void *motion, double t);
/* "path": [{t, text, outcome (from 1 on), of}] */
void thud_run_path_json(const run_path *path, thud_json *json);
/* At most options->branches motions. */
thud_error thud_run_branches(thud_scene *scene, const thud_run_options *options, thud_run_result *result);

#endif
