/* The inside of event-driven motions. A round of the run is: settle (impact, which contacts last, the series of the
 * next arc), find the first event on it, advance there. */
#ifndef THUD_SRC_SIM_EVENT_H
#define THUD_SRC_SIM_EVENT_H

#include "sim/event/arc.h"
#include "sim/event/arc_root.h"
#include "sim/stepping/motion.h"
#include "thud/event.h"

#include <stddef.h>

/* What is known of a constraint at the start of an arc. */
typedef enum event_contact {
  EVENT_AWAY = 0, /* gap > 0 (velocity constraints: u > 0) */
  EVENT_REST = 1, /* closed, and u = 0 by what led here */
  EVENT_HIT = 2,  /* closed and approaching: an impact */
  EVENT_PARTS = 3 /* closed and separating */
} event_contact;

enum {
  EVENT_SLIP_UNKNOWN = 2,
  ZENO_UNRESOLVED = 8,
  ZENO_RING = 16,
  ZENO_PERIODS = 4,
  EVENT_MAX_ZERO_SWITCHES = 8,
  EVENT_STRAIGHT = 64,
  EVENT_ROUNDING = 64,              /* sums are 0 up to so many units in the last place of their terms */
  EVENT_MOST_COMBINATIONS = 100000, /* of modes or impulses that are tried at one event */
  EVENT_MAX_CHOICES = 16,
  EVENT_MOST_ONSETS = 16 /* contacts whose slip begins at one time */
};

/* The last impacts, for the detection of accumulations. Impacts are numbered; number k is in place k % ZENO_RING. */
typedef struct event_zeno {
  size_t count;            /* impacts since the accumulation (if it is one) began */
  double begin;            /* time of the first */
  double clock;            /* time since then as the sum of the arcs' lengths: free of the rounding of t */
  double flight;           /* time since the last impact */
  double took[ZENO_RING];  /* time to each impact from the one before */
  uint64_t who[ZENO_RING]; /* hash of the constraints involved */
  bool refused;            /* a limit was tried and its contacts do not last */
  double fastest;  /* largest velocity in the kinetic metric at an impact of the motion: errors count beside it */
  double *q, *v;   /* [ZENO_RING*n] state before the impact */
  double *impulse; /* [ZENO_RING*(m+s)] */
  double *total;   /* [m+s] since the beginning */
} event_zeno;

/* What comes next in a run. Every call of the sink has its own place, so that a run can be left and taken up there. */
typedef enum event_phase {
  EVENT_AT_NODE = 0,    /* an arc has ended: what happens here? */
  EVENT_AFTER_JUMP = 1, /* an impact has been handed out: do impacts accumulate? */
  EVENT_AT_LIMIT = 2,   /* the line to the limit of an accumulation has been handed out: its event */
  EVENT_READY = 3       /* the series of the next arc stands */
} event_phase;

/* A gap like y^p has the gradient 0 where it closes. There the rounding of the gap leaves DBL_EPSILON^((p-1)/p) of the
 * gradient's length at the start of the arc; less than this is no gradient. */
#define EVENT_NO_GRADIENT 1e-6

/* Equations (at length 1) that differ from combinations of others by less than this depend on them. */
#define EVENT_DEPENDENT 1e-11

/* How modes are sought; each only when the one before finds none. */
typedef enum event_search {
  SEARCH_UNIQUE = 0,  /* forces are unique */
  SEARCH_EDGES = 1,   /* friction at rest is sought at the edges of the cones */
  SEARCH_CENTRAL = 2, /* of forces that are not unique, those deepest in the cones */
  SEARCH_LIMIT = 3    /* the same, at the limit of what contacts can hold together: event_joint.c */
} event_search;

/* How friction stands on the series that is being computed (event_order.c has the equations). */
typedef enum event_law_state {
  LAW_OFF = 0,   /* its contact is open */
  LAW_STICK = 1, /* u_T' = 0 */
  LAW_SLIDE = 2, /* r_T = -tau d, d = u_T/|u_T| follows from lower orders */
  LAW_ONSET = 3, /* two components, from rest: neither force nor slip up to the present order, no direction yet */
  LAW_CRAWL = 4, /* two components, from rest: force at the threshold, whose direction is d; no slip yet */
  LAW_TURN = 5   /* two components, from rest: force and slip, the direction of each order depends on its force */
} event_law_state;

