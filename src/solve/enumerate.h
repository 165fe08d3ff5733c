/* Enumeration of all solutions: the part for planar friction, and the limits. */
#ifndef THUD_SRC_SOLVE_ENUMERATE_H
#define THUD_SRC_SOLVE_ENUMERATE_H

#include "thud/solve.h"

enum {
  THUD_ENUMERATE_MAX_CONTACTS = 10, /* planar friction: 4^10 modes */
  THUD_ENUMERATE_MAX_LCP = 20,      /* 2^20 bases */
  THUD_ENUMERATE_MAX_ROWS = 64      /* bilateral */
};

/* Planar friction in local form; full[order*order] is [[W, V], [V', R]] column-major, load[order] is (q, s), order =
 * 2*contacts + bilateral; both are overwritten. */
thud_error thud_enumerate_plane(thud_context *context, const thud_contact_problem *local, double *full, double *load,
                                double tolerance, const thud_stop *stop, thud_solution_fn found, void *user,
                                size_t *count);

#endif
