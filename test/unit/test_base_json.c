/* The growing text and the JSON writer. */
#include "base/json.h"
#include "failing_allocator.h"
#include "testing.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static void text_grows_and_stays_terminated(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_text text = thud_text_new(context);
  assert_string_equal(thud_text_chars(&text), "");
  for (int k = 0; k < 10000; k++) {
    thud_text_print(&text, "%d,", k % 10);
    assert_int_equal(strlen(thud_text_chars(&text)), text.length);
  }
  thud_text_append(&text, "end?", 3);
  assert_int_equal(text.length, 20003);
  assert_string_equal(thud_text_chars(&text) + 20000, "end");
  assert_int_equal(text.error, THUD_OK);
  thud_text_free(&text);
  assert_string_equal(thud_text_chars(&text), "");
  thud_test_context_end(context);
}

static void write_sample(thud_json *json) {
  thud_json_begin_object(json);
  thud_json_string_field(json, "title", "a \"b\" \\ \n\t\x01");
  thud_json_number_field(json, "third", 1.0 / 3);
  thud_json_integer_field(json, "count", INT64_MIN);
  thud_json_key(json, "list");
  thud_json_begin_flat_array(json);
  thud_json_number(json, 1);
  thud_json_number(json, NAN);
  thud_json_number(json, -INFINITY);
  thud_json_end_array(json);
  thud_json_key(json, "deep");
  thud_json_begin_array(json);
  thud_json_begin_object(json);
  thud_json_end_object(json);
  thud_json_bool(json, true);
  thud_json_null(json);
  thud_json_string(json, NULL);
  thud_json_end_array(json);
  thud_json_end_object(json);
}

static void a_document_has_its_commas_and_indentation(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_text text = thud_text_new(context);
  thud_json json = thud_json_new(&text);
  write_sample(&json);
  assert_int_equal(text.error, THUD_OK);
  assert_string_equal(thud_text_chars(&text), "{\n"
                                              "  \"title\": \"a \\\"b\\\" \\\\ \\n\\t\\u0001\",\n"
                                              "  \"third\": 0.33333333333333331,\n"
                                              "  \"count\": -9223372036854775808,\n"
                                              "  \"list\": [1, null, null],\n"
                                              "  \"deep\": [\n"
                                              "    {},\n"
                                              "    true,\n"
                                              "    null,\n"
                                              "    null\n"
                                              "  ]\n"
                                              "}");
  thud_text_free(&text);
  thud_test_context_end(context);
}

static void expect_quoted(const char *value, const char *expected) {
  thud_context *context = thud_test_context(1);
  thud_text text = thud_text_new(context);
  thud_json json = thud_json_new(&text);
  thud_json_string(&json, value);
  assert_string_equal(thud_text_chars(&text), expected);
  thud_text_free(&text);
  thud_test_context_end(context);
}

static void strings_are_valid_utf8_whatever_comes_in(void **state) {
  (void)state;
  expect_quoted("Painlev\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80", "\"Painlev\xc3\xa9 \xe2\x86\x92 \xf0\x9f\x98\x80\"");
  expect_quoted("\xff", "\"\\ufffd\"");                                  /* never a byte of UTF-8 */
  expect_quoted("a\xc3", "\"a\\ufffd\"");                                /* cut off at the end */
  expect_quoted("\xe2\x86", "\"\\ufffd\\ufffd\"");                       /* cut off at the end */
  expect_quoted("\xc3(", "\"\\ufffd(\"");                                /* wrong continuation */
  expect_quoted("\xc0\xaf", "\"\\ufffd\\ufffd\"");                       /* overlong / */
  expect_quoted("\xe0\x80\xaf", "\"\\ufffd\\ufffd\\ufffd\"");            /* overlong / */
  expect_quoted("\xed\xa0\x80", "\"\\ufffd\\ufffd\\ufffd\"");            /* surrogate */
  expect_quoted("\xf4\x90\x80\x80", "\"\\ufffd\\ufffd\\ufffd\\ufffd\""); /* above U+10FFFF */
  expect_quoted("\xed\x9f\xbf\xf4\x8f\xbf\xbf", "\"\xed\x9f\xbf\xf4\x8f\xbf\xbf\"");
  expect_quoted("\x7f\x1f", "\"\\u007f\\u001f\"");
  /* What readers of YAML refuse or fold, and its neighbours: U+0080, U+0085, U+009F, U+00A0; U+2027 to U+202A; U+FEFF,
   * U+FFFD, U+FFFE. */
  expect_quoted("\xc2\x80\xc2\x85\xc2\x9f\xc2\xa0", "\"\\u0080\\u0085\\u009f\xc2\xa0\"");
  expect_quoted("\xe2\x80\xa7\xe2\x80\xa8\xe2\x80\xa9\xe2\x80\xaa", "\"\xe2\x80\xa7\\u2028\\u2029\xe2\x80\xaa\"");
  expect_quoted("\xef\xbb\xbf\xef\xbf\xbd\xef\xbf\xbe", "\"\\ufeff\xef\xbf\xbd\\ufffe\"");
}

static void numbers_carry_every_digit(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_random random = thud_random_seed(3);
  for (int k = 0; k < 2000; k++) {
    uint64_t bits = thud_random_bits(&random);
    double value, back;
    memcpy(&value, &bits, sizeof value);
    thud_text text = thud_text_new(context);
    thud_json json = thud_json_new(&text);
    thud_json_number(&json, value);
    if (isfinite(value)) {
      assert_true(thud_parse_double(thud_text_chars(&text), &back));
      assert_memory_equal(&back, &value, sizeof value);
    } else {
      assert_string_equal(thud_text_chars(&text), "null");
    }
    thud_text_free(&text);
  }
  thud_test_context_end(context);
}

static void wrong_nesting_is_an_error_not_an_overrun(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_text text = thud_text_new(context);
  thud_json json = thud_json_new(&text);
  for (int k = 0; k < THUD_JSON_MAX_DEPTH; k++) thud_json_begin_array(&json);
  assert_int_equal(text.error, THUD_OK);
  thud_json_begin_array(&json);
  assert_int_equal(text.error, THUD_ERROR_INTERNAL);
  thud_text_free(&text);
  json = thud_json_new(&text);
  thud_json_end_object(&json);
  assert_int_equal(text.error, THUD_ERROR_INTERNAL);
  thud_text_free(&text);
  thud_test_context_end(context);
}

static thud_error write_with(thud_context *context, void *user) {
  (void)user;
  thud_text text = thud_text_new(context);
  thud_json json = thud_json_new(&text);
  for (int k = 0; k < 30; k++) write_sample(&json);
  thud_error error = text.error;
  assert_int_equal(strlen(thud_text_chars(&text)), text.length);
  thud_text_free(&text);
  return error;
}

static void writing_survives_every_failing_allocation(void **state) {
  (void)state;
  thud_assert_at_least(thud_test_sweep_allocations(write_with, NULL), 9);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(text_grows_and_stays_terminated),
      cmocka_unit_test(a_document_has_its_commas_and_indentation),
      cmocka_unit_test(strings_are_valid_utf8_whatever_comes_in),
      cmocka_unit_test(numbers_carry_every_digit),
      cmocka_unit_test(wrong_nesting_is_an_error_not_an_overrun),
      cmocka_unit_test(writing_survives_every_failing_allocation),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
