/* The inside of quasi-static motions: the structure seen from its contacts (quasistatic_structure.c), all solutions at a
 * state (quasistatic_solutions.c), one increment (quasistatic_increment.c), jumps (quasistatic_jump.c), the way through an
 * interval (quasistatic_path.c), and the motion itself (quasistatic_motion.c). */
#ifndef THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_MOTION_H
#define THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_MOTION_H

#include "thud/quasistatic.h"

/* ---- quasistatic_structure.c ------------------------------------------------------------------------------------- */

/* An elastic structure seen from its contacts: K factorised once, and what is left when all unknowns but the contact
 * coordinates u = H' U are eliminated,
 *   u = W r + H' K^-1 F   or   K_c u = f + r,  K_c = W^-1, f = K_c H' K^-1 F.
 *
 * A semidefinite K is held by its contacts. With K_s = K + s H H' (s > 0) and W_s = H' K_s^-1 H
 *   K_c = W_s^-1 - s I,   f = W_s^-1 H' K_s^-1 F
 * (also where K is definite but so soft in a motion that several contacts see that W would lose its digits)
 * are exact for every s (minimise U.K_s U/2 - F.U over U with H' U = u), provided that the columns of H are independent;
 * s is 0 where K is definite. */

typedef struct elastic_structure {
  thud_context *context;
  const thud_quasistatic_problem *problem; /* borrowed */
  thud_index n, m, c, d;                   /* unknowns, contact coordinates d*c, contacts, components */
  thud_metric *dense;                      /* K_s of small structures, otherwise: */
  thud_factor *factor;
  double *inverse;     /* [n*n] K_s^-1 of tiny structures, where products are faster than solves; else NULL */
  thud_sparse shifted; /* K + s H H' when it is sparse and s > 0 */
  double shift;        /* s */
  bool semidefinite;   /* K is not definite */
  double *W;           /* [m*m] W_s */
  double *stiffness;   /* [m*m] K_c; NULL when H has dependent columns */
  double *work;        /* [n] */
} elastic_structure;

thud_error thud_elastic_structure_create(thud_context *context, const thud_quasistatic_problem *problem,
                                         elastic_structure *structure);
void thud_elastic_structure_destroy(elastic_structure *structure);

/* U[n] = K_s^-1 (F + H x), x[m] may be NULL: 0. */
thud_error thud_elastic_structure_solve(const elastic_structure *structure, const double *F, const double *x,
                                        double *U);
/* u[m] = H' U. */
void thud_elastic_structure_see(const elastic_structure *structure, const double *U, double *u);
/* y = K U. */
void thud_elastic_structure_apply(const elastic_structure *structure, const double *U, double *y);
/* f[m] of the load from free = H' K_s^-1 F. */
void thud_elastic_structure_condense(const elastic_structure *structure, const double *free, double *f);

/* "the unknown 'x'" or "the unknown 3"; "contact 'foot'" or "contact 3". */
const char *thud_elastic_unknown(const elastic_structure *structure, thud_index i, char text[160]);
const char *thud_elastic_contact(const thud_quasistatic_problem *problem, thud_index i, char text[160]);

/* One combination of contact modes in one or two components per contact: a linear system.
 *
 *   K u = f + r with  open   r = 0
 *                     stick  u_N = closed, u_T = stuck
 *                     slip s u_N = closed, r_T = s mu r_N          (s = 1: SLIP, s = -1: SLIP_BACK)
 * The unknowns that are left are both components of open contacts and u_T of slipping ones; their rows are
 *   open  (K u)_N = f_N, (K u)_T = f_T;   slip  (K u)_T - s mu (K u)_N = f_T - s mu f_N.
 * For values closed = -gap0 and stuck = u_T before, for rates both are 0. In one component `stick` is just closed. */

typedef struct mode_system {
  const elastic_structure *structure;
  const double *f;      /* [m] */
  const double *closed; /* [c], NULL: 0 */
  const double *stuck;  /* [m] its tangential entries, NULL: 0 */
  double *A, *b;        /* [m*(m+1)], [m] scratch */
  thud_index *unknown;  /* [m] scratch: contact coordinate of each unknown */
  thud_index *order;    /* [m] scratch */
  double softness;      /* of the last system solved: its largest entry over its smallest pivot; 1 without unknowns */
} mode_system;

