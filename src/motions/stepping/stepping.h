/* The inside of a motion: what the schemes share. One step reads as its algorithm in the scheme's own file. */
#ifndef THUD_SRC_MOTIONS_STEPPING_STEPPING_H
#define THUD_SRC_MOTIONS_STEPPING_STEPPING_H

#include "base/base.h"
#include "model/system_jumps.h"
#include "model/loads.h"
#include "model/percussion.h"
#include "model/system.h"
#include "model/thresholds.h"
#include "motions/motion.h"
#include "motions/posed.h"
#include "thud/stepping.h"

#include <math.h>
#include <string.h>

/* Everything that changes along a motion besides the arrays of the block below; no pointers. */
typedef struct motion_progress {
  double t;                    /* of the present node */
  size_t node;                 /* number of the present node */
  size_t grid;                 /* equal steps: of them that are complete; */
  bool between;                /* the present node lies between two nodes of equal steps, where the data jump; */
  bool at_jump;                /* the data jump at the present node */
  double step;                 /* that led here */
  double next_step;            /* controlled steps: to be tried next */
  double blow_up_q, blow_up_v; /* sizes at which the run ends */
  double initial_energy;
  double energy_scale;        /* largest energy met: what the identity is compared with */
  bool begun;                 /* frame 0 has been made */
  bool impact;                /* of the step that led here */
  bool rank_changed;          /* equations have become dependent here, or are so no more */
  double speed, speed_before; /* largest |v_i| here and one node before */
  double first_kinetic, first_potential;
  double lowest_potential;
  double exchanged;       /* sum of |work| of the steps */
  double last_work;       /* of the ledger, at the node before */
  double moved_potential; /* work dV/dt of a potential that depends on time, which the ledger has in its defect */
  double worst_energy;    /* largest |defect - scheme_loss| without it */
  double largest_potential;
  double creep_speed; /* moreau: fastest bounce of a contact that lasts, */
  double creep_time;  /* the time spent with such bounces, */
  thud_index creep;   /* and whose it is; -1: none */
  double residual;
  double worst_gap;
  thud_index worst_gap_constraint;
  thud_percussion_info percussion;
  thud_stepping_motion_info info; /* so far; holds the ledger */
} motion_progress;

typedef struct thud_scheme thud_scheme;

