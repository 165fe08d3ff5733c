/* Option tables: defaults, ranges, numbers and text, choices, messages. */
#include "base/base.h"
#include "testing.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

typedef enum shape { SHAPE_DISC, SHAPE_SQUARE, SHAPE_TRIANGLE } shape;

typedef struct sample_options {
  size_t size;
  double tolerance; /* ]0, 1] */
  double limit;     /* unbounded, default infinite */
  double offset;    /* unbounded, default finite */
  int max_iterations;
  int any_int;
  bool verbose;
  int shape;
  void *callback; /* without a key */
} sample_options;

static const char *const shape_names[] = {"disc", "square", "triangle", NULL};

static const thud_option_key sample_keys[] = {
    {.name = "tolerance",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(sample_options, tolerance),
     .default_value = 1e-8,
     .minimum = 0,
     .maximum = 1,
     .minimum_open = true},
    {.name = "limit",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(sample_options, limit),
     .default_value = INFINITY,
     .minimum = -INFINITY,
     .maximum = INFINITY},
    {.name = "offset",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(sample_options, offset),
     .minimum = -INFINITY,
     .maximum = INFINITY},
    {.name = "max_iterations",
     .type = THUD_OPTION_INT,
     .offset = offsetof(sample_options, max_iterations),
     .default_value = 100000,
     .minimum = 1,
     .maximum = INFINITY},
    {.name = "any_int",
     .type = THUD_OPTION_INT,
     .offset = offsetof(sample_options, any_int),
     .default_value = -3,
     .minimum = -INFINITY,
     .maximum = INFINITY},
    {.name = "verbose", .type = THUD_OPTION_BOOL, .offset = offsetof(sample_options, verbose), .default_value = 1},
    {.name = "shape",
     .type = THUD_OPTION_CHOICE,
     .offset = offsetof(sample_options, shape),
     .default_value = SHAPE_SQUARE,
     .choices = shape_names},
};

static const thud_option_table sample_table = {.name = "sample",
                                               .struct_size = sizeof(sample_options),
                                               .keys = sample_keys,
                                               .count = sizeof sample_keys / sizeof *sample_keys};

static sample_options sample_default(void) {
  sample_options options;
  memset(&options, 0x5a, sizeof options);
  thud_options_init(&sample_table, &options, sizeof options);
  return options;
}

static void defaults_fill_the_whole_struct(void **state) {
  (void)state;
  sample_options options = sample_default();
  assert_int_equal(options.size, sizeof options);
  thud_assert_equal(options.tolerance, 1e-8);
  assert_true(isinf(options.limit));
  thud_assert_equal(options.offset, 0);
  assert_int_equal(options.max_iterations, 100000);
  assert_int_equal(options.any_int, -3);
  assert_true(options.verbose);
  assert_int_equal(options.shape, SHAPE_SQUARE);
  assert_null(options.callback); /* a field without a key is 0, not what was on the stack */
  thud_context *context = thud_test_context(1);
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_OK);
  thud_test_context_end(context);
}

static void keys_are_found_by_name(void **state) {
  (void)state;
  for (size_t k = 0; k < sample_table.count; k++)
    assert_ptr_equal(thud_options_find(&sample_table, sample_keys[k].name), &sample_keys[k]);
  assert_null(thud_options_find(&sample_table, "Tolerance"));
  assert_null(thud_options_find(&sample_table, ""));
}

/* A number that is refused: the error, a piece of the message, and that nothing was written. */
static void expect_number_refused(const char *name, double value, const char *piece) {
  thud_context *context = thud_test_context(1);
  sample_options options = sample_default(), before = options;
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, name, value), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample", name, piece, NULL);
  assert_memory_equal(&options, &before, sizeof options);
  thud_test_context_end(context);
}

