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

thud_coordinate_kind thud_joint_free(int kind, bool planar, int c) {
  return planar && kind == THUD_JOINT_BALL ? THUD_COORDINATE_ANGLE : classes[kind]->free[c];
}

bool thud_coordinate_is_angle(thud_coordinate_kind kind) {
  return kind == THUD_COORDINATE_ANGLE || kind == THUD_COORDINATE_PIN_A || kind == THUD_COORDINATE_PIN_B ||
         kind == THUD_COORDINATE_SWING || kind == THUD_COORDINATE_TWIST;
}

static bool opens(const thud_joint *joint) {
  const thud_joint_class *of = classes[joint->kind];
  return of->free_count > 0 && of->free[0] == THUD_COORDINATE_OPENING && joint->law_count > 0;
}

bool thud_joint_is_loose(const thud_joint *joint) { return joint->kind == THUD_JOINT_ROPE || opens(joint); }

size_t thud_joint_rows(const thud_joint_place *place, thud_joint_row row[THUD_JOINT_ROWS]) {
  return opens(place->joint) ? 0 : classes[place->joint->kind]->rows(place, row);
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

/* x = e.(P_a - P_b), e an axis of b: the force acts at P_a on both bodies. */
static thud_joint_row place_along(const thud_joint_place *place, thud_vec3 e) {
  thud_vec3 minus = thud_vec3_negate(e);
  return (thud_joint_row){.value = thud_vec3_dot(e, thud_vec3_subtract(place->point_a, place->point_b)),
                          .force = minus,
                          .force_a = minus,
                          .about_a = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_a), minus),
                          .about_b = thud_vec3_cross(thud_vec3_subtract(place->point_a, place->centre_b), minus)};
}

/* An angle at the rate g.(w_a - w_b). */
static thud_joint_row turn_at(double value, thud_vec3 g) {
  thud_vec3 minus = thud_vec3_negate(g);
  return (thud_joint_row){.value = value, .is_angle = true, .about_a = minus, .about_b = minus};
}

/* Angles of a universal joint. With u and w the axes of a and b, y and z the others of either body,
 *   of a about u: atan2(-w.z_a, w.y_a), at the rate (w_a - w_b).(u - (u.w) w)/(1 - (u.w)^2),
 *   of a about w: atan2(u.z_b, u.y_b), the same with u and w exchanged. */
static thud_joint_row pin(const thud_joint_place *place, bool of_a) {
  thud_vec3 u = of_a ? place->A.cx : place->B.cx, w = of_a ? place->B.cx : place->A.cx;
  double along = thud_vec3_dot(u, w);
  thud_vec3 g = thud_vec3_scale(1 / (1 - along * along), thud_vec3_add_scaled(u, -along, w));
  double value = of_a ? atan2(-thud_vec3_dot(w, place->A.cz), thud_vec3_dot(w, place->A.cy))
                      : atan2(thud_vec3_dot(w, place->B.cz), thud_vec3_dot(w, place->B.cy));
  return turn_at(value, g);
}

/* The angle between the axes; where they coincide every direction across them is one in which it grows. */
static thud_joint_row swing(const thud_joint_place *place) {
  thud_vec3 across = thud_vec3_cross(place->B.cx, place->A.cx), n = place->A.cy;
  thud_vec3_normalise(across, &n);
  return turn_at(atan2(thud_vec3_norm(across), thud_vec3_dot(place->B.cx, place->A.cx)), n);
}

/* 2 atan2(x, w) of the quaternion (w, x, y, z) of the turn R of a in the frame of b: 4 w x = R_32 - R_23, 2 (w^2 - x^2) = R_22 + R_33.
 * Its rate is g.(w_a - w_b), g = (u_a + u_b)/(1 + u_a.u_b), u the axes. */
static thud_joint_row twist(const thud_joint_place *place) {
  thud_mat3 R = thud_mat3_multiply(thud_mat3_transpose(place->B), place->A);
  double s = fmax(1 + R.cx.x, 1e-12); /* 0 where the axes point opposite ways */
  thud_vec3 g = thud_vec3_scale(1 / s, thud_vec3_add(place->A.cx, place->B.cx));
  return turn_at(atan2(R.cy.z - R.cz.y, R.cy.y + R.cz.z), g);
}

static thud_joint_row opening(const thud_joint_place *place) {
  thud_joint_row row[THUD_JOINT_ROWS];
  size_t count = classes[place->joint->kind]->rows(place, row);
  return row[count - 1];
}

thud_joint_row thud_joint_coordinate(const thud_joint_place *place, thud_coordinate_kind kind) {
  switch (kind) {
  case THUD_COORDINATE_SHIFT: return shift(place);
  case THUD_COORDINATE_DISTANCE: return thud_joint_apart(place, 0);
  case THUD_COORDINATE_PLACE_Y: return place_along(place, place->B.cy);
  case THUD_COORDINATE_PLACE_Z: return place_along(place, place->B.cz);
  case THUD_COORDINATE_PIN_A: return pin(place, true);
  case THUD_COORDINATE_PIN_B: return pin(place, false);
  case THUD_COORDINATE_SWING: return swing(place);
  case THUD_COORDINATE_TWIST: return twist(place);
  case THUD_COORDINATE_OPENING: return opening(place);
  case THUD_COORDINATE_ANGLE: break;
  }
  return angle(place);
}