/* A motion by time stepping; the schemes share its state. */
typedef struct stepping_motion {
  thud_motion base;
  const thud_system *system;
  thud_stepping_options options;
  const thud_scheme *scheme;
  thud_index n, m, s;
  thud_system_values *values; /* sparse ones where the system is large and has patterns */
  thud_percussion *percussion;
  thud_percussion *projection; /* corrects positions: `percussion`, or Newton's law where that is not a projection */
  thud_impact_view view;       /* of the velocity problems of theta schemes */
  double e;                    /* the one restitution of mabrouk */

  model_jumps *jumps;        /* of the data in time; NULL: none */
  double jump;               /* the node at a jump that the present step may end at; infinite: none */
  double data_from, data_to; /* the step's data are those of times in between */
  double mean_from, mean_of; /* 0: forces are those of their times; otherwise the means over a step of this length */
  bool has_singular;         /* given forces are infinite at some time of the run */
  double *mean;              /* [6 n] */
  double stretch;            /* how many times longer an equal step is than the one at hand, which a jump has cut */

  motion_progress now;
  double *block; /* [block_count] the arrays of the state, one allocation: */
  size_t block_count;
  double *q, *v;     /* [n] */
  double *v_left;    /* [n] */
  double *v_average; /* [n] */
  double *v_limit;   /* [n] */
  double *gap;       /* [m] */
  double *reaction;  /* [m+s] impulses of the step, warm start of the next */
  double *flags;     /* [2 m] acting and atom as 0 or 1: part of the block, so that a restored frame is whole */
  double *low, *high, *before; /* [n] the box of all nodes; the node before */
  double *violated;            /* [m] worst violation beyond that of the start */
  double *open, *near;         /* [m] largest and smallest gap >= 0 */
  double *carried;             /* [m] largest gap at which the constraint had an impulse */
  double *at_start;            /* [m] violation of the start */
  double *longest;             /* [equations] largest length of their gradients so far (stepping_dependent.c) */
  double *left_before;         /* [equations*n] what was left of their gradients beside the others at the node before */
  double *followed;            /* [equations] nodes of the motion at which they depended on others */
  thud_posed posed;            /* options.keep_posed: the numbers of the step's velocity problem, in the block */

  double *saved;    /* [block_count] for steps that may have to be taken back */
  double *u_after;  /* [m] normal velocities after the step, of the constraints that act */
  double *compared; /* [2 n] result of the long step, in step control */
  motion_progress saved_now;

  /* scratch */
  double *v_free, *v_old, *impulse, *applied, *start_force, *work, *middle; /* [n] each */
  double *weights;                 /* [m+s] impulses of a correction of positions */
  double *kept;                    /* [2 m + laws] values that such a correction replaces */
  double *mass;                    /* [n*n] twice: mass and factor of the theta scheme's metric; nothing when sparse */
  bool *acting, *atom;             /* [m] */
  size_t equations;                /* whose dependence is looked at; 0: none, or too many */
  double *row_room;                /* [equations*(2 n + equations + 2)] */
  bool *left_out;                  /* [m] equations that follow from others at the last place that was looked at */
  double *foot;                    /* [2 n] the place next to it at which the others hold, and a move */
  thud_index *family;              /* [equations] */
  bool starts_dependent;           /* the gradients of equations are dependent, or vanish, at the start */
  thud_motion *probe;              /* follows dependent equations to higher orders; made when needed */
  double *bend;                    /* [m] second-order: how much the normal velocity of v changes by the way of half a
                                      step (thud_stepping_step_midpoint); 0 in the other schemes */
  bool other_metric;               /* the last velocity problem was solved in another metric than M */
  bool has_load;                   /* something is loaded within the step at hand: */
  double *load;                    /* [n] impulses */
  double *load_bound, *load_share; /* [laws] of thresholds (thud_load) */
  double *density;                 /* [laws] thresholds while they are replaced by those with loads */
  double *load_velocity;           /* [n] free velocity with the load */
  const double *v_loaded;          /* [n] that of the last velocity problem, with or without a load; borrowed */
  double *scratch;                 /* owns all of the above doubles */
} stepping_motion;

/* ---- schemes --------------------------------------------------------------------------------------------------------
 *
 * A scheme is one const object at the end of its file, and one row here: X(enumerator of thud_stepping_method, object,
 * name), in the order of the enumerators. */
#define THUD_SCHEMES(X)                                                                                                \
  X(MOREAU, moreau, "moreau")                                                                                          \
  X(MABROUK, mabrouk, "mabrouk")                                                                                       \
  X(MOREAU_JEAN, moreau_jean, "moreau-jean")                                                                           \
  X(STABILISED, stabilised, "stabilised")                                                                              \
  X(SECOND_ORDER, second_order, "second-order")                                                                        \
  X(REGULARISED, regularised, "regularised")                                                                           \
  X(IMPLICIT, implicit, "implicit")

#define THUD_SCHEME_ONE(method, object, name) +1
enum { THUD_SCHEME_COUNT = 0 THUD_SCHEMES(THUD_SCHEME_ONE) };
#undef THUD_SCHEME_ONE

