/* Ragged channels: cells of any length, labels, and ends that lie. */
#include "failing_allocator.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/record.h"

#include <hdf5.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CHANNELS = 5, LABELS = 3, LONGEST = 300000 };

static const char *const labels[LABELS] = {"floor", "",
                                           ("a name that is much longer than any name of a channel may be, "
                                            "with commas, \"quotes\" and\nlines")};
static const char *const axes[2] = {"n", "t"};
static const thud_record_channel frames[1] = {{.name = "t", .width = 1, .role = "time"}};
static const thud_record_channel events[CHANNELS] = {
    {.name = "t", .width = 1, .role = "time", .look = THUD_LOOK_POINT},
    {.name = "constraints",
     .type = THUD_RECORD_INTEGER,
     .look = THUD_LOOK_POINT,
     .label_count = LABELS,
     .labels = labels},
    {.name = "impulse", .components = axes, .unit = "N s", .look = THUD_LOOK_POINT, .at = "constraints", .group = 2},
    {.name = "side", .type = THUD_RECORD_SMALL, .width = 1, .role = "side", .look = THUD_LOOK_POINT},
    {.name = "text", .type = THUD_RECORD_TEXT, .look = THUD_LOOK_POINT, .optional = true}};
static const thud_record_layout layout = {.count = {1, CHANNELS}, .channels = {frames, events}};

/* Row k depends on k alone; a few are longer than several chunks. */
typedef struct event_row {
  double t, side;
  size_t count, letters;
  double *constraints, *impulse;
  char *text;
} event_row;

static event_row make_row(size_t k) {
  thud_random random = thud_random_seed(k + 1);
  event_row row = {.t = (double)k, .side = (double)thud_random_below(&random, 3) - 1};
  row.count = k % 10 == 0 ? 0 : k == 7 ? 20000 : k % 11 == 3 ? 500 : thud_random_below(&random, 5);
  row.letters = k % 9 == 0 ? 0 : k == 4 ? LONGEST : thud_random_below(&random, 300);
  row.constraints = malloc((row.count + 1) * sizeof(double));
  row.impulse = malloc((2 * row.count + 1) * sizeof(double));
  row.text = malloc(row.letters + 1);
  assert_non_null(row.constraints);
  assert_non_null(row.impulse);
  assert_non_null(row.text);
  for (size_t i = 0; i < row.count; i++) row.constraints[i] = thud_random_below(&random, LABELS);
  for (size_t i = 0; i < 2 * row.count; i++) row.impulse[i] = i % 7 == 5 ? (double)NAN : thud_random_normal(&random);
  for (size_t i = 0; i < row.letters; i++) row.text[i] = (char)(32 + thud_random_below(&random, 95));
  return row;
}

static void free_row(event_row *row) {
  free(row->constraints);
  free(row->impulse);
  free(row->text);
}

static void cells_of(const event_row *row, thud_record_cell cells[CHANNELS]) {
  cells[0] = (thud_record_cell){.values = &row->t, .count = 1};
  cells[1] = (thud_record_cell){.values = row->constraints, .count = row->count};
  cells[2] = (thud_record_cell){.values = row->impulse, .count = 2 * row->count};
  cells[3] = (thud_record_cell){.values = &row->side, .count = 1};
  cells[4] = (thud_record_cell){.text = row->text, .count = row->letters};
}

static thud_error append(thud_record_writer *writer, size_t k) {
  event_row row = make_row(k);
  thud_record_cell cells[CHANNELS];
  cells_of(&row, cells);
  thud_error error = thud_record_append(writer, THUD_RECORD_EVENTS, cells);
  free_row(&row);
  return error;
}

static void assert_row(thud_record_reader *reader, size_t k) {
  event_row row = make_row(k);
  thud_record_cell expected[CHANNELS], cell;
  cells_of(&row, expected);
  for (size_t c = 0; c < CHANNELS; c++) {
    assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_EVENTS, c, k, &cell), THUD_OK);
    assert_int_equal(cell.count, expected[c].count);
    if (cell.count == 0) continue;
    if (expected[c].text != NULL)
      assert_memory_equal(cell.text, expected[c].text, cell.count);
    else
      assert_memory_equal(cell.values, expected[c].values, cell.count * sizeof(double));
  }
  free_row(&row);
}

