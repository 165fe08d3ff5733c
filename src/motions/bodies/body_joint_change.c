/* Joints of a running motion: detached, attached, and their motors switched (body_change.c has the changes of bodies). */
#include "motions/bodies/body_motion.h"

#include <math.h>
#include <string.h>

/* ---- which joint ----------------------------------------------------------------------------------------------------- */

/* Number of the joint in the view; -1: there is none of this name. */
static thud_index number_of(const body_motion *motion, const char *name) {
  for (thud_index k = 0; k < motion->model.joint_count; k++)
    if (strcmp(motion->model.joints[k].name, name) == 0) return k;
  return -1;
}

static thud_error begin(body_motion *motion, const char *name, thud_index *k) {
  thud_error error = thud_bodies_begin_change(motion);
  if (error != THUD_OK) return error;
  *k = number_of(motion, name);
  if (*k >= 0) return THUD_OK;
  return thud_fail(motion->base.context, THUD_ERROR_NOT_FOUND, "[bad-change] there is no joint '%s'", name);
}

/* Both ends go on from here with another joint. */
static thud_error disturb(body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  thud_error error = THUD_OK;
  motion->is_held = false;
  for (int side = 0; side < 2 && error == THUD_OK; side++) {
    thud_index i = side == 0 ? joint->a : joint->b;
    if (i < 0) continue;
    motion->state.jolted[i] = true;
    error = thud_bodies_wake_around(motion, i);
  }
  return error;
}

/* ---- detaching, attaching -------------------------------------------------------------------------------------------- */

static void switch_joint(body_motion *motion, thud_index k, bool off) {
  motion->state.off[k] = off;
  motion->state.begun[k] = false;
  thud_bodies_list_joined(motion);
}

/* Energy that springs of the joint bring or take. */
static void book_energy(body_motion *motion, double energy) {
  motion->state.now->ledger.work += energy;
  motion->state.now->ledger.potential += energy;
}

thud_error thud_body_motion_detach(thud_motion *motion, const char *joint) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, joint);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_index k;
  thud_error error = begin(own, joint, &k);
  if (error != THUD_OK) return error;
  if (own->state.off[k])
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT, "[bad-change] joint '%s' does not act: it is detached",
                     joint);
  const thud_joint *of = &own->model.joints[k];
  bool both = thud_bodies_joint_acts(own, k) && of->b >= 0, begun = own->state.begun[k];
  double energy = thud_bodies_joint_energy(own, k);
  thud_body_change change = {.kind = THUD_BODY_CHANGE_DETACH, .body = -1, .joint = k};
  switch_joint(own, k, true);
  if (both && !own->options.relax) error = thud_bodies_check_overlap(own, of->a);
  if (error == THUD_OK) error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) {
    book_energy(own, -energy);
    return disturb(own, k);
  }
  switch_joint(own, k, false);
  own->state.begun[k] = begun;
  return error;
}

/* Coordinates count from `start`, whatever they were before. */
static void begin_coordinates(body_motion *motion, thud_index k) {
  const thud_joint *joint = &motion->model.joints[k];
  for (int c = 0; c < THUD_JOINT_LAWS; c++)
    motion->state.coordinate[(size_t)k * THUD_JOINT_LAWS + (size_t)c] = joint->law[c].start;
  memset(motion->state.law_impulse + (size_t)k * THUD_JOINT_LAWS * BODY_LAW_KINDS, 0,
         (size_t)THUD_JOINT_LAWS * BODY_LAW_KINDS * sizeof *motion->state.law_impulse);
}

