/* Colours are counted in a hash table; too many of them are divided into boxes of the colour cube. */
#include "plot/palette.h"

#include <math.h>
#include <string.h>

enum { FIRST_SLOTS = 1024 };

void thud_palette_release(palette *colours) {
  thud_free(colours->context, colours->entries);
  thud_free(colours->context, colours->slots);
}

/* ---- counting ---------------------------------------------------------------------------------------------------------- */

/* The slot of a colour, or the empty one where it belongs (Fibonacci hashing, linear probing). */
static size_t find_slot(const palette *colours, uint32_t colour) {
  size_t slot = (colour * 2654435769U >> 8) & (colours->slot_count - 1);
  while (colours->slots[slot] != 0 && colours->entries[colours->slots[slot] - 1].colour != colour)
    slot = (slot + 1) & (colours->slot_count - 1);
  return slot;
}

/* At most half of the slots are full. */
static thud_error make_slots(palette *colours) {
  if (2 * (colours->entry_count + 1) <= colours->slot_count) return THUD_OK;
  size_t count = colours->slot_count > 0 ? 2 * colours->slot_count : FIRST_SLOTS;
  uint32_t *slots = THUD_NEW_ARRAY(colours->context, uint32_t, count);
  if (slots == NULL) return THUD_ERROR_MEMORY;
  thud_free(colours->context, colours->slots);
  colours->slots = slots;
  colours->slot_count = count;
  for (size_t k = 0; k < colours->entry_count; k++)
    slots[find_slot(colours, colours->entries[k].colour)] = (uint32_t)k + 1;
  return THUD_OK;
}

thud_error thud_palette_count(palette *colours, uint32_t colour) {
  thud_error error = make_slots(colours);
  if (error != THUD_OK) return error;
  size_t slot = find_slot(colours, colour);
  if (colours->slots[slot] == 0) {
    error = thud_array_reserve(colours->context, &colours->entries, &colours->entry_capacity, colours->entry_count + 1,
                               sizeof *colours->entries);
    if (error != THUD_OK) return error;
    colours->entries[colours->entry_count++] = (palette_entry){.colour = colour};
    colours->slots[slot] = (uint32_t)colours->entry_count;
  }
  colours->entries[colours->slots[slot] - 1].count++;
  return THUD_OK;
}

unsigned char thud_palette_index(const palette *colours, uint32_t colour) {
  return colours->entries[colours->slots[find_slot(colours, colour)] - 1].index;
}

/* ---- boxes ------------------------------------------------------------------------------------------------------------- */

/* Entries order[first .. end-1], with their weighted mean and the sum of squared distances from it along the axis where it
 * is largest. Weights are counts: the few greys of a floor that fades over a large area stay apart (a coarser step there is
 * seen as an edge), and a small body keeps its own colours because they are far from all others. */
typedef struct box {
  size_t first, end;
  double mean[3], error;
  int axis;
} box;

static double part_of(uint32_t colour, int axis) { return (double)(colour >> (16 - 8 * axis) & 255U); }

static void measure(const palette *colours, const uint32_t *order, box *measured) {
  double weight = 0, sum[3] = {0, 0, 0}, squares[3] = {0, 0, 0};
  for (size_t k = measured->first; k < measured->end; k++) {
    const palette_entry *entry = &colours->entries[order[k]];
    double w = entry->count;
    weight += w;
    for (int c = 0; c < 3; c++) {
      double x = part_of(entry->colour, c);
      sum[c] += w * x;
      squares[c] += w * x * x;
    }
  }
  measured->error = 0;
  for (int c = 0; c < 3; c++) {
    measured->mean[c] = sum[c] / weight;
    double error = squares[c] - sum[c] * measured->mean[c];
    if (!(error > measured->error)) continue;
    measured->error = error;
    measured->axis = c;
  }
  if (measured->end - measured->first < 2) measured->error = 0; /* rounding must not cut a single colour */
}

/* Cuts a box at its mean; the upper part goes to *upper. Both have entries: the mean lies between the extremes. */
static void cut(const palette *colours, uint32_t *order, box *lower, box *upper) {
  size_t low = lower->first, high = lower->end;
  while (low < high) {
    uint32_t entry = order[low];
    if (part_of(colours->entries[entry].colour, lower->axis) <= lower->mean[lower->axis]) {
      low++;
    } else {
      order[low] = order[--high];
      order[high] = entry;
    }
  }
  *upper = (box){.first = low, .end = lower->end};
  lower->end = low;
  measure(colours, order, lower);
  measure(colours, order, upper);
}

static size_t worst_box(size_t count, const box *boxes) {
  size_t worst = 0;
  for (size_t k = 1; k < count; k++)
    if (boxes[k].error > boxes[worst].error) worst = k;
  return worst;
}

/* The most frequent colour of a box stays as it is when it is the larger part of it (the paper, outlines). */
static uint32_t colour_of(const palette *colours, const uint32_t *order, const box *of) {
  const palette_entry *first = &colours->entries[order[of->first]];
  double total = 0;
  uint32_t mean = 0;
  for (size_t k = of->first; k < of->end; k++) {
    const palette_entry *entry = &colours->entries[order[k]];
    total += entry->count;
    if (entry->count > first->count) first = entry;
  }
  for (int c = 0; c < 3; c++) mean = mean << 8 | (uint32_t)lround(of->mean[c]);
  return 2 * first->count > total ? first->colour : mean;
}

static void divide(palette *colours, uint32_t *order, box *boxes) {
  size_t count = 1;
  boxes[0] = (box){.first = 0, .end = colours->entry_count};
  measure(colours, order, &boxes[0]);
  while (count < PALETTE_MOST) {
    size_t worst = worst_box(count, boxes);
    if (!(boxes[worst].error > 0)) break;
    cut(colours, order, &boxes[worst], &boxes[count++]);
  }
  colours->count = count;
  for (size_t b = 0; b < count; b++) {
    colours->colours[b] = colour_of(colours, order, &boxes[b]);
    for (size_t k = boxes[b].first; k < boxes[b].end; k++) colours->entries[order[k]].index = (unsigned char)b;
  }
}

thud_error thud_palette_make(palette *colours) {
  if (colours->entry_count <= PALETTE_MOST) {
    colours->count = colours->entry_count;
    for (size_t k = 0; k < colours->count; k++) {
      colours->colours[k] = colours->entries[k].colour;
      colours->entries[k].index = (unsigned char)k;
    }
    return THUD_OK;
  }
  uint32_t *order = THUD_NEW_ARRAY(colours->context, uint32_t, colours->entry_count);
  box *boxes = THUD_NEW_ARRAY(colours->context, box, PALETTE_MOST);
  if (order != NULL && boxes != NULL) {
    for (size_t k = 0; k < colours->entry_count; k++) order[k] = (uint32_t)k;
    divide(colours, order, boxes);
  }
  thud_error error = order != NULL && boxes != NULL ? THUD_OK : THUD_ERROR_MEMORY;
  thud_free(colours->context, order);
  thud_free(colours->context, boxes);
  return error;
}
