#include "failing_allocator.h"
#include "sample_record.h"
#include "record_rows.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/rows.h"
#include "record/codec.h"
#include "thud/record.h"

#include <errno.h>
#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <dirent.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

/* ---- round trips ---------------------------------------------------------------------------------------- */

static void numbers_come_back_bit_for_bit_whatever_the_chunks_and_flushes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const size_t row_counts[] = {0, 1, 6, 7, 8, 63, 64, 65, 1000, 1024, 1025, 3000};
  static const int chunk_rows[] = {1, 7, 64, 1024};
  for (size_t c = 0; c < 4; c++)
    for (size_t r = 0; r < sizeof row_counts / sizeof row_counts[0]; r++) {
      if (chunk_rows[c] == 1 && row_counts[r] > 1000) continue;
      thud_record_options options = thud_record_options_default();
      options.chunk_rows = chunk_rows[c];
      options.overwrite = true;
      options.flush_every_frames = r % 3 == 0 ? 5 : 0;
      sample_write(context, thud_test_path("a.h5"), options, row_counts[r], row_counts[r] / 2);
      thud_record_reader *reader;
      assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
      assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], row_counts[r]);
      sample_assert_rows(reader, 0, row_counts[r]);
      if (row_counts[r] > 5) sample_assert_rows(reader, row_counts[r] / 3, row_counts[r] / 2);
      thud_record_reader_destroy(reader);
    }
  assert_int_equal(thud_test_folder_files(), 1);
  thud_test_context_end(context);
}

