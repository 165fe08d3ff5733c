/* Nesterov's momentum with a damping that follows the residual.
 *
 * With friction the map that is iterated is not the gradient of anything: its slow modes turn (eigenvalues that are not
 * real), and momentum near 1 amplifies them. So beta stays below 1 - damping: the damping is doubled, and momentum
 * starts anew, when the residual has grown or not fallen for a while, and lowered slowly while it falls. */
#ifndef THUD_SRC_SOLVE_MOMENTUM_H
#define THUD_SRC_SOLVE_MOMENTUM_H

#include <stdbool.h>

enum { THUD_MOMENTUM_LOOK = 10 }; /* steps from one look at the residual to the next, about */

typedef struct thud_momentum {
  double t;       /* of Nesterov's sequence, 1 at a restart */
  double first;   /* damping after the first event */
  double damping; /* 0 before it */
  double lowest;  /* residual since the damping was last raised */
  double mark;    /* `lowest` when the damping last changed or was held, */
  int quiet;      /* and steps since then */
} thud_momentum;

thud_momentum thud_momentum_begin(double first_damping);
/* beta of the next extrapolation x + beta (x - x_before), damped or not. */
double thud_momentum_next(thud_momentum *momentum, bool damped);
void thud_momentum_restart(thud_momentum *momentum);
/* The residual after `steps` more steps; true when the damping was raised, which asks for a restart. */
bool thud_momentum_look(thud_momentum *momentum, int steps, double residual);

#endif
