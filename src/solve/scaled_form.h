/* The local or the two-block form in units of its own, for methods that multiply by W and project. W of the two-block
 * form is never formed.
 *
 * r = S x and l = S x with one positive number per part of a contact (normal, and each disc) and per bilateral
 * row, chosen so that the diagonal of S A S is about 1, A = [W V; V' R]. Velocities become S u; the cones keep their
 * kind with mu s_N / s_T in the place of mu, and De Saxce's shift is formed with these numbers too. A general law only
 * allows one number per contact. Vectors below are x[total], total = size + rows: impulses r, then l. */
#ifndef THUD_SRC_SOLVE_SCALED_FORM_H
#define THUD_SRC_SOLVE_SCALED_FORM_H

#include "contact/discs.h"
#include "solve/method.h"
#include "solve/product_two_block.h"

typedef struct thud_scaled_form {
  thud_context *context;
  thud_contact_problem problem; /* as given, arrays borrowed */
  thud_contact_discs discs;     /* of the problem as given */
  thud_contact_discs scaled;    /* the same contacts and laws with the scaled mu: what projections see */
  size_t d, contacts, size, rows, total;
  double *scale;                  /* [total] S */
  double *q;                      /* [total] S q, S s */
  double *mu;                     /* [discs*contacts] scaled coefficients, disc by disc */
  double *diagonal;               /* [total] of A, unscaled */
  bool dense;                     /* how S W S is kept */
  bool products;                  /* W is an operator: nothing of it is kept */
  thud_two_block_product *bodies; /* two-block form: its products, NULL in the others */
  double *values;                 /* dense: [size*size] column-major; products: [total] scratch; otherwise the blocks */
  thud_index *start;              /* [contacts+1] block rows */
  thud_index *column;             /* [start[contacts]] */
  thud_index *mark;               /* [contacts] scratch of assembling */
  size_t value_capacity, column_capacity;
  thud_sparse V, R;     /* scaled; empty without bilateral rows */
  double residual_unit; /* |q|, or 1: what residuals are divided by */
} thud_scaled_form;

thud_error thud_scaled_form_create(thud_context *context, const thud_contact_problem *problem, thud_scaled_form *form);
/* Takes the problem's present numbers. On failure the form holds no usable numbers, but can be updated again. */
thud_error thud_scaled_form_update(thud_scaled_form *form, const thud_contact_problem *problem);
/* The units alone, for a problem in any form: form->diagonal[total] has been set by the caller; q[size] and s[rows]
 * (NULL: zeros) are scaled into form->q. Products and residuals are then not to be asked for. */
void thud_scaled_form_set_units(thud_scaled_form *form, const thud_contact_problem *problem, const double *q,
                                const double *s);
void thud_scaled_form_destroy(thud_scaled_form *form);

/* x from r and l, and back. */
void thud_scaled_form_load(const thud_scaled_form *form, const double *r, const double *l, double *x);
void thud_scaled_form_store(const thud_scaled_form *form, const double *x, double *r, double *l);
/* y = S A S x; u = S A S x + q. */
void thud_scaled_form_multiply(const thud_scaled_form *form, const double *x, double *y);
void thud_scaled_form_velocity(const thud_scaled_form *form, const double *x, double *u);
/* x moved to the nearest point of the cones, bilateral rows left alone. False when a law's projection fails. */
bool thud_scaled_form_project(const thud_scaled_form *form, double *x);
/* shift[contacts] = u~_N - u_N; NaN where a law fails. */
void thud_scaled_form_shift(const thud_scaled_form *form, const double *u, double *shift);
/* The residual that the front end will find for x with velocities u (both scaled), without another product. */
double thud_scaled_form_residual(const thud_scaled_form *form, const double *x, const double *u);
/* Estimate from below of the largest eigenvalue of S A S by `steps` steps of the power iteration; x and y are scratch.
 */
double thud_scaled_form_largest_eigenvalue(const thud_scaled_form *form, int steps, double *x, double *y);

#endif
