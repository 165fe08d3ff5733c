/* The linear system of Newton's method, reduced to what is unknown at each contact:
 *   rows of contact k     sum_j P_k' W_kj (S_j y_j + c_j) + D_k y_k + P_k' V_k dl = -b_k
 *   rows of bilaterals    sum_j V_j' (S_j y_j + c_j) + R dl = -u_b
 * dense by columns, or sparse by rows. */
#include "solve/newton.h"
#include "linalg/dense.h"
#include "linalg/sparse_lu.h"
#include "solve/newton_space.h"

#include <math.h>
#include <string.h>

enum { BLOCK_MAX = THUD_NEWTON_DIMENSION_MAX * THUD_NEWTON_DIMENSION_MAX };

/* ---- blocks ----------------------------------------------------------------------------------------------- */

/* out = P_k' W S_j, unknowns_k x unknowns_j, column-major. */
static inline void reduce_sized(size_t d, const thud_newton_line *k, const thud_newton_line *j, const double *W,
                                double *out) {
  size_t rows = (size_t)k->unknowns, columns = (size_t)j->unknowns;
  double image[THUD_NEWTON_DIMENSION_MAX];
  for (size_t c = 0; c < columns; c++) {
    const double *x = W + c * d;
    if (!j->plain_S) {
      const double *S = j->S + c * d;
      for (size_t i = 0; i < d; i++) image[i] = 0;
      for (size_t l = 0; l < d; l++)
        for (size_t i = 0; i < d; i++) image[i] += W[l * d + i] * S[l];
      x = image;
    }
    for (size_t m = 0; m < rows; m++) {
      const double *P = k->P + m * d;
      double sum = k->plain_P ? x[m] : 0;
      for (size_t i = 0; !k->plain_P && i < d; i++) sum += P[i] * x[i];
      out[c * rows + m] = sum;
    }
  }
}

static void reduce(size_t d, const thud_newton_line *k, const thud_newton_line *j, const double *W, double *out) {
  switch (d) {
  case 1: reduce_sized(1, k, j, W, out); break;
  case 2: reduce_sized(2, k, j, W, out); break;
  case 3: reduce_sized(3, k, j, W, out); break;
  case 4: reduce_sized(4, k, j, W, out); break;
  case 5: reduce_sized(5, k, j, W, out); break;
  default: reduce_sized(THUD_NEWTON_DIMENSION_MAX, k, j, W, out); break;
  }
}

/* right_k -= P_k' W c_j */
static void move_known(size_t d, const thud_newton_line *k, const thud_newton_line *j, const double *W, double *right) {
  double image[THUD_NEWTON_DIMENSION_MAX] = {0};
  for (size_t l = 0; l < d; l++)
    for (size_t i = 0; i < d; i++) image[i] += W[l * d + i] * j->c[l];
  for (size_t m = 0; m < (size_t)k->unknowns; m++)
    for (size_t i = 0; i < d; i++) right[k->first + (thud_index)m] -= k->P[m * d + i] * image[i];
}

/* ---- where the entries go ------------------------------------------------------------------------------- */

/* Some consecutive rows of the system under construction; all of them have entries in the same columns. */
typedef struct row_writer {
  thud_newton *newton;
  size_t n;           /* unknowns of the system */
  size_t first, rows; /* rows under way */
  size_t length;      /* sparse: entries of each so far */
} row_writer;

/* Sparse: makes room for rows of `entries` entries each. */
static void begin_rows(row_writer *writer, size_t first, size_t rows, size_t entries) {
  thud_newton *newton = writer->newton;
  writer->first = first;
  writer->rows = rows;
  writer->length = 0;
  for (size_t m = 0; newton->sparse && m < rows; m++)
    newton->start[first + m + 1] = newton->start[first + m] + (thud_index)entries;
}

