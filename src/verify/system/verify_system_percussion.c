#include "verify/system/verify_system_percussion.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_noise.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Part of the kinetic energy that an impact may create without being reported (the run's own tolerance). */
static const double ENERGY_TOLERANCE = 1e-9;

/* Laws whose steps are complementarity problems with friction in them. */
static bool is_newton(const verify_percussion *p) {
  verify_impact_law law = p->system->law;
  return (law == VERIFY_NEWTON || law == VERIFY_CANONICAL || (law == VERIFY_TABLE && !p->system->functions)) &&
         !p->any_outcome;
}

const double *thud_verify_percussion_row(const verify_percussion *p, size_t i) {
  return verify_reaction_row(p->system, p->at, i);
}

double thud_verify_percussion_velocity(const verify_percussion *p, size_t i, const double *v) {
  size_t m = p->system->m;
  double bend = i < m && p->bend != NULL ? p->bend[i] : 0;
  return i < m ? thud_verify_constraint_velocity(p->system, p->at, i, v) + bend
               : thud_verify_slip_velocity(p->system, p->at, i - m, v);
}

double thud_verify_percussion_response(const verify_percussion *p, size_t i) {
  return thud_verify_response(p->system, p->at, thud_verify_percussion_row(p, i), p->work);
}

double thud_verify_percussion_terms(const verify_percussion *p, size_t i, const double *v) {
  const double *row = thud_verify_percussion_row(p, i);
  size_t m = p->system->m;
  double sum = fabs(i < m ? p->at->rate[i] : p->at->slip_rate[i - m]);
  if (i < m && p->bend != NULL) sum += fabs(p->bend[i]);
  for (size_t j = 0; j < p->system->n; j++) sum += fabs(row[j] * v[j]);
  return sum;
}

void thud_verify_percussion_measure(verify_percussion *p) {
  size_t m = p->system->m;
  p->size = 0;
  for (size_t i = 0; i < m + p->system->s; i++) {
    double response = thud_verify_percussion_response(p, i);
    if (!(response > 0) || (i < m && !verify_percussion_acts(p, i))) continue;
    double size = thud_verify_percussion_terms(p, i, p->v_plus) + thud_verify_percussion_terms(p, i, p->v_left);
    p->size = fmax(p->size, (size + response * fabs(p->reaction[i])) / sqrt(response));
  }
}

static void tally_constraint(const verify_percussion *p, thud_verify_check *check, size_t i, double value,
                             double tolerance, const char *what) {
  if (thud_verify_tally(check, value, tolerance, 0, p->t, p->row))
    thud_verify_explain(check, "%s of '%s'", what, p->system->constraints[i].name);
}

/* ---- normal ---------------------------------------------------------------------------------------------------------
 */

static bool is_struck(const verify_percussion *p, size_t i) {
  return verify_is_one_sided(p->system->constraints[i].kind) && verify_percussion_acts(p, i);
}

/* How v_left meets the constraints that act: the table is a law of velocities that arrive at all of them. */
typedef enum arrival { NOTHING_APPROACHES, ALL_ARRIVE, SOME_SEPARATE } arrival;

static arrival arrival_of(const verify_percussion *p, size_t *count) {
  bool approached = false, separates = false;
  *count = 0;
  for (size_t i = 0; i < p->system->m; i++) {
    if (!verify_percussion_acts(p, i)) continue;
    double bend = p->bend != NULL ? p->bend[i] : 0, u = thud_verify_percussion_velocity(p, i, p->v_left) - 2 * bend;
    double response = thud_verify_percussion_response(p, i), small = p->tolerance * p->size * sqrt(fmax(0, response));
    if (!is_struck(p, i)) { /* an equation, which the forces of a step may leave */
      separates = separates || fabs(u) > small;
      continue;
    }
    approached = approached || u < 0;
    separates = separates || u > small || bend != 0;
    ++*count;
  }
  return !approached ? NOTHING_APPROACHES : separates ? SOME_SEPARATE : ALL_ARRIVE;
}

