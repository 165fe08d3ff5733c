/* Four doubles side by side. Every operation rounds each lane as the scalar one does, without fused multiply-add: what
 * is written in lanes gives the same bits with AVX2 registers and without (two SSE2 registers, or four scalars). */
#ifndef THUD_SRC_SOLVE_LANES_H
#define THUD_SRC_SOLVE_LANES_H

#include <math.h>
#include <stdbool.h>
#include <stdint.h>
#include <string.h>
#if defined(__AVX2__)
#include <immintrin.h>
#elif defined(__SSE2__)
#include <emmintrin.h>
#endif

typedef double thud_v4 __attribute__((vector_size(32)));
typedef int64_t thud_m4 __attribute__((vector_size(32))); /* a lane is all ones or all zeros */

/* Halves: compilers take comparisons of vectors that are wider than registers apart into scalars. */
typedef double thud_v2 __attribute__((vector_size(16)));
typedef int64_t thud_m2 __attribute__((vector_size(16)));
typedef struct thud_v4_halves {
  thud_v2 low, high;
} thud_v4_halves;
typedef struct thud_m4_halves {
  thud_m2 low, high;
} thud_m4_halves;

#define THUD_IN_LANES static inline __attribute__((always_inline, unused))

THUD_IN_LANES thud_v4 thud_v4_load(const double *x) {
  thud_v4 v;
  memcpy(&v, x, sizeof v);
  return v;
}
THUD_IN_LANES void thud_v4_store(thud_v4 v, double *x) { memcpy(x, &v, sizeof v); }
THUD_IN_LANES thud_v4 thud_v4_all(double x) { return (thud_v4){x, x, x, x}; }

THUD_IN_LANES thud_v4_halves thud_v4_halve(thud_v4 x) {
  thud_v4_halves halves;
  memcpy(&halves, &x, sizeof halves);
  return halves;
}

/* a OPERATOR b, lane by lane; false where one is NaN. */
#ifdef __AVX2__
#define THUD_COMPARE_LANES(name, operator)                                                                             \
  THUD_IN_LANES thud_m4 name(thud_v4 a, thud_v4 b) { return (thud_m4)(a operator b); }
#else
#define THUD_COMPARE_LANES(name, operator)                                                                             \
  THUD_IN_LANES thud_m4 name(thud_v4 a, thud_v4 b) {                                                                   \
    thud_v4_halves x = thud_v4_halve(a), y = thud_v4_halve(b);                                                         \
    thud_m4_halves found = {(thud_m2)(x.low operator y.low), (thud_m2)(x.high operator y.high)};                       \
    thud_m4 mask;                                                                                                      \
    memcpy(&mask, &found, sizeof mask);                                                                                \
    return mask;                                                                                                       \
  }
#endif
THUD_COMPARE_LANES(thud_v4_below, <)
THUD_COMPARE_LANES(thud_v4_above, >)
THUD_COMPARE_LANES(thud_v4_at_most, <=)
THUD_COMPARE_LANES(thud_v4_at_least, >=)
THUD_COMPARE_LANES(thud_v4_equal, ==)

THUD_IN_LANES thud_v4 thud_v4_sqrt(thud_v4 x) {
#if defined(__AVX2__)
  return (thud_v4)_mm256_sqrt_pd((__m256d)x);
#elif defined(__SSE2__)
  thud_v4_halves halves = thud_v4_halve(x);
  halves.low = (thud_v2)_mm_sqrt_pd((__m128d)halves.low);
  halves.high = (thud_v2)_mm_sqrt_pd((__m128d)halves.high);
  memcpy(&x, &halves, sizeof x);
  return x;
#else
  return (thud_v4){sqrt(x[0]), sqrt(x[1]), sqrt(x[2]), sqrt(x[3])};
#endif
}

THUD_IN_LANES thud_v4 thud_v4_abs(thud_v4 x) {
  const int64_t rest = INT64_MAX; /* everything but the sign */
  return (thud_v4)((thud_m4)x & (thud_m4){rest, rest, rest, rest});
}

/* mask ? a : b, lane by lane */
THUD_IN_LANES thud_v4 thud_v4_choose(thud_m4 mask, thud_v4 a, thud_v4 b) {
#ifdef __AVX2__
  return (thud_v4)_mm256_blendv_pd((__m256d)b, (__m256d)a, (__m256d)mask);
#else
  return (thud_v4)((mask & (thud_m4)a) | (~mask & (thud_m4)b));
#endif
}

/* Bit k: lane k of the mask. */
THUD_IN_LANES unsigned thud_m4_bits(thud_m4 mask) {
#if defined(__AVX2__)
  return (unsigned)_mm256_movemask_pd((__m256d)mask);
#elif defined(__SSE2__)
  thud_v4_halves halves = thud_v4_halve((thud_v4)mask);
  return (unsigned)_mm_movemask_pd((__m128d)halves.low) | (unsigned)_mm_movemask_pd((__m128d)halves.high) << 2;
#else
  return (unsigned)((mask[0] & 1) | (mask[1] & 2) | (mask[2] & 4) | (mask[3] & 8));
#endif
}
THUD_IN_LANES bool thud_m4_any(thud_m4 mask) { return thud_m4_bits(mask) != 0; }

/* Rows become columns: x[i][k] and x[k][i] change places. */
THUD_IN_LANES void thud_v4_transpose(thud_v4 *x) {
#ifdef __AVX2__
  __m256d a = (__m256d)x[0], b = (__m256d)x[1], c = (__m256d)x[2], d = (__m256d)x[3];
  __m256d ab0 = _mm256_unpacklo_pd(a, b), ab1 = _mm256_unpackhi_pd(a, b);
  __m256d cd0 = _mm256_unpacklo_pd(c, d), cd1 = _mm256_unpackhi_pd(c, d);
  x[0] = (thud_v4)_mm256_permute2f128_pd(ab0, cd0, 0x20);
  x[1] = (thud_v4)_mm256_permute2f128_pd(ab1, cd1, 0x20);
  x[2] = (thud_v4)_mm256_permute2f128_pd(ab0, cd0, 0x31);
  x[3] = (thud_v4)_mm256_permute2f128_pd(ab1, cd1, 0x31);
#else
  const thud_v4 a = x[0], b = x[1], c = x[2], d = x[3];
  for (int i = 0; i < 4; i++) x[i] = (thud_v4){a[i], b[i], c[i], d[i]};
#endif
}

/* x[j] = the entries first + j of four arrays, j = 0..3 */
THUD_IN_LANES void thud_v4_gather(const double *const *from, size_t first, thud_v4 *x) {
  for (int lane = 0; lane < 4; lane++) x[lane] = thud_v4_load(from[lane] + first);
  thud_v4_transpose(x);
}

#endif
