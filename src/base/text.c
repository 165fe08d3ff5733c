#include "base/base.h"

#include <ctype.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORD = 64 };

/* Optimal string alignment distance (insertion, deletion, substitution, swap of neighbours), case folded. */
static size_t edit_distance(const char *a, size_t n, const char *b, size_t m) {
  size_t row[3][MAX_WORD + 1];
  for (size_t j = 0; j <= m; j++) row[0][j] = j;
  for (size_t i = 1; i <= n; i++) {
    size_t *now = row[i % 3], *up = row[(i + 2) % 3], *up2 = row[(i + 1) % 3];
    now[0] = i;
    for (size_t j = 1; j <= m; j++) {
      int ca = tolower((unsigned char)a[i - 1]), cb = tolower((unsigned char)b[j - 1]);
      size_t best = up[j - 1] + (ca != cb);
      if (up[j] + 1 < best) best = up[j] + 1;
      if (now[j - 1] + 1 < best) best = now[j - 1] + 1;
      bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
      if (swapped && up2[j - 2] + 1 < best) best = up2[j - 2] + 1;
      now[j] = best;
    }
  }
  return row[n % 3][m];
}

const char *thud_suggest(const char *word, const char *const *candidates, size_t count) {
  size_t n = strlen(word);
  if (n == 0 || n > MAX_WORD) return NULL;
  size_t best_distance = n / 3 + 1 + 1;
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

bool thud_parse_double(const char *text, double *value) {
  /* strtod also takes hexadecimal, "inf", "nan", leading blanks and the locale's comma: all refused here. */
  const char *p = text;
  if (*p == '+' || *p == '-') p++;
  size_t digits = 0;
  for (; isdigit((unsigned char)*p); p++) digits++;
  if (*p == '.')
    for (p++; isdigit((unsigned char)*p); p++) digits++;
  if (digits == 0) return false;
  if (*p == 'e' || *p == 'E') {
    p++;
    if (*p == '+' || *p == '-') p++;
    if (!isdigit((unsigned char)*p)) return false;
    while (isdigit((unsigned char)*p)) p++;
  }
  if (*p != '\0') return false;
  char *end;
  double parsed = strtod(text, &end);
  if (*end != '\0' || !isfinite(parsed)) return false;
  *value = parsed;
  return true;
}

void thud_format_double(double value, char *buffer, size_t capacity) {
  if (!isfinite(value)) {
    snprintf(buffer, capacity, "null");
    return;
  }
  for (int digits = 1; digits <= 17; digits++) {
    snprintf(buffer, capacity, "%.*g", digits, value);
    if (strtod(buffer, NULL) == value) return;
  }
}
