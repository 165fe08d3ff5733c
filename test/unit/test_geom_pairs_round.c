/* Spheres and capsules against every solid and plane, beside an independent oracle. */
#include "geom_pairs.h"
#include "testing.h"

static void spheres_against_the_oracle(void **state) {
  (void)state;
  static const thud_shape_kind others[] = {THUD_SHAPE_SPHERE, THUD_SHAPE_ELLIPSOID, THUD_SHAPE_CAPSULE,
                                           THUD_SHAPE_BOX,    THUD_SHAPE_CYLINDER,  THUD_SHAPE_CONE,
                                           THUD_SHAPE_HULL,   THUD_SHAPE_PLANE};
  pair_judge_each(THUD_SHAPE_SPHERE, sizeof others / sizeof *others, others);
}

static void capsules_against_the_oracle(void **state) {
  (void)state;
  static const thud_shape_kind others[] = {THUD_SHAPE_CAPSULE, THUD_SHAPE_BOX,  THUD_SHAPE_CYLINDER,
                                           THUD_SHAPE_CONE,    THUD_SHAPE_HULL, THUD_SHAPE_PLANE};
  pair_judge_each(THUD_SHAPE_CAPSULE, sizeof others / sizeof *others, others);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(spheres_against_the_oracle),
      cmocka_unit_test(capsules_against_the_oracle),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
