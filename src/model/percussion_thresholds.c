/* Velocity problems whose thresholds are functions of reactions (model/thresholds.h).
 *
 * With the impulses p of the reactions that a law names, its impulse is in R C, R = h kappa(p/h). The solvers of the
 * problem take R at the impulses that they have, and are done when the natural map is small with R at those of the answer:
 * the whole problem is solved, not one with a threshold of before. The reactions are linear functions of the friction
 * impulses, dp = A dr_T, and the iteration R -> p -> R contracts by
 *
 *   max_k sum_l max_{c in C_l} |(dkappa_k/dp) A_l c|,
 *
 * which is reported. Below 1 it has one fixed point near the answer whatever the friction; from 1 on there may be none, or
 * several. */
#include "model/percussion.h"
#include "model/thresholds.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static double threshold_of_impulses(void *user, const double *impulse) {
  const thud_slip_law *law = user;
  const thud_percussion *p = law->percussion;
  return thud_model_threshold_of_impulses(p->values, law->threshold, p->step, impulse, law->room);
}

thud_error thud_percussion_take_threshold(thud_percussion *p, thud_index k) {
  thud_slip_law *law = &p->laws[k];
  law->threshold = thud_model_threshold_of(p->system, (size_t)k);
  if (law->threshold == NULL) return THUD_OK;
  size_t count = law->threshold->count;
  law->place = THUD_NEW_ARRAY(p->context, thud_index, 2 * count);
  law->room = THUD_NEW_ARRAY(p->context, double, 3 * count);
  if (law->place == NULL || law->room == NULL) return THUD_ERROR_MEMORY;
  law->percussion = p;
  law->coupling = (thud_velocity_coupling){.count = (thud_index)count,
                                           .row = law->place,
                                           .equation = law->place + count,
                                           .impulse = law->room + count,
                                           .threshold = threshold_of_impulses,
                                           .user = law};
  p->is_coupled = true;
  return THUD_OK;
}

void thud_percussion_free_thresholds(thud_percussion *p) {
  for (thud_index k = 0; p->laws != NULL && k < p->law_count; k++) {
    thud_free(p->context, p->laws[k].place);
    thud_free(p->context, p->laws[k].room);
  }
  thud_free(p->context, p->slope);
}

thud_error thud_percussion_take_coupled(const thud_percussion *p) {
  if (!p->law->sees_free_velocity) return THUD_OK;
  return thud_fail(p->context, THUD_ERROR_UNSUPPORTED,
                   "[unsupported-method] impact law '%s' makes several collisions one after the other, and a friction "
                   "law has a threshold that reactions give: use 'newton' or 'canonical'",
                   p->law->name);
}

void thud_percussion_act_at_once(thud_percussion *p, bool at_once) { p->at_once = at_once; }

static thud_index equation_of(const thud_percussion *p, thud_index constraint) {
  for (thud_index b = 0; b < p->problem.equations.count; b++)
    if (p->bilateral_constraint[b] == constraint) return b;
  return -1;
}

void thud_percussion_place_threshold(thud_percussion *p, thud_index k, const thud_velocity_data *data) {
  thud_slip_law *law = &p->laws[k];
  size_t count = law->threshold->count;
  p->values = data->values;
  p->step = p->at_once ? 0 : data->step;
  for (size_t j = 0; j < count; j++) {
    thud_index block = thud_percussion_block_of(p, law->threshold->reaction[j]);
    law->place[j] = block >= 0 ? p->blocks[block].first : -1;
    law->place[count + j] = equation_of(p, law->threshold->reaction[j]);
  }
}

/* ---- what an answer is worth ------------------------------------------------------------------------------------- */

static const char *name_of(const char *name) { return name != NULL ? name : ""; }

/* An equation that depends on others shares its reaction with them in any way. */
static thud_error check_unique(const thud_percussion *p, const thud_velocity_block *block) {
  const thud_velocity_coupling *coupling = block->coupling;
  bool depends = false, names = false;
  for (thud_index b = 0; b < p->problem.equations.count; b++) depends = depends || p->basis_of[b] < 0;
  for (thud_index j = 0; j < coupling->count; j++) names = names || coupling->equation[j] >= 0;
  if (!depends || !names) return THUD_OK;
  return thud_fail(p->context, THUD_ERROR_UNQUALIFIED,
                   "[indeterminate-threshold] the threshold of friction law '%s' names reactions of equations that "
                   "depend on each other: these forces are not unique, and neither is the threshold; leave out the "
                   "equations that follow from others",
                   name_of(thud_system_friction(p->system, block->law)->name));
}

