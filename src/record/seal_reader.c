#include "record/seal_reader.h"

#include "base/base.h"
#include "record/reader.h"

#include <stdio.h>

const char *thud_seal_part_name(int part) {
  return part == THUD_SEAL_CHECKPOINTS ? "checkpoints" : thud_record_table_name((thud_record_table)part);
}

static bool is_there(const thud_record_reader *reader, const char *name) {
  return H5Lexists(reader->file, name, H5P_DEFAULT) > 0;
}

static thud_error open_digests(thud_record_reader *reader, int part, thud_column_reader *digests) {
  char name[32];
  snprintf(name, sizeof name, "seal/%s", thud_seal_part_name(part));
  if (!is_there(reader, name)) return THUD_OK;
  thud_error error = thud_column_open(reader->context, reader->path, reader->file, name, THUD_COLUMN_BYTE,
                                      reader->file_bytes, digests);
  return error != THUD_OK || digests->shape.width == THUD_SEAL_BYTES ? error : thud_reader_fail_damaged(reader, name);
}

static thud_error open_parts(thud_record_reader *reader, thud_seal_reader *seal) {
  hid_t group = H5Gopen2(reader->file, "seal", H5P_DEFAULT);
  bool good = group >= 0 && thud_h5_read_text(group, "head", THUD_SEAL_HEX, seal->head) &&
              thud_h5_read_text(group, "end", THUD_SEAL_HEX, seal->end);
  thud_h5_drop(group);
  if (!good) return thud_reader_fail_damaged(reader, "seal");
  thud_error error = THUD_OK;
  for (int part = 0; part < THUD_SEAL_PARTS && error == THUD_OK; part++)
    error = open_digests(reader, part, &seal->digests[part]);
  return error;
}

thud_error thud_seal_open(thud_record_reader *reader, thud_seal_reader *seal) {
  *seal = (thud_seal_reader){.reader = reader};
  thud_h5_guard guard = thud_h5_enter();
  seal->there = is_there(reader, "seal");
  thud_error error = seal->there ? open_parts(reader, seal) : THUD_OK;
  thud_h5_leave(guard);
  return error;
}

void thud_seal_close(thud_seal_reader *seal) {
  thud_h5_guard guard = thud_h5_enter();
  for (int part = 0; part < THUD_SEAL_PARTS; part++)
    thud_column_reader_release(seal->reader->context, &seal->digests[part]);
  thud_h5_leave(guard);
}

int thud_seal_group(const thud_seal_reader *seal, thud_record_table table, size_t channel) {
  int group = -1;
  thud_h5_guard guard = thud_h5_enter();
  if (!thud_h5_read_int(seal->reader->tables[table].columns[channel].values.dataset, "group", &group)) group = -1;
  thud_h5_leave(guard);
  return group;
}

thud_error thud_seal_read(thud_seal_reader *seal, int part, size_t row, uint32_t *digest) {
  thud_record_reader *reader = seal->reader;
  uint8_t bytes[THUD_SEAL_BYTES];
  thud_h5_guard guard = thud_h5_enter();
  thud_error error =
      thud_column_read_bytes(reader->context, reader->path, &seal->digests[part], row, 1, &reader->space, bytes);
  thud_h5_leave(guard);
  if (error != THUD_OK) return error;
  *digest = 0;
  for (int k = 0; k < THUD_SEAL_BYTES; k++) *digest |= (uint32_t)bytes[k] << (8 * k);
  return THUD_OK;
}
