/* The laws of a motion at one instant: constraints, admissible reactions, impacts. */
#include "verify/system/verify_system_arcs.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_fit.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <string.h>

static double response_root(verify_flight *f, size_t i) {
  double response = thud_verify_response(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
  return response > 0 ? sqrt(response) : 1;
}

static void tally_constraint(verify_flight *f, thud_verify_check *check, double value, double tolerance, double t,
                             size_t row, size_t i, const char *what) {
  if (thud_verify_tally(check, value, tolerance, 0, t, row))
    thud_verify_explain(check, "%s of '%s'", what, f->system->constraints[i].name);
}

/* |L^-1 p|: length of the momentum p, M = LL'. */
double thud_verify_kinetic_length(const verify_flight *f, const verify_values *values, const double *momentum) {
  return thud_verify_momentum_length(f->system, values, momentum, f->work + 11 * f->n);
}

static double gap_tolerance(const verify_flight *f, size_t i) { return f->tolerance * f->gap_size[i]; }

void thud_verify_flight_constraints(verify_flight *f, double t, size_t row, const double *v) {
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    thud_verify_check *check = &f->checks.constraints;
    double gap = f->at.gap[i], u = thud_verify_constraint_velocity(f->system, &f->at, i, v) / response_root(f, i);
    if (kind == VERIFY_UNILATERAL) {
      tally_constraint(f, check, fmax(0, -gap), gap_tolerance(f, i), t, row, i, "penetration");
      continue;
    }
    if (kind == VERIFY_EQUATION) tally_constraint(f, check, fabs(gap), gap_tolerance(f, i), t, row, i, "equation");
    tally_constraint(f, check, kind == VERIFY_ONE_SIDED ? fmax(0, -u) : fabs(u), f->tolerance * f->speed, t, row, i,
                     "velocity");
  }
}

void thud_verify_flight_lasting(verify_flight *f, const double *v) {
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    double u = thud_verify_constraint_velocity(f->system, &f->at, i, v) / response_root(f, i);
    bool engaged = fabs(u) <= f->tolerance * f->speed;
    f->closed[i] =
        !verify_is_one_sided(kind) || (engaged && (kind == VERIFY_ONE_SIDED || f->at.gap[i] <= gap_tolerance(f, i)));
  }
}

/* ---- reactions ------------------------------------------------------------------------------------------------------
 */

static size_t add_column(verify_flight *f, size_t count, size_t i, bool is_free) {
  thud_verify_cholesky_forward(f->n, f->at.factor, verify_reaction_row(f->system, &f->at, i),
                               f->columns + count * f->n);
  f->source[count] = i;
  f->is_free[count] = is_free;
  return count + 1;
}

/* Columns of the closed constraints and of the friction laws that may act. own: laws by themselves too. */
static size_t gather_columns(verify_flight *f, bool own) {
  const verify_system *system = f->system;
  size_t count = 0;
  for (size_t i = 0; i < f->m; i++)
    if (f->closed[i]) count = add_column(f, count, i, !verify_is_one_sided(system->constraints[i].kind));
  for (size_t k = 0; k < system->law_count; k++) {
    const verify_law *law = &system->laws[k];
    if (law->constraint == SIZE_MAX ? !own : !f->closed[law->constraint]) continue;
    if (f->at.friction[k] == 0) continue;
    for (size_t d = 0; d < law->directions; d++) count = add_column(f, count, f->m + law->first + d, true);
  }
  return count;
}

/* The reactions next to the momentum: x [m+s] by rows, distance in the kinetic metric. */
static thud_error fit_reactions(verify_flight *f, const double *momentum, bool own, double *distance, bool *unique) {
  size_t n = f->n, count = gather_columns(f, own);
  double *b = f->work + n, *found = f->found;
  thud_verify_cholesky_forward(n, f->at.factor, momentum, b);
  verify_fit fit = {.rows = n, .columns = count, .B = f->columns, .is_free = f->is_free, .b = b, .x = f->x};
  thud_error error = thud_verify_fit_solve(f->context, &fit);
  if (error != THUD_OK) return error;
  *distance = fit.distance;
  *unique = fit.unique;
  memcpy(found, f->x, count * sizeof(double));
  memset(f->x, 0, (f->m + f->s) * sizeof(double));
  for (size_t c = 0; c < count; c++) f->x[f->source[c]] = found[c];
  return THUD_OK;
}

/* Friction by its natural map |r_T - proj(radius C, r_T - c u_T)|, c so that the fastest slip of the trajectory shifts
 * by the radius; relative to the reactions. */
