/* thud/contact.h: statements of contact problems, their validation, and how wrong a given answer is.
 *
 * The problem (velocities u, impulses r, contact by contact with the normal component first):
 *   Coulomb   0 <= u_N perp r_N >= 0,  |r_T| <= mu r_N,  r_T opposite to u_T where it slides
 *   written with De Saxce's shift as   K* contains u~ = u + (mu |u_T|) n, perp r in K = { |r_T| <= mu r_N }.
 * With rolling (R) and spinning (S, drilling) friction the cone is a product of discs over the same normal impulse,
 *   K = { r_N >= 0, |r_T| <= mu r_N, |r_R| <= mu_rolling r_N, |r_S| <= mu_spinning r_N },
 *   u~_N = u_N + mu |u_T| + mu_rolling |u_R| + mu_spinning |u_S|,
 * each part with a coefficient of its own and independent of the others. Components per contact (`dimension`):
 *   1  N                       an LCP, no friction
 *   2  N, T                    Coulomb friction in the plane
 *   3  N, T1, T2               Coulomb friction in space
 *   3  N, T, R                 in the plane with rolling friction: friction = THUD_FRICTION_PLANE_ROLLING
 *   4  N, T1, T2, S            in space with spinning friction
 *   5  N, T1, T2, R1, R2       in space with rolling friction
 *   6  N, T1, T2, R1, R2, S    in space with rolling and spinning friction
 * A general law replaces the disc of radius mu by a closed convex set C of R^(dimension-1) that contains 0: r_T in
 * r_N C, u~_N = u_N + sup over C of -u_T.c. Bilateral rows ask for u_b = 0 with a free impulse l.
 *
 * Structs are plain and borrow their arrays. Nothing here solves anything. */
#ifndef THUD_CONTACT_H
#define THUD_CONTACT_H

#include "thud/convex.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- matrices as problems carry them ---------------------------------------------------------------- */

typedef enum thud_matrix_storage {
  THUD_MATRIX_NONE = 0,
  THUD_MATRIX_DENSE = 1,
  THUD_MATRIX_SPARSE = 2,  /* compressed columns */
  THUD_MATRIX_BLOCKS = 3,  /* block rows with blocks of dimension x dimension */
  THUD_MATRIX_OPERATOR = 4 /* products and diagonal blocks only; W of the local form */
} thud_matrix_storage;

/* A square matrix that is known by its products, for W that is not to be assembled. */
typedef struct thud_operator {
  void (*apply)(void *user, const double *x, double *y); /* y = A x; x and y do not overlap. The same bits every time */
  void *user;
  thud_index block;       /* rows of the diagonal blocks: the components of a contact */
  const double *diagonal; /* [rows*block] the diagonal blocks one after the other, column-major */
} thud_operator;

typedef struct thud_matrix {
  thud_matrix_storage storage;
  thud_index rows, columns;
  const double *dense; /* [rows*columns] column-major */
  thud_sparse sparse;  /* borrowed here: not destroyed with the view */
  thud_bsr blocks;
  thud_operator products; /* OPERATOR */
} thud_matrix;

/* y = alpha op(A) x + beta y; beta = 0 never reads y; x and y do not overlap. The same bits for any number of threads.
 * An operator has neither a transpose nor beta: y = alpha A x. context may be NULL: one thread. */
THUD_API void thud_matrix_multiply_vector(thud_context *context, const thud_matrix *A, bool transposed, double alpha,
                                          const double *x, double beta, double *y);

/* ---- the three forms ----------------------------------------------------------------------------------- */

typedef enum thud_contact_form {
  THUD_FORM_LOCAL = 0,    /* u = W r + V l + q,  0 = V' r + R l + s */
  THUD_FORM_GLOBAL = 1,   /* M v = f + H r + G l,  u = H' v + w,  0 = G' v + b */
  THUD_FORM_TWO_BLOCK = 2 /* M block-diagonal, each contact touches at most two blocks; W is never formed */
} thud_contact_form;

/* Bodies with at most 6 degrees of freedom each: v_i = v_i^free + M_i^-1 sum J' r, u = J_a v_a + J_b v_b + w. */
typedef struct thud_two_block {
  thud_index bodies;
  thud_index block;            /* degrees of freedom per body, 1..6 */
  const double *inverse_mass;  /* [bodies*block*block] each block symmetric; a zero block is a body that never moves */
  const double *free_velocity; /* [bodies*block] velocity without the contact impulses */
  const thud_index *body_a;    /* [contacts] */
  const thud_index *body_b;    /* [contacts] -1: the world; never equal to body_a */
  const double *jacobian_a;    /* [contacts*dimension*block] row-major dimension x block per contact */
  const double *jacobian_b;    /* [contacts*dimension*block] signs included; ignored where body_b is -1 */
  const double *w;             /* [dimension*contacts], NULL: 0 */
  /* Joints: the bilateral rows in groups of 1 to 6, each between two bodies; u_b = G_a v_a + G_b v_b + b, and G' l acts
   * on the bodies as J' r does. */
  thud_index joints;             /* 0: there are no bilateral rows */
  const thud_index *joint_start; /* [joints+1] rows joint_start[j]..joint_start[j+1]-1, the last entry is `bilateral` */
  const thud_index *joint_a;     /* [joints] */
  const thud_index *joint_b;     /* [joints] -1: the world; never equal to joint_a */
  const double *joint_jacobian_a; /* [bilateral*block] row-major, row by row */
  const double *joint_jacobian_b; /* [bilateral*block] ignored where joint_b is -1 */
  const double *joint_w;          /* [bilateral] b, NULL: 0 */
} thud_two_block;

