#include "record_table.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static void load_column(thud_record_reader *reader, const record_table *table, size_t channel, record_column *column) {
  *column = (record_column){.about = *thud_record_reader_channel(reader, table->which, channel)};
  bool text = column->about.type == THUD_RECORD_TEXT;
  size_t used = 0, room = 16;
  column->starts = malloc((table->rows + 1) * sizeof(size_t));
  char *memory = malloc(room * sizeof(double));
  assert_non_null(column->starts);
  assert_non_null(memory);
  column->starts[0] = 0;
  for (size_t row = 0; row < table->rows; row++) {
    thud_record_cell cell;
    assert_int_equal(thud_record_read_cell(reader, table->which, channel, row, &cell), THUD_OK);
    if (used + cell.count > room) { /* not in every row: under a sanitizer each call copies everything */
      while (used + cell.count > room) room *= 2;
      memory = realloc(memory, room * sizeof(double));
      assert_non_null(memory);
    }
    if (text)
      memcpy(memory + used, cell.text, cell.count);
    else if (cell.count > 0)
      memcpy((double *)(void *)memory + used, cell.values, cell.count * sizeof(double));
    column->starts[row + 1] = used += cell.count;
  }
  if (text)
    column->bytes = memory;
  else
    column->values = (double *)(void *)memory;
}

void record_table_load(thud_record_reader *reader, thud_record_table which, record_table *table) {
  thud_record_info info = thud_record_reader_info(reader);
  *table = (record_table){
      .which = which, .rows = info.rows[which], .loaded = info.rows[which], .count = info.channel_count[which]};
  thud_assert_at_most(table->count, RECORD_TABLE_MOST);
  for (size_t k = 0; k < table->count; k++) load_column(reader, table, k, &table->columns[k]);
}

void record_table_free(record_table *table) {
  for (size_t k = 0; k < table->count; k++) {
    free(table->columns[k].starts);
    free(table->columns[k].values);
    free(table->columns[k].bytes);
  }
}

void record_table_describe(const record_table *table, thud_record_channel channels[RECORD_TABLE_MOST]) {
  for (size_t k = 0; k < table->count; k++) channels[k] = table->columns[k].about;
}

void record_table_append(thud_record_writer *writer, const record_table *table, size_t row) {
  thud_record_cell cells[RECORD_TABLE_MOST];
  for (size_t k = 0; k < table->count; k++) {
    const record_column *column = &table->columns[k];
    cells[k] = (thud_record_cell){.count = record_table_size(table, k, row)};
    if (column->bytes != NULL)
      cells[k].text = column->bytes + column->starts[row];
    else
      cells[k].values = column->values + column->starts[row];
  }
  assert_int_equal(thud_record_append(writer, table->which, cells), THUD_OK);
}

size_t record_table_find(const record_table *table, const char *name) {
  for (size_t k = 0; k < table->count; k++)
    if (strcmp(table->columns[k].about.name, name) == 0) return k;
  for (size_t k = 0; k < table->count; k++)
    if (strcmp(table->columns[k].about.role, name) == 0) return k;
  fail_msg("no channel is called '%s'", name);
  return 0;
}

size_t record_table_size(const record_table *table, size_t channel, size_t row) {
  const record_column *column = &table->columns[channel];
  thud_assert_less(row, table->loaded);
  return column->starts[row + 1] - column->starts[row];
}

double *record_table_cell(const record_table *table, size_t channel, size_t row) {
  const record_column *column = &table->columns[channel];
  thud_assert_less(row, table->loaded);
  assert_non_null(column->values);
  return column->values + column->starts[row];
}

double *record_table_number(const record_table *table, const char *name, size_t row, size_t component) {
  size_t channel = record_table_find(table, name);
  thud_assert_less(component, record_table_size(table, channel, row));
  return record_table_cell(table, channel, row) + component;
}
