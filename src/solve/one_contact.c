/* Choice of the one-contact solver; rolling friction; general laws. */
#include "solve/one_contact.h"

#include <math.h>
#include <string.h>

/* ---- rolling friction --------------------------------------------------------------------------------- */

enum { ROLLING_ROUNDS = 40, ROLLING_SWEEPS = 5 };

/* The 3x3 problem of the normal component and the pair that starts at `first`, the other pair being fixed. */
static thud_contact_mode solve_pair(const thud_one_contact *contact, size_t first, double mu, const double *q,
                                    double *r) {
  const size_t own[3] = {0, first, first + 1}, other = first == 1 ? 3 : 1;
  double W[9], load[3], impulse[3];
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 3; j++) W[j * 3 + i] = contact->W[own[j] * 5 + own[i]];
    load[i] = q[own[i]];
    for (size_t j = other; j < other + 2; j++) load[i] += contact->W[j * 5 + own[i]] * r[j];
    impulse[i] = r[own[i]];
  }
  thud_contact_mode mode = thud_one_space(W, mu, load, impulse);
  for (size_t i = 0; mode != THUD_MODE_NONE && i < 3; i++) r[own[i]] = impulse[i];
  return mode;
}

thud_contact_mode thud_one_rolling(const thud_one_contact *contact, const double *q, double *r) {
  if (q[0] >= 0) {
    memset(r, 0, 5 * sizeof(double));
    return THUD_MODE_OPEN;
  }
  if (!(contact->W[0] > 0)) return THUD_MODE_NONE;
  double trial[5];
  memcpy(trial, r, sizeof trial);
  for (int round = 0; round < ROLLING_ROUNDS; round++) {
    if (thud_one_newton(contact, q, trial)) {
      memcpy(r, trial, sizeof trial);
      return THUD_MODE_OTHER;
    }
    for (int sweep = 0; sweep < ROLLING_SWEEPS; sweep++) {
      if (solve_pair(contact, 1, contact->mu, q, trial) == THUD_MODE_NONE) return THUD_MODE_NONE;
      if (solve_pair(contact, 3, contact->mu_rolling, q, trial) == THUD_MODE_NONE) return THUD_MODE_NONE;
    }
  }
  memcpy(r, trial, sizeof trial); /* the alternation lowers the error even where it has not converged */
  return THUD_MODE_OTHER;
}

/* ---- general laws --------------------------------------------------------------------------------------- */

enum { LAW_STEPS = 200 };
static const double LAW_TOLERANCE = 1e-14; /* last change relative to the impulse */

/* r_T = proj_{r_N C}(r_T - rho u_T) with rho = 1/trace(W_TT), then r_N from u_N = 0, until nothing changes. */
thud_contact_mode thud_one_law(const thud_one_contact *contact, const double *q, double *r) {
  size_t d = (size_t)contact->dimension;
  const double *W = contact->W;
  if (q[0] >= 0) {
    memset(r, 0, d * sizeof(double));
    return THUD_MODE_OPEN;
  }
  if (!(W[0] > 0)) return THUD_MODE_NONE;
  double trial[3] = {r[0], r[1], d == 3 ? r[2] : 0};
  double trace = 0;
  for (size_t i = 1; i < d; i++) trace += W[i * d + i];
  double rho = trace > 0 ? 1 / trace : 1;
  for (int k = 0; k < LAW_STEPS; k++) {
    double normal = q[0], change, x[2] = {0, 0};
    for (size_t j = 1; j < d; j++) normal += W[j * d] * trial[j];
    normal = fmax(-normal / W[0], 0);
    change = fabs(normal - trial[0]);
    trial[0] = normal;
    for (size_t i = 1; i < d; i++) {
      double u = q[i];
      for (size_t j = 0; j < d; j++) u += W[j * d + i] * trial[j];
      x[i - 1] = normal > 0 ? (trial[i] - rho * u) / normal : 0;
    }
    if (normal > 0 && thud_set_project(contact->law, NULL, x, x, NULL) != THUD_OK) return THUD_MODE_NONE;
    for (size_t i = 1; i < d; i++) {
      change = fmax(change, fabs(normal * x[i - 1] - trial[i]));
      trial[i] = normal * x[i - 1];
    }
    if (change <= LAW_TOLERANCE * (fabs(trial[0]) + fabs(trial[1]) + fabs(trial[2]))) break;
  }
  memcpy(r, trial, d * sizeof(double));
  return THUD_MODE_OTHER;
}

/* ---- choice ------------------------------------------------------------------------------------------------ */

static thud_contact_mode solve_exactly(const thud_one_contact *contact, const double *q, double *r) {
  switch (contact->dimension) {
  case 1: return thud_one_normal(contact->W[0], q[0], r);
  case 2: return thud_one_plane(contact->W, contact->mu, q, r);
  case 3: return thud_one_space(contact->W, contact->mu, q, r);
  default: return thud_one_rolling(contact, q, r);
  }
}

thud_contact_mode thud_one_contact_solve(const thud_one_contact *contact, thud_local_solver solver, const double *q,
                                         double *r) {
  if (contact->law != NULL) return thud_one_law(contact, q, r);
  if (contact->dimension == 1 || solver == THUD_LOCAL_EXACT) return solve_exactly(contact, q, r);
  if (solver == THUD_LOCAL_NEWTON) {
    if (thud_one_newton(contact, q, r)) return THUD_MODE_OTHER;
    return solve_exactly(contact, q, r);
  }
  if (!(contact->W[0] > 0) && q[0] < 0) return THUD_MODE_NONE;
  thud_one_projection(contact, q, r);
  return THUD_MODE_OTHER;
}
