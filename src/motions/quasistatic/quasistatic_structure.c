/* The structure: checks, the factor of K, compliance and stiffness in contact coordinates, and the linear system of one
 * combination of contact modes. */
#include "base/base.h"
#include "motions/quasistatic/quasistatic_motion.h"

#include <float.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* Structures up to this size have their inverse formed: a product of so many numbers costs less than two triangular
 * solves, and its rounding error is that of the solves times the condition number of K either way. */
enum { TINY = 16, MOST_DENSE = 1500, MOST_SOFT = 64 };

/* |K_ij - K_ji| up to this part of max |K| counts as symmetric. */
static const double ASYMMETRY = 1e-12;
/* Smallest eigenvalue of W with a diagonal of ones below which motions are soft. */
static const double SOFT = 1e-4;
/* Eigenvalues of K_c above minus this part of its largest one count as 0. */
static const double SEMIDEFINITE = 1e-10;

/* ---- names ------------------------------------------------------------------------------------------------------- */

const char *thud_elastic_unknown(const elastic_structure *structure, thud_index i, char text[160]) {
  const char *const *names = structure->problem->unknown_names;
  if (names != NULL)
    snprintf(text, 160, "the unknown '%.120s'", names[i]);
  else
    snprintf(text, 160, "the unknown %d", (int)i + 1);
  return text;
}

const char *thud_elastic_contact(const thud_quasistatic_problem *problem, thud_index i, char text[160]) {
  if (problem->contact_names != NULL)
    snprintf(text, 160, "contact '%.120s'", problem->contact_names[i]);
  else
    snprintf(text, 160, "contact %d", (int)i + 1);
  return text;
}

/* ---- checks ------------------------------------------------------------------------------------------------------ */

static double entry(const thud_matrix *K, thud_index i, thud_index j) {
  if (K->storage == THUD_MATRIX_DENSE) return K->dense[(size_t)i + (size_t)j * (size_t)K->rows];
  thud_index low = K->sparse.column_start[j], high = K->sparse.column_start[j + 1];
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    if (K->sparse.row[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  return low < K->sparse.column_start[j + 1] && K->sparse.row[low] == i ? K->sparse.value[low] : 0;
}

static thud_error refuse_asymmetry(const elastic_structure *structure, thud_index i, thud_index j) {
  char row[160], column[160];
  const thud_matrix *K = &structure->problem->K;
  return thud_fail(structure->context, THUD_ERROR_NOT_SPD,
                   "[not-symmetric] the stiffness matrix is not symmetric: between %s and %s it has %.15g one way and "
                   "%.15g the other; "
                   "an elastic energy U.KU/2 has a symmetric K",
                   thud_elastic_unknown(structure, i, row), thud_elastic_unknown(structure, j, column), entry(K, i, j),
                   entry(K, j, i));
}

static thud_error check_symmetry(const elastic_structure *structure) {
  const thud_matrix *K = &structure->problem->K;
  double largest = 0;
  if (K->storage == THUD_MATRIX_DENSE) {
    size_t n = (size_t)structure->n;
    largest = thud_norm_max(structure->context, n * n, K->dense, NULL);
    if (!isfinite(largest))
      return thud_fail(structure->context, THUD_ERROR_NOT_FINITE, "the stiffness matrix has an entry %g", largest);
    for (thud_index j = 0; j < structure->n; j++)
      for (thud_index i = 0; i < j; i++)
        if (fabs(entry(K, i, j) - entry(K, j, i)) > ASYMMETRY * largest) return refuse_asymmetry(structure, i, j);
    return THUD_OK;
  }
  thud_error error = thud_sparse_check(structure->context, &K->sparse);
  if (error != THUD_OK) return thud_fail_within(structure->context, error, "the stiffness matrix");
  largest = thud_norm_max(structure->context, (size_t)K->sparse.column_start[structure->n], K->sparse.value, NULL);
  for (thud_index j = 0; j < structure->n; j++)
    for (thud_index k = K->sparse.column_start[j]; k < K->sparse.column_start[j + 1]; k++)
      if (fabs(K->sparse.value[k] - entry(K, j, K->sparse.row[k])) > ASYMMETRY * largest)
        return refuse_asymmetry(structure, K->sparse.row[k], j);
  return THUD_OK;
}

static thud_error check_contact(const thud_quasistatic_problem *problem, thud_context *context, thud_index i) {
  char text[160];
  if (!isfinite(problem->gap[i]))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s: its gap is %g", thud_elastic_contact(problem, i, text),
                     problem->gap[i]);
  if (problem->dimension > 1 && !(problem->mu[i] >= 0 && isfinite(problem->mu[i])))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[no-power-series] %s: its coefficient of friction is %g; it must be 0 or greater",
                     thud_elastic_contact(problem, i, text), problem->mu[i]);
  for (thud_index k = 0; k < problem->dimension; k++) {
    thud_index column = i * problem->dimension + k;
    bool any = false;
    for (thud_index p = problem->H.column_start[column]; p < problem->H.column_start[column + 1]; p++)
      any = any || problem->H.value[p] != 0;
    if (!any)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] %s: its %s row is zero, no unknown moves it",
                       thud_elastic_contact(problem, i, text), k == 0 ? "normal" : "tangential");
  }
  return THUD_OK;
}

