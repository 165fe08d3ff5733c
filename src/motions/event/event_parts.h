/* The state of an event-driven motion in its parts. Each says who computes it and who reads it; functions that need
 * one or two of them take those. What a run changes of a part besides its arrays comes first, before the first pointer:
 * these values are saved as they stand (event_state.c). */
#ifndef THUD_SRC_MOTIONS_EVENT_EVENT_PARTS_H
#define THUD_SRC_MOTIONS_EVENT_EVENT_PARTS_H

#include "convex/outline.h"
#include "motions/event/arc.h"
#include "motions/event/arc_proof.h"
#include "motions/event/arc_polynomial.h"
#include "motions/motion.h"
#include "thud/event.h"

typedef struct event_motion event_motion;

/* What is known of a constraint at the start of an arc. */
typedef enum event_contact {
  EVENT_AWAY = 0, /* gap > 0 (velocity constraints: u > 0) */
  EVENT_REST = 1, /* closed, and u = 0 by what led here */
  EVENT_HIT = 2,  /* closed and approaching: an impact */
  EVENT_PARTS = 3 /* closed and separating */
} event_contact;

enum {
  EVENT_SLIP_UNKNOWN = 1 << 20,
  ZENO_UNRESOLVED = 8,
  ZENO_RING = 16,
  ZENO_LEVELS = 2,
  ZENO_PERIODS = 4,
  EVENT_MAX_ZERO_SWITCHES = 8,
  EVENT_STRAIGHT = 64,
  EVENT_ROUNDING = ARC_ROUNDING,
  EVENT_MOST_COMBINATIONS = 100000, /* of modes or impulses that are tried at one event */
  EVENT_ALL_COMBINATIONS = 10000,   /* of modes, up to which all are tried; beyond it what a solver leaves open */
  EVENT_MAX_CHOICES = 16,
  EVENT_MOST_ONSETS = 16 /* contacts whose slip begins at one time */
};

/* Error of the time of an event, relative. */
#define EVENT_TIME_ROUNDING (4 * DBL_EPSILON)

/* What comes next in a run. Every call of the sink has its own place, so that a run can be left and taken up there. */
typedef enum event_phase {
  EVENT_AT_NODE = 0,    /* an arc has ended: what happens here? */
  EVENT_AFTER_JUMP = 1, /* an impact has been handed out: do impacts accumulate? */
  EVENT_AT_LIMIT = 2,   /* the line to the limit of an accumulation has been handed out: its event */
  EVENT_READY = 3,      /* the series of the next arc is complete */
  EVENT_AFTER_LIMIT = 4 /* a limit has been handed out: do limits accumulate? */
} event_phase;

/* A gap like y^p has the gradient 0 where it closes. There the rounding of the gap leaves DBL_EPSILON^((p-1)/p) of the
 * gradient's length at the start of the arc; less than this is not a gradient. */
#define EVENT_NO_GRADIENT 1e-6

/* Equations (at length 1) that differ from combinations of others by less than this depend on them. */
#define EVENT_DEPENDENT 1e-11

/* How modes are sought; each only when the one before finds none. */
typedef enum event_search {
  SEARCH_UNIQUE = 0,  /* forces are unique */
  SEARCH_EDGES = 1,   /* friction at rest is sought at the edges of the cones */
  SEARCH_CENTRAL = 2, /* of forces that are not unique, those deepest in the cones */
  SEARCH_LIMIT = 3    /* the same, at the limit of what contacts can hold together: event_onset.c */
} event_search;

/* What a solver says of the mode of an item: event_modes.c. */
typedef enum event_guess {
  GUESS_UNCLEAR = 0, /* all modes are tried */
  GUESS_OPEN,
  GUESS_CLOSED,
  GUESS_STICKS,
  GUESS_FORTH,
  GUESS_BACK,
  GUESS_SLIDES, /* as it does, or with two components */
  GUESS_FACE    /* added to the face of a polygon on which it slides */
} event_guess;

