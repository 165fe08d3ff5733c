/* The laws of a punch, frame by frame: loads, equilibrium, contact, friction. */
#include "verify/half_plane/verify_punch.h"

#include <float.h>
#include <math.h>

/* Between the middles the laws hold up to the mesh: gaps of this part of (2/E') h p are expected there. */
static const double BETWEEN = 0.1;
enum { BETWEEN_POINTS = 32 };

static const double *load_of(const verify_punch_motion *m, size_t k) { return m->load + VERIFY_PUNCH_DRIVES * k; }
static const double *motion_of(const verify_punch_motion *m, size_t k) { return m->motion + VERIFY_PUNCH_DRIVES * k; }

/* ---- what was asked for ---------------------------------------------------------------------------------------------- */

void thud_verify_punch_loads(const verify_punch_motion *m, thud_verify_check *check) {
  const verify_punch *punch = m->punch;
  for (size_t k = 0; k < m->count; k++)
    for (int d = 0; d < VERIFY_PUNCH_DRIVES; d++) {
      double wanted = thud_verify_value_at(&punch->scene, &punch->drive[d], m->t[k], THUD_SIDE_VALUE);
      double found = punch->motion_given[d] ? motion_of(m, k)[d] : load_of(m, k)[d];
      thud_verify_tally(check, fabs(found - wanted), 64 * DBL_EPSILON * fabs(wanted) + DBL_MIN, 0, m->t[k], k);
    }
}

/* P, Q and M are those of the tractions. */
void thud_verify_punch_equilibrium(const verify_punch_motion *m, thud_verify_check *check) {
  const verify_punch *punch = m->punch;
  double reach = fmax(fabs(punch->edges[0] - punch->pivot), fabs(punch->edges[punch->n] - punch->pivot));
  for (size_t k = 0; k < m->count; k++) {
    const double *p = m->pressure + k * punch->n, *q = m->traction + k * punch->n, *load = load_of(m, k);
    double sums[VERIFY_PUNCH_DRIVES] = {0}, force = thud_verify_punch_no_force(m, k);
    for (size_t i = 0; i < punch->n; i++) {
      sums[0] += punch->h[i] * p[i];
      sums[1] += punch->h[i] * q[i];
      sums[2] += punch->h[i] * p[i] * (punch->x[i] - punch->pivot);
    }
    for (int d = 0; d < VERIFY_PUNCH_DRIVES; d++)
      thud_verify_tally(check, fabs(sums[d] - load[d]), force * (d == 2 ? reach : 1), 0, m->t[k], k);
  }
}

/* ---- displacements --------------------------------------------------------------------------------------------------- */

void thud_verify_punch_gaps(const verify_punch_motion *m, thud_verify_check *gap, thud_verify_check *displacement) {
  const verify_punch *punch = m->punch;
  double profile = 0;
  for (size_t i = 0; i < punch->n; i++) profile = fmax(profile, fabs(punch->profile[i]));
  for (size_t k = 0; k < m->count; k++) {
    const double *motion = motion_of(m, k);
    double size = thud_verify_punch_size(m, k), u, v;
    /* middles are known to the rounding of the mesh's length, over which the profile rises by its largest value */
    double tolerance = m->tolerance * size + 8 * DBL_EPSILON * profile + DBL_MIN;
    for (size_t r = 0; r < m->row_count; r++) {
      size_t i = m->rows[r], at = k * punch->n + i;
      thud_verify_punch_displace(m, k, r, &u, &v);
      double expected = u - motion[0] + punch->profile[i] + motion[2] * (punch->x[i] - punch->pivot);
      /* a gap that is large is known to its own rounding only */
      double rounding = 1e-12 * (fabs(expected) + fabs(motion[2]) * fabs(punch->x[i] - punch->pivot));
      thud_verify_tally(gap, fabs(m->gap[at] - expected), tolerance + rounding, 0, m->t[k], k);
      thud_verify_tally(gap, fmax(0, -m->gap[at]), tolerance, 0, m->t[k], k);
      thud_verify_tally(displacement, fabs(m->displacement[at] - v - motion[1]),
                        tolerance + 1e-12 * fabs(m->displacement[at]), 0, m->t[k], k);
    }
  }
  if (m->row_count == punch->n || gap->status != THUD_VERIFY_PASSED) return;
  thud_verify_explain(gap, "at %zu of %zu middles", m->row_count, punch->n);
  thud_verify_explain(displacement, "at %zu of %zu middles", m->row_count, punch->n);
}

