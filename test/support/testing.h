/* What every unit test starts with: cmocka with the headers it wants, and a context. */
#ifndef THUD_TEST_TESTING_H
#define THUD_TEST_TESTING_H

#include "thud/base.h"

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

/* A context with the C library's allocator; asserts that it could be made. */
thud_context *thud_test_context(int threads);
/* Asserts that nothing made with the context is left, and destroys it. */
void thud_test_context_end(thud_context *context);
/* Asserts that the last message of the context contains every given piece (a list that ends with NULL). */
void thud_test_message_has(const thud_context *context, ...);

#endif
