/* The seal of records: whatever is changed after writing is found and named; flushes, kills and resumed runs keep it. */
#include "record_rows.h"
#include "sample_record.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/verify.h"

#include <hdf5.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

enum { ROWS = 40, WARNINGS = 4, DIGEST = 4 };

/* ---- records with two channels of numbers, whose rows can be exchanged -------------------------------------------- */

static const thud_record_channel pair_channels[] = {{.name = "t", .width = 1, .role = "time", .unit = "s"},
                                                    {.name = "x", .width = 2, .role = "state"}};

static thud_error append_pair(thud_record_writer *writer, size_t k) {
  const double t = (double)k, x[2] = {0.25 * t, -t * t};
  const double *rows[2] = {&t, x};
  return record_rows_append(writer, 2, pair_channels, rows);
}

static thud_record_writer *start_pairs(thud_context *context, const char *path) {
  thud_record_options options = thud_record_options_default();
  thud_record_writer *writer;
  options.overwrite = true;
  options.chunk_rows = 16;
  options.flush_every_seconds = 0;
  assert_int_equal(record_rows_create(context, path, &options, &sample_header, 2, pair_channels, &writer), THUD_OK);
  return writer;
}

static void write_some(thud_record_writer *writer, size_t from, size_t to) {
  for (size_t k = from; k < to; k++) {
    assert_int_equal(append_pair(writer, k), THUD_OK);
    if (k % 10 == 3) assert_int_equal(thud_record_add_warning(writer, (double)k, "code", "a message"), THUD_OK);
    if (k % 10 == 9) assert_int_equal(thud_record_checkpoint(writer, &k, sizeof k), THUD_OK);
  }
}

static void write_pairs(thud_context *context, const char *path) {
  thud_record_writer *writer = start_pairs(context, path);
  write_some(writer, 0, ROWS);
  assert_int_equal(thud_record_close(writer, "good", "", "{}"), THUD_OK);
}

/* ---- what the checker says of the seal ------------------------------------------------------------------------------ */

static thud_verify_check seal_of(thud_context *context, const char *path, bool asked) {
  thud_verify_options options = thud_verify_options_default();
  thud_verify_result result;
  options.seal = asked;
  assert_int_equal(thud_verify_record(context, path, &options, &result), THUD_OK);
  const thud_verify_check *last = &result.checks[result.check_count - 1];
  assert_string_equal(last->name, "seal");
  return *last;
}

static void assert_sealed(thud_context *context, const char *path, const char *detail) {
  thud_verify_check seal = seal_of(context, path, true);
  assert_string_equal(seal.detail, detail);
  assert_int_equal(seal.status, THUD_VERIFY_PASSED);
}

static void assert_changed(thud_context *context, const char *path, const char *what) {
  char expected[THUD_VERIFY_DETAIL];
  thud_verify_check seal = seal_of(context, path, true);
  snprintf(expected, sizeof expected, "the record was changed after it was written: %s", what);
  assert_string_equal(seal.detail, expected);
  assert_int_equal(seal.status, THUD_VERIFY_FAILED);
}

/* ---- changes, made with HDF5 alone ------------------------------------------------------------------------------------ */

