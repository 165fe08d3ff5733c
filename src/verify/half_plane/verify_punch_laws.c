/* The laws of a punch, frame by frame: loads, equilibrium, contact, friction, and where contact and stick end. */
#include "verify/half_plane/verify_punch.h"
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

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

/* ---- edges of contact and stick ---------------------------------------------------------------------------------- */

/* Edges of contact and stick: which elements they lie beside, and where within them.
 *
 * With al = atan(gamma F)/pi the pressure falls like d^(1/2 + s side al) at an end of the contact that is free, s the sign
 * of q; slip grows like d^(3/2 - al) beside a stick zone of a first load; after others F p - |q| falls like
 * d^(1/2 - al) inside it. That power of the values is a parabola of x near the edge,
 * fitted here with polynomials that are orthogonal on the points. */

static const double pi = 3.14159265358979323846;

enum { SKIPPED = 2, MOST = 10, FEW = 6, LEAST = 4 };

typedef struct edge_fit {
  const double *values; /* [n] */
  const double *limits; /* [n]: F times these minus |values| is meant; NULL: the values */
  double power;
  size_t first; /* element beside the edge, and the direction away from the edge */
  int direction;
  bool same_mode; /* only elements with the mode of the first one */
  double low, high;
} edge_fit;

static size_t run_length(const verify_punch_motion *m, const double *mode, const edge_fit *fit) {
  size_t count = 0;
  for (double i = (double)fit->first; i >= 0 && i < (double)m->punch->n && count < MOST; i += fit->direction, count++)
    if (mode[(size_t)i] == VERIFY_MODE_APART || (fit->same_mode && mode[(size_t)i] != mode[fit->first])) break;
  return count;
}

/* Coefficients of 1, z and z^2 (degree 1 for few points) of least squares, by orthogonal polynomials. */
static void fit_parabola(size_t count, const double *z, const double *y, int degree, double c[3]) {
  double mean = 0, spread = 0, cubes = 0, level = 0, slope = 0;
  for (size_t k = 0; k < count; k++) mean += z[k] / (double)count, level += y[k] / (double)count;
  for (size_t k = 0; k < count; k++) {
    double d = z[k] - mean;
    spread += d * d;
    cubes += d * d * d;
    slope += d * y[k];
  }
  slope /= spread;
  double lean = cubes / spread, even = spread / (double)count, bend = 0, norm = 0; /* d^2 - lean d - even */
  for (size_t k = 0; k < count && degree > 1; k++) {
    double d = z[k] - mean, w = d * d - lean * d - even;
    bend += w * y[k];
    norm += w * w;
  }
  bend = norm > 0 ? bend / norm : 0;
  slope -= bend * lean;
  level -= bend * even;
  c[0] = level - slope * mean + bend * mean * mean;
  c[1] = slope - 2 * bend * mean;
  c[2] = bend;
}

static double find_edge(const verify_punch_motion *m, const double *mode, const edge_fit *fit) {
  const double *x = m->punch->x;
  size_t count = run_length(m, mode, fit), skipped = count >= FEW ? SKIPPED : 1;
  double z[MOST], y[MOST], c[3], plain = m->punch->edges[fit->direction > 0 ? fit->first : fit->first + 1];
  if (count < LEAST) return plain; /* too few to look within the element */
  size_t start = fit->direction > 0 ? fit->first + skipped : fit->first - skipped;
  double unit = fabs(x[fit->direction > 0 ? start + 1 : start - 1] - x[start]);
  for (size_t k = skipped; k < count; k++) {
    size_t i = fit->direction > 0 ? fit->first + k : fit->first - k;
    z[k - skipped] = (x[i] - x[start]) / unit;
    double value = fabs(fit->values[i]);
    if (fit->limits != NULL) value = fmax(0, m->punch->friction * fit->limits[i] - value);
    y[k - skipped] = pow(value, fit->power);
  }
  fit_parabola(count - skipped, z, y, count >= FEW ? 2 : 1, c);
  if (c[1] == 0 || !isfinite(c[1])) return plain;
  double root = c[1] * c[1] - 4 * c[2] * c[0];
  double zero = root > 0 ? -2 * c[0] / (c[1] + copysign(sqrt(root), c[1])) : -c[0] / c[1];
  double edge = x[start] + unit * zero; /* far off: the values do not follow that power */
  return edge >= fit->low && edge <= fit->high ? edge : plain;
}

/* From the element in front of i to the one behind its neighbour on that side. */
static void set_limits(const verify_punch_motion *m, size_t i, int side, edge_fit *fit) {
  double low = (double)i - (side > 0 ? 1 : 2), high = low + 4, n = (double)m->punch->n;
  fit->low = m->punch->edges[(size_t)fmax(low, 0)];
  fit->high = m->punch->edges[(size_t)fmin(high, n)];
}

static double singularity(const verify_punch *punch) { return atan(punch->coupling * punch->friction) / pi; }