/* Entries of `columns` columns from `column` on, column-major; columns increase from call to call. */
static inline void put(row_writer *writer, size_t column, size_t columns, const double *entry) {
  thud_newton *newton = writer->newton;
  if (!newton->sparse) {
    double *at = newton->matrix + column * writer->n + writer->first;
    for (size_t c = 0; c < columns; c++)
      for (size_t m = 0; m < writer->rows; m++) at[c * writer->n + m] = entry[c * writer->rows + m];
    return;
  }
  for (size_t m = 0; m < writer->rows; m++) {
    size_t at = (size_t)newton->start[writer->first + m] + writer->length;
    for (size_t c = 0; c < columns; c++) {
      newton->column[at + c] = (thud_index)(column + c);
      newton->value[at + c] = entry[c * writer->rows + m];
    }
  }
  writer->length += columns;
}

/* ---- rows of contacts ------------------------------------------------------------------------------------- */

/* Walks through the bilateral columns that the d components of a contact touch, in increasing order. */
typedef struct bilateral_walk {
  thud_index at[THUD_NEWTON_DIMENSION_MAX];
} bilateral_walk;

static bilateral_walk walk_begin(const thud_newton *newton, size_t k) {
  bilateral_walk walk;
  for (size_t i = 0; i < newton->d; i++) walk.at[i] = newton->V_rows.column_start[k * newton->d + i];
  return walk;
}

/* The next column and its d entries; false at the end. */
static bool walk_next(const thud_newton *newton, size_t k, bilateral_walk *walk, thud_index *column, double *entry) {
  const thud_sparse *V = &newton->V_rows; /* stored by columns of V' */
  size_t d = newton->d;
  thud_index least = (thud_index)newton->rows;
  for (size_t i = 0; i < d; i++)
    if (walk->at[i] < V->column_start[k * d + i + 1] && V->row[walk->at[i]] < least) least = V->row[walk->at[i]];
  if ((size_t)least == newton->rows) return false;
  for (size_t i = 0; i < d; i++) {
    bool here = walk->at[i] < V->column_start[k * d + i + 1] && V->row[walk->at[i]] == least;
    entry[i] = here ? V->value[walk->at[i]++] : 0;
  }
  *column = least;
  return true;
}

static size_t count_entries(const thud_newton *newton, size_t k) {
  size_t entries = (size_t)newton->lines[k].unknowns;
  for (thud_index p = newton->W.row_start[k]; p < newton->W.row_start[k + 1]; p++)
    entries += (size_t)newton->lines[newton->W.column[p]].unknowns;
  if (newton->rows > 0) {
    bilateral_walk walk = walk_begin(newton, k);
    thud_index column;
    double entry[THUD_NEWTON_DIMENSION_MAX];
    while (walk_next(newton, k, &walk, &column, entry)) entries++;
  }
  return entries;
}

static inline void put_contact_block(row_writer *writer, size_t k, size_t j, const double *W, double *right) {
  const thud_newton_line *row = &writer->newton->lines[k], *other = &writer->newton->lines[j];
  double out[BLOCK_MAX];
  if (other->unknowns > 0) {
    reduce(writer->newton->d, row, other, W, out);
    for (size_t c = 0; j == k && c < writer->rows; c++)
      for (size_t m = 0; m < writer->rows; m++) out[c * writer->rows + m] += row->D[c * writer->newton->d + m];
    put(writer, (size_t)other->first, (size_t)other->unknowns, out);
  }
  if (other->moves) move_known(writer->newton->d, row, other, W, right);
}

