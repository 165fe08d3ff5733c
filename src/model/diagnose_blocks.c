/* Blocks of the mass matrix: the classes of coordinates that its entries connect. */
#include "model/diagnose.h"
#include "model/rows.h"

#include "base/base.h"

#include <math.h>
#include <string.h>

void thud_model_end_blocks(thud_context *context, model_blocks *blocks) {
  thud_free(context, blocks->block);
  thud_free(context, blocks->start);
  thud_free(context, blocks->member);
  thud_free(context, blocks->place);
  thud_free(context, blocks->offset);
  thud_free(context, blocks->matrix);
}

static size_t root_of(size_t *parent, size_t i) {
  while (parent[i] != i) i = parent[i] = parent[parent[i]];
  return i;
}

static void join(size_t *parent, size_t i, size_t j) {
  size_t a = root_of(parent, i), b = root_of(parent, j);
  if (a < b)
    parent[b] = a;
  else
    parent[a] = b;
}

/* Classes of coordinates by union and find; the smallest coordinate stands for its class. */
static void find_classes(size_t n, const thud_system_values *values, size_t *parent) {
  for (size_t i = 0; i < n; i++) parent[i] = i;
  for (size_t i = 0; i < n; i++) {
    if (values->sparse != NULL) {
      const thud_sparse_metric *mass = values->sparse->mass;
      for (thud_index p = mass->start[i]; p < mass->start[i + 1]; p++)
        if (mass->value[p] != 0) join(parent, i, (size_t)mass->column[p]);
      continue;
    }
    for (size_t j = 0; j < i; j++)
      if (values->mass[i * n + j] != 0) join(parent, i, j);
  }
}

static void list_members(size_t n, model_blocks *blocks) {
  for (size_t i = 0; i < n; i++) blocks->start[blocks->block[i] + 2]++;
  for (size_t b = 0; b < blocks->count; b++) {
    if (blocks->start[b + 2] > blocks->largest) blocks->largest = blocks->start[b + 2];
    blocks->start[b + 2] += blocks->start[b + 1];
  }
  for (size_t i = 0; i < n; i++) {
    size_t b = blocks->block[i], at = blocks->start[b + 1]++;
    blocks->member[at] = i;
    blocks->place[i] = at - blocks->start[b];
  }
}

/* The numbers of all blocks, one after the other, when none of them is large. */
static thud_error copy_blocks(thud_context *context, const thud_system_values *values, model_blocks *blocks) {
  size_t numbers = 0;
  for (size_t b = 0; b < blocks->count; b++) {
    size_t size = blocks->start[b + 1] - blocks->start[b];
    blocks->offset[b] = numbers;
    numbers += size * size;
  }
  blocks->matrix = THUD_NEW_ARRAY(context, double, numbers);
  if (blocks->matrix == NULL) return THUD_ERROR_MEMORY;
  for (size_t i = 0; i < blocks->n; i++) {
    size_t b = blocks->block[i], size = blocks->start[b + 1] - blocks->start[b];
    double *row = blocks->matrix + blocks->offset[b] + blocks->place[i] * size;
    if (values->sparse != NULL) {
      const thud_sparse_metric *mass = values->sparse->mass;
      for (thud_index p = mass->start[i]; p < mass->start[i + 1]; p++)
        if (blocks->block[mass->column[p]] == b) row[blocks->place[mass->column[p]]] = mass->value[p];
      continue;
    }
    for (size_t k = 0; k < size; k++) row[k] = values->mass[i * blocks->n + blocks->member[blocks->start[b] + k]];
  }
  return THUD_OK;
}

thud_error thud_model_find_blocks(thud_context *context, size_t n, const thud_system_values *values,
                                  model_blocks *blocks) {
  *blocks = (model_blocks){.n = n,
                           .block = THUD_NEW_ARRAY(context, size_t, n),
                           .start = THUD_NEW_ARRAY(context, size_t, n + 2),
                           .member = THUD_NEW_ARRAY(context, size_t, n),
                           .place = THUD_NEW_ARRAY(context, size_t, n),
                           .offset = THUD_NEW_ARRAY(context, size_t, n)};
  thud_error error = THUD_OK;
  if (blocks->block == NULL || blocks->start == NULL || blocks->member == NULL || blocks->place == NULL ||
      blocks->offset == NULL)
    error = THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    size_t *parent = blocks->member; /* until the members are known */
    find_classes(n, values, parent);
    for (size_t i = 0; i < n; i++) {
      size_t root = root_of(parent, i);
      blocks->block[i] = root == i ? blocks->count++ : blocks->block[root];
    }
    list_members(n, blocks);
    if (blocks->largest <= MODEL_DENSE_DIAGNOSIS) error = copy_blocks(context, values, blocks);
  }
  if (error != THUD_OK) thud_model_end_blocks(context, blocks);
  return error;
}

/* The matrix is positive definite: the values have a factor of it. */
void thud_model_factorise_blocks(model_blocks *blocks) {
  for (size_t b = 0; b < blocks->count; b++) {
    size_t size = blocks->start[b + 1] - blocks->start[b];
    double *L = blocks->matrix + blocks->offset[b];
    for (size_t i = 0; i < size; i++)
      for (size_t j = 0; j <= i; j++) {
        double sum = L[i * size + j];
        for (size_t k = 0; k < j; k++) sum -= L[i * size + k] * L[j * size + k];
        L[i * size + j] = i == j ? sqrt(sum) : sum / L[j * size + j];
      }
  }
}

/* ---- condition -------------------------------------------------------------------------------------------------- */

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
  found->mass_condition_is_bound = blocks.largest > MODEL_DENSE_DIAGNOSIS && system->n > MODEL_LANCZOS_STEPS;
  if (blocks.largest > MODEL_DENSE_DIAGNOSIS) {
    whole_mass mass = {(thud_index)system->n, values};
    error = thud_model_condition(context, system->n, apply_mass, apply_inverse_mass, &mass, &found->mass_condition);
  } else {
    error = eigenvalues_of_blocks(context, &blocks, &smallest, &largest);
    found->mass_condition = smallest > 0 ? largest / smallest : INFINITY;
  }
  thud_model_end_blocks(context, &blocks);
  return error;
}
