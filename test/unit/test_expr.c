#include "expr/tape.h"
#include "failing_allocator.h"
#include "expressions.h"
#include "testing.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Names of the tests' scope: variables x y z q q' q'' t in slots 0.., parameters mass = 2 and k = 0.5. */
enum { X, Y, Z, Q, QD, QDD, T, VARIABLES };

typedef struct fixture {
  thud_context *context;
  thud_expr_scope *scope;
} fixture;

static thud_error fill_scope(thud_expr_scope *scope) {
  static const char *const names[VARIABLES] = {"x", "y", "z", "q", "q'", "q''", "t"};
  thud_error error = THUD_OK;
  for (thud_index k = 0; error == THUD_OK && k < VARIABLES; k++) {
    thud_index slot = -1;
    error = thud_expr_scope_add_variable(scope, names[k], &slot);
    if (error == THUD_OK) assert_int_equal(slot, k);
  }
  if (error == THUD_OK) error = thud_expr_scope_add_parameter(scope, "mass", 2);
  if (error == THUD_OK) error = thud_expr_scope_add_parameter(scope, "k", 0.5);
  return error;
}

static int set_up(void **state) {
  fixture *f = calloc(1, sizeof *f);
  assert_non_null(f);
  f->context = thud_test_context(1);
  assert_int_equal(thud_expr_scope_create(f->context, &f->scope), THUD_OK);
  assert_int_equal(fill_scope(f->scope), THUD_OK);
  *state = f;
  return 0;
}

static int tear_down(void **state) {
  fixture *f = *state;
  thud_expr_scope_destroy(f->scope);
  thud_test_context_end(f->context);
  free(f);
  return 0;
}

static double value(const fixture *f, const char *source, const double *variables) {
  thud_expr *expr = thud_test_compile(f->context, f->scope, source);
  double result = thud_expr_evaluate(expr, variables);
  thud_expr_destroy(expr);
  return result;
}

static void assert_value(const fixture *f, const char *source, double expected) {
  const double variables[VARIABLES] = {[X] = 3, [Y] = -2, [Z] = 0.25, [Q] = 1.5, [QD] = -4, [QDD] = 7, [T] = 0.1};
  double found = value(f, source, variables);
  if (!(found == expected || (isnan(found) && isnan(expected))))
    fail_msg("'%s' gives %.17g instead of %.17g", source, found, expected);
}

static void precedence_and_associativity_follow_the_grammar(void **state) {
  const fixture *f = *state;
  assert_value(f, "-2^2", -4);
  assert_value(f, "(-2)^2", 4);
  assert_value(f, "2^-1", 0.5);
  assert_value(f, "2^3^2", 512);
  assert_value(f, "(2^3)^2", 64);
  assert_value(f, "2^-2^2", 1.0 / 16);
  assert_value(f, "2*-3", -6);
  assert_value(f, "2--3", 5);
  assert_value(f, "- - -2", -2);
  assert_value(f, "+-+2", -2);
  assert_value(f, "10-3-2", 5);
  assert_value(f, "10-(3-2)", 9);
  assert_value(f, "24/4/2", 3);
  assert_value(f, "24/4*2", 12);
  assert_value(f, "1+2*3^2", 19);
  assert_value(f, "1 + 2 < 4", 1);
  assert_value(f, "(1 < 2) + 1", 2);
  assert_value(f, "-x^2", -9);
  assert_value(f, "0.5*q'^2", 8);
  assert_value(f, "-q'", 4);
  assert_value(f, "q''*q'*q", -42);
  assert_value(f, "mass*x", 6);
  assert_value(f, "x\n\t*\r\n 2", 6);
  assert_value(f, ".5+1.+2e-1*1E1", 3.5);
}

