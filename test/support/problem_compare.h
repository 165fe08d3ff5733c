/* Are two problems with all that comes along the same, bit for bit? */
#ifndef THUD_TEST_PROBLEM_COMPARE_H
#define THUD_TEST_PROBLEM_COMPARE_H

#include "thud/problem.h"

/* Fails the running test and names what differs. Matrices must have the same storage and the same entries; laws the
 * same kind and parameters. */
void thud_test_same_contents(const thud_problem_contents *a, const thud_problem_contents *b);
/* Reads a file with the default options; fails the running test with the message when that does not work. */
thud_problem_file *thud_test_read_problem(thud_context *context, const char *path);

#endif
