/* The grids of the broad phase: classes, cells, rows, and the boxes of a row in order of x. */
#include "geom/broad_phase.h"

/* ---- classes ------------------------------------------------------------------------------------------------------- */

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

/* ---- rows ----------------------------------------------------------------------------------------------------------- */

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

/* ---- entries ---------------------------------------------------------------------------------------------------------- */

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
