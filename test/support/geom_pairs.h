/* Pairs of convex shapes in poses of every sort, judged by the oracle (geom_oracle.h). */
#ifndef THUD_TEST_GEOM_PAIRS_H
#define THUD_TEST_GEOM_PAIRS_H

#include "geom_oracle.h"

typedef struct pair_verdict {
  int poses, overlapping; /* how many were judged */
  double worst;           /* of |distance - oracle|, over the smaller shape's reach */
} pair_verdict;

/* A shape of the kind with random proportions: extents from 1/4 to 1 times size. */
thud_shape *pair_shape(thud_context *context, thud_random *random, thud_shape_kind kind, double size);

/* Judges thud_distance and thud_collide on `poses` poses of the two kinds: apart, near, touching, shallow, deep, with
 * parallel axes, turned by multiples of 45 degrees, concentric; in sizes of 1e-6, 1 and 1e6, at the origin and 1e3
 * sizes from it. tolerance: over the smaller shape's reach. Fails the test with a message that names the pose. */
pair_verdict pair_judge(thud_context *context, thud_shape_kind a, thud_shape_kind b, int poses, double tolerance);

/* Judges 320 poses of a kind with each of the others to 1e-9 and prints lines of the table "pair, poses, overlapping, worst
 * error". */
void pair_judge_each(thud_shape_kind kind, size_t count, const thud_shape_kind *others);

#endif
