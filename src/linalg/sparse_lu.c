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

/* UMFPACK takes columns: given rows it factorizes the transpose, and solves with the transpose of that. */
static thud_error solve_with(thud_context *context, const thud_sparse_rows *A, void *symbolic, const double *control,
                             const double *b, double *x) {
  void *numeric = NULL;
  double info[UMFPACK_INFO];
  thud_error error = THUD_OK;
  int status = umfpack_di_numeric(A->start, A->column, A->value, symbolic, &numeric, control, info);
  if (status == UMFPACK_WARNING_singular_matrix || (status == UMFPACK_OK && !(info[UMFPACK_RCOND] > DBL_EPSILON)))
    error =
        thud_fail(context, THUD_ERROR_SINGULAR,
                  "sparse LU: the matrix is singular to working precision (ratio of pivots %.3g)", info[UMFPACK_RCOND]);
  else if (status != UMFPACK_OK)
    error = report(context, status, "factorization");
  if (error == THUD_OK) {
    status = umfpack_di_solve(UMFPACK_At, A->start, A->column, A->value, x, b, numeric, control, info);
    if (status != UMFPACK_OK) error = report(context, status, "solution");
  }
  umfpack_di_free_numeric(&numeric);
  return error;
}

thud_error thud_sparse_lu_solve(thud_context *context, const thud_sparse_rows *A, const double *b, double *x) {
  if (A->n == 0) return THUD_OK;
  double control[UMFPACK_CONTROL];
  void *symbolic = NULL;
  set_options(control);
  int status = umfpack_di_symbolic(A->n, A->n, A->start, A->column, A->value, &symbolic, control, NULL);
  thud_error error = THUD_OK;
  if (status == UMFPACK_WARNING_singular_matrix)
    error = thud_fail(context, THUD_ERROR_SINGULAR, "sparse LU: a row or column is empty");
  else if (status != UMFPACK_OK)
    error = report(context, status, "analysis");
  else
    error = solve_with(context, A, symbolic, control, b, x);
  umfpack_di_free_symbolic(&symbolic);
  return error;
}

#else

bool thud_sparse_lu_is_available(void) { return false; }

thud_error thud_sparse_lu_solve(thud_context *context, const thud_sparse_rows *A, const double *b, double *x) {
  (void)A;
  (void)b;
  (void)x;
  return thud_fail(context, THUD_ERROR_UNSUPPORTED, "sparse LU: this library was built without UMFPACK");
}

#endif
