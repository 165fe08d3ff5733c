/* Which boxes overlap: grids, one for each size class, whose rows are swept against each other; where grids do not tell the boxes
 * apart, a tree. */
#include "geom/broad_phase.h"
#include "geom/ray.h"
#include "geom/shape.h"

thud_error thud_broad_phase_create(thud_context *context, thud_broad_phase **phase) {
  THUD_REQUIRE(context, context, phase);
  thud_broad_phase *made = THUD_NEW(context, thud_broad_phase);
  if (made == NULL) return THUD_ERROR_MEMORY;
  made->context = context;
  *phase = made;
  return THUD_OK;
}

void thud_broad_phase_destroy(thud_broad_phase *phase) {
  if (phase == NULL) return;
  thud_context *context = phase->context;
  for (size_t k = 0; k < THUD_BROAD_TASKS_MAX; k++) thud_free(context, phase->tasks[k].pairs);
  thud_free(context, phase->at.classes);
  thud_free(context, phase->at.rows);
  thud_free(context, phase->at.keys);
  thud_free(context, phase->at.scratch);
  thud_free(context, phase->at.entries);
  thud_free(context, phase->at.row_table);
  thud_free(context, phase->at.firsts);
  thud_free(context, phase->slots);
  thud_free(context, phase->nodes);
  thud_free(context, phase->seconds);
  thud_free(context, phase->pairs);
  thud_free(context, phase);
}

/* Resizes one of the arrays of boxes; the content is not needed any more. */
static bool resize(thud_context *context, void *array, size_t count, size_t size) {
  void *old, *grown;
  memcpy(&old, array, sizeof old);
  grown = thud_realloc(context, old, count, size);
  if (grown == NULL) return false;
  memcpy(array, &grown, sizeof grown);
  return true;
}

static thud_error reserve_boxes(thud_broad_phase *phase, size_t count) {
  if (count <= phase->box_capacity) return THUD_OK;
  thud_context *context = phase->context;
  thud_broad_boxes *at = &phase->at;
  size_t room = count + count / 4;
  bool good =
      resize(context, &at->classes, room, sizeof *at->classes) && resize(context, &at->rows, room, sizeof *at->rows) &&
      resize(context, &at->keys, room, sizeof *at->keys) && resize(context, &at->scratch, room, sizeof *at->scratch) &&
      resize(context, &at->entries, room, sizeof *at->entries) &&
      resize(context, &at->row_table, room, sizeof *at->row_table) &&
      resize(context, &at->firsts, room + 1, sizeof *at->firsts);
  if (!good) return THUD_ERROR_MEMORY;
  phase->box_capacity = room;
  return THUD_OK;
}

thud_error thud_broad_phase_find(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes, const bool *still,
                                 const thud_index *groups, size_t *pair_count, const thud_index_pair **pairs) {
  THUD_REQUIRE_OF(phase, count == 0 || boxes, pair_count, pairs);
  if (count < 0) return thud_fail(phase->context, THUD_ERROR_ARGUMENT, "thud_broad_phase_find: %d boxes", (int)count);
  phase->count = count;
  phase->boxes = boxes;
  phase->still = still;
  phase->groups = groups;
  thud_error error = reserve_boxes(phase, (size_t)count);
  if (error == THUD_OK) error = thud_broad_phase_fill(phase);
  if (error == THUD_OK) error = thud_broad_phase_search(phase);
  if (error == THUD_OK) error = thud_broad_phase_collect(phase);
  if (error != THUD_OK) return error;
  *pair_count = phase->pair_count;
  *pairs = phase->pairs;
  return THUD_OK;
}

thud_error thud_broad_phase_hold(thud_broad_phase *phase, thud_index count, const thud_bounds *boxes) {
  phase->count = count;
  phase->boxes = boxes;
  phase->still = NULL;
  phase->groups = NULL;
  phase->node_count = phase->gridded = phase->entry_count = 0;
  thud_error error = reserve_boxes(phase, (size_t)count);
  if (error == THUD_OK) error = thud_broad_phase_fill(phase);
  return error == THUD_OK ? thud_broad_phase_plant(phase) : error;
}

