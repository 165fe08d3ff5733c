/* The increment of one contact in closed form: all modes, and among several solutions the one that is nearest to
 * staying (an open contact stays open when it can; otherwise stick before slip before opening). */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <float.h>
#include <math.h>
#include <string.h>

static void take(quasistatic_motion *motion, const double *u, const double *r, thud_elastic_mode mode) {
  size_t bytes = (size_t)motion->structure.m * sizeof(double);
  memcpy(motion->next.u, u, bytes);
  memcpy(motion->next.r, r, bytes);
  motion->next.modes[0] = mode;
  for (size_t k = 0; k < (size_t)motion->structure.m; k++) {
    motion->now.scale_u = fmax(motion->now.scale_u, fabs(u[k]));
    motion->now.scale_r = fmax(motion->now.scale_r, fabs(r[k]));
  }
}

/* Everything is asked of the reaction r of sticking, u = (-gap, before), so that no two modes disagree about one sign:
 *   x_s = s r_T - mu r_N                stick   x_+ <= 0 and x_- <= 0
 *   D_s = K_TT - s mu K_NT              slip s  u_T = before - s x_s/D_s, r_N = p/D_s:  x_s/D_s > 0 and p/D_s >= 0
 *   p   = K_TT r_N - K_NT r_T           open    u = (-gap, before) - K^-1 r, gap = -p/det K:  p <= 0
 * With D_+, D_- > 0 one of them holds whatever the rounding of r is: p <= 0 opens; otherwise a positive x_s slips, and
 * two that are not positive stick. */
typedef struct plane_contact {
  const double *K; /* [2*2] */
  double mu, r[2], u[2];
  double x[2]; /* of s = 1 and -1 */
  double D[2];
  double p, det;
  double small_x, small_p; /* rounding of x and p */
} plane_contact;

static double sign_of(int k) { return k == 0 ? 1 : -1; }

static plane_contact look_at(const elastic_structure *structure, const double *f, const double *before) {
  const double *K = structure->stiffness;
  plane_contact contact = {.K = K, .mu = structure->problem->mu[0], .u = {-structure->problem->gap[0], before[1]}};
  double size[2];
  for (int i = 0; i < 2; i++) {
    contact.r[i] = K[i] * contact.u[0] + K[i + 2] * contact.u[1] - f[i];
    /* two products and two sums: 4 roundings of the terms at most */
    size[i] = 2 * DBL_EPSILON * (fabs(K[i] * contact.u[0]) + fabs(K[i + 2] * contact.u[1]) + fabs(f[i]));
  }
  for (int k = 0; k < 2; k++) {
    contact.x[k] = sign_of(k) * contact.r[1] - contact.mu * contact.r[0];
    contact.D[k] = K[3] - sign_of(k) * contact.mu * K[1];
  }
  contact.p = K[3] * contact.r[0] - K[1] * contact.r[1];
  contact.det = K[0] * K[3] - K[1] * K[1];
  contact.small_x = size[1] + contact.mu * size[0];
  contact.small_p = fabs(K[3]) * size[0] + fabs(K[1]) * size[1];
  return contact;
}

/* K holds an open contact. */
static bool has_open(const plane_contact *contact) { return contact->det > 1e-14 * contact->K[0] * contact->K[3]; }

static bool sticks(const plane_contact *contact, double margin) {
  if (!(contact->mu > 0)) return false;
  return fmax(contact->x[0], contact->x[1]) <= margin && contact->r[0] >= -margin;
}

/* Slip in the direction k by more than rounding, where that is a solution beside sticking. */
static bool slips(const plane_contact *contact, int k) {
  if (contact->D[k] == 0) return false;
  bool moves = contact->mu == 0 || (contact->x[k] / contact->D[k] > 0 && fabs(contact->x[k]) > contact->small_x);
  return moves && contact->p / contact->D[k] >= 0;
}

static void take_stick(quasistatic_motion *motion, const plane_contact *contact) {
  double r[2] = {fmax(0, contact->r[0]), contact->r[1]};
  take(motion, contact->u, r, THUD_ELASTIC_STICK);
}

/* Near a critical coefficient x_s/D_s and p/D_s are rounding over a small D_s. The slip is then taken as it comes, up to the
 * one at which the reaction vanishes, and the reaction follows from the normal equation with that slip: the tangential one is
 * off by D_s times the error of the slip, which is the rounding of x_s. */
