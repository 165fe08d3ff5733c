#include "shape_checks.h"
#include "failing_allocator.h"
#include "testing.h"

thud_vec3 thud_test_random_vec3(thud_random *random) {
  double x = thud_random_normal(random), y = thud_random_normal(random);
  return thud_vec3_make(x, y, thud_random_normal(random));
}

thud_pose thud_test_random_pose(thud_random *random) {
  thud_pose pose = {thud_test_random_vec3(random), thud_quat_identity()};
  pose.rotation = thud_quat_normalise(thud_quat_from_rotation_vector(thud_test_random_vec3(random)));
  return pose;
}

void thud_test_refuse_shape(thud_context *context, const thud_shape_def *def, const char *message) {
  thud_shape *shape = NULL;
  thud_error error = thud_shape_create(context, def, &shape);
  assert_string_equal(thud_context_last_message(context), message);
  assert_int_equal(error, THUD_ERROR_ARGUMENT);
  assert_null(shape);
}

static thud_error make_and_draw(thud_context *context, void *user) {
  thud_shape *shape = NULL;
  thud_shape_surface surface = {0, 0, NULL, NULL};
  thud_error error = thud_shape_create(context, user, &shape);
  if (error == THUD_OK) error = thud_shape_make_surface(context, shape, 8, 1, &surface);
  thud_shape_surface_free(context, &surface);
  thud_shape_destroy(shape);
  return error;
}

size_t thud_test_sweep_shape(thud_shape_def def) { return thud_test_sweep_allocations(make_and_draw, &def); }
