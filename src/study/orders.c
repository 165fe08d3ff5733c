#include "study/orders.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

double thud_study_order_between(double coarse, double fine) {
  return coarse > 0 && fine > 0 ? log2(coarse / fine) : (double)NAN;
}

/* Per octave: no scheme has such an order. Errors that shrink faster have reached rounding: a line through them says
 * nothing. */
static const double largest_order = 8;

double thud_study_fit_order(size_t count, const double *levels, const double *values) {
  double n = (double)count, sx = 0, sy = 0, sxx = 0, sxy = 0;
  if (count < 2) return (double)NAN;
  for (size_t k = 0; k < count; k++) {
    if (values[k] == 0) return (double)INFINITY;
    double x = levels[k], y = log2(values[k]);
    sx += x;
    sy += y;
    sxx += x * x;
    sxy += x * y;
  }
  double order = -(n * sxy - sx * sy) / (n * sxx - sx * sx);
  return order > largest_order ? (double)INFINITY : order;
}

double thud_study_fit_last_octaves(size_t count, const double *levels, const double *values) {
  size_t first = count > STUDY_FITTED + 1 ? count - STUDY_FITTED - 1 : 0;
  return thud_study_fit_order(count - first, levels + first, values + first);
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
