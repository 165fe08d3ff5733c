#include "base/base.h"

#include <float.h>
#include <locale.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64 };

/* ASCII only, whatever the locale. */
static bool is_digit(char c) { return c >= '0' && c <= '9'; }
static char fold(char c) { return c >= 'A' && c <= 'Z' ? (char)(c - 'A' + 'a') : c; }

/* Optimal string alignment distance (insertion, deletion, substitution, swap of neighbours), case folded. */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
  size_t row[3][MAX_WORD + 1];
  for (size_t j = 0; j <= m; j++) row[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      size_t best = up[j - 1] + (fold(a[i - 1]) != fold(b[j - 1]));
      if (up[j] + 1 < best) best = up[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && fold(a[i - 1]) == fold(b[j - 2]) && fold(a[i - 2]) == fold(b[j - 1]);
      if (swapped && up2[j - 2] + 1 < best) best = up2[j - 2] + 1;
      now[j] = best;
    }
  }
  return row[n % 3][m];
}

const char *thud_suggest(const char *word, const char *const *candidates, size_t count) {
  size_t n = strlen(word);
  if (n == 0 || n > MAX_WORD) return NULL;
  size_t best_distance = (n + 2) / 3 + 1; /* a third of the word, rounded up, is the most that counts as near */
  const char *best = NULL;
  for (size_t k = 0; k < count && !(count == SIZE_MAX && candidates[k] == NULL); k++) {
    size_t m = strlen(candidates[k]);
    if (m == 0 || m > MAX_WORD) continue;
    size_t distance = edit_distance(word, n, candidates[k], m);
    if (distance < best_distance && distance < m) {
      best_distance = distance;
      best = candidates[k];
    }
  }
  return best;
}

/* Decimal numbers are written with a point in every locale: the calling thread works in the C locale for a moment. */
typedef struct c_locale {
  locale_t made, before;
} c_locale;

static c_locale c_locale_enter(void) {
  c_locale entered = {.made = newlocale(LC_ALL_MASK, "C", (locale_t)0)};
  if (entered.made != (locale_t)0) entered.before = uselocale(entered.made);
  return entered;
}

static void c_locale_leave(c_locale entered) {
  if (entered.made == (locale_t)0) return;
  uselocale(entered.before);
  freelocale(entered.made);
}

/* [+-] digits [. digits] [(e|E) [+-] digits], at least one digit before the exponent. */
static bool is_decimal_number(const char *p) {
  if (*p == '+' || *p == '-') p++;
  size_t digits = 0;
  for (; is_digit(*p); p++) digits++;
  if (*p == '.')
    for (p++; is_digit(*p); p++) digits++;
  if (digits == 0) return false;
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!is_digit(*p)) return false;
    while (is_digit(*p)) p++;
  }
  return *p == '\0';
}

bool thud_parse_double(const char *text, double *value) {
  /* strtod also takes hexadecimal, "inf", "nan" and leading blanks: the grammar is checked before. */
  if (!is_decimal_number(text)) return false;
  c_locale entered = c_locale_enter();
  double parsed = strtod(text, NULL);
  c_locale_leave(entered);
  if (!isfinite(parsed)) return false;
  *value = parsed;
  return true;
}

void thud_format_digits(double value, int digits, char *buffer, size_t capacity) {
  if (!isfinite(value)) {
    snprintf(buffer, capacity, "null");
    return;
  }
  c_locale entered = c_locale_enter();
  snprintf(buffer, capacity, "%.*g", digits, value);
  c_locale_leave(entered);
}

void thud_format_double(double value, char *buffer, size_t capacity) {
  /* Up to 15 digits survive text -> double -> text, so that %.15g finds them; subnormal numbers hold fewer. */
  char text[THUD_DOUBLE_CAPACITY];
  double back;
  int digits = fabs(value) < DBL_MIN ? 1 : DBL_DIG;
  do thud_format_digits(value, digits, text, sizeof text);
  while (digits++ < DBL_DECIMAL_DIG && isfinite(value) && !(thud_parse_double(text, &back) && back == value));
  snprintf(buffer, capacity, "%s", text);
}

const char *thud_plural(size_t count) { return count == 1 ? "" : "s"; }
