/* Event-driven records of `system` scenes: tables, rows, their checks, and proofs along arcs. */
#ifndef THUD_SRC_VERIFY_EVENT_VERIFY_EVENT_H
#define THUD_SRC_VERIFY_EVENT_VERIFY_EVENT_H

#include "verify/math/verify_enclosure.h"
#include "verify/system/verify_system_frames.h"
#include "verify/verify_record.h"

/* An event-driven record in memory, as its two tables and as rows: one row is what happened at t and the arc that
 * follows, as polynomials. A frame with several events makes as many rows, of which the last one has the arc. */

/* Codes of the record (docs/record-format.md). */
enum {
  VERIFY_MODE_OPEN,
  VERIFY_MODE_LASTING,
  VERIFY_MODE_LEAVING,
  VERIFY_MODE_UNDECIDED,
  VERIFY_MODE_STICKING,
  VERIFY_MODE_SLIDING,
  VERIFY_MODES
};
enum {
  VERIFY_EVENT_NONE = -1,
  VERIFY_EVENT_IMPACT,
  VERIFY_EVENT_ZENO,
  VERIFY_EVENT_CLOSE,
  VERIFY_EVENT_OPEN,
  VERIFY_EVENT_GRAZE,
  VERIFY_EVENT_STICK,
  VERIFY_EVENT_SLIP,
  VERIFY_EVENT_SWITCH,
  VERIFY_EVENT_PERCUSSION,
  VERIFY_EVENTS
};
enum {
  VERIFY_ARC_OPEN,
  VERIFY_ARC_PROVED,
  VERIFY_ARC_SAMPLED,
  VERIFY_ARC_ASSUMED,
  VERIFY_ARC_PASSAGE,
  VERIFY_ARC_STATUSES
};
enum {
  VERIFY_ZENO_BEGIN,
  VERIFY_ZENO_DURATION,
  VERIFY_ZENO_RATIO,
  VERIFY_ZENO_IMPACTS,
  VERIFY_ZENO_ERROR,
  VERIFY_ZENO
};

/* The checks of an event-driven record. */
enum {
  EVENT_STRUCTURE,
  EVENT_INITIAL,
  EVENT_CONTINUITY,
  EVENT_MOTION,
  EVENT_GAP,
  EVENT_PROOF,
  EVENT_LAW,
  EVENT_FRICTION,
  EVENT_MODES,
  EVENT_IMPACTS,
  EVENT_ZENO,
  EVENT_ENERGY,
  EVENT_RESIDUAL,
  EVENT_EVENTS,
  EVENT_SUMMARY,
  EVENT_FINISHED,
  EVENT_FUNCTIONS,
  EVENT_CHECKS
};

typedef struct verify_proof verify_proof; /* verify_event.h */

/* What the record holds. */
typedef struct verify_event_tables {
  size_t count;                              /* frames */
  double *t, *t_end, *accumulation;          /* [count] */
  double *v_left, *mode, *mode_left, *order; /* [count x n], [count x m] */
  double *ledger;                            /* [count x VERIFY_LEDGER_WIDTH] */
  double *status, *defect;                   /* [count], [count x n] what the run says of its arcs; NULL: nothing */
  double *t_low, *t_high;                    /* [events.count]; NULL: none */
  verify_ragged q, reaction;                 /* groups of n, of m+s */
  verify_events events;
  double *t_error, *deepest, *cosine, *tangential, *residual; /* [events.count] */
  double *zeno[VERIFY_ZENO];                                  /* [events.count] each */
  double *event_ledger;                                       /* [events.count x VERIFY_LEDGER_WIDTH] */
  verify_ragged changed, modes;                               /* constraints; modes before and after of each */
  verify_ragged total;                                        /* of limits: impulses of the accumulation */
} verify_event_tables;

/* Local errors of arcs that are no power series, relative to the motion: the finest that such methods keep to. */
#define VERIFY_ARC_ERROR 1e-13

