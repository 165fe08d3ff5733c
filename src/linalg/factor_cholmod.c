/* CHOLMOD behind factor.h: LDL' is simplicial; Cholesky is simplicial LDL' or supernodal LL', as CHOLMOD finds
 * profitable. One cholmod_common per factor, silent; AMD alone orders, so that results do not depend on what else
 * CHOLMOD was built with. */
#ifdef THUD_WITH_GPL

#include "linalg/factor.h"
#include "base/base.h"

#include <cholmod.h>
#include <string.h>

struct thud_factor_backend {
  thud_factor_kind kind;
  const thud_lower_pattern *pattern;
  cholmod_common common;
  cholmod_factor *L;
  cholmod_dense *X, *Y, *E; /* solution and work of cholmod_solve2, kept from solve to solve */
  /* Input of thud_pivot_error, [n] each, in pivot order. */
  double *scale, *inherited;
  thud_index *terms;
};

static thud_error report(thud_context *context, const cholmod_common *common, const char *what) {
  if (common->status == CHOLMOD_OUT_OF_MEMORY)
    return thud_fail(context, THUD_ERROR_MEMORY, "factor: out of memory in CHOLMOD's %s", what);
  if (common->status == CHOLMOD_TOO_LARGE)
    return thud_fail(context, THUD_ERROR_OVERFLOW, "factor: the matrix is too large for CHOLMOD's %s", what);
  return thud_fail(context, THUD_ERROR_INTERNAL, "factor: CHOLMOD's %s reports status %d", what, common->status);
}

/* CHOLMOD's view of the lower triangle; it writes to none of the arrays. */
static cholmod_sparse view(const thud_lower_pattern *pattern, const double *value) {
  cholmod_sparse A = {
      .nrow = (size_t)pattern->n, .ncol = (size_t)pattern->n, .nzmax = (size_t)pattern->start[pattern->n]};
  A.p = (void *)pattern->start;
  A.i = (void *)pattern->row;
  A.x = (void *)value;
  A.stype = -1;
  A.itype = CHOLMOD_INT;
  A.xtype = value != NULL ? CHOLMOD_REAL : CHOLMOD_PATTERN;
  A.dtype = CHOLMOD_DOUBLE;
  A.sorted = A.packed = 1;
  return A;
}

static void set_options(thud_factor_kind kind, cholmod_common *common) {
  common->print = 0;
  common->error_handler = NULL;
  common->nmethods = 1;
  common->method[0].ordering = CHOLMOD_AMD;
  common->postorder = 1;
  common->supernodal = kind == THUD_FACTOR_LDL ? CHOLMOD_SIMPLICIAL : CHOLMOD_AUTO;
  common->final_asis = 1;
  common->quick_return_if_not_posdef = 1;
}

thud_error thud_factor_backend_create(thud_context *context, const thud_lower_pattern *pattern, thud_factor_kind kind,
                                      thud_factor_backend **backend) {
  thud_factor_backend *made = THUD_NEW(context, thud_factor_backend);
  if (made == NULL) return THUD_ERROR_MEMORY;
  thud_error error = THUD_OK;
  cholmod_start(&made->common);
  set_options(kind, &made->common);
  made->kind = kind;
  made->pattern = pattern;
  made->scale = THUD_NEW_ARRAY(context, double, pattern->n);
  made->inherited = THUD_NEW_ARRAY(context, double, pattern->n);
  made->terms = THUD_NEW_ARRAY(context, thud_index, pattern->n);
  if (made->scale == NULL || made->inherited == NULL || made->terms == NULL) {
    error = THUD_ERROR_MEMORY;
  } else {
    cholmod_sparse A = view(pattern, NULL);
    made->L = cholmod_analyze(&A, &made->common);
    if (made->L == NULL) error = report(context, &made->common, "analysis");
  }
  if (error != THUD_OK) {
    thud_factor_backend_destroy(context, made);
    return error;
  }
  *backend = made;
  return THUD_OK;
}

void thud_factor_backend_destroy(thud_context *context, thud_factor_backend *backend) {
  if (backend == NULL) return;
  cholmod_free_factor(&backend->L, &backend->common);
  cholmod_free_dense(&backend->X, &backend->common);
  cholmod_free_dense(&backend->Y, &backend->common);
  cholmod_free_dense(&backend->E, &backend->common);
  cholmod_finish(&backend->common);
  thud_free(context, backend->scale);
  thud_free(context, backend->inherited);
  thud_free(context, backend->terms);
  thud_free(context, backend);
}

