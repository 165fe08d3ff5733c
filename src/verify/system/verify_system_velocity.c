/* Velocity problems: the laws of one of them at a fixed configuration, and that of a frame with the constraints that act. */
#include "verify/math/verify_dense.h"
#include "verify/math/verify_interval.h"
#include "verify/system/verify_system_frames.h"

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

static const double *percussion_row(const verify_percussion *p, size_t i) {
  return verify_reaction_row(p->system, p->at, i);
}

double thud_verify_percussion_velocity(const verify_percussion *p, size_t i, const double *v) {
  size_t m = p->system->m;
  double bend = i < m && p->bend != NULL ? p->bend[i] : 0;
  return i < m ? thud_verify_constraint_velocity(p->system, p->at, i, v) + bend
               : thud_verify_slip_velocity(p->system, p->at, i - m, v);
}

double thud_verify_percussion_response(const verify_percussion *p, size_t i) {
  return thud_verify_response(p->system, p->at, percussion_row(p, i), p->work);
}

static double percussion_terms(const verify_percussion *p, size_t i, const double *v) {
  const double *row = percussion_row(p, i);
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
    double size = percussion_terms(p, i, p->v_plus) + percussion_terms(p, i, p->v_left);
    p->size = fmax(p->size, (size + response * fabs(p->reaction[i])) / sqrt(response));
  }
}

static void tally_of_percussion(const verify_percussion *p, thud_verify_check *check, size_t i, double value,
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
  bool may_rest = count > 1 || p->system->scheme->corrects;
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
      tally_of_percussion(p, check, i, fabs(p->reaction[i]), 0, "reaction without contact");
      continue;
    }
    if (p->left_out != NULL && p->left_out[i]) continue;
    double response = thud_verify_percussion_response(p, i), root = response > 0 ? sqrt(response) : 1;
    double u = thud_verify_percussion_velocity(p, i, p->v_plus), tolerance = p->tolerance * p->size;
    double value = verify_is_one_sided(kind) ? normal_error(p, i, factor) : fabs(u) / root;
    if (value > tolerance) error = add_velocity_noise(p, i, root, &tolerance);
    tally_of_percussion(p, check, i, value, tolerance, verify_is_one_sided(kind) ? "law" : "velocity");
  }
  return error;
}

/* ---- friction -------------------------------------------------------------------------------------------------------
 */

