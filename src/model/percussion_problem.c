/* Velocity problems: from (W, load) to impulses. Frictionless problems are LCPs and solved exactly: principal pivoting
 * from the warm start, Lemke where that does not end. One block alone is solved exactly. Several blocks with friction
 * are swept one after the other (nonlinear Gauss-Seidel with exact one-block solves); when that does not reach the
 * tolerance solvers of contact problems take over. */
#include "model/percussion.h"

#include <float.h>
#include <math.h>
#include <string.h>

double thud_percussion_scale(const thud_percussion *p) {
  double scale = THUD_VELOCITY_ROUNDING * p->magnitude / p->options.tolerance;
  for (thud_index i = 0; i < p->rows; i++)
    scale = thud_larger(scale, thud_larger(fabs(p->u_free[i]), fabs(p->load[i])));
  return scale > 0 ? scale : 1;
}

void thud_percussion_velocities(thud_percussion *p) {
  for (thud_index i = 0; i < p->rows; i++) {
    double u = p->load[i];
    for (thud_index j = 0; j < p->rows; j++) u += p->W[i * p->rows + j] * p->r[j];
    p->u[i] = u;
  }
}

double thud_percussion_natural_map(thud_percussion *p, const double *r, const double *u, thud_index *where) {
  double worst = 0;
  if (where != NULL) *where = -1;
  for (thud_index b = 0; b < p->block_count; b++) {
    double residual = thud_block_residual(p, &p->blocks[b], r, u);
    if (residual <= worst) continue;
    worst = residual;
    if (where != NULL) *where = p->blocks[b].constraint;
  }
  return worst;
}

/* ---- frictionless ---------------------------------------------------------------------------------------------- */

/* Pivots below this part of the diagonal count as 0. */
static const double LCP_DEPENDENT = 1e-13;
enum { LCP_SWAPS = 12 };

/* In place A = LL' (row-major, lower) of the `count` chosen rows; false when they are dependent. */
static bool factor_chosen(thud_index rows, const double *W, thud_index count, const thud_index *chosen, double *L) {
  for (thud_index a = 0; a < count; a++) {
    const double *row = W + (ptrdiff_t)chosen[a] * rows;
    for (thud_index b = 0; b <= a; b++) {
      double sum = row[chosen[b]];
      for (thud_index k = 0; k < b; k++) sum -= L[a * count + k] * L[b * count + k];
      if (b < a) {
        L[a * count + b] = sum / L[b * count + b];
      } else {
        if (!(sum > LCP_DEPENDENT * row[chosen[a]])) return false;
        L[a * count + a] = sqrt(sum);
      }
    }
  }
  return true;
}

/* z of the chosen rows from W z + q = 0, the others 0. */
static bool solve_chosen(thud_percussion *p, thud_index rows, const double *W, const double *q, double *z) {
  thud_index count = 0, *chosen = p->chosen;
  double *x = p->work;
  for (thud_index i = 0; i < rows; i++) {
    z[i] = 0;
    if (p->in_set[i]) chosen[count++] = i;
  }
  if (!factor_chosen(rows, W, count, chosen, p->square)) return false;
  for (thud_index a = 0; a < count; a++) x[a] = -q[chosen[a]];
  thud_factor_forward(count, p->square, x);
  thud_factor_backward(count, p->square, x);
  for (thud_index a = 0; a < count; a++) z[chosen[a]] = x[a];
  return true;
}

/* Exchanges the rows whose sign is wrong beyond rounding; their number. */
static thud_index exchange(thud_percussion *p, thud_index rows, const double *W, const double *q, const double *z) {
  thud_index wrong = 0;
  for (thud_index i = 0; i < rows; i++) {
    double w = q[i], size = fabs(q[i]), diagonal = W[i * rows + i];
    for (thud_index j = 0; j < rows; j++) {
      w += W[i * rows + j] * z[j];
      size += fabs(W[i * rows + j] * z[j]);
    }
    double rounding = (double)(rows + 4) * DBL_EPSILON * size;
    bool is_wrong = p->in_set[i] ? diagonal * z[i] < -rounding : w < -rounding;
    if (!is_wrong) continue;
    p->in_set[i] = !p->in_set[i];
    wrong++;
  }
  return wrong;
}

/* Block principal pivoting: all rows with a wrong sign at once. Ends at once when the warm start has the right set. */
static bool lcp_by_exchange(thud_percussion *p, thud_index rows, const double *W, const double *q, double *z) {
  for (thud_index i = 0; i < rows; i++) p->in_set[i] = z[i] > 0 || (W[i * rows + i] > 0 && q[i] < 0);
  for (int k = 0; k < LCP_SWAPS; k++) {
    if (!solve_chosen(p, rows, W, q, z)) return false;
    if (exchange(p, rows, W, q, z) > 0) continue;
    for (thud_index i = 0; i < rows; i++) z[i] = thud_larger(z[i], 0);
    return true;
  }
  return false;
}

enum { LEMKE_PIVOTS_PER_ROW = 50 };

