/* What every unit test starts with: cmocka with the headers it wants, and a context. */
#ifndef THUD_TEST_TESTING_H
#define THUD_TEST_TESTING_H

#include "thud/base.h"

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define THUD_UNDER_SANITIZER 1
#elif defined(__has_feature)
#if __has_feature(thread_sanitizer) || __has_feature(address_sanitizer)
#define THUD_UNDER_SANITIZER 1
#endif
#endif
#ifndef THUD_UNDER_SANITIZER
#define THUD_UNDER_SANITIZER 0
#endif
/* Loops over many instances of one kind go on by this: all of them in a plain build, every n-th under a sanitizer, which
 * looks for faults of memory and takes many times as long. */
#define THUD_TEST_STRIDE(n) (THUD_UNDER_SANITIZER ? (n) : 1)

/* The same for loops that take long in a plain build: every n-th instance in `make check`, all of them in `make check-all`
 * (THUD_TEST_ALL=1), which repeats the programs that call this. */
int thud_test_share(int n);

/* Skips the test that runs; `needs` says what is missing and what would bring it (tools/run-tests repeats it). */
#define thud_skip(needs)                                                                                               \
  do {                                                                                                                 \
    print_message("SKIPPED: %s\n", needs);                                                                             \
    skip();                                                                                                            \
  } while (0)

/* A context with the C library's allocator; asserts that it could be made. */
thud_context *thud_test_context(int threads);
/* Asserts that nothing made with the context is left, and destroys it. */
void thud_test_context_end(thud_context *context);
/* Asserts that the last message of the context contains every given piece (a list that ends with NULL). */
void thud_test_message_has(const thud_context *context, ...);

/* ---- comparisons that print both sides -------------------------------------------------------------------------
 *
 * thud_assert_less(a, b) asserts (a) < (b) exactly as C compares them (NaN fails), whatever their arithmetic types, and
 * prints on failure the expressions, both values and b - a. Both sides are evaluated once. */
#define thud_assert_equal(a, b) THUD_TEST_COMPARE(a, ==, b)
#define thud_assert_different(a, b) THUD_TEST_COMPARE(a, !=, b)
#define thud_assert_less(a, b) THUD_TEST_COMPARE(a, <, b)
#define thud_assert_at_most(a, b) THUD_TEST_COMPARE(a, <=, b)
#define thud_assert_greater(a, b) THUD_TEST_COMPARE(a, >, b)
#define thud_assert_at_least(a, b) THUD_TEST_COMPARE(a, >=, b)
/* fabs(a - b) <= tolerance, or < tolerance; NaN fails. */
#define thud_assert_near(a, b, tolerance) THUD_TEST_DISTANCE(a, b, <=, tolerance)
#define thud_assert_nearer(a, b, tolerance) THUD_TEST_DISTANCE(a, b, <, tolerance)

/* One side of a comparison. */
typedef struct thud_test_side {
  enum { THUD_TEST_REAL, THUD_TEST_SIGNED, THUD_TEST_UNSIGNED } kind;
  long double real; /* the value, rounded for integers beyond 2^64 only */
  long long whole;
  unsigned long long natural;
} thud_test_side;

thud_test_side thud_test_real(long double value);
thud_test_side thud_test_signed(long long value);
thud_test_side thud_test_unsigned(unsigned long long value);
#define THUD_TEST_NUMBER(x)                                                                                            \
  _Generic((x), float                                                                                                  \
           : thud_test_real, double                                                                                    \
           : thud_test_real, long double                                                                               \
           : thud_test_real, unsigned                                                                                  \
           : thud_test_unsigned, unsigned long                                                                         \
           : thud_test_unsigned, unsigned long long                                                                    \
           : thud_test_unsigned, default                                                                               \
           : thud_test_signed)(x)

/* Prints what was claimed and what is, and fails the test. tolerance may be NULL. */
void thud_test_refute(const char *claim, thud_test_side a, thud_test_side b, const thud_test_side *tolerance,
                      const char *file, int line);

/* The sides keep their types, so that C compares them as it would without the macro: also an int with a size_t. */
#define THUD_TEST_SIDES(a, b)                                                                                          \
  _Pragma("GCC diagnostic push") _Pragma("GCC diagnostic ignored \"-Wsign-compare\"") __typeof__(a) thud_left_ = (a);  \
  __typeof__(b) thud_right_ = (b)
#define THUD_TEST_COMPARE(a, operator, b)                                                                              \
  do {                                                                                                                 \
    THUD_TEST_SIDES(a, b);                                                                                             \
    if (!(thud_left_ operator thud_right_))                                                                            \
      thud_test_refute(#a " " #operator" " #b, THUD_TEST_NUMBER(thud_left_), THUD_TEST_NUMBER(thud_right_), NULL,      \
                       __FILE__, __LINE__);                                                                            \
    _Pragma("GCC diagnostic pop")                                                                                      \
  } while (0)
#define THUD_TEST_DISTANCE(a, b, operator, tolerance)                                                                  \
  do {                                                                                                                 \
    THUD_TEST_SIDES(a, b);                                                                                             \
    double thud_most_ = (tolerance);                                                                                   \
    if (!(fabs(thud_left_ - thud_right_) operator thud_most_))                                                         \
      thud_test_refute("|" #a " - " #b "| " #operator" " #tolerance, THUD_TEST_NUMBER(thud_left_),                     \
                       THUD_TEST_NUMBER(thud_right_), &(thud_test_side){.real = thud_most_}, __FILE__, __LINE__);      \
    _Pragma("GCC diagnostic pop")                                                                                      \
  } while (0)

#endif
