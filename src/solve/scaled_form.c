#include "solve/scaled_form.h"
#include "solve/entries.h"
#include "solve/projected_gradient_cone.h"
#include "contact/contact_sparse.h"

#include <math.h>
#include <string.h>

/* Above this part of nonzero blocks W is kept dense. */
static const double DENSE_FILL = 0.5;
/* |q| below which residuals are not divided by it: the figure of the evaluation. */
static const double UNIT_FLOOR = 2.3e-16;

/* ---- create, destroy ------------------------------------------------------------------------------------ */

thud_error thud_scaled_form_create(thud_context *context, const thud_contact_problem *problem, thud_scaled_form *form) {
  thud_scaled_form made = {.context = context,
                           .problem = *problem,
                           .discs = thud_contact_discs_of(problem),
                           .d = (size_t)problem->dimension,
                           .contacts = (size_t)problem->contacts,
                           .size = thud_contact_size(problem),
                           .rows = (size_t)problem->bilateral};
  made.total = made.size + made.rows;
  made.scale = THUD_NEW_ARRAY(context, double, made.total);
  made.q = THUD_NEW_ARRAY(context, double, made.total);
  made.diagonal = THUD_NEW_ARRAY(context, double, made.total);
  made.mu = THUD_NEW_ARRAY(context, double, made.discs.layout->count *made.contacts);
  made.start = THUD_NEW_ARRAY(context, thud_index, made.contacts + 1);
  made.mark = THUD_NEW_ARRAY(context, thud_index, made.contacts);
  if (made.scale == NULL || made.q == NULL || made.diagonal == NULL || made.mu == NULL || made.start == NULL ||
      made.mark == NULL) {
    thud_scaled_form_destroy(&made);
    return THUD_ERROR_MEMORY;
  }
  if (problem->form == THUD_FORM_TWO_BLOCK) {
    thud_error error = thud_two_block_product_create(context, problem, &made.bodies);
    if (error != THUD_OK) {
      thud_scaled_form_destroy(&made);
      return error;
    }
  }
  *form = made;
  return THUD_OK;
}

void thud_scaled_form_destroy(thud_scaled_form *form) {
  thud_context *context = form->context;
  if (context == NULL) return;
  void *arrays[] = {form->scale, form->q,      form->diagonal, form->mu,
                    form->start, form->column, form->mark,     form->values};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(context, arrays[k]);
  thud_two_block_product_destroy(form->bodies);
  thud_sparse_destroy(context, &form->V);
  thud_sparse_destroy(context, &form->R);
}

/* ---- scales --------------------------------------------------------------------------------------------- */

/* The largest diagonal entry among [first, first + width[ gives the part's scale; a part that vanishes takes the one
 * of the largest entry at all. */
static void scale_part(thud_scaled_form *form, size_t first, size_t width, double largest) {
  double own = 0;
  for (size_t i = 0; i < width; i++) own = fmax(own, form->diagonal[first + i]);
  if (!(own > 0)) own = largest > 0 ? largest : 1;
  for (size_t i = 0; i < width; i++) form->scale[first + i] = 1 / sqrt(own);
}

static void choose_scales(thud_scaled_form *form) {
  size_t d = form->d, size = form->size;
  const thud_disc_layout *layout = form->discs.layout;
  double largest = 0;
  for (size_t i = 0; i < form->total; i++) largest = fmax(largest, form->diagonal[i]);
  for (size_t k = 0; k < form->contacts; k++) {
    if (thud_contact_discs_law(&form->discs, k) != NULL) {
      scale_part(form, k * d, d, largest);
      continue;
    }
    scale_part(form, k * d, 1, largest);
    for (size_t p = 0; p < layout->count; p++) scale_part(form, k * d + layout->first[p], layout->width[p], largest);
  }
  for (size_t i = size; i < form->total; i++) scale_part(form, i, 1, largest);
}

/* q, s and the friction coefficients in the new units. */
static void scale_data(thud_scaled_form *form, const double *q, const double *s) {
  const thud_disc_layout *layout = form->discs.layout;
  size_t contacts = form->contacts;
  for (size_t i = 0; i < form->total; i++) {
    const double *part = i < form->size ? q : s;
    form->q[i] = part == NULL ? 0 : form->scale[i] * part[i < form->size ? i : i - form->size];
  }
  form->scaled = form->discs;
  for (size_t p = 0; p < layout->count; p++) {
    const double *given = form->discs.mu[p];
    double *mu = form->mu + p * contacts;
    if (given == NULL) continue; /* laws in place of discs */
    for (size_t k = 0; k < contacts; k++) {
      const double *scale = form->scale + k * form->d;
      mu[k] = given[k] * scale[0] / scale[layout->first[p]];
    }
    form->scaled.mu[p] = mu;
  }
}

