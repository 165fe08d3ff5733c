/* Choice of the one-contact solver; several discs; general laws. */
#include "solve/one_contact.h"

#include <math.h>
#include <string.h>

/* ---- a contact without one of its parts --------------------------------------------------------------- */

enum { DIMENSION_MAX = THUD_CONTACT_DIMENSION_MAX, PARAMETER_STEPS = 200, NEWTON_EVERY = 20 };

/* The contact reduced to its kept components when the part p is known as r_p = -solved (r_K, 1), K the kept components. */
typedef struct reduced_contact {
  thud_one_contact contact; /* with the arrays below */
  thud_disc_layout layout;
  double mu[THUD_CONTACT_DISCS_MAX];
  double W[DIMENSION_MAX * DIMENSION_MAX], q[DIMENSION_MAX];
  size_t kept[DIMENSION_MAX];      /* [layout.dimension] */
  double solved[2][DIMENSION_MAX]; /* (W_pp + beta I)^-1 times the kept columns of W_p., and q_p behind them */
} reduced_contact;

/* The other parts, in their order. */
static void keep_others(const thud_one_contact *contact, size_t p, reduced_contact *reduced) {
  const thud_disc_layout *all = contact->layout;
  thud_disc_layout *layout = &reduced->layout;
  *layout = (thud_disc_layout){.dimension = 1};
  reduced->kept[0] = 0;
  for (size_t other = 0; other < all->count; other++) {
    if (other == p) continue;
    layout->first[layout->count] = (size_t)layout->dimension;
    layout->width[layout->count] = all->width[other];
    layout->coefficient[layout->count] = all->coefficient[other];
    reduced->mu[layout->count++] = contact->mu[other];
    for (size_t i = 0; i < all->width[other]; i++) reduced->kept[layout->dimension++] = all->first[other] + i;
  }
  reduced->contact = (thud_one_contact){.layout = layout, .W = reduced->W, .mu = reduced->mu};
}

/* solved, for the parameter beta; an infinite one: r_p = 0. False when W_pp + beta I is singular. */
static bool solve_part(const thud_one_contact *contact, size_t p, double beta, const double *q,
                       reduced_contact *reduced) {
  size_t d = (size_t)contact->layout->dimension, n = (size_t)reduced->layout.dimension;
  size_t i = contact->layout->first[p], k = i + contact->layout->width[p] - 1;
  const double *W = contact->W;
  bool pair = k > i;
  memset(reduced->solved, 0, sizeof reduced->solved);
  if (isinf(beta)) return true;
  double a = W[i * d + i] + beta, b = W[k * d + i], c = W[i * d + k], e = W[k * d + k] + beta;
  double det = pair ? a * e - b * c : a;
  if (!(det > 0)) return false;
  for (size_t j = 0; j <= n; j++) {
    double x = j < n ? W[reduced->kept[j] * d + i] : q[i], y = j < n ? W[reduced->kept[j] * d + k] : q[k];
    reduced->solved[0][j] = pair ? (e * x - b * y) / det : x / det;
    if (pair) reduced->solved[1][j] = (a * y - c * x) / det;
  }
  return true;
}

static bool reduce(const thud_one_contact *contact, size_t p, double beta, const double *q, reduced_contact *reduced) {
  size_t d = (size_t)contact->layout->dimension, first = contact->layout->first[p], width = contact->layout->width[p];
  keep_others(contact, p, reduced);
  if (!solve_part(contact, p, beta, q, reduced)) return false;
  size_t n = (size_t)reduced->layout.dimension;
  for (size_t i = 0; i < n; i++) {
    size_t row = reduced->kept[i];
    for (size_t j = 0; j <= n; j++) {
      double value = j < n ? contact->W[reduced->kept[j] * d + row] : q[row];
      for (size_t m = 0; m < width; m++) value -= contact->W[(first + m) * d + row] * reduced->solved[m][j];
      if (j < n)
        reduced->W[j * n + i] = value;
      else
        reduced->q[i] = value;
    }
  }
  return true;
}

/* ---- several discs ------------------------------------------------------------------------------------- */

/* The solution for a given parameter beta of the part p, u_p = -beta r_p: r_p = -(W_pp + beta I)^-1 (q_p + W_p. r) is
 * eliminated and a contact with the other parts is left. False when that has no solution. *spare = mu_p r_N - |r_p|. */
