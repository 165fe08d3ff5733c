/* Random two-block problems with joints and a known answer. No cmocka here. */
#ifndef THUD_TEST_RANDOM_JOINTS_H
#define THUD_TEST_RANDOM_JOINTS_H

#include "random_problems.h"

/* thud_test_random_two_block with joints of 1 to 6 rows (as many as degrees of freedom of a body at most) between
 * random
 * bodies or to the world; r and u of the answer stay, l is random and w made to fit. redundant: every second joint
 * repeats the first row of the joint before it, and one of its own. */
thud_error thud_test_random_joints(thud_context *context, thud_random *random, const thud_test_shape *shape,
                                   thud_index joints, bool redundant, thud_test_problem *made);

#endif
