#include "record/writer_seal.h"

#include "base/base.h"
#include "record/record_names.h"
#include "record/reader.h"
#include "record/writer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

/* ---- the digest --------------------------------------------------------------------------------------- */

/* h <- (h xor w) P mod 2^64, then h <- h xor (h >> 32): for every word w one to one in h, and for every h in w, so that
 * one changed word always changes h. */
static const uint64_t start = 0x7468756420736561u, factor = 0x9e3779b97f4a7c15u;

static uint64_t take(uint64_t h, uint64_t word) {
  h = (h ^ word) * factor;
  return h ^ (h >> 32);
}

/* Its length, then its bytes by eight, little-endian, filled up with zeros. */
static uint64_t take_bytes(uint64_t h, const void *bytes, size_t count) {
  const uint8_t *next = bytes;
  h = take(h, count);
  for (size_t k = 0; k < count; k += 8) {
    uint64_t word = 0;
    for (size_t j = 0; j < 8 && k + j < count; j++) word |= (uint64_t)next[k + j] << (8 * j);
    h = take(h, word);
  }
  return h;
}

static uint64_t take_text(uint64_t h, const char *text) {
  return text != NULL ? take_bytes(h, text, strlen(text)) : take(h, 0);
}

/* Real numbers by their bits, whole ones as integers of 64 bits. */
static uint64_t take_cell(uint64_t h, thud_record_type type, const thud_record_cell *cell) {
  if (type == THUD_RECORD_TEXT) return take_bytes(h, cell->text, cell->count);
  h = take(h, cell->count);
  for (size_t k = 0; k < cell->count; k++) {
    uint64_t word = 0;
    if (type == THUD_RECORD_REAL)
      memcpy(&word, &cell->values[k], sizeof word);
    else
      word = (uint64_t)(int64_t)cell->values[k];
    h = take(h, word);
  }
  return h;
}

/* ---- what is there before the first row ----------------------------------------------------------------- */

/* Components that have no names of their own are called as readers call them. */
static uint64_t take_components(uint64_t h, const thud_record_channel *channel) {
  size_t count = thud_record_component_count(channel);
  h = take(h, count);
  for (size_t c = 0; c < count; c++) {
    char name[THUD_RECORD_NAME_LENGTH + 32];
    snprintf(name, sizeof name, count == 1 ? "%s" : "%s[%zu]", channel->name, c);
    h = take_text(h, channel->components != NULL ? channel->components[c] : name);
  }
  return h;
}

static uint64_t take_channel(uint64_t h, const thud_record_channel *channel) {
  const char *texts[] = {channel->name, channel->unit, channel->role, channel->description,
                         channel->left, channel->atom, channel->at};
  const uint64_t words[] = {(uint64_t)channel->type, channel->width,    thud_record_stored_group(channel),
                            (uint64_t)channel->look, channel->optional, channel->state};
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) h = take_text(h, texts[k]);
  for (size_t k = 0; k < sizeof words / sizeof *words; k++) h = take(h, words[k]);
  h = take_components(h, channel);
  h = take(h, channel->label_count);
  for (size_t k = 0; k < channel->label_count; k++) h = take_text(h, channel->labels[k]);
  return h;
}

static uint64_t digest_of_header(const char *version, const thud_record_header *header) {
  const char *texts[] = {version, header->title, header->kind, header->method, header->scene, header->resolved};
  uint64_t h = start;
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) h = take_text(h, texts[k]);
  return header->source != NULL && header->source[0] != '\0' ? take_text(h, header->source) : h;
}

static uint64_t take_table(uint64_t h, size_t count, const thud_record_channel *channels) {
  h = take(h, count);
  for (size_t k = 0; k < count; k++) h = take_channel(h, &channels[k]);
  return h;
}

static uint64_t digest_of_head(const thud_record_header *header, const thud_record_layout *layout) {
  uint64_t h = digest_of_header(thud_version(), header);
  for (int t = THUD_RECORD_FRAMES; t < THUD_RECORD_TABLES; t++) {
    size_t count = THUD_WARNING_CHANNELS;
    const thud_record_channel *channels = thud_warning_channels;
    if (t != THUD_RECORD_WARNINGS) count = layout->count[t], channels = layout->channels[t];
    h = take_table(h, count, channels);
  }
  return h;
}