uint64_t thud_broad_phase_tests(const thud_broad_phase *phase) {
  uint64_t sum = phase->tests_in_vain;
  for (size_t k = 0; k < phase->task_count; k++) sum += phase->tasks[k].tests;
  return sum;
}

uint64_t thud_broad_phase_lookups(const thud_broad_phase *phase) {
  uint64_t sum = 0;
  for (size_t k = 0; k < phase->task_count; k++) sum += phase->tasks[k].lookups;
  return sum;
}

/* ---- grids: classes -------------------------------------------------------------------------------------------- */

/* The least e with |x| <= 2^e (one more when |x| is a power of 2), from the bits of x; -1022 for 0. */
static int exponent(double x) {
  uint64_t bits;
  memcpy(&bits, &x, sizeof bits);
  return (int)(bits >> 52 & 0x7ff) - 1022;
}

static double larger_magnitude(double a, double b) { return thud_larger(fabs(a), fabs(b)); }

/* The size class of a box. Boxes far from the origin for their size get a larger class, so that cell numbers stay below
 * 2^41 and their rounding errors far below a cell. */
static int16_t class_of(const thud_bounds *box) {
  const thud_vec3 low = box->low, high = box->high;
  if (!(low.x <= high.x && low.y <= high.y && low.z <= high.z)) return THUD_BROAD_NONE;
  double far = larger_magnitude(low.x, high.x);
  far = thud_larger(far, larger_magnitude(low.y, high.y));
  far = thud_larger(far, larger_magnitude(low.z, high.z));
  int distant = exponent(far);
  if (distant >= THUD_BROAD_HIGHEST) return THUD_BROAD_WIDE;
  int size = exponent(thud_larger(thud_larger(high.x - low.x, high.y - low.y), high.z - low.z));
  if (size < distant - THUD_BROAD_CELL_BITS) size = distant - THUD_BROAD_CELL_BITS;
  return (int16_t)(size < THUD_BROAD_LOWEST ? THUD_BROAD_LOWEST : size);
}

static thud_broad_level *level_of(thud_broad_phase *phase, int class) {
  return &phase->levels[class - THUD_BROAD_LOWEST];
}

static void classify(thud_broad_phase *phase) {
  memset(phase->levels, 0, sizeof phase->levels);
  for (thud_index i = 0; i < phase->count; i++) {
    int16_t class = class_of(&phase->boxes[i]);
    phase->at.classes[i] = class;
    if (class == THUD_BROAD_NONE || class == THUD_BROAD_WIDE) continue;
    const thud_bounds *box = &phase->boxes[i];
    thud_broad_level *level = level_of(phase, class);
    level->count++;
    level->scale = thud_larger(level->scale, box->high.x - box->low.x);
    level->scale = thud_larger(level->scale, box->high.y - box->low.y);
    level->scale = thud_larger(level->scale, box->high.z - box->low.z);
  }
}

/* Cells are wider than the largest box by 2^-8: more than what rounding can do to cell numbers below 2^41 (2^-11). A few
 * boxes in the largest classes are cheaper tested against all than looked for by every row. */
static void choose_levels(thud_broad_phase *phase) {
  int class = THUD_BROAD_HIGHEST;
  thud_index wide = 0;
  for (; class >= THUD_BROAD_LOWEST; class --) {
    thud_broad_level *level = level_of(phase, class);
    if (wide + level->count > THUD_BROAD_WIDE_MAX) break;
    wide += level->count;
    level->count = 0;
  }
  phase->used_count = 0;
  for (int k = THUD_BROAD_LOWEST; k <= class; k++) {
    thud_broad_level *level = level_of(phase, k);
    if (level->count == 0) continue;
    level->scale = thud_larger(level->scale * (1 + 0x1p-8), ldexp(1, k - 1));
    level->inverse = 1 / level->scale;
    phase->used[phase->used_count++] = (int16_t)(k - THUD_BROAD_LOWEST);
  }
  for (thud_index i = 0; i < phase->count; i++)
    if (phase->at.classes[i] > class) phase->at.classes[i] = THUD_BROAD_WIDE;
}

/* ---- grids: rows ----------------------------------------------------------------------------------------------- */

