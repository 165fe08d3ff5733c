/* Matrices of thud as Siconos keeps them: copies, which Siconos may free. */
#ifndef THUD_BENCH_SICONOS_MATRIX_H
#define THUD_BENCH_SICONOS_MATRIX_H

#include "thud/contact.h"

#include <siconos/numerics/NumericsMatrix.h>

/* Any storage of thud's to dense (NM_DENSE) or triplets (NM_SPARSE); blocks also to blocks (NM_SPARSE_BLOCK). */
NumericsMatrix *bench_siconos_matrix(const thud_matrix *matrix, NM_types storage);
/* A copy of x[n] (zeros when NULL) that free() takes. */
double *bench_siconos_vector(const double *x, size_t n);

#endif