/* ---- writing ---------------------------------------------------------------------------------------------- */

static void write_hex(uint64_t h, char *text) { snprintf(text, THUD_SEAL_HEX + 1, "%016" PRIx64, h); }

static thud_error create_digests(thud_record_writer *writer, int part, size_t chunk_rows) {
  char name[32];
  snprintf(name, sizeof name, "seal/%s", thud_seal_part_name(part));
  return thud_writer_create_column(writer, name, THUD_COLUMN_BYTE, THUD_SEAL_BYTES, chunk_rows,
                                   &writer->seal.digests[part]);
}

thud_error thud_seal_create(thud_record_writer *writer, const thud_record_header *header,
                            const thud_record_layout *layout) {
  thud_seal_writer *seal = &writer->seal;
  char head[THUD_SEAL_HEX + 1];
  if (!seal->there) return THUD_OK;
  write_hex(digest_of_head(header, layout), head);
  if (thud_writer_create_group(writer, "seal") < 0) return thud_writer_fail(writer, "cannot be written");
  seal->group = H5Gopen2(writer->file, "seal", H5P_DEFAULT);
  if (seal->group < 0 || thud_h5_write_text(seal->group, "head", THUD_SEAL_HEX, head) < 0 ||
      thud_h5_write_text(seal->group, "end", THUD_SEAL_HEX, "") < 0)
    return thud_writer_fail(writer, "cannot be written");
  thud_error error = THUD_OK;
  for (int t = 0; t < THUD_RECORD_TABLES && error == THUD_OK; t++)
    if (writer->tables[t].count > 0) error = create_digests(writer, t, writer->tables[t].chunk_rows);
  return error;
}

thud_error thud_seal_create_checkpoints(thud_record_writer *writer) {
  return writer->seal.there ? create_digests(writer, THUD_SEAL_CHECKPOINTS, THUD_CHECKPOINT_CHUNK_ROWS) : THUD_OK;
}

/* A last step spreads the last word over all bits; the upper half is kept. */
static uint32_t shorten(uint64_t h) { return (uint32_t)(take(h, 0) >> 32); }

static herr_t push(thud_record_writer *writer, int part, uint64_t h) {
  uint32_t kept = shorten(h);
  uint8_t bytes[THUD_SEAL_BYTES];
  for (int k = 0; k < THUD_SEAL_BYTES; k++) bytes[k] = (uint8_t)(kept >> (8 * k));
  return thud_column_push_bytes(&writer->seal.digests[part], 1, bytes, &writer->space);
}

/* The digest includes the place: a row that has moved differs. */
static uint64_t digest_of_place(int part, size_t row) { return take(take(start, (uint64_t)part + 1), row); }

herr_t thud_seal_push_row(thud_record_writer *writer, thud_record_table table, const thud_record_cell *cells) {
  const thud_table_writer *to = &writer->tables[table];
  if (!writer->seal.there) return 0;
  uint64_t h = digest_of_place((int)table, to->rows);
  for (size_t k = 0; k < to->count; k++) h = take_cell(h, to->shapes[k].type, &cells[k]);
  return push(writer, (int)table, h);
}

static size_t rows_of(const thud_column_writer *column) { return column->full_rows + column->buffered; }

static uint64_t digest_of_checkpoint(size_t number, const size_t *rows, const uint8_t *state, size_t size) {
  uint64_t h = digest_of_place(THUD_SEAL_CHECKPOINTS, number);
  for (int t = 0; t < THUD_RECORD_TABLES; t++) h = take(h, rows[t]);
  return take_bytes(h, state, size);
}

herr_t thud_seal_push_checkpoint(thud_record_writer *writer, const double *fields, const uint8_t *state, size_t size) {
  thud_seal_writer *seal = &writer->seal;
  size_t rows[THUD_RECORD_TABLES];
  if (!seal->there) return 0;
  for (int t = 0; t < THUD_RECORD_TABLES; t++) rows[t] = (size_t)fields[t];
  size_t number = rows_of(&seal->digests[THUD_SEAL_CHECKPOINTS]);
  return push(writer, THUD_SEAL_CHECKPOINTS, digest_of_checkpoint(number, rows, state, size));
}

/* ---- before a record goes on ---------------------------------------------------------------------------------- */

