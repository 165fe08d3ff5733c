/* The seal of a record: digests of everything in it, computed anew. */
#include "verify/verify_result.h"

#include "base/base.h"
#include "record/reader.h"
#include "record/seal_reader.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* ---- digests, as docs/record-format.md has them ------------------------------------------------------- */

typedef struct digest {
  uint64_t h;
} digest;

static digest begin_digest(void) { return (digest){UINT64_C(0x7468756420736561)}; }

static void add_word(digest *d, uint64_t w) {
  d->h = (d->h ^ w) * UINT64_C(0x9e3779b97f4a7c15);
  d->h ^= d->h >> 32;
}

static void add_bytes(digest *d, const unsigned char *bytes, size_t count) {
  add_word(d, count);
  uint64_t word = 0;
  for (size_t k = 0; k < count; k++) {
    word |= (uint64_t)bytes[k] << (8 * (k % 8));
    if (k % 8 != 7 && k + 1 < count) continue;
    add_word(d, word);
    word = 0;
  }
}

static void add_text(digest *d, const char *text) {
  const char *there = text != NULL ? text : "";
  add_bytes(d, (const unsigned char *)there, strlen(there));
}

static void add_numbers(digest *d, bool real, size_t count, const double *values) {
  add_word(d, count);
  for (size_t k = 0; k < count; k++) {
    union {
      double number;
      uint64_t bits;
    } as = {.number = values[k]};
    add_word(d, real ? as.bits : (uint64_t)(int64_t)values[k]);
  }
}

static uint32_t short_digest(digest d) {
  add_word(&d, 0);
  return (uint32_t)(d.h >> 32);
}

static digest begin_row(int part, size_t row) {
  digest d = begin_digest();
  add_word(&d, (uint64_t)part + 1);
  add_word(&d, row);
  return d;
}

/* ---- what is there before the first row, and how it ended --------------------------------------------- */

static void add_channel(digest *d, const thud_record_channel *channel, int stored_group) {
  add_text(d, channel->name);
  add_text(d, channel->unit);
  add_text(d, channel->role);
  add_text(d, channel->description);
  add_text(d, channel->left);
  add_text(d, channel->atom);
  add_text(d, channel->at);
  add_word(d, (uint64_t)channel->type);
  add_word(d, channel->width);
  add_word(d, (uint64_t)stored_group);
  add_word(d, (uint64_t)channel->look);
  add_word(d, channel->optional ? 1 : 0);
  add_word(d, channel->state ? 1 : 0);
  size_t count = channel->width > 0 ? channel->width : channel->group;
  add_word(d, count);
  for (size_t c = 0; c < count; c++) add_text(d, channel->components[c]);
  add_word(d, channel->label_count);
  for (size_t k = 0; k < channel->label_count; k++) add_text(d, channel->labels[k]);
}

static digest digest_of_head(const thud_seal_reader *seal, const thud_record_info *info) {
  digest d = begin_digest();
  add_text(&d, info->thud_version);
  add_text(&d, info->title);
  add_text(&d, info->kind);
  add_text(&d, info->method);
  add_text(&d, info->scene);
  add_text(&d, info->resolved);
  if (info->source[0] != '\0') add_text(&d, info->source);
  for (int t = 0; t < THUD_RECORD_TABLES; t++) {
    add_word(&d, info->channel_count[t]);
    for (size_t k = 0; k < info->channel_count[t]; k++)
      add_channel(&d, thud_record_reader_channel(seal->reader, (thud_record_table)t, k),
                  thud_seal_group(seal, (thud_record_table)t, k));
  }
  return d;
}

static digest digest_of_end(const thud_record_info *info, size_t checkpoints) {
  digest d = begin_digest();
  add_text(&d, info->verdict);
  add_text(&d, info->reason);
  add_text(&d, info->summary);
  for (int t = 0; t < THUD_RECORD_TABLES; t++) add_word(&d, info->rows[t]);
  add_word(&d, checkpoints);
  return d;
}

static bool is_written(digest d, const char *text) {
  char expected[THUD_SEAL_HEX + 1];
  snprintf(expected, sizeof expected, "%016" PRIx64, d.h);
  return strcmp(expected, text) == 0;
}

/* ---- rows ------------------------------------------------------------------------------------------------ */

