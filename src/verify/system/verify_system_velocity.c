/* The velocity problem of one frame: which constraints act, their laws, which impulses are atoms. */
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"
#include "verify/system/verify_system_percussion.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

static void tally_constraint(const contact_frame *c, thud_verify_check *check, size_t i, double value, double tolerance,
                             const char *what) {
  if (thud_verify_tally(check, value, tolerance, 0, c->f->t[c->k], c->k))
    thud_verify_explain(check, "%s of '%s'", what, c->f->system->constraints[i].name);
}

/* ---- contacts -------------------------------------------------------------------------------------------------------
 */

/* How fast the smooth forces of the step close constraint i, every coordinate counted by its size. */
static double smooth_velocity(const contact_frame *c, size_t i) {
  double sum = 0;
  for (size_t j = 0; j < c->f->n; j++) sum += fabs(thud_verify_percussion_row(&c->p, i)[j] * c->s->smooth[j]);
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
  if (system->method == VERIFY_STABILISED && c->s->linked && c->k > 0) /* also closed at the node before */
    gap = fmin(gap, f->gap[(c->k - 1) * f->m + i] - system->gap_tolerance);
  double way = c->s->h * thud_verify_percussion_terms(&c->p, i, c->p.v_left), size = f->gap_size[i] + way;
  memcpy(row, thud_verify_percussion_row(&c->p, i), f->n * sizeof(double));
  for (size_t j = 0; j < f->n; j++) size += fabs(row[j] * c->s->qc[j]);
  double rounding = VERIFY_ROUNDING * size + (c->s->blur > 0 ? way : 0);
  if (flag) rounding += open_by_rounding(c, i) + open_by_bend(c, i);
  tally_constraint(c, check, i, flag ? fmax(0, gap) : fmax(0, -gap), rounding,
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
    error = thud_verify_percussion_law_error(&c->p, law, friction * h + c->p.extra[law - f->system->laws], scratch,
                                             &other, &other_accuracy);
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
  for (size_t j = 0; j < c->f->n; j++) sum += fabs(thud_verify_percussion_row(&c->p, i)[j] * kick[j]);
  return SMOOTH_APPROACH * c->s->stretch * sum;
}

/* Restitution of `stabilised` is for impacts: a constraint that smooth forces alone close has none. Where that cannot be
 * decided the one that the velocity after the step fits better. */
static void rest_slow_contacts(const contact_frame *c) {
  const verify_frames *f = c->f;
  double largest = 0;
  if (f->system->method != VERIFY_STABILISED || c->k == 0) return;
  for (size_t i = 0; i < f->m; i++) {
    double e = c->s->at.restitution[i], closing = first_closing(c, i);
    double slack = fmax(f->system->functions ? 1 : BORDERLINE, c->s->blur) *
                   (closing + thud_verify_percussion_terms(&c->p, i, c->p.v_left));
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
  for (size_t j = 0; j < f->n; j++) y[j] = thud_verify_percussion_row(&c->p, i)[j] * c->p.reaction[i];
  for (size_t k = 0; k < system->law_count; k++)
    for (size_t d = 0; d < system->laws[k].directions && system->laws[k].constraint == i; d++) {
      size_t row = f->m + system->laws[k].first + d;
      for (size_t j = 0; j < f->n; j++) y[j] += thud_verify_percussion_row(&c->p, row)[j] * c->p.reaction[row];
    }
  thud_verify_cholesky_solve(f->n, c->s->at.factor, y);
  double left = fabs(thud_verify_dot(f->n, thud_verify_percussion_row(&c->p, i), y));
  answer weak = is_above(left, change / JAMMED, change / JAMMED / 2);
  if (weak == YES) return NO;
  return strong == YES && weak == NO ? YES : UNSURE;
}

static void check_atom(const contact_frame *c, size_t i, answer any, thud_verify_check *check) {
  const verify_frames *f = c->f;
  bool marked = f->atom[c->k * f->m + i] != 0;
  double r = f->reaction[c->k * (f->m + f->s) + i], closing = smooth_closing(c, i);
  double slack = fmax(BORDERLINE, c->s->blur) * (closing + thud_verify_percussion_terms(&c->p, i, c->p.v_left));
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
  bool penalty = f->system->method == VERIFY_REGULARISED; /* has no atoms */
  for (size_t i = 0; i < f->m && c->s->knows_smooth && !penalty; i++) {
    if (!verify_percussion_acts(&c->p, i) || f->reaction[c->k * (f->m + f->s) + i] == 0) continue;
    double closing = smooth_closing(c, i);
    double slack = fmax(BORDERLINE, c->s->blur) * (closing + thud_verify_percussion_terms(&c->p, i, c->p.v_left));
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
  if (f->system->method != VERIFY_REGULARISED) return s->blur;
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
                           .implicit = verify_is_implicit(f->system->method),
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
  for (size_t i = 0; i < f->m; i++) checks->marks += check_acting(&c, i, &checks->law);
  thud_error error = check_normal(&c, factor, &checks->law);
  check_atoms(&c, &checks->impacts);
  thud_verify_percussion_gain(&c.p, factor, &checks->impacts);
  for (size_t i = 0; i < f->system->law_count && error == THUD_OK; i++)
    error = check_law(&c, &f->system->laws[i], step->at.friction[i], &checks->friction);
  keep_velocities(&c);
  return error;
}
