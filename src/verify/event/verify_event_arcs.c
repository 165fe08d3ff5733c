/* One arc: equations of motion, constraints, reactions and friction, at Chebyshev points and between them.
 *
 * Gaps and reactions are interpolated by their Chebyshev series; minima are bounded on the whole arc, so that nothing
 * is stepped over as far as the series resolves the function, which its last terms show. */
#include "verify/event/verify_event.h"
#include "verify/math/verify_dense.h"
#include "verify/math/verify_interval.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* How far inside an arc its ends are asked, relative to its length: an expression may switch right at the end. */
static const double INSIDE = 1e-9;

/* Friction forces in sets that are projected on by iteration are judged to this part of their thresholds. */
#define ITERATED 1e-6

/* Part of the tolerance to which a minimum is bounded where that can be done. */
static const double SHARPNESS = 0x1p-10;

/* Beginning of an arc, relative to its length. */
static const double EARLY = 0x1p-5;

/* Values below this part of their terms, or this many times the gap that is left at the beginning, are not compared
 * with each other. */
static const double GROWTH_NOISE = 0x1p-46, GROWTH_START = 0x1p7;

typedef struct arc_sizes {
  double force; /* largest size of the terms of the equations of motion, in the kinetic metric */
  double work, loss;
} arc_sizes;