static void functions_and_constants_have_their_values(void **state) {
  const fixture *f = *state;
  assert_value(f, "pi", acos(-1));
  assert_value(f, "e", exp(1));
  assert_value(f, "sin(x)", sin(3));
  assert_value(f, "cos(x)", cos(3));
  assert_value(f, "tan(x)", tan(3));
  assert_value(f, "asin(z)", asin(0.25));
  assert_value(f, "acos(z)", acos(0.25));
  assert_value(f, "atan(x)", atan(3));
  assert_value(f, "sinh(x)", sinh(3));
  assert_value(f, "cosh(x)", cosh(3));
  assert_value(f, "tanh(x)", tanh(3));
  assert_value(f, "exp(x)", exp(3));
  assert_value(f, "log(x)", log(3));
  assert_value(f, "sqrt(x)", sqrt(3));
  assert_value(f, "abs(y)", 2);
  assert_value(f, "sign(y) + 10*sign(x) + 100*sign(x-3)", 9);
  assert_value(f, "step(y) + 10*step(x) + 100*step(x-3)", 110);
  assert_value(f, "floor(y/4) + 10*floor(x/2)", 9);
  assert_value(f, "min(x, y)", -2);
  assert_value(f, "max(x, y, z, 4, 1)", 4);
  assert_value(f, "min(4, x, z, y, 1)", -2);
  assert_value(f, "atan2(y, x)", atan2(-2, 3));
  assert_value(f, "hypot(x, 4)", 5);
  assert_value(f, "if(x > 2, 10, 20) + if(x > 3, 1, 2)", 12);
  assert_value(f, "if(y, 1, 2)", 1);
  assert_value(f, "(x<3) + 2*(x<=3) + 4*(x>3) + 8*(x>=3) + 16*(x==3) + 32*(x!=3)", 2 + 8 + 16);
  assert_value(f, "(y<x) + 2*(y<=x) + 4*(y>x) + 8*(y>=x) + 16*(y==x) + 32*(y!=x)", 1 + 2 + 32);
}

static void nan_comes_out_of_decisions_but_not_out_of_the_branch_not_taken(void **state) {
  const fixture *f = *state;
  assert_value(f, "if(x > 0, 1, sqrt(y))", 1);
  assert_value(f, "if(x > 0, 1, sqrt(-1))", 1);
  assert_value(f, "if(y > 0, log(y), 7)", 7);
  assert_value(f, "if(x > 0, sqrt(y), 1)", NAN);
  static const char *const leaking[] = {
      "sqrt(y)",        "if(sqrt(y), 1, 2)",   "sqrt(y) < 1",    "sqrt(y) != 1",    "sqrt(y) == 1",
      "1 >= sqrt(y)",   "step(sqrt(y))",       "sign(sqrt(y))",  "min(1, sqrt(y))", "min(sqrt(y), 1)",
      "max(sqrt(y),1)", "hypot(sqrt(y), 1/0)", "floor(sqrt(y))", "abs(sqrt(y))",    "if(sqrt(-1), 1, x)"};
  for (size_t k = 0; k < sizeof leaking / sizeof *leaking; k++) assert_value(f, leaking[k], NAN);
  assert_value(f, "1/0", INFINITY);
  assert_value(f, "log(x - 3)", -INFINITY);
}

static void constants_are_folded_and_dependence_is_known(void **state) {
  const fixture *f = *state;
  thud_expr *expr = thud_test_compile(f->context, f->scope, "sin(pi/6)^2 + mass*k - max(1, 2, 3)");
  assert_true(thud_expr_is_constant(expr));
  assert_int_equal(expr->count, 1);
  assert_false(thud_expr_depends_on(expr, X));
  thud_assert_nearer(thud_expr_evaluate(expr, NULL), (0.25 + 1 - 3), 1e-15);
  thud_expr_destroy(expr);
  expr = thud_test_compile(f->context, f->scope, "if(mass > 1, x, y)*1 + 0*z");
  assert_false(thud_expr_is_constant(expr));
  assert_true(thud_expr_depends_on(expr, X));
  assert_false(thud_expr_depends_on(expr, Y));
  assert_true(thud_expr_depends_on(expr, Z)); /* 0*z is NaN for an infinite z */
  thud_expr_destroy(expr);
}

static void equal_parts_are_computed_once(void **state) {
  const fixture *f = *state;
  thud_expr *expr = thud_test_compile(f->context, f->scope, "sin(x*y + 1)^2 + cos(1 + y*x)^2 + sin(x*y + 1)");
  /* leaves 1, x, y; x*y, +1, sin, cos, two squares, two sums */
  assert_int_equal(expr->count, 11);
  assert_int_equal(expr->leaf_count, 3);
  for (int32_t k = expr->leaf_count; k < expr->count; k++)
    for (int i = 0; i < thud_expr_ops[expr->code[k].op].arity; i++) thud_assert_less(expr->code[k].operand[i], k);
  const double variables[VARIABLES] = {[X] = 0.7, [Y] = 1.3};
  double s = sin(0.7 * 1.3 + 1), c = cos(1 + 1.3 * 0.7);
  thud_assert_equal(thud_expr_evaluate(expr, variables), s * s + c * c + s);
  thud_expr_destroy(expr);
}

