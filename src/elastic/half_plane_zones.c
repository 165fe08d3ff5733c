/* Edges of contact and stick within elements, and the behaviour of the pressure at the ends of the contact.
 *
 * With al = atan(gamma F)/pi the pressure falls like d^(1/2 + s side al) at an end of the contact that is free to move
 * (side = -1 left, 1 right; s the sign of q there, 0 when it sticks), and the slip outside the stick zone grows like
 * d^(3/2 - al) under a first load. Later on the slip of one step says little; what friction is short of its limit,
 * F p - |q|, falls like d^(1/2 - al) towards the edge from inside. The matching power of the computed values is straight in x: its zero is the edge. */
#include "elastic/half_plane_punch.h"
#include "base/base.h"

#include <math.h>

static const double pi = 3.14159265358979323846;

static double real_x(const thud_half_plane *plane, double x) { return plane->origin + plane->length * x; }

static double singularity(const thud_punch *punch) {
  return atan(punch->plane->material.coupling * punch->friction) / pi;
}

/* Sums of the least squares fit of three functions. */
typedef struct fit_sums {
  double matrix[3][3], right[3], squares;
  thud_index count;
} fit_sums;

static void add_point(fit_sums *sums, const double row[3], double value) {
  for (int a = 0; a < 3; a++) {
    for (int b = 0; b < 3; b++) sums->matrix[a][b] += row[a] * row[b];
    sums->right[a] += row[a] * value;
  }
  sums->squares += value * value;
  sums->count++;
}

/* Gauss' elimination without pivots: the matrix is positive definite. False when it is not, up to rounding. */
static bool solve_fit(const fit_sums *sums, double c[3]) {
  double a[3][4];
  for (int r = 0; r < 3; r++) {
    for (int k = 0; k < 3; k++) a[r][k] = sums->matrix[r][k];
    a[r][3] = sums->right[r];
  }
  for (int k = 0; k < 3; k++) {
    if (!(a[k][k] > 1e-13 * sums->matrix[k][k])) return false;
    for (int r = k + 1; r < 3; r++) {
      double factor = a[r][k] / a[k][k];
      for (int j = k; j < 4; j++) a[r][j] -= factor * a[k][j];
    }
  }
  for (int k = 2; k >= 0; k--) {
    c[k] = a[k][3];
    for (int j = k + 1; j < 3; j++) c[k] -= a[k][j] * c[j];
    c[k] /= a[k][k];
  }
  return true;
}

/* ---- edges within elements ------------------------------------------------------------------------------ */

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
  fit_sums sums = {.count = 0};
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

/* ---- ends of the contact ------------------------------------------------------------------------------ */

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
  fit_sums sums = {.count = 0};
  double c[3] = {0}, reach = part * (punch->contact_zone.right - punch->contact_zone.left);
  bool fitted = true;
  for (int round = 0; round < ROUNDS && fitted; round++) {
    sums = (fit_sums){.count = 0};
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
