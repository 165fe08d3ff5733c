/* Sparse LU without pivoting across blocks, of matrices with square blocks of one small size and a symmetric pattern: those
 * of bodies that contacts connect. Blocks are inverted with pivoting inside of them. A symmetric matrix takes half the work.
 *
 *   A = L D U,  L and U with unit diagonal blocks, rows and columns in an order with little fill */
#ifndef THUD_SRC_LINALG_BLOCK_FACTOR_H
#define THUD_SRC_LINALG_BLOCK_FACTOR_H

#include "thud/linalg.h"

enum { THUD_BLOCK_FACTOR_MAX = 6 };

/* A = A^-1, column-major b x b, by Gauss and Jordan with row pivots. False when it is singular; A is undefined then. */
bool thud_block_invert(size_t b, double *A);

typedef struct thud_block_factor {
  thud_context *context;
  size_t n, b; /* block rows, rows of a block */
  double work; /* multiplications of a factorization of an unsymmetric matrix */
  bool symmetric;
  thud_index *order, *place; /* [n] order[k] is eliminated k-th; place is its inverse */
  /* L below the diagonal and U right of it: position p has the blocks (row[p], k) of L and (k, row[p]) of U. */
  size_t *start;                    /* [n+1] of column k */
  thud_index *row;                  /* [start[n]] increasing in a column */
  size_t *row_start;                /* [n+1] the same by rows of L */
  thud_index *row_column;           /* [start[n]] */
  size_t *row_position;             /* [start[n]] */
  double *diagonal, *lower, *upper; /* blocks, column-major; A, and its factors after factorize */
  size_t pair_count, entry_count;   /* of the present analysis */
  thud_index *pair_a, *pair_b;      /* [pair_count] */
  size_t *pair_position;            /* [pair_count] SIZE_MAX: no block */
  double *y;                        /* [n*b] */
  size_t *map;                      /* [n] scratch */
  thud_index *mark, *list;          /* [n] scratch of the analysis */
  size_t pair_capacity[3], entry_capacity[5];
} thud_block_factor;

thud_error thud_block_factor_create(thud_context *context, size_t n, size_t b, thud_block_factor **factor);
void thud_block_factor_destroy(thud_block_factor *factor);
/* The pattern: all diagonal blocks, and those of the pairs (a, b), b = -1: none. Pairs may repeat. Nothing is done when they
 * are those of the last call. */
thud_error thud_block_factor_analyse(thud_block_factor *factor, size_t count, const thud_index *a, const thud_index *b);
/* A = 0; then blocks are added, column-major b x b. With `symmetric`, blocks of pairs are read on one side alone. */
void thud_block_factor_clear(thud_block_factor *factor, bool symmetric);
/* The diagonal block of row i. */
static inline double *thud_block_factor_diagonal(const thud_block_factor *factor, thud_index i) {
  return factor->diagonal + (size_t)factor->place[i] * factor->b * factor->b;
}
/* The blocks (a, b) and (b, a) of a pair; NULL: it need not be given. */
void thud_block_factor_pair(const thud_block_factor *factor, size_t pair, double **ab, double **ba);
/* False when a pivot block is singular. */
bool thud_block_factor_factorize(thud_block_factor *factor);
/* x[n*b] = A^-1 x in place. */
void thud_block_factor_solve(thud_block_factor *factor, double *x);

#endif
