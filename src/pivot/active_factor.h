/* Orthogonal factor of a changing set of independent columns: N = QR with N n x q (the gradients of the active
 * constraints), Q n x q orthonormal, R q x q upper triangular. Appending is Gram-Schmidt with reorthogonalisation,
 * removing is a sweep of Givens rotations (Daniel, Gragg, Kaufman, Stewart, Math. Comp. 30, 1976). Only q columns of
 * Q are kept, so that a projection with few active constraints costs O(nq) and not O(n^2). */
#ifndef THUD_SRC_PIVOT_ACTIVE_FACTOR_H
#define THUD_SRC_PIVOT_ACTIVE_FACTOR_H

#include "thud/linalg.h"

typedef struct thud_active_factor {
  thud_index n, capacity; /* capacity <= n */
  thud_index count;       /* q */
  double *Q;              /* [n*capacity] column-major */
  double *R;              /* [capacity*capacity] column-major, the upper triangle is used */
  double *scratch;        /* [capacity] */
} thud_active_factor;

thud_error thud_active_factor_init(thud_context *context, thud_index n, thud_index capacity,
                                   thud_active_factor *factor);
void thud_active_factor_release(thud_context *context, thud_active_factor *factor);

/* a = Q c + z with Q'z = 0: c[count], z[n]; returns |z|. */
double thud_active_factor_split(thud_active_factor *factor, const double *a, double *c, double *z);
/* Appends the column whose split is (c, z), |z| = z_norm > 0 and count < capacity. */
void thud_active_factor_append(thud_active_factor *factor, const double *c, const double *z, double z_norm);
/* Removes column j; the later columns move one place to the left. */
void thud_active_factor_remove(thud_active_factor *factor, thud_index j);
/* In place c = R^-1 c, or R^-T c; c[count]. */
void thud_active_factor_solve(const thud_active_factor *factor, bool transposed, double *c);
/* c = Q'v. */
void thud_active_factor_coordinates(const thud_active_factor *factor, const double *v, double *c);
/* v = alpha Q c + beta v. */
void thud_active_factor_expand(const thud_active_factor *factor, double alpha, const double *c, double beta, double *v);

/* Euclidean norm that neither overflows nor underflows. */
double thud_pivot_norm(thud_index n, const double *x);

#endif
