/* Edges of contact and stick: which elements they lie beside, and where within them.
 *
 * With al = atan(gamma F)/pi the pressure falls like d^(1/2 + s side al) at an end of the contact that is free, s the sign
 * of q; slip grows like d^(3/2 - al) beside a stick zone of a first load; after others F p - |q| falls like
 * d^(1/2 - al) inside it. That power of the values is a parabola of x near the edge,
 * fitted here with polynomials that are orthogonal on the points. */
#include "verify/punch.h"

#include <math.h>

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
