/* Numbers of pages, read back by a decoder of its own. */
#include "failing_allocator.h"
#include "page/page.h"
#include "page_reader.h"
#include "testing.h"

#include <stdlib.h>
#include <string.h>

static page_build begin(thud_context *context) {
  page_build page = {.context = context, .blocks = thud_page_blocks_new(context)};
  page.text = thud_text_new(context);
  return page;
}

/* The JSON writer points to the text: made when the page is where it stays. */
static void begin_object(page_build *page) {
  page->json = thud_json_new(&page->text);
  thud_json_begin_object(&page->json);
}

static page_reader read_back(page_build *page) {
  page_reader reader = {.context = page->context};
  thud_json_end_object(&page->json);
  assert_int_equal(thud_page_blocks_cut(&page->blocks), THUD_OK);
  assert_int_equal(thud_page_state(page), THUD_OK);
  assert_int_equal(thud_tree_read_text(page->context, "numbers", page->text.data, page->text.length, &reader.tree),
                   THUD_OK);
  reader.root = thud_tree_root(reader.tree);
  for (size_t k = 0; k < page->blocks.count; k++) {
    page_reader_add_block(&reader, page->blocks.items[k].count, page->blocks.items[k].data);
    thud_assert_equal(reader.sizes[k], page->blocks.items[k].bytes);
  }
  return reader;
}

static void end(page_build *page, page_reader *reader) {
  page_reader_close(reader);
  thud_text_free(&page->text);
  thud_page_blocks_free(&page->blocks);
}

static void expect(const page_reader *reader, const char *key, size_t count, const double *values) {
  size_t found;
  double *back = page_reader_numbers(reader, page_reader_find(reader, key), &found);
  assert_int_equal(found, count);
  for (size_t k = 0; k < count; k++)
    if (!(isnan(values[k]) && isnan(back[k]))) thud_assert_equal(back[k], values[k]);
  free(back);
}

static void doubles_come_back_bit_for_bit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(1);
  enum { N = 10000 };
  static double values[N];
  static int32_t whole[N];
  static double as_whole[N];
  static unsigned char bytes[N];
  static double as_bytes[N];
  for (size_t k = 0; k < N; k++) {
    values[k] = thud_random_normal(&random) * pow(10, thud_random_uniform(&random, -300, 300));
    whole[k] = (int32_t)thud_random_uniform(&random, -2e9, 2e9);
    as_whole[k] = whole[k];
    bytes[k] = (unsigned char)thud_random_below(&random, 256);
    as_bytes[k] = bytes[k];
  }
  values[5] = NAN;
  values[6] = INFINITY;
  values[7] = -INFINITY;
  values[8] = -0.0;
  const double few[] = {1, NAN, -1.5e-300}, endless[] = {1, INFINITY};
  page_build page = begin(context);
  begin_object(&page);
  thud_page_doubles(&page, "few", 3, few);
  thud_page_bytes(&page, "bytes", 13, bytes); /* what follows begins at a multiple of 8 again */
  thud_page_doubles(&page, "many", N, values);
  thud_page_doubles(&page, "none", 0, NULL);
  thud_page_doubles(&page, "endless", 2, endless);
  thud_page_indices(&page, "whole", N, whole);
  thud_page_indices(&page, "few_whole", 5, whole);
  assert_int_equal(thud_page_blocks_cut(&page.blocks), THUD_OK);
  thud_page_bytes(&page, "all_bytes", N, bytes);
  thud_page_bytes(&page, "few_bytes", 2, bytes);
  page_reader reader = read_back(&page);
  assert_int_equal(reader.block_count, 2);
  expect(&reader, "few", 3, few);
  expect(&reader, "bytes", 13, as_bytes);
  expect(&reader, "many", N, values);
  expect(&reader, "none", 0, NULL);
  expect(&reader, "endless", 2, endless);
  expect(&reader, "whole", N, as_whole);
  expect(&reader, "few_whole", 5, as_whole);
  expect(&reader, "all_bytes", N, as_bytes);
  expect(&reader, "few_bytes", 2, as_bytes);
  end(&page, &reader);
  thud_test_context_end(context);
}

static void floats_are_rounded_to_the_nearest(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(2);
  enum { N = 1000 };
  double values[N];
  for (size_t k = 0; k < N; k++) values[k] = thud_random_normal(&random);
  values[3] = NAN;
  page_build page = begin(context);
  begin_object(&page);
  thud_page_floats(&page, "x", N, values);
  page_reader reader = read_back(&page);
  for (size_t k = 0; k < N; k++) values[k] = (float)values[k];
  expect(&reader, "x", N, values);
  end(&page, &reader);
  thud_test_context_end(context);
}

