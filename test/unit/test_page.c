/* Pages of records made by hand: what the file holds, runs that did not end, damaged files, failing allocations. */
#include "failing_allocator.h"
#include "page_reader.h"
#include "scratch_folder.h"
#include "testing.h"
#include "thud/explain.h"
#include "thud/page.h"
#include "thud/record.h"

#include <hdf5.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { ROWS = 50, CHANNELS = 6, EVENT_CHANNELS = 5 };

/* What a record of the test is given. */
typedef struct toy {
  const char *title, *resolved, *verdict, *summary;
  size_t rows;
} toy;

static const toy usual = {
    .title = "Toy", .verdict = "good", .summary = "{\"energy\": [1, 2], \"what\": \"</script>\"}", .rows = ROWS};

/* x is a parabola, v jumps by 1 at row 20. */
static double x_of(size_t k) { return 0.25 * (double)(k * k) - 3; }
static double v_of(size_t k) { return (double)k + (k >= 20 ? 1 : 0); }

static void append_row(thud_record_writer *writer, size_t k) {
  const double t = 0.1 * (double)k, state[2] = {x_of(k), v_of(k)}, left[2] = {x_of(k), k == 20 ? v_of(k) - 1 : v_of(k)};
  const double residual = pow(10, -(double)(k % 12)), ledger[3] = {1, 2, -3}, mode = (double)(k % 2);
  const thud_record_cell cells[CHANNELS] = {{.values = &t, .count = 1},     {.values = state, .count = 2},
                                            {.values = left, .count = 2},   {.values = &residual, .count = 1},
                                            {.values = ledger, .count = 3}, {.values = &mode, .count = 1}};
  assert_int_equal(thud_record_append(writer, THUD_RECORD_FRAMES, cells), THUD_OK);
}

static void append_event(thud_record_writer *writer, size_t k) {
  static const char note[] = "a <b>word</b>";
  const double t = 0.1 * (double)k, kind = 1, who[2] = {1, 0}, impulse[2] = {0.5, NAN};
  const thud_record_cell cells[EVENT_CHANNELS] = {{.values = &t, .count = 1},
                                                  {.values = &kind, .count = 1},
                                                  {.values = who, .count = 2},
                                                  {.values = impulse, .count = 2},
                                                  {.text = note, .count = sizeof note - 1}};
  assert_int_equal(thud_record_append(writer, THUD_RECORD_EVENTS, cells), THUD_OK);
}

static void write_record(thud_context *context, const char *name, const toy *made) {
  static const char *const pair[] = {"x", "x'"}, *const kinds[] = {"turn", "bang"},
                           *const posts[] = {"left", "right & co"};
  static const char *const energies[] = {"kinetic", "potential", "work"}, *const modes[] = {"off", "on"};
  const thud_record_type small = THUD_RECORD_SMALL;
  const thud_record_channel frames[CHANNELS] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "state", .width = 2, .components = pair, .unit = "m", .left = "state_left", .state = true},
      {.name = "state_left", .width = 2, .components = pair, .look = THUD_LOOK_POINT},
      {.name = "residual", .width = 1, .role = "residual"},
      {.name = "ledger", .width = 3, .components = energies, .unit = "J", .role = "ledger"},
      {.name = "mode", .type = small, .width = 1, .look = THUD_LOOK_HOLD, .label_count = 2, .labels = modes}};
  const thud_record_channel events[EVENT_CHANNELS] = {
      {.name = "t", .width = 1, .unit = "s", .role = "time"},
      {.name = "kind", .type = small, .width = 1, .role = "kind", .label_count = 2, .labels = kinds},
      {.name = "who", .type = THUD_RECORD_INTEGER, .label_count = 2, .labels = posts, .look = THUD_LOOK_POINT},
      {.name = "push", .unit = "N s", .at = "who", .look = THUD_LOOK_POINT},
      {.name = "note", .type = THUD_RECORD_TEXT, .look = THUD_LOOK_POINT}};
  const thud_record_layout layout = {.count = {CHANNELS, EVENT_CHANNELS}, .channels = {frames, events}};
  const thud_record_header header = {
      .title = made->title, .kind = "toy", .method = "by hand", .resolved = made->resolved};
  thud_record_options options = thud_record_options_default();
  options.overwrite = true;
  thud_record_writer *writer;
  assert_int_equal(thud_record_create(context, thud_test_path(name), &options, &header, &layout, &writer), THUD_OK);
  for (size_t k = 0; k < made->rows; k++) append_row(writer, k);
  if (made->rows > 20) append_event(writer, 20);
  assert_int_equal(thud_record_add_warning(writer, NAN, "coarse", "too <i>long</i> steps"), THUD_OK);
  if (made->verdict == NULL)
    thud_record_abandon(writer);
  else
    assert_int_equal(thud_record_close(writer, made->verdict, "", made->summary), THUD_OK);
}

