/* The velocity problem of one frame: signs and complementarity, friction, atoms, energy.
 *
 * Velocities of constraints and slips are measured in kinetic units, u/sqrt(a M^-1 a'), so that nothing depends on how
 * a gap is scaled; the tolerance is relative to the largest of them that takes part in the frame. */
#include "verify/dense.h"
#include "verify/frames.h"

#include <math.h>
#include <string.h>

/* An impulse is an atom when the approach is faster than this times what the smooth forces of the step cause. */
static const double SMOOTH_APPROACH = 2;
/* A contact that has acted still does while its gap is open by less than this part of the way that the smooth forces
 * close within the step (twice the run's own rule, whose forces are those at the contact's configuration). */
static const double OPEN_BY_ROUNDING = 2e-9;
/* A decision that hangs on less than this part of its threshold may have gone either way. */
static const double BORDERLINE = 1e-6;
/* Part of the kinetic energy that an impact may create without being told (the run's own tolerance). */
static const double ENERGY_TOLERANCE = 1e-9;

typedef struct contact_frame {
  const verify_frames *f;
  size_t k;
  verify_step *s;
  const double *v_left;
  double tolerance; /* relative */
  double size;      /* kinetic size of the velocities */
} contact_frame;

static const double *row_of(const contact_frame *c, size_t i) {
  const verify_frames *f = c->f;
  return i < f->m ? c->s->at.gradient + i * f->n : c->s->at.slip + (i - f->m) * f->n;
}

static double velocity_of(const contact_frame *c, size_t i, const double *v) {
  const verify_frames *f = c->f;
  return i < f->m ? verify_constraint_velocity(f->system, &c->s->at, i, v)
                  : verify_slip_velocity(f->system, &c->s->at, i - f->m, v);
}

static double response_of(const contact_frame *c, size_t i) {
  return verify_response(c->f->system, &c->s->at, row_of(c, i), c->s->work);
}

static bool acts(const contact_frame *c, size_t i) { return c->f->acting[c->k * c->f->m + i] != 0; }

static bool is_newton(const verify_system *system) {
  return system->law == VERIFY_NEWTON || system->law == VERIFY_CANONICAL;
}

static double absolute_velocity(const contact_frame *c, size_t i, const double *v) {
  const double *row = row_of(c, i);
  double sum = fabs(i < c->f->m ? c->s->at.rate[i] : c->s->at.slip_rate[i - c->f->m]);
  for (size_t j = 0; j < c->f->n; j++) sum += fabs(row[j] * v[j]);
  return sum;
}

static void find_size(contact_frame *c) {
  const verify_frames *f = c->f;
  c->size = 0;
  for (size_t i = 0; i < f->m + f->s; i++) {
    double response = response_of(c, i);
    if (!(response > 0) || (i < f->m && !acts(c, i))) continue;
    double size = absolute_velocity(c, i, c->s->v_plus) + absolute_velocity(c, i, c->v_left);
    c->size = fmax(c->size, (size + response * fabs(c->s->reaction[i])) / sqrt(response));
  }
}

static void tally_constraint(const contact_frame *c, thud_verify_check *check, size_t i, double value, double tolerance,
                             const char *what) {
  if (verify_tally(check, value, tolerance, 0, c->f->t[c->k], c->k))
    verify_explain(check, "%s of '%s'", what, c->f->system->constraints[i].name);
}

/* ---- normal ---------------------------------------------------------------------------------------------------------
 */

/* u+ + factor e u-, which must be >= 0 and complementary to r. */
static double rebound(const contact_frame *c, size_t i, double factor) {
  return velocity_of(c, i, c->s->v_plus) + factor * c->s->restitution[i] * velocity_of(c, i, c->v_left);
}

/* Kinetic size of min(G r, u+ + e u-), or for laws that are no complementarity problem of the violation of u+ >= 0. */
static double normal_error(const contact_frame *c, size_t i, double factor) {
  double response = response_of(c, i), r = c->s->reaction[i];
  if (!is_newton(c->f->system)) {
    double u = velocity_of(c, i, c->s->v_plus);
    return response > 0 ? fmax(fmax(0, -u), fmax(0, -response * r)) / sqrt(response) : 0;
  }
  double w = rebound(c, i, factor);
  return response > 0 ? fabs(fmin(response * r, w)) / sqrt(response) : fmax(0, -w);
}

static double worst_normal(const contact_frame *c, double factor) {
  double worst = 0;
  for (size_t i = 0; i < c->f->m; i++)
    if (verify_is_one_sided(c->f->system->constraints[i].kind) && acts(c, i))
      worst = fmax(worst, normal_error(c, i, factor));
  return worst;
}