/* The state of friction on the series that is being computed (event_order.c has the equations). */
typedef enum event_law_state {
  LAW_OFF = 0,   /* its contact is open */
  LAW_STICK = 1, /* u_T' = 0 */
  LAW_SLIDE = 2, /* r_T = -tau d, d = u_T/|u_T| follows from lower orders */
  LAW_ONSET = 3, /* two components, from rest: neither force nor slip up to the present order, no direction yet */
  LAW_CRAWL = 4, /* two components, from rest: force at the threshold, whose direction is d; no slip yet */
  LAW_TURN = 5,  /* two components, from rest: force and slip, the direction of each order depends on its force */
  LAW_EDGE = 6   /* polygon: the force is on an edge, against the slip across it; along it u_T' = 0 */
} event_law_state;

/* What an event function of a friction law is, and what its mode demands to be positive (event_law.c). */
typedef enum event_measure_kind {
  MEASURE_NONE = 0,
  MEASURE_SLIP,   /* along.u_T */
  MEASURE_MARGIN, /* reach mu |r_N| + along.r_T */
  MEASURE_DISC,   /* tau^2 - |r_T|^2 */
  MEASURE_GAUGE   /* tau - gauge(r_T), by the outline of the set */
} event_measure_kind;

typedef struct event_measure {
  event_measure_kind kind;
  double along[THUD_MOST_SLIPS];
  double reach;
} event_measure;

/* An edge of a polygon, at length 1: its direction, outward normal n, n.x on it, and where it begins and ends along it. */
typedef struct event_edge {
  double along[2], normal[2];
  double offset, begin, end;
} event_edge;

/* A friction law of the system, or a factor of it (model/factors.h): with one or two slip components, or more where it
 * has an outline, in the frame of the law, and the threshold tau = mu |r_N|, or a force, on a series in s. Nothing here points anywhere: laws are saved
 * as they stand. */
typedef struct event_law {
  size_t number;            /* that of the factor */
  size_t own;               /* law of the system */
  thud_index constraint;    /* -1: by itself */
  size_t first, directions; /* slip components */
  bool curved;              /* its set has an outline, not all of whose pieces need be curved */
  bool unilateral;          /* its modes are those of the contact, */
  bool leads;               /* and it is the first (or only) law of its constraint */
  event_law_state state;
  double radius;                  /* of its set: tau = radius mu |r_N|; one component: that on the side of its slip */
  double reach[2];                /* one component: the force is in [-reach[0], reach[1]] mu |r_N| */
  int corners;                    /* of a polygon; pieces of an outline that has more than one; 0: neither */
  int face;                       /* of these: 2k: corner or piece k, 2k + 1: the edge behind it */
  double sign;                    /* of the reaction of its constraint: |r_N| = sign r_N */
  double along[THUD_MOST_SLIPS];  /* direction d of the slip at s = 0; polygon, outline: minus the point of its set */
  double toward[THUD_MOST_SLIPS]; /* outline: direction of the slip at s = 0 */
  int force_order;                /* first coefficient of tau that is not 0 (CRAWL, TURN) */
  int slip_order;                 /* u_T = s^(slip_order + 1) w, w(0) != 0 (SLIDE, TURN); -1: slides already */
  bool active;                    /* ONSET: its direction is sought at this order */
} event_law;

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

/* ---- the parts --------------------------------------------------------------------------------------------------- */

/* What is given. Set when the motion is created; everybody reads it, nobody changes it. */
typedef struct event_problem {
  thud_context *context;
  const thud_system *system;
  thud_event_options options;
  size_t n, m, s, law_count; /* coordinates, constraints, slip components, friction laws (factors of the system's) */
  size_t measures;           /* event functions of each law: 3, or the corners of the largest polygon */
  double stop;               /* the motion ends here, if that is before options.end */
} event_problem;

static inline double event_end(const event_problem *problem) {
  return problem->stop < problem->options.end ? problem->stop : problem->options.end;
}

