/* Semismooth Newton, what `newton`, `fischer-burmeister` and `proximal-point` have in common: linearisation, the
 * reduced linear system, steps and merit. Impulses r solve the contact problem iff a function F vanishes at every
 * contact, one of two (thud_newton_function). Linearised, it asks of contact k
 *
 *   dr_k = S_k y_k + c_k,   P_k' du_k + D_k y_k = -b_k,   du = W dr + V dl
 *
 * for as many unknowns y_k as there are equations; these and the bilateral rows are the
 * system to be factorized.
 *
 * A proximal term may be added: W + alpha Lambda in place of W, q - alpha Lambda r0 in place of q, with Lambda =
 * diag(1/rho_N) contact by contact, 1 for bilateral rows with R = 0, else their diagonal. */
#ifndef THUD_SRC_SOLVE_NEWTON_H
#define THUD_SRC_SOLVE_NEWTON_H

#include "solve/sweep.h"

struct thud_newton_space;

enum { THUD_NEWTON_DIMENSION_MAX = THUD_CONTACT_DIMENSION_MAX };

/* The constants of one contact. */
typedef struct thud_newton_law {
  const thud_disc_layout *layout;
  double mu[THUD_CONTACT_DISCS_MAX];
  /* 1/W_NN, 1/(largest eigenvalue of the diagonal block of the part); 1 where that is 0 */
  double rho_normal, rho[THUD_CONTACT_DISCS_MAX];
} thud_newton_law;

/* One contact linearised; matrices are d x unknowns, column-major with leading dimension d. */
typedef struct thud_newton_line {
  thud_index first;      /* of its unknowns y in the system */
  int unknowns;          /* 0..d */
  bool plain_S, plain_P; /* unit matrices */
  bool moves;            /* c is not 0 */
  double S[THUD_NEWTON_DIMENSION_MAX * THUD_NEWTON_DIMENSION_MAX];
  double P[THUD_NEWTON_DIMENSION_MAX * THUD_NEWTON_DIMENSION_MAX];
  double c[THUD_NEWTON_DIMENSION_MAX];
  double D[THUD_NEWTON_DIMENSION_MAX * THUD_NEWTON_DIMENSION_MAX]; /* unknowns x unknowns, leading dimension d */
  double rho[THUD_NEWTON_DIMENSION_MAX];                           /* [unknowns] the law's, for each of them */
  double b[THUD_NEWTON_DIMENSION_MAX];                             /* [unknowns] P'(W dr + V dl) + D y = -b */
} thud_newton_line;

/* Law of a contact with the diagonal block W[d*d] and mu[layout->count]; every rho is multiplied by the factor. */
void thud_newton_law_set(const thud_disc_layout *layout, const double *W, const double *mu, double factor,
                         thud_newton_law *law);
/* A new unknown of the line, with zero columns in S, P and D and the given rho and b; returns its number. */
size_t thud_newton_add_unknown(size_t d, double rho, double b, thud_newton_line *line);

/* The line of an open contact: no unknowns, dr = -r. */
void thud_newton_set_open(size_t d, const double *r, thud_newton_line *line);

/* The function whose zero is looked for, contact by contact. */
typedef struct thud_newton_function {
  /* Sum of squares of F of one contact at r[d], u[d], in velocity units. */
  double (*merit)(const thud_newton_law *law, const double *r, const double *u);
  /* Everything of the line but `first`. */
  void (*linearise)(const thud_newton_law *law, const double *r, const double *u, thud_newton_line *line);
  /* Whether the line may be replaced by that of an open contact; NULL: never. */
  bool (*is_open)(const thud_newton_law *law, const double *r, const double *u);
} thud_newton_function;

extern const thud_newton_function thud_newton_alart_curnier, thud_newton_fischer_burmeister;

/* All contacts of a local problem, or of a two-block one in the space of its bodies. Members are read by the methods, written by newton_system.c and newton_step.c. */
typedef struct thud_newton {
  thud_context *context;
  const thud_newton_function *function;
  const thud_contact_problem *problem; /* borrowed */
  size_t d, contacts, size, rows;
  struct thud_newton_space *space; /* two-block form (newton_space.h), NULL: local form */
  const double *diagonal, *q;      /* [contacts*d*d] blocks of W, [size]; borrowed */
  thud_local_sweep *sweep;         /* local form */
  bool shares_sweep;               /* it belongs to another, who keeps it up to date */
  thud_block_rows W;               /* of the sweep */
  thud_sparse V, V_rows, R_rows;   /* V by columns and by rows, R by rows; rows > 0 only */
  thud_newton_law *laws;           /* [contacts] */
  thud_newton_line *lines;         /* [contacts] */
  double *lambda;                  /* [contacts + rows] Lambda */

  /* the proximal term */
  double alpha;     /* 0: none */
  double *anchor;   /* [size] r0 */
  double *anchor_l; /* [rows] */

  /* where the last evaluation was, and the last direction; u and w include the proximal term */
  double *u, *w;     /* [size], [rows] u_b */
  double *dr, *dl;   /* [size], [rows] */
  double *du, *dw;   /* [size], [rows] */
  double *right, *y; /* [size + rows] right-hand side and solution of the system */

  /* the system: dense by columns, or sparse by rows */
  bool large;         /* sparse from THUD_NEWTON_SPARSE_FROM unknowns on */
  bool sparse;        /* the one under way is */
  double *matrix;     /* [n*n], n the most unknowns of a dense system */
  double *scale;      /* [size + rows] */
  thud_index *pivots; /* [size + rows] */
  thud_index *start;  /* [size + rows + 1] */
  thud_index *column; /* as many as W, V and R have entries */
  double *value;
  size_t column_capacity, value_capacity, matrix_capacity;
} thud_newton;