/* At edges between elements that touch, where nothing was imposed: the profile is met up to the mesh. */
void thud_verify_punch_between(const verify_punch_motion *m, thud_verify_check *check) {
  const verify_punch *punch = m->punch;
  size_t n = punch->n, steps = n - 1 < BETWEEN_POINTS ? n - 1 : BETWEEN_POINTS, k = m->count - 1;
  const double *p = m->pressure + k * n, *q = m->traction + k * n, *mode = m->mode + k * n, *motion = motion_of(m, k);
  for (size_t s = 0; s < steps; s++) {
    size_t j = 1 + (size_t)((double)(n - 1) * ((double)s + 0.5) / (double)steps); /* edge number j */
    if (j < 2 || j + 1 >= n || mode[j - 1] == VERIFY_MODE_APART || mode[j] == VERIFY_MODE_APART) continue;
    double x = punch->edges[j], u, v, part = punch->h[j - 1] / (punch->h[j - 1] + punch->h[j]);
    double profile = (1 - part) * punch->profile[j - 1] + part * punch->profile[j];
    double curve = fabs(punch->profile[j - 2] - 2 * punch->profile[j - 1] + punch->profile[j]) +
                   fabs(punch->profile[j - 1] - 2 * punch->profile[j] + punch->profile[j + 1]);
    thud_verify_punch_displace_at(m, k, x, &u, &v);
    double largest = fmax(p[j - 1] + fabs(q[j - 1]), p[j] + fabs(q[j])), h = fmax(punch->h[j - 1], punch->h[j]);
    double value = fabs(u - motion[0] + profile + motion[2] * (x - punch->pivot));
    double tolerance = 2 * BETWEEN / punch->modulus * h * largest + curve + m->tolerance * thud_verify_punch_size(m, k);
    thud_verify_tally(check, value, tolerance, 0, m->t[k], k);
  }
}

/* ---- friction -------------------------------------------------------------------------------------------------------- */

/* The displacement that element i of frame k slips from; false: the row before is not there. */
static bool slips_from(const verify_punch_motion *m, size_t k, size_t i, double *from) {
  const verify_punch *punch = m->punch;
  *from = 0;
  if (punch->method < VERIFY_PUNCH_INCREMENTAL || m->node[k] == 0) return true;
  if (k == 0 || m->node[k - 1] != m->node[k] - 1) return false;
  double place = (double)i + (punch->method == VERIFY_PUNCH_ROLLING ? punch->roll : 0);
  place = fmin(fmax(place, 0), (double)(punch->n - 1));
  *from = m->displacement[(k - 1) * punch->n + (size_t)place];
  return true;
}

