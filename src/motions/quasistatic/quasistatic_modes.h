/* One combination of contact modes in one or two components per contact: a linear system.
 *
 *   K u = f + r with  open   r = 0
 *                     stick  u_N = closed, u_T = stuck
 *                     slip s u_N = closed, r_T = s mu r_N          (s = 1: SLIP, s = -1: SLIP_BACK)
 * The unknowns that are left are both components of open contacts and u_T of slipping ones; their rows are
 *   open  (K u)_N = f_N, (K u)_T = f_T;   slip  (K u)_T - s mu (K u)_N = f_T - s mu f_N.
 * For values closed = -gap0 and stuck = u_T before, for rates both are 0. In one component `stick` is just closed. */
#ifndef THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_MODES_H
#define THUD_SRC_MOTIONS_QUASISTATIC_QUASISTATIC_MODES_H

#include "motions/quasistatic/quasistatic_structure.h"

typedef struct mode_system {
  const elastic_structure *structure;
  const double *f;      /* [m] */
  const double *closed; /* [c], NULL: 0 */
  const double *stuck;  /* [m] its tangential entries, NULL: 0 */
  double *A, *b;        /* [m*(m+1)], [m] scratch */
  thud_index *unknown;  /* [m] scratch: contact coordinate of each unknown */
  thud_index *order;    /* [m] scratch */
  double softness;      /* of the last system solved: its largest entry over its smallest pivot; 1 without unknowns */
} mode_system;

thud_error thud_mode_system_create(const elastic_structure *structure, mode_system *system);
void thud_mode_system_destroy(mode_system *system);

typedef enum mode_answer {
  MODES_REGULAR = 0,
  MODES_SINGULAR = 1, /* solvable: u is one of infinitely many, `direction` leads to the others */
  MODES_NONE = 2      /* contradictory */
} mode_answer;

/* u, r [m]; direction [m] (may be NULL) is 0 when the answer is REGULAR, otherwise a motion that the modes do not resist, of
 * largest component 1. */
mode_answer thud_modes_solve(mode_system *system, const thud_elastic_mode *modes, double *u, double *r,
                             double *direction);
/* r = K u - f with exact zeros at open contacts and r_T = s mu r_N at slipping ones. */
void thud_modes_reactions(const mode_system *system, const thud_elastic_mode *modes, const double *u, double *r);

static inline double thud_mode_sign(thud_elastic_mode mode) { return mode == THUD_ELASTIC_SLIP_BACK ? -1 : 1; }
static inline bool thud_mode_slips(thud_elastic_mode mode) {
  return mode == THUD_ELASTIC_SLIP || mode == THUD_ELASTIC_SLIP_BACK;
}

#endif
