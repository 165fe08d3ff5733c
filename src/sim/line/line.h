/* A motion of particles on a line in progress; shared by sim/line*.c. Arrays of Taylor coefficients hold coefficient k
 * of particle i at [k*n + i]. */
#ifndef THUD_SRC_SIM_LINE_H
#define THUD_SRC_SIM_LINE_H

#include "base/base.h"
#include "linalg/dense.h"
#include "thud/line_motion.h"

enum { LINE_MAX_ORDER = 60 };

/* Where a particle is with respect to the ground. */
typedef struct line_particle {
  bool at_rest;              /* relative velocity 0 at the beginning of the arc */
  int8_t mode;               /* on the arc: 0 stuck, 1 and -1 sliding */
  bool free;                 /* no friction on this arc: the mode has no meaning */
  int slide_order;           /* leading coefficients of u - w that are 0 */
  int low_order, high_order; /* the same of r + g and g - r while stuck */
} line_particle;

/* A decision on its way through the orders. */
typedef struct line_choice {
  bool open;      /* undecided */
  bool low, high; /* bounds that still count */
} line_choice;

typedef struct line_motion {
  thud_context *context;
  const thud_line *line;
  const thud_line_options *options;
  thud_index n;
  bool diagonal; /* M is */
  thud_line_frame_fn frame;
  void *user;
  size_t output_count, next_output;
  const double *outputs;
  /* the state, and the node that is being made */
  double t;
  double *q, *v, *v_left;   /* [n] */
  double *reaction, *bound; /* [n] since the last node */
  bool *involved;           /* [n] */
  int8_t *modes;            /* [n] */
  size_t family;            /* of an accumulation */
  double last_node;         /* its time */
  bool stopped;             /* the caller wants no more */
  size_t next_atom;
  double initial_energy;
  thud_line_info info;
  /* data of a time */
  thud_expr_work *work;
  double *variables; /* [variables of the program] */
  double *values;    /* [3n] N, p, w */
  /* the box problem */
  thud_box_solver *box;
  double *lower, *upper, *rhs, *x, *slack; /* [n] */
  int8_t *side;                            /* [n] */
  double *scratch, *sizes;                 /* [n] */
} line_motion;

/* One arc: Taylor polynomials in s = time - t, valid on [0, length]. */
typedef struct line_arc {
  int order; /* degree of q, u; r and g have one less */
  double length;
  double *q, *u, *r, *g, *p, *w, *vu; /* [(order+2)*n] */
  line_particle *particles;           /* [n] */
  line_choice *choices;               /* [n] */
  double *force;                      /* [n] f_k of the present order */
  thud_index switch_count;
  double *switches;                        /* [(order+2)*switch_count] arguments of the data's switches */
  int8_t *signs;                           /* [switch_count] on this arc */
  int *switch_orders;                      /* [switch_count] leading coefficients that are 0 */
  bool *switch_at_zero;                    /* [switch_count] known to be 0 at the beginning */
  bool *without_friction;                  /* [n] g = 0 on the whole arc */
  double *roots;                           /* [4n + switch_count] */
  double power[3][2 * LINE_MAX_ORDER + 4]; /* of p.u + r.w, -r.(u - w), u'Vu */
} line_arc;

/* ---- line.c: what both methods share ----------------------------------------------------------------------------- */

/* y = A x; size[n] (may be NULL) receives sum_j |A_ij x_j|. */
void line_multiply(thud_index n, const double *A, const double *x, double *y, double *size);
/* Hands a node out; the impulses since the last node start anew. */
thud_error line_hand_out(line_motion *motion, double t, thud_line_event event, bool atom, const double *q,
                         const double *v_left, const double *v);
/* Sets the finding that ends the run; the message has been set. */
void line_find(line_motion *motion, thud_line_status status);
/* values[3n] at time t; a finding when one of them is not finite or N < 0. */
void line_read_values(line_motion *motion, double t);
/* rhs - A x in N_[lower, upper](x) -> x, slack, side. */
thud_error line_solve_box(line_motion *motion, const double *A, bool diagonal);
/* The atom acts on v: reaction, bound and v_left are set, side[n] is 0 for what sticks to the ground, whose velocity is
 * w[n]. */
thud_error line_strike(line_motion *motion, const thud_line_percussion *atom, const double *w);
typedef struct line_energies {
  double work, percussion, friction, viscous, scheme;
} line_energies;
/* Adds to the ledger, of which the energies are those of (q, v), and measures the identity: before is kinetic +
 * potential energy at the beginning of what is added. */
void line_account(line_motion *motion, double before, const line_energies *energies, const double *q, const double *v,
                  thud_line_ledger *ledger);

/* ---- line_arc.c -------------------------------------------------------------------------------------------------- */

thud_error line_arc_create(line_motion *motion, line_arc *arc);
void line_arc_free(line_motion *motion, line_arc *arc);
/* Data to the right of the present time. */
thud_error line_arc_read_data(line_motion *motion, line_arc *arc);
/* Modes and motion from the present state; needs the data. */
thud_error line_arc_decide(line_motion *motion, line_arc *arc);
/* Shortens the arc, `most` long at first, until the series converge. */
void line_arc_measure(const line_motion *motion, line_arc *arc, double most);
/* Polynomial number i of coefficients with `stride` columns, its value and its integral from 0 to s. */
double line_arc_value(int degree, const double *coefficients, thud_index stride, thud_index i, double s);
double line_arc_integral(int degree, const double *coefficients, thud_index stride, thud_index i, double s);

/* ---- the methods ------------------------------------------------------------------------------------------------- */

thud_error line_run_event_driven(line_motion *motion);
thud_error line_run_implicit(line_motion *motion);

#endif
