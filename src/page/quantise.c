/* Numbers on a grid, by differences along rows: what moves evenly becomes small whole numbers, whose high bytes are 0. */
#include "page/page.h"

#include <math.h>

enum { ORDERS = 3 };

static const double farthest = 1 << 30; /* steps from low: second differences stay within 32 bits */

static double low_of(const page_grid *grid, size_t column) { return grid->low[column % grid->count]; }
static double step_of(const page_grid *grid, size_t column) { return grid->step[column % grid->count]; }

/* Whole numbers k of all values; false: one does not lie on the grid. */
static bool round_all(size_t rows, size_t columns, const double *values, const page_grid *grid, int32_t *rounded) {
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < columns; c++) {
      double k = round((values[i * columns + c] - low_of(grid, c)) / step_of(grid, c));
      if (!(fabs(k) <= farthest)) return false;
      rounded[i * columns + c] = (int32_t)k;
    }
  return true;
}

/* The difference of this order at number `at` of its column, in row `row`, modulo 2^32, with its sign in the lowest bit:
 * 0, -1, 1, -2, ... become 0, 1, 2, 3, ... */
static uint32_t coded(const int32_t *rounded, size_t columns, size_t row, size_t at, int order) {
  uint32_t d = (uint32_t)rounded[at];
  if (order >= 1 && row >= 1) d -= (uint32_t)rounded[at - columns];
  if (order == 2 && row >= 2) d -= (uint32_t)rounded[at - columns] - (uint32_t)rounded[at - 2 * columns];
  return (d << 1) ^ (d >> 31 != 0 ? UINT32_MAX : 0);
}

static unsigned bit_length(uint32_t z) {
  unsigned bits = 0;
  for (; z != 0; z >>= 1) bits++;
  return bits;
}

/* Sum of the lengths of all numbers, and the largest. */
static uint64_t cost_of(const int32_t *rounded, size_t rows, size_t columns, int order, uint32_t *largest) {
  uint64_t bits = 0;
  *largest = 0;
  for (size_t i = 0; i < rows; i++)
    for (size_t c = 0; c < columns; c++) {
      uint32_t z = coded(rounded, columns, i, i * columns + c, order);
      bits += bit_length(z);
      if (z > *largest) *largest = z;
    }
  return bits;
}

static int choose_order(const int32_t *rounded, size_t rows, size_t columns, int *planes) {
  int best = 0;
  uint64_t least = UINT64_MAX;
  for (int order = 0; order < ORDERS; order++) {
    uint32_t largest;
    uint64_t bits = cost_of(rounded, rows, columns, order, &largest);
    if (bits >= least) continue;
    best = order;
    least = bits;
    *planes = largest == 0 ? 1 : (int)(bit_length(largest) + 7) / 8;
  }
  return best;
}

static void write_grid(page_build *page, const char *key, size_t count, const double *values) {
  if (count == 1)
    thud_json_number_field(&page->json, key, values[0]);
  else {
    thud_json_key(&page->json, key);
    thud_json_begin_flat_array(&page->json);
    for (size_t k = 0; k < count; k++) thud_json_number(&page->json, values[k]);
    thud_json_end_array(&page->json);
  }
}

static void write_rounded(page_build *page, size_t rows, size_t columns, const int32_t *rounded, const page_grid *grid,
                          unsigned char *row) {
  int planes = 1, order = choose_order(rounded, rows, columns, &planes);
  if (!thud_page_begin_numbers(page, "q", rows * columns)) return;
  thud_json_integer_field(&page->json, "rows", (int64_t)rows);
  thud_json_integer_field(&page->json, "cols", (int64_t)columns);
  write_grid(page, "step", grid->count, grid->step);
  write_grid(page, "low", grid->count, grid->low);
  thud_json_integer_field(&page->json, "order", order);
  thud_json_integer_field(&page->json, "planes", planes);
  thud_json_end_object(&page->json);
  for (int plane = 0; plane < planes; plane++)
    for (size_t i = 0; i < rows; i++) {
      for (size_t c = 0; c < columns; c++)
        row[c] = (unsigned char)(coded(rounded, columns, i, i * columns + c, order) >> (8 * plane) & 0xff);
      if (!thud_page_take(page, thud_page_blocks_add(&page->blocks, row, columns))) return;
    }
}

void thud_page_quantised(page_build *page, const char *key, size_t rows, size_t columns, const double *values,
                         page_grid grid) {
  if (thud_page_state(page) != THUD_OK) return;
  if (rows == 0 || columns == 0) {
    thud_page_doubles(page, key, 0, values);
    return;
  }
  int32_t *rounded = THUD_NEW_ARRAY(page->context, int32_t, rows * columns);
  unsigned char *row = THUD_NEW_ARRAY(page->context, unsigned char, columns);
  if (rounded == NULL || row == NULL) {
    thud_page_take(page, THUD_ERROR_MEMORY);
  } else if (round_all(rows, columns, values, &grid, rounded)) {
    thud_json_key(&page->json, key);
    write_rounded(page, rows, columns, rounded, &grid, row);
  } else {
    thud_page_floats(page, key, rows * columns, values);
  }
  thud_free(page->context, rounded);
  thud_free(page->context, row);
}