static uint64_t hash_of(thud_index level, int64_t y, int64_t z) {
  uint64_t h =
      (uint64_t)y * 0x9E3779B97F4A7C15U + (uint64_t)z * 0xC2B2AE3D27D4EB4FU + (uint64_t)level * 0x165667B19E3779F9U;
  h = (h ^ h >> 32) * 0xD6E8FEB86659FD93U;
  return h ^ h >> 32;
}

/* The slot with the row of a cell, or the free one where it would go. */
static thud_broad_slot *slot_of(const thud_broad_phase *phase, uint64_t hash, thud_index level, int64_t y, int64_t z) {
  for (size_t k = (size_t)hash & (phase->slot_count - 1);; k = (k + 1) & (phase->slot_count - 1)) {
    thud_broad_slot *slot = &phase->slots[k];
    if (slot->row == 0) return slot;
    if (slot->tag != (uint32_t)(hash >> 32)) continue;
    const thud_broad_row *row = &phase->at.row_table[slot->row - 1];
    if (row->y == y && row->z == z && row->level == level) return slot;
  }
}

const thud_broad_row *thud_broad_phase_row(const thud_broad_phase *phase, thud_index level, int64_t y, int64_t z) {
  const thud_broad_slot *slot = slot_of(phase, hash_of(level, y, z), level, y, z);
  return slot->row == 0 ? NULL : &phase->at.row_table[slot->row - 1];
}

/* The row of a cell, made when it is not there yet. */
static thud_index enter_row(thud_broad_phase *phase, thud_index level, int64_t y, int64_t z) {
  uint64_t hash = hash_of(level, y, z);
  thud_broad_slot *slot = slot_of(phase, hash, level, y, z);
  if (slot->row == 0) {
    phase->at.row_table[phase->row_count++] = (thud_broad_row){.y = y, .z = z, .level = level};
    *slot = (thud_broad_slot){(uint32_t)(hash >> 32), phase->row_count};
  }
  return slot->row - 1;
}

/* At most half of the slots are taken, however many rows there are. */
static thud_error reserve_slots(thud_broad_phase *phase) {
  size_t needed = 16;
  while (needed < 2 * (size_t)phase->count) needed *= 2;
  thud_error error =
      thud_array_reserve(phase->context, &phase->slots, &phase->slot_capacity, needed, sizeof *phase->slots);
  if (error != THUD_OK) return error;
  phase->slot_count = needed;
  memset(phase->slots, 0, needed * sizeof *phase->slots);
  return THUD_OK;
}

static void enter_rows(thud_broad_phase *phase) {
  phase->row_count = 0;
  for (thud_index i = 0; i < phase->count; i++) {
    int class = phase->at.classes[i];
    if (class == THUD_BROAD_NONE || class == THUD_BROAD_WIDE) continue;
    const thud_broad_level *level = level_of(phase, class);
    thud_index row =
        enter_row(phase, class - THUD_BROAD_LOWEST, thud_broad_cell(phase->boxes[i].low.y * level->inverse),
                  thud_broad_cell(phase->boxes[i].low.z * level->inverse));
    phase->at.rows[i] = row;
    phase->at.row_table[row].count++;
  }
}

/* ---- grids: the boxes of a row in order of x ------------------------------------------------------------------- */

static void fill_entry(const thud_broad_phase *phase, thud_index place, thud_index box, thud_index row) {
  phase->at.entries[place] = (thud_broad_entry){.bounds = phase->boxes[box],
                                                .box = box,
                                                .group = phase->groups != NULL ? phase->groups[box] : -1,
                                                .row = row,
                                                .still = phase->still != NULL && phase->still[box]};
}

/* Counting sort by rows, stable; boxes for all go behind. */
static void sort_by_rows(thud_broad_phase *phase) {
  thud_index place = 0;
  for (thud_index r = 0; r < phase->row_count; r++) {
    thud_broad_row *row = &phase->at.row_table[r];
    row->start = place;
    place += row->count;
    row->count = 0;
  }
  phase->gridded = place;
  for (thud_index i = 0; i < phase->count; i++) {
    if (phase->at.classes[i] == THUD_BROAD_NONE) continue;
    if (phase->at.classes[i] == THUD_BROAD_WIDE) {
      fill_entry(phase, place++, i, -1);
      continue;
    }
    thud_broad_row *row = &phase->at.row_table[phase->at.rows[i]];
    phase->at.keys[row->start + row->count++] = (thud_broad_key){phase->boxes[i].low.x, i};
  }
  phase->entry_count = place;
}

