/* Partitions of a time interval into intervals of any kind, as Moreau's catching-up algorithm wants them. */
#include "thud/sim.h"
#include "base/base.h"

#include <math.h>
#include <string.h>

struct thud_partition {
  thud_context *context;
  size_t count;
  thud_interval *intervals; /* [count] */
};

static thud_error partition_allocate(thud_context *context, size_t count, thud_partition **partition) {
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

void thud_partition_destroy(thud_partition *partition) {
  if (partition == NULL) return;
  thud_free(partition->context, partition->intervals);
  thud_free(partition->context, partition);
}

size_t thud_partition_count(const thud_partition *partition) { return partition->count; }
thud_interval thud_partition_interval(const thud_partition *partition, size_t k) { return partition->intervals[k]; }

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

thud_error thud_partition_create(thud_context *context, size_t count, const thud_interval *intervals,
                                 thud_partition **partition) {
  if (count == 0 || intervals == NULL || partition == NULL)
    return thud_fail(context, THUD_ERROR_ARGUMENT, "a partition needs at least one interval");
  for (size_t k = 0; k < count; k++) {
    const char *fault = interval_fault(k > 0 ? &intervals[k - 1] : NULL, &intervals[k]);
    if (fault != NULL)
      return thud_fail(context, THUD_ERROR_ARGUMENT, "interval %zu of the partition, from %.17g to %.17g, %s", k,
                       intervals[k].left, intervals[k].right, fault);
  }
  thud_partition *made;
  thud_error error = partition_allocate(context, count, &made);
  if (error != THUD_OK) return error;
  memcpy(made->intervals, intervals, count * sizeof *intervals);
  made->count = count;
  *partition = made;
  return THUD_OK;
}

/* Appends the interval from `from` (closed unless a point interval has just been put there) to `to`, open. */
static void append_step(thud_partition *partition, double from, double to) {
  if (!(from < to)) return;
  bool after_point = partition->count > 0 && partition->intervals[partition->count - 1].right_closed;
  partition->intervals[partition->count++] =
      (thud_interval){.left = from, .right = to, .left_closed = !after_point, .right_closed = false};
}

static void append_point(thud_partition *partition, double t) {
  partition->intervals[partition->count++] =
      (thud_interval){.left = t, .right = t, .left_closed = true, .right_closed = true};
}

thud_error thud_partition_uniform(thud_context *context, double start, double end, thud_index steps, size_t jump_count,
                                  const double *jumps, thud_partition **partition) {
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
  size_t capacity = (size_t)steps + 1;
  if (!thud_size_multiply(jump_count, 2, &jump_count) || !thud_size_add(capacity, jump_count, &capacity))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "a partition with %zu jumps is too large", jump_count);
  jump_count /= 2;
  thud_partition *made;
  thud_error error = partition_allocate(context, capacity, &made);
  if (error != THUD_OK) return error;

  size_t jump = 0;
  while (jump < jump_count && jumps[jump] < start) jump++;
  double from = start;
  for (thud_index k = 1; k <= steps; k++) {
    /* Nodes are computed from both ends so that the last one is `end` to the bit. */
    double fraction = (double)k / (double)steps;
    double to = k == steps ? end : start + fraction * (end - start);
    for (; jump < jump_count && jumps[jump] < to; jump++) {
      append_step(made, from, jumps[jump]);
      append_point(made, jumps[jump]);
      from = jumps[jump];
    }
    append_step(made, from, to);
    from = to;
  }
  append_point(made, end);
  *partition = made;
  return THUD_OK;
}

thud_error thud_partition_halve(thud_context *context, const thud_partition *coarse, thud_partition **fine) {
  size_t capacity;
  if (!thud_size_multiply(coarse->count, 2, &capacity))
    return thud_fail(context, THUD_ERROR_OVERFLOW, "a partition of %zu intervals is too large to halve", coarse->count);
  thud_partition *made;
  thud_error error = partition_allocate(context, capacity, &made);
  if (error != THUD_OK) return error;
  for (size_t k = 0; k < coarse->count; k++) {
    thud_interval whole = coarse->intervals[k];
    double middle = whole.left + 0.5 * (whole.right - whole.left);
    bool divisible = whole.left < middle && middle < whole.right;
    if (!divisible) {
      made->intervals[made->count++] = whole;
      continue;
    }
    made->intervals[made->count++] =
        (thud_interval){.left = whole.left, .right = middle, .left_closed = whole.left_closed, .right_closed = false};
    made->intervals[made->count++] =
        (thud_interval){.left = middle, .right = whole.right, .left_closed = true, .right_closed = whole.right_closed};
  }
  *fine = made;
  return THUD_OK;
}
