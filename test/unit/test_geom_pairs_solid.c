/* Boxes, hulls, cylinders and cones against each other and on planes, beside an independent oracle. */
#include "geom_pairs.h"
#include "testing.h"

/* Over the smaller shape's reach. */
#define TOLERANCE 1e-9
enum { POSES = 320 };

static void boxes_against_the_oracle(void **state) {
  (void)state;
  pair_judge_and_print(THUD_SHAPE_BOX, THUD_SHAPE_BOX, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_BOX, THUD_SHAPE_CYLINDER, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_BOX, THUD_SHAPE_CONE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_BOX, THUD_SHAPE_HULL, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_BOX, THUD_SHAPE_PLANE, POSES, TOLERANCE);
}

static void cylinders_against_the_oracle(void **state) {
  (void)state;
  pair_judge_and_print(THUD_SHAPE_CYLINDER, THUD_SHAPE_CYLINDER, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CYLINDER, THUD_SHAPE_CONE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CYLINDER, THUD_SHAPE_HULL, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CYLINDER, THUD_SHAPE_PLANE, POSES, TOLERANCE);
}

static void cones_against_the_oracle(void **state) {
  (void)state;
  pair_judge_and_print(THUD_SHAPE_CONE, THUD_SHAPE_CONE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CONE, THUD_SHAPE_HULL, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CONE, THUD_SHAPE_PLANE, POSES, TOLERANCE);
}

static void hulls_against_the_oracle(void **state) {
  (void)state;
  pair_judge_and_print(THUD_SHAPE_HULL, THUD_SHAPE_HULL, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_HULL, THUD_SHAPE_PLANE, POSES, TOLERANCE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(boxes_against_the_oracle),
      cmocka_unit_test(cylinders_against_the_oracle),
      cmocka_unit_test(cones_against_the_oracle),
      cmocka_unit_test(hulls_against_the_oracle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
