/* Conditions of joints, by which joints (verify_bodies_joints.c) and their laws (verify_bodies_laws.c) are checked. */
#ifndef THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_JOINT_H
#define THUD_SRC_VERIFY_BODIES_VERIFY_BODIES_JOINT_H

#include "verify/bodies/verify_bodies.h"

/* A joint where its bodies are. */
typedef struct verify_placed {
  thud_vec3 P[2], r[2], d; /* points, from the centres of mass, P_b - P_a */
  thud_mat3 R[2];          /* axes, world */
  double lever;
} verify_placed;

/* A condition: its value, and the derivative by the velocities v_a, w_a, v_b, w_b. */
typedef struct verify_condition {
  double value, rate[12];
  bool angle;
} verify_condition;

verify_placed thud_verify_joint_place(const verify_joint *joint, const verify_body_state *state);
/* Both points have the same coordinate along e, an axis of a. */
verify_condition thud_verify_joint_together(const verify_placed *p, thud_vec3 e);
/* They are `length` apart. */
verify_condition thud_verify_joint_apart(const verify_placed *p, double length);

#endif
