/* The search of the broad phase: rows are swept against rows, and the pairs put in order. */
#include "geom/broad_phase.h"

/* ---- rows ------------------------------------------------------------------------------------------------------------ */

/* Entries first to end of one row (the question) in order of x. */
typedef struct broad_part {
  const thud_broad_row *row;
  const thud_broad_entry *entries;
  thud_index first, end;
} broad_part;

/* Adds what one box has been held against; true when the task is given up. */
static bool count_tests(thud_broad_task *task, thud_index tests) {
  task->tests += (uint64_t)tests;
  task->given_up |= task->tests > task->patience + THUD_BROAD_PATIENCE * task->overlaps;
  return task->given_up;
}

static void sweep_own_row(const broad_part *part, thud_broad_task *task) {
  const thud_index row_end = part->row->start + part->row->count;
  for (thud_index i = part->first; i < part->end; i++) {
    const thud_broad_entry *a = &part->entries[i];
    thud_index k = i + 1;
    for (; k < row_end && part->entries[k].bounds.low.x <= a->bounds.high.x; k++)
      thud_broad_test(task, a, &part->entries[k]);
    if (count_tests(task, k - i - 1)) return;
  }
}

/* The first place in [from, end) whose low.x is at least x: a few steps of one, as between rows alike, then steps that
 * double, then halving. */
static thud_index first_at_least(const thud_broad_entry *entries, thud_index from, thud_index end, double x) {
  for (int near = 0; near < 4; near++, from++)
    if (from == end || !(entries[from].bounds.low.x < x)) return from;
  thud_index step = 1, low = from, high = from;
  while (high < end && entries[high].bounds.low.x < x) {
    low = high + 1;
    high = end - high > step ? high + step : end;
    step = step < INT32_MAX / 2 ? 2 * step : step;
  }
  while (low < high) {
    thud_index middle = low + (high - low) / 2;
    if (entries[middle].bounds.low.x < x)
      low = middle + 1;
    else
      high = middle;
  }
  return low;
}

/* Boxes of the other row begin at most one cell before the one they overlap. */
static void sweep_other_row(const broad_part *part, const thud_broad_row *other, double scale, thud_broad_task *task) {
  const thud_index end = other->start + other->count;
  thud_index from = other->start;
  for (thud_index i = part->first; i < part->end; i++) {
    const thud_broad_entry *a = &part->entries[i];
    from = first_at_least(part->entries, from, end, a->bounds.low.x - scale);
    if (from == end) return;
    thud_index k = from;
    for (; k < end && part->entries[k].bounds.low.x <= a->bounds.high.x; k++)
      thud_broad_test(task, a, &part->entries[k]);
    if (count_tests(task, k - from)) return;
  }
}

/* Rows of a level in which boxes can begin that overlap some of the part's row; of the own level those behind it. */
static void sweep_level(const thud_broad_phase *phase, const broad_part *part, thud_index number,
                        thud_broad_task *task) {
  const thud_broad_level *level = &phase->levels[number];
  const thud_broad_row *row = part->row;
  const bool own = number == row->level;
  int64_t y_first = thud_broad_cell((row->low_y - level->scale) * level->inverse);
  int64_t y_last = thud_broad_cell(row->high_y * level->inverse);
  int64_t z_first = own ? row->z : thud_broad_cell((row->low_z - level->scale) * level->inverse);
  int64_t z_last = thud_broad_cell(row->high_z * level->inverse);
  for (int64_t z = z_first; z <= z_last; z++)
    for (int64_t y = own && z == row->z ? row->y + 1 : y_first; y <= y_last; y++) {
      const thud_broad_row *other = thud_broad_phase_row(phase, number, y, z);
      task->lookups++;
      if (task->given_up) return;
      if (other != NULL) sweep_other_row(part, other, level->scale, task);
    }
}

static void sweep_part(const thud_broad_phase *phase, const broad_part *part, thud_broad_task *task) {
  sweep_own_row(part, task);
  for (int k = phase->used_count - 1; k >= 0 && phase->used[k] >= part->row->level; k--)
    sweep_level(phase, part, phase->used[k], task);
}

/* ---- tasks ----------------------------------------------------------------------------------------------------------- */

static void test_wide(const thud_broad_phase *phase, thud_index first, thud_index end, thud_broad_task *task) {
  for (thud_index i = first; i < end; i++) {
    thud_index from = i < phase->gridded ? phase->gridded : i + 1;
    for (thud_index k = from; k < phase->entry_count; k++)
      thud_broad_test(task, &phase->at.entries[i], &phase->at.entries[k]);
    task->tests += (uint64_t)(phase->entry_count - from);
  }
}

static void search_rows(const thud_broad_phase *phase, thud_index first, thud_index end, thud_broad_task *task) {
  while (first < end && first < phase->gridded && !task->given_up) {
    const thud_broad_row *row = &phase->at.row_table[phase->at.entries[first].row];
    thud_index row_end = row->start + row->count;
    broad_part part = {row, phase->at.entries, first, row_end < end ? row_end : end};
    sweep_part(phase, &part, task);
    first = part.end;
  }
}

/* Whether a task is given up depends on its own boxes alone, so it does not depend on the threads. */
static void search_task(void *user, size_t k) {
  thud_broad_phase *phase = user;
  thud_broad_task *task = &phase->tasks[k];
  size_t all = (size_t)phase->entry_count, behind = (k + 1) * phase->chunk;
  thud_index first = (thud_index)(k * phase->chunk), end = (thud_index)(behind < all ? behind : all);
  task->count = 0;
  task->tests = task->lookups = task->overlaps = 0;
  task->given_up = false;
  test_wide(phase, first, end, task);
  uint64_t bits = 1;
  while (all >> bits > 0) bits++;
  task->patience = task->tests + THUD_BROAD_PATIENCE * bits * (uint64_t)(end - first);
  if (phase->node_count == 0)
    search_rows(phase, first, end, task);
  else
    for (thud_index i = first; i < end && i < phase->gridded; i++) thud_broad_phase_descend(phase, i, task);
}

