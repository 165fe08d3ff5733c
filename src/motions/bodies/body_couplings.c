/* Couplings of two coordinates (screws, gears, racks; model/joint.h): what they count. Angles are known up to turns, which are
 * counted from node to midpoint to node: between two of these an angle changes by less than half a turn, or the motion ends.
 * Counts are part of the state, so that they outlast checkpoints. */
#include "motions/bodies/body_motion.h"

#include <math.h>

static const double PI = 3.14159265358979323846;

/* From what was counted up to here; `begin`: from 0. */
static void count_from(const body_motion *motion, thud_index k, bool begin, thud_joint_place *place, double origin[2]) {
  const thud_joint_class *kind = thud_joint_class_of(motion->model.joints[k].kind);
  const double *counted = motion->state.counted + 2 * (size_t)k, *from = motion->state.origin + 2 * (size_t)k;
  thud_joint_row q[2];
  kind->coordinates(place, q);
  for (int c = 0; c < 2; c++) {
    origin[c] = begin ? q[c].value : from[c];
    double now = q[c].value - origin[c], before = begin ? 0 : counted[c];
    place->counted[c] = q[c].is_angle ? before + remainder(now - before, 2 * PI) : now;
  }
}

void thud_bodies_count_coupling(body_motion *motion, thud_index k, thud_joint_place *place) {
  body_state *state = &motion->state;
  double *counted = state->counted + 2 * (size_t)k, *origin = state->origin + 2 * (size_t)k;
  if (thud_joint_class_of(motion->model.joints[k].kind)->coordinates == NULL) return;
  count_from(motion, k, !state->begun[k], place, origin);
  for (int c = 0; c < 2; c++) counted[c] = place->counted[c];
  state->begun[k] = true;
}

void thud_bodies_see_coupling(const body_motion *motion, thud_index k, thud_joint_place *place) {
  double origin[2];
  if (thud_joint_class_of(motion->model.joints[k].kind)->coordinates == NULL) return;
  count_from(motion, k, !motion->state.begun[k], place, origin);
}

double thud_bodies_size_of_coupling(const thud_joint *joint, const thud_joint_place *place, double *rounding) {
  double a = fabs(joint->radius_a) + fabs(joint->lead) / (2 * PI), b = fabs(joint->radius_b);
  *rounding =
      thud_joint_class_of(joint->kind)->coordinates != NULL
          ? a * fabs(place->counted[0]) + fmax(b, joint->kind == THUD_JOINT_GEAR ? 0 : 1) * fabs(place->counted[1])
          : 0;
  return a + b;
}

thud_index thud_bodies_uncounted_coupling(const body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  const thud_pose *pose = motion->state.pose;
  for (thud_index k = 0; k < model->joint_count; k++) {
    const thud_joint *joint = &model->joints[k];
    const thud_joint_class *kind = thud_joint_class_of(joint->kind);
    thud_joint_row q[2];
    if (kind->coordinates == NULL || !thud_bodies_joint_acts(motion, k)) continue;
    thud_joint_place place =
        thud_joint_place_at(joint, model->planar, &pose[joint->a], joint->b >= 0 ? &pose[joint->b] : NULL);
    kind->coordinates(&place, q);
    for (int c = 0; c < 2; c++) {
      double now = thud_bodies_rate_of_row(joint, &q[c], motion->state.velocity, motion->state.spin);
      double left = thud_bodies_rate_of_row(joint, &q[c], motion->state.velocity_left, motion->state.spin_left);
      if (q[c].is_angle && 0.5 * motion->h * fmax(fabs(now), fabs(left)) >= PI) return k;
    }
  }
  return -1;
}

thud_error thud_bodies_check_couplings(body_motion *motion) {
  const thud_bodies_view *model = &motion->model;
  const thud_pose *pose = motion->state.pose;
  for (thud_index k = 0; k < model->joint_count; k++) {
    const thud_joint *joint = &model->joints[k];
    const thud_joint_class *kind = thud_joint_class_of(joint->kind);
    if (kind->fault == NULL || motion->state.off[k]) continue;
    thud_joint_place place =
        thud_joint_place_at(joint, model->planar, &pose[joint->a], joint->b >= 0 ? &pose[joint->b] : NULL);
    const char *fault = kind->fault(&place);
    if (fault == NULL) continue;
    motion->refused = joint->a;
    return thud_fail(motion->base.context, THUD_ERROR_ARGUMENT, "[bad-joint] joint '%s': %s", joint->name, fault);
  }
  return THUD_OK;
}