/* The present state. Moved by event_follow.c to the end of an arc, by event_impact.c and event_fork.c
 * at impacts, by event_zeno.c to the limit of an accumulation, by event_decide.c back onto the
 * constraints; everybody reads it. */
typedef struct event_present {
  double t;
  double *q, *v;              /* [n] */
  double *saved;              /* [2n] room for another state: of event_follow.c, event_switch.c and event_zeno.c */
  thud_system_values *values; /* of the system there, as far as event_create.c, event_impact.c, event_follow.c ask */
} event_present;

/* Sizes of the whole run that others count beside. blow_up_*: event_create.c, for event_follow.c. farthest:
 * event_follow.c, for itself and event_switch.c. top_speed: event_fork.c. initial_energy: event.c, for
 * event_follow.c. */
typedef struct event_scales {
  double blow_up_q, blow_up_v; /* sizes at which the run ends */
  double farthest;             /* largest component of q so far: what gaps count beside */
  double top_speed;            /* options.fork: largest speed before an impact so far, kinetic metric */
  double initial_energy;
} event_scales;

/* Where the run is. Kept by event.c; the ends of arcs (event_follow.c) and accumulations (event_zeno.c) set the
 * phase, whoever fails says in `finding` what that means. */
typedef struct event_progress {
  event_phase phase;
  bool begun;
  bool after_event;           /* the next arc starts at an event */
  int same_time;              /* events one after the other at the present time */
  void *kept;                 /* the state at the beginning of the phase: what a failure goes back to (event_state.c) */
  int kept_orders;            /* of the jets in it; the others were 0 */
  thud_motion_status finding; /* what an error means for the run, where its code does not say it; RUNNING: it does */
  bool no_solution;           /* constraints contradict each other (event_redundant.c) */
  bool sink_failed;           /* the user's sink ended the run: a failure of the call, not a finding */
} event_progress;

/* The friction laws. Made by event_law.c; event_combination.c gives them their states, event_onset.c their directions,
 * event_law.c follows these; read by what solves the orders (event_order.c) and looks at
 * slips. */
typedef struct event_friction_laws {
  event_law *laws; /* [laws] */
  double *course;  /* [laws*5*(p+1)] of each law: w along d(0) and across, |w|, d along d(0) and across */
} event_friction_laws;

/* What the last arc left. Written by event_follow.c at its end; read by the decisions of the next one (event_decide.c,
 * event_modes.c, event_switch.c). */
typedef struct event_last_arc {
  bool going_on;          /* nothing has happened since */
  bool again;             /* it ended where forces that are not unique reached the edge of a cone: are there others? */
  double *reference;      /* [(p+1)*(m+s)] sizes of the reactions' coefficients at its end */
  double *expected_gap;   /* [m] at its end, by its series */
  double *velocity_terms; /* [n] sizes of the terms of v at its end: it is rounded beside them */
  double *independence;  /* [m] what was left of the gradients beside those before them, at length 1, where it began, */
  double *most_left;     /* [m] and the most so far: event_redundant.c */
  double *length_before; /* [m] of the gradients in the kinetic metric, where it began */
} event_last_arc;

/* What happens at the present time. Begun by event_find.c with the roots, completed by impacts (event_impact.c,
 * event_fork.c), accumulations and late decisions (event_modes.c); event.c hands it out. */
typedef struct event_happening {
  bool any;                /* something does */
  bool jumped;             /* an impact */
  bool tangential;         /* one without collision */
  bool loaded;             /* with a load of the system */
  bool switched;           /* an expression changes its branch: */
  thud_index which_switch; /* the first that does, -1: not known */
  bool crossed;            /* a surface across which the energies jump */
  double t_error;
  double from, low, high;          /* the bracket of its roots: start of their arc, offsets from there; NaN: none */
  thud_percussion_info percussion; /* of the impact */
  bool *involved;                  /* [m] */
  bool *law_involved;              /* [laws] */
  bool *system_law_involved;       /* [laws] the same for the laws of the system, as it is handed out */
  double *v_before;                /* [n] */
  double *impulse;                 /* [m+s] of the last impact, or what was left at a limit */
} event_happening;

