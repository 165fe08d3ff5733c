/* Formulas that are written as text for the library and evaluated by themselves, in quadruple precision: a second
 * opinion about statements of proof, which shares no code with them.
 *
 * THUD_TEST_QUAD is 1 where there is such a precision (gcc's libquadmath); elsewhere `quad` is long double. */
#ifndef THUD_TEST_QUAD_FORMULAS_H
#define THUD_TEST_QUAD_FORMULAS_H

#include "thud/base.h"

#ifndef THUD_TEST_QUAD
#define THUD_TEST_QUAD 0
#endif
#if THUD_TEST_QUAD
__extension__ typedef __float128 quad;
#else
typedef long double quad;
#endif

enum { QUAD_COORDINATES = 3, QUAD_VARIABLES = 1 + 2 * QUAD_COORDINATES, QUAD_NODES = 600, QUAD_TEXT = 4000 };

/* Variables: t, then the coordinates x, y, z, then x', y', z'. */
typedef enum quad_op {
  QUAD_CONSTANT,
  QUAD_VARIABLE,
  QUAD_ADD,
  QUAD_SUBTRACT,
  QUAD_MULTIPLY,
  QUAD_DIVIDE,
  QUAD_SIN,
  QUAD_COS,
  QUAD_EXP,
  QUAD_TANH,
  QUAD_SQRT
} quad_op;

typedef struct quad_node {
  quad_op op;
  int a, b; /* operands; the variable */
  double constant;
} quad_node;

typedef struct quad_pool {
  int count;
  quad_node nodes[QUAD_NODES];
} quad_pool;

typedef struct quad_value {
  quad value, gradient[QUAD_COORDINATES];
} quad_value;

int thud_quad_constant(quad_pool *pool, double value);
int thud_quad_variable(quad_pool *pool, int variable);
int thud_quad_apply(quad_pool *pool, quad_op op, int a, int b);
/* Appends the formula to text[QUAD_TEXT]; every constant to its last bit. */
void thud_quad_write(const quad_pool *pool, int node, char *text);
/* Values and gradients by the coordinates of all nodes: values[QUAD_NODES]. */
void thud_quad_evaluate(const quad_pool *pool, const quad variables[QUAD_VARIABLES], quad_value *values);
quad thud_quad_size(quad x);

#endif
