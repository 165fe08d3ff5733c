/* Planar friction as a linear complementarity problem (Glocker's form). With r_T in r_N [low, high], low <= 0 <= high
 * (-mu and mu for Coulomb), and u_T = u_T+ - u_T- split into its parts >= 0:
 *   z = (r_N, r_T - low r_N, u_T-),   w = (u_N, u_T+, high r_N - r_T),   0 <= z perp w >= 0, w = M z + q,
 * unknown after unknown: z = (z_1 of every contact, z_2 of every contact, z_3 of every contact). A problem of dimension
 * 1 is its own LCP: z = r_N, w = u_N. */
#ifndef THUD_SRC_SOLVE_LEMKE_LCP_H
#define THUD_SRC_SOLVE_LEMKE_LCP_H

#include "thud/contact.h"

typedef struct thud_contact_lcp {
  thud_index dimension, contacts; /* dimension 1 or 2 */
  thud_index order;               /* unknowns: contacts or 3*contacts */
  double *low, *high;             /* [contacts] bounds of r_T / r_N, dimension 2 only */
  double *M, *q;                  /* [order*order] column-major, [order] */
} thud_contact_lcp;

/* Unknowns of the LCP of such a problem. */
thud_index thud_contact_lcp_order(const thud_contact_problem *problem);
thud_error thud_contact_lcp_allocate(thud_context *context, const thud_contact_problem *problem, thud_contact_lcp *lcp);
void thud_contact_lcp_release(thud_context *context, thud_contact_lcp *lcp);
/* Takes u = W r + q, W[size*size] dense column-major, with the friction coefficients or laws of the problem. */
thud_error thud_contact_lcp_set(thud_context *context, const thud_contact_problem *problem, const double *W,
                                const double *q, thud_contact_lcp *lcp);
/* The impulses r[size] that z[order] stands for. */
void thud_contact_lcp_impulses(const thud_contact_lcp *lcp, const double *z, double *r);

/* How far y[order] >= 0 proves that there is no solution: every z >= 0 with M z + q >= 0 has
 *   sum over i of (M'y)_i+ z_i >= -q.y,
 * and the returned number is -q.y over that sum at z_i = one data length (the impulse max |q| / max |W| or the velocity
 * max |q|), with the rounding of M'y counted against the proof: no solution lies within that many data lengths. 0 when
 * q.y < 0 is in doubt. */
double thud_contact_lcp_excludes(const thud_contact_lcp *lcp, const double *y);

#endif