/* What is known of contacts and slips where an arc begins. Set by event_create.c, event_follow.c (from the roots),
 * event_impact.c, event_switch.c and event_zeno.c; read by event_decide.c and event_modes.c. */
typedef struct event_contacts {
  int *contact;      /* [m] event_contact */
  int *slip;         /* [laws] sign of the slip velocity (two components: 1; polygon: 1 + the face that it is against),
                        0: it is 0, EVENT_SLIP_UNKNOWN */
  int *kept_contact; /* [m] before a trial (event_switch.c) */
  int *kept_slip;    /* [laws] before a trial */
  double *kept;      /* [2 m + s] before a trial: impulses, and 1 for what is involved */
} event_contacts;

/* What was decided for the arc. By event_decide.c or, with friction, event_modes.c; read by event_find.c, whose event
 * functions follow from it, and by event.c, which hands it out. *_before: of the arc before (event_follow.c). */
typedef struct event_modes {
  int *mode, *mode_before; /* [m] thud_contact_mode */
  int *order;              /* [m] that decided, -1: nothing was to be decided */
  int *deflate;            /* [m] leading coefficients of the constraint's event function that are 0 by what is known */
  bool *redundant;         /* [m] lasts, but depends on others that do: */
  double *left;            /* [m] what is left of the gradient beside the rows before it, at length 1 */
  double *given;           /* [(p+1)*m] its reaction, which event_redundant.c finds */
  bool *vanishes;          /* [m] the gradient is 0 up to the rounding of q: event_redundant.c */
  int *law_mode, *law_mode_before; /* [laws] thud_contact_mode */
  int *law_order;                  /* [laws] order that decided the sign of a bilateral constraint's reaction */
  int *part_order, *part_deflate;  /* [laws*measures] of the event functions of the laws */
} event_modes;

/* The search among combinations of modes: event_modes.c, event_combination.c. event_order.c and event_onset.c read how it is
 * done and answer (singular, branch_count); event_impact.c uses `chosen` for its own combinations. */
typedef struct event_mode_search {
  size_t item_count;
  bool singular;            /* a combination has forces that are not unique */
  bool pivoted;             /* the modes were found by pivots */
  event_search level;       /* how modes are sought now */
  int vanished;             /* law whose slip is about to vanish, -1: none */
  int branch, branch_count; /* which of the directions in which slip can begin, of how many */
  thud_index *items;        /* [m+laws] what a combination gives modes to: constraints, then laws */
  int *chosen;              /* [m+laws+1] modes of a combination, and which of its directions */
  int *digit;               /* [m+laws] */
  double *order_size;       /* [p+1] sizes of the terms of each order */
  int *instead;             /* [m+laws] by pivots: the mode that takes the place of one that is violated, or 0 */
  bool pivoting;            /* `instead` is sought: all orders are looked at */
  bool guessed;             /* combinations were too many: */
  int *guess;               /* [m+laws] event_guess */
  double unclear;           /* forces of the solver below this, gradients at length 1, leave a mode open */
  double *reaction;         /* [2*(m+s)] of the solver, and before its last iteration */
  double *acceleration;     /* [n] */
} event_mode_search;

/* The linear equations of one order of the series: rows with unknown reactions. Used by event_decide.c and
 * event_order.c, which solve them, event_onset.c, which replaces some, and as room by event_impact.c. */
