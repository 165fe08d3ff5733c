/* Projection, support function and emptiness of a lifted polyhedron { x : a_i.z = b_i or <= b_i, z = (x, u) }.
 *
 * Without auxiliary variables u the projection is one call of the active-set method. With them
 *   min |x - x0|^2_M + |u - u_k|^2_D   over the rows, u_{k+1} = the u found                     (proximal point in u)
 * converges to the projection, and in a few steps because D is small beside M: what is left of the optimality
 * conditions is D(u_{k+1} - u_k). The support function is the linear programme max d.x, solved by the proximal point
 * method z_{k+1} = proj(z_k + c d), which is finite on polyhedra (Rockafellar, SIAM J. Control 14, 1976). */
#include "convex/polyhedral.h"

#include "convex/lift.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* D relative to M (squares of lengths): small enough for fast convergence, large enough for the conditioning. */
static const double proximal_weight = 1e-7, smallest_proximal_weight = 1e-10;
static const thud_index proximal_steps = 200;
/* Slower than this factor per step, this many times on end: D is made smaller. */
static const double proximal_rate = 0.1;
static const int proximal_patience = 5;
/* A remainder that no longer shrinks is rounding up to this many units. */
static const double proximal_stall = 1e4;

struct thud_polyhedral {
  thud_context *context;
  thud_lift *lift;
  thud_polyhedron_projector *projector;
  double *rows;        /* [rows_max*N] A in the coordinates in which the metric is Euclidean */
  double *zero;        /* [rows_max] zeros: right sides of the recession cone */
  double *multipliers; /* [rows_max] */
  double *weight;      /* [N-n] square roots of the diagonal of D */
  double *feasible;    /* [N] a point of the lifted set */
  double *z, *target;  /* [N] */
  double *direction;   /* [N] of the linear programme */
  double reach;        /* d in the last step of the linear programme was reach times the direction, and */
  double length;       /* the direction was d divided by this */
};

void thud_polyhedral_destroy(thud_polyhedral *p) {
  if (p == NULL) return;
  thud_context *context = p->context;
  thud_lift_destroy(p->lift);
  thud_polyhedron_projector_destroy(p->projector);
  thud_free(context, p->rows);
  thud_free(context, p->zero);
  thud_free(context, p->multipliers);
  thud_free(context, p->weight);
  thud_free(context, p->feasible);
  thud_free(context, p->z);
  thud_free(context, p->target);
  thud_free(context, p->direction);
  thud_free(context, p);
}

