/* Proofs along recorded arcs: what the polynomials satisfy everywhere between their ends, by interval arithmetic.
 *
 * With q(s), r(s) on [0, h] and v, a the derivatives of q, for every component c of the equations of motion
 *   |M a - F - sum A_i' r_i|_c <= delta scale_c,
 * open gaps are >= -eta and those that last are |g| <= eta. scale_c is the checker's own: the largest sum of the sizes
 * of the terms of component c at the beginnings of arcs up to this one, the forces on the initial state at times of the
 * run, and what rounding alone needs; a component takes a thousandth of those that it is coupled with, and without any
 * force so far of all others. Pieces of an arc are enclosed plainly, then by Taylor's formula about their centre, then
 * halved; a value at the centre of a piece that breaks its bound for certain is a failure. */
#ifndef THUD_SRC_VERIFY_EVENT_VERIFY_EVENT_PROOF_H
#define THUD_SRC_VERIFY_EVENT_VERIFY_EVENT_PROOF_H

#include "verify/event/verify_event_rows.h"
#include "verify/event/verify_proof_path.h"

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
/* The arc of row k; before its samples are judged (event_arcs.c). */
void thud_verify_proof_arc(verify_event_rows *f, size_t k);
/* proof_brackets.c: the bracket of the event of row k, at the end of the arc before it. */
void thud_verify_proof_bracket(verify_event_rows *f, size_t k);
/* event_proof.c: all values of `e` on [from, to] of the arc of row k. */
void thud_verify_proof_enclose(verify_event_rows *f, size_t k, verify_enclosure *e, double from, double to);
/* proof_reactions.c, with the samples of the arc of row k: is r of constraint i >= -eta on the whole arc? */
bool thud_verify_proof_normal(verify_event_rows *f, size_t k, size_t i, double eta);
/* The same of mu r_N - |r_T| of a law that sticks. */
void thud_verify_proof_sticking(verify_event_rows *f, size_t k, size_t l, double eta);
/* What the check says in the end. */
void thud_verify_proof_report(verify_event_rows *f);

/* proof_defect.c: which components the equations couple. */
thud_error thud_verify_proof_couple(verify_event_rows *f);
/* The same: scales, with what the arc of row k begins with. */
void thud_verify_proof_widen(verify_event_rows *f, size_t k);
/* proof_defect.c, proof_gaps.c: one piece. */
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
/* Coefficient k of component c of the defect from series; factors: of the path or of the wide path. *sizes: sum of the
 * sizes of its terms. */
verify_ball thud_verify_proof_series(const verify_event_rows *f, size_t c, int k, const verify_series *factors,
                                     double *sizes);
/* The motion's switches on the branches that the arc of row k has next to its beginning, and free again. */
void thud_verify_proof_hold(verify_event_rows *f, size_t k);
void thud_verify_proof_free(verify_event_rows *f);
/* proof_coefficients.c: the coefficients of the arc of row k. */
void thud_verify_proof_coefficients(verify_event_rows *f, size_t k);
verify_finding thud_verify_proof_gaps(verify_event_rows *f, size_t k, const verify_piece *piece, verify_broken *broken);

#endif