static thud_error create(thud_context *context, const char *path, int chunk_rows, thud_record_writer **writer) {
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  options.flush_every_seconds = 0;
  options.chunk_rows = chunk_rows;
  return thud_record_create(context, path, &options, NULL, &layout, writer);
}

static void cells_of_any_length_come_back(void **state) {
  (void)state;
  static const int chunk_rows[] = {1, 3, 64, 1024};
  static const size_t rows[] = {0, 1, 12, 200};
  thud_context *context = thud_test_context(1);
  for (size_t c = 0; c < 4; c++)
    for (size_t r = 0; r < 4; r++) {
      thud_record_writer *writer;
      assert_int_equal(create(context, thud_test_path("a.h5"), chunk_rows[c], &writer), THUD_OK);
      for (size_t k = 0; k < rows[r]; k++) {
        assert_int_equal(append(writer, k), THUD_OK);
        if (k % 23 == 6) assert_int_equal(thud_record_flush(writer), THUD_OK);
      }
      assert_int_equal(thud_record_rows_written(writer, THUD_RECORD_EVENTS), rows[r]);
      assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
      thud_record_reader *reader;
      assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
      assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], rows[r]);
      for (size_t k = 0; k < rows[r]; k++) assert_row(reader, k);
      for (size_t k = rows[r]; k-- > 0;) assert_row(reader, k);
      thud_record_reader_destroy(reader);
    }
  thud_test_context_end(context);
}

static void labels_and_groups_come_back(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer;
  thud_record_reader *reader;
  assert_int_equal(create(context, thud_test_path("a.h5"), 8, &writer), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  const thud_record_channel *constraints = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, 1);
  assert_int_equal(constraints->label_count, LABELS);
  for (size_t k = 0; k < LABELS; k++) assert_string_equal(constraints->labels[k], labels[k]);
  thud_assert_equal(constraints->width, 0);
  thud_assert_equal(constraints->group, 1);
  assert_string_equal(constraints->components[0], "constraints");
  const thud_record_channel *impulse = thud_record_reader_channel(reader, THUD_RECORD_EVENTS, 2);
  thud_assert_equal(impulse->width, 0);
  thud_assert_equal(impulse->group, 2);
  thud_assert_equal(impulse->label_count, 0);
  assert_true(!impulse->optional);
  assert_string_equal(impulse->at, "constraints");
  assert_string_equal(impulse->components[1], "t");
  assert_int_equal(impulse->look, THUD_LOOK_POINT);
  assert_true(thud_record_reader_channel(reader, THUD_RECORD_EVENTS, 4)->optional);
  thud_record_info info = thud_record_reader_info(reader);
  assert_int_equal(info.channel_count[THUD_RECORD_WARNINGS], 3);
  static const char *const names[3] = {"t", "code", "message"};
  for (size_t k = 0; k < 3; k++)
    assert_string_equal(thud_record_reader_channel(reader, THUD_RECORD_WARNINGS, k)->name, names[k]);
  double value;
  size_t end;
  assert_int_equal(thud_record_read(reader, THUD_RECORD_EVENTS, 1, 0, 0, &value), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_read_ends(reader, THUD_RECORD_EVENTS, 0, 0, 0, NULL, &end), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_read_values(reader, THUD_RECORD_EVENTS, 4, 0, 0, &value), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_read_values(reader, THUD_RECORD_EVENTS, 1, 0, 1, &value), THUD_ERROR_ARGUMENT);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void records_without_events_have_none(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_record_layout bare = {.count = {1, 0}, .channels = {frames, NULL}};
  thud_record_writer *writer;
  thud_record_reader *reader;
  assert_int_equal(thud_record_create(context, thud_test_path("a.h5"), NULL, NULL, &bare, &writer), THUD_OK);
  assert_int_equal(append(writer, 1), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_append(writer, THUD_RECORD_WARNINGS, NULL), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).channel_count[THUD_RECORD_EVENTS], 0);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], 0);
  size_t found;
  assert_int_equal(thud_record_find_role(reader, THUD_RECORD_EVENTS, "time", &found), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context, "a.h5: no channel of the events has the role 'time'; there are: none", NULL);
  assert_int_equal(thud_record_export_csv(reader, NULL, THUD_RECORD_EVENTS, 0, NULL, thud_test_path("a.csv")),
                   THUD_ERROR_NOT_FOUND);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

