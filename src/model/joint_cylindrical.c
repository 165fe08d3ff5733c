/* Cylindrical joint: the axis of b stays on that of a. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cy);
  row[1] = thud_joint_along(place, place->A.cz);
  row[2] = thud_joint_across(place->A.cx, place->B.cy);
  row[3] = thud_joint_across(place->A.cx, place->B.cz);
  return 4;
}

const thud_joint_class thud_joint_cylindrical = {.name = "cylindrical",
                                                 .in_plane = false,
                                                 .has_axis = true,
                                                 .has_length = false,
                                                 .free_count = 2,
                                                 .free = {THUD_COORDINATE_SHIFT, THUD_COORDINATE_ANGLE},
                                                 .sections = {NULL, "turning"},
                                                 .rows = rows};