typedef struct event_equations {
  size_t count;         /* of rows */
  bool factored;        /* `factor` is that of the present order */
  bool shared;          /* forces of the series are not unique (event_order.c) */
  double slack;         /* what is accepted of contradictions of dependent rows, relative; 0: rounding alone */
  double step;          /* of the method whose states are looked at; 0: there is none (event_probe.h) */
  unsigned disturbance; /* which disturbance by rounding the orders have; 0: none (event_redundant.c) */
  thud_index *rows;     /* [m+s] */
  int *place;           /* [m+s] number of a row among `rows`, -1: it is not there */
  double *matrix;       /* [(m+s)^2] column-major */
  double *factor;       /* [(m+s)^2] of it, column-major */
  double *scale;        /* [m+s] 1/size of the equations */
  double *unit;         /* [m+s] of the unknowns */
  double *right;        /* [m+s] right-hand side, then solution */
  thud_index *pivots;   /* [m+s] */
  double *basis;        /* [(m+s+1)*n] orthonormal basis of the rows, and room for one more */
  double *room;         /* [thud_event_central_room(m+s)] */
} event_equations;

/* The graded complementarity problem of contacts without friction: event_decide.c alone; event_modes.c leaves in
 * `pending` what it has not decided. */
typedef struct event_graded {
  size_t count;        /* of J */
  thud_index *pending; /* [m] J: not decided yet */
  double *coupling;    /* [m*m] G_RR^-1 G_RJ, column-major */
  double *matrix;      /* [m*m] column-major */
  double *q, *z, *w;   /* [m] */
  double *room;        /* [m] */
  bool *use;           /* [m] of the pending ones: which are asked for */
  thud_lemke *lemke;
} event_graded;

/* Contacts that let go together: event_onset.c; event_order.c sees whether it is on. */
typedef struct event_joint {
  bool on;
  int order;         /* the first with a force */
  size_t held, free; /* rows of the basis: what holds, what the slips add */
  size_t rank;       /* of the slips across, in the free directions */
  double *y;         /* [(p+1)*n] their direction, orthonormal coordinates */
  double *gradient;  /* [n] */
  double *mix;       /* [2*laws^2] combinations of their equations, and a triangle */
  double *equations; /* [laws*(m+s+3)] */
  int *places;       /* [n+laws] rows of the basis; axes */
} event_joint;

/* The piece of the arc up to the next event, while it is chosen: event_find.c alone. */
typedef struct event_piece {
  arc_root *roots; /* [m + measures laws + switches] of the event functions */
  double *handed;  /* [(p+1)*(m+s)] reactions as they are handed out, where laws have frames of their own */
  double *outputs; /* [count] values at the end of a step */
  double *sampled; /* [2*(n+m+s)] accelerations and reactions there, and their sizes */
} event_piece;

/* The velocity problem of an impact: event_impact.c; event_fork.c (contacts struck one at a time) solves
 * its own with it. */
typedef struct event_collision {
  thud_percussion *percussion;
  thud_percussion *single; /* Newton's law, for contacts that are struck one at a time; options.fork */
  bool *acting;            /* [m] */
  bool *alone;             /* [m] acting when one contact is struck alone */
  double *v_struck;        /* [n] the velocity that an impact has found */
  double *strike;          /* [m+s] impulse of one contact that is struck alone */
  double *posed_numbers;   /* options.keep_posed: those of the last impact, NULL otherwise */
  thud_posed posed;        /* in there */
} event_collision;

/* Sides of the switches of expressions: event_switch.c; event_find.c says where arguments are 0, event_zeno.c looks at
 * it. */
typedef struct event_switches {
  bool pending;           /* an impact came first: surfaces at the same time are next */
  int *held;              /* [switches] sign, 0: not yet known */
  int *deflate;           /* [switches] -1: identically zero */
  bool *at_zero;          /* [switches] the argument is 0 here */
  double *before, *after; /* [switches] arguments on both sides of an impact */
  double *values;         /* [count] outputs on the other side of a switch at rest */
} event_switches;

/* Jumps of the potential energy or the masses across the surfaces of switches: event_surface.c, and event_layer.c where
 * constraints have part in them. */
