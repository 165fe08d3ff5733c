/* Where studies of scenes with `until` end. */
#ifndef THUD_SRC_STUDY_STUDY_UNTIL_H
#define THUD_SRC_STUDY_STUDY_UNTIL_H

#include "study/study_outcome.h"

/* A scene with `until` is run once, as it is; where the condition has held, that time becomes its simulate.end. Others stay as they
 * are. */
thud_error thud_study_set_end(thud_context *context, thud_tree *tree, thud_run_progress_fn progress, void *user);

#endif