void thud_scaled_form_set_units(thud_scaled_form *form, const thud_contact_problem *problem, const double *q,
                                const double *s) {
  form->problem = *problem;
  form->discs = thud_contact_discs_of(problem);
  choose_scales(form);
  scale_data(form, q, s);
}

/* ---- S W S ------------------------------------------------------------------------------------------------ */

/* Counts the blocks of each block row into start; mark[i] is the last block column met in row i. */
static void count_blocks(thud_scaled_form *form, const thud_sparse *W) {
  size_t d = form->d;
  memset(form->start, 0, (form->contacts + 1) * sizeof(thud_index));
  for (size_t k = 0; k < form->contacts; k++) form->mark[k] = -1;
  for (size_t c = 0; c < form->size; c++)
    for (thud_index p = W->column_start[c]; p < W->column_start[c + 1]; p++) {
      size_t row = (size_t)W->row[p] / d;
      if (form->mark[row] == (thud_index)(c / d)) continue;
      form->mark[row] = (thud_index)(c / d);
      form->start[row + 1]++;
    }
  for (size_t k = 0; k < form->contacts; k++) form->start[k + 1] += form->start[k];
}

/* mark[i] counts the blocks of row i that have been begun. */
static void fill_blocks(thud_scaled_form *form, const thud_sparse *W) {
  size_t d = form->d, blocks = (size_t)form->start[form->contacts];
  if (blocks == 0) return; /* a W of zeros: there is no room for values either */
  memset(form->values, 0, blocks * d * d * sizeof(double));
  memset(form->mark, 0, form->contacts * sizeof(thud_index));
  for (size_t c = 0; c < form->size; c++)
    for (thud_index p = W->column_start[c]; p < W->column_start[c + 1]; p++) {
      size_t i = (size_t)W->row[p], row = i / d, last = (size_t)form->start[row] + (size_t)form->mark[row];
      thud_index block = (thud_index)(c / d);
      if (form->mark[row] == 0 || form->column[last - 1] != block) {
        form->mark[row]++;
        form->column[last++] = block;
      }
      form->values[(last - 1) * d * d + (c % d) * d + i % d] = form->scale[i] * W->value[p] * form->scale[c];
    }
}

static thud_error reserve_values(thud_scaled_form *form, size_t count) {
  return thud_array_reserve(form->context, &form->values, &form->value_capacity, count, sizeof(double));
}

static thud_error keep_blocks(thud_scaled_form *form, const thud_sparse *W) {
  size_t blocks = (size_t)form->start[form->contacts];
  thud_error error =
      thud_array_reserve(form->context, &form->column, &form->column_capacity, blocks, sizeof(thud_index));
  if (error == THUD_OK) error = reserve_values(form, blocks * form->d * form->d);
  if (error == THUD_OK) fill_blocks(form, W);
  return error;
}

static thud_error keep_dense(thud_scaled_form *form) {
  size_t n = form->size, count = 0;
  if (!thud_size_multiply(n, n, &count)) return THUD_ERROR_OVERFLOW;
  thud_error error = reserve_values(form, count);
  if (error != THUD_OK) return error;
  thud_matrix_copy_dense(&form->problem.W, n, form->values);
  for (size_t j = 0; j < n; j++)
    for (size_t i = 0; i < n; i++) form->values[j * n + i] *= form->scale[i] * form->scale[j];
  return THUD_OK;
}

static thud_error keep_matrix(thud_scaled_form *form) {
  form->products = form->problem.W.storage == THUD_MATRIX_OPERATOR;
  if (form->contacts == 0) return THUD_OK;
  if (form->products) return reserve_values(form, form->size); /* scratch */
  thud_sparse W = {0};
  thud_error error = thud_matrix_to_sparse(form->context, &form->problem.W, &W);
  if (error != THUD_OK) return error;
  count_blocks(form, &W);
  double all = (double)form->contacts * (double)form->contacts;
  form->dense = (double)form->start[form->contacts] > DENSE_FILL * all;
  error = form->dense ? keep_dense(form) : keep_blocks(form, &W);
  thud_sparse_destroy(form->context, &W);
  return error;
}

