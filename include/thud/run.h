/* thud/run.h: a built scene run with its record and its verdict. */
#ifndef THUD_RUN_H
#define THUD_RUN_H

#include "thud/kind.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A system that a C program has made, its start and how it is to move. */
typedef struct thud_system_scene {
  const thud_system *system;             /* borrowed: outlives the scene */
  const double *q0, *v0;                 /* [n] */
  const char *title;                     /* NULL: none */
  const char *const *units;              /* [n] of the coordinates; NULL: none */
  const char *time_unit;                 /* NULL: "s" */
  const thud_stepping_options *stepping; /* time stepping, or */
  const thud_event_options *event;       /* from event to event: one of the two */
  double record_every;                   /* length of time between recorded frames; 0: every step */
  double checkpoint_every;               /* length of time between checkpoints; 0: none */
} thud_system_scene;

/* A scene of the system, to be run like every other; everything but the system is copied. Its records describe the
 * system without its functions, hold the numbers that these gave for every velocity problem, and are verified by these
 * (docs/verification.md). Such a record is resumed by the program that has the functions. */
THUD_API thud_error thud_scene_create_system(thud_context *context, const thud_system_scene *def, thud_scene **scene);

/* A scene of the kind `system`, read like every other, in which functions give some of the numbers in the place of formulas:
 * the scene has any formula there (a mass of 1, a gap of 1, forces of 0). It is recorded and verified like those of
 * thud_scene_create_system; a section `draw` is not part of its records. */
THUD_API thud_error thud_scene_build_functions(thud_context *context, const thud_tree *tree, size_t count,
                                               const thud_system_replacement *replacements, thud_scene **scene);

/* Functions that move a rigid body whose `force` or `path` is {functions: true} in the scene. */
typedef struct thud_body_functions {
  const char *name;         /* of the body */
  thud_body_force_fn force; /* with its torque; NULL: the body has none, or has it in the scene */
  thud_body_slope_fn slope; /* of force; NULL: the step takes it as it is before it (docs/bodies.md) */
  thud_body_path_fn path;   /* of a body that follows a path; NULL: it does not, or its path is in the scene */
  void *user;
  THUD_RESERVED(2);
} thud_body_functions;

/* Like thud_scene_build, of a scene of rigid bodies some of which move by functions of the program; what `functions` points at is
 * copied, names need not outlive the call. Records hold what the functions gave in each whole step, and are verified by that
 * (docs/verification.md). Such a record is resumed by the program that has the functions. Functions are called in the order of
 * the bodies, by the thread that runs the scene, more than once for the same time. */
THUD_API thud_error thud_scene_build_bodies(thud_context *context, const thud_tree *tree, size_t count,
                                            const thud_body_functions *functions, thud_scene **scene);

/* Called now and then with the time reached; non-zero asks the run to stop in good order. */
typedef int (*thud_run_progress_fn)(void *user, double t, double start, double end);

/* How far a run is. */
typedef struct thud_run_so_far {
  double t, start, end;
  size_t steps, events; /* steps or arcs done, events met; of this run, not of the one that it resumes */
  double contacts;      /* that act, as far as the kind says; NaN: it does not */
  double residual;      /* worst so far; NaN: rows have none */
  THUD_RESERVED(4);
} thud_run_so_far;