static bool is_last(const verify_punch_motion *m, size_t i, int side) {
  return side > 0 ? i + 1 == m->punch->n : i == 0;
}

static double contact_edge(const verify_punch_motion *m, size_t k, size_t i, int side) {
  const verify_punch *punch = m->punch;
  const double *mode = m->mode + k * punch->n;
  if (is_last(m, i, side)) return punch->edges[side > 0 ? i + 1 : i];
  double sign = mode[i] - 1;
  edge_fit fit = {.values = m->pressure + k * punch->n,
                  .power = 1 / (0.5 + sign * side * singularity(punch)),
                  .first = i,
                  .direction = -side};
  set_limits(m, i, side, &fit);
  return find_edge(m, mode, &fit);
}

/* Something had moved before this load: slip is not all of the displacement. */
static bool has_history(const verify_punch_motion *m, size_t k) {
  for (size_t at = k * m->punch->n; at < (k + 1) * m->punch->n; at++)
    if (m->displacement[at] != m->slip[at]) return true;
  return false;
}

static double stick_edge(const verify_punch_motion *m, size_t k, size_t i, int side) {
  const verify_punch *punch = m->punch;
  const double *mode = m->mode + k * punch->n;
  if (is_last(m, i, side)) return punch->edges[side > 0 ? i + 1 : i];
  size_t outside = side > 0 ? i + 1 : i - 1;
  if (mode[outside] == VERIFY_MODE_APART) return contact_edge(m, k, i, side);
  edge_fit fit = {.values = m->slip + k * punch->n,
                  .power = 1 / (1.5 - singularity(punch)),
                  .first = outside,
                  .direction = side,
                  .same_mode = true};
  if (has_history(m, k))
    fit = (edge_fit){.values = m->traction + k * punch->n,
                     .limits = m->pressure + k * punch->n,
                     .power = 1 / (0.5 - singularity(punch)),
                     .first = i,
                     .direction = -side,
                     .same_mode = true};
  set_limits(m, i, side, &fit);
  return find_edge(m, mode, &fit);
}

/* An empty zone is one point: where the gap is least, or the middle of the contact. */
static void find_zones(const verify_punch_motion *m, size_t k, double contact[2], double stick[2]) {
  size_t n = m->punch->n, first = n, last = 0, lowest = 0;
  const double *mode = m->mode + k * n, *gap = m->gap + k * n;
  for (size_t i = 0; i < n; i++) {
    if (gap[i] < gap[lowest]) lowest = i;
    if (mode[i] == VERIFY_MODE_APART) continue;
    if (first == n) first = i;
    last = i;
  }
  contact[0] = contact[1] = m->punch->x[lowest];
  if (first < n) {
    contact[0] = contact_edge(m, k, first, -1);
    contact[1] = contact_edge(m, k, last, 1);
  }
  stick[0] = stick[1] = 0.5 * (contact[0] + contact[1]);
  double longest = -INFINITY, equal = 0.5e-9 * (m->punch->edges[n] - m->punch->edges[0]);
  for (size_t i = 0; i < n; i++) {
    size_t end = i;
    if (mode[i] != VERIFY_MODE_STUCK) continue;
    while (end + 1 < n && mode[end + 1] == VERIFY_MODE_STUCK) end++;
    double left = stick_edge(m, k, i, -1), right = stick_edge(m, k, end, 1);
    if (right < left) left = right = 0.5 * (left + right); /* smaller than an element */
    if (right - left > longest + equal) stick[0] = left, stick[1] = right, longest = right - left;
    i = end;
  }
}

void thud_verify_punch_zones(const verify_punch_motion *m, thud_verify_check *check) {
  const verify_punch *punch = m->punch;
  double length = punch->edges[punch->n] - punch->edges[0], tolerance = 1e-7 * length;
  for (size_t k = 0; k < m->count; k++) {
    double contact[2], stick[2];
    find_zones(m, k, contact, stick);
    for (size_t e = 0; e < 2; e++) {
      thud_verify_tally(check, fabs(m->contact[2 * k + e] - contact[e]), tolerance, 0, m->t[k], k);
      thud_verify_tally(check, fabs(m->stick[2 * k + e] - stick[e]), tolerance, 0, m->t[k], k);
    }
  }
}

/* ---- laws at the ends of the contact --------------------------------------------------------------------------------------- */

/* Elements from the end inwards that do what the last one does. */
typedef struct end_zone {
  size_t last, count;
  int side;
  double end, length, exponent, oscillation;
} end_zone;

/* Integral of y^s from a to b. */
static double integrate_power(double a, double b, double s) { return (pow(b, s + 1) - pow(a, s + 1)) / (s + 1); }

/* c0 of p (of p and q, turned by the oscillation) = d^exponent (c0 + c1 d + c2 d^2 + c3/d), as means over elements.
 * Returns the number of elements, 0: too few. */
