/* One step of the interior point method: with F = u~ - shift(u_T) e_N - (A x + q), the complementarity of the cones
 * linearised as dz = -P dy + c, and E = I - e_N (0, shift')',
 *   (A dx)_k + E_k B'PB dr_k = F_k + E_k B'c,   bilateral rows  (A dx)_b = -u_b.
 * Predictor: towards complementarity 0. Corrector (Mehrotra, SIAM J. Optim. 2, 1992): with the gap that the predictor
 * says can be reached, and with the second-order terms of both nonlinear equations, y o z and the shift. */
#include "solve/interior_point.h"

#include <math.h>
#include <string.h>

static const double SMOOTHING = 0.1;    /* eps, in units, for a gap of 1 unit^2; it falls with the gap */
static const double TO_BOUNDARY = 0.95; /* part of the way to the boundary that a step may go */
static const double LEAST_CENTRING = 1e-6;

static size_t cone_count(const thud_interior_point *point) { return point->cone_start[point->system.form.contacts]; }

/* ---- cones and contacts --------------------------------------------------------------------------------------- */

/* y = B r */
static void to_cone(const thud_interior_cone *cone, const double *r, double *y) {
  y[0] = cone->mu * r[0];
  for (size_t i = 1; i < cone->m; i++) y[i] = r[cone->tangential + i - 1];
}

/* u += B'z */
static void add_from_cone(const thud_interior_cone *cone, const double *z, double *u) {
  u[0] += cone->mu * z[0];
  for (size_t i = 1; i < cone->m; i++) u[cone->tangential + i - 1] += z[i];
}

void thud_interior_point_centre(thud_interior_point *point, double impulse, double velocity) {
  const thud_scaled_form *form = &point->system.form;
  memset(point->x, 0, form->total * sizeof(double));
  for (size_t k = 0; k < form->contacts; k++) point->x[k * form->d] = impulse * point->unit;
  for (size_t p = 0; p < cone_count(point); p++) {
    memset(point->cones[p].z, 0, sizeof point->cones[p].z);
    point->cones[p].z[0] = velocity * point->unit / point->cones[p].mu;
  }
}

void thud_interior_point_begin_at(thud_interior_point *point, double gap, double inside) {
  size_t d = point->system.form.d;
  double least = inside * point->unit, target = gap * point->unit * point->unit;
  for (size_t k = 0; k < point->system.form.contacts; k++) {
    double *r = point->x + k * d, lift = 0;
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      thud_interior_cone *cone = &point->cones[p];
      double length = 0;
      to_cone(cone, r, cone->y);
      for (size_t i = 1; i < cone->m; i++) length = hypot(length, cone->y[i]);
      lift = fmax(lift, (least - (cone->y[0] - length)) / cone->mu);
    }
    r[0] += lift;
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      thud_interior_cone *cone = &point->cones[p];
      double square = 0;
      to_cone(cone, r, cone->y);
      for (size_t i = 1; i < cone->m; i++) square += cone->y[i] * cone->y[i];
      double factor = target / (cone->y[0] * cone->y[0] - square);
      for (size_t i = 0; i < cone->m; i++) cone->z[i] = (i == 0 ? factor : -factor) * cone->y[i];
    }
  }
}

/* y = B r and the scalings. */
static bool scale_cones(thud_interior_point *point) {
  size_t d = point->system.form.d;
  for (size_t k = 0; k < point->system.form.contacts; k++)
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      to_cone(&point->cones[p], point->x + k * d, point->cones[p].y);
      if (!thud_interior_cone_scale(&point->cones[p])) return false;
    }
  return true;
}

static double mean_gap(const thud_interior_point *point, double t) {
  double sum = 0;
  for (size_t p = 0; p < cone_count(point); p++) sum += thud_interior_cone_gap(&point->cones[p], t);
  return cone_count(point) > 0 ? sum / (double)cone_count(point) : 0;
}

static double longest_step(const thud_interior_point *point) {
  double t = INFINITY;
  for (size_t p = 0; p < cone_count(point); p++) t = thud_interior_cone_longest_step(&point->cones[p], t);
  return t;
}

/* ---- the shift ------------------------------------------------------------------------------------------------ */

/* mu sqrt(|u_T|^2 + eps^2) of one cone at z + t dz; 0 of the convex problem. */
static double smooth_shift(const thud_interior_cone *cone, const thud_interior_step *step, double t) {
  double square = step->smoothing * step->smoothing;
  if (cone->m == 1 || step->convex) return 0;
  for (size_t i = 1; i < cone->m; i++) square += (cone->z[i] + t * cone->dz[i]) * (cone->z[i] + t * cone->dz[i]);
  return cone->mu * sqrt(square);
}

/* fault and slope. Components that stay 0 have no equation. */
static void find_fault(thud_interior_point *point, const thud_interior_step *step) {
  const thud_scaled_form *form = &point->system.form;
  size_t d = form->d;
  thud_interior_system_velocity(&point->system, point->x, point->v, point->u);
  memset(point->slope, 0, form->size * sizeof(double));
  for (size_t k = 0; k < form->contacts; k++) {
    double shifted[THUD_INTERIOR_DIMENSION_MAX] = {0};
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      const thud_interior_cone *cone = &point->cones[p];
      double shift = smooth_shift(cone, step, 0), *slope = point->slope + k * d + cone->tangential;
      add_from_cone(cone, cone->z, shifted);
      shifted[0] -= shift;
      for (size_t i = 1; shift > 0 && i < cone->m; i++)
        slope[i - 1] = step->coupling * cone->mu * cone->mu * cone->z[i] / shift;
    }
    for (size_t i = k * d; i < (k + 1) * d; i++)
      point->fault[i] = point->system.pinned[i] ? 0 : shifted[i - k * d] - point->u[i];
  }
  for (size_t i = form->size; i < form->total; i++) point->fault[i] = -point->u[i];
}