typedef struct verify_event_rows {
  thud_context *context;
  verify_system *system;
  verify_event_tables tables;
  size_t n, m, s, count;
  size_t degree, force_degree;
  double *t, *t_end, *event, *t_error, *accumulation, *residual, *cosine, *tangential; /* [count] */
  double *status, *t_low, *t_high; /* [count] of the arc, NaN: not said; bracket of the event, offsets from t */
  double *stated;                  /* [count x n] bounds of the defect that the record states, NaN: none */
  double *q;                       /* [count x (degree+1) n] */
  double *reaction;                /* [count x (force_degree+1)(m+s)] */
  double *v_left;                  /* [count x n] */
  double *impulse, *zeno_impulse;  /* [count x (m+s)] the second NaN where a limit does not give it */
  double *mode, *mode_left, *order, *involved; /* [count x m] */
  double *zeno;                                /* [count x VERIFY_ZENO] */
  double *ledger;                              /* [count x VERIFY_LEDGER_WIDTH] */
  double *outcome;                             /* [count] taken at a fork, from 2 on; 0: that of the law */
  double *frame;                               /* [count] number of the row's frame */
  double tolerance;                            /* relative */
  /* Sizes that the tolerance is relative to; each has a part for rounding errors that forces and the time carry into
   * what should be 0. */
  double *q_size, *v_size;       /* [n] */
  double *arc_error;             /* [n] local errors of velocities, of arcs that are no power series; else 0 */
  double *gap_size, *slip_size;  /* [m], [s] */
  double speed, force;           /* in the kinetic metric: velocities, M^-1 F */
  double energy_size;            /* of the terms of the ledger (J) */
  double initial_energy;         /* of the scene's initial state (J) */
  double length;                 /* of the run as it was begun: sizes of a run that was extended are its */
  bool lost_digits;              /* an impact so far had energies that underflow */
  size_t samples;                /* points of an arc */
  double *memory;                /* owns the rows, the sizes and what follows */
  double *state;                 /* [3 n] q, v, a */
  double *momentum;              /* [n] */
  double *work;                  /* [4 n] */
  double *r;                     /* [m+s] */
  double resolved;               /* length of the force of the reactions that the record does not have */
  double *shifted;               /* [2 s + n] */
  double *acting, *restitution;  /* [m] */
  double *gap_at, *u_at, *r_at;  /* [m x samples] */
  double *defect, *power, *loss; /* [samples] */
  double *coefficients;          /* [samples] */
  double *friction_at, *friction_accuracy; /* [laws x samples], [laws] */
  double *load, *extra;                    /* [n], [laws] of the percussion at hand (verify_system.h) */
  double *passage;                         /* [(m+1)(n+m) + n + m n + m] room of verify_event_arcs.c */
  double *root;                            /* [m] largest sqrt(a M^-1 a') on the arc */
  verify_values at;
  verify_problems problems;        /* of a system without formulas: of its impacts */
  size_t cursor_row, cursor_event; /* where the event of a row was looked for last */
  verify_proof *proof;             /* NULL: of a system without formulas */
  thud_verify_check *checks;       /* [EVENT_CHECKS] */
  size_t asked, arcs;              /* arcs whose laws were asked, of all */
} verify_event_rows;

/* verify_event_arcs.c: the record says that the reaction of equation i is no polynomial on arc k. */
bool thud_verify_event_is_unresolved(const verify_event_rows *f, size_t k, size_t i);
/* These reactions at the state that was placed, into f->r; the length of their force in the kinetic metric. */
double thud_verify_event_resolve(verify_event_rows *f, size_t k);
/* Arcs that are said to lead through a dependence of equations do. */
void thud_verify_event_check_passage(verify_event_rows *f, size_t k);

/* What an arc adds to the ledger, with the sizes of the terms (J). */
typedef struct verify_event_books {
  double work, loss, work_size, loss_size;
} verify_event_books;

