/* Differences of records: values of one at the times of both, minus those of the first. */
#include "plot/picture.h"

#include <math.h>
#include <string.h>

static size_t find(const plot_reading *reading, const char *name, size_t place) {
  for (size_t k = 0; k < reading->width; k++) {
    size_t c = (place + k) % reading->width;
    if (strcmp(reading->names[c], name) == 0) return c;
  }
  return SIZE_MAX;
}

static double largest(const plot_reading *reading) {
  double most = 0;
  for (size_t k = 0; k < reading->count * reading->width; k++)
    if (isfinite(reading->values[k])) most = fmax(most, fabs(reading->values[k]));
  return most;
}

/* Components that both have, in front. */
static thud_error keep_common(thud_picture *picture, plot_reading *reading, const plot_reading *first, size_t *pairs,
                              size_t *width) {
  const char **names = thud_arena_alloc(picture->arena, reading->width, sizeof *names);
  const char **units = thud_arena_alloc(picture->arena, reading->width, sizeof *units);
  if (names == NULL || units == NULL) return THUD_ERROR_MEMORY;
  size_t kept = 0, missing = 0;
  for (size_t c = 0; c < reading->width; c++) {
    size_t other = find(first, reading->names[c], c);
    missing += other == SIZE_MAX;
    if (other == SIZE_MAX) continue;
    names[kept] = reading->names[c];
    units[kept] = reading->units[c];
    pairs[2 * kept] = c;
    pairs[2 * kept++ + 1] = other;
  }
  reading->names = names;
  reading->units = units;
  *width = kept;
  if (missing == 0) return THUD_OK;
  return thud_plot_note(picture, "%zu components of %s are not in %s and are left out", missing, reading->record->stem,
                        first->record->stem);
}

static void subtract(const plot_reading *reading, const plot_reading *first, const size_t *pairs, size_t width,
                     double *values, const double *other) {
  for (size_t k = 0; k < reading->count; k++)
    for (size_t i = 0; i < width; i++) /* in place: nothing is read that was written before */
      values[k * width + i] = values[k * reading->width + pairs[2 * i]] - other[k * first->width + pairs[2 * i + 1]];
}

thud_error thud_plot_subtract(thud_picture *picture, plot_reading *reading, const plot_reading *first) {
  size_t *pairs = THUD_NEW_ARRAY(picture->context, size_t, 2 * reading->width), width = 0;
  if (pairs == NULL) return THUD_ERROR_MEMORY;
  reading->scale = fmax(largest(reading), largest(first));
  thud_error error = keep_common(picture, reading, first, pairs, &width);
  if (error == THUD_OK) {
    subtract(reading, first, pairs, width, reading->left, first->left);
    subtract(reading, first, pairs, width, reading->values, first->values);
    reading->width = width;
  }
  thud_free(picture->context, pairs);
  return error;
}
