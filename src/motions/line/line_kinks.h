/* Strictly convex quadratic problems with one kink per unknown and a banded matrix:
 *   min v.Kv/2 - f.v + sum phi_i(v_i),   phi_i convex with slopes -upper_i left of kink_i and -lower_i right of it
 * that is K v = f + rho with lower <= rho <= upper, rho = lower where v > kink, rho = upper where v < kink.
 *   obstacle v >= kink:  lower = 0, upper = INFINITY       friction:  lower = -b, upper = b
 *   given value v = kink: lower = -INFINITY, upper = INFINITY       free unknown: lower = upper = 0 */
#ifndef THUD_SRC_MOTIONS_LINE_LINE_KINKS_H
#define THUD_SRC_MOTIONS_LINE_LINE_KINKS_H

#include "thud/elastic.h"

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
/* v with the given sides, every kink kept: the unknowns at kinks there, the others in equilibrium. *error_bound estimates
 * the rounding of v. */
thud_error thud_kinks_solve_sides(elastic_kinks *kinks, const elastic_bounds *given, double *v, double *error_bound);
/* From kinks->side; v[n], rho[n]; info->active is left alone. */
thud_error thud_kinks_solve(elastic_kinks *kinks, const elastic_bounds *given, double *v, double *rho,
                            thud_line_info *info);

#endif
