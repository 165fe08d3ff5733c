/* Strings and beams inside: the banded problems with kinks that they lead to, and what a line holds. */
#ifndef THUD_SRC_MOTIONS_LINE_ELASTIC_LINE_H
#define THUD_SRC_MOTIONS_LINE_ELASTIC_LINE_H

#include "thud/elastic.h"

/* Strictly convex quadratic problems with one kink per unknown and a banded matrix:
 *   min v.Kv/2 - f.v + sum phi_i(v_i),   phi_i convex with slopes -upper_i left of kink_i and -lower_i right of it
 * that is K v = f + rho with lower <= rho <= upper, rho = lower where v > kink, rho = upper where v < kink.
 *   obstacle v >= kink:  lower = 0, upper = INFINITY       friction:  lower = -b, upper = b
 *   given value v = kink: lower = -INFINITY, upper = INFINITY       free unknown: lower = upper = 0 */

enum { KINK_BELOW = -1, KINK_AT = 0, KINK_ABOVE = 1 };

typedef struct elastic_break {
  double t; /* along the way to the target */
  thud_index i;
} elastic_break;

typedef struct elastic_kinks {
  thud_context *context;
  thud_index n, band;
  double *K;             /* [n*(band+1)] K[i*(band+1)+d] = K_{i,i-d} */
  double *factor;        /* [n*(band+1)] L D L' of the rows that are not at their kinks, in the same places */
  double *rhs, *move;    /* [n] */
  double *at;            /* [n] iterate of the descent */
  signed char *side;     /* [n] in: where to begin, out: where the solution is */
  elastic_break *breaks; /* [n] */
  double rounding;       /* of the unknowns in the last solution */
} elastic_kinks;

typedef struct elastic_bounds {
  const double *f, *kink, *lower, *upper; /* [n] */
} elastic_bounds;

/* K is zero afterwards: the caller fills it. */
thud_error thud_kinks_create(thud_context *context, thud_index n, thud_index band, elastic_kinks *kinks);
void thud_kinks_destroy(elastic_kinks *kinks);
/* y = K x */
void thud_kinks_apply(const elastic_kinks *kinks, const double *x, double *y);

/* A break of the slope of a convex function of a tension (line_problems.c: which nodes slip). */
typedef struct elastic_slip_break {
  double place;
  double more; /* second derivative beyond it less that before it */
} elastic_slip_break;

struct thud_line {
  thud_context *context;
  thud_line_kind kind;
  thud_index n, per_node; /* nodes; transverse freedoms of each */
  double *x;              /* [n] */
  double extension;
  elastic_kinks transverse, longitudinal;  /* stiffness with all nodes, the ends included */
  double *kink, *lower, *upper, *reaction; /* [per_node*n] of the problem being solved */
  double *work;                            /* [per_node*n] */
  thud_index *chain;                       /* [n] nodes of the hull */
  elastic_slip_break *slip;                /* [4*n] two stacks of at most 2 n breaks each */
};

/* The obstacle problem; a beam begins with the nodes that have s_before[n] > 0 (NULL: as the public function). */
thud_error thud_line_obstacle_from(thud_line *line, const thud_line_data *data, const double *s_before, double *v,
                                   double *s, thud_line_info *info);

#endif
