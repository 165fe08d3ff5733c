/* One row of a gradient, full or with the entries of its pattern alone; and the mass of values of either kind. */
#ifndef THUD_SRC_MODEL_ROWS_H
#define THUD_SRC_MODEL_ROWS_H

#include "linalg/row_factor.h"
#include "linalg/sparse_metric.h"
#include "thud/model.h"

#include <math.h>

typedef struct thud_row {
  thud_index count;
  const thud_index *column; /* [count] NULL: 0, 1, .. */
  const double *value;      /* [count] */
} thud_row;

static inline thud_row thud_row_of(const thud_row_list *list, thud_index i) {
  thud_index first = list->start[i];
  return (thud_row){list->start[i + 1] - first, list->column + first, list->value + first};
}

/* The gradient of constraint i, slip row k; n coordinates. */
static inline thud_row thud_gradient_row(const thud_system_values *values, thud_index n, thud_index i) {
  if (values->sparse != NULL) return thud_row_of(&values->sparse->gradient, i);
  return (thud_row){n, NULL, values->gradient + (ptrdiff_t)i * n};
}

static inline thud_row thud_slip_row(const thud_system_values *values, thud_index n, thud_index k) {
  if (values->sparse != NULL) return thud_row_of(&values->sparse->slip, k);
  return (thud_row){n, NULL, values->slip + (ptrdiff_t)k * n};
}

static inline double thud_row_dot(thud_row row, const double *x) {
  double sum = 0;
  if (row.column == NULL)
    for (thud_index k = 0; k < row.count; k++) sum += row.value[k] * x[k];
  else
    for (thud_index k = 0; k < row.count; k++) sum += row.value[k] * x[row.column[k]];
  return sum;
}

/* y += factor row */
static inline void thud_row_add(thud_row row, double factor, double *y) {
  for (thud_index k = 0; k < row.count; k++) y[row.column == NULL ? k : row.column[k]] += factor * row.value[k];
}

/* thud_row_dot with every term by its size. */
static inline double thud_row_size(thud_row row, const double *x) {
  double sum = 0;
  for (thud_index k = 0; k < row.count; k++) sum += fabs(row.value[k] * x[row.column == NULL ? k : row.column[k]]);
  return sum;
}

/* x = M^-1 x with the factor of the values. */
static inline void thud_values_solve_mass(const thud_system_values *values, thud_index n, double *x) {
  if (values->sparse != NULL) {
    thud_sparse_metric_solve(values->sparse->mass, x);
    return;
  }
  thud_factor_forward(n, values->mass_factor, x);
  thud_factor_backward(n, values->mass_factor, x);
}

/* y = M x. */
static inline void thud_values_apply_mass(const thud_system_values *values, thud_index n, const double *x, double *y) {
  if (values->sparse != NULL) {
    thud_sparse_metric_apply(values->sparse->mass, x, y);
    return;
  }
  for (thud_index i = 0; i < n; i++) {
    double row = 0;
    for (thud_index j = 0; j < n; j++) row += values->mass[i * n + j] * x[j];
    y[i] = row;
  }
}

/* x'My. */
static inline double thud_values_product(const thud_system_values *values, thud_index n, const double *x,
                                         const double *y) {
  if (values->sparse != NULL) return thud_sparse_metric_product(values->sparse->mass, x, y);
  double sum = 0;
  for (thud_index i = 0; i < n; i++) {
    double row = 0;
    for (thud_index j = 0; j < n; j++) row += values->mass[i * n + j] * y[j];
    sum += x[i] * row;
  }
  return sum;
}

#endif