/* All rows of a dataset [rows x width] as bytes of their type in memory; returns the rows. */
static size_t load(hid_t file, const char *name, hid_t type, size_t room, void *values) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  hsize_t extent[2] = {0, 1};
  thud_assert_at_least(H5Sget_simple_extent_dims(space, extent, NULL), 1);
  thud_assert_at_most(extent[0] * extent[1] * H5Tget_size(type), room);
  thud_assert_at_least(H5Dread(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  H5Sclose(space);
  H5Dclose(dataset);
  return (size_t)extent[0];
}

static void store(hid_t file, const char *name, hid_t type, const void *values) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  thud_assert_at_least(H5Dwrite(dataset, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  H5Dclose(dataset);
}

static void cut(hid_t file, const char *name, size_t rows, size_t width) {
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT);
  hsize_t extent[2] = {rows, width};
  thud_assert_at_least(H5Dset_extent(dataset, extent), 0);
  H5Dclose(dataset);
}

/* Number k of a dataset of reals becomes another one, by its last digits. */
static void change_real(const char *path, const char *name, size_t k) {
  double values[4 * ROWS];
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  load(file, name, H5T_NATIVE_DOUBLE, sizeof values, values);
  values[k] = values[k] * (1 + 0x1p-50) + 0x1p-50;
  store(file, name, H5T_NATIVE_DOUBLE, values);
  H5Fclose(file);
}

static void change_byte(const char *path, const char *name, size_t k) {
  static unsigned char values[65536];
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  load(file, name, H5T_NATIVE_UCHAR, sizeof values, values);
  values[k] = (unsigned char)(values[k] > 0 ? values[k] - 1 : 1);
  store(file, name, H5T_NATIVE_UCHAR, values);
  H5Fclose(file);
}

static void swap(unsigned char *values, size_t size, size_t i, size_t j) {
  unsigned char kept[64];
  memcpy(kept, values + i * size, size);
  memcpy(values + i * size, values + j * size, size);
  memcpy(values + j * size, kept, size);
}

/* Rows i and j of a dataset change places. */
static void exchange(const char *path, const char *name, hid_t type, size_t width, size_t i, size_t j) {
  static unsigned char values[65536];
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  load(file, name, type, sizeof values, values);
  swap(values, width * H5Tget_size(type), i, j);
  store(file, name, type, values);
  H5Fclose(file);
}

/* ---- tests ---------------------------------------------------------------------------------------------------------- */

static void records_of_every_type_of_channel_are_sealed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  sample_write(context, path, thud_record_options_default(), 300, 170);
  assert_sealed(context, path, "302 rows as written"); /* with an event and a warning */
  write_pairs(context, path = thud_test_path("pairs.h5"));
  assert_sealed(context, path, "48 rows as written"); /* with warnings and checkpoints */
  thud_verify_check unasked = seal_of(context, path, false);
  assert_int_equal(unasked.status, THUD_VERIFY_NOT_CHECKED);
  thud_test_context_end(context);
}

static void a_changed_number_is_found_and_its_row_named(void **state) {
  (void)state;
  static const struct {
    const char *name;
    size_t number;
    bool real;
    const char *what;
  } changes[] = {{"/frames/data/t", 7, true, "frames, row 7"},
                 {"/frames/data/x", 79, true, "frames, row 39"},
                 {"/warnings/data/t", 2, true, "warnings, row 2"},
                 {"/warnings/data/message/values", 10, false, "warnings, row 1"},
                 {"/checkpoints/pieces", 256 + 3, false, "checkpoints, row 1"},
                 {"/seal/frames", 4 * 5 + 1, false, "frames, row 5"},
                 {"/seal/checkpoints", 0, false, "checkpoints, row 0"}};
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
    write_pairs(context, path);
    if (changes[k].real)
      change_real(path, changes[k].name, changes[k].number);
    else
      change_byte(path, changes[k].name, changes[k].number);
    assert_changed(context, path, changes[k].what);
  }
  write_pairs(context, path);
  for (size_t k = 10; k < 13; k++) change_real(path, "/frames/data/t", k);
  assert_changed(context, path, "frames, row 10 and 2 more");
  thud_test_context_end(context);
}