static void descriptions_come_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), 3, 0);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  assert_string_equal(info.title, sample_header.title);
  assert_string_equal(info.kind, sample_header.kind);
  assert_string_equal(info.method, sample_header.method);
  assert_string_equal(info.scene, sample_header.scene);
  assert_string_equal(info.resolved, sample_header.resolved);
  assert_string_equal(info.summary, "{\"verdict\": \"good\"}");
  assert_string_equal(info.verdict, "good");
  assert_string_equal(info.reason, "all steps solved");
  assert_string_equal(info.thud_version, THUD_VERSION);
  assert_true(info.finished);
  assert_int_equal(info.channel_count[THUD_RECORD_FRAMES], SAMPLE_CHANNELS);
  for (size_t k = 0; k < SAMPLE_CHANNELS; k++) {
    const thud_record_channel *channel = thud_record_reader_channel(reader, THUD_RECORD_FRAMES, k);
    assert_string_equal(channel->name, sample_channels[k].name);
    assert_string_equal(channel->unit, sample_channels[k].unit != NULL ? sample_channels[k].unit : "");
    assert_string_equal(channel->role, sample_channels[k].role);
    assert_string_equal(channel->description,
                        sample_channels[k].description != NULL ? sample_channels[k].description : "");
    assert_int_equal(channel->type, sample_channels[k].type);
    assert_int_equal(channel->look, sample_channels[k].look);
    thud_assert_equal(channel->state, sample_channels[k].state);
    thud_assert_equal(channel->optional, sample_channels[k].optional);
    assert_null(channel->left);
    assert_null(channel->atom);
    assert_int_equal(channel->label_count, sample_channels[k].label_count);
    assert_int_equal(channel->width, sample_channels[k].width);
  }
  assert_null(thud_record_reader_channel(reader, THUD_RECORD_FRAMES, SAMPLE_CHANNELS));
  for (int c = 0; c < SAMPLE_WIDTH; c++)
    assert_string_equal(thud_record_reader_channel(reader, THUD_RECORD_FRAMES, 2)->components[c], sample_components[c]);
  assert_string_equal(thud_record_reader_channel(reader, THUD_RECORD_FRAMES, 0)->components[0], "t");
  assert_string_equal(thud_record_reader_channel(reader, THUD_RECORD_FRAMES, 3)->components[1], "count[1]");
  size_t found;
  assert_int_equal(thud_record_find_channel(reader, THUD_RECORD_FRAMES, "state", &found), THUD_OK);
  assert_int_equal(found, 2);
  assert_int_equal(thud_record_find_role(reader, THUD_RECORD_FRAMES, "side", &found), THUD_OK);
  assert_int_equal(found, 1);
  assert_int_equal(thud_record_find_channel(reader, THUD_RECORD_FRAMES, "stat", &found), THUD_ERROR_NOT_FOUND);
  assert_non_null(
      strstr(thud_context_last_message(context),
             "a.h5: no channel of the frames is called 'stat'; there are: t, side, state, count, marks, list, word"));
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void long_texts_and_many_notes_come_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { LENGTH = 700001, NOTES = 500 };
  char *scene = malloc(LENGTH + 1), text[1200];
  thud_random random = thud_random_seed(9);
  for (size_t k = 0; k < LENGTH; k++) scene[k] = (char)(32 + thud_random_below(&random, 90));
  scene[LENGTH] = '\0';
  thud_record_header described = {.scene = scene};
  thud_record_writer *writer;
  assert_int_equal(
      record_rows_create(context, thud_test_path("a.h5"), NULL, &described, SAMPLE_CHANNELS, sample_channels, &writer),
      THUD_OK);
  for (int k = 0; k < NOTES; k++) {
    snprintf(text, sizeof text, "contact %d", k);
    assert_int_equal(record_rows_event(writer, k, k % 2 ? "open" : "close", text), THUD_OK);
    if (k == 70) assert_int_equal(thud_record_flush(writer), THUD_OK);
  }
  assert_int_equal(record_rows_event(writer, 2, "long", scene), THUD_OK);
  assert_int_equal(thud_record_add_warning(writer, 1, scene, scene), THUD_OK);
  assert_int_equal(thud_record_add_warning(writer, 2, NULL, NULL), THUD_OK);
  /* Only reasons are cut; a two-byte character across the place of the cut must not be halved. */
  memset(text, 'a', sizeof text);
  memcpy(text + 1019, "\xc3\xa9", 2);
  text[1100] = '\0';
  assert_int_equal(thud_record_close(writer, "failed", text, scene), THUD_OK);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  thud_record_info info = thud_record_reader_info(reader);
  assert_string_equal(info.scene, scene);
  assert_string_equal(info.summary, scene);
  assert_string_equal(info.title, "");
  assert_int_equal(strlen(info.reason), 1022);
  assert_string_equal(info.reason + 1018, "a...");
  assert_int_equal(info.rows[THUD_RECORD_EVENTS], NOTES + 1);
  assert_int_equal(info.rows[THUD_RECORD_WARNINGS], 2);
  thud_record_note note;
  for (int k = NOTES - 1; k >= 0; k--) {
    snprintf(text, sizeof text, "contact %d", k);
    assert_int_equal(thud_record_read_note(reader, THUD_RECORD_EVENTS, (size_t)k, &note), THUD_OK);
    thud_assert_equal(note.t, k);
    assert_string_equal(note.kind, k % 2 ? "open" : "close");
    assert_string_equal(note.text, text);
  }
  assert_int_equal(thud_record_read_note(reader, THUD_RECORD_EVENTS, NOTES, &note), THUD_OK);
  assert_string_equal(note.text, scene);
  assert_int_equal(thud_record_read_note(reader, THUD_RECORD_EVENTS, NOTES + 1, &note), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_read_note(reader, THUD_RECORD_WARNINGS, 0, &note), THUD_OK);
  thud_assert_equal(note.t, 1);
  assert_string_equal(note.kind, scene);
  assert_string_equal(note.text, scene);
  assert_int_equal(thud_record_read_note(reader, THUD_RECORD_WARNINGS, 1, &note), THUD_OK);
  assert_string_equal(note.text, "");
  assert_int_equal(thud_record_read_note(reader, THUD_RECORD_FRAMES, 0, &note), THUD_ERROR_ARGUMENT);
  thud_record_reader_destroy(reader);
  free(scene);
  thud_test_context_end(context);
}

