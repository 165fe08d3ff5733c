/* Projection onto a polyhedron: workspace, scaling to unit rows in the metric, polish of the point and the multipliers
 * with the caller's own numbers, and the measures of how well the optimality conditions hold. */
#include "pivot/projector.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Rounds of iterate-and-polish; more than two are only needed when the metric is so ill-conditioned that the unit
 * rows lose half of their digits. */
enum { MAX_ROUNDS = 8, MAX_REFINEMENTS = 4 };
/* A refinement goes on while the residual shrinks at least by this factor. */
static const double REFINEMENT_GAIN = 0.5;

/* ---- life ------------------------------------------------------------------------------------------ */

thud_error thud_polyhedron_projector_create(thud_context *context, thud_index n, thud_index m_max,
                                            thud_polyhedron_projector **projector) {
  THUD_REQUIRE(context, context, projector);
  if (n < 1 || m_max < 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "projector: dimension %d and row capacity %d; the first must be >= 1, the second >= 0", n, m_max);
  size_t length = (size_t)n, rows = (size_t)m_max, active = length < rows ? length : rows;
  thud_polyhedron_projector *p = THUD_NEW(context, thud_polyhedron_projector);
  if (p == NULL) return THUD_ERROR_MEMORY;
  p->context = context;
  p->n = n;
  p->m_max = m_max;
  double **const of_length[] = {&p->x, &p->w, &p->y, &p->base_w, &p->z, &p->direction, &p->difference, &p->saved.w};
  double **const of_rows[] = {&p->norm,      &p->allowed,     &p->base_violation, &p->floor,
                              &p->violation, &p->multipliers, &p->zeros};
  double **const of_active[] = {&p->active_sign, &p->u, &p->c, &p->r, &p->saved.sign, &p->saved.u};
  bool complete = true;
  for (size_t k = 0; k < sizeof of_length / sizeof *of_length; k++)
    complete = complete && (*of_length[k] = THUD_NEW_ARRAY(context, double, length)) != NULL;
  for (size_t k = 0; k < sizeof of_rows / sizeof *of_rows; k++)
    complete = complete && (*of_rows[k] = THUD_NEW_ARRAY(context, double, rows)) != NULL;
  for (size_t k = 0; k < sizeof of_active / sizeof *of_active; k++)
    complete = complete && (*of_active[k] = THUD_NEW_ARRAY(context, double, active)) != NULL;
  complete = complete && (p->rows = THUD_NEW_ARRAY(context, double, rows *length)) != NULL;
  complete = complete && (p->active = THUD_NEW_ARRAY(context, thud_index, active)) != NULL;
  complete = complete && (p->saved.active = THUD_NEW_ARRAY(context, thud_index, active)) != NULL;
  complete = complete && (p->place = THUD_NEW_ARRAY(context, unsigned char, rows)) != NULL;
  complete = complete && (p->passed = THUD_NEW_ARRAY(context, unsigned char, rows)) != NULL;
  complete = complete && thud_active_factor_init(context, n, (thud_index)active, &p->factor) == THUD_OK;
  if (!complete) {
    thud_polyhedron_projector_destroy(p);
    return THUD_ERROR_MEMORY;
  }
  *projector = p;
  return THUD_OK;
}

void thud_polyhedron_projector_destroy(thud_polyhedron_projector *p) {
  if (p == NULL) return;
  void *const blocks[] = {p->x,           p->w,          p->y,           p->base_w,     p->z,
                          p->direction,   p->difference, p->norm,        p->allowed,    p->base_violation,
                          p->floor,       p->violation,  p->multipliers, p->zeros,      p->active_sign,
                          p->u,           p->c,          p->r,           p->rows,       p->active,
                          p->place,       p->passed,     p->saved.w,     p->saved.sign, p->saved.u,
                          p->saved.active};
  thud_active_factor_release(p->context, &p->factor);
  for (size_t k = 0; k < sizeof blocks / sizeof *blocks; k++) thud_free(p->context, blocks[k]);
  thud_free(p->context, p);
}

/* ---- the problem of a call --------------------------------------------------------------------------- */

static thud_error check_finite(thud_context *context, const char *name, size_t rows, size_t columns, const double *x) {
  for (size_t k = 0; k < rows * columns; k++) {
    if (isfinite(x[k])) continue;
    if (columns == 1) return thud_fail(context, THUD_ERROR_NOT_FINITE, "projector: %s[%zu] is %g", name, k, x[k]);
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "projector: %s, row %zu, column %zu is %g", name, k / columns,
                     k % columns, x[k]);
  }
  return THUD_OK;
}