/* Meaning of the components of a contact where the dimension alone is ambiguous. */
typedef enum thud_contact_friction {
  THUD_FRICTION_BY_DIMENSION = 0, /* the table above, 3 components are Coulomb friction in space */
  THUD_FRICTION_PLANE_ROLLING = 1 /* 3 components (N, T, R): the plane with rolling friction */
} thud_contact_friction;

typedef struct thud_contact_problem {
  thud_contact_form form;
  thud_index dimension;     /* 1 to 6 components per contact */
  thud_index contacts;      /* 0 is allowed: the residual is that of the bilateral rows */
  const double *mu;         /* [contacts] >= 0; NULL when dimension is 1 */
  const double *mu_rolling; /* [contacts] >= 0, a length; dimensions 5 and 6, and 3 with PLANE_ROLLING; else NULL */
  thud_set *const *laws;    /* NULL, or [contacts] bounded sets C of R^(dimension-1) that contain 0, NULL entries: the
                               disc; without rolling and spinning only; mu is not read where there is a law */
  thud_index bilateral;     /* rows of l, 0: none; two-block form: those of its joints */

  /* LOCAL */
  thud_matrix W;   /* dimension*contacts square */
  const double *q; /* [dimension*contacts] */
  thud_matrix V;   /* dimension*contacts x bilateral */
  thud_matrix R;   /* bilateral square */
  const double *s; /* [bilateral] */

  /* GLOBAL */
  thud_matrix M;   /* ndof square */
  thud_matrix H;   /* ndof x dimension*contacts */
  thud_matrix G;   /* ndof x bilateral */
  const double *f; /* [ndof] */
  const double *w; /* [dimension*contacts], NULL: 0 */
  const double *b; /* [bilateral], NULL: 0 */

  thud_two_block two_block; /* TWO_BLOCK */

  const double *mu_spinning;      /* [contacts] >= 0, a length; dimensions 4 and 6, else NULL */
  thud_contact_friction friction; /* 0: what the dimension says */
} thud_contact_problem;

/* Number of impulse components, dimension*contacts, and of velocity components: ndof in the global form, bodies*block
 * in the two-block form, 0 in the local one. */
THUD_API size_t thud_contact_size(const thud_contact_problem *problem);
THUD_API size_t thud_contact_ndof(const thud_contact_problem *problem);
/* "3D friction, local form", ... for tables and messages. */
THUD_API const char *thud_contact_kind_name(const thud_contact_problem *problem);

/* Figures measured by the validation; the problem is usable when the call returns THUD_OK. */
typedef struct thud_contact_diagnosis {
  double asymmetry;             /* max |W_ij - W_ji| / max |W|, 0 when symmetric; of M in the global form, of the
                                   inverse masses in the two-block form */
  thud_index negative_diagonal; /* first i with W_ii < 0 (global form: M_ii <= 0), -1: none; two-block form: normal
                                   components only */
  thud_index zero_rows;         /* contacts whose normal row of W (column of H, row of J) vanishes */
  THUD_RESERVED(4);
} thud_contact_diagnosis;

/* Dimensions, NaN and infinities, indices, negative mu, laws of the wrong dimension, without 0 or not bounded: an error
 * that names the array and the entry or contact. Asymmetry is not an error: it is measured. diagnosis may be NULL. */
THUD_API thud_error thud_contact_validate(thud_context *context, const thud_contact_problem *problem,
                                          thud_contact_diagnosis *diagnosis);

/* ---- how wrong is an answer? -------------------------------------------------------------------------------
 * natural    |r - proj_K(r - u~)| / scale (LCP: |min(r, u)| / scale), scale = |q| if |q| > 2.3e-16, else 1
 * bilateral  |u_b| / scale, scale as above with s appended to q
 * dynamics   |M v - f - H r - G l| / max(|f|, |H r + G l|, 2.3e-16), global form only
 * residual   the largest of the three: what tolerances are compared with
 * Global form: q = H' M^-1 f + w and s = G' M^-1 f + b by one solve; two-block form: q = J v^free + w. W is never
 * formed. */
typedef struct thud_contact_residual {
  double residual;
  double natural, bilateral, dynamics;
  double scale;
  thud_index worst_contact; /* with the largest part of the natural map, -1 when there is no contact */
  double worst_value;       /* its part, unscaled */
  double penetration;       /* max (-u_N)+, velocity unit, and where (-1: nowhere) */
  thud_index penetration_contact;
  double
      cone_excess; /* max (|r_T| - mu r_N)+ (also rolling and spinning; general laws: distance of r_T to r_N C, and -r_N), impulse
                         unit, and where (-1: nowhere) */
  thud_index cone_contact;
  double dissipation; /* -sum r.u: > 0 when contacts take energy */
} thud_contact_residual;