/* What the reactions give, sum r (u+ + u)/2, seen from v_left and from the velocity without them: a gain is positive in
 * both. */
static double gift_of(const contact_frame *c, double *energy) {
  const verify_frames *f = c->f;
  size_t n = f->n;
  double from_left = 0, from_free = 0, *free_velocity = c->s->work + n, *part = c->s->work;
  memset(part, 0, n * sizeof(double));
  for (size_t i = 0; i < f->m + f->s; i++)
    for (size_t j = 0; j < n; j++) part[j] += row_of(c, i)[j] * c->s->reaction[i];
  verify_cholesky_solve(n, c->s->at.factor, part);
  for (size_t j = 0; j < n; j++) free_velocity[j] = c->s->v_plus[j] - part[j];
  for (size_t i = 0; i < f->m + f->s; i++) {
    double r = c->s->reaction[i], after = velocity_of(c, i, c->s->v_plus);
    from_left += r * (after + velocity_of(c, i, c->v_left)) / 2;
    from_free += r * (after + velocity_of(c, i, free_velocity)) / 2;
  }
  *energy = fmax(verify_kinetic(f->system, &c->s->at, c->v_left), verify_kinetic(f->system, &c->s->at, free_velocity));
  return fmin(from_left, from_free);
}

/* `on_energy_gain: reduce_e` multiplies all e by one factor: the largest that creates nothing. It is read off the
 * constraint that rebounds with the largest impulse. */
static double restitution_factor(const contact_frame *c) {
  const verify_system *system = c->f->system;
  if (!is_newton(system) || system->on_gain != VERIFY_REDUCE_E || worst_normal(c, 1) <= c->tolerance * c->size)
    return 1;
  double largest = 0, factor = 1;
  for (size_t i = 0; i < c->f->m; i++) {
    if (!verify_is_one_sided(system->constraints[i].kind) || !acts(c, i)) continue;
    double approach = c->s->restitution[i] * velocity_of(c, i, c->v_left), r = c->s->reaction[i];
    double size = r * sqrt(response_of(c, i));
    if (!(approach < 0) || !(size > largest)) continue;
    largest = size;
    factor = -velocity_of(c, i, c->s->v_plus) / approach;
  }
  return factor >= 0 && factor < 1 ? factor : 1;
}

/* How fast the smooth forces of the step close constraint i, every coordinate counted by its size. */
static double smooth_velocity(const contact_frame *c, size_t i) {
  size_t n = c->f->n;
  double sum = 0;
  memcpy(c->s->work, c->s->impulse, n * sizeof(double));
  verify_cholesky_solve(n, c->s->at.factor, c->s->work);
  for (size_t j = 0; j < n; j++) sum += fabs(row_of(c, i)[j] * c->s->work[j]);
  return sum;
}

/* How far open the gap of an acting constraint may be: a contact that has lasted is not opened by rounding. */
static double open_by_rounding(const contact_frame *c, size_t i) {
  const verify_frames *f = c->f;
  bool row_before = c->s->linked && c->k > 0;
  if (row_before && f->acting[(c->k - 1) * f->m + i] == 0) return 0;
  return OPEN_BY_ROUNDING * c->s->h * smooth_velocity(c, i);
}

/* Which constraints act is decided by the gap where the velocity problem is posed. */
static void check_acting(const contact_frame *c, size_t i, thud_verify_check *check) {
  const verify_frames *f = c->f;
  const verify_system *system = f->system;
  bool flag = acts(c, i);
  if (system->constraints[i].kind != VERIFY_UNILATERAL) {
    if (!flag) verify_fail(check, f->t[c->k], c->k, "'%s' always acts", system->constraints[i].name);
    return;
  }
  double gap = c->s->at.gap[i] - system->gap_tolerance, *row = c->s->work;
  double way = c->s->h * absolute_velocity(c, i, c->v_left), size = f->gap_size[i] + way;
  memcpy(row, row_of(c, i), f->n * sizeof(double));
  for (size_t j = 0; j < f->n; j++) size += fabs(row[j] * c->s->qc[j]);
  double rounding = VERIFY_ROUNDING * size + (c->s->blur > 0 ? way : 0);
  if (flag) rounding += open_by_rounding(c, i);
  tally_constraint(c, check, i, flag ? fmax(0, gap) : fmax(0, -gap), rounding,
                   flag ? "acts, but open is the gap" : "does not act, but closed is the gap");
}

