/* Block-sparse rows. */
#include "linalg/compressed.h"
#include "base/base.h"

#include <math.h>

thud_error thud_bsr_check(thud_context *context, const thud_bsr *A) {
  THUD_REQUIRE(context, A);
  static const thud_compressed_names names = {"block rows", "block row", "block column"};
  if (A->block_rows < 0 || A->block_columns < 0 || A->rows_per_block < 1 || A->columns_per_block < 1)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "block rows: %d x %d blocks of %d x %d entries", (int)A->block_rows,
                     (int)A->block_columns, (int)A->rows_per_block, (int)A->columns_per_block);
  if (A->row_start == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "block rows: row_start is NULL, its first entry 0 is always needed");
  if (A->block_rows > 0 && A->row_start[A->block_rows] > 0 && (A->block_column == NULL || A->values == NULL))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "block rows: block_column or values is NULL");
  thud_error error =
      thud_compressed_check(context, &names, A->block_rows, A->block_columns, A->row_start, A->block_column);
  if (error != THUD_OK) return error;
  size_t block_size = (size_t)A->rows_per_block * (size_t)A->columns_per_block;
  size_t entries = (size_t)A->row_start[A->block_rows] * block_size, bad = thud_first_not_finite(entries, A->values);
  if (bad == entries) return THUD_OK;
  size_t block = bad / block_size, k = bad % block_size;
  thud_index i = 0;
  while ((size_t)A->row_start[i + 1] <= block) i++;
  return thud_fail(context, THUD_ERROR_NOT_FINITE, "block rows: entry (%d,%d) of block (%d,%d) is %g",
                   (int)(k % (size_t)A->rows_per_block), (int)(k / (size_t)A->rows_per_block), (int)i,
                   (int)A->block_column[block], A->values[bad]);
}

/* ---- product ------------------------------------------------------------------------------------ */

/* Block rows handed out together: enough work to be worth a task, and a fixed number, so that nothing depends on the
 * number of threads. Each row is summed by one task in the order of its blocks. */
enum { ROWS_PER_TASK = 128, UNROLLED = 6 };

typedef struct product {
  const thud_bsr *A;
  double alpha, beta;
  const double *x;
  double *y;
} product;

static double combine(const product *job, double sum, double old) {
  return job->beta == 0 ? job->alpha * sum : job->alpha * sum + job->beta * old;
}

/* One block row with a constant height after inlining: the sums stay in registers. */
static inline void multiply_row(const product *job, thud_index i, const thud_index height) {
  const thud_bsr *A = job->A;
  size_t width = (size_t)A->columns_per_block, rows = (size_t)height;
  double sum[UNROLLED] = {0};
  const double *block = A->values + (size_t)A->row_start[i] * rows * width;
  for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++) {
    const double *x = job->x + (size_t)A->block_column[p] * width;
    for (size_t c = 0; c < width; c++, block += rows)
      for (size_t r = 0; r < rows; r++) sum[r] += block[r] * x[c];
  }
  double *y = job->y + (size_t)i * rows;
  for (size_t r = 0; r < rows; r++) y[r] = combine(job, sum[r], y[r]);
}

/* The same sums in the same order for blocks of any height, one row of the matrix at a time. */
static void multiply_tall_row(const product *job, thud_index i) {
  const thud_bsr *A = job->A;
  size_t width = (size_t)A->columns_per_block, rows = (size_t)A->rows_per_block;
  for (size_t r = 0; r < rows; r++) {
    double sum = 0;
    for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++) {
      const double *block = A->values + (size_t)p * rows * width, *x = job->x + (size_t)A->block_column[p] * width;
      for (size_t c = 0; c < width; c++) sum += block[r + c * rows] * x[c];
    }
    double *y = job->y + (size_t)i * rows + r;
    *y = combine(job, sum, *y);
  }
}

static void multiply_task(void *user, size_t k) {
  const product *job = user;
  size_t first = k * ROWS_PER_TASK, last = first + ROWS_PER_TASK;
  if (last > (size_t)job->A->block_rows) last = (size_t)job->A->block_rows;
  for (thud_index i = (thud_index)first; i < (thud_index)last; i++) switch (job->A->rows_per_block) {
    case 1: multiply_row(job, i, 1); break;
    case 2: multiply_row(job, i, 2); break;
    case 3: multiply_row(job, i, 3); break;
    case 4: multiply_row(job, i, 4); break;
    case 5: multiply_row(job, i, 5); break;
    case 6: multiply_row(job, i, 6); break;
    default: multiply_tall_row(job, i); break;
    }
}

void thud_bsr_multiply_vector(thud_context *context, const thud_bsr *A, double alpha, const double *x, double beta,
                              double *y) {
  THUD_REQUIRE_OR(, A, x, y);
  product job = {.A = A, .alpha = alpha, .beta = beta, .x = x};
  job.y = y;
  thud_parallel_for(context, ((size_t)A->block_rows + ROWS_PER_TASK - 1) / ROWS_PER_TASK, multiply_task, &job);
}