static void numbers_outside_the_range_are_refused(void **state) {
  (void)state;
  expect_number_refused("tolerance", 0, "greater than 0");
  expect_number_refused("tolerance", -1e-300, "greater than 0");
  expect_number_refused("tolerance", nextafter(1, 2), "at most 1");
  expect_number_refused("tolerance", NAN, "finite number");
  expect_number_refused("offset", INFINITY, "finite number");
  expect_number_refused("offset", -INFINITY, "finite number");
  expect_number_refused("limit", NAN, "finite number");
  expect_number_refused("max_iterations", 0, "sample: 'max_iterations' must be at least 1, not 0");
  expect_number_refused("max_iterations", 2.5, "a whole number");
  expect_number_refused("max_iterations", 2147483648.0, "at most 2147483647");
  expect_number_refused("any_int", -2147483649.0, "sample: 'any_int' must be at least -2147483648, not -2147483649");
  expect_number_refused("any_int", -INFINITY, "a whole number");
  expect_number_refused("any_int", 1e300, "at most 2147483647");
  expect_number_refused("verbose", 2, "true or false");
  expect_number_refused("verbose", 0.5, "true or false");
  expect_number_refused("shape", 3, "sample: 'shape' must be at most 2, not 3");
  expect_number_refused("shape", -1, "sample: 'shape' must be at least 0, not -1");
}

static void numbers_inside_the_range_are_stored(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample_options options = sample_default();
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, "tolerance", 1), THUD_OK);
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, "limit", -INFINITY), THUD_OK);
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, "max_iterations", INT_MAX), THUD_OK);
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, "any_int", INT_MIN), THUD_OK);
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, "verbose", 0), THUD_OK);
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, "shape", SHAPE_TRIANGLE), THUD_OK);
  thud_assert_equal(options.tolerance, 1);
  thud_assert_equal(options.limit, -INFINITY);
  assert_int_equal(options.max_iterations, INT_MAX);
  assert_int_equal(options.any_int, INT_MIN);
  assert_false(options.verbose);
  assert_int_equal(options.shape, SHAPE_TRIANGLE);
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_OK);
  thud_test_context_end(context);
}

static void text_is_read_by_type(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample_options options = sample_default();
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, "tolerance", "2.5e-3"), THUD_OK);
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, "max_iterations", "7"), THUD_OK);
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, "verbose", "false"), THUD_OK);
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, "shape", "disc"), THUD_OK);
  thud_assert_equal(options.tolerance, 2.5e-3);
  assert_int_equal(options.max_iterations, 7);
  assert_false(options.verbose);
  assert_int_equal(options.shape, SHAPE_DISC);
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, "verbose", "true"), THUD_OK);
  assert_true(options.verbose);
  thud_test_context_end(context);
}

static void expect_text_refused(const char *name, const char *text, thud_error expected, const char *piece) {
  thud_context *context = thud_test_context(1);
  sample_options options = sample_default(), before = options;
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, name, text), expected);
  thud_test_message_has(context, "sample", name, piece, NULL);
  assert_memory_equal(&options, &before, sizeof options);
  thud_test_context_end(context);
}

static void wrong_text_is_refused_with_advice(void **state) {
  (void)state;
  expect_text_refused("tolerance", "small", THUD_ERROR_ARGUMENT, "sample: 'tolerance' must be a number, not 'small'");
  expect_text_refused("tolerance", "", THUD_ERROR_ARGUMENT, "must be a number");
  expect_text_refused("tolerance", "2", THUD_ERROR_ARGUMENT, "at most 1");
  expect_text_refused("limit", "inf", THUD_ERROR_ARGUMENT, "must be a number");
  expect_text_refused("max_iterations", "1.5", THUD_ERROR_ARGUMENT, "a whole number");
  expect_text_refused("verbose", "yes", THUD_ERROR_ARGUMENT, "sample: 'verbose' must be true or false, not 'yes'");
  expect_text_refused("shape", "sqaure", THUD_ERROR_ARGUMENT,
                      "sample: 'shape' cannot be 'sqaure' (did you mean 'square'?)");
  expect_text_refused("shape", "1", THUD_ERROR_ARGUMENT,
                      "sample: 'shape' cannot be '1' (one of: disc, square, triangle)");
  expect_text_refused("tolerence", "1", THUD_ERROR_NOT_FOUND,
                      "sample: unknown option 'tolerence' (did you mean 'tolerance'?)");
  expect_text_refused("max-iterations", "1", THUD_ERROR_NOT_FOUND,
                      "sample: unknown option 'max-iterations' (did you mean 'max_iterations'?)");
  expect_text_refused(
      "colour", "1", THUD_ERROR_NOT_FOUND,
      "sample: unknown option 'colour' (there are: tolerance, limit, offset, max_iterations, any_int, verbose, shape)");
}