static void scale_sparse(thud_sparse *A, const double *row_scale, const double *column_scale) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++)
      A->value[p] *= row_scale[A->row[p]] * column_scale[j];
}

static thud_error keep_bilateral(thud_scaled_form *form) {
  thud_context *context = form->context;
  thud_sparse_destroy(context, &form->V);
  thud_sparse_destroy(context, &form->R);
  if (form->rows == 0) return THUD_OK;
  const double *own = form->scale + form->size;
  thud_error error = thud_matrix_to_sparse(context, &form->problem.R, &form->R);
  if (error != THUD_OK) return error;
  scale_sparse(&form->R, own, own);
  if (form->contacts == 0) return THUD_OK;
  error = thud_matrix_to_sparse(context, &form->problem.V, &form->V);
  if (error == THUD_OK) scale_sparse(&form->V, form->scale, own);
  return error;
}

/* |q|, the unit of residuals. */
static void choose_residual_unit(thud_scaled_form *form, const double *q) {
  double norm = thud_norm2(form->context, form->size, q);
  form->residual_unit = norm > UNIT_FLOOR ? norm : 1;
}

static thud_error update_two_block(thud_scaled_form *form, const thud_contact_problem *problem) {
  thud_error error = reserve_values(form, form->total);
  if (error != THUD_OK) return error;
  thud_two_block_product_update(form->bodies, problem);
  thud_two_block_product_diagonal(form->bodies, form->diagonal);
  thud_two_block_product_free_velocity(form->bodies, form->values);
  thud_scaled_form_set_units(form, problem, form->values, form->values + form->size);
  choose_residual_unit(form, form->values);
  return THUD_OK;
}

thud_error thud_scaled_form_update(thud_scaled_form *form, const thud_contact_problem *problem) {
  if (problem->form == THUD_FORM_TWO_BLOCK) return update_two_block(form, problem);
  thud_matrix_diagonal(&problem->W, form->diagonal);
  if (form->rows > 0) thud_matrix_diagonal(&problem->R, form->diagonal + form->size);
  thud_scaled_form_set_units(form, problem, problem->q, problem->s);
  choose_residual_unit(form, problem->q);
  thud_error error = keep_matrix(form);
  if (error == THUD_OK) error = keep_bilateral(form);
  return error;
}

/* ---- use --------------------------------------------------------------------------------------------------- */

void thud_scaled_form_load(const thud_scaled_form *form, const double *r, const double *l, double *x) {
  for (size_t i = 0; i < form->size; i++) x[i] = r[i] / form->scale[i];
  for (size_t i = 0; i < form->rows; i++) x[form->size + i] = l[i] / form->scale[form->size + i];
}

void thud_scaled_form_store(const thud_scaled_form *form, const double *x, double *r, double *l) {
  for (size_t i = 0; i < form->size; i++) r[i] = form->scale[i] * x[i];
  for (size_t i = 0; i < form->rows; i++) l[i] = form->scale[form->size + i] * x[form->size + i];
}

/* y = S W S x by block rows; a constant d lets the compiler unroll. */
static inline void multiply_blocks(const thud_scaled_form *form, const size_t d, const double *x, double *y) {
  const double *block = form->values;
  for (size_t k = 0; k < form->contacts; k++) {
    double sum[THUD_CONTACT_DIMENSION_MAX] = {0};
    for (thud_index p = form->start[k]; p < form->start[k + 1]; p++, block += d * d) {
      const double *own = x + d * (size_t)form->column[p];
      for (size_t j = 0; j < d; j++)
        for (size_t i = 0; i < d; i++) sum[i] += block[d * j + i] * own[j];
    }
    for (size_t i = 0; i < d; i++) y[d * k + i] = sum[i];
  }
}

static void multiply_any_blocks(const thud_scaled_form *form, const double *x, double *y) {
  switch (form->d) {
  case 1: multiply_blocks(form, 1, x, y); break;
  case 2: multiply_blocks(form, 2, x, y); break;
  case 3: multiply_blocks(form, 3, x, y); break;
  case 4: multiply_blocks(form, 4, x, y); break;
  case 5: multiply_blocks(form, 5, x, y); break;
  default: multiply_blocks(form, THUD_CONTACT_DIMENSION_MAX, x, y); break;
  }
}