static thud_error check_problem(thud_context *context, const thud_quasistatic_problem *problem) {
  const thud_matrix *K = &problem->K;
  if (problem->unknowns < 1 || problem->contacts < 0)
    return thud_fail(context, THUD_ERROR_DIMENSION,
                     "[out-of-range] a quasi-static problem needs an unknown, it has %d, and %d contacts",
                     (int)problem->unknowns, (int)problem->contacts);
  if (problem->dimension < 1 || problem->dimension > 3)
    return thud_fail(context, THUD_ERROR_DIMENSION, "contacts have 1, 2 or 3 components, not %d",
                     (int)problem->dimension);
  if (K->storage != THUD_MATRIX_DENSE && K->storage != THUD_MATRIX_SPARSE)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "the stiffness matrix is to be dense or sparse");
  if (K->rows != problem->unknowns || K->columns != problem->unknowns)
    return thud_fail(context, THUD_ERROR_DIMENSION, "the stiffness matrix is %d x %d, there are %d unknowns",
                     (int)K->rows, (int)K->columns, (int)problem->unknowns);
  if (problem->contacts > INT32_MAX / 3 || problem->H.rows != problem->unknowns ||
      problem->H.columns != problem->contacts * problem->dimension)
    return thud_fail(context, THUD_ERROR_DIMENSION, "H is %d x %d, %d unknowns and %d contacts ask for something else",
                     (int)problem->H.rows, (int)problem->H.columns, (int)problem->unknowns, (int)problem->contacts);
  if (problem->load->dimension != problem->unknowns)
    return thud_fail(context, THUD_ERROR_DIMENSION, "the load has %d components, there are %d unknowns",
                     (int)problem->load->dimension, (int)problem->unknowns);
  thud_error error = thud_sparse_check(context, &problem->H);
  for (thud_index i = 0; i < problem->contacts && error == THUD_OK; i++) error = check_contact(problem, context, i);
  return error;
}

/* ---- the factor -------------------------------------------------------------------------------------------------- */

static thud_error factorize_dense(elastic_structure *structure, double shift) {
  const thud_quasistatic_problem *problem = structure->problem;
  size_t n = (size_t)structure->n;
  double *K = THUD_NEW_ARRAY(structure->context, double, n *n);
  if (K == NULL) return THUD_ERROR_MEMORY;
  for (thud_index j = 0; j < structure->n; j++)
    for (thud_index i = 0; i < structure->n; i++) /* the mean, so that rounding does not make it unsymmetric */
      K[(size_t)i + (size_t)j * n] = (entry(&problem->K, i, j) + entry(&problem->K, j, i)) / 2;
  const thud_sparse *H = &problem->H;
  for (thud_index k = 0; k < structure->m && shift > 0; k++)
    for (thud_index p = H->column_start[k]; p < H->column_start[k + 1]; p++)
      for (thud_index q = H->column_start[k]; q < H->column_start[k + 1]; q++)
        K[(size_t)H->row[p] + (size_t)H->row[q] * n] += shift * H->value[p] * H->value[q];
  thud_error error = thud_metric_create(structure->context, structure->n, K, &structure->dense);
  thud_free(structure->context, K);
  return error;
}

