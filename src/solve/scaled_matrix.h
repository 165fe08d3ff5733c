/* The matrices of a problem in the units of scaled_form.h as compressed columns, for methods that factorize, and the
 * lists of entries that such matrices are put together from. */
#ifndef THUD_SRC_SOLVE_SCALED_MATRIX_H
#define THUD_SRC_SOLVE_SCALED_MATRIX_H

#include "solve/scaled_form.h"

/* Two lists of values on one list of places, so that both matrices get the same pattern. Begins as {.context = ...};
 * the first failure stays in `error`. */
typedef struct thud_entry_list {
  thud_context *context;
  thud_index *row, *column;
  double *value, *product;
  size_t count, capacity[4];
  thud_error error;
} thud_entry_list;

void thud_entry_list_add(thud_entry_list *list, thud_index row, thud_index column, double value, double product);
/* A_ij at its place moved by (down, right); with `both`, half of it there and half at the mirrored place. */
void thud_entry_list_add_matrix(thud_entry_list *list, const thud_sparse *A, thud_index down, thud_index right,
                                bool both);
/* factor A', moved by (down, right). */
void thud_entry_list_add_transposed(thud_entry_list *list, const thud_sparse *A, double factor, thud_index down,
                                    thud_index right);
/* `value` is one of the list's two. */
thud_error thud_entry_list_to_sparse(const thud_entry_list *list, size_t rows, size_t columns, const double *value,
                                     thud_sparse *sparse);
void thud_entry_list_free(thud_entry_list *list);

/* Local form: updates the form and gives S A S, A = [W V; V' R]. */
thud_error thud_scaled_matrix_local(thud_scaled_form *form, const thud_contact_problem *problem, thud_sparse *A);
/* Global form: J = [H G], unscaled. */
thud_error thud_scaled_matrix_columns(const thud_scaled_form *form, const thud_contact_problem *problem,
                                      thud_sparse *J);
/* Global form: sets the units of the form, with diag(J' diag(M)^-1 J) in the place of the diagonal of A, and scales
 * J to J S. work[ndof] is scratch. */
void thud_scaled_matrix_set_units(thud_scaled_form *form, const thud_contact_problem *problem, const thud_sparse *M,
                                  thud_sparse *J, double *work);

#endif