static thud_error digest_of_row(thud_record_reader *reader, thud_record_table table, size_t channels, size_t row,
                                uint32_t *found) {
  digest d = begin_row((int)table, row);
  for (size_t k = 0; k < channels; k++) {
    thud_record_cell cell;
    thud_error error = thud_record_read_cell(reader, table, k, row, &cell);
    if (error != THUD_OK) return error;
    if (cell.text != NULL)
      add_bytes(&d, (const unsigned char *)cell.text, cell.count);
    else
      add_numbers(&d, thud_record_reader_channel(reader, table, k)->type == THUD_RECORD_REAL, cell.count, cell.values);
  }
  *found = short_digest(d);
  return THUD_OK;
}

static thud_error digest_of_checkpoint(thud_record_reader *reader, size_t number, uint32_t *found) {
  thud_record_resumption checkpoint = {0};
  thud_error error = thud_reader_checkpoint(reader, number, &checkpoint);
  if (error != THUD_OK) return error;
  digest d = begin_row(THUD_SEAL_CHECKPOINTS, number);
  for (int t = 0; t < THUD_RECORD_TABLES; t++) add_word(&d, checkpoint.rows[t]);
  add_bytes(&d, checkpoint.state, checkpoint.size);
  thud_record_resumption_free(thud_record_reader_context(reader), &checkpoint);
  *found = short_digest(d);
  return THUD_OK;
}

static void report_change(thud_verify_check *check, const char *what) {
  thud_verify_fail(check, NAN, SIZE_MAX, "the record was changed after it was written: %s", what);
}

/* Rows of a table, or checkpoints, against their digests; the first that differs is named, and how many do. */
static thud_error check_part(thud_seal_reader *seal, int part, size_t rows, thud_verify_check *check) {
  size_t channels = part < THUD_RECORD_TABLES ? thud_record_reader_info(seal->reader).channel_count[part] : 0;
  size_t sealed = seal->digests[part].rows, changed = 0, first = 0;
  char what[128];
  for (size_t row = 0; row < rows && row < sealed; row++) {
    uint32_t written = 0, found = 0;
    thud_error error = thud_seal_read(seal, part, row, &written);
    if (error == THUD_OK)
      error = part < THUD_RECORD_TABLES ? digest_of_row(seal->reader, (thud_record_table)part, channels, row, &found)
                                        : digest_of_checkpoint(seal->reader, row, &found);
    if (error != THUD_OK) return error;
    if (found != written && changed++ == 0) first = row;
  }
  if (changed > 1)
    snprintf(what, sizeof what, "%s, row %zu and %zu more", thud_seal_part_name(part), first, changed - 1);
  else
    snprintf(what, sizeof what, "%s, row %zu", thud_seal_part_name(part), first);
  if (changed > 0) report_change(check, what);
  snprintf(what, sizeof what, "%s: %zu rows, %zu were written", thud_seal_part_name(part), rows, sealed);
  if (rows != sealed) report_change(check, what);
  return THUD_OK;
}

static thud_error check_all(thud_seal_reader *seal, thud_verify_check *check) {
  thud_record_info info = thud_record_reader_info(seal->reader);
  size_t rows[THUD_SEAL_PARTS], total = 0;
  thud_error error = thud_reader_count_checkpoints(seal->reader, &rows[THUD_SEAL_CHECKPOINTS]);
  if (error != THUD_OK) return error;
  if (!is_written(digest_of_head(seal, &info), seal->head))
    report_change(check, "the scene, its description, or that of the channels");
  for (int part = 0; part < THUD_SEAL_PARTS && error == THUD_OK; part++) {
    if (part < THUD_RECORD_TABLES) rows[part] = info.rows[part];
    total += rows[part];
    error = check_part(seal, part, rows[part], check);
  }
  if (info.finished ? !is_written(digest_of_end(&info, rows[THUD_SEAL_CHECKPOINTS]), seal->end) : seal->end[0] != '\0')
    report_change(check, "the summary, the verdict, or the number of rows");
  if (error == THUD_OK && check->status == THUD_VERIFY_PASSED)
    thud_verify_explain(check, "%zu row%s as written%s", total, thud_plural(total),
                        info.finished ? "" : ", up to the last flush");
  return error;
}

thud_error thud_verify_check_seal(thud_record_reader *reader, thud_verify_check *check) {
  thud_seal_reader seal;
  thud_error error = thud_seal_open(reader, &seal);
  if (error == THUD_OK && !seal.there)
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "unsealed: the record has no seal");
  else if (error == THUD_OK)
    error = check_all(&seal, check);
  thud_seal_close(&seal);
  return error;
}
