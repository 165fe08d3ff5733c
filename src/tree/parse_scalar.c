/* Types of plain scalars after the YAML 1.2 core schema (section 10.3.2): y, no and on are texts. */
#include "tree/parse.h"

#include <math.h>
#include <string.h>

static bool is_one_of(const char *text, const char *const *words) {
  for (; *words != NULL; words++)
    if (strcmp(text, *words) == 0) return true;
  return false;
}

/* 0o17 and 0xFF. False when the text is of another form. */
static bool read_radix(const char *text, double *value) {
  if (text[0] != '0' || (text[1] != 'o' && text[1] != 'x') || text[2] == '\0') return false;
  int radix = text[1] == 'o' ? 8 : 16;
  double sum = 0;
  for (const char *c = text + 2; *c != '\0'; c++) {
    int digit = *c >= '0' && *c <= '9'   ? *c - '0'
                : *c >= 'a' && *c <= 'f' ? *c - 'a' + 10
                : *c >= 'A' && *c <= 'F' ? *c - 'A' + 10
                                         : 16;
    if (digit >= radix) return false;
    sum = sum * radix + digit;
  }
  *value = sum;
  return true;
}

/* Sign, digits, point, digits, exponent: the form of a decimal number, be it too large or not. */
static bool looks_decimal(const char *text) {
  static const char *const digits = "0123456789";
  const char *c = text + (*text == '+' || *text == '-');
  size_t before = strspn(c, digits), after = 0;
  c += before;
  if (*c == '.') {
    after = strspn(c + 1, digits);
    c += 1 + after;
  }
  if (before + after == 0) return false;
  if (*c == 'e' || *c == 'E') {
    c += 1 + (c[1] == '+' || c[1] == '-');
    size_t exponent = strspn(c, digits);
    if (exponent == 0) return false;
    c += exponent;
  }
  return *c == '\0';
}

static thud_error set_number(thud_node *node, const char *text, bool finite, double value) {
  if (!finite)
    return thud_node_fail(node, THUD_ERROR_NOT_FINITE,
                          "%.60s is not a finite number; numbers must be below 1.8e308 (a text needs quotes)", text);
  node->kind = THUD_NODE_NUMBER;
  node->number = value;
  return THUD_OK;
}

thud_error thud_node_resolve_plain(thud_node *node, const char *text) {
  static const char *const nulls[] = {"", "~", "null", "Null", "NULL", NULL};
  static const char *const truths[] = {"true", "True", "TRUE", NULL};
  static const char *const falsehoods[] = {"false", "False", "FALSE", NULL};
  static const char *const not_finite[] = {".inf", ".Inf", ".INF", ".nan", ".NaN", ".NAN", NULL};
  double value = 0;
  if (is_one_of(text, nulls)) {
    node->kind = THUD_NODE_NULL;
  } else if (is_one_of(text, truths) || is_one_of(text, falsehoods)) {
    node->kind = THUD_NODE_BOOL;
    node->boolean = is_one_of(text, truths);
  } else if (is_one_of(text + (*text == '+' || *text == '-'), not_finite)) {
    return set_number(node, text, false, 0);
  } else if (looks_decimal(text)) {
    bool finite = thud_parse_double(text, &value);
    return set_number(node, text, finite, value);
  } else if (read_radix(text, &value)) {
    return set_number(node, text, isfinite(value), value);
  } else {
    node->kind = THUD_NODE_STRING;
    node->text = text;
  }
  return THUD_OK;
}
