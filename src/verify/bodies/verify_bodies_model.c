/* What the scene says of two bodies that meet, and the variables of its expressions. */
#include "verify/bodies/verify_bodies.h"

#include <math.h>

/* ---- laws ------------------------------------------------------------------------------------------------------------------ */

static double mean_friction(const verify_contact_law *law) {
  return law->mu_across < 0 ? law->mu : sqrt(law->mu * law->mu_across);
}

/* Geometric means of the frictions, the larger restitution. A direction is that of the first of the two that has one;
 * the other side counts with its mean. *of_second: the direction is the second's. */
verify_contact_law thud_verify_combine_laws(const verify_contact_law *first, const verify_contact_law *second,
                                            bool *of_second) {
  *of_second = first->mu_across < 0 && second->mu_across >= 0;
  const verify_contact_law *lead = *of_second ? second : first, *other = *of_second ? first : second;
  verify_contact_law law = *lead;
  law.mu = sqrt(lead->mu * mean_friction(other));
  if (lead->mu_across >= 0) law.mu_across = sqrt(lead->mu_across * mean_friction(other));
  law.restitution = fmax(first->restitution, second->restitution);
  law.rolling = sqrt(first->rolling * second->rolling);
  law.spinning = sqrt(first->spinning * second->spinning);
  return law;
}

verify_contact_law thud_verify_bodies_law(const verify_bodies *bodies, size_t part_a, size_t part_b,
                                          size_t *axis_body) {
  size_t a = bodies->part[part_a].material, b = bodies->part[part_b].material;
  verify_contact_law smooth = {.mu_across = -1, .axis = {1, 0, 0}};
  *axis_body = bodies->part[part_a].body;
  for (size_t k = 0; k < bodies->pair_count; k++) {
    const verify_material_pair *pair = &bodies->pair[k];
    if (pair->first == a && pair->second == b) return pair->law;
    if (pair->first != b || pair->second != a) continue;
    *axis_body = bodies->part[part_b].body;
    return pair->law;
  }
  return smooth;
}

bool thud_verify_bodies_meet(const verify_bodies *bodies, size_t a, size_t b) {
  const verify_rigid *first = &bodies->body[a], *second = &bodies->body[b];
  if (first->absent || second->absent) return false;
  if (a == b || (first->role != VERIFY_DYNAMIC && second->role != VERIFY_DYNAMIC)) return false;
  if (first->group >= 0 && first->group == second->group) return false;
  return (first->category & second->mask) != 0 && (second->category & first->mask) != 0;
}

/* ---- expressions ------------------------------------------------------------------------------------------------------------ */

const double *thud_verify_variables(const verify_bodies *bodies, double t) {
  bodies->variables[bodies->scene.time_slot] = t;
  return bodies->variables;
}

const double *thud_verify_body_variables(const verify_bodies *bodies, double t, const verify_body_state *state) {
  const double values[BODY_VARIABLES] = {
      state->x.x, state->x.y, state->x.z, state->v.x, state->v.y, state->v.z, 2 * atan2(state->q.z, state->q.w),
      state->w.z, state->q.w, state->q.x, state->q.y, state->q.z, state->w.x, state->w.y,
      state->w.z};
  for (int k = 0; k < BODY_VARIABLES; k++)
    if (bodies->slot[k] >= 0) bodies->variables[bodies->slot[k]] = values[k];
  return thud_verify_variables(bodies, t);
}
