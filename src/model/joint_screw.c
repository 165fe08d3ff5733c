/* Screw: a cylindrical joint whose shift along the axis is `lead` times the turns about it, both of b against a. With y of b, e
 * and f = u x e of a, e and f across the axis u:
 *   psi = atan2(f.y, e.y),   dpsi/dt = (w_b - w_a).(y x ((e.y) f - (f.y) e)) / ((e.y)^2 + (f.y)^2). */
#include "model/joint.h"

static thud_joint_row turning(thud_vec3 e, thud_vec3 f, thud_vec3 y) {
  double along = thud_vec3_dot(e, y), across = thud_vec3_dot(f, y);
  thud_vec3 arm = thud_vec3_subtract(thud_vec3_scale(along, f), thud_vec3_scale(across, e));
  thud_vec3 about = thud_vec3_scale(1 / (along * along + across * across), thud_vec3_cross(y, arm));
  return (thud_joint_row){
      .value = thud_joint_angle(thud_vec3_cross(e, f), e, y), .is_angle = true, .about_a = about, .about_b = about};
}

static void coordinates(const thud_joint_place *place, thud_joint_row q[2]) {
  q[0] = turning(place->A.cy, place->A.cz, place->B.cy);
  q[1] = thud_joint_along(place, place->A.cx);
}

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  const double turn = 6.283185307179586;
  thud_joint_row q[2];
  size_t count = thud_joint_cylindrical.rows(place, row);
  coordinates(place, q);
  row[count] = thud_joint_couple(place, q, -place->joint->lead / turn, 1);
  return count + 1;
}

const thud_joint_class thud_joint_screw = {.name = "screw",
                                           .in_plane = false,
                                           .has_axis = true,
                                           .free_count = 1,
                                           .free = {THUD_COORDINATE_ANGLE},
                                           .rows = rows,
                                           .coordinates = coordinates};
