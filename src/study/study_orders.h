/* Orders of convergence and the flags of studies. */
#ifndef THUD_SRC_STUDY_STUDY_ORDERS_H
#define THUD_SRC_STUDY_STUDY_ORDERS_H

#include "base/base.h"
#include "thud/study.h"

enum {
  STUDY_MOST_LEVELS = 24,
  STUDY_FITTED = 3 /* octaves over which orders are fitted */
};

/* log2(coarse/fine), NaN unless both are positive. */
double thud_study_order_between(double coarse, double fine);
/* Minus the least-squares slope of log2(values) over the levels. Values that rounding explains are 0: they and what is finer
 * are not fitted. Infinite when fewer than two are left before a 0, NaN for fewer than two values or when one is NaN. */
double thud_study_fit_order(size_t count, const double *levels, const double *values);
/* The same over the last octaves of what is fitted. */
double thud_study_fit_last_octaves(size_t count, const double *levels, const double *values);

/* Levels and errors for a fit. A vanishing error (a scheme that happens to be exact) is left out unless all vanish. */
typedef struct study_fit {
  size_t count, zeros;
  double levels[STUDY_MOST_LEVELS], values[STUDY_MOST_LEVELS];
} study_fit;

void thud_study_fit_add(study_fit *data, int level, double value);

/* At least three levels, and a scene of a kind that is studied (study_refine.c). */
thud_error thud_study_check(thud_context *context, const thud_study_options *options, const thud_scene *scene);
/* Flags a run that ended early at that time. */
void thud_study_flag_run(thud_context *context, double time, int level, unsigned *flags, char *message,
                         size_t capacity);
/* Sets the bit and adds the text to the message, after "; ". */
void thud_study_flag(unsigned *flags, char *message, size_t capacity, unsigned bit, const char *format, ...)
    THUD_PRINTF(5, 6);

#endif
