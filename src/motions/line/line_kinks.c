/* Exact active sets: exchanges of whole sets (primal-dual active set, monotone for M-matrices such as a string's), and
 * when these do not settle a descent from face to face, which is finite because the objective falls strictly. */
#include "base/base.h"
#include "motions/line/line_kinks.h"

#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Rounding of one row of K v, relative to the sum of its terms. */
static const double row_rounding = 32 * DBL_EPSILON;
enum { PATIENCE = 10 }; /* exchanges in a row that do not reduce the number of violations */

thud_error thud_kinks_create(thud_context *context, thud_index n, thud_index band, elastic_kinks *kinks) {
  size_t count = (size_t)n, entries;
  if (!thud_size_multiply(count, (size_t)band + 1, &entries))
    return thud_fail(context, THUD_ERROR_MEMORY, "a banded matrix of %zu rows is too large", count);
  *kinks = (elastic_kinks){.context = context, .n = n, .band = band};
  kinks->K = THUD_NEW_ARRAY(context, double, entries);
  kinks->factor = THUD_NEW_ARRAY(context, double, entries);
  kinks->rhs = THUD_NEW_ARRAY(context, double, count);
  kinks->move = THUD_NEW_ARRAY(context, double, count);
  kinks->at = THUD_NEW_ARRAY(context, double, count);
  kinks->side = THUD_NEW_ARRAY(context, signed char, count);
  kinks->breaks = THUD_NEW_ARRAY(context, elastic_break, count);
  if (kinks->K != NULL && kinks->factor != NULL && kinks->rhs != NULL && kinks->move != NULL && kinks->at != NULL &&
      kinks->side != NULL && kinks->breaks != NULL)
    return THUD_OK;
  thud_kinks_destroy(kinks);
  return THUD_ERROR_MEMORY;
}

void thud_kinks_destroy(elastic_kinks *kinks) {
  if (kinks->context == NULL) return;
  thud_free(kinks->context, kinks->K);
  thud_free(kinks->context, kinks->factor);
  thud_free(kinks->context, kinks->rhs);
  thud_free(kinks->context, kinks->move);
  thud_free(kinks->context, kinks->at);
  thud_free(kinks->context, kinks->side);
  thud_free(kinks->context, kinks->breaks);
  *kinks = (elastic_kinks){0};
}

/* ---- the banded matrix ------------------------------------------------------------------------------------------------ */

static double entry(const elastic_kinks *kinks, thud_index i, thud_index j) {
  return i >= j ? kinks->K[i * (kinks->band + 1) + i - j] : kinks->K[j * (kinks->band + 1) + j - i];
}

static thud_index first_of(const elastic_kinks *kinks, thud_index i) { return i > kinks->band ? i - kinks->band : 0; }
static thud_index last_of(const elastic_kinks *kinks, thud_index i) {
  return i + kinks->band < kinks->n ? i + kinks->band : kinks->n - 1;
}

/* Row i of K times x; *size is the sum of the absolute terms. */
static double row_times(const elastic_kinks *kinks, thud_index i, const double *x, double *size) {
  double sum = 0;
  *size = 0;
  for (thud_index j = first_of(kinks, i); j <= last_of(kinks, i); j++) {
    double term = entry(kinks, i, j) * x[j];
    sum += term;
    *size += fabs(term);
  }
  return sum;
}

void thud_kinks_apply(const elastic_kinks *kinks, const double *x, double *y) {
  double size;
  for (thud_index i = 0; i < kinks->n; i++) y[i] = row_times(kinks, i, x, &size);
}

/* L D L' of K with the rows and columns at kinks replaced by those of the identity. */
static thud_error factorize(elastic_kinks *kinks) {
  thud_index width = kinks->band + 1;
  for (thud_index i = 0; i < kinks->n; i++) {
    bool fixed = kinks->side[i] == KINK_AT;
    double pivot = fixed ? 1 : entry(kinks, i, i);
    for (thud_index j = first_of(kinks, i); j < i; j++) {
      double sum = fixed || kinks->side[j] == KINK_AT ? 0 : entry(kinks, i, j);
      for (thud_index k = first_of(kinks, i); k < j; k++)
        if (k >= first_of(kinks, j))
          sum -= kinks->factor[(ptrdiff_t)i * width + i - k] * kinks->factor[(ptrdiff_t)k * width] *
                 kinks->factor[(ptrdiff_t)j * width + j - k];
      double lower = sum / kinks->factor[(ptrdiff_t)j * width];
      kinks->factor[i * width + i - j] = lower;
      pivot -= lower * lower * kinks->factor[(ptrdiff_t)j * width];
    }
    if (!(pivot > 0))
      return thud_fail(kinks->context, THUD_ERROR_NOT_SPD,
                       "the stiffness is not positive at row %td: the cells differ too much in length", (ptrdiff_t)i);
    kinks->factor[(ptrdiff_t)i * width] = pivot;
  }
  return THUD_OK;
}

