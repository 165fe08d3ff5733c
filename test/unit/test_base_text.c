/* Near names, and numbers as text. */
#include "base/base.h"
#include "testing.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *const words[] = {"restitution", "friction", "gap", "phi", "step", "steps", "simulate", NULL};

static void expect_suggestion(const char *word, const char *expected) {
  const char *by_end = thud_suggest(word, words, SIZE_MAX);
  const char *by_count = thud_suggest(word, words, 7);
  if (expected == NULL) {
    assert_null(by_end);
  } else {
    assert_non_null(by_end);
    assert_string_equal(by_end, expected);
  }
  assert_ptr_equal(by_end, by_count);
}

static void near_names_are_suggested(void **state) {
  (void)state;
  expect_suggestion("restitution", "restitution");
  expect_suggestion("restituton", "restitution");   /* a letter too few */
  expect_suggestion("resttitution", "restitution"); /* too many */
  expect_suggestion("restitvtion", "restitution");  /* another */
  expect_suggestion("fricton", "friction");
  expect_suggestion("firction", "friction"); /* two swapped count as one */
  expect_suggestion("FRICTION", "friction"); /* case does not count */
  expect_suggestion("FIRCTION", "friction");
  expect_suggestion("gpa", "gap");
  expect_suggestion("stps", "steps");
  expect_suggestion("stap", "step");
}

static void far_names_are_not_suggested(void **state) {
  (void)state;
  expect_suggestion("", NULL);
  expect_suggestion("mass", NULL);
  expect_suggestion("xyz", NULL);
  expect_suggestion("coordinates", NULL);
  expect_suggestion("q", NULL); /* a single letter is not near a name by replacing all of it */
  assert_null(thud_suggest("gap", words, 0));
  const char *const odd[] = {"", "a", "bcd"};
  assert_null(thud_suggest("b", odd, 3));
  assert_string_equal(thud_suggest("bc", odd, 3), "bcd");
}

static void words_at_the_length_limit_are_handled(void **state) {
  (void)state;
  char word[200], candidate[200];
  const char *const candidates[] = {candidate};
  for (size_t n = 60; n < 70; n++) {
    memset(word, 'a', n);
    word[n] = '\0';
    memset(candidate, 'a', n);
    candidate[n - 1] = 'b';
    candidate[n] = '\0';
    const char *near = thud_suggest(word, candidates, 1);
    assert_int_equal(near != NULL, n <= 64);
  }
}

static void expect_round_trip(double value) {
  char text[THUD_DOUBLE_CAPACITY];
  double back = 0;
  thud_format_double(value, text, sizeof text);
  assert_true(thud_parse_double(text, &back));
  assert_memory_equal(&back, &value, sizeof value);
}

static void a_hundred_thousand_doubles_survive_the_round_trip(void **state) {
  (void)state;
  thud_random random = thud_random_seed(17);
  for (int k = 0; k < 100000; k++) {
    uint64_t bits = thud_random_bits(&random);
    if (k % 10 == 0) bits &= 0x800fffffffffffffu;                            /* subnormal */
    if (k % 10 == 1) bits >>= thud_random_below(&random, 64);                /* tiny ones, few bits */
    if (k % 10 == 2) bits &= ~(uint64_t)0 << thud_random_below(&random, 53); /* short mantissas */
    double value;
    memcpy(&value, &bits, sizeof value);
    if (isfinite(value)) expect_round_trip(value);
  }
  const double special[] = {0.0,
                            -0.0,
                            DBL_MIN,
                            DBL_MAX,
                            -DBL_MAX,
                            DBL_TRUE_MIN,
                            0.1,
                            1.0 / 3,
                            DBL_EPSILON,
                            1e22,
                            1e23,
                            123456789.0,
                            9007199254740993.0,
                            5e-324,
                            3.141592653589793};
  for (size_t k = 0; k < sizeof special / sizeof *special; k++) expect_round_trip(special[k]);
}

static void expect_text(double value, const char *expected) {
  char text[THUD_DOUBLE_CAPACITY];
  thud_format_double(value, text, sizeof text);
  assert_string_equal(text, expected);
}

static void numbers_are_written_as_people_would(void **state) {
  (void)state;
  expect_text(0, "0");
  expect_text(-0.0, "-0");
  expect_text(10, "10");
  expect_text(100000, "100000");
  expect_text(0.1, "0.1");
  expect_text(-2.5, "-2.5");
  expect_text(1e-8, "1e-08");
  expect_text(1e300, "1e+300");
  expect_text(0.1 + 0.2, "0.30000000000000004");
  expect_text(5e-324, "5e-324");
  expect_text(-1.7976931348623157e308, "-1.7976931348623157e+308");
  expect_text(NAN, "null");
  expect_text(INFINITY, "null");
  expect_text(-INFINITY, "null");
}