/* Triplets of K + s H H'. */
static thud_error add_contacts(elastic_structure *structure, double shift) {
  const thud_sparse *K = &structure->problem->K.sparse, *H = &structure->problem->H;
  size_t count = (size_t)K->column_start[K->columns], used = 0;
  for (thud_index k = 0; k < structure->m; k++) {
    size_t entries = (size_t)(H->column_start[k + 1] - H->column_start[k]);
    count += entries * entries;
  }
  thud_index *row = THUD_NEW_ARRAY(structure->context, thud_index, count);
  thud_index *column = THUD_NEW_ARRAY(structure->context, thud_index, count);
  double *value = THUD_NEW_ARRAY(structure->context, double, count);
  thud_error error = row != NULL && column != NULL && value != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index j = 0; j < K->columns && error == THUD_OK; j++)
    for (thud_index p = K->column_start[j]; p < K->column_start[j + 1]; p++, used++) {
      row[used] = K->row[p], column[used] = j, value[used] = K->value[p];
    }
  for (thud_index k = 0; k < structure->m && error == THUD_OK; k++)
    for (thud_index p = H->column_start[k]; p < H->column_start[k + 1]; p++)
      for (thud_index q = H->column_start[k]; q < H->column_start[k + 1]; q++, used++) {
        row[used] = H->row[p], column[used] = H->row[q], value[used] = shift * H->value[p] * H->value[q];
      }
  if (error == THUD_OK)
    error = thud_sparse_from_triplets(structure->context, structure->n, structure->n, used, row, column, value,
                                      &structure->shifted);
  thud_free(structure->context, row);
  thud_free(structure->context, column);
  thud_free(structure->context, value);
  return error;
}

static thud_error factorize_sparse(elastic_structure *structure, double shift) {
  const thud_sparse *K = &structure->problem->K.sparse;
  thud_error error = THUD_OK;
  if (shift > 0) {
    thud_sparse_destroy(structure->context, &structure->shifted);
    error = add_contacts(structure, shift);
    K = &structure->shifted;
  }
  thud_factor_destroy(structure->factor);
  structure->factor = NULL;
  if (error == THUD_OK) error = thud_factor_create(structure->context, K, THUD_FACTOR_CHOLESKY, &structure->factor);
  return error == THUD_OK ? thud_factor_factorize(structure->factor, K, NULL) : error;
}

static thud_error factorize(elastic_structure *structure, double shift) {
  bool dense = structure->problem->K.storage == THUD_MATRIX_DENSE || structure->n <= TINY;
  structure->shift = shift;
  return dense ? factorize_dense(structure, shift) : factorize_sparse(structure, shift);
}

/* Mean stiffness of the contact coordinates: the unit of the shift. */
static double typical_stiffness(const elastic_structure *structure) {
  double sum = 0;
  for (thud_index i = 0; i < structure->n; i++) sum += fabs(entry(&structure->problem->K, i, i));
  return sum > 0 ? sum / structure->n : 1;
}

/* Why K + s H H' has no factor: K is indefinite, or a motion z with K z = 0 and H' z = 0 is held by nothing. Adding a
 * little of the identity makes the second definite and not the first; the vector that it leaves large names the unknown. */
