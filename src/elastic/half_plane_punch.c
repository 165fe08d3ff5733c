/* A punch: options, life, loads, and the answer in the units of the caller. */
#include "elastic/half_plane_punch.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

static const double pi = 3.14159265358979323846;

#define FIELD(name) offsetof(thud_punch_options, name)

static const thud_option_key keys[] = {
    {"friction", THUD_OPTION_REAL, FIELD(friction), 0, 0, INFINITY, false, NULL, "1", "coefficient of friction"},
    {"tolerance", THUD_OPTION_REAL, FIELD(tolerance), 1e-10, 0, 1e-3, true, NULL, "1",
     "violations of the laws up to this part of displacements and forces count as none"},
    {"sweeps", THUD_OPTION_INT, FIELD(sweeps), 1000, 1, INFINITY, false, NULL, "1", "most linear systems of one load"},
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
  }
  return "unknown";
}

/* ---- life --------------------------------------------------------------------------------------------- */

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
      error = thud_fail(context, THUD_ERROR_NOT_FINITE, "punch: the gap of element %d is %g", (int)i, gap[i]);
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

/* ---- loads -------------------------------------------------------------------------------------------- */

static thud_error check_load(thud_punch *punch, double normal, double tangential, const signed char *guess) {
  if (!isfinite(normal) || !isfinite(tangential))
    return thud_fail(punch->context, THUD_ERROR_NOT_FINITE, "punch: the load is P = %g, Q = %g", normal, tangential);
  if (normal <= 0)
    return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: the normal force is %g; it must be positive", normal);
  for (thud_index i = 0; guess != NULL && i < punch->n; i++)
    if (guess[i] < THUD_PUNCH_BACKWARD || guess[i] > THUD_PUNCH_OPEN)
      return thud_fail(punch->context, THUD_ERROR_ARGUMENT, "punch: state %d is guessed for element %d; -1..2 exist",
                       (int)guess[i], (int)i);
  return THUD_OK;
}

static void scale_load(thud_punch *punch, double normal, double tangential) {
  double unit = 2 * normal / punch->plane->material.modulus;
  punch->tangential = tangential / normal;
  for (thud_index i = 0; i < punch->n; i++) {
    punch->gap0[i] = punch->profile[i] / unit;
    punch->v0[i] = punch->old[i] / unit;
  }
}

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
  if (punch->sliding != 0 ? touching < 0 : sticking < 0)
    punch->state[nearest] = punch->sliding != 0 ? (signed char)punch->sliding : (signed char)THUD_PUNCH_STICK;
}

static void take_answer(thud_punch *punch, double normal) {
  const thud_half_plane *plane = punch->plane;
  double unit = 2 * normal / plane->material.modulus;
  for (thud_index i = 0; i < punch->n; i++) {
    double width = plane->width[i] * plane->length;
    bool open = punch->state[i] == THUD_PUNCH_OPEN;
    punch->pressure[i] = punch->f[i] * normal / width;
    punch->traction[i] = punch->t[i] * normal / width;
    punch->real_gap[i] = open ? punch->gap[i] * unit : 0;
    punch->real_slip[i] = !open && punch->state[i] == THUD_PUNCH_STICK ? 0 : punch->slip[i] * unit;
    punch->displacement[i] = punch->real_slip[i] + punch->old[i];
  }
}

static void report(thud_punch *punch, double normal, double tangential, thud_punch_result *result) {
  const thud_half_plane *plane = punch->plane;
  double unit = 2 * normal / plane->material.modulus, log_length = plane->period > 0 ? 0 : log(plane->length) / pi;
  result->normal = normal;
  result->tangential = tangential;
  result->depth = unit * (punch->depth - log_length);
  result->shift = unit * (punch->shift + log_length * punch->tangential);
  result->pressure = punch->pressure;
  result->traction = punch->traction;
  result->gap = punch->real_gap;
  result->displacement = punch->displacement;
  result->slip = punch->real_slip;
  result->state = punch->state;
  result->law_error = fmax(0, thud_punch_violation(punch));
  double f = thud_sum(punch->context, (size_t)punch->n, punch->f);
  double t = thud_sum(punch->context, (size_t)punch->n, punch->t);
  result->force_error = hypot(f - 1, t - punch->tangential);
  thud_punch_find_zones(punch, result);
}

thud_error thud_punch_load(thud_punch *punch, double normal, double tangential, const signed char *guess,
                           thud_punch_result *result) {
  THUD_REQUIRE_OF(punch, result);
  thud_error error = check_load(punch, normal, tangential, guess);
  if (error != THUD_OK) return error;
  thud_punch_result made = {.normal = normal, .tangential = tangential, .depth = NAN, .shift = NAN};
  double limit = punch->options.friction * normal, rounding = 1e-12 * limit;
  if (fabs(tangential) > limit + rounding) {
    made.status = THUD_PUNCH_NO_EQUILIBRIUM;
    *result = made;
    return THUD_OK;
  }
  bool found = false;
  punch->solved = false;
  scale_load(punch, normal, tangential);
  if (guess == NULL) error = find_contact(punch, &made.sweeps);
  punch->friction = punch->options.friction;
  punch->sliding = fabs(tangential) < limit - rounding ? 0 : tangential < 0 ? -1 : 1;
  if (error == THUD_OK) {
    start_from(punch, guess);
    error = thud_punch_find_states(punch, &made.sweeps, &found);
  }
  if (error != THUD_OK) return error;
  made.status = found ? THUD_PUNCH_SOLVED : THUD_PUNCH_NOT_CONVERGED;
  punch->solved = found;
  take_answer(punch, normal);
  report(punch, normal, tangential, &made);
  punch->contact_zone = made.contact;
  *result = made;
  return THUD_OK;
}

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
      return thud_fail(punch->context, THUD_ERROR_NOT_FINITE, "punch: the old displacement of element %d is %g", (int)i,
                       old[i]);
  for (thud_index i = 0; i < punch->n; i++) punch->old[i] = old != NULL ? old[i] : 0;
  return THUD_OK;
}
