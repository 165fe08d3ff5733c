/* Random numbers: published reference values, range, moments, distribution. */
#include "testing.h"

#include <float.h>
#include <math.h>

/* The first outputs of xoshiro256** from the state (1, 2, 3, 4), as published with the generator's other
 * implementations. */
static void bits_follow_the_published_sequence(void **state) {
  (void)state;
  static const uint64_t expected[] = {11520u,
                                      0u,
                                      1509978240u,
                                      1215971899390074240u,
                                      1216172134540287360u,
                                      607988272756665600u,
                                      16172922978634559625u,
                                      8476171486693032832u,
                                      10595114339597558777u,
                                      2904607092377533576u};
  thud_random random = {.state = {1, 2, 3, 4}};
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++)
    thud_assert_equal(thud_random_bits(&random), expected[k]);
}

/* The state after seeding is splitmix64's sequence: published values for 1234567; the others, and the 1000th number
 * of the generator, from an independent implementation with integers of arbitrary length. */
static void seeds_are_spread_by_splitmix(void **state) {
  (void)state;
  thud_random random = thud_random_seed(1234567);
  thud_assert_equal(random.state[0], 6457827717110365317u);
  thud_assert_equal(random.state[1], 3203168211198807973u);
  thud_assert_equal(random.state[2], 9817491932198370423u);
  thud_assert_equal(random.state[3], 4593380528125082431u);
  static const struct {
    uint64_t seed, first, second, third, thousandth;
  } expected[] = {
      {0, 0x99ec5f36cb75f2b4u, 0xbf6e1f784956452au, 0x1a5f849d4933e6e0u, 0x7aac8c483a2edd2fu},
      {1, 0xb3f2af6d0fc710c5u, 0x853b559647364ceau, 0x92f89756082a4514u, 0xb8517c33c344d153u},
      {42, 0x15780b2e0c2ec716u, 0x6104d9866d113a7eu, 0xae17533239e499a1u, 0x8de5848c61ab8968u},
      {UINT64_MAX, 0x8f5520d52a7ead08u, 0xc476a018caa1802du, 0x81de31c0d260469eu, 0xc3c93ea5cde434ccu},
  };
  for (size_t k = 0; k < sizeof expected / sizeof *expected; k++) {
    random = thud_random_seed(expected[k].seed);
    thud_assert_equal(thud_random_bits(&random), expected[k].first);
    thud_assert_equal(thud_random_bits(&random), expected[k].second);
    thud_assert_equal(thud_random_bits(&random), expected[k].third);
    uint64_t bits = 0;
    for (int n = 4; n <= 1000; n++) bits = thud_random_bits(&random);
    thud_assert_equal(bits, expected[k].thousandth);
  }
}

static void uniform_numbers_stay_below_the_open_end(void **state) {
  (void)state;
  static const double ends[][2] = {
      {0, 1}, {1, 2}, {-1, 1}, {-2, -1}, {1, 1 + DBL_EPSILON}, {0, DBL_TRUE_MIN}, {-DBL_MAX, DBL_MAX}, {1e16, 1e16 + 4},
  };
  for (size_t k = 0; k < sizeof ends / sizeof *ends; k++) {
    thud_random random = thud_random_seed(k);
    for (int n = 0; n < 20000; n++) {
      double x = thud_random_uniform(&random, ends[k][0], ends[k][1]);
      thud_assert_at_least(x, ends[k][0]);
      thud_assert_less(x, ends[k][1]);
    }
  }
  thud_random random = thud_random_seed(1);
  thud_assert_equal(thud_random_uniform(&random, 3, 3), 3);
}

/* The largest of all 2^53 units: 1 + (1 - 2^-53) rounds to 2, which does not belong to [1, 2[. The state is chosen so
 * that the next number has all bits set: result = rotl(5 s1, 7) * 9. */
static void the_largest_unit_does_not_round_up_to_the_open_end(void **state) {
  (void)state;
  const uint64_t inverse_of_9 = 0x8e38e38e38e38e39u, inverse_of_5 = 0xcccccccccccccccdu;
  uint64_t turned = UINT64_MAX * inverse_of_9;
  uint64_t s1 = ((turned >> 7) | (turned << 57)) * inverse_of_5;
  const thud_random extreme = {.state = {1, s1, 2, 3}};
  thud_random random = extreme;
  thud_assert_equal(thud_random_bits(&random), UINT64_MAX);
  random = extreme;
  thud_assert_equal(thud_random_uniform(&random, 1, 2), nextafter(2, 1));
  random = extreme;
  thud_assert_equal(thud_random_uniform(&random, 0, 1), 1 - 0x1p-53);
}

