/* Partitions of a time interval into intervals of any kind, as Moreau's catching-up algorithm wants them.
 *
 * A uniform partition is computed, not stored: its intervals follow from the number of steps and from the jumps, each
 * of which adds its own point and, inside a step, divides that. Between two such points the intervals are counted
 * through. Halving divides every interval that is not a point 2^levels times. Only partitions that were given interval
 * by interval, and halvings of intervals too short to be divided, are lists. */
#include "thud/sim.h"
#include "base/base.h"

#include <float.h>
#include <math.h>
#include <string.h>

/* A jump of a uniform partition. */
typedef struct partition_jump {
  double time;
  size_t number;   /* of its point among the intervals, before halving */
  thud_index step; /* the step, from 1, whose interval [node(step-1), node(step)) it lies in */
} partition_jump;

struct thud_partition {
  thud_context *context;
  size_t count;             /* intervals */
  thud_interval *intervals; /* [count], or NULL: uniform */
  double start, end;
  thud_index steps;
  int levels; /* of halving */
  size_t jump_count;
  partition_jump *jumps; /* [jump_count] those in [start, end) */
};

enum { MOST_LEVELS = 30 };

void thud_partition_destroy(thud_partition *partition) {
  if (partition == NULL) return;
  thud_free(partition->context, partition->intervals);
  thud_free(partition->context, partition->jumps);
  thud_free(partition->context, partition);
}

size_t thud_partition_count(const thud_partition *partition) {
  THUD_REQUIRE_OR(0, partition);
  return partition->count;
}

/* Nodes are computed from both ends so that the last one is `end` to the bit. */
static double node(const thud_partition *partition, thud_index k) {
  double fraction = (double)k / (double)partition->steps;
  return k == partition->steps ? partition->end : partition->start + fraction * (partition->end - partition->start);
}

static thud_interval point(double t) {
  return (thud_interval){.left = t, .right = t, .left_closed = true, .right_closed = true};
}

