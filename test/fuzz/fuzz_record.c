/* Records that are sound HDF5 and lie: the input chooses the record of a sample, a reader, and changes of objects: left out,
 * renamed, linked elsewhere, of another shape or type, other numbers and texts, other attributes. */
#include "fuzz_support.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the objects of a record ----------------------------------------------------------------------------------------- */

enum { MOST_OBJECTS = 300, MOST_ATTRIBUTES = 16, NAME_ROOM = 80, LARGEST = 1 << 16, MOST_CHANGES = 6 };

typedef struct object_list {
  size_t count;
  char names[MOST_OBJECTS][NAME_ROOM];
} object_list;

static herr_t note_object(hid_t root, const char *name, const H5L_info_t *info, void *user) {
  object_list *list = user;
  (void)root, (void)info;
  if (list->count < MOST_OBJECTS && strlen(name) < NAME_ROOM)
    snprintf(list->names[list->count++], NAME_ROOM, "%s", name);
  return 0;
}

/* The record's objects, in the order of their names; noted once. */
static const object_list *objects_of(size_t sample, bool stopped, hid_t file) {
  static object_list lists[FUZZ_SAMPLES][2];
  object_list *list = &lists[sample][stopped];
  if (list->count == 0) H5Lvisit(file, H5_INDEX_NAME, H5_ITER_INC, note_object, list);
  fuzz_demand(list->count > 0, "a record has objects");
  return list;
}

/* ---- values ---------------------------------------------------------------------------------------------------------- */

static double wild_double(fuzz_input *input) {
  static const double wild[] = {0,     -0.0, 1,   -1,       1e-300,    1e300,       0.5,   2147483647,
                                -1e18, 1e15, NAN, INFINITY, -INFINITY, 4294967296., 1e-17, 3};
  unsigned byte = fuzz_byte(input);
  return byte < 128 ? wild[byte % 16] : (double)(int)fuzz_word(input) / (byte < 192 ? 1 : 64) - 100;
}

/* Changes some elements of the raw data, or some bytes of a text. */
static void poke(fuzz_input *input, hid_t dataset) {
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset);
  size_t each = H5Tget_size(type);
  hssize_t count = H5Sget_simple_extent_npoints(space);
  size_t bytes = count > 0 && each > 0 && (size_t)count <= LARGEST / each ? (size_t)count * each : 0;
  char *raw = bytes > 0 && H5Tis_variable_str(type) <= 0 ? malloc(bytes) : NULL;
  if (raw != NULL && H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw) >= 0) {
    size_t changes = 1 + fuzz_byte(input) % 8;
    for (size_t k = 0; k < changes; k++) {
      size_t at = fuzz_word(input) % (size_t)count;
      double value = wild_double(input);
      if (H5Tget_class(type) == H5T_FLOAT && each == sizeof value) {
        memcpy(raw + at * each, &value, sizeof value);
      } else if (H5Tget_class(type) == H5T_INTEGER && each <= 8) {
        int64_t whole = fuzz_number(input, (int)fuzz_byte(input));
        memcpy(raw + at * each, &whole, each);
      } else {
        size_t from = (at * each + fuzz_word(input)) % bytes, length = fuzz_byte(input) % 24;
        for (size_t c = 0; c < length && from + c < bytes; c++) raw[from + c] = (char)fuzz_byte(input);
      }
    }
    H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, raw);
  }
  free(raw);
  H5Sclose(space);
  H5Tclose(type);
}

/* ---- shapes and types ------------------------------------------------------------------------------------------------ */

/* More or fewer rows. */
static void stretch(fuzz_input *input, hid_t dataset) {
  hsize_t extents[H5S_MAX_RANK] = {0};
  hid_t space = H5Dget_space(dataset);
  int rank = H5Sget_simple_extent_dims(space, extents, NULL);
  int number = fuzz_number(input, (int)fuzz_byte(input));
  bool huge = rank > 0 && extents[0] > 1000000; /* HDF5 would look for every chunk that goes */
  if (rank > 0) extents[fuzz_byte(input) % (unsigned)rank] = (hsize_t)(number < 0 ? 0 : number);
  if (!huge) H5Dset_extent(dataset, extents);
  H5Sclose(space);
}

/* An empty dataset of another type, rank or extent in the place of the old one. */
static void replace(fuzz_input *input, hid_t file, const char *name, hid_t dataset) {
  hsize_t extents[H5S_MAX_RANK] = {0}, chunk[3] = {1, 1, 1};
  hid_t type = H5Dget_type(dataset), space = H5Dget_space(dataset), properties = H5Pcreate(H5P_DATASET_CREATE);
  H5Sget_simple_extent_dims(space, extents, NULL);
  int rank = 1 + (int)(fuzz_byte(input) % 3);
  for (int k = 0; k < rank; k++) {
    int number = fuzz_number(input, (int)extents[k]);
    extents[k] = number > 0 ? (hsize_t)number : (hsize_t)(k == 0 ? 0 : 1);
    if (extents[k] > 100000) extents[k] = 100000;
    chunk[k] = extents[k] > 0 && extents[k] < 64 ? extents[k] : 64;
  }
  unsigned choice = fuzz_byte(input);
  if (choice % 2 == 0) H5Pset_chunk(properties, rank, chunk);
  hid_t other = fuzz_h5_type(choice, type), simple = H5Screate_simple(rank, extents, NULL);
  H5Ldelete(file, name, H5P_DEFAULT);
  hid_t made = H5Dcreate2(file, name, other, simple, H5P_DEFAULT, properties, H5P_DEFAULT);
  if (made >= 0) H5Dclose(made);
  H5Sclose(simple);
  H5Sclose(space);
  H5Tclose(type);
  H5Pclose(properties);
}

