/* The convex set S of impulses that share the velocity found, in coordinates y of the faces F_k. */
#ifndef THUD_SRC_SOLVE_FORCE_SET_H
#define THUD_SRC_SOLVE_FORCE_SET_H

#include "contact/discs.h"
#include "solve/cone_program.h"

/* F_k: r_k = length (y_0 ray + the free tangential components y_1..). */
typedef struct thud_face {
  thud_index first;                       /* coordinate y_0 in y, -1: open */
  thud_index width;                       /* coordinates, 0: open */
  double ray[THUD_CONTACT_DIMENSION_MAX]; /* [dimension] 1, then the fixed parts per unit of normal impulse */
  bool free[THUD_CONTACT_DISCS_MAX];      /* the components of the disc are coordinates of their own */
  bool general;                           /* a law in space: taken as the whole of R^3 */
  double low[THUD_CONTACT_DISCS_MAX];     /* one component: bounds of y_p / y_0; two of them: -radius and radius */
  double high[THUD_CONTACT_DISCS_MAX];
  double length; /* impulse per unit of y */
} thud_face;

struct thud_force_set {
  thud_context *context;
  thud_force_set_options options;
  const thud_disc_layout *layout;
  thud_index dimension, contacts;
  thud_face *faces;          /* [contacts] */
  thud_index coordinates;    /* n of all faces */
  thud_uniqueness_info info; /* counts, rank, moved; the verdict only where has_verdict */
  bool has_verdict;
  bool has_general; /* a general law in space among the closed contacts */
  double *basis;    /* [(n+1)*freedom] directions in which y may change; row n belongs to y_n */
  double *origin;   /* [n+1] the answer, moved into the faces; y_n = room - sum of the y_0 >= 0 */
  double *inward;   /* [n+1] */
  thud_cone_side *sides;
  thud_cone_disc *discs;
  thud_cone_program program; /* over all of the above */
  double room;               /* largest sum of the y_0 that is followed */
  double widest;             /* |y| <= widest * sum of the y_0 */
  bool has_centre;
  double depth;                 /* of the centre */
  double *centre;               /* [freedom] */
  bool tried_bound, is_bounded; /* S is proved to be bounded */
};

/* Faces, counts and the moved answer from r and u: sets faces, coordinates, origin (without y_n), info.open ... */
thud_error thud_force_set_choose_faces(thud_force_set *set, const thud_contact_problem *problem, const double *r,
                                       const double *u);
/* The columns A_E[rows*(coordinates + bilateral)] of the faces and the bilateral rows, column-major; lengths of the
 * faces are chosen on the way, so that each has columns of norm 1 (Frobenius). *rows receives their number. */
thud_error thud_force_set_columns(thud_force_set *set, const thud_contact_problem *problem, double **columns,
                                  thud_index *rows);
/* A start inside the cones, deep where there is room; makes program.relaxation > 0 where there is none. */
thud_error thud_force_set_find_centre(thud_force_set *set);
/* Tries to prove that S is bounded (is_bounded); room and reach then shrink to what is needed. */
thud_error thud_force_set_bound(thud_force_set *set);
/* Minimises c.y over S: inner value at z[freedom], a point of S, and the proved bound. */
thud_error thud_force_set_minimise(thud_force_set *set, const double *c, double *z, thud_cone_optimum *optimum);
/* r[size] of coordinates y. */
void thud_force_set_impulses(const thud_force_set *set, const double *y, double *r);

#endif
