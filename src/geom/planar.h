/* Pairs of shapes of the plane.
 *
 * Every bounded shape is a convex core (a point, a segment or a polygon) widened by a radius, so the signed distance of
 * two shapes is that of their cores minus both radii: apart it is the distance of the cores, overlapping the largest
 * separation along a normal of an edge of either (the least translation that separates). A half-plane has one edge
 * without ends.
 *
 * - A segment is solid on neither side. A shape whose core crosses it is pushed to the side where its centre is (the mean
 *   of its core's vertices) or off an end: the direction straight to the other side is left out.
 * - Two particles (discs of radius 0) never touch, and neither do two half-planes; the distance of two half-planes is
 *   -INFINITY.
 * - Features: the upper 16 bits name the part of A, the lower ones that of B: 4i vertex i, 4i+1 and 4i+3 the start and the
 *   end of edge i (from vertex i to i+1) where two edges face each other, 4i+2 edge i at a single point. Where edges face
 *   each other the numbers do not depend on which of the two is taken for the reference, so that they do not change with
 *   rounding errors. Exchanging A and B exchanges the halves, flips the normal and swaps the points, bit for bit. */
#ifndef THUD_SRC_GEOM_PLANAR_H
#define THUD_SRC_GEOM_PLANAR_H

#include "geom/shape.h"

/* At most 2 touches with gaps of at most margin, in an order along a fixed direction of the plane. */
size_t thud_planar_collide(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                           double margin, thud_touch *touches);
/* The signed distance, with its normal and points in *closest (may be NULL). */
double thud_planar_distance(const thud_shape *a, const thud_pose *pose_a, const thud_shape *b, const thud_pose *pose_b,
                            thud_touch *closest);

#endif
