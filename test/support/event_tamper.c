#include "event_tamper.h"
#include "testing.h"

#include <math.h>
#include <string.h>

/* Relative to the largest number of its kind. */
static const double CHANGE = 1e-4;

static double largest_of(const record_table *table, size_t channel) {
  const thud_record_channel *about = &table->columns[channel].about;
  double size = 0;
  for (size_t row = 0; row < table->rows; row++) {
    size_t count = record_table_size(table, channel, row);
    if (about->look == THUD_LOOK_SERIES && count > about->group) count = about->group; /* the values themselves */
    for (size_t i = 0; i < count; i++) {
      double number = fabs(record_table_cell(table, channel, row)[i]);
      if (number > size) size = number;
    }
  }
  return size;
}

/* The figures of an accumulation are measured together, bounds of errors beside what they belong to. */
static double size_of(const record_table *table, size_t channel) {
  static const char *const figures[] = {"begin", "duration", "ratio", "impacts", "limit_error"};
  const char *name = table->columns[channel].about.name;
  bool figure = false;
  if (strcmp(name, "t_error") == 0 || strcmp(name, "t_low") == 0 || strcmp(name, "t_high") == 0)
    return size_of(table, record_table_find(table, "t"));
  if (strcmp(name, "residual") == 0) return 1; /* relative already */
  double size = 0;
  for (int k = 0; k < 5; k++) figure = figure || strcmp(name, figures[k]) == 0;
  if (!figure) size = largest_of(table, channel);
  for (int k = 0; k < 5 && figure; k++) size = fmax(size, largest_of(table, record_table_find(table, figures[k])));
  return size > 1e-9 ? size : 1;
}

/* Beside the largest number of the channel; coefficient k of a series beside what it does on the arc. */
static double change_of(const record_table *table, size_t channel, size_t component, size_t row) {
  const thud_record_channel *about = &table->columns[channel].about;
  if (about->type != THUD_RECORD_REAL) return 1;
  double change = CHANGE * size_of(table, channel);
  if (about->look != THUD_LOOK_SERIES) return change;
  double h = *record_table_number(table, "t_end", row, 0) - *record_table_number(table, "t", row, 0);
  return change * (h > 0 ? pow(h, -(double)(component / about->group)) : 1);
}

/* The modes before the start, and what decided the modes of the rest of an accumulation. */
static bool says_nothing(const record_channels *record, const record_table *table, const char *name, size_t row) {
  if (table == &record->events) {
    bool last = row + 1 == table->rows ||
                *record_table_number(table, "frame", row, 0) != *record_table_number(table, "frame", row + 1, 0);
    return strcmp(name, "order") == 0 && !last;
  }
  if (strcmp(name, "mode_left") == 0) return row == 0;
  return strcmp(name, "order") == 0 && *record_table_number(table, "accumulation", row, 0) != 0;
}

bool event_tamper(thud_context *context, record_channels *record, const record_table *table, size_t channel,
                  size_t component, size_t row) {
  const record_column *column = &table->columns[channel];
  if (column->bytes != NULL || component >= record_table_size(table, channel, row)) return false;
  if (says_nothing(record, table, column->about.name, row)) return false;
  double kept = record_table_cell(table, channel, row)[component], sign = (component + row) % 2 == 0 ? 1 : -1;
  double number = isnan(kept) ? 0 : kept + sign * change_of(table, channel, component, row);
  if (strcmp(column->about.name, "defect_bound") == 0 && kept > 0) number = -kept; /* larger ones only say less */
  record_channels_try(context, "one number", record, table, channel, component, row, number);
  return true;
}
