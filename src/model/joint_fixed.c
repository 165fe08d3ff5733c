/* Fixed joint: points and frames coincide. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cx);
  row[1] = thud_joint_along(place, place->A.cy);
  row[2] = thud_joint_across(place->A.cx, place->B.cy);
  if (place->planar) return 3;
  row[3] = thud_joint_along(place, place->A.cz);
  row[4] = thud_joint_across(place->A.cx, place->B.cz);
  row[5] = thud_joint_across(place->A.cy, place->B.cz);
  return 6;
}

const thud_joint_class thud_joint_fixed = {
    .name = "fixed", .in_plane = true, .has_axis = false, .has_length = false, .rows = rows};
