/* The percussions of a `system` scene, read by the checker's own code. */
#ifndef THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_LOADS_H
#define THUD_SRC_VERIFY_SYSTEM_VERIFY_SYSTEM_LOADS_H

#include "verify/system/verify_system.h"

/* Reads `percussions` once the coordinates are names of the scope. */
thud_error thud_verify_read_loads(verify_system *system, const thud_node *list);
void thud_verify_free_loads(verify_system *system);
/* Number of loads before t; `with` counts those at t, too. */
size_t thud_verify_loads_before(const verify_system *system, double t, bool with);
/* Sum of loads first..end-1: impulse [n], and by how much thresholds (friction [laws]) of laws by themselves are more
 * than their densities give, extra [laws]. */
void thud_verify_loads_sum(const verify_system *system, size_t first, size_t end, const double *friction,
                           double *impulse, double *extra);

#endif
