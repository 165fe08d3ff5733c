/* Inside of impacts and steps (thud/model.h): from a system to a velocity problem (thud/velocity.h), the laws that turn
 * it into impulses, and the account of the answer.
 *
 * Everything happens in the coordinates z = L'v of M = LL', where the kinetic metric is Euclidean: a row a of a
 * gradient becomes y = L^-1 a', its velocity is y.z + rate, its impulse r adds y r to z. Bilateral rows are eliminated
 * first: Q is an orthonormal basis of their span, the free velocity is moved onto them, and the rows of contacts lose
 * their parts along Q. What is left is
 *
 *   u = W r + u_free,  W_ij = y_i.y_j,   one block of rows per contact: its normal, then its slip directions,
 *
 * and a law of impact is a map from (W, u_free, u_minus, e) to r. */
#ifndef THUD_SRC_MODEL_PERCUSSION_H
#define THUD_SRC_MODEL_PERCUSSION_H

#include "base/base.h"
#include "model/model_rows.h"
#include "solve/solve_velocity.h"
#include "thud/model.h"

/* Where a friction law of the system acts. */
typedef struct thud_slip_law {
  thud_index constraint;                   /* -1: by itself */
  bool of_bilateral;                       /* threshold mu |l| */
  thud_index first;                        /* of its rows among the slip rows of the system */
  const struct model_threshold *threshold; /* NULL, or what its reactions give; constraint is -1 then, and */
  thud_velocity_coupling coupling;         /* of the problem at hand; its user is: */
  struct thud_percussion *percussion;
  thud_index *place; /* [2*reactions] rows and equations */
  double *room;      /* [reactions] */
} thud_slip_law;

/* Entries of a row that may differ from 0. */
typedef struct thud_row_range {
  thud_index first, end;
} thud_row_range;

typedef struct thud_law_map thud_law_map;

/* How a scheme departs from an impact of the given velocity at the given values; zero: it does not. Arrays are borrowed. */
typedef struct thud_impact_view {
  const double *bend; /* [m] contained in the rates: velocities before are u_minus - 2 bend, those after u+; NULL: 0 */
  const double *resting;      /* [m] not 0: the constraint is stopped, whatever the law says; NULL: none */
  double *mass, *mass_factor; /* the kinetic metric where the values have that of a Newton step; NULL: the values' */
} thud_impact_view;

/* The axioms of an impact law, by how much an answer violates them (thud_percussion_judge). */
typedef struct thud_axiom_witness {
  thud_index constraint; /* (a) the one that still approaches, or the equation that is left; -1: none */
  double velocity;       /* (a) its velocity after */
  double distance,
      change; /* (b) of v+ - v- from the impulses of the constraints, and its size, in the kinetic metric */
} thud_axiom_witness;

/* percussion_sparse.c: velocity problems of sparse values; NULL for full ones. */
typedef struct thud_percussion_sparse thud_percussion_sparse;

struct thud_percussion {
  thud_context *context;
  const thud_system *system;
  thud_percussion_options options;
  const thud_law_map *law;
  thud_index n, m, slips, law_count;
  thud_constraint_kind *kind; /* [m] */
  thud_slip_law *laws;        /* [law_count] */
  thud_velocity_law *sets;    /* [law_count] their sets, owned */
  thud_index *law_of;         /* [m] number of the constraint's first law, -1 */
  thud_index bilateral_total; /* constraints that are equations */
  thud_index unilateral_total;
  bool has_laws;   /* some law exists */
  bool is_sparse;  /* for sparse values: no full matrices, no solver */
  bool is_coupled; /* some threshold depends on reactions */
  bool at_once;    /* thud_percussion_act_at_once */
  double step;     /* of the call, and its values: for such thresholds */
  const thud_system_values *values;
  double *slope; /* [slips] room, when is_coupled */
  double t;      /* the table's state */
  const double *q;
  bool has_warned;            /* that CANONICAL was given several e */
  thud_impact_view view;      /* of laws by table */
  const bool *left_out;       /* [m] equations that follow from others, borrowed; NULL: none */
  thud_axiom_witness witness; /* of the answer that was judged last */

