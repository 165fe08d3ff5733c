/* A punch: its profile, options and life, its history, and its answers to loads: scaled for the search for states, and
 * handed out in the units of the caller. */
#include "base/base.h"
#include "motions/half_plane/half_plane.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

/* ---- profiles ---------------------------------------------------------------------------------------------------- */

static thud_error check_table(thud_context *context, const thud_punch_profile *profile) {
  if (profile->points < 2 || profile->x == NULL || profile->gap == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] punch: a table of %zu points; at least 2 are needed",
                     profile->x == NULL || profile->gap == NULL ? (size_t)0 : profile->points);
  for (size_t k = 0; k < profile->points; k++) {
    if (!isfinite(profile->x[k]) || !isfinite(profile->gap[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] punch: point %zu of the table is (%g, %g)", k,
                       profile->x[k], profile->gap[k]);
    if (k > 0 && !(profile->x[k] > profile->x[k - 1]))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[out-of-range] punch: point %zu of the table, at x = %g, is not right of %g", k, profile->x[k],
                       profile->x[k - 1]);
  }
  return THUD_OK;
}

static thud_error check_profile(thud_context *context, const thud_punch_profile *profile) {
  if (profile->shape == THUD_PUNCH_TABLE) return check_table(context, profile);
  if (profile->shape == THUD_PUNCH_FLAT) return THUD_OK;
  if (profile->shape != THUD_PUNCH_WEDGE && profile->shape != THUD_PUNCH_PARABOLA && profile->shape != THUD_PUNCH_WAVE)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] punch: shape %d is unknown", (int)profile->shape);
  if (!isfinite(profile->centre) || !isfinite(profile->size))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] punch: centre %g, size %g", profile->centre,
                     profile->size);
  if (profile->size <= 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] punch: the size %g is not positive", profile->size);
  if (profile->shape == THUD_PUNCH_WAVE && !(profile->wavelength > 0 && isfinite(profile->wavelength)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "[out-of-range] punch: the wavelength %g is not positive",
                     profile->wavelength);
  return THUD_OK;
}

/* The table's straight line that x lies on; NaN outside. */
static double interpolate(const thud_punch_profile *profile, double x) {
  size_t low = 0, high = profile->points - 1;
  if (!(x >= profile->x[low] && x <= profile->x[high])) return NAN;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (profile->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  double part = (x - profile->x[low]) / (profile->x[high] - profile->x[low]);
  return (1 - part) * profile->gap[low] + part * profile->gap[high];
}

static double evaluate(const thud_punch_profile *profile, double x) {
  double d = x - profile->centre, s = 0;
  switch (profile->shape) {
  case THUD_PUNCH_WEDGE: return profile->size * fabs(d);
  case THUD_PUNCH_PARABOLA: return d * d / (2 * profile->size);
  case THUD_PUNCH_WAVE: s = sin(3.14159265358979323846 * d / profile->wavelength); return 2 * profile->size * s * s;
  case THUD_PUNCH_TABLE: return interpolate(profile, x);
  default: return 0;
  }
}

thud_error thud_punch_profile_evaluate(thud_context *context, const thud_punch_profile *profile, size_t count,
                                       const double *x, double *gap) {
  THUD_REQUIRE(context, profile, count == 0 || x, count == 0 || gap);
  thud_error error = check_profile(context, profile);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    if (!isfinite(x[k]))
      error = thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] punch: the profile at x[%zu] = %g", k, x[k]);
    else if (!isfinite(evaluate(profile, x[k])))
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "punch: the profile has no finite height at x = %g%s", x[k],
                        profile->shape == THUD_PUNCH_TABLE ? "; the table must cover the mesh" : "");
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++) gap[k] = evaluate(profile, x[k]);
  return error;
}

/* ---- options ----------------------------------------------------------------------------------------------------- */

#define FIELD(name) offsetof(thud_punch_options, name)

static const thud_option_key keys[] = {
    {"friction", THUD_OPTION_REAL, FIELD(friction), 0, 0, INFINITY, false, NULL, "1", "coefficient of friction"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-10, 0, 1e-3, true, NULL, "1",
     "violations of the laws up to this part of displacements and forces count as none"},
    {"sweeps", THUD_OPTION_INT, FIELD(sweeps), 1000, 1, INFINITY, false, NULL, "1",
     "most linear systems of one load (of a scene: of one row)"},
    {"dense_elements", THUD_OPTION_INT, FIELD(dense_elements), 600, 2, THUD_HALF_PLANE_DENSE_MAX, false, NULL, "1",
     "uniform meshes with more elements in contact are solved by iteration with FFT"},
    {"linear_error", THUD_OPTION_REAL, FIELD(linear_error), 1e-12, 0, 1e-3, true, NULL, "1",
     "relative residual at which that iteration ends"},
};

static const thud_option_table table = {
    .name = "punch", .struct_size = sizeof(thud_punch_options), .keys = keys, .count = sizeof keys / sizeof *keys};

const thud_option_table *thud_punch_option_table(void) { return &table; }

const char *thud_punch_status_name(thud_punch_status status) {
  switch (status) {
  case THUD_PUNCH_SOLVED: return "solved";
  case THUD_PUNCH_NO_EQUILIBRIUM: return "no-equilibrium";
  case THUD_PUNCH_NOT_CONVERGED: return "not-converged";
  case THUD_PUNCH_LIFTED: return "lifted";
  }
  return "unknown";
}

