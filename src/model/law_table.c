/* The user's map F(q, v-). The axioms of impact laws are about velocities in -V, those that every closed constraint
 * meets: F is asked only where a constraint is approached, and with the velocity v* in which the constraints that
 * separate (their gap is closed by the penetration that a scheme allows, or another contact has just thrown them off)
 * are seen at rest:  u* = min(u-, 0),  v* = v- + M^-1 A'c,  W c = u* - u-.
 *
 * Its answer is judged by the axioms: outside of the cone of admissible velocities, or with an impulse that the
 * constraints cannot give, it is refused. One that creates energy is brought back towards the inelastic answer
 * v_V = prox(V, v*): v_V + s (v+ - v_V) satisfies the other axioms for every s in [0,1] (the cones are convex), and its
 * energy is a convex function of s that is at most that of v* at s = 0, so that the largest s without a gain is a root
 * of a quadratic.
 *
 * What the map says about the constraints is u_F = A F(q, v*), and a step asks
 *
 *   0 <= u+ - u_F  perp  r >= 0    (0 instead of u_F where the law gives no impulse)
 *
 * of the velocities with forces, friction and equations in it: Newton's law where u_F = -e u-, and exactly F where
 * nothing but the impact changes the velocity, for W r_F = u_F - u-. */
#include "model/percussion.h"

#include <float.h>
#include <math.h>
#include <string.h>

static thud_error check_table(thud_percussion *p) {
  if (p->options.table != NULL) return THUD_OK;
  return thud_fail(p->context, THUD_ERROR_ARGUMENT,
                   "impact law 'table': there is no map; set the options' field `table`");
}

/* ---- scratch: p->past ---------------------------------------------------------------------------------------------- */

static double *warm_start(thud_percussion *p) { return p->past; }               /* [rows] */
static double *target(thud_percussion *p) { return p->past + p->row_capacity; } /* [normal rows] */
static double *proposed_impulse(thud_percussion *p) { return p->past + 2 * (ptrdiff_t)p->row_capacity; }
static double *answer(thud_percussion *p) { return p->past + 24 * (ptrdiff_t)p->row_capacity; } /* [n] F */
static double *arrival(thud_percussion *p) { return answer(p) + p->n; }                         /* [n] v* */

/* ---- the impact that the map sees ---------------------------------------------------------------------------------- */

static double bend_of(const thud_percussion *p, thud_index constraint) {
  return p->view.bend != NULL ? p->view.bend[constraint] : 0;
}

/* Normal velocity of block b before the impact, 0 where it separates or is not struck. */
static double arriving(const thud_percussion *p, thud_index b, double u_minus) {
  const thud_velocity_block *block = &p->blocks[b];
  if (p->view.resting != NULL && p->view.resting[block->constraint] != 0) return 0;
  return fmin(u_minus, 0);
}

/* Some constraint is approached by more than the rounding of its velocity. The problem at hand has the bends in its
 * rates. */
static bool is_approached(const thud_percussion *p) {
  double least = THUD_VELOCITY_ROUNDING * p->problem.magnitude;
  for (thud_index b = 0; b < p->problem.block_count; b++) {
    const thud_velocity_block *block = &p->blocks[b];
    if (block->has_normal && arriving(p, b, p->u_minus[block->first] - 2 * bend_of(p, block->constraint)) < -least)
      return true;
  }
  return false;
}

/* The frictionless problem of an impact that arrives with v, in the kinetic metric, without bends. */
static thud_error assemble_impact(thud_percussion *p, const thud_velocity_data *data, const double *v,
                                  thud_system_values *values, thud_velocity_data *impact) {
  *values = *data->values;
  if (p->view.mass != NULL) {
    values->mass = p->view.mass;
    values->mass_factor = p->view.mass_factor;
  }
  *impact = (thud_velocity_data){
      .values = values, .acting = data->acting, .is_frictionless = true, .v_minus = v, .v_free = v};
  thud_error error = thud_percussion_assemble(p, impact, NULL, NULL);
  for (thud_index i = 0; error == THUD_OK && i < p->problem.rows; i++) {
    double bend = bend_of(p, p->blocks[i].constraint);
    p->rate[i] -= bend;
    p->u_free[i] -= bend;
    p->u_minus[i] -= bend;
  }
  return error;
}

/* The change c of impulses that brings the rows to u*, in p->r; false: v- arrives at all of them already. Dependent rows
 * get v* = prox(-V, v-) instead: 0 <= c perp W c - u- >= 0, taken negative. */