/* ---- pivots ------------------------------------------------------------------------------------- */

/* One column of the factor: entries l[0..count-1] below the diagonal in rows row[0..count-1]. */
typedef struct factor_column {
  double pivot; /* d_k, or l_kk^2 of an LL' */
  double unit;  /* l_ik = entry * unit is the entry of the L of LDL' */
  int count;
  const int *row;
  const double *entry;
} factor_column;

static factor_column simplicial_column(const cholmod_factor *L, size_t k) {
  const int *start = L->p, *count = L->nz, *row = L->i;
  const double *x = L->x;
  int first = start[k];
  return (factor_column){x[first], 1, count[k] - 1, row + first + 1, x + first + 1};
}

/* Column k of a supernodal LL', whose supernode is *s or a later one. */
static factor_column supernodal_column(const cholmod_factor *L, size_t k, size_t *s) {
  const int *super = L->super, *rows_at = L->pi, *values_at = L->px, *row = L->s;
  while ((size_t)super[*s + 1] <= k) (*s)++;
  int column = (int)k - super[*s], height = rows_at[*s + 1] - rows_at[*s];
  const double *diagonal = (const double *)L->x + values_at[*s] + (size_t)column * ((size_t)height + 1);
  return (factor_column){diagonal[0] * diagonal[0], 1 / diagonal[0], height - column - 1,
                         row + rows_at[*s] + column + 1, diagonal + 1};
}

static void find_bad_pivot(thud_factor_backend *backend, const double *value, bool shifted, thud_bad_pivot *bad) {
  const cholmod_factor *L = backend->L;
  const int *order = L->Perm;
  size_t supernode = 0;
  for (size_t k = 0; k < L->n; k++) {
    backend->scale[k] = fabs(value[backend->pattern->start[order[k]]]);
    backend->inherited[k] = 0;
    backend->terms[k] = 0;
  }
  for (size_t k = 0; k < L->n; k++) {
    factor_column column = L->is_super ? supernodal_column(L, k, &supernode) : simplicial_column(L, k);
    double error = thud_pivot_error(backend->scale[k], backend->terms[k], shifted ? 0 : backend->inherited[k]);
    if (thud_pivot_is_bad(backend->kind, column.pivot, error)) {
      *bad = (thud_bad_pivot){order[k], column.pivot, backend->scale[k]};
      return;
    }
    for (int r = 0; r < column.count; r++) {
      double l = column.entry[r] * column.unit;
      backend->scale[column.row[r]] += fabs(l * l * column.pivot);
      backend->inherited[column.row[r]] += l * l * error;
      backend->terms[column.row[r]]++;
    }
  }
}

thud_error thud_factor_backend_factorize(thud_context *context, thud_factor_backend *backend, const double *value,
                                         bool shifted, thud_bad_pivot *bad) {
  cholmod_sparse A = view(backend->pattern, value);
  bad->column = -1;
  int levels = thud_openmp_begin();
  THUD_BLAS(cholmod_factorize(&A, backend->L, &backend->common));
  thud_openmp_end(levels);
  if (backend->common.status < CHOLMOD_OK) return report(context, &backend->common, "factorisation");
  /* A singular LDL' is reported as CHOLMOD_OK; only minor shows it. */
  if (backend->L->minor < backend->L->n) {
    const int *order = backend->L->Perm;
    thud_index column = order[backend->L->minor];
    *bad = (thud_bad_pivot){column, backend->L->is_super ? NAN : 0, fabs(value[backend->pattern->start[column]])};
    return THUD_OK;
  }
  find_bad_pivot(backend, value, shifted, bad);
  return THUD_OK;
}

thud_error thud_factor_backend_solve(thud_context *context, thud_factor_backend *backend, size_t count, double *x) {
  size_t n = backend->L->n;
  cholmod_dense B = {
      .nrow = n, .ncol = count, .nzmax = n * count, .d = n, .x = x, .xtype = CHOLMOD_REAL, .dtype = CHOLMOD_DOUBLE};
  int levels = thud_openmp_begin(), solved;
  THUD_BLAS(solved = cholmod_solve2(CHOLMOD_A, backend->L, &B, NULL, &backend->X, NULL, &backend->Y, &backend->E,
                                    &backend->common));
  thud_openmp_end(levels);
  if (!solved) return report(context, &backend->common, "solution");
  memcpy(x, backend->X->x, n * count * sizeof *x);
  return THUD_OK;
}

#endif