/* 300 shared results are all alive between the two halves: sharing gives way to recomputation. */
static void many_shared_parts_still_fit_into_the_registers(void **state) {
  const fixture *f = *state;
  enum { PARTS = 300, ROOM = PARTS * 2 * 16 };
  char *source = calloc(ROOM, 1);
  assert_non_null(source);
  size_t used = 0;
  for (int half = 0; half < 2; half++)
    for (int k = 0; k < PARTS; k++)
      used += (size_t)snprintf(source + used, ROOM - used, "%ssin(x+%d)%s", k == 0 ? "(" : "", k,
                               k < PARTS - 1 ? (half == 0 ? "+" : "-")
                               : half == 0   ? ")*"
                                             : ")");
  double sum = 0, difference = 0, variables[VARIABLES] = {[X] = 0.3};
  for (int k = 0; k < PARTS; k++) {
    sum = k == 0 ? sin(0.3) : sum + sin(0.3 + k);
    difference = k == 0 ? sin(0.3) : difference - sin(0.3 + k);
  }
  thud_assert_equal(value(f, source, variables), sum * difference);
  free(source);
}

/* ---- random expressions against an independent evaluator --------------------------------------- */

typedef struct tree {
  int kind; /* 0 number, 1 variable, 2 unary minus, 3.. binary operators, then calls */
  double number;
  int variable;
  struct tree *child[3];
} tree;

enum {
  NUMBER,
  NAME,
  MINUS,
  PLUS,
  SUB,
  MUL,
  DIV,
  POW,
  LT,
  GE,
  EQ,
  CALL_SIN,
  CALL_EXP,
  CALL_ABS,
  CALL_STEP,
  CALL_FLOOR,
  CALL_MIN,
  CALL_MAX,
  CALL_HYPOT,
  CALL_IF,
  KINDS
};

static const char *const kind_text[KINDS] = {"",   "",    "-",   "+",   "-",    "*",     "/",   "^",   "<",     ">=",
                                             "==", "sin", "exp", "abs", "step", "floor", "min", "max", "hypot", "if"};

typedef struct tree_pool {
  tree nodes[400];
  size_t count;
} tree_pool;

static tree *grow(tree_pool *pool, thud_random *random, int depth) {
  tree *node = &pool->nodes[pool->count++];
  thud_assert_at_most(pool->count, 400);
  node->kind = depth == 0 ? (int)thud_random_below(random, 2) : (int)thud_random_below(random, KINDS);
  int children = node->kind < MINUS      ? 0
                 : node->kind == MINUS   ? 1
                 : node->kind < CALL_SIN ? 2
                 : node->kind < CALL_MIN ? 1
                 : node->kind == CALL_IF ? 3
                                         : 2;
  static const double numbers[] = {0, 1, 2, 3, 0.5, 0.1, 7.25, 1e-3};
  node->number = numbers[thud_random_below(random, 8)];
  node->variable = (int)thud_random_below(random, 3);
  for (int k = 0; k < children; k++) node->child[k] = grow(pool, random, depth - 1);
  return node;
}

static double walk(const tree *n, const double *v) {
  double a = n->child[0] != NULL ? walk(n->child[0], v) : 0, b = n->child[1] != NULL ? walk(n->child[1], v) : 0;
  bool unordered = isnan(a) || isnan(b);
  switch (n->kind) {
  case NUMBER: return n->number;
  case NAME: return v[n->variable];
  case MINUS: return -a;
  case PLUS: return a + b;
  case SUB: return a - b;
  case MUL: return a * b;
  case DIV: return a / b;
  case POW: return b == 2 && n->child[1]->kind == NUMBER ? a * a : pow(a, b);
  case LT: return unordered ? NAN : a < b;
  case GE: return unordered ? NAN : a >= b;
  case EQ: return unordered ? NAN : a == b;
  case CALL_SIN: return sin(a);
  case CALL_EXP: return exp(a);
  case CALL_ABS: return fabs(a);
  case CALL_STEP: return isnan(a) ? NAN : a >= 0;
  case CALL_FLOOR: return floor(a);
  case CALL_MIN: return unordered ? NAN : a < b ? a : b;
  case CALL_MAX: return unordered ? NAN : a > b ? a : b;
  case CALL_HYPOT: return unordered ? NAN : hypot(a, b);
  default: return isnan(a) ? NAN : a != 0 ? b : walk(n->child[2], v);
  }
}