  /* the problem at hand */
  thud_velocity_problem problem; /* views of what follows */
  thud_index row_capacity;       /* unilateral + slips */
  thud_velocity_block *blocks;   /* [unilateral + law_count] */
  thud_row *source;              /* [row_capacity] gradient or slip row */
  double *rate;                  /* [row_capacity] */
  double *y;                     /* [row_capacity*n] reduced rows */
  double *W;                     /* [rows*rows] symmetric */
  double *u_free, *u_minus;      /* [row_capacity]; u_free on the bilateral constraints */
  double *load;                  /* [row_capacity] u_free + e u_minus: what the velocity problem sees */
  double *r, *u;                 /* [row_capacity] impulses; velocities W r + load */
  double *restitution;           /* [row_capacity] e of normal rows, 0 elsewhere */
  thud_index bilateral_rank;
  thud_index *bilateral_constraint; /* [bilateral_total] */
  double *basis;                    /* [bilateral_total*n] Q, one vector after the other */
  double *triangle;                 /* [bilateral_total^2] row-major T with y_b = sum_j T_bj q_j */
  thud_index *basis_of;             /* [bilateral_total] number of the basis vector that a row gave, -1: dependent */
  double *along;                    /* [bilateral_total*rows] q_j . y_i before the reduction */
  double *offset;                   /* [bilateral_total] q_j . (z0 - z_free) */
  double *l;                        /* [bilateral_total] */
  double *z;                        /* [n] */
  double *v_plus;                   /* [n] */
  double *work;                     /* [3*row_capacity + n + bilateral_total] */
  double *past;                     /* [24*row_capacity + 2*n] scratch of the laws */
  bool has_velocity;                /* the law has written v_plus itself */
  thud_row_range *range;            /* [row_capacity] of y */
  thud_index *chosen;               /* [row_capacity] */
  bool set_valued;
  const char *solved_by;          /* method of the last velocity problem; NULL: there was none */
  thud_velocity_solver *solver;   /* NULL with sparse values */
  thud_percussion_sparse *sparse; /* owned */
};

/* ---- percussion_assemble.c ------------------------------------------------------------------------------------- */

/* What a call gives. */
typedef struct thud_velocity_data {
  const thud_system_values *values; /* NULL: the problem is given by numbers, as is this: */
  double energy;                    /* kinetic, what gains are relative to */
  const bool *acting;
  double step;
  bool is_frictionless;           /* no friction law has rows, whatever the values say */
  const double *v_minus, *v_free; /* [n]; by numbers v_minus[rows]: velocities of the rows before */
} thud_velocity_data;

/* v'Mv/2 of v_minus or v_free. */
static inline double thud_velocity_energy(const thud_velocity_data *data, thud_index n, const double *v) {
  return data->values != NULL ? thud_values_product(data->values, n, v, v) / 2 : data->energy;
}

/* Rows and blocks of the problem in which everything acts. */
void thud_percussion_outline(thud_percussion *p);
/* Rows, blocks, W, u_free, u_minus; r from the warm start (0 where NULL is given). THUD_ERROR_NOT_FINITE when the data
 * are not. */
thud_error thud_percussion_assemble(thud_percussion *p, const thud_velocity_data *data, const double *r_normal,
                                    const double *r_slip);
/* The block with the normal row of a constraint; -1: it does not act, or is no one-sided one. */
thud_index thud_percussion_block_of(const thud_percussion *p, thud_index constraint);
/* THUD_ERROR_NOT_FINITE when u_free, u_minus, W or the warm start are not. */
thud_error thud_percussion_check_finite(const thud_percussion *p);
/* Row i holds as an equation: if it has one entry, its coordinate of v_plus is that exactly. */
void thud_percussion_settle_row(const thud_percussion *p, thud_index i, double *v_plus);
/* v_plus from r. Rows that hold as equations and have one entry determine their coordinate exactly. */
void thud_percussion_velocity(thud_percussion *p, const thud_velocity_data *data, double *v_plus);

