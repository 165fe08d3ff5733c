/* thud/kind.h: kinds of motion. Layer: run.
 *
 * A kind is one const table: how a motion is built from a scene, how it goes on, which channels its rows have, how its
 * state is saved and restored, and what it says of itself in the end. One driver (thud/run.h) does everything else for
 * all of them: recording, samples, checkpoints, progress, interruption, verdict, text and JSON report. The kinds of the
 * library are the rows of the table in src/kinds/kind_table.c; thud_scene_build_kinds takes further ones from elsewhere
 * (docs/kinds.md builds one). */
#ifndef THUD_KIND_H
#define THUD_KIND_H

#include "thud/bodies.h"
#include "thud/contact.h"
#include "thud/drawing.h"
#include "thud/moment.h"
#include "thud/motion.h"
#include "thud/rows.h"
#include "thud/scene.h"
#include "thud/vtk.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- what a kind says of itself -------------------------------------------------------------------------------------
 */

/* Collects figures for the JSON result and lines for the report. */
typedef struct thud_report thud_report;

/* Text behind the method's name in the report: "400 steps". */
THUD_API void thud_report_method(thud_report *report, const char *format, ...) THUD_PRINTF(2, 3);
/* Figures of the JSON result. A key that the result or another figure has already is an error of the run. */
THUD_API void thud_report_integer(thud_report *report, const char *key, int64_t value);
THUD_API void thud_report_number(thud_report *report, const char *key, double value);      /* NaN: null */
THUD_API void thud_report_string(thud_report *report, const char *key, const char *value); /* NULL: null */
THUD_API void thud_report_flag(thud_report *report, const char *key, bool value);
/* A list of objects with the same keys: values[count*keys]. */
THUD_API void thud_report_list(thud_report *report, const char *key, size_t keys, const char *const *names,
                               size_t count, const double *values);
/* A line of the report: "  residual    1e-12 (worst, at t = 3)". */
THUD_API void thud_report_line(thud_report *report, const char *label, const char *format, ...) THUD_PRINTF(3, 4);
/* Lines of the first `most` events of a run, and how many more there are. */
THUD_API void thud_report_events(thud_report *report, size_t most);
/* The events of a run that were kept (the first ones), as cells of the layout's channels. */
THUD_API size_t thud_report_kept_count(const thud_report *report);
THUD_API const thud_record_cell *thud_report_kept_event(const thud_report *report, size_t k);
/* A warning: in the report, in the JSON result and, of a run, in the record. t may be NaN. */
THUD_API void thud_report_warning(thud_report *report, double t, const char *code, const char *format, ...)
    THUD_PRINTF(4, 5);

/* ---- how a motion goes on -------------------------------------------------------------------------------------------
 */

/* Asked now and then by work that takes long after the end; non-zero: stop. */
typedef struct thud_run_watch {
  int (*ask)(void *user);
  void *user;
} thud_run_watch;

/* One way on at a fork. */
typedef struct thud_outcome {
  char text[160];
  bool by_order; /* of a multiple impact whose outcome 0 is that of the law */
} thud_outcome;

/* The contact problem of a step and what a condition may ask of it; borrowed until the next step. */
typedef struct thud_kind_problem {
  const thud_contact_problem *problem; /* NULL: the step had no contacts */
  const double *r;                     /* its answer */
  size_t step;                         /* number of the step, from 1 */
  double t, residual, contacts, iterations, penetration;
} thud_kind_problem;

/* The first member of what `build` makes. The driver writes and restores checkpoints of it: the motion's own state, the
 * findings of the kind, what the rows remember. Their sizes must not change after `build`: what grows needs room for its
 * largest. */
typedef struct thud_kind_object {
  thud_motion *motion;
  thud_rows *rows; /* NULL: rows are made without memory */
  void *found;     /* [found_size] findings that reports are made of, without pointers; NULL: none */
  size_t found_size;
} thud_kind_object;

/* Keys that a kind reads, as rows of a table of options: the one place where they stand. The schema, the pages and the
 * manual list these (tools/generate-options). Other keys of `simulate`, of maps in it and of `record` are refused; at other
 * places `build` does that, as it knows the keys that are no options. */
typedef struct thud_kind_keys {
  const char
      *place; /* "simulate", "record", "simulate.solver", or any: "system.constraints[].friction" (of each entry of
                        a list), "materials.*" (of each value of a map) */
  const thud_option_table *(*table)(void); /* a default may be NAN: there is none */
  const char *const *without;  /* keys of the table that scenes do not have, NULL at their end; NULL: none */
  const char *const *nullable; /* keys that may be null, which is their default; NULL: none */
  const char *methods;         /* which methods use them: "event-driven"; NULL: all */
  const char *help;            /* of a map: what it is for; NULL: another entry of the map says that */
} thud_kind_keys;

