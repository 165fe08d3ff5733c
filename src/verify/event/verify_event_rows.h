/* An event-driven record in memory, as its two tables and as rows: one row is what happened at t and the arc that
 * follows, as polynomials. A frame with several events makes as many rows, of which the last one has the arc. */
#ifndef THUD_SRC_VERIFY_EVENT_VERIFY_EVENT_ROWS_H
#define THUD_SRC_VERIFY_EVENT_VERIFY_EVENT_ROWS_H

#include "verify/verify_events.h"
#include "verify/system/verify_system_frames.h"
#include "verify/system/verify_system_percussion.h"

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

typedef struct verify_event_checks {
  thud_verify_check structure, initial, continuity, motion, gap, law, friction, modes, impacts, zeno, energy, residual,
      events, summary, proof;
} verify_event_checks;

typedef struct verify_proof verify_proof; /* event_proof.h */

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
  double *load, *extra;                    /* [n], [laws] of the percussion at hand (verify/loads.h) */
  double *passage;                         /* [(m+1)(n+m) + n + m n + m] room of event_passage.c */
  double *root;                            /* [m] largest sqrt(a M^-1 a') on the arc */
  verify_values at;
  verify_problems problems;        /* of a system without formulas: of its impacts */
  size_t cursor_row, cursor_event; /* where the event of a row was looked for last */
  verify_proof *proof;             /* NULL: of a system without formulas */
  verify_event_checks checks;
  size_t asked, arcs; /* arcs whose laws were asked, of all */
} verify_event_rows;

/* event_passage.c: the record says that the reaction of equation i is no polynomial on arc k. */
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

/* event_tables.c: reads the channels; what is missing or misnamed fails `structure`. */
thud_error thud_verify_event_tables_read(verify_event_rows *f, thud_record_reader *reader);
void thud_verify_event_tables_free(verify_event_rows *f);
/* event_read.c: the tables and the rows; *usable is false when `structure` has failed. */
thud_error thud_verify_event_read(verify_event_rows *f, thud_record_reader *reader, bool *usable);
void thud_verify_event_free(verify_event_rows *f);
/* event_structure.c */
void thud_verify_event_structure(verify_event_rows *f, bool good);
/* event_joins.c: sizes of everything; state of row k at s after t: f->state; continuity and the initial state. */
void thud_verify_event_sizes(verify_event_rows *f);
void thud_verify_event_state(const verify_event_rows *f, size_t k, double s, double *q, double *v, double *a);
thud_error thud_verify_event_joins(verify_event_rows *f);
/* functions_event.c: for systems without formulas. The numbers of the impact of row k, and who took part in it (f->at,
 * f->acting); the mass at row k, NULL when the record does not hold it; reactions on the arc of row k; what is left. */
bool thud_verify_event_take(verify_event_rows *f, size_t k);
const double *thud_verify_event_mass(verify_event_rows *f, size_t k);
void thud_verify_event_reactions(verify_event_rows *f, size_t k);
void thud_verify_event_leave_out(verify_event_rows *f);
/* event_stops.c: what a stop of slip at row k takes from the velocity, taken [n], and whether that is small enough. */
thud_error thud_verify_event_stop(verify_event_rows *f, size_t k, double *taken);
/* event_arcs.c: state and reactions (f->state, f->r, f->at) at s after the beginning of arc k; false: the system cannot
 * be evaluated there. */
bool thud_verify_event_place(verify_event_rows *f, size_t k, double s);
/* Equations of motion, constraints, reactions, friction on the arc of row k, and what it does. */
thud_error thud_verify_event_arc(verify_event_rows *f, size_t k, verify_event_books *books);
/* event_forks.c: f->outcome from the warnings of the record; text: what to say of them, "" of none. */
thud_error thud_verify_event_forks(verify_event_rows *f, thud_record_reader *reader, char *text, size_t room);
/* event_impacts.c: the jump of row k, with its percussions; the accumulation that ends there. */
thud_error thud_verify_event_impact(verify_event_rows *f, size_t k);
/* Every percussion of the scene until the last row has its event, and there are no others. */
void thud_verify_event_percussions(verify_event_rows *f);
/* f->load and f->extra of row k; f->at holds its state. */
void thud_verify_event_load(verify_event_rows *f, size_t k);
thud_error thud_verify_event_zeno(verify_event_rows *f, size_t k);
/* event_surface.c: a velocity that jumps at a switch, into `continuity`; known is false where row k lies on no surface of
 * a switch. */
thud_error thud_verify_event_surface(verify_event_rows *f, size_t k, bool *known);
/* Whether a slip stops or turns round, under friction, on the way through a surface; f->at holds the state of row k. */
bool thud_verify_event_bends(verify_event_rows *f, size_t k);
/* f->at on the side of the surfaces on which the motion goes on, and the work of the data there; false as above. */
bool thud_verify_event_side(verify_event_rows *f, size_t k, double *work);
/* event_modes.c: the event of row k is what it is called. */
void thud_verify_event_modes(verify_event_rows *f, size_t k);
/* event_ledger.c: the ledger of row k; books: of the arc before. */
void thud_verify_event_ledger(verify_event_rows *f, size_t k, const verify_event_books *books);
/* event_notes.c: the events and their frames say the same. */
thud_error thud_verify_event_notes(verify_event_rows *f, thud_record_reader *reader);
/* event_summary.c: f->length, from the end of the first run that the summary of a run that was extended gives. */
thud_error thud_verify_event_length(verify_event_rows *f, thud_record_reader *reader);
thud_error thud_verify_event_summary(verify_event_rows *f, thud_record_reader *reader);

/* Checks a record of a `system` scene that was run event-driven. */
thud_error thud_verify_event_record(thud_context *context, thud_record_reader *reader, verify_system *system,
                                    double tolerance, thud_verify_result *result);

#endif