static size_t fit_end(const verify_punch_motion *m, size_t k, const end_zone *zone, double part, size_t skipped,
                      verify_fit *fit, double *B, double *b, double *value) {
  const verify_punch *punch = m->punch;
  double reach = part * zone->length, x[4], near = 0;
  bool are_free[4] = {true, true, true, true};
  size_t rows = 0, n = punch->n;
  *value = 0;
  for (int pass = 0; pass < 2; pass++) {
    rows = 0;
    for (size_t j = skipped; j < zone->count; j++) {
      size_t i = zone->side > 0 ? zone->last - j : zone->last + j;
      double d = fabs(punch->x[i] - zone->end), low = fmax(0, d - punch->h[i] / 2), high = d + punch->h[i] / 2;
      if (high > reach) break;
      if (rows == 0) near = d;
      double plain = integrate_power(low, high, zone->exponent), scale = (high - low) / plain;
      double angle = zone->side * zone->oscillation * log(d), c = cos(angle), s = sin(angle);
      double p = m->pressure[k * n + i] * scale, q = zone->oscillation != 0 ? m->traction[k * n + i] * scale : 0;
      B[rows] = 1;
      B[n + rows] = integrate_power(low, high, zone->exponent + 1) / (plain * reach);
      B[2 * n + rows] = integrate_power(low, high, zone->exponent + 2) / (plain * reach * reach);
      B[3 * n + rows] = integrate_power(low, high, zone->exponent - 1) * near / plain;
      b[rows++] = pass == 0 ? p * c - q * s : p * s + q * c;
    }
    if (rows < 5) return 0;
    for (size_t column = 1; column < 4; column++) memmove(B + column * rows, B + column * n, rows * sizeof *B);
    *fit = (verify_fit){.rows = rows, .columns = 4, .B = B, .is_free = are_free, .b = b, .x = x};
    if (thud_verify_fit_solve(m->context, fit) != THUD_OK) return 0;
    *value = hypot(*value, x[0]);
  }
  return rows;
}

static void fit_ends(const verify_punch_motion *m, size_t k, const end_zone *zone, double *B, verify_punch_end *found) {
  enum { AWAY = 4, ENOUGH = 6 };
  verify_fit fit;
  double *b = B + 4 * m->punch->n, part = 0.241, other, value;
  size_t used = fit_end(m, k, zone, part, AWAY, &fit, B, b, &value);
  if (used < ENOUGH) {
    part = 0.487;
    used = fit_end(m, k, zone, part, AWAY, &fit, B, b, &value);
  }
  if (used < ENOUGH) return;
  found->coefficient = value;
  found->error = 0;
  for (size_t away = AWAY; away <= 2 * (size_t)AWAY; away += AWAY)
    if (fit_end(m, k, zone, part + 0.246, away, &fit, B, b, &other) >= ENOUGH)
      found->error = fmax(found->error, fabs(other - value));
  found->error += 0.2 * value / (double)zone->count;
}

bool thud_verify_punch_law_at_end(const verify_punch_motion *m, size_t k, int side, verify_punch_end *found) {
  const verify_punch *punch = m->punch;
  const double *mode = m->mode + k * punch->n;
  size_t first = 0, last = punch->n;
  while (first < punch->n && mode[first] == VERIFY_MODE_APART) first++;
  while (last > 0 && mode[last - 1] == VERIFY_MODE_APART) last--;
  double length = punch->edges[punch->n] - punch->edges[0];
  bool endless = first == 0 && last == punch->n && punch->period > 0 && punch->period < length * (1 + 1e-9);
  if (first >= last || endless) return false;
  end_zone zone = {.last = side > 0 ? last - 1 : first, .side = side, .end = m->contact[2 * k + (side > 0)]};
  size_t i = zone.last;
  while (i < punch->n && mode[i] == mode[zone.last]) i = side > 0 ? i - 1 : i + 1; /* below 0: beyond n */
  zone.count = side > 0 ? zone.last - i : i - zone.last;
  zone.length = fabs(punch->edges[side > 0 ? i + 1 : i] - zone.end);
  bool sharp = is_last(m, zone.last, side), stuck = mode[zone.last] == VERIFY_MODE_STUCK && punch->friction > 0;
  zone.exponent = (sharp ? -0.5 : 0.5) + (stuck ? 0 : mode[zone.last] - 1) * side * singularity(punch);
  zone.oscillation = stuck ? log((1 + punch->coupling) / (1 - punch->coupling)) / (2 * pi) : 0;
  *found = (verify_punch_end){zone.exponent, zone.oscillation, NAN, NAN};
  if (stuck && zone.oscillation != 0 && (!sharp || has_history(m, k))) return true;
  double *B = THUD_NEW_ARRAY(m->context, double, 5 * punch->n);
  if (B != NULL) fit_ends(m, k, &zone, B, found);
  thud_free(m->context, B);
  return B != NULL;
}
