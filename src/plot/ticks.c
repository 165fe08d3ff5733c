#include "plot/ticks.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const double mantissas[] = {1, 2, 2.5, 5};
enum { MANTISSAS = 4 };

/* Numbers from 10^-3 to below 10^5 are printed as they are; others get a common power of ten. */
enum { SMALLEST_PLAIN = -3, LARGEST_PLAIN = 4 };
/* Narrower logarithmic axes without two powers of ten or multiples of them have the ticks of linear ones. */
static const double least_ratio = 30;
/* An offset is taken when the values agree in more than this many leading digits. */
enum { COMMON_DIGITS = 5 };

/* step = mantissa * 10^exponent */
typedef struct tick_step {
  double mantissa;
  int exponent;
} tick_step;

/* k * step with one rounding: powers of ten are exact up to 10^22. */
static double multiple(double k, tick_step step) {
  double product = k * step.mantissa;
  return step.exponent >= 0 ? product * pow(10, step.exponent) : product / pow(10, -step.exponent);
}

/* Beyond 2^53 whole numbers have gaps: counting on would not end. */
static bool has_next(double k) { return k + 1 > k; }

static double first_index(double minimum, tick_step step) { return ceil(minimum / multiple(1, step)); }
static double last_index(double maximum, tick_step step) { return floor(maximum / multiple(1, step)); }

static tick_step choose_step(double minimum, double maximum, int most) {
  int exponent = (int)floor(log10((maximum - minimum) / most)) - 1;
  for (;; exponent++)
    for (int m = 0; m < MANTISSAS; m++) {
      tick_step step = {mantissas[m], exponent};
      if (last_index(maximum, step) - first_index(minimum, step) + 1 <= most) return step;
    }
}

static void superscript(int exponent, char *text, size_t capacity) {
  static const char *const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
  char plain[16];
  snprintf(plain, sizeof plain, "%d", exponent);
  size_t used = 0;
  text[0] = '\0';
  for (const char *c = plain; *c != '\0' && used + 4 < capacity; c++)
    used += (size_t)snprintf(text + used, capacity - used, "%s", *c == '-' ? "⁻" : digits[*c - '0']);
}

/* Minus sign of typography, point as decimal mark whatever the locale says. */
static void tidy_number(const char *number, char *text, size_t capacity) {
  bool zero = strpbrk(number, "123456789") == NULL;
  const char *digits = number[0] == '-' ? number + 1 : number;
  snprintf(text, capacity, "%s%s", number[0] == '-' && !zero ? "−" : "", digits);
  char *comma = strchr(text, ',');
  if (comma != NULL) *comma = '.';
}

/* The number with fewest digits in the interval: the multiple of the largest power of ten that has one there. */
static double roundest(double minimum, double maximum) {
  int exponent = (int)floor(log10(fmax(fabs(minimum), fabs(maximum))));
  for (;; exponent--) {
    tick_step step = {1, exponent};
    double k = first_index(minimum, step);
    if (k <= last_index(maximum, step)) return multiple(k, step);
  }
}

static void choose_notation(double minimum, double maximum, tick_step step, thud_ticks *ticks) {
  double largest = fmax(fabs(minimum), fabs(maximum));
  int magnitude = (int)floor(log10(largest));
  if (magnitude - step.exponent > COMMON_DIGITS && minimum * maximum > 0) {
    ticks->offset = roundest(minimum, maximum);
    largest = fmax(fabs(minimum - ticks->offset), fabs(maximum - ticks->offset));
    magnitude = (int)floor(log10(largest));
  }
  if (magnitude < SMALLEST_PLAIN || magnitude > LARGEST_PLAIN) ticks->exponent = magnitude;
}

static void add_minor_linear(double minimum, double maximum, tick_step step, thud_ticks *ticks) {
  /* Divide a step of 1 or 5 by five, of 2 by four, of 2.5 by five. */
  int parts = step.mantissa == 2 ? 4 : 5;
  tick_step minor = {step.mantissa / parts, step.exponent};
  double first = first_index(minimum, minor), last = last_index(maximum, minor);
  for (double k = first; k <= last && has_next(k) && ticks->minor_count < THUD_MINOR_TICKS_MOST; k++)
    if (fmod(k, parts) != 0) ticks->minor[ticks->minor_count++] = multiple(k, minor);
}

