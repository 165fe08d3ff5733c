/* Planar joint: the point of b stays in the plane through that of a, whose normal both axes are. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_along(place, place->A.cx);
  row[1] = thud_joint_across(place->A.cx, place->B.cy);
  row[2] = thud_joint_across(place->A.cx, place->B.cz);
  return 3;
}

const thud_joint_class thud_joint_planar = {
    .name = "planar",
    .in_plane = false,
    .has_axis = true,
    .has_length = false,
    .free_count = 3,
    .free = {THUD_COORDINATE_PLACE_Y, THUD_COORDINATE_PLACE_Z, THUD_COORDINATE_ANGLE},
    .sections = {NULL, "second", "turning"},
    .rows = rows};
