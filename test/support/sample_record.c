#include "sample_record.h"
#include "record_rows.h"

#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sample_components[SAMPLE_WIDTH] = {"x", "y'", "a \"b\", c"};
const char *const sample_labels[SAMPLE_LABELS] = {"floor", "wall, left", "the \"other\" wall"};
const thud_record_channel sample_channels[SAMPLE_CHANNELS] = {
    {.name = "t", .width = 1, .unit = "s", .role = "time", .description = "time"},
    {.name = "side", .type = THUD_RECORD_SMALL, .width = 1, .role = "side", .look = THUD_LOOK_POINT},
    {.name = "state",
     .width = SAMPLE_WIDTH,
     .components = sample_components,
     .unit = "m",
     .role = "state",
     .description = "position",
     .state = true},
    {.name = "count", .type = THUD_RECORD_INTEGER, .width = 2, .role = "", .description = ""},
    {.name = "marks",
     .type = THUD_RECORD_SMALL,
     .role = "marks",
     .look = THUD_LOOK_HOLD,
     .label_count = SAMPLE_LABELS,
     .labels = sample_labels},
    {.name = "list", .unit = "N", .role = "list", .look = THUD_LOOK_POINT, .at = "marks", .group = SAMPLE_GROUP},
    {.name = "word", .type = THUD_RECORD_TEXT, .role = "word", .look = THUD_LOOK_POINT, .optional = true},
};
const thud_record_header sample_header = {.title = "Título",
                                          .kind = "sweeping",
                                          .method = "catching-up",
                                          .scene = "thud: 1\n# scène\n",
                                          .resolved = "thud: 1\n# scène\nstep: 0.1\n"};

sample_row sample_row_of(size_t k) {
  thud_random random = thud_random_seed(k + 1);
  sample_row made = {.t = 1e-3 * (double)k, .side = (double)thud_random_below(&random, 3) - 1};
  for (int c = 0; c < SAMPLE_WIDTH; c++) {
    uint64_t bits = thud_random_bits(&random);
    memcpy(&made.state[c], &bits, sizeof bits);
  }
  if (k % 7 == 0) made.state[0] = k % 2 ? (double)NAN : -(double)INFINITY;
  if (k % 11 == 0) made.state[1] = -0.0;
  made.count[0] = (double)(int32_t)thud_random_bits(&random);
  made.count[1] = k % 2 ? INT32_MIN : INT32_MAX;
  made.entries = k % 13 == 5 ? SAMPLE_MOST : thud_random_below(&random, 4);
  for (size_t i = 0; i < made.entries; i++) made.marks[i] = thud_random_below(&random, SAMPLE_LABELS);
  for (size_t i = 0; i < SAMPLE_GROUP * made.entries; i++) {
    uint64_t bits = thud_random_bits(&random);
    memcpy(&made.list[i], &bits, sizeof bits);
  }
  made.letters = k % 17 == 3 ? SAMPLE_MOST : thud_random_below(&random, 9);
  for (size_t i = 0; i < made.letters; i++) made.word[i] = (char)('a' + thud_random_below(&random, 26));
  return made;
}

void sample_cells(const sample_row *row, thud_record_cell cells[SAMPLE_CHANNELS]) {
  const thud_record_cell all[SAMPLE_CHANNELS] = {{.values = &row->t, .count = 1},
                                                 {.values = &row->side, .count = 1},
                                                 {.values = row->state, .count = SAMPLE_WIDTH},
                                                 {.values = row->count, .count = 2},
                                                 {.values = row->marks, .count = row->entries},
                                                 {.values = row->list, .count = SAMPLE_GROUP * row->entries},
                                                 {.text = row->word, .count = row->letters}};
  memcpy(cells, all, sizeof all);
}

thud_error sample_append(thud_record_writer *writer, size_t k) {
  sample_row made = sample_row_of(k);
  thud_record_cell cells[SAMPLE_CHANNELS];
  sample_cells(&made, cells);
  return thud_record_append(writer, THUD_RECORD_FRAMES, cells);
}

