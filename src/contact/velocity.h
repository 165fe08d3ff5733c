/* The linear part of a problem in any of its forms: from impulses to velocities. */
#ifndef THUD_SRC_CONTACT_VELOCITY_H
#define THUD_SRC_CONTACT_VELOCITY_H

#include "contact/mass.h"

/* Scratch of the maps below, made for one form and its sizes. */
typedef struct thud_velocity_map {
  const thud_contact_problem *problem; /* borrowed */
  thud_mass *mass;                     /* global form */
  double *load, *v, *free;             /* [ndof] H r + G l (+ f); velocity; M^-1 f or the free velocity */
  double *u, *q;                       /* [size] */
  double *u_b, *s;                     /* [bilateral] */
} thud_velocity_map;

thud_error thud_velocity_map_create(thud_context *context, const thud_contact_problem *problem, thud_velocity_map *map);
void thud_velocity_map_destroy(thud_context *context, thud_velocity_map *map);
/* Factor of M, q and s for the problem's present numbers. */
thud_error thud_velocity_map_update(thud_context *context, const thud_contact_problem *problem, thud_velocity_map *map);
/* u and u_b in the map for the given impulses; v (may be NULL) is taken in the global form only. *dynamics is the
 * relative residual of the equation of motion, 0 where it holds by construction. */
thud_error thud_velocity_map_apply(thud_context *context, thud_velocity_map *map, const double *r, const double *v,
                                   const double *l, double *dynamics);

#endif