thud_error thud_mode_system_create(const elastic_structure *structure, mode_system *system);
void thud_mode_system_destroy(mode_system *system);

typedef enum mode_answer {
  MODES_REGULAR = 0,
  MODES_SINGULAR = 1, /* solvable: u is one of infinitely many, `direction` leads to the others */
  MODES_NONE = 2      /* contradictory */
} mode_answer;

/* u, r [m]; direction [m] (may be NULL) is 0 when the answer is REGULAR, otherwise a motion that the modes do not resist, of
 * largest component 1. */
mode_answer thud_modes_solve(mode_system *system, const thud_elastic_mode *modes, double *u, double *r,
                             double *direction);
/* r = K u - f with exact zeros at open contacts and r_T = s mu r_N at slipping ones. */
void thud_modes_reactions(const mode_system *system, const thud_elastic_mode *modes, const double *u, double *r);

static inline double thud_mode_sign(thud_elastic_mode mode) { return mode == THUD_ELASTIC_SLIP_BACK ? -1 : 1; }
static inline bool thud_mode_slips(thud_elastic_mode mode) {
  return mode == THUD_ELASTIC_SLIP || mode == THUD_ELASTIC_SLIP_BACK;
}

/* ---- quasistatic_solutions.c ------------------------------------------------------------------------------------- */

/* All solutions of the rate problem and of the static problem in one place.
 *
 * Both are K u = f + r with a law per contact. What a contact may do depends on its standing:
 *   apart     gap > 0                 open
 *   touching  gap = 0, r = 0          open, stick, slip either way (rates obey Signorini and Coulomb themselves)
 *   stuck     r inside the cone       stick
 *   limit     r on the cone, r_N > 0  stick (the rate of r points into the cone) or slip (r stays on it)
 * For the static problem from a state before, every contact may do everything. */

typedef enum elastic_standing {
  STANDING_APART = 0,
  STANDING_TOUCHING = 1,
  STANDING_STUCK = 2,
  STANDING_LIMIT = 3,     /* in the plane: r_T = mu r_N */
  STANDING_LIMIT_BACK = 4 /* in the plane: r_T = -mu r_N */
} elastic_standing;

/* What is looked for. */
typedef struct elastic_question {
  bool rates;                       /* standing decides; else all modes, friction on u_T - before_T */
  const elastic_standing *standing; /* [c] of rates */
  const double *f;                  /* [m] load, or its rate */
  const double *before;             /* [m] u before; of rates: u now */
  const double *r;                  /* [m] reactions now (the direction of slip in space) */
  double tolerance;                 /* relative */
  thud_index most;                  /* contacts with a choice that are enumerated */
  int starts;                       /* thud_solutions_find_one: modes to begin with; 0: as many as it takes */
  double free;                      /* largest component of W f, what the load causes by itself; set by the search */
} elastic_question;

/* A list of solutions without repeats. */
typedef struct elastic_solutions {
  const elastic_structure *structure;
  size_t count, capacity, capacity_modes, capacity_figures;
  double *values;           /* [count][2m] u, r */
  thud_elastic_mode *modes; /* [count][c] */
  double *figures;          /* [count][4] continuum (1), energy, friction, release */
  thud_quasistatic_count found;
  bool mechanism; /* thud_solutions_find_one: a motion that the contacts allow and nothing resists was met instead */
} elastic_solutions;

void thud_solutions_clear(elastic_solutions *list);
void thud_solutions_destroy(elastic_solutions *list);
thud_quasistatic_solution thud_solutions_at(const elastic_solutions *list, size_t k);
/* Adds (u, r) unless it is there. */
thud_error thud_solutions_add(elastic_solutions *list, const elastic_question *question, const double *u,
                              const double *r, const thud_elastic_mode *modes, bool continuum);
/* Energies, losses and releases of static solutions, on the way from (u, r)[m] under the load f. */
void thud_solutions_weigh(elastic_solutions *list, const double *f, const double *u);

/* Empties the list and fills it. THUD_ERROR_UNSUPPORTED: several contacts in space, or dependent rows of contacts. */
thud_error thud_solutions_find(const elastic_question *question, mode_system *system, elastic_solutions *list);
/* Empties the list and fills it with one solution at most, from modes[c] by exchanging the modes of contacts whose
 * inequalities fail (block pivoting, and one contact at a time where that goes in circles): as many as there are contacts
 * with a choice. That none is found does not mean that there is none. */