void sample_write(thud_context *context, const char *path, thud_record_options options, size_t rows, size_t flush_at) {
  thud_record_writer *writer;
  assert_int_equal(
      record_rows_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, &writer), THUD_OK);
  for (size_t k = 0; k < rows; k++) {
    assert_int_equal(sample_append(writer, k), THUD_OK);
    if (k + 1 == flush_at) assert_int_equal(thud_record_flush(writer), THUD_OK);
  }
  assert_int_equal(thud_record_rows_written(writer, THUD_RECORD_FRAMES), rows);
  assert_int_equal(record_rows_event(writer, 0.5, "impact", "floor"), THUD_OK);
  assert_int_equal(thud_record_add_warning(writer, NAN, "rank", "four legs"), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", "all steps solved", "{\"verdict\": \"good\"}"), THUD_OK);
}

static void assert_cell(thud_record_reader *reader, size_t channel, size_t row, const thud_record_cell *expected) {
  thud_record_cell cell;
  assert_int_equal(thud_record_read_cell(reader, THUD_RECORD_FRAMES, channel, row, &cell), THUD_OK);
  assert_int_equal(cell.count, expected->count);
  thud_assert_equal((cell.text == NULL), (expected->text == NULL));
  thud_assert_equal((cell.values == NULL), (expected->values == NULL));
  if (cell.text != NULL && cell.count > 0) assert_memory_equal(cell.text, expected->text, cell.count);
  if (cell.text != NULL) assert_int_equal(cell.text[cell.count], '\0');
  if (cell.values != NULL && cell.count > 0)
    assert_memory_equal(cell.values, expected->values, cell.count * sizeof(double));
}

/* A ragged channel by its ends and values. */
static void assert_ragged(thud_record_reader *reader, size_t channel, size_t first, size_t count) {
  size_t start = 0, *ends = malloc((count + 1) * sizeof *ends);
  assert_non_null(ends);
  assert_int_equal(thud_record_read_ends(reader, THUD_RECORD_FRAMES, channel, first, count, &start, ends), THUD_OK);
  size_t total = count > 0 ? ends[count - 1] - start : 0, before = start;
  double *values = malloc((total + 1) * sizeof *values);
  assert_non_null(values);
  assert_int_equal(thud_record_read_values(reader, THUD_RECORD_FRAMES, channel, start, total, values), THUD_OK);
  for (size_t k = 0; k < count; before = ends[k++]) {
    sample_row expected = sample_row_of(first + k);
    thud_record_cell cells[SAMPLE_CHANNELS];
    sample_cells(&expected, cells);
    assert_int_equal(ends[k] - before, cells[channel].count);
    if (cells[channel].count > 0)
      assert_memory_equal(values + (before - start), cells[channel].values, cells[channel].count * sizeof(double));
  }
  free(ends);
  free(values);
}

/* A channel of fixed width in one block. */
static void assert_fixed(thud_record_reader *reader, size_t channel, size_t first, size_t count) {
  size_t width = sample_channels[channel].width;
  double *values = malloc((count + 1) * width * sizeof *values);
  assert_non_null(values);
  assert_int_equal(thud_record_read(reader, THUD_RECORD_FRAMES, channel, first, count, values), THUD_OK);
  for (size_t k = 0; k < count; k++) {
    sample_row expected = sample_row_of(first + k);
    thud_record_cell cells[SAMPLE_CHANNELS];
    sample_cells(&expected, cells);
    assert_memory_equal(values + k * width, cells[channel].values, width * sizeof(double));
  }
  free(values);
}

void sample_assert_rows(thud_record_reader *reader, size_t first, size_t count) {
  for (size_t channel = 0; channel < SAMPLE_FIXED; channel++) assert_fixed(reader, channel, first, count);
  for (size_t channel = SAMPLE_FIXED; channel + 1 < SAMPLE_CHANNELS; channel++)
    assert_ragged(reader, channel, first, count);
  for (size_t k = 0; k < count; k += 1 + k / 50) {
    sample_row expected = sample_row_of(first + k);
    thud_record_cell cells[SAMPLE_CHANNELS];
    sample_cells(&expected, cells);
    for (size_t channel = 0; channel < SAMPLE_CHANNELS; channel++)
      assert_cell(reader, channel, first + k, &cells[channel]);
  }
}
