/* The table of joints, and the rows that they are made of. */
#include "model/joint.h"

#include <math.h>

static const thud_joint_class *const classes[THUD_JOINT_KINDS] = {[THUD_JOINT_BALL] = &thud_joint_ball,
                                                                  [THUD_JOINT_HINGE] = &thud_joint_hinge,
                                                                  [THUD_JOINT_SLIDER] = &thud_joint_slider,
                                                                  [THUD_JOINT_CYLINDRICAL] = &thud_joint_cylindrical,
                                                                  [THUD_JOINT_UNIVERSAL] = &thud_joint_universal,
                                                                  [THUD_JOINT_PLANAR] = &thud_joint_planar,
                                                                  [THUD_JOINT_FIXED] = &thud_joint_fixed,
                                                                  [THUD_JOINT_ROD] = &thud_joint_rod,
                                                                  [THUD_JOINT_SCREW] = &thud_joint_screw,
                                                                  [THUD_JOINT_GEAR] = &thud_joint_gear,
                                                                  [THUD_JOINT_RACK] = &thud_joint_rack,
                                                                  [THUD_JOINT_PULLEY] = &thud_joint_pulley,
                                                                  [THUD_JOINT_ROPE] = &thud_joint_rope};

const thud_joint_class *thud_joint_class_of(int kind) { return classes[kind]; }

const char *const *thud_joint_names(void) {
  static const char *const names[THUD_JOINT_KINDS + 1] = {"ball",   "hinge",  "slider", "cylindrical", "universal",
                                                          "planar", "fixed",  "rod",    "screw",       "gear",
                                                          "rack",   "pulley", "rope",   NULL};
  return names;
}

int thud_joint_coordinates(int kind, bool planar) {
  if (kind < 0 || kind >= THUD_JOINT_KINDS) return 0;
  return planar && kind == THUD_JOINT_BALL ? 1 : classes[kind]->free_count;
}

thud_joint_place thud_joint_place_at(const thud_joint *joint, bool planar, const thud_pose *pose_a,
                                     const thud_pose *pose_b) {
  const thud_pose world = thud_pose_identity();
  if (pose_b == NULL) pose_b = &world;
  return (thud_joint_place){
      .point_a = thud_pose_point(pose_a, joint->point_a),
      .point_b = thud_pose_point(pose_b, joint->point_b),
      .centre_a = pose_a->position,
      .centre_b = pose_b->position,
      .A = thud_quat_to_matrix(thud_quat_multiply(pose_a->rotation, joint->frame_a)),
      .B = thud_quat_to_matrix(thud_quat_multiply(pose_b->rotation, joint->frame_b)),
      .joint = joint,
      .length = joint->length,
      .planar = planar,
  };
}

/* c = e.(P_b - P_a): the force acts at P_b on both bodies. */
thud_joint_row thud_joint_along(const thud_joint_place *place, thud_vec3 e) {
  thud_vec3 gap = thud_vec3_subtract(place->point_b, place->point_a);
  return (thud_joint_row){.value = thud_vec3_dot(e, gap),
                          .force = e,
                          .force_a = e,
                          .about_a = thud_vec3_cross(thud_vec3_subtract(place->point_b, place->centre_a), e),
                          .about_b = thud_vec3_cross(thud_vec3_subtract(place->point_b, place->centre_b), e)};
}

/* c = u.w: dc/dt = (w_b - w_a).(w x u). */
thud_joint_row thud_joint_across(thud_vec3 u, thud_vec3 w) {
  thud_vec3 turn = thud_vec3_cross(w, u);
  return (thud_joint_row){.value = thud_vec3_dot(u, w), .is_angle = true, .about_a = turn, .about_b = turn};
}

double thud_joint_angle(thud_vec3 u, thud_vec3 e, thud_vec3 y) {
  return atan2(thud_vec3_dot(u, thud_vec3_cross(e, y)), thud_vec3_dot(e, y));
}

thud_joint_row thud_joint_couple(const thud_joint_place *place, const thud_joint_row q[2], double k_0, double k_1) {
  return (thud_joint_row){
      .value = k_0 * place->counted[0] + k_1 * place->counted[1],
      .force = thud_vec3_add(thud_vec3_scale(k_0, q[0].force), thud_vec3_scale(k_1, q[1].force)),
      .force_a = thud_vec3_add(thud_vec3_scale(k_0, q[0].force_a), thud_vec3_scale(k_1, q[1].force_a)),
      .about_a = thud_vec3_add(thud_vec3_scale(k_0, q[0].about_a), thud_vec3_scale(k_1, q[1].about_a)),
      .about_b = thud_vec3_add(thud_vec3_scale(k_0, q[0].about_b), thud_vec3_scale(k_1, q[1].about_b))};
}

thud_joint_row thud_joint_apart(const thud_joint_place *place, double length) {
  thud_vec3 gap = thud_vec3_subtract(place->point_b, place->point_a), n = place->A.cx;
  thud_vec3_normalise(gap, &n);
  return (thud_joint_row){.value = thud_vec3_norm(gap) - length,
                          .force = n,
                          .force_a = n,
                          .about_a = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_a), n),
                          .about_b = thud_vec3_cross(thud_vec3_subtract(place->point_b, place->centre_b), n)};
}

/* x = e.(P_a - P_b), e the axis of a. */
static thud_joint_row shift(const thud_joint_place *place) {
  thud_joint_row row = thud_joint_along(place, place->A.cx);
  return (thud_joint_row){.value = -row.value,
                          .force = thud_vec3_negate(row.force),
                          .force_a = thud_vec3_negate(row.force_a),
                          .about_a = thud_vec3_negate(row.about_a),
                          .about_b = thud_vec3_negate(row.about_b)};
}

/* Of the second axis of a from that of b, at the rate e.(w_a - w_b). */
static thud_joint_row angle(const thud_joint_place *place) {
  thud_vec3 e = place->planar ? thud_vec3_make(0, 0, 1) : place->A.cx, of_a = place->planar ? place->A.cx : place->A.cy;
  thud_vec3 x = place->planar ? place->B.cx : place->B.cy, y = place->planar ? place->B.cy : place->B.cz;
  thud_vec3 minus = thud_vec3_negate(e);
  return (thud_joint_row){.value = atan2(thud_vec3_dot(of_a, y), thud_vec3_dot(of_a, x)),
                          .is_angle = true,
                          .about_a = minus,
                          .about_b = minus};
}

thud_joint_row thud_joint_coordinate(const thud_joint_place *place, thud_coordinate_kind kind) {
  if (kind == THUD_COORDINATE_DISTANCE) return thud_joint_apart(place, 0);
  return kind == THUD_COORDINATE_SHIFT ? shift(place) : angle(place);
}