/* Random walks of order 0, 1 and 2 in columns with grids of their own. */
static void make_walk(thud_random *random, size_t rows, size_t columns, int order, double *values) {
  for (size_t c = 0; c < columns; c++) {
    double x = thud_random_normal(random), v = thud_random_normal(random);
    for (size_t i = 0; i < rows; i++) {
      double kick = thud_random_normal(random);
      if (order == 0) x = kick;
      if (order == 1) x += 0.01 * kick;
      if (order == 2) x += 0.1 * (v += 0.001 * kick);
      values[i * columns + c] = x;
    }
  }
}

static void quantised_numbers_are_the_nearest_on_their_grid(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  enum { MOST = 4000 };
  static double values[MOST];
  for (int round_number = 0; round_number < 300; round_number += THUD_TEST_STRIDE(10)) {
    size_t columns = 1 + thud_random_below(&random, 40),
           rows = 1 + thud_random_below(&random, (uint32_t)(MOST / columns)), found;
    const double step[2] = {pow(2, thud_random_uniform(&random, -20, 2)), pow(2, thud_random_uniform(&random, -20, 2))};
    const double low[2] = {thud_random_normal(&random), -3};
    size_t cycle = 1 + thud_random_below(&random, 2);
    make_walk(&random, rows, columns, round_number % 3, values);
    page_build page = begin(context);
    begin_object(&page);
    thud_page_quantised(&page, "q", rows, columns, values, (page_grid){cycle, step, low});
    page_reader reader = read_back(&page);
    const thud_node *node = page_reader_find(&reader, "q");
    double *back = page_reader_numbers(&reader, node, &found);
    assert_int_equal(found, rows * columns);
    for (size_t k = 0; k < found; k++) { /* half a step, and the rounding of low + step k */
      size_t c = k % columns % cycle;
      thud_assert_near(back[k], values[k], 0.5 * step[c] * (1 + 1e-9) + 4e-16 * (fabs(values[k]) + fabs(low[c])));
    }
    free(back);
    end(&page, &reader);
  }
  thud_test_context_end(context);
}

/* Even motions take second differences and, but for their first rows, next to nothing. */
static void what_moves_evenly_costs_little(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { ROWS = 200, COLUMNS = 300 };
  static double values[ROWS * COLUMNS];
  const double step = 1e-3, low = 0;
  for (size_t i = 0; i < ROWS; i++)
    for (size_t c = 0; c < COLUMNS; c++)
      values[i * COLUMNS + c] = (double)c + 0.01 * (double)(c * i) - 4.9e-4 * (double)(i * i);
  page_build page = begin(context);
  begin_object(&page);
  thud_page_quantised(&page, "q", ROWS, COLUMNS, values, (page_grid){1, &step, &low});
  page_reader reader = read_back(&page);
  thud_assert_equal(thud_node_number(page_reader_find(&reader, "q.order")), 2);
  thud_assert_less(page.blocks.items[0].count, ROWS * COLUMNS / 2); /* below 4 bits each */
  end(&page, &reader);
  thud_test_context_end(context);
}

static void what_is_not_on_a_grid_stays_a_float(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  enum { N = 40 };
  const double step = 1e-3, low = 0, bad[] = {NAN, INFINITY, -INFINITY, 2e6};
  for (size_t which = 0; which < sizeof bad / sizeof *bad; which++) {
    double values[N];
    for (size_t k = 0; k < N; k++) values[k] = 0.25 * (double)k;
    values[17] = bad[which];
    page_build page = begin(context);
    begin_object(&page);
    thud_page_quantised(&page, "q", N / 4, 4, values, (page_grid){1, &step, &low});
    page_reader reader = read_back(&page);
    assert_string_equal(page_reader_text(&reader, "q.t"), "f32");
    expect(&reader, "q", N, values);
    end(&page, &reader);
  }
  thud_test_context_end(context);
}

/* ---- curves ----------------------------------------------------------------------------------------------------------- */

static void thinned_curves_keep_what_is_seen(void **state) {
  (void)state;
  thud_random random = thud_random_seed(4);
  enum { N = 50000, MOST = 400, JUMPS = 20 };
  static double x[N], y[N];
  static size_t kept[N];
  size_t jump_at[JUMPS];
  for (size_t k = 0; k < N; k++) {
    x[k] = (double)k;
    y[k] = thud_random_normal(&random);
  }
  for (size_t j = 0; j < JUMPS; j++) {
    jump_at[j] = 1000 + 2222 * j;
    x[jump_at[j] + 1] = x[jump_at[j]];
  }
  y[12345] = 90;
  y[40001] = -80;
  size_t count = thud_page_thin(N, x, y, MOST, kept);
  thud_assert_at_most(count, MOST + 2 * JUMPS);
  thud_assert_at_least(count, MOST / 2);
  assert_int_equal(kept[0], 0);
  assert_int_equal(kept[count - 1], N - 1);
  bool high = false, low = false;
  size_t jumps = 0;
  for (size_t k = 0; k < count; k++) {
    if (k > 0) thud_assert_greater(kept[k], kept[k - 1]);
    high = high || kept[k] == 12345;
    low = low || kept[k] == 40001;
    if (k + 1 < count && x[kept[k]] == x[kept[k + 1]]) jumps++;
  }
  assert_true(high);
  assert_true(low);
  assert_int_equal(jumps, JUMPS);
  for (size_t k = 0; k < N; k += N / MOST) y[k] = NAN; /* each stretch begins with what is not known */
  count = thud_page_thin(N, x, y, MOST, kept);
  high = low = false;
  for (size_t k = 0; k < count; k++) {
    high = high || kept[k] == 12345;
    low = low || kept[k] == 40001;
  }
  assert_true(high && low);
  count = thud_page_thin(MOST, x, y, MOST, kept);
  assert_int_equal(count, MOST);
}

