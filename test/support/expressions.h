/* Expressions in tests. */
#ifndef THUD_TEST_EXPRESSIONS_H
#define THUD_TEST_EXPRESSIONS_H

#include "thud/expr.h"

/* Compiles a source that must be right; fails the test with the message otherwise. */
thud_expr *thud_test_compile(thud_context *context, const thud_expr_scope *scope, const char *source);

#endif
