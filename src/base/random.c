#include "base/base.h"
#include "thud/base.h"

#include <math.h>

/* splitmix64 (Steele, Lea, Flood 2014) spreads one seed over the 256-bit state. */
static uint64_t splitmix64(uint64_t *x) {
  uint64_t z = (*x += 0x9e3779b97f4a7c15u);
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
  return z ^ (z >> 31);
}

thud_random thud_random_seed(uint64_t seed) {
  thud_random random;
  for (int k = 0; k < 4; k++) random.state[k] = splitmix64(&seed);
  return random;
}

static uint64_t rotate_left(uint64_t x, int k) { return (x << k) | (x >> (64 - k)); }

/* xoshiro256** 1.0 (Blackman, Vigna 2018). */
uint64_t thud_random_bits(thud_random *random) {
  THUD_REQUIRE_OR(0, random);
  uint64_t *s = random->state;
  uint64_t result = rotate_left(s[1] * 5, 7) * 9, t = s[1] << 17;
  s[2] ^= s[0];
  s[3] ^= s[1];
  s[1] ^= s[2];
  s[0] ^= s[3];
  s[2] ^= t;
  s[3] = rotate_left(s[3], 45);
  return result;
}

double thud_random_uniform(thud_random *random, double low, double high) {
  THUD_REQUIRE_OR(NAN, random);
  double unit = (double)(thud_random_bits(random) >> 11) * 0x1p-53;
  double width = high - low;
  double x = isfinite(width) ? low + unit * width : (1 - unit) * low + unit * high;
  return x < high || low == high ? x : nextafter(high, low); /* rounding may reach the open end */
}

double thud_random_normal(thud_random *random) {
  THUD_REQUIRE_OR(NAN, random);
  for (;;) {
    double x = thud_random_uniform(random, -1, 1), y = thud_random_uniform(random, -1, 1);
    double r2 = x * x + y * y;
    if (r2 > 0 && r2 < 1) return x * sqrt(-2 * log(r2) / r2);
  }
}

uint32_t thud_random_below(thud_random *random, uint32_t count) {
  THUD_REQUIRE_OR(0, random);
  /* Rejection of the incomplete last cycle keeps the numbers equally likely. */
  uint32_t limit = UINT32_MAX - UINT32_MAX % count;
  uint32_t bits;
  do bits = (uint32_t)(thud_random_bits(random) >> 32);
  while (bits >= limit);
  return bits % count;
}
