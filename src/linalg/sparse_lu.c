#include "linalg/sparse_lu.h"
#include "base/base.h"

#ifdef THUD_WITH_GPL

#include <float.h>
#include <math.h>
#include <umfpack.h>

_Static_assert(sizeof(thud_index) == sizeof(int), "UMFPACK's di routines take thud_index for int");

bool thud_sparse_lu_is_available(void) { return true; }

/* The unsymmetric strategy at once: UMFPACK's own choice can cost a hundred times as much. */
static void set_options(double *control) {
  umfpack_di_defaults(control);
  control[UMFPACK_PRL] = 0;
  control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_UNSYMMETRIC;
  control[UMFPACK_IRSTEP] = 0; /* callers judge their answers themselves */
}

static thud_error report(thud_context *context, int status, const char *step) {
  if (status == UMFPACK_ERROR_out_of_memory)
    return thud_fail(context, THUD_ERROR_MEMORY, "sparse LU: out of memory in UMFPACK's %s", step);
  return thud_fail(context, THUD_ERROR_INTERNAL, "sparse LU: UMFPACK's %s reports status %d", step, status);
}

static thud_error report_singular(thud_context *context, const thud_sparse_lu *lu) {
  return thud_fail(context, THUD_ERROR_SINGULAR,
                   "sparse LU: the matrix is singular to working precision (ratio of pivots %.3g)", lu->pivot_ratio);
}

static void forget_factor(thud_sparse_lu *lu) {
  if (lu->numeric != NULL) umfpack_di_free_numeric(&lu->numeric);
  lu->numeric = NULL;
}

void thud_sparse_lu_free(thud_sparse_lu *lu) {
  forget_factor(lu);
  if (lu->symbolic != NULL) umfpack_di_free_symbolic(&lu->symbolic);
  lu->symbolic = NULL;
}

/* Given values (which may be NULL) the order of pivots also looks at them. */
static thud_error analyse(thud_context *context, const thud_sparse_rows *A, const double *value, bool symmetric,
                          thud_sparse_lu *lu) {
  double control[UMFPACK_CONTROL];
  thud_sparse_lu_free(lu);
  set_options(control);
  if (symmetric) control[UMFPACK_STRATEGY] = UMFPACK_STRATEGY_SYMMETRIC;
  int status = umfpack_di_symbolic(A->n, A->n, A->start, A->column, value, &lu->symbolic, control, NULL);
  if (status == UMFPACK_WARNING_singular_matrix)
    return thud_fail(context, THUD_ERROR_SINGULAR, "sparse LU: a row or column is empty");
  return status == UMFPACK_OK ? THUD_OK : report(context, status, "analysis");
}

thud_error thud_sparse_lu_analyse(thud_context *context, const thud_sparse_rows *A, bool symmetric,
                                  thud_sparse_lu *lu) {
  return A->n == 0 ? THUD_OK : analyse(context, A, NULL, symmetric, lu);
}

/* UMFPACK takes columns: given rows it factorizes the transpose, and solves with the transpose of that. */
thud_error thud_sparse_lu_factorize(thud_context *context, const thud_sparse_rows *A, thud_sparse_lu *lu) {
  double control[UMFPACK_CONTROL], info[UMFPACK_INFO];
  if (A->n == 0) return THUD_OK;
  forget_factor(lu);
  set_options(control);
  int status = umfpack_di_numeric(A->start, A->column, A->value, lu->symbolic, &lu->numeric, control, info);
  lu->pivot_ratio = info[UMFPACK_RCOND];
  if (status == UMFPACK_WARNING_singular_matrix) {
    forget_factor(lu);
    return report_singular(context, lu);
  }
  return status == UMFPACK_OK ? THUD_OK : report(context, status, "factorization");
}

thud_error thud_sparse_lu_apply(thud_context *context, const thud_sparse_rows *A, const thud_sparse_lu *lu,
                                const double *b, double *x) {
  double control[UMFPACK_CONTROL];
  if (A->n == 0) return THUD_OK;
  if (lu->numeric == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "sparse LU: nothing to solve with");
  set_options(control);
  int status = umfpack_di_solve(UMFPACK_At, A->start, A->column, A->value, x, b, lu->numeric, control, NULL);
  return status == UMFPACK_OK ? THUD_OK : report(context, status, "solution");
}

thud_error thud_sparse_lu_solve(thud_context *context, const thud_sparse_rows *A, const double *b, double *x) {
  thud_sparse_lu lu = {0};
  if (A->n == 0) return THUD_OK;
  thud_error error = analyse(context, A, A->value, false, &lu);
  if (error == THUD_OK) error = thud_sparse_lu_factorize(context, A, &lu);
  if (error == THUD_OK && !(lu.pivot_ratio > DBL_EPSILON)) error = report_singular(context, &lu);
  if (error == THUD_OK) error = thud_sparse_lu_apply(context, A, &lu, b, x);
  thud_sparse_lu_free(&lu);
  return error;
}

#else

bool thud_sparse_lu_is_available(void) { return false; }

static thud_error refuse(thud_context *context) {
  return thud_fail(context, THUD_ERROR_UNSUPPORTED, "sparse LU: this library was built without UMFPACK");
}

thud_error thud_sparse_lu_analyse(thud_context *context, const thud_sparse_rows *A, bool symmetric,
                                  thud_sparse_lu *lu) {
  (void)A;
  (void)symmetric;
  (void)lu;
  return refuse(context);
}

thud_error thud_sparse_lu_factorize(thud_context *context, const thud_sparse_rows *A, thud_sparse_lu *lu) {
  (void)A;
  (void)lu;
  return refuse(context);
}

thud_error thud_sparse_lu_apply(thud_context *context, const thud_sparse_rows *A, const thud_sparse_lu *lu,
                                const double *b, double *x) {
  (void)A;
  (void)lu;
  (void)b;
  (void)x;
  return refuse(context);
}

thud_error thud_sparse_lu_solve(thud_context *context, const thud_sparse_rows *A, const double *b, double *x) {
  (void)A;
  (void)b;
  (void)x;
  return refuse(context);
}

void thud_sparse_lu_free(thud_sparse_lu *lu) { (void)lu; }

#endif
