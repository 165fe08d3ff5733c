/* What the checker understands of a `half_plane` scene, and a motion of one in memory.
 *
 *   u = (2/E') [-(1/pi) int log(|x - y|/R) p dy + (gamma/2) int sgn(x - y) q dy],  gap = u - depth + g0 + tilt (x - c),
 *   v = (2/E') [-(1/pi) int log(|x - y|/R) q dy - (gamma/2) int sgn(x - y) p dy],  slip = v + shift - (what it was).
 * The integrals are made by Gauss' rule on intervals that shrink towards the singularity, the solver has primitives. */
#ifndef THUD_SRC_VERIFY_HALF_PLANE_VERIFY_PUNCH_H
#define THUD_SRC_VERIFY_HALF_PLANE_VERIFY_PUNCH_H

#include "thud/record.h"
#include "verify/verify_scene.h"
#include "verify/verify_record.h"

typedef enum verify_punch_method {
  VERIFY_PUNCH_FRICTIONLESS,
  VERIFY_PUNCH_STATIC,
  VERIFY_PUNCH_INCREMENTAL,
  VERIFY_PUNCH_ROLLING
} verify_punch_method;

enum { VERIFY_PUNCH_DRIVES = 3, VERIFY_PUNCH_LEDGER = 5, VERIFY_PUNCH_FIELDS = 6, VERIFY_PUNCH_INSIDE = 6 };
enum { VERIFY_MODE_BACKWARD, VERIFY_MODE_STUCK, VERIFY_MODE_FORWARD, VERIFY_MODE_APART, VERIFY_PUNCH_MODES };
enum { VERIFY_PUNCH_LIFTED, VERIFY_PUNCH_STICKS, VERIFY_PUNCH_PARTIAL, VERIFY_PUNCH_SLIDES, VERIFY_PUNCH_REGIMES };

typedef struct verify_punch {
  verify_scene scene; /* times, data */
  verify_punch_method method;
  double modulus, coupling, friction, period, pivot, datum;
  bool motion_given[VERIFY_PUNCH_DRIVES]; /* depth, shift, tilt rather than P, Q, moment */
  verify_value drive[VERIFY_PUNCH_DRIVES];
  double roll, linear_error, starts;
  size_t n;
  bool uniform;
  double *edges;           /* [n+1] */
  double *x, *h, *profile; /* [n] middles, widths, gaps before loading */
  size_t inside_count;
  double *inside; /* [2 inside_count] x and depth */
} verify_punch;

/* The scene as the checker reads it; to be freed also after a failure. */
thud_error thud_verify_punch_read(thud_context *context, const thud_tree *tree, verify_punch *punch);
void thud_verify_punch_free(verify_punch *punch);

typedef struct verify_punch_motion {
  thud_context *context;
  const verify_punch *punch;
  size_t count;
  bool complete;                                                  /* every step is there */
  double *t, *load, *motion, *contact, *stick;                    /* [count] x 1, 3, 3, 2, 2 */
  double *ledger, *creep;                                         /* [count x 5], [count]; NULL: none */
  double *pressure, *traction, *gap, *displacement, *slip, *mode; /* [count x n] */
  double *node;                                                   /* [count] number of the row */
  double *inside[VERIFY_PUNCH_INSIDE]; /* [count x inside_count] sxx, syy, sxy, tau, ux, uy; NULL: none */
  double tolerance;                    /* relative, of laws */
  size_t row_count;                    /* middles at which displacements are computed */
  size_t *rows;                        /* [row_count] */
  double *kernel; /* [row_count x n], or, equal elements, [n] of the distance: int of -(1/pi) log over element j */
} verify_punch_motion;

/* verify_punch_inside.c */
thud_error thud_verify_punch_read_inside(verify_punch *punch, const thud_node *section);
void thud_verify_punch_inside_names(const verify_punch_motion *m, const thud_record_reader *reader,
                                    thud_verify_check *structure);
void thud_verify_punch_look_inside(const verify_punch_motion *m, thud_verify_check *check);

/* verify_punch_read.c */
thud_error thud_verify_punch_prepare(verify_punch_motion *m);
/* u and v at the middle number r of those that were chosen. */
void thud_verify_punch_displace(const verify_punch_motion *m, size_t frame, size_t r, double *u, double *v);
/* The same at any x, integrated anew. */
void thud_verify_punch_displace_at(const verify_punch_motion *m, size_t frame, double x, double *u, double *v);
/* Unit of displacements in a frame: its largest part in the balance of the gap. */
double thud_verify_punch_size(const verify_punch_motion *m, size_t frame);

/* What counts as no force: a part of the loads, and the rounding of displacements in units of forces. */
double thud_verify_punch_no_force(const verify_punch_motion *m, size_t frame);

/* verify_punch_laws.c */
void thud_verify_punch_loads(const verify_punch_motion *m, thud_verify_check *check);
void thud_verify_punch_equilibrium(const verify_punch_motion *m, thud_verify_check *check);
void thud_verify_punch_gaps(const verify_punch_motion *m, thud_verify_check *gap, thud_verify_check *displacement);
void thud_verify_punch_between(const verify_punch_motion *m, thud_verify_check *check);
void thud_verify_punch_slips(const verify_punch_motion *m, thud_verify_check *check);
void thud_verify_punch_law(const verify_punch_motion *m, thud_verify_check *law, thud_verify_check *modes);
int thud_verify_punch_regime(const verify_punch_motion *m, size_t frame);

/* verify_punch_laws.c */
void thud_verify_punch_zones(const verify_punch_motion *m, thud_verify_check *check);
/* p ~ coefficient d^exponent at an end of the contact (side -1, 1), p + iq where it oscillates; NaN: too few elements.
 * False: the contact has no end, or there is no memory. */
typedef struct verify_punch_end {
  double exponent, oscillation, coefficient, error;
} verify_punch_end;
bool thud_verify_punch_law_at_end(const verify_punch_motion *m, size_t k, int side, verify_punch_end *found);

#endif
