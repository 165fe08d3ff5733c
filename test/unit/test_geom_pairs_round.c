/* Spheres and capsules against every solid and plane, beside an independent oracle. */
#include "geom_pairs.h"
#include "testing.h"

/* Over the smaller shape's reach. */
#define TOLERANCE 1e-9
enum { POSES = 320 };

static void spheres_against_the_oracle(void **state) {
  (void)state;
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_SPHERE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_ELLIPSOID, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_CAPSULE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_BOX, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_CYLINDER, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_CONE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_HULL, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_SPHERE, THUD_SHAPE_PLANE, POSES, TOLERANCE);
}

static void capsules_against_the_oracle(void **state) {
  (void)state;
  pair_judge_and_print(THUD_SHAPE_CAPSULE, THUD_SHAPE_CAPSULE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CAPSULE, THUD_SHAPE_BOX, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CAPSULE, THUD_SHAPE_CYLINDER, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CAPSULE, THUD_SHAPE_CONE, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CAPSULE, THUD_SHAPE_HULL, POSES, TOLERANCE);
  pair_judge_and_print(THUD_SHAPE_CAPSULE, THUD_SHAPE_PLANE, POSES, TOLERANCE);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_against_the_oracle),
      cmocka_unit_test(capsules_against_the_oracle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
