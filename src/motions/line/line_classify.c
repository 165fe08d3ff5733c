/* Classes of strings and beams by refinement: trends of distance, variation and largest move of catching-up. */
#include "base/base.h"
#include "motions/line/elastic_motion.h"
#include "motions/line/line_follower.h"

#include <math.h>
#include <string.h>

/* Distances below these parts of u are rounding; the second is that of contact points whose places are sought. */
static const double rounding = 1e-10, placing = 1e-7;

/* ---- runs and their distance ---------------------------------------------------------------------------------------------- */

/* u of one run at all its steps, in their order. */
typedef struct history {
  size_t count, capacity, room;
  thud_index n;
  double *t; /* [count] */
  double *u; /* [count*n] */
  thud_context *context;
  thud_error error;
} history;

static int keep(void *user, const void *item) {
  const thud_elastic_frame *frame = item;
  history *kept = user;
  size_t n = (size_t)kept->n, needed;
  if (!thud_size_multiply(kept->count + 1, n, &needed)) return -1;
  kept->error = thud_array_reserve(kept->context, &kept->t, &kept->capacity, kept->count + 1, sizeof *kept->t);
  if (kept->error == THUD_OK)
    kept->error = thud_array_reserve(kept->context, &kept->u, &kept->room, needed, sizeof *kept->u);
  if (kept->error != THUD_OK) return -1;
  kept->t[kept->count] = frame->t;
  memcpy(kept->u + kept->count * n, frame->u, n * sizeof *kept->u);
  kept->count++;
  return 0;
}

static void forget(history *kept) {
  thud_free(kept->context, kept->t);
  thud_free(kept->context, kept->u);
  *kept = (history){.context = kept->context, .n = kept->n};
}

static double distance_of(thud_index n, const double *a, const double *b) {
  double largest = 0;
  for (thud_index i = 0; i < n; i++) largest = thud_larger(largest, fabs(a[i] - b[i]));
  return largest;
}

/* Largest difference at times of both. Where several steps share a time, the last of them counts: jumps may have been
 * resolved by different numbers of steps. */
static double history_distance(const history *coarse, const history *fine) {
  double largest = 0;
  size_t k = 0;
  for (size_t c = 0; c < coarse->count; c++) {
    if (c + 1 < coarse->count && coarse->t[c + 1] == coarse->t[c]) continue;
    while (k < fine->count && fine->t[k] < coarse->t[c]) k++;
    while (k + 1 < fine->count && fine->t[k + 1] == coarse->t[c]) k++;
    if (k == fine->count || fine->t[k] != coarse->t[c]) continue;
    largest =
        thud_larger(largest, distance_of(coarse->n, coarse->u + c * (size_t)coarse->n, fine->u + k * (size_t)fine->n));
  }
  return largest;
}

/* One run; *completed is false when it found a fault. */
static thud_error run_level(thud_context *context, const thud_line_problem *problem, const thud_partition *partition,
                            history *kept, thud_limit_level *row, bool *completed) {
  thud_motion *motion = NULL;
  const thud_motion_sink sink = {.frame = keep, .user = kept};
  thud_error error = thud_line_motion_create(context, problem, partition, &motion);
  if (error == THUD_OK) error = thud_motion_run(motion, &sink, NULL);
  const thud_elastic_motion_info info = thud_line_motion_get_info(motion);
  thud_motion_destroy(motion);
  if (error != THUD_OK) return kept->error != THUD_OK ? kept->error : error;
  *completed = info.status == THUD_MOTION_COMPLETED;
  *row = (thud_limit_level){.steps = info.steps,
                            .nodes = (size_t)kept->n,
                            .variation = info.variation,
                            .largest_move = info.largest_move,
                            .distance = NAN};
  return THUD_OK;
}

static double largest_of(const history *kept) {
  return thud_norm_max(NULL, kept->count * (size_t)kept->n, kept->u, NULL);
}

/* The histories of two consecutive levels, and the size of u in all levels so far. */
typedef struct levels_run {
  history before, now;
  double size;
} levels_run;

/* Takes in the level that has just run, as number k, and makes room for the next one. */
static void finish_level(levels_run *run, int k, thud_limit_level *row) {
  if (k > 0) row->distance = history_distance(&run->before, &run->now);
  run->size = thud_larger(run->size, largest_of(&run->now));
  history swap = run->before;
  run->before = run->now;
  run->now = swap;
  run->now.count = 0;
}

thud_error thud_line_classify(thud_context *context, const thud_line_problem *problem, int levels,
                              const thud_partition *const *partitions, thud_limit_level *rows,
                              thud_limit_judgement *judgement) {
  THUD_REQUIRE(context, context, problem, partitions, rows, judgement);
  if (levels < THUD_LIMIT_LEAST_LEVELS || problem->line == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a judgement needs a line and at least %d levels, not %d",
                     (int)THUD_LIMIT_LEAST_LEVELS, levels);
  const history none = {.context = context, .n = problem->line->n};
  levels_run run = {.before = none, .now = none};
  thud_error error = THUD_OK;
  bool completed = true;
  for (int k = 0; k < levels && error == THUD_OK && completed; k++) {
    if (partitions[k] == NULL)
      error = thud_fail(context, THUD_ERROR_ARGUMENT, "the partition of level %d is NULL", k);
    else
      error = run_level(context, problem, partitions[k], &run.now, &rows[k], &completed);
    if (error != THUD_OK || !completed) break;
    finish_level(&run, k, &rows[k]);
  }
  forget(&run.before);
  forget(&run.now);
  if (error == THUD_OK) thud_limit_judge(completed ? levels : 0, rows, rounding * run.size, judgement);
  return error;
}

