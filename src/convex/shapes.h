/* Bounded sets in the plane that are ellipses or polygons. */
#ifndef THUD_SRC_CONVEX_SHAPES_H
#define THUD_SRC_CONVEX_SHAPES_H

#include "thud/convex.h"

enum { THUD_FIGURE_POINTS = 256 };

/* An ellipse { centre + map y : |y| <= 1 }, or the hull of points, whose corners are counter-clockwise. */
typedef struct thud_figure {
  bool ellipse;
  double centre[2], map[4]; /* map: row-major */
  int count;
  double point[2 * THUD_FIGURE_POINTS];
} thud_figure;

/* factors.c: that of a set with two components; NULL, or why it has none. */
const char *thud_figure_of(thud_set *set, thud_figure *out);

#endif
