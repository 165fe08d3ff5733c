/* Energies of a punch: work, stored energy and losses by the mean forces of steps; creep of rolling. */
#include "verify/half_plane/verify_punch.h"

#include <float.h>
#include <math.h>

/* Sums round: this part of the terms is forgiven. */
static const double ROUNDING = 1e-13;

enum { STORED, WORK, FRICTION, NORMAL, DEFECT };

/* Where p is, the surface lies on the punch; v is what moves against the punch. *size: terms in absolute value. */
static double stored(const verify_punch_motion *m, size_t k, double *size) {
  const verify_punch *punch = m->punch;
  const double *motion = m->motion + VERIFY_PUNCH_DRIVES * k;
  double sum = 0;
  for (size_t i = 0; i < punch->n; i++) {
    size_t at = k * punch->n + i;
    double lift = punch->profile[i] + motion[2] * (punch->x[i] - punch->pivot);
    double normal = m->pressure[at] * (motion[0] - lift), along = m->traction[at] * (m->displacement[at] - motion[1]);
    sum += punch->h[i] * (normal + along) / 2;
    *size += punch->h[i] * (fabs(m->pressure[at]) * (fabs(motion[0]) + fabs(lift)) +
                            fabs(m->traction[at]) * (fabs(m->displacement[at]) + fabs(motion[1])));
  }
  return sum;
}

/* What the step to frame k adds to the entries of the ledger but the first. */
static void add_step(const verify_punch_motion *m, size_t k, double *sums, double *size) {
  const verify_punch *punch = m->punch;
  const double *load = m->load + VERIFY_PUNCH_DRIVES * k, *motion = m->motion + VERIFY_PUNCH_DRIVES * k;
  const double *load0 = load - VERIFY_PUNCH_DRIVES, *motion0 = motion - VERIFY_PUNCH_DRIVES;
  double work = (load[0] + load0[0]) * (motion[0] - motion0[0]) - (load[1] + load0[1]) * (motion[1] - motion0[1]) -
                (load[2] + load0[2]) * (motion[2] - motion0[2]);
  for (int d = 0; d < VERIFY_PUNCH_DRIVES; d++)
    *size += (fabs(load[d]) + fabs(load0[d])) * (fabs(motion[d]) + fabs(motion0[d]));
  double friction = 0, normal = 0, unused = 0;
  for (size_t i = 0; i < punch->n; i++) {
    size_t now = k * punch->n + i, before = now - punch->n;
    double h = punch->h[i], slip = m->displacement[now] - m->displacement[before];
    friction += h * (m->traction[now] + m->traction[before]) * slip;
    normal += h * (m->pressure[now] * m->gap[before] - m->pressure[before] * m->gap[now]);
    *size += h * (fabs(m->traction[now]) + fabs(m->traction[before])) *
             (fabs(m->displacement[now]) + fabs(m->displacement[before]));
    *size += h * (m->pressure[now] * m->gap[before] + m->pressure[before] * m->gap[now]);
  }
  double change = stored(m, k, size) - stored(m, k - 1, &unused);
  sums[WORK] += work / 2;
  sums[FRICTION] -= friction / 2;
  sums[NORMAL] += normal / 2;
  sums[DEFECT] += work / 2 - change + friction / 2 - normal / 2;
}

void thud_verify_punch_energy(const verify_punch_motion *m, thud_verify_check *check) {
  if (m->ledger == NULL) return; /* of this method */
  double sums[VERIFY_PUNCH_LEDGER] = {0}, size = 0;
  for (size_t k = 0; k < m->count; k++) {
    const double *ledger = m->ledger + VERIFY_PUNCH_LEDGER * k;
    double own = 0, energy = stored(m, k, &own);
    bool follows = k > 0 && m->node[k - 1] == m->node[k] - 1;
    thud_verify_tally(check, fabs(ledger[STORED] - energy), ROUNDING * own + DBL_MIN, 0, m->t[k], k);
    if (k == 0 && m->node[0] == 0)
      for (int e = WORK; e <= DEFECT; e++) thud_verify_tally(check, fabs(ledger[e]), DBL_MIN, 0, m->t[k], k);
    if (!follows) {
      for (int e = WORK; e <= DEFECT; e++) sums[e] = ledger[e];
      continue;
    }
    add_step(m, k, sums, &size);
    for (int e = WORK; e <= DEFECT; e++)
      thud_verify_tally(check, fabs(ledger[e] - sums[e]), ROUNDING * size + DBL_MIN, 0, m->t[k], k);
  }
}

void thud_verify_punch_creep(const verify_punch_motion *m, thud_verify_check *check) {
  if (m->creep == NULL) return; /* it does not roll */
  double way = m->punch->roll * (m->punch->edges[m->punch->n] - m->punch->edges[0]) / (double)m->punch->n;
  for (size_t k = 0; k < m->count; k++) {
    double shift = m->motion[VERIFY_PUNCH_DRIVES * k + 1];
    if (m->node[k] == 0) thud_verify_tally(check, fabs(m->creep[k]), DBL_MIN, 0, m->t[k], k);
    if (k == 0 || m->node[k - 1] != m->node[k] - 1) continue;
    double before = m->motion[VERIFY_PUNCH_DRIVES * (k - 1) + 1];
    double tolerance = 1e-12 * (fabs(shift) + fabs(before)) / fabs(way) + DBL_MIN;
    thud_verify_tally(check, fabs(m->creep[k] - (shift - before) / way), tolerance, 0, m->t[k], k);
  }
}
