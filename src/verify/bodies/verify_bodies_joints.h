/* Conditions of joints as the checker has them: shared by verify_bodies_joints.c, verify_bodies_couplings.c
 * and verify_bodies_laws.c. */
#ifndef THUD_SRC_VERIFY_BODIES_JOINTS_H
#define THUD_SRC_VERIFY_BODIES_JOINTS_H

#include "verify/bodies/verify_bodies_read.h"

enum { VERIFY_JOINT_NUMBERS = 12 };

/* A joint where its bodies are. */
typedef struct verify_joint_placed {
  thud_vec3 P[2], r[2], d; /* points, from the centres of mass, P_b - P_a */
  thud_mat3 R[2];          /* axes, world */
  double lever;
} verify_joint_placed;

/* A condition: its value, and the derivative by the velocities v_a, w_a, v_b, w_b. */
typedef struct verify_joint_condition {
  double value, rate[VERIFY_JOINT_NUMBERS];
  bool angle;
  double blur; /* relative uncertainty of the derivative, of an angle between directions that nearly are the same */
} verify_joint_condition;

verify_joint_placed thud_verify_joint_place(const verify_joint *joint, const verify_body_state *state);
/* Both points have the same coordinate along e, an axis of a; they are `length` apart. */
verify_joint_condition thud_verify_joint_together(const verify_joint_placed *p, thud_vec3 e);
verify_joint_condition thud_verify_joint_apart(const verify_joint_placed *p, double length);
/* Numbers of a coupling from its entry in the scene; points, axes and bodies are there. x, q: frames of the bodies at the start. */
thud_error thud_verify_read_coupling(verify_build *build, const thud_node *node, verify_joint *joint,
                                     const thud_vec3 x[2], const thud_quat q[2]);
/* The conditions of a joint, at most VERIFY_JOINT_MOST; returns how many. */
enum { VERIFY_JOINT_MOST = 6 };
size_t thud_verify_joint_conditions(const verify_joint *joint, bool planar, const verify_joint_placed *p,
                                    verify_joint_condition *c);
/* A condition as a vector over all bodies, [6*bodies], in units in which masses are 1. */
void thud_verify_joint_spread(const verify_bodies *bodies, const verify_joint *joint, const verify_joint_condition *c,
                              const verify_body_state *state, double *x);
/* Coordinate c of a joint with laws; angles: the one nearest to `near`. */
verify_joint_condition thud_verify_law_coordinate(const verify_bodies *bodies, const verify_joint *joint, int c,
                                                  const verify_joint_placed *p, double near);
bool thud_verify_is_coupling(const verify_joint *joint);
/* The condition of a coupling. */
verify_joint_condition thud_verify_coupling_condition(const verify_joint *joint, bool planar,
                                                      const verify_joint_placed *p);
/* An angle of a universal joint: of a about its own axis, or about that of b. */
verify_joint_condition thud_verify_pin_condition(const verify_joint_placed *p, bool of_a);
/* A length of what a coupling counts, beside which rounding is small. */
double thud_verify_coupling_size(const verify_joint *joint);
/* Force on body b of a pulley whose force on body a is `force`. */
thud_vec3 thud_verify_pulley_force(const verify_joint *joint, const verify_joint_placed *p, thud_vec3 force);

#endif