/* Decimals of at most 15 digits come back as they were written. */
static void short_decimals_stay_short(void **state) {
  (void)state;
  thud_random random = thud_random_seed(4);
  for (int k = 0; k < 20000; k++) {
    char text[64], back[THUD_DOUBLE_CAPACITY];
    uint64_t digits = thud_random_bits(&random) % 1000000000000000u;
    snprintf(text, sizeof text, "0.%015llu", (unsigned long long)digits);
    double value;
    assert_true(thud_parse_double(text, &value));
    thud_format_double(value, back, sizeof back);
    thud_assert_at_most(strlen(back), 21); /* 15 digits, sign, point, exponent: not 17 digits */
    double again;
    assert_true(thud_parse_double(back, &again));
    thud_assert_equal(again, value);
  }
}

static void formatting_respects_the_capacity(void **state) {
  (void)state;
  char text[8] = {1, 1, 1, 1, 1, 1, 1, 1};
  thud_format_double(1.0 / 3, text, 5);
  assert_memory_equal(text, "0.33\0\1\1\1", 8);
  thud_format_double(NAN, text, 3);
  assert_memory_equal(text, "nu\0\0\0\1\1\1", 3);
}

static void decimal_numbers_are_read(void **state) {
  (void)state;
  static const struct {
    const char *text;
    double value;
  } good[] = {
      {"0", 0},
      {"-0", -0.0},
      {"+5", 5},
      {"1.", 1},
      {".5", 0.5},
      {"-.5e1", -5},
      {"1e3", 1000},
      {"1E-3", 0.001},
      {"1e+03", 1000},
      {"00012", 12},
      {"1e-400", 0},
      {"123456789012345678901234567890", 123456789012345678901234567890.0},
      {"4.9406564584124654e-324", DBL_TRUE_MIN},
      {"1.7976931348623157e308", DBL_MAX},
  };
  for (size_t k = 0; k < sizeof good / sizeof *good; k++) {
    double value = 99;
    assert_true(thud_parse_double(good[k].text, &value));
    assert_memory_equal(&value, &good[k].value, sizeof value);
  }
}

static void everything_else_is_refused(void **state) {
  (void)state;
  static const char *const bad[] = {"",      " 1",    "1 ",    "1,5",      "0x10",
                                    "0x1p3", "inf",   "-inf",  "INFINITY", "nan",
                                    "NaN",   "1e",    "1e+",   "e5",       ".",
                                    "-",     "+",     "--1",   "1.2.3",    "1e5.0",
                                    "1d5",   "1_000", "1e400", "-1e400",   "1e99999999999999999999",
                                    "½",     "\t1",   "1\n",   "true",     "0b1",
                                    "1f"};
  for (size_t k = 0; k < sizeof bad / sizeof *bad; k++) {
    double value = 99;
    if (thud_parse_double(bad[k], &value)) fail_msg("'%s' was read as a number", bad[k]);
    thud_assert_equal(value, 99);
  }
}

/* A German locale compiled into the tests' folder from the system's sources; NULL when there are none. */
static const char *locale_made_here(void) {
  const char *folder = getenv("THUD_TEST_DIR");
  if (folder == NULL) return NULL;
  char command[4096];
  int length =
      snprintf(command, sizeof command, "localedef -i de_DE -f UTF-8 '%s/de_DE.UTF-8' >/dev/null 2>&1", folder);
  if (length < 0 || (size_t)length >= sizeof command || system(command) != 0) return NULL;
  setenv("LOCPATH", folder, 1);
  return setlocale(LC_NUMERIC, "de_DE.UTF-8");
}

/* A program that has called setlocale: numbers keep their point, and the program its locale. */
static void numbers_do_not_depend_on_the_locale(void **state) {
  (void)state;
  static const char *const with_comma[] = {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "fr_FR.utf8", "de_DE"};
  const char *found = NULL;
  for (size_t k = 0; k < sizeof with_comma / sizeof *with_comma && found == NULL; k++)
    found = setlocale(LC_NUMERIC, with_comma[k]);
  if (found == NULL) found = locale_made_here();
  if (found == NULL) thud_skip("needs a locale with a decimal comma: apt-get install locales");
  expect_text(0.5, "0.5");
  expect_round_trip(1.0 / 3);
  char text[16];
  snprintf(text, sizeof text, "%.1f", 0.5);
  assert_string_equal(text, "0,5");
  setlocale(LC_NUMERIC, "C");
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(near_names_are_suggested),
      cmocka_unit_test(far_names_are_not_suggested),
      cmocka_unit_test(words_at_the_length_limit_are_handled),
      cmocka_unit_test(a_hundred_thousand_doubles_survive_the_round_trip),
      cmocka_unit_test(numbers_are_written_as_people_would),
      cmocka_unit_test(short_decimals_stay_short),
      cmocka_unit_test(formatting_respects_the_capacity),
      cmocka_unit_test(decimal_numbers_are_read),
      cmocka_unit_test(everything_else_is_refused),
      cmocka_unit_test(numbers_do_not_depend_on_the_locale),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
