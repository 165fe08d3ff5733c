/* Condition of the mass matrix, from its blocks. */
#include "model/diagnose.h"
#include "model/model_rows.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

typedef struct whole_mass {
  thud_index n;
  const thud_system_values *values;
} whole_mass;

static thud_error apply_mass(void *user, const double *x, double *out) {
  const whole_mass *mass = user;
  thud_values_apply_mass(mass->values, mass->n, x, out);
  return THUD_OK;
}

static thud_error apply_inverse_mass(void *user, const double *x, double *out) {
  const whole_mass *mass = user;
  memcpy(out, x, (size_t)mass->n * sizeof *out);
  thud_values_solve_mass(mass->values, mass->n, out);
  return THUD_OK;
}

/* The extreme eigenvalues of all blocks. */
static thud_error eigenvalues_of_blocks(thud_context *context, const model_blocks *blocks, double *smallest,
                                        double *largest) {
  double *eigenvalues = THUD_NEW_ARRAY(context, double, blocks->largest);
  thud_error error = eigenvalues != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  *smallest = INFINITY;
  *largest = 0;
  for (size_t b = 0; b < blocks->count && error == THUD_OK; b++) {
    size_t size = blocks->start[b + 1] - blocks->start[b];
    const double *matrix = blocks->matrix + blocks->offset[b];
    eigenvalues[0] = matrix[0];
    if (size > 1) error = thud_dense_eigen_symmetric(context, (thud_index)size, matrix, eigenvalues, NULL);
    *smallest = fmin(*smallest, eigenvalues[0]);
    *largest = fmax(*largest, eigenvalues[size - 1]);
  }
  thud_free(context, eigenvalues);
  return error;
}

thud_error thud_model_mass_condition(thud_context *context, const thud_system *system, const thud_system_values *values,
                                     thud_system_diagnosis *found) {
  model_blocks blocks;
  double smallest = 0, largest = 0;
  thud_error error = thud_model_find_blocks(context, system->n, values, &blocks);
  if (error != THUD_OK) return error;
  found->mass_condition_is_bound = blocks.matrix == NULL && system->n > MODEL_LANCZOS_STEPS;
  if (blocks.matrix == NULL) {
    whole_mass mass = {(thud_index)system->n, values};
    error = thud_model_condition(context, system->n, apply_mass, apply_inverse_mass, &mass, &found->mass_condition);
  } else {
    thud_model_fill_blocks(values, &blocks);
    error = eigenvalues_of_blocks(context, &blocks, &smallest, &largest);
    found->mass_condition = smallest > 0 ? largest / smallest : INFINITY;
  }
  thud_model_end_blocks(context, &blocks);
  return error;
}