struct thud_scheme {
  int local_order;     /* of the local error in smooth motion, for step control */
  int order;           /* of the positions of free motions, for studies; */
  int order_at_middle; /* with theta = 1/2; 0: the same */
  /* Systems that it takes: */
  bool takes_friction;
  bool needs_one_restitution; /* the same of all constraints */
  bool leaves_equations;      /* with restitution they would not hold */
  /* What the steps, the judgement and the ledger ask: */
  bool is_penalty;         /* constraints give way by lambda times their speed: inelastic, without atoms */
  bool throws_up;          /* resting contacts with restitution, by what the forces of a step close (creep) */
  bool implicit_forces;    /* values have the metric with their Jacobians */
  bool corrects_positions; /* contacts act as at the node before, and those that rest have no restitution */
  bool at_end;             /* forces, thresholds, slip and gaps are those of t + h; books dV/dt itself */
  /* Moves the node (t, q, v) to t + h: q, v, v_left, reaction and the ledger. Findings come as errors of the context
   * (THUD_ERROR_NOT_FINITE, NOT_SPD, NOT_CONVERGED, UNQUALIFIED, CALLBACK): the run turns them into its status. */
  thud_error (*step)(stepping_motion *motion, double t, double h);
  /* Changes the initial velocity (mabrouk); NULL: nothing. */
  thud_error (*begin)(stepping_motion *motion, double t, double h);
};

#define THUD_SCHEME_OBJECT(method, object, name) extern const thud_scheme thud_scheme_##object;
THUD_SCHEMES(THUD_SCHEME_OBJECT)
#undef THUD_SCHEME_OBJECT

/* NULL: there is no such method. */
THUD_FOR_IO const thud_scheme *thud_stepping_scheme_of(int method);

/* How a motion keeps its matrices. AUTO: sparse above MODEL_SPARSE_FROM coordinates, where the system has
 * patterns and the velocity problems can be solved with them (thud_percussion_not_sparse), full otherwise. */
typedef enum motion_storage { MOTION_AUTO, MOTION_FULL, MOTION_SPARSE } motion_storage;

/* thud_stepping_motion_create with a choice, for tests. */
thud_error thud_stepping_motion_create_stored(thud_context *context, const thud_system *system,
                                              const thud_stepping_options *options, motion_storage storage,
                                              const double *q0, const double *v0, thud_motion **motion);

/* ---- jumps of the data (stepping_jumps.c) ---------------------------------------------------------------------------
 *
 * No step goes across a time at which the data jump: it ends there, with the left limits of the data, and the next one
 * begins with the right limits. Nodes at jumps have the values of the right. */

/* Looks for times at which given forces are infinite, up to the end; q and v are those of the start. */
void thud_stepping_find_singular(stepping_motion *motion);
/* True when the applied forces are infinite at t, seen from the side with the given sign. */
bool thud_stepping_is_singular(stepping_motion *motion, double t, double sign);
/* Forces in L^1 that are infinite at an end of the step, such as 1/sqrt(t): in place of the force of one time the values get
 * the mean over the step, at fixed q and v. THUD_ERROR_NOT_FINITE: it is not integrable. */
thud_error thud_stepping_mean_force(stepping_motion *motion, const double *q, const double *v);
/* The values at a time of the step, on its side of the jumps at its ends. */
static inline thud_error thud_stepping_evaluate(stepping_motion *motion, double t, const double *q, const double *v,
                                                unsigned parts) {
  double inside = t < motion->data_from ? motion->data_from : t > motion->data_to ? motion->data_to : t;
  thud_error error = thud_system_evaluate(motion->system, inside, q, v, parts, motion->values);
  bool mean = motion->mean_of > 0 && (parts & THUD_AT_FORCE) != 0;
  return error == THUD_OK && mean ? thud_stepping_mean_force(motion, q, v) : error;
}
/* Data on one side of a jump at t are taken this far from it (s). */
double thud_stepping_side(const stepping_motion *motion, double t);
/* Where a step from the present node to `to` has to end: there, or at the first jump before. */
double thud_stepping_limit(stepping_motion *motion, double to);
/* The sides of the data for a step of length h to t. */
void thud_stepping_take_sides(stepping_motion *motion, double t, double h);
/* Makes the sizes at which the run ends those of the present state, if they are larger; the values hold mass and force. */
void thud_stepping_set_blow_up(stepping_motion *motion);
/* Whether the data jump at the start. */
void thud_stepping_begin_sides(stepping_motion *motion);
/* Notes a closed contact at rest without load where the data have no power series to the right; at the node (t, q, v),
 * whose values are there. */