/* Also together with their digests. */
static void rows_that_have_changed_places_are_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  write_pairs(context, path);
  exchange(path, "/frames/data/t", H5T_NATIVE_DOUBLE, 1, 3, 20);
  exchange(path, "/frames/data/x", H5T_NATIVE_DOUBLE, 2, 3, 20);
  exchange(path, "/seal/frames", H5T_NATIVE_UCHAR, DIGEST, 3, 20);
  assert_changed(context, path, "frames, row 3 and 1 more");
  exchange(path, "/frames/data/t", H5T_NATIVE_DOUBLE, 1, 3, 20);
  exchange(path, "/frames/data/x", H5T_NATIVE_DOUBLE, 2, 3, 20);
  exchange(path, "/seal/frames", H5T_NATIVE_UCHAR, DIGEST, 3, 20);
  assert_sealed(context, path, "48 rows as written");
  thud_test_context_end(context);
}

static void a_table_that_was_cut_off_is_found(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  write_pairs(context, path);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  cut(file, "/frames/data/t", ROWS - 1, 1);
  cut(file, "/frames/data/x", ROWS - 1, 2);
  cut(file, "/checkpoints/index", 3, 5); /* the last one is of all rows */
  H5Fclose(file);
  assert_changed(context, path, "frames: 39 rows, 40 were written");
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  cut(file, "/seal/frames", ROWS - 1, DIGEST);
  cut(file, "/seal/checkpoints", 3, DIGEST);
  H5Fclose(file);
  assert_changed(context, path, "the summary, the verdict, or the number of rows");
  thud_test_context_end(context);
}

static void write_attribute(hid_t object, const char *name, const char *text) {
  char padded[2048] = {0};
  hid_t attribute = H5Aopen(object, name, H5P_DEFAULT), type = H5Aget_type(attribute);
  snprintf(padded, sizeof padded, "%s", text);
  thud_assert_at_least(H5Awrite(attribute, type, padded), 0);
  H5Tclose(type);
  H5Aclose(attribute);
}

static void descriptions_and_verdicts_are_sealed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5"), *head = "the scene, its description, or that of the channels";
  static const char *const attributes[] = {"title", "method", "thud_version"};
  for (size_t k = 0; k < sizeof attributes / sizeof *attributes; k++) {
    write_pairs(context, path);
    hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
    write_attribute(file, attributes[k], "another");
    H5Fclose(file);
    assert_changed(context, path, head);
  }
  write_pairs(context, path);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT), t = H5Dopen2(file, "/frames/data/t", H5P_DEFAULT);
  write_attribute(t, "unit", "h");
  H5Dclose(t);
  H5Fclose(file);
  assert_changed(context, path, head);
  write_pairs(context, path);
  file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  write_attribute(file, "reason", "another");
  H5Fclose(file);
  assert_changed(context, path, "the summary, the verdict, or the number of rows");
  thud_test_context_end(context);
}

static void load_digests(const char *path, const char *name, size_t rows, unsigned char *digests) {
  hid_t file = H5Fopen(path, H5F_ACC_RDONLY, H5P_DEFAULT);
  assert_int_equal(load(file, name, H5T_NATIVE_UCHAR, DIGEST * ROWS, digests), rows);
  H5Fclose(file);
}

/* A stopped run that goes on has the digests of one that was not stopped. */
static void a_resumed_record_has_the_seal_of_an_uninterrupted_one(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5"), *whole = thud_test_path("whole.h5");
  thud_record_writer *writer = start_pairs(context, path);
  write_some(writer, 0, 25);
  assert_int_equal(thud_record_close(writer, "stopped", "interrupted", "{}"), THUD_OK);
  assert_sealed(context, path, "30 rows as written"); /* 3 warnings, 2 checkpoints */
  thud_record_resumption found;
  assert_int_equal(thud_record_resume(context, path, NULL, &sample_header, &writer, &found), THUD_OK);
  assert_int_equal(found.rows[THUD_RECORD_FRAMES], 20);
  thud_record_resumption_free(context, &found);
  write_some(writer, 20, ROWS);
  assert_int_equal(thud_record_close(writer, "good", "", "{}"), THUD_OK);
  assert_sealed(context, path, "47 rows as written"); /* one checkpoint fewer: that of the beginning is its first */
  write_pairs(context, whole);
  unsigned char resumed[DIGEST * ROWS], straight[DIGEST * ROWS];
  static const char *const tables[] = {"/seal/frames", "/seal/warnings"};
  for (size_t k = 0; k < 2; k++) {
    size_t rows = k == 0 ? ROWS : WARNINGS;
    load_digests(path, tables[k], rows, resumed);
    load_digests(whole, tables[k], rows, straight);
    assert_memory_equal(resumed, straight, DIGEST * rows);
  }
  thud_test_context_end(context);
}