static double response_root(verify_event_rows *f, size_t i) {
  double response = thud_verify_response(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
  return response > 0 ? sqrt(response) : 1;
}

static void tally_constraint(verify_event_rows *f, thud_verify_check *check, size_t k, size_t i, double value,
                             double tolerance, double accuracy, const char *what) {
  if (thud_verify_tally(check, value, tolerance, accuracy, f->t[k], k) && check->status != THUD_VERIFY_NOT_CHECKABLE)
    thud_verify_explain(check, "%s of '%s' on the arc", what, f->system->constraints[i].name);
}

/* ---- one point -----------------------------------------------------------------------------------------------------
 */

bool thud_verify_event_place(verify_event_rows *f, size_t k, double s) {
  size_t rows = f->m + f->s;
  const double *c = f->reaction + k * (f->force_degree + 1) * rows;
  thud_verify_event_state(f, k, s, f->state, f->state + f->n, f->state + 2 * f->n);
  for (size_t i = 0; i < rows; i++) {
    double r = 0;
    for (size_t d = f->force_degree + 1; d-- > 0;) r = r * s + c[d * rows + i];
    f->r[i] = r;
  }
  f->resolved = 0;
  if (thud_verify_system_at(f->system, f->t[k] + s, f->state, f->state + f->n, &f->at)) {
    f->resolved = thud_verify_event_resolve(f, k);
    return true;
  }
  thud_verify_fail(&f->checks[EVENT_MOTION], f->t[k] + s, k, "the system cannot be evaluated here");
  return false;
}

/* |M a - F - A'r| in the kinetic metric; *size: of its terms. */
static double defect_here(verify_event_rows *f, size_t k, double *size) {
  size_t n = f->n;
  double *momentum = f->momentum;
  thud_verify_apply_mass(f->system, &f->at, f->state + 2 * n, momentum);
  *size = thud_verify_momentum_length(f->system, &f->at, momentum, f->work) +
          thud_verify_momentum_length(f->system, &f->at, f->at.force, f->work);
  *size += f->resolved; /* together: one by one they grow without bound */
  for (size_t j = 0; j < n; j++) momentum[j] -= f->at.force[j];
  for (size_t i = 0; i < f->m + f->s; i++) {
    if (f->r[i] == 0) continue;
    if (!thud_verify_event_is_unresolved(f, k, i)) *size += fabs(f->r[i]) * response_root(f, i);
    for (size_t j = 0; j < n; j++) momentum[j] -= verify_reaction_row(f->system, &f->at, i)[j] * f->r[i];
  }
  return thud_verify_momentum_length(f->system, &f->at, momentum, f->work);
}

/* Work of forces, of a potential that changes and of what moves beneath constraints; what friction takes. */
static void book_here(verify_event_rows *f, size_t j, arc_sizes *sizes) {
  const double *v = f->state + f->n;
  double power = *f->at.potential_rate + thud_verify_dot(f->n, f->at.applied, v), loss = 0, size = fabs(power);
  for (size_t i = 0; i < f->m; i++) {
    power += f->r[i] * thud_verify_dot(f->n, f->at.gradient + i * f->n, v);
    size += fabs(f->r[i] * f->at.rate[i]);
  }
  for (size_t i = 0; i < f->s; i++) {
    double u = thud_verify_slip_velocity(f->system, &f->at, i, v);
    power -= f->r[f->m + i] * f->at.slip_rate[i];
    loss -= f->r[f->m + i] * u;
    size += fabs(f->r[f->m + i] * f->at.slip_rate[i]);
  }
  f->power[j] = power;
  f->loss[j] = loss;
  sizes->work = fmax(sizes->work, size);
  sizes->loss = fmax(sizes->loss, fabs(loss));
}

/* r_T = -radius u_T/|u_T| where the contact slides: how far r_T is from it, and how far u_T can decide it. */
static double sliding_error(const verify_event_rows *f, const verify_law *law, double radius, double *blur) {
  const double *r = f->r + f->m + law->first;
  double speed = 0, fastest = 0, sum = 0;
  for (size_t d = 0; d < law->directions; d++) {
    speed = hypot(speed, thud_verify_slip_velocity(f->system, &f->at, law->first + d, f->state + f->n));
    fastest = fmax(fastest, f->slip_size[law->first + d]);
  }
  *blur = speed > 0 ? VERIFY_ROUNDING * fastest / speed : 1;
  if (!(*blur < f->tolerance))
    return fabs(thud_verify_norm(law->directions, r) - radius); /* no direction to speak of */
  for (size_t d = 0; d < law->directions; d++) {
    double u = thud_verify_slip_velocity(f->system, &f->at, law->first + d, f->state + f->n);
    sum = hypot(sum, r[d] + radius * u / speed);
  }
  return sum;
}

/* The same for a law with a set C: r_T = proj(radius C, r_T - radius u_T/|u_T|), so that the force is the point of the set
 * that is farthest against the slip however slow that is; at rest there is nothing to be said. */
static thud_error set_sliding_error(verify_event_rows *f, const verify_law *law, double radius, double *value,
                                    double *accuracy) {
  const double *v = f->state + f->n, *r = f->r + f->m + law->first;
  double *shifted = f->shifted, *y = f->shifted + law->directions, speed = 0, fastest = 0, own;
  for (size_t d = 0; d < law->directions; d++) {
    speed = hypot(speed, thud_verify_slip_velocity(f->system, &f->at, law->first + d, v));
    fastest = fmax(fastest, f->slip_size[law->first + d]);
  }
  if (!(radius > 0) || !(VERIFY_ROUNDING * fastest < f->tolerance * speed)) return THUD_OK;
  for (size_t d = 0; d < law->directions; d++)
    shifted[d] = r[d] - radius * thud_verify_slip_velocity(f->system, &f->at, law->first + d, v) / speed;
  thud_error error = thud_verify_law_project(f->system, law, radius, shifted, y, &own);
  double root = response_root(f, f->m + law->first);
  *value = fmax(*value, thud_verify_distance(law->directions, r, y) * root);
  *accuracy = fmax(*accuracy, own * root);
  return error;
}

/* Units in the last place of its terms, to which a reaction of the record is known. */
#define REACTION_ROUNDING (64 * DBL_EPSILON)

/* What the rounding of r_N makes of the threshold mu r_N, in the kinetic metric of the law's slips; force: the size of the
 * terms of the equations of motion. With a large mu, near the end of a contact, it is all that is known of it. */
static double threshold_rounding(verify_event_rows *f, size_t l, double force) {
  const verify_law *law = &f->system->laws[l];
  if (law->constraint == SIZE_MAX) return 0;
  return fabs(f->at.friction[l]) * REACTION_ROUNDING * force / response_root(f, law->constraint) *
         response_root(f, f->m + law->first);
}

/* force: as above. */
static thud_error friction_here(verify_event_rows *f, size_t k, size_t j, double force) {
  const verify_system *system = f->system;
  thud_error error = THUD_OK;
  for (size_t l = 0; l < system->law_count && error == THUD_OK; l++) {
    const verify_law *law = &system->laws[l];
    bool own = law->constraint == SIZE_MAX;
    double normal = own ? 1 : f->r[law->constraint];
    if (!own && verify_is_one_sided(system->constraints[law->constraint].kind)) normal = fmax(0, normal);
    double radius = f->at.friction[l] * fabs(normal), value = 0, accuracy = 0, blur;
    error = thud_verify_friction_error(system, &f->at, law, radius, own ? (double)INFINITY : fabs(normal),
                                       f->r + f->m + law->first, f->state + f->n, f->slip_size, f->shifted, &value,
                                       &accuracy);
    int mode = own ? VERIFY_MODE_OPEN : verify_event_mode(f, k, law->constraint);
    if (mode == VERIFY_MODE_SLIDING && law->disc)
      value = fmax(value, sliding_error(f, law, radius, &blur) * response_root(f, f->m + law->first));
    if (mode == VERIFY_MODE_SLIDING && !law->disc && !law->firm && error == THUD_OK)
      error = set_sliding_error(f, law, radius, &value, &accuracy);
    /* beside the threshold: rounding, of a law by itself where nothing else is there, and what iterations leave of projections
     * near the corners of sets that are given by several others */
    double known = accuracy > 0 ? ITERATED : own ? VERIFY_ROUNDING : 0;
    if (known > 0 && value <= known * radius * response_root(f, f->m + law->first)) value = accuracy = 0;
    f->friction_at[l * f->samples + j] = fmax(0, value - threshold_rounding(f, l, force));
    f->friction_accuracy[l] = fmax(j > 0 ? f->friction_accuracy[l] : 0, accuracy);
  }
  return error;
}

/* Slips of contacts that stick. */
static void check_sticking(verify_event_rows *f, size_t k) {
  const verify_system *system = f->system;
  for (size_t l = 0; l < system->law_count; l++) {
    const verify_law *law = &system->laws[l];
    if (law->constraint == SIZE_MAX || verify_event_mode(f, k, law->constraint) != VERIFY_MODE_STICKING) continue;
    for (size_t d = 0; d < law->directions; d++) {
      double u = thud_verify_slip_velocity(system, &f->at, law->first + d, f->state + f->n);
      tally_constraint(f, &f->checks[EVENT_MODES], k, law->constraint,
                       fabs(u) / response_root(f, f->m + law->first + d), f->tolerance * f->speed, 0,
                       "slip while it sticks,");
    }
  }
}

/* f holds point j. */
static thud_error sample(verify_event_rows *f, size_t k, size_t j, arc_sizes *sizes) {
  double size;
  f->defect[j] = defect_here(f, k, &size);
  sizes->force = fmax(sizes->force, size);
  for (size_t i = 0; i < f->m; i++) {
    double root = response_root(f, i);
    f->root[i] = fmax(j > 0 ? f->root[i] : 0, root);
    f->gap_at[i * f->samples + j] = f->at.gap[i];
    f->u_at[i * f->samples + j] = thud_verify_constraint_velocity(f->system, &f->at, i, f->state + f->n) / root;
    f->r_at[i * f->samples + j] = f->r[i];
  }
  book_here(f, j, sizes);
  check_sticking(f, k);
  return friction_here(f, k, j, size);
}

/* ---- the whole arc -------------------------------------------------------------------------------------------------
 */

/* Bound of |values| on the arc. */
static double bound_of(const verify_event_rows *f, const double *values) {
  double sum = 0;
  thud_verify_chebyshev_fit(f->samples, values, f->coefficients);
  for (size_t j = 0; j < f->samples; j++) sum += fabs(f->coefficients[j]);
  return sum;
}

/* max(0, -minimum of the values) when it is above the tolerance, otherwise a bound of it. */
static double violation_of(const verify_event_rows *f, const double *values, double tolerance, double *accuracy) {
  thud_verify_chebyshev_fit(f->samples, values, f->coefficients);
  *accuracy = thud_verify_chebyshev_error(f->samples, f->coefficients);
  double sharp = fmax(0, -thud_verify_chebyshev_minimum(f->samples, f->coefficients, -SHARPNESS * tolerance));
  if (sharp <= SHARPNESS * tolerance) return sharp;
  return fmax(0, -thud_verify_chebyshev_minimum(f->samples, f->coefficients, -tolerance));
}

/* What is left of a gap that is 0 on the arc: beyond the tolerance also what the rounding of its terms may be at each
 * point. */
static double rest_of_gap(verify_event_rows *f, size_t k, size_t i, double *tolerance) {
  double rest = bound_of(f, f->gap_at + i * f->samples), noise = 0;
  const verify_state_at at = {.t = f->t[k], .h = f->t_end[k] - f->t[k], .q = f->state, .v = f->state + f->n};
  if (rest > *tolerance && thud_verify_gap_noise(f->system, &at, &f->at, i, &noise) == THUD_OK)
    *tolerance += (double)f->samples * noise;
  return rest;
}

static void check_constraint(verify_event_rows *f, size_t k, size_t i) {
  verify_constraint_kind kind = f->system->constraints[i].kind;
  bool has_gap = kind == VERIFY_UNILATERAL || kind == VERIFY_EQUATION, held = f->accumulation[k] == 0;
  int mode = verify_event_mode(f, k, i);
  const double *gap = f->gap_at + i * f->samples, *u = f->u_at + i * f->samples;
  double gap_tolerance = f->tolerance * f->gap_size[i], u_tolerance = f->tolerance * f->speed, accuracy;
  bool equation = !verify_is_one_sided(kind);
  bool closed = equation || verify_mode_lasts(mode) || mode == VERIFY_MODE_UNDECIDED;
  thud_verify_check *check = equation ? &f->checks[EVENT_GAP] : &f->checks[EVENT_MODES];
  if (equation && !verify_mode_lasts(mode))
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "'%s' is an equation and lasts",
                     f->system->constraints[i].name);
  if (closed && held) {
    if (has_gap) {
      double rest = rest_of_gap(f, k, i, &gap_tolerance);
      tally_constraint(f, check, k, i, rest, gap_tolerance, 0, equation ? "equation" : "gap while it lasts,");
    }
    tally_constraint(f, check, k, i, bound_of(f, u), u_tolerance, 0,
                     equation ? "velocity" : "velocity while it lasts,");
    return;
  }
  double tolerance = has_gap ? gap_tolerance : u_tolerance;
  double violation = violation_of(f, has_gap ? gap : u, tolerance, &accuracy);
  if (has_gap && f->proof->gaps_hold) { /* known, however little the interpolation resolves */
    violation = fmin(violation, f->proof->eta[i]);
    accuracy = 0;
  }
  tally_constraint(f, &f->checks[EVENT_GAP], k, i, violation, tolerance, accuracy,
                   has_gap ? "penetration" : "velocity");
}

