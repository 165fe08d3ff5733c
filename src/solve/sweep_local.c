/* Sweeps over u = W r + V l + q. W is kept by block rows without the diagonal, so that one row times r is the load of
 * that contact's own problem. */
#include "solve/sweep.h"
#include "solve/exact_space.h"
#include "contact/mass.h"
#include "contact/contact_sparse.h"

#include <math.h>
#include <string.h>

struct thud_local_sweep {
  thud_context *context;
  thud_contact_problem problem; /* arrays borrowed */
  thud_contact_discs discs;     /* of the problem */
  size_t d, contacts, rows;
  thud_index *row_start; /* [contacts+1] */
  thud_index *column;    /* [row_start[contacts]] contact of each block */
  double *values;        /* [row_start[contacts]*d*d] column-major blocks */
  size_t column_capacity, value_capacity;
  thud_index *mark, *next; /* [contacts] scratch of assembling */
  double *diagonal;        /* [contacts*d*d] */
  thud_space_block *space; /* [contacts] Coulomb friction in space */
  double *q;               /* [size] q + V l */
  /* bilateral rows */
  thud_mass *R;      /* R^-1; NULL when R is singular: row by row then */
  thud_sparse V, Rs; /* copies by columns, for the row updates */
  double *load;      /* [bilateral] */
};

/* ---- create, update, destroy -------------------------------------------------------------------------- */

