/* Checkpoints of kinds whose motions are not thud_motion objects yet. */
#ifndef THUD_SRC_RUN_KIND_STATE_H
#define THUD_SRC_RUN_KIND_STATE_H

#include "thud/kind.h"

/* A state is one block: that of the motion itself, findings of the kind (a struct without pointers), what the rows
 * remember. */
typedef struct kind_state {
  thud_context *context;
  size_t motion_size, found_size;
  thud_rows *rows;
} kind_state;

size_t thud_kind_state_size(kind_state parts);
/* The block is of this size, or an error. */
thud_error thud_kind_state_check(kind_state parts, size_t size);
/* What comes behind the motion's own part, which the kind saves and restores itself. */
void thud_kind_state_save(kind_state parts, const void *found, void *state);
void thud_kind_state_restore(kind_state parts, const void *state, void *found);

#endif