thud_error thud_stepping_note_accumulation(stepping_motion *motion, double t, bool at_start);
/* The node (t, q, v): the `missing` parts of the values; at a jump those of its right side, and what the jump of the
 * potential gives is work. A gap that jumps shut, or an equation that jumps, is THUD_ERROR_ARGUMENT. */
thud_error thud_stepping_arrive(stepping_motion *motion, double t, unsigned missing);

/* ---- shared by the schemes (stepping_step.c) ---------------------------------------------------------------------- */

/* x <- M^-1 x with the factor of the values (row-major lower). */
static inline void motion_solve_mass(thud_index n, const double *factor, double *x) {
  thud_factor_forward(n, factor, x);
  thud_factor_backward(n, factor, x);
}

static inline double motion_dot(thud_index n, const double *x, const double *y) {
  double sum = 0;
  for (thud_index i = 0; i < n; i++) sum += x[i] * y[i];
  return sum;
}

static inline void motion_add_scaled(thud_index n, double factor, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] += factor * x[i];
}

static inline void motion_scaled(thud_index n, double factor, const double *x, double *y) {
  for (thud_index i = 0; i < n; i++) y[i] = factor * x[i];
}

/* Schemes whose smooth forces are explicit. THUD_AT_MASS where the mass depends on the state. */
unsigned thud_stepping_mass_part(const stepping_motion *motion);
/* Smooth impulses h force, h applied of the values, and v_free = begin + M^-1 h force. */
void thud_stepping_kick(stepping_motion *motion, double h, const double *begin);
/* The parts that only acting constraints need, seen with the velocity v. */
thud_error thud_stepping_evaluate_contacts(stepping_motion *motion, double t, const double *q, const double *v);
/* q <- q + h v, then the values at the new configuration with the old velocity, and the acting constraints. */
thud_error thud_stepping_drift(stepping_motion *motion, double t, double h);
/* The same restitution for all constraints. */
void thud_stepping_set_restitution(stepping_motion *motion, double e);

/* Which constraints act in a step of length h: velocity constraints and equations always, others when their gap in the
 * values is <= gap_tolerance. One that acted at the last node also when rounding alone has opened it: a contact at rest
 * does not flicker, and what sticks does not creep. The values hold gap, force and mass at (t, q, v). */
thud_error thud_stepping_choose_acting(stepping_motion *motion, double t, const double *q, const double *v, double h);
/* The scheme's step to t, with the loads between the present node and t. */
thud_error thud_stepping_do_step(stepping_motion *motion, double t, double h);
/* Solves the velocity problem of the values for motion->acting from v_free and the load into motion->v; v_minus is what
 * the impact law sees; h = 0 without friction laws by themselves. Impulses go to motion->reaction.
 * THUD_ERROR_NOT_CONVERGED, UNQUALIFIED when there is no good answer, CALLBACK when there is one that the options
 * refuse. */
thud_error thud_stepping_respond(stepping_motion *motion, double h, const double *v_minus, const double *v_free);

/* Whether constraint i, with the velocity v before the step, closes faster than smooth forces explain: an impact. kick =
 * M^-1 of their impulse; flags and u_after are those of the node before. */
bool thud_stepping_hits(const stepping_motion *motion, thud_index i, const double *v, const double *kick);

/* How a step is booked: the smooth impulse took v_old to smooth_end, the contact impulses acted between contact_begin
 * and motion->v. */
typedef struct motion_account {
  const double *v_old, *smooth_end, *contact_begin;
  const double *impulse; /* [n] of all smooth forces (N s) */
  const double *applied; /* [n] of the applied forces among them */
  bool at_end;           /* implicit: forces, loads and friction laws by themselves count at motion->v */
} motion_account;