static void a_very_long_wrong_name_does_no_harm(void **state) {
  (void)state;
  char name[5000];
  memset(name, 'x', sizeof name - 1);
  name[sizeof name - 1] = '\0';
  thud_context *context = thud_test_context(1);
  sample_options options = sample_default();
  assert_int_equal(thud_options_set_number(context, &sample_table, &options, name, 1), THUD_ERROR_NOT_FOUND);
  assert_int_equal(thud_options_set_text(context, &sample_table, &options, "shape", name), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "cannot be 'xxx", NULL);
  thud_test_context_end(context);
}

/* More keys than the message or the search for a near name can hold. */
static void a_huge_table_is_listed_as_far_as_it_fits(void **state) {
  (void)state;
  enum { KEYS = 200 };
  static const char *const one_name = "a_rather_long_name_of_an_option_key";
  thud_option_key keys[KEYS];
  for (size_t k = 0; k < KEYS; k++) keys[k] = (thud_option_key){.name = one_name, .type = THUD_OPTION_REAL};
  keys[KEYS - 1].name = "last";
  const thud_option_table table = {.name = "huge", .struct_size = 64, .keys = keys, .count = KEYS};
  thud_context *context = thud_test_context(1);
  double fields[8] = {0};
  assert_int_equal(thud_options_set_number(context, &table, fields, "zzz", 1), THUD_ERROR_NOT_FOUND);
  thud_test_message_has(context, "huge: unknown option 'zzz' (there are: a_rather", "...)", NULL);
  thud_assert_less(strlen(thud_context_last_message(context)), 600);
  assert_ptr_equal(thud_options_find(&table, "last"), &keys[KEYS - 1]);
  thud_test_context_end(context);
}

/* A later version of the sample: one more key at the end, a fixed default, and the sample as a part in the middle. */
typedef struct grown_options {
  size_t size;
  double first;
  sample_options part;
  size_t count; /* without a key */
  double added; /* since the later version */
} grown_options;

static const thud_option_table *sample_table_of(void) { return &sample_table; }

static const thud_option_key grown_keys[] = {
    {.name = "first",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(grown_options, first),
     .default_value = 0.5,
     .minimum = 0,
     .maximum = 1},
    {.name = "added",
     .type = THUD_OPTION_REAL,
     .offset = offsetof(grown_options, added),
     .default_value = 7,
     .minimum = 0,
     .maximum = 10},
};
static const grown_options grown_fixed = {.count = 3};
static const thud_option_part grown_parts[] = {{offsetof(grown_options, part), sample_table_of}};
static const thud_option_table grown_table = {.name = "grown",
                                              .struct_size = sizeof(grown_options),
                                              .keys = grown_keys,
                                              .count = 2,
                                              .fixed = &grown_fixed,
                                              .parts = grown_parts,
                                              .part_count = 1};

/* For every size that a caller may know: what lies within is taken, what does not is at its default, and no byte
 * beyond the caller's is written or read (the sanitizer watches the heap block). */
static void options_of_every_smaller_size_are_taken(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  for (size_t size = sizeof(size_t); size <= sizeof(grown_options); size++) {
    unsigned char *given = malloc(size);
    assert_non_null(given);
    thud_options_init(&grown_table, given, size);
    const double first = 0.25, added = 9;
    const int any = 12;
    const size_t count = 5, last = offsetof(grown_options, part) + offsetof(sample_options, any_int);
    bool has_first = size >= offsetof(grown_options, first) + sizeof first, has_any = size >= last + sizeof any;
    bool has_count = size >= offsetof(grown_options, count) + sizeof count, has_added = size >= sizeof(grown_options);
    if (has_first) memcpy(given + offsetof(grown_options, first), &first, sizeof first);
    if (has_any) memcpy(given + last, &any, sizeof any);
    if (has_count) memcpy(given + offsetof(grown_options, count), &count, sizeof count);
    if (has_added) memcpy(given + offsetof(grown_options, added), &added, sizeof added);
    grown_options own;
    memset(&own, 0x5a, sizeof own);
    assert_int_equal(thud_options_take(context, &grown_table, given, &own), THUD_OK);
    assert_int_equal(own.size, sizeof own);
    assert_int_equal(own.part.size, sizeof own.part);
    thud_assert_equal(own.first, has_first ? first : 0.5);
    thud_assert_equal(own.added, has_added ? added : 7);
    thud_assert_equal(own.part.tolerance, 1e-8);
    assert_int_equal(own.part.any_int, has_any ? any : -3);
    assert_int_equal(own.part.shape, SHAPE_SQUARE);
    if (has_count) assert_int_equal(own.count, count);
    free(given);
  }
  thud_test_context_end(context);
}