/* Is every coefficient of the reaction of row i 0? */
static bool is_free(const verify_event_rows *f, size_t k, size_t i) {
  size_t rows = f->m + f->s;
  const double *c = f->reaction + k * (f->force_degree + 1) * rows + i;
  for (size_t d = 0; d <= f->force_degree; d++)
    if (c[d * rows] != 0) return false;
  return true;
}

/* The order that decided a lasting contact is that of its reaction. */
static void check_lasting_order(verify_event_rows *f, size_t k, size_t i, double force) {
  size_t rows = f->m + f->s;
  const double *c = f->reaction + k * (f->force_degree + 1) * rows + i;
  double order = f->order[k * f->m + i], h = f->t_end[k] - f->t[k], power = f->root[i];
  const char *name = f->system->constraints[i].name;
  if (is_free(f, k, i)) return;
  if (order < 0 || order > (double)f->force_degree) {
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "'%s' lasts with a reaction, but no order has decided that",
                     name);
    return;
  }
  for (size_t d = 0; d < (size_t)order; d++, power *= h)
    tally_constraint(f, &f->checks[EVENT_MODES], k, i, fabs(c[d * rows]) * power, f->tolerance * force, 0,
                     "reaction before the order that decided,");
  if (!(c[(size_t)order * rows] > 0))
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "the reaction of '%s' does not begin at order %g", name,
                     order);
}

