/* Frictionless velocity problems of large sparse systems, with equations:
 *
 *   u = A M^-1 A' z + load,   one-sided rows 0 <= u perp z >= 0,   equations u = 0, z free,
 *
 * for some of the rows of A. The answer is found by exchanging rows of the set in which u = 0 (block principal
 * pivoting,
 * Judice and Pires, Computers Ops Res. 21, 1994), each time with one sparse factor, and by an interior point method
 * where the exchanges do not come to an end. Every factor has the same pattern, that of all rows of A (a row that is
 * not in the set becomes one of the identity): it is analysed once. With a diagonal M that is the pattern of A M^-1 A',
 * else, or where many rows share a coordinate, that of
 *
 *   ( M  A' ) ( M^-1 A'z )   ( 0  )
 *   ( A  0  ) (    -z    ) = (-load),   with a small shift of the zeros that refinement takes back. */
#ifndef THUD_SRC_SOLVE_ROW_SOLVER_H
#define THUD_SRC_SOLVE_ROW_SOLVER_H

#include "linalg/sparse_metric.h"
#include "thud/solve.h"

typedef enum thud_row_kind { THUD_ROW_ABSENT = 0, THUD_ROW_ONE_SIDED = 1, THUD_ROW_EQUATION = 2 } thud_row_kind;

/* A by rows: patterns are borrowed and stay, values change. */
typedef struct thud_row_matrix {
  thud_index rows;
  const thud_index *start, *column; /* [rows+1], [start[rows]] increasing within a row */
} thud_row_matrix;

typedef struct thud_row_solver thud_row_solver;

thud_error thud_row_solver_create(thud_context *context, const thud_sparse_metric *metric, const thud_row_matrix *rows,
                                  thud_row_solver **solver);
void thud_row_solver_destroy(thud_row_solver *solver);
/* New numbers of M (same pattern; borrowed, with its factor) and A. */
void thud_row_solver_update(thud_row_solver *solver, const thud_sparse_metric *metric, const double *value);
/* dv[n] = M^-1 A' z. */
void thud_row_solver_motion(const thud_row_solver *solver, const double *z, double *dv);
/* u[rows] = A x. */
void thud_row_solver_rows(const thud_row_solver *solver, const double *x, double *u);
/* out[rows] = |A| diag(M)^-1 |A|' |z|: sizes of the terms of W z. */
void thud_row_solver_sizes(thud_row_solver *solver, const double *z, double *out);
/* Largest |W_ij| / sqrt(W_ii W_jj) of two one-sided rows i < j; false when W is not formed or has no such pair. */
bool thud_row_solver_cosine(const thud_row_solver *solver, const thud_row_kind *kind, double *cosine, thud_index *first,
                            thud_index *second);
/* The diagonal of A diag(M)^-1 A': that of W where M is diagonal, a measure of its size elsewhere. Borrowed. */
const double *thud_row_solver_diagonal(const thud_row_solver *solver);
/* z[rows] in: warm start, out: the answer, 0 for absent rows. THUD_SOLVER_LIMIT: the best that was found. *dependent:
 * rows of the set are dependent, so that z is one answer of several. */
thud_error thud_row_solver_solve(thud_row_solver *solver, const thud_row_kind *kind, const double *load, double *z,
                                 bool *dependent, thud_solver_status *status);

#endif