static thud_error check_problem(thud_polyhedron_projector *p, const thud_metric *metric, thud_index m,
                                thud_index equalities, const double *A, const double *b, const double *x,
                                double tolerance) {
  thud_context *context = p->context;
  if (x == NULL || (m > 0 && (A == NULL || b == NULL)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "projector: NULL argument");
  if (m < 0 || m > p->m_max)
    return thud_fail(context, THUD_ERROR_DIMENSION, "projector: %d rows, made for 0..%d", m, p->m_max);
  if (equalities < 0 || equalities > m)
    return thud_fail(context, THUD_ERROR_DIMENSION, "projector: %d equalities among %d rows", equalities, m);
  if (metric != NULL && thud_metric_dimension(metric) != p->n)
    return thud_fail(context, THUD_ERROR_DIMENSION, "projector: metric of dimension %d, points of dimension %d",
                     thud_metric_dimension(metric), p->n);
  if (!(tolerance >= 0 && tolerance < 1))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "projector: tolerance %g is not in [0, 1[", tolerance);
  thud_error error = check_finite(context, "point", (size_t)p->n, 1, x);
  if (error == THUD_OK) error = check_finite(context, "A", (size_t)m, (size_t)p->n, A);
  if (error == THUD_OK) error = check_finite(context, "b", (size_t)m, 1, b);
  return error;
}

/* n_i and |a_i|. The row is first scaled by a power of two to entries near 1, so that no square over- or underflows. */
static thud_error prepare_row(thud_polyhedron_projector *p, thud_index i) {
  const double *a = p->A + (size_t)i * (size_t)p->n;
  double *row = p->rows + (size_t)i * (size_t)p->n, largest = 0;
  for (thud_index j = 0; j < p->n; j++) largest = fmax(largest, fabs(a[j]));
  p->norm[i] = 0;
  p->passed[i] = 0;
  p->place[i] = largest > 0 ? THUD_ROW_FREE : THUD_ROW_VOID;
  int exponent = 0;
  if (largest > 0) frexp(largest, &exponent);
  for (thud_index j = 0; j < p->n; j++) row[j] = ldexp(a[j], -exponent);
  if (largest == 0) return THUD_OK;
  thud_metric_covector_to_euclidean(p->metric, p->n, row, row);
  double norm = thud_pivot_norm(p->n, row);
  p->norm[i] = ldexp(norm, exponent);
  if (!(p->norm[i] > 0 && isfinite(p->norm[i])))
    return thud_fail(p->context, THUD_ERROR_NOT_FINITE,
                     "projector: the norm of row %d of A is out of range (%g): rescale the row", i, p->norm[i]);
  for (thud_index j = 0; j < p->n; j++) row[j] /= norm;
  return THUD_OK;
}

static thud_error prepare(thud_polyhedron_projector *p, const double *x) {
  memcpy(p->x, x, (size_t)p->n * sizeof *x);
  memcpy(p->y, x, (size_t)p->n * sizeof *x);
  memset(p->w, 0, (size_t)p->n * sizeof *p->w);
  p->factor.count = 0;
  thud_metric_to_euclidean(p->metric, p->n, x, p->z);
  double x_norm = thud_pivot_norm(p->n, p->z);
  p->length = x_norm;
  for (thud_index i = 0; i < p->m; i++) {
    thud_error error = prepare_row(p, i);
    if (error != THUD_OK) return error;
    double offset = p->norm[i] > 0 ? fabs(p->b[i]) / p->norm[i] : 0;
    p->allowed[i] = p->tolerance * fmax(1, fmax(offset, x_norm));
    p->length = fmax(p->length, offset);
  }
  int64_t limit = 100 + 20 * ((int64_t)p->m + p->n);
  p->iteration_limit = limit < INT32_MAX ? (thud_index)limit : INT32_MAX;
  p->iterations = p->small_steps = 0;
  return THUD_OK;
}

/* a_i.y - b_i and, when size is not NULL, sum |a_ij y_j| + |b_i|, of which its rounding is a small multiple. */
static double excess(const thud_polyhedron_projector *p, thud_index i, double *size) {
  const double *a = p->A + (size_t)i * (size_t)p->n;
  double value = 0, magnitude = fabs(p->b[i]);
  for (thud_index j = 0; j < p->n; j++) {
    double term = a[j] * p->y[j];
    value += term;
    magnitude += fabs(term);
  }
  if (size != NULL) *size = magnitude;
  return value - p->b[i];
}

/* Takes the present point as the base of the violations. Rounding of w counts too: where the polish has brought y close
 * to 0, the rows' own rounding is far below what the multipliers can resolve. */