/* Where the rows of a kind say who touches whom, by the names of their channels: for first contacts and forces of contacts of
 * `observe` (docs/observe.md). */
typedef struct thud_kind_contacts {
  size_t names;       /* that say which contact: 2 bodies, 1 constraint */
  const char *events; /* of events: who takes part; its labels are the names */
  uint64_t kinds;     /* bit k: an event of kind k is a contact */
  const char *acting; /* of frames: not 0 where a constraint is closed; NULL: there is none */
  const char *first, *second,
      *impulse; /* of frames: the bodies of every contact and the impulse on the first; NULL: none */
  bool (*complete)(const void *motion); /* every row has them */
} thud_kind_contacts;

typedef struct thud_kind {
  const char *name;    /* in records, "stepping"; of no other kind, at most 63 bytes */
  const char *section; /* key of the scene: "system"; none of the keys that every scene has (simulate, record, ...) */
  /* True if this kind takes the scene; NULL: every scene with the section. Several kinds may share a section, also one
   * of the library's; the caller's kinds take precedence. */
  bool (*takes)(const thud_node *root);
  bool data_as_expressions; /* `data` of the scene with derivatives and power series, not as functions with sides */
  /* [differentiated_count] Expressions that are differentiated in time, by the list of the section and the key of its
   * entries, "constraints.gap": data that they use are expressions, even when data_as_expressions is false. */
  const char *const *differentiated;
  size_t differentiated_count;
  bool own_units; /* `units` are not those of coordinates and of time: `resolve` fills in their defaults */
  /* Puts the contents of the files that a scene names into its tree, so that a record holds them; NULL: there are none. */
  thud_error (*take_files)(thud_tree *tree);
  /* Fills defaults of the section into the tree; NULL: nothing to fill in. */
  thud_error (*resolve)(thud_tree *tree);
  /* From the scene, whose common parts have been read, to a motion at its start. What cannot start is an
   * error with its place. */
  thud_error (*build)(thud_scene *scene, const thud_node *root, void **motion);
  void (*destroy)(void *motion); /* NULL is never given */
  const char *(*method)(const void *motion);
  /* The channels of frames and events; borrowed from the motion. The first channel of both is the time, the second of
   * the events their kind (a number with labels, or a text); a part of the state has a fixed width or is a series; the
   * role "ledger" goes with a fixed width and named components, "end" and "accumulation" with the width 1. Layouts are
   * checked before the first row, and every row against them, whether there is a record or not. */
  const thud_record_layout *(*layout)(const void *motion);
  /* The first call hands out the frame of the start, each further one makes a step or an arc and hands out what
   * happened, events before the frame that shows them. */
  thud_error (*advance)(void *motion, const thud_row_sink *sink, thud_reached *reached);
  /* The state of the motion, as the last row: with THUD_ROW_AGAIN when it was handed out already. */
  thud_error (*finish)(void *motion, const thud_row_sink *sink);
  /* Figures, lines and warnings of the motion so far. */
  void (*report)(const void *motion, thud_report *report);
  /* Findings of `thud check` about a motion at its start; NULL: only those of every scene. */
  thud_error (*check)(const void *motion, thud_report *report);
  /* After an ARRIVED motion: work that belongs to the result (error estimates); NULL: none. *stopped: watch said so. */
  thud_error (*conclude)(void *motion, const thud_run_watch *watch, bool *stopped);
  /* Forks, all NULL when there are none: stop at them or not, with at most so many outcomes each (in: 0 for the scene's
   * number; out: what holds); count, describe, choose after THUD_MOTION_FORKED. */
  thud_error (*follow_forks)(void *motion, bool follow, size_t *most_outcomes);
  size_t (*outcome_count)(const void *motion);
  thud_error (*outcome)(const void *motion, size_t k, thud_outcome *outcome);
  thud_error (*choose)(void *motion, size_t k);
  /* Where fields live, borrowed from the motion: channels of frames with one to three numbers per point, or per cell, are
   * exported on it (thud_run_export_vtk). NULL: the kind has no mesh. */
  thud_error (*mesh)(const void *motion, thud_vtk_mesh *mesh);
  /* Writes the VTK files of a record itself (thud_run_export_vtk); NULL: fields on the mesh. */
  thud_error (*export_vtk)(const thud_scene *scene, thud_record_reader *reader, const thud_record_times *times,
                           const char *path, bool overwrite);
  const char *const *keys; /* [key_count] further keys of its scenes beside the section */
  size_t key_count;
  /* Its keys of `simulate` and `record` beside those of every scene (start, end, step, steps; every, every_step,
   * checkpoint_every), ended by an entry without a place. NULL: `build` checks the keys of `simulate` itself. */
  const thud_kind_keys *options;
  /* Adds values that the build has chosen to the resolved scene that records hold (thud_tree_set); NULL: none. */
  thud_error (*describe)(const void *motion, thud_tree *resolved);
  /* The contact problem of the last step, for `thud run --dump-problems`; NULL: the kind has none. */
  thud_error (*problem)(const void *motion, thud_kind_problem *problem);
  /* The bodies that the motion moves, borrowed from it, for thud_run_export_vtk and thud_plot_snapshot: planar, gravity,
   * names, roles, parts, shapes and springs are read. Frames then have the channels position, rotation (in the plane:
   * angle), velocity and spin of all of them, and those of contacts if they are to be shown (docs/bodies.md). NULL: the
   * kind has none. */
  thud_error (*bodies)(const void *motion, thud_bodies_view *view);
  /* Draws the motion at a moment of its record, for pages and pictures: the same panels and marks at every
   * moment (thud/drawing.h). The motion is at its start, or was made by `build_view`, and is not changed. NULL: only what
   * the scene's `draw` says. */
  thud_error (*draw)(const void *motion, thud_moment *moment, thud_drawing *drawing);
  /* After `conclude`: what the conclusions make of an ARRIVED motion. It may set the verdict, or FAILED with a few words
   * and a message in the context. NULL: they change nothing. */
  void (*judge)(const void *motion, thud_reached *reached);
  /* A record may go on to a later end (thud run --resume): neither steps nor tolerances depend on the length of the run. */
  bool extendable;
  /* Its drawing has a panel with the edges of a moving set (lines painted THUD_PAINT_SET), which are drawn beside curves
   * in the same plane. */
  bool draws_set;
  /* For motions along a line (roles state, transverse, pressure): the line resists bending, so that forces at single places
   * are atoms of the reaction, not kinks of the line. */
  bool bends;
  /* Refinement of the step, comparison with the event-driven motion, sections of sweeps (thud/study.h); NULL: none. */
  const struct thud_kind_study *study;
  /* True if findings from a checkpoint ([found_size] bytes, not aligned) can be those of the motion: checks every index,
   * count and flag. NULL: they are taken as they are. */
  bool (*takes_findings)(const void *motion, const void *found);
  /* Like `build`, from the resolved scene of a record and without a motion: what `draw`, `mesh`, `bodies` and `export_vtk`
   * read. These and `method` are the only entries that are called with it, then `destroy`. The library's kinds have it
   * (thud_film_build_scene); of a program's kinds pictures are made with the scene that it has built. */
  thud_error (*build_view)(thud_scene *scene, const thud_node *root, void **motion);
  const thud_kind_contacts *contacts; /* NULL: rows tell of no contacts */
  /* Key of the list whose entries may have `when`, a condition; NULL: there is none. The driver calls `fire` between two steps,
   * after the row at which the condition of entry k held first. */
  const char *changes;
  thud_error (*fire)(void *motion, size_t k);
  /* The driver ends the motion where it is, as one that has arrived (`until`): the kind may set the verdict. NULL: it has none
   * of its own. */
  thud_error (*arrive)(void *motion, thud_reached *reached);
  /* The motion ends at t, within the step that comes next, though its span is longer: for `until` of motions whose rows are
   * arcs. */
  void (*stop_at)(void *motion, double t);
  bool reads_definitions; /* it reads `definitions` itself, with its variables; otherwise they are read for it */
} thud_kind;