/* More jumps than points: those that are kept are whole. */
static void thinned_jumps_keep_both_limits(void **state) {
  (void)state;
  enum { N = 10000, MOST = 100 };
  static double x[N], y[N];
  static size_t kept[N];
  for (size_t k = 0; k < N; k++) {
    x[k] = (double)(k / 2);
    y[k] = k % 2 == 0 ? 0 : sin((double)k);
  }
  size_t count = thud_page_thin(N, x, y, MOST, kept);
  thud_assert_at_most(count, 2 * MOST);
  for (size_t k = 0; k < count; k += 2) {
    thud_assert_equal(kept[k] % 2, 0);
    thud_assert_equal(kept[k + 1], kept[k] + 1);
  }
}

/* ---- JSON ------------------------------------------------------------------------------------------------------------- */

static void json_is_told_from_what_is_none(void **state) {
  (void)state;
  static const char *const good[] = {
      "{}", "[]",       " null ", "true", "-0.5e+10", "\"\\u00e9\\n\"", "{\"a\": [1, {\"b\": \"\"}]}",
      "0",  "[1,2, 3]", "1E5"};
  static const char *const bad[] = {"",   "{",   "[1,]",   "{\"a\"}",     "{a: 1}",    "01",
                                    "1.", "nul", "\"\n\"", "\"\\x\"",     "\"\\u12\"", "[1] 2",
                                    "+1", "NaN", "\"",     "{\"a\": 1,}", "</script>"};
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) assert_true(thud_page_is_json(good[k]));
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) assert_false(thud_page_is_json(bad[k]));
  char deep[1001];
  memset(deep, '[', 500);
  memset(deep + 500, ']', 500);
  deep[1000] = '\0';
  assert_false(thud_page_is_json(deep));
  assert_false(thud_page_is_json(deep + 470));
  deep[530] = '\0';
  assert_true(thud_page_is_json(deep + 470)); /* 30 deep */
  const char *p = " {\"a\": [1, 2], \"b\":{\"c\":3} }", *member;
  size_t length;
  assert_true(thud_page_next_member(&p, &member, &length));
  assert_int_equal(strncmp(member, "\"a\": [1, 2]", length), 0);
  assert_true(thud_page_next_member(&p, &member, &length));
  assert_int_equal(length, strlen("\"b\":{\"c\":3}"));
  assert_false(thud_page_next_member(&p, &member, &length));
}

/* ---- failing allocations ---------------------------------------------------------------------------------------------- */

static thud_error write_some(thud_context *context, void *user) {
  double values[600];
  const double step = 1e-3, low = 0;
  (void)user;
  for (size_t k = 0; k < 600; k++) values[k] = sin((double)k);
  page_build page = begin(context);
  begin_object(&page);
  thud_page_doubles(&page, "x", 600, values);
  thud_page_take(&page, thud_page_blocks_cut(&page.blocks));
  thud_page_quantised(&page, "q", 30, 20, values, (page_grid){1, &step, &low});
  thud_json_end_object(&page.json);
  thud_page_take(&page, thud_page_blocks_cut(&page.blocks));
  thud_error error = thud_page_state(&page);
  thud_text_free(&page.text);
  thud_page_blocks_free(&page.blocks);
  return error;
}

static void every_allocation_may_fail(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(write_some, NULL), 10);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(doubles_come_back_bit_for_bit),
      cmocka_unit_test(floats_are_rounded_to_the_nearest),
      cmocka_unit_test(quantised_numbers_are_the_nearest_on_their_grid),
      cmocka_unit_test(what_moves_evenly_costs_little),
      cmocka_unit_test(what_is_not_on_a_grid_stays_a_float),
      cmocka_unit_test(thinned_curves_keep_what_is_seen),
      cmocka_unit_test(thinned_jumps_keep_both_limits),
      cmocka_unit_test(json_is_told_from_what_is_none),
      cmocka_unit_test(every_allocation_may_fail),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
