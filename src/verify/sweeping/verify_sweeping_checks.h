/* The single checks of a recorded motion. Each fills one check; errors are memory only. */
#ifndef THUD_SRC_VERIFY_SWEEPING_VERIFY_SWEEPING_CHECKS_H
#define THUD_SRC_VERIFY_SWEEPING_VERIFY_SWEEPING_CHECKS_H

#include "verify/sweeping/verify_sweeping_motion.h"

/* sweep_record.c: all of them for one record. tree is NULL when the scene could not be read: error and the context's
 * message say why. */
thud_error thud_verify_sweeping_record(thud_context *context, thud_record_reader *reader, const thud_tree *tree,
                                       thud_error error, const thud_verify_options *options,
                                       thud_verify_result *result);

/* structure.c: times, sides and numbers of frames that are in memory. finished: the record says "good". */
void thud_verify_check_frames(const verify_motion *motion, bool finished, thud_verify_check *check);
void thud_verify_check_initial(verify_motion *motion, thud_verify_check *check);
void thud_verify_check_jumps(const verify_motion *motion, thud_verify_check *check);

/* sweeping.c */
thud_error thud_verify_check_catching_up(verify_motion *motion, thud_verify_check *membership, thud_verify_check *law,
                                         thud_verify_check *residual);
thud_error thud_verify_check_regularised(verify_motion *motion, thud_verify_check *membership, thud_verify_check *law,
                                         thud_verify_check *step);

/* sweep_events.c */
thud_error thud_verify_check_sweep_events(const verify_motion *motion, thud_record_reader *reader,
                                          thud_verify_check *check);

/* measures.c */
void thud_verify_check_reaction(verify_motion *motion, thud_verify_check *check);
void thud_verify_check_variation(verify_motion *motion, thud_verify_check *check);
/* sweep_summary.c */
/* refinement: the class follows from the levels. */
thud_error thud_verify_check_summary(verify_motion *motion, thud_record_reader *reader, thud_verify_check *check,
                                     thud_verify_check *refinement);

#endif