/* bend: shift(t dz) - shift(0) - slope.(t dz) along the predictor. */
static void find_bend(thud_interior_point *point, const thud_interior_step *step, double t) {
  size_t d = point->system.form.d;
  for (size_t k = 0; k < point->system.form.contacts; k++) {
    double bend = 0;
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      const thud_interior_cone *cone = &point->cones[p];
      const double *slope = point->slope + k * d + cone->tangential;
      bend += smooth_shift(cone, step, t) - smooth_shift(cone, step, 0);
      for (size_t i = 1; i < cone->m; i++) bend -= slope[i - 1] * t * cone->dz[i];
    }
    point->bend[k] = bend;
  }
}

/* x_N -= slope.x_T: multiplication by E. */
static void apply_slope(const double *slope, size_t d, double *x) {
  for (size_t i = 1; i < d; i++) x[0] -= slope[i] * x[i];
}

/* ---- direction --------------------------------------------------------------------------------------------------- */

/* E B'PB of each contact. */
static void fill_blocks(thud_interior_point *point) {
  size_t d = point->system.form.d;
  for (size_t k = 0; k < point->system.form.contacts; k++) {
    double *block = point->blocks + k * d * d;
    memset(block, 0, d * d * sizeof(double));
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      const thud_interior_cone *cone = &point->cones[p];
      for (size_t j = 0; j < cone->m; j++) {
        size_t column = j == 0 ? 0 : cone->tangential + j - 1;
        double scaled[THUD_INTERIOR_CONE_MAX];
        for (size_t i = 0; i < cone->m; i++) scaled[i] = (j == 0 ? cone->mu : 1) * cone->P[j * cone->m + i];
        add_from_cone(cone, scaled, block + column * d);
      }
    }
    for (size_t j = 0; j < d; j++) apply_slope(point->slope + k * d, d, block + j * d);
  }
}

/* The direction for the present c of the cones and the present bend. */
static bool find_direction(thud_interior_point *point) {
  const thud_scaled_form *form = &point->system.form;
  size_t d = form->d;
  double *right = point->right + point->system.offset;
  const double *dx = point->step + point->system.offset;
  if (point->system.global) thud_interior_system_dynamics(&point->system, point->x, point->v, point->right);
  for (size_t k = 0; k < form->contacts; k++) {
    double c[THUD_INTERIOR_DIMENSION_MAX] = {0};
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++)
      add_from_cone(&point->cones[p], point->cones[p].c, c);
    apply_slope(point->slope + k * d, d, c);
    c[0] -= point->bend[k];
    for (size_t i = k * d; i < (k + 1) * d; i++)
      right[i] = point->system.pinned[i] ? 0 : point->fault[i] + c[i - k * d];
  }
  for (size_t i = form->size; i < form->total; i++) right[i] = point->fault[i];
  if (!thud_interior_system_solve(&point->system, point->right, point->step)) return false;
  for (size_t k = 0; k < form->contacts; k++)
    for (size_t p = point->cone_start[k]; p < point->cone_start[k + 1]; p++) {
      to_cone(&point->cones[p], dx + k * d, point->cones[p].dy);
      thud_interior_cone_follow(&point->cones[p]);
    }
  return true;
}

static void move(thud_interior_point *point, double t) {
  const thud_interior_system *system = &point->system;
  for (size_t i = 0; i < system->offset; i++) point->v[i] += t * point->step[i];
  for (size_t i = 0; i < system->form.total; i++) point->x[i] += t * point->step[system->offset + i];
  for (size_t p = 0; p < cone_count(point); p++)
    for (size_t i = 0; i < point->cones[p].m; i++) point->cones[p].z[i] += t * point->cones[p].dz[i];
}

bool thud_interior_point_step(thud_interior_point *point, thud_interior_step *step) {
  size_t cones = cone_count(point);
  if (!scale_cones(point)) return false;
  step->gap = mean_gap(point, 0);
  step->smoothing = fmin(step->smoothing, SMOOTHING * step->gap / point->unit);
  find_fault(point, step);
  fill_blocks(point);
  if (!thud_interior_system_factorize(&point->system, NULL, point->blocks, step->convex)) return false;

  for (size_t p = 0; p < cones; p++) thud_interior_cone_predict(&point->cones[p]);
  memset(point->bend, 0, point->system.form.contacts * sizeof(double));
  if (!find_direction(point)) return false;
  double reach = fmin(1, longest_step(point)), ratio = step->gap > 0 ? mean_gap(point, reach) / step->gap : 0;
  double centring = fmin(1, fmax(LEAST_CENTRING, ratio * ratio * ratio));
  find_bend(point, step, reach);

  for (size_t p = 0; p < cones; p++) thud_interior_cone_correct(&point->cones[p], centring * step->gap);
  if (!find_direction(point)) return false;
  step->length = fmin(1, TO_BOUNDARY * longest_step(point));
  move(point, step->length);
  return true;
}
