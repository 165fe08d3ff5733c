/* Edges of contact and stick within elements, and the behaviour of the pressure at the ends of the contact.
 *
 * With al = atan(gamma F)/pi the pressure falls like d^(1/2 + s side al) at an end of the contact that is free to move
 * (side = -1 left, 1 right; s the sign of q there, 0 when it sticks), and the slip outside the stick zone grows like
 * d^(3/2 - al) under a first load. Later on the slip of one step says little; what friction is short of its limit,
 * F p - |q|, falls like d^(1/2 - al) towards the edge from inside. The matching power of the computed values is straight in x: its zero is the edge. */
#include "motions/half_plane/half_plane.h"
#include "base/base.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double real_x(const thud_half_plane *plane, double x) { return plane->origin + plane->length * x; }

static double singularity(const thud_punch *punch) {
  return atan(punch->plane->material.coupling * punch->friction) / pi;
}

/* Sums of the least squares fit of three or four functions. */
enum { MOST_TERMS = 4 };
typedef struct fit_sums {
  int terms;
  double matrix[MOST_TERMS][MOST_TERMS], right[MOST_TERMS], squares;
  thud_index count;
} fit_sums;

static void add_point(fit_sums *sums, const double *row, double value) {
  for (int a = 0; a < sums->terms; a++) {
    for (int b = 0; b < sums->terms; b++) sums->matrix[a][b] += row[a] * row[b];
    sums->right[a] += row[a] * value;
  }
  sums->squares += value * value;
  sums->count++;
}

/* Gauss' elimination without pivots: the matrix is positive definite. False when it is not, up to rounding. */
static bool solve_fit(const fit_sums *sums, double *c) {
  double a[MOST_TERMS][MOST_TERMS + 1];
  int n = sums->terms;
  for (int r = 0; r < n; r++) {
    for (int k = 0; k < n; k++) a[r][k] = sums->matrix[r][k];
    a[r][n] = sums->right[r];
  }
  for (int k = 0; k < n; k++) {
    if (!(a[k][k] > 1e-13 * sums->matrix[k][k])) return false;
    for (int r = k + 1; r < n; r++) {
      double factor = a[r][k] / a[k][k];
      for (int j = k; j <= n; j++) a[r][j] -= factor * a[k][j];
    }
  }
  for (int k = n - 1; k >= 0; k--) {
    c[k] = a[k][n];
    for (int j = k + 1; j < n; j++) c[k] -= a[k][j] * c[j];
    c[k] /= a[k][k];
  }
  return true;
}

/* ---- edges within elements --------------------------------------------------------------------------------------- */

/* The quantity whose power is smooth up to the edge: slip beside a stick zone, pressure at an end of the contact. */
typedef struct edge_search {
  const double *value; /* [n] */
  bool per_width;      /* values are forces of elements */
  bool shortfall;      /* instead of values: F p - |q| */
  double power;
  int direction;    /* of the elements that are used, away from the edge */
  thud_index first; /* element beside the edge that the states show */
  double low, high; /* where the edge may be */
} edge_search;

/* How many elements from `first` on have its state, up to a limit. */
static thud_index run_length(const thud_punch *punch, const edge_search *search, thud_index most) {
  thud_index count = 0;
  for (thud_index i = search->first; i >= 0 && i < punch->n && count < most; i += search->direction, count++) {
    if (punch->state[i] == THUD_PUNCH_OPEN) break;
    if ((!search->per_width || search->shortfall) && punch->state[i] != punch->state[search->first]) break;
  }
  return count;
}

static double edge_value(const thud_punch *punch, const edge_search *search, thud_index i) {
  double number = search->shortfall ? fmax(0, punch->friction * punch->f[i] - fabs(punch->t[i])) : search->value[i];
  double value = number / (search->per_width ? punch->plane->width[i] : 1);
  return pow(fabs(value), search->power);
}

/* Zero of a parabola (few elements: a straight line; very few: the edge of the elements) through the powers of values. The two elements beside the edge are
 * left out when others can do: the edge of the states lies up to half an element from the true one, which changes
 * their values by a large part and those of further ones by little. */
