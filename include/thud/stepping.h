/* thud/stepping.h: motions of Lagrangian systems by time stepping (event capturing). Layer: sim.
 *
 * Schemes (h the step, J the constraints that act, V and N their cones, everything in the kinetic metric):
 *   moreau       q_k = q_{k-1} + h v_{k-1};  v' = v_{k-1} + h M^-1 (f - c)(q_k, v_{k-1}, t_k);  v_k = F(q_k, v')
 *                (Ballard, Moreau's sweeping scheme)
 *   mabrouk      v_{i+1} = -e v_i + prox(V(q_{i+1}), (1+e) v_i + h p),  q_{i+1} = q_i + h v_i  (Mabrouk 1998)
 *   moreau-jean  theta scheme: predicted gaps choose J; M (v+ - v) = h f_theta + H r;
 *                q+ = q + h ((1-theta) v + theta v+)
 *   stabilised   moreau-jean with a position correction: no penetration remains and joints do not drift
 *   second-order Verlet/midpoint between impacts (order 2), impacts by the same velocity problem
 *   regularised  constraints as viscous Yosida penalty with parameter lambda
 *   implicit     M (v+ - v) = h f(t+h, q+, v+) + H r,  q+ = q + h v+, contacts taken at q: order 1; with linear forces
 *                f = p - V v - K q it is B v+ = M v - h K q + h p + H r, B = M + h V + h^2 K
 * The loads (thud_load) of ]t, t+h] act within the step: their impulses beside H r, their shares and bounds added to
 * the thresholds of friction laws by themselves. */
#ifndef THUD_STEPPING_H
#define THUD_STEPPING_H

#include "thud/model.h"
#include "thud/sim.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef enum thud_stepping_method {
  THUD_STEPPING_MOREAU = 0,
  THUD_STEPPING_MABROUK = 1,
  THUD_STEPPING_MOREAU_JEAN = 2,
  THUD_STEPPING_STABILISED = 3,
  THUD_STEPPING_SECOND_ORDER = 4,
  THUD_STEPPING_REGULARISED = 5,
  THUD_STEPPING_IMPLICIT = 6
} thud_stepping_method;

typedef struct thud_stepping_options {
  size_t size;
  int method;               /* thud_stepping_method */
  double start, end;        /* s */
  thud_index steps;         /* equal steps; 0 when the step is controlled */
  double tolerance;         /* local error per unit time of the controlled step, relative to the size of the state; 0:
                               equal steps */
  double theta;             /* moreau-jean, [1/2, 1] */
  double lambda;            /* regularised: > 0 (s) */
  double impact_velocity;   /* v_tol: an impulse is an atom iff u_N- < -v_tol (unit of the gap per s); 0: twice what the
                               smooth forces of the step cause */
  double gap_tolerance;     /* a constraint acts iff gap <= this, or acted at the last node and is open by rounding */
  double initial_tolerance; /* accepted violation of the constraints at the start (units of gaps and of their rates) */
  double residual_tolerance; /* of the velocity problems */
  double blow_up;  /* |v| or |q| beyond this times their usual sizes ends the run: those of the start, and what
                                velocity and acceleration of the start give over the run; at least 1 where the
                                kinetic energy is accounted for */
  bool keep_posed; /* frames hold the numbers of the functions (thud_posed); not in the option table */
  thud_percussion_options percussion; /* laws; not in the option table */
  double coarse_above;                /* what thud_stepping_motion_judge gives: a run above this is coarse, */
  double failed_above; /* and above this has failed; used by kinds of motion (thud/run.h), not by the motion itself */
} thud_stepping_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_stepping_option_table(void);
THUD_OPTIONS_DEFAULT(thud_stepping_options, thud_stepping_option_table)
THUD_API const char *thud_stepping_method_name(thud_stepping_method method); /* "moreau-jean" ... */

