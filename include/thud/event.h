/* thud/event.h: motions of Lagrangian systems from event to event. Layer: sim.
 *
 * Between events a motion is analytic: an *arc*, followed by its Taylor series
 *   M(q) q'' = f - dV/dq - c + sum dg_i' r_i,   r_i = 0 or u_i' = 0 (the contacts that last hold like equations),
 * with order and step taken from the coefficients. Arcs are handed out as polynomials. Events are found as the first
 * roots of polynomials (gaps, reactions, switches of expressions) with proof of signs, so that none is stepped over.
 * Which contacts last is decided by the graded linear complementarity problem (Ballard, ARMA 154, 2000, section 4.1):
 * at the lowest order of the series that decides. Impacts follow the law of thud_percussion; geometric accumulations
 * (Zeno) are closed at their limit, with an error bound. Friction, with forces in products of intervals, discs, ellipses
 * and polygons: the modes of the closed contacts (open, sticking, sliding) are those on whose power series all
 * conditions hold. */
#ifndef THUD_EVENT_H
#define THUD_EVENT_H

#include "thud/model.h"
#include "thud/stepping.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Treatment of contacts that no order of the series decides (every coefficient of reaction and separation is 0). */
typedef enum thud_undecided {
  THUD_UNDECIDED_CONTINUE = 0, /* they are kept closed without force, which is the motion to the order of the series,
                                  and looked at again after each step; info says how often */
  THUD_UNDECIDED_STOP = 1      /* status THUD_MOTION_UNDECIDED */
} thud_undecided;

/* Treatment of states in which no modes of the closed contacts are consistent with friction (Painleve's paradox). */
typedef enum thud_painleve {
  THUD_PAINLEVE_STOP = 0,  /* status THUD_MOTION_INCONSISTENT */
  THUD_PAINLEVE_IMPACT = 1 /* a tangential impact: the velocity problem with friction is solved for impulses that are
                              not 0 although nothing approaches (Lecornu's "frottement cause d'un choc") */
} thud_painleve;

/* Where the arcs come from (docs/event-driven.md, Arcs). */
typedef enum thud_event_arcs {
  THUD_ARCS_AUTO = 0,        /* power series of expressions, Runge-Kutta for functions in C and curved friction sets */
  THUD_ARCS_SERIES = 1,      /* expressions only */
  THUD_ARCS_RUNGE_KUTTA = 2, /* also for expressions, as long as they have no switches (abs, min, if ...) */
  THUD_ARCS_CVODE = 3        /* the same by SUNDIALS' CVODE, for stiff systems; where libthud was built with it */
} thud_event_arcs;

typedef struct thud_event_options {
  size_t size;
  double start, end;         /* s */
  int arcs;                  /* thud_event_arcs */
  double tolerance;          /* truncation of an arc's series, relative to its terms; other arcs: local error of a
                                step beside the motion, at least 1e-13, of CVODE's steps 1e-12 */
  int order;                 /* of the series of accelerations, 4..60; 0: from the tolerance, 1 - ln(tolerance)/2; not
                                used for other arcs */
  double max_step;           /* longest arc (s); 0: no limit, for arcs other than series 1/100 of the run. What happens
                                to their functions between two places that are 1/10 of this apart is not seen */
  double decision_tolerance; /* a coefficient of a reaction or separation counts as 0 below this, relative to the terms
                                that it is the sum of */
  double time_tolerance;     /* events closer together than this, relative to max(|t|, length of the arc), are one */
  double defect_tolerance;   /* accepted violation of the equations of motion at the end of a step, relative to their
                                terms; a step with more is halved */
  double initial_tolerance;  /* accepted violation of the constraints at the start (units of gaps and of their rates):
                                it is taken away by the shortest way in the kinetic metric, info says how much. What
                                violates nothing (a gap > 0, an approach, a slip) is taken as it is, down to
                                rounding */
  double residual_tolerance; /* of the velocity problems at impacts, relative */
  int on_undecided;          /* thud_undecided */
  int painleve;              /* thud_painleve */
  bool fork;                 /* stop where the motion is not determined, or is so only by the order of a multiple impact
                                (status THUD_MOTION_FORKED): see thud_event_motion_choose */
  int max_outcomes;          /* of one fork */
  double fork_tolerance;     /* velocities after an impact that differ by less than this, relative to the largest speed
                                before an impact so far (both in the kinetic metric), are one outcome */
  double fork_flight;    /* no fork at the impacts of an accumulation once its flights are shorter than this share of
                            the run */
  bool zeno;             /* close geometric accumulations of impacts; false: the limit on events ends the run */
  double zeno_tolerance; /* accepted error of the limit, relative to max(|t|, duration) and to the size of the state */
  double zeno_remaining; /* an accumulation is closed when less than this is left of it, relative to max(|t|,
                            duration) */
  int max_events;        /* events of a run */
  int max_steps;         /* steps of the series of a run */
  int max_same_time;     /* events one after the other at the same time */
  double blow_up;        /* |v| or |q| beyond this times (1 + what the initial state and acceleration give over the
                            run) ends the run */
  bool keep_posed;       /* impacts hold the numbers of the functions (thud_posed); not in the option table */
  thud_percussion_options percussion; /* laws; not in the option table */
} thud_event_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_event_option_table(void);
THUD_OPTIONS_DEFAULT(thud_event_options, thud_event_option_table)