/* A friction law, with the threshold tau = mu |r_N|, or a force, on a series in s. */
typedef struct event_law {
  thud_index constraint;    /* -1: by itself */
  size_t first, directions; /* slip components: 1 or 2 */
  bool unilateral;          /* its modes are those of the contact */
  event_law_state state;
  double radius;   /* of its set: tau = radius mu |r_N| */
  double sign;     /* of the reaction of its constraint: |r_N| = sign r_N */
  double along[2]; /* direction d of the slip at s = 0 */
  int force_order; /* first coefficient of tau that is not 0 (CRAWL, TURN) */
  int slip_order;  /* u_T = s^(slip_order + 1) w, w(0) != 0 (SLIDE, TURN); -1: slides already */
  bool active;     /* ONSET: its direction is sought at this order */
} event_law;

/* Contacts that let go together (event_joint.c). */
typedef struct event_joint {
  bool on;
  int order;         /* the first with a force */
  size_t held, free; /* rows of the basis: what holds, what the slips add */
  size_t rank;       /* of the slips across, in the free directions */
} event_joint;

/* One way on from a fork. */
typedef struct event_outcome {
  char text[160];
  double *numbers;                 /* owns: */
  double *v;                       /* [n] */
  double *impulse;                 /* [m+s] */
  double *series;                  /* [(p+1)*n] accelerations, where modes are chosen */
  double step;                     /* within which the series holds */
  int *integers;                   /* owns: */
  int *mode;                       /* [m] thud_contact_mode */
  int *chosen;                     /* [m+laws+1] the combination of modes */
  int search;                      /* event_search of the motion, where modes are chosen */
  thud_percussion_info percussion; /* where velocities jump */
} event_outcome;

