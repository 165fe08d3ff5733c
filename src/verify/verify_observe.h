/* What a scene observes, where it ends and what changes on a condition, computed again from the rows of the record. */
#ifndef THUD_SRC_VERIFY_VERIFY_OBSERVE_H
#define THUD_SRC_VERIFY_VERIFY_OBSERVE_H

#include "verify/verify_record.h"

/* Fills record->seen: the check "observed", the row at which the run was ended by `until`, the rows at which changes are due.
 * Nothing is asked of scenes without these keys. tree: the resolved scene. */
thud_error thud_verify_observe(verify_record *record, const thud_tree *tree);
void thud_verify_observe_free(verify_record *record);
/* Whether `data` of the scene switch on conditions: their times are in records alone. */
bool thud_verify_has_switches(const thud_node *root);
/* Channels of the frames that hold what was observed. */
size_t thud_verify_observed_channels(const thud_record_reader *reader);
/* Numbers of the state that was observed. */
size_t thud_verify_observed_state(const thud_record_reader *reader);

#endif
