/* Rod: the two points keep their distance. Each end has a lever of its own. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  row[0] = thud_joint_apart(place, place->length);
  return 1;
}

const thud_joint_class thud_joint_rod = {
    .name = "rod", .in_plane = true, .has_axis = false, .has_length = true, .has_ends = true, .rows = rows};
