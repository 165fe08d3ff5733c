/* Rows of a table: between two of them the motion is known at the ends only. With v and the smooth accelerations
 * a = M^-1 F at both ends and at the middle (of Hermite's cubic)
 *
 *   q_(k+1) - q_k = h (v_k + v_(k+1))/2 - h^2/12 (a_(k+1) - a_k),
 *   v_(k+1) - v_k = h/6 (a_k + 4 a_m + a_(k+1)) + reaction,
 *
 * to the fourth order in h. What is left must be small
 * against h times the largest acceleration of the arc. */
#include "verify/system/verify_system_arcs.h"
#include "verify/math/verify_dense.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* Rounding errors of a position or a time in a table, in units in the last place. */
static const double ROW_NOISE = 8;

/* out = M^-1 F of the values. */
static void accelerate(const verify_flight *f, const verify_values *values, double *out) {
  memcpy(out, values->force, f->n * sizeof(double));
  thud_verify_cholesky_solve(f->n, values->factor, out);
}

static const double *row_q(const verify_flight *f, size_t k) { return f->path->q + k * f->n; }
static const double *row_v(const verify_flight *f, size_t k) { return f->path->v + k * f->n; }

/* Largest sizes of |a| and |dv|/h on the arc, per coordinate and in the kinetic metric. */
static double find_scale(verify_flight *f, const verify_arc *arc, double *sizes) {
  double largest = 0, *a = f->work + 3 * f->n;
  memset(sizes, 0, f->n * sizeof(double));
  for (size_t k = arc->first; k <= arc->last; k++) {
    if (!thud_verify_system_at(f->system, f->path->t[k], row_q(f, k), row_v(f, k), &f->at)) continue;
    accelerate(f, &f->at, a);
    for (size_t i = 0; i < f->n; i++) {
      sizes[i] = fmax(sizes[i], fabs(a[i]));
      if (k == arc->first) continue;
      double h = f->path->t[k] - f->path->t[k - 1];
      sizes[i] = fmax(sizes[i], fabs(row_v(f, k)[i] - row_v(f, k - 1)[i]) / h);
    }
    largest = fmax(largest, sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &f->at, sizes))));
  }
  return largest;
}

static void check_velocity(verify_flight *f, size_t k, const double *a_begin, const double *a_end,
                           const double *sizes) {
  double h = f->path->t[k + 1] - f->path->t[k];
  for (size_t i = 0; i < f->n; i++) {
    double moved = h * (row_v(f, k)[i] + row_v(f, k + 1)[i]) / 2 - h * h / 12 * (a_end[i] - a_begin[i]);
    double speed = fabs(row_v(f, k)[i]) + fabs(row_v(f, k + 1)[i]);
    double rounding = f->tolerance * (f->q_size[i] * f->tolerance + h * speed) +
                      ROW_NOISE * DBL_EPSILON * (f->q_size[i] + fabs(f->path->t[k + 1]) * speed);
    if (thud_verify_tally(&f->checks.velocity, fabs(row_q(f, k + 1)[i] - row_q(f, k)[i] - moved),
                          10 * f->row_tolerance * h * h * sizes[i] + rounding, 0, f->path->t[k + 1], k + 1))
      thud_verify_explain(&f->checks.velocity, "'%s' against the increments of '%s'", f->system->velocities[i],
                          f->system->scene.names[i]);
  }
}

/* A gap that is closed at both rows lasts between them; velocity constraints likewise. */
static void find_lasting(verify_flight *f, size_t k) {
  bool *before = f->closed + f->m;
  if (!thud_verify_system_at(f->system, f->path->t[k], row_q(f, k), row_v(f, k), &f->at)) return;
  thud_verify_flight_lasting(f, row_v(f, k));
  memcpy(before, f->closed, f->m * sizeof(bool));
  if (!thud_verify_system_at(f->system, f->path->t[k + 1], row_q(f, k + 1), row_v(f, k + 1), &f->at)) return;
  thud_verify_flight_lasting(f, row_v(f, k + 1));
  for (size_t i = 0; i < f->m; i++) f->closed[i] = f->closed[i] && before[i];
}

static thud_error check_interval(verify_flight *f, size_t k, const double *sizes, double scale) {
  size_t n = f->n;
  double t = f->path->t[k], h = f->path->t[k + 1] - t;
  double *a_begin = f->work + 3 * n, *a_end = a_begin + n, *a = a_begin + 2 * n, *q = a_begin + 3 * n,
         *v = a_begin + 4 * n, *momentum = a_begin + 5 * n;
  double *kept = f->kept;
  find_lasting(f, k);
  if (!thud_verify_system_at(f->system, t, row_q(f, k), row_v(f, k), &f->at)) return THUD_OK;
  accelerate(f, &f->at, a_begin);
  if (!thud_verify_system_at(f->system, t + h, row_q(f, k + 1), row_v(f, k + 1), &f->at)) return THUD_OK;
  accelerate(f, &f->at, a_end);
  for (size_t i = 0; i < n; i++) {
    double q0 = row_q(f, k)[i], q1 = row_q(f, k + 1)[i], v0 = row_v(f, k)[i], v1 = row_v(f, k + 1)[i];
    q[i] = (q0 + q1) / 2 + h / 8 * (v0 - v1);
    v[i] = 1.5 * (q1 - q0) / h - (v0 + v1) / 4;
  }
  check_velocity(f, k, a_begin, a_end, sizes);
  if (!thud_verify_system_at(f->system, t + h / 2, q, v, &f->at)) {
    thud_verify_fail(&f->checks.motion, t, k, "the system cannot be evaluated between these rows");
    return THUD_OK;
  }
  accelerate(f, &f->at, a);
  for (size_t i = 0; i < n; i++) v[i] = (2 * a[i] - a_begin[i] - a_end[i]) / 3; /* what a poorer rule would miss */
  if (scale > 0) f->resolved = fmax(f->resolved, sqrt(2 * fmax(0, thud_verify_kinetic(f->system, &f->at, v))) / scale);
  for (size_t i = 0; i < n; i++) {
    a[i] = row_v(f, k + 1)[i] - row_v(f, k)[i] - h / 6 * (a_begin[i] + 4 * a[i] + a_end[i]);
    v[i] = 1.5 * (row_q(f, k + 1)[i] - row_q(f, k)[i]) / h - (row_v(f, k)[i] + row_v(f, k + 1)[i]) / 4;
  }
  thud_verify_apply_mass(f->system, &f->at, a, momentum);
  memcpy(kept, momentum, n * sizeof(double));
  memcpy(kept + n, v, n * sizeof(double));
  return thud_verify_flight_reactions(f, t + h / 2, k + 1, kept + n, kept, h * scale + f->tolerance * f->speed,
                                      f->row_tolerance, h);
}

thud_error thud_verify_flight_rows(verify_flight *f, const verify_arc *arc) {
  double *sizes = f->kept + 2 * f->n, scale = find_scale(f, arc, sizes);
  thud_error error = THUD_OK;
  for (size_t k = arc->first; k <= arc->last; k++) {
    if (!thud_verify_system_at(f->system, f->path->t[k], row_q(f, k), row_v(f, k), &f->at)) {
      thud_verify_fail(&f->checks.structure, f->path->t[k], k, "the system cannot be evaluated at this row");
      return THUD_OK;
    }
    thud_verify_flight_constraints(f, f->path->t[k], k, row_v(f, k));
  }
  for (size_t k = arc->first; k < arc->last && error == THUD_OK; k++) error = check_interval(f, k, sizes, scale);
  return error;
}