static void put_contact_rows(row_writer *writer, size_t k, size_t contact_unknowns, double shift, double *right) {
  thud_newton *newton = writer->newton;
  const thud_newton_line *line = &newton->lines[k];
  size_t d = newton->d;
  double diagonal[BLOCK_MAX];
  begin_rows(writer, (size_t)line->first, (size_t)line->unknowns, newton->sparse ? count_entries(newton, k) : 0);
  memcpy(diagonal, newton->W.diagonal + k * d * d, d * d * sizeof(double));
  for (size_t i = 0; i < d; i++) diagonal[i * (d + 1)] += shift * newton->lambda[k];
  for (size_t m = 0; m < (size_t)line->unknowns; m++) right[line->first + (thud_index)m] = -line->b[m];

  thud_index p = newton->W.row_start[k], end = newton->W.row_start[k + 1];
  for (; p < end && (size_t)newton->W.column[p] < k; p++)
    put_contact_block(writer, k, (size_t)newton->W.column[p], newton->W.values + (size_t)p * d * d, right);
  put_contact_block(writer, k, k, diagonal, right);
  for (; p < end; p++)
    put_contact_block(writer, k, (size_t)newton->W.column[p], newton->W.values + (size_t)p * d * d, right);

  if (newton->rows == 0) return;
  bilateral_walk walk = walk_begin(newton, k);
  thud_index column;
  double entry[THUD_NEWTON_DIMENSION_MAX], out[THUD_NEWTON_DIMENSION_MAX];
  while (walk_next(newton, k, &walk, &column, entry)) {
    for (size_t m = 0; m < (size_t)line->unknowns; m++) {
      out[m] = 0;
      for (size_t i = 0; i < d; i++) out[m] += line->P[m * d + i] * entry[i];
    }
    put(writer, contact_unknowns + (size_t)column, 1, out);
  }
}

/* ---- bilateral rows ----------------------------------------------------------------------------------------- */

/* The contact at entry *p of column i of V, and its d entries; moves *p on to the next contact. */
static size_t next_contact(const thud_newton *newton, size_t i, thud_index *p, double *entry) {
  size_t d = newton->d, k = (size_t)newton->V.row[*p] / d;
  for (size_t c = 0; c < d; c++) entry[c] = 0;
  for (; *p < newton->V.column_start[i + 1] && (size_t)newton->V.row[*p] / d == k; (*p)++)
    entry[(size_t)newton->V.row[*p] % d] = newton->V.value[*p];
  return k;
}

static size_t count_bilateral_entries(const thud_newton *newton, size_t i) {
  size_t entries = 0;
  double entry[THUD_NEWTON_DIMENSION_MAX];
  for (thud_index p = newton->V.column_start[i]; p < newton->V.column_start[i + 1];)
    entries += (size_t)newton->lines[next_contact(newton, i, &p, entry)].unknowns;
  return entries + (size_t)(newton->R_rows.column_start[i + 1] - newton->R_rows.column_start[i]);
}

/* R_rows has every diagonal entry. */
static void put_bilateral_row(row_writer *writer, size_t i, size_t contact_unknowns, double shift, double *right) {
  thud_newton *newton = writer->newton;
  const thud_sparse *R = &newton->R_rows;
  size_t d = newton->d, row = contact_unknowns + i;
  begin_rows(writer, row, 1, newton->sparse ? count_bilateral_entries(newton, i) : 0);
  right[row] = -newton->w[i];
  for (thud_index p = newton->V.column_start[i]; p < newton->V.column_start[i + 1];) {
    double entry[THUD_NEWTON_DIMENSION_MAX], out[THUD_NEWTON_DIMENSION_MAX];
    const thud_newton_line *line = &newton->lines[next_contact(newton, i, &p, entry)];
    for (size_t c = 0; c < (size_t)line->unknowns; c++) {
      out[c] = 0;
      for (size_t l = 0; l < d; l++) out[c] += entry[l] * line->S[c * d + l];
    }
    put(writer, (size_t)line->first, (size_t)line->unknowns, out);
    for (size_t l = 0; line->moves && l < d; l++) right[row] -= entry[l] * line->c[l];
  }
  for (thud_index p = R->column_start[i]; p < R->column_start[i + 1]; p++) {
    size_t column = (size_t)R->row[p];
    double value = R->value[p] + (column == i ? shift * newton->lambda[newton->contacts + i] : 0);
    put(writer, contact_unknowns + column, 1, &value);
  }
}

/* ---- direction ---------------------------------------------------------------------------------------------- */

