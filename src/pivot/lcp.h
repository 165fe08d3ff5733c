/* Shared by Lemke and the enumeration of LCP solutions: checking and equilibration of w = M z + q, z >= 0, w >= 0,
 * z.w = 0. Positive row and column factors keep complementarity: with M' = R M C, q' = R q the solutions are z = C z',
 * w = R^-1 w'. Powers of two make the scaling exact. */
#ifndef THUD_SRC_PIVOT_LCP_H
#define THUD_SRC_PIVOT_LCP_H

#include "thud/pivot.h"

typedef struct thud_scaled_lcp {
  thud_index n;
  double *M;            /* [n*n] column-major, entries at most 1 */
  double *q;            /* [n] max |q_i| in [1/2, 1[ unless 0 */
  double *row_scale;    /* [n] R */
  double *column_scale; /* [n] C */
} thud_scaled_lcp;

/* Room for up to n unknowns; on success to be released. */
thud_error thud_scaled_lcp_allocate(thud_context *context, thud_index n, thud_scaled_lcp *lcp);
/* Takes M and q, n unknowns at most as many as there is room for. `method` names the caller in messages. */
thud_error thud_scaled_lcp_set(thud_context *context, const char *method, thud_index n, const double *M,
                               const double *q, thud_scaled_lcp *lcp);
/* Both; on success to be released. */
thud_error thud_scaled_lcp_init(thud_context *context, const char *method, thud_index n, const double *M,
                                const double *q, thud_scaled_lcp *lcp);
void thud_scaled_lcp_release(thud_context *context, thud_scaled_lcp *lcp);
/* sum_j M'_ij z_j + q'_i; *size (may be NULL) receives sum |M'_ij z_j| + |q'_i|. */
double thud_scaled_lcp_row(const thud_scaled_lcp *lcp, thud_index i, const double *z, double *size);

#endif
