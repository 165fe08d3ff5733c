/* Models of rigid bodies: their joints, from a definition to the arrays of the view. */
#include "model/bodies.h"
#include "model/joint.h"

#include <math.h>

/* ---- places ---------------------------------------------------------------------------------------------------------- */

static bool has_b(const thud_joint_def *def) { return def->b.index1 != 0 || def->b.generation != 0; }

static thud_error fail_of_body(const thud_bodies *bodies) {
  return thud_fail(
      bodies->context, THUD_ERROR_NOT_FOUND,
      "[bad-joint] the id of one of its bodies names no body; it was removed, or the id is of another model");
}

static thud_error check_bodies(const thud_bodies *bodies, const thud_joint_def *def) {
  if (thud_bodies_row(bodies, def->a) < 0 || (has_b(def) && thud_bodies_row(bodies, def->b) < 0))
    return fail_of_body(bodies);
  const thud_body_def *a = &bodies->rows[thud_bodies_row(bodies, def->a)];
  if (has_b(def) && def->a.index1 == def->b.index1)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint] it joins body '%s' to itself; give another body, or none for the world", a->name);
  bool b_moves = has_b(def) && bodies->rows[thud_bodies_row(bodies, def->b)].role == THUD_BODY_DYNAMIC;
  if (a->role != THUD_BODY_DYNAMIC && !b_moves)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint] neither of its bodies moves by forces ('%s' is %s); join a dynamic body", a->name,
                     a->role == THUD_BODY_FIXED ? "fixed" : "kinematic");
  return THUD_OK;
}

/* A rotation that turns x into the axis, in the plane about z. */
static thud_quat frame_of(const thud_bodies *bodies, thud_vec3 axis) {
  thud_vec3 x = {1, 0, 0}, turn = thud_vec3_cross(x, axis);
  double cosine = thud_vec3_dot(x, axis);
  thud_quat half = thud_quat_make(1 + cosine, turn.x, turn.y, turn.z);
  if (bodies->planar) return thud_quat_from_rotation_vector(thud_vec3_make(0, 0, atan2(axis.y, axis.x)));
  if (!(thud_quat_norm(half) > 1e-6)) half = thud_quat_make(0, 0, 0, 1); /* half a turn, about z as about any normal */
  return thud_quat_normalise(half);
}

thud_error thud_bodies_place_joint(const thud_bodies *bodies, thud_vec3 point, const thud_vec3 *axis,
                                   thud_joint_def *def) {
  THUD_REQUIRE_OF(bodies, def);
  thud_vec3 direction = axis != NULL ? *axis : thud_vec3_make(1, 0, 0);
  thud_index a = thud_bodies_row(bodies, def->a), b = has_b(def) ? thud_bodies_row(bodies, def->b) : -1;
  if (a < 0 || (has_b(def) && b < 0)) return fail_of_body(bodies);
  thud_error error = thud_bodies_check_vector(bodies, "the place of the joint", point);
  if (error == THUD_OK) error = thud_bodies_check_vector(bodies, "the axis of the joint", direction);
  if (error != THUD_OK) return error;
  if (!thud_vec3_normalise(direction, &direction))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint] the axis of the joint is 0 and has no direction");
  const thud_pose world = thud_pose_identity(), *at_a = &bodies->rows[a].pose;
  const thud_pose *at_b = b >= 0 ? &bodies->rows[b].pose : &world;
  thud_quat frame = frame_of(bodies, direction);
  def->point_a = thud_quat_rotate_inverse(at_a->rotation, thud_vec3_subtract(point, at_a->position));
  def->point_b = thud_quat_rotate_inverse(at_b->rotation, thud_vec3_subtract(point, at_b->position));
  def->frame_a = thud_quat_normalise(thud_quat_multiply(thud_quat_conjugate(at_a->rotation), frame));
  def->frame_b = thud_quat_normalise(thud_quat_multiply(thud_quat_conjugate(at_b->rotation), frame));
  return THUD_OK;
}

/* ---- laws at coordinates --------------------------------------------------------------------------------------------- */

