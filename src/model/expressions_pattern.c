/* Systems of expressions: patterns of their matrices, from the entries that are not zero by structure. */
#include "model/expressions.h"

#include "base/base.h"

#include <stdlib.h>

/* Patterns pay when at most one entry in so many is there. */
enum { FULL_PER_ENTRY = 4, MATRICES = 5 };

typedef struct matrix_entry {
  size_t place; /* i n + j */
  thud_expr_value value;
} matrix_entry;

typedef struct matrix_list {
  model_array array;
  size_t rows, count;
  matrix_entry *entries; /* [count] by ascending places */
  thud_pattern *pattern;
} matrix_list;

static int compare_places(const void *a, const void *b) {
  size_t x = ((const matrix_entry *)a)->place, y = ((const matrix_entry *)b)->place;
  return (x > y) - (x < y);
}

static bool is_zero(const model_builder *builder, thud_expr_value value) {
  double number;
  return thud_expr_graph_is_constant(builder->graph, value, &number) && number == 0;
}

/* A mass keeps its diagonal, and (i, j) with an (j, i) that is not zero. */
static bool is_kept(const model_builder *builder, const matrix_list *list, const matrix_entry *entry) {
  if (!is_zero(builder, entry->value)) return true;
  if (list->array != MODEL_MASS) return false;
  size_t i = entry->place / builder->n, j = entry->place % builder->n;
  const matrix_entry mirror = {.place = j * builder->n + i};
  const matrix_entry *found = bsearch(&mirror, list->entries, list->count, sizeof mirror, compare_places);
  return i == j || (found != NULL && !is_zero(builder, found->value));
}

/* The entries of a matrix that are kept. */
static thud_error collect(const model_builder *builder, matrix_list *list) {
  const model_values *values = &builder->array[list->array];
  size_t kept = 0;
  matrix_list all = {list->array, list->rows, values->count, NULL, NULL};
  all.entries = THUD_NEW_ARRAY(builder->context, matrix_entry, values->count);
  list->entries = THUD_NEW_ARRAY(builder->context, matrix_entry, values->count);
  thud_error error = all.entries != NULL && list->entries != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t k = 0; k < all.count && error == THUD_OK; k++)
    all.entries[k] = (matrix_entry){values->place[k], values->value[k]};
  if (error == THUD_OK && all.count > 1) qsort(all.entries, all.count, sizeof *all.entries, compare_places);
  for (size_t k = 0; k < all.count && error == THUD_OK; k++)
    if (is_kept(builder, &all, &all.entries[k])) list->entries[kept++] = all.entries[k];
  list->count = kept;
  thud_free(builder->context, all.entries);
  return error;
}

/* The first row of the mass without its diagonal entry, n: none. */
static size_t find_missing_diagonal(const model_builder *builder, const matrix_list *mass) {
  size_t i = 0;
  for (size_t k = 0; k < mass->count && i < builder->n; k++) {
    size_t place = mass->entries[k].place;
    if (place > i * (builder->n + 1)) return i;
    i += place == i * (builder->n + 1);
  }
  return i;
}

/* Bounds of families of loads are computed with full matrices. */
static bool has_families(const thud_expr_system_def *def) {
  for (thud_index k = 0; k < def->load_count; k++)
    if (def->loads[k].index != NULL) return true;
  return false;
}

/* Writes the pattern to memory, and the values of the builder in its order; where the memory ends. */
static thud_index *write_pattern(model_builder *builder, const matrix_list *list, thud_index *memory) {
  model_values *values = &builder->array[list->array];
  thud_index *start = memory, *column = memory + list->rows + 1;
  for (size_t k = 0; k < list->count; k++) {
    start[1 + list->entries[k].place / builder->n]++;
    column[k] = (thud_index)(list->entries[k].place % builder->n);
    values->value[k] = list->entries[k].value;
    values->place[k] = k;
  }
  for (size_t i = 0; i < list->rows; i++) start[i + 1] += start[i];
  values->count = list->count;
  *list->pattern = (thud_pattern){start, column};
  return column + list->count;
}

thud_error thud_model_find_patterns(model_builder *builder, model_patterns *patterns) {
  size_t n = builder->n, entries = 0, full = 0, rows = 0;
  matrix_list lists[MATRICES] = {{.array = MODEL_MASS, .rows = n, .pattern = &patterns->given.mass},
                                 {.array = MODEL_GRADIENT, .rows = builder->m, .pattern = &patterns->given.gradient},
                                 {.array = MODEL_SLIP, .rows = builder->s, .pattern = &patterns->given.slip},
                                 {.array = MODEL_FORCE_DQ, .rows = n, .pattern = &patterns->given.force_dq},
                                 {.array = MODEL_FORCE_DV, .rows = n, .pattern = &patterns->given.force_dv}};
  if (n <= MODEL_SPARSE_FROM || has_families(builder->def)) return THUD_OK;
  thud_error error = THUD_OK;
  for (size_t k = 0; k < MATRICES && error == THUD_OK; k++) {
    error = collect(builder, &lists[k]);
    entries += lists[k].count;
    rows += lists[k].rows + 1;
    full += lists[k].rows * n;
  }
  /* A mass without its diagonal is not positive definite: full matrices report it where there are some. */
  size_t missing = error == THUD_OK ? find_missing_diagonal(builder, &lists[0]) : n;
  bool worth = error == THUD_OK && entries <= full / FULL_PER_ENTRY && missing == n;
  if (missing < n && n > THUD_METRIC_DENSE_MAX)
    error = thud_fail(builder->context, THUD_ERROR_NOT_SPD,
                      "[bad-mass-matrix] system: the mass matrix is not positive definite: it has no diagonal entry of "
                      "coordinate '%s'",
                      builder->def->coordinates[missing]);
  if (worth) {
    patterns->memory = THUD_NEW_ARRAY(builder->context, thud_index, entries + rows);
    if (patterns->memory == NULL) error = THUD_ERROR_MEMORY;
    thud_index *next = patterns->memory;
    for (size_t k = 0; k < MATRICES && error == THUD_OK; k++) next = write_pattern(builder, &lists[k], next);
  }
  for (size_t k = 0; k < MATRICES; k++) thud_free(builder->context, lists[k].entries);
  return error;
}
