/* Boxes, hulls, cylinders and cones against each other and on planes, beside an independent oracle. */
#include "geom_pairs.h"
#include "testing.h"

static void boxes_against_the_oracle(void **state) {
  (void)state;
  static const thud_shape_kind others[] = {THUD_SHAPE_BOX, THUD_SHAPE_CYLINDER, THUD_SHAPE_CONE, THUD_SHAPE_HULL,
                                           THUD_SHAPE_PLANE};
  pair_judge_each(THUD_SHAPE_BOX, sizeof others / sizeof *others, others);
}

static void cylinders_against_the_oracle(void **state) {
  (void)state;
  static const thud_shape_kind others[] = {THUD_SHAPE_CYLINDER, THUD_SHAPE_CONE, THUD_SHAPE_HULL, THUD_SHAPE_PLANE};
  pair_judge_each(THUD_SHAPE_CYLINDER, sizeof others / sizeof *others, others);
}

static void cones_against_the_oracle(void **state) {
  (void)state;
  static const thud_shape_kind others[] = {THUD_SHAPE_CONE, THUD_SHAPE_HULL, THUD_SHAPE_PLANE};
  pair_judge_each(THUD_SHAPE_CONE, sizeof others / sizeof *others, others);
}

static void hulls_against_the_oracle(void **state) {
  (void)state;
  static const thud_shape_kind others[] = {THUD_SHAPE_HULL, THUD_SHAPE_PLANE};
  pair_judge_each(THUD_SHAPE_HULL, sizeof others / sizeof *others, others);
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
