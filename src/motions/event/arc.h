/* Arcs: the motion between two events as a polynomial in s = t - t0, order by order.
 *
 *   M a = F + sum_i A_i' r_i,    u_i' = A_i a + gamma_i         (model/jets.h)
 *
 * over rows i: the constraints 0..m-1, then the slip components m..m+s-1. Coefficient k of both lines, with everything
 * of lower order known:
 *
 *   M_0 a_k = F_k - sum_{j=1..k} M_j a_{k-j} + sum_{j=1..k} sum_i A_i,j' r_i,k-j + sum_i A_i,0' r_i,k
 *   u'_i,k  = A_i,0 a_k + gamma_i,k + sum_{j=1..k} A_i,j a_{k-j}
 *           = b_i + sum_l G_il r_l,k,   G = A_0 M_0^-1 A_0'
 *
 * so that each order is one small linear (or complementarity) problem with the same matrix G, the Delassus operator. */
#ifndef THUD_SRC_MOTIONS_EVENT_ARC_H
#define THUD_SRC_MOTIONS_EVENT_ARC_H

#include "base/base.h"
#include "convex/outline.h"
#include "model/jets.h"

typedef struct sim_arc sim_arc;

/* Coordinates that are coupled with others count as moving, and as loaded, by this part of those at least, as masses
 * compare them: their forces come from them. The foot of a wave falls faster than any power of the distance, and beside
 * its own size nothing is small. */
#define ARC_LENT 1e-3

/* Slips of arcs that are no series have ended when the rounding of velocities leaves their directions open by this angle. The
 * size of the force is then known to its square. */
#define ARC_HIDDEN_ANGLE 1e-4

/* A friction law that slides: r_T = -tau d, with the threshold tau = mu |r_N|, or a force. */
typedef struct arc_slide {
  size_t law;
  thud_index constraint;         /* -1: by itself */
  double radius;                 /* of its set: threshold radius mu |r_N| */
  double sign;                   /* of its reaction: |r_N| = sign r_N */
  size_t first, directions;      /* slip components */
  double along[THUD_MOST_SLIPS]; /* d at the start; with several components it turns with the slip, unless it is */
  bool fixed;
  const thud_outline *outline; /* -d is the point with the normal -u_T on this piece of it; NULL: d = u_T/|u_T| */
  int piece;
} arc_slide;

/* With `pair` a row and the next one, with these factors, hold together: the slip along an edge. Otherwise 1, 0. */
typedef struct arc_mix {
  double factor[2];
  bool pair;
} arc_mix;

/* What acts on an arc. */
typedef struct arc_modes {
  size_t held_count, slide_count;
  thud_index *held; /* [rows] rows with u' = 0 */
  arc_mix *mix;     /* [rows] what is held of a row and the next one */
  arc_slide *slide; /* [s] */
} arc_modes;

/* Sums are 0 up to so many units in the last place of their terms. */
enum { ARC_ROUNDING = 64 };

/* Independent rows with u' = 0. */
typedef struct arc_held {
  size_t count;
  const thud_index *rows; /* [count] */
  const double *factor;   /* [count^2] of C M^-1 C' of them, LL', column-major */
  double *error;          /* [count] room */
} arc_held;

/* Where the coefficients come from. */
typedef struct arc_backend {
  /* Coefficient k of the outputs (and of the switches) along the motion, whose q and v are known to order k. */
  thud_error (*expand)(sim_arc *arc, int k);
  /* The outputs at one state. */
  thud_error (*evaluate)(sim_arc *arc, double t, const double *q, const double *v, double *outputs);
  /* A step within which the polynomials hold to their tolerance, at most `longest`. */
  double (*step)(const sim_arc *arc, double longest);
  /* NULL: the orders themselves are the arc, and all of them are computed. Otherwise orders up to `decide` are, as far
   * as they decide something, and then the polynomials on a step of at most `longest` with the rows in `modes`. anew: the
   * arc begins with an event. */
  thud_error (*follow)(sim_arc *arc, double longest, bool anew);
  /* With follow: a bound of the error, on [0, h], of the polynomial number `series` (outputs, then reactions) of which
   * `known` coefficients are exact, divided by s^skip. */
  double (*error)(const sim_arc *arc, size_t series, int known, int skip, double h);
  /* With follow: what the rounding of q and v makes of force c. */
  double (*rounding)(const sim_arc *arc, size_t c);
  /* The series of q ends at k + 1 and that of the reactions below k: the order above which the coefficients of all
   * outputs and of both sides of the equations are 0 for certain; large: none is known. May be NULL. */
  int (*end)(const sim_arc *arc, int k);
  void (*destroy)(sim_arc *arc); /* may be NULL */
} arc_backend;

/* Gaps of class C^1 only, y - |x|^1.6 where x = 0, have gradients but no series: whoever holds such a contact must not rely
 * on them. */
typedef enum arc_singularity { ARC_NO_GRADIENT = 1, ARC_NO_CURVATURE = 2, ARC_NO_GAP = 4 } arc_singularity;

