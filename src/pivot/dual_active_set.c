/* Goldfarb and Idnani's dual active set method (Math. Prog. 27, 1983, section 3) for the least norm point of
 * { n_i.w = s_i (i < equalities), n_i.w <= s_i }, n_i unit vectors.
 *
 * Each round takes the most violated constraint p and moves along -z, z the part of n_p orthogonal to the active
 * gradients, until p holds or an active multiplier reaches 0 (that constraint is dropped, and the move goes on). |w|
 * grows strictly with every completed round, so that no active set returns: degenerate vertices need no rule against
 * cycling in exact arithmetic; in floating point violations near rounding are bounded by a count. */
#include "pivot/projector.h"

#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* |z| below which n_p is taken as a combination of the active gradients (all of them unit vectors). */
static const double DEPENDENT = 1e-13;
/* A violation already within the allowed one is not worth a gradient this close to the span of the active ones. */
static const double SMALL_STEP_INDEPENDENCE = 1e-5;
/* r_j is positive in the ratio test above this multiple of max |r|. */
static const double RATIO_ROUNDING = 64 * DBL_EPSILON;
/* A Farkas certificate must exclude every point within this many data lengths of x to be believed ... */
static const double CERTIFIED_RADIUS = 1e3;
/* ... and a constraint that could only be met farther away than this many data lengths is tried as a certificate. */
static const double REACHABLE_RADIUS = 1e10;
enum { MAX_PASSED = 3 };

static double size_of_violation(const thud_polyhedron_projector *p, thud_index i) {
  return i < p->equalities ? fabs(p->violation[i]) : p->violation[i];
}

/* The violated row to treat next: equalities first, then the largest distance; -1 when none exceeds rounding. */
static thud_index choose_row(thud_polyhedron_projector *p) {
  for (thud_index j = 0; j < p->n; j++) p->difference[j] = p->w[j] - p->base_w[j];
  double drift = THUD_PIVOT_ROUNDING * thud_pivot_norm(p->n, p->difference);
  if (p->m > 0) thud_dense_multiply_vector(p->n, p->m, p->rows, true, 1, p->difference, 0, p->violation);
  thud_index best = -1;
  double largest = 0;
  for (thud_index i = 0; i < p->m; i++) {
    if (i == p->equalities && best >= 0) break;
    p->violation[i] += p->base_violation[i];
    if (p->place[i] != THUD_ROW_FREE) continue;
    double size = size_of_violation(p, i);
    if (size <= p->floor[i] + drift || size <= largest) continue;
    if (p->passed[i] >= MAX_PASSED || (p->passed[i] > 0 && size <= p->allowed[i])) continue;
    largest = size;
    best = i;
  }
  return best;
}

void thud_dual_active_set_drop(thud_polyhedron_projector *p, thud_index k) {
  p->place[p->active[k]] = THUD_ROW_FREE;
  thud_active_factor_remove(&p->factor, k);
  for (thud_index l = k; l < p->factor.count; l++) {
    p->active[l] = p->active[l + 1];
    p->active_sign[l] = p->active_sign[l + 1];
    p->u[l] = p->u[l + 1];
  }
}

void thud_dual_active_set_restore(thud_polyhedron_projector *p) {
  for (;;) {
    thud_index q = p->factor.count, worst = -1;
    thud_active_factor_coordinates(&p->factor, p->w, p->c);
    thud_active_factor_expand(&p->factor, 1, p->c, 0, p->w);
    for (thud_index k = 0; k < q; k++) p->u[k] = -p->c[k];
    thud_active_factor_solve(&p->factor, false, p->u);
    for (thud_index k = 0; k < q; k++)
      if (p->active[k] >= p->equalities && p->u[k] < (worst < 0 ? 0 : p->u[worst])) worst = k;
    if (worst < 0) return;
    thud_dual_active_set_drop(p, worst);
  }
}

