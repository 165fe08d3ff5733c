/* Two blocks, one on the other, fall onto the floor and stay there (a standard inelastic impact). With the percussions
 * z of the floor and between the blocks and the velocities w of the two gaps after the impact, this is the linear
 * complementarity problem
 *   w = M z + q,  0 <= z perp w >= 0,
 * M = [1/m1, -1/m1; -1/m1, 1/m1 + 1/m2] and q = (-1, 0) m/s before it. Both gaps stay closed: z = (m1 + m2, m2) m/s.
 *
 * Usage: lcp. Exit status: 0 solved, 1 no solution was found, 2 thud reported an error. */
#include <stdio.h>
#include <thud/thud.h>

int main(void) {
  const double lower = 1, upper = 2;                                              /* masses in kg */
  const double M[4] = {1 / lower, -1 / lower, -1 / lower, 1 / lower + 1 / upper}; /* column-major */
  const double q[2] = {-1, 0};
  double z[2], w[2];
  thud_context *context;
  thud_pivot_info info;
  if (thud_context_create(NULL, &context) != THUD_OK) return 2;
  if (thud_lcp_lemke(context, 2, M, q, 100, z, w, &info) != THUD_OK) {
    fprintf(stderr, "%s\n", thud_context_last_message(context));
    thud_context_destroy(context);
    return 2;
  }
  if (info.status == THUD_PIVOT_SOLVED)
    printf("z = (%g, %g), w = (%g, %g), residual %.2g\n", z[0], z[1], w[0], w[1], info.stationarity);
  else
    printf("no solution was found\n");
  thud_context_destroy(context);
  return info.status == THUD_PIVOT_SOLVED ? 0 : 1;
}
