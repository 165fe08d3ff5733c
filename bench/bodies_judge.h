/* A judge of engines, of none of them: what one step did, from the states before and after it and the impulses that the
 * engine says it applied; and how deep the shapes overlap, from the states alone. */
#ifndef THUD_BENCH_BODIES_JUDGE_H
#define THUD_BENCH_BODIES_JUDGE_H

#include "bodies.h"

/* residual: Coulomb's law with the round cone by De Saxce's natural map, contact by contact
 *   F = W (r - proj_K(r - (u + mu |u_T| n)/W)),  W the mean of the diagonal of the contact's own 3 x 3 (2 x 2) matrix,
 * a velocity; its 2-norm over all contacts in units of that of q = H (v + h g), what the velocities of the contacts would
 * be without impulses. u_N is measured from the engine's bias. `strict` grants no bias that pushes bodies apart. */
typedef struct bench_verdict {
  double residual, strict;
  double excess; /* largest |r_T| - mu r_N in units of the largest r_N; >= 0 */
  double
      momentum;  /* 2-norm of m (v+ - v) - h m g - sum r and of the spins' (over the length sqrt(I/m)), in units of the
                      2-norm of h m g */
  double speed;  /* root mean square of the velocities after the step, m/s */
  double energy; /* kinetic + potential after the step, J */
} bench_verdict;

/* scratch[6*count]. */
void bench_judge_step(const bench_scene *scene, const bench_state *before, const bench_state *after,
                      size_t contact_count, const bench_contact *contacts, double *scratch, bench_verdict *verdict);

/* The largest overlap of two bodies or of a body and a plane, m; 0: none. -1: no memory. */
double bench_judge_overlap(const bench_scene *scene, const bench_state *states);

/* Steps whose verdict is known in closed form, right and wrong ones. How many of them the judge gets wrong; each is
 * named on stderr. */
int bench_judge_test(void);

#endif
