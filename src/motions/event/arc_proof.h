/* Proofs along an arc: what its polynomials are known to satisfy between its nodes, by interval arithmetic.
 *
 * The arc is q(s), r(s) on [0, h]; v and a are the derivatives of q. Claims:
 *   defect     |M a - F - sum A_i' r_i|_c <= delta scale_c on the whole of [0, h]: an exact motion under a force d;
 *   positive   a function of (t, q(s), v(s)) that decides what happens (open gap, slip, argument of a switch) is
 *              positive up to its first root, which lies in a bracket in which it is the only one.
 * scale_c is the largest sum of the sizes of the terms of component c met at the starts of arcs so far, a part of that
 * of the components that it is coupled with, or what rounding alone needs. Nothing is assumed about the motion itself: a
 * far and narrow feature is in the expressions, and these are enclosed as they are. The passes are those of
 * expr/bounds.h:
 *
 *   1. plain intervals over [0, h];
 *   2. ball jets of order K = order + 4 at s = 0 and a Cauchy tail from the disc |s| <= R:
 *        |d| <= sum_{k<=K} |d_k| h^k + rad(R) (h/R)^(K+1)/(1 - h/R);
 *   3. h is shortened by what the bound of 2 asks for;
 *   4. plain intervals on pieces from the left: the proved part is the arc.
 *
 * Where the series of the arc ends (free flight) everything along it is a polynomial, whose coefficients are the ball
 * jet at s = 0: no tail, no further pass over the expressions. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_PROOF_H
#define THUD_SRC_MOTIONS_EVENT_ARC_PROOF_H

#include "expr/bounds.h"
#include "motions/event/arc.h"

typedef struct arc_proof {
  thud_context *context;
  const sim_arc *arc;
  expr_bounds *bounds;
  int order;     /* K */
  int last;      /* of the present arc: K, or where its series ends */
  double wanted; /* delta */
  size_t slots;
  bool expanded;            /* the jet of the present arc is there */
  int *degree;              /* [n+rows] of the polynomials of q and of the reactions: -1 for 0 */
  expr_interval *variables; /* [slots] */
  double *numbers;          /* owns: */
  double *middle, *radius;  /* [slots*(K+1)] coefficients of the variables */
  double *disc;             /* [slots] */
  double *scale;            /* [n]; may be replaced by an array of the user's */
  double *coefficient;      /* [n*(K+1)] |d_k| at s = 0 */
  double *unit;             /* [n] of the present arc: its scale, or that of the arc alone */
  double *noise;            /* [n] rounding of the equations at the start, from the widths of their values there */
  double *bound;            /* [n] of |d| on the proved part */
} arc_proof;

/* A function along the arc: a sum of values of the program with factors. */
typedef struct proof_function {
  size_t count;     /* 1 or 2 */
  int32_t value[2]; /* value numbers of the tape */
  double factor[2];
  int skip;    /* it starts with s^skip, by what is known */
  double eta;  /* values of this size are rounding of the state: they count as 0 */
  double hint; /* where its first root may be, 0: not known. It saves work and decides nothing */
} proof_function;

typedef enum proof_finding {
  PROOF_POSITIVE = 0, /* on ]0, end], or not below -eta */
  PROOF_ROOT = 1,     /* the same up to low, negative at high, with one root between */
  PROOF_EDGE = 2,     /* positive up to low, and 0 within rounding at the end */
  PROOF_OPEN = 3      /* between low and high it cannot be told within the work limit */
} proof_finding;

typedef struct proof_result {
  proof_finding finding;
  double low, high;
  double loose; /* from here on not below -eta is all that is known; infinite: it is positive */
} proof_result;

thud_error thud_arc_proof_create(const sim_arc *arc, double wanted, arc_proof **proof);
void thud_arc_proof_destroy(arc_proof *proof);
/* The series of the arc is complete: its polynomials are taken; h is the step that they are made for. forces_decide: contacts last, so that even small forces
 * decide what happens next; the defect then counts beside the terms of this arc alone. */
void thud_arc_proof_begin(arc_proof *proof, double h, bool forces_decide);
/* The longest part [0, h'] of [0, h] on which the defect is proved to be small; 0: none. Where plain intervals prove
 * it on [0, h], h' may be as long as `longest`. `bound` is set. */
double thud_arc_prove_defect(arc_proof *proof, double h, double longest);
/* The sizes of the terms of component c on [0, h], if nothing cancelled; h: of the step of the series, on which its
 * coefficients fall. */
double thud_arc_size_on_step(const arc_proof *proof, size_t c, double h);
/* noise: [n] what rounding makes of the terms at s, for anybody who evaluates the arc there. */
void thud_arc_noise_at(arc_proof *proof, double s, double *noise);
/* The largest bound relative to its scale, and the length of `bound`. */
double thud_arc_proved_defect(const arc_proof *proof, double *force);
/* The first root of a function on [0, end]. */
proof_result thud_arc_prove_positive(arc_proof *proof, const proof_function *function, double end);
/* What f is on [from, to]. */
expr_interval thud_arc_enclose(arc_proof *proof, const proof_function *function, double from, double to);
/* A bound of what a polynomial with the coefficients c[k stride], k = 0..order of the arc, is away from value number
 * `value` of the program on [0, end]. */
double thud_arc_series_error(arc_proof *proof, int32_t value, const double *c, size_t stride, double end);
/* A lower bound of f on [0, end] by its series at 0, in which terms that cancel have cancelled. */
double thud_arc_least_by_series(arc_proof *proof, const proof_function *function, double end);

/* ---- The polynomials of an arc as paths of the proofs ------------------------------------------------------------ */

/* A polynomial sum c[k stride] s^k, k <= degree (-1: it is 0), or one of its derivatives. */
typedef struct proof_path {
  const double *c;
  size_t stride;
  int degree, derivative;
} proof_path;

bool thud_path_is_zero(const proof_path *path);
/* Coefficient k of the derivative, rounded: relative error 2^-52. */
double thud_path_coefficient(const proof_path *path, int k);
/* What it is on [from, to], 0 <= from <= to. */
expr_interval thud_path_enclose(const proof_path *path, double from, double to);
/* sum_{k>=1} |c_k| R^k */
double thud_path_reach(const proof_path *path, double R);

/* The variables on [from, to], and a plain pass with them. */
void thud_proof_plain(arc_proof *proof, double from, double to);
/* The jet at s = 0, if it is not there: slopes take its place. */
void thud_arc_proof_expand(arc_proof *proof);
/* Coefficients 1.. of the variables at s = 0, with the radius of their rounding. */
void thud_proof_load_coefficients(arc_proof *proof);
/* Coefficient 1 of the variables anywhere on [from, to], as balls; and 2, 3 up to `order`. */
void thud_proof_load_slopes(arc_proof *proof, int order, double from, double to);
void thud_proof_load_discs(arc_proof *proof, double R);

#endif