/* ---- refusals -------------------------------------------------------------------------------------------------- */

static void rows_that_do_not_fit_are_refused_and_change_nothing(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer;
  assert_int_equal(create(context, thud_test_path("a.h5"), 4, &writer), THUD_OK);
  assert_int_equal(append(writer, 0), THUD_OK);
  for (int fault = 0; fault < 6; fault++) {
    event_row row = make_row(3);
    thud_record_cell cells[CHANNELS];
    thud_assert_greater(row.count, 2);
    cells_of(&row, cells);
    if (fault == 0) cells[2].count--;                     /* no whole groups */
    if (fault == 1) cells[2].count -= 2;                  /* a constraint without impulse */
    if (fault == 2) row.constraints[row.count - 1] = 0.5; /* no whole number */
    if (fault == 3) cells[0].count = 0;
    if (fault == 4) cells[2].values = NULL;
    if (fault == 5) cells[4].text = NULL;
    assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, cells), THUD_ERROR_ARGUMENT);
    thud_test_message_has(context, "row 1 of the events", NULL);
    free_row(&row);
  }
  for (size_t k = 1; k < 9; k++) assert_int_equal(append(writer, k), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  thud_record_reader *reader;
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], 9);
  for (size_t k = 0; k < 9; k++) assert_row(reader, k);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static void senseless_channels_are_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const thud_record_channel bad[] = {
      {.name = "x", .look = THUD_LOOK_SERIES, .width = 2},
      {.name = "x", .look = THUD_LOOK_SERIES, .type = THUD_RECORD_INTEGER},
      {.name = "x", .look = (thud_record_look)9, .width = 1},
      {.name = "x", .width = 2, .group = 2},
      {.name = "x", .width = 2, .at = "constraints"},
      {.name = "x", .at = "nobody"},
      {.name = "x", .at = "x"},
      {.name = "x", .at = "text"},
      {.name = "x", .at = "t"},
      {.name = "x", .width = 2, .left = "t"},
      {.name = "x", .group = 2, .look = THUD_LOOK_SERIES, .left = "t"},
      {.name = "x", .width = 3, .atom = "impulse"},
      {.name = "x", .width = 1, .label_count = 1, .labels = labels},
      {.name = "x", .type = THUD_RECORD_SMALL, .width = 1, .label_count = 1},
      {.name = "x", .type = THUD_RECORD_TEXT, .group = 2},
  };
  thud_record_channel all[CHANNELS + 1];
  memcpy(all, events, sizeof events);
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    thud_record_writer *writer = NULL;
    all[CHANNELS] = bad[k];
    const thud_record_layout wrong = {.count = {1, CHANNELS + 1}, .channels = {frames, all}};
    assert_int_equal(thud_record_create(context, thud_test_path("a.h5"), NULL, NULL, &wrong, &writer),
                     THUD_ERROR_ARGUMENT);
    thud_test_message_has(context, "events", "'x'", NULL);
    assert_null(writer);
  }
  assert_int_equal(thud_test_folder_files(), 0);
  thud_test_context_end(context);
}

/* ---- allocations ------------------------------------------------------------------------------------------------ */