/* Power of s with which the gap (velocity constraints: u) grows about s, from its values at s and s/2; NAN: rounding
 * hides it. */
static double growth(verify_event_rows *f, size_t k, size_t i, double s) {
  bool has_gap = f->system->constraints[i].kind == VERIFY_UNILATERAL;
  double value[3], noise = 0;
  for (int part = 0; part < 3; part++) {
    if (!thud_verify_event_place(f, k, part == 0 ? s : part == 1 ? s / 2 : 0)) return NAN;
    const double *x = has_gap ? f->state : f->state + f->n;
    value[part] = has_gap ? f->at.gap[i] : thud_verify_constraint_velocity(f->system, &f->at, i, x);
    noise = fmax(noise, fabs(value[part]));
    if (has_gap) noise = fmax(noise, fabs(f->at.rate[i] * (f->t[k] + s))); /* t is rounded, too */
    for (size_t j = 0; j < f->n; j++) noise = fmax(noise, fabs(f->at.gradient[i * f->n + j] * x[j]));
  }
  if (!has_gap) value[2] = 0; /* u need not begin at 0 */
  return value[1] > GROWTH_NOISE * noise + GROWTH_START * fabs(value[2]) && value[0] > 0 ? log2(value[0] / value[1])
                                                                                         : NAN;
}

