/* Every frame's step: positions, momentum, the laws of contact, what an impact is. */
#include "verify/math/verify_dense.h"
#include "verify/math/verify_fit.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <string.h>

/* ---- positions and momentum ----------------------------------------------------------------------------------------
 */

static void tally_named(thud_verify_check *check, double value, double tolerance, double t, size_t k, const char *what,
                        const char *name) {
  if (thud_verify_tally(check, value, tolerance, 0, t, k)) thud_verify_explain(check, "%s '%s'", what, name);
}

/* How far the violated constraints at s->other are, as a length in the kinetic metric. */
static double violation_length(const verify_frames *f, verify_step *s) {
  double sum = 0;
  for (size_t i = 0; i < f->m; i++) {
    verify_constraint_kind kind = f->system->constraints[i].kind;
    double gap = s->other.gap[i], violation = kind == VERIFY_UNILATERAL ? fmax(0, -gap) : fabs(gap);
    double response = thud_verify_response(f->system, &s->other, s->other.gradient + i * f->n, s->work + 2 * f->n);
    if (kind <= VERIFY_EQUATION && response > 0) sum += violation / sqrt(response);
  }
  return sum;
}

/* What the constraints' gradients leave of the displacement d, in the kinetic metric: |L'd - sum L^-1 a_i x_i|; push
 * [m]: x. */
static thud_error fit_correction(const verify_frames *f, const verify_values *values, const double *d, double *push,
                                 double *distance) {
  size_t n = f->n, m = f->m;
  const double *L = values->factor;
  double *B = THUD_NEW_ARRAY(f->context, double, m *n + n + m);
  bool *is_free = THUD_NEW_ARRAY(f->context, bool, m);
  thud_error error = B != NULL && is_free != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    double *b = B + m * n, *x = b + n;
    for (size_t i = 0; i < m; i++) {
      is_free[i] = !verify_is_one_sided(f->system->constraints[i].kind);
      thud_verify_cholesky_forward(n, L, values->gradient + i * n, B + i * n);
    }
    for (size_t k = 0; k < n; k++)
      for (size_t j = k; j < n; j++) b[k] += L[j * n + k] * d[j];
    verify_fit fit = {.rows = n, .columns = m, .B = B, .is_free = is_free, .b = b, .x = x};
    error = thud_verify_fit_solve(f->context, &fit);
    *distance = fit.distance;
    memcpy(push, x, m * sizeof(double));
  }
  thud_free(f->context, B);
  thud_free(f->context, is_free);
  return error;
}

/* The smallest move: what pushes, beyond rounding of the move, ends closed, up to what was violated. Its length is then
 * what it must be, however heavy the bodies are that a light one has to take with it. */
static bool ends_closed(const verify_frames *f, size_t k, verify_step *s, const double *push, double length) {
  double worst = 0, *room = s->work + 2 * f->n;
  for (size_t i = 0; i < f->m; i++)
    if (f->system->constraints[i].kind == VERIFY_UNILATERAL) worst = fmax(worst, -s->other.gap[i]);
  for (size_t i = 0; i < f->m; i++) {
    double response = thud_verify_response(f->system, &s->other, s->other.gradient + i * f->n, room);
    bool pushes = push[i] * sqrt(fmax(0, response)) > f->tolerance * length;
    if (pushes && f->gap[k * f->m + i] > worst + VERIFY_ROUNDING * f->gap_size[i]) return false;
  }
  return worst > 0;
}

static double kinetic_length(const verify_frames *f, const verify_step *s, const double *x) {
  return sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &s->other, x)));
}

/* The correction of the stabilised scheme moves along M^-1 times the gradients, which turn by about |d|/|q| on the way,
 * and only where something was violated, by about as much. */
static thud_error check_correction(const verify_frames *f, size_t k, verify_step *s, const double *moved,
                                   thud_verify_check *check) {
  size_t n = f->n;
  verify_system *system = f->system;
  if (!thud_verify_system_at(system, s->to, moved, f->v + k * n, &s->other)) return THUD_OK;
  double allowed = violation_length(f, s), *d = s->work + n, across = 0;
  for (size_t i = 0; i < n; i++) d[i] = f->q[k * n + i] - moved[i];
  double length = kinetic_length(f, s, d);
  double size = kinetic_length(f, s, f->q + k * n) + kinetic_length(f, s, f->q + (k - 1) * n);
  /* Terms of the position; what velocity problems may leave, relative to velocities and to those that forces give. */
  double speed = kinetic_length(f, s, f->v + k * n) + kinetic_length(f, s, f->v + (k - 1) * n);
  double left = system->residual_tolerance * (speed + kinetic_length(f, s, s->smooth));
  double rounding = VERIFY_ROUNDING * (size + s->h * speed) + s->h * left;
  double *push = s->bend; /* of second-order steps, which have no correction */
  thud_error error = fit_correction(f, &s->other, d, push, &across);
  if (error != THUD_OK) return error;
  if (length > 10 * allowed + rounding && ends_closed(f, k, s, push, length)) allowed = length;
  if (thud_verify_tally(check, length, 10 * allowed + rounding, 0, f->t[k], k))
    thud_verify_explain(check, "length of the position's correction");
  double turned = size > 0 ? 10 * length * length / size : 0;
  if (thud_verify_tally(check, across, turned + rounding, 0, f->t[k], k))
    thud_verify_explain(check, "part of the position's correction that is not along the constraints");
  return THUD_OK;
}