enum { RUN = 12 }; /* runs that are sorted by insertion before merging */

static void insertion_sort(thud_broad_key *keys, thud_index count) {
  for (thud_index i = 1; i < count; i++) {
    thud_broad_key key = keys[i];
    thud_index k = i;
    for (; k > 0 && keys[k - 1].x > key.x; k--) keys[k] = keys[k - 1];
    keys[k] = key;
  }
}

static void merge(const thud_broad_key *from, thud_index first, thud_index middle, thud_index end, thud_broad_key *to) {
  thud_index i = first, k = middle;
  for (thud_index place = first; place < end; place++)
    to[place] = k >= end || (i < middle && !(from[k].x < from[i].x)) ? from[i++] : from[k++];
}

/* Stable merge sort by x, so that equal ones stay in order of their numbers. */
static void sort_by_x(thud_broad_key *keys, thud_broad_key *scratch, thud_index count) {
  for (thud_index i = 0; i < count; i += RUN) insertion_sort(keys + i, count - i < RUN ? count - i : RUN);
  for (size_t width = RUN; width < (size_t)count; width *= 2) {
    for (size_t i = 0; i < (size_t)count; i += 2 * width) {
      size_t middle = i + width < (size_t)count ? i + width : (size_t)count;
      size_t end = i + 2 * width < (size_t)count ? i + 2 * width : (size_t)count;
      merge(keys, (thud_index)i, (thud_index)middle, (thud_index)end, scratch);
    }
    memcpy(keys, scratch, (size_t)count * sizeof *keys);
  }
}

static void widen_row(thud_broad_row *row, const thud_bounds *box, bool first) {
  row->low_y = first || box->low.y < row->low_y ? box->low.y : row->low_y;
  row->low_z = first || box->low.z < row->low_z ? box->low.z : row->low_z;
  row->high_y = first || box->high.y > row->high_y ? box->high.y : row->high_y;
  row->high_z = first || box->high.z > row->high_z ? box->high.z : row->high_z;
}

/* Rows k*chunk to (k+1)*chunk. */
static void sort_rows(void *user, size_t k) {
  thud_broad_phase *phase = user;
  size_t end = (k + 1) * phase->chunk;
  for (size_t r = k * phase->chunk; r < end && r < (size_t)phase->row_count; r++) {
    thud_broad_row *row = &phase->at.row_table[r];
    thud_broad_key *keys = phase->at.keys + row->start;
    sort_by_x(keys, phase->at.scratch + row->start, row->count);
    for (thud_index i = 0; i < row->count; i++) {
      fill_entry(phase, row->start + i, keys[i].box, (thud_index)r);
      widen_row(row, &phase->boxes[keys[i].box], i == 0);
    }
  }
}

static size_t chunk_for(size_t count) {
  size_t chunk = (count + THUD_BROAD_TASKS_MAX - 1) / THUD_BROAD_TASKS_MAX;
  return chunk < THUD_BROAD_CHUNK_MIN ? THUD_BROAD_CHUNK_MIN : chunk;
}

thud_error thud_broad_phase_fill(thud_broad_phase *phase) {
  thud_error error = reserve_slots(phase);
  if (error != THUD_OK) return error;
  classify(phase);
  choose_levels(phase);
  enter_rows(phase);
  sort_by_rows(phase);
  phase->chunk = chunk_for((size_t)phase->row_count);
  thud_parallel_for(phase->context, ((size_t)phase->row_count + phase->chunk - 1) / phase->chunk, sort_rows, phase);
  phase->chunk = chunk_for((size_t)phase->entry_count);
  phase->task_count = ((size_t)phase->entry_count + phase->chunk - 1) / phase->chunk;
  return THUD_OK;
}

/* ---- search: rows against rows --------------------------------------------------------------------------------- */

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

/* ---- search: tasks --------------------------------------------------------------------------------------------- */

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

/* A task is given up by its own boxes alone, so the decision does not depend on the threads. */
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