/* ---- life -------------------------------------------------------------------------------------------------------- */

static thud_error allocate(thud_punch *punch) {
  double **arrays[] = {&punch->profile,  &punch->old,       &punch->gap0,        &punch->v0,       &punch->f,
                       &punch->t,        &punch->gap,       &punch->slip,        &punch->pressure, &punch->traction,
                       &punch->real_gap, &punch->real_slip, &punch->displacement};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) {
    *arrays[k] = THUD_NEW_ARRAY(punch->context, double, punch->n);
    if (*arrays[k] == NULL) return THUD_ERROR_MEMORY;
  }
  punch->state = THUD_NEW_ARRAY(punch->context, signed char, punch->n);
  punch->contact = THUD_NEW_ARRAY(punch->context, thud_index, punch->n);
  punch->stick = THUD_NEW_ARRAY(punch->context, thud_index, punch->n);
  punch->changes = THUD_NEW_ARRAY(punch->context, thud_index, punch->n);
  bool made = punch->state != NULL && punch->contact != NULL && punch->stick != NULL && punch->changes != NULL;
  return made ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_punch_create(thud_half_plane *plane, const double *gap, const thud_punch_options *options,
                             thud_punch **punch) {
  THUD_REQUIRE_OF(plane, gap, punch);
  thud_context *context = plane->context;
  thud_punch_options own;
  thud_error error = thud_options_take(context, &table, options, &own);
  for (thud_index i = 0; i < plane->n && error == THUD_OK; i++)
    if (!isfinite(gap[i]))
      error = thud_fail(context, THUD_ERROR_NOT_FINITE, "[out-of-range] punch: the gap of element %d is %g", (int)i,
                        gap[i]);
  if (error != THUD_OK) return error;
  thud_punch *made = THUD_NEW(context, thud_punch);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->plane = plane;
  made->options = own;
  made->n = plane->n;
  error = allocate(made);
  if (error == THUD_OK) {
    memcpy(made->profile, gap, (size_t)plane->n * sizeof *gap);
    *punch = made;
  } else
    thud_punch_destroy(made);
  return error;
}

void thud_punch_destroy(thud_punch *punch) {
  if (punch == NULL) return;
  void *arrays[] = {punch->profile,  punch->old,       punch->gap0,         punch->v0,       punch->f,
                    punch->t,        punch->gap,       punch->slip,         punch->pressure, punch->traction,
                    punch->real_gap, punch->real_slip, punch->displacement, punch->state,    punch->contact,
                    punch->stick,    punch->changes,   punch->matrix,       punch->right,    punch->pivots,
                    punch->visited};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(punch->context, arrays[k]);
  thud_free(punch->context, punch);
}

/* ---- history ----------------------------------------------------------------------------------------------------- */

thud_error thud_punch_accept(thud_punch *punch) {
  THUD_REQUIRE(NULL, punch);
  if (!punch->solved)
    return thud_fail(punch->context, THUD_ERROR_NOT_FOUND, "punch: no load has been solved that could be accepted");
  memcpy(punch->old, punch->displacement, (size_t)punch->n * sizeof *punch->old);
  return THUD_OK;
}

thud_error thud_punch_set_reference(thud_punch *punch, const double *old) {
  THUD_REQUIRE(NULL, punch);
  for (thud_index i = 0; old != NULL && i < punch->n; i++)
    if (!isfinite(old[i]))
      return thud_fail(punch->context, THUD_ERROR_NOT_FINITE,
                       "[out-of-range] punch: the old displacement of element %d is %g", (int)i, old[i]);
  for (thud_index i = 0; i < punch->n; i++) punch->old[i] = old != NULL ? old[i] : 0;
  return THUD_OK;
}

/* ---- what is asked for ------------------------------------------------------------------------------------------- */

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
      return thud_fail(punch->context, THUD_ERROR_NOT_FINITE, "[out-of-range] punch: the drive's '%s' is %g", names[k],
                       numbers[k]);
  if (drive->datum < 0)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] punch: the datum %g is a distance, 0: one unit of length", drive->datum);
  if (drive->moment_given && drive->depth_given)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] punch: a given moment goes with a given force, not a depth");
  double datum = drive->datum > 0 ? drive->datum : 1, half = punch->plane->length;
  if ((drive->depth_given || drive->shift_given) && punch->plane->period == 0 && !(datum > 0.5 * half))
    return thud_fail(
        punch->context, THUD_ERROR_ARGUMENT,
        "[out-of-range] punch: with a given displacement the datum must be more than half the mesh's half-width (%g), "
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

/* ---- scaling ----------------------------------------------------------------------------------------------------- */

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

/* ---- where to start ---------------------------------------------------------------------------------------------- */

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

/* ---- the answer -------------------------------------------------------------------------------------------------- */

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
    return thud_fail(punch->context, THUD_ERROR_NOT_FINITE, "[out-of-range] punch: the load is P = %g, Q = %g", normal,
                     tangential);
  if (normal <= 0)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT,
                     "[out-of-range] punch: the normal force is %g; it must be positive", normal);
  return thud_punch_move(punch, &drive, guess, result);
}