void thud_ticks_linear(double minimum, double maximum, int most, thud_ticks *ticks) {
  most = most < 2 ? 2 : most > THUD_TICKS_MOST ? THUD_TICKS_MOST : most;
  tick_step step = choose_step(minimum, maximum, most);
  *ticks = (thud_ticks){0};
  choose_notation(minimum, maximum, step, ticks);
  double first = first_index(minimum, step), last = last_index(maximum, step);
  int decimals = ticks->exponent - step.exponent + (step.mantissa == 2.5 ? 1 : 0);
  if (decimals < 0) decimals = 0;
  for (double k = first; k <= last && has_next(k) && ticks->count < THUD_TICKS_MOST; k++) {
    char number[THUD_TICK_TEXT - 8];
    double value = multiple(k, step);
    snprintf(number, sizeof number, "%.*f", decimals, (value - ticks->offset) / pow(10, ticks->exponent));
    tidy_number(number, ticks->labels[ticks->count], THUD_TICK_TEXT);
    ticks->values[ticks->count++] = value;
  }
  add_minor_linear(minimum, maximum, step, ticks);
}

/* ---- logarithmic ------------------------------------------------------------------------------------------- */

static void add_log_label(double value, int digit, int exponent, thud_ticks *ticks) {
  if (ticks->count == THUD_TICKS_MOST) return;
  char *text = ticks->labels[ticks->count];
  char power[THUD_TICK_TEXT - 8];
  superscript(exponent, power, sizeof power);
  if (digit == 1)
    snprintf(text, THUD_TICK_TEXT, "10%s", power);
  else
    snprintf(text, THUD_TICK_TEXT, "%d·10%s", digit, power);
  ticks->values[ticks->count++] = value;
}

static double decade(int digit, int exponent) {
  return exponent >= 0 ? digit * pow(10, exponent) : digit / pow(10, -exponent);
}

/* Which multiples of a decade carry labels: bit d for digit d. */
static unsigned labelled_digits(double minimum, double maximum, int most) {
  static const unsigned choices[] = {0x3fe, 0x026, 0x00a, 0x002}; /* all; 1 2 5; 1 3; 1 */
  double decades = log10(maximum / minimum);
  static const int per_decade[] = {9, 3, 2};
  for (int k = 0; k < 3; k++)
    if (decades * per_decade[k] + 1 <= most && decades <= 2.0) return choices[k];
  return choices[3];
}

void thud_ticks_log(double minimum, double maximum, int most, thud_ticks *ticks) {
  *ticks = (thud_ticks){0};
  most = most < 2 ? 2 : most > THUD_TICKS_MOST ? THUD_TICKS_MOST : most;
  int low = (int)floor(log10(minimum)), high = (int)ceil(log10(maximum));
  int decades = (int)floor(log10(maximum)) - (int)ceil(log10(minimum)) + 1;
  int stride = decades > most ? (decades + most - 1) / most : 1;
  unsigned digits = stride > 1 ? 2u : labelled_digits(minimum, maximum, most);
  for (int exponent = low; exponent <= high; exponent++)
    for (int digit = 1; digit <= 9; digit++) {
      double value = decade(digit, exponent);
      if (value < minimum || value > maximum) continue;
      bool on_stride = exponent % stride == 0;
      if ((digits >> digit & 1u) != 0 && on_stride)
        add_log_label(value, digit, exponent, ticks);
      else if ((stride == 1 || digit == 1) && ticks->minor_count < THUD_MINOR_TICKS_MOST)
        ticks->minor[ticks->minor_count++] = value;
    }
  /* A range within a decade or so that has fewer than two of these. */
  if (ticks->count < 2 && maximum / minimum < least_ratio) thud_ticks_linear(minimum, maximum, most, ticks);
}

/* ---- the label of the axis ------------------------------------------------------------------------------------ */

void thud_ticks_axis_label(const thud_ticks *ticks, const char *label, const char *unit, char *text, size_t capacity) {
  char power[48] = "", bracket[160] = "", offset[64] = "", number[32];
  bool has_unit = unit != NULL && unit[0] != '\0';
  if (ticks->exponent != 0) {
    char raised[32];
    superscript(ticks->exponent, raised, sizeof raised);
    snprintf(power, sizeof power, "10%s", raised);
  }
  if (has_unit || power[0] != '\0')
    snprintf(bracket, sizeof bracket, " [%s%s%.80s]", power, power[0] != '\0' && has_unit ? " " : "",
             has_unit ? unit : "");
  if (ticks->offset != 0) {
    thud_format_double(fabs(ticks->offset), number, sizeof number);
    snprintf(offset, sizeof offset, " %s %s", ticks->offset > 0 ? "−" : "+", number);
  }
  snprintf(text, capacity, "%s%s%s", label != NULL ? label : "", offset, bracket);
}
