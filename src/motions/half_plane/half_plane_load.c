/* Loads of a punch: scaled for the search for states, and the answer in the units of the caller. */
#include "motions/half_plane/half_plane_punch.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- what is asked for ---------------------------------------------------------------------------------- */

static thud_error check_guess(thud_punch *punch, const signed char *guess) {
  for (thud_index i = 0; guess != NULL && i < punch->n; i++)
    if (guess[i] < THUD_PUNCH_BACKWARD || guess[i] > THUD_PUNCH_OPEN)
      return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: state %d is guessed for element %d; -1..2 exist",
                       (int)guess[i], (int)i);
  return THUD_OK;
}

static thud_error check_drive(thud_punch *punch, const thud_punch_drive *drive) {
  const double numbers[] = {drive->normal, drive->tangential, drive->rotation, drive->pivot, drive->datum};
  static const char *const names[] = {"normal", "tangential", "rotation", "pivot", "datum"};
  for (size_t k = 0; k < sizeof numbers / sizeof *numbers; k++)
    if (!isfinite(numbers[k]))
      return thud_fail(punch->context, THUD_ERROR_NOT_FINITE, "punch: the drive's '%s' is %g", names[k], numbers[k]);
  if (drive->datum < 0)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: the datum %g is a distance, 0: one unit of length",
                     drive->datum);
  if (drive->moment_given && drive->depth_given)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: a given moment goes with a given force, not a depth");
  double datum = drive->datum > 0 ? drive->datum : 1, half = punch->plane->length;
  if ((drive->depth_given || drive->shift_given) && punch->plane->period == 0 && !(datum > 0.5 * half))
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT,
                     "punch: with a given displacement the datum must be more than half the mesh's half-width (%g), "
                     "not %g: a deeper punch would press less",
                     half, datum);
  return THUD_OK;
}

/* Gap before loading, tilted as given. */
static double tilted_gap(const thud_punch *punch, thud_index i) {
  const thud_half_plane *plane = punch->plane;
  double tilt = punch->drive.moment_given ? 0 : punch->drive.rotation;
  return punch->profile[i] + tilt * (plane->origin + plane->length * plane->middle[i] - punch->drive.pivot);
}

static double least_gap(const thud_punch *punch) {
  double least = INFINITY;
  for (thud_index i = 0; i < punch->n; i++) least = fmin(least, tilted_gap(punch, i));
  return least;
}

/* Forces that no tractions can balance. */
static bool has_no_equilibrium(const thud_punch *punch) {
  const thud_punch_drive *drive = &punch->drive;
  const thud_half_plane *plane = punch->plane;
  double F = punch->options.friction, P = drive->normal, Q = drive->shift_given ? 0 : drive->tangential;
  if (drive->depth_given) return F == 0 && Q != 0;
  if (P < 0 || fabs(Q) > F * P + 1e-12 * F * P) return true;
  if (!drive->moment_given) return false;
  double left = plane->origin + plane->length * plane->middle[0] - drive->pivot;
  double right = plane->origin + plane->length * plane->middle[plane->n - 1] - drive->pivot;
  return P == 0 ? drive->rotation != 0 : drive->rotation <= P * left || drive->rotation >= P * right;
}

static bool is_lifted(const thud_punch *punch) {
  return punch->drive.depth_given ? punch->drive.normal <= least_gap(punch) : punch->drive.normal == 0;
}

/* ---- scaling -------------------------------------------------------------------------------------------- */

static double unit_of(const thud_punch *punch) { return 2 * punch->force / punch->plane->material.modulus; }

static void scale_load(thud_punch *punch) {
  const thud_punch_drive *drive = &punch->drive;
  const thud_half_plane *plane = punch->plane;
  double datum = drive->datum > 0 ? drive->datum : 1;
  punch->log_length = plane->period > 0 ? 0 : (log(plane->length) - log(datum)) / pi;
  punch->force =
      drive->depth_given ? 0.5 * plane->material.modulus * (drive->normal - least_gap(punch)) : drive->normal;
  double unit = unit_of(punch);
  punch->normal = drive->depth_given ? drive->normal / unit : 1;
  punch->tangential = drive->tangential / (drive->shift_given ? unit : punch->force);
  punch->moment = drive->moment_given ? drive->rotation / (punch->force * plane->length) : 0;
  punch->pivot = (drive->pivot - plane->origin) / plane->length;
  punch->tilt = 0;
  for (thud_index i = 0; i < punch->n; i++) {
    punch->gap0[i] = tilted_gap(punch, i) / unit;
    punch->v0[i] = punch->old[i] / unit;
  }
}