static void options_that_are_wrong_are_not_taken(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  grown_options given, own;
  assert_int_equal(thud_options_take(context, &grown_table, NULL, &own), THUD_OK);
  assert_int_equal(own.count, 3);
  thud_options_init(&grown_table, &given, sizeof given);
  given.size++;
  assert_int_equal(thud_options_take(context, &grown_table, &given, &own), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "grown: the options' size field is", "later version", NULL);
  given.size = sizeof(size_t) - 1;
  assert_int_equal(thud_options_take(context, &grown_table, &given, &own), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "size field is 7", "default function", NULL);
  given.size = sizeof given;
  given.part.size = sizeof given; /* more than is left behind it */
  assert_int_equal(thud_options_take(context, &grown_table, &given, &own), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample: the options' size field", NULL);
  given.part.size = sizeof given.part;
  given.part.shape = 9;
  assert_int_equal(thud_options_take(context, &grown_table, &given, &own), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample: 'shape'", NULL);
  thud_test_context_end(context);
}

static void a_struct_is_checked_as_a_whole(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  sample_options options = sample_default();
  options.size = 8;
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample: the options' size field is 8 instead of 56; start from the default function",
                        NULL);
  options = sample_default();
  options.tolerance = NAN;
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample: 'tolerance' must be a finite number, not nan", NULL);
  options = sample_default();
  options.shape = 3;
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_ERROR_ARGUMENT);
  options.shape = -1;
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample: 'shape' must be at least 0, not -1", NULL);
  options = sample_default();
  memset((char *)&options + offsetof(sample_options, verbose), 7, 1); /* a foreign caller's idea of true */
  assert_int_equal(thud_options_check(context, &sample_table, &options), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "sample: 'verbose' must be true or false (1 or 0), not 7", NULL);
  thud_test_context_end(context);
}

static void expect_format(const sample_options *options, const char *name, const char *expected) {
  char text[64];
  thud_options_format(thud_options_find(&sample_table, name), options, text, sizeof text);
  assert_string_equal(text, expected);
}

static void values_are_formatted_as_they_are_written(void **state) {
  (void)state;
  sample_options options = sample_default();
  expect_format(&options, "tolerance", "1e-08");
  expect_format(&options, "limit", "null");
  expect_format(&options, "max_iterations", "100000");
  expect_format(&options, "any_int", "-3");
  expect_format(&options, "verbose", "true");
  expect_format(&options, "shape", "square");
  options.verbose = false;
  expect_format(&options, "verbose", "false");
  options.shape = -1;
  expect_format(&options, "shape", "null");
  options.shape = 3;
  expect_format(&options, "shape", "null");
  options.tolerance = 0.1;
  expect_format(&options, "tolerance", "0.1");
  char tiny[4] = {1, 1, 1, 1};
  options.shape = SHAPE_TRIANGLE;
  thud_options_format(thud_options_find(&sample_table, "shape"), &options, tiny, 3);
  assert_memory_equal(tiny, "tr\0\1", 4);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(defaults_fill_the_whole_struct),
      cmocka_unit_test(keys_are_found_by_name),
      cmocka_unit_test(numbers_outside_the_range_are_refused),
      cmocka_unit_test(numbers_inside_the_range_are_stored),
      cmocka_unit_test(text_is_read_by_type),
      cmocka_unit_test(wrong_text_is_refused_with_advice),
      cmocka_unit_test(a_very_long_wrong_name_does_no_harm),
      cmocka_unit_test(a_huge_table_is_listed_as_far_as_it_fits),
      cmocka_unit_test(options_of_every_smaller_size_are_taken),
      cmocka_unit_test(options_that_are_wrong_are_not_taken),
      cmocka_unit_test(a_struct_is_checked_as_a_whole),
      cmocka_unit_test(values_are_formatted_as_they_are_written),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