static void rebase(thud_polyhedron_projector *p) {
  double w_rounding = THUD_PIVOT_ROUNDING * thud_pivot_norm(p->n, p->w);
  memcpy(p->base_w, p->w, (size_t)p->n * sizeof *p->w);
  for (thud_index i = 0; i < p->m; i++) {
    if (p->place[i] == THUD_ROW_VOID) continue;
    double size;
    p->base_violation[i] = excess(p, i, &size) / p->norm[i];
    p->floor[i] = THUD_PIVOT_ROUNDING * size / p->norm[i] + w_rounding;
  }
}

/* A zero row says 0 <= b_i (0 = b_i): when false it is a certificate by itself. */
static bool zero_row_contradicts(thud_polyhedron_projector *p) {
  for (thud_index i = 0; i < p->m; i++) {
    if (p->place[i] != THUD_ROW_VOID || p->b[i] == 0 || (i >= p->equalities && p->b[i] > 0)) continue;
    memset(p->multipliers, 0, (size_t)p->m * sizeof *p->multipliers);
    p->multipliers[i] = p->b[i] > 0 ? -1 : 1;
    return true;
  }
  return false;
}

/* ---- polish ------------------------------------------------------------------------------------------- */

/* y = x + L^-T w, then Newton steps y += L^-T Q R^-T (residual) with residuals of the caller's rows at y. Corrections
 * act on y itself, so that a point near 0 keeps relative accuracy. */
static void refine_point(thud_polyhedron_projector *p) {
  thud_metric_from_euclidean(p->metric, p->n, p->w, p->direction);
  for (thud_index j = 0; j < p->n; j++) p->y[j] = p->x[j] + p->direction[j];
  double before = INFINITY;
  for (int pass = 0; pass < MAX_REFINEMENTS; pass++) {
    double largest = 0;
    for (thud_index k = 0; k < p->factor.count; k++) {
      thud_index i = p->active[k];
      p->c[k] = -p->active_sign[k] * excess(p, i, NULL) / p->norm[i];
      largest = fmax(largest, fabs(p->c[k]));
    }
    if (largest == 0 || largest > REFINEMENT_GAIN * before) return;
    before = largest;
    thud_active_factor_solve(&p->factor, true, p->c);
    thud_active_factor_expand(&p->factor, 1, p->c, 0, p->direction);
    for (thud_index j = 0; j < p->n; j++) p->w[j] += p->direction[j];
    thud_metric_from_euclidean(p->metric, p->n, p->direction, p->direction);
    for (thud_index j = 0; j < p->n; j++) p->y[j] += p->direction[j];
  }
}

/* u += R^-1 Q'(-w - N u): one step of refinement of the multipliers. */
static void refine_multipliers(thud_polyhedron_projector *p) {
  for (thud_index j = 0; j < p->n; j++) p->direction[j] = -p->w[j];
  for (thud_index k = 0; k < p->factor.count; k++) {
    const double *row = p->rows + (size_t)p->active[k] * (size_t)p->n;
    double u = p->u[k] * p->active_sign[k];
    for (thud_index j = 0; j < p->n; j++) p->direction[j] -= u * row[j];
  }
  thud_active_factor_coordinates(&p->factor, p->direction, p->c);
  thud_active_factor_solve(&p->factor, false, p->c);
  for (thud_index k = 0; k < p->factor.count; k++) {
    double refined = p->u[k] + p->c[k];
    p->u[k] = p->active[k] < p->equalities ? refined : fmax(refined, 0);
  }
}

static void polish(thud_polyhedron_projector *p) {
  thud_index before;
  do {
    thud_dual_active_set_restore(p);
    before = p->factor.count;
    refine_point(p);
    thud_dual_active_set_restore(p);
  } while (p->factor.count < before);
  refine_multipliers(p);
  rebase(p);
}

static bool is_feasible(const thud_polyhedron_projector *p) {
  for (thud_index i = 0; i < p->m; i++) {
    if (p->place[i] == THUD_ROW_VOID) continue;
    double size = i < p->equalities ? fabs(p->base_violation[i]) : p->base_violation[i];
    if (size > fmax(p->allowed[i], p->floor[i])) return false;
  }
  return true;
}

