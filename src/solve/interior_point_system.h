/* The linear system of the interior point method, in the units of scaled_form.h:
 *   local form   (A + B) dx = right,                        A = [W V; V' R]
 *   global form  M dv - J dx = right_v,  J' dv + B dx = right,  J = [H G]
 *   two-block form without bilateral rows: that of the local form, solved in the space of bodies (body_space.h)
 * with a d x d block of B for each contact, new in each iteration, and a small positive number for each bilateral row
 * (rows that depend on each other are thus no obstacle: as right-hand sides are residuals, answers do not change).
 * Neither the blocks nor M need be symmetric: LU, dense or sparse. W is not formed from a global problem unless it has
 * few impulses or its bodies are rigid (M in small blocks): that is cheaper then. */
#ifndef THUD_SRC_SOLVE_INTERIOR_POINT_SYSTEM_H
#define THUD_SRC_SOLVE_INTERIOR_POINT_SYSTEM_H

#include "linalg/sparse_lu.h"
#include "solve/body_space.h"
#include "solve/method.h"
#include "solve/scaled_form.h"

typedef struct thud_interior_system {
  thud_scaled_form form;
  thud_owned_problem *reduced; /* the local form of a problem that is solved in it, else NULL */
  thud_body_space *space;      /* two-block form; NULL: never needed */
  bool in_space;               /* it solves the present problem */
  const double *C, *B;         /* in_space: of the last factorization, borrowed; C may be NULL */
  double *inverse, *K;         /* in_space: [contacts*d*d] B^-1, B^-1 C */
  bool global;
  size_t n, offset;    /* unknowns; where dx begins: ndof, or 0 */
  thud_sparse A, J;    /* S A S, or M and J S */
  const double *f;     /* [ndof] global form, borrowed */
  thud_sparse matrix;  /* of the system without B, by rows (the compressed columns of its transpose) */
  thud_index *place;   /* [size] of the first entry of each row of the blocks */
  bool *pinned;        /* [size] components that stay 0: their rows are dx = 0 */
  double *value;       /* [entries] with B */
  double *dense;       /* [n*n] column-major, NULL: sparse */
  double *row_scale;   /* [n] dense only */
  thud_index *pivots;  /* [n] dense only */
  double *right, *add; /* [n] scratch of refinement */
  thud_sparse_lu lu;
  size_t place_capacity, pinned_capacity, vector_capacity[3], pivot_capacity, value_capacity, dense_capacity;
  size_t block_capacity[2];
} thud_interior_system;

thud_method_limit thud_interior_system_limit(const thud_contact_problem *problem);
thud_error thud_interior_system_create(thud_context *context, const thud_contact_problem *problem,
                                       thud_interior_system *system);
void thud_interior_system_destroy(thud_interior_system *system);
thud_error thud_interior_system_update(thud_interior_system *system, const thud_contact_problem *problem);

/* u = A x + q, u_b below them; global form: u = J'v + q. */
void thud_interior_system_velocity(const thud_interior_system *system, const double *x, const double *v, double *u);
/* Global form: load = f + J x - M v. */
void thud_interior_system_dynamics(const thud_interior_system *system, const double *x, const double *v, double *load);
/* Factorizes with the blocks B[contacts*d*d], each column-major; C[contacts*d*d] (NULL: units) multiplies the contacts'
 * rows of A or J'; both are borrowed until the last solve. symmetric: the blocks of B are, and C is NULL. False when the
 * matrix is singular. */
bool thud_interior_system_factorize(thud_interior_system *system, const double *C, const double *B, bool symmetric);
/* Solves for step[n]: (dv), dx, with right[n]; one step of refinement. False when the answer is not finite. */
bool thud_interior_system_solve(thud_interior_system *system, const double *right, double *step);

#endif
