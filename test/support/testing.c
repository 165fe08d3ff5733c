#include "testing.h"

#include <stdlib.h>
#include <string.h>

int thud_test_share(int n) { return getenv("THUD_TEST_ALL") != NULL ? 1 : n; }

thud_context *thud_test_context(int threads) {
  thud_context_options options = thud_context_options_default();
  options.threads = threads;
  thud_context *context = NULL;
  assert_int_equal(thud_context_create(&options, &context), THUD_OK);
  return context;
}

void thud_test_context_end(thud_context *context) {
  uint64_t own = thud_context_threads(context) > 1 ? 2 : 0; /* the pool and its list of threads */
  assert_int_equal(thud_context_live_blocks(context), own);
  thud_context_destroy(context);
}

void thud_test_message_has(const thud_context *context, ...) {
  const char *message = thud_context_last_message(context);
  va_list pieces;
  va_start(pieces, context);
  for (const char *piece = va_arg(pieces, const char *); piece != NULL; piece = va_arg(pieces, const char *))
    if (strstr(message, piece) == NULL) fail_msg("'%s' is not in the message '%s'", piece, message);
  va_end(pieces);
}

thud_test_side thud_test_real(long double value) { return (thud_test_side){.kind = THUD_TEST_REAL, .real = value}; }

thud_test_side thud_test_signed(long long value) {
  return (thud_test_side){.kind = THUD_TEST_SIGNED, .real = (long double)value, .whole = value};
}

thud_test_side thud_test_unsigned(unsigned long long value) {
  return (thud_test_side){.kind = THUD_TEST_UNSIGNED, .real = (long double)value, .natural = value};
}

static void print_number(const char *name, const thud_test_side *number) {
  if (number->kind == THUD_TEST_SIGNED)
    print_error("  %s %lld\n", name, number->whole);
  else if (number->kind == THUD_TEST_UNSIGNED)
    print_error("  %s %llu\n", name, number->natural);
  else
    print_error("  %s %.17Lg\n", name, number->real);
}

void thud_test_refute(const char *claim, thud_test_side a, thud_test_side b, const thud_test_side *tolerance,
                      const char *file, int line) {
  print_error("%s:%d: not so: %s\n", file, line, claim);
  print_number("left      ", &a);
  print_number("right     ", &b);
  if (tolerance != NULL) print_number("tolerance ", tolerance);
  print_error("  difference %.6Lg\n", b.real - a.real);
  _fail(file, line);
}
