/* Velocity problems without friction are LCPs with a symmetric matrix and solved exactly. */
#include "linalg/row_factor.h"
#include "solve/solve_velocity.h"

#include <float.h>
#include <math.h>

/* Pivots below this part of the diagonal count as 0. */
static const double LCP_DEPENDENT = 1e-13;
enum { LCP_SWAPS = 12, LEMKE_PIVOTS_PER_ROW = 50 };

bool thud_velocity_factor_chosen(thud_index rows, const double *W, thud_index count, const thud_index *chosen,
                                 double *L) {
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

/* z of the rows in the set from W z + q = 0, the others 0. */
static bool solve_chosen(thud_velocity_solver *solver, thud_index rows, const double *W, const double *q, double *z) {
  thud_index count = 0, *chosen = solver->chosen;
  double *x = solver->work;
  for (thud_index i = 0; i < rows; i++) {
    z[i] = 0;
    if (solver->in_set[i]) chosen[count++] = i;
  }
  if (!thud_velocity_factor_chosen(rows, W, count, chosen, solver->square)) return false;
  for (thud_index a = 0; a < count; a++) x[a] = -q[chosen[a]];
  thud_factor_forward(count, solver->square, x);
  thud_factor_backward(count, solver->square, x);
  for (thud_index a = 0; a < count; a++) z[chosen[a]] = x[a];
  return true;
}

/* Exchanges the rows whose sign is wrong beyond rounding; their number. */
static thud_index exchange(thud_velocity_solver *solver, thud_index rows, const double *W, const double *q,
                           const double *z) {
  thud_index wrong = 0;
  for (thud_index i = 0; i < rows; i++) {
    double w = q[i], size = fabs(q[i]), diagonal = W[i * rows + i];
    for (thud_index j = 0; j < rows; j++) {
      w += W[i * rows + j] * z[j];
      size += fabs(W[i * rows + j] * z[j]);
    }
    double rounding = (double)(rows + 4) * DBL_EPSILON * size;
    bool is_wrong = solver->in_set[i] ? diagonal * z[i] < -rounding : w < -rounding;
    if (!is_wrong) continue;
    solver->in_set[i] = !solver->in_set[i];
    wrong++;
  }
  return wrong;
}

/* Block principal pivoting: all rows with a wrong sign at once. Ends at once when the warm start has the right set. */
static bool solve_by_exchange(thud_velocity_solver *solver, thud_index rows, const double *W, const double *q,
                              double *z) {
  for (thud_index i = 0; i < rows; i++) solver->in_set[i] = z[i] > 0 || (W[i * rows + i] > 0 && q[i] < 0);
  for (int k = 0; k < LCP_SWAPS; k++) {
    if (!solve_chosen(solver, rows, W, q, z)) return false;
    if (exchange(solver, rows, W, q, z) > 0) continue;
    for (thud_index i = 0; i < rows; i++) z[i] = thud_larger(z[i], 0);
    return true;
  }
  return false;
}

thud_error thud_velocity_lcp(thud_velocity_solver *solver, const thud_velocity_problem *problem, double *z,
                             thud_solver_status *status) {
  thud_index rows = problem->rows;
  const double *W = problem->W.dense, *q = problem->load;
  *status = THUD_SOLVED;
  if (rows == 0 || solve_by_exchange(solver, rows, W, q, z)) return THUD_OK;
  thud_pivot_info info;
  thud_lemke_task task = {.n = rows, .M = W, .q = q, .max_pivots = LEMKE_PIVOTS_PER_ROW * rows};
  thud_error error = thud_lemke_solve(solver->lemke, &task, z, solver->work, NULL, &info);
  if (error != THUD_OK) return error;
  if (info.status == THUD_PIVOT_RAY) *status = THUD_SOLVER_INFEASIBLE;
  if (info.status == THUD_PIVOT_LIMIT) *status = THUD_SOLVER_LIMIT;
  return THUD_OK;
}
