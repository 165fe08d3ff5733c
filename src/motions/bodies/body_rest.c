/* Islands that begin a step at rest.
 *
 * The impulses of the last step are the first guess. A guess that meets the tolerance is an answer, whatever the size of the
 * island: nothing is set up for it. */
#include "motions/bodies/body_motion.h"

#include <string.h>

/* No impulses have a residual of 0.2 to 1: better guesses are not compared with them. */
static const double POOR = 0.1;

/* A first guess that is worse than none: islands begin at the better of the last impulses and zero. */
static void begin_at_better(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d;
  size_t size = (size_t)(p->contact_start[s + 1] - p->contact_start[s]) * d;
  double guess = p->islands[s].residual;
  if (guess < POOR) return;
  memcpy(p->kept, p->r + first, size * sizeof *p->kept);
  memset(p->r + first, 0, size * sizeof *p->r);
  thud_bodies_move_island(motion, s);
  thud_bodies_judge_island(motion, s);
  if (p->islands[s].residual < guess) return;
  memcpy(p->r + first, p->kept, size * sizeof *p->r);
  thud_bodies_move_island(motion, s);
  thud_bodies_judge_island(motion, s);
}

bool thud_bodies_keep_impulses(body_motion *motion, body_group group) {
  bool solved = true;
  for (thud_index s = group.first; s < group.end; s++) {
    thud_bodies_move_island(motion, s);
    thud_bodies_judge_island(motion, s);
    if (!motion->problem.islands[s].solved) begin_at_better(motion, s);
    solved = solved && motion->problem.islands[s].solved;
  }
  return solved;
}