/* ---- search: the order of the pairs ---------------------------------------------------------------------------- */

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

/* ---- tree ------------------------------------------------------------------------------------------------------ */

/* The second method of the broad phase, for boxes that grids do not tell apart: many long or flat ones in one place, as
 * stacked plates or a bundle of needles. A balanced tree of boxes, halved at the median along the axis on which the
 * centres spread most relative to the sizes; n log n to build, and every box descends it once. */

enum { LEAF = 4 };

/* ---- tree: the median ------------------------------------------------------------------------------------------ */

static bool before(thud_broad_key a, thud_broad_key b) { return a.x < b.x || (a.x == b.x && a.box < b.box); }

static void exchange(thud_broad_key *a, thud_broad_key *b) {
  thud_broad_key held = *a;
  *a = *b;
  *b = held;
}

/* Hoare's selection: afterwards keys[0..middle-1] come before keys[middle..count-1]. Pivots are drawn (with a fixed seed),
 * so that no order of the boxes makes it slow; the result does not depend on them because the order is strict. */
static void select_middle(thud_broad_key *keys, thud_index count, thud_index middle, thud_random *random) {
  thud_index first = 0, last = count - 1;
  while (first < last) {
    thud_broad_key pivot = keys[first + (thud_index)thud_random_below(random, (uint32_t)(last - first + 1))];
    thud_index i = first, k = last;
    while (i <= k) {
      while (before(keys[i], pivot)) i++;
      while (before(pivot, keys[k])) k--;
      if (i <= k) exchange(&keys[i++], &keys[k--]);
    }
    if (middle <= k)
      last = k;
    else if (middle >= i)
      first = i;
    else
      return;
  }
}

/* ---- tree: its nodes ------------------------------------------------------------------------------------------- */

static double component(thud_vec3 v, int axis) { return axis == 0 ? v.x : axis == 1 ? v.y : v.z; }

/* Half of it first: sums of boxes up to 2^1000 do not overflow, but there is no need to come near. */
static double centre(const thud_bounds *box, int axis) {
  return 0.5 * component(box->low, axis) + 0.5 * component(box->high, axis);
}

typedef struct axis_spread {
  double low, high, size; /* of the centres; sum of the sizes */
} axis_spread;

static axis_spread spread_along(const thud_broad_phase *phase, const thud_broad_key *keys, thud_index count, int axis) {
  axis_spread spread = {INFINITY, -INFINITY, 0};
  for (thud_index i = 0; i < count; i++) {
    const thud_bounds *box = &phase->at.entries[keys[i].box].bounds;
    double x = centre(box, axis);
    spread.low = x < spread.low ? x : spread.low;
    spread.high = thud_larger(spread.high, x);
    spread.size += component(box->high, axis) - component(box->low, axis);
  }
  return spread;
}

/* The axis along which boxes overlap least: largest spread of centres per size. */
static int choose_axis(const thud_broad_phase *phase, const thud_broad_key *keys, thud_index count) {
  int best = 0;
  double most = -1;
  for (int axis = 0; axis < 3; axis++) {
    axis_spread spread = spread_along(phase, keys, count, axis);
    double width = spread.high - spread.low;
    double ratio = width > 0 ? width / thud_larger(spread.size, DBL_MIN) : 0;
    if (!(ratio > most)) continue;
    most = ratio;
    best = axis;
  }
  return best;
}

static thud_bounds bounds_of(const thud_broad_phase *phase, const thud_broad_key *keys, thud_index count) {
  thud_bounds all = phase->at.entries[keys[0].box].bounds;
  for (thud_index i = 1; i < count; i++) {
    const thud_bounds *box = &phase->at.entries[keys[i].box].bounds;
    all.low = thud_vec3_make(fmin(all.low.x, box->low.x), fmin(all.low.y, box->low.y), fmin(all.low.z, box->low.z));
    all.high =
        thud_vec3_make(fmax(all.high.x, box->high.x), fmax(all.high.y, box->high.y), fmax(all.high.z, box->high.z));
  }
  return all;
}