/* ---- attributes ------------------------------------------------------------------------------------------------------ */

static void change_attribute(fuzz_input *input, hid_t object) {
  static const char *const extra[] = {"role", "look", "left", "atom", "at", "group", "state", "unit", "optional"};
  static const char *const texts[] = {"",     "time",   "side",    "state",   "reaction", "ledger", "end",    "mode",
                                      "line", "series", "impulse", "density", "hold",     "t",      "q_left", "acting"};
  char name[NAME_ROOM], text[64] = "";
  unsigned number = fuzz_byte(input), choice = fuzz_byte(input);
  ssize_t length = H5Aget_name_by_idx(object, ".", H5_INDEX_NAME, H5_ITER_INC, number % MOST_ATTRIBUTES, name,
                                      sizeof name, H5P_DEFAULT);
  if (length <= 0 || length >= NAME_ROOM) snprintf(name, sizeof name, "%s", extra[number % 9]);
  H5Adelete(object, name);
  if (choice < 40) return;
  hid_t space = H5Screate(H5S_SCALAR), type = H5Tcopy(choice < 160 ? H5T_C_S1 : H5T_STD_I32LE);
  if (choice < 160) {
    for (size_t k = 0; choice >= 130 && k < sizeof text - 1; k++) text[k] = (char)fuzz_byte(input);
    if (choice < 130) snprintf(text, sizeof text, "%s", texts[choice % 16]);
    H5Tset_size(type, sizeof text);
  }
  int value = fuzz_number(input, (int)fuzz_byte(input));
  hid_t made = H5Acreate2(object, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  if (made >= 0) {
    H5Awrite(made, choice < 160 ? type : H5T_NATIVE_INT, choice < 160 ? (const void *)text : &value);
    H5Aclose(made);
  }
  H5Tclose(type);
  H5Sclose(space);
}

/* ---- changes --------------------------------------------------------------------------------------------------------- */

static void change_dataset(fuzz_input *input, hid_t file, const char *name, unsigned kind) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  if (dataset < 0) return;
  if (kind == 0) stretch(input, dataset);
  if (kind == 1) replace(input, file, name, dataset);
  if (kind >= 2) poke(input, dataset);
  H5Dclose(dataset);
}

static void change(fuzz_input *input, hid_t file, const object_list *list) {
  const char *name = list->names[fuzz_word(input) % list->count], *other;
  unsigned kind = fuzz_byte(input) % 16;
  if (kind < 8) {
    change_dataset(input, file, name, kind);
    return;
  }
  if (kind < 11) {
    hid_t object = H5Oopen(file, kind == 8 ? "/" : name, H5P_DEFAULT);
    if (object >= 0) change_attribute(input, object);
    if (object >= 0) H5Oclose(object);
    return;
  }
  other = list->names[fuzz_word(input) % list->count];
  if (kind == 14) H5Ldelete(file, other, H5P_DEFAULT);
  if (kind == 14) H5Lmove(file, name, file, other, H5P_DEFAULT, H5P_DEFAULT);
  if (kind == 14) return;
  H5Ldelete(file, name, H5P_DEFAULT);
  if (kind == 11) H5Gclose(H5Gcreate2(file, name, H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  if (kind == 12) H5Lcreate_soft(other, file, name, H5P_DEFAULT, H5P_DEFAULT);
  if (kind == 13) H5Lcreate_hard(file, other, file, name, H5P_DEFAULT, H5P_DEFAULT);
}

/* Otherwise every input would end at once, and nobody would notice. */
static void check_unchanged(const char *path) {
  thud_context *context = fuzz_small_context(32000000);
  thud_record_reader *reader = NULL;
  fuzz_demand(thud_record_open(context, path, &reader) == THUD_OK, "a record without a change can be read");
  thud_record_reader_destroy(reader);
  fuzz_context_end(context);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  fuzz_input input = {.data = data, .size = size};
  unsigned first = fuzz_byte(&input), choice = fuzz_word(&input);
  bool stopped = fuzz_resumes(choice) != (first >= 224);
  size_t sample = first % FUZZ_SAMPLES;
  const fuzz_record *record = fuzz_sample_record(sample, stopped);
  fuzz_file made = fuzz_file_make("input.h5", record->bytes, record->size);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  hid_t file = H5Fopen(made.path, H5F_ACC_RDWR, H5P_DEFAULT);
  fuzz_demand(file >= 0, "the record of a sample can be opened");
  const object_list *list = objects_of(sample, stopped, file);
  for (int k = 0; k < MOST_CHANGES && input.at < input.size; k++) change(&input, file, list);
  H5Fclose(file);
  if (size <= 3) check_unchanged(made.path);
  fuzz_read_record(made.path, choice);
  return 0;
}
