/* Signorini's and Coulomb's laws of a quasi-static motion, and the modes that its frames claim. */
#include "verify/quasistatic/verify_quasistatic.h"

#include <math.h>

static double length(size_t d, const double *x) { return d == 1 ? 0 : d == 2 ? fabs(x[1]) : hypot(x[1], x[2]); }

/* ---- the normal law and the cone ------------------------------------------------------------------------------------ */

/* Forces in units of the largest one, displacements likewise: 0 <= gap perp r_N >= 0 and |r_T| <= bound. */
static void check_contact(const verify_quasi_motion *m, size_t k, size_t i, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  const double *r = verify_quasi_r(m, k) + i * q->d;
  double gap = (q->gap[i] + verify_quasi_u(m, k)[i * q->d]) / m->size_u, press = r[0] / m->size_r;
  if (thud_verify_tally(check, fabs(fmin(gap, press)), m->tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "at '%s': gap %.3g, reaction %.3g", q->contacts[i], gap * m->size_u, r[0]);
  double excess = length(q->d, r) - thud_verify_quasi_bound(q, i, m->t[k], r[0]);
  if (q->d > 1 && thud_verify_tally(check, fmax(0, excess / m->size_r), m->tolerance, 0, m->t[k], k))
    thud_verify_explain(check, "at '%s': friction %.6g, %.3g too much", q->contacts[i], length(q->d, r), excess);
}

/* On a piece the gap is closed while there is a reaction at the other end, too. */
static void check_piece(const verify_quasi_motion *m, size_t k, size_t i, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  size_t N = i * q->d;
  for (size_t end = 0; end < 2; end++) {
    double gap = (q->gap[i] + verify_quasi_u(m, k - end)[N]) / m->size_u;
    double press = verify_quasi_r(m, k - 1 + end)[N] / m->size_r;
    if (thud_verify_tally(check, fmax(0, fmin(gap, press)), m->direction > 0 ? m->direction : m->tolerance, 0, m->t[k],
                          k))
      thud_verify_explain(check, "'%s' is open at one end of the way and presses at the other", q->contacts[i]);
  }
}

void thud_verify_quasi_law(const verify_quasi_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++)
    for (size_t i = 0; i < m->quasi->c; i++) {
      check_contact(m, k, i, check);
      if (m->pieces && m->way[k] == VERIFY_WAY_STEP) check_piece(m, k, i, check);
    }
}

/* ---- the direction of friction --------------------------------------------------------------------------------------- */

/* |r_T + bound du/|du||, which must vanish where there is a slip. A slip is known up to the tolerance: its direction up
 * to twice the tolerance divided by it. */
static void check_slip(const verify_quasi_motion *m, size_t k, size_t at, size_t i, const double *before,
                       thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  const double *u = verify_quasi_u(m, k) + i * q->d, *r = verify_quasi_r(m, at) + i * q->d;
  double du[3] = {0}, off[3] = {0}, blur = m->tolerance * m->size_u;
  for (size_t j = 1; j < q->d; j++) du[j] = u[j] - before[i * q->d + j];
  double slip = length(q->d, du), bound = thud_verify_quasi_bound(q, i, m->t[at], r[0]);
  if (slip <= blur) return;
  for (size_t j = 1; j < q->d; j++) off[j] = r[j] + bound * du[j] / slip;
  bool between = m->direction > 0 && m->way[k] == VERIFY_WAY_STEP;
  double tolerance = (between ? m->direction : m->tolerance) * m->size_r + (q->d == 3 ? 2 * bound * blur / slip : 0);
  if (thud_verify_tally(check, length(q->d, off), tolerance, 0, m->t[at], k))
    thud_verify_explain(check, "'%s' slips by %.3g, its friction is off by this", q->contacts[i], slip);
}

/* The reaction of frame `at` lets the contact slip by du[d]: it is at its bound, and does not push on. */
static bool may_slip(const verify_quasi_motion *m, size_t at, size_t i, const double *du) {
  const verify_quasi *q = m->quasi;
  const double *r = verify_quasi_r(m, at) + i * q->d;
  double margin = (m->direction > 0 ? m->direction : m->tolerance) * m->size_r, power = 0;
  for (size_t j = 1; j < q->d; j++) power += r[j] * du[j];
  return length(q->d, r) >= thud_verify_quasi_bound(q, i, m->t[at], r[0]) - margin &&
         power <= margin * length(q->d, du);
}

/* Slips too short to have a direction add up: from where a contact began to stick it does not move. What contact problems
 * leave in every increment adds up likewise. */
