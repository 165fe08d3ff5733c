/* Frames of a system without formulas: nodes and steps from the recorded numbers, and what gaps say of them. */
#include "verify/math/verify_dense.h"
#include "verify/system/verify_system_frames.h"

#include <math.h>
#include <string.h>

static const double SAME_NODE = 1e-9;
/* A gap between two nodes changes as its gradients there say, up to this times what these differ by. */
static const double TURNING = 4;

static const double *mass_of(const verify_frames *f, const double *masses, size_t k) {
  return f->system->given_mass != NULL ? NULL : masses + k * f->n * f->n;
}

bool thud_verify_frames_here(verify_frames *f, size_t k) {
  verify_system *system = f->system;
  if (!system->functions)
    return thud_verify_system_at(system, thud_verify_data_after(system, f->t[k]), f->q + k * f->n, f->v + k * f->n,
                                 &f->here);
  /* The potential is what the record says: nobody else knows it. */
  f->here.out[f->here.potential - f->here.out] = f->ledger[k * VERIFY_LEDGER_WIDTH + VERIFY_LEDGER_POTENTIAL];
  return thud_verify_take_mass(system, mass_of(f, f->posed.node_mass, k), &f->here);
}

/* The velocity problem is posed at the node itself. */
static bool poses_at_node(verify_method method) {
  return method == VERIFY_MOREAU || method == VERIFY_MABROUK || method == VERIFY_REGULARISED;
}

/* The step of the velocity problem is the frame's, or half of a controlled one. */
static bool has_right_step(const verify_frames *f, size_t k) {
  const verify_scene *scene = &f->system->scene;
  double h = f->posed.step[k], length = scene->end - scene->start, rounding = VERIFY_ROUNDING * fabs(f->t[k]);
  bool controlled = f->system->step_tolerance > 0;
  double whole = k > 0 ? f->step[k] : controlled ? length / 1000 : length / scene->steps;
  if (fabs(h - whole) <= rounding + VERIFY_ROUNDING * whole) return true;
  return controlled && fabs(h - whole / 2) <= rounding + VERIFY_ROUNDING * whole;
}

static bool take_problem(const verify_frames *f, size_t k, verify_step *s) {
  size_t m = f->m;
  double *acting = s->restitution; /* set afterwards */
  bool good =
      thud_verify_problem_values(f->system, &f->posed.problems, k, mass_of(f, f->posed.mass, k), acting, &s->at);
  bool bends = f->system->method == VERIFY_SECOND_ORDER && k > 0;
  for (size_t i = 0; i < m; i++) {
    good = good && acting[i] == f->acting[k * m + i];
    s->bend[i] = f->posed.bend[k * m + i];
    good = good && (s->bend[i] == 0 || (bends && acting[i] != 0));
  }
  memcpy(s->at.out + (s->at.gap - s->at.out), f->posed.gap + k * m, m * sizeof(double));
  for (size_t i = m; i-- > 0;)
    if (acting[i] != 0 && f->system->constraints[i].kind == VERIFY_UNILATERAL)
      s->one_restitution = s->at.restitution[i];
  return good && has_right_step(f, k);
}

/* The row before is the node before. */
static bool is_linked(const verify_frames *f, size_t k) {
  double elapsed = k > 0 ? f->t[k] - f->t[k - 1] : INFINITY, h = f->posed.step[k];
  return fabs(elapsed - h) <= SAME_NODE * h + VERIFY_ROUNDING * fabs(f->t[k]);
}

bool thud_verify_posed_rebuild(const verify_frames *f, size_t k, verify_step *s) {
  size_t n = f->n;
  bool kicked = f->system->method == VERIFY_MOREAU || f->system->method == VERIFY_REGULARISED;
  s->h = f->posed.step[k];
  s->linked = is_linked(f, k);
  s->knows_smooth = true;
  s->blur = 0;
  s->tc = f->t[k];
  if (!take_problem(f, k, s)) return false;
  memcpy(s->impulse, f->posed.impulse + k * n, n * sizeof(double));
  memcpy(s->applied, f->posed.applied + k * n, n * sizeof(double));
  memcpy(s->qc, f->q + k * n, n * sizeof(double));
  memcpy(s->q_before, f->q + (s->linked ? k - 1 : k) * n, n * sizeof(double));
  memcpy(s->work, s->impulse, n * sizeof(double));
  thud_verify_cholesky_solve(n, s->at.factor, s->work);
  for (size_t i = 0; i < n; i++)
    s->v_before[i] = s->linked ? f->v[(k - 1) * n + i] : f->v_left[k * n + i] - (kicked ? s->work[i] : 0);
  return thud_verify_step_finish(f, k, s);
}

/* ---- gaps -------------------------------------------------------------------------------------------------------- */

/* The row of constraint i in the velocity problem of frame k; NULL: it does not act there. */
static const double *find_row(const verify_frames *f, size_t k, size_t i, double *rate) {
  const verify_problems *problems = &f->posed.problems;
  const double *rows = verify_ragged_row(&problems->rows, k);
  for (size_t j = 0; j < verify_ragged_count(&problems->rows, k); j++)
    if (rows[j] == (double)i) {
      *rate = verify_ragged_row(&problems->rate, k)[j];
      return verify_ragged_row(&problems->gradient, k) + j * f->n;
    }
  return NULL;
}

/* How much a row that turns from a to b changes what the move from frame k-1 to k does to the gap. */
static double turning(const verify_frames *f, size_t k, const double *a, double a_rate, const double *b,
                      double b_rate) {
  double sum = fabs(b_rate - a_rate) * (f->t[k] - f->t[k - 1]);
  for (size_t j = 0; j < f->n; j++) sum += fabs((b[j] - a[j]) * (f->q[k * f->n + j] - f->q[(k - 1) * f->n + j]));
  return sum;
}