struct sim_arc {
  thud_context *context;
  const thud_system *system;
  const arc_backend *backend;
  model_jets jets;
  thud_expr_work *work;            /* expressions */
  int *degrees;                    /* [slots + values of the program] expressions: structural degrees, room for them */
  double *reach;                   /* [(p+3)*n] expressions: motion of the groups, room for it */
  struct arc_functions *functions; /* functions in C */
  size_t n, m, s, rows, switches;  /* rows = m + s */
  int order;                       /* p: highest coefficient of the accelerations */
  int decide;                      /* highest order that decides which contacts last */
  int top;                         /* highest order of the present series within the range of numbers; above it 0 */
  bool finite;                     /* the series ends at `top`: the motion and all outputs are polynomials */
  int wait;                        /* order from which on it may be found to end */
  double t0;
  size_t number_count;
  double *numbers;         /* owns the arrays: */
  double *variables;       /* [1+2n] */
  double *jet;             /* [(p+1)*count] outputs of the program, order after order */
  double *switch_jet;      /* [(p+1)*switches] */
  double *q;               /* [(p+3)*n] */
  double *v;               /* [(p+2)*n] */
  double *a;               /* [(p+1)*n] */
  double *reaction;        /* [(p+1)*rows] */
  double *factor;          /* [n*n] M_0 = LL', row-major lower */
  double *response;        /* [rows*n] M_0^-1 A_i,0' */
  double *delassus;        /* [rows*rows] G */
  double *own;             /* [rows] length of the gradient in the kinetic metric: sqrt(A_i,0 M_0^-1 A_i,0') */
  double *free;            /* [n] a_k without the reactions of order k */
  double *load;            /* [n] the forces of order k that `free` comes from */
  double *correction;      /* [n] of a_k, by refinement */
  double *low;             /* [rows] what refinement adds to the reactions, below their last place */
  double *drift;           /* [rows] b */
  double *size;            /* [rows] sum of the sizes of the terms of b: what its rounding errors are relative to */
  unsigned char *singular; /* [m] of gaps: arc_singularity, what is not finite along the arc and was taken as 0 */
  bool *varies;            /* [(p+1)*rows] the row's gradient has a coefficient of this order that is not 0 */
  double *noise;           /* [(decide+1)*rows] further errors of b at each order, by differences */
  double *extra;           /* [extra_count] of the backend, part of checkpoints */
  size_t extra_count;
  arc_modes modes;   /* set by the user of a backend with `follow` */
  bool *slide;       /* [s] slides: the step looks at its slip velocity, too. Set by the user */
  thud_index *owner; /* [s] constraint of the component, -1: none */
  thud_index *law;   /* [s] number of the law among those of the user, at first of the system */
  int32_t *group;    /* [n] first of the coordinates that depend on each other through masses, forces or rows, as far as
                     expressions show it; functions in C may couple all: 0 */
  bool constant_mass;
};

/* order >= 2; the expressions' jets are made for it. THUD_ERROR_UNSUPPORTED: the system has none. */
thud_error thud_arc_create(thud_context *context, const thud_system *system, int order, sim_arc **arc);
/* The same from the functions of a system, which may be given in C (arc_functions.h), by a Runge-Kutta method or by
 * CVODE. tolerance: of the local errors, relative; longest: step (s). */
thud_error thud_arc_create_functions(thud_context *context, const thud_system *system, bool cvode, double tolerance,
                                     double longest, sim_arc **arc);
/* For backends: the arc with all arrays of a seed, in which context, system, backend, jets, order, decide, switches,
 * extra_count and what the backend keeps are set; that is taken over, on failure it is destroyed. */
thud_error thud_arc_make(const sim_arc *seed, sim_arc **arc);
void thud_arc_destroy(sim_arc *arc);
/* Switches that can turn next, which alone have series: number of the k-th. Of many breaks of data these are few. */
size_t thud_arc_watched_count(const sim_arc *arc);
size_t thud_arc_watched(const sim_arc *arc, size_t k);
/* Starts a series at (t, q, v): order 0 of the jets (switches as they are held), factor of M, response, G. */
thud_error thud_arc_begin(sim_arc *arc, double t, const double *q, const double *v);
/* free, drift and size of order k; orders below are finished. */
thud_error thud_arc_open_order(sim_arc *arc, int k);
/* a_k from the reactions of order k. */
void thud_arc_accelerate(sim_arc *arc, int k);
/* Corrects a_k and the reactions of the held rows until each equation of order k holds to the rounding of its own terms. */
void thud_arc_refine(sim_arc *arc, int k, const arc_held *held);
/* v_{k+1}, q_{k+2} from a_k. Near a singularity (slip that stops while it turns) coefficient
 * k grows like 1/rho^k with the time rho to it: the series ends at the order that reaches the range of numbers. */
void thud_arc_close_order(sim_arc *arc, int k);
/* u'_k of a row, from a_k; *size (may be NULL): the sum of the sizes of its terms. */
double thud_arc_row_rate(const sim_arc *arc, size_t row, int k, double *size);
/* The series ends at order k: what is above is not known and left out. */
void thud_arc_cut(sim_arc *arc, int k);
/* Gradient of a row in the outputs of the program: the constraints', then the slip components'. */
static inline size_t thud_arc_row(const sim_arc *arc, size_t row) {
  return row < arc->m ? arc->jets.layout.gradient + row * arc->n : arc->jets.layout.slip + (row - arc->m) * arc->n;
}
/* gamma of a row. */
static inline size_t thud_arc_convective(const sim_arc *arc, size_t row) {
  return row < arc->m ? arc->jets.layout.convective + row : arc->jets.layout.slip_convective + (row - arc->m);
}
/* Whether order k is to be computed although nothing waits for a decision. */
static inline bool thud_arc_is_series(const sim_arc *arc) { return arc->backend->follow == NULL; }
static inline double thud_arc_step(const sim_arc *arc, double longest) { return arc->backend->step(arc, longest); }
/* q and v at s. */
void thud_arc_state(const sim_arc *arc, double s, double *q, double *v);
/* Length of x - y in the kinetic metric of the start: |L'(x - y)|. y = NULL: 0. */
double thud_arc_distance(const sim_arc *arc, const double *x, const double *y);
/* Coefficients 0..p of output number `output` of the program. */
void thud_arc_output(const sim_arc *arc, size_t output, double *coefficients);

static inline const double *thud_arc_jet(const sim_arc *arc, int k) {
  return arc->jet + (size_t)k * arc->jets.layout.count;
}

#endif
