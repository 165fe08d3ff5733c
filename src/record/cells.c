#include "record/cells.h"
#include "record/column.h"

#include <string.h>

void thud_cell_shapes(size_t count, const thud_record_channel *channels, thud_cell_shape *shapes) {
  for (size_t k = 0; k < count; k++) {
    const thud_record_channel *channel = &channels[k];
    shapes[k] = (thud_cell_shape){.type = channel->type,
                                  .width = channel->width,
                                  .group = channel->group > 0 ? channel->group : 1,
                                  .at = SIZE_MAX};
    memcpy(shapes[k].name, channel->name, strlen(channel->name) + 1);
    for (size_t j = 0; channel->at != NULL && j < count; j++)
      if (strcmp(channels[j].name, channel->at) == 0) shapes[k].at = j;
  }
}

/* A row about to be taken. */
typedef struct new_row {
  thud_context *context;
  thud_record_table table;
  size_t number;
  const thud_cell_shape *shapes;
  const thud_record_cell *cells;
} new_row;

static thud_error refuse(const new_row *row, size_t k, const char *why, double value) {
  return thud_fail(row->context, THUD_ERROR_ARGUMENT, "record: row %zu of the %s, channel '%s': %g %s", row->number,
                   thud_record_table_name(row->table), row->shapes[k].name, value, why);
}

static thud_error check_count(const new_row *row, size_t k) {
  const thud_cell_shape *shape = &row->shapes[k];
  size_t count = row->cells[k].count;
  if (shape->width > 0)
    return count == shape->width ? THUD_OK : refuse(row, k, "values are not its width", (double)count);
  if (count % shape->group != 0) return refuse(row, k, "values are not whole groups", (double)count);
  size_t groups = count / shape->group;
  if (shape->at != SIZE_MAX && count > 0 && groups != row->cells[shape->at].count)
    return refuse(row, k, "groups of values are not as many as its 'at' channel has entries", (double)groups);
  return THUD_OK;
}

static thud_error check_cell(const new_row *row, size_t k) {
  const thud_record_cell *cell = &row->cells[k];
  thud_record_type type = row->shapes[k].type;
  bool missing = type == THUD_RECORD_TEXT ? cell->text == NULL : cell->values == NULL;
  if (missing && cell->count > 0) return refuse(row, k, "values are announced, none are given", (double)cell->count);
  thud_error error = check_count(row, k);
  if (type == THUD_RECORD_TEXT || type == THUD_RECORD_REAL) return error;
  for (size_t c = 0; c < cell->count && error == THUD_OK; c++)
    if (!thud_column_fits((thud_column_kind)type, cell->values[c]))
      error = refuse(row, k, "is not a whole number that fits", cell->values[c]);
  return error;
}

thud_error thud_cells_check(thud_context *context, thud_record_table table, size_t row, size_t count,
                            const thud_cell_shape *shapes, const thud_record_cell *cells) {
  const new_row made = {.context = context, .table = table, .number = row, .shapes = shapes, .cells = cells};
  thud_error error = THUD_OK;
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = check_cell(&made, k);
  return error;
}
