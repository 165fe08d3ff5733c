/* A second opinion about convex shapes in space: supports and inequalities from their definitions, distances by a convex
 * program with a duality gap, depths by enumerating or searching directions. Shares no code with src/geom. */
#ifndef THUD_TEST_GEOM_ORACLE_H
#define THUD_TEST_GEOM_ORACLE_H

#include "thud/geom.h"

/* A shape at a place. Planes are allowed as second ones. */
typedef struct oracle_body {
  const thud_shape *shape;
  thud_pose pose;
} oracle_body;

/* The farthest point along a direction; world. */
thud_vec3 oracle_support(const oracle_body *body, thud_vec3 direction);
/* 0 on the surface, positive outside, negative inside: not the distance, but of its size near the surface. */
double oracle_level(const oracle_body *body, thud_vec3 x);
/* min over a of n.x - max over b of n.y for a unit n: a lower bound of the signed distance. -INFINITY for planes whose normal n
 * is not. */
double oracle_separation(const oracle_body *a, const oracle_body *b, thud_vec3 n);

/* min |x - y| over both by the pairwise method of Frank and Wolfe (Lacoste-Julien and Jaggi, NIPS 2015), at most so many
 * steps: it is between lower and upper. Apart bodies, no planes. */
typedef struct oracle_interval {
  double lower, upper;
} oracle_interval;
oracle_interval oracle_distance(const oracle_body *a, const oracle_body *b, int most_steps);

/* The largest separation that a search finds: of polyhedra the exact one (every face of either and every pair of edges), of
 * others that of the best of `directions` spread over the sphere and of the axes, improved until steps of 1e-9. */
double oracle_largest_separation(const oracle_body *a, const oracle_body *b, int directions);

#endif