static bool is_law(const thud_joint_law *law) {
  return law->limited[0] || law->limited[1] || law->motor != THUD_JOINT_MOTOR_NONE || law->friction > 0 ||
         law->pin > 0 || law->stiffness > 0 || law->damping > 0;
}

static thud_error check_law(const thud_bodies *bodies, const thud_joint_law *law) {
  const double numbers[] = {law->start,
                            law->limited[0] ? law->limit[0] : 0,
                            law->limited[1] ? law->limit[1] : 0,
                            law->restitution,
                            law->at_most,
                            law->time,
                            law->friction,
                            law->pin,
                            law->thread,
                            law->rest,
                            law->stiffness,
                            law->damping};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    if (!isfinite(numbers[k]))
      return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                       "[bad-joint-law] a number of its limits, motor, friction or spring is not finite");
  if (!(law->restitution >= 0 && law->restitution <= 1))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] the restitution of its limits is %g, not 0..1", law->restitution);
  if (law->at_most < 0 || law->time < 0 || law->friction < 0 || law->pin < 0)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] a friction, or the time or bound of its motor is negative");
  if (law->stiffness < 0 || law->damping < 0)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] the stiffness or the damping of its spring is negative");
  if (law->limited[0] && law->limited[1] && !(law->limit[0] <= law->limit[1]))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] its upper limit %g is below its lower limit %g; write the lower one first",
                     law->limit[1], law->limit[0]);
  if (law->motor < THUD_JOINT_MOTOR_NONE || law->motor > THUD_JOINT_MOTOR_POSITION)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT, "[bad-joint-law] unknown motor %d; see thud_joint_motor",
                     law->motor);
  if (law->motor != THUD_JOINT_MOTOR_NONE && !(law->at_most > 0))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] its motor has no bound: say how much force or torque it has at most (at_most)");
  return THUD_OK;
}

/* Slope of a screw's thread. */
static double tan_of(const thud_joint_def *def) { return fabs(def->lead) / (6.283185307179586 * def->law[0].thread); }

/* Laws that make no sense at a coordinate of this kind. */
static thud_error check_law_kind(const thud_bodies *bodies, const thud_joint_def *def, int c) {
  thud_coordinate_kind kind = thud_joint_free(def->kind, bodies->planar, c);
  const thud_joint_law *law = &def->law[c];
  bool rubs = law->friction > 0 || law->pin > 0,
       across = kind == THUD_COORDINATE_PLACE_Y || kind == THUD_COORDINATE_PLACE_Z;
  if (across && rubs)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] friction of a planar joint would depend on its axes; let its bodies touch "
                     "instead, or give friction to the angle");
  if (kind == THUD_COORDINATE_OPENING && (rubs || law->motor != THUD_JOINT_MOTOR_NONE))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] the equation of a %s takes limits and a spring; give motors and friction to the "
                     "hinges and sliders of its bodies",
                     thud_joint_class_of(def->kind)->name);
  if (kind == THUD_COORDINATE_DISTANCE && (law->stiffness > 0 || law->damping > 0))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] a rope has no spring; add a spring between the same points beside it");
  if (kind == THUD_COORDINATE_SWING && (law->stiffness > 0 || law->damping > 0))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] the swing of a ball joint has no spring; give one to its twist, or add springs "
                     "between points");
  if (def->kind == THUD_JOINT_SCREW && law->pin > 0 && !(law->thread > 0 && tan_of(def) * law->pin < 1))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint-law] a screw with friction by its force needs the radius of its thread, and mu "
                     "below 2 pi radius/lead");
  return THUD_OK;
}

static thud_error check_laws(const thud_bodies *bodies, thud_joint_def *def) {
  int count = thud_joint_coordinates(def->kind, bodies->planar);
  for (int c = 0; c < THUD_JOINT_LAWS; c++) {
    thud_joint_law *law = &def->law[c];
    if (def->kind == THUD_JOINT_ROPE && c == 0 && !law->limited[1]) {
      law->limited[1] = true;
      law->limit[1] = def->length;
    }
    if (c >= count && is_law(law))
      return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                       "[bad-joint-law] a %s joint has %s coordinate for limits, motors, friction or springs",
                       thud_joint_class_of(def->kind)->name, count > 0 ? "no further" : "no");
    thud_error error = check_law(bodies, law);
    if (error == THUD_OK && c < count) error = check_law_kind(bodies, def, c);
    if (error != THUD_OK) return error;
  }
  return THUD_OK;
}