typedef struct thud_run_options {
  size_t size;
  const char *record;  /* file of the record; NULL: no record. With overwrite also /proc/self/fd/N of a file without
                                 a name that the caller has open (memfd_create): a record in memory */
  bool overwrite;      /* replace an existing record */
  bool resume;         /* continue `record` at its newest checkpoint */
  size_t sample_count; /* --at */
  const double *sample_times; /* [sample_count] within [start, end], any order */
  size_t branches;            /* --branch: at most this many motions along the outcomes of forks, each from the start;
                                 records beside the first are called ball.branch-2.h5 ... 0: one motion */
  size_t max_outcomes;        /* --max-outcomes: of one fork, 2 to 10000; 0: that of the scene */
  size_t max_events;          /* events kept in the result; all are counted and recorded */
  thud_run_progress_fn progress; /* NULL: none */
  void *progress_user;
  const char *dump_directory; /* --dump-problems: contact problems of steps go there, as FCLIB files step-NUMBER.hdf5;
                                 NULL: none do */
  const char *dump_if; /* --dump-if: an expression of residual, contacts, iterations, t and penetration; NULL: all */
  thud_run_so_far *so_far; /* up to date whenever progress is called; NULL: not wanted */
} thud_run_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_run_option_table(void);
THUD_OPTIONS_DEFAULT(thud_run_options, thud_run_option_table)

typedef enum thud_verdict {
  THUD_VERDICT_GOOD = 0,
  THUD_VERDICT_FAILED = 1, /* ran, but the result does not meet its tolerance or the data broke down */
  THUD_VERDICT_STOPPED = 2 /* interrupted; what was computed is valid */
} thud_verdict;

/* Everything a run found out, as JSON (keys as in docs/command-line.md) and as text for people. */
typedef struct thud_run_result {
  thud_verdict verdict;
  char *reason;     /* one line, "" when good */
  char *json;       /* one object */
  char *report;     /* several lines */
  const char *code; /* of the reason (thud_explain), static; NULL: it has none */
  THUD_RESERVED(3);
} thud_run_result;

/* Runs the scene. A failure to start (record not writable, sample times outside the run) is an error and leaves no
 * file behind; once started, whatever happens is the verdict, and the record is closed with it. */
THUD_API thud_error thud_scene_run(thud_scene *scene, const thud_run_options *options, thud_run_result *result);
/* The same one step (or arc) at a time, for whoever wants to look in between: thud_scene_run is the loop over it.
 * *going is false when nothing is left to do; finishing before that ends the run with the verdict "stopped". A scene
 * has one run at a time. */
typedef struct thud_run thud_run;
THUD_API thud_error thud_run_create(thud_scene *scene, const thud_run_options *options, thud_run **run);
/* going may be NULL. */
THUD_API thud_error thud_run_step(thud_run *run, bool *going);
/* The motion of a scene of rigid bodies, to be changed between two steps (thud/body_motion.h): changes go into the record,
 * and `thud verify` knows them. Both are borrowed from the run; bodies may be NULL. The first step, which records the start,
 * comes before. Bodies that are to be added have `absent: true` in the scene. */
THUD_API thud_error thud_run_body_motion(thud_run *run, thud_bodies **bodies, thud_motion **motion);
THUD_API thud_error thud_run_finish(thud_run *run, thud_run_result *result);
/* The record of a run that was not finished stays "unfinished". NULL is allowed. */
THUD_API void thud_run_destroy(thud_run *run);
THUD_API void thud_run_result_free(thud_context *context, thud_run_result *result);

/* The fields of a record on the mesh of its kind of motion, as VTK files: a series for a path that ends in .pvd, one state
 * (the last one) for .vtu. times: which; NULL, or one without times: all of the record. Names of `times` choose channels,
 * none: all that have numbers at points or cells. Where the motion jumps the right limit is written.
 * Rigid bodies have two parts per time, their surfaces and their contacts, of the row nearest to each time, and no
 * choice of channels; beside NAME.vtu is NAME-contacts.vtu.
 * THUD_ERROR_ARGUMENT: motions of this kind have neither a mesh nor bodies. */
THUD_API thud_error thud_run_export_vtk(thud_context *context, thud_record_reader *reader,
                                        const thud_record_times *times, const char *path, bool overwrite);
/* The same with the scene of the record, built: of kinds that the library does not know (thud/kind.h). */
THUD_API thud_error thud_scene_export_vtk(const thud_scene *scene, thud_record_reader *reader,
                                          const thud_record_times *times, const char *path, bool overwrite);

#ifdef __cplusplus
}
#endif
#endif
