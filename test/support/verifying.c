#include "verifying.h"
#include "testing.h"

#include <string.h>

thud_verify_result thud_test_verify(thud_context *context, const char *path) {
  thud_verify_result result;
  if (thud_verify_record(context, path, NULL, &result) != THUD_OK)
    fail_msg("%s: %s", path, thud_context_last_message(context));
  return result;
}

const thud_verify_check *thud_test_check_of(const thud_verify_result *result, const char *name) {
  for (size_t k = 0; k < result->check_count; k++)
    if (strcmp(result->checks[k].name, name) == 0) return &result->checks[k];
  fail_msg("there is no check '%s'", name);
  return NULL;
}