/* ---- one joint ------------------------------------------------------------------------------------------------------- */

/* Numbers of couplings. */
static thud_error check_numbers(const thud_bodies *bodies, const thud_joint_class *kind, const thud_joint_def *def) {
  const struct {
    int kind;
    const char *name;
    double value;
    const char *hint;
  } needed[] = {{THUD_JOINT_GEAR, "radius_a", def->radius_a, "an angle that is multiplied by 0 is not coupled"},
                {THUD_JOINT_GEAR, "radius_b", def->radius_b, "an angle that is multiplied by 0 is not coupled"},
                {THUD_JOINT_RACK, "radius", def->radius_a, "an angle that is multiplied by 0 is not coupled"},
                {THUD_JOINT_SCREW, "lead", def->lead, "a screw that does not advance is a hinge"},
                {THUD_JOINT_PULLEY, "ratio", def->ratio, "the other end of the rope would be free"}};
  for (size_t k = 0; k < sizeof needed / sizeof *needed; k++) {
    if (needed[k].kind != def->kind) continue;
    if (!isfinite(needed[k].value) || needed[k].value == 0)
      return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                       "[bad-joint] %s of a %s must be finite and not 0, not %g: %s", needed[k].name, kind->name,
                       needed[k].value, needed[k].hint);
  }
  if (def->kind != THUD_JOINT_PULLEY) return THUD_OK;
  if (!has_b(def))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint] a pulley holds two bodies; take a rod to hold one at a place of the world");
  thud_error error = thud_bodies_check_vector(bodies, "over_a", def->over_a);
  if (error == THUD_OK) error = thud_bodies_check_vector(bodies, "over_b", def->over_b);
  return error == THUD_OK ? thud_bodies_check_positive(bodies, "ratio", def->ratio) : error;
}

static thud_error check_joint(const thud_bodies *bodies, thud_joint_def *def) {
  thud_pose frame_a = {def->point_a, def->frame_a}, frame_b = {def->point_b, def->frame_b};
  if (def->kind < 0 || def->kind >= THUD_JOINT_KINDS)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT, "[bad-joint] unknown kind %d; see thud_joint_kind",
                     def->kind);
  const thud_joint_class *kind = thud_joint_class_of(def->kind);
  if (bodies->planar && !kind->in_plane)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint] a %s joint is one of space; the plane has ball, hinge, slider, fixed, rod, "
                     "gear, rack, pulley and rope",
                     kind->name);
  thud_error error = check_bodies(bodies, def);
  if (error == THUD_OK) error = thud_bodies_check_pose(bodies, &frame_a);
  if (error == THUD_OK) error = thud_bodies_check_pose(bodies, &frame_b);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "length", def->length);
  if (error != THUD_OK) return error;
  if (kind->has_length && !(def->length > 0))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-joint] a %s of length 0 has no direction; give a length > 0%s", kind->name,
                     def->kind == THUD_JOINT_ROD ? ", or take a ball joint" : "");
  error = check_numbers(bodies, kind, def);
  if (error != THUD_OK) return error;
  def->frame_a = frame_a.rotation;
  def->frame_b = frame_b.rotation;
  return check_laws(bodies, def);
}

