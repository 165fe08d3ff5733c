/* Factors of small positive semidefinite blocks. */
#ifndef THUD_SRC_SOLVE_SEMIDEFINITE_H
#define THUD_SRC_SOLVE_SEMIDEFINITE_H

#include <stddef.h>

/* F (row-major, lower) of F F' = A (n x n symmetric positive semidefinite), columns of vanishing pivots 0. */
void thud_semidefinite_factor(size_t n, const double *A, double *F);
/* x := a solution of A x = b for b in the range of A, x on entry; components with vanishing pivots are 0. */
void thud_semidefinite_solve(size_t n, const double *F, double *x);

#endif