typedef struct event_surface {
  double *before, *after;  /* [count] outputs on both sides */
  double *variables;       /* [1+2n] */
  double *arguments;       /* [switches] */
  double *normals;         /* [EVENT_MAX_ZERO_SWITCHES*(n+1)] ds/dq and ds/dt of each switch at 0 */
  double *momentum;        /* [n] p- */
  double *path, *carried;  /* [n] W n, W p- */
  double *velocity;        /* [n] */
  double *saved, *reached; /* [n] velocities before all surfaces, and behind them in the first order */
  double *factor;          /* [n*n] of the masses */
  double *paths;           /* [(m+s)*n] W C' */
  double *own;             /* [m+s] lengths of the rows */
  double *matrix;          /* [(m+s)*(m+s+1)] */
  double *solution;        /* [m+s] */
  double *room, *step;     /* [n] */
  double *rates, *wanted;  /* [m+s] */
  double *trial;           /* [n+m+s] */
  int *mode, *digit;       /* [m] */
  int *unknown, *pivots;   /* [m+s] rows */
  bool *joined;            /* [m] has part in the jump */
} event_surface;

/* A passage through a surface: event_layer.c. */
typedef struct event_layer {
  event_motion *motion;
  size_t n;
  const double *normal; /* [n] ds/dq */
  double rate;          /* ds/dt */
  int from;             /* side on which the motion comes */
  double rise;          /* V behind minus V before; infinite: there is no way across */
  double *v;            /* [n] before, then behind */
  double length;        /* of n in the kinetic metric */
  double speed;         /* across the surface, when the motion came */
  bool crossed;         /* otherwise it was thrown back */
  bool frictionless;    /* friction is left out */
  bool with_hits;       /* contacts that are about to be struck count as closed */
  double passed;        /* impulse l along n */
  double loss, work;    /* by friction; of constraints that move */
} event_layer;

/* Corrections of q and v: event_decide.c; who asks for one says which rows are held. */
typedef struct event_projection {
  bool *hold;       /* [m+s] rows of a projection */
  bool *held;       /* [m+s] rows of the factor below */
  bool factored;    /* it belongs to the present series */
  size_t count;     /* of independent rows among them */
  thud_index *rows; /* [m+s] these */
  double *paths;    /* [(m+s)*n] M^-1 C' of each */
  double *basis;    /* [(n+1)*n] orthonormal, and room for one more */
  double *factor;   /* [(m+s)^2] of C M^-1 C', column-major */
  double *error;    /* [m+s] */
} event_projection;

/* The limit of an accumulation, found by event_zeno.c and handed out by event.c. */
typedef struct event_zeno_limit {
  bool reached; /* at the present time */
  size_t level;
  double begin, ratio, error, duration;
  size_t impacts;
} event_zeno_limit;

/* The last blows of one level. Blows are numbered; number k is in place k % ZENO_RING. */
typedef struct event_zeno_level {
  size_t count;            /* blows since the accumulation (if it is one) began */
  size_t impacts;          /* the same in impacts, and those since the last blow */
  double begin;            /* time of the first impact */
  double clock;            /* time since the first blow as the sum of the arcs' lengths: free of the rounding of t */
  double flight;           /* time since the last blow */
  double took[ZENO_RING];  /* time to each blow from the one before */
  uint64_t who[ZENO_RING]; /* hash of the constraints involved */
  bool refused;            /* a limit was tried and its contacts do not last */
} event_zeno_level;

/* The last blows, for the detection of accumulations: event_zeno.c; event_follow.c moves the clocks. Blows of level 0 are
 * impacts, those of level 1 limits of accumulations of impacts. Arrays hold one level after the other. */