static thud_error explain_failure(elastic_structure *structure) {
  thud_context *context = structure->context;
  size_t n = (size_t)structure->n;
  char text[160], pivot[600];
  snprintf(pivot, sizeof pivot, "%s", thud_context_last_message(context));
  double *K = structure->n <= MOST_DENSE ? THUD_NEW_ARRAY(context, double, n *n) : NULL;
  double *values = K != NULL ? THUD_NEW_ARRAY(context, double, n) : NULL;
  double *vectors = values != NULL ? THUD_NEW_ARRAY(context, double, n *n) : NULL;
  thud_error error = THUD_ERROR_NOT_SPD;
  for (thud_index j = 0; j < structure->n && vectors != NULL; j++)
    for (thud_index i = 0; i < structure->n; i++) K[(size_t)i + (size_t)j * n] = entry(&structure->problem->K, i, j);
  bool known = vectors != NULL && thud_dense_eigen_symmetric(context, structure->n, K, values, vectors) == THUD_OK;
  size_t where = 0;
  if (known) (void)thud_norm_max(context, n, vectors, &where);
  if (known && values[0] < -1e-12 * fmax(fabs(values[n - 1]), fabs(values[0])))
    error = thud_fail(context, error,
                      "[not-held] the stiffness matrix is indefinite: its smallest eigenvalue is %.6g, and %s moves "
                      "most in that direction (%s)",
                      values[0], thud_elastic_unknown(structure, (thud_index)where, text), pivot);
  else if (known)
    error = thud_fail(context, error,
                      "[not-held] nothing holds %s: the stiffness matrix does not resist a motion that no contact "
                      "sees either; support it, or leave the unknown out",
                      thud_elastic_unknown(structure, (thud_index)where, text));
  else
    error = thud_fail(context, error,
                      "[not-held] the stiffness matrix is indefinite, or a motion is held neither by it nor by a "
                      "contact: %s",
                      pivot);
  thud_free(context, K);
  thud_free(context, values);
  thud_free(context, vectors);
  return error;
}

static thud_error hold(elastic_structure *structure) {
  thud_error error = factorize(structure, 0);
  if (error != THUD_ERROR_NOT_SPD && error != THUD_ERROR_SINGULAR) return error;
  if (structure->c == 0) return explain_failure(structure);
  structure->semidefinite = true;
  error = factorize(structure, typical_stiffness(structure));
  if (error != THUD_ERROR_NOT_SPD && error != THUD_ERROR_SINGULAR) return error;
  return explain_failure(structure);
}

/* ---- contact coordinates ----------------------------------------------------------------------------------------- */

thud_error thud_elastic_structure_solve(const elastic_structure *structure, const double *F, const double *x,
                                        double *U) {
  double *right = structure->work;
  memcpy(right, F, (size_t)structure->n * sizeof *right);
  if (x != NULL) thud_sparse_multiply_vector(&structure->problem->H, false, 1, x, 1, right);
  if (structure->inverse != NULL) {
    thud_dense_multiply_vector(structure->n, structure->n, structure->inverse, false, 1, right, 0, U);
    return THUD_OK;
  }
  if (structure->dense == NULL) return thud_factor_solve(structure->factor, 0, right, U, NULL);
  thud_metric_solve(structure->dense, structure->n, right, U);
  return THUD_OK;
}

void thud_elastic_structure_see(const elastic_structure *structure, const double *U, double *u) {
  thud_sparse_multiply_vector(&structure->problem->H, true, 1, U, 0, u);
}

void thud_elastic_structure_apply(const elastic_structure *structure, const double *U, double *y) {
  thud_matrix_multiply_vector(NULL, &structure->problem->K, false, 1, U, 0, y);
}

void thud_elastic_structure_condense(const elastic_structure *structure, const double *free, double *f) {
  thud_dense_multiply_vector(structure->m, structure->m, structure->stiffness, false, 1, free, 0, f);
  for (thud_index i = 0; i < structure->m; i++) f[i] += structure->shift * free[i];
}

static thud_error invert_tiny(elastic_structure *structure) {
  if (structure->n > TINY) return THUD_OK;
  size_t n = (size_t)structure->n;
  double *inverse = THUD_NEW_ARRAY(structure->context, double, n *n);
  if (inverse == NULL) return THUD_ERROR_MEMORY;
  for (size_t j = 0; j < n; j++) {
    inverse[j + j * n] = 1;
    thud_metric_solve(structure->dense, structure->n, inverse + j * n, inverse + j * n);
  }
  structure->inverse = inverse;
  return THUD_OK;
}