/* Nodes in preorder; `skip` is the node behind the subtree. The depth is that of halving: at most 31. */
static void build(thud_broad_phase *phase, thud_index first, thud_index count, thud_random *random) {
  thud_broad_key *keys = phase->at.keys + first;
  thud_broad_node *node = &phase->nodes[phase->node_count++];
  *node = (thud_broad_node){.bounds = bounds_of(phase, keys, count), .first = first, .count = count};
  if (count > LEAF) {
    node->count = 0;
    int axis = choose_axis(phase, keys, count);
    for (thud_index i = 0; i < count; i++) keys[i].x = centre(&phase->at.entries[keys[i].box].bounds, axis);
    select_middle(keys, count, count / 2, random);
    build(phase, first, count / 2, random);
    build(phase, first + count / 2, count - count / 2, random);
  }
  node->skip = phase->node_count;
}

thud_error thud_broad_phase_plant(thud_broad_phase *phase) {
  thud_error error = thud_array_reserve(phase->context, &phase->nodes, &phase->node_capacity, (size_t)phase->gridded,
                                        sizeof *phase->nodes);
  if (error != THUD_OK) return error;
  thud_random random = thud_random_seed(1);
  for (thud_index i = 0; i < phase->gridded; i++) phase->at.keys[i].box = i;
  phase->node_count = 0;
  if (phase->gridded > 0) build(phase, 0, phase->gridded, &random);
  return THUD_OK;
}

/* ---- tree: one box against it ---------------------------------------------------------------------------------- */

/* Boxes in front of it in the order of entries have asked for it already. */
void thud_broad_phase_descend(const thud_broad_phase *phase, thud_index entry, thud_broad_task *task) {
  const thud_broad_entry *a = &phase->at.entries[entry];
  for (thud_index k = 0; k < phase->node_count;) {
    const thud_broad_node *node = &phase->nodes[k];
    task->tests++;
    if (!thud_broad_overlap(&a->bounds, &node->bounds)) {
      k = node->skip;
      continue;
    }
    for (thud_index i = node->first; i < node->first + node->count; i++) {
      thud_index other = phase->at.keys[i].box;
      task->tests++;
      if (other > entry) thud_broad_test(task, a, &phase->at.entries[other]);
    }
    k++;
  }
}

/* ---- questions ---------------------------------------------------------------------------------------------------------- */

void thud_broad_phase_meet_box(const thud_broad_phase *phase, const thud_bounds *box, thud_broad_visit_fn visit,
                               void *user) {
  const thud_broad_entry *entries = phase->at.entries;
  for (thud_index k = 0; k < phase->node_count;) {
    const thud_broad_node *node = &phase->nodes[k];
    if (!thud_broad_overlap(box, &node->bounds)) {
      k = node->skip;
      continue;
    }
    for (thud_index i = node->first; i < node->first + node->count; i++) {
      const thud_broad_entry *entry = &entries[phase->at.keys[i].box];
      if (thud_broad_overlap(box, &entry->bounds)) visit(user, entry->box);
    }
    k++;
  }
  for (thud_index k = phase->gridded; k < phase->entry_count; k++)
    if (thud_broad_overlap(box, &entries[k].bounds)) visit(user, entries[k].box);
}

static bool is_met(const thud_ray *ray, const thud_bounds *box, double limit) {
  double from = 0, to = limit;
  return thud_ray_in_box(ray, box, &from, &to);
}

void thud_broad_phase_meet_ray(const thud_broad_phase *phase, const thud_ray *ray, const double *limit,
                               thud_broad_visit_fn visit, void *user) {
  const thud_broad_entry *entries = phase->at.entries;
  for (thud_index k = phase->gridded; k < phase->entry_count; k++)
    if (is_met(ray, &entries[k].bounds, *limit)) visit(user, entries[k].box);
  for (thud_index k = 0; k < phase->node_count;) {
    const thud_broad_node *node = &phase->nodes[k];
    if (!is_met(ray, &node->bounds, *limit)) {
      k = node->skip;
      continue;
    }
    for (thud_index i = node->first; i < node->first + node->count; i++) {
      const thud_broad_entry *entry = &entries[phase->at.keys[i].box];
      if (is_met(ray, &entry->bounds, *limit)) visit(user, entry->box);
    }
    k++;
  }
}
