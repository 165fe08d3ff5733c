/* Slider: the point of b stays on the axis of a, and the frames stay parallel. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cy);
  row[1] = thud_joint_across(place->A.cx, place->B.cy);
  if (place->planar) return 2;
  row[2] = thud_joint_along(place, place->A.cz);
  row[3] = thud_joint_across(place->A.cx, place->B.cz);
  row[4] = thud_joint_across(place->A.cy, place->B.cz);
  return 5;
}

const thud_joint_class thud_joint_slider = {.name = "slider",
                                            .in_plane = true,
                                            .has_axis = true,
                                            .has_length = false,
                                            .free_count = 1,
                                            .free = {THUD_COORDINATE_SHIFT},
                                            .rows = rows};