static bool any_given_up(const thud_broad_phase *phase) {
  for (size_t k = 0; k < phase->task_count; k++)
    if (phase->tasks[k].given_up) return true;
  return false;
}

/* Room for so many pairs of a task and the place that is never read. */
static thud_error reserve_pairs(thud_broad_phase *phase, thud_broad_task *task, size_t count) {
  return thud_array_reserve(phase->context, &task->pairs, &task->capacity, count + 1, sizeof *task->pairs);
}

/* Tasks that had too little room are repeated with enough: only when there are more pairs than before. */
static thud_error repeat_tasks(thud_broad_phase *phase) {
  for (size_t k = 0; k < phase->task_count; k++) {
    thud_broad_task *task = &phase->tasks[k];
    if (task->count < task->capacity) continue;
    thud_error error = reserve_pairs(phase, task, task->count);
    if (error != THUD_OK) return error;
    search_task(phase, k);
  }
  return THUD_OK;
}

thud_error thud_broad_phase_search(thud_broad_phase *phase) {
  thud_error error = THUD_OK;
  for (size_t k = 0; k < phase->task_count && error == THUD_OK; k++)
    error = reserve_pairs(phase, &phase->tasks[k], phase->chunk);
  if (error != THUD_OK) return error;
  phase->node_count = 0;
  phase->tests_in_vain = 0;
  thud_parallel_for(phase->context, phase->task_count, search_task, phase);
  if (any_given_up(phase)) {
    phase->tests_in_vain = thud_broad_phase_tests(phase);
    error = thud_broad_phase_plant(phase);
    if (error != THUD_OK) return error;
    thud_parallel_for(phase->context, phase->task_count, search_task, phase);
  }
  return repeat_tasks(phase);
}

/* ---- order ------------------------------------------------------------------------------------------------------------- */

static void sift(thud_index *heap, size_t root, size_t count) {
  for (;;) {
    size_t child = 2 * root + 1;
    if (child >= count) return;
    if (child + 1 < count && heap[child] < heap[child + 1]) child++;
    if (heap[root] >= heap[child]) return;
    thud_index swapped = heap[root];
    heap[root] = heap[child];
    heap[child] = swapped;
    root = child;
  }
}

/* Insertion for the usual few, a heap for the many of a floor. */
static void sort_seconds(thud_index *list, size_t count) {
  if (count <= 32) {
    for (size_t i = 1; i < count; i++) {
      thud_index value = list[i];
      size_t k = i;
      for (; k > 0 && list[k - 1] > value; k--) list[k] = list[k - 1];
      list[k] = value;
    }
    return;
  }
  for (size_t root = count / 2; root > 0; root--) sift(list, root - 1, count);
  for (size_t end = count - 1; end > 0; end--) {
    thud_index largest = list[0];
    list[0] = list[end];
    list[end] = largest;
    sift(list, 0, end);
  }
}

/* Boxes k*chunk to (k+1)*chunk as the first of their pairs; firsts[i] is where those of box i begin. */
static void order_task(void *user, size_t k) {
  thud_broad_phase *phase = user;
  size_t end = (k + 1) * phase->chunk;
  for (size_t i = k * phase->chunk; i < end && i < (size_t)phase->count; i++) {
    size_t from = phase->at.firsts[i], count = phase->at.firsts[i + 1] - from;
    sort_seconds(phase->seconds + from, count);
    for (size_t m = from; m < from + count; m++) phase->pairs[m] = (thud_index_pair){(thud_index)i, phase->seconds[m]};
  }
}

/* Counting sort of all pairs by their first box: afterwards firsts[i+1] is where those of box i end. */
static void scatter(thud_broad_phase *phase) {
  size_t *firsts = phase->at.firsts;
  memset(firsts, 0, ((size_t)phase->count + 1) * sizeof *firsts);
  for (size_t k = 0; k < phase->task_count; k++)
    for (size_t m = 0; m < phase->tasks[k].count; m++) firsts[phase->tasks[k].pairs[m].first + 1]++;
  size_t before = 0;
  for (thud_index i = 0; i < phase->count; i++) {
    size_t own = firsts[i + 1];
    firsts[i + 1] = before;
    before += own;
  }
  for (size_t k = 0; k < phase->task_count; k++)
    for (size_t m = 0; m < phase->tasks[k].count; m++) {
      thud_index_pair pair = phase->tasks[k].pairs[m];
      phase->seconds[firsts[pair.first + 1]++] = pair.second;
    }
}

thud_error thud_broad_phase_collect(thud_broad_phase *phase) {
  size_t total = 0;
  for (size_t k = 0; k < phase->task_count; k++) total += phase->tasks[k].count;
  thud_error error =
      thud_array_reserve(phase->context, &phase->seconds, &phase->second_capacity, total, sizeof *phase->seconds);
  if (error == THUD_OK)
    error = thud_array_reserve(phase->context, &phase->pairs, &phase->pair_capacity, total, sizeof *phase->pairs);
  if (error != THUD_OK) return error;
  if (phase->count > 0) scatter(phase);
  thud_parallel_for(phase->context, ((size_t)phase->count + phase->chunk - 1) / phase->chunk, order_task, phase);
  phase->pair_count = total;
  return THUD_OK;
}