/* Of a contact that leaves it is that of its separation. At the beginning of the arc the gap grows with this power,
 * later maybe with a higher one. A velocity beyond rounding decides by itself, however soon forces hide it. */
static void check_leaving_order(verify_event_rows *f, size_t k, size_t i) {
  bool has_gap = f->system->constraints[i].kind == VERIFY_UNILATERAL;
  double order = f->order[k * f->m + i], h = f->t_end[k] - f->t[k], power = order + (has_gap ? 2 : 1), u = 0;
  double early = growth(f, k, i, h * EARLY), earlier = growth(f, k, i, h * EARLY * EARLY);
  if (has_gap && thud_verify_event_place(f, k, 0))
    u = thud_verify_constraint_velocity(f->system, &f->at, i, f->state + f->n) / response_root(f, i);
  bool by_velocity = u > VERIFY_ROUNDING * f->speed, good = true;
  if (early < power - 0.5 || earlier < power - 0.5 || earlier > power + 0.5) good = order < 0 && by_velocity;
  if (order >= 0 && u > f->tolerance * f->speed) good = false;
  if (!good)
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "'%s' leaves, but not at order %g",
                     f->system->constraints[i].name, order);
}

static void check_order(verify_event_rows *f, size_t k, size_t i, double force) {
  int mode = verify_event_mode(f, k, i);
  if (verify_mode_lasts(mode)) check_lasting_order(f, k, i, force);
  if (mode == VERIFY_MODE_LEAVING) check_leaving_order(f, k, i);
  if (mode == VERIFY_MODE_OPEN && f->order[k * f->m + i] != -1)
    thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "'%s' is open, there was nothing to decide",
                     f->system->constraints[i].name);
}

static void check_reaction(verify_event_rows *f, size_t k, size_t i, double force) {
  const char *name = f->system->constraints[i].name;
  int mode = verify_event_mode(f, k, i);
  double accuracy, tolerance = f->tolerance * force;
  if (!verify_is_one_sided(f->system->constraints[i].kind)) {
    if (f->order[k * f->m + i] != -1)
      thud_verify_fail(&f->checks[EVENT_MODES], f->t[k], k, "'%s' is an equation, there was nothing to decide", name);
    return;
  }
  if (!verify_mode_lasts(mode)) {
    if (!is_free(f, k, i))
      thud_verify_fail(&f->checks[EVENT_LAW], f->t[k], k, "'%s' is not in contact and has a reaction", name);
    check_order(f, k, i, force);
    return;
  }
  double violation = f->root[i] * violation_of(f, f->r_at + i * f->samples, tolerance / f->root[i], &accuracy);
  if (thud_verify_proof_normal(f, k, i, tolerance / f->root[i])) { /* known, however little is resolved */
    violation = fmin(violation, tolerance);
    accuracy = 0;
  }
  tally_constraint(f, &f->checks[EVENT_LAW], k, i, violation, tolerance, f->root[i] * accuracy, "negative reaction");
  check_order(f, k, i, force);
}

static void check_ends(verify_event_rows *f, size_t k, double accepted) {
  double h = f->t_end[k] - f->t[k], inside = fmax(INSIDE * h, 8 * DBL_EPSILON * fmax(fabs(f->t[k]), fabs(f->t_end[k])));
  if (inside > h / 4) return;
  for (int end = 0; end < 2; end++) {
    double size;
    if (!thud_verify_event_place(f, k, end == 0 ? inside : h - inside)) return;
    if (thud_verify_tally(&f->checks[EVENT_MOTION], defect_here(f, k, &size), accepted, 0, f->t[k], k))
      thud_verify_explain(&f->checks[EVENT_MOTION], "at the %s of the arc", end == 0 ? "beginning" : "end");
  }
}

/* Between the points: forces of contacts that stick stay within their sets. */
static void check_sticking_forces(verify_event_rows *f, size_t k, double force) {
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    if (law->constraint == SIZE_MAX || verify_event_mode(f, k, law->constraint) != VERIFY_MODE_STICKING) continue;
    double allowed = f->tolerance * force + threshold_rounding(f, l, force);
    thud_verify_proof_sticking(f, k, l, allowed / response_root(f, f->m + law->first));
  }
}

