/* The values of what a panel shows. */
#include "plot/picture.h"

#include <math.h>
#include <string.h>

void thud_plot_reading_free(const thud_picture *picture, plot_reading *reading) {
  void *const arrays[] = {reading->values, reading->left, reading->ends, reading->at, reading->marks, reading->mark_of};
  for (size_t k = 0; k < sizeof arrays / sizeof *arrays; k++) thud_free(picture->context, arrays[k]);
}

double thud_plot_time(const plot_reading *reading, size_t k) {
  return reading->instants != NULL ? reading->instants[k].t : reading->t[k];
}

static size_t rows_of(const plot_reading *reading) {
  return reading->source.table == THUD_RECORD_FRAMES ? reading->record->rows : reading->record->events;
}

thud_error thud_plot_new_values(const thud_picture *picture, size_t rows, size_t width, const char *name,
                                double **values) {
  size_t count;
  if (!thud_size_multiply(rows, width, &count))
    return thud_fail(picture->context, THUD_ERROR_OVERFLOW, "channel '%s' is too large to be drawn", name);
  *values = THUD_NEW_ARRAY(picture->context, double, count);
  return *values != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

thud_error thud_plot_read_rows(const thud_picture *picture, const plot_reading *reading, size_t index,
                               double **values) {
  thud_record_reader *reader = reading->record->reader;
  const thud_record_channel *channel = thud_record_reader_channel(reader, reading->source.table, index);
  thud_error error = thud_plot_new_values(picture, rows_of(reading), channel->width, channel->name, values);
  if (error != THUD_OK) return error;
  return thud_record_read(reader, reading->source.table, index, 0, rows_of(reading), *values);
}

/* All values of a ragged channel, and where the rows end. */
static thud_error read_ragged(const thud_picture *picture, const plot_reading *reading, size_t index, double **values,
                              size_t **ends) {
  thud_record_reader *reader = reading->record->reader;
  size_t rows = rows_of(reading);
  *ends = THUD_NEW_ARRAY(picture->context, size_t, rows);
  if (*ends == NULL) return THUD_ERROR_MEMORY;
  thud_error error = thud_record_read_ends(reader, reading->source.table, index, 0, rows, NULL, *ends);
  size_t total = error == THUD_OK && rows > 0 ? (*ends)[rows - 1] : 0;
  if (error == THUD_OK) error = thud_plot_new_values(picture, total, 1, "", values);
  if (error == THUD_OK) error = thud_record_read_values(reader, reading->source.table, index, 0, total, *values);
  return error;
}

/* ---- names ------------------------------------------------------------------------------------------------------- */

/* "reaction[x]" of the channel "reaction" is shown as x, unless that is a mere number. */
static const char *shown_name(thud_picture *picture, const char *channel, const char *name) {
  size_t start = strlen(channel), length = strlen(name);
  bool wrapped = strncmp(name, channel, start) == 0 && name[start] == '[' && name[length - 1] == ']';
  if (!wrapped || strspn(name + start + 1, "0123456789") == length - start - 2) return name;
  return thud_plot_text(picture, "%.*s", (int)(length - start - 2), name + start + 1);
}

static thud_error name_components(thud_picture *picture, plot_reading *reading, const thud_record_channel *named) {
  const char **names = thud_arena_alloc(picture->arena, reading->width, sizeof *names);
  reading->names = names;
  for (size_t c = 0; c < reading->width && names != NULL; c++)
    if ((names[c] = shown_name(picture, named->name, named->components[c])) == NULL) return THUD_ERROR_MEMORY;
  return names != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* Values that belong to the labels of another channel: a component for every label and member of a group. */
static thud_error name_labels(thud_picture *picture, plot_reading *reading, const thud_record_channel *at) {
  size_t group = reading->channel->group;
  if (!thud_size_multiply(at->label_count, group, &reading->width)) return THUD_ERROR_OVERFLOW;
  const char **names = thud_arena_alloc(picture->arena, reading->width, sizeof *names);
  reading->names = names;
  for (size_t c = 0; c < reading->width && names != NULL; c++) {
    const char *label = at->labels[c / group];
    names[c] = group > 1 ? thud_plot_text(picture, "%s.%s", label, reading->channel->components[c % group])
                         : thud_plot_text(picture, "%s", label);
    if (names[c] == NULL) return THUD_ERROR_MEMORY;
  }
  return names != NULL ? THUD_OK : THUD_ERROR_MEMORY;
}

/* ---- marks ------------------------------------------------------------------------------------------------------- */

/* Component of the marks that represents this one: of the same name, or NAME for NAME.t1. */
static size_t mark_of(const thud_record_channel *atom, const char *name) {
  const char *dot = strrchr(name, '.');
  size_t whole = strlen(name), length = dot != NULL ? (size_t)(dot - name) : whole;
  for (size_t i = 0; i < atom->width; i++)
    if (strcmp(atom->components[i], name) == 0) return i;
  for (size_t i = 0; i < atom->width; i++)
    if (strlen(atom->components[i]) == length && strncmp(atom->components[i], name, length) == 0) return i;
  return SIZE_MAX;
}

/* A value with limits from before jumps where its marks say so. If it has none: where the limits differ and one of the
 * events happens (a step of a motion changes velocities, too), or in a record without events wherever they differ. */
static thud_error mark_events(const thud_picture *picture, plot_reading *reading) {
  const plot_record *record = reading->record;
  bool needed = reading->channel->look == THUD_LOOK_LINE && reading->channel->left != NULL;
  if (!needed || record->t_event == NULL) return THUD_OK;
  reading->mark_width = 1;
  reading->mark_of = THUD_NEW_ARRAY(picture->context, size_t, reading->width); /* 0: the only one */
  reading->marks = THUD_NEW_ARRAY(picture->context, double, record->rows);
  if (reading->mark_of == NULL || reading->marks == NULL) return THUD_ERROR_MEMORY;
  for (size_t row = 0, k = 0; row < record->rows; row++) {
    while (k < record->events && record->t_event[k] < record->t[row]) k++;
    reading->marks[row] = k < record->events && record->t_event[k] == record->t[row];
  }
  return THUD_OK;
}

/* One mark is for all components, several are for those of their names. */
static thud_error read_marks(const thud_picture *picture, plot_reading *reading) {
  size_t index = thud_plot_find(reading->record, THUD_RECORD_FRAMES, reading->channel->atom);
  if (reading->source.table != THUD_RECORD_FRAMES) return THUD_OK;
  if (index == SIZE_MAX) return mark_events(picture, reading);
  const thud_record_channel *atom = thud_record_reader_channel(reading->record->reader, THUD_RECORD_FRAMES, index);
  if (atom->width == 0) return THUD_OK;
  reading->mark_width = atom->width;
  reading->mark_of = THUD_NEW_ARRAY(picture->context, size_t, reading->width);
  if (reading->mark_of == NULL) return THUD_ERROR_MEMORY;
  for (size_t c = 0; c < reading->width && atom->width > 1; c++) reading->mark_of[c] = mark_of(atom, reading->names[c]);
  return thud_plot_read_rows(picture, reading, index, &reading->marks);
}

bool thud_plot_marked(const plot_reading *reading, size_t row, size_t c) {
  if (reading->marks == NULL || reading->mark_of[c] == SIZE_MAX) return false;
  return reading->marks[row * reading->mark_width + reading->mark_of[c]] != 0;
}

/* ---- samples ----------------------------------------------------------------------------------------------------- */

/* Forces are unknown on a row that takes no time or stands in for a part of the motion; states are always known. */
static bool is_known(const plot_reading *reading, size_t row) {
  const plot_record *record = reading->record;
  if (reading->channel->state) return true;
  bool takes_time = record->end == NULL || record->end[row] > record->t[row];
  return takes_time && (record->stand_in == NULL || record->stand_in[row] == 0);
}

/* Holds the last known value over unknown ones; a row begins with the value of the row before, if there is one. */
static void hold_unknown(const plot_reading *reading, size_t k) {
  size_t width = reading->width, row = reading->instants[k].row;
  double *values = reading->values + k * width, *left = reading->left + k * width;
  bool known = is_known(reading, row), known_before = is_known(reading, row > 0 ? row - 1 : row);
  bool begins = k > 0 && reading->instants[k - 1].row != row;
  for (size_t c = 0; c < width; c++) {
    if (k > 0 && (isnan(left[c]) || !(begins ? known_before : known))) left[c] = reading->values[(k - 1) * width + c];
    if (isnan(values[c]) || !known) values[c] = left[c];
  }
}

/* A series, its slopes, or another channel beside a series, at the record's instants. */
static thud_error read_samples(thud_picture *picture, plot_reading *reading) {
  char name[PLOT_NAME];
  const char *const names[] = {name};
  thud_record_sampler *sampler;
  reading->count = reading->record->instant_count;
  reading->instants = reading->record->instants;
  thud_plot_source_name(reading->record, reading->source, name);
  thud_error error = thud_record_sampler_create(reading->record->reader, 1, names, &sampler);
  if (error != THUD_OK) return error;
  size_t width = reading->width = thud_record_sampler_width(sampler);
  error = thud_plot_new_values(picture, reading->count, width, name, &reading->values);
  if (error == THUD_OK) error = thud_plot_new_values(picture, reading->count, width, name, &reading->left);
  for (size_t k = 0; k < reading->count && error == THUD_OK; k++) {
    double t = reading->instants[k].t;
    bool jumps;
    error = thud_record_sample(sampler, &t, reading->left + k * width, reading->values + k * width, &jumps);
    if (error == THUD_OK && reading->channel->look == THUD_LOOK_SERIES) hold_unknown(reading, k);
  }
  thud_record_sampler_destroy(sampler);
  if (error != THUD_OK) return error;
  bool slopes = reading->source.part == PLOT_SLOPES;
  size_t left = slopes ? thud_plot_find(reading->record, THUD_RECORD_FRAMES, reading->channel->left) : SIZE_MAX;
  plot_source named = {.table = THUD_RECORD_FRAMES, .index = slopes ? left : reading->source.index};
  return name_components(picture, reading, thud_plot_channel(reading->record, named));
}

/* ---- rows -------------------------------------------------------------------------------------------------------- */

static thud_error read_fixed(thud_picture *picture, plot_reading *reading) {
  const thud_record_channel *channel = reading->channel;
  size_t left = channel->look == THUD_LOOK_LINE ? thud_plot_find(reading->record, reading->source.table, channel->left)
                                                : SIZE_MAX;
  reading->width = channel->width;
  reading->count = rows_of(reading);
  thud_error error = name_components(picture, reading, channel);
  if (error == THUD_OK) error = read_marks(picture, reading);
  if (error == THUD_OK && left != SIZE_MAX) error = thud_plot_read_rows(picture, reading, left, &reading->left);
  if (error == THUD_OK) error = thud_plot_read_rows(picture, reading, reading->source.index, &reading->values);
  if (error == THUD_OK) error = thud_plot_limit_ledger(picture, reading);
  return error == THUD_OK ? thud_plot_trace_ledger(picture, reading) : error;
}

static thud_error read_lists(thud_picture *picture, plot_reading *reading) {
  const thud_record_channel *channel = reading->channel;
  thud_record_table table = reading->source.table;
  size_t index = thud_plot_find(reading->record, table, channel->at);
  const thud_record_channel *at =
      index != SIZE_MAX ? thud_record_reader_channel(reading->record->reader, table, index) : NULL;
  reading->count = rows_of(reading);
  reading->width = channel->group;
  thud_error error = read_ragged(picture, reading, reading->source.index, &reading->values, &reading->ends);
  if (error != THUD_OK) return error;
  if (at == NULL || at->label_count == 0) return name_components(picture, reading, channel);
  size_t *ends = NULL;
  error = read_ragged(picture, reading, index, &reading->at, &ends);
  for (size_t k = 0; k < reading->count && error == THUD_OK; k++)
    if (reading->ends[k] != ends[k] * channel->group)
      error = thud_fail(picture->context, THUD_ERROR_FORMAT, "channel '%s' does not fit its channel '%s'",
                        channel->name, channel->at);
  thud_free(picture->context, ends);
  return error == THUD_OK ? name_labels(picture, reading, at) : error;
}

static thud_error read_values(thud_picture *picture, plot_reading *reading, bool sampled) {
  bool series = reading->channel->look == THUD_LOOK_SERIES && reading->source.table == THUD_RECORD_FRAMES;
  if (series || (sampled && reading->record->instants != NULL)) return read_samples(picture, reading);
  return reading->channel->width > 0 ? read_fixed(picture, reading) : read_lists(picture, reading);
}

thud_error thud_plot_read(thud_picture *picture, const plot_record *record, plot_source source, bool sampled,
                          plot_reading *reading) {
  *reading = (plot_reading){.record = record,
                            .source = source,
                            .channel = thud_plot_channel(record, source),
                            .t = source.table == THUD_RECORD_FRAMES ? record->t : record->t_event};
  thud_error error = read_values(picture, reading, sampled || picture->difference);
  return error == THUD_OK ? thud_plot_read_units(picture, reading) : error;
}

/* ---- jumps ------------------------------------------------------------------------------------------------------- */

double thud_plot_rounding(const plot_reading *reading, size_t c) {
  const double rounding = 1e-9;
  double largest = reading->scale;
  for (size_t k = 0; k < reading->count; k++) {
    double size = fabs(reading->values[k * reading->width + c]);
    if (isfinite(size)) largest = thud_larger(largest, size);
  }
  return rounding * largest;
}

bool thud_plot_jumps(const plot_reading *reading, size_t k, size_t c, double rounding, double *left) {
  size_t place = k * reading->width + c;
  if (reading->left == NULL) return false;
  *left = reading->left[place];
  double difference = fabs(*left - reading->values[place]);
  return reading->marks != NULL ? difference > 0 && thud_plot_marked(reading, k, c) : difference > rounding;
}
