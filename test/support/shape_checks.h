/* What tests of shapes share: random vectors and poses, refusals, failing allocations. */
#ifndef THUD_TEST_SHAPE_CHECKS_H
#define THUD_TEST_SHAPE_CHECKS_H

#include "planar_shapes.h"

/* Three standard normal numbers; a position and a rotation from them. */
thud_vec3 thud_test_random_vec3(thud_random *random);
thud_pose thud_test_random_pose(thud_random *random);
/* Asserts that no shape is made of the def, with THUD_ERROR_ARGUMENT and exactly that message. */
void thud_test_refuse_shape(thud_context *context, const thud_shape_def *def, const char *message);
/* Sweeps failing allocations over creation, surface and destruction of the shape; how many were swept. */
size_t thud_test_sweep_shape(thud_shape_def def);

#endif
