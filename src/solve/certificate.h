/* Proofs that no velocity is admissible (thud_solver_certificate): multipliers l >= 0 of the normal components and y of
 * the bilateral rows with
 *   W' (n l) + V y = 0,  V' (n l) + R y = 0,  l.q_N + y.s < 0,
 * for then 0 <= l.u_N = (W' n l + V y).r + (...).l_b + l.q_N + y.s < 0 for every answer. Found as non-negative least
 * squares: the point (0, ..., 0, -1) is projected on the cone of the columns (W n_i, V' n_i, q_i) and +-(V_j, R_j,
 * s_j), in units that make W_NN and q about 1. Believed only after the check on the problem's own numbers. */
#ifndef THUD_SRC_SOLVE_CERTIFICATE_H
#define THUD_SRC_SOLVE_CERTIFICATE_H

#include "solve/sweep.h"

typedef struct thud_certificate_finder thud_certificate_finder;
thud_error thud_certificate_finder_create(thud_context *context, const thud_contact_problem *local,
                                          thud_certificate_finder **finder);
void thud_certificate_finder_destroy(thud_certificate_finder *finder);
/* Contacts and rows for which looking for a proof is not too much work. */
bool thud_certificate_is_affordable(const thud_contact_problem *problem);
/* certificate->count is 0 when there is no proof, or none against answers within the tolerance (of the residual); its
 * arrays live in the finder until the next call. */
thud_error thud_certificate_find(thud_certificate_finder *finder, const thud_contact_problem *local, double tolerance,
                                 thud_solver_certificate *certificate);

/* Where a method gave up (stalled or broke down; a limit says nothing of the problem) and the bilateral rows do not hold: do they contradict each other (certificate_rows.c)? Sets
 * status, certificate and why of the solver then. Names the rows of a proof that a method has found, too. residual: of
 * the best iterate, on the problem as it was given. */
thud_error thud_certificate_blame_rows(thud_solver *solver, const thud_contact_residual *residual);

#endif