/* ---- percussion_thresholds.c: thresholds that reactions give (model/thresholds.h) ---------------------------------- */

/* Of law number k, whose constraint is set; p->is_coupled when its threshold names reactions. */
thud_error thud_percussion_take_threshold(thud_percussion *p, thud_index k);
void thud_percussion_free_thresholds(thud_percussion *p);
/* THUD_ERROR_UNSUPPORTED: the impact law does not take them. */
thud_error thud_percussion_take_coupled(const thud_percussion *p);
/* With `at_once` the impulses of the calls that follow act at once whatever their step, which is that of laws by
 * themselves at a load. */
void thud_percussion_act_at_once(thud_percussion *p, bool at_once);
/* Where the reactions of the threshold of law k are in the problem at hand; equations and normal rows are there. */
void thud_percussion_place_threshold(thud_percussion *p, thud_index k, const thud_velocity_data *data);
/* Of an answer: info->contraction. An error when a threshold is not >= 0, or names reactions that are not unique. */
thud_error thud_percussion_check_thresholds(thud_percussion *p, thud_percussion_info *info);

/* ---- percussion.c ---------------------------------------------------------------------------------------------------
 */

/* A percussion without its solver when it is sparse. */
thud_error thud_percussion_begin(thud_context *context, const thud_system *system, bool is_sparse,
                                 const thud_percussion_options *options, thud_percussion **percussion);
/* A percussion without a system: as many contacts at most, each with a normal row and `directions` slip rows (0 to 2) under
 * law 0, the disc. Whoever uses it fills rows, blocks, W, u_free, u_minus, restitution and r of its problem. */
thud_error thud_percussion_begin_numbers(thud_context *context, thud_index contacts, thud_index directions,
                                         const thud_percussion_options *options, thud_percussion **percussion);
/* The law on such a problem: p->r. data: energy and v_minus. */
thud_error thud_percussion_solve_numbers(thud_percussion *p, const thud_velocity_data *data,
                                         thud_percussion_info *info);
/* How the calls that follow depart from an impact; NULL: they do not. */
void thud_percussion_look(thud_percussion *p, const thud_impact_view *view);
/* Equations that the calls that follow leave out, because they follow from others but for the drift of a scheme: their
 * impulses are 0, and their velocities are those that the others give. [m], borrowed; NULL: none. Full values only. */
void thud_percussion_leave_out(thud_percussion *p, const bool *left_out);
/* Finds r (warm start in p->r) for p->load; p->u = W r + load. */
thud_error thud_percussion_velocity_problem(thud_percussion *p, thud_solver_status *status);
/* What residuals are relative to. */
static inline double thud_percussion_scale(const thud_percussion *p) {
  return thud_velocity_scale(&p->problem, p->options.tolerance);
}

/* ---- percussion_audit.c ---------------------------------------------------------------------------------------- */

/* Energies, losses, identity, cone, cosines, residual of p->r and v_plus. */
void thud_percussion_account(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                             thud_percussion_info *info);
/* The same of a problem given by numbers, without energies: p->u holds u+ before the call; before[rows]. */
void thud_percussion_account_numbers(thud_percussion *p, const double *before, thud_percussion_info *info);
/* The same for energies, work and identity alone: the losses are in info. */
void thud_percussion_account_energy(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                                    thud_percussion_info *info);
/* Nothing found yet; without bytes of chance between the members, as checkpoints hold it. */
void thud_percussion_info_start(thud_percussion_info *info);
/* Whether one that was read from a file can be of a system with m constraints and so many friction laws. */
bool thud_percussion_info_fits(const thud_percussion_info *info, thud_index m, thud_index law_count);
/* Cosines once more, in the metric of values->mass: schemes with implicit forces solve in another one. v: any velocity.
 */
