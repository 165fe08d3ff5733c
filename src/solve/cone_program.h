/* Small convex programs: a linear function over an affine set cut by half-spaces and second-order cones,
 *   minimise c.y  over  y = origin + basis z,  a y_i + b y_j >= 0 (sides),  |(y_j, y_j+1)| <= radius y_i (discs),
 * with a lower bound that is proved: for multipliers s of the cones' duals with basis'(c - s) = 0,
 *   c.y = c.origin - s.origin + s.y >= (c - s).origin   for every y of the set.
 * Half-spaces alone: proximal steps by the dual active set method, which end after finitely many (exact to rounding).
 * With discs: Newton's method on the logarithmic barrier (Nesterov and Nemirovskii), whose Newton steps give the s.
 *
 * And the point closest to a target z^, minimise |z - z^|^2 / 2, with a bound by weak duality: for multipliers s and any x,
 *   |z - z^|^2 / 2 >= |x - z^|^2 / 2 + (x - z^).(z - x),   (x - z^).z = s.(y - origin) + m.z >= -s.origin - |m| |z|,
 * m = (x - z^) - basis's. */
#ifndef THUD_SRC_SOLVE_CONE_PROGRAM_H
#define THUD_SRC_SOLVE_CONE_PROGRAM_H

#include "thud/uniqueness.h"

typedef struct thud_cone_side {
  thud_index first, second; /* second -1: none */
  double a, b;
} thud_cone_side;

typedef struct thud_cone_disc {
  thud_index normal, tangent;
  double radius; /* > 0 */
} thud_cone_disc;

/* Everything is borrowed. Every coordinate is in a side or a disc, so that the set contains no line. */
typedef struct thud_cone_program {
  thud_context *context;
  thud_index size, freedom;
  const double *basis;  /* [size*freedom] column-major, orthonormal columns (to a factor) */
  const double *origin; /* [size] in the cones */
  const double *inward; /* [size] a direction into the interior of every cone, 0 where there is room anyway */
  double relaxation;    /* the barrier works on cones moved by -relaxation inward; bounds are those of the true set */
  thud_index side_count, disc_count;
  const thud_cone_side *sides;
  const thud_cone_disc *discs;
  double reach; /* |z| <= reach on the set */
  thud_stop stop;
} thud_cone_program;

typedef struct thud_cone_optimum {
  double value; /* c.y at the point */
  double bound; /* proved: c.y >= bound on the set; -INFINITY: nothing is proved */
} thud_cone_optimum;

/* start[freedom] (ignored without discs) is strictly inside the relaxed cones. Ends early once value <= enough
 * (-INFINITY: never). z[freedom] receives the point; with discs and relaxation it may lie outside by that much. */
thud_error thud_cone_program_minimise(const thud_cone_program *program, const double *c, const double *start,
                                      double enough, double *z, thud_cone_optimum *optimum);
/* The point z[freedom] of the set closest to target[freedom]; start as above. value = |z - target|^2 / 2; bound is that of
 * the points with |z| <= reach, among them the closest one, so that |z - closest|^2 <= 2 (value - bound). */
thud_error thud_cone_program_nearest(const thud_cone_program *program, const double *target, const double *start,
                                     double *z, thud_cone_optimum *optimum);
/* The bound from multipliers: s[size] in the duals of the cones, x[freedom]. */
double thud_cone_program_nearest_bound(const thud_cone_program *program, const double *target, const double *x,
                                       const double *s);
/* A point z[freedom] deep in the cones: y - depth inward is in them; depth is 0 (to rounding) when the set has no inner
 * point, and at most 1. */
thud_error thud_cone_program_centre(const thud_cone_program *program, double *z, double *depth);
/* y[size] = origin + basis z. */
void thud_cone_program_point(const thud_cone_program *program, const double *z, double *y);
/* The point from[freedom] + t (to - from), t in [0, 1] as large as the true cones allow, from being in them; into z. */
thud_error thud_cone_program_pull(const thud_cone_program *program, const double *from, const double *to, double *z);

/* The two methods. g[freedom] = basis'c. c NULL: the point closest to the target, which is NULL otherwise. */
thud_error thud_cone_program_linear(const thud_cone_program *program, const double *c, const double *g, double enough,
                                    double *z, thud_cone_optimum *optimum);
thud_error thud_cone_program_project(const thud_cone_program *program, const double *target, double *z,
                                     thud_cone_optimum *optimum);
thud_error thud_cone_program_barrier(const thud_cone_program *program, const double *c, const double *target,
                                     const double *start, double enough, double *z, thud_cone_optimum *optimum);
/* Improves the closest point z and what is proved of it, where it can. */
thud_error thud_cone_program_polish(const thud_cone_program *program, const double *target, double *z,
                                    thud_cone_optimum *optimum);
/* y[size] is in the cones, up to rounding. */
bool thud_cone_program_holds(const thud_cone_program *program, const double *y);
/* Value of a side or of a disc, radius y_N - |y_T|; >= 0 inside. */
double thud_cone_side_value(const thud_cone_side *side, const double *y);
double thud_cone_disc_depth(const thud_cone_disc *disc, const double *y);

#endif