static thud_error write_page(thud_context *context, const char *record, const char *title, const char *page) {
  char source[512];
  snprintf(source, sizeof source, "%s", thud_test_path(record));
  const char *const records[] = {source};
  thud_page_options options = thud_page_options_default();
  options.overwrite = true;
  return thud_page_write(context, 1, records, title, &options, thud_test_path(page));
}

static page_reader page_of(thud_context *context, const toy *made) {
  write_record(context, "toy.h5", made);
  assert_int_equal(write_page(context, "toy.h5", NULL, "toy.html"), THUD_OK);
  return page_reader_open(context, thud_test_path("toy.html"));
}

/* ---- what a page holds ---------------------------------------------------------------------------------------------- */

static void the_state_comes_back_with_both_limits(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  page_reader page = page_of(context, &usual);
  size_t count, sides, columns;
  double *t = page_reader_numbers(&page, page_reader_find(&page, "records.0.state.t"), &count);
  double *side = page_reader_numbers(&page, page_reader_find(&page, "records.0.state.side"), &sides);
  double *v = page_reader_numbers(&page, page_reader_find(&page, "records.0.state.columns.1.values"), &columns);
  assert_int_equal(count, ROWS + 1); /* one jump */
  assert_int_equal(sides, count);
  assert_int_equal(columns, count);
  for (size_t k = 0; k < count; k++) {
    size_t row = k > 20 ? k - 1 : k;
    thud_assert_equal(t[k], 0.1 * (double)row);
    thud_assert_equal(side[k], k == 20 ? -1 : k == 21 ? 1 : 0);
    thud_assert_equal(v[k], k == 20 ? 20 : v_of(row));
  }
  free(t);
  free(side);
  free(v);
  page_reader_close(&page);
  thud_test_context_end(context);
}

static void texts_of_the_record_are_texts_of_the_page(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  static const char hostile[] = "</title><script>alert(1)</script> & \"q\" \xe2\x80\xa8 \xff";
  write_record(context, "toy.h5", &(toy){.title = "T", .verdict = "good", .summary = usual.summary, .rows = ROWS});
  assert_int_equal(write_page(context, "toy.h5", hostile, "toy.html"), THUD_OK);
  size_t size;
  char *html = page_reader_bytes(thud_test_path("toy.html"), &size);
  assert_null(strstr(html, "<script>alert"));
  assert_non_null(strstr(html, "<title>&lt;/title&gt;&lt;script&gt;alert(1)&lt;/script&gt; &amp; &quot;q&quot;"));
  free(html);
  page_reader page = page_reader_open(context, thud_test_path("toy.html"));
  assert_string_equal(page_reader_text(&page, "title"),
                      "</title><script>alert(1)</script> & \"q\" \xe2\x80\xa8 \xef\xbf\xbd");
  assert_string_equal(page_reader_text(&page, "records.0.summary.what"), "</script>");
  assert_string_equal(page_reader_text(&page, "records.0.events.rows.0.1"), "bang");
  assert_string_equal(page_reader_text(&page, "records.0.events.rows.0.2"), "right & co, left");
  assert_string_equal(page_reader_text(&page, "records.0.events.rows.0.3"), "right & co = 0.5, left = null");
  assert_string_equal(page_reader_text(&page, "records.0.events.rows.0.4"), "a <b>word</b>");
  assert_string_equal(page_reader_text(&page, "records.0.warnings.0.message"), "too <i>long</i> steps");
  assert_string_equal(page_reader_text(&page, "records.0.warnings.0.cause"), thud_explain("coarse")->cause);
  page_reader_close(&page);
  thud_test_context_end(context);
}