static void take_slip(quasistatic_motion *motion, const plane_contact *contact, int k) {
  double s = sign_of(k), slip = -s * contact->x[k] / contact->D[k];
  double press = contact->r[0] + contact->K[1] * slip;
  if (press < 0 && contact->K[1] != 0) {
    slip = -contact->r[0] / contact->K[1];
    press = 0;
  }
  double u[2] = {contact->u[0], contact->u[1] + slip};
  double r[2] = {press, s * contact->mu * press};
  take(motion, u, r, k == 0 ? THUD_ELASTIC_SLIP : THUD_ELASTIC_SLIP_BACK);
}

static void take_open(quasistatic_motion *motion, const plane_contact *contact) {
  const double *K = contact->K, none[2] = {0, 0};
  double u[2] = {contact->u[0] - contact->p / contact->det,
                 contact->u[1] - (K[0] * contact->r[1] - K[1] * contact->r[0]) / contact->det};
  take(motion, u, none, THUD_ELASTIC_OPEN);
}

/* Near a critical coefficient (D_s near 0) rounding may leave none of them: what misses by rounding only is taken then. */
static bool take_by_rounding(quasistatic_motion *motion, const plane_contact *contact) {
  if (sticks(contact, contact->small_x))
    take_stick(motion, contact);
  else if (has_open(contact) && contact->p <= contact->small_p)
    take_open(motion, contact);
  else
    return false;
  return true;
}

static bool solve_plane(quasistatic_motion *motion, const double *f, const double *before) {
  const plane_contact contact = look_at(&motion->structure, f, before);
  bool opens = has_open(&contact) && contact.p <= 0, done = false;
  int solutions = 0;
  if (opens && motion->from->modes[0] == THUD_ELASTIC_OPEN) take_open(motion, &contact), done = true;
  if (sticks(&contact, contact.small_x)) {
    solutions++;
    if (!done) take_stick(motion, &contact), done = true;
  }
  for (int k = 0; k < (contact.mu > 0 ? 2 : 1); k++)
    if (slips(&contact, k)) {
      solutions++;
      if (!done) take_slip(motion, &contact, k), done = true;
    }
  if (opens && contact.p < 0) solutions++;
  if (opens && !done) take_open(motion, &contact), done = true;
  motion->now.info.ambiguous += solutions > 1;
  if ((size_t)solutions > motion->now.info.most_solutions) motion->now.info.most_solutions = (size_t)solutions;
  return done || take_by_rounding(motion, &contact);
}

/* Closed while r = -K gap - f >= 0, open otherwise: by one sign. */
static bool solve_line(quasistatic_motion *motion, const double *f) {
  double K = motion->structure.stiffness[0], u = -motion->problem.gap[0], r = K * u - f[0], none = 0;
  if (r > 0) {
    take(motion, &u, &r, THUD_ELASTIC_STICK);
    return true;
  }
  if (!(K > 0)) return false;
  u -= r / K;
  take(motion, &u, &none, THUD_ELASTIC_OPEN);
  return true;
}

static bool solve_space(quasistatic_motion *motion, const double *f, const double *before, thud_error *error) {
  const elastic_question question = {.f = f, .before = before, .r = motion->from->r, .tolerance = 1e-13, .most = 1};
  elastic_solutions *found = &motion->found;
  motion->found_jump = false;
  *error = thud_solutions_find(&question, &motion->system, found);
  if (*error != THUD_OK || found->count == 0) return false;
  size_t chosen = 0;
  for (size_t k = 0; k < found->count; k++)
    if (motion->from->modes[0] == THUD_ELASTIC_OPEN && thud_solutions_at(found, k).modes[0] == THUD_ELASTIC_OPEN)
      chosen = k;
  thud_quasistatic_solution taken = thud_solutions_at(found, chosen);
  take(motion, taken.u, taken.r, taken.modes[0]);
  motion->now.info.ambiguous += found->count > 1;
  if (found->count > motion->now.info.most_solutions) motion->now.info.most_solutions = found->count;
  return true;
}

bool thud_elastic_one_contact(quasistatic_motion *motion, const double *f, const double *before, thud_error *error) {
  switch (motion->structure.d) {
  case 1: return solve_line(motion, f);
  case 2: return solve_plane(motion, f, before);
  default: return solve_space(motion, f, before, error);
  }
}