/* What was changed before a run is resumed stays found. */
static void resuming_does_not_seal_what_was_changed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  thud_record_writer *writer = start_pairs(context, path);
  write_some(writer, 0, 25);
  thud_record_abandon(writer);
  change_real(path, "/frames/data/t", 11);
  thud_record_resumption found;
  assert_int_equal(thud_record_resume(context, path, NULL, &sample_header, &writer, &found), THUD_OK);
  thud_record_resumption_free(context, &found);
  write_some(writer, 20, ROWS);
  assert_int_equal(thud_record_close(writer, "good", "", "{}"), THUD_OK);
  assert_changed(context, path, "frames, row 11");
  thud_test_context_end(context);
}

/* The child kills itself between two flushes, so that nothing depends on time. */
static void a_killed_record_is_sealed_up_to_its_last_flush(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  pid_t child = fork();
  thud_assert_at_least(child, 0);
  if (child == 0) {
    thud_record_writer *writer = start_pairs(context, path);
    for (size_t k = 0; k < 25; k++) append_pair(writer, k);
    thud_record_flush(writer);
    for (size_t k = 25; k < ROWS; k++) append_pair(writer, k);
    raise(SIGKILL);
  }
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  assert_true(WIFSIGNALED(status));
  assert_sealed(context, path, "25 rows as written, up to the last flush");
  change_real(path, "/frames/data/x", 4);
  assert_changed(context, path, "frames, row 2");
  thud_test_context_end(context);
}

static void records_without_a_seal_are_unsealed_and_can_be_resumed(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *path = thud_test_path("run.h5");
  thud_record_writer *writer = start_pairs(context, path);
  write_some(writer, 0, 25);
  thud_record_abandon(writer);
  hid_t file = H5Fopen(path, H5F_ACC_RDWR, H5P_DEFAULT);
  thud_assert_at_least(H5Ldelete(file, "seal", H5P_DEFAULT), 0);
  H5Fclose(file);
  for (int round = 0; round < 2; round++) {
    thud_verify_check seal = seal_of(context, path, true);
    assert_int_equal(seal.status, THUD_VERIFY_NOT_APPLICABLE);
    assert_string_equal(seal.detail, "unsealed: the record has no seal");
    if (round == 1) break;
    thud_record_resumption found;
    assert_int_equal(thud_record_resume(context, path, NULL, &sample_header, &writer, &found), THUD_OK);
    thud_record_resumption_free(context, &found);
    write_some(writer, 20, ROWS);
    assert_int_equal(thud_record_close(writer, "good", "", "{}"), THUD_OK);
  }
  thud_test_context_end(context);
}

#define SEAL_TEST(test) cmocka_unit_test_setup_teardown(test, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      SEAL_TEST(records_of_every_type_of_channel_are_sealed),
      SEAL_TEST(a_changed_number_is_found_and_its_row_named),
      SEAL_TEST(rows_that_have_changed_places_are_found),
      SEAL_TEST(a_table_that_was_cut_off_is_found),
      SEAL_TEST(descriptions_and_verdicts_are_sealed),
      SEAL_TEST(a_resumed_record_has_the_seal_of_an_uninterrupted_one),
      SEAL_TEST(resuming_does_not_seal_what_was_changed),
      SEAL_TEST(a_killed_record_is_sealed_up_to_its_last_flush),
      SEAL_TEST(records_without_a_seal_are_unsealed_and_can_be_resumed),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
