/* Making owned problems piece by piece: what conversions (contact) and file readers (record) build on. */
#ifndef THUD_SRC_CONTACT_OWNED_H
#define THUD_SRC_CONTACT_OWNED_H

#include "base/base.h"
#include "thud/contact.h"

/* An empty problem (form local, no contacts) that owns nothing yet. */
THUD_FOR_IO thud_error thud_owned_problem_create(thud_context *context, thud_owned_problem **owned);
/* Zeroed memory that lives and dies with the problem; NULL on failure (message set). */
THUD_FOR_IO void *thud_owned_problem_alloc(thud_owned_problem *owned, size_t count, size_t size);
/* The problem to be filled in with arrays from thud_owned_problem_alloc. */
THUD_FOR_IO thud_contact_problem *thud_owned_problem_edit(thud_owned_problem *owned);
/* Hands the three arrays of a sparse matrix over and makes *matrix (one of the problem's) its view. On failure they
 * stay the caller's. */
THUD_FOR_IO thud_error thud_owned_problem_adopt_sparse(thud_owned_problem *owned, const thud_sparse *sparse,
                                                       thud_matrix *matrix);
/* Hands a convex set over; it is destroyed with the problem. On failure it stays the caller's. */
THUD_FOR_IO thud_error thud_owned_problem_adopt_set(thud_owned_problem *owned, thud_set *set);
/* A copy of count doubles (indices) that lives with the problem; *copy is NULL when the original is NULL. */
thud_error thud_owned_problem_copy_doubles(thud_owned_problem *owned, const double *original, size_t count,
                                           const double **copy);
thud_error thud_owned_problem_copy_indices(thud_owned_problem *owned, const thud_index *original, size_t count,
                                           const thud_index **copy);
/* A deep copy of a matrix whose arrays live with the problem. */
thud_error thud_owned_problem_copy_matrix(thud_owned_problem *owned, const thud_matrix *original, thud_matrix *copy);

#endif