/* y = S W (S x) */
static void multiply_operator(const thud_scaled_form *form, const double *x, double *y) {
  for (size_t i = 0; i < form->size; i++) form->values[i] = form->scale[i] * x[i];
  thud_matrix_multiply_vector(form->context, &form->problem.W, false, 1, form->values, 0, y);
  for (size_t i = 0; i < form->size; i++) y[i] *= form->scale[i];
}

/* y = S A (S x), body by body */
static void multiply_bodies(const thud_scaled_form *form, const double *x, double *y) {
  for (size_t i = 0; i < form->total; i++) form->values[i] = form->scale[i] * x[i];
  thud_two_block_product_apply(form->bodies, form->values, y);
  for (size_t i = 0; i < form->total; i++) y[i] *= form->scale[i];
}

void thud_scaled_form_multiply(const thud_scaled_form *form, const double *x, double *y) {
  size_t size = form->size;
  if (form->problem.form == THUD_FORM_TWO_BLOCK) {
    multiply_bodies(form, x, y);
    return;
  }
  if (form->contacts > 0) {
    if (form->products)
      multiply_operator(form, x, y);
    else if (form->dense)
      thud_dense_multiply_vector((thud_index)size, (thud_index)size, form->values, false, 1, x, 0, y);
    else
      multiply_any_blocks(form, x, y);
  }
  if (form->rows == 0) return;
  thud_sparse_multiply_vector(&form->R, false, 1, x + size, 0, y + size);
  if (form->contacts == 0) return;
  thud_sparse_multiply_vector(&form->V, false, 1, x + size, 1, y);
  thud_sparse_multiply_vector(&form->V, true, 1, x, 1, y + size);
}

void thud_scaled_form_velocity(const thud_scaled_form *form, const double *x, double *u) {
  thud_scaled_form_multiply(form, x, u);
  for (size_t i = 0; i < form->total; i++) u[i] += form->q[i];
}

bool thud_scaled_form_project(const thud_scaled_form *form, double *x) {
  return thud_gradient_cones_project(&form->scaled, form->contacts, x);
}

void thud_scaled_form_shift(const thud_scaled_form *form, const double *u, double *shift) {
  for (size_t k = 0; k < form->contacts; k++) shift[k] = thud_gradient_cone_shift(&form->scaled, k, u + k * form->d);
}

double thud_scaled_form_residual(const thud_scaled_form *form, const double *x, const double *u) {
  size_t d = form->d;
  double natural = 0, bilateral = 0;
  for (size_t k = 0; k < form->contacts; k++) {
    const double *scale = form->scale + k * d, *own_x = x + k * d, *own_u = u + k * d;
    double velocity[THUD_CONTACT_DIMENSION_MAX] = {0}, point[THUD_CONTACT_DIMENSION_MAX];
    for (size_t i = 0; i < d; i++) velocity[i] = own_u[i] / scale[i];
    velocity[0] += thud_gradient_cone_shift(&form->discs, k, velocity);
    for (size_t i = 0; i < d; i++) point[i] = scale[i] * own_x[i] - velocity[i];
    if (!thud_gradient_cone_project(&form->discs, k, point)) return NAN;
    for (size_t i = 0; i < d; i++) {
      double part = scale[i] * own_x[i] - point[i];
      natural += part * part;
    }
  }
  for (size_t i = form->size; i < form->total; i++) bilateral += (u[i] / form->scale[i]) * (u[i] / form->scale[i]);
  if (isnan(natural + bilateral)) return NAN; /* fmax would drop it */
  return sqrt(fmax(natural, bilateral)) / form->residual_unit;
}

double thud_scaled_form_largest_eigenvalue(const thud_scaled_form *form, int steps, double *x, double *y) {
  double value = 0;
  for (size_t i = 0; i < form->total; i++) x[i] = 1 + (double)(i % 7) / 7; /* components along every vector, likely */
  for (int k = 0; k < steps; k++) {
    double before = 0, after = 0;
    thud_scaled_form_multiply(form, x, y);
    for (size_t i = 0; i < form->total; i++) {
      before += x[i] * x[i];
      after += y[i] * y[i];
    }
    if (!(before > 0 && after > 0)) return value;
    value = sqrt(after / before);
    for (size_t i = 0; i < form->total; i++) x[i] = y[i] / sqrt(after);
  }
  return value;
}
