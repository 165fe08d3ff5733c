#include "sample_record.h"

#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

const char *const sample_components[SAMPLE_WIDTH] = {"x", "y'", "a \"b\", c"};
const thud_record_channel sample_channels[SAMPLE_CHANNELS] = {
    {"t", THUD_RECORD_REAL, 1, NULL, "s", "time", "time"},
    {"side", THUD_RECORD_SMALL, 1, NULL, NULL, "side", NULL},
    {"state", THUD_RECORD_REAL, SAMPLE_WIDTH, sample_components, "m", "state", "position"},
    {"count", THUD_RECORD_INTEGER, 2, NULL, NULL, "", ""},
};
const thud_record_header sample_header = {
    .title = "Título", .method = "catching-up", .scene = "thud: 1\n# scène\n", .options = "{\"step\": 0.1}"};

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
  return made;
}

thud_error sample_append(thud_record_writer *writer, size_t k) {
  sample_row made = sample_row_of(k);
  const double *const rows[SAMPLE_CHANNELS] = {&made.t, &made.side, made.state, made.count};
  return thud_record_append(writer, rows);
}

void sample_write(thud_context *context, const char *path, thud_record_options options, size_t rows, size_t flush_at) {
  thud_record_writer *writer;
  assert_int_equal(
      thud_record_create(context, path, &options, &sample_header, SAMPLE_CHANNELS, sample_channels, &writer), THUD_OK);
  for (size_t k = 0; k < rows; k++) {
    assert_int_equal(sample_append(writer, k), THUD_OK);
    if (k + 1 == flush_at) assert_int_equal(thud_record_flush(writer), THUD_OK);
  }
  assert_int_equal(thud_record_rows_written(writer), rows);
  assert_int_equal(thud_record_add_event(writer, 0.5, "impact", "floor"), THUD_OK);
  assert_int_equal(thud_record_add_warning(writer, NAN, "rank", "four legs"), THUD_OK);
  assert_int_equal(thud_record_close(writer, "good", "all steps solved", "{\"verdict\": \"good\"}"), THUD_OK);
}

void sample_assert_rows(thud_record_reader *reader, size_t first, size_t count) {
  double *t = malloc((count + 1) * sizeof *t), *side = malloc((count + 1) * sizeof *side);
  double *state = malloc((count + 1) * SAMPLE_WIDTH * sizeof *state),
         *counts = malloc((count + 1) * 2 * sizeof *counts);
  assert_true(t != NULL && side != NULL && state != NULL && counts != NULL);
  assert_int_equal(thud_record_read(reader, 0, first, count, t), THUD_OK);
  assert_int_equal(thud_record_read(reader, 1, first, count, side), THUD_OK);
  assert_int_equal(thud_record_read(reader, 2, first, count, state), THUD_OK);
  assert_int_equal(thud_record_read(reader, 3, first, count, counts), THUD_OK);
  for (size_t k = 0; k < count; k++) {
    sample_row expected = sample_row_of(first + k);
    assert_memory_equal(&t[k], &expected.t, sizeof(double));
    assert_memory_equal(&side[k], &expected.side, sizeof(double));
    assert_memory_equal(&state[SAMPLE_WIDTH * k], expected.state, sizeof expected.state);
    assert_memory_equal(&counts[2 * k], expected.count, sizeof expected.count);
  }
  free(t);
  free(side);
  free(state);
  free(counts);
}
