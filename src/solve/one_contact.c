/* Choice of the one-contact solver; rolling friction; general laws. */
#include "solve/one_contact.h"

#include <math.h>
#include <string.h>

/* ---- rolling friction --------------------------------------------------------------------------------- */

enum { ROLLING_STEPS = 200, ROLLING_NEWTON_EVERY = 20 };

/* The solution for a given rolling parameter beta, u_R = -beta r_R: r_R = -(W_RR + beta I)^-1 (q_R + W_R. r) is
 * eliminated and a 3x3 problem of plain friction is left. False when that has no solution. *spare = mu_r r_N - |r_R|.
 */
static bool solve_with_rolling_parameter(const thud_one_contact *contact, double beta, const double *q, double *r,
                                         double *spare) {
  const double *W = contact->W;
  double a = W[3 * 5 + 3] + beta, b = W[4 * 5 + 3], c = W[3 * 5 + 4], d = W[4 * 5 + 4] + beta;
  double det = a * d - b * c;
  if (!(det > 0)) return false;
  double solved[2][4]; /* (W_RR + beta I)^-1 times the columns N, T1, T2 of W_R. and q_R */
  for (size_t j = 0; j < 4; j++) {
    double x = j < 3 ? W[j * 5 + 3] : q[3], y = j < 3 ? W[j * 5 + 4] : q[4];
    solved[0][j] = (d * x - b * y) / det;
    solved[1][j] = (a * y - c * x) / det;
  }
  double reduced[9], load[3];
  for (size_t i = 0; i < 3; i++) {
    for (size_t j = 0; j < 3; j++)
      reduced[j * 3 + i] = W[j * 5 + i] - W[15 + i] * solved[0][j] - W[20 + i] * solved[1][j];
    load[i] = q[i] - W[15 + i] * solved[0][3] - W[20 + i] * solved[1][3];
  }
  if (thud_one_space(reduced, contact->mu, load, r) == THUD_MODE_NONE) return false;
  for (size_t i = 0; i < 2; i++)
    r[3 + i] = -(solved[i][3] + solved[i][0] * r[0] + solved[i][1] * r[1] + solved[i][2] * r[2]);
  *spare = contact->mu_rolling * r[0] - sqrt(r[3] * r[3] + r[4] * r[4]);
  return true;
}

/* beta >= 0 and spare(beta) >= 0 with one of them 0, by bisection; spare is positive for large beta since r_R vanishes
 * and q_N < 0. Newton's method ends the search as soon as it can. NONE, and r untouched, when r jumps over the solution
 * (with large coefficients an open and a closed contact may both be possible for the same beta). */
static thud_one_contact_mode search_rolling_parameter(const thud_one_contact *contact, const double *q, double *r) {
  double lo = 0, hi = 0, spare, trial[5], polished[5];
  double beta = fabs(contact->W[3 * 5 + 3]) + fabs(contact->W[4 * 5 + 4]) + contact->W[0];
  memcpy(trial, r, sizeof trial);
  if (solve_with_rolling_parameter(contact, 0, q, trial, &spare) && spare >= 0) {
    memcpy(r, trial, sizeof trial);
    return THUD_MODE_OTHER;
  }
  for (int k = 1; k <= ROLLING_STEPS; k++) {
    if (!solve_with_rolling_parameter(contact, beta, q, trial, &spare)) return THUD_MODE_NONE;
    if (spare >= 0)
      hi = beta;
    else
      lo = beta;
    memcpy(polished, trial, sizeof polished);
    if (k % ROLLING_NEWTON_EVERY == 0 && thud_one_newton(contact, q, polished)) {
      memcpy(r, polished, sizeof polished);
      return THUD_MODE_OTHER;
    }
    if (hi == 0)
      beta *= 4;
    else
      beta = lo > 0 ? sqrt(lo) * sqrt(hi) : 0.01 * hi;
    if (!isfinite(beta)) return THUD_MODE_NONE;
  }
  return THUD_MODE_NONE;
}

