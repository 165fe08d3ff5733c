/* A punch: options, life, history. */
#include "motions/half_plane/half_plane_punch.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

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

/* ---- history ------------------------------------------------------------------------------------------- */

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
