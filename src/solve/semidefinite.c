#include "solve/semidefinite.h"

#include <math.h>
#include <string.h>

/* Pivots below this part of their diagonal entry are rounding errors of a semidefinite block. */
static const double SEMIDEFINITE = 1e-14;

void thud_semidefinite_factor(size_t n, const double *A, double *F) {
  memset(F, 0, n * n * sizeof(double));
  for (size_t j = 0; j < n; j++) {
    double pivot = A[j * n + j];
    for (size_t k = 0; k < j; k++) pivot -= F[j * n + k] * F[j * n + k];
    if (!(pivot > SEMIDEFINITE * fabs(A[j * n + j]))) continue;
    F[j * n + j] = sqrt(pivot);
    for (size_t i = j + 1; i < n; i++) {
      double entry = A[j * n + i];
      for (size_t k = 0; k < j; k++) entry -= F[i * n + k] * F[j * n + k];
      F[i * n + j] = entry / F[j * n + j];
    }
  }
}

void thud_semidefinite_solve(size_t n, const double *F, double *x) {
  for (size_t i = 0; i < n; i++) {
    for (size_t k = 0; k < i; k++) x[i] -= F[i * n + k] * x[k];
    x[i] = F[i * n + i] > 0 ? x[i] / F[i * n + i] : 0;
  }
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) x[i] -= F[k * n + i] * x[k];
    x[i] = F[i * n + i] > 0 ? x[i] / F[i * n + i] : 0;
  }
}