/* The number of jumps whose points, in the numbering after halving, come no later than number k. */
static size_t jumps_up_to(const thud_partition *partition, size_t k) {
  size_t low = 0, high = partition->jump_count;
  while (low < high) {
    size_t middle = low + (high - low) / 2;
    size_t before = partition->jumps[middle].number - middle; /* intervals that are not points */
    if ((before << partition->levels) + middle <= k)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* The interval `after` places behind the point of jump number `jumps` - 1 (the start, when jumps is 0), not halved. */
static thud_interval whole_interval(const thud_partition *partition, size_t jumps, size_t after) {
  const partition_jump *last = jumps > 0 ? &partition->jumps[jumps - 1] : NULL;
  const partition_jump *next = jumps < partition->jump_count ? &partition->jumps[jumps] : NULL;
  thud_index step = (thud_index)((last != NULL ? (size_t)last->step : 1) + after);
  size_t number = (last != NULL ? last->number + 1 : 0) + after;
  bool behind_point = last != NULL && after == 0;
  return (thud_interval){.left = behind_point ? last->time : node(partition, step - 1),
                         .right = next != NULL && next->number == number + 1 ? next->time : node(partition, step),
                         .left_closed = !behind_point,
                         .right_closed = false};
}

static double middle_of(const thud_interval *whole) { return whole->left + 0.5 * (whole->right - whole->left); }

static thud_interval half_of(const thud_interval *whole, bool second) {
  double middle = middle_of(whole);
  if (second)
    return (thud_interval){
        .left = middle, .right = whole->right, .left_closed = true, .right_closed = whole->right_closed};
  return (thud_interval){
      .left = whole->left, .right = middle, .left_closed = whole->left_closed, .right_closed = false};
}

thud_interval thud_partition_interval(const thud_partition *partition, size_t k) {
  THUD_REQUIRE_OR((thud_interval){0}, partition);
  if (partition->intervals != NULL) return partition->intervals[k];
  if (k + 1 == partition->count) return point(partition->end);
  size_t jumps = jumps_up_to(partition, k), first = 0;
  if (jumps > 0) {
    const partition_jump *last = &partition->jumps[jumps - 1];
    first = ((last->number - (jumps - 1)) << partition->levels) + jumps;
    if (k + 1 == first) return point(last->time);
  }
  thud_interval found = whole_interval(partition, jumps, (k - first) >> partition->levels);
  for (int level = partition->levels; level-- > 0;) found = half_of(&found, ((k - first) >> level & 1) != 0);
  return found;
}

/* What is wrong with an interval by itself or after its predecessor; NULL when nothing is. */
static const char *interval_fault(const thud_interval *previous, const thud_interval *interval) {
  if (!isfinite(interval->left) || !isfinite(interval->right)) return "has an end that is not finite";
  if (interval->left > interval->right) return "ends before it begins";
  if (interval->left == interval->right && !(interval->left_closed && interval->right_closed))
    return "is empty: a single point must be closed on both sides";
  if (previous == NULL) return NULL;
  if (previous->right != interval->left) return "does not begin where the one before ends";
  if (previous->right_closed == interval->left_closed)
    return previous->right_closed ? "shares its left end with the one before" : "leaves out its left end";
  return NULL;
}

static thud_error allocate_list(thud_context *context, size_t count, thud_partition **partition) {
  thud_partition *made = THUD_NEW(context, thud_partition);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  made->intervals = THUD_NEW_ARRAY(context, thud_interval, count);
  if (made->intervals == NULL) {
    thud_free(context, made);
    return THUD_ERROR_MEMORY;
  }
  *partition = made;
  return THUD_OK;
}

thud_error thud_partition_create(thud_context *context, size_t count, const thud_interval *intervals,
                                 thud_partition **partition) {
  THUD_REQUIRE(context, context, count == 0 || intervals, partition);
  if (count == 0 || intervals == NULL || partition == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a partition needs at least one interval");
  for (size_t k = 0; k < count; k++) {
    const char *fault = interval_fault(k > 0 ? &intervals[k - 1] : NULL, &intervals[k]);
    if (fault != NULL)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "interval %zu of the partition, from %.17g to %.17g, %s", k,
                       intervals[k].left, intervals[k].right, fault);
  }
  thud_partition *made = NULL;
  thud_error error = allocate_list(context, count, &made);
  if (error != THUD_OK) return error;
  memcpy(made->intervals, intervals, count * sizeof *intervals);
  made->count = count;
  *partition = made;
  return THUD_OK;
}

/* The first step whose node lies behind t, start <= t < end. */
static thud_index step_of(const thud_partition *partition, double t) {
  thud_index low = 1, high = partition->steps;
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    if (t < node(partition, middle))
      high = middle;
    else
      low = middle + 1;
  }
  return low;
}

static void place_jumps(thud_partition *partition, size_t count, const double *times) {
  size_t extra = 0; /* intervals that the jumps so far have added */
  double last = partition->start;
  for (size_t k = 0; k < count && times[k] < partition->end; k++) {
    if (times[k] < partition->start) continue;
    thud_index step = step_of(partition, times[k]);
    double from = fmax(node(partition, step - 1), last);
    if (from < times[k]) extra++; /* a part of the step before the jump */
    partition->jumps[partition->jump_count++] =
        (partition_jump){.time = times[k], .number = (size_t)step - 1 + extra, .step = step};
    extra++;
    last = times[k];
  }
  partition->count = (size_t)partition->steps + extra + 1;
}

thud_error thud_partition_uniform(thud_context *context, double start, double end, thud_index steps, size_t jump_count,
                                  const double *jumps, thud_partition **partition) {
  THUD_REQUIRE(context, context, jump_count == 0 || jumps, partition);
  if (!isfinite(start) || !isfinite(end) || !(start < end) || steps < 1 || partition == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "a uniform partition needs start < end and at least one step, not %d steps from %g to %g",
                     (int)steps, start, end);
  if (jump_count > 0 && jumps == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "%zu jumps were announced, but no times given", jump_count);
  for (size_t k = 1; k < jump_count; k++)
    if (!(jumps[k - 1] < jumps[k]))
      return thud_fail(context, THUD_ERROR_ARGUMENT, "jump times must increase: number %zu is %g after %g", k, jumps[k],
                       jumps[k - 1]);
  /* Nodes are rounded by at most 2 units in the last place of the larger end. */
  if (!((end - start) / (double)steps > 8 * DBL_EPSILON * fmax(fabs(start), fabs(end))))
    return thud_fail(context, THUD_ERROR_ARGUMENT,
                     "%d steps from %.17g to %.17g: rounding cannot separate the nodes; take fewer steps", (int)steps,
                     start, end);
  thud_partition *made = THUD_NEW(context, thud_partition);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = (thud_partition){.context = context, .start = start, .end = end, .steps = steps};
  made->jumps = THUD_NEW_ARRAY(context, partition_jump, jump_count);
  if (made->jumps == NULL) {
    thud_partition_destroy(made);
    return THUD_ERROR_MEMORY;
  }
  place_jumps(made, jump_count, jumps);
  *partition = made;
  return THUD_OK;
}

/* ---- halving ---------------------------------------------------------------------------------------------------- */

static bool is_divisible(const thud_interval *whole) {
  double middle = middle_of(whole);
  return whole->left < middle && middle < whole->right;
}

/* Whether one more level of halving divides every interval: the steps by their length, those beside jumps one by one.
 * */
static bool is_divisible_again(const thud_partition *partition) {
  double largest = fmax(fabs(partition->start), fabs(partition->end));
  double step = ldexp((partition->end - partition->start) / (double)partition->steps, -partition->levels);
  if (partition->intervals != NULL || partition->levels >= MOST_LEVELS || !(step > 16 * DBL_EPSILON * largest))
    return false;
  size_t pieces = (size_t)1 << partition->levels;
  for (size_t k = 0; k < partition->jump_count; k++) {
    size_t at = ((partition->jumps[k].number - k) << partition->levels) + k; /* of the point */
    for (size_t i = 0; i < pieces; i++) {
      thud_interval behind = thud_partition_interval(partition, at + 1 + i);
      thud_interval before = at > i ? thud_partition_interval(partition, at - 1 - i) : behind;
      bool points = before.left == before.right;
      if (!is_divisible(&behind) && behind.left < behind.right) return false;
      if (!points && !is_divisible(&before)) return false;
    }
  }
  return true;
}

static thud_error halve_list(thud_context *context, const thud_partition *coarse, thud_partition **fine) {
  size_t capacity;
  if (!thud_size_multiply(coarse->count, 2, &capacity))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "a partition of %zu intervals is too large to halve", coarse->count);
  thud_partition *made = NULL;
  thud_error error = allocate_list(context, capacity, &made);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < coarse->count; k++) {
    thud_interval whole = thud_partition_interval(coarse, k);
    bool divisible = is_divisible(&whole);
    made->intervals[made->count++] = divisible ? half_of(&whole, false) : whole;
    if (divisible) made->intervals[made->count++] = half_of(&whole, true);
  }
  *fine = made;
  return THUD_OK;
}

thud_error thud_partition_halve(thud_context *context, const thud_partition *coarse, thud_partition **fine) {
  THUD_REQUIRE(context, context, coarse, fine);
  if (!is_divisible_again(coarse)) return halve_list(context, coarse, fine);
  thud_partition *made = THUD_NEW(context, thud_partition);
  if (made == NULL) return THUD_ERROR_MEMORY;
  *made = *coarse;
  made->context = context;
  made->jumps = THUD_NEW_ARRAY(context, partition_jump, coarse->jump_count);
  if (made->jumps == NULL) {
    thud_free(context, made);
    return THUD_ERROR_MEMORY;
  }
  if (coarse->jump_count > 0) memcpy(made->jumps, coarse->jumps, coarse->jump_count * sizeof *made->jumps);
  made->levels++;
  made->count = 2 * coarse->count - coarse->jump_count - 1; /* the points of the jumps and of the end stay */
  *fine = made;
  return THUD_OK;
}
