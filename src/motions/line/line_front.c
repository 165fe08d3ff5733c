/* Where a field along a line jumps. */
#include "base/base.h"
#include "motions/line/line.h"

#include <math.h>

static const double WIDEST = 0.1; /* part of the line that a front may take */

static double slope(const thud_line *line, const double *w, thud_index c) {
  return (w[c + 1] - w[c]) / (line->x[c + 1] - line->x[c]);
}

bool thud_line_find_front(const thud_line *line, const double *w, double *x, double *size) {
  THUD_REQUIRE_OR(false, line, line->x, w, x, size);
  thud_index cells = line->n - 1, steepest = 0, first, last;
  double low = w[0], high = w[0], sum = 0, moment = 0;
  for (thud_index c = 0; c < cells; c++) {
    if (fabs(slope(line, w, c)) > fabs(slope(line, w, steepest))) steepest = c;
    low = fmin(low, w[c + 1]);
    high = fmax(high, w[c + 1]);
  }
  double half = slope(line, w, steepest) / 2, sign = half < 0 ? -1 : 1;
  for (first = steepest; first > 0 && sign * slope(line, w, first - 1) >= fabs(half);) first--;
  for (last = steepest; last + 1 < cells && sign * slope(line, w, last + 1) >= fabs(half);) last++;
  for (thud_index c = first; c <= last; c++) {
    double change = w[c + 1] - w[c];
    sum += change;
    moment += change * (line->x[c] + line->x[c + 1]) / 2;
  }
  bool narrow = line->x[last + 1] - line->x[first] <= WIDEST * (line->x[cells] - line->x[0]);
  if (!narrow || !(fabs(sum) >= (high - low) / 2) || !(fabs(sum) > 0)) return false;
  *x = moment / sum;
  *size = sum;
  return true;
}