/* The state of a constraint on an arc. */
typedef enum thud_contact_mode {
  THUD_CONTACT_OPEN = 0,      /* no reaction */
  THUD_CONTACT_LASTING = 1,   /* closed, with a reaction (set I; equations always) */
  THUD_CONTACT_LEAVING = 2,   /* closed at the start of the arc, opens at once (set K) */
  THUD_CONTACT_UNDECIDED = 3, /* closed, reaction and separation are 0 to the order of the series (what is left of J) */
  THUD_CONTACT_STICKING = 4,  /* lasts, slip velocity 0 */
  THUD_CONTACT_SLIDING = 5    /* lasts, with friction at its threshold against the slip */
} thud_contact_mode;
THUD_API const char *thud_contact_mode_name(thud_contact_mode mode); /* "open" ... */

/* Proof status of an arc between its ends (docs/event-driven.md, Proofs). */
typedef enum thud_arc_status {
  THUD_ARC_OPEN = 0,    /* something could not be enclosed: it was looked at in places only */
  THUD_ARC_PROVED = 1,  /* the equations of motion and all that decides its event, by interval arithmetic */
  THUD_ARC_SAMPLED = 2, /* functions in C, Runge-Kutta, CVODE: known where they were called */
  THUD_ARC_ASSUMED = 3, /* the closed tail of an accumulation */
  THUD_ARC_PASSAGE =
      4 /* through a point at which equations are dependent: looked at in places; NaN stands for reactions
                           that are not bounded there */
} thud_arc_status;
THUD_API const char *thud_arc_status_name(thud_arc_status status); /* "open", "proved" ... */

/* A piece of the motion: q(t) = sum_k q[k*n + i] (t - t0)^k for t0 <= t <= t1, v = dq/dt. Arrays are borrowed for the
 * duration of the call. */
typedef struct thud_event_arc {
  double t0, t1;           /* s */
  thud_index degree;       /* of q */
  const double *q;         /* [(degree+1)*n] */
  thud_index force_degree; /* of the reactions */
  const double *reaction;  /* [(force_degree+1)*(m+s)] densities of the constraints and slip components (N) */
  const int *mode;         /* [m] thud_contact_mode */
  const int *order;        /* [m] order of the series that decided the mode, -1: nothing was to be decided */
  bool after_event;        /* starts at an event or at the start; otherwise goes on with the arc before */
  bool accumulation;       /* the rest of a Zeno accumulation, replaced by a polynomial between its ends */
  thud_ledger ledger;      /* at t0, after what happened there */
  int proof;               /* thud_arc_status */
  const double *defect;    /* [n] |M a - F - A'r| is proved to be at most this on [t0, t1] (N); NULL: not proved */
} thud_event_arc;

typedef enum thud_event_kind {
  THUD_EVENT_IMPACT = 0,    /* velocities jump */
  THUD_EVENT_ZENO = 1,      /* limit of an accumulation of impacts */
  THUD_EVENT_CLOSE = 2,     /* a constraint closes without a jump and lasts */
  THUD_EVENT_OPEN = 3,      /* a reaction vanishes and the contact opens */
  THUD_EVENT_GRAZE = 4,     /* a gap touches 0 and opens again, or a reaction touches 0 and goes on */
  THUD_EVENT_STICK = 5,     /* a sliding contact comes to stick */
  THUD_EVENT_SLIP = 6,      /* a sticking contact begins to slide, or the slip turns round */
  THUD_EVENT_SWITCH = 7,    /* an expression changes its branch (abs, min, if ...) */
  THUD_EVENT_PERCUSSION = 8 /* a load of the system acts (thud_load) */
} thud_event_kind;
THUD_API const char *thud_event_kind_name(thud_event_kind kind); /* "impact" ... */