thud_error thud_solutions_find_one(const elastic_question *question, mode_system *system,
                                   const thud_elastic_mode *modes, elastic_solutions *list);
/* One contact in space. */
thud_error thud_solutions_find_in_space(const elastic_question *question, elastic_solutions *list);

/* Largest component of u with gaps, of r with loads: what tolerances are relative to. */
typedef struct elastic_scales {
  double u, r;
} elastic_scales;
elastic_scales thud_solutions_scales(const elastic_structure *structure, const elastic_question *question,
                                     const double *u, const double *r);

/* ---- the motion -------------------------------------------------------------------------------------------------- */

/* An equilibrium under a load; the arrays of a motion's state and of its next one. */
typedef struct elastic_state {
  double *U, *F; /* [n] */
  double *u, *r; /* [m] */
  thud_elastic_mode *modes;
} elastic_state;

/* What is no array in the mutable state. */
typedef struct elastic_progress {
  thud_quasistatic_motion_info info;
  thud_quasistatic_ledger ledger;
  size_t next;             /* interval of the partition */
  double t;                /* of the state */
  double left;             /* events: where the load of the interval in progress begins */
  double residual;         /* of the last contact problem */
  double scale_u, scale_r; /* largest displacements and forces met */
  double scale_F;          /* largest load at a node */
  int side;                /* thud_side of the last frame */
  bool begun, inside;      /* the start has been handed out; events: the interval `next` has been entered */
  bool moving;             /* events: the modes of the state are those of a motion, which goes on with them if it can */
} elastic_progress;

/* Of one rate solution for every state and load. */
typedef enum elastic_proof { ELASTIC_PROOF_UNKNOWN = 0, ELASTIC_PROVED = 1, ELASTIC_NOT_PROVED = 2 } elastic_proof;

typedef struct quasistatic_motion {
  thud_motion base;
  thud_quasistatic_method method;
  thud_quasistatic_problem problem;
  const thud_partition *partition;
  thud_quasistatic_options options;
  elastic_structure structure;
  mode_system system;
  elastic_solutions found; /* the last rate solutions, or equilibria (found_jump) */
  bool found_jump;
  bool follow, pending; /* stop at forks; one has been reached */
  size_t most_outcomes; /* of a fork that are offered; 0: all that were found */
  size_t choice;        /* rate solution or equilibrium to go on with in the next step, from 1; 0: none */
  /* contact problems: */
  thud_contact_problem local;
  double *scaled_W, *scaled_q; /* [m*m], [m] of `local`: without units (quasistatic_increment.c) */
  double stiffness_unit;       /* scaled_W / W */
  thud_solver *solver;
  thud_velocity_solver *bounded; /* given bounds */
  thud_velocity_problem bounded_problem;
  thud_velocity_block *blocks;
  thud_velocity_law law;
  double *q;         /* [m] */
  double *threshold; /* [c] */
  /* mutable state: */
  elastic_progress now;
  size_t block_count;
  double *block;              /* the arrays of `state`, u_start and F_left one after the other */
  elastic_state state;        /* present */
  double *U_start;            /* [n] at the start, for the static problem */
  double *u_start;            /* [m] */
  double *r_start;            /* [m] */
  double *F_left;             /* [n] events: load at the beginning of the interval */
  elastic_standing *standing; /* [c] */
  /* scratch: */
  double *scratch;
  elastic_state next;      /* of an increment */
  double *F_end;           /* [n] load at the end of the interval, or of the part of it that is gone */
  double *F_node;          /* [n] load at the end of the interval */
  double *free;            /* [m] H' K_s^-1 F */
  double *f, *f_end;       /* [m] condensed loads */
  double *rate;            /* [m] */
  double *gap;             /* [c] */
  double *force, *product; /* [n] */
  thud_index *names;       /* [c] contacts of an event */
  double *before;          /* [m] */
  double *iterate;         /* [m] */
  /* search for jumps within a step: */
  elastic_state low, kept;
  double *F_base;            /* [n] load where the step begins */
  const elastic_state *from; /* of the increment: warm start, and which contacts were open */
  bool refined;              /* the frame that is handed out divides an interval */
  elastic_proof proof;
  double linear_seconds, contact_seconds; /* no part of the state: the same motion has the same bits */
} quasistatic_motion;