static void panels_stand_in_their_groups(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  page_reader page = page_of(context, &usual);
  static const char *const names[] = {"state", "residual", "ledger", "mode"};
  static const char *const groups[] = {"motion", "residual", "energy", "other"};
  assert_int_equal(thud_node_count(page_reader_find(&page, "records.0.panels")), 4);
  for (int k = 0; k < 4; k++) {
    char path[64];
    snprintf(path, sizeof path, "records.0.panels.%d.name", k);
    assert_string_equal(page_reader_text(&page, path), names[k]);
    snprintf(path, sizeof path, "records.0.panels.%d.group", k);
    assert_string_equal(page_reader_text(&page, path), groups[k]);
  }
  assert_true(thud_node_bool(page_reader_find(&page, "records.0.panels.1.log")));
  assert_string_equal(page_reader_text(&page, "records.0.panels.3.names.1"), "on");
  page_reader_close(&page);
  thud_test_context_end(context);
}

/* ---- records that are not whole ------------------------------------------------------------------------------------- */

static bool has_note(const page_reader *page, const char *start) {
  const thud_node *notes = page_reader_find(page, "records.0.notes");
  for (size_t k = 0; k < thud_node_count(notes); k++)
    if (strncmp(thud_node_string(thud_node_item(notes, k)), start, strlen(start)) == 0) return true;
  return false;
}

static void records_of_all_ends_give_pages(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  const struct {
    toy made;
    const char *verdict, *note;
    bool finished;
  } cases[] = {
      {{.title = "", .rows = ROWS}, "unfinished", "the run has not ended", false},
      {{.title = "", .rows = 0}, "unfinished", "the record has no frames", false},
      {{.title = "", .rows = 1, .verdict = "failed"}, "failed", "the record has no summary", true},
      {{.title = "", .rows = 5, .verdict = "good", .summary = "{not JSON"}, "good", "the record has no summary", true},
      {{.title = "", .rows = 5, .verdict = "good", .summary = "{}"},
       "good",
       "no moving picture: this record holds no scene",
       true},
      {{.title = "", .rows = 5, .verdict = "good", .resolved = "thud: 1\nnothing: {"},
       "good",
       "no moving picture: ",
       true},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    page_reader page = page_of(context, &cases[k].made);
    assert_string_equal(page_reader_text(&page, "title"), "toy.h5"); /* for want of a title */
    assert_string_equal(page_reader_text(&page, "records.0.verdict"), cases[k].verdict);
    assert_int_equal(thud_node_bool(page_reader_find(&page, "records.0.finished")), cases[k].finished);
    assert_int_equal(thud_node_get_kind(page_reader_find(&page, "records.0.film")), THUD_NODE_NULL);
    assert_int_equal(thud_node_get_kind(page_reader_find(&page, "records.0.bodies")), THUD_NODE_NULL);
    assert_true(has_note(&page, cases[k].note));
    page_reader_close(&page);
  }
  thud_test_context_end(context);
}

