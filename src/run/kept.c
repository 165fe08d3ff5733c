#include "run/kept.h"
#include "base/base.h"

#include <string.h>

void thud_run_kept_create(thud_context *context, size_t channels, size_t most, run_kept *kept) {
  *kept = (run_kept){.context = context, .channels = channels, .most = most};
}

void thud_run_kept_destroy(run_kept *kept) {
  for (size_t k = 0; k < kept->count; k++) thud_free(kept->context, kept->rows[k]);
  if (kept->context != NULL) thud_free(kept->context, kept->rows);
  kept->count = 0;
  kept->rows = NULL;
}

/* Bytes of a cell's content; texts get a final 0. Numbers come first in a block, so that they are aligned. */
static size_t bytes_of(const thud_record_cell *cell) {
  return cell->text != NULL ? cell->count + 1 : cell->count * sizeof(double);
}

static thud_record_cell *copy_row(const run_kept *kept, const thud_record_cell *cells) {
  size_t head = kept->channels * sizeof *cells, total = head;
  for (size_t k = 0; k < kept->channels; k++) total += bytes_of(&cells[k]);
  thud_record_cell *row = thud_alloc(kept->context, total, 1);
  if (row == NULL) return NULL;
  char *next = (char *)row + head;
  memcpy(row, cells, head);
  for (int texts = 0; texts < 2; texts++)
    for (size_t k = 0; k < kept->channels; k++) {
      if ((cells[k].text != NULL) != (texts == 1)) continue;
      const void *from = texts == 1 ? (const void *)cells[k].text : (const void *)cells[k].values;
      if (cells[k].count > 0) memcpy(next, from, bytes_of(&cells[k]) - (size_t)texts);
      if (texts == 1)
        row[k].text = next;
      else
        row[k].values = (double *)(void *)next;
      next += bytes_of(&cells[k]);
    }
  return row;
}

thud_error thud_run_kept_add(run_kept *kept, const thud_record_cell *cells) {
  if (kept->count >= kept->most) return THUD_OK;
  thud_error error =
      thud_array_reserve(kept->context, &kept->rows, &kept->capacity, kept->count + 1, sizeof *kept->rows);
  thud_record_cell *row = error == THUD_OK ? copy_row(kept, cells) : NULL;
  if (row == NULL) return THUD_ERROR_MEMORY;
  kept->rows[kept->count++] = row;
  return THUD_OK;
}

thud_error thud_run_kept_read(run_kept *kept, thud_record_reader *reader, size_t events) {
  thud_record_cell *cells = THUD_NEW_ARRAY(kept->context, thud_record_cell, kept->channels);
  thud_error error = cells != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  for (size_t row = 0; row < events && kept->count < kept->most && error == THUD_OK; row++) {
    for (size_t k = 0; k < kept->channels && error == THUD_OK; k++)
      error = thud_record_read_cell(reader, THUD_RECORD_EVENTS, k, row, &cells[k]);
    if (error == THUD_OK) error = thud_run_kept_add(kept, cells);
  }
  thud_free(kept->context, cells);
  return error;
}
