/* The tables of a record that is written: channels, their descriptions, rows. */
#include "record/record_names.h"
#include "record/writer.h"

#include <stdio.h>
#include <string.h>

enum {
  EVENT_CHUNK_ROWS = 128,   /* events and warnings are few: smaller chunks than those of frames */
  VALUES_PER_ROW_AIMED = 8, /* ragged channels: values in a chunk, per row of a chunk of ends */
  BYTES_PER_ROW_AIMED = 32, /* the same of texts */
};

static const char *or_empty(const char *text) { return text != NULL ? text : ""; }

/* ---- starting ----------------------------------------------------------------------------------------- */

static thud_error write_attributes(thud_record_writer *writer, const thud_record_channel *channel, hid_t dataset) {
  const struct {
    const char *name, *text;
  } texts[] = {{"unit", or_empty(channel->unit)},
               {"role", or_empty(channel->role)},
               {"description", or_empty(channel->description)},
               {"look", thud_record_look_name(channel->look)},
               {"left", or_empty(channel->left)},
               {"atom", or_empty(channel->atom)},
               {"at", or_empty(channel->at)}};
  herr_t status = 0;
  for (size_t k = 0; k < sizeof texts / sizeof *texts && status >= 0; k++)
    status = thud_h5_write_text(dataset, texts[k].name, strlen(texts[k].text), texts[k].text);
  if (status >= 0) status = thud_h5_write_int(dataset, "group", (int)thud_record_stored_group(channel));
  if (status >= 0) status = thud_h5_write_int(dataset, "optional", channel->optional);
  if (status >= 0) status = thud_h5_write_int(dataset, "state", channel->state);
  return status >= 0 ? THUD_OK : thud_writer_fail(writer, "cannot be written");
}

static thud_error write_names(thud_record_writer *writer, thud_record_table table, const thud_record_channel *channel) {
  char name[THUD_RECORD_PART_LENGTH];
  size_t count = thud_record_component_count(channel);
  thud_error error = THUD_OK;
  if (channel->components != NULL) {
    thud_record_part(table, "components", channel->name, "", name);
    error = thud_writer_write_texts(writer, name, count, channel->components);
  }
  if (error != THUD_OK || channel->label_count == 0) return error;
  thud_record_part(table, "labels", channel->name, "", name);
  return thud_writer_write_texts(writer, name, channel->label_count, channel->labels);
}

static thud_error create_ragged(thud_record_writer *writer, thud_record_table table, const thud_record_channel *channel,
                                size_t chunk_rows, thud_channel_writer *made) {
  char name[THUD_RECORD_PART_LENGTH];
  size_t per_row = channel->type == THUD_RECORD_TEXT ? BYTES_PER_ROW_AIMED : VALUES_PER_ROW_AIMED;
  thud_record_part(table, "data", channel->name, "", name);
  if (thud_writer_create_group(writer, name) < 0) return thud_writer_fail(writer, "cannot be written");
  thud_record_part(table, "data", channel->name, "/ends", name);
  thud_error error = thud_writer_create_column(writer, name, THUD_COLUMN_LONG, 1, chunk_rows, &made->ends);
  if (error != THUD_OK) return error;
  thud_record_part(table, "data", channel->name, "/values", name);
  return thud_writer_create_column(writer, name, (thud_column_kind)channel->type, 1, per_row * chunk_rows,
                                   &made->values);
}

static thud_error create_channel(thud_record_writer *writer, thud_record_table table,
                                 const thud_record_channel *channel, size_t chunk_rows, thud_channel_writer *made) {
  char name[THUD_RECORD_PART_LENGTH];
  made->ragged = channel->width == 0;
  thud_record_part(table, "data", channel->name, "", name);
  thud_error error = made->ragged ? create_ragged(writer, table, channel, chunk_rows, made)
                                  : thud_writer_create_column(writer, name, (thud_column_kind)channel->type,
                                                              channel->width, chunk_rows, &made->values);
  if (error == THUD_OK) error = write_attributes(writer, channel, made->values.dataset);
  return error == THUD_OK ? write_names(writer, table, channel) : error;
}

static thud_error write_channel_names(thud_record_writer *writer, thud_record_table table, size_t count,
                                      const thud_record_channel *channels) {
  char name[THUD_RECORD_PART_LENGTH];
  const char **names = THUD_NEW_ARRAY(writer->context, const char *, count);
  if (names == NULL) return THUD_ERROR_MEMORY;
  for (size_t k = 0; k < count; k++) names[k] = channels[k].name;
  snprintf(name, sizeof name, "%s/channels", thud_record_table_name(table));
  thud_error error = thud_writer_write_texts(writer, name, count, names);
  thud_free(writer->context, names);
  return error;
}

static thud_error create_groups(thud_record_writer *writer, thud_record_table table) {
  static const char *const parts[] = {"", "/data", "/components", "/labels"};
  char name[THUD_RECORD_PART_LENGTH];
  for (size_t k = 0; k < sizeof parts / sizeof *parts; k++) {
    snprintf(name, sizeof name, "%s%s", thud_record_table_name(table), parts[k]);
    if (thud_writer_create_group(writer, name) < 0) return thud_writer_fail(writer, "cannot be written");
  }
  return THUD_OK;
}