/* n samples of moments: each mean lies within 5 standard errors (fixed seed: no chance involved in the run). */
static void expect_moments(const double *x, size_t n, double m1, double m2, double m3, double m4, double m6,
                           double m8) {
  double s1 = 0, s2 = 0, s3 = 0, s4 = 0;
  for (size_t k = 0; k < n; k++) {
    double square = x[k] * x[k];
    s1 += x[k];
    s2 += square;
    s3 += square * x[k];
    s4 += square * square;
  }
  double root = sqrt((double)n), count = (double)n;
  thud_assert_nearer(s1 / count, m1, 5 * sqrt(m2 - m1 * m1) / root);
  thud_assert_nearer(s2 / count, m2, 5 * sqrt(m4 - m2 * m2) / root);
  thud_assert_nearer(s3 / count, m3, 5 * sqrt(m6 - m3 * m3) / root);
  thud_assert_nearer(s4 / count, m4, 5 * sqrt(m8 - m4 * m4) / root);
}

enum { SAMPLES = 400000 };
static double samples[SAMPLES];

static void uniform_and_normal_numbers_have_their_moments(void **state) {
  (void)state;
  thud_random random = thud_random_seed(2026);
  for (size_t k = 0; k < SAMPLES; k++) samples[k] = thud_random_uniform(&random, -1, 1);
  expect_moments(samples, SAMPLES, 0, 1.0 / 3, 0, 1.0 / 5, 1.0 / 7, 1.0 / 9);
  for (size_t k = 0; k < SAMPLES; k++) samples[k] = thud_random_normal(&random);
  expect_moments(samples, SAMPLES, 0, 1, 0, 3, 15, 105);
}

/* Kolmogorov: sqrt(n) sup|F_n - F| exceeds 1.95 with probability 0.001; F the normal distribution. */
static void normal_numbers_follow_the_normal_distribution(void **state) {
  (void)state;
  enum { BINS = 2000, N = 200000 };
  static int histogram[BINS];
  thud_random random = thud_random_seed(7);
  for (int k = 0; k < N; k++) {
    double u = 0.5 * erfc(-thud_random_normal(&random) / sqrt(2.0)); /* uniform when the numbers are normal */
    histogram[(int)(u * BINS) < BINS ? (int)(u * BINS) : BINS - 1]++;
  }
  double worst = 0, below = 0;
  for (int k = 0; k < BINS; k++) {
    below += histogram[k];
    worst = fmax(worst, fabs(below / N - (k + 1.0) / BINS));
  }
  thud_assert_less(sqrt((double)N) * worst, 1.95);
}

/* Chi square with count - 1 degrees of freedom, mean count - 1, variance 2 (count - 1). */
static void whole_numbers_are_equally_likely(void **state) {
  (void)state;
  const uint32_t counts[] = {1, 2, 3, 7, 10, 64, 100};
  for (size_t c = 0; c < sizeof counts / sizeof *counts; c++) {
    enum { N = 100000 };
    int histogram[100] = {0};
    thud_random random = thud_random_seed(c);
    for (int k = 0; k < N; k++) {
      uint32_t value = thud_random_below(&random, counts[c]);
      thud_assert_less(value, counts[c]);
      histogram[value]++;
    }
    double expected = (double)N / counts[c], chi2 = 0, freedom = counts[c] - 1.0;
    for (uint32_t k = 0; k < counts[c]; k++) chi2 += (histogram[k] - expected) * (histogram[k] - expected) / expected;
    thud_assert_near(chi2, freedom, 5 * sqrt(2 * freedom));
  }
  thud_random random = thud_random_seed(1);
  double mean = 0;
  for (int k = 0; k < 10000; k++) mean += thud_random_below(&random, UINT32_MAX) / 10000.0;
  thud_assert_nearer(mean / UINT32_MAX, 0.5, 5 * sqrt(1.0 / 12 / 10000));
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(bits_follow_the_published_sequence),
      cmocka_unit_test(seeds_are_spread_by_splitmix),
      cmocka_unit_test(uniform_numbers_stay_below_the_open_end),
      cmocka_unit_test(the_largest_unit_does_not_round_up_to_the_open_end),
      cmocka_unit_test(uniform_and_normal_numbers_have_their_moments),
      cmocka_unit_test(normal_numbers_follow_the_normal_distribution),
      cmocka_unit_test(whole_numbers_are_equally_likely),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