static void check_creep(const verify_quasi_motion *m, size_t i, thud_verify_check *check) {
  const verify_quasi *q = m->quasi;
  size_t anchor = 0;
  for (size_t k = 1; k < m->count; k++) {
    double du[3] = {0}, crept[3] = {0};
    if (m->way[k] == VERIFY_WAY_SAME && anchor + 1 == k) anchor = k;
    if (m->way[k] == VERIFY_WAY_SAME) continue;
    for (size_t j = 1; j < q->d; j++) {
      du[j] = verify_quasi_u(m, k)[i * q->d + j] - verify_quasi_u(m, k - 1)[i * q->d + j];
      crept[j] = verify_quasi_u(m, k)[i * q->d + j] - verify_quasi_u(m, anchor)[i * q->d + j];
    }
    bool both = !m->pieces || may_slip(m, k - 1, i, du);
    if (m->way[k] != VERIFY_WAY_STEP || (may_slip(m, k, i, du) && both)) {
      anchor = k;
      continue;
    }
    double left = m->ledger != NULL ? 10 * q->scene.tolerance * (double)(k - anchor) : 0;
    double tolerance = fmax(2 * m->tolerance, left) * m->size_u, way = length(q->d, crept);
    if (thud_verify_tally(check, way, tolerance, 0, m->t[k], k))
      thud_verify_explain(check, "'%s' creeps by %.3g from t = %.10g on while it sticks", q->contacts[i], way,
                          m->t[anchor]);
  }
}

void thud_verify_quasi_friction(const verify_quasi_motion *m, thud_verify_check *check) {
  size_t ways = 0;
  if (m->quasi->d == 1) {
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "the contacts have no friction");
    return;
  }
  for (size_t k = 0; k < m->count; k++) {
    const double *before = thud_verify_quasi_before(m, k);
    if (before == NULL) continue;
    ways++;
    for (size_t i = 0; i < m->quasi->c; i++) {
      check_slip(m, k, k, i, before, check);
      if (m->pieces && m->way[k] == VERIFY_WAY_STEP) check_slip(m, k, k - 1, i, before, check);
    }
  }
  for (size_t i = 0; i < m->quasi->c && m->quasi->method != VERIFY_QUASI_STATIC; i++) check_creep(m, i, check);
  if (check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu ways of %zu frames%s", ways, m->count, m->pieces ? ", at both ends" : "");
}

/* ---- modes ------------------------------------------------------------------------------------------------------------- */

/* By how much the values at frame `at` are not those of the mode, relative; du: slip of the way to frame k. */
static double mode_defect(const verify_quasi_motion *m, size_t at, size_t i, int mode, double slip,
                          double signed_slip) {
  const verify_quasi *q = m->quasi;
  const double *r = verify_quasi_r(m, at) + i * q->d;
  double gap = fabs(q->gap[i] + verify_quasi_u(m, at)[i * q->d]) / m->size_u;
  double bound = thud_verify_quasi_bound(q, i, m->t[at], r[0]);
  switch (mode) {
  case VERIFY_MODE_OPEN:
    return q->method == VERIFY_QUASI_THRESHOLD ? fabs(r[0]) / m->size_r : fmax(fabs(r[0]), length(q->d, r)) / m->size_r;
  case VERIFY_MODE_STICK: return fmax(gap, slip / m->size_u);
  default: break;
  }
  if (q->d == 3) return fmax(gap, fabs(length(3, r) - bound) / m->size_r);
  double s = mode == VERIFY_MODE_SLIP ? 1 : -1;
  double wrong_way = q->mu[i] > 0 || q->method == VERIFY_QUASI_THRESHOLD ? fmax(0, s * signed_slip) / m->size_u : 0;
  return fmax(fmax(gap, wrong_way), fabs(r[1] - s * bound) / m->size_r);
}

static void check_mode(const verify_quasi_motion *m, size_t k, size_t at, size_t i, const double *before,
                       thud_verify_check *check) {
  static const char *const names[] = {"open", "stick", "slip+", "slip-"};
  const verify_quasi *q = m->quasi;
  double du[3] = {0};
  int mode = (int)m->mode[k * q->c + i];
  for (size_t j = 1; j < q->d && before != NULL; j++) du[j] = verify_quasi_u(m, k)[i * q->d + j] - before[i * q->d + j];
  double defect = mode_defect(m, at, i, mode, length(q->d, du), du[1]);
  if (thud_verify_tally(check, defect, m->tolerance, 0, m->t[at], k))
    thud_verify_explain(check, "'%s' as '%s'", q->contacts[i], names[mode]);
}

void thud_verify_quasi_modes(const verify_quasi_motion *m, thud_verify_check *check) {
  for (size_t k = 0; k < m->count; k++) {
    const double *before = thud_verify_quasi_before(m, k);
    for (size_t i = 0; i < m->quasi->c; i++) {
      check_mode(m, k, k, i, before, check);
      if (m->pieces && m->way[k] == VERIFY_WAY_STEP) check_mode(m, k, k - 1, i, before, check);
    }
  }
}
