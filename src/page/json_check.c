/* Validates JSON: only valid texts of a record are copied into the page. */
#include "page/page.h"

#include <ctype.h>
#include <string.h>

enum { DEEPEST = 64 };

static const char *skip_blanks(const char *p) { return p + strspn(p, " \t\r\n"); }

/* Each of these returns what follows, or NULL when there is no such thing. */
static const char *skip_value(const char *p, int depth);

static const char *skip_digits(const char *p) {
  if (!isdigit((unsigned char)*p)) return NULL;
  while (isdigit((unsigned char)*p)) p++;
  return p;
}

static const char *skip_number(const char *p) {
  if (*p == '-') p++;
  p = *p == '0' ? p + 1 : skip_digits(p);
  if (p != NULL && *p == '.') p = skip_digits(p + 1);
  if (p != NULL && (*p == 'e' || *p == 'E')) p = skip_digits(p + 1 + (p[1] == '+' || p[1] == '-'));
  return p;
}

static const char *skip_escape(const char *p) {
  if (*p != 'u') return *p != '\0' && strchr("\"\\/bfnrt", *p) != NULL ? p + 1 : NULL;
  for (int k = 1; k <= 4; k++)
    if (!isxdigit((unsigned char)p[k])) return NULL;
  return p + 5;
}

static const char *skip_string(const char *p) {
  if (*p++ != '"') return NULL;
  while (p != NULL && *p != '"') {
    if ((unsigned char)*p < 0x20) return NULL; /* also the end of the text */
    p = *p == '\\' ? skip_escape(p + 1) : p + 1;
  }
  return p != NULL ? p + 1 : NULL;
}

static const char *skip_member(const char *p, int depth) {
  p = skip_string(skip_blanks(p));
  if (p == NULL) return NULL;
  p = skip_blanks(p);
  return *p == ':' ? skip_value(p + 1, depth) : NULL;
}

/* Elements up to the closing bracket. */
static const char *skip_elements(const char *p, int depth, char closing) {
  if (depth >= DEEPEST) return NULL;
  if (*skip_blanks(p) == closing) return skip_blanks(p) + 1;
  for (;;) {
    p = closing == '}' ? skip_member(p, depth + 1) : skip_value(p, depth + 1);
    if (p == NULL) return NULL;
    p = skip_blanks(p);
    if (*p == closing) return p + 1;
    if (*p++ != ',') return NULL;
  }
}

static const char *skip_word(const char *p) {
  static const char *const words[] = {"true", "false", "null"};
  for (size_t k = 0; k < sizeof words / sizeof *words; k++)
    if (strncmp(p, words[k], strlen(words[k])) == 0) return p + strlen(words[k]);
  return NULL;
}

static const char *skip_value(const char *p, int depth) {
  p = skip_blanks(p);
  switch (*p) {
  case '{': return skip_elements(p + 1, depth, '}');
  case '[': return skip_elements(p + 1, depth, ']');
  case '"': return skip_string(p);
  case 't':
  case 'f':
  case 'n': return skip_word(p);
  default: return skip_number(p);
  }
}

bool thud_page_is_json(const char *text) {
  const char *end = skip_value(text, 0);
  return end != NULL && *skip_blanks(end) == '\0';
}

bool thud_page_next_member(const char **p, const char **member, size_t *length) {
  const char *start = skip_blanks(*p), *end = *start == '{' || *start == ',' ? skip_member(start + 1, 1) : NULL;
  if (end == NULL) return false;
  *member = skip_blanks(start + 1);
  *length = (size_t)(end - *member);
  *p = end;
  return true;
}
