/* Blocks of the mass matrix M = LL': the classes of coordinates that its entries connect. Rows of L^-1 reach no other
 * block, so that L^-1 a has entries in the blocks that a touches and nowhere else. */
#ifndef THUD_SRC_MODEL_BLOCKS_H
#define THUD_SRC_MODEL_BLOCKS_H

#include "model/system.h"

/* Larger ones have no numbers here. */
enum { MODEL_LARGEST_BLOCK = 128 };

typedef struct model_blocks {
  size_t n, count, largest;
  size_t numbers; /* of all blocks */
  size_t *block;  /* [n] number of the coordinate's block */
  size_t *start;  /* [count+1] */
  size_t *member; /* [n] coordinates by block, increasing within one */
  size_t *place;  /* [n] of the coordinate in its block */
  size_t *offset; /* [count] of the block's numbers */
  double *matrix; /* [numbers] of each block, row-major, or its lower factor; NULL when one is larger than
                      MODEL_LARGEST_BLOCK */
} model_blocks;

/* Of the values' mass: by its pattern for sparse values, by its entries for full ones. The numbers are 0. */
thud_error thud_model_find_blocks(thud_context *context, size_t n, const thud_system_values *values,
                                  model_blocks *blocks);
void thud_model_end_blocks(thud_context *context, model_blocks *blocks);
/* The numbers of the values; then, in place, their lower factors. M is positive definite. */
void thud_model_fill_blocks(const thud_system_values *values, model_blocks *blocks);
void thud_model_factorise_blocks(model_blocks *blocks);
/* y = L^-1 a of block b, with a[n] and y[size of the block]. */
void thud_model_solve_block(const model_blocks *blocks, size_t b, const double *a, double *y);

#endif
