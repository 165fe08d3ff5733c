/* Context, errors, messages, logging. */
#include "base/base.h"
#include "failing_allocator.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MESSAGE_CAPACITY = 2048 };

static void version_of_header_and_library_agree(void **state) {
  (void)state;
  char text[64];
  snprintf(text, sizeof text, "%d.%d.%d", THUD_VERSION_MAJOR, THUD_VERSION_MINOR, THUD_VERSION_PATCH);
  assert_string_equal(text, THUD_VERSION);
  assert_string_equal(thud_version(), THUD_VERSION);
}

static void every_error_has_its_name_and_text(void **state) {
  (void)state;
#define CHECK(name, number, text)                                                                                      \
  assert_int_equal(name, number);                                                                                      \
  assert_string_equal(thud_error_name(name), #name);                                                                   \
  assert_string_equal(thud_error_text(name), text);
  THUD_ERROR_TABLE(CHECK)
#undef CHECK
  assert_string_equal(thud_error_name((thud_error)9999), "unknown error");
  assert_string_equal(thud_error_text((thud_error)-1), "unknown error");
}

static void wrong_options_are_refused_and_leave_the_output(void **state) {
  (void)state;
  int place;
  thud_context *const untouched = (thud_context *)&place;
  thud_context *context = untouched;
  const int bad_threads[] = {0, -1, 257, 1 << 30};
  for (size_t k = 0; k < sizeof bad_threads / sizeof *bad_threads; k++) {
    thud_context_options options = thud_context_options_default();
    options.threads = bad_threads[k];
    assert_int_equal(thud_context_create(&options, &context), THUD_ERROR_ARGUMENT);
  }
  thud_context_options options = thud_context_options_default();
  options.size++;
  assert_int_equal(thud_context_create(&options, &context), THUD_ERROR_ARGUMENT);
  options.size = 0;
  assert_int_equal(thud_context_create(&options, &context), THUD_ERROR_ARGUMENT);
  assert_ptr_equal(context, untouched);
  assert_int_equal(thud_context_create(NULL, NULL), THUD_ERROR_ARGUMENT);
}

/* The options of an older, smaller version: the rest are defaults. The sanitizer watches the heap block. */
static void a_smaller_options_struct_is_not_read_beyond_its_end(void **state) {
  (void)state;
  size_t *small = malloc(sizeof *small);
  assert_non_null(small);
  *small = sizeof *small;
  thud_context *context;
  assert_int_equal(thud_context_create((const thud_context_options *)(const void *)small, &context), THUD_OK);
  assert_int_equal(thud_context_threads(context), 1);
  thud_context_destroy(context);
  free(small);
}

static void defaults_make_a_context_with_one_thread(void **state) {
  (void)state;
  thud_context *context = NULL;
  assert_int_equal(thud_context_create(NULL, &context), THUD_OK);
  assert_int_equal(thud_context_threads(context), 1);
  assert_int_equal(thud_context_live_blocks(context), 0);
  assert_int_equal(thud_context_allocation_count(context), 0);
  assert_string_equal(thud_context_last_message(context), "");
  thud_context_destroy(context);
  thud_context_destroy(NULL);
  assert_string_equal(thud_context_last_message(NULL), "");
}

static void creation_survives_every_failing_allocation(void **state) {
  (void)state;
  assert_int_equal(thud_test_sweep_context_creation(1), 1); /* the context itself */
  assert_int_equal(thud_test_sweep_context_creation(4), 3); /* and the pool with its list of threads */
}

static void failing_returns_the_error_and_keeps_the_message(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  assert_int_equal(thud_fail(context, THUD_ERROR_SINGULAR, "pivot %d is %s", 3, "zero"), THUD_ERROR_SINGULAR);
  assert_string_equal(thud_context_last_message(context), "pivot 3 is zero");
  assert_int_equal(thud_fail_within(context, THUD_ERROR_SINGULAR, "factor '%s'", "K"), THUD_ERROR_SINGULAR);
  assert_string_equal(thud_context_last_message(context), "factor 'K': pivot 3 is zero");
  assert_int_equal(thud_fail(NULL, THUD_ERROR_FILE, "nobody listens"), THUD_ERROR_FILE);
  assert_int_equal(thud_fail_within(NULL, THUD_ERROR_FILE, "nobody listens"), THUD_ERROR_FILE);
  thud_test_context_end(context);
}

static void a_message_may_quote_the_message_before(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_fail(context, THUD_ERROR_FILE, "inner");
  thud_fail(context, THUD_ERROR_FILE, "outer <%s> after", thud_context_last_message(context));
  assert_string_equal(thud_context_last_message(context), "outer <inner> after");
  thud_fail_within(context, THUD_ERROR_FILE, "[%s]", thud_context_last_message(context));
  assert_string_equal(thud_context_last_message(context), "[outer <inner> after]: outer <inner> after");
  thud_test_context_end(context);
}

static void long_messages_are_cut_not_overrun(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  char *word = malloc(2 * MESSAGE_CAPACITY);
  assert_non_null(word);
  for (size_t length = MESSAGE_CAPACITY - 5; length < MESSAGE_CAPACITY + 5; length++) {
    memset(word, 'a', length);
    word[length] = '\0';
    size_t kept = length < MESSAGE_CAPACITY ? length : MESSAGE_CAPACITY - 1;
    thud_fail(context, THUD_ERROR_FILE, "%s", word);
    assert_int_equal(strlen(thud_context_last_message(context)), kept);
    thud_fail(context, THUD_ERROR_FILE, "inner");
    thud_fail_within(context, THUD_ERROR_FILE, "%s", word);
    size_t with_inner = length + strlen(": inner");
    assert_int_equal(strlen(thud_context_last_message(context)),
                     with_inner < MESSAGE_CAPACITY ? with_inner : MESSAGE_CAPACITY - 1);
  }
  free(word);
  thud_test_context_end(context);
}

typedef struct log_book {
  int count;
  thud_log_level level;
  char text[64];
} log_book;

static void write_log(void *user, thud_log_level level, const char *message) {
  log_book *book = user;
  book->count++;
  book->level = level;
  snprintf(book->text, sizeof book->text, "%s", message);
}

static void the_logger_receives_level_and_text(void **state) {
  (void)state;
  log_book book = {0};
  thud_context_options options = thud_context_options_default();
  options.logger = write_log;
  options.logger_user = &book;
  thud_context *context;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  thud_log(context, THUD_LOG_WARNING, "rank %d of %d", 2, 3);
  assert_int_equal(book.count, 1);
  assert_int_equal(book.level, THUD_LOG_WARNING);
  assert_string_equal(book.text, "rank 2 of 3");
  thud_context_destroy(context);
  context = thud_test_context(1);
  thud_log(context, THUD_LOG_INFO, "dropped");
  thud_log(NULL, THUD_LOG_INFO, "dropped");
  thud_test_context_end(context);
}

static void the_clock_does_not_run_backwards(void **state) {
  (void)state;
  double before = thud_seconds();
  for (int k = 0; k < 1000; k++) {
    double now = thud_seconds();
    thud_assert_at_least(now, before);
    before = now;
  }
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(version_of_header_and_library_agree),
      cmocka_unit_test(every_error_has_its_name_and_text),
      cmocka_unit_test(wrong_options_are_refused_and_leave_the_output),
      cmocka_unit_test(a_smaller_options_struct_is_not_read_beyond_its_end),
      cmocka_unit_test(defaults_make_a_context_with_one_thread),
      cmocka_unit_test(creation_survives_every_failing_allocation),
      cmocka_unit_test(failing_returns_the_error_and_keeps_the_message),
      cmocka_unit_test(a_message_may_quote_the_message_before),
      cmocka_unit_test(long_messages_are_cut_not_overrun),
      cmocka_unit_test(the_logger_receives_level_and_text),
      cmocka_unit_test(the_clock_does_not_run_backwards),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