typedef struct event_zeno {
  event_zeno_level level[ZENO_LEVELS];
  double fastest;   /* largest velocity in the kinetic metric at an impact of the motion: errors count beside it */
  int small_limits; /* limits of accumulations since a flight was higher than the rounding of positions */
  event_zeno_limit limit;
  double *q, *v;   /* [ZENO_LEVELS*ZENO_RING*n] state before an impact, at a limit */
  double *impulse; /* [ZENO_LEVELS*ZENO_RING*(m+s)] of a blow and of the impacts since the blow before */
  double *total;   /* [ZENO_LEVELS*(m+s)] since the beginning */
  double *pending; /* [ZENO_LEVELS*(m+s)] since the last blow */
  double *tail;    /* [5n+m+s] the polynomial that replaces the rest of an accumulation; a state */
  bool *recent;    /* [m] struck since time has stood still */
} event_zeno;

/* What is proved of the arcs of series: event_proof.c, which event_find.c asks for steps and roots. */
typedef struct event_proofs {
  bool defect, roots; /* of the present arc: proved */
  bool grazes;        /* a root of the present arc is 0 within rounding and taken from the series */
  bool margins;       /* the margins of sticking of the present arc are enclosed */
  double below;       /* no open gap of the present arc is below minus this */
  double bound;       /* of its defect, relative */
  double force;       /* the same, length of the vector of the components (N) */
  double rounding;    /* the same of the rounding of the terms and of the values of the equations */
  double series;      /* the step on which the series of the event functions hold, too */
  size_t open;        /* event function whose root could not be told on the present arc */
  arc_proof *proof;   /* NULL: the arcs have no expressions */
  double *scale;      /* [n] */
  double *stated;     /* [n] bounds of the defect of the present arc, as they are handed out */
} event_proofs;

/* A point at which equations become dependent. */
typedef enum event_passage_finding {
  EVENT_PASSAGE_NONE,       /* there is none ahead, or it is not looked for */
  EVENT_PASSAGE_FOUND,      /* the arc leads through it */
  EVENT_PASSAGE_INACCURATE, /* there is one, but no polynomial through it is accurate enough */
  EVENT_PASSAGE_BRANCHES,   /* the velocity there does not single out a branch */
  EVENT_PASSAGE_EVENT       /* a gap closes or an expression changes its branch too near to it */
} event_passage_finding;

/* The arc leads through a point that is not qualified: made by event_passage.c, for event_redundant.c, event_find.c and event_follow.c. */
typedef struct event_passage {
  event_passage_finding finding;
  bool still;                 /* the velocity at the point is 0 */
  bool blocked;               /* on an arc before, EVENT was what was found of it */
  double length;              /* of the arc */
  double at;                  /* time of the point, from the start of the arc */
  double error;               /* of the polynomial, relative */
  double work, gross;         /* on the arc, and if nothing cancelled */
  double growth;              /* unbounded reactions are this over |t - t*|, the largest */
  uint64_t family, unbounded; /* constraints that become dependent, and those with unbounded reactions (up to 64) */
  bool *unresolved;           /* [m] reactions that are no polynomials */
} event_passage;

/* Loads of the system: event_impact.c, which event_find.c asks where to stop; event.c
 * counts them. */
typedef struct event_loads {
  size_t next;           /* number of the one that comes next */
  double speed;          /* of the velocities before and with it, kinetic metric */
  double *impulse;       /* [n] of the last one that acted */
  double *bound, *share; /* [laws] of its thresholds */
  double *v_free;        /* [n] velocity with its impulse alone */
} event_loads;

/* Ways on from a fork: event_fork.c; event_modes.c and event_impact.c add to them. Outcomes are no
 * part of the saved state, choices are. */
typedef struct event_forks {
  int choices[EVENT_MAX_CHOICES]; /* outcomes to be taken, fork after fork, at the present time */
  size_t choice_count;
  event_outcome *outcomes; /* [capacity] */
  size_t count, capacity;
  bool cut;      /* there are more than max_outcomes */
  bool by_order; /* they are those of a multiple impact, the first is that of the law */
  size_t cursor; /* choices used up since the beginning of the phase */
} event_forks;

