#include "solve/momentum.h"

#include <math.h>

/* The damping is raised when the residual has grown by GROWN or has not fallen by FALLEN in HOLD steps, and lowered after
 * HOLD steps in which it has. Chosen by trial on piles of spheres and sample problems. */
enum { HOLD = 100 };
static const double GROWN = 1.3, FALLEN = 0.95;
static const double LEAST = 0.001, MOST = 0.4, RAISE = 2, LOWER = 0.8;

thud_momentum thud_momentum_begin(double first_damping) {
  return (thud_momentum){.t = 1, .first = first_damping, .lowest = INFINITY, .mark = INFINITY};
}

double thud_momentum_next(thud_momentum *momentum, bool damped) {
  double next = (1 + sqrt(1 + 4 * momentum->t * momentum->t)) / 2, beta = (momentum->t - 1) / next;
  momentum->t = next;
  return damped ? fmin(beta, 1 - momentum->damping) : beta;
}

void thud_momentum_restart(thud_momentum *momentum) { momentum->t = 1; }

bool thud_momentum_look(thud_momentum *momentum, int steps, double residual) {
  momentum->quiet += steps;
  momentum->lowest = fmin(momentum->lowest, residual);
  bool held = momentum->quiet >= HOLD, fallen = momentum->lowest < FALLEN * momentum->mark;
  bool grown = residual > GROWN * momentum->lowest && momentum->quiet >= 2 * THUD_MOMENTUM_LOOK;
  bool raised = grown || (held && !fallen);
  if (raised) {
    momentum->damping = fmin(fmax(RAISE * momentum->damping, momentum->first), MOST);
    momentum->lowest = residual;
  } else if (held && momentum->damping > 0) {
    momentum->damping = fmax(LOWER * momentum->damping, LEAST);
  }
  if (!raised && !held) return false;
  momentum->mark = momentum->lowest;
  momentum->quiet = 0;
  return raised;
}