static void frames_of_a_motion_come_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const char *const names[2] = {"x", "y"};
  const thud_row_names called = {.coordinates = names, .time_unit = "s", .unit = "m"};
  thud_record_writer *writer;
  thud_rows *rows;
  assert_int_equal(thud_rows_create_sweeping(context, 2, 1e-12, &called, &rows), THUD_OK);
  assert_int_equal(thud_record_create(context, thud_test_path("a.h5"), NULL, NULL, thud_rows_layout(rows), &writer),
                   THUD_OK);
  thud_rows_set_sink(rows, thud_record_row_sink(writer));
  thud_motion_sink sink = {.frame = thud_rows_sweep, .user = rows};
  const double u[2] = {1, -2}, r[2] = {0.25, 1e300};
  thud_sweep_frame frame = {.t = 0.1, .side = THUD_SIDE_LEFT, .state = u, .reaction = r, .atom = true, .variation = 3};
  frame.residual = 1e-17;
  assert_int_equal(sink.frame(sink.user, &frame), 0);
  thud_rows_destroy(rows);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  static const char *const roles[7] = {"time", "side", "state", "reaction", "atom", "variation", "residual"};
  const double expected[7][2] = {{0.1}, {-1}, {1, -2}, {0.25, 1e300}, {1}, {3}, {1e-17}};
  for (int k = 0; k < 7; k++) {
    size_t index;
    double values[2] = {0};
    assert_int_equal(thud_record_find_role(reader, THUD_RECORD_FRAMES, roles[k], &index), THUD_OK);
    assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, index, 0, 1, values), THUD_OK);
    assert_memory_equal(values, expected[k], sizeof values);
  }
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* The files are plain HDF5: its own filter pipeline reads what thud's coder wrote. */
static void hdf5_itself_reads_the_numbers(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { ROWS = 1500 };
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), ROWS, 1100);
  hid_t file = H5Fopen(thud_test_path("a.h5"), H5F_ACC_RDONLY, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "frames/data/state", H5P_DEFAULT);
  double *values = malloc(ROWS * SAMPLE_WIDTH * sizeof *values);
  thud_assert_at_least(H5Dread(dataset, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values), 0);
  for (size_t k = 0; k < ROWS; k++) {
    sample_row expected = sample_row_of(k);
    assert_memory_equal(&values[SAMPLE_WIDTH * k], expected.state, sizeof expected.state);
  }
  free(values);
  H5Dclose(dataset);
  H5Fclose(file);
  thud_test_context_end(context);
}

static void appending_allocates_nothing_once_the_buffers_have_grown(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_options options = thud_record_options_default();
  options.chunk_rows = 16;
  options.flush_every_frames = 100;
  thud_record_writer *writer;
  assert_int_equal(
      record_rows_create(context, thud_test_path("a.h5"), &options, NULL, SAMPLE_CHANNELS, sample_channels, &writer),
      THUD_OK);
  for (size_t k = 0; k < 1500; k++) assert_int_equal(sample_append(writer, k), THUD_OK);
  uint64_t before = thud_context_allocation_count(context);
  for (size_t k = 1500; k < 6000; k++) assert_int_equal(sample_append(writer, k), THUD_OK);
  assert_int_equal(thud_context_allocation_count(context), before);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  thud_test_context_end(context);
}

static herr_t count_errors(hid_t stack, void *user) {
  (void)stack;
  ++*(int *)user;
  return 0;
}

static void the_error_handler_of_the_process_is_left_alone(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  int errors = 0;
  thud_assert_at_least(H5Eset_auto2(H5E_DEFAULT, count_errors, &errors), 0);
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), 3, 0);
  assert_int_equal(truncate(thud_test_path("a.h5"), 4000), 0);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_ERROR_FORMAT);
  H5E_auto2_t handler;
  void *data;
  thud_assert_at_least(H5Eget_auto2(H5E_DEFAULT, &handler, &data), 0);
  assert_ptr_equal(handler, count_errors);
  assert_ptr_equal(data, &errors);
  assert_int_equal(errors, 0);
  H5Eset_auto2(H5E_DEFAULT, NULL, NULL);
  thud_test_context_end(context);
}

/* ---- CSV ---------------------------------------------------------------------------------------------------- */

