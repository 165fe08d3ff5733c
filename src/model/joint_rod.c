/* Rod: the two points keep their distance. Each end has a lever of its own. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  thud_vec3 gap = thud_vec3_subtract(place->point_b, place->point_a), n = place->A.cx;
  thud_vec3_normalise(gap, &n);
  row[0] = (thud_joint_row){.value = thud_vec3_norm(gap) - place->length,
                            .force = n,
                            .force_a = n,
                            .about_a = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_a), n),
                            .about_b = thud_vec3_cross(thud_vec3_subtract(place->point_b, place->centre_b), n)};
  return 1;
}

const thud_joint_class thud_joint_rod = {
    .name = "rod", .in_plane = true, .has_axis = false, .has_length = true, .has_ends = true, .rows = rows};
