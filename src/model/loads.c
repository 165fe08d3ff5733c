/* The list of a system's impulsive loads. */
#include "model/loads.h"
#include "base/base.h"
#include "model/system.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- adding ------------------------------------------------------------------------------------------------------ */

static thud_error check_load(const thud_system *system, const thud_load *load) {
  thud_context *context = system->context;
  if (!isfinite(load->t))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "[bad-percussion] the time of a percussion is %g", load->t);
  if (!(load->weight >= 0 && isfinite(load->weight)))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "[bad-percussion] the weight of the percussion at t = %.10g is %g; it must be a number > 0",
                     load->t, load->weight);
  for (size_t i = 0; i < system->n && load->impulse != NULL; i++)
    if (!isfinite(load->impulse[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "[bad-percussion] the impulse on '%s' at t = %.10g is %g",
                       system->coordinates[i], load->t, load->impulse[i]);
  for (size_t k = 0; k < system->laws; k++) {
    double bound = load->bound != NULL ? load->bound[k] : 0, share = load->share != NULL ? load->share[k] : 0;
    if (!(bound >= 0 && isfinite(bound) && share >= 0 && isfinite(share)))
      return thud_fail(
          context, THUD_ERROR_ARGUMENT,
          "[bad-friction] the threshold of friction law '%s' at the percussion at t = %.10g is %g; it must be a number "
          ">= 0",
          system->friction[k].name, load->t, load->weight > 0 ? bound / load->weight : bound);
    if (system->friction[k].constraint >= 0 && (bound > 0 || share > 0))
      return thud_fail(context, THUD_ERROR_ARGUMENT,
                       "[bad-friction] friction law '%s' follows the reaction of its constraint: a percussion has no "
                       "threshold for it",
                       system->friction[k].name);
  }
  return THUD_OK;
}

static void copy_or_clear(size_t count, const double *from, double *to) {
  for (size_t i = 0; i < count; i++) to[i] = from != NULL ? from[i] : 0;
}

thud_error thud_loads_add(thud_system *system, const thud_load *load) {
  model_loads *loads = &system->loads;
  thud_error error = check_load(system, load);
  if (error != THUD_OK) return error;
  if (loads->count >= THUD_MAX_LOADS)
    return thud_fail(system->context, THUD_ERROR_OVERFLOW, "more than %d percussions within the run", THUD_MAX_LOADS);
  loads->width = 2 + system->n + 2 * system->laws;
  error = thud_array_reserve(system->context, &loads->rows, &loads->capacity, loads->count + 1,
                             loads->width * sizeof(double));
  if (error != THUD_OK) return error;
  double *row = loads->rows + loads->width * loads->count++;
  row[0] = load->t;
  row[1] = load->weight;
  copy_or_clear(system->n, load->impulse, row + 2);
  copy_or_clear(system->laws, load->bound, row + 2 + system->n);
  copy_or_clear(system->laws, load->share, row + 2 + system->n + system->laws);
  return THUD_OK;
}

/* ---- order ------------------------------------------------------------------------------------------------------- */

static int compare_times(const void *a, const void *b) {
  const double *x = a, *y = b;
  return (x[0] > y[0]) - (x[0] < y[0]);
}

thud_error thud_loads_sort(thud_system *system) {
  model_loads *loads = &system->loads;
  size_t width = loads->width, kept = 0;
  if (loads->count == 0) return THUD_OK;
  qsort(loads->rows, loads->count, width * sizeof(double), compare_times);
  for (size_t k = 0; k < loads->count; k++) {
    const double *row = loads->rows + k * width;
    double *last = kept > 0 ? loads->rows + (kept - 1) * width : NULL;
    if (last == NULL || last[0] != row[0])
      memmove(loads->rows + kept++ * width, row, width * sizeof *row);
    else
      for (size_t c = 1; c < width; c++) last[c] += row[c];
  }
  loads->count = kept;
  thud_free(system->context, loads->items);
  loads->items = THUD_NEW_ARRAY(system->context, thud_load, kept);
  if (loads->items == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < kept; k++) {
    const double *row = loads->rows + k * width, *bound = row + 2 + system->n;
    loads->items[k] = (thud_load){row[0], row[1], row + 2, bound, bound + system->laws};
  }
  return THUD_OK;
}

thud_error thud_loads_copy(thud_system *system, const thud_loads *loads) {
  if ((loads->count > 0 && loads->items == NULL) || (loads->family_count > 0 && loads->families == NULL))
    return thud_fail(system->context, THUD_ERROR_ARGUMENT, "system: the loads are missing");
  thud_error error = THUD_OK;
  for (size_t k = 0; k < loads->count && error == THUD_OK; k++) {
    error = thud_loads_add(system, &loads->items[k]);
    if (error != THUD_OK && error != THUD_ERROR_MEMORY)
      error = thud_fail_within(system->context, error, "system: load %zu", k);
  }
  if (error == THUD_OK) error = thud_loads_sort(system);
  if (error != THUD_OK || loads->family_count == 0) return error;
  system->loads.families = THUD_NEW_ARRAY(system->context, thud_load_family, loads->family_count);
  if (system->loads.families == NULL) return THUD_ERROR_MEMORY;
  memcpy(system->loads.families, loads->families, loads->family_count * sizeof *loads->families);
  system->loads.family_count = loads->family_count;
  return THUD_OK;
}

void thud_loads_free(thud_system *system) {
  thud_free(system->context, system->loads.rows);
  thud_free(system->context, system->loads.items);
  thud_free(system->context, system->loads.families);
}

/* ---- asking ------------------------------------------------------------------------------------------------------ */

thud_loads thud_system_loads(const thud_system *system) {
  THUD_REQUIRE_OR((thud_loads){0}, system);
  const model_loads *loads = &system->loads;
  return (thud_loads){loads->count, loads->items, loads->family_count, loads->families};
}

void thud_system_idle_loads(const thud_system *system, size_t *outside, size_t *empty) {
  THUD_REQUIRE_OR(, system);
  if (outside != NULL) *outside = system->loads.outside;
  if (empty != NULL) *empty = system->loads.empty;
}

size_t thud_loads_before(const thud_system *system, double t, bool with) {
  size_t low = 0, high = system->loads.count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    double at = system->loads.items[middle].t;
    if (at < t || (with && at == t))
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

void thud_loads_sum(const thud_system *system, size_t first, size_t end, double *impulse, double *bound,
                    double *share) {
  copy_or_clear(system->n, NULL, impulse);
  copy_or_clear(system->laws, NULL, bound);
  copy_or_clear(system->laws, NULL, share);
  for (size_t k = first; k < end; k++) {
    const thud_load *load = &system->loads.items[k];
    for (size_t i = 0; i < system->n; i++) impulse[i] += load->impulse[i];
    for (size_t l = 0; l < system->laws; l++) {
      bound[l] += load->bound[l];
      share[l] += load->share[l];
    }
  }
}