thud_error thud_percussion_lcp(thud_percussion *p, thud_index rows, const double *W, const double *q, double *z,
                               thud_solver_status *status) {
  *status = THUD_SOLVED;
  if (lcp_by_exchange(p, rows, W, q, z)) return THUD_OK;
  thud_pivot_info info;
  thud_lemke_task task = {.n = rows, .M = W, .q = q, .max_pivots = LEMKE_PIVOTS_PER_ROW * rows};
  thud_error error = thud_lemke_solve(p->lemke, &task, z, p->work, NULL, &info);
  if (error != THUD_OK) return error;
  if (info.status == THUD_PIVOT_RAY) *status = THUD_SOLVER_INFEASIBLE;
  if (info.status == THUD_PIVOT_LIMIT) *status = THUD_SOLVER_LIMIT;
  return THUD_OK;
}

/* ---- with friction --------------------------------------------------------------------------------------------- */

/* Velocities of a block without its own impulses. */
static void block_load(const thud_percussion *p, const thud_velocity_block *block, double *q) {
  thud_index size = block->directions + (block->has_normal ? 1 : 0), end = block->first + size;
  for (thud_index k = 0; k < size; k++) {
    const double *row = p->W + (ptrdiff_t)(block->first + k) * p->rows;
    double u = p->load[block->first + k];
    for (thud_index j = 0; j < block->first; j++) u += row[j] * p->r[j];
    for (thud_index j = end; j < p->rows; j++) u += row[j] * p->r[j];
    q[k] = u;
  }
}

static bool sweep_once(thud_percussion *p) {
  bool done = true;
  double *q = p->work + (ptrdiff_t)6 * (p->row_capacity + p->n);
  for (thud_index b = 0; b < p->block_count; b++) {
    block_load(p, &p->blocks[b], q);
    if (!thud_block_solve(p, &p->blocks[b], q, p->r + p->blocks[b].first)) done = false;
  }
  return done;
}

enum { SWEEPS = 100, SWEEPS_ALONE = 2000, SWEEPS_PER_TEST = 4 };

/* Sweeps go on below what is accepted as long as SWEEPS_PER_TEST of them halve the residual, down to this part:
 * contacts that stick shall not creep. */
static const double SWEEPS_BELOW = 1e-4;

/* True when the residual is within what is accepted. */
static bool sweep(thud_percussion *p, int sweeps, double accepted) {
  double residual = INFINITY;
  for (int k = 1; k <= sweeps; k++) {
    bool done = sweep_once(p);
    if (k % SWEEPS_PER_TEST != 0 && k > 1 && p->block_count > 1) continue;
    double last = residual;
    thud_percussion_velocities(p);
    residual = done ? thud_percussion_natural_map(p, p->r, p->u, NULL) : INFINITY;
    if (residual <= SWEEPS_BELOW * accepted || (residual <= accepted && residual > last / 2)) return true;
  }
  return residual <= accepted;
}

/* Dependent rows among those that hold as equations: forces may be exchanged between them. */
static void look_for_rank_loss(thud_percussion *p) {
  thud_index count = 0;
  double tolerance = p->options.tolerance * thud_percussion_scale(p);
  bool is_loaded = false;
  for (thud_index i = 0; i < p->rows; i++) {
    if (fabs(p->u[i]) <= tolerance) p->chosen[count++] = i;
    is_loaded = is_loaded || p->r[i] != 0;
  }
  if (is_loaded && !factor_chosen(p->rows, p->W, count, p->chosen, p->square)) p->set_valued = true;
}

static thud_error solve_with_friction(thud_percussion *p, thud_solver_status *status) {
  double accepted = p->options.tolerance * thud_percussion_scale(p);
  *status = THUD_SOLVED;
  if (!sweep(p, SWEEPS, accepted)) {
    bool taken;
    thud_error error = thud_percussion_registry(p, accepted, &taken, status);
    if (error != THUD_OK) return error;
    if (!taken && !sweep(p, SWEEPS_ALONE, accepted)) *status = THUD_SOLVER_LIMIT;
    thud_percussion_velocities(p);
    if (thud_percussion_natural_map(p, p->r, p->u, NULL) <= accepted)
      *status = THUD_SOLVED;
    else if (*status == THUD_SOLVED)
      *status = THUD_SOLVER_STALLED;
  }
  if (p->block_count > 1) look_for_rank_loss(p);
  return THUD_OK;
}

/* Rows that hold as equations without an impulse: only then can an exact LCP answer be one of several. */
static bool has_idle_equations(const thud_percussion *p) {
  double tolerance = p->options.tolerance * thud_percussion_scale(p);
  for (thud_index i = 0; i < p->rows; i++)
    if (p->r[i] == 0 && fabs(p->u[i]) <= tolerance) return true;
  return false;
}

thud_error thud_percussion_velocity_problem(thud_percussion *p, thud_solver_status *status) {
  bool has_friction = false;
  for (thud_index b = 0; b < p->block_count; b++) has_friction = has_friction || p->blocks[b].law >= 0;
  *status = THUD_SOLVED;
  if (p->rows == 0) return THUD_OK;
  if (has_friction) return solve_with_friction(p, status);
  thud_error error = thud_percussion_lcp(p, p->rows, p->W, p->load, p->r, status);
  thud_percussion_velocities(p);
  if (error == THUD_OK && has_idle_equations(p)) look_for_rank_loss(p);
  return error;
}
