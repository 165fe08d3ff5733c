/* Levels of multigrid on a rectangle. */
#ifndef THUD_SRC_MOTIONS_SURFACE_SURFACE_GRID_H
#define THUD_SRC_MOTIONS_SURFACE_SURFACE_GRID_H

#include "motions/surface/surface.h"

enum { GRID_MOST_LEVELS = 24, GRID_PAD = 2 };

/* A symmetric matrix on the nodes: each is coupled with itself, with its neighbours in the east, the north and the
 * north-east (the diagonals of the cells), and with those in the other directions. */
typedef struct grid_stencil {
  double *centre, *east, *north, *diagonal;
} grid_stencil;

/* Arrays have two columns right of the nodes and two rows below and above them, which stay 0: neighbours need no questions.
 * Pointers are to node (0, 0). */
typedef struct grid_level {
  thud_index nx, ny;   /* cells */
  ptrdiff_t stride;    /* from row to row */
  size_t size;         /* of an array, with what surrounds it */
  grid_stencil K, A;   /* stiffness; that of the unknowns that are not fixed, seen from the finest level of the cycle */
  double *v, *f, *psi; /* of the problem on this level */
  double *r, *c;       /* residual and correction of a cycle */
  unsigned char *fixed; /* 1: held, or on the obstacle */
  unsigned char *held;
  double *block; /* what the arrays of numbers lie in */
} grid_level;

struct surface_grid {
  thud_context *context;
  int levels; /* level[0] is the finest */
  grid_level level[GRID_MOST_LEVELS];
  thud_sparse coarse;  /* A of the coarsest level, unknowns that are fixed: identity */
  thud_factor *factor; /* of it */
  double *coarse_rhs;
  double visits; /* of unknowns by sweeps */
};

static inline ptrdiff_t grid_at(const grid_level *level, thud_index i, thud_index j) {
  return (ptrdiff_t)j * level->stride + i;
}

/* (A x) at k */
static inline double grid_row(const grid_stencil *A, const double *x, ptrdiff_t k, ptrdiff_t stride) {
  return A->centre[k] * x[k] + (A->east[k] * x[k + 1] + A->east[k - 1] * x[k - 1]) +
         (A->north[k] * x[k + stride] + A->north[k - stride] * x[k - stride]) +
         (A->diagonal[k] * x[k + stride + 1] + A->diagonal[k - stride - 1] * x[k - stride - 1]);
}

/* surface_grid_cycle.c */

/* One projected sweep of Gauss and Seidel for v >= psi. */
void thud_grid_project(surface_grid *grid, int level);
/* r = f - K v where v is not held, 0 there. */
void thud_grid_residual(surface_grid *grid, int level);
/* A of this level and all coarser ones, and the coarsest factor, after the set of fixed nodes has changed. */
thud_error thud_grid_truncate(surface_grid *grid, int level);
/* c of this level: a V-cycle for A c = r. */
thud_error thud_grid_cycle(surface_grid *grid, int level);

#endif
