#include "expressions.h"

#include "testing.h"

thud_expr *thud_test_compile(thud_context *context, const thud_expr_scope *scope, const char *source) {
  thud_expr *expr = NULL;
  thud_error error = thud_expr_compile(context, scope, source, NULL, &expr);
  if (error != THUD_OK) fail_msg("'%s': %s", source, thud_context_last_message(context));
  return expr;
}
