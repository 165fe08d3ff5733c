/* Pulley: a rope of fixed length from P_a over a place of the world, on to another and down to P_b, whose part counts `ratio`
 * times (a block and tackle): |P_a - over_a| + ratio |P_b - over_b| = length. Its places bear what the bodies do not. */
#include "model/joint.h"

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  const thud_joint *joint = place->joint;
  thud_vec3 a = thud_vec3_subtract(place->point_a, joint->over_a),
            b = thud_vec3_subtract(place->point_b, joint->over_b);
  thud_vec3 n_a = place->A.cx, n_b = place->A.cx;
  thud_vec3_normalise(a, &n_a);
  thud_vec3_normalise(b, &n_b);
  n_a = thud_vec3_negate(n_a);
  n_b = thud_vec3_scale(joint->ratio, n_b);
  row[0] = (thud_joint_row){.value = thud_vec3_norm(a) + joint->ratio * thud_vec3_norm(b) - place->length,
                            .force = n_b,
                            .force_a = n_a,
                            .about_a = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_a), n_a),
                            .about_b = thud_vec3_cross(thud_vec3_subtract(place->point_b, place->centre_b), n_b)};
  return 1;
}

static const char *fault(const thud_joint_place *place) {
  const thud_joint *joint = place->joint;
  if (thud_vec3_distance(place->point_a, joint->over_a) > 0 && thud_vec3_distance(place->point_b, joint->over_b) > 0)
    return NULL;
  return "a body is where its rope is led over, and the rope has no direction there; change 'over_a' or 'over_b'";
}

const thud_joint_class thud_joint_pulley = {.name = "pulley",
                                            .in_plane = true,
                                            .has_length = true,
                                            .has_ends = true,
                                            .free_count = 1,
                                            .free = {THUD_COORDINATE_OPENING},
                                            .rows = rows,
                                            .fault = fault};
