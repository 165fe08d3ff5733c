/* The tables of a record that is read: channels, their descriptions, rows. */
#include "base/base.h"
#include "record/record_names.h"
#include "record/reader.h"

#include <stdio.h>
#include <string.h>

/* ---- opening ------------------------------------------------------------------------------------------- */

static bool is_there(const thud_record_reader *reader, const char *name) {
  return H5Lexists(reader->file, name, H5P_DEFAULT) > 0;
}

static thud_error default_components(thud_record_reader *reader, const char *name, size_t count, const char **names) {
  thud_error error = THUD_OK;
  if (count == 1) names[0] = name;
  for (size_t c = 0; c < count && count > 1 && error == THUD_OK; c++) {
    char text[THUD_RECORD_NAME_LENGTH + 32];
    snprintf(text, sizeof text, "%s[%zu]", name, c);
    error = thud_reader_keep(reader, text, &names[c]);
  }
  return error;
}

static thud_error read_components(thud_record_reader *reader, thud_record_table table, thud_record_channel *channel,
                                  bool *named) {
  char name[THUD_RECORD_PART_LENGTH];
  size_t count = thud_record_component_count(channel), found = 0;
  thud_record_part(table, "components", channel->name, "", name);
  *named = is_there(reader, name);
  if (*named) {
    thud_error error = thud_reader_texts(reader, name, &found, &channel->components);
    return error != THUD_OK || found == count ? error : thud_reader_fail_damaged(reader, name);
  }
  const char **names = thud_arena_alloc(reader->texts, count, sizeof *names);
  if (names == NULL) return THUD_ERROR_MEMORY;
  channel->components = names;
  return default_components(reader, channel->name, count, names);
}

static thud_error read_labels(thud_record_reader *reader, thud_record_table table, thud_record_channel *channel) {
  char name[THUD_RECORD_PART_LENGTH];
  thud_record_part(table, "labels", channel->name, "", name);
  return is_there(reader, name) ? thud_reader_texts(reader, name, &channel->label_count, &channel->labels) : THUD_OK;
}

/* Other channels: "" stands for none. */
static thud_error read_reference(thud_record_reader *reader, hid_t dataset, const char *attribute, const char **name) {
  thud_error error = thud_reader_attribute(reader, dataset, attribute, THUD_RECORD_NAME_LENGTH, name);
  if (error == THUD_OK && (*name)[0] == '\0') *name = NULL;
  return error;
}

/* Groups of more values than the file has bytes are not believed: names are made for each place in a group. */
static thud_error read_numbers(thud_record_reader *reader, hid_t dataset, thud_record_channel *channel) {
  int group, optional, state;
  if (!thud_h5_read_int(dataset, "group", &group) || !thud_h5_read_int(dataset, "optional", &optional) ||
      !thud_h5_read_int(dataset, "state", &state) || group < 0 || (uint64_t)group > reader->file_bytes ||
      (channel->width > 0 && group != 0))
    return thud_reader_fail_damaged(reader, channel->name);
  channel->group = channel->width > 0 ? 0 : group > 0 ? (size_t)group : 1;
  channel->optional = optional != 0;
  channel->state = state != 0;
  return THUD_OK;
}

static thud_error read_attributes(thud_record_reader *reader, hid_t dataset, thud_record_channel *channel) {
  const char *look = "";
  thud_error error = thud_reader_attribute(reader, dataset, "unit", THUD_RECORD_NAME_LENGTH, &channel->unit);
  if (error == THUD_OK) error = thud_reader_attribute(reader, dataset, "role", THUD_RECORD_NAME_LENGTH, &channel->role);
  if (error == THUD_OK)
    error = thud_reader_attribute(reader, dataset, "description", THUD_RECORD_TITLE_LENGTH, &channel->description);
  if (error == THUD_OK) error = thud_reader_attribute(reader, dataset, "look", THUD_RECORD_NAME_LENGTH, &look);
  if (error == THUD_OK && !thud_record_look_of(look, &channel->look)) error = thud_reader_fail_damaged(reader, "look");
  if (error == THUD_OK) error = read_reference(reader, dataset, "left", &channel->left);
  if (error == THUD_OK) error = read_reference(reader, dataset, "atom", &channel->atom);
  if (error == THUD_OK) error = read_reference(reader, dataset, "at", &channel->at);
  return error == THUD_OK ? read_numbers(reader, dataset, channel) : error;
}

