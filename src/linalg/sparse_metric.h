/* A symmetric positive definite matrix with a fixed sparse pattern: the mass of a large system. */
#ifndef THUD_SRC_LINALG_SPARSE_METRIC_H
#define THUD_SRC_LINALG_SPARSE_METRIC_H

#include "base/base.h"
#include "thud/linalg.h"

typedef struct thud_sparse_metric {
  thud_context *context;
  thud_index n;
  thud_index *start, *column; /* [n+1], [start[n]] by rows, which are also its columns: the pattern is symmetric */
  thud_index *mirror;         /* [start[n]] place of the entry (j, i) */
  thud_index *diagonal;       /* [n] place of the entry (i, i) */
  double *value;              /* [start[n]] */
  bool is_diagonal;           /* nothing beside the diagonal: no factor is needed */
  thud_factor *factor;        /* NULL for a diagonal matrix */
} thud_sparse_metric;

/* The smallest symmetric pattern with a full diagonal that covers `count` patterns by rows (start[k] NULL: none); the
 * values are 0. Columns increase within each given row. */
thud_error thud_sparse_metric_create(thud_context *context, thud_index n, size_t count, const thud_index *const *start,
                                     const thud_index *const *column, thud_sparse_metric **metric);
void thud_sparse_metric_destroy(thud_sparse_metric *metric);
/* Place of the entry (i, j) among the values, -1: it is not stored. */
thud_index thud_sparse_metric_place(const thud_sparse_metric *metric, thud_index i, thud_index j);
/* Factor of the present values; THUD_ERROR_NOT_SPD and the row whose pivot is not positive. */
thud_error thud_sparse_metric_factorise(thud_sparse_metric *metric, thud_index *failed);
/* y = M x; x'My. */
void thud_sparse_metric_apply(const thud_sparse_metric *metric, const double *x, double *y);
double thud_sparse_metric_product(const thud_sparse_metric *metric, const double *x, const double *y);
/* x = M^-1 x, in NaN where the factor cannot (no memory). */
THUD_FOR_IO void thud_sparse_metric_solve(const thud_sparse_metric *metric, double *x);

#endif