static void activate(thud_polyhedron_projector *p, thud_index row, double sign, double multiplier, double z_norm) {
  thud_index q = p->factor.count;
  p->active[q] = row;
  p->active_sign[q] = sign;
  p->u[q] = multiplier;
  p->place[row] = THUD_ROW_ACTIVE;
  thud_active_factor_append(&p->factor, p->c, p->z, z_norm);
}

/* Largest step that keeps u - t r >= 0 on inequalities: INFINITY when there is none; *blocking its constraint. */
static double dual_step(const thud_polyhedron_projector *p, thud_index *blocking) {
  double largest = 0, step = INFINITY;
  for (thud_index k = 0; k < p->factor.count; k++) largest = fmax(largest, fabs(p->r[k]));
  for (thud_index k = 0; k < p->factor.count; k++) {
    if (p->active[k] < p->equalities || p->r[k] <= RATIO_ROUNDING * largest) continue;
    double ratio = fmax(p->u[k], 0) / p->r[k];
    if (ratio >= step) continue;
    step = ratio;
    *blocking = k;
  }
  return step;
}

/* Certificate in the caller's units from l_p = 1, l_active = -r: sum_i l_i a_i = 0 and sum_i l_i b_i < 0 mean that no
 * y satisfies the constraints. In floating point |sum l_i a_i| is not 0; then l.(b - Ax) = -v excludes every y with
 * |y - x| < v / |A'l|. Believed only when v is beyond rounding and that radius is large. */
static bool certify_infeasible(thud_polyhedron_projector *p, thud_index row, double sign) {
  double largest = 1, gap = 0, rounding = 0;
  memset(p->multipliers, 0, (size_t)p->m * sizeof *p->multipliers);
  memset(p->direction, 0, (size_t)p->n * sizeof *p->direction);
  for (thud_index k = 0; k < p->factor.count; k++)
    if (p->active[k] < p->equalities || p->r[k] < 0) largest = fmax(largest, fabs(p->r[k]));
  for (thud_index k = 0; k <= p->factor.count; k++) {
    bool is_row = k == p->factor.count;
    thud_index i = is_row ? row : p->active[k];
    double l = (is_row ? sign : -p->r[k] * p->active_sign[k]) / largest;
    if (i >= p->equalities) l = fmax(l, 0);
    l /= p->norm[i];
    p->multipliers[i] = l;
    const double *a = p->A + (size_t)i * (size_t)p->n;
    double slack = p->b[i], size = fabs(p->b[i]);
    for (thud_index j = 0; j < p->n; j++) {
      slack -= a[j] * p->x[j];
      size += fabs(a[j] * p->x[j]);
      p->direction[j] += l * a[j];
    }
    gap -= l * slack;
    rounding += THUD_PIVOT_ROUNDING * fabs(l) * size;
  }
  double defect = thud_metric_dual_norm(p->metric, p->n, p->direction);
  return gap > rounding && defect * CERTIFIED_RADIUS * fmax(p->length, gap) <= gap;
}

/* A round that ends at the limit or in a contradiction which is not certified (a thin set seen through rounding) must
 * leave no trace: its drops have handed the weight of w over to the row in question. The factor is built anew, which is
 * rare. */
static void remember_iterate(thud_polyhedron_projector *p) {
  size_t count = (size_t)p->factor.count;
  p->saved.count = p->factor.count;
  memcpy(p->saved.active, p->active, count * sizeof *p->active);
  memcpy(p->saved.sign, p->active_sign, count * sizeof *p->active_sign);
  memcpy(p->saved.u, p->u, count * sizeof *p->u);
  memcpy(p->saved.w, p->w, (size_t)p->n * sizeof *p->w);
}

static void rewind_iterate(thud_polyhedron_projector *p) {
  while (p->factor.count > 0) thud_dual_active_set_drop(p, p->factor.count - 1);
  for (thud_index k = 0; k < p->saved.count; k++) {
    const double *row = p->rows + (size_t)p->saved.active[k] * (size_t)p->n;
    for (thud_index j = 0; j < p->n; j++) p->direction[j] = p->saved.sign[k] * row[j];
    double z_norm = thud_active_factor_split(&p->factor, p->direction, p->c, p->z);
    if (z_norm > 0) activate(p, p->saved.active[k], p->saved.sign[k], p->saved.u[k], z_norm);
  }
  memcpy(p->w, p->saved.w, (size_t)p->n * sizeof *p->w);
}