static thud_error open_ends(thud_record_reader *reader, thud_record_table table, const thud_record_channel *channel,
                            thud_channel_reader *columns) {
  char name[THUD_RECORD_PART_LENGTH];
  if (columns->values.shape.width != 1) return thud_reader_fail_damaged(reader, channel->name);
  thud_record_part(table, "data", channel->name, "/ends", name);
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, name, THUD_COLUMN_LONG,
                                      reader->file_bytes, &columns->ends);
  return error != THUD_OK || columns->ends.shape.width == 1 ? error : thud_reader_fail_damaged(reader, name);
}

static thud_error open_channel(thud_record_reader *reader, thud_record_table table, thud_record_channel *channel,
                               thud_channel_reader *columns) {
  char name[THUD_RECORD_PART_LENGTH];
  size_t length = strlen(channel->name);
  if (length == 0 || length > THUD_RECORD_NAME_LENGTH || strchr(channel->name, '/') != NULL)
    return thud_reader_fail_damaged(reader, "channels");
  thud_record_part(table, "data", channel->name, "/values", name);
  columns->ragged = is_there(reader, name);
  if (!columns->ragged) thud_record_part(table, "data", channel->name, "", name);
  thud_error error =
      thud_column_open_channel(reader->context, reader->path, reader->file, name, reader->file_bytes, &columns->values);
  if (error != THUD_OK) return error;
  channel->type = (thud_record_type)columns->values.shape.kind;
  if (channel->type == THUD_RECORD_TEXT && !columns->ragged) return thud_reader_fail_damaged(reader, name);
  if (columns->ragged) error = open_ends(reader, table, channel, columns);
  if (error != THUD_OK) return error;
  channel->width = columns->ragged ? 0 : columns->values.shape.width;
  error = read_attributes(reader, columns->values.dataset, channel);
  if (error == THUD_OK) error = read_components(reader, table, channel, &columns->named);
  return error == THUD_OK ? read_labels(reader, table, channel) : error;
}

/* ---- rows that are there --------------------------------------------------------------------------------- */

/* The stored end of a row; SIZE_MAX when it makes no sense, so that its values are never there. */
static thud_error read_end(thud_record_reader *reader, thud_channel_reader *columns, size_t row, size_t *end) {
  double value;
  thud_error error =
      thud_column_read_numbers(reader->context, reader->path, &columns->ends, row, 1, &reader->space, &value);
  if (error != THUD_OK) return error;
  *end = value >= 0 && thud_column_fits(THUD_COLUMN_LONG, value) ? (size_t)value : SIZE_MAX;
  return THUD_OK;
}

/* Rows of a channel. A ragged row counts when its values are there, too: rows at the end without them are left out.
 * whole: nothing announced is missing, nothing is too much. */
static thud_error count_rows(thud_record_reader *reader, thud_channel_reader *columns, size_t *rows, bool *whole) {
  *whole = columns->values.complete;
  *rows = columns->values.rows;
  if (!columns->ragged) return THUD_OK;
  size_t end = 0;
  *rows = columns->ends.rows;
  while (*rows > 0) {
    thud_error error = read_end(reader, columns, *rows - 1, &end);
    if (error != THUD_OK) return error;
    if (end <= columns->values.rows) break;
    --*rows;
  }
  *whole =
      *whole && columns->ends.complete && *rows == columns->ends.rows && (*rows > 0 ? end : 0) == columns->values.rows;
  return THUD_OK;
}

/* A row counts when every channel has it: a killed run may have got further in one column than in another. A finished
 * record must be complete. */
static thud_error common_rows(thud_record_reader *reader, thud_record_table table) {
  thud_table_reader *t = &reader->tables[table];
  size_t least = SIZE_MAX, first = 0;
  for (size_t k = 0; k < t->count; k++) {
    size_t rows;
    bool whole;
    thud_error error = count_rows(reader, &t->columns[k], &rows, &whole);
    if (error != THUD_OK) return error;
    if (k == 0) first = rows;
    if (reader->info.finished && (!whole || rows != first))
      return thud_fail(reader->context, THUD_ERROR_FORMAT,
                       "[record-damaged] %s: the record is damaged: rows of its %s are missing", reader->path,
                       thud_record_table_name(table));
    if (rows < least) least = rows;
  }
  reader->info.rows[table] = least;
  return THUD_OK;
}

