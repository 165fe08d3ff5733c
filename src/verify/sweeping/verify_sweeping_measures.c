/* The numbers that a record keeps beside the states: reaction, variation. */
#include "verify/sweeping/verify_sweeping_checks.h"
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>

/* Rounding errors of a few operations per component. */
static double rounding(const verify_motion *m) { return (64 + 4 * (double)m->n) * DBL_EPSILON; }

/* Increment of frame k: out = u_k - u_(k-1). */
static void increment(const verify_motion *m, size_t k, double *out) {
  const double *u = verify_state(m, k), *before = verify_state_before(m, k);
  for (size_t i = 0; i < m->n; i++) out[i] = u[i] - before[i];
}

void thud_verify_check_reaction(verify_motion *m, thud_verify_check *check) {
  if (!m->complete) {
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the record does not hold every step");
    return;
  }
  double *du = verify_work(m, 0), *covector = verify_work(m, 1);
  for (size_t k = 0; k < m->count; k++) {
    const double *reaction = m->reaction + k * m->n;
    double elapsed = k > 0 ? m->t[k] - m->t[k - 1] : 0, factor = m->atom[k] != 0 ? 1 : elapsed;
    increment(m, k, du);
    thud_verify_scene_apply_metric(m->scene, du, covector);
    for (size_t i = 0; i < m->n; i++) covector[i] -= factor * reaction[i];
    double size = m->scene->metric_high * m->scale + factor * thud_verify_norm(m->n, reaction);
    thud_verify_tally(check, thud_verify_norm(m->n, covector), rounding(m) * size, 0, m->t[k], k);
    /* Where no time has passed a density is nothing. */
    if (factor == 0) thud_verify_tally(check, thud_verify_norm(m->n, reaction), 0, 0, m->t[k], k);
  }
}

void thud_verify_check_variation(verify_motion *m, thud_verify_check *check) {
  double *du = verify_work(m, 0), *scratch = verify_work(m, 1);
  for (size_t k = 0; k < m->count; k++) {
    double before = k > 0 ? m->variation[k - 1] : 0, grown = m->variation[k] - before;
    increment(m, k, du);
    double moved = thud_verify_scene_metric_norm(m->scene, du, scratch);
    double tolerance = rounding(m) * (fabs(m->variation[k]) + sqrt(m->scene->metric_high) * m->scale);
    /* A record that leaves steps out knows less: the variation grows at least by the distance. */
    thud_verify_tally(check, m->complete ? fabs(grown - moved) : fmax(0, moved - grown), tolerance, 0, m->t[k], k);
  }
  if (!m->complete && check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "grows at least by the distances; the record does not hold every step");
}