static thud_error check_value(thud_percussion *p, const thud_velocity_block *block) {
  const thud_velocity_coupling *coupling = block->coupling;
  const thud_slip_law *law = &p->laws[block->law];
  double value = thud_velocity_threshold(&p->problem, block, p->r, p->work);
  if (value >= 0 && isfinite(value)) return THUD_OK;
  char at[200] = "";
  double rate = p->step > 0 ? p->step : 1;
  for (size_t j = 0, used = 0; j < law->threshold->count && used + 1 < sizeof at; j++)
    used += (size_t)snprintf(at + used, sizeof at - used, "%s%s = %.6g", j > 0 ? ", " : "",
                             name_of(thud_system_constraint(p->system, law->threshold->reaction[j])->name),
                             coupling->impulse[j] / rate);
  const char *name = name_of(thud_system_friction(p->system, block->law)->name);
  if (isnan(value) && !(p->step > 0))
    return thud_fail(p->context, THUD_ERROR_NOT_FINITE,
                     "[bad-friction] the threshold of friction law '%s' has no value for the impulses of an impact "
                     "(%s): it must not grow faster than the reactions",
                     name, at);
  return thud_fail(p->context, isfinite(value) ? THUD_ERROR_ARGUMENT : THUD_ERROR_NOT_FINITE,
                   "[out-of-range] the threshold of friction law '%s' is %.9g at %s; it must be a number >= 0", name,
                   value / rate, at);
}

/* max_{c in C} |a.c| */
static double reach_of(const thud_velocity_law *law, double *a) {
  double there = 0, back = 0;
  thud_set_info info;
  if (law->set == NULL) return thud_metric_norm(NULL, law->directions, a);
  if (thud_set_support(law->set, a, &there, NULL, &info) != THUD_OK) return INFINITY;
  for (thud_index d = 0; d < law->directions; d++) a[d] = -a[d];
  if (thud_set_support(law->set, a, &back, NULL, &info) != THUD_OK) return INFINITY;
  return fmax(there, back);
}

/* dR_k/dr of one row: slope . dp/dr_row, through the equations; other impulses of contacts stay. */
static double through_equations(thud_percussion *p, const thud_velocity_coupling *coupling, const double *slope,
                                thud_index row, const double *rest) {
  double sum = 0, *unit = p->past, *moved = p->work;
  memset(unit, 0, (size_t)p->problem.rows * sizeof *unit);
  unit[row] = 1;
  thud_velocity_equation_impulses(&p->problem, unit, moved);
  for (thud_index j = 0; j < coupling->count; j++)
    if (coupling->equation[j] >= 0) sum += slope[j] * (moved[coupling->equation[j]] - rest[coupling->equation[j]]);
  return sum;
}

/* sum_l max_{c in C_l} |(dkappa/dp) A_l c| of one threshold */
static double contraction_of(thud_percussion *p, const thud_velocity_block *block) {
  const thud_slip_law *law = &p->laws[block->law];
  double *slope = law->room + 2 * law->threshold->count, *rest = p->l, *a = p->slope, sum = 0;
  double rate = p->step > 0 ? 1 / p->step : 1;
  for (size_t j = 0; j < law->threshold->count; j++) law->room[j] = rate * law->coupling.impulse[j];
  thud_model_threshold_at(p->values, law->threshold, law->room, slope);
  memset(p->past, 0, (size_t)p->problem.rows * sizeof *p->past);
  if (p->problem.equations.count == 0) return 0;
  thud_velocity_equation_impulses(&p->problem, p->past, rest);
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    const thud_velocity_block *other = &p->blocks[b];
    if (other->coupling == NULL) continue;
    for (thud_index d = 0; d < other->directions; d++)
      a[d] = through_equations(p, block->coupling, slope, other->first + d, rest);
    sum += reach_of(&p->sets[other->law], a);
  }
  return isfinite(sum) ? sum : 0; /* no slope: hypot of reactions that are 0 */
}

thud_error thud_percussion_check_thresholds(thud_percussion *p, thud_percussion_info *info) {
  thud_error error = THUD_OK;
  for (thud_index b = 0; b < p->problem.block_count && error == THUD_OK; b++) {
    const thud_velocity_block *block = &p->blocks[b];
    if (block->coupling == NULL) continue;
    error = check_unique(p, block);
    if (error == THUD_OK) error = check_value(p, block);
    if (error == THUD_OK) info->contraction = fmax(info->contraction, contraction_of(p, block));
  }
  return error;
}