static thud_error check_positions(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  size_t n = f->n;
  double *moved = s->work;
  thud_verify_step_move(f, k, f->q + (k - 1) * n, f->v + (k - 1) * n, s->h, moved);
  bool corrected = f->system->method == VERIFY_STABILISED;
  if (corrected && f->system->functions) return THUD_OK; /* along gradients that are not in the record */
  if (corrected) return check_correction(f, k, s, moved, check);
  for (size_t i = 0; i < n; i++) {
    double size = fabs(f->q[k * n + i]) + fabs(f->q[(k - 1) * n + i]) +
                  s->h * (fabs(f->v[k * n + i]) + fabs(f->v[(k - 1) * n + i]));
    tally_named(check, fabs(f->q[k * n + i] - moved[i]), VERIFY_ROUNDING * size, f->t[k], k, "position",
                f->system->scene.names[i]);
  }
  return THUD_OK;
}

/* v_left is the velocity before, or that after the smooth kick. */
static void check_left(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  size_t n = f->n;
  const double *before = f->v + (k - 1) * n, *left = f->v_left + k * n;
  bool kicked = f->system->method == VERIFY_MOREAU || f->system->method == VERIFY_REGULARISED;
  memcpy(s->work, s->impulse, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work);
  for (size_t i = 0; i < n; i++) {
    double kick = kicked ? s->work[i] : 0, size = fabs(before[i]) + fabs(left[i]) + fabs(kick);
    tally_named(check, fabs(left[i] - before[i] - kick), (kicked ? f->tolerance : VERIFY_ROUNDING) * size, f->t[k], k,
                "left velocity", f->system->velocities[i]);
  }
}

/* Where forces cancel, what is left of them is rounding of their terms. */
static thud_error check_momentum(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  for (size_t i = 0; i < f->n; i++) {
    double allowed = fmax(f->tolerance, s->blur) * s->momentum_size[i];
    if (fabs(s->momentum_error[i]) > allowed) {
      thud_error error = thud_verify_step_noise(f, k, s);
      if (error != THUD_OK) return error;
      allowed += s->noise[i];
    }
    tally_named(check, fabs(s->momentum_error[i]), allowed, f->t[k], k, "momentum balance of",
                f->system->scene.names[i]);
  }
  return THUD_OK;
}

/* v_average = (v + e v_left)/(1 + e) with the largest e among the constraints that pressed. */
static void check_average(const verify_frames *f, size_t k, const verify_step *s, thud_verify_check *check) {
  size_t n = f->n, m = f->m;
  double e = 0;
  for (size_t i = 0; i < m && verify_has_step(f, k); i++) {
    double own = f->system->method == VERIFY_MABROUK       ? s->one_restitution
                 : f->system->method == VERIFY_REGULARISED ? 0
                                                           : s->at.restitution[i];
    if (f->acting[k * m + i] != 0 && f->reaction[k * (m + f->s) + i] != 0) e = fmax(e, own);
  }
  for (size_t i = 0; i < n; i++) {
    double v = f->v[k * n + i], left = f->v_left[k * n + i], found = (v + e * left) / (1 + e);
    tally_named(check, fabs(f->v_average[k * n + i] - found),
                fmax(VERIFY_ROUNDING, s->blur) * (fabs(v) + e * fabs(left)), f->t[k], k, "average velocity",
                f->system->velocities[i]);
  }
}

/* Sizes of the impulses that act at once in coordinate j: sum |p_i| |M^-1 a_i|_j, of which the kinetic metric bounds each
 * by |p_i| sqrt(a_i M^-1 a_i') sqrt((M^-1)_jj), whichever way a_i turns. */
static double impact_terms(const verify_frames *f, size_t k, verify_step *s, size_t j) {
  size_t n = f->n, m = f->m;
  const double *r = f->reaction + k * (m + f->s);
  double *unit = s->work + n, *room = s->work + 2 * n, sum = 0;
  for (size_t i = 0; i < m + f->s; i++) {
    if (r[i] == 0) continue;
    const double *row = verify_reaction_row(f->system, &s->at, i);
    sum += fabs(r[i]) * sqrt(fmax(0, thud_verify_response(f->system, &s->at, row, room)));
  }
  memset(unit, 0, n * sizeof(double));
  unit[j] = 1;
  return sum * sqrt(fmax(0, thud_verify_response(f->system, &s->at, unit, room)));
}

/* v_limit = v - M^-1 of the impulses that act at once: those of impacts with their friction, loads, and of steps with
 * loads the friction of laws by themselves. */
