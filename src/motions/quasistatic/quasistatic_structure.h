/* An elastic structure seen from its contacts: K factorised once, and what is left when all unknowns but the contact
 * coordinates u = H' U are eliminated,
 *   u = W r + H' K^-1 F   or   K_c u = f + r,  K_c = W^-1, f = K_c H' K^-1 F.
 *
 * A semidefinite K is held by its contacts. With K_s = K + s H H' (s > 0) and W_s = H' K_s^-1 H
 *   K_c = W_s^-1 - s I,   f = W_s^-1 H' K_s^-1 F
 * (also where K is definite but so soft in a motion that several contacts see that W would lose its digits)
 * are exact for every s (minimise U.K_s U/2 - F.U over U with H' U = u), provided that the columns of H are independent;
 * s is 0 where K is definite. */
#ifndef THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_STRUCTURE_H
#define THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_STRUCTURE_H

#include "thud/quasistatic.h"

typedef struct elastic_structure {
  thud_context *context;
  const thud_quasistatic_problem *problem; /* borrowed */
  thud_index n, m, c, d;                   /* unknowns, contact coordinates d*c, contacts, components */
  thud_metric *dense;                      /* K_s of small structures, otherwise: */
  thud_factor *factor;
  double *inverse;     /* [n*n] K_s^-1 of tiny structures, where products are faster than solves; else NULL */
  thud_sparse shifted; /* K + s H H' when it is sparse and s > 0 */
  double shift;        /* s */
  bool semidefinite;   /* K is not definite */
  double *W;           /* [m*m] W_s */
  double *stiffness;   /* [m*m] K_c; NULL when H has dependent columns */
  double *work;        /* [n] */
} elastic_structure;

thud_error thud_elastic_structure_create(thud_context *context, const thud_quasistatic_problem *problem,
                                         elastic_structure *structure);
void thud_elastic_structure_destroy(elastic_structure *structure);

/* U[n] = K_s^-1 (F + H x), x[m] may be NULL: 0. */
thud_error thud_elastic_structure_solve(const elastic_structure *structure, const double *F, const double *x,
                                        double *U);
/* u[m] = H' U. */
void thud_elastic_structure_see(const elastic_structure *structure, const double *U, double *u);
/* y = K U. */
void thud_elastic_structure_apply(const elastic_structure *structure, const double *U, double *y);
/* f[m] of the load from free = H' K_s^-1 F. */
void thud_elastic_structure_condense(const elastic_structure *structure, const double *free, double *f);

/* "the unknown 'x'" or "the unknown 3"; "contact 'foot'" or "contact 3". */
const char *thud_elastic_unknown(const elastic_structure *structure, thud_index i, char text[160]);
const char *thud_elastic_contact(const thud_quasistatic_problem *problem, thud_index i, char text[160]);

#endif