thud_error thud_body_motion_attach(thud_motion *motion, const char *joint) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, joint);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_index k;
  thud_error error = begin(own, joint, &k);
  if (error != THUD_OK) return error;
  const thud_joint *of = &own->model.joints[k];
  if (!own->state.off[k])
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT, "[bad-change] joint '%s' acts already", joint);
  if (!thud_bodies_is_there(own, of->a) || (of->b >= 0 && !thud_bodies_is_there(own, of->b)))
    return thud_fail(own->base.context, THUD_ERROR_ARGUMENT, "[bad-change] a body of joint '%s' is not there", joint);
  thud_body_change change = {.kind = THUD_BODY_CHANGE_ATTACH, .body = -1, .joint = k};
  begin_coordinates(own, k);
  switch_joint(own, k, false);
  error = thud_bodies_check_fit(own, k);
  if (error == THUD_OK) error = thud_bodies_tell_change(own, &change);
  if (error == THUD_OK) {
    for (int c = 0; c < of->law_count; c++)
      own->state.coordinate[(size_t)k * THUD_JOINT_LAWS + (size_t)c] = thud_bodies_coordinate(own, k, c).value;
    book_energy(own, thud_bodies_joint_energy(own, k));
    return disturb(own, k);
  }
  switch_joint(own, k, true);
  return error;
}

bool thud_body_motion_is_attached(const thud_motion *motion, const char *joint) {
  THUD_MOTION_OF_OR(false, motion, &thud_body_motion_type);
  const body_motion *own = (const body_motion *)motion;
  if (joint == NULL || thud_bodies_follow_model((body_motion *)own) != THUD_OK) return false;
  thud_index k = number_of(own, joint);
  return k >= 0 && thud_bodies_joint_acts(own, k);
}

/* ---- motors ---------------------------------------------------------------------------------------------------------- */

/* The motor after the change. */
static thud_error take_motor(const body_motion *motion, const thud_joint *joint, int c, const thud_body_motor *given,
                             body_motor *motor) {
  thud_context *context = motion->base.context;
  thud_body_motor wanted = thud_body_motor_default();
  thud_error error = thud_bodies_take_def(context, "motor", given, sizeof wanted, &wanted);
  if (error != THUD_OK) return error;
  if (c < 0 || c >= joint->law_count)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-change] joint '%s' has no law at coordinate %d: give it a motor in the model", joint->name,
                     c);
  if (wanted.motor < THUD_JOINT_MOTOR_NONE || wanted.motor > THUD_JOINT_MOTOR_POSITION || !isfinite(wanted.target) ||
      !isfinite(wanted.at_most))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-change] joint '%s': the motor is of no kind, or its target or bound is not finite",
                     joint->name);
  if (wanted.motor != THUD_JOINT_MOTOR_NONE)
    *motor = (body_motor){.kind = wanted.motor, .target = wanted.target, .at_most = motor->at_most};
  if (motor->kind == THUD_JOINT_MOTOR_NONE)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-change] joint '%s' has no motor: give it a speed or a position to reach", joint->name);
  if (wanted.at_most >= 0) motor->at_most = wanted.at_most;
  return THUD_OK;
}

thud_error thud_body_motion_set_motor(thud_motion *motion, const char *joint, int coordinate,
                                      const thud_body_motor *motor) {
  THUD_REQUIRE(motion != NULL ? motion->context : NULL, motion, joint, motor);
  THUD_MOTION_OF(motion, &thud_body_motion_type);
  body_motion *own = (body_motion *)motion;
  thud_index k;
  thud_error error = begin(own, joint, &k);
  if (error != THUD_OK) return error;
  size_t place = (size_t)k * THUD_JOINT_LAWS;
  if (coordinate > 0 && coordinate < THUD_JOINT_LAWS) place += (size_t)coordinate;
  body_motor after = own->state.motor[place];
  error = take_motor(own, &own->model.joints[k], coordinate, motor, &after);
  if (error != THUD_OK) return error;
  thud_body_change change = {.kind = THUD_BODY_CHANGE_MOTOR,
                             .body = -1,
                             .joint = k,
                             .coordinate = coordinate,
                             .motor = after.kind,
                             .drives = after.drives != 0,
                             .target = after.target,
                             .at_most = after.at_most};
  error = thud_bodies_tell_change(own, &change);
  if (error != THUD_OK) return error;
  own->state.motor[place] = after;
  return disturb(own, k);
}
