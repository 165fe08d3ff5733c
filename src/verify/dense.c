#include "verify/dense.h"

#include <math.h>

double thud_verify_dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

double thud_verify_norm(size_t n, const double *x) {
  double largest = 0, sum = 0;
  for (size_t i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (!(largest > 0) || isinf(largest)) return largest;
  for (size_t i = 0; i < n; i++) sum += (x[i] / largest) * (x[i] / largest);
  return largest * sqrt(sum);
}

double thud_verify_distance(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += (x[i] - y[i]) * (x[i] - y[i]);
  return sqrt(sum);
}

bool thud_verify_cholesky(size_t n, double *A) {
  for (size_t j = 0; j < n; j++) {
    double *row = A + j * n;
    double pivot = row[j] - thud_verify_dot(j, row, row);
    /* A pivot that is rounding error of its own diagonal entry says: singular to working precision. */
    if (!(pivot > 0x1p-50 * (double)n * fabs(row[j]))) return false;
    row[j] = sqrt(pivot);
    for (size_t i = j + 1; i < n; i++) A[i * n + j] = (A[i * n + j] - thud_verify_dot(j, A + i * n, row)) / row[j];
  }
  return true;
}

void thud_verify_cholesky_forward(size_t n, const double *L, const double *x, double *out) {
  for (size_t i = 0; i < n; i++) out[i] = (x[i] - thud_verify_dot(i, L + i * n, out)) / L[i * n + i];
}

void thud_verify_cholesky_backward(size_t n, const double *L, double *x) {
  for (size_t i = n; i-- > 0;) {
    for (size_t k = i + 1; k < n; k++) x[i] -= L[k * n + i] * x[k];
    x[i] /= L[i * n + i];
  }
}

void thud_verify_cholesky_solve(size_t n, const double *L, double *x) {
  thud_verify_cholesky_forward(n, L, x, x);
  thud_verify_cholesky_backward(n, L, x);
}
