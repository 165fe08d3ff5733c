#include "quad_formulas.h"

#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#if THUD_TEST_QUAD
#include <quadmath.h>
#define OF(name) name##q
#else
#define OF(name) name##l
#endif

static int add(quad_pool *pool, quad_node node) {
  assert_true(pool->count < QUAD_NODES);
  pool->nodes[pool->count] = node;
  return pool->count++;
}

int thud_quad_constant(quad_pool *pool, double value) {
  return add(pool, (quad_node){.op = QUAD_CONSTANT, .constant = value});
}

int thud_quad_variable(quad_pool *pool, int variable) {
  return add(pool, (quad_node){.op = QUAD_VARIABLE, .a = variable});
}

int thud_quad_apply(quad_pool *pool, quad_op op, int a, int b) {
  return add(pool, (quad_node){.op = op, .a = a, .b = b});
}

void thud_quad_write(const quad_pool *pool, int node, char *text) {
  static const char *const names[QUAD_VARIABLES] = {"t", "x", "y", "z", "x'", "y'", "z'"};
  static const char *const words[] = {"", "", " + ", " - ", "*", "/", "sin", "cos", "exp", "tanh", "sqrt"};
  const quad_node *n = &pool->nodes[node];
  size_t used = strlen(text);
  assert_true(used + 40 < QUAD_TEXT);
  if (n->op == QUAD_CONSTANT) {
    snprintf(text + used, QUAD_TEXT - used, "(%.17g)", n->constant);
  } else if (n->op == QUAD_VARIABLE) {
    strcat(text, names[n->a]);
  } else if (n->op <= QUAD_DIVIDE) {
    strcat(text, "(");
    thud_quad_write(pool, n->a, text);
    strcat(text, words[n->op]);
    thud_quad_write(pool, n->b, text);
    strcat(text, ")");
  } else {
    strcat(text, words[n->op]);
    strcat(text, "(");
    thud_quad_write(pool, n->a, text);
    strcat(text, ")");
  }
}

quad thud_quad_size(quad x) { return x < 0 ? -x : x; }

/* f(a) with the derivative f'(a). */
static quad_value chain(const quad_value *a, quad value, quad slope) {
  quad_value made = {.value = value};
  for (int i = 0; i < QUAD_COORDINATES; i++) made.gradient[i] = slope * a->gradient[i];
  return made;
}

static quad_value combine(const quad_value *a, const quad_value *b, quad value, quad by_a, quad by_b) {
  quad_value made = {.value = value};
  for (int i = 0; i < QUAD_COORDINATES; i++) made.gradient[i] = by_a * a->gradient[i] + by_b * b->gradient[i];
  return made;
}

static quad_value apply(quad_op op, const quad_value *a) {
  quad x = a->value, y;
  switch (op) {
  case QUAD_SIN: return chain(a, OF(sin)(x), OF(cos)(x));
  case QUAD_COS: return chain(a, OF(cos)(x), -OF(sin)(x));
  case QUAD_EXP: return chain(a, OF(exp)(x), OF(exp)(x));
  case QUAD_SQRT: y = OF(sqrt)(x); return chain(a, y, 1 / (2 * y));
  default: y = OF(cosh)(x); return chain(a, OF(tanh)(x), 1 / (y * y));
  }
}

static quad_value leaf(const quad_node *n, const quad variables[QUAD_VARIABLES]) {
  quad_value made = {.value = n->op == QUAD_CONSTANT ? (quad)n->constant : variables[n->a]};
  if (n->op == QUAD_VARIABLE && n->a >= 1 && n->a <= QUAD_COORDINATES) made.gradient[n->a - 1] = 1;
  return made;
}

static quad_value operate(quad_op op, const quad_value *a, const quad_value *b) {
  switch (op) {
  case QUAD_ADD: return combine(a, b, a->value + b->value, 1, 1);
  case QUAD_SUBTRACT: return combine(a, b, a->value - b->value, 1, -1);
  case QUAD_MULTIPLY: return combine(a, b, a->value * b->value, b->value, a->value);
  default: return combine(a, b, a->value / b->value, 1 / b->value, -a->value / (b->value * b->value));
  }
}

void thud_quad_evaluate(const quad_pool *pool, const quad variables[QUAD_VARIABLES], quad_value *values) {
  for (int k = 0; k < pool->count; k++) {
    const quad_node *n = &pool->nodes[k];
    if (n->op <= QUAD_VARIABLE)
      values[k] = leaf(n, variables);
    else if (n->op <= QUAD_DIVIDE)
      values[k] = operate(n->op, &values[n->a], &values[n->b]);
    else
      values[k] = apply(n->op, &values[n->a]);
  }
}
