/* Are all numbers finite? Asked of every matrix that comes in, so it runs at the speed of memory. */
#include "base/base.h"

#include <math.h>
#include <string.h>

/* A number is not finite when all bits of its exponent are set: adding 1 to the exponent then carries into the sign bit.
 * Whole numbers without branches: compilers make lanes of it. */
static uint64_t carries(size_t n, const double *x) {
  const uint64_t exponent = UINT64_C(0x7ff0000000000000), one = UINT64_C(0x0010000000000000);
  uint64_t seen = 0;
  for (size_t i = 0; i < n; i++) {
    uint64_t bits;
    memcpy(&bits, x + i, sizeof bits);
    seen |= (bits & exponent) + one;
  }
  return seen >> 63;
}

enum { AT_ONCE = 256 };

size_t thud_first_not_finite(size_t n, const double *x) {
  size_t first = 0;
  while (first < n) {
    size_t count = n - first < AT_ONCE ? n - first : AT_ONCE;
    if (carries(count, x + first) != 0) break;
    first += count;
  }
  while (first < n && isfinite(x[first])) first++;
  return first;
}
