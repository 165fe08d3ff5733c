/* Warnings with what they mean, and what is proved of each arc. */
#include "page/page.h"
#include "thud/explain.h"

#include <math.h>
#include <string.h>

enum { MOST_WARNINGS = 200 };

static void write_warning(thud_json *json, const thud_record_note *note) {
  const thud_message_help *help = thud_explain(note->kind);
  thud_json_begin_object(json);
  thud_json_number_field(json, "t", note->t);
  thud_json_string_field(json, "code", note->kind);
  thud_json_string_field(json, "message", note->text);
  thud_json_string_field(json, "cause", help != NULL ? help->cause : "");
  thud_json_string_field(json, "cure", help != NULL ? help->cure : "");
  thud_json_end_object(json);
}

void thud_page_write_warnings(page_record *record) {
  page_build *page = record->page;
  size_t total = record->info.rows[THUD_RECORD_WARNINGS], count = total < MOST_WARNINGS ? total : MOST_WARNINGS;
  thud_json_key(&page->json, "warnings");
  thud_json_begin_array(&page->json);
  for (size_t row = 0; row < count; row++) {
    thud_record_note note;
    if (!thud_page_take(page, thud_record_read_note(record->reader, THUD_RECORD_WARNINGS, row, &note))) return;
    write_warning(&page->json, &note);
  }
  thud_json_end_array(&page->json);
  if (count < total) thud_page_note(record, "the list of warnings has the first %zu of %zu", count, total);
}

/* ---- proofs -------------------------------------------------------------------------------------------------------------- */

/* worst[rows]: the largest component of each row; NaN where one has no bound. */
static thud_error read_bounds(const page_record *record, size_t rows, double *worst) {
  size_t index;
  for (size_t row = 0; row < rows; row++) worst[row] = NAN;
  if (thud_record_find_role(record->reader, THUD_RECORD_FRAMES, "defect_bound", &index) != THUD_OK) return THUD_OK;
  for (size_t row = 0; row < rows; row++) {
    thud_record_cell cell;
    thud_error error = thud_record_read_cell(record->reader, THUD_RECORD_FRAMES, index, row, &cell);
    if (error != THUD_OK) return error;
    if (cell.values == NULL || cell.count == 0) continue;
    worst[row] = cell.values[0];
    for (size_t c = 1; c < cell.count; c++)
      if (isnan(cell.values[c]) || cell.values[c] > worst[row]) worst[row] = cell.values[c];
  }
  return THUD_OK;
}

static void write_labels(thud_json *json, const thud_record_channel *channel) {
  thud_json_key(json, "labels");
  thud_json_begin_flat_array(json);
  for (size_t k = 0; k < channel->label_count; k++) thud_json_string(json, channel->labels[k]);
  thud_json_end_array(json);
}

void thud_page_write_proofs(page_record *record) {
  page_build *page = record->page;
  size_t index, rows = record->info.rows[THUD_RECORD_FRAMES];
  double *proof = NULL, *bound = NULL;
  thud_json_key(&page->json, "proofs");
  if (record->stop == NULL || rows == 0 ||
      thud_record_find_role(record->reader, THUD_RECORD_FRAMES, "proof", &index) != THUD_OK ||
      !thud_page_take(page, thud_page_read_role(record, THUD_RECORD_FRAMES, "proof", &proof)) || proof == NULL) {
    thud_json_null(&page->json);
    return;
  }
  bound = THUD_NEW_ARRAY(page->context, double, rows);
  if (thud_page_take(page, bound != NULL ? read_bounds(record, rows, bound) : THUD_ERROR_MEMORY)) {
    thud_json_begin_object(&page->json);
    thud_page_doubles(page, "t", rows, record->t);
    thud_page_doubles(page, "t_end", rows, record->stop);
    thud_page_doubles(page, "proof", rows, proof);
    write_labels(&page->json, thud_record_reader_channel(record->reader, THUD_RECORD_FRAMES, index));
    thud_page_doubles(page, "bound", rows, bound);
    thud_json_end_object(&page->json);
  }
  thud_free(page->context, bound);
  thud_free(page->context, proof);
}
