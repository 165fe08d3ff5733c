#include "random_expressions.h"

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <string.h>

/* The complex step: f(x + ih) = f(x) + ih f'(x) + O(h^2) with h = 1e-40: no cancellation, so the imaginary part over h
 * is the derivative to rounding. The text and the complex value are made side by side by a recursion that knows nothing
 * of tapes. */

typedef struct piece {
  char text[TEST_TEXT];
  double complex value[TEST_VARIABLES + 1]; /* variable k moved by ih; the last: none */
} piece;

#define STEP 1e-40

/* A function that is analytic everywhere, or made so by what stands inside: every argument is fine. */
static double complex apply_function(int which, double complex a, const char **format) {
  switch (which) {
  case 0: *format = "sin(%s)"; return csin(a);
  case 1: *format = "cos(%s)"; return ccos(a);
  case 2: *format = "exp(-(%s)^2)"; return cexp(-a * a);
  case 3: *format = "log(2 + (%s)^2)"; return clog(2 + a * a);
  case 4: *format = "sqrt(1 + (%s)^2)"; return csqrt(1 + a * a);
  case 5: *format = "tanh(%s)"; return ctanh(a);
  case 6: *format = "atan(%s)"; return catan(a);
  case 7: *format = "asin(0.9*sin(%s))"; return casin(0.9 * csin(a));
  case 8: *format = "acos(0.9*cos(%s))"; return cacos(0.9 * ccos(a));
  case 9: *format = "tan(0.5*sin(%s))"; return ctan(0.5 * csin(a));
  case 10: *format = "sinh(sin(%s))"; return csinh(csin(a));
  case 11: *format = "cosh(sin(%s))"; return ccosh(csin(a));
  case 12: *format = "(2 + sin(%s))^1.5"; return cpow(2 + csin(a), 1.5);
  case 13: *format = "-(%s)"; return -a;
  case 14: *format = "(%s)^3"; return a * a * a;
  case 15: *format = "(2 + cos(%s))^-3"; return 1 / ((2 + ccos(a)) * (2 + ccos(a)) * (2 + ccos(a)));
  case 16: *format = "abs(%s)"; return creal(a) < 0 ? -a : a;
  case 17: *format = "if(0.3 < %s, 1, 2)"; return 0.3 < creal(a) ? 1 : 2;
  default: *format = "floor(%s)"; return floor(creal(a));
  }
}

static double complex apply_pair(int which, double complex a, double complex b, const char **format) {
  switch (which) {
  case 0:
  case 1: *format = "(%s + %s)"; return a + b;
  case 2: *format = "(%s - %s)"; return a - b;
  case 3:
  case 4: *format = "sin(%s)*(%s)"; return csin(a) * b;
  case 5: *format = "(%s)/(1.5 + sin(%s))"; return a / (1.5 + csin(b));
  case 6: *format = "hypot(%s, 1 + (%s)^2)"; return csqrt(a * a + (1 + b * b) * (1 + b * b));
  case 7: *format = "atan2(%s, 1 + (%s)^2)"; return catan(a / (1 + b * b));
  case 8: *format = "min(%s, %s)"; return creal(a) < creal(b) ? a : b;
  case 9: *format = "max(%s, %s)"; return creal(a) > creal(b) ? a : b;
  case 10: *format = "(1.5 + cos(%s))^tanh(%s)"; return cexp(ctanh(b) * clog(1.5 + ccos(a)));
  default: *format = "if(%s < 0.1, sin(%s), 0)"; return creal(a) < 0.1 ? csin(b) : 0;
  }
}

#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wformat-nonliteral"
static void make(thud_test_maker *m, int depth, piece *out) {
  uint32_t kind = depth == 0 ? 0 : thud_random_below(&m->random, 5);
  if (kind == 0) {
    static const char *const names[] = {"x", "y", "z", "w"};
    uint32_t which = thud_random_below(&m->random, TEST_VARIABLES);
    snprintf(out->text, TEST_TEXT, "%s", names[which]);
    for (int k = 0; k <= TEST_VARIABLES; k++) out->value[k] = m->point[which] + ((int)which == k ? STEP * I : 0);
    return;
  }
  static piece parts[TEST_MAX_DEPTH + 1][2];
  piece *a = &parts[depth][0], *b = &parts[depth][1];
  const char *format = "";
  make(m, depth - 1, a);
  if (kind <= 2) {
    int which = (int)thud_random_below(&m->random, 19);
    for (int k = 0; k <= TEST_VARIABLES; k++) out->value[k] = apply_function(which, a->value[k], &format);
    snprintf(out->text, TEST_TEXT, format, a->text);
    return;
  }
  make(m, depth - 1, b);
  int which = (int)thud_random_below(&m->random, 12);
  for (int k = 0; k <= TEST_VARIABLES; k++) out->value[k] = apply_pair(which, a->value[k], b->value[k], &format);
  snprintf(out->text, TEST_TEXT, format, a->text, b->text);
}
#pragma GCC diagnostic pop

void thud_test_random_expression(thud_test_maker *maker, int depth, thud_test_piece *out) {
  static piece made;
  make(maker, depth, &made);
  memcpy(out->text, made.text, TEST_TEXT);
  out->value = creal(made.value[TEST_VARIABLES]);
  for (int k = 0; k < TEST_VARIABLES; k++) out->gradient[k] = cimag(made.value[k]) / STEP;
}