static bool solve_with_parameter(const thud_one_contact *contact, size_t p, double beta, const double *q, double *r,
                                 double *spare) {
  reduced_contact reduced;
  double own[DIMENSION_MAX] = {0}, square = 0;
  if (!reduce(contact, p, beta, q, &reduced)) return false;
  size_t n = (size_t)reduced.layout.dimension, first = contact->layout->first[p];
  for (size_t i = 0; i < n; i++) own[i] = r[reduced.kept[i]];
  if (thud_one_contact_solve(&reduced.contact, THUD_LOCAL_EXACT, reduced.q, own) == THUD_MODE_NONE) return false;
  for (size_t i = 0; i < n; i++) r[reduced.kept[i]] = own[i];
  for (size_t m = 0; m < contact->layout->width[p]; m++) {
    double sum = reduced.solved[m][n];
    for (size_t j = 0; j < n; j++) sum += reduced.solved[m][j] * own[j];
    r[first + m] = -sum;
    square += sum * sum;
  }
  *spare = contact->mu[p] * r[0] - sqrt(square);
  return true;
}

/* beta >= 0 and spare(beta) >= 0 with one of them 0, by bisection; spare is positive for large beta since r_p vanishes
 * and q_N < 0. Newton's method ends the search as soon as it can. NONE, and r untouched, when r jumps over the solution
 * (with large coefficients an open and a closed contact may both be possible for the same beta). */
static thud_one_contact_mode search_parameter(const thud_one_contact *contact, size_t p, const double *q, double *r) {
  size_t d = (size_t)contact->layout->dimension, first = contact->layout->first[p];
  double lo = 0, hi = 0, spare, trial[DIMENSION_MAX], polished[DIMENSION_MAX], beta = 0;
  for (size_t i = first; i < first + contact->layout->width[p]; i++) beta += fabs(contact->W[i * d + i]);
  beta += contact->W[0];
  memcpy(trial, r, d * sizeof *trial);
  if (solve_with_parameter(contact, p, 0, q, trial, &spare) && spare >= 0) {
    memcpy(r, trial, d * sizeof *trial);
    return THUD_MODE_OTHER;
  }
  for (int k = 1; k <= PARAMETER_STEPS; k++) {
    if (!solve_with_parameter(contact, p, beta, q, trial, &spare)) return THUD_MODE_NONE;
    if (spare >= 0)
      hi = beta;
    else
      lo = beta;
    memcpy(polished, trial, d * sizeof *polished);
    if (k % NEWTON_EVERY == 0 && thud_one_newton(contact, q, polished)) {
      memcpy(r, polished, d * sizeof *polished);
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

thud_one_contact_mode thud_one_discs(const thud_one_contact *contact, const double *q, double *r) {
  const thud_disc_layout *layout = contact->layout;
  size_t bytes = (size_t)layout->dimension * sizeof(double);
  if (q[0] >= 0) {
    memset(r, 0, bytes);
    return THUD_MODE_OPEN;
  }
  if (!(contact->W[0] > 0)) return THUD_MODE_NONE;
  if (thud_one_newton(contact, q, r)) return THUD_MODE_OTHER;
  for (size_t p = layout->count; p-- > 0;) {
    double trial[DIMENSION_MAX], spare;
    if (contact->mu[p] > 0) continue;
    memcpy(trial, r, bytes); /* without resistance r_p = 0 */
    if (!solve_with_parameter(contact, p, INFINITY, q, trial, &spare)) return THUD_MODE_NONE;
    memcpy(r, trial, bytes);
    return THUD_MODE_OTHER;
  }
  for (size_t p = layout->count; p-- > 0;)
    if (search_parameter(contact, p, q, r) != THUD_MODE_NONE) return THUD_MODE_OTHER;
  return THUD_MODE_NONE;
}

/* ---- general laws --------------------------------------------------------------------------------------- */

enum { LAW_STEPS = 30 };
static const double LAW_REDUCTION = 1e-3; /* of the change of one step against the first */

/* r_T = proj_{r_N C}(r_T - rho u_T) with rho = 1/trace(W_TT), then r_N from u_N = 0, until little changes. */
thud_one_contact_mode thud_one_law(const thud_one_contact *contact, const double *q, double *r) {
  size_t d = (size_t)contact->layout->dimension;
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
  const thud_disc_layout *layout = contact->layout;
  if (layout->count > 1) return thud_one_discs(contact, q, r);
  if (layout->count == 0) return thud_one_normal(contact->W[0], q[0], r);
  return layout->width[0] == 1 ? thud_one_plane(contact->W, contact->mu[0], q, r)
                               : thud_one_space(contact->W, contact->mu[0], q, r);
}

thud_one_contact_mode thud_one_contact_solve(const thud_one_contact *contact, thud_local_solver solver, const double *q,
                                             double *r) {
  if (contact->law != NULL) return thud_one_law(contact, q, r);
  if (contact->layout->count == 0 || solver == THUD_LOCAL_EXACT) return solve_exactly(contact, q, r);
  if (solver == THUD_LOCAL_NEWTON) {
    if (thud_one_newton(contact, q, r)) return THUD_MODE_OTHER;
    return solve_exactly(contact, q, r);
  }
  if (!(contact->W[0] > 0) && q[0] < 0) return THUD_MODE_NONE;
  thud_one_projection(contact, q, r);
  return THUD_MODE_OTHER;
}
