/* Blocks of the mass matrix: the classes of coordinates that its entries connect. */
#include "model/blocks.h"
#include "model/model_rows.h"

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
  *blocks = (model_blocks){0};
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
      for (thud_index p = mass->start[i]; p < mass->start[i + 1]; p++) join(parent, i, (size_t)mass->column[p]);
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
  for (size_t i = 0; i < n; i++) blocks->member[blocks->start[blocks->block[i] + 1]++] = i;
  for (size_t b = 0; b < blocks->count; b++)
    for (size_t k = blocks->start[b]; k < blocks->start[b + 1]; k++)
      blocks->place[blocks->member[k]] = k - blocks->start[b];
}

/* Room for the numbers of all blocks, one after the other, when none of them is large. */
static thud_error make_room(thud_context *context, model_blocks *blocks) {
  for (size_t b = 0; b < blocks->count; b++) {
    size_t size = blocks->start[b + 1] - blocks->start[b];
    blocks->offset[b] = blocks->numbers;
    blocks->numbers += size * size;
  }
  blocks->matrix = THUD_NEW_ARRAY(context, double, blocks->numbers);
  return blocks->matrix != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

void thud_model_fill_blocks(const thud_system_values *values, model_blocks *blocks) {
  memset(blocks->matrix, 0, blocks->numbers * sizeof *blocks->matrix);
  for (size_t i = 0; i < blocks->n; i++) {
    size_t b = blocks->block[i], size = blocks->start[b + 1] - blocks->start[b];
    double *row = blocks->matrix + blocks->offset[b] + blocks->place[i] * size;
    if (values->sparse != NULL) {
      const thud_sparse_metric *mass = values->sparse->mass;
      for (thud_index p = mass->start[i]; p < mass->start[i + 1]; p++)
        row[blocks->place[mass->column[p]]] = mass->value[p];
      continue;
    }
    for (size_t k = 0; k < size; k++) row[k] = values->mass[i * blocks->n + blocks->member[blocks->start[b] + k]];
  }
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
    if (blocks->largest <= MODEL_LARGEST_BLOCK) error = make_room(context, blocks);
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

void thud_model_solve_block(const model_blocks *blocks, size_t b, const double *a, double *y) {
  size_t size = blocks->start[b + 1] - blocks->start[b];
  const size_t *member = blocks->member + blocks->start[b];
  for (size_t r = 0; r < size; r++) {
    const double *row = blocks->matrix + blocks->offset[b] + r * size;
    y[r] = a[member[r]];
    for (size_t k = 0; k < r; k++) y[r] -= row[k] * y[k];
    y[r] /= row[r];
  }
}
