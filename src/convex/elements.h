/* The set of the forces of a composed friction law that are in equilibrium, and what its answers say of its factors. */
#ifndef THUD_SRC_CONVEX_ELEMENTS_H
#define THUD_SRC_CONVEX_ELEMENTS_H

#include "convex/lift.h"

/* { z : F = (size_r z_r) in C_1 x ... x C_k, B'F = 0 }, B row-major by columns of the formula: B[internal * n], one row per internal
 * velocity; NULL when internal = 0. Takes the laws over. Parameters: B, then the laws'. */
thud_error thud_set_elements(thud_context *context, thud_index count, thud_set *const *laws, thud_index internal,
                             const double *B, thud_set **set);
/* [n] the sizes, powers of 2: until the parameters change. */
const double *thud_set_elements_sizes(const thud_set *set);
/* Solution of the last support query, whose value was finite and direction not 0. */
void thud_set_elements_solution(const thud_set *set, thud_lift_solution *solution);

/* One linear function of the answers: its value and the extreme values over all answers (infinite where unbounded, NaN
 * where they are not known). */
typedef struct thud_range {
  double low, high;
} thud_range;

/* Ranges of functions[count*n] (row-major) of z over the set of all z that maximise d.z, at the solution of d;
 * solution NULL: d = 0. */
thud_error thud_elements_force_ranges(thud_set *set, const thud_lift_solution *solution, const double *d,
                                      thud_index count, const double *functions, thud_range *ranges);
/* Ranges of the multipliers of B'F = 0, which are the internal velocities: ranges[internal]. */
thud_error thud_elements_velocity_ranges(thud_set *set, const thud_lift_solution *solution, const double *d,
                                         thud_range *ranges);

#endif
