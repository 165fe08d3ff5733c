/* The broad phase against all pairs, on many distributions of boxes; its work counted; threads, memory, bad input. */
#include "failing_allocator.h"
#include "geom/broad_phase.h"
#include "testing.h"

#include <stdlib.h>

/* ---- boxes ---------------------------------------------------------------------------------------------------------- */

typedef enum spread {
  SAME_SIZE,
  SIMILAR,
  MILLION_TO_ONE,
  CLUSTERS,
  LINE,
  DIAGONAL,
  FLAT,
  COINCIDENT,
  FAR_SPREAD,
  FAR_FROM_ORIGIN,
  POINTS,
  WITH_PLANE,
  ONE_HUGE,
  NEEDLES,
  PLATES,
  BUNDLE,
  LATTICE,
  SPREADS
} spread;

static thud_vec3 random_point(thud_random *random, double half) {
  double x = thud_random_uniform(random, -half, half), y = thud_random_uniform(random, -half, half);
  return thud_vec3_make(x, y, thud_random_uniform(random, -half, half));
}

static thud_bounds box_around(thud_vec3 centre, thud_vec3 half) {
  return (thud_bounds){thud_vec3_subtract(centre, half), thud_vec3_add(centre, half)};
}

static double size_of(spread kind, thud_random *random, thud_index i) {
  if (kind == SIMILAR) return thud_random_uniform(random, 0.5, 2);
  if (kind == MILLION_TO_ONE) return pow(10, thud_random_uniform(random, -5, 1));
  if (kind == POINTS) return i % 3 == 0 ? 0.7 : 0;
  if (kind == ONE_HUGE && i == 3) return 1e4;
  return 1;
}

static thud_vec3 place_of(spread kind, thud_random *random, thud_index i, double width) {
  thud_vec3 p = random_point(random, 0.5 * width);
  switch (kind) {
  case CLUSTERS: /* fifty boxes in each */
    p = thud_vec3_scale(3 / width, p);
    return thud_vec3_add_scaled(p, 100, thud_vec3_make(i / 50 % 10, i / 500 % 10, i / 5000));
  case LINE: return thud_vec3_make(0, 0, p.z * width);
  case DIAGONAL: return thud_vec3_make(p.x * width, p.x * width, p.x * width);
  case FLAT: return thud_vec3_make(p.x * sqrt(width), p.y * sqrt(width), 0);
  case COINCIDENT: return thud_vec3_make(0.3, 0.4, 0.5);
  case FAR_SPREAD: return thud_vec3_scale(pow(10, thud_random_uniform(random, 0, 12)), p);
  case FAR_FROM_ORIGIN: return thud_vec3_add(p, thud_vec3_make(1e9, -1e9, 3e9));
  case LATTICE: return thud_vec3_make(i % 10, i / 10 % 10, i / 100);
  default: return p;
  }
}

/* About two neighbours per box where boxes are of size 1 in space. */
static void make_boxes(spread kind, uint64_t seed, thud_index count, thud_bounds *boxes) {
  thud_random random = thud_random_seed(seed);
  double width = cbrt((double)count) * 1.3;
  for (thud_index i = 0; i < count; i++) {
    double half = 0.5 * size_of(kind, &random, i);
    thud_vec3 halves = thud_vec3_make(half, half, half), centre = place_of(kind, &random, i, width);
    if (kind == SIMILAR) halves.y *= thud_random_uniform(&random, 0.2, 1);
    if (kind == NEEDLES) halves = thud_vec3_make(i % 3 == 0 ? 1 : 0.01, i % 3 == 1 ? 1 : 0.01, i % 3 == 2 ? 1 : 0.01);
    if (kind == PLATES) centre = thud_vec3_make(0.01 * centre.x, 0.01 * centre.y, centre.z);
    if (kind == PLATES) halves = thud_vec3_make(width, width, 0.4 * width / count); /* a stack along z */
    if (kind == BUNDLE) halves = thud_vec3_make(width, 0.3 * width / sqrt(count), 0.3 * width / sqrt(count));
    boxes[i] = box_around(centre, halves);
    if (kind == WITH_PLANE && i % 40 == 5)
      boxes[i] = (thud_bounds){thud_vec3_make(-INFINITY, -INFINITY, -INFINITY),
                               thud_vec3_make(INFINITY, INFINITY, i == 5 ? INFINITY : 0)};
  }
}