static char *read_whole(const char *path) {
  FILE *stream = fopen(path, "rb");
  assert_non_null(stream);
  char *text = calloc(1, 1 << 20);
  size_t count = fread(text, 1, (1 << 20) - 1, stream);
  thud_assert_less(count, (1 << 20) - 1);
  fclose(stream);
  return text;
}

static void csv_reads_back_bit_for_bit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { ROWS = 700 };
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), ROWS, 0);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  const size_t fixed[SAMPLE_FIXED] = {0, 1, 2, 3};
  assert_int_equal(
      thud_record_export_csv(reader, NULL, THUD_RECORD_FRAMES, SAMPLE_FIXED, fixed, thud_test_path("a.csv")), THUD_OK);
  char *text = read_whole(thud_test_path("a.csv"));
  static const char head[] = "t [s],side,x [m],y' [m],\"a \"\"b\"\", c [m]\",count[0],count[1]\n";
  assert_memory_equal(text, head, strlen(head));
  char *line = text + strlen(head);
  for (size_t k = 0; k < ROWS; k++) {
    sample_row expected = sample_row_of(k);
    double values[7];
    for (int c = 0; c < 7; c++) {
      char *end;
      if (c == 1) {
        values[1] = *line == '-' ? -1 : *line == '+' ? 1 : 0;
        end = values[1] != 0 ? line + 1 : line;
      } else {
        values[c] = strtod(line, &end);
      }
      assert_int_equal(*end, c < 6 ? ',' : '\n');
      line = end + 1;
    }
    const double *wanted = &expected.t;
    for (int c = 0; c < 7; c++)
      if (isnan(wanted[c]))
        assert_true(isnan(values[c]));
      else
        assert_memory_equal(&values[c], &wanted[c], sizeof(double));
  }
  assert_int_equal(*line, '\0');
  free(text);
  assert_int_equal(thud_record_export_csv(reader, NULL, THUD_RECORD_FRAMES, 0, NULL, thud_test_path("a.csv")),
                   THUD_ERROR_EXISTS);
  thud_record_csv_options options = thud_record_csv_options_default();
  options.overwrite = true;
  options.units = false;
  options.side_as_sign = false;
  const size_t chosen[2] = {1, 0};
  assert_int_equal(thud_record_export_csv(reader, &options, THUD_RECORD_FRAMES, 2, chosen, thud_test_path("a.csv")),
                   THUD_OK);
  text = read_whole(thud_test_path("a.csv"));
  assert_memory_equal(text, "side,t\n", 7);
  free(text);
  const size_t absent[1] = {99};
  assert_int_equal(thud_record_export_csv(reader, &options, THUD_RECORD_FRAMES, 1, absent, thud_test_path("b.csv")),
                   THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_test_folder_files(), 2);
  FILE *full = fopen("/dev/full", "w");
  if (full != NULL) {
    assert_int_equal(thud_record_write_csv(reader, NULL, THUD_RECORD_FRAMES, 0, NULL, full), THUD_ERROR_FILE);
    fclose(full);
  }
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* ---- errors --------------------------------------------------------------------------------------------------- */

static thud_error create(thud_context *context, const char *path, bool overwrite, thud_record_writer **writer) {
  thud_record_options options = thud_record_options_default();
  options.overwrite = overwrite;
  return record_rows_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, writer);
}

