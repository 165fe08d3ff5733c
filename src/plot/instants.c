/* The times at which series are evaluated. */
#include "plot/picture.h"

#include <math.h>
#include <stdlib.h>

/* Instants sampled per record; a row shorter than their distance gets its two ends. */
enum { SAMPLES = 2400 };

double thud_plot_last_time(const plot_record *record) {
  size_t last = record->rows - 1;
  return record->end != NULL ? record->end[last] : record->t[last];
}

static double end_of(const plot_record *record, size_t row) {
  if (record->end != NULL) return record->end[row];
  return row + 1 < record->rows ? record->t[row + 1] : record->t[row];
}

/* The visible part of a row; false: none. */
static bool clip_row(const thud_picture *picture, const plot_record *record, size_t row, double *start, double *end) {
  *start = fmax(record->t[row], picture->from);
  *end = fmin(end_of(record, row), picture->to);
  return *start <= *end;
}

static size_t pieces_of(double length, double distance) {
  if (!(distance > 0 && length > distance)) return 1;
  return (size_t)fmin(ceil(length / distance), SAMPLES);
}

/* Every row begins with an instant, unless the one before begins there, too; its end is the next row's beginning, but
 * of the last one that is seen an instant of its own (a run that was killed, a window that ends). */
thud_error thud_plot_choose_instants(const thud_picture *picture, plot_record *record) {
  size_t count = 0;
  double first = fmax(record->t[0], picture->from), last = fmin(thud_plot_last_time(record), picture->to), t0, t1;
  double distance = (last - first) / SAMPLES;
  for (size_t row = 0; row < record->rows; row++)
    if (clip_row(picture, record, row, &t0, &t1)) count += pieces_of(t1 - t0, distance);
  plot_instant *instants = record->instants = THUD_NEW_ARRAY(picture->context, plot_instant, count + 1);
  if (instants == NULL) return THUD_ERROR_MEMORY;
  size_t seen = SIZE_MAX;
  count = 0;
  for (size_t row = 0; row < record->rows; row++) {
    if (!clip_row(picture, record, row, &t0, &t1)) continue;
    size_t pieces = pieces_of(t1 - t0, distance);
    if (count > 0 && instants[count - 1].t == t0) count--;
    for (size_t j = 0; j < pieces; j++)
      instants[count++] = (plot_instant){.row = row, .t = t0 + (t1 - t0) * (double)j / (double)pieces};
    seen = row;
  }
  if (seen != SIZE_MAX && last > instants[count - 1].t) instants[count++] = (plot_instant){.row = seen, .t = last};
  record->instant_count = count;
  return THUD_OK;
}

/* ---- those of several records -------------------------------------------------------------------------------------------- */

static int compare(const void *a, const void *b) {
  double x = *(const double *)a, y = *(const double *)b;
  return (x > y) - (x < y);
}

/* Times of all records within [from, to], ascending, each once. */
static thud_error collect(const thud_picture *picture, double from, double to, double **times, size_t *count) {
  size_t room = 2;
  for (size_t r = 0; r < picture->record_count; r++) {
    const plot_record *record = &picture->records[r];
    room += record->instants != NULL ? record->instant_count : record->rows;
  }
  double *all = *times = THUD_NEW_ARRAY(picture->context, double, room);
  if (all == NULL) return THUD_ERROR_MEMORY;
  size_t n = 0;
  all[n++] = from;
  all[n++] = to;
  for (size_t r = 0; r < picture->record_count; r++) {
    const plot_record *record = &picture->records[r];
    size_t own = record->instants != NULL ? record->instant_count : record->rows;
    for (size_t k = 0; k < own; k++) {
      double t = record->instants != NULL ? record->instants[k].t : record->t[k];
      if (t > from && t < to) all[n++] = t;
    }
  }
  qsort(all, n, sizeof *all, compare);
  size_t kept = 1;
  for (size_t k = 1; k < n; k++)
    if (all[k] > all[kept - 1]) all[kept++] = all[k];
  *count = kept;
  return THUD_OK;
}

static thud_error place_on(const thud_picture *picture, plot_record *record, const double *times, size_t count) {
  plot_instant *instants = THUD_NEW_ARRAY(picture->context, plot_instant, count);
  if (instants == NULL) return THUD_ERROR_MEMORY;
  size_t row = 0;
  for (size_t k = 0; k < count; k++) {
    while (row + 1 < record->rows && record->t[row + 1] <= times[k]) row++;
    instants[k] = (plot_instant){.row = row, .t = times[k]};
  }
  thud_free(picture->context, record->instants);
  record->instants = instants;
  record->instant_count = count;
  return THUD_OK;
}

thud_error thud_plot_unite_instants(thud_picture *picture) {
  double from = picture->from, to = picture->to, *times = NULL;
  size_t count = 0;
  for (size_t r = 0; r < picture->record_count; r++) {
    from = fmax(from, picture->records[r].t[0]);
    to = fmin(to, thud_plot_last_time(&picture->records[r]));
  }
  if (!(from < to))
    return thud_fail(picture->context, THUD_ERROR_ARGUMENT,
                     "[usage] the records have no time in common within the window: there is no difference");
  thud_error error = collect(picture, from, to, &times, &count);
  for (size_t r = 0; r < picture->record_count && error == THUD_OK; r++)
    error = place_on(picture, &picture->records[r], times, count);
  thud_free(picture->context, times);
  return error;
}
