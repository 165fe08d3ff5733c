/* Shapes and poses for tests in the plane. */
#ifndef THUD_TEST_PLANAR_SHAPES_H
#define THUD_TEST_PLANAR_SHAPES_H

#include "thud/geom.h"

#define THUD_TEST_PI 3.14159265358979323846
enum { THUD_TEST_CORNERS = 9 }; /* of regular polygons at most */

/* Assert that the shape could be made. */
thud_shape *thud_test_shape(thud_context *context, thud_shape_def def);
thud_shape *thud_test_rectangle(thud_context *context, double half_x, double half_y);
/* A regular polygon; turn: angle of its first corner. */
thud_shape *thud_test_regular(thud_context *context, int corners, double radius, double turn);
thud_pose thud_test_planar_pose(double x, double y, double angle);

#endif
