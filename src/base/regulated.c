#include "base/base.h"

#include <math.h>
#include <string.h>

thud_error thud_regulated_evaluate(thud_context *context, const thud_regulated *function, double t, thud_side side,
                                   double *out) {
  THUD_REQUIRE(context, context, function, out);
  int status = function->evaluate(function->user, t, side, out);
  if (status != 0)
    return thud_fail(context, THUD_ERROR_CALLBACK, "a function of time reported status %d at t = %.15g", status, t);
  for (thud_index i = 0; i < function->dimension; i++)
    if (isnan(out[i]) || (isinf(out[i]) && !function->may_be_infinite))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "component %d of a function of time is %g at t = %.15g", (int)i,
                       out[i], t);
  return THUD_OK;
}

/* Index of the first time that is >= t. */
static size_t lower_bound(size_t count, const double *times, double t) {
  size_t low = 0, high = count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    if (times[middle] < t)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

bool thud_regulated_jumps_at(const thud_regulated *function, double t) {
  THUD_REQUIRE_OR(false, function);
  size_t k = lower_bound(function->jump_count, function->jumps, t);
  return k < function->jump_count && function->jumps[k] == t;
}

struct thud_piecewise {
  thud_context *context;
  thud_index dimension, degree, breaks;
  double *times;        /* [breaks] strictly increasing */
  double *coefficients; /* [(breaks+1)*dimension*(degree+1)] */
  double *values;       /* [breaks*dimension] */
};

/* Horner's rule on piece k, which is not asked whether t lies inside: limits are values of the neighbour pieces. */
static void piece_evaluate(const thud_piecewise *f, thud_index k, double t, double *out) {
  double origin = f->breaks == 0 ? 0 : f->times[k > 0 ? k - 1 : 0];
  double s = t - origin;
  size_t terms = (size_t)f->degree + 1;
  for (thud_index c = 0; c < f->dimension; c++) {
    const double *a = f->coefficients + ((size_t)k * (size_t)f->dimension + (size_t)c) * terms;
    double sum = a[terms - 1];
    for (size_t d = terms - 1; d-- > 0;) sum = sum * s + a[d];
    out[c] = sum;
  }
}

static int piecewise_evaluate(void *user, double t, thud_side side, double *out) {
  const thud_piecewise *f = user;
  thud_index k = (thud_index)lower_bound((size_t)f->breaks, f->times, t);
  bool at_break = k < f->breaks && f->times[k] == t;
  if (at_break && side == THUD_SIDE_VALUE) {
    memcpy(out, f->values + (size_t)k * (size_t)f->dimension, (size_t)f->dimension * sizeof *out);
    return 0;
  }
  piece_evaluate(f, at_break && side == THUD_SIDE_RIGHT ? k + 1 : k, t, out);
  return 0;
}

static thud_error check_finite(thud_context *context, const char *what, size_t n, const double *x) {
  for (size_t i = 0; i < n; i++)
    if (!isfinite(x[i]))
      return thud_fail(context, THUD_ERROR_NOT_FINITE, "%s %zu of a piecewise function is %g", what, i, x[i]);
  return THUD_OK;
}

thud_error thud_piecewise_create(thud_context *context, thud_index dimension, thud_index degree, thud_index breaks,
                                 const double *break_times, const double *coefficients, const double *values,
                                 thud_piecewise **piecewise) {
  THUD_REQUIRE(context, context);
  if (dimension < 1 || degree < 0 || breaks < 0 || coefficients == NULL || piecewise == NULL ||
      (breaks > 0 && (break_times == NULL || values == NULL)))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "a piecewise function needs dimension >= 1, degree >= 0, breaks >= 0 (not %d, %d, %d) and arrays",
                     (int)dimension, (int)degree, (int)breaks);
  size_t n_values = (size_t)breaks * (size_t)dimension;
  size_t n_coefficients;
  if (!thud_size_multiply(((size_t)breaks + 1) * (size_t)dimension, (size_t)degree + 1, &n_coefficients))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "a piecewise function of %zu pieces is too large",
                     (size_t)breaks + 1);
  thud_error error = check_finite(context, "break time", (size_t)breaks, break_times);
  if (error == THUD_OK) error = check_finite(context, "coefficient", n_coefficients, coefficients);
  if (error == THUD_OK) error = check_finite(context, "value", n_values, values);
  if (error != THUD_OK) return error;
  for (thud_index k = 1; k < breaks; k++)
    if (!(break_times[k - 1] < break_times[k]))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "break times must increase: number %d is %g after %g", (int)k,
                       break_times[k], break_times[k - 1]);

  thud_piecewise *made = THUD_NEW(context, thud_piecewise);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_piecewise){.context = context, .dimension = dimension, .degree = degree, .breaks = breaks};
  made->times = THUD_NEW_ARRAY(context, double, breaks);
  made->coefficients = THUD_NEW_ARRAY(context, double, n_coefficients);
  made->values = THUD_NEW_ARRAY(context, double, n_values);
  if (made->times == NULL || made->coefficients == NULL || made->values == NULL) {
    thud_piecewise_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  if (breaks > 0) {
    memcpy(made->times, break_times, (size_t)breaks * sizeof(double));
    memcpy(made->values, values, n_values * sizeof(double));
  }
  memcpy(made->coefficients, coefficients, n_coefficients * sizeof(double));
  *piecewise = made;
  return THUD_OK;
}

void thud_piecewise_destroy(thud_piecewise *piecewise) {
  if (piecewise == NULL) return;
  thud_context *context = piecewise->context;
  thud_free(context, piecewise->times);
  thud_free(context, piecewise->coefficients);
  thud_free(context, piecewise->values);
  thud_free(context, piecewise);
}

thud_regulated thud_piecewise_function(const thud_piecewise *piecewise) {
  THUD_REQUIRE_OR((thud_regulated){0}, piecewise);
  return (thud_regulated){.dimension = piecewise->dimension,
                          .evaluate = piecewise_evaluate,
                          .user = (void *)(uintptr_t)piecewise, /* only read through the callback */
                          .jump_count = (size_t)piecewise->breaks,
                          .jumps = piecewise->times};
}
