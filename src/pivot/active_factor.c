#include "pivot/active_factor.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

/* Reorthogonalise while a pass still takes away more than this fraction of the vector: "twice is enough" (Parlett,
 * after Kahan), a third pass serves vectors that are in the span but for rounding. */
static const double REORTHOGONALISE_BELOW = 0.7;
enum { MAX_PASSES = 3 };

double thud_pivot_norm(thud_index n, const double *x) {
  double largest = 0, sum = 0;
  for (thud_index i = 0; i < n; i++) largest = fmax(largest, fabs(x[i]));
  if (largest == 0 || !isfinite(largest)) return largest;
  int exponent;
  frexp(largest, &exponent);
  if (exponent > -400 && exponent < 400) {
    for (thud_index i = 0; i < n; i++) sum += x[i] * x[i];
    return sqrt(sum);
  }
  for (thud_index i = 0; i < n; i++) {
    double scaled = ldexp(x[i], -exponent);
    sum += scaled * scaled;
  }
  return ldexp(sqrt(sum), exponent);
}

thud_error thud_active_factor_init(thud_context *context, thud_index n, thud_index capacity,
                                   thud_active_factor *factor) {
  size_t length = (size_t)n, columns = (size_t)capacity; /* 32-bit factors: the products fit into 64 bits */
  *factor = (thud_active_factor){.n = n, .capacity = capacity};
  factor->Q = THUD_NEW_ARRAY(context, double, length *columns);
  factor->R = THUD_NEW_ARRAY(context, double, columns *columns);
  factor->scratch = THUD_NEW_ARRAY(context, double, columns);
  if (factor->Q != NULL && factor->R != NULL && factor->scratch != NULL) return THUD_OK;
  thud_active_factor_release(context, factor);
  return THUD_ERROR_MEMORY;
}

void thud_active_factor_release(thud_context *context, thud_active_factor *factor) {
  thud_free(context, factor->Q);
  thud_free(context, factor->R);
  thud_free(context, factor->scratch);
  *factor = (thud_active_factor){0};
}

void thud_active_factor_coordinates(const thud_active_factor *factor, const double *v, double *c) {
  if (factor->count > 0) thud_dense_multiply_vector(factor->n, factor->count, factor->Q, true, 1, v, 0, c);
}

void thud_active_factor_expand(const thud_active_factor *factor, double alpha, const double *c, double beta,
                               double *v) {
  if (factor->count > 0) {
    thud_dense_multiply_vector(factor->n, factor->count, factor->Q, false, alpha, c, beta, v);
  } else {
    for (thud_index i = 0; i < factor->n; i++) v[i] = beta == 0 ? 0 : beta * v[i];
  }
}

double thud_active_factor_split(thud_active_factor *factor, const double *a, double *c, double *z) {
  memcpy(z, a, (size_t)factor->n * sizeof *z);
  for (thud_index k = 0; k < factor->count; k++) c[k] = 0;
  double norm = thud_pivot_norm(factor->n, z);
  for (int pass = 0; pass < MAX_PASSES && factor->count > 0; pass++) {
    double before = norm;
    thud_active_factor_coordinates(factor, z, factor->scratch);
    thud_active_factor_expand(factor, -1, factor->scratch, 1, z);
    for (thud_index k = 0; k < factor->count; k++) c[k] += factor->scratch[k];
    norm = thud_pivot_norm(factor->n, z);
    if (norm > REORTHOGONALISE_BELOW * before) break;
  }
  return norm;
}

void thud_active_factor_append(thud_active_factor *factor, const double *c, const double *z, double z_norm) {
  size_t q = (size_t)factor->count, n = (size_t)factor->n, leading = (size_t)factor->capacity;
  double *column = factor->Q + q * n;
  for (size_t i = 0; i < n; i++) column[i] = z[i] / z_norm;
  memcpy(factor->R + q * leading, c, q * sizeof *c);
  factor->R[q * leading + q] = z_norm;
  factor->count++;
}

static void rotate(size_t n, double cosine, double sine, double *x, double *y) {
  for (size_t i = 0; i < n; i++) {
    double old = x[i];
    x[i] = cosine * old + sine * y[i];
    y[i] = cosine * y[i] - sine * old;
  }
}

void thud_active_factor_remove(thud_active_factor *factor, thud_index j) {
  size_t n = (size_t)factor->n, leading = (size_t)factor->capacity, last = (size_t)--factor->count;
  double *R = factor->R;
  for (size_t k = (size_t)j; k < last; k++) memcpy(R + k * leading, R + (k + 1) * leading, (k + 2) * sizeof *R);
  /* R is now upper Hessenberg from column j on: rotation k clears its subdiagonal entry (k+1, k). */
  for (size_t k = (size_t)j; k < last; k++) {
    double *diagonal = R + k * leading + k;
    double length = hypot(diagonal[0], diagonal[1]);
    if (length == 0) continue;
    double cosine = diagonal[0] / length, sine = diagonal[1] / length;
    diagonal[0] = length;
    diagonal[1] = 0;
    for (size_t l = k + 1; l < last; l++) rotate(1, cosine, sine, R + l * leading + k, R + l * leading + k + 1);
    rotate(n, cosine, sine, factor->Q + k * n, factor->Q + (k + 1) * n);
  }
}

void thud_active_factor_solve(const thud_active_factor *factor, bool transposed, double *c) {
  size_t q = (size_t)factor->count, leading = (size_t)factor->capacity;
  for (size_t step = 0; step < q; step++) {
    size_t k = transposed ? step : q - 1 - step;
    const double *column = factor->R + k * leading;
    if (transposed) {
      for (size_t i = 0; i < k; i++) c[k] -= column[i] * c[i];
      c[k] /= column[k];
    } else {
      c[k] /= column[k];
      for (size_t i = 0; i < k; i++) c[i] -= column[i] * c[k];
    }
  }
}
