/* The polyhedron projector's inside: shared by its set-up and polish (polyhedron_projector.c) and by the dual active
 * set iteration (dual_active_set.c).
 *
 * Coordinates. With M = LL', put w = L'(y - x) and unit rows n_i = L^-1 a_i / |L^-1 a_i|: the problem becomes the
 * point of least Euclidean norm of { n_i.w <= s_i }. Unit rows make every decision independent of how the caller
 * scaled a row; lengths are distances in the metric. */
#ifndef THUD_SRC_PIVOT_PROJECTOR_H
#define THUD_SRC_PIVOT_PROJECTOR_H

#include "pivot/active_factor.h"
#include "thud/pivot.h"

/* Rounding of a_i.y - b_i is taken as this multiple of sum |a_ij y_j| + |b_i|: 16 units in the last place. */
#define THUD_PIVOT_ROUNDING 3.6e-15

typedef enum thud_row_place {
  THUD_ROW_FREE = 0,
  THUD_ROW_ACTIVE = 1,
  THUD_ROW_VOID = 2 /* zero gradient: says nothing about y */
} thud_row_place;

struct thud_polyhedron_projector {
  thud_context *context;
  thud_index n, m_max;
  thud_active_factor factor; /* of the active rows n_i times active_sign, in the order of `active` */

  /* The problem of the present call. */
  const thud_metric *metric;
  thud_index m, equalities;
  const double *A, *b; /* row-major m x n; [m] */
  double tolerance;
  double *x;       /* [n] copy, so that y may alias x */
  double *rows;    /* [m_max*n] row-major: n_i */
  double *norm;    /* [m_max] |a_i| in the dual metric; 0 for a zero row */
  double *allowed; /* [m_max] violation that counts as feasible: tolerance * max(1, |b_i|/|a_i|, |x|) */
  double length;   /* max(|x|_M, max |b_i|/|a_i|): the size of the data */

  /* The iterate: w is the minimum over the active constraints, -w = sum_k u_k active_sign_k n_active[k], and u >= 0 on
   * inequalities. */
  double *w;             /* [n] */
  double *y;             /* [n] x + L^-T w, only up to date at base_w */
  thud_index *active;    /* [factor.capacity] row numbers */
  double *active_sign;   /* [factor.capacity] +1; -1 for an equality approached from below */
  double *u;             /* [factor.capacity] multipliers of the unit rows */
  unsigned char *place;  /* [m_max] thud_row_place */
  unsigned char *passed; /* [m_max] how often the row was passed over as not worth or not able to be added */

  /* Violations n_i.w - s_i = base_violation_i + n_i.(w - base_w): the base is evaluated with the caller's own numbers
   * at y, so that the rounding of L^-1 a_i only touches the distance moved since. */
  double *base_w, *base_violation, *floor, *violation; /* [n], [m_max] each; floor: rounding of base_violation */

  struct {
    thud_index count;
    thud_index *active; /* [factor.capacity] */
    double *sign, *u;   /* [factor.capacity] */
    double *w;          /* [n] */
  } saved;              /* the iterate at the start of the present round */

  double *z, *direction, *difference; /* [n] work */
  double *c, *r;                      /* [factor.capacity] work */
  double *multipliers;                /* [m_max] result in the caller's units */
  double *zeros;                      /* [m_max] the right hand side of cones */
  thud_index iterations, iteration_limit;
  thud_index small_steps; /* steps taken for violations already below what is allowed */
};

/* Runs the dual method until no violation exceeds rounding (SOLVED), an infeasibility is proved (INFEASIBLE, the
 * certificate is in multipliers), or the iteration limit (LIMIT). Starts from the present iterate. */
thud_pivot_status thud_dual_active_set_run(thud_polyhedron_projector *p);
/* Takes active constraint k out of the factor and the lists. */
void thud_dual_active_set_drop(thud_polyhedron_projector *p, thud_index k);
/* Makes w the least norm point of the active constraints' planes (on which w must lie) and u its multipliers; active
 * inequalities with negative multipliers are dropped, the most negative first. */
void thud_dual_active_set_restore(thud_polyhedron_projector *p);

#endif