static void check_normal(const contact_frame *c, double factor, thud_verify_check *check) {
  const verify_frames *f = c->f;
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    check_acting(c, i, check);
    if (!acts(c, i)) {
      tally_constraint(c, check, i, fabs(c->s->reaction[i]), 0, "reaction without contact");
      continue;
    }
    double response = response_of(c, i), root = response > 0 ? sqrt(response) : 1;
    double u = velocity_of(c, i, c->s->v_plus);
    double value = verify_is_one_sided(kind) ? normal_error(c, i, factor) : fabs(u) / root;
    tally_constraint(c, check, i, value, c->tolerance * c->size, verify_is_one_sided(kind) ? "law" : "velocity");
  }
}

/* ---- friction -------------------------------------------------------------------------------------------------------
 */

/* What the law's set is multiplied by. */
static double radius_of(const contact_frame *c, const verify_law *law, double friction) {
  if (law->constraint == SIZE_MAX) return friction * c->s->h;
  double r = c->s->reaction[law->constraint];
  bool one_sided = verify_is_one_sided(c->f->system->constraints[law->constraint].kind);
  return friction * (one_sided ? fmax(r, 0) : fabs(r));
}

/* Kinetic size of |r_T - proj(radius C, r_T - u_T+/tau)|, tau the trace of the law's own response; laws of several
 * collisions keep the set, not the normality. scratch [2 x directions] */
static thud_error law_error(const contact_frame *c, const verify_law *law, double radius, double *scratch,
                            double *value, double *accuracy) {
  const verify_frames *f = c->f;
  size_t d = law->directions;
  double trace = 0, *x = scratch, *y = scratch + d;
  const double *r = c->s->reaction + f->m + law->first;
  for (size_t k = 0; k < d; k++) trace += response_of(c, f->m + law->first + k);
  if (!(trace > 0)) trace = 1;
  for (size_t k = 0; k < d; k++) {
    double u = velocity_of(c, f->m + law->first + k, c->s->v_plus);
    x[k] = r[k] - (is_newton(f->system) ? u / trace : 0);
  }
  thud_error error = verify_law_project(f->system, law, radius, x, y, accuracy);
  *value = sqrt(trace) * verify_distance(d, r, y);
  *accuracy *= sqrt(trace);
  return error;
}

static thud_error check_law(const contact_frame *c, const verify_law *law, double friction, thud_verify_check *check) {
  const verify_frames *f = c->f;
  double value = 0, accuracy = 0, other = 0, other_accuracy = 0, radius = radius_of(c, law, friction);
  double *scratch = THUD_NEW_ARRAY(f->context, double, 2 * law->directions);
  if (scratch == NULL) return THUD_ERROR_MEMORY;
  thud_error error = law_error(c, law, radius, scratch, &value, &accuracy);
  /* A frame alone does not tell whether a controlled step was one step or two halves. */
  bool unsure = f->system->step_tolerance > 0 && !c->s->linked && law->constraint == SIZE_MAX && c->k > 0;
  if (error == THUD_OK && unsure) {
    double h = c->s->h == f->step[c->k] ? f->step[c->k] / 2 : f->step[c->k];
    error = law_error(c, law, friction * h, scratch, &other, &other_accuracy);
    if (other + other_accuracy < value + accuracy) {
      value = other;
      accuracy = other_accuracy;
    }
  }
  thud_free(f->context, scratch);
  if (error != THUD_OK) return error;
  if (verify_tally(check, value, c->tolerance * c->size, accuracy, f->t[c->k], c->k) &&
      check->status != THUD_VERIFY_NOT_CHECKABLE)
    verify_explain(check, "law '%s'", law->name);
  return THUD_OK;
}

/* ---- impacts --------------------------------------------------------------------------------------------------------
 */

/* Approach that no longer counts as one by smooth forces alone. */
static double smooth_closing(const contact_frame *c, size_t i) {
  double chosen = c->f->system->impact_velocity;
  return chosen > 0 ? chosen : SMOOTH_APPROACH * smooth_velocity(c, i);
}

typedef enum answer { NO, YES, UNSURE } answer;

static answer is_above(double value, double threshold, double slack) {
  if (fabs(value - threshold) <= slack) return UNSURE;
  return value > threshold ? YES : NO;
}

/* Did the contact act at the node before without opening or closing? Then it closes now because the configuration has
 * moved on, not by an impact. */
static answer did_last(const contact_frame *c, size_t i, double closing, double slack) {
  const verify_frames *f = c->f;
  if (!c->s->linked || c->s->after_frame + 1 != c->k) return c->k > 0 ? UNSURE : NO;
  if (f->acting[(c->k - 1) * f->m + i] == 0) return NO;
  /* Frame 0 has no step: its velocities are those given, seen here with the gradients of one step later. */
  double u_before = c->k == 1 ? velocity_of(c, i, f->v) : c->s->u_after[i];
  answer faster = is_above(fabs(u_before), closing, c->k == 1 ? slack + closing : slack);
  return faster == UNSURE ? UNSURE : faster == YES ? NO : YES;
}

