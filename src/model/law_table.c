/* The user's map. Its answer is judged by the axioms of impact laws: outside of the cone of admissible velocities, or
 * with an impulse that the constraints cannot give, it is refused. One that creates energy is brought back towards the
 * inelastic answer v_V = prox(V, v-): v_V + s (v+ - v_V) satisfies the other axioms for every s in [0,1] (the cones are
 * convex), and its energy is a convex function of s that is at most that of v- at s = 0, so that the largest s without
 * a gain is a root of a quadratic. */
#include "model/percussion.h"

#include <math.h>
#include <string.h>

static thud_error check_table(thud_percussion *p) {
  if (p->options.table != NULL) return THUD_OK;
  return thud_fail(p->context, THUD_ERROR_ARGUMENT,
                   "impact law 'table': there is no map; set the options' field `table`");
}

/* Largest s in [0,1] with 2 ab s + bb s^2 <= room. */
static double largest_part(double room, double ab, double bb) {
  if (2 * ab + bb <= room || bb <= 0) return 1;
  double root = sqrt(ab * ab + bb * room);
  double s = ab > 0 ? room / (ab + root) : (root - ab) / bb;
  return fmin(s, 1);
}

/* Takes v+ back towards the inelastic answer: impulses are mixed in the same way. */
static thud_error bring_back(thud_percussion *p, thud_percussion_info *info) {
  double *proposed = p->past;
  memcpy(proposed, p->r, (size_t)p->problem.rows * sizeof *proposed);
  memcpy(p->load, p->u_free, (size_t)p->problem.rows * sizeof *p->load);
  thud_error error = thud_percussion_velocity_problem(p, &info->status);
  if (error != THUD_OK) return error;
  /* in kinetic coordinates the answer is z(s) = z_V + s Y(r - r_V); z_V.Y(r - r_V) from velocities of the rows */
  double room = 0, ab = 0, bb = 0;
  for (thud_index i = 0; i < p->problem.rows; i++) {
    double change = 0, inelastic = 0;
    for (thud_index j = 0; j < p->problem.rows; j++) {
      change += p->W[i * p->problem.rows + j] * (proposed[j] - p->r[j]);
      inelastic += p->W[i * p->problem.rows + j] * p->r[j];
    }
    room -= p->r[i] * (2 * p->u_free[i] + inelastic); /* |z-|^2 - |z_V|^2 */
    ab += (proposed[i] - p->r[i]) * p->u[i];
    bb += (proposed[i] - p->r[i]) * change;
  }
  double s = largest_part(fmax(room, 0), ab, bb);
  for (thud_index i = 0; i < p->problem.rows; i++) p->r[i] += s * (proposed[i] - p->r[i]);
  info->restitution_factor = s;
  return THUD_OK;
}

static thud_error call_table(thud_percussion *p, const thud_velocity_data *data, double *v_plus) {
  int outcome = p->options.table(p->options.table_user, p->t, p->q, data->v_free, v_plus);
  if (outcome == 0) return THUD_OK;
  return thud_fail(p->context, THUD_ERROR_CALLBACK, "impact law 'table': the map returned %d", outcome);
}

static thud_error table(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  thud_velocity_data impact = *data;
  impact.v_minus = data->v_free;
  double *v_plus = p->past + (ptrdiff_t)2 * p->row_capacity;
  thud_error error = call_table(p, data, v_plus);
  if (error == THUD_OK) error = thud_percussion_judge(p, &impact, v_plus, info);
  if (error != THUD_OK) return error;
  bool is_admissible = info->in_cone && info->impulse_admissible;
  bool is_good = is_admissible && !info->gained;
  if (!is_good && is_admissible && p->options.on_energy_gain == THUD_GAIN_REDUCE_E) return bring_back(p, info);
  info->refused = !is_good && p->options.on_energy_gain != THUD_GAIN_ALLOW;
  memcpy(p->v_plus, v_plus, (size_t)p->n * sizeof *v_plus);
  p->has_velocity = true;
  return THUD_OK;
}

const thud_law_map thud_law_table = {.name = "table", .sees_free_velocity = true, .check = check_table, .apply = table};
