/* How far two solids are apart or overlap, and in which direction. Spheres and capsules are their points and segments (cores)
 * with a radius around them. */
#ifndef THUD_SRC_GEOM_SEPARATE_H
#define THUD_SRC_GEOM_SEPARATE_H

#include "geom/collide.h"

/* The radius around the core. */
double thud_core_radius(const thud_shape *shape);
/* The farthest point of the placed core along a direction. */
thud_vec3 thud_core_support(const thud_placed *placed, thud_vec3 direction);

typedef struct thud_gjk_result {
  bool apart;           /* otherwise the cores meet, as far as rounding tells, and nothing below is set */
  thud_vec3 difference; /* on_a - on_b: the shortest such vector that was found */
  thud_vec3 on_a, on_b; /* closest points */
  double distance;      /* their distance: an upper bound */
  thud_vec3 normal;     /* unit, from b to a: the direction that separates most of those that were tried */
  double separation;    /* along it: a lower bound */
} thud_gjk_result;

/* Closest points of a's core shifted by `shift` and of b's core, to a duality gap of 1e-13 times size and distance where rounding
 * allows it. start: a direction from b to a to begin with. */
thud_gjk_result thud_gjk(const thud_placed *a, const thud_placed *b, thud_vec3 shift, thud_vec3 start, double size);

/* Signed distance of the shapes themselves. normal: from b to a; points on the surfaces. When they are apart by more than
 * `most`, only the gap is right, and only as a lower bound above most. */
typedef struct thud_separation {
  double gap;
  thud_vec3 normal, on_a, on_b;
} thud_separation;
thud_separation thud_separate(const thud_placed *a, const thud_placed *b, double most);
/* The best directions so far, that of largest separation first; cores only. */
enum { THUD_STARTS = 3 };
typedef struct thud_starts {
  const thud_placed *a, *b;
  size_t count;
  thud_separation best[THUD_STARTS];
} thud_starts;
/* Tries a direction (not 0) from b to a; of directions within 0.1 rad only the best is kept. Returns the difference of the points of a
 * and b that limit the separation. */
thud_vec3 thud_starts_offer(thud_starts *starts, thud_vec3 direction);
/* Offers directions until none can be better by more than `fine`, a length: true; false when its room is used up before. */
bool thud_epa(thud_starts *starts, double fine, double size);

/* gap along a unit normal: least of a minus most of b. */
double thud_separation_along(const thud_placed *a, const thud_placed *b, thud_vec3 normal);

#endif