/* A constraint that closes by itself faster than smooth forces explain. */
static answer does_hit(const contact_frame *c, size_t i, double closing, double slack) {
  const verify_frames *f = c->f;
  if (f->system->constraints[i].kind != VERIFY_UNILATERAL) return NO;
  answer closes = is_above(-velocity_of(c, i, c->v_left), closing, slack);
  if (closes == NO) return NO;
  answer lasted = did_last(c, i, closing, slack);
  if (lasted == YES) return NO;
  return closes == YES && lasted == NO ? YES : UNSURE;
}

static void check_atom(const contact_frame *c, size_t i, answer any, thud_verify_check *check) {
  const verify_frames *f = c->f;
  bool marked = f->atom[c->k * f->m + i] != 0;
  double r = f->reaction[c->k * (f->m + f->s) + i], closing = smooth_closing(c, i);
  double slack = fmax(BORDERLINE, c->s->blur) * (closing + absolute_velocity(c, i, c->v_left));
  answer hits = NO, struck = NO;
  if (acts(c, i) && r != 0) {
    hits = does_hit(c, i, closing, slack);
    struck = any == NO ? NO : is_above(fabs(r) * response_of(c, i), closing, slack);
    if (struck == YES && any == UNSURE) struck = UNSURE;
  }
  answer expected = hits == YES || struck == YES ? YES : hits == UNSURE || struck == UNSURE ? UNSURE : NO;
  if (expected != UNSURE && marked != (expected == YES))
    verify_fail(check, f->t[c->k], c->k, "'%s' is %smarked as an impact: it closes with %.3g, smooth forces with %.3g",
                f->system->constraints[i].name, marked ? "" : "not ", -velocity_of(c, i, c->v_left), closing);
}

static void check_atoms(const contact_frame *c, thud_verify_check *check) {
  const verify_frames *f = c->f;
  answer any = NO;
  bool penalty = f->system->method == VERIFY_REGULARISED; /* has no atoms */
  for (size_t i = 0; i < f->m && c->s->knows_smooth && !penalty; i++) {
    if (!acts(c, i) || f->reaction[c->k * (f->m + f->s) + i] == 0) continue;
    double closing = smooth_closing(c, i);
    double slack = fmax(BORDERLINE, c->s->blur) * (closing + absolute_velocity(c, i, c->v_left));
    answer hits = does_hit(c, i, closing, slack);
    if (hits == YES || (hits == UNSURE && any == NO)) any = hits;
  }
  for (size_t i = 0; i < f->m; i++) {
    if (penalty && f->atom[c->k * f->m + i] != 0)
      verify_fail(check, f->t[c->k], c->k, "a regularised motion has no impacts");
    if (!penalty && c->s->knows_smooth) check_atom(c, i, any, check);
  }
}

static void keep_velocities(const contact_frame *c) {
  for (size_t i = 0; i < c->f->m; i++) c->s->u_after[i] = acts(c, i) ? velocity_of(c, i, c->f->v + c->k * c->f->n) : 0;
  c->s->after_frame = c->k;
}

static void check_gain(const contact_frame *c, double factor, thud_verify_check *check) {
  double energy, gift = gift_of(c, &energy);
  const verify_frames *f = c->f;
  double tolerance = (fmax(c->tolerance, ENERGY_TOLERANCE)) * energy;
  if (f->system->on_gain != VERIFY_ALLOW && verify_tally(check, fmax(0, gift), tolerance, 0, f->t[c->k], c->k))
    verify_explain(check, "energy created by the reactions");
  if (factor < 1 && verify_tally(check, fabs(gift), tolerance, 0, f->t[c->k], c->k))
    verify_explain(check, "restitution reduced to %.6g of its value, more than energy asks for", factor);
}

thud_error verify_velocity_problem(const verify_frames *f, size_t k, verify_step *step, verify_step_checks *checks) {
  contact_frame c = {.f = f,
                     .k = k,
                     .s = step,
                     .v_left = f->v_left + k * f->n,
                     .tolerance = fmax(fmax(f->tolerance, 10 * f->system->residual_tolerance), step->blur)};
  if (f->m + f->s == 0) return THUD_OK;
  find_size(&c);
  double factor = restitution_factor(&c);
  check_normal(&c, factor, &checks->law);
  check_atoms(&c, &checks->impacts);
  check_gain(&c, factor, &checks->impacts);
  thud_error error = THUD_OK;
  for (size_t i = 0; i < f->system->law_count && error == THUD_OK; i++)
    error = check_law(&c, &f->system->laws[i], step->at.friction[i], &checks->friction);
  keep_velocities(&c);
  return error;
}
