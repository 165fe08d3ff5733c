/* Hinge: the two points and the two axes coincide. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cx);
  row[1] = thud_joint_along(place, place->A.cy);
  if (place->planar) return 2;
  row[2] = thud_joint_along(place, place->A.cz);
  row[3] = thud_joint_across(place->A.cx, place->B.cy);
  row[4] = thud_joint_across(place->A.cx, place->B.cz);
  return 5;
}

const thud_joint_class thud_joint_hinge = {.name = "hinge",
                                           .in_plane = true,
                                           .has_axis = true,
                                           .has_length = false,
                                           .free_count = 1,
                                           .free = {THUD_COORDINATE_ANGLE},
                                           .rows = rows};
