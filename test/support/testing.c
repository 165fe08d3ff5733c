#include "testing.h"

#include <string.h>

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