static void check_limit(const verify_frames *f, size_t k, verify_step *s, thud_verify_check *check) {
  size_t n = f->n, m = f->m;
  const double *r = f->reaction + k * (m + f->s);
  double *jump = s->work, size = 0;
  bool has_step = verify_has_step(f, k), loaded = has_step && s->has_load;
  memset(jump, 0, n * sizeof(double));
  for (size_t i = 0; i < m && has_step; i++)
    for (size_t j = 0; j < n && f->atom[k * m + i] != 0; j++) jump[j] += s->at.gradient[i * n + j] * r[i];
  for (size_t l = 0; l < f->system->law_count && has_step; l++) {
    const verify_law *law = &f->system->laws[l];
    bool jumps = law->constraint == SIZE_MAX ? loaded : f->atom[k * m + law->constraint] != 0;
    for (size_t i = law->first; i < law->first + law->directions && jumps; i++)
      for (size_t j = 0; j < n; j++) jump[j] += s->at.slip[i * n + j] * r[m + i];
  }
  for (size_t j = 0; j < n && loaded; j++) jump[j] += s->load[j];
  if (has_step) thud_verify_cholesky_solve(n, s->at.factor, jump);
  for (size_t j = 0; j < n; j++) size = fmax(size, fabs(jump[j]));
  for (size_t j = 0; j < n; j++) {
    double v = f->v[k * n + j], error = fabs(f->v_limit[k * n + j] - v + jump[j]);
    double allowed = fmax(f->tolerance, s->blur) * (fabs(v) + fabs(jump[j])) + VERIFY_ROUNDING * size;
    if (error > allowed && has_step) /* where impulses cancel, what is left is the error of each of them */
      allowed += fmax(VERIFY_ROUNDING, s->blur) * impact_terms(f, k, s, j);
    tally_named(check, error, allowed, f->t[k], k, "left limit of the velocity", f->system->velocities[j]);
  }
}

/* Frame 0 where nothing changes the initial velocity. */
static void check_still(const verify_frames *f, thud_verify_check *check) {
  for (size_t i = 0; i < f->m + f->s; i++)
    if (f->reaction[i] != 0) thud_verify_fail(check, f->t[0], 0, "a reaction before the first step");
  for (size_t i = 0; i < f->m; i++)
    if (f->atom[i] != 0) thud_verify_fail(check, f->t[0], 0, "an impact before the first step");
  for (size_t i = 0; i < f->m; i++) { /* f->here holds the node */
    double gap = f->here.gap[i] - f->system->gap_tolerance, rounding = VERIFY_ROUNDING * f->gap_size[i];
    bool closed = f->system->constraints[i].kind != VERIFY_UNILATERAL || gap <= 0, acts = f->acting[i] != 0;
    if (closed != acts && fabs(gap) > rounding)
      thud_verify_fail(check, f->t[0], 0, "'%s' %s at the start", f->system->constraints[i].name,
                       acts ? "is open and acts" : "is closed and does not act");
  }
  for (size_t i = 0; i < f->n; i++)
    if (f->v_average[i] != f->v[i] || f->v_limit[i] != f->v[i])
      thud_verify_fail(check, f->t[0], 0, "the average velocity or the left limit is not the initial one");
}

static thud_error check_frame(verify_frames *f, size_t k, verify_step *s, verify_step_checks *checks) {
  if (!thud_verify_frames_here(f, k)) {
    if (f->system->functions)
      thud_verify_fail(&checks->energy, f->t[k], k, "the mass at the node is not a mass matrix");
    return THUD_OK;
  }
  thud_verify_frames_energies(f, k, &checks->energy);
  if (!verify_has_step(f, k)) {
    check_still(f, &checks->step);
    return THUD_OK;
  }
  checks->steps++;
  if (!thud_verify_step_rebuild(f, k, s)) {
    thud_verify_fail(&checks->step, f->t[k], k, "the system cannot be evaluated along this step");
    return THUD_OK;
  }
  checks->asked++;
  checks->linked += s->linked;
  checks->smooth += s->knows_smooth && s->blur == 0;
  thud_error error = check_momentum(f, k, s, &checks->step);
  check_average(f, k, s, &checks->step);
  check_limit(f, k, s, &checks->step);
  if (error == THUD_OK) error = thud_verify_velocity_problem(f, k, s, checks);
  for (size_t i = 0; i < f->m; i++) checks->contacts += f->acting[k * f->m + i] != 0;
  if (error == THUD_OK && (s->linked || k == 0)) error = thud_verify_step_energies(f, k, s, &checks->energy);
  if (error != THUD_OK || !s->linked) return error;
  check_left(f, k, s, &checks->step);
  return check_positions(f, k, s, &checks->step);
}

thud_error thud_verify_frames_steps(verify_frames *f, verify_step_checks *checks) {
  verify_step step;
  for (size_t k = 0; k < f->count && !f->system->takes_means; k++)
    f->system->takes_means = thud_verify_force_singular(f->system, f->t[k], 1) ||
                             (k > 0 && thud_verify_force_singular(f->system, f->t[k], -1));
  thud_error error = thud_verify_step_create(f, &step);
  for (size_t k = 0; k < f->count && error == THUD_OK; k++) {
    error = check_frame(f, k, &step, checks);
    f->system->mean_of = 0;
  }
  thud_verify_step_free(f, &step);
  return error;
}