static void check_dynamics(verify_event_rows *f, size_t k, double force) {
  /* Where forces are small beside those before, a run owes them no more digits than these have. */
  double accepted = fmax(f->tolerance * force, thud_verify_proof_accepted(f));
  for (size_t j = 0; j < f->samples; j++)
    thud_verify_tally(&f->checks[EVENT_MOTION], f->defect[j], accepted, 0, f->t[k], k);
  check_ends(f, k, accepted);
  for (size_t i = 0; i < f->m; i++) check_reaction(f, k, i, force);
  for (size_t l = 0; l < f->system->law_count; l++)
    for (size_t j = 0; j < f->samples; j++)
      if (thud_verify_tally(&f->checks[EVENT_FRICTION], f->friction_at[l * f->samples + j], f->tolerance * force,
                            f->friction_accuracy[l], f->t[k], k) &&
          f->checks[EVENT_FRICTION].status != THUD_VERIFY_NOT_CHECKABLE)
        thud_verify_explain(&f->checks[EVENT_FRICTION], "law '%s' on the arc", f->system->laws[l].name);
  check_sticking_forces(f, k, force);
}

static double integral(const verify_event_rows *f, const double *values, double h) {
  thud_verify_chebyshev_fit(f->samples, values, f->coefficients);
  return thud_verify_chebyshev_integral(f->samples, f->coefficients) * h / 2;
}

thud_error thud_verify_event_arc(verify_event_rows *f, size_t k, verify_event_books *books) {
  double h = f->t_end[k] - f->t[k];
  arc_sizes sizes = {.force = VERIFY_ROUNDING / f->tolerance * f->force};
  *books = (verify_event_books){0};
  if (!(h > 0)) return THUD_OK;
  for (size_t j = 0; j < f->samples; j++) {
    if (!thud_verify_event_place(f, k, h * (1 + thud_verify_chebyshev_point(f->samples, j)) / 2)) return THUD_OK;
    thud_error error = sample(f, k, j, &sizes);
    if (error != THUD_OK) return error;
  }
  for (size_t i = 0; i < f->m; i++) check_constraint(f, k, i);
  f->asked++;
  if (f->accumulation[k] != 0) return THUD_OK;
  check_dynamics(f, k, sizes.force);
  *books = (verify_event_books){.work = integral(f, f->power, h),
                                .loss = integral(f, f->loss, h),
                                .work_size = h * sizes.work,
                                .loss_size = h * sizes.loss};
  return THUD_OK;
}

/* ---- arcs that lead through a point at which the gradients of equations are dependent (docs/verification.md) ----- */

/* Arcs that lead through a point at which the gradients of equations are dependent (docs/verification.md).
 *
 * There the multipliers of the equations may grow without bound, and the record then has NaN in their place: it says no more
 * than that the force of the constraints, r = M a - F, is made of the gradients. At every point that is looked at the
 * multipliers of these rows are those that leave the least of the equations of motion, in the kinetic metric; what they
 * leave is judged like the defect of other arcs. The gradients must turn out dependent on the arc, or next to it where a run
 * begins behind the point or ends before it: on other arcs reactions are polynomials. */

/* Gradients of which no more than this is left beside others, at length 1, are not used. */
#define DEPENDENT 1e-10
/* Directions turn round within a step between two points where less than this is left of one. */
#define NEARLY 0.5
/* Points at which dependences are looked for: on the arc and as far again before and behind it. */
enum { PLACES = 64, BEFORE = -PLACES, BEHIND = 2 * PLACES };

bool thud_verify_event_is_unresolved(const verify_event_rows *f, size_t k, size_t i) {
  return f->status[k] == VERIFY_ARC_PASSAGE && i < f->m && f->system->constraints[i].kind == VERIFY_EQUATION &&
         isnan(f->reaction[k * (f->force_degree + 1) * (f->m + f->s) + i]);
}

/* Row i without its components along the basis; what is left of it at length 1. mix (may be NULL): which multiples of the
 * unit gradients the basis is made of. */
static double add_gradient(verify_event_rows *f, size_t i, size_t count, double *basis, double *mix) {
  size_t n = f->n, m = f->m;
  double *left = basis + count * n, *own = mix + count * m, length;
  thud_verify_cholesky_forward(n, f->at.factor, f->at.gradient + i * n, left);
  length = thud_verify_norm(n, left);
  if (!(length > 0)) return 0;
  memset(own, 0, m * sizeof *own);
  own[i] = 1 / length;
  for (size_t c = 0; c < n; c++) left[c] /= length;
  for (int turn = 0; turn < 2; turn++)
    for (size_t b = 0; b < count; b++) {
      double part = thud_verify_dot(n, left, basis + b * n);
      for (size_t c = 0; c < n; c++) left[c] -= part * basis[b * n + c];
      for (size_t j = 0; j < m; j++) own[j] -= part * mix[b * m + j];
    }
  double size = thud_verify_norm(n, left);
  for (size_t c = 0; c < n && size > 0; c++) left[c] /= size;
  for (size_t j = 0; j < m && size > 0; j++) own[j] /= size;
  return size;
}

