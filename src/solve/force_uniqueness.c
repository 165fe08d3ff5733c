/* Is the set S one point? By rank where r cannot change at all; by an inner point of S otherwise; and where there is
 * none (an answer on the edge of its cones) by the extent of S along every direction in which r may change. */
#include "solve/force_set.h"
#include "base/base.h"

#include <math.h>

/* Extent of S along column j of the basis: known and proved. */
static thud_error extent_along(thud_force_set *set, thud_index j, double *c, double *z, double *known, double *proved) {
  thud_cone_optimum least, most;
  size_t height = (size_t)set->coordinates + 1;
  for (thud_index i = 0; i < set->coordinates; i++) c[i] = set->basis[(size_t)i + (size_t)j * height];
  thud_error error = thud_force_set_minimise(set, c, z, &least);
  if (error != THUD_OK) return error;
  for (thud_index i = 0; i < set->coordinates; i++) c[i] = -c[i];
  error = thud_force_set_minimise(set, c, z, &most);
  *known = -most.value - least.value;
  *proved = -most.bound - least.bound;
  return error;
}

static thud_error measure_extents(thud_force_set *set, thud_uniqueness_info *info) {
  thud_error error = THUD_ERROR_MEMORY;
  double *c = THUD_NEW_ARRAY(set->context, double, (size_t)set->coordinates + 1);
  double *z = THUD_NEW_ARRAY(set->context, double, info->freedom);
  if (c == NULL || z == NULL) goto done;
  error = thud_force_set_bound(set);
  info->width_outer = 0;
  for (thud_index j = 0; j < info->freedom && error == THUD_OK && info->width <= set->options.width_tolerance; j++) {
    double known = 0, proved = 0;
    error = extent_along(set, j, c, z, &known, &proved);
    info->width = fmax(info->width, known);
    info->width_outer = fmax(info->width_outer, proved);
  }
done:
  thud_free(set->context, c);
  thud_free(set->context, z);
  return error;
}

static thud_error examine(thud_force_set *set, thud_uniqueness_info *info) {
  info->width = 0;
  info->width_outer = INFINITY;
  info->verdict = THUD_FORCES_UNDECIDED;
  if (info->moved > set->options.impulse_tolerance) return THUD_OK;
  if (info->freedom == 0) {
    info->width_outer = 0;
    info->verdict = THUD_FORCES_UNIQUE;
    return THUD_OK;
  }
  if (set->has_general) return THUD_OK;
  thud_error error = thud_force_set_find_centre(set);
  if (error != THUD_OK) return error;
  info->width = fmax(0, set->depth); /* a ball of about that radius around the centre lies in S */
  bool affordable = 2 * (int64_t)info->freedom <= set->options.max_programs;
  if (info->width <= set->options.width_tolerance && affordable) error = measure_extents(set, info);
  if (error != THUD_OK) return error;
  if (info->width > set->options.width_tolerance) {
    info->verdict = THUD_FORCES_NOT_UNIQUE;
    info->width_outer = INFINITY;
  } else if (info->width_outer <= set->options.width_tolerance) {
    info->verdict = THUD_FORCES_UNIQUE;
  }
  return THUD_OK;
}

thud_error thud_force_set_uniqueness(thud_force_set *set, thud_uniqueness_info *info) {
  THUD_REQUIRE_OF(set, info);
  if (!set->has_verdict) {
    thud_uniqueness_info found = set->info;
    thud_error error = examine(set, &found);
    if (error != THUD_OK) return error;
    set->info = found;
    set->has_verdict = true;
  }
  *info = set->info;
  return THUD_OK;
}