static void existing_files_are_kept_unless_overwritten(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), 10, 0);
  thud_record_writer *writer = NULL;
  assert_int_equal(create(context, thud_test_path("a.h5"), false, &writer), THUD_ERROR_EXISTS);
  assert_null(writer);
  assert_non_null(strstr(thud_context_last_message(context),
                         "a.h5: the file exists already; choose another name, or overwrite it (--force)"));
  /* A creation that fails after the file was started leaves the old record alone. */
  thud_record_channel bad[2] = {sample_channels[0], sample_channels[2]};
  bad[1].width = (size_t)1 << 40;
  bad[1].components = NULL;
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  assert_int_equal(record_rows_create(context, thud_test_path("a.h5"), &options, NULL, 2, bad, &writer),
                   THUD_ERROR_OVERFLOW);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  sample_assert_rows(reader, 0, 10);
  thud_record_reader_destroy(reader);
  assert_int_equal(thud_test_folder_files(), 1);
  /* A fresh record is there at once, and says that it is not finished. */
  assert_int_equal(create(context, thud_test_path("a.h5"), true, &writer), THUD_OK);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  assert_string_equal(thud_record_reader_info(reader).verdict, "unfinished");
  assert_false(thud_record_reader_info(reader).finished);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 0);
  thud_record_reader_destroy(reader);
  assert_int_equal(sample_append(writer, 0), THUD_OK);
  thud_record_abandon(writer);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  assert_string_equal(thud_record_reader_info(reader).verdict, "unfinished");
  sample_assert_rows(reader, 0, 1);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void impossible_paths_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer = NULL;
  thud_record_reader *reader = NULL;
  assert_int_equal(create(context, thud_test_folder(), true, &writer), THUD_ERROR_FILE);
  assert_non_null(strstr(thud_context_last_message(context), ": this is a folder; name a file in it"));
  assert_int_equal(create(context, thud_test_path("no/a.h5"), true, &writer), THUD_ERROR_FILE);
  assert_int_equal(create(context, "", true, &writer), THUD_ERROR_ARGUMENT);
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), 1, 0);
  assert_int_equal(create(context, thud_test_path("a.h5/b.h5"), true, &writer), THUD_ERROR_FILE);
  assert_int_equal(create(context, "/dev/null", true, &writer), THUD_ERROR_FILE);
  assert_null(writer);
  assert_int_equal(thud_record_open(context, thud_test_folder(), &reader), THUD_ERROR_FILE);
  assert_int_equal(thud_record_open(context, thud_test_path("none.h5"), &reader), THUD_ERROR_FILE);
  assert_int_equal(thud_record_open(context, "/dev/null", &reader), THUD_ERROR_FILE);
  assert_null(reader);
  assert_int_equal(thud_test_folder_files(), 1);
  thud_test_context_end(context);
}

static void senseless_requests_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer = NULL;
  const char *path = thud_test_path("a.h5");
  thud_record_channel two[2] = {sample_channels[0], sample_channels[0]};
  assert_int_equal(record_rows_create(context, path, NULL, NULL, 2, two, &writer), THUD_ERROR_ARGUMENT);
  assert_non_null(strstr(thud_context_last_message(context), "record: frames: channels 0 and 1 are both called 't'"));
  assert_int_equal(record_rows_create(context, path, NULL, NULL, 0, NULL, &writer), THUD_ERROR_ARGUMENT);
  static const char *const bad_names[] = {"", ".", "a/b", "a b", "a\n", NULL};
  for (size_t k = 0; k < sizeof bad_names / sizeof bad_names[0]; k++) {
    two[1].name = bad_names[k];
    assert_int_equal(record_rows_create(context, path, NULL, NULL, 2, two, &writer), THUD_ERROR_ARGUMENT);
  }
  two[1] = (thud_record_channel){.name = "x", .type = THUD_RECORD_TEXT, .width = 1};
  assert_int_equal(record_rows_create(context, path, NULL, NULL, 2, two, &writer), THUD_ERROR_ARGUMENT);
  two[1] = (thud_record_channel){.name = "x", .width = 1, .type = (thud_record_type)7};
  assert_int_equal(record_rows_create(context, path, NULL, NULL, 2, two, &writer), THUD_ERROR_ARGUMENT);
  thud_record_options options = thud_record_options_default();
  options.chunk_rows = 0;
  assert_int_equal(record_rows_create(context, path, &options, NULL, 1, two, &writer), THUD_ERROR_ARGUMENT);
  char title[2000];
  memset(title, 'a', sizeof title);
  title[1999] = '\0';
  thud_record_header described = {.title = title};
  assert_int_equal(record_rows_create(context, path, NULL, &described, 1, two, &writer), THUD_ERROR_OVERFLOW);
  assert_null(writer);
  assert_int_equal(thud_test_folder_files(), 0);
  thud_test_context_end(context);
}