/* ---- with the mesh refined -------------------------------------------------------------------------------------------------- */

enum { MOST_BEAM_CELLS = 400, MOST_STRING_CELLS = 3200, LEAST_CELLS = 100, FEWEST_NODES = 5 };

/* Every second node, the last one always. */
static thud_index coarsen(thud_index n, double *x) {
  thud_index count = 0;
  for (thud_index i = 0; i < n - 1; i += 2) x[count++] = x[i];
  x[count++] = x[n - 1];
  return count;
}

/* Every cell halved, in place. */
static thud_index halve(thud_index n, double *x) {
  for (thud_index i = n - 1; i > 0; i--) {
    double *here = x + 2 * (size_t)i;
    here[0] = x[i];
    here[-1] = x[i - 1] + (x[i] - x[i - 1]) / 2;
  }
  return 2 * n - 1;
}

/* One run; the states go into the history, at the nodes of the first level. */
static thud_error follow_level(thud_context *context, const thud_line_source *source, thud_index n, const double *x,
                               const double *places, const thud_partition *partition, history *kept,
                               thud_limit_level *row, bool *completed) {
  elastic_follower *motion = NULL;
  bool more = true;
  size_t needed;
  thud_error error = thud_follower_create(context, source, n, x, partition, &motion);
  while (error == THUD_OK && more) {
    error = thud_follower_step(motion, &more);
    if (error != THUD_OK || !more) break;
    if (!thud_size_multiply(kept->count + 1, (size_t)kept->n, &needed)) error = THUD_ERROR_OVERFLOW;
    if (error == THUD_OK)
      error = thud_array_reserve(context, &kept->t, &kept->capacity, kept->count + 1, sizeof *kept->t);
    if (error == THUD_OK) error = thud_array_reserve(context, &kept->u, &kept->room, needed, sizeof *kept->u);
    if (error != THUD_OK) break;
    kept->t[kept->count] = thud_follower_time(motion);
    thud_follower_sample(motion, kept->n, places, kept->u + kept->count * (size_t)kept->n);
    kept->count++;
  }
  if (motion != NULL) *row = thud_follower_level(motion);
  thud_follower_destroy(motion);
  thud_motion_status status = THUD_MOTION_COMPLETED;
  error = thud_elastic_fault(error, &status);
  *completed = status == THUD_MOTION_COMPLETED;
  return error;
}

static thud_error classify_on(thud_context *context, const thud_line_source *source, int levels,
                              const thud_partition *const *partitions, thud_index n, double *x, double *first,
                              thud_index most, thud_limit_level *rows, thud_limit_judgement *judgement) {
  const history none = {.context = context, .n = n};
  levels_run run = {.before = none, .now = none};
  thud_error error = THUD_OK;
  bool completed = true;
  memcpy(first, x, (size_t)n * sizeof *x);
  for (int k = 0; k < levels && error == THUD_OK && completed; k++) {
    if (k > 0 && 2 * (n - 1) <= most) n = halve(n, x);
    error = follow_level(context, source, n, x, first, partitions[k], &run.now, &rows[k], &completed);
    if (error != THUD_OK || !completed) break;
    finish_level(&run, k, &rows[k]);
  }
  forget(&run.before);
  forget(&run.now);
  if (error == THUD_OK) thud_limit_judge(completed ? levels : 0, rows, placing * run.size, judgement);
  return error;
}

thud_error thud_line_classify_free(thud_context *context, const thud_line_source *source, int levels,
                                   const thud_partition *const *partitions, thud_limit_level *rows,
                                   thud_limit_judgement *judgement) {
  THUD_REQUIRE(context, context, source, partitions, rows, judgement);
  if (levels < THUD_LIMIT_LEAST_LEVELS || source->build == NULL || source->x == NULL || source->nodes < 2)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a judgement needs a line of 2 nodes and at least %d levels, not %d",
                     (int)THUD_LIMIT_LEAST_LEVELS, levels);
  for (int k = 0; k < levels; k++)
    if (partitions[k] == NULL) return thud_fail(context, THUD_ERROR_ARGUMENT, "the partition of level %d is NULL", k);
  thud_index most = source->kind == THUD_LINE_BEAM ? MOST_BEAM_CELLS : MOST_STRING_CELLS, n = source->nodes;
  thud_index room = n > 2 * most ? n : 2 * most + 2;
  double *x = THUD_NEW_ARRAY(context, double, room), *first = THUD_NEW_ARRAY(context, double, room);
  thud_error error = x != NULL && first != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  if (error == THUD_OK) {
    memcpy(x, source->x, (size_t)n * sizeof *x);
    while (n < FEWEST_NODES) n = halve(n, x);
    while (n - 1 > 2 * LEAST_CELLS && (double)(n - 1) * exp2(levels - 1) > (double)most) n = coarsen(n, x);
    error = classify_on(context, source, levels, partitions, n, x, first, most, rows, judgement);
  }
  thud_free(context, x);
  thud_free(context, first);
  return error;
}
