/* Two contacts in the plane, exactly, by their 16 pairs of modes. */
#include "solve/one_contact.h"

#include <float.h>
#include <math.h>
#include <string.h>

typedef enum plane_mode { OPEN, STICK, SLIP_FORWARD, SLIP_BACK, PLANE_MODES } plane_mode;

enum { UNKNOWNS = 4 };
/* Violation of an inequality, relative to the terms that it is the sum of, that counts as rounding. */
static const double ROUNDING = 64 * DBL_EPSILON;

/* r = P x: columns of P for the unknowns of both contacts, and the rows of u that must vanish. */
typedef struct mode_system {
  size_t count;
  double P[UNKNOWNS][UNKNOWNS]; /* P[k] is the column of unknown k */
  size_t row[UNKNOWNS];
} mode_system;

/* Stick: r_N and r_T unknown, u = 0. Slip: r_T = +-mu r_N, u_N = 0. Open: nothing. */
static void add_mode(mode_system *system, size_t contact, plane_mode mode, double mu) {
  size_t first = 2 * contact;
  if (mode == OPEN) return;
  double *normal = system->P[system->count];
  system->row[system->count++] = first;
  normal[first] = 1;
  if (mode == SLIP_FORWARD) normal[first + 1] = -mu;
  if (mode == SLIP_BACK) normal[first + 1] = mu;
  if (mode != STICK) return;
  system->P[system->count][first + 1] = 1;
  system->row[system->count++] = first + 1;
}

/* Solves A x = b in place by elimination with row pivots; false when A is singular. A is row-major. */
static bool eliminate(size_t n, double A[UNKNOWNS][UNKNOWNS], double *b) {
  for (size_t k = 0; k < n; k++) {
    size_t pivot = k;
    for (size_t i = k + 1; i < n; i++)
      if (fabs(A[i][k]) > fabs(A[pivot][k])) pivot = i;
    if (A[pivot][k] == 0) return false;
    for (size_t j = 0; j < n; j++) {
      double kept = A[k][j];
      A[k][j] = A[pivot][j];
      A[pivot][j] = kept;
    }
    double kept = b[k];
    b[k] = b[pivot];
    b[pivot] = kept;
    for (size_t i = k + 1; i < n; i++) {
      double factor = A[i][k] / A[k][k];
      for (size_t j = k; j < n; j++) A[i][j] -= factor * A[k][j];
      b[i] -= factor * b[k];
    }
  }
  for (size_t k = n; k-- > 0;) {
    for (size_t j = k + 1; j < n; j++) b[k] -= A[k][j] * b[j];
    b[k] /= A[k][k];
  }
  return true;
}

/* r of a pair of modes; false when their equations are singular. */
static bool solve_modes(const double *W, const double *q, const mode_system *system, double *r) {
  double A[UNKNOWNS][UNKNOWNS] = {{0}}, x[UNKNOWNS] = {0};
  for (size_t i = 0; i < system->count; i++) {
    x[i] = -q[system->row[i]];
    for (size_t k = 0; k < system->count; k++)
      for (size_t j = 0; j < UNKNOWNS; j++) A[i][k] += W[j * UNKNOWNS + system->row[i]] * system->P[k][j];
  }
  if (!eliminate(system->count, A, x)) return false;
  memset(r, 0, UNKNOWNS * sizeof *r);
  for (size_t k = 0; k < system->count; k++)
    for (size_t j = 0; j < UNKNOWNS; j++) r[j] += system->P[k][j] * x[k];
  return true;
}

/* Does the mode's inequality hold at u, r of one contact? `size` bounds the terms that u is the sum of. */
static bool holds(plane_mode mode, double mu, const double *r, const double *u, const double *size) {
  double slack = ROUNDING * (fabs(r[0]) * mu + fabs(r[1]));
  switch (mode) {
  case OPEN: return u[0] >= -ROUNDING * size[0];
  case STICK: return r[0] >= 0 && fabs(r[1]) <= mu * r[0] + slack;
  case SLIP_FORWARD: return r[0] >= 0 && u[1] >= -ROUNDING * size[1];
  default: return r[0] >= 0 && u[1] <= ROUNDING * size[1];
  }
}

bool thud_two_planes_solve(const double *W, const double *mu, const double *q, double *r) {
  for (int pair = 0; pair < PLANE_MODES * PLANE_MODES; pair++) {
    plane_mode modes[2] = {(plane_mode)(pair % PLANE_MODES), (plane_mode)(pair / PLANE_MODES)};
    mode_system system = {0};
    double found[UNKNOWNS], u[UNKNOWNS], size[UNKNOWNS];
    add_mode(&system, 0, modes[0], mu[0]);
    add_mode(&system, 1, modes[1], mu[1]);
    if (!solve_modes(W, q, &system, found)) continue;
    for (size_t i = 0; i < UNKNOWNS; i++) {
      u[i] = q[i];
      size[i] = fabs(q[i]);
      for (size_t j = 0; j < UNKNOWNS; j++) {
        u[i] += W[j * UNKNOWNS + i] * found[j];
        size[i] += fabs(W[j * UNKNOWNS + i] * found[j]);
      }
    }
    if (!holds(modes[0], mu[0], found, u, size) || !holds(modes[1], mu[1], found + 2, u + 2, size + 2)) continue;
    memcpy(r, found, sizeof found);
    return true;
  }
  return false;
}
