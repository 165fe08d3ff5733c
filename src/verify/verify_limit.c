/* The class of a motion by the levels of its summary: the checker's own fit. */
#include "verify/verify_limit.h"

#include <math.h>
#include <string.h>

/* Below this part of the variation a figure is rounding. Exponents: of what tends to 0, of what does not, of growth. */
static const double NOTHING = 1e-8, FALLS = 0.2, STAYS = 0.3, GROWS = 0.1, SINGLE = 0.25;
enum { MOST = 32 };

typedef struct level {
  double steps, variation, largest, distance;
} level;

typedef struct exponent {
  double p, error;
} exponent;

static level level_of(const thud_node *list, size_t k) {
  level found = {NAN, NAN, NAN, NAN};
  const thud_node *row = thud_node_item(list, k);
  thud_verify_note_find(row, "steps", &found.steps);
  thud_verify_note_find(row, "variation", &found.variation);
  thud_verify_note_find(row, "largest_move", &found.largest);
  thud_verify_note_find(row, "distance", &found.distance);
  return found;
}

/* figure ~ 2^(-p k) by the normal equations of log2 = a - p k, from the last figure that is rounding on. */
static exponent fit(size_t count, const double *figures, double nothing) {
  double n = 0, sk = 0, skk = 0, sy = 0, sky = 0, syy = 0;
  if (figures[count - 1] <= nothing) return (exponent){INFINITY, 0};
  size_t first = 0;
  for (size_t k = 0; k < count; k++)
    if (!(figures[k] > nothing)) first = k + 1;
  for (size_t k = first; k < count; k++, n++) {
    double x = (double)(k - first), y = log2(figures[k]);
    sk += x, skk += x * x, sy += y, sky += x * y, syy += y * y;
  }
  double determinant = n * skk - sk * sk;
  if (!(n >= 2)) return (exponent){NAN, NAN};
  double slope = (n * sky - sk * sy) / determinant, start = (sy - slope * sk) / n, left = 0;
  for (size_t k = first; k < count; k++) {
    double rest = log2(figures[k]) - start - slope * (double)(k - first);
    left += rest * rest;
  }
  return (exponent){-slope, n > 2 ? sqrt(left / (n - 2) * n / determinant) : SINGLE};
}

static int tends_to_zero(exponent e) { return e.p - e.error > FALLS ? 1 : e.p + e.error < STAYS ? -1 : 0; }

/* 1: without bound, -1: bounded, 0: not decided. */
static int growth_of(size_t count, const level *rows, exponent *growth) {
  double steps[MOST] = {0}, nothing = NOTHING * rows[count - 1].variation;
  bool down = false;
  for (size_t k = 0; k + 1 < count; k++) {
    double step = rows[k + 1].variation - rows[k].variation;
    down = down || step < -nothing;
    steps[k] = fabs(step);
  }
  exponent decay = fit(count - 1, steps, nothing);
  *growth = (exponent){-decay.p, decay.error};
  bool falls = steps[count - 2] < steps[count - 3] || steps[count - 2] <= nothing;
  if (decay.p - decay.error > GROWS) return falls ? -1 : 0;
  return -decay.p - decay.error > GROWS && !down && steps[count - 2] > steps[count - 3] ? 1 : 0;
}

static const char *class_of(size_t count, const level *rows, double nothing, exponent *growth) {
  double figures[MOST] = {0};
  for (size_t k = 1; k < count; k++) figures[k - 1] = rows[k].distance;
  int approach = tends_to_zero(fit(count - 1, figures, nothing)), grows = growth_of(count, rows, growth);
  for (size_t k = 0; k < count; k++) figures[k] = rows[k].largest;
  int smooth = tends_to_zero(fit(count, figures, NOTHING * rows[count - 1].variation));
  if (approach < 0) return "no uniform limit";
  if (approach == 0 || grows == 0) return "undecided";
  if (grows > 0) return "weak only";
  return smooth > 0 ? "strong" : smooth < 0 ? "bounded variation" : "undecided";
}

/* Every level has twice the steps of the one before, or about: jumps of the data add some. */
static bool is_halved(size_t count, const level *rows) {
  for (size_t k = 1; k < count; k++)
    if (!(rows[k].steps > 1.5 * rows[k - 1].steps && rows[k].steps <= 2 * rows[k - 1].steps)) return false;
  return true;
}

bool thud_verify_limit(const thud_node *map, const char *key, double levels, double nothing, thud_verify_check *check) {
  const thud_node *list = thud_node_find(map, key), *class = thud_node_find(map, "class");
  level rows[MOST];
  if (levels == 0 || list == NULL) {
    if (list != NULL || class != NULL) thud_verify_fail(check, NAN, SIZE_MAX, "a judgement that nobody asked for");
    thud_verify_skip(check, THUD_VERIFY_NOT_APPLICABLE, "no judgement");
    return false;
  }
  if (thud_node_get_kind(list) != THUD_NODE_SEQUENCE || (double)thud_node_count(list) != levels || levels < 3 ||
      levels > MOST) {
    thud_verify_fail(check, NAN, SIZE_MAX, "'%s' does not have %g levels", key, levels);
    return false;
  }
  size_t count = (size_t)levels;
  for (size_t k = 0; k < count; k++) rows[k] = level_of(list, k);
  const char *given =
      class != NULL && thud_node_get_kind(class) == THUD_NODE_STRING ? thud_node_string(class) : "not there";
  bool complete = true;
  for (size_t k = 0; k < count; k++) complete = complete && isfinite(rows[k].variation);
  if (!complete && strcmp(given, "undecided") == 0) return false; /* a run did not complete */
  exponent growth;
  const char *expected = class_of(count, rows, nothing, &growth);
  if (!is_halved(count, rows)) thud_verify_fail(check, NAN, SIZE_MAX, "'%s' does not halve the steps", key);
  if (strcmp(given, expected) != 0)
    thud_verify_fail(check, NAN, SIZE_MAX, "'class' is %s, the levels show '%s'", given, expected);
  if (isfinite(growth.p))
    thud_verify_note_number(map, "growth", growth.p, 1e-9 * (1 + fabs(growth.p)), NAN, SIZE_MAX, check);
  return true;
}