/* Whatever byte of a record is wrong: a page or an error with a message, and never half a file. */
static void damaged_records_give_pages_or_errors(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(5);
  size_t size, failures = 0;
  write_record(context, "toy.h5", &usual);
  char *bytes = page_reader_bytes(thud_test_path("toy.h5"), &size);
  for (int round_number = 0; round_number < 60; round_number += THUD_TEST_STRIDE(5)) {
    size_t at = thud_random_below(&random, (uint32_t)size);
    char before = bytes[at];
    bytes[at] = (char)thud_random_below(&random, 256);
    FILE *file = fopen(thud_test_path("damaged.h5"), "wb");
    assert_int_equal(fwrite(bytes, 1, size, file), size);
    fclose(file);
    bytes[at] = before;
    remove(thud_test_path("damaged.html"));
    if (write_page(context, "damaged.h5", NULL, "damaged.html") == THUD_OK) {
      page_reader page = page_reader_open(context, thud_test_path("damaged.html"));
      page_reader_close(&page);
    } else {
      failures++;
      assert_string_not_equal(thud_context_last_message(context), "");
      assert_null(fopen(thud_test_path("damaged.html"), "rb"));
    }
  }
  thud_assert_greater(failures, 0);
  free(bytes);
  thud_test_context_end(context);
}

static void the_same_record_gives_the_same_bytes(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  size_t first_size, second_size;
  write_record(context, "toy.h5", &usual);
  assert_int_equal(write_page(context, "toy.h5", NULL, "first.html"), THUD_OK);
  assert_int_equal(write_page(context, "toy.h5", NULL, "second.html"), THUD_OK);
  char *first = page_reader_bytes(thud_test_path("first.html"), &first_size);
  char *second = page_reader_bytes(thud_test_path("second.html"), &second_size);
  assert_int_equal(first_size, second_size);
  assert_memory_equal(first, second, first_size);
  free(first);
  free(second);
  thud_test_context_end(context);
}

/* ---- refusals and failures ------------------------------------------------------------------------------------------- */

static void what_cannot_be_written_is_refused(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char record[512];
  write_record(context, "toy.h5", &usual);
  snprintf(record, sizeof record, "%s", thud_test_path("toy.h5"));
  const char *const records[THUD_PAGE_RECORDS + 1] = {record, record, record, record, record,
                                                      record, record, record, record};
  thud_page_options options = thud_page_options_default();
  const char *page = thud_test_path("refused.html");
  assert_int_equal(thud_page_write(context, 0, records, NULL, NULL, page), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_page_write(context, THUD_PAGE_RECORDS + 1, records, NULL, NULL, page), THUD_ERROR_ARGUMENT);
  assert_string_equal(thud_context_last_message(context), "a page shows 1 to 8 records, not 9");
  options.most_frames = 1;
  assert_int_equal(thud_page_write(context, 1, records, NULL, &options, page), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_page_write(context, 1, records, NULL, NULL, record), THUD_ERROR_EXISTS);
  assert_int_equal(thud_page_write(context, 1, &page, NULL, NULL, page), THUD_ERROR_FILE);
  assert_int_equal(thud_page_write(context, THUD_PAGE_RECORDS, records, NULL, NULL, page), THUD_OK);
  assert_null(thud_explain("no such warning"));
  thud_test_context_end(context);
}

static thud_error write_again(thud_context *context, void *user) {
  (void)user;
  return write_page(context, "toy.h5", NULL, "sweep.html");
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  write_record(context, "toy.h5", &usual);
  thud_test_context_end(context);
  thud_assert_at_least(thud_test_sweep_allocations(write_again, NULL), 100);
}

/* HDF5 forgets some bytes when it meets a damaged file. */
const char *__lsan_default_suppressions(void);
const char *__lsan_default_suppressions(void) { return "leak:libhdf5"; }

int main(void) {
  H5dont_atexit(); /* damaged files make it complain about an "infinite loop" at the end */
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(the_state_comes_back_with_both_limits),
      cmocka_unit_test(texts_of_the_record_are_texts_of_the_page),
      cmocka_unit_test(panels_stand_in_their_groups),
      cmocka_unit_test(records_of_all_ends_give_pages),
      cmocka_unit_test(damaged_records_give_pages_or_errors),
      cmocka_unit_test(the_same_record_gives_the_same_bytes),
      cmocka_unit_test(what_cannot_be_written_is_refused),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, thud_test_folder_make, thud_test_folder_remove);
}