struct thud_event_motion {
  thud_context *context;
  const thud_system *system;
  thud_event_options options;
  size_t n, m, s;
  sim_arc *arc;
  thud_system_values *values;
  thud_percussion *percussion;
  thud_percussion *single; /* Newton's law, for contacts that are struck one at a time; options.fork */
  thud_lemke *lemke;
  size_t law_count;
  event_law *laws;                                             /* [law_count] */
  size_t number_count, integer_count, index_count, flag_count; /* of the arrays below */
  double *numbers;                                             /* owns the arrays of doubles: */
  double *q, *v;                                               /* [n] */
  double *v_before;                                            /* [n] */
  double *v_struck;                                            /* [n] the velocity that an impact has found */
  double *strike;                                              /* [m+s] impulse of one contact that is struck alone */
  double *impulse;         /* [m+s] of the last impact, or what was left at a limit */
  double *reference;       /* [(p+1)*m] sizes of the reactions' coefficients at the end of the last arc */
  double *outputs;         /* [count] values at the end of a step */
  double *sampled;         /* [2*(n+m+s)] accelerations and reactions there, and their sizes */
  double *row_factor;      /* [(m+s)^2] factor of the equations of the rows, column-major */
  double *row_scale;       /* [m+s] 1/size of the equations */
  double *course;          /* [laws*5*(p+1)] of each law: w along d(0) and across, |w|, d along d(0) and across */
  double *central;         /* [event_central_room(m+s)] */
  double *joint_y;         /* [(p+1)*n] direction of contacts that let go together, orthonormal coordinates */
  double *joint_gradient;  /* [n] */
  double *joint_mix;       /* [2*laws^2] combinations of their equations, and a triangle */
  double *joint_equations; /* [laws*(m+s+3)] */
  double *row_matrix;      /* [(m+s)^2] their matrix */
  double *coupling;        /* [m*m] G_RR^-1 G_RJ, column-major */
  double *lcp;             /* [m*m] column-major */
  double *lcp_q, *lcp_z, *lcp_w, *row_drift; /* [m] */
  double *basis;                             /* [(m+1)*n] orthonormal basis of the rows, and room for one more */
  double *paths;                             /* [(m+s)*n] */
  double *saved;                             /* [2n] */
  double *order_size;                        /* [p+1] sizes of the terms of each order */
  double *tail;           /* [5n+m+s] the polynomial that replaces the rest of an accumulation; a state */
  double *expected_gap;   /* [m] at the end of the last arc, by its series */
  double *velocity_terms; /* [n] sizes of the terms of v at the end of the last arc: it is rounded beside them */
  double *length_before;  /* [m] of the gradients in the kinetic metric, where the last arc began */
  arc_root *roots;        /* [m + switches] of the event functions */
  int *integers;          /* owns: */
  int *mode, *mode_before, *order; /* [m] */
  int *contact;                    /* [m] event_contact */
  int *kept_contact;               /* [m] before a trial */
  int *deflate;   /* [m] leading coefficients of the constraint's event function that are 0 by what is known */
  int *slip;      /* [laws] sign of the slip velocity (two components: 1), 0: it is 0, EVENT_SLIP_UNKNOWN */
  int *kept_slip; /* [laws] before a trial */
  int *slip_order, *slip_deflate;     /* [laws] */
  int *margin_order, *margin_deflate; /* [2*laws] of tau - r_T and tau + r_T; of tau^2 - |r_T|^2 */
  int *chosen;                        /* [m+laws+1] modes of a combination, and which of its directions */
  int *digit;                         /* [m+laws] */
  int *law_mode, *law_mode_before;    /* [laws] thud_contact_mode */
  int *law_order;                     /* [laws] order that decided the sign of a bilateral constraint's reaction */
  int *place;                         /* [m+s] number of a row among `rows`, -1: it is not there */
  int *joint_places;                  /* [n+laws] rows of the basis; axes */
  int *held;                          /* [switches] sign, 0: not yet known */
  int *switch_deflate;                /* [switches] -1: identically zero */
  thud_index *indices;                /* owns: */
  thud_index *rows;                   /* [m+s] rows with unknown reactions */
  thud_index *items;                  /* [m+laws] what a combination gives modes to: constraints, then laws */
  thud_index *pivots;                 /* [m+s] */
  thud_index *pending;                /* [m] J: not decided yet */
  bool *flags;                        /* owns: */
  bool *involved, *acting;            /* [m] */
  bool *alone;                        /* [m] acting when one contact is struck alone */
  bool *recent;                       /* [m] struck since time has stood still */
  bool *hold;                         /* [m+s] rows of a projection */
  bool *at_zero;                      /* [switches] the argument is 0 here */
  bool *redundant;                    /* [m] lasts, but depends on others that do: its reaction is taken as 0 */
  bool *law_involved;                 /* [laws] */
  event_outcome *outcomes;            /* [outcome_capacity] */
  size_t outcome_count, outcome_capacity;
  bool outcomes_cut;         /* there are more than max_outcomes */
  bool outcomes_by_order;    /* they are those of a multiple impact, the first is that of the law */
  size_t choice_cursor;      /* choices used up since the beginning of the phase */
  void *kept;                /* the state at the beginning of the phase: what a failure goes back to */
  thud_event_status finding; /* what an error means for the run, where its code does not say it */
  bool sink_failed;          /* the user's sink ended the run: a failure of the call, not a finding */

  /* Plain values, which are saved as they stand, from here (EVENT_FIRST_VALUE) to the pointers of zeno. */
  thud_event_info info;
  double blow_up_q, blow_up_v;
  double farthest;  /* largest component of q so far: what gaps count beside */
  double top_speed; /* options.fork: largest speed before an impact so far, kinetic metric */
  double initial_energy;
  double t;
  event_phase phase;
  int choices[EVENT_MAX_CHOICES]; /* outcomes to be taken, fork after fork, at the present time */
  size_t choice_count;
  bool begun;
  size_t row_count, pending_count, item_count;
  double t_error;
  bool any_event;  /* something happened at the present time */
  bool jumped;     /* an impact did */
  bool tangential; /* one without collision */
  bool switched;
  bool limit; /* the limit of an accumulation did */
  double limit_ratio, limit_error, limit_duration;
  size_t limit_impacts;
  bool after_event; /* the next arc starts at an event */
  int same_time;
  int small_limits;         /* limits of accumulations since a flight was higher than the rounding of positions */
  bool singular;            /* a combination of modes has forces that are not unique */
  event_search search;      /* how modes are sought now */
  bool shared;              /* forces of the series are not unique (event_central.c) */
  bool again;               /* the arc ended where these forces reached the edge of a cone: are there others? */
  int vanished;             /* law whose slip is about to vanish, -1: none */
  bool factored;            /* row_factor is that of the present order */
  int branch, branch_count; /* which of the directions in which slip can begin, of how many */
  event_joint joint;        /* of the series that is being computed */
  bool going_on;            /* nothing has happened since the arc before */
  thud_percussion_info percussion_info;
  event_zeno zeno;
};

