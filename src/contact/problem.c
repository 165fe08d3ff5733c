/* Sizes and names of problems; products with the matrices they carry. */
#include "contact/problem.h"
#include "base/base.h"

size_t thud_contact_size(const thud_contact_problem *problem) {
  THUD_REQUIRE_OR(0, problem);
  return (size_t)problem->dimension * (size_t)problem->contacts;
}

size_t thud_contact_ndof(const thud_contact_problem *problem) {
  THUD_REQUIRE_OR(0, problem);
  if (problem->form == THUD_FORM_GLOBAL) return (size_t)problem->M.rows;
  if (problem->form == THUD_FORM_TWO_BLOCK) return (size_t)problem->two_block.bodies * (size_t)problem->two_block.block;
  return 0;
}

const char *thud_contact_kind_name(const thud_contact_problem *problem) {
  THUD_REQUIRE_OR("no problem", problem);
  static const char *const names[][3] = {
      {"LCP, local form", "LCP, global form", "LCP, two-block form"},
      {"2D friction, local form", "2D friction, global form", "2D friction, two-block form"},
      {"3D friction, local form", "3D friction, global form", "3D friction, two-block form"},
      {"spinning friction, local form", "spinning friction, global form", "spinning friction, two-block form"},
      {"rolling friction, local form", "rolling friction, global form", "rolling friction, two-block form"},
      {"rolling and spinning friction, local form", "rolling and spinning friction, global form",
       "rolling and spinning friction, two-block form"},
      {"2D rolling friction, local form", "2D rolling friction, global form", "2D rolling friction, two-block form"}};
  const thud_disc_layout *layout = thud_disc_layout_of(problem->dimension, problem->friction);
  if (layout == NULL || problem->form < THUD_FORM_LOCAL || problem->form > THUD_FORM_TWO_BLOCK)
    return "unknown kind of problem";
  bool plane_rolling = problem->friction == THUD_FRICTION_PLANE_ROLLING;
  return names[plane_rolling ? THUD_CONTACT_DIMENSION_MAX : problem->dimension - 1][problem->form];
}

static void scale_vector(size_t n, double factor, double *y) {
  for (size_t i = 0; i < n; i++) y[i] = factor == 0 ? 0 : factor * y[i];
}

/* y += alpha A' x, block by block in the order they are stored. */
static void add_transposed_blocks(const thud_bsr *A, double alpha, const double *x, double *y) {
  size_t rows = (size_t)A->rows_per_block, columns = (size_t)A->columns_per_block;
  const double *block = A->values;
  for (thud_index i = 0; i < A->block_rows; i++)
    for (thud_index p = A->row_start[i]; p < A->row_start[i + 1]; p++)
      for (size_t c = 0; c < columns; c++, block += rows) {
        double sum = 0;
        for (size_t r = 0; r < rows; r++) sum += block[r] * x[(size_t)i * rows + r];
        y[(size_t)A->block_column[p] * columns + c] += alpha * sum;
      }
}

void thud_matrix_multiply_vector(thud_context *context, const thud_matrix *A, bool transposed, double alpha,
                                 const double *x, double beta, double *y) {
  THUD_REQUIRE_OR(, A, x, y);
  switch (A->storage) {
  case THUD_MATRIX_DENSE:
    thud_dense_multiply_vector(A->rows, A->columns, A->dense, transposed, alpha, x, beta, y);
    break;
  case THUD_MATRIX_SPARSE: thud_sparse_multiply_vector(&A->sparse, transposed, alpha, x, beta, y); break;
  case THUD_MATRIX_BLOCKS:
    if (!transposed) {
      thud_bsr_multiply_vector(context, &A->blocks, alpha, x, beta, y);
      break;
    }
    scale_vector((size_t)A->columns, beta, y);
    add_transposed_blocks(&A->blocks, alpha, x, y);
    break;
  case THUD_MATRIX_OPERATOR:
    A->products.apply(A->products.user, x, y);
    if (alpha != 1) scale_vector((size_t)A->rows, alpha, y);
    break;
  default: scale_vector((size_t)(transposed ? A->columns : A->rows), beta, y); break;
  }
}
