/* Ordered reductions. The vector is cut into blocks of BLOCK elements; each block is summed by eight interleaved
 * running sums (fixed order, vectorisable), and the block results are added in a binary tree. The order depends on n
 * alone, so any number of threads gives the same bits; the tree also keeps the rounding error at O(log n). */
#include "base/base.h"

#include <math.h>

/* A task has at least MIN_BLOCKS blocks: below that, waking a thread costs more than the sum itself. */
enum { BLOCK = 4096, LANES = 8, MIN_BLOCKS = 8, MAX_TASKS = 64 };

typedef struct reduction reduction;
struct reduction {
  const double *x, *y; /* y only for dot products */
  double scale;        /* elements are multiplied by it first */
  size_t n, blocks, blocks_per_task;
  double (*block_sum)(const reduction *reduction, size_t first, size_t last);
  double partial[MAX_TASKS]; /* tree sum of each task's blocks */
};

static double sum_block(const reduction *r, size_t first, size_t last) {
  double lane[LANES] = {0};
  size_t i = first;
  for (; i + LANES <= last; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += r->x[i + k];
  for (size_t k = 0; i < last; i++, k++) lane[k] += r->x[i];
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

static double dot_block(const reduction *r, size_t first, size_t last) {
  double lane[LANES] = {0};
  size_t i = first;
  for (; i + LANES <= last; i += LANES)
    for (size_t k = 0; k < LANES; k++) lane[k] += (r->scale * r->x[i + k]) * (r->scale * r->y[i + k]);
  for (size_t k = 0; i < last; i++, k++) lane[k] += (r->scale * r->x[i]) * (r->scale * r->y[i]);
  return ((lane[0] + lane[4]) + (lane[2] + lane[6])) + ((lane[1] + lane[5]) + (lane[3] + lane[7]));
}

/* Sum over blocks first..last-1 by halving: the shape of the tree depends on the range alone. */
static double tree_sum(const reduction *r, size_t first, size_t last) {
  if (last - first == 1) {
    size_t begin = first * BLOCK, end = begin + BLOCK < r->n ? begin + BLOCK : r->n;
    return r->block_sum(r, begin, end);
  }
  size_t middle = first + (last - first) / 2;
  return tree_sum(r, first, middle) + tree_sum(r, middle, last);
}

static void reduce_task(void *user, size_t k) {
  reduction *r = user;
  size_t first = k * r->blocks_per_task, last = first + r->blocks_per_task;
  if (last > r->blocks) last = r->blocks;
  r->partial[k] = tree_sum(r, first, last);
}

static double reduce(thud_context *context, reduction *r) {
  if (r->n == 0) return 0;
  r->blocks = r->n / BLOCK + (r->n % BLOCK != 0);
  r->blocks_per_task = (r->blocks + MAX_TASKS - 1) / MAX_TASKS;
  if (r->blocks_per_task < MIN_BLOCKS) r->blocks_per_task = MIN_BLOCKS;
  size_t tasks = (r->blocks + r->blocks_per_task - 1) / r->blocks_per_task;
  thud_parallel_for(context, tasks, reduce_task, r);
  for (size_t width = 1; width < tasks; width *= 2)
    for (size_t k = 0; k + width < tasks; k += 2 * width) r->partial[k] += r->partial[k + width];
  return r->partial[0];
}

double thud_sum(thud_context *context, size_t n, const double *x) {
  THUD_REQUIRE_OR(NAN, n == 0 || x);
  reduction r = {.x = x, .n = n, .scale = 1, .block_sum = sum_block};
  return reduce(context, &r);
}

double thud_dot(thud_context *context, size_t n, const double *x, const double *y) {
  THUD_REQUIRE_OR(NAN, n == 0 || (x && y));
  reduction r = {.x = x, .y = y, .n = n, .scale = 1, .block_sum = dot_block};
  return reduce(context, &r);
}

double thud_norm_max(thud_context *context, size_t n, const double *x, size_t *where) {
  THUD_REQUIRE_OR(NAN, n == 0 || x);
  (void)context; /* one pass over memory: max is exact in any order, threads would not pay */
  double largest = 0;
  size_t index = 0;
  for (size_t i = 0; i < n; i++) {
    double magnitude = fabs(x[i]);
    if (magnitude > largest || isnan(magnitude)) {
      largest = magnitude;
      index = i;
      if (isnan(magnitude)) break;
    }
  }
  if (where != NULL) *where = index;
  return largest;
}

double thud_norm2(thud_context *context, size_t n, const double *x) {
  THUD_REQUIRE_OR(NAN, n == 0 || x);
  double largest = thud_norm_max(context, n, x, NULL);
  if (largest == 0 || !isfinite(largest)) return largest;
  /* Scaling by a power of two is exact, so ordinary vectors lose nothing by it. */
  int exponent;
  frexp(largest, &exponent);
  if (exponent > -400 && exponent < 400) exponent = 0;
  if (exponent < -1000) exponent = -1000; /* 2^1074 would overflow; 2^1000 lifts subnormals far enough */
  if (exponent > 1000) exponent = 1000;
  reduction r = {.x = x, .y = x, .n = n, .scale = ldexp(1, -exponent), .block_sum = dot_block};
  return ldexp(sqrt(reduce(context, &r)), exponent);
}
