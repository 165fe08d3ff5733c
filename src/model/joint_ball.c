/* Ball joint: the two points coincide. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cx);
  row[1] = thud_joint_along(place, place->A.cy);
  if (place->planar) return 2;
  row[2] = thud_joint_along(place, place->A.cz);
  return 3;
}

const thud_joint_class thud_joint_ball = {.name = "ball",
                                          .in_plane = true,
                                          .has_axis = false,
                                          .has_length = false,
                                          .free_count = 2,
                                          .free = {THUD_COORDINATE_SWING, THUD_COORDINATE_TWIST},
                                          .sections = {NULL, "turning"},
                                          .rows = rows};
