#include "base/base.h"
#include "expr/builder.h"
#include "expr/lexer.h"
#include "expr/scope.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

/* Recursive descent, loosest first:
 *   comparison = sum [("<" | "<=" | ">" | ">=" | "==" | "!=") sum]
 *   sum        = product {("+" | "-") product}
 *   product    = signed {("*" | "/") signed}
 *   signed     = ("+" | "-") signed | power
 *   power      = primary ["^" signed]
 *   primary    = number | name | name "(" comparison {"," comparison} ")" | "(" comparison ")"
 * Every way to nest passes through `signed`, where the depth is counted. */
typedef struct parser {
  thud_context *context;
  const thud_expr_scope *scope;
  expr_builder *builder;
  expr_lexer lexer;
  expr_token token; /* the one that is looked at */
  int depth;
  thud_expr_place place;      /* of the error */
  const thud_expr_place *use; /* not NULL: the text is that of a named expression, used at this place */
} parser;

static thud_error parse_comparison(parser *p, int32_t *node);
static thud_error parse_all(parser *p, int32_t *root);
static thud_error check_length(thud_context *context, const char *source, thud_expr_place *place, size_t *length);

/* Place that nodes remember: in the text that the user handed over, not in a named expression. */
static thud_expr_place place_of(const parser *p, thud_expr_place place) { return p->use != NULL ? *p->use : place; }

static thud_error advance(parser *p) { return thud_expr_next_token(&p->lexer, &p->place, &p->token); }

/* Describes the current token, for messages. */
static const char *describe_token(const parser *p, char *buffer, size_t capacity) {
  if (p->token.kind == TOKEN_END)
    snprintf(buffer, capacity, "the end");
  else
    snprintf(buffer, capacity, "'%.*s'", p->token.place.length < 40 ? (int)p->token.place.length : 40, p->token.text);
  return buffer;
}

static thud_error expect(parser *p, expr_token_kind kind, const char *what) {
  char found[64];
  if (p->token.kind != kind)
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, p->token.place, &p->place,
                             "[expression] expected %s, found %s", what, describe_token(p, found, sizeof found));
  return advance(p);
}

/* "did you mean" among the scope's names and the built-in words (calls only for a called name). */
static thud_error fail_unknown(parser *p, const expr_token *name, bool called) {
  char word[72];
  int length = name->place.length < 70 ? (int)name->place.length : 70;
  snprintf(word, sizeof word, "%.*s", length, name->text);
  size_t room = p->scope->count + EXPR_OP_COUNT + 2, count = 0;
  const char **candidates = THUD_NEW_ARRAY(p->context, const char *, room);
  if (candidates == NULL) return THUD_ERROR_MEMORY;
  /* On a tie the first candidate wins: the user's own names before the built-in ones. */
  for (size_t k = 0; !called && k < p->scope->count; k++) candidates[count++] = p->scope->names[k].text;
  for (int op = 0; op < EXPR_OP_COUNT; op++)
    if (thud_expr_ops[op].notation >= EXPR_CALL) candidates[count++] = thud_expr_ops[op].text;
  candidates[count++] = "factorial";
  if (!called) candidates[count++] = "pi";
  const char *near = thud_suggest(word, candidates, count);
  thud_error error =
      thud_expr_fail_at(p->context, THUD_ERROR_NOT_FOUND, name->place, &p->place,
                        "[unknown-symbol] unknown %s '%s'%s%s%s", called ? "function" : "name", word,
                        near != NULL ? " (did you mean '" : "", near != NULL ? near : "", near != NULL ? "'?)" : "");
  thud_free(p->context, candidates);
  return error;
}

/* A decimal fraction is rounded when it is read; a whole number is exact. */
static double reading_error(double value) { return value == floor(value) ? 0 : fabs(value); }

static thud_error fail_argument_count(parser *p, const expr_token *name, expr_op op, int given) {
  const expr_op_info *info = &thud_expr_ops[op];
  return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, name->place, &p->place,
                           "[expression] %s takes %d argument%s%s, but %d %s given", info->text, info->arity,
                           info->arity == 1 ? "" : "s", info->notation == EXPR_CALL_MANY ? " or more" : "", given,
                           given == 1 ? "is" : "are");
}

