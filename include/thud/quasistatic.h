/* thud/quasistatic.h: elastic structures in unilateral contact with Coulomb friction, loaded slowly. Layer: motions.
 *
 *   K U = F(t) + H r,   u = H' U
 *   normal      gap = gap0 + u_N,  0 <= gap  perp  r_N >= 0
 *   tangential  |r_T| <= mu r_N,   r_T opposite to the rate of u_T where it slips
 *
 * K symmetric, positive definite or semidefinite. (A. Klarbring 1990; P. Ballard 1999. Their U_N <= 0 and R_N <= 0 are
 * -u_N and -r_N here.) The problem is not about velocities but about increments: with U the state before,
 *   K U+ = F+ + H r+,  Signorini on the total gap, friction on the increment of u_T
 * which is a contact problem in local form once U is eliminated (W = H' K^-1 H). In the plane everything between two
 * changes of mode is affine in the load, which the event-driven method follows exactly, with all solutions of the rate
 * problem at every change: there may be none (the state must jump) or several. */
#ifndef THUD_QUASISTATIC_H
#define THUD_QUASISTATIC_H

#include "thud/sim.h"
#include "thud/solve.h"
#include "thud/motion.h"

#ifdef __cplusplus
extern "C" {
#endif

/* ---- the structure ------------------------------------------------------------------------------------------------ */

/* Arrays are borrowed as long as what is made from the problem lives. */
typedef struct thud_quasistatic_problem {
  thud_index unknowns;             /* n */
  thud_index contacts;             /* c >= 0; 0: linear statics, by increments or static */
  thud_index dimension;            /* components per contact: 1 (no friction), 2 (plane), 3 (space) */
  thud_matrix K;                   /* n x n, dense or sparse, symmetric; force per displacement */
  thud_sparse H;                   /* n x dimension*c: columns normal, tangents of contact 0, then of contact 1, ... */
  const double *gap;               /* [c] at U = 0 */
  const double *mu;                /* [c] >= 0; NULL in dimension 1 */
  const thud_regulated *load;      /* F(t), n components */
  const thud_regulated *threshold; /* bounds of |r_T| for the method `threshold`, c components; NULL otherwise */
  const double
      *initial; /* [n] U at the start, an equilibrium with friction; NULL: see thud_quasistatic_motion_create */
  const char *const *unknown_names; /* [n] for messages; NULL: numbers from 1 */
  const char *const *contact_names; /* [c] likewise */
} thud_quasistatic_problem;

typedef enum thud_quasistatic_method {
  THUD_QUASISTATIC_INCREMENTS = 0, /* implicit increments with Coulomb friction (catching-up) */
  THUD_QUASISTATIC_EVENTS = 1,     /* from change to change of the modes, exact for loads that are linear between the
                                       nodes; one or two components per contact */
  THUD_QUASISTATIC_STATIC = 2,     /* at every node the static problem from the initial state: no history */
  THUD_QUASISTATIC_THRESHOLD = 3,  /* increments with given bounds of |r_T| (Tresca) */
  THUD_QUASISTATIC_FIXED_POINT = 4 /* increments by the fixed point of bound -> mu r_N of the problem before */
} thud_quasistatic_method;

/* Treatment of states from which no continuous motion goes on (no solution of the rate problem). */
typedef enum thud_quasistatic_jump {
  THUD_JUMP_STOP = 0,        /* the run ends there and lists the equilibria at this load */
  THUD_JUMP_DISSIPATIVE = 1, /* to the equilibrium with the largest net release of energy */
  THUD_JUMP_BRANCHES = 2     /* every equilibrium is an outcome of a fork; without forks as `dissipative` */
} thud_quasistatic_jump;

typedef struct thud_quasistatic_options {
  size_t size;
  double tolerance;       /* of the contact problems, and of what counts as touching and as the limit of sticking,
                            relative to the displacements and forces met so far */
  int max_iterations;     /* of a contact problem; of the fixed point */
  int on_jump;            /* thud_quasistatic_jump */
  int enumerate_up_to;    /* largest number of contacts whose mode combinations are all looked at */
  double jump_factor;     /* increments: a step that moves further than this many times what its load explains is halved
                            to find out whether it is a jump */
  double error_tolerance; /* increments: steps are divided until the estimate of their error is below this part of the
                               largest displacement; 0: they are not */
  double coarse_above;    /* of increments whose error is estimated above this part of the largest displacement the
                               verdict is coarse; 0: nothing is estimated, unless error_tolerance asks for it */
} thud_quasistatic_options;

/* The table of the keys (static), and every option at its default with the size field. */
THUD_API const thud_option_table *thud_quasistatic_option_table(void);
THUD_OPTIONS_DEFAULT(thud_quasistatic_options, thud_quasistatic_option_table)

/* ---- modes and solutions ------------------------------------------------------------------------------------------ */

typedef enum thud_elastic_mode {
  THUD_ELASTIC_OPEN = 0,
  THUD_ELASTIC_STICK = 1,
  THUD_ELASTIC_SLIP = 2,     /* in the plane: with r_T > 0, u_T decreasing */
  THUD_ELASTIC_SLIP_BACK = 3 /* in the plane: with r_T < 0 */
} thud_elastic_mode;
/* "open", "stick", "slip+", "slip-" */
THUD_API const char *thud_elastic_mode_name(thud_elastic_mode mode);

/* One solution of a rate problem, or one equilibrium. Arrays are borrowed for the duration of a call. */
typedef struct thud_quasistatic_solution {
  const thud_elastic_mode *modes; /* [c] */
  const double *u, *r;            /* [dimension*c] rates, or values */
  bool continuum;                 /* one of infinitely many */
  double energy;                  /* equilibria: U.KU/2 - F.U */
  double friction;                /* equilibria: loss on the way there, sum of mu r_N |change of u_T| */
  double release;                 /* equilibria: energy of the present state - energy - friction */
} thud_quasistatic_solution;
/* Non-zero stops the enumeration. */
typedef int (*thud_quasistatic_solution_fn)(void *user, const thud_quasistatic_solution *solution);

/* How an enumeration ended. */
typedef struct thud_quasistatic_count {
  size_t solutions;
  size_t combinations; /* of modes, that were looked at */
  bool complete;       /* false: cut, `why` says for which reason; a lower bound */
  const char *why;     /* static text, "" when complete */
} thud_quasistatic_count;

/* ---- a run, interval by interval ------------------------------------------------------------------------------------ */

/* Energies since the start. Increments: stored = work - friction - quadratic + normal exactly (up to `defect`), where
 *   work      sum of F+.dU            friction  sum of mu r_N+ |du_T|
 *   quadratic sum of dU.K dU / 2      normal    sum of r_N+ dgap (contacts that close within a step)
 * quadratic and normal vanish with the step unless there are jumps. Events: mean values of F and r_N instead of their
 * last ones, quadratic from jumps only. */
typedef struct thud_quasistatic_ledger {
  double stored;    /* U.KU/2 - its value at the start */
  double work;      /* of the loads */
  double friction;  /* lost in friction */
  double quadratic; /* lost in jumps, and by the steps */
  double normal;    /* of normal reactions */
  double defect;    /* of the balance: rounding */
} thud_quasistatic_ledger;

typedef enum thud_quasistatic_event_kind {
  THUD_QUASISTATIC_CLOSE = 0,
  THUD_QUASISTATIC_OPEN = 1,
  THUD_QUASISTATIC_STICK = 2,
  THUD_QUASISTATIC_SLIP = 3,
  THUD_QUASISTATIC_JUMP = 4, /* of the state, at a load that does not jump */
  THUD_QUASISTATIC_LOAD = 5, /* a jump of the load, with the jump of the state that it causes */
  THUD_QUASISTATIC_FORK = 6  /* several rate solutions */
} thud_quasistatic_event_kind;
enum { THUD_QUASISTATIC_EVENT_KINDS = 7 };
/* "close", "open", "stick", "slip", "jump", "load jump", "fork" */
THUD_API const char *thud_quasistatic_event_name(thud_quasistatic_event_kind kind);

/* Arrays are borrowed for the duration of the call. */
typedef struct thud_quasistatic_frame {
  double t;
  thud_side side;                 /* LEFT and RIGHT at jumps, otherwise VALUE */
  bool refined;                   /* increments: within an interval that was divided on the way to a jump */
  const double *U;                /* [n] */
  const double *F;                /* [n] load */
  const double *u, *r;            /* [dimension*c] */
  const double *gap;              /* [c] */
  const thud_elastic_mode *modes; /* [c] on the interval that ends here; at jumps those of the new state */
  double residual;                /* of the contact problem, relative */
  thud_quasistatic_ledger ledger;
} thud_quasistatic_frame;

typedef struct thud_quasistatic_event {
  double t;
  thud_quasistatic_event_kind kind;
  size_t contact_count;
  const thud_index *contacts; /* [contact_count] */
  double release, friction;   /* jumps: net release of energy and loss in friction, else NaN */
  double solutions;           /* forks and jumps: rate solutions and equilibria that were found, else NaN */
} thud_quasistatic_event;

typedef struct thud_quasistatic_motion_info {
  thud_motion_status status;     /* when it failed, thud_context_last_message() has the detail */
  double time;                   /* reached */
  size_t steps;                  /* intervals of positive length done */
  size_t solves;                 /* contact problems */
  size_t changes;                /* of mode */
  size_t jumps;                  /* of the state: where there was no rate solution, and at jumps of the load */
  size_t load_jumps;             /* among them */
  size_t forks;                  /* nodes with several rate solutions at which the mode before did not go on */
  size_t ambiguous;              /* nodes with several rate or static solutions in all */
  double first_fork, first_jump; /* times, NaN: none */
  size_t most_solutions;         /* of one rate or static problem */
  bool examined;                 /* all rate solutions were looked for wherever they may not be unique */
  bool held_by_contacts;         /* K is semidefinite */
  bool proved;                   /* one rate solution for every state and load; false: not, or nobody asked */
  double worst_residual, worst_residual_time;
  int most_iterations;      /* FIXED_POINT: of one increment */
  double worst_contraction; /* FIXED_POINT: largest ratio of successive changes, NaN: never two of them */
  size_t unexamined_modes; /* EVENTS: rate problems with more contacts that have a choice than enumerate_up_to, of which
                                 one solution was found and uniqueness is not proved */
  double unexamined_modes_time;           /* first one, NaN: none */
  double linear_seconds, contact_seconds; /* of increments since create or restore: solves with K, contact problems */
  double error_estimate; /* increments: of U in the maximum norm, the sum over the steps that change modes of twice the
                              difference between one increment and parts of it; NaN: not made */
  double largest_motion; /* largest |U - U at the start| of a node, maximum norm */
  THUD_RESERVED(2);
} thud_quasistatic_motion_info;

/* A motion (thud/motion.h); it hands out thud_quasistatic_frame and thud_quasistatic_event, in the first step the start,
 * in each further one those of an interval of the partition. create checks the problem, factorises K once and takes the
 * initial state: `initial`, which must be an equilibrium within the friction cones (THUD_ERROR_ARGUMENT names what it
 * violates), or with NULL the solution of the increment from U = 0 under F(start). THUD_ERROR_NOT_SPD names the pivot of
 * an indefinite K or the unknown that nothing holds. options may be NULL. */
THUD_API thud_error thud_quasistatic_motion_create(thud_context *context, thud_quasistatic_method method,
                                                   const thud_quasistatic_problem *problem,
                                                   const thud_partition *partition,
                                                   const thud_quasistatic_options *options, thud_motion **motion);
/* The present state, borrowed until the next step, and the figures so far. Zeros for motions of other families. */
THUD_API thud_quasistatic_frame thud_quasistatic_motion_present(const thud_motion *motion);
THUD_API thud_quasistatic_motion_info thud_quasistatic_motion_get_info(const thud_motion *motion);

/* Forks: stop at them (status FORKED) or take the first outcome, and offer at most so many outcomes of each (0: leave the
 * number as it is, at first all that are found); how many outcomes there are, what the k-th is, and the choice, after which
 * steps go on. Outcomes are rate solutions, or equilibria to jump to (those have an energy). */
THUD_API thud_error thud_quasistatic_motion_follow_forks(thud_motion *motion, bool follow, size_t max_outcomes);
THUD_API size_t thud_quasistatic_motion_outcome_count(const thud_motion *motion);
THUD_API thud_error thud_quasistatic_motion_outcome(const thud_motion *motion, size_t k,
                                                    thud_quasistatic_solution *outcome);
THUD_API thud_error thud_quasistatic_motion_choose(thud_motion *motion, size_t k);

/* ---- what a state leaves open --------------------------------------------------------------------------------------- */

/* All solutions of the rate problem of the present state under the rate F'[n] of the load: every mode combination in one
 * or two components per contact up to options.enumerate_up_to contacts that have a choice; for one contact in space
 * that is loaded the closed rule. THUD_ERROR_UNSUPPORTED for others. found and count may be NULL. */
THUD_API thud_error thud_quasistatic_motion_rates(thud_motion *motion, const double *rate,
                                                  thud_quasistatic_solution_fn found, void *user,
                                                  thud_quasistatic_count *count);
/* All equilibria under the load F[n] with friction on the way from the present state (which is among them when it is
 * one): as above; for one contact in space all roots of the slip equation. */
THUD_API thud_error thud_quasistatic_motion_equilibria(thud_motion *motion, const double *F,
                                                       thud_quasistatic_solution_fn found, void *user,
                                                       thud_quasistatic_count *count);
/* The stiffness in contact coordinates, K_c[m*m] with m = dimension*c, borrowed: K_c u = f + r after the other unknowns
 * are eliminated. NULL when the rows of H' are dependent. */
THUD_API const double *thud_quasistatic_motion_stiffness(const thud_motion *motion);

#ifdef __cplusplus
}
#endif
#endif