static thud_error refuse_broken(const thud_seal_reader *seal, const char *what) {
  return thud_fail(seal->reader->context, THUD_ERROR_FORMAT,
                   "[record-damaged] %s: %s was changed after it was written, so the run cannot go on from it; restore "
                   "the file from a "
                   "copy, or run the scene anew ('thud verify' lists all changes)",
                   seal->reader->path, what);
}

static bool head_holds(const thud_seal_reader *seal) {
  const thud_record_reader *reader = seal->reader;
  const thud_record_info *info = &reader->info;
  const thud_record_header header = {.title = info->title,
                                     .kind = info->kind,
                                     .method = info->method,
                                     .scene = info->scene,
                                     .resolved = info->resolved,
                                     .source = info->source};
  char text[THUD_SEAL_HEX + 1];
  uint64_t h = digest_of_header(info->thud_version, &header);
  for (int t = 0; t < THUD_RECORD_TABLES; t++) h = take_table(h, reader->tables[t].count, reader->tables[t].channels);
  write_hex(h, text);
  return strcmp(text, seal->head) == 0;
}

static bool end_holds(const thud_seal_reader *seal, size_t checkpoints) {
  const thud_record_info *info = &seal->reader->info;
  const char *texts[] = {info->verdict, info->reason, info->summary};
  char text[THUD_SEAL_HEX + 1];
  uint64_t h = start;
  if (!info->finished) return seal->end[0] == '\0';
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) h = take_text(h, texts[k]);
  for (int t = 0; t < THUD_RECORD_TABLES; t++) h = take(h, info->rows[t]);
  write_hex(take(h, checkpoints), text);
  return strcmp(text, seal->end) == 0;
}

static thud_error check_checkpoint(thud_seal_reader *seal, size_t number) {
  thud_record_resumption found = {0};
  uint32_t written = 0;
  thud_error error = thud_seal_read(seal, THUD_SEAL_CHECKPOINTS, number, &written);
  if (error == THUD_OK) error = thud_reader_checkpoint(seal->reader, number, &found);
  if (error == THUD_OK && shorten(digest_of_checkpoint(number, found.rows, found.state, found.size)) != written)
    error = refuse_broken(seal, "its checkpoint");
  thud_record_resumption_free(seal->reader->context, &found);
  return error;
}

thud_error thud_seal_check(thud_seal_reader *seal) {
  size_t count = 0;
  if (!seal->there) return THUD_OK;
  if (!head_holds(seal)) return refuse_broken(seal, "its scene, its description, or that of its channels");
  thud_error error = thud_reader_count_checkpoints(seal->reader, &count);
  if (error == THUD_OK && seal->digests[THUD_SEAL_CHECKPOINTS].rows != count)
    error = refuse_broken(seal, "the number of its checkpoints");
  for (size_t k = 0; k < count && error == THUD_OK; k++) error = check_checkpoint(seal, k);
  if (error == THUD_OK && !end_holds(seal, count))
    error = refuse_broken(seal, "its summary, its verdict, or the number of its rows");
  return error;
}

herr_t thud_seal_store(thud_record_writer *writer, bool last) {
  for (int part = 0; part < THUD_SEAL_PARTS; part++) {
    thud_column_writer *digests = &writer->seal.digests[part];
    if (digests->buffer != NULL && thud_column_store(digests, last, &writer->space) < 0) return -1;
  }
  return 0;
}

herr_t thud_seal_end(thud_record_writer *writer, const char *verdict, const char *reason, const char *summary) {
  const char *texts[] = {verdict, reason, summary};
  char end[THUD_SEAL_HEX + 1];
  uint64_t h = start;
  if (!writer->seal.there) return 0;
  for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) h = take_text(h, texts[k]);
  for (int part = 0; part < THUD_SEAL_PARTS; part++) h = take(h, rows_of(&writer->seal.digests[part]));
  write_hex(h, end);
  return thud_h5_rewrite_text(writer->seal.group, "end", THUD_SEAL_HEX, end);
}

void thud_seal_release(thud_context *context, thud_seal_writer *seal) {
  for (int part = 0; part < THUD_SEAL_PARTS; part++) thud_column_writer_release(context, &seal->digests[part]);
  thud_h5_drop(seal->group);
}
