/* The lifted description of a tree: with z = (x, auxiliary variables) in R^N,
 *   C = { x : a_i.z = b_i (i < equalities), a_i.z <= b_i (others), B_k z + c_k in f_k S_k for every block k }.
 * Polyhedral sets give rows only (and then C is decided exactly), other leaves and polars give blocks. Sums and images
 * bring auxiliary variables; intersections, preimages and products bring none. */
#ifndef THUD_SRC_CONVEX_LIFT_H
#define THUD_SRC_CONVEX_LIFT_H

#include "convex/set.h"

struct thud_lift_size {
  size_t variables; /* auxiliary ones */
  size_t equalities, inequalities;
  size_t blocks, block_rows;
  size_t expression_rows; /* rows of derived expressions */
};

/* rows affine functions of z: E_r.z + e_r. */
struct thud_expression {
  thud_index rows;
  const double *E; /* [rows*N] row-major */
  const double *e; /* [rows] */
};

typedef struct thud_lift_block {
  thud_set *set;        /* S_k, borrowed from the tree */
  double factor;        /* f_k >= 0; 0: the recession cone */
  thud_index first_row; /* of B and c */
} thud_lift_block;

struct thud_lift {
  thud_context *context;
  thud_index n, N;
  thud_index equalities, rows; /* present rows; equalities come first */
  thud_index equalities_max, rows_max;
  double *A, *b;          /* [rows_max*N] row-major, [rows_max] */
  const thud_set **owner; /* [rows_max] the set that gave the row, and which of its rows it is */
  thud_index *owner_row;
  thud_index block_count, block_count_max, block_rows, block_rows_max;
  thud_lift_block *blocks; /* [block_count_max] */
  double *B, *c;           /* [block_rows_max*N] row-major, [block_rows_max] */
  double *scratch;         /* expressions; given back by the next build */
  size_t scratch_used, scratch_count;
  thud_index variables_used;
  thud_index equalities_used;
};

/* A point z that maximises d.x, x the first n of z, with its multipliers:
 *   (d, 0) = sum of rows_i a_i + sum of B_k' w_k,  rows_i >= 0 on inequalities, w_k normal to f_k S_k at B_k z + c_k. */
struct thud_lift_solution {
  const thud_lift *lift;
  const double *z;      /* [N] */
  const double *rows;   /* [rows] */
  const double *blocks; /* [block_rows] w, NULL when there are no blocks */
};

typedef struct thud_lift_row {
  double *a, *b;
} thud_lift_row;

thud_error thud_lift_create(const thud_set *root, thud_lift **lift);
void thud_lift_destroy(thud_lift *lift);
/* Fills the description from the present parameters; allocates nothing. */
void thud_lift_build(thud_lift *lift, const thud_set *root);

/* True when the set enters through its own lift function, false when as a block. Depends on the shape alone. */
bool thud_lift_opens(const thud_set *set);
void thud_lift_add_size(const thud_set *set, thud_lift_size *size);
/* States x in factor * set. */
void thud_lift_constrain(thud_lift *lift, thud_set *set, const thud_expression *x, double factor);

/* For the lift functions of the classes. */
thud_expression thud_lift_add_variables(thud_lift *lift, thud_index count);
/* A zero expression to be filled: E and e are writable through the pointers. */
thud_expression thud_lift_new_expression(thud_lift *lift, thud_index rows, double **E, double **e);
/* A part of an expression. */
thud_expression thud_lift_slice(const thud_lift *lift, const thud_expression *x, thud_index first, thud_index rows);
/* A new row 0.z (= or <=) right; then terms coefficient * x_i are added to its left side. */
thud_lift_row thud_lift_add_row(thud_lift *lift, const thud_set *owner, thud_index owner_row, bool equality,
                                double right);
void thud_lift_add_term(const thud_lift *lift, thud_lift_row *row, double coefficient, const thud_expression *x,
                        thud_index i);
void thud_lift_add_terms(const thud_lift *lift, thud_lift_row *row, const double *coefficients,
                         const thud_expression *x);

#endif