static void back_substitute(const elastic_kinks *kinks, double *x) {
  thud_index width = kinks->band + 1;
  for (thud_index i = 0; i < kinks->n; i++)
    for (thud_index j = first_of(kinks, i); j < i; j++) x[i] -= kinks->factor[i * width + i - j] * x[j];
  for (thud_index i = 0; i < kinks->n; i++) x[i] /= kinks->factor[(ptrdiff_t)i * width];
  for (thud_index i = kinks->n; i-- > 0;)
    for (thud_index j = first_of(kinks, i); j < i; j++) x[j] -= kinks->factor[i * width + i - j] * x[i];
}

/* The reaction on a side. */
static double reaction_of(const elastic_kinks *kinks, const elastic_bounds *given, thud_index i) {
  return kinks->side[i] == KINK_ABOVE ? given->lower[i] : given->upper[i];
}

/* rhs = f + rho - K v in the rows off kinks, 0 in the others. */
static void residual(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  double size;
  for (thud_index i = 0; i < kinks->n; i++)
    kinks->rhs[i] =
        kinks->side[i] == KINK_AT ? 0 : given->f[i] + reaction_of(kinks, given, i) - row_times(kinks, i, v, &size);
}

thud_error thud_kinks_solve_sides(elastic_kinks *kinks, const elastic_bounds *given, double *v, double *error_bound) {
  thud_error error = factorize(kinks);
  if (error != THUD_OK) return error;
  double correction = 0, size = 0;
  for (thud_index i = 0; i < kinks->n; i++) v[i] = kinks->side[i] == KINK_AT ? given->kink[i] : 0;
  /* The second solve refines; its correction is what rounding did to the first. */
  for (int pass = 0; pass < 2; pass++) {
    residual(kinks, given, v);
    back_substitute(kinks, kinks->rhs);
    correction = 0;
    for (thud_index i = 0; i < kinks->n; i++) {
      v[i] += kinks->rhs[i];
      correction = thud_larger(correction, fabs(kinks->rhs[i]));
      size = thud_larger(size, fabs(v[i]));
    }
  }
  *error_bound = kinks->rounding = 4 * correction + row_rounding * size;
  return THUD_OK;
}

/* ---- violations ----------------------------------------------------------------------------------------------------------- */

/* Reaction at a kink and by how much it leaves its bounds: > 0 above upper, < 0 below lower, 0 within rounding. */
static double reaction_excess(const elastic_kinks *kinks, const elastic_bounds *given, thud_index i, const double *v,
                              double *rho) {
  double size, sum = row_times(kinks, i, v, &size) - given->f[i];
  double tolerance = row_rounding * (size + fabs(given->f[i]));
  *rho = sum;
  if (sum > given->upper[i] + tolerance) return sum - given->upper[i];
  if (sum < given->lower[i] - tolerance) return sum - given->lower[i];
  return 0;
}

static bool is_kinked(const elastic_bounds *given, thud_index i) { return given->lower[i] < given->upper[i]; }

/* The side on which unknown i belongs after a solve, with the same meaning as elastic_kinks.side. */
static signed char side_wanted(const elastic_kinks *kinks, const elastic_bounds *given, thud_index i, const double *v,
                               double tolerance) {
  double rho, above = v[i] - given->kink[i];
  if (!is_kinked(given, i)) return KINK_ABOVE;
  if (kinks->side[i] == KINK_ABOVE) return above < -tolerance ? KINK_AT : KINK_ABOVE;
  if (kinks->side[i] == KINK_BELOW) return above > tolerance ? KINK_AT : KINK_BELOW;
  double excess = reaction_excess(kinks, given, i, v, &rho);
  return (signed char)(excess > 0 ? KINK_BELOW : excess < 0 ? KINK_ABOVE : KINK_AT);
}

/* Exchanges all violations; returns how many there were. */
static thud_index exchange(elastic_kinks *kinks, const elastic_bounds *given, const double *v, double tolerance) {
  thud_index violations = 0;
  for (thud_index i = 0; i < kinks->n; i++) {
    signed char wanted = side_wanted(kinks, given, i, v, tolerance);
    violations += wanted != kinks->side[i];
    kinks->side[i] = wanted;
  }
  return violations;
}

/* ---- descent ---------------------------------------------------------------------------------------------------------------- */

/* Sides and an admissible point near v. */
static void begin_descent(elastic_kinks *kinks, const elastic_bounds *given, const double *v, double tolerance) {
  for (thud_index i = 0; i < kinks->n; i++) {
    double above = v[i] - given->kink[i];
    kinks->at[i] = v[i];
    if (!is_kinked(given, i)) continue;
    bool up = above > tolerance && isfinite(given->lower[i]), down = above < -tolerance && isfinite(given->upper[i]);
    kinks->side[i] = (signed char)(up ? KINK_ABOVE : down ? KINK_BELOW : KINK_AT);
    if (!up && !down) kinks->at[i] = given->kink[i];
  }
}

