/* How Lagrangian systems are studied: runs of a scene with 2^level equal steps, kept as paths. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_STUDY_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_STUDY_H

#include "kinds/system/system_scene.h"
#include "study/study_path.h"
#include "thud/study.h"

/* Called for every node before the path takes it; it may change what the frame points to. */
typedef thud_error (*study_frame_fn)(void *user, study_path *path, thud_stepping_frame *frame);

typedef struct study_level {
  const scene_system *made;
  thud_stepping_options motion; /* method and times; steps and tolerance are set by the run */
  const thud_study_options *options;
  int level;
  study_path *path; /* created, with room for 2^level + 1 nodes */
  study_frame_fn on_frame;
  void *user;
  thud_error error; /* of on_frame */
} study_level;

/* A run that ended early has its status in info; THUD_ERROR_INTERRUPTED when the progress asked for it. */
thud_error thud_study_run_level(thud_context *context, study_level *level, thud_stepping_motion_info *info);
/* Comparison with the event-driven motion (system_against.c). */
thud_error thud_system_study_against(thud_scene *scene, const thud_against_options *options, thud_against *result,
                                     const char **remark);

/* ---- states of contacts in a step ---------------------------------------------------------- */

typedef struct study_judge {
  thud_context *context;
  const thud_system *system;
  thud_index lone_law;              /* the friction law without constraint that is looked at; -1: none */
  thud_system_values *now, *before; /* at this node and the one before; NULL: there is no friction */
  double *slip_size;                /* [laws] largest terms of the slip velocity so far, m/s */
} study_judge;

/* To be freed also on failure. */
thud_error thud_study_judge_create(thud_context *context, const thud_system *system, thud_index lone_law,
                                   study_judge *judge);
void thud_study_judge_free(study_judge *judge);
/* Fills the states [m+1] of the node that the frame is about to add to the path; nodes one after the other. */
thud_error thud_study_judge_states(study_judge *judge, const study_path *path, const thud_stepping_frame *frame,
                                   unsigned char *states);

/* ---- the event-driven motion as reference --------------------------------------------------------------- */

/* The event-driven motion of a scene kept whole: arcs as polynomials, events as a list. */

/* Events of one constraint closer together than this many steps are not distinguished. */
enum { STUDY_RESOLVED_STEPS = 4 };

typedef struct study_event {
  thud_event_kind kind;
  double t;
  double *v_before, *v_after; /* [n] */
  double *impulse;            /* [m+s]; of a Zeno limit that of the whole accumulation */
  bool *involved;             /* [m+1] constraints, and the lone law */
  bool *struck;               /* [m] one-sided constraints with an impulse */
  int *mode_before, *mode_after;
  double begin; /* of an accumulation */
  double
      flight; /* steps that a flight must have so that time stepping distinguishes it from chatter, see STUDY_RESOLVED_STEPS */
  int *turn;       /* [s] signs of the friction on the arc that follows */
  const char *law; /* of the system: the first friction law by itself that sticks or slips here, NULL: none */
} study_event;

typedef struct study_reference {
  thud_arena *arena; /* of what the arcs and events point to */
  const thud_system *system;
  thud_index lone_law; /* the only friction law that belongs to no constraint; -1: there is none, or several */
  size_t n, m, s;
  double start, end; /* covered; the end is earlier than asked for when the run ended early */
  thud_event_arc *arcs;
  size_t arc_count, arc_capacity;
  study_event *events;
  size_t event_count, event_capacity;
  double *impulse; /* [m+s] total over the run, forces included (N s) */
  double *q_end;   /* [n] */
  thud_event_motion_info info;
  char message[512]; /* why it ended early; "" when it did not */
  thud_context *context;
  const thud_study_options *options; /* progress */
  thud_error error;                  /* of the sink */
} study_reference;

/* Runs the scene's event-driven motion. A run that ends early is kept up to there. To be freed also on failure. */
thud_error thud_study_reference_create(thud_context *context, const scene_system *made,
                                       const thud_study_options *options, study_reference *reference);
void thud_study_reference_free(study_reference *reference);

/* The reference at the nodes of the path, between them and at its events, as a path. */
thud_error thud_study_reference_sample(const study_reference *reference, const study_path *path, study_path *samples);

/* Errors of a path beside the samples that were made for it; q is linear between its nodes, v linear from a right limit
 * to the next left limit (v_left: the velocity that arrives). */
double thud_study_position_error(const study_path *path, const study_path *samples);
double thud_study_velocity_error(const study_path *path, const study_path *samples);

/* ---- events matched with those of a stepped motion ---------------------------- */

typedef struct study_strays {
  size_t count, capacity;
  thud_against_stray *items;
} study_strays;

typedef struct study_matching {
  const study_reference *reference;
  const study_path *path; /* with contacts and their states */
  int level;
  double step;
  thud_against_match *matches; /* [events of the reference] */
  study_strays *strays;
} study_matching;

/* Which events of the reference are compared: grazes and switches leave no mark in a stepped motion, and of several
 * friction laws without constraint it is not known which one an event belongs to. */
bool thud_study_is_compared(const study_reference *reference, const study_event *event);

thud_error thud_study_match(thud_context *context, const study_matching *matching);

#endif
