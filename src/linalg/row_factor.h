/* Triangular solves with a lower factor that is stored by rows, as systems keep that of their mass. */
#ifndef THUD_SRC_LINALG_ROW_FACTOR_H
#define THUD_SRC_LINALG_ROW_FACTOR_H

#include "thud/linalg.h"

/* x = L^-1 x, L^-T x for L[n*n] row-major. */
static inline void thud_factor_forward(thud_index n, const double *L, double *x) {
  thud_index first = 0; /* zeros in front stay zeros */
  while (first < n && x[first] == 0) first++;
  for (thud_index i = first; i < n; i++) {
    double sum = x[i];
    for (thud_index j = first; j < i; j++) sum -= L[i * n + j] * x[j];
    x[i] = sum / L[i * n + i];
  }
}

static inline void thud_factor_backward(thud_index n, const double *L, double *x) {
  for (thud_index i = n; i-- > 0;) {
    x[i] /= L[i * n + i];
    for (thud_index j = 0; j < i; j++) x[j] -= L[i * n + j] * x[i];
  }
}

#endif