/* Most unknowns: with a sparse LU, and without one; and from how many on a sparse LU pays. */
enum { THUD_NEWTON_SPARSE_MAX = 24000, THUD_NEWTON_DENSE_MAX = 2048, THUD_NEWTON_SPARSE_FROM = 200 };
/* Sparse systems do not pay when more than this share of W's blocks is there. */
#define THUD_NEWTON_SPARSE_SHARE 0.3
thud_method_limit thud_newton_limit(const thud_contact_problem *problem);
bool thud_newton_takes(const thud_contact_problem *problem); /* within the limit */

thud_error thud_newton_create(thud_context *context, const thud_newton_function *function,
                              const thud_contact_problem *problem, thud_newton **newton);
thud_error thud_newton_update(thud_newton *newton, const thud_contact_problem *problem);
/* Large two-block problems without joints, whose masses are 0 or regular, are worked on as they are. */
bool thud_newton_sees(const thud_contact_problem *problem);
void thud_newton_destroy(thud_newton *newton);
/* From now on works with the block rows of another, before every update. */
void thud_newton_share_sweep(thud_newton *newton, thud_local_sweep *sweep);

/* Multiplies the first rho of every contact by the factor. Solutions are the same, but larger steps judge the mode of
 * a contact more by its velocity, smaller ones more by its impulse. */
void thud_newton_scale_steps(thud_newton *newton, double factor);
/* du = (W + alpha Lambda) dr + V dl, dw = V' dr + (R + alpha Lambda) dl. */
void thud_newton_apply(const thud_newton *newton, const double *dr, const double *dl, double *du, double *dw);
/* Velocities at (r, l); returns the merit, the sum of squares of F in velocity units and of u_b. */
double thud_newton_evaluate(thud_newton *newton, const double *r, const double *l);
/* The merit at (r + t dr, l + t dl), without a product with W. */
double thud_newton_merit_along(thud_newton *newton, double t, const double *r);
/* Newton's direction dr, dl and its velocities, from the last evaluation, which was at r, with W + (alpha + shift)
 * Lambda in the system. False when the system is singular. */
bool thud_newton_direction(thud_newton *newton, double shift, const double *r);

/* ---- steps ------------------------------------------------------------------------------------------------- */

enum { THUD_NEWTON_WINDOW = 5 };

/* What is carried from step to step. */
typedef struct thud_newton_search {
  double recent[THUD_NEWTON_WINDOW]; /* merits of the last iterates */
  int kept, next;
  double shift;   /* of the system, relative to Lambda */
  double merit;   /* of the last iterate */
  double rho;     /* by which every rho is multiplied */
  double watched; /* the figure that should fall, and the steps since it last did */
  int patience;
} thud_newton_search;

void thud_newton_search_begin(thud_newton_search *search);
/* Forgets the merits: the iterate was moved by other means. */
void thud_newton_search_forget(thud_newton_search *search);
/* Notes a figure that should fall (a residual or merit). True when it has not for long: rho has been changed then. */
bool thud_newton_search_watch(thud_newton *newton, thud_newton_search *search, double figure);
/* Puts rho back. */
void thud_newton_search_end(thud_newton *newton, thud_newton_search *search);
/* One step on (r, l). False when nothing moved: the system is singular, or no step along the direction descends. */
bool thud_newton_step(thud_newton *newton, thud_newton_search *search, double *r, double *l);

/* ---- what the rows of the registry share ------------------------------------------------------------------------ */

/* Members of a row but name, summary, create and solve. */
#define THUD_NEWTON_ROW                                                                                                \
  .accepts = THUD_ACCEPTS_LCP | THUD_ACCEPTS_2D | THUD_ACCEPTS_3D | THUD_ACCEPTS_ROLLING | THUD_ACCEPTS_SPINNING |     \
             THUD_ACCEPTS_BILATERAL | THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_GLOBAL | THUD_ACCEPTS_TWO_BLOCK,               \
  .native = THUD_ACCEPTS_LOCAL | THUD_ACCEPTS_TWO_BLOCK, .sees = thud_newton_sees, .limit = thud_newton_limit,         \
  .update = thud_newton_method_update, .destroy = thud_newton_method_destroy

/* For `create` of a row, with the function of its choice. */
thud_error thud_newton_method_create(thud_solver *solver, const thud_newton_function *function);
thud_error thud_newton_method_update(thud_solver *solver);
/* Steps with line search and regularisation, sweeps first and where a step is refused, other rho where steps lead
 * nowhere. */
thud_error thud_newton_method_solve(thud_solver *solver);
void thud_newton_method_destroy(thud_solver *solver);
/* Sweeps of Gauss-Seidel on solver->r, solver->l. */
void thud_newton_sweep(thud_solver *solver, int count);

#endif
