/* The Lagrangian system whose limit for slow loads a quasi-static motion is. */
#ifndef THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_SLOW_H
#define THUD_SRC_KINDS_QUASISTATIC_QUASISTATIC_SLOW_H

#include "kinds/quasistatic/quasistatic_scene.h"
#include "thud/stepping.h"

/* rate^2 M U'' + K U = F(s) + H r, with the contacts and the friction of the scene and restitution 0. */
typedef struct slow_system {
  const quasistatic_scene *made;
  thud_system *system;
  double *K;        /* [n*n] */
  double *mass;     /* [n*n] with the factor rate^2 */
  double *rows;     /* [m*n] gradients of the gaps */
  double *slips;    /* [s*n] */
  double stiffness; /* bound of the largest eigenvalue of M^-1 K, M without the factor */
  double largest;   /* entry of K */
} slow_system;

thud_error thud_study_slow_create(const quasistatic_scene *made, double rate, slow_system *slow);
void thud_study_slow_free(slow_system *slow);

#endif
