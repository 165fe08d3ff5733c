/* Error estimate of a sweeping run by nested refinement: the same run on the partition and on its halvings, the
 * states compared at the nodes they share. */
#include "motions/sweeping/sweep.h"
#include "base/base.h"

#include <math.h>

/* Of the states just reached and, at a jump, of their left limits. */
static double distance_between(const thud_sweep *fine, const thud_sweep *coarse) {
  const thud_metric *metric = fine->problem.metric;
  double distance = thud_metric_distance(metric, fine->n, fine->state, coarse->state);
  if (!fine->now.has_left || !coarse->now.has_left) return distance;
  return fmax(distance, thud_metric_distance(metric, fine->n, fine->left_state, coarse->left_state));
}

/* The fine run does the halves of the coarse run's last interval. Catching-up states belong to the beginning of an
 * interval, regularised states to its end, hence the comparison after the first or after the last half. */
static thud_error follow(thud_sweep *fine, const thud_sweep *coarse, double *difference) {
  thud_interval whole = thud_partition_interval(coarse->partition, coarse->now.next - 1);
  bool compare_at_begin = fine->method == THUD_SWEEP_CATCHING_UP;
  bool first = true, last = false;
  while (!last) {
    thud_interval part = thud_partition_interval(fine->partition, fine->now.next);
    thud_error error = thud_sweep_do_interval(fine);
    if (error != THUD_OK || !sweep_is_running(fine)) return error;
    last = part.right == whole.right && part.right_closed == whole.right_closed;
    if (compare_at_begin ? first : last) *difference = fmax(*difference, distance_between(fine, coarse));
    first = false;
  }
  return THUD_OK;
}

/* Both runs, interval by interval of the coarse one. A run that does not complete is an error: its own message stays.
 */
static thud_error run_pair(thud_sweep *coarse, thud_sweep *fine, const thud_sink *watch, double *difference) {
  thud_error error = THUD_OK;
  bool going = true;
  double largest = 0;
  coarse->now.info.status = fine->now.info.status = THUD_MOTION_RUNNING;
  while (going && coarse->now.next < thud_partition_count(coarse->partition)) {
    error = thud_sweep_do_interval(coarse);
    if (error == THUD_OK) error = thud_sweep_emit(coarse, watch);
    if (error == THUD_OK && sweep_is_running(coarse)) error = follow(fine, coarse, &largest);
    going = error == THUD_OK && sweep_is_running(coarse) && sweep_is_running(fine);
  }
  if (going) *difference = largest;
  if (going || error != THUD_OK) return error;
  return coarse->now.info.status == THUD_MOTION_STOPPED ? THUD_ERROR_INTERRUPTED : THUD_ERROR_NOT_CONVERGED;
}

/* Steps, variation and largest move of a run that has ended, and their extent. */
static void note_level(const thud_sweep *sweep, thud_limit_level *row, double *size) {
  const thud_sweep_info *info = &sweep->now.info;
  *row = (thud_limit_level){
      .steps = info->steps, .variation = info->variation, .largest_move = info->largest_move, .distance = NAN};
  *size = thud_larger(*size, info->extent);
}

/* The pair of rows [0] and [1], the distance in the second. */
static thud_error compare_pair(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                               const thud_partition *coarse_partition, const thud_partition *fine_partition,
                               const thud_sweep_options *options, const thud_sink *watch, thud_limit_level *rows,
                               double *size) {
  thud_sweep *coarse = NULL, *fine = NULL;
  double difference = NAN, kept = rows[0].distance;
  thud_error error = thud_sweep_create(context, method, problem, coarse_partition, options, &coarse);
  if (error == THUD_OK) error = thud_sweep_create(context, method, problem, fine_partition, options, &fine);
  if (error == THUD_OK) error = run_pair(coarse, fine, watch, &difference);
  if (error == THUD_OK) {
    note_level(coarse, &rows[0], size);
    note_level(fine, &rows[1], size);
    rows[0].distance = kept;
    rows[1].distance = difference;
  }
  thud_sweep_destroy(fine);
  thud_sweep_destroy(coarse);
  return error;
}

enum { MAX_LEVELS = 20 };
/* Distances below this part of the way that u goes are rounding of the projections. */
static const double rounding = 1e-10;

/* Runs on the partition and on `halvings` halvings of it, rows[halvings + 1]; intervals[halvings] (may be NULL) are the
 * sizes of the coarser partitions. */
static thud_error run_halvings(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                               const thud_partition *partition, const thud_sweep_options *options, int halvings,
                               const thud_sink *watch, size_t *intervals, thud_limit_level *rows, double *size) {
  const thud_partition *coarse = partition;
  thud_partition *owned = NULL, *fine = NULL;
  thud_error error = THUD_OK;
  rows[0].distance = NAN;
  for (int level = 0; level < halvings && error == THUD_OK; level++) {
    error = thud_partition_halve(context, coarse, &fine);
    if (error != THUD_OK) break;
    if (intervals != NULL) intervals[level] = thud_partition_count(coarse);
    error = compare_pair(context, method, problem, coarse, fine, options, watch, &rows[level], size);
    thud_partition_destroy(owned);
    coarse = owned = fine;
  }
  thud_partition_destroy(owned);
  return error;
}

static double extrapolation_order(int levels, const thud_sweep_refinement *rows) {
  double p = levels > 1 ? rows[1].order : 1;
  return p >= 0.25 && p <= 2.5 ? p : 1;
}

thud_error thud_sweep_refine(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                             const thud_partition *partition, const thud_sweep_options *options, int levels,
                             const thud_sink *watch, thud_sweep_refinement *rows, double *error_estimate) {
  THUD_REQUIRE(context, context, problem, partition, rows, error_estimate);
  if (levels < 1 || levels > MAX_LEVELS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a refinement study needs 1 to %d levels, not %d", MAX_LEVELS,
                     levels);
  thud_limit_level found[MAX_LEVELS + 1];
  size_t intervals[MAX_LEVELS];
  double size = 0;
  thud_error error = run_halvings(context, method, problem, partition, options, levels, watch, intervals, found, &size);
  if (error != THUD_OK) return error;
  for (int k = 0; k < levels; k++)
    rows[k] = (thud_sweep_refinement){.intervals = intervals[k],
                                      .difference = found[k + 1].distance,
                                      .order = k > 0 ? log2(found[k].distance / found[k + 1].distance) : NAN};
  *error_estimate = rows[0].difference / (1 - exp2(-extrapolation_order(levels, rows)));
  return THUD_OK;
}

thud_error thud_sweep_classify(thud_context *context, thud_sweep_method method, const thud_sweep_problem *problem,
                               const thud_partition *partition, const thud_sweep_options *options, int levels,
                               const thud_sink *watch, thud_limit_level *rows, thud_limit_judgement *judgement) {
  THUD_REQUIRE(context, context, problem, partition, rows, judgement);
  if (levels < THUD_LIMIT_LEAST_LEVELS || levels > MAX_LEVELS)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a judgement needs %d to %d levels, not %d",
                     (int)THUD_LIMIT_LEAST_LEVELS, MAX_LEVELS, levels);
  double size = 0;
  thud_error error = run_halvings(context, method, problem, partition, options, levels - 1, watch, NULL, rows, &size);
  bool incomplete = error == THUD_ERROR_NOT_CONVERGED;
  if (error == THUD_OK || incomplete) thud_limit_judge(incomplete ? 0 : levels, rows, rounding * size, judgement);
  return incomplete ? THUD_OK : error;
}