/* Whether everything slides, and which way; 0: states decide. */
static int direction_of_sliding(const thud_punch *punch) {
  const thud_punch_drive *drive = &punch->drive;
  if (punch->options.friction == 0) return drive->shift_given || drive->tangential >= 0 ? 1 : -1;
  if (drive->shift_given || drive->depth_given) return 0;
  double limit = punch->options.friction * drive->normal;
  if (fabs(drive->tangential) < limit - 1e-12 * limit) return 0;
  return drive->tangential < 0 ? -1 : 1;
}

/* ---- where to start ------------------------------------------------------------------------------------- */

/* The contact without friction: where to start. */
static thud_error find_contact(thud_punch *punch, int *sweeps) {
  bool found = false;
  punch->friction = 0;
  punch->sliding = 1;
  for (thud_index i = 0; i < punch->n; i++) punch->state[i] = THUD_PUNCH_FORWARD;
  return thud_punch_find_states(punch, sweeps, &found);
}

/* States to start from: at least one element in contact, and one that sticks unless everything slides. */
static void start_from(thud_punch *punch, const signed char *guess) {
  thud_index touching = -1, sticking = -1, nearest = 0;
  for (thud_index i = 0; i < punch->n; i++) {
    if (guess != NULL)
      punch->state[i] = guess[i];
    else if (punch->state[i] != THUD_PUNCH_OPEN)
      punch->state[i] = THUD_PUNCH_STICK;
    if (punch->sliding != 0 && punch->state[i] != THUD_PUNCH_OPEN) punch->state[i] = (signed char)punch->sliding;
    if (punch->state[i] != THUD_PUNCH_OPEN) touching = i;
    if (punch->state[i] == THUD_PUNCH_STICK) sticking = i;
    if (punch->gap0[i] < punch->gap0[nearest]) nearest = i;
  }
  bool any = punch->sliding != 0 || punch->drive.shift_given ? touching >= 0 : sticking >= 0;
  if (!any) punch->state[nearest] = punch->sliding != 0 ? (signed char)punch->sliding : (signed char)THUD_PUNCH_STICK;
  thud_punch_keep_touching(punch);
}

/* ---- the answer ----------------------------------------------------------------------------------------- */

static void take_answer(thud_punch *punch) {
  const thud_half_plane *plane = punch->plane;
  double unit = unit_of(punch);
  for (thud_index i = 0; i < punch->n; i++) {
    double width = plane->width[i] * plane->length;
    bool open = punch->state[i] == THUD_PUNCH_OPEN;
    punch->pressure[i] = punch->f[i] * punch->force / width;
    punch->traction[i] = punch->t[i] * punch->force / width;
    punch->real_gap[i] = open ? punch->gap[i] * unit : 0;
    punch->real_slip[i] = !open && punch->state[i] == THUD_PUNCH_STICK ? 0 : punch->slip[i] * unit;
    punch->displacement[i] = punch->real_slip[i] + punch->old[i];
  }
}

static void show_arrays(const thud_punch *punch, thud_punch_result *result) {
  result->pressure = punch->pressure;
  result->traction = punch->traction;
  result->gap = punch->real_gap;
  result->displacement = punch->displacement;
  result->slip = punch->real_slip;
  result->state = punch->state;
}

/* Sum of f (x - pivot). */
static double moment_of(thud_punch *punch) {
  double sum = 0;
  for (thud_index i = 0; i < punch->n; i++) sum += punch->f[i] * (punch->plane->middle[i] - punch->pivot);
  return sum;
}

static void report(thud_punch *punch, thud_punch_result *result) {
  const thud_half_plane *plane = punch->plane;
  const thud_punch_drive *drive = &punch->drive;
  double unit = unit_of(punch);
  double f = thud_sum(punch->context, (size_t)punch->n, punch->f);
  double t = thud_sum(punch->context, (size_t)punch->n, punch->t);
  result->normal = drive->depth_given ? f * punch->force : drive->normal;
  result->tangential = drive->shift_given ? t * punch->force : drive->tangential;
  double P = drive->depth_given ? f : 1, Q = drive->shift_given ? t : punch->tangential;
  result->depth = drive->depth_given ? drive->normal : unit * (punch->depth - punch->log_length * P);
  result->shift = drive->shift_given ? drive->tangential : unit * (punch->shift + punch->log_length * Q);
  result->tilt = drive->moment_given ? punch->tilt * unit / plane->length : drive->rotation;
  result->moment = drive->moment_given ? drive->rotation : moment_of(punch) * punch->force * plane->length;
  result->law_error = fmax(0, thud_punch_violation(punch));
  result->force_error = hypot(f - P, t - Q);
  show_arrays(punch, result);
  thud_punch_find_zones(punch, result);
}