/* Columns of W that are solved for at once: the factor is read once for all of them. */
enum { COLUMNS = 32 };

static thud_error form_columns(const elastic_structure *structure) {
  size_t m = (size_t)structure->m, n = (size_t)structure->n, all;
  const thud_sparse *H = &structure->problem->H;
  double *U = thud_size_multiply(n, COLUMNS, &all) ? THUD_NEW_ARRAY(structure->context, double, all) : NULL;
  thud_error error = U != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (thud_index first = 0; first < structure->m && error == THUD_OK; first += COLUMNS) {
    thud_index count = structure->m - first < COLUMNS ? structure->m - first : COLUMNS;
    memset(U, 0, n * (size_t)count * sizeof *U);
    for (thud_index j = 0; j < count; j++)
      for (thud_index p = H->column_start[first + j]; p < H->column_start[first + j + 1]; p++)
        U[(size_t)H->row[p] + n * (size_t)j] += H->value[p];
    error = thud_factor_solve_many(structure->factor, count, U);
    for (thud_index j = 0; j < count && error == THUD_OK; j++)
      thud_elastic_structure_see(structure, U + n * (size_t)j, structure->W + m * (size_t)(first + j));
  }
  thud_free(structure->context, U);
  return error;
}

static thud_error form_columns_dense(const elastic_structure *structure) {
  size_t m = (size_t)structure->m, n = (size_t)structure->n;
  double *U = THUD_NEW_ARRAY(structure->context, double, n), *zero = THUD_NEW_ARRAY(structure->context, double, n);
  double *x = THUD_NEW_ARRAY(structure->context, double, m);
  thud_error error = U != NULL && zero != NULL && x != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t j = 0; j < m && error == THUD_OK; j++) {
    x[j] = 1;
    error = thud_elastic_structure_solve(structure, zero, x, U);
    x[j] = 0;
    thud_elastic_structure_see(structure, U, structure->W + j * m);
  }
  thud_free(structure->context, U);
  thud_free(structure->context, zero);
  thud_free(structure->context, x);
  return error;
}

/* W; symmetric to the last bit afterwards. */
static thud_error form_compliance(elastic_structure *structure) {
  size_t m = (size_t)structure->m;
  thud_error error = structure->factor != NULL ? form_columns(structure) : form_columns_dense(structure);
  for (size_t j = 0; j < m && error == THUD_OK; j++)
    for (size_t i = 0; i < j; i++)
      structure->W[i + j * m] = structure->W[j + i * m] = (structure->W[i + j * m] + structure->W[j + i * m]) / 2;
  return error;
}

/* K_c = W_s^-1 - s I. Dependent columns of H leave W singular: then there is no such matrix. */
static thud_error form_stiffness(elastic_structure *structure) {
  size_t m = (size_t)structure->m;
  double *K = THUD_NEW_ARRAY(structure->context, double, m *m);
  if (K == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < m; i++) K[i + i * m] = 1;
  thud_error error = thud_dense_solve(structure->context, structure->m, structure->W, structure->m, K);
  if (error != THUD_OK) {
    thud_free(structure->context, K);
    return error == THUD_ERROR_SINGULAR ? THUD_OK : error;
  }
  for (size_t j = 0; j < m; j++) {
    for (size_t i = 0; i < j; i++) K[i + j * m] = K[j + i * m] = (K[i + j * m] + K[j + i * m]) / 2;
    K[j + j * m] -= structure->shift;
  }
  structure->stiffness = K;
  return THUD_OK;
}

/* K + s H H' hides an indefinite K. With K definite on the motions that no contact sees, K and K_c are semidefinite
 * together. */