/* The arguments after "name(", up to and with ")". Of min and max all are folded into the first. */
static thud_error parse_arguments(parser *p, const expr_token *name, expr_op op, int32_t *node) {
  const expr_op_info *info = &thud_expr_ops[op];
  int32_t arguments[EXPR_MAX_ARITY] = {-1, -1, -1};
  int given = 0;
  thud_error error = THUD_OK;
  while (error == THUD_OK && !(given == 0 && p->token.kind == TOKEN_RIGHT)) {
    int32_t argument;
    error = parse_comparison(p, &argument);
    if (error != THUD_OK) return error;
    if (info->notation == EXPR_CALL_MANY && given >= 2)
      error = thud_expr_build_operation(p->builder, op, arguments, place_of(p, name->place), &arguments[0]);
    if (info->notation == EXPR_CALL_MANY && given >= 1)
      arguments[1] = argument;
    else if (given < EXPR_MAX_ARITY)
      arguments[given] = argument;
    given++;
    if (error == THUD_OK && p->token.kind != TOKEN_COMMA) break;
    if (error == THUD_OK) error = advance(p);
  }
  if (error == THUD_OK) error = expect(p, TOKEN_RIGHT, "',' or ')' after an argument");
  if (error != THUD_OK) return error;
  bool right_count = info->notation == EXPR_CALL_MANY ? given >= 2 : given == info->arity;
  if (!right_count) return fail_argument_count(p, name, op, given);
  return thud_expr_build_operation(p->builder, op, arguments, place_of(p, name->place), node);
}

/* n! of a constant whole number, folded into a constant: no operation of its own. 22! is the last exact one. */
static thud_error parse_factorial(parser *p, const expr_token *name, int32_t *node) {
  enum { LARGEST = 170, LARGEST_EXACT = 22 }; /* 171! overflows */
  int32_t argument;
  thud_error error = advance(p);
  if (error == THUD_OK) error = parse_comparison(p, &argument);
  if (error == THUD_OK) error = expect(p, TOKEN_RIGHT, "')' after the argument of factorial");
  if (error != THUD_OK) return error;
  const expr_node *given = &p->builder->nodes[argument];
  if (given->op != EXPR_CONSTANT || !(given->value >= 0 && given->value <= LARGEST) ||
      given->value != floor(given->value))
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, name->place, &p->place,
                             "[expression] factorial takes a constant whole number from 0 to %d", (int)LARGEST);
  double value = 1;
  for (int k = 2; k <= (int)given->value; k++) value *= k;
  double reading = given->value <= LARGEST_EXACT ? 0 : given->value * value;
  return thud_expr_build_constant(p->builder, value, reading, place_of(p, name->place), node);
}

static bool is_factorial(const expr_token *name) {
  static const char word[] = "factorial";
  return (size_t)name->place.length == sizeof word - 1 && strncmp(name->text, word, sizeof word - 1) == 0;
}

static thud_error parse_call(parser *p, const expr_token *name, int32_t *node) {
  size_t length = (size_t)name->place.length;
  expr_op op = thud_expr_find_call(name->text, length);
  double value;
  if (is_factorial(name)) return parse_factorial(p, name, node);
  if (op == EXPR_OP_COUNT) {
    if (thud_expr_scope_find(p->scope, name->text, length) == NULL &&
        !thud_expr_find_constant(name->text, length, &value))
      return fail_unknown(p, name, true);
    int shown = length < 60 ? (int)length : 60;
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, name->place, &p->place,
                             "[expression] '%.*s' is not a function; a product is written %.*s*(...)", shown,
                             name->text, shown, name->text);
  }
  thud_error error = advance(p);
  return error == THUD_OK ? parse_arguments(p, name, op, node) : error;
}

/* The text of a named expression, read with the depth that is left. */
static thud_error read_expression(parser *p, const expr_name *named, const expr_token *name, int32_t *node) {
  thud_expr_place use = place_of(p, name->place);
  parser inner = {.context = p->context,
                  .scope = p->scope,
                  .builder = p->builder,
                  .lexer = {.context = p->context, .source = named->source},
                  .depth = p->depth,
                  .use = &use};
  expr_origin outer = p->builder->origin;
  p->builder->origin.inside = true;
  thud_error error = check_length(p->context, named->source, &inner.place, &inner.lexer.length);
  if (error == THUD_OK) error = parse_all(&inner, node);
  p->builder->origin = outer;
  return error;
}