static thud_error find_correction(thud_percussion *p, bool *is_needed) {
  thud_index rows = p->problem.rows, *all = p->chosen;
  *is_needed = false;
  for (thud_index i = 0; i < rows; i++) {
    double seen = p->u_minus[i] - bend_of(p, p->blocks[i].constraint), wanted = arriving(p, i, seen);
    all[i] = i;
    p->r[i] = wanted - p->u_minus[i];
    *is_needed = *is_needed || p->r[i] != 0;
  }
  if (!*is_needed) return THUD_OK;
  double *L = p->solver->square;
  if (thud_velocity_factor_chosen(rows, p->W, rows, all, L)) {
    thud_factor_forward(rows, L, p->r);
    thud_factor_backward(rows, L, p->r);
    return THUD_OK;
  }
  for (thud_index i = 0; i < rows; i++) {
    p->load[i] = -p->u_minus[i];
    p->r[i] = 0;
  }
  thud_solver_status status;
  thud_error error = thud_velocity_lcp(p->solver, &p->problem, p->r, &status);
  for (thud_index i = 0; i < rows; i++) p->r[i] = -p->r[i];
  return error;
}

/* v += L^-T dz, dz[n] in kinetic coordinates, and the problem of the impact that it makes. */
static thud_error shift_arrival(thud_percussion *p, const thud_velocity_data *data, thud_system_values *values,
                                thud_velocity_data *impact) {
  double *v = arrival(p), *dz = p->z;
  thud_factor_backward(p->n, values->mass_factor, dz);
  for (thud_index k = 0; k < p->n; k++) v[k] += dz[k];
  return assemble_impact(p, data, v, values, impact);
}

/* Onto the equations, where v leaves them by more than rounding: forces of a step are not in V. */
static thud_error meet_equations(thud_percussion *p, const thud_velocity_data *data, thud_system_values *values,
                                 thud_velocity_data *impact) {
  thud_index n = p->n;
  double *dz = p->z, speed = sqrt(thud_values_product(values, n, arrival(p), arrival(p))), largest = 0;
  memset(dz, 0, (size_t)n * sizeof *dz);
  for (thud_index j = 0; j < p->bilateral_rank; j++) {
    largest = fmax(largest, fabs(p->offset[j]));
    for (thud_index k = 0; k < n; k++) dz[k] += p->offset[j] * p->basis[j * n + k];
  }
  return largest > THUD_VELOCITY_ROUNDING * speed ? shift_arrival(p, data, values, impact) : THUD_OK;
}

/* v* into arrival(p), and the problem of the impact that it makes. */
static thud_error meet_constraints(thud_percussion *p, const thud_velocity_data *data, thud_system_values *values,
                                   thud_velocity_data *impact) {
  thud_index n = p->n;
  double *dz = p->z;
  bool is_needed = false;
  memcpy(arrival(p), data->v_minus, (size_t)n * sizeof(double));
  thud_error error = assemble_impact(p, data, arrival(p), values, impact);
  if (error == THUD_OK) error = meet_equations(p, data, values, impact);
  if (error == THUD_OK) error = find_correction(p, &is_needed);
  if (error != THUD_OK || !is_needed) return error;
  memset(dz, 0, (size_t)n * sizeof *dz);
  for (thud_index i = 0; i < p->problem.rows; i++)
    for (thud_index k = 0; k < n; k++) dz[k] += p->r[i] * p->y[i * n + k];
  return shift_arrival(p, data, values, impact);
}

/* ---- the answer ---------------------------------------------------------------------------------------------------- */

/* Largest s in [0,1] with 2 ab s + bb s^2 <= room. */
static double largest_part(double room, double ab, double bb) {
  if (2 * ab + bb <= room || bb <= 0) return 1;
  double root = sqrt(ab * ab + bb * room);
  double s = ab > 0 ? room / (ab + root) : (root - ab) / bb;
  return fmin(s, 1);
}

/* u_F of the rows in p->u, r_F in p->r: back towards the inelastic answer, as far as energy asks for. */
static thud_error bring_back(thud_percussion *p, thud_percussion_info *info) {
  thud_index rows = p->problem.rows;
  double *proposed = proposed_impulse(p), *change = target(p);
  memcpy(proposed, p->r, (size_t)rows * sizeof *proposed);
  memcpy(p->load, p->u_free, (size_t)rows * sizeof *p->load);
  thud_error error = thud_percussion_velocity_problem(p, &info->status);
  if (error != THUD_OK) return error;
  /* in kinetic coordinates the answer is z(s) = z_V + s Y(r - r_V); z_V.Y(r - r_V) from velocities of the rows */
  double room = 0, ab = 0, bb = 0;
  for (thud_index i = 0; i < rows; i++) {
    double inelastic = 0;
    change[i] = 0;
    for (thud_index j = 0; j < rows; j++) {
      change[i] += p->W[i * rows + j] * (proposed[j] - p->r[j]);
      inelastic += p->W[i * rows + j] * p->r[j];
    }
    room -= p->r[i] * (2 * p->u_free[i] + inelastic); /* |z-|^2 - |z_V|^2 */
    ab += (proposed[i] - p->r[i]) * p->u[i];
    bb += (proposed[i] - p->r[i]) * change[i];
  }
  double s = largest_part(fmax(room, 0), ab, bb);
  for (thud_index i = 0; i < rows; i++) {
    p->r[i] += s * (proposed[i] - p->r[i]);
    p->u[i] += s * change[i];
  }
  info->restitution_factor = s;
  return THUD_OK;
}