static thud_pivot_status iterate(thud_polyhedron_projector *p) {
  if (zero_row_contradicts(p)) return THUD_PIVOT_INFEASIBLE;
  rebase(p);
  for (int round = 0; round < MAX_ROUNDS; round++) {
    thud_index before = p->iterations;
    thud_pivot_status status = thud_dual_active_set_run(p);
    if (status == THUD_PIVOT_INFEASIBLE) return status;
    if (round > 0 && p->iterations == before) break;
    polish(p);
    if (status == THUD_PIVOT_LIMIT) break;
  }
  memset(p->multipliers, 0, (size_t)p->m * sizeof *p->multipliers);
  for (thud_index k = 0; k < p->factor.count; k++)
    p->multipliers[p->active[k]] = p->active_sign[k] * p->u[k] / p->norm[p->active[k]];
  return is_feasible(p) ? THUD_PIVOT_SOLVED : THUD_PIVOT_LIMIT;
}

/* ---- result ------------------------------------------------------------------------------------------- */

/* Measures y and the multipliers with the caller's data alone. */
static void measure(thud_polyhedron_projector *p, thud_pivot_status status, thud_pivot_info *info) {
  thud_pivot_info found = {.status = status, .iterations = p->iterations};
  for (thud_index j = 0; j < p->n; j++) p->direction[j] = p->y[j] - p->x[j];
  thud_metric_apply(p->metric, p->n, p->direction, p->direction);
  for (thud_index i = 0; i < p->m; i++) {
    double l = p->multipliers[i], value = excess(p, i, NULL);
    const double *a = p->A + (size_t)i * (size_t)p->n;
    if (l != 0) {
      for (thud_index j = 0; j < p->n; j++) p->direction[j] += l * a[j];
      found.active++;
    }
    if (status != THUD_PIVOT_INFEASIBLE) found.complementarity = fmax(found.complementarity, fabs(l * value));
    if (i >= p->equalities) found.dual_violation = fmax(found.dual_violation, -l * p->norm[i]);
    if (p->norm[i] > 0)
      found.primal_violation = fmax(found.primal_violation, (i < p->equalities ? fabs(value) : value) / p->norm[i]);
  }
  found.stationarity = thud_metric_dual_norm(p->metric, p->n, p->direction);
  *info = found;
}

thud_error thud_polyhedron_project(thud_polyhedron_projector *projector, const thud_metric *metric, thud_index m,
                                   thud_index equalities, const double *A, const double *b, const double *x,
                                   double tolerance, double *y, double *multipliers, thud_pivot_info *info) {
  THUD_REQUIRE_OF(projector, m == 0 || (A && b), x, y);
  thud_polyhedron_projector *p = projector;
  if (p == NULL) return THUD_ERROR_ARGUMENT;
  if (y == NULL) return thud_fail(p->context, THUD_ERROR_ARGUMENT, "projector: no place for the result");
  thud_error error = check_problem(p, metric, m, equalities, A, b, x, tolerance);
  if (error != THUD_OK) return error;
  p->metric = metric;
  p->m = m;
  p->equalities = equalities;
  p->A = A;
  p->b = b;
  p->tolerance = tolerance;
  error = prepare(p, x);
  if (error != THUD_OK) return error;
  thud_pivot_status status = iterate(p);
  if (status == THUD_PIVOT_INFEASIBLE) memcpy(p->y, p->x, (size_t)p->n * sizeof *p->y);
  if (info != NULL) measure(p, status, info);
  if (y != p->y) memcpy(y, p->y, (size_t)p->n * sizeof *y);
  if (multipliers != NULL && m > 0) memcpy(multipliers, p->multipliers, (size_t)m * sizeof *multipliers);
  return THUD_OK;
}

thud_error thud_two_cones(thud_polyhedron_projector *projector, const thud_metric *metric, thud_index m,
                          const double *A, const double *v, double tolerance, double *v_V, double *v_N,
                          double *multipliers, thud_pivot_info *info) {
  THUD_REQUIRE_OF(projector, m == 0 || A, v);
  thud_polyhedron_projector *p = projector;
  if (p == NULL) return THUD_ERROR_ARGUMENT;
  /* A cone is never empty, so that y is the projection; p->y receives it onto itself. */
  thud_error error = thud_polyhedron_project(p, metric, m, 0, A, p->zeros, v, tolerance, p->y, multipliers, info);
  if (error != THUD_OK) return error;
  if (v_N != NULL) {
    memset(p->direction, 0, (size_t)p->n * sizeof *p->direction);
    for (thud_index i = 0; i < m; i++)
      for (thud_index j = 0; j < p->n && p->multipliers[i] != 0; j++)
        p->direction[j] += p->multipliers[i] * A[(size_t)i * (size_t)p->n + (size_t)j];
    thud_metric_solve(metric, p->n, p->direction, v_N);
  }
  if (v_V != NULL) memcpy(v_V, p->y, (size_t)p->n * sizeof *v_V);
  return THUD_OK;
}
