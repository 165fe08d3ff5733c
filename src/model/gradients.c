#include "model/gradients.h"

#include <math.h>
#include <string.h>

static double dot(size_t n, const double *a, const double *b) {
  double sum = 0;
  for (size_t j = 0; j < n; j++) sum += a[j] * b[j];
  return sum;
}

void thud_model_to_orthonormal(size_t n, const double *factor, const double *a, double *y) {
  for (size_t i = 0; i < n; i++) y[i] = (a[i] - dot(i, factor + i * n, y)) / factor[i * n + i];
}

double thud_model_normalise(size_t n, double *y) {
  double length = thud_metric_norm(NULL, (thud_index)n, y);
  for (size_t j = 0; j < n && length > 0; j++) y[j] /= length;
  return length;
}

double thud_model_complement(size_t n, size_t rank, const double *basis, double *y) {
  for (int pass = 0; pass < 2; pass++)
    for (size_t k = 0; k < rank; k++) {
      double share = dot(n, basis + k * n, y);
      for (size_t j = 0; j < n; j++) y[j] -= share * basis[k * n + j];
    }
  return thud_metric_norm(NULL, (thud_index)n, y);
}

size_t thud_model_basis(size_t n, size_t count, const double *rows, const bool *use, double *basis) {
  size_t rank = 0;
  for (size_t i = 0; i < count && rank < n; i++) {
    double *next = basis + rank * n;
    if (use != NULL && !use[i]) continue;
    memcpy(next, rows + i * n, n * sizeof *next);
    if (thud_model_complement(n, rank, basis, next) <= MODEL_RANK_TOLERANCE) continue;
    thud_model_normalise(n, next);
    rank++;
  }
  return rank;
}