static void numbers_that_do_not_fit_are_refused_and_change_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer;
  assert_int_equal(create(context, thud_test_path("a.h5"), false, &writer), THUD_OK);
  assert_int_equal(sample_append(writer, 0), THUD_OK);
  const double bad_sides[] = {0.5, 128, -129, NAN, INFINITY}, bad_counts[] = {2147483648.0, -2147483649.0, NAN, 1e300};
  for (size_t k = 0; k < 5; k++) {
    sample_row bad = sample_row_of(1);
    bad.side = bad_sides[k];
    thud_record_cell cells[SAMPLE_CHANNELS];
    sample_cells(&bad, cells);
    assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_ERROR_ARGUMENT);
  }
  for (size_t k = 0; k < 4; k++) {
    sample_row bad = sample_row_of(1);
    bad.count[1] = bad_counts[k];
    thud_record_cell cells[SAMPLE_CHANNELS];
    sample_cells(&bad, cells);
    assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_ERROR_ARGUMENT);
  }
  assert_int_equal(sample_append(writer, 1), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_FRAMES], 2);
  sample_assert_rows(reader, 0, 2);
  double value;
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, 0, 1, 2, &value), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, 0, SIZE_MAX, 2, &value), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, 9, 0, 1, &value), THUD_ERROR_ARGUMENT);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void foreign_files_are_recognised(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_reader *reader = NULL;
  static const char *const contents[] = {"", "thud: 1\n", "\x89HDF\r\n\x1a\n"};
  static const size_t lengths[] = {0, 8, 8};
  for (int k = 0; k < 3; k++) {
    FILE *stream = fopen(thud_test_path("x.h5"), "wb");
    fwrite(contents[k], 1, lengths[k], stream);
    fclose(stream);
    assert_int_equal(thud_record_open(context, thud_test_path("x.h5"), &reader), THUD_ERROR_FORMAT);
  }
  for (int newer = 0; newer < 2; newer++) {
    hid_t list = H5Pcreate(H5P_FILE_ACCESS);
    if (newer) H5Pset_libver_bounds(list, H5F_LIBVER_V18, H5F_LIBVER_V18);
    hid_t file = H5Fcreate(thud_test_path("y.h5"), H5F_ACC_TRUNC, H5P_DEFAULT, list);
    H5Fclose(file);
    H5Pclose(list);
    assert_int_equal(thud_record_open(context, thud_test_path("y.h5"), &reader), THUD_ERROR_FORMAT);
    assert_non_null(strstr(thud_context_last_message(context), "y.h5: this is an HDF5 file but not a thud record"));
  }
  assert_null(reader);
  thud_test_context_end(context);
}

/* Records of other formats are refused with their version named, older ones with what to do. */
static void check_other_format(bool older) {
  thud_context *context = thud_test_context(1);
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), 1, 0);
  hid_t file = H5Fopen(thud_test_path("a.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t attribute = H5Aopen(file, "format_version", H5P_DEFAULT);
  int version = older ? 1 : 3;
  thud_assert_at_least(H5Awrite(attribute, H5T_NATIVE_INT, &version), 0);
  H5Aclose(attribute);
  H5Fclose(file);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_ERROR_FORMAT);
  if (older)
    thud_test_message_has(context,
                          "a.h5: the record has format version 1 of an older thud; run its scene again to make one of "
                          "version 2, which this thud (0.1.0) reads",
                          NULL);
  else
    thud_test_message_has(
        context, "a.h5: the record has format version 3, this thud (0.1.0) reads version 2; use a newer thud", NULL);
  thud_test_context_end(context);
}

static void other_formats_are_refused(void **state) {
  (void)state;
  check_other_format(true);
  thud_test_folder_empty();
  check_other_format(false);
}

