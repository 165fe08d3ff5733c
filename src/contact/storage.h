/* The same matrix in another storage, made inside an owned problem. */
#ifndef THUD_SRC_CONTACT_STORAGE_H
#define THUD_SRC_CONTACT_STORAGE_H

#include "base/base.h"
#include "thud/contact.h"

/* *matrix becomes a matrix of the owned problem with the entries of `sparse`, blocks of `block` x `block` entries in
 * the block storage (both sizes must be multiples of it). THUD_MATRIX_NONE: dense when at least a quarter of the
 * entries is stored, else blocks. */
THUD_FOR_IO thud_error thud_owned_problem_store(thud_context *context, thud_owned_problem *owned,
                                                const thud_sparse *sparse, thud_matrix_storage storage,
                                                thud_index block, thud_matrix *matrix);

#endif