/* HDF5 keeps what it has read of every dataset: there is memory for it before each table. */
static thud_error open_table(thud_record_reader *reader, thud_record_table table) {
  thud_table_reader *t = &reader->tables[table];
  char name[THUD_RECORD_PART_LENGTH];
  const char *const *names;
  size_t count;
  if (table == THUD_RECORD_EVENTS && !is_there(reader, "events")) return THUD_OK;
  snprintf(name, sizeof name, "%s/channels", thud_record_table_name(table));
  thud_error error = thud_h5_need_memory(reader->context);
  if (error == THUD_OK) error = thud_reader_texts(reader, name, &count, &names);
  if (error != THUD_OK) return error;
  t->channels = THUD_NEW_ARRAY(reader->context, thud_record_channel, count);
  t->columns = THUD_NEW_ARRAY(reader->context, thud_channel_reader, count);
  if (t->channels == NULL || t->columns == NULL) return THUD_ERROR_MEMORY;
  t->count = reader->info.channel_count[table] = count;
  for (size_t k = 0; k < count && error == THUD_OK; k++) {
    t->channels[k].name = names[k];
    error = open_channel(reader, table, &t->channels[k], &t->columns[k]);
  }
  return error == THUD_OK ? common_rows(reader, table) : error;
}

thud_error thud_tables_open(thud_record_reader *reader) {
  thud_error error = THUD_OK;
  for (int t = 0; t < THUD_RECORD_TABLES && error == THUD_OK; t++) error = open_table(reader, (thud_record_table)t);
  return error;
}

void thud_tables_close(thud_record_reader *reader) {
  thud_context *context = reader->context;
  for (int t = 0; t < THUD_RECORD_TABLES; t++) {
    thud_table_reader *table = &reader->tables[t];
    for (size_t k = 0; k < table->count; k++) {
      thud_column_reader_release(context, &table->columns[k].values);
      thud_column_reader_release(context, &table->columns[k].ends);
      thud_free(context, table->columns[k].cell);
    }
    thud_free(context, table->columns);
    thud_free(context, table->channels);
  }
}

/* ---- finding channels ------------------------------------------------------------------------------------ */

static bool is_table(thud_record_table table) { return table >= THUD_RECORD_FRAMES && table < THUD_RECORD_TABLES; }

const thud_record_channel *thud_record_reader_channel(const thud_record_reader *reader, thud_record_table table,
                                                      size_t index) {
  THUD_REQUIRE_OR(NULL, reader);
  return is_table(table) && index < reader->tables[table].count ? &reader->tables[table].channels[index] : NULL;
}

thud_record_layout thud_record_reader_layout(const thud_record_reader *reader) {
  const thud_table_reader *frames = &reader->tables[THUD_RECORD_FRAMES], *events = &reader->tables[THUD_RECORD_EVENTS];
  return (thud_record_layout){.count = {frames->count, events->count},
                              .channels = {frames->channels, events->channels}};
}

static thud_error find(const thud_record_reader *reader, thud_record_table table, bool by_role, const char *wanted,
                       size_t *index) {
  const thud_table_reader none = {0}, *t = is_table(table) ? &reader->tables[table] : &none;
  for (size_t k = 0; k < t->count; k++)
    if (strcmp(by_role ? t->channels[k].role : t->channels[k].name, wanted) == 0) {
      *index = k;
      return THUD_OK;
    }
  char names[256] = "";
  for (size_t k = 0, used = 0; k < t->count && used < sizeof names; k++)
    used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", k > 0 ? ", " : "", t->channels[k].name);
  return thud_fail(reader->context, THUD_ERROR_NOT_FOUND,
                   "[unknown-channel] %s: no channel of the %s %s '%s'; there are: %s", reader->path,
                   t != &none ? thud_record_table_name(table) : "record", by_role ? "has the role" : "is called",
                   wanted, t->count > 0 ? names : "none");
}

