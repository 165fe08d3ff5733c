/* Contacts of a convex shape with many triangles, kept few. */
#ifndef THUD_SRC_GEOM_TOUCH_POOL_H
#define THUD_SRC_GEOM_TOUCH_POOL_H

#include "geom/shape.h"

enum { THUD_TOUCH_POOL = 128 };

typedef struct thud_touch_pool {
  double size;   /* of the convex shape: a length for tolerances */
  double margin; /* largest gap of contacts that count */
  size_t count;
  thud_touch touches[THUD_TOUCH_POOL];
  uint32_t ranks[THUD_TOUCH_POOL];
} thud_touch_pool;

/* One more contact. The same point with the same normal again is one contact, with the smaller gap. rank: which part of the
 * convex shape touches; among contacts that are equally good those of a smaller rank stay, whatever their triangles, so that
 * the choice stays while a shape slides over them. */
void thud_touch_pool_add(thud_touch_pool *pool, const thud_touch *touch, uint32_t rank);
/* Contacts with about the same normal form a region, of which at most THUD_MANIFOLD_MAX points stay (the deepest, and those
 * that span it); "about" widens from 5e-5 in steps of sqrt(10) until at most `most` contacts are left. Their order stays. */
void thud_touch_pool_reduce(thud_touch_pool *pool, size_t most);
/* Makes features that are equal different: the later ones become the next free number. */
void thud_touch_pool_tell_apart(thud_touch_pool *pool);

#endif
