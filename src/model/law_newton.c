/* Newton's law with one e per constraint, 0 <= u_N+ + e u_N- perp r_N >= 0, and the canonical law of Moreau, which is
 * the same with one e for all: v+ = prox(V, v-) - e prox(N, v-). */
#include "model/percussion.h"

#include <float.h>
#include <math.h>

static thud_error solve_with_factor(thud_percussion *p, double factor, thud_percussion_info *info) {
  for (thud_index i = 0; i < p->problem.rows; i++)
    p->load[i] = p->u_free[i] + factor * p->restitution[i] * p->u_minus[i];
  info->restitution_factor = factor;
  return thud_percussion_velocity_problem(p, &info->status);
}

enum { BISECTIONS = 60 };

/* The largest factor on all e that creates no energy; 0 creates none: r.u+ <= 0 then, and r.u_free = r.u+ - r'Wr. */
static thud_error reduce_restitution(thud_percussion *p, thud_percussion_info *info) {
  double low = 0, high = 1;
  for (int k = 0; k < BISECTIONS && high - low > DBL_EPSILON * high; k++) {
    double factor = (low + high) / 2;
    thud_error error = solve_with_factor(p, factor, info);
    if (error != THUD_OK) return error;
    if (thud_percussion_energy_gain(p, p->r) > 0)
      high = factor;
    else
      low = factor;
  }
  return solve_with_factor(p, low, info);
}

static thud_error newton(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  thud_error error = solve_with_factor(p, 1, info);
  if (error != THUD_OK || !thud_percussion_gains(p, data)) return error;
  info->gained = true;
  switch (p->options.on_energy_gain) {
  case THUD_GAIN_REDUCE_E: return reduce_restitution(p, info);
  case THUD_GAIN_REFUSE: info->refused = true; return THUD_OK;
  default: return THUD_OK;
  }
}

static thud_error canonical(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  double largest = -INFINITY, smallest = INFINITY;
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    if (!p->blocks[b].has_normal) continue;
    largest = fmax(largest, p->restitution[p->blocks[b].first]);
    smallest = fmin(smallest, p->restitution[p->blocks[b].first]);
  }
  if (largest > smallest && !p->has_warned) {
    thud_log(
        p->context, THUD_LOG_WARNING,
        "canonical impact law: the acting constraints have restitutions from %g to %g and the largest is taken for "
        "all; 'newton' takes each its own",
        smallest, largest);
    p->has_warned = true;
  }
  for (thud_index b = 0; b < p->problem.block_count; b++)
    if (p->blocks[b].has_normal) p->restitution[p->blocks[b].first] = largest;
  return newton(p, data, info);
}

const thud_law_map thud_law_newton = {.name = "newton", .apply = newton};
const thud_law_map thud_law_canonical = {.name = "canonical", .apply = canonical};
