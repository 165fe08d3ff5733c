/* Any matrix of a problem as compressed columns, and its entries. */
#ifndef THUD_SRC_CONTACT_SPARSE_H
#define THUD_SRC_CONTACT_SPARSE_H

#include "base/base.h"
#include "thud/contact.h"

/* Compressed columns with the nonzero entries of a dense matrix, with every entry stored by the others. Owned by the
 * caller: thud_sparse_destroy. */
THUD_FOR_IO thud_error thud_matrix_to_sparse(thud_context *context, const thud_matrix *A, thud_sparse *sparse);
/* (A + A')/2 of a square matrix on the union of both patterns. */
thud_error thud_sparse_symmetric_part(thud_context *context, const thud_sparse *A, thud_sparse *symmetric);
/* max |A_ij - A_ji| / max |A_ij| of a square matrix, 0 when A = 0. */
double thud_sparse_asymmetry(const thud_sparse *A);
/* True when all entries that are not 0 are in square blocks of this width along the diagonal (the last one may be
 * narrower). */
bool thud_sparse_fits_blocks(const thud_sparse *A, thud_index width);
/* Place of `wanted` among sorted[first..end-1], -1 when it is not there. */
thud_index thud_find_index(const thud_index *sorted, thud_index first, thud_index end, thud_index wanted);

#endif