/* One event; several things at the same time are one event, of the first kind in the order of the enum. */
typedef struct thud_event {
  thud_event_kind kind;
  double t;                 /* s */
  double t_error;           /* bound of its error by the arc that led here: rounding, or the width of a tangency */
  const double *q;          /* [n] */
  const double *v_before;   /* [n] */
  const double *v_after;    /* [n] */
  const double *impulse;    /* [m+s] of the reactions, N s; of a Zeno limit: what was left to come; of a switch where
                             * data jump across a surface: of closed constraints */
  const bool *involved;     /* [m] constraints at which something happens here */
  const bool *involved_law; /* [laws] friction laws at which something happens between impacts */
  const int *mode_before;   /* [m] thud_contact_mode */
  const int *mode_after;    /* [m] */
  const int *order;         /* [m] order that decided mode_after, -1: nothing was to be decided */
  thud_percussion_info percussion; /* impacts, percussions */
  bool tangential;                 /* an impact without collision (options.painleve) */
  const double *load;              /* [n] percussions: the impulse that is loaded (N s) */
  const thud_posed *posed;         /* impacts, with options.keep_posed; else NULL */
  /* Zeno limits: */
  thud_index impacts;          /* of the accumulation, computed ones */
  double ratio;                /* of successive flight times */
  double begin;                /* time of its first impact (s) */
  double duration;             /* from there to the limit (s) */
  const double *total_impulse; /* [m+s] of the whole accumulation, with what was left (N s) */
  double limit_error;          /* estimated error of the limit, relative like zeno_tolerance */
  thud_ledger ledger;
  double t_low, t_high; /* the bracket of the roots that made the event, as offsets from t (s): finer than t itself;
                           NaN where nothing has a root (loads, limits, the start) */
  const char *switched; /* the expression that changes its branch here, by what it is for; NULL: none, or not known */
} thud_event;

typedef struct thud_event_motion_info {
  thud_motion_status status; /* when not COMPLETED the context's message says what, where and when */
  double time;               /* reached */
  size_t arcs, events, impacts, zeno_limits, grazes, switches, percussions;
  size_t undecided; /* arcs with undecided contacts, the first time, constraint and the order reached */
  double undecided_time;
  thud_index undecided_constraint;
  int undecided_order;
  /* Closed contacts at rest at breaks of the data, or where these have no power series, that order 0 does not decide:
   * impacts may begin there in infinitely many ways, and the motion found is one of possibly several. How often; the
   * first time and constraint (-1: none). */
  size_t right_accumulations;
  double right_accumulation_time;
  thud_index right_accumulation_constraint;
  /* Violations of the constraints by the initial state that were accepted and taken away; the largest, and whose. */
  size_t moved;
  double moved_violation;      /* units of the gap, or of its rate */
  thud_index moved_constraint; /* -1: none */
  /* Arcs on which forces that are not unique (a table on four legs) decide how sliding goes on: the motion found is
   * that of one choice. The first time; how many constraints have such forces there, and the first of them (-1: none).
   */
  size_t indeterminate_forces;
  double indeterminate_time;
  size_t indeterminate_constraints;
  thud_index indeterminate_constraint;
  /* Proofs (docs/event-driven.md): arcs by series whose equations and event functions are enclosed by intervals; arcs
   * that were looked at in places only (functions in C, Runge-Kutta, CVODE); tails of accumulations in closed form. */
  size_t proved_arcs, sampled_arcs, assumed_arcs;
  double proved_defect; /* largest bound of |M a - F - A'r|, relative to the largest terms met so far */
  double proved_force;  /* the same bounds integrated over the proved arcs (N s) */
  /* Times at which combinations of modes were too many: one that is consistent was found with a solver, whether there
   * are others was not examined; the first time. Where it was proved that there are none: unique_modes. */
  size_t unexamined_modes;
  double unexamined_modes_time;
  double moving_force;     /* the part of proved_force of arcs on which something moves and the bound is above the
                              rounding of the forces there (N s), */
  double largest_momentum; /* and the largest component of M v at the ends of arcs (N s) */
  size_t unproved_defects; /* arcs whose equations could not be enclosed; the first one's time */
  double unproved_defect_time;
  size_t unproved_roots; /* arcs on which a gap, slip or switch could not be told apart from 0; the first one's time and
                            constraint (-1: a switch) */
  double unproved_root_time;
  thud_index unproved_root_constraint;
  size_t unproved_grazes; /* arcs that end where something touches 0 within rounding, which is taken from the series;
                             the first one's time */
  double unproved_graze_time;
  size_t unproved_margins; /* arcs on which a margin of sticking could not be enclosed; the first one's time */
  double unproved_margin_time;
  double proved_gap;     /* no open gap of the proved arcs is below minus this (units of gaps) */
  int order;             /* of the series of accelerations: the arcs have at most this degree in the reactions,
                             and 2 more in q */
  int deepest_order;     /* highest order that was needed to decide a contact */
  double worst_gap;      /* most negative gap at the nodes */
  double worst_residual; /* of the velocity problems */
  double worst_cosine, worst_cosine_time; /* non-orthogonal multiple impacts crossed */
  thud_index cosine_first, cosine_second;
  size_t multiple_impacts;
  size_t reduced_restitutions;
  thud_ledger ledger; /* impact_loss: of all impacts, percussions and Zeno limits; contact_loss, scheme_loss: 0 */
  size_t unique_modes;
  /* Constraints (bits by their numbers, up to 64) whose gradients have become dependent on each other where an arc after
   * the first begins: points that are not qualified. The first time; 0: none. */
  uint64_t unqualified;
  double unqualified_time;
  double
      gross_work; /* of forces and reactions if nothing cancelled (J): the rounding of the energies is relative to it */
  size_t passages; /* arcs through points at which equations are dependent */
  /* Constraints (bits by their numbers, up to 64) whose reactions grow like unbounded_growth/|t - t*| there; the first
   * time t*, the largest growth (of reactions times s); 0: none. */
  uint64_t unbounded;
  double unbounded_time, unbounded_growth;
} thud_event_motion_info;