/* A named expression is read once per builder: later uses find the node. */
static thud_error build_expression(parser *p, const expr_name *named, const expr_token *name, int32_t *node) {
  expr_builder *builder = p->builder;
  size_t index = (size_t)named->slot;
  thud_error error = thud_array_reserve(p->context, &builder->expressions, &builder->expression_capacity, index + 1,
                                        sizeof *builder->expressions);
  if (error != THUD_OK) return error;
  if (builder->expressions[index] < 0)
    return thud_expr_fail_at(p->context, THUD_ERROR_ARGUMENT, name->place, &p->place,
                             "[circular-definition] '%.60s' is defined by itself; break the circle", named->text);
  if (builder->expressions[index] > 0) {
    *node = builder->expressions[index] - 1;
    return THUD_OK;
  }
  builder->expressions[index] = -1;
  error = read_expression(p, named, name, node);
  builder->expressions[index] = error == THUD_OK ? *node + 1 : 0;
  if (error == THUD_OK || error == THUD_ERROR_MEMORY) return error;
  p->place = name->place;
  return thud_fail_within(p->context, error, "column %d: in '%.60s'", (int)name->place.column, named->text);
}

static thud_error build_name(parser *p, const expr_token *name, int32_t *node) {
  size_t length = (size_t)name->place.length;
  const expr_name *found = thud_expr_scope_find(p->scope, name->text, length);
  double value;
  if (found == NULL && thud_expr_find_constant(name->text, length, &value))
    return thud_expr_build_constant(p->builder, value, fabs(value), place_of(p, name->place), node);
  expr_op op = thud_expr_find_call(name->text, length);
  if (found == NULL && op != EXPR_OP_COUNT)
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, name->place, &p->place,
                             "[expression] '%s' is a function; write %s(...)", thud_expr_ops[op].text,
                             thud_expr_ops[op].text);
  if (found == NULL) return fail_unknown(p, name, false);
  thud_expr_place place = place_of(p, name->place);
  switch (found->kind) {
  case EXPR_NAME_VARIABLE: return thud_expr_build_variable(p->builder, found->slot, place, node);
  case EXPR_NAME_FUNCTION: return thud_expr_build_function(p->builder, &found->function, found->slot, place, node);
  case EXPR_NAME_EXPRESSION: return build_expression(p, found, name, node);
  case EXPR_NAME_PARAMETER: break;
  }
  return thud_expr_build_constant(p->builder, found->value, reading_error(found->value), place, node);
}

static thud_error parse_parenthesis(parser *p, int32_t *node) {
  thud_expr_place opened = p->token.place;
  thud_error error = advance(p);
  if (error == THUD_OK) error = parse_comparison(p, node);
  if (error != THUD_OK) return error;
  if (p->token.kind == TOKEN_END)
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, opened, &p->place, "[expression] this '(' is never closed");
  return expect(p, TOKEN_RIGHT, "an operator or ')'");
}

static thud_error parse_primary(parser *p, int32_t *node) {
  expr_token token = p->token;
  char found[64];
  thud_error error;
  switch (token.kind) {
  case TOKEN_NUMBER:
    error =
        thud_expr_build_constant(p->builder, token.number, reading_error(token.number), place_of(p, token.place), node);
    return error == THUD_OK ? advance(p) : error;
  case TOKEN_NAME:
    error = advance(p);
    if (error != THUD_OK) return error;
    return p->token.kind == TOKEN_LEFT ? parse_call(p, &token, node) : build_name(p, &token, node);
  case TOKEN_LEFT: return parse_parenthesis(p, node);
  default:
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, token.place, &p->place,
                             "[expression] expected a number, a name or '(', found %s",
                             describe_token(p, found, sizeof found));
  }
}

static thud_error build_binary(parser *p, expr_op op, int32_t a, int32_t b, thud_expr_place place, int32_t *node) {
  return thud_expr_build_binary(p->builder, op, a, b, place_of(p, place), node);
}