/* ---- all pairs ------------------------------------------------------------------------------------------------------ */

static bool overlap(const thud_bounds *a, const thud_bounds *b) {
  return a->low.x <= b->high.x && b->low.x <= a->high.x && a->low.y <= b->high.y && b->low.y <= a->high.y &&
         a->low.z <= b->high.z && b->low.z <= a->high.z;
}

static void assert_all_pairs(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes, const bool *still,
                             const thud_index *groups) {
  size_t found, next = 0;
  const thud_index_pair *pairs;
  assert_int_equal(thud_broad_phase_find(phase, count, boxes, still, groups, &found, &pairs), THUD_OK);
  for (thud_index i = 0; i < count; i++)
    for (thud_index k = i + 1; k < count; k++) {
      if (!overlap(&boxes[i], &boxes[k]) || (still != NULL && still[i] && still[k])) continue;
      if (groups != NULL && groups[i] >= 0 && groups[i] == groups[k]) continue;
      thud_assert_less(next, found);
      thud_assert_equal(pairs[next].first, i);
      thud_assert_equal(pairs[next].second, k);
      next++;
    }
  thud_assert_equal(next, found);
}

enum { MOST = 1200 };

static void pairs_are_those_of_brute_force(void **state) {
  (void)state;
  static const thud_index counts[] = {0, 1, 2, 7, 8, 9, 10, 40, 300, MOST};
  thud_context *context = thud_test_context(1);
  thud_broad_phase *phase;
  assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
  thud_bounds *boxes = malloc(MOST * sizeof *boxes);
  thud_index *groups = malloc(MOST * sizeof *groups);
  bool *still = malloc(MOST * sizeof *still);
  for (int kind = 0; kind < SPREADS; kind++)
    for (size_t c = 0; c < sizeof counts / sizeof *counts; c++)
      for (uint64_t seed = 1; seed <= 3; seed++) {
        make_boxes((spread)kind, seed, counts[c], boxes);
        for (thud_index i = 0; i < counts[c]; i++) {
          still[i] = i % 3 == 0;
          groups[i] = i % 7 == 0 ? -1 : i / 10;
        }
        assert_all_pairs(phase, counts[c], boxes, seed % 2 == 1 ? NULL : still, seed == 1 ? NULL : groups);
        bool one_cell = kind == PLATES || kind == BUNDLE;
        if (counts[c] == MOST) thud_assert_equal(phase->node_count > 0, one_cell); /* both methods are at work */
      }
  free(boxes);
  free(groups);
  free(still);
  thud_broad_phase_destroy(phase);
  thud_test_context_end(context);
}

/* Boxes that touch exactly, cell borders, sizes that are powers of 2 and their neighbours. */
static void touching_boxes_are_pairs(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_broad_phase *phase;
  assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
  thud_random random = thud_random_seed(5);
  thud_bounds boxes[200];
  for (int round = 0; round < 200; round++) {
    double unit = ldexp(1, (int)thud_random_below(&random, 60) - 30);
    if (round % 3 == 1) unit = nextafter(unit, 0);
    if (round % 3 == 2) unit *= 1 + thud_random_uniform(&random, 0, 1);
    double shift = round % 2 == 0 ? 0 : ldexp(unit, (int)thud_random_below(&random, 50));
    for (int i = 0; i < 200; i++) {
      double size = ldexp(unit, (int)thud_random_below(&random, 4));
      thud_vec3 low =
          thud_vec3_make(shift + unit * thud_random_below(&random, 12), shift - unit * thud_random_below(&random, 12),
                         unit * thud_random_below(&random, 12) - shift);
      boxes[i] = (thud_bounds){low, thud_vec3_make(low.x + size, low.y + size, low.z + size)};
    }
    assert_all_pairs(phase, 200, boxes, NULL, NULL);
  }
  thud_broad_phase_destroy(phase);
  thud_test_context_end(context);
}