#define EVENT_FIRST_VALUE offsetof(thud_event_motion, info)
#define EVENT_END_OF_VALUES (offsetof(thud_event_motion, zeno) + offsetof(event_zeno, q))

static inline thud_constraint_kind event_kind_of(const thud_event_motion *motion, size_t i) {
  return thud_system_constraint(motion->system, (thud_index)i)->kind;
}
static inline bool event_is_equation(const thud_event_motion *motion, size_t i) {
  thud_constraint_kind kind = event_kind_of(motion, i);
  return kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
}

/* Lengths of gradients are units; a row that nothing moves has none. */
static inline double event_unit(const thud_event_motion *motion, size_t row) {
  return motion->arc->own[row] > 0 ? motion->arc->own[row] : 1;
}
static inline size_t event_row_of(const thud_event_motion *motion, const event_law *law, size_t component) {
  return motion->m + law->first + component;
}

/* Coefficient k of the factor of |r_N| in the threshold, or of the threshold of a law by itself. */
static inline double event_friction(const thud_event_motion *motion, const event_law *law, int k) {
  return law->radius * thud_arc_jet(motion->arc, k)[motion->arc->jets.layout.friction + (size_t)(law - motion->laws)];
}

/* Series number `part` of the course of a law. */
static inline double *event_course(const thud_event_motion *motion, const event_law *law, size_t part) {
  return motion->course + (5 * (size_t)(law - motion->laws) + part) * ((size_t)motion->arc->order + 1);
}

/* How many entries `chosen` has: the items, and which of the directions in which slip can begin. */
static inline size_t event_choice_count(const thud_event_motion *motion) { return motion->m + motion->law_count + 1; }

static inline bool event_lasts(int mode) {
  return mode == THUD_CONTACT_LASTING || mode == THUD_CONTACT_STICKING || mode == THUD_CONTACT_SLIDING;
}
/* Event functions: one per constraint, three per friction law (slip velocity, margins of sticking), switches. */
static inline size_t event_first_switch(const thud_event_motion *motion) { return motion->m + 3 * motion->law_count; }
static inline size_t event_function_count(const thud_event_motion *motion) {
  return event_first_switch(motion) + motion->arc->switches;
}

/* event_start.c: the initial state is judged; violations that are accepted are taken away; `contact` of the start. */
thud_error event_start(thud_event_motion *motion, const double *q0, const double *v0);
/* What the initial acceleration gives over the run is no blow-up. The first series stands. */
void event_widen_limits(thud_event_motion *motion);
/* event_decide.c: which contacts last; the whole series. The arc has been begun at the present state and `contact` is
 * set (no HIT). Sets mode, order, deflate. THUD_ERROR_UNQUALIFIED: no acceleration satisfies the constraints. */
thud_error event_decide(thud_event_motion *motion);
/* event_modes.c: the same for systems with friction, by enumeration of modes. */
thud_error event_decide_modes(thud_event_motion *motion);
/* The friction law that an item's mode is about, or NULL. Items: the constraints, then the laws. */
event_law *event_law_of(const thud_event_motion *motion, size_t item);
const char *event_item_name(const thud_event_motion *motion, size_t item);
/* event_law.c: the laws of the system; THUD_ERROR_UNSUPPORTED with the reason for those that cannot be followed. */
thud_error event_laws_create(thud_event_motion *motion);
/* Coefficient k of the threshold tau; `known`: without the part of the reaction's coefficient k. */
double event_threshold(const thud_event_motion *motion, const event_law *law, int k, bool known);
/* Coefficient k of margin 1 or 2 of sticking: tau - r_T, tau + r_T; two components: tau^2 - |r_T|^2 (either). */
double event_margin(const thud_event_motion *motion, const event_law *law, int part, int k);
/* Coefficient k of the slip velocity along d(0) or across it. */
double event_slip_along(const thud_event_motion *motion, const event_law *law, int k);
/* What order k of the slip velocity adds to the course of the laws that slide; the order has been opened. */
void event_laws_follow(thud_event_motion *motion, int k);
/* Sign of the slip (1 for two components) of law l at velocity v; what is below the limits is 0. */
int event_slip_sign(const event_law *law, const double *slip, const double *limit);
/* event_order.c: the rows with unknown reactions, from the states of the contacts in `chosen`. */
void event_order_begin(thud_event_motion *motion);
/* Removes what `count` orthonormal rows of the basis span from a row of the arc (in the kinetic metric, at length 1);
 * the row then joins them. False: nothing is left of it. */