double thud_verify_event_resolve(verify_event_rows *f, size_t k) {
  size_t n = f->n, m = f->m, count = 0;
  double *basis = f->passage, *mix = basis + (m + 1) * n, *rest = mix + (m + 1) * m, square = 0;
  bool any = false;
  for (size_t i = 0; i < m; i++) any = any || thud_verify_event_is_unresolved(f, k, i);
  if (!any) return 0;
  thud_verify_apply_mass(f->system, &f->at, f->state + 2 * n, rest);
  for (size_t c = 0; c < n; c++) rest[c] -= f->at.force[c];
  for (size_t i = 0; i < m + f->s; i++) {
    if (thud_verify_event_is_unresolved(f, k, i)) {
      f->r[i] = 0;
      continue;
    }
    for (size_t c = 0; c < n; c++) rest[c] -= verify_reaction_row(f->system, &f->at, i)[c] * f->r[i];
  }
  thud_verify_cholesky_forward(n, f->at.factor, rest, rest);
  for (size_t i = 0; i < m; i++) {
    if (!thud_verify_event_is_unresolved(f, k, i) || add_gradient(f, i, count, basis, mix) <= DEPENDENT) continue;
    double part = thud_verify_dot(n, rest, basis + count * n);
    for (size_t c = 0; c < n; c++) rest[c] -= part * basis[count * n + c];
    for (size_t j = 0; j < m; j++) f->r[j] += part * mix[count * m + j];
    square += part * part;
    count++;
  }
  return sqrt(square);
}

/* Bases of all equations one place after the other: whether a row turns round. */
static bool turns_between(verify_event_rows *f, bool first) {
  size_t n = f->n, m = f->m, count = 0;
  double *basis = f->passage, *mix = basis + (m + 1) * n, *before = mix + (m + 1) * m + n, *left = before + m * n;
  bool turns = false;
  for (size_t i = 0; i < m; i++) {
    if (f->system->constraints[i].kind != VERIFY_EQUATION) continue;
    double now = add_gradient(f, i, count, basis, mix);
    if (now <= DEPENDENT && !first && left[i] > DEPENDENT) return true;
    bool near = now < NEARLY || left[i] < NEARLY;
    if (!first && near && thud_verify_dot(n, basis + count * n, before + i * n) < 0) turns = true;
    memcpy(before + i * n, basis + count * n, n * sizeof *before);
    left[i] = now;
    if (now > DEPENDENT) count++;
  }
  return turns;
}

void thud_verify_event_check_passage(verify_event_rows *f, size_t k) {
  double h = f->t_end[k] - f->t[k];
  if (f->status[k] != VERIFY_ARC_PASSAGE || !verify_event_has_arc(f, k)) return;
  for (size_t i = 0; i < f->m; i++)
    if (verify_is_one_sided(f->system->constraints[i].kind) && verify_event_mode(f, k, i) != VERIFY_MODE_OPEN)
      thud_verify_fail(&f->checks[EVENT_PROOF], f->t[k], k,
                       "'%s' is in contact on the way through a dependence of equations",
                       f->system->constraints[i].name);
  for (int place = BEFORE; place <= BEHIND; place++) {
    double s = h * place / PLACES;
    thud_verify_event_state(f, k, s, f->state, f->state + f->n, f->state + 2 * f->n);
    if (!thud_verify_system_at(f->system, f->t[k] + s, f->state, f->state + f->n, &f->at)) break;
    if (turns_between(f, place == BEFORE)) return;
  }
  thud_verify_fail(
      &f->checks[EVENT_PROOF], f->t[k], k,
      "the record says that the arc leads through a dependence of equations; their gradients are independent "
      "on it");
}

/* ---- slip with two components that comes to rest, turning ever faster -------------------------------------------- */

/* Slip with two components that comes to rest, turning ever faster: the motion is followed until the slip would vanish
 * within the time tolerance, and what is left of it is taken away (docs/event-driven.md). The velocity jumps there, by
 * no more than forces do in that time, and only along the rows that hold: those of contacts that last, the slips of
 * contacts that stick and of the one that stops. */