static thud_error check_held(elastic_structure *structure) {
  thud_context *context = structure->context;
  if (structure->shift == 0) return THUD_OK;
  if (structure->stiffness == NULL)
    return thud_fail(
        context, THUD_ERROR_SINGULAR,
        "[not-held] the stiffness matrix is semidefinite and rows of the contacts depend on each other: which of them "
        "holds the structure is not determined");
  double *values = THUD_NEW_ARRAY(context, double, structure->m);
  if (values == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_dense_eigen_symmetric(context, structure->m, structure->stiffness, values, NULL);
  double scale = fmax(structure->shift, fmax(fabs(values[0]), fabs(values[structure->m - 1])));
  bool indefinite = error == THUD_OK && values[0] < -SEMIDEFINITE * scale;
  thud_free(context, values);
  return indefinite ? explain_failure(structure) : error;
}

/* Whether W, scaled to a diagonal of ones, is nearly singular: a soft motion that several contact coordinates see, which
 * takes the digits of everything else. Small structures only: others have no exact modes to end the iteration with. */
static thud_error look_for_soft_motions(const elastic_structure *structure, bool *soft) {
  thud_context *context = structure->context;
  size_t m = (size_t)structure->m;
  *soft = false;
  if (structure->shift > 0 || structure->m > MOST_SOFT || (structure->d == 3 && structure->c > 1)) return THUD_OK;
  double *scaled = THUD_NEW_ARRAY(context, double, m *m), *values = THUD_NEW_ARRAY(context, double, m);
  thud_error error = scaled != NULL && values != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t i = 0; i < m * m && error == THUD_OK; i++)
    scaled[i] = structure->W[i] / sqrt(structure->W[i % m * (m + 1)] * structure->W[i / m * (m + 1)]);
  if (error == THUD_OK) error = thud_dense_eigen_symmetric(context, structure->m, scaled, values, NULL);
  *soft = error == THUD_OK && values[0] < SOFT;
  thud_free(context, scaled);
  thud_free(context, values);
  return error;
}

/* W once more, with another shift. */
static thud_error renew(elastic_structure *structure, double shift) {
  thud_metric_destroy(structure->dense);
  structure->dense = NULL;
  thud_free(structure->context, structure->inverse);
  structure->inverse = NULL;
  thud_error error = factorize(structure, shift);
  if (error == THUD_OK) error = invert_tiny(structure);
  return error == THUD_OK ? form_compliance(structure) : error;
}

/* Compliance and stiffness, with soft motions held by the contacts; contacts whose rows depend on each other, for which there
 * is no K_c, have the compliance of K itself. */
static thud_error form_both(elastic_structure *structure) {
  bool soft = false;
  if (structure->c == 0) return THUD_OK;
  thud_error error = form_compliance(structure);
  if (error == THUD_OK) error = look_for_soft_motions(structure, &soft);
  if (error == THUD_OK && soft) error = renew(structure, typical_stiffness(structure));
  if (error == THUD_OK) error = form_stiffness(structure);
  if (error == THUD_OK && soft && structure->stiffness == NULL) error = renew(structure, 0);
  return error;
}

thud_error thud_elastic_structure_create(thud_context *context, const thud_quasistatic_problem *problem,
                                         elastic_structure *structure) {
  *structure = (elastic_structure){.context = context,
                                   .problem = problem,
                                   .n = problem->unknowns,
                                   .m = problem->contacts * problem->dimension,
                                   .c = problem->contacts,
                                   .d = problem->dimension};
  thud_error error = check_problem(context, problem);
  if (error == THUD_OK) error = check_symmetry(structure);
  if (error == THUD_OK) error = hold(structure);
  if (error == THUD_OK) error = invert_tiny(structure);
  if (error != THUD_OK) return error;
  size_t m = (size_t)structure->m, square;
  if (!thud_size_multiply(m, m, &square))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "%zu contact coordinates are too many", m);
  structure->work = THUD_NEW_ARRAY(context, double, structure->n);
  structure->W = THUD_NEW_ARRAY(context, double, square);
  if (structure->work == NULL || structure->W == NULL) return THUD_ERROR_MEMORY;
  error = form_both(structure);
  return error == THUD_OK ? check_held(structure) : error;
}

void thud_elastic_structure_destroy(elastic_structure *structure) {
  thud_context *context = structure->context;
  thud_metric_destroy(structure->dense);
  thud_factor_destroy(structure->factor);
  thud_sparse_destroy(context, &structure->shifted);
  thud_free(context, structure->inverse);
  thud_free(context, structure->W);
  thud_free(context, structure->stiffness);
  thud_free(context, structure->work);
}