static thud_error parse_signed(parser *p, int32_t *node) {
  expr_token token = p->token;
  if (p->depth > THUD_EXPR_MAX_DEPTH)
    return thud_expr_fail_at(p->context, THUD_ERROR_OVERFLOW, token.place, &p->place,
                             "nested more than %d deep; name a part as a parameter or simplify",
                             (int)THUD_EXPR_MAX_DEPTH);
  p->depth++;
  thud_error error = THUD_OK;
  if (token.kind == TOKEN_MINUS || token.kind == TOKEN_PLUS) {
    error = advance(p);
    if (error == THUD_OK) error = parse_signed(p, node);
    if (error == THUD_OK && token.kind == TOKEN_MINUS)
      error = thud_expr_build_operation(p->builder, EXPR_NEGATE, node, place_of(p, token.place), node);
  } else {
    error = parse_primary(p, node);
    if (error == THUD_OK && p->token.kind == TOKEN_CARET) {
      thud_expr_place caret = p->token.place;
      int32_t exponent;
      error = advance(p);
      if (error == THUD_OK) error = parse_signed(p, &exponent);
      if (error == THUD_OK) error = build_binary(p, EXPR_POWER, *node, exponent, caret, node);
    }
  }
  p->depth--;
  return error;
}

typedef thud_error (*parse_fn)(parser *p, int32_t *node);

/* Left-associative chain of two operators over a tighter level. */
static thud_error parse_chain(parser *p, parse_fn tighter, expr_token_kind first, expr_op first_op,
                              expr_token_kind second, expr_op second_op, int32_t *node) {
  thud_error error = tighter(p, node);
  while (error == THUD_OK && (p->token.kind == first || p->token.kind == second)) {
    expr_op op = p->token.kind == first ? first_op : second_op;
    thud_expr_place place = p->token.place;
    int32_t right;
    error = advance(p);
    if (error == THUD_OK) error = tighter(p, &right);
    if (error == THUD_OK) error = build_binary(p, op, *node, right, place, node);
  }
  return error;
}

static thud_error parse_product(parser *p, int32_t *node) {
  return parse_chain(p, parse_signed, TOKEN_STAR, EXPR_MULTIPLY, TOKEN_SLASH, EXPR_DIVIDE, node);
}

static thud_error parse_sum(parser *p, int32_t *node) {
  return parse_chain(p, parse_product, TOKEN_PLUS, EXPR_ADD, TOKEN_MINUS, EXPR_SUBTRACT, node);
}

static bool is_comparison(expr_token_kind kind) { return kind >= TOKEN_LESS && kind <= TOKEN_NOT_EQUAL; }

static thud_error build_comparison(parser *p, expr_token_kind kind, int32_t a, int32_t b, thud_expr_place place,
                                   int32_t *node) {
  switch (kind) {
  case TOKEN_LESS: return build_binary(p, EXPR_LESS, a, b, place, node);
  case TOKEN_LESS_EQUAL: return build_binary(p, EXPR_LESS_EQUAL, a, b, place, node);
  case TOKEN_GREATER: return build_binary(p, EXPR_LESS, b, a, place, node);
  case TOKEN_GREATER_EQUAL: return build_binary(p, EXPR_LESS_EQUAL, b, a, place, node);
  case TOKEN_EQUAL: return build_binary(p, EXPR_EQUAL, a, b, place, node);
  default: return build_binary(p, EXPR_NOT_EQUAL, a, b, place, node);
  }
}

static thud_error parse_comparison(parser *p, int32_t *node) {
  thud_error error = parse_sum(p, node);
  if (error != THUD_OK || !is_comparison(p->token.kind)) return error;
  expr_token written = p->token;
  int32_t right;
  error = advance(p);
  if (error == THUD_OK) error = parse_sum(p, &right);
  if (error == THUD_OK) error = build_comparison(p, written.kind, *node, right, written.place, node);
  if (error == THUD_OK && is_comparison(p->token.kind))
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, p->token.place, &p->place,
                             "[expression] comparisons cannot be chained; for a < b < c write min(a < b, b < c)");
  return error;
}

/* After a complete expression only the end may be; the usual slip is a forgotten operator. */
static thud_error expect_end(parser *p) {
  char found[64];
  if (p->token.kind == TOKEN_END) return THUD_OK;
  describe_token(p, found, sizeof found);
  if (p->token.kind == TOKEN_RIGHT)
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, p->token.place, &p->place,
                             "[expression] this ')' was never opened");
  bool operand = p->token.kind == TOKEN_NAME || p->token.kind == TOKEN_NUMBER || p->token.kind == TOKEN_LEFT;
  return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, p->token.place, &p->place,
                           "[expression] expected an operator before %s%s", found,
                           operand ? "; products are written with *" : "");
}