/* Where the energy went; all since the start, J. kinetic + potential = initial + work - impact_loss - friction_loss -
 * contact_loss - scheme_loss + defect. Each step's velocity problem satisfies the exact identity
 *   K+ - K- = h f.(v+ + v-)/2 + sum r.(u+ + u-)/2   (at fixed configuration)
 * to rounding (`identity`, the worst step, relative); defect gathers what the discretisation of the smooth motion adds.
 * The implicit method counts forces, loads and friction laws by themselves at v+ and reports what it takes from the
 * motion by that: with D the change within the step, D(v'Mv)/2 + DV + scheme_loss = h f.v+ + P.v+ + sum r.u+,
 * scheme_loss = |Dv|_M^2/2 + h dV/dq(q+).v+ - DV (the second part is |Dq|_K^2/2 for V = q'Kq/2), to rounding for a
 * constant mass matrix. */
typedef struct thud_ledger {
  double kinetic, potential;
  double work;          /* of the applied forces and of moving constraints */
  double impact_loss;   /* at impacts: normal and tangential percussions together */
  double friction_loss; /* of friction densities */
  double contact_loss;  /* normal part of densities (inelastic closing below impact_velocity) */
  double scheme_loss;   /* of the implicit method */
  double defect;
  double identity; /* worst relative violation of the step identity so far */
  THUD_RESERVED(4);
} thud_ledger;

/* The numbers that the system's functions gave for one velocity problem, as it was solved: what a record needs to be
 * verified by somebody who does not have the functions. Rows of constraints that do not act are 0. Of a step:
 *   M (v+ - v) = impulse + sum gradient' r + sum slip' r_T,  v the velocity before the step. */
typedef struct thud_posed {
  double *step;        /* [1] length of the step; half a controlled one; 0 at an impact */
  double *mass;        /* [n*n] where the problem is posed */
  double *node_mass;   /* [n*n] at the node, for the kinetic energy; steps only */
  double *impulse;     /* [n] of all smooth forces (N s); 0 at an impact */
  double *applied;     /* [n] of the applied ones among them */
  double *acting;      /* [m] 1: acts */
  double *gap;         /* [m] where the problem is posed; steps only */
  double *gradient;    /* [m*n] */
  double *rate;        /* [m] */
  double *restitution; /* [m] */
  double *friction;    /* [laws] */
  double *slip;        /* [s*n] */
  double *slip_rate;   /* [s] */
  double *bend; /* [m] second-order steps: by how much the normal velocity changes within half of the step: the law
                          sees gradient v + rate - bend before and gradient v + rate + bend after; 0 elsewhere */
} thud_posed;

/* One node of the motion. Arrays are borrowed for the duration of the call. Frame 0 is the initial state;
 * loads at the start have acted in it. */
typedef struct thud_stepping_frame {
  double t, step;          /* s; step that ended here, 0 for frame 0 */
  const double *q;         /* [n] */
  const double *v_left;    /* [n] u-: the velocity that the impact law saw */
  const double *v;         /* [n] u+ */
  const double *v_average; /* [n] (u+ + e u-)/(1+e), e the largest of the acting constraints' */
  const double *gap;       /* [m] at q */
  const double *reaction;  /* [m+s] impulses of this step: normal (or bilateral) of each constraint, then all slip
                              components (N s) */
  const bool *atom;   /* [m] the constraint's impulse (and its friction) is an impact, else impulse/step is a density */
  const bool *acting; /* [m] J(q) */
  bool impact;        /* any atom */
  double residual;    /* of the velocity problem */
  double worst_gap;   /* most negative gap (0 when none) and its constraint (-1) */
  thud_index worst_gap_constraint;
  thud_percussion_info percussion; /* of this step; valid when something acted */
  thud_ledger ledger;
  const thud_posed *posed; /* NULL unless options.keep_posed; all 0 but node_mass where there was no step */
  const double *v_limit;   /* [n] the left limit of the velocity: v without the atoms and loads of the step, so with its
                              smooth forces; v where nothing jumps */
} thud_stepping_frame;