static double find_edge(const thud_punch *punch, const edge_search *search) {
  enum { SKIPPED = 2, MOST = 10, FEW = 6, LEAST = 4 };
  const double *x = punch->plane->middle;
  thud_index count = run_length(punch, search, MOST), skipped = count >= FEW ? SKIPPED : 1;
  double nearest = punch->plane->edge[search->direction > 0 ? search->first : search->first + 1], c[3] = {0};
  if (count < LEAST) return nearest;
  thud_index start = search->first + skipped * search->direction;
  double unit = fabs(x[start + search->direction] - x[start]);
  fit_sums sums = {.terms = 3};
  for (thud_index k = skipped; k < count; k++) {
    thud_index i = search->first + k * search->direction;
    double z = (x[i] - x[start]) / unit, row[3] = {1, z, count >= FEW ? z * z : 0};
    add_point(&sums, row, edge_value(punch, search, i));
  }
  if (count < FEW) sums.matrix[2][2] = 1;
  if (!solve_fit(&sums, c) || c[1] == 0) return nearest;
  double root = c[1] * c[1] - 4 * c[2] * c[0]; /* of c0 + c1 z + c2 z^2, the one that stays when c2 -> 0 */
  double z = root > 0 ? -2 * c[0] / (c[1] + copysign(sqrt(root), c[1])) : -c[0] / c[1];
  double zero = x[start] + unit * z;
  return zero >= search->low && zero <= search->high ? zero : nearest; /* elsewhere the power is another one */
}

/* The edge is looked for from the element in front of i to the one behind its neighbour on that side. */
static void limit(const thud_punch *punch, thud_index i, int side, edge_search *search) {
  const double *edge = punch->plane->edge;
  thud_index low = side > 0 ? i - 1 : i - 2, high = low + 4;
  search->low = edge[low < 0 ? 0 : low];
  search->high = edge[high > punch->n ? punch->n : high];
}

/* Edge of the contact beside its last element i on that side. */
static double contact_edge(const thud_punch *punch, thud_index i, int side) {
  thud_index outside = i + side;
  if (outside < 0 || outside >= punch->n) return punch->plane->edge[side > 0 ? i + 1 : i];
  int sign = punch->sliding != 0 ? punch->sliding : punch->state[i];
  edge_search search = {.value = punch->f,
                        .per_width = true,
                        .power = 1 / (0.5 + sign * side * singularity(punch)),
                        .direction = -side,
                        .first = i};
  limit(punch, i, side, &search);
  return find_edge(punch, &search);
}

/* Something has moved before this load. */
static bool has_history(const thud_punch *punch) {
  for (thud_index i = 0; i < punch->n; i++)
    if (punch->old[i] != 0) return true;
  return false;
}

/* Edge of a stick zone beside its last element i, from the slip outside or from the friction inside. */
static double stick_edge(const thud_punch *punch, thud_index i, int side) {
  thud_index outside = i + side;
  if (outside < 0 || outside >= punch->n) return punch->plane->edge[side > 0 ? i + 1 : i];
  if (punch->state[outside] == THUD_PUNCH_OPEN) return contact_edge(punch, i, side);
  edge_search search = {
      .value = punch->slip, .power = 1 / (1.5 - singularity(punch)), .direction = side, .first = outside};
  if (has_history(punch))
    search = (edge_search){
        .per_width = true, .shortfall = true, .power = 1 / (0.5 - singularity(punch)), .direction = -side, .first = i};
  limit(punch, i, side, &search);
  return find_edge(punch, &search);
}

static bool is_stuck(const thud_punch *punch, thud_index i) {
  return punch->friction > 0 && thud_punch_is_stuck(punch, i);
}

static void find_stick(const thud_punch *punch, thud_punch_result *result) {
  double longest = -1;
  result->stick = (thud_punch_zone){NAN, NAN};
  for (thud_index i = 0; i < punch->n; i++) {
    if (!is_stuck(punch, i)) continue;
    thud_index last = i;
    while (last + 1 < punch->n && is_stuck(punch, last + 1)) last++;
    double left = stick_edge(punch, i, -1), right = stick_edge(punch, last, 1);
    if (right < left) left = right = 0.5 * (left + right); /* smaller than an element: one point */
    result->stick_zones++;
    if (right - left > longest + 1e-9) { /* of zones that are equally long the first, whatever rounding does */
      longest = right - left;
      result->stick = (thud_punch_zone){real_x(punch->plane, left), real_x(punch->plane, right)};
    }
    i = last;
  }
}

void thud_punch_find_zones(const thud_punch *punch, thud_punch_result *result) {
  thud_index first = punch->contact[0], last = punch->contact[punch->contact_count - 1];
  result->contact_zones = 1;
  for (thud_index k = 1; k < punch->contact_count; k++)
    result->contact_zones += punch->contact[k] != punch->contact[k - 1] + 1;
  result->contact = (thud_punch_zone){real_x(punch->plane, contact_edge(punch, first, -1)),
                                      real_x(punch->plane, contact_edge(punch, last, 1))};
  find_stick(punch, result);
}

/* ---- ends of the contact ----------------------------------------------------------------------------------------- */