/* How tightly a kind binds; calls, names and numbers bind tightest. */
static int binding(const tree *n) {
  switch (n->kind) {
  case LT:
  case GE:
  case EQ: return 1;
  case PLUS:
  case SUB: return 2;
  case MUL:
  case DIV: return 3;
  case MINUS: return 4;
  case POW: return 5;
  default: return 6;
  }
}

/* Writes with parentheses only where the grammar needs them, and now and then where it does not. */
static void print(const tree *n, int least, thud_random *random, char *out, size_t room) {
  bool parenthesis = binding(n) < least || thud_random_below(random, 10) == 0;
  size_t used = strlen(out);
#define APPEND(...) (used = strlen(out), (void)snprintf(out + used, room - used, __VA_ARGS__))
  if (parenthesis) APPEND("(");
  if (n->kind == NUMBER) {
    APPEND("%.17g", n->number);
  } else if (n->kind == NAME) {
    APPEND("%c", "xyz"[n->variable]);
  } else if (n->kind == MINUS) {
    APPEND("-");
    print(n->child[0], 4, random, out, room);
  } else if (n->kind >= CALL_SIN) {
    APPEND("%s(", kind_text[n->kind]);
    for (int k = 0; k < 3 && n->child[k] != NULL; k++) {
      if (k > 0) APPEND(", ");
      print(n->child[k], 0, random, out, room);
    }
    APPEND(")");
  } else {
    int level = binding(n);
    print(n->child[0], n->kind == POW ? 6 : level == 1 ? 2 : level, random, out, room);
    APPEND(thud_random_below(random, 2) ? "%s" : " %s ", kind_text[n->kind]);
    print(n->child[1], n->kind == POW ? 4 : level + 1, random, out, room);
  }
  if (parenthesis) APPEND(")");
#undef APPEND
}

static void random_expressions_agree_bit_for_bit_with_an_independent_evaluator(void **state) {
  const fixture *f = *state;
  thud_random random = thud_random_seed(20240501);
  static char source[60000];
  size_t finite = 0;
  for (int round = 0; round < 6000; round++) {
    tree_pool *pool = calloc(1, sizeof *pool);
    assert_non_null(pool);
    const tree *root = grow(pool, &random, 1 + round % 5);
    source[0] = '\0';
    print(root, 0, &random, source, sizeof source);
    thud_expr *expr = thud_test_compile(f->context, f->scope, source);
    for (int trial = 0; trial < 5; trial++) {
      double v[VARIABLES] = {0};
      for (int k = 0; k < 3; k++) v[k] = trial == 0 ? k - 1 : thud_random_uniform(&random, -3, 3);
      double found = thud_expr_evaluate(expr, v), expected = walk(root, v);
      bool same = (isnan(found) && isnan(expected)) || memcmp(&found, &expected, sizeof found) == 0;
      if (!same) fail_msg("'%s' at %.17g %.17g %.17g: %.17g, not %.17g", source, v[0], v[1], v[2], found, expected);
      /* with no variable moving, the sided value is the plain one */
      found = thud_expr_evaluate_side(expr, v, T, THUD_SIDE_LEFT);
      same = (isnan(found) && isnan(expected)) || found == expected;
      if (!same) fail_msg("'%s' from the left: %.17g, not %.17g", source, found, expected);
      finite += isfinite(expected) != 0;
    }
    thud_expr_destroy(expr);
    free(pool);
  }
  thud_assert_greater(finite, 15000); /* the comparison is about numbers, not about NaN */
}

/* ---- errors -------------------------------------------------------------------------------------- */