static thud_error parse_all(parser *p, int32_t *root) {
  thud_error error = advance(p);
  if (error == THUD_OK && p->token.kind == TOKEN_END)
    return thud_expr_fail_at(p->context, THUD_ERROR_SYNTAX, p->token.place, &p->place,
                             "[expression] the expression is empty");
  if (error == THUD_OK) error = parse_comparison(p, root);
  if (error == THUD_OK) error = expect_end(p);
  return error;
}

static thud_error check_length(thud_context *context, const char *source, thud_expr_place *place, size_t *length) {
  *length = strlen(source);
  if (*length <= THUD_EXPR_MAX_LENGTH) return THUD_OK;
  return thud_expr_fail_at(context, THUD_ERROR_OVERFLOW,
                           (thud_expr_place){.column = THUD_EXPR_MAX_LENGTH + 1, .length = 1}, place,
                           "an expression of %zu bytes; at most %d are allowed", *length, (int)THUD_EXPR_MAX_LENGTH);
}

thud_error thud_expr_parse(expr_builder *builder, const thud_expr_scope *scope, const char *source,
                           thud_expr_place *place, int32_t *node) {
  thud_context *context = builder->context;
  parser p = {.context = context,
              .scope = scope,
              .builder = builder,
              .lexer = {.context = context, .source = source},
              .place = {.column = 1, .length = 0}};
  thud_error error = check_length(context, source, &p.place, &p.lexer.length);
  if (error == THUD_OK) error = parse_all(&p, node);
  if (error != THUD_OK) *place = p.place;
  return error;
}

static thud_error compile(thud_context *context, const thud_expr_scope *scope, const char *source, bool share,
                          thud_expr_place *place, bool *fits, thud_expr **expr) {
  expr_builder builder = {.context = context, .share = share};
  int32_t root = -1;
  thud_error error = thud_expr_parse(&builder, scope, source, place, &root);
  if (error == THUD_OK)
    error = thud_expr_builder_finish(&builder, 1, &root, scope->variable_count, true, NULL, fits, expr);
  thud_expr_builder_release(&builder);
  return error;
}

thud_error thud_expr_compile(thud_context *context, const thud_expr_scope *scope, const char *source,
                             thud_expr_place *place, thud_expr **expr) {
  THUD_REQUIRE(context, context, scope, source, expr);
  thud_expr_place where = {.column = 1, .length = 0};
  thud_error error = THUD_OK;
  if (scope == NULL || source == NULL || expr == NULL)
    error = thud_fail(context, THUD_ERROR_ARGUMENT, "an expression needs a scope, a source text and a place");
  bool fits = false;
  for (int share = 1; error == THUD_OK && share >= 0 && !fits; share--)
    error = compile(context, scope, source, share != 0, &where, &fits, expr);
  if (error == THUD_OK && !fits)
    error = thud_fail(context, THUD_ERROR_OVERFLOW,
                      "named expressions that keep more than %d results alive at once; split the expression",
                      (int)EXPR_MAX_REGISTERS);
  if (error != THUD_OK && place != NULL) *place = where;
  return error;
}

thud_error thud_expr_scope_check(const thud_expr_scope *scope, const char **name, thud_expr_place *place) {
  THUD_REQUIRE(scope != NULL ? scope->context : NULL, scope);
  expr_builder builder = {.context = scope->context, .share = true};
  thud_error error = THUD_OK;
  for (size_t k = 0; error == THUD_OK && k < scope->count; k++) {
    if (scope->names[k].kind != EXPR_NAME_EXPRESSION) continue;
    thud_expr_place where = {.column = 1, .length = 0};
    int32_t node;
    error = thud_expr_parse(&builder, scope, scope->names[k].source, &where, &node);
    if (error == THUD_OK) continue;
    if (name != NULL) *name = scope->names[k].text;
    if (place != NULL) *place = where;
  }
  thud_expr_builder_release(&builder);
  return error;
}
