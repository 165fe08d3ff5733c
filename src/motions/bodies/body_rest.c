/* Islands that begin a step at rest.
 *
 * The impulses of the last step are the first guess. A guess that meets the tolerance is an answer, whatever the size of the
 * island: nothing is set up for it. Where everything rests, a good answer has u = 0, and impulses well inside of the cones
 * hold for as long as the island rests. */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

/* Rest: De Saxce's shift of the guess is below this part of the scale. */
static const double RESTS = 0.02;
/* A contact is inside its cone when r_T stays below this part of mu r_N; an island is, when all but this part of its contacts
 * are. */
static const double INSIDE = 0.98, MOST_AT_EDGE = 0.02;

/* Sums over the contacts of an island. */
typedef struct rest_sums {
  double shift; /* squares of the shift of the guess */
  thud_index at_edge;
} rest_sums;

static void add_contact(const body_motion *motion, thud_index at, rest_sums *sums) {
  const body_problem *p = &motion->problem;
  const body_contacts *c = &motion->contacts;
  size_t d = (size_t)p->d, first = (size_t)p->order[at] * d;
  const double *r = p->r + (size_t)at * d;
  double u[6], shift = 0, tangential = 0;
  for (size_t i = 0; i < d; i++) u[i] = c->u[first + i] + c->wander[first + i];
  thud_contact_shift(&p->view, at, u, &shift);
  sums->shift += shift * shift;
  for (size_t i = 1; i < (motion->model.planar ? 2u : 3u) && i < d; i++) tangential = hypot(tangential, r[i]);
  if (!(tangential < INSIDE * p->mu[at] * r[0])) sums->at_edge++;
}

/* How island s begins, from the guess in problem.r; u and the residual are those of the guess. */
static body_rest find_rest(const body_motion *motion, thud_index s) {
  const body_problem *p = &motion->problem;
  const thud_body_island *island = &p->islands[s];
  thud_index first = p->contact_start[s], end = p->contact_start[s + 1];
  rest_sums sums = {0};
  for (thud_index at = first; at < end; at++) add_contact(motion, at, &sums);
  return (body_rest){.rests = sqrt(sums.shift) <= RESTS * island->scale,
                     .inside = (double)sums.at_edge <= MOST_AT_EDGE * (double)(end - first)};
}

/* A first guess that is worse than none: islands begin at the better of the last impulses and zero. */
static void begin_at_better(body_motion *motion, thud_index s) {
  body_problem *p = &motion->problem;
  size_t d = (size_t)p->d, first = (size_t)p->contact_start[s] * d;
  size_t size = (size_t)(p->contact_start[s + 1] - p->contact_start[s]) * d;
  double guess = p->islands[s].residual;
  memcpy(p->kept, p->r + first, size * sizeof *p->kept);
  memset(p->r + first, 0, size * sizeof *p->r);
  thud_bodies_move_island(motion, s);
  thud_bodies_judge_island(motion, s);
  if (p->islands[s].residual < guess) return;
  memcpy(p->r + first, p->kept, size * sizeof *p->r);
  thud_bodies_move_island(motion, s);
  thud_bodies_judge_island(motion, s);
}

bool thud_bodies_keep_impulses(body_motion *motion, body_group group, body_rest *rest) {
  bool solved = true;
  for (thud_index s = group.first; s < group.end; s++) {
    thud_bodies_move_island(motion, s);
    thud_bodies_judge_island(motion, s);
    if (!motion->problem.islands[s].solved) begin_at_better(motion, s);
    solved = solved && motion->problem.islands[s].solved;
  }
  *rest = (body_rest){0};
  if (group.end == group.first + 1) *rest = find_rest(motion, group.first);
  return solved;
}
