#include "verify/math/verify_dense.h"

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

/* Places of the entries of a vector that are not 0, as long as they are few: masses of large systems and rows of their
 * gradients are mostly zeros, and products with those are left out. */
enum { FEW = 16 };
typedef struct few_entries {
  size_t count; /* above FEW: too many */
  size_t place[FEW];
} few_entries;

static void note_entry(few_entries *few, size_t place, double x) {
  if (x == 0 || few->count > FEW) return;
  if (few->count < FEW) few->place[few->count] = place;
  few->count++;
}

/* x.y over the first n entries; few: those of y. */
static double dot_few(const few_entries *few, size_t n, const double *x, const double *y) {
  if (few->count > FEW) return thud_verify_dot(n, x, y);
  double sum = 0;
  for (size_t k = 0; k < few->count; k++) sum += x[few->place[k]] * y[few->place[k]];
  return sum;
}

bool thud_verify_cholesky(size_t n, double *A) {
  for (size_t j = 0; j < n; j++) {
    double *row = A + j * n;
    few_entries few = {0};
    for (size_t k = 0; k < j; k++) note_entry(&few, k, row[k]);
    double pivot = row[j] - dot_few(&few, j, row, row);
    /* A pivot that is rounding error of its own diagonal entry says: singular to working precision. */
    if (!(pivot > 0x1p-50 * (double)n * fabs(row[j]))) return false;
    row[j] = sqrt(pivot);
    for (size_t i = j + 1; i < n; i++) A[i * n + j] = (A[i * n + j] - dot_few(&few, j, A + i * n, row)) / row[j];
  }
  return true;
}

void thud_verify_cholesky_forward(size_t n, const double *L, const double *x, double *out) {
  few_entries few = {0};
  for (size_t i = 0; i < n; i++) {
    out[i] = (x[i] - dot_few(&few, i, L + i * n, out)) / L[i * n + i];
    note_entry(&few, i, out[i]);
  }
}

void thud_verify_cholesky_backward(size_t n, const double *L, double *x) {
  for (size_t k = n; k-- > 0;) {
    x[k] /= L[k * n + k];
    for (size_t i = 0; x[k] != 0 && i < k; i++) x[i] -= L[k * n + i] * x[k];
  }
}

void thud_verify_cholesky_solve(size_t n, const double *L, double *x) {
  thud_verify_cholesky_forward(n, L, x, x);
  thud_verify_cholesky_backward(n, L, x);
}
