/* The linear system of ADMM: with A = [W V; V' R] and q in the units of scaled_form.h, given a target t and De Saxce's
 * shift s e_N, find
 *   x = argmin x'Ax/2 + (q + s e_N).x + rho |x - t|^2/2,   u = A x + q.
 * Local form: (A + rho I) x = rho t - q - s e_N and u = rho (t - x) - s e_N, by dense or sparse Cholesky.
 * Global form, W never formed: with J = [H G] S, (M + J J'/rho) v = f + J (t - (w + s e_N)/rho), u = J'v + w and
 * x = t - (u + s e_N)/rho. Two-block form, W never formed: small problems are reduced to the local form, the others solve
 * its system by conjugate gradients with products body by body, from the last solution and as accurately as the
 * iteration asks for (`accuracy`). Where the matrix is not symmetric its symmetric part is factorised and the rest is taken
 * from the last solution, so that a fixed point is exact. */
#ifndef THUD_SRC_SOLVE_ADMM_SYSTEM_H
#define THUD_SRC_SOLVE_ADMM_SYSTEM_H

#include "solve/scaled_form.h"

typedef struct thud_admm_system {
  thud_scaled_form form;
  thud_owned_problem
      *reduced; /* the local form of a global problem whose J J' would be too full, or of a small two-block
                                  problem, else NULL */
  bool global;
  bool iterative;       /* conjugate gradients: no matrix and no factor */
  size_t n;             /* unknowns of the system: total, or degrees of freedom */
  double rho;           /* of the present factor */
  thud_sparse matrix;   /* symmetric part of A or M, with room for the whole diagonal and for J J' */
  thud_sparse full;     /* A or M itself; empty when it is symmetric */
  thud_sparse product;  /* J J', entries at the same places as in `matrix`; global form */
  thud_sparse J;        /* n x total; global form */
  double *sum;          /* [entries of matrix] values of what is factorised */
  thud_factor *factor;  /* sparse, or NULL */
  double *dense;        /* [n*n] dense Cholesky factor, or NULL */
  double *load, *known; /* [max(total, ndof)] right-hand side and last solution; the product of `full` */
  double *work;
  double *residual, *direction, *image; /* [total] of the conjugate gradients, two-block form only */
  double accuracy;                      /* of them: length of the residual allowed */
  size_t products;                      /* made by them */
} thud_admm_system;

thud_error thud_admm_system_create(thud_context *context, const thud_contact_problem *problem,
                                   thud_admm_system *system);
/* New numbers; the factor is made by the next call of factorize. */
thud_error thud_admm_system_update(thud_admm_system *system, const thud_contact_problem *problem);
void thud_admm_system_destroy(thud_admm_system *system);
/* Allocates nothing through the context. */
thud_error thud_admm_system_factorize(thud_admm_system *system, double rho);
/* Forgets the last solution, which only matters for matrices that are not symmetric. */
void thud_admm_system_begin(thud_admm_system *system);
thud_error thud_admm_system_solve(thud_admm_system *system, const double *t, const double *shift, double *x, double *u);

#endif
