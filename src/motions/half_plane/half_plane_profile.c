/* Profiles of punches. */
#include "base/base.h"
#include "thud/half_plane.h"

#include <math.h>

static thud_error check_table(thud_context *context, const thud_punch_profile *profile) {
  if (profile->points < 2 || profile->x == NULL || profile->gap == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "punch: a table of %zu points; at least 2 are needed",
                     profile->x == NULL || profile->gap == NULL ? (size_t)0 : profile->points);
  for (size_t k = 0; k < profile->points; k++) {
    if (!isfinite(profile->x[k]) || !isfinite(profile->gap[k]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "punch: point %zu of the table is (%g, %g)", k, profile->x[k],
                       profile->gap[k]);
    if (k > 0 && !(profile->x[k] > profile->x[k - 1]))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "punch: point %zu of the table, at x = %g, is not right of %g", k,
                       profile->x[k], profile->x[k - 1]);
  }
  return THUD_OK;
}

static thud_error check_profile(thud_context *context, const thud_punch_profile *profile) {
  if (profile->shape == THUD_PUNCH_TABLE) return check_table(context, profile);
  if (profile->shape == THUD_PUNCH_FLAT) return THUD_OK;
  if (profile->shape != THUD_PUNCH_WEDGE && profile->shape != THUD_PUNCH_PARABOLA && profile->shape != THUD_PUNCH_WAVE)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "punch: shape %d is unknown", (int)profile->shape);
  if (!isfinite(profile->centre) || !isfinite(profile->size))
    return thud_fail(context, THUD_ERROR_NOT_FINITE, "punch: centre %g, size %g", profile->centre, profile->size);
  if (profile->size <= 0)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "punch: the size %g is not positive", profile->size);
  if (profile->shape == THUD_PUNCH_WAVE && !(profile->wavelength > 0 && isfinite(profile->wavelength)))
    return thud_fail(context, THUD_ERROR_ARGUMENT, "punch: the wavelength %g is not positive", profile->wavelength);
  return THUD_OK;
}

/* The table's straight line that x lies on; NaN outside. */
static double interpolate(const thud_punch_profile *profile, double x) {
  size_t low = 0, high = profile->points - 1;
  if (!(x >= profile->x[low] && x <= profile->x[high])) return NAN;
  while (high - low > 1) {
    size_t middle = low + (high - low) / 2;
    if (profile->x[middle] <= x)
      low = middle;
    else
      high = middle;
  }
  double part = (x - profile->x[low]) / (profile->x[high] - profile->x[low]);
  return (1 - part) * profile->gap[low] + part * profile->gap[high];
}

static double evaluate(const thud_punch_profile *profile, double x) {
  double d = x - profile->centre, s = 0;
  switch (profile->shape) {
  case THUD_PUNCH_WEDGE: return profile->size * fabs(d);
  case THUD_PUNCH_PARABOLA: return d * d / (2 * profile->size);
  case THUD_PUNCH_WAVE: s = sin(3.14159265358979323846 * d / profile->wavelength); return 2 * profile->size * s * s;
  case THUD_PUNCH_TABLE: return interpolate(profile, x);
  default: return 0;
  }
}

thud_error thud_punch_profile_evaluate(thud_context *context, const thud_punch_profile *profile, size_t count,
                                       const double *x, double *gap) {
  THUD_REQUIRE(context, profile, count == 0 || x, count == 0 || gap);
  thud_error error = check_profile(context, profile);
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    if (!isfinite(x[k]))
      error = thud_fail(context, THUD_ERROR_NOT_FINITE, "punch: the profile at x[%zu] = %g", k, x[k]);
    else if (!isfinite(evaluate(profile, x[k])))
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "punch: the profile has no finite height at x = %g%s", x[k],
                        profile->shape == THUD_PUNCH_TABLE ? "; the table must cover the mesh" : "");
  }
  for (size_t k = 0; k < count && error == THUD_OK; k++) gap[k] = evaluate(profile, x[k]);
  return error;
}
