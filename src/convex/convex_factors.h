/* Sets of friction forces as products of intervals, discs, ellipses and polygons, and of sets given by their outlines
 * (convex/outline.h), in closed form: what an integrator needs that
 * follows the force along the set (which point of it is extreme against a slip velocity, when a force reaches its edge),
 * and that projections alone do not say. */
#ifndef THUD_SRC_CONVEX_FACTORS_H
#define THUD_SRC_CONVEX_FACTORS_H

#include "convex/outline.h"

enum { THUD_MOST_CORNERS = 16 };

typedef enum thud_set_factor_kind {
  THUD_FACTOR_INTERVAL, /* [lower, upper], contains 0 */
  THUD_FACTOR_DISC,     /* { |x| <= radius } */
  THUD_FACTOR_ELLIPSE,  /* { map y : |y| <= 1 }, map invertible */
  THUD_FACTOR_POLYGON,  /* contains 0, has an inside */
  THUD_FACTOR_CURVED    /* another one of at least two components, with 0 inside */
} thud_set_factor_kind;

typedef struct thud_set_factor {
  thud_set_factor_kind kind;
  thud_index first, n; /* its components of the set's */
  double lower, upper;
  double radius;
  double map[4];                        /* row-major */
  int corners;                          /* of a polygon, */
  double corner[2 * THUD_MOST_CORNERS]; /* counter-clockwise */
  thud_outline *outline;                /* of a curved set, owned; NULL: another one */
} thud_set_factor;

/* factors[n], *count of them, each to be freed. Returns NULL, or what is in the way (*count = 0): the set is no such product, or not one that
 * is seen. */
const char *thud_set_factorise(thud_set *set, thud_set_factor *factors, size_t *count);
void thud_set_factor_free(thud_context *context, thud_set_factor *factor);

#endif
