/* Planar friction as a linear complementarity problem (after Stewart and Trinkle, Int. J. Num. Meth. Eng. 39, 1996).
 * With r_T in r_N [low, high], low <= 0 <= high (-mu and mu for Coulomb), r_T = high b + low c, b, c >= 0,
 * b + c <= r_N:
 *
 *   z = (r_N, b, c, s),   w = (u_N, high u_T + s, low u_T + s, r_N - b - c),   0 <= z perp w >= 0,   w = M z + q,
 *
 * where s is max(-high u_T, -low u_T), the rate of dissipation per r_N. Unknown after unknown: z = (r_N of every
 * contact, b of every contact, ...).
 *
 * Since z.Mz = r.Wr + sum r_N s, M is copositive where W is positive semidefinite. A ray of Lemke's method then has a
 * direction y >= 0 with y.My = 0, My >= 0 and q.y < 0 (Cottle, Pang, Stone, section 4.4): W r = 0 for its r in K, and
 * q.r < 0. There is none when W is positive definite, nor when q lies in the range of W: a solution is found, whatever
 * the friction. (The form with three unknowns per contact, where u_T is split into its parts, has no such property, and
 * does end on rays where there are solutions.) A problem of dimension 1 is its own LCP: z = r_N, w = u_N. */
#ifndef THUD_SRC_SOLVE_LEMKE_LCP_H
#define THUD_SRC_SOLVE_LEMKE_LCP_H

#include "thud/contact.h"

typedef struct thud_contact_lcp {
  thud_index dimension, contacts; /* dimension 1 or 2 */
  thud_index order;               /* unknowns: contacts or 4*contacts */
  double *low, *high;             /* [contacts] bounds of r_T / r_N, dimension 2 only */
  double *M, *q;                  /* [order*order] column-major, [order] */
} thud_contact_lcp;

/* The interval of r_T / r_N of a planar contact: [-mu, mu], or that of a law, which is an interval around 0. */
thud_error thud_contact_friction_interval(const thud_contact_problem *problem, thud_index contact, double *low,
                                          double *high);
/* Unknowns of the LCP of such a problem. */
thud_index thud_contact_lcp_order(const thud_contact_problem *problem);
thud_error thud_contact_lcp_allocate(thud_context *context, const thud_contact_problem *problem, thud_contact_lcp *lcp);
void thud_contact_lcp_release(thud_context *context, thud_contact_lcp *lcp);
/* Takes u = W r + q, W[size*size] dense column-major, with the friction coefficients or laws of the problem. */
thud_error thud_contact_lcp_set(thud_context *context, const thud_contact_problem *problem, const double *W,
                                const double *q, thud_contact_lcp *lcp);
/* The impulses r[size] that z[order] stands for. */
void thud_contact_lcp_impulses(const thud_contact_lcp *lcp, const double *z, double *r);

/* How far the normal impulses y[contacts] >= 0 prove that there is no solution of u = W r + q: with c = W_N' y (the
 * rows of the normal velocities) every solution has 0 <= y.u_N = c.r + q_N.y <= sum over the contacts of (c_N + max(low
 * c_T, high c_T))+ r_N + q_N.y, and the returned number is -q_N.y over that sum at r_N = max |q| / max |W|, with
 * rounding counted against the proof: no solution has all r_N below that many times this length. 0 when q_N.y < 0 is in
 * doubt. */
double thud_contact_lcp_excludes(const thud_contact_lcp *lcp, const double *W, const double *q, const double *y);

#endif