/* Several constraints under a law that would create energy: the way back to the inelastic answer is not one factor. */
static bool is_mixed(const verify_percussion *p, size_t count) {
  bool moves = false;
  for (size_t i = 0; i < p->system->m; i++) moves = moves || p->at->rate[i] != 0;
  double before = thud_verify_kinetic(p->system, p->at, p->v_left),
         after = thud_verify_kinetic(p->system, p->at, p->at->table);
  return count > 1 && p->system->on_gain == VERIFY_REDUCE_E && (moves || after > (1 + ENERGY_TOLERANCE) * before);
}

/* u+ minus what the law asks for, which must be >= 0 and complementary to r: u+ + factor e u-, or by a table u+ - factor
 * u_F, u_F that of its answer, and u+ where it gives no impulse (which of several contacts have none is not asked; in
 * the stabilised scheme slow ones rest). False: only the axioms are known. */
static bool rebound(const verify_percussion *p, size_t i, double factor, double *w) {
  double after = thud_verify_percussion_velocity(p, i, p->v_plus);
  *w = after + factor * p->restitution[i] * thud_verify_percussion_velocity(p, i, p->v_left);
  if (p->system->law != VERIFY_TABLE) return true;
  size_t count;
  arrival how = arrival_of(p, &count);
  double response = thud_verify_percussion_response(p, i), small = p->tolerance * p->size * sqrt(fmax(0, response));
  *w = after;
  if (how == NOTHING_APPROACHES || !(response * p->reaction[i] > small)) return true;
  if (how == SOME_SEPARATE || is_mixed(p, count)) return false;
  double proposed = after - factor * thud_verify_percussion_velocity(p, i, p->at->table);
  bool may_rest = count > 1 || p->system->method == VERIFY_STABILISED;
  if (!may_rest || fabs(proposed) < fabs(*w)) *w = proposed;
  return true;
}

/* Kinetic size of min(G r, u+ + e u-), or for laws that are not complementarity problems of the violation of u+ >= 0. */
static double normal_error(const verify_percussion *p, size_t i, double factor) {
  double response = thud_verify_percussion_response(p, i), r = p->reaction[i], w;
  if (!is_newton(p) || !rebound(p, i, factor, &w)) {
    double u = thud_verify_percussion_velocity(p, i, p->v_plus);
    return response > 0 ? fmax(fmax(0, -u), fmax(0, -response * r)) / sqrt(response) : 0;
  }
  return response > 0 ? fabs(fmin(response * r, w)) / sqrt(response) : fmax(0, -w);
}

static double worst_normal(const verify_percussion *p, double factor) {
  double worst = 0;
  for (size_t i = 0; i < p->system->m; i++)
    if (is_struck(p, i)) worst = fmax(worst, normal_error(p, i, factor));
  return worst;
}

/* `on_energy_gain: reduce_e` multiplies all e, or what a table asks for, by one factor: the largest that creates nothing.
 * It is read off the constraint that rebounds with the largest impulse. */
double thud_verify_percussion_factor(const verify_percussion *p) {
  const verify_system *system = p->system;
  if (!is_newton(p) || system->on_gain != VERIFY_REDUCE_E || worst_normal(p, 1) <= p->tolerance * p->size) return 1;
  double largest = 0, factor = 1;
  for (size_t i = 0; i < system->m; i++) {
    if (!is_struck(p, i)) continue;
    double approach = system->law == VERIFY_TABLE
                          ? -thud_verify_percussion_velocity(p, i, p->at->table)
                          : p->restitution[i] * thud_verify_percussion_velocity(p, i, p->v_left);
    double r = p->reaction[i];
    double size = r * sqrt(thud_verify_percussion_response(p, i));
    if (!(approach < 0) || !(size > largest)) continue;
    largest = size;
    factor = -thud_verify_percussion_velocity(p, i, p->v_plus) / approach;
  }
  return factor >= 0 && factor < 1 ? factor : 1;
}

