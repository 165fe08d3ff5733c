/* Records byte by byte: the input chooses the record of a sample and a reader, then bytes that change, where the file ends, and
 * a journal behind its end. Most changes end inside the HDF5 library, whose metadata carry checksums; fuzz_record.c goes
 * deeper. */
#include "fuzz_support.h"

#include <stdlib.h>
#include <string.h>
#include <zlib.h>

enum { MOST_CHANGES = 8, PAGE = 4096, JOURNAL_ROOM = 3 * (PAGE + 16) + 40 };

typedef struct image {
  uint8_t *bytes;
  size_t size;
} image;

static void put_u64(uint64_t value, uint8_t *bytes) {
  for (int k = 0; k < 8; k++) bytes[k] = (uint8_t)(value >> (8 * k));
}

/* What a killed process leaves: pages of the file with some bytes changed, and a trailer whose checksum is right. */
static void add_journal(fuzz_input *input, image *file) {
  size_t start = file->size, pages = fuzz_byte(input) % 3;
  uint8_t *at = file->bytes + start;
  for (size_t k = 0; k < pages; k++) {
    uint64_t address = (uint64_t)PAGE * (fuzz_word(input) % (start / PAGE + 2));
    int number = fuzz_number(input, PAGE);
    size_t length = number < 0 || number > PAGE ? PAGE : (size_t)number;
    put_u64(address, at);
    put_u64(fuzz_byte(input) == 255 ? 5000 : length, at + 8);
    for (size_t b = 0; b < length; b++) at[16 + b] = address + b < start ? file->bytes[address + b] : 0;
    if (length > 0) at[16 + fuzz_word(input) % length] = (uint8_t)fuzz_byte(input);
    at += 16 + length;
  }
  memcpy(at, "thud journal 1\r\n", 16);
  put_u64(start + (fuzz_byte(input) == 255 ? 16 : 0), at + 16);
  put_u64(pages + (fuzz_byte(input) == 255), at + 24);
  put_u64(crc32(crc32(0, NULL, 0), file->bytes + start, (uInt)(at + 32 - (file->bytes + start))), at + 32);
  file->size = (size_t)(at + 40 - file->bytes);
}

static void change(fuzz_input *input, image *file) {
  unsigned kind = fuzz_byte(input);
  size_t at = fuzz_word(input) | (size_t)fuzz_byte(input) % 4 << 16;
  if (kind >= 250) {
    file->size = file->size > 0 ? at % file->size : 0;
    return;
  }
  for (unsigned k = 0; k <= kind % 8; k++)
    if (at + k < file->size) file->bytes[at + k] = (uint8_t)fuzz_byte(input);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {.data = data, .size = size};
  unsigned first = fuzz_byte(&input), choice = fuzz_word(&input), journal = fuzz_byte(&input);
  const fuzz_record *record = fuzz_sample_record(first % FUZZ_SAMPLES, fuzz_resumes(choice) != (first >= 224));
  image file = {.bytes = malloc(record->size + JOURNAL_ROOM), .size = record->size};
  fuzz_demand(file.bytes != NULL, "there is memory");
  memcpy(file.bytes, record->bytes, record->size);
  if (journal >= 128) add_journal(&input, &file);
  for (int k = 0; k < MOST_CHANGES && input.at < input.size; k++) change(&input, &file);
  fuzz_file made = fuzz_file_make("input.h5", file.bytes, file.size);
  free(file.bytes);
  fuzz_read_record(made.path, choice);
  return 0;
}