typedef struct thud_stepping_motion_info {
  thud_motion_status status; /* when not COMPLETED the context's message says what, where and when */
  double time;
  size_t steps, rejected_steps;
  size_t impacts; /* steps with an atom */
  double worst_residual, worst_residual_time;
  double worst_gap, worst_gap_time; /* penetration: most negative gap */
  thud_index worst_gap_constraint;
  double worst_cosine, worst_cosine_time; /* non-orthogonal multiple impacts crossed */
  thud_index cosine_first, cosine_second;
  size_t multiple_impacts;
  size_t reduced_restitutions; /* impacts at which e was reduced */
  thud_ledger ledger;
  uint64_t jumps; /* nodes after the start at which the data jump in time: steps end there */
  /* Equations (bits by their numbers, up to 64) whose gradients have become dependent at a node after the start, or passed
   * through a dependence between two nodes: points that are not qualified. The first time; 0: none. */
  uint64_t unqualified;
  double unqualified_time;
  /* Times at which the data have no power series to the right (a break, or the start where they are smooth at most) while
   * a closed contact is at rest without load: impacts could accumulate there from the right, and the motion found is one
   * of possibly several. The first time, its constraint (-1: none), and how many. */
  double right_accumulation_time;
  thud_index right_accumulation_constraint;
  uint32_t right_accumulations;
  double contraction; /* largest of the velocity problems (thud_percussion_info) */
} thud_stepping_motion_info;

/* A motion of the family "stepping" (thud/motion.h). One step is a step of the scheme, a controlled one as far as it is
 * accepted; the first one makes node 0. Every node goes to the sink's `frame` as a thud_stepping_frame; there are no
 * events. A step that cannot be made leaves the node before, a blow-up ends the run with the node that shows it.
 *
 * The initial state is checked: gaps >= -gap_tolerance, equations and velocities compatible (an error that names the
 * constraint otherwise; a velocity that points out of an active unilateral constraint is an impact at the start and is
 * allowed), M positive definite, qualification. */
THUD_API thud_error thud_stepping_motion_create(thud_context *context, const thud_system *system,
                                                const thud_stepping_options *options, const double *q0,
                                                const double *v0, thud_motion **motion);
/* The present node: the last one handed out (also after a step that failed). Borrowed until the next call. */
THUD_API thud_stepping_frame thud_stepping_motion_present(const thud_motion *motion);
THUD_API thud_stepping_motion_info thud_stepping_motion_get_info(const thud_motion *motion);
/* How far the nodes so far are from a motion: what the verdict of a run is made of. Each number is a part of a whole.
 * violation: the worst penetration, open equation, or gap at which a constraint carries, relative to the size of the
 *   motion: what the gap went through while it was open, or what a way as long as that of the motion (the box of all
 *   nodes, in the kinetic metric, without the penetration itself) can change it by. What the start had is not counted.
 * defect: the largest |defect - scheme_loss| (without the work dV/dt of a potential that depends on time) relative to
 *   the energy exchanged: initial kinetic energy, potential energy given up, and all |work| of the steps.
 * shorten: the part of the step (of the tolerance of controlled ones) at which both are `allowed`, to first order. */
typedef struct thud_stepping_quality {
  double violation, defect; /* infinite where there is a violation and no motion */
  thud_index constraint;    /* of the violation; -1: none */
  bool carries_open;        /* the violation is a gap that carries: gap_tolerance, not the step */
  double gap;               /* the violation in the unit of the gap */
  double energy;            /* the defect, J */
  double shorten;           /* in ]0, 1] */
  thud_index creep;   /* moreau: a contact with e > 0 that rests and is thrown up by e times what the smooth forces
                               of a step cause, so that what sticks creeps; -1: none */
  double creep_speed; /* its largest velocity, of the order of the step */
  double creep_time;  /* how long that lasted */
  THUD_RESERVED(4);
} thud_stepping_quality;

/* Judges the nodes so far; nothing of the motion changes. */
THUD_API thud_error thud_stepping_motion_judge(thud_motion *motion, double allowed, thud_stepping_quality *quality);

#ifdef __cplusplus
}
#endif
#endif