thud_error thud_bodies_add_joint(thud_bodies *bodies, const thud_joint_def *def) {
  THUD_REQUIRE_OF(bodies, def);
  thud_joint_def own = thud_joint_def_default();
  thud_error error = thud_bodies_take_def(bodies->context, "joint", def, sizeof own, &own);
  if (error != THUD_OK) return error;
  char *name = thud_bodies_copy_name(bodies->context, own.name, "joint", bodies->joints_added + 1);
  if (name == NULL) return THUD_ERROR_MEMORY;
  own.name = name;
  error = check_joint(bodies, &own);
  if (error != THUD_OK) error = thud_fail_within(bodies->context, error, "joint '%s'", name);
  if (error == THUD_OK && bodies->joint_count >= (size_t)INT32_MAX / THUD_JOINT_ROWS)
    error = thud_fail(bodies->context, THUD_ERROR_OVERFLOW, "[bad-joint] bodies: more than %d joints are not possible",
                      INT32_MAX / THUD_JOINT_ROWS);
  if (error == THUD_OK &&
      (name[0] == '\0' || thud_names_find(&bodies->joint_names, name, strlen(name)) != THUD_NAMES_NONE))
    error = thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-joint] bodies: there is a joint '%s' already, or the name is empty; names of joints must differ", name);
  if (error == THUD_OK)
    error = thud_array_reserve(bodies->context, &bodies->joints, &bodies->joint_capacity, bodies->joint_count + 1,
                               sizeof *bodies->joints);
  if (error == THUD_OK) error = thud_names_add(&bodies->joint_names, name, strlen(name), bodies->joints_added, NULL);
  if (error != THUD_OK) {
    thud_free(bodies->context, name);
    return error;
  }
  bodies->joints[bodies->joint_count++] = own;
  bodies->joints_added++;
  thud_bodies_touch_model(bodies);
  return THUD_OK;
}

/* ---- all joints ------------------------------------------------------------------------------------------------------ */

bool thud_bodies_is_joint_alive(const thud_bodies *bodies, const thud_joint_def *def) {
  return thud_bodies_row(bodies, def->a) >= 0 && (!has_b(def) || thud_bodies_row(bodies, def->b) >= 0);
}

static void free_joint(thud_bodies *bodies, const thud_joint_def *def) {
  thud_names_remove(&bodies->joint_names, def->name, strlen(def->name));
  thud_free(bodies->context, (void *)(uintptr_t)def->name);
}

void thud_bodies_sweep_joints(thud_bodies *bodies) {
  size_t kept = 0;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    if (thud_bodies_is_joint_alive(bodies, &bodies->joints[k]))
      bodies->joints[kept++] = bodies->joints[k];
    else
      free_joint(bodies, &bodies->joints[k]);
  }
  bodies->joint_count = kept;
}

void thud_bodies_free_joints(thud_bodies *bodies) {
  for (size_t k = 0; k < bodies->joint_count; k++) free_joint(bodies, &bodies->joints[k]);
  thud_names_free(&bodies->joint_names);
  thud_free(bodies->context, bodies->joints);
}

/* Points relative to the centres of mass. */
void thud_bodies_derive_joints(thud_bodies *bodies) {
  thud_bodies_derived *d = &bodies->derived;
  for (size_t k = 0; k < bodies->joint_count; k++) {
    const thud_joint_def *def = &bodies->joints[k];
    thud_index a = thud_bodies_row(bodies, def->a), b = has_b(def) ? thud_bodies_row(bodies, def->b) : -1;
    thud_vec3 point_b = b >= 0 ? thud_vec3_subtract(def->point_b, d->centre[b]) : def->point_b;
    d->joints[k] = (thud_joint){.name = def->name,
                                .kind = def->kind,
                                .a = a,
                                .b = b,
                                .point_a = thud_vec3_subtract(def->point_a, d->centre[a]),
                                .point_b = point_b,
                                .frame_a = def->frame_a,
                                .frame_b = def->frame_b,
                                .length = def->length,
                                .touch = def->touch,
                                .absent = def->absent,
                                .radius_a = def->radius_a,
                                .radius_b = def->radius_b,
                                .lead = def->lead,
                                .ratio = def->ratio,
                                .over_a = def->over_a,
                                .over_b = def->over_b};
    for (int c = 0; c < THUD_JOINT_LAWS; c++) {
      d->joints[k].law[c] = def->law[c];
      if (is_law(&def->law[c])) d->joints[k].law_count = c + 1;
    }
  }
}