/* log of (mean of d^s over an element of the width h) / (d^s in its middle): constant tractions are means. */
static double mean_correction(double d, double h, double s) {
  double half = fmin(0.5 * h, d) / d;
  if (s <= -1) return 0;
  return log((pow(1 + half, s + 1) - pow(1 - half, s + 1)) / (2 * (s + 1) * half));
}

/* Visits elements from the end inwards; those nearest to it carry the error of the mesh. */
static void collect(const thud_punch *punch, int side, double reach, double s, fit_sums *sums) {
  enum { SKIPPED = 10 };
  thud_index n = punch->contact_count, skipped = 0;
  double end = side < 0 ? punch->contact_zone.left : punch->contact_zone.right;
  for (thud_index k = 0; k < n; k++) {
    thud_index i = punch->contact[side < 0 ? k : n - 1 - k];
    double d = fabs(real_x(punch->plane, punch->plane->middle[i]) - end);
    if (d > reach) break;
    if (skipped++ < SKIPPED || !(punch->pressure[i] > 0) || d == 0) continue;
    double h = punch->plane->width[i] * punch->plane->length;
    add_point(sums, (double[3]){1, log(d), d}, log(punch->pressure[i]) - mean_correction(d, h, s));
  }
}

thud_error thud_punch_fit_edge(thud_punch *punch, int side, double part, thud_punch_edge *edge) {
  enum { ROUNDS = 6 }; /* the correction of means needs the exponent; each round gains two digits */
  THUD_REQUIRE_OF(punch, edge);
  if (side == 0 || !(part > 0 && part <= 0.5))
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: side %d, part %g; needs -1 or 1 and 0 < part <= 1/2",
                     side, part);
  if (!punch->solved) return thud_fail(punch->context, THUD_ERROR_NOT_FOUND, "punch: no load has been solved");
  fit_sums sums = {.terms = 3};
  double c[3] = {0}, reach = part * (punch->contact_zone.right - punch->contact_zone.left);
  bool fitted = true;
  for (int round = 0; round < ROUNDS && fitted; round++) {
    sums = (fit_sums){.terms = 3};
    collect(punch, side, reach, c[1], &sums);
    fitted = sums.count >= 4 && solve_fit(&sums, c);
  }
  if (!fitted)
    return thud_fail(punch->context, THUD_ERROR_NOT_FOUND,
                     "punch: %d elements near the end of the contact; 4 are needed", (int)sums.count);
  double left = sums.squares;
  for (int k = 0; k < 3; k++) left -= c[k] * sums.right[k];
  *edge = (thud_punch_edge){.exponent = c[1],
                            .coefficient = exp(c[0]),
                            .misfit = sqrt(fmax(0, left) / (double)sums.count),
                            .elements = sums.count};
  return THUD_OK;
}

/* ---- exponents by theory, coefficients fitted -------------------------------------------------------------------- */

/* Elements from an end of the contact inwards that have the state of the last one, which has the number `last`. */
typedef struct edge_zone {
  const thud_punch *punch;
  int side;
  thud_index last, count;
  double end, length;           /* of the contact and of the zone, in lengths of the caller */
  double exponent, oscillation; /* of the law */
} edge_zone;

static double zone_distance(const edge_zone *zone, thud_index k) {
  const thud_half_plane *plane = zone->punch->plane;
  return fabs(real_x(plane, plane->middle[zone->last - k * zone->side]) - zone->end);
}

/* Mean of d^s over an element. */
static double mean_power(double d, double h, double s) {
  double low = fmax(0, d - h / 2), high = d + h / 2;
  return (pow(high, s + 1) - pow(low, s + 1)) / ((s + 1) * (high - low));
}

/* Least squares of (p + iq) d^-exponent e^(i side oscillation ln d) = c0 + c1 d + c2 d^2 + c3/d over the elements within `part` of
 * the zone, without the first `skipped`: the law times an analytic function, whose next singularity is the other end of the
 * zone; c3: the mesh puts the end a little elsewhere. Without an oscillation p alone. *value: |c0|. */
