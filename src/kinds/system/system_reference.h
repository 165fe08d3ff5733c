/* The event-driven motion of a scene kept whole: arcs as polynomials, events as a list. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_REFERENCE_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_REFERENCE_H

#include "kinds/system/system_scene.h"
#include "study/study_path.h"
#include "thud/study.h"

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

#endif