static void every_error_names_its_column_and_the_remedy(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *source;
    thud_error error;
    int column, length;
    const char *says;
  } cases[] = {
      {"", THUD_ERROR_SYNTAX, 1, 0, "empty"},
      {"  ", THUD_ERROR_SYNTAX, 3, 0, "empty"},
      {"1 +", THUD_ERROR_SYNTAX, 4, 0, "column 4: expected a number, a name or '(', found the end"},
      {"1 + * 2", THUD_ERROR_SYNTAX, 5, 1, "column 5: expected a number, a name or '(', found '*'"},
      {"2 x", THUD_ERROR_SYNTAX, 3, 1, "column 3: expected an operator before 'x'; products are written with *"},
      {"2x", THUD_ERROR_SYNTAX, 2, 1, "column 2: expected an operator before 'x'; products are written with *"},
      {"2e", THUD_ERROR_SYNTAX, 2, 1, "column 2: expected an operator before 'e'; products are written with *"},
      {"(1 + 2", THUD_ERROR_SYNTAX, 1, 1, "never closed"},
      {"x + (1 + (2)", THUD_ERROR_SYNTAX, 5, 1, "never closed"},
      {"1 + 2)", THUD_ERROR_SYNTAX, 6, 1, "column 6: this ')' was never opened"},
      {"(1, 2)", THUD_ERROR_SYNTAX, 3, 1, "column 3: expected an operator or ')', found ','"},
      {"1, 2", THUD_ERROR_SYNTAX, 2, 1, "column 2: expected an operator before ','"},
      {"x ** 2", THUD_ERROR_SYNTAX, 3, 2, "column 3: unexpected '**'; powers are written with ^"},
      {"x = 2", THUD_ERROR_SYNTAX, 3, 1, "column 3: unexpected '='; equality is written =="},
      {"x && y", THUD_ERROR_SYNTAX, 3, 2, "column 3: unexpected '&&'; write min(a, b) of two conditions"},
      {"x || y", THUD_ERROR_SYNTAX, 3, 2, "column 3: unexpected '||'; write max(a, b) of two conditions"},
      {"!x", THUD_ERROR_SYNTAX, 1, 1, "column 1: unexpected '!'; write 1 - condition"},
      {"x % 2", THUD_ERROR_SYNTAX, 3, 1, "column 3: unexpected '%'"},
      {"x \xE2\x88\x92 1", THUD_ERROR_SYNTAX, 3, 3, "column 3: unexpected '−'; write the ASCII minus sign -"},
      {"2\xC3\x97x", THUD_ERROR_SYNTAX, 2, 2, "column 2: unexpected '×'; products are written with *"},
      {"\xCE\xB8 + 1", THUD_ERROR_SYNTAX, 1, 2, "unexpected '\xCE\xB8'"},
      {"x + \xFF", THUD_ERROR_SYNTAX, 5, 1, "column 5: unexpected byte 0xFF; expressions are plain text"},
      {"x + \x01", THUD_ERROR_SYNTAX, 5, 1, "column 5: unexpected byte 0x01; expressions are plain text"},
      {"(x+1)'", THUD_ERROR_SYNTAX, 6, 1, "must directly follow the name"},
      {"q '", THUD_ERROR_SYNTAX, 3, 1, "must directly follow the name"},
      {"1.2.3", THUD_ERROR_SYNTAX, 1, 4, "column 1: a number with two decimal points"},
      {"1 + 1e999", THUD_ERROR_SYNTAX, 5, 5, "column 5: the number 1e999 is too large for a double"},
      {"x < y < z", THUD_ERROR_SYNTAX, 7, 1,
       "column 7: comparisons cannot be chained; for a < b < c write min(a < b, b < c)"},
      {"sin", THUD_ERROR_SYNTAX, 1, 3, "column 1: 'sin' is a function; write sin(...)"},
      {"1 + sin()", THUD_ERROR_SYNTAX, 5, 3, "column 5: sin takes 1 argument, but 0 are given"},
      {"sin(x, y)", THUD_ERROR_SYNTAX, 1, 3, "column 1: sin takes 1 argument, but 2 are given"},
      {"atan2(x)", THUD_ERROR_SYNTAX, 1, 5, "column 1: atan2 takes 2 arguments, but 1 is given"},
      {"2*min(x)", THUD_ERROR_SYNTAX, 3, 3, "column 3: min takes 2 arguments or more, but 1 is given"},
      {"if(x, y)", THUD_ERROR_SYNTAX, 1, 2, "column 1: if takes 3 arguments, but 2 are given"},
      {"if(x, y, z, q)", THUD_ERROR_SYNTAX, 1, 2, "column 1: if takes 3 arguments, but 4 are given"},
      {"sin(x", THUD_ERROR_SYNTAX, 6, 0, "column 6: expected ',' or ')' after an argument, found the end"},
      {"max(x, )", THUD_ERROR_SYNTAX, 8, 1, "column 8: expected a number, a name or '(', found ')'"},
      {"x(2)", THUD_ERROR_SYNTAX, 1, 1, "x*(...)"},
      {"pi(2)", THUD_ERROR_SYNTAX, 1, 2, "pi*(...)"},
      {"1 + sinn(x)", THUD_ERROR_NOT_FOUND, 5, 4, "column 5: unknown function 'sinn' (did you mean 'sin'?)"},
      {"1 + mas*x", THUD_ERROR_NOT_FOUND, 5, 3, "column 5: unknown name 'mas' (did you mean 'mass'?)"},
      {"1 + x'", THUD_ERROR_NOT_FOUND, 5, 2, "column 5: unknown name 'x'' (did you mean 'q''?)"},
      {"unrelated_word", THUD_ERROR_NOT_FOUND, 1, 14, "column 1: unknown name 'unrelated_word'"},
  };
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    thud_expr_place place = {-7, -7};
    thud_expr *expr = NULL;
    thud_error error = thud_expr_compile(f->context, f->scope, cases[k].source, &place, &expr);
    const char *message = thud_context_last_message(f->context);
    char start[32];
    snprintf(start, sizeof start, "column %d: ", cases[k].column);
    bool good = error == cases[k].error && place.column == cases[k].column && place.length == cases[k].length &&
                strncmp(message, start, strlen(start)) == 0 && strstr(message, cases[k].says) != NULL && expr == NULL;
    if (!good)
      fail_msg("'%s': error %d, place %d+%d, message '%s'", cases[k].source, (int)error, (int)place.column,
               (int)place.length, message);
  }
  assert_int_equal(thud_expr_compile(f->context, f->scope, NULL, NULL, NULL), THUD_ERROR_ARGUMENT);
}