static void boxes_that_are_nan_or_empty_never_pair(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_broad_phase *phase;
  assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
  thud_bounds boxes[60];
  for (int i = 0; i < 60; i++) boxes[i] = box_around(thud_vec3_make(0.1 * i, 0, 0), thud_vec3_make(20, 20, 20));
  boxes[3].low.x = NAN;
  boxes[7].high.z = NAN;
  boxes[9].low = boxes[9].high = thud_vec3_make(NAN, NAN, NAN);
  boxes[20].high.y = -21; /* empty */
  boxes[30].high.y = INFINITY;
  boxes[31].low.z = -1e305;
  boxes[32].high = thud_vec3_make(1e308, 1e308, 1e308);
  boxes[33].low = thud_vec3_make(-1.7e308, -1.7e308, -1.7e308);
  boxes[33].high = thud_vec3_make(1.7e308, 1.7e308, 1.7e308);
  size_t found;
  const thud_index_pair *pairs;
  assert_int_equal(thud_broad_phase_find(phase, 60, boxes, NULL, NULL, &found, &pairs), THUD_OK);
  thud_assert_equal(found, 56 * 55 / 2);
  for (size_t k = 0; k < found; k++) {
    thud_assert_different(pairs[k].first, 3);
    thud_assert_different(pairs[k].second, 20);
  }
  for (int i = 0; i < 60; i++) boxes[i].low.x = NAN;
  assert_int_equal(thud_broad_phase_find(phase, 60, boxes, NULL, NULL, &found, &pairs), THUD_OK);
  thud_assert_equal(found, 0);
  thud_broad_phase_destroy(phase);
  thud_test_context_end(context);
}

/* ---- threads and memory ----------------------------------------------------------------------------------------------- */

static void any_number_of_threads_finds_the_same(void **state) {
  (void)state;
  enum { COUNT = 6000 };
  thud_bounds *boxes = malloc(COUNT * sizeof *boxes);
  for (int kind = 0; kind < SPREADS; kind += THUD_TEST_STRIDE(4)) {
    if (kind == COINCIDENT) continue;
    make_boxes((spread)kind, 11, COUNT, boxes);
    thud_index_pair *expected = NULL;
    size_t expected_count = 0;
    uint64_t expected_tests = 0;
    for (int threads = 1; threads <= 4; threads *= 2) {
      thud_context *context = thud_test_context(threads);
      thud_broad_phase *phase;
      size_t found;
      const thud_index_pair *pairs;
      assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
      assert_int_equal(thud_broad_phase_find(phase, COUNT, boxes, NULL, NULL, &found, &pairs), THUD_OK);
      if (threads == 1) {
        expected = malloc((found + 1) * sizeof *expected);
        memcpy(expected, pairs, found * sizeof *expected);
        expected_count = found;
        expected_tests = thud_broad_phase_tests(phase);
      }
      thud_assert_equal(found, expected_count);
      thud_assert_equal(thud_broad_phase_tests(phase), expected_tests);
      assert_memory_equal(pairs, expected, found * sizeof *expected);
      thud_broad_phase_destroy(phase);
      thud_test_context_end(context);
    }
    free(expected);
  }
  free(boxes);
}

static void capacities_that_are_reached_stay(void **state) {
  (void)state;
  enum { COUNT = 3000 };
  thud_context *context = thud_test_context(2);
  thud_broad_phase *phase;
  assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
  thud_bounds *boxes = malloc(COUNT * sizeof *boxes);
  size_t found;
  const thud_index_pair *pairs;
  uint64_t before = 0;
  for (int round = 0; round < 2; round++)
    for (int kind = 0; kind < SPREADS; kind++) {
      make_boxes((spread)kind, 12, COUNT - 100 * kind, boxes);
      assert_int_equal(thud_broad_phase_find(phase, COUNT - 100 * kind, boxes, NULL, NULL, &found, &pairs), THUD_OK);
      if (round == 0)
        before = thud_context_allocation_count(context);
      else
        thud_assert_equal(thud_context_allocation_count(context), before);
    }
  free(boxes);
  thud_broad_phase_destroy(phase);
  thud_test_context_end(context);
}

