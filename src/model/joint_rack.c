/* Rack and pinion: x + radius alpha = 0, with x = g.(P_b - P_a) along the axis g of b, the rack, and alpha the angle of a, the
 * pinion, about its axis u against g. Both have the same velocity where a pitch circle of this radius touches the rack, on the side
 * of u x g. With w = w_a - w_b
 *   dalpha/dt = w.(u - g (g.u)) / (1 - (g.u)^2),   dx/dt = g.(v_Pb - v_Pa) + (w_b x g).(P_b - P_a). */
#include "model/joint.h"

static thud_vec3 axis_of(const thud_joint_place *place) { return place->planar ? place->A.cz : place->A.cx; }

static void coordinates(const thud_joint_place *place, thud_joint_row q[2]) {
  thud_vec3 u = axis_of(place), g = place->B.cx, d = thud_vec3_subtract(place->point_b, place->point_a);
  double along = thud_vec3_dot(u, g);
  thud_vec3 about = thud_vec3_scale(-1 / (1 - along * along), thud_vec3_add_scaled(u, -along, g));
  q[0] = (thud_joint_row){.value = thud_joint_angle(u, g, place->planar ? place->A.cx : place->A.cy),
                          .is_angle = true,
                          .about_a = about,
                          .about_b = about};
  q[1] = (thud_joint_row){.value = thud_vec3_dot(g, d),
                          .force = g,
                          .force_a = g,
                          .about_a = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_a), g),
                          .about_b = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_b), g)};
}

static size_t rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  thud_joint_row q[2];
  coordinates(place, q);
  row[0] = thud_joint_couple(place, q, place->joint->radius_a, 1);
  return 1;
}

static const char *fault(const thud_joint_place *place) {
  thud_vec3 across = thud_vec3_cross(axis_of(place), place->B.cx);
  if (thud_vec3_norm(across) > 1e-3) return NULL;
  return "the rack moves along the axis of the pinion; give 'along' across that axis";
}

const thud_joint_class thud_joint_rack = {.name = "rack",
                                          .in_plane = true,
                                          .has_axis = true,
                                          .free_count = 1,
                                          .free = {THUD_COORDINATE_OPENING},
                                          .rows = rows,
                                          .coordinates = coordinates,
                                          .fault = fault};
