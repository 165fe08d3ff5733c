/* Linear systems of contact problems in the two-block form, solved in the space of body velocities: W = J M^-1 J' is never
 * formed. With a block K_k for each contact,
 *   dx + K W dx = g  becomes  (M + J' K J) w = J' g,  dx = g - K J w,
 * where the matrix has one block of M's size for each body and each pair of bodies in contact (block_factor.h).
 * J is that of the two-block form times the units `scale` of the components, J = S J_given. */
#ifndef THUD_SRC_SOLVE_BODY_SPACE_H
#define THUD_SRC_SOLVE_BODY_SPACE_H

#include "linalg/block_factor.h"
#include "solve/method.h"

typedef struct thud_body_space {
  thud_context *context;
  const thud_contact_problem *problem; /* borrowed */
  size_t d, n, contacts, bodies;
  const double *scale; /* [contacts*d] borrowed */
  thud_block_factor *factor;
  double *mass;    /* [bodies*n*n] M, column-major */
  bool *moves;     /* [bodies] the inverse mass is not 0 */
  bool symmetric;  /* M is */
  const double *K; /* [contacts*d*d] of the last factorization, borrowed */
  double *load;    /* [bodies*n] */
} thud_body_space;

enum { THUD_BODY_SPACE_MAX = 60000 }; /* components of velocities */

/* Two-block form without joints; inverse masses are seen by update. */
bool thud_body_space_takes(const thud_contact_problem *problem);
/* Every inverse mass of a two-block problem is 0 or regular. */
bool thud_body_space_fits(const thud_contact_problem *problem);
thud_error thud_body_space_create(thud_context *context, const thud_contact_problem *problem, thud_body_space **space);
void thud_body_space_destroy(thud_body_space *space);
/* Takes the numbers of a problem with the same counts; *fits is false when an inverse mass is neither 0 nor regular. */
thud_error thud_body_space_update(thud_body_space *space, const thud_contact_problem *problem, const double *scale,
                                  bool *fits);
/* K[contacts*d*d] column-major, borrowed until the last solve; symmetric: every block of K is. False: singular. */
bool thud_body_space_factorize(thud_body_space *space, const double *K, bool symmetric);
/* dx[contacts*d] with g[contacts*d]; they do not overlap. */
void thud_body_space_solve(thud_body_space *space, const double *g, double *dx);

#endif