/* Has slip of this law, with several components, come to rest at row k? Laws by themselves have no modes. */
static bool stops(const verify_event_rows *f, size_t k, const verify_law *law) {
  if (law->directions < 2) return false;
  if (law->constraint == SIZE_MAX) return f->event[k] == VERIFY_EVENT_STICK || f->event[k] == VERIFY_EVENT_SLIP;
  size_t at = k * f->m + law->constraint;
  return f->involved[at] != 0 && f->mode_left[at] == VERIFY_MODE_SLIDING;
}

static bool any_stops(const verify_event_rows *f, size_t k) {
  for (size_t l = 0; l < f->system->law_count; l++)
    if (stops(f, k, &f->system->laws[l])) return true;
  return false;
}

static void add_column(const verify_event_rows *f, size_t row, double *columns, size_t *count) {
  thud_verify_cholesky_forward(f->n, f->at.factor, verify_reaction_row(f->system, &f->at, row),
                               columns + *count * f->n);
  ++*count;
}

/* L^-1 of the rows that hold, one after the other. */
static size_t gather(const verify_event_rows *f, size_t k, double *columns) {
  size_t count = 0;
  for (size_t i = 0; i < f->m; i++)
    if (verify_mode_lasts((int)f->mode_left[k * f->m + i])) add_column(f, i, columns, &count);
  for (size_t l = 0; l < f->system->law_count; l++) {
    const verify_law *law = &f->system->laws[l];
    bool sticks = law->constraint != SIZE_MAX && f->mode_left[k * f->m + law->constraint] == VERIFY_MODE_STICKING;
    for (size_t d = 0; d < law->directions && (sticks || stops(f, k, law)); d++)
      add_column(f, f->m + law->first + d, columns, &count);
  }
  return count;
}

/* Sizes of the forces at the end of the arc before, which f->at and f->r hold, in the kinetic metric. */
static double force_here(verify_event_rows *f) {
  double size = thud_verify_momentum_length(f->system, &f->at, f->at.force, f->work);
  for (size_t i = 0; i < f->m + f->s; i++)
    size += fabs(f->r[i]) *
            thud_verify_momentum_length(f->system, &f->at, verify_reaction_row(f->system, &f->at, i), f->work);
  return size;
}

/* taken = M^-1 of the part of M (v - v_left) along the rows that hold. */
static thud_error find_taken(verify_event_rows *f, size_t k, double *taken) {
  size_t n = f->n, rows = f->m + f->s;
  double *columns = THUD_NEW_ARRAY(f->context, double, rows *n + rows + n), *x = NULL, *b = NULL;
  bool *is_free = THUD_NEW_ARRAY(f->context, bool, rows);
  thud_error error = columns != NULL && is_free != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    x = columns + rows * n;
    b = x + rows;
    memset(is_free, 1, rows * sizeof(bool));
    for (size_t j = 0; j < n; j++) taken[j] = verify_event_v(f, k)[j] - f->v_left[k * n + j];
    thud_verify_apply_mass(f->system, &f->at, taken, b);
    thud_verify_cholesky_forward(n, f->at.factor, b, b);
    verify_fit fit = {.rows = n, .columns = gather(f, k, columns), .B = columns, .is_free = is_free, .b = b, .x = x};
    error = thud_verify_fit_solve(f->context, &fit);
    memset(taken, 0, n * sizeof(double));
    for (size_t c = 0; c < fit.columns && error == THUD_OK; c++)
      for (size_t j = 0; j < n; j++) taken[j] += columns[c * n + j] * x[c];
    thud_verify_cholesky_backward(n, f->at.factor, taken);
  }
  thud_free(f->context, columns);
  thud_free(f->context, is_free);
  return error;
}

thud_error thud_verify_event_stop(verify_event_rows *f, size_t k, double *taken) {
  memset(taken, 0, f->n * sizeof(double));
  if (k == 0 || !any_stops(f, k) || !thud_verify_event_place(f, k - 1, f->t_end[k - 1] - f->t[k - 1])) return THUD_OK;
  double late = fmin(f->t_error[k], f->system->time_tolerance * fabs(f->t[k]));
  double allowed = late * force_here(f) + VERIFY_ROUNDING * f->speed;
  thud_error error = find_taken(f, k, taken);
  double found = sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &f->at, taken)));
  if (error == THUD_OK && thud_verify_tally(&f->checks[EVENT_CONTINUITY], found, allowed, 0, f->t[k], k))
    thud_verify_explain(&f->checks[EVENT_CONTINUITY], "slip that is taken away where it stops");
  return error;
}