thud_error thud_record_find_channel(const thud_record_reader *reader, thud_record_table table, const char *name,
                                    size_t *index) {
  THUD_REQUIRE_OF(reader, name, index);
  return find(reader, table, false, name, index);
}

thud_error thud_record_find_role(const thud_record_reader *reader, thud_record_table table, const char *role,
                                 size_t *index) {
  THUD_REQUIRE_OF(reader, role, index);
  return find(reader, table, true, role, index);
}

/* ---- reading --------------------------------------------------------------------------------------------- */

/* Checks the arguments of a call: the channel exists, is ragged or not as asked, and has the rows. */
static thud_error check_rows(const thud_record_reader *reader, thud_record_table table, size_t channel, size_t first,
                             size_t count) {
  if (thud_record_reader_channel(reader, table, channel) == NULL)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT, "[unknown-channel] %s: there is no channel %zu of the %s",
                     reader->path, channel, is_table(table) ? thud_record_table_name(table) : "record");
  size_t rows = reader->info.rows[table];
  if (first > rows || count > rows - first)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT,
                     "%s: rows %zu to %zu of channel '%s' of the %s were asked for, the record holds %zu", reader->path,
                     first, first + count - 1, reader->tables[table].channels[channel].name,
                     thud_record_table_name(table), rows);
  return THUD_OK;
}

static thud_error check_ragged(const thud_record_reader *reader, thud_record_table table, size_t channel, bool ragged) {
  if (reader->tables[table].columns[channel].ragged == ragged) return THUD_OK;
  return thud_fail(reader->context, THUD_ERROR_ARGUMENT, "%s: channel '%s' of the %s has %s", reader->path,
                   reader->tables[table].channels[channel].name, thud_record_table_name(table),
                   ragged ? "a fixed width, not any number of values"
                          : "any number of values in a row, no fixed width");
}

thud_error thud_record_read(thud_record_reader *reader, thud_record_table table, size_t channel, size_t first,
                            size_t count, double *values) {
  THUD_REQUIRE_OF(reader, count == 0 || values);
  thud_error error = check_rows(reader, table, channel, first, count);
  if (error == THUD_OK) error = check_ragged(reader, table, channel, false);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = thud_column_read_numbers(reader->context, reader->path, &reader->tables[table].columns[channel].values, first,
                                   count, &reader->space, values);
  thud_h5_leave(guard);
  return error;
}

/* Ends never decrease, stay within the values, and lie at whole groups; in between the caller's guard is up. */
static thud_error read_ends(thud_record_reader *reader, thud_record_table table, size_t channel, size_t first,
                            size_t count, size_t *start, size_t *ends) {
  thud_channel_reader *columns = &reader->tables[table].columns[channel];
  const thud_record_channel *about = &reader->tables[table].channels[channel];
  *start = 0;
  thud_error error = first > 0 ? read_end(reader, columns, first - 1, start) : THUD_OK;
  for (size_t k = 0, before = *start; k < count && error == THUD_OK; before = ends[k++]) {
    error = read_end(reader, columns, first + k, &ends[k]);
    if (error != THUD_OK) break;
    if (ends[k] < before || ends[k] > columns->values.rows || (ends[k] - before) % about->group != 0)
      return thud_fail(
          reader->context, THUD_ERROR_FORMAT,
          "[record-damaged] %s: the record is damaged: row %zu of channel '%s' of the %s has no sensible end",
          reader->path, first + k, about->name, thud_record_table_name(table));
  }
  return error;
}

thud_error thud_record_read_ends(thud_record_reader *reader, thud_record_table table, size_t channel, size_t first,
                                 size_t count, size_t *start, size_t *ends) {
  THUD_REQUIRE_OF(reader, count == 0 || ends);
  size_t before;
  thud_error error = check_rows(reader, table, channel, first, count);
  if (error == THUD_OK) error = check_ragged(reader, table, channel, true);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = read_ends(reader, table, channel, first, count, start != NULL ? start : &before, ends);
  thud_h5_leave(guard);
  return error;
}

