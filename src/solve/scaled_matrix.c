#include "solve/scaled_matrix.h"
#include "contact/contact_sparse.h"

#include <string.h>

/* ---- lists of entries ------------------------------------------------------------------------------------- */

static thud_error grow(thud_entry_list *list, size_t needed) {
  thud_context *context = list->context;
  thud_error error = thud_array_reserve(context, &list->row, &list->capacity[0], needed, sizeof(thud_index));
  if (error == THUD_OK)
    error = thud_array_reserve(context, &list->column, &list->capacity[1], needed, sizeof(thud_index));
  if (error == THUD_OK) error = thud_array_reserve(context, &list->value, &list->capacity[2], needed, sizeof(double));
  if (error == THUD_OK) error = thud_array_reserve(context, &list->product, &list->capacity[3], needed, sizeof(double));
  return error;
}

void thud_entry_list_add(thud_entry_list *list, thud_index row, thud_index column, double value, double product) {
  if (list->error == THUD_OK && list->count >= list->capacity[3]) /* the list that grows last */
    list->error = grow(list, list->count + 1);
  if (list->error != THUD_OK) return;
  list->row[list->count] = row;
  list->column[list->count] = column;
  list->value[list->count] = value;
  list->product[list->count++] = product;
}

void thud_entry_list_add_matrix(thud_entry_list *list, const thud_sparse *A, thud_index down, thud_index right,
                                bool both) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      thud_index row = A->row[p] + down, column = j + right;
      thud_entry_list_add(list, row, column, both ? 0.5 * A->value[p] : A->value[p], 0);
      if (both) thud_entry_list_add(list, column, row, 0.5 * A->value[p], 0);
    }
}

void thud_entry_list_add_transposed(thud_entry_list *list, const thud_sparse *A, double factor, thud_index down,
                                    thud_index right) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++)
      thud_entry_list_add(list, j + down, A->row[p] + right, factor * A->value[p], 0);
}

thud_error thud_entry_list_to_sparse(const thud_entry_list *list, size_t rows, size_t columns, const double *value,
                                     thud_sparse *sparse) {
  if (list->error != THUD_OK) return list->error;
  return thud_sparse_from_triplets(list->context, (thud_index)rows, (thud_index)columns, list->count, list->row,
                                   list->column, value, sparse);
}

void thud_entry_list_free(thud_entry_list *list) {
  thud_free(list->context, list->row);
  thud_free(list->context, list->column);
  thud_free(list->context, list->value);
  thud_free(list->context, list->product);
}

/* ---- matrices ------------------------------------------------------------------------------------------------ */

static void scale_values(thud_sparse *A, const double *row_scale, const double *column_scale) {
  for (thud_index j = 0; j < A->columns; j++)
    for (thud_index p = A->column_start[j]; p < A->column_start[j + 1]; p++) {
      if (row_scale != NULL) A->value[p] *= row_scale[A->row[p]];
      A->value[p] *= column_scale[j];
    }
}

thud_error thud_scaled_matrix_local(thud_scaled_form *form, const thud_contact_problem *problem, thud_sparse *A) {
  thud_error error = thud_scaled_form_update(form, problem);
  if (error != THUD_OK) return error;
  thud_entry_list list = {.context = form->context};
  thud_sparse W = {0};
  if (form->contacts > 0) error = thud_matrix_to_sparse(form->context, &problem->W, &W);
  if (error == THUD_OK) {
    scale_values(&W, form->scale, form->scale);
    thud_entry_list_add_matrix(&list, &W, 0, 0, false);
    thud_entry_list_add_matrix(&list, &form->V, 0, (thud_index)form->size, false);
    thud_entry_list_add_transposed(&list, &form->V, 1, (thud_index)form->size, 0);
    thud_entry_list_add_matrix(&list, &form->R, (thud_index)form->size, (thud_index)form->size, false);
    error = thud_entry_list_to_sparse(&list, form->total, form->total, list.value, A);
  }
  thud_entry_list_free(&list);
  thud_sparse_destroy(form->context, &W);
  return error;
}

thud_error thud_scaled_matrix_columns(const thud_scaled_form *form, const thud_contact_problem *problem,
                                      thud_sparse *J) {
  thud_entry_list list = {.context = form->context};
  thud_sparse H = {0}, G = {0};
  thud_error error = THUD_OK;
  if (form->contacts > 0) error = thud_matrix_to_sparse(form->context, &problem->H, &H);
  if (error == THUD_OK && form->rows > 0) error = thud_matrix_to_sparse(form->context, &problem->G, &G);
  if (error == THUD_OK) {
    thud_entry_list_add_matrix(&list, &H, 0, 0, false);
    thud_entry_list_add_matrix(&list, &G, 0, (thud_index)form->size, false);
    error = thud_entry_list_to_sparse(&list, thud_contact_ndof(problem), form->total, list.value, J);
  }
  thud_entry_list_free(&list);
  thud_sparse_destroy(form->context, &H);
  thud_sparse_destroy(form->context, &G);
  return error;
}

static void estimate_diagonal(thud_scaled_form *form, const thud_sparse *M, const thud_sparse *J, double *inverse) {
  memset(inverse, 0, (size_t)M->columns * sizeof(double));
  for (thud_index j = 0; j < M->columns; j++)
    for (thud_index p = M->column_start[j]; p < M->column_start[j + 1]; p++)
      if (M->row[p] == j && M->value[p] > 0) inverse[j] = 1 / M->value[p];
  for (thud_index c = 0; c < J->columns; c++) {
    double sum = 0;
    for (thud_index p = J->column_start[c]; p < J->column_start[c + 1]; p++)
      sum += J->value[p] * inverse[J->row[p]] * J->value[p];
    form->diagonal[c] = sum;
  }
}

void thud_scaled_matrix_set_units(thud_scaled_form *form, const thud_contact_problem *problem, const thud_sparse *M,
                                  thud_sparse *J, double *work) {
  estimate_diagonal(form, M, J, work);
  thud_scaled_form_set_units(form, problem, problem->w, problem->b);
  scale_values(J, NULL, form->scale);
}