/* A disk that fills up, played by a limit on the size of files. */
static void a_full_disk_is_an_error_and_keeps_what_was_flushed(void **state) {
  (void)state;
  const rlim_t limits[] = {0, 1, 1000, 10000, 30000, 45000, 60000, 200000};
  for (size_t k = 0; k < sizeof limits / sizeof limits[0]; k++) {
    thud_test_folder_empty();
    pid_t child = fork();
    thud_assert_at_least(child, 0);
    if (child == 0) {
      signal(SIGXFSZ, SIG_IGN);
      struct rlimit limit = {limits[k], limits[k]};
      setrlimit(RLIMIT_FSIZE, &limit);
      thud_context *context = thud_test_context(1);
      thud_record_writer *writer;
      thud_record_options options = thud_record_options_default();
      options.flush_every_frames = 50;
      options.chunk_rows = 128;
      thud_error error = record_rows_create(context, thud_test_path("a.h5"), &options, &sample_header, SAMPLE_CHANNELS,
                                            sample_channels, &writer);
      if (error != THUD_OK) _exit(error == THUD_ERROR_FILE && thud_test_folder_files() == 0 ? 1 : 99);
      size_t frame = 0;
      while (frame < 100000 && (error = sample_append(writer, frame)) == THUD_OK) frame++;
      if (error != THUD_ERROR_FILE || strstr(thud_context_last_message(context), "File too large") == NULL) _exit(98);
      if (sample_append(writer, frame) != THUD_ERROR_FILE) _exit(97);
      if (thud_record_flush(writer) != THUD_ERROR_FILE) _exit(96);
      if (thud_record_close(writer, "good", NULL, NULL) != THUD_ERROR_FILE) _exit(95);
      if (thud_context_live_blocks(context) != 0) _exit(94);
      _exit(2);
    }
    int status;
    assert_int_equal(waitpid(child, &status, 0), child);
    assert_true(WIFEXITED(status));
    if (WEXITSTATUS(status) == 1) continue;
    assert_int_equal(WEXITSTATUS(status), 2);
    thud_context *context = thud_test_context(1);
    thud_record_reader *reader;
    assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
    thud_record_info info = thud_record_reader_info(reader);
    assert_string_equal(info.verdict, "unfinished");
    if (limits[k] >= 100000) thud_assert_at_least(info.rows[THUD_RECORD_FRAMES], 50); /* the first flush fits */
    sample_assert_rows(reader, 0, info.rows[THUD_RECORD_FRAMES]);
    thud_record_reader_destroy(reader);
    thud_test_context_end(context);
  }
}

/* ---- the coder --------------------------------------------------------------------------------------------------- */

static void coding_is_reversible_and_damage_is_noticed(void **state) {
  (void)state;
  thud_random random = thud_random_seed(5);
  static const size_t element_sizes[] = {1, 4, 8, 24};
  for (int round = 0; round < 2000; round++) {
    size_t element = element_sizes[thud_random_below(&random, 4)];
    size_t count = element * (1 + thud_random_below(&random, 60));
    uint8_t bytes[1536], back[1536], scratch[1536], coded[2048];
    for (size_t k = 0; k < count; k++) bytes[k] = (uint8_t)(thud_random_below(&random, 4) * (uint32_t)(round % 90));
    thud_assert_at_most(thud_codec_bound(count), sizeof coded);
    size_t coded_count;
    assert_true(thud_codec_encode(bytes, count, element, scratch, coded, &coded_count));
    thud_assert_at_most(coded_count, thud_codec_bound(count));
    assert_true(thud_codec_decode(coded, coded_count, element, count, scratch, back));
    assert_memory_equal(bytes, back, count);
    assert_false(thud_codec_decode(coded, coded_count, element, count + element, scratch, back));
    if (count > element) assert_false(thud_codec_decode(coded, coded_count, element, count - element, scratch, back));
    assert_false(
        thud_codec_decode(coded, thud_random_below(&random, (uint32_t)coded_count), element, count, scratch, back));
    /* Fletcher's sums notice every single changed byte except 0x00 <-> 0xff pairs, hence +1 here. */
    coded[thud_random_below(&random, (uint32_t)coded_count)]++;
    assert_false(thud_codec_decode(coded, coded_count, element, count, scratch, back));
  }
}