/* ---- quasistatic_increment.c ------------------------------------------------------------------------------------- */

/* The equilibrium under F[n] with friction on the way from before[m], in motion->next; warm start from the present
 * reactions. The status is RUNNING, NOT_CONVERGED or NOT_HELD. */
thud_error thud_elastic_increment(quasistatic_motion *motion, double t, const double *F, const double *before,
                                  thud_motion_status *status);
/* U of motion->next from its F, u and r. */
thud_error thud_elastic_recover(quasistatic_motion *motion, elastic_state *state);
thud_error thud_elastic_increment_create(quasistatic_motion *motion);

/* The closed forms for one contact: u, r, mode of motion->next; false: there is none. */
bool thud_elastic_one_contact(quasistatic_motion *motion, const double *f, const double *before, thud_error *error);

/* ---- quasistatic_jump.c ------------------------------------------------------------------------------------------ */

/* All equilibria under the condensed load f from the state, weighed, in motion->found without the present one. */
thud_error thud_elastic_find_jumps(quasistatic_motion *motion, const double *f);
/* Takes the state to an equilibrium under the load F at time t, with frames on both sides and an event. */
thud_error thud_elastic_jump_to(quasistatic_motion *motion, const thud_motion_sink *sink, size_t k);
/* Where there is no rate solution at the state (load F, condensed f): stops, jumps or forks as the options say. */
thud_error thud_elastic_meet_jump(quasistatic_motion *motion, const thud_motion_sink *sink, const double *f);
/* To motion->next, whose F, u, r and modes are set. */
thud_error thud_elastic_jump_to_next(quasistatic_motion *motion, const thud_motion_sink *sink, double release,
                                     double friction, double solutions);

/* "open, stick: releases 2.5, of which friction takes 0" */
void thud_elastic_describe(const quasistatic_motion *motion, const thud_quasistatic_solution *solution, char *text,
                           size_t size);

/* Looks for a jump within an increment from the state to motion->next under F_end at t_end. *found: one was met, and the
 * state is at it. */
thud_error thud_elastic_look_for_jump(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end,
                                      bool *found);
/* No contact changes its mode between two states: a straight line of equilibria joins them. */
bool thud_elastic_joined(const quasistatic_motion *motion, const elastic_state *from, const elastic_state *to);
/* Where there are several equilibria under the new load, a solver may find one that is far away although another one is
 * near: motion->next, just found by an increment, becomes the one nearest to `from`. */
thud_error thud_elastic_take_nearest(quasistatic_motion *motion, const elastic_state *from);

/* One rate solution for every state and load, by the critical coefficient of friction; looked for once. */
thud_error thud_elastic_proved(quasistatic_motion *motion, bool *proved);

/* ---- quasistatic_path.c ------------------------------------------------------------------------------------------ */

/* Events: from the state to the end of the interval, or to a fork or a jump. */
thud_error thud_elastic_follow(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end);
/* Standing of every contact by the values of the state. */
void thud_elastic_stand(quasistatic_motion *motion);
/* From the state to the load F_end at t_end, in one increment or, for an error that is asked for, in several; with a look
 * for jumps. */
thud_error thud_elastic_take_increments(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end);
bool thud_elastic_has_estimate(const quasistatic_motion *motion);

/* ---- quasistatic_motion.c ---------------------------------------------------------------------------------------- */

extern const thud_motion_type thud_quasistatic_type;

/* How the way is booked: with the last load and reactions; with the mean ones (exact where both are linear); as the first
 * at a fixed load, which is reported as a jump and not as changes of mode. */
typedef enum elastic_rule { ELASTIC_IMPLICIT = 0, ELASTIC_MEAN = 1, ELASTIC_JUMP = 2 } elastic_rule;
/* Books the way from the state to `to`, makes that the state, and reports changes of mode at time t. */
thud_error thud_elastic_accept(quasistatic_motion *motion, const elastic_state *to, double t, elastic_rule rule,
                               const thud_motion_sink *sink);
thud_error thud_elastic_hand_out(quasistatic_motion *motion, thud_side side, const thud_motion_sink *sink);
thud_error thud_elastic_send_event(quasistatic_motion *motion, const thud_quasistatic_event *event,
                                   const thud_motion_sink *sink);
void thud_elastic_copy(const quasistatic_motion *motion, const elastic_state *from, elastic_state *to);

#endif
