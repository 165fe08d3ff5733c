#include "study/study_orders.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double thud_study_order_between(double coarse, double fine) {
  return coarse > 0 && fine > 0 ? log2(coarse / fine) : (double)NAN;
}

/* How many values come before the first that is within rounding: behind it nothing shrinks any more. */
static size_t count_significant(size_t count, const double *values) {
  for (size_t k = 0; k < count; k++)
    if (values[k] == 0) return k;
  return count;
}

double thud_study_fit_order(size_t count, const double *levels, const double *values) {
  size_t used = count_significant(count, values);
  double n = (double)used, sx = 0, sy = 0, sxx = 0, sxy = 0;
  if (used < 2) return used < count ? (double)INFINITY : (double)NAN;
  for (size_t k = 0; k < used; k++) {
    double x = levels[k], y = log2(values[k]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  return -(n * sxy - sx * sy) / (n * sxx - sx * sx);
}

double thud_study_fit_last_octaves(size_t count, const double *levels, const double *values) {
  size_t used = count_significant(count, values), first = used > STUDY_FITTED + 1 ? used - STUDY_FITTED - 1 : 0;
  return thud_study_fit_order(count - first, levels + first, values + first);
}

void thud_study_fit_add(study_fit *data, int level, double value) {
  data->zeros += value == 0;
  if (!(value > 0)) return;
  data->levels[data->count] = level;
  data->values[data->count++] = value;
}

void thud_study_flag(unsigned *flags, char *message, size_t capacity, unsigned bit, const char *format, ...) {
  size_t used = strlen(message);
  va_list arguments;
  *flags |= bit;
  if (used > 0 && used < capacity - 3) {
    memcpy(message + used, "; ", 3);
    used += 2;
  }
  va_start(arguments, format);
  vsnprintf(message + used, capacity - used, format, arguments);
  va_end(arguments);
}
