#include "solve/one_contact.h"

#include <float.h>
#include <math.h>

thud_one_contact_mode thud_one_normal(double W, double q, double *r) {
  if (q >= 0) {
    *r = 0;
    return THUD_MODE_OPEN;
  }
  if (!(W > 0)) return THUD_MODE_NONE;
  *r = -q / W;
  return THUD_MODE_STICK;
}

/* W_TT after eliminating r_N counts as 0 below this part of itself; so does a load. */
static const double CANCELLED = 8 * DBL_EPSILON;
static const double CONSISTENT = 1e-13;

/* With S = W_TT - W_TN W_NT / W_NN and b = q_T - W_TN q_N / W_NN: u_T = S r_T + b, and the friction impulse opposes b
 * whether it sticks or slips, so that one slip mode is left. */
thud_one_contact_mode thud_one_plane(const double *W, double mu, const double *q, double *r) {
  if (q[0] >= 0) {
    r[0] = r[1] = 0;
    return THUD_MODE_OPEN;
  }
  if (!(W[0] > 0)) return THUD_MODE_NONE;
  double h = q[0] / W[0], k = W[2] / W[0];
  double S = W[3] - W[1] * k, b = q[1] - W[1] * h;
  if (S <= CANCELLED * fabs(W[3])) {
    S = 0;
    if (fabs(b) <= CONSISTENT * (fabs(q[1]) + fabs(W[1] * h))) b = 0;
  }
  double tangential = b == 0 ? 0 : -b / S;
  double normal = -h - k * tangential;
  if (fabs(tangential) <= mu * normal && isfinite(tangential)) {
    r[0] = normal;
    r[1] = tangential;
    return THUD_MODE_STICK;
  }
  double direction = b > 0 ? -1 : 1;
  double grip = 1 + direction * mu * k; /* <= 0: pushing makes the normal impulse grow without end */
  if (!(grip > 0)) return THUD_MODE_NONE;
  r[0] = -h / grip;
  r[1] = direction * mu * r[0];
  return THUD_MODE_SLIP;
}
