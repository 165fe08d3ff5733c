/* Rope: the two points are at most its length apart, which is the upper limit of its coordinate. No row holds always. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  (void)place;
  (void)row;
  return 0;
}

const thud_joint_class thud_joint_rope = {.name = "rope",
                                          .in_plane = true,
                                          .has_axis = false,
                                          .has_length = true,
                                          .has_ends = true,
                                          .free_count = 1,
                                          .free = {THUD_COORDINATE_DISTANCE},
                                          .rows = rows};