/* ---- failing allocations ----------------------------------------------------------------------------------------- */

static thud_error make_and_close(thud_context *context, void *user) {
  (void)user;
  thud_record_writer *writer = NULL;
  thud_error error = create(context, thud_test_path("sweep.h5"), true, &writer);
  if (error != THUD_OK) {
    assert_null(writer);
    assert_int_equal(thud_test_folder_files(), 2);
    return error;
  }
  for (size_t k = 0; k < 20 && error == THUD_OK; k++) error = sample_append(writer, k);
  char summary[100000];
  memset(summary, 's', sizeof summary);
  summary[sizeof summary - 1] = '\0';
  thud_error closed = thud_record_close(writer, "good", NULL, summary);
  return error == THUD_OK ? closed : error;
}

static thud_error open_and_read(thud_context *context, void *user) {
  thud_record_reader *reader = NULL;
  thud_error error = thud_record_open(context, user, &reader);
  if (error != THUD_OK) {
    assert_null(reader);
    return error;
  }
  double values[3 * SAMPLE_WIDTH];
  thud_record_note note;
  error = thud_record_read(reader, THUD_RECORD_FRAMES, 2, 0, 3, values);
  if (error == THUD_OK) error = thud_record_read_note(reader, THUD_RECORD_EVENTS, 0, &note);
  remove(thud_test_path("sweep.csv"));
  if (error == THUD_OK)
    error = thud_record_export_csv(reader, NULL, THUD_RECORD_FRAMES, 0, NULL, thud_test_path("sweep.csv"));
  if (error != THUD_OK) assert_int_not_equal(access(thud_test_path("sweep.csv"), F_OK), 0);
  thud_record_reader_destroy(reader);
  return error;
}

static thud_error make_motion(thud_context *context, void *user) {
  (void)user;
  thud_record_writer *writer = NULL;
  thud_rows *rows = NULL;
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  thud_error error = thud_rows_create_sweeping(context, 2, 0, NULL, &rows);
  if (error == THUD_OK)
    error = thud_record_create(context, thud_test_path("sweep.h5"), &options, NULL, thud_rows_layout(rows), &writer);
  thud_rows_destroy(rows);
  return error == THUD_OK ? thud_record_close(writer, "good", NULL, NULL) : error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample_write(context, thud_test_path("a.h5"), thud_record_options_default(), 3, 0);
  sample_write(context, thud_test_path("sweep.h5"), thud_record_options_default(), 3, 0);
  thud_assert_greater(thud_test_sweep_allocations(make_and_close, NULL), 10);
  thud_assert_greater(thud_test_sweep_allocations(make_motion, NULL), 10);
  assert_int_equal(thud_test_folder_files(), 2);
  char path[160];
  strcpy(path, thud_test_path("a.h5"));
  thud_assert_greater(thud_test_sweep_allocations(open_and_read, path), 10);
  assert_int_equal(thud_test_folder_files(), 3);
  thud_test_context_end(context);
}

#define TEST(name) cmocka_unit_test_setup_teardown(name, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(numbers_come_back_bit_for_bit_whatever_the_chunks_and_flushes),
      TEST(descriptions_come_back),
      TEST(long_texts_and_many_notes_come_back),
      TEST(frames_of_a_motion_come_back),
      TEST(hdf5_itself_reads_the_numbers),
      TEST(appending_allocates_nothing_once_the_buffers_have_grown),
      TEST(the_error_handler_of_the_process_is_left_alone),
      TEST(csv_reads_back_bit_for_bit),
      TEST(existing_files_are_kept_unless_overwritten),
      TEST(impossible_paths_are_named),
      TEST(senseless_requests_are_refused),
      TEST(numbers_that_do_not_fit_are_refused_and_change_nothing),
      TEST(foreign_files_are_recognised),
      TEST(other_formats_are_refused),
      TEST(a_full_disk_is_an_error_and_keeps_what_was_flushed),
      TEST(coding_is_reversible_and_damage_is_noticed),
      TEST(every_failing_allocation_is_reported_and_leaks_nothing),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
