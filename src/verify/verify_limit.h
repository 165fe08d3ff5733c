/* Classes of motions by refinement, of sweeping processes, strings and beams. */
#ifndef THUD_SRC_VERIFY_VERIFY_LIMIT_H
#define THUD_SRC_VERIFY_VERIFY_LIMIT_H

#include "verify/verify_notes.h"

/* The class and its growth exponent follow from the list of levels under `key`. levels: that the scene asks for, 0: none;
 * nothing: distances that are rounding. False when there is nothing to judge, and the check says why. */
bool thud_verify_limit(const thud_node *map, const char *key, double levels, double nothing, thud_verify_check *check);

#endif
