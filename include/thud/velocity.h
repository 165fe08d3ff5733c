/* thud/velocity.h: velocity problems of systems with finitely many degrees of freedom. Layer: contact.
 *
 * At a fixed configuration, in what is left after the equations (bilateral rows) have been eliminated:
 *
 *   all rows      u = W r + load,  W symmetric positive semidefinite
 *   normal row    0 <= u  perp  r >= 0
 *   slip rows     r_T in R C,  -u_T normal to that set at r_T
 *   equations     sum_b T_bj l_b = offset_j - sum_i B_ji r_i  gives the eliminated impulses l
 *
 * with one block of rows per contact: its normal row, then its slip rows. R is `friction_bound` times the normal
 * impulse of the
 * same block or of another one, or times the size of an equation's impulse, or times a function of several of these, or
 * `friction_bound` alone.
 *
 * It is wider than thud_contact_problem (thud/contact.h): blocks differ in their number of slip rows, and a threshold
 * may come from elsewhere. `load` holds what impact laws add: u_free + e u_minus with Newton's restitution. The struct
 * is plain and borrows its arrays; thud/solve.h solves it. */
#ifndef THUD_VELOCITY_H
#define THUD_VELOCITY_H

#include "thud/contact.h"

#include <float.h>

#ifdef __cplusplus
extern "C" {
#endif

/* C of a friction law: a closed bounded convex set of R^directions that contains 0, or all of it. */
typedef struct thud_velocity_law {
  thud_index directions;
  thud_set *set; /* borrowed; NULL: the unit disc, of one or two directions */
  bool is_whole; /* C is the whole space, and set is NULL: R C is that for R > 0 and {0} otherwise */
} thud_velocity_law;

/* A threshold that several reactions give: R = threshold(user, impulse), impulse[count] those of normal rows and of
 * equations; both -1: that reaction is 0. A threshold below 0 counts as 0. */
typedef struct thud_velocity_coupling {
  thud_index count;
  const thud_index *row, *equation; /* [count] */
  double *impulse;                  /* [count] room */
  double (*threshold)(void *user, const double *impulse);
  void *user;
} thud_velocity_coupling;

/* Rows that belong together. */
typedef struct thud_velocity_block {
  thud_index first;          /* its first row; blocks follow each other without gaps */
  thud_index directions;     /* slip rows */
  bool has_normal;           /* the first row is a normal one */
  thud_index constraint;     /* the caller's number, not read here; -1: none */
  thud_index law;            /* among the problem's laws, -1: none, and no slip rows */
  double friction_bound;     /* mu; for a law by itself its threshold, an impulse; >= 0 */
  thud_index tied_row;       /* without a normal row: R = friction_bound * impulse of that normal row, -1 */
  thud_index tied_bilateral; /* without a normal row: R = friction_bound * |impulse of that equation|, -1 */
  const thud_velocity_coupling *coupling; /* without a normal row: R = friction_bound * its threshold; NULL */
} thud_velocity_block;

/* Impulses of the eliminated equations; what thresholds may depend on. */
typedef struct thud_velocity_equations {
  thud_index count;
  const thud_index *basis_of; /* [count] j of the triangle's column that ends at row b, -1: dependent, l_b = 0 */
  const double *triangle;     /* [count*count] T, row-major */
  const double *along;        /* [number of columns * rows] B */
  const double *offset;       /* [number of columns] */
} thud_velocity_equations;

typedef struct thud_velocity_problem {
  thud_index rows, block_count, law_count;
  const thud_velocity_block *blocks; /* [block_count] */
  const thud_velocity_law *laws;     /* [law_count] */
  thud_matrix W;                     /* rows square; solvers take dense ones */
  const double *diagonal;            /* [rows] of W where that has no entries here; NULL: W's own */
  const double *load;                /* [rows] what the laws are about */
  const double *u_free, *u_minus;    /* [rows] velocities without impulses, and before; u_minus is for impact laws */
  const double *rate;                /* [rows] parts of them that the motion of the constraints has, for energies */
  const double *restitution;         /* [rows] e of normal rows, 0 elsewhere, for impact laws */
  double magnitude; /* largest velocity of a row with every term by its size: rounding is a part of it */
  thud_velocity_equations equations;
} thud_velocity_problem;

/* Rounding errors of a velocity, relative to the sizes of its terms. */
#define THUD_VELOCITY_ROUNDING (16 * DBL_EPSILON)

/* Sizes, indices, blocks without gaps, signs, NaN and infinities: an error that names the block or the row. */
THUD_API thud_error thud_velocity_validate(thud_context *context, const thud_velocity_problem *problem);
/* W_ii, or `diagonal`. */
THUD_API double thud_velocity_diagonal(const thud_velocity_problem *problem, thud_index i);
/* u[rows] = W r + load. */
THUD_API void thud_velocity_apply(const thud_velocity_problem *problem, const double *r, double *u);
/* l[equations.count] from the impulses r[rows]. */
THUD_API void thud_velocity_equation_impulses(const thud_velocity_problem *problem, const double *r, double *l);
/* R of a block at impulses r; work[equations.count]. */
THUD_API double thud_velocity_threshold(const thud_velocity_problem *problem, const thud_velocity_block *block,
                                        const double *r, double *work);
/* Scale of residuals: the largest of u_free and load, but so much that the tolerance stays above rounding
 * errors; 1 when all are 0. */
THUD_API double thud_velocity_scale(const thud_velocity_problem *problem, double tolerance);
/* How wrong an answer is: worst natural map of all blocks at (r, u), in units of velocity,
 *   normal row W_NN r - max(W_NN r - u, 0),  slip rows tr(W_TT) |r_T - proj_{R C}(r_T - u_T/tr(W_TT))|;
 * *worst (may be NULL) its block or -1. work[3*rows + equations.count]. */
THUD_API double thud_velocity_natural_map(const thud_velocity_problem *problem, const double *r, const double *u,
                                          double *work, thud_index *worst);

#ifdef __cplusplus
}
#endif
#endif
