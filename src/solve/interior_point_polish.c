/* The last digits of the interior point method. Near the boundary of the cones interior points lose digits to
 * cancellation, and where a contact is degenerate (about to slide, about to open) their residual is only the root of
 * the gap. But by then they show which contacts are open, stick or slide, and Newton's method on the function of
 * Alart
 * and Curnier (newton.h) converges in a few steps:
 *   open      r = 0                                             where p = r_N - rho u_N <= 0
 *   touching  u_N = 0, and
 *     sticking  u_T = 0                                         where |x| <= mu p, x = r_T - rho u_T
 *     sliding   r_T = mu p e, e = x/|x|                         elsewhere
 * linearised as C (A dx) + B dx = right with d x d blocks C and B of each contact: the same system with other numbers.
 */
#include "solve/interior_point.h"

#include <math.h>
#include <string.h>

enum { STEPS = 10 };
static const double PROGRESS = 0.5;
/* Beside the diagonal of A, where impulses are indeterminate. */
static const double REGULARISATION = 1e-10;
/* The same in the space of bodies, where its inverse is a stiffness: smaller ones cost more digits than they win. */
static const double SPACE_REGULARISATION = 1e-8;

/* Rows of one part of a touching contact, when it slides. B and C are column-major d x d. */
static void linearise_sliding(const thud_interior_point *point, const thud_interior_cone *cone, size_t d, double p,
                              const double *r, const double *u, double *C, double *B, double *right) {
  size_t t = cone->tangential, m = cone->m - 1;
  double e[THUD_INTERIOR_CONE_MAX] = {0}, square = 0, radius = cone->mu * p;
  for (size_t i = 0; i < m; i++) {
    e[i] = r[t + i] - point->rho * u[t + i];
    square += e[i] * e[i];
  }
  double length = sqrt(square);
  if (!(length > radius)) return;
  for (size_t i = 0; i < m; i++) e[i] /= length;
  for (size_t i = 0; i < m; i++) {
    right[t + i] = radius * e[i] - r[t + i];
    B[t + i] = -cone->mu * e[i];
    C[t + i] = cone->mu * point->rho * e[i];
    for (size_t j = 0; j < m; j++) {
      double unit = i == j ? 1 : 0, across = radius / length * (unit - e[i] * e[j]);
      B[(t + j) * d + t + i] = unit - across;
      C[(t + j) * d + t + i] = point->rho * across;
    }
  }
}

static void linearise(const thud_interior_point *point, size_t k, double *right) {
  size_t d = point->system.form.d;
  const double *r = point->polished_x + k * d, *u = point->u + k * d;
  double *C = point->multipliers + k * d * d, *B = point->blocks + k * d * d, p = r[0] - point->rho * u[0];
  double regularisation = point->system.in_space ? SPACE_REGULARISATION : REGULARISATION;
  memset(C, 0, d * d * sizeof(double));
  memset(B, 0, d * d * sizeof(double));
  for (size_t i = 0; i < d; i++) {
    B[i * d + i] = p > 0 ? regularisation : 1;
    C[i * d + i] = p > 0 ? 1 : 0;
    right[i] = p > 0 ? -u[i] : -r[i];
  }
  for (size_t c = point->cone_start[k]; p > 0 && c < point->cone_start[k + 1]; c++)
    if (point->cones[c].m > 1) linearise_sliding(point, &point->cones[c], d, p, r, u, C, B, right);
  for (size_t i = 0; i < d; i++)
    if (point->system.pinned[k * d + i]) right[i] = 0;
}

/* One Newton step on (polished_x, polished_v). */
static bool newton_step(thud_interior_point *point) {
  thud_interior_system *system = &point->system;
  const thud_scaled_form *form = &system->form;
  double *right = point->right + system->offset;
  thud_interior_system_velocity(system, point->polished_x, point->polished_v, point->u);
  if (system->global) thud_interior_system_dynamics(system, point->polished_x, point->polished_v, point->right);
  for (size_t k = 0; k < form->contacts; k++) linearise(point, k, right + k * form->d);
  for (size_t i = form->size; i < form->total; i++) right[i] = -point->u[i];
  if (!thud_interior_system_factorize(system, point->multipliers, point->blocks, false)) return false;
  if (!thud_interior_system_solve(system, point->right, point->step)) return false;
  for (size_t i = 0; i < system->offset; i++) point->polished_v[i] += point->step[i];
  for (size_t i = 0; i < form->total; i++) point->polished_x[i] += point->step[system->offset + i];
  return true;
}

thud_error thud_interior_point_polish(thud_solver *solver, double rho, double first) {
  thud_interior_point *point = solver->state;
  point->rho = rho;
  const thud_scaled_form *form = &point->system.form;
  thud_error error = THUD_OK;
  double last = first;
  memcpy(point->polished_x, point->x, form->total * sizeof(double));
  memcpy(point->polished_v, point->v, point->system.offset * sizeof(double));
  for (int step = 0; step < STEPS && error == THUD_OK && thud_solver_goes_on(solver); step++) {
    if (!newton_step(point)) break;
    solver->iterations++;
    thud_scaled_form_store(form, point->polished_x, solver->r, solver->l);
    error = thud_solver_test(solver);
    if (!(solver->last_residual < PROGRESS * last)) break;
    last = solver->last_residual;
  }
  return error;
}