thud_error thud_polyhedral_create(thud_set *set) {
  thud_context *context = set->context;
  thud_polyhedral *p = THUD_NEW(context, thud_polyhedral);
  if (p == NULL) return THUD_ERROR_MEMORY;
  p->context = context;
  set->polyhedral = p; /* freed with the set, also when what follows fails */
  thud_error error = thud_lift_create(set, &p->lift);
  if (error != THUD_OK) return error;
  thud_index N = p->lift->N, rows = p->lift->rows_max;
  error = thud_polyhedron_projector_create(context, N, rows > 0 ? rows : 1, &p->projector);
  if (error != THUD_OK) return error;
  p->rows = THUD_NEW_ARRAY(context, double, (size_t)rows *(size_t)N);
  p->zero = THUD_NEW_ARRAY(context, double, rows);
  p->multipliers = THUD_NEW_ARRAY(context, double, rows);
  p->weight = THUD_NEW_ARRAY(context, double, N - p->lift->n);
  p->feasible = THUD_NEW_ARRAY(context, double, N);
  p->z = THUD_NEW_ARRAY(context, double, N);
  p->target = THUD_NEW_ARRAY(context, double, N);
  p->direction = THUD_NEW_ARRAY(context, double, N);
  bool complete = p->rows != NULL && p->zero != NULL && p->multipliers != NULL && p->weight != NULL &&
                  p->feasible != NULL && p->z != NULL && p->target != NULL && p->direction != NULL;
  return complete ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_polyhedral_create_generated(thud_set *set) {
  thud_context *context = set->context;
  thud_polyhedral *p = THUD_NEW(context, thud_polyhedral);
  if (p == NULL) return THUD_ERROR_MEMORY;
  p->context = context;
  set->polyhedral = p;
  p->rows = THUD_NEW_ARRAY(context, double, (size_t)set->m *(size_t)set->n);
  p->zero = THUD_NEW_ARRAY(context, double, set->m);
  p->multipliers = THUD_NEW_ARRAY(context, double, set->m);
  p->target = THUD_NEW_ARRAY(context, double, set->n);
  if (p->rows == NULL || p->zero == NULL || p->multipliers == NULL || p->target == NULL) return THUD_ERROR_MEMORY;
  return thud_polyhedron_projector_create(context, set->n, set->m > 0 ? set->m : 1, &p->projector);
}

/* ---- emptiness --------------------------------------------------------------------------------------- */

/* "polyhedron row 2, half-space row 0 and 3 more": the rows with a positive weight in the Farkas certificate. */
static thud_error name_empty(const thud_set *set) {
  const thud_polyhedral *p = set->polyhedral;
  char text[400] = "";
  size_t used = 0;
  int named = 0, more = 0;
  for (thud_index i = 0; i < p->lift->rows; i++) {
    if (p->multipliers[i] == 0) continue;
    const char *kind = p->lift->owner[i]->kind->kind;
    if (used + strlen(kind) + 40 > sizeof text) {
      more++;
      continue;
    }
    used += (size_t)snprintf(text + used, sizeof text - used, "%s%s row %d", named++ == 0 ? "" : ", ", kind,
                             (int)p->lift->owner_row[i]);
  }
  if (more > 0) snprintf(text + used, sizeof text - used, " and %d more", more);
  return thud_fail(set->context, THUD_ERROR_EMPTY_SET,
                   "%s: the set is empty: these rows contradict each other: %s; loosen one of them", set->kind->kind,
                   text);
}

/* Lengths of u comparable with those of x: columns of A of equal norm. */
static void weigh_variables(thud_polyhedral *p) {
  const thud_lift *lift = p->lift;
  thud_index n = lift->n, N = lift->N;
  double largest = 0;
  memset(p->target, 0, (size_t)N * sizeof *p->target);
  for (thud_index i = 0; i < lift->rows; i++)
    for (thud_index j = 0; j < N; j++) p->target[j] = hypot(p->target[j], lift->A[(size_t)i * (size_t)N + (size_t)j]);
  for (thud_index j = 0; j < n; j++) largest = fmax(largest, p->target[j]);
  for (thud_index j = n; j < N; j++) p->weight[j - n] = largest > 0 && p->target[j] > 0 ? p->target[j] / largest : 1;
}

thud_error thud_polyhedral_refresh(thud_set *set) {
  thud_polyhedral *p = set->polyhedral;
  thud_lift *lift = p->lift;
  thud_lift_build(lift, set);
  memset(p->target, 0, (size_t)lift->N * sizeof *p->target);
  thud_pivot_info found;
  thud_error error = thud_polyhedron_project(p->projector, NULL, lift->rows, lift->equalities, lift->A, lift->b,
                                             p->target, THUD_POLYHEDRAL_TOLERANCE, p->feasible, p->multipliers, &found);
  if (error != THUD_OK) return error;
  if (found.status == THUD_PIVOT_INFEASIBLE) return name_empty(set);
  weigh_variables(p);
  return THUD_OK;
}

/* ---- projection -------------------------------------------------------------------------------------- */

/* An active-set method that ran into its limit while polishing rounding errors has solved the problem all the same:
 * what counts is how well the optimality conditions hold. */
static bool is_solved(const thud_pivot_info *found, double size) {
  if (found->status == THUD_PIVOT_SOLVED) return true;
  double worst = fmax(fmax(found->primal_violation, found->dual_violation), found->stationarity);
  return found->status == THUD_PIVOT_LIMIT && worst <= THUD_POLYHEDRAL_TOLERANCE * size &&
         found->complementarity <= THUD_POLYHEDRAL_TOLERANCE * size * size;
}

/* size: of the projected point, in the metric. */
static thud_error note_status(const thud_set *set, const thud_pivot_info *found, double size, thud_set_info *info) {
  info->iterations += found->iterations;
  if (found->status == THUD_PIVOT_INFEASIBLE) return name_empty(set);
  if (!is_solved(found, size)) {
    info->converged = false;
    info->gap = INFINITY;
  }
  return THUD_OK;
}

/* p->rows = the rows as covectors of the metric blockdiag(M, s D). */
static void transform_rows(thud_polyhedral *p, const thud_metric_view *metric, double root) {
  const thud_lift *lift = p->lift;
  size_t N = (size_t)lift->N;
  for (thud_index i = 0; i < lift->rows; i++) {
    const double *a = lift->A + (size_t)i * N;
    double *row = p->rows + (size_t)i * N;
    thud_view_covector(metric, a, row);
    for (thud_index j = lift->n; j < lift->N; j++) row[j] = a[j] / (root * p->weight[j - lift->n]);
  }
}

static thud_error project_directly(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                   thud_set_info *info) {
  thud_polyhedral *p = set->polyhedral;
  const thud_lift *lift = p->lift;
  bool transformed = metric->whole == NULL && !thud_view_is_euclidean(metric);
  if (transformed) {
    transform_rows(p, metric, 1);
    thud_view_to_euclidean(metric, x, p->target);
  }
  thud_pivot_info found;
  thud_error error = thud_polyhedron_project(p->projector, metric->whole, lift->rows, lift->equalities,
                                             transformed ? p->rows : lift->A, lift->b, transformed ? p->target : x,
                                             THUD_POLYHEDRAL_TOLERANCE, y, p->multipliers, &found);
  if (error != THUD_OK) return error;
  if (transformed) thud_view_from_euclidean(metric, y, y);
  return note_status(set, &found, thud_view_norm(metric, x, p->target), info);
}

/* Residual of the optimality conditions after the step, D(u_{k+1} - u_k) = -(A'l)_u, in units of the rounding of A'l and of
 * the point that was projected, whose length is size. */
static double proximal_remainder(const thud_polyhedral *p, const double *before, double size) {
  const thud_lift *lift = p->lift;
  double remainder = 0, rounding = 0;
  for (thud_index j = lift->n; j < lift->N; j++) {
    double terms = size + fabs(p->z[j]);
    for (thud_index i = 0; i < lift->rows; i++)
      terms += fabs(p->multipliers[i] * p->rows[(size_t)i * (size_t)lift->N + (size_t)j]);
    remainder = fmax(remainder, fabs(p->z[j] - before[j]));
    rounding = fmax(rounding, DBL_EPSILON * terms);
  }
  return remainder == 0 ? 0 : remainder / rounding;
}

/* D = root^2 weight^2; the second part of target becomes the scaled u of z. */
static void set_proximal_weight(thud_polyhedral *p, const thud_metric_view *metric, double root, const double *u) {
  transform_rows(p, metric, root);
  for (thud_index j = p->lift->n; j < p->lift->N; j++)
    p->target[j] = root * p->weight[j - p->lift->n] * u[j - p->lift->n];
}

static thud_error project_lifted(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                 thud_set_info *info) {
  thud_polyhedral *p = set->polyhedral;
  const thud_lift *lift = p->lift;
  thud_index n = lift->n, N = lift->N;
  double mean = 0, last = INFINITY, remainder = INFINITY;
  for (thud_index i = 0; i < n; i++) mean += thud_view_entry(metric, i, i) / n;
  double root = sqrt(proximal_weight * mean), size = thud_view_norm(metric, x, p->target);
  double smallest_root = sqrt(smallest_proximal_weight * mean);
  thud_view_to_euclidean(metric, x, p->target);
  set_proximal_weight(p, metric, root, p->feasible + n);
  bool done = false;
  int slow_steps = 0;
  for (thud_index k = 0; k < proximal_steps && !done && info->converged; k++) {
    thud_pivot_info found;
    thud_error error = thud_polyhedron_project(p->projector, NULL, lift->rows, lift->equalities, p->rows, lift->b,
                                               p->target, THUD_POLYHEDRAL_TOLERANCE, p->z, p->multipliers, &found);
    if (error == THUD_OK) error = note_status(set, &found, size, info);
    if (error != THUD_OK) return error;
    last = remainder;
    remainder = proximal_remainder(p, p->target, size);
    bool slow = remainder > proximal_rate * last;
    done = remainder <= 8 || (slow && remainder <= proximal_stall);
    memcpy(p->target + n, p->z + n, (size_t)(N - n) * sizeof *p->z);
    slow_steps = slow ? slow_steps + 1 : 0;
    if (done || slow_steps < proximal_patience || root <= smallest_root) continue;
    for (thud_index j = n; j < N; j++) p->z[j] /= root * p->weight[j - n];
    root *= 0.1;
    set_proximal_weight(p, metric, root, p->z + n);
    slow_steps = 0;
    remainder = INFINITY;
  }
  info->converged = info->converged && done;
  if (!info->converged) info->gap = INFINITY;
  thud_view_from_euclidean(metric, p->z, y);
  return THUD_OK;
}

thud_error thud_polyhedral_project(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                   thud_set_info *info) {
  const thud_lift *lift = set->polyhedral->lift;
  return lift->N == lift->n ? project_directly(set, metric, x, y, info) : project_lifted(set, metric, x, y, info);
}

thud_error thud_polyhedral_project_generated(thud_set *set, const thud_metric_view *metric, const double *x, double *y,
                                             thud_set_info *info) {
  thud_polyhedral *p = set->polyhedral;
  size_t n = (size_t)set->n;
  for (thud_index i = 0; i < set->m; i++)
    thud_view_to_euclidean(metric, set->own + (size_t)i * n, p->rows + (size_t)i * n);
  thud_view_to_euclidean(metric, x, p->target);
  thud_pivot_info found;
  thud_error error = thud_polyhedron_project(p->projector, NULL, set->m, 0, p->rows, p->zero, p->target,
                                             THUD_POLYHEDRAL_TOLERANCE, p->target, p->multipliers, &found);
  if (error != THUD_OK) return error;
  info->iterations = found.iterations;
  info->converged = is_solved(&found, thud_view_norm(metric, x, y));
  if (!info->converged) info->gap = INFINITY;
  memset(y, 0, n * sizeof *y);
  for (thud_index i = 0; i < set->m; i++)
    for (size_t j = 0; j < n; j++) y[j] += p->multipliers[i] * set->own[(size_t)i * n + j];
  return THUD_OK;
}

/* ---- support function -------------------------------------------------------------------------------- */

/* sup d.x = oo iff d does not project to 0 on the recession cone of the (non-empty) lifted polyhedron. The rest, which
 * makes the linear programme bounded beyond doubt, becomes the direction, of length 1 as d/|d|. */
static thud_error split_direction(thud_set *set, const double *d, bool *unbounded, thud_set_info *info) {
  thud_polyhedral *p = set->polyhedral;
  const thud_lift *lift = p->lift;
  double norm = thud_vector_norm(lift->n, d);
  p->length = norm;
  memset(p->direction, 0, (size_t)lift->N * sizeof *p->direction);
  for (thud_index i = 0; i < lift->n; i++) p->direction[i] = d[i] / norm;
  thud_pivot_info found;
  thud_error error = thud_polyhedron_project(p->projector, NULL, lift->rows, lift->equalities, lift->A, p->zero,
                                             p->direction, THUD_POLYHEDRAL_TOLERANCE, p->z, p->multipliers, &found);
  if (error == THUD_OK) error = note_status(set, &found, 1, info);
  if (error != THUD_OK) return error;
  *unbounded = thud_vector_norm(lift->N, p->z) > THUD_RECESSION_TOLERANCE;
  for (thud_index j = 0; j < lift->N; j++) p->direction[j] -= p->z[j];
  return THUD_OK;
}

thud_error thud_polyhedral_support(thud_set *set, const double *d, double *value, double *point, thud_set_info *info) {
  thud_polyhedral *p = set->polyhedral;
  const thud_lift *lift = p->lift;
  bool unbounded = false, done = false;
  thud_error error = split_direction(set, d, &unbounded, info);
  if (error != THUD_OK) return error;
  if (unbounded) {
    *value = INFINITY;
    return THUD_OK;
  }
  memcpy(p->z, p->feasible, (size_t)lift->N * sizeof *p->z);
  double reach = fmax(1, thud_vector_norm(lift->N, p->z));
  for (thud_index k = 0; k < proximal_steps && !done && info->converged; k++, reach *= 2) {
    for (thud_index j = 0; j < lift->N; j++) p->target[j] = p->z[j] + reach * p->direction[j];
    p->reach = reach;
    thud_pivot_info found;
    error = thud_polyhedron_project(p->projector, NULL, lift->rows, lift->equalities, lift->A, lift->b, p->target,
                                    THUD_POLYHEDRAL_TOLERANCE, p->target, p->multipliers, &found);
    if (error == THUD_OK) error = note_status(set, &found, reach, info);
    if (error != THUD_OK) return error;
    double change = thud_vector_distance(lift->N, p->target, p->z);
    done = change <= 64 * DBL_EPSILON * (reach + thud_vector_norm(lift->N, p->z));
    memcpy(p->z, p->target, (size_t)lift->N * sizeof *p->z);
  }
  info->converged = info->converged && done;
  if (!done) info->gap = INFINITY;
  memcpy(point, p->z, (size_t)lift->n * sizeof *point);
  *value = thud_vector_dot(lift->n, d, point);
  return THUD_OK;
}

/* The last step was proj(z + reach d/|d|) = z: reach d/|d| = sum of multipliers_i a_i. The room of the transformed rows,
 * which are made anew for every projection, holds the multipliers of d. */
void thud_polyhedral_solution(const thud_set *set, thud_lift_solution *solution) {
  const thud_polyhedral *p = set->polyhedral;
  for (thud_index i = 0; i < p->lift->rows; i++) p->rows[i] = p->multipliers[i] * (p->length / p->reach);
  *solution = (thud_lift_solution){.lift = p->lift, .z = p->z, .rows = p->rows};
}
