/* thud/run.h: from a scene tree to a model, and from the model to a run with its record and its verdict. */
#ifndef THUD_RUN_H
#define THUD_RUN_H

#include "thud/line_motion.h"
#include "thud/motion.h"
#include "thud/record.h"
#include "thud/scene.h"
#include "thud/sim.h"

#ifdef __cplusplus
extern "C" {
#endif

/* A scene whose meaning has been checked and whose model has been built; it keeps what it needs of the tree. Of a
 * system also the start has been checked: the initial state keeps the constraints, those that act there are not
 * positively dependent, the method takes the system. */
typedef struct thud_scene thud_scene;

THUD_API thud_error thud_scene_build(thud_context *context, const thud_tree *tree, thud_scene **scene);
THUD_API void thud_scene_destroy(thud_scene *scene);

/* What `thud check` tells; borrowed from the scene. */
typedef struct thud_scene_info {
  const char *title;  /* "" when the scene has none */
  const char *kind;   /* "sweeping", "system" or "particles_on_line" */
  const char *method; /* "catching-up", "moreau-jean", ... */
  thud_index dimension;
  const char *const *coordinates; /* [dimension] */
  const char *set_kind;           /* "ball", "product", ... */
  thud_exactness projection;      /* exact or iterative, in this scene's metric */
  bool moves;                     /* the set depends on time */
  double start, end;
  thud_index steps;
  size_t jump_count;
  const double *jumps;     /* [jump_count] times at which the data may jump, within [start, end] */
  double initial_distance; /* of the initial state to C(start), in the metric */
  bool starts_outside;     /* that distance is more than the run's tolerance */
  int series_order;        /* "system", event-driven: of the power series; otherwise 0 */
  /* "system" only (set_kind NULL then) */
  const thud_system *system;      /* NULL: sweeping */
  const thud_line *line;          /* "particles_on_line" only, NULL otherwise */
  const double *initial_position; /* [dimension] */
  const double *initial_velocity; /* [dimension] */
} thud_scene_info;

THUD_API thud_scene_info thud_scene_get_info(const thud_scene *scene);

/* Called now and then with the time reached; non-zero asks the run to stop in good order. */
typedef int (*thud_run_progress_fn)(void *user, double t, double start, double end);

typedef struct thud_run_options {
  size_t size;
  const char *record;         /* file of the record; NULL: no record */
  bool overwrite;             /* replace an existing record */
  bool resume;                /* continue `record` at its newest checkpoint */
  size_t sample_count;        /* --at */
  const double *sample_times; /* [sample_count] within [start, end], any order */
  size_t branches;            /* --branch: at most this many motions along the outcomes of forks, each from the start;
                                 records beside the first are called ball.branch-2.h5 ... 0: one motion */
  size_t max_outcomes;        /* --max-outcomes: of one fork, 2 to 10000; 0: that of the scene */
  size_t max_events;          /* events kept in the result; all are counted and recorded */
  thud_run_progress_fn progress; /* NULL: none */
  void *progress_user;
} thud_run_options;

THUD_API thud_run_options thud_run_options_default(void);

typedef enum thud_verdict {
  THUD_VERDICT_GOOD = 0,
  THUD_VERDICT_FAILED = 1, /* ran, but the result does not meet its tolerance or the data broke down */
  THUD_VERDICT_STOPPED = 2 /* interrupted; what was computed is valid */
} thud_verdict;

/* Everything a run found out, as JSON (keys as in docs/command-line.md) and as text for people. */
typedef struct thud_run_result {
  thud_verdict verdict;
  char *reason; /* one line, "" when good */
  char *json;   /* one object */
  char *report; /* several lines */
} thud_run_result;

/* Runs the scene. A failure to start (record not writable, sample times outside the run) is an error and leaves no
 * file behind; once started, whatever happens is the verdict, and the record is closed with it. */
THUD_API thud_error thud_scene_run(thud_scene *scene, const thud_run_options *options, thud_run_result *result);
THUD_API void thud_run_result_free(thud_context *context, thud_run_result *result);

#ifdef __cplusplus
}
#endif
#endif
