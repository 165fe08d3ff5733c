/* One table of a record in memory, cell by cell, that a test can change and write again. */
#ifndef THUD_TEST_RECORD_TABLE_H
#define THUD_TEST_RECORD_TABLE_H

#include "thud/record.h"

enum { RECORD_TABLE_MOST = 48 };

typedef struct record_column {
  thud_record_channel about; /* texts and names belong to the reader */
  size_t *starts;            /* [rows + 1] the cell of row k begins at starts[k] */
  double *values;            /* NULL: texts */
  char *bytes;               /* NULL: numbers */
} record_column;

typedef struct record_table {
  thud_record_table which;
  size_t rows, loaded, count; /* rows: to be written, at most as many as were loaded */
  record_column columns[RECORD_TABLE_MOST];
} record_table;

/* The reader must outlive the table. */
void record_table_load(thud_record_reader *reader, thud_record_table which, record_table *table);
void record_table_free(record_table *table);
/* Copies of the channels' descriptions, for a layout. */
void record_table_describe(const record_table *table, thud_record_channel channels[RECORD_TABLE_MOST]);
void record_table_append(thud_record_writer *writer, const record_table *table, size_t row);

/* Number of the channel with this name or, if there is none, this role; it must be there. */
size_t record_table_find(const record_table *table, const char *name);
/* Values of a cell that holds numbers. */
size_t record_table_size(const record_table *table, size_t channel, size_t row);
double *record_table_cell(const record_table *table, size_t channel, size_t row);
/* One number by name or role. */
double *record_table_number(const record_table *table, const char *name, size_t row, size_t component);

#endif