thud_error thud_percussion_cosines(thud_percussion *p, const thud_system_values *values, const bool *acting,
                                   const double *v, thud_percussion_info *info);
/* Axioms (a), (b), (c) for a proposed v+ of an assembled problem without friction (an error otherwise): in_cone,
 * impulse_admissible, energies, gained, p->witness; p->r the impulses. */
thud_error thud_percussion_judge(thud_percussion *p, const thud_velocity_data *data, const double *v_plus,
                                 thud_percussion_info *info);
/* The error given, with a message why the answer was refused: the axiom that it violates, or the energy created. */
thud_error thud_percussion_fail_refused(const thud_percussion *p, const thud_percussion_info *info, thud_error error);
/* True when energy is the only axiom that the refused answer violates. */
static inline bool thud_percussion_only_gains(const thud_percussion_info *info) {
  return info->refused && info->gained && info->in_cone && info->impulse_admissible;
}
/* What the reactions r give, the smaller of both reckonings (see thud_energy_gain). */
double thud_percussion_energy_gain(const thud_percussion *p, const double *r);
/* True when that is more than the options allow. */
bool thud_percussion_gains(const thud_percussion *p, const thud_velocity_data *data);
/* p->r >= 0 of the normal rows that come nearest to M dv (bilateral impulses are free); *distance in the kinetic
 * metric. Frictionless problems only. */
thud_error thud_percussion_fit(thud_percussion *p, const thud_velocity_data *data, const double *dv, double *distance);
/* |W_ij| / sqrt(W_ii W_jj) of the pair, if it is the largest so far. */
void thud_percussion_note_cosine(thud_percussion_info *info, double cosine, thud_index first, thud_index second);

/* ---- percussion_sparse.c --------------------------------------------------------------------------------------- */

/* A percussion for the sparse values of a system without friction; laws: newton, canonical. values give the patterns.
 * */
thud_error thud_percussion_create_sparse(thud_context *context, const thud_system *system,
                                         const thud_percussion_options *options, const thud_system_values *values,
                                         thud_percussion **percussion);
/* NULL when thud_percussion_create_sparse takes the system, else what it has that is not taken. */
const char *thud_percussion_not_sparse(const thud_system *system, const thud_percussion_options *options);
void thud_percussion_destroy_sparse(thud_percussion *p);
/* The rows are there: u_free, u_minus, magnitude. */
thud_error thud_percussion_fill_sparse(thud_percussion *p, const thud_velocity_data *data);
thud_error thud_percussion_solve_sparse(thud_percussion *p, thud_solver_status *status);
void thud_percussion_velocity_sparse(thud_percussion *p, const thud_velocity_data *data, double *v_plus);
void thud_percussion_cosines_sparse(thud_percussion *p, thud_percussion_info *info);

/* ---- laws ------------------------------------------------------------------------------------------------------ */

/* An impact law: writes p->r (whole impulses) for the problem at hand; sets in info what it knows (status, gained,
 * refused, restitution_factor, collisions). */
struct thud_law_map {
  const char *name;
  bool sees_free_velocity;                 /* v- of the law is v_free, the result of the forces included */
  thud_error (*check)(thud_percussion *p); /* at creation; NULL: nothing to check */
  thud_error (*apply)(thud_percussion *p, const thud_velocity_data *data, thud_percussion_info *info);
};
extern const thud_law_map thud_law_canonical, thud_law_newton, thud_law_sequential, thud_law_lzb, thud_law_table;

/* Inelastic end of a law that has made impulses p->r so far: whatever still approaches is stopped, and friction laws
 * that belong to no normal reaction act. */
thud_error thud_law_finish_inelastic(thud_percussion *p, thud_percussion_info *info);

#endif
