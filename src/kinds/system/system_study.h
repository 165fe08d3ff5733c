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

#endif
