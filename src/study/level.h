/* One run of a scene with 2^level equal steps, kept as a path. */
#ifndef THUD_SRC_STUDY_LEVEL_H
#define THUD_SRC_STUDY_LEVEL_H

#include "kinds/system/system_scene.h"
#include "study/path.h"
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

/* At least three levels, and a scene of a system or of quasi-static friction. */
thud_error thud_study_check(thud_context *context, const thud_study_options *options, const thud_scene *scene);
/* A run that ended early has its status in info; THUD_ERROR_INTERRUPTED when the progress asked for it. */
thud_error thud_study_run_level(thud_context *context, study_level *level, thud_stepping_motion_info *info);
/* Part of all steps of a study that is done when the run of a level has done the part `inside` of its own. */
double thud_study_share_done(const thud_study_options *options, int level, double inside);
/* Flags a run that ended early at that time. */
void thud_study_flag_run(thud_context *context, double time, int level, unsigned *flags, char *message,
                         size_t capacity);

#endif