/* Texts of random words: compiled or refused, and a refusal marks a place inside the text. */
static void random_texts_never_crash_the_parser(void **state) {
  const fixture *f = *state;
  static const char *const words[] = {"x",  "y'",   "q'",   "(",    ")",   "(",     ")",       ",", "+",  "-",
                                      "*",  "/",    "^",    "<",    "<=",  "==",    " ",       "1", ".5", "1e",
                                      "2.", "pi",   "sin",  "max(", "if(", "\n",    "mass",    "'", "!=", "=",
                                      "**", "\xC3", "\xFF", "$",    "q''", "1e400", "hypot(x,"};
  thud_random random = thud_random_seed(99);
  int compiled = 0, refused = 0;
  for (int round = 0; round < 20000; round++) {
    char source[400] = "";
    for (uint32_t k = 1 + thud_random_below(&random, 1 + (uint32_t)round % 12); k > 0; k--)
      strcat(source, words[thud_random_below(&random, sizeof words / sizeof *words)]);
    thud_expr_place place = {-1, -1};
    thud_expr *expr = NULL;
    if (thud_expr_compile(f->context, f->scope, source, &place, &expr) == THUD_OK) {
      compiled++;
      thud_expr_destroy(expr);
      continue;
    }
    refused++;
    assert_null(expr);
    int length = (int)strlen(source);
    if (place.column < 1 || place.length < 0 || place.column + place.length - 1 > length)
      fail_msg("'%s': place %d+%d", source, (int)place.column, (int)place.length);
  }
  thud_assert_greater(compiled, 500);
  thud_assert_greater(refused, 10000);
}

static char *repeated(const char *unit, size_t times, const char *middle, const char *closing) {
  char *text = calloc(times * (strlen(unit) + strlen(closing)) + strlen(middle) + 1, 1), *end = text;
  assert_non_null(text);
  for (size_t k = 0; k < times; k++, end += strlen(unit)) memcpy(end, unit, strlen(unit));
  memcpy(end, middle, strlen(middle));
  end += strlen(middle);
  for (size_t k = 0; k < times; k++, end += strlen(closing)) memcpy(end, closing, strlen(closing));
  return text;
}