/* The present state: right limits, borrowed until the next call that changes the motion. */
typedef struct thud_event_frame {
  double t;
  const double *q, *v; /* [n] */
  thud_ledger ledger;
} thud_event_frame;

/* A motion of the family "event" (thud/motion.h). One step is one arc: what happens at the present time, event after
 * event, then the arc to the next event or node, whose own event comes with the next step; at the end of the time the
 * last events come without an arc. The sink's `frame` gets a thud_event_arc, its `event` a thud_event, in the order of
 * time: an arc when it has been followed to its end, then the event there, if there is one, then the next arc. What
 * happens at the start is an event before the first arc. Several events at one time come one after the other, without
 * arcs between them. The last impact of an accumulation is followed by the arc that replaces the rest of it, and by the
 * event of its limit. What ends a run early is its status; the motion then stays at the last event or node.
 *
 * States may be saved between steps and inside the sink's calls: the restored motion goes on right after the arc or
 * event that the call was handed, like one that the sink stopped there. Outcomes of a fork are not part of the state: the
 * motion that is restored there finds them again.
 *
 * The system is borrowed. THUD_ERROR_UNSUPPORTED: it has friction laws other than products of intervals, discs, ellipses
 * round 0 and polygons (docs/event-driven.md), or the arcs that options ask for are not those of this system or of this
 * libthud. The initial state is checked like that of thud_stepping_motion_create. */
THUD_API thud_error thud_event_motion_create(thud_context *context, const thud_system *system,
                                             const thud_event_options *options, const double *q0, const double *v0,
                                             thud_motion **motion);
THUD_API thud_event_frame thud_event_motion_present(const thud_motion *motion);
THUD_API thud_event_motion_info thud_event_motion_get_info(const thud_motion *motion);

/* ---- forks ---------------------------------------------------------------------------------------------------------
 * After THUD_MOTION_FORKED (options.fork) or THUD_MOTION_INDETERMINATE the motion is before the event, and these are
 * the ways on: at a multiple impact whose gradients are not orthogonal, the outcome of the scene's law (number 0) and
 * those of the contacts struck one after the other in every order, without repeats; where friction leaves several
 * modes, each of them. */
typedef struct thud_event_outcome {
  char text[160];        /* "the law 'newton'", "'left' before 'right'", "'rod' sticks" */
  const double *v;       /* [n] velocity after the event; borrowed until the motion runs or chooses */
  const double *impulse; /* [m+s] N s, 0 where modes are chosen */
  const int *mode;       /* [m] thud_contact_mode; where velocities jump: that before the event */
  bool by_order;         /* of a multiple impact whose outcome 0 is that of the law */
} thud_event_outcome;
/* Stop at forks from now on, or not (options.fork and options.max_outcomes; 0: leave the number as it is). */
THUD_API thud_error thud_event_motion_follow_forks(thud_motion *motion, bool follow, size_t max_outcomes);
THUD_API size_t thud_event_motion_outcome_count(const thud_motion *motion);
THUD_API thud_error thud_event_motion_outcome(const thud_motion *motion, size_t k, thud_event_outcome *outcome);
/* The next step goes on with outcome k. */
THUD_API thud_error thud_event_motion_choose(thud_motion *motion, size_t k);

/* q[n] and v[n] (may be NULL) of an arc at time t. */
THUD_API void thud_event_arc_evaluate(const thud_event_arc *arc, thud_index n, double t, double *q, double *v);
/* reaction[rows], rows = m + s: force densities of the constraints and slip components at time t (N). */
THUD_API void thud_event_arc_evaluate_reactions(const thud_event_arc *arc, thud_index rows, double t, double *reaction);

#ifdef __cplusplus
}
#endif
#endif