void thud_verify_punch_slips(const verify_punch_motion *m, thud_verify_check *check) {
  size_t n = m->punch->n, skipped = 0;
  for (size_t k = 0; k < m->count; k++) {
    double tolerance = 1e-12 * thud_verify_punch_size(m, k), from;
    for (size_t i = 0; i < n; i++) {
      if (!slips_from(m, k, i, &from)) {
        skipped++;
        break;
      }
      double v = m->displacement[k * n + i];
      thud_verify_tally(check, fabs(v - from - m->slip[k * n + i]),
                        tolerance + 1e-12 * (fabs(v) + fabs(from)) + DBL_MIN, 0, m->t[k], k);
    }
  }
  if (skipped == m->count)
    thud_verify_skip(check, THUD_VERIFY_NOT_CHECKED, "rows were left out: what the slips count from is not there");
  else if (skipped > 0 && check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu of %zu rows: the others lack the row before", m->count - skipped, m->count);
}

/* p >= 0, |q| <= F p, and q = -F p sgn(slip). */
static void check_element(const verify_punch_motion *m, size_t k, size_t i, double force, double length,
                          thud_verify_check *law) {
  const verify_punch *punch = m->punch;
  size_t at = k * punch->n + i;
  double p = punch->h[i] * m->pressure[at], q = punch->h[i] * m->traction[at], limit = punch->friction * fmax(p, 0);
  thud_verify_tally(law, fmax(0, -p), force, 0, m->t[k], k);
  thud_verify_tally(law, fmax(0, fabs(q) - limit), force, 0, m->t[k], k);
  if (punch->friction == 0 || m->mode[at] == VERIFY_MODE_APART) return;
  if (m->slip[at] > length) thud_verify_tally(law, fabs(q + limit), force, 0, m->t[k], k);
  if (m->slip[at] < -length) thud_verify_tally(law, fabs(q - limit), force, 0, m->t[k], k);
}

static void check_mode(const verify_punch_motion *m, size_t k, size_t i, double length, thud_verify_check *modes) {
  const verify_punch *punch = m->punch;
  size_t at = k * punch->n + i;
  double p = punch->h[i] * m->pressure[at], q = punch->h[i] * m->traction[at], s = m->slip[at], mode = m->mode[at];
  if (mode == VERIFY_MODE_APART) {
    thud_verify_tally(modes, fabs(p) + fabs(q), DBL_MIN, 0, m->t[k], k);
  } else if (mode == VERIFY_MODE_STUCK) {
    thud_verify_tally(modes, fabs(s) + fabs(m->gap[at]), DBL_MIN, 0, m->t[k], k);
  } else if (mode == VERIFY_MODE_FORWARD || mode == VERIFY_MODE_BACKWARD) {
    double sign = mode == VERIFY_MODE_FORWARD ? 1 : -1;
    thud_verify_tally(modes, fabs(q - sign * punch->friction * p), 1e-13 * fabs(q) + DBL_MIN, 0, m->t[k], k);
    thud_verify_tally(modes, fabs(m->gap[at]), DBL_MIN, 0, m->t[k], k);
    if (punch->friction > 0) thud_verify_tally(modes, fmax(0, sign * s), length, 0, m->t[k], k);
  } else {
    thud_verify_fail(modes, m->t[k], k, "element %zu has the mode %g", i, mode);
  }
}

/* s times the slip at an end of the punch while everything slides, from the middle of the fifth element: with q = s F p and
 * u = depth - g there is v' = -s F g' - (2/E') gamma (1 + F^2) p. -infinity: the contact does not reach it. */
static double slip_at_corner(const verify_punch_motion *m, size_t k, double s, bool right) {
  enum { FIFTH = 4 };
  const verify_punch *punch = m->punch;
  size_t n = punch->n, base = k * n, i = right ? n - 1 - FIFTH : FIFTH, inner = right ? i - 1 : i + 1;
  double F = punch->friction, force = 0;
  if (punch->period > 0 || n < FIFTH + 2) return -INFINITY;
  for (size_t j = 0; j <= FIFTH; j++) {
    size_t at = right ? n - 1 - j : j;
    if (m->mode[base + at] == VERIFY_MODE_APART) return -INFINITY;
    force += (j == FIFTH ? 0.5 : 1) * punch->h[at] * m->pressure[base + at];
  }
  double way = punch->edges[right ? n : 0] - punch->x[i], part = way / (punch->x[i] - punch->x[inner]);
  double g = (punch->profile[i] - punch->profile[inner]) * part + motion_of(m, k)[2] * way;
  double old = m->displacement[base + i] - m->slip[base + i],
         older = m->displacement[base + inner] - m->slip[base + inner];
  double pressed = 2 / punch->modulus * punch->coupling * (1 + F * F) * force;
  return s * (m->slip[base + i] - s * F * g - (old - older) * part + (right ? -pressed : pressed));
}

/* A shift that no equation gives: 0 without friction; where everything slides the last one at which nothing slips the wrong
 * way, neither in the middles nor at the ends. */
static void check_free_shift(const verify_punch_motion *m, size_t k, double length, thud_verify_check *law) {
  const verify_punch *punch = m->punch;
  int regime = thud_verify_punch_regime(m, k);
  if (punch->motion_given[1] || regime == VERIFY_PUNCH_LIFTED) return;
  if (punch->friction == 0) thud_verify_tally(law, fabs(motion_of(m, k)[1]), length, 0, m->t[k], k);
  if (punch->friction == 0 || regime != VERIFY_PUNCH_SLIDES) return;
  double largest = -INFINITY, s = 0;
  for (size_t i = 0; i < punch->n; i++) {
    double mode = m->mode[k * punch->n + i];
    if (mode == VERIFY_MODE_APART) continue;
    if (s != 0 && s != mode - 1) return; /* both ways: friction at its limit by elements */
    s = mode - 1;
    largest = fmax(largest, s * m->slip[k * punch->n + i]);
  }
  for (int right = 0; right < 2; right++) largest = fmax(largest, slip_at_corner(m, k, s, right != 0));
  thud_verify_tally(law, fabs(largest), length, 0, m->t[k], k);
}

void thud_verify_punch_law(const verify_punch_motion *m, thud_verify_check *law, thud_verify_check *modes) {
  size_t n = m->punch->n;
  for (size_t k = 0; k < m->count; k++) {
    double force = thud_verify_punch_no_force(m, k);
    double length = m->tolerance * thud_verify_punch_size(m, k) + DBL_MIN;
    check_free_shift(m, k, length, law);
    for (size_t i = 0; i < n; i++) {
      check_element(m, k, i, force, length, law);
      check_mode(m, k, i, length, modes);
    }
  }
}

int thud_verify_punch_regime(const verify_punch_motion *m, size_t frame) {
  bool stuck = false, slips = false;
  for (size_t i = 0; i < m->punch->n; i++) {
    double mode = m->mode[frame * m->punch->n + i];
    stuck = stuck || mode == VERIFY_MODE_STUCK;
    slips = slips || mode == VERIFY_MODE_FORWARD || mode == VERIFY_MODE_BACKWARD;
  }
  if (stuck) return slips ? VERIFY_PUNCH_PARTIAL : VERIFY_PUNCH_STICKS;
  return slips ? VERIFY_PUNCH_SLIDES : VERIFY_PUNCH_LIFTED;
}