thud_error thud_local_sweep_create(thud_context *context, const thud_contact_problem *problem,
                                   thud_local_sweep **sweep) {
  thud_local_sweep *made = THUD_NEW(context, thud_local_sweep);
  if (made == NULL) return THUD_ERROR_MEMORY;
  size_t d = (size_t)problem->dimension, contacts = (size_t)problem->contacts;
  made->context = context;
  made->d = d;
  made->contacts = contacts;
  made->rows = (size_t)problem->bilateral;
  made->discs = thud_contact_discs_of(problem);
  bool space = thud_disc_layout_is_space(made->discs.layout);
  made->row_start = THUD_NEW_ARRAY(context, thud_index, contacts + 1);
  made->mark = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->next = THUD_NEW_ARRAY(context, thud_index, contacts);
  made->diagonal = THUD_NEW_ARRAY(context, double, contacts *d *d);
  made->space = THUD_NEW_ARRAY(context, thud_space_block, space ? contacts : 0);
  made->q = THUD_NEW_ARRAY(context, double, contacts *d);
  made->load = THUD_NEW_ARRAY(context, double, made->rows);
  if (made->row_start == NULL || made->mark == NULL || made->next == NULL || made->diagonal == NULL ||
      made->space == NULL || made->q == NULL || made->load == NULL) {
    thud_local_sweep_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  *sweep = made;
  return THUD_OK;
}

void thud_local_sweep_destroy(thud_local_sweep *sweep) {
  if (sweep == NULL) return;
  thud_context *context = sweep->context;
  void *arrays[] = {sweep->row_start, sweep->column, sweep->values, sweep->mark, sweep->next,
                    sweep->diagonal,  sweep->space,  sweep->q,      sweep->load};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_mass_destroy(sweep->R);
  thud_sparse_destroy(context, &sweep->V);
  thud_sparse_destroy(context, &sweep->Rs);
  thud_free(context, sweep);
}

/* ---- assembling: every storage of W gives the same blocks, those of zeros only in a dense W left out ----------------
 */

static thud_error reserve(thud_local_sweep *sweep, size_t blocks) {
  size_t entries = blocks * sweep->d * sweep->d;
  thud_error error =
      thud_array_reserve(sweep->context, &sweep->column, &sweep->column_capacity, blocks, sizeof(thud_index));
  if (error != THUD_OK) return error;
  return thud_array_reserve(sweep->context, &sweep->values, &sweep->value_capacity, entries, sizeof(double));
}

/* Room for the blocks that row_start counts. */
static thud_error reserve_blocks(thud_local_sweep *sweep) {
  return reserve(sweep, (size_t)sweep->row_start[sweep->contacts]);
}

/* Contacts up to which a dense W gets room for all of its blocks before they are known. */
enum { DENSE_ROOM = 100 };

thud_error thud_local_sweep_reserve(thud_local_sweep *sweep, const thud_contact_problem *problem) {
  const thud_matrix *W = &problem->W;
  size_t d = sweep->d, contacts = sweep->contacts;
  if (contacts == 0) return THUD_OK;
  if (W->storage == THUD_MATRIX_BLOCKS) return reserve(sweep, (size_t)W->blocks.row_start[contacts]);
  if (W->storage == THUD_MATRIX_SPARSE) return reserve(sweep, (size_t)W->sparse.column_start[contacts * d] / d);
  return contacts > DENSE_ROOM ? THUD_OK : reserve(sweep, contacts * contacts);
}

/* Compressed columns. Counts the blocks off the diagonal of each block row into row_start. mark[i] is the last block
 * column met in row i. */
static void count_sparse(thud_local_sweep *sweep, const thud_sparse *W) {
  size_t d = sweep->d, contacts = sweep->contacts;
  memset(sweep->row_start, 0, (contacts + 1) * sizeof(thud_index));
  for (size_t k = 0; k < contacts; k++) sweep->mark[k] = -1;
  for (size_t block = 0; block < contacts; block++)
    for (thud_index p = W->column_start[block * d]; p < W->column_start[(block + 1) * d]; p++) {
      size_t row = (size_t)W->row[p] / d;
      if (sweep->mark[row] == (thud_index)block || row == block) continue;
      sweep->mark[row] = (thud_index)block;
      sweep->row_start[row + 1]++;
    }
  for (size_t k = 0; k < contacts; k++) sweep->row_start[k + 1] += sweep->row_start[k];
}

/* Puts the entries where count_sparse has made room. */
static void fill_sparse(thud_local_sweep *sweep, const thud_sparse *W) {
  size_t d = sweep->d, contacts = sweep->contacts;
  memset(sweep->diagonal, 0, contacts * d * d * sizeof(double));
  if (sweep->row_start[contacts] > 0)
    memset(sweep->values, 0, (size_t)sweep->row_start[contacts] * d * d * sizeof(double));
  for (size_t k = 0; k < contacts; k++) {
    sweep->mark[k] = -1;
    sweep->next[k] = sweep->row_start[k] - 1;
  }
  for (size_t block = 0; block < contacts; block++)
    for (size_t c = block * d; c < (block + 1) * d; c++)
      for (thud_index p = W->column_start[c]; p < W->column_start[c + 1]; p++) {
        size_t row = (size_t)W->row[p] / d, within = (c - block * d) * d + (size_t)W->row[p] - row * d;
        if (row == block) {
          sweep->diagonal[row * d * d + within] = W->value[p];
          continue;
        }
        if (sweep->mark[row] != (thud_index)block) {
          sweep->mark[row] = (thud_index)block;
          sweep->column[++sweep->next[row]] = (thud_index)block;
        }
        sweep->values[(size_t)sweep->next[row] * d * d + within] = W->value[p];
      }
}

static thud_error assemble_sparse(thud_local_sweep *sweep, const thud_sparse *W) {
  count_sparse(sweep, W);
  thud_error error = reserve_blocks(sweep);
  if (error == THUD_OK) fill_sparse(sweep, W);
  return error;
}

/* Block rows of one block per pair of contacts: copied, the diagonal apart. */
static thud_error assemble_blocks(thud_local_sweep *sweep, const thud_bsr *W) {
  size_t block = sweep->d * sweep->d, contacts = sweep->contacts;
  thud_index count = 0;
  sweep->row_start[0] = 0;
  for (size_t k = 0; k < contacts; k++) {
    for (thud_index p = W->row_start[k]; p < W->row_start[k + 1]; p++) count += (size_t)W->block_column[p] != k;
    sweep->row_start[k + 1] = count;
  }
  thud_error error = reserve_blocks(sweep);
  if (error != THUD_OK) return error;
  memset(sweep->diagonal, 0, contacts * block * sizeof(double));
  count = 0;
  for (size_t k = 0; k < contacts; k++)
    for (thud_index p = W->row_start[k]; p < W->row_start[k + 1]; p++) {
      bool own = (size_t)W->block_column[p] == k;
      double *to = own ? sweep->diagonal + k * block : sweep->values + (size_t)count * block;
      memcpy(to, W->values + (size_t)p * block, block * sizeof(double));
      if (!own) sweep->column[count++] = W->block_column[p];
    }
  return THUD_OK;
}

static bool is_zero_block(const double *from, size_t leading, size_t d) {
  for (size_t j = 0; j < d; j++)
    for (size_t i = 0; i < d; i++)
      if (from[j * leading + i] != 0) return false;
  return true;
}

static thud_error assemble_dense(thud_local_sweep *sweep, const double *W) {
  size_t d = sweep->d, contacts = sweep->contacts, leading = d * contacts;
  memset(sweep->row_start, 0, (contacts + 1) * sizeof(thud_index));
  for (size_t j = 0; j < contacts; j++)
    for (size_t k = 0; k < contacts; k++)
      sweep->row_start[k + 1] += k != j && !is_zero_block(W + j * d * leading + k * d, leading, d);
  for (size_t k = 0; k < contacts; k++) {
    sweep->next[k] = sweep->row_start[k];
    sweep->row_start[k + 1] += sweep->row_start[k];
  }
  thud_error error = reserve_blocks(sweep);
  if (error != THUD_OK) return error;
  for (size_t j = 0; j < contacts; j++)
    for (size_t k = 0; k < contacts; k++) {
      const double *from = W + j * d * leading + k * d;
      double *to = sweep->diagonal + k * d * d;
      if (k != j) {
        if (is_zero_block(from, leading, d)) continue;
        sweep->column[sweep->next[k]] = (thud_index)j;
        to = sweep->values + (size_t)sweep->next[k]++ * d * d;
      }
      for (size_t c = 0; c < d; c++) memcpy(to + c * d, from + c * leading, d * sizeof(double));
    }
  return THUD_OK;
}

static thud_error assemble(thud_local_sweep *sweep) {
  const thud_matrix *W = &sweep->problem.W;
  if (sweep->contacts == 0) return THUD_OK;
  switch (W->storage) {
  case THUD_MATRIX_BLOCKS: return assemble_blocks(sweep, &W->blocks);
  case THUD_MATRIX_SPARSE: return assemble_sparse(sweep, &W->sparse);
  default: return assemble_dense(sweep, W->dense);
  }
}

/* R^-1 where R is regular; otherwise its rows are visited one by one, which needs them by columns (R is symmetric). */
static thud_error update_bilateral(thud_local_sweep *sweep) {
  thud_context *context = sweep->context;
  if (sweep->rows == 0) return THUD_OK;
  thud_mass_destroy(sweep->R);
  sweep->R = NULL;
  thud_sparse_destroy(context, &sweep->V);
  thud_sparse_destroy(context, &sweep->Rs);
  thud_error error = thud_mass_create(context, &sweep->problem.R, &sweep->R);
  if (error != THUD_ERROR_SINGULAR && error != THUD_ERROR_NOT_SPD) return error;
  error = thud_matrix_to_sparse(context, &sweep->problem.R, &sweep->Rs);
  if (error == THUD_OK && sweep->contacts > 0) error = thud_matrix_to_sparse(context, &sweep->problem.V, &sweep->V);
  return error;
}

thud_error thud_local_sweep_update(thud_local_sweep *sweep, const thud_contact_problem *problem) {
  sweep->problem = *problem;
  thud_error error = assemble(sweep);
  if (error == THUD_OK) error = update_bilateral(sweep);
  if (error != THUD_OK) return error;
  sweep->discs = thud_contact_discs_of(problem);
  bool space = thud_disc_layout_is_space(sweep->discs.layout) && sweep->discs.mu[0] != NULL;
  for (size_t k = 0; space && k < sweep->contacts; k++)
    thud_space_prepare(sweep->diagonal + 9 * k, sweep->discs.mu[0][k], &sweep->space[k]);
  if (sweep->contacts > 0) memcpy(sweep->q, problem->q, sweep->contacts * sweep->d * sizeof(double));
  return THUD_OK;
}

thud_block_rows thud_local_sweep_blocks(const thud_local_sweep *sweep) {
  return (thud_block_rows){
      .row_start = sweep->row_start, .column = sweep->column, .values = sweep->values, .diagonal = sweep->diagonal};
}

/* ---- one sweep -------------------------------------------------------------------------------------------- */

void thud_sweep_relax(const thud_one_contact *contact, double relaxation, const double *old, double *r) {
  const thud_disc_layout *layout = contact->layout;
  for (size_t i = 0; i < (size_t)layout->dimension; i++) r[i] = old[i] + relaxation * (r[i] - old[i]);
  r[0] = fmax(r[0], 0);
  if (contact->law != NULL) return;
  for (size_t p = 0; p < layout->count; p++) {
    size_t first = layout->first[p], width = layout->width[p];
    double square = r[first] * r[first] + (width == 2 ? r[first + 1] * r[first + 1] : 0);
    double radius = contact->mu[p] * r[0];
    if (square <= radius * radius) continue;
    double ratio = radius / sqrt(square);
    for (size_t i = 0; i < width; i++) r[first + i] *= ratio;
  }
}

/* l so that V' r + R l + s = 0, exactly or by one round of row updates; then q + V l. */
static void bilateral_pass(thud_local_sweep *sweep, const double *r, double *l) {
  const thud_contact_problem *problem = &sweep->problem;
  if (sweep->R != NULL) {
    for (size_t i = 0; i < sweep->rows; i++) sweep->load[i] = -problem->s[i];
    if (sweep->contacts > 0) thud_matrix_multiply_vector(sweep->context, &problem->V, true, -1, r, 1, sweep->load);
    if (thud_mass_solve(sweep->R, sweep->load, l) != THUD_OK) return;
  } else {
    for (size_t i = 0; i < sweep->rows; i++) {
      double velocity = problem->s[i], response = 0;
      for (thud_index p = sweep->Rs.column_start[i]; p < sweep->Rs.column_start[i + 1]; p++) {
        velocity += sweep->Rs.value[p] * l[sweep->Rs.row[p]];
        if ((size_t)sweep->Rs.row[p] == i) response = sweep->Rs.value[p];
      }
      for (thud_index p = sweep->contacts > 0 ? sweep->V.column_start[i] : 0;
           sweep->contacts > 0 && p < sweep->V.column_start[i + 1]; p++)
        velocity += sweep->V.value[p] * r[sweep->V.row[p]];
      if (response > 0) l[i] -= velocity / response;
    }
  }
  if (sweep->contacts == 0) return;
  memcpy(sweep->q, problem->q, sweep->contacts * sweep->d * sizeof(double));
  thud_matrix_multiply_vector(sweep->context, &problem->V, false, 1, l, 1, sweep->q);
}

/* load[d] = q_k + sum over j != k of W_kj r_j. One running sum per entry of the block keeps additions independent of
 * each other. d is a constant where this is inlined. */
static inline void row_load(const thud_local_sweep *sweep, size_t k, size_t d, const double *r, double *load) {
  const double *block = sweep->values + (size_t)sweep->row_start[k] * d * d;
  const double *q = sweep->q + k * d;
  double sum[THUD_CONTACT_DIMENSION_MAX * THUD_CONTACT_DIMENSION_MAX] = {0};
  for (thud_index p = sweep->row_start[k]; p < sweep->row_start[k + 1]; p++, block += d * d) {
    const double *x = r + d * (size_t)sweep->column[p];
    for (size_t j = 0; j < d; j++)
      for (size_t i = 0; i < d; i++) sum[d * j + i] += block[d * j + i] * x[j];
  }
  for (size_t i = 0; i < d; i++) {
    load[i] = q[i];
    for (size_t j = 0; j < d; j++) load[i] += sum[d * j + i];
  }
}

/* The exact solver in space on the prepared block. */
static thud_one_contact_mode solve_space(const thud_space_block *block, const double *q, double *r) {
  if (block->inverse_normal == 0 && q[0] < 0) return THUD_MODE_NONE;
  thud_space_load load = {.h = block->inverse_normal == 0 ? q[0] : q[0] * block->inverse_normal,
                          .b1 = q[1] - block->c1 * q[0],
                          .b2 = q[2] - block->c2 * q[0]};
  double square = r[1] * r[1] + r[2] * r[2];
  double s1 = block->s11 * r[1] + block->s12 * r[2] + load.b1, s2 = block->s21 * r[1] + block->s22 * r[2] + load.b2;
  double along = -(s1 * r[1] + s2 * r[2]);
  load.alpha = along > 0 ? along / square : 0;
  return thud_space_solve(block, &load, r);
}

static inline thud_one_contact contact_at(const thud_local_sweep *sweep, size_t k, double *mu) {
  thud_contact_discs_at(&sweep->discs, k, mu);
  return (thud_one_contact){.layout = sweep->discs.layout,
                            .W = sweep->diagonal + k * sweep->d * sweep->d,
                            .mu = mu,
                            .law = thud_contact_discs_law(&sweep->discs, k)};
}

static inline thud_one_contact_mode solve_any(const thud_local_sweep *sweep, thud_local_solver solver, size_t k,
                                              const double *load, double *r) {
  double mu[THUD_CONTACT_DISCS_MAX];
  thud_one_contact contact = contact_at(sweep, k, mu);
  return thud_one_contact_solve(&contact, solver, load, r);
}

static void relax(const thud_local_sweep *sweep, double relaxation, size_t k, const double *old, double *r) {
  double mu[THUD_CONTACT_DISCS_MAX];
  thud_one_contact contact = contact_at(sweep, k, mu);
  thud_sweep_relax(&contact, relaxation, old, r);
}

/* One contact; d and exact_space are constants where this is inlined. */
static inline void visit(const thud_local_sweep *sweep, const thud_gauss_seidel_options *options, size_t k, size_t d,
                         bool exact_space, double *r, thud_sweep_result *result) {
  double load[THUD_CONTACT_DIMENSION_MAX], old[THUD_CONTACT_DIMENSION_MAX], *own = r + k * d;
  row_load(sweep, k, d, r, load);
  for (size_t i = 0; i < d; i++) old[i] = own[i];
  thud_one_contact_mode mode =
      exact_space ? solve_space(&sweep->space[k], load, own) : solve_any(sweep, options->local_solver, k, load, own);
  if (mode == THUD_MODE_NONE && result->unsolvable < 0) result->unsolvable = (thud_index)k;
  if (options->relaxation != 1) relax(sweep, options->relaxation, k, old, own);
  for (size_t i = 0; i < d; i++) {
    double change = own[i] - old[i];
    result->change += change * change;
    result->square += own[i] * own[i];
  }
}

#define VISIT_ALL(d, exact_space)                                                                                      \
  for (size_t k = 0; k < sweep->contacts; k++)                                                                         \
  visit(sweep, options, options->backward ? sweep->contacts - 1 - k : k, (d), (exact_space), r, &result)

thud_sweep_result thud_local_sweep_run(thud_local_sweep *sweep, const thud_gauss_seidel_options *options, double *r,
                                       double *l) {
  thud_sweep_result result = {.unsolvable = -1};
  if (sweep->rows > 0) bilateral_pass(sweep, r, l);
  bool space = thud_disc_layout_is_space(sweep->discs.layout);
  if (space && sweep->problem.laws == NULL && options->local_solver == THUD_LOCAL_EXACT) {
    VISIT_ALL(3, true);
    return result;
  }
  switch (sweep->d) {
  case 1: VISIT_ALL(1, false); break;
  case 2: VISIT_ALL(2, false); break;
  case 3: VISIT_ALL(3, false); break;
  case 4: VISIT_ALL(4, false); break;
  case 5: VISIT_ALL(5, false); break;
  default: VISIT_ALL(THUD_CONTACT_DIMENSION_MAX, false); break;
  }
  return result;
}