/* ---- one combination of modes ------------------------------------------------------------------------------------ */

thud_error thud_mode_system_create(const elastic_structure *structure, mode_system *system) {
  size_t m = (size_t)structure->m;
  thud_context *context = structure->context;
  *system = (mode_system){.structure = structure,
                          .A = THUD_NEW_ARRAY(context, double, m *m),
                          .b = THUD_NEW_ARRAY(context, double, m),
                          .unknown = THUD_NEW_ARRAY(context, thud_index, m),
                          .order = THUD_NEW_ARRAY(context, thud_index, m)};
  bool made = system->A != NULL && system->b != NULL && system->unknown != NULL && system->order != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_mode_system_destroy(mode_system *system) {
  if (system->structure == NULL) return;
  thud_context *context = system->structure->context;
  thud_free(context, system->A);
  thud_free(context, system->b);
  thud_free(context, system->unknown);
  thud_free(context, system->order);
}

/* Known components of u, and the list of the others. */
static thud_index place_unknowns(const mode_system *system, const thud_elastic_mode *modes, double *u) {
  const elastic_structure *structure = system->structure;
  thud_index count = 0, d = structure->d;
  for (thud_index i = 0; i < structure->c; i++) {
    thud_index N = i * d;
    u[N] = system->closed != NULL ? system->closed[i] : 0;
    if (d > 1) u[N + 1] = system->stuck != NULL ? system->stuck[N + 1] : 0;
    if (modes[i] == THUD_ELASTIC_OPEN) {
      u[N] = 0;
      system->unknown[count++] = N;
    }
    if (d > 1 && modes[i] != THUD_ELASTIC_STICK) {
      u[N + 1] = 0;
      system->unknown[count++] = N + 1;
    }
  }
  return count;
}

/* Row of the equation that belongs to a coordinate: that of K itself, for slipping contacts less s mu times the normal
 * one. */
static void fill_rows(const mode_system *system, const thud_elastic_mode *modes, thud_index count, const double *u,
                      double *scale) {
  const elastic_structure *structure = system->structure;
  size_t m = (size_t)structure->m;
  const double *K = structure->stiffness, *mu = structure->problem->mu;
  *scale = 0;
  for (thud_index row = 0; row < count; row++) {
    size_t i = (size_t)system->unknown[row];
    thud_index contact = system->unknown[row] / structure->d;
    double factor = thud_mode_slips(modes[contact]) ? thud_mode_sign(modes[contact]) * mu[contact] : 0;
    double right = system->f[i] - (factor != 0 ? factor * system->f[i - 1] : 0);
    for (size_t j = 0; j < m; j++)
      if (u[j] != 0) right -= (K[i + j * m] - (factor != 0 ? factor * K[i - 1 + j * m] : 0)) * u[j];
    system->b[row] = right;
    for (thud_index column = 0; column < count; column++) {
      size_t j = (size_t)system->unknown[column];
      double value = K[i + j * m] - (factor != 0 ? factor * K[i - 1 + j * m] : 0);
      system->A[row + column * count] = value;
      *scale = fmax(*scale, fabs(K[i + j * m]) + fabs(factor != 0 ? factor * K[i - 1 + j * m] : 0));
    }
  }
}

static void swap_rows(mode_system *system, thud_index n, thud_index a, thud_index b) {
  for (thud_index j = 0; j < n; j++) {
    double kept = system->A[a + j * n];
    system->A[a + j * n] = system->A[b + j * n];
    system->A[b + j * n] = kept;
  }
  double kept = system->b[a];
  system->b[a] = system->b[b];
  system->b[b] = kept;
}

static void swap_columns(mode_system *system, thud_index n, thud_index a, thud_index b) {
  for (thud_index i = 0; i < n; i++) {
    double kept = system->A[i + a * n];
    system->A[i + a * n] = system->A[i + b * n];
    system->A[i + b * n] = kept;
  }
  thud_index kept = system->order[a];
  system->order[a] = system->order[b];
  system->order[b] = kept;
}

/* Gauss with full pivoting, which shows the rank; returns it. Pivots below the rounding error of the entries are 0. */
static thud_index eliminate(mode_system *system, thud_index n, double scale) {
  double *A = system->A;
  system->softness = 1;
  for (thud_index k = 0; k < n; k++) system->order[k] = k;
  for (thud_index k = 0; k < n; k++) {
    thud_index row = k, column = k;
    for (thud_index j = k; j < n; j++)
      for (thud_index i = k; i < n; i++)
        if (fabs(A[i + j * n]) > fabs(A[row + column * n])) row = i, column = j;
    if (fabs(A[row + column * n]) <= 64 * n * DBL_EPSILON * scale) return k;
    system->softness = fmax(system->softness, scale / fabs(A[row + column * n]));
    swap_rows(system, n, k, row);
    swap_columns(system, n, k, column);
    for (thud_index i = k + 1; i < n; i++) {
      double factor = A[i + k * n] / A[k + k * n];
      if (factor == 0) continue;
      for (thud_index j = k + 1; j < n; j++) A[i + j * n] -= factor * A[k + j * n];
      system->b[i] -= factor * system->b[k];
      A[i + k * n] = 0;
    }
  }
  return n;
}

/* x of the first `rank` pivots with the others as given in x. */
static void substitute(const mode_system *system, thud_index n, thud_index rank, const double *right, double *x) {
  for (thud_index i = rank; i-- > 0;) {
    double sum = right != NULL ? right[i] : 0;
    for (thud_index j = i + 1; j < n; j++) sum -= system->A[i + j * n] * x[j];
    x[i] = sum / system->A[i + i * n];
  }
}

void thud_modes_reactions(const mode_system *system, const thud_elastic_mode *modes, const double *u, double *r) {
  const elastic_structure *structure = system->structure;
  thud_dense_multiply_vector(structure->m, structure->m, structure->stiffness, false, 1, u, 0, r);
  for (thud_index i = 0; i < structure->c; i++) {
    double *part = r + (ptrdiff_t)i * structure->d;
    for (thud_index k = 0; k < structure->d; k++)
      part[k] = modes[i] == THUD_ELASTIC_OPEN ? 0 : part[k] - system->f[i * structure->d + k];
    if (thud_mode_slips(modes[i])) part[1] = thud_mode_sign(modes[i]) * structure->problem->mu[i] * part[0];
  }
}

/* A motion that the system does not resist, of largest component 1. */
static void find_direction(const mode_system *system, thud_index n, thud_index rank, double *x, double *direction) {
  size_t m = (size_t)system->structure->m;
  memset(direction, 0, m * sizeof *direction);
  if (rank == n) return;
  memset(x, 0, m * sizeof *x);
  x[rank] = 1;
  substitute(system, n, rank, NULL, x);
  double largest = thud_norm_max(NULL, (size_t)n, x, NULL);
  for (thud_index k = 0; k < n; k++) direction[system->unknown[system->order[k]]] = x[k] / largest;
}

mode_answer thud_modes_solve(mode_system *system, const thud_elastic_mode *modes, double *u, double *r,
                             double *direction) {
  thud_index m = system->structure->m, n = place_unknowns(system, modes, u);
  double scale, load = 0, *x = r; /* r is free until the end */
  fill_rows(system, modes, n, u, &scale);
  for (thud_index i = 0; i < n; i++) load = fmax(load, fabs(system->b[i]));
  thud_index rank = eliminate(system, n, scale);
  if (direction != NULL) find_direction(system, n, rank, x, direction);
  for (thud_index i = rank; i < n; i++)
    if (fabs(system->b[i]) > 1e-11 * load) return MODES_NONE;
  memset(x, 0, (size_t)m * sizeof *x);
  substitute(system, n, rank, system->b, x);
  for (thud_index k = 0; k < n; k++) u[system->unknown[system->order[k]]] = x[k];
  thud_modes_reactions(system, modes, u, r);
  return rank < n ? MODES_SINGULAR : MODES_REGULAR;
}
