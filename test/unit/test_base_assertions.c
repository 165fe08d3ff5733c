/* The assertions of testing.h: those that hold pass, those that do not fail, and both numbers are printed. */
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

static void holds(void **state) {
  (void)state;
  size_t count = 3;
  int evaluated = 0;
  thud_assert_equal(count, 3);
  thud_assert_different(count, 4);
  thud_assert_less(1, 1.5);
  thud_assert_at_most(1.5, 1.5);
  thud_assert_greater(evaluated++, -1);
  thud_assert_at_least((double)INFINITY, 1);
  thud_assert_near(1, 1.5, 0.5);
  thud_assert_nearer(1, 1.5, 0.5 + 0x1p-53);
  thud_assert_equal(evaluated, 1);
}

static void not_less(void **state) {
  (void)state;
  double one = 1;
  thud_assert_less(one, 1);
}
static void not_at_most(void **state) {
  (void)state;
  thud_assert_at_most((double)NAN, 1);
}
static void not_at_least(void **state) {
  (void)state;
  thud_assert_at_least(0.1, (double)NAN);
}
static void not_greater(void **state) {
  (void)state;
  thud_assert_greater(-2, -2);
}
static void not_equal(void **state) {
  (void)state;
  thud_assert_equal((size_t)7, 8);
}
static void not_different(void **state) {
  (void)state;
  thud_assert_different(0.1, 0.1);
}
static void not_near(void **state) {
  (void)state;
  thud_assert_near(1.25, 1, 0.125);
}
static void not_near_nan(void **state) {
  (void)state;
  thud_assert_near((double)NAN, (double)NAN, 1);
}
static void not_nearer(void **state) {
  (void)state;
  thud_assert_nearer(1.5, 1, 0.5);
}

/* Runs one test in a process of its own; its output goes to text. Returns the number of failed tests. */
static int failures_of(CMUnitTestFunction function, char *text, size_t size) {
  int ends[2];
  assert_int_equal(pipe(ends), 0);
  fflush(NULL);
  pid_t child = fork();
  thud_assert_at_least(child, 0);
  if (child == 0) {
    dup2(ends[1], STDOUT_FILENO);
    dup2(ends[1], STDERR_FILENO);
    const struct CMUnitTest tests[] = {{"inner", function, NULL, NULL, NULL}};
    int failed = cmocka_run_group_tests(tests, NULL, NULL);
    fflush(NULL);
    _exit(failed);
  }
  close(ends[1]);
  size_t length = 0;
  for (ssize_t got; length + 1 < size && (got = read(ends[0], text + length, size - 1 - length)) > 0;)
    length += (size_t)got;
  text[length] = 0;
  close(ends[0]);
  int status;
  assert_int_equal(waitpid(child, &status, 0), child);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

static void what_does_not_hold_fails_and_shows_both_numbers(void **state) {
  (void)state;
  const struct {
    CMUnitTestFunction function;
    const char *claim, *left, *right;
  } cases[] = {
      {not_less, "one < 1", "left       1\n", "right      1\n"},
      {not_at_most, "<= 1", "left       nan\n", "right      1\n"},
      {not_at_least, "0.1 >= ", "left       0.10000000000000001\n", "right      nan\n"},
      {not_greater, "-2 > -2", "left       -2\n", "right      -2\n"},
      {not_equal, "(size_t)7 == 8", "left       7\n", "right      8\n"},
      {not_different, "0.1 != 0.1", "left       0.10000000000000001\n", "difference 0\n"},
      {not_near, "|1.25 - 1| <= 0.125", "tolerance  0.125\n", "difference -0.25\n"},
      {not_near_nan, "<= 1", "left       nan\n", "tolerance  1\n"},
      {not_nearer, "|1.5 - 1| < 0.5", "left       1.5\n", "right      1\n"},
  };
  char text[4096];
  for (size_t k = 0; k < sizeof cases / sizeof cases[0]; k++) {
    assert_int_equal(failures_of(cases[k].function, text, sizeof text), 1);
    const char *const pieces[] = {cases[k].claim, cases[k].left, cases[k].right, "test_base_assertions.c:"};
    for (size_t i = 0; i < sizeof pieces / sizeof pieces[0]; i++)
      if (strstr(text, pieces[i]) == NULL) fail_msg("'%s' is not in '%s'", pieces[i], text);
  }
  assert_int_equal(failures_of(holds, text, sizeof text), 0);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(holds),
      cmocka_unit_test(what_does_not_hold_fails_and_shows_both_numbers),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
