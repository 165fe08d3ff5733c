/* The boundary of a bounded convex set with 0 inside, by its outward normals d: which of its points is extreme in which
 * direction, how that point moves with the direction, and where a ray from 0 leaves the set.
 *
 * In the plane the boundary is a row of *pieces*, counter-clockwise. On a piece the point with the normal d is
 *   sigma(d) = centre + sum of B d / sqrt(d'B d) over the terms B of the piece,
 * B positive semidefinite: ellipses and their sums; a piece without terms is a corner, whose normals fill an angle.
 * Behind each piece is an edge to the next one, with one normal; its length may be 0. In more dimensions there is one
 * piece for all normals. */
#ifndef THUD_SRC_CONVEX_OUTLINE_H
#define THUD_SRC_CONVEX_OUTLINE_H

#include "thud/convex.h"

#include <stdint.h>

enum { THUD_MOST_SLIPS = 6, THUD_MOST_PIECES = 64, THUD_MOST_TERMS = 16 };

typedef struct thud_piece {
  double from, to;                /* angles of its normals; two components */
  double centre[THUD_MOST_SLIPS]; /* of a corner: the corner */
  uint32_t terms;                 /* bit k: it has term k */
} thud_piece;

typedef struct thud_outline {
  int n, pieces, terms;
  thud_piece piece[THUD_MOST_PIECES];
  double term[THUD_MOST_TERMS][THUD_MOST_SLIPS * THUD_MOST_SLIPS]; /* B, row-major n*n */
} thud_outline;

/* Where the ray through a point leaves the set: point/gauge is on the boundary. */
typedef struct thud_crossing {
  double gauge;
  int face;                          /* two components: 2k: piece k, 2k + 1: the edge behind it */
  double normal[2][THUD_MOST_SLIPS]; /* there; two different ones at a corner */
} thud_crossing;

/* The point of piece k with the normal d, of any length. */
void thud_outline_point(const thud_outline *outline, int k, const double *d, double *point);
/* Its derivative in d along x. */
void thud_outline_slope(const thud_outline *outline, int k, const double *d, const double *x, double *slope);
/* The piece that has the normal d; two components. */
int thud_outline_piece_of(const thud_outline *outline, const double *d);
/* Begin and end of piece k, any k, and the normals there; two components. */
void thud_outline_begin(const thud_outline *outline, int k, double *normal, double *point);
void thud_outline_end(const thud_outline *outline, int k, double *normal, double *point);
/* Sizes of the set: the largest coordinate of its boundary. */
double thud_outline_size(const thud_outline *outline);
void thud_outline_cross(const thud_outline *outline, const double *x, thud_crossing *crossing);

/* outline_make.c: the outline of a set with 2 to THUD_MOST_SLIPS components. Returns NULL, or what is in the way. */
const char *thud_outline_make(thud_set *set, thud_outline *outline);
extern const char thud_outline_no_memory[]; /* one of the reasons */
/* { |x| <= 1 } */
void thud_outline_ball(int n, thud_outline *outline);

#endif
