/* Ledgers with their jumps. A row has what was booked up to its time, impacts at that time included. impact_loss changes
 * at impacts alone, which all have rows: in front of one it is what it was at the row before, and
 *
 *   kinetic(t-) = kinetic(t) + impact_loss(t) - impact_loss(t-)
 *
 * because nothing else happens to the energy within no time. */
#include "plot/picture.h"

#include <string.h>

size_t thud_plot_find_entry(const thud_record_channel *channel, const char *name) {
  for (size_t c = 0; c < channel->width; c++)
    if (strcmp(channel->components[c], name) == 0) return c;
  return SIZE_MAX;
}

/* Number of the events' kind "impact"; -1: there are none. */
static double impact_kind(const plot_record *record) {
  size_t index;
  if (record->kind_event == NULL ||
      thud_record_find_role(record->reader, THUD_RECORD_EVENTS, "kind", &index) != THUD_OK)
    return -1;
  const thud_record_channel *kind = thud_record_reader_channel(record->reader, THUD_RECORD_EVENTS, index);
  for (size_t k = 0; k < kind->label_count; k++)
    if (strcmp(kind->labels[k], "impact") == 0) return (double)k;
  return -1;
}

/* Marks the rows at whose time there is an impact and nothing but impacts, and none since the row before. */
static void mark_rows(const plot_record *record, double impact, double *marks) {
  for (size_t row = 1, k = 0; row < record->rows; row++) {
    bool here = false, other = false;
    for (; k < record->events && record->t_event[k] <= record->t[row]; k++) {
      bool now = record->t_event[k] == record->t[row], is_impact = record->kind_event[k] == impact;
      here = here || (now && is_impact);
      other = other || (is_impact && !now && record->t_event[k] > record->t[row - 1]);
    }
    marks[row] = here && !other;
  }
}

thud_error thud_plot_limit_ledger(const thud_picture *picture, plot_reading *reading) {
  const plot_record *record = reading->record;
  const thud_record_channel *channel = reading->channel;
  double impact = impact_kind(record);
  size_t loss = thud_plot_find_entry(channel, "impact_loss"), kinetic = thud_plot_find_entry(channel, "kinetic"),
         width = reading->width;
  bool whole = reading->source.table == THUD_RECORD_FRAMES && strcmp(channel->role, "ledger") == 0;
  if (!whole || reading->left != NULL || record->t_event == NULL || impact < 0 || loss == SIZE_MAX ||
      kinetic == SIZE_MAX)
    return THUD_OK;
  reading->mark_width = 1;
  thud_error error = thud_plot_new_values(picture, record->rows, width, channel->name, &reading->left);
  if (error == THUD_OK) error = thud_plot_new_values(picture, record->rows, 1, channel->name, &reading->marks);
  if (error == THUD_OK) reading->mark_of = THUD_NEW_ARRAY(picture->context, size_t, width); /* 0: the only one */
  if (error == THUD_OK && reading->mark_of == NULL) error = THUD_ERROR_MEMORY;
  if (error != THUD_OK) return error;
  mark_rows(record, impact, reading->marks);
  memcpy(reading->left, reading->values, record->rows * width * sizeof(double));
  for (size_t row = 1; row < record->rows; row++) {
    double *left = reading->left + row * width;
    const double *now = reading->values + row * width;
    if (reading->marks[row] == 0) continue;
    left[loss] = (now - width)[loss];
    left[kinetic] = now[kinetic] + now[loss] - left[loss];
  }
  return THUD_OK;
}