static void appending_and_reading_allocate_nothing_once_rooms_have_grown(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer;
  thud_record_reader *reader;
  assert_int_equal(create(context, thud_test_path("a.h5"), 16, &writer), THUD_OK);
  for (size_t k = 0; k < 100; k++) assert_int_equal(append(writer, k), THUD_OK);
  uint64_t before = thud_context_allocation_count(context);
  for (size_t k = 100; k < 400; k++) assert_int_equal(append(writer, k), THUD_OK);
  assert_int_equal(thud_context_allocation_count(context), before);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  for (size_t k = 0; k < 100; k++) assert_row(reader, k);
  before = thud_context_allocation_count(context);
  for (size_t k = 0; k < 400; k++) assert_row(reader, k);
  assert_int_equal(thud_context_allocation_count(context), before);
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

static thud_error write_and_read(thud_context *context, void *user) {
  thud_record_writer *writer = NULL;
  thud_record_reader *reader = NULL;
  thud_error error = create(context, user, 2, &writer);
  for (size_t k = 1; k < 4 && error == THUD_OK; k++) error = append(writer, k);
  if (error != THUD_OK) {
    thud_record_abandon(writer);
    return error;
  }
  error = thud_record_close(writer, "good", NULL, NULL);
  if (error == THUD_OK) error = thud_record_open(context, user, &reader);
  for (size_t c = 0; c < CHANNELS && error == THUD_OK; c++) {
    thud_record_cell cell;
    error = thud_record_read_cell(reader, THUD_RECORD_EVENTS, c, 2, &cell);
  }
  remove(thud_test_path("a.csv"));
  if (error == THUD_OK)
    error = thud_record_export_csv(reader, NULL, THUD_RECORD_EVENTS, 0, NULL, thud_test_path("a.csv"));
  thud_record_reader_destroy(reader);
  return error;
}

static void every_failing_allocation_is_reported_and_leaks_nothing(void **state) {
  (void)state;
  char path[4096];
  snprintf(path, sizeof path, "%s", thud_test_path("a.h5"));
  thud_assert_greater(thud_test_sweep_allocations(write_and_read, path), 30);
}

/* ---- ends that lie ---------------------------------------------------------------------------------------------- */

enum { DAMAGED_ROWS = 10 };

static void make_damaged(thud_context *context, bool finished) {
  thud_record_writer *writer;
  assert_int_equal(create(context, thud_test_path("a.h5"), 64, &writer), THUD_OK);
  for (size_t k = 1; k <= DAMAGED_ROWS; k++) assert_int_equal(append(writer, k == 7 ? 8 : k), THUD_OK);
  if (finished)
    assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  else
    thud_record_abandon(writer);
}

/* Reads the ends by HDF5 itself, changes one by `by` and writes them back, through HDF5's own filters. */
static void change_end(size_t row, long long by) {
  hid_t file = H5Fopen(thud_test_path("a.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, "events/data/impulse/ends", H5P_DEFAULT);
  long long ends[DAMAGED_ROWS];
  thud_assert_at_least(H5Dread(dataset, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, ends), 0);
  ends[row] += by;
  thud_assert_at_least(H5Dwrite(dataset, H5T_NATIVE_LLONG, H5S_ALL, H5S_ALL, H5P_DEFAULT, ends), 0);
  H5Dclose(dataset);
  H5Fclose(file);
}

static void cut_values(const char *name, hsize_t by) {
  hid_t file = H5Fopen(thud_test_path("a.h5"), H5F_ACC_RDWR, H5P_DEFAULT);
  hid_t dataset = H5Dopen2(file, name, H5P_DEFAULT), space = H5Dget_space(dataset);
  hsize_t extent[2];
  assert_int_equal(H5Sget_simple_extent_dims(space, extent, NULL), 2);
  extent[0] -= by;
  thud_assert_at_least(H5Dset_extent(dataset, extent), 0);
  H5Sclose(space);
  H5Dclose(dataset);
  H5Fclose(file);
}

static thud_error read_impulses(thud_context *context, size_t *rows) {
  thud_record_reader *reader;
  *rows = 0;
  thud_error error = thud_record_open(context, thud_test_path("a.h5"), &reader);
  if (error != THUD_OK) return error;
  *rows = thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS];
  for (size_t k = 0; k < *rows && error == THUD_OK; k++) {
    thud_record_cell cell;
    error = thud_record_read_cell(reader, THUD_RECORD_EVENTS, 2, k, &cell);
  }
  thud_record_reader_destroy(reader);
  return error;
}

/* In the middle: found when the row is read. At the end: an unfinished record has one row less. */
static void ends_that_lie_are_found(void **state) {
  (void)state;
  static const long long changes[] = {-1, 1, 2, -100000, 100000, 1LL << 40, -(1LL << 62)};
  thud_context *context = thud_test_context(1);
  size_t rows;
  for (int finished = 0; finished < 2; finished++)
    for (size_t k = 0; k < sizeof changes / sizeof *changes; k++) {
      make_damaged(context, finished);
      change_end(4, changes[k]);
      thud_error error = read_impulses(context, &rows);
      /* two values that change hands are still a list: only whole groups, order and extent can be checked */
      if (changes[k] == 2) continue;
      assert_int_equal(error, THUD_ERROR_FORMAT);
      thud_test_message_has(
          context, "a.h5: the record is damaged: row 4 of channel 'impulse' of the events has no sensible end", NULL);
    }
  make_damaged(context, true);
  change_end(DAMAGED_ROWS - 1, 2);
  assert_int_equal(read_impulses(context, &rows), THUD_ERROR_FORMAT);
  make_damaged(context, true);
  change_end(DAMAGED_ROWS - 1, -2);
  assert_int_equal(read_impulses(context, &rows), THUD_ERROR_FORMAT);
  make_damaged(context, false);
  change_end(DAMAGED_ROWS - 1, 2);
  assert_int_equal(read_impulses(context, &rows), THUD_OK);
  assert_int_equal(rows, DAMAGED_ROWS - 1);
  thud_test_context_end(context);
}

static void missing_values_or_ends_cost_their_rows_alone(void **state) {
  (void)state;
  static const char *const names[] = {"events/data/impulse/values", "events/data/impulse/ends",
                                      "events/data/text/values", "events/data/t"};
  thud_context *context = thud_test_context(1);
  for (size_t k = 0; k < sizeof names / sizeof *names; k++) {
    size_t rows;
    make_damaged(context, true);
    cut_values(names[k], 1);
    assert_int_equal(read_impulses(context, &rows), THUD_ERROR_FORMAT);
    thud_test_message_has(context, "a.h5: the record is damaged: rows of its events are missing", NULL);
    make_damaged(context, false);
    cut_values(names[k], 1);
    assert_int_equal(read_impulses(context, &rows), THUD_OK);
    thud_assert_less(rows, DAMAGED_ROWS);
    thud_assert_greater(rows, DAMAGED_ROWS / 2); /* empty rows behind a missing value go with it */
  }
  thud_test_context_end(context);
}

/* ---- resuming --------------------------------------------------------------------------------------------------- */

static void resuming_cuts_the_values_back_to_the_last_kept_end(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const thud_record_header header = {.scene = "s", .kind = "k", .method = "m"};
  for (size_t kept = 0; kept < 20; kept += 1 + kept / 3) {
    thud_record_options options = thud_record_options_default();
    options.overwrite = true;
    options.chunk_rows = 4;
    thud_record_writer *writer;
    thud_record_resumption found;
    thud_record_reader *reader;
    assert_int_equal(thud_record_create(context, thud_test_path("a.h5"), &options, &header, &layout, &writer), THUD_OK);
    for (size_t k = 0; k < kept; k++) assert_int_equal(append(writer, k), THUD_OK);
    assert_int_equal(thud_record_checkpoint(writer, "state", 6), THUD_OK);
    for (size_t k = 100; k < 112; k++) assert_int_equal(append(writer, k), THUD_OK);
    thud_record_abandon(writer);
    assert_int_equal(thud_record_resume(context, thud_test_path("a.h5"), &options, &header, &writer, &found), THUD_OK);
    assert_int_equal(found.rows[THUD_RECORD_EVENTS], kept);
    assert_int_equal(found.rows[THUD_RECORD_FRAMES], 0);
    assert_string_equal(found.state, "state");
    thud_record_resumption_free(context, &found);
    for (size_t k = kept; k < 25; k++) assert_int_equal(append(writer, k), THUD_OK);
    assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
    assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
    assert_int_equal(thud_record_reader_info(reader).rows[THUD_RECORD_EVENTS], 25);
    for (size_t k = 0; k < 25; k++) assert_row(reader, k);
    thud_record_reader_destroy(reader);
  }
  thud_test_context_end(context);
}

/* ---- CSV -------------------------------------------------------------------------------------------------------- */

static void lists_labels_and_texts_are_written_as_csv(void **state) {
  (void)state;
  static const char *const names[3] = {"floor", "wall", "a \"b\", c"};
  static const thud_record_channel channels[] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "kind", .type = THUD_RECORD_SMALL, .width = 1, .label_count = 3, .labels = names},
      {.name = "at", .type = THUD_RECORD_INTEGER, .label_count = 3, .labels = names},
      {.name = "impulse", .unit = "N s", .at = "at"},
      {.name = "pair", .at = "at", .group = 2},
      {.name = "list"},
      {.name = "text", .type = THUD_RECORD_TEXT},
  };
  enum { COUNT = sizeof channels / sizeof *channels };
  const thud_record_layout both = {.count = {1, COUNT}, .channels = {frames, channels}};
  thud_context *context = thud_test_context(1);
  thud_record_writer *writer;
  thud_record_reader *reader;
  assert_int_equal(thud_record_create(context, thud_test_path("a.h5"), NULL, NULL, &both, &writer), THUD_OK);
  const double t = 0.5, kinds[3] = {1, 2, 3}, at[2] = {0, 1}, quoted[1] = {2}, numbers[4] = {3, 0.5, -1, 2};
  const thud_record_cell rows[3][COUNT] = {{{.values = &t, .count = 1},
                                            {.values = &kinds[0], .count = 1},
                                            {.values = at, .count = 2},
                                            {.values = numbers, .count = 2},
                                            {.values = numbers, .count = 4},
                                            {.values = numbers, .count = 3},
                                            {.text = "plain", .count = 5}},
                                           {{.values = &t, .count = 1},
                                            {.values = &kinds[1], .count = 1},
                                            {.values = quoted, .count = 1},
                                            {.values = numbers, .count = 1},
                                            {.values = numbers, .count = 2},
                                            {.values = NULL, .count = 0},
                                            {.text = "a,b", .count = 3}},
                                           {{.values = &t, .count = 1}, {.values = &kinds[2], .count = 1}}};
  for (size_t k = 0; k < 3; k++) assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, rows[k]), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", NULL, NULL), THUD_OK);
  assert_int_equal(thud_record_open(context, thud_test_path("a.h5"), &reader), THUD_OK);
  char text[4096] = "";
  FILE *stream = fmemopen(text, sizeof text, "w");
  assert_int_equal(thud_record_write_csv(reader, NULL, THUD_RECORD_EVENTS, 0, NULL, stream), THUD_OK);
  fclose(stream);
  assert_string_equal(text, "t [s],kind,at,impulse [N s],pair,list,text\n"
                            "0.5,wall,floor wall,floor=3 wall=0.5,floor=3;0.5 wall=-1;2,3 0.5 -1,plain\n"
                            "0.5,\"a \"\"b\"\", c\",\"a \"\"b\"\", c\",\"a \"\"b\"\", c=3\",\"a \"\"b\"\", c=3;0.5\",,"
                            "\"a,b\"\n"
                            "0.5,3,,,,,\n");
  thud_record_reader_destroy(reader);
  thud_test_context_end(context);
}

#define TEST(f) cmocka_unit_test_setup_teardown(f, thud_test_folder_make, thud_test_folder_remove)

int main(void) {
  const struct CMUnitTest tests[] = {
      TEST(cells_of_any_length_come_back),
      TEST(labels_and_groups_come_back),
      TEST(records_without_events_have_none),
      TEST(rows_that_do_not_fit_are_refused_and_change_nothing),
      TEST(senseless_channels_are_refused),
      TEST(appending_and_reading_allocate_nothing_once_rooms_have_grown),
      TEST(every_failing_allocation_is_reported_and_leaks_nothing),
      TEST(ends_that_lie_are_found),
      TEST(missing_values_or_ends_cost_their_rows_alone),
      TEST(resuming_cuts_the_values_back_to_the_last_kept_end),
      TEST(lists_labels_and_texts_are_written_as_csv),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
