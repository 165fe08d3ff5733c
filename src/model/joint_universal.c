/* Universal joint: the two points coincide, the axes of a and of b stay perpendicular. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cx);
  row[1] = thud_joint_along(place, place->A.cy);
  row[2] = thud_joint_along(place, place->A.cz);
  row[3] = thud_joint_across(place->A.cx, place->B.cx);
  return 4;
}

const thud_joint_class thud_joint_universal = {.name = "universal",
                                               .in_plane = false,
                                               .has_axis = true,
                                               .has_length = false,
                                               .free_count = 2,
                                               .free = {THUD_COORDINATE_PIN_A, THUD_COORDINATE_PIN_B},
                                               .sections = {NULL, "second"},
                                               .rows = rows};