/* Gradients whose terms cancel (a body that turns about the point that holds it) are rounding in some components, and so
 * are the velocities beside 0 that these make: as much is allowed as the terms of the gradient give, in kinetic units, but
 * no more than the tolerance's part of the velocity as a whole. */
static thud_error add_velocity_noise(const verify_percussion *p, size_t i, double root, double *tolerance) {
  const verify_state_at after = {.t = p->t, .h = p->h, .q = p->q, .v = p->v_plus},
                        before = {.t = p->t, .h = p->h, .q = p->q, .v = p->v_left};
  double noise = 0, of_left = 0;
  if (p->q == NULL || p->system->functions) return THUD_OK;
  thud_error error = thud_verify_velocity_noise(p->system, &after, p->at, i, &noise);
  if (error == THUD_OK) error = thud_verify_velocity_noise(p->system, &before, p->at, i, &of_left);
  double energy =
      fmax(thud_verify_kinetic(p->system, p->at, p->v_plus), thud_verify_kinetic(p->system, p->at, p->v_left));
  *tolerance += fmin((noise + of_left) / root, p->tolerance * sqrt(2 * energy));
  return error;
}

thud_error thud_verify_percussion_normal(const verify_percussion *p, double factor, thud_verify_check *check) {
  thud_error error = THUD_OK;
  for (size_t i = 0; i < p->system->m && error == THUD_OK; i++) {
    verify_constraint_kind kind = p->system->constraints[i].kind;
    if (!verify_percussion_acts(p, i)) {
      tally_constraint(p, check, i, fabs(p->reaction[i]), 0, "reaction without contact");
      continue;
    }
    if (p->left_out != NULL && p->left_out[i]) continue;
    double response = thud_verify_percussion_response(p, i), root = response > 0 ? sqrt(response) : 1;
    double u = thud_verify_percussion_velocity(p, i, p->v_plus), tolerance = p->tolerance * p->size;
    double value = verify_is_one_sided(kind) ? normal_error(p, i, factor) : fabs(u) / root;
    if (value > tolerance) error = add_velocity_noise(p, i, root, &tolerance);
    tally_constraint(p, check, i, value, tolerance, verify_is_one_sided(kind) ? "law" : "velocity");
  }
  return error;
}

/* ---- friction -------------------------------------------------------------------------------------------------------
 */

double thud_verify_percussion_radius(const verify_percussion *p, const verify_law *law, double friction) {
  double extra = p->extra != NULL ? p->extra[law - p->system->laws] : 0;
  if (law->constraint == SIZE_MAX) return friction * p->h + extra;
  double r = p->reaction[law->constraint];
  bool one_sided = verify_is_one_sided(p->system->constraints[law->constraint].kind);
  return friction * (one_sided ? fmax(r, 0) : fabs(r));
}

/* Largest number of the set of a law: its points are sums and products of them, rounded. */
static double largest_number(const verify_system *system, const verify_set *set) {
  size_t end = system->scene.value_count;
  double largest = 0;
  for (size_t l = 0; l < system->law_count; l++) { /* those of the next law follow */
    const verify_law *law = &system->laws[l];
    if (!law->disc && !law->unknown && law->set.first > set->first && law->set.first < end) end = law->set.first;
  }
  for (size_t k = set->first; k < end; k++)
    if (isfinite(system->numbers[k])) largest = fmax(largest, fabs(system->numbers[k]));
  return largest;
}

/* tau, the trace of the law's own response; 1 where it has none. */
static double law_response(const verify_percussion *p, const verify_law *law) {
  double trace = 0;
  for (size_t k = 0; k < law->directions; k++)
    trace += thud_verify_percussion_response(p, p->system->m + law->first + k);
  return trace > 0 ? trace : 1;
}

/* At rest, where velocities and impulses are exactly 0, the law's own numbers are still rounded: the force and its
 * projection by ROUNDED units in the last place of radius times the largest number of the set, once in the run and once
 * here (division by the radius, the set's numbers, the projection, the product with the radius). */