/* The blocks that own the arrays of all parts, one of each type, which are saved; and scratch, which is not. */
typedef struct event_storage {
  size_t number_count, integer_count, index_count, flag_count;
  double *numbers, *scratch;
  int *integers;
  thud_index *indices;
  bool *flags;
} event_storage;

struct event_motion {
  thud_motion base;
  event_problem problem;
  sim_arc *
      arc; /* the arc that is being followed: begun by event_switch.c, its series by event_decide.c and event_modes.c */
  event_present state;
  event_scales scales;
  event_progress run;
  thud_event_motion_info info; /* counts of everybody, for the user */
  event_friction_laws friction;
  event_last_arc last;
  event_happening event;
  event_contacts contacts;
  event_modes modes;
  event_mode_search search;
  event_equations equations;
  event_graded graded;
  event_joint joint;
  event_piece piece;
  event_collision collision;
  event_switches switches;
  event_surface surface;
  event_projection projection;
  event_zeno zeno;
  event_loads loads;
  event_proofs proofs;
  event_passage passage;
  event_forks forks;
  event_storage storage;
};

/* ---- small questions --------------------------------------------------------------------------------------------- */

static inline thud_constraint_kind event_kind_of(const event_problem *problem, size_t i) {
  return thud_system_constraint(problem->system, (thud_index)i)->kind;
}
static inline bool event_is_equation(const event_problem *problem, size_t i) {
  thud_constraint_kind kind = event_kind_of(problem, i);
  return kind == THUD_CONSTRAINT_BILATERAL || kind == THUD_CONSTRAINT_VELOCITY;
}

/* The arc leads through a point at which equations are dependent (event_passage.c). */
static inline bool event_is_passage(const event_motion *motion) {
  return motion->passage.finding == EVENT_PASSAGE_FOUND;
}

/* Lengths of gradients are units; a row that nothing moves has none. */
static inline double event_row_unit(const sim_arc *arc, size_t row) { return arc->own[row] > 0 ? arc->own[row] : 1; }
static inline size_t event_row_of(const sim_arc *arc, const event_law *law, size_t component) {
  return arc->m + law->first + component;
}

/* Coefficient k of the factor of |r_N| in the threshold, or of the threshold of a law by itself. */
static inline double event_friction_factor(const sim_arc *arc, const event_law *law, int k) {
  return law->radius * thud_arc_jet(arc, k)[arc->jets.layout.friction + law->own];
}

/* Series number `part` of the course of a law. */
static inline double *event_slip_series(const sim_arc *arc, const event_friction_laws *friction, const event_law *law,
                                        size_t part) {
  return friction->course + (5 * law->number + part) * ((size_t)arc->order + 1);
}

/* How many entries `chosen` has: the items, and which of the directions in which slip can begin. */
static inline size_t event_choice_count(const event_problem *problem) { return problem->m + problem->law_count + 1; }

/* Nothing has ended the run so far. */
static inline bool event_is_running(const thud_event_motion_info *info) { return info->status == THUD_MOTION_RUNNING; }

static inline bool event_lasts(int mode) {
  return mode == THUD_CONTACT_LASTING || mode == THUD_CONTACT_STICKING || mode == THUD_CONTACT_SLIDING;
}
/* Event functions: one per constraint, `measures` per friction law (slip velocities, margins of sticking), switches. */
static inline size_t event_first_switch(const event_problem *problem) {
  return problem->m + problem->measures * problem->law_count;
}
/* Number of a law's event function, and the law and part of a number between m and the first switch. */
static inline size_t event_function_of(const event_problem *problem, size_t l, size_t part) {
  return problem->m + l * problem->measures + part;
}
static inline size_t event_function_law(const event_problem *problem, size_t f) {
  return (f - problem->m) / problem->measures;
}
static inline int event_function_part(const event_problem *problem, size_t f) {
  return (int)((f - problem->m) % problem->measures);
}
static inline size_t event_function_count(const event_problem *problem, const sim_arc *arc) {
  return event_first_switch(problem) + arc->switches;
}

#endif
