/* Models of rigid bodies: checks of the numbers that are given. Messages say what is wrong and what to do; whoever calls
 * puts the name of the body, the part or the material in front. */
#include "model/bodies.h"

thud_error thud_bodies_take_def(thud_context *context, const char *what, const void *given, size_t size, void *own) {
  size_t known;
  memcpy(&known, given, sizeof known);
  if (known < sizeof known || known > size)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%s: the definition has a size of %zu bytes, this library knows %zu; begin with the default", what,
                     known, size);
  memcpy(own, given, known);
  memcpy(own, &size, sizeof size);
  return THUD_OK;
}

static bool is_finite(thud_vec3 v) { return isfinite(v.x) && isfinite(v.y) && isfinite(v.z); }

thud_error thud_bodies_check_vector(const thud_bodies *bodies, const char *what, thud_vec3 v) {
  if (!is_finite(v))
    return thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "%s (%g, %g, %g) is not finite", what, v.x, v.y, v.z);
  if (bodies->planar && v.z != 0)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[not-planar] %s (%g, %g, %g) lies out of the plane; in a planar model z is 0", what, v.x, v.y,
                     v.z);
  return THUD_OK;
}

thud_error thud_bodies_check_positive(const thud_bodies *bodies, const char *what, double value) {
  if (!isfinite(value)) return thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "%s is not finite", what);
  if (value < 0)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT, "[out-of-range] %s %g is negative; it must be at least 0",
                     what, value);
  return THUD_OK;
}

/* Quaternions written with two or three digits are still near norm 1. */
static const double FAR_FROM_UNIT = 0.01;
/* Components of a planar rotation about x and y that are rounding errors. */
static const double OUT_OF_PLANE = 1e-9;

thud_error thud_bodies_check_pose(const thud_bodies *bodies, thud_pose *pose) {
  thud_error error = thud_bodies_check_vector(bodies, "position", pose->position);
  if (error != THUD_OK) return error;
  thud_quat q = pose->rotation;
  double norm = thud_quat_norm(q);
  if (!isfinite(norm))
    return thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "[bad-rotation] rotation (%g, %g, %g, %g) is not finite",
                     q.w, q.x, q.y, q.z);
  if (fabs(norm - 1) > FAR_FROM_UNIT)
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-rotation] rotation (%g, %g, %g, %g) is a quaternion of norm %g; rotations have norm 1 (w, x, y, z; "
        "none: 1, 0, 0, 0)",
        q.w, q.x, q.y, q.z, norm);
  if (bodies->planar) {
    if (fabs(q.x) > OUT_OF_PLANE || fabs(q.y) > OUT_OF_PLANE)
      return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                       "[not-planar] rotation (%g, %g, %g, %g) turns out of the plane; in a planar model x and y are 0",
                       q.w, q.x, q.y, q.z);
    q.x = q.y = 0;
  }
  pose->rotation = thud_quat_normalise(q);
  return THUD_OK;
}

thud_error thud_bodies_check_turn(const thud_bodies *bodies, const char *what, thud_vec3 turn) {
  if (!is_finite(turn))
    return thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "%s (%g, %g, %g) is not finite", what, turn.x, turn.y,
                     turn.z);
  if (bodies->planar && (turn.x != 0 || turn.y != 0))
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[not-planar] %s (%g, %g, %g) turns out of the plane; in a planar model x and y are 0", what,
                     turn.x, turn.y, turn.z);
  return THUD_OK;
}

static thud_error check_motion(const thud_bodies *bodies, const thud_body_def *def) {
  thud_error error = thud_bodies_check_vector(bodies, "velocity", def->velocity);
  if (error == THUD_OK) error = thud_bodies_check_turn(bodies, "spin", def->spin);
  if (error != THUD_OK) return error;
  bool moves = thud_vec3_norm(def->velocity) > 0 || thud_vec3_norm(def->spin) > 0;
  if (def->role == THUD_BODY_FIXED && moves)
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-role] it is fixed and has a velocity or a spin; leave them 0, or make it kinematic with a path");
  return THUD_OK;
}

static thud_error check_role(const thud_bodies *bodies, const thud_body_def *def) {
  if (def->role < THUD_BODY_DYNAMIC || def->role > THUD_BODY_KINEMATIC)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-role] unknown role %d; there are dynamic (0), fixed (1) and kinematic (2)", def->role);
  if (def->role == THUD_BODY_KINEMATIC && def->path == NULL)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-role] it is kinematic and has no path; give a path, or make it fixed");
  if (def->role != THUD_BODY_KINEMATIC && def->path != NULL)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-role] it has a path and is not kinematic; set its role");
  if (def->role != THUD_BODY_DYNAMIC && def->force != NULL)
    return thud_fail(
        bodies->context, THUD_ERROR_ARGUMENT,
        "[bad-role] it has a force and is %s: no force moves it; leave the force out or make the body dynamic",
        def->role == THUD_BODY_FIXED ? "fixed" : "kinematic");
  return THUD_OK;
}

bool thud_bodies_is_zero(thud_mat3 inertia) {
  double a[9], largest = 0;
  thud_mat3_store(inertia, a);
  for (int k = 0; k < 9; k++) largest = thud_larger(largest, fabs(a[k]));
  return largest == 0;
}

/* The inertia as it was given: finite, and of some body. Its size against the mass is the whole's (bodies_mass.c). */
static thud_error check_given_inertia(const thud_bodies *bodies, const thud_body_def *def) {
  thud_mat3 I = def->inertia;
  if (!is_finite(I.cx) || !is_finite(I.cy) || !is_finite(I.cz))
    return thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "[bad-inertia] inertia is not finite");
  if (thud_bodies_is_zero(I)) return THUD_OK;
  if (def->mass == 0)
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-inertia] it has an inertia and no mass; give both, or densities of the parts and neither");
  if (bodies->planar) {
    if (I.cz.z > 0) return THUD_OK;
    return thud_fail(bodies->context, THUD_ERROR_ARGUMENT,
                     "[bad-inertia] inertia %g about z is not positive; in a planar model that entry (cz.z) counts",
                     I.cz.z);
  }
  const char *wrong = thud_inertia_check(I);
  if (wrong == NULL) return THUD_OK;
  return thud_fail(
      bodies->context, THUD_ERROR_ARGUMENT,
      "[bad-inertia] no body has the inertia that is given: %s; it is about the centre of mass, in the body's frame",
      wrong);
}

thud_error thud_bodies_check_body(const thud_bodies *bodies, thud_body_def *def) {
  thud_error error = check_role(bodies, def);
  if (error == THUD_OK) error = thud_bodies_check_pose(bodies, &def->pose);
  if (error == THUD_OK) error = check_motion(bodies, def);
  if (error == THUD_OK) error = thud_bodies_check_positive(bodies, "mass", def->mass);
  if (error == THUD_OK) error = thud_bodies_check_vector(bodies, "centre", def->centre);
  if (error == THUD_OK) error = check_given_inertia(bodies, def);
  if (error == THUD_OK && !isfinite(def->gravity_scale))
    error = thud_fail(bodies->context, THUD_ERROR_NOT_FINITE, "gravity_scale is not finite");
  return error;
}