bool event_join_basis(thud_event_motion *motion, size_t row, size_t count);
/* Whether some slip with two components that is to begin is held fast by the rows that hold. */
bool event_order_is_fast(thud_event_motion *motion);
/* Reactions of order k; false: these modes have none, or none that is unique. size: of the order's terms. */
bool event_order_solve(thud_event_motion *motion, int k, double size);
/* The matrix of its equations, column-major, and the right-hand side, into row_matrix and row_drift.
 * straight: with the directions in which slip begins given. */
void event_order_assemble(thud_event_motion *motion, int k, bool straight);
/* The linear part of it: factor when needed, solve. */
bool event_order_linear(thud_event_motion *motion, int k, double size);
/* u' of a row at the present order, with its reactions. */
double event_separation(const thud_event_motion *motion, size_t row, const double *reaction);
/* event_central.c: forces of dependent equations, from row_matrix and row_drift into row_drift. */
bool event_central_solve(thud_event_motion *motion, int k, double size);
/* Counts arcs whose motion depends on the choice of forces that are not unique; after the modes have been decided. */
void event_central_note(thud_event_motion *motion);
size_t event_central_room(size_t count);
/* event_onset.c: the same where laws are in the state ONSET. */
bool event_onset_solve(thud_event_motion *motion, int k, double size);
/* event_joint.c: contacts whose slip begins together, with forces at order k but no slip; the forces of order k. False:
 * there is no such direction. */
bool event_joint_begin(thud_event_motion *motion, int k, double size, size_t count, event_law *const *laws);
/* The equations of order k that say that forces and slips are parallel become those of one direction. */
bool event_joint_mix(thud_event_motion *motion, int k);
/* That direction to order k, from the forces; false: the slips contradict it. */
bool event_joint_follow(thud_event_motion *motion, int k, double size);
/* Counts what is left in `pending`: contacts that no order decides. */
void event_note_undecided(thud_event_motion *motion);
/* event_project.c: takes back what rounding has added to constraints that hold; begins the arc anew where needed. */
thud_error event_project(thud_event_motion *motion);
/* The same for the rows in `hold`. */
thud_error event_project_held(thud_event_motion *motion);
/* Takes the errors of the rows in `hold` out of q (position) or v, to first order; the arc has been begun. */
void event_project_once(thud_event_motion *motion, bool position);
/* event_impact.c: the velocity jumps according to the law; contact becomes REST or PARTS. The arc has been begun. */
thud_error event_impact(thud_event_motion *motion);
/* Contacts that an impact has brought to rest are so: what rounding has left there is taken away. The arc has been
 * begun anew. */
thud_error event_rest_after_impact(thud_event_motion *motion);
/* Velocity of a constraint and of a slip component, by the gradients in `values`. */
double event_velocity_of(const thud_event_motion *motion, size_t i, const double *v);
double event_slip_velocity(const thud_event_motion *motion, size_t j, const double *v);
/* The size of the terms whose sum is the velocity of constraint i: what its rounding is relative to. */
double event_velocity_terms(const thud_event_motion *motion, size_t i, const double *v);
/* The fastest approach, in units in which every gradient has length 1 in the kinetic metric. */
double event_approach_speed(const thud_event_motion *motion);
/* Velocities of constraint i below this count as 0 after an impact: beside `speed`, or by rounding. */
double event_small_velocity(const thud_event_motion *motion, size_t i, double speed, const double *v);
/* The numbers of the arc into `values`, for velocity problems. */
thud_error event_place_values(thud_event_motion *motion);
/* Books the impact whose outcome is in `v`, `impulse` and `percussion_info`; `speed` is what velocities count beside.
 */