/* The gap where the velocity problem is posed, (1 - theta) h after the node before, is what its velocity says, up to
 * how much the row has turned since the step before. */
static void check_middle(const verify_frames *f, size_t k, size_t i, double rounding, thud_verify_check *check) {
  double theta = f->system->method == VERIFY_SECOND_ORDER ? 0.5 : f->system->theta, rate = 0, before_rate = 0;
  const double *row = find_row(f, k, i, &rate), *before = find_row(f, k - 1, i, &before_rate);
  if (before == NULL || poses_at_node(f->system->method) || !is_linked(f, k)) return;
  double ahead = (1 - theta) * f->posed.step[k], expected = f->gap[(k - 1) * f->m + i] + rate * ahead;
  double turned = fabs(rate - before_rate) * ahead;
  for (size_t j = 0; j < f->n; j++) {
    double moved = ahead * f->v_left[k * f->n + j];
    expected += row[j] * moved;
    turned += fabs((row[j] - before[j]) * moved);
  }
  double error = fabs(f->posed.gap[k * f->m + i] - expected);
  if (thud_verify_tally(check, error, TURNING * turned + rounding, 0, f->t[k], k))
    thud_verify_explain(check, "gap of '%s' in its velocity problem", f->system->constraints[i].name);
}

/* gap_k - gap_(k-1) = G (q_k - q_(k-1)) + g' (t_k - t_(k-1)), to the first order. */
static void check_change(verify_frames *f, size_t k, size_t i, thud_verify_check *check) {
  size_t n = f->n;
  double rate = 0, before_rate = 0, after_rate = 0, elapsed = f->t[k] - f->t[k - 1], size = f->gap_size[i];
  const double *row = find_row(f, k, i, &rate), *before = find_row(f, k - 1, i, &before_rate);
  const double *after = k + 1 < f->count ? find_row(f, k + 1, i, &after_rate) : NULL;
  if (row == NULL) return;
  double change = f->gap[k * f->m + i] - f->gap[(k - 1) * f->m + i] - rate * elapsed;
  for (size_t j = 0; j < n; j++) {
    double q = f->q[k * n + j], old = f->q[(k - 1) * n + j];
    change -= row[j] * (q - old);
    size += fabs(row[j]) * (fabs(q) + fabs(old));
  }
  f->curvature[i] += fabs(change);
  check_middle(f, k, i, VERIFY_ROUNDING * size, check);
  if (before == NULL || (after == NULL && !poses_at_node(f->system->method))) return;
  double turned = turning(f, k, before, before_rate, row, rate);
  if (after != NULL) turned = fmax(turned, turning(f, k, row, rate, after, after_rate));
  if (thud_verify_tally(check, fabs(change), TURNING * turned + VERIFY_ROUNDING * size, 0, f->t[k], k))
    thud_verify_explain(check, "change of the gap of '%s' against its velocity", f->system->constraints[i].name);
}

static void gather(verify_frames *f, size_t k, size_t i) {
  double rate = 0, speed = 0;
  const double *row = find_row(f, k, i, &rate);
  f->gap_size[i] = fmax(f->gap_size[i], fabs(f->gap[k * f->m + i]));
  f->longest_step = fmax(f->longest_step, f->step[k]);
  if (row == NULL) return;
  for (size_t j = 0; j < f->n; j++)
    speed += fabs(row[j]) * fmax(fabs(f->v[k * f->n + j]), fabs(f->v_left[k * f->n + j]));
  f->speed[i] = fmax(f->speed[i], speed + fabs(rate));
}

/* A constraint is met at most two steps' way too late, and sinks by what its changes differ from its velocities. */
static void check_penetration(const verify_frames *f, size_t k, size_t i, thud_verify_check *check) {
  const verify_constraint *constraint = &f->system->constraints[i];
  double gap = f->gap[k * f->m + i], violation = constraint->kind == VERIFY_UNILATERAL ? fmax(0, -gap) : fabs(gap);
  double allowed =
      2 * f->longest_step * f->speed[i] + f->curvature[i] + VERIFY_ROUNDING * f->gap_size[i] + f->system->gap_tolerance;
  if (f->system->method == VERIFY_REGULARISED) allowed += (f->t[k] - f->t[0] + f->system->lambda) * f->speed[i];
  if (thud_verify_tally(check, violation, allowed, 0, f->t[k], k))
    thud_verify_explain(check, "constraint '%s'; the tolerance is what the scheme allows", constraint->name);
}

void thud_verify_posed_gaps(verify_frames *f, thud_verify_check *gap, thud_verify_check *penetration) {
  bool every = f->system->scene.record_every == 0;
  for (size_t i = 0; i < f->m; i++) {
    bool position = f->system->constraints[i].kind <= VERIFY_EQUATION;
    for (size_t k = 0; k < f->count; k++) {
      double posed = f->posed.gap[k * f->m + i], stored = f->gap[k * f->m + i];
      gather(f, k, i);
      if (!position && (posed != 0 || stored != 0))
        thud_verify_fail(gap, f->t[k], k, "'%s' constrains velocities and has no gap", f->system->constraints[i].name);
      if (verify_has_step(f, k) && poses_at_node(f->system->method) && posed != stored)
        thud_verify_fail(gap, f->t[k], k, "the gap of '%s' is not that of its velocity problem",
                         f->system->constraints[i].name);
    }
    for (size_t k = 1; k < f->count && every && position; k++) check_change(f, k, i, gap);
    for (size_t k = 0; k < f->count && every && position; k++) check_penetration(f, k, i, penetration);
  }
  if (!every) thud_verify_skip(penetration, THUD_VERIFY_NOT_APPLICABLE, "the record does not hold every step");
}