static thud_error call_table(thud_percussion *p) {
  int outcome = p->options.table(p->options.table_user, p->t, p->q, arrival(p), answer(p));
  if (outcome == 0) return THUD_OK;
  return thud_fail(p->context, THUD_ERROR_CALLBACK, "impact law 'table': the map returned %d", outcome);
}

/* The law at the impact that the constraints see: u_F of its rows into target(p), r_F into p->r. */
static thud_error ask_table(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  thud_system_values values;
  thud_velocity_data impact;
  thud_error error = meet_constraints(p, data, &values, &impact);
  if (error == THUD_OK) error = call_table(p);
  if (error == THUD_OK) error = thud_percussion_judge(p, &impact, answer(p), info);
  if (error != THUD_OK) return error;
  bool is_admissible = info->in_cone && info->impulse_admissible;
  int on_gain = p->options.on_energy_gain;
  info->refused = on_gain != THUD_GAIN_ALLOW && (!is_admissible || (info->gained && on_gain == THUD_GAIN_REFUSE));
  if (is_admissible && info->gained && on_gain == THUD_GAIN_REDUCE_E) error = bring_back(p, info);
  for (thud_index i = 0; error == THUD_OK && i < p->problem.rows; i++) target(p)[i] = p->r[i] > 0 ? p->u[i] : 0;
  return error;
}

/* The velocity problem with what the law asks of the normal velocities, times a factor. */
static thud_error solve_with_factor(thud_percussion *p, double factor, thud_percussion_info *info) {
  thud_index normal = 0;
  memcpy(p->load, p->u_free, (size_t)p->problem.rows * sizeof *p->load);
  for (thud_index b = 0; b < p->problem.block_count; b++)
    if (p->blocks[b].has_normal) p->load[p->blocks[b].first] -= factor * target(p)[normal++];
  return thud_percussion_velocity_problem(p, &info->status);
}

enum { BISECTIONS = 60 };

/* With friction the normal velocities of an admissible law may create energy, as those of Newton's do. */
static thud_error solve_step(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  thud_error error = solve_with_factor(p, 1, info);
  if (error != THUD_OK || !thud_percussion_gains(p, data)) return error;
  info->gained = true;
  info->refused = p->options.on_energy_gain == THUD_GAIN_REFUSE;
  if (p->options.on_energy_gain != THUD_GAIN_REDUCE_E) return THUD_OK;
  double low = 0, high = 1;
  for (int k = 0; k < BISECTIONS && high - low > DBL_EPSILON * high; k++) {
    double factor = (low + high) / 2;
    error = solve_with_factor(p, factor, info);
    if (error != THUD_OK) return error;
    *(thud_percussion_energy_gain(p, p->r) > 0 ? &high : &low) = factor;
  }
  info->restitution_factor *= low;
  return solve_with_factor(p, low, info);
}

/* Nothing but the impact changes the velocity, and it arrives as the map has seen it: F is the answer to the last digit. */
static bool is_answer(thud_percussion *p, const thud_velocity_data *data, const thud_percussion_info *info) {
  size_t bytes = (size_t)p->n * sizeof(double);
  bool is_plain = info->restitution_factor == 1 && p->view.mass == NULL && p->view.bend == NULL;
  for (thud_index b = 0; b < p->problem.block_count; b++) is_plain = is_plain && p->blocks[b].law < 0;
  return is_plain && memcmp(data->v_free, data->v_minus, bytes) == 0 && memcmp(data->v_minus, arrival(p), bytes) == 0;
}

static thud_error table(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info) {
  thud_index rows = p->problem.rows;
  size_t bytes = (size_t)rows * sizeof(double);
  memcpy(warm_start(p), p->r, bytes);
  if (!is_approached(p)) {
    memcpy(p->load, p->u_free, bytes);
    return thud_percussion_velocity_problem(p, &info->status);
  }
  thud_error error = ask_table(p, data, info);
  thud_index asked = p->problem.rows;
  if (error == THUD_OK) memcpy(proposed_impulse(p), p->r, (size_t)asked * sizeof(double));
  if (error == THUD_OK) error = thud_percussion_assemble(p, data, NULL, NULL);
  if (error != THUD_OK) return error;
  if (!info->refused && !is_answer(p, data, info)) {
    memcpy(p->r, warm_start(p), bytes);
    return solve_step(p, data, info);
  }
  memcpy(p->v_plus, answer(p), (size_t)p->n * sizeof(double));
  p->has_velocity = true;
  if (info->refused) return THUD_OK;
  memcpy(p->r, proposed_impulse(p), bytes);
  for (thud_index i = 0; i < rows; i++) p->load[i] = p->u_free[i] - target(p)[i];
  return THUD_OK;
}

const thud_law_map thud_law_table = {.name = "table", .check = check_table, .apply = table};