static inline const double *verify_event_q(const verify_event_rows *f, size_t k) {
  return f->q + k * (f->degree + 1) * f->n;
}
/* Velocity after the event. */
static inline const double *verify_event_v(const verify_event_rows *f, size_t k) { return verify_event_q(f, k) + f->n; }
static inline int verify_event_mode(const verify_event_rows *f, size_t k, size_t i) {
  return (int)f->mode[k * f->m + i];
}
static inline bool verify_mode_lasts(int mode) {
  return mode == VERIFY_MODE_LASTING || mode == VERIFY_MODE_STICKING || mode == VERIFY_MODE_SLIDING;
}
/* Velocities jump. */
static inline bool verify_event_jumps(const verify_event_rows *f, size_t k) {
  return f->event[k] == VERIFY_EVENT_IMPACT || f->event[k] == VERIFY_EVENT_ZENO ||
         f->event[k] == VERIFY_EVENT_PERCUSSION;
}
/* Impulses of constraints where data jump across a surface. */
static inline bool verify_event_pushes(const verify_event_rows *f, size_t k) {
  for (size_t i = 0; i < f->m + f->s && f->event[k] == VERIFY_EVENT_SWITCH; i++)
    if (f->impulse[k * (f->m + f->s) + i] != 0) return true;
  return false;
}
/* By a velocity problem. */
static inline bool verify_event_is_struck(const verify_event_rows *f, size_t k) {
  return f->event[k] == VERIFY_EVENT_IMPACT || f->event[k] == VERIFY_EVENT_PERCUSSION;
}
static inline bool verify_event_has_arc(const verify_event_rows *f, size_t k) { return f->t_end[k] > f->t[k]; }

static inline bool verify_event_begins_frame(const verify_event_rows *f, size_t k) {
  return k == 0 || f->frame[k - 1] != f->frame[k];
}
static inline bool verify_event_ends_frame(const verify_event_rows *f, size_t k) {
  return k + 1 == f->count || f->frame[k + 1] != f->frame[k];
}

/* verify_event_read.c: the tables and the rows; *usable is false when `structure` has failed. */
thud_error thud_verify_event_read(verify_event_rows *f, thud_record_reader *reader, bool *usable);
void thud_verify_event_free(verify_event_rows *f);
/* verify_event_read.c */
void thud_verify_event_structure(verify_event_rows *f, bool good);
/* verify_event_joins.c: sizes of everything; state of row k at s after t: f->state; continuity and the initial state. */
void thud_verify_event_sizes(verify_event_rows *f);
void thud_verify_event_state(const verify_event_rows *f, size_t k, double s, double *q, double *v, double *a);
thud_error thud_verify_event_joins(verify_event_rows *f);
/* verify_event_impacts.c: for systems without formulas. The numbers of the impact of row k, and who took part in it (f->at,
 * f->acting); the mass at row k, NULL when the record does not hold it; reactions on the arc of row k; what is left. */
bool thud_verify_event_take(verify_event_rows *f, size_t k);
const double *thud_verify_event_mass(verify_event_rows *f, size_t k);
void thud_verify_event_reactions(verify_event_rows *f, size_t k);
void thud_verify_event_leave_out(verify_event_rows *f);
/* verify_event_arcs.c: what a stop of slip at row k takes from the velocity, taken [n], and whether that is small enough. */
thud_error thud_verify_event_stop(verify_event_rows *f, size_t k, double *taken);
/* verify_event_arcs.c: state and reactions (f->state, f->r, f->at) at s after the beginning of arc k; false: the system cannot
 * be evaluated there. */
bool thud_verify_event_place(verify_event_rows *f, size_t k, double s);
/* Equations of motion, constraints, reactions, friction on the arc of row k, and what it does. */
thud_error thud_verify_event_arc(verify_event_rows *f, size_t k, verify_event_books *books);
/* verify_event_impacts.c: f->outcome from the warnings of the record; text: what to say of them, "" of none. */
thud_error thud_verify_event_forks(verify_event_rows *f, thud_record_reader *reader, char *text, size_t room);
/* verify_event_impacts.c: the jump of row k, with its percussions; the accumulation that ends there. */
thud_error thud_verify_event_impact(verify_event_rows *f, size_t k);
/* Every percussion of the scene until the last row has its event, and there are no others. */
void thud_verify_event_percussions(verify_event_rows *f);
/* f->load and f->extra of row k; f->at holds its state. */
void thud_verify_event_load(verify_event_rows *f, size_t k);
thud_error thud_verify_event_zeno(verify_event_rows *f, size_t k);
/* verify_event_surface.c: a velocity that jumps at a switch, into `continuity`; known is false where row k lies on no surface of
 * a switch. */
