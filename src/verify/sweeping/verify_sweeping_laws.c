/* The law of the sweeping process at every frame. */
#include "verify/sweeping/verify_sweeping_checks.h"
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Time over which frame k's density acts: since the frame before or, when frames were left out, since the node before
 * it in the partition. */
static double time_step(const verify_motion *m, size_t k) {
  bool is_jump;
  if (m->complete) return k > 0 ? m->t[k] - m->t[k - 1] : 0;
  return m->t[k] - thud_verify_scene_time_before(m->scene, m->t[k], &is_jump);
}

/* The state given at the start need not lie in any set. */
static bool is_given_state(const verify_motion *m, size_t k) { return m->side[k] < 0 && m->t[k] == m->scene->start; }

/* Places the set that the state of frame k was projected onto: C(t-), C(t) or C(t+). False when its data are not
 * finite. */
static bool place_for_frame(verify_motion *m, size_t k, thud_verify_check *check) {
  if (thud_verify_motion_place(m, m->t[k], (thud_side)m->side[k])) return true;
  thud_verify_fail(check, m->t[k], k, "the data of the set are not finite at this time");
  return false;
}

/* Errors below this part of the largest |u|, or within the rounding of the set's numbers, are not worth a quarrel about
 * the recorded residual; nor is what the checker's own projection may be wrong by, which `found` contains. */
static const double RESIDUAL_SLACK = 1e-10;

/* The error of u in the metric is claimed to be at most the recorded residual, or the gap that iterative projections
 * certified; then the residual of the law is at most (2/sqrt(low) + sqrt(high)) times it, by the reckoning of
 * thud_verify_normal. */
static void check_recorded_residual(const verify_motion *m, size_t k, double found, thud_verify_check *check) {
  double factor = 2 / sqrt(m->scene->metric_low) + sqrt(m->scene->metric_high);
  double claimed = fmax(m->residual[k], m->claimed_gap);
  if (!isnan(m->claimed_gap))
    thud_verify_tally(check, found, factor * claimed + RESIDUAL_SLACK * fmax(m->scale, m->numbers_size), 0, m->t[k], k);
  if (m->residual[k] < 0) thud_verify_fail(check, m->t[k], k, "the recorded residual is negative: %g", m->residual[k]);
}

thud_error thud_verify_check_catching_up(verify_motion *m, thud_verify_check *membership, thud_verify_check *law,
                                         thud_verify_check *residual) {
  double *w = verify_work(m, 0);
  thud_error error = THUD_OK;
  for (size_t k = 0; k < m->count && error == THUD_OK; k++) {
    if (is_given_state(m, k) || !place_for_frame(m, k, membership)) continue;
    error = thud_verify_member(m, verify_state(m, k), m->t[k], k, membership);
    if (error != THUD_OK) continue;
    double factor = m->atom[k] != 0 ? 1 : time_step(m, k);
    for (size_t i = 0; i < m->n; i++) w[i] = -factor * m->reaction[k * m->n + i];
    double found = 0;
    error = thud_verify_normal(m, verify_state(m, k), w, 0, m->t[k], k, law, &found);
    if (error == THUD_OK) check_recorded_residual(m, k, found, residual);
  }
  return error;
}

/* u_k = p + exp(-h/lambda) (u_(k-1) - p) with p the projection of u_(k-1): hence p = u_(k-1) + (u_k - u_(k-1))/c with
 * c = 1 - exp(-h/lambda), and u_k - u_(k-1) = M^-1 reaction h. */
static void recover_target(const verify_motion *m, size_t k, double h, double c, double *before, double *p) {
  thud_verify_scene_solve_metric(m->scene, m->reaction + k * m->n, p);
  for (size_t i = 0; i < m->n; i++) {
    double moved = h * p[i];
    before[i] = verify_state(m, k)[i] - moved;
    p[i] = before[i] + moved / c;
  }
}

thud_error thud_verify_check_regularised(verify_motion *m, thud_verify_check *membership, thud_verify_check *law,
                                         thud_verify_check *step) {
  double *w = verify_work(m, 0), *p = verify_work(m, 1), *before = verify_work(m, 2), *scratch = verify_work(m, 3);
  double tolerance = m->tolerance, deepest = 0;
  thud_error error = THUD_OK;
  for (size_t k = 1; k < m->count && error == THUD_OK; k++) {
    double h = time_step(m, k), c = -expm1(-h / m->scene->lambda);
    if (!(h > 0)) continue; /* two frames at one time: the structure's and the jumps' business */
    if (!thud_verify_motion_place(m, m->t[k] - h + 0.5 * h, THUD_SIDE_VALUE)) {
      thud_verify_fail(membership, m->t[k], k, "the data of the set are not finite in the middle of the step");
      continue;
    }
    recover_target(m, k, h, c, before, p);
    /* The rounding errors of the two states come out divided by c. */
    m->tolerance = tolerance + 8 * DBL_EPSILON / c;
    error = thud_verify_member(m, p, m->t[k], k, membership);
    for (size_t i = 0; i < m->n; i++) scratch[i] = before[i] - p[i];
    thud_verify_scene_apply_metric(m->scene, scratch, w);
    double depth = sqrt(fmax(0, thud_verify_dot(m->n, scratch, w)));
    deepest = fmax(deepest, depth);
    thud_verify_tally(step, fabs(depth - m->residual[k]),
                      sqrt(m->scene->metric_high) * thud_verify_position_tolerance(m), 0, m->t[k], k);
    if (error == THUD_OK) error = thud_verify_normal(m, p, w, 0, m->t[k], k, law, NULL);
  }
  m->tolerance = tolerance;
  if (membership->status == THUD_VERIFY_PASSED)
    thud_verify_explain(membership, "of the points the motion is drawn to; the motion itself is up to %.3g outside",
                        deepest);
  return error;
}