static thud_index fit_zone(const edge_zone *zone, double part, thud_index skipped, double *value) {
  const thud_punch *punch = zone->punch;
  fit_sums sums[2] = {{.terms = 4}, {.terms = 4}};
  double reach = part * zone->length, c[4];
  double first = skipped < zone->count ? zone_distance(zone, skipped) : 1;
  *value = 0;
  for (thud_index k = skipped; k < zone->count; k++) {
    thud_index i = zone->last - k * zone->side;
    double d = zone_distance(zone, k), h = punch->plane->width[i] * punch->plane->length;
    if (d + h / 2 > reach) break;
    double unit = mean_power(d, h, zone->exponent), angle = zone->side * zone->oscillation * log(d);
    double p = punch->pressure[i] / unit, q = zone->oscillation != 0 ? punch->traction[i] / unit : 0;
    const double row[4] = {1, mean_power(d, h, zone->exponent + 1) / (unit * reach),
                           mean_power(d, h, zone->exponent + 2) / (unit * reach * reach),
                           mean_power(d, h, zone->exponent - 1) / unit * first};
    add_point(&sums[0], row, p * cos(angle) - q * sin(angle));
    add_point(&sums[1], row, p * sin(angle) + q * cos(angle));
  }
  for (int k = 0; k < 2; k++) {
    if (sums[k].count < 5 || !solve_fit(&sums[k], c)) return 0;
    *value = hypot(*value, c[0]);
  }
  return sums[0].count;
}

/* Elements beside the end carry the error of the mesh there. The error is what other elements would have given, and a part
 * of first order in their number. */
static void fit_coefficient(const edge_zone *zone, thud_punch_edge_law *law) {
  enum { SKIPPED = 4, LEAST = 6 };
  static const double MESH_PART = 0.2;
  static const double parts[3] = {0.241, 0.487, 0.733}; /* no edge of a symmetric mesh lies there */
  double other, error = 0;
  law->coefficient = law->error = NAN;
  for (int k = 0; k < 2; k++) {
    thud_index used = fit_zone(zone, parts[k], SKIPPED, &law->coefficient);
    if (used < LEAST) continue;
    law->used = used;
    if (fit_zone(zone, parts[k + 1], SKIPPED, &other) >= LEAST) error = fabs(other - law->coefficient);
    if (fit_zone(zone, parts[k + 1], 2 * SKIPPED, &other) >= LEAST) error = fmax(error, fabs(other - law->coefficient));
    law->error = error + MESH_PART * law->coefficient / zone->count;
    return;
  }
  law->coefficient = NAN;
}

static bool contact_has_ends(const thud_punch *punch) {
  const thud_half_plane *plane = punch->plane;
  if (punch->contact_count == 0) return false;
  bool all = punch->contact[0] == 0 && punch->contact[punch->contact_count - 1] == punch->n - 1;
  return !(all && plane->period > 0 && plane->period < (plane->edge[punch->n] - plane->edge[0]) * (1 + 1e-9));
}

static edge_zone find_edge_zone(const thud_punch *punch, int side) {
  edge_zone zone = {.punch = punch, .side = side};
  zone.last = punch->contact[side < 0 ? 0 : punch->contact_count - 1];
  zone.end = side < 0 ? punch->contact_zone.left : punch->contact_zone.right;
  thud_index i = zone.last;
  while (i >= 0 && i < punch->n && punch->state[i] == punch->state[zone.last]) i -= side;
  zone.count = (zone.last - i) * side;
  zone.length = fabs(real_x(punch->plane, punch->plane->edge[side < 0 ? i : i + 1]) - zone.end);
  return zone;
}

thud_error thud_punch_get_edge_law(thud_punch *punch, int side, thud_punch_edge_law *law) {
  THUD_REQUIRE_OF(punch, law);
  if (side != -1 && side != 1)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: side %d; needs -1 or 1", side);
  if (!punch->solved || !contact_has_ends(punch))
    return thud_fail(punch->context, THUD_ERROR_NOT_FOUND, "punch: no contact edge: solve a load with contact first");
  edge_zone zone = find_edge_zone(punch, side);
  thud_index outside = zone.last + side;
  double gamma = punch->plane->material.coupling;
  bool sharp = outside < 0 || outside >= punch->n, stuck = is_stuck(punch, zone.last);
  int sign = stuck ? 0 : punch->sliding != 0 ? punch->sliding : punch->state[zone.last];
  zone.exponent = (sharp ? -0.5 : 0.5) + sign * side * singularity(punch);
  zone.oscillation = stuck ? log((1 + gamma) / (1 - gamma)) / (2 * pi) : 0;
  thud_punch_edge_law found = {.exponent = zone.exponent,
                               .oscillation = zone.oscillation,
                               .coefficient = NAN,
                               .error = NAN,
                               .elements = zone.count,
                               .state = stuck ? THUD_PUNCH_STICK : punch->state[zone.last],
                               .sharp = sharp};
  /* what slipped before it stuck is another law, and the next one from the end oscillates too */
  if (!stuck || zone.oscillation == 0 || (sharp && !has_history(punch))) fit_coefficient(&zone, &found);
  *law = found;
  return THUD_OK;
}