static int compare_breaks(const void *a, const void *b) {
  const elastic_break *p = a, *q = b;
  if (p->t != q->t) return p->t < q->t ? -1 : 1;
  return (p->i > q->i) - (p->i < q->i);
}

/* The kinks that are crossed on the way from kinks->at to v, in their order. */
static size_t find_breaks(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  size_t count = 0;
  for (thud_index i = 0; i < kinks->n; i++) {
    if (kinks->side[i] == KINK_AT || !is_kinked(given, i)) continue;
    double before = kinks->side[i] * (kinks->at[i] - given->kink[i]), after = kinks->side[i] * (v[i] - given->kink[i]);
    if (!(after < 0)) continue;
    kinks->breaks[count++] = (elastic_break){.t = before <= 0 ? 0 : before / (before - after), .i = i};
  }
  qsort(kinks->breaks, count, sizeof *kinks->breaks, compare_breaks);
  return count;
}

/* Minimum of the objective on the way to v: its slope is -(1-t) move.K move plus the jumps at the kinks crossed. Returns
 * true when v itself was reached without crossing any. */
static bool search_line(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  size_t count = find_breaks(kinks, given, v), k = 0;
  double curvature = 0, jumps = 0, size, t = 1;
  for (thud_index i = 0; i < kinks->n; i++) kinks->move[i] = v[i] - kinks->at[i];
  for (thud_index i = 0; i < kinks->n; i++) curvature += kinks->move[i] * row_times(kinks, i, kinks->move, &size);
  thud_index stopped = -1;
  for (; k < count && stopped < 0; k++) {
    thud_index i = kinks->breaks[k].i;
    double slope = -(1 - kinks->breaks[k].t) * curvature + jumps;
    if (slope >= 0) break;
    jumps += (given->upper[i] - given->lower[i]) * fabs(kinks->move[i]);
    t = kinks->breaks[k].t;
    if (-(1 - t) * curvature + jumps >= 0)
      stopped = i;
    else
      kinks->side[i] = (signed char)-kinks->side[i];
  }
  if (stopped < 0) t = count == 0 ? 1 : 1 - jumps / curvature;
  for (thud_index i = 0; i < kinks->n; i++) kinks->at[i] += t * kinks->move[i];
  if (stopped >= 0) kinks->side[stopped] = KINK_AT, kinks->at[stopped] = given->kink[stopped];
  return count == 0;
}

/* Lets go the kink whose reaction leaves its bounds furthest; false: none does. */
static bool release_worst(elastic_kinks *kinks, const elastic_bounds *given, const double *v) {
  double worst = 0, rho;
  thud_index where = -1;
  for (thud_index i = 0; i < kinks->n; i++) {
    if (kinks->side[i] != KINK_AT) continue;
    double excess = reaction_excess(kinks, given, i, v, &rho);
    if (fabs(excess) > fabs(worst)) worst = excess, where = i;
  }
  if (where < 0) return false;
  kinks->side[where] = (signed char)(worst > 0 ? KINK_BELOW : KINK_ABOVE);
  return true;
}

static thud_error descend(elastic_kinks *kinks, const elastic_bounds *given, double *v, double tolerance,
                          thud_line_info *info) {
  thud_error error = THUD_OK;
  long most = 100 + 20 * (long)kinks->n;
  begin_descent(kinks, given, v, tolerance);
  for (long k = 0; k < most && error == THUD_OK && !info->solved; k++) {
    error = thud_kinks_solve_sides(kinks, given, v, &tolerance);
    info->solves++;
    info->descents++;
    if (error == THUD_OK && search_line(kinks, given, v)) info->solved = !release_worst(kinks, given, v);
  }
  return error;
}

/* ---- the whole -------------------------------------------------------------------------------------------------------------- */

thud_error thud_kinks_solve(elastic_kinks *kinks, const elastic_bounds *given, double *v, double *rho,
                            thud_line_info *info) {
  thud_index best = kinks->n + 1;
  double tolerance = 0;
  thud_error error = THUD_OK;
  *info = (thud_line_info){0};
  for (thud_index i = 0; i < kinks->n; i++)
    if (!is_kinked(given, i)) kinks->side[i] = KINK_ABOVE;
  for (int waited = 0; waited <= PATIENCE && error == THUD_OK && !info->solved; waited++) {
    error = thud_kinks_solve_sides(kinks, given, v, &tolerance);
    if (error != THUD_OK) return error;
    info->solves++;
    thud_index violations = exchange(kinks, given, v, tolerance);
    info->solved = violations == 0;
    if (violations < best) best = violations, waited = 0;
  }
  if (!info->solved) error = descend(kinks, given, v, tolerance, info);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < kinks->n; i++) {
    if (kinks->side[i] == KINK_AT)
      (void)reaction_excess(kinks, given, i, v, &rho[i]);
    else
      rho[i] = reaction_of(kinks, given, i);
    rho[i] = fmax(given->lower[i], fmin(given->upper[i], rho[i]));
  }
  return THUD_OK;
}