/* The same contact with the parts of friction and of rolling exchanged. */
static thud_one_contact_mode search_friction_parameter(const thud_one_contact *contact, const double *q, double *r) {
  const size_t from[5] = {0, 3, 4, 1, 2};
  double W[25], load[5], trial[5];
  for (size_t i = 0; i < 5; i++) {
    for (size_t j = 0; j < 5; j++) W[j * 5 + i] = contact->W[from[j] * 5 + from[i]];
    load[i] = q[from[i]];
    trial[i] = r[from[i]];
  }
  thud_one_contact exchanged = {.dimension = 5, .W = W, .mu = contact->mu_rolling, .mu_rolling = contact->mu};
  thud_one_contact_mode mode = search_rolling_parameter(&exchanged, load, trial);
  for (size_t i = 0; mode != THUD_MODE_NONE && i < 5; i++) r[from[i]] = trial[i];
  return mode;
}

thud_one_contact_mode thud_one_rolling(const thud_one_contact *contact, const double *q, double *r) {
  if (q[0] >= 0) {
    memset(r, 0, 5 * sizeof(double));
    return THUD_MODE_OPEN;
  }
  if (!(contact->W[0] > 0)) return THUD_MODE_NONE;
  if (thud_one_newton(contact, q, r)) return THUD_MODE_OTHER;
  if (contact->mu_rolling > 0) {
    thud_one_contact_mode found = search_rolling_parameter(contact, q, r);
    return found == THUD_MODE_NONE ? search_friction_parameter(contact, q, r) : found;
  }
  double plain[9]; /* without rolling resistance r_R = 0 */
  for (size_t i = 0; i < 9; i++) plain[i] = contact->W[i / 3 * 5 + i % 3];
  thud_one_contact_mode mode = thud_one_space(plain, contact->mu, q, r);
  if (mode != THUD_MODE_NONE) r[3] = r[4] = 0;
  return mode;
}

/* ---- general laws --------------------------------------------------------------------------------------- */

enum { LAW_STEPS = 30 };
static const double LAW_REDUCTION = 1e-3; /* of the change of one step against the first */

/* r_T = proj_{r_N C}(r_T - rho u_T) with rho = 1/trace(W_TT), then r_N from u_N = 0, until little changes. */
thud_one_contact_mode thud_one_law(const thud_one_contact *contact, const double *q, double *r) {
  size_t d = (size_t)contact->dimension;
  const double *W = contact->W;
  if (q[0] >= 0) {
    memset(r, 0, d * sizeof(double));
    return THUD_MODE_OPEN;
  }
  if (!(W[0] > 0)) return THUD_MODE_NONE;
  double trial[3] = {r[0], r[1], d == 3 ? r[2] : 0};
  double trace = 0, first = 0;
  for (size_t i = 1; i < d; i++) trace += W[i * d + i];
  double rho = trace > 0 ? 1 / trace : 1;
  for (int k = 0; k < LAW_STEPS; k++) {
    double normal = q[0], x[2] = {0, 0};
    for (size_t j = 1; j < d; j++) normal += W[j * d] * trial[j];
    normal = fmax(-normal / W[0], 0);
    double change = fabs(normal - trial[0]);
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
    if (k == 0) first = change;
    if (change <= LAW_REDUCTION * first) break;
  }
  memcpy(r, trial, d * sizeof(double));
  return THUD_MODE_OTHER;
}

/* ---- choice ------------------------------------------------------------------------------------------------ */

static thud_one_contact_mode solve_exactly(const thud_one_contact *contact, const double *q, double *r) {
  switch (contact->dimension) {
  case 1: return thud_one_normal(contact->W[0], q[0], r);
  case 2: return thud_one_plane(contact->W, contact->mu, q, r);
  case 3: return thud_one_space(contact->W, contact->mu, q, r);
  default: return thud_one_rolling(contact, q, r);
  }
}

thud_one_contact_mode thud_one_contact_solve(const thud_one_contact *contact, thud_local_solver solver, const double *q,
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