static thud_error create_and_find(thud_context *context, void *user) {
  thud_broad_phase *phase;
  thud_error error = thud_broad_phase_create(context, &phase);
  if (error != THUD_OK) return error;
  size_t found = 77;
  const thud_index_pair *pairs;
  error = thud_broad_phase_find(phase, 400, user, NULL, NULL, &found, &pairs);
  if (error != THUD_OK) thud_assert_equal(found, 77);
  thud_broad_phase_destroy(phase);
  return error;
}

static void failing_allocations_leave_nothing(void **state) {
  (void)state;
  for (int kind = 0; kind < SPREADS; kind++) {
    thud_bounds boxes[400];
    make_boxes((spread)kind, 13, 400, boxes);
    thud_assert_greater(thud_test_sweep_allocations(create_and_find, boxes), 8);
  }
}

static void bad_arguments_are_named(void **state) {
  (void)state;
  thud_context *context = thud_test_context(1);
  thud_broad_phase *phase;
  assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
  size_t found;
  const thud_index_pair *pairs;
  thud_bounds box = box_around(thud_vec3_make(0, 0, 0), thud_vec3_make(1, 1, 1));
  assert_int_equal(thud_broad_phase_find(phase, -1, &box, NULL, NULL, &found, &pairs), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "thud_broad_phase_find", "-1", NULL);
  assert_int_equal(thud_broad_phase_find(phase, 1, NULL, NULL, NULL, &found, &pairs), THUD_ERROR_ARGUMENT);
  thud_test_message_has(context, "boxes", NULL);
  assert_int_equal(thud_broad_phase_find(phase, 0, NULL, NULL, NULL, &found, &pairs), THUD_OK);
  thud_assert_equal(found, 0);
  thud_broad_phase_destroy(phase);
  thud_test_context_end(context);
}

/* ---- counted work ------------------------------------------------------------------------------------------------------ */

/* Boxes held against each other and rows looked for, for each box and pair. */
static double relative_work(thud_broad_phase *phase, spread kind, thud_index count) {
  thud_bounds *boxes = malloc((size_t)count * sizeof *boxes);
  size_t found;
  const thud_index_pair *pairs;
  make_boxes(kind, 21, count, boxes);
  assert_int_equal(thud_broad_phase_find(phase, count, boxes, NULL, NULL, &found, &pairs), THUD_OK);
  free(boxes);
  double work = (double)(thud_broad_phase_tests(phase) + thud_broad_phase_lookups(phase));
  return work / ((double)count + (double)found);
}

static void work_is_linear_for_similar_sizes_and_never_above_n_log_n(void **state) {
  (void)state;
  enum { SMALL = 4000, LARGE = 16 * SMALL };
  thud_context *context = thud_test_context(2);
  thud_broad_phase *phase;
  assert_int_equal(thud_broad_phase_create(context, &phase), THUD_OK);
  for (int kind = 0; kind < SPREADS; kind += THUD_TEST_STRIDE(3)) {
    if (kind == COINCIDENT || kind == WITH_PLANE) continue; /* n^2 pairs */
    double small = relative_work(phase, (spread)kind, SMALL), large = relative_work(phase, (spread)kind, LARGE);
    print_message("kind %2d: work %5.1f and %5.1f for each of %d and %d boxes\n", kind, small, large, SMALL, LARGE);
    bool similar = kind != MILLION_TO_ONE && kind != FAR_SPREAD && kind < NEEDLES;
    if (similar) thud_assert_at_most(large / small, 1.1);
    thud_assert_at_most(small, 8 * log2(SMALL));
    thud_assert_at_most(large, 8 * log2(LARGE));
  }
  thud_broad_phase_destroy(phase);
  thud_test_context_end(context);
}

int main(void) {
  const struct CMUnitTest tests[] = {
      cmocka_unit_test(pairs_are_those_of_brute_force),
      cmocka_unit_test(touching_boxes_are_pairs),
      cmocka_unit_test(boxes_that_are_nan_or_empty_never_pair),
      cmocka_unit_test(any_number_of_threads_finds_the_same),
      cmocka_unit_test(capacities_that_are_reached_stay),
      cmocka_unit_test(failing_allocations_leave_nothing),
      cmocka_unit_test(bad_arguments_are_named),
      cmocka_unit_test(work_is_linear_for_similar_sizes_and_never_above_n_log_n),
  };
  return cmocka_run_group_tests(tests, NULL, NULL);
}
