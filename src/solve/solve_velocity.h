/* Inside of the solver of velocity problems (thud/velocity.h, thud/solve.h). */
#ifndef THUD_SRC_SOLVE_VELOCITY_H
#define THUD_SRC_SOLVE_VELOCITY_H

#include "base/base.h"
#include "solve/method.h"

/* A law's set times a factor (its parameter 0), as contact problems want it; NULL where the law is a disc. */
typedef struct thud_scaled_law {
  thud_set *set;      /* owned */
  double *parameters; /* owned */
} thud_scaled_law;

/* Solvers of contact problems by shape and method: made when they are needed first. */
typedef struct thud_velocity_made {
  thud_index dimension, contacts;
  bool laws;
  const thud_solver_method *method; /* NULL: the registry's first */
  thud_solver *solver;
} thud_velocity_made;

/* velocity_sparse.c: what problems with a sparse W have. */
typedef struct thud_velocity_sparse {
  const thud_sparse *all; /* [rows+equations] square, both triangles, rows increase within columns: W and the rows of
                             equations that are not eliminated. Borrowed for one call */
  double *l;              /* [equations] their impulses, in and out */
  thud_sparse W, V, R;    /* the same with one number of components for all contacts; room is kept */
  size_t start_capacity[3], row_capacity[3], value_capacity[3];
  double *zero;       /* [equations] s of the contact problem: the free velocity satisfies the equations */
  double *padded_l;   /* [equations] */
  double *best_l;     /* [equations] */
  thud_index *padded; /* [rows] where a row has gone */
} thud_velocity_sparse;

struct thud_velocity_solver {
  thud_context *context;
  bool is_sparse; /* W is; no dense matrices, no closed forms */
  thud_velocity_sparse sparse;
  const thud_solver_method *method; /* NULL: closed forms first */
  thud_solver_options options;
  thud_index rows, block_count, equations, law_count; /* the largest problem */

  double *work;       /* [7*rows + equations] scratch, the part of the natural map first */
  double *square;     /* [2*rows^2] factors */
  double *best;       /* [rows] */
  bool *in_set;       /* [rows] */
  thud_index *chosen; /* [rows] */
  thud_lemke *lemke;  /* of block_count rows, NULL: none */

  /* the same problem with one number of components for all contacts */
  thud_scaled_law *laws;                              /* [law_count] */
  double *padded_W, *padded_q, *padded_r, *padded_mu; /* [size^2], [size], [size], [block_count] */
  thud_set **padded_laws;                             /* [block_count] */
  thud_velocity_made *made;
  size_t made_count, made_capacity;
};

/* ---- velocity_lcp.c --------------------------------------------------------------------------------------------- */

/* In place A = LL' (row-major, lower) of the `count` chosen rows; false when they are dependent. */
bool thud_velocity_factor_chosen(thud_index rows, const double *W, thud_index count, const thud_index *chosen,
                                 double *L);
/* The frictionless problem 0 <= z perp W z + load >= 0; z[rows] holds the warm start. Principal pivoting, Lemke where
 * that does not end. */
thud_error thud_velocity_lcp(thud_velocity_solver *solver, const thud_velocity_problem *problem, double *z,
                             thud_solver_status *status);

/* ---- velocity_block.c -------------------------------------------------------------------------------------------- */

/* Solves one block with the others held: q[1 + directions] its velocities without its own impulses, all[rows] the
 * impulses of the problem (for thresholds from elsewhere; not read for a block with a normal row), r in (warm) and out:
 * the block's own. False when there is no solution. */
bool thud_velocity_block_solve(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                               const thud_velocity_block *block, const double *q, const double *all, double *r);

/* Registered methods measure against their own loads, which may be larger than the velocities here. */
#define THUD_VELOCITY_PART_OF_TOLERANCE 0.01

/* ---- velocity_contact.c -------------------------------------------------------------------------------------------
 */

/* NULL when the problem is a contact problem, else what it has that contact problems do not have. *dimension is then
 * its number of components per contact. */
const char *thud_velocity_not_contact(const thud_velocity_problem *problem, thud_index *dimension);
/* Hands a problem that is one of contacts to registered methods until one reaches a natural map of at most `accepted`:
 * to the solver's own, or to the direct ones in the order of the registry and then to its first. The best answer is in
 * r, its velocities in u; *method is its name. */
thud_error thud_velocity_by_methods(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                    thud_index dimension, double accepted, double *r, double *u,
                                    thud_velocity_info *info);
/* THUD_ERROR_UNSUPPORTED, with what it is, when the solver's own method does not take the problem. */
thud_error thud_velocity_check_method(thud_velocity_solver *solver, const thud_velocity_problem *problem);
/* Row of the velocity problem behind component c of a block, -1: filled up. */
static inline thud_index thud_velocity_row_of(const thud_velocity_block *block, thud_index c) {
  if (block->has_normal) return c <= block->directions ? block->first + c : -1;
  return c >= 1 && c <= block->directions ? block->first + c - 1 : -1;
}
thud_error thud_velocity_allocate_padded(thud_velocity_solver *solver, const thud_velocity_problem *largest);
void thud_velocity_free_padded(thud_velocity_solver *solver);

/* ---- velocity_sparse.c ------------------------------------------------------------------------------------------ */

/* A solver for problems of contacts (thud_velocity_not_contact) with a sparse W and equations that are not eliminated:
 * no dense matrix is made. */
thud_error thud_velocity_solver_create_sparse(thud_context *context, const thud_velocity_problem *largest,
                                              const thud_solver_options *options, thud_velocity_solver **solver);
/* all: as in thud_velocity_sparse; l[equations] in: warm start, out: impulses. r and u as in thud_velocity_solver_solve;
 * u = W r + V l + load, the residual without the equations. */
thud_error thud_velocity_solve_sparse(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                      const thud_sparse *all, double *r, double *l, double *u,
                                      thud_velocity_info *info);
/* u = W r + V l + load; sizes (may be NULL): the same with every term by its size. */
void thud_velocity_apply_sparse(const thud_velocity_problem *problem, const thud_sparse *all, const double *r,
                                const double *l, double *u, double *sizes);
/* W, V and R of the contact problem from `all`. */
thud_error thud_velocity_pad_sparse(thud_velocity_solver *solver, const thud_velocity_problem *problem,
                                    thud_index dimension);
/* The tolerance that a registered method is given from the impulses r on. */
double thud_velocity_aim_sparse(thud_velocity_solver *solver, const thud_velocity_problem *problem, const double *r);
thud_error thud_velocity_allocate_sparse(thud_velocity_solver *solver);
void thud_velocity_free_sparse(thud_velocity_solver *solver);

/* ---- velocity.c ------------------------------------------------------------------------------------------------- */

thud_error thud_velocity_solver_begin(thud_context *context, bool is_sparse, const thud_velocity_problem *largest,
                                      const thud_solver_method *method, const thud_solver_options *options,
                                      thud_velocity_solver **solver);

#endif