typedef enum round_result { ROUND_ADDED, ROUND_PASSED, ROUND_INFEASIBLE, ROUND_LIMIT } round_result;

/* Signed row p and its violation at the present w, straight from the base. */
static double orient(thud_polyhedron_projector *p, thud_index row, double sign) {
  const double *n_p = p->rows + (size_t)row * (size_t)p->n;
  double violation = p->base_violation[row];
  for (thud_index j = 0; j < p->n; j++) {
    p->direction[j] = sign * n_p[j];
    violation += n_p[j] * (p->w[j] - p->base_w[j]);
  }
  return sign * violation;
}

/* -w moves by t (n_p - N r) = t z, multipliers by t (1, -r). A dependent gradient moves multipliers only. */
static void move(thud_polyhedron_projector *p, double t, bool moves_w) {
  for (thud_index k = 0; k < p->factor.count; k++) p->u[k] -= t * p->r[k];
  if (!moves_w) return;
  for (thud_index j = 0; j < p->n; j++) p->w[j] -= t * p->z[j];
}

/* Brings one violated row into the active set. */
static round_result treat_row(thud_polyhedron_projector *p, thud_index row) {
  double sign = row < p->equalities && p->violation[row] < 0 ? -1 : 1, multiplier = 0;
  remember_iterate(p);
  for (bool first = true;; first = false) {
    if (p->iterations++ >= p->iteration_limit) {
      if (!first) rewind_iterate(p);
      return ROUND_LIMIT;
    }
    double violation = orient(p, row, sign);
    double z_norm = thud_active_factor_split(&p->factor, p->direction, p->c, p->z);
    bool dependent = p->factor.count == p->factor.capacity || z_norm <= DEPENDENT;
    if (first && violation <= p->allowed[row] && z_norm < SMALL_STEP_INDEPENDENCE && !dependent) return ROUND_PASSED;
    memcpy(p->r, p->c, (size_t)p->factor.count * sizeof *p->r);
    thud_active_factor_solve(&p->factor, false, p->r);
    thud_index blocking = -1;
    double t_dual = dual_step(p, &blocking), t_primal = dependent ? INFINITY : violation / (z_norm * z_norm);
    if (blocking < 0 && (dependent || violation / z_norm > REACHABLE_RADIUS * p->length)) {
      if (violation > p->allowed[row] && certify_infeasible(p, row, sign)) return ROUND_INFEASIBLE;
      if (dependent) {
        if (!first) rewind_iterate(p);
        return ROUND_PASSED;
      }
    }
    double t = fmin(t_dual, t_primal);
    move(p, t, !dependent);
    multiplier += t;
    if (t_primal <= t_dual) {
      activate(p, row, sign, multiplier, z_norm);
      return ROUND_ADDED;
    }
    thud_dual_active_set_drop(p, blocking);
  }
}

thud_pivot_status thud_dual_active_set_run(thud_polyhedron_projector *p) {
  thud_index small_limit = 10 * (p->factor.capacity + 10);
  for (;;) {
    thud_index row = choose_row(p);
    if (row < 0) return THUD_PIVOT_SOLVED;
    if (size_of_violation(p, row) <= p->allowed[row] && p->small_steps++ >= small_limit) return THUD_PIVOT_SOLVED;
    switch (treat_row(p, row)) {
    case ROUND_ADDED: break;
    case ROUND_PASSED: p->passed[row]++; break;
    case ROUND_INFEASIBLE: return THUD_PIVOT_INFEASIBLE;
    case ROUND_LIMIT: return THUD_PIVOT_LIMIT;
    }
  }
}