/* Nothing touches. A punch without force hangs where it would touch. */
static void answer_lifted(thud_punch *punch, thud_punch_result *result) {
  const thud_punch_drive *drive = &punch->drive;
  result->status = THUD_PUNCH_LIFTED;
  result->normal = result->tangential = result->moment = 0;
  result->depth = drive->depth_given ? drive->normal : least_gap(punch);
  result->shift = drive->shift_given ? drive->tangential : 0;
  result->tilt = drive->moment_given ? 0 : drive->rotation;
  for (thud_index i = 0; i < punch->n; i++) {
    punch->state[i] = THUD_PUNCH_OPEN;
    punch->pressure[i] = punch->traction[i] = 0;
    punch->real_gap[i] = tilted_gap(punch, i) - result->depth;
    punch->displacement[i] = result->shift;
    punch->real_slip[i] = result->shift - punch->old[i];
  }
  show_arrays(punch, result);
  punch->contact_count = 0;
  punch->contact_zone = result->contact = result->stick = (thud_punch_zone){NAN, NAN};
}

/* A force that turned out too large for the pressure of a given depth. */
static bool slides_away(const thud_punch *punch, const thud_punch_result *result) {
  return punch->drive.depth_given && !punch->drive.shift_given &&
         fabs(result->tangential) >= 0.999999 * punch->options.friction * result->normal;
}

static thud_error find_answer(thud_punch *punch, const signed char *guess, thud_punch_result *made) {
  bool found = false;
  thud_error error = THUD_OK;
  punch->solved = false;
  scale_load(punch);
  if (guess == NULL) error = find_contact(punch, &made->sweeps);
  punch->friction = punch->options.friction;
  punch->sliding = direction_of_sliding(punch);
  if (error == THUD_OK) {
    start_from(punch, guess);
    error = thud_punch_find_states(punch, &made->sweeps, &found);
  }
  if (error != THUD_OK) return error;
  made->status = found ? THUD_PUNCH_SOLVED : THUD_PUNCH_NOT_CONVERGED;
  punch->solved = found;
  take_answer(punch);
  report(punch, made);
  if (!found && slides_away(punch, made)) made->status = THUD_PUNCH_NO_EQUILIBRIUM;
  punch->contact_zone = made->contact;
  return THUD_OK;
}

thud_error thud_punch_move(thud_punch *punch, const thud_punch_drive *drive, const signed char *guess,
                           thud_punch_result *result) {
  THUD_REQUIRE_OF(punch, drive, result);
  thud_error error = check_drive(punch, drive);
  if (error == THUD_OK) error = check_guess(punch, guess);
  if (error != THUD_OK) return error;
  punch->drive = *drive;
  thud_punch_result made = {.depth = NAN, .shift = NAN, .tilt = NAN};
  if (!drive->depth_given) made.normal = drive->normal;
  if (!drive->shift_given) made.tangential = drive->tangential;
  if (has_no_equilibrium(punch)) {
    made.status = THUD_PUNCH_NO_EQUILIBRIUM;
  } else if (is_lifted(punch)) {
    answer_lifted(punch, &made);
    punch->solved = true;
  } else {
    error = find_answer(punch, guess, &made);
  }
  if (error == THUD_OK) *result = made;
  return error;
}

thud_error thud_punch_load(thud_punch *punch, double normal, double tangential, const signed char *guess,
                           thud_punch_result *result) {
  THUD_REQUIRE_OF(punch, result);
  const thud_punch_drive drive = {.normal = normal, .tangential = tangential};
  if (!isfinite(normal) || !isfinite(tangential))
    return thud_fail(punch->context, THUD_ERROR_NOT_FINITE, "punch: the load is P = %g, Q = %g", normal, tangential);
  if (normal <= 0)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: the normal force is %g; it must be positive", normal);
  return thud_punch_move(punch, &drive, guess, result);
}
