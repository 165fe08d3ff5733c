/* The inside of a quasi-static motion. */
#ifndef THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_MOTION_H
#define THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_MOTION_H

#include "motions/quasistatic/quasistatic_solutions.h"

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
  size_t choice;        /* rate solution or equilibrium to go on with in the next step, from 1; 0: none */
  /* contact problems: */
  thud_contact_problem local;
  double *scaled_W, *scaled_q; /* [m*m], [m] of `local`: without units (increment.c) */
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

/* ---- increment.c ---- */

/* The equilibrium under F[n] with friction on the way from before[m], in motion->next; warm start from the present
 * reactions. The status is RUNNING, NOT_CONVERGED or NOT_HELD. */
thud_error thud_elastic_increment(quasistatic_motion *motion, double t, const double *F, const double *before,
                                  thud_motion_status *status);
/* U of motion->next from its F, u and r. */
thud_error thud_elastic_recover(quasistatic_motion *motion, elastic_state *state);
thud_error thud_elastic_increment_create(quasistatic_motion *motion);

/* ---- one_step.c ---- */

/* The closed forms for one contact: u, r, mode of motion->next; false: there is none. */
bool thud_elastic_one_contact(quasistatic_motion *motion, const double *f, const double *before, thud_error *error);

/* ---- jump.c ---- */

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

/* ---- search.c ---- */

/* Looks for a jump within an increment from the state to motion->next under F_end at t_end. *found: one was met, and the
 * state is at it. */
thud_error thud_elastic_look_for_jump(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end,
                                      bool *found);
/* No contact changes its mode between two states: a straight line of equilibria joins them. */
bool thud_elastic_joined(const quasistatic_motion *motion, const elastic_state *from, const elastic_state *to);
/* Where there are several equilibria under the new load, a solver may find one that is far away although another one is
 * near: motion->next, just found by an increment, becomes the one nearest to `from`. */
thud_error thud_elastic_take_nearest(quasistatic_motion *motion, const elastic_state *from);

/* ---- estimate.c ---- */

/* From the state to the load F_end at t_end, in one increment or, for an error that is asked for, in several; with a look
 * for jumps. */
thud_error thud_elastic_take_increments(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end);
bool thud_elastic_has_estimate(const quasistatic_motion *motion);

/* ---- proof.c ---- */

/* One rate solution for every state and load, by the critical coefficient of friction; looked for once. */
thud_error thud_elastic_proved(quasistatic_motion *motion, bool *proved);

/* ---- path.c ---- */

/* Events: from the state to the end of the interval, or to a fork or a jump. */
thud_error thud_elastic_follow(quasistatic_motion *motion, const thud_motion_sink *sink, double t_end);
/* Standing of every contact by the values of the state. */
void thud_elastic_stand(quasistatic_motion *motion);

/* ---- quasistatic.c ---- */

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