static thud_error create_table(thud_record_writer *writer, thud_record_table table, size_t count,
                               const thud_record_channel *channels) {
  thud_table_writer *made = &writer->tables[table];
  size_t chunk_rows = (size_t)writer->options.chunk_rows;
  if (table != THUD_RECORD_FRAMES && chunk_rows > EVENT_CHUNK_ROWS) chunk_rows = EVENT_CHUNK_ROWS;
  if (count == 0) return THUD_OK;
  made->channels = THUD_NEW_ARRAY(writer->context, thud_channel_writer, count);
  made->shapes = THUD_NEW_ARRAY(writer->context, thud_cell_shape, count);
  if (made->channels == NULL || made->shapes == NULL) return THUD_ERROR_MEMORY;
  made->count = count;
  made->chunk_rows = chunk_rows;
  thud_cell_shapes(count, channels, made->shapes);
  thud_error error = create_groups(writer, table);
  if (error == THUD_OK) error = write_channel_names(writer, table, count, channels);
  for (size_t k = 0; k < count && error == THUD_OK; k++)
    error = create_channel(writer, table, &channels[k], chunk_rows, &made->channels[k]);
  return error;
}

const thud_record_channel thud_warning_channels[THUD_WARNING_CHANNELS] = {
    {.name = "t", .width = 1, .role = "time", .description = "nan: no time", .look = THUD_LOOK_POINT},
    {.name = "code", .type = THUD_RECORD_TEXT, .role = "kind", .look = THUD_LOOK_POINT},
    {.name = "message", .type = THUD_RECORD_TEXT, .role = "text", .look = THUD_LOOK_POINT}};

thud_error thud_tables_create(thud_record_writer *writer, const thud_record_layout *layout) {
  thud_error error = THUD_OK;
  for (int t = THUD_RECORD_FRAMES; t <= THUD_RECORD_EVENTS && error == THUD_OK; t++)
    error = create_table(writer, (thud_record_table)t, layout->count[t], layout->channels[t]);
  if (error == THUD_OK)
    error = create_table(writer, THUD_RECORD_WARNINGS, THUD_WARNING_CHANNELS, thud_warning_channels);
  return error;
}

void thud_tables_release(thud_record_writer *writer) {
  for (int t = 0; t < THUD_RECORD_TABLES; t++) {
    thud_table_writer *table = &writer->tables[t];
    for (size_t k = 0; k < table->count; k++) {
      thud_column_writer_release(writer->context, &table->channels[k].values);
      thud_column_writer_release(writer->context, &table->channels[k].ends);
    }
    thud_free(writer->context, table->channels);
    thud_free(writer->context, table->shapes);
    *table = (thud_table_writer){0};
  }
}

/* ---- rows --------------------------------------------------------------------------------------------- */

/* Values behind ends: whatever is interrupted in between, the values of an end are there. */
herr_t thud_tables_store(thud_record_writer *writer, bool last) {
  for (int t = 0; t < THUD_RECORD_TABLES; t++)
    for (size_t k = 0; k < writer->tables[t].count; k++) {
      thud_channel_writer *channel = &writer->tables[t].channels[k];
      if (thud_column_store(&channel->values, last, &writer->space) < 0) return -1;
      if (channel->ragged && thud_column_store(&channel->ends, last, &writer->space) < 0) return -1;
    }
  return 0;
}

static size_t total_of(const thud_column_writer *column) { return column->full_rows + column->buffered; }

/* Ends of ragged channels are whole numbers that a double holds exactly. */
static thud_error check_totals(const thud_record_writer *writer, const thud_table_writer *table,
                               const thud_record_cell *cells) {
  for (size_t k = 0; k < table->count; k++) {
    const thud_column_writer *values = &table->channels[k].values;
    if (table->channels[k].ragged &&
        !thud_column_fits(THUD_COLUMN_LONG, (double)total_of(values) + (double)cells[k].count))
      return thud_fail(writer->context, THUD_ERROR_ARGUMENT, "record: row %zu, channel '%s': %zu values are too many",
                       table->rows, table->shapes[k].name, cells[k].count);
  }
  return THUD_OK;
}

static herr_t push_cell(thud_channel_writer *channel, const thud_record_cell *cell, thud_column_space *space) {
  thud_column_writer *values = &channel->values;
  if (!channel->ragged) return thud_column_push_numbers(values, 1, cell->values, space);
  herr_t status = values->shape.kind == THUD_COLUMN_BYTE
                      ? thud_column_push_bytes(values, cell->count, cell->text, space)
                      : thud_column_push_numbers(values, cell->count, cell->values, space);
  const double end = (double)total_of(values);
  return status < 0 ? status : thud_column_push_numbers(&channel->ends, 1, &end, space);
}

thud_error thud_table_append(thud_record_writer *writer, thud_record_table table, const thud_record_cell *cells) {
  thud_table_writer *to = &writer->tables[table];
  thud_error error = thud_cells_check(writer->context, table, to->rows, to->count, to->shapes, cells);
  if (error == THUD_OK) error = check_totals(writer, to, cells);
  for (size_t k = 0; k < to->count && error == THUD_OK; k++)
    if (push_cell(&to->channels[k], &cells[k], &writer->space) < 0) error = thud_writer_fail_append(writer);
  if (error == THUD_OK && thud_seal_push_row(writer, table, cells) < 0) error = thud_writer_fail_append(writer);
  if (error == THUD_OK) to->rows++;
  return error;
}
