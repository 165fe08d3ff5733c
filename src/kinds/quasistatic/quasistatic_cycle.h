/* Cyclic loads: what a structure tends to from the start that was given.
 *   shakedown    no slip any more: the friction loss of a cycle vanishes
 *   limit cycle  the state repeats itself, with a loss in every cycle
 *   ratchetting  the state advances by the same amount in every cycle
 * or none of them yet, with the factor by which the change of the state shrinks from cycle to cycle. */
#ifndef THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_CYCLE_H
#define THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_CYCLE_H

#include "thud/kind.h"
#include "thud/quasistatic.h"

enum { CYCLE_KEPT = 4 }; /* states at the ends of the last cycles */

typedef struct cycle_history {
  size_t n;
  double period, start; /* period 0: the load is not cyclic */
  double *block; /* [3 + CYCLE_KEPT*(n + 1)] cycles ended, largest |U|, largest energy; states with their losses, the
                    last first */
} cycle_history;

thud_error thud_cycle_create(thud_context *context, size_t n, double period, double start, double end,
                             cycle_history *history);
void thud_cycle_free(thud_context *context, cycle_history *history);
/* Keeps frames at the ends of cycles. */
void thud_cycle_note(cycle_history *history, const thud_quasistatic_frame *frame);
/* Bytes of the block. */
size_t thud_cycle_size(const cycle_history *history);
void thud_cycle_report(const cycle_history *history, bool semidefinite, thud_report *report);

#endif