/* Evaluates impulses r[size], l[bilateral] (NULL when there are none). Global form: v[ndof] may be NULL, and is then
 * computed from r and l by one solve; two-block form: v is always computed. u[size] (may be NULL) receives the
 * velocities. NaN or infinity in r, v or l is THUD_ERROR_NOT_FINITE; velocities that overflow give an infinite
 * residual. The problem is taken as valid (thud_contact_validate). Shares no code with the solvers. */
THUD_API thud_error thud_contact_evaluate(thud_context *context, const thud_contact_problem *problem, const double *r,
                                          const double *v, const double *l, double *u, thud_contact_residual *residual);

/* The same for many answers to one problem: memory, the factor of M, q and the scale are kept between them. Borrows the
 * problem; after changing its numbers call update. */
typedef struct thud_contact_evaluator thud_contact_evaluator;
THUD_API thud_error thud_contact_evaluator_create(thud_context *context, const thud_contact_problem *problem,
                                                  thud_contact_evaluator **evaluator);
THUD_API void thud_contact_evaluator_destroy(thud_contact_evaluator *evaluator);
/* Takes new numbers of a problem with the same form and sizes; M is factorized anew, nothing else is allocated. */
THUD_API thud_error thud_contact_evaluator_update(thud_contact_evaluator *evaluator,
                                                  const thud_contact_problem *problem);
/* As thud_contact_evaluate (v, l and u may be NULL likewise); allocates nothing. */
THUD_API thud_error thud_contact_evaluator_evaluate(thud_contact_evaluator *evaluator, const double *r, const double *v,
                                                    const double *l, double *u, thud_contact_residual *residual);
/* The reduced q[size], borrowed until the next update: q of the local form, H' M^-1 f + w or J v^free + w. */
THUD_API const double *thud_contact_evaluator_q(const thud_contact_evaluator *evaluator);
/* The velocities v[ndof] of the last evaluation (global and two-block form), borrowed until the next one. */
THUD_API const double *thud_contact_evaluator_v(const thud_contact_evaluator *evaluator);

/* Projection of one contact's x[dimension] onto its cone K (y may alias x), and the shift u~_N - u_N. */
THUD_API thud_error thud_contact_project_cone(const thud_contact_problem *problem, thud_index contact, const double *x,
                                              double *y);
THUD_API thud_error thud_contact_shift(const thud_contact_problem *problem, thud_index contact, const double *u,
                                       double *shift);

/* ---- other forms of the same problem ------------------------------------------------------------------------- */

/* A problem that owns its arrays; what conversions and file readers make. */
typedef struct thud_owned_problem thud_owned_problem;
THUD_API const thud_contact_problem *thud_owned_problem_view(const thud_owned_problem *owned);
THUD_API void thud_owned_problem_destroy(thud_owned_problem *owned);

/* Deep copy. Laws are cloned. */
THUD_API thud_error thud_contact_copy(thud_context *context, const thud_contact_problem *problem,
                                      thud_owned_problem **copy);
/* W = H' M^-1 H, q = H' M^-1 f + w, and the same for G (refused when M is not symmetric: V' would be wrong); from the
 * two-block form by assembling its blocks (block rows). storage: DENSE or BLOCKS or SPARSE, NONE: whichever suits the
 * fill. */
THUD_API thud_error thud_contact_to_local(thud_context *context, const thud_contact_problem *problem,
                                          thud_matrix_storage storage, thud_owned_problem **local);
/* M, H and f from the two-block form (zero masses refused: eliminate fixed bodies first). */
THUD_API thud_error thud_contact_to_global(thud_context *context, const thud_contact_problem *problem,
                                           thud_owned_problem **global);

/* ---- units ------------------------------------------------------------------------------------------------------ */

/* u = velocity u', v = velocity v', r = impulse r', l = impulse l': the cones stay as they are. */
typedef struct thud_contact_scaling {
  double velocity, impulse; /* > 0, in the units of u and r */
} thud_contact_scaling;

/* Powers of 2 (no digit changes) that make max |q'| and the mean of W'_NN about 1 (global form: the mean of M'_ii,
 * two-block form: the mean inverse mass). */
THUD_API thud_error thud_contact_choose_scaling(thud_context *context, const thud_contact_problem *problem,
                                                thud_contact_scaling *scaling);
/* A copy of the problem in the new units. */
THUD_API thud_error thud_contact_scale(thud_context *context, const thud_contact_problem *problem,
                                       const thud_contact_scaling *scaling, thud_owned_problem **scaled);
/* Takes an answer of the scaled problem back to the old units, in place; any of the arrays may be NULL. */
THUD_API void thud_contact_unscale_answer(const thud_contact_problem *problem, const thud_contact_scaling *scaling,
                                          double *r, double *u, double *v, double *l);

#ifdef __cplusplus
}
#endif
#endif
