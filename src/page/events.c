/* The table of events: numbers, and texts for what has names. */
#include "page/page.h"

#include <math.h>
#include <string.h>

enum { WIDEST = 6 }; /* components of a channel with columns of their own; beyond: one text */

typedef struct event_column {
  size_t index;
  const thud_record_channel *channel;
  size_t owner; /* channel that says whose values these are; SIZE_MAX: none */
  bool empty;   /* in all rows that are shown */
} event_column;

typedef struct event_table {
  page_record *record;
  size_t rows, count;
  size_t *row;           /* [rows] numbers of the events that are shown */
  event_column *columns; /* [count] */
} event_table;

static bool is_split(const thud_record_channel *channel) { return channel->width >= 1 && channel->width <= WIDEST; }

/* ---- cells --------------------------------------------------------------------------------------------------------------- */

static const char *label_of(const thud_record_channel *channel, double value) {
  bool named = value >= 0 && value < (double)channel->label_count;
  return named ? channel->labels[(size_t)value] : NULL;
}

/* Does not apply: NaN, or a label that there is not. */
static bool is_missing(const thud_record_channel *channel, double value) {
  return isnan(value) || (channel->optional && channel->label_count > 0 && value < 0);
}

static void write_value(thud_json *json, const thud_record_channel *channel, double value) {
  const char *label = label_of(channel, value);
  if (label != NULL)
    thud_json_string(json, label);
  else if (is_missing(channel, value))
    thud_json_null(json);
  else
    thud_json_number(json, value);
}

static void print_value(thud_text *text, const thud_record_channel *channel, double value) {
  enum { DIGITS = 6 };
  char number[THUD_DOUBLE_CAPACITY];
  const char *label = label_of(channel, value);
  thud_format_digits(value, DIGITS, number, sizeof number);
  thud_text_print(text, "%s", label != NULL ? label : number);
}

/* "floor = 0.5, wall = 1", "stick to slip" for groups. */
static void print_list(thud_text *text, const thud_record_channel *channel, const thud_record_cell *cell,
                       const thud_record_channel *at, const thud_record_cell *owners) {
  size_t group = channel->width == 0 && channel->group > 0 ? channel->group : 1;
  for (size_t k = 0; k < cell->count; k++) {
    if (k > 0) thud_text_print(text, k % group == 0 ? ", " : " → ");
    if (at != NULL && k % group == 0 && k / group < owners->count) {
      print_value(text, at, owners->values[k / group]);
      thud_text_print(text, " = ");
    }
    print_value(text, channel, cell->values[k]);
  }
}

static void write_text(const event_table *table, const event_column *column, size_t row, const thud_record_cell *cell) {
  page_build *page = table->record->page;
  thud_record_reader *reader = table->record->reader;
  thud_text text = thud_text_new(page->context);
  thud_record_cell owners = {0};
  const thud_record_channel *at = NULL;
  if (column->owner != SIZE_MAX && cell->text == NULL) {
    at = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, column->owner);
    thud_page_take(page, thud_record_read_cell(reader, THUD_RECORD_EVENTS, column->owner, row, &owners));
    if (owners.values == NULL) owners.count = 0;
  }
  if (cell->text != NULL)
    thud_text_append(&text, cell->text, cell->count);
  else
    print_list(&text, column->channel, cell, at, &owners);
  if (cell->count > 0)
    thud_json_string(&page->json, thud_text_chars(&text));
  else
    thud_json_null(&page->json);
  thud_page_take(page, text.error);
  thud_text_free(&text);
}

static bool read_cell(const event_table *table, const event_column *column, size_t row, thud_record_cell *cell) {
  return thud_page_take(table->record->page,
                        thud_record_read_cell(table->record->reader, THUD_RECORD_EVENTS, column->index, row, cell));
}

