/* What the contacts of a stepped motion do in a step. */
#ifndef THUD_SRC_KINDS_SYSTEM_SYSTEM_CONTACT_STATE_H
#define THUD_SRC_KINDS_SYSTEM_SYSTEM_CONTACT_STATE_H

#include "study/study_path.h"

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

#endif
