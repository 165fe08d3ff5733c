/* Checks of layouts and rows, for the writer of records and for consumers of rows without a writer. */
#ifndef THUD_SRC_RECORD_CELLS_H
#define THUD_SRC_RECORD_CELLS_H

#include "thud/record.h"

/* Required shape of a channel's cells. */
typedef struct thud_cell_shape {
  char name[THUD_RECORD_NAME_LENGTH + 1];
  thud_record_type type;
  size_t width; /* 0: ragged */
  size_t group; /* ragged: values per group, >= 1 */
  size_t at;    /* index of the channel that says whose values these are, SIZE_MAX: none */
} thud_cell_shape;

/* Longer texts are errors. */
thud_error thud_record_check_length(thud_context *context, const char *what, const char *text, size_t limit);
thud_error thud_record_check_layout(thud_context *context, const thud_record_layout *layout);

/* Shapes of the channels of a valid layout; shapes[count]. */
void thud_cell_shapes(size_t count, const thud_record_channel *channels, thud_cell_shape *shapes);
/* One row, cells[count]: widths, groups, whole numbers, and that what is announced is there. `row` is its number, for
 * the message. */
thud_error thud_cells_check(thud_context *context, thud_record_table table, size_t row, size_t count,
                            const thud_cell_shape *shapes, const thud_record_cell *cells);

#endif
