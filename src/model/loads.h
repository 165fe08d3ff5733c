/* Impulsive loads of a system (thud/model.h): a sorted list of atoms. */
#ifndef THUD_SRC_MODEL_LOADS_H
#define THUD_SRC_MODEL_LOADS_H

#include "thud/model.h"

/* One row per atom: t, weight, impulse[n], bound[laws], share[laws]. */
typedef struct model_loads {
  size_t width; /* of a row */
  size_t count, capacity;
  double *rows;     /* [count*width] */
  thud_load *items; /* [count] views of the rows, once they are sorted */
  size_t family_count;
  thud_load_family *families;
  size_t outside, empty; /* of thud_system_idle_loads */
} model_loads;

/* Copies of the definition's loads, sorted. */
thud_error thud_loads_copy(thud_system *system, const thud_loads *loads);
void thud_loads_free(thud_system *system);
/* Adds an atom, checked; the pointers may be NULL. What is added counts after thud_loads_sort. */
thud_error thud_loads_add(thud_system *system, const thud_load *load);
/* Atoms by time, those at the same time in one. */
thud_error thud_loads_sort(thud_system *system);
/* loads_expand.c: the atoms of expressions; the families' indices join the scope. */
thud_error thud_loads_expand(thud_system *system, thud_expr_scope *scope, const thud_expr_system_def *def,
                             thud_expr_system_place *place);

/* Number of atoms before t; `with` counts those at t, too. */
size_t thud_loads_before(const thud_system *system, double t, bool with);
/* Sum of the atoms first..end-1: impulse[n], bound[laws], share[laws]. */
void thud_loads_sum(const thud_system *system, size_t first, size_t end, double *impulse, double *bound, double *share);

#endif