/* Decides which impulses are atoms, fills v_left, v_average, gap, percussion; books the step in the ledger. The values
 * hold mass, gradient, rate, slip at the configuration of the velocity problem; t is the new node, h the step. */
void thud_stepping_close_velocities(stepping_motion *motion, double t, double h, const motion_account *account);
/* The two ways of the schemes: contacts act after the smooth impulse, between v_free and v, or together with it,
 * between v_old and v. */
void thud_stepping_close_after_kick(stepping_motion *motion, double t, double h);
void thud_stepping_close_together(stepping_motion *motion, double t, double h);
/* Loads at the start of the motion: a velocity problem at node 0. */
thud_error thud_stepping_load_start(stepping_motion *motion);
/* stepping_theta.c: velocities and positions of the theta scheme; the node is not closed. */
thud_error thud_stepping_theta_velocities(stepping_motion *motion, double t, double h);
/* stepping_stabilised.c: gives contacts that close by smooth forces alone no restitution. resting, kept: [m] which they
 * are, and the restitutions that are replaced. */
void thud_stepping_rest_slow_contacts(stepping_motion *motion, double h, double *resting, double *kept);
/* Normal velocities of the acting constraints, by which the next step distinguishes lasting contacts from new ones. */
void thud_stepping_keep_normal_velocities(stepping_motion *motion);
/* Energies and gaps at the new node (t, q, v), and what the discretisation of the smooth motion added. `missing` are
 * the parts of the values that do not belong to the node yet. */
thud_error thud_stepping_close_node(stepping_motion *motion, double t, double h, unsigned missing);

/* ---- dependent equations (stepping_dependent.c) --------------------------------------------------------------------- */

/* How many equations are looked at; 0: none, or too many for full matrices. */
size_t thud_stepping_dependent_room(const thud_system *system, bool sparse);
/* Sets motion->left_out: the equations that depend on others at (t, q) but for the drift of the scheme, which velocity
 * problems leave out. The values have mass, gaps and gradients of (t, q, v). */
thud_error thud_stepping_leave_out(stepping_motion *motion, double t, const double *q, const double *v);
/* The equations at the present node, from which a step is about to be made. THUD_ERROR_UNQUALIFIED: their gradients are
 * dependent, and they contradict each other: no motion goes on. Points that are not qualified are noted in the info. */
thud_error thud_stepping_look_at_equations(stepping_motion *motion);
/* The same before node 0, for the closed gaps as well; the values are those of the start. */
thud_error thud_stepping_look_for_contradiction(stepping_motion *motion);

/* ---- what a run is worth (stepping_judge.c) ------------------------------------------------------------------------ */

/* The velocity problem that was solved: gaps at which constraints carry. */
void thud_stepping_note_carrying(stepping_motion *motion, double h);
/* Node 0, and every further node with the ledger closed; may leave the potential of another state in the values. */
void thud_stepping_note_start(stepping_motion *motion);
void thud_stepping_note_node(stepping_motion *motion, double t_before);
/* thud_stepping_motion_judge. */
thud_error thud_stepping_judge(stepping_motion *motion, double allowed, thud_stepping_quality *quality);
/* Initial kinetic energy, potential energy given up, and all |work| of the steps. */
double thud_stepping_energy_exchanged(const stepping_motion *motion);
/* a M^-1 a' of the constraint's gradient in the values: what a unit impulse does to its own velocity. y: [n] scratch */
double thud_stepping_own_response(const stepping_motion *motion, thud_index i, double *y);

/* ---- step control (stepping_control.c) ----------------------------------------------------------------------------- */

/* One controlled step from the node that is kept: at least one accepted step of the scheme. */
thud_error thud_stepping_controlled_step(stepping_motion *motion);
void thud_stepping_keep(stepping_motion *motion);    /* remembers the node */
void thud_stepping_go_back(stepping_motion *motion); /* to the node remembered */

#endif
