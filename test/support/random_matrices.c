#include "random_matrices.h"

#include <math.h>
#include <stdlib.h>

double *thud_test_doubles(size_t count) {
  double *x = calloc(count > 0 ? count : 1, sizeof *x);
  assert_non_null(x);
  return x;
}

void thud_test_random_vector(thud_random *random, size_t n, double *x) {
  for (size_t i = 0; i < n; i++) x[i] = thud_random_normal(random);
}

void thud_test_random_spd(thud_random *random, thud_index n, double shift, double *A) {
  size_t size = (size_t)n;
  double *B = thud_test_doubles(size * size);
  thud_test_random_vector(random, size * size, B);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = i == j ? shift : 0;
      for (size_t k = 0; k < size; k++) sum += B[i + k * size] * B[j + k * size];
      A[i + j * size] = A[j + i * size] = sum;
    }
  free(B);
}

void thud_test_random_orthogonal(thud_random *random, thud_index n, double *Q) {
  size_t size = (size_t)n;
  thud_test_random_vector(random, size * size, Q);
  for (size_t j = 0; j < size; j++) {
    double *column = Q + j * size;
    for (int pass = 0; pass < 2; pass++)
      for (size_t k = 0; k < j; k++) {
        double overlap = thud_test_dot(size, Q + k * size, column);
        for (size_t i = 0; i < size; i++) column[i] -= overlap * Q[i + k * size];
      }
    double norm = sqrt(thud_test_dot(size, column, column));
    thud_assert_greater(norm, 1e-8);
    for (size_t i = 0; i < size; i++) column[i] /= norm;
  }
}

void thud_test_random_with_eigenvalues(thud_random *random, thud_index n, const double *values, double *A) {
  size_t size = (size_t)n;
  double *Q = thud_test_doubles(size * size);
  thud_test_random_orthogonal(random, n, Q);
  for (size_t i = 0; i < size; i++)
    for (size_t j = 0; j <= i; j++) {
      double sum = 0;
      for (size_t k = 0; k < size; k++) sum += values[k] * Q[i + k * size] * Q[j + k * size];
      A[i + j * size] = A[j + i * size] = sum;
    }
  free(Q);
}

void thud_test_multiply(thud_index m, thud_index n, const double *A, bool transposed, const double *x, double *y) {
  size_t rows = (size_t)m, columns = (size_t)n;
  for (size_t k = 0; k < (transposed ? columns : rows); k++) {
    y[k] = 0;
    for (size_t l = 0; l < (transposed ? rows : columns); l++)
      y[k] += (transposed ? A[l + k * rows] : A[k + l * rows]) * x[l];
  }
}

double thud_test_dot(size_t n, const double *x, const double *y) {
  double sum = 0;
  for (size_t i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

double thud_test_max(size_t n, const double *x) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    assert_true(isfinite(x[i]));
    largest = fmax(largest, fabs(x[i]));
  }
  return largest;
}

double thud_test_max_difference(size_t n, const double *x, const double *y) {
  double largest = 0;
  for (size_t i = 0; i < n; i++) {
    assert_true(isfinite(x[i]) && isfinite(y[i]));
    largest = fmax(largest, fabs(x[i] - y[i]));
  }
  return largest;
}
