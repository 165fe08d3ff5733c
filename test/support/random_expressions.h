/* Random expressions in x y z w whose values and gradients are known to rounding. */
#ifndef THUD_TEST_RANDOM_EXPRESSIONS_H
#define THUD_TEST_RANDOM_EXPRESSIONS_H

#include "expressions.h"

enum { TEST_TEXT = 8192, TEST_MAX_DEPTH = 15 };

typedef struct thud_test_piece {
  char text[TEST_TEXT];
  double value, gradient[TEST_VARIABLES];
} thud_test_piece;

typedef struct thud_test_maker {
  thud_random random;
  double point[TEST_VARIABLES]; /* where value and gradient are taken */
} thud_test_maker;

/* Of at most the given depth; every operation and function occurs, all inside their domains. */
void thud_test_random_expression(thud_test_maker *maker, int depth, thud_test_piece *piece);

#endif
