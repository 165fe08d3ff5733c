/* Gradients of constraints as vectors of length 1 in the kinetic metric, for questions of rank and angle. */
#ifndef THUD_SRC_MODEL_GRADIENTS_H
#define THUD_SRC_MODEL_GRADIENTS_H

#include "thud/model.h"

/* Two unit gradients are distinguished from dependent ones when more than this is left of one in the complement of
 * the others.
 */
#define MODEL_RANK_TOLERANCE 1e-10

/* y = L^-1 a, the covector a in orthonormal coordinates of the kinetic metric (M = LL', L row-major). y may alias a. */
void thud_model_to_orthonormal(size_t n, const double *factor, const double *a, double *y);
/* Length 1; zero rows stay zero. Returns the length it had. */
double thud_model_normalise(size_t n, double *y);
/* An orthonormal basis (rows, [count*n] room) of the span of those of the unit rows that `use` says (NULL: all).
 * Returns the rank. */
size_t thud_model_basis(size_t n, size_t count, const double *rows, const bool *use, double *basis);
/* Removes from y its components along the orthonormal basis (twice, against rounding). Returns the length left. */
double thud_model_complement(size_t n, size_t rank, const double *basis, double *y);

#endif
