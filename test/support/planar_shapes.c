#include "planar_shapes.h"
#include "testing.h"

thud_shape *thud_test_shape(thud_context *context, thud_shape_def def) {
  thud_shape *shape;
  assert_int_equal(thud_shape_create(context, &def, &shape), THUD_OK);
  return shape;
}

thud_shape *thud_test_rectangle(thud_context *context, double half_x, double half_y) {
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_RECTANGLE);
  def.half[0] = half_x;
  def.half[1] = half_y;
  return thud_test_shape(context, def);
}

thud_shape *thud_test_regular(thud_context *context, int corners, double radius, double turn) {
  double points[3 * THUD_TEST_CORNERS] = {0};
  for (int k = 0; k < corners; k++) {
    points[3 * k] = radius * cos(turn + 2 * THUD_TEST_PI * k / corners);
    points[3 * k + 1] = radius * sin(turn + 2 * THUD_TEST_PI * k / corners);
  }
  thud_shape_def def = thud_shape_def_default(THUD_SHAPE_POLYGON);
  def.point_count = corners;
  def.points = points;
  return thud_test_shape(context, def);
}

thud_pose thud_test_planar_pose(double x, double y, double angle) {
  return (thud_pose){thud_vec3_make(x, y, 0), thud_quat_make(cos(0.5 * angle), 0, 0, sin(0.5 * angle))};
}
