/* A table of numbers in CSV: the columns that were asked for, by name. */
#ifndef THUD_SRC_VERIFY_VERIFY_TABLE_H
#define THUD_SRC_VERIFY_VERIFY_TABLE_H

#include "base/base.h"

typedef struct verify_table_column {
  const char *name;
  bool required;
  bool side;      /* -, + or nothing (also -1, 1, 0) rather than a number */
  double *values; /* [rows] filled by the reader; NULL when the column is not there */
} verify_table_column;

/* Reads the file; the first line names its columns. Values are freed with thud_free, also after a failure. Messages
 * name the line and the column. */
thud_error thud_verify_table_read(thud_context *context, const char *path, size_t column_count,
                                  verify_table_column *columns, size_t *rows);

#endif
