#include "motions/posed.h"

#include <string.h>

enum { ARRAYS = 14 };

/* The arrays in their order, with their lengths; gives the sum of the lengths. */
static size_t list_arrays(const thud_system *system, thud_posed *posed, double **arrays[ARRAYS],
                          size_t lengths[ARRAYS]) {
  size_t n = (size_t)thud_system_dimension(system), m = (size_t)thud_system_constraint_count(system);
  size_t s = (size_t)thud_system_slip_count(system), laws = (size_t)thud_system_friction_count(system), sum = 0;
  double **const all[ARRAYS] = {&posed->step,     &posed->mass, &posed->node_mass, &posed->impulse, &posed->applied,
                                &posed->acting,   &posed->gap,  &posed->gradient,  &posed->rate,    &posed->restitution,
                                &posed->friction, &posed->slip, &posed->slip_rate, &posed->bend};
  const size_t counts[ARRAYS] = {1, n * n, n * n, n, n, m, m, m * n, m, m, laws, s * n, s, m};
  memcpy(arrays, all, sizeof all);
  memcpy(lengths, counts, sizeof counts);
  for (size_t k = 0; k < ARRAYS; k++) sum += counts[k];
  return sum;
}

size_t thud_sim_posed_count(const thud_system *system) {
  thud_posed posed;
  double **arrays[ARRAYS];
  size_t lengths[ARRAYS];
  return list_arrays(system, &posed, arrays, lengths);
}

void thud_sim_posed_place(const thud_system *system, double *block, thud_posed *posed) {
  double **arrays[ARRAYS];
  size_t lengths[ARRAYS];
  list_arrays(system, posed, arrays, lengths);
  for (size_t k = 0; k < ARRAYS; k++) {
    *arrays[k] = block;
    block += lengths[k];
  }
}

static void copy(size_t count, const double *from, double *to) {
  if (count > 0) memcpy(to, from, count * sizeof(double));
}

/* Also the contacts' laws of constraints that do not act are not part of the problem. */
static void take_laws(const thud_system *system, const thud_system_values *values, const thud_posed *posed) {
  size_t n = (size_t)thud_system_dimension(system), row = 0;
  for (thud_index k = 0; k < thud_system_friction_count(system); k++) {
    const thud_friction_def *law = thud_system_friction(system, k);
    bool acts = law->constraint < 0 || posed->acting[law->constraint] != 0;
    if (acts) posed->friction[k] = values->friction[k];
    for (thud_index d = 0; d < law->directions; d++, row++) {
      if (!acts) continue;
      copy(n, values->slip + row * n, posed->slip + row * n);
      posed->slip_rate[row] = values->slip_rate[row];
    }
  }
}

void thud_sim_posed_take(const thud_system *system, const thud_system_values *values, const bool *acting, double step,
                         const double *impulse, const double *applied, thud_posed *posed) {
  size_t n = (size_t)thud_system_dimension(system), m = (size_t)thud_system_constraint_count(system);
  memset(posed->step, 0, thud_sim_posed_count(system) * sizeof(double));
  *posed->step = step;
  copy(n * n, values->mass, posed->mass);
  if (impulse != NULL) copy(n, impulse, posed->impulse);
  if (applied != NULL) copy(n, applied, posed->applied);
  copy(m, values->gap, posed->gap);
  for (size_t i = 0; i < m; i++) {
    posed->acting[i] = acting[i];
    if (!acting[i]) continue;
    copy(n, values->gradient + i * n, posed->gradient + i * n);
    posed->rate[i] = values->rate[i];
    posed->restitution[i] = values->restitution[i];
  }
  take_laws(system, values, posed);
}

void thud_sim_posed_take_node(const thud_system *system, const thud_system_values *values, thud_posed *posed) {
  size_t n = (size_t)thud_system_dimension(system);
  copy(n * n, values->mass, posed->node_mass);
}