thud_error thud_verify_event_surface(verify_event_rows *f, size_t k, bool *known);
/* Whether a slip stops or turns round, under friction, on the way through a surface; f->at holds the state of row k. */
bool thud_verify_event_bends(verify_event_rows *f, size_t k);
/* f->at on the side of the surfaces on which the motion goes on, and the work of the data there; false as above. */
bool thud_verify_event_side(verify_event_rows *f, size_t k, double *work);
/* verify_event_joins.c: the ledger of row k; books: of the arc before. */
void thud_verify_event_ledger(verify_event_rows *f, size_t k, const verify_event_books *books);

/* ---- polynomials of an arc about the centre of a piece of it, in x = (s - centre)/half in [-1, 1] ---------------- */

/* sum_k c[k stride] s^k, k = 0..degree */
typedef struct verify_polynomial {
  const double *c;
  size_t stride;
  int degree;
} verify_polynomial;

/* s in [centre - half, centre + half]; the centre is that of the piece but for a rounding of its time. */
typedef struct verify_piece {
  double from, to;
  double centre, half;
  double time, time_error; /* t0 + centre and what it may be wrong by */
} verify_piece;

verify_piece thud_verify_piece(double t0, double from, double to);
/* [0, to] about s = 0, where the coefficients are those of the record, without rounding: then x is in [0, 1]. */
verify_piece thud_verify_piece_from_start(double t0, double to);

/* The polynomial p about the centre; of positions v = p' and a = p'' too. A series has room for degree + 1 numbers. */
void thud_verify_path_shift(const verify_polynomial *p, const verify_piece *piece, verify_series *out);
void thud_verify_path_motion(const verify_polynomial *p, const verify_piece *piece, verify_series *q, verify_series *v,
                             verify_series *a);
void thud_verify_path_time(const verify_piece *piece, verify_series *out);
/* Coefficients 0..order that hold about every point of the piece; from_start: x is in [0, 1]. */
void thud_verify_path_widen(const verify_series *path, int order, bool from_start, verify_series *out);
/* Values on the whole piece, at its centre. */
verify_interval thud_verify_path_range(const verify_series *path, bool from_start);
verify_interval thud_verify_path_centre(const verify_series *path);

/* ---- proofs along recorded arcs ---------------------------------------------------------------------------------- */

/* Proofs along recorded arcs: what the polynomials satisfy everywhere between their ends, by interval arithmetic.
 *
 * With q(s), r(s) on [0, h] and v, a the derivatives of q, for every component c of the equations of motion
 *   |M a - F - sum A_i' r_i|_c <= delta scale_c,
 * open gaps are >= -eta and those that last are |g| <= eta. scale_c is the checker's own: the largest sum of the sizes
 * of the terms of component c at the beginnings of arcs up to this one, the forces on the initial state at times of the
 * run, and what rounding alone needs; a component takes a thousandth of those that it is coupled with, and without any
 * force so far of all others. Pieces of an arc are enclosed plainly, then by Taylor's formula about their centre, then
 * halved; a value at the centre of a piece that breaks its bound for certain is a failure. */

/* Relative defect: ten times what a run proves of its arcs. */
#define VERIFY_DEFECT 1e-11
/* Bounds that a record states are at most this, relative to the scale. */
#define VERIFY_STATED 1e-9
/* Where contacts are closed a run states bounds beside the forces of the arc alone: as far as these are small beside
 * those before, no more than this part of the latter is asked to be confirmed. */
#define VERIFY_COARSE 1e-14
/* Bounds below this part of the terms at the beginning of the arc are more than doubles can carry. */
#define VERIFY_FINEST 1e-13