double thud_verify_percussion_radius(const verify_percussion *p, const verify_law *law, double friction) {
  double extra = p->extra != NULL ? p->extra[law - p->system->laws] : 0;
  if (law->coupled) return thud_verify_threshold_of_impulses(p->system, p->at, law, p->reaction, p->h);
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
    if (!law->disc && !law->firm && !law->unknown && law->set.first > set->first && law->set.first < end)
      end = law->set.first;
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
  double largest = law->disc || law->firm || law->unknown ? 1 : fmax(1, largest_number(p->system, &law->set));
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
    for (size_t j = 0; j < n; j++) part[j] += percussion_row(p, i)[j] * p->reaction[i];
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

/* ---- the velocity problem of one frame --------------------------------------------------------------------------- */

/* The velocity problem of one frame: which constraints act, their laws, which impulses are atoms. */

/* An impulse is an atom when the approach is faster than this times what the smooth forces of the step cause. */
static const double SMOOTH_APPROACH = 2;
/* Of impacts without collision (does_jam). */
static const double JAMMED = 20;
/* A contact that has acted still does while its gap is open by less than this part of the way that the smooth forces
 * close within the step (twice the run's own rule, whose forces are those at the contact's configuration). */
static const double OPEN_BY_ROUNDING = 2e-9;
/* A decision that hangs on less than this part of its threshold may have gone either way. */
static const double BORDERLINE = 1e-6;

typedef struct contact_frame {
  const verify_frames *f;
  size_t k;
  verify_step *s;
  verify_percussion p;
} contact_frame;

static void tally_of_frame(const contact_frame *c, thud_verify_check *check, size_t i, double value, double tolerance,
                           const char *what) {
  if (thud_verify_tally(check, value, tolerance, 0, c->f->t[c->k], c->k))
    thud_verify_explain(check, "%s of '%s'", what, c->f->system->constraints[i].name);
}

/* ---- contacts -------------------------------------------------------------------------------------------------------
 */

/* How fast the smooth forces of the step close constraint i, every coordinate counted by its size. */
static double smooth_velocity(const contact_frame *c, size_t i) {
  double sum = 0;
  for (size_t j = 0; j < c->f->n; j++) sum += fabs(percussion_row(&c->p, i)[j] * c->s->smooth[j]);
  return sum;
}

/* How far open the gap of an acting constraint may be: a contact that has lasted is not opened by rounding. */
static double open_by_rounding(const contact_frame *c, size_t i) {
  const verify_frames *f = c->f;
  bool row_before = c->s->linked && c->k > 0;
  if (row_before && f->acting[(c->k - 1) * f->m + i] == 0) return 0;
  return OPEN_BY_ROUNDING * c->s->h * smooth_velocity(c, i);
}

/* A contact that carried in the last second-order step goes on while the straight half-step alone opens it. */
static double open_by_bend(const contact_frame *c, size_t i) {
  const verify_frames *f = c->f;
  bool row_before = c->s->linked && c->k > 1; /* closed at the start: goes on, too */
  if (row_before && !(f->reaction[(c->k - 1) * (f->m + f->s) + i] > 0)) return 0;
  return c->s->h * fabs(c->s->bend[i]);
}

/* The velocity that closes constraint i before the step, where bends are taken back. */
static double closing_velocity(const contact_frame *c, size_t i) {
  return 2 * c->s->bend[i] - thud_verify_percussion_velocity(&c->p, i, c->p.v_left);
}

/* Which constraints act is decided by the gap where the velocity problem is posed. True: it may be either, because the gap
 * is rounding and nothing pushes. */
static bool check_acting(const contact_frame *c, size_t i, thud_verify_check *check) {
  const verify_frames *f = c->f;
  const verify_system *system = f->system;
  bool flag = verify_percussion_acts(&c->p, i);
  if (system->constraints[i].kind != VERIFY_UNILATERAL) {
    if (!flag) thud_verify_fail(check, f->t[c->k], c->k, "'%s' always acts", system->constraints[i].name);
    return false;
  }
  double gap = c->s->at.gap[i] - system->gap_tolerance, *row = c->s->work;
  if (system->scheme->corrects && c->s->linked && c->k > 0) /* also closed at the node before */
    gap = fmin(gap, f->gap[(c->k - 1) * f->m + i] - system->gap_tolerance);
  double way = c->s->h * percussion_terms(&c->p, i, c->p.v_left), size = f->gap_size[i] + way;
  memcpy(row, percussion_row(&c->p, i), f->n * sizeof(double));
  for (size_t j = 0; j < f->n; j++) size += fabs(row[j] * c->s->qc[j]);
  double rounding = VERIFY_ROUNDING * size + (c->s->blur > 0 ? way : 0);
  if (flag) rounding += open_by_rounding(c, i) + open_by_bend(c, i);
  tally_of_frame(c, check, i, flag ? fmax(0, gap) : fmax(0, -gap), rounding,
                 flag ? "acts, but open is the gap" : "does not act, but closed is the gap");
  return fabs(gap) <= rounding && f->reaction[c->k * (f->m + f->s) + i] == 0;
}

/* ---- friction -------------------------------------------------------------------------------------------------------
 */

static thud_error check_law(const contact_frame *c, const verify_law *law, double friction, thud_verify_check *check) {
  const verify_frames *f = c->f;
  double value = 0, accuracy = 0, other = 0, other_accuracy = 0,
         radius = thud_verify_percussion_radius(&c->p, law, friction);
  double *scratch = THUD_NEW_ARRAY(f->context, double, 2 * law->directions);
  if (scratch == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_verify_percussion_law_error(&c->p, law, radius, scratch, &value, &accuracy);
  /* A frame alone does not determine whether a controlled step was one step or two halves. */
  bool unsure = f->system->step_tolerance > 0 && !c->s->linked && law->constraint == SIZE_MAX && c->k > 0;
  if (error == THUD_OK && unsure) {
    double h = c->s->h == f->step[c->k] ? f->step[c->k] / 2 : f->step[c->k];
    double half = law->coupled ? thud_verify_threshold_of_impulses(f->system, c->p.at, law, c->p.reaction, h)
                               : friction * h + c->p.extra[law - f->system->laws];
    error = thud_verify_percussion_law_error(&c->p, law, half, scratch, &other, &other_accuracy);
    if (other + other_accuracy < value + accuracy) {
      value = other;
      accuracy = other_accuracy;
    }
  }
  thud_free(f->context, scratch);
  if (error != THUD_OK) return error;
  if (thud_verify_tally(check, value, thud_verify_percussion_law_tolerance(&c->p, law, radius), accuracy, f->t[c->k],
                        c->k) &&
      check->status != THUD_VERIFY_NOT_CHECKABLE)
    thud_verify_explain(check, "law '%s'", law->name);
  return THUD_OK;
}

/* ---- impacts --------------------------------------------------------------------------------------------------------
 */

/* Approach that no longer counts as one by smooth forces alone. */
static double smooth_closing(const contact_frame *c, size_t i) {
  double chosen = c->f->system->impact_velocity;
  if (chosen > 0) return chosen;
  return SMOOTH_APPROACH * c->s->stretch * smooth_velocity(c, i); /* of a whole step, where a jump has cut this one */
}

typedef enum answer { NO, YES, UNSURE } answer;

static answer is_above(double value, double threshold, double slack) {
  if (fabs(value - threshold) <= slack) return UNSURE;
  return value > threshold ? YES : NO;
}

/* Velocity of constraint i at frame 0; without formulas seen with the gradients of one step later. */
static double first_velocity(const contact_frame *c, size_t i) {
  const verify_frames *f = c->f;
  bool known = !f->system->functions &&
               thud_verify_system_at(f->system, thud_verify_data_after(f->system, f->t[0]), f->q, f->v, &c->s->other);
  return known ? thud_verify_constraint_velocity(f->system, &c->s->other, i, f->v)
               : thud_verify_percussion_velocity(&c->p, i, f->v);
}

/* Did the contact act at the node before without opening or closing? Then it closes now because the configuration has
 * moved on, not by an impact. */
static answer did_last(const contact_frame *c, size_t i, double closing, double slack) {
  const verify_frames *f = c->f;
  if (!c->s->linked || c->s->after_frame + 1 != c->k) return c->k > 0 ? UNSURE : NO;
  if (f->acting[(c->k - 1) * f->m + i] == 0) return NO;
  /* Frame 0 has no step: its velocities are those given. */
  double u_before = c->k == 1 ? first_velocity(c, i) : c->s->u_after[i];
  answer faster = is_above(fabs(u_before), closing, c->k == 1 ? slack + closing : slack);
  return faster == UNSURE ? UNSURE : faster == YES ? NO : YES;
}

/* A constraint that closes by itself faster than smooth forces explain. */
static answer does_hit(const contact_frame *c, size_t i, double closing, double slack) {
  const verify_frames *f = c->f;
  if (f->system->constraints[i].kind != VERIFY_UNILATERAL) return NO;
  answer closes = is_above(closing_velocity(c, i), closing, slack);
  if (closes == NO) return NO;
  answer lasted = did_last(c, i, closing, slack);
  if (lasted == YES) return NO;
  return closes == YES && lasted == NO ? YES : UNSURE;
}

/* What the forces of the beginning of the step close within it; of systems without formulas those of the step. */
static double first_closing(const contact_frame *c, size_t i) {
  const double *kick = c->f->system->functions ? c->s->smooth : c->s->first_kick;
  double sum = 0;
  if (c->f->system->impact_velocity > 0) return c->f->system->impact_velocity;
  for (size_t j = 0; j < c->f->n; j++) sum += fabs(percussion_row(&c->p, i)[j] * kick[j]);
  return SMOOTH_APPROACH * c->s->stretch * sum;
}

/* Restitution of `stabilised` is for impacts: a constraint that smooth forces alone close has none. Where that cannot be
 * decided the one that the velocity after the step fits better. */
static void rest_slow_contacts(const contact_frame *c) {
  const verify_frames *f = c->f;
  double largest = 0;
  if (!f->system->scheme->corrects || c->k == 0) return;
  for (size_t i = 0; i < f->m; i++) {
    double e = c->s->at.restitution[i], closing = first_closing(c, i);
    double slack =
        fmax(f->system->functions ? 1 : BORDERLINE, c->s->blur) * (closing + percussion_terms(&c->p, i, c->p.v_left));
    if (f->system->constraints[i].kind != VERIFY_UNILATERAL || !verify_percussion_acts(&c->p, i)) continue;
    answer hits = does_hit(c, i, closing, slack);
    double after = thud_verify_percussion_velocity(&c->p, i, c->p.v_plus), bounce = e * closing_velocity(c, i);
    /* energy may have reduced e: a velocity between 0 and the bounce is one of an impact */
    if (hits == NO || (hits == UNSURE && fabs(after) <= fmin(slack, fabs(after - bounce)))) e = 0;
    c->s->restitution[i] = e;
    largest = fmax(largest, e);
  }
  for (size_t i = 0; i < f->m && f->system->law == VERIFY_CANONICAL; i++)
    if (f->system->constraints[i].kind == VERIFY_UNILATERAL) c->s->restitution[i] = largest;
}

static answer either(answer a, answer b) {
  return a == YES || b == YES ? YES : a == UNSURE || b == UNSURE ? UNSURE : NO;
}

/* An impact without collision: the impulse makes JAMMED times the velocity that forces and approach explain, and its
 * friction takes all but 1/JAMMED of that back. */
static answer does_jam(const contact_frame *c, size_t i, double closing) {
  const verify_frames *f = c->f;
  const verify_system *system = f->system;
  double *y = c->s->work, r = fabs(c->p.reaction[i]), change = 0;
  if (f->s == 0) return NO;
  change = r * thud_verify_percussion_response(&c->p, i);
  answer strong = is_above(change, JAMMED * (closing + 2 * fabs(closing_velocity(c, i))), change / 2);
  if (strong == NO) return NO;
  for (size_t j = 0; j < f->n; j++) y[j] = percussion_row(&c->p, i)[j] * c->p.reaction[i];
  for (size_t k = 0; k < system->law_count; k++)
    for (size_t d = 0; d < system->laws[k].directions && system->laws[k].constraint == i; d++) {
      size_t row = f->m + system->laws[k].first + d;
      for (size_t j = 0; j < f->n; j++) y[j] += percussion_row(&c->p, row)[j] * c->p.reaction[row];
    }
  thud_verify_cholesky_solve(f->n, c->s->at.factor, y);
  double left = fabs(thud_verify_dot(f->n, percussion_row(&c->p, i), y));
  answer weak = is_above(left, change / JAMMED, change / JAMMED / 2);
  if (weak == YES) return NO;
  return strong == YES && weak == NO ? YES : UNSURE;
}

static void check_atom(const contact_frame *c, size_t i, answer any, thud_verify_check *check) {
  const verify_frames *f = c->f;
  bool marked = f->atom[c->k * f->m + i] != 0;
  double r = f->reaction[c->k * (f->m + f->s) + i], closing = smooth_closing(c, i);
  double slack = fmax(BORDERLINE, c->s->blur) * (closing + percussion_terms(&c->p, i, c->p.v_left));
  answer hits = NO, struck = NO;
  if (verify_percussion_acts(&c->p, i) && r != 0) {
    hits = either(does_hit(c, i, closing, slack), does_jam(c, i, closing));
    struck = any == NO ? NO : is_above(fabs(r) * thud_verify_percussion_response(&c->p, i), closing, slack);
    if (struck == YES && any == UNSURE) struck = UNSURE;
  }
  answer expected = either(hits, struck);
  if (expected != UNSURE && marked != (expected == YES))
    thud_verify_fail(check, f->t[c->k], c->k,
                     "'%s' is %smarked as an impact: it closes with %.3g, smooth forces with %.3g",
                     f->system->constraints[i].name, marked ? "" : "not ", closing_velocity(c, i), closing);
}

static void check_atoms(const contact_frame *c, thud_verify_check *check) {
  const verify_frames *f = c->f;
  answer any = c->s->has_load ? YES : NO;
  bool penalty = f->system->scheme->penalty; /* has no atoms */
  for (size_t i = 0; i < f->m && c->s->knows_smooth && !penalty; i++) {
    if (!verify_percussion_acts(&c->p, i) || f->reaction[c->k * (f->m + f->s) + i] == 0) continue;
    double closing = smooth_closing(c, i);
    double slack = fmax(BORDERLINE, c->s->blur) * (closing + percussion_terms(&c->p, i, c->p.v_left));
    answer hits = either(does_hit(c, i, closing, slack), does_jam(c, i, closing));
    if (hits == YES || (hits == UNSURE && any == NO)) any = hits;
  }
  for (size_t i = 0; i < f->m; i++) {
    if (penalty && f->atom[c->k * f->m + i] != 0)
      thud_verify_fail(check, f->t[c->k], c->k, "a regularised motion has no impacts");
    if (!penalty && c->s->knows_smooth) check_atom(c, i, any, check);
  }
}

/* What is not known of the law's answer, relative: the configuration; of a penalty that has hardly begun to act, the
 * rounding of the velocity that its part is read off. */
static double unseen(const verify_frames *f, const verify_step *s) {
  if (!f->system->scheme->penalty) return s->blur;
  double done = -expm1(-s->h / f->system->lambda);
  return fmax(s->blur, done > 0 ? 16 * DBL_EPSILON / done : INFINITY);
}

static void keep_velocities(const contact_frame *c) {
  for (size_t i = 0; i < c->f->m; i++)
    c->s->u_after[i] =
        verify_percussion_acts(&c->p, i) ? thud_verify_percussion_velocity(&c->p, i, c->f->v + c->k * c->f->n) : 0;
  c->s->after_frame = c->k;
}

/* Where the configuration is not known to the last digit, every impulse is seen in a direction of its own that is off by as
 * much: what they leave of each other has the error of all of them. */
static double size_of_impulses(const verify_percussion *p) {
  double sum = 0;
  for (size_t i = 0; i < p->system->m + p->system->s; i++)
    if (p->reaction[i] != 0) sum += fabs(p->reaction[i]) * sqrt(fmax(0, thud_verify_percussion_response(p, i)));
  return sum;
}

/* Equations without impulse that the velocity leaves, where these follow from the others. open: [m] */
static thud_error find_left_out(contact_frame *c, bool *open) {
  const verify_frames *f = c->f;
  bool any = false, follow = false;
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    open[i] = false;
    if (verify_is_one_sided(kind) || c->p.reaction[i] != 0 || !verify_percussion_acts(&c->p, i)) continue;
    double root = sqrt(thud_verify_percussion_response(&c->p, i));
    open[i] = fabs(thud_verify_percussion_velocity(&c->p, i, c->p.v_plus)) > c->p.tolerance * c->p.size * root;
    any = any || open[i];
  }
  if (!any || f->system->functions) return THUD_OK;
  thud_error error = thud_verify_rows_follow(f, c->s->tc, c->s->qc, c->p.v_left, open, &follow);
  if (follow) c->p.left_out = open;
  return error;
}

static thud_error check_normal(contact_frame *c, double factor, thud_verify_check *check) {
  bool *open = THUD_NEW_ARRAY(c->f->context, bool, c->f->m);
  if (open == NULL) return THUD_ERROR_MEMORY;
  thud_error error = find_left_out(c, open);
  if (error == THUD_OK) error = thud_verify_percussion_normal(&c->p, factor, check);
  c->p.left_out = NULL;
  thud_free(c->f->context, open);
  return error;
}

thud_error thud_verify_velocity_problem(const verify_frames *f, size_t k, verify_step *step,
                                        verify_step_checks *checks) {
  contact_frame c = {.f = f,
                     .k = k,
                     .s = step,
                     .p = {.context = f->context,
                           .system = f->system,
                           .at = &step->at,
                           .q = step->qc,
                           .v_left = f->v_left + k * f->n,
                           .v_plus = step->v_plus,
                           .reaction = step->reaction,
                           .acting = f->acting + k * f->m,
                           .restitution = step->restitution,
                           .bend = step->bend,
                           .h = step->h,
                           .extra = step->extra,
                           .tolerance = fmax(fmax(f->tolerance, 10 * f->system->residual_tolerance), unseen(f, step)),
                           .implicit = f->system->scheme->implicit,
                           .t = f->t[k],
                           .row = k,
                           .work = step->work}};
  if (f->m + f->s == 0) return THUD_OK;
  memcpy(step->smooth, step->impulse, f->n * sizeof(double));
  thud_verify_cholesky_solve(f->n, step->at.factor, step->smooth);
  thud_verify_percussion_measure(&c.p);
  if (step->blur > 0) c.p.size += size_of_impulses(&c.p);
  rest_slow_contacts(&c);
  double factor = thud_verify_percussion_factor(&c.p);
  for (size_t i = 0; i < f->m; i++) checks->marks += check_acting(&c, i, checks->law);
  thud_error error = check_normal(&c, factor, checks->law);
  check_atoms(&c, checks->impacts);
  thud_verify_percussion_gain(&c.p, factor, checks->impacts);
  for (size_t i = 0; i < f->system->law_count && error == THUD_OK; i++)
    error = check_law(&c, &f->system->laws[i], step->at.friction[i], checks->friction);
  keep_velocities(&c);
  return error;
}