/* ---- scenes ---------------------------------------------------------------------------------------------------------
 */

/* Like thud_scene_build, with further kinds; their tables must outlive the scene. */
THUD_API thud_error thud_scene_build_kinds(thud_context *context, const thud_tree *tree, size_t count,
                                           const thud_kind *const *kinds, thud_scene **scene);

/* For `build` of a kind: the scene's context, times, and numbers of its nodes (constants or expressions of the
 * parameters). */
THUD_API thud_context *thud_scene_context(const thud_scene *scene);
THUD_API void thud_scene_span(const thud_scene *scene, double *start, double *end);
/* The object that `build` made. */
THUD_API void *thud_scene_motion(const thud_scene *scene);
/* The model of a scene of rigid bodies, whose motion is that of the thud_kind_object (thud/body_motion.h); both are borrowed.
 * Changes of a motion that no run records need thud_body_motion_set_changes with NULL before. THUD_ERROR_ARGUMENT: the
 * scene is of another kind. */
THUD_API thud_error thud_scene_bodies(const thud_scene *scene, thud_bodies **bodies);
/* The channels of its rows; borrowed from the scene. NULL: it was made for pictures. */
THUD_API const thud_record_layout *thud_scene_layout(const thud_scene *scene);
THUD_API thud_error thud_scene_number(thud_scene *scene, const thud_node *node, double *value);
/* `step` or `steps` of `simulate`. */
THUD_API thud_error thud_scene_steps(thud_scene *scene, const thud_node *root, thud_index *steps);

#ifdef __cplusplus
}
#endif
#endif