struct verify_proof {
  thud_context *context;
  verify_enclosure *motion, *gaps; /* the second one NULL without gaps */
  verify_enclosure *friction;      /* NULL: no laws */
  int order, gap_order;            /* of Taylor's formula */
  size_t n, m, rows, slots;        /* rows: m+s reactions */
  verify_interval *variables;      /* [slots] */
  verify_series *path, *wide;      /* [slots + n + rows] about the centre, about every point: variables, a, r */
  double *numbers;                 /* owns: */
  double *scale, *bound;           /* [n]; bound: of the defect of the arc at hand */
  int32_t *coupled;                /* [n] the same number: the equations of motion couple them */
  const double *stated;            /* [n] the record's own bounds of it, which are to be confirmed; NULL: none */
  bool coarse;                     /* VERIFY_COARSE counts */
  double *size;                    /* [n] of the terms at the beginning of the arc at hand */
  double *noise;                   /* [n] rounding of the terms at the centre of the piece at hand */
  verify_interval *range;          /* [m] */
  double *sum;                     /* [n] */
  double *eta;                     /* [m] */
  double *flight;                  /* [m] on the arc of an accumulation: added to eta */
  double *argument;                /* [switches] size of the arguments in the middle of the arc */
  bool from_start;                 /* the piece at hand is about the beginning of the arc */
  bool gaps_hold;                  /* proved of the arc at hand */
  size_t proved;                   /* arcs */
  size_t passages;                 /* arcs through dependences of equations: judged at points */
  size_t unproved;
  double unproved_time, unproved_begin, unproved_end; /* the first: where, and on which arc */
  char unproved_what[64];
  size_t enclosed, at_points;                /* bounds of reactions on arcs: enclosed, and only judged at points */
  double at_points_time;                     /* of the first */
  size_t by_coefficient, not_by_coefficient; /* arcs of series whose coefficients were asked, and were not known */
  double force;                              /* integral of the bounds of the defect over the proved arcs */
};

thud_error thud_verify_proof_create(verify_event_rows *f);
void thud_verify_proof_destroy(verify_proof *proof);
/* What the scales let pass at the state f->at, in the kinetic metric: no defect that is accepted there is longer. */
double thud_verify_proof_accepted(verify_event_rows *f);
/* The arc of row k; before its samples are judged (verify_event_arcs.c). */
void thud_verify_proof_arc(verify_event_rows *f, size_t k);
/* verify_event_proof.c: the bracket of the event of row k, at the end of the arc before it. */
void thud_verify_proof_bracket(verify_event_rows *f, size_t k);
/* verify_event_proof_pieces.c, with the samples of the arc of row k: is r of constraint i >= -eta on the whole arc? */
bool thud_verify_proof_normal(verify_event_rows *f, size_t k, size_t i, double eta);
/* The same of mu r_N - |r_T| of a law that sticks. */
void thud_verify_proof_sticking(verify_event_rows *f, size_t k, size_t l, double eta);
/* What the check says in the end. */
void thud_verify_proof_report(verify_event_rows *f);

/* verify_event_proof_pieces.c: which components the equations couple. */
thud_error thud_verify_proof_couple(verify_event_rows *f);
/* The same: scales, with what the arc of row k begins with. */
void thud_verify_proof_widen(verify_event_rows *f, size_t k);
/* verify_event_proof_pieces.c, verify_event_proof_pieces.c: one piece. */
typedef enum verify_finding { VERIFY_HOLDS, VERIFY_BROKEN, VERIFY_OPEN } verify_finding;
typedef struct verify_broken {
  size_t index; /* component or constraint */
  double value; /* at least this much */
  double t;
} verify_broken;
void thud_verify_proof_place(verify_event_rows *f, size_t k, const verify_piece *piece, bool reactions);
/* The variables on the whole piece, or at its centre. */
void thud_verify_proof_range(verify_proof *proof, bool whole);
verify_finding thud_verify_proof_defect(verify_event_rows *f, size_t k, const verify_piece *piece,
                                        verify_broken *broken);
/* The motion's switches on the branches that the arc of row k has next to its beginning, and free again. */
void thud_verify_proof_hold(verify_event_rows *f, size_t k);
void thud_verify_proof_free(verify_event_rows *f);
/* verify_event_proof_pieces.c: the coefficients of the arc of row k. */
void thud_verify_proof_coefficients(verify_event_rows *f, size_t k);
verify_finding thud_verify_proof_gaps(verify_event_rows *f, size_t k, const verify_piece *piece, verify_broken *broken);

#endif