thud_error event_finish_impact(thud_event_motion *motion, double speed);
/* event_orders.c: the outcomes of the contacts struck one after the other, beside that of the law; the one to go on
 * with takes its place. */
thud_error event_fork_impact(thud_event_motion *motion);
/* event_tangential.c: an impact without collision, where no modes are consistent. */
thud_error event_tangential_impact(thud_event_motion *motion);
/* event_switch.c: sides of the switches, then begin, impact and decide on the consistent one. */
thud_error event_settle(thud_event_motion *motion);
/* The program of the arc holds every switch on its side in `held`. */
thud_error event_hold_switches(thud_event_motion *motion);
/* event_right.c: counts closed contacts at rest at breaks of the data that order 0 does not decide; after settling. */
void event_note_right_accumulation(thud_event_motion *motion);
/* Goes back from a failure to settle. Where the data have no power series it is noted, and the message says so. */
thud_error event_give_up(thud_event_motion *motion, thud_error error);
/* event_find.c: follows the series to the first event or the end of its step; emits the arc. */
thud_error event_advance(thud_event_motion *motion, const thud_event_sink *sink, bool *stop);
/* What it is that steps become as short as rounding: BLOW_UP or STEP_TOO_SMALL. */
thud_event_status event_vanished_step(const thud_event_motion *motion);
/* Position or velocity beyond the limit of the options is the finding BLOW_UP. */
thud_error event_check_size(thud_event_motion *motion);
/* event_zeno.c */
void event_zeno_note(thud_event_motion *motion);
void event_zeno_forget(thud_event_motion *motion);
/* Whether the last impacts accumulate, with flights shorter than options.fork_flight. */
bool event_zeno_in_tail(const thud_event_motion *motion);
/* Whether the last impacts accumulate and less than zeno_remaining is left; if so the state is moved to the limit and
 * the phase is EVENT_AT_LIMIT. */
thud_error event_zeno_try(thud_event_motion *motion, const thud_event_sink *sink, bool *stop);
/* event_energy.c: books the work on [0, s] of the arc. */
void event_book_work(thud_event_motion *motion, double s);
thud_error event_book_energy(thud_event_motion *motion);
/* event_fork.c: adds to a text that may be full: it ends with dots then. */
void event_append(char *text, size_t capacity, const char *format, ...) THUD_PRINTF(3, 4);
/* No outcomes are known. */
void event_outcomes_clear(thud_event_motion *motion);
void event_outcomes_destroy(thud_event_motion *motion);
/* The series of the arc with the modes in `mode` and `chosen` joins the outcomes unless it is a motion that is there
 * already: different modes, the same motion. */
thud_error event_outcomes_add_modes(thud_event_motion *motion);
/* The velocity in `v` and what led to it (`impulse`, `percussion_info`) join them unless the velocity is there already.
 */
thud_error event_outcomes_add_jump(thud_event_motion *motion, const char *text);
/* The velocity jumps to that of outcome k. */
void event_outcomes_take_jump(thud_event_motion *motion, size_t k);
/* The outcome to go on with: the only one, or the one that was chosen. Fails with the finding FORK or INDETERMINATE
 * when it is to be chosen; `what` are the ways on ("motions are consistent"). */
thud_error event_outcomes_pick(thud_event_motion *motion, const char *what, size_t *k);
/* event_state.c: the state into `kept`, and back from it. */
void event_keep(thud_event_motion *motion);
thud_error event_go_back(thud_event_motion *motion, thud_error error);
/* Hands an arc to the sink; *stop: the sink wants to end. */
thud_error event_emit_arc(thud_event_motion *motion, const thud_event_sink *sink, const thud_event_arc *arc,
                          bool *stop);
/* A failure of the arithmetic of a round, which is the finding `status` of the run. */
thud_error event_find_status(thud_event_motion *motion, thud_event_status status, thud_error error);

#endif
