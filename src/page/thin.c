/* Curves with more points than anybody sees. */
#include "page/page.h"

#include <math.h>

/* Points kept of one stretch: first, lowest, highest, last. */
enum { PER_STRETCH = 4 };

static bool is_jump(size_t count, const double *x, size_t k) { return k + 1 < count && x[k] == x[k + 1]; }

static void mark_stretch(size_t first, size_t end, const double *y, size_t *kept) {
  size_t low = first, high = first;
  for (size_t k = first; k < end; k++) {
    if (y[k] < y[low] || isnan(y[low])) low = k;
    if (y[k] > y[high] || isnan(y[high])) high = k;
  }
  kept[first] = kept[low] = kept[high] = kept[end - 1] = 1;
}

/* All jumps, unless they alone are too many; then those with a point that is kept. */
static void mark_jumps(size_t count, const double *x, size_t most, size_t *kept) {
  size_t jumps = 0;
  for (size_t k = 0; k < count; k++) jumps += is_jump(count, x, k);
  bool all = 2 * jumps <= most / 2;
  for (size_t k = 0; k + 1 < count; k++)
    if (is_jump(count, x, k) && (all || kept[k] != 0 || kept[k + 1] != 0)) kept[k] = kept[k + 1] = 1;
}

size_t thud_page_thin(size_t count, const double *x, const double *y, size_t most, size_t *kept) {
  size_t used = 0, stretches = most / PER_STRETCH;
  for (size_t k = 0; k < count; k++) kept[k] = count <= most;
  for (size_t s = 0; s < stretches && count > most; s++)
    mark_stretch(count * s / stretches, count * (s + 1) / stretches, y, kept);
  if (count > most) mark_jumps(count, x, most, kept);
  for (size_t k = 0; k < count; k++)
    if (kept[k] != 0) kept[used++] = k;
  return used;
}
