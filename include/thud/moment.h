/* thud/moment.h: a record at one time, channel by channel. Layer: record. */
#ifndef THUD_MOMENT_H
#define THUD_MOMENT_H

#include "thud/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Values of a record at a time. Fixed channels and series are evaluated between the rows by their looks (thud_record_sample);
 * of lists (ragged channels that are no series) and texts those of the last row at or before the time are given. */
typedef struct thud_moment thud_moment;

/* The reader is borrowed. The moment is at the start of the record. */
THUD_API thud_error thud_moment_create(thud_record_reader *reader, thud_moment **moment);
/* NULL is allowed. */
THUD_API void thud_moment_destroy(thud_moment *moment);
/* Moves it to a time of the record; side -1: limits from before, otherwise values from there on. */
THUD_API thud_error thud_moment_set(thud_moment *moment, double t, int side);
THUD_API double thud_moment_time(const thud_moment *moment);
THUD_API int thud_moment_side(const thud_moment *moment);
/* The last row of frames at or before the time (side -1: before it, the first row excepted). */
THUD_API size_t thud_moment_row(const thud_moment *moment);
THUD_API thud_record_reader *thud_moment_reader(const thud_moment *moment);
/* Values of a channel of frames, or of the derivative of a series by its name (as thud_record_sampler_create takes them);
 * *values [*count] borrowed until the moment is set again. Of impulses the densities; at the end of the record limits from
 * before; NaN where the record does not say.
 * THUD_ERROR_NOT_FOUND when the record has no such channel. */
THUD_API thud_error thud_moment_values(thud_moment *moment, const char *name, const double **values, size_t *count);

#ifdef __cplusplus
}
#endif
#endif