thud_error thud_record_read_values(thud_record_reader *reader, thud_record_table table, size_t channel, size_t first,
                                   size_t count, double *values) {
  THUD_REQUIRE_OF(reader, count == 0 || values);
  thud_error error = check_rows(reader, table, channel, 0, 0);
  if (error == THUD_OK) error = check_ragged(reader, table, channel, true);
  if (error != THUD_OK) return error;
  thud_column_reader *column = &reader->tables[table].columns[channel].values;
  const char *name = reader->tables[table].channels[channel].name;
  if (column->shape.kind == THUD_COLUMN_BYTE)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT, "%s: channel '%s' holds texts", reader->path, name);
  if (first > column->rows || count > column->rows - first)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT,
                     "%s: values %zu to %zu of channel '%s' were asked for, the record holds %zu", reader->path, first,
                     first + count - 1, name, column->rows);
  thud_h5_guard guard = thud_h5_enter();
  error = thud_column_read_numbers(reader->context, reader->path, column, first, count, &reader->space, values);
  thud_h5_leave(guard);
  return error;
}

/* Room for a cell; it grows by doubling, so that it is soon large enough for all. */
static thud_error reserve_cell(thud_context *context, thud_channel_reader *columns, size_t count, size_t size) {
  size_t needed, doubled = 2 * columns->capacity;
  if (!thud_size_multiply(count + 1, size, &needed)) return THUD_ERROR_OVERFLOW;
  if (needed <= columns->capacity) return THUD_OK;
  if (needed < doubled) needed = doubled;
  void *room = thud_alloc(context, needed, 1);
  if (room == NULL) return THUD_ERROR_MEMORY;
  thud_free(context, columns->cell);
  columns->cell = room;
  columns->capacity = needed;
  return THUD_OK;
}

static thud_error read_cell(thud_record_reader *reader, thud_record_table table, size_t channel, size_t row,
                            thud_record_cell *cell) {
  thud_channel_reader *columns = &reader->tables[table].columns[channel];
  bool text = columns->values.shape.kind == THUD_COLUMN_BYTE;
  size_t start = row, end = row + 1, count = columns->values.shape.width;
  thud_error error = columns->ragged ? read_ends(reader, table, channel, row, 1, &start, &end) : THUD_OK;
  if (columns->ragged) count = end - start;
  if (error == THUD_OK) error = reserve_cell(reader->context, columns, count, text ? 1 : sizeof(double));
  if (error != THUD_OK) return error;
  error = text ? thud_column_read_bytes(reader->context, reader->path, &columns->values, start, end - start,
                                        &reader->space, columns->cell)
               : thud_column_read_numbers(reader->context, reader->path, &columns->values, start, end - start,
                                          &reader->space, columns->cell);
  if (error != THUD_OK) return error;
  if (text) ((char *)columns->cell)[count] = '\0';
  *cell =
      (thud_record_cell){.values = text ? NULL : columns->cell, .text = text ? columns->cell : NULL, .count = count};
  return THUD_OK;
}

thud_error thud_record_read_cell(thud_record_reader *reader, thud_record_table table, size_t channel, size_t row,
                                 thud_record_cell *cell) {
  THUD_REQUIRE_OF(reader, cell);
  thud_error error = check_rows(reader, table, channel, row, 1);
  if (error != THUD_OK) return error;
  thud_h5_guard guard = thud_h5_enter();
  error = read_cell(reader, table, channel, row, cell);
  thud_h5_leave(guard);
  return error;
}

thud_error thud_record_read_note(thud_record_reader *reader, thud_record_table table, size_t row,
                                 thud_record_note *note) {
  THUD_REQUIRE_OF(reader, note);
  thud_record_cell cells[3];
  for (size_t k = 0; k < 3; k++) {
    thud_error error = thud_record_read_cell(reader, table, k, row, &cells[k]);
    if (error != THUD_OK) return error;
  }
  if (cells[0].values == NULL || cells[0].count != 1 || cells[1].text == NULL || cells[2].text == NULL)
    return thud_fail(reader->context, THUD_ERROR_ARGUMENT, "%s: the rows of the %s are not a time and two texts",
                     reader->path, thud_record_table_name(table));
  *note = (thud_record_note){.t = cells[0].values[0], .kind = cells[1].text, .text = cells[2].text};
  return THUD_OK;
}