static size_t linearise(thud_newton *newton, const double *r) {
  size_t unknowns = 0;
  const thud_newton_function *function = newton->function;
  for (size_t k = 0; k < newton->contacts; k++) {
    const thud_newton_law *law = &newton->laws[k];
    const double *impulse = r + k * newton->d, *velocity = newton->u + k * newton->d;
    thud_newton_line *line = &newton->lines[k];
    if (function->is_open != NULL && function->is_open(law, impulse, velocity))
      thud_newton_set_open(newton->d, impulse, line);
    else
      function->linearise(law, impulse, velocity, line);
    line->first = (thud_index)unknowns;
    unknowns += (size_t)line->unknowns;
  }
  return unknowns;
}

/* Rows and columns times sqrt(rho): entries of about 1, whatever the units. */
static void scale_system(thud_newton *newton, size_t n) {
  double *scale = newton->scale;
  size_t at = 0;
  for (size_t k = 0; k < newton->contacts; k++)
    for (int m = 0; m < newton->lines[k].unknowns; m++) scale[at++] = sqrt(newton->lines[k].rho[m]);
  for (size_t i = 0; i < newton->rows; i++) scale[at++] = 1 / sqrt(newton->lambda[newton->contacts + i]);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) newton->matrix[j * n + i] *= scale[i] * scale[j];
}

static bool solve_system(thud_newton *newton, size_t n) {
  if (n == 0) return true;
  if (newton->sparse) {
    thud_sparse_rows A = {.n = (thud_index)n, .start = newton->start, .column = newton->column, .value = newton->value};
    return thud_sparse_lu_solve(newton->context, &A, newton->right, newton->y) == THUD_OK;
  }
  scale_system(newton, n);
  for (size_t i = 0; i < n; i++) newton->y[i] = newton->scale[i] * newton->right[i];
  if (!thud_dense_solve_in_place((thud_index)n, newton->matrix, newton->y, newton->pivots)) return false;
  for (size_t i = 0; i < n; i++) newton->y[i] *= newton->scale[i];
  return true;
}

/* dr = S y + c. */
static void expand(thud_newton *newton, size_t contact_unknowns) {
  size_t d = newton->d;
  for (size_t k = 0; k < newton->contacts; k++) {
    const thud_newton_line *line = &newton->lines[k];
    const double *y = newton->y + line->first;
    double *dr = newton->dr + k * d;
    for (size_t i = 0; i < d; i++) dr[i] = line->c[i];
    for (size_t m = 0; m < (size_t)line->unknowns; m++)
      for (size_t i = 0; i < d; i++) dr[i] += line->S[m * d + i] * y[m];
  }
  if (newton->rows > 0) memcpy(newton->dl, newton->y + contact_unknowns, newton->rows * sizeof(double));
}

bool thud_newton_direction(thud_newton *newton, double shift, const double *r) {
  size_t contact_unknowns = linearise(newton, r), n = contact_unknowns + newton->rows;
  if (newton->space != NULL) {
    if (!thud_newton_space_direction(newton->space, newton->lines, newton->alpha + shift, newton->lambda, newton->dr))
      return false;
    thud_newton_apply(newton, newton->dr, newton->dl, newton->du, newton->dw);
    return true;
  }
  row_writer writer = {.newton = newton, .n = n};
  newton->sparse = newton->large && n > THUD_NEWTON_SPARSE_FROM;
  if (newton->sparse)
    newton->start[0] = 0;
  else
    memset(newton->matrix, 0, n * n * sizeof(double));
  for (size_t k = 0; k < newton->contacts; k++)
    if (newton->lines[k].unknowns > 0)
      put_contact_rows(&writer, k, contact_unknowns, newton->alpha + shift, newton->right);
  for (size_t i = 0; i < newton->rows; i++)
    put_bilateral_row(&writer, i, contact_unknowns, newton->alpha + shift, newton->right);
  if (!solve_system(newton, n)) return false;
  expand(newton, contact_unknowns);
  thud_newton_apply(newton, newton->dr, newton->dl, newton->du, newton->dw);
  return true;
}
