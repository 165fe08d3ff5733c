/* Ticks and their labels. */
#ifndef THUD_SRC_PLOT_TICKS_H
#define THUD_SRC_PLOT_TICKS_H

#include "base/base.h"

enum { THUD_TICKS_MOST = 24, THUD_MINOR_TICKS_MOST = 200, THUD_TICK_TEXT = 32 };

typedef struct thud_ticks {
  size_t count, minor_count;
  double values[THUD_TICKS_MOST]; /* increasing, in [minimum, maximum] */
  char labels[THUD_TICKS_MOST][THUD_TICK_TEXT];
  double minor[THUD_MINOR_TICKS_MOST];
  int exponent;  /* linear axes: labels are (value - offset) / 10^exponent, to be said in the axis label */
  double offset; /* 0 unless all values agree in their leading digits */
} thud_ticks;

/* The smallest step among {1, 2, 2.5, 5} * 10^k that gives at most `most` (>= 2) ticks in the interval. */
void thud_ticks_linear(double minimum, double maximum, int most, thud_ticks *ticks);
/* 0 < minimum < maximum: decades, and their multiples when there are few; in narrow ranges as thud_ticks_linear. */
void thud_ticks_log(double minimum, double maximum, int most, thud_ticks *ticks);

/* "label − offset [10ⁿ unit]" with the parts that are there. label and unit may be NULL. */
void thud_ticks_axis_label(const thud_ticks *ticks, const char *label, const char *unit, char *text, size_t capacity);

#endif