static thud_error check_friction(verify_flight *f, double t, size_t row, const double *v, double duration,
                                 double relative, double size, bool unique) {
  const verify_system *system = f->system;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < system->law_count && error == THUD_OK; k++) {
    const verify_law *law = &system->laws[k];
    bool own = law->constraint == SIZE_MAX;
    if (own ? !(duration > 0) : !f->closed[law->constraint]) continue;
    double normal = own ? duration : fabs(f->x[law->constraint]), radius = f->at.friction[k] * normal;
    double value = 0, accuracy = 0;
    error = thud_verify_friction_error(system, &f->at, law, radius, own ? (double)INFINITY : normal,
                                       f->x + f->m + law->first, v, f->slip_size, f->shifted, &value, &accuracy);
    if (error != THUD_OK) return error;
    bool kept = thud_verify_tally(&f->checks.friction, value, relative * size,
                                  unique || value <= relative * size ? accuracy : (double)INFINITY, t, row);
    if (kept && f->checks.friction.status == THUD_VERIFY_NOT_CHECKABLE)
      thud_verify_explain(&f->checks.friction, "law '%s': the reactions are not determined by the motion", law->name);
    else if (kept)
      thud_verify_explain(&f->checks.friction, "law '%s'", law->name);
  }
  return error;
}

thud_error thud_verify_flight_reactions(verify_flight *f, double t, size_t row, const double *v, const double *momentum,
                                        double scale, double relative, double duration) {
  double distance;
  bool unique;
  thud_error error = fit_reactions(f, momentum, true, &distance, &unique);
  if (error != THUD_OK) return error;
  if (thud_verify_tally(&f->checks.motion, distance, relative * scale, 0, t, row) &&
      f->checks.motion.status == THUD_VERIFY_FAILED)
    thud_verify_explain(&f->checks.motion,
                        "no admissible reaction makes up for the acceleration: %.3g of %.3g are left", distance, scale);
  return check_friction(f, t, row, v, duration, relative, scale, unique);
}

/* ---- impacts --------------------------------------------------------------------------------------------------------
 */

static double largest_restitution(const verify_flight *f) {
  double e = 0;
  for (size_t i = 0; i < f->m; i++)
    if (f->system->constraints[i].kind == VERIFY_UNILATERAL && f->at.gap[i] <= gap_tolerance(f, i))
      e = fmax(e, f->at.restitution[i]);
  return e;
}

/* Which constraints may have an impulse, and whether the velocities obey the law. Newton, canonical: u+ + e u- >= 0
 * where the gap is closed, and an impulse only where it is 0. Other laws: u+ >= 0. */
static void judge_velocities(verify_flight *f, double t, size_t row, const double *left, const double *right) {
  const verify_system *system = f->system;
  bool newton = system->law == VERIFY_NEWTON || system->law == VERIFY_CANONICAL;
  double canonical = system->law == VERIFY_CANONICAL ? largest_restitution(f) : 0, accepted = f->tolerance * f->speed;
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = system->constraints[i].kind;
    f->closed[i] = kind != VERIFY_UNILATERAL || f->at.gap[i] <= gap_tolerance(f, i);
    if (!f->closed[i] || !verify_is_one_sided(kind)) continue;
    double root = response_root(f, i), e = canonical > 0 ? canonical : f->at.restitution[i];
    double after = thud_verify_constraint_velocity(system, &f->at, i, right) / root;
    double before = thud_verify_constraint_velocity(system, &f->at, i, left) / root;
    double w = newton ? after + e * before : after;
    tally_constraint(f, &f->checks.impact, fmax(0, -w), accepted, t, row, i, newton ? "law" : "velocity afterwards");
    f->closed[i] = !newton || fabs(w) <= accepted;
  }
}

thud_error thud_verify_flight_impact(verify_flight *f, double t, size_t row, const double *left, const double *right) {
  const verify_system *system = f->system;
  size_t n = f->n;
  double *change = f->work + 9 * n, *momentum = f->work + 10 * n, distance;
  bool unique;
  judge_velocities(f, t, row, left, right);
  for (size_t i = 0; i < n; i++) change[i] = right[i] - left[i];
  thud_verify_apply_mass(system, &f->at, change, momentum);
  thud_error error = fit_reactions(f, momentum, false, &distance, &unique);
  if (error != THUD_OK) return error;
  if (thud_verify_tally(&f->checks.impact, distance, f->tolerance * f->speed, 0, t, row))
    thud_verify_explain(&f->checks.impact, "what the closed constraints leave of the jump's impulse");
  bool newton = system->law == VERIFY_NEWTON || system->law == VERIFY_CANONICAL;
  if (newton) error = check_friction(f, t, row, right, 0, f->tolerance, f->speed, unique);
  double after = thud_verify_kinetic(system, &f->at, right), before = thud_verify_kinetic(system, &f->at, left);
  double gain = after - before, fastest = sqrt(2 * fmax(0, fmax(before, after)));
  for (size_t i = 0; i < f->m; i++) gain += f->x[i] * f->at.rate[i]; /* what moving constraints do */
  for (size_t i = 0; i < f->s; i++) gain += f->x[f->m + i] * f->at.slip_rate[i];
  if (system->on_gain != VERIFY_ALLOW &&
      thud_verify_tally(&f->checks.energy, fmax(0, gain), f->tolerance * f->speed * fastest, 0, t, row))
    thud_verify_explain(&f->checks.energy, "energy that a jump creates");
  return error;
}
