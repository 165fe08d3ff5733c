/* Coefficients by norms, sufficient and quick for any number of contacts.
 *
 * Rates. Two rate solutions differ by d with d.Kd <= sum_i mu_i |(K_N d)_i| |d_Ti| <= mu |R K_N| |d|^2, K_N the N rows
 * of K, R = diag(ratio): none besides d = 0 when mu < lmin(K)/|R K_N|. One contact: condition (5).
 *
 * Static map. With thresholds G on |r_T| the static problem has one solution; two thresholds give |d|_K^2 <= |dG||d_T|,
 * |d_T|^2 <= lmax((K^-1)_TT) |d|_K^2 and |R dr_N|^2 = |R K_N d|^2 <= lmax(R K_NN R) |d|_K^2 (K_N K^-1 K_N' = K_NN): the
 * map G -> mu R r_N has the Lipschitz constant mu sqrt(lmax(R K_NN R) lmax((K^-1)_TT)). One contact: condition (7),
 * mu < sqrt(lmin(K_T)/(w.K_T^-1 w)), is larger. */
#include "motions/quasistatic/critical.h"
#include "base/base.h"
#include "linalg/dense.h"

#include <math.h>
#include <string.h>

static thud_error largest_eigenvalue(thud_context *context, thud_index n, const double *A, double *largest) {
  double *values = THUD_NEW_ARRAY(context, double, n);
  if (values == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_dense_eigen_symmetric(context, n, A, values, NULL);
  *largest = values[n - 1];
  thud_free(context, values);
  return error;
}

/* rows[n*m] (column-major) = R K_N. */
static double *normal_rows(const thud_critical_work *work) {
  thud_index n = work->contacts, m = work->size;
  double *rows = THUD_NEW_ARRAY(work->context, double, (size_t)n *(size_t)m);
  for (thud_index j = 0; rows != NULL && j < m; j++)
    for (thud_index i = 0; i < n; i++)
      rows[thud_at(n, i, j)] = work->ratio[i] * thud_critical_entry(work, thud_critical_index(work, i, 0), (size_t)j);
  return rows;
}

thud_error thud_critical_rate_sufficient(const thud_critical_work *work, thud_critical_row *row) {
  thud_index n = work->contacts;
  double *rows = normal_rows(work), *square = THUD_NEW_ARRAY(work->context, double, (size_t)n *(size_t)n), largest = 0;
  thud_error error = THUD_ERROR_MEMORY;
  if (rows != NULL && square != NULL) {
    thud_dense_multiply(n, n, work->size, 1, rows, false, rows, true, 0, square);
    error = largest_eigenvalue(work->context, n, square, &largest);
  }
  if (error == THUD_OK) row->value = row->low = work->smallest / sqrt(largest);
  thud_free(work->context, square);
  thud_free(work->context, rows);
  return error;
}

/* Condition (7) of one contact. */
static thud_error contraction_one(const thud_critical_work *work, thud_critical_row *row) {
  thud_index t = work->components - 1;
  double K_T[4], w[2], values[2], vectors[4], compliance = 0;
  thud_critical_one_contact(work, K_T, w);
  thud_error error = thud_dense_eigen_symmetric(work->context, t, K_T, values, vectors);
  if (error != THUD_OK) return error;
  for (thud_index k = 0; k < t; k++) {
    double along = 0;
    for (thud_index i = 0; i < t; i++) along += vectors[thud_at(t, i, k)] * w[i];
    compliance += along * along / values[k];
  }
  row->value = row->low = sqrt(values[0] / compliance); /* INFINITY without coupling */
  return THUD_OK;
}

/* *largest = lmax((K^-1)_TT) = lmax(X'X), L X = the T columns of the identity, K = LL'. */
static thud_error tangential_compliance(const thud_critical_work *work, double *largest) {
  thud_context *context = work->context;
  thud_index m = work->size, t = m - work->contacts;
  double *L = THUD_NEW_ARRAY(context, double, (size_t)m *(size_t)m);
  double *X = THUD_NEW_ARRAY(context, double, (size_t)m *(size_t)t);
  double *square = THUD_NEW_ARRAY(context, double, (size_t)t *(size_t)t);
  thud_error error = L != NULL && X != NULL && square != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    memcpy(L, work->K, (size_t)m * (size_t)m * sizeof *L);
    error = thud_dense_cholesky(context, m, L, NULL);
  }
  if (error == THUD_OK) {
    thud_index column = 0;
    for (thud_index k = 0; k < m; k++)
      if (k % work->components != 0) {
        X[thud_at(m, k, column)] = 1;
        thud_dense_solve_lower(m, L, false, X + thud_at(m, 0, column++));
      }
    thud_dense_multiply(t, t, m, 1, X, true, X, false, 0, square);
    error = largest_eigenvalue(context, t, square, largest);
  }
  thud_free(context, square);
  thud_free(context, X);
  thud_free(context, L);
  return error;
}

thud_error thud_critical_contraction(const thud_critical_work *work, thud_critical_row *row) {
  if (work->contacts == 1) return contraction_one(work, row);
  thud_index n = work->contacts;
  double normal = 0, tangential = 0;
  double *K_NN = THUD_NEW_ARRAY(work->context, double, (size_t)n *(size_t)n);
  if (K_NN == NULL) return THUD_ERROR_MEMORY;
  for (thud_index j = 0; j < n; j++)
    for (thud_index i = 0; i < n; i++)
      K_NN[thud_at(n, i, j)] =
          work->ratio[i] * work->ratio[j] *
          thud_critical_entry(work, thud_critical_index(work, i, 0), thud_critical_index(work, j, 0));
  thud_error error = largest_eigenvalue(work->context, n, K_NN, &normal);
  thud_free(work->context, K_NN);
  if (error == THUD_OK) error = tangential_compliance(work, &tangential);
  if (error == THUD_OK) row->value = row->low = 1 / sqrt(normal * tangential);
  return error;
}