static bool cell_is_empty(const thud_record_channel *channel, const thud_record_cell *cell) {
  if (cell->text != NULL || channel->width == 0) return cell->count == 0;
  for (size_t c = 0; c < cell->count; c++)
    if (!is_missing(channel, cell->values[c])) return false;
  return true;
}

/* ---- columns ------------------------------------------------------------------------------------------------------------- */

/* The time is always there; the number of a frame says nothing to a person, and channels that only say whose the values of
 * another are stand beside them. */
static bool is_left_out(const thud_record_channel *channel) {
  return strcmp(channel->role, "frame") == 0 || strcmp(channel->role, "index") == 0 ||
         strcmp(channel->role, "ledger") == 0;
}

static void choose_columns(event_table *table) {
  thud_record_reader *reader = table->record->reader;
  const thud_record_channel *channel;
  table->columns =
      THUD_NEW_ARRAY(table->record->page->context, event_column, table->record->info.channel_count[THUD_RECORD_EVENTS]);
  if (table->columns == NULL) {
    thud_page_take(table->record->page, THUD_ERROR_MEMORY);
    return;
  }
  for (size_t k = 0; (channel = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, k)) != NULL; k++) {
    event_column column = {.index = k, .channel = channel, .owner = SIZE_MAX, .empty = true};
    thud_record_cell cell;
    if (is_left_out(channel)) continue;
    if (channel->at != NULL &&
        thud_record_find_channel(reader, THUD_RECORD_EVENTS, channel->at, &column.owner) != THUD_OK)
      column.owner = SIZE_MAX;
    for (size_t row = 0; row < table->rows && column.empty; row++) {
      if (!read_cell(table, &column, table->row[row], &cell)) return;
      column.empty = cell_is_empty(channel, &cell);
    }
    if (!column.empty) table->columns[table->count++] = column;
  }
}

static void write_column(thud_json *json, const thud_record_channel *channel) {
  bool split = is_split(channel) && channel->width > 1;
  for (size_t c = 0; c < (split ? channel->width : 1); c++) {
    char name[2 * THUD_RECORD_NAME_LENGTH + 4];
    snprintf(name, sizeof name, split ? "%s %s" : "%s", channel->name, split ? channel->components[c] : "");
    thud_json_begin_object(json);
    thud_json_string_field(json, "name", name);
    thud_json_string_field(json, "unit", channel->unit);
    thud_json_end_object(json);
  }
}

static void write_row(const event_table *table, size_t row) {
  thud_json *json = &table->record->page->json;
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < table->count; k++) {
    const event_column *column = &table->columns[k];
    thud_record_cell cell;
    if (!read_cell(table, column, row, &cell)) return;
    if (is_split(column->channel) && cell.values != NULL)
      for (size_t c = 0; c < cell.count; c++) write_value(json, column->channel, cell.values[c]);
    else
      write_text(table, column, row, &cell);
  }
  thud_json_end_array(json);
}

void thud_page_write_events(page_record *record) {
  page_build *page = record->page;
  size_t total = record->info.rows[THUD_RECORD_EVENTS];
  event_table table = {.record = record};
  table.rows = thud_page_choose_events(record, (size_t)page->options.most_events, &table.row);
  thud_json_key(&page->json, "events");
  thud_json_begin_object(&page->json);
  if (table.rows > 0) choose_columns(&table);
  thud_json_key(&page->json, "columns");
  thud_json_begin_array(&page->json);
  for (size_t k = 0; k < table.count; k++) write_column(&page->json, table.columns[k].channel);
  thud_json_end_array(&page->json);
  thud_json_key(&page->json, "rows");
  thud_json_begin_array(&page->json);
  for (size_t row = 0; row < table.rows && thud_page_state(page) == THUD_OK; row++) write_row(&table, table.row[row]);
  thud_json_end_array(&page->json);
  thud_json_integer_field(&page->json, "total", (int64_t)total);
  thud_json_end_object(&page->json);
  thud_free(page->context, table.columns);
  thud_free(page->context, table.row);
}