static void length_and_depth_are_limited(void **state) {
  const fixture *f = *state;
  const double variables[VARIABLES] = {[X] = 1};
  static const struct {
    const char *unit, *middle, *closing;
    double at_limit;
    int first_too_deep; /* offset in the last unit of the first operand that is too deep */
  } nests[] = {{"(", "x", ")", 1, 1},
               {"-", "x", "", 1, 1},
               {"x^", "x", "", 1, 2},
               {"abs(", "x", ")", 1, 4},
               {"if(x,2*x,", "x", ")", 2, 3}};
  for (size_t k = 0; k < sizeof nests / sizeof *nests; k++) {
    char *deepest = repeated(nests[k].unit, THUD_EXPR_MAX_DEPTH, nests[k].middle, nests[k].closing);
    char *deeper = repeated(nests[k].unit, THUD_EXPR_MAX_DEPTH + 1, nests[k].middle, nests[k].closing);
    thud_assert_equal(value(f, deepest, variables), nests[k].at_limit);
    thud_expr_place place;
    thud_expr *expr = NULL;
    assert_int_equal(thud_expr_compile(f->context, f->scope, deeper, &place, &expr), THUD_ERROR_OVERFLOW);
    assert_int_equal(place.column, 1 + THUD_EXPR_MAX_DEPTH * (int)strlen(nests[k].unit) + nests[k].first_too_deep);
    assert_non_null(strstr(thud_context_last_message(f->context), "nested more than 200 deep"));
    free(deepest);
    free(deeper);
  }
  char *longest = repeated("x+", THUD_EXPR_MAX_LENGTH / 2 - 1, "xx", "");
  longest[THUD_EXPR_MAX_LENGTH - 1] = ' ';
  assert_int_equal(strlen(longest), THUD_EXPR_MAX_LENGTH);
  thud_assert_equal(value(f, longest, variables), THUD_EXPR_MAX_LENGTH / 2);
  free(longest);
  char *longer = repeated("x+", THUD_EXPR_MAX_LENGTH / 2, "x", "");
  thud_expr_place place;
  thud_expr *expr = NULL;
  assert_int_equal(thud_expr_compile(f->context, f->scope, longer, &place, &expr), THUD_ERROR_OVERFLOW);
  assert_int_equal(place.column, THUD_EXPR_MAX_LENGTH + 1);
  free(longer);
  char *digits = repeated("1", 401, "", "");
  assert_int_equal(thud_expr_compile(f->context, f->scope, digits, &place, &expr), THUD_ERROR_SYNTAX);
  free(digits);
}

/* In this field e is the coefficient of restitution. */
static void the_name_e_may_mean_something_else(void **state) {
  const fixture *f = *state;
  thud_expr *expr;
  assert_int_equal(thud_expr_compile(f->context, f->scope, "e", NULL, &expr), THUD_OK);
  thud_assert_equal(thud_expr_evaluate(expr, (const double[16]){0}), exp(1));
  thud_expr_destroy(expr);
  assert_int_equal(thud_expr_scope_add_parameter(f->scope, "e", 0.5), THUD_OK);
  assert_int_equal(thud_expr_compile(f->context, f->scope, "e", NULL, &expr), THUD_OK);
  thud_assert_equal(thud_expr_evaluate(expr, (const double[16]){0}), 0.5);
  thud_expr_destroy(expr);
}

static void scopes_refuse_bad_names(void **state) {
  const fixture *f = *state;
  static const struct {
    const char *name, *says;
  } cases[] = {{"", "starts with a letter"},
               {"1x", "starts with a letter"},
               {"a b", "character 2"},
               {"a'b", "character 2"},
               {"pi", "'pi' is the constant 3.14159; choose another name"},
               {"sin", "built-in function"},
               {"if", "built-in function"},
               {"x", "'x' is a variable already; choose another name"},
               {"mass", "'mass' is a parameter already; choose another name"},
               {"q'", NULL},
               {"\xCE\xB8", "'θ' cannot be a name: a name starts with a letter a-z, A-Z or _"},
               {"caf\xC3\xA9", "'café' cannot be a name: character 4; letters a-z A-Z, digits and _ are allowed"}};
  for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
    assert_int_equal(thud_expr_scope_add_parameter(f->scope, cases[k].name, 1), THUD_ERROR_ARGUMENT);
    if (cases[k].says != NULL && strcmp(cases[k].name, "a'b") != 0)
      assert_non_null(strstr(thud_context_last_message(f->context), cases[k].says));
    thud_index slot = -5;
    assert_int_equal(thud_expr_scope_add_variable(f->scope, cases[k].name, &slot), THUD_ERROR_ARGUMENT);
    assert_int_equal(slot, -5);
  }
  assert_int_equal(thud_expr_scope_add_parameter(f->scope, NULL, 1), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_scope_add_parameter(f->scope, "w", NAN), THUD_ERROR_NOT_FINITE);
  assert_int_equal(thud_expr_scope_add_parameter(f->scope, "w", INFINITY), THUD_ERROR_NOT_FINITE);
  thud_regulated function = {.dimension = 2};
  assert_int_equal(thud_expr_scope_add_function(f->scope, "w", T, &function), THUD_ERROR_ARGUMENT);
  assert_int_equal(thud_expr_scope_variable_count(f->scope), VARIABLES);
}

