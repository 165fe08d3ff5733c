/* The words of an expression. */
#ifndef THUD_SRC_EXPR_LEXER_H
#define THUD_SRC_EXPR_LEXER_H

#include "expr/tape.h"

typedef enum expr_token_kind {
  TOKEN_END,
  TOKEN_NUMBER,
  TOKEN_NAME, /* with its trailing ' marks */
  TOKEN_PLUS,
  TOKEN_MINUS,
  TOKEN_STAR,
  TOKEN_SLASH,
  TOKEN_CARET,
  TOKEN_LEFT,
  TOKEN_RIGHT,
  TOKEN_COMMA,
  TOKEN_LESS,
  TOKEN_LESS_EQUAL,
  TOKEN_GREATER,
  TOKEN_GREATER_EQUAL,
  TOKEN_EQUAL,
  TOKEN_NOT_EQUAL
} expr_token_kind;

typedef struct expr_token {
  expr_token_kind kind;
  thud_expr_place place;
  const char *text; /* place.length bytes of the source */
  double number;
} expr_token;

typedef struct expr_lexer {
  thud_context *context;
  const char *source; /* [length], length <= THUD_EXPR_MAX_LENGTH */
  size_t length, position;
} expr_lexer;

/* Reads the next token. On failure *place marks the trouble. */
thud_error thud_expr_next_token(expr_lexer *lexer, thud_expr_place *place, expr_token *token);
/* Stores "column N: ..." as the context's message, the place in *out, and returns the error. */
thud_error thud_expr_fail_at(thud_context *context, thud_error error, thud_expr_place place, thud_expr_place *out,
                             const char *format, ...) THUD_PRINTF(5, 6);

#endif
