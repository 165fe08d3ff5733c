/* The arrays of a system: shapes, parts, and their entries in words. */
#include "model/system.h"

#include <stdio.h>

typedef enum shape { SHAPE_ONE, SHAPE_N, SHAPE_M, SHAPE_S, SHAPE_LAWS } shape;

typedef struct array_info {
  unsigned part;
  shape rows;
  bool times_n; /* rows x n */
  const char *what;
} array_info;

static const array_info ARRAYS[MODEL_ARRAYS] = {
    [MODEL_MASS] = {THUD_AT_MASS, SHAPE_N, true, "mass matrix"},
    [MODEL_INERTIA] = {THUD_AT_FORCE, SHAPE_N, false, "inertia (Christoffel) term"},
    [MODEL_APPLIED] = {THUD_AT_FORCE, SHAPE_N, false, "force"},
    [MODEL_POTENTIAL] = {THUD_AT_POTENTIAL, SHAPE_ONE, false, "potential energy"},
    [MODEL_POTENTIAL_GRADIENT] = {THUD_AT_FORCE, SHAPE_N, false, "potential gradient"},
    [MODEL_GAP] = {THUD_AT_CONSTRAINT, SHAPE_M, false, "value"},
    [MODEL_GRADIENT] = {THUD_AT_GRADIENT, SHAPE_M, true, "gradient"},
    [MODEL_RATE] = {THUD_AT_GRADIENT, SHAPE_M, false, "rate"},
    [MODEL_SLIP] = {THUD_AT_FRICTION, SHAPE_S, true, "slip direction"},
    [MODEL_SLIP_RATE] = {THUD_AT_FRICTION, SHAPE_S, false, "slip rate"},
    [MODEL_FRICTION] = {THUD_AT_FRICTION, SHAPE_LAWS, false, "friction threshold"},
    [MODEL_RESTITUTION] = {THUD_AT_RESTITUTION, SHAPE_M, false, "restitution"},
    [MODEL_FORCE_DQ] = {THUD_AT_JACOBIANS, SHAPE_N, true, "derivative of the force"},
    [MODEL_FORCE_DV] = {THUD_AT_JACOBIANS, SHAPE_N, true, "derivative of the force"},
};

void thud_model_set_variable(thud_system *system, unsigned arrays) {
  _Static_assert(MODEL_ARRAYS <= 16, "a mask of arrays fits into an unsigned short");
  system->variable = arrays;
  for (unsigned parts = 0; parts < 1u << MODEL_PARTS; parts++) {
    unsigned asked = 0;
    for (model_array array = 0; array < MODEL_ARRAYS; array++)
      if (ARRAYS[array].part & parts) asked |= arrays & MODEL_BIT(array);
    system->arrays_of_parts[parts] = (unsigned short)asked;
  }
}

static size_t row_count(const thud_system *system, shape rows) {
  switch (rows) {
  case SHAPE_ONE: return 1;
  case SHAPE_N: return system->n;
  case SHAPE_M: return system->m;
  case SHAPE_S: return system->s;
  case SHAPE_LAWS: break;
  }
  return system->laws;
}

size_t thud_model_row_count(const thud_system *system, model_array array) {
  return row_count(system, ARRAYS[array].rows);
}

size_t thud_model_full_size(const thud_system *system, model_array array) {
  return row_count(system, ARRAYS[array].rows) * (ARRAYS[array].times_n ? system->n : 1);
}

size_t thud_model_array_size(const thud_system *system, model_array array) {
  const model_pattern *pattern = &system->pattern[array];
  return pattern->start != NULL ? (size_t)pattern->start[thud_model_row_count(system, array)]
                                : thud_model_full_size(system, array);
}

/* "friction law 'brake', direction 1" of slip component `row`. */
static void describe_slip(const thud_system *system, size_t row, char *text, size_t capacity) {
  size_t law = 0;
  while (row >= (size_t)system->friction[law].directions) row -= (size_t)system->friction[law++].directions;
  snprintf(text, capacity, "friction law '%s', direction %zu", system->friction[law].name, row);
}

static void describe_row(const thud_system *system, shape rows, size_t row, char *text, size_t capacity) {
  text[0] = '\0';
  switch (rows) {
  case SHAPE_ONE: break;
  case SHAPE_N: snprintf(text, capacity, "coordinate '%s'", system->coordinates[row]); break;
  case SHAPE_M: snprintf(text, capacity, "constraint '%s'", system->constraints[row].name); break;
  case SHAPE_S: describe_slip(system, row, text, capacity); break;
  case SHAPE_LAWS: snprintf(text, capacity, "friction law '%s'", system->friction[row].name); break;
  }
}

void thud_model_describe(const thud_system *system, model_array array, size_t index, char *text, size_t capacity) {
  const array_info *info = &ARRAYS[array];
  size_t row = info->times_n ? index / system->n : index;
  char owner[160];
  describe_row(system, info->rows, row, owner, sizeof owner);
  if (info->rows == SHAPE_ONE)
    snprintf(text, capacity, "%s", info->what);
  else if (array == MODEL_MASS)
    snprintf(text, capacity, "mass matrix entry ('%s', '%s')", system->coordinates[row],
             system->coordinates[index % system->n]);
  else if (info->times_n)
    snprintf(text, capacity, "%s of %s by '%s%s'", info->what, owner, system->coordinates[index % system->n],
             array == MODEL_FORCE_DV ? "'" : "");
  else
    snprintf(text, capacity, "%s of %s", info->what, owner);
}

void thud_model_describe_state(const thud_system *system, double t, const double *q, const double *v, char *text,
                               size_t capacity) {
  enum { MOST_COORDINATES = 8 };
  int length = snprintf(text, capacity, "t = %.9g", t);
  for (size_t i = 0; i < system->n && i < MOST_COORDINATES && length > 0 && (size_t)length < capacity; i++)
    length += snprintf(text + length, capacity - (size_t)length, ", %s = %.9g, %s' = %.9g", system->coordinates[i],
                       q[i], system->coordinates[i], v[i]);
  if (system->n > MOST_COORDINATES && length > 0 && (size_t)length < capacity)
    snprintf(text + length, capacity - (size_t)length, ", ...");
}