double thud_verify_percussion_law_tolerance(const verify_percussion *p, const verify_law *law, double radius) {
  static const double ROUNDED = 16;
  double largest = law->disc || law->unknown ? 1 : fmax(1, largest_number(p->system, &law->set));
  return p->tolerance * p->size + ROUNDED * DBL_EPSILON * radius * largest * sqrt(law_response(p, law));
}

/* |r_T - proj(radius C, r_T - u_T+/tau)|, tau the trace of the law's own response; laws of several collisions keep the
 * set, not the normality. */
thud_error thud_verify_percussion_law_error(const verify_percussion *p, const verify_law *law, double radius,
                                            double *scratch, double *value, double *accuracy) {
  size_t d = law->directions, first = p->system->m + law->first;
  double trace = law_response(p, law), *x = scratch, *y = scratch + d;
  const double *r = p->reaction + first;
  *value = *accuracy = 0;
  if (law->unknown) return THUD_OK;
  for (size_t k = 0; k < d; k++)
    x[k] = r[k] - (is_newton(p) ? thud_verify_percussion_velocity(p, first + k, p->v_plus) / trace : 0);
  thud_error error = thud_verify_law_project(p->system, law, radius, x, y, accuracy);
  *value = sqrt(trace) * thud_verify_distance(d, r, y);
  *accuracy *= sqrt(trace);
  return error;
}

/* ---- energy ---------------------------------------------------------------------------------------------------------
 */

/* What the reactions give, sum r (u+ + u)/2, seen from v_left and from the velocity without them: a gain is positive in
 * both. *nearest is the smaller one by size. */
static double energy_gain_of(const verify_percussion *p, double *energy, double *apart, double *nearest) {
  size_t n = p->system->n, rows = p->system->m + p->system->s;
  double from_left = 0, from_free = 0, *free_velocity = p->work + n, *part = p->work;
  memset(part, 0, n * sizeof(double));
  for (size_t i = 0; i < rows; i++)
    for (size_t j = 0; j < n; j++) part[j] += thud_verify_percussion_row(p, i)[j] * p->reaction[i];
  thud_verify_cholesky_solve(n, p->at->factor, part);
  for (size_t j = 0; j < n; j++) free_velocity[j] = p->v_plus[j] - part[j];
  for (size_t i = 0; i < rows; i++) {
    double r = p->reaction[i], after = thud_verify_percussion_velocity(p, i, p->v_plus);
    from_left += r * (after + thud_verify_percussion_velocity(p, i, p->v_left)) / 2;
    from_free += r * (after + thud_verify_percussion_velocity(p, i, free_velocity)) / 2;
  }
  *energy =
      fmax(thud_verify_kinetic(p->system, p->at, p->v_left), thud_verify_kinetic(p->system, p->at, free_velocity));
  *apart = fabs(from_left - from_free);
  *nearest = fmin(fabs(from_left), fabs(from_free));
  return fmin(from_left, from_free);
}

void thud_verify_percussion_gain(const verify_percussion *p, double factor, thud_verify_check *check) {
  double energy, apart, nearest, gain = energy_gain_of(p, &energy, &apart, &nearest);
  double tolerance = fmax(p->tolerance, ENERGY_TOLERANCE) * energy;
  if (p->system->on_gain != VERIFY_ALLOW && thud_verify_tally(check, fmax(0, gain), tolerance, 0, p->t, p->row))
    thud_verify_explain(check, "energy created by the reactions");
  /* In an implicit step the velocity without reactions depends on the metric, M or that of the Newton step, by a part of
   * what the smooth forces change: which of the two views was the one that gains nothing is open by as much. */
  if (p->implicit) tolerance += apart;
  /* A table is brought back at the impact that it sees, which has no forces in it, Newton's law in the step. */
  double wasted = p->system->law == VERIFY_TABLE ? nearest : fabs(gain);
  if (factor < 1 && thud_verify_tally(check, wasted, tolerance, 0, p->t, p->row))
    thud_verify_explain(check, "restitution reduced to %.6g of its value, more than energy asks for", factor);
}
