/* Momentum of sweeps over bodies: the state after the last sweep, in the order in which the sweep keeps it. A
 * state is the impulses and the motions z that follow from them; z is linear in the impulses, so that a combination of
 * states is one again, and no product is needed after it. */
#include "solve/sweep_two_block.h"

#include <string.h>

enum { STRIDE = THUD_SWEEP_STRIDE, GROUP = 3 * THUD_LANES };

static size_t size_of_impulses(const thud_two_block_sweep *sweep) {
  return sweep->in_lanes ? sweep->lanes.groups * GROUP : sweep->contacts * sweep->d;
}

thud_error thud_sweep_past_reserve(thud_two_block_sweep *sweep) {
  size_t size = size_of_impulses(sweep) + sweep->bodies * STRIDE;
  return thud_array_reserve(sweep->context, &sweep->past, &sweep->past_capacity, size, sizeof *sweep->past);
}

/* x := x + beta (x - before), and x takes the place of `before`, which is not read when beta is 0. */
static void extrapolate(size_t n, double beta, double *restrict before, double *restrict x) {
  if (beta == 0) {
    memcpy(before, x, n * sizeof *x);
    return;
  }
  for (size_t i = 0; i < n; i++) {
    double now = x[i];
    x[i] = now + beta * (now - before[i]);
    before[i] = now;
  }
}

void thud_two_block_sweep_extrapolate(thud_two_block_sweep *sweep, double beta) {
  double *past = sweep->past;
  size_t impulses = size_of_impulses(sweep);
  if (sweep->in_lanes)
    for (size_t at = 0; at < sweep->lanes.groups; at++)
      extrapolate(GROUP, beta, past + at * GROUP, thud_lanes_group(&sweep->lanes, at)->r[0]);
  else
    extrapolate(impulses, beta, past, sweep->visits.r);
  extrapolate(sweep->bodies * STRIDE, beta, past + impulses, sweep->z);
}
