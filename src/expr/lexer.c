#include "expr/lexer.h"

#include "expr/scope.h"

#include <stdio.h>
#include <string.h>

thud_error thud_expr_fail_at(thud_context *context, thud_error error, thud_expr_place place, thud_expr_place *out,
                             const char *format, ...) {
  char text[512];
  thud_code code;
  const char *plain = thud_format_without_code(format, &code);
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(text, sizeof text, plain, arguments);
  va_end(arguments);
  *out = place;
  thud_fail(context, error, "column %d: %s", (int)place.column, text);
  return thud_fail_with_code(context, error, code);
}

static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static bool is_blank(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

/* Byte at an offset from the position; 0 beyond the end. */
static char peek(const expr_lexer *lexer, size_t offset) {
  return lexer->position + offset < lexer->length ? lexer->source[lexer->position + offset] : '\0';
}

static thud_expr_place place_here(const expr_lexer *lexer, size_t length) {
  return (thud_expr_place){.column = (thud_index)lexer->position + 1, .length = (thud_index)length};
}

/* Bytes of the UTF-8 character at the position, at least 1. */
static size_t character_length(const expr_lexer *lexer) {
  size_t length = 1;
  while (((unsigned char)peek(lexer, 0) & 0xC0) == 0xC0 && ((unsigned char)peek(lexer, length) & 0xC0) == 0x80 &&
         length < 4)
    length++;
  return length;
}

/* Suggestion for a character that people write by mistake. */
static thud_error fail_character(const expr_lexer *lexer, thud_expr_place *place) {
  static const struct {
    const char *written, *advice;
  } habits[] = {
      {"**", "; powers are written with ^"},
      {"&&", "; write min(a, b) of two conditions"},
      {"||", "; write max(a, b) of two conditions"},
      {"=", "; equality is written =="},
      {"!", "; write 1 - condition"},
      {"'", "; the derivative mark ' must directly follow the name of a coordinate"},
      {"\xE2\x88\x92", "; write the ASCII minus sign -"},
      {"\xE2\x80\x93", "; write the ASCII minus sign -"},
      {"\xC3\x97", "; products are written with *"},
      {"\xC2\xB7", "; products are written with *"},
      {"\xC2\xB2", "; powers are written with ^, as in x^2"},
      {"\xE2\x80\x99", "; write the straight apostrophe '"},
      {"[", "; use round parentheses"},
      {"{", "; use round parentheses"},
  };
  size_t length = character_length(lexer);
  const char *advice = "";
  for (size_t k = 0; k < sizeof habits / sizeof *habits; k++) {
    size_t n = strlen(habits[k].written);
    if (lexer->length - lexer->position >= n && memcmp(lexer->source + lexer->position, habits[k].written, n) == 0) {
      advice = habits[k].advice;
      length = n;
      break;
    }
  }
  unsigned char first = (unsigned char)peek(lexer, 0);
  if (first < 0x20 || first == 0x7F || (first >= 0x80 && length == 1))
    return thud_expr_fail_at(lexer->context, THUD_ERROR_SYNTAX, place_here(lexer, 1), place,
                             "[expression] unexpected byte 0x%02X; expressions are plain text", first);
  return thud_expr_fail_at(lexer->context, THUD_ERROR_SYNTAX, place_here(lexer, length), place,
                           "[expression] unexpected '%.*s'%s", (int)length, lexer->source + lexer->position, advice);
}

/* digits [. digits] [e [sign] digits], or . digits; the e belongs to the number only when digits follow. */
static size_t number_length(const expr_lexer *lexer) {
  size_t n = 0;
  while (is_digit(peek(lexer, n))) n++;
  if (peek(lexer, n) == '.')
    for (n++; is_digit(peek(lexer, n));) n++;
  if (peek(lexer, n) == 'e' || peek(lexer, n) == 'E') {
    size_t digits = n + 1;
    if (peek(lexer, digits) == '+' || peek(lexer, digits) == '-') digits++;
    if (is_digit(peek(lexer, digits)))
      for (n = digits; is_digit(peek(lexer, n));) n++;
  }
  return n;
}

static thud_error read_number(expr_lexer *lexer, thud_expr_place *place, expr_token *token) {
  enum { MAX_NUMBER = 400 };
  char text[MAX_NUMBER + 1];
  size_t n = number_length(lexer);
  thud_expr_place here = place_here(lexer, n);
  if (n > MAX_NUMBER)
    return thud_expr_fail_at(lexer->context, THUD_ERROR_SYNTAX, here, place,
                             "[too-large] a number of %zu characters; at most %d are read", n, (int)MAX_NUMBER);
  memcpy(text, lexer->source + lexer->position, n);
  text[n] = '\0';
  if (!thud_parse_double(text, &token->number))
    return thud_expr_fail_at(lexer->context, THUD_ERROR_SYNTAX, here, place,
                             "[expression] the number %.40s is too large for a double", text);
  if (peek(lexer, n) == '.')
    return thud_expr_fail_at(lexer->context, THUD_ERROR_SYNTAX, place_here(lexer, n + 1), place,
                             "[expression] a number with two decimal points");
  token->kind = TOKEN_NUMBER;
  token->place = here;
  return THUD_OK;
}

/* Parts of a name are joined by dots, ball.x: only variables have such names. */
static size_t name_length(const expr_lexer *lexer) {
  size_t n = 0;
  while (thud_expr_continues_name(peek(lexer, n)) ||
         (n > 0 && peek(lexer, n) == '.' && thud_expr_starts_name(peek(lexer, n + 1))))
    n++;
  while (peek(lexer, n) == '\'') n++;
  return n;
}

/* Operators, the longer ones first; 0 when there is none here. */
static size_t operator_length(const expr_lexer *lexer, expr_token_kind *kind) {
  static const struct {
    const char *text;
    expr_token_kind kind;
  } operators[] = {{"<=", TOKEN_LESS_EQUAL}, {">=", TOKEN_GREATER_EQUAL}, {"==", TOKEN_EQUAL}, {"!=", TOKEN_NOT_EQUAL},
                   {"<", TOKEN_LESS},        {">", TOKEN_GREATER},        {"+", TOKEN_PLUS},   {"-", TOKEN_MINUS},
                   {"*", TOKEN_STAR},        {"/", TOKEN_SLASH},          {"^", TOKEN_CARET},  {"(", TOKEN_LEFT},
                   {")", TOKEN_RIGHT},       {",", TOKEN_COMMA}};
  if (peek(lexer, 0) == '*' && peek(lexer, 1) == '*') return 0;
  for (size_t k = 0; k < sizeof operators / sizeof *operators; k++) {
    size_t n = strlen(operators[k].text);
    if (peek(lexer, 0) == operators[k].text[0] && (n == 1 || peek(lexer, 1) == operators[k].text[1])) {
      *kind = operators[k].kind;
      return n;
    }
  }
  return 0;
}

thud_error thud_expr_next_token(expr_lexer *lexer, thud_expr_place *place, expr_token *token) {
  while (lexer->position < lexer->length && is_blank(peek(lexer, 0))) lexer->position++;
  token->text = lexer->source + lexer->position;
  size_t n = 0;
  char c = peek(lexer, 0);
  if (lexer->position == lexer->length) {
    token->kind = TOKEN_END;
  } else if (is_digit(c) || (c == '.' && is_digit(peek(lexer, 1)))) {
    thud_error error = read_number(lexer, place, token);
    if (error != THUD_OK) return error;
    n = (size_t)token->place.length;
  } else if (thud_expr_starts_name(c)) {
    token->kind = TOKEN_NAME;
    n = name_length(lexer);
  } else {
    n = operator_length(lexer, &token->kind);
    if (n == 0) return fail_character(lexer, place);
  }
  token->place = place_here(lexer, n);
  lexer->position += n;
  return THUD_OK;
}