static thud_error compile_everything(thud_context *context, void *user) {
  (void)user;
  thud_expr_scope *scope = NULL;
  thud_expr *expr = NULL;
  thud_expr_place place;
  thud_error error = thud_expr_scope_create(context, &scope);
  if (error == THUD_OK) error = fill_scope(scope);
  if (error == THUD_OK)
    error =
        thud_expr_compile(context, scope, "sin(x*y)+cos(y*z)-exp(q')*if(t<1,mass,k)^3 + hypot(x,2)/7", &place, &expr);
  if (error != THUD_OK) assert_null(expr);
  thud_expr_destroy(expr);
  /* a message about an unknown name allocates its candidates */
  thud_expr *unknown = NULL;
  if (error == THUD_OK) {
    thud_error wrong = thud_expr_compile(context, scope, "massy", &place, &unknown);
    error = wrong == THUD_ERROR_NOT_FOUND ? THUD_OK : wrong;
    assert_null(unknown);
  }
  thud_expr_scope_destroy(scope);
  return error;
}

static void compiling_survives_every_failed_allocation(void **state) {
  (void)state;
  thud_assert_greater(thud_test_sweep_allocations(compile_everything, NULL), 20);
}

static void evaluation_allocates_nothing(void **state) {
  const fixture *f = *state;
  thud_expr *expr =
      thud_test_compile(f->context, f->scope, "sin(x*y)+cos(y*z)-exp(q')*if(t<1,mass,k)^3 + hypot(x,2)/7");
  uint64_t before = thud_context_allocation_count(f->context);
  const double variables[VARIABLES] = {[X] = 1};
  double sum = 0;
  for (int k = 0; k < 100; k++)
    sum += thud_expr_evaluate(expr, variables) - thud_expr_evaluate_side(expr, variables, T, THUD_SIDE_RIGHT);
  thud_assert_equal(sum, 0);
  assert_int_equal(thud_context_allocation_count(f->context), before);
  thud_expr_destroy(expr);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test_setup_teardown(precedence_and_associativity_follow_the_grammar, set_up, tear_down),
      cmocka_unit_test_setup_teardown(functions_and_constants_have_their_values, set_up, tear_down),
      cmocka_unit_test_setup_teardown(nan_comes_out_of_decisions_but_not_out_of_the_branch_not_taken, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(constants_are_folded_and_dependence_is_known, set_up, tear_down),
      cmocka_unit_test_setup_teardown(equal_parts_are_computed_once, set_up, tear_down),
      cmocka_unit_test_setup_teardown(many_shared_parts_still_fit_into_the_registers, set_up, tear_down),
      cmocka_unit_test_setup_teardown(random_expressions_agree_bit_for_bit_with_an_independent_evaluator, set_up,
                                      tear_down),
      cmocka_unit_test_setup_teardown(every_error_names_its_column_and_the_remedy, set_up, tear_down),
      cmocka_unit_test_setup_teardown(random_texts_never_crash_the_parser, set_up, tear_down),
      cmocka_unit_test_setup_teardown(length_and_depth_are_limited, set_up, tear_down),
      cmocka_unit_test_setup_teardown(the_name_e_may_mean_something_else, set_up, tear_down),
      cmocka_unit_test_setup_teardown(scopes_refuse_bad_names, set_up, tear_down),
      cmocka_unit_test_setup_teardown(compiling_survives_every_failed_allocation, set_up, tear_down),
      cmocka_unit_test_setup_teardown(evaluation_allocates_nothing, set_up, tear_down),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
